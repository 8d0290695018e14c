"""Draws glyphs in colours, such as emoji, as SVG: layers and gradients (COLR), drawings (SVG) and
bitmaps (CBDT, sbix), as HarfBuzz reads them."""

from __future__ import annotations

import gzip
from base64 import b64encode
from collections.abc import Sequence
from typing import Any, Final, NamedTuple
from xml.etree import ElementTree

import uharfbuzz as hb
from defusedxml.ElementTree import fromstring
from fontTools.pens.svgPathPen import SVGPathPen

from generator.geometry import Rect

_FAR: Final = 100_000
_BLENDS: Final = {
    "SRC_IN": "in", "SRC_OUT": "out", "SCREEN": "screen", "OVERLAY": "overlay", "DARKEN": "darken",
    "LIGHTEN": "lighten", "COLOR_DODGE": "color-dodge", "COLOR_BURN": "color-burn",
    "HARD_LIGHT": "hard-light", "SOFT_LIGHT": "soft-light", "DIFFERENCE": "difference",
    "EXCLUSION": "exclusion", "MULTIPLY": "multiply", "HSL_HUE": "hue",
    "HSL_SATURATION": "saturation", "HSL_COLOR": "color", "HSL_LUMINOSITY": "luminosity",
}  # fmt: skip
_SVG: Final = "http://www.w3.org/2000/svg"


class ColourGlyph(NamedTuple):
    """A glyph as an SVG for `box`, ems from its origin, y downwards."""

    svg: str
    box: Rect


def has_colours(font: Any) -> bool:
    """Return True if a HarfBuzz font has glyphs in colours."""
    face = font.face
    return bool(
        face.has_color_paint or face.has_color_layers or face.has_color_png or face.has_color_svg
    )


def colour_glyph(font: Any, glyph: int, colour: str) -> ColourGlyph | None:
    """Return a glyph in its colours; parts without one are in `colour`, `#rrggbb`. None for a glyph
    that paints nothing."""
    painted = _Painted(font, glyph)
    picture = _picture(font, glyph) if not font.face.glyph_has_color_paint(glyph) else ""
    if not picture:
        font.paint_glyph(glyph, _FUNCTIONS, painted)
    if not picture and not painted.shows:
        return None
    em = font.face.upem
    advance = max(font.get_glyph_h_advance(glyph), em)
    box = Rect(-em / 4, -1.25 * em, advance + em / 2, 1.75 * em)
    view = f"{box.x:g} {box.y:g} {box.width:g} {box.height:g}"
    svg = (
        f'<svg xmlns="{_SVG}" viewBox="{view}" color="{colour}">'
        f'<g transform="scale(1 -1)">{picture or "".join(painted.parts)}</g></svg>'
    )
    return ColourGlyph(svg, Rect(*(value / em for value in (box.x, box.y, box.width, box.height))))


class _Painted:
    """The SVG elements of a glyph so far, in font units with y upwards."""

    def __init__(self, font: Any, glyph: int) -> None:
        self.font = font
        self.glyph = glyph
        self.parts: list[str] = []
        self.groups: list[int] = []
        self.shows = False
        self._ids = 0

    def add(self, element: str) -> None:
        self.parts.append(element)

    def named(self) -> str:
        self._ids += 1
        return f"p{self._ids}"

    def clip(self, shape: str) -> None:
        name = self.named()
        self.add(f'<clipPath id="{name}">{shape}</clipPath><g clip-path="url(#{name})">')

    def fill(self, paint: str) -> None:
        self.add(f'<path d="M-{_FAR}-{_FAR}H{_FAR}V{_FAR}H-{_FAR}z" {paint}/>')

    def gradient(self, kind: str, line: Any, geometry: str) -> None:
        name, spread = self.named(), line.extend.name.lower()
        spread = "" if spread == "pad" else f' spreadMethod="{spread}"'
        self.add(
            f'<{kind} id="{name}" gradientUnits="userSpaceOnUse" {geometry}{spread}>'
            f"{_stops(line)}</{kind}>"
        )
        self.fill(f'fill="url(#{name})"')


def _colour(colour: Any, is_foreground: bool, name: str = "fill") -> str:
    plain = f"#{colour.red:02x}{colour.green:02x}{colour.blue:02x}"
    share = f'{name.removesuffix("-color")}-opacity="{colour.alpha / 255:.4g}"'
    said = f'{name}="{"currentColor" if is_foreground else plain}"'
    return said if colour.alpha == 255 else f"{said} {share}"


def _stops(line: Any) -> str:
    return "".join(
        f'<stop offset="{stop.offset:.6g}" '
        f"{_colour(stop.color, stop.is_foreground, 'stop-color')}/>"
        for stop in sorted(line.color_stops, key=lambda stop: float(stop.offset))
    )


def _push_transform(*given: Any) -> None:
    *matrix, painted = given
    painted.add(f'<g transform="matrix({" ".join(f"{value:.9g}" for value in matrix)})">')


def _push_clip_glyph(glyph: int, painted: _Painted) -> None:
    pen = SVGPathPen(None)
    painted.font.draw_glyph_with_pen(glyph, pen)
    painted.shows |= bool(pen.getCommands())
    painted.clip(f'<path d="{pen.getCommands()}"/>')


def _push_clip_rectangle(
    left: float, low: float, right: float, high: float, painted: _Painted
) -> None:
    painted.clip(f'<path d="M{left:g} {low:g}H{right:g}V{high:g}H{left:g}z"/>')


def _pop(painted: _Painted) -> None:
    painted.add("</g>")


def _fill(colour: Any, is_foreground: bool, painted: _Painted) -> None:
    painted.fill(_colour(colour, is_foreground))


def _linear(line: Any, x0: float, y0: float, x1: float, y1: float, x2: float, y2: float,
            painted: _Painted) -> None:  # fmt: skip
    """Rotate the gradient's line to be normal to the one to its third point (OpenType, COLR)."""
    across = (y2 - y0, x0 - x2)
    long = across[0] ** 2 + across[1] ** 2
    if long:
        share = ((x1 - x0) * across[0] + (y1 - y0) * across[1]) / long
        x1, y1 = x0 + share * across[0], y0 + share * across[1]
    painted.gradient("linearGradient", line, f'x1="{x0:g}" y1="{y0:g}" x2="{x1:g}" y2="{y1:g}"')


def _radial(line: Any, x0: float, y0: float, r0: float, x1: float, y1: float, r1: float,
            painted: _Painted) -> None:  # fmt: skip
    geometry = f'fx="{x0:g}" fy="{y0:g}" fr="{r0:g}" cx="{x1:g}" cy="{y1:g}" r="{r1:g}"'
    painted.gradient("radialGradient", line, geometry)


def _sweep(line: Any, *given: Any) -> None:
    """Fill with the middle stop, since SVG has no sweep gradients."""
    stops: Sequence[Any] = line.color_stops
    middle = stops[len(stops) // 2]
    _fill(middle.color, middle.is_foreground, given[-1])


def _push_group(painted: _Painted) -> None:
    painted.groups.append(len(painted.parts))
    painted.add("")


def _pop_group(mode: Any, painted: _Painted) -> None:
    begin, blend = painted.groups.pop(), _BLENDS.get(mode.name, "")
    is_mask = blend in ("in", "out")
    painted.parts[begin] = "<g>" if not blend or is_mask else f'<g style="mix-blend-mode:{blend}">'
    painted.add("</g>")


def _picture(font: Any, glyph: int) -> str:
    """Return a glyph that is a drawing or a bitmap, which HarfBuzz does not paint from Python;
    empty for others."""
    face = font.face
    svg = bytes(face.get_glyph_color_svg(glyph).data) if face.has_color_svg else b""
    if svg:
        return f'<g transform="scale(1 -1)">{_own_part(svg, glyph)}</g>'
    png = bytes(font.get_glyph_color_png(glyph).data) if face.has_color_png else b""
    box = font.get_glyph_extents(glyph)
    if not png or box is None:
        return ""
    return (
        f'<image transform="scale(1 -1)" x="{box.x_bearing}" y="{-box.y_bearing}" '
        f'width="{box.width}" height="{-box.height}" preserveAspectRatio="none" '
        f'href="data:image/png;base64,{b64encode(png).decode()}"/>'
    )


def _own_part(content: bytes, glyph: int) -> str:
    """Return the part of a drawing of several glyphs for one of them."""
    root = fromstring(gzip.decompress(content) if content[:2] == b"\x1f\x8b" else content)
    for child in list(root):
        if child.get("id", "").startswith("glyph") and child.get("id") != f"glyph{glyph}":
            root.remove(child)
    ElementTree.register_namespace("", _SVG)
    return "".join(ElementTree.tostring(child, encoding="unicode") for child in root)


def _functions() -> Any:
    found = hb.PaintFuncs()
    for name, function in {
        "push_transform": _push_transform, "pop_transform": _pop, "pop_clip": _pop,
        "push_clip_glyph": _push_clip_glyph, "push_clip_rectangle": _push_clip_rectangle,
        "color": _fill, "linear_gradient": _linear, "radial_gradient": _radial,
        "sweep_gradient": _sweep, "push_group": _push_group, "pop_group": _pop_group,
    }.items():  # fmt: skip
        getattr(found, f"set_{name}_func")(function)
    return found


_FUNCTIONS: Final = _functions()
