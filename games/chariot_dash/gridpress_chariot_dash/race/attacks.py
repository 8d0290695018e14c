"""Attacks (CD-38 to CD-44): who may be reached, cards in secret, dice, and what the loser takes."""

from __future__ import annotations

from gridpress_chariot_dash.race import agenda
from gridpress_chariot_dash.race import hooks as choices
from gridpress_chariot_dash.race.chance import modifier, roll, value_of
from gridpress_chariot_dash.race.control import settle
from gridpress_chariot_dash.race.entering import credit, half_up
from gridpress_chariot_dash.race.hands import clear_order, counts_as, play, roll_again
from gridpress_chariot_dash.race.hexes import direction_to, is_ahead, is_beside, straight
from gridpress_chariot_dash.race.kernel import kernel
from gridpress_chariot_dash.race.layout import (
    AMBUSHES,
    AS_SPECIAL,
    AT_ANY_AFTER,
    AT_PERSONAL_ATTACK,
    AT_PERSONAL_DEFENCE,
    AT_VEHICLE_ATTACK,
    AT_VEHICLE_DEFENCE,
    ATTACKS_AHEAD,
    CARDS,
    GIVES_DICE,
    GIVES_DISCARDS,
    GIVES_REROLLS,
    GIVES_VALUE,
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
from gridpress_chariot_dash.race.marker import unsteady
from gridpress_chariot_dash.race.wear import damage, racing


@kernel
def attacks_are_on(race: Race) -> bool:
    """No attacks in a friendly race, nor in the first round of a truce."""
    rules = race.rules[0]
    return not rules.friendly and not (rules.truce and rules.race_round == 1)


@kernel
def reaches(race: Race, v: int, w: int, kind: int, own_move: bool) -> bool:
    """Whether w is where v may attack it so now."""
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
    """Whether it holds a card that starts such an attack."""
    moment = AT_PERSONAL_ATTACK if kind == PERSONAL else AT_VEHICLE_ATTACK
    use = WHIP if kind == PERSONAL else REINS
    for c in range(race.vehicles[race.cars[v].vehicle].cards):
        if counts_as(race, v, c, use, moment) or counts_as(race, v, c, AS_SPECIAL, moment):
            return True
    return False


@kernel
def _value(race: Race, v: int, dice: int, rerolls: int, plus: int, purpose: int) -> int:
    """An attack value: the two dice it likes, the highest, and what is added; cards played for
    the fight give theirs."""
    order = race.orders[v]
    dice += order.gives[GIVES_DICE] + order.gives[GIVES_DISCARDS]
    plus += order.gives[GIVES_VALUE]
    roll(race, v, purpose, max(1, dice))
    order.mask, order.card, order.rerolls = 0, -1, rerolls + order.gives[GIVES_REROLLS]
    choices.fight_reroll(race, v)
    roll_again(race, v, purpose, rerolls, AT_ANY_AFTER)
    high, second = 0, 0
    for n in range(race.counts[v]):
        one = value_of(race, race.dice[v, n])
        if one > high:
            high, second = one, high
        elif one > second:
            second = one
    return max(0, high + second + plus)


@kernel
def _lose(race: Race, v: int, w: int, kind: int, by: int, speed: int, own: bool) -> None:
    """What losing by so much to w, who had that speed, means; the control roll with it. own: w was
    attacked by v, who slides his own way; else v slides the way of w (CD-36)."""
    race.rules[0].order += 1
    if kind == PERSONAL:
        if by > 0:
            unsteady(race, v, by)
            agenda.push_roll(race, v, -1, 0, own, -1, w)
    else:
        hurt = damage(race, v, by + half_up(speed), 0)
        credit(race, v, w, hurt)
        if hurt and racing(race, v):
            heading = -1 if own else _pushes(race, w, v)
            agenda.push_roll(race, v, heading, 0, own, -1, w)
    settle(race)


@kernel
def _pushes(race: Race, v: int, w: int) -> int:
    """The direction in which w slides, attacked by v: the next straight step of v, who chooses it
    where he faces a corner and has not moved in this phase (CD-25, CD-36)."""
    car, order = race.cars[v], race.orders[v]
    left_first = False
    if car.facing % 2 and car.lean == 0:
        clear_order(race, v)
        order.target = w
        choices.slide_side(race, v)
        left_first = order.variant == 1
    return straight(car.facing, car.lean, left_first)


@kernel
def resolve(race: Race, v: int, w: int, kind: int, cards: int) -> None:
    """The dice of an attack whose cards are shown, and the losses (CD-40 to CD-42)."""
    personal = kind == PERSONAL
    car = race.cars[v]
    dice = 1 + cards + modifier(race, v, PERSONAL_ATTACK_DICE if personal else VEHICLE_ATTACK_DICE)
    again = modifier(race, v, PERSONAL_ATTACK_REROLLS if personal else VEHICLE_ATTACK_REROLLS)
    plus = modifier(race, v, PERSONAL_ATTACK_VALUE if personal else VEHICLE_ATTACK_VALUE)
    clear_order(race, w)
    race.orders[w].target, race.orders[w].attack = v, kind
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
    if by >= 0:  # in a tie both lose by the value, and the target resolves first (CD-42)
        _lose(race, w, v, kind, by if by else own, speed, False)
    if by <= 0:
        _lose(race, v, w, kind, -by if by else own, others_speed, True)


@kernel
def attack_all(race: Race, v: int, own_move: bool, only: int) -> None:
    """All the attacks that a driver cares to make now; only: on this one, −1 anybody."""
    if not attacks_are_on(race):
        return
    car, order = race.cars[v], race.orders[v]
    for w in range(race.rules[0].cars):
        if only >= 0 and w != only:
            continue
        for _ in range(CARDS):  # only cards limit how many
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
