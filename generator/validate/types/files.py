"""Pictures and icons: a name in, the same name out once its file is known to be there."""

from __future__ import annotations

import functools
from typing import Any, Final

from generator.diagnostics import Diagnostic, GridpressError
from generator.model.pack import Field
from generator.model.source import Node, Scalar
from generator.model.values import SourceText
from generator.validate.types.base import FieldType, Reading, Schema


def _read(node: Node, rule: Field, reading: Reading, path: str, what: str) -> Any:
    if not isinstance(node, Scalar):
        return reading.wrong_type(node, rule, path)
    fault = _fault(node.text, what, reading)
    if fault is not None:
        return reading.report(node.span, fault.code, f"{path}: {fault.message}", fault.hint)
    return SourceText(node.text, node.span)


def _fault(name: str, what: str, reading: Reading) -> Diagnostic | None:
    """Why a file cannot be had. Each is looked for once: many cards share a picture."""
    if reading.assets is None:
        return None
    key = what, name
    if key not in reading.seen_assets:
        find = reading.assets.image if what == "image" else reading.assets.icon
        try:
            find(name)
            reading.seen_assets[key] = None
        except GridpressError as error:
            reading.seen_assets[key] = error.diagnostics[0]
    return reading.seen_assets[key]


def file_schema(_rule: Field, _describe: object) -> Schema:
    """A name."""
    return {"type": "string"}


_LIMITS: Final = frozenset(("unique",))

IMAGE: Final = FieldType(
    "a picture's path in the pack's folder",
    "art/goat.jpg",
    functools.partial(_read, what="image"),
    file_schema,
    _LIMITS,
)
ICON: Final = FieldType(
    "an icon's name", "shield", functools.partial(_read, what="icon"), file_schema, _LIMITS
)
