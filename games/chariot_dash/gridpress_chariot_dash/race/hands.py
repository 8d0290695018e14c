"""Cards in a race: what may be played as what, where they go, how they return (CD-10 to CD-12)."""

from __future__ import annotations

from gridpress_chariot_dash.race.chance import modifier, reroll, roll, value
from gridpress_chariot_dash.race.kernel import kernel
from gridpress_chariot_dash.race.layout import (
    AS_SPECIAL,
    AT_ACCELERATING,
    AT_ANY_AFTER,
    AT_DECELERATING,
    AT_END,
    AT_MOVEMENT,
    AT_VEHICLE_ATTACK,
    CALMS,
    CARDS,
    GIFTS,
    GIVES_RECOVERS_ALL,
    GIVES_REROLLS,
    GIVES_ROLLS_AGAIN,
    GONE,
    HAND,
    RECOVER,
    RECOVERY,
    REINS,
    REINS_AS_WHIP,
    SPENT,
    SWAP,
    WHIP,
    WHIP_AS_REINS,
    Race,
)


@kernel
def clear_order(race: Race, v: int) -> None:
    """The sheet on which the driver writes his next answer, blank."""
    order = race.orders[v]
    order.accelerate, order.boxes, order.card, order.use, order.hexes = 0, 0, -1, 0, 0
    order.variant, order.jump_at, order.jump_card, order.turn, order.target = 0, -1, -1, 0, -1
    order.attack, order.mask, order.first, order.second, order.icon = 0, 0, -1, -1, -1
    order.facing, order.whips, order.reins, order.rerolls = -1, 0, 0, 0
    for c in range(CARDS):
        order.uses[c] = 0
    for g in range(GIFTS):
        order.gives[g] = 0


@kernel
def counts_as(race: Race, v: int, c: int, use: int, moment: int) -> bool:
    """Whether a card in hand may be played so at this moment."""
    car = race.cars[v]
    vehicle = race.vehicles[car.vehicle]
    if c < 0 or c >= vehicle.cards or car.pile[c] != HAND:
        return False
    if use == AS_SPECIAL:
        return bool(vehicle.moment[c] == moment)
    if vehicle.front[c] & use:
        return True
    if use == WHIP and moment in (AT_ACCELERATING, AT_DECELERATING, AT_MOVEMENT):
        return bool(car.mods[REINS_AS_WHIP] > 0)
    if use == REINS and moment == AT_VEHICLE_ATTACK:
        return bool(car.mods[WHIP_AS_REINS] > 0)
    return False


@kernel
def spend(race: Race, v: int, c: int, use: int) -> None:
    """One card goes to Spent, or out of the race if its special says so (CD-11)."""
    car, order = race.cars[v], race.orders[v]
    vehicle = race.vehicles[car.vehicle]
    car.cards_used += 1
    car.pile[c] = GONE if use == AS_SPECIAL and vehicle.once[c] else SPENT
    if use == AS_SPECIAL:
        for g in range(GIFTS):
            order.gives[g] += vehicle.gives[c, g]
            for _ in range(vehicle.gives_dice[c, g]):
                order.gives[g] += value(race, v)
        use = vehicle.front[c] if vehicle.front[c] <= REINS else WHIP
    if use == WHIP:
        order.whips += 1
    else:
        order.reins += 1


@kernel
def play(race: Race, v: int, moment: int, only: int) -> int:
    """The cards that the driver ordered are spent; those that may not be used now are left out.

    only: WHIP or REINS where all must be of one type, else 0. How many count as cards.
    """
    order = race.orders[v]
    order.whips, order.reins = 0, 0
    vehicle = race.vehicles[race.cars[v].vehicle]
    for c in range(vehicle.cards):
        use = order.uses[c]
        if use == 0 or not counts_as(race, v, c, use, moment):
            continue
        if only and use not in (AS_SPECIAL, only):
            continue
        if only and use == AS_SPECIAL and not vehicle.front[c] & only:
            continue
        spend(race, v, c, use)
    return int(order.whips + order.reins)


@kernel
def in_hand(race: Race, v: int, use: int, moment: int) -> int:
    """A card in hand that may be played as this type: a plain one if there is one; −1 none."""
    car = race.cars[v]
    vehicle = race.vehicles[car.vehicle]
    found = -1
    for c in range(vehicle.cards):
        if counts_as(race, v, c, use, moment) and (
            found < 0
            or vehicle.moment[c] + vehicle.front[c] < vehicle.moment[found] + vehicle.front[found]
        ):
            found = c
    return found


@kernel
def play_after(race: Race, v: int, moment: int) -> bool:
    """The order's card is played after a roll, if it may be; so it is no card of that roll."""
    order = race.orders[v]
    own = counts_as(race, v, order.card, AS_SPECIAL, moment)
    if not own and not counts_as(race, v, order.card, AS_SPECIAL, AT_ANY_AFTER):
        return False
    whips, reins = order.whips, order.reins
    spend(race, v, order.card, AS_SPECIAL)
    order.whips, order.reins = whips, reins
    return True


@kernel
def roll_again(race: Race, v: int, purpose: int, rerolls: int, moment: int) -> None:
    """What the driver re-rolls of a roll, all at the same time (CD-13): dice of his mask, so many
    and those that cards give, one of which may be played now; or the whole roll (Survivor)."""
    order = race.orders[v]
    play_after(race, v, moment)
    if order.gives[GIVES_ROLLS_AGAIN] > 0:
        order.gives[GIVES_ROLLS_AGAIN] = 0
        roll(race, v, purpose, race.counts[v])
    else:
        reroll(race, v, purpose, order.mask, rerolls + order.gives[GIVES_REROLLS])


@kernel
def lose_card(race: Race, v: int, kind: int) -> None:
    """One for good: of Whip, Reins or either type; the one that is missed least: what lies in Spent
    before Recovery before the hand, a plain one before others. None of the type: nothing."""
    car = race.cars[v]
    vehicle = race.vehicles[car.vehicle]
    best, worth = -1, 0
    for c in range(vehicle.cards):
        if car.pile[c] == GONE or not vehicle.front[c] & kind:
            continue
        price = (3 - car.pile[c]) + 4 * (vehicle.moment[c] > 0) + 8 * (vehicle.front[c] > REINS)
        if best < 0 or price < worth:
            best, worth = c, price
    if best >= 0:
        car.pile[best] = GONE


@kernel
def swap_cards(race: Race, v: int) -> None:
    """Adaptive: the driver's mask in hand for cards of the other type in Spent or Recovery."""
    car, order = race.cars[v], race.orders[v]
    vehicle = race.vehicles[car.vehicle]
    most = modifier(race, v, SWAP)
    for c in range(vehicle.cards):
        if most <= 0 or car.pile[c] != HAND or not (order.mask >> c) & 1:
            continue
        for other in range(vehicle.cards):
            opposite = vehicle.front[c] + vehicle.front[other] == WHIP + REINS
            if opposite and car.pile[other] in (SPENT, RECOVERY):
                car.pile[c], car.pile[other] = car.pile[other], HAND
                most -= 1
                break


@kernel
def recover(race: Race, v: int) -> None:
    """The end of a round: Stamina and Determination, then Recovery to hand, Spent to Recovery."""
    car, order = race.cars[v], race.orders[v]
    vehicle = race.vehicles[car.vehicle]
    most = modifier(race, v, RECOVER)
    for c in range(vehicle.cards):
        if most > 0 and car.pile[c] == SPENT:
            car.pile[c] = HAND
            most -= 1
    played = order.card
    if counts_as(race, v, played, AS_SPECIAL, AT_END) and vehicle.gives[played, GIVES_RECOVERS_ALL]:
        for c in range(vehicle.cards):
            if car.pile[c] == SPENT:
                car.pile[c] = HAND
        spend(race, v, played, AS_SPECIAL)
    for c in range(vehicle.cards):
        if car.pile[c] == RECOVERY:
            car.pile[c] = HAND
        elif car.pile[c] == SPENT:
            car.pile[c] = RECOVERY


@kernel
def calm(race: Race, v: int) -> int:
    """CLP that Reactions take away at the end of a round."""
    return modifier(race, v, CALMS)
