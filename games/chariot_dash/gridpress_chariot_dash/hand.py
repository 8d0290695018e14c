"""Playing cards: a state and plays in, the state without them and what they amount to out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from gridpress_chariot_dash.cards import Card, Front, Moment, Piles, Play, Use
from gridpress_chariot_dash.specials import NO_BOOST, Boost, boost, together
from gridpress_chariot_dash.state import State


class Played(NamedTuple):
    """How many cards were played as a Whip and as Reins, and what the specials add."""

    whips: int = 0
    reins: int = 0
    boost: Boost = NO_BOOST

    @property
    def cards(self) -> int:
        """Cards that count as cards: specials do not."""
        return self.whips + self.reins


NOTHING = Played()


def play(state: State, plays: Sequence[Play], moment: Moment) -> tuple[State, Played]:
    """Cards go to Spent (a special that is used up leaves the race) and count for this moment.

    A dual card counts as either type. A card counts as the other type by Encouragement (Reins as
    a Whip in a speed check or for an extra hex), by Snapper (a Whip as Reins in a vehicle attack)
    or by one of the round's swaps (Adaptive). ValueError for a card that is not in the hand, or
    does not count as what it is played as.
    """
    if not plays:
        return state, NOTHING
    whips = reins = swaps = 0
    extra = NO_BOOST
    used_up: tuple[int, ...] = ()
    for index, use in plays:
        card = state.vehicle.cards[index]
        if use is Use.SPECIAL:
            if not card.special:
                raise ValueError(f"card {index} has no special")
            extra = together(extra, boost(card.special, card.number, moment))
            used_up += (index,) if card.once else ()
            continue
        swaps += not _counts(state, card, use, moment)
        whips += use is Use.WHIP
        reins += use is Use.REINS
    swaps += state.swaps
    if swaps > max(state.swaps, state.modifiers.swaps):
        raise ValueError("a card is played as a type that it does not count as")
    piles = state.piles.played(tuple(index for index, _ in plays), used_up)
    return state._replace(piles=piles, swaps=swaps), Played(whips, reins, extra)


def _counts(state: State, card: Card, use: Use, moment: Moment) -> bool:
    """Whether the card counts as this type without a swap."""
    if card.front == Front.DUAL or int(card.front) == int(use):
        return True
    if use is Use.WHIP:
        return bool(state.modifiers.reins_as_whip) and moment in (Moment.SPEED, Moment.MOVE)
    return bool(state.modifiers.whip_as_reins) and moment is Moment.VEHICLE_ATTACK


def recover(state: State, cards: Sequence[int]) -> State:
    """The turn of a round: up to as many cards as the trait Stamina says, from Spent to hand.

    The pack says the hand; ValueError for more cards, or one that is not in Spent.
    """
    if len(cards) > state.modifiers.recovers:
        raise ValueError(f"at most {state.modifiers.recovers} cards may be recovered")
    return state._replace(piles=state.piles.taken_back(tuple(cards)))


def expendable(cards: tuple[Card, ...], piles: Piles, kind: str) -> int | None:
    """The card whose loss hurts least: from Spent before Recovery before the hand.

    Within a pile a plain card goes before a dual and a dual before a special. kind: "Whip",
    "Reins" or "either"; a dual card is of both types. None if there is no such card.
    """
    wanted = {"Whip": (Front.WHIP, Front.DUAL), "Reins": (Front.REINS, Front.DUAL)}
    fronts = wanted.get(kind, tuple(Front))
    for pile in (piles.spent, piles.recovery, piles.hand):
        fitting = [card for card in pile if cards[card].front in fronts]
        if fitting:
            return min(fitting, key=lambda c: (bool(cards[c].special), cards[c].front, c))
    return None
