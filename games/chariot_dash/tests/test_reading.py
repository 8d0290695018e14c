from itertools import product

from gridpress_chariot_dash.control import (
    HASTE_AS_SLOW,
    HELD,
    SLOW_AS_HASTE,
    Outcome,
    Reading,
    calmest,
    counted,
    harm,
    read,
    wildest,
)
from hypothesis import given
from hypothesis import strategies as st

COUNTS = st.lists(st.integers(0, 3), min_size=6, max_size=6).map(tuple)
READINGS = st.builds(Reading, st.booleans(), st.booleans(), st.integers(0, 2))
PLAIN = Reading()


def counts(slides=0, haste=0, slow=0, left=0, right=0, damage=0):
    return (slides, haste, slow, left, right, damage)


def test_no_dice_hold() -> None:
    assert read(counts(), PLAIN) == HELD
    assert not HELD.failed


def test_the_most_frequent_icon_takes_effect_once_a_die() -> None:
    assert read(counts(slides=2, damage=1), PLAIN) == Outcome(slides=2, clp=1)


def test_in_a_tie_all_do_and_each_costs_a_clp() -> None:
    outcome = read(counts(slides=1, haste=1, damage=1), PLAIN)
    assert outcome == Outcome(slides=1, haste=1, damage=1, clp=3)
    assert outcome.failed


def test_spins_take_each_other_away_for_a_clp() -> None:
    assert read(counts(left=1, right=1), PLAIN) == Outcome(clp=1)
    assert read(counts(left=3, right=1, slides=1), PLAIN) == Outcome(left=2, clp=2)


def test_slow_and_haste_take_each_other_away_for_stamina_or_a_clp() -> None:
    assert read(counts(haste=2, slow=2), PLAIN) == Outcome(stamina=2)
    assert read(counts(haste=2, slow=2), Reading(stamina=False)) == Outcome(clp=2)
    assert not read(counts(haste=1, slow=1), PLAIN).failed


def test_soft_damage_costs_a_clp_an_icon() -> None:
    assert read(counts(damage=2), Reading(soft_damage=True)) == Outcome(damage=2, clp=3)


def test_slow_counts_as_haste_or_haste_as_slow() -> None:
    both = counts(haste=1, slow=2)
    assert read(both, Reading(as_read=SLOW_AS_HASTE)) == Outcome(haste=3, clp=1)
    assert read(both, Reading(as_read=HASTE_AS_SLOW)) == Outcome(slow=3, clp=1)


def test_icons_are_counted() -> None:
    assert counted((0, 0, 3, 5)) == counts(slides=2, left=1, damage=1)


@given(COUNTS, READINGS)
def test_never_both_of_a_pair_and_never_less_than_0(rolled, reading: Reading) -> None:
    outcome = read(rolled, reading)
    assert min(outcome) >= 0
    assert not (outcome.left and outcome.right)
    assert not (outcome.haste and outcome.slow)
    assert len({count for count in outcome[:6] if count}) <= 1


@given(COUNTS, st.integers(0, 3), READINGS)
def test_the_best_discard_never_does_more_harm(rolled, most: int, reading: Reading) -> None:
    stay = calmest(rolled, most, reading)
    assert sum(rolled) - most <= sum(stay) <= sum(rolled)
    assert all(0 <= s <= r for s, r in zip(stay, rolled, strict=True))
    more = calmest(rolled, most + 1, reading)
    assert harm(read(more, reading)) <= harm(read(stay, reading)) <= harm(read(rolled, reading))


@given(COUNTS, st.integers(0, 3))
def test_the_best_reroll_takes_some_of_the_dice(rolled, most: int) -> None:
    again = wildest(rolled, most, PLAIN)
    assert sum(again) <= most
    assert all(0 <= a <= r for a, r in zip(again, rolled, strict=True))


def test_a_harmless_roll_is_left_alone() -> None:
    rolled = counts(haste=1, slow=1)
    assert wildest(counts(), 2, PLAIN) == counts()
    assert sum(wildest(rolled, 0, PLAIN)) == 0


@given(st.tuples(*[st.integers(0, 3)] * 6), st.integers(0, 4))
def test_no_other_discard_does_less_harm(counts: tuple[int, ...], most: int) -> None:
    best = calmest(counts, most, Reading())
    every = [
        (harm(read(stay, Reading())), sum(counts) - sum(stay))
        for stay in product(*[range(count + 1) for count in counts])
        if sum(counts) - sum(stay) <= most
    ]
    assert (harm(read(best, Reading())), sum(counts) - sum(best)) == min(every)
