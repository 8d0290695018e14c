from dataclasses import replace

import pytest
from chariots import OPTIONS, Script, start, trait
from gridpress_chariot_dash import damage, movement
from gridpress_chariot_dash.movement import (
    DIRECTIONS,
    FRONT,
    Pose,
    Target,
    ahead,
    beside,
    drifts,
    may_attack,
)
from hypothesis import given
from hypothesis import strategies as st

from generator.tracks.grids import HEXAGONS

POSES = st.builds(
    Pose, st.tuples(st.integers(-9, 9), st.integers(-9, 9)), st.integers(0, 11), st.just(0)
)
HOME = (0, 0)


def distance(a: tuple[int, int], b: tuple[int, int]) -> int:
    dq, dr = a[0] - b[0], a[1] - b[1]
    return max(abs(dq), abs(dr), abs(dq + dr))


def test_directions_are_those_of_the_tracks() -> None:
    assert HEXAGONS.directions == DIRECTIONS


def test_a_side_looks_into_one_hex_and_a_corner_between_two() -> None:
    for facing in range(12):
        degrees = [60 * direction for direction in FRONT[facing]]
        off = [(d - 30 * facing + 180) % 360 - 180 for d in degrees]
        assert off == ([0] if facing % 2 == 0 else [-30, 30])


@given(POSES)
def test_steps_lead_to_neighbours_and_keep_the_facing(pose: Pose) -> None:
    for place in (*ahead(pose), *drifts(pose)):
        assert distance(place.hex, pose.hex) == 1
        assert place.facing == pose.facing


def test_a_corner_is_entered_by_the_two_hexes_in_turn() -> None:
    right, left = ahead(Pose(HOME, 1))
    assert (right.hex, left.hex) == ((1, 0), (0, 1))
    (second,) = ahead(right)
    assert second.hex == (1, 1)
    (third,) = ahead(second)
    assert third.hex == (2, 1)
    assert ahead(left)[0].hex == (1, 1)


def test_a_turn_opens_the_choice_again() -> None:
    right = ahead(Pose(HOME, 1))[0]
    assert movement.turned(right, 2) == Pose((1, 0), 3)
    assert movement.turned(right, 0) == right
    assert movement.turned(Pose(HOME, 0), -1).facing == 11


def test_drifts_go_front_right_and_front_left() -> None:
    assert [place.hex for place in drifts(Pose(HOME, 0))] == [(1, -1), (0, 1)]
    assert drifts(Pose(HOME, 1)) == ()


def test_one_drift_a_phase_unless_it_is_wild() -> None:
    state, pose = start(speed=3), Pose(HOME, 0)
    assert sum(step.drift for step in movement.steps(state, pose, 1, OPTIONS)) == 2
    assert not any(step.drift for step in movement.steps(state, pose, 1, OPTIONS, drifted=1))
    wild = replace(OPTIONS, wild_drift=True)
    again = [s for s in movement.steps(state, pose, 1, wild, drifted=1) if s.drift]
    assert [step.clp for step in again] == [1, 1]
    first = [s for s in movement.steps(state, pose, 1, wild) if s.drift]
    assert [step.clp for step in first] == [0, 0]


def test_jumps_cost_what_they_cover() -> None:
    state, pose = start(speed=3), Pose(HOME, 0)
    (jump,) = movement.jumps(state, pose, 2, OPTIONS)
    assert (jump.pose.hex, jump.over, jump.cost) == ((2, 0), ((1, 0),), 2)
    assert movement.jumps(state, pose, 1, OPTIONS) == ()
    assert movement.jumps(state, pose, 4, replace(OPTIONS, jumps=False)) == ()
    steps = movement.steps(state, pose, 4, OPTIONS, jumped=True)
    assert not any(step.over for step in steps)
    assert movement.steps(state, pose, 0, OPTIONS) == ()


def test_jumps_from_a_corner_alternate_too() -> None:
    jumps = movement.jumps(start(trait("leap"), speed=3), Pose(HOME, 1), 3, OPTIONS)
    assert {(jump.over, jump.pose.hex) for jump in jumps} == {
        (((1, 0),), (1, 1)),
        (((0, 1),), (1, 1)),
        (((1, 0), (1, 1)), (2, 1)),
        (((0, 1), (1, 1)), (1, 2)),
    }


def test_hexes_of_a_phase() -> None:
    state = start(speed=3)
    assert [movement.hexes(state, phase) for phase in range(4)] == [2, 2, 0, 2]
    assert movement.hexes(state, 2, whip=True) == 1
    assert movement.hexes(state, 0, reins=True) == 1
    assert movement.hexes(state, 2, reins=True) == 0
    assert movement.hexes(start(), 0, whip=True) == 0
    with pytest.raises(ValueError, match="one card a phase"):
        movement.hexes(state, 0, whip=True, reins=True)


def test_a_wholly_straight_phase_removes_1_clp() -> None:
    state = start(speed=3).unsteadied(2)
    assert movement.phase_ended(state, moved=2, drifted=0, turn=0).clp == 1
    assert movement.phase_ended(start(speed=3), moved=2, drifted=0, turn=0).clp == 0
    for moved, drifted, turn in ((0, 0, 0), (2, 1, 0), (2, 0, -1)):
        assert movement.phase_ended(state, moved, drifted, turn).clp == 2


def test_a_slide_goes_on_before_the_turn_and_a_spin_comes_after_it() -> None:
    path = movement.swung(Pose(HOME, 0), 1, slides=2, spin=1)
    assert path == (Pose((1, 0), 0), Pose((2, 0), 0), Pose((2, 0), 2))
    assert movement.swung(Pose(HOME, 0), 1, 0, -1) == (Pose(HOME, 0),)
    assert movement.swung(Pose(HOME, 1), 1, 1, 0)[-1] == Pose((1, 0), 2)


def test_order_is_speed_then_progress_then_the_inside() -> None:
    racers = [(2, 9.0, 0.0), (3, 1.0, 2.0), (3, 5.0, 2.0), (3, 5.0, 1.0)]
    assert movement.order(racers) == (3, 2, 1, 0)


@given(POSES)
def test_beside_are_neighbours_neither_ahead_nor_behind(pose: Pose) -> None:
    places = beside(pose)
    assert len(places) == (2 if pose.facing % 2 else 4)
    behind = [place.hex for place in ahead(Pose(pose.hex, (pose.facing + 6) % 12))]
    front = [place.hex for place in ahead(pose)]
    assert not {*behind, *front} & set(places)
    assert all(distance(place, pose.hex) == 1 for place in places)


HERE = Pose((0, 0), 0)


def allowed(target=(0, 1), options=OPTIONS, race_round: int = 2, **more) -> bool:
    state = start(speed=3)
    return may_attack(state, HERE, target, Target.DRIVER, options, race_round, **more)


def test_a_vehicle_beside_may_be_attacked() -> None:
    neighbours = [(1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1)]
    assert [allowed(hex_) for hex_ in neighbours] == [False, True, True, False, True, True]
    assert not allowed((0, 2))


def test_only_in_a_phase_in_which_one_moves() -> None:
    assert not allowed(hexes_moved=0)
    assert not allowed(own_move=False)


def test_truce_and_friendly_races_forbid_it() -> None:
    assert not allowed(race_round=1)
    assert allowed(race_round=1, options=replace(OPTIONS, truce=False))
    assert not allowed(options=replace(OPTIONS, friendly=True))


def test_a_wreck_attacks_nobody() -> None:
    wreck = damage.take(start(speed=3), 6, Script())
    assert not may_attack(wreck, HERE, (0, 1), Target.DRIVER, OPTIONS, 2)
