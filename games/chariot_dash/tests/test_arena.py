import pickle

import pytest
from arenas import empty_oval, oval, oval_course
from gridpress_chariot_dash.movement import Pose, ahead, turned
from gridpress_chariot_dash.race.arena import (
    FRAGILE,
    HAZARD,
    SOLID,
    Arena,
    Item,
    Way,
    arena_on,
    detours,
    ways_from,
)

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
        assert arena.astray(pose) == 0
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
        lanes[0][1]: Item(HAZARD, (-1,)),
        lanes[1][2]: Item(FRAGILE, (0,)),
        lanes[2][1]: Item(SOLID, (1,)),
    }


def test_nobody_races_on_an_open_course_or_without_a_grid() -> None:
    with pytest.raises(ValueError, match="does not lead into the first"):
        arena_on(oval_course("bend"), {})
    with pytest.raises(ValueError, match="starting places"):
        arena_on(oval_course("grid", "plain"), {})


def test_distances_go_the_shorter_way_round() -> None:
    arena = empty_oval()
    first, last = (
        min(arena.along, key=arena.along.__getitem__),
        max(arena.along, key=arena.along.__getitem__),
    )
    assert -1.5 <= arena.apart(first, last) < 0 < arena.apart(last, first) <= 1.5


def test_a_pickled_arena_leaves_its_caches_behind() -> None:
    arena = oval()
    arena.ways(arena.node(arena.starts[0]), 2)
    copy: Arena = pickle.loads(pickle.dumps(arena))
    assert arena.known
    assert (copy.known, copy.poses, copy.along) == ({}, [], arena.along)


@pytest.mark.parametrize("hexes", [1, 2, 3, 4])
def test_ways_follow_the_rules_of_movement(hexes: int) -> None:
    arena = empty_oval()
    for start in arena.starts:
        for way in ways_from(arena, start, hexes):
            assert sum(step.drift for step in way.steps) <= 1
            assert len(way.steps) == hexes or not way.open
            poses = [start, *[step.pose for step in way.steps]]
            for before, step in zip(poses, way.steps, strict=False):
                assert step.drift or step.pose in ahead(before)
            if way.open:
                assert all(at in arena.along for at in way.hexes)
                end = way.steps[-1].pose
                assert all(arena.poses[node] == turned(end, turn) for turn, node in way.turns)


def test_an_open_track_offers_one_way_to_each_place() -> None:
    arena = empty_oval()
    ways = ways_from(arena, arena.starts[1], 2)
    ends = [way.steps[-1].pose for way in ways]
    assert len(set(ends)) == len(ends) == 3
    assert [way.drift for way in ways].count(-1) == 1
    assert [way.drift for way in ways_from(arena, arena.starts[1], 2, drift=False)] == [-1]


def test_a_way_off_the_track_is_shut_and_leads_on_aside() -> None:
    arena = empty_oval()
    across = Pose(arena.starts[0].hex, (arena.starts[0].facing + 4) % 12)
    walls = ways_from(arena, across, 6)
    assert walls
    assert not any(way.open for way in walls)
    for way in walls:
        after = arena.poses[way.turns[0][1]]
        assert after.hex in arena.along
        assert any(place.hex in arena.along for place in ahead(after))


def test_a_drift_elsewhere_or_a_jump_gets_around_debris() -> None:
    arena = oval(grid={"spots": [{"lane": 2, "step": 2, "figure": "wheel"}]})
    lanes = oval_course().tiles[0].piece.lanes
    behind = Pose((lanes[1][0][0], lanes[1][0][1]), arena.starts[0].facing)
    straight = next(way for way in ways_from(arena, behind, 2) if way.drift < 0)
    assert (straight.low, straight.unjumped) == (1, 0)
    drifting: list[Way] = [way for way in ways_from(arena, behind, 2) if way.drift >= 0]
    assert [way.low for way in drifting] == [0, 0]
    (other,) = detours(arena, behind, drifting[0])
    assert (other.steps[-1].pose, other.low) == (drifting[0].steps[-1].pose, 1)
