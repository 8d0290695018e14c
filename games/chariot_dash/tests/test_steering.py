"""Cards of a hand for what a driver plans: the cheap ones first, and always if there are enough."""

from itertools import chain, combinations, product

import pytest
from chariots import OPTIONS, vehicle
from gridpress_chariot_dash.cards import Front, Piles, Use
from gridpress_chariot_dash.race.steering import count_cards, pick_cards
from gridpress_chariot_dash.state import State, starting

SPECIALS = [{"side": "whip", "special": "lash"}, {"side": "reins", "special": "whoah", "number": 2}]
MIXED = vehicle(whip=2, reins=2, dual=2, specials=SPECIALS)
WHIP, REINS, DUAL = 0, 2, 4
SPECIAL_WHIP, SPECIAL_REINS = 6, 7


def holding(*hand: int) -> State:
    return starting(MIXED, OPTIONS)._replace(piles=Piles(hand))


@pytest.mark.parametrize(("whips", "reins"), product(range(3), range(3)))
def test_cards_are_found_whenever_the_hand_has_them(whips: int, reins: int) -> None:
    cards = range(len(MIXED.cards))
    for hand in chain.from_iterable(combinations(cards, size) for size in range(len(cards) + 1)):
        state = holding(*hand)
        of_whip, of_reins, dual = count_cards(state)
        plays = pick_cards(state, whips, reins)
        enough = max(0, whips - of_whip) + max(0, reins - of_reins) <= dual
        assert (plays is not None) == enough, hand
        if plays is None:
            continue
        assert [play.use for play in plays] == [Use.WHIP] * whips + [Use.REINS] * reins
        assert len({play.card for play in plays} & set(hand)) == whips + reins
        for play in plays:
            assert MIXED.cards[play.card].front in (Front.DUAL, int(play.use))


def picked(state: State, whips: int, reins: int) -> list[int]:
    return [play.card for play in pick_cards(state, whips, reins) or ()]


def test_plain_cards_go_before_dual_ones_and_those_before_specials() -> None:
    assert picked(holding(WHIP, DUAL, SPECIAL_WHIP), 1, 0) == [WHIP]
    assert picked(holding(DUAL, SPECIAL_WHIP), 1, 0) == [DUAL]
    assert picked(holding(REINS, SPECIAL_WHIP), 1, 0) == [SPECIAL_WHIP]


def test_a_special_goes_where_the_dual_card_is_needed_for_the_other_side() -> None:
    assert picked(holding(DUAL, SPECIAL_WHIP), 1, 1) == [SPECIAL_WHIP, DUAL]
    assert picked(holding(DUAL, SPECIAL_REINS), 1, 1) == [DUAL, SPECIAL_REINS]
