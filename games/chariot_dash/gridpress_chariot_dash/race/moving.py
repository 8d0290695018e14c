"""A phase: the order of moves, the card, the way hex by hex, the turn (CD-22 to CD-29)."""

from __future__ import annotations

from gridpress_chariot_dash.race import agenda
from gridpress_chariot_dash.race import hooks as choices
from gridpress_chariot_dash.race.attacks import attack_all
from gridpress_chariot_dash.race.chance import value
from gridpress_chariot_dash.race.control import settle
from gridpress_chariot_dash.race.entering import enter, half_up
from gridpress_chariot_dash.race.hands import clear_order, counts_as, in_hand, spend
from gridpress_chariot_dash.race.hexes import (
    SOMEONE,
    clear_for,
    direction_of,
    has_clear_way,
    is_drift,
    there,
    variants,
)
from gridpress_chariot_dash.race.kernel import kernel
from gridpress_chariot_dash.race.layout import (
    AMBUSHES,
    AT_MOVEMENT,
    CARDS,
    GIVES_RAMS,
    GIVES_STOPS,
    GROUNDED,
    HAND,
    LEAPS,
    REINS,
    WHIP,
    Race,
)
from gridpress_chariot_dash.race.marker import is_safe, rate, unsteady
from gridpress_chariot_dash.race.wear import racing


@kernel
def _goes_before(race: Race, v: int, w: int) -> bool:
    """CD-23: higher rating, then who is ahead, then nearer the inside; else they have drawn."""
    car, other = race.cars[v], race.cars[w]
    if car.rating != other.rating:
        return bool(car.rating > other.rating)
    if abs(car.progress - other.progress) > 1e-6:
        return bool(car.progress > other.progress)
    return bool(race.cells[car.cell].inside < race.cells[other.cell].inside)


@kernel
def order_of_moves(race: Race) -> int:
    """Who moves in this phase, first to last, in `race.ahead`; how many."""
    count = 0
    for v in range(race.rules[0].cars):
        if not racing(race, v):
            continue
        at = count
        while at > 0:
            w = race.ahead[at - 1]
            if not _goes_before(race, v, w) and (
                _goes_before(race, w, v) or value(race, v) <= value(race, w)
            ):
                break
            race.ahead[at] = w
            at -= 1
        race.ahead[at] = v
        count += 1
    return count


@kernel
def _play_movement(race: Race, v: int, base: int) -> int:
    """The hexes of this phase, with the card that the driver plays, or must (CD-27, CD-29)."""
    car, order = race.cars[v], race.orders[v]
    clear_order(race, v)
    car.left = base
    choices.movement(race, v)
    card, use, fewer = order.card, order.use, max(0, min(base, order.hexes))
    if not counts_as(race, v, card, use, AT_MOVEMENT) or (use == REINS and base < 1):
        card = -1
    hexes, rams, stops = base, False, 0
    gives = race.vehicles[car.vehicle].gives
    if card >= 0:
        if use == WHIP:
            hexes += 1
        elif use == REINS:
            hexes -= 1
        elif gives[card, GIVES_RAMS]:
            hexes, rams = hexes + 1, True
        elif gives[card, GIVES_STOPS]:
            hexes, stops = hexes - fewer, fewer
    wanted = rams or race.rules[0].deliberate
    if hexes > 0 and not wanted and not has_clear_way(race, v, hexes):
        other = in_hand(race, v, REINS, AT_MOVEMENT)
        whip = in_hand(race, v, WHIP, AT_MOVEMENT)
        if card >= 0 and has_clear_way(race, v, base):
            card, hexes, stops = -1, base, 0
        elif base > 0 and other >= 0 and (base == 1 or has_clear_way(race, v, base - 1)):
            card, use, hexes, stops = other, REINS, base - 1, 0
        elif whip >= 0 and has_clear_way(race, v, base + 1):
            card, use, hexes, stops = whip, WHIP, base + 1, 0
    if card >= 0:
        spend(race, v, card, use)
    car.rams, car.stops = rams, stops
    return hexes


@kernel
def _way(race: Race, v: int) -> None:
    """The driver's way, or one that is clear where there is one (CD-29)."""
    car, order, rules = race.cars[v], race.orders[v], race.rules[0]
    clear_order(race, v)
    choices.path(race, v)
    count = variants(race, v, car.left)
    order.variant = max(0, min(count - 1, order.variant))
    clear = clear_for(race, v, order.variant, car.left)
    if clear == car.left:
        return
    if (rules.deliberate or car.rams) and _meets_someone(race, v, order.variant, clear):
        return
    for variant in range(count):
        if clear_for(race, v, variant, car.left) == car.left:
            order.variant = variant
            return


@kernel
def _meets_someone(race: Race, v: int, variant: int, at: int) -> bool:
    """Whether what is in the way at a step is a vehicle, not an obstacle."""
    car = race.cars[v]
    cell, lean, facing = car.cell, car.lean, car.facing
    for i in range(at + 1):
        direction = direction_of(variant, i, facing, lean)
        if facing % 2:
            lean = -1 if direction == facing // 2 else 1
        cell = race.cells[cell].neighbour[direction]
        if cell < 0:
            return False
    return bool(there(race, v, cell, True) == SOMEONE)


@kernel
def _sneak(race: Race, v: int) -> None:
    """Others who may attack in this car's move (Sneaky)."""
    for w in range(race.rules[0].cars):
        if w != v and race.cars[w].mods[AMBUSHES] > 0 and racing(race, w) and racing(race, v):
            attack_all(race, w, False, v)


@kernel
def _can_jump(race: Race, v: int, left: int) -> bool:
    car, order, rules = race.cars[v], race.orders[v], race.rules[0]
    if not rules.jumps or car.jumped or car.mods[GROUNDED] > 0 or order.jump_card < 0:
        return False
    c = order.jump_card
    held = c < min(CARDS, race.vehicles[car.vehicle].cards) and car.pile[c] == HAND
    return bool(held and left >= 2 and order.variant <= 1)


@kernel
def _go(race: Race, v: int) -> None:
    """The hexes of the phase one by one, attacks between them; asked anew when turned aside."""
    car, order, rules = race.cars[v], race.orders[v], race.rules[0]
    while car.left > 0 and not car.halted and racing(race, v):
        _way(race, v)
        variant, jump_at, i = order.variant, order.jump_at, 0
        jumping, landing = 0, False
        can_jump = _can_jump(race, v, car.left)
        jump_card = order.jump_card
        facing, expected = car.facing, car.cell
        while car.left > 0 and not car.halted and racing(race, v):
            if car.facing != facing or car.cell != expected:
                break
            direction = direction_of(variant, i, facing, car.lean)
            drift = is_drift(variant, i, facing, car.lean)
            lean = car.lean
            if can_jump and i == jump_at and car.left >= 2:
                spend(race, v, jump_card, WHIP)
                jumping = min(1 + (1 if car.mods[LEAPS] > 0 else 0), car.left - 1)
                car.jumped = 1
            in_air = jumping > 0
            left = car.left
            to = race.cells[car.cell].neighbour[direction]
            entered = enter(race, v, direction, False, in_air, -1)
            if drift and facing % 2 == 0:
                car.lean = lean
            if entered:
                car.left = max(0, left - 1) if not car.finished and not car.wrecked else 0
            if drift:
                car.drifts += 1
                if car.drifts > 1 and rules.more_drifts and not rules.free_drifts:
                    agenda.push_roll(race, v, direction, 0, True, False, -1)
            if in_air:
                jumping -= 1
                landing = jumping == 0
            elif landing and entered:
                landing = False
                if racing(race, v):
                    _land(race, v, direction)
            settle(race)
            if entered:
                expected = to
            if racing(race, v) and not car.halted and entered:
                attack_all(race, v, True, -1)
                _sneak(race, v)
            i += 1
            if drift and (rules.free_drifts or rules.more_drifts):
                break


@kernel
def _land(race: Race, v: int, direction: int) -> None:
    """After a jump, where it lands: a control roll, whose damage is rolled with the jump's."""
    at = agenda.push(race, agenda.ROLL, v, agenda.NOTHING, direction, 0, 1, 0)
    race.tasks[at].owner = -1
    race.tasks[at].d = half_up(race.cars[v].rating)


@kernel
def drive(race: Race, v: int, phase: int) -> None:
    """A car's move in a phase."""
    car = race.cars[v]
    base = race.vehicles[car.vehicle].moves[car.rating, phase]
    car.lean, car.halted, car.no_turn = 0, 0, 0
    car.moved = 0
    hexes = _play_movement(race, v, base)
    car.hexes, car.left = hexes, hexes
    if hexes > 0:
        attack_all(race, v, True, -1)
        _sneak(race, v)
        _go(race, v)
    if not racing(race, v) or car.no_turn or car.moved < 1:
        return
    clear_order(race, v)
    choices.turn_at_end(race, v)
    turn = max(-1, min(1, race.orders[v].turn))
    if turn == 0:
        return
    car.had_turn = 1
    if is_safe(race, v):
        car.facing = (car.facing + turn) % 12
        car.lean = 0
    else:
        agenda.push_roll(race, v, -1, turn, False, False, -1)
        settle(race)


@kernel
def begin_phase(race: Race, v: int) -> None:
    """Nothing has happened in this phase yet."""
    car = race.cars[v]
    car.hexes, car.left, car.moved, car.had_turn, car.drifts, car.jumped = 0, 0, 0, 0, 0, 0
    car.involved, car.halted, car.no_turn, car.rams, car.stops, car.lean = 0, 0, 0, 0, 0, 0


@kernel
def end_phase(race: Race, v: int) -> None:
    """CD-28: a straight and quiet phase takes 1 CLP away; the ratings of an Emergency Stop."""
    car = race.cars[v]
    quiet = not (car.drifts or car.jumped or car.had_turn or car.involved)
    if car.moved > 0 and quiet:
        unsteady(race, v, -1)
    if car.stops:
        rate(race, v, car.rating - car.stops)
