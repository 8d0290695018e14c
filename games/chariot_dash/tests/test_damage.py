"""The tables of damage and stamina effects, and what each effect does to a vehicle."""

import random
from collections import Counter
from dataclasses import replace

import pytest
from chariots import OPTIONS, Script, components, fits, shipped, start, trait
from gridpress_chariot_dash import control, damage, speed_check
from gridpress_chariot_dash.cards import Card, Front
from gridpress_chariot_dash.contact import Loss, hazard, suffer_impact, suffer_loss
from gridpress_chariot_dash.damage import (
    EFFECTS,
    STAMINA_EFFECTS,
    Hit,
    Source,
    change_stamina,
    stamina_at_end,
    stamina_effects,
)
from gridpress_chariot_dash.dice import Die, RandomDice, expected
from gridpress_chariot_dash.race.race import end_of_round
from gridpress_chariot_dash.speed_check import SpeedPlan
from gridpress_chariot_dash.state import Played, State, starting
from gridpress_chariot_dash.traits import Modifiers
from gridpress_chariot_dash.vehicle import BLANK
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


def test_stamina_changes_by_the_row_and_stays_on_its_track() -> None:
    assert change_stamina(start(speed=6)).stamina == 7
    assert change_stamina(start(speed=0)).stamina == 10
    low = start(speed=6, stamina_minimum=4)._replace(stamina=5)
    assert change_stamina(low).stamina == 4


def test_effects_at_the_value_and_above_apply_together() -> None:
    vehicle = start().vehicle
    assert stamina_effects(vehicle, 10) == ()
    assert [e.effect for e in stamina_effects(vehicle, 9)] == ["speed", "reins"]
    assert [e.at for e in stamina_effects(vehicle, 5)] == [9, 9, 6, 5]


def test_the_basic_chariot_at_5() -> None:
    state = stamina_at_end(start(speed=5)._replace(stamina=7), OPTIONS)
    assert (state.stamina, state.speed, state.virtual_reins) == (5, 3, 2)
    assert state.marker == state.vehicle.table.last[3]
    # each round anew
    again = stamina_at_end(state._replace(virtual_reins=0), OPTIONS)
    assert (again.stamina, again.speed, again.virtual_reins) == (5, 1, 2)


def test_at_its_top_nothing_applies() -> None:
    assert stamina_at_end(start(speed=1)._replace(stamina=9), OPTIONS).speed == 1


def test_without_the_stamina_rules_nothing_happens() -> None:
    state = start(speed=6)._replace(stamina=5)
    assert stamina_at_end(state, replace(OPTIONS, stamina=False)) == state


@given(st.sampled_from(shipped()), st.integers(0, 6), st.integers(0, 10))
def test_lower_stamina_has_all_effects_of_higher(one, speed: int, value: int) -> None:
    assert set(stamina_effects(one, value + 1)) <= set(stamina_effects(one, value))
    state = starting(one, OPTIONS).rated(speed)
    state = state._replace(stamina=max(value, one.stamina_minimum))
    after = stamina_at_end(state, OPTIONS)
    assert one.stamina_minimum <= after.stamina <= 10


FASTER, SLOWER = SpeedPlan(accelerate=True), SpeedPlan(accelerate=False)


def damaged(effect: str, speed: int = 3, values=(), *traits, random=None, **entry) -> State:
    """A vehicle that has just reached level 2, which has the effect."""
    levels = [{"at": 2, "effect": effect, **entry}, {"at": 6, "effect": "wipe-out"}]
    state = start(*traits, speed=speed, damage=levels, random_effects=random)
    dice = Script(values=values)
    state = damage.take(state, 2, dice)
    assert dice.used_up
    return state


def test_the_names_are_those_of_the_pack() -> None:
    assert set(EFFECTS) == {component["id"] for component in components("effects.yaml")}
    listed = {component["id"] for component in components("stamina-effects.yaml")}
    assert set(STAMINA_EFFECTS) == listed


def test_every_effect_has_a_test() -> None:
    names = [c["id"].replace("-", "_") for c in components("effects.yaml")]
    names += [f"stamina_{c['id']}" for c in components("stamina-effects.yaml")]
    assert [name for name in names if f"test_{name}" not in globals()] == []


def test_control_loss() -> None:
    state = damaged("control-loss", number=2)
    assert end_of_round(state, OPTIONS, Script()).clp == state.clp + 2


def test_control_die() -> None:
    assert control.demand(damaged("control-die"), OPTIONS).dice == 1 + 2 + 1
    assert control.demand(damaged("control-die", speed=2), OPTIONS) is None


def test_safe_speed() -> None:
    state = damaged("safe-speed", speed=2)
    assert state.condition.control == (0, 0, 1, 1, 2, 3, 4)
    assert control.demand(state, OPTIONS).dice == 1 + 2
    dice = Script()
    for _ in range(5):
        state, _ = EFFECTS["safe-speed"](state, state.vehicle.damage[2][0], dice, lambda *_: None)
    assert state.condition.control == (1, 1, 1, 1, 2, 3, 4)


def test_resilience() -> None:
    assert damaged("resilience", number=1).condition.resilience == 0
    assert damaged("resilience", number=3).condition.resilience == BLANK


def test_damage() -> None:
    state = damaged("damage", number=2)
    assert (state.level, state.clp) == (4, 4)
    assert damaged("damage", number=9).condition.wiped_out


def test_damage_each_round() -> None:
    state = damaged("damage-each-round", number=1)
    assert state.level == 2
    after = end_of_round(state, OPTIONS, Script())
    assert (after.level, after.clp) == (3, state.clp + 1)


def test_lose_trait() -> None:
    state = damaged("lose-trait", 3, (), trait("lash", 1), trait("leap"), trait="lash")
    assert state.condition.traits == (("leap", 0),)
    assert state.modifiers == Modifiers(leaps=1)
    assert state.vehicle.traits == (("lash", 1), ("leap", 0))


@pytest.mark.parametrize(("card", "front"), [("Whip", Front.WHIP), ("Reins", Front.REINS)])
def test_lose_card(card: str, front: Front) -> None:
    state = damaged("lose-card", card=card)
    (gone,) = state.piles.gone
    assert state.vehicle.cards[gone] == Card(front)
    assert len(state.piles.hand) == 5


def test_lose_card_with_none_left_and_by_choice() -> None:
    levels = [{"at": 1, "effect": "lose-card", "card": "Whip"}, {"at": 6, "effect": "wipe-out"}]
    none = damage.take(start(whip=0, damage=levels), 1, Script())
    assert none.piles.gone == ()
    chosen = damage.take(start(damage=levels), 1, Script(), lambda cards, piles, kind: 2)
    assert chosen.piles.gone == (2,)


def test_maximum_acceleration() -> None:
    state = damaged("maximum-acceleration", number=2)
    dice = Script(values=[3, 3, 3])
    assert speed_check.check(state, FASTER, dice, OPTIONS, Played(whips=1))[1] == 2


def test_maximum_deceleration() -> None:
    state = damaged("maximum-deceleration", number=2)
    assert speed_check.check(state, SLOWER, Script(values=[3, 3]), OPTIONS)[1] == -2


def test_acceleration() -> None:
    dice = Script(values=[1, 1, 0])
    state = damaged("acceleration", number=-1)
    assert speed_check.check(state, FASTER, dice, OPTIONS, Played(whips=1))[1] == 1


def test_deceleration() -> None:
    state = damaged("deceleration", number=2)
    assert speed_check.check(state, SLOWER, Script(values=[1, 1]), OPTIONS)[1] == -4


def test_maximum_speed() -> None:
    state = damaged("maximum-speed", speed=6, number=4)
    assert state.marker == state.vehicle.table.last[4]
    assert state.rated(6).speed == 4
    lower = EFFECTS["maximum-speed"](
        state, state.vehicle.damage[2][0]._replace(number=5), Script(), lambda *_: None
    )
    assert lower[0].condition.speed_most == 4


def test_haste() -> None:
    state = start(speed=3)
    assert damaged("haste").marker == state.vehicle.table.accelerate(state.marker, 1)


def test_slow() -> None:
    state = start(speed=4)
    assert damaged("slow", 4).marker == state.vehicle.table.decelerate(state.marker, 1)


def test_random() -> None:
    listed = [
        {"effect": "control-die"},
        {"effect": "acceleration", "number": 1},
        {"effect": "damage", "number": 1},
    ]
    seen = [damaged("random", 3, (value,), random=listed) for value in range(4)]
    assert [state.condition.control_dice for state in seen] == [1, 1, 0, 0]
    assert [state.condition.acceleration for state in seen] == [0, 0, 1, 0]
    assert [state.level for state in seen] == [2, 2, 2, 3]


def test_random_without_a_list_does_nothing() -> None:
    assert damaged("random", 3, (3,)).level == 2


def test_wipe_out() -> None:
    state = damage.take(start(), 6, Script())
    assert state.condition.wiped_out
    assert damage.take(state, 3, Script()) == state


def tired(effect: str, at: int = 8, number: int = 1, stamina: int = 8) -> State:
    entries = [{"at": at, "effect": effect, "number": number}]
    state = start(speed=3, stamina_effects=entries)._replace(stamina=stamina)
    return end_of_round(state, OPTIONS, Script())


def test_stamina_speed() -> None:
    state = tired("speed", number=2)
    assert state.marker == state.vehicle.table.last[1]


def test_stamina_reins() -> None:
    assert tired("reins", number=2).virtual_reins == 2


def test_stamina_whip() -> None:
    assert tired("whip").virtual_whips == 1


def test_stamina_control() -> None:
    assert tired("control", number=2).clp == 2
    assert tired("control", at=7).clp == 0
