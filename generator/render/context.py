"""A pack or a component in; the names that templates know it by out."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from generator.model.pack import Component, Pack
from generator.model.stock import Stock
from generator.model.values import Items, Record, SourceText
from generator.render.reads import Watch
from generator.sandbox import as_text


def pack_names(pack: Pack, watch: Watch) -> dict[str, Any]:
    """What is the same on every face, inside of macros too: `pack`, `components`, `players`,
    `word`, which translates a text, and `stocks`: of each printed kind, where one is worked out
    for each component the one that theirs are like."""
    about = {
        "name": pack.name,
        "title": pack.title,
        "version": pack.version,
        "description": pack.description,
        "language": pack.language,
        "options": pack.options,
        "credits": Items(pack.credits),
    }
    components = {
        kind.replace("-", "_"): Items(_values(component, watch) for component in of_kind)
        for kind, of_kind in pack.components.items()
    }
    stocks = {
        kind.name.replace("-", "_"): Record(_measures(kind.stock), kind.span)
        for kind in pack.kinds.values()
        if kind.stock is not None
    }
    words = watch.root("word", Record(pack.words, pack.span))

    def word(text: Any) -> str:
        written = as_text(text)
        translated: str | None = words.get(written)
        if translated is None:
            return written
        if isinstance(written, SourceText) and not isinstance(translated, SourceText):
            return SourceText(translated, written.span, written.rich)
        return translated

    return {
        "pack": watch.root("pack", Record(about, pack.span)),
        "components": watch.root("components", Record(components, pack.span)),
        "stocks": watch.root("stocks", Record(stocks, pack.span)),
        "players": pack.players,
        "word": word,
    }


def face_names(component: Component, side: str, stock: Stock, watch: Watch) -> Mapping[str, Any]:
    """What differs from face to face: the component `c`, the `side`, and the `stock` in mm. Only of
    the component is it watched what is read: the others are few."""
    return {
        "c": watch.seen(_values(component, watch), ()),
        "side": side,
        "stock": Record(_measures(stock), component.span),
    }


def _measures(stock: Stock) -> dict[str, Any]:
    return {
        "name": stock.name,
        "w": stock.trim.width,
        "h": stock.trim.height,
        "bleed": stock.bleed,
        "safe": stock.safe,
        "radius": stock.corner_radius,
        "shape": str(stock.shape),
        "path": stock.path,
        "folds": Items(
            Items((Items((fold.start.x, fold.start.y)), Items((fold.end.x, fold.end.y))))
            for fold in stock.folds
        ),
    }


def _values(component: Component, watch: Watch) -> Record:
    values = component.values
    if "id" not in values:
        values = values.with_values({"id": component.id})
    return watch.own(component.kind, component.id, values)
