"""`gridpress vehicle check`, and how vehicles are found by their names."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final, NamedTuple

import click
from msgspec import Struct
from msgspec.structs import replace

from generator.cache import Cache
from generator.cli import (
    Listed,
    gathered,
    in_reach,
    options,
    parted,
    progress_bar,
    terminal,
    the_one,
    written,
)
from generator.diagnostics import Diagnostic, GridpressError, Outcome, Severity, Span
from generator.load import Documents, read_pack, required_packs
from generator.model.pack import Component
from generator.order import Order
from generator.prepress import StepProgress, draw, each_once, lay_out, open_pack
from generator.press import proof_pack
from generator.print_runs import OpenPack, Standing
from generator.project import Target, find_targets
from gridpress_chariot_dash.declared import Values, in_force, settings

PACK: Final = "chariot-dash"
"""This pack, and each that requires it, plays the game."""
KIND: Final = "vehicle"
BASELINE: Final = "basic"
"""The id of the vehicle that all others are measured against."""
_NOT_PRINTED: Final = "GP606"
"""Said of a pack without prints for a vehicle: it may still be raced, and its faces are drawn."""


class Entrant(Struct, frozen=True):
    """A vehicle of a pack that was found right."""

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
        """Another vehicle of the same pack, or of those that it requires."""
        known = self.opened.pack.components.get(KIND, ())
        return next((c for c in known if c.id == name), None)


def vehicles_of(target: Target, documents: Documents) -> Outcome[tuple[Listed, ...]]:
    """The vehicles that a pack writes itself, right or not; none if it plays another game. With
    what keeps its files from being read. documents: those that were read before."""
    if PACK not in (target.pack, *required_packs(target.project, target.pack)):
        return Outcome(())
    read = read_pack(target.project, target.pack, None, documents)
    if read.value is None:
        return Outcome((), read.diagnostics)
    return Outcome(tuple(written(target, read.value, {KIND})), read.diagnostics)


def find_vehicles(targets: Iterable[Target], documents: Documents) -> tuple[Listed, ...]:
    """The vehicles of some packs. Raises GridpressError when there is none because files cannot be
    read."""
    return gathered(vehicles_of(target, documents) for target in targets)


def find_vehicle(name: str, documents: Documents) -> Listed:
    """One vehicle. Raises GridpressError: GP921 when there is none or more than one."""
    where = name.rpartition("/")[0]
    known = find_vehicles(find_targets([where]) if where else in_reach(), documents)
    return the_one(name, known, "vehicle", "GP921")


def wanted(names: Sequence[str], documents: Documents) -> dict[Target, list[Listed]]:
    """By pack the vehicles of names, of whole packs and folders too; of all in reach without any.

    Raises GridpressError with everything that is wrong with the names.
    """
    if not names:
        every = {target: list(vehicles_of(target, documents).value) for target in in_reach()}
        return {target: listed for target, listed in every.items() if listed}
    found: dict[Target, list[Listed]] = {}
    for one in dict.fromkeys(in_order(names, documents)):
        found.setdefault(one.target, []).append(one)
    return found


def in_order(names: Sequence[str], documents: Documents) -> list[Listed]:
    """The vehicles of names, as often as they are named. Raises GridpressError as `wanted`."""
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
    """The vehicles in the order of their names, with all that is said of their packs.

    A pack that another of them requires is taken from there. What is wrong with other vehicles of a
    pack keeps none from racing. The value is short of those that are not right.
    """
    documents = Documents()
    listed = in_order(names, documents)
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
    """Whether an opened pack is that of the target, or requires it."""
    folder = opened.target.project.cards(target.pack)
    known = (opened.pack.name, *opened.pack.requires)
    return target.pack in known and folder.resolve() == target.project.cards(target.pack).resolve()


def _entrants(
    listed: Sequence[Listed], packs: Mapping[Target, OpenPack | None], said: Sequence[Diagnostic]
) -> Iterator[Entrant]:
    """Those that are right."""
    for one in listed:
        opened = packs[one.target]
        if opened is None or any(d.severity is Severity.ERROR and one.holds(d.span) for d in said):
            continue
        known = opened.pack.components.get(one.kind, ())
        found = next((c for c in known if c.id == one.id), None)
        if found is not None:
            yield Entrant(opened, found)


def no_vehicle(name: str, hint: str) -> GridpressError:
    """The error for a vehicle that is not there."""
    return GridpressError(Diagnostic(Span(name), "GP921", f"there is no vehicle {name!r}", hint))


def _named(name: str, documents: Documents) -> Iterator[Listed]:
    """All vehicles of a pack or folder, or one vehicle."""
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
def check(names: tuple[str, ...], format_: str, jobs: int, cache: Cache, strict: bool) -> int:
    """Check vehicles against the creation guide, and whether their kits can be printed; nothing is
    said of the rest of their pack.

    An error is what the game cannot be played with, or what a build would refuse; a warning is what
    the guide advises against, with its reason. Without a name: all vehicles in reach.
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
                told = "not looked at" if theirs is None else terminal.summary(theirs)
                terminal.say(f"{one.name}: {told}")
    if format_ == "json":
        terminal.show_json(said)
    return int(terminal.has_failed(said, strict))


class _Looked(NamedTuple):
    """What was found of each vehicle, None where it could not be looked at, and beside all."""

    of: Mapping[Listed, Sequence[Diagnostic] | None]
    beside: Sequence[Diagnostic]


def _looked_at(
    target: Target,
    vehicles: Sequence[Listed],
    order: Order,
    documents: Documents,
    progress: StepProgress,
) -> _Looked:
    """What is wrong with vehicles of a pack as they are written and as they are printed."""
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
    """What asks for the kits of these alone."""
    return ", ".join(f"{one.kind}/{one.id}" for one in vehicles)


def _printed(
    opened: OpenPack, vehicles: Sequence[Listed], order: Order, progress: StepProgress
) -> Iterator[tuple[Listed, Sequence[Diagnostic]]]:
    """What a build would say of the kits of vehicles. Those of which it says something are parted
    from the others, so that none keeps another from being looked at."""
    if not vehicles:
        return
    order = replace(order, only=_asking(vehicles))
    said = proof_pack(opened, order, progress)
    if any(d.code == _NOT_PRINTED for d in said):
        said = draw(each_once(opened), order, progress=progress).diagnostics
    if len(vehicles) > 1 and said:
        half = len(vehicles) // 2
        yield from _printed(opened, vehicles[:half], order, progress)
        yield from _printed(opened, vehicles[half:], order, progress)
    else:
        yield from ((one, said) for one in vehicles)
