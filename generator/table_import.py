"""Makes a kind with guessed fields, a template and data from a table, ready to print."""

from __future__ import annotations

import functools
import json
import math
import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from generator.assets import MAX_FILE
from generator.cells import PICTURE_NAME, is_unsure, with_lines, written_cell
from generator.diagnostics import Diagnostic, GridpressError, Span, enumerated, plain
from generator.files import FileTooLargeError, Roots, UnreadableError
from generator.geometry import summed
from generator.model.source import (
    AMOUNT,
    RESERVED,
    FreeIds,
    Scalar,
    as_id,
    field_name,
    in_digits,
    without_words,
)
from generator.model.source import Mapping as Row
from generator.picture_folder import BACK, FRONT, Fitting, side_of
from generator.starters import StarterStyle, pack_styles, titled, with_print
from generator.table_update import (
    DataRows,
    Imported,
    Known,
    columns_line,
    merged,
    report,
    with_choices,
    with_columns,
    with_field,
    with_optional,
    written_base,
    written_rows,
)
from generator.writing import write_files, yaml_text

_ELSEWHERE: Final = "look at the folder, or choose another with --in"
_CALLED: Final = (
    "name", "title", "titel", "bezeichnung", "nombre", "titre", "nom", "nome", "naam", "nazwa",
    "nazev", "nazvanie", "imya", "naimenovanie", "nazva", "onoma", "titlos", "mingcheng", "mingzi",
    "mingqian", "ileum",
)  # fmt: skip
_NAMES: Final = (
    *(*_CALLED, "card", "cardname", "label", "kartenname", "itemname"),
    *("karta", "kaming", "katoming", "kapai"),
)
_COPIES: Final = (
    "copies", "qty", "quantity", "count", "how_many", "number_of_cards",
    "number_copies", "number_cards", "number_qty", "amount", "number_of_copies",
    "anzahl", "anz", "stueck", "stk", "exemplare", "stueckzahl", "stuckzahl", "menge", "kopien",
    "quantite", "cantidad", "copias", "quantita", "aantal", "antal", "ilosc", "pocet",
    "kolichestvo", "kol_vo", "shtuk", "kilkist", "posotita", "shuliang", "meishu", "sulyang",
)  # fmt: skip
_TEXTS: Final = (
    "text", "rules", "rules_text", "card_text", "effect", "ability", "description", "desc",
    "beschreibung", "effekt", "regel", "regeltext", "effet", "texte", "efecto", "texto",
)  # fmt: skip
_TRUTH: Final = re.compile("true|false|yes|no", re.IGNORECASE)
_INT: Final = re.compile(r"-?(0|[1-9][0-9]{0,8})")
_NUMBER: Final = re.compile(r"-?(0|[1-9][0-9]{0,8})(\.[0-9]{1,6})?")
_COUNT: Final = re.compile(r"[x×]?\s*(0|[1-9][0-9]{0,3})(?:[.,]0+)?\s*[x×]?", re.IGNORECASE)
_COLOUR: Final = re.compile(r"#([0-9A-Fa-f]{3}|[0-9A-Fa-f]{6})")
_LABEL: Final = re.compile(r"[0-9A-Za-zÀ-ÖØ-öø-žΆ-ώА-ґ '&,.()/%€-]{1,30}")
_SIGNED: Final = re.compile(r"\+|.*\d.*[^\W\d_].*|.*[$€£¥]", re.DOTALL)
"""A number that is printed as written: `+1`, `3 gold`, `$5`."""
_LONE: Final = re.compile(r"(?<!\S)\*(?!\S)")
"""A star that marks nothing."""
_MARKED: Final = re.compile(r"\*|(?<!\\)\{[\w-]+\}")
_WHOLE: Final = re.compile(r"(\*{1,3})[^*]+\1")
"""A cell that is bold or italic as a whole, which needs no rich text."""
_LONG: Final = 36
"""Characters of a text that gets its own box on the card."""
_FEW: Final = 8
"""Values of a choice."""
_TAKEN: Final = RESERVED | {"index", "players", "only", "pack", "components", "tile", "layout"}
_SIGNS: Final = re.compile(r"(\\[*{}]|\{[\w-]+\})|[{}\\]")
_ICON: Final = re.compile(r"\\.|\{([\w-]+)\}", re.DOTALL)


class Column(Struct, frozen=True):
    """A guessed field: name, type, choices, cells by row and its head in the table. `comma` means
    that its numbers had decimal commas."""

    name: str
    type: str
    cells: tuple[str, ...]
    choices: tuple[str, ...] = ()
    head: str = ""
    comma: bool = False

    @property
    def label(self) -> str:
        """Return the words before the value on a card."""
        words = " ".join(self.head.replace("_", " ").split())
        words = words if _LABEL.fullmatch(words) else self.name.replace("_", " ")
        return words[:1].upper() + words[1:]

    @property
    def is_optional(self) -> bool:
        """Return whether a cell is empty."""
        return "" in self.cells

    @property
    def longest(self) -> int:
        """Return the characters of the longest cell."""
        return max(map(len, self.cells), default=0)

    def definition(self, *, added: bool = False) -> str:
        """Return the field as a kind defines it; optional if it is added to an existing kind."""
        if self.name == "copies":
            return "{type: int, min: 0, max: 9999, default: 1, description: How many are printed}"
        parts = [f"type: {self.type}"]
        if self.choices:
            listed = ", ".join(json.dumps(choice, ensure_ascii=False) for choice in self.choices)
            parts.append(f"choices: [{listed}]")
        parts += ["optional: true"] if self.is_optional or added else []
        return f"{{{', '.join(parts)}}}"


def columns_of(
    rows: Sequence[Row],
    kind: str,
    known: Mapping[str, str] = MappingProxyType({}),
    types: Mapping[str, str] = MappingProxyType({}),
) -> tuple[Column, ...]:
    """Return the fields of a table's rows; the first is `id`. Cells decide the type, unless `types`
    has it; `known` gives names for heads."""
    heads = {key.text: key.raw for row in rows for key, _ in row.entries if key.text != "id"}
    cells = {head: _cells(rows, head) for head in heads}
    names = _names(cells, known)
    for head in (head for head, name in names.items() if name == "copies"):
        cells[head] = replace(cells[head], numbers=_counts(cells[head]))
    columns = [
        replace(
            _column(names[head], of_head)
            if names[head] not in types
            else _column_as(types[names[head]], names[head], of_head),
            head=heads[head],
        )
        for head, of_head in cells.items()
    ]
    return (Column("id", "id", tuple(_ids(rows, columns, kind))), *columns)


def _cell(row: Row, head: str) -> str:
    node = row.get(head)
    return node.text if isinstance(node, Scalar) else ""


class _Cells(Struct, frozen=True):
    """The cells of a column as texts, as rich texts, and as numbers where they are numbers."""

    texts: tuple[str, ...]
    rich: tuple[str, ...]
    numbers: tuple[str, ...]


def _cells(rows: Sequence[Row], head: str) -> _Cells:
    nodes = [node if isinstance(node := row.get(head), Scalar) else None for row in rows]
    texts = tuple(with_lines(node.text) if node else "" for node in nodes)
    return _Cells(
        texts,
        tuple(_rich(node.cell.rich if node.cell else node.text) if node else "" for node in nodes),
        tuple(_number(text, node) for text, node in zip(in_digits(texts), nodes, strict=True)),
    )


def _number(text: str, node: Scalar | None) -> str:
    if node is None or node.cell is None or _SIGNED.match(text):
        return text
    return node.cell.number or text


def _counts(of_head: _Cells) -> tuple[str, ...]:
    """Return the cells as numbers of copies: `2x`, `×2` and `2.0` are 2."""
    found = map(_COUNT.fullmatch, of_head.numbers)
    return tuple(at[1] if at else cell for at, cell in zip(found, of_head.numbers, strict=True))


def _rich(text: str) -> str:
    """Return a rich text that prints the same: only `{name}` is special, for icons."""
    text = _LONE.sub(r"\\*", _SIGNS.sub(lambda at: at[1] or f"\\{at[0]}", text))
    is_odd = (text.count("*") - text.count("\\*")) % 2
    return re.sub(r"(?<!\\)\*", r"\\*", text) if is_odd else text


def _column_as(type_: str, name: str, of_head: _Cells) -> Column:
    """Return a column of a known type."""
    lower = tuple(map(str.lower, of_head.texts))
    by_type = {"rich": of_head.rich, "int": of_head.numbers, "number": of_head.numbers}
    return Column(name, type_, {**by_type, "bool": lower}.get(type_, of_head.texts))


def _names(cells: Mapping[str, _Cells], known: Mapping[str, str]) -> dict[str, str]:
    """Return field names by head, one of them `name` if possible."""
    called = {head: known[head] for head in cells if head in known}
    for head, of_head in cells.items():
        if head in called:
            continue
        name = as_id(head.replace("_", " ")).replace("-", "_")[:30].rstrip("_")
        if name in _COPIES and _all(_INT, _counts(of_head), empty=True):
            name = "copies"
        name = name if name[:1].isalpha() and name not in _TAKEN else f"field_{name}".strip("_")
        while name in called.values():
            name += "_2"
        called[head] = name
    if "name" not in called.values() and not known:
        likely = [head for head in cells if _squashed(head) in _NAMES]
        likely += [head for head in cells if {*as_id(head).split("-")} & {*_CALLED}]
        given = {head: of_head.texts for head, of_head in cells.items()}
        own = [head for head, texts in given.items() if len({*texts}) == len(texts) and all(texts)]
        plain = (AMOUNT, _COLOUR, _TRUTH)
        words = [head for head in own if not any(_all(sort, given[head]) for sort in plain)]
        short = [head for head in words if max(map(len, given[head])) <= _LONG]
        for head in (likely or short)[:1]:
            called[head] = "name"
    return called


def other_numbers(columns: Sequence[Column], rows: Sequence[Row]) -> Iterator[tuple[str, str, str]]:
    """Yield each column with a rewritten number, with the first such cell before and after."""
    for column in columns:
        if column.type in ("int", "number"):
            for cell, row in zip(column.cells, rows, strict=True):
                own = (_cell(row, key.text) for key, _ in row.entries if key.raw == column.head)
                given = next(own, "")
                if given and not _is_same_number(given, cell):
                    yield column.name, given, cell
                    break


def _is_same_number(given: str, written: str) -> bool:
    try:
        return float(given) == float(written)
    except ValueError:
        return False


def _squashed(head: str) -> str:
    return as_id(head).replace("-", "")


def no_numbers(rows: Sequence[Row], columns: Sequence[Column]) -> Iterator[tuple[str, str, int]]:
    """Yield each column that is mostly numbers but not a number field, with the first other cell
    and its line."""
    for column in columns:
        given = [(cell, row) for cell, row in zip(column.cells, rows, strict=True) if cell]
        amounts = sum(AMOUNT.fullmatch(cell) is not None for cell, _ in given)
        is_named = column.name in ("name", *_COPIES)
        if not is_named and column.type in ("text", "choice") and 2 * amounts > len(given):
            first = next(((c, row) for c, row in given if not _NUMBER.fullmatch(c)), None)
            if first is not None:
                yield column.name, first[0], first[1].span.line


def odd_cells(rows: Sequence[Row], columns: Sequence[Column]) -> Iterator[str]:
    """Yield notes on cells that may print differently from what their author expects."""
    for column in columns:
        given = [cell for cell in column.cells if cell]
        odd = next((cell for cell in given if not _COUNT.fullmatch(cell)), "")
        unsure = next(filter(is_unsure, given), "")
        if column.name == "copies" and column.is_optional:
            pairs = zip(rows, column.cells, strict=True)
            lines = enumerated([str(row.span.line) for row, cell in pairs if not cell])
            yield f"copies: empty in row {lines}; printed once\n    write 0 to leave a card out"
        elif column.name in _COPIES and column.type != "int" and odd:
            yield (
                f"{column.name}: {plain(odd[:_LONG])} is not a number of copies, so each card is "
                "printed once\n    write whole numbers, and import the table again"
            )
        elif column.type == "number" and unsure:
            yield (
                f"{column.name}: {unsure} is read with a decimal point\n    if it is "
                f"{unsure.replace('.', '')}, write that in the table"
            )
    yield from _alone(rows)


def _alone(rows: Sequence[Row]) -> Iterator[str]:
    """Yield a note on rows with a single cell."""
    filled = [[text for key, _ in row.entries if (text := _cell(row, key.text))] for row in rows]
    if 2 * sum(len(cells) > 2 for cells in filled) >= len(rows):
        pairs = zip(rows, filled, strict=True)
        alone = [
            f"{plain(' '.join(cells[0].split())[:_LONG])} (row {row.span.line})"
            for row, cells in pairs
            if len(cells) == 1
        ]
        if alone:
            yield (
                f"{enumerated(alone)}: these cards have nothing else\n    delete headings and "
                "notes from the table"
            )


def _all(pattern: re.Pattern[str], cells: Sequence[str], *, empty: bool = False) -> bool:
    given = [cell for cell in cells if cell]
    return bool(given or empty) and all(map(pattern.fullmatch, given))


def _column(name: str, of_head: _Cells) -> Column:
    cells = of_head.texts
    given = [cell for cell in cells if cell]
    different = tuple(dict.fromkeys(given))
    longest = max(map(len, given), default=0)
    if _all(PICTURE_NAME, cells):
        return Column(name, "image", cells)
    # Words such as "two" count as numbers in columns of numbers.
    is_count = name == "copies" or name.startswith("number_") or any(map(_INT.fullmatch, cells))
    is_typed = any(cell[:1].isdigit() for cell in given)
    numbers = of_head.numbers if is_count or is_typed else cells
    lower = tuple(map(str.lower, cells))
    plain = (("int", _INT, numbers), ("number", _NUMBER, numbers), ("colour", _COLOUR, cells))
    for type_, pattern, values in (*plain, ("bool", _TRUTH, lower)):
        if _all(pattern, values):
            pairs = zip(cells, values, strict=True)
            comma = any("," in cell and "." in value for cell, value in pairs)
            return Column(name, type_, values, comma=comma)
    if name != "name" and longest <= _LONG and 1 < len(different) <= _FEW <= len(given) / 2:
        return Column(name, "choice", cells, different)
    has_marks = any(_MARKED.search(cell) and not _WHOLE.fullmatch(cell) for cell in of_head.rich)
    is_long = longest > _LONG or name in _TEXTS or has_marks
    if (is_long or any("\n" in cell for cell in given)) and name != "name":
        return Column(name, "rich", of_head.rich)
    return Column(name, "text", cells)


def _ids(rows: Sequence[Row], columns: Sequence[Column], kind: str) -> Iterator[str]:
    """Yield an id for each row: its own, else one made from its name, else a number."""
    names = next((column.cells for column in columns if column.name == "name"), ("",) * len(rows))
    own = [as_id(_cell(row, "id")) for row in rows]
    ids = FreeIds(own)
    seen: set[str] = set()
    for given, name in zip(own, names, strict=True):
        is_free = bool(given) and given not in seen
        seen.add(given)
        yield given if is_free else ids.take(given or as_id(name) or kind)


def changed_ids(rows: Sequence[Row], columns: Sequence[Column]) -> tuple[tuple[str, str], ...]:
    """Return the ids that had to change, each with its new form."""
    own = (_cell(row, "id") for row in rows)
    pairs = zip(own, columns[0].cells, strict=True)
    return tuple((given, made) for given, made in pairs if given not in ("", made))


def rows_of(columns: Sequence[Column]) -> DataRows:
    """Return columns as rows of a table; the first column holds the ids."""
    fields = tuple(column.name for column in columns)
    cells = zip(*(map(_as_cell, column.cells) for column in columns), strict=True)
    return DataRows(fields, {row[0]: dict(zip(fields, row, strict=True)) for row in cells})


def names_by_head(columns: Sequence[Column]) -> dict[str, str]:
    """Return the names of fields whose heads read differently, by head."""
    named = {c.head: c.name for c in columns if c.head}
    return {head: name for head, name in named.items() if field_name(head) != name}


def are_read_alike(rows: Sequence[Row], columns: Sequence[Column]) -> bool:
    """Return whether a pack reads these rows from the table as the columns say."""
    return len(rows) == len(columns[0].cells) and all(
        _as_read(row.get(column.name), column.type) == cell
        for column in columns
        for row, cell in zip(rows, column.cells, strict=True)
    )


def _as_read(node: object, type_: str) -> str:
    if not isinstance(node, Scalar):
        return ""
    if node.cell is None:  # an id that was made
        return node.text
    readings = {"rich": node.cell.rich, "int": node.cell.number, "number": node.cell.number}
    return readings.get(type_, with_lines(node.text))


def _as_cell(text: str) -> str:
    """Return a text as a cell that reads back as the same text."""
    return written_cell(without_words(text))


_KIND: Final = """\
# What a {kind} has, guessed from the table: change types, limits and names as you like (the heads
# in {file} are the same names). All that there is: docs/kinds.md.
kind: {kind}
title: {title}
stock: {stock}            # its size; gridpress list --stocks has them all
{faces}
{quantity}{draft}fields:
{fields}
"""
_DRAFT: Final = """\
# Missing pictures, icons and letters, and texts that do not fit, are only warnings. Delete
# this line when everything is complete.
draft: true
"""
_MIRROR: Final = """\
# Mirror images continue the pictures beyond the cut, in case the knife drifts.
bleed: mirror
"""
_FINISHED: Final = """\
{{# A finished picture, which reaches so many mm beyond the cut. One that lies is turned. #}}
{{% set over = {over:g} %}}
{{{{ image(c.{name}, -over, -over, stock.w + 2 * over, stock.h + 2 * over, turn=true) }}}}
"""
_ROWS: Final = """\
# yaml-language-server: $schema=kinds/{kind}.schema.json
kind: {kind}
rows: {data}
{columns}# ignore: [Notes]       # columns of your own; a head that begins with # is so anyway
"""
_PACK: Final = """\
title: {title}
version: 0.1.0
# Prints: one PDF for each line and paper.
prints:
  {file}: {entry}
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


def icons_in(columns: Sequence[Column]) -> tuple[str, ...]:
    """Return the names of icons in texts."""
    texts = (cell for column in columns if column.type == "rich" for cell in column.cells)
    names = (found[1] for text in texts for found in _ICON.finditer(text))
    return tuple(dict.fromkeys(filter(None, names)))


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


class PictureFile(Struct, frozen=True):
    """A picture to copy, by its name in a folder."""

    home: Path
    name: str

    def read(self) -> bytes:
        """Return its content. Raises GridpressError (GP002, GP004, GP504)."""
        try:
            return Roots((self.home,)).read(self.home / self.name, MAX_FILE)
        except UnreadableError as error:
            raise GridpressError(error.told(Span(self.name), "the picture")) from error
        except FileTooLargeError as error:
            message, hint = "the picture is too large", "scale it to its printed size"
            raise GridpressError(Diagnostic(Span(self.name), "GP504", message, hint)) from error

    def is_newer_than(self, copy: Path) -> bool:
        """Return whether the copy is missing, or older and different."""
        if not os.path.lexists(copy):
            return True
        own, other = (self.home / self.name).stat(), copy.stat()
        is_newer = own.st_mtime_ns > other.st_mtime_ns
        return is_newer and copy.read_bytes() != self.read()


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


class Link(Struct, frozen=True):
    """A workbook that the pack reads directly: its `rows:` entry, and its content if it is to be
    copied."""

    rows: str
    content: bytes | None


def write_imported(
    there: Imported,
    called: str,
    columns: Sequence[Column],
    faces: CardFaces,
    papers: Sequence[str],
    pack_text: Callable[[], str] | None,
    pictures: Mapping[str, PictureFile],
    link: Link | None,
) -> tuple[tuple[Path, ...], bool]:
    """Write a kind with its data and pictures; return the files and whether pack.yaml prints it.

    `pack_text` reads the pack.yaml of an existing pack; None starts one. With a `link`, the data
    stay in the workbook. Raises GridpressError when a file exists (GP704) or cannot be written
    (GP702).
    """
    called = called[:1].upper() + called[1:]
    pack, kind, file, cards = there.pack, there.kind, there.data, there.cards
    titles = yaml_text(called)
    title = titles if kind == file else yaml_text(kind.replace("-", " ").capitalize())
    fields = "\n".join(f"  {c.name}: {c.definition()}" for c in columns if c.name != "id")
    has_copies = any(column.name == "copies" for column in columns)
    data = link.rows if link else f"{file}.csv"
    words = {"kind": kind, "file": data, "title": title, "fields": fields, "stock": faces.stock}
    words["quantity"] = "quantity: copies\n" if has_copies else ""
    words["draft"] = _MIRROR * faces.mirrors + _DRAFT * faces.draft
    files = {side: f"{kind}{'-back' * (side == BACK)}.svg.j2" for side in faces.templates}
    listed = ", ".join(f"{side}: {name}" for side, name in files.items())
    is_one = len(files) == 1
    words["faces"] = f"faces: {{{listed}}}" + "   # add back: for the other side" * is_one
    names = names_by_head(columns) if link else {}
    line = f"columns: {columns_line(names)}\n" if names else ""
    new: dict[Path, str | Callable[[], bytes]] = {
        there.rows_file: _ROWS.format(kind=kind, data=_name_in_yaml(data), columns=line),
        there.kind_file: _KIND.format(**words),
        **{
            there.folder / "templates" / pack / name: faces.templates[side]
            for side, name in files.items()
        },
    }
    rows = rows_of(columns)
    if link is None:
        new[cards / data] = written_rows(rows)
    elif link.content is not None:
        new[cards / link.rows.partition("#")[0]] = functools.partial(bytes, link.content)
    backs = ", backs: none" if is_one else ""
    entry = f"{{title: {titles}, kinds: [{kind}], papers: [{', '.join(papers)}]{backs}}}"
    pack_file = cards / "pack.yaml"
    if pack_text is None:
        name = json.dumps(
            f"My {called}" if pack == f"my-{file}" else titled(pack), ensure_ascii=False
        )
        new[pack_file] = _PACK.format(title=name, file=file, entry=entry)
        new |= pack_styles(there.folder, pack)
    for path in new:
        if os.path.lexists(path):
            message, hint = "this file exists already", "choose another name with --kind"
            raise GridpressError(Diagnostic(Span(str(path)), "GP704", message, hint))
    made = None if pack_text is None else with_print(pack_text(), file, entry)
    if made is not None:
        new[pack_file] = made
    new[there.base_file] = written_base(rows, heads_of(columns))
    copied = {cards / name: picture.read for name, picture in pictures.items()}
    missing = {path: read for path, read in copied.items() if not os.path.lexists(path)}
    written = write_files(there.folder, {**new, **missing}, _ELSEWHERE)
    return written, pack_text is None or made is not None


def _name_in_yaml(name: str) -> str:
    return name if re.fullmatch(r"\w[\w.-]*", name) else yaml_text(name)


def heads_of(columns: Sequence[Column]) -> list[str]:
    """Return the heads of columns, or their names if they have none."""
    return [column.head or column.name for column in columns]


class Told(Struct, frozen=True):
    """A summary of an update, and notes for its author."""

    summary: str
    notes: tuple[str, ...]


def update_imported(
    there: Imported,
    known: Known,
    columns: Sequence[Column],
    pictures: Mapping[str, PictureFile],
    workbook: bytes | None,
) -> tuple[tuple[Path, ...], Told]:
    """Update the files of an earlier import; return those that changed, and a summary.

    A `workbook` replaces the one in the pack's folder. Replaced files are kept under `imported/` if
    changes in them could be lost. Raises GridpressError (GP702) when a file cannot be written.
    """
    new = rows_of(columns)
    done = merged(known.base, known.own if not known.is_linked else known.base or new, new)
    summary, notes = report(done, there.data)
    files: dict[Path, str | Callable[[], bytes]] = {}
    rows = new.cells if known.is_linked else done.rows
    kind_text, more = _kind_with(known, columns, there, rows.values())
    notes += more
    if kind_text != known.kind_text:
        files[there.kind_file] = kind_text
    before = there.base_file.with_name(f"{there.data}-before")
    if known.is_linked:
        names = names_by_head([c for c in columns if field_name(c.head) not in known.names])
        rows_text = with_columns(known.rows_text, names)
        if rows_text is None:
            notes.append(f"add to columns: in {there.rows_file}: {columns_line(names)}")
        elif rows_text != known.rows_text:
            files[there.rows_file] = rows_text
        copy = there.cards / known.data_file
        if workbook is not None and copy.is_file() and copy.read_bytes() != workbook:
            files[before.with_suffix(copy.suffix)] = copy.read_bytes
            notes.append(f"the old workbook is now {before.with_suffix(copy.suffix)}")
            files[copy] = functools.partial(bytes, workbook)
    else:
        fields = tuple(dict.fromkeys((*known.own.fields, *new.fields)))
        data = there.cards / f"{there.data}.csv"
        merged_rows = DataRows(fields, done.rows)
        if merged_rows != known.own:
            files[data] = written_rows(merged_rows)
            if known.base is None:
                files[before.with_suffix(".csv")] = written_rows(known.own)
                notes.append(f"the old data are now {before.with_suffix('.csv')}")
    base = written_base(*_new_base(known, new, columns))
    if base != known.base_text:
        files[there.base_file] = base
    copied = {there.cards / name: picture for name, picture in pictures.items()}
    newer = {path: one.read for path, one in copied.items() if one.is_newer_than(path)}
    files |= newer
    notes += _newer_pictures(newer)
    added = [column.name for column in columns if column.name not in ("id", *known.types)]
    if added:
        summary += f"; new columns: {', '.join(added)}"
        template = there.folder / "templates" / there.pack / f"{there.kind}.svg.j2"
        notes.append(
            f"{', '.join(added)}: optional fields, not on the card yet\n    show them in {template}"
        )
    return write_files(there.folder, files, _ELSEWHERE), Told(summary, tuple(notes))


def _newer_pictures(paths: Iterable[Path]) -> Iterator[str]:
    if again := [path.name for path in paths if os.path.lexists(path)]:
        yield f"newer pictures replace those in the pack: {enumerated(again)}"


def _new_base(known: Known, new: DataRows, columns: Sequence[Column]) -> tuple[DataRows, list[str]]:
    """Return the table as it is now, including columns that it no longer has."""
    heads = dict(zip(new.fields, heads_of(columns), strict=True))
    was = known.base or DataRows((), {})
    old_heads = {name: head for head, name in known.names.items()}
    for name in was.fields:
        heads.setdefault(name, old_heads.get(name, name))
    cells = {
        id_: {name: row.get(name, was.cell(id_, name)) for name in heads}
        for id_, row in new.cells.items()
    }
    return DataRows(tuple(heads), cells), list(heads.values())


def _kind_with(
    known: Known, columns: Sequence[Column], there: Imported, rows: Iterable[Mapping[str, str]]
) -> tuple[str, list[str]]:
    """Return the kind's text with new fields and choices, and fields made optional where cells are
    empty; and what is left to do."""
    text, notes = known.kind_text, []
    for name in sorted({name for row in rows for name in known.needed if not row.get(name)}):
        text = with_optional(text, name) or text
        notes.append(
            f"{name}: now optional, because a row has no value\n    look at {there.kind_file}"
        )
    for column in columns:
        made: str | None = text
        if column.name not in ("id", *known.types):
            made = with_field(text, column.name, column.definition(added=True))
            wish = f"add a field {column.name}: {column.definition(added=True)}"
        elif known.types.get(column.name) == "choice":
            choices = known.choices(column.name)
            more = list(dict.fromkeys(c for c in column.cells if c and c not in choices))
            made = with_choices(text, column.name, more) if more else text
            wish = f"add to the choices of {column.name}: {', '.join(more)}"
        if made is None:
            notes.append(f"{wish}\n    in {there.kind_file}")
        text = made or text
    return text, notes


def no_values(rows: Sequence[Row], columns: Sequence[Column]) -> Iterator[tuple[str, str, int]]:
    """Yield each column with cells that do not fit its type, with the first one and its line."""
    patterns = {"int": _INT, "number": _NUMBER, "bool": _TRUTH}
    for column in columns:
        pattern = patterns.get(column.type)
        for cell, row in zip(column.cells, rows, strict=True):
            if pattern is not None and cell and not pattern.fullmatch(cell):
                yield column.name, cell, row.span.line
                break
