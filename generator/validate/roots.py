"""A definition file and its shape in, its values out, as far as they can be used."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from generator.diagnostics import Span
from generator.model.pack import Field
from generator.model.source import Document
from generator.model.source import Mapping as MappingNode
from generator.model.values import Record
from generator.validate.definition_types import DEFINITION_TYPES
from generator.validate.types.base import INVALID, Assets, Reading

DEFINITION: Final = "GP213"


def definition_reading(
    palette: Mapping[str, str] | None = None, assets: Assets | None = None
) -> Reading:
    """A reading of definition files: all faults of structure are GP213."""
    return Reading(DEFINITION_TYPES, palette or {}, assets, code=DEFINITION)


@dataclass(frozen=True, slots=True)
class Root:
    """The values of a file's root. Those of `bad` keys are as if they were left out."""

    values: Record
    bad: frozenset[str]

    def __getitem__(self, name: str) -> Any:
        return self.values[name]


def read_root(document: Document, rules: Mapping[str, Field], reading: Reading) -> Root:
    """The root of a definition file, as far as it can be used."""
    root = document.root
    values: dict[str, Any] = dict.fromkeys(rules, INVALID)
    spans: dict[str, Span] = {}
    if isinstance(root, MappingNode):
        values, spans = reading.read_fields(root, rules)
    else:
        hint = f"its keys are {', '.join(rules)}"
        reading.fault(root.span, DEFINITION, "this file must be a map, key: value", hint)
    bad = frozenset(name for name, value in values.items() if value is INVALID)
    usable = {name: _left_out(rules[name], reading) for name in bad}
    return Root(Record({**values, **usable}, root.span, spans), bad)


def _left_out(rule: Field, reading: Reading) -> object:
    """What a field holds when it is not given."""
    return reading.types[rule.type].empty if rule.default is None else rule.default
