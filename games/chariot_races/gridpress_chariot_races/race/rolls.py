"""Dice, and tables of their odds for the driver.

The n-th die of a purpose, car and round depends on nothing else that is rolled, so two vehicles or
two choices meet the same luck. Numbers stay within 63 bits, so plain Python gives the same races.

The tables cover control rolls by outcome, speed checks by the sums to choose from, and fights by
sum. Those of control rolls assume a driver who re-rolls and discards by fixed prices (`WEIGHTS`).
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import numpy as np
from gridpress_chariot_dash import dice as plain
from gridpress_chariot_dash.dice import (
    DAMAGE,
    HASTE,
    LEFT,
    RIGHT,
    SLIDE,
    SLOW,
    Die,
    keep_odds,
    possible_sums,
    value_rolls,
)
from numpy.typing import NDArray

from gridpress_chariot_races.race.kernel import entry, kernel
from gridpress_chariot_races.race.layout import (
    CHECK_DICE,
    MOST,
    MOST_DICE,
    ROLL_OTHER,
    ROW,
    SETS,
    SHIFT,
    Race,
)

_WORD = 0xFFFFFFFF

limit_of = kernel(plain.limit_of)


@kernel
def mixed(x: int) -> int:
    """Hash 32 bits to 32 bits (multiply and shift)."""
    x &= _WORD
    x ^= x >> 16
    x = (x * 0x21F0AAAD) & _WORD
    x ^= x >> 15
    x = (x * 0x735A2D97) & _WORD
    return x ^ (x >> 15)


@kernel
def roll_die(race: Race, v: int, purpose: int) -> int:
    """Return the car's next face, 0 to 5, for a purpose."""
    rules, car = race.rules, race.cars[v]
    count = car.drawn[purpose]
    car.drawn[purpose] = count + 1
    place = mixed(rules.key + rules.race_round * 0x9E3779B1)
    return mixed(place + v * 0x05EBCA6B + purpose * 0x42B2AE35 + count * 0x27D4EB2F) % 6


@kernel
def roll(race: Race, v: int, purpose: int, dice: int) -> int:
    """Roll dice into `race.cars[v].dice` and return their number."""
    dice = max(0, min(MOST_DICE, dice))
    for n in range(dice):
        race.cars[v].dice[n] = roll_die(race, v, purpose)
    race.cars[v].count = dice
    return dice


@kernel
def reroll(race: Race, v: int, purpose: int, mask: int, most: int) -> None:
    """Re-roll up to `most` dice of the mask at once (CD-13)."""
    for n in range(race.cars[v].count):
        if most > 0 and (mask >> n) & 1:
            race.cars[v].dice[n] = roll_die(race, v, purpose)
            most -= 1


@kernel
def value_of(race: Race, face: int) -> int:
    """Return the number on a face."""
    return int(race.rules.faces_value[face])


@kernel
def value(race: Race, v: int) -> int:
    """Roll a die for a # that is "a die"."""
    return value_of(race, roll_die(race, v, ROLL_OTHER))


@kernel
def usual(race: Race, v: int, which: int) -> int:
    """Return a modifier with its dice at their mean, rounded up."""
    car, faces = race.cars[v], 0
    if car.mod_dice[which] == 0:
        return int(car.mods[which])
    for face in range(6):
        faces += value_of(race, face)
    return int(car.mods[which] + (faces * car.mod_dice[which] + 3) // 6)


@kernel
def modifier(race: Race, v: int, which: int) -> int:
    """Return a modifier now; dice in it are rolled every time."""
    car = race.cars[v]
    total = car.mods[which]
    dice = car.mod_dice[which]
    for _ in range(abs(dice)):
        total += value(race, v) if dice > 0 else -value(race, v)
    return int(total)


Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

# columns of a control table
POSE = 0  # 6: slide · 3 + (0 no spin, 1 left, 2 right), boxes unmoved
BOXES = 6  # 7: boxes −3 … 3 without slide or spin; the middle one is POSE + 0
HURT, POINTS, TIRED = 13, 14, 15

W_SLIDE, W_SPIN, W_BOX, W_HURT, W_POINT, W_TIRED = 0.2, 0.15, 0.1, 0.3, 0.06, 0.03


class RollRules(NamedTuple):
    """A way to read control rolls. damage icons: 0 as printed, 1 ignored, 2 CLP."""

    pairs_first: int = 0
    damage: int = 0
    stamina: int = 1


@kernel
def read(counts: Ints, turning: int, pairs: bool, ignored: int, tires: bool, out: Ints) -> None:
    """Write the effect of the dice left in a control roll to `out`.

    out: slide, spin (left positive), boxes, damage dice, CLP, stamina lost. turning: 1 reads slow
    as haste, −1 haste as slow. pairs: True if pairs still cancel.
    """
    slide, haste, slow = counts[SLIDE], counts[HASTE], counts[SLOW]
    left, right, hurt = counts[LEFT], counts[RIGHT], counts[DAMAGE]
    if turning > 0:
        haste, slow = haste + slow, 0
    elif turning < 0:
        haste, slow = 0, haste + slow
    points, tired = 0, 0
    if pairs:
        both = min(left, right)
        left, right, points = left - both, right - both, both
        both = min(haste, slow)
        haste, slow = haste - both, slow - both
        if tires:
            tired = both
        else:
            points += both
    if ignored == 1:
        hurt = 0
    most = max(slide, haste, slow, left, right, hurt)
    for n in range(6):
        out[n] = 0
    if most > 0:
        if slide == most:
            out[0] = slide
            points += 1
        if left == most:
            out[1] += 1
            points += 1
        if right == most:
            out[1] -= 1
            points += 1
        if haste == most:
            out[2] += haste
            points += 1
        if slow == most:
            out[2] -= slow
            points += 1
        if hurt == most:
            points += 1
            if ignored == 2:
                points += hurt
            else:
                out[3] = hurt
    out[4], out[5] = points, tired


@kernel
def _code(counts: Ints) -> int:
    code = 0
    for icon in range(6):
        code = code * (MOST + 1) + counts[icon]
    return code


@entry
def _control(
    discards: int, rerolls: int, pairs_first: int, ignored: int, tires: int, turning: int
) -> Floats:
    number = np.full((MOST + 1) ** 6, -1, np.int32)
    total = 8008
    rolls = np.zeros((total, 6), np.int64)
    ways = np.zeros(total)
    starts = np.zeros(MOST + 2, np.int64)
    factorial = np.ones(MOST + 1)
    for n in range(1, MOST + 1):
        factorial[n] = factorial[n - 1] * n
    here = 0
    for n in range(MOST + 1):
        starts[n] = here
        for a in range(n + 1):
            for b in range(n - a + 1):
                for c in range(n - a - b + 1):
                    for d in range(n - a - b - c + 1):
                        for e in range(n - a - b - c - d + 1):
                            f = n - a - b - c - d - e
                            roll = rolls[here]
                            roll[0], roll[1], roll[2] = a, b, c
                            roll[3], roll[4], roll[5] = d, e, f
                            number[_code(roll)] = here
                            chance = factorial[n] / 6.0**n
                            for icon in range(6):
                                chance /= factorial[roll[icon]]
                            ways[here] = chance
                            here += 1
    starts[MOST + 1] = here
    worth = np.zeros(total)
    rows = np.zeros((total, ROW))
    out = np.zeros(6, np.int64)
    for m in range(total):
        read(rolls[m], turning, True, ignored, tires > 0, out)
        row = rows[m]
        shift = min(max(out[2], -SHIFT), SHIFT)
        spin = 0 if out[1] == 0 else (1 if out[1] > 0 else 2)
        slide = 1 if out[0] > 0 else 0
        if slide == 0 and spin == 0 and shift != 0:
            row[BOXES + SHIFT + shift] = 1.0
        else:
            row[POSE + slide * 3 + spin] = 1.0
        row[HURT], row[POINTS], row[TIRED] = out[3], out[4], out[5]
        worth[m] = (
            W_SLIDE * slide
            + W_SPIN * (spin > 0)
            + W_BOX * abs(out[2])
            + W_HURT * out[3]
            + W_POINT * out[4]
            + W_TIRED * out[5]
        )
    last = worth.copy()
    kept = rows.copy()
    # from few dice to many: each roll needs the best one with a die less
    for _ in range(discards):
        better, rows_ = last.copy(), kept.copy()
        for m in range(total):
            roll = rolls[m]
            for icon in range(6):
                if roll[icon]:
                    roll[icon] -= 1
                    less = number[_code(roll)]
                    roll[icon] += 1
                    if last[less] < better[m] - 1e-12:
                        better[m] = last[less]
                        rows_[m] = kept[less]
        last, kept = better, rows_
    base, base_rows = last, kept
    for _ in range(rerolls):
        better, rows_ = base.copy(), base_rows.copy()
        for m in range(total):
            roll = rolls[m]
            for icon in range(6):
                if roll[icon] == 0:
                    continue
                roll[icon] -= 1
                mean = 0.0
                for new in range(6):
                    roll[new] += 1
                    mean += last[number[_code(roll)]]
                    roll[new] -= 1
                mean /= 6.0
                if mean < better[m] - 1e-12:
                    better[m] = mean
                    rows_[m] = 0.0
                    for new in range(6):
                        roll[new] += 1
                        rows_[m] += kept[number[_code(roll)]] / 6.0
                        roll[new] -= 1
                roll[icon] += 1
        last, kept = better, rows_
    table = np.zeros((MOST + 1, ROW))
    for n in range(MOST + 1):
        for m in range(starts[n], starts[n + 1]):
            table[n] += ways[m] * kept[m]
    return table


@lru_cache(maxsize=256)
def control_table(discards: int, rerolls: int, rules: RollRules, turning: int = 0) -> Floats:
    """Return the mean effects of control rolls of 0 to `MOST` dice."""
    return _control(
        min(discards, MOST), rerolls, rules.pairs_first, rules.damage, rules.stamina, turning
    )


class Sums(NamedTuple):
    """Sets of sums as bits, with their odds, by dice, limit and place; and the number of sets."""

    sets: Ints
    odds: Floats
    sizes: Ints


@lru_cache(maxsize=8)
def sums_of(die: Die) -> Sums:
    """Return the sets of sums that speed checks leave to choose from."""
    sets = np.zeros((CHECK_DICE + 1, 3, SETS), np.int64)
    odds = np.zeros((CHECK_DICE + 1, 3, SETS))
    sizes = np.zeros((CHECK_DICE + 1, 3), np.int64)
    for dice in range(1, CHECK_DICE + 1):
        for limit in range(3):
            found: dict[int, float] = {}
            for values, part in value_rolls(die, dice):
                mask = 0
                for kept in possible_sums(values, limit):
                    mask |= 1 << kept
                found[mask] = found.get(mask, 0.0) + part
            likely = sorted(found.items(), key=lambda item: -item[1])[:SETS]
            for place, (mask, part) in enumerate(likely):
                sets[dice, limit, place], odds[dice, limit, place] = mask, part
            sizes[dice, limit] = len(likely)
    return Sums(sets, odds, sizes)


@lru_cache(maxsize=8)
def fights_of(die: Die) -> Floats:
    """Return, for each number of dice, the probability of every sum of the best two."""
    most = 2 * max(die.values)
    table = np.zeros((CHECK_DICE + 3, most + 1))
    for dice in range(1, CHECK_DICE + 3):
        for kept, part in keep_odds(die, dice).items():
            table[dice, kept] = part
    return table
