"""Choose the rows of a table that are components of one kind: `where` beside `rows`."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Final

from generator.diagnostics import Diagnostic, GridpressError, Span, warning
from generator.model.source import Mapping, Node, Scalar
from generator.sandbox import Expression, SandboxError, compile_expression

_NAMED: Final = 10


def condition(where: Node | None) -> Expression | None:
    """Compile `where`; None takes all rows. Raises GridpressError (GP203, GP211)."""
    if where is None:
        return None
    if not isinstance(where, Scalar) or where.is_null:
        hint = 'write where: type == "Spell"'
        raise GridpressError(Diagnostic(where.span, "GP203", "where is an expression", hint))
    try:
        return compile_expression(where.text)
    except SandboxError as error:
        raise GridpressError(_wrong(where.span, error)) from error


def taken(
    rows: Sequence[Mapping], asked: Expression, where: Span
) -> tuple[list[Mapping], list[Mapping]]:
    """Split rows by whether the expression is true. It sees each cell by
    the name of its column: as a number if it is one, as "" if it is empty. `where` is its place.
    Raises GridpressError (GP211) if it fails for a row."""
    empty = {key.text: "" for row in rows for key, _ in row.entries}
    yes: list[Mapping] = []
    no: list[Mapping] = []
    for row in rows:
        values = {key.text: _value(cell) for key, cell in row.entries}
        try:
            (yes if asked(empty | values) else no).append(row)
        except SandboxError as error:
            raise GridpressError(_wrong(where, error, row.span)) from error
    return yes, no


def without(rows: Iterable[Mapping], names: Collection[str]) -> list[Mapping]:
    """Return the rows without the cells of some columns."""
    return [
        Mapping(tuple(entry for entry in row.entries if entry[0].text not in names), row.span)
        for row in rows
    ]


def rows_of_no_kind(others: Iterable[Mapping], used: Collection[Span]) -> Iterator[Diagnostic]:
    """Yield GP113 for rows that no `where` takes. `used` are the places of all components."""
    files: dict[str, set[Span]] = {}
    for row in others:
        if row.span not in used:
            files.setdefault(row.span.file, set()).add(row.span)
    for spans in files.values():
        first, *_ = ordered = sorted(spans)
        lines = ", ".join(str(span.line) for span in ordered[:_NAMED])
        lines += f" and {len(ordered) - _NAMED} more" if len(ordered) > _NAMED else ""
        message = f"no where: matches row{'s' if len(ordered) > 1 else ''} {lines}"
        hint = "is a word misspelt there? If not, write another file with rows: and where: for them"
        yield warning(first, "GP113", message, hint)


def _value(cell: Node) -> str | int | float:
    if not isinstance(cell, Scalar):
        return ""
    number = cell.cell.number if cell.cell else ""
    if not number:
        return cell.text
    return float(number) if "." in number else int(number)


def _wrong(where: Span, error: SandboxError, row: Span | None = None) -> Diagnostic:
    at = f", for the row at {row}" if row else ""
    hint = error.hint or "see expressions in docs/kinds.md"
    return Diagnostic(where, "GP211", f"where: {error.message}{at}", hint)
