import pytest
from gridpress_chariot_dash.cards import Card, Front, Piles


def test_a_plain_card_has_no_special_and_no_number() -> None:
    assert Card(Front.WHIP) == Card(Front.WHIP, special="", number=0, once=False)


def test_a_card_goes_from_hand_to_spent_to_recovery_to_hand() -> None:
    piles = Piles((0, 1, 2)).played((1,))
    assert piles == Piles((0, 2), spent=(1,))
    piles = piles.recovered()
    assert piles == Piles((0, 2), recovery=(1,))
    assert piles.played((0,)).recovered() == Piles((2, 1), recovery=(0,))


def test_what_is_used_up_leaves_the_race() -> None:
    assert Piles((0, 1)).played((0, 1), (1,)) == Piles((), spent=(0,), gone=(1,))


def test_cards_that_are_not_there_cannot_be_moved() -> None:
    with pytest.raises(ValueError, match="not in the hand"):
        Piles((0, 1)).played((0, 0))
    with pytest.raises(ValueError, match="not in Spent"):
        Piles((0, 1)).taken_back((0,))


def test_a_lost_card_is_gone_from_any_pile() -> None:
    piles = Piles((0,), (1,), (2,))
    for card in range(3):
        lost = piles.without(card)
        assert lost.gone == (card,)
        assert sorted(lost.hand + lost.recovery + lost.spent + lost.gone) == [0, 1, 2]
