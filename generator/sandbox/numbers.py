"""What may be a number in, a number within bounds out: filters of numbers."""

from __future__ import annotations

import math
from typing import Any, Final

from jinja2 import Undefined
from jinja2.filters import FILTERS

from generator.sandbox.bounds import check_bits, rounded
from generator.sandbox.budget import TooMuchError, described

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
        raise TooMuchError(f"a number of more than {MAX_DIGITS} digits")
    return value


def countable(value: Any) -> Any:
    """The same number, as `even` and `divisibleby` need one. Raises TypeError, TooMuchError."""
    if isinstance(value, (int, float)):
        check_bits(value)
    elif not isinstance(value, Undefined):
        raise TypeError(f"a number is needed here, not {described(value)}")
    return value
