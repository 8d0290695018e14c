"""Read a table as `load` does, into cells that know their places in the text."""

from __future__ import annotations

import re
from typing import Final

from msgspec import Struct

from generator.cells import csv_delimiter
from generator.edits.changes import UnfitEditError
from generator.model.source import bare, field_name

_LINE_END: Final = re.compile(r"\r\n|\r|\n")


class GridCell(Struct, frozen=True):
    """A cell and its place, with its quotes; `text` is without blanks around it."""

    start: int
    end: int
    text: str
    is_quoted: bool = False


class GridRow(Struct, frozen=True):
    """A row of a table and its place, without the end of its line."""

    start: int
    end: int
    cells: tuple[GridCell, ...]

    @property
    def is_filled(self) -> bool:
        """Return whether a cell has a text."""
        return any(cell.text for cell in self.cells)


class CsvGrid(Struct, frozen=True):
    """The filled rows of a table, the head first."""

    text: str
    delimiter: str
    newline: str
    rows: tuple[GridRow, ...]

    @property
    def head(self) -> tuple[GridCell, ...]:
        """Return the cells of the first row."""
        return self.rows[0].cells if self.rows else ()


def column_of(heads: list[str], head: str | int) -> int | None:
    """Return the index of the column that a head names, as written or as a field."""
    if head in heads:
        return heads.index(str(head))
    names = [field_name(text) for text in heads]
    name = field_name(str(head))
    return names.index(name) if name and name in names else None


def csv_grid(text: str) -> CsvGrid:
    """Return the rows of a CSV text. Raises UnfitEditError where its quotes are wrong."""
    delimiter, has_sign = csv_delimiter(text.removeprefix("\ufeff"))
    at = 1 if text.startswith("\ufeff") else 0
    newline = _LINE_END.search(text)
    if has_sign:
        end = _LINE_END.search(text, at)
        at = end.end() if end else len(text)
    between = re.escape(delimiter)
    quoted = re.compile(rf'( *)("(?:[^"]++|"")*+")( *)(?=[{between}\r\n]|\Z)')
    bare_cell = re.compile(rf"[^{between}\r\n]*")
    rows: list[GridRow] = []
    while at < len(text):
        start, cells = at, []
        while True:
            if found := quoted.match(text, at):
                said = found[2][1:-1].replace('""', '"')
                cells.append(GridCell(found.start(2), found.end(2), cell_text(said), True))
            elif text.startswith('"', at):
                line = len(_LINE_END.findall(text, 0, at)) + 1
                raise UnfitEditError(f"the quotes in line {line} are wrong: fix them first")
            else:
                found = bare_cell.match(text, at)
                assert found is not None
                cells.append(GridCell(at, found.end(), cell_text(found[0])))
            at = found.end()
            if not text.startswith(delimiter, at):
                break
            at += 1
        row = GridRow(start, at, tuple(cells))
        if row.is_filled:
            rows.append(row)
        if (end := _LINE_END.match(text, at)) is None:
            break
        at = end.end()
    return CsvGrid(text, delimiter, newline[0] if newline else "\n", tuple(rows))


def cell_text(text: str) -> str:
    """Return the text of a cell as it is read."""
    return bare(text.replace("\ufeff", ""))
