"""A colour and what lies behind it in; how well they are told apart, as WCAG counts it, out.

Relative luminance and contrast ratio: WCAG 2.2, https://www.w3.org/TR/WCAG22/#dfn-relative-luminance
and #dfn-contrast-ratio.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from generator.preflight.page_objects import Colour

_FLARE: Final = 0.05
"""Light that comes off black as well."""


@lru_cache(maxsize=1 << 15)
def luminance(colour: Colour) -> float:
    """Relative luminance, 0 for black to 1 for white."""
    r, g, b = (
        value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4
        for value in (channel / 255 for channel in colour)
    )
    return 0.2126 * r + 0.7152 * g + 0.0722 * b


@lru_cache(maxsize=1 << 15)
def contrast(one: Colour, other: Colour) -> float:
    """The ratio of two colours, 1 for the same to 21 for black and white."""
    a, b = luminance(one) + _FLARE, luminance(other) + _FLARE
    return max(a, b) / min(a, b)


def laid_over(colour: Colour, opaque: float, ground: Colour) -> Colour:
    """A colour painted on another, 0 to 1 opaque."""
    if opaque == 1:
        return colour
    r, g, b = (round(c * opaque + g * (1 - opaque)) for c, g in zip(colour, ground, strict=True))
    return r, g, b
