"""Template helpers that draw files: `icon`, `art` and `marks`."""

from __future__ import annotations

import functools
import hashlib
import re
from collections.abc import Callable, Container, Mapping
from typing import Any, Final, TypeVar

from markupsafe import Markup
from msgspec.structs import asdict

from generator.assets import AssetFinder
from generator.diagnostics import (
    Diagnostic,
    GridpressError,
    Span,
    did_you_mean,
)
from generator.geometry import Matrix, Rect, Size
from generator.model.face import InlineIcon
from generator.model.values import SourceText
from generator.render.face_builder import (
    CurrentFace,
    PlacedArt,
    PlacedDrawing,
    PlacedIcon,
)
from generator.render.shapes import mm, number, size
from generator.render.styles import BLACK, Palette
from generator.render.template_lines import calling
from generator.sandbox import as_text
from generator.svg_files import IconArt, ViewBox
from generator.svg_layers import DrawnLayer, LayeredArt
from generator.svg_subset import ICON_ID
from generator.text import IconMetrics

_KEPT: Final = 1024
_DRAWN: Final = 100.0
"""The size at which the engine draws an icon, mm: filters become pixels at this size."""
_TO_PATHS: Final = (
    "Path > Object to Path in Inkscape, Type > Create Outlines in Illustrator, Flatten in Figma"
)
_NAMED: Final = re.compile(r"""(\sid="|\shref="#|url\(#)""")


AnyArt = TypeVar("AnyArt", IconArt, LayeredArt)


def _reader(
    read: Callable[[str], AnyArt], note: Callable[[str], None]
) -> Callable[[str], AnyArt | None]:
    """Return a function that reads each file once, notes each use, and returns None for a file that
    cannot be drawn."""

    @functools.cache
    def once(name: str) -> AnyArt | None:
        try:
            return read(name)
        except GridpressError:
            return None

    def known(name: str) -> AnyArt | None:
        note(name)
        return once(name)

    return known


class IconHelper:
    """Draws icons for templates and text. Texts in icons use one of the `families`."""

    def __init__(
        self,
        assets: AssetFinder,
        palette: Palette,
        current: CurrentFace,
        note: Callable[[str], None],
        families: Container[str],
    ) -> None:
        self._assets = assets
        self._palette = palette
        self._current = current
        self._families = families
        self._known = _reader(lambda name: self._art(name, Span(name)), note)

    def _art(self, name: str, place: Span) -> IconArt:
        """Read an icon (GP002, GP004, GP502, GP503)."""
        art = self._assets.art(self._assets.icon(name, place), place)
        check_families(art, f"the icon {name}.svg", self._families, place)
        return art

    def icon(
        self, name: Any, x: float, y: float, w: float, h: float | None = None, colour: Any = None
    ) -> Markup:
        """Draw an icon as large as a box of w × h mm allows, in its middle; without h, as high as
        it is at that width."""
        text = as_text(name)
        x, y, w = number(x, "x"), number(y, "y"), size(w, "w")
        height = None if h is None else size(h, "h")
        paint = BLACK if colour is None else self._palette.paint(colour)
        art = self._known(str(text))
        source = text.span if isinstance(text, SourceText) else None
        if art is None:
            self.blame_unknown(text, source)
            return Markup()
        left, top, scale = _fitted(art, x, y, w, height)
        box = Rect(left, top, art.view_box[2] * scale, art.view_box[3] * scale)
        mark = self._current.mark(PlacedArt(box, source, calling(), is_icon=True))
        return Markup(mark + self._drawn(art, box, scale, paint))  # noqa: S704, it is cleaned

    def inline(self, icon: InlineIcon, x: float, y: float, colour: str) -> PlacedIcon | None:
        """Return an icon in a line of text whose places count from (x, y), mm."""
        read = self._known(icon.name)
        if read is None:
            return None
        left, top, _, high = read.view_box
        scale = icon.height / high
        place = Matrix(scale, 0, 0, scale, x + icon.x - left * scale, y + icon.y - top * scale)
        if read.whole:
            image = place_drawing(read, colour, read.view_box, "none", self._current)
            svg = f"<svg>{image}</svg>".encode()
        else:
            svg = _alone(read, colour)
        return PlacedIcon(svg, place)

    def shape(self, name: str) -> IconMetrics | None:
        """Return the metrics of an icon for text; None if it cannot be drawn."""
        art = self._known(name)
        return None if art is None else IconMetrics(art.view_box[2] / art.view_box[3])

    def blame_unknown(self, name: str, source: Span | None) -> None:
        """Report why an icon cannot be drawn, at its name."""
        builder = self._current.builder
        call = calling()
        place = source or builder.span(call, name) or builder.component.span
        try:
            self._art(str(name), place)
        except GridpressError as error:
            builder.blame_error(error, source)

    def _drawn(self, art: IconArt, box: Rect, scale: float, colour: str) -> str:
        if art.whole:
            place = box.x, box.y, box.width, box.height
            return place_drawing(art, colour, place, "none", self._current)
        left, top, _, _ = art.view_box
        body = _painted(art.body, colour)
        moved = f"translate({mm(box.x - left * scale)} {mm(box.y - top * scale)})"
        return f'<g fill="{colour}" transform="{moved} scale({scale:.6g})">{body}</g>'


def _fitted(
    art: IconArt, x: float, y: float, w: float, h: float | None
) -> tuple[float, float, float]:
    """Return the corner and the scale of an icon in the middle of a box."""
    _, _, wide, high = art.view_box
    scale = w / wide if h is None else min(w / wide, h / high)
    over = 0.0 if h is None else (h - high * scale) / 2
    return x + (w - wide * scale) / 2, y + over, scale


def image_element(href: str, box: tuple[float, float, float, float], fit: str) -> str:
    """Return an `<image>` in a box, mm."""
    x, y, w, h = map(mm, box)
    return (
        f'<image href="{href}" x="{x}" y="{y}" width="{w}" height="{h}" '
        f'preserveAspectRatio="{fit}"/>'
    )


def check_families(art: IconArt, name: str, known: Container[str], place: Span) -> None:
    """Raise GridpressError (GP503) if a drawing has text in no `known` font."""
    for family in art.families:
        asked = [each.strip().strip("'\"") for each in family.split(",")]
        if not any(each in known for each in asked):
            message = f"{name} has text in the font {asked[0]!r}, which is missing"
            hint = "put the font into fonts/, or turn the text into paths: " + _TO_PATHS
            raise GridpressError(Diagnostic(place, "GP503", message, hint))


def place_drawing(art: IconArt, colour: str, box: ViewBox, fit: str, current: CurrentFace) -> str:
    """Place a drawing for the engine in a box."""
    drawing = _for_engine(art, colour)
    digest = hashlib.sha256(drawing.svg.encode()).hexdigest()
    href = f"drawings/{digest[:16]}.svg"
    current.drawings[href] = drawing
    return image_element(href, box, fit)


@functools.lru_cache(_KEPT)
def _for_engine(art: IconArt, colour: str) -> PlacedDrawing:
    left, top, wide, high = art.view_box
    scale = _DRAWN / max(wide, high)
    svg = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{left:g} {top:g} {wide:g} {high:g}" '
        f'fill="{colour}" color="{colour}">{art.body}</svg>'
    )
    return PlacedDrawing(svg, Size(wide * scale, high * scale))


@functools.lru_cache(_KEPT)
def _alone(art: IconArt, colour: str) -> bytes:
    """Return an icon as a drawing of its own, in its own units."""
    return f'<svg><g fill="{colour}">{_painted(art.body, colour)}</g></svg>'.encode()


@functools.lru_cache(_KEPT)
def _painted(body: str, colour: str) -> str:
    return with_own_ids(body.replace("currentColor", colour))


def with_own_ids(body: str) -> str:
    """Return shapes with ids made from their content, so that different drawings never share an
    id."""
    if " id=" not in body:
        return body
    digest = hashlib.sha256(body.encode()).hexdigest()[:12]
    return _NAMED.sub(rf"\g<1>{ICON_ID}{digest}-", body)


_NONE: Final[Mapping[str, Any]] = {}


class ArtHelpers:
    """Draws layers of drawings."""

    def __init__(
        self,
        assets: AssetFinder,
        palette: Palette,
        current: CurrentFace,
        note: Callable[[str], None],
    ) -> None:
        self._assets = assets
        self._palette = palette
        self._current = current
        self._known: Callable[[str], LayeredArt | None] = _reader(assets.drawing, note)

    def art(self, drawing: Any, layer: Any, colours: Mapping[str, Any] = _NONE) -> Markup:
        """Draw a layer in the drawing's own units. `colours` are paints for its named colours; the
        palette has the rest (GP309)."""
        try:
            found = self._layer(as_text(drawing), as_text(layer))
        except GridpressError as error:
            self._current.builder.blame_error(error)
            return Markup()
        paints = tuple(self._paint(name, drawing, colours) for name in found.colours)
        body = _painted_layer(found, paints)
        return Markup(body)  # noqa: S704, cleaned when it was read

    def marks(self, drawing: Any, layer: Any) -> dict[str, dict[str, Any]]:
        """Return the places that a layer marks, by name or number, in painting order: `x`, `y`,
        `turn`, `size`, `flip`, `w` and `h`, in the drawing's units and degrees. Raises
        GridpressError for a missing layer (GP502, GP503), since a template cannot go on without
        it."""
        marks = self._layer(as_text(drawing), as_text(layer)).marks
        return {mark.name: asdict(mark) for mark in marks}

    def _layer(self, drawing: str, layer: str) -> DrawnLayer:
        art = self._known(str(drawing))
        found = None if art is None else art.layers.get(layer)
        if found is not None:
            return found
        builder = self._current.builder
        place = builder.span(calling(), drawing if art is None else layer) or builder.component.span
        if art is None:
            art = self._assets.drawing(drawing, place)  # which tells what is wrong with it
        message = f"the drawing {drawing!r} has no layer {layer!r}"
        raise GridpressError(Diagnostic(place, "GP502", message, did_you_mean(layer, art.layers)))

    def _paint(self, name: str, drawing: Any, colours: Mapping[str, Any]) -> str:
        if name in colours:
            return self._palette.paint(colours[name])
        named = self._palette.colours.get(name)
        if named is None:
            message = f"{drawing}.svg has a colour {name!r}, which has no value"
            hint = f"give it in art(…, {{{name!r}: colour.…}}), or under that name in styles.yaml"
            self._current.builder.blame_template(calling(), "GP309", message, hint)
            return BLACK
        return named


@functools.lru_cache(_KEPT)
def _painted_layer(layer: DrawnLayer, paints: tuple[str, ...]) -> str:
    body = layer.body
    for name, paint in zip(layer.colours, paints, strict=True):
        body = body.replace(f'"url(#{name})"', f'"{paint}"')
    return with_own_ids(body)
