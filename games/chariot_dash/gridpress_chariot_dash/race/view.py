"""What a driver sees of his vehicle, and what things cost him, in rounds to go.

Worth is read between the values of CLP and stamina at which it was learnt. Cards have a price, the
last ones of a hand more; damage costs the more, the fewer levels are left.
"""

from __future__ import annotations

import numpy as np

from gridpress_chariot_dash.race.horizon import CHECK, CLP_KNOT
from gridpress_chariot_dash.race.kernel import kernel
from gridpress_chariot_dash.race.layout import Array, RaceRecord

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
def look(
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
def rested(
    craft: RaceRecord, table: Array, node: int, knot: int, part: float, more: float, box: int
) -> float:
    """Worth at the end of a round."""
    value, whole = 0.0, 0.0
    for step in range(2 if part > 0.0 else 1):
        share = part if step else 1.0 - part
        at = knot + step
        to, keeps = craft.rest_box[at, box], craft.rest_clp[1, at, box]
        value += share * look(
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
        return rested(craft, table, node, knot, part, more, box)
    return look(table, node, knot, part, more, slot, box)


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
