"""`gridpress vehicle simulate`, and the options of all commands that race."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import wraps
from pathlib import Path
from typing import Any, Final

import click
from gridpress_chariot_dash.commands.vehicles import (
    TRACK,
    Entrant,
    html,
    open_vehicles,
    page_must_be_writable,
    show_tables,
    track_in,
    track_of,
    write_page,
)
from gridpress_chariot_dash.declared import (
    RuleSetting,
    Values,
    asked_for,
    excluded,
    idle_options,
    in_force,
)
from msgspec import Struct

from generator.cli import (
    INTERRUPTED,
    find_track,
    options,
    progress_bar,
    terminal,
)
from generator.diagnostics import (
    Diagnostic,
    GridpressError,
    Severity,
    Span,
    warning,
)
from gridpress_chariot_races.race import simulation
from gridpress_chariot_races.race.layout import FASTEST
from gridpress_chariot_races.race.setup import TYPES, RaceType
from gridpress_chariot_races.race_report import raced
from gridpress_chariot_races.reports import Running, SimulationReport, report_page

_COURSES: Final = {"scoring": "hourglass"}
"""The track by default of race types that need more than a track: debris is laid out on it."""
MOST_AT_ONCE: Final = 6
"""The most vehicles in a race."""
FIELD: Final = 4
"""Vehicles at a time, if more are named than a race has room for."""


_SHARED: Sequence[Callable[..., Any]] = (
    click.option(
        "--track",
        "tracks",
        metavar="NAME",
        multiple=True,
        help="A track of a pack, or of a folder of yours.",
    ),
    click.option(
        "--option",
        "rules",
        metavar="NAME[=on|off|FIGURE]",
        multiple=True,
        help="Turn this option of the rules on or off, or change its figure.",
    ),
    click.option(
        "--seed",
        type=click.IntRange(0),
        default=1,
        show_default=True,
        help="Seed of the dice; the same seed gives the same result.",
    ),
    click.option(
        "--driver",
        type=click.Choice(simulation.LEVELS),
        default=simulation.STEADY,
        show_default=True,
        help="Driver: one who misjudges, one who plays safe, or one who takes risks.",
    ),
    options.jobs,
    html,
    options.format_,
)


class RaceOptions(Struct, frozen=True):
    """The options that all commands share. page: the HTML file, if wanted."""

    tracks: tuple[str, ...]
    rules: tuple[str, ...]
    seed: int
    driver: str
    jobs: int
    page: Path | None
    format_: str

    def running(
        self,
        races: int,
        told: Callable[[int, int], None],
        field: int | None = None,
        race: RaceType = RaceType(),  # noqa: B008, it is frozen
    ) -> Running:
        """Return how to run so many races."""
        return Running(race, races, self.seed, self.jobs, field, told, self.driver)


def race_options(command: Callable[..., int]) -> Callable[..., int]:
    """Add the options of races; the command takes them as `asked`."""

    @wraps(command)
    def with_asked(
        *,
        tracks: tuple[str, ...],
        rules: tuple[str, ...],
        seed: int,
        driver: str,
        jobs: int,
        page: Path | None,
        format_: str,
        **own: Any,
    ) -> int:
        return command(**own, asked=RaceOptions(tracks, rules, seed, driver, jobs, page, format_))

    for option in reversed(_SHARED):
        with_asked = option(with_asked)
    return with_asked


class Meeting(Struct, frozen=True):
    """Vehicles, tracks and options of races."""

    entrants: tuple[Entrant, ...]
    tracks: tuple[Values, ...]
    options: tuple[Values, ...]

    @property
    def track(self) -> Values:
        """The first track."""
        return self.tracks[0]

    @property
    def vehicles(self) -> tuple[Values, ...]:
        """The values of the vehicles."""
        return tuple(entrant.component.values for entrant in self.entrants)

    @property
    def components(self) -> Mapping[str, Sequence[Values]]:
        """The components of the first vehicle's pack, with the options in force."""
        return {**self.entrants[0].components, "option": self.options}


def open_meeting(
    names: Sequence[str], asked: RaceOptions, tracks: Sequence[str] = (TRACK,)
) -> Meeting | None:
    """Open vehicles and tracks; None if a pack has mistakes, which are shown.

    tracks: defaults, by id. Raises GridpressError for a missing name (GP921, GP915), a
    wrong option (GP923), or a page that cannot be written (GP702).
    """
    listed = [find_track(name) for name in asked.tracks]
    outcome = open_vehicles(names)
    errors = [d for d in outcome.diagnostics if d.severity is Severity.ERROR]
    terminal.show(errors)
    if errors or not outcome.value:
        return None
    if asked.page is not None:
        page_must_be_writable(asked.page)
    options = _rules(outcome.value[0], asked.rules)
    wanted = zip(listed, asked.tracks, strict=True)
    found = [track_of(one, name, outcome.value) for one, name in wanted]
    if None in found:
        return None
    chosen = [track for track in found if track is not None]
    chosen = chosen or [track_in(outcome.value[0], track) for track in tracks]
    return Meeting(outcome.value, tuple(chosen), options)


def _rules(entrant: Entrant, words: Sequence[str]) -> tuple[Values, ...]:
    options = entrant.components.get("option", ())
    asked: dict[str, RuleSetting] = {}
    faults = []
    for word in words:
        try:
            asked |= asked_for([word], options)
        except ValueError as error:
            faults.append(str(error))
    held = tuple(in_force(options, asked))
    faults += [f"{name}: {why}" for name, why in excluded(held)]
    place, hint = Span("--option"), "see options.yaml of the game"
    if faults:
        raise GridpressError(*(Diagnostic(place, "GP923", fault, hint) for fault in faults))
    if words:
        told = "is in force, and"
        terminal.show(
            [warning(place, "GP923", f"{n} {told} {why}", hint) for n, why in idle_options(held)]
        )
    return held


@contextmanager
def race_progress(what: str, track: Values, total: int) -> Iterator[Callable[[int, int], None]]:
    """Show the progress of races.

    Raises GridpressError (GP922) for an unsuitable track or number of vehicles, and Exit on Ctrl-C.
    """
    reached, whole = 0, total
    if not simulation.is_ready():
        terminal.note("preparing the racing engine, once on this computer: a minute or two")
    try:
        with progress_bar(str(track["id"])) as bar:

            def told(done: int, total: int) -> None:
                nonlocal reached, whole
                reached, whole = done, total
                bar(what, done, total)

            told(0, total)
            yield told
    except KeyboardInterrupt:
        how_far = f"{reached:,} of {whole:,} {what}"
        terminal.note(f"\nstopped after {how_far}; no results")
        raise click.exceptions.Exit(INTERRUPTED) from None
    except ValueError as error:
        fault = Diagnostic(
            track["layout"].span,
            "GP922",
            f"no race is possible on {track['id']}: {error}",
            "choose another --track, or fewer vehicles at a time with --field",
        )
        raise GridpressError(fault) from error


def tell(finding: SimulationReport, asked: RaceOptions) -> None:
    """Show a report; with a page, only its words."""
    page = asked.page
    if page is not None:
        write_page(page, report_page(finding, "Simulated races"))
    if asked.format_ == "json":
        told = {"title": finding.title, "words": list(finding.words), **finding.data}
        terminal.say_json(told)
        return
    terminal.say("\n".join((*finding.words, "")))
    if page is None:
        show_tables(finding.tables)


@click.command("simulate")
@click.argument("names", nargs=-1, required=True, metavar="NAME...")
@click.option(
    "--races",
    type=click.IntRange(1, 1_000_000),
    default=500,
    show_default=True,
    help="Races, or time trials of each vehicle.",
)
@click.option(
    "--field",
    type=click.IntRange(1, 12),
    help="Vehicles in a race, drawn by lot; 1: time trials.  [default: all, or 4 of more than 6]",
)
@click.option(
    "--type",
    "type_",
    type=click.Choice(list(TYPES)),
    default="fastest",
    show_default=True,
    help="The race type, as in the booklet; tag-team is fastest in two teams.",
)
@click.option(
    "--laps",
    type=click.IntRange(1, 100),
    help="Laps of a fastest or scoring race.  [default: 2 fastest, 1 of a time trial]",
)
@click.option(
    "--rounds",
    type=click.IntRange(1, 1000),
    help="Rounds after which other types end.  [default: 12 furthest, 10 scoring]",
)
@click.option(
    "--teams",
    type=click.IntRange(2, 3),
    help="Race in this many teams, drawn by lot for each race.",
)
@race_options
def simulate_vehicles(
    names: tuple[str, ...],
    races: int,
    field: int | None,
    type_: str,
    laps: int | None,
    rounds: int | None,
    teams: int | None,
    asked: RaceOptions,
) -> int:
    """Race vehicles: one NAME drives against the clock, several race each other.

    Name a pack to enter all its vehicles. Shows who wins and how often against a fair
    share, rounds a lap, wipe-outs, cards, collisions, attacks, and the spaces where control is
    lost; --html draws them on a map of the track. Each number has its 95% interval.
    """
    if len(asked.tracks) > 1:
        raise click.BadParameter("simulate takes one track", param_hint="--track")
    meeting = open_meeting(names, asked, (_COURSES.get(type_, TRACK),))
    if meeting is None:
        return 1
    at_once = _field(meeting, field)
    race = _race(type_, laps, rounds, teams, at_once)
    what, each = ("races", 1) if at_once > 1 else ("time trials", len(meeting.vehicles))
    with race_progress(what, meeting.track, races * each) as told:
        how = asked.running(races, told, at_once, race)
        found = raced(meeting.vehicles, meeting.track, meeting.components, how)
    tell(found, asked)
    return 0


def _race(
    name: str, laps: int | None, rounds: int | None, teams: int | None, cars: int
) -> RaceType:
    """Return the race type. Raises BadParameter for what does not go together."""
    if cars == 1 and TYPES[name] == FASTEST:
        laps = laps or 1
    try:
        race = RaceType.of(name, laps, rounds, teams or 0)
        race.must_suit(cars)
    except ValueError as error:
        raise click.BadParameter(str(error), param_hint="--type") from error
    return race


def _field(meeting: Meeting, field: int | None) -> int:
    """Return how many race at a time. Raises BadParameter for too many."""
    entered, most = len(meeting.entrants), MOST_AT_ONCE
    if field is None:
        return entered if entered <= most else FIELD
    if field > min(entered, most):
        why = f"{entered} named" if entered < most else f"a race is for {most} at most"
        raise click.BadParameter(f"{field} at a time, and {why}", param_hint="--field")
    return field
