"""What the engine asks the driver before and in a speed check."""

from __future__ import annotations

from typing import Any

from gridpress_chariot_dash.race.chance import usual
from gridpress_chariot_dash.race.driving import (
    choose_speed,
)
from gridpress_chariot_dash.race.horizon import SUMS
from gridpress_chariot_dash.race.kernel import kernel
from gridpress_chariot_dash.race.layout import (
    AT_ACCELERATING,
    AT_ANY_AFTER,
    AT_DECELERATING,
    DOWN_ADD,
    DOWN_DICE,
    DOWN_DISCARDS,
    DOWN_FREE,
    DOWN_SUBTRACT,
    EAGER,
    GIVES_REROLLS,
    GIVES_VALUE,
    HAND,
    KEEP_ANY,
    RECOVERY,
    REINS,
    REINS_AS_WHIP,
    SPENT,
    SWAP,
    UP_ADD,
    UP_DICE,
    UP_DISCARDS,
    UP_FREE,
    UP_RIVAL,
    UP_SUBTRACT,
    WHIP,
    Race,
)
from gridpress_chariot_dash.race.situation import (
    find_special,
    gift,
    look_around,
    special_price,
    write_cards,
)
from gridpress_chariot_dash.race.view import ahead
from gridpress_chariot_dash.race.weigh import (
    best_pair,
    reroll_values,
)


@kernel
def _lands(race: Race, v: int, kept: int, way: int, more: int) -> int:
    """The box that a kept sum leads to, with what is added now."""
    car = race.cars[v]
    vehicle, craft = race.vehicles[car.vehicle], race.outlook.crafts[car.outlook]
    if way == 0:
        value = kept + usual(race, v, UP_ADD) + more
        value += usual(race, v, UP_RIVAL) if car.rival_ahead else 0
        value = max(0, value) - usual(race, v, UP_SUBTRACT)
    else:
        value = max(0, kept + usual(race, v, DOWN_ADD) + more) - usual(race, v, DOWN_SUBTRACT)
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
def _free(race: Race, v: int, which: int) -> int:
    """How many numbers of boxes there are to choose from without a roll; 0: it rolls."""
    car = race.cars[v]
    if car.mods[which] <= 0 and car.mod_dice[which] <= 0:
        return 0
    return int(min(SUMS, usual(race, v, which) + 1))


@kernel
def _terms(race: Race, v: int) -> None:
    """What holds for the speed check of a car."""
    car, rules = race.cars[v], race.rules[0]
    vehicle, craft = race.vehicles[car.vehicle], race.outlook.crafts[car.outlook]
    terms = race.outlook.terms[v]
    terms.free[0], terms.free[1] = _free(race, v, UP_FREE), _free(race, v, DOWN_FREE)
    shame = 1 if rules.shame and car.trails_by >= rules.shame_by else 0
    terms.dice[0] = usual(race, v, UP_DICE) + usual(race, v, UP_DISCARDS) + shame
    terms.dice[1] = usual(race, v, DOWN_DICE) + usual(race, v, DOWN_DISCARDS)
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
        view,
        craft,
        table,
        node,
        outlook.terms[v],
        outlook.sums,
        outlook.rooms[v].best,
        outlook.answers[v],
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
    order = race.orders[v]
    rerolls, card = order.rerolls, find_special(race, v, AT_ANY_AFTER, GIVES_REROLLS)
    if (rerolls <= 0 and card < 0) or race.rules[0].simple_check:
        return
    room = race.outlook.rooms[v]
    dice, values = room.dice, room.values
    count = _values(race, v, dice)
    _sums_worth(race, v, values)
    faces = race.rules[0].faces_value
    best, order.mask = reroll_values(dice, count, rerolls, order.hexes, values, faces, room)
    if card >= 0:
        more = rerolls + gift(race, v, card, GIVES_REROLLS)
        lucky, mask = reroll_values(dice, count, more, order.hexes, values, faces, room)
        if lucky + special_price(race, v, card) + 0.02 < best:
            order.card, order.mask = card, mask


@kernel
def speed_keep(race: Race, v: int) -> None:
    """The two dice that lead to the best box; under X-1 what the cards add or take."""
    order = race.orders[v]
    room = race.outlook.rooms[v]
    dice, values, chosen = room.dice, room.values, room.chosen
    count = _values(race, v, dice)
    _sums_worth(race, v, values)
    if race.rules[0].simple_check:
        cards, least = order.whips + order.reins, 1e9
        for n in range(count):
            for change in range(-cards, cards + 1, 2):
                value = values[min(SUMS - 1, max(0, dice[n] + change))]
                if value < least:
                    least, order.first, order.boxes = value, n, change
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
    whips, reins, most = view.whips, view.reins, usual(race, v, SWAP)
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
