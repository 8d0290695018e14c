"""Entering a hex: the lap, hazards, debris, runners, and every kind of collision (CD-50 to CD-61).

Nothing is rolled for control here: the rolls and what follows are put on the agenda.
"""

from __future__ import annotations

from gridpress_chariot_dash.race import agenda
from gridpress_chariot_dash.race.chance import modifier
from gridpress_chariot_dash.race.hexes import (
    FREE,
    SOMEONE,
    apart,
    is_ahead,
    leaning,
    there,
)
from gridpress_chariot_dash.race.kernel import kernel
from gridpress_chariot_dash.race.layout import (
    COLLISION_DICE,
    FASTEST,
    FLIES,
    FOX,
    SCORING,
    SPIKES,
    Race,
)
from gridpress_chariot_dash.race.marker import unsteady
from gridpress_chariot_dash.race.wear import damage, racing

HEAD_ON, INTO_SIDE, INTO_REAR, NUDGE, INTO_SOLID = range(5)
"""Kinds of collision; a nudge is into the rear of one that is not slower."""


@kernel
def half_up(number: int) -> int:
    """Half, rounded up: dice."""
    return (number + 1) // 2


@kernel
def credit(race: Race, v: int, other: int, hurt: int) -> None:
    """Damage that v suffered by another car (CD-7), −1 by none; who destroys the fox has it."""
    rules = race.rules[0]
    if other < 0:
        return
    if rules.kind == SCORING:
        race.cars[other].score += hurt * rules.points_per_damage
    elif rules.kind == FOX and v == rules.fox and race.cars[v].wrecked:
        race.cars[other].caught = v + 1


@kernel
def crash_dice(race: Race, v: int, other: int, dice: int) -> int:
    """A damage roll of a collision, with the spikes of the other one; the damage suffered."""
    if dice <= 0 or not racing(race, v):
        return 0
    extra = modifier(race, v, COLLISION_DICE)
    if other >= 0:
        extra += modifier(race, other, SPIKES)
    hurt = damage(race, v, dice, extra)
    credit(race, v, other, hurt)
    return hurt


@kernel
def meeting(race: Race, v: int, w: int, direction: int) -> int:
    """CD-57, CD-58: by the side of the other's hex through which the first would enter."""
    facing = race.cars[w].facing
    if is_ahead(facing, (direction + 3) % 6):
        return HEAD_ON
    if not is_ahead(facing, direction):
        return INTO_SIDE
    return INTO_REAR if race.cars[v].rating > race.cars[w].rating else NUDGE


@kernel
def dice_of(kind: int, speed: int, other: int) -> int:
    """Damage dice of each vehicle in a collision of this kind."""
    if kind == HEAD_ON:
        return speed + other
    if kind == INTO_REAR:
        return speed - other
    return 1 if kind == NUDGE else speed


@kernel
def _collide(race: Race, v: int, w: int, direction: int) -> None:
    """With a vehicle that races (CD-51): damage now, rolls and all else later."""
    car, other = race.cars[v], race.cars[w]
    kind = meeting(race, v, w, direction)
    dice = dice_of(kind, car.rating, other.rating)
    apart_by = car.rating - other.rating
    for one in (v, w):
        race.cars[one].collisions += 1
        race.cars[one].involved = 1
    car.left, car.halted, car.no_turn = 0, 1, 1
    if kind >= INTO_REAR and car.caught != race.rules[0].fox + 1:
        car.caught = w + 1
    hit_hurt = crash_dice(race, w, v, dice)
    own_hurt = crash_dice(race, v, w, dice)
    agenda.push(race, agenda.ASIDE, w, car.cell, direction, 0, v + 1, 0)
    agenda.push(race, agenda.ASIDE, v, other.cell, direction, 0, w + 1, 0)
    agenda.push(race, agenda.SHUNT, v, w, direction, 0, kind, apart_by)
    owner = agenda.push(race, agenda.AGAIN, v, w, direction, 0, 0, 0)
    if own_hurt and racing(race, v):
        agenda.push_roll(race, v, direction, 0, False, owner, w)
    if hit_hurt and racing(race, w):  # the one that was hit rolls first
        agenda.push_roll(race, w, direction, 0, False, owner, v)


@kernel
def _crash(race: Race, v: int, cell: int, direction: int) -> None:
    """Into a solid obstacle, a wreck or the wall (CD-55)."""
    car = race.cars[v]
    car.collisions += 1
    car.involved = 1
    car.left, car.halted, car.no_turn = 0, 1, 1
    rating = race.cells[cell].solid_rating if cell >= 0 else 0
    hurt = crash_dice(race, v, -1, car.rating + rating if car.rating > 0 else 0)
    what = cell if cell >= 0 else agenda.WALL
    agenda.push(race, agenda.ASIDE, v, cell, direction, 0, 0, 0)
    agenda.push(race, agenda.SHUNT, v, -1, direction, 0, INTO_SOLID, 0)
    owner = agenda.push(race, agenda.AGAIN, v, agenda.NOTHING, direction, 0, 0, 0)
    race.tasks[owner].c = what
    if hurt and racing(race, v):
        agenda.push_roll(race, v, direction, 0, False, owner, -1)


@kernel
def _low_things(race: Race, v: int, direction: int) -> None:
    """Hazards and fragile obstacles in the hex just entered: one control roll (CD-53, CD-54)."""
    car, cell = race.cars[v], race.cells[race.cars[v].cell]
    rules = race.rules[0]
    must_roll, heading = False, direction
    if cell.points and rules.kind == SCORING:
        car.score += cell.points
        cell.points = 0
    if cell.hazard:
        car.involved = 1
        unsteady(race, v, max(0, half_up(car.rating) + cell.hazard_rating))
        must_roll, heading = True, -1
    if cell.fragile or cell.runner:
        car.involved = 1
        car.collisions += 1
        markers = cell.fragile + (1 if cell.runner else 0)
        dice = half_up(car.rating) + markers - 1 + cell.fragile_rating if car.rating else 0
        if cell.runner:
            runner = race.runners[cell.runner - 1]
            if rules.kind == SCORING:
                car.score += runner.points
            runner.cell, cell.runner = -1, 0
        hurt = crash_dice(race, v, -1, dice)
        must_roll = must_roll or hurt > 0
        cell.fragile = max(0, cell.fragile - (hurt if rules.debris_each else 1))
        if cell.fragile == 0:
            cell.fragile_rating = 0
    if must_roll and racing(race, v):
        agenda.push_roll(race, v, heading, 0, False, -1, -1)


@kernel
def _cross(race: Race, v: int) -> None:
    """Laps; who has gone them all leaves the track."""
    rules, car = race.rules[0], race.cars[v]
    while car.progress >= rules.lap * (car.laps + 1):
        car.laps += 1
    if rules.kind in (FASTEST, SCORING) and 0 < rules.laps <= car.laps:
        car.finished = rules.race_round
        car.finish_order = rules.order
        if race.cells[car.cell].car == v:
            race.cells[car.cell].car = -1
        car.left, car.no_turn = 0, 1


@kernel
def enter(race: Race, v: int, direction: int, slides: bool, jumps: bool, owner: int) -> bool:
    """One hex that way. False if something was in it: the collision has happened.

    jumps: over the hex, so that nothing low in it counts. owner: the AGAIN of the collision of
    which this is the slide, −1 of none.
    """
    car = race.cars[v]
    race.rules[0].order += 1
    to = race.cells[car.cell].neighbour[direction]
    what = there(race, v, to, slides or car.left <= 1, jumps)
    if what != FREE:
        if owner >= 0:
            again = race.tasks[owner]
            hit = race.cells[to].car if to >= 0 else -1
            same_car = again.other >= 0 and hit in (again.car, again.other)
            if same_car or (again.other < 0 and again.c == (to if to >= 0 else agenda.WALL)):
                return False
        if what == SOMEONE:
            _collide(race, v, race.cells[to].car, direction)
        else:
            _crash(race, v, to, direction)
        return False
    here = race.cells[car.cell]
    if here.car == v:
        here.car = -1
    car.progress += apart(race, car.cell, to)
    if is_ahead(car.facing, direction):
        car.lean = leaning(car.facing, direction)
    car.cell = to
    car.spaces += 1
    car.moved += 1
    if race.cells[to].car < 0:
        race.cells[to].car = v
    _cross(race, v)
    if racing(race, v) and not jumps and not car.mods[FLIES] > 0:
        _low_things(race, v, direction)
    return True
