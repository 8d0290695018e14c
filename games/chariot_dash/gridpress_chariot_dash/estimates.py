"""Estimates with their 95 % intervals in, words for tables and numbers for programs out.

A mean is told as `9.71 ±0.06`, a share as `35.2% (33.1–37.3)`, a ratio as `×1.41 (1.32–1.49)`.
"""

from __future__ import annotations

from math import floor, isfinite, log10
from typing import Any, Final, Protocol

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
