import random
from collections import Counter
from itertools import combinations

import pytest
from chariots import Script, fits
from gridpress_chariot_dash.dice import (
    ANY_TWO,
    LOWEST_AND_ANY,
    LOWEST_TWO,
    Die,
    RandomDice,
    expected,
    highest,
    keep_odds,
    lowest,
    nearest,
    possible_sums,
    reroll_high,
    reroll_low,
    reroll_none,
    roll_and_keep,
)
from hypothesis import given
from hypothesis import strategies as st

VALUES = st.lists(st.integers(0, 3), min_size=2, max_size=7).map(lambda v: tuple(sorted(v)))


def test_limits_by_hand() -> None:
    assert possible_sums((0, 1, 2, 3), ANY_TWO) == (1, 2, 3, 4, 5)
    assert possible_sums((0, 1, 2, 3), LOWEST_AND_ANY) == (1, 2, 3)
    assert possible_sums((0, 1, 2, 3), LOWEST_TWO) == (1,)
    assert possible_sums((2,), ANY_TWO) == (2,)


@given(VALUES)
def test_possible_sums_are_those_of_pairs_and_limits_narrow_them(values: tuple[int, ...]) -> None:
    free, one, both = (set(possible_sums(values, limit)) for limit in range(3))
    assert free == {sum(pair) for pair in combinations(values, 2)}
    assert both <= one <= free
    assert min(free) == min(one) == min(both)


@given(VALUES, st.integers(0, 6))
def test_choices_pick_a_possible_sum(values: tuple[int, ...], target: int) -> None:
    sums = possible_sums(values, ANY_TWO)
    assert (lowest(sums), highest(sums)) == (min(sums), max(sums))
    assert min(abs(s - target) for s in sums) == abs(nearest(target)(sums) - target)


def test_rerolls_replace_the_lowest_dice() -> None:
    assert roll_and_keep(Script(values=[0, 1, 3]), 2, rerolls=1) == 4
    assert roll_and_keep(Script(values=[3, 3]), 2, rerolls=2) == 6
    # a die that would not be kept is rolled again, whatever it shows
    assert roll_and_keep(Script(values=[2, 2, 2, 3]), 3, rerolls=1) == 5


def test_to_keep_less_the_highest_dice_are_rolled_again() -> None:
    kept = roll_and_keep(Script(values=[3, 0, 1]), 2, rerolls=1, keep=lowest, reroll=reroll_high)
    assert kept == 1


def test_choices_that_are_not_allowed_are_refused() -> None:
    with pytest.raises(ValueError, match="none of the possible sums"):
        roll_and_keep(Script(values=[1, 1]), 2, keep=lambda sums: 5)
    with pytest.raises(ValueError, match="at most 1 different"):
        roll_and_keep(Script(values=[1, 1, 0]), 2, rerolls=1, reroll=lambda v, c, m: (0, 1))


@given(st.integers(1, 6), st.integers(0, 2), st.integers(0, 2))
def test_odds_add_up_to_1_within_0_to_6(count: int, rerolls: int, limit: int) -> None:
    odds = keep_odds(Die(), count, rerolls, limit)
    assert sum(odds.values()) == pytest.approx(1)
    assert all(0 <= kept <= 6 for kept in odds)


@given(st.integers(2, 6), st.integers(0, 2))
def test_more_dice_and_rerolls_never_keep_less_and_limits_never_more(
    count: int, rerolls: int
) -> None:
    def mean(dice: int, again: int, limit: int = ANY_TWO) -> float:
        return expected(keep_odds(Die(), dice, again, limit), float)

    now = mean(count, rerolls)
    assert mean(count + 1, rerolls) >= now - 1e-12
    assert mean(count, rerolls + 1) >= now - 1e-12
    assert mean(count, rerolls, LOWEST_TWO) <= mean(count, rerolls, LOWEST_AND_ANY) + 1e-12
    assert mean(count, rerolls, LOWEST_AND_ANY) <= now + 1e-12


@pytest.mark.parametrize(
    ("count", "rerolls", "limit", "keep", "reroll"),
    [
        (2, 0, ANY_TWO, highest, reroll_none),
        (4, 1, ANY_TWO, highest, reroll_low),
        (4, 2, LOWEST_AND_ANY, highest, reroll_low),
        (3, 1, ANY_TWO, lowest, reroll_high),
        (5, 0, LOWEST_TWO, nearest(3), reroll_none),
        (5, 1, ANY_TWO, nearest(3), reroll_none),
    ],
)
def test_simulation_agrees(count, rerolls, limit, keep, reroll) -> None:
    dice = RandomDice(random.Random(11))
    seen = Counter(roll_and_keep(dice, count, rerolls, limit, keep, reroll) for _ in range(4000))
    assert fits(seen, keep_odds(Die(), count, rerolls, limit, keep, reroll))
