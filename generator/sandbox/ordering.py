"""The filters that compare items with each other: `sort`, `unique`, `groupby`, `min` and so on."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from jinja2 import Environment, pass_environment
from jinja2.filters import _GroupTuple, make_attrgetter, make_multi_attrgetter

from generator.sandbox.budget import TooMuchError
from generator.sandbox.comparing import Comparing
from generator.sandbox.prices import Function

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
        raise TooMuchError(f"an attribute of more than {MAX_PATH} letters")
    return attribute
