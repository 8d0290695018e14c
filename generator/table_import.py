"""Makes a kind with guessed fields, a template and data of a spreadsheet, ready to print.

Whatever is guessed stands in files that its author goes on with: nothing is looked at twice.
"""

from __future__ import annotations

import csv
import io
import json
import os
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from generator.cells import PICTURE_NAME, with_lines, written_cell
from generator.diagnostics import Diagnostic, GridpressError, Span
from generator.geometry import summed
from generator.model.source import (
    AMOUNT,
    RESERVED,
    FreeIds,
    Scalar,
    as_id,
    in_digits,
    without_words,
)
from generator.model.source import Mapping as Row
from generator.starters import StarterStyle, pack_styles, titled, with_print
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
_COLOUR: Final = re.compile(r"#([0-9A-Fa-f]{3}|[0-9A-Fa-f]{6})")
_LABEL: Final = re.compile(r"[0-9A-Za-zÀ-ÖØ-öø-žΆ-ώА-ґ '&,.()/%€-]{1,30}")
_LONE: Final = re.compile(r"(?<!\S)\*(?!\S)")
"""A star that marks nothing."""
_WHOLE: Final = re.compile(r"(\*{1,3})[^*]+\1")
"""A cell all in bold or italic, as columns of names are; that asks for no rich text."""
_LONG: Final = 36
"""Characters of a text that has a box of its own on the card."""
_FEW: Final = 8
"""Values of a choice."""
_TAKEN: Final = RESERVED | {"index", "players", "only", "pack", "components", "tile", "layout"}
_SIGNS: Final = re.compile(r"[{}]|\\(?![*{}\\])")
_BRACED: Final = re.compile(r"\\?\{(\w[\w-]*)\\?\}")


class Column(Struct, frozen=True):
    """A field that was guessed: its name, its type with what limits it, its cells by row, and the
    head that it had. The type `file` is a text: the name of a picture that is not there."""

    name: str
    type: str
    cells: tuple[str, ...]
    choices: tuple[str, ...] = ()
    head: str = ""

    @property
    def label(self) -> str:
        """What a card says before its value: the head as written, if any card can show it."""
        words = " ".join(self.head.replace("_", " ").split())
        words = words if _LABEL.fullmatch(words) else self.name.replace("_", " ")
        return words[:1].upper() + words[1:]

    @property
    def is_optional(self) -> bool:
        """True where a cell is empty."""
        return "" in self.cells

    @property
    def longest(self) -> int:
        """Characters of the longest cell."""
        return max(map(len, self.cells), default=0)

    def definition(self) -> str:
        """The field as a kind has it."""
        if self.name == "copies":
            return "{type: int, min: 0, max: 9999, default: 1, description: How many are printed}"
        parts = [f"type: {'text' if self.type == 'file' else self.type}"]
        if self.choices:
            listed = ", ".join(json.dumps(choice, ensure_ascii=False) for choice in self.choices)
            parts.append(f"choices: [{listed}]")
        parts += ["optional: true"] if self.is_optional else []
        return f"{{{', '.join(parts)}}}"


def columns_of(
    rows: Sequence[Row], kind: str, is_picture: Callable[[str], bool] = lambda name: False
) -> tuple[Column, ...]:
    """The fields of a table's rows, of which there are some; the first is `id`. What a column holds
    decides its type; `is_picture` tells of a name whether a picture of that name can be had."""
    heads = {key.text: key.raw for row in rows for key, _ in row.entries if key.text != "id"}
    cells = {head: _cells(rows, head) for head in heads}
    names = _names(cells)
    columns = [
        replace(_column(names[head], of_head, is_picture), head=heads[head])
        for head, of_head in cells.items()
    ]
    return (Column("id", "id", tuple(_ids(rows, columns, kind))), *columns)


def _cell(row: Row, head: str) -> str:
    node = row.get(head)
    return node.text if isinstance(node, Scalar) else ""


class _Cells(Struct, frozen=True):
    """The cells of a column, row by row: as texts, as rich texts, and as numbers where they say
    one, with digits for words."""

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
    has_sign = text.startswith("+")  # +1 is printed so
    return text if node is None or node.cell is None or has_sign else node.cell.number or text


def _rich(text: str) -> str:
    """A rich text that prints the same: its signs are no icons, a star alone is a star."""
    text = _LONE.sub(r"\\*", _SIGNS.sub(r"\\\g<0>", text))
    is_odd = (text.count("*") - text.count("\\*")) % 2
    return re.sub(r"(?<!\\)\*", r"\\*", text) if is_odd else text


def _names(cells: Mapping[str, _Cells]) -> dict[str, str]:
    """By the heads of columns names that fields can have, one of them `name` if any will do."""
    called: dict[str, str] = {}
    for head, of_head in cells.items():
        name = as_id(head.replace("_", " ")).replace("-", "_")[:30].rstrip("_")
        if name in _COPIES and _all(_INT, of_head.numbers, empty=True):
            name = "copies"
        name = name if name[:1].isalpha() and name not in _TAKEN else f"field_{name}".strip("_")
        while name in called.values():
            name += "_2"
        called[head] = name
    if "name" not in called.values():
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
    """Of each column in which a number was written otherwise its name, the first such cell and what
    it became."""
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
    """Of columns that are no numbers, though most of their cells say one, the name, the first cell
    that is none here, and the line that it stands in."""
    for column in columns:
        given = [(cell, row) for cell, row in zip(column.cells, rows, strict=True) if cell]
        amounts = sum(AMOUNT.fullmatch(cell) is not None for cell, _ in given)
        if column.type in ("text", "choice") and 2 * amounts > len(given):
            first = next(((c, row) for c, row in given if not _NUMBER.fullmatch(c)), None)
            if first is not None:
                yield column.name, first[0], first[1].span.line


def _all(pattern: re.Pattern[str], cells: Sequence[str], *, empty: bool = False) -> bool:
    given = [cell for cell in cells if cell]
    return bool(given or empty) and all(map(pattern.fullmatch, given))


def _column(name: str, of_head: _Cells, is_picture: Callable[[str], bool]) -> Column:
    cells = of_head.texts
    given = [cell for cell in cells if cell]
    different = tuple(dict.fromkeys(given))
    longest = max(map(len, given), default=0)
    if _all(PICTURE_NAME, cells):
        return Column(name, "image" if all(map(is_picture, given)) else "file", cells)
    # Words are numbers among numbers, and where numbers are to be expected.
    is_count = name == "copies" or name.startswith("number_") or any(map(_INT.fullmatch, cells))
    is_typed = any(cell[:1].isdigit() for cell in given)
    numbers = of_head.numbers if is_count or is_typed else cells
    lower = tuple(map(str.lower, cells))
    plain = (("int", _INT, numbers), ("number", _NUMBER, numbers), ("colour", _COLOUR, cells))
    for type_, pattern, values in (*plain, ("bool", _TRUTH, lower)):
        if _all(pattern, values):
            return Column(name, type_, values)
    if name != "name" and longest <= _LONG and 1 < len(different) <= _FEW <= len(given) / 2:
        return Column(name, "choice", cells, different)
    has_marks = any("*" in cell and not _WHOLE.fullmatch(cell) for cell in of_head.rich)
    is_long = longest > _LONG or name in _TEXTS or has_marks
    if (is_long or any("\n" in cell for cell in given)) and name != "name":
        return Column(name, "rich", of_head.rich)
    return Column(name, "text", cells)


def _ids(rows: Sequence[Row], columns: Sequence[Column], kind: str) -> Iterator[str]:
    """An id for each row: its own if that can be one, else made from its name, else a number."""
    names = next((column.cells for column in columns if column.name == "name"), ("",) * len(rows))
    own = [as_id(_cell(row, "id")) for row in rows]
    ids = FreeIds(own)
    seen: set[str] = set()
    for given, name in zip(own, names, strict=True):
        is_free = bool(given) and given not in seen
        seen.add(given)
        yield given if is_free else ids.take(given or as_id(name) or kind)


def changed_ids(rows: Sequence[Row], columns: Sequence[Column]) -> tuple[tuple[str, str], ...]:
    """The ids that a table gives and its data cannot have, each with what it became."""
    own = (_cell(row, "id") for row in rows)
    pairs = zip(own, columns[0].cells, strict=True)
    return tuple((given, made) for given, made in pairs if given not in ("", made))


def data_of(columns: Sequence[Column]) -> str:
    """The rows as CSV, with the names of the fields above them."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(column.name for column in columns)
    cells = (map(_as_cell, column.cells) for column in columns)
    writer.writerows(zip(*cells, strict=True))
    return out.getvalue()


def _as_cell(text: str) -> str:
    """A text as a cell that is read as that: [[words]] and entities are as they stand."""
    return written_cell(without_words(text))


_KIND: Final = """\
# What a {kind} has, guessed from the table: change types, limits and names as you like (the heads
# in {file}.csv are the same names). All that there is: docs/kinds.md.
kind: {kind}
title: {title}
stock: poker            # its size; gridpress list --stocks has them all
faces: {{front: {kind}.svg.j2}}   # add back: for the other side
{quantity}fields:
{fields}
"""
_ROWS: Final = """\
# yaml-language-server: $schema=kinds/{kind}.schema.json
kind: {kind}
rows: {file}.csv
# ignore: [Notes]       # columns that are yours alone; a head that begins with # is so anyway
"""
_PACK: Final = """\
title: {title}
version: 0.1.0
# What is printed on which paper: one PDF for each line and paper.
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


class _CardLayout(Struct, frozen=True):
    """Which columns stand where on the card, and for which there is no place."""

    picture: Column | None
    numbers: list[Column]
    short: list[Column]
    long: list[Column]
    left_out: list[Column]


def _layout(columns: Sequence[Column]) -> _CardLayout:
    shown = [c for c in columns if c.name not in ("id", "name", "copies") and c.type != "file"]
    pictures = [c for c in shown if c.type == "image"]
    numbers = [c for c in shown if c.type in ("int", "number")][:3]
    long = [c for c in shown if c.type == "rich"]
    short = [c for c in shown if c not in (*pictures, *numbers, *long)]
    left_out = [*pictures[1:], *short[6:], *long[4:]]
    return _CardLayout(next(iter(pictures), None), numbers, short[:6], long[:4], left_out)


def in_braces(columns: Sequence[Column]) -> Iterator[tuple[str, str]]:
    """The fields with something that looks like an icon, and the first of it."""
    for column in columns:
        found = _BRACED.search("\n".join(column.cells))
        if found and column.type in ("text", "rich"):
            yield column.name, f"{{{found[1]}}}"


def fields_left_out(columns: Sequence[Column]) -> tuple[str, ...]:
    """The fields that `template_of` has no place for."""
    return tuple(column.name for column in _layout(columns).left_out)


def template_of(columns: Sequence[Column], look: StarterStyle) -> str:
    """A face that shows the fields: the name in a band, numbers in discs, short texts in lines,
    long ones in boxes that share the rest of the card."""
    by_name = {column.name: column for column in columns}
    on_it = _layout(columns)
    picture, numbers, long = on_it.picture, on_it.numbers, on_it.long
    lines = [_HEAD.replace("PALETTE", look.palette).rstrip()]
    room = f"wide - {11 * len(numbers)}" if numbers else "wide"
    title = "c.name" if "name" in by_name else "c.id"
    lines.append(
        f'{{{{ text_box({title}, left, 4, {room}, 9, "{look.title}", size=12, valign="middle",'
        f" colour=tone.light) }}}}"
    )
    for place, column in enumerate(reversed(numbers)):
        middle = f"stock.w - left - {5 + 11 * place}"
        lines.append(f"{{# {column.name} #}}")
        disc = f'<circle cx="{{{{ {middle} }}}}" cy="8.5" r="5" fill="{{{{ tone.paper }}}}"/>'
        words = (
            f'{{{{ text_box(c.{column.name} | string, {middle} - 4, 4.5, 8, 8, "{look.body}",'
            f' size=12, align="center", valign="middle", colour=tone.ink) }}}}'
        )
        lines += _unless_none(column, f"{disc}\n{words}")
    top = 19
    if picture is not None:
        placed = f"{{{{ image(c.{picture.name}, left, {top}, wide, stock.h * 0.34) }}}}"
        lines += _unless_none(picture, placed)
    start = f"{top} + stock.h * 0.34 + 2" if picture else f"{top}"
    top = 0
    for column in on_it.short:
        label = json.dumps(f"{column.label}: ", ensure_ascii=False)
        value = f"c.{column.name}"
        value = f'("yes" if {value} else "no")' if column.type == "bool" else value
        words = (
            f"{{{{ text_line({label} ~ {value}, left, {start} + {top + 3},"
            f' "{look.body}", w=wide, size=9, colour=tone.ink) }}}}'
        )
        lines += _unless_none(column, words)
        top += 5
    weights = [max(column.longest, 60) for column in long]
    if long:
        lines.append(f"{{% set top = {start} + {top + 2} %}}")
        lines.append("{% set room = stock.h - stock.safe - 3 - top %}")
    for number, (column, weight) in enumerate(zip(long, weights, strict=False)):
        part = f"room * {weight / summed(weights):.2f}" if len(weights) > 1 else "room"
        lines.append(
            f'{{{{ text_box(c.{column.name}, left, top, wide, {part} - 1.5, "{look.body}",'
            f' size=12, align="center", valign="middle", colour=tone.ink) }}}}'
        )
        if number < len(weights) - 1:
            lines.append(f"{{% set top = top + {part} %}}")
    return "\n".join(lines) + "\n"


def _unless_none(column: Column, words: str) -> list[str]:
    if not column.is_optional:
        return [words]
    test = f'c.{column.name} is not none and c.{column.name} != ""'
    return [f"{{% if {test} %}}", words, "{% endif %}"]


def write_imported(
    folder: Path,
    pack: str,
    kind: str,
    file: str,
    called: str,
    columns: Sequence[Column],
    look: StarterStyle,
    papers: Sequence[str],
    pack_text: Callable[[], str] | None,
    pictures: Mapping[str, Callable[[], bytes]],
) -> tuple[tuple[Path, ...], bool]:
    """The files of a kind with its data in `file`, `called` so in titles, in a pack that is there,
    whose pack.yaml `pack_text` reads, or in a new one (None), with its pictures, unless there are
    such; and whether pack.yaml prints it.

    Raises GridpressError (GP704) when one is there already, (GP702) when one cannot be written.
    """
    called = called[:1].upper() + called[1:]
    titles = yaml_text(called)
    title = titles if kind == file else yaml_text(kind.replace("-", " ").capitalize())
    fields = "\n".join(f"  {c.name}: {c.definition()}" for c in columns if c.name != "id")
    has_copies = any(column.name == "copies" for column in columns)
    words = {"kind": kind, "file": file, "title": title, "fields": fields}
    words["quantity"] = "quantity: copies\n" if has_copies else ""
    cards, templates = folder / "cards" / pack, folder / "templates" / pack
    new = {
        cards / f"{file}.csv": data_of(columns),
        cards / f"{file}.yaml": _ROWS.format(**words),
        cards / "kinds" / f"{kind}.yaml": _KIND.format(**words),
        templates / f"{kind}.svg.j2": template_of(columns, look),
    }
    entry = f"{{title: {titles}, kinds: [{kind}], papers: [{', '.join(papers)}], backs: none}}"
    pack_file = cards / "pack.yaml"
    if pack_text is None:
        name = json.dumps(
            f"My {called}" if pack == f"my-{file}" else titled(pack), ensure_ascii=False
        )
        new[pack_file] = _PACK.format(title=name, file=file, entry=entry)
        new |= pack_styles(folder, pack)
    for path in new:
        if os.path.lexists(path):
            message, hint = "this file is there already", "choose another name with --kind"
            raise GridpressError(Diagnostic(Span(str(path)), "GP704", message, hint))
    made = None if pack_text is None else with_print(pack_text(), file, entry)
    if made is not None:
        new[pack_file] = made
    copied = {cards / name: read for name, read in pictures.items()}
    missing = {path: read for path, read in copied.items() if not os.path.lexists(path)}
    files = write_files(folder, {**new, **missing}, _ELSEWHERE)
    return files, pack_text is None or made is not None
