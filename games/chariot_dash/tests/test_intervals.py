import math

import pytest
from gridpress_chariot_dash.race.results import Z, mean, share, sign_test
from hypothesis import given
from hypothesis import strategies as st


def test_a_mean_lies_in_the_middle_of_its_interval() -> None:
    found = mean([2, 4, 4, 4, 5, 5, 7, 9])
    assert found is not None
    spread = math.sqrt(32 / 7)
    assert (found.value, found.of) == (5, 8)
    assert found.high - 5 == pytest.approx(Z * spread / math.sqrt(8))
    assert found.low + found.high == pytest.approx(10)


def test_nothing_has_no_mean_and_one_observation_any() -> None:
    assert mean([]) is None
    one = mean([3])
    assert one is not None
    assert (one.value, one.low, one.high) == (3, -math.inf, math.inf)


@pytest.mark.parametrize(
    ("count", "of", "low", "high"),
    [
        (0, 10, 0.0, 0.2775),
        (5, 10, 0.2366, 0.7634),
        (10, 10, 0.7225, 1.0),
        (81, 263, 0.2553, 0.3662),
    ],
)
def test_shares_have_the_interval_of_wilson(count: int, of: int, low: float, high: float) -> None:
    """The last is the example of Newcombe 1998."""
    found = share(count, of)
    assert found.value == count / of
    assert (found.low, found.high) == (pytest.approx(low, abs=5e-5), pytest.approx(high, abs=5e-5))


def test_a_share_of_nothing_may_be_anything() -> None:
    assert share(0, 0)[1:] == (0.0, 1.0, 0)


@given(st.integers(1, 500), st.data())
def test_intervals_of_shares_hold_the_share_and_mirror(of: int, data: st.DataObject) -> None:
    count = data.draw(st.integers(0, of))
    found, other = share(count, of), share(of - count, of)
    assert 0 <= found.low <= found.value + 1e-12
    assert found.value - 1e-12 <= found.high <= 1
    assert found.low == pytest.approx(1 - other.high)


@pytest.mark.parametrize(
    ("more", "less", "chance"),
    [(0, 0, 1.0), (5, 5, 1.0), (6, 0, 2 / 64), (8, 2, 112 / 1024), (2, 8, 112 / 1024)],
)
def test_the_sign_test_is_the_binomial_tail(more: int, less: int, chance: float) -> None:
    assert sign_test(more, less) == pytest.approx(chance)


def test_the_sign_test_goes_over_to_the_normal_distribution_without_a_step() -> None:
    assert sign_test(530, 470) == pytest.approx(sign_test(531, 471), rel=0.02)
    assert sign_test(700, 500) < 1e-6
