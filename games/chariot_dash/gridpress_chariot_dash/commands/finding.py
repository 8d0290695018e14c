"""Names of vehicles in; where they are written, or the vehicles with their pack and game, out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from generator.cli.layouts import Listed, in_reach, the_one, written
from generator.diagnostics import Diagnostic, GridpressError, Outcome, Span
from generator.load import read_pack, required_packs
from generator.model.pack import Component
from generator.order import Order
from generator.prepress import OpenPack, open_pack
from generator.project import Target, find_targets
from generator.workers import collect_seldom
from gridpress_chariot_dash.table import Game, Values, game_of


@dataclass(frozen=True, slots=True)
class Entrant:
    """A vehicle of a pack that was found right, and the game that it plays."""

    opened: OpenPack
    component: Component
    game: Game

    @property
    def components(self) -> Mapping[str, Sequence[Values]]:
        """The values of all components of its pack, by kind."""
        kinds = self.opened.pack.components
        return {kind: [c.values for c in components] for kind, components in kinds.items()}

    def rival(self, name: str) -> Component | None:
        """Another vehicle of the same pack, or of those that it requires."""
        known = self.opened.pack.components.get(self.game.KIND, ())
        return next((c for c in known if c.id == name), None)


def vehicles_of(target: Target) -> Outcome[tuple[Listed, ...]]:
    """The vehicles that a pack writes itself, right or not; none without rules of its game. With
    what keeps its files from being read."""
    game = game_of(target.pack, required_packs(target.project, target.pack))
    if game is None:
        return Outcome(())
    read = read_pack(target.project, target.pack, None)
    if read.value is None:
        return Outcome((), read.diagnostics)
    return Outcome(tuple(written(target, read.value, {game.KIND})), read.diagnostics)


def find_vehicles(targets: Iterable[Target]) -> tuple[Listed, ...]:
    """The vehicles of some packs. Raises GridpressError when there is none because files cannot be
    read."""
    read = [vehicles_of(target) for target in targets]
    vehicles = tuple(one for outcome in read for one in outcome.value)
    faults = [d for outcome in read if not outcome.ok for d in outcome.diagnostics]
    if faults and not vehicles:
        raise GridpressError(*faults)
    return vehicles


def find_vehicle(name: str) -> Listed:
    """One vehicle. Raises GridpressError: GP921 when there is none or more than one."""
    where = name.rpartition("/")[0]
    known = find_vehicles(find_targets([where]) if where else in_reach())
    return the_one(name, known, "vehicle", "GP921")


def wanted(names: Sequence[str]) -> dict[Target, list[Listed]]:
    """By pack the vehicles of names, of whole packs and folders too; of all in reach without any.

    Raises GridpressError with everything that is wrong with the names.
    """
    if not names:
        every = {target: list(vehicles_of(target).value) for target in in_reach()}
        return {target: listed for target, listed in every.items() if listed}
    found: dict[Target, list[Listed]] = {}
    for one in dict.fromkeys(in_order(names)):
        found.setdefault(one.target, []).append(one)
    return found


def in_order(names: Sequence[str]) -> list[Listed]:
    """The vehicles of names, as often as they are named. Raises GridpressError as `wanted`."""
    found: list[Listed] = []
    faults: list[Diagnostic] = []
    for name in names:
        try:
            found += _named(name)
        except GridpressError as error:
            faults += error.diagnostics
    if faults:
        raise GridpressError(*faults)
    return found


def open_vehicles(names: Sequence[str]) -> Outcome[tuple[Entrant, ...]]:
    """The vehicles in the order of their names, with all that is said of their packs.

    A pack that another of them requires is taken from there. The value is short of those whose
    pack is not right.
    """
    collect_seldom()
    listed = in_order(names)
    packs: dict[Target, OpenPack | None] = {}
    said: list[Diagnostic] = []
    targets = dict.fromkeys(one.target for one in listed)
    for target in sorted(targets, key=lambda t: -len(required_packs(t.project, t.pack))):
        packs[target] = next(
            (o for o in packs.values() if o is not None and holds(o, target)), None
        )
        if packs[target] is None:
            outcome = open_pack(target, Order())
            packs[target] = outcome.value
            said += outcome.diagnostics
    return Outcome(tuple(_entrants(listed, packs)), tuple(dict.fromkeys(said)))


def holds(opened: OpenPack, target: Target) -> bool:
    """Whether an opened pack is that of the target, or requires it."""
    folder = opened.target.project.cards(target.pack)
    known = (opened.pack.name, *opened.pack.requires)
    return target.pack in known and folder.resolve() == target.project.cards(target.pack).resolve()


def _entrants(
    listed: Sequence[Listed], packs: Mapping[Target, OpenPack | None]
) -> Iterator[Entrant]:
    for one in listed:
        opened = packs[one.target]
        game = game_of(opened.pack.name, opened.pack.requires) if opened is not None else None
        if opened is not None and game is not None:
            known = opened.pack.components[one.kind]
            yield Entrant(opened, next(c for c in known if c.id == one.id), game)


def no_vehicle(name: str, hint: str) -> GridpressError:
    """The error for a vehicle that is not there."""
    return GridpressError(Diagnostic(Span(name), "GP921", f"there is no vehicle {name!r}", hint))


def _named(name: str) -> Iterator[Listed]:
    """All vehicles of a pack or folder, or one vehicle."""
    try:
        targets = find_targets([name])
    except GridpressError:
        yield find_vehicle(name)
        return
    listed = find_vehicles(targets)
    if not listed:
        raise no_vehicle(name, "this pack has none; gridpress new vehicle NAME starts one")
    yield from listed
