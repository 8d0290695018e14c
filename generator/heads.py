"""The rows of a table as people keep them in; the same with heads that can name fields out, and
what was done to them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from collections.abc import Mapping as Mapping_
from typing import Final

from msgspec.structs import replace

from generator.diagnostics import Span, plain
from generator.model.source import Mapping, Scalar

_Row = tuple[Scalar, ...]
"""The filled cells of a row; the column of each says where it stands."""
_BETWEEN: Final = re.compile(r"[\s\-]+")
_LONG: Final = 40
_SUMS: Final = ("total", "totals", "sum", "summe", "gesamt", "somme", "suma", "σ", "∑")
AMOUNT: Final = re.compile(r"\D{0,3}[0-9]+([., '’][0-9]+)*\D{0,3}")
"""What is a number to a reader: `1,50 €`, `007`."""
_COUNTED: Final = {
    word: str(number)
    for number, words in enumerate((
        "zero none null keine zéro cero", "one eins ein eine einmal once un une uno una один",
        "two zwei twice deux dos два", "three drei trois tres три", "four vier quatre cuatro",
        "five fünf cinq cinco пять", "six sechs seis шесть", "seven sieben sept siete семь",
        "eight acht huit ocho восемь", "nine neun neuf nueve девять", "ten zehn dix diez десять",
        "eleven elf onze once", "twelve zwölf douze doce",
    ))
    for word in words.split()
}  # fmt: skip
"""Numbers that people write as words."""
_HOW_MANY: Final = re.compile(r"#\s*(of|no\.?|number|qty|copies|count|cards)\b.*", re.IGNORECASE)


def sound_heads(rows: Iterable[_Row]) -> tuple[list[_Row], list[str]]:
    """The rows of a table with heads that are there and each once, less a title above them; and
    what was done. `# of dice` is no column of the author's own, but a number of dice."""
    table = [row for row in rows if row]
    notes = []
    while len(table) > 1 and len(table[0]) == 1 < len(table[1]):
        title = table.pop(0)[0]
        notes.append(f"row {title.span.line}, {_short(title.text)}, is left out: it is a title")
    if not table:
        return table, notes
    heads = {cell.span.column: cell for cell in table[0]}
    for column in _nameless(table[1:], heads):
        heads[column] = replace(table[0][0], text=f"Column {column}", span=_beside(table, column))
        notes.append(f"column {column} has no head: it is called Column {column}")
    seen: set[str] = set()
    for column, cell in sorted(heads.items()):
        text = cell.text
        if _HOW_MANY.fullmatch(text) and _are_counts(_cells_of(table[1:], column)):
            text = f"number {text[1:].strip()}"
        elif text.startswith("#"):
            notes.append(f"{_short(text)} is left out: a head that begins with # is yours alone")
        once = _once(text, seen)
        if once != text:
            notes.append(f"{_short(text)} heads two columns: the second is {_short(once)}")
        heads[column] = replace(cell, text=once)
    return [tuple(heads[column] for column in sorted(heads)), *table[1:]], notes


def _nameless(rows: Sequence[_Row], heads: Mapping_[int, Scalar]) -> list[int]:
    """The columns without a head that most rows fill: in others there is a comma too many."""
    filled = Counter(cell.span.column for row in rows for cell in row)
    return sorted(c for c, n in filled.items() if c not in heads and n > 1 and 2 * n > len(rows))


def _beside(table: Sequence[_Row], column: int) -> Span:
    where = table[0][0].span
    return Span(where.file, where.line, column)


def _once(head: str, seen: set[str]) -> str:
    """The head, or `head 2` where others mean the same field."""
    text, count = head, 1
    while field_name(text) in seen:
        count += 1
        text = f"{head} {count}"
    seen.add(field_name(text))
    return text


def _cells_of(rows: Iterable[_Row], column: int) -> list[str]:
    return [cell.text for row in rows for cell in row if cell.span.column == column]


def field_name(head: str) -> str:
    """The field that a column's head means: `Card Name` is `card_name`."""
    return _BETWEEN.sub("_", head.strip().lower())


def _short(text: str) -> str:
    return plain(" ".join(text.split())[:_LONG])


def in_digits(cells: Iterable[str]) -> Iterator[str]:
    """The cells, with digits for numbers in words."""
    return (_COUNTED.get(cell.casefold(), cell) for cell in cells)


def _are_counts(cells: Iterable[str]) -> bool:
    return all(cell.isdigit() for cell in in_digits(cells))


def is_sum(row: Mapping) -> bool:
    """True for a row such as `Total | | 54`, which spreadsheets have below the others."""
    cells = [node.text.strip() for _, node in row.entries if isinstance(node, Scalar)]
    first, *numbers = filter(None, cells) if any(cells) else [""]
    is_called = first.rstrip(":").casefold() in _SUMS
    return is_called and bool(numbers) and all(map(AMOUNT.fullmatch, numbers))
