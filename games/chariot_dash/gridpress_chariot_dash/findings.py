"""What a game tells: tables, figures, charts, findings, numbers in words, and pages of HTML.

A mean is told as `9.71 ±0.06`, a share as `35.2% (33.1–37.3)`, a ratio as `×1.41 (1.32–1.49)`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from math import floor, isfinite, log10
from typing import TYPE_CHECKING, Any, Final, Protocol

if TYPE_CHECKING:
    from gridpress_chariot_dash.race.race_types import RaceType


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


_MOST_DECIMALS: Final = 3
_NARROW: Final = 0.1


class Estimate(Protocol):
    """A value, the ends of its 95 % interval, and how many observations are behind it."""

    @property
    def value(self) -> float:
        """What was found."""

    @property
    def low(self) -> float:
        """The lower end."""

    @property
    def high(self) -> float:
        """The upper end."""

    @property
    def of(self) -> int:
        """Observations."""


def mean_text(estimate: Estimate | None, factor: float = 1.0) -> str:
    """With as many decimals as two digits of the interval have; a dash for none."""
    if estimate is None:
        return "–"
    half = factor * (estimate.high - estimate.low) / 2
    if not isfinite(half):
        return f"{factor * estimate.value:.1f} (one race only)"
    decimals = decimals_of(half)
    return f"{signed(factor * estimate.value, decimals)} ±{half:.{decimals}f}"


def share_text(estimate: Estimate) -> str:
    """In per cent, with a decimal where the interval is narrow."""
    decimals = 1 if estimate.high - estimate.low < _NARROW else 0
    low, value, high = (100 * v for v in (estimate.low, estimate.value, estimate.high))
    return f"{value:.{decimals}f}% ({low:.{decimals}f}–{high:.{decimals}f})"


def ratio_text(estimate: Estimate, whole: float) -> str:
    """By how many times a share is the `whole`."""
    low, value, high = (v / whole for v in (estimate.low, estimate.value, estimate.high))
    return f"×{value:.2f} ({low:.2f}–{high:.2f})"


def decimals_of(half: float) -> int:
    """Decimals for the half-width of an interval, so that it has two digits."""
    return min(_MOST_DECIMALS, max(0, 1 - floor(log10(half)))) if half > 0 else 0


def signed(value: float, decimals: int) -> str:
    """With a real minus sign, and none before 0."""
    text = f"{value:.{decimals}f}"
    return text.lstrip("-") if float(text) == 0 else text.replace("-", "−")


def as_data(estimate: Estimate | None) -> dict[str, Any] | None:
    """For JSON, which has no word for infinity."""
    if estimate is None:
        return None
    ends = {"low": estimate.low, "high": estimate.high}
    return {
        "value": estimate.value,
        **{name: end if isfinite(end) else None for name, end in ends.items()},
        "of": estimate.of,
    }


@dataclass(frozen=True, slots=True)
class Running:
    """How races are run. race: their type; races: how many, of time trials for each vehicle. field:
    how many vehicles race at a time; 1 for time trials, None for all of them. jobs: worker
    processes, which change nothing but the time. progress: called with how many are done, and of
    how many. driver: the level of all drivers."""

    race: RaceType
    races: int
    seed: int
    jobs: int
    field: int | None = None
    progress: Callable[[int, int], None] | None = None
    driver: str = "steady"


@dataclass(frozen=True, slots=True)
class Chart:
    """A chart as SVG, with what it shows and how it is read. wide: it takes the whole page."""

    title: str
    svg: str
    note: str = ""
    wide: bool = False


@dataclass(frozen=True, slots=True)
class Finding:
    """What was found. words: sentences, the answer first; data: all of it for programs."""

    title: str
    words: tuple[str, ...]
    tables: tuple[Table, ...]
    charts: tuple[Chart, ...]
    data: Mapping[str, Any]


def finding_page(finding: Finding, kicker: str) -> str:
    """What a simulation found. kicker: the line above its title."""
    return page(
        "finding.html.j2",
        title=finding.title,
        kicker=kicker,
        words=finding.words,
        charts=finding.charts,
        tables=finding.tables,
    )


def page(template: str, **values: Any) -> str:
    """A template of this package filled in.

    Texts are escaped; charts, which are SVG already, a template marks as safe.
    """
    from jinja2 import Environment, PackageLoader, StrictUndefined  # noqa: PLC0415, most have none

    environment = Environment(
        loader=PackageLoader("gridpress_chariot_dash", "."),
        undefined=StrictUndefined,
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    return environment.get_template(template).render(**values)
