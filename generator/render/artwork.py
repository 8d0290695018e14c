"""Template helpers that place files: `image`, `icon`, `art` and `marks`. Pictures are printed as
they are."""

from __future__ import annotations

import functools
import hashlib
import itertools
import math
import re
from collections.abc import Callable, Container, Iterator, Mapping
from typing import Any, Final, TypeVar

from markupsafe import Markup
from msgspec.structs import asdict

from generator.assets import AssetFinder, PictureInfo
from generator.diagnostics import (
    Diagnostic,
    GridpressError,
    Severity,
    Span,
    did_you_mean,
    warning,
)
from generator.geometry import MM_PER_INCH, Matrix, Size
from generator.model.catalogue import Stock
from generator.model.face import Asset, InlineIcon
from generator.model.pack import SourceText
from generator.render.dependencies import Tracker
from generator.render.face_builder import (
    CurrentFace,
    FaceBuilder,
    PlacedDrawing,
    PlacedIcon,
    PlacedPicture,
)
from generator.render.greys import GreyPictures
from generator.render.shapes import mm, number, size
from generator.render.styles import BLACK, Palette
from generator.render.svg_lint import Located
from generator.render.template_lines import calling
from generator.sandbox import as_text
from generator.svg_files import IconArt, ViewBox
from generator.svg_layers import DrawnLayer, LayeredArt
from generator.svg_subset import ICON_ID
from generator.text import IconMetrics

FITS: Final = {"cover": "xMidYMid slice", "contain": "xMidYMid meet", "stretch": "none"}

# EXIF orientation to the matrix that turns the stored picture upright about its middle. The
# engine does not look at EXIF. See CIPA DC-008-2019, 4.6.4 A, tag Orientation.
_UPRIGHT: Final = {
    2: (-1, 0, 0, 1),
    3: (-1, 0, 0, -1),
    4: (1, 0, 0, -1),
    5: (0, 1, 1, 0),
    6: (0, 1, -1, 0),
    7: (0, -1, -1, 0),
    8: (0, -1, 1, 0),
}


_GREY: Final = "#dcdcdc"
_SQUARE: Final = 1.05
"""The least ratio of the sides of a shape that is not square."""
_NEAR, _SEAM = 0.5, 0.05
"""Distance from the cut that counts as at it, and the overlap of mirror images, mm."""


class PictureHelper:
    """Places pictures, grey copies of them with `greys`. `label` writes words into a placeholder.
    Texts in drawings use one of the `families`."""

    def __init__(
        self,
        assets: AssetFinder,
        families: Container[str],
        current: CurrentFace,
        greys: GreyPictures | None,
        tracker: Tracker,
    ) -> None:
        self._assets = assets
        self._families = families
        self._current = current
        self._greys = greys
        self._known: dict[str, tuple[Asset, PictureInfo]] = {}
        self._infos: dict[str, PictureInfo | None] = {}
        self.label: Callable[[str, float, float, float, float], str] = lambda *_: ""
        self._reading = tracker.source("picture", self._info)
        self._reading_drawing = tracker.source("drawn picture", assets.drawn_picture_digest)

    def image(
        self,
        path: Any,
        x: float,
        y: float,
        w: float,
        h: float,
        fit: str = "cover",
        turn: bool = False,
    ) -> Markup:
        """Place a picture in a box of w × h mm with its corner at (x, y): cropped to `cover` it,
        whole inside it (`contain`), or stretched. With `turn`, a picture that lies in an upright
        box, or the other way round, gets a quarter turn; on a back to the other side, so that cards
        turned like pages stay upright."""
        name = as_text(path)
        x, y, w, h = number(x, "x"), number(y, "y"), size(w, "w"), size(h, "h")
        if fit not in FITS:
            raise ValueError(f"fit is {fit!r}, and must be one of {', '.join(FITS)}")
        builder, call = self._current.builder, calling()
        source = name.span if isinstance(name, SourceText) else None
        place = source or builder.span(call, name) or builder.component.span
        box = x, y, w, h
        mirror = builder.mirrors and fit != "contain"
        turned = bool(turn) and self._lies(SourceText(str(name), place), w / h)
        inner = (-h / 2, -w / 2, h, w) if turned else box
        try:
            if str(name).lower().endswith(".svg"):
                drawn = self._drawn(str(name), place, inner, FITS[fit])
            else:
                asset, info = self._picture(str(name), place)
                builder.pictures[asset.href] = PlacedPicture(asset, info, str(name), source, call)
                drawn = _image(asset.href, inner, FITS[fit], info.orientation)
        except GridpressError as error:
            if isinstance(name, SourceText) and name.rich:
                return self._placeholder(str(name), box, mirror)
            builder.blame_error(error, source)
            return Markup()
        if turned:
            angle = -90 if builder.side == "back" else 90
            middle = f"{mm(x + w / 2)} {mm(y + h / 2)}"
            drawn = f'<g transform="translate({middle}) rotate({angle})">{drawn}</g>'
        return Markup(_mirrored(drawn, box, builder.stock) if mirror else drawn)  # noqa: S704

    def _lies(self, name: SourceText, box: float) -> bool:
        """Return True if one of picture and box is wide and the other high."""
        shape = 1 / self.ratio(name)
        return min(shape, box) < 1 / _SQUARE and max(shape, box) > _SQUARE

    def _drawn(self, name: str, place: Span, box: ViewBox, fit: str) -> str:
        self._reading_drawing(name)
        art = self._assets.drawn_picture(name, place)
        check_families(art, name.rpartition("/")[2], self._families, place)
        return _placed(art, BLACK, box, fit, self._current)

    def _placeholder(self, name: str, box: ViewBox, mirror: bool) -> Markup:
        """Draw a grey box with the name of a missing picture."""
        x, y, w, h = box
        drawn = f'<rect x="{mm(x)}" y="{mm(y)}" width="{mm(w)}" height="{mm(h)}" fill="{_GREY}"/>'
        drawn = _mirrored(drawn, box, self._current.builder.stock) if mirror else drawn
        return Markup(drawn) + self.label(name, x + 2, y, w - 4, h)  # noqa: S704, it holds numbers

    def _picture(self, name: str, place: Span) -> tuple[Asset, PictureInfo]:
        self._reading(name)
        known = self._known.get(name)
        if known is None:
            path = self._assets.image(name, place)
            self._infos[name] = info = self._assets.picture(path, place)
            if self._greys is not None:
                asset, info = self._greys.copy(self._assets.content(path, info, place), info)
            else:
                href = f"assets/{info.sha256[:16]}.{info.format.lower()}"
                asset = Asset(href, path, info.sha256)
            known = self._known[name] = asset, info
        return known

    def ratio(self, name: SourceText) -> float:
        """Return the height of an upright picture over its width; 1 for a missing one, which is
        reported where it is placed."""
        if name.lower().endswith(".svg"):
            self._reading_drawing(str(name))
            try:
                _, _, across, down = self._assets.drawn_picture(str(name), Span(name)).view_box
            except GridpressError:
                return 1.0
            return down / across
        self._reading(str(name))
        info = self._info(str(name))
        if info is None:
            return 1.0
        across = info.width_px / info.height_px
        return across if info.orientation >= 5 else 1 / across

    def asset(self, name: str, place: Span) -> Asset:
        """Return the file of a picture that exists."""
        return self._picture(name, place)[0]

    def _info(self, name: str) -> PictureInfo | None:
        """Return what is known of a picture in colour; None if it cannot be shown."""
        if name not in self._infos:
            span = Span(name)
            try:
                self._infos[name] = self._assets.picture(self._assets.image(name, span), span)
            except GridpressError:
                self._infos[name] = None
        return self._infos[name]


def _image(href: str, box: tuple[float, float, float, float], fit: str, orientation: int) -> str:
    x, y, w, h = box
    matrix = _UPRIGHT.get(orientation)
    if matrix is None:
        return _image_element(href, (x, y, w, h), fit)
    if orientation >= 5:  # stored lying on its side
        w, h = h, w
    middle = f"{mm(x + box[2] / 2)} {mm(y + box[3] / 2)}"
    turned = " ".join(map(str, matrix))
    inside = _image_element(href, (-w / 2, -h / 2, w, h), fit)
    return f'<g transform="translate({middle}) matrix({turned} 0 0)">{inside}</g>'


def _mirrored(drawn: str, box: ViewBox, stock: Stock) -> str:
    """Return a filled box, with mirror images to the end of the bleed where it ends at the cut."""
    x, y, w, h = box
    across = _axes(x, x + w, stock.trim.width, stock.bleed)
    down = _axes(y, y + h, stock.trim.height, stock.bleed)
    images = []
    for axis_x, axis_y in itertools.product((None, *across), (None, *down)):
        a, e = (1, 0.0) if axis_x is None else (-1, 2 * axis_x)
        d, f = (1, 0.0) if axis_y is None else (-1, 2 * axis_y)
        if (a, d) != (1, 1):
            images.append(f'<g transform="matrix({a} 0 0 {d} {mm(e)} {mm(f)})">{drawn}</g>')
    return "".join((*images, drawn))


def _axes(start: float, end: float, trim: float, bleed: float) -> Iterator[float]:
    """Yield the mirror axes, slightly inside the box, at each end that is at the cut and not at the
    end of the bleed."""
    if bleed > _SEAM:
        if -_NEAR <= -start < bleed - _SEAM:
            yield start + _SEAM / 2
        if -_NEAR <= end - trim < bleed - _SEAM:
            yield end - _SEAM / 2


def _image_element(href: str, box: tuple[float, float, float, float], fit: str) -> str:
    x, y, w, h = map(mm, box)
    return (
        f'<image href="{href}" x="{x}" y="{y}" width="{w}" height="{h}" '
        f'preserveAspectRatio="{fit}"/>'
    )


COARSE_DPI: Final = 200.0


def measure_pictures(builder: FaceBuilder, pictures: tuple[Located, ...]) -> int:
    """Return how many pictures the face shows, each counted once; report GP505."""
    shown = set()
    for one in pictures:
        assert not isinstance(one.what, int)
        picture = builder.pictures.get(one.what.get("href", ""))
        if picture is None:
            continue
        shown.add(picture.asset.href)
        if one.matrix is not None:
            _check_dpi(builder, picture, printed_dpi(one.what, picture, one.matrix))
    return len(shown)


def printed_dpi(attributes: Mapping[str, str], picture: PlacedPicture, matrix: Matrix) -> float:
    """Return pixels an inch as printed, of the coarser axis; infinity for an unseen picture."""
    width, height = (float(attributes.get(name, 0)) for name in ("width", "height"))
    across = width * matrix.across / picture.info.width_px  # mm a pixel
    down = height * matrix.down / picture.info.height_px
    fit = attributes.get("preserveAspectRatio", "xMidYMid meet")
    pixel = min(across, down) if fit.endswith("meet") else max(across, down)
    return MM_PER_INCH / pixel if pixel else math.inf


def _check_dpi(builder: FaceBuilder, picture: PlacedPicture, found: float) -> None:
    if found >= COARSE_DPI:
        return
    info = picture.info
    message = (
        f"{picture.name} ({info.width_px} × {info.height_px} pixels) is printed at {int(found)} dpi"
    )
    share = 300 / found
    hint = (
        f"300 dpi are good: use one of about {round(info.width_px * share)} × "
        f"{round(info.height_px * share)} pixels, or show it smaller"
    )
    if picture.source is not None:
        builder.blame_value(warning(picture.source, "GP505", message, hint))
    else:
        at = builder.span(picture.call, picture.name)
        builder.blame_template(at, "GP505", message, hint, Severity.WARNING)


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
        if art is None:
            self.blame_unknown(text, text.span if isinstance(text, SourceText) else None)
            return Markup()
        return Markup(self._drawn(art, x, y, w, height, paint))  # noqa: S704, it is cleaned

    def inline(self, icon: InlineIcon, x: float, y: float, colour: str) -> PlacedIcon | None:
        """Return an icon in a line of text whose places count from (x, y), mm."""
        read = self._known(icon.name)
        if read is None:
            return None
        left, top, _, high = read.view_box
        scale = icon.height / high
        place = Matrix(scale, 0, 0, scale, x + icon.x - left * scale, y + icon.y - top * scale)
        if read.whole:
            image = _placed(read, colour, read.view_box, "none", self._current)
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

    def _drawn(
        self, art: IconArt, x: float, y: float, w: float, h: float | None, colour: str
    ) -> str:
        left, top, wide, high = art.view_box
        scale = w / wide if h is None else min(w / wide, h / high)
        dx = x + (w - wide * scale) / 2 - left * scale
        dy = y + (0.0 if h is None else (h - high * scale) / 2) - top * scale
        if art.whole:
            over = 0.0 if h is None else (h - high * scale) / 2
            box = x + (w - wide * scale) / 2, y + over, wide * scale, high * scale
            return _placed(art, colour, box, "none", self._current)
        body = _painted(art.body, colour)
        place = f"translate({mm(dx)} {mm(dy)}) scale({scale:.6g})"
        return f'<g fill="{colour}" transform="{place}">{body}</g>'


def check_families(art: IconArt, name: str, known: Container[str], place: Span) -> None:
    """Raise GridpressError (GP503) if a drawing has text in no `known` font."""
    for family in art.families:
        asked = [each.strip().strip("'\"") for each in family.split(",")]
        if not any(each in known for each in asked):
            message = f"{name} has text in the font {asked[0]!r}, which is missing"
            hint = "put the font into fonts/, or turn the text into paths: " + _TO_PATHS
            raise GridpressError(Diagnostic(place, "GP503", message, hint))


def _placed(art: IconArt, colour: str, box: ViewBox, fit: str, current: CurrentFace) -> str:
    """Place a drawing for the engine in a box."""
    drawing = _for_engine(art, colour)
    digest = hashlib.sha256(drawing.svg.encode()).hexdigest()
    href = f"drawings/{digest[:16]}.svg"
    current.drawings[href] = drawing
    return _image_element(href, box, fit)


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
            message = f"{drawing}.svg has a colour {name!r}, for which nothing is given"
            hint = f"give it by art(…, {{{name!r}: colour.…}}), or by that name in styles.yaml"
            self._current.builder.blame_template(calling(), "GP309", message, hint)
            return BLACK
        return named


@functools.lru_cache(_KEPT)
def _painted_layer(layer: DrawnLayer, paints: tuple[str, ...]) -> str:
    body = layer.body
    for name, paint in zip(layer.colours, paints, strict=True):
        body = body.replace(f'"url(#{name})"', f'"{paint}"')
    return with_own_ids(body)
