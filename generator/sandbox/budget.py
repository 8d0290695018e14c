"""What is done in: paid for, or too much. How much a render or an expression may cost.

What stays small is counted too, so that many small steps end.
"""

from __future__ import annotations

import threading
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Final

from jinja2 import Undefined

MAX_STEPS: Final = 200_000
MAX_CHARACTERS: Final = 40_000_000
MAX_ITEMS: Final = 100_000
MANY: Final = 3
"""Budgets that all renders, or expressions, of a pack may spend in full."""


class TooMuchError(Exception):
    """More steps, text or memory than a card can need."""


@dataclass(slots=True)
class Purse:
    """What many renders, or expressions, may spend together beside what each of them has anyway:
    so that none is short of anything, and not all of them are as long as one may be."""

    steps_each: int
    characters_each: int
    steps: int = MANY * MAX_STEPS
    characters: int = MANY * MAX_CHARACTERS

    @property
    def open(self) -> tuple[int, int]:
        """The steps and characters that the next one may spend."""
        return (
            min(MAX_STEPS, self.steps_each + self.steps),
            min(MAX_CHARACTERS, self.characters_each + self.characters),
        )

    def pay(self, steps: int, characters: int) -> None:
        """One has spent so much."""
        self.steps = max(0, self.steps - max(0, steps - self.steps_each))
        self.characters = max(0, self.characters - max(0, characters - self.characters_each))


class Budget:
    """What one render, or one expression, may still spend."""

    def __init__(self, purse: Purse | None = None) -> None:
        self._purse = purse
        self.steps = self._most_steps = MAX_STEPS
        self.characters = self._most_characters = MAX_CHARACTERS

    def step(self, count: int = 1) -> None:
        """Pay for rounds of a loop, calls and items looked at. Raises TooMuchError."""
        self.steps -= count
        if self.steps < 0:
            raise TooMuchError(f"more than {self._most_steps:,} steps")

    def write(self, characters: int) -> None:
        """Pay for text that is made or searched. Raises TooMuchError."""
        self.characters -= characters
        if self.characters < 0:
            raise TooMuchError(f"more than {self._most_characters:,} characters of text")

    def has(self, steps: int, characters: int) -> bool:
        """True when so much is left."""
        return self.steps >= steps and self.characters >= characters

    @contextmanager
    def fresh(self, purse: Purse | None = None, again: bool = False) -> Iterator[None]:
        """A full budget inside the block, or what a purse has left; what was left before comes
        back after it. What is done `again` may cost what it did."""
        purse = purse or self._purse
        before = self.steps, self.characters, self._most_steps, self._most_characters
        whole = MAX_STEPS, MAX_CHARACTERS
        given = whole if purse is None or again else purse.open
        self.steps, self.characters = self._most_steps, self._most_characters = given
        try:
            yield
        finally:
            if purse is not None:
                purse.pay(given[0] - self.steps, given[1] - self.characters)
            self.steps, self.characters, self._most_steps, self._most_characters = before

    def search(self, text: str, wanted: Iterable[Any]) -> None:
        """Pay for looking in a text for others, or for their letters: each of its letters may have
        to be held against each of theirs. Raises TooMuchError."""
        letters = 0
        for one in wanted:
            if isinstance(one, str):
                letters += len(one)
            elif isinstance(one, (list, tuple)):
                self.step(len(one))
                letters += sum(len(each) for each in one if isinstance(each, str))
        self.write((len(text) + 1) * (letters + 1))

    def looked_at(self, value: Any) -> Any:
        """The same value, paid for by its size: for comparing, searching, walking through."""
        if isinstance(value, str):
            self.write(len(value))
        elif isinstance(value, (list, tuple, dict)):
            self.step(weight(value) // 16)
        return value

    def walked(self, items: Any) -> Any:
        """Items to go through one by one, each of them paid for."""
        if isinstance(items, (str, list, tuple, Mapping, range)):
            self.step(len(items))
            return items
        if isinstance(items, Undefined):
            return items
        if not isinstance(items, Iterable):
            raise TypeError(f"a list is needed here, not {described(items)}")
        return self._one_by_one(items)

    def _one_by_one(self, items: Iterable[Any]) -> Iterator[Any]:
        for item in items:
            self.step()
            yield item


class ThreadBudget(threading.local, Budget):
    """For what several threads work out: each has its own."""


def described(value: Any) -> str:
    """What a value is, in the words of someone who writes cards."""
    names: tuple[tuple[type | tuple[type, ...], str], ...] = (
        (bool, "true or false"),
        (str, "text"),
        ((int, float), "a number"),
        (Mapping, "a map"),
        ((list, tuple, range), "a list"),
        (type(None), "nothing (none)"),
    )
    other = "a function" if callable(value) else "something else"
    return next((name for kind, name in names if isinstance(value, kind)), other)


def weight(value: Any) -> int:
    """How many values a list or map made in a template holds, with all that is inside it.

    Text, numbers and records count as one. Raises TooMuchError over `MAX_ITEMS`.
    """
    total, waiting = 0, [value]
    while waiting:
        current = waiting.pop()
        total += 1
        if isinstance(current, (list, tuple)):
            waiting.extend(current)
        elif isinstance(current, dict):
            waiting.extend(current)
            waiting.extend(current.values())
        if total + len(waiting) > MAX_ITEMS + 1:
            raise TooMuchError(f"a list of more than {MAX_ITEMS:,} values")
    return total
