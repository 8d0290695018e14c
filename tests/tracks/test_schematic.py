import re
from xml.etree import ElementTree

import pytest
from tracks.layouts import letters, open_ends, pieces

from generator.tracks.gaps import flaws_of
from generator.tracks.schematic import (
    INK,
    LEAVING,
    RED,
    START,
    WIDTH,
    Fonts,
    Plan,
    Schematic,
    draw_schematic,
)

SVG = "{http://www.w3.org/2000/svg}"
FONTS = Fonts({"font-family": "Noto Sans"}, {"font-family": "Noto Sans", "font-weight": "700"})


def texts(drawn: Schematic) -> list[str]:
    root = ElementTree.fromstring(drawn.svg)
    return [element.text or "" for element in root.iter(f"{SVG}text")]


def test_the_picture_names_all_tiles_and_their_order() -> None:
    drawn = draw_schematic(letters("SLLLSLLL", removable=[1, 5]), "My Track", "pack/track", FONTS)
    said = texts(drawn)
    assert {"My Track", "pack/track", "Tiles in order", "finish line"} <= set(said)
    assert {str(n) for n in range(1, 9)} <= set(said)
    assert "can leave, all together" in said
    assert "1 2L 3L 4L 5 6L 7L 8L" in [" ".join(line.split()) for line in said]


def test_what_the_track_has_not_is_not_in_the_legend() -> None:
    said = texts(draw_schematic(open_ends(), "Two", "", FONTS))
    assert "finish line" not in said
    assert "start grid" not in said
    assert "can leave, all together" not in said
    assert "start grid" in texts(draw_schematic(pieces(), "Oval", "", FONTS))


@pytest.mark.parametrize("layout", [letters("LLLLLL"), letters("S" * 30), pieces(), open_ends()])
def test_all_is_inside_the_picture(layout) -> None:
    drawn = draw_schematic(layout, "Track", "note", FONTS)
    assert drawn.size.width == WIDTH
    root = ElementTree.fromstring(drawn.svg)
    assert root.get("viewBox") == f"0 0 {drawn.size.width:g} {drawn.size.height:g}"
    for text in root.iter(f"{SVG}text"):
        assert 0 <= float(text.get("y", "0")) <= drawn.size.height


def test_a_long_title_does_not_run_into_the_note() -> None:
    title, note = "The Very Long and Winding Road around the Old Quarry, Both Ways", "pack/road"
    root = ElementTree.fromstring(draw_schematic(pieces(), title, note, FONTS).svg)
    [found] = [text for text in root.iter(f"{SVG}text") if text.text == title]
    assert float(found.get("font-size", "0")) * 0.6 * len(title) < WIDTH - 50


def test_a_plan_has_a_ground_for_each_tile_and_a_red_one_for_those_that_leave() -> None:
    svg = Plan(0.2, {n: str(n) for n in range(1, 9)}, {}).drawn(pieces(removable=[5])).tostring()
    assert svg.count("scale(0.200000)") == 8
    assert svg.count(LEAVING) == 1
    assert svg.count(START) == 1
    assert svg.count(RED) >= 2, "its outline and its label"
    assert svg.count(f'stroke="{INK}"') == 7


def test_a_gap_is_an_arrow_as_long_as_it_is() -> None:
    layout = open_ends()
    svg = Plan(0.5, {1: "1", 2: "2"}, {}, flaws_of(layout)).drawn(layout).tostring()
    [line] = re.findall(rf'<line [^>]*stroke="{RED}"[^>]*>', svg)
    [wedge] = re.findall(rf'<polygon fill="{RED}"[^>]*points="([^"]+)"', svg)
    start = float(re.findall(r'x1="([\d.]+)"', line)[0])
    assert float(wedge.split(",")[0]) - start == pytest.approx(40), "its tip is at the next tile"
    assert "80.0 mm" in svg
    assert RED not in Plan(0.5, dict.fromkeys(range(1, 9), ""), {}).drawn(pieces()).tostring()


def test_tiles_that_lie_on_each_other_are_outlined() -> None:
    layout = letters("SLLLLLLS")
    found = flaws_of(layout)
    assert found.overlaps == ((1, 7), (2, 8))
    svg = draw_schematic(layout, "Knot", "", FONTS).svg
    assert len(re.findall(r'<path [^>]*fill="none" stroke="#c0392b"', svg)) == 4
    assert "tiles overlap" in svg
    assert "7 lies on 1" in svg


def test_numbers_and_calls_have_columns_of_their_own() -> None:
    root = ElementTree.fromstring(draw_schematic(pieces(), "Oval", "", FONTS).svg)
    calls, numbers = set[str](), set[str]()
    for text in root.iter(f"{SVG}text"):
        calls |= {text.get("x", "")} if text.text in ("grid", "bend", "plain") else set()
        if text.get("text-anchor") == "end" and (text.text or "").isdecimal():
            numbers.add(text.get("x", ""))
    assert len(calls) == len(numbers) > 1
    assert calls.isdisjoint(numbers)


def test_a_curve_is_an_arc_that_touches_the_middles_of_its_sides() -> None:
    """Hexagons are 80 mm wide: 60° about a corner 40/tan 30° away from each, to the left."""
    svg = Plan(1, {n: str(n) for n in range(1, 9)}, {}).drawn(letters("SLLLSLLL")).tostring()
    arcs = re.findall(r"A([\d.]+) ([\d.]+) 0 0 (\d)", svg)
    assert len(arcs) == 2 * 6, "the road and its dashes"
    assert set(arcs) == {("69.282", "69.282", "0")}
