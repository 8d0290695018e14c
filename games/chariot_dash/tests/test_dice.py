import random
from collections import Counter
from itertools import combinations

import pytest
from chariots import Script, components, fits
from gridpress_chariot_dash.dice import (
    ANY_TWO,
    ICONS,
    LOWEST_AND_ANY,
    LOWEST_TWO,
    Die,
    RandomDice,
    binomial,
    chance,
    expected,
    highest,
    icon_rolls,
    keep_odds,
    lowest,
    nearest,
    possible_sums,
    reroll_high,
    reroll_low,
    reroll_none,
    roll_and_keep,
    value_rolls,
)
from hypothesis import given
from hypothesis import strategies as st


def test_the_shipped_die_is_the_default_one() -> None:
    assert Die.of(components("dice.yaml")[0]) == Die()


def test_a_die_has_one_face_for_each_icon() -> None:
    faces = [{"icon": icon, "value": 1} for icon in ICONS]
    assert Die.of({"faces": faces}).values == (1,) * 6
    for wrong in ([*faces[:5], faces[0]], faces[:5], [*faces, faces[0]]):
        with pytest.raises(ValueError, match="one face for each"):
            Die.of({"faces": wrong})


@given(st.integers(0, 20), st.integers())
def test_dice_never_leave_0_to_3(count: int, seed: int) -> None:
    dice = RandomDice(random.Random(seed))
    assert all(0 <= value <= 3 for value in dice.values(count))
    icons = dice.roll(count)
    assert len(icons) == count
    assert all(0 <= icon < 6 for icon in icons)


def test_the_same_seed_rolls_the_same() -> None:
    rolls = [RandomDice(random.Random(3)).roll(30) for _ in range(2)]
    assert rolls[0] == rolls[1]
    assert rolls[0] != RandomDice(random.Random(4)).roll(30)


def test_rolls_are_fair_and_values_are_those_of_the_faces() -> None:
    dice = RandomDice(random.Random(1), Die((0, 1, 2, 2, 3, 3)))
    assert fits(Counter(dice.roll(12000)), dict.fromkeys(range(6), 1 / 6))
    assert fits(Counter(dice.values(12000)), {0: 1 / 6, 1: 1 / 6, 2: 1 / 3, 3: 1 / 3})


@given(st.integers(0, 9))
def test_icon_rolls_are_all_and_add_up_to_1(dice: int) -> None:
    rolls = icon_rolls(dice)
    assert sum(part for _, part in rolls) == pytest.approx(1)
    assert len({counts for counts, _ in rolls}) == len(rolls)
    assert all(sum(counts) == dice for counts, _ in rolls)


@given(st.integers(0, 9), st.lists(st.integers(0, 3), min_size=6, max_size=6))
def test_value_rolls_add_up_to_1_and_keep_the_mean(dice: int, faces: list[int]) -> None:
    rolls = value_rolls(Die(tuple(faces)), dice)
    assert sum(part for _, part in rolls) == pytest.approx(1)
    mean = sum(part * sum(values) for values, part in rolls)
    assert mean == pytest.approx(dice * sum(faces) / 6)
    assert all(list(values) == sorted(values) for values, _ in rolls)


def test_two_icons_by_hand() -> None:
    odds = dict(icon_rolls(2))
    assert odds[(2, 0, 0, 0, 0, 0)] == pytest.approx(1 / 36)
    assert odds[(1, 1, 0, 0, 0, 0)] == pytest.approx(2 / 36)


@given(st.integers(0, 12), st.floats(0, 1))
def test_binomial_has_its_mean(dice: int, hit: float) -> None:
    odds = binomial(dice, hit)
    assert sum(odds.values()) == pytest.approx(1)
    assert expected(odds, float) == pytest.approx(dice * hit)


def test_chance_and_expected() -> None:
    odds = {1: 0.25, 2: 0.75}
    assert expected(odds, lambda value: value * 10) == 17.5
    assert chance(odds, lambda value: value > 1) == 0.75


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
