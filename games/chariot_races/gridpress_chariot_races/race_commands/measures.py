"""`gridpress vehicle compare`, `worth` and `tune`."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Any, Final

import click
from gridpress_chariot_dash.account import Worth, worth_by_change
from gridpress_chariot_dash.commands.vehicles import BASELINE, KIND
from gridpress_chariot_dash.findings import Table, mean_text
from gridpress_chariot_dash.tweaks import Tweak, every, vehicle_of

from generator import writing
from generator.cache import user_cache
from generator.cli import terminal
from gridpress_chariot_races.comparison import FIELDS, Compared, compared
from gridpress_chariot_races.race.setup import RaceType, arena_of
from gridpress_chariot_races.race.simulation import TOGETHER, Estimate, Event
from gridpress_chariot_races.race_commands.racing import (
    Meeting,
    RaceOptions,
    open_meeting,
    race_options,
    race_progress,
    tell,
)
from gridpress_chariot_races.reports import SimulationReport, as_data, ratio_text
from gridpress_chariot_races.worth import (
    ENDED,
    Measuring,
    Proposal,
    Trials,
    Tuning,
    as_yaml,
    likeness,
    measured,
    tuned,
)

TRACKS: Final = ("oval", "hourglass", "three-corners")
"""The tracks for `compare` by default."""


@click.command("compare")
@click.argument("first", metavar="A")
@click.argument("second", metavar="B")
@click.option(
    "--races",
    type=click.IntRange(2, 1_000_000),
    default=4000,
    show_default=True,
    help="The most races; fewer if the answer is clear sooner.",
)
@click.option(
    "--laps",
    type=click.IntRange(1, 100),
    multiple=True,
    default=(1, 2, 3),
    show_default=True,
    help="Laps of each race; repeatable.",
)
@click.option(
    "--field",
    "fields",
    type=click.Choice([str(field) for field in FIELDS]),
    multiple=True,
    default=("2", "4", "6"),
    show_default=True,
    help="Vehicles in a race, half of each; repeatable.",
)
@race_options
def compare(
    first: str,
    second: str,
    races: int,
    laps: tuple[int, ...],
    fields: tuple[str, ...],
    asked: RaceOptions,
) -> int:
    """Say whether vehicle A is better than B in places, wins and rounds.

    They race on several tracks (three of the game's by default), over several laps and with two to
    six vehicles, half of each. Every race is run twice, with places on the grid exchanged. It stops
    when the answer is clear.
    """
    meeting = open_meeting((first, second), asked, TRACKS)
    if meeting is None:
        return 1
    if len(meeting.vehicles) != 2:
        raise click.UsageError("compare takes two vehicles; simulate races any number")
    one, other = meeting.vehicles
    how = Compared(meeting.tracks, laps, tuple(map(int, fields)))
    with race_progress("races", meeting.track, races) as told:
        found = compared(one, other, how, meeting.components, asked.running(races, told))
    tell(found, asked)
    return 0


@click.command("worth")
@click.argument("name", default=BASELINE, metavar="[NAME]")
@click.option(
    "--races",
    type=click.IntRange(4, 1_000_000),
    default=400,
    show_default=True,
    help="Races of each change on each track.",
)
@click.option(
    "--laps", type=click.IntRange(1, 100), default=1, show_default=True, help="Laps of each race."
)
@click.option(
    "-o",
    "--output",
    "file",
    metavar="FILE",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Write the table to this file of a pack, such as cards/my-pack/worth.yaml.",
)
@race_options
def worth(name: str, races: int, laps: int, file: Path | None, asked: RaceOptions) -> int:
    """Measure the worth of each change to a vehicle: a die, box, hex, card, trait and so on.

    The changed vehicle races three unchanged ones; then an unchanged one takes its place in the
    same races. Changes start from the Basic Chariot, or from NAME. If you stop it, the next run
    continues.
    """
    meeting = open_meeting((name,), asked)
    if meeting is None:
        return 1
    baseline = vehicle_of(meeting.vehicles[0])
    table: list[Worth] = []
    with race_progress("changes", meeting.track, 1) as told:
        names = [str(track["id"]) for track in meeting.tracks]
        events = _events(meeting, asked, laps)
        how = Measuring(
            dict(zip(names, events, strict=True)), races, asked.jobs, user_cache(), told
        )
        table += measured(baseline, list(every(meeting.components)), how)
    where = names[0] if len(names) == 1 else f"each of {', '.join(names)}"
    said = _worth_told(meeting, where, races, laps, asked)
    if file is not None:
        again = f"gridpress vehicle worth {name} --races {races} --laps {laps} --seed {asked.seed}"
        again += f" --driver {asked.driver}"
        again += "".join(f" --track {track}" for track in names)
        again += "".join(f" --option {rule}" for rule in asked.rules)
        told_by = f"{said}\nMade by {again} -o …\n{ENDED}{likeness(baseline, events)}"
        text = as_yaml(table, told_by)
        writing.write_named(file, text.encode(), "choose another file with -o", "table")
        terminal.note(f"wrote {file}")
    tell(_worth_finding(name, said, table), asked)
    return 0


@click.command("tune")
@click.argument("name", metavar="NAME")
@click.option(
    "--to",
    "wanted",
    type=click.FloatRange(0.1, 3.9),
    default=1.0,
    show_default=True,
    help="The target share of wins, as a ratio to a fair one.",
)
@click.option(
    "--races",
    type=click.IntRange(8, 100_000),
    default=96,
    show_default=True,
    help="First races of each change; the best ones run nine times as many.",
)
@click.option(
    "--laps", type=click.IntRange(1, 100), default=2, show_default=True, help="Laps of each race."
)
@click.option(
    "--changes",
    type=click.IntRange(1, 4),
    default=2,
    show_default=True,
    help="The most changes to combine.",
)
@race_options
def tune(name: str, wanted: float, races: int, laps: int, changes: int, asked: RaceOptions) -> int:
    """Propose the smallest changes that bring a vehicle to a fair share of the wins.

    It races three other vehicles of the game, drawn by lot. Fields under `keep:` in the vehicle do
    not change. Also shows the biggest lever: the single change that moves it most.
    """
    meeting = open_meeting((name,), asked)
    if meeting is None:
        return 1
    if len(meeting.vehicles) != 1:
        raise click.UsageError("tune takes one vehicle")
    entrant = meeting.entrants[0]
    own = meeting.vehicles[0]
    kept = set(map(str, own.get("keep", ())))
    tweaks = [tweak for tweak in every(meeting.components) if tweak.part not in kept]
    known = entrant.opened.pack.components[KIND]
    rivals = [c.values for c in known if c.id != own["id"]]
    if len(rivals) >= TOGETHER:  # a process has no room for more
        rivals = Random(asked.seed).sample(rivals, TOGETHER - 1)  # noqa: S311, a game's luck
    event = _events(meeting, asked, laps)[0]
    with race_progress("changes", meeting.track, len(tweaks)) as told:
        trials = Trials(event, rivals, races, asked.jobs, told)
        known_worth = worth_by_change(meeting.components.get("worth", ()))
        found = tuned(vehicle_of(own), tweaks, wanted, trials, changes, known_worth)
    tell(_tuned_finding(str(own["name"]), wanted, found, kept), asked)
    return 0


def _events(meeting: Meeting, asked: RaceOptions, laps: int) -> list[Event]:
    race = RaceType.of(laps=laps)
    return [
        Event(arena_of(track), meeting.components, race, asked.seed, asked.driver)
        for track in meeting.tracks
    ]


def _worth_told(meeting: Meeting, tracks: str, races: int, laps: int, asked: RaceOptions) -> str:
    name = meeting.vehicles[0]["name"]
    return (
        f"What one change to {name} is worth among three of {name}: places gained and rounds a lap "
        f"saved, each with its 95% interval, from {races:,} races of {laps} lap"
        f"{'' if laps == 1 else 's'} on {tracks}, seed {asked.seed}."
    )


def _worth_finding(name: str, said: str, table: Sequence[Worth]) -> SimulationReport:
    ranked = sorted(table, key=lambda one: -one.places)
    columns = ("", "places", "rounds a lap")
    tables = tuple(
        Table(group.capitalize(), columns, tuple(_row(one) for one in ranked if one.group == group))
        for group in dict.fromkeys(one.group for one in table)
    )
    data = {one.id: {"places": one.places, "places_error": one.places_error, "rounds": one.rounds,
                     "rounds_error": one.rounds_error, "of": one.of} for one in table}  # fmt: skip
    return SimulationReport(
        f"What a change to {name} is worth", (said,), tables, (), {"changes": data}
    )


def _row(one: Worth) -> tuple[str, str, str]:
    return (
        one.name,
        mean_text(_estimate(one.places, one.places_error, one.of)),
        mean_text(_estimate(one.rounds, one.rounds_error, one.of)) if one.rounds_known else "–",
    )


def _estimate(value: float, error: float, of: int) -> Estimate:
    return Estimate(value, value - error, value + error, of)


def _tuned_finding(name: str, wanted: float, of: Tuning, kept: set[str]) -> SimulationReport:
    words = [
        f"{name} now wins {ratio_text(of.now, 1.0)} its fair share; the target is ×{wanted:.2f}."
    ]
    if of.proposals:
        first = of.proposals[0]
        words.append(f"Nearest: {_named(first.changes)}; then {ratio_text(first.ratio, 1.0)}.")
    if of.lever is not None:
        with_it = ratio_text(of.lever.ratio, 1.0)
        words.append(f"The biggest lever is {_named(of.lever.changes)}: with it {with_it}.")
    stays = f"Unchanged: {', '.join(sorted(kept))}." if kept else "List under keep: what must stay."
    words.append(f"{of.races:,} races against three others by lot. {stays}")
    rows = tuple((_named(one.changes), ratio_text(one.ratio, 1.0)) for one in of.proposals)
    table = Table("Proposals", ("change", "wins, of its fair share"), rows)
    data = {
        "vehicle": name,
        "wanted": wanted,
        "now": as_data(of.now),
        "proposals": [_proposal(one) for one in of.proposals],
        "lever": None if of.lever is None else _proposal(of.lever),
        "races": of.races,
    }
    return SimulationReport(f"Tuning {name}", tuple(words), (table,), (), data)


def _proposal(one: Proposal) -> dict[str, Any]:
    return {"changes": [tweak.id for tweak in one.changes], "ratio": as_data(one.ratio)}


def _named(changes: Sequence[Tweak]) -> str:
    return " and ".join(tweak.name for tweak in changes)
