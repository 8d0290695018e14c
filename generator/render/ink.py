"""Replaces colours to print with less ink or in grey: by a pack's own choice, or by rule."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from generator.geometry import summed
from generator.render.greys import with_grey_pictures
from generator.svg_subset import as_hex

_TAG: Final = re.compile(r"<[A-Za-z][^<>]*>")
_COLOUR: Final = re.compile(r"""(\s(?:fill|stroke|stop-color|color)=)(["'])([^"']*)\2""")


class Ink:
    """Replaces colours for an ink mode.

    `colours` are the pack's colours by name, `instead` those that the mode replaces. A colour with
    two names is replaced only if both get the same colour. Low ink without `instead` goes
    `by_rule`, face by face.
    """

    def __init__(self, mode: str, colours: Mapping[str, str], instead: Mapping[str, str]) -> None:
        self.mode = mode
        found: dict[str, set[str]] = {}
        for name, colour in colours.items():
            found.setdefault(colour, set()).add(instead.get(name, colour))
        self._instead = {old: new for old, (new, *more) in found.items() if not more}
        self._named = {colours[name] for name in instead if name in colours}
        self.by_rule = mode == "low" and not instead
        self._unchanged = mode == "full" or self.by_rule

    def for_face(self, svg: str, paints: Iterable[str], area: float) -> Ink:
        """Return the low ink of a face whose pack names no colours for it. `area` is in mm².

        A face with large dark flats, or large mid-tone flats under lighter colours alone, gets
        light and dark exchanged, unless it shows pictures. Mid-tone flats become tints if only
        words are on them, or only pale panels: lighter words then become dark. Otherwise the
        lightest colour, if it is a large flat, becomes a tint.
        """
        filled = _opaque(found[3] for found in _COLOUR.finditer(svg) if "stroke" not in found[1])
        drawn, words = _opaque(found[3] for found in _COLOUR.finditer(svg)), _opaque(paints)
        colours = drawn | words
        flats: dict[str, float] = {}
        rectangles = [*_flats(svg, area)]
        for colour, part in rectangles:
            if part >= _LARGE:
                flats[colour] = max(part, flats.get(colour, 0.0))
        whole = summed(flats.values())
        if not whole:
            return self
        made = {colour: colour for colour in colours}
        light = {colour: _lightness(colour) for colour in colours}
        top, bottom = max(light[flat] for flat in flats), min(light[flat] for flat in flats)
        is_below = top < min((light[it] for it in colours - flats.keys()), default=0.0)
        ground = summed(light[colour] * part for colour, part in flats.items()) / whole
        is_bare = max(flats.values()) >= _ALL and "<image" not in svg
        if is_bare and (ground < _MIDDLE or (ground < _PALE and is_below)):
            made = {colour: _turned(colour) for colour in colours}
        elif is_bare and _MIDDLE <= bottom <= top < _PALE and filled == flats.keys() - words:
            made |= {colour: _turned(colour) for colour in colours if light[colour] > top}
            made |= {flat: _tint(flat) for flat in flats}
            return _replacing(made)
        elif is_bare and (instead := _beside_panels(light, flats, filled, words, rectangles)):
            return _replacing(made | instead)
        lightest = max(made, key=lambda colour: _lightness(made[colour]))
        if lightest in flats:
            made[lightest] = _tint(made[lightest])
        return _replacing(made)

    def is_costly(self, colour: str) -> bool:
        """Return True if a flat still uses much ink in low ink, and nobody chose that."""
        plain = as_hex(colour)
        if self.mode != "low" or plain is None or plain[:7] in self._named:
            return False
        return 1 - summed(_parts(as_hex(self.colour(colour)) or plain)) / 3 > _COSTLY

    def printed(self, svg: str) -> str:
        """Return an SVG in the colours that are printed."""
        if self._unchanged:
            return svg
        return _TAG.sub(self._in_tag, with_grey_pictures(svg) if self.mode == "mono" else svg)

    def _in_tag(self, tag: re.Match[str]) -> str:
        return _COLOUR.sub(self._in_attribute, tag[0])

    def _in_attribute(self, found: re.Match[str]) -> str:
        name, quote, colour = found.groups()
        return f"{name}{quote}{self.colour(colour)}{quote}"

    def colour(self, colour: str) -> str:
        """Return what is printed for a colour; `none` and `url(#x)` stay."""
        plain = as_hex(colour)
        if plain is None:
            return colour
        opaque, alpha = plain[:7], plain[7:]
        instead = self._instead.get(opaque, opaque)
        if self.mode == "mono":
            return grey(instead) + alpha
        return colour if instead == opaque else instead + alpha


def _replacing(made: Mapping[str, str]) -> Ink:
    others = {old: new for old, new in made.items() if old != new}
    return Ink("low", {colour: colour for colour in made}, others)


def _beside_panels(
    light: Mapping[str, float],
    flats: Mapping[str, float],
    filled: set[str],
    words: set[str],
    rectangles: Iterable[tuple[str, float]],
) -> dict[str, str]:
    """Return replacements for a face of deep grounds and pale panels alone: tints for grounds, dark
    for words that only a ground makes readable. Nothing if a word may be on either, or has a
    panel's colour."""
    deep = {flat for flat in flats if light[flat] < _PALE}
    panels = filled - deep
    loud = {colour for colour in light.keys() - filled if light[colour] >= _MIDDLE}
    if (
        max((flats[flat] for flat in deep), default=0.0) < _ALL
        or not panels
        or words & filled
        or panels - {colour for colour, _ in rectangles}
        or min(light[panel] for panel in panels) < _PALE
        or min((light[it] for it in loud), default=1.0) < max(_LOUD, *(light[it] for it in deep))
    ):
        return {}
    return {flat: _tint(flat) for flat in deep} | {colour: _turned(colour) for colour in loud}


_LARGE: Final = 0.2
"""The least part of a face that a large flat covers."""
_ALL: Final = 0.95
_MIDDLE: Final = 0.5
_LOUD: Final = 0.75
_PALE: Final = 0.85
"""The least lightness of a ground that takes little ink."""
_COSTLY: Final = 0.3
"""The least part of full ink that a costly flat takes."""
_WEIGHTS: Final = (0.2126, 0.7152, 0.0722)
_TINT: Final = 0.2
"""The strength that a tint keeps."""
_RECT: Final = re.compile(r"<rect\s[^<>]*>")
_SIDE: Final = re.compile(r"""\s(width|height)=["']([0-9.]{1,12})["']""")
_FILL: Final = re.compile(r"""\sfill=["'](#[0-9A-Fa-f]{3,8}|[a-z]+)["']""")


def _flats(svg: str, area: float) -> Iterator[tuple[str, float]]:
    """Yield each rectangle's colour, and the part of the face that it covers."""
    for found in _RECT.finditer(svg):
        sides, fill = dict(_SIDE.findall(found[0])), _FILL.search(found[0])
        plain = as_hex(fill[1]) if fill else None
        if plain and _is_number(sides.get("width")) and _is_number(sides.get("height")):
            yield plain[:7], float(sides["width"]) * float(sides["height"]) / area


def _opaque(paints: Iterable[str]) -> set[str]:
    """Return the plain colours among paints, without their opacity."""
    return {plain[:7] for plain in map(as_hex, paints) if plain}


def _is_number(text: str | None) -> bool:
    return text is not None and text.count(".") <= 1 and text.strip(".") != ""


def _parts(colour: str) -> tuple[float, float, float]:
    red, green, blue = (int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5))
    return red, green, blue


def _luminance(parts: Iterable[float]) -> float:
    return summed(weight * part for weight, part in zip(_WEIGHTS, parts, strict=True))


def _lightness(colour: str) -> float:
    """Return L* of CIELAB, from 0 to 1."""
    light = _luminance(map(_linear, _parts(colour)))
    return 1.16 * light ** (1 / 3) - 0.16 if light > 0.008856 else 9.033 * light


def _turned(colour: str) -> str:
    """Return a colour as light as this one is dark, in the same hue."""
    parts = [_linear(part) for part in _parts(colour)]
    light, wanted = _luminance(parts), 1 - _lightness(colour)
    other = ((wanted + 0.16) / 1.16) ** 3 if wanted > 0.08 else wanted / 9.033
    if other <= light:
        return _written(_encoded(part * other / light) for part in parts)
    white = (other - light) / (1 - light)
    return _written(_encoded(part + (1 - part) * white) for part in parts)


def _tint(colour: str) -> str:
    return _written(1 - _TINT * (1 - part) for part in _parts(colour))


def _written(parts: Iterable[float]) -> str:
    return "#" + "".join(f"{round(255 * min(max(part, 0.0), 1.0)):02x}" for part in parts)


@functools.lru_cache(maxsize=4096)
def grey(colour: str) -> str:
    """Return the grey with the relative luminance of an `#rrggbb` colour (IEC 61966-2-1)."""
    red, green, blue = (_linear(int(colour[at : at + 2], 16) / 255) for at in (1, 3, 5))
    level = round(255 * _encoded(0.2126 * red + 0.7152 * green + 0.0722 * blue))
    return f"#{level:02x}{level:02x}{level:02x}"


def _linear(part: float) -> float:
    return float(part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4)


def _encoded(light: float) -> float:
    return float(12.92 * light if light <= 0.0031308 else 1.055 * light ** (1 / 2.4) - 0.055)
