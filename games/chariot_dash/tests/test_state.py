import pickle
import random
from dataclasses import replace

import pytest
from chariots import OPTIONS, components, shipped, start, trait, vehicle
from gridpress_chariot_dash import damage
from gridpress_chariot_dash.cards import Card, Front, Moment, Piles, Play, Use
from gridpress_chariot_dash.dice import RandomDice
from gridpress_chariot_dash.race.race import end_of_round, start_of_round
from gridpress_chariot_dash.state import (
    NOTHING,
    Options,
    Played,
    State,
    expendable,
    play,
    recover,
    starting,
)
from gridpress_chariot_dash.vehicle import Marker
from hypothesis import given
from hypothesis import strategies as st


def test_a_race_starts_at_rest_or_at_the_end_of_speed_2() -> None:
    state = starting(vehicle(control_minimum=1), OPTIONS)
    assert (state.marker, state.speed, state.clp, state.stamina) == (Marker(0, 0), 0, 1, 10)
    assert state.piles.hand == (0, 1, 2, 3, 4, 5)
    rolling = starting(vehicle(), replace(OPTIONS, rolling_start=True))
    assert (rolling.marker, rolling.speed) == (Marker(3, 3), 2)


def test_reaching_a_safe_speed_clears_the_clp() -> None:
    state = start(speed=3).unsteadied(3)
    assert state.moved(1).clp == 3
    assert state.moved(-1).clp == 0
    assert state.rated(1).clp == 0
    at_rest = start(speed=1).unsteadied(2)
    assert at_rest.moved(1).clp == 2
    assert at_rest.settled().clp == 0
    assert state.settled().clp == 3


def test_a_maximum_speed_takes_effect_at_once_and_from_then_on() -> None:
    state = start(speed=6).conditioned(speed_most=4)
    assert state.marker == state.vehicle.table.last[4]
    assert state.moved(1).marker == state.vehicle.table.last[4]
    assert state.rated(6).speed == 4


def test_a_state_travels_to_another_process() -> None:
    state = start(trait("lash", 2), speed=3).unsteadied(2)
    back = pickle.loads(pickle.dumps(state))
    assert back[1:] == state[1:]
    assert back.vehicle.cards == state.vehicle.cards
    assert back.moved(2).marker == state.moved(2).marker


@given(st.sampled_from(shipped()), st.lists(st.integers(-30, 30), max_size=8))
def test_tracks_are_never_left(one, changes: list[int]) -> None:
    state = starting(one, OPTIONS)
    for change in changes:
        state = state.unsteadied(change).tired(-change).moved(change)
        assert max(0, one.control_minimum) <= state.clp <= 19
        assert one.stamina_minimum <= state.stamina <= 10
        assert 0 <= state.speed <= 6


def test_the_defaults_are_what_the_pack_has_in_force() -> None:
    with_all = [{"in_force": False, **component} for component in components("options.yaml")]
    assert Options.of(with_all) == Options()


def test_options_are_read_and_others_left_out() -> None:
    read = Options.of([{"id": "jumps", "in_force": False}, {"id": "night", "in_force": True}])
    assert not read.jumps
    assert read.truce


def test_truce_holds_in_the_first_round_and_friendly_races_always() -> None:
    assert [Options().attacks_allowed(n) for n in (1, 2)] == [False, True]
    assert Options(truce=False).attacks_allowed(1)
    assert not Options(friendly=True).attacks_allowed(5)


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
