import random

from chariots import OPTIONS, Script, shipped, start, trait
from gridpress_chariot_dash import control, speed_check
from gridpress_chariot_dash.cards import Front, Moment, Play, Use
from gridpress_chariot_dash.dice import RandomDice
from gridpress_chariot_dash.race.race import before_move, end_of_round, start_of_round
from gridpress_chariot_dash.speed_check import ALONE, SpeedPlan
from gridpress_chariot_dash.state import NOTHING, play, starting
from hypothesis import given
from hypothesis import strategies as st


def test_a_round_ends_with_stamina_clp_and_cards() -> None:
    state = start(trait("reactions", 1), speed=5).conditioned(clp_each_round=2)
    state, _ = play(state, [Play(0, Use.WHIP)], Moment.MOVE)
    after = end_of_round(state, OPTIONS, Script())
    assert (after.stamina, after.clp, after.speed) == (8, 1, 4)
    assert after.piles.recovery == (0,)
    assert end_of_round(after, OPTIONS, Script()).piles.hand == (1, 2, 3, 4, 5, 0)


def test_a_new_round_has_its_swaps_again() -> None:
    assert start_of_round(start()._replace(swaps=2)).swaps == 0


def test_nothing_played_before_the_move_changes_nothing() -> None:
    state = start(speed=3).unsteadied(1)
    assert before_move(state, NOTHING) == (state, False)


@given(st.sampled_from(shipped()), st.integers(), st.data())
def test_whole_rounds_keep_every_track(one, seed: int, data: st.DataObject) -> None:
    dice = RandomDice(random.Random(seed))
    state = starting(one, OPTIONS)
    for _ in range(8):
        state = start_of_round(state)
        card = data.draw(st.sampled_from(state.piles.hand or (None,)))
        plays = []
        if card is not None:
            reins = one.cards[card].front is Front.REINS
            plays = [Play(card, Use.REINS if reins else Use.WHIP)]
        state, played = play(state, plays, Moment.SPEED)
        way = speed_check.directions(state, played.cards, ALONE, OPTIONS)[0]
        state, _ = speed_check.check(state, SpeedPlan(way), dice, OPTIONS, played)
        asked = control.demand(state, OPTIONS)
        if asked:
            state, _ = control.resolve(state, control.roll(asked, dice), dice, OPTIONS)
        state = end_of_round(state, OPTIONS, dice)
        piles = state.piles
        cards = piles.hand + piles.recovery + piles.spent + piles.gone
        assert sorted(cards) == list(range(len(one.cards)))
        assert 0 <= state.clp <= 19
        assert one.stamina_minimum <= state.stamina <= 10
        assert 0 <= state.speed <= state.condition.speed_most
        assert 0 <= state.marker.acceleration < len(one.table.below)
        assert 0 <= state.marker.deceleration < len(one.table.above)
