"""Special cards: names and numbers in, what they add to the moment of their use out. One table.

A special card is played for its back instead of as a Whip or Reins, so it adds no die by itself.
What it does is a `Boost` that the step of the round concerned reads, together with the traits.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final, NamedTuple

from gridpress_chariot_dash.cards import Front, Moment


class Boost(NamedTuple):
    """What specials add; 0 is nothing.

    dice, discards, rerolls, plus: of the roll at hand, for the vehicle that played the card.
    lashes: dice that may be rolled again to accelerate. hinders: taken off the attacker's sum.
    clp, damage_dice: what the player takes afterwards. rammed: damage dice of the other vehicle in
    a collision. ignores: points of damage just rolled that do not count. brakes: boxes to
    decelerate by, at most. The rest are yes (above 0) or no.
    """

    dice: int = 0
    discards: int = 0
    rerolls: int = 0
    plus: int = 0
    lashes: int = 0
    hinders: int = 0
    clp: int = 0
    damage_dice: int = 0
    rammed: int = 0
    ignores: int = 0
    brakes: int = 0
    halves: int = 0
    clears: int = 0
    rests: int = 0
    slow_as_haste: int = 0
    haste_as_slow: int = 0


NO_BOOST: Final = Boost()


class Special(NamedTuple):
    """behind: the fronts that it may stand behind; moments: when it is played; boost: by number."""

    behind: tuple[Front, ...]
    moments: tuple[Moment, ...]
    boost: Callable[[int], Boost]


_WHIP: Final = (Front.WHIP,)
_REINS: Final = (Front.REINS,)
_EITHER: Final = (Front.WHIP, Front.REINS)
_DEFENCE: Final = (Moment.VEHICLE_DEFENCE, Moment.PERSONAL_DEFENCE)
_ATTACK: Final = (Moment.VEHICLE_ATTACK, Moment.PERSONAL_ATTACK)
_ROLLS: Final = (Moment.SPEED, Moment.CONTROL, *_ATTACK, *_DEFENCE, Moment.DAMAGE)

SPECIALS: Final[Mapping[str, Special]] = {
    # behind a Whip
    "berserker": Special(_WHIP, (Moment.PERSONAL_ATTACK,), lambda n: Boost(plus=n, clp=n)),
    "shield": Special(_WHIP, _DEFENCE, lambda n: Boost(dice=n)),
    "lash": Special(_WHIP, (Moment.SPEED,), lambda n: Boost(lashes=n)),
    "yah": Special(_WHIP, (Moment.CONTROL,), lambda n: Boost(slow_as_haste=1)),
    "ramming-speed": Special(_WHIP, (Moment.COLLISION,), lambda n: Boost(rammed=2)),
    # behind Reins
    "kamikaze": Special(_REINS, (Moment.VEHICLE_ATTACK,), lambda n: Boost(plus=n, damage_dice=n)),
    "swerve": Special(_REINS, _DEFENCE, lambda n: Boost(hinders=n)),
    "whoah": Special(_REINS, (Moment.BEFORE_MOVE,), lambda n: Boost(brakes=n)),
    "brake": Special(_REINS, (Moment.CONTROL,), lambda n: Boost(haste_as_slow=1)),
    "emergency-stop": Special(_REINS, (Moment.BEFORE_MOVE,), lambda n: Boost(halves=1)),
    # behind either
    "control": Special(_EITHER, (Moment.CONTROL,), lambda n: Boost(discards=n)),
    "survivor": Special(_EITHER, (Moment.DAMAGE,), lambda n: Boost(ignores=1)),
    "lucky": Special(_EITHER, _ROLLS, lambda n: Boost(rerolls=n)),
    "cool": Special(_EITHER, (Moment.BEFORE_MOVE, Moment.CONTROL), lambda n: Boost(clears=1)),
    "determination": Special(_EITHER, (Moment.STAMINA,), lambda n: Boost(rests=1)),
}
"""The facts leave open whether Berserker and Kamikaze serve a defender: they are the attacker's."""


def boost(name: str, number: int, moment: Moment) -> Boost:
    """What a special card adds. ValueError when this is not the moment to play it."""
    special = SPECIALS[name]
    if moment not in special.moments:
        raise ValueError(f"{name} is not played at the moment {moment.name}")
    return special.boost(number)


def together(first: Boost, second: Boost) -> Boost:
    """What two boosts add up to."""
    return Boost(*map(int.__add__, first, second))
