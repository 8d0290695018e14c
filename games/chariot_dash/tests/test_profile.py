"""Figures of the profile, calculated by hand."""

from itertools import product

import pytest
from chariots import trait, vehicle
from gridpress_chariot_dash import vehicle_odds
from gridpress_chariot_dash.declared import Marker
from gridpress_chariot_dash.dice import ControlReading, Die
from gridpress_chariot_dash.vehicle_odds import CarState, Loss, Turns, figures

from generator.build import Order, Session
from generator.guests import judgements
from generator.project import Project, Target, shipped_root

DIE, PLAIN = Die(), ControlReading()


def loss_of(stand: CarState, degrees: int, cards: int = 0, reading: ControlReading = PLAIN) -> Loss:
    found = Turns(DIE, reading).loss(stand, degrees, cards)
    assert found is not None
    return found


def test_a_check_is_the_mean_over_all_rolls() -> None:
    means = vehicle_odds.checks(vehicle(), DIE)
    best_two = [sum(sorted(roll)[1:]) for roll in product(DIE.values, repeat=3)]
    assert means[True, 1] == pytest.approx(sum(best_two) / 216)
    assert means[False, 0] == pytest.approx(3)


def test_a_direction_that_cannot_be_chosen_has_no_mean() -> None:
    eager = vehicle(traits=[trait("champing-at-the-bit")])
    assert vehicle_odds.checks(eager, DIE)[False, 0] is None


def test_a_turn_with_one_die() -> None:
    # Each icon costs 1 CLP, damage another 1/2: the chance to exceed resilience 1.
    stand = CarState.at(vehicle(), 3)
    loss = loss_of(stand, 30)
    assert loss.hold == 0
    assert loss.clp == pytest.approx(1 + 1 / 6 * 1 / 2)
    assert loss.slides == pytest.approx(1 / 6)
    assert loss.spin == pytest.approx(2 / 6 * 30)
    assert loss.damage == pytest.approx(1 / 12)


def test_two_dice_hold_when_they_make_a_pair() -> None:
    stand = CarState.at(vehicle(), 4)
    assert loss_of(stand, 30).hold == pytest.approx(4 / 36)


def test_a_turn_at_a_safe_speed_costs_nothing() -> None:
    stand = CarState.at(vehicle(), 2)
    assert loss_of(stand, 60, 2) == vehicle_odds.Loss()


def test_a_second_turn_rolls_for_what_the_first_cost() -> None:
    # With four boxes a speed, haste and slow stay in it. After any first roll of 1 die there are
    # 2 dice, which hold on a pair: 60° cost 30° plus a roll of two dice.
    wide = vehicle(acceleration=[4] * 7, deceleration=[4] * 7)
    stand = CarState(wide, Marker(14, 14), 0)
    assert wide.table.speed(stand.marker) == 3
    one = loss_of(stand, 30)
    two = loss_of(stand._replace(clp=1), 30)
    both = loss_of(stand, 60)
    assert both.hold == 0
    assert both.clp == pytest.approx(one.clp + two.clp)
    assert two.hold == pytest.approx(4 / 36)


def test_how_clp_are_spread() -> None:
    assert vehicle_odds.clp_spread(vehicle(), 2, 0, PLAIN) == (1.0,)
    # Haste and slow cancel for stamina: 0 CLP. Two spins cancel for 1 CLP; two of a kind are
    # one effect; any other two are two.
    none, one, two = vehicle_odds.clp_spread(vehicle(), 4, 0, PLAIN)
    assert none == pytest.approx(2 / 36)
    assert one == pytest.approx(6 / 36 + 2 / 36)
    assert two == pytest.approx(26 / 36)


def test_each_figure_has_a_place_of_its_own() -> None:
    made = list(figures(vehicle(), vehicle(), DIE, ()))
    assert len({(f.group, f.row, f.column) for f in made}) == len(made)


def test_an_attack_on_one_who_plays_nothing() -> None:
    own = vehicle(traits=[trait("blades", 1)])
    plain, bladed = (
        {(f.row, f.column): f.value for f in vehicle_odds.attacks(one, vehicle(), DIE)}
        for one in (vehicle(), own)
    )
    wins = sum(a + b > c for a, b, c in product(DIE.values, repeat=3)) / 216
    assert plain["its vehicle attack wins", "against no card"] == pytest.approx(wins)
    more = sum(a + b + 1 > c for a, b, c in product(DIE.values, repeat=3)) / 216
    assert bladed["its vehicle attack wins", "against no card"] == pytest.approx(more)
    assert bladed["a vehicle attack on it wins", "against no card"] == pytest.approx(wins)


def test_alternatives_in_force_change_the_odds() -> None:
    simple = vehicle_odds.checks(vehicle(), DIE, simple=True)
    assert simple[True, 2] == pytest.approx(1.5 + 2)
    ignored = ControlReading(damage=1)
    assert loss_of(CarState.at(vehicle(), 3), 30, reading=ignored).damage == 0


def test_traits_change_a_roll_by_what_they_are_declared_to_do() -> None:
    driver = vehicle(traits=[trait("driver", 1), trait("handling", 2)])
    asked = CarState.at(driver, 4).asked(1, PLAIN)
    assert asked is not None
    assert (asked.dice, asked.discards, asked.rerolls) == (2 + 1 + 1, 2, 2)


def test_who_never_rolls_chooses() -> None:
    own = vehicle(traits=[trait("tireless", 2), trait("anchor", 3)])
    assert set(vehicle_odds.checks(own, DIE).values()) == {2, 3}


def test_of_more_dice_than_there_are_odds_of_there_are_no_figures() -> None:
    """They would take too long."""
    numbers = ("driver", "handling", "tank", "persistent", "long-legs", "rubber-shoes")
    own = vehicle(control=[9] * 7, traits=[trait(name, 99) for name in numbers])
    made = {(f.group, f.row, f.column): f.value for f in figures(own, vehicle(), DIE, ())}
    assert made["Turning 60° in two phases: CLP", "speed 6", "1 card"] is None
    assert made["Speed checks", "accelerate, 1 Whip", "mean boxes"] is None
    assert made["Attack and defence", "its vehicle attack wins", "against a card"] is None
    assert made["Attack and defence", "its personal attack wins", "against a card"] is not None


def test_the_studio_shows_the_odds_of_a_vehicle() -> None:
    root = shipped_root()
    with Session(Target(Project(root, root, around=root), "chariot-dash"), Order()) as session:
        opened = session.check().opened
    assert opened
    known = opened.pack.components["vehicle"]
    basic = next(one for one in known if one.id == "basic")
    told = {one.label: one.value for one in judgements(opened.pack.guests, basic, opened.pack)}
    assert (
        told["Boxes of a check, one Whip"] == f"{vehicle_odds.checks(vehicle(), DIE)[True, 1]:.1f}"
    )
    assert told["Spaces, speed 1 to 6"].count("·") == 5
