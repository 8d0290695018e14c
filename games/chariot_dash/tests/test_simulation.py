"""Many races at once: the same seed gives the same races, on however many processes."""

import multiprocessing
import signal
from multiprocessing.process import BaseProcess

import pytest
from arenas import BY_ID, Straight, empty_oval, remembering
from chariots import trait, vehicle
from gridpress_chariot_dash.race import Event, simulate, simulation, time_trials
from gridpress_chariot_dash.race.results import Result

FIELD = [BY_ID[name] for name in ("basic", "last-orders")]


@pytest.fixture(scope="module")
def races() -> Result:
    return _again(5)


def _again(seed: int) -> Result:
    return simulate(FIELD, Event(empty_oval(), seed=seed, driver=remembering), races=8)


def test_the_same_seed_gives_the_same_races_on_two_processes(
    races: Result, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(simulation, "_BATCH", 2)
    assert simulate(FIELD, Event(empty_oval(), seed=5), races=8, jobs=2) == races


def test_what_a_driver_has_learnt_does_not_change_a_race(races: Result) -> None:
    fewer = simulate(FIELD, Event(empty_oval(), seed=5), races=4)
    assert fewer.runs == races.runs[:4]


def test_another_seed_is_other_luck(races: Result) -> None:
    assert _again(6).runs != races.runs


def test_a_result_tells_every_run_once(races: Result) -> None:
    assert (races.races, races.seed, races.laps, races.arena) == (8, 5, 1, "oval")
    assert sum(summary.runs for summary in races.vehicles) == 16
    assert {summary.vehicle for summary in races.vehicles} == {v.id for v in FIELD}
    for race in races.runs:
        assert [run.grid for run in race] == [1, 2]
        assert sorted(run.place for run in race) == [1, 2]
        assert len({run.vehicle for run in race}) == 2
        by_place = sorted(race, key=lambda run: run.place)
        assert by_place == sorted(race, key=lambda run: (not run.finished, run.place))


def test_alone_a_vehicle_meets_nobody() -> None:
    result = time_trials(FIELD, Event(empty_oval(), driver=remembering), trials=3)
    assert [summary.runs for summary in result.vehicles] == [3, 3]
    for summary in result.vehicles:
        assert (summary.attacks.value, summary.expected_wins, summary.places) == (0, 1, {1: 3})


def test_progress_is_told_until_all_is_done(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(simulation, "_BATCH", 2)
    told: list[tuple[int, int]] = []
    time_trials(
        FIELD[:1],
        Event(empty_oval(), driver=remembering),
        trials=5,
        progress=lambda *done: told.append(done),
    )
    assert told == [(2, 5), (4, 5), (5, 5)]


def test_drivers_can_be_swapped() -> None:
    eager = vehicle(traits=[trait("champing-at-the-bit")])
    with_cards = time_trials([eager], Event(empty_oval()), trials=3).vehicles[0]
    without = time_trials([eager], Event(empty_oval(), driver=Straight), trials=3).vehicles[0]
    assert with_cards.cards.value > without.cards.value == 0
    assert with_cards.finished.value > without.finished.value == 0


@pytest.mark.parametrize(("field", "named"), [(1, 2), (4, 3), (None, 1), (None, 9)])
def test_a_field_has_two_vehicles_and_no_more_than_there_are_places(
    field: int | None, named: int
) -> None:
    with pytest.raises(ValueError, match="a race of"):
        simulate([FIELD[0]] * named, Event(empty_oval()), races=1, field=field)


def test_a_race_has_a_lap() -> None:
    with pytest.raises(ValueError, match="one lap at least"):
        Event(empty_oval(), laps=0)


def test_who_stops_half_way_does_not_wait_for_races_that_have_begun(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(simulation, "_BATCH", 2)
    workers: list[BaseProcess] = []

    def stopped(done: int, total: int) -> None:
        workers.extend(multiprocessing.active_children())
        raise KeyboardInterrupt

    others = set(multiprocessing.active_children())
    with pytest.raises(KeyboardInterrupt):
        simulate(FIELD, Event(empty_oval(), driver=Straight), races=40, jobs=2, progress=stopped)
    mine = set(workers) - others
    assert mine
    for process in mine:
        process.join()
    assert {process.exitcode for process in mine} == {-signal.SIGKILL}
