"""Guesses the fields of a table from its cells, and notes what may surprise its author."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from generator.cells import PICTURE_NAME, is_unsure, with_lines
from generator.diagnostics import enumerated, plain
from generator.model.source import (
    AMOUNT,
    RESERVED,
    FreeIds,
    Scalar,
    as_id,
    field_name,
    in_digits,
)
from generator.model.source import Mapping as Row

_CALLED: Final = (
    "name", "title", "titel", "bezeichnung", "nombre", "titre", "nom", "nome", "naam", "nazwa",
    "nazev", "nazvanie", "imya", "naimenovanie", "nazva", "onoma", "titlos", "mingcheng", "mingzi",
    "mingqian", "ileum",
)  # fmt: skip
NAMES: Final = (
    *(*_CALLED, "card", "cardname", "label", "kartenname", "itemname"),
    *("karta", "kaming", "katoming", "kapai"),
)
"""Heads of columns with the names of cards."""
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
_DATE: Final = re.compile(r"[0-9]{1,2}[.][0-9]{1,2}[.][0-9]{4}")
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
        likely = [head for head in cells if _squashed(head) in NAMES]
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
        numbers = [cell for cell, _ in given if AMOUNT.fullmatch(cell)]
        amounts = sum(_DATE.fullmatch(cell) is None for cell in numbers)
        is_named = column.name in ("name", *_COPIES)
        if not is_named and column.type in ("text", "choice") and 2 * amounts > len(given):
            first = next(((c, row) for c, row in given if not _NUMBER.fullmatch(c)), None)
            if first is not None:
                yield column.name, first[0], first[1].span.line


def is_copy_count(cell: str) -> bool:
    """Return True for a number of copies with a sign, such as 2x."""
    return _COUNT.fullmatch(cell) is not None


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
                f"{enumerated(alone)}: these cards have no other values\n    delete headings and "
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


def icons_in(columns: Sequence[Column]) -> tuple[str, ...]:
    """Return the names of icons in texts."""
    texts = (cell for column in columns if column.type == "rich" for cell in column.cells)
    names = (found[1] for text in texts for found in _ICON.finditer(text))
    return tuple(dict.fromkeys(filter(None, names)))


def no_values(rows: Sequence[Row], columns: Sequence[Column]) -> Iterator[tuple[str, str, int]]:
    """Yield each column with cells that do not fit its type, with the first one and its line."""
    patterns = {"int": _INT, "number": _NUMBER, "bool": _TRUTH}
    for column in columns:
        pattern = patterns.get(column.type)
        for cell, row in zip(column.cells, rows, strict=True):
            if pattern is not None and cell and not pattern.fullmatch(cell):
                yield column.name, cell, row.span.line
                break
