import random
from collections import Counter
from dataclasses import replace

import pytest
from chariots import OPTIONS, Script, fits, start, trait
from gridpress_chariot_dash.contact import (
    Aside,
    Clash,
    Impact,
    Loss,
    Meeting,
    Side,
    aside,
    between,
    chances,
    fight,
    fragile,
    hazard,
    meeting,
    odds,
    sides,
    slide_again,
    solid,
    suffer_impact,
    suffer_loss,
)
from gridpress_chariot_dash.damage import Hit
from gridpress_chariot_dash.dice import Die, RandomDice
from gridpress_chariot_dash.movement import Pose, Target, ahead, neighbour
from gridpress_chariot_dash.state import Played
from hypothesis import given
from hypothesis import strategies as st

SIDES = st.builds(
    Side,
    st.integers(1, 4),
    st.integers(0, 2),
    st.integers(-3, 3),
    st.integers(-1, 1),
    st.integers(0, 6),
)


def test_cards_are_dice_and_the_attack_takes_its_own_type() -> None:
    a, d = start(speed=3), start(speed=5)
    pair = sides(Target.DRIVER, a, d, Played(whips=2), Played(whips=1, reins=1))
    assert pair == (Side(3, speed=3), Side(3, speed=5))
    assert sides(Target.VEHICLE, a, d, Played(reins=1)) == (Side(2, speed=3), Side(1, speed=5))
    for on, cards in ((Target.DRIVER, Played(reins=1)), (Target.VEHICLE, Played(1, 1))):
        with pytest.raises(ValueError, match="cards of its type"):
            sides(on, a, d, cards)


def test_the_loser_of_a_vehicle_attack_rolls_for_damage() -> None:
    pair = (Side(2, speed=3), Side(1, speed=6))
    won = fight(Target.VEHICLE, *pair, Script(values=[3, 2, 1]))
    assert won == Clash(4, Loss(), Loss(damage_dice=4 + 2))
    lost = fight(Target.VEHICLE, *pair, Script(values=[0, 1, 2]))
    assert lost == Clash(-1, Loss(damage_dice=1 + 3), Loss())


def test_the_loser_of_a_personal_attack_loses_control() -> None:
    won = fight(Target.DRIVER, Side(2), Side(2), Script(values=[3, 2, 1, 1]))
    assert won == Clash(3, Loss(), Loss(clp=3, control_roll=True))


def test_in_a_tie_both_lose_by_the_value() -> None:
    pair = (Side(2, speed=3), Side(1, speed=6))
    tie = fight(Target.VEHICLE, *pair, Script(values=[1, 1, 2]))
    assert tie == Clash(0, Loss(damage_dice=2 + 3), Loss(damage_dice=2 + 2))
    tie = fight(Target.DRIVER, *pair, Script(values=[1, 1, 2]))
    assert tie == Clash(0, *[Loss(clp=2, control_roll=True)] * 2)


def test_luck_decides_a_tie_by_1() -> None:
    won = fight(Target.DRIVER, Side(2, luck=1), Side(1), Script(values=[1, 1, 2]))
    assert won == Clash(1, Loss(), Loss(clp=1, control_roll=True))


def test_a_sum_never_falls_below_0() -> None:
    tie = fight(Target.DRIVER, Side(2, plus=-5), Side(1), Script(values=[1, 1, 0]))
    assert tie.by == 0


def test_a_loss_is_suffered() -> None:
    state, hit = suffer_loss(start(speed=4), Loss(clp=2, control_roll=True), Script())
    assert (state.clp, state.level, hit.damage, hit.control_roll) == (2, 0, 0, True)
    state, hit = suffer_loss(start(speed=4), Loss(damage_dice=2), Script(values=[3, 3]))
    assert (state.clp, state.level, hit.damage, hit.control_roll) == (2, 2, 2, True)
    state, hit = suffer_loss(start(speed=4), Loss(damage_dice=2), Script(values=[0, 0]))
    assert (state.clp, hit.control_roll) == (0, False)


def test_chances_by_hand() -> None:
    # one die each of 0 1 1 2 2 3: ties 1/36 + 4/36 + 4/36 + 1/36
    even = chances(Side(1), Side(1), Die())
    assert even.tie == pytest.approx(10 / 36)
    assert even.win == pytest.approx(even.lose) == pytest.approx(13 / 36)


@given(SIDES, SIDES)
def test_chances_add_up_to_1_and_mirror(a: Side, d: Side) -> None:
    there, back = chances(a, d, Die()), chances(d, a, Die())
    assert sum(there) == pytest.approx(1)
    assert there == pytest.approx((back.lose, back.tie, back.win))


@given(SIDES, SIDES)
def test_a_card_more_never_lowers_the_chance_to_win(a: Side, d: Side) -> None:
    better = a._replace(dice=a.dice + 1)
    assert chances(better, d, Die()).win >= chances(a, d, Die()).win - 1e-12
    assert chances(a._replace(plus=a.plus + 1), d, Die()).win >= chances(a, d, Die()).win - 1e-12


@pytest.mark.parametrize("on", list(Target))
def test_simulation_agrees(on: Target) -> None:
    pair = (Side(3, rerolls=1, speed=3), Side(2, plus=1, luck=1, speed=5))
    dice = RandomDice(random.Random(21))
    seen = Counter(fight(on, *pair, dice) for _ in range(4000))
    assert fits(seen, odds(on, *pair, Die()))


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
