"""Ways over the hexes: which step a facing allows, what lies there, what stands beside (CD-24)."""

from __future__ import annotations

from gridpress_chariot_dash.race.kernel import kernel
from gridpress_chariot_dash.race.layout import FLIES, Race

FREE, SOMETHING_SOLID, SOMEONE = range(3)


@kernel
def straight(facing: int, lean: int, first_left: bool) -> int:
    """The direction of the next straight step: of a corner the side whose turn it is (CD-25)."""
    if facing % 2 == 0:
        return facing // 2
    left = first_left if lean == 0 else lean < 0
    return (facing // 2 + (1 if left else 0)) % 6


@kernel
def leaning(facing: int, direction: int) -> int:
    """Which of the two hexes of a corner a direction leads to: 1 left, −1 right; 0 of a side."""
    if facing % 2 == 0:
        return 0
    return -1 if direction == facing // 2 else 1


@kernel
def direction_of(variant: int, i: int, facing: int, lean: int) -> int:
    """The direction of step i of a variant (see ORDER_DTYPE), the earlier ones having been made.

    Facing a corner, 2 + 2i and 3 + 2i are 0 and 1 with step i to the same side once more (X-7).
    """
    if facing % 2 == 0:
        if variant > 0 and (variant - 1) // 2 == i:
            return (facing // 2 + (-1 if variant % 2 == 1 else 1)) % 6
        return facing // 2
    if variant >= 2 and (variant - 2) // 2 == i and lean != 0:
        lean = -lean
    return straight(facing, lean, variant % 2 == 1)


@kernel
def is_drift(variant: int, i: int, facing: int, lean: int) -> bool:
    """Whether step i of the variant is the drift."""
    if facing % 2 == 0:
        return variant > 0 and (variant - 1) // 2 == i
    return variant >= 2 and (variant - 2) // 2 == i and lean != 0


@kernel
def variants(race: Race, v: int, hexes: int) -> int:
    """How many variants there are now for so many hexes: 0 to this − 1."""
    car, rules = race.cars[v], race.rules[0]
    free = car.drifts == 0 or rules.free_drifts or rules.more_drifts
    if car.facing % 2 == 0:
        return 1 + 2 * hexes if free else 1
    return 2 + 2 * hexes if free and rules.corner_drift else 2


@kernel
def there(race: Race, v: int, cell: int, last: bool, jumps: bool) -> int:
    """What a car would run into by entering a hex. One that flies or jumps passes over what is low,
    wrecks at rest among it (CD-45), but does not end its move there."""
    over = not last and (jumps or race.cars[v].mods[FLIES] > 0)
    if cell < 0:
        return SOMETHING_SOLID
    if race.cells[cell].solid:
        return FREE if over and race.cells[cell].low else SOMETHING_SOLID
    other = race.cells[cell].car
    if other < 0 or other == v:
        return FREE
    if race.cars[other].wrecked:
        return FREE if over and race.cars[other].rests else SOMETHING_SOLID
    return SOMEONE


@kernel
def clear_for(race: Race, v: int, variant: int, hexes: int, jump_at: int, jumped: int) -> int:
    """How many hexes of a way can be entered before something is in it; all if it is clear.

    jumped: so many hexes are jumped over, from step `jump_at` on (−1 none)."""
    car = race.cars[v]
    cell, lean = car.cell, car.lean
    for i in range(hexes):
        direction = direction_of(variant, i, car.facing, lean)
        if not is_drift(variant, i, car.facing, lean) or car.facing % 2:
            lean = leaning(car.facing, direction)
        cell = race.cells[cell].neighbour[direction]
        jumps = 0 <= jump_at <= i < jump_at + jumped
        if there(race, v, cell, i == hexes - 1, jumps) != FREE:
            return i
    return hexes


@kernel
def meets_someone(race: Race, v: int, variant: int, at: int) -> bool:
    """Whether what is in the way at a step is a vehicle, not an obstacle."""
    car = race.cars[v]
    cell, lean = car.cell, car.lean
    for i in range(at + 1):
        direction = direction_of(variant, i, car.facing, lean)
        if car.facing % 2:
            lean = leaning(car.facing, direction)
        cell = race.cells[cell].neighbour[direction]
        if cell < 0:
            return False
    return bool(there(race, v, cell, True, False) == SOMEONE)


@kernel
def may_go(race: Race, v: int, variant: int, hexes: int, rams: bool) -> bool:
    """Whether a way may be chosen while there is another (CD-29): it is clear, or may lead into a
    vehicle (X-5, Ramming Speed)."""
    clear = clear_for(race, v, variant, hexes, -1, 0)
    return clear == hexes or (rams and meets_someone(race, v, variant, clear))


@kernel
def has_way(race: Race, v: int, hexes: int, rams: bool) -> bool:
    """Whether there is a way for so many hexes that may be chosen."""
    for variant in range(variants(race, v, hexes)):
        if may_go(race, v, variant, hexes, rams):
            return True
    return drifting(race, v, hexes) >= 0


@kernel
def drifting(race: Race, v: int, hexes: int) -> int:
    """Where X-7 allows more drifts than one: the variant up to the first drift of a clear way, −1
    if none is clear however often it drifts."""
    car, rules = race.cars[v], race.rules[0]
    corner = car.facing % 2
    if not (rules.free_drifts or rules.more_drifts) or (corner and not rules.corner_drift):
        return -1
    sides = 2 if corner else 3
    for way in range(sides**hexes):
        cell, lean, rest, first, left, i = car.cell, car.lean, way, -1, 0, 0
        while i < hexes:
            step = rest % sides  # of a corner: right or left; of a side: ahead, left or right
            rest //= sides
            side = 1 if step == 1 else -1
            if first < 0 and (lean == side if corner else step > 0):
                first = i
            if i == 0 or (first == i and not corner):
                left = int(side == 1)
            lean = side
            by = step if corner or step < 2 else -1
            cell = race.cells[cell].neighbour[(car.facing // 2 + by) % 6]
            if there(race, v, cell, i == hexes - 1, False) != FREE:
                break
            i += 1
        if i == hexes:
            if corner:
                return left if first < 0 else 2 + 2 * first + left
            return 0 if first < 0 else 1 + 2 * first + left
    return -1


@kernel
def direction_to(race: Race, cell: int, other: int) -> int:
    """The side on which a neighbouring hex lies, −1 if it is none."""
    for direction in range(6):
        if other >= 0 and race.cells[cell].neighbour[direction] == other:
            return direction
    return -1


@kernel
def is_ahead(facing: int, direction: int) -> bool:
    """Whether a direction leads to a hex ahead: one of a side, two of a corner."""
    if facing % 2 == 0:
        return direction == facing // 2
    return direction in (facing // 2, (facing // 2 + 1) % 6)


@kernel
def is_beside(facing: int, direction: int) -> bool:
    """Neither ahead nor behind (CD-38)."""
    return not is_ahead(facing, direction) and not is_ahead(facing, (direction + 3) % 6)


@kernel
def can_pass(race: Race, v: int, facing: int, blocked: int) -> bool:
    """CD-60: some first step, drift included, leads into a hex that is not the blocked one, nor
    has something solid in it: past a wreck no way leads through a wall or another wreck."""
    first, cell = facing // 2, race.cars[v].cell
    for by in range(-1, 2):
        if facing % 2 and by < 0:
            continue
        to = race.cells[cell].neighbour[(first + by) % 6]
        if to >= 0 and to != blocked and there(race, v, to, True, False) != SOMETHING_SOLID:
            return True
    return False


@kernel
def apart(race: Race, behind: int, before: int) -> float:
    """How far the second hex lies before the first along the track, by the shorter way round."""
    lap = race.rules[0].lap
    distance = (race.cells[before].along - race.cells[behind].along) % lap
    return float(distance if distance <= lap / 2 else distance - lap)
