import random
from collections import Counter

import pytest
from chariots import components, fits
from gridpress_chariot_dash.dice import ICONS, Die, RandomDice
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
