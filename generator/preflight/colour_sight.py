"""Measures how different colours look (CIEDE2000), for full and for colour-blind sight.

sRGB is IEC 61966-2-1, Lab is CIE 1976 with the white D65. The difference follows G. Sharma, W. Wu
and E. N. Dalal, "The CIEDE2000 color-difference formula" (2005). Eyes without one kind of cone are
simulated by the matrices for severity 1.0 of G. M. Machado, M. M. Oliveira and L. A. F. Fernandes,
"A physiologically-based model for simulation of color vision deficiency" (2009).
"""

from __future__ import annotations

import math
from enum import StrEnum
from functools import lru_cache
from typing import Final

from generator.luminance import channels, linear

Vector = tuple[float, float, float]


class Sight(StrEnum):
    """An eye, or a printer, that a colour is seen through."""

    FULL = "full colour sight"
    PROTANOPIA = "red-blind sight (protanopia)"
    DEUTERANOPIA = "green-blind sight (deuteranopia)"
    TRITANOPIA = "blue-blind sight (tritanopia)"
    GREYSCALE = "greyscale"


_LUMINANCE: Final = (0.2126729, 0.7151522, 0.0721750)
_TO_XYZ: Final = (
    (0.4124564, 0.3575761, 0.1804375),
    _LUMINANCE,
    (0.0193339, 0.1191920, 0.9503041),
)
_WHITE: Final = (0.95047, 1.0, 1.08883)
_SIGHTS: Final = {
    Sight.FULL: ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)),
    Sight.PROTANOPIA: (
        (0.152286, 1.052583, -0.204868),
        (0.114503, 0.786281, 0.099216),
        (-0.003882, -0.048116, 1.051998),
    ),
    Sight.DEUTERANOPIA: (
        (0.367322, 0.860646, -0.227968),
        (0.280085, 0.672501, 0.047413),
        (-0.011820, 0.042940, 0.968881),
    ),
    Sight.TRITANOPIA: (
        (1.255528, -0.076749, -0.178779),
        (-0.078411, 0.930809, 0.147602),
        (0.004733, 0.691367, 0.303900),
    ),
    Sight.GREYSCALE: (_LUMINANCE, _LUMINANCE, _LUMINANCE),
}
_DARK: Final = 216 / 24389
_SLOPE: Final = 24389 / 27


@lru_cache(4096)
def apart(one: str, other: str, sight: Sight) -> float:
    """Return the CIEDE2000 difference of two colours, `#rrggbb`, to an eye. 1 is hardly seen where
    the two meet; black and white are 100 apart."""
    return difference(_lab(one, sight), _lab(other, sight))


@lru_cache(1024)
def _lab(colour: str, sight: Sight) -> Vector:
    light = [linear(level / 255) for level in channels(colour)]
    seen = [min(max(_sum(row, light), 0.0), 1.0) for row in _SIGHTS[sight]]
    x, y, z = (_root(_sum(row, seen) / white) for row, white in zip(_TO_XYZ, _WHITE, strict=True))
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


def _sum(row: Vector, light: list[float]) -> float:
    return row[0] * light[0] + row[1] * light[1] + row[2] * light[2]


def _root(value: float) -> float:
    return value ** (1 / 3) if value > _DARK else (_SLOPE * value + 16) / 116


def difference(one: Vector, other: Vector) -> float:
    """Return the CIEDE2000 difference of two colours in Lab, all its weights 1."""
    (light1, a1, b1), (light2, a2, b2) = one, other
    grey = 1 + 0.5 * (1 - _fade((math.hypot(a1, b1) + math.hypot(a2, b2)) / 2))
    chroma1, chroma2 = math.hypot(a1 * grey, b1), math.hypot(a2 * grey, b2)
    hue1, hue2 = math.degrees(math.atan2(b1, a1 * grey)), math.degrees(math.atan2(b2, a2 * grey))
    turn = (hue2 - hue1 + 180) % 360 - 180 if chroma1 and chroma2 else 0.0
    chroma = (chroma1 + chroma2) / 2
    # the mean of two angles lies half the turn from the first; without a colour it is their sum
    hue = (hue1 + turn / 2) % 360 if chroma1 and chroma2 else (hue1 + hue2) % 360
    off = ((light1 + light2) / 2 - 50) ** 2
    by_light = (light2 - light1) / (1 + 0.015 * off / math.sqrt(20 + off))
    by_chroma = (chroma2 - chroma1) / (1 + 0.045 * chroma)
    by_hue = 2 * math.sqrt(chroma1 * chroma2) * math.sin(math.radians(turn / 2))
    by_hue /= 1 + 0.015 * chroma * _hue_weight(hue)
    angle = 30 * math.exp(-(((hue - 275) / 25) ** 2))
    rotation = -2 * _fade(chroma) * math.sin(math.radians(2 * angle))
    return math.sqrt(by_light**2 + by_chroma**2 + by_hue**2 + rotation * by_chroma * by_hue)


def _fade(chroma: float) -> float:
    power: float = chroma**7
    return math.sqrt(power / (power + 25.0**7))


def _hue_weight(hue: float) -> float:
    return (
        1
        - 0.17 * math.cos(math.radians(hue - 30))
        + 0.24 * math.cos(math.radians(2 * hue))
        + 0.32 * math.cos(math.radians(3 * hue + 6))
        - 0.20 * math.cos(math.radians(4 * hue - 63))
    )
