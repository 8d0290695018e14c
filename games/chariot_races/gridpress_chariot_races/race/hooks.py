"""The questions of the engine to the driver; his answers in attacks, damage and round ends.

Each hook gets the race and the number of a car, and writes its answer to `race.cars[v].order`,
which is blank except for the fields given below. The engine ignores what the rules forbid.

| hook | is given | writes |
|---|---|---|
| `swap` | | `mask` of cards in hand to swap for the other type |
| `speed_plan` | | `accelerate`, `uses`, `boxes` where nothing is rolled |
| `speed_reroll` | `accelerate`, `hexes` (the limit) | `mask`, at most `rerolls`; `card`: Lucky |
| `speed_keep` | | `first`, `second` (none: the best two); under X-1 `first`, `boxes` of cards |
| `movement` | | `card`, `use`; `hexes` fewer by an Emergency Stop |
| `path` | | `variant`; `jump_at`, `jump_card`, and `hexes` that the jump clears |
| `turn_at_end` | | `turn`: 1 left, -1 right, 0 none |
| `attack` | `target` | `attack` (PERSONAL or VEHICLE), `uses`; target -1: none |
| `defence` | `target`, `attack` | `uses` |
| `fight_reroll` | `rerolls` | `mask`; `card`, a Lucky |
| `damage_again` | | `card`, a Survivor; or a Lucky, and `mask` |
| `control_cards` | `hexes` (dice), `turn` | `uses` |
| `control_reroll` | `rerolls` | `mask`; `card`, a Lucky |
| `control_reread` | | again until -1: `card`, a Yah!, Brake, or Cool and its `icon` |
| `control_discard` | `hexes` | `mask`, at most so many; `icon`: the reading of slow and haste |
| `slide_side` | `target`, or -1 for his own | `variant`: 0 right, 1 left |
| `aside` | `mask` of facings | `facing` |
| `at_end` | | `card`, a Determination |
"""

from __future__ import annotations

from typing import Any

from gridpress_chariot_races.race.asked_moves import (
    aside,
    control_cards,
    control_discard,
    control_reread,
    control_reroll,
    movement,
    path,
    slide_side,
    speed_keep,
    speed_plan,
    speed_reroll,
    swap,
    turn_at_end,
)
from gridpress_chariot_races.race.kernel import kernel
from gridpress_chariot_races.race.layout import (
    AT_ANY_AFTER,
    AT_DAMAGE_AFTER,
    AT_END,
    AT_PERSONAL_ATTACK,
    AT_PERSONAL_DEFENCE,
    AT_VEHICLE_ATTACK,
    AT_VEHICLE_DEFENCE,
    GIVES_RECOVERS_ALL,
    GIVES_REROLLS,
    GIVES_ROLLS_AGAIN,
    GIVES_VALUE,
    HAND,
    PERSONAL,
    PERSONAL_ATTACK_DICE,
    PERSONAL_ATTACK_REROLLS,
    PERSONAL_ATTACK_VALUE,
    PERSONAL_DEFENCE_DICE,
    PERSONAL_DEFENCE_REROLLS,
    PERSONAL_DEFENCE_VALUE,
    PERSONAL_TIES,
    REINS,
    SPENT,
    VEHICLE,
    VEHICLE_ATTACK_DICE,
    VEHICLE_ATTACK_REROLLS,
    VEHICLE_ATTACK_VALUE,
    VEHICLE_DEFENCE_DICE,
    VEHICLE_DEFENCE_REROLLS,
    VEHICLE_DEFENCE_VALUE,
    VEHICLE_TIES,
    WHIP,
    WHIP_AS_REINS,
    Array,
    Race,
    RaceRecord,
)
from gridpress_chariot_races.race.rolls import usual
from gridpress_chariot_races.race.situation import (
    find_special,
    gift,
    look_around,
    special_price,
    write_cards,
)
from gridpress_chariot_races.race.weigh import card_price, damage_price, forced_price


@kernel
def personal_price(craft: RaceRecord, view: RaceRecord, points: int) -> float:
    """Return the cost of losing a personal attack by so many points."""
    if points <= 0:
        return 0.0
    dice = craft.control[view.box] + view.clp + points
    return forced_price(craft, dice) + (0.02 if craft.safe[view.box] else 0.07) * points


@kernel
def ram_price(craft: RaceRecord, view: RaceRecord, dice: int) -> float:
    """Return the cost of losing a vehicle attack with this damage roll."""
    hurt = 1.0 - (1.0 - craft.hurts) ** max(0, dice)
    roll = forced_price(craft, int(craft.control[view.box] + view.clp + 1 + dice * craft.hurts / 2))
    return damage_price(view, craft, dice, craft.hurts) + hurt * roll


@kernel
def fight_prices(
    fights: Array,
    personal: bool,
    mine: Array,
    his: Array,
    my_craft: RaceRecord,
    my_view: RaceRecord,
    his_craft: RaceRecord,
    his_view: RaceRecord,
    luck: int,
    prices: Array,
) -> None:
    """Write the cost of an attack to both sides to `prices`.

    mine, his: dice and additions. luck: who wins ties: 1 the attacker, −1 the defender, 0 nobody.
    """
    prices[0], prices[1] = 0.0, 0.0
    first = min(mine[0], len(fights) - 1)
    second = min(his[0], len(fights) - 1)
    my_half = (my_craft.rating[my_view.box] + 1) // 2
    his_half = (his_craft.rating[his_view.box] + 1) // 2
    for a in range(fights.shape[1]):
        if fights[first, a] == 0.0:
            continue
        for b in range(fights.shape[1]):
            part = fights[first, a] * fights[second, b]
            if part == 0.0:
                continue
            one, two = max(0, a + mine[1]), max(0, b + his[1])
            if one == two and luck > 0:
                one += 1
            elif one == two and luck < 0:
                two += 1
            if one > two:
                lost = one - two
                if personal:
                    prices[1] += part * personal_price(his_craft, his_view, lost)
                else:
                    prices[1] += part * ram_price(his_craft, his_view, lost + my_half)
            elif two > one:
                lost = two - one
                if personal:
                    prices[0] += part * personal_price(my_craft, my_view, lost)
                else:
                    prices[0] += part * ram_price(my_craft, my_view, lost + his_half)
            elif personal:
                prices[0] += part * personal_price(my_craft, my_view, one)
                prices[1] += part * personal_price(his_craft, his_view, one)
            else:
                prices[0] += part * ram_price(my_craft, my_view, one + his_half)
                prices[1] += part * ram_price(his_craft, his_view, one + my_half)


@kernel
def _low_dice(race: Race, v: int, most: int) -> tuple[int, int]:
    """Return the dice of a fight to re-roll, as bits, and how many of them are kept and low."""
    mask, low = 0, 0
    count = race.cars[v].count
    for place in range(min(most, count)):
        least = -1
        for n in range(count):
            if (mask >> n) & 1:
                continue
            if least < 0 or _worth_of(race, v, n) < _worth_of(race, v, least):
                least = n
        kept = place >= count - 2
        if kept and _worth_of(race, v, least) >= 2:
            break
        low += kept
        mask |= 1 << least
    return mask, low


@kernel
def _worth_of(race: Race, v: int, n: int) -> int:
    return int(race.rules.faces_value[race.cars[v].dice[n]])


@kernel
def fight_reroll(race: Race, v: int) -> None:
    """Re-roll low dice of an attack or defence, at most order.rerolls."""
    order, car = race.cars[v].order, race.cars[v]
    order.mask, low = _low_dice(race, v, order.rerolls)
    card = find_special(race, v, AT_ANY_AFTER, GIVES_REROLLS)
    if card >= 0:
        mask, lower = _low_dice(race, v, order.rerolls + gift(race, v, card, GIVES_REROLLS))
        craft = race.vehicles[car.vehicle].craft
        if lower > low and 0.1 * (lower - low) > max(
            0.02, special_price(race, v, card) - craft.rein
        ):
            order.card, order.mask = card, mask


@kernel
def _sides(race: Race, v: int, w: int, kind: int, mine: Any, his: Any) -> int:
    """Fill in dice, with re-rolls as half a die, and values of both; return who wins ties."""
    car, other = race.cars[v], race.cars[w]
    if kind == PERSONAL:
        mine[0] = 1 + usual(race, v, PERSONAL_ATTACK_DICE)
        mine[0] += (usual(race, v, PERSONAL_ATTACK_REROLLS) + 1) // 2
        mine[1] = usual(race, v, PERSONAL_ATTACK_VALUE)
        his[0] = 1 + usual(race, w, PERSONAL_DEFENCE_DICE)
        his[0] += (usual(race, w, PERSONAL_DEFENCE_REROLLS) + 1) // 2
        his[1] = usual(race, w, PERSONAL_DEFENCE_VALUE)
        return int(car.mods[PERSONAL_TIES] - other.mods[PERSONAL_TIES])
    mine[0] = 1 + usual(race, v, VEHICLE_ATTACK_DICE)
    mine[0] += (usual(race, v, VEHICLE_ATTACK_REROLLS) + 1) // 2
    mine[1] = usual(race, v, VEHICLE_ATTACK_VALUE)
    his[0] = 1 + usual(race, w, VEHICLE_DEFENCE_DICE)
    his[0] += (usual(race, w, VEHICLE_DEFENCE_REROLLS) + 1) // 2
    his[1] = usual(race, w, VEHICLE_DEFENCE_VALUE)
    return int(car.mods[VEHICLE_TIES] - other.mods[VEHICLE_TIES])


@kernel
def _spite(race: Race, v: int, w: int) -> float:
    """Return the value of a rival's loss, smaller for distant ones and shared among all."""
    rules, car = race.rules, race.cars[v]
    rivals = 0
    for other in range(rules.cars):
        one = race.cars[other]
        mate = car.team > 0 and one.team == car.team
        rivals += other != v and not one.wrecked and not one.finished and not mate
    near = 1.0 / (1.0 + abs(race.cars[w].progress - car.progress) / 12.0)
    return race.vehicles[car.vehicle].craft.spite * near / max(1, rivals)


@kernel
def attack(race: Race, v: int) -> None:
    """Choose whether and how to attack order.target, which defends itself if it has two cards."""
    car, order = race.cars[v], race.cars[v].order
    w = order.target
    vehicle = race.vehicles[car.vehicle]
    look_around(race, v)
    look_around(race, w)
    view, his_view = race.cars[v].mind.sight, race.cars[w].mind.sight
    craft, his_craft = race.vehicles[car.vehicle].craft, race.vehicles[race.cars[w].vehicle].craft
    spite = _spite(race, v, w)
    mine, his, prices = (
        race.cars[v].mind.room.mine,
        race.cars[v].mind.room.his,
        race.cars[v].mind.room.prices,
    )
    best, chosen, count, card = craft.margin, 0, 0, -1
    for kind in (PERSONAL, VEHICLE):
        luck = _sides(race, v, w, kind, mine, his)
        base, plus = mine[0], mine[1]
        hand = view.whips + view.duals if kind == PERSONAL else view.reins + view.duals
        snaps = kind == VEHICLE and car.mods[WHIP_AS_REINS] > 0
        hand += view.whips if snaps else 0
        shields = his_view.whips if kind == PERSONAL else his_view.reins
        his[0] += 1 if shields + his_view.duals >= 2 else 0
        moment = AT_PERSONAL_ATTACK if kind == PERSONAL else AT_VEHICLE_ATTACK
        for special in range(-1, vehicle.cards):
            price = 0.0
            mine[1] = plus
            if special >= 0:
                if car.pile[special] != HAND or vehicle.moment[special] != moment:
                    continue
                own = craft.whip if vehicle.front[special] == WHIP else craft.rein
                price = special_price(race, v, special) - own
                mine[1] = plus + gift(race, v, special, GIVES_VALUE)
            for cards in range(1, min(3, hand) + 1):
                mine[0] = base + cards
                as_whips = (
                    cards if kind == PERSONAL else (max(0, cards - view.reins) if snaps else 0)
                )
                cost = price + card_price(view, craft, as_whips, cards - as_whips, 0)
                if cost > 1.0:
                    continue
                fight_prices(
                    race.rules.chances.fights, kind == PERSONAL, mine, his,
                    craft, view, his_craft, his_view, luck, prices,
                )  # fmt: skip
                gain = spite * prices[1] - prices[0] - cost
                if gain > best:
                    best, chosen, count, card = gain, kind, cards, special
    order.attack = chosen
    if chosen == 0:
        order.target = -1
    elif chosen == PERSONAL:
        write_cards(race, v, count, 0, card)
    else:
        write_cards(race, v, 0, count, card)
        _snap(race, v, count)


@kernel
def _snap(race: Race, v: int, count: int) -> None:
    """Use Whips as Reins where there are too few (Snapper)."""
    car, order = race.cars[v], race.cars[v].order
    vehicle = race.vehicles[car.vehicle]
    for c in range(vehicle.cards):
        count -= order.uses[c] != 0
    if car.mods[WHIP_AS_REINS] <= 0:
        return
    for c in range(vehicle.cards):
        plain = vehicle.front[c] == WHIP and not vehicle.moment[c]
        if count > 0 and car.pile[c] == HAND and not order.uses[c] and plain:
            order.uses[c] = REINS
            count -= 1


@kernel
def defence(race: Race, v: int) -> None:
    """Choose cards against an attack by order.target."""
    car, order = race.cars[v], race.cars[v].order
    w, kind = order.target, order.attack
    vehicle = race.vehicles[car.vehicle]
    look_around(race, v)
    look_around(race, w)
    view, his_view = race.cars[v].mind.sight, race.cars[w].mind.sight
    craft, his_craft = race.vehicles[car.vehicle].craft, race.vehicles[race.cars[w].vehicle].craft
    spite = _spite(race, v, w)
    his, mine, prices = (
        race.cars[v].mind.room.his,
        race.cars[v].mind.room.mine,
        race.cars[v].mind.room.prices,
    )
    luck = _sides(race, w, v, kind, his, mine)
    his[0] += 1  # at least; the number is hidden (CD-39)
    base, plus = mine[0], mine[1]
    hand = view.whips + view.duals if kind == PERSONAL else view.reins + view.duals
    moment = AT_PERSONAL_DEFENCE if kind == PERSONAL else AT_VEHICLE_DEFENCE
    best, count, card = 1e9, 0, -1
    for special in range(-1, vehicle.cards):
        price = 0.0
        mine[1] = plus
        if special >= 0:
            if car.pile[special] != HAND or vehicle.moment[special] != moment:
                continue
            own = craft.whip if vehicle.front[special] == WHIP else craft.rein
            price = special_price(race, v, special) - own + 0.01
            mine[1] = plus + gift(race, v, special, GIVES_VALUE)
        for cards in range(0 if special < 0 else 1, min(3, hand) + 1):
            mine[0] = base + cards
            whips = cards if kind == PERSONAL else 0
            cost = price + card_price(view, craft, whips, cards - whips, 0)
            fight_prices(
                race.rules.chances.fights, kind == PERSONAL, his, mine,
                his_craft, his_view, craft, view, luck, prices,
            )  # fmt: skip
            value = prices[1] - spite * prices[0] + cost
            if value < best - 1e-9:
                best, count, card = value, cards, special
    if kind == PERSONAL:
        write_cards(race, v, count, 0, card)
    else:
        write_cards(race, v, 0, count, card)


@kernel
def damage_again(race: Race, v: int) -> None:
    """Play Survivor or Lucky after a damage roll if that is cheaper on average."""
    car, order = race.cars[v], race.cars[v].order
    vehicle = race.vehicles[car.vehicle]
    dice, hurts = race.cars[v].count, 0
    for n in range(dice):
        if race.rules.faces_value[race.cars[v].dice[n]] > car.resilience:
            hurts += 1
    if hurts == 0:
        return
    look_around(race, v)
    view, craft = race.cars[v].mind.sight, race.vehicles[car.vehicle].craft
    part = 0.0
    for face in range(6):
        part += (race.rules.faces_value[face] > car.resilience) / 6.0
    now = damage_price(view, craft, hurts, 1.0)
    best = now
    for c in range(vehicle.cards):
        if car.pile[c] != HAND:
            continue
        price = special_price(race, v, c) + 0.02
        if vehicle.moment[c] == AT_DAMAGE_AFTER and vehicle.gives[c, GIVES_ROLLS_AGAIN]:
            value = price + damage_price(view, craft, dice, part)
            if value < best:
                best, order.card, order.mask = value, c, 0
        elif vehicle.moment[c] == AT_ANY_AFTER and vehicle.gives[c, GIVES_REROLLS]:
            again = min(hurts, gift(race, v, c, GIVES_REROLLS))
            value = price + damage_price(view, craft, hurts - again, 1.0)
            value += damage_price(view, craft, again, part)
            if value < best:
                best, order.card, order.mask = value, c, 0
                for n in range(dice):
                    if again > 0 and race.rules.faces_value[race.cars[v].dice[n]] > car.resilience:
                        again -= 1
                        order.mask |= 1 << n


@kernel
def at_end(race: Race, v: int) -> None:
    """Play Determination at the end of a round if it returns more than it costs."""
    car, order = race.cars[v], race.cars[v].order
    vehicle, craft = race.vehicles[car.vehicle], race.vehicles[car.vehicle].craft
    card = find_special(race, v, AT_END, GIVES_RECOVERS_ALL)
    if card < 0:
        return
    gained = 0.0
    for c in range(vehicle.cards):
        if car.pile[c] == SPENT:
            gained += craft.whip if vehicle.front[c] & WHIP else craft.rein
    if gained > special_price(race, v, card) + 0.02:
        order.card = card


__all__ = [
    "aside",
    "at_end",
    "attack",
    "control_cards",
    "control_discard",
    "control_reread",
    "control_reroll",
    "damage_again",
    "defence",
    "fight_reroll",
    "movement",
    "path",
    "slide_side",
    "speed_keep",
    "speed_plan",
    "speed_reroll",
    "swap",
    "turn_at_end",
]
