import random
from collections import Counter

import pytest
from chariots import Script, fits, start
from gridpress_chariot_dash.contact import (
    Clash,
    Loss,
    Side,
    chances,
    fight,
    odds,
    sides,
    suffer_loss,
)
from gridpress_chariot_dash.dice import Die, RandomDice
from gridpress_chariot_dash.movement import Target
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
