"""Observations in, means and shares with 95 % confidence intervals out; and a paired test.

- A mean: m ± z·s/√n, the normal interval; s is the sample's standard deviation (n − 1).
- A share of k in n: Wilson's score interval (Wilson 1927),
  (p + z²/2n ± z·√(p(1−p)/n + z²/4n²)) / (1 + z²/n), which holds near 0 and 1 as well.
- The sign test: of the pairs that differ, how likely is a split at least as uneven if either side
  is as good? Twice the binomial tail at ½; by the normal approximation with continuity correction
  from 1,000 pairs on.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from statistics import NormalDist
from typing import Final, NamedTuple

from generator.sums import summed

Z: Final = 1.959964
"""The normal distribution's 97.5 % point."""
_EXACT: Final = 1000


class Estimate(NamedTuple):
    """What was found, and the ends of its 95 % confidence interval. of: observations."""

    value: float
    low: float
    high: float
    of: int

    def __str__(self) -> str:
        return f"{self.value:.3g} [{self.low:.3g}, {self.high:.3g}]"


def mean(observations: Sequence[float]) -> Estimate | None:
    """The mean; None of nothing. One observation alone says nothing of its spread: any value."""
    n = len(observations)
    if not n:
        return None
    middle = math.fsum(observations) / n
    if n == 1:
        return Estimate(middle, -math.inf, math.inf, 1)
    spread = math.sqrt(math.fsum((x - middle) ** 2 for x in observations) / (n - 1))
    half = Z * spread / math.sqrt(n)
    return Estimate(middle, middle - half, middle + half, n)


def share(count: int, of: int) -> Estimate:
    """A share by Wilson's interval; of nothing it may be anything."""
    if not of:
        return Estimate(0.0, 0.0, 1.0, 0)
    p, square = count / of, Z * Z
    middle = (p + square / (2 * of)) / (1 + square / of)
    half = Z * math.sqrt(p * (1 - p) / of + square / (4 * of * of)) / (1 + square / of)
    return Estimate(p, max(0.0, middle - half), min(1.0, middle + half), of)


def sign_test(more: int, less: int) -> float:
    """The probability of a split at least as uneven by chance alone."""
    n, k = more + less, min(more, less)
    if not n:
        return 1.0
    if n <= _EXACT:
        tail = summed(math.comb(n, i) for i in range(k + 1)) / (1 << n)
    else:
        tail = NormalDist().cdf((k + 0.5 - n / 2) / math.sqrt(n / 4))
    return min(1.0, 2 * tail)
