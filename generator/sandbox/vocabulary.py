"""The methods, filters, tests and functions that templates and expressions may use.

Jinja's own, as far as they are harmless and their results bounded. Those that could grow (`center`,
`indent`, `wordwrap` …), reach further (`attr`, `xmlattr`) or differ from run to run (`random`) are
left out or replaced.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Final, cast

from jinja2 import Environment, Undefined, pass_environment
from jinja2.filters import FILTERS as JINJA_FILTERS
from jinja2.filters import make_attrgetter
from jinja2.tests import TESTS as JINJA_TESTS
from jinja2.utils import Namespace, _PassArg

from generator.nets import NETS
from generator.sandbox.bounds import (
    MAX_RANGE,
    BoundsError,
    as_text,
    bounded_range,
    described,
    formatted,
    joined,
    operate,
    placed,
    replaced,
    rounded,
)

Function = Callable[..., Any]

TEXT_METHODS: Final = frozenset(
    "capitalize casefold count endswith find index isalnum isalpha isdecimal isdigit islower "
    "isnumeric isspace istitle isupper lower lstrip partition removeprefix removesuffix rfind "
    "rindex rpartition rsplit rstrip split splitlines startswith strip swapcase title upper".split()
)
MAP_METHODS: Final = frozenset("get items keys values".split())
LIST_METHODS: Final = frozenset("count index".split())


def call_text_method(text: str, name: str, *arguments: Any, **named: Any) -> Any:
    """Call a method of a text; a text that it returns keeps the place of the first."""
    result = getattr(text, name)(*arguments, **named)
    return placed(result, text) if isinstance(result, str) else result


def _of_text(run: Function) -> Function:
    """Let a filter take text or a number, and keep the place of the text."""
    at = 0 if _PassArg.from_obj(run) is None else 1  # after the environment, if it is passed

    @functools.wraps(run)
    def of_text(*arguments: Any, **named: Any) -> Any:
        given = arguments[at]
        result = run(*arguments[:at], as_text(given), *arguments[at + 1 :], **named)
        return placed(result, given) if isinstance(result, str) else result

    return of_text


def _to_list(run: Function) -> Function:
    """Let a filter return a list in place of an iterator, which could be used only once."""

    @functools.wraps(run)
    def to_list(*arguments: Any, **named: Any) -> Any:
        result = run(*arguments, **named)
        return list(result) if isinstance(result, Iterator) else result

    return to_list


def _in_pieces(run: Function) -> Function:
    """Bound the number given to `batch` or `slice`."""

    def in_pieces(items: Any, number: int, fill_with: Any = None) -> list[Any]:
        if not isinstance(number, int):
            raise TypeError(f"a whole number is needed here, not {described(number)}")
        if number > MAX_RANGE:
            raise BoundsError(f"more than {MAX_RANGE:,} pieces")
        return list(run(items, number, fill_with))

    return in_pieces


def _format(pattern: Any, *arguments: Any) -> str:
    return formatted(as_text(pattern), arguments)


def _replace(text: Any, old: Any, new: Any, count: int = -1) -> str:
    return replaced(as_text(text), as_text(old), as_text(new), count)


def _round(value: Any, precision: int = 0, method: str = "common") -> float:
    if isinstance(value, Undefined):
        return float(value)  # raises, naming what is missing
    if method == "common":
        return rounded(value, precision)
    if method not in ("ceil", "floor") or not -15 <= precision <= 15:
        raise ValueError("round takes -15 to 15 decimals, then 'common', 'ceil' or 'floor'")
    scale = 10.0**precision
    return float(getattr(math, method)(value * scale) / scale)


def _of_items(environment: Environment, items: Iterable[Any], attribute: Any) -> Iterable[Any]:
    return items if attribute is None else map(make_attrgetter(environment, attribute), items)


@pass_environment
def _join(
    environment: Environment, items: Iterable[Any], d: str = "", attribute: str | None = None
) -> str:
    return joined(_of_items(environment, items, attribute), as_text(d))


@pass_environment
def _sum(
    environment: Environment,
    items: Iterable[Any],
    attribute: str | int | None = None,
    start: Any = 0,
) -> Any:
    return _total(_of_items(environment, items, attribute), start)


def _total(items: Iterable[Any], start: Any = 0) -> Any:
    total = start
    for item in items:
        if not isinstance(item, (int, float, Undefined)):
            raise TypeError(f"sum needs numbers, not {described(item)}")
        total = operate("+", total, item)
    return total


def _words(names: str, change: Function = lambda run: run) -> dict[str, Function]:
    return {name: change(cast("Function", JINJA_FILTERS[name])) for name in names.split()}


FILTERS: Final[Mapping[str, Function]] = {
    **_words("abs count d default dictsort first float groupby int last length list max min sort"),
    **_words("capitalize e escape lower safe string striptags title trim truncate", _of_text),
    **_words("upper wordcount", _of_text),
    **_words("items map reject rejectattr reverse select selectattr unique", _to_list),
    **_words("batch slice", _in_pieces),
    "format": _format,
    "join": _join,
    "replace": _replace,
    "round": _round,
    "sum": _sum,
}


def _number(value: Any) -> Any:
    """Return a number; `%` would format a text. Raises TypeError."""
    if not isinstance(value, (int, float, Undefined)):
        raise TypeError(f"a number is needed here, not {described(value)}")
    return value


_TEST_NAMES: Final = (
    "== != < <= > >= boolean defined eq equalto false float ge greaterthan gt in integer iterable "
    "le lessthan lt mapping ne none number sameas sequence string true undefined"
)
TESTS: Final[Mapping[str, Function]] = {
    **{name: cast("Function", JINJA_TESTS[name]) for name in _TEST_NAMES.split()},
    "divisibleby": lambda value, by: _number(value) % _number(by) == 0,
    "even": lambda value: _number(value) % 2 == 0,
    "odd": lambda value: _number(value) % 2 == 1,
    "lower": lambda text: as_text(text).islower(),
    "upper": lambda text: as_text(text).isupper(),
}


def count(items: Any, *value: Any) -> int:
    """Return how many items there are or, with a value, how many equal it."""
    return sum(1 for item in items if item == value[0]) if value else len(items)


def namespace(**named: Any) -> Namespace:
    """Return values that a template may set inside loops."""
    return Namespace(**named)


FUNCTIONS: Final[Mapping[str, Function]] = {
    "abs": abs,
    "all": all,
    "any": any,
    "ceil": math.ceil,
    "count": count,
    "floor": math.floor,
    "len": count,
    "max": max,
    "min": min,
    "namespace": namespace,
    "range": bounded_range,
    "round": rounded,
    "sorted": sorted,
    "sum": _total,
    **NETS,
}
