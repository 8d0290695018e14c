"""Ways over the hexes (CD-24): steps, obstacles, neighbours, and where a phase can end.

The ends of phases are worked out once for each track. A pose is a cell and one of twelve facings;
poses far off the lane count as the nearest one, at a price. A phase has up to three ends, since a
vehicle facing a corner chooses its first hex, and one facing a side may drift once.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gridpress_chariot_races.race.kernel import entry, kernel
from gridpress_chariot_races.race.layout import FLIES, Race

FREE, SOMETHING_SOLID, SOMEONE = range(3)


@kernel
def straight_direction(facing: int, lean: int, first_left: bool) -> int:
    """Return the direction of the next straight step (CD-25)."""
    if facing % 2 == 0:
        return facing // 2
    left = first_left if lean == 0 else lean < 0
    return (facing // 2 + (1 if left else 0)) % 6


@kernel
def corner_side(facing: int, direction: int) -> int:
    """Return which hex of a corner a direction leads to: 1 left, −1 right, 0 facing a side."""
    if facing % 2 == 0:
        return 0
    return -1 if direction == facing // 2 else 1


@kernel
def direction_of(variant: int, i: int, facing: int, lean: int) -> int:
    """Return the direction of step i of a variant, after the earlier steps.

    Variants are described at ORDER_DTYPE. Facing a corner, 2 + 2i and 3 + 2i are 0 and 1 with step
    i repeating its side (X-7).
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
    """Tell whether step i is the drift of the variant."""
    if facing % 2 == 0:
        return variant > 0 and (variant - 1) // 2 == i
    return variant >= 2 and (variant - 2) // 2 == i and lean != 0


@kernel
def variants(race: Race, v: int, hexes: int) -> int:
    """Return how many variants a car has for so many hexes."""
    car, rules = race.cars[v], race.rules
    free = car.drifts == 0 or rules.free_drifts or rules.more_drifts
    if car.facing % 2 == 0:
        return 1 + 2 * hexes if free else 1
    return 2 + 2 * hexes if free and rules.corner_drift else 2


@kernel
def there(race: Race, v: int, cell: int, last: bool, jumps: bool) -> int:
    """Return what a car would run into in a hex.

    A car that flies or jumps passes over what is low and over resting wrecks (CD-45), but does not
    land there.
    """
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
    """Return how many hexes of a way are clear.

    jumped: hexes jumped over from step `jump_at`, −1 for none.
    """
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
    """Tell whether a vehicle, not an obstacle, blocks a step."""
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
    """Tell whether a way may be chosen (CD-29): it is clear, or may ram a vehicle (X-5)."""
    clear = clear_for(race, v, variant, hexes, -1, 0)
    return clear == hexes or (rams and meets_someone(race, v, variant, clear))


@kernel
def has_way(race: Race, v: int, hexes: int, rams: bool) -> bool:
    """Tell whether any way may be chosen."""
    for variant in range(variants(race, v, hexes)):
        if may_go(race, v, variant, hexes, rams):
            return True
    return drifting(race, v, hexes) >= 0


@kernel
def drifting(race: Race, v: int, hexes: int) -> int:
    """Return the variant up to the first of several drifts (X-7), or −1 if none is clear."""
    car, rules = race.cars[v], race.rules
    corner = car.facing % 2
    if not (rules.free_drifts or rules.more_drifts) or (corner and not rules.corner_drift):
        return -1
    sides = 2 if corner else 3
    for way in range(sides**hexes):
        cell, lean, rest, first, left, i = car.cell, car.lean, way, -1, 0, 0
        while i < hexes:
            step = rest % sides  # from a corner right or left; from a side ahead, left or right
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
    """Return the direction to a neighbouring hex, or −1."""
    for direction in range(6):
        if other >= 0 and race.cells[cell].neighbour[direction] == other:
            return direction
    return -1


@kernel
def is_ahead(facing: int, direction: int) -> bool:
    """Tell whether a direction leads ahead: one of a side, two of a corner."""
    if facing % 2 == 0:
        return direction == facing // 2
    return direction in (facing // 2, (facing // 2 + 1) % 6)


@kernel
def is_beside(facing: int, direction: int) -> bool:
    """Tell whether a direction leads neither ahead nor behind (CD-38)."""
    return not is_ahead(facing, direction) and not is_ahead(facing, (direction + 3) % 6)


@kernel
def can_pass(race: Race, v: int, facing: int, blocked: int) -> bool:
    """Tell whether a car can turn past a blocked hex (CD-60), drifting included."""
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
    """Return how far the second hex is ahead along the lap, by the shorter way."""
    lap = race.rules.lap
    distance = (race.cells[before].along - race.cells[behind].along) % lap
    return float(distance if distance <= lap / 2 else distance - lap)


ASIDE = 3
"""Poses further off the lane than this, in steps of 30°, count as the nearest one."""
REACH = 8
"""Hexes of a phase, plus one: six and a Whip."""
ENDS = 3
BARE, HAZARD, FRAGILE, SOLID = 0, 1, 2, 3

Int32s = NDArray[np.int32]
Float32s = NDArray[np.float32]


class Ways(NamedTuple):
    """The ends and costs of phases, for any vehicle.

    node: number of each pose (cell · 12 + facing), or of the nearest one, which is `astray` steps
    of 30° away. cells, facings: by node. order: nodes backward from the line. past: hexes
    since the line by cell.

    By node, hexes and way: ends (−1 for no such way), hazards and debris on it with their ratings,
    crossed (1 over the line, −1 back). By node and hexes: crash, the node after running into
    something solid, or −1. By node: slides, the cell of a slide, −1 for a wall, its own cell where
    the driver may choose.
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
    """Return the next cell; at a corner to a side (0 right, 1 left)."""
    if facing % 2 == 0:
        return neighbour[cell, facing // 2]
    return neighbour[cell, (facing // 2 + side) % 6]


@kernel
def walk(
    neighbour: Int32s, kind: Int32s, cell: int, facing: int, hexes: int, variant: int, path: Int32s
) -> int:
    """Fill `path` with a variant and return how many of its hexes are clear.

    Variants are those of ORDER_DTYPE.
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
    """Return the turn from a heading to a facing, −5 to 6, left positive."""
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
    """Tell whether any first step, a drift included, is clear."""
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
    """Return the ways of a track, given by arrays over its cells."""
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
