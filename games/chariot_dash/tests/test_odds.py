import pytest
from gridpress_chariot_dash.dice import Die, binomial, chance, expected, icon_rolls, value_rolls
from hypothesis import given
from hypothesis import strategies as st


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
