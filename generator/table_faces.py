"""Drafts the faces of imported cards: a layout of their fields, or their finished pictures."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from typing import Final

from msgspec import Struct

from generator.geometry import summed
from generator.picture_folder import BACK, FRONT, Fitting, side_of
from generator.starters import StarterStyle
from generator.table_columns import Column

_FINISHED: Final = """\
{{# A finished picture, which reaches so many mm beyond the cut. One that lies is turned. #}}
{{% set over = {over:g} %}}
{{{{ image(c.{name}, -over, -over, stock.w + 2 * over, stock.h + 2 * over, turn=true) }}}}
"""
_HEAD: Final = """\
{# Started from a table. The unit is the millimetre, (0, 0) the corner where the card is cut; art
   runs beyond it by stock.bleed. What there is to draw and write with: docs/templates.md. #}
{% from "shared/card.svg.j2" import ground %}
PALETTE
{% set left, wide, over = stock.safe + 3, stock.w - 2 * stock.safe - 6, stock.bleed %}
{{ ground(stock, tone.paper) }}
<rect x="{{ -over }}" y="{{ -over }}" width="{{ stock.w + 2 * over }}" height="{{ over + 16 }}"
  fill="{{ tone.band }}"/>
"""
_ROOM: Final = 63.0
"""mm below the name band of a poker card."""
_LEAST_PICTURE, _MOST_PICTURE, _LEAST_LONG, _DISCS = 14.0, 30.0, 9.0, 11.0
_A_LINE: Final = 40
"""Letters of a small line."""


class _CardLayout(Struct, frozen=True):
    """The places of columns on the card, the height of the picture, and the columns without a
    place."""

    picture: Column | None
    numbers: list[Column]
    short: list[Column]
    long: list[Column]
    left_out: list[Column]
    height: float


def _layout(columns: Sequence[Column]) -> _CardLayout:
    shown = [c for c in columns if c.name not in ("id", "name", "copies")]
    pictures = [c for c in shown if c.type == "image"]
    small = [c for c in shown if c.type in ("int", "number") and c.longest <= _IN_A_DISC]
    numbers = small[:3]
    long = [c for c in shown if c.type == "rich"][:4]
    short = [c for c in shown if c not in (*pictures, *numbers) and c.type != "rich"][:6]
    picture = next(iter(pictures), None)
    room = _ROOM - (_DISCS if len(numbers) > 1 else 0)

    def left() -> float:
        return room - summed(map(_height, short)) - summed(map(_wanted, long))

    while short and left() < (_LEAST_PICTURE if picture else 0):
        if summed(map(_height, short)) <= room / 3:
            break
        short.pop()
    height = max(_LEAST_PICTURE, min(_MOST_PICTURE, left())) if picture else 0.0
    on_it = (picture, *numbers, *short, *long)
    left_out = [column for column in shown if column not in on_it]
    return _CardLayout(picture, numbers, short, long, left_out, height)


_IN_A_DISC: Final = 5


def _height(column: Column) -> float:
    """Return the height of a short text with its label, mm."""
    return 1 + 4.0 * math.ceil((len(column.label) + 2 + column.longest) / _A_LINE)


def _wanted(column: Column) -> float:
    """Return the height for a long text, mm."""
    return max(_LEAST_LONG, 4.0 * math.ceil(column.longest / _A_LINE))


def fields_left_out(columns: Sequence[Column]) -> tuple[str, ...]:
    """Return the fields that `template_of` has no place for."""
    return tuple(column.name for column in _layout(columns).left_out)


def template_of(columns: Sequence[Column], look: StarterStyle) -> str:
    """Return a face with the name in a band, numbers in discs, short texts in lines and long ones
    in boxes."""
    on_it = _layout(columns)
    numbers, long = on_it.numbers, on_it.long
    lines = [_HEAD.replace("PALETTE", look.palette).rstrip()]
    lines.append(_title(columns, look, "wide - 11" if len(numbers) == 1 else "wide"))
    top, middle = 19.0, 8.5
    if len(numbers) > 1:
        top, middle = top + _DISCS, top + 5
    for place, column in enumerate(reversed(numbers)):
        at = f"stock.w - left - {5 + 11 * place}"
        lines.append(f"{{# {column.name} #}}")
        fill = "paper" if len(numbers) == 1 else "light"
        disc = f'<circle cx="{{{{ {at} }}}}" cy="{middle:g}" r="5" fill="{{{{ tone.{fill} }}}}"/>'
        words = (
            f'{{{{ text_box({_value(column)}, {at} - 4, {middle - 4:g}, 8, 8, "{look.body}",'
            f' size=12, align="center", valign="middle", colour=tone.ink) }}}}'
        )
        lines += _unless_none(column, f"{disc}\n{words}")
    if on_it.picture is not None:
        placed = f"{{{{ image(c.{on_it.picture.name}, left, {top:g}, wide, {on_it.height:g}) }}}}"
        lines += _unless_none(on_it.picture, placed)
        top += on_it.height + 2
    for column in on_it.short:
        label = json.dumps(f"{column.label}: ", ensure_ascii=False)
        high = _height(column)
        words = (
            f"{{{{ text_box({label} ~ {_value(column)}, left, {top:g}, wide, {high:g},"
            f' "{look.body}", size=9, valign="middle", colour=tone.ink) }}}}'
        )
        lines += _unless_none(column, words)
        top += high
    weights = [max(column.longest, 60) for column in long]
    if long:
        lines.append(f"{{% set top = {top + 1:g} %}}")
        lines.append("{% set room = stock.h - stock.safe - 3 - top %}")
    for number, (column, weight) in enumerate(zip(long, weights, strict=True)):
        part = f"room * {weight / summed(weights):.2f}" if len(weights) > 1 else "room"
        lines.append(
            f'{{{{ text_box(c.{column.name}, left, top, wide, {part} - 1, "{look.body}",'
            f' size=12, align="center", valign="middle", colour=tone.ink) }}}}'
        )
        if number < len(weights) - 1:
            lines.append(f"{{% set top = top + {part} %}}")
    return "\n".join(lines) + "\n"


def _title(columns: Sequence[Column], look: StarterStyle, room: str) -> str:
    name = next((column for column in columns if column.name == "name"), columns[0])
    words = max((len(word) for cell in name.cells for word in cell.split()), default=0)
    is_long = words > _LONG_WORD or name.longest > _LONG_NAME
    style, size = (look.body, 10) if is_long else (look.title, 12)
    return (
        f'{{{{ text_box(c.{name.name}, left, 3.5, {room}, 10, "{style}", size={size},'
        f' valign="middle", colour=tone.light) }}}}'
    )


_LONG_WORD, _LONG_NAME = 16, 50
"""Letters that are too many for the style of titles."""


def _value(column: Column) -> str:
    """Return the expression for a field that is not a long text."""
    value = f"c.{column.name}"
    if column.type == "bool":
        return f'("yes" if {value} else "no")'
    text = f"{value} | string" if column.type in ("int", "number") else value
    return f'({text} | replace(".", ","))' if column.comma else f"({text})" if "|" in text else text


def _unless_none(column: Column, words: str) -> list[str]:
    """Return the lines that draw a field if it has a value."""
    test = f'c.{column.name} is not none and c.{column.name} != ""'
    return [f"{{% if {test} %}}", words, "{% endif %}"]


class CardFaces(Struct, frozen=True):
    """Templates by side, the stock, and whether pictures that end at the cut are mirrored."""

    templates: Mapping[str, str]
    stock: str = "poker"
    mirrors: bool = False
    draft: bool = True


def sides_of(columns: Sequence[Column]) -> tuple[Column, ...]:
    """Return the columns of finished pictures, front first, if the table shows nothing else."""
    shown = [column for column in columns if column.name not in ("id", "name", "copies")]
    named = {side_of(column.name): column for column in shown if column.type == "image"}
    sides = tuple(named[side] for side in (FRONT, BACK) if side in named)
    return sides if FRONT in named and len(sides) == len(shown) else ()


def picture_faces(sides: Sequence[Column], fits: Sequence[Fitting], *, draft: bool) -> CardFaces:
    """Return the faces of finished pictures; a `draft` if some are missing."""
    templates = {}
    for side, column, fit in zip((FRONT, BACK), sides, fits, strict=False):
        placed = _FINISHED.format(over=fit.bleed, name=column.name)
        lines = _unless_none(column, placed.rstrip()) if column.is_optional else [placed.rstrip()]
        templates[side] = "\n".join(lines) + "\n"
    mirrors = any(fit.bleed < fit.stock.bleed for fit in fits)
    return CardFaces(templates, fits[0].stock.name, mirrors, draft)
