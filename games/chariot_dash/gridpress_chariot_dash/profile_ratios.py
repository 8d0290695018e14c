"""Seven words for a vehicle: its profile and the baseline's in, a ratio for each strength out.

Above 1 is better than the baseline, whatever the figure behind it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from generator.sums import summed
from gridpress_chariot_dash.profile import Profile
from gridpress_chariot_dash.speed_table import SPEEDS

_START_ROUNDS: Final = 6


def _start(of: Profile) -> float:
    """The mean speed over the first rounds, flat out."""
    return summed(of.by_round[:_START_ROUNDS]) / _START_ROUNDS


def _brakes(of: Profile) -> float:
    """One by the mean spaces to a stand without cards (with Reins where it takes them)."""
    ways = of.braking[0, False]
    if any(way.spaces is None for way in ways):
        ways = of.braking[1, False]
    spaces = [way.spaces for way in ways[1:]]
    if any(space is None for space in spaces):
        return 0.0
    total = summed(space or 0.0 for space in spaces)
    return len(spaces) / total if total else 0.0


def _turns(of: Profile) -> float:
    """The mean chance to hold a turn of 30° with a card, over the speeds from 1."""
    return summed(of.losses[speed, 30, 1].hold for speed in range(1, SPEEDS)) / (SPEEDS - 1)


STRENGTHS: Final[Mapping[str, tuple[Callable[[Profile], float], str]]] = {
    "Start": (_start, f"mean speed over {_START_ROUNDS} rounds, a Whip in each"),
    "Top speed": (lambda of: max(of.spaces), "spaces of its fastest round"),
    "Brakes": (_brakes, "how short its way to a stand is"),
    "Turns": (_turns, "chance to hold a turn with a card, mean of the speeds 1 to 6"),
    "Toughness": (lambda of: of.absorbed, "damage dice until it is wiped out"),
    "Endurance": (lambda of: of.sustained.spaces, "spaces a round that stamina keeps up"),
    "Cards": (lambda of: of.economy.each_round, "cards a round that the hand keeps up"),
}
"""Each strength's measure, more of which is better, and what it is in words."""


def strengths(own: Profile, base: Profile) -> dict[str, float | None]:
    """The ratio of each measure to the baseline's; None where that is 0."""
    ratios: dict[str, float | None] = {}
    for name, (measure, _) in STRENGTHS.items():
        whole = measure(base)
        ratios[name] = measure(own) / whole if whole else None
    return ratios
