"""Bounds on what templates and expressions compute: steps, texts, lists and numbers."""

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

from generator.geometry import format_mm
from generator.model.values import SourceText

MAX_STEPS: Final = 200_000
MAX_CHARACTERS: Final = 40_000_000
MAX_OUTPUT: Final = 5_000_000
MAX_TEXT: Final = 1_000_000
MAX_ITEMS: Final = 100_000
MAX_RANGE: Final = 10_000
MAX_BITS: Final = 1_024


class BoundsError(Exception):
    """A template or expression takes more steps, text or memory than a card can need."""


class Budget(threading.local):
    """The steps and characters that one render or one expression may still take."""

    def __init__(self) -> None:
        self.steps = MAX_STEPS
        self.characters = MAX_CHARACTERS

    def step(self, count: int = 1) -> None:
        """Count rounds of a loop, or a call. Raises BoundsError."""
        self.steps -= count
        if self.steps < 0:
            raise BoundsError(f"more than {MAX_STEPS:,} steps")

    def write(self, characters: int) -> None:
        """Count text that is printed or captured. Raises BoundsError."""
        self.characters -= characters
        if self.characters < 0:
            raise BoundsError(f"more than {MAX_CHARACTERS:,} characters of text")

    @contextmanager
    def fresh(self) -> Iterator[None]:
        """Give the block a full budget of its own."""
        before = self.steps, self.characters
        self.steps, self.characters = MAX_STEPS, MAX_CHARACTERS
        try:
            yield
        finally:
            self.steps, self.characters = before

    def counted(self, items: Any) -> Any:
        """Return the items of a loop, each of them a step."""
        if isinstance(items, (list, tuple, range)):
            self.step(len(items))
            return items
        return self._one_by_one(items)

    def _one_by_one(self, items: Iterable[Any]) -> Iterator[Any]:
        for item in items:
            self.step()
            yield item


def described(value: Any) -> str:
    """Name the type of a value in an author's words."""
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


def as_text(value: Any) -> str:
    """Return a text or number as it prints, numbers to four decimals. Raises TypeError."""
    if isinstance(value, str):
        return value
    if isinstance(value, float) and value - value == 0:
        return format_mm(value) if abs(value) < 1e15 else str(value)
    if isinstance(value, (int, float, Undefined)):
        return str(value)
    raise TypeError(f"only text and numbers can be written, not {described(value)}")


def placed(result: str, *sources: Any) -> str:
    """Return the result with the place and markup of the first source from an author's file."""
    if isinstance(result, (Markup, SourceText)):
        return result
    source = next((s for s in sources if isinstance(s, SourceText)), None)
    return result if source is None else SourceText(result, source.span, source.rich)


def joined(parts: Iterable[Any], between: str = "") -> str:
    """Join texts and numbers. Raises BoundsError, TypeError."""
    values = list(parts)
    texts = [as_text(value) for value in values]
    check_text(sum(map(len, texts)) + len(between) * len(texts))
    if any(isinstance(text, Markup) for text in (*texts, between)):
        return escape(between).join(texts)
    return placed(between.join(texts), *values)


_FORMAT: Final = re.compile(r"%(?:%|[-+ 0#]{0,3}\d{0,2}(?:\.\d{0,2})?[sdifgexX])")


def formatted(pattern: str, arguments: tuple[Any, ...]) -> str:
    """Format with `%`, widths and decimals of two digits at most. Raises ValueError, TypeError."""
    if "%" in _FORMAT.sub("", pattern):
        raise ValueError("after % only forms such as %s, %d, %.2f and %% are known")
    texts = tuple(a if isinstance(a, (int, float)) else as_text(a) for a in arguments)
    result = pattern % texts
    check_text(len(result))
    return placed(result, pattern, *arguments)


def replaced(text: str, old: str, new: str, count: int = -1) -> str:
    """Replace parts of a text. Raises BoundsError."""
    found = text.count(old)
    times = found if count < 0 else min(found, count)
    check_text(len(text) + times * max(0, len(new) - len(old)))
    return placed(text.replace(old, new, count), text)


def bounded_range(start: int, *more: int) -> range:
    """Return a `range()`. Raises BoundsError."""
    numbers = range(start, *more)
    if len(numbers) > MAX_RANGE:
        raise BoundsError(f"a range of more than {MAX_RANGE:,} numbers")
    return numbers


_SCALES: Final = {decimals: 10.0**decimals for decimals in range(1, 5)}


def rounded(value: float, decimals: int = 0) -> float:
    """Round to at most 15 decimals, half away from zero. Raises TypeError, ValueError."""
    if not isinstance(value, (int, float)):
        raise TypeError(f"round() takes a number, not {described(value)}")
    if not -15 <= decimals <= 15:
        raise ValueError("round() takes -15 to 15 decimals")
    if isinstance(value, int) and decimals >= 0:
        return value
    scale = _SCALES.get(decimals)
    if scale and -1e6 < value < 1e6 and not 0.4999 < value * scale % 1.0 < 0.5001:
        return round(value, decimals)  # not near half-way, where Python's own is the same and fast
    # repr() gives 2.675 as the author wrote it, not 2.67499999…
    nearest = Decimal(repr(value)).quantize(Decimal(1).scaleb(-decimals), ROUND_HALF_UP)
    return float(nearest) if decimals > 0 else int(nearest)


_OPERATORS: Final[Mapping[str, Callable[[Any, Any], Any]]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": operator.truediv,
    "//": operator.floordiv,
    "%": operator.mod,
    "**": operator.pow,
}
OPERATORS: Final = frozenset(_OPERATORS)
_NUMBERS: Final = frozenset((int, float))
_SMALL: Final = 1e9


def operate(sign: str, left: Any, right: Any) -> Any:
    """Apply an operator to numbers, texts or lists.

    Raises BoundsError, TypeError, ValueError, ArithmeticError.
    """
    if type(left) in _NUMBERS and type(right) in _NUMBERS:
        if -_SMALL < left < _SMALL and -_SMALL < right < _SMALL and sign != "**":
            return _OPERATORS[sign](left, right)
        return _calculated(sign, left, right)
    if isinstance(left, Undefined) or isinstance(right, Undefined):
        return _OPERATORS[sign](left, right)  # raises, naming what is missing
    if isinstance(left, (int, float)) and isinstance(right, (int, float)):
        return _calculated(sign, left, right)
    if sign == "%" and isinstance(left, str):
        return formatted(left, right if isinstance(right, tuple) else (right,))
    return _combined(sign, left, right)


def _calculated(sign: str, left: float, right: float) -> Any:
    if isinstance(left, int) and isinstance(right, int):
        size = max(left.bit_length(), right.bit_length())
        if sign == "**":
            size = max(size, left.bit_length() * right)
        _check_size(size, MAX_BITS, "a number of more than 300 digits")
    result = _OPERATORS[sign](left, right)
    if isinstance(result, complex):
        raise ArithmeticError(f"{left} ** {right} is not a real number")
    return result


def _combined(sign: str, left: Any, right: Any) -> Any:
    """Add texts or lists, or repeat one."""
    if sign == "+" and isinstance(left, str) and isinstance(right, str):
        return joined((left, right))
    if sign == "+" and isinstance(left, (list, tuple)) and isinstance(right, (list, tuple)):
        _check_items(len(left) + len(right))
        return type(left)([*left, *right])
    value, times = (right, left) if isinstance(left, int) else (left, right)
    if sign == "*" and isinstance(times, int) and isinstance(value, str):
        check_text(len(value) * times)
        return placed(value * times, value)
    if sign == "*" and isinstance(times, int) and isinstance(value, (list, tuple)):
        _check_items(len(value) * times)
        return value * times
    hint = "; join text and numbers with ~" if sign == "+" else ""
    raise TypeError(f"{described(left)} {sign} {described(right)} cannot be worked out{hint}")


def check_text(length: int) -> None:
    """Raise BoundsError for a text of too many characters."""
    _check_size(length, MAX_TEXT, f"a text of more than {MAX_TEXT:,} characters")


def _check_items(count: int) -> None:
    _check_size(count, MAX_ITEMS, f"a list of more than {MAX_ITEMS:,} values")


def _check_size(size: int, limit: int, what: str) -> None:
    if size > limit:
        raise BoundsError(what)
