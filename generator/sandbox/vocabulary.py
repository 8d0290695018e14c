"""The words of expressions and templates: filters, tests and functions that cannot do harm.

Everything is listed by hand. What could grow (`center`, `indent`, `wordwrap` …), reach further
(`attr`, `xmlattr`) or differ from run to run (`random`) is left out or replaced by a bounded form.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Iterable
from typing import Any, Final, cast

from jinja2 import Environment, Undefined, pass_environment
from jinja2.filters import FILTERS, make_attrgetter
from jinja2.tests import TESTS
from jinja2.utils import _PassArg  # the only place that says what a filter's first argument is

from generator.sandbox.bounds import (
    Budget,
    TooMuchError,
    as_text,
    described,
    formatted,
    joined,
    operate,
    replaced,
    rounded,
    spread,
    weight,
    written_as,
)

Function = Callable[..., Any]

MAX_PIECES: Final = 10_000


_TEXT_FILTERS: Final = tuple(
    "capitalize e escape lower safe string striptags title trim truncate upper wordcount".split()
)
_LIST_FILTERS: Final = tuple(
    "batch dictsort first groupby items last list map max min reject rejectattr reverse "
    "select selectattr slice sort unique".split()
)
_VALUE_FILTERS: Final = tuple("abs count d default float int length".split())
_TESTS: Final = tuple(
    "!= < <= == > >= boolean defined divisibleby eq equalto even false float ge greaterthan gt "
    "in integer iterable le lessthan lower lt mapping ne none number odd sameas sequence string "
    "true undefined upper".split()
)
FILTER_NAMES: Final = (
    *_TEXT_FILTERS,
    *_LIST_FILTERS,
    *_VALUE_FILTERS,
    *("format", "join", "replace", "round", "sum"),
)
TEST_NAMES: Final = _TESTS


def filters(budget: Budget) -> dict[str, Function]:
    """All the filters by name, each of them paying from the budget."""
    own: dict[str, Function] = {
        "format": lambda pattern, *arguments: formatted(as_text(pattern), arguments),
        "join": _join,
        "replace": lambda text, old, new, count=-1: replaced(
            as_text(text), as_text(old), as_text(new), count
        ),
        "round": _round,
        "sum": _sum,
    }
    listed = {name: _on_items(FILTERS[name], budget) for name in _LIST_FILTERS}
    return {
        **{name: _on_text(FILTERS[name], budget) for name in _TEXT_FILTERS},
        **{name: FILTERS[name] for name in _VALUE_FILTERS},
        **listed,
        **{name: _few_pieces(listed[name]) for name in ("batch", "slice")},
        **{name: _on_text(own[name], budget) for name in ("format", "replace")},
        **{name: _on_items(own[name], budget) for name in ("join", "sum")},
        "round": own["round"],
    }


def tests(budget: Budget) -> dict[str, Function]:
    """All the tests by name; comparing large values is paid for."""
    return {name: _on_looked_at(cast("Function", TESTS[name]), budget) for name in _TESTS}


def functions(budget: Budget) -> dict[str, Function]:
    """The functions of expressions, by name; templates know them too."""
    walking: dict[str, Function] = {
        "all": all,
        "any": any,
        "count": _count,
        "len": _count,
        "max": max,
        "min": min,
        "sorted": _sorted,
        "sum": _total,
    }
    return {
        **{name: _on_items(function, budget) for name, function in walking.items()},
        "abs": abs,
        "ceil": math.ceil,
        "floor": math.floor,
        "range": spread,
        "round": rounded,
    }


def _at(function: Function) -> int:
    """The position of a filter's own first argument: after the context, if it asks for one."""
    return 0 if _PassArg.from_obj(function) is None else 1


def _on_text(function: Function, budget: Budget) -> Function:
    """A filter of text: takes no lists, pays by length, keeps the place the text came from."""
    at = _at(function)

    @functools.wraps(function)
    def bounded(*arguments: Any, **named: Any) -> Any:
        source = arguments[at]
        budget.write(len(as_text(source)))
        result = function(*arguments, **named)
        return written_as(result, source) if isinstance(result, str) else result

    return bounded


def _on_items(function: Function, budget: Budget) -> Function:
    """A filter or function that walks through a list: pays for each item, and for the result."""
    at = _at(function)

    @functools.wraps(function)
    def bounded(*arguments: Any, **named: Any) -> Any:
        before, items, after = arguments[:at], arguments[at : at + 1], arguments[at + 1 :]
        result = function(*before, *map(_walkable(budget), items), *after, **named)
        if isinstance(result, (list, tuple, dict)):
            budget.step(weight(result) // 16)
        return result

    return bounded


def _walkable(budget: Budget) -> Callable[[Any], Any]:
    # min(3, 4) is given numbers, min([3, 4]) a list.
    return lambda value: value if isinstance(value, (int, float)) else budget.walked(value)


def _on_looked_at(function: Function, budget: Budget) -> Function:
    at = _at(function)

    @functools.wraps(function)
    def bounded(*arguments: Any) -> Any:
        for value in arguments[at:]:
            budget.looked_at(value)
        return function(*arguments)

    return bounded


def _few_pieces(function: Function) -> Function:
    """`batch` and `slice`, whose number says how much filling they may add."""

    @functools.wraps(function)
    def bounded(items: Any, number: int, fill_with: Any = None) -> Any:
        if number * weight(fill_with) > MAX_PIECES:
            raise TooMuchError(f"more than {MAX_PIECES:,} pieces")
        return function(items, number, fill_with)

    return bounded


@pass_environment
def _join(
    environment: Environment, items: Iterable[Any], d: str = "", attribute: str | None = None
) -> str:
    values = items if attribute is None else map(make_attrgetter(environment, attribute), items)
    return joined(values, as_text(d))


@pass_environment
def _sum(
    environment: Environment,
    items: Iterable[Any],
    attribute: str | int | None = None,
    start: Any = 0,
) -> Any:
    values = items if attribute is None else map(make_attrgetter(environment, attribute), items)
    return _total(values, start)


def _total(items: Iterable[Any], start: Any = 0) -> Any:
    total = start
    for item in items:
        if not isinstance(item, (int, float, Undefined)):
            raise TypeError(f"sum needs numbers, not {described(item)}")
        total = operate("+", total, item)
    return total


def _round(value: Any, precision: int = 0, method: str = "common") -> float:
    if isinstance(value, Undefined):
        return float(value)
    if method == "common":
        return rounded(value, precision)
    if method not in ("ceil", "floor") or not -15 <= precision <= 15:
        raise ValueError("round takes -15 to 15 decimals, then 'common', 'ceil' or 'floor'")
    scale = 10.0**precision
    return float(getattr(math, method)(value * scale) / scale)


def _count(items: Iterable[Any], *value: Any) -> int:
    """How many items there are or, with a value, how many are equal to it."""
    if isinstance(items, Undefined):
        return len(items)
    if value:
        return sum(1 for item in items if item == value[0])
    return sum(1 for _ in items)


def _sorted(items: Iterable[Any], reverse: bool = False) -> list[Any]:
    return sorted(items, reverse=reverse)
