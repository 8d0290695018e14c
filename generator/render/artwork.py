"""The helpers `art` and `marks` of templates: layers of drawings, and the places that they mark."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from dataclasses import asdict
from typing import Any, Final

from markupsafe import Markup

from generator.assets import AssetFinder
from generator.diagnostics import Diagnostic, GridpressError, did_you_mean
from generator.layered_art import DrawnLayer, LayeredArt
from generator.render.face_builder import CurrentFace
from generator.render.icons import with_own_ids
from generator.render.reads import Watch
from generator.render.styles import BLACK, Palette
from generator.render.template_trace import calling
from generator.sandbox import Budget, as_text

_KEPT: Final = 1024
_NONE: Final[Mapping[str, Any]] = {}


class ArtHelpers:
    """Draws layers for templates; each drawing is read once."""

    def __init__(
        self,
        assets: AssetFinder,
        palette: Palette,
        current: CurrentFace,
        budget: Budget,
        watch: Watch,
    ) -> None:
        self._assets = assets
        self._palette = palette
        self._current = current
        self._budget = budget
        self._read: dict[str, LayeredArt | None] = {}
        self._reading = watch.source("art", self._known)

    def art(self, drawing: Any, layer: Any, colours: Mapping[str, Any] = _NONE) -> Markup:
        """A layer of a drawing, in the drawing's own units. `colours` are what its named colours
        are painted in; those that it leaves out are the palette's (GP309)."""
        try:
            found = self._layer(as_text(drawing), as_text(layer))
        except GridpressError as error:
            self._current.builder.blame_error(error)
            return Markup()
        paints = tuple(self._paint(name, drawing, colours) for name in found.colours)
        body = _painted(found, paints)
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
        self._reading(str(drawing))
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

    def _known(self, drawing: str) -> LayeredArt | None:
        if drawing not in self._read:
            try:
                self._read[drawing] = self._assets.drawing(drawing)
            except GridpressError:
                self._read[drawing] = None
        return self._read[drawing]

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
def _painted(layer: DrawnLayer, paints: tuple[str, ...]) -> str:
    """The shapes of a layer with these paints for its colours."""
    body = layer.body
    for name, paint in zip(layer.colours, paints, strict=True):
        body = body.replace(f'"url(#{name})"', f'"{paint}"')
    return with_own_ids(body)
