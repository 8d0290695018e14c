"""What a template gives as a number in; a checked number, or SVG text of it, out."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

from jinja2 import Undefined

from generator.sandbox import described

MAX_PARTS: Final = 2_000
MAX_PLACE: Final = 1e6
_PLAIN: Final = frozenset((int, float))


def number(value: Any, name: str) -> float:
    """A finite number. Raises TypeError or ValueError, saying which argument is none."""
    if type(value) in _PLAIN and -MAX_PLACE <= value <= MAX_PLACE:
        return value  # type: ignore[no-any-return]
    if isinstance(value, Undefined):
        str(value)  # raises, naming what is not there
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise TypeError(f"{name} must be a number, not {described(value)}")
    raise ValueError(f"{name} is {value}, which is no place on a face")


def size(value: Any, name: str) -> float:
    """A number greater than 0."""
    checked = number(value, name)
    if checked <= 0:
        raise ValueError(f"{name} is {mm(checked)}, and must be more than 0")
    return checked


def parts(value: Any, name: str, least: int = 1) -> int:
    """A whole number of things to draw, at most `MAX_PARTS`."""
    checked = number(value, name)
    if checked != int(checked) or not least <= checked <= MAX_PARTS:
        raise ValueError(f"{name} is {mm(checked)}, and must be a whole number "
                         f"from {least} to {MAX_PARTS}")  # fmt: skip
    return int(checked)


def points(values: Any, least: int = 2) -> tuple[tuple[float, float], ...]:
    """A list of points [x, y]."""
    if isinstance(values, str) or not isinstance(values, Iterable):
        raise TypeError(f"points must be a list of [x, y], not {described(values)}")
    checked = tuple(_point(value) for value in values)
    if not least <= len(checked) <= MAX_PARTS:
        raise ValueError(f"{len(checked)} points are given; from {least} to {MAX_PARTS} can be")
    return checked


def _point(value: Any) -> tuple[float, float]:
    if isinstance(value, str) or not isinstance(value, (list, tuple)) or len(value) != 2:
        raise TypeError("each of the points must be [x, y]")
    return number(value[0], "x"), number(value[1], "y")


def mm(value: float) -> str:
    """A length as the shortest text that is right to 0.001 mm."""
    text = f"{value:.3f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text
