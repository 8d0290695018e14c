import math
from typing import Any

import pytest
from gridpress_chariot_races.race.setup import RaceType
from gridpress_chariot_races.race.simulation import Run, Z, mean, summed_up, wilson_share
from hypothesis import given
from hypothesis import strategies as st


def run(vehicle: int, place: int, rounds: int = 10, **changes: Any) -> Run:
    plain = Run(vehicle, 1, place, True, False, rounds, 26.0, 30, 2, 1, 12, 0, 1, 0, place == 1, ())
    return plain._replace(**changes)  # type: ignore[arg-type]


RACES = [
    (run(0, 1, 10), run(1, 2, 12)),
    (run(0, 2, 14, lost=((1, 0), (1, 0))), run(1, 1, 12, lost=((2, 0),))),
    (run(0, 1, 12), run(1, 2, 5, finished=False, wiped_out=True)),
    (run(0, 1, 60, finished=False, won=False), run(1, 2, 60, finished=False)),
]


def test_a_summary_counts_the_runs_of_its_vehicle() -> None:
    result = summed_up("oval", ["a", "b", "absent"], RaceType.of(laps=2), 7, RACES)
    a, b = result.vehicles
    assert (result.arena, result.race.laps, result.races, result.seed) == ("oval", 2, 4, 7)
    assert (a.vehicle, a.runs, a.expected_wins, b.expected_wins) == ("a", 4, 0.5, 0.5)
    assert (a.finished.value, b.finished.value, b.wiped_out.value) == (0.75, 0.5, 0.25)
    assert (a.places, b.places) == ({1: 3, 2: 1}, {1: 1, 2: 3})
    assert (a.lost, b.lost) == ({(1, 0): 2}, {(2, 0): 1})
    assert (a.control_lost.value, a.cards.value) == (0.5, 12)


def test_nobody_wins_a_race_that_was_drawn() -> None:
    a, b = summed_up("oval", ["a", "b"], RaceType(), 1, RACES).vehicles
    assert (a.wins.value, b.wins.value) == (0.5, 0.25)


def test_rounds_are_those_of_runs_that_finished() -> None:
    a, b = summed_up("oval", ["a", "b"], RaceType(laps=2), 1, RACES).vehicles
    assert a.rounds is not None
    assert b.rounds_per_lap is not None
    assert (a.rounds.value, a.rounds.of) == (12, 3)
    assert (b.rounds_per_lap.value, b.rounds_per_lap.of) == (6, 2)


def test_a_fair_share_follows_the_size_of_the_fields() -> None:
    races = [(run(0, 1), run(1, 2)), (run(0, 1), run(1, 2), run(2, 3), run(2, 4))]
    fair = [
        one.expected_wins
        for one in summed_up("oval", ["a", "b", "c"], RaceType(), 1, races).vehicles
    ]
    assert fair == pytest.approx([0.375, 0.375, 0.25])


def test_a_fair_share_of_teams_is_that_of_a_team() -> None:
    races = [(run(0, 1), run(1, 2), run(2, 3, won=True), run(2, 4))]
    of = summed_up("oval", ["a", "b", "c"], RaceType(teams=2), 1, races).vehicles
    assert [(one.expected_wins, one.wins.value) for one in of] == [(0.5, 1), (0.5, 0), (0.5, 0.5)]


def test_a_mean_lies_in_the_middle_of_its_interval() -> None:
    found = mean([2, 4, 4, 4, 5, 5, 7, 9])
    assert found is not None
    spread = math.sqrt(32 / 7)
    assert (found.value, found.of) == (5, 8)
    assert found.high - 5 == pytest.approx(Z * spread / math.sqrt(8))
    assert found.low + found.high == pytest.approx(10)


@pytest.mark.parametrize(
    ("count", "of", "low", "high"),
    [
        (0, 10, 0.0, 0.2775),
        (5, 10, 0.2366, 0.7634),
        (10, 10, 0.7225, 1.0),
        (81, 263, 0.2553, 0.3662),
    ],
)
def test_shares_have_the_interval_of_wilson(count: int, of: int, low: float, high: float) -> None:
    """The last one is an example of Newcombe 1998."""
    found = wilson_share(count, of)
    assert found.value == count / of
    assert (found.low, found.high) == (pytest.approx(low, abs=5e-5), pytest.approx(high, abs=5e-5))


@given(st.integers(1, 500), st.data())
def test_intervals_of_shares_hold_the_share_and_mirror(of: int, data: st.DataObject) -> None:
    count = data.draw(st.integers(0, of))
    found, other = wilson_share(count, of), wilson_share(of - count, of)
    assert 0 <= found.low <= found.value + 1e-12
    assert found.value - 1e-12 <= found.high <= 1
    assert found.low == pytest.approx(1 - other.high)
