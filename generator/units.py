"""Lengths in text, mm and points; and a sum that is the same on every Python.

One inch is 25.4 mm exactly; one PostScript point is 1/72 in. From Python 3.12 on, the built-in sum
carries the rounding errors of floats along; 3.11's does not, and `summed` is the same to the last
bit on every Python.
"""

from __future__ import annotations

import functools
import operator
import re
from collections.abc import Iterable
from typing import Final, TypeVar

MM_PER_INCH: Final = 25.4
PT_PER_MM: Final = 72 / MM_PER_INCH

_MM_PER_UNIT: Final = {"mm": 1.0, "cm": 10.0, "in": MM_PER_INCH, "pt": 1 / PT_PER_MM}
_LENGTH: Final = re.compile(r"([+-]?(?:\d+(?:\.\d*)?|\.\d+))\s*(mm|cm|in|pt)?", re.ASCII)


def mm_to_pt(mm: float) -> float:
    """Millimetres to PostScript points."""
    return mm * PT_PER_MM


def pt_to_mm(pt: float) -> float:
    """PostScript points to millimetres."""
    return pt / PT_PER_MM


def parse_length(text: str) -> float:
    """Text with an optional unit (mm, cm, in, pt; none means mm) to millimetres.

    Raises ValueError when the text is not a length.
    """
    match = _LENGTH.fullmatch(text.strip())
    if match is None:
        raise ValueError(f"{text!r} is not a length")
    number, unit = match.groups()
    return float(number) * _MM_PER_UNIT[unit or "mm"]


def format_mm(mm: float) -> str:
    """Millimetres as the shortest text that is exact to 0.1 µm: `63.5`, `25.4`, `3`."""
    return f"{mm:.4f}".rstrip("0").rstrip(".") if mm else "0"


_Number = TypeVar("_Number", int, float)


def summed(numbers: Iterable[_Number]) -> _Number:
    """The numbers added up one after the other; 0 if there is none."""
    return functools.reduce(operator.add, numbers, 0)
