"""Attacks: what one costs both sides, before cards are chosen and dice fall."""

from __future__ import annotations

from typing import Any

from gridpress_chariot_dash.race.kernel import kernel
from gridpress_chariot_dash.race.rolls import BOXES, HURT, MOST, POINTS, POSE, SHIFT
from gridpress_chariot_dash.race.view import POINT, damage_price

Array = Any
Record = Any


@kernel
def forced_price(craft: Record, dice: int) -> float:
    """Rounds that a forced control roll of so many dice costs, wherever it is."""
    row = craft.turns[0, min(MOST, max(0, dice))]
    value = row[HURT] * craft.per_die + row[POINTS] * POINT
    for pose in range(1, 6):
        value += row[POSE + pose] * (0.25 if pose >= 3 else 0.15)
    for shift in range(-SHIFT, SHIFT + 1):
        value += row[BOXES + SHIFT + shift] * 0.08 * abs(shift)
    return value


@kernel
def personal_price(craft: Record, view: Record, points: int) -> float:
    """Rounds that losing a personal attack by so much costs."""
    if points <= 0:
        return 0.0
    dice = craft.control[view.box] + view.clp + points
    return forced_price(craft, dice) + (0.02 if craft.safe[view.box] else 0.07) * points


@kernel
def ram_price(craft: Record, view: Record, dice: int) -> float:
    """Rounds that losing a vehicle attack costs whose damage roll has so many dice."""
    hurt = 1.0 - (1.0 - craft.hurts) ** max(0, dice)
    roll = forced_price(craft, int(craft.control[view.box] + view.clp + 1 + dice * craft.hurts / 2))
    return damage_price(view, craft, dice, craft.hurts) + hurt * roll


@kernel
def fight_prices(
    fights: Array,
    personal: bool,
    mine: Array,
    his: Array,
    my_craft: Record,
    my_view: Record,
    his_craft: Record,
    his_view: Record,
    luck: int,
    prices: Array,
) -> None:
    """Rounds that an attack costs the one who makes it and the one who suffers it.

    mine, his: dice and what is added. luck: who wins a tie by 1 (1 the first, −1 the second, 0
    nobody)."""
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
