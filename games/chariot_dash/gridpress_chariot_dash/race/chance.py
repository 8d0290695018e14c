"""Dice of a race: drawn by counting, so that they depend on nothing but where they fall.

The n-th die of a purpose, car and round of a race is always the same, whatever else was rolled: two
vehicles, or two choices, meet the same luck. Numbers stay within 63 bits, as plain Python has them.
"""

from __future__ import annotations

from gridpress_chariot_dash import dice as plain
from gridpress_chariot_dash.race.kernel import kernel
from gridpress_chariot_dash.race.layout import MOST_DICE, ROLL_OTHER, Race

_WORD = 0xFFFFFFFF

limit_of = kernel(plain.limit_of)


@kernel
def mixed(x: int) -> int:
    """32 bits in, 32 well stirred bits out (a multiply and shift hash)."""
    x &= _WORD
    x ^= x >> 16
    x = (x * 0x21F0AAAD) & _WORD
    x ^= x >> 15
    x = (x * 0x735A2D97) & _WORD
    return x ^ (x >> 15)


@kernel
def draw(race: Race, v: int, purpose: int) -> int:
    """A face, 0 to 5, of the car's next die for this purpose."""
    rules, car = race.rules[0], race.cars[v]
    count = car.drawn[purpose]
    car.drawn[purpose] = count + 1
    place = mixed(rules.key + rules.race_round * 0x9E3779B1)
    return mixed(place + v * 0x05EBCA6B + purpose * 0x42B2AE35 + count * 0x27D4EB2F) % 6


@kernel
def roll(race: Race, v: int, purpose: int, dice: int) -> int:
    """So many dice on the table, `race.dice[v]`; returns their number."""
    dice = max(0, min(MOST_DICE, dice))
    for n in range(dice):
        race.dice[v, n] = draw(race, v, purpose)
    race.counts[v] = dice
    return dice


@kernel
def reroll(race: Race, v: int, purpose: int, mask: int, most: int) -> None:
    """The dice of the mask once more, at most so many (CD-13: each once, all at the same time)."""
    for n in range(race.counts[v]):
        if most > 0 and (mask >> n) & 1:
            race.dice[v, n] = draw(race, v, purpose)
            most -= 1


@kernel
def value_of(race: Race, face: int) -> int:
    """The number on a face."""
    return int(race.rules[0].faces_value[face])


@kernel
def value(race: Race, v: int) -> int:
    """The value of one die, for a # that is "a die"."""
    return value_of(race, draw(race, v, ROLL_OTHER))


@kernel
def usual(race: Race, v: int, which: int) -> int:
    """What a driver may count on of a modifier: its dice at their mean, rounded up."""
    car, faces = race.cars[v], 0
    if car.mod_dice[which] == 0:
        return int(car.mods[which])
    for face in range(6):
        faces += value_of(race, face)
    return int(car.mods[which] + (faces * car.mod_dice[which] + 3) // 6)


@kernel
def modifier(race: Race, v: int, which: int) -> int:
    """The sum of a modifier now; dice that are part of it are rolled each time."""
    car = race.cars[v]
    total = car.mods[which]
    dice = car.mod_dice[which]
    for _ in range(abs(dice)):
        total += value(race, v) if dice > 0 else -value(race, v)
    return int(total)
