"""What a game tells of a component: plain tables and figures, for a terminal, JSON or a page."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace


@dataclass(frozen=True, slots=True)
class Table:
    """Words in rows under columns; a column without a name has none printed. note: a line below."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    note: str = ""


@dataclass(frozen=True, slots=True)
class Figure:
    """One number, in the row and column of its group's table, and that of the baseline.

    None stands for what does not happen: a speed that is never reached, say. A share is shown in
    per cent.
    """

    group: str
    row: str
    column: str
    value: float | None
    baseline: float | None = None
    is_share: bool = False

    @property
    def ratio(self) -> float | None:
        """The value by that of the baseline; None where there is nothing to divide by."""
        if self.value is None or not self.baseline:
            return None
        return self.value / self.baseline


def against(own: Iterable[Figure], base: Iterable[Figure]) -> tuple[Figure, ...]:
    """The figures with those of the baseline in the same places."""
    known = {(f.group, f.row, f.column): f.value for f in base}
    return tuple(replace(f, baseline=known.get((f.group, f.row, f.column))) for f in own)


def tables(figures: Sequence[Figure], *, with_ratios: bool) -> tuple[Table, ...]:
    """A table for each group, in the order of the figures; `2.5 ×1.25` is a value and its ratio."""
    made = []
    for group in dict.fromkeys(f.group for f in figures):
        of_group = [f for f in figures if f.group == group]
        columns = tuple(dict.fromkeys(f.column for f in of_group))
        cells = {(f.row, f.column): cell(f, with_ratio=with_ratios) for f in of_group}
        rows = tuple(
            (row, *(cells.get((row, column), "") for column in columns))
            for row in dict.fromkeys(f.row for f in of_group)
        )
        made.append(Table(group, ("", *columns), rows))
    return tuple(made)


def cell(figure: Figure, *, with_ratio: bool) -> str:
    """`2.5`, `2.5 ×1.25`, or a dash where there is no value."""
    if figure.value is None:
        return "–"
    text = share(figure.value) if figure.is_share else number(figure.value)
    compared = figure.ratio if with_ratio else None
    return text if compared is None else f"{text} {ratio(compared)}"


def number(value: float) -> str:
    """Two decimals at most, none where they say nothing."""
    if value == float("inf"):
        return "∞"
    return f"{value:.2f}".rstrip("0").rstrip(".") if value % 1 else f"{value:.0f}"


def ratio(value: float | None) -> str:
    """`×1.25`, or a dash where there is nothing to compare with."""
    return "–" if value is None else f"×{value:.2f}"


def share(part: float) -> str:
    """Per cent, with a decimal where there are few."""
    return f"{part:.1%}" if 0 < part < 0.0995 else f"{part:.0%}"
