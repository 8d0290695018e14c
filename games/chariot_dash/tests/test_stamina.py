from dataclasses import replace

from chariots import OPTIONS, shipped, start
from gridpress_chariot_dash.damage import change_stamina, stamina_at_end, stamina_effects
from gridpress_chariot_dash.state import starting
from hypothesis import given
from hypothesis import strategies as st


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
