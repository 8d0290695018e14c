"""What a vehicle suffers: damage rolls, the effects of its damage track, wipe-out, stamina."""

from __future__ import annotations

from gridpress_chariot_dash.race import hooks as choices
from gridpress_chariot_dash.race.chance import modifier, reroll, roll, value, value_of
from gridpress_chariot_dash.race.hands import clear_order, counts_as, lose_card, lucky, spend
from gridpress_chariot_dash.race.kernel import kernel
from gridpress_chariot_dash.race.layout import (
    AS_SPECIAL,
    AT_DAMAGE_AFTER,
    BLANK,
    DAMAGE_DICE,
    GIVES_ROLLS_AGAIN,
    MODS,
    OP_ADD,
    OP_DAMAGE,
    OP_DOWN_MOST,
    OP_LOSE_CARD,
    OP_LOSE_TRAIT,
    OP_RANDOM,
    OP_RESILIENCE,
    OP_SPEED_MOST,
    OP_TURNING,
    OP_UNSAFE,
    OP_UP_MOST,
    OP_WIPE_OUT,
    ROLL_DAMAGE,
    SAFE,
    STAMINA_ZERO,
    Race,
)
from gridpress_chariot_dash.race.marker import rate, unsteady


@kernel
def racing(race: Race, v: int) -> bool:
    """Neither wiped out nor past the finish."""
    car = race.cars[v]
    return bool(car.wrecked == 0 and car.finished == 0)


@kernel
def wipe_out(race: Race, v: int) -> None:
    """Out of the race at once (CD-48); at rating 0 the wreck rests where it is (CD-49)."""
    car, rules = race.cars[v], race.rules[0]
    car.wrecked = rules.race_round
    car.wreck_heading, car.left, car.no_turn, car.lean = car.facing, 0, 1, 0
    car.rests = 1 if car.rating == 0 else 0
    rules.order += 1
    car.wreck_order = rules.order


@kernel
def _take_effect(race: Race, v: int, e: int) -> None:
    """One effect but Random. Another damage roll is noted, and made after this one."""
    car = race.cars[v]
    vehicle = race.vehicles[car.vehicle]
    op, which, amount = vehicle.op[e], vehicle.which[e], vehicle.amount[e]
    dice = vehicle.die[e]
    if op == OP_ADD:
        car.mods[which] += amount
        car.mod_dice[which] += dice
        return
    for _ in range(abs(dice)):
        amount += value(race, v) if dice > 0 else -value(race, v)
    if op == OP_RESILIENCE:
        car.resilience = max(BLANK, car.resilience + amount)
    elif op == OP_DAMAGE:
        if amount > 0 and car.pending < 8:
            car.pending_dice[car.pending] = amount
            car.pending += 1
    elif op == OP_LOSE_TRAIT:
        if car.has_trait[which]:
            car.has_trait[which] = 0
            for m in range(MODS):
                car.mods[m] -= vehicle.trait_mods[which, m]
                car.mod_dice[m] -= vehicle.trait_dice[which, m]
    elif op == OP_LOSE_CARD:
        lose_card(race, v, which)
    elif op == OP_UP_MOST:
        car.up_most = min(car.up_most, amount)
    elif op == OP_DOWN_MOST:
        car.down_most = min(car.down_most, amount)
    elif op == OP_SPEED_MOST:
        car.speed_most = max(0, min(car.speed_most, amount))
        if car.rating > car.speed_most:
            rate(race, v, car.speed_most)
    elif op == OP_UNSAFE:
        for rating in range(6, -1, -1):
            if car.control[rating] == SAFE:
                car.control[rating] = 1
                break
    elif op == OP_TURNING:
        car.turning = amount
    elif op == OP_WIPE_OUT and not car.wrecked:
        wipe_out(race, v)


@kernel
def _take_level(race: Race, v: int) -> None:
    """One level down the damage track, with its effects in printed order (CD-47)."""
    car = race.cars[v]
    vehicle = race.vehicles[car.vehicle]
    car.level += 1
    car.clp += 1
    for e in range(vehicle.effect_from[car.level], vehicle.effect_from[car.level + 1]):
        if vehicle.op[e] == OP_RANDOM:
            at = value(race, v)  # of a list of three: 0 or 1 first; a longer one takes two dice
            at = max(0, at - 1) if vehicle.randoms <= 3 else at + value(race, v)
            at = min(at, vehicle.randoms - 1)
            for r in range(vehicle.random_from[at], vehicle.random_from[at + 1]):
                _take_effect(race, v, r)
        else:
            _take_effect(race, v, e)
    if car.level >= vehicle.levels and not car.wrecked:
        wipe_out(race, v)


@kernel
def _suffered(race: Race, v: int, dice: int) -> int:
    """One damage roll (CD-46): dice above the resilience, and their levels."""
    car = race.cars[v]
    clear_order(race, v)
    roll(race, v, ROLL_DAMAGE, dice)
    choices.damage_again(race, v)
    order = race.orders[v]
    if counts_as(race, v, order.card, AS_SPECIAL, AT_DAMAGE_AFTER):
        spend(race, v, order.card, AS_SPECIAL)
        if order.gives[GIVES_ROLLS_AGAIN]:
            roll(race, v, ROLL_DAMAGE, dice)
    else:
        reroll(race, v, ROLL_DAMAGE, order.mask, lucky(race, v))
    hurt = 0
    for n in range(race.counts[v]):
        hurt += value_of(race, race.dice[v, n]) > car.resilience
    for _ in range(hurt):
        if not car.wrecked:
            _take_level(race, v)
    return hurt


@kernel
def damage(race: Race, v: int, base: int, extra: int) -> int:
    """A damage roll of so many dice and what modifies them; its points, CLP and effects taken.

    Dice of 0 or fewer, or a base of 0: no roll. Rolls that effects bring follow at once.
    """
    car = race.cars[v]
    if base <= 0 or not racing(race, v):
        return 0
    dice = base + extra + modifier(race, v, DAMAGE_DICE)
    hurt = _suffered(race, v, dice) if dice > 0 else 0
    total = hurt
    while car.pending > 0 and not car.wrecked:
        car.pending -= 1
        more = car.pending_dice[car.pending] + modifier(race, v, DAMAGE_DICE)
        if more > 0:
            total += _suffered(race, v, more)
    car.pending = 0
    return total


@kernel
def tire(race: Race, v: int, points: int) -> None:
    """Stamina lost (gained if negative), within the track."""
    car = race.cars[v]
    least = race.vehicles[car.vehicle].stamina_least
    car.stamina = max(least, min(10, car.stamina - points))


@kernel
def change_stamina(race: Race, v: int) -> None:
    """CD-62: by the row, then every effect at the value reached and above, the highest first."""
    car = race.cars[v]
    vehicle = race.vehicles[car.vehicle]
    tire(race, v, -vehicle.stamina[car.rating])
    for at in range(10, car.stamina - 1, -1):
        if at == 10 and car.stamina == 10:
            break
        place = at + STAMINA_ZERO
        if vehicle.tired_speed[place]:
            rate(race, v, car.rating - vehicle.tired_speed[place])
        car.virtual_whips += vehicle.tired_whips[place]
        car.virtual_reins += vehicle.tired_reins[place]
        if vehicle.tired_clp[place]:
            unsteady(race, v, vehicle.tired_clp[place])
