"""Comparing and sorting values, paid for as it goes; the filters `sort`, `unique`, `min` and so on.

Python compares lists and maps by itself, with no say in how long that takes: lists that hold the
same list many times, or records that refer to each other, can take for ever.
"""

from __future__ import annotations

import functools
import operator
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final

from jinja2 import Environment, Undefined, pass_environment
from jinja2.filters import _GroupTuple, make_attrgetter, make_multi_attrgetter

from generator.sandbox.budget import Budget, BudgetError, check_text, described

PRICE: Final = 32
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
        self._budget.write(PRICE)
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
            self._budget.write(2 * PRICE)
            return len(left) == len(right) and all(
                name in right and self.equal(left[name], right[name]) for name in left
            )
        return False

    def ordered(self, sign: str, left: Any, right: Any) -> bool:
        """`<`, `<=`, `>` or `>=` of numbers, texts or lists."""
        self._budget.write(PRICE)
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
        self._budget.write(PRICE)
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


Function = Callable[..., Any]

MAX_PATH: Final = 200
"""Letters of `attribute='a.b'`, whose parts are looked up for each item."""


def _key(
    comparing: Comparing,
    environment: Environment,
    attribute: Any,
    case_sensitive: bool,
    default: Any = None,
) -> Function:
    """What an item is compared by: it, or a value of it; texts in lower case unless asked."""
    found = make_attrgetter(environment, checked_path(attribute), default=default)
    return found if case_sensitive else lambda item: comparing.folded(found(item))


def ordering_filters(comparing: Comparing) -> dict[str, Function]:
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
        path = make_multi_attrgetter(environment, checked_path(attribute), fold)
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


def checked_path(attribute: Any) -> Any:
    """The same path of an attribute. Raises TooMuchError for one that is too long."""
    if isinstance(attribute, str) and len(attribute) > MAX_PATH:
        raise BudgetError(f"an attribute of more than {MAX_PATH} letters")
    return attribute
