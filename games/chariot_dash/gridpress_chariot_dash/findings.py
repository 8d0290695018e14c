"""Tables, figures and charts of reports, and numbers in words.

A mean reads `9.71 ±0.06`, a share `35.2% (33.1–37.3)`, a ratio `×1.41 (1.32–1.49)`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from html import escape
from math import ceil, floor, isfinite, log10
from typing import Final, NamedTuple, Protocol

from msgspec import Struct
from msgspec.structs import replace


class Interval(Protocol):
    """A value and the 95 % interval around it."""

    @property
    def value(self) -> float:
        """The value found."""

    @property
    def low(self) -> float:
        """The lower end."""

    @property
    def high(self) -> float:
        """The upper end."""


class Mean(NamedTuple):
    """A mean with its 95 % interval."""

    value: float
    low: float
    high: float


class Table(Struct, frozen=True):
    """A table of words. note: a line below it."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    note: str = ""

    @property
    def classes(self) -> tuple[str, ...]:
        """The class of each column on a page: `n` for numbers, which stand on the right."""
        columns = (set(cells) - {""} for cells in zip(*self.rows, strict=True))
        return tuple("n" if of and all(map(_NUMBER.fullmatch, of)) else "" for of in columns)


_NUMBER: Final = re.compile(r"(about )?[+−×]?[\d.]+[%°]?( [±(×].*)?|[–∞]")


class Figure(Struct, frozen=True):
    """A number and that of the baseline, placed in its group's table.

    A speed that is never reached has None.
    """

    group: str
    row: str
    column: str
    value: float | None
    baseline: float | None = None
    is_share: bool = False

    @property
    def ratio(self) -> float | None:
        """The value over the baseline's, or None."""
        if self.value is None or not self.baseline:
            return None
        return self.value / self.baseline


def against(own: Iterable[Figure], base: Iterable[Figure]) -> tuple[Figure, ...]:
    """Return the figures with the baseline's values."""
    known = {(f.group, f.row, f.column): f.value for f in base}
    return tuple(replace(f, baseline=known.get((f.group, f.row, f.column))) for f in own)


def tables(figures: Sequence[Figure], *, with_ratios: bool) -> tuple[Table, ...]:
    """Return a table for each group, in the order of the figures."""
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
    """Return `2.5`, `2.5 ×1.25`, or a dash without a value."""
    if figure.value is None:
        return "–"
    text = per_cent(figure.value) if figure.is_share else two_decimals(figure.value)
    compared = figure.ratio if with_ratio else None
    return text if compared is None else f"{text} {ratio(compared)}"


def two_decimals(value: float) -> str:
    """Format with up to two decimals."""
    if value == float("inf"):
        return "∞"
    return f"{value:.2f}".rstrip("0").rstrip(".") if value % 1 else f"{value:.0f}"


def ratio(value: float | None) -> str:
    """Return `×1.25`, or a dash."""
    return "–" if value is None else f"×{value:.2f}"


def per_cent(part: float) -> str:
    """Format in per cent, with a decimal below 10 %."""
    return f"{part:.1%}" if 0 < part < 0.0995 else f"{part:.0%}"


_MOST_DECIMALS: Final = 3


def mean_text(estimate: Interval | None, factor: float = 1.0) -> str:
    """Format a mean so that its interval has two digits."""
    if estimate is None:
        return "–"
    half = factor * (estimate.high - estimate.low) / 2
    if not isfinite(half):
        return f"{factor * estimate.value:.1f} (one race only)"
    decimals = decimals_of(half)
    return f"{signed(factor * estimate.value, decimals)} ±{half:.{decimals}f}"


def decimals_of(half: float) -> int:
    """Return the decimals that give half an interval two digits."""
    return min(_MOST_DECIMALS, max(0, 1 - floor(log10(half)))) if half > 0 else 0


def signed(value: float, decimals: int) -> str:
    """Format with a real minus sign, and none before 0."""
    text = f"{value:.{decimals}f}"
    return text.lstrip("-") if float(text) == 0 else text.replace("-", "−")


class Chart(Struct, frozen=True):
    """A chart as SVG. wide: over the whole width of the page."""

    title: str
    svg: str
    note: str = ""
    wide: bool = False


RED: Final = "#d9542b"
GREY: Final = "#777777"


def stacks(
    rows: Mapping[str, Sequence[float]], parts_of: Sequence[str], shades: Sequence[str]
) -> str:
    """Draw a bar of parts for each row; parts add up to 1."""
    left, width, high, gap = 150.0, 340.0, 17.0, 5.0
    made = []
    for number, (name, values) in enumerate(rows.items()):
        y = 6 + number * (high + gap)
        made.append(_text(left - 8, y + 12.5, name, "end"))
        x = left
        for shade, value in zip(shades, values, strict=True):
            wide = width * value
            if wide > 0:
                made.append(
                    f'<rect x="{x:.1f}" y="{y:.1f}" width="{wide:.1f}" height="{high}" '
                    f'fill="{shade}" stroke="#fff" stroke-width=".8"/>'
                )
            if wide > 30:
                ink = "#ffffff" if _is_dark(shade) else "#222222"
                made.append(_text(x + wide / 2, y + 12.5, f"{value:.0%}", "middle", ink=ink))
            x += wide
    foot = 6 + len(rows) * (high + gap) + 6
    x = left
    for shade, name in zip(shades, parts_of, strict=True):
        made.append(f'<rect x="{x}" y="{foot}" width="12" height="12" fill="{shade}"/>')
        made.append(_text(x + 17, foot + 10.5, name, "start"))
        x += 34 + 7.2 * len(name)
    return _svg(500, foot + 20, made)


def whiskers(
    rows: Mapping[str, tuple[float, float, float]],
    told_as: Callable[[float], str],
    mark: tuple[float, str] | None = None,
) -> str:
    """Draw a dot for each row on a line over its interval.

    mark: a value to compare with, and its name.
    """
    left, width, high, top = 150.0, 330.0, 26.0, 24.0 if mark else 8.0
    ends = [end for _, low, top_end in rows.values() for end in (low, top_end) if isfinite(end)]
    ends += [mark[0]] if mark else []
    step = _step(max(ends, default=1.0) - min(ends, default=0.0))
    first = floor(min(ends, default=0.0) / step) * step
    last = max(first + step, ceil(max(ends, default=1.0) / step - 1e-9) * step)
    bottom = top + high * len(rows)

    def at(value: float) -> float:
        return left + width * (max(first, min(value, last)) - first) / (last - first)

    parts = []
    for n in range(round((last - first) / step) + 1):
        x = at(first + n * step)
        parts.append(
            f'<path d="M{x:.1f} {top}V{bottom}" stroke="{GREY}" stroke-width=".4" '
            'stroke-opacity=".6"/>'
        )
        parts.append(_text(x, bottom + 16, told_as(first + n * step), "middle"))
    if mark:
        x = at(mark[0])
        line = f'd="M{x:.1f} {top - 4}V{bottom}" stroke="currentColor" stroke-width="1.6"'
        parts.append(f"<path {line}/>")
        parts.append(_text(x, top - 9, mark[1], "middle", bold=True))
    for number, (name, (value, low, up)) in enumerate(rows.items()):
        y = top + high * (number + 0.5)
        parts.append(_text(left - 10, y + 4.5, name, "end"))
        parts.append(
            f'<path d="M{at(low):.1f} {y - 5}v10m0 -5H{at(up):.1f}m0 -5v10" fill="none" '
            f'stroke="{RED}" stroke-width="2"/>'
        )
        parts.append(f'<circle cx="{at(value):.1f}" cy="{y}" r="4.6" fill="{RED}"/>')
    return _svg(500, bottom + 24, parts)


def _step(span: float, most: int = 6) -> float:
    """Return the distance of marks on a scale: 1, 2 or 5 times a power of ten."""
    rough = max(span, 1e-9) / most
    power = 10.0 ** floor(log10(rough))
    return next(power * factor for factor in (1, 2, 5, 10) if power * factor >= rough * 0.999)


def _is_dark(colour: str) -> bool:
    """Judge by luma (BT.601)."""
    red, green, blue = (int(colour[n : n + 2], 16) for n in (1, 3, 5))
    return 0.299 * red + 0.587 * green + 0.114 * blue < 140


def _text(
    x: float, y: float, words: str, anchor: str, *, bold: bool = False, ink: str = "currentColor"
) -> str:
    weight = ' font-weight="bold"' if bold else ""
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" font-size="13" '
        f'font-family="inherit" fill="{ink}"{weight}>{escape(words)}</text>'
    )


def _svg(width: float, height: float, parts: Sequence[str]) -> str:
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" '
        f'role="img">{"".join(parts)}</svg>'
    )
