"""`gridpress vehicle check`, and the names, pages and tables of all commands."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple, TypeVar

import click
from msgspec import Struct
from msgspec.structs import replace

from generator import writing
from generator.build import (
    OpenPack,
    Order,
    Standing,
    StepProgress,
    check_prints,
    draw,
    each_once,
    lay_out,
    open_pack,
)
from generator.cache import Cache
from generator.cli import (
    Listed,
    gathered,
    in_columns,
    in_reach,
    note,
    open_track,
    options,
    parted,
    progress_bar,
    say,
    terminal,
    the_one,
    written,
)
from generator.diagnostics import (
    Diagnostic,
    GridpressError,
    Outcome,
    Severity,
    Span,
)
from generator.load import Documents, read_pack, required_packs
from generator.model.pack import Component
from generator.project import Target, find_targets
from gridpress_chariot_dash.declared import (
    Values,
    in_force,
    settings,
)
from gridpress_chariot_dash.findings import Table

PACK: Final = "chariot-dash"
"""The game's pack; packs that require it play the game too."""
KIND: Final = "vehicle"
BASELINE: Final = "basic"
"""The vehicle that others are measured against."""
_NOT_PRINTED: Final = "GP606"
"""The code for a pack without prints of vehicles; such vehicles may still race."""


class Entrant(Struct, frozen=True):
    """A vehicle that passed its checks."""

    opened: OpenPack
    component: Component

    @property
    def components(self) -> Mapping[str, Sequence[Values]]:
        """The values of all components of its pack, by kind."""
        pack = self.opened.pack
        found = {kind: [c.values for c in of] for kind, of in pack.components.items()}
        options = found.get("option", [])
        return {**found, "option": list(in_force(options, settings(options, pack.options)))}

    def rival(self, name: str) -> Component | None:
        """Return another vehicle of this pack or of those it requires."""
        known = self.opened.pack.components.get(KIND, ())
        return next((c for c in known if c.id == name), None)


def vehicles_of(target: Target, documents: Documents) -> Outcome[tuple[Listed, ...]]:
    """Return the vehicles written in a pack, checked or not; none if it plays another game."""
    if PACK not in (target.pack, *required_packs(target.project, target.pack)):
        return Outcome(())
    read = read_pack(target.project, target.pack, None, documents)
    if read.value is None:
        return Outcome((), read.diagnostics)
    return Outcome(tuple(written(target, read.value, {KIND})), read.diagnostics)


def find_vehicles(targets: Iterable[Target], documents: Documents) -> tuple[Listed, ...]:
    """Return the vehicles of packs. Raises GridpressError if unreadable files leave none."""
    return gathered(vehicles_of(target, documents) for target in targets)


def find_vehicle(name: str, documents: Documents) -> Listed:
    """Return a vehicle. Raises GridpressError (GP921) unless there is exactly one."""
    where = name.rpartition("/")[0]
    known = find_vehicles(find_targets([where]) if where else in_reach(), documents)
    return the_one(name, known, "vehicle", "GP921")


def wanted(names: Sequence[str], documents: Documents) -> dict[Target, list[Listed]]:
    """Return vehicles by pack, of names, packs and folders; by default, all in reach.

    Raises GridpressError with everything wrong with the names.
    """
    if not names:
        every = {target: list(vehicles_of(target, documents).value) for target in in_reach()}
        return {target: listed for target, listed in every.items() if listed}
    found: dict[Target, list[Listed]] = {}
    for one in dict.fromkeys(vehicles_named(names, documents)):
        found.setdefault(one.target, []).append(one)
    return found


def vehicles_named(names: Sequence[str], documents: Documents) -> list[Listed]:
    """Return the vehicles of names, repeated as named. Raises GridpressError like `wanted`."""
    found: list[Listed] = []
    faults: list[Diagnostic] = []
    for name in names:
        try:
            found += _named(name, documents)
        except GridpressError as error:
            faults += error.diagnostics
    if faults:
        raise GridpressError(*faults)
    return found


def open_vehicles(names: Sequence[str]) -> Outcome[tuple[Entrant, ...]]:
    """Open the vehicles of names, in order, with the diagnostics of their packs.

    Vehicles with mistakes are missing from the value; mistakes in others do not matter.
    """
    documents = Documents()
    listed = vehicles_named(names, documents)
    packs: dict[Target, OpenPack | None] = {}
    said: list[Diagnostic] = []
    targets = dict.fromkeys(one.target for one in listed)
    for target in sorted(targets, key=lambda t: -len(required_packs(t.project, t.pack))):
        packs[target] = next(
            (o for o in packs.values() if o is not None and holds(o, target)), None
        )
        if packs[target] is None:
            outcome = open_pack(target, Order(), in_parts=True, standing=Standing(documents))
            packs[target] = outcome.value
            said += outcome.diagnostics
    entrants = tuple(_entrants(listed, packs, said))
    if len(entrants) < len(listed):
        beside, theirs = parted(
            said, listed, [v for t in targets for v in vehicles_of(t, documents).value]
        )
        said = [*beside, *theirs]
    else:
        said = [d for d in said if d.severity is not Severity.ERROR]
    return Outcome(entrants, tuple(dict.fromkeys(said)))


def holds(opened: OpenPack, target: Target) -> bool:
    """Tell whether an opened pack is the target's, or requires it."""
    folder = opened.target.project.cards(target.pack)
    known = (opened.pack.name, *opened.pack.requires)
    return target.pack in known and folder.resolve() == target.project.cards(target.pack).resolve()


def _entrants(
    listed: Sequence[Listed], packs: Mapping[Target, OpenPack | None], said: Sequence[Diagnostic]
) -> Iterator[Entrant]:
    for one in listed:
        opened = packs[one.target]
        if opened is None or any(d.severity is Severity.ERROR and one.holds(d.span) for d in said):
            continue
        known = opened.pack.components.get(one.kind, ())
        found = next((c for c in known if c.id == one.id), None)
        if found is not None:
            yield Entrant(opened, found)


def no_vehicle(name: str, hint: str) -> GridpressError:
    """Return the error for a missing vehicle."""
    return GridpressError(Diagnostic(Span(name), "GP921", f"there is no vehicle {name!r}", hint))


def _named(name: str, documents: Documents) -> Iterator[Listed]:
    """Yield the vehicles of a pack or folder, or one vehicle."""
    try:
        targets = find_targets([name])
    except GridpressError:
        yield find_vehicle(name, documents)
        return
    listed = find_vehicles(targets, documents)
    if not listed:
        raise no_vehicle(name, "this pack has none; gridpress new vehicle NAME starts one")
    yield from listed


@click.command("check")
@click.argument("names", nargs=-1, metavar="[PACK|NAME]...")
@options.format_
@options.jobs
@options.cache
@options.strict
def check_vehicles(
    names: tuple[str, ...], format_: str, jobs: int, cache: Cache, strict: bool
) -> int:
    """Check vehicles against the creation guide, and whether their kits can be printed.

    An error means that a vehicle cannot be played or built. A warning means that the guide advises
    against it, and says why. Without a name, checks all vehicles that it finds. Other mistakes in
    their packs are not reported.
    """
    said: list[Diagnostic] = []
    documents, order = Documents(), Order(jobs=jobs, cache=cache)
    for target, vehicles in wanted(names, documents).items():
        with progress_bar(target.pack) as progress:
            found = _looked_at(target, vehicles, order, documents, progress)
        own = [d for one in vehicles for d in found.of[one] or ()]
        said += dict.fromkeys((*found.beside, *own))
        if format_ == "text":
            terminal.show(list(dict.fromkeys((*found.beside, *own))))
            for one in vehicles:
                theirs = found.of[one]
                told = "not checked" if theirs is None else terminal.summary(theirs)
                terminal.say(f"{one.name}: {told}")
    if format_ == "json":
        terminal.show_json(said)
    return int(terminal.has_failed(said, strict))


class _Looked(NamedTuple):
    """Diagnostics by vehicle, None if not checked, and those about their files."""

    of: Mapping[Listed, Sequence[Diagnostic] | None]
    beside: Sequence[Diagnostic]


def _looked_at(
    target: Target,
    vehicles: Sequence[Listed],
    order: Order,
    documents: Documents,
    progress: StepProgress,
) -> _Looked:
    """Check vehicles of a pack as written and as printed."""
    standing, every = Standing(documents), vehicles_of(target, documents).value
    opened = open_pack(target, order, in_parts=True, standing=standing)
    beside, theirs = parted(opened.diagnostics, vehicles, every)
    known = () if opened.value is None else opened.value.pack.components.get(KIND, ())
    read = {component.id for component in known}
    right = [
        one
        for one in vehicles
        if one.id in read and Outcome(None, tuple(d for d in theirs if one.holds(d.span))).ok
    ]
    wrong = [one for one in vehicles if one not in right]
    if wrong and not opened.ok:
        prints = () if opened.value is None else opened.value.pack.prints
        unprinted = not any(KIND in one.kinds for one in prints)
        asked = replace(order, only=_asking(wrong))
        drawn = lay_out(target, asked, None, progress, standing, unprinted)
        _, theirs = parted((*theirs, *drawn.diagnostics), vehicles, every)
    found: dict[Listed, Sequence[Diagnostic] | None] = {}
    for one in vehicles:
        own = list(dict.fromkeys(d for d in theirs if one.holds(d.span)))
        found[one] = own if own or not beside or one.id in read else None
    if opened.value is not None:
        for one, printed in _printed(opened.value, right, order, progress):
            found[one] = [*(found[one] or ()), *printed]
    return _Looked(found, beside)


def _asking(vehicles: Sequence[Listed]) -> str:
    return ", ".join(f"{one.kind}/{one.id}" for one in vehicles)


def _printed(
    opened: OpenPack, vehicles: Sequence[Listed], order: Order, progress: StepProgress
) -> Iterator[tuple[Listed, Sequence[Diagnostic]]]:
    """Yield the diagnostics of printing vehicles.

    Vehicles with mistakes are split from the others, so that all are looked at.
    """
    if not vehicles:
        return
    order = replace(order, only=_asking(vehicles))
    said = check_prints(opened, order, progress)
    if any(d.code == _NOT_PRINTED for d in said):
        said = draw(each_once(opened), order, progress=progress).diagnostics
    if len(vehicles) > 1 and said:
        half = len(vehicles) // 2
        yield from _printed(opened, vehicles[:half], order, progress)
        yield from _printed(opened, vehicles[half:], order, progress)
    else:
        yield from ((one, said) for one in vehicles)


TRACK: Final = "oval"
"""The track by default."""
_ELSEWHERE: Final = "choose another file with --html"

Command = TypeVar("Command", bound=Callable[..., Any])


def html(command: Command) -> Command:
    """Add `--html FILE`."""
    return click.option(
        "--html",
        "page",
        metavar="FILE",
        type=click.Path(dir_okay=False, path_type=Path),
        help="Write a page with charts to this file.",
    )(command)


def track_of(listed: Listed, name: str, entrants: Sequence[Entrant]) -> Values | None:
    """Return a track's values; None if it has mistakes, which are shown."""
    for entrant in entrants:
        if holds(entrant.opened, listed.target):
            return track_in(entrant, listed.id)
    opened, component = open_track(name)
    errors = [d for d in opened.diagnostics if d.severity is Severity.ERROR]
    terminal.show(errors)
    return None if errors or component is None else component.values


def track_in(entrant: Entrant, name: str) -> Values:
    """Return a track of the vehicle's pack. Raises GridpressError (GP915) if missing."""
    pack = entrant.opened.pack
    kinds = (kind.name for kind in pack.kinds.values() if kind.is_layout)
    tracks = (component for kind in kinds for component in pack.components[kind])
    found = next((track for track in tracks if track.id == name), None)
    if found is None:
        message = f"there is no track {name!r} in {pack.name}"
        raise GridpressError(Diagnostic(Span(name), "GP915", message, "name one with --track"))
    return found.values


def show_tables(tables: Sequence[Table]) -> None:
    """Print tables one below the other."""
    for table in tables:
        say("\n".join((*_aligned(table), "")))


def _aligned(table: Table) -> list[str]:
    rows = [table.columns, *table.rows] if any(table.columns) else list(table.rows)
    note = [table.note] if table.note else []
    return [table.title, *(f"  {line}" for line in (*in_columns(rows), *note))]


def page_must_be_writable(path: Path) -> None:
    """Raise what `write_page` would raise, before long work."""
    _make_folder(path)
    writing.must_be_writable(path, _ELSEWHERE, "page")


def write_page(path: Path, text: str) -> None:
    """Write the page. Raises GridpressError (GP702) if that fails."""
    _make_folder(path)
    writing.write_named(path, text.encode(), _ELSEWHERE, "page")
    note(f"wrote {path}")


def _make_folder(path: Path) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        message = f"the page cannot be written: {error.strerror}"
        raise GridpressError(Diagnostic(Span(str(path)), "GP702", message, _ELSEWHERE)) from error
