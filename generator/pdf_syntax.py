"""Writes numbers, names, texts and colours as PDF does (ISO 32000-1, 7.3 and 8.6)."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from generator.geometry import Matrix

_STEPS: Final = {"M": "m", "L": "l", "C": "c", "Z": "h"}


@functools.lru_cache(32_768)
def as_number(value: float) -> str:
    """Return a number with at most six decimals: over a metre that is less than 0.001 mm."""
    text = f"{value:.6f}".rstrip("0").rstrip(".")
    return "0" if text in ("", "-0") else text


def as_numbers(*values: float) -> str:
    """Return numbers side by side."""
    return " ".join(map(as_number, values))


@functools.lru_cache(4096)
def moved(matrix: Matrix) -> str:
    """Return the operator that moves everything drawn after it by a matrix."""
    return f"{as_numbers(*matrix)} cm"


def as_path(segments: Iterable[tuple[str, Sequence[float]]]) -> str:
    """Return the operators of a path: M(ove), L(ine), C(urve) and Z (close), each with x and y of
    its points in turn."""
    return " ".join(
        f"{' '.join(map(_rounded, points))} {_STEPS[step]}" if points else _STEPS[step]
        for step, points in segments
    )


@functools.lru_cache(32_768)
def _rounded(value: float) -> str:
    """Return a coordinate of a path, mm, to 0.00001."""
    text = f"{value:.5f}".rstrip("0").rstrip(".")
    return "0" if text in ("", "-0") else text


@functools.lru_cache(4096)
def colour(value: str, *, stroke: bool = False) -> str:
    """Return the operators of a colour, `#rrggbb`, in the sRGB profile; of a grey in one number, so
    that it prints in black ink alone."""
    space, paint = ("CS", "SC") if stroke else ("cs", "sc")
    red, green, blue = (int(value[at : at + 2], 16) / 255 for at in (1, 3, 5))
    if red == green == blue:
        return f"/Grey {space} {as_number(red)} {paint}"
    return f"/RGB {space} {as_numbers(red, green, blue)} {paint}"


def text(value: str) -> bytes:
    """Return a text string: plain ASCII as it is, anything else in UTF-16."""
    if value.isascii() and value.isprintable():
        escaped = value.replace("\\", "\\\\").replace("(", "\\(").replace(")", "\\)")
        return f"({escaped})".encode()
    return b"<%s>" % ("\ufeff" + value).encode("utf-16-be").hex().upper().encode()


Entries = dict[str, bytes | str | float]
"""A dictionary in the making; what is text or bytes is written as it stands."""


def dictionary(entries: Mapping[str, bytes | str | float]) -> bytes:
    """Return a dictionary as PDF writes it."""
    parts = []
    for name, value in entries.items():
        if isinstance(value, bytes):
            written = value
        else:
            written = (value if isinstance(value, str) else as_number(value)).encode()
        parts.append(b"/%s %s" % (name.encode(), written))
    return b"<<%s>>" % b" ".join(parts)
