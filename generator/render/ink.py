"""A pack's colours and the ink to be used in; the colours that are printed out."""

from __future__ import annotations

import functools
import re
from collections.abc import Mapping
from typing import Any, Final

from PIL import ImageColor

MODES: Final = ("full", "low", "mono")

# The engine knows the 147 names of SVG 1.1, and prints every other one black.
NAMES: Final = frozenset(ImageColor.colormap) - {"rebeccapurple"}

_TAG: Final = re.compile(r"<[A-Za-z][^<>]*>")
_COLOUR: Final = re.compile(r"""(\s(?:fill|stroke|stop-color|color)=)(["'])([^"']*)\2""")
_WRITTEN: Final = re.compile(
    r"#(?:[0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})|rgb\(\s*\d{1,3}\s*(?:,\s*\d{1,3}\s*){2}\)"
)


class Ink:
    """Which colours are printed in place of which.

    `colours` are all those of the pack by name, `instead` those that an ink mode replaces. A
    colour that has two names is replaced only when both are replaced by the same one.
    """

    def __init__(self, mode: str, colours: Mapping[str, str], instead: Mapping[str, str]) -> None:
        if mode not in MODES:
            raise ValueError(f"{mode!r} is no ink mode: {', '.join(MODES)}")
        self.mode = mode
        found: dict[str, set[str]] = {}
        for name, colour in colours.items():
            found.setdefault(colour, set()).add(instead.get(name, colour))
        self._instead = {old: new for old, (new, *more) in found.items() if not more}
        self._unchanged = mode == "full" or (mode == "low" and not instead)

    def printed(self, svg: str) -> str:
        """A face's SVG with the colours that are printed."""
        return svg if self._unchanged else _TAG.sub(self._in_tag, svg)

    def _in_tag(self, tag: re.Match[str]) -> str:
        return _COLOUR.sub(self._in_attribute, tag[0])

    def _in_attribute(self, found: re.Match[str]) -> str:
        name, quote, colour = found.groups()
        return f"{name}{quote}{self.colour(colour)}{quote}"

    def colour(self, colour: str) -> str:
        """What is printed for a colour; text that is none (`none`, `url(#x)`) stays."""
        plain = as_hex(colour)
        if plain is None:
            return colour
        opaque, alpha = plain[:7], plain[7:]
        instead = self._instead.get(opaque, opaque)
        if self.mode == "mono":
            return grey(instead) + alpha
        return colour if instead == opaque else instead + alpha


@functools.lru_cache(maxsize=4096)
def as_hex(colour: str) -> str | None:
    """A colour as `#rrggbb`, or `#rrggbbaa` if it is not opaque; None for what is none.

    Known are the forms that print right: `#a53`, `#a53c1f`, both with alpha, `rgb(1, 2, 3)` and
    the names of SVG 1.1.
    """
    text = colour.strip().lower()
    if text not in NAMES and not _WRITTEN.fullmatch(text):
        return None
    rgb: Any = ImageColor.getrgb(text)
    return "#" + "".join(f"{min(part, 255):02x}" for part in rgb)


@functools.lru_cache(maxsize=4096)
def grey(colour: str) -> str:
    """The grey as light as an `#rrggbb` colour: of the same relative luminance, by the
    coefficients and the transfer function of sRGB (IEC 61966-2-1)."""
    red, green, blue = (_linear(int(colour[at : at + 2], 16) / 255) for at in (1, 3, 5))
    level = round(255 * _encoded(0.2126 * red + 0.7152 * green + 0.0722 * blue))
    return f"#{level:02x}{level:02x}{level:02x}"


def _linear(part: float) -> float:
    return float(part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4)


def _encoded(light: float) -> float:
    return float(12.92 * light if light <= 0.0031308 else 1.055 * light ** (1 / 2.4) - 0.055)
