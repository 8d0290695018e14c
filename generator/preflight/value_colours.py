"""Checks that no value is shown only by a colour that some players cannot distinguish."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations, product
from typing import Any, Final

from generator.diagnostics import Diagnostic, warning
from generator.model.face import Face
from generator.model.pack import Component, Field, Kind, Pack, uncopied
from generator.preflight.colour_sight import Sight, apart

_LEAST_APART: Final = 10.0
"""CIEDE2000. M. Stone, D. A. Szafir and V. Setlur, "An engineering model for color difference as a
function of size" (2014): half of the people distinguish marks of 3 mm at 50 cm when they differ by
7 in lightness, 10 in red and green, 14 in blue and yellow."""
_NOTICED: Final = 2.3
"""A just noticeable difference (M. Mahy, L. Van Eycken, A. Oosterlinck, 1994): smaller ones are not
intended."""
_MOST_COLOURS: Final = 6
_TOLD: Final = 3
"""Pairs of values in one finding."""


class _Value:
    """The colours and signs that all faces of one value share, and those that any of them has.
    Signs are forms, words and their first letters."""

    def __init__(self, face: Face) -> None:
        self.first = face
        self.colours = [colour for colour, _ in face.traits.fills]
        self.any_colours = set(self.colours)
        self.signs: set[object] = _signs(face)
        self.any_signs = set(self.signs)

    def add(self, face: Face) -> None:
        colours, signs = {colour for colour, _ in face.traits.fills}, _signs(face)
        self.colours = [colour for colour in self.colours if colour in colours]
        self.any_colours |= colours
        self.signs &= signs
        self.any_signs |= signs


def _signs(face: Face) -> set[object]:
    words = face.words.casefold().split()
    return {*words, *(f"{word[0]}…" for word in words), *(face.traits.forms or ())}


def compared_kinds(pack: Pack) -> frozenset[str]:
    """Return the kinds that show a choice field, whose values may be shown by colours."""
    kinds = pack.kinds
    return frozenset(name for name, kind in kinds.items() if any(choice_paths(kind, kinds)))


def colour_findings(pack: Pack, faces: Sequence[Face]) -> Iterator[Diagnostic]:
    """GP841: yield a finding for each choice field that faces show only by colours that look alike
    to a colour-blind player or in grey."""
    families: dict[tuple[str, str], list[Face]] = defaultdict(list)
    for face in faces:
        families[face.kind, face.name].append(face)
    for (kind, side), members in families.items():
        paths = list(choice_paths(pack.kinds[kind], pack.kinds))
        if not paths or any(face.traits.forms is None for face in members):
            continue
        owners = {component.id: component for component in pack.components[kind]}
        for path in paths:
            close = list(_close(_by_value(members, owners, path)))
            if close:
                yield _finding(close, f"the {side}s of kind {kind!r}", ".".join(path))


def _by_value(
    faces: Sequence[Face], owners: Mapping[str, Component], path: Sequence[str]
) -> Mapping[str, _Value]:
    found: dict[str, _Value] = {}
    for face in faces:
        owner = owners.get(uncopied(face.component))
        value = None if owner is None else value_at(owner.values, path)
        if value is None:
            continue
        if str(value) in found:
            found[str(value)].add(face)
        else:
            found[str(value)] = _Value(face)
    return found


_Close = tuple[float, str, str, str, Face]
"""Two values, their distance, who sees them so, and a face of the first."""


def _close(values: Mapping[str, _Value]) -> Iterator[_Close]:
    """Return the pairs of values that only similar colours tell apart."""
    for (one, a), (other, b) in combinations(sorted(values.items()), 2):
        ours = [colour for colour in a.colours if colour not in b.any_colours][:_MOST_COLOURS]
        theirs = [colour for colour in b.colours if colour not in a.any_colours][:_MOST_COLOURS]
        if not ours or not theirs or a.signs - b.any_signs or b.signs - a.any_signs:
            continue
        seen = {
            sight: max(apart(*pair, sight) for pair in product(ours, theirs)) for sight in Sight
        }
        near = [sight for sight in Sight if seen[sight] < _LEAST_APART]
        if near and seen[Sight.FULL] >= _NOTICED:
            who = "to everyone" if near[0] is Sight.FULL else "in " + ", ".join(near)
            yield min(seen.values()), one, other, who, a.first


def _finding(close: Sequence[_Close], what: str, field: str) -> Diagnostic:
    worst = sorted(close, key=lambda each: each[:3])
    told = "; ".join(
        f"{one!r} and {other!r} look alike {who}" for _, one, other, who, _ in worst[:_TOLD]
    )
    more = f"; and {len(worst) - _TOLD} more pairs" if len(worst) > _TOLD else ""
    message = f"{what} show {field!r} by colour alone: {told}{more}"
    hint = "give each a shape, a letter or a pattern too, or use a lighter and a darker colour"
    first = worst[0][4]
    return warning(first.span, "GP841", message, hint, f"{first.kind}/{first.component}")


def choice_paths(kind: Kind, kinds: Mapping[str, Kind]) -> Iterator[tuple[str, ...]]:
    """Yield the names that lead to each choice field of a kind, its own or its parent's."""
    yield from _choice_fields(kind.fields)
    parent = kinds.get(kind.made_from or "")
    if parent is not None:
        entries = parent.fields.get(kind.each or "")
        if entries is not None and entries.of is not None:
            yield from _choice_fields(entries.of.fields)
        for path in choice_paths(parent, kinds):
            yield (parent.name.replace("-", "_"), *path)


def _choice_fields(fields: Mapping[str, Field]) -> Iterator[tuple[str, ...]]:
    for each in fields.values():
        if each.type == "choice":
            yield (each.name,)
        for path in _choice_fields(each.fields):
            yield (each.name, *path)


def value_at(values: Any, path: Sequence[str]) -> Any:
    """Return the value at the end of these names, or None."""
    for name in path:
        values = values.get(name) if isinstance(values, Mapping) else None
    return values
