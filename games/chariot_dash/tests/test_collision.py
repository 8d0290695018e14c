from dataclasses import replace

import pytest
from chariots import OPTIONS, Script, start, trait
from gridpress_chariot_dash.contact import (
    Aside,
    Impact,
    Meeting,
    aside,
    between,
    fragile,
    hazard,
    meeting,
    slide_again,
    solid,
    suffer_impact,
)
from gridpress_chariot_dash.damage import Hit
from gridpress_chariot_dash.movement import Pose, ahead, neighbour
from hypothesis import given
from hypothesis import strategies as st

SPEEDS = st.integers(0, 6)


def test_how_vehicles_meet() -> None:
    # moving east into vehicles of all twelve facings, east first, turning left
    h, s, r = Meeting.HEAD_ON, Meeting.SIDE, Meeting.REAR_END
    met = [meeting(0, facing) for facing in range(12)]
    assert met == [r, r, s, s, s, h, h, h, s, s, s, r]


def test_head_on() -> None:
    assert between(Meeting.HEAD_ON, 5, 2) == (Impact(7, 2), Impact(7, 1))


def test_into_a_side() -> None:
    assert between(Meeting.SIDE, 5, 4) == (Impact(5, 2), Impact(5, 4))


def test_rear_end() -> None:
    assert between(Meeting.REAR_END, 6, 3) == (Impact(3, 4), Impact(3, 5))
    assert between(Meeting.REAR_END, 4, 3) == (Impact(1, 3), Impact(1, 4))
    for hit in (3, 5):
        assert between(Meeting.REAR_END, 3, hit) == (Impact(1, 2), Impact(1, hit))


@given(st.sampled_from(Meeting), SPEEDS, SPEEDS)
def test_speeds_stay_on_the_table_and_the_collider_gains_none(how, a: int, b: int) -> None:
    one, other = between(how, a, b)
    assert 0 <= one.speed <= a
    assert 0 <= other.speed <= 6
    assert min(one.dice, other.dice) >= 0


def test_obstacles() -> None:
    assert solid(5) == Impact(5, 2)
    assert solid(5, rating=1) == Impact(6, 2)
    assert fragile(5) == Impact(3, 5)
    assert fragile(5, (0, 0, 1)) == Impact(3 + 2 + 1, 5)
    assert hazard(5) == Impact(0, 5, 3, control_roll=True)
    assert hazard(2, rating=-1) == Impact(0, 2, 0, control_roll=True)
    assert hazard(2, rating=-3).clp == 0


def test_speed_falls_first_and_clp_stay_for_the_forced_roll() -> None:
    state = start(speed=3).unsteadied(4)
    after, hit = suffer_impact(state, solid(3), Script(values=[3, 2, 0]), OPTIONS)
    assert (after.speed, after.level, after.clp) == (1, 2, 2)
    assert after.marker == after.vehicle.table.last[1]
    assert hit == Hit(2, control_roll=True)


def test_the_one_hit_from_behind_gains_speed_in_the_left_boxes() -> None:
    state = start(speed=3)
    after, _ = suffer_impact(state, Impact(1, 5), Script(values=[0]), OPTIONS)
    assert after.marker == after.vehicle.table.first[5]


def test_a_hazard_asks_for_control_without_damage() -> None:
    after, hit = suffer_impact(start(speed=4), hazard(4), Script(), OPTIONS)
    assert (after.clp, after.speed, hit) == (2, 4, Hit(0, control_roll=True))


def test_a_slide_that_goes_on_rolls_once_more_without_control() -> None:
    state = start(speed=3)
    impact = slide_again(2, state)
    after, hit = suffer_impact(state, impact, Script(values=[3, 0]), OPTIONS, again=True)
    assert (after.level, after.speed, hit) == (1, 3, Hit(1, control_roll=False))


def test_soft_collisions_halve_the_dice() -> None:
    soft = replace(OPTIONS, soft_collisions=True)
    dice = Script(values=[0, 0, 0])
    suffer_impact(start(speed=5), solid(5), dice, soft)
    assert dice.used_up


def test_a_vehicle_is_faced_aside_if_that_lets_it_pass() -> None:
    pose = Pose((0, 0), 0)
    wall = {(1, 0)}
    assert aside(pose, wall.__contains__) == Aside((1, 11), stops=False)
    assert aside(pose, {(1, 0), (0, 1)}.__contains__) == Aside((11,), stops=False)


def test_otherwise_it_stops_and_faces_any_way_that_does() -> None:
    pose = Pose((0, 0), 0)
    wall = {(1, 0), (0, 1), (1, -1)}
    faced = aside(pose, wall.__contains__)
    assert faced == Aside((3, 4, 5, 6, 7, 8, 9), stops=True)
    boxed = aside(pose, lambda _: True)
    assert boxed == Aside(tuple(range(12)), stops=True)


@given(st.integers(0, 11), st.sets(st.integers(0, 5), max_size=5))
def test_every_facing_offered_leads_somewhere(facing: int, closed: set[int]) -> None:
    pose = Pose((0, 0), facing)
    walls = {neighbour((0, 0), direction) for direction in closed}
    faced = aside(pose, walls.__contains__)
    assert faced.facings
    for offered in faced.facings:
        assert any(place.hex not in walls for place in ahead(Pose((0, 0), offered)))


def test_an_impact_of_no_dice_rolls_none() -> None:
    spiked = start(trait("spiked", 2))
    after, hit = suffer_impact(start(), Impact(0, 0), Script(), OPTIONS, spiked)
    assert (after.level, hit) == (0, Hit())
    with pytest.raises(AssertionError, match="3 dice rolled"):
        suffer_impact(start(), Impact(1, 0), Script(), OPTIONS, spiked)
