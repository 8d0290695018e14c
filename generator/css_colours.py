"""Converts CSS colours to the sRGB that is printed (CSS Color 4)."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping, Sequence
from math import cos, radians, sin
from typing import Final

_Triple = tuple[float, float, float]
_Rows = tuple[_Triple, _Triple, _Triple]

_XYZ_TO_RGB: Final[_Rows] = (
    (3.2409699419, -1.5373831776, -0.4986107603),
    (-0.9692436363, 1.8759675015, 0.0415550574),
    (0.0556300797, -0.2039769589, 1.0569715142),
)
_P3_TO_XYZ: Final[_Rows] = (
    (0.4865709486, 0.2656676932, 0.1982172852),
    (0.2289745641, 0.6917385218, 0.0792869141),
    (0.0, 0.0451133819, 1.0439443689),
)
_D50_TO_D65: Final[_Rows] = (
    (0.9554734527, -0.0230985368, 0.0632593086),
    (-0.0283697070, 1.0099954580, 0.0210413990),
    (0.0123140016, -0.0205076964, 1.3303659366),
)
_WHITE_D50: Final = (0.9642956764, 1.0, 0.8251046025)
_OKLAB_TO_LMS: Final[_Rows] = (
    (1.0, 0.3963377774, 0.2158037573),
    (1.0, -0.1055613458, -0.0638541728),
    (1.0, -0.0894841775, -1.2914855480),
)
_LMS_TO_RGB: Final[_Rows] = (
    (4.0767416621, -3.3077115913, 0.2309699292),
    (-1.2684380046, 2.6097574011, -0.3413193965),
    (-0.0041960863, -0.7034186147, 1.7076147010),
)
"""The matrices of CSS Color 4, 10 to 12."""


@functools.lru_cache(4096)
def css_hex(colour: str) -> str | None:
    """Return a CSS colour as `#rrggbb`, or `#rrggbbaa` if it is not opaque. Colours outside sRGB
    become the nearest inside. Return None for anything else, and for colours that depend on their
    place (`currentColor`)."""
    from tinycss2.color5 import parse_color  # noqa: PLC0415, few drawings have such colours

    found = parse_color(colour)
    if found is None or isinstance(found, str):
        return None
    wide = _WIDE.get(found.space)
    try:
        levels = wide(found.coordinates) if wide else found.to("srgb").coordinates
    except (NotImplementedError, TypeError):  # for a print shop, or relative to another colour
        return None
    alpha = min(1.0, max(0.0, found.alpha))
    levels = [*levels, alpha] if alpha < 1 else levels
    return "#" + "".join(f"{round(255 * min(1.0, max(0.0, level))):02x}" for level in levels)


def _taken(rows: _Rows, values: Sequence[float]) -> _Triple:
    x, y, z = (a * values[0] + b * values[1] + c * values[2] for a, b, c in rows)
    return x, y, z


def _encoded(light: Sequence[float]) -> Sequence[float]:
    return [12.92 * v if v <= 0.0031308 else 1.055 * v ** (1 / 2.4) - 0.055 for v in light]


def _from_p3(values: Sequence[float]) -> Sequence[float]:
    light = [v / 12.92 if v <= 0.04045 else ((v + 0.055) / 1.055) ** 2.4 for v in values]
    return _encoded(_taken(_XYZ_TO_RGB, _taken(_P3_TO_XYZ, light)))


def _from_lab(values: Sequence[float]) -> Sequence[float]:
    light, a, b = values
    y = (light + 16) / 116
    parts = [_lab_part(y + a / 500), _lab_part(y), _lab_part(y - b / 200)]
    xyz = [part * white for part, white in zip(parts, _WHITE_D50, strict=True)]
    return _encoded(_taken(_XYZ_TO_RGB, _taken(_D50_TO_D65, xyz)))


def _lab_part(value: float) -> float:
    return float(value**3) if value > 6 / 29 else 3 * (6 / 29) ** 2 * (value - 4 / 29)


def _from_oklab(values: Sequence[float]) -> Sequence[float]:
    cubes = [part**3 for part in _taken(_OKLAB_TO_LMS, values)]
    return _encoded(_taken(_LMS_TO_RGB, cubes))


def _flat(values: Sequence[float]) -> Sequence[float]:
    light, chroma, hue = values
    return light, chroma * cos(radians(hue)), chroma * sin(radians(hue))


_WIDE: Final[Mapping[str, Callable[[Sequence[float]], Sequence[float]]]] = {
    "display-p3": _from_p3,
    "lab": _from_lab,
    "lch": lambda values: _from_lab(_flat(values)),
    "oklab": _from_oklab,
    "oklch": lambda values: _from_oklab(_flat(values)),
}
