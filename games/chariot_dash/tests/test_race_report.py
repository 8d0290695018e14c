"""What is told of races, from runs that were written by hand."""

from collections.abc import Sequence
from typing import Any

import pytest
from gridpress_chariot_dash.findings import Running
from gridpress_chariot_dash.race.setup import RaceType, arena_of
from gridpress_chariot_dash.race.simulation import Result, Run, summed_up
from gridpress_chariot_dash.race_report import (
    charts,
    lost_maps,
    lost_places,
    lost_table,
    race_tables,
    raced,
    result_data,
)
from packs.shipped import shipped_pack

from generator.model.pack import Record

ALWAYS = ["Pace of a race", "Trouble in a race", "Contact in a race"]
HERE, THERE, ELSEWHERE = (3, 9), (7, 8), (4, 9)
LAP = RaceType()


def run(vehicle: int, place: int, lost: Sequence[tuple[int, int]] = (), **changes: Any) -> Run:
    plain = Run(
        vehicle=vehicle,
        grid=1,
        place=place,
        finished=True,
        wiped_out=False,
        rounds=10,
        progress=51.0,
        spaces=52,
        rolls=2,
        damage=1,
        cards=20,
        collisions=0,
        attacks=1,
        score=3,
        won=place == 1,
        lost=tuple(lost),
    )
    return plain._replace(**changes)  # type: ignore[arg-type]


def result(*races: tuple[Run, ...], race: RaceType = LAP) -> Result:
    return summed_up("The Oval", ["Anvil", "Bolt"], race, 7, races)


def track(name: str) -> Record:
    tracks = shipped_pack("chariot-dash").components["track"]
    found: Record = next(t for t in tracks if t.id == name).values
    return found


@pytest.fixture(scope="module")
def oval() -> Record:
    found: Record = track("oval")["layout"]
    return found


RACES = result(
    (run(0, 2, [HERE, HERE]), run(1, 1, rounds=8)),
    (run(0, 2, [HERE], finished=False, wiped_out=True), run(1, 1, [THERE], rounds=9)),
)


def test_the_best_is_told_first_and_every_number_has_its_interval() -> None:
    made = {table.title: table for table in race_tables(RACES)}
    assert list(made) == ["Finishing order", "Places", *ALWAYS]
    order = made["Finishing order"]
    assert [row[0] for row in order.rows] == ["Bolt", "Anvil"]
    assert order.rows[0][1:3] == ("100% (34–100)", "×2.00 (0.68–2.00)")
    assert made["Places"].rows[1] == ("Anvil", "0% (0–66)", "100% (34–100)")
    pace = dict(zip(made["Pace of a race"].columns, made["Pace of a race"].rows[0], strict=True))
    assert pace["rounds a lap"] == "8.50 ±0.98"
    for table in made.values():
        for row in table.rows:
            assert all("±" in cell or "(" in cell for cell in row[1:])


def test_rounds_are_those_of_a_lap() -> None:
    double = result((run(0, 1, rounds=20),), (run(0, 1, rounds=22),), race=RaceType(laps=2))
    pace = next(table for table in race_tables(double) if table.title == "Pace of a race")
    assert pace.rows[0][2].startswith("10.50 ±")


def test_without_laps_it_is_told_how_far_each_came_and_its_points() -> None:
    far = result((run(0, 1), run(1, 2, progress=70.0)), race=RaceType.of("scoring"))
    pace = next(table for table in race_tables(far) if table.title == "Pace of a race")
    assert pace.columns == ("", "points", "spaces down the track", "spaces", "cards spent")
    assert [chart.title for chart in charts(far)] == [
        "Wins, as multiples of the fair share",
        "Places",
    ]


def test_time_trials_have_no_order_and_no_attacks() -> None:
    alone = result((run(0, 1, rounds=12),), (run(1, 1, rounds=9),))
    made = {table.title: table for table in race_tables(alone)}
    assert list(made) == ALWAYS
    assert [row[0] for row in made["Pace of a race"].rows] == ["Bolt", "Anvil"]
    assert made["Contact in a race"].columns == ("", "collisions")
    assert [chart.title for chart in charts(alone)] == ["Rounds a lap, of those that finished"]


def test_who_never_finished_has_a_dash_for_rounds() -> None:
    out = result((run(0, 1, finished=False),), (run(0, 1, finished=False),))
    assert next(iter(race_tables(out))).rows[0][2] == "–"
    assert list(charts(out)) == []


def test_charts_of_races_name_every_vehicle() -> None:
    made = list(charts(RACES))
    assert len(made) == 3
    assert all("Anvil" in chart.svg and "Bolt" in chart.svg for chart in made)


def test_data_hold_what_the_tables_tell() -> None:
    data = result_data(RACES)
    assert (data["seed"], data["races"], data["track"], data["type"]) == (
        7,
        2,
        "The Oval",
        "fastest",
    )
    anvil = data["vehicles"][0]
    assert anvil["places"]["2"]["value"] == 1
    assert anvil["wiped_out"]["value"] == 0.5
    assert anvil["rounds"]["low"] is None


def test_the_worst_space_comes_first_and_says_where_it_is(oval: Record) -> None:
    places = lost_places(RACES, oval)
    assert [place.cell for place in places] == [HERE, THERE]
    assert places[0].often.value == pytest.approx(3 / 4)
    table = lost_table(RACES, places)
    number, where, often, part = table.rows[0]
    assert (number, part) == ("1", "75% (30–95)")
    assert where.startswith("piece ")
    assert often.startswith("75 ±")


def test_a_space_is_told_by_its_piece_lane_and_step(oval: Record) -> None:
    start = arena_of(track("oval")).starts[0].hex
    [place] = lost_places(result((run(0, 1, [start]),)), oval)
    first = oval["tiles"][0]["component"]["grid"][0]
    assert place.where == f"piece 1 (4-start), lane {first['lane']}, step {first['step']}"


def test_what_was_lost_off_the_track_is_told_too(oval: Record) -> None:
    [place] = lost_places(result((run(0, 1, [(99, 99)]),)), oval)
    assert place.where == "off the track"
    assert len(list(lost_maps(RACES, (), oval, {}))) == 3


def test_where_nothing_was_lost_the_table_says_so(oval: Record) -> None:
    calm = result((run(0, 1),))
    table = lost_table(calm, lost_places(calm, oval))
    assert (table.rows, table.note) == ((), "nowhere, in 1 races")
    [chart] = lost_maps(calm, (), oval, {})
    assert chart.wide


def vehicles(*ids: str) -> list[Record]:
    known = {c.id: c.values for c in shipped_pack("chariot-dash").components["vehicle"]}
    return [known[name] for name in ids]


def test_too_many_for_the_track_are_refused() -> None:
    how = Running(LAP, races=1, seed=1, jobs=1)
    with pytest.raises(ValueError, match=r"7 vehicles at a time, and The Anvil has 6 starting"):
        raced(vehicles(*["basic"] * 7), track("anvil"), {}, how)


@pytest.mark.usefixtures("ready")
def test_a_vehicle_that_is_entered_twice_is_told_apart() -> None:
    how = Running(LAP, races=1, seed=1, jobs=1)
    pair = raced(vehicles("basic", "basic"), track("anvil"), {}, how)
    named = {one["vehicle"] for one in pair.data["vehicles"]}
    assert named == {"Basic Chariot", "Basic Chariot (2)"}
    assert "1 race of 1 lap, 2 at a time, all vehicles; seed 1." in pair.words[0]
