"""What a driver sees of his vehicle, what things cost him, in rounds to go; and dice on the table
weighed by that: which to roll again, which to keep, which to discard, one by one.

Worth is read between the values of CLP and stamina at which it was learnt. Cards have a price, the
last ones of a hand more; damage costs the more, the fewer levels are left. A decision on dice is
made from what each result would be worth (rounds to go, the fewer the better), so that it is right
for the place on the track, not only for the dice.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from gridpress_chariot_dash.dice import LEFT, RIGHT
from gridpress_chariot_dash.race.horizon import CHECK, CLP_KNOT, SUMS
from gridpress_chariot_dash.race.kernel import kernel
from gridpress_chariot_dash.race.layout import Array, RaceRecord
from gridpress_chariot_dash.race.rolls import BOXES, HURT, MOST, POINTS, POSE, SHIFT, read

POINT = 0.06
"""Rounds that a control loss point costs where it is not looked at more closely."""

VIEW = np.dtype(
    [
        ("craft", np.int64),  # whose outlook
        ("layer", np.int64),  # lines still to cross but one
        ("cell", np.int64),
        ("facing", np.int64),
        ("lean", np.int64),  # −1 the first hex is free, else the side of the next: 0 right, 1 left
        ("box", np.int64),  # of the acceleration row
        ("clp", np.int64),  # above the minimum, dice of damage effects with them
        ("stamina", np.int64),
        ("left", np.int64),  # levels of damage until the last
        ("whips", np.int64),  # in the hand; duals apart
        ("reins", np.int64),
        ("duals", np.int64),
        ("encouraged", np.int64),  # Reins may be Whips for a hex more
        ("stops", np.int64),  # an Emergency Stop is at hand
        ("stop_price", np.float64),
        ("resting", np.int64),  # cards in Recovery, which come back at the end of the round
        ("wreck", np.float64),  # rounds that being wiped out costs
        # worked out by `seen`
        ("knot", np.int64),
        ("part", np.float64),
        ("more", np.float64),
    ],
    align=True,
)
"""What a driver sees of his own vehicle."""


@kernel
def seen(view: RaceRecord, craft: RaceRecord) -> None:
    """Where in the table the vehicle is."""
    knot = 0
    while knot + 1 < craft.knots and craft.stamina[knot + 1] >= view.stamina:
        knot += 1
    view.knot, view.part = knot, 0.0
    if knot + 1 < craft.knots and craft.stamina[knot] > view.stamina:
        span = craft.stamina[knot] - craft.stamina[knot + 1]
        view.part = (craft.stamina[knot] - view.stamina) / span
    view.more = min(view.clp / CLP_KNOT, 2.0)


@kernel
def interpolated_worth(
    table: Array, node: int, knot: int, part: float, more: float, slot: int, box: int
) -> float:
    """Worth in a layer, between the values at which it was learnt."""
    low = table[node, knot, 0, slot, box]
    value = low + (table[node, knot, 1, slot, box] - low) * more
    if part > 0.0:
        low = table[node, knot + 1, 0, slot, box]
        low += (table[node, knot + 1, 1, slot, box] - low) * more
        value += (low - value) * part
    return value


@kernel
def worth_after_rest(
    craft: RaceRecord, table: Array, node: int, knot: int, part: float, more: float, box: int
) -> float:
    """Worth at the end of a round."""
    value, whole = 0.0, 0.0
    for step in range(2 if part > 0.0 else 1):
        share = part if step else 1.0 - part
        at = knot + step
        to, keeps = craft.rest_box[at, box], craft.rest_clp[1, at, box]
        value += share * interpolated_worth(
            table, node, craft.rest_knot[at, box], craft.rest_part[at, box],
            max(0.0, more - (1.0 - keeps)) if keeps > 0.0 else 0.0, CHECK, to,
        )  # fmt: skip
        whole += share
    return value / whole


@kernel
def ahead(
    craft: RaceRecord,
    table: Array,
    node: int,
    knot: int,
    part: float,
    more: float,
    slot: int,
    box: int,
) -> float:
    """Worth before a phase, 4 for the end of the round."""
    if craft.safe[box]:
        more = 0.0
    if slot == CHECK:
        return worth_after_rest(craft, table, node, knot, part, more, box)
    return interpolated_worth(table, node, knot, part, more, slot, box)


@kernel
def scarcity(next_hand: int) -> float:
    """What it costs to begin the next round with so few cards, beyond their price."""
    if next_hand <= 0:
        return 0.3
    if next_hand == 1:
        return 0.06
    return 0.0


@kernel
def card_price(view: RaceRecord, craft: RaceRecord, whips: int, reins: int, before: int) -> float:
    """What so many more cards cost, when `before` are being used already.

    The price is what a card brings on average; the last ones are dearer, as who has no card in the
    next round must slow down."""
    hand = view.whips + view.reins + view.duals
    left = hand - before + view.resting
    extra = scarcity(left - whips - reins) - scarcity(left)
    return whips * craft.whip + reins * craft.rein + max(0.0, extra)


@kernel
def at_hand(view: RaceRecord, whips: int, reins: int) -> bool:
    """Whether the hand has so many Whips and Reins, duals as either."""
    short = max(0, whips - view.whips) + max(0, reins - view.reins)
    return short <= view.duals


@kernel
def any_price(view: RaceRecord, craft: RaceRecord, cards: int) -> float:
    """What so many cards of whatever type cost, Reins first where they are cheaper."""
    if cards <= 0:
        return 0.0
    reins = min(cards, view.reins) if craft.rein <= craft.whip else max(0, cards - view.whips)
    whips = cards - reins
    return card_price(view, craft, whips, reins, 0)


@kernel
def point_price(view: RaceRecord, craft: RaceRecord, left: int) -> float:
    """Rounds that the next point of damage costs, with so many levels left."""
    if left <= 1:
        return view.wreck * (1.0 - craft.wear)
    return view.wreck * (craft.wear ** (left - 1) - craft.wear**left)


@kernel
def damage_price(view: RaceRecord, craft: RaceRecord, dice: int, hurts: float) -> float:
    """Rounds that a damage roll of so many dice costs; hurts: how likely each is a point."""
    if dice <= 0:
        return 0.0
    mean, part = 0.0, (1.0 - hurts) ** dice
    for points in range(1, dice + 1):
        if hurts < 1.0:
            part *= hurts / (1.0 - hurts) * (dice - points + 1) / points
        else:
            part = 1.0 if points == dice else 0.0
        left = max(0, view.left - points)
        lost = view.wreck * (craft.wear**left - craft.wear**view.left)
        mean += part * (lost + points * POINT)
    return mean


@kernel
def forced_price(craft: RaceRecord, dice: int) -> float:
    """Rounds that a forced control roll of so many dice costs, wherever it is."""
    row = craft.turns[0, min(MOST, max(0, dice))]
    value = row[HURT] * craft.per_die + row[POINTS] * POINT
    for pose in range(1, 6):
        value += row[POSE + pose] * (0.25 if pose >= 3 else 0.15)
    for shift in range(-SHIFT, SHIFT + 1):
        value += row[BOXES + SHIFT + shift] * 0.08 * abs(shift)
    return value


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
