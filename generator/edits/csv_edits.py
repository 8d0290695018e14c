"""Carry out changes in a CSV text. Filled rows below the head count from 0."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

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
from generator.edits.csv_grid import CsvGrid, cell_text, csv_grid
from generator.edits.slots import Slots, Splice, spliced


def csv_edited(text: str, changes: Sequence[Change]) -> str:
    """Return a CSV text after changes; all other characters stay. Raises UnfitEditError."""
    work = _TableWork(text)
    for change in changes:
        work.add(change)
    return work.done()


class _TableWork:
    """Collects splices of cells, and writes them at once."""

    def __init__(self, text: str) -> None:
        self._grid = csv_grid(text)
        if not self._grid.rows:
            raise UnfitEditError("the table is empty: its first row names the fields")
        self._data = _texts(self._grid)
        self._splices: list[Splice] = []
        self._cells: set[tuple[int, int]] = set()

    def add(self, change: Change) -> None:
        """Carry out a change. Raises UnfitEditError."""
        match change:
            case SetValue((int(row), head), value):
                self._set(row, str(head), value)
            case SetValue((int(row),), dict(values)):
                for head, value in values.items():
                    self._set(row, head, value)
            case RemoveItem((int(row), head)):
                if self._grid.column(head) is not None:
                    self._set(row, str(head), "")
            case _:
                self._write()
                self._change_rows(change)
                self._write()

    def _change_rows(self, change: Change) -> None:
        match change:
            case RemoveItem((int(row),)):
                self._grid.row(row)
                self._splices = [self._slots().removed(row + 1)]
                del self._data[row + 1]
            case InsertItem((), at, dict(values)):
                self._insert(at, values)
            case MoveItem((int(row),), at):
                self._grid.row(row)
                order = [n for n in range(len(self._grid.rows) - 1) if n != row]
                order.insert(max(at, 0), row)
                self._order(order)
            case OrderItems((), order):
                self._order(order)
            case CopyItem((int(row),), at, values):
                self._copy(row, at, values)
            case _:
                raise UnfitEditError("a table has rows and cells alone: there is no such place")

    def done(self) -> str:
        """Write what is collected, and return the text."""
        self._write()
        return self._grid.text

    def _slots(self) -> Slots:
        places = [(row.start, row.end) for row in self._grid.rows]
        return Slots(self._grid.text, places, self._grid.newline)

    def _write(self) -> None:
        if not self._splices:
            return
        grid = csv_grid(spliced(self._grid.text, self._splices))
        if not all(map(any, self._data)):
            raise UnfitEditError("a row needs a filled cell: remove the row instead")
        if _texts(grid) != _trimmed(self._data) or grid.delimiter != self._grid.delimiter:
            raise UnfitEditError("this cannot be written into the table: change it in the file")
        self._grid, self._data = grid, _texts(grid)
        self._splices, self._cells = [], set()

    def _set(self, row: int, head: str, value: Any) -> None:
        column = self._grid.column(head)
        if column is None:
            if value in (None, ""):
                return
            self._add_column(head)
            column = len(self._grid.head) - 1
        cells = self._grid.row(row).cells
        if (row, column) in self._cells or (column >= len(cells) and self._is_padded(row)):
            self._write()
            cells = self._grid.row(row).cells
        text = self._text(value, column)
        there = cells[column] if column < len(cells) else None
        if (there.text if there else "") == cell_text(text):
            return
        written = self._written(text, column, is_quoted=there.is_quoted if there else False)
        if there is not None:
            self._splices.append(Splice(there.start, there.end, written))
        else:
            end = self._grid.row(row).end
            missing = self._grid.delimiter * (column + 1 - len(cells))
            self._splices.append(Splice(end, end, missing + written))
        self._cells.add((row, column))
        line = self._data[row + 1]
        line += [""] * (column + 1 - len(line))
        line[column] = cell_text(text)

    def _is_padded(self, row: int) -> bool:
        many = len(self._grid.row(row).cells)
        return any(r == row and c >= many for r, c in self._cells)

    def _add_column(self, head: str) -> None:
        """Add a column: a head, and an empty cell in each row that is as long as the head."""
        self._write()
        rows, sign = self._grid.rows, self._grid.delimiter
        width = len(rows[0].cells)
        name = self._written(head, width)
        self._splices = [Splice(rows[0].end, rows[0].end, sign + name)]
        self._splices += [
            Splice(row.end, row.end, sign) for row in rows[1:] if len(row.cells) == width
        ]
        self._data[0] += [""] * (width - len(self._data[0])) + [cell_text(head)]
        self._write()

    def _insert(self, at: int, values: dict[str, Any]) -> None:
        for head, value in values.items():
            if self._grid.column(head) is None and value not in (None, ""):
                self._add_column(head)
        texts = [""] * len(self._grid.head)
        for head, value in values.items():
            if (column := self._grid.column(head)) is not None:
                texts[column] = self._text(value, column)
        row = self._grid.delimiter.join(
            self._written(text, column) for column, text in enumerate(texts)
        )
        self._splices = [self._slots().inserted(max(at, 0) + 1, [row])]
        self._data.insert(max(at, 0) + 1, [cell_text(text) for text in texts])

    def _copy(self, row: int, at: int, values: dict[str, Any]) -> None:
        there = self._grid.row(row)
        at = min(max(at, 0), len(self._grid.rows) - 1)
        again = self._grid.text[there.start : there.end]
        self._splices = [self._slots().inserted(at + 1, [again])]
        self._data.insert(at + 1, list(self._data[row + 1]))
        self._write()
        for head, value in values.items():
            self._set(at, head, value)

    def _order(self, order: Sequence[int]) -> None:
        order = whole_order(len(self._data) - 1, tuple(order))
        rows = [self._data[n + 1] for n in order]
        self._splices = self._slots().reordered([0, *(n + 1 for n in order)])
        self._data = [self._data[0], *rows]

    def _text(self, value: Any, column: int) -> str:
        """Return a value as the text of a cell: a list with semicolons, a number with the decimal
        sign of its column."""
        if isinstance(value, list | tuple):
            return "; ".join(self._text(each, column) for each in value)
        if isinstance(value, dict):
            raise UnfitEditError("a cell holds no parts with names: write them in a YAML file")
        text = "" if value is None else str(as_loaded(value))
        if isinstance(value, float) and "." in text:
            return text.replace(".", self._point(column))
        return text

    def _point(self, column: int) -> str:
        width = max(map(len, self._data))
        columns = ([row[n] for row in self._data[1:] if n < len(row)] for n in range(width))
        usual = "," if self._grid.delimiter == ";" else "."
        return list(points(columns, usual))[column] or "."

    def _written(self, text: str, column: int, *, is_quoted: bool | None = None) -> str:
        """Return a text as a cell, in quotes if it needs them, or if its head has them."""
        head = self._grid.head
        is_quoted = is_quoted or head[min(column, len(head) - 1)].is_quoted
        if not is_quoted and not re.search(rf'["\r\n{re.escape(self._grid.delimiter)}]', text):
            return text
        return '"' + text.replace('"', '""') + '"'


def _texts(grid: CsvGrid) -> list[list[str]]:
    return _trimmed([[cell.text for cell in row.cells] for row in grid.rows])


def _trimmed(rows: list[list[str]]) -> list[list[str]]:
    """Return rows without the empty cells at their ends."""
    widths = (max((n for n, text in enumerate(row, 1) if text), default=0) for row in rows)
    return [row[:width] for row, width in zip(rows, widths, strict=True)]
