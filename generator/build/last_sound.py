"""Has components that an error makes unusable stand as they last were."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from msgspec.structs import replace

from generator.build.opening import OpenPack
from generator.diagnostics import Diagnostic, Severity
from generator.model.pack import Component, Pack
from generator.model.source import ComponentSource, PackSource

Ids = Mapping[str, frozenset[str]]
"""Ids of components, by kind."""
_Key = tuple[str, str]
"""The kind and the id of a component."""


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
        self._written: dict[_Key, ComponentSource] = {}

    def with_stand_ins(
        self, source: PackSource, pack: Pack, found: Iterable[Diagnostic]
    ) -> tuple[PackSource, dict[str, frozenset[str]]] | None:
        """Return the files with faulty components as they were last written, and their ids; None if
        only these are missing from the pack.

        One faulty component makes everything unknown that is worked out from all of its kind. Files
        with a stand-in for it say what the others are.
        """
        sound = _keys(pack)
        missing = {_key(one) for one in source.components} - sound
        faulty = missing & _with_errors(source, found)
        before = missing if self._last is None else _keys(self._last) - sound
        if not faulty or before <= faulty:
            return None
        written = {key: self._written[key] for key in faulty if key in self._written}
        stale: dict[str, frozenset[str]] = {}
        for kind, id_ in written:
            stale[kind] = stale.get(kind, frozenset()) | {id_}
        stand_ins = (written.get(_key(one), one) for one in source.components)
        kept = (one for one in stand_ins if _key(one) in written or _key(one) not in faulty)
        return replace(source, components=tuple(kept)), stale

    def filled(
        self, opened: OpenPack, source: PackSource, standing_in: Ids, *, has_errors: bool
    ) -> Filled:
        """Return a pack with the components that are missing because of errors; not with those that
        are no longer written. Those `standing_in` are stale too."""
        pack, last = opened.pack, self._last
        stale: dict[str, frozenset[str]] = {}
        if has_errors and last is not None:
            written = _written(source)
            for kind in pack.kinds:
                gone = {one.id for one in last.components.get(kind, ())}
                gone -= {one.id for one in pack.components.get(kind, ())}
                gone &= written.get(kind, gone) if source.complete else gone
                if gone:
                    stale[kind] = frozenset(gone)
        if last is None or not stale:
            self._last = pack
            sound = _keys(pack)
            self._written = {_key(o): o for o in source.components if _key(o) in sound}
            return Filled(opened, standing_in, None)
        components = {
            kind: tuple(_filled(now, last.components.get(kind, ()), stale.get(kind, ())))
            for kind, now in pack.components.items()
        }
        for kind, ids in standing_in.items():
            stale[kind] = stale.get(kind, frozenset()) | ids
        return Filled(replace(opened, pack=replace(pack, components=components)), stale, last)


def _key(one: ComponentSource) -> _Key:
    return one.kind.text, one.id


def _keys(pack: Pack) -> set[_Key]:
    return {(kind, one.id) for kind, found in pack.components.items() for one in found}


def _with_errors(source: PackSource, found: Iterable[Diagnostic]) -> set[_Key]:
    """Return the components with an error inside what is written of them."""
    ordered = sorted(source.components, key=lambda one: one.node.span)
    begins = [one.node.span for one in ordered]
    keys: set[_Key] = set()
    for span in (one.span for one in found if one.severity is Severity.ERROR):
        at = bisect_right(begins, span) - 1
        if at >= 0 and begins[at].file == span.file:
            keys.add(_key(ordered[at]))
    return keys


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
        # Quantities that depend on all components are not known while some are missing.
        yield one if one.quantity else replace(one, quantity=copies.get(one.id, 0))
        yield from behind.get(one.id, ())
