"""The attributes of an SVG element and the look around it in; its own look out."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Final, NamedTuple

from generator.export.plates.operators import Colour, colour, number, numbers, paint
from generator.export.plates.reading import LeftToEngineError
from generator.matrices import Matrix, parse_transform

_KEPT: Final = 20_000
BLACK: Final[Colour] = (0, 0, 0, 1.0)
_CAPS: Final = {"butt": 0, "round": 1, "square": 2}
_JOINS: Final = {"miter": 0, "round": 1, "bevel": 2}
_PLACES: Final = frozenset(
    "x y width height rx ry cx cy r x1 y1 x2 y2 points d href preserveAspectRatio".split()
)
_NOTHING: Final = frozenset(("id", "xmlns", "viewBox", "clip-rule"))


@dataclass(frozen=True, eq=False)
class Look:
    """What elements inherit, as SVG 1.1 has it at first; lengths in the element's own units.
    Looks are compared by identity, which is quick: they are keys of what is kept."""

    fill: Colour | None = BLACK
    fill_opacity: float = 1.0
    fill_rule: str = "nonzero"
    stroke: Colour | None = None
    stroke_opacity: float = 1.0
    width: float = 1.0
    cap: int = 0
    join: int = 0
    mitre: float = 4.0
    dashes: tuple[float, ...] = ()
    dash_offset: float = 0.0
    family: str = ""
    weight: str = "400"
    style: str = "normal"
    stretch: str = "normal"
    size: float = 16.0
    anchor: str = "start"

    @cached_property
    def filled(self) -> bool:
        """True when something of a fill is to be seen."""
        return self.fill is not None and self.fill_opacity * self.fill[3] > 0

    @cached_property
    def stroked(self) -> bool:
        """True when something of a stroke is to be seen."""
        return self.stroke is not None and self.width > 0 and self.stroke_opacity > 0

    @cached_property
    def opacities(self) -> tuple[float, float]:
        """Those of the fill and of the stroke."""
        fill = self.fill_opacity * (self.fill[3] if self.fill else 1.0)
        stroke = self.stroke_opacity * (self.stroke[3] if self.stroke else 1.0)
        return round(fill, 5), round(stroke, 5)

    @cached_property
    def filling(self) -> str:
        """The operators that choose the fill."""
        return paint(self.fill, stroke=False) if self.fill else ""

    @cached_property
    def stroking(self) -> str:
        """The operators that choose the stroke, all of it: they hold until others come."""
        if self.stroke is None:
            return ""
        dashes = numbers(*self.dashes)
        return (
            f"{paint(self.stroke, stroke=True)}{number(self.width)} w {self.cap} J {self.join} j "
            f"{number(self.mitre)} M [{dashes}] {number(self.dash_offset)} d\n"
        )


class Dressed(NamedTuple):
    """An element with its look; what it does as a whole: transform, clip path, opacity; and the
    attributes that say where it is."""

    look: Look
    matrix: Matrix | None = None
    clip: str = ""
    opacity: float = 1.0
    geometry: tuple[tuple[str, str], ...] = ()

    @property
    def whole(self) -> bool:
        """True when the element does nothing as a whole."""
        return self.matrix is None and not self.clip and self.opacity == 1


def dressed(attributes: tuple[str, ...], around: Look) -> Dressed:
    """Raises LeftToEngineError for attributes that are not known here."""
    matrix, clip, opacity = None, "", 1.0
    geometry: list[tuple[str, str]] = []
    changes: list[tuple[str, str]] = []
    try:
        for name, value in zip(attributes[::2], attributes[1::2], strict=True):
            if name in _PLACES:
                geometry.append((name, value))
            elif name in _INHERITED:
                changes.append((name, value))
            elif name == "transform":
                matrix = parse_transform(value)
            elif name == "opacity":
                opacity = _share(value)
            elif name == "clip-path" and value != "none":
                clip = value.removeprefix("url(#").removesuffix(")")
            elif name not in _NOTHING:
                raise LeftToEngineError(name)
    except (ValueError, KeyError) as error:
        raise LeftToEngineError(str(error)) from None
    look = _changed(around, tuple(changes)) if changes else around
    return Dressed(look, matrix, clip, opacity, tuple(geometry))


@functools.lru_cache(_KEPT)
def _changed(around: Look, changes: tuple[tuple[str, str], ...]) -> Look:
    """Many shapes have one look."""
    values: dict[str, Any] = {}
    try:
        for name, value in changes:
            field, read = _INHERITED[name]
            values[field] = read(value)
    except (ValueError, KeyError) as error:
        raise LeftToEngineError(str(error)) from None
    return replace(around, **values)


def _share(value: str) -> float:
    share = float(value[:-1]) / 100 if value.endswith("%") else float(value)
    return min(1.0, max(0.0, share))


def _above_nothing(value: str) -> float:
    length = float(value)
    if length < 0:
        raise ValueError(f"{value} is below 0")
    return length


def _dashes(value: str) -> tuple[float, ...]:
    if value == "none":
        return ()
    lengths = tuple(map(_above_nothing, value.replace(",", " ").split()))
    if not any(lengths):
        return ()
    return lengths * (1 + len(lengths) % 2)


def _one_of(*known: str) -> Callable[[str], str]:
    def read(value: str) -> str:
        if value not in known:
            raise ValueError(value)
        return value

    return read


_INHERITED: Final[Mapping[str, tuple[str, Callable[[str], Any]]]] = {
    "fill": ("fill", colour),
    "fill-opacity": ("fill_opacity", _share),
    "fill-rule": ("fill_rule", _one_of("nonzero", "evenodd")),
    "stroke": ("stroke", colour),
    "stroke-opacity": ("stroke_opacity", _share),
    "stroke-width": ("width", _above_nothing),
    "stroke-linecap": ("cap", _CAPS.__getitem__),
    "stroke-linejoin": ("join", _JOINS.__getitem__),
    "stroke-miterlimit": ("mitre", float),
    "stroke-dasharray": ("dashes", _dashes),
    "stroke-dashoffset": ("dash_offset", float),
    "font-family": ("family", str),
    "font-weight": ("weight", str),
    "font-style": ("style", str),
    "font-stretch": ("stretch", str),
    "font-size": ("size", _above_nothing),
    "text-anchor": ("anchor", _one_of("start")),
}
