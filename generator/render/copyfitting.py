"""A text that does not fit, or lacks a glyph, in; what its author can do about it out."""

from __future__ import annotations

import unicodedata
from typing import NamedTuple

from generator.diagnostics import Span
from generator.render.draft import Draft
from generator.render.numbers import mm
from generator.render.places import calling
from generator.text import FittedText, TextStyle


class Copy(NamedTuple):
    """Text to be set: whether its markup counts, and where it was written, if it was."""

    plain: str
    rich: bool
    source: Span | None


def blame_overflow(
    draft: Draft,
    copy: Copy,
    style: TextStyle,
    fitted: FittedText,
    width: float,
    height: float | None,
) -> None:
    """GP401: how much too large, and about how many letters too long."""
    over = fitted.overflow
    assert over is not None
    if height is None:
        place = f"a line of {mm(width)} mm"
    else:
        place = f"a box of {mm(width)} × {mm(height)} mm"
    if over.width > 0:
        what = "it" if over.word == copy.plain else repr(shown(over.word))
        how = f"{what} is {over.width:.1f} mm too wide"
        share, letters = over.width / (width + over.width), len(over.word)
    else:
        how = f"it is {over.height:.1f} mm too high"
        share, letters = over.height / ((height or 0.0) + over.height), len(copy.plain)
    message = (
        f"{shown(copy.plain)!r} does not fit {place} in style {style.name!r}: "
        f"at its smallest size, {fitted.size_pt:g} pt, {how}"
    )
    few = max(1, round(share * letters))
    hint = f"shorten it by about {few} character{'s' * (few > 1)}, or enlarge the box"
    at = draft.span(calling())
    if at is not None and copy.source is not None:
        hint += f" at {at.file}:{at.line}"
    draft.blame_text(copy.source, "GP401", message, hint)


def blame_missing(draft: Draft, copy: Copy, style: TextStyle, char: str) -> None:
    """GP402: which character no font of the style has."""
    draft.missing.add(char)
    name = unicodedata.name(char, "")
    asked = " or ".join(dict.fromkeys((style.family, *style.fallback)))
    message = f"{char!r} (U+{ord(char):04X}{' ' * bool(name)}{name}) is not in {asked}"
    hint = "use another character, or add a font that has it to `fallback` in styles.yaml"
    draft.blame_text(copy.source, "GP402", message, hint)


def shown(text: str) -> str:
    """The text, or its beginning, on one line."""
    line = " ".join(text[:200].split())
    return line if len(line) <= 40 else line[:39].rstrip() + "…"
