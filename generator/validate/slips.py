"""Warn about definitions that are allowed but rarely meant: twins, a lone gap, an odd card size."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from typing import Any, Final

from generator.diagnostics import Diagnostic, warning
from generator.geometry import Size, format_mm, summed
from generator.model.catalogue import Shape, Stock
from generator.model.pack import SELDOM_MEANT, Component, Kind, Pack
from generator.model.values import Items, Record
from generator.waivers import accepted_by_line

_SAME: Final = 0.4  # mm, as for `gridpress export`
_NEARLY: Final = 1.2  # mm
_MOST_ALIKE: Final = 7
_LETTERS: Final = 3
"""A capital may matter in a text of fewer letters, as in an alphabet."""
_COPY: Final = re.compile(r"^copy of +|[ -]+\(?copy(?: ?\d+)?\)?$")


def seldom_meant(
    pack: Pack, standard: Mapping[str, Stock], complete: bool = True
) -> Iterator[Diagnostic]:
    """Yield GP215, GP216 and GP219 for a pack's own kinds unless they are waived; for a `complete`
    pack also GP871 for unused waivers of them. `standard` are the shipped stocks and the project's.
    """
    waivers, used = [each for each in pack.waivers if each.code in SELDOM_MEANT], set()
    for found in _slips(pack, standard):
        fitting = [w.span for w in waivers if w.code == found.code and w.fits(found.component)]
        used.update(fitting)
        if not fitting:
            yield found
    for waiver in waivers if complete else ():
        if waiver.span not in used:
            message = f"the waiver of {waiver.code} for {waiver.component!r} matches no finding"
            hint = "remove it from pack.yaml: it would hide the next fault of this kind"
            yield warning(waiver.span, "GP871", message, hint)


def _slips(pack: Pack, standard: Mapping[str, Stock]) -> Iterator[Diagnostic]:
    for kind in pack.kinds.values():
        if pack.is_own(kind.name) and kind.faces:
            components = pack.components.get(kind.name, ())
            if not kind.made_from:
                yield from _twins(kind, components)
                yield from _lone_gaps(kind, components)
            if kind.stock is not None and kind.stock.name not in standard:
                yield from _nearly_standard(kind, kind.stock, standard)


def _twins(kind: Kind, components: tuple[Component, ...]) -> Iterator[Diagnostic]:
    """Yield GP215 for components that differ only in their ids, unless most of the kind do."""
    groups: defaultdict[object, list[Component]] = defaultdict(list)
    for component in components:
        groups[tuple(_plain(component.values.get(name)) for name in kind.fields)].append(component)
    twins = [group for group in groups.values() if len(group) > 1]
    if not kind.fields or summed(map(len, twins)) > max(2, len(components) / 2):
        return
    for first, *others in twins:
        for other in others:
            message = f"{kind.name} {other.id!r} and {first.id!r} differ only in their ids"
            if any(str(other.values.get(n)) != str(first.values.get(n)) for n in kind.fields):
                message += ", a capital, a space or what marks a copy"
            hint = f"change what should differ, or give {first.id!r} a quantity of 2"
            yield warning(other.span, "GP215", message, hint, f"{kind.name}/{other.id}")


def _plain(value: Any) -> object:
    """Return the value for comparison: a component by its place, a text without case, surplus
    spaces and the mark of a copy."""
    if isinstance(value, Record):
        return value.span
    if isinstance(value, Items):
        return tuple(map(_plain, value))
    text = str(value)
    if not isinstance(value, str) or len(text) < _LETTERS:
        return text
    return _COPY.sub("", " ".join(text.casefold().split()))


def _lone_gaps(kind: Kind, components: tuple[Component, ...]) -> Iterator[Diagnostic]:
    """Yield GP219 for a component that alone leaves one field empty. One with several
    gaps, or alone fills a field or makes a choice, is special on purpose."""
    if len(components) <= _MOST_ALIKE:
        return
    gaps: dict[str, str] = {}
    empty_fields: Counter[str] = Counter()
    special: set[str] = set()
    for name, given in kind.fields.items():
        if given.optional and given.default is None:
            empty = [one.id for one in components if _is_empty(one.values.get(name))]
            if len(empty) == 1:
                gaps[empty[0]] = name
            if len(empty) <= len(components) / 2:
                empty_fields.update(empty)
            elif len(empty) == len(components) - 1:
                special |= {one.id for one in components} - set(empty)
        elif given.type in ("choice", "bool"):
            values = Counter(one.values.get(name) for one in components)
            special |= {one.id for one in components if values[one.values.get(name)] == 1}
    for component in components:
        id_, name = component.id, f"{kind.name}/{component.id}"
        if id_ in gaps and empty_fields[id_] == 1 and id_ not in special:
            others = len(components) - 1
            message = f"{gaps[id_]}: {id_!r} alone has none; all {others} others have one"
            yield accepted_by_line(warning(component.span, "GP219", message, "", name))


def _is_empty(value: Any) -> bool:
    return value is None or (isinstance(value, (str, Items)) and not len(value))


def _nearly_standard(
    kind: Kind, stock: Stock, standard: Mapping[str, Stock]
) -> Iterator[Diagnostic]:
    """Yield GP216 for a card that misses a standard size by about a millimetre."""
    if stock.shape not in (Shape.ROUNDED, Shape.RECTANGLE):
        return
    off = {
        name: _difference(stock.trim, card.trim)
        for name, card in standard.items()
        if card.shape is Shape.ROUNDED and card.trim.width != card.trim.height
    }
    nearest = min(off, key=lambda name: off[name], default="")
    if nearest and _SAME < off[nearest] <= _NEARLY:
        message = (
            f"the stock {stock.name!r} of {kind.name!r} is {_in_mm(stock.trim)}, "
            f"{off[nearest]:.1f} mm off {nearest!r}, {_in_mm(standard[nearest].trim)}"
        )
        hint = "sleeves, boxes and shops have standard sizes"
        yield warning(kind.span, "GP216", message, hint, f"{kind.name}/")


def _difference(one: Size, other: Size) -> float:
    """Return how much the worse side differs, mm, whichever way the two lie."""
    return min(
        max(abs(one.width - width), abs(one.height - height))
        for width, height in ((other.width, other.height), (other.height, other.width))
    )


def _in_mm(size: Size) -> str:
    return f"{format_mm(size.width)} × {format_mm(size.height)} mm"
