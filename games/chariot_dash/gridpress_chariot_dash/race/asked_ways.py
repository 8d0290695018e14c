"""What the engine asks the driver in a phase: cards, ways, jumps, turns, and aside; and in its
control rolls."""

from __future__ import annotations

from typing import Any

from gridpress_chariot_dash.dice import HASTE, SLOW
from gridpress_chariot_dash.race.asked_fights import forced_price
from gridpress_chariot_dash.race.chance import usual
from gridpress_chariot_dash.race.driving import (
    choose_cards,
    choose_turn,
    choose_way,
    roll_worth,
    stake,
)
from gridpress_chariot_dash.race.hexes import direction_of, leaning, straight
from gridpress_chariot_dash.race.kernel import kernel
from gridpress_chariot_dash.race.layout import (
    AS_SPECIAL,
    AT_ANY_AFTER,
    AT_CONTROL,
    AT_CONTROL_AFTER,
    AT_MOVEMENT,
    CONTROL_DAMAGE_DICE,
    CONTROL_DISCARDS,
    DAMAGE_DICE,
    GIVES_DISCARDS,
    GIVES_DISCARDS_ICON,
    GIVES_HASTE_AS_SLOW,
    GIVES_REROLLS,
    GIVES_SLOW_AS_HASTE,
    GIVES_STOPS,
    GROUNDED,
    HAND,
    LEAPS,
    REINS,
    SPINS_FURTHER,
    WHIP,
    Race,
)
from gridpress_chariot_dash.race.situation import (
    find_special,
    gift,
    look_around,
    special_price,
    write_any,
    write_cards,
)
from gridpress_chariot_dash.race.view import ahead, any_price, damage_price, point_price
from gridpress_chariot_dash.race.weigh import (
    best_discards,
    reroll_icons,
)


@kernel
def _way(race: Race, v: int, hexes: int, fresh: bool) -> None:
    """The best way of so many hexes into the answer of a car."""
    outlook, car, rules = race.outlook, race.cars[v], race.rules[0]
    choose_way(
        outlook.views[v], outlook.crafts[car.outlook], outlook.ways, outlook.worth[car.outlook],
        outlook.ended[car.outlook], race.cells, v, min(3, max(0, rules.phase)), hexes, fresh,
        car.drifts > 0, outlook.answers[v],
    )  # fmt: skip
    outlook.answers[v].order = rules.order


@kernel
def movement(race: Race, v: int) -> None:
    """A card for a hex more or fewer, or Emergency Stop; car.left: the hexes without."""
    car, order = race.cars[v], race.orders[v]
    vehicle = race.vehicles[car.vehicle]
    look_around(race, v)
    _way(race, v, car.left, True)
    answer = race.outlook.answers[v]
    view = race.outlook.views[v]
    if answer.card == 1:
        as_rein = view.encouraged and view.reins > 0
        write_cards(race, v, 0 if as_rein else 1, 1 if as_rein else 0, -1)
        order.use = WHIP
    elif answer.card == 2:
        write_cards(race, v, 0, 1, -1)
        order.use = REINS
    elif answer.card == 3:
        order.card = find_special(race, v, AT_MOVEMENT, GIVES_STOPS)
        order.use, order.hexes = AS_SPECIAL, car.left - answer.hexes
        return
    for c in range(vehicle.cards):
        if order.uses[c]:
            order.card = c
            order.uses[c] = 0


@kernel
def path(race: Race, v: int) -> None:
    """The way for the hexes that are left in the phase; as thought of with the card for it, where
    nothing has happened since."""
    car, order, answer = race.cars[v], race.orders[v], race.outlook.answers[v]
    if answer.order != race.rules[0].order or answer.hexes != car.left:
        look_around(race, v)
        _way(race, v, car.left, False)
    order.variant = answer.variant
    if race.rules[0].jumps and car.left >= 2 and not car.jumped and car.mods[GROUNDED] <= 0:
        _jump(race, v)


@kernel
def _jump(race: Race, v: int) -> None:
    """A card to jump over what lies on the way, where that is cheaper."""
    car, order, outlook = race.cars[v], race.orders[v], race.outlook
    view, craft = outlook.views[v], outlook.crafts[car.outlook]
    if order.variant > 1 or (car.facing % 2 == 0 and order.variant) or craft.flies:
        return
    if view.whips + view.reins + view.duals == 0:
        return
    half = (craft.rating[view.box] + 1) // 2
    most = min(2 if car.mods[LEAPS] > 0 else 1, car.left - 1)
    price = any_price(view, craft, 1) + damage_price(view, craft, half, craft.hurts)
    dice = view.clp if craft.safe[view.box] else craft.control[view.box] + view.clp
    price += forced_price(craft, dice)
    cell, lean, last = car.cell, car.lean, 0.0
    best = price + 0.02
    for i in range(car.left - 1):
        direction = direction_of(order.variant, i, car.facing, lean)
        lean = leaning(car.facing, direction)
        cell = race.cells[cell].neighbour[direction]
        if cell < 0 or race.cells[cell].solid:
            break
        saved = 0.0
        if race.cells[cell].hazard:
            saved += craft.mud[view.box] + 0.05 * race.cells[cell].hazard_rating
        if race.cells[cell].fragile and race.cells[cell].low:
            more = race.cells[cell].fragile + race.cells[cell].fragile_rating - 1
            saved += damage_price(view, craft, half + more, craft.hurts) + 0.1
        if saved > best:
            best, order.jump_at, order.hexes = saved, i, 1
        if most > 1 and i > 0 and saved + last > best + 0.02:
            best, order.jump_at, order.hexes = saved + last, i - 1, 2
        last = saved
    if order.jump_at >= 0:
        write_any(race, v, 1)
        for c in range(race.vehicles[car.vehicle].cards):
            if order.uses[c]:
                order.jump_card, order.uses[c] = c, 0


@kernel
def slid_to(race: Race, v: int) -> int:
    """The cell of a slide straight on, −1 if something is there to run into."""
    car = race.cars[v]
    to = race.cells[car.cell].neighbour[straight(car.facing, car.lean, False)]
    if to < 0 or race.cells[to].solid or race.cells[to].car >= 0:
        return -1
    return int(to)


@kernel
def turn_at_end(race: Race, v: int) -> None:
    """The turn after the hexes of a phase."""
    car, order, outlook = race.cars[v], race.orders[v], race.outlook
    look_around(race, v)
    outlook.stakes[v].spins = usual(race, v, SPINS_FURTHER)
    choose_turn(
        outlook.views[v], outlook.crafts[car.outlook], outlook.ways, outlook.worth[car.outlook],
        slid_to(race, v), min(3, max(0, race.rules[0].phase)), car.drifts == 0 and not car.involved,
        outlook.stakes[v], outlook.answers[v],
    )  # fmt: skip
    order.turn = outlook.answers[v].turn


@kernel
def slide_side(race: Race, v: int) -> None:
    """Facing a corner, to which side a slide goes first: his own to where something can be
    entered, a target's to where it hurts."""
    car, order = race.cars[v], race.orders[v]
    who = order.target if order.target >= 0 else v
    slid, sign, best = race.cars[who], 1.0 if who == v else -1.0, 1e9
    for variant in range(2):
        to = race.cells[slid.cell].neighbour[direction_of(variant, 0, car.facing, 0)]
        value = 1e6
        if to >= 0 and not race.cells[to].solid and race.cells[to].car < 0:
            low = race.cells[to].hazard + race.cells[to].fragile
            value = 10.0 * low + _pose_worth(race, who, to, slid.facing)
        value *= sign
        if value < best:
            best, order.variant = value, variant


@kernel
def _pose_worth(race: Race, v: int, cell: int, facing: int) -> float:
    """What it is worth to stand there at the next phase."""
    car, outlook, rules = race.cars[v], race.outlook, race.rules[0]
    look_around(race, v)
    view, craft = outlook.views[v], outlook.crafts[car.outlook]
    table = outlook.worth[car.outlook, min(view.layer, 1)]
    pose = cell * 12 + facing
    slot = min(4, max(0, rules.phase) + 1)
    value = ahead(
        craft, table, outlook.ways.node[pose], view.knot, view.part, view.more, slot, view.box
    )
    return value + 0.25 * outlook.ways.astray[pose]


@kernel
def aside(race: Race, v: int) -> None:
    """Which facing of order.mask to take after a collision."""
    car, order = race.cars[v], race.orders[v]
    best = 1e9
    for facing in range(12):
        if (order.mask >> facing) & 1:
            value = _pose_worth(race, v, car.cell, facing)
            if value < best:
                best, order.facing = value, facing


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
