"""Checks the faces of a pack against each other: alike, two backs, one picture twice, colours."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from generator.diagnostics import Diagnostic, in_order, warning
from generator.model.face import Face
from generator.model.pack import Component, Pack, uncopied
from generator.model.values import Record
from generator.preflight.value_colours import choice_paths, colour_findings, value_at

_FEW: Final = 4
"""The fewest components of a kind among which one may stand out."""
_NEARLY_ALL: Final = 0.75
_NAMED: Final = 4
_DECK_TYPES: Final = ("text", "int", "bool", "ref")
"""Types of fields that may tell apart two decks."""
_UNSEEN: Final = ("id", "index", "copy")
"""Values that need not be visible."""

_Sides = Mapping[str, Mapping[str, Face]]
"""The faces of one kind: by side and component."""


def check_together(pack: Pack, faces: Sequence[Face]) -> tuple[Diagnostic, ...]:
    """Return what is wrong with the faces of a pack taken together. All are warnings."""
    whole = [face for face in faces if face.whole and face.kind in pack.kinds]
    kinds: dict[str, dict[str, dict[str, Face]]] = defaultdict(lambda: defaultdict(dict))
    for face in whole:
        kinds[face.kind][face.name].setdefault(uncopied(face.component), face)
    found = list(colour_findings(pack, whole))
    for name, sides in kinds.items():
        components = {each.id: each for each in pack.components[name]}
        if pack.kinds[name].made_from is None:
            if len(sides) >= len(pack.kinds[name].faces):
                found += _alike(components, sides)
            found += _two_backs(pack, components, sides)
            found += _shared_pictures(components, sides)
    return in_order(found)


def _named(ids: Sequence[str]) -> str:
    more = f" and {len(ids) - _NAMED} more" if len(ids) > _NAMED else ""
    return ", ".join(map(repr, ids[:_NAMED])) + more


def _name(component: Component) -> str:
    return f"{component.kind}/{component.id}"


def _alike(components: Mapping[str, Component], sides: _Sides) -> Iterator[Diagnostic]:
    """GP852: components look the same though their values differ."""
    looks: dict[frozenset[tuple[str, str]], list[Component]] = defaultdict(list)
    for id_, component in components.items():
        look = frozenset((side, faces[id_].sha256) for side, faces in sides.items() if id_ in faces)
        if len(look) == len(sides):
            looks[look].append(component)
    for same in looks.values():
        values = [_plain(each.values, each.values) for each in same] if len(same) > 1 else []
        if any(each != values[0] for each in values):
            ids = _named([each.id for each in same])
            message = f"{ids} of kind {same[0].kind!r} look the same, though their values differ"
            hint = "show the difference on the face, or make one component with a larger `quantity`"
            yield warning(same[0].span, "GP852", message, hint, _name(same[0]))


def _plain(value: Any, around: Record) -> Any:
    """Return a value that can be compared: another component counts as its id."""
    if isinstance(value, Record) and value is not around and "id" in value:
        return str(value["id"])
    if isinstance(value, Mapping):
        hidden = _UNSEEN if value is around else ()
        return {name: _plain(each, around) for name, each in value.items() if name not in hidden}
    if isinstance(value, list | tuple):
        return [_plain(each, around) for each in value]
    return value if isinstance(value, int | float | None) else str(value)


def _two_backs(
    pack: Pack, components: Mapping[str, Component], sides: _Sides
) -> Iterator[Diagnostic]:
    """GP858: cards of a deck have different backs, and no word or choice field explains it."""
    for side, faces in sides.items():
        decks: dict[str, dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
        for id_, face in faces.items():
            decks[face.words][face.sha256].append(id_)
        for backs in decks.values() if side != "front" else ():
            cards = sum(map(len, backs.values()))
            usual = max(map(len, backs.values()))
            several = len(backs) == 2 or (len(backs) > 2 and usual >= _NEARLY_ALL * cards)
            if cards < _FEW or not several or _is_told(pack, components, list(backs.values())):
                continue
            *rare, _ = sorted(backs.values(), key=len)
            odd = components[rare[0][0]]
            ids = _named([id_ for group in rare for id_ in group])
            message = (
                f"cards of kind {odd.kind!r} have {len(backs)} backs: players can recognise {ids}"
            )
            hint = (
                "give all the same back; if they are two decks, say which is which by a word on the"
                " back or a field, such as `deck`"
            )
            yield warning(odd.span, "GP858", message, hint, _name(odd))


def _is_told(
    pack: Pack, components: Mapping[str, Component], groups: Sequence[Sequence[str]]
) -> bool:
    """Return whether a choice field, or another field that several cards share, has separate values
    for each back."""
    kind = pack.kinds[components[groups[0][0]].kind]
    choices = set(choice_paths(kind, pack.kinds))
    plain = {(each.name,) for each in kind.fields.values() if each.type in _DECK_TYPES}
    for path in choices | plain:
        told = [{str(value_at(components[id_].values, path)) for id_ in ids} for ids in groups]
        parted = sum(map(len, told)) == len(set[str]().union(*told))
        one_each = max(map(len, told)) == 1 < min(map(len, groups))
        if parted and (path in choices or one_each):
            return True
    return False


def _shared_pictures(components: Mapping[str, Component], sides: _Sides) -> Iterator[Diagnostic]:
    """GP860: two components have the same picture, though all others have one of their own."""
    for side, faces in sides.items():
        users: dict[str, list[str]] = defaultdict(list)
        for id_, face in faces.items():
            for sha256 in {asset.sha256 for asset in face.assets}:
                users[sha256].append(id_)
        own = {ids[0] for ids in users.values() if len(ids) == 1}
        rest = [id_ for id_ in faces if id_ not in own]
        if len(own) < max(_FEW - 1, _NEARLY_ALL * len(faces)):
            continue
        pairs = {tuple(ids) for ids in users.values() if len(ids) >= 2 and set(ids) <= set(rest)}
        if {id_ for ids in pairs for id_ in ids} != set(rest):
            continue
        for ids in sorted(pairs):
            first = components[ids[0]]
            message = (
                f"the {side}s of {_named(ids)} show the same picture; every other component of"
                f" kind {first.kind!r} has its own"
            )
            hint = "check that each names the picture you want"
            yield warning(first.span, "GP860", message, hint, _name(first))
