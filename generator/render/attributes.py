"""The value of an SVG attribute in; what is wrong with it out.

That is a text, empty for nothing; what stands behind a semicolon says what to do. The engine
leaves out in silence what it does not understand, so it is found here.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

from generator.matrices import parse_transform
from generator.render.ink import as_hex

Check = Callable[[str], str]

# Possessive (++, *+), so that no run of blanks or digits is tried again from each of its places.
_NUMBER: Final = re.compile(r"[-+]?(?:\d++(?:\.\d*+)?|\.\d++)(?:[eE][-+]?\d++)?+")
# Ten million and more: the engine counts in numbers of seven digits, and breaks down far beyond.
_LARGE: Final = re.compile(r"(?<![.\d])\d{8}|[eE]\+?0*+(?:[1-9]\d|[7-9])")
_TOO_LARGE: Final = "has a number over 9,999,999; give lengths in mm"
_NUMBER_OR_PERCENT: Final = re.compile(_NUMBER.pattern + "%?")
_NUMBERS: Final = re.compile(rf"\s*+{_NUMBER.pattern}(?:[\s,]++{_NUMBER.pattern})*+\s*+")
_UNIT: Final = re.compile(_NUMBER.pattern + r"\s*(mm|cm|in|pt|px|pc|em|ex|rem|%)")
_PATH: Final = re.compile(r"\s*[Mm][MmZzLlHhVvCcSsQqTtAa0-9eE+\-.,\s]*")
_OTHER_PAINTS: Final = re.compile(r"none|transparent|currentColor|inherit|url\(#[\w.-]+\)")
_LOCAL: Final = re.compile(r"#[\w.-]+")
_LOCAL_URL: Final = re.compile(r"url\(#[\w.-]+\)|none")
_NAME: Final = re.compile(r"[A-Za-z_][\w.-]*")
_ASPECT: Final = re.compile(r"none|x(Min|Mid|Max)Y(Min|Mid|Max)( (meet|slice))?")


def is_number(value: str) -> str:
    """A number of millimetres."""
    if _NUMBER.fullmatch(value):
        return _TOO_LARGE if _LARGE.search(value) else ""
    if _UNIT.fullmatch(value):
        return "has a unit; write the number of millimetres alone"
    return "is not a number"


def is_share(value: str) -> str:
    """A number, or one with a per cent sign."""
    if _NUMBER_OR_PERCENT.fullmatch(value):
        return _TOO_LARGE if _LARGE.search(value) else ""
    return "is not a number"


def is_numbers(value: str) -> str:
    """Numbers with spaces or commas between them."""
    if _NUMBERS.fullmatch(value):
        return _TOO_LARGE if _LARGE.search(value) else ""
    return "is not a list of numbers; write them with spaces between"


def is_dashes(value: str) -> str:
    """Lengths of dashes and gaps."""
    return "" if value == "none" else is_numbers(value)


def is_path(value: str) -> str:
    """Path data, by its characters: a word such as `nan` or `None` in it is found."""
    if not value or _PATH.fullmatch(value):
        return _TOO_LARGE if _LARGE.search(value) else ""
    return "is not path data; it begins with M, then letters and numbers"


def is_paint(value: str) -> str:
    """A colour, a gradient or nothing."""
    if as_hex(value) is not None or _OTHER_PAINTS.fullmatch(value):
        return ""
    return "is not a colour; write #rrggbb, and transparency as fill-opacity"


def is_transform(value: str) -> str:
    """A list of transforms."""
    try:
        parse_transform(value)
    except ValueError as error:
        return f"is not understood, {error}; write such as translate(3 4) rotate(90)"
    return ""


def is_local(value: str) -> str:
    """A link to something on the same face."""
    return (
        ""
        if _LOCAL.fullmatch(value)
        else "leads out of the face; use #name, the id of something on it"
    )


def is_local_url(value: str) -> str:
    """A clip path or mask on the same face."""
    return "" if _LOCAL_URL.fullmatch(value) else "is not understood; write url(#name)"


def is_name(value: str) -> str:
    """An id."""
    return "" if _NAME.fullmatch(value) else "is not a name; use letters, digits and hyphens"


def is_aspect(value: str) -> str:
    """preserveAspectRatio."""
    return "" if _ASPECT.fullmatch(value) else "is not understood"


def is_anything(_value: str) -> str:
    """What the engine may read as it likes."""
    return ""


def one_of(*choices: str) -> Check:
    """A keyword."""
    known = frozenset(choices)

    def check(value: str) -> str:
        return "" if value in known else f"does not print; use {' or '.join(choices)}"

    return check
