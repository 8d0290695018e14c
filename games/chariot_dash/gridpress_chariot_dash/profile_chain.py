"""Absorbing Markov chains: places, steps and prices in, the mean price of a way to the end out."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Final

from generator.sums import summed
from gridpress_chariot_dash.speed_table import Marker

Spread = Mapping[Marker, float]
"""Where the marker may stand, each place with its probability."""
_EXACT: Final = 1e-10


def mean_cost(
    start: Marker,
    step: Callable[[Marker], Spread],
    done: Callable[[Marker], bool],
    cost: Callable[[Marker], float],
) -> float | None:
    """The mean of what is paid at each place from the start until it is done.

    Solved by Gauss-Seidel iteration over the places that can be reached, which converges as the
    end of an absorbing Markov chain is reached for certain. None where it may never be.
    """
    steps = dict(_reached(start, step, done))
    if any(not _ends(place, steps, done) for place in steps):
        return None
    worth = dict.fromkeys(steps, 0.0)
    while True:
        change = 0.0
        for place, spread in steps.items():
            onward = summed(
                p * worth[to] for to, p in spread.items() if to != place and to in worth
            )
            new = (cost(place) + onward) / (1.0 - spread.get(place, 0.0))
            change = max(change, abs(new - worth[place]))
            worth[place] = new
        if change <= _EXACT * max(1.0, worth.get(start, 0.0)):
            return worth.get(start, 0.0)


def _reached(
    start: Marker, step: Callable[[Marker], Spread], done: Callable[[Marker], bool]
) -> Iterator[tuple[Marker, Spread]]:
    waiting, seen = [start], {start}
    while waiting:
        place = waiting.pop()
        if done(place):
            continue
        spread = step(place)
        yield place, spread
        new = [to for to in spread if to not in seen]
        seen.update(new)
        waiting += new


def _ends(place: Marker, steps: Mapping[Marker, Spread], done: Callable[[Marker], bool]) -> bool:
    """Whether the end can be reached from here."""
    waiting, seen = [place], {place}
    while waiting:
        here = waiting.pop()
        if done(here):
            return True
        new = [to for to in steps[here] if to not in seen]
        seen.update(new)
        waiting += new
    return False
