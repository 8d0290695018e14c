import random
from collections import Counter

import pytest
from chariots import OPTIONS, Script, fits, shipped, start, trait
from gridpress_chariot_dash import damage
from gridpress_chariot_dash.contact import Loss, hazard, suffer_impact, suffer_loss
from gridpress_chariot_dash.damage import Hit, Source
from gridpress_chariot_dash.dice import Die, RandomDice, expected
from gridpress_chariot_dash.state import starting
from hypothesis import given
from hypothesis import strategies as st


@pytest.mark.parametrize(("resilience", "hits"), [("blank", 4), ("0", 3), ("1", 2), ("2", 1)])
def test_each_die_above_the_resilience_is_a_damage(resilience: str, hits: int) -> None:
    state = start(resilience=resilience, speed=3)
    after, hit = damage.roll(state, 4, Source.ATTACK, Script(values=[0, 1, 2, 3]))
    assert (after.level, after.clp) == (hits, hits)
    assert hit == Hit(hits, control_roll=True)


def test_only_attacks_and_collisions_ask_for_a_control_roll() -> None:
    asks = [damage.roll(start(), 1, s, Script(values=[3]))[1].control_roll for s in Source]
    assert asks == [False, True, True, False]
    assert damage.roll(start(), 1, Source.ATTACK, Script(values=[0]))[1] == Hit()


def test_a_wreck_makes_no_control_roll() -> None:
    state = damage.take(start(speed=3), 5, Script())
    after, hit = damage.roll(state, 1, Source.ATTACK, Script(values=[3]))
    assert (after.condition.wiped_out, hit) == (True, Hit(1, control_roll=False))
    assert not suffer_loss(after, Loss(1, 1, True), Script())[1].control_roll
    assert not suffer_impact(after, hazard(3), Script(), OPTIONS)[1].control_roll


def test_every_level_on_the_way_takes_effect() -> None:
    levels = [{"at": at, "effect": "control-die"} for at in (1, 2, 3)]
    state = start(damage=[*levels, {"at": 6, "effect": "wipe-out"}])
    assert damage.take(state, 2, Script()).condition.control_dice == 2


def test_the_last_level_is_the_end_even_if_the_track_does_not_say_so() -> None:
    assert damage.take(start(damage=[], damage_levels=2), 5, Script()).condition.wiped_out


def test_a_wreck_rolls_no_more() -> None:
    state = damage.take(start(speed=3), 9, Script())
    assert state.level == 6
    assert damage.dice_of(state, 3, Source.COLLISION) == 0


def test_a_wreck_rolls_out_and_leaves_debris() -> None:
    state = damage.take(start(speed=2), 6, Script())
    done = []
    for _ in range(4):
        wreck = damage.wreck_round(state)
        state = wreck.state
        done.append((state.speed, wreck.hexes, wreck.debris))
    assert done == [(1, 1, 1), (0, 1, 1), (0, 0, 0), (0, 0, 0)]
    with pytest.raises(ValueError, match="not wiped out"):
        damage.wreck_round(start())


def test_odds_by_hand() -> None:
    # of 0 1 1 2 2 3 three are above resilience 1
    odds = damage.odds(start(), 2, Source.ATTACK, Die())
    assert odds == pytest.approx({0: 0.25, 1: 0.5, 2: 0.25})


@given(st.integers(0, 8), st.sampled_from(["blank", "0", "1", "2"]))
def test_odds_add_up_to_1_and_more_dice_do_more(count: int, resilience: str) -> None:
    state = start(trait("jerry-rigged", 1), resilience=resilience)
    odds = damage.odds(state, count, Source.ATTACK, Die())
    assert sum(odds.values()) == pytest.approx(1)
    more = damage.odds(state, count + 1, Source.ATTACK, Die())
    assert expected(more, float) > expected(odds, float)


def test_simulation_agrees() -> None:
    state, dice = start(trait("failsafes", 1), resilience="0"), RandomDice(random.Random(2))
    seen = Counter(damage.roll(state, 4, Source.CONTROL, dice)[1].damage for _ in range(4000))
    assert fits(seen, damage.odds(state, 4, Source.CONTROL, Die()))


@given(st.sampled_from(shipped()), st.integers(0, 9), st.integers())
def test_a_vehicle_is_wiped_out_exactly_at_its_last_level(one, hits: int, seed: int) -> None:
    state = damage.take(starting(one, OPTIONS), hits, RandomDice(random.Random(seed)))
    assert min(hits, one.damage_levels) <= state.level <= one.damage_levels
    assert state.condition.wiped_out == (state.level == one.damage_levels)
    assert 0 <= state.clp <= 19
