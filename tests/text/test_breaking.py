from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.text.breaking import (
    EPSILON,
    HYPHEN_COST,
    SECOND_HYPHEN_COST,
    WHOLE,
    WIDOW_COST,
    Breaks,
    Manner,
    best_lines,
)

SPACE = 0.25


def breaks_of(widths: list[float], hyphens: frozenset[int] = frozenset()) -> Breaks:
    """Words of some widths; those in `hyphens` are joined to the next and parted by a hyphen."""
    ends, begins, to_end, to_begin, places = [0.0], [0.0], [0], [0], [(-1, WHOLE)]
    at, spaces = 0.0, 0
    for i, width in enumerate(widths):
        at += width
        joined = i in hyphens and i < len(widths) - 1
        last = i == len(widths) - 1
        ends.append(at)
        to_end.append(spaces)
        at += 0.0 if joined or last else SPACE
        spaces += not (joined or last)
        begins.append(at)
        to_begin.append(spaces)
        places.append((i, 1 if joined else WHOLE))
    return Breaks(ends, begins, to_end, to_begin, places)


def every_way(breaks: Breaks, width: float, start: int = 0) -> Iterator[list[int]]:
    total = len(breaks.ends) - 1
    if start == total:
        yield []
    for end in range(start + 1, total + 1):
        fits = breaks.ends[end] - breaks.begins[start] <= width + EPSILON
        if fits or end == start + 1:
            for rest in every_way(breaks, width, end):
                yield [end, *rest]


def cost(breaks: Breaks, width: float, manner: Manner, places: list[int]) -> float:
    found = 0.0
    for start, end in zip([0, *places], places, strict=False):
        last = end == places[-1]
        if manner.balanced or not last:
            found += breaks.white(start, end, width, manner.justified) ** 2
        if breaks.places[end][1] != WHOLE:
            parted_before = breaks.places[start][1] != WHOLE
            found += SECOND_HYPHEN_COST if parted_before else HYPHEN_COST
        elif last and start and not breaks.spaces(start, end):
            found += WIDOW_COST
    return found


widths = st.lists(st.floats(0.3, 6.0), min_size=1, max_size=9)
manners = st.builds(Manner, st.booleans(), st.booleans())


@given(widths, st.frozensets(st.integers(0, 8)), st.floats(1.0, 12.0), manners)
def test_the_lines_are_the_fewest_and_of_those_the_best(
    words: list[float], hyphens: frozenset[int], width: float, manner: Manner
) -> None:
    breaks = breaks_of(words, hyphens)
    chosen = best_lines(breaks, width, manner)
    ways = list(every_way(breaks, width))
    fewest = min(map(len, ways))
    assert chosen in ways
    assert len(chosen) == breaks.count(width) == fewest
    best = min(cost(breaks, width, manner, way) for way in ways if len(way) == fewest)
    assert cost(breaks, width, manner, chosen) == pytest.approx(best)


@given(widths, st.floats(1.0, 12.0), st.floats(0.0, 5.0))
def test_a_wider_column_never_needs_more_lines(
    words: list[float], width: float, more: float
) -> None:
    breaks = breaks_of(words)
    assert breaks.count(width + more) <= breaks.count(width)


@given(widths, st.floats(1.0, 12.0))
def test_first_and_last_places_enclose_the_chosen_ones(words: list[float], width: float) -> None:
    breaks = breaks_of(words)
    chosen = [0, *best_lines(breaks, width, Manner())]
    bounds = zip(breaks.earliest(width), chosen, breaks.latest(width), strict=True)
    assert all(first <= place <= last for first, place, last in bounds)


def test_one_word_is_not_left_alone_if_the_line_before_can_spare_one() -> None:
    breaks = breaks_of([2.0, 2.0, 2.0, 2.0, 1.0])
    assert breaks.latest(9.0) == [0, 4, 5]
    assert best_lines(breaks, 9.0, Manner()) == [3, 5]


def test_a_balanced_text_has_lines_of_like_length() -> None:
    breaks = breaks_of([2.0] * 6)
    assert best_lines(breaks, 11.5, Manner(balanced=True)) == [3, 6]


def test_no_words_are_no_lines() -> None:
    breaks = breaks_of([])
    assert breaks.count(5.0) == 0
    assert breaks.widest == 0.0


def test_it_knows_the_widest_stretch() -> None:
    breaks = breaks_of([1.0, 3.0, 2.0])
    assert breaks.widest == pytest.approx(3.0)
    assert breaks.widest_line() == (1, 2)


def test_stretch_fills_the_line() -> None:
    breaks = breaks_of([1.0, 1.0, 1.0])
    assert breaks.stretch(0, 3, 5.0) == pytest.approx((5.0 - 3.5) / 2)
    assert breaks.stretch(0, 1, 5.0) == 0.0
