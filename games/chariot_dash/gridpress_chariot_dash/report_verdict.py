"""A comparison of two vehicles in, the answer in sentences out."""

from __future__ import annotations

from collections.abc import Iterator
from math import inf, isfinite
from typing import Any

from gridpress_chariot_dash.estimates import as_data, decimals_of, share_text
from gridpress_chariot_dash.race.comparing import CERTAIN, Comparison
from gridpress_chariot_dash.race.intervals import Estimate


def verdict(of: Comparison, track: str) -> Iterator[str]:
    """The answer, by how much, and how sure it is."""
    if of.better is None:
        yield (
            f"The difference between {of.a} and {of.b} on {track} is within noise: so uneven a "
            f"result comes about by chance {_chance(of.chance)} if both are equally good."
        )
    else:
        other = of.b if of.better == of.a else of.a
        yield (
            f"{of.better} is better than {other} on {track}: so clear a result comes about by "
            f"chance {_chance(of.chance)} if both are equally good."
        )
    first, second = (of.a, of.b) if of.places.value >= 0 else (of.b, of.a)
    ahead = _turned(of.places, first == of.b)
    wins = of.wins if first == of.a else _rest(of.wins)
    yield (
        f"In fields of four, two of each, {first} comes in {_by(ahead, 'place')} before {second}, "
        f"of 2 at most, and wins {share_text(wins)} of the races, where 50% is even."
    )
    if of.rounds is not None:
        quick, slow = (of.a, of.b) if of.rounds.value >= 0 else (of.b, of.a)
        fewer = _turned(of.rounds, quick == of.b)
        yield f"Where both come home {quick} needs {_by(fewer, 'round')} fewer than {slow}."
    # A difference as large as half the interval shows every second time only.
    if of.better is None and 0 < (width := of.places.high - of.places.low) < inf:
        yield (
            f"A difference of {width:.{decimals_of(width)}f} places or more would most likely have "
            "shown; to see a smaller one, run more races: four times as many halve the noise."
        )


def verdict_data(of: Comparison) -> dict[str, Any]:
    """The answer for programs."""
    return {
        "a": of.a,
        "b": of.b,
        "better": of.better,
        "chance": of.chance,
        "certain_below": CERTAIN,
        "places_ahead": as_data(of.places),
        "wins_of_a": as_data(of.wins),
        "rounds_quicker": as_data(of.rounds),
    }


def _turned(estimate: Estimate, turned: bool) -> Estimate:
    if not turned:
        return estimate
    return Estimate(-estimate.value, -estimate.high, -estimate.low, estimate.of)


def _rest(part: Estimate) -> Estimate:
    """What the other has of a share."""
    return Estimate(1 - part.value, 1 - part.high, 1 - part.low, part.of)


def _by(estimate: Estimate, unit: str) -> str:
    """`0.24 places (0.18 to 0.30)`."""
    half = (estimate.high - estimate.low) / 2
    if not isfinite(half):
        return f"{estimate.value:.1f} {unit}s (one pair of races says nothing of the spread)"
    decimals = max(1, decimals_of(half))
    low, high = (f"{v:.{decimals}f}".replace("-", "−") for v in (estimate.low, estimate.high))
    return f"{estimate.value:.{decimals}f} {unit}s ({low} to {high})"


def _chance(chance: float) -> str:
    """`once in 20 times`, `less than once in a million times`."""
    if chance < 1e-6:
        return "less than once in a million times"
    if chance > 0.1:
        return f"{chance:.0%} of the time"
    return f"once in {round(1 / chance, -max(0, len(str(int(1 / chance))) - 2)):,.0f} times"
