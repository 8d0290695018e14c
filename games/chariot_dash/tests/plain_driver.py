"""A driver who has learnt nothing, for tests of the rules: quick on the straight, careful in bends,
cards kept for the speed check. Its hooks stand where those of `race/hooks.py` do."""

from __future__ import annotations

from gridpress_chariot_dash.dice import DAMAGE, SLIDE
from gridpress_chariot_dash.race.kernel import kernel
from gridpress_chariot_dash.race.layout import (
    AT_ACCELERATING,
    AT_CONTROL,
    PERSONAL,
    RECOVERY,
    REINS,
    SAFE,
    VEHICLE,
    WHIP,
    Race,
)
from gridpress_chariot_dash.race.rolls import value_of
from gridpress_chariot_dash.race.ways import (
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


@kernel
def _use(race: Race, v: int, moment: int, whips: int, reins: int) -> int:
    """Put so many plain cards of each type on the order; how many there were."""
    car, order = race.cars[v], race.orders[v]
    vehicle = race.vehicles[car.vehicle]
    used = 0
    for c in range(vehicle.cards):
        if car.pile[c] == 0 and order.uses[c] == 0:
            if whips > 0 and vehicle.front[c] & WHIP:
                order.uses[c] = WHIP
                whips -= 1
                used += 1
            elif reins > 0 and vehicle.front[c] & REINS:
                order.uses[c] = REINS
                reins -= 1
                used += 1
    return used


@kernel
def swap(race: Race, v: int) -> None:
    """Adaptive: `mask` of cards in hand to be swapped for others of the other type."""


@kernel
def speed_plan(race: Race, v: int) -> None:
    """Before a speed check: `accelerate`, `uses`, and `boxes` where nothing is rolled."""
    car, order = race.cars[v], race.orders[v]
    order.boxes = 99
    vehicle = race.vehicles[car.vehicle]
    if car.rating > _HASTY and (car.control[car.rating] != SAFE and car.clp > 1):
        return
    order.accelerate = 1
    if car.rating < _HASTY:
        if _use(race, v, AT_ACCELERATING, 2, 0) == 0:
            _use(race, v, AT_ACCELERATING, 0, 1)
        return
    waiting = 0
    for c in range(vehicle.cards):
        waiting += car.pile[c] == RECOVERY
    if car.rating < _HASTY + 2 and _use(race, v, AT_ACCELERATING, 0, 1) == 0:
        _use(race, v, AT_ACCELERATING, 1, 0)


@kernel
def speed_reroll(race: Race, v: int) -> None:
    """After a speed check's roll: `mask` to be re-rolled, at most `rerolls`; `card` a Lucky.
    accelerate and hexes (the limit, see `check`) say what is rolled for."""
    for n in range(race.counts[v]):
        if value_of(race, race.dice[v, n]) < 1:
            race.orders[v].mask |= 1 << n


@kernel
def speed_keep(race: Race, v: int) -> None:
    """`first` and `second` of the dice to keep; none: the two best that may be kept. Under X-1
    `first`, and `boxes`: what the cards add, less than 0 subtract."""
    race.orders[v].boxes = 99


@kernel
def movement(race: Race, v: int) -> None:
    """The card of a phase: `card` and `use`; `hexes` fewer by an Emergency Stop."""


@kernel
def _outlook(race: Race, cell: int, facing: int) -> float:
    """Cells gained by going on straight from here until something is in the way."""
    total = 0.0
    lean = 0
    for i in range(_AHEAD):
        direction = direction_of(0, i, facing, lean)
        lean = corner_side(facing, direction)
        to = race.cells[cell].neighbour[direction]
        if to < 0 or race.cells[to].solid:
            return total - 2.0
        total += distance_along(race, cell, to)
        cell = to
    return total


@kernel
def _best_turn(race: Race, v: int, cell: int) -> tuple[float, int]:
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


@kernel
def path(race: Race, v: int) -> None:
    """The way through the hexes left: `variant`; `jump_at`, `jump_card` and `hexes`, how many the
    jump clears. Asked again when something turned the car aside."""
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
        onward, _ = _best_turn(race, v, cell)
        worth += onward
        if worth > best:
            best, chosen = worth, variant
    race.orders[v].variant = chosen


@kernel
def turn_at_end(race: Race, v: int) -> None:
    """`turn`: 1 left, −1 right, 0 none."""
    _, turn = _best_turn(race, v, race.cars[v].cell)
    race.orders[v].turn = turn


@kernel
def _hand(race: Race, v: int, kind: int) -> int:
    car = race.cars[v]
    vehicle = race.vehicles[car.vehicle]
    count = 0
    for c in range(vehicle.cards):
        count += car.pile[c] == 0 and vehicle.front[c] & kind > 0
    return count


@kernel
def attack(race: Race, v: int) -> None:
    """May be made on `target` now (the one asked about is on the order): `attack`, PERSONAL or
    VEHICLE, and `uses`; target −1: no attack."""
    order = race.orders[v]
    if _hand(race, v, REINS) > 2:
        order.attack = VEHICLE
        _use(race, v, AT_CONTROL, 0, 1)
    elif _hand(race, v, WHIP) > 3:
        order.attack = PERSONAL
        _use(race, v, AT_CONTROL, 1, 0)
    else:
        order.target = -1


@kernel
def defence(race: Race, v: int) -> None:
    """`uses` against an attack of the type `attack` by the car `target`."""
    order = race.orders[v]
    if _hand(race, v, order.attack) > 1:
        whips = 1 if order.attack == PERSONAL else 0
        _use(race, v, AT_CONTROL, whips, 1 - whips)


@kernel
def fight_reroll(race: Race, v: int) -> None:
    """`mask` to be re-rolled in an attack or defence, at most `rerolls`; `card` a Lucky."""
    for n in range(race.counts[v]):
        if value_of(race, race.dice[v, n]) < 2:
            race.orders[v].mask |= 1 << n


@kernel
def control_cards(race: Race, v: int) -> None:
    """`uses` for a control roll of `hexes` dice, with `turn` planned."""
    dice = race.orders[v].hexes
    if dice > 1 and _hand(race, v, WHIP | REINS) > 2:
        _use(race, v, AT_CONTROL, 0, 1)


@kernel
def control_reread(race: Race, v: int) -> None:
    """After re-rolls, asked until it is −1: `card` of a Yah!, Brake, or Cool and its `icon`."""


@kernel
def control_reroll(race: Race, v: int) -> None:
    """`mask` of dice to be re-rolled, at most `rerolls`; `card` a Lucky."""
    for n in range(race.counts[v]):
        if race.rules[0].faces_icon[race.dice[v, n]] in (DAMAGE, SLIDE):
            race.orders[v].mask |= 1 << n


@kernel
def control_discard(race: Race, v: int) -> None:
    """`mask` of dice to be discarded, at most `hexes`; `icon` says how slow and haste are read."""
    order = race.orders[v]
    left = order.hexes
    for icon in (DAMAGE, SLIDE):
        for n in range(race.counts[v]):
            if left > 0 and race.rules[0].faces_icon[race.dice[v, n]] == icon:
                order.mask |= 1 << n
                left -= 1
    for n in range(race.counts[v]):
        if left > 0 and not (order.mask >> n) & 1:
            order.mask |= 1 << n
            left -= 1


@kernel
def damage_again(race: Race, v: int) -> None:
    """After a damage roll: `card` of a Survivor; or of a Lucky, and `mask`."""


@kernel
def slide_side(race: Race, v: int) -> None:
    """Which hex of his corner a slide goes to first: `variant` 0 right, 1 left. Whose slide it is
    stands in `target`: −1 his own; else that car is pushed his way."""
    car, who = race.cars[v], race.orders[v].target
    pushed = who >= 0
    right = race.cells[race.cars[who if pushed else v].cell].neighbour[car.facing // 2]
    if (there(race, v, right, True, False) == FREE) == pushed:
        race.orders[v].variant = 1


@kernel
def aside(race: Race, v: int) -> None:
    """`facing` after a collision, one of those in `mask`."""
    car, order = race.cars[v], race.orders[v]
    best = -999.0
    for facing in range(12):
        if (order.mask >> facing) & 1:
            worth = _outlook(race, car.cell, facing)
            if worth > best:
                best, order.facing = worth, facing


@kernel
def at_end(race: Race, v: int) -> None:
    """The end of a round: `card` of a Determination."""
