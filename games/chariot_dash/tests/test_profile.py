"""Figures of the profile, each against one that was worked out by hand."""

from itertools import product

import pytest
from chariots import OPTIONS, trait, vehicle
from gridpress_chariot_dash import profile
from gridpress_chariot_dash.dice import Die
from gridpress_chariot_dash.profile import figures

DIE = Die()


def test_a_check_is_the_mean_over_all_rolls() -> None:
    means = profile.checks(vehicle(), DIE, OPTIONS)
    best_two = [sum(sorted(roll)[1:]) for roll in product(DIE.values, repeat=3)]
    assert means[True, 1] == pytest.approx(sum(best_two) / 216)
    assert means[False, 0] == pytest.approx(3)


def test_a_direction_that_cannot_be_chosen_has_no_mean() -> None:
    eager = vehicle(traits=[trait("champing-at-the-bit")])
    assert profile.checks(eager, DIE, OPTIONS)[False, 0] is None


def test_a_turn_with_one_die() -> None:
    # Each icon is one effect: 1 CLP, and for damage 1/2 more, the chance to be above resilience 1.
    state = profile.at_speed(vehicle(), 3, OPTIONS)
    loss = profile.loss(state, 30, 0, DIE, OPTIONS)
    assert loss.hold == 0
    assert loss.clp == pytest.approx(1 + 1 / 6 * 1 / 2)
    assert loss.slides == pytest.approx(1 / 6)
    assert loss.spin == pytest.approx(2 / 6 * 30)
    assert loss.damage == pytest.approx(1 / 12)


def test_two_dice_hold_when_they_make_a_pair() -> None:
    state = profile.at_speed(vehicle(), 4, OPTIONS)
    assert profile.loss(state, 30, 0, DIE, OPTIONS).hold == pytest.approx(4 / 36)


def test_a_turn_at_a_safe_speed_costs_nothing() -> None:
    state = profile.at_speed(vehicle(), 2, OPTIONS)
    assert profile.loss(state, 60, 2, DIE, OPTIONS) == profile.Loss()


def test_a_second_turn_rolls_for_what_the_first_cost() -> None:
    # Four boxes a speed, so that neither haste nor slow leaves it. After any first roll of 1 die
    # there are 2: they hold on a pair, so 60° cost what 30° cost and a roll of two dice on top.
    wide = vehicle(acceleration=[4] * 7, deceleration=[4] * 7)
    state = profile.at_speed(wide, 3, OPTIONS).moved(2)
    assert state.speed == 3
    one = profile.loss(state, 30, 0, DIE, OPTIONS)
    two = profile.loss(state.unsteadied(1), 30, 0, DIE, OPTIONS)
    both = profile.loss(state, 60, 0, DIE, OPTIONS)
    assert both.hold == 0
    assert both.clp == pytest.approx(one.clp + two.clp)
    assert two.hold == pytest.approx(4 / 36)


def test_how_clp_are_spread() -> None:
    assert profile.clp_spread(vehicle(), 2, 0, OPTIONS) == (1.0,)
    # Haste and slow take each other away for stamina: 0 CLP. Two spins do for 1 CLP, two of a kind
    # are one effect; any other two are two.
    none, one, two = profile.clp_spread(vehicle(), 4, 0, OPTIONS)
    assert none == pytest.approx(2 / 36)
    assert one == pytest.approx(6 / 36 + 2 / 36)
    assert two == pytest.approx(26 / 36)


def test_each_figure_has_a_place_of_its_own() -> None:
    made = list(figures(vehicle(), vehicle(), DIE, OPTIONS))
    assert len({(f.group, f.row, f.column) for f in made}) == len(made)


def test_an_attack_on_one_who_plays_nothing() -> None:
    own = vehicle(traits=[trait("blades", 1)])
    plain, bladed = (
        {(f.row, f.column): f.value for f in profile.attacks(one, vehicle(), DIE, OPTIONS)}
        for one in (vehicle(), own)
    )
    wins = sum(a + b > c for a, b, c in product(DIE.values, repeat=3)) / 216
    assert plain["its vehicle attack wins", "against no card"] == pytest.approx(wins)
    more = sum(a + b + 1 > c for a, b, c in product(DIE.values, repeat=3)) / 216
    assert bladed["its vehicle attack wins", "against no card"] == pytest.approx(more)
    assert bladed["a vehicle attack on it wins", "against no card"] == pytest.approx(wins)
