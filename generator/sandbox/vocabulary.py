"""The words of expressions and templates: methods, filters, tests and functions without harm; long,
since each is listed by hand with its price, and those that compare or sort do so by rules of ours.

What a word costs is paid before it is done. What could grow (`center`, `indent`, `wordwrap` …),
reach further (`attr`, `xmlattr`) or differ from run to run (`random`) is left out or replaced by a
bounded form. Python compares lists and maps by itself, with no say in how long that takes: lists
that hold the same list many times, or records that refer to each other, can take for ever.
"""

from __future__ import annotations

import functools
import math
import operator
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Final, cast

from jinja2 import Environment, Undefined, pass_environment
from jinja2.filters import FILTERS, _GroupTuple, make_attrgetter, make_multi_attrgetter
from jinja2.runtime import LoopContext
from jinja2.tests import TESTS
from jinja2.utils import Namespace, _PassArg
from msgspec import Struct

from generator.outlines import NETS
from generator.sandbox.budget import (
    MAX_ITEMS,
    NUMBERS,
    Budget,
    BudgetError,
    as_text,
    bounded_range,
    check_bits,
    check_text,
    described,
    formatted,
    item_count,
    joined,
    operate,
    replaced,
    rounded,
    written_as,
)

Function = Callable[..., Any]
Arguments = tuple[Any, ...]
Price = Callable[[Budget, Arguments], Arguments]
"""Pays for what a word is given, and hands it on: what is walked through is counted on the way."""


def at_once(_budget: Budget, given: Arguments) -> Arguments:
    """Nothing beside its step: it takes no longer for a large value than for a small one."""
    return given


def by_length(budget: Budget, given: Arguments) -> Arguments:
    """Each letter of the text, with those that are made of it."""
    budget.write(2 * len(as_text(given[0])))
    return given


def by_piece(budget: Budget, given: Arguments) -> Arguments:
    """Each letter, some times over: the text is taken to pieces."""
    budget.write(8 * len(as_text(given[0])))
    return given


def by_search(budget: Budget, given: Arguments) -> Arguments:
    """Each letter of the text held against each of those looked for."""
    budget.search(as_text(given[0]), given[1:])
    return given


def by_pieces_found(budget: Budget, given: Arguments) -> Arguments:
    """A search, and what it takes the text to."""
    return by_search(budget, by_piece(budget, given))


def by_tag(budget: Budget, given: Arguments) -> Arguments:
    """Each letter for each of the tags, one of which is taken out after the other."""
    text = as_text(given[0])
    budget.write(len(text) * (1 + text.count("<")))
    return by_piece(budget, given)


def by_item(budget: Budget, given: Arguments) -> Arguments:
    """Each item, one by one. min(3, 4) is given numbers, min([3, 4]) a list."""
    if given and not isinstance(given[0], (int, float)):
        return budget.walked(given[0]), *given[1:]
    return given


def by_size(budget: Budget, given: Arguments) -> Arguments:
    """All that it is given."""
    for value in given:
        budget.looked_at(value)
    return given


class Priced(Struct, frozen=True):
    """What an author may use: what it does, and what that costs."""

    run: Function
    price: Price

    def paid(self, budget: Budget) -> Function:
        """The word as it is called: what it costs is paid first, what it makes is weighed."""
        run, price = self.run, self.price
        at = 0 if _PassArg.from_obj(run) is None else 1  # after the context, if it asks for one

        @functools.wraps(run)
        def paid(*arguments: Any, **named: Any) -> Any:
            if price is not at_once:
                given = price(budget, (*arguments[at:], *named.values()))
                arguments = (*arguments[:at], *given[: len(arguments) - at])
            result = run(*arguments, **named)
            if type(result) in NUMBERS:
                return result
            if isinstance(result, Iterator):
                # What is lazy is used up by who asks first, and may be kept for many faces.
                result = tuple(result)
            if isinstance(result, str):
                check_text(len(result))
                return written_as(result, *arguments[at : at + 1])
            if isinstance(result, (list, tuple, dict)):
                budget.step(len(result) // 16)
            return result

        return paid


MAX_DIGITS: Final = 400


def round_filter(value: Any, precision: int = 0, method: str = "common") -> float:
    """The filter `round`."""
    if isinstance(value, Undefined):
        return float(value)
    if method == "common":
        return rounded(value, precision)
    if not isinstance(value, (int, float)):
        raise TypeError(f"round takes a number, not {described(value)}")
    if method not in ("ceil", "floor") or not -15 <= precision <= 15:
        raise ValueError("round takes -15 to 15 decimals, then 'common', 'ceil' or 'floor'")
    scale = 10.0**precision
    return float(getattr(math, method)(value * scale) / scale)


def int_filter(value: Any, default: Any = 0, base: int = 10) -> Any:
    """The filter `int`. Raises TooMuchError."""
    number = FILTERS["int"](_short(value), default, base)
    check_bits(number)
    return number


def float_filter(value: Any, default: Any = 0.0) -> Any:
    """The filter `float`. Raises TooMuchError."""
    return FILTERS["float"](_short(value), default)


def _short(value: Any) -> Any:
    """A text that may be a number: not so long that reading it takes time."""
    if isinstance(value, str) and len(value) > MAX_DIGITS:
        raise BudgetError(f"a number of more than {MAX_DIGITS} digits")
    return value


def countable(value: Any) -> Any:
    """The same number, as `even` and `divisibleby` need one. Raises TypeError, TooMuchError."""
    if isinstance(value, (int, float)):
        check_bits(value)
    elif not isinstance(value, Undefined):
        raise TypeError(f"a number is needed here, not {described(value)}")
    return value


MAX_PIECES: Final = 10_000


def _methods(price: Price, names: str) -> dict[str, Priced]:
    return {name: Priced(_method(name), price) for name in names.split()}


def _method(name: str) -> Function:
    def method(owner: Any, *arguments: Any, **named: Any) -> Any:
        return getattr(owner, name)(*arguments, **named)

    return method


def _split(name: str) -> Function:
    def split(text: str, sep: str | None = None, maxsplit: int = -1) -> list[str]:
        most = maxsplit if 0 <= maxsplit < MAX_ITEMS else MAX_ITEMS
        return cast("list[str]", getattr(text, name)(sep, most))

    return split


TEXT_METHODS: Final[Mapping[str, Priced]] = {
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
    **{name: Priced(_split(name), by_pieces_found) for name in ("split", "rsplit")},
}
MAP_METHODS: Final[Mapping[str, Priced]] = {
    **_methods(at_once, "items keys values"),
    **_methods(by_size, "get"),
}


def list_methods(comparing: Comparing) -> dict[str, Priced]:
    """What may be asked of a list."""
    return {
        "count": Priced(comparing.count, by_item),
        "index": Priced(comparing.index, by_item),
    }


def loop_methods(comparing: Comparing) -> dict[str, Priced]:
    """What of a `loop` is not as Jinja2 has it."""

    def changed(loop: LoopContext, *values: Any) -> bool:
        """True when the values are not those of the last time that it was asked."""
        before = getattr(loop, "_told_values", None)
        loop._told_values = values  # type: ignore[attr-defined]
        return before is None or not comparing.equal(before, values)

    return {"changed": Priced(changed, at_once)}


def filters(comparing: Comparing) -> dict[str, Priced]:
    """All the filters by name."""
    replacing = Priced(
        lambda text, old, new, count=-1: replaced(as_text(text), as_text(old), as_text(new), count),
        by_search,
    )
    return {
        **{name: Priced(FILTERS[name], by_length) for name in _LETTER_FILTERS},
        **{name: Priced(FILTERS[name], by_piece) for name in ("title", "truncate", "wordcount")},
        "striptags": Priced(FILTERS["striptags"], by_tag),
        "trim": Priced(FILTERS["trim"], by_search),
        "format": Priced(lambda pattern, *more: formatted(as_text(pattern), more), by_size),
        "replace": replacing,
        **{name: Priced(FILTERS[name], by_item) for name in _LIST_FILTERS},
        **{name: Priced(_with_path(FILTERS[name]), by_item) for name in _PATH_FILTERS},
        **{name: Priced(_few_pieces(FILTERS[name]), by_item) for name in ("batch", "slice")},
        **{name: Priced(run, by_item) for name, run in _ordering_filters(comparing).items()},
        "join": Priced(_join, by_item),
        "sum": Priced(_sum, by_item),
        **{name: Priced(FILTERS[name], at_once) for name in _VALUE_FILTERS},
        "float": Priced(float_filter, at_once),
        "int": Priced(int_filter, at_once),
        "round": Priced(round_filter, at_once),
    }


def tests(comparing: Comparing) -> dict[str, Priced]:
    """All the tests by name."""
    compared = {name: comparing.way(sign) for name, sign in _COMPARISONS.items()}
    return {
        **{name: Priced(cast("Function", TESTS[name]), at_once) for name in _KIND_TESTS},
        **{name: Priced(run, at_once) for name, run in compared.items()},
        "divisibleby": Priced(lambda value, by: countable(value) % countable(by) == 0, at_once),
        "even": Priced(lambda value: countable(value) % 2 == 0, at_once),
        "odd": Priced(lambda value: countable(value) % 2 == 1, at_once),
        "lower": Priced(lambda text: as_text(text).islower(), by_length),
        "upper": Priced(lambda text: as_text(text).isupper(), by_length),
    }


def functions(comparing: Comparing) -> dict[str, Priced]:
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
        "all": Priced(all, by_item),
        "any": Priced(any, by_item),
        "count": Priced(count, by_item),
        "len": Priced(count, by_item),
        "max": Priced(most, by_item),
        "min": Priced(least, by_item),
        "sorted": Priced(in_order, by_item),
        "sum": Priced(_total, by_item),
        "abs": Priced(abs, at_once),
        "ceil": Priced(math.ceil, at_once),
        "floor": Priced(math.floor, at_once),
        "range": Priced(bounded_range, at_once),
        "round": Priced(rounded, at_once),
        "namespace": Priced(_namespace, at_once),
        **{name: Priced(net, at_once) for name, net in NETS.items()},
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
        _checked_path(named.get("attribute"))
        if first_is_path and len(arguments) > 2:
            _checked_path(arguments[2])
        return function(*arguments, **named)

    return checked


def _few_pieces(function: Function) -> Function:
    """`batch` and `slice`, whose number says how much filling they may add."""

    @functools.wraps(function)
    def bounded(items: Any, number: int, fill_with: Any = None) -> Any:
        if type(number) is not int:
            raise TypeError(f"a whole number is needed here, not {described(number)}")
        if number * item_count(fill_with) > MAX_PIECES:
            raise BudgetError(f"more than {MAX_PIECES:,} pieces")
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
    return map(make_attrgetter(environment, _checked_path(attribute)), items)


def _total(items: Iterable[Any], start: Any = 0) -> Any:
    total = start
    for item in items:
        if not isinstance(item, (int, float, Undefined)):
            raise TypeError(f"sum needs numbers, not {described(item)}")
        total = operate("+", total, item)
    return total


def _namespace(**named: Any) -> Namespace:
    return Namespace(**named)


_PRICE: Final = 32
"""Characters that two values cost to compare, beside the letters of texts."""
_SAFE: Final = 1 << 60
"""Whole numbers from here on may have the same hash by the thousand."""
_WORDED: Final[Mapping[str, str]] = {
    "eq": "==", "ne": "!=", "lt": "<", "lteq": "<=", "gt": ">", "gteq": ">=",
    "in": "in", "notin": "not in",
}  # fmt: skip
_SIGNS: Final[Mapping[str, Callable[[Any, Any], bool]]] = {
    "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge,
}  # fmt: skip
_PLAIN: Final = (int, float, type(None), range, Undefined)


class Comparing:
    """Comparisons that are paid from a budget. Each raises TooMuchError, and TypeError for values
    that cannot be compared so."""

    def __init__(self, budget: Budget) -> None:
        self._budget = budget
        self._ways: Mapping[str, Callable[[Any, Any], bool]] = {
            "==": self.equal,
            "!=": lambda left, right: not self.equal(left, right),
            "in": lambda item, items: self.holds(items, item),
            "not in": lambda item, items: not self.holds(items, item),
            **{sign: functools.partial(self.ordered, sign) for sign in _SIGNS},
        }

    def way(self, sign: str) -> Callable[[Any, Any], bool]:
        """The comparison of a sign such as `<=` or `in`."""
        return self._ways[sign]

    def chain(self, value: Any, *more: Any) -> bool:
        """`1 < x <= 3`: a value, then the tree's word for each operator, and what follows it."""
        for word, other in zip(more[::2], more[1::2], strict=True):
            if not self._ways[_WORDED[word]](value, other):
                return False
            value = other
        return True

    def equal(self, left: Any, right: Any) -> bool:
        """Texts and numbers alike; lists of the same items; maps of the same values."""
        self._budget.write(_PRICE)
        if isinstance(left, _PLAIN) or isinstance(right, _PLAIN):
            return bool(left == right)
        if left is right:
            return True
        if isinstance(left, str) and isinstance(right, str):
            self._budget.write(min(len(left), len(right)))
            return bool(left == right)
        if isinstance(left, (list, tuple)) and isinstance(right, (list, tuple)):
            return len(left) == len(right) and all(map(self.equal, left, right))
        if isinstance(left, Mapping) and isinstance(right, Mapping):
            self._budget.write(2 * _PRICE)
            return len(left) == len(right) and all(
                name in right and self.equal(left[name], right[name]) for name in left
            )
        return False

    def ordered(self, sign: str, left: Any, right: Any) -> bool:
        """`<`, `<=`, `>` or `>=` of numbers, texts or lists."""
        self._budget.write(_PRICE)
        numbers = isinstance(left, (int, float)) and isinstance(right, (int, float))
        if numbers or isinstance(left, Undefined) or isinstance(right, Undefined):
            return _SIGNS[sign](left, right)
        if isinstance(left, str) and isinstance(right, str):
            self._budget.write(min(len(left), len(right)))
            return _SIGNS[sign](left, right)
        if isinstance(left, (list, tuple)) and isinstance(right, (list, tuple)):
            for one, other in zip(left, right, strict=False):
                if not self.equal(one, other):
                    return self.ordered(sign, one, other)
            return _SIGNS[sign](len(left), len(right))
        raise TypeError(f"{described(left)} and {described(right)} cannot be compared with {sign}")

    def holds(self, items: Any, item: Any) -> bool:
        """`item in items`: a part of a text, an item of a list, the name of a value."""
        if isinstance(items, str):
            if isinstance(item, Undefined):
                return bool(item)  # raises, naming what is not there
            if not isinstance(item, str):
                raise TypeError(f"{described(item)} cannot be in a text")
            self._budget.search(items, (item,))
            return item in items
        if isinstance(items, Mapping):
            self.hashable(item)
            return item in items
        if isinstance(items, range) and isinstance(item, int):
            return item in items
        if isinstance(items, (Iterable, Undefined)):
            return any(self.equal(item, one) for one in items)
        raise TypeError(f"a list is needed here, not {described(items)}")

    def count(self, items: Iterable[Any], value: Any) -> int:
        """How many items are equal to the value."""
        return sum(1 for item in items if self.equal(item, value))

    def index(self, items: Iterable[Any], value: Any) -> int:
        """The place of the first item that is equal to the value. Raises ValueError for none."""
        for place, item in enumerate(items):
            if self.equal(item, value):
                return place
        raise ValueError("the list has no such item")

    def sort(
        self, items: Iterable[Any], reverse: bool = False, key: Callable[[Any], Any] = lambda x: x
    ) -> list[Any]:
        """The items in order; those alike stay in theirs."""
        return sorted(items, key=lambda item: _SortPlace(self, key(item)), reverse=reverse)

    def least(self, items: Iterable[Any], key: Callable[[Any], Any] = lambda x: x) -> Any:
        """The first item of the least. Raises ValueError when there is none."""
        return self._extreme("<", items, key)

    def greatest(self, items: Iterable[Any], key: Callable[[Any], Any] = lambda x: x) -> Any:
        """The first item of the greatest. Raises ValueError when there is none."""
        return self._extreme(">", items, key)

    def _extreme(self, sign: str, items: Iterable[Any], key: Callable[[Any], Any]) -> Any:
        remaining = iter(items)
        for found in remaining:
            best = key(found)
            for item in remaining:
                value = key(item)
                if self.ordered(sign, value, best):
                    found, best = item, value  # noqa: PLW2901, the one to beat from here on
            return found
        raise ValueError("there is nothing to choose from: the list is empty")

    def folded(self, value: Any) -> Any:
        """A text in lower case, for comparing it with others; anything else as it is. Raises
        UndefinedError for what is not there."""
        if isinstance(value, Undefined):
            str(value)
        if not isinstance(value, str):
            return value
        self._budget.write(len(value))
        check_text(len(value))
        return value.lower()

    def hashable(self, value: Any) -> Any:
        """What a set or map can know the value by. Raises TypeError for maps."""
        self._budget.write(_PRICE)
        if isinstance(value, str):
            self._budget.write(len(value))
            return value
        if isinstance(value, (list, tuple)):
            return tuple(map(self.hashable, value))
        if isinstance(value, int) and not -_SAFE < value < _SAFE:
            return repr(value), int
        if isinstance(value, _PLAIN):
            return value
        raise TypeError(f"{described(value)} cannot be looked up")


class _SortPlace:
    """A value's place in a sorted list."""

    __slots__ = ("_comparing", "_value")

    def __init__(self, comparing: Comparing, value: Any) -> None:
        self._comparing = comparing
        self._value = value

    def __lt__(self, other: _SortPlace) -> bool:
        return self._comparing.ordered("<", self._value, other._value)


_MAX_PATH: Final = 200
"""Letters of `attribute='a.b'`, whose parts are looked up for each item."""


def _key(
    comparing: Comparing,
    environment: Environment,
    attribute: Any,
    case_sensitive: bool,
    default: Any = None,
) -> Function:
    """What an item is compared by: it, or a value of it; texts in lower case unless asked."""
    found = make_attrgetter(environment, _checked_path(attribute), default=default)
    return found if case_sensitive else lambda item: comparing.folded(found(item))


def _ordering_filters(comparing: Comparing) -> dict[str, Function]:
    """These filters by name."""
    return {
        **{run.__name__: run for run in (_sort(comparing), _unique(comparing))},
        **{run.__name__: run for run in (_groupby(comparing), _dictsort(comparing))},
        "max": _extreme(comparing, comparing.greatest),
        "min": _extreme(comparing, comparing.least),
    }


def _sort(comparing: Comparing) -> Function:
    @pass_environment
    def sort(
        environment: Environment,
        value: Any,
        reverse: bool = False,
        case_sensitive: bool = False,
        attribute: Any = None,
    ) -> list[Any]:
        fold = None if case_sensitive else comparing.folded
        path = make_multi_attrgetter(environment, _checked_path(attribute), fold)
        return comparing.sort(value, reverse, path)

    return sort


def _unique(comparing: Comparing) -> Function:
    @pass_environment
    def unique(
        environment: Environment, value: Any, case_sensitive: bool = False, attribute: Any = None
    ) -> list[Any]:
        key = _key(comparing, environment, attribute, case_sensitive)
        firsts: dict[Any, Any] = {}
        for item in value:
            firsts.setdefault(comparing.hashable(key(item)), item)
        return list(firsts.values())

    return unique


def _groupby(comparing: Comparing) -> Function:
    @pass_environment
    def groupby(
        environment: Environment,
        value: Any,
        attribute: Any,
        default: Any = None,
        case_sensitive: bool = False,
    ) -> list[Any]:
        exact = _key(comparing, environment, attribute, True, default)
        key = _key(comparing, environment, attribute, case_sensitive, default)
        groups: list[tuple[Any, list[Any]]] = []
        keyed = ((key(item), item) for item in value)
        for known, item in comparing.sort(keyed, key=lambda pair: pair[0]):
            if not groups or not comparing.equal(groups[-1][0], known):
                groups.append((known, []))
            groups[-1][1].append(item)
        return [_GroupTuple(exact(items[0]), items) for _, items in groups]

    return groupby


def _dictsort(comparing: Comparing) -> Function:
    def dictsort(
        value: Mapping[Any, Any],
        case_sensitive: bool = False,
        by: str = "key",
        reverse: bool = False,
    ) -> list[Any]:
        if by not in ("key", "value"):
            raise ValueError("dictsort sorts by 'key' or by 'value'")
        place = 0 if by == "key" else 1
        fold: Function = (lambda x: x) if case_sensitive else comparing.folded
        return comparing.sort(value.items(), reverse, lambda item: fold(item[place]))

    return dictsort


def _extreme(comparing: Comparing, choose: Function) -> Function:
    @pass_environment
    def extreme(
        environment: Environment, value: Any, case_sensitive: bool = False, attribute: Any = None
    ) -> Any:
        items = list(value)
        if not items:
            return environment.undefined("the list is empty")
        return choose(items, _key(comparing, environment, attribute, case_sensitive))

    return extreme


def _checked_path(attribute: Any) -> Any:
    """The same path of an attribute. Raises TooMuchError for one that is too long."""
    if isinstance(attribute, str) and len(attribute) > _MAX_PATH:
        raise BudgetError(f"an attribute of more than {_MAX_PATH} letters")
    return attribute


FILTER_NAMES: Final = tuple(sorted(filters(Comparing(Budget()))))
TEST_NAMES: Final = tuple(sorted(tests(Comparing(Budget()))))
