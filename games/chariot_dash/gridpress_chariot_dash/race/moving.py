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
    clear_for,
    direction_of,
    drifting,
    has_way,
    is_drift,
    may_go,
    variants,
)
from gridpress_chariot_dash.race.kernel import kernel
from gridpress_chariot_dash.race.layout import (
    AMBUSHES,
    AT_MOVEMENT,
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
def order_of_moves(race: Race, wrecks: bool) -> int:
    """Who moves in this phase, first to last, in `race.ahead`; how many. wrecks: those that roll on
    in this round, as far ahead as they were destroyed (CD-49, CD-68)."""
    count = 0
    for v in range(race.rules[0].cars):
        car = race.cars[v]
        rolls = car.wrecked > 0 and not car.rests and car.wrecked < race.rules[0].race_round
        if not (rolls if wrecks else racing(race, v)):
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
    deliberate = race.rules[0].deliberate > 0
    hexes, rams, stops = base, deliberate, 0
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
    if hexes > 0 and not has_way(race, v, hexes, rams):
        other = in_hand(race, v, REINS, AT_MOVEMENT)
        whip = in_hand(race, v, WHIP, AT_MOVEMENT)
        if card >= 0 and has_way(race, v, base, deliberate):
            card, hexes, rams, stops = -1, base, deliberate, 0
        elif base > 0 and other >= 0 and (base == 1 or has_way(race, v, base - 1, deliberate)):
            card, use, hexes, rams, stops = other, REINS, base - 1, deliberate, 0
        elif whip >= 0 and has_way(race, v, base + 1, deliberate):
            card, use, hexes, rams, stops = whip, WHIP, base + 1, deliberate, 0
    if card >= 0:
        spend(race, v, card, use)
    car.rams, car.stops = 1 if rams else 0, stops
    return hexes


@kernel
def _way(race: Race, v: int) -> None:
    """The driver's way, and how many hexes its jump clears; where it is not clear another one that
    is, if there is one (CD-29)."""
    car, order = race.cars[v], race.orders[v]
    clear_order(race, v)
    choices.path(race, v)
    count = variants(race, v, car.left)
    order.variant = max(0, min(count - 1, order.variant))
    order.hexes = _jumped(race, v)
    clear = clear_for(race, v, order.variant, car.left, order.jump_at, order.hexes)
    if clear == car.left or may_go(race, v, order.variant, car.left, car.rams > 0):
        return
    for rams in range(1 + car.rams):
        for variant in range(count):
            if may_go(race, v, variant, car.left, rams > 0):
                order.variant, order.hexes = variant, 0
                return
        several = -1 if rams else drifting(race, v, car.left)
        if several >= 0:
            order.variant, order.hexes = several, 0
            return


@kernel
def _jumped(race: Race, v: int) -> int:
    """How many hexes the jump of the order may clear, of a way straight on; 0: it may not be."""
    car, order = race.cars[v], race.orders[v]
    if not race.rules[0].jumps or car.jumped or car.mods[GROUNDED] > 0:
        return 0
    c, straight_on = order.jump_card, order.variant == 0 or (car.facing % 2 and order.variant == 1)
    held = 0 <= c < race.vehicles[car.vehicle].cards and car.pile[c] == HAND
    if not held or not straight_on or not 0 <= order.jump_at <= car.left - 2:
        return 0
    most = 2 if car.mods[LEAPS] > 0 else 1
    return int(max(1, min(most, order.hexes, car.left - 1 - order.jump_at)))


@kernel
def _sneak(race: Race, v: int) -> None:
    """Others who may attack in this car's move (Sneaky)."""
    for w in range(race.rules[0].cars):
        if w != v and race.cars[w].mods[AMBUSHES] > 0 and racing(race, w) and racing(race, v):
            attack_all(race, w, False, v)


@kernel
def _go(race: Race, v: int) -> None:
    """The hexes of the phase one by one, attacks between them; asked anew when turned aside."""
    car, order, rules = race.cars[v], race.orders[v], race.rules[0]
    while car.left > 0 and not car.halted and racing(race, v):
        _way(race, v)
        variant, jump_at, jumped, i = order.variant, order.jump_at, order.hexes, 0
        jump_card = order.jump_card
        facing, expected = car.facing, car.cell
        while car.left > 0 and not car.halted and racing(race, v):
            if car.facing != facing or car.cell != expected:
                break
            direction = direction_of(variant, i, facing, car.lean)
            drift = is_drift(variant, i, facing, car.lean)
            lean = car.lean
            if jumped and i == jump_at:
                spend(race, v, jump_card, WHIP)
                car.jumped = 1
            in_air = jumped > 0 and jump_at <= i < jump_at + jumped
            left = car.left
            to = race.cells[car.cell].neighbour[direction]
            entered = enter(race, v, direction, False, in_air, -1)
            if drift and facing % 2 == 0:
                car.lean = lean
            if entered:
                car.left = max(0, left - 1) if racing(race, v) else 0
            if drift:
                car.drifts += 1
                if car.drifts > 1 and rules.more_drifts and not rules.free_drifts:
                    agenda.push_roll(race, v, direction, 0, False, -1, -1)
            if entered and jumped and i == jump_at + jumped and racing(race, v):
                _land(race, v, direction)
            settle(race)
            if entered:
                expected = to
            if racing(race, v) and not car.halted and entered and not in_air:
                attack_all(race, v, True, -1)
                _sneak(race, v)
            i += 1
            if drift and (rules.free_drifts or rules.more_drifts):
                break


@kernel
def _land(race: Race, v: int, direction: int) -> None:
    """After a jump, where it lands: a control roll, whose damage is rolled with the jump's."""
    agenda.push_roll(race, v, direction, 0, False, -1, -1)
    race.tasks[race.rules[0].tasks - 1].d = half_up(race.cars[v].rating)


@kernel
def drive(race: Race, v: int, phase: int) -> None:
    """A car's move in a phase."""
    car = race.cars[v]
    base = race.vehicles[car.vehicle].moves[car.rating, phase]
    car.lean = 0
    if car.halted:  # it slid into something, or failed in an attack in another's move
        return
    hexes = _play_movement(race, v, base)
    car.hexes, car.left = hexes, hexes
    if hexes > 0 or base > 0:  # it could move: a card that keeps it standing is played after that
        attack_all(race, v, True, -1)
    if hexes > 0 and racing(race, v):
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
        agenda.push_roll(race, v, -1, turn, False, -1, -1)
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
