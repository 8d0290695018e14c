"""A version and what is required of it in, whether it fits out."""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Mapping
from itertools import zip_longest
from typing import Final

_BOUND: Final = r"(>=|<=|==|>|<)\s*(\d{1,6}(?:\.\d{1,6}){0,5})"
_BOUNDS: Final = rf"\s*{_BOUND}(\s*,\s*{_BOUND})*\s*"

_COMPARES: Final[Mapping[str, Callable[[int, int], bool]]] = {
    ">=": operator.ge, "<=": operator.le, "==": operator.eq, ">": operator.gt, "<": operator.lt,
}  # fmt: skip


def is_requirement(text: str) -> bool:
    """True for bounds with commas between them: `>= 1.2`, `>= 1.2, < 2`."""
    return re.fullmatch(_BOUNDS, text) is not None


def fits(version: str, requirement: str) -> bool:
    """True when the numbers that a version begins with are within all bounds.

    1.2 is 1.2.0; what follows the numbers, such as `-draft`, does not count, and a version without
    numbers fits nothing.
    """
    numbers = re.match(r"\d{1,6}(\.\d{1,6}){0,5}", version.strip())
    if numbers is None:
        return False
    return all(
        _COMPARES[compare](_order(numbers[0], bound), 0)
        for compare, bound in re.findall(_BOUND, requirement)
    )


def _order(version: str, other: str) -> int:
    """Under 0 when the version is before the other, 0 when they are the same, over 0 after it."""
    pairs = zip_longest(map(int, version.split(".")), map(int, other.split(".")), fillvalue=0)
    return next((a - b for a, b in pairs if a != b), 0)
