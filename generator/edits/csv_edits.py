"""Carry out changes in a CSV text. Filled rows below the head count from 0."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cached_property
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from generator.cells import points
from generator.edits.changes import (
    Change,
    CopyItem,
    InsertItem,
    MoveItem,
    OrderItems,
    RemoveItem,
    SetValue,
    UnfitEditError,
    as_loaded,
    whole_order,
)
from generator.edits.csv_grid import CsvGrid, GridRow, cell_text, column_of, csv_grid


def csv_edited(text: str, changes: Sequence[Change]) -> str:
    """Return a CSV text after changes; all other characters stay. Raises UnfitEditError."""
    work = _TableWork(text)
    for change in changes:
        work.add(change)
    return work.done()


class _Cell(Struct, eq=False):
    """A cell: the characters before it, and the cell as it is written and as it is read."""

    before: str
    written: str = ""
    text: str = ""
    is_quoted: bool = False


class _TableWork:
    """A table in pieces: its cells by row, and the text before, between and after the rows."""

    def __init__(self, text: str) -> None:
        self._grid = grid = csv_grid(text)
        if not grid.rows:
            raise UnfitEditError("the table is empty: its first row names the fields")
        self._rows = [_cells(grid, row) for row in grid.rows]
        ends = [0, *(row.cells[-1].end for row in grid.rows)]
        starts = [*(row.start for row in grid.rows), len(text)]
        self._gaps = [text[end:start] for end, start in zip(ends, starts, strict=True)]

    def add(self, change: Change) -> None:
        """Carry out a change. Raises UnfitEditError."""
        match change:
            case SetValue((int(row), head), value):
                self._set(self._row(row), {str(head): value})
            case SetValue((int(row),), dict(values)):
                self._set(self._row(row), values)
            case RemoveItem((int(row), head)):
                if self._column(head) is not None:
                    self._set(self._row(row), {str(head): ""})
            case _:
                self._change_rows(change)

    def _change_rows(self, change: Change) -> None:
        match change:
            case RemoveItem((int(row),)):
                self._remove(self._row(row))
            case InsertItem((), at, dict(values)):
                self._insert(at, self._new(values))
            case InsertItem((), _, str(head)):
                if self._column(head) is None:
                    self._add_column(head)
            case MoveItem((int(row),), at):
                cells = self._row(row)
                self._rows.remove(cells)
                self._rows.insert(max(at, 0) + 1, cells)
            case OrderItems((), order):
                whole = whole_order(len(self._rows) - 1, order)
                self._rows[1:] = [self._rows[n + 1] for n in whole]
            case CopyItem((int(row),), at, values):
                cells = [replace(cell) for cell in self._row(row)]
                self._insert(at, cells)
                self._set(cells, values)
            case _:
                raise UnfitEditError("a table has only rows and cells: there is no such place")

    def done(self) -> str:
        """Return the text. Raises UnfitEditError if a table is not read from it as it is meant."""
        rows = ("".join(cell.before + cell.written for cell in row) for row in self._rows)
        text = self._gaps[0] + "".join(
            row + gap for row, gap in zip(rows, self._gaps[1:], strict=True)
        )
        meant = [[cell.text for cell in row] for row in self._rows]
        if not all(map(any, meant)):
            raise UnfitEditError("a row needs a filled cell: remove the row instead")
        grid = csv_grid(text)
        found = [[cell.text for cell in row.cells] for row in grid.rows]
        if _trimmed(found) != _trimmed(meant) or grid.delimiter != self._grid.delimiter:
            raise UnfitEditError("this cannot be written into the table: change it in the file")
        return text

    def _row(self, at: int) -> list[_Cell]:
        if 0 <= at < len(self._rows) - 1:
            return self._rows[at + 1]
        raise UnfitEditError(f"the table has no row {at}: it has {len(self._rows) - 1} rows")

    def _column(self, head: str | int) -> int | None:
        return column_of([cell.text for cell in self._rows[0]], head)

    def _set(self, row: list[_Cell], values: dict[str, Any]) -> None:
        for head, value in values.items():
            column = self._column(head)
            if column is None:
                if value in (None, ""):
                    continue
                column = self._add_column(head)
            text = self._text(value, column)
            if (row[column].text if column < len(row) else "") != cell_text(text):
                row += [_Cell(self._grid.delimiter) for _ in range(column + 1 - len(row))]
                row[column].written = self._written(text, column, is_quoted=row[column].is_quoted)
                row[column].text = cell_text(text)

    def _add_column(self, head: str) -> int:
        """Add a column: a head, and an empty cell in each row that is as long as the head."""
        first, *rest = self._rows
        width = len(first)
        first.append(_Cell(self._grid.delimiter, self._written(head, -1), cell_text(head)))
        for row in rest:
            if len(row) == width:
                row.append(_Cell(self._grid.delimiter))
        return width

    def _new(self, values: dict[str, Any]) -> list[_Cell]:
        row: list[_Cell] = []
        self._set(row, values)
        row += [_Cell(self._grid.delimiter) for _ in self._rows[0][len(row) :]]
        row[0].before = ""
        for column, cell in enumerate(row):
            cell.written = cell.written or self._written("", column)
        return row

    def _insert(self, at: int, row: list[_Cell]) -> None:
        at = min(max(at, 0) + 1, len(self._rows))
        near = (gap for gap in self._gaps[1:-1][max(at - 2, 0) : at + 1] if not gap.strip())
        gap = min(near, key=len, default=self._grid.newline)
        self._gaps.insert(at if at == len(self._rows) else at + 1, gap)
        self._rows.insert(at, row)

    def _remove(self, row: list[_Cell]) -> None:
        """Remove a row, and the blanks on one side of it."""
        at = self._rows.index(row)
        del self._rows[at]
        before, after = self._gaps[at : at + 2]
        is_last = at == len(self._rows)
        if not is_last and not after.strip():
            kept = before
        elif not before.strip():
            kept = after
        else:
            kept = before.rstrip() + after if is_last else before + after.lstrip()
        self._gaps[at : at + 2] = [kept]

    def _text(self, value: Any, column: int) -> str:
        """Return a value as the text of a cell: a list with semicolons, a number with the decimal
        sign of its column."""
        if isinstance(value, list | tuple):
            return "; ".join(self._text(each, column) for each in value)
        if isinstance(value, dict):
            raise UnfitEditError("a cell holds no parts with names: write them in a YAML file")
        text = "" if value is None else str(as_loaded(value))
        if isinstance(value, float) and column < len(self._points):
            return text.replace(".", self._points[column] or ".")
        return text

    @cached_property
    def _points(self) -> list[str]:
        """The decimal signs of the columns."""
        rows = [row.cells for row in self._grid.rows]
        width = max(map(len, rows))
        columns = ([row[n].text for row in rows[1:] if n < len(row)] for n in range(width))
        return list(points(columns, "," if self._grid.delimiter == ";" else "."))

    def _written(self, text: str, column: int, *, is_quoted: bool = False) -> str:
        """Return a text as a cell, in quotes if it needs them, or if its head has them."""
        is_quoted = is_quoted or self._rows[0][column].is_quoted
        if not is_quoted and not re.search(rf'["\r\n{re.escape(self._grid.delimiter)}]', text):
            return text
        return '"' + text.replace('"', '""') + '"'


def _cells(grid: CsvGrid, row: GridRow) -> list[_Cell]:
    ends = [row.start, *(cell.end for cell in row.cells)]
    return [
        _Cell(
            grid.text[end : cell.start], grid.text[cell.start : cell.end], cell.text, cell.is_quoted
        )
        for end, cell in zip(ends, row.cells, strict=False)
    ]


def _trimmed(rows: list[list[str]]) -> list[list[str]]:
    """Return rows without the empty cells at their ends."""
    widths = (max((n for n, text in enumerate(row, 1) if text), default=0) for row in rows)
    return [row[:width] for row, width in zip(rows, widths, strict=True)]
