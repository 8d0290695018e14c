"""Choices of a driver: each option is weighed by rounds to go plus its costs.

Costs are cards, damage, and (negative) what rivals lose. Odds of dice to come are exact. An
optional trait or card is used only where it gains something.
"""

from __future__ import annotations

from typing import Any

from gridpress_chariot_races.race.horizon import CLP_KNOT, ENDED, LOST, PHASE
from gridpress_chariot_races.race.kernel import kernel
from gridpress_chariot_races.race.layout import (
    FAR,
    MOST,
    SHIFT,
    SPINS,
    SUMS,
    TURN_CARDS,
    Array,
    RaceRecord,
)
from gridpress_chariot_races.race.rolls import BOXES, HURT, POINTS, POSE, limit_of
from gridpress_chariot_races.race.ways import REACH
from gridpress_chariot_races.race.weigh import (
    ahead,
    any_price,
    at_hand,
    card_price,
    damage_price,
    interpolated_worth,
    point_price,
    seen,
)


@kernel
def choose_speed(
    view: RaceRecord, craft: RaceRecord, table: Array, node: int, terms: RaceRecord, sums: Any,
    best: Array, answer: RaceRecord,
) -> None:  # fmt: skip
    """Choose the best plan of a speed check. best: scratch room."""
    seen(view, craft)
    answer.value, answer.whips, answer.reins, answer.free = LOST, 0, 0, -1
    answer.boosted = 0
    answer.accelerate = terms.champing if terms.may_accelerate else 0
    hand = view.whips + view.reins + view.duals
    for way in range(2):
        if way == 0 and not terms.may_accelerate:
            continue
        if terms.free[way]:
            whips = 1 if way == 0 and hand and not at_hand(view, 0, 1) else 0
            reins = 1 if way == 0 and not whips else 0
            if way == 0 and not hand:
                continue
            price = card_price(view, craft, whips, reins, 0)
            for boxes in range(terms.free[way]):
                to = terms.free_to[way, boxes]
                value = price + ahead(craft, table, node, view.knot, view.part, view.more, 0, to)
                if value < answer.value - 1e-9:
                    answer.value, answer.accelerate, answer.free = value, 1 - way, boxes
                    answer.whips, answer.reins = whips, reins
            continue
        for boosted in range(2 if terms.booster[way] else 1):
            for kept in range(SUMS):
                to = terms.boosted[way, kept] if boosted else terms.to[way, kept]
                value = ahead(craft, table, node, view.knot, view.part, view.more, 0, to)
                _fill(best[way], kept, value)
            _plans(view, craft, terms, sums, best[way], way, boosted, answer)


@kernel
def _fill(values: Array, kept: int, value: float) -> None:
    bit = 1 << kept
    values[0] = LOST
    for mask in range(bit):
        values[bit + mask] = min(value, values[mask])


@kernel
def _plans(
    view: RaceRecord, craft: RaceRecord, terms: RaceRecord, sums: Any, values: Array, way: int,
    boosted: int, answer: RaceRecord,
) -> None:  # fmt: skip
    for whips in range(min(3, view.whips + view.duals) + 1):
        for reins in range(min(3, view.reins + view.duals) + 1):
            if whips + reins > 3 or not at_hand(view, whips, reins):
                continue
            if whips + reins == 0 and (way == 0) != (terms.champing > 0):
                continue
            if boosted:
                front = terms.booster[way]
                if (whips == 0 or not front & 1) and (reins == 0 or not front & 2):
                    continue
            helping, hindering = whips + terms.virtual_whips, reins + terms.virtual_reins
            if terms.encouraged and way == 0:
                helping, hindering = helping + reins, hindering - reins
            if way == 1:
                helping, hindering = hindering, helping
            value = card_price(view, craft, whips, reins, 0)
            value += terms.boost_price[way] if boosted else 0.0
            if value >= answer.value:
                continue
            if terms.simple:
                value += _simple(terms, values, whips + reins)
            else:
                limit = 0 if terms.any_two else limit_of(helping, hindering)
                dice = min(2 + helping + hindering + terms.dice[way], len(sums.sizes) - 1)
                for place in range(sums.sizes[dice, limit]):
                    value += sums.odds[dice, limit, place] * values[sums.sets[dice, limit, place]]
            if value < answer.value - 1e-9:
                answer.value, answer.accelerate, answer.free = value, 1 - way, -1
                answer.whips, answer.reins, answer.boosted = whips, reins, boosted


@kernel
def _simple(terms: RaceRecord, values: Array, cards: int) -> float:
    """Return the mean worth of one die (X-1) with cards."""
    mean = 0.0
    for face in terms.faces:
        best = LOST
        for change in range(-cards, cards + 1, 2):
            best = min(best, values[1 << min(SUMS - 1, max(0, face + change))])
        mean += best / 6.0
    return mean


@kernel
def stake(
    view: RaceRecord,
    craft: RaceRecord,
    poses: Array,
    table: Array,
    slid: int,
    turn: int,
    slot: int,
    point: float,
    stakes: RaceRecord,
) -> None:
    """Fill in the worth of each outcome of a control roll.

    slid: cell of a slide, −1 for a wall; slot: phase afterwards; point: cost of a point of damage.
    """
    box = view.box
    more = 0.0 if craft.safe[box] else view.more
    most = min(SPINS, 1 + stakes.spins)
    for spin in range(-most, most + 1):
        facing = (view.facing + turn + spin) % 12
        here = view.cell * 12 + facing
        node = poses[here].node
        value = ahead(craft, table, node, view.knot, view.part, more, slot, box)
        stakes.poses[0, SPINS + spin] = value + PHASE * poses[here].astray
        if slid >= 0:
            there = slid * 12 + facing
            value = ahead(craft, table, poses[there].node, view.knot, view.part, more, slot, box)
            stakes.poses[1, SPINS + spin] = value + PHASE * poses[there].astray
        else:
            half = craft.half[box]
            value = ahead(craft, table, node, view.knot, view.part, more, slot, half)
            stakes.poses[1, SPINS + spin] = value + PHASE * poses[here].astray + craft.crash[box]
    turned = view.cell * 12 + (view.facing + turn) % 12
    node = poses[turned].node
    for shift in range(-SHIFT, SHIFT + 1):
        to = craft.shift[box, SHIFT + shift]
        stakes.boxes[FAR + shift] = ahead(
            craft, table, node, view.knot, view.part, view.more, slot, to
        )
    for shift in range(SHIFT + 1, FAR + 1):
        stakes.boxes[FAR - shift] = stakes.boxes[FAR - SHIFT]
        stakes.boxes[FAR + shift] = stakes.boxes[FAR + SHIFT]
    slope = ahead(craft, table, node, view.knot, view.part, more + 1.0 / CLP_KNOT, slot, box)
    stakes.meant = stakes.poses[0, SPINS]
    stakes.per_point = max(0.01, slope - stakes.boxes[FAR])
    stakes.per_die = craft.hurts * (point + stakes.per_point)
    stakes.tired = 0.02


@kernel
def roll_worth(craft: RaceRecord, stakes: RaceRecord, dice: int, cards: int) -> float:
    """Return the worth of a control roll with cards."""
    row = craft.turns[min(cards, TURN_CARDS - 1), min(MOST, max(0, dice))]
    value = row[HURT] * stakes.per_die + row[POINTS] * stakes.per_point
    for slid in range(2):
        for spin in range(3):
            by = 0 if spin == 0 else (1 if spin == 1 else -1)
            value += row[POSE + slid * 3 + spin] * stakes.poses[slid, SPINS + by]
    for shift in range(-SHIFT, SHIFT + 1):
        if shift != 0:
            change = stakes.boxes[FAR + shift] - stakes.boxes[FAR]
            value += row[BOXES + SHIFT + shift] * (stakes.meant + change)
    return value


@kernel
def choose_way(
    view: RaceRecord,
    craft: RaceRecord,
    poses: Array,
    worth: Array,
    cells: Array,
    me: int,
    phase: int,
    hexes: int,
    fresh: bool,
    drifted: bool,
    answer: RaceRecord,
) -> None:
    """Choose the way through a phase, and a card for one hex more or fewer.

    cells: as in `layout`; me: number of the car; fresh: True if a card may be played. Ways
    through cars or walls are a last resort.
    """
    seen(view, craft)
    rating = craft.rating[view.box]
    more = 0.0 if craft.safe[view.box] else view.more
    layer = min(view.layer, 1)
    answer.value, answer.hexes, answer.variant, answer.card = LOST * 2, hexes, 0, 0
    for change in range(3 + (hexes if view.stops else 0)):
        gone, box = hexes, view.box
        if change == 1:
            gone += 1
        elif change == 2:
            gone -= 1
        elif change > 2:  # Emergency Stop: a rating less for each hex
            gone -= change - 2
            box = craft.last[max(0, rating - (change - 2))]
        if gone < 0 or gone >= REACH or (change and not fresh):
            continue
        price = 0.0
        if change == 1:
            if view.whips + view.duals == 0 and not (view.encouraged and view.reins):
                continue
            as_rein = view.encouraged and view.reins > 0
            price = card_price(view, craft, 0 if as_rein else 1, 1 if as_rein else 0, 0)
        elif change == 2:
            if view.reins + view.duals == 0:
                continue
            price = card_price(view, craft, 0, 1, 0)
        elif change > 2:
            price = view.stop_price
        if gone == 0:
            here = view.cell * 12 + view.facing
            value = (
                price
                + PHASE * poses[here].astray
                + ahead(
                    craft,
                    worth[layer],
                    poses[here].node,
                    view.knot,
                    view.part,
                    more,
                    phase + 1,
                    box,
                )
            )
            if value < answer.value:
                answer.value, answer.hexes, answer.variant = value, 0, 0
                answer.card = min(3, change)
            continue
        corner = view.facing % 2
        variants = 2 if corner else (1 if drifted else 1 + 2 * gone)
        for variant in range(variants):
            if corner and view.lean >= 0 and variant != view.lean:
                continue
            cell, over, value, blocked = view.cell, 0, price, False
            for i in range(gone):
                if corner:
                    way = view.facing // 2 + (variant + i) % 2
                else:
                    way = view.facing // 2
                    if variant > 0 and (variant - 1) // 2 == i:
                        way += 5 if (variant - 1) % 2 == 0 else 1
                to = cells[cell].neighbour[way % 6]
                hit = to < 0 or cells[to].solid > 0
                if hit or (cells[to].car >= 0 and cells[to].car != me):
                    blocked = True
                    dice = rating if hit else 1 + rating // 2
                    value += 60.0 + damage_price(view, craft, dice, craft.hurts)
                    value += 0.3 + 0.12 * (gone - i)
                    break
                if cells[to].hazard and not craft.flies:
                    value += craft.mud[view.box] + 0.05 * cells[to].hazard_rating
                if cells[to].fragile and not craft.flies:
                    dice = (rating + 1) // 2 + cells[to].fragile + cells[to].fragile_rating - 1
                    value += damage_price(view, craft, dice, craft.hurts) + 0.1
                apart = poses[to * 12].past - poses[cell * 12].past
                if apart < -20.0:
                    over += 1
                elif apart > 20.0:
                    over -= 1
                cell = to
            pose = cell * 12 + view.facing
            node = poses[pose].node
            then = view.layer - over
            if over > 0 and then < 0:
                pass  # the finish
            elif over < 0:
                value += LOST
            elif blocked:
                half = craft.half[view.box]
                value += ahead(
                    craft, worth[min(then, 1)], node, view.knot, view.part, more, phase + 1, half
                )
            else:
                value += PHASE * poses[pose].astray + interpolated_worth(
                    worth[min(then, 1)], node, view.knot, view.part, more, ENDED + phase, box
                )
                if over > 0 and view.layer > 1:
                    value -= craft.lap
                if variant and not corner and view.clp > 0:
                    value += 0.03
            if value < answer.value - 1e-9:
                answer.value, answer.hexes, answer.variant = value, gone, variant
                answer.card = min(3, change)


@kernel
def choose_turn(
    view: RaceRecord,
    craft: RaceRecord,
    poses: Array,
    worth: Array,
    slid: int,
    phase: int,
    straight: bool,
    stakes: RaceRecord,
    answer: RaceRecord,
) -> None:
    """Choose whether to turn at the end of a phase. straight: no drift, so going on steadies."""
    seen(view, craft)
    layer = min(view.layer, 1)
    table = worth[layer]
    here = view.cell * 12 + view.facing
    more = 0.0 if craft.safe[view.box] else view.more
    calm = max(0.0, more - 1.0 / CLP_KNOT) if straight else more
    answer.turn = 0
    answer.value = PHASE * poses[here].astray + ahead(
        craft, table, poses[here].node, view.knot, view.part, calm, phase + 1, view.box
    )
    hand = view.whips + view.reins + view.duals
    for turn in range(-1, 2, 2):
        there = view.cell * 12 + (view.facing + turn) % 12
        if craft.safe[view.box]:
            value = PHASE * poses[there].astray + ahead(
                craft, table, poses[there].node, view.knot, view.part, more, phase + 1, view.box
            )
        else:
            bound = PHASE * poses[there].astray + ahead(
                craft, table, poses[there].node, view.knot, view.part, more, phase + 1, view.box
            )
            if bound > answer.value + 0.3:
                continue
            point = point_price(view, craft, view.left)
            stake(
                view,
                craft,
                poses,
                table,
                slid,
                turn,
                phase + 1,
                point,
                stakes,
            )
            value = LOST
            for cards in range(min(2, hand) + 1):
                price = any_price(view, craft, cards)
                value = min(
                    value,
                    price + roll_worth(craft, stakes, craft.control[view.box] + view.clp, cards),
                )
        if value < answer.value - 1e-9:
            answer.value, answer.turn = value, turn


@kernel
def choose_cards(
    view: RaceRecord, craft: RaceRecord, stakes: RaceRecord, dice: int, most: int
) -> int:
    """Return how many cards to play in a control roll."""
    best, chosen = LOST, 0
    for cards in range(min(most, view.whips + view.reins + view.duals, TURN_CARDS - 1) + 1):
        value = any_price(view, craft, cards) + roll_worth(craft, stakes, dice, cards)
        if value < best - 1e-9:
            best, chosen = value, cards
    return chosen
