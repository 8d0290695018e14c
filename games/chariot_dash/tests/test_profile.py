"""Figures of the profile, each against one that was worked out by hand."""

from itertools import product
from math import inf
from typing import Any

import pytest
from chariots import OPTIONS, Script, shipped, start, trait, vehicle
from gridpress_chariot_dash import profile_speed, profile_wear
from gridpress_chariot_dash.cards import Moment, Play, Use
from gridpress_chariot_dash.dice import Die
from gridpress_chariot_dash.profile import STRENGTHS, figures, profile, strengths
from gridpress_chariot_dash.profile_speed import Braking, mean_cost
from gridpress_chariot_dash.profile_wear import Sustained
from gridpress_chariot_dash.race.race import end_of_round
from gridpress_chariot_dash.state import Options, play
from gridpress_chariot_dash.vehicle import Marker

DIE = Die()
ONES = Die((1, 1, 1, 1, 1, 1))
"""Every sum of two is 2."""
SINGLE = [1] * 7
"""A row with one box for each speed."""


def test_boxes_and_spaces_are_those_of_the_licence() -> None:
    assert profile_speed.boxes_to(vehicle()) == (0, 1, 2, 4, 6, 9, 12)
    assert profile_speed.spaces(vehicle()) == (0, 2, 4, 6, 8, 10, 12)


def test_a_check_is_the_mean_over_all_rolls() -> None:
    means = profile_speed.checks(vehicle(), DIE, OPTIONS)
    best_two = [sum(sorted(roll)[1:]) for roll in product(DIE.values, repeat=3)]
    assert means[True, 1] == pytest.approx(sum(best_two) / 216)
    assert means[False, 0] == pytest.approx(3)


def test_a_direction_that_cannot_be_chosen_has_no_mean() -> None:
    eager = vehicle(traits=[trait("champing-at-the-bit")])
    assert profile_speed.checks(eager, DIE, OPTIONS)[False, 0] is None


def test_braking_by_two_boxes_a_round() -> None:
    # From 6: to 4, 8 spaces; to 2, 4 spaces; to 0.
    table = {"acceleration": SINGLE, "deceleration": SINGLE}
    ways = profile_speed.braking(vehicle(**table), 0, ONES, OPTIONS, reins=0)
    assert ways[6] == Braking(3, 12)
    assert ways[5] == Braking(3, 6 + 2)
    assert ways[2] == Braking(1, 0)
    assert ways[0] == Braking(0, 0)
    to_two = profile_speed.braking(vehicle(**table), 2, ONES, OPTIONS, reins=1)
    assert to_two[6] == Braking(2, 8)


def test_braking_waits_for_the_dice() -> None:
    # A sum of 0, 1 or 2 with chances 1/4, 1/2, 1/4: from speed 1, 4/3 checks, 1/3 rounds of 2.
    coins = Die((0, 1, 0, 1, 0, 1))
    table = {"acceleration": SINGLE, "deceleration": SINGLE}
    [_, way, *_] = profile_speed.braking(vehicle(**table), 0, coins, OPTIONS, reins=0)
    assert way.rounds == pytest.approx(4 / 3)
    assert way.spaces == pytest.approx(2 / 3)


def test_who_cannot_slow_down_without_cards_has_no_braking_distance() -> None:
    eager = vehicle(traits=[trait("champing-at-the-bit")])
    ways = profile_speed.braking(eager, 2, DIE, OPTIONS, reins=0)
    assert ways[:3] == (Braking(0, 0),) * 3
    assert ways[3:] == (Braking(None, None),) * 4
    assert profile_speed.braking(eager, 2, DIE, OPTIONS, reins=1)[6].rounds is not None


def test_who_never_gets_there_has_none_either() -> None:
    zeros = Die((0, 0, 0, 0, 0, 0))
    [_, way, *_] = profile_speed.braking(vehicle(), 0, zeros, OPTIONS, reins=0)
    assert way == Braking(None, None)


def test_the_price_of_a_chain() -> None:
    start, end = Marker(1, 1), Marker(0, 0)
    steps = {start: {start: 0.5, end: 0.5}}
    price = mean_cost(start, steps.__getitem__, lambda at: at == end, lambda _: 3.0)
    assert price == pytest.approx(6)
    assert mean_cost(end, steps.__getitem__, lambda at: at == end, lambda _: 3.0) == 0


def test_speed_rises_by_the_kept_dice_and_stays_at_the_end() -> None:
    single = vehicle(acceleration=SINGLE, deceleration=SINGLE)
    assert profile_speed.speed_by_round(single, ONES, OPTIONS)[:4] == (2, 4, 6, 6)


def test_a_driver_flat_out_does_not_over_whip() -> None:
    for made in shipped():
        means = profile_speed.speed_by_round(made, DIE, OPTIONS)
        assert len(means) == profile_speed.ROUNDS
        assert means[-1] <= 6


def test_the_fastest_safe_speed() -> None:
    assert profile_speed.fastest_safe(vehicle()) == 2
    assert profile_speed.fastest_safe(vehicle(control=[1, 1, 2, 2, 3, 3, 4])) == 0


def test_a_turn_with_one_die() -> None:
    # Each icon is one effect: 1 CLP, and for damage 1/2 more, the chance to be above resilience 1.
    state = profile_wear.at_speed(vehicle(), 3, OPTIONS)
    loss = profile_wear.loss(state, 30, 0, DIE, OPTIONS)
    assert loss.hold == 0
    assert loss.clp == pytest.approx(1 + 1 / 6 * 1 / 2)
    assert loss.slides == pytest.approx(1 / 6)
    assert loss.spin == pytest.approx(2 / 6 * 30)
    assert loss.damage == pytest.approx(1 / 12)


def test_two_dice_hold_when_they_make_a_pair() -> None:
    state = profile_wear.at_speed(vehicle(), 4, OPTIONS)
    assert profile_wear.loss(state, 30, 0, DIE, OPTIONS).hold == pytest.approx(4 / 36)


def test_a_turn_at_a_safe_speed_costs_nothing() -> None:
    state = profile_wear.at_speed(vehicle(), 2, OPTIONS)
    assert profile_wear.loss(state, 60, 2, DIE, OPTIONS) == profile_wear.Loss()


def test_a_second_turn_rolls_for_what_the_first_cost() -> None:
    # Four boxes a speed, so that neither haste nor slow leaves it. After any first roll of 1 die
    # there are 2: they hold on a pair, so 60° cost what 30° cost and a roll of two dice on top.
    wide = vehicle(acceleration=[4] * 7, deceleration=[4] * 7)
    state = profile_wear.at_speed(wide, 3, OPTIONS).moved(2)
    assert state.speed == 3
    one = profile_wear.loss(state, 30, 0, DIE, OPTIONS)
    two = profile_wear.loss(state.unsteadied(1), 30, 0, DIE, OPTIONS)
    both = profile_wear.loss(state, 60, 0, DIE, OPTIONS)
    assert both.hold == 0
    assert both.clp == pytest.approx(one.clp + two.clp)
    assert two.hold == pytest.approx(4 / 36)


def test_how_clp_are_spread() -> None:
    assert profile_wear.clp_spread(vehicle(), 2, 0, OPTIONS) == (1.0,)
    # Haste and slow take each other away for stamina: 0 CLP. Two spins do for 1 CLP, two of a kind
    # are one effect; any other two are two.
    none, one, two = profile_wear.clp_spread(vehicle(), 4, 0, OPTIONS)
    assert none == pytest.approx(2 / 36)
    assert one == pytest.approx(6 / 36 + 2 / 36)
    assert two == pytest.approx(26 / 36)


def test_dice_until_wiped_out() -> None:
    def absorbed(**changes: Any) -> float:
        return profile_wear.dice_absorbed(vehicle(**changes), DIE, OPTIONS)

    assert absorbed() == pytest.approx(6 * 2)
    # Two levels at 6 dice each, then the resilience is 1 and three levels take 2 each.
    softer = [{"at": 2, "effect": "resilience", "number": 1}]
    assert absorbed(resilience="2", damage_levels=5, damage=softer) == pytest.approx(2 * 6 + 3 * 2)
    # Level 3 deals one more: five rolled points for six levels.
    more = [{"at": 3, "effect": "damage", "number": 1}]
    assert absorbed(damage=more) == pytest.approx(5 * 2)
    # Level 2 deals one more, and a die says what that one does: one face wipes out.
    listed = [{"effect": "haste"}, {"effect": "slow"}, {"effect": "wipe-out"}]
    chain = [{"at": 2, "effect": "damage", "number": 1}, {"at": 3, "effect": "random"}]
    end = absorbed(damage=chain, random_effects=listed)
    assert end == pytest.approx(2 * 2 + 5 / 6 * 3 * 2)


def test_what_no_die_can_hurt_absorbs_without_end() -> None:
    assert profile_wear.dice_absorbed(vehicle(resilience="2"), ONES, OPTIONS) == inf


def test_the_fastest_mix_that_stamina_allows() -> None:
    def sustained(options: Options = OPTIONS, **changes: Any) -> Sustained:
        return profile_wear.sustained(vehicle(**changes), options)

    assert sustained() == Sustained(6, {3: 1})
    assert sustained(Options(stamina=False)) == Sustained(12, {6: 1})
    totals = (0, 2, 4, 5, 7, 9, 11)
    moves = [[total, 0, 0, 0] for total in totals]
    mixed = sustained(moves=moves, stamina=[2, 1, 1, 0, -1, -2, -2])
    assert mixed.spaces == pytest.approx(2 / 3 * 4 + 1 / 3 * 11)
    assert mixed.mix == {2: pytest.approx(2 / 3), 6: pytest.approx(1 / 3)}
    assert sustained(stamina=[-1] * 7) == Sustained(0, {0: 1})


def test_half_of_the_hand_can_be_played_in_each_round() -> None:
    special = {"side": "whip", "special": "yah"}
    hand = profile_wear.economy(vehicle(whip=3, reins=2, dual=1, specials=[special]), OPTIONS)
    assert (hand.hand, hand.whips, hand.reins, hand.special) == (7, 5, 3, 1)
    assert (hand.each_round, hand.whips_each_round, hand.reins_each_round) == (3.5, 2.5, 1.5)


def test_stamina_keeps_half_a_card_more_in_play() -> None:
    kept = profile_wear.economy(vehicle(traits=[trait("stamina", 1)]), OPTIONS)
    assert (kept.each_round, kept.whips_each_round, kept.reins_each_round) == (3.5, 2, 2)
    state = start(trait("stamina", 1))
    played = 0
    for number in range(40):
        cards = state.piles.hand[: 3 + number % 2]
        state, _ = play(state, [Play(c, Use(int(c > 2))) for c in cards], Moment.SPEED)
        played += len(cards)
        state = end_of_round(state, OPTIONS, Script())
    assert played == 40 * kept.each_round


def test_a_card_whose_special_is_used_up_counts_by_its_front() -> None:
    # Played as a plain Whip it comes back like any other.
    once = {"side": "whip", "special": "lash", "number": 2, "once": True}
    hand = profile_wear.economy(vehicle(specials=[once]), OPTIONS)
    assert (hand.each_round, hand.whips_each_round) == (3.5, 2)


def test_the_baseline_is_as_strong_as_itself() -> None:
    base = profile(vehicle(), DIE, OPTIONS)
    assert strengths(base, base) == dict.fromkeys(STRENGTHS, pytest.approx(1))


def test_more_is_better_in_every_strength() -> None:
    better = vehicle(
        acceleration=SINGLE,
        deceleration=SINGLE,
        control=["safe"] * 7,
        stamina=[2] * 7,
        resilience="2",
        moves=[[0] * 4, [1] * 4, [2] * 4, [2] * 4, [2] * 4, [3] * 4, [4] * 4],
        whip=4,
    )
    own, base = profile(better, DIE, OPTIONS), profile(vehicle(), DIE, OPTIONS)
    assert all((ratio or 0) > 1 for ratio in strengths(own, base).values())


def test_each_figure_has_a_place_of_its_own() -> None:
    made = list(figures(profile(vehicle(), DIE, OPTIONS)))
    assert len({(f.group, f.row, f.column) for f in made}) == len(made)
