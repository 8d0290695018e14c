"""Holds preflight to seeing any edge of colour that runs along the cut."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from export.hand_made import CARD, die, face, place, ruler, sheet, write
from msgspec.structs import replace
from PIL import Image, ImageDraw
from preflight.tampering import messages

from generator.geometry import Point, Rect, Size
from generator.model.catalogue import Fold, Shape, Stock
from generator.model.face import Asset, Side
from generator.model.pack import Backs
from generator.preflight.near_cut import Cut, Outside
from generator.preflight.raster import Raster
from generator.preflight.rims import go_round, of_outline


def told(folder: Path, body: str, safe: float = 0) -> str:
    """What is said of a card of 63 × 88 mm on which that is drawn, with that safe zone, mm."""
    path = write(folder, [sheet([place(face("card", body), 40, 40)])], backs=Backs.NONE)
    if safe:
        manifest = folder / "manifest.json"
        listed = json.loads(manifest.read_text("utf-8"))
        kind = {"title": "", "why": "", "edge": "ink", "quantities": {}, "components": {}}
        listed["kinds"] = {"card": {**kind, "safe_mm": safe}}
        manifest.write_text(json.dumps(listed), "utf-8")
    return messages(path)


@pytest.mark.thorough(but=2)
@pytest.mark.parametrize(
    "body",
    [
        '<rect x="0" y="0" width="63" height="88" fill="#206080"/>',
        '<rect x="-0.3" y="-0.3" width="63.6" height="88.6" fill="#206080"/>',
        '<rect x="0.3" y="0.3" width="62.4" height="87.4" fill="#206080"/>',
        '<rect x="-3" y="-3" width="69" height="3.3" fill="#206080"/>',
        '<rect x="-3" y="0" width="3" height="88" fill="#206080"/>',
    ],
)
def test_an_edge_along_the_cut_is_told_of(tmp_path: Path, body: str) -> None:
    assert "an edge of colour runs along the" in told(tmp_path, body)


@pytest.mark.parametrize(
    ("near", "wide", "found"),
    [(0.4, 0.7, True), (0.6, 0.25, True), (-0.35, 0.8, True), (1.2, 0.5, False)],
)
def test_a_thin_frame_within_which_another_colour_begins_is_told_of(
    tmp_path: Path, near: float, wide: float, found: bool
) -> None:
    ground = '<rect x="-3" y="-3" width="69" height="94" fill="#f0e8d0"/>'
    box = '<rect x="{0}" y="{0}" width="{1}" height="{2}" fill="{3}"/>'
    frame = box.format(near, 63 - 2 * near, 88 - 2 * near, "#206080")
    low = 1.6  # its lower side is wider
    panel = f'<rect x="{near + wide}" y="{near + wide}" width="{63 - 2 * near - 2 * wide}"'
    panel += f' height="{88 - 2 * near - 2 * wide - low}" fill="#a01040"/>'
    said = told(tmp_path, ground + frame + panel)
    assert ("a thin frame" in said or "an edge of colour" in said) is found


@pytest.mark.parametrize(("along", "found"), [(8, True), (4, False)])
def test_short_sides_of_an_outline_are_looked_at_where_there_is_something_all_round(
    along: int, found: bool
) -> None:
    xy = [(4, 0), (8, 0), (8, 4), (12, 4), (12, 8), (8, 8), (8, 12), (4, 12), (4, 8), (0, 8),
          (0, 4), (4, 4)]  # fmt: skip
    corners = [Point(x, y) for x, y in xy]
    ground = Raster(Image.new("RGB", (72, 72), "white"), Rect(-3, -3, 18, 18))
    sides = of_outline(ground, corners).sides
    assert len(sides) == 12
    assert go_round(sides[:along], corners) is found


def test_a_band_that_ends_at_the_cut_is_told_of(tmp_path: Path) -> None:
    ground = '<rect x="-3" y="-3" width="69" height="94" fill="#f0e8d0"/>'
    said = told(tmp_path, f'{ground}<rect y="30" width="63" height="12" fill="#206080"/>')
    assert "an edge of colour runs along 12 mm of the left and of the right edge" in said


def test_one_that_ends_at_the_cut_on_one_side_is_told_of(tmp_path: Path) -> None:
    ground = '<rect x="-3" y="-3" width="69" height="94" fill="#f0e8d0"/>'
    said = told(tmp_path, f'{ground}<rect y="30" width="20" height="16" fill="#206080"/>')
    assert "an edge of colour runs along 16 mm of the left edge, at the cut" in said


@pytest.mark.thorough(but=3)
@pytest.mark.parametrize(
    "art",
    [
        '<rect x="-3" y="30" width="69" height="12" fill="#206080"/>',
        '<rect x="1" y="30" width="61" height="12" fill="#206080"/>',
        '<circle cx="12" cy="40" r="12" fill="#206080"/>',
        '<path d="M-3 20L3 44" stroke="#206080" stroke-width="6"/>',
        '<rect x="0" y="30" width="10" height="8" fill="#206080"/>',
        '<rect x="0" y="30" width="63" height="4" fill="#206080"/>',
    ],
)
def test_what_crosses_or_touches_the_cut_is_fine(tmp_path: Path, art: str) -> None:
    ground = '<rect x="-3" y="-3" width="69" height="94" fill="#f0e8d0"/>'
    assert "an edge of colour" not in told(tmp_path, ground + art)


GROUND = '<rect x="-3" y="-3" width="69" height="94" fill="#f0e8d0"/>'
STAR = '<path d="M{x} 26l1.2 2.6 2.8.4-2 2 .5 2.8-2.5-1.3-2.5 1.3.5-2.8-2-2 2.8-.4z" fill="{f}"/>'


@pytest.mark.thorough(but=3)
@pytest.mark.parametrize(
    ("art", "found"),
    [
        (STAR.format(x=63, f="#206080"), True),
        (STAR.format(x=50, f="#206080"), False),
        (STAR.format(x=63, f="#206080") + STAR.format(x=0, f="#206080"), False),
        ("".join(STAR.format(x=x, f="#206080") for x in range(0, 70, 9)), False),
        ('<rect x="58" y="20" width="12" height="5" fill="#206080"/>', False),
        ('<circle cx="63" cy="40" r="30" fill="#206080"/>', False),
        ('<circle cx="63" cy="40" r="3" fill="#206080"/>', False),
    ],
    ids=["an icon", "within", "on both sides", "a row", "a bar", "a large disc", "half a disc"],
)
def test_an_icon_half_over_the_cut_is_told_of(tmp_path: Path, art: str, found: bool) -> None:
    ground = '<rect x="-3" y="-3" width="69" height="94" fill="#f0e8d0"/>'
    assert ("lies over the cut" in told(tmp_path, ground + art)) is found


@pytest.mark.thorough(but=3)
@pytest.mark.parametrize(
    ("art", "found"),
    [
        (STAR.format(x=57, f="#206080"), True),
        ('<rect x="52" y="35" width="11" height="10" rx="1" fill="#d0c0a0"/>'
         + STAR.format(x=57, f="#206080"), True),
        ('<rect x="9" y="20" width="50" height="60" fill="#d0c0a0"/>'
         + STAR.format(x=57, f="#206080"), True),
        (STAR.format(x=54, f="#206080"), False),
        (STAR.format(x=57, f="#206080") + STAR.format(x=6, f="#206080"), False),
        (STAR.format(x=57, f="#206080") + '<rect x="50" y="28" width="9" height="9" fill="red"/>',
         False),
        (STAR.format(x=57, f="#206080") + STAR.format(x=53, f="#802020"), False),
        ('<circle cx="50" cy="40" r="20" fill="#d0c0a0"/>' + STAR.format(x=57, f="#206080"), False),
    ],
    ids=["alone", "on a plate", "half on a panel", "in the zone", "on both sides",
         "covered in part", "of a picture", "in what bleeds"],
)  # fmt: skip
def test_an_icon_out_of_the_safe_zone_is_told_of(tmp_path: Path, art: str, found: bool) -> None:
    ground = '<rect x="-3" y="-3" width="69" height="94" fill="#f0e8d0"/>'
    assert ("from the cut, out of the safe zone" in told(tmp_path, ground + art, 3)) is found


@pytest.mark.parametrize(
    ("small", "found"),
    [
        ('<path d="M70 760h380" stroke="#1d1a17" stroke-width="0.5"/>', True),
        ('<path d="M70 760h380" stroke="#1d1a17" stroke-width="1.1"/>', False),
        ('<path d="M70 760h20" stroke="#1d1a17" stroke-width="0.5"/>', False),
        ("".join(f'<path d="M70 {y}h380" stroke="#1d1a17" stroke-width="0.5"/>'
                 for y in range(700, 780, 10)), False),
    ],
    ids=["a line", "wide enough", "short", "a drawing"],
)  # fmt: skip
def test_a_line_that_is_scaled_till_it_is_thin_is_told_of(
    tmp_path: Path, small: str, found: bool
) -> None:
    said = told(tmp_path, f'<g transform="scale(0.1)">{small}</g>')
    assert ("a hairline" in said) is found


def letters(x: float, y: float, turn: int = 0, word: str = "HODAL") -> str:
    """A word as paths, 5 mm high, its first letter at that place; small letters are capitals of
    bars that lie over one another."""
    ways = {
        "H": "M0 0V-5H1V-3H2V-5H3V0H2V-2H1V0Z",
        "O": "M0 -2.5C0 -4.2 .8 -5 1.7 -5S3.4 -4.2 3.4 -2.5S2.6 0 1.7 0S0 -.8 0 -2.5Z",
        "D": "M0 0V-5H1.6C3 -5 3.4 -3.6 3.4 -2.5S3 0 1.6 0Z",
        "A": "M0 0L1.2 -5H2.2L3.4 0H2.4L2.1 -1.2H1.3L1 0Z",
        "L": "M0 0V-5H1V-1H3V0Z",
        "h": "M0 0V-5H1V0ZM2 0V-5H3V0ZM.5 -2V-3H2.5V-2Z",
        "a": "M0 0L1.2 -5H2.2L1 0ZM1.5 -5H2.2L3.4 0H2.4ZM.5 -1V-2H2.8V-1Z",
        "l": "M0 0V-5H1V0ZM.5 0V-1H3V0Z",
    }
    paths = [
        f'<path transform="translate({4 * n} 0)" d="{ways[one]}"/>' for n, one in enumerate(word)
    ]
    return f'<g fill="#206080" transform="translate({x} {y}) rotate({turn})">{"".join(paths)}</g>'


@pytest.mark.thorough(but=3)
@pytest.mark.parametrize(
    ("art", "says"),
    [
        (letters(20, 2), "a word in outlines of 19 × 5 mm lies over the cut"),
        (letters(20, 6.5), "a word in outlines of 19 × 5 mm lies 1.5 mm from the cut, out of the"),
        (letters(61, 50, -90), "a word in outlines of 5 × 19 mm lies 2.0 mm from the cut"),
        (letters(20, 2, word="hOlaD"), "a word in outlines of 19 × 5 mm lies over the cut"),
        (letters(20, 9), ""),
        ("".join(letters(x, y) for x in (-8, 18, 44) for y in range(1, 95, 9)), ""),
        (letters(-15, 2, word="HODALHODALHODALHODALHODAL"), ""),
    ],
    ids=[
        "over the cut",
        "near it",
        "upwards",
        "of bars",
        "within",
        "a pattern",
        "a row all across",
    ],
)
def test_a_word_in_outlines_that_is_astray_is_told_of(tmp_path: Path, art: str, says: str) -> None:
    said = told(tmp_path, GROUND + art, 3)
    assert says in said if says else "GP823" not in said


def test_houses_of_all_heights_are_no_word(tmp_path: Path) -> None:
    houses = "".join(
        f'<path d="M{x} 87v-{high}h2l1.5 -{high / 4}l1.5 {high / 4}h1v{high}z" fill="#206080"/>'
        for x, high in ((5, 6), (12, 9), (19, 4), (26, 7.5), (33, 5))
    )
    assert "a word in outlines" not in told(tmp_path, GROUND + houses, 3)


COIN_WITH = '<circle cx="{x}" cy="40" r="5" fill="#206080"/>' + STAR.replace("{f}", "#fff")


@pytest.mark.parametrize(
    ("art", "found"),
    [
        (COIN_WITH.format(x=61), True),
        (COIN_WITH.format(x=50), False),
        ('<g fill="none" stroke="#206080"><path d="M56 30h5v5l-2.5 3-2.5-3z"/></g>', True),
        ('<g fill="none" stroke="#206080"><path d="M56 30l2 3 2-3 2 3 2-3 2 3 2-3"/></g>', False),
        ('<path d="M57 34C51 30 52 26 54.5 26C56 26 57 27.5 57 28C57 27.5 58 26 59.5 26'
         'C62 26 63 30 57 34Z" fill="#206080"/>', True),
    ],
    ids=["a coin with a star", "within", "a closed line", "an open one", "a heart"],
)  # fmt: skip
def test_icons_of_several_parts_and_of_lines_are_told_of(
    tmp_path: Path, art: str, found: bool
) -> None:
    art = art.replace("M61 26", "M61 37").replace("M50 26", "M50 37")
    assert ("a shape of" in told(tmp_path, GROUND + art, 3)) is found


KEEP = '<path d="M{x} 30h2v1h4v-1h2v6l-4 3-4-3z" fill="#206080"/>'


@pytest.mark.thorough(but=2)
@pytest.mark.parametrize("share", [10, 20, 28, 75, 85, 92])
def test_however_much_of_an_icon_the_cut_takes_it_is_told_of(tmp_path: Path, share: int) -> None:
    said = told(tmp_path, GROUND + KEEP.format(x=63 - 8 + 8 * share / 100))
    assert "lies over the cut" in said


@pytest.mark.parametrize(
    "art",
    [
        '<path d="M55 30l2-2h9v8h-9l-2-2z" fill="#206080"/>',
        KEEP.format(x=54.8),
        KEEP.format(x=64),
    ],
    ids=["a tab", "within", "beyond"],
)
def test_a_tab_that_goes_on_to_the_end_is_fine(tmp_path: Path, art: str) -> None:
    assert "lies over the cut" not in told(tmp_path, GROUND + art)


@pytest.mark.thorough(but=3)
@pytest.mark.parametrize("colour", ["#ffffff", "#101010"])
@pytest.mark.parametrize(
    "body",
    [
        '<rect x="0.4" y="0.4" width="62.2" height="87.2" fill="none" stroke-width="0.3"/>',
        '<rect x="0" y="0" width="63" height="88" fill="none" stroke-width="0.25"/>',
        '<rect x="-0.3" y="-0.3" width="63.6" height="88.6" fill="none" stroke-width="0.5"/>',
        '<path d="M0.2 -3v90.8h66" fill="none" stroke-width="0.4"/>',
    ],
)
def test_a_thin_frame_along_the_cut_is_told_of(tmp_path: Path, body: str, colour: str) -> None:
    ground = '<rect x="-3" y="-3" width="69" height="94" fill="#206080"/>'
    said = told(tmp_path, ground + body.replace("stroke-width", f'stroke="{colour}" stroke-width'))
    assert "a thin frame runs along the" in said


@pytest.mark.thorough(but=3)
@pytest.mark.parametrize(
    "body",
    [
        "",
        '<rect x="2" y="2" width="59" height="84" fill="none" stroke="red" stroke-width="0.4"/>',
        '<path d="M-3 0h20M46 0h20" stroke="#206080" stroke-width="0.4"/>',
        '<path d="M-3 0.2h69" stroke="#206080" stroke-width="0.4"/>',
        '<path d="M0.2 -3v94M62.8 -3v94M0 9h5M0 18h5M0 27h5" stroke="#206080" stroke-width="0.4"/>',
        '<path d="M0.2 -3v94M5 0.2h3M15 0.2h3M25 0.2h3" stroke="#206080" stroke-width="0.4"/>',
        '<path d="M-3 2L66 -2M-3 86L66 90" stroke="#206080" stroke-width="0.4"/>',
        '<rect x="2" y="2" width="59" height="84" fill="#206080"/>',
        '<rect x="-2" y="-2" width="67" height="92" fill="#206080"/>',
        '<path d="M-3 -3 L66 91 L66 -3 Z" fill="#206080"/>',
        '<rect x="20" y="-3" width="20" height="94" fill="#206080"/>',
        '<circle cx="31" cy="0" r="10" fill="#206080"/>',
    ],
)
def test_what_crosses_the_cut_or_keeps_away_is_fine(tmp_path: Path, body: str) -> None:
    assert CARD.bleed == 3
    said = told(tmp_path, body)
    assert "an edge of colour" not in said
    assert "a thin frame" not in said


@pytest.mark.parametrize(("lines", "found"), [(9, False), (3, True)])
def test_a_grid_is_no_frame(tmp_path: Path, lines: int, found: bool) -> None:
    """Of which a line each way happens to lie beside the cut: more go on further in."""
    grid = "".join(
        f'<path d="M{5 * n - 0.5} -3v94M-3 {5 * n - 0.5}h69" stroke="#8090a0"'
        f' stroke-width="{0.2 + n % 2 / 5}"/>'
        for n in range(lines)
    )
    ground = '<rect x="-3" y="-3" width="69" height="94" fill="#f4ead2"/>'
    assert ("a thin frame" in told(tmp_path, ground + grid)) is found


def test_icons_strewn_beside_the_cut_are_not_held_against_each_other() -> None:
    class Objects(list[Any]):
        def __iter__(self) -> Iterator[Any]:
            raise AssertionError("each object is looked at for each icon")

    outside = Outside(Cut(Rect(0, 0, 63, 88)), 3)
    outside._found += [(n, Rect(0, 40, 5, 5)) for n in range(3000)]
    assert list(outside.astray(Objects())) == []


RIGHT_THIRD = '<rect x="{x}" y="30" width="20" height="25" fill="#206080"/>'


@pytest.mark.parametrize("off", [-0.5, -0.3, 0.3, 0.5])
def test_an_edge_on_a_third_of_a_side_is_told_of(tmp_path: Path, off: float) -> None:
    said = told(tmp_path, GROUND + RIGHT_THIRD.format(x=43 + off))
    assert f"along 25 mm of the right edge, {abs(off):.1f} mm from the cut" in said


@pytest.mark.parametrize("off", [-1.0, 1.0])
def test_one_that_is_a_millimetre_away_is_fine(tmp_path: Path, off: float) -> None:
    assert "an edge of colour" not in told(tmp_path, GROUND + RIGHT_THIRD.format(x=43 + off))


@pytest.mark.parametrize("width", [0.3, 0.5, 0.8, 1.0])
def test_a_frame_is_told_as_one_however_wide(tmp_path: Path, width: float) -> None:
    pen = f'fill="none" stroke="#206080" stroke-width="{width}"'
    said = told(tmp_path, f'{GROUND}<rect x="0.2" y="0.2" width="62.6" height="87.6" {pen}/>')
    assert "a thin frame runs along the whole edge" in said
    assert "an edge of colour" not in said


@pytest.mark.thorough(but=2)
@pytest.mark.parametrize(
    ("near", "width", "pen", "found"),
    [
        (0.3, 0.6, "", True),
        (1.2, 1.0, "", True),
        (0.9, 0.4, 'stroke-dasharray="4 1"', True),
        (2.0, 0.5, "", False),
        (0.6, 2.0, "", False),
    ],
    ids=["near", "a millimetre inside", "in dashes", "well inside", "a band"],
)
def test_a_frame_on_a_card_without_bleed_is_told_of(
    tmp_path: Path, near: float, width: float, pen: str, found: bool
) -> None:
    at = near + width / 2
    frame = (
        f'<rect x="{at}" y="{at}" width="{40 - 2 * at}" height="{60 - 2 * at}" fill="none"'
        f' stroke="#206080" stroke-width="{width}" {pen}/>'
    )
    piece = place(face("piece", frame, stock=BARE), 40, 40)
    said = messages(write(tmp_path, [sheet([piece])], backs=Backs.NONE))
    assert ("a thin frame runs along the whole edge" in said) is found


TINY = Stock("tiny", Size(4, 4), bleed=1)
SMALL_TILE = Stock("small", Size(8, 6.928), bleed=1, shape=Shape.HEXAGON)


@pytest.mark.parametrize(
    ("stock", "body", "found"),
    [
        (TINY, '<rect x="-0.2" y="-0.2" width="4.4" height="4.4" fill="#206080"/>', True),
        (TINY, '<path d="M-2 -2H2V6H-2z" fill="#206080"/>', False),
        (TINY, '<path d="M-1 0.2H5V3H-1z" fill="#206080"/>', False),
        (SMALL_TILE, '<path d="M2 0H6L8 3.464 6 6.928H2L0 3.464Z" fill="#206080"/>', True),
        (SMALL_TILE, '<path d="M-2 3.464H10V9H-2z" fill="#206080"/>', False),
    ],
    ids=["a small square", "its half", "one side", "a small tile", "its half"],
)
def test_pieces_with_short_sides_are_looked_at(
    tmp_path: Path, stock: Stock, body: str, found: bool
) -> None:
    piece = place(face("piece", body, stock=stock), 40, 40)
    said = messages(write(tmp_path, [sheet([piece])], backs=Backs.NONE))
    assert ("an edge of colour" in said) is found


def gradient(stops: str) -> str:
    paint = f'<linearGradient id="g" x1="0" y1="0" x2="0" y2="1">{stops}</linearGradient>'
    return f'{paint}<rect x="-3" y="-3" width="69" height="94" fill="url(#g)"/>'


def stripes(period: float, wide: float, start: float) -> str:
    return GROUND + "".join(
        f'<rect x="-3" y="{start + n * period}" width="69" height="{wide}" fill="#206080"/>'
        for n in range(-1, round(94 / period))
    )


@pytest.mark.thorough(but=3)
@pytest.mark.parametrize(
    "body",
    [
        gradient('<stop offset="0" stop-color="#102030"/><stop offset="0.08" stop-color="#fff"/>'),
        gradient(
            '<stop offset="0.03" stop-color="#102030"/><stop offset="0.07" stop-color="#fff"/>'
        ),
        stripes(6, 3, 0.2),
        stripes(8, 2, 0),
        GROUND + '<circle cx="31" cy="188.2" r="100" fill="#206080"/>',
        GROUND + '<path d="M-3 90L66 86.5V94H-3z" fill="#206080"/>',
    ],
    ids=["fades", "ends near the cut", "stripes", "other stripes", "a hill", "a slope"],
)
def test_what_only_happens_to_be_at_the_cut_is_fine(tmp_path: Path, body: str) -> None:
    assert "an edge of colour" not in told(tmp_path, body)


def test_a_pictures_own_line_is_told_if_it_goes_around(tmp_path: Path) -> None:
    def said(name: str, edges: tuple[int, ...]) -> str:
        picture = Image.new("RGB", (690, 940), "#8090a0")
        ImageDraw.Draw(picture).rectangle(edges, "#304020")
        source = tmp_path / f"{name}.png"
        picture.save(source)
        sha = hashlib.sha256(source.read_bytes()).hexdigest()
        art = Asset(f"assets/{sha[:16]}.png", source, sha)
        svg = f'<image x="-3" y="-3" width="69" height="94" href="{art.href}"/>'
        drawn = face("card", svg, assets=(art,))
        path = write(tmp_path / name, [sheet([place(drawn, 40, 40)])], backs=Backs.NONE)
        return messages(path)

    assert "an edge of colour" not in said("wall", (0, 0, 658, 940))
    assert "runs along the whole edge" in said("ring", (28, 28, 661, 911))


COIN = Stock("coin", Size(25, 25), bleed=2, shape=Shape.CIRCLE)
TILE = Stock("tile", Size(50.8, 44), bleed=3, shape=Shape.HEXAGON)
HEXAGON = '<path d="M12.7 0H38.1L50.8 22 38.1 44H12.7L0 22Z" fill="#206080" {pen}/>'
BARE = Stock("bare", Size(40, 60), bleed=0)


@pytest.mark.thorough(but=2)
@pytest.mark.parametrize(
    ("stock", "body", "expected"),
    [
        (COIN, '<circle cx="12.5" cy="12.5" r="12.8" fill="#206080"/>', "an edge of colour"),
        (COIN, '<circle cx="12.5" cy="12.5" r="12.2" fill="none" stroke="#fff" stroke-width=".5"/>',
         "a thin frame"),
        (COIN, '<circle cx="12.5" cy="12.5" r="10.5" fill="#206080"/>', ""),
        (COIN, '<path d="M-2 12.5h29v14h-29z" fill="#206080"/>', ""),
        (TILE, HEXAGON.format(pen='stroke="#206080" stroke-width="0.6"'), "an edge of colour"),
        (TILE, HEXAGON.format(pen='stroke="#ddccaa" stroke-width="4"'), ""),
        (TILE, '<path d="M12.7 0H38.1" stroke="#206080" stroke-width="0.8"/>', ""),
        (BARE, '<rect x="0.3" y="0.3" width="39.4" height="59.4" fill="#206080"/>', "a thin frame"),
        (BARE, '<rect x="2" y="2" width="36" height="56" fill="#206080"/>', ""),
    ],
    ids=["a coin's ring", "a coin's frame", "a disc", "half a coin", "a tile's ring",
         "a border within", "a line where tiles meet", "a rim without bleed", "no bleed"],
)  # fmt: skip
def test_every_shape_is_looked_at(tmp_path: Path, stock: Stock, body: str, expected: str) -> None:
    piece = place(face("piece", body, stock=stock), 40, 40)
    said = messages(write(tmp_path, [sheet([piece])], backs=Backs.NONE))
    assert [word for word in ("an edge of colour", "a thin frame") if word in said] == (
        [expected] if expected else []
    )


@pytest.mark.parametrize("gap", [0, 1, 6])
def test_what_neighbours_leave_of_a_face_does_not_hide_its_edges(
    tmp_path: Path, gap: float
) -> None:
    card = face("card", '<rect x="-0.3" y="-3" width="63.6" height="94" fill="#206080"/>')
    left = place(card, 20, 20, clip=Rect(17, 17, 66 + gap / 2, 94))
    right = place(card, 83 + gap, 20, copy=2, clip=Rect(83 + gap / 2, 17, 66 + gap / 2, 94))
    said = messages(write(tmp_path, [sheet([left, right])], backs=Backs.NONE))
    assert "an edge of colour runs along the left and right edge" in said


PENNANT = Stock("pennant", Size(50, 40), bleed=3, shape=Shape.PATH, path="M0 0H50L40 20L50 40H0Z")


def test_the_back_of_a_free_outline_is_looked_at_from_behind(tmp_path: Path) -> None:
    def said(name: str, back: str) -> str:
        marks = (*ruler(), die("M20 30L70 30L60 50L70 70L20 70Z"))
        fronts = sheet([place(face("piece", stock=PENNANT), 20, 30)], marks)
        behind = face("piece", f'<path d="{back}" fill="#206080"/>', name="back", stock=PENNANT)
        backs = sheet([place(behind, 140, 30)], side=Side.BACK)
        return messages(write(tmp_path / name, [fronts, backs], proven=True))

    assert "an edge of colour" in said("its outline", "M50 0H0L10 20L0 40H50Z")
    assert "an edge of colour" not in said("mirrored", "M-3 -3H56V17H-3Z")


TABBED = "M4 0L26 0 30 30H60V60H0V30Z"
WALL = Stock(
    "wall", Size(60, 60), bleed=3, shape=Shape.PATH, path=TABBED,
    folds=(Fold(Point(0, 30), Point(30, 30)),),
)  # fmt: skip
"""A wall with a tab above its left half."""


@pytest.mark.parametrize(
    ("tab", "folds", "found"),
    [("#ffffff", WALL.folds, False), ("#ffffff", (), True), ("#f0c040", WALL.folds, True)],
    ids=["a tab without ink", "it is no tab, for nothing is folded", "one with ink"],
)
def test_a_tab_without_ink_may_lie_in_what_its_neighbours_bleed_to(
    tmp_path: Path, tab: str, folds: tuple[Fold, ...], found: bool
) -> None:
    ground = '<path d="M-3 -3H63V63H-3Z" fill="#206080"/>'
    body = f'{ground}<path d="M4 0L26 0 30 30H0Z" fill="{tab}"/>'
    piece = place(face("piece", body, stock=replace(WALL, folds=folds)), 40, 40)
    marks = (*ruler(), die("M44 40L66 40L70 70L100 70L100 100L40 100L40 70Z"))
    said = messages(write(tmp_path, [sheet([piece], marks)], backs=Backs.NONE, proven=True))
    assert ("an edge of colour" in said) == found


TENT = Stock("tent", Size(60, 80), bleed=3, folds=(Fold(Point(0, 40), Point(60, 40)),))
FIGURE = '<path d="M0 0h6v3l4 6h-10z" fill="#206080" transform="{at}"/>'


@pytest.mark.parametrize(
    ("above", "found"),
    [
        (FIGURE.format(at="translate(20 12)"), True),
        (FIGURE.format(at="translate(40 28) rotate(180)"), False),
        ('<rect x="20" y="12" width="10" height="9" fill="#206080"/>'
         '<rect x="20" y="60" width="10" height="9" fill="#206080"/>', False),
        ("".join(FIGURE.format(at=f"translate({x} {y})")
                 for x in (5, 20, 35) for y in (10, 25, 45, 50)), False),
        ("", False),
    ],
    ids=["upright", "turned", "even", "a pattern", "nothing"],
)  # fmt: skip
def test_a_drawing_on_the_back_of_a_tent_is_turned(tmp_path: Path, above: str, found: bool) -> None:
    drawn = face("tent", above + FIGURE.format(at="translate(20 60)"), stock=TENT)
    said = messages(write(tmp_path, [sheet([place(drawn, 40, 40)])], backs=Backs.NONE))
    assert ("a drawing on the back is as upright" in said) is found


WORD = "".join(
    f'<path d="M{x} {5 - high}h2c.3 0 .5 .5 .5 1v{high - 1 + low}h-2{bend}z" fill="#206080"/>'
    for x, high, low, bend in (
        (0, 5, 0, ""),
        (3, 3, 0, "l-.5 -1"),
        (6, 5, 0, ""),
        (9, 3, 0, "l-1 0l0 -1"),
    )
)
"""Four letters of 5 mm, two of them lower, which stand on one line."""


@pytest.mark.parametrize(
    ("at", "said"),
    [
        ("translate(20 36)", "a word in outlines, 12 × 5 mm, lies on a fold"),
        ("translate(36 46) rotate(-90)", "a word in outlines, 5 × 11 mm, lies on a fold"),
        ("translate(36 46) rotate(90)", ""),
        ("translate(20 12)", "text is upright on both sides of the fold"),
        ("translate(40 28) rotate(180)", ""),
    ],
    ids=["on the fold", "upwards over it", "beside it", "upright", "turned"],
)
def test_words_in_outlines_go_with_the_folds(tmp_path: Path, at: str, said: str) -> None:
    front = f'<g transform="translate(25 60) scale(1.2)">{WORD}</g>'
    drawn = face("tent", f'<g transform="{at}">{WORD}</g>{front}', stock=TENT)
    found = messages(write(tmp_path, [sheet([place(drawn, 40, 40)])], backs=Backs.NONE))
    assert said in found
    assert said or not ("GP816" in found or "GP817" in found)
