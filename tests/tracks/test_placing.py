"""Faces come to lie exactly: cells as drawn, turned and moved, are the cells of the course."""

import math

import pytest
from msgspec.structs import replace

from generator.geometry import Point
from generator.tracks.courses import Course, CourseEntry, Tile, lay
from generator.tracks.pieces import GRIDS, HEXAGONS, LEFT, SQUARES, TileMeasures
from generator.tracks.records import DRAWN, MappedTile, TileFace, drawn_face, track_map

NEAR = 1e-9
PITCH = 82.489


def course(words: str, tiles: dict[str, TileMeasures]) -> Course:
    """Words such as `curve:L`, laid of these tiles."""
    pairs = [word.split(":") for word in words.split()]
    grid = next(iter(tiles.values())).grid
    known = {call: Tile(call, measures.ways(), 99) for call, measures in tiles.items()}
    return lay(grid, [(known[call], CourseEntry(call, letter)) for call, letter in pairs])


def carried(tile: MappedTile, drawn: TileFace, point: Point) -> Point:
    """Return the place of a point of a face on the table, turned about the middle of the trim."""
    middle = Point(drawn.size.width / 2, drawn.size.height / 2)
    turned = point.turned(tile.angle, middle)
    return turned.moved(tile.middle.x - middle.x, tile.middle.y - middle.y)


def apart(one: Point, other: Point) -> float:
    return math.dist((one.x, one.y), (other.x, other.y))


SINGLE = {
    "straight": TileMeasures(HEXAGONS, PITCH),
    "left": TileMeasures(HEXAGONS, PITCH, turn=1, either_way=True),
    "right": TileMeasures(HEXAGONS, PITCH, turn=-1, either_way=True),
}
SINGLE_WORDS = "straight:S left:L left:R straight:S right:R right:L"
SQUARE = {name: replace(tile, grid=SQUARES) for name, tile in SINGLE.items()}
OCTAGON = {name: replace(tile, grid=GRIDS["octagon"]) for name, tile in SINGLE.items()}
WIDE = {
    "straight": TileMeasures(HEXAGONS, 25.4, length=4, enters=3, leaves=3, kerb=6.0),
    "bend": TileMeasures(HEXAGONS, 25.4, turn=1, radius=2, enters=3, leaves=3, kerb=6.0),
    "right": TileMeasures(HEXAGONS, 25.4, turn=-1, radius=3, enters=3, leaves=3, kerb=6.0),
    "wider": TileMeasures(HEXAGONS, 25.4, length=5, enters=3, leaves=5, side=LEFT, kerb=6.0),
    "narrower": TileMeasures(HEXAGONS, 25.4, length=4, enters=5, leaves=3, kerb=6.0),
}
WIDE_SQUARE = {name: replace(tile, grid=SQUARES) for name, tile in WIDE.items()}
WIDE_WORDS = "straight:S bend:L right:R wider:S narrower:S bend:L"
COURSES = {
    "hexagons": (SINGLE, SINGLE_WORDS),
    "squares": (SQUARE, SINGLE_WORDS),
    "octagons": (OCTAGON, SINGLE_WORDS),
    "wide": (WIDE, WIDE_WORDS),
    "wide squares": (WIDE_SQUARE, WIDE_WORDS),
}


@pytest.mark.parametrize("drawn", DRAWN)
@pytest.mark.parametrize("heading", [0, 1, 3])
@pytest.mark.parametrize("name", COURSES)
def test_faces_come_to_lie_on_the_cells_of_the_course(name: str, heading: int, drawn: str) -> None:
    tiles, words = COURSES[name]
    laid = course(words, tiles)
    on_map = track_map(laid, tiles, dict.fromkeys(tiles, drawn), heading, 5.0)
    grid, first = laid.grid, on_map.tiles[0].lanes[0][0]
    for tile in on_map.tiles:
        blank = drawn_face(tiles[tile.laid.tile.call], drawn)
        cells = [carried(tile, blank, cell) for lane in blank.lanes for cell in lane]
        lanes = [cell for lane in tile.lanes for cell in lane]
        assert len(cells) == len(lanes)
        assert all(apart(*pair) < NEAR for pair in zip(cells, lanes, strict=True))
        exact = [
            grid.point(grid.rotated(cell, heading), tiles[tile.laid.tile.call].pitch)
            for cell in tile.laid.cells
        ]
        assert all(
            apart(at.moved(first.x, first.y), cell) < NEAR
            for at, cell in zip(exact, lanes, strict=True)
        )
        ports = blank.exit[::-1] if tile.laid.way.art else blank.entry
        assert all(
            apart(carried(tile, blank, end), there) < NEAR
            for end, there in zip(ports, tile.entry, strict=True)
        )


@pytest.mark.parametrize("name", COURSES)
def test_each_port_lies_on_the_next(name: str) -> None:
    tiles, words = COURSES[name]
    on_map = track_map(course(words, tiles), tiles, dict.fromkeys(tiles, "up"))
    for before, after in zip(on_map.tiles, on_map.tiles[1:], strict=False):
        pairs = zip(before.exit, after.entry, strict=True)
        assert all(apart(*pair) < NEAR for pair in pairs)


def test_a_wide_bend_gone_the_other_way_lies_on_itself_turned() -> None:
    tiles = {"bend": replace(WIDE["bend"], either_way=True)}
    on_map = track_map(course("bend:L bend:R", tiles), tiles, {"bend": "up"})
    _, back = on_map.tiles
    blank = drawn_face(tiles["bend"], "up")
    ends = [carried(back, blank, end) for end in (*blank.exit[::-1], *blank.entry[::-1])]
    assert all(apart(*pair) < NEAR for pair in zip(ends, (*back.entry, *back.exit), strict=True))


@pytest.mark.parametrize("margin", [0.0, 7.5])
def test_the_box_is_around_every_outline_and_the_margin(margin: float) -> None:
    on_map = track_map(course(WIDE_WORDS, WIDE), WIDE, dict.fromkeys(WIDE, "up"), 1, margin)
    corners = [corner for tile in on_map.tiles for corner in tile.corners]
    assert min(p.x for p in corners) == pytest.approx(margin)
    assert min(p.y for p in corners) == pytest.approx(margin)
    assert max(p.x for p in corners) == pytest.approx(on_map.size.width - margin)
    assert max(p.y for p in corners) == pytest.approx(on_map.size.height - margin)


def test_a_hexagon_stands_on_a_flat_side() -> None:
    for turn in (-1, 0, 1):
        blank = drawn_face(TileMeasures(HEXAGONS, PITCH, turn=turn), "up")
        assert blank.size.height == pytest.approx(PITCH)
        assert blank.size.width == pytest.approx(2 / math.sqrt(3) * PITCH)
        assert {round(end.y, 6) for end in blank.entry} == {PITCH}
        assert blank.entry[0].x < blank.entry[1].x
        assert len(blank.corners) == 6
        sides = zip(blank.corners, (*blank.corners[1:], blank.corners[0]), strict=True)
        assert all(apart(*side) == pytest.approx(PITCH / math.sqrt(3)) for side in sides)
