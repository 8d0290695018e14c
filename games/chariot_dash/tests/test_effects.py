"""The tables of damage and stamina effects, and what each effect does to a vehicle."""

import pytest
from chariots import OPTIONS, Script, components, start, trait
from gridpress_chariot_dash import control, damage, speed_check
from gridpress_chariot_dash.cards import Card, Front
from gridpress_chariot_dash.damage import EFFECTS, STAMINA_EFFECTS
from gridpress_chariot_dash.race.race import end_of_round
from gridpress_chariot_dash.speed_check import SpeedPlan
from gridpress_chariot_dash.state import Played, State
from gridpress_chariot_dash.traits import Modifiers
from gridpress_chariot_dash.vehicle import BLANK

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
