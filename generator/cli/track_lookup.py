"""Finds a track by its name, and opens the pack that has it."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from generator.diagnostics import (
    Diagnostic,
    GridpressError,
    Outcome,
    Severity,
    Span,
    did_you_mean,
    nearest,
)
from generator.load import read_pack
from generator.model.pack import Component, Pack, Record
from generator.model.source import Mapping, Node, PackSource, Scalar
from generator.model.source import Sequence as WrittenList
from generator.order import Order
from generator.prepress import open_pack
from generator.print_runs import OpenPack
from generator.project import Project, Target, find_targets, shipped_root
from generator.tracks import Tile, tile_of

_COUNTS: Final = "counts are such as '6S 8C': 6 straights, 8 curves"


class Listed(Struct, frozen=True):
    """A track as it is written in a pack, found right or not: its kind, id and place, and the place
    of what comes after it in its file. shared: places of what its aliases (*name) stand for."""

    target: Target
    kind: str
    id: str
    span: Span
    until: Span | None = None
    shared: frozenset[Span] = frozenset()

    @property
    def name(self) -> str:
        """`pack/id`."""
        return f"{self.target.pack}/{self.id}"

    def holds(self, span: Span) -> bool:
        """True for a place in the track's own lines, or in what it shares with another."""
        after = self.until is None or span < self.until
        own = span.file == self.span.file and self.span <= span and after
        return own or span in self.shared


def tracks_of(target: Target) -> Outcome[tuple[Listed, ...]]:
    """The tracks that a pack writes itself; whether they are right is not looked at. With what
    keeps its files from being read."""
    read = read_pack(target.project, target.pack, None)
    tracks = (
        () if read.value is None else tuple(written(target, read.value, set(_kinds(read.value))))
    )
    return Outcome(tracks, read.diagnostics)


def find_tracks(targets: Iterable[Target]) -> tuple[Listed, ...]:
    """The tracks of some packs. Raises GridpressError when there is none because files cannot be
    read."""
    return gathered(map(tracks_of, targets))


def gathered(read: Iterable[Outcome[tuple[Listed, ...]]]) -> tuple[Listed, ...]:
    """What is listed in some packs. Raises GridpressError when that is nothing because files cannot
    be read."""
    read = tuple(read)
    listed = tuple(one for outcome in read for one in outcome.value)
    faults = [d for outcome in read if not outcome.ok for d in outcome.diagnostics]
    if faults and not listed:
        raise GridpressError(*faults)
    return listed


def parted(
    found: Iterable[Diagnostic], wanted: Sequence[Listed], every: Sequence[Listed]
) -> tuple[list[Diagnostic], list[Diagnostic]]:
    """Of what is said of a pack: the errors beside `every` listed component, which may keep these
    from being looked at, and what is said of those that are wanted."""
    found = tuple(found)
    beside = [
        d
        for d in found
        if d.severity is Severity.ERROR and not any(one.holds(d.span) for one in every)
    ]
    return beside, [d for d in found if any(one.holds(d.span) for one in wanted)]


def find_track(name: str) -> Listed:
    """The track of a name: `pack/id`, `folder/id`, or an id that only one pack has.

    Raises GridpressError: GP915 when there is none or more than one, GP001 for an unknown pack.
    """
    where = name.rpartition("/")[0]
    known = find_tracks(find_targets([where]) if where else in_reach())
    return the_one(name, known, "track", "GP915")


def the_one(name: str, known: Sequence[Listed], what: str, code: str) -> Listed:
    """The component with this id, or `where/id`, among those that are known.

    Raises GridpressError with the code when there is none or more than one.
    """
    wanted = name.rpartition("/")[2]
    found = [one for one in known if one.id == wanted]
    if len(found) == 1:
        return found[0]
    if found:
        names = " or ".join(one.name for one in found)
        raise _fault(code, name, f"which {what}: {names}?", f"write {found[0].name}")
    near = nearest(wanted, (one.id for one in known))
    meant = [one.name for one in known if one.id == near]
    hint = did_you_mean(meant[0] if meant else name, (one.name for one in known))
    raise _fault(code, name, f"there is no {what} {name!r}", hint or f"no pack here has {what}s")


def open_track(
    name: str, *, wrong_too: bool = False
) -> tuple[Outcome[OpenPack | None], Component | None]:
    """The pack of a track, with all that is said of it, and the track if it is right, whatever is
    wrong beside it; `wrong_too`, to show it, also one that is not, if its course can be read."""
    track = find_track(name)
    outcome = open_pack(track.target, Order(), in_parts=True)
    if outcome.value is None:
        return outcome, None
    components: tuple[Component, ...] = outcome.value.pack.components.get(track.kind, ())
    if wrong_too:
        sketches = outcome.value.pack.sketches
        components += tuple(sketch for sketch in sketches if sketch.kind == track.kind)
        return outcome, next((c for c in components if c.id == track.id), None)
    wrong = any(d.severity is Severity.ERROR and track.holds(d.span) for d in outcome.diagnostics)
    return outcome, next((c for c in components if c.id == track.id and not wrong), None)


def open_yard(name: str) -> tuple[Pack, str | None]:
    """The pack that has tiles, whatever is wrong with its tracks, and of `pack/kind` the kind.

    Raises GridpressError: GP914 for another name, else all that is wrong in the pack.
    """
    kind = None
    try:
        targets = find_targets([name])
    except GridpressError as error:
        where, _, kind = name.rpartition("/")
        if not where:
            [said] = error.diagnostics
            message = f"{name!r} is no count of tiles, and no pack or folder"
            raise _fault("GP914", name, message, f"{said.hint}\n{_COUNTS}".strip()) from error
        targets = find_targets([where])
    if len(targets) > 1:
        names = ", ".join(target.pack for target in targets)
        raise _fault("GP914", name, f"which pack: {names}?", "name the one that has the tiles")
    outcome = open_pack(targets[0], Order(), in_parts=True)
    tracks = () if outcome.ok else tracks_of(targets[0]).value
    beside = [d for d in outcome.diagnostics if not any(track.holds(d.span) for track in tracks)]
    if outcome.value is None or not Outcome(None, tuple(beside)).ok:
        raise GridpressError(*outcome.diagnostics)
    return outcome.value.pack, kind


def is_wrong(outcome: Outcome[OpenPack | None], component: Component) -> bool:
    """True when something in a track's own lines is an error."""
    if outcome.value is None:
        return True
    tracks = tracks_of(outcome.value.target).value
    track = next(t for t in tracks if (t.kind, t.id) == (component.kind, component.id))
    return any(d.severity is Severity.ERROR and track.holds(d.span) for d in outcome.diagnostics)


def tiles_for(pack: Pack, component: Component) -> tuple[Tile, ...]:
    """All tiles of the kinds of which a track is laid."""
    kinds = dict.fromkeys(tile["kind"] for tile in layout_of(component)["tiles"] if tile["kind"])
    found = (one.values["tile"] for kind in kinds for one in pack.components.get(kind, ()))
    return tuple(map(tile_of, found))


def layout_of(component: Component) -> Record:
    """The record `layout` of a track."""
    found: Record = component.values["layout"]
    return found


def in_reach() -> Sequence[Target]:
    """The packs of the current folder, then those that are shipped under other names."""
    shipped = Project(shipped_root(), shipped_root())
    here = find_targets(())
    names = {target.pack for target in here}
    return (*here, *(Target(shipped, pack) for pack in shipped.packs() if pack not in names))


def written(target: Target, source: PackSource, kinds: Collection[str]) -> Iterator[Listed]:
    """The components of some kinds that a pack writes itself, right or not."""
    for number, component in enumerate(source.components):
        name = component.node.get("id")
        if component.kind.text in kinds and isinstance(name, Scalar):
            rest = source.components[number + 1 :]
            span = component.node.span
            after = (c.node.span for c in rest if c.node.span.file == span.file)
            until = min((s for s in after if s > span), default=None)
            one = Listed(target, component.kind.text, name.text, span, until)
            shared = (s for s in _spans(component.node) if not one.holds(s))
            yield replace(one, shared=frozenset(shared))


def _spans(node: Node) -> Iterator[Span]:
    """Places of all keys and values below a node; an alias has those of what it stands for."""
    waiting = [node]
    while waiting:
        node = waiting.pop()
        yield node.span
        if isinstance(node, Mapping):
            waiting += (part for entry in node.entries for part in entry)
        elif isinstance(node, WrittenList):
            waiting += node.items


def _kinds(source: PackSource) -> Iterator[str]:
    """The kinds of layouts that a pack knows, its own and those of packs that it requires."""
    for document in source.kinds:
        if isinstance(document.root, Mapping) and document.root.get("layout") is not None:
            kind = document.root.get("kind")
            yield kind.text if isinstance(kind, Scalar) else document.file.rpartition("/")[2][:-5]
    for required in source.required:
        yield from _kinds(required)


def _fault(code: str, name: str, message: str, hint: str) -> GridpressError:
    return GridpressError(Diagnostic(Span(name), code, message, hint))
