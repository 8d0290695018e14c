"""What a vehicle is worth: all its numbers worked out, and its strengths as ratios.

`profile_speed`, `profile_turns` and `profile_wear` say how each figure is worked out.

Above 1 is better than the baseline, whatever the figure behind it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from generator.units import summed
from gridpress_chariot_dash.dice import Die
from gridpress_chariot_dash.findings import Figure
from gridpress_chariot_dash.profile_speed import (
    Braking,
    boxes_to,
    braking,
    checks,
    fastest_safe,
    spaces,
    speed_by_round,
)
from gridpress_chariot_dash.profile_wear import (
    CARDS,
    MANOEUVRES,
    Economy,
    Loss,
    Sustained,
    clp_spread,
    dice_absorbed,
    economy,
    losses,
    sustained,
)
from gridpress_chariot_dash.state import Options
from gridpress_chariot_dash.vehicle import SPEEDS, Vehicle

BY_ROUND: Final = "Flat out, a Whip a round"
LOST: Final = ("CLP of a turn of 30°, without cards", "CLP of a turn of 30°, with a card")
"""Groups of figures that charts are drawn of; those of `LOST` by the number of cards."""
LOST_PARTS: Final = ("0 CLP", "1 CLP", "2 CLP", "3 or more")
_BRAKED_WITH: Final = (0, 1)
"""Reins in each round of braking."""


@dataclass(frozen=True, slots=True)
class Profile:
    """All that is worked out of a vehicle. braking: by Reins a round and by whether it is down to
    the fastest safe speed (True) or to 0; losses: by speed, degrees and cards; spreads: how likely
    a turn costs 0, 1, 2 … CLP, by speed and cards."""

    boxes: tuple[int, ...]
    spaces: tuple[int, ...]
    checks: dict[tuple[bool, int], float | None]
    braking: dict[tuple[int, bool], tuple[Braking, ...]]
    by_round: tuple[float, ...]
    losses: dict[tuple[int, int, int], Loss]
    spreads: dict[tuple[int, int], tuple[float, ...]]
    levels: int
    absorbed: float
    sustained: Sustained
    economy: Economy


def profile(vehicle: Vehicle, die: Die, options: Options) -> Profile:
    """The profile of a vehicle as it starts a race."""
    safe = fastest_safe(vehicle)
    return Profile(
        boxes=boxes_to(vehicle),
        spaces=spaces(vehicle),
        checks=checks(vehicle, die, options),
        braking={
            (reins, to_safe): braking(vehicle, safe if to_safe else 0, die, options, reins)
            for reins in _BRAKED_WITH
            for to_safe in (True, False)
        },
        by_round=speed_by_round(vehicle, die, options),
        losses=losses(vehicle, die, options),
        spreads={
            (speed, cards): clp_spread(vehicle, speed, cards, options)
            for speed in range(SPEEDS)
            for cards in range(len(LOST))
        },
        levels=vehicle.damage_levels,
        absorbed=dice_absorbed(vehicle, die, options),
        sustained=sustained(vehicle, options),
        economy=economy(vehicle, options),
    )


def figures(of: Profile) -> Iterator[Figure]:
    """Every number of a profile, group by group."""
    for speed in range(SPEEDS):
        row = f"speed {speed}"
        yield Figure("Speeds", row, "boxes to it", of.boxes[speed])
        yield Figure("Speeds", row, "spaces a round", of.spaces[speed])
    yield from _checks(of)
    for (reins, to_safe), ways in of.braking.items():
        group = "Braking with Reins in each round" if reins else "Braking without cards"
        end = "safe" if to_safe else "0"
        for speed in range(1, SPEEDS):
            way = ways[speed]
            yield Figure(group, f"from speed {speed}", f"rounds to {end}", way.rounds)
            yield Figure(group, f"from speed {speed}", f"spaces to {end}", way.spaces)
    for degrees in MANOEUVRES:
        yield from _turns(of, degrees)
    yield from _spreads(of)
    yield Figure("Damage", "levels", "", of.levels)
    yield Figure("Damage", "damage dice until wiped out", "", of.absorbed)
    yield Figure("Stamina", "spaces a round, kept up", "", of.sustained.spaces)
    hand = of.economy
    yield Figure("Cards", "in the hand", "", hand.hand)
    yield Figure("Cards", "played a round, kept up", "", hand.each_round)
    yield Figure("Cards", "Whips a round, kept up", "", hand.whips_each_round)
    yield Figure("Cards", "Reins a round, kept up", "", hand.reins_each_round)
    yield Figure("Cards", "with a special", "", hand.special)
    yield Figure("Cards", "swaps a round", "", hand.swaps)
    for number, speed_then in enumerate(of.by_round, 1):
        yield Figure(BY_ROUND, f"round {number}", "mean speed", speed_then)


def _checks(of: Profile) -> Iterator[Figure]:
    for (accelerate, cards), boxes in of.checks.items():
        kind = "Whip" if accelerate else "Reins"
        played = f"{cards} {kind}{'s' if accelerate and cards > 1 else ''}" if cards else "no card"
        row = f"{'accelerate' if accelerate else 'decelerate'}, {played}"
        yield Figure("Speed checks", row, "mean boxes", boxes)


def _turns(of: Profile, degrees: int) -> Iterator[Figure]:
    """Three groups for a manoeuvre: narrow enough for a terminal, each."""
    what = f"Turning {degrees}°" + (" in two phases" if degrees > MANOEUVRES[0] else "")
    rows = {f"speed {speed}": speed for speed in range(1, SPEEDS)}
    for row, speed in rows.items():
        for cards in CARDS:
            hold = of.losses[speed, degrees, cards].hold
            yield Figure(f"{what}: as meant", row, _cards(cards), hold, is_share=True)
    for row, speed in rows.items():
        for cards in CARDS:
            yield Figure(f"{what}: CLP", row, _cards(cards), of.losses[speed, degrees, cards].clp)
    for row, speed in rows.items():
        lost = of.losses[speed, degrees, 0]
        yield Figure(f"{what}: without cards", row, "hexes slid", lost.slides)
        yield Figure(f"{what}: without cards", row, "spin °", lost.spin)
        yield Figure(f"{what}: without cards", row, "damage", lost.damage)


def _spreads(of: Profile) -> Iterator[Figure]:
    """The chance of each number of CLP, the last for that many and more."""
    last = len(LOST_PARTS) - 1
    for cards, group in enumerate(LOST):
        for speed in range(1, SPEEDS):
            spread = (*of.spreads[speed, cards], *(0.0,) * len(LOST_PARTS))
            chances = (*spread[:last], summed(spread[last:]))
            for part, chance in zip(LOST_PARTS, chances, strict=True):
                yield Figure(group, f"speed {speed}", part, chance, is_share=True)


def _cards(cards: int) -> str:
    return f"{cards or 'no'} card{'s' if cards > 1 else ''}"


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


def _turns_taken(of: Profile) -> float:
    """The mean chance to hold a turn of 30° with a card, over the speeds from 1."""
    return summed(of.losses[speed, 30, 1].hold for speed in range(1, SPEEDS)) / (SPEEDS - 1)


STRENGTHS: Final[Mapping[str, tuple[Callable[[Profile], float], str]]] = {
    "Start": (_start, f"mean speed over {_START_ROUNDS} rounds, a Whip in each"),
    "Top speed": (lambda of: max(of.spaces), "spaces of its fastest round"),
    "Brakes": (_brakes, "how short its way to a stand is"),
    "Turns": (_turns_taken, "chance to hold a turn with a card, mean of the speeds 1 to 6"),
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
