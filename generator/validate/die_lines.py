"""SVG path data and the trim that it is cut from in, what is wrong with it as a die line out."""

from __future__ import annotations

import math
import re
from functools import lru_cache
from typing import Any, Final

from fontTools.pens.boundsPen import BoundsPen
from fontTools.pens.recordingPen import RecordingPen
from fontTools.svgLib.path import parse_path

from generator.geometry import Rect, Size
from generator.units import format_mm

MAX_LENGTH: Final = 20_000
"""Characters of path data."""
_WIDEST: Final = 1e6
"""mm: a number beyond is a slip, and its curves need not be worked out."""
_TOLERANCE: Final = 0.01
_PATH_DATA: Final = re.compile(r"\s*[Mm][MmZzLlHhVvCcSsQqTtAa0-9eE+\-.,\s]*")
_SUCH_AS: Final = 'such as "M0 0 L10 0 L10 20 Z"'


@lru_cache(maxsize=256)  # components of one shape write the same
def path_fault(path: str, trim: Size) -> tuple[str, str] | None:
    """What is wrong with path data in trim coordinates, mm, and what to do; None when it is a
    closed outline inside the trim, of numbers that can be worked with."""
    if len(path) > MAX_LENGTH:
        message = f"the path has {len(path)} characters"
        return message, f"{MAX_LENGTH} are enough for any die: draw it with fewer points"
    if _PATH_DATA.fullmatch(path) is None:
        return "this is not SVG path data", _SUCH_AS
    pen = RecordingPen()
    try:
        parse_path(path, pen)
    except (ValueError, IndexError, AttributeError, TypeError, ArithmeticError, AssertionError):
        return "this path cannot be read: a number is missing or one too many", _SUCH_AS
    return _fault(pen, trim)


def _fault(pen: RecordingPen, trim: Size) -> tuple[str, str] | None:
    numbers = [number for _, points in pen.value for point in points for number in point]
    if not all(math.isfinite(number) and abs(number) <= _WIDEST for number in numbers):
        return "a number of the path is no place on a sheet", "the unit is the millimetre"
    commands = [command for command, _ in pen.value]
    if "endPath" in commands:
        return "the path is not closed", "end each outline with Z"
    if not {"lineTo", "curveTo", "qCurveTo"} & set(commands):
        return "the path encloses nothing", _SUCH_AS
    box = _bounds(pen)
    if not Rect(0, 0, trim.width, trim.height).contains(box, _TOLERANCE):
        reach = f"from {_place(box.x, box.y)} to {_place(box.right, box.bottom)}"
        message = f"the path runs {reach}, beyond the trim of {_place(trim.width, trim.height)} mm"
        return message, "move it to where the trim's corner is 0 0, or give a larger size"
    return None


def _bounds(pen: RecordingPen) -> Rect:
    measure: Any = BoundsPen(None)
    pen.replay(measure)
    x, y, right, bottom = measure.bounds
    return Rect(x, y, right - x, bottom - y)


def _place(x: float, y: float) -> str:
    return f"{format_mm(round(x, 2))} × {format_mm(round(y, 2))}"
