"""A car: its marker, cards (CD-10 to CD-12), damage and stamina."""

from __future__ import annotations

from gridpress_chariot_races.race import hooks as choices
from gridpress_chariot_races.race.kernel import kernel
from gridpress_chariot_races.race.layout import (
    AS_SPECIAL,
    AT_ACCELERATING,
    AT_ANY_AFTER,
    AT_DAMAGE_AFTER,
    AT_DECELERATING,
    AT_END,
    AT_MOVEMENT,
    AT_VEHICLE_ATTACK,
    BLANK,
    CALMS,
    CARDS,
    DAMAGE_DICE,
    DEEP,
    GIFTS,
    GIVES_RECOVERS_ALL,
    GIVES_REROLLS,
    GIVES_ROLLS_AGAIN,
    GONE,
    HAND,
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
    RECOVER,
    RECOVERY,
    REINS,
    REINS_AS_WHIP,
    ROLL_DAMAGE,
    SAFE,
    SPENT,
    STAMINA_ZERO,
    SWAP,
    WHIP,
    WHIP_AS_REINS,
    Race,
)
from gridpress_chariot_races.race.rolls import modifier, reroll, roll, value, value_of


@kernel
def is_safe(race: Race, v: int) -> bool:
    """Tell whether turns at this rating need no control roll."""
    car = race.cars[v]
    return bool(car.control[car.rating] == SAFE)


@kernel
def steady(race: Race, v: int) -> None:
    """Remove all CLP above the minimum."""
    car = race.cars[v]
    car.clp = race.vehicles[car.vehicle].clp_least


@kernel
def unsteady(race: Race, v: int, points: int) -> None:
    """Add CLP, or remove them if negative (CD-73)."""
    car = race.cars[v]
    car.clp = max(race.vehicles[car.vehicle].clp_least, car.clp + points)


@kernel
def _settle(race: Race, v: int) -> None:
    car = race.cars[v]
    car.rating = race.vehicles[car.vehicle].rating_up[car.up]
    if is_safe(race, v):
        steady(race, v)


@kernel
def brake(race: Race, v: int, boxes: int) -> None:
    """Move left in the deceleration row, at most to rating 0 (CD-17, CD-18)."""
    car = race.cars[v]
    if boxes > 0:
        car.down = max(0, car.down - boxes)
        car.up = race.vehicles[car.vehicle].above[car.down]
    _settle(race, v)


@kernel
def speed_up(race: Race, v: int, boxes: int, whips: bool) -> None:
    """Move right in the acceleration row.

    The excess over its end or a maximum speed moves back as over-whipping (CD-19) if `whips`, else
    it is lost, as with haste (CD-33).
    """
    car = race.cars[v]
    vehicle = race.vehicles[car.vehicle]
    if boxes > 0:
        end = vehicle.last_up[min(6, car.speed_most)]
        box = car.up + boxes
        car.up = min(box, end)
        car.down = vehicle.below[car.up]
        if box > end and whips:
            brake(race, v, box - end)
    _settle(race, v)


@kernel
def rate(race: Race, v: int, rating: int) -> None:
    """Change the rating (CD-20, CD-21): down to right-most boxes, up to left-most ones."""
    car = race.cars[v]
    vehicle = race.vehicles[car.vehicle]
    rating = max(0, min(rating, 6, car.speed_most))
    if rating == car.rating:
        return
    if rating < car.rating:
        car.up, car.down = vehicle.last_up[rating], vehicle.last_down[rating]
    else:
        car.up, car.down = vehicle.first_up[rating], vehicle.first_down[rating]
    _settle(race, v)


@kernel
def clear_order(race: Race, v: int) -> None:
    """Blank the driver's answer."""
    order = race.cars[v].order
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
    """Tell whether a card in hand may be played this way now."""
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
    """Move a card to Spent, or out of the race if its special says so (CD-11)."""
    car, order = race.cars[v], race.cars[v].order
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
    """Spend the ordered cards that may be used now and return their number.

    only: WHIP or REINS if all must be of one type, else 0.
    """
    order = race.cars[v].order
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
    """Return a card in hand of this type, plain ones first, or −1."""
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
    """Play the order's card after a roll, if allowed, so that it is not part of that roll."""
    order = race.cars[v].order
    own = counts_as(race, v, order.card, AS_SPECIAL, moment)
    if not own and not counts_as(race, v, order.card, AS_SPECIAL, AT_ANY_AFTER):
        return False
    whips, reins = order.whips, order.reins
    spend(race, v, order.card, AS_SPECIAL)
    order.whips, order.reins = whips, reins
    return True


@kernel
def roll_again(race: Race, v: int, purpose: int, rerolls: int, moment: int) -> None:
    """Re-roll what the driver chose (CD-13): dice of his mask, or the whole roll (Survivor).

    One of the cards that give re-rolls may be played now.
    """
    order = race.cars[v].order
    play_after(race, v, moment)
    if order.gives[GIVES_ROLLS_AGAIN] > 0:
        order.gives[GIVES_ROLLS_AGAIN] = 0
        roll(race, v, purpose, race.cars[v].count)
    else:
        reroll(race, v, purpose, order.mask, rerolls + order.gives[GIVES_REROLLS])


@kernel
def lose_card(race: Race, v: int, kind: int) -> None:
    """Remove a card for good: first from Spent, then Recovery, then the hand; plain ones first."""
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
    """Swap the masked cards in hand for cards of the other type in Spent or Recovery (Adaptive)."""
    car, order = race.cars[v], race.cars[v].order
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
    """Return cards at the end of a round: Stamina and Determination, Recovery, then Spent."""
    car, order = race.cars[v], race.cars[v].order
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
    """Return the CLP that Reactions remove at the end of a round."""
    return modifier(race, v, CALMS)


@kernel
def racing(race: Race, v: int) -> bool:
    """Tell whether a car is neither wiped out nor finished."""
    car = race.cars[v]
    return bool(car.wrecked == 0 and car.finished == 0)


@kernel
def wipe_out(race: Race, v: int) -> None:
    """Wipe a car out (CD-48); at rating 0 the wreck rests where it is (CD-49)."""
    car, rules = race.cars[v], race.rules
    car.wrecked = rules.race_round
    car.wreck_heading, car.left, car.no_turn, car.lean = car.facing, 0, 1, 0
    car.rests = 1 if car.rating == 0 else 0
    car.wreck_order = rules.order


@kernel
def _take_effect(race: Race, v: int, e: int) -> None:
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
    """Roll damage dice (CD-46) and return how many exceed the resilience."""
    clear_order(race, v)
    roll(race, v, ROLL_DAMAGE, dice)
    choices.damage_again(race, v)
    roll_again(race, v, ROLL_DAMAGE, 0, AT_DAMAGE_AFTER)
    hurt = 0
    for n in range(race.cars[v].count):
        hurt += value_of(race, race.cars[v].dice[n]) > race.cars[v].resilience
    return hurt


@kernel
def _drawn(race: Race, v: int) -> int:
    """Roll for a random effect (0 or 1 the first, 2, 3), with two dice for a longer list."""
    last = race.vehicles[race.cars[v].vehicle].randoms - 1
    at = value(race, v)
    return max(0, min(last, at + value(race, v) if last > 2 else at - 1))


@kernel
def damage(race: Race, v: int, base: int, extra: int) -> int:
    """Roll for damage, apply its points and effects, and return the points.

    A base of 0 makes no roll. Each point applies the effects of the level reached in printed order
    (CD-47). A damage roll among them is made at once.
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
            total += 1  # nothing counts beyond the last level (CD-48)
            car.effect[deep] = vehicle.effect_from[car.level]
            car.effects_end[deep] = vehicle.effect_from[car.level + 1]
            if car.level >= vehicle.levels:
                wipe_out(race, v)
        else:
            deep -= 1
    return total


@kernel
def tire(race: Race, v: int, points: int) -> None:
    """Take stamina, or give it if negative, within the track."""
    car = race.cars[v]
    least = race.vehicles[car.vehicle].stamina_least
    car.stamina = max(least, min(10, car.stamina - points))


@kernel
def change_stamina(race: Race, v: int) -> None:
    """Change stamina (CD-62): by the row, then by every effect reached, the highest first."""
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
