"""Phases (CD-22 to CD-29) and attacks (CD-38 to CD-44)."""

from __future__ import annotations

from gridpress_chariot_races.race import hooks as choices
from gridpress_chariot_races.race.car import (
    clear_order,
    counts_as,
    damage,
    in_hand,
    is_safe,
    play,
    racing,
    rate,
    roll_again,
    spend,
    unsteady,
)
from gridpress_chariot_races.race.control import credit, enter, half_up, push_roll, work_off_tasks
from gridpress_chariot_races.race.kernel import inlined, kernel
from gridpress_chariot_races.race.layout import (
    AMBUSHES,
    AS_SPECIAL,
    AT_ANY_AFTER,
    AT_MOVEMENT,
    AT_PERSONAL_ATTACK,
    AT_PERSONAL_DEFENCE,
    AT_VEHICLE_ATTACK,
    AT_VEHICLE_DEFENCE,
    ATTACKS_AHEAD,
    CARDS,
    GIVES_DICE,
    GIVES_DISCARDS,
    GIVES_RAMS,
    GIVES_REROLLS,
    GIVES_STOPS,
    GIVES_VALUE,
    GROUNDED,
    HAND,
    LEAPS,
    PERSONAL,
    PERSONAL_ATTACK_DICE,
    PERSONAL_ATTACK_REROLLS,
    PERSONAL_ATTACK_VALUE,
    PERSONAL_DEFENCE_DICE,
    PERSONAL_DEFENCE_REROLLS,
    PERSONAL_DEFENCE_VALUE,
    PERSONAL_TIES,
    REINS,
    ROLL_ATTACK,
    ROLL_DEFENCE,
    VEHICLE,
    VEHICLE_ATTACK_DICE,
    VEHICLE_ATTACK_REROLLS,
    VEHICLE_ATTACK_VALUE,
    VEHICLE_DEFENCE_DICE,
    VEHICLE_DEFENCE_REROLLS,
    VEHICLE_DEFENCE_VALUE,
    VEHICLE_TIES,
    WHIP,
    Race,
)
from gridpress_chariot_races.race.rolls import modifier, roll, value, value_of
from gridpress_chariot_races.race.ways import (
    clear_for,
    direction_of,
    direction_to,
    drifting,
    has_way,
    is_ahead,
    is_beside,
    is_drift,
    may_go,
    straight_direction,
    variants,
)


@kernel
def attacks_are_on(race: Race) -> bool:
    """Tell whether attacks are allowed: never in friendly races or in round 1 of a truce."""
    rules = race.rules
    return not rules.friendly and not (rules.truce and rules.race_round == 1)


@kernel
def reaches(race: Race, v: int, w: int, kind: int, own_move: bool) -> bool:
    """Tell whether v may attack w from where it is."""
    car, other = race.cars[v], race.cars[w]
    if v == w or other.cell < 0 or not racing(race, w):
        return False
    direction = direction_to(race, car.cell, other.cell)
    if direction < 0:
        return False
    if kind == PERSONAL and not own_move:
        return bool(car.mods[AMBUSHES] > 0 and is_beside(car.facing, direction))
    savage = kind == VEHICLE and car.mods[ATTACKS_AHEAD] > 0 and is_ahead(car.facing, direction)
    return bool(is_beside(car.facing, direction) or savage)


@kernel
def has_card(race: Race, v: int, kind: int) -> bool:
    """Tell whether a car holds a card for this kind of attack."""
    moment = AT_PERSONAL_ATTACK if kind == PERSONAL else AT_VEHICLE_ATTACK
    use = WHIP if kind == PERSONAL else REINS
    for c in range(race.vehicles[race.cars[v].vehicle].cards):
        if counts_as(race, v, c, use, moment) or counts_as(race, v, c, AS_SPECIAL, moment):
            return True
    return False


@kernel
def _value(race: Race, v: int, dice: int, rerolls: int, plus: int, purpose: int) -> int:
    """Return an attack value: the best two dice plus what traits and cards add."""
    order = race.cars[v].order
    dice += order.gives[GIVES_DICE] + order.gives[GIVES_DISCARDS]
    plus += order.gives[GIVES_VALUE]
    roll(race, v, purpose, max(1, dice))
    order.mask, order.card, order.rerolls = 0, -1, rerolls + order.gives[GIVES_REROLLS]
    choices.fight_reroll(race, v)
    roll_again(race, v, purpose, rerolls, AT_ANY_AFTER)
    high, second = 0, 0
    for n in range(race.cars[v].count):
        one = value_of(race, race.cars[v].dice[n])
        if one > high:
            high, second = one, high
        elif one > second:
            second = one
    return max(0, high + second + plus)


@inlined
def _lose(race: Race, v: int, w: int, kind: int, by: int, speed: int, own: bool) -> None:
    """Apply a lost attack of v against w, with its control roll.

    own: v attacked w and slides its own way; else it slides the way of w (CD-36).
    """
    race.rules.order += 1
    if kind == PERSONAL:
        if by > 0:
            unsteady(race, v, by)
            push_roll(race, v, -1, 0, own, -1, w)
    else:
        hurt = damage(race, v, by + half_up(speed), 0)
        credit(race, v, w, hurt)
        if hurt and racing(race, v):
            heading = -1 if own else _pushes(race, w, v)
            push_roll(race, v, heading, 0, own, -1, w)
    work_off_tasks(race)


@kernel
def _pushes(race: Race, v: int, w: int) -> int:
    """Return where v pushes w; at a corner, v chooses (CD-25, CD-36)."""
    car, order = race.cars[v], race.cars[v].order
    left_first = False
    if car.facing % 2 and car.lean == 0:
        clear_order(race, v)
        order.target = w
        choices.slide_side(race, v)
        left_first = order.variant == 1
    return straight_direction(car.facing, car.lean, left_first)


@kernel
def resolve(race: Race, v: int, w: int, kind: int, cards: int) -> None:
    """Roll an attack whose cards are shown and apply the losses (CD-40 to CD-42)."""
    personal = kind == PERSONAL
    car = race.cars[v]
    dice = 1 + cards + modifier(race, v, PERSONAL_ATTACK_DICE if personal else VEHICLE_ATTACK_DICE)
    again = modifier(race, v, PERSONAL_ATTACK_REROLLS if personal else VEHICLE_ATTACK_REROLLS)
    plus = modifier(race, v, PERSONAL_ATTACK_VALUE if personal else VEHICLE_ATTACK_VALUE)
    clear_order(race, w)
    race.cars[w].order.target, race.cars[w].order.attack = v, kind
    choices.defence(race, w)
    moment = AT_PERSONAL_DEFENCE if personal else AT_VEHICLE_DEFENCE
    shields = play(race, w, moment, WHIP if personal else REINS)
    own = _value(race, v, dice, again, plus, ROLL_ATTACK)
    dice = 1 + shields
    dice += modifier(race, w, PERSONAL_DEFENCE_DICE if personal else VEHICLE_DEFENCE_DICE)
    again = modifier(race, w, PERSONAL_DEFENCE_REROLLS if personal else VEHICLE_DEFENCE_REROLLS)
    plus = modifier(race, w, PERSONAL_DEFENCE_VALUE if personal else VEHICLE_DEFENCE_VALUE)
    others = _value(race, w, dice, again, plus, ROLL_DEFENCE)
    by = own - others
    if by == 0:
        ties = PERSONAL_TIES if personal else VEHICLE_TIES
        luck = race.cars[v].mods[ties] - race.cars[w].mods[ties]
        by = 1 if luck > 0 else (-1 if luck < 0 else 0)
    speed, others_speed = car.rating, race.cars[w].rating
    if by >= 0:  # in a tie both lose, and the target resolves first (CD-42)
        _lose(race, w, v, kind, by if by else own, speed, False)
    if by <= 0:
        _lose(race, v, w, kind, -by if by else own, others_speed, True)


@kernel
def attack_all(race: Race, v: int, own_move: bool, only: int) -> None:
    """Make all attacks that the driver wants now.

    only: attack this car alone, −1 for anybody.
    """
    if not attacks_are_on(race):
        return
    car, order = race.cars[v], race.cars[v].order
    for w in range(race.rules.cars):
        if only >= 0 and w != only:
            continue
        for _ in range(CARDS):  # only cards limit their number
            if not racing(race, v) or (own_move and car.halted):
                return
            personal = reaches(race, v, w, PERSONAL, own_move) and has_card(race, v, PERSONAL)
            vehicle = own_move and reaches(race, v, w, VEHICLE, True) and has_card(race, v, VEHICLE)
            same_team = car.team > 0 and car.team == race.cars[w].team
            if same_team or not (personal or vehicle):
                break
            clear_order(race, v)
            order.target, order.attack = w, 0
            choices.attack(race, v)
            kind = order.attack
            if order.target != w or not (
                (kind == PERSONAL and personal) or (kind == VEHICLE and vehicle)
            ):
                break
            moment = AT_PERSONAL_ATTACK if kind == PERSONAL else AT_VEHICLE_ATTACK
            cards = play(race, v, moment, WHIP if kind == PERSONAL else REINS)
            if cards == 0:
                break
            car.attacks += 1
            car.involved = 1
            race.cars[w].involved = 1
            resolve(race, v, w, kind, cards)


@kernel
def _goes_before(race: Race, v: int, w: int) -> bool:
    """Compare by rating, then position, then the inside (CD-23), then by lot."""
    car, other = race.cars[v], race.cars[w]
    if car.rating != other.rating:
        return bool(car.rating > other.rating)
    if abs(car.progress - other.progress) > 1e-6:
        return bool(car.progress > other.progress)
    return bool(race.cells[car.cell].inside < race.cells[other.cell].inside)


@kernel
def order_of_moves(race: Race, wrecks: bool) -> int:
    """Fill `race.rules.ahead` with the order of a phase and return its length.

    wrecks: order the wrecks that still roll (CD-49, CD-68).
    """
    count = 0
    for v in range(race.rules.cars):
        car = race.cars[v]
        rolls = car.wrecked > 0 and not car.rests and car.wrecked < race.rules.race_round
        if not (rolls if wrecks else racing(race, v)):
            continue
        at = count
        while at > 0:
            w = race.rules.ahead[at - 1]
            if not _goes_before(race, v, w) and (
                _goes_before(race, w, v) or value(race, v) <= value(race, w)
            ):
                break
            race.rules.ahead[at] = w
            at -= 1
        race.rules.ahead[at] = v
        count += 1
    return count


@inlined
def _play_movement(race: Race, v: int, base: int) -> int:
    """Return the hexes of the phase after the movement card (CD-27, CD-29)."""
    car, order = race.cars[v], race.cars[v].order
    clear_order(race, v)
    car.left = base
    choices.movement(race, v)
    card, use, fewer = order.card, order.use, max(0, min(base, order.hexes))
    if not counts_as(race, v, card, use, AT_MOVEMENT) or (use == REINS and base < 1):
        card = -1
    deliberate = race.rules.deliberate > 0
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


@inlined
def _way(race: Race, v: int) -> None:
    """Choose the driver's way, or a clear one if his is blocked (CD-29)."""
    car, order = race.cars[v], race.cars[v].order
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
    car, order = race.cars[v], race.cars[v].order
    if not race.rules.jumps or car.jumped or car.mods[GROUNDED] > 0:
        return 0
    c, straight_on = order.jump_card, order.variant == 0 or (car.facing % 2 and order.variant == 1)
    held = 0 <= c < race.vehicles[car.vehicle].cards and car.pile[c] == HAND
    if not held or not straight_on or not 0 <= order.jump_at <= car.left - 2:
        return 0
    most = 2 if car.mods[LEAPS] > 0 else 1
    return int(max(1, min(most, order.hexes, car.left - 1 - order.jump_at)))


@inlined
def _sneak(race: Race, v: int) -> None:
    """Let others attack during this car's move (Sneaky)."""
    for w in range(race.rules.cars):
        if w != v and race.cars[w].mods[AMBUSHES] > 0 and racing(race, w) and racing(race, v):
            attack_all(race, w, False, v)


@kernel
def _go(race: Race, v: int) -> None:
    car, order, rules = race.cars[v], race.cars[v].order, race.rules
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
                    push_roll(race, v, direction, 0, False, -1, -1)
            if entered and jumped and i == jump_at + jumped and racing(race, v):
                _land(race, v, direction)
            work_off_tasks(race)
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
    """Roll for control after a jump, with the damage of the jump."""
    push_roll(race, v, direction, 0, False, -1, -1)
    race.rules.stack[race.rules.tasks - 1].d = half_up(race.cars[v].rating)


@kernel
def drive(race: Race, v: int, phase: int) -> None:
    """Move a car in a phase."""
    car = race.cars[v]
    base = race.vehicles[car.vehicle].moves[car.rating, phase]
    car.lean = 0
    if car.halted:  # it slid into something, or failed in an attack during another's move
        return
    hexes = _play_movement(race, v, base)
    car.hexes, car.left = hexes, hexes
    if hexes > 0 or base > 0:  # it could move, so cards that stop it are played afterwards
        attack_all(race, v, True, -1)
    if hexes > 0 and racing(race, v):
        _sneak(race, v)
        _go(race, v)
    if not racing(race, v) or car.no_turn or car.moved < 1:
        return
    clear_order(race, v)
    choices.turn_at_end(race, v)
    turn = max(-1, min(1, race.cars[v].order.turn))
    if turn == 0:
        return
    car.had_turn = 1
    if is_safe(race, v):
        car.facing = (car.facing + turn) % 12
        car.lean = 0
    else:
        push_roll(race, v, -1, turn, False, -1, -1)
        work_off_tasks(race)


@kernel
def begin_phase(race: Race, v: int) -> None:
    """Reset what a car did in the phase."""
    car = race.cars[v]
    car.hexes, car.left, car.moved, car.had_turn, car.drifts, car.jumped = 0, 0, 0, 0, 0, 0
    car.involved, car.halted, car.no_turn, car.rams, car.stops, car.lean = 0, 0, 0, 0, 0, 0


@kernel
def end_phase(race: Race, v: int) -> None:
    """End a phase: steady a straight and quiet car by 1 CLP (CD-28); apply an Emergency Stop."""
    car = race.cars[v]
    quiet = not (car.drifts or car.jumped or car.had_turn or car.involved)
    if car.moved > 0 and quiet:
        unsteady(race, v, -1)
    if car.stops:
        rate(race, v, car.rating - car.stops)
