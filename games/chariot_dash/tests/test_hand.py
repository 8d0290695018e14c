import random

import pytest
from chariots import OPTIONS, shipped, start, trait
from gridpress_chariot_dash import damage
from gridpress_chariot_dash.cards import Card, Front, Moment, Piles, Play, Use
from gridpress_chariot_dash.dice import RandomDice
from gridpress_chariot_dash.race.race import end_of_round, start_of_round
from gridpress_chariot_dash.state import NOTHING, Played, State, expendable, play, recover, starting
from hypothesis import given
from hypothesis import strategies as st

LASH = {"side": "whip", "special": "lash", "number": 2}
ONCE = {"side": "reins", "special": "cool", "once": True}


def test_no_plays_change_nothing() -> None:
    state = start()
    assert play(state, [], Moment.SPEED) == (state, NOTHING)


def test_whips_and_reins_are_counted() -> None:
    state = start(dual=1)
    plays = [Play(0, Use.WHIP), Play(3, Use.REINS), Play(6, Use.REINS)]
    after, played = play(state, plays, Moment.SPEED)
    assert played == Played(whips=1, reins=2)
    assert played.cards == 3
    assert after.piles.spent == (0, 3, 6)


def test_a_special_is_its_front_or_its_back() -> None:
    state = start(specials=[LASH, ONCE])
    assert play(state, [Play(6, Use.WHIP)], Moment.SPEED)[1] == Played(whips=1)
    after, played = play(state, [Play(6, Use.SPECIAL)], Moment.SPEED)
    assert (played.cards, played.boost.lashes) == (0, 2)
    assert after.piles.spent == (6,)


def test_once_means_out_of_the_race_when_the_special_is_used() -> None:
    state = start(specials=[LASH, ONCE])
    used = play(state, [Play(7, Use.SPECIAL)], Moment.CONTROL)[0]
    assert used.piles.gone == (7,)
    as_front = play(state, [Play(7, Use.REINS)], Moment.CONTROL)[0]
    assert as_front.piles.spent == (7,)


def test_plays_that_are_not_allowed_are_refused() -> None:
    state = start(specials=[LASH])
    for plays, words in (
        ([Play(0, Use.REINS)], "does not count as"),
        ([Play(0, Use.SPECIAL)], "has no special"),
        ([Play(0, Use.WHIP), Play(0, Use.WHIP)], "not in the hand"),
    ):
        with pytest.raises(ValueError, match=words):
            play(state, plays, Moment.SPEED)
    with pytest.raises(ValueError, match="not played at the moment CONTROL"):
        play(state, [Play(6, Use.SPECIAL)], Moment.CONTROL)


def test_the_card_that_is_missed_least_goes_first() -> None:
    cards = (Card(Front.WHIP), Card(Front.REINS), Card(Front.DUAL), Card(Front.WHIP, "yah"))
    assert expendable(cards, Piles((0,), (1,), (2, 3)), "Whip") == 2
    assert expendable(cards, Piles((0,), (1,), (3,)), "Whip") == 3
    assert expendable(cards, Piles((0, 1, 2, 3)), "Reins") == 1
    assert expendable(cards, Piles((0, 1, 2, 3)), "either") == 0
    assert expendable(cards, Piles((0, 3)), "Reins") is None


def everything(state: State) -> list[int]:
    piles = state.piles
    return sorted(piles.hand + piles.recovery + piles.spent + piles.gone)


@given(st.data(), st.sampled_from(shipped()), st.integers())
def test_cards_are_conserved(data: st.DataObject, vehicle, seed: int) -> None:
    dice = RandomDice(random.Random(seed))
    state = starting(vehicle, OPTIONS)
    whole = everything(state)
    for _ in range(6):
        state = start_of_round(state)
        for card in data.draw(st.permutations(state.piles.hand))[:2]:
            front = state.vehicle.cards[card].front
            use = Use.REINS if front is Front.REINS else Use.WHIP
            state, _ = play(state, [Play(card, use)], Moment.SPEED)
        assert everything(state) == whole
        state = damage.take(state, data.draw(st.integers(0, 1)), dice)
        state = end_of_round(state, OPTIONS, dice)
        assert everything(state) == whole


def test_recovery_takes_cards_from_spent_only() -> None:
    state = start(trait("stamina", 2))
    state, _ = play(state, [Play(0, Use.WHIP)], Moment.SPEED)
    with pytest.raises(ValueError, match="not in Spent"):
        recover(state, [1])
    assert recover(state, [0]).piles.hand == (1, 2, 3, 4, 5, 0)
