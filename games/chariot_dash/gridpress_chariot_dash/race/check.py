"""Speed checks (CD-14 to CD-21, X-1): cards and dice in, the marker moved."""

from __future__ import annotations

from gridpress_chariot_dash.race import hooks as choices
from gridpress_chariot_dash.race.chance import modifier, roll, value_of
from gridpress_chariot_dash.race.hands import clear_order, play, roll_again
from gridpress_chariot_dash.race.kernel import kernel
from gridpress_chariot_dash.race.layout import (
    AT_ACCELERATING,
    AT_ANY_AFTER,
    AT_DECELERATING,
    DOWN_ADD,
    DOWN_DICE,
    DOWN_DISCARDS,
    DOWN_FREE,
    DOWN_REROLLS,
    DOWN_SUBTRACT,
    EAGER,
    GIVES_DICE,
    GIVES_DISCARDS,
    GIVES_REROLLS,
    GIVES_VALUE,
    KEEP_ANY,
    ROLL_SPEED,
    UP_ADD,
    UP_DICE,
    UP_DISCARDS,
    UP_FREE,
    UP_REROLLS,
    UP_RIVAL,
    UP_SUBTRACT,
    Race,
)
from gridpress_chariot_dash.race.marker import brake, speed_up

ANY_TWO, LOWEST_AND_ANY, TWO_LOWEST = range(3)


@kernel
def limit_of(helping: int, hindering: int) -> int:
    """CD-15: which two dice may be kept."""
    if hindering == 0 or hindering < helping:
        return ANY_TWO
    return TWO_LOWEST if hindering >= 2 * helping else LOWEST_AND_ANY


@kernel
def kept(race: Race, v: int, limit: int) -> int:
    """The sum of the two dice that the driver keeps, where the limit lets him; else of the best."""
    order = race.orders[v]
    count = race.counts[v]
    low, next_low = 99, 99
    high, next_high = 0, 0
    for n in range(count):
        one = value_of(race, race.dice[v, n])
        if one < low:
            low, next_low = one, low
        elif one < next_low:
            next_low = one
        if one > high:
            high, next_high = one, high
        elif one > next_high:
            next_high = one
    if limit == TWO_LOWEST:
        return low + next_low
    if 0 <= order.first < count and 0 <= order.second < count and order.first != order.second:
        one = value_of(race, race.dice[v, order.first])
        other = value_of(race, race.dice[v, order.second])
        if limit == ANY_TWO or min(one, other) == low:
            return one + other
    return high + (next_high if limit == ANY_TWO else low)


@kernel
def _single(race: Race, v: int) -> int:
    """X-1: the one die that is kept; traits may have had more rolled. None chosen: the highest."""
    first, high = race.orders[v].first, 0
    if 0 <= first < race.counts[v]:
        return value_of(race, race.dice[v, first])
    for n in range(race.counts[v]):
        high = max(high, value_of(race, race.dice[v, n]))
    return high


@kernel
def may_accelerate(race: Race, v: int) -> bool:
    """False for leaders by a distance under grandstanding."""
    rules, car = race.rules[0], race.cars[v]
    return not (rules.grandstanding and car.leads_by >= rules.grandstanding_by)


@kernel
def move_boxes(race: Race, v: int, boxes: int, accelerate: bool) -> None:
    """Boxes of a check, less than none the other way; capped last of all (CD-16)."""
    car = race.cars[v]
    if boxes < 0:
        boxes, accelerate = -boxes, not accelerate
    if accelerate:
        speed_up(race, v, min(boxes, car.up_most), True)
    else:
        brake(race, v, min(boxes, car.down_most))


@kernel
def speed_check(race: Race, v: int) -> None:
    """A car's speed check, from choosing to the CLP that a safe rating clears (CD-21)."""
    rules, car, order = race.rules[0], race.cars[v], race.orders[v]
    clear_order(race, v)
    choices.speed_plan(race, v)
    up = order.accelerate == 1
    allowed = may_accelerate(race, v)
    if up and not allowed:
        up = False
    cards = play(race, v, AT_ACCELERATING if up else AT_DECELERATING, 0)
    if cards == 0:
        eager = car.mods[EAGER] > 0
        up = eager and allowed
        if eager and not allowed:
            move_boxes(race, v, 0, True)
            car.virtual_whips, car.virtual_reins = 0, 0
            return
    virtual = car.virtual_whips + car.virtual_reins
    whips, reins = order.whips + car.virtual_whips, order.reins + car.virtual_reins
    car.virtual_whips, car.virtual_reins = 0, 0
    which = UP_FREE if up else DOWN_FREE
    if car.mods[which] > 0 or car.mod_dice[which] > 0:
        free = modifier(race, v, which)
        move_boxes(race, v, max(0, min(free, order.boxes)), up)
        return
    rerolls = modifier(race, v, UP_REROLLS if up else DOWN_REROLLS)
    dice = modifier(race, v, UP_DICE if up else DOWN_DICE)
    dice += modifier(race, v, UP_DISCARDS if up else DOWN_DISCARDS)
    dice += order.gives[GIVES_DICE] + order.gives[GIVES_DISCARDS]
    if up and rules.shame and car.trails_by >= rules.shame_by:
        dice += 1
    keeps = 1 if rules.simple_check else 2
    if not rules.simple_check:
        dice += cards + virtual
    roll(race, v, ROLL_SPEED, keeps + max(0, dice))
    order.accelerate = 1 if up else 0
    order.hexes = limit_of(whips, reins) if up else limit_of(reins, whips)
    if car.mods[KEEP_ANY] > 0:
        order.hexes = ANY_TWO
    order.mask, order.card, order.rerolls = 0, -1, rerolls + order.gives[GIVES_REROLLS]
    choices.speed_reroll(race, v)
    roll_again(race, v, ROLL_SPEED, rerolls, AT_ANY_AFTER)
    choices.speed_keep(race, v)
    if rules.simple_check:
        most = cards + virtual
        change = max(-most, min(most, order.boxes))
        change -= (most - change) % 2  # each card adds or subtracts 1, none does nothing
        total = max(0, _single(race, v) + max(-most, change))
    else:
        total = kept(race, v, order.hexes)
    total += modifier(race, v, UP_ADD if up else DOWN_ADD) + order.gives[GIVES_VALUE]
    if up and car.rival_ahead:
        total += modifier(race, v, UP_RIVAL)
    total = max(0, total) - modifier(race, v, UP_SUBTRACT if up else DOWN_SUBTRACT)
    move_boxes(race, v, total, up)
