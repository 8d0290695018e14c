"""Read the table, or the folder of finished pictures, that somebody wants as a deck."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path, PurePath
from types import MappingProxyType
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from generator.diagnostics import Diagnostic, GridpressError, Outcome, Span
from generator.load import RowValues, mappings, read_table
from generator.model.source import Mapping, Scalar, is_sum, sound_heads
from generator.picture_folder import BACK, FRONT, read_folder
from generator.project import PARTS, WORKBOOKS
from generator.table_update import Imported

_TYPES: Final = MappingProxyType({"name": "text"})
_NUMBER: Final = re.compile(r"-?[0-9]+([.,][0-9]+)?%?")


class GivenTable(Struct, frozen=True):
    """A table that was read, with notes for its author.

    `name` is the file's, "" for standard input. Pictures that it names are looked for in `home`.
    `cells` are the rows as a workbook has them, if none was changed. `types` are known types of
    fields.
    """

    rows: list[Mapping]
    notes: list[str]
    name: str
    content: bytes
    home: Path | None = None
    cells: tuple[RowValues, ...] = ()
    sheet: str = ""
    others: tuple[str, ...] = ()
    remarks: tuple[Diagnostic, ...] = ()
    types: MappingProxyType[str, str] = _TYPES


def given_table(
    content: bytes, name: str, shown: str, sheet: str, home: Path | None, *, headed: bool = True
) -> GivenTable:
    """Read a table; `shown` is what findings call it. Without heads it gets some. Raises
    GridpressError."""
    span = Span(shown)
    table = read_table(content, sheet, span, shown)
    cells = tuple(table.rows)
    rows, notes = sound_heads(cells if headed else (_heads(cells), *cells))
    is_changed = not headed or any("begins with #" not in note for note in notes)
    found, faults = mappings(rows, shown, (), table.point)
    if not Outcome(None, tuple(faults)).ok:
        raise GridpressError(*faults)
    if not found:
        hint = "the first row must name the fields; each other row is a card"
        raise GridpressError(
            *table.remarks, Diagnostic(span, "GP108", "the table has no rows", hint)
        )
    if len(found) > 1 and is_sum(found[-1], found[:-1]):
        line, is_changed = found.pop().span.line, True
        notes.append(f"row {line} is left out: it is a total, not a card")
    if table.others and not sheet:
        others = ", ".join(table.others)
        notes.append(f"this is the first sheet; --sheet takes another: {others}")
    if numbers := [key.text for key, _ in found[0].entries if _NUMBER.fullmatch(key.text)]:
        notes.append(
            f"{', '.join(numbers)}: is the first row a card?\n"
            "    the first row must name the fields: add such a row, and import the table again"
        )
    is_workbook = PurePath(name).suffix.lower() in WORKBOOKS
    if is_workbook and is_changed:
        notes.append("the workbook was copied as CSV, because rows or heads had to change")
    return GivenTable(
        found,
        notes,
        name,
        content,
        home,
        cells if is_workbook and not is_changed else (),
        sheet,
        tuple(table.others),
        (*table.remarks, *faults),
    )


def _heads(rows: Sequence[RowValues]) -> RowValues:
    """Return heads for rows without any."""
    columns = {cell.span.column: cell for row in rows for cell in row}
    first = min(columns, default=0)
    return tuple(
        replace(cell, text="Name" if column == first else f"Column {column}", plain=True)
        for column, cell in sorted(columns.items())
    )


def given_pictures(folder: Path, shown: str, there: Imported) -> GivenTable:
    """Return the pictures of a folder as a table. Pictures in the pack's own folder stay there."""
    folder, cards = folder.resolve(), there.cards.resolve()
    home = cards if folder.is_relative_to(cards) else folder.parent
    skip = frozenset(folder / name for name in (*PARTS, "output"))
    found = read_folder(folder, skip)
    has_backs = any(card.back for card in found.cards)
    inside = folder.relative_to(home)
    rows = []
    for line, card in enumerate(found.cards, start=1):
        back = (inside / card.back).as_posix() if card.back else ""
        cells = {"name": card.name, FRONT: (inside / card.front).as_posix(), BACK: back}
        cells |= {"copies": str(card.copies)}
        span = Span(shown, line)
        entries = (
            (Scalar(key, span, raw=key), Scalar(cell, span))
            for key, cell in cells.items()
            if key != BACK or has_backs
        )
        rows.append(Mapping(tuple(entries), span))
    # Also for names with unusual suffixes.
    types = MappingProxyType({**_TYPES, FRONT: "image", BACK: "image"})
    return GivenTable(rows, list(found.notes), folder.name, b"", home, types=types)
