import random
from collections import Counter
from dataclasses import replace

import pytest
from chariots import OPTIONS, Script, fits, shipped, start, trait
from gridpress_chariot_dash.dice import (
    ANY_TWO,
    LOWEST_AND_ANY,
    LOWEST_TWO,
    Die,
    RandomDice,
    expected,
    lowest,
    nearest,
    reroll_high,
)
from gridpress_chariot_dash.speed_check import (
    ALONE,
    SpeedPlan,
    Standing,
    check,
    directions,
    limit,
    odds,
    terms,
)
from gridpress_chariot_dash.state import NOTHING, Options, Played, starting
from hypothesis import given
from hypothesis import strategies as st

FASTER, SLOWER = SpeedPlan(accelerate=True), SpeedPlan(accelerate=False)
QUICK = replace(OPTIONS, quick_speed_check=True)


def test_limits_by_hand() -> None:
    cases = {(1, 0): ANY_TWO, (0, 0): ANY_TWO, (2, 1): ANY_TWO, (1, 1): LOWEST_AND_ANY}
    cases |= {(2, 3): LOWEST_AND_ANY, (1, 2): LOWEST_TWO, (0, 1): LOWEST_TWO, (2, 4): LOWEST_TWO}
    for (helps, hinders), bound in cases.items():
        assert limit(helps, hinders) == bound, (helps, hinders)


def test_without_a_card_a_vehicle_decelerates_by_both_dice() -> None:
    state = start(speed=5)
    assert directions(state, 0, ALONE, OPTIONS) == (False,)
    after, moved = check(state, SLOWER, Script(values=[2, 1]), OPTIONS)
    assert moved == -3
    assert after.marker == state.vehicle.table.decelerate(state.marker, 3)
    with pytest.raises(ValueError, match="may not choose"):
        check(state, FASTER, Script(values=[2, 1]), OPTIONS)


def test_cards_roll_more_dice_and_choose_the_two() -> None:
    state = start(speed=2)
    assert directions(state, 1, ALONE, OPTIONS) == (True, False)
    dice = Script(values=[0, 3, 1, 2])
    after, moved = check(state, FASTER, dice, OPTIONS, Played(whips=2))
    assert (moved, dice.used_up) == (5, True)
    assert after.marker.acceleration == state.marker.acceleration + 5


def test_reins_bind_an_acceleration_and_whips_a_deceleration() -> None:
    state = start(speed=4)
    for plan, same, other in ((FASTER, 5, 1), (SLOWER, -5, -1)):
        helps = Played(whips=2) if plan is FASTER else Played(reins=2)
        hinders = Played(reins=2) if plan is FASTER else Played(whips=2)
        values = [0, 1, 2, 3]
        assert check(state, plan, Script(values=values), OPTIONS, helps)[1] == same
        assert check(state, plan, Script(values=values), OPTIONS, hinders)[1] == other


def test_the_driver_may_keep_less() -> None:
    plan = SpeedPlan(True, keep=nearest(2))
    assert check(start(), plan, Script(values=[3, 2, 0]), OPTIONS, Played(whips=1))[1] == 2


def test_virtual_reins_count_once_but_are_no_card() -> None:
    state = start(speed=4)._replace(virtual_reins=1)
    assert directions(state, 0, ALONE, OPTIONS) == (False,)
    bound = terms(state, True, Played(whips=1), ALONE, OPTIONS)
    assert (bound.dice, bound.limit) == (4, LOWEST_AND_ANY)
    after, moved = check(state, SLOWER, Script(values=[0, 3, 1]), OPTIONS)
    assert moved == -4
    assert (after.virtual_reins, after.virtual_whips) == (0, 0)


def test_virtual_whips_pull_the_other_way() -> None:
    state = start(speed=4)._replace(virtual_whips=1)
    assert check(state, SLOWER, Script(values=[0, 3, 1]), OPTIONS)[1] == -1


def test_damage_changes_and_caps_both_directions() -> None:
    state = start(speed=3).conditioned(acceleration=-2, deceleration=1)
    one = Played(whips=1)
    assert check(state, FASTER, Script(values=[3, 1, 0]), OPTIONS, one)[1] == 2
    assert check(state, FASTER, Script(values=[1, 0, 0]), OPTIONS, one)[1] == 0
    assert check(state, SLOWER, Script(values=[1, 1]), OPTIONS)[1] == -3
    capped = start(speed=3).conditioned(accelerate_most=2, decelerate_most=1)
    assert check(capped, FASTER, Script(values=[3, 3, 0]), OPTIONS, one)[1] == 2
    assert check(capped, SLOWER, Script(values=[3, 3]), OPTIONS)[1] == -1


def test_a_leader_four_ahead_does_not_accelerate() -> None:
    ahead = Standing(leads_by=4)
    state = start(trait("tireless", 1), trait("reckless", 3), speed=3)
    assert directions(state, 2, ahead, OPTIONS) == (False,)
    assert directions(state, 2, Standing(leads_by=3), OPTIONS) == (True, False)
    assert directions(state, 2, ahead, replace(OPTIONS, grandstanding=False)) == (True, False)
    with pytest.raises(ValueError, match="leader"):
        check(state, SpeedPlan(True, free=1), Script(), OPTIONS, standing=ahead)
    # nor does a sum below 0 turn a deceleration round
    assert check(state, SLOWER, Script(values=[0, 0]), OPTIONS, standing=ahead)[1] == 0


def test_the_last_by_four_rolls_a_die_more() -> None:
    for behind, count in ((3, 2), (4, 3)):
        bound = terms(start(), False, NOTHING, Standing(trails_by=behind), OPTIONS)
        assert bound.dice == count
    off = replace(OPTIONS, whips_of_shame=False)
    assert terms(start(), False, NOTHING, Standing(trails_by=9), off).dice == 2


def test_one_who_races_alone_neither_leads_nor_trails() -> None:
    assert Standing() == ALONE == Standing(leads_by=0, trails_by=0, rival_ahead=False)


def test_a_quick_check_adds_cards_to_two_dice() -> None:
    state = start(speed=3)
    both = Played(whips=2, reins=1)
    assert check(state, FASTER, Script(values=[1, 2]), QUICK, both)[1] == 4
    assert check(state, SLOWER, Script(values=[1, 2]), QUICK, both)[1] == -2
    assert check(state, SLOWER, Script(values=[0, 0]), QUICK, Played(whips=2))[1] == 0


def test_a_check_that_ends_at_a_safe_speed_clears_the_clp() -> None:
    state = start(speed=2).unsteadied(2)
    assert check(state, SLOWER, Script(values=[0, 0]), OPTIONS)[0].clp == 0


def test_odds_by_hand() -> None:
    certain = odds(start(speed=6), SLOWER, Die((1,) * 6), OPTIONS)
    assert certain == {-2: pytest.approx(1)}
    two = odds(start(speed=6), SLOWER, Die(), OPTIONS)
    assert two[-6] == pytest.approx(1 / 36)
    assert two[0] == pytest.approx(1 / 36)


@given(
    st.sampled_from(shipped()),
    st.booleans(),
    st.integers(0, 3),
    st.integers(0, 3),
    st.builds(Options, quick_speed_check=st.booleans()),
)
def test_odds_add_up_to_1(one, accelerate: bool, whips: int, reins: int, options) -> None:
    state = starting(one, options)
    found = odds(state, SpeedPlan(accelerate), Die(), options, Played(whips, reins))
    assert sum(found.values()) == pytest.approx(1)
    assert all(-99 <= boxes <= 99 for boxes in found)


@given(st.integers(0, 4))
def test_more_whips_never_accelerate_less(whips: int) -> None:
    state = start()
    means = [
        expected(odds(state, FASTER, Die(), OPTIONS, Played(whips=w)), float)
        for w in (whips, whips + 1)
    ]
    assert means[1] >= means[0]


@pytest.mark.parametrize(
    ("state", "plan", "played"),
    [
        (start(speed=4), SLOWER, NOTHING),
        (start(speed=4), FASTER, Played(whips=2, reins=2)),
        (start(trait("lash", 2), trait("cautious", 2), speed=4), FASTER, Played(whips=1)),
        (
            start(trait("tight-leash", 1), trait("lazy", 1), speed=4),
            SpeedPlan(False, keep=lowest, reroll=reroll_high),
            Played(reins=1),
        ),
    ],
)
def test_simulation_agrees(state, plan: SpeedPlan, played: Played) -> None:
    dice = RandomDice(random.Random(5))
    seen = Counter(check(state, plan, dice, OPTIONS, played)[1] for _ in range(4000))
    assert fits(seen, odds(state, plan, Die(), OPTIONS, played))
