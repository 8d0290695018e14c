"""An SVG `transform` in; the affine matrix that it is out."""

from __future__ import annotations

import functools
import math
import re
from collections.abc import Callable, Mapping
from typing import Final, NamedTuple

from generator.geometry import Rect

MAX_PLACE: Final = 1e6
"""The largest number of a transform."""

# Possessive (++, *+), so that no run of blanks or digits is tried again from each of its places.
_STEP: Final = re.compile(r"\s*+(?:,\s*+)?+(\w++)\s*+\(([^()]*+)\)")
_NUMBER: Final = re.compile(r"[-+]?(?:\d++(?:\.\d*+)?|\.\d++)(?:[eE][-+]?\d++)?")
_SEPARATOR: Final = re.compile(r"[\s,]*")


class Matrix(NamedTuple):
    """x' = a·x + c·y + e, y' = b·x + d·y + f."""

    a: float = 1
    b: float = 0
    c: float = 0
    d: float = 1
    e: float = 0
    f: float = 0

    def then(self, inner: Matrix) -> Matrix:
        """The transform of a group with this one around another with that one."""
        a, b, c, d, e, f = self
        return Matrix(
            a * inner.a + c * inner.b,
            b * inner.a + d * inner.b,
            a * inner.c + c * inner.d,
            b * inner.c + d * inner.d,
            a * inner.e + c * inner.f + e,
            b * inner.e + d * inner.f + f,
        )

    @property
    def across(self) -> float:
        """How long a millimetre in x becomes."""
        return math.hypot(self.a, self.b)

    @property
    def down(self) -> float:
        """How long a millimetre in y becomes."""
        return math.hypot(self.c, self.d)

    @property
    def area(self) -> float:
        """How large a square millimetre becomes; negative when it is mirrored."""
        return self.a * self.d - self.b * self.c

    def box(self, rect: Rect) -> Rect:
        """The upright rectangle around a transformed one."""
        if self is IDENTITY:
            return rect
        a, b, c, d, e, f = self
        if not (b or c):  # only larger or smaller and moved, as most are
            x, y = a * rect.x + e, d * rect.y + f
            width, height = a * rect.width, d * rect.height
            return Rect(min(x, x + width), min(y, y + height), abs(width), abs(height))
        xs = [a * x + c * y + e for x in (rect.x, rect.right) for y in (rect.y, rect.bottom)]
        ys = [b * x + d * y + f for x in (rect.x, rect.right) for y in (rect.y, rect.bottom)]
        return Rect(min(xs), min(ys), max(xs) - min(xs), max(ys) - min(ys))


IDENTITY: Final = Matrix()


@functools.lru_cache(4096)
def parse_transform(text: str) -> Matrix:
    """The matrix of a list such as `translate(3 4) rotate(90)`. Raises ValueError."""
    matrix, at = IDENTITY, 0
    while found := _STEP.match(text, at):
        name, values = found.groups()
        if _SEPARATOR.sub("", _NUMBER.sub("", values)):
            raise ValueError(f"{name}({values}) has something else than numbers")
        numbers = tuple(map(float, _NUMBER.findall(values)))
        if any(abs(number) > MAX_PLACE for number in numbers):
            raise ValueError(f"{name}({values}) has a number over {MAX_PLACE:,.0f}")
        matrix = matrix.then(_step(name, numbers))
        at = found.end()
    if text[at:].strip():
        raise ValueError(f"{text[at:].strip()!r} is no transform")
    return matrix


def _step(name: str, values: tuple[float, ...]) -> Matrix:
    """One function of a transform, by the number of its values (SVG 1.1, section 7.6)."""
    make = _STEPS.get((name, len(values)))
    if make is None:
        count = f"{len(values)} number{'s' * (len(values) != 1)}"
        raise ValueError(f"there is no {name} with {count}")
    return make(*values)


def _turn(angle: float, x: float = 0, y: float = 0) -> Matrix:
    cos, sin = math.cos(math.radians(angle)), math.sin(math.radians(angle))
    about = Matrix(cos, sin, -sin, cos)
    return Matrix(e=x, f=y).then(about).then(Matrix(e=-x, f=-y))


_STEPS: Final[Mapping[tuple[str, int], Callable[..., Matrix]]] = {
    ("matrix", 6): Matrix,
    ("translate", 1): lambda x: Matrix(e=x),
    ("translate", 2): lambda x, y: Matrix(e=x, f=y),
    ("scale", 1): lambda x: Matrix(a=x, d=x),
    ("scale", 2): lambda x, y: Matrix(a=x, d=y),
    ("rotate", 1): _turn,
    ("rotate", 3): _turn,
    ("skewX", 1): lambda angle: Matrix(c=math.tan(math.radians(angle))),
    ("skewY", 1): lambda angle: Matrix(b=math.tan(math.radians(angle))),
}
