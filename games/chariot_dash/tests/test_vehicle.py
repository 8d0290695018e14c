from pathlib import Path

import pytest
from chariots import components, shipped, trait, vehicle
from gridpress_chariot_dash.cards import SPECIALS, Card, Front
from gridpress_chariot_dash.damage import EFFECTS, STAMINA_EFFECTS
from gridpress_chariot_dash.traits import TRAITS
from gridpress_chariot_dash.vehicle import BLANK, DamageEntry, StaminaEntry, Vehicle

from generator.order import Order
from generator.prepress import open_pack
from generator.project import find_targets

ROOT = Path(__file__).parents[3]


def test_the_basic_chariot() -> None:
    basic = vehicle()
    assert (basic.id, basic.name) == ("basic", "Basic Chariot")
    assert basic.moves[3] == (2, 2, 0, 2)
    assert basic.control == (0, 0, 0, 1, 2, 3, 4)
    assert basic.damage[1] == (DamageEntry("control-die"),)
    assert basic.damage[6] == (DamageEntry("wipe-out"),)
    assert basic.stamina_effects[0] == StaminaEntry(9, "speed", 1)
    assert basic.cards == (Card(Front.WHIP),) * 3 + (Card(Front.REINS),) * 3


def test_a_vehicle_with_everything() -> None:
    by_id = {v.id: v for v in shipped()}
    crowd, gate, spring = (by_id[i] for i in ("threes-a-crowd", "gatecrasher", "mainspring"))
    assert crowd.resilience == 0
    assert vehicle(resilience="blank").resilience == BLANK
    assert crowd.cards.count(Card(Front.DUAL)) == 2
    assert Card(Front.REINS, "kamikaze", 2, once=True) in gate.cards
    assert gate.traits == (("tank", 1), ("bsh", 1), ("cautious", 1))
    assert gate.damage[4] == (DamageEntry("lose-trait", trait="tank"),)
    assert [e.effect for e in spring.random_effects] == ["haste", "control-loss", "lose-trait"]
    assert by_id["last-orders"].damage[4] == (DamageEntry("lose-card", card="Reins"),)


def test_copies_are_cards_each() -> None:
    special = {"side": "whip", "special": "lash", "number": 1, "copies": 3}
    assert vehicle(specials=[special]).cards[6:] == (Card(Front.WHIP, "lash", 1),) * 3


@pytest.mark.parametrize("one", shipped(), ids=lambda v: v.id)
def test_every_name_of_a_shipped_vehicle_is_in_a_table(one: Vehicle) -> None:
    assert {name for name, _ in one.traits} <= set(TRAITS)
    assert {card.special for card in one.cards} - {""} <= set(SPECIALS)
    entries = [*one.random_effects, *(e for level in one.damage.values() for e in level)]
    assert {entry.effect for entry in entries} <= set(EFFECTS)
    assert {entry.effect for entry in one.stamina_effects} <= set(STAMINA_EFFECTS)


def test_a_checked_component_reads_like_its_yaml() -> None:
    outcome = open_pack(find_targets([str(ROOT / "cards/chariot-dash")])[0], Order())
    assert outcome.value is not None
    checked = outcome.value.pack.components["vehicle"]
    assert len(checked) == len(components("vehicles.yaml"))
    for component, plain in zip(checked, shipped(), strict=True):
        read = Vehicle.of(component.values)
        for name in Vehicle.__slots__:
            if name != "table":
                assert getattr(read, name) == getattr(plain, name), name
        assert read.table.below == plain.table.below


def test_a_trait_keeps_its_number() -> None:
    assert vehicle(traits=[trait("leap"), trait("lash", 2)]).traits == (("leap", 0), ("lash", 2))
