import pytest
from tracks.layouts import pieces
from tracks.words import laid

from generator.tracks.courses import Course, CourseEntry, Tile, lay
from generator.tracks.gaps import closing
from generator.tracks.inventory import curve_ways, straight_ways
from generator.tracks.pieces import HEXAGONS, OCTAGONS, SQUARES, TileGrid
from generator.tracks.records import course_of, tile_of


def pool(grid: TileGrid, straights: int, curves: int) -> list[Tile]:
    return [Tile("S", straight_ways(grid), straights), Tile("C", curve_ways(grid), curves)]


def closed(course: Course, tiles) -> Course:
    put = [(t.tile, CourseEntry("", t.letter)) for t in course.tiles]
    return lay(course.grid, [*put, *((tile, CourseEntry("", letter)) for tile, letter in tiles)])


@pytest.mark.parametrize("grid", [HEXAGONS, SQUARES, OCTAGONS])
def test_the_fewest_pieces_close_a_circuit(grid: TileGrid) -> None:
    word = "S" + "L" * (grid.turns // 2) + "S" + "L" * (grid.turns // 2)
    for missing in range(1, 6):
        course = laid(grid, word[:-missing])
        assert course.closing is not None
        tiles, left = closing(course, course.closing, pool(grid, 5, 9))
        assert left
        assert "".join(letter for _, letter in tiles) == word[-missing:]
        assert closed(course, tiles).is_circuit


def test_pieces_that_are_left_come_before_others() -> None:
    course = laid(HEXAGONS, "SLLLSL")
    assert course.closing is not None
    found, left = closing(course, course.closing, pool(HEXAGONS, 2, 6))
    assert found
    assert left
    short, left = closing(course, course.closing, pool(HEXAGONS, 0, 1))
    assert short
    assert not left
    assert closing(course, course.closing, pool(HEXAGONS, 2, 0)[:1]) == ((), False)


def test_what_closes_lies_on_nothing() -> None:
    """Another tile blocks the straight way back."""
    course = laid(SQUARES, "SSSSRSSSRSR")
    assert course.closing is not None
    tiles, _ = closing(course, course.closing, pool(SQUARES, 20, 20))
    assert not closed(course, tiles).overlaps


def test_pieces_of_several_lanes() -> None:
    whole = course_of(pieces())
    tiles = {laid.tile.call: laid.tile for laid in whole.tiles}
    part = Course(whole.grid, whole.tiles[:-2])
    assert part.closing is not None
    found, _ = closing(part, part.closing, list(tiles.values()))
    assert [tile.call for tile, _ in found] == ["bend", "bend"]
    assert tile_of(pieces()["tiles"][0]["component"]["tile"]).call == "grid"
