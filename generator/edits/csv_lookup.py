"""Find the cells of a CSV text by their place, and places by row and head."""

from __future__ import annotations

from bisect import bisect_right
from typing import Any

from generator.edits.changes import Path, UnfitEditError
from generator.edits.csv_grid import CsvGrid, GridRow, column_of, csv_grid
from generator.edits.places import LineStarts, Place


class CsvLookup:
    """The places of a CSV text."""

    def __init__(self, text: str) -> None:
        self._lines = LineStarts(text)
        try:
            self._grid = csv_grid(text)
            self.is_whole = True
        except UnfitEditError:
            self._grid = CsvGrid(text, ",", "\n", ())
            self.is_whole = False

    def at(self, line: int, column: int) -> Place | None:
        """Return the cell at a place, the whole row behind its last cell; None in the head."""
        at = self._lines.index(line, column)
        index = bisect_right(self._grid.rows, at, key=lambda row: row.start) - 1
        if index < 1 or at > self._grid.rows[index].end:
            return None
        cells = self._grid.rows[index].cells
        return self._cell(index - 1, bisect_right(cells, at, key=lambda cell: cell.start) - 1)

    def cell(self, line: int, number: int) -> Place | None:
        """Return the cell of a finding, whose column is the number of its cell."""
        index = bisect_right(self._grid.rows, self._lines.index(line, 1), key=lambda r: r.start) - 1
        return self._cell(index - 1, number - 1) if index > 0 else None

    def node(self, path: Path = ()) -> dict[str, Any] | None:
        """Return cells as they are typed: rows as entries by head, ready for JSON."""
        match path:
            case ():
                return {"items": [self._entries(row) for row in self._grid.rows[1:]]}
            case (int(row),):
                found = self._row(row)
                return self._entries(found) if found else None
            case (int(row), head) if (column := self._column(head)) is not None:
                found = self._row(row)
                return _typed(found, column) if found else None
            case _:
                return None

    def _column(self, head: str | int) -> int | None:
        return column_of([cell.text for cell in self._grid.head], head)

    def _row(self, row: int) -> GridRow | None:
        return self._grid.rows[row + 1] if 0 <= row < len(self._grid.rows) - 1 else None

    def _cell(self, row: int, column: int) -> Place:
        found, head = self._grid.rows[row + 1], self._grid.head
        if 0 <= column < min(len(found.cells), len(head)):
            cell = found.cells[column]
            return self._lines.place((row, head[column].text), cell.start, cell.end)
        return self._lines.place((row,), found.start, found.end)

    def _entries(self, row: GridRow) -> dict[str, Any]:
        heads = enumerate(cell.text for cell in self._grid.head)
        return {"entries": [[head, _typed(row, column)] for column, head in heads if head]}


def _typed(row: GridRow, column: int) -> dict[str, Any]:
    text = row.cells[column].text if column < len(row.cells) else ""
    return {"text": text, "plain": True}
