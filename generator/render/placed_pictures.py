"""The template helper `image`: places pictures, which are printed as they are, and checks their
resolution."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from typing import Any, Final

from markupsafe import Markup

from generator.assets import AssetFinder, PictureInfo
from generator.diagnostics import GridpressError, Severity, Span, warning
from generator.geometry import MM_PER_INCH, Matrix, Rect
from generator.model.catalogue import Stock
from generator.model.face import Asset, FacePicture
from generator.model.values import SourceText
from generator.render.artwork import check_families, image_element, place_drawing
from generator.render.dependencies import Tracker
from generator.render.face_builder import CurrentFace, FaceBuilder, PlacedArt, PlacedPicture
from generator.render.greys import GreyPictures
from generator.render.shapes import mm, number, size
from generator.render.styles import BLACK
from generator.render.svg_lint import Located
from generator.render.template_lines import calling
from generator.sandbox import as_text
from generator.svg_files import ViewBox

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
        box = number(x, "x"), number(y, "y"), size(w, "w"), size(h, "h")
        return self.placed(as_text(path), box, fit, turn=turn)

    def placed(
        self, name: str, box: ViewBox, fit: str, *, turn: bool = False, seen: ViewBox | None = None
    ) -> Markup:
        """Place a picture as `image` does. `seen` is the box that is left of it, if it is
        clipped."""
        x, y, w, h = box
        if fit not in FITS:
            raise ValueError(f"fit is {fit!r}, and must be one of {', '.join(FITS)}")
        builder, call = self._current.builder, calling()
        source = name.span if isinstance(name, SourceText) else None
        place = source or builder.span(call, name) or builder.component.span
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
            is_reported = isinstance(name, SourceText) and name.rich
            if not is_reported:
                builder.blame_error(error, source)
            if not is_reported and not builder.draft:
                return Markup()
            shown = PlacedArt(Rect(*(seen or box)), source, call, is_icon=False)
            return Markup(self._current.mark(shown)) + self._placeholder(  # noqa: S704
                str(name), box, mirror
            )
        if turned:
            angle = -90 if builder.side == "back" else 90
            middle = f"{mm(x + w / 2)} {mm(y + h / 2)}"
            drawn = f'<g transform="translate({middle}) rotate({angle})">{drawn}</g>'
        mark = self._current.mark(PlacedArt(Rect(*(seen or box)), source, call, is_icon=False))
        drawn = _mirrored(drawn, box, builder.stock) if mirror else drawn
        return Markup(mark + drawn)  # noqa: S704, it holds numbers

    def _lies(self, name: SourceText, box: float) -> bool:
        """Return True if one of picture and box is wide and the other high."""
        shape = 1 / self.ratio(name)
        return min(shape, box) < 1 / _SQUARE and max(shape, box) > _SQUARE

    def _drawn(self, name: str, place: Span, box: ViewBox, fit: str) -> str:
        self._reading_drawing(name)
        art = self._assets.drawn_picture(name, place)
        check_families(art, name.rpartition("/")[2], self._families, place)
        return place_drawing(art, BLACK, box, fit, self._current)

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
        return image_element(href, (x, y, w, h), fit)
    if orientation >= 5:  # stored lying on its side
        w, h = h, w
    middle = f"{mm(x + box[2] / 2)} {mm(y + box[3] / 2)}"
    turned = " ".join(map(str, matrix))
    inside = image_element(href, (-w / 2, -h / 2, w, h), fit)
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


def note_art(builder: FaceBuilder, placed: Sequence[PlacedArt], art: tuple[Located, ...]) -> None:
    """Note where pictures and icons are on the face (`builder.shown`)."""
    for one in art:
        assert isinstance(one.what, int)
        if one.matrix is not None and one.what < len(placed):
            what = placed[one.what]
            call = builder.span(what.call)
            rect = one.matrix.box(what.box)
            builder.shown.append(FacePicture(rect, what.source, call, what.is_icon))


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
