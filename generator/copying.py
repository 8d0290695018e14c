"""The text of a component's file in, the same text with another component's values out.

Values are taken over as they are written, so that lists stay as their author laid them out, and
the comments of the text stay where they are.
"""

from __future__ import annotations

import colorsys
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

import yaml

_TURN: Final = 0.381966
"""Of the colour circle: the golden angle, whose multiples never come near each other."""


@dataclass(frozen=True, slots=True)
class Written:
    """A field as it is written: from where to where in its text, and how far in its key stands."""

    start: int
    end: int
    column: int


def written_fields(text: str, component: str) -> dict[str, Written] | None:
    """Each field of a component of a file, with those of its `defaults`; None if it is not there.

    Raises yaml.YAMLError for what is no YAML.
    """
    root = yaml.compose(text, Loader=yaml.SafeLoader)
    fields: dict[str, Written] = {}
    for key, value in _entries(root):
        if key.value == "defaults":
            fields |= dict(_fields(text, value))
    for key, value in _entries(root):
        for one in value.value if key.value == "components" else ():
            if any(k.value == "id" and v.value == component for k, v in _entries(one)):
                return fields | dict(_fields(text, one))
    return None


def values_of(text: str, component: str) -> dict[str, str] | None:
    """Each field of a component, `key: value` with its further lines as if the key stood at the
    left edge."""
    fields = written_fields(text, component)
    if fields is None:
        return None
    return {name: _indented(text[at.start : at.end], -at.column) for name, at in fields.items()}


def with_values(text: str, component: str, values: Mapping[str, str], kept: Collection[str]) -> str:
    """The text with the values in place of the component's own; but fields in `kept` stay.

    What the text has no place for comes at the component's end, what there is no value for goes.
    Raises ValueError when the result would not read as it is meant to.
    """
    fields = written_fields(text, component)
    if not fields:
        raise ValueError(f"there is no {component}")
    made = text
    last = max(fields.values(), key=lambda at: at.end)
    more = [value for name, value in values.items() if name not in fields and name not in kept]
    added = "".join("\n" + " " * last.column + _indented(v, last.column) for v in more)
    rest = made[last.end :].partition("\n")
    made = made[: last.end] + rest[0] + added + rest[1] + rest[2]
    for name, at in sorted(fields.items(), key=lambda item: -item[1].start):
        if name in kept:
            continue
        if name in values:
            made = made[: at.start] + _indented(values[name], at.column) + made[at.end :]
        else:
            made = made[: at.start - at.column] + made[at.end :].partition("\n")[2]
    _check(made, component, values, kept)
    return made


def as_written(text: str) -> Any:
    """What a text says, every value of it as it stands: `2024-13-45` is no date that could fail.

    Raises yaml.YAMLError for what is no YAML."""
    return yaml.load(text, Loader=yaml.BaseLoader)  # noqa: S506, it makes nothing but texts


def free_colour(colour: str, taken: Collection[str]) -> str:
    """`#rrggbb` turned round the colour circle until nobody has it; as dark as it was."""
    red, green, blue = (int(colour[n : n + 2], 16) / 255 for n in (1, 3, 5))
    hue, light, strong = colorsys.rgb_to_hls(red, green, blue)
    while colour.lower() in taken:
        hue = (hue + _TURN) % 1
        parts = colorsys.hls_to_rgb(hue, light, strong)
        colour = "#" + "".join(f"{round(part * 255):02x}" for part in parts)
    return colour


def _check(text: str, component: str, values: Mapping[str, str], kept: Collection[str]) -> None:
    try:
        meant = {n: as_written(value)[n] for n, value in values.items() if n not in kept}
        listed = as_written(text)["components"]
    except (yaml.YAMLError, LookupError, TypeError) as error:
        raise ValueError("the values do not fit in") from error
    made: dict[str, Any] = next((one for one in listed if one.get("id") == component), {})
    if {name: value for name, value in made.items() if name not in kept} != meant:
        raise ValueError("the values do not fit in")


def _entries(node: yaml.Node | None) -> Iterator[tuple[yaml.ScalarNode, yaml.Node]]:
    yield from node.value if isinstance(node, yaml.MappingNode) else ()


def _fields(text: str, node: yaml.Node) -> Iterator[tuple[str, Written]]:
    for key, value in _entries(node):
        start, column = key.start_mark.index, key.start_mark.column
        raw = text[start : value.end_mark.index].rstrip()
        # The end of a block is where the next thing starts: comments before that are not its own.
        while raw.rpartition("\n")[2].lstrip().startswith("#"):
            raw = raw.rpartition("\n")[0].rstrip()
        yield key.value, Written(start, start + len(raw), column)


def _indented(raw: str, by: int) -> str:
    """The lines after the first, so far further in (or out)."""
    first, *rest = raw.split("\n")
    moved = [" " * by + line if by > 0 else line[-by:] for line in rest]
    return "\n".join((first, *(line if line.strip() else "" for line in moved)))
