"""A hand in, which cards to play out: plain cards go before dual ones, those before specials."""

from __future__ import annotations

from functools import lru_cache
from itertools import combinations

from gridpress_chariot_dash.cards import Card, Front, Play, Use
from gridpress_chariot_dash.state import State
from gridpress_chariot_dash.vehicle import Vehicle


def pick(state: State, whips: int, reins: int) -> tuple[Play, ...] | None:
    """So many cards to be played as Whips and as Reins; None if the hand does not have them."""
    return _picked(state.vehicle, state.piles.hand, whips, reins)


@lru_cache(maxsize=1 << 16)
def _picked(
    vehicle: Vehicle, hand: tuple[int, ...], whips: int, reins: int
) -> tuple[Play, ...] | None:
    order = sorted(hand, key=lambda index: _dear(vehicle.cards[index]))
    as_whips, as_reins = (
        [index for index in order if vehicle.cards[index].front in (Front.DUAL, front)]
        for front in (Front.WHIP, Front.REINS)
    )
    for whipped in combinations(as_whips, whips):
        reined = [index for index in as_reins if index not in whipped][:reins]
        if len(reined) == reins:
            played = ((Use.WHIP, whipped), (Use.REINS, reined))
            return tuple(Play(index, use) for use, indices in played for index in indices)
    return None


def any_cards(state: State, count: int) -> tuple[Play, ...]:
    """Up to so many cards of whatever type there are most of, as on a control roll."""
    cards, hand = state.vehicle.cards, state.piles.hand
    whips = sum(cards[index].front == Front.WHIP for index in hand)
    more = Front.WHIP if 2 * whips > len(hand) else Front.REINS
    order = sorted(hand, key=lambda i: (bool(cards[i].special), cards[i].front != more, i))
    return tuple(
        Play(i, Use.WHIP if cards[i].front == Front.WHIP else Use.REINS) for i in order[:count]
    )


def special(state: State, name: str) -> tuple[Play, ...]:
    """The special card of that name, if it is in the hand; played for its back."""
    cards = state.vehicle.cards
    for index in state.piles.hand:
        if cards[index].special == name:
            return (Play(index, Use.SPECIAL),)
    return ()


def counts(state: State) -> tuple[int, int, int]:
    """Whips, Reins and dual cards in the hand."""
    return _counted(state.vehicle, state.piles.hand)


@lru_cache(maxsize=1 << 16)
def _counted(vehicle: Vehicle, hand: tuple[int, ...]) -> tuple[int, int, int]:
    fronts = [0, 0, 0]
    for index in hand:
        fronts[vehicle.cards[index].front] += 1
    return fronts[0], fronts[1], fronts[2]


def _dear(card: Card) -> tuple[bool, Front]:
    return bool(card.special), card.front
