import pytest
from chariots import trait, vehicle
from gridpress_chariot_dash.declared import BLANK, DIE, Marker, SpeedTable, Vehicle
from hypothesis import given
from hypothesis import strategies as st
from packs.shipped import shipped_pack


def test_the_basic_chariot() -> None:
    basic = vehicle()
    assert (basic.id, basic.name) == ("basic", "Basic Chariot")
    assert basic.moves[3] == (2, 2, 0, 2)
    assert basic.control == (0, 0, 0, 1, 2, 3, 4)
    assert (basic.resilience, basic.control_minimum) == (1, 0)
    assert vehicle(resilience="blank").resilience == BLANK


def test_a_checked_component_tells_what_its_traits_do() -> None:
    known = {c.id: Vehicle.of(c.values) for c in shipped_pack("chariot-dash").components["vehicle"]}
    assert known["basic"].mods == {}
    gate = {"attack.vehicle.dice": 1, "damage.collision.dice": -1, "accelerating.subtract": 1}
    assert known["gatecrasher"].mods == gate


def test_traits_add_up_by_their_numbers_and_a_die_counts_2() -> None:
    own = vehicle(traits=[trait("lash", 2), trait("leap"), {**trait("tank"), "number": DIE}])
    assert own.mods == {"accelerating.rerolls": 2, "leaps": 1, "attack.vehicle.dice": 2}
    assert vehicle(traits=[trait("lash", -1)]).mods["accelerating.rerolls"] == 0


BOXES = st.lists(st.integers(1, 9), min_size=7, max_size=7)
TABLES = st.builds(SpeedTable.of, BOXES, BOXES)
BASIC = vehicle().table


def consistent(table: SpeedTable, marker: Marker) -> bool:
    """Tell whether both boxes belong to one speed."""
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


@given(TABLES, st.lists(st.integers(-9, 9), max_size=12))
def test_the_marker_never_leaves_the_table(table: SpeedTable, moves: list[int]) -> None:
    marker = table.first[0]
    for boxes in moves:
        marker = table.moved(marker, boxes)
        assert consistent(table, marker)


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
