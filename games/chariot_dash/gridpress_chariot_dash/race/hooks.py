"""What the engine asks the driver: the situation of a car read from the race, the answer written.

Each hook takes the race and the number of a car and writes `race.orders[v]`. What a card special
would bring is weighed against keeping it: a card that leaves the race with its use costs more.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from gridpress_chariot_dash.race.driving import (
    choose_cards,
    choose_speed,
    choose_turn,
    choose_way,
    roll_worth,
    stake,
)
from gridpress_chariot_dash.race.fights import fight_prices, forced_price
from gridpress_chariot_dash.race.hexes import direction_of, leaning, straight
from gridpress_chariot_dash.race.horizon import SUMS
from gridpress_chariot_dash.race.kernel import kernel
from gridpress_chariot_dash.race.layout import (
    AS_SPECIAL,
    AT_ACCELERATING,
    AT_ANY_AFTER,
    AT_CONTROL,
    AT_CONTROL_AFTER,
    AT_DAMAGE_AFTER,
    AT_DECELERATING,
    AT_END,
    AT_MOVEMENT,
    AT_PERSONAL_ATTACK,
    AT_PERSONAL_DEFENCE,
    AT_VEHICLE_ATTACK,
    AT_VEHICLE_DEFENCE,
    CONTROL_DAMAGE_DICE,
    CONTROL_DISCARDS,
    CONTROL_REROLLS,
    DAMAGE_DICE,
    DOWN_ADD,
    DOWN_DICE,
    DOWN_DISCARDS,
    DOWN_FREE,
    DOWN_REROLLS,
    DOWN_SUBTRACT,
    EAGER,
    GIVES_DISCARDS,
    GIVES_DISCARDS_ICON,
    GIVES_HASTE_AS_SLOW,
    GIVES_RECOVERS_ALL,
    GIVES_REROLLS,
    GIVES_ROLLS_AGAIN,
    GIVES_SLOW_AS_HASTE,
    GIVES_STOPS,
    GIVES_VALUE,
    GROUNDED,
    HAND,
    KEEP_ANY,
    PERSONAL,
    PERSONAL_ATTACK_DICE,
    PERSONAL_ATTACK_REROLLS,
    PERSONAL_ATTACK_VALUE,
    PERSONAL_DEFENCE_DICE,
    PERSONAL_DEFENCE_REROLLS,
    PERSONAL_DEFENCE_VALUE,
    PERSONAL_TIES,
    RECOVERY,
    REINS,
    REINS_AS_WHIP,
    SPENT,
    SPINS_FURTHER,
    SWAP,
    UP_ADD,
    UP_DICE,
    UP_DISCARDS,
    UP_FREE,
    UP_REROLLS,
    UP_RIVAL,
    UP_SUBTRACT,
    VEHICLE,
    VEHICLE_ATTACK_DICE,
    VEHICLE_ATTACK_REROLLS,
    VEHICLE_ATTACK_VALUE,
    VEHICLE_DEFENCE_DICE,
    VEHICLE_DEFENCE_REROLLS,
    VEHICLE_DEFENCE_VALUE,
    VEHICLE_TIES,
    WHIP,
    WHIP_AS_REINS,
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
from gridpress_chariot_dash.race.view import ahead, any_price, card_price, damage_price, point_price
from gridpress_chariot_dash.race.weigh import (
    best_discards,
    best_pair,
    reroll_icons,
    reroll_values,
)

SPITE = 0.9
"""What a rival's rounds are worth, against one's own, shared out among the rivals."""
MARGIN = 0.03
"""Rounds that an attack must gain, as its worth is an estimate."""


# the speed check


@kernel
def _lands(race: Race, v: int, kept: int, way: int, more: int) -> int:
    """The box that a kept sum leads to, with what is added now."""
    car = race.cars[v]
    vehicle, craft = race.vehicles[car.vehicle], race.outlook.crafts[car.outlook]
    if way == 0:
        value = kept + car.mods[UP_ADD] + more
        value += car.mods[UP_RIVAL] if car.rival_ahead else 0
        value = max(0, value) - car.mods[UP_SUBTRACT]
    else:
        value = max(0, kept + car.mods[DOWN_ADD] + more) - car.mods[DOWN_SUBTRACT]
    return _moved(vehicle, craft, car, value, way)


@kernel
def _moved(vehicle: Any, craft: Any, car: Any, value: int, way: int) -> int:
    """So many boxes from the marker as it stands, less than none the other way."""
    if value < 0:
        way, value = 1 - way, -value
    up, down = car.up, car.down
    if way == 0:
        value = min(value, car.up_most)
        end = vehicle.last_up[min(6, car.speed_most)]
        over = up + value - end
        if value <= 0 or over <= 0:
            return min(up + max(0, value), craft.boxes - 1)
        return min(vehicle.above[max(0, vehicle.below[end] - over)], craft.boxes - 1)
    value = min(value, car.down_most)
    if value <= 0:
        return min(up, craft.boxes - 1)
    return min(vehicle.above[max(0, down - value)], craft.boxes - 1)


@kernel
def _terms(race: Race, v: int) -> None:
    """What holds for the speed check of a car."""
    car, rules = race.cars[v], race.rules[0]
    vehicle, craft = race.vehicles[car.vehicle], race.outlook.crafts[car.outlook]
    terms = race.outlook.terms[v]
    terms.free[0] = min(SUMS, car.mods[UP_FREE] + 1) if car.mods[UP_FREE] > 0 else 0
    terms.free[1] = min(SUMS, car.mods[DOWN_FREE] + 1) if car.mods[DOWN_FREE] > 0 else 0
    shame = 1 if rules.shame and car.trails_by >= rules.shame_by else 0
    terms.dice[0] = car.mods[UP_DICE] + car.mods[UP_DISCARDS] + shame
    terms.dice[1] = car.mods[DOWN_DICE] + car.mods[DOWN_DISCARDS]
    terms.virtual_whips, terms.virtual_reins = car.virtual_whips, car.virtual_reins
    terms.any_two = 1 if car.mods[KEEP_ANY] > 0 else 0
    terms.encouraged = 1 if car.mods[REINS_AS_WHIP] > 0 else 0
    terms.champing = 1 if car.mods[EAGER] > 0 else 0
    leader = rules.grandstanding and car.leads_by >= rules.grandstanding_by
    terms.may_accelerate, terms.simple = 0 if leader else 1, rules.simple_check
    for way in range(2):
        booster = find_special(
            race, v, AT_ACCELERATING if way == 0 else AT_DECELERATING, GIVES_VALUE
        )
        terms.booster[way] = 0
        more = 0
        if booster >= 0:
            terms.booster[way] = vehicle.front[booster]
            own = craft.whip if vehicle.front[booster] == WHIP else craft.rein
            terms.boost_price[way] = special_price(race, v, booster) - own + 0.02
            more = gift(race, v, booster, GIVES_VALUE)
        for kept in range(SUMS):
            terms.to[way, kept] = _lands(race, v, kept, way, 0)
            terms.boosted[way, kept] = _lands(race, v, kept, way, more)
            terms.free_to[way, kept] = _moved(vehicle, craft, car, kept, way)
    for face in range(6):
        terms.faces[face] = rules.faces_value[face]


@kernel
def _check(race: Race, v: int) -> None:
    """The best plan into the answer of a car."""
    outlook, car = race.outlook, race.cars[v]
    view, craft = outlook.views[v], outlook.crafts[car.outlook]
    node = outlook.ways.node[car.cell * 12 + car.facing]
    table = outlook.worth[car.outlook, min(view.layer, 1)]
    choose_speed(
        view, craft, table, node, outlook.terms[v], outlook.sums, outlook.best, outlook.answers[v]
    )


@kernel
def speed_plan(race: Race, v: int) -> None:
    """Direction, cards, and boxes without a roll."""
    look_around(race, v)
    _terms(race, v)
    _check(race, v)
    order, answer = race.orders[v], race.outlook.answers[v]
    order.accelerate, order.boxes = answer.accelerate, max(0, answer.free)
    special = -1
    if answer.boosted:
        special = find_special(
            race, v, AT_ACCELERATING if answer.accelerate else AT_DECELERATING, GIVES_VALUE
        )
    if race.outlook.terms[v].encouraged and answer.accelerate:
        write_cards(race, v, answer.whips, answer.reins, special)
        for c in range(len(order.uses)):
            if order.uses[c] == REINS:
                order.uses[c] = WHIP
    else:
        write_cards(race, v, answer.whips, answer.reins, special)


@kernel
def _sums_worth(race: Race, v: int, values: Any) -> None:
    """What each sum of the check under way is worth."""
    outlook, car, order = race.outlook, race.cars[v], race.orders[v]
    view, craft = outlook.views[v], outlook.crafts[car.outlook]
    node = outlook.ways.node[car.cell * 12 + car.facing]
    table = outlook.worth[car.outlook, min(view.layer, 1)]
    for kept in range(len(values)):
        to = _lands(race, v, kept, 1 - order.accelerate, order.gives[GIVES_VALUE])
        values[kept] = ahead(craft, table, node, view.knot, view.part, view.more, 0, to)


@kernel
def _values(race: Race, v: int, dice: Any) -> int:
    """The values of the dice on the table; their number."""
    count = min(race.counts[v], len(dice))
    for n in range(count):
        dice[n] = race.rules[0].faces_value[race.dice[v, n]]
    return int(count)


@kernel
def speed_reroll(race: Race, v: int) -> None:
    """Which dice to roll again, and whether a Lucky card is worth it."""
    order, car = race.orders[v], race.cars[v]
    dice, values = np.zeros(12, np.int64), np.zeros(SUMS)
    count = _values(race, v, dice)
    rerolls = car.mods[UP_REROLLS if order.accelerate else DOWN_REROLLS]
    _sums_worth(race, v, values)
    faces = race.rules[0].faces_value
    best, order.mask = reroll_values(dice, count, rerolls, order.hexes, values, faces)
    card = find_special(race, v, AT_ANY_AFTER, GIVES_REROLLS)
    if card >= 0:
        more = rerolls + gift(race, v, card, GIVES_REROLLS)
        lucky, mask = reroll_values(dice, count, more, order.hexes, values, faces)
        if lucky + special_price(race, v, card) + 0.02 < best:
            order.card, order.mask = card, mask


@kernel
def speed_keep(race: Race, v: int) -> None:
    """The two dice that lead to the best box; under X-1 what the cards add or take."""
    order = race.orders[v]
    dice, values = np.zeros(12, np.int64), np.zeros(SUMS)
    chosen = np.zeros(2, np.int64)
    count = _values(race, v, dice)
    _sums_worth(race, v, values)
    if race.rules[0].simple_check:
        cards, least = order.whips + order.reins, 1e9
        for change in range(-cards, cards + 1, 2):
            value = values[min(SUMS - 1, max(0, dice[0] + change))]
            if value < least:
                least, order.boxes = value, change
        return
    best_pair(dice, count, order.hexes, values, chosen)
    order.first, order.second = chosen[0], chosen[1]


@kernel
def swap(race: Race, v: int) -> None:
    """Adaptive: the cards in hand to exchange for the other type, by what the check gains."""
    car, order = race.cars[v], race.orders[v]
    vehicle = race.vehicles[car.vehicle]
    look_around(race, v)
    _terms(race, v)
    view, craft = race.outlook.views[v], race.outlook.crafts[car.outlook]
    answer = race.outlook.answers[v]
    whips, reins, most = view.whips, view.reins, car.mods[SWAP]
    lying_whips, lying_reins = 0, 0
    for c in range(vehicle.cards):
        if car.pile[c] in (SPENT, RECOVERY):
            lying_whips += vehicle.front[c] == WHIP
            lying_reins += vehicle.front[c] == REINS
    least, more_whips = 1e9, 0
    for change in range(-min(most, whips, lying_reins), min(most, reins, lying_whips) + 1):
        view.whips, view.reins = whips + change, reins - change
        _check(race, v)
        value = answer.value - 0.5 * change * (craft.whip - craft.rein) + 0.01 * abs(change)
        if value < least:
            least, more_whips = value, change
    view.whips, view.reins = whips, reins
    give = REINS if more_whips > 0 else WHIP
    left = abs(more_whips)
    for c in range(vehicle.cards):
        if left > 0 and car.pile[c] == HAND and vehicle.front[c] == give:
            order.mask |= 1 << c
            left -= 1


# phases


@kernel
def _way(race: Race, v: int, hexes: int, fresh: bool) -> None:
    """The best way of so many hexes into the answer of a car."""
    outlook, car, rules = race.outlook, race.cars[v], race.rules[0]
    choose_way(
        outlook.views[v], outlook.crafts[car.outlook], outlook.ways, outlook.worth[car.outlook],
        outlook.ended[car.outlook], race.cells, v, min(3, max(0, rules.phase)), hexes, fresh,
        car.drifts > 0, outlook.answers[v],
    )  # fmt: skip


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
    """The way for the hexes that are left in the phase."""
    car, order = race.cars[v], race.orders[v]
    look_around(race, v)
    _way(race, v, car.left, False)
    order.variant = race.outlook.answers[v].variant
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
    price = any_price(view, craft, 1) + damage_price(view, craft, half, craft.hurts)
    dice = view.clp if craft.safe[view.box] else craft.control[view.box] + view.clp
    price += forced_price(craft, dice)
    cell, lean = car.cell, car.lean
    for i in range(car.left - 1):
        direction = direction_of(order.variant, i, car.facing, lean)
        lean = leaning(car.facing, direction)
        cell = race.cells[cell].neighbour[direction]
        if cell < 0 or race.cells[cell].solid:
            return
        saved = 0.0
        if race.cells[cell].hazard:
            saved += craft.mud[view.box] + 0.05 * race.cells[cell].hazard_rating
        if race.cells[cell].fragile and race.cells[cell].low:
            more = race.cells[cell].fragile + race.cells[cell].fragile_rating - 1
            saved += damage_price(view, craft, half + more, craft.hurts) + 0.1
        if saved > price + 0.02:
            write_any(race, v, 1)
            for c in range(race.vehicles[car.vehicle].cards):
                if order.uses[c]:
                    order.jump_card, order.uses[c] = c, 0
            order.jump_at = i
            return


@kernel
def _slid(race: Race, v: int) -> int:
    """The cell of a slide straight on, −1 if something solid is there."""
    car = race.cars[v]
    to = race.cells[car.cell].neighbour[straight(car.facing, car.lean, False)]
    if to < 0 or race.cells[to].solid:
        return -1
    return int(to)


@kernel
def turn_at_end(race: Race, v: int) -> None:
    """The turn after the hexes of a phase."""
    car, order, outlook = race.cars[v], race.orders[v], race.outlook
    look_around(race, v)
    choose_turn(
        outlook.views[v], outlook.crafts[car.outlook], outlook.ways, outlook.worth[car.outlook],
        _slid(race, v), min(3, max(0, race.rules[0].phase)), car.drifts == 0 and not car.involved,
        outlook.stakes[v], outlook.answers[v],
    )  # fmt: skip
    order.turn = outlook.answers[v].turn


# control rolls


@kernel
def _stakes(race: Race, v: int, turn: int) -> None:
    """What the outcomes of a control roll are worth."""
    car, outlook, rules = race.cars[v], race.outlook, race.rules[0]
    look_around(race, v)
    view, craft, stakes = outlook.views[v], outlook.crafts[car.outlook], outlook.stakes[v]
    table = outlook.worth[car.outlook, min(view.layer, 1)]
    stake(
        view, craft, outlook.ways, table, outlook.ways.node, outlook.ways.astray, _slid(race, v),
        turn, min(4, max(0, rules.phase) + 1), point_price(view, craft, view.left), stakes,
    )  # fmt: skip
    stakes.spins = car.mods[SPINS_FURTHER]
    stakes.ignored = 1 if rules.damage_ignored else (2 if rules.damage_as_clp else 0)
    stakes.tires, stakes.turning = rules.stamina, car.turning
    stakes.per_die *= max(0.3, 1.0 + 0.6 * (car.mods[CONTROL_DAMAGE_DICE] + car.mods[DAMAGE_DICE]))


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
    counts[:] = 0
    for n in range(race.counts[v]):
        counts[race.rules[0].faces_icon[race.dice[v, n]]] += 1


@kernel
def control_reread(race: Race, v: int) -> None:
    """A card after the roll: slow as haste, haste as slow, all of an icon away, or re-rolls."""
    car, order = race.cars[v], race.orders[v]
    vehicle, stakes = race.vehicles[car.vehicle], race.outlook.stakes[v]
    counts, again = np.zeros(6, np.int64), np.zeros(6, np.int64)
    discards = order.whips + order.reins + car.mods[CONTROL_DISCARDS] + order.gives[GIVES_DISCARDS]
    rerolls = car.mods[CONTROL_REROLLS]
    _tally(race, v, counts)
    turning, best = stakes.turning, -1.0
    for c in range(vehicle.cards):
        if car.pile[c] != HAND or vehicle.moment[c] not in (AT_CONTROL_AFTER, AT_ANY_AFTER):
            continue
        if best < 0.0:
            best = reroll_icons(counts, rerolls, discards, stakes, turning, again)
        price = special_price(race, v, c) + 0.02
        if vehicle.gives[c, GIVES_SLOW_AS_HASTE] and turning <= 0:
            value = price + reroll_icons(counts, rerolls, discards, stakes, 1, again)
            if value < best:
                best, order.card, order.icon = value, c, -1
        if vehicle.gives[c, GIVES_HASTE_AS_SLOW] and turning >= 0:
            value = price + reroll_icons(counts, rerolls, discards, stakes, -1, again)
            if value < best:
                best, order.card, order.icon = value, c, -1
        if vehicle.gives[c, GIVES_DISCARDS_ICON]:
            for icon in range(6):
                had = counts[icon]
                if had == 0:
                    continue
                counts[icon] = 0
                value = price + reroll_icons(counts, rerolls, discards, stakes, turning, again)
                counts[icon] = had
                if value < best:
                    best, order.card, order.icon = value, c, icon
        if vehicle.moment[c] == AT_ANY_AFTER and vehicle.gives[c, GIVES_REROLLS]:
            more = rerolls + gift(race, v, c, GIVES_REROLLS)
            value = price + reroll_icons(counts, more, discards, stakes, turning, again)
            if value < best:
                best, order.card, order.icon = value, c, -1
    if order.card >= 0:
        if vehicle.gives[order.card, GIVES_SLOW_AS_HASTE]:
            stakes.turning = 1
        elif vehicle.gives[order.card, GIVES_HASTE_AS_SLOW]:
            stakes.turning = -1


@kernel
def control_reroll(race: Race, v: int) -> None:
    """The dice to roll again, at most order.hexes."""
    car, order = race.cars[v], race.orders[v]
    counts, again = np.zeros(6, np.int64), np.zeros(6, np.int64)
    discards = order.whips + order.reins + car.mods[CONTROL_DISCARDS] + order.gives[GIVES_DISCARDS]
    stakes = race.outlook.stakes[v]
    _tally(race, v, counts)
    reroll_icons(counts, order.hexes, discards, stakes, stakes.turning, again)
    _mask(race, v, again)


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
    counts, left, out = np.zeros(6, np.int64), np.zeros(6, np.int64), np.zeros(6, np.int64)
    _tally(race, v, counts)
    if race.rules[0].pairs_first:
        spins, speeds = min(counts[3], counts[4]), min(counts[1], counts[2])
        counts[3] -= spins
        counts[4] -= spins
        counts[1] -= speeds
        counts[2] -= speeds
    best_discards(counts, order.hexes, stakes, stakes.turning, left, out)
    for icon in range(6):
        counts[icon] -= left[icon]
    _mask(race, v, counts)


@kernel
def slide_side(race: Race, v: int) -> None:
    """Facing a corner, to which side a slide goes first: where something can be entered."""
    car, order = race.cars[v], race.orders[v]
    best = 1e9
    for variant in range(2):
        to = race.cells[car.cell].neighbour[direction_of(variant, 0, car.facing, 0)]
        value = 1e6
        if to >= 0 and not race.cells[to].solid and race.cells[to].car < 0:
            low = race.cells[to].hazard + race.cells[to].fragile
            value = 10.0 * low + _pose_worth(race, v, to, car.facing)
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


# damage and rest


@kernel
def damage_again(race: Race, v: int) -> None:
    """Survivor or Lucky after a damage roll: if what lies costs more than what may come."""
    car, order, outlook = race.cars[v], race.orders[v], race.outlook
    vehicle = race.vehicles[car.vehicle]
    dice, hurts = race.counts[v], 0
    for n in range(dice):
        if race.rules[0].faces_value[race.dice[v, n]] > car.resilience:
            hurts += 1
    if hurts == 0:
        return
    look_around(race, v)
    view, craft = outlook.views[v], outlook.crafts[car.outlook]
    part = 0.0
    for face in range(6):
        part += (race.rules[0].faces_value[face] > car.resilience) / 6.0
    now = damage_price(view, craft, hurts, 1.0)
    best = now
    for c in range(vehicle.cards):
        if car.pile[c] != HAND:
            continue
        price = special_price(race, v, c) + 0.02
        if vehicle.moment[c] == AT_DAMAGE_AFTER and vehicle.gives[c, GIVES_ROLLS_AGAIN]:
            value = price + damage_price(view, craft, dice, part)
            if value < best:
                best, order.card, order.mask = value, c, 0
        elif vehicle.moment[c] == AT_ANY_AFTER and vehicle.gives[c, GIVES_REROLLS]:
            again = min(hurts, gift(race, v, c, GIVES_REROLLS))
            value = price + damage_price(view, craft, hurts - again, 1.0)
            value += damage_price(view, craft, again, part)
            if value < best:
                best, order.card, order.mask = value, c, 0
                for n in range(dice):
                    if again > 0 and race.rules[0].faces_value[race.dice[v, n]] > car.resilience:
                        again -= 1
                        order.mask |= 1 << n


@kernel
def at_end(race: Race, v: int) -> None:
    """Determination at the end of a round: if it brings back more than it costs."""
    car, order = race.cars[v], race.orders[v]
    vehicle, craft = race.vehicles[car.vehicle], race.outlook.crafts[car.outlook]
    card = find_special(race, v, AT_END, GIVES_RECOVERS_ALL)
    if card < 0:
        return
    gained = 0.0
    for c in range(vehicle.cards):
        if car.pile[c] == SPENT:
            gained += craft.whip if vehicle.front[c] & WHIP else craft.rein
    if gained > special_price(race, v, card) + 0.02:
        order.card = card


# attacks


@kernel
def _low_dice(race: Race, v: int, most: int) -> tuple[int, int]:
    """The dice of a fight to roll again, so many at most: those that are not kept, and low ones;
    and how many of them are kept and low."""
    mask, low = 0, 0
    count = race.counts[v]
    for place in range(min(most, count)):
        least = -1
        for n in range(count):
            if (mask >> n) & 1:
                continue
            if least < 0 or _worth_of(race, v, n) < _worth_of(race, v, least):
                least = n
        kept = place >= count - 2
        if kept and _worth_of(race, v, least) >= 2:
            break
        low += kept
        mask |= 1 << least
    return mask, low


@kernel
def _worth_of(race: Race, v: int, n: int) -> int:
    return int(race.rules[0].faces_value[race.dice[v, n]])


@kernel
def fight_reroll(race: Race, v: int) -> None:
    """Dice of an attack or defence to roll again, at most order.hexes: the higher the better."""
    order, car = race.orders[v], race.cars[v]
    order.mask, low = _low_dice(race, v, order.hexes)
    card = find_special(race, v, AT_ANY_AFTER, GIVES_REROLLS)
    if card >= 0:
        mask, lower = _low_dice(race, v, order.hexes + gift(race, v, card, GIVES_REROLLS))
        craft = race.outlook.crafts[car.outlook]
        if lower > low and 0.1 * (lower - low) > max(
            0.02, special_price(race, v, card) - craft.rein
        ):
            order.card, order.mask = card, mask


@kernel
def _sides(race: Race, v: int, w: int, kind: int, mine: Any, his: Any) -> int:
    """Dice without cards, re-rolls as half a die, and values of both; who is lucky in ties."""
    car, other = race.cars[v], race.cars[w]
    if kind == PERSONAL:
        mine[0] = 1 + car.mods[PERSONAL_ATTACK_DICE]
        mine[0] += (car.mods[PERSONAL_ATTACK_REROLLS] + 1) // 2
        mine[1] = car.mods[PERSONAL_ATTACK_VALUE]
        his[0] = 1 + other.mods[PERSONAL_DEFENCE_DICE]
        his[0] += (other.mods[PERSONAL_DEFENCE_REROLLS] + 1) // 2
        his[1] = other.mods[PERSONAL_DEFENCE_VALUE]
        return int(car.mods[PERSONAL_TIES] - other.mods[PERSONAL_TIES])
    mine[0] = 1 + car.mods[VEHICLE_ATTACK_DICE]
    mine[0] += (car.mods[VEHICLE_ATTACK_REROLLS] + 1) // 2
    mine[1] = car.mods[VEHICLE_ATTACK_VALUE]
    his[0] = 1 + other.mods[VEHICLE_DEFENCE_DICE]
    his[0] += (other.mods[VEHICLE_DEFENCE_REROLLS] + 1) // 2
    his[1] = other.mods[VEHICLE_DEFENCE_VALUE]
    return int(car.mods[VEHICLE_TIES] - other.mods[VEHICLE_TIES])


@kernel
def _spite(race: Race, v: int, w: int) -> float:
    """What a rival's loss is worth: less of one who is far away, and shared out among all."""
    rules, car = race.rules[0], race.cars[v]
    rivals = 0
    for other in range(rules.cars):
        one = race.cars[other]
        mate = car.team > 0 and one.team == car.team
        rivals += other != v and not one.wrecked and not one.finished and not mate
    near = 1.0 / (1.0 + abs(race.cars[w].progress - car.progress) / 12.0)
    return SPITE * near / max(1, rivals)


@kernel
def attack(race: Race, v: int) -> None:
    """Whether to attack order.target, how and with what: where its loss outweighs risk and cards.

    The target is taken to defend itself with a card if it has two."""
    car, order, outlook = race.cars[v], race.orders[v], race.outlook
    w = order.target
    vehicle = race.vehicles[car.vehicle]
    look_around(race, v)
    look_around(race, w)
    view, his_view = outlook.views[v], outlook.views[w]
    craft, his_craft = outlook.crafts[car.outlook], outlook.crafts[race.cars[w].outlook]
    spite = _spite(race, v, w)
    mine, his, prices = np.zeros(2, np.int64), np.zeros(2, np.int64), np.zeros(2)
    best, chosen, count, card = MARGIN, 0, 0, -1
    for kind in (PERSONAL, VEHICLE):
        luck = _sides(race, v, w, kind, mine, his)
        base, plus = mine[0], mine[1]
        hand = view.whips + view.duals if kind == PERSONAL else view.reins + view.duals
        snaps = kind == VEHICLE and car.mods[WHIP_AS_REINS] > 0
        hand += view.whips if snaps else 0
        shields = his_view.whips if kind == PERSONAL else his_view.reins
        his[0] += 1 if shields + his_view.duals >= 2 else 0
        moment = AT_PERSONAL_ATTACK if kind == PERSONAL else AT_VEHICLE_ATTACK
        for special in range(-1, vehicle.cards):
            price = 0.0
            mine[1] = plus
            if special >= 0:
                if car.pile[special] != HAND or vehicle.moment[special] != moment:
                    continue
                own = craft.whip if vehicle.front[special] == WHIP else craft.rein
                price = special_price(race, v, special) - own
                mine[1] = plus + gift(race, v, special, GIVES_VALUE)
            for cards in range(1, min(3, hand) + 1):
                mine[0] = base + cards
                as_whips = (
                    cards if kind == PERSONAL else (max(0, cards - view.reins) if snaps else 0)
                )
                cost = price + card_price(view, craft, as_whips, cards - as_whips, 0)
                if cost > 1.0:
                    continue
                fight_prices(
                    outlook.fights, kind == PERSONAL, mine, his, craft, view, his_craft, his_view,
                    luck, prices,
                )  # fmt: skip
                gain = spite * prices[1] - prices[0] - cost
                if gain > best:
                    best, chosen, count, card = gain, kind, cards, special
    order.attack = chosen
    if chosen == 0:
        order.target = -1
    elif chosen == PERSONAL:
        write_cards(race, v, count, 0, card)
    else:
        write_cards(race, v, 0, count, card)
        _snap(race, v, count)


@kernel
def _snap(race: Race, v: int, count: int) -> None:
    """Snapper: Whips as Reins where there are not enough of these."""
    car, order = race.cars[v], race.orders[v]
    vehicle = race.vehicles[car.vehicle]
    for c in range(vehicle.cards):
        count -= order.uses[c] != 0
    if car.mods[WHIP_AS_REINS] <= 0:
        return
    for c in range(vehicle.cards):
        plain = vehicle.front[c] == WHIP and not vehicle.moment[c]
        if count > 0 and car.pile[c] == HAND and not order.uses[c] and plain:
            order.uses[c] = REINS
            count -= 1


@kernel
def defence(race: Race, v: int) -> None:
    """Cards against the attack by order.target of the kind order.attack."""
    car, order, outlook = race.cars[v], race.orders[v], race.outlook
    w, kind = order.target, order.attack
    attacker = race.orders[w]
    vehicle = race.vehicles[car.vehicle]
    look_around(race, v)
    look_around(race, w)
    view, his_view = outlook.views[v], outlook.views[w]
    craft, his_craft = outlook.crafts[car.outlook], outlook.crafts[race.cars[w].outlook]
    spite = _spite(race, v, w)
    his, mine, prices = np.zeros(2, np.int64), np.zeros(2, np.int64), np.zeros(2)
    luck = _sides(race, w, v, kind, his, mine)
    his[0] += attacker.whips + attacker.reins
    his[1] += attacker.gives[GIVES_VALUE]
    base, plus = mine[0], mine[1]
    hand = view.whips + view.duals if kind == PERSONAL else view.reins + view.duals
    moment = AT_PERSONAL_DEFENCE if kind == PERSONAL else AT_VEHICLE_DEFENCE
    best, count, card = 1e9, 0, -1
    for special in range(-1, vehicle.cards):
        price = 0.0
        mine[1] = plus
        if special >= 0:
            if car.pile[special] != HAND or vehicle.moment[special] != moment:
                continue
            own = craft.whip if vehicle.front[special] == WHIP else craft.rein
            price = special_price(race, v, special) - own + 0.01
            mine[1] = plus + gift(race, v, special, GIVES_VALUE)
        for cards in range(0 if special < 0 else 1, min(3, hand) + 1):
            mine[0] = base + cards
            whips = cards if kind == PERSONAL else 0
            cost = price + card_price(view, craft, whips, cards - whips, 0)
            fight_prices(
                outlook.fights, kind == PERSONAL, his, mine, his_craft, his_view, craft, view,
                luck, prices,
            )  # fmt: skip
            value = prices[1] - spite * prices[0] + cost
            if value < best - 1e-9:
                best, count, card = value, cards, special
    if kind == PERSONAL:
        write_cards(race, v, count, 0, card)
    else:
        write_cards(race, v, 0, count, card)
