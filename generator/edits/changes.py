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
    """An item added to the list at `path`, or a mapping of entries added to the mapping there. In a
    table: a row with values by head, or the head of a new last column."""

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
    if isinstance(change, SetValue) and not change.path:
        return as_loaded(change.value)
    return _changed_at(parent_of(change), data, change)


def parent_of(change: Change) -> Path:
    """Return the path of the list or mapping that changes. Raises UnfitEditError."""
    if isinstance(change, InsertItem | OrderItems):
        return change.path
    if not change.path:
        raise UnfitEditError("the whole of a file cannot be moved or removed")
    return change.path[:-1]


def _changed_at(path: Path, data: Any, change: Change) -> Any:
    if not path:
        return _within(data, change)
    step = path[0]
    if isinstance(data, dict) and isinstance(step, str):
        return {**data, step: _changed_at(path[1:], data.get(step), change)}
    if not isinstance(data, list):
        raise no_item(step)
    at = index_of(range(len(data)), step)
    data[at] = _changed_at(path[1:], data[at], change)
    return data


def _within(data: Any, change: Change) -> Any:
    """Return a list or mapping after a change of its own items."""
    if data is None and isinstance(change, SetValue):
        data = {} if isinstance(change.path[-1], str) else []
    elif data is None and isinstance(change, InsertItem):
        data = {} if isinstance(change.value, dict) and not change.at else []
    if isinstance(data, dict):
        entries = _in_entries(list(data.items()), change, is_mapping=True)
        if len({key for key, _ in entries}) < len(entries):
            raise UnfitEditError("this name is taken already")
        return dict(entries)
    if isinstance(data, list):
        return [item for _, item in _in_entries(list(enumerate(data)), change, is_mapping=False)]
    raise UnfitEditError("this is a single value, which has no parts")


def _in_entries(entries: list[tuple[Any, Any]], change: Change, *, is_mapping: bool) -> Any:
    """Return entries after a change. The items of a list have their numbers as keys."""
    keys = [key for key, _ in entries]
    match change:
        case SetValue((*_, step), value):
            is_new = step not in keys and (is_mapping or step == len(keys))
            at = len(keys) if is_new else index_of(keys, step)
            entries[at : at + 1] = [(str(step), as_loaded(value))]
        case InsertItem(_, at, value):
            if is_mapping and not isinstance(value, dict):
                raise UnfitEditError("a mapping takes entries, each with a key")
            new = as_loaded(value)
            at = max(at, 0)
            entries[at:at] = new.items() if is_mapping else [("", new)]
        case RemoveItem((*_, step)):
            del entries[index_of(keys, step)]
        case MoveItem((*_, step), at):
            entries.insert(max(at, 0), entries.pop(index_of(keys, step)))
        case CopyItem((*_, step), at, values, name):
            item = deepcopy(entries[index_of(keys, step)][1])
            if values and not isinstance(item, dict):
                raise UnfitEditError("this item has no keys that could be set")
            entries.insert(max(at, 0), (name, {**item, **as_loaded(values)} if values else item))
        case OrderItems(_, order):
            return [entries[n] for n in whole_order(len(entries), order)]
    return entries


def index_of(keys: Sequence[str | int], step: str | int) -> int:
    """Return the index of a key, or of an item by its number. Raises UnfitEditError."""
    if step in keys:
        return keys.index(step)
    raise no_item(step)


def no_item(step: str | int) -> UnfitEditError:
    """Return the error for a step of a path that leads nowhere."""
    return UnfitEditError(
        f"there is no {f'item {step}' if isinstance(step, int) else repr(step)} here"
    )


def whole_order(count: int, order: tuple[int, ...]) -> tuple[int, ...]:
    """Return an order that names every item; those that it left out keep their places. Raises
    UnfitEditError."""
    places = sorted(order)
    if len(set(order)) != len(order) or not all(0 <= place < count for place in places):
        raise UnfitEditError("an order must name each item once")
    whole = list(range(count))
    for place, item in zip(places, order, strict=True):
        whole[place] = item
    return tuple(whole)
