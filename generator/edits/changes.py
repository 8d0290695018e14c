"""Changes of values in YAML files and tables, as the studio asks for them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from copy import deepcopy
from typing import Any, Final

from msgspec import Struct

Path = tuple[str | int, ...]
"""Keys and indices from the top of a file to a value. In a table: a row, then a head."""

_FINE: Final = 3
"""Decimals that a number keeps. One with more comes from a calculation or a mouse."""
_ROUGH: Final = 2


class UnfitEditError(Exception):
    """Raised when a change cannot be written; says why in words for a person."""


class SetValue(Struct, frozen=True, tag_field="do", tag="set"):
    """A value in place of another. A missing key is added."""

    path: Path
    value: Any


class RemoveItem(Struct, frozen=True, tag_field="do", tag="remove"):
    """An item of a list, an entry of a mapping or a row, left out."""

    path: Path


class InsertItem(Struct, frozen=True, tag_field="do", tag="insert"):
    """An item added to the list at `path`, or a mapping of entries added to the mapping there."""

    path: Path
    at: int
    value: Any


class MoveItem(Struct, frozen=True, tag_field="do", tag="move"):
    """An item or entry moved to the index `at` among its siblings."""

    path: Path
    at: int


class CopyItem(Struct, frozen=True, tag_field="do", tag="copy"):
    """An item again at the index `at`, with other `values` for some keys. The copy of an entry
    needs a `name`."""

    path: Path
    at: int
    values: dict[str, Any] = {}
    name: str = ""


class OrderItems(Struct, frozen=True, tag_field="do", tag="order"):
    """Items of the list or mapping at `path` in another order, given by their indices. Those that
    are not named keep their places."""

    path: Path
    order: tuple[int, ...]


Change = SetValue | RemoveItem | InsertItem | MoveItem | CopyItem | OrderItems


def number_text(value: float) -> str:
    """Return a number as people write it: 5.5 for 5.50, 52.33 for 52.33333."""
    if isinstance(value, int):
        return str(value)
    if not math.isfinite(value):
        raise UnfitEditError("this is not a number that can be written")
    fine = round(value, _FINE)
    is_fine = math.isclose(fine, value, rel_tol=1e-9, abs_tol=1e-9)
    text = f"{fine:.{_FINE}f}" if is_fine else f"{value:.{_ROUGH}f}"
    text = text.rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def as_loaded(value: Any) -> Any:
    """Return a value as a file gives it back: every scalar a text, or None."""
    match value:
        case None | str():
            return value and value.replace("\r\n", "\n").replace("\r", "\n")
        case bool():
            return "true" if value else "false"
        case int() | float():
            return number_text(value)
        case list() | tuple():
            return [as_loaded(each) for each in value]
        case dict():
            return {str(key): as_loaded(each) for key, each in value.items()}
    raise UnfitEditError(f"a {type(value).__name__} cannot be written into a file")


def changed(data: Any, change: Change) -> Any:
    """Return data, as `as_loaded` gives them, after a change. The data may be reused in it.

    Raises UnfitEditError for a path that leads nowhere.
    """
    where = change.path
    if not isinstance(change, InsertItem | OrderItems):
        if not where:
            if isinstance(change, SetValue):
                return as_loaded(change.value)
            raise UnfitEditError("the whole of a file cannot be moved or removed")
        where = where[:-1]
    if where:
        inner = _child(data, where[0])
        below = _below(change)
        made = changed(inner, below)
        if isinstance(data, dict):
            return {**data, str(where[0]): made}
        data[_index(where[0], len(data))] = made
        return data
    return _within(data, change)


def _below(change: Change) -> Change:
    match change:
        case SetValue(path, value):
            return SetValue(path[1:], value)
        case RemoveItem(path):
            return RemoveItem(path[1:])
        case InsertItem(path, at, value):
            return InsertItem(path[1:], at, value)
        case MoveItem(path, at):
            return MoveItem(path[1:], at)
        case CopyItem(path, at, values, name):
            return CopyItem(path[1:], at, values, name)
        case OrderItems(path, order):
            return OrderItems(path[1:], order)


def _child(data: Any, step: str | int) -> Any:
    if isinstance(data, dict) and isinstance(step, str):
        return data.get(step)
    if isinstance(data, list):
        return data[_index(step, len(data))]
    raise UnfitEditError(f"there is no {step!r} here")


def _index(step: str | int, count: int) -> int:
    if isinstance(step, int) and 0 <= step < count:
        return step
    raise UnfitEditError(f"there is no item {step} in this list of {count}")


def _within(data: Any, change: Change) -> Any:
    """Return a list or mapping after a change of its own items."""
    if data is None and isinstance(change, SetValue | InsertItem):
        data = _new(change)
    if isinstance(data, dict):
        entries = _in_entries(list(data.items()), change)
        if len({key for key, _ in entries}) < len(entries):
            raise UnfitEditError("this name is taken already")
        return dict(entries)
    if isinstance(data, list):
        return _in_items(data, change)
    raise UnfitEditError("this is a single value, which has no parts")


def _new(change: SetValue | InsertItem) -> Any:
    if isinstance(change, SetValue):
        return {} if isinstance(change.path[-1], str) else []
    return {} if isinstance(change.value, dict) and not change.at else []


def _in_items(items: list[Any], change: Change) -> list[Any]:
    made = list(items)
    match change:
        case SetValue((step,), value) if step == len(items):
            made.append(as_loaded(value))
        case SetValue((step,), value):
            made[_index(step, len(items))] = as_loaded(value)
        case RemoveItem((step,)):
            del made[_index(step, len(items))]
        case InsertItem(_, at, value):
            made.insert(max(at, 0), as_loaded(value))
        case MoveItem((step,), at):
            made.insert(max(at, 0), made.pop(_index(step, len(items))))
        case CopyItem((step,), at, values):
            item = made[_index(step, len(items))]
            if values and not isinstance(item, dict):
                raise UnfitEditError("this item has no keys that could be set")
            again = deepcopy({**item, **as_loaded(values)} if values else item)
            made.insert(max(at, 0), again)
        case OrderItems(_, order):
            return in_order_of(items, order)
    return made


def _in_entries(entries: list[tuple[str, Any]], change: Change) -> list[tuple[str, Any]]:
    made = list(entries)
    match change:
        case SetValue((step,), value):
            return list({**dict(entries), str(step): as_loaded(value)}.items())
        case InsertItem(_, at, value):
            if not isinstance(value, dict):
                raise UnfitEditError("a mapping takes entries, each with a key")
            at = max(at, 0)
            made[at:at] = as_loaded(value).items()
        case RemoveItem((step,)):
            del made[entry_index([key for key, _ in entries], step)]
        case MoveItem((step,), at):
            made.insert(max(at, 0), made.pop(entry_index([key for key, _ in entries], step)))
        case CopyItem((step,), at, values, name):
            key, item = made[entry_index([key for key, _ in entries], step)]
            if values and not isinstance(item, dict):
                raise UnfitEditError(f"{key} has no keys that could be set")
            again = deepcopy({**item, **as_loaded(values)} if values else item)
            made.insert(max(at, 0), (name, again))
        case OrderItems(_, order):
            return in_order_of(entries, order)
    return made


def entry_index(keys: list[str], step: str | int) -> int:
    """Return the index of a key. Raises UnfitEditError."""
    if step in keys:
        return keys.index(str(step))
    raise UnfitEditError(f"there is no {step!r} here")


def whole_order(count: int, order: tuple[int, ...]) -> tuple[int, ...]:
    """Return an order that names every item; those that it left out keep their places. Raises
    UnfitEditError."""
    places = sorted(order)
    if len(set(order)) != len(order) or not all(0 <= place < count for place in places):
        raise UnfitEditError("an order names items that are there, each once")
    whole = list(range(count))
    for place, item in zip(places, order, strict=True):
        whole[place] = item
    return tuple(whole)


def in_order_of(items: Sequence[Any], order: tuple[int, ...]) -> list[Any]:
    """Return the items in another order. Raises UnfitEditError."""
    return [items[n] for n in whole_order(len(items), order)]
