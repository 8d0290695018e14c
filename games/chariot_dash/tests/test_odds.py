"""Exact odds, compared with calculations by hand."""

from collections import Counter
from itertools import product

import numpy as np
import pytest
from chariots import components
from gridpress_chariot_dash.dice import (
    ANY_TWO,
    AS_CLP,
    IGNORED,
    LOWEST_AND_ANY,
    LOWEST_TWO,
    AttackSide,
    Control,
    ControlOutcome,
    ControlReading,
    Counts,
    Die,
    SpeedCheck,
    expected,
    limit_of,
    outcomes,
    wins,
)
from hypothesis import given
from hypothesis import strategies as st

PLAIN = ControlReading()
COUNTS = st.lists(st.integers(0, 3), min_size=6, max_size=6).map(tuple)
READINGS = st.builds(ControlReading, st.booleans(), st.booleans(), st.integers(0, 2))


def counts(
    slides: int = 0, haste: int = 0, slow: int = 0, left: int = 0, right: int = 0, damage: int = 0
) -> Counts:
    return (slides, haste, slow, left, right, damage)


def read(rolled: Counts, reading: ControlReading) -> ControlOutcome:
    """Read dice without discards."""
    return come_to(Control(sum(rolled), reading=reading._replace(pairs_first=False)), rolled)


def come_to(asked: Control, rolled: Counts) -> ControlOutcome:
    """Read dice with the best discards."""
    [row] = asked.read(np.array([rolled]))
    return ControlOutcome._make(row.tolist())


def harm(outcome: ControlOutcome) -> float:
    turned = outcome.slides + abs(outcome.left - outcome.right)
    moved = abs(outcome.haste - outcome.slow)
    return 2 * turned + moved + 3 * outcome.damage + outcome.clp + 0.5 * outcome.stamina


def test_limits_by_hand() -> None:
    cases = {(1, 0): ANY_TWO, (0, 0): ANY_TWO, (2, 1): ANY_TWO, (1, 1): LOWEST_AND_ANY}
    cases |= {(2, 3): LOWEST_AND_ANY, (1, 2): LOWEST_TWO, (0, 1): LOWEST_TWO, (2, 4): LOWEST_TWO}
    for (helps, hinders), bound in cases.items():
        assert limit_of(helps, hinders) == bound, (helps, hinders)


def test_a_check_adds_takes_off_and_turns_round() -> None:
    assert SpeedCheck(accelerate=True, dice=2, added=1).boxes(3) == 4
    assert SpeedCheck(accelerate=True, dice=2, added=-5).boxes(3) == 0
    assert SpeedCheck(accelerate=True, dice=2, taken=5).boxes(3) == -2
    assert SpeedCheck(accelerate=False, dice=2, taken=1).boxes(3) == -2
    certain = SpeedCheck(accelerate=False, dice=2).odds(Die((1,) * 6))
    assert certain == {-2: pytest.approx(1)}
    two = SpeedCheck(accelerate=False, dice=2).odds(Die())
    assert two[-6] == two[0] == pytest.approx(1 / 36)


def test_options_decide_how_dice_are_read() -> None:
    shipped = {str(o["id"]) for o in components("options.yaml") if o.get("in_force")}
    assert ControlReading.of(shipped) == PLAIN
    named = {"pairs-first", "control-damage-as-clp"}
    assert ControlReading.of(named) == ControlReading(
        stamina=False, pairs_first=True, damage=AS_CLP
    )
    assert ControlReading.of({"control-damage-ignored", "stamina"}).damage == IGNORED


def test_the_most_frequent_icon_takes_effect_and_ties_all_do_for_a_clp_each() -> None:
    assert read(counts(), PLAIN) == ControlOutcome()
    assert not ControlOutcome().failed
    assert read(counts(slides=2, damage=1), PLAIN) == ControlOutcome(slides=2, clp=1)
    tied = read(counts(slides=1, haste=1, damage=1), PLAIN)
    assert tied == ControlOutcome(slides=1, haste=1, damage=1, clp=3)
    assert tied.failed


def test_pairs_go_spins_for_a_clp_slow_and_haste_for_stamina_or_a_clp() -> None:
    assert read(counts(left=1, right=1), PLAIN) == ControlOutcome(clp=1)
    assert read(counts(left=3, right=1, slides=1), PLAIN) == ControlOutcome(left=2, clp=2)
    assert read(counts(haste=2, slow=2), PLAIN) == ControlOutcome(stamina=2)
    assert read(counts(haste=2, slow=2), ControlReading(stamina=False)) == ControlOutcome(clp=2)


def test_x_3_and_x_4_damage_is_a_blank_or_clp() -> None:
    assert read(counts(damage=2), ControlReading(damage=AS_CLP)) == ControlOutcome(damage=2, clp=3)
    assert read(counts(damage=2, slides=1), ControlReading(damage=IGNORED)) == ControlOutcome(
        slides=1, clp=1
    )


def test_x_2_pairs_go_before_dice_are_discarded() -> None:
    rolled = counts(left=1, right=1, slides=1)
    assert come_to(Control(3, 1), rolled) == ControlOutcome(clp=1)
    assert come_to(
        Control(3, 1, reading=ControlReading(pairs_first=True)), rolled
    ) == ControlOutcome(clp=1)
    spins = counts(left=1, right=1)
    assert come_to(Control(2, 2), spins) == ControlOutcome()
    assert come_to(
        Control(2, 2, reading=ControlReading(pairs_first=True)), spins
    ) == ControlOutcome(clp=1)


@given(COUNTS, READINGS)
def test_never_both_of_a_pair_and_never_less_than_0(
    rolled: Counts, reading: ControlReading
) -> None:
    outcome = read(rolled, reading)
    assert min(outcome) >= 0
    assert not (outcome.left and outcome.right)
    assert not (outcome.haste and outcome.slow)
    assert len({count for count in outcome[:6] if count}) <= 1


@given(st.tuples(*[st.integers(0, 3)] * 6), st.integers(0, 4))
def test_no_other_discard_does_less_harm(rolled: Counts, most: int) -> None:
    every = [
        harm(read(stay, PLAIN))
        for stay in product(*[range(count + 1) for count in rolled])
        if sum(rolled) - sum(stay) <= most
    ]
    assert harm(come_to(Control(sum(rolled), most), rolled)) == min(every)


def hold(asked: Control) -> float:
    return sum(part for outcome, part in outcomes(asked).items() if not outcome.failed)


def test_one_die_fails_always_and_a_card_saves_it() -> None:
    assert hold(Control(1)) == 0
    assert hold(Control(0)) == 1
    # two dice left after a discard cancel in pairs; other rolls leave one
    assert hold(Control(2, 1)) == pytest.approx(4 / 36)


def test_dice_that_one_would_rather_do_without_are_rolled_again() -> None:
    # 4 of 36 rolls of two dice are pairs. In the others one die is rolled again, slide and damage
    # first; except in 4 rolls, the other one has a partner, which a sixth of the rolls brings.
    assert hold(Control(2, rerolls=1)) == pytest.approx(4 / 36 + 28 / 216)


@pytest.mark.parametrize(
    "asked", [Control(3), Control(3, 1, reading=ControlReading(pairs_first=True))]
)
def test_odds_are_those_of_all_rolls_counted(asked: Control) -> None:
    seen: Counter[ControlOutcome] = Counter()
    for roll in product(range(6), repeat=3):
        seen[come_to(asked, tuple(roll.count(icon) for icon in range(6)))] += 1
    assert outcomes(asked) == pytest.approx({o: ways / 216 for o, ways in seen.items()})


@given(
    st.builds(Control, st.integers(0, 4), st.integers(0, 2), st.integers(0, 1), READINGS),
)
def test_odds_add_up_to_1_and_help_never_harms(asked: Control) -> None:
    assert sum(outcomes(asked).values()) == pytest.approx(1)
    more = asked._replace(discards=asked.discards + 1)
    assert expected(outcomes(more), harm) <= expected(outcomes(asked), harm) + 1e-9


def test_the_higher_value_wins_and_luck_breaks_ties() -> None:
    faces = Die().values
    of_two = sum(a + b > c for a, b, c in product(faces, repeat=3)) / 216
    assert wins(AttackSide(2), AttackSide(1), Die()) == pytest.approx(of_two)
    with_ties = sum(a >= b for a, b in product(faces, repeat=2)) / 36
    assert wins(AttackSide(1, luck=1), AttackSide(1), Die()) == pytest.approx(with_ties)
    without = sum(a > b for a, b in product(faces, repeat=2)) / 36
    assert wins(AttackSide(1, luck=1), AttackSide(1, luck=1), Die()) == pytest.approx(without)
    assert wins(AttackSide(1, plus=-9), AttackSide(1, plus=-9), Die()) == 0
