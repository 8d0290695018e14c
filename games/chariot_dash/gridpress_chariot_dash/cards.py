"""Cards: what a hand is made of, and where each card lies. Nothing here decides what they do."""

from __future__ import annotations

from enum import IntEnum
from typing import NamedTuple


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
