"""Many races with one seed."""

from collections import Counter

import pytest
from arenas import empty_oval
from chariots import components
from gridpress_chariot_races.race import simulation
from gridpress_chariot_races.race.setup import RaceType
from gridpress_chariot_races.race.simulation import Event, Result, simulate, time_trials
from msgspec.structs import replace
from scenes import known

pytestmark = pytest.mark.usefixtures("ready")
FIELD = [one for one in components("vehicles.yaml") if one["id"] in ("basic", "last-orders")]
EVENT = Event(empty_oval(), known(), seed=5)


def test_the_level_of_drivers_is_that_of_every_vehicle() -> None:
    meet = replace(EVENT, driver="bold").meet(FIELD, 2)
    assert meet.drivers == ("bold", "bold")


@pytest.fixture(scope="module")
def races() -> Result:
    return simulate(FIELD, EVENT, races=8)


def test_the_same_seed_gives_the_same_races_on_two_processes(
    races: Result, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(simulation, "BATCH", 2)
    assert simulate(FIELD, EVENT, races=8, jobs=2) == races


def test_of_many_vehicles_few_race_in_a_batch_and_all_as_often() -> None:
    """A process has no room for forty that have learnt the track."""
    batch, lots = simulation._lots(40, 4, 1200, 7)
    assert batch is not None
    assert len(lots) == 1200
    for start in range(0, 1200, batch):
        assert len({n for lot in lots[start : start + batch] for n in lot}) <= simulation.TOGETHER
    assert all(len(set(lot)) == 4 for lot in lots)
    starts = Counter(n for lot in lots for n in lot)
    assert set(starts) == set(range(40))
    assert max(starts.values()) <= 2 * min(starts.values())
    assert simulation._lots(12, 4, 1200, 7)[0] is None


def test_a_vehicle_is_told_by_its_own_number_whoever_else_takes_part() -> None:
    basic, other = (next(v for v in FIELD if (v["id"] == "basic") is it) for it in (True, False))
    alone = time_trials([other], EVENT, trials=2)
    third = time_trials([basic, basic, other], EVENT, trials=2)
    assert [race[0].vehicle for race in third.runs] == [0, 0, 1, 1, 2, 2]
    assert [race[0]._replace(vehicle=0) for race in third.runs[4:]] == [r[0] for r in alone.runs]


def test_more_vehicles_than_a_race_has_room_for_try_the_track_in_turn() -> None:
    many = time_trials(FIELD * 7, EVENT, trials=1)
    assert [race[0].vehicle for race in many.runs] == list(range(14))
    for race, first in zip(many.runs, many.runs[:2] * 7, strict=True):
        assert race[0]._replace(vehicle=0) == first[0]._replace(vehicle=0)


def test_a_result_tells_every_run_once(races: Result) -> None:
    assert (races.races, races.seed, races.race, races.arena) == (8, 5, RaceType(), "oval")
    assert sum(summary.runs for summary in races.vehicles) == 16
    assert {summary.vehicle for summary in races.vehicles} == {v["name"] for v in FIELD}
    for race in races.runs:
        assert [run.grid for run in race] == [1, 2]
        assert sorted(run.place for run in race) == [1, 2]
        assert [run.won for run in race] == [run.place == 1 for run in race]
        assert len({run.vehicle for run in race}) == 2
        by_place = sorted(race, key=lambda run: run.place)
        assert by_place == sorted(race, key=lambda run: (not run.finished, run.place))


def test_alone_a_vehicle_meets_nobody_and_wins_by_finishing() -> None:
    result = time_trials(FIELD, EVENT, trials=30)
    assert [summary.runs for summary in result.vehicles] == [30, 30]
    for summary in result.vehicles:
        assert (summary.attacks.value, summary.expected_wins, summary.places) == (0, 1, {1: 30})
        assert summary.wins == summary.finished


def test_a_team_wins_together() -> None:
    teams = replace(EVENT, race=RaceType.of("tag-team", laps=1))
    for race in simulate([*FIELD, *FIELD], teams, races=6).runs:
        won = [run.won for run in race]
        assert won in ([True, False, True, False], [False, True, False, True])


def test_cd_80_whoever_gained_ground_wins_a_pursuit_that_ends_before_anybody_is_caught() -> None:
    short = replace(EVENT, race=RaceType.of("pursuit", rounds=2))
    for race in simulate(FIELD, short, races=4).runs:
        assert sum(run.won for run in race) <= 1
        assert all(run.won == (run.place == 1) for run in race)


@pytest.mark.parametrize(
    ("field", "named", "why"),
    [(1, 2, "a race of"), (4, 3, "a race of"), (None, 1, "a race of"), (None, 9, "6 starting")],
)
def test_a_field_has_two_vehicles_and_no_more_than_there_are_places(
    field: int | None, named: int, why: str
) -> None:
    with pytest.raises(ValueError, match=why):
        simulate([FIELD[0]] * named, EVENT, races=1, field=field)
