from collections import Counter
from itertools import combinations, product

import pytest
from chariots import components
from gridpress_chariot_dash.dice import (
    ANY_TWO,
    ICONS,
    LOWEST_AND_ANY,
    LOWEST_TWO,
    Die,
    chance,
    expected,
    keep_odds,
    possible_sums,
    rerolled,
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


@given(st.integers(0, 9), st.lists(st.integers(0, 3), min_size=6, max_size=6))
def test_value_rolls_add_up_to_1_and_keep_the_mean(dice: int, faces: list[int]) -> None:
    rolls = value_rolls(Die(tuple(faces)), dice)
    assert sum(part for _, part in rolls) == pytest.approx(1)
    mean = sum(part * sum(values) for values, part in rolls)
    assert mean == pytest.approx(dice * sum(faces) / 6)
    assert all(list(values) == sorted(values) for values, _ in rolls)


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


def test_the_lowest_dice_are_rolled_again_and_those_that_would_not_be_kept() -> None:
    assert rerolled((0, 1), 1, ANY_TWO) == (0,)
    assert rerolled((2, 3), 2, ANY_TWO) == ()
    assert rerolled((2, 2, 2), 1, ANY_TWO) == (0,)
    assert rerolled((2, 2, 2), 1, LOWEST_TWO) == ()


@pytest.mark.parametrize(("count", "rerolls"), [(2, 1), (3, 1), (3, 2)])
def test_odds_are_those_of_all_rolls_counted(count: int, rerolls: int) -> None:
    seen: Counter[int] = Counter()
    faces = Die().values
    for roll in product(faces, repeat=count):
        values = tuple(sorted(roll))
        again = rerolled(values, rerolls, ANY_TWO)
        rest = [v for i, v in enumerate(values) if i not in again]
        for more in product(faces, repeat=len(again)):
            kept = sum(sorted([*rest, *more])[-2:])
            seen[kept] += 6 ** (rerolls - len(again))
    whole = 6 ** (count + rerolls)
    found = keep_odds(Die(), count, rerolls)
    assert found == pytest.approx({kept: ways / whole for kept, ways in seen.items()})
