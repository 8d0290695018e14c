"""The shipped pack of Chariot Dash, as the studies here race it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from generator.build import Order, open_pack
from generator.project import find_targets

Values = Mapping[str, Any]
Components = Mapping[str, Sequence[Values]]


def components() -> Components:
    """Return the values of all components, by kind."""
    opened = open_pack(find_targets(["chariot-dash"])[0], Order()).value
    assert opened is not None, "the shipped pack has no errors"
    return {kind: [c.values for c in found] for kind, found in opened.pack.components.items()}


def one_of(found: Components, kind: str, name: str) -> Values:
    """Return a component by its id."""
    return next(one for one in found[kind] if one["id"] == name)
