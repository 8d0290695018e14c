"""Charts are SVG that holds what it was given."""

import re
import xml.etree.ElementTree as ET

import pytest
from gridpress_chariot_dash.charts import lines, radar, stacks, whiskers

SVG = "{http://www.w3.org/2000/svg}"


def words(svg: str) -> list[str]:
    return [text.text or "" for text in ET.fromstring(svg).iter(f"{SVG}text")]


def test_a_radar_has_a_corner_for_each_axis_and_a_shape_for_each_series() -> None:
    svg = radar(("a", "b", "c"), {"Mine & yours": (1.0, 2.0, None), "two": (5.0, 1.0, 1.0)})
    assert {"a", "b", "c", "Mine & yours", "two"} <= set(words(svg))
    titled = [
        p for p in ET.fromstring(svg).iter(f"{SVG}polygon") if p.find(f"{SVG}title") is not None
    ]
    assert len(titled) == 2
    # 5 is drawn at the rim, where 2 is; what is not known, at the centre.
    first, second = (
        [tuple(map(float, xy.split(","))) for xy in p.get("points", "").split()] for p in titled
    )
    assert first[2] == (250.0, 170.0)
    assert second[0] == (250.0, 52.0)


def test_a_line_has_a_point_for_each_value() -> None:
    svg = lines({"one": (1.0, 2.0, 6.0), "gap": (None, 3.0, 3.0)}, "round", "speed", 6)
    found = [p.get("points", "").split() for p in ET.fromstring(svg).iter(f"{SVG}polyline")]
    assert [len(points) for points in found] == [3, 2]
    heights = [float(point.split(",")[1]) for point in found[0]]
    assert (heights[1] - heights[2]) / (heights[0] - heights[1]) == pytest.approx(4, abs=0.02)
    assert {"round", "speed", "6"} <= set(words(svg))


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
