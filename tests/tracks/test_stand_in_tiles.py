from tracks.layouts import SPAN, pool_tile

from generator.tracks.courses import WrittenStep, lay, tiles_of_steps
from generator.tracks.pieces import HEXAGONS, LEFT, OCTAGONS, SQUARES, TileMeasures
from generator.tracks.records import is_stand_in, with_stand_in_tiles


def with_them(words: str, pool):
    steps = [WrittenStep(word) for word in words.split()]
    grid = pool[0].measures.grid
    layings, faults = tiles_of_steps(steps, [one.tile for one in pool], grid)
    laid, there = with_stand_in_tiles(steps, layings, pool, SPAN)
    return lay(grid, laid), {one.tile.call: one for one in there}, faults


def test_what_is_unknown_turns_as_it_is_written() -> None:
    for grid in (HEXAGONS, SQUARES, OCTAGONS):
        curve = pool_tile("c", TileMeasures(grid, 40, turn=LEFT, either_way=True))
        course, pool, faults = with_them("cL xL y cX", [curve])
        assert [f.number for f in faults] == [2, 3, 4]
        assert [tile.tile.call for tile in course.tiles] == ["c", "xL?", "y?", "cX?"]
        assert [tile.letter for tile in course.tiles] == ["L", "L", "S", "S"]
        assert pool["xL?"].kind == ""


def test_a_stand_in_is_as_wide_as_the_track_there() -> None:
    wide = TileMeasures(HEXAGONS, 25, length=4, enters=3, leaves=3, kerb=5)
    narrows = TileMeasures(HEXAGONS, 25, length=4, enters=3, leaves=2, kerb=5)
    pool = [pool_tile("w", wide), pool_tile("n", narrows)]
    course, _, _ = with_them("x w x n x", pool)
    assert [tile.piece.leaves for tile in course.tiles] == [3, 3, 3, 2, 2]
    assert all(joint.meets for joint in course.joints)
    assert [tile.tile.call for tile in course.tiles] == ["x?", "w", "x?", "n", "x??"]


def test_only_stand_ins_are_of_no_kind() -> None:
    assert is_stand_in({"kind": ""})
    assert not is_stand_in({"kind": "tile"})
