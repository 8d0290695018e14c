import random
from collections import Counter
from dataclasses import replace
from itertools import product

import pytest
from chariots import OPTIONS, Script, fits, shipped, start, trait
from gridpress_chariot_dash import control
from gridpress_chariot_dash.cards import Moment, boost
from gridpress_chariot_dash.control import (
    HASTE_AS_SLOW,
    HELD,
    SLOW_AS_HASTE,
    Demand,
    Outcome,
    Reading,
    Swing,
    calmest,
    counted,
    demand,
    expected_loss,
    harm,
    hold,
    odds,
    read,
    wildest,
)
from gridpress_chariot_dash.dice import RandomDice
from gridpress_chariot_dash.state import Played, starting
from hypothesis import given
from hypothesis import strategies as st

ONE_CARD = Played(reins=1)


def test_a_turn_at_a_safe_speed_takes_no_roll() -> None:
    assert demand(start(speed=2), OPTIONS) is None
    assert hold(None) == 1.0


def test_dice_are_those_of_the_speed_the_clp_and_the_cards() -> None:
    state = start(speed=4).unsteadied(3)
    assert demand(state, OPTIONS, Played(whips=1, reins=1)) == Demand(7, 2, 0, Reading())


def test_a_forced_roll_at_a_safe_speed_has_the_clp_dice_only() -> None:
    state = start(speed=2).unsteadied(2).conditioned(control_dice=1)
    assert demand(state, OPTIONS, forced=True).dice == 2
    assert demand(state.rated(3).unsteadied(1), OPTIONS, forced=True).dice == 1 + 1 + 3


def test_free_discards_let_a_card_discard_two() -> None:
    asked = demand(start(speed=3), replace(OPTIONS, free_discards=True), ONE_CARD)
    assert (asked.dice, asked.discards) == (2, 2)


def test_options_decide_how_dice_are_read() -> None:
    options = replace(OPTIONS, stamina=False, soft_damage=True)
    assert demand(start(speed=3), options).reading == Reading(stamina=False, soft_damage=True)


def test_yah_and_brake_at_once_read_dice_as_they_fell() -> None:
    yah, brake = boost("yah", 0, Moment.CONTROL), boost("brake", 0, Moment.CONTROL)
    both = yah._replace(haste_as_slow=brake.haste_as_slow)
    assert demand(start(speed=3), OPTIONS, Played(boost=both)).reading == Reading()


def test_a_roll_discards_the_worst() -> None:
    asked = demand(start(speed=4), OPTIONS, ONE_CARD)
    assert asked is not None
    # a tie of haste and one damage does less harm than two damage
    mild = control.roll(asked, Script("haste damage damage"))
    assert mild == Outcome(haste=1, damage=1, clp=2)
    # but one of slide and one damage does as much, so the dice stay
    assert control.roll(asked, Script("slide damage damage")) == Outcome(damage=2, clp=1)
    assert control.roll(asked, Script("left-spin right-spin slide")) == Outcome(clp=1)


def test_choices_that_are_not_allowed_are_refused() -> None:
    asked = Demand(2, 1, 1, Reading())
    rolled = Script("slide slide slide")
    with pytest.raises(ValueError, match="at most 1 dice may be discarded"):
        control.roll(asked, rolled, discard=lambda c, m, r: (0,) * 6)
    with pytest.raises(ValueError, match="no choice"):
        control.roll(asked, Script("slide slide"), reroll=lambda c, m, r: (2, 0, 0, 0, 0, 0))
    with pytest.raises(ValueError, match="no choice"):
        control.roll(asked, Script("slide slide slide"), discard=lambda c, m, r: (0, 1, 0, 0, 0, 0))


def test_spins_and_slides_make_a_swing() -> None:
    assert control.swing(start(), Outcome(slides=2, left=1)) == Swing(2, 1)
    assert control.swing(start(), Outcome(right=2)) == Swing(0, -2)


def test_an_outcome_costs_clp_and_stamina_and_moves_the_marker() -> None:
    state = start(speed=4)
    after, hit = control.resolve(state, Outcome(haste=2, clp=1, stamina=3), Script(), OPTIONS)
    assert (after.clp, after.stamina) == (1, 7)
    assert after.marker == state.vehicle.table.accelerate(state.marker, 2)
    assert hit.damage == 0
    slower, _ = control.resolve(state, Outcome(slow=1, clp=1), Script(), OPTIONS)
    assert slower.marker == state.vehicle.table.decelerate(state.marker, 1)
    assert (slower.speed, slower.clp) == (3, 1)
    at_three = start(speed=3)
    safe, _ = control.resolve(at_three, Outcome(slow=1, clp=1), Script(), OPTIONS)
    assert (safe.speed, safe.clp) == (2, 0)


def test_damage_icons_roll_for_damage_without_another_roll() -> None:
    state = start(speed=5)
    after, hit = control.resolve(state, Outcome(damage=2, clp=1), Script(values=[3, 1]), OPTIONS)
    assert (after.level, after.clp) == (1, 2)
    assert (hit.damage, hit.control_roll) == (1, False)
    soft = replace(OPTIONS, soft_damage=True)
    assert control.resolve(state, Outcome(damage=2, clp=3), Script(), soft)[0].level == 0


def test_a_forced_roll_at_a_safe_speed_ends_the_clp() -> None:
    state = start(speed=1).unsteadied(2)
    assert control.resolve(state, HELD, Script(), OPTIONS)[0].clp == 0


def test_one_die_fails_always_and_a_card_saves_it() -> None:
    assert hold(Demand(1, 0, 0, Reading())) == 0
    assert hold(Demand(0, 0, 0, Reading())) == 1
    # two dice, one discarded: a pair of spins or of slow and haste cancels, all else leaves one
    assert hold(Demand(2, 1, 0, Reading())) == pytest.approx(4 / 36)


DEMANDS = st.builds(
    Demand, st.integers(0, 6), st.integers(0, 2), st.integers(0, 1), st.just(Reading())
)


@given(DEMANDS)
def test_odds_add_up_to_1(asked: Demand) -> None:
    found = odds(asked)
    assert sum(found.values()) == pytest.approx(1)
    loss = expected_loss(found)
    assert loss["clp"] <= asked.dice + 1e-9
    assert min(loss.values()) >= 0


@given(st.integers(1, 5), st.integers(0, 2))
def test_more_discards_hold_more_often(dice: int, discards: int) -> None:
    chances = [hold(Demand(dice, d, 0, Reading())) for d in (discards, discards + 1)]
    assert chances[1] >= chances[0]


@pytest.mark.parametrize(
    "asked",
    [
        Demand(3, 0, 0, Reading()),
        Demand(4, 1, 0, Reading(stamina=False)),
        Demand(4, 1, 2, Reading()),
        Demand(5, 2, 0, Reading(soft_damage=True, as_read=1)),
    ],
)
def test_simulation_agrees(asked: Demand) -> None:
    dice = RandomDice(random.Random(9))
    seen = Counter(control.roll(asked, dice) for _ in range(5000))
    assert fits(seen, odds(asked))


@given(st.sampled_from(shipped()), st.integers(0, 6), st.integers())
def test_clp_and_marker_stay_on_their_tracks(one, speed: int, seed: int) -> None:
    dice = RandomDice(random.Random(seed))
    state = starting(one, OPTIONS).rated(speed)
    for _ in range(6):
        asked = demand(state, OPTIONS, ONE_CARD, forced=True)
        assert asked is not None
        state, _ = control.resolve(state, control.roll(asked, dice), dice, OPTIONS)
        assert 0 <= state.clp <= 19
        assert 0 <= state.marker.acceleration < len(one.table.below)
        assert 0 <= state.marker.deceleration < len(one.table.above)


def test_a_trait_and_a_card_discard_together() -> None:
    asked = demand(start(trait("driver", 1), speed=3), OPTIONS, ONE_CARD)
    assert (asked.dice, asked.discards) == (3, 2)


COUNTS = st.lists(st.integers(0, 3), min_size=6, max_size=6).map(tuple)
READINGS = st.builds(Reading, st.booleans(), st.booleans(), st.integers(0, 2))
PLAIN = Reading()


def counts(slides=0, haste=0, slow=0, left=0, right=0, damage=0):
    return (slides, haste, slow, left, right, damage)


def test_no_dice_hold() -> None:
    assert read(counts(), PLAIN) == HELD
    assert not HELD.failed


def test_the_most_frequent_icon_takes_effect_once_a_die() -> None:
    assert read(counts(slides=2, damage=1), PLAIN) == Outcome(slides=2, clp=1)


def test_in_a_tie_all_do_and_each_costs_a_clp() -> None:
    outcome = read(counts(slides=1, haste=1, damage=1), PLAIN)
    assert outcome == Outcome(slides=1, haste=1, damage=1, clp=3)
    assert outcome.failed


def test_spins_take_each_other_away_for_a_clp() -> None:
    assert read(counts(left=1, right=1), PLAIN) == Outcome(clp=1)
    assert read(counts(left=3, right=1, slides=1), PLAIN) == Outcome(left=2, clp=2)


def test_slow_and_haste_take_each_other_away_for_stamina_or_a_clp() -> None:
    assert read(counts(haste=2, slow=2), PLAIN) == Outcome(stamina=2)
    assert read(counts(haste=2, slow=2), Reading(stamina=False)) == Outcome(clp=2)
    assert not read(counts(haste=1, slow=1), PLAIN).failed


def test_soft_damage_costs_a_clp_an_icon() -> None:
    assert read(counts(damage=2), Reading(soft_damage=True)) == Outcome(damage=2, clp=3)


def test_slow_counts_as_haste_or_haste_as_slow() -> None:
    both = counts(haste=1, slow=2)
    assert read(both, Reading(as_read=SLOW_AS_HASTE)) == Outcome(haste=3, clp=1)
    assert read(both, Reading(as_read=HASTE_AS_SLOW)) == Outcome(slow=3, clp=1)


def test_icons_are_counted() -> None:
    assert counted((0, 0, 3, 5)) == counts(slides=2, left=1, damage=1)


@given(COUNTS, READINGS)
def test_never_both_of_a_pair_and_never_less_than_0(rolled, reading: Reading) -> None:
    outcome = read(rolled, reading)
    assert min(outcome) >= 0
    assert not (outcome.left and outcome.right)
    assert not (outcome.haste and outcome.slow)
    assert len({count for count in outcome[:6] if count}) <= 1


@given(COUNTS, st.integers(0, 3), READINGS)
def test_the_best_discard_never_does_more_harm(rolled, most: int, reading: Reading) -> None:
    stay = calmest(rolled, most, reading)
    assert sum(rolled) - most <= sum(stay) <= sum(rolled)
    assert all(0 <= s <= r for s, r in zip(stay, rolled, strict=True))
    more = calmest(rolled, most + 1, reading)
    assert harm(read(more, reading)) <= harm(read(stay, reading)) <= harm(read(rolled, reading))


@given(COUNTS, st.integers(0, 3))
def test_the_best_reroll_takes_some_of_the_dice(rolled, most: int) -> None:
    again = wildest(rolled, most, PLAIN)
    assert sum(again) <= most
    assert all(0 <= a <= r for a, r in zip(again, rolled, strict=True))


def test_a_harmless_roll_is_left_alone() -> None:
    rolled = counts(haste=1, slow=1)
    assert wildest(counts(), 2, PLAIN) == counts()
    assert sum(wildest(rolled, 0, PLAIN)) == 0


@given(st.tuples(*[st.integers(0, 3)] * 6), st.integers(0, 4))
def test_no_other_discard_does_less_harm(counts: tuple[int, ...], most: int) -> None:
    best = calmest(counts, most, Reading())
    every = [
        (harm(read(stay, Reading())), sum(counts) - sum(stay))
        for stay in product(*[range(count + 1) for count in counts])
        if sum(counts) - sum(stay) <= most
    ]
    assert (harm(read(best, Reading())), sum(counts) - sum(best)) == min(every)
