"""`gridpress vehicle simulate`, and what all commands that race have in common: names, tracks and
options read, races run and told, as tables on a terminal and with `--html FILE` as a page."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import wraps
from pathlib import Path
from typing import Any, Final, TypeVar

import click
from msgspec import Struct

from generator import writing
from generator.cli import (
    INTERRUPTED,
    Listed,
    find_track,
    in_columns,
    note,
    open_track,
    options,
    progress_bar,
    say,
    terminal,
)
from generator.diagnostics import Diagnostic, GridpressError, Severity, Span, plain, warning
from gridpress_chariot_dash.commands.vehicles import Entrant, holds, open_vehicles
from gridpress_chariot_dash.declared import RuleSetting, Values, asked_for, excluded, idle, in_force
from gridpress_chariot_dash.findings import Running, SimulationReport, Table, report_page
from gridpress_chariot_dash.race import simulation
from gridpress_chariot_dash.race.layout import FASTEST
from gridpress_chariot_dash.race.setup import TYPES, RaceType
from gridpress_chariot_dash.race_report import raced

TRACK: Final = "oval"
"""The id of the track that is raced on when none is named."""
MOST_AT_ONCE: Final = 6
"""How many vehicles a race has room for."""
FIELD: Final = 4
"""How many race at a time when more are named than a race has room for."""
_ELSEWHERE: Final = "choose another file with --html"

Command = TypeVar("Command", bound=Callable[..., Any])


def html(command: Command) -> Command:
    """`--html FILE`."""
    return click.option(
        "--html",
        "page",
        metavar="FILE",
        type=click.Path(dir_okay=False, path_type=Path),
        help="Write a page with charts to this file; it holds everything that it needs.",
    )(command)


_SHARED: Sequence[Callable[..., Any]] = (
    click.option(
        "--track",
        "tracks",
        metavar="NAME",
        multiple=True,
        help="Any track, of a pack or of a folder of yours.",
    ),
    click.option(
        "--option",
        "rules",
        metavar="NAME[=on|off|FIGURE]",
        multiple=True,
        help="Race with this rules option on or off, or with another figure.",
    ),
    click.option(
        "--seed",
        type=click.IntRange(0),
        default=1,
        show_default=True,
        help="Another seed is other luck; the same one gives the same result.",
    ),
    click.option(
        "--driver",
        type=click.Choice(simulation.LEVELS),
        default=simulation.STEADY,
        show_default=True,
        help="Who drives: one who misjudges, one who plays safe, or one who takes risks.",
    ),
    options.jobs,
    html,
    options.format_,
)


class RaceOptions(Struct, frozen=True):
    """What the options that all commands share say. page: of HTML, if one is wanted."""

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
        """How to run so many races."""
        return Running(race, races, self.seed, self.jobs, field, told, self.driver)


def race_options(command: Callable[..., int]) -> Callable[..., int]:
    """Options of all commands that run races; the command takes them as `asked`."""

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
    """Vehicles, the tracks that they are to race on, and the rules options of their race."""

    entrants: tuple[Entrant, ...]
    tracks: tuple[Values, ...]
    options: tuple[Values, ...]

    @property
    def track(self) -> Values:
        """The first track."""
        return self.tracks[0]

    @property
    def vehicles(self) -> tuple[Values, ...]:
        """Their values."""
        return tuple(entrant.component.values for entrant in self.entrants)

    @property
    def components(self) -> Mapping[str, Sequence[Values]]:
        """What the rules in force are read from: those of the first one's pack."""
        return {**self.entrants[0].components, "option": self.options}


def open_meeting(
    names: Sequence[str], asked: RaceOptions, tracks: Sequence[str] = (TRACK,)
) -> Meeting | None:
    """Everything opened; None when a pack has mistakes, which have then been shown. tracks: of the
    game, where none are asked for.

    Raises GridpressError for a name that is not there (GP921, GP915), for an option that is not
    there (GP923), or a page that cannot be written (GP702), which must not be found out after the
    races.
    """
    listed = [find_track(name) for name in asked.tracks]
    outcome = open_vehicles(names)
    errors = [d for d in outcome.diagnostics if d.severity is Severity.ERROR]
    terminal.show(errors)
    if errors or not outcome.value:
        return None
    if asked.page is not None:
        must_be_writable(asked.page)
    options = _rules(outcome.value[0], asked.rules)
    wanted = zip(listed, asked.tracks, strict=True)
    found = [_track_of(one, name, outcome.value) for one, name in wanted]
    if None in found:
        return None
    chosen = [track for track in found if track is not None]
    chosen = chosen or [track_in(outcome.value[0], track) for track in tracks]
    return Meeting(outcome.value, tuple(chosen), options)


def _track_of(listed: Listed, name: str, entrants: Sequence[Entrant]) -> Values | None:
    """The values of a track; None when it has mistakes, which have then been shown."""
    for entrant in entrants:
        if holds(entrant.opened, listed.target):
            return track_in(entrant, listed.id)
    opened, component = open_track(name)
    errors = [d for d in opened.diagnostics if d.severity is Severity.ERROR]
    terminal.show(errors)
    return None if errors or component is None else component.values


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
        terminal.show([warning(place, "GP923", f"{n} {told} {why}", hint) for n, why in idle(held)])
    return held


def track_in(entrant: Entrant, name: str) -> Values:
    """A track that its pack has or requires. Raises GridpressError (GP915) where there is none."""
    pack = entrant.opened.pack
    kinds = (kind.name for kind in pack.kinds.values() if kind.is_layout)
    tracks = (component for kind in kinds for component in pack.components[kind])
    found = next((track for track in tracks if track.id == name), None)
    if found is None:
        message = f"there is no track {name!r} in {pack.name}"
        raise GridpressError(Diagnostic(Span(name), "GP915", message, "name one with --track"))
    return found.values


@contextmanager
def racing(what: str, track: Values, total: int) -> Iterator[Callable[[int, int], None]]:
    """A progress to report to while so many races are run.

    Raises GridpressError (GP922) for a track, or a number of vehicles, that will not do, and exits
    with the status of an interruption when it is stopped.
    """
    reached, whole = 0, total
    if not simulation.is_ready():
        terminal.note("making the racing engine ready, once on this computer: a minute or two")
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
        terminal.note(f"\nstopped after {how_far}, of which nothing is told")
        raise click.exceptions.Exit(INTERRUPTED) from None
    except ValueError as error:
        fault = Diagnostic(
            track["layout"].span,
            "GP922",
            f"nobody can race so on {track['id']}: {error}",
            "take another --track, or fewer vehicles at a time with --field",
        )
        raise GridpressError(fault) from error


def tell(finding: SimulationReport, asked: RaceOptions) -> None:
    """Show what was found; with a page, its words are shown and the rest is in there."""
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
    help="How many races, or time trials of each vehicle.",
)
@click.option(
    "--field",
    type=click.IntRange(1, 12),
    help="So many race at a time, drawn by lot; 1: time trials.  [default: all, 4 of more than 6]",
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
    help="Of each race, fastest or scoring.  [default: 2 fastest, 1 of a time trial]",
)
@click.option(
    "--rounds",
    type=click.IntRange(1, 1000),
    help="After which a race of the other types ends.  [default: 12 furthest, 10 scoring]",
)
@click.option(
    "--teams", type=click.IntRange(2, 3), help="Race in so many teams, drawn by lot for each race."
)
@race_options
def simulate(
    names: tuple[str, ...],
    races: int,
    field: int | None,
    type_: str,
    laps: int | None,
    rounds: int | None,
    teams: int | None,
    asked: RaceOptions,
) -> int:
    """Simulate: one NAME drives against the clock, several race each other, a pack's name enters
    all of its vehicles.

    Says who wins and how often against a fair share, rounds a lap, wipe-outs, cards, collisions,
    attacks, and the spaces where control is lost; with --html they are drawn on a map of the track.
    Each number has its 95% interval: the truth lies in there, most likely.
    """
    if len(asked.tracks) > 1:
        raise click.BadParameter("simulate takes one track", param_hint="--track")
    meeting = open_meeting(names, asked)
    if meeting is None:
        return 1
    at_once = _field(meeting, field)
    race = _race(type_, laps, rounds, teams, at_once)
    what, each = ("races", 1) if at_once > 1 else ("time trials", len(meeting.vehicles))
    with racing(what, meeting.track, races * each) as told:
        how = asked.running(races, told, at_once, race)
        found = raced(meeting.vehicles, meeting.track, meeting.components, how)
    tell(found, asked)
    return 0


def _race(
    name: str, laps: int | None, rounds: int | None, teams: int | None, cars: int
) -> RaceType:
    """What is raced; alone, one lap if nothing else is said. Raises BadParameter for what does not
    go together."""
    if cars == 1 and TYPES[name] == FASTEST:
        laps = laps or 1
    try:
        race = RaceType.of(name, laps, rounds, teams or 0)
        race.must_suit(cars)
    except ValueError as error:
        raise click.BadParameter(str(error), param_hint="--type") from error
    return race


def _field(meeting: Meeting, field: int | None) -> int:
    """How many race at a time. Raises BadParameter for more than there are, or too many."""
    entered, most = len(meeting.entrants), MOST_AT_ONCE
    if field is None:
        return entered if entered <= most else FIELD
    if field > min(entered, most):
        why = f"{entered} named" if entered < most else f"a race is for {most} at most"
        raise click.BadParameter(f"{field} at a time, and {why}", param_hint="--field")
    return field


def show_tables(tables: Sequence[Table]) -> None:
    """Print tables one below the other."""
    if sys.stdout.isatty():
        _draw_tables(tables)
    else:
        for table in tables:
            say("\n".join((*_aligned(table), "")))


def _draw_tables(tables: Sequence[Table]) -> None:
    # rich takes a while to import, and is needed only here.
    from rich.box import SIMPLE_HEAD
    from rich.console import Console
    from rich.table import Table as Drawn
    from rich.text import Text

    console = Console()
    for table in tables:
        has_head = any(table.columns)
        drawn = Drawn(box=SIMPLE_HEAD if has_head else None, show_header=has_head, show_edge=False)
        for place, name in enumerate(table.columns):
            drawn.add_column(Text(plain(name)), style="bold" if place == 0 else "")
        for row in table.rows:
            # The words are the author's: their [brackets] are no markup.
            drawn.add_row(*(Text(plain(cell)) for cell in row))
        console.print(Text(plain(table.title), style="bold"))
        if table.rows:
            console.print(drawn)
        console.print(Text(plain(table.note), style="dim"))


def _aligned(table: Table) -> list[str]:
    rows = [table.columns, *table.rows] if any(table.columns) else list(table.rows)
    note = [table.note] if table.note else []
    return [table.title, *(f"  {line}" for line in (*in_columns(rows), *note))]


def must_be_writable(path: Path) -> None:
    """Before long work: what `write_page` would raise is raised now; nothing is left behind but
    the page's folder."""
    _make_folder(path)
    writing.must_be_writable(path, _ELSEWHERE, "page")


def write_page(path: Path, text: str) -> None:
    """Write the page. Raises GridpressError (GP702) when it cannot be."""
    _make_folder(path)
    writing.write_named(path, text.encode(), _ELSEWHERE, "page")
    note(f"wrote {path}")


def _make_folder(path: Path) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        message = f"the page cannot be written: {error.strerror}"
        raise GridpressError(Diagnostic(Span(str(path)), "GP702", message, _ELSEWHERE)) from error
