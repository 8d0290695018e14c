"""What templates and expressions may cost: steps, letters, sizes; paid or refused beforehand.

Size is worked out before anything is built, so that `"x" * 10**9` costs nothing. What stays small
is counted against a `Budget`, so that many small steps end too.
"""

from __future__ import annotations

import operator
import re
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from decimal import ROUND_HALF_UP, Decimal
from typing import Any, Final

from jinja2 import Undefined
from markupsafe import Markup, escape
from msgspec import Struct

from generator.geometry import format_mm
from generator.model.pack import SourceText

MAX_STEPS: Final = 200_000
MAX_CHARACTERS: Final = 40_000_000
MAX_ITEMS: Final = 100_000
MANY: Final = 3
"""Budgets that all renders, or expressions, of a pack may spend in full."""


class BudgetError(Exception):
    """More steps, text or memory than a card can need."""


class Purse(Struct):
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
            raise BudgetError(f"more than {self._most_steps:,} steps")

    def write(self, characters: int) -> None:
        """Pay for text that is made or searched. Raises TooMuchError."""
        self.characters -= characters
        if self.characters < 0:
            raise BudgetError(f"more than {self._most_characters:,} characters of text")

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
            self.step(len(value) // 16)
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


def item_count(value: Any) -> int:
    """How many values a list or map made in a template holds, with all that is inside it.

    Text, numbers and records count as one. Raises TooMuchError over `MAX_ITEMS`.
    """
    total, waiting = 1, [value]
    while waiting:
        current = waiting.pop()
        if isinstance(current, dict):
            current = (*current, *current.values())
        elif not isinstance(current, (list, tuple)):
            break  # what was asked for is one value
        total += len(current)
        if total > MAX_ITEMS + 1:
            raise BudgetError(f"a list of more than {MAX_ITEMS:,} values")
        waiting += [each for each in current if isinstance(each, (list, tuple, dict))]
    return total


MAX_TEXT: Final = 1_000_000
MAX_OUTPUT: Final = 5_000_000
MAX_RANGE: Final = 10_000
MAX_BITS: Final = 1_024
NUMBERS: Final = frozenset((int, float))
FEW: Final = 1e9
"""What is nearer to 0 has so few bits that nobody need count them."""

_SCALES: Final = {decimals: 10.0**decimals for decimals in range(1, 5)}
_NEAR_0: Final = 1e6
"""What is nearer to 0 has, times these, still more than the digits that say if it is half-way."""
_FORMAT: Final = re.compile(r"%(?:%|[-+ 0#]{0,3}\d{0,2}(?:\.\d{0,2})?[sdifgexX])")
NUMBER_OPERATORS: Final[Mapping[str, Callable[[Any, Any], Any]]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": operator.truediv,
    "//": operator.floordiv,
    "%": operator.mod,
    "**": operator.pow,
}


def as_text(value: Any) -> str:
    """A text or number as it is to be printed (numbers to four decimals); TypeError for others."""
    if type(value) is str:
        return value
    if isinstance(value, float) and value - value == 0:
        return format_mm(value) if abs(value) < 1e15 else str(value)
    if isinstance(value, (str, Undefined)):
        return value if isinstance(value, str) else str(value)
    if isinstance(value, int):
        return str(value)
    raise TypeError(f"only text and numbers can be written, not {described(value)}")


def written_as(result: str, *sources: Any) -> str:
    """The result with the place of the first source that has one, so that faults point there."""
    if isinstance(result, (Markup, SourceText)):
        return result
    source = next((s for s in sources if isinstance(s, SourceText)), None)
    return result if source is None else SourceText(result, source.span, source.rich)


def joined(parts: Iterable[Any], between: str = "") -> str:
    """Texts and numbers one after the other. Raises TooMuchError before it gets too long."""
    values = list(parts)
    texts = [as_text(value) for value in values]
    check_text(sum(map(len, texts)) + len(between) * len(texts))
    if any(isinstance(text, Markup) for text in (*texts, between)):
        texts, between = [escape(text) for text in texts], escape(between)
        check_text(sum(map(len, texts)) + len(between) * len(texts))
    if isinstance(between, Markup):
        return between.join(texts)
    return written_as(between.join(texts), *values)


def formatted(pattern: str, arguments: tuple[Any, ...]) -> str:
    """`%`-formatting with widths and decimals of two digits at most."""
    check_text(len(pattern) * 100)
    stray = _FORMAT.sub("", pattern)
    if "%" in stray:
        raise ValueError("after % only forms such as %s, %d, %.2f and %% are known")
    texts = tuple(a if isinstance(a, (int, float)) else as_text(a) for a in arguments)
    check_text(len(pattern) * 100 + sum(len(t) for t in texts if isinstance(t, str)))
    for number in texts:
        if isinstance(number, (int, float)):
            check_bits(number)
    return written_as(pattern % texts, pattern, *arguments)


def replaced(text: str, old: str, new: str, count: int = -1) -> str:
    """`text.replace(old, new)`, its length worked out first."""
    found = text.count(old)
    times = found if count < 0 else min(found, count)
    check_text(len(text) + times * max(0, len(new) - len(old)))
    return written_as(text.replace(old, new, count), text)


def bounded_range(start: int, *more: int) -> range:
    """`range()` of at most `MAX_RANGE` numbers."""
    numbers = range(start, *more)
    if len(numbers) > MAX_RANGE:
        raise BudgetError(f"a range of more than {MAX_RANGE:,} numbers")
    return numbers


def rounded(value: float, decimals: int = 0) -> float:
    """`round()` to at most 15 decimals; half goes away from zero, as players count."""
    if not isinstance(value, (int, float)):
        raise TypeError(f"round() takes a number, not {described(value)}")
    if not -15 <= decimals <= 15:
        raise ValueError("round() takes -15 to 15 decimals")
    if isinstance(value, int) and decimals >= 0:
        return value
    scale = _SCALES.get(decimals)
    if scale and -_NEAR_0 < value < _NEAR_0 and not 0.4999 < value * scale % 1.0 < 0.5001:
        return round(value, decimals)  # nowhere near half-way: Python's own is the same
    # repr() is the shortest text of a float: 2.675 as the author wrote it, not 2.67499999…
    written = repr(value)
    behind = len(written) - 1 - written.find(".")
    if decimals > 0 and abs(value) < FEW and "e" not in written:
        if behind <= decimals:
            return value
        if behind > decimals + 1 or written[-1] != "5":  # not half-way: Python's own is the same
            return round(value, decimals)
    nearest = Decimal(written).quantize(Decimal(1).scaleb(-decimals), ROUND_HALF_UP)
    return float(nearest) if decimals > 0 else int(nearest)


def operate(sign: str, left: Any, right: Any) -> Any:
    """A binary operator on numbers, texts and lists.

    Raises TooMuchError, TypeError, ValueError, ArithmeticError.
    """
    if isinstance(left, (int, float)) and isinstance(right, (int, float)):
        return _calculated(sign, left, right)
    for value in (left, right):
        if isinstance(value, Undefined):
            return NUMBER_OPERATORS[sign](left, right)
    if sign == "%" and isinstance(left, str):
        return formatted(left, right if isinstance(right, tuple) else (right,))
    if sign == "+" and isinstance(left, str) and isinstance(right, str):
        return joined((left, right))
    if sign == "+" and isinstance(left, (list, tuple)) and isinstance(right, (list, tuple)):
        _check_items(len(left) + len(right))
        return type(left)([*left, *right])
    if sign == "*" and isinstance(left, int):
        left, right = right, left
    if sign == "*" and isinstance(right, int) and isinstance(left, (str, list, tuple)):
        return _repeated(left, right)
    hint = "; join text and numbers with ~" if sign == "+" else ""
    raise TypeError(f"{described(left)} {sign} {described(right)} cannot be worked out{hint}")


def _repeated(value: Any, times: int) -> Any:
    if isinstance(value, str):
        check_text(len(value) * max(0, times))
        return written_as(value * times, value)
    _check_items(item_count(value) * max(0, times))
    return value * times


def _calculated(sign: str, left: float, right: float) -> Any:
    if -FEW < left < FEW and -FEW < right < FEW and sign != "**":
        return NUMBER_OPERATORS[sign](left, right)
    check_bits(left)
    check_bits(right)
    if sign == "**" and isinstance(left, int) and isinstance(right, int):
        _check_size(left.bit_length() * right, MAX_BITS, "a number of more than 300 digits")
    result = NUMBER_OPERATORS[sign](left, right)
    if isinstance(result, complex):
        raise ArithmeticError(f"{left} ** {right} is not a real number")
    return result


def check_bits(number: float) -> None:
    """Raises TooMuchError for a whole number of more than `MAX_BITS`."""
    if isinstance(number, int):
        _check_size(number.bit_length(), MAX_BITS, "a number of more than 300 digits")


def check_text(length: int) -> None:
    """Raises TooMuchError for a text of so many characters, if that is more than `MAX_TEXT`."""
    _check_size(length, MAX_TEXT, f"a text of more than {MAX_TEXT:,} characters")


def _check_items(count: int) -> None:
    _check_size(count, MAX_ITEMS, f"a list of more than {MAX_ITEMS:,} values")


def _check_size(size: int, limit: int, what: str) -> None:
    if size > limit:
        raise BudgetError(what)
