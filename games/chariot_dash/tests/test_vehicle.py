from pathlib import Path

import pytest
from chariots import components, shipped, trait, vehicle
from gridpress_chariot_dash.cards import SPECIALS, Card, Front
from gridpress_chariot_dash.damage import EFFECTS, STAMINA_EFFECTS
from gridpress_chariot_dash.traits import TRAITS
from gridpress_chariot_dash.vehicle import (
    BLANK,
    DamageEntry,
    Marker,
    SpeedTable,
    StaminaEntry,
    Vehicle,
)
from hypothesis import given
from hypothesis import strategies as st

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


BOXES = st.lists(st.integers(1, 9), min_size=7, max_size=7)
TABLES = st.builds(SpeedTable.of, BOXES, BOXES)
BASIC = vehicle().table


def consistent(table: SpeedTable, marker: Marker) -> bool:
    """On the table, and both boxes in one speed."""
    inside = 0 <= marker.acceleration < len(table.below)
    inside = inside and 0 <= marker.deceleration < len(table.above)
    first, last = (ends[table.speed(marker)] for ends in (table.first, table.last))
    return inside and first.deceleration <= marker.deceleration <= last.deceleration


def test_the_basic_chariot_by_hand() -> None:
    # boxes above by speed 1 1 2 2 3 3 2, below 1 1 2 2 2 2 1
    assert BASIC.speeds == (0, 1, 2, 2, 3, 3, 4, 4, 4, 5, 5, 5, 6, 6)
    marker = BASIC.accelerate(Marker(0, 0), 7)
    # the middle of speed 4's three boxes overlaps both below: the right-most counts
    assert marker == Marker(7, 7)
    assert BASIC.speed(marker) == 4
    marker = BASIC.decelerate(marker, 1)
    # the left one of speed 4's two below overlaps the first and second above: the left-most
    assert marker == Marker(6, 6)


def test_over_whipping_goes_back_by_the_excess() -> None:
    end = BASIC.last[6]
    assert BASIC.accelerate(end, 1) == BASIC.decelerate(end, 1)
    assert BASIC.accelerate(Marker(12, 10), 3) == BASIC.decelerate(end, 2)
    assert BASIC.accelerate(end, 99) == Marker(0, 0)


def test_a_new_rating_lands_at_the_near_end() -> None:
    at_four = BASIC.first[4]
    assert BASIC.rated(at_four, 3) == BASIC.last[3] == Marker(5, 5)
    assert BASIC.rated(at_four, 5) == BASIC.first[5] == Marker(9, 8)
    assert BASIC.rated(at_four, 4) == at_four
    assert BASIC.rated(at_four, -3) == BASIC.last[0]
    assert BASIC.rated(at_four, 12) == BASIC.first[6]


@given(TABLES, st.lists(st.integers(-9, 9), max_size=12))
def test_the_marker_never_leaves_the_table(table: SpeedTable, moves: list[int]) -> None:
    marker = table.first[0]
    for boxes in moves:
        marker = table.moved(marker, boxes)
        assert consistent(table, marker)
        assert consistent(table, table.rated(marker, boxes))


@given(TABLES)
def test_boxes_correspond_where_they_overlap(table: SpeedTable) -> None:
    for speed in range(7):
        (a0, d0), (a1, d1) = table.first[speed], table.last[speed]
        a, d = a1 - a0 + 1, d1 - d0 + 1
        for i in range(a):
            # box i ends at (i + 1) / a: the right-most below begins before that, the next not
            j = table.below[a0 + i] - d0
            assert j * a < (i + 1) * d <= (j + 1) * a
        for j in range(d):
            i = table.above[d0 + j] - a0
            assert i * d <= j * a < (i + 1) * d


@given(TABLES, st.integers(0, 9), st.integers(0, 9))
def test_further_never_lands_further_back(table: SpeedTable, start: int, boxes: int) -> None:
    end = len(table.below) - 1
    marker = Marker(min(start, end), table.below[min(start, end)])
    slower, same = table.decelerate(marker, boxes + 1), table.decelerate(marker, boxes)
    assert slower.deceleration <= same.deceleration
    if marker.acceleration + boxes + 1 <= end:
        assert table.accelerate(marker, boxes + 1) > table.accelerate(marker, boxes)
    assert table.moved(marker, 0) == marker


def test_a_map_of_its_own_stands_in_for_equal_parts() -> None:
    pairs = {2: [(0, 0), (1, 0), (1, 1)]}
    table = SpeedTable.of([1, 1, 2, 1, 1, 1, 1], [1, 1, 2, 1, 1, 1, 1], pairs)
    assert table.accelerate(Marker(0, 0), 3) == Marker(3, 3)
    assert table.decelerate(Marker(3, 3), 1) == Marker(2, 2)
    assert table.accelerate(Marker(0, 0), 2) == Marker(2, 2)


@pytest.mark.parametrize(
    "pairs", [[(0, 0), (1, 0)], [(0, 0), (1, 1), (2, 1)], [(0, 1), (1, 0), (1, 1)]]
)
def test_a_map_must_name_each_box_and_join_the_ends(pairs: list[tuple[int, int]]) -> None:
    with pytest.raises(ValueError, match="map"):
        SpeedTable.of([1, 1, 2, 1, 1, 1, 1], [1, 1, 2, 1, 1, 1, 1], {2: pairs})


@pytest.mark.parametrize("row", [[1] * 6, [1, 1, 0, 1, 1, 1, 1]])
def test_a_table_has_seven_speeds_of_a_box_or_more(row: list[int]) -> None:
    with pytest.raises(ValueError, match="7 numbers"):
        SpeedTable.of(row, [1] * 7)
