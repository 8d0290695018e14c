"""Prices of what a driver may lose, and decisions on dice by what they are worth.

Everything is in rounds to go; fewer are better. Worth is interpolated between the CLP and stamina
learnt. The last cards of a hand and the last levels of damage cost more.
"""

from __future__ import annotations

from typing import Any

from gridpress_chariot_dash.dice import LEFT, RIGHT

from gridpress_chariot_races.race.horizon import CHECK, CLP_KNOT
from gridpress_chariot_races.race.kernel import kernel
from gridpress_chariot_races.race.layout import FAR, MOST, SHIFT, SPINS, Array, RaceRecord
from gridpress_chariot_races.race.rolls import BOXES, HURT, POINTS, POSE, read

POINT = 0.06
"""Rounds that a control loss point costs by rule of thumb."""


@kernel
def seen(view: RaceRecord, craft: RaceRecord) -> None:
    """Find the vehicle's place in the table."""
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
    """Return the interpolated worth in a layer."""
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
    """Return the worth at the end of a round."""
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
    """Return the worth before a phase; 4 is the end of the round."""
    if craft.safe[box]:
        more = 0.0
    if slot == CHECK:
        return worth_after_rest(craft, table, node, knot, part, more, box)
    return interpolated_worth(table, node, knot, part, more, slot, box)


@kernel
def scarcity(next_hand: int) -> float:
    """Return the extra cost of starting the next round with few cards."""
    if next_hand <= 0:
        return 0.3
    if next_hand == 1:
        return 0.06
    return 0.0


@kernel
def card_price(view: RaceRecord, craft: RaceRecord, whips: int, reins: int, before: int) -> float:
    """Return the cost of more cards when `before` are already in use.

    Beyond the average price, the last cards of a hand are dearer: a driver without cards must slow
    down.
    """
    hand = view.whips + view.reins + view.duals
    left = hand - before + view.resting
    extra = scarcity(left - whips - reins) - scarcity(left)
    return whips * craft.whip + reins * craft.rein + max(0.0, extra)


@kernel
def at_hand(view: RaceRecord, whips: int, reins: int) -> bool:
    """Tell whether the hand has these Whips and Reins, with duals as either."""
    short = max(0, whips - view.whips) + max(0, reins - view.reins)
    return short <= view.duals


@kernel
def any_price(view: RaceRecord, craft: RaceRecord, cards: int) -> float:
    """Return the cost of cards of any type, Reins first where they are cheaper."""
    if cards <= 0:
        return 0.0
    reins = min(cards, view.reins) if craft.rein <= craft.whip else max(0, cards - view.whips)
    whips = cards - reins
    return card_price(view, craft, whips, reins, 0)


@kernel
def point_price(view: RaceRecord, craft: RaceRecord, left: int) -> float:
    """Return the cost of the next point of damage."""
    if left <= 1:
        return view.wreck * (1.0 - craft.wear)
    return view.wreck * (craft.wear ** (left - 1) - craft.wear**left)


@kernel
def damage_price(view: RaceRecord, craft: RaceRecord, dice: int, hurts: float) -> float:
    """Return the cost of a damage roll. hurts: chance of a point for each die."""
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
    """Return the average cost of a forced control roll."""
    row = craft.turns[0, min(MOST, max(0, dice))]
    value = row[HURT] * craft.per_die + row[POINTS] * POINT
    for pose in range(1, 6):
        value += row[POSE + pose] * (0.25 if pose >= 3 else 0.15)
    for shift in range(-SHIFT, SHIFT + 1):
        value += row[BOXES + SHIFT + shift] * 0.08 * abs(shift)
    return value


HEAVY = 1e6
EXACT = 5
"""Up to so many discards are weighed in all combinations; more are picked one by one."""


@kernel
def best_pair(dice: Array, count: int, limit: int, values: Array, chosen: Array) -> float:
    """Choose the two dice to keep by the worth of their sum, and return it."""
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
    """Return the dice to re-roll as bits, with the mean worth.

    values: worth of each sum; faces: values on a die.
    """
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


@kernel
def outcome(counts: Array, stakes: Any, turning: int, paired: bool, out: Array) -> float:
    """Return the worth of the dice left. paired: pairs are already cancelled (X-2)."""
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
    """Write the dice left by the best discards to `left` and return their worth."""
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
    """Return the only icon of a die among these, or −1."""
    for icon in range(6):
        again[icon] = (icon == first) + (icon == second)


@kernel
def reroll_icons(
    counts: Array, allowed: int, discards: int, stakes: Any, turning: int, again: Array, room: Any
) -> float:
    """Write the re-rolls by icon to `again` and return their mean worth.

    At most two re-rolls are considered at once.
    """
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
