"""Components that a check takes over from the last check of the same pack, because nothing that
they depend on has changed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from msgspec import Struct, field

from generator.diagnostics import Diagnostic
from generator.model.source import ComponentSource
from generator.validate.components import (
    Kept,
    Register,
    UnresolvedComponent,
    with_users,
)
from generator.validate.reading import Reading

Lent = Mapping[str, Sequence[UnresolvedComponent]]


class LastCheck(Struct):
    """The components of the last check, and the pictures and icons that it looked for. It is valid
    while the definitions of the pack stay the same."""

    by_kind: Mapping[str, tuple[UnresolvedComponent, ...]] = field(default_factory=dict)
    seen_assets: Mapping[tuple[str, str], Diagnostic | None] = field(default_factory=dict)

    def note(self, register: Register, reading: Reading) -> None:
        """Replace the last check by one that is finished."""
        self.by_kind = {name: tuple(found) for name, found in register.by_kind.items()}
        self.seen_assets = dict(reading.seen_assets)

    def kept(self, sources: Sequence[ComponentSource], lent: Lent, reading: Reading) -> Kept:
        """Return the components that stay as they are, ready for a new check.

        A component stays if it is written as before and had no findings, and if all components
        that it refers to stay. A track stays if all tiles that it may use do.
        """
        if any(reading.asset_fault(*key) != fault for key, fault in self.seen_assets.items()):
            return {}
        kept = self._as_written(sources, lent)
        here = set(map(id, kept.values())).union(*(map(id, found) for found in lent.values()))
        lost = [one for one in kept.values() if any(id(ref) not in here for ref in one.refs)]
        while lost or (lost := self._without_their_tiles(kept, sources, lent)):
            for one in with_users(kept.values(), lost):
                kept.pop((one.plan.kind.name, one.id), None)
            lost = []
        for one in kept.values():
            one.kept, one.done, one.origins = True, False, ()
        return kept

    def _as_written(self, sources: Iterable[ComponentSource], lent: Lent) -> Kept:
        """Return sound components that are written as before, with an id of their own."""
        nodes = {(source.kind.text, source.id): source.node for source in sources}
        times = Counter((source.kind.text, source.id) for source in sources)
        times.update((kind, one.id) for kind, found in lent.items() for one in found)
        known = (one for found in self.by_kind.values() for one in found)
        sound = (one for one in known if one.usable and one.clean and not one.plan.sees_components)
        by_key = {(one.plan.kind.name, one.id): one for one in sound}
        return {
            key: one
            for key, one in by_key.items()
            if times[key] == 1 and one.node == nodes.get(key)
        }

    def _without_their_tiles(
        self, kept: Kept, sources: Iterable[ComponentSource], lent: Lent
    ) -> list[UnresolvedComponent]:
        """Return the tracks of whose kinds of tiles one has changed."""
        tracks = [(one, one.plan.layout) for one in kept.values() if one.plan.layout is not None]
        kinds = {str(kind) for _, layout in tracks for kind in layout.tiles}
        now = {kind: list[object](lent.get(kind, ())) for kind in kinds}
        for source in sources if kinds else ():
            if source.kind.text in kinds:
                now[source.kind.text].append(kept.get((source.kind.text, source.id)))
        same = {kind for kind in kinds if now[kind] == [*self.by_kind.get(kind, ())]}
        return [one for one, layout in tracks if not same.issuperset(layout.tiles)]
