"""Colours: `#a3571c`, `#a5c`, a name of the pack's palette or one of CSS in, `#rrggbb` out."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

from PIL.ImageColor import colormap

from generator.model.pack import Field
from generator.model.source import Node, Scalar
from generator.validate.types.base import FieldType, Reading, Schema

_HEX: Final = re.compile(r"#(?:[0-9a-fA-F]{3}|[0-9a-fA-F]{6})")
_CSS: Final[Mapping[str, str]] = {
    name: value if isinstance(value, str) else "#{:02x}{:02x}{:02x}".format(*value[:3])
    for name, value in colormap.items()
}


def parse_colour(text: str, palette: Mapping[str, str]) -> str:
    """A colour as `#rrggbb` in lower case; palette names come first. Raises ValueError."""
    if text in palette:
        return palette[text]
    if _HEX.fullmatch(text):
        digits = text[1:].lower()
        return "#" + (digits if len(digits) == 6 else "".join(d * 2 for d in digits))
    if text in _CSS:
        return _CSS[text].lower()
    raise ValueError(f"{text[:40]!r} is not a colour")


def read_colour(node: Node, rule: Field, reading: Reading, path: str) -> Any:
    """A colour as `#rrggbb`."""
    if not isinstance(node, Scalar):
        return reading.wrong_type(node, rule, path)
    try:
        return parse_colour(node.text, reading.palette)
    except ValueError:
        names = reading.palette or _CSS
        hint = "" if node.text.startswith("#") else reading.did_you_mean(node.text, names)
        return reading.wrong_type(node, rule, path, hint)


def colour_schema(_rule: Field, _describe: object) -> Schema:
    """A hexadecimal colour or a name: which names a palette has, the editor need not know."""
    return {"type": "string", "pattern": "^(#[0-9a-fA-F]{3}|#[0-9a-fA-F]{6}|[^#].*)$"}


COLOUR: Final = FieldType(
    "a colour",
    '"#a3571c" in quotes (# alone begins a comment), or a name of the palette',
    read_colour,
    colour_schema,
    frozenset(("unique",)),
)
