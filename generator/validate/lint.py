"""A sound pack in; what is allowed in it but seldom meant out: two components that are one, a stock
a millimetre beside a standard size."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from typing import Any, Final

from generator.diagnostics import Diagnostic, warning
from generator.geometry import Size
from generator.model.pack import Component, Kind, Pack
from generator.model.stock import Shape, Stock
from generator.model.values import Items, Record
from generator.units import format_mm, summed

_NEARLY: Final = 1.2
_SAME: Final = 0.05


def seldom_meant(pack: Pack, standard: Mapping[str, Stock]) -> Iterator[Diagnostic]:
    """GP215, GP216 of a pack's own kinds. `standard` are the shipped stocks, and the project's."""
    for kind in pack.kinds.values():
        if pack.is_own(kind.name) and kind.faces:
            yield from _alike(kind, pack.components.get(kind.name, ()))
            if kind.stock is not None and kind.stock.name not in standard:
                yield from _nearly_standard(kind, kind.stock, standard)


def _alike(kind: Kind, components: tuple[Component, ...]) -> Iterator[Diagnostic]:
    """Of a kind of which most are alike their number is all that there is to them."""
    if kind.made_from or not kind.fields:
        return
    groups: dict[object, list[Component]] = defaultdict(list)
    for component in components:
        groups[tuple(_plain(component.values.get(name)) for name in kind.fields)].append(component)
    twins = [group for group in groups.values() if len(group) > 1]
    if summed(map(len, twins)) > len(components) / 2:
        return
    for first, *others in twins:
        for other in others:
            message = f"{kind.name} {other.id!r} and {first.id!r} are alike but for their ids"
            hint = f"change what should differ, or give {first.id!r} a quantity of 2"
            yield warning(other.span, "GP215", message, hint)


def _plain(value: Any) -> object:
    """The value, to be compared: a component that it refers to by the place of that."""
    if isinstance(value, Record):
        return value.span
    if isinstance(value, Items):
        return tuple(map(_plain, value))
    return str(value)


def _nearly_standard(
    kind: Kind, stock: Stock, standard: Mapping[str, Stock]
) -> Iterator[Diagnostic]:
    """Of those with rounded corners: cards, which go into sleeves and boxes."""
    sizes = {name: s.trim for name, s in standard.items() if s.shape is Shape.ROUNDED}
    off = {name: _apart(stock.trim, size) for name, size in sizes.items()}
    name = min(off, key=lambda name: off[name], default="")
    if name and stock.shape is Shape.ROUNDED and _SAME < off[name] <= _NEARLY:
        message = (
            f"the stock {stock.name!r} of {kind.name!r} is {_shown(stock.trim)}, "
            f"{off[name]:.1f} mm off {name!r}, {_shown(sizes[name])}"
        )
        yield warning(kind.span, "GP216", message, "sleeves, boxes and shops have standard sizes")


def _apart(one: Size, other: Size) -> float:
    """By how much the side differs that differs most, whichever way they lie; mm."""
    return min(
        max(abs(one.width - width), abs(one.height - height))
        for width, height in ((other.width, other.height), (other.height, other.width))
    )


def _shown(size: Size) -> str:
    return f"{format_mm(size.width)} × {format_mm(size.height)} mm"
