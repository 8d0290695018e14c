import random
from collections import Counter

import pytest
from chariots import Script, critical, fits


def test_critical_values_are_those_of_the_tables() -> None:
    table = {1: 10.828, 2: 13.816, 5: 20.515, 10: 29.588, 30: 59.703}
    for freedom, value in table.items():
        assert critical(freedom) == pytest.approx(value, rel=0.035)


def test_the_test_accepts_a_fair_die_and_refuses_a_loaded_one() -> None:
    generator = random.Random(7)
    fair = Counter(generator.randrange(6) for _ in range(6000))
    loaded = Counter(min(generator.randrange(7), 5) for _ in range(6000))
    odds = dict.fromkeys(range(6), 1 / 6)
    assert fits(fair, odds)
    assert not fits(loaded, odds)
    assert not fits(Counter({9: 1}), odds)


def test_a_script_that_runs_out_says_so() -> None:
    with pytest.raises(AssertionError, match="2 dice rolled, 1 told"):
        Script("slide").roll(2)
