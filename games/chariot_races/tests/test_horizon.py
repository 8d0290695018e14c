"""The worth of poses, and decisions on dice."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest
from chariots import components
from gridpress_chariot_dash.declared import Vehicle
from gridpress_chariot_dash.dice import Die
from gridpress_chariot_races.race import layout, simulation, weigh
from gridpress_chariot_races.race.rolls import POINTS, POSE, RollRules, control_table
from gridpress_chariot_races.race.situation import (
    MANNERS,
    STEADY,
    BoxRow,
    Make,
    misjudge,
)

BASIC = Vehicle.of(components("vehicles.yaml")[0])
STAMINA = components("vehicles.yaml")[0]["stamina"]
VALUES = np.asarray(Die().values)


def make(mods: Mapping[str, int] | None = None, whips: int = 3) -> Make:
    table = BASIC.table
    none = [0] * 11
    return Make(
        table.speeds, table.below, table.above, BASIC.moves, BASIC.control, 0, STAMINA, 0,
        none, none, none, 1, 6, whips, 3, 0, mods or {},
    )  # fmt: skip


def test_every_level_of_strategy_has_a_manner_and_only_novices_err() -> None:
    assert tuple(MANNERS) == simulation.LEVELS
    assert MANNERS[simulation.STEADY] == STEADY
    for level, manner in MANNERS.items():
        worth = np.zeros((3, 40), np.float32)
        misjudge(manner, worth)
        assert bool(worth.any()) == (level == "novice")


def stakes(**values: Any) -> Any:
    """Return stakes where only the named outcomes differ."""
    made = np.zeros(1, layout.STAKES).view(np.recarray)[0]
    made["per_point"], made["tires"] = 0.01, 1
    for name, value in values.items():
        made[name] = value
    return made


def room() -> Any:
    return np.zeros(1, layout.ROOM).view(np.recarray)[0]


@pytest.mark.parametrize("mods", [{}, {"accelerating.take": 2}, {"decelerating.add": 1}])
def test_cd_16_and_cd_19_boxes_of_a_check(mods: Mapping[str, int]) -> None:
    row = BoxRow(make(mods))
    taken, added = mods.get("accelerating.take", 0), mods.get("decelerating.add", 0)
    assert row.checked(0, 3, 0) == 3 - taken
    assert row.checked(5, 2, 1) == row.slower(5, 2 + added)
    assert row.faster(13, 2) == row.slower(13, 2)  # over-whipping


def test_cautious_below_0_decelerates() -> None:
    row = BoxRow(make({"accelerating.take": 3}))
    assert row.checked(6, 1, 0) == row.slower(6, 2)


def test_one_die_of_control_is_each_icon_in_six_and_a_discard_takes_it_away() -> None:
    row = control_table(0, 0, RollRules())[1]
    assert row[POSE + 1] == row[POSE + 2] == row[POSE + 3] == pytest.approx(1 / 6)
    assert row[POINTS] == pytest.approx(1)
    assert control_table(1, 0, RollRules())[1][POSE] == pytest.approx(1)


def test_the_two_dice_within_the_limit_that_are_worth_most() -> None:
    dice, chosen = np.asarray([3, 0, 2]), np.zeros(2, np.int64)
    high, low = -np.arange(7.0), np.arange(7.0)
    best_pair = weigh.best_pair
    assert best_pair(dice, 3, 0, high, chosen) == -5
    assert best_pair(dice, 3, 1, high, chosen) == -3
    assert best_pair(dice, 3, 2, high, chosen) == -2
    assert best_pair(dice, 3, 0, low, chosen) == 2


def test_only_dice_that_may_become_better_are_rolled_again() -> None:
    reroll = weigh.reroll_values
    high, low = -np.arange(7.0), np.arange(7.0)
    assert reroll(np.asarray([3, 0, 3]), 3, 2, 0, high, VALUES, room())[1] in (0, 2)
    assert reroll(np.asarray([0, 0]), 2, 2, 0, high, VALUES, room())[1] == 3
    assert reroll(np.asarray([0, 0]), 2, 2, 0, low, VALUES, room())[1] == 0


def test_damage_is_discarded_where_it_is_dear_and_a_spin_that_helps_stays() -> None:
    counts = np.asarray([0, 0, 0, 1, 0, 1])  # a left spin, damage
    left = np.zeros(6, np.int64)
    poses = np.full((2, 11), 1.0)
    poses[0, 6] = 0.0  # the bend needs a spin to the left
    given = stakes(per_die=2.0, poses=poses)
    weigh.best_discards(counts, 1, given, 0, left, room())
    assert left.tolist() == [0, 0, 0, 1, 0, 0]


def test_dice_of_control_are_rolled_again_only_if_that_is_better_on_average() -> None:
    again = np.zeros(6, np.int64)
    given = stakes(per_die=3.0)
    counts = np.asarray([0, 0, 0, 0, 0, 1])
    best = weigh.reroll_icons(counts, 1, 0, given, 0, again, room())
    assert again.tolist() == [0, 0, 0, 0, 0, 1]
    assert best < 3
    counts = np.asarray([0, 0, 1, 0, 0, 0])
    weigh.reroll_icons(counts, 1, 0, given, 0, again, room())
    assert again.sum() == 0
