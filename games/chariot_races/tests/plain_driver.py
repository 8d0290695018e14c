"""A simple driver for tests of the rules, with the hooks of `race/hooks.py`.

He speeds on straights, takes care in bends and keeps cards for speed checks.
"""

from typing import Any

from gridpress_chariot_dash.dice import DAMAGE, SLIDE
from gridpress_chariot_races.race.layout import HAND, PERSONAL, REINS, SAFE, VEHICLE, WHIP
from gridpress_chariot_races.race.rolls import value_of
from gridpress_chariot_races.race.ways import (
    FREE,
    clear_for,
    corner_side,
    direction_of,
    distance_along,
    is_drift,
    there,
    variants,
)

_HASTY = 3
_AHEAD = 6


def _hand(race: Any, v: int, kind: int) -> list[int]:
    car, vehicle = race.cars[v], race.vehicles[race.cars[v].vehicle]
    return [c for c in range(vehicle.cards) if car.pile[c] == HAND and vehicle.front[c] & kind]


def _use(race: Any, v: int, kind: int, most: int = 1) -> bool:
    """Order up to `most` cards of a type, and tell whether there is one."""
    uses = race.cars[v].order.uses
    cards = [c for c in _hand(race, v, kind) if uses[c] == 0][:most]
    uses[cards] = kind
    return bool(cards)


def _mark(race: Any, v: int, wanted: Any) -> None:
    """Put the dice whose face is wanted into the order's mask."""
    for n in range(race.cars[v].count):
        if wanted(race.cars[v].dice[n]):
            race.cars[v].order.mask |= 1 << n


def _nothing(race: Any, v: int) -> None:
    pass


swap = movement = control_reread = damage_again = at_end = _nothing


def speed_plan(race: Any, v: int) -> None:
    car, order = race.cars[v], race.cars[v].order
    order.boxes = 99
    if car.rating > _HASTY and car.control[car.rating] != SAFE and car.clp > 1:
        return
    order.accelerate = 1
    if car.rating < _HASTY:
        _use(race, v, WHIP, 2) or _use(race, v, REINS)
    elif car.rating < _HASTY + 2:
        _use(race, v, REINS) or _use(race, v, WHIP)


def speed_reroll(race: Any, v: int) -> None:
    _mark(race, v, lambda face: value_of(race, face) < 1)


def speed_keep(race: Any, v: int) -> None:
    race.cars[v].order.boxes = 99


def _outlook(race: Any, cell: int, facing: int) -> float:
    """Return the cells gained by going straight on until something blocks the way."""
    total, lean = 0.0, 0
    for i in range(_AHEAD):
        direction = direction_of(0, i, facing, lean)
        lean = corner_side(facing, direction)
        to = race.cells[cell].neighbour[direction]
        if to < 0 or race.cells[to].solid:
            return total - 2.0
        total += distance_along(race, cell, to)
        cell = to
    return total


def _best_turn(race: Any, v: int, cell: int) -> tuple[float, int]:
    car = race.cars[v]
    best, turn = _outlook(race, cell, car.facing), 0
    price = 0.25
    if car.control[car.rating] != SAFE:
        price = 0.5 * (car.control[car.rating] + car.clp)
    if car.clp > 3:
        price += 1.0
    for by in (1, -1):
        worth = _outlook(race, cell, (car.facing + by) % 12) - price
        if worth > best + 0.01:
            best, turn = worth, by
    return best, turn


def path(race: Any, v: int) -> None:
    car = race.cars[v]
    best, chosen = -999.0, 0
    for variant in range(variants(race, v, car.left)):
        clear = clear_for(race, v, variant, car.left, -1, 0)
        cell, lean, worth = car.cell, car.lean, -6.0 * (car.left - clear)
        for i in range(clear):
            direction = direction_of(variant, i, car.facing, lean)
            if not is_drift(variant, i, car.facing, lean) or car.facing % 2:
                lean = corner_side(car.facing, direction)
            to = race.cells[cell].neighbour[direction]
            worth += distance_along(race, cell, to)
            if race.cells[to].hazard or race.cells[to].fragile:
                worth -= 1.5
            cell = to
        worth += _best_turn(race, v, cell)[0]
        if worth > best:
            best, chosen = worth, variant
    race.cars[v].order.variant = chosen


def turn_at_end(race: Any, v: int) -> None:
    race.cars[v].order.turn = _best_turn(race, v, race.cars[v].cell)[1]


def attack(race: Any, v: int) -> None:
    order = race.cars[v].order
    if len(_hand(race, v, REINS)) > 2:
        order.attack = VEHICLE
        _use(race, v, REINS)
    elif len(_hand(race, v, WHIP)) > 3:
        order.attack = PERSONAL
        _use(race, v, WHIP)
    else:
        order.target = -1


def defence(race: Any, v: int) -> None:
    kind = race.cars[v].order.attack
    if len(_hand(race, v, kind)) > 1:
        _use(race, v, kind)


def fight_reroll(race: Any, v: int) -> None:
    _mark(race, v, lambda face: value_of(race, face) < 2)


def control_cards(race: Any, v: int) -> None:
    if race.cars[v].order.hexes > 1 and len(_hand(race, v, WHIP | REINS)) > 2:
        _use(race, v, REINS)


def control_reroll(race: Any, v: int) -> None:
    _mark(race, v, lambda face: race.rules.faces_icon[face] in (DAMAGE, SLIDE))


def control_discard(race: Any, v: int) -> None:
    order, icons = race.cars[v].order, race.rules.faces_icon
    worst = {DAMAGE: 0, SLIDE: 1}
    dice = sorted(
        range(race.cars[v].count), key=lambda n: worst.get(int(icons[race.cars[v].dice[n]]), 2)
    )
    for n in dice[: order.hexes]:
        order.mask |= 1 << n


def slide_side(race: Any, v: int) -> None:
    car, who = race.cars[v], race.cars[v].order.target
    pushed = who >= 0
    right = race.cells[race.cars[who if pushed else v].cell].neighbour[car.facing // 2]
    if (there(race, v, right, True, False) == FREE) == pushed:
        race.cars[v].order.variant = 1


def aside(race: Any, v: int) -> None:
    car, order = race.cars[v], race.cars[v].order
    facings = [facing for facing in range(12) if order.mask >> facing & 1]
    order.facing = max(facings, key=lambda facing: _outlook(race, car.cell, facing))
