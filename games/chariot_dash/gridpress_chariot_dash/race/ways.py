"""Ways over the hexes: which step a facing allows, what lies there, what stands beside (CD-24); and
for each pose and number of hexes the places in which a phase can end.

The latter is worked out once a track, for any vehicle. A pose is a cell and a facing of twelve;
poses that look far off their lane are not told apart: they stand for the nearest one that is looked
at, at a price. The first hex of a phase is free to choose for a vehicle that faces a corner, and a
vehicle that faces a side may drift once, so a phase of any length has three ends at most.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gridpress_chariot_dash.race.kernel import entry, kernel
from gridpress_chariot_dash.race.layout import FLIES, Race

FREE, SOMETHING_SOLID, SOMEONE = range(3)


@kernel
def straight_direction(facing: int, lean: int, first_left: bool) -> int:
    """The direction of the next straight step: of a corner the side whose turn it is (CD-25)."""
    if facing % 2 == 0:
        return facing // 2
    left = first_left if lean == 0 else lean < 0
    return (facing // 2 + (1 if left else 0)) % 6


@kernel
def corner_side(facing: int, direction: int) -> int:
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
    return straight_direction(facing, lean, variant % 2 == 1)


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
            lean = corner_side(car.facing, direction)
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
            lean = corner_side(car.facing, direction)
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
def distance_along(race: Race, behind: int, before: int) -> float:
    """How far the second hex lies before the first along the track, by the shorter way round."""
    lap = race.rules[0].lap
    distance = (race.cells[before].along - race.cells[behind].along) % lap
    return float(distance if distance <= lap / 2 else distance - lap)


ASIDE = 3
"""Poses are told apart up to so many times 30° off the lane."""
REACH = 8
"""Hexes of a phase, one more than the most: six and a Whip."""
ENDS = 3
BARE, HAZARD, FRAGILE, SOLID = 0, 1, 2, 3

Int32s = NDArray[np.int32]
Float32s = NDArray[np.float32]


class Ways(NamedTuple):
    """What a phase may lead to.

    node: the number of each pose (cell · 12 + facing), of the nearest one for a pose far astray;
    astray: how many times 30° that is off. cells, facings: of each number. order: the numbers from
    the last before the line back to the first behind it. past: of each cell, hexes since the line.
    ends: by node, hexes and way, where it ends, −1 for no such way. hazards, debris: what lies on
    it (dice of ratings with them). crossed: 1 if it leads over the line, −1 back over it.
    crash: by node and hexes, where it stands after running into what is solid, −1 if it never
    must. slides: by node, the cell that it slides to first (−1 for a wall; its own where it would
    slide over the line, as that is another lap).
    """

    node: Int32s
    astray: Int32s
    cells: Int32s
    facings: Int32s
    order: Int32s
    past: Float32s
    ends: Int32s
    hazards: Int32s
    hazard_ratings: Int32s
    debris: Int32s
    debris_ratings: Int32s
    crossed: Int32s
    crash: Int32s
    slides: Int32s


@kernel
def step(neighbour: Int32s, cell: int, facing: int, side: int) -> int:
    """The next cell straight on; at a corner to the side asked for (0 right, 1 left)."""
    if facing % 2 == 0:
        return neighbour[cell, facing // 2]
    return neighbour[cell, (facing // 2 + side) % 6]


@kernel
def walk(
    neighbour: Int32s, kind: Int32s, cell: int, facing: int, hexes: int, variant: int, path: Int32s
) -> int:
    """Fill the path of a variant and return how many of its hexes can be entered.

    Facing a side: 0 is straight, 1 + 2·i drifts right at step i, 2 + 2·i left. Facing a corner: 0
    begins to the right, 1 to the left.
    """
    for i in range(hexes):
        if facing % 2 == 0:
            way = facing // 2
            if variant > 0 and (variant - 1) // 2 == i:
                way += 5 if (variant - 1) % 2 == 0 else 1
            to = neighbour[cell, way % 6]
        else:
            to = neighbour[cell, (facing // 2 + (variant + i) % 2) % 6]
        if to < 0 or kind[to] == SOLID:
            return i
        path[i] = to
        cell = to
    return hexes


@kernel
def facing_difference(facing: int, heading: int) -> int:
    """How far apart two facings are, to the left positive, −5 to 6."""
    apart = (facing - heading) % 12
    return apart if apart <= 6 else apart - 12


@entry
def _fill(
    neighbour: Int32s,
    kind: Int32s,
    count: Int32s,
    rating: Int32s,
    heading: Int32s,
    past: Float32s,
    lap: float,
    node: Int32s,
    cells: Int32s,
    facings: Int32s,
    ends: Int32s,
    hazards: Int32s,
    hazard_ratings: Int32s,
    debris: Int32s,
    debris_ratings: Int32s,
    crossed: Int32s,
    crash: Int32s,
    slides: Int32s,
) -> None:
    path = np.zeros(REACH, np.int32)
    for at in range(len(cells)):
        cell, facing = cells[at], facings[at]
        to = step(neighbour, cell, facing, 0)
        slides[at] = -1 if to < 0 or kind[to] == SOLID else to
        if to >= 0 and abs(past[to] - past[cell]) > lap / 2:
            slides[at] = cell
        for hexes in range(1, REACH):
            variants = 2 if facing % 2 else 1 + 2 * hexes
            weight = np.full(ENDS, 1 << 20)
            furthest, stop = -1, cell
            for variant in range(variants):
                gone = walk(neighbour, kind, cell, facing, hexes, variant, path)
                if gone < hexes:
                    if gone > furthest:
                        furthest = gone
                        stop = cell if gone == 0 else path[gone - 1]
                    continue
                mud, waste, rough, broken = 0, 0, 0, 0
                for i in range(hexes):
                    if kind[path[i]] == HAZARD:
                        mud += 1
                        rough += rating[path[i]]
                    elif kind[path[i]] == FRAGILE:
                        waste += count[path[i]]
                        broken += rating[path[i]]
                heavy = 10 * (mud + waste) + rough + broken
                end = node[path[hexes - 1] * 12 + facing]
                place = 0
                if facing % 2:
                    place = variant
                elif variant:
                    place = 1 + (variant - 1) % 2
                if place > 0 and ends[at, hexes, 0] == end and weight[0] <= heavy:
                    continue
                if heavy >= weight[place]:
                    continue
                weight[place] = heavy
                ends[at, hexes, place] = end
                hazards[at, hexes, place] = mud
                hazard_ratings[at, hexes, place] = rough
                debris[at, hexes, place] = waste
                debris_ratings[at, hexes, place] = broken
                apart = past[path[hexes - 1]] - past[cell]
                over = 0
                if apart < -lap / 2:
                    over = 1
                elif apart > lap / 2:
                    over = -1
                crossed[at, hexes, place] = over
            if ends[at, hexes, 0] < 0 and ends[at, hexes, 1] < 0 and ends[at, hexes, 2] < 0:
                if abs(past[stop] - past[cell]) > lap / 2:
                    stop = cell
                crash[at, hexes] = _set_aside(neighbour, kind, heading, node, stop, facing)


@kernel
def _set_aside(
    neighbour: Int32s, kind: Int32s, heading: Int32s, node: Int32s, cell: int, facing: int
) -> int:
    """The pose after a collision with something solid: of those that let it on, the straightest."""
    best, least = -1, 99
    for turn in (0, 1, -1):
        to = (facing + turn) % 12
        if passable(neighbour, kind, cell, to):
            astray = abs(facing_difference(to, heading[cell]))
            if astray < least:
                best, least = to, astray
    if best < 0:
        for to in range(12):
            astray = abs(facing_difference(to, heading[cell]))
            if passable(neighbour, kind, cell, to) and astray < least:
                best, least = to, astray
    return node[cell * 12 + (best if best >= 0 else facing)]


@kernel
def passable(neighbour: Int32s, kind: Int32s, cell: int, facing: int) -> bool:
    """Whether some first step, a drift included, leads into a cell that can be entered."""
    if facing % 2:
        first, last = facing // 2, facing // 2 + 1
    else:
        first, last = facing // 2 - 1, facing // 2 + 1
    for way in range(first, last + 1):
        to = neighbour[cell, way % 6]
        if to >= 0 and kind[to] != SOLID:
            return True
    return False


def ways_of(
    neighbour: Int32s,
    kind: Int32s,
    count: Int32s,
    rating: Int32s,
    heading: Int32s,
    along: Float32s,
    line: float,
    lap: float,
) -> Ways:
    """The ways of a track given by its cells: neighbours (−1 a wall), what lies in each, the facing
    of its lane, how far along the lap it lies, where the line is and how long a lap is."""
    total = len(heading)
    past = np.asarray((along - line) % lap, np.float32)
    node = np.full(total * 12, -1, np.int32)
    astray = np.zeros(total * 12, np.int32)
    cells: list[int] = []
    facings: list[int] = []
    for cell in range(total):
        for apart in range(-ASIDE, ASIDE + 1):
            facing = (heading[cell] + apart) % 12
            node[cell * 12 + facing] = len(cells)
            cells.append(cell)
            facings.append(facing)
    for cell in range(total):
        for facing in range(12):
            apart = (facing - heading[cell]) % 12
            apart = apart if apart <= 6 else apart - 12
            if abs(apart) > ASIDE:
                near = ASIDE if apart > 0 else -ASIDE
                node[cell * 12 + facing] = node[cell * 12 + (heading[cell] + near) % 12]
                astray[cell * 12 + facing] = abs(apart) - ASIDE
    size = len(cells)
    cells_, facings_ = np.asarray(cells, np.int32), np.asarray(facings, np.int32)
    shape = (size, REACH, ENDS)
    ends = np.full(shape, -1, np.int32)
    hazards, rough, debris, broken, crossed = (np.zeros(shape, np.int32) for _ in range(5))
    crash = np.full((size, REACH), -1, np.int32)
    slides = np.full(size, -1, np.int32)
    order = np.argsort(-past[cells_], kind="stable").astype(np.int32)
    _fill(
        neighbour, kind, count, rating, heading, past, lap, node, cells_, facings_,
        ends, hazards, rough, debris, broken, crossed, crash, slides,
    )  # fmt: skip
    return Ways(
        node, astray, cells_, facings_, order, past,
        ends, hazards, rough, debris, broken, crossed, crash, slides,
    )  # fmt: skip
