"""What a vehicle suffers: damage rolls, the effects of its damage track, wipe-out, stamina."""

from __future__ import annotations

from gridpress_chariot_dash.race import hooks as choices
from gridpress_chariot_dash.race.chance import modifier, roll, value, value_of
from gridpress_chariot_dash.race.hands import clear_order, lose_card, roll_again
from gridpress_chariot_dash.race.kernel import kernel
from gridpress_chariot_dash.race.layout import (
    AT_DAMAGE_AFTER,
    BLANK,
    DAMAGE_DICE,
    DEEP,
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
    car.wreck_order = rules.order


@kernel
def _take_effect(race: Race, v: int, e: int) -> None:
    """One effect that brings no others."""
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
    elif op == OP_LOSE_TRAIT:
        if car.has_trait[which]:
            car.has_trait[which] = 0
            for m in range(MODS):
                car.mods[m] -= vehicle.trait_mods[which, m]
                car.mod_dice[m] -= vehicle.trait_dice[which, m]
    elif op == OP_LOSE_CARD:
        for _ in range(amount):
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
            if amount > 0 and car.control[rating] == SAFE:
                car.control[rating] = 1
                amount -= 1
    elif op == OP_TURNING:
        car.turning = amount
    elif op == OP_WIPE_OUT and not car.wrecked:
        wipe_out(race, v)


@kernel
def _hurt(race: Race, v: int, dice: int) -> int:
    """A damage roll (CD-46): how many dice are above the resilience."""
    clear_order(race, v)
    roll(race, v, ROLL_DAMAGE, dice)
    choices.damage_again(race, v)
    roll_again(race, v, ROLL_DAMAGE, 0, AT_DAMAGE_AFTER)
    hurt = 0
    for n in range(race.counts[v]):
        hurt += value_of(race, race.dice[v, n]) > race.cars[v].resilience
    return hurt


@kernel
def _drawn(race: Race, v: int) -> int:
    """Which of a vehicle's random effects a die brings: 0 or 1 the first, 2 the second, 3 the
    third; two dice of a longer list."""
    last = race.vehicles[race.cars[v].vehicle].randoms - 1
    at = value(race, v)
    return max(0, min(last, at + value(race, v) if last > 2 else at - 1))


@kernel
def damage(race: Race, v: int, base: int, extra: int) -> int:
    """A damage roll of so many dice and what modifies them; its points, CLP and effects taken.

    Dice of 0 or fewer, or a base of 0: no roll. Point by point the level reached has its effects in
    printed order (CD-47); a damage roll among them is made at once, before what is left.
    """
    car = race.cars[v]
    vehicle = race.vehicles[car.vehicle]
    if base <= 0 or not racing(race, v):
        return 0
    dice = base + extra + modifier(race, v, DAMAGE_DICE)
    if dice <= 0:
        return 0
    car.points[0], car.effect[0], car.effects_end[0] = _hurt(race, v, dice), 0, 0
    total, deep = 0, 0
    while deep >= 0 and not car.wrecked:
        if car.effect[deep] < car.effects_end[deep]:
            e = car.effect[deep]
            car.effect[deep] += 1
            brings, start, end = 0, 0, 0
            if vehicle.op[e] == OP_RANDOM and vehicle.randoms > 0:
                at = _drawn(race, v)
                start, end = vehicle.random_from[at], vehicle.random_from[at + 1]
            elif vehicle.op[e] == OP_DAMAGE:
                dice = vehicle.amount[e]
                for _ in range(vehicle.die[e]):
                    dice += value(race, v)
                dice += modifier(race, v, DAMAGE_DICE) if dice > 0 else 0
                brings = _hurt(race, v, dice) if dice > 0 else 0
            elif vehicle.op[e] != OP_RANDOM:
                _take_effect(race, v, e)
            if (brings or end > start) and deep + 1 < DEEP:
                deep += 1
                car.points[deep], car.effect[deep], car.effects_end[deep] = brings, start, end
        elif car.points[deep] > 0:
            car.points[deep] -= 1
            car.level += 1
            car.clp += 1
            total += 1  # nothing is suffered beyond the last level (CD-48)
            car.effect[deep] = vehicle.effect_from[car.level]
            car.effects_end[deep] = vehicle.effect_from[car.level + 1]
            if car.level >= vehicle.levels:
                wipe_out(race, v)
        else:
            deep -= 1
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
