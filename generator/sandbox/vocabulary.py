"""The words of expressions and templates: methods, filters, tests and functions without harm.

Everything is listed here by hand, with what it costs, which is paid before it is done. What could
grow (`center`, `indent`, `wordwrap` …), reach further (`attr`, `xmlattr`) or differ from run to
run (`random`) is left out or replaced by a bounded form.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Iterable, Mapping
from typing import Any, Final, cast

from jinja2 import Environment, Undefined, pass_environment
from jinja2.filters import FILTERS, make_attrgetter
from jinja2.runtime import LoopContext
from jinja2.tests import TESTS
from jinja2.utils import Namespace

from generator.sandbox.bounds import as_text, formatted, joined, operate, replaced, rounded, spread
from generator.sandbox.budget import MAX_ITEMS, Budget, TooMuchError, described, weight
from generator.sandbox.comparing import Comparing
from generator.sandbox.numbers import countable, float_filter, int_filter, round_filter
from generator.sandbox.ordering import checked_path, ordering_filters
from generator.sandbox.prices import (
    Function,
    Price,
    Word,
    at_once,
    by_item,
    by_length,
    by_piece,
    by_pieces_found,
    by_search,
    by_size,
    by_tag,
)

MAX_PIECES: Final = 10_000


def _methods(price: Price, names: str) -> dict[str, Word]:
    return {name: Word(_method(name), price) for name in names.split()}


def _method(name: str) -> Function:
    def method(owner: Any, *arguments: Any, **named: Any) -> Any:
        return getattr(owner, name)(*arguments, **named)

    return method


def _split(name: str) -> Function:
    def split(text: str, sep: str | None = None, maxsplit: int = -1) -> list[str]:
        most = maxsplit if 0 <= maxsplit < MAX_ITEMS else MAX_ITEMS
        return cast("list[str]", getattr(text, name)(sep, most))

    return split


TEXT_METHODS: Final[Mapping[str, Word]] = {
    **_methods(
        by_length,
        "capitalize casefold isalnum isalpha isdecimal isdigit islower isnumeric isspace istitle "
        "isupper lower swapcase title upper",
    ),
    **_methods(
        by_search,
        "count endswith find index lstrip partition removeprefix removesuffix rfind rindex "
        "rpartition rstrip startswith strip",
    ),
    **_methods(by_pieces_found, "splitlines"),
    **{name: Word(_split(name), by_pieces_found) for name in ("split", "rsplit")},
}
MAP_METHODS: Final[Mapping[str, Word]] = {
    **_methods(at_once, "items keys values"),
    **_methods(by_size, "get"),
}


def list_methods(comparing: Comparing) -> dict[str, Word]:
    """What may be asked of a list."""
    return {
        "count": Word(comparing.count, by_item),
        "index": Word(comparing.index, by_item),
    }


def loop_methods(comparing: Comparing) -> dict[str, Word]:
    """What of a `loop` is not as Jinja2 has it."""

    def changed(loop: LoopContext, *values: Any) -> bool:
        """True when the values are not those of the last time that it was asked."""
        before = getattr(loop, "_told_values", None)
        loop._told_values = values  # type: ignore[attr-defined]
        return before is None or not comparing.equal(before, values)

    return {"changed": Word(changed, at_once)}


def filters(comparing: Comparing) -> dict[str, Word]:
    """All the filters by name."""
    replacing = Word(
        lambda text, old, new, count=-1: replaced(as_text(text), as_text(old), as_text(new), count),
        by_search,
    )
    return {
        **{name: Word(FILTERS[name], by_length) for name in _LETTER_FILTERS},
        **{name: Word(FILTERS[name], by_piece) for name in ("title", "truncate", "wordcount")},
        "striptags": Word(FILTERS["striptags"], by_tag),
        "trim": Word(FILTERS["trim"], by_search),
        "format": Word(lambda pattern, *more: formatted(as_text(pattern), more), by_size),
        "replace": replacing,
        **{name: Word(FILTERS[name], by_item) for name in _LIST_FILTERS},
        **{name: Word(_with_path(FILTERS[name]), by_item) for name in _PATH_FILTERS},
        **{name: Word(_few_pieces(FILTERS[name]), by_item) for name in ("batch", "slice")},
        **{name: Word(run, by_item) for name, run in ordering_filters(comparing).items()},
        "join": Word(_join, by_item),
        "sum": Word(_sum, by_item),
        **{name: Word(FILTERS[name], at_once) for name in _VALUE_FILTERS},
        "float": Word(float_filter, at_once),
        "int": Word(int_filter, at_once),
        "round": Word(round_filter, at_once),
    }


def tests(comparing: Comparing) -> dict[str, Word]:
    """All the tests by name."""
    compared = {name: comparing.way(sign) for name, sign in _COMPARISONS.items()}
    return {
        **{name: Word(cast("Function", TESTS[name]), at_once) for name in _KIND_TESTS},
        **{name: Word(run, at_once) for name, run in compared.items()},
        "divisibleby": Word(lambda value, by: countable(value) % countable(by) == 0, at_once),
        "even": Word(lambda value: countable(value) % 2 == 0, at_once),
        "odd": Word(lambda value: countable(value) % 2 == 1, at_once),
        "lower": Word(lambda text: as_text(text).islower(), by_length),
        "upper": Word(lambda text: as_text(text).isupper(), by_length),
    }


def functions(comparing: Comparing) -> dict[str, Word]:
    """The functions of expressions, by name; templates know them too."""

    def count(items: Iterable[Any], *value: Any) -> int:
        """How many items there are or, with a value, how many are equal to it."""
        if isinstance(items, Undefined):
            return len(items)
        return comparing.count(items, value[0]) if value else sum(1 for _ in items)

    def most(first: Any, *more: Any) -> Any:
        return comparing.greatest((first, *more) if more else first)

    def least(first: Any, *more: Any) -> Any:
        return comparing.least((first, *more) if more else first)

    def in_order(items: Iterable[Any], reverse: bool = False) -> list[Any]:
        return comparing.sort(items, reverse)

    return {
        "all": Word(all, by_item),
        "any": Word(any, by_item),
        "count": Word(count, by_item),
        "len": Word(count, by_item),
        "max": Word(most, by_item),
        "min": Word(least, by_item),
        "sorted": Word(in_order, by_item),
        "sum": Word(_total, by_item),
        "abs": Word(abs, at_once),
        "ceil": Word(math.ceil, at_once),
        "floor": Word(math.floor, at_once),
        "range": Word(spread, at_once),
        "round": Word(rounded, at_once),
        "namespace": Word(_namespace, at_once),
    }


_LETTER_FILTERS: Final = tuple("capitalize e escape lower safe string upper".split())
_LIST_FILTERS: Final = tuple("first items last list reverse".split())
_PATH_FILTERS: Final = tuple("map reject rejectattr select selectattr".split())
_VALUE_FILTERS: Final = tuple("abs count d default length".split())
_KIND_TESTS: Final = tuple(
    "boolean defined false float integer iterable mapping none number sameas sequence string "
    "true undefined".split()
)
_COMPARISONS: Final = {
    **dict.fromkeys(("==", "eq", "equalto"), "=="),
    **dict.fromkeys(("!=", "ne"), "!="),
    **dict.fromkeys(("<", "lt", "lessthan"), "<"),
    **dict.fromkeys(("<=", "le"), "<="),
    **dict.fromkeys((">", "gt", "greaterthan"), ">"),
    **dict.fromkeys((">=", "ge"), ">="),
    "in": "in",
}


def _with_path(function: Function) -> Function:
    """`map(attribute='a.b')`, `selectattr('a.b')`: the path is looked up for each item."""
    first_is_path = function.__name__.endswith("attr")

    @functools.wraps(function)
    def checked(*arguments: Any, **named: Any) -> Any:
        checked_path(named.get("attribute"))
        if first_is_path and len(arguments) > 2:
            checked_path(arguments[2])
        return function(*arguments, **named)

    return checked


def _few_pieces(function: Function) -> Function:
    """`batch` and `slice`, whose number says how much filling they may add."""

    @functools.wraps(function)
    def bounded(items: Any, number: int, fill_with: Any = None) -> Any:
        if type(number) is not int:
            raise TypeError(f"a whole number is needed here, not {described(number)}")
        if number * weight(fill_with) > MAX_PIECES:
            raise TooMuchError(f"more than {MAX_PIECES:,} pieces")
        return function(items, number, fill_with)

    return bounded


@pass_environment
def _join(
    environment: Environment, items: Iterable[Any], d: str = "", attribute: str | None = None
) -> str:
    return joined(_looked_up(environment, items, attribute), as_text(d))


@pass_environment
def _sum(
    environment: Environment,
    items: Iterable[Any],
    attribute: str | int | None = None,
    start: Any = 0,
) -> Any:
    return _total(_looked_up(environment, items, attribute), start)


def _looked_up(environment: Environment, items: Iterable[Any], attribute: Any) -> Iterable[Any]:
    if attribute is None:
        return items
    return map(make_attrgetter(environment, checked_path(attribute)), items)


def _total(items: Iterable[Any], start: Any = 0) -> Any:
    total = start
    for item in items:
        if not isinstance(item, (int, float, Undefined)):
            raise TypeError(f"sum needs numbers, not {described(item)}")
        total = operate("+", total, item)
    return total


def _namespace(**named: Any) -> Namespace:
    return Namespace(**named)


FILTER_NAMES: Final = tuple(sorted(filters(Comparing(Budget()))))
TEST_NAMES: Final = tuple(sorted(tests(Comparing(Budget()))))
