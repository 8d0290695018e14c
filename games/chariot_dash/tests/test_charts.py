"""Charts are SVG that holds what it was given."""

import re
import xml.etree.ElementTree as ET

import pytest
from gridpress_chariot_dash.findings import stacks, whiskers

SVG = "{http://www.w3.org/2000/svg}"


def words(svg: str) -> list[str]:
    return [text.text or "" for text in ET.fromstring(svg).iter(f"{SVG}text")]


def test_bars_are_as_wide_as_their_parts() -> None:
    svg = stacks({"fast": (0.25, 0.75)}, ("none", "some"), ("#eeeeee", "#222222"))
    widths = [float(w) for w in re.findall(r'width="([\d.]+)" height="17.0"', svg)]
    assert widths == [85.0, 255.0]
    assert {"fast", "none", "some", "25%", "75%"} == set(words(svg))


def test_a_whisker_reaches_from_low_to_high() -> None:
    svg = whiskers({"one": (1.0, 0.5, 2.0), "two": (0.5, 0.5, 0.5)}, str, (1.0, "fair"))
    drawing = ET.fromstring(svg)
    assert {"one", "two", "fair", "0.5", "2.0"} <= set(words(svg))
    dots = [float(dot.get("cx", "")) for dot in drawing.iter(f"{SVG}circle")]
    found = [p.get("d", "") for p in drawing.iter(f"{SVG}path") if p.get("fill") == "none"]
    ends = [tuple(map(float, re.findall(r"[MH]([\d.]+)", path))) for path in found]
    unit = dots[0] - dots[1]
    assert ends[0] == pytest.approx((dots[0] - unit, dots[0] + 2 * unit), abs=0.2)
    assert ends[1] == (dots[1], dots[1])


def test_an_interval_without_an_end_is_drawn_to_the_rim() -> None:
    svg = whiskers({"one": (1.0, float("-inf"), float("inf"))}, str, (1.0, "fair"))
    assert "inf" not in svg
    assert "nan" not in svg
