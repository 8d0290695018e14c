"""What a word of templates is given in, paid for, out: before anything is done with it."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from jinja2.utils import _PassArg  # the only place that says what a filter's first argument is

from generator.sandbox.bounds import NUMBERS, as_text, check_text, written_as
from generator.sandbox.budget import Budget, weight

Function = Callable[..., Any]
Given = tuple[Any, ...]
Price = Callable[[Budget, Given], Given]
"""Pays for what a word is given, and hands it on: what is walked through is counted on the way."""


def at_once(_budget: Budget, given: Given) -> Given:
    """Nothing beside its step: it takes no longer for a large value than for a small one."""
    return given


def by_length(budget: Budget, given: Given) -> Given:
    """Each letter of the text, with those that are made of it."""
    budget.write(2 * len(as_text(given[0])))
    return given


def by_piece(budget: Budget, given: Given) -> Given:
    """Each letter, some times over: the text is taken to pieces."""
    budget.write(8 * len(as_text(given[0])))
    return given


def by_search(budget: Budget, given: Given) -> Given:
    """Each letter of the text held against each of those looked for."""
    budget.search(as_text(given[0]), given[1:])
    return given


def by_pieces_found(budget: Budget, given: Given) -> Given:
    """A search, and what it takes the text to."""
    return by_search(budget, by_piece(budget, given))


def by_tag(budget: Budget, given: Given) -> Given:
    """Each letter for each of the tags, one of which is taken out after the other."""
    text = as_text(given[0])
    budget.write(len(text) * (1 + text.count("<")))
    return by_piece(budget, given)


def by_item(budget: Budget, given: Given) -> Given:
    """Each item, one by one. min(3, 4) is given numbers, min([3, 4]) a list."""
    if given and not isinstance(given[0], (int, float)):
        return budget.walked(given[0]), *given[1:]
    return given


def by_size(budget: Budget, given: Given) -> Given:
    """All that it is given."""
    for value in given:
        budget.looked_at(value)
    return given


@dataclass(frozen=True, slots=True)
class Word:
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
                budget.step(weight(result) // 16)
            return result

        return paid
