"""Entering a hex, collisions (CD-50 to CD-61) and control rolls (CD-30 to CD-37).

Control rolls and what follows from them are tasks on a stack: a roll caused by another is finished
first (CD-68), and no function calls itself.
"""

from __future__ import annotations

from gridpress_chariot_dash.dice import DAMAGE, HASTE, LEFT, RIGHT, SLIDE, SLOW

from gridpress_chariot_races.race import hooks as choices
from gridpress_chariot_races.race.car import (
    brake,
    clear_order,
    damage,
    play,
    play_after,
    racing,
    rate,
    roll_again,
    speed_up,
    tire,
    unsteady,
    wipe_out,
)
from gridpress_chariot_races.race.kernel import inlined, kernel
from gridpress_chariot_races.race.layout import (
    AT_CONTROL,
    AT_CONTROL_AFTER,
    COLLISION_DICE,
    CONTROL_DAMAGE_DICE,
    CONTROL_DICE,
    CONTROL_DISCARDS,
    CONTROL_REROLLS,
    FASTEST,
    FLIES,
    FOX,
    GIVES_DICE,
    GIVES_DISCARDS,
    GIVES_DISCARDS_ICON,
    GIVES_HASTE_AS_SLOW,
    GIVES_REROLLS,
    GIVES_SLOW_AS_HASTE,
    LOSSES,
    MOST_DICE,
    MOST_TASKS,
    ROLL_CONTROL,
    SCORING,
    SLIDES_FURTHER,
    SPIKES,
    SPINS_FURTHER,
    Race,
)
from gridpress_chariot_races.race.rolls import modifier, roll
from gridpress_chariot_races.race.ways import (
    FREE,
    SOMEONE,
    can_pass,
    corner_side,
    direction_to,
    distance_along,
    is_ahead,
    straight_direction,
    there,
)

TASK_ROLL, TASK_SLIDE, TASK_FINISH, TASK_AGAIN, TASK_SHUNT, TASK_ASIDE = range(6)
"""Tasks. TASK_ROLL is a control roll (a: from its own attack, d: damage dice of a jump).

TASK_SLIDE is a slide (b: hexes, c: icons); TASK_FINISH the turn, spin and boxes after it.
TASK_AGAIN is repeated damage from one obstacle (a, b: dice, c: not a car). TASK_SHUNT changes
ratings after a collision. TASK_ASIDE turns the car aside (a: number of the other car from 1, 0 for
anything else).
"""
WALL = -2
NOTHING = -1


@kernel
def push(
    race: Race, what: int, car: int, other: int, heading: int, turn: int, a: int, b: int
) -> int:
    """Put a task on the stack and return its number."""
    rules = race.rules
    at = rules.tasks
    if at >= MOST_TASKS:
        return at - 1
    task = race.rules.stack[at]
    task.what, task.car, task.other, task.heading = what, car, other, heading
    task.turn, task.a, task.b, task.c, task.d, task.owner, task.by = turn, a, b, 0, 0, -1, -1
    rules.tasks = at + 1
    return int(at)


@kernel
def push_roll(
    race: Race, car: int, heading: int, turn: int, attacking: bool, owner: int, by: int
) -> None:
    """Put a control roll on the stack.

    heading: direction of a slide, −1 for the car's own next step. attacking: True if it comes from
    the car's own attack (CD-43). owner: the `TASK_AGAIN` task, or −1. by: the car that caused it,
    or −1.
    """
    at = push(race, TASK_ROLL, car, NOTHING, heading, turn, 1 if attacking else 0, 0)
    race.rules.stack[at].owner, race.rules.stack[at].by = owner, by


HEAD_ON, INTO_SIDE, INTO_REAR, NUDGE, INTO_SOLID = range(5)
"""Kinds of collision; a nudge hits the rear of a car that is not slower."""


@kernel
def half_up(number: int) -> int:
    """Halve, rounding up."""
    return (number + 1) // 2


@kernel
def credit(race: Race, v: int, other: int, hurt: int) -> None:
    """Credit another car with damage to v (CD-7) and with the end of the fox."""
    rules = race.rules
    if other < 0:
        return
    if rules.kind == SCORING:
        race.cars[other].score += hurt * rules.points_per_damage
    elif rules.kind == FOX and v == rules.fox and race.cars[v].wrecked:
        race.cars[other].caught = v + 1


@kernel
def crash_dice(race: Race, v: int, other: int, dice: int) -> int:
    """Roll damage of a collision with the other car's spikes, and return it."""
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
    """Return the kind of collision (CD-57, CD-58) by the side of the hex entered."""
    facing = race.cars[w].facing
    if is_ahead(facing, (direction + 3) % 6):
        return HEAD_ON
    if not is_ahead(facing, direction):
        return INTO_SIDE
    return INTO_REAR if race.cars[v].rating > race.cars[w].rating else NUDGE


@kernel
def damage_dice(kind: int, speed: int, other: int) -> int:
    """Return the damage dice of each vehicle in a collision."""
    if kind == HEAD_ON:
        return speed + other
    if kind == INTO_REAR:
        return speed - other
    return 1 if kind == NUDGE else speed


@kernel
def _collide(race: Race, v: int, w: int, direction: int) -> None:
    """Collide with a racing vehicle (CD-51): damage now, everything else as tasks."""
    car, other = race.cars[v], race.cars[w]
    kind = meeting(race, v, w, direction)
    dice = damage_dice(kind, car.rating, other.rating)
    apart_by = car.rating - other.rating
    for one in (v, w):
        race.cars[one].collisions += 1
        race.cars[one].involved = 1
    car.left, car.halted, car.no_turn = 0, 1, 1
    if kind >= INTO_REAR and car.caught != race.rules.fox + 1:
        car.caught = w + 1
    hit_hurt = crash_dice(race, w, v, dice)
    own_hurt = crash_dice(race, v, w, dice)
    push(race, TASK_ASIDE, w, car.cell, direction, 0, v + 1, 0)
    push(race, TASK_ASIDE, v, other.cell, direction, 0, w + 1, 0)
    push(race, TASK_SHUNT, v, w, direction, 0, kind, apart_by)
    owner = push(race, TASK_AGAIN, v, w, direction, 0, 0, 0)
    if own_hurt and racing(race, v):
        push_roll(race, v, direction, 0, False, owner, w)
    if hit_hurt and racing(race, w):  # the car hit rolls first
        push_roll(race, w, direction, 0, False, owner, v)


@inlined
def _crash(race: Race, v: int, cell: int, direction: int) -> None:
    """Collide with a solid obstacle, a wreck or the wall (CD-55)."""
    car = race.cars[v]
    car.collisions += 1
    car.involved = 1
    car.left, car.halted, car.no_turn = 0, 1, 1
    rating = race.cells[cell].solid_rating if cell >= 0 else 0
    hurt = crash_dice(race, v, -1, car.rating + rating if car.rating > 0 else 0)
    what = cell if cell >= 0 else WALL
    push(race, TASK_ASIDE, v, cell, direction, 0, 0, 0)
    push(race, TASK_SHUNT, v, -1, direction, 0, INTO_SOLID, 0)
    owner = push(race, TASK_AGAIN, v, NOTHING, direction, 0, 0, 0)
    race.rules.stack[owner].c = what
    if hurt and racing(race, v):
        push_roll(race, v, direction, 0, False, owner, -1)


@kernel
def _low_things(race: Race, v: int, direction: int) -> None:
    """Roll once for the hazards and fragile obstacles in the hex (CD-53, CD-54)."""
    car, cell = race.cars[v], race.cells[race.cars[v].cell]
    rules = race.rules
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
            runner = race.rules.runner[cell.runner - 1]
            if rules.kind == SCORING:
                car.score += runner.points
            runner.cell, cell.runner = -1, 0
        hurt = crash_dice(race, v, -1, dice)
        must_roll = must_roll or hurt > 0
        cell.fragile = max(0, cell.fragile - (hurt if rules.debris_each else 1))
        if cell.fragile == 0:
            cell.fragile_rating = 0
    if must_roll and racing(race, v):
        push_roll(race, v, heading, 0, False, -1, -1)


@kernel
def _cross(race: Race, v: int) -> None:
    rules, car = race.rules, race.cars[v]
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
    """Move one hex and return False if something was in the way.

    jumps: True if the car jumps over low things. owner: the `TASK_AGAIN` task of this slide, or −1.
    """
    car = race.cars[v]
    race.rules.order += 1
    to = race.cells[car.cell].neighbour[direction]
    what = there(race, v, to, slides or car.left <= 1, jumps)
    if what != FREE:
        if owner >= 0:
            again = race.rules.stack[owner]
            hit = race.cells[to].car if to >= 0 else -1
            same_car = again.other >= 0 and hit in (again.car, again.other)
            if same_car or (again.other < 0 and again.c == (to if to >= 0 else WALL)):
                return False
        if what == SOMEONE:
            _collide(race, v, race.cells[to].car, direction)
        else:
            _crash(race, v, to, direction)
        return False
    here = race.cells[car.cell]
    if here.car == v:
        here.car = -1
    car.progress += distance_along(race, car.cell, to)
    if is_ahead(car.facing, direction):
        car.lean = corner_side(car.facing, direction)
    car.cell = to
    car.spaces += 1
    car.moved += 1
    if race.cells[to].car < 0:
        race.cells[to].car = v
    _cross(race, v)
    if racing(race, v) and not jumps and not car.mods[FLIES] > 0:
        _low_things(race, v, direction)
    return True


@kernel
def _icon(race: Race, v: int, n: int, turning: int) -> int:
    icon = race.rules.faces_icon[race.cars[v].dice[n]]
    if turning > 0 and icon == SLOW:
        return HASTE
    if turning < 0 and icon == HASTE:
        return SLOW
    return int(icon)


@kernel
def _read(race: Race, v: int, turning: int) -> None:
    tally = race.cars[v].order.tally
    for icon in range(6):
        tally[icon] = 0
    for n in range(race.cars[v].count):
        tally[_icon(race, v, n, turning)] += 1


@kernel
def _pair_off(race: Race, v: int) -> None:
    """Cancel pairs: spins cost CLP, slow and haste cost stamina (CD-32).

    Under X-2 their dice go before any are discarded.
    """
    tally = race.cars[v].order.tally
    spins = min(tally[LEFT], tally[RIGHT])
    tally[LEFT] -= spins
    tally[RIGHT] -= spins
    pairs = min(tally[SLOW], tally[HASTE])
    tally[SLOW] -= pairs
    tally[HASTE] -= pairs
    if race.rules.pairs_first:
        for icon, count in ((LEFT, spins), (RIGHT, spins), (SLOW, pairs), (HASTE, pairs)):
            _take_off(race, v, icon, count, 0)
    if race.rules.stamina:
        tire(race, v, pairs)
        pairs = 0
    unsteady(race, v, spins + pairs)


@kernel
def _discard(race: Race, v: int, turning: int, most: int) -> None:
    order = race.cars[v].order
    for n in range(race.cars[v].count):
        if most > 0 and (order.mask >> n) & 1:
            icon = _icon(race, v, n, turning)
            if order.tally[icon] > 0:
                order.tally[icon] -= 1
                most -= 1


@kernel
def control_dice_of(race: Race, v: int) -> int:
    """Return the control dice without cards (CD-31)."""
    car = race.cars[v]
    return max(0, int(car.control[car.rating] + car.clp) + modifier(race, v, CONTROL_DICE))


@kernel
def _after_roll(race: Race, v: int) -> tuple[int, int]:
    """Re-roll and play cards before discards.

    Returns how slow and haste are read, and the icons, as bits, that are discarded.
    """
    order, cooled = race.cars[v].order, 0
    turning, rerolls = race.cars[v].turning, modifier(race, v, CONTROL_REROLLS)
    order.mask, order.card, order.rerolls = 0, -1, rerolls + order.gives[GIVES_REROLLS]
    choices.control_reroll(race, v)
    roll_again(race, v, ROLL_CONTROL, rerolls, AT_CONTROL_AFTER)
    playing = True
    while playing:
        if order.gives[GIVES_SLOW_AS_HASTE] > 0:
            turning = 1
        if order.gives[GIVES_HASTE_AS_SLOW] > 0:
            turning = -1
        if order.gives[GIVES_DISCARDS_ICON] > 0 and order.icon >= 0:
            cooled |= 1 << order.icon
            if not race.rules.pairs_first:
                _take_off(race, v, order.icon, MOST_DICE, turning)
        order.gives[GIVES_SLOW_AS_HASTE], order.gives[GIVES_HASTE_AS_SLOW] = 0, 0
        order.gives[GIVES_DISCARDS_ICON] = 0
        order.card, order.icon = -1, -1
        choices.control_reread(race, v)
        playing = play_after(race, v, AT_CONTROL_AFTER)
    return int(turning), cooled


@kernel
def _take_off(race: Race, v: int, icon: int, most: int, turning: int) -> None:
    kept = 0
    for n in range(race.cars[v].count):
        if most > 0 and _icon(race, v, n, turning) == icon:
            most -= 1
        else:
            race.cars[v].dice[kept] = race.cars[v].dice[n]
            kept += 1
    race.cars[v].count = kept


@kernel
def _control_roll(race: Race, t: int) -> None:
    """Make the roll of a task with its CLP and damage, and put the rest on the stack."""
    task, rules = race.rules.stack[t], race.rules
    v, heading, turn, owner = task.car, task.heading, task.turn, task.owner
    attacking, jumped, by = task.a, task.d, task.by
    car, order = race.cars[v], race.cars[v].order
    if not racing(race, v):
        return
    base = control_dice_of(race, v)
    clear_order(race, v)
    order.turn, order.hexes = turn, base
    rolled = 0
    if base > 0:
        choices.control_cards(race, v)
        cards = play(race, v, AT_CONTROL, 0)
        free = modifier(race, v, CONTROL_DISCARDS) + order.gives[GIVES_DISCARDS]
        rolled = roll(race, v, ROLL_CONTROL, base + cards + free + order.gives[GIVES_DICE])
        car.rolls += 1
        turning, cooled = _after_roll(race, v)
        _read(race, v, turning)
        if rules.pairs_first:
            _pair_off(race, v)
            for icon in range(6):
                if (cooled >> icon) & 1:
                    _take_off(race, v, icon, MOST_DICE, turning)
            _read(race, v, turning)
        order.mask, order.hexes, order.icon = 0, cards + free, turning
        if order.hexes > 0:
            choices.control_discard(race, v)
            _discard(race, v, turning, cards + free)
        if not rules.pairs_first:
            _pair_off(race, v)
    tally = order.tally
    if rolled == 0:
        for icon in range(6):
            tally[icon] = 0
    if rules.damage_ignored:
        tally[DAMAGE] = 0
    most = 0
    for icon in range(6):
        most = max(most, tally[icon])
    spin, boxes, slides, hurts = 0, 0, 0, 0
    if most > 0:
        if attacking:
            car.left, car.halted, car.no_turn = 0, 1, 1
        for icon in range(6):
            if tally[icon] == most:
                unsteady(race, v, 1)
        if tally[SLIDE] == most:
            slides = 1 + max(0, min(most, modifier(race, v, SLIDES_FURTHER)))
        if tally[LEFT] == most:
            spin = 1 + max(0, min(most, modifier(race, v, SPINS_FURTHER)))
        if tally[RIGHT] == most:
            spin = -1 - max(0, min(most, modifier(race, v, SPINS_FURTHER)))
        if tally[HASTE] == most:
            boxes = most
        if tally[SLOW] == most:
            boxes = -most
        if tally[DAMAGE] == most:
            hurts = most
        if slides or spin or hurts:
            if car.lost < LOSSES:
                car.lost_at[car.lost] = car.cell
            car.lost += 1
        alone = hurts and not slides and not spin and not boxes
        if rules.instant and alone and hurts >= rules.instant_icons:
            wipe_out(race, v)
            credit(race, v, by, 0)
            return
        if hurts and rules.damage_as_clp:
            unsteady(race, v, hurts)
            hurts = 0
    if hurts or jumped:
        less = modifier(race, v, CONTROL_DAMAGE_DICE) if hurts else 0
        hurt = damage(race, v, hurts + jumped, max(-hurts, less) if jumped else less)
        credit(race, v, by, hurt)
    if not racing(race, v):
        return
    if turn or spin or boxes:
        push(race, TASK_FINISH, v, NOTHING, heading, turn, spin, boxes)
    if slides:
        _push_slide(race, v, heading, slides, most, owner)


@kernel
def _push_slide(race: Race, v: int, heading: int, hexes: int, icons: int, owner: int) -> None:
    at = push(race, TASK_SLIDE, v, NOTHING, heading, 0, 0, hexes)
    race.rules.stack[at].c, race.rules.stack[at].owner = icons, owner


@inlined
def _slide(race: Race, t: int) -> None:
    """Slide hex by hex until something is hit (CD-35, CD-52)."""
    task = race.rules.stack[t]
    v, heading, hexes, icons, owner = task.car, task.heading, task.b, task.c, task.owner
    car = race.cars[v]
    if not racing(race, v) or hexes < 1:
        return
    rest = race.rules.tasks
    _push_slide(race, v, heading, hexes - 1, icons, owner)
    if heading < 0:
        left_first = False
        if car.facing % 2 and car.lean == 0:
            clear_order(race, v)
            choices.slide_side(race, v)
            left_first = race.cars[v].order.variant == 1
        heading = straight_direction(car.facing, car.lean, left_first)
    moved, involved, collisions = car.moved, car.involved, car.collisions
    if not enter(race, v, heading, True, False, owner):
        race.rules.stack[rest].b = 0
        if owner >= 0 and car.collisions == collisions:  # hitting the same obstacle again (CD-61)
            again = race.rules.stack[owner]
            again.a, again.b = icons, again.a
    car.moved = min(car.moved, moved)
    car.involved = max(involved, car.involved)


@kernel
def _finish(race: Race, t: int) -> None:
    """Make the planned turn, the spin and the boxes (CD-34)."""
    task = race.rules.stack[t]
    v, by, boxes = task.car, task.turn + task.a, task.b
    car = race.cars[v]
    if not racing(race, v):
        return
    if by:
        car.facing = (car.facing + by) % 12
        car.lean = 0
    if boxes > 0:
        speed_up(race, v, boxes, False)
    elif boxes < 0:
        brake(race, v, -boxes)


@kernel
def _shunt(race: Race, t: int) -> None:
    """Change ratings after a collision, by the difference at impact (CD-51)."""
    task = race.rules.stack[t]
    v, w, kind, by = task.car, task.other, task.a, task.b
    car = race.cars[v]
    if kind in (HEAD_ON, INTO_SIDE, INTO_SOLID):
        rate(race, v, car.rating // 2)
    if kind == HEAD_ON:
        rate(race, w, race.cars[w].rating // 2)
    elif kind == INTO_REAR:
        rate(race, v, car.rating - half_up(by))
        rate(race, w, race.cars[w].rating + half_up(by))
    elif kind == NUDGE:
        rate(race, v, car.rating - 1)


@inlined
def _again(race: Race, t: int) -> None:
    """Roll damage again for both, one die for each slide icon (CD-61)."""
    task = race.rules.stack[t]
    v, w = task.car, task.other
    for dice in (task.b, task.a):  # both may have slid
        crash_dice(race, v, w, dice)
        if w >= 0:
            crash_dice(race, w, v, dice)


@kernel
def _turn_aside(race: Race, t: int) -> None:
    """Turn aside (CD-60): 30° if that is enough, else to speed 0 and any facing that works."""
    task = race.rules.stack[t]
    v, blocked = task.car, task.other
    car = race.cars[v]
    if task.a:  # it may have moved or left the track since
        blocked = race.cars[task.a - 1].cell
        if race.cells[blocked].car != task.a - 1:
            return
    if not racing(race, v) or can_pass(race, v, car.facing, blocked):
        return
    if blocked >= 0 and direction_to(race, car.cell, blocked) < 0:
        return
    clear_order(race, v)
    order = race.cars[v].order
    near = 0
    for facing in range(12):
        off = (facing - car.facing) % 12
        if off in (1, 11) and can_pass(race, v, facing, blocked):
            near |= 1 << facing
    any_will = near
    if not near:
        rate(race, v, 0)
        for facing in range(12):
            if can_pass(race, v, facing, blocked):
                any_will |= 1 << facing
    order.mask = any_will if any_will else 4095
    choices.aside(race, v)
    if 0 <= order.facing < 12 and (order.mask >> order.facing) & 1:
        car.facing, car.lean = order.facing, 0


@kernel
def work_off_tasks(race: Race) -> None:
    """Work off the stack of tasks, the last one first."""
    rules = race.rules
    steps = 0
    while rules.tasks > 0:
        steps += 1
        rules.tasks -= 1
        rules.order += 1
        t = rules.tasks
        what = race.rules.stack[t].what
        if steps > 2000:  # a guard: no race comes near this
            rules.tasks = 0
        elif what == TASK_ROLL:
            _control_roll(race, t)
        elif what == TASK_SLIDE:
            _slide(race, t)
        elif what == TASK_FINISH:
            _finish(race, t)
        elif what == TASK_SHUNT:
            _shunt(race, t)
        elif what == TASK_AGAIN:
            _again(race, t)
        else:
            _turn_aside(race, t)
