from collections.abc import Sequence
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace
from tracks.words import laid

from generator.geometry import Point, bounds
from generator.tracks.courses import Course, CourseEntry, Tile, lay
from generator.tracks.pieces import (
    HEXAGONS,
    LEFT,
    OCTAGONS,
    SQUARES,
    BorderCut,
    TileGrid,
    TileMeasures,
    Vector,
    Way,
    bend,
    straight,
)
from generator.tracks.records import track_map


def of_pieces(*pieces: str) -> Course:
    """A course three lanes wide: `s4` is a straight of four cells, `b2` a bend of radius 2."""
    kinds = {"s": lambda n: straight(HEXAGONS, n, 3), "b": lambda n: bend(HEXAGONS, LEFT, n, 3)}
    tiles = {p: Tile(p, {"": Way(kinds[p[0]](int(p[1:])))}, cut=BorderCut(0.25)) for p in pieces}
    return lay(HEXAGONS, [(tiles[p], CourseEntry(p)) for p in pieces])


def test_tiles_are_laid_from_the_start() -> None:
    course = laid(HEXAGONS, "SLR")
    assert [(t.number, t.letter, t.place, t.heading) for t in course.tiles] == [
        (1, "S", (0, 0), 0),
        (2, "L", (1, 0), 0),
        (3, "R", (1, 1), 1),
    ]
    assert (course.tiles[-1].end, course.tiles[-1].onward) == ((2, 1), 0)


@pytest.mark.parametrize(
    ("grid", "word"),
    [
        (HEXAGONS, "L" * 6),
        (HEXAGONS, "R" * 6),
        (SQUARES, "SLSLSLSL"),
        (SQUARES, "SSLLSSLL"),
        (OCTAGONS, "L" * 8),
        (OCTAGONS, "SSSLLLLSSSLLLL"),
    ],
)
def test_circuits_close_without_overlap(grid: TileGrid, word: str) -> None:
    course = laid(grid, word)
    assert course.is_closed
    assert course.overlaps == ()
    assert course.is_circuit


def test_a_gap_names_both_tiles_and_its_length() -> None:
    closing = laid(HEXAGONS, "SSLLLSLLL").closing
    assert closing is not None
    assert closing.cells == pytest.approx(1)
    assert (closing.before.number, closing.after.number, closing.degrees) == (9, 1, 0)


def test_a_gap_may_be_only_a_turn() -> None:
    closing = laid(HEXAGONS, "LLLLLS").closing
    assert closing is not None
    assert (closing.before.number, closing.degrees) == (6, 60)
    assert not closing.meets


def test_an_overlap_names_both_tiles() -> None:
    course = laid(SQUARES, "SLLLL")
    assert [(a.number, b.number) for a, b in course.overlaps] == [(1, 5)]
    assert not course.is_circuit


def test_octagons_that_lie_partly_on_each_other_overlap() -> None:
    [(one, other)] = laid(OCTAGONS, "SSLLLLLLS").overlaps
    assert (one.number, other.number) == (1, 9)
    assert one.place != other.place


def test_no_tiles_are_no_circuit() -> None:
    assert laid(HEXAGONS, "").closing is None
    assert not laid(HEXAGONS, "").is_circuit


def test_pieces_of_several_lanes_make_an_oval() -> None:
    assert of_pieces("s4", "b2", "b2", "b2", "s4", "b2", "b2", "b2").is_circuit


@pytest.mark.parametrize(("cut", "crowded"), [(BorderCut(0.25), [(1, 3), (2, 3)]), (None, [])])
def test_kerbs_keep_tiles_apart(cut: BorderCut | None, crowded: list) -> None:
    tile = Tile("s", {"": Way(straight(HEXAGONS))}, cut=cut)
    places = [(0, 0), (1, 0), (0, 1), (9, 0)]
    course = lay(HEXAGONS, [(tile, CourseEntry("s", place=place)) for place in places])
    assert [(a.number, b.number) for a, b in course.overlaps] == crowded


ONE = TileMeasures(HEXAGONS, 20)
SQUARE = TileMeasures(SQUARES, 20, length=2)
KERBED = replace(SQUARE, kerb=2)
TAPER = TileMeasures(SQUARES, 20, length=6, leaves=3)


@pytest.mark.parametrize(
    ("one", "other", "place", "turn", "apart"),
    [
        (ONE, ONE, (0, 1), 0, True),
        (replace(ONE, length=3), replace(ONE, length=3), (0, 1), 0, False),
        (replace(ONE, length=3), ONE, (0, 1), 0, False),
        (ONE, replace(ONE, kerb=5), (0, 1), 0, False),
        (replace(ONE, length=3, kerb=5), replace(ONE, length=3, kerb=5), (-1, 2), 0, True),
        (SQUARE, SQUARE, (2, 1), 1, True),
        (SQUARE, KERBED, (1, 1), 0, False),
        (KERBED, KERBED, (2, 1), 1, False),
        (KERBED, KERBED, (3, 1), 1, True),
        (TAPER, SQUARE, (1, -1), 0, False),
        (TAPER, SQUARE, (0, -1), 0, False),
        (TAPER, SQUARE, (-1, -1), 0, True),
    ],
)
def test_what_is_cut_out_lies_apart_where_no_overlap_is_told(
    one: TileMeasures, other: TileMeasures, place: Vector, turn: int, apart: bool
) -> None:
    measures = {"one": one, "between": one, "other": other}
    tiles = {n: Tile(n, m.ways(), cut=m.cut) for n, m in measures.items()}
    away = CourseEntry("between", "S", (50, 50) if one.grid is HEXAGONS else (50, 0), 0)
    last = CourseEntry("away", "S", (90, 0), 0)
    layings = [CourseEntry("one", "S"), away, CourseEntry("other", "S", place, turn), last]
    course = lay(one.grid, [(tiles.get(x.call, tiles["one"]), x) for x in layings])
    assert (not course.overlaps) is apart
    drawn = dict.fromkeys(measures, "up")
    first, _, third, _ = (tile.corners for tile in track_map(course, measures, drawn).tiles)
    assert (not common(first, third)) is apart


def common(one: Sequence[Point], other: Sequence[Point]) -> bool:
    """Return True if some point on a fine raster lies in both outlines."""
    box = bounds(one)
    raster = (
        Point(box.x + (x + 0.37) * box.width / 60, box.y + (y + 0.37) * box.height / 40)
        for x, y in product(range(60), range(40))
    )
    return any(holds(one, point) and holds(other, point) for point in raster)


def holds(corners: Sequence[Point], point: Point) -> bool:
    """Return True for a point inside: a ray from it crosses the outline an odd number of times."""
    sides = zip(corners, [*corners[1:], corners[0]], strict=True)
    crossed = (
        (a.y > point.y) != (b.y > point.y)
        and point.x < a.x + (point.y - a.y) / (b.y - a.y) * (b.x - a.x)
        for a, b in sides
    )
    return sum(crossed) % 2 == 1


def test_a_tile_with_a_place_of_its_own_may_miss_the_one_before() -> None:
    tile = Tile("s", {"": Way(straight(HEXAGONS, 3))})
    course = lay(
        HEXAGONS, [(tile, CourseEntry("s")), (tile, CourseEntry("s", place=(4, 0), heading=1))]
    )
    [joint] = course.joints
    assert (joint.cells, joint.degrees, joint.meets) == (1, 60, False)


@given(st.text("SLR", min_size=1, max_size=14), st.data())
def test_pushed_together_without_tiles_is_laid_without_them(word: str, data: st.DataObject) -> None:
    out = data.draw(st.frozensets(st.integers(1, len(word))))
    kept = "".join(letter for n, letter in enumerate(word, 1) if n not in out)
    assert laid(HEXAGONS, word).without(out) == laid(HEXAGONS, kept)
