"""How far apart two colours are to common kinds of colour blindness."""

from __future__ import annotations

import math
from enum import StrEnum
from typing import Final, NamedTuple

from generator.geometry import summed

Colour = tuple[int, int, int]
Linear = tuple[float, float, float]
"""Red, green and blue light, 0 to 1."""


class Lab(NamedTuple):
    """A colour in CIELAB, D65."""

    lightness: float
    a: float
    b: float


class Sight(StrEnum):
    """An eye, or a printer, that a colour is seen through."""

    FULL = "full colour sight"
    PROTANOPIA = "protanopia"
    DEUTERANOPIA = "deuteranopia"
    TRITANOPIA = "tritanopia"
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


def apart(one: Colour, other: Colour, sight: Sight = Sight.FULL) -> float:
    """How far apart two colours are to an eye, CIEDE2000."""
    return delta_e(seen_colour(one, sight), seen_colour(other, sight))


def seen_colour(colour: Colour, sight: Sight = Sight.FULL) -> Lab:
    """What an eye sees of a colour."""
    return _lab(_times(_SIGHTS[sight], _light(colour)))


def delta_e(one: Lab, other: Lab) -> float:
    """The CIEDE2000 difference of two colours, all its weights 1.

    1 is hardly seen where the two meet; black and white are 100 apart.
    """
    mean_chroma = (math.hypot(one.a, one.b) + math.hypot(other.a, other.b)) / 2
    grey = 1 + 0.5 * (1 - _fade(mean_chroma))
    chroma1, hue1 = _polar(one.a * grey, one.b)
    chroma2, hue2 = _polar(other.a * grey, other.b)
    turn = _turn(hue1, hue2) if chroma1 and chroma2 else 0.0
    lightness = (one.lightness + other.lightness) / 2
    chroma = (chroma1 + chroma2) / 2
    # The mean of two angles lies half the turn from the first; without a colour it is their sum.
    hue = (hue1 + turn / 2) % 360 if chroma1 and chroma2 else hue1 + hue2
    off = (lightness - 50) ** 2
    by_lightness = (other.lightness - one.lightness) / (1 + 0.015 * off / math.sqrt(20 + off))
    by_chroma = (chroma2 - chroma1) / (1 + 0.045 * chroma)
    by_hue = (2 * math.sqrt(chroma1 * chroma2) * math.sin(math.radians(turn / 2))) / (
        1 + 0.015 * chroma * _hue_weight(hue)
    )
    return math.sqrt(
        by_lightness**2 + by_chroma**2 + by_hue**2 + _rotation(chroma, hue) * by_chroma * by_hue
    )


def _fade(chroma: float) -> float:
    power: float = chroma**7
    return math.sqrt(power / (power + 25.0**7))


def _polar(a: float, b: float) -> tuple[float, float]:
    """Chroma, and hue in degrees."""
    return math.hypot(a, b), math.degrees(math.atan2(b, a)) % 360


def _turn(start: float, end: float) -> float:
    """Degrees from one hue to another, the shorter way; -180 to 180."""
    turn = end - start
    if abs(turn) <= 180:
        return turn
    return turn - 360 if turn > 0 else turn + 360


def _hue_weight(hue: float) -> float:
    return (
        1
        - 0.17 * math.cos(math.radians(hue - 30))
        + 0.24 * math.cos(math.radians(2 * hue))
        + 0.32 * math.cos(math.radians(3 * hue + 6))
        - 0.20 * math.cos(math.radians(4 * hue - 63))
    )


def _rotation(chroma: float, hue: float) -> float:
    angle = 30 * math.exp(-(((hue - 275) / 25) ** 2))
    return -2 * _fade(chroma) * math.sin(math.radians(2 * angle))


def _light(colour: Colour) -> Linear:
    r, g, b = (
        value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4
        for value in (channel / 255 for channel in colour)
    )
    return r, g, b


def _times(matrix: tuple[Linear, Linear, Linear], light: Linear) -> Linear:
    """Light through a matrix, and what no screen can show cut off."""
    r, g, b = (
        min(max(summed(m * v for m, v in zip(row, light, strict=True)), 0.0), 1.0) for row in matrix
    )
    return r, g, b


def _lab(light: Linear) -> Lab:
    x, y, z = (
        _root(summed(m * v for m, v in zip(row, light, strict=True)) / white)
        for row, white in zip(_TO_XYZ, _WHITE, strict=True)
    )
    return Lab(116 * y - 16, 500 * (x - y), 200 * (y - z))


def _root(value: float) -> float:
    return value ** (1 / 3) if value > _DARK else (_SLOPE * value + 16) / 116
