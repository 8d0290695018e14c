"""Whatever templates may call is paid for before it is done: each word, with what is large."""

from __future__ import annotations

import itertools
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import pytest
from jinja2.exceptions import TemplateError
from jinja2.runtime import Context

from generator.sandbox import BoundedEnvironment
from generator.sandbox.budget import MAX_CHARACTERS, MAX_STEPS, BudgetError
from generator.sandbox.vocabulary import TEXT_METHODS

BIG = "ab" * 450_000
SHARED: list[Any] = [1]
for _ in range(12):
    SHARED = [SHARED, SHARED]
VALUES: list[Any] = [BIG, "%99d" * 9_000, [BIG] * 9_999, SHARED, 2**1_000]
MORE: list[Any] = ["a" * 400_000 + "b", 10**9]


def words() -> list[tuple[str, str]]:
    """Every group of words, with each of its words."""
    environment = BoundedEnvironment()
    groups = {
        "filter": environment.filters,
        "test": environment.tests,
        "function": environment.globals,
        "method": TEXT_METHODS,
    }
    return [(group, name) for group, known in groups.items() for name in known if " " not in name]


def called(environment: BoundedEnvironment, group: str, name: str) -> Callable[..., Any]:
    context = Context(environment, {}, None, {})
    if group == "filter":
        return lambda *values: environment.call_filter(name, values[0], values[1:], {}, context)
    if group == "test":
        return lambda *values: environment.call_test(name, values[0], values[1:], {}, context)
    if group == "function":
        return lambda *values: environment.call(context, environment.globals[name], *values)
    return lambda *values: environment.call(
        context, environment.getattr(values[0], name), *values[1:]
    )


@pytest.mark.thorough(but=12)
@pytest.mark.parametrize(("group", "name"), words())
def test_a_word_does_not_take_long(group: str, name: str) -> None:
    environment = BoundedEnvironment()
    call = called(environment, group, name)
    begun = time.process_time()
    for given in (*((v,) for v in VALUES), *itertools.product(VALUES, MORE)):
        if group == "method" and not isinstance(given[0], str):
            continue
        with environment.budget.fresh(), suppress(
            BudgetError, TemplateError, TypeError, ValueError, ArithmeticError,
            AssertionError, LookupError, AttributeError,
        ):  # fmt: skip
            result = call(*given)
            if hasattr(result, "__next__"):
                for _ in environment.budget.walked(result):
                    pass
    # A few calls, each of them a second at most when it is paid for; without, minutes.
    assert time.process_time() - begun < 30


@pytest.mark.parametrize("name", sorted(TEXT_METHODS))
def test_a_method_of_texts_costs_at_least_their_letters(name: str) -> None:
    environment = BoundedEnvironment()
    with environment.budget.fresh():
        with suppress(TypeError, BudgetError):
            called(environment, "method", name)(BIG, "a")
        assert environment.budget.characters <= MAX_CHARACTERS - len(BIG)


@pytest.mark.parametrize(
    "name", "first list map max min sort unique groupby join sum select batch slice last".split()
)
def test_a_filter_of_lists_costs_each_item(name: str) -> None:
    environment = BoundedEnvironment()
    with environment.budget.fresh():
        with suppress(TypeError, ValueError, TemplateError):
            called(environment, "filter", name)(list(range(5_000)), 1)
        assert environment.budget.steps <= MAX_STEPS - 5_000
