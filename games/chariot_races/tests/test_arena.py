import pytest
from arenas import empty_oval, oval, oval_course
from gridpress_chariot_races.race.setup import FRAGILE, HAZARD, SOLID, SpaceItem, arena_on

SPOTS = [
    {"lane": 1, "step": 2, "figure": "oil", "rating": -1},
    {"lane": 2, "step": 3, "figure": "crates"},
    {"lane": 3, "step": 2, "figure": "rock", "rating": 1},
]


def test_a_lap_is_the_middle_of_the_track_and_spaces_lie_on_it() -> None:
    arena = empty_oval()
    cells = oval_course().tiles
    assert len(arena.along) == sum(len(laid.cells) for laid in cells)
    assert all(0 <= along < arena.lap for along in arena.along.values())
    assert set(arena.inside.values()) == {0, 1, 2}
    assert arena.lap == pytest.approx(len(arena.along) / 3, abs=0.5)


def test_inside_lanes_are_shorter() -> None:
    inside = empty_oval().inside.values()
    lanes = [list(inside).count(lane) for lane in range(3)]
    assert lanes == sorted(set(lanes))


def test_vehicles_start_behind_the_line_along_their_lanes() -> None:
    arena = empty_oval()
    assert len(arena.starts) == 6
    for pose in arena.starts:
        assert pose.facing == arena.headings[pose.hex]
        assert arena.wrapped(arena.along[pose.hex] - arena.line) < 0


def test_a_piece_says_its_grid_and_its_line() -> None:
    said = {"grid": [{"lane": 2, "step": 3}, {"lane": 1, "step": 1}], "line": 1}
    arena = oval(grid=said)
    lanes = oval_course().tiles[0].piece.lanes
    assert [pose.hex for pose in arena.starts] == [lanes[1][2], lanes[0][0]]
    assert arena.line == 1


def test_what_stands_on_a_piece_lies_in_its_space() -> None:
    lanes = oval_course().tiles[0].piece.lanes
    assert oval(grid={"spots": SPOTS}).items == {
        lanes[0][1]: SpaceItem(HAZARD, (-1,)),
        lanes[1][2]: SpaceItem(FRAGILE, (0,)),
        lanes[2][1]: SpaceItem(SOLID, (1,)),
    }


def test_nobody_races_on_an_open_course_or_without_a_grid() -> None:
    with pytest.raises(ValueError, match="does not lead into the first"):
        arena_on(oval_course("bend"), {})
    with pytest.raises(ValueError, match="starting places"):
        arena_on(oval_course("grid", "plain"), {})
