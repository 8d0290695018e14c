"""Copy the values of a component into the text of another."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

import yaml

from generator.edits import Change, RemoveItem, SetValue, UnfitEditError, edited
from generator.written_yaml import as_values, as_written


def values_of(text: str, component: str) -> dict[str, Any] | None:
    """Return the values of a component as they are written in a file, with its `defaults`; None if
    it is not in there. Raises UnfitEditError for text that is not YAML."""
    found = _component(text, component)
    return None if found is None else found[1] | found[2]


def with_values(text: str, component: str, values: Mapping[str, Any], kept: Collection[str]) -> str:
    """Return the text with these values in place of the component's own, except fields in `kept`.

    Missing fields are added at the component's end; fields without a value go. Raises
    UnfitEditError when a value cannot be written.
    """
    found = _component(text, component)
    if found is None:
        raise UnfitEditError(f"there is no {component}")
    at, _, own = found
    place = ("components", at)
    changes: list[Change] = [
        SetValue((*place, name), value)
        for name, value in values.items()
        if name not in kept and own.get(name) != value
    ]
    gone = own.keys() - values.keys() - {*kept}
    changes += (RemoveItem((*place, name)) for name in own if name in gone)
    return edited(text, "component.yaml", changes) if changes else text


def _component(text: str, name: str) -> tuple[int, dict[str, Any], dict[str, Any]] | None:
    """Return the place of a component in its list, the file's defaults, and its own values."""
    try:
        root = _values(as_values(text), as_written(text)) or {}
    except yaml.YAMLError as error:
        raise UnfitEditError("this is not YAML") from error
    for at, one in enumerate(root.get("components") or ()):
        if one.get("id") == name:
            return at, root.get("defaults") or {}, one
    return None


def _values(value: Any, written: Any) -> Any:
    """Return a value such that it is written again as it was: `1.50` as a text."""
    if isinstance(value, dict):
        entries = zip(written.items(), value.values(), strict=True)
        return {key: _values(one, text) for (key, text), one in entries}
    if isinstance(value, list):
        return [_values(one, text) for one, text in zip(value, written, strict=True)]
    is_same = value is None or isinstance(value, bool | str) or str(value) == written
    return value if is_same else written
