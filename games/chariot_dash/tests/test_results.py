import pytest
from gridpress_chariot_dash.race.results import Run, summed_up


def run(vehicle: int, place: int, rounds: int = 10, **changes: object) -> Run:
    plain = Run(vehicle, 1, place, True, False, rounds, 26.0, 30, 2, 1, 12, 0, 1, ())
    return plain._replace(**changes)  # type: ignore[arg-type]


RACES = [
    (run(0, 1, 10), run(1, 2, 12)),
    (run(0, 2, 14, lost=((1, 0), (1, 0))), run(1, 1, 12, lost=((2, 0),))),
    (run(0, 1, 12), run(1, 2, 5, finished=False, wiped_out=True)),
    (run(0, 1, 60, finished=False), run(1, 2, 60, finished=False)),
]


def test_a_summary_counts_the_runs_of_its_vehicle() -> None:
    result = summed_up("oval", ["a", "b", "absent"], 2, 7, RACES)
    a, b = result.vehicles
    assert (result.arena, result.laps, result.races, result.seed) == ("oval", 2, 4, 7)
    assert (a.vehicle, a.runs, a.expected_wins, b.expected_wins) == ("a", 4, 0.5, 0.5)
    assert (a.finished.value, b.finished.value, b.wiped_out.value) == (0.75, 0.5, 0.25)
    assert (a.places, b.places) == ({1: 3, 2: 1}, {1: 1, 2: 3})
    assert (a.lost, b.lost) == ({(1, 0): 2}, {(2, 0): 1})
    assert (a.control_lost.value, a.cards.value) == (0.5, 12)


def test_nobody_wins_a_race_that_nobody_finished() -> None:
    a, b = summed_up("oval", ["a", "b"], 1, 1, RACES).vehicles
    assert (a.wins.value, b.wins.value) == (0.5, 0.25)


def test_rounds_are_those_of_runs_that_finished() -> None:
    a, b = summed_up("oval", ["a", "b"], 2, 1, RACES).vehicles
    assert a.rounds is not None
    assert b.rounds_per_lap is not None
    assert (a.rounds.value, a.rounds.of) == (12, 3)
    assert (b.rounds_per_lap.value, b.rounds_per_lap.of) == (6, 2)


def test_without_a_finish_there_are_no_rounds() -> None:
    (only,) = summed_up("oval", ["a"], 1, 1, [(run(0, 1, finished=False),)]).vehicles
    assert (only.rounds, only.rounds_per_lap, only.wins.value) == (None, None, 0)


def test_a_fair_share_follows_the_size_of_the_fields() -> None:
    races = [(run(0, 1), run(1, 2)), (run(0, 1), run(1, 2), run(2, 3), run(2, 4))]
    fair = [one.expected_wins for one in summed_up("oval", ["a", "b", "c"], 1, 1, races).vehicles]
    assert fair == pytest.approx([0.375, 0.375, 0.25])
