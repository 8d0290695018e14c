"""Control rolls (CD-30 to CD-37) and all that waits on the agenda until it is settled."""

from __future__ import annotations

from gridpress_chariot_dash.dice import DAMAGE, HASTE, LEFT, RIGHT, SLIDE, SLOW
from gridpress_chariot_dash.race import agenda
from gridpress_chariot_dash.race import hooks as choices
from gridpress_chariot_dash.race.chance import modifier, roll
from gridpress_chariot_dash.race.entering import (
    HEAD_ON,
    INTO_REAR,
    INTO_SIDE,
    INTO_SOLID,
    NUDGE,
    crash_dice,
    credit,
    enter,
    half_up,
)
from gridpress_chariot_dash.race.hands import clear_order, play, play_after, roll_again
from gridpress_chariot_dash.race.hexes import can_pass, direction_to, straight
from gridpress_chariot_dash.race.kernel import kernel
from gridpress_chariot_dash.race.layout import (
    AT_CONTROL,
    AT_CONTROL_AFTER,
    CONTROL_DAMAGE_DICE,
    CONTROL_DICE,
    CONTROL_DISCARDS,
    CONTROL_REROLLS,
    GIVES_DICE,
    GIVES_DISCARDS,
    GIVES_DISCARDS_ICON,
    GIVES_HASTE_AS_SLOW,
    GIVES_REROLLS,
    GIVES_SLOW_AS_HASTE,
    LOSSES,
    MOST_DICE,
    ROLL_CONTROL,
    SLIDES_FURTHER,
    SPINS_FURTHER,
    Race,
)
from gridpress_chariot_dash.race.marker import brake, rate, speed_up, unsteady
from gridpress_chariot_dash.race.wear import damage, racing, tire, wipe_out


@kernel
def _icon(race: Race, v: int, n: int, turning: int) -> int:
    """What a die counts as: slow as haste if turning is above 0, haste as slow if below."""
    icon = race.rules[0].faces_icon[race.dice[v, n]]
    if turning > 0 and icon == SLOW:
        return HASTE
    if turning < 0 and icon == HASTE:
        return SLOW
    return int(icon)


@kernel
def _read(race: Race, v: int, turning: int) -> None:
    """The tally of icons; slow and haste re-read."""
    tally = race.orders[v].tally
    for icon in range(6):
        tally[icon] = 0
    for n in range(race.counts[v]):
        tally[_icon(race, v, n, turning)] += 1


@kernel
def _pair_off(race: Race, v: int) -> None:
    """Pairs of spins cost CLP, of slow and haste stamina (CD-32, steps 2 and 3); under X-2 their
    dice leave the table, before any is discarded."""
    tally = race.orders[v].tally
    spins = min(tally[LEFT], tally[RIGHT])
    tally[LEFT] -= spins
    tally[RIGHT] -= spins
    pairs = min(tally[SLOW], tally[HASTE])
    tally[SLOW] -= pairs
    tally[HASTE] -= pairs
    if race.rules[0].pairs_first:
        for icon, count in ((LEFT, spins), (RIGHT, spins), (SLOW, pairs), (HASTE, pairs)):
            _take_off(race, v, icon, count, 0)
    if race.rules[0].stamina:
        tire(race, v, pairs)
        pairs = 0
    unsteady(race, v, spins + pairs)


@kernel
def _discard(race: Race, v: int, turning: int, most: int) -> None:
    """Up to so many dice of the driver's mask leave the tally."""
    order = race.orders[v]
    for n in range(race.counts[v]):
        if most > 0 and (order.mask >> n) & 1:
            icon = _icon(race, v, n, turning)
            if order.tally[icon] > 0:
                order.tally[icon] -= 1
                most -= 1


@kernel
def dice_of(race: Race, v: int) -> int:
    """CD-31 without cards: control dice, CLP, and extra dice."""
    car = race.cars[v]
    return max(0, int(car.control[car.rating] + car.clp) + modifier(race, v, CONTROL_DICE))


@kernel
def _after_roll(race: Race, v: int) -> tuple[int, int]:
    """Re-rolls, then the cards that are played before discards: how slow and haste are read, and
    the icons, as bits, of which all dice are discarded (Cool)."""
    order, cooled = race.orders[v], 0
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
            if not race.rules[0].pairs_first:
                _take_off(race, v, order.icon, MOST_DICE, turning)
        order.gives[GIVES_SLOW_AS_HASTE], order.gives[GIVES_HASTE_AS_SLOW] = 0, 0
        order.gives[GIVES_DISCARDS_ICON] = 0
        order.card, order.icon = -1, -1
        choices.control_reread(race, v)
        playing = play_after(race, v, AT_CONTROL_AFTER)
    return int(turning), cooled


@kernel
def _take_off(race: Race, v: int, icon: int, most: int, turning: int) -> None:
    """Dice that count as an icon leave the table, so many at most."""
    kept = 0
    for n in range(race.counts[v]):
        if most > 0 and _icon(race, v, n, turning) == icon:
            most -= 1
        else:
            race.dice[v, kept] = race.dice[v, n]
            kept += 1
    race.counts[v] = kept


@kernel
def _control_roll(race: Race, t: int) -> None:
    """The roll of a task, up to its CLP and damage; slide, turn, spin and boxes on the agenda."""
    task, rules = race.tasks[t], race.rules[0]
    v, heading, turn, owner = task.car, task.heading, task.turn, task.owner
    attacking, jumped, by = task.a, task.d, task.by
    car, order = race.cars[v], race.orders[v]
    if not racing(race, v):
        return
    base = dice_of(race, v)
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
        agenda.push(race, agenda.FINISH, v, agenda.NOTHING, heading, turn, spin, boxes)
    if slides:
        _push_slide(race, v, heading, slides, most, owner)


@kernel
def _push_slide(race: Race, v: int, heading: int, hexes: int, icons: int, owner: int) -> None:
    at = agenda.push(race, agenda.SLIDE, v, agenda.NOTHING, heading, 0, 0, hexes)
    race.tasks[at].c, race.tasks[at].owner = icons, owner


@kernel
def _slide(race: Race, t: int) -> None:
    """A hex, and those after it: in the direction given, or its own next straight step, which the
    driver chooses while it has not moved in this phase (CD-35). What it hits ends it (CD-52)."""
    task = race.tasks[t]
    v, heading, hexes, icons, owner = task.car, task.heading, task.b, task.c, task.owner
    car = race.cars[v]
    if not racing(race, v) or hexes < 1:
        return
    rest = race.rules[0].tasks
    _push_slide(race, v, heading, hexes - 1, icons, owner)
    if heading < 0:
        left_first = False
        if car.facing % 2 and car.lean == 0:
            clear_order(race, v)
            choices.slide_side(race, v)
            left_first = race.orders[v].variant == 1
        heading = straight(car.facing, car.lean, left_first)
    moved, involved, collisions = car.moved, car.involved, car.collisions
    if not enter(race, v, heading, True, False, owner):
        race.tasks[rest].b = 0
        if owner >= 0 and car.collisions == collisions:  # into the same again (CD-61)
            again = race.tasks[owner]
            again.a, again.b = icons, again.a
    car.moved = min(car.moved, moved)
    car.involved = max(involved, car.involved)


@kernel
def _finish(race: Race, t: int) -> None:
    """The planned turn, the spin after it, and the boxes (CD-34)."""
    task = race.tasks[t]
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
    """The ratings after a collision, from the ratings then; a difference as at impact (CD-51)."""
    task = race.tasks[t]
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


@kernel
def _again(race: Race, t: int) -> None:
    """Each makes one more damage roll, with as many dice as slide icons (CD-61)."""
    task = race.tasks[t]
    v, w = task.car, task.other
    for dice in (task.b, task.a):  # both may have slid
        crash_dice(race, v, w, dice)
        if w >= 0:
            crash_dice(race, w, v, dice)


@kernel
def _turn_aside(race: Race, t: int) -> None:
    """CD-60: 30° if only that lets it pass; else speed 0 and any facing that will."""
    task = race.tasks[t]
    v, blocked = task.car, task.other
    car = race.cars[v]
    if task.a:  # it may stand elsewhere by now, or have left the track
        blocked = race.cars[task.a - 1].cell
        if race.cells[blocked].car != task.a - 1:
            return
    if not racing(race, v) or can_pass(race, v, car.facing, blocked):
        return
    if blocked >= 0 and direction_to(race, car.cell, blocked) < 0:
        return
    clear_order(race, v)
    order = race.orders[v]
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
def settle(race: Race) -> None:
    """Work off the agenda, the last first."""
    rules = race.rules[0]
    steps = 0
    while rules.tasks > 0:
        steps += 1
        rules.tasks -= 1
        rules.order += 1
        t = rules.tasks
        what = race.tasks[t].what
        if steps > 2000:  # no race has ever come near; better an end than none
            rules.tasks = 0
        elif what == agenda.ROLL:
            _control_roll(race, t)
        elif what == agenda.SLIDE:
            _slide(race, t)
        elif what == agenda.FINISH:
            _finish(race, t)
        elif what == agenda.SHUNT:
            _shunt(race, t)
        elif what == agenda.AGAIN:
            _again(race, t)
        else:
            _turn_aside(race, t)
