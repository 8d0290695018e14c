"""Measures the lightness of colours and their contrast, as WCAG 2.2 does."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Final

_FLARE: Final = 0.05
"""Light that black reflects as well."""


def linear(level: float) -> float:
    """Return the light of one sRGB channel; both are 0 to 1 (IEC 61966-2-1)."""
    return level / 12.92 if level <= 0.04045 else float(((level + 0.055) / 1.055) ** 2.4)


def gamma(light: float) -> float:
    """Return the sRGB channel that has some light, the reverse of `linear`."""
    return light * 12.92 if light <= 0.0031308 else float(1.055 * light ** (1 / 2.4) - 0.055)


@lru_cache(4096)
def channels(colour: str) -> tuple[int, int, int]:
    """Return red, green and blue, 0 to 255, of `#rrggbb`."""
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)


@lru_cache(4096)
def luminance(colour: str) -> float:
    """Return the relative luminance of `#rrggbb`, 0 for black to 1 for white."""
    r, g, b = (linear(level / 255) for level in channels(colour))
    return 0.2126 * r + 0.7152 * g + 0.0722 * b


def contrast(one: float, other: float) -> float:
    """Return the contrast ratio of two luminances, 1 to 21."""
    return (max(one, other) + _FLARE) / (min(one, other) + _FLARE)


@lru_cache(4096)
def laid_over(colour: str, opacity: float, ground: str) -> str:
    """Return what is seen, `#rrggbb`, where a colour is painted on a ground; opacity 0 to 1."""
    if opacity >= 1:
        return colour
    mixed: Callable[[int, int], int] = lambda c, g: round(c * opacity + g * (1 - opacity))  # noqa: E731
    r, g, b = map(mixed, channels(colour), channels(ground))
    return f"#{r:02x}{g:02x}{b:02x}"
