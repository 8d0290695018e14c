"""Has components that an error makes unusable stand as they last were."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from msgspec.structs import replace

from generator.build.opening import OpenPack
from generator.model.pack import Component, Pack
from generator.model.source import PackSource

Ids = Mapping[str, frozenset[str]]
"""Ids of components, by kind."""


class Filled(NamedTuple):
    """A pack with the components that stand as they last were, their ids, and the pack that they
    are from."""

    opened: OpenPack
    stale: Ids
    before: Pack | None


class LastSound:
    """The last check of a pack that had all its components."""

    def __init__(self) -> None:
        self._last: Pack | None = None

    def filled(self, opened: OpenPack, source: PackSource, *, has_errors: bool) -> Filled:
        """Return a pack with the components that are missing because of errors; not with those that
        are no longer written."""
        pack, last = opened.pack, self._last
        stale: dict[str, frozenset[str]] = {}
        if has_errors and last is not None:
            written = _written(source)
            for kind in pack.kinds:
                ids = {one.id for one in last.components.get(kind, ())}
                ids -= {one.id for one in pack.components.get(kind, ())}
                ids &= written.get(kind, ids) if source.complete else ids
                if ids:
                    stale[kind] = frozenset(ids)
        if last is None or not stale:
            self._last = pack
            return Filled(opened, {}, None)
        components = {
            kind: tuple(_filled(now, last.components.get(kind, ()), stale.get(kind, ())))
            for kind, now in pack.components.items()
        }
        return Filled(replace(opened, pack=replace(pack, components=components)), stale, last)


def _written(source: PackSource) -> dict[str, set[str]]:
    """Return the ids that are written in the files of a pack, for the kinds that are."""
    found: dict[str, set[str]] = {}
    for one in (one for pack in (source, *source.lenders) for one in pack.components):
        found.setdefault(one.kind.text, set()).add(one.id)
    return found


def _filled(
    now: Sequence[Component], last: Sequence[Component], stale: frozenset[str] | tuple[()]
) -> Iterator[Component]:
    """Yield the components of now, and each stale one behind the one that it followed."""
    known = {one.id for one in now}
    behind: dict[str, list[Component]] = {}
    copies: dict[str, int] = {}
    followed = ""
    for one in last:
        if one.id in stale:
            behind.setdefault(followed, []).append(one)
        elif one.id in known:
            followed, copies[one.id] = one.id, one.quantity
    yield from behind.get("", ())
    for one in now:
        # Where components are missing, quantities that depend on all of them are not known.
        yield one if one.quantity else replace(one, quantity=copies.get(one.id, 0))
        yield from behind.get(one.id, ())
