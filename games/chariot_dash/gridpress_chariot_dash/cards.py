"""Cards of a hand, where each lies, and what the specials on their backs add: one table.

A special card is played for its back instead of as a Whip or Reins, so it adds no die by itself.
What it does is a `Boost` that the step of the round concerned reads, together with the traits.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import IntEnum
from typing import Final, NamedTuple


class Use(IntEnum):
    """What a card is played as."""

    WHIP = 0
    REINS = 1
    SPECIAL = 2


class Front(IntEnum):
    """What a card shows: one type, or one on each side."""

    WHIP = 0
    REINS = 1
    DUAL = 2


class Moment(IntEnum):
    """When cards are played: a roll, a step of the round, or just before or after one."""

    SPEED = 0
    BEFORE_MOVE = 1
    MOVE = 2
    CONTROL = 3
    VEHICLE_ATTACK = 4
    PERSONAL_ATTACK = 5
    VEHICLE_DEFENCE = 6
    PERSONAL_DEFENCE = 7
    COLLISION = 8
    DAMAGE = 9
    STAMINA = 10


class Card(NamedTuple):
    """One card. special: the id of what its back says, or "". once: its special is used up."""

    front: Front
    special: str = ""
    number: int = 0
    once: bool = False


class Play(NamedTuple):
    """A card, by its place in the vehicle's cards, and what it is played as."""

    card: int
    use: Use


class Piles(NamedTuple):
    """Where the cards are, by their places in the vehicle's cards; `gone` is out of the race."""

    hand: tuple[int, ...]
    recovery: tuple[int, ...] = ()
    spent: tuple[int, ...] = ()
    gone: tuple[int, ...] = ()

    def played(self, cards: tuple[int, ...], used_up: tuple[int, ...] = ()) -> Piles:
        """From the hand to Spent, those used up out of the race. ValueError if not in hand."""
        hand = list(self.hand)
        for card in cards:
            if card not in hand:
                raise ValueError(f"card {card} is not in the hand")
            hand.remove(card)
        spent = tuple(card for card in cards if card not in used_up)
        return self._replace(hand=tuple(hand), spent=self.spent + spent, gone=self.gone + used_up)

    def recovered(self) -> Piles:
        """The end of a round: Recovery returns to the hand, then Spent moves to Recovery."""
        return self._replace(hand=self.hand + self.recovery, recovery=self.spent, spent=())

    def taken_back(self, cards: tuple[int, ...]) -> Piles:
        """Cards from Spent straight to the hand. ValueError if one is not in Spent."""
        spent = list(self.spent)
        for card in cards:
            if card not in spent:
                raise ValueError(f"card {card} is not in Spent")
            spent.remove(card)
        return self._replace(hand=self.hand + cards, spent=tuple(spent))

    def without(self, card: int) -> Piles:
        """The card leaves the race, wherever it lies."""
        return Piles(
            tuple(c for c in self.hand if c != card),
            tuple(c for c in self.recovery if c != card),
            tuple(c for c in self.spent if c != card),
            (*self.gone, card),
        )


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
