"""The helpers `icon`, `art` and `marks` of templates: icons on faces and in lines of text, layers
of drawings, and the places that they mark."""

from __future__ import annotations

import functools
import hashlib
import re
from collections.abc import Callable, Mapping
from typing import Any, Final, Generic, TypeVar

from markupsafe import Markup
from msgspec.structs import asdict, replace

from generator.assets import AssetFinder
from generator.clean_svg import DrawnLayer, IconArt, LayeredArt
from generator.diagnostics import Diagnostic, GridpressError, Span, did_you_mean
from generator.geometry import Matrix, Rect
from generator.model.face import Art, InlineIcon
from generator.model.pack import SourceText
from generator.render.face_builder import CurrentFace
from generator.render.shapes import mm, number, size
from generator.render.styles import BLACK, Palette
from generator.render.template_trace import calling
from generator.sandbox import Budget, as_text
from generator.svg_subset import ICON_ID
from generator.text import IconMetrics

_KEPT: Final = 1024
INLINE: Final = 10.0
"""Height of the drawing of an icon in a line, mm, which is shown in the size of its line."""
_OUT: Final = 0.1
"""How far strokes may stand out of the box of an icon, of its longer side."""
_NAMED: Final = re.compile(r"""(\sid="|\shref="#|url\(#)""")


AnyArt = TypeVar("AnyArt", IconArt, LayeredArt)


class _Files(Generic[AnyArt]):
    """Draws what is in files, by their names; each is read once, and `note` is told of it."""

    def __init__(
        self,
        assets: AssetFinder,
        palette: Palette,
        current: CurrentFace,
        budget: Budget,
        note: Callable[[str], None],
    ) -> None:
        self._assets = assets
        self._palette = palette
        self._current = current
        self._budget = budget
        self._note = note
        self._read: dict[str, AnyArt | None] = {}

    def _in_file(self, name: str) -> AnyArt:
        raise NotImplementedError

    def _known(self, name: str) -> AnyArt | None:
        """None for what cannot be drawn."""
        self._note(name)
        if name not in self._read:
            try:
                self._read[name] = self._in_file(name)
            except GridpressError:
                self._read[name] = None
        return self._read[name]


class IconHelper(_Files[IconArt]):
    """Draws icons for templates and for text."""

    def _in_file(self, name: str) -> IconArt:
        return self._assets.art(self._assets.icon(name))

    def icon(
        self, name: Any, x: float, y: float, w: float, h: float | None = None, colour: Any = None
    ) -> Markup:
        """An icon as large as w × h mm allow, in the middle of that box, whose corner is (x, y);
        without h as high as it is at that width."""
        text = as_text(name)
        x, y, w = number(x, "x"), number(y, "y"), size(w, "w")
        height = None if h is None else size(h, "h")
        paint = BLACK if colour is None else self._palette.paint(colour)
        art = self._known(str(text))
        if art is None:
            self.blame_unknown(text, text.span if isinstance(text, SourceText) else None)
            return Markup()
        return Markup(self._drawn(art, x, y, w, height, paint))  # noqa: S704, it is cleaned

    def inline(self, icon: InlineIcon, x: float, y: float, colour: str) -> Art | None:
        """An icon in a line of text whose places are from (x, y), mm."""
        read = self._known(icon.name)
        if read is None:
            return None
        left, top, _, high = read.view_box
        scale = icon.height / high
        place = Matrix(scale, 0, 0, scale, x + icon.x - left * scale, y + icon.y - top * scale)
        art = _alone(read, colour)
        self._budget.write(len(art.svg))
        # The drawing is INLINE mm high, whatever units its file has.
        return replace(art, matrix=place.then(Matrix(high / INLINE, 0, 0, high / INLINE)))

    def shape(self, name: str) -> IconMetrics | None:
        """What text must know of an icon; None when there is none that can be drawn."""
        art = self._known(name)
        return None if art is None else IconMetrics(art.view_box[2] / art.view_box[3])

    def blame_unknown(self, name: str, source: Span | None) -> None:
        """Tell why an icon cannot be drawn, where it is named."""
        builder = self._current.builder
        call = calling()
        place = source or builder.span(call, name) or builder.component.span
        try:
            self._assets.art(self._assets.icon(str(name), place), place)
        except GridpressError as error:
            builder.blame_error(error, source)

    def _drawn(
        self, art: IconArt, x: float, y: float, w: float, h: float | None, colour: str
    ) -> str:
        left, top, wide, high = art.view_box
        scale = w / wide if h is None else min(w / wide, h / high)
        dx = x + (w - wide * scale) / 2 - left * scale
        dy = y + (0.0 if h is None else (h - high * scale) / 2) - top * scale
        body = _painted(art.body, colour)
        self._budget.write(len(body))
        place = f"translate({mm(dx)} {mm(dy)}) scale({scale:.6g})"
        return f'<g fill="{colour}" transform="{place}">{body}</g>'


@functools.lru_cache(_KEPT)
def _alone(art: IconArt, colour: str) -> Art:
    """An icon as a drawing of its own, `INLINE` mm high, with room for what stands out of it."""
    left, top, wide, high = art.view_box
    out = max(wide, high) * _OUT
    box = Rect(left - out, top - out, wide + 2 * out, high + 2 * out)
    scale = INLINE / high
    view = " ".join(mm(value) for value in (box.x, box.y, box.width, box.height))
    svg = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{mm(box.width * scale)}mm" '
        f'height="{mm(box.height * scale)}mm" viewBox="{view}">'
        f'<g fill="{colour}">{_painted(art.body, colour)}</g></svg>'
    )
    page = Rect(box.x * scale, box.y * scale, box.width * scale, box.height * scale)
    return Art(svg, hashlib.sha256(svg.encode()).hexdigest(), page)


@functools.lru_cache(_KEPT)
def _painted(body: str, colour: str) -> str:
    """The shapes in a colour."""
    return with_own_ids(body.replace("currentColor", colour))


def with_own_ids(body: str) -> str:
    """The shapes with ids that are made from what they name, so that two drawings never share one,
    and one that is drawn twice has the same ones for the same things."""
    if " id=" not in body:
        return body
    digest = hashlib.sha256(body.encode()).hexdigest()[:12]
    return _NAMED.sub(rf"\g<1>{ICON_ID}{digest}-", body)


_NONE: Final[Mapping[str, Any]] = {}


class ArtHelpers(_Files[LayeredArt]):
    """Draws layers for templates."""

    def _in_file(self, name: str) -> LayeredArt:
        return self._assets.drawing(name)

    def art(self, drawing: Any, layer: Any, colours: Mapping[str, Any] = _NONE) -> Markup:
        """A layer of a drawing, in the drawing's own units. `colours` are what its named colours
        are painted in; those that it leaves out are the palette's (GP309)."""
        try:
            found = self._layer(as_text(drawing), as_text(layer))
        except GridpressError as error:
            self._current.builder.blame_error(error)
            return Markup()
        paints = tuple(self._paint(name, drawing, colours) for name in found.colours)
        body = _painted_layer(found, paints)
        self._budget.write(len(body))
        return Markup(body)  # noqa: S704, cleaned when it was read

    def marks(self, drawing: Any, layer: Any) -> dict[str, dict[str, Any]]:
        """The places that a layer marks, in the order of painting, by name, or by number where they
        have none of their own: `x`, `y`, `turn`, `size`, `flip`, `w` and `h`, in the drawing's own
        units and degrees. Raises GridpressError where there is none (GP502, GP503), as no template
        can go on without them."""
        marks = self._layer(as_text(drawing), as_text(layer)).marks
        self._budget.step(len(marks))
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
            message = f"{drawing}.svg has a colour {name!r}, for which nothing is given"
            hint = f"give it by art(…, {{{name!r}: colour.…}}), or by that name in styles.yaml"
            self._current.builder.blame_template(calling(), "GP309", message, hint)
            return BLACK
        return named


@functools.lru_cache(_KEPT)
def _painted_layer(layer: DrawnLayer, paints: tuple[str, ...]) -> str:
    """The shapes of a layer with these paints for its colours."""
    body = layer.body
    for name, paint in zip(layer.colours, paints, strict=True):
        body = body.replace(f'"url(#{name})"', f'"{paint}"')
    return with_own_ids(body)
