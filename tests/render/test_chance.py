from hypothesis import given
from hypothesis import strategies as st

from generator.render.chance import jitter, polar, scatter


def test_jitter_is_the_same_on_every_machine() -> None:
    # The first four words of SHA-512 of "0:ruts", from −1 to 1.
    assert [round(value, 6) for value in jitter("ruts", 4)] == [
        0.823209,
        0.100788,
        -0.938079,
        0.350994,
    ]


@given(seed=st.text(max_size=20), count=st.integers(1, 200))
def test_jitter_stays_within_one_and_does_not_depend_on_the_count(seed: str, count: int) -> None:
    values = jitter(seed, count)
    assert len(values) == count
    assert all(-1 <= value <= 1 for value in values)
    assert jitter(seed, count + 7)[:count] == values


def test_jitter_is_spread_evenly() -> None:
    values = jitter(7, 2000)
    assert abs(sum(values)) / 2000 < 0.05
    assert 400 < sum(value > 0.5 for value in values) < 600


@given(w=st.floats(1, 200), h=st.floats(1, 200), count=st.integers(1, 150), seed=st.integers(0, 9))
def test_scattered_points_stay_in_their_box(w: float, h: float, count: int, seed: int) -> None:
    points = scatter(5, 6, w, h, count, seed)
    assert len(set(points)) == count
    assert all(5 <= x <= 5 + w and 6 <= y <= 6 + h for x, y in points)


def test_polar_is_clockwise_from_the_right() -> None:
    assert [round(value, 6) for value in polar(0, 0, 2, 90)] == [0, 2]
