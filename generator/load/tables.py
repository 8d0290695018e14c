"""Rows of cells in (CSV here, XLSX in `workbooks.py`), one mapping a row out."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator
from typing import Final

from generator.diagnostics import Diagnostic, GridpressError, Span
from generator.model.source import Mapping, Scalar

MAX_ROWS: Final = 20_000
MAX_COLUMNS: Final = 200
MAX_CELLS: Final = 250_000
"""Filled cells of a table; no more than values in a YAML file."""

# The filled cells of one row; a cell's column says where it stands.
Cells = tuple[Scalar, ...]


def bad_table(span: Span, message: str, hint: str = "") -> GridpressError:
    """GP108, ready to be raised."""
    return GridpressError(Diagnostic(span, "GP108", message, hint))


def csv_rows(text: str, shown: str) -> Iterator[Cells]:
    """The rows of a CSV text, separated by comma or semicolon, whichever its header has more of.

    A cell's column is its number in the row; its line is where the row begins. Raises
    GridpressError (GP108) when a row cannot be read.
    """
    header = text.lstrip().partition("\n")[0]
    delimiter = ";" if header.count(";") > header.count(",") else ","
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    line = 1
    try:
        for row in reader:
            yield tuple(
                Scalar(cell.strip(), Span(shown, line, column))
                for column, cell in enumerate(row, start=1)
                if cell.strip()
            )
            line = reader.line_num + 1
    except csv.Error as error:
        if "field larger" in str(error):
            message = f"a cell in this row has more than {csv.field_size_limit():,} characters"
            hint = "is a quote forgotten that ends one? else shorten it"
            raise bad_table(Span(shown, line), message, hint) from error
        hint = 'a quote that opens a cell must close it; inside, a quote is written twice: ""'
        raise bad_table(Span(shown, line), "the quotes in this row are wrong", hint) from error


def mappings(rows: Iterable[Cells], shown: str) -> tuple[list[Mapping], list[Diagnostic]]:
    """One mapping for each row after the header, whose cells are the keys; empty rows are none.

    Raises GridpressError (GP108) when the table as a whole cannot be used.
    """
    filled = (row for row in rows if row)
    header = next(filled, None)
    if header is None:
        raise bad_table(Span(shown), "the table is empty", "its first row names the fields")
    keys = {cell.span.column: cell for cell in header}
    faults = list(_header_faults(header))
    found: list[Mapping] = []
    strange: set[int] = set()
    cells = 0
    for row in filled:
        cells += len(row)
        if len(found) == MAX_ROWS:
            raise bad_table(row[0].span, f"the table has more than {MAX_ROWS:,} rows")
        if cells > MAX_CELLS:
            hint = "split it into several tables, or leave cells empty that have a default"
            raise bad_table(row[0].span, f"up to here are more than {MAX_CELLS:,} cells", hint)
        headless = [cell for cell in row if cell.span.column not in keys]
        for cell in headless:
            # The first of a row and of a column: one comma too many moves all that follow.
            column = cell.span.column
            if cell is headless[0] or (column <= MAX_COLUMNS and column not in strange):
                strange.add(column)
                faults.append(_headless(cell))
        entries = ((keys[c.span.column], c) for c in row if c.span.column in keys)
        found.append(Mapping(tuple(entries), Span(shown, row[0].span.line)))
    return found, faults


def _header_faults(header: Cells) -> Iterator[Diagnostic]:
    beyond = next((cell for cell in header if cell.span.column > MAX_COLUMNS), None)
    if beyond is not None:
        raise bad_table(beyond.span, f"the table has more than {MAX_COLUMNS} columns")
    seen: dict[str, Scalar] = {}
    for cell in header:
        first = seen.setdefault(cell.text, cell)
        if first is not cell:
            hint = f"it heads column {first.span.column} already; rename one of the two"
            yield Diagnostic(cell.span, "GP108", f"the header {cell.text!r} stands twice", hint)


def _headless(cell: Scalar) -> Diagnostic:
    hint = "name the field in the first row; a text with a comma needs quotes in a CSV file"
    return Diagnostic(
        cell.span, "GP108", f"{cell.text!r} stands in a column without a header", hint
    )
