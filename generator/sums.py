"""Numbers in, their sum out: the same to the last bit on every Python.

From Python 3.12 on, the built-in sum carries the rounding errors of floats along; 3.11's does not.
"""

from __future__ import annotations

import functools
import operator
from collections.abc import Iterable
from typing import TypeVar

_Number = TypeVar("_Number", int, float)


def summed(numbers: Iterable[_Number]) -> _Number:
    """The numbers added up one after the other; 0 if there is none."""
    return functools.reduce(operator.add, numbers, 0)
