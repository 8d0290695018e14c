"""Charts are SVG that holds what it was given."""

import re
import xml.etree.ElementTree as ET

import pytest

from generator.games.charts import lines, radar, stacks

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
