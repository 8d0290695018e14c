"""The driver's answers in speed checks, phases and control rolls; `hooks` lists the questions."""

from __future__ import annotations

from typing import Any

from gridpress_chariot_dash.dice import HASTE, SLOW

from gridpress_chariot_races.race.driving import (
    choose_cards,
    choose_speed,
    choose_turn,
    choose_way,
    roll_worth,
    stake,
)
from gridpress_chariot_races.race.kernel import kernel
from gridpress_chariot_races.race.layout import (
    AS_SPECIAL,
    AT_ACCELERATING,
    AT_ANY_AFTER,
    AT_CONTROL,
    AT_CONTROL_AFTER,
    AT_DECELERATING,
    AT_MOVEMENT,
    CONTROL_DAMAGE_DICE,
    CONTROL_DISCARDS,
    DAMAGE_DICE,
    DOWN_ADD,
    DOWN_DICE,
    DOWN_DISCARDS,
    DOWN_FREE,
    DOWN_SUBTRACT,
    EAGER,
    GIVES_DISCARDS,
    GIVES_DISCARDS_ICON,
    GIVES_HASTE_AS_SLOW,
    GIVES_REROLLS,
    GIVES_SLOW_AS_HASTE,
    GIVES_STOPS,
    GIVES_VALUE,
    GROUNDED,
    HAND,
    KEEP_ANY,
    LEAPS,
    RECOVERY,
    REINS,
    REINS_AS_WHIP,
    SPENT,
    SPINS_FURTHER,
    SUMS,
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
from gridpress_chariot_races.race.rolls import usual
from gridpress_chariot_races.race.situation import (
    find_special,
    gift,
    look_around,
    special_price,
    tables_of,
    write_any,
    write_cards,
)
from gridpress_chariot_races.race.ways import corner_side, direction_of, straight_direction
from gridpress_chariot_races.race.weigh import (
    ahead,
    any_price,
    best_discards,
    best_pair,
    damage_price,
    forced_price,
    point_price,
    reroll_icons,
    reroll_values,
)


@kernel
def _lands(race: Race, v: int, kept: int, way: int, more: int) -> int:
    car = race.cars[v]
    vehicle, craft = race.vehicles[car.vehicle], race.vehicles[car.vehicle].craft
    if way == 0:
        value = kept + usual(race, v, UP_ADD) + more
        value += usual(race, v, UP_RIVAL) if car.rival_ahead else 0
        value = max(0, value) - usual(race, v, UP_SUBTRACT)
    else:
        value = max(0, kept + usual(race, v, DOWN_ADD) + more) - usual(race, v, DOWN_SUBTRACT)
    return _moved(vehicle, craft, car, value, way)


@kernel
def _moved(vehicle: Any, craft: Any, car: Any, value: int, way: int) -> int:
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
    """Return how many numbers of boxes may be chosen without a roll; 0: it rolls."""
    car = race.cars[v]
    if car.mods[which] <= 0 and car.mod_dice[which] <= 0:
        return 0
    return int(min(SUMS, usual(race, v, which) + 1))


@kernel
def _terms(race: Race, v: int) -> None:
    car, rules = race.cars[v], race.rules
    vehicle, craft = race.vehicles[car.vehicle], race.vehicles[car.vehicle].craft
    terms = race.cars[v].mind.terms
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
    car = race.cars[v]
    view, craft = race.cars[v].mind.sight, race.vehicles[car.vehicle].craft
    node = race.poses[car.cell * 12 + car.facing].node
    table = tables_of(race, v)[min(view.layer, 1)]
    choose_speed(
        view,
        craft,
        table,
        node,
        race.cars[v].mind.terms,
        race.rules.chances,
        race.cars[v].mind.room.best,
        race.cars[v].mind.answer,
    )


@kernel
def speed_plan(race: Race, v: int) -> None:
    """Choose direction and cards, or boxes without a roll."""
    look_around(race, v)
    _terms(race, v)
    _check(race, v)
    order, answer = race.cars[v].order, race.cars[v].mind.answer
    order.accelerate, order.boxes = answer.accelerate, max(0, answer.free)
    special = -1
    if answer.boosted:
        special = find_special(
            race, v, AT_ACCELERATING if answer.accelerate else AT_DECELERATING, GIVES_VALUE
        )
    if race.cars[v].mind.terms.encouraged and answer.accelerate:
        write_cards(race, v, answer.whips, answer.reins, special)
        for c in range(len(order.uses)):
            if order.uses[c] == REINS:
                order.uses[c] = WHIP
    else:
        write_cards(race, v, answer.whips, answer.reins, special)


@kernel
def _sums_worth(race: Race, v: int, values: Any) -> None:
    car, order = race.cars[v], race.cars[v].order
    view, craft = race.cars[v].mind.sight, race.vehicles[car.vehicle].craft
    node = race.poses[car.cell * 12 + car.facing].node
    table = tables_of(race, v)[min(view.layer, 1)]
    for kept in range(len(values)):
        to = _lands(race, v, kept, 1 - order.accelerate, order.gives[GIVES_VALUE])
        values[kept] = ahead(craft, table, node, view.knot, view.part, view.more, 0, to)


@kernel
def _values(race: Race, v: int, dice: Any) -> int:
    count = min(race.cars[v].count, len(dice))
    for n in range(count):
        dice[n] = race.rules.faces_value[race.cars[v].dice[n]]
    return int(count)


@kernel
def speed_reroll(race: Race, v: int) -> None:
    """Choose dice to re-roll, with a Lucky card if that pays."""
    order = race.cars[v].order
    rerolls, card = order.rerolls, find_special(race, v, AT_ANY_AFTER, GIVES_REROLLS)
    if (rerolls <= 0 and card < 0) or race.rules.simple_check:
        return
    room = race.cars[v].mind.room
    dice, values = room.dice, room.values
    count = _values(race, v, dice)
    _sums_worth(race, v, values)
    faces = race.rules.faces_value
    best, order.mask = reroll_values(dice, count, rerolls, order.hexes, values, faces, room)
    if card >= 0:
        more = rerolls + gift(race, v, card, GIVES_REROLLS)
        lucky, mask = reroll_values(dice, count, more, order.hexes, values, faces, room)
        if lucky + special_price(race, v, card) + 0.02 < best:
            order.card, order.mask = card, mask


@kernel
def speed_keep(race: Race, v: int) -> None:
    """Keep the two best dice; under X-1 choose what cards add or subtract."""
    order = race.cars[v].order
    room = race.cars[v].mind.room
    dice, values, chosen = room.dice, room.values, room.chosen
    count = _values(race, v, dice)
    _sums_worth(race, v, values)
    if race.rules.simple_check:
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
    """Choose cards to swap before a check (Adaptive)."""
    car, order = race.cars[v], race.cars[v].order
    vehicle = race.vehicles[car.vehicle]
    look_around(race, v)
    _terms(race, v)
    view, craft = race.cars[v].mind.sight, race.vehicles[car.vehicle].craft
    answer = race.cars[v].mind.answer
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


@kernel
def _way(race: Race, v: int, hexes: int, fresh: bool) -> None:
    car, rules = race.cars[v], race.rules
    choose_way(
        race.cars[v].mind.sight, race.vehicles[car.vehicle].craft, race.poses, tables_of(race, v),
        race.cells, v, min(3, max(0, rules.phase)), hexes, fresh,
        car.drifts > 0, race.cars[v].mind.answer,
    )  # fmt: skip
    race.cars[v].mind.answer.order = rules.order


@kernel
def movement(race: Race, v: int) -> None:
    """Choose a card for a hex more or fewer, or an Emergency Stop. car.left: hexes without it."""
    car, order = race.cars[v], race.cars[v].order
    vehicle = race.vehicles[car.vehicle]
    look_around(race, v)
    _way(race, v, car.left, True)
    answer = race.cars[v].mind.answer
    view = race.cars[v].mind.sight
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
    """Choose the way for the hexes left, reusing the plan if nothing happened since."""
    car, order, answer = race.cars[v], race.cars[v].order, race.cars[v].mind.answer
    if answer.order != race.rules.order or answer.hexes != car.left:
        look_around(race, v)
        _way(race, v, car.left, False)
    order.variant = answer.variant
    if race.rules.jumps and car.left >= 2 and not car.jumped and car.mods[GROUNDED] <= 0:
        _jump(race, v)


@kernel
def _jump(race: Race, v: int) -> None:
    car, order = race.cars[v], race.cars[v].order
    view, craft = race.cars[v].mind.sight, race.vehicles[car.vehicle].craft
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
        lean = corner_side(car.facing, direction)
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
    """Return the cell of a slide straight on, or −1 if it is blocked."""
    car = race.cars[v]
    to = race.cells[car.cell].neighbour[straight_direction(car.facing, car.lean, False)]
    if to < 0 or race.cells[to].solid or race.cells[to].car >= 0:
        return -1
    return int(to)


@kernel
def turn_at_end(race: Race, v: int) -> None:
    """Choose the turn after the hexes of a phase."""
    car, order = race.cars[v], race.cars[v].order
    look_around(race, v)
    race.cars[v].mind.stakes.spins = usual(race, v, SPINS_FURTHER)
    choose_turn(
        race.cars[v].mind.sight, race.vehicles[car.vehicle].craft, race.poses, tables_of(race, v),
        slid_to(race, v), min(3, max(0, race.rules.phase)), car.drifts == 0 and not car.involved,
        race.cars[v].mind.stakes, race.cars[v].mind.answer,
    )  # fmt: skip
    order.turn = race.cars[v].mind.answer.turn


@kernel
def slide_side(race: Race, v: int) -> None:
    """Choose the side of a slide at a corner: clear for himself, harmful for a target."""
    car, order = race.cars[v], race.cars[v].order
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
    car, rules = race.cars[v], race.rules
    look_around(race, v)
    view, craft = race.cars[v].mind.sight, race.vehicles[car.vehicle].craft
    table = tables_of(race, v)[min(view.layer, 1)]
    pose = cell * 12 + facing
    slot = min(4, max(0, rules.phase) + 1)
    value = ahead(
        craft, table, race.poses[pose].node, view.knot, view.part, view.more, slot, view.box
    )
    return value + 0.25 * race.poses[pose].astray


@kernel
def aside(race: Race, v: int) -> None:
    """Choose a facing of order.mask after a collision."""
    car, order = race.cars[v], race.cars[v].order
    best = 1e9
    for facing in range(12):
        if (order.mask >> facing) & 1:
            value = _pose_worth(race, v, car.cell, facing)
            if value < best:
                best, order.facing = value, facing


@kernel
def _stakes(race: Race, v: int, turn: int) -> None:
    car, rules = race.cars[v], race.rules
    look_around(race, v)
    view, craft, stakes = (
        race.cars[v].mind.sight,
        race.vehicles[car.vehicle].craft,
        race.cars[v].mind.stakes,
    )
    table = tables_of(race, v)[min(view.layer, 1)]
    stakes.spins = usual(race, v, SPINS_FURTHER)
    stake(
        view, craft, race.poses, table, slid_to(race, v),
        turn, min(4, max(0, rules.phase) + 1), point_price(view, craft, view.left), stakes,
    )  # fmt: skip
    stakes.ignored = 1 if rules.damage_ignored else (2 if rules.damage_as_clp else 0)
    stakes.tires, stakes.turning = rules.stamina, car.turning
    stakes.per_die *= max(
        0.3, 1.0 + 0.6 * (usual(race, v, CONTROL_DAMAGE_DICE) + usual(race, v, DAMAGE_DICE))
    )


@kernel
def control_cards(race: Race, v: int) -> None:
    """Choose cards for a control roll of order.hexes dice and the turn order.turn."""
    car, order = race.cars[v], race.cars[v].order
    dice, turn = order.hexes, order.turn
    _stakes(race, v, turn)
    view, craft = race.cars[v].mind.sight, race.vehicles[car.vehicle].craft
    stakes = race.cars[v].mind.stakes
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
    for icon in range(6):
        counts[icon] = 0
    for n in range(race.cars[v].count):
        counts[race.rules.faces_icon[race.cars[v].dice[n]]] += 1


@kernel
def _discards(race: Race, v: int) -> int:
    order = race.cars[v].order
    more = usual(race, v, CONTROL_DISCARDS) + order.gives[GIVES_DISCARDS]
    return int(order.whips + order.reins + more)


@kernel
def control_reroll(race: Race, v: int) -> None:
    """Choose dice to re-roll, with a Lucky card if that pays."""
    order, stakes = race.cars[v].order, race.cars[v].mind.stakes
    room = race.cars[v].mind.room
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
    """Play a card that re-reads slow or haste, or discards all of an icon."""
    car, order = race.cars[v], race.cars[v].order
    vehicle, stakes = race.vehicles[car.vehicle], race.cars[v].mind.stakes
    room = race.cars[v].mind.room
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
    """Mark dice of the wanted icons in the order's mask; `wanted` is used up."""
    order = race.cars[v].order
    order.mask = 0
    for n in range(race.cars[v].count):
        icon = race.rules.faces_icon[race.cars[v].dice[n]]
        if wanted[icon] > 0:
            wanted[icon] -= 1
            order.mask |= 1 << n


@kernel
def control_discard(race: Race, v: int) -> None:
    """Choose up to order.hexes dice to discard."""
    order, stakes = race.cars[v].order, race.cars[v].mind.stakes
    room = race.cars[v].mind.room
    counts, left = room.counts, room.left
    _tally(race, v, counts)
    best_discards(counts, order.hexes, stakes, stakes.turning, left, room)
    for icon in range(6):
        counts[icon] -= left[icon]
    _mask(race, v, counts)
