"""What the engine asks the driver in a control roll."""

from __future__ import annotations

from typing import Any

from gridpress_chariot_dash.race.asked_ways import slid_to
from gridpress_chariot_dash.race.chance import usual
from gridpress_chariot_dash.race.driving import (
    choose_cards,
    roll_worth,
    stake,
)
from gridpress_chariot_dash.race.kernel import kernel
from gridpress_chariot_dash.race.layout import (
    AS_SPECIAL,
    AT_ANY_AFTER,
    AT_CONTROL,
    AT_CONTROL_AFTER,
    CONTROL_DAMAGE_DICE,
    CONTROL_DISCARDS,
    DAMAGE_DICE,
    GIVES_DISCARDS,
    GIVES_DISCARDS_ICON,
    GIVES_HASTE_AS_SLOW,
    GIVES_REROLLS,
    GIVES_SLOW_AS_HASTE,
    HAND,
    HASTE,
    SLOW,
    SPINS_FURTHER,
    Race,
)
from gridpress_chariot_dash.race.situation import (
    find_special,
    gift,
    look_around,
    special_price,
    write_any,
)
from gridpress_chariot_dash.race.view import any_price, point_price
from gridpress_chariot_dash.race.weigh import (
    best_discards,
    reroll_icons,
)


@kernel
def _stakes(race: Race, v: int, turn: int) -> None:
    """What the outcomes of a control roll are worth."""
    car, outlook, rules = race.cars[v], race.outlook, race.rules[0]
    look_around(race, v)
    view, craft, stakes = outlook.views[v], outlook.crafts[car.outlook], outlook.stakes[v]
    table = outlook.worth[car.outlook, min(view.layer, 1)]
    stakes.spins = usual(race, v, SPINS_FURTHER)
    stake(
        view, craft, outlook.ways, table, outlook.ways.node, outlook.ways.astray, slid_to(race, v),
        turn, min(4, max(0, rules.phase) + 1), point_price(view, craft, view.left), stakes,
    )  # fmt: skip
    stakes.ignored = 1 if rules.damage_ignored else (2 if rules.damage_as_clp else 0)
    stakes.tires, stakes.turning = rules.stamina, car.turning
    stakes.per_die *= max(
        0.3, 1.0 + 0.6 * (usual(race, v, CONTROL_DAMAGE_DICE) + usual(race, v, DAMAGE_DICE))
    )


@kernel
def control_cards(race: Race, v: int) -> None:
    """Cards for a control roll; order.turn is the turn planned, order.hexes the dice without."""
    car, order = race.cars[v], race.orders[v]
    dice, turn = order.hexes, order.turn
    _stakes(race, v, turn)
    view, craft = race.outlook.views[v], race.outlook.crafts[car.outlook]
    stakes = race.outlook.stakes[v]
    cards = choose_cards(view, craft, stakes, dice, 2)
    special = find_special(race, v, AT_CONTROL, GIVES_DISCARDS)
    if special >= 0:
        with_it = min(2, 1 + gift(race, v, special, GIVES_DISCARDS))
        value = roll_worth(craft, stakes, dice, with_it) + special_price(race, v, special) + 0.02
        price = any_price(view, craft, cards)
        if value < roll_worth(craft, stakes, dice, cards) + price:
            order.uses[special] = AS_SPECIAL
            return
    write_any(race, v, cards)


@kernel
def _tally(race: Race, v: int, counts: Any) -> None:
    """The icons on the table."""
    for icon in range(6):
        counts[icon] = 0
    for n in range(race.counts[v]):
        counts[race.rules[0].faces_icon[race.dice[v, n]]] += 1


@kernel
def _discards(race: Race, v: int) -> int:
    """How many dice of the control roll under way may be discarded."""
    order = race.orders[v]
    more = usual(race, v, CONTROL_DISCARDS) + order.gives[GIVES_DISCARDS]
    return int(order.whips + order.reins + more)


@kernel
def control_reroll(race: Race, v: int) -> None:
    """The dice to roll again, and whether a Lucky card is worth it."""
    order, stakes = race.orders[v], race.outlook.stakes[v]
    room = race.outlook.rooms[v]
    counts, again = room.counts, room.again
    card = find_special(race, v, AT_ANY_AFTER, GIVES_REROLLS)
    if order.rerolls <= 0 and card < 0:
        return
    discards = _discards(race, v)
    _tally(race, v, counts)
    best = reroll_icons(counts, order.rerolls, discards, stakes, stakes.turning, again, room)
    if card >= 0:
        lucky = room.lucky
        more = order.rerolls + gift(race, v, card, GIVES_REROLLS)
        value = reroll_icons(counts, more, discards, stakes, stakes.turning, lucky, room)
        if value + special_price(race, v, card) + 0.02 < best:
            order.card = card
            again = lucky
    _mask(race, v, again)


@kernel
def control_reread(race: Race, v: int) -> None:
    """A card after re-rolls: slow as haste, haste as slow, or all of an icon away."""
    car, order = race.cars[v], race.orders[v]
    vehicle, stakes = race.vehicles[car.vehicle], race.outlook.stakes[v]
    room = race.outlook.rooms[v]
    counts, left = room.counts, room.left
    discards, turning, best = 0, stakes.turning, -1.0
    for c in range(vehicle.cards):
        if car.pile[c] != HAND or vehicle.moment[c] not in (AT_CONTROL_AFTER, AT_ANY_AFTER):
            continue
        if best < 0.0:
            discards = _discards(race, v)
            _tally(race, v, counts)
            best = best_discards(counts, discards, stakes, turning, left, room)
        price = special_price(race, v, c) + 0.02
        if vehicle.gives[c, GIVES_SLOW_AS_HASTE] and turning <= 0:
            value = price + best_discards(counts, discards, stakes, 1, left, room)
            if value < best:
                best, order.card, order.icon = value, c, -1
        if vehicle.gives[c, GIVES_HASTE_AS_SLOW] and turning >= 0:
            value = price + best_discards(counts, discards, stakes, -1, left, room)
            if value < best:
                best, order.card, order.icon = value, c, -1
        if vehicle.gives[c, GIVES_DISCARDS_ICON]:
            for icon in range(6):
                read_as = icon
                if turning > 0 and icon == HASTE:
                    read_as = SLOW
                elif turning < 0 and icon == SLOW:
                    read_as = HASTE
                had, as_well = counts[icon], counts[read_as]
                if had + as_well == 0 or (turning and read_as == icon and icon in (HASTE, SLOW)):
                    continue
                counts[icon], counts[read_as] = 0, 0
                value = price + best_discards(counts, discards, stakes, turning, left, room)
                counts[icon], counts[read_as] = had, as_well
                if value < best:
                    best, order.card, order.icon = value, c, icon
    if order.card >= 0:
        if vehicle.gives[order.card, GIVES_SLOW_AS_HASTE]:
            stakes.turning = 1
        elif vehicle.gives[order.card, GIVES_HASTE_AS_SLOW]:
            stakes.turning = -1


@kernel
def _mask(race: Race, v: int, wanted: Any) -> None:
    """Dice of the icons wanted, as many of each, into the order's mask; `wanted` is used up."""
    order = race.orders[v]
    order.mask = 0
    for n in range(race.counts[v]):
        icon = race.rules[0].faces_icon[race.dice[v, n]]
        if wanted[icon] > 0:
            wanted[icon] -= 1
            order.mask |= 1 << n


@kernel
def control_discard(race: Race, v: int) -> None:
    """The dice to leave out, at most order.hexes."""
    order, stakes = race.orders[v], race.outlook.stakes[v]
    room = race.outlook.rooms[v]
    counts, left = room.counts, room.left
    _tally(race, v, counts)
    best_discards(counts, order.hexes, stakes, stakes.turning, left, room)
    for icon in range(6):
        counts[icon] -= left[icon]
    _mask(race, v, counts)
