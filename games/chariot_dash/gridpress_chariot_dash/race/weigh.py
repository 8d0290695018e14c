"""Dice on the table: which to roll again, which to keep, which to discard, weighed one by one.

A decision is made from what each result would be worth (rounds to go, the fewer the better), so
that it is right for the place on the track, not only for the dice.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from gridpress_chariot_dash.dice import LEFT, RIGHT
from gridpress_chariot_dash.race.horizon import SUMS
from gridpress_chariot_dash.race.kernel import kernel
from gridpress_chariot_dash.race.layout import Array
from gridpress_chariot_dash.race.rolls import read

SPINS = 5
"""Spins either way that are told apart."""
FAR = 8
"""Boxes of haste or slow that are told apart, either way."""
HEAVY = 1e6
EXACT = 5
"""So many discards are weighed in every combination; of more, the first ones one by one."""
MOST_SEEN = 12
"""Dice of a speed check that are looked at."""

ROOM = np.dtype(
    [
        ("dice", np.int64, MOST_SEEN),  # values on the table, and with some rolled again
        ("anew", np.int64, MOST_SEEN),
        ("values", np.float64, SUMS),  # what each sum is worth, and each set of sums by direction
        ("best", np.float64, (2, 1 << SUMS)),
        ("chosen", np.int64, 2),
        # dice of a control roll by icon: on the table, to roll again, with a card for it, left
        # over, tried; and what they do
        ("counts", np.int64, 6),
        ("again", np.int64, 6),
        ("lucky", np.int64, 6),
        ("left", np.int64, 6),
        ("kept", np.int64, 6),
        ("trial", np.int64, 6),
        ("out", np.int64, 6),
        ("mine", np.int64, 2),  # a fight: dice and what is added, and what it costs both
        ("his", np.int64, 2),
        ("prices", np.float64, 2),
    ],
    align=True,
)
"""Room of a driver to think: parts of the compiled engine make no arrays."""


@kernel
def best_pair(dice: Array, count: int, limit: int, values: Array, chosen: Array) -> float:
    """The two dice to keep (places into `chosen`) within the limit, by what each sum is worth."""
    if count == 1:
        chosen[0], chosen[1] = 0, -1
        return values[dice[0]]
    first = 0
    for i in range(count):
        if dice[i] < dice[first]:
            first = i
    second = -1
    for i in range(count):
        if i != first and (second < 0 or dice[i] < dice[second]):
            second = i
    best = HEAVY
    chosen[0], chosen[1] = first, second
    for i in range(count):
        for k in range(i + 1, count):
            if (
                limit == 1
                and first not in (i, k)
                and dice[i] != dice[first]
                and dice[k] != dice[first]
            ):
                continue
            if limit == 2 and dice[i] + dice[k] != dice[first] + dice[second]:
                continue
            value = values[min(dice[i] + dice[k], len(values) - 1)]
            if value < best - 1e-9:
                best = value
                chosen[0], chosen[1] = i, k
    return best


@kernel
def reroll_values(
    dice: Array, count: int, allowed: int, limit: int, values: Array, faces: Array, room: Any
) -> tuple[float, int]:
    """Which dice of a check or fight to roll again, as bits: the set whose mean is the best; that
    mean before them.

    values: what each sum is worth; faces: the values on a die."""
    chosen, new = room.chosen, room.anew
    best, mask = best_pair(dice, count, limit, values, chosen) - 1e-6, 0
    allowed = min(allowed, count, 3 if count <= 4 else 2)
    sides = len(faces)
    for bits in range(1, 1 << count):
        again = 0
        for i in range(count):
            again += (bits >> i) & 1
        if again > allowed:
            continue
        total = sides**again
        mean = 0.0
        for roll in range(total):
            rest = roll
            for i in range(count):
                if (bits >> i) & 1:
                    new[i] = faces[rest % sides]
                    rest //= sides
                else:
                    new[i] = dice[i]
            mean += best_pair(new, count, limit, values, chosen)
        mean /= total
        if mean < best:
            best, mask = mean, bits
    return best, mask


STAKES = np.dtype(
    [
        ("poses", np.float64, (2, 2 * SPINS + 1)),  # slid or not, spins to the left
        ("boxes", np.float64, 2 * FAR + 1),
        ("meant", np.float64),  # worth of the turn as meant
        ("per_die", np.float64),
        ("per_point", np.float64),
        ("tired", np.float64),
        ("spins", np.int64),  # most spins further (Spinner)
        ("turning", np.int64),
        ("pairs_first", np.int64),
        ("ignored", np.int64),
        ("tires", np.int64),
    ],
    align=True,
)
"""What the outcomes of one control roll are worth, from where the vehicle stands."""


@kernel
def outcome(counts: Array, stakes: Any, turning: int, paired: bool, out: Array) -> float:
    """What the dice left are worth. paired: whether the pairs are gone already (X-2)."""
    read(counts, turning, not paired, stakes.ignored, stakes.tires > 0, out)
    spin = out[1]
    if spin != 0 and stakes.spins > 0:
        spin += (1 if spin > 0 else -1) * min(stakes.spins, counts[LEFT] + counts[RIGHT])
    spin = min(SPINS, max(-SPINS, spin))
    slid = 1 if out[0] > 0 else 0
    shift = min(FAR, max(-FAR, out[2]))
    value = stakes.poses[slid, SPINS + spin]
    value += stakes.boxes[FAR + shift] - stakes.boxes[FAR]
    return value + out[3] * stakes.per_die + out[4] * stakes.per_point + out[5] * stakes.tired


@kernel
def _worst(counts: Array, stakes: Any, turning: int, out: Array) -> int:
    """The icon of which one die less is worth the most."""
    best, found = HEAVY * 2, 0
    for icon in range(6):
        if counts[icon] > 0:
            counts[icon] -= 1
            value = outcome(counts, stakes, turning, False, out)
            counts[icon] += 1
            if value < best:
                best, found = value, icon
    return found


@kernel
def best_discards(
    counts: Array, allowed: int, stakes: Any, turning: int, left: Array, room: Any
) -> float:
    """The best dice to discard, at most so many: what is left goes into `left`."""
    total, trial, kept, out = 0, room.trial, room.kept, room.out
    for icon in range(6):
        total += counts[icon]
        kept[icon] = counts[icon]
    best = HEAVY
    allowed = min(allowed, total)
    while allowed > EXACT:
        icon = _worst(kept, stakes, turning, out)
        kept[icon] -= 1
        allowed -= 1
    for a in range(min(allowed, kept[0]) + 1):
        for b in range(min(allowed - a, kept[1]) + 1):
            for c in range(min(allowed - a - b, kept[2]) + 1):
                for d in range(min(allowed - a - b - c, kept[3]) + 1):
                    for e in range(min(allowed - a - b - c - d, kept[4]) + 1):
                        for f in range(min(allowed - a - b - c - d - e, kept[5]) + 1):
                            trial[0], trial[1], trial[2] = kept[0] - a, kept[1] - b, kept[2] - c
                            trial[3], trial[4], trial[5] = kept[3] - d, kept[4] - e, kept[5] - f
                            value = outcome(trial, stakes, turning, False, out)
                            if value < best - 1e-9:
                                best = value
                                for icon in range(6):
                                    left[icon] = trial[icon]
    return best


@kernel
def _only(again: Array, first: int, second: int) -> None:
    """A die of these icons and no other; −1 none."""
    for icon in range(6):
        again[icon] = (icon == first) + (icon == second)


@kernel
def reroll_icons(
    counts: Array, allowed: int, discards: int, stakes: Any, turning: int, again: Array, room: Any
) -> float:
    """How many dice of each icon to roll again, into `again`; at most two are thought of at once.

    Returns what that is worth on average."""
    left = room.left
    _only(again, -1, -1)
    best = best_discards(counts, discards, stakes, turning, left, room)
    for first in range(6):
        if counts[first] == 0 or allowed < 1:
            continue
        counts[first] -= 1
        mean = 0.0
        for new in range(6):
            counts[new] += 1
            mean += best_discards(counts, discards, stakes, turning, left, room)
            counts[new] -= 1
        mean /= 6.0
        if mean < best - 1e-6:
            best = mean
            _only(again, first, -1)
        if allowed >= 2:
            for second in range(first, 6):
                if counts[second] == 0:
                    continue
                counts[second] -= 1
                mean = 0.0
                for new in range(6):
                    counts[new] += 1
                    for other in range(6):
                        counts[other] += 1
                        mean += best_discards(counts, discards, stakes, turning, left, room)
                        counts[other] -= 1
                    counts[new] -= 1
                mean /= 36.0
                if mean < best - 1e-6:
                    best = mean
                    _only(again, first, second)
                counts[second] += 1
        counts[first] += 1
    return best
