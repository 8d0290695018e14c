import pickle
from dataclasses import replace

from chariots import OPTIONS, shipped, start, trait, vehicle
from gridpress_chariot_dash.state import starting
from gridpress_chariot_dash.vehicle import Marker
from hypothesis import given
from hypothesis import strategies as st


def test_a_race_starts_at_rest_or_at_the_end_of_speed_2() -> None:
    state = starting(vehicle(control_minimum=1), OPTIONS)
    assert (state.marker, state.speed, state.clp, state.stamina) == (Marker(0, 0), 0, 1, 10)
    assert state.piles.hand == (0, 1, 2, 3, 4, 5)
    rolling = starting(vehicle(), replace(OPTIONS, rolling_start=True))
    assert (rolling.marker, rolling.speed) == (Marker(3, 3), 2)


def test_reaching_a_safe_speed_clears_the_clp() -> None:
    state = start(speed=3).unsteadied(3)
    assert state.moved(1).clp == 3
    assert state.moved(-1).clp == 0
    assert state.rated(1).clp == 0
    at_rest = start(speed=1).unsteadied(2)
    assert at_rest.moved(1).clp == 2
    assert at_rest.settled().clp == 0
    assert state.settled().clp == 3


def test_a_maximum_speed_takes_effect_at_once_and_from_then_on() -> None:
    state = start(speed=6).conditioned(speed_most=4)
    assert state.marker == state.vehicle.table.last[4]
    assert state.moved(1).marker == state.vehicle.table.last[4]
    assert state.rated(6).speed == 4


def test_a_state_travels_to_another_process() -> None:
    state = start(trait("lash", 2), speed=3).unsteadied(2)
    back = pickle.loads(pickle.dumps(state))
    assert back[1:] == state[1:]
    assert back.vehicle.cards == state.vehicle.cards
    assert back.moved(2).marker == state.moved(2).marker


@given(st.sampled_from(shipped()), st.lists(st.integers(-30, 30), max_size=8))
def test_tracks_are_never_left(one, changes: list[int]) -> None:
    state = starting(one, OPTIONS)
    for change in changes:
        state = state.unsteadied(change).tired(-change).moved(change)
        assert max(0, one.control_minimum) <= state.clp <= 19
        assert one.stamina_minimum <= state.stamina <= 10
        assert 0 <= state.speed <= 6
