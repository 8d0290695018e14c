"""The number of elements drawn when the parts of a drawing draw each other."""

import pytest

from generator.svg_parts import RepeatError, SvgPart, elements_drawn


def test_a_part_counts_as_often_as_it_is_drawn() -> None:
    leaf = SvgPart("leaf", elements=3)
    twig = SvgPart("twig", elements=1, inside=[leaf], links=[("leaf", 7), ("leaf", 8)])
    whole = SvgPart(elements=2, inside=[twig], links=[("twig", 9), ("nowhere", 9)])
    assert elements_drawn(whole, {"leaf": leaf, "twig": twig}, 100) == 2 + 2 * (1 + 3 * 3)


def test_what_draws_too_much_is_told_where_it_becomes_that() -> None:
    parts = {"p0": SvgPart("p0", elements=1)}
    for n in range(1, 90):
        parts[f"p{n}"] = SvgPart(f"p{n}", links=[(f"p{n - 1}", n)] * 2)
    with pytest.raises(RepeatError) as caught:
        elements_drawn(SvgPart(links=[("p89", 90)]), parts, 1000)
    assert (caught.value.name, caught.value.at, caught.value.endless) == ("p9", 10, False)


@pytest.mark.parametrize("length", [1, 2, 90])
def test_a_circle_is_found_however_long(length: int) -> None:
    parts = {f"p{n}": SvgPart(f"p{n}", links=[(f"p{(n + 1) % length}", n)]) for n in range(length)}
    with pytest.raises(RepeatError) as caught:
        elements_drawn(SvgPart(links=[("p0", -1)]), parts, 10)
    assert (caught.value.name, caught.value.endless) == ("p0", True)


def test_a_part_inside_of_what_it_draws_is_a_circle() -> None:
    inner = SvgPart("inner", links=[("outer", 5)])
    outer = SvgPart("outer", inside=[inner])
    with pytest.raises(RepeatError) as caught:
        elements_drawn(SvgPart(inside=[outer]), {"inner": inner, "outer": outer}, 10)
    assert (caught.value.at, caught.value.endless) == (5, True)


def test_parts_nested_too_deep_are_refused() -> None:
    parts = {f"p{n}": SvgPart(f"p{n}", links=[(f"p{n + 1}", n)]) for n in range(50_000)}
    with pytest.raises(RepeatError) as caught:
        elements_drawn(SvgPart(links=[("p0", -1)]), parts, 10)
    assert caught.value.deep
