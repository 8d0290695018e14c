"""The name of a picture and a box in; an `<image>` that shows it upright out.

The helper `image` of templates. The file itself is not touched: a JPEG prints as it is.
"""

from __future__ import annotations

from typing import Any, Final

from markupsafe import Markup

from generator.assets import AssetFinder, PictureInfo
from generator.diagnostics import GridpressError, Span
from generator.model.face import Asset
from generator.model.values import SourceText
from generator.render.draft import Desk, PlacedPicture
from generator.render.grey import GreyPictures
from generator.render.numbers import mm, number, size
from generator.render.places import calling
from generator.render.reads import Watch
from generator.sandbox import as_text

SUFFIXES: Final = {"JPEG": ".jpg", "PNG": ".png", "WEBP": ".webp"}
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


class PictureHelper:
    """Places pictures for templates; with `greys`, grey copies of them."""

    def __init__(
        self, assets: AssetFinder, desk: Desk, greys: GreyPictures | None, watch: Watch
    ) -> None:
        self._assets = assets
        self._desk = desk
        self._greys = greys
        self._known: dict[str, tuple[Asset, PictureInfo]] = {}
        self._infos: dict[str, PictureInfo | None] = {}
        self._reading = watch.source("picture", self._info)

    def image(
        self, path: Any, x: float, y: float, w: float, h: float, fit: str = "cover"
    ) -> Markup:
        """A picture in a box of w × h mm whose corner is (x, y): cropped to cover it, whole inside
        it (`contain`), or stretched."""
        name = as_text(path)
        x, y, w, h = number(x, "x"), number(y, "y"), size(w, "w"), size(h, "h")
        if fit not in FITS:
            raise ValueError(f"fit is {fit!r}, and must be one of {', '.join(FITS)}")
        draft, call = self._desk.draft, calling()
        source = name.span if isinstance(name, SourceText) else None
        place = source or draft.span(call, name) or draft.component.span
        try:
            asset, info = self._picture(str(name), place)
        except GridpressError as error:
            for told in error.diagnostics:
                if source is not None:
                    draft.blame_value(told)
                else:
                    draft.blame_template(told.span, told.code, told.message, told.hint)
            return Markup()
        draft.pictures[asset.href] = PlacedPicture(asset, info, str(name), source, call)
        return Markup(_image(asset.href, (x, y, w, h), FITS[fit], info.orientation))  # noqa: S704

    def _picture(self, name: str, place: Span) -> tuple[Asset, PictureInfo]:
        """A picture by its name, looked up once."""
        self._reading(name)
        known = self._known.get(name)
        if known is None:
            path = self._assets.image(name, place)
            self._infos[name] = info = self._assets.picture(path, place)
            if self._greys is not None:
                asset, info = self._greys.copy(self._assets.content(path, info, place), info)
            else:
                href = f"assets/{info.sha256[:16]}{SUFFIXES[info.format]}"
                asset = Asset(href, path, info.sha256)
            known = self._known[name] = asset, info
        return known

    def asset(self, name: str, place: Span) -> Asset:
        """The file of a picture that is known to be there."""
        return self._picture(name, place)[0]

    def _info(self, name: str) -> PictureInfo | None:
        """What a picture is, in colour; None for one that cannot be shown."""
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
        return _element(href, (x, y, w, h), fit)
    if orientation >= 5:  # stored lying on its side
        w, h = h, w
    middle = f"{mm(x + box[2] / 2)} {mm(y + box[3] / 2)}"
    turned = " ".join(map(str, matrix))
    inside = _element(href, (-w / 2, -h / 2, w, h), fit)
    return f'<g transform="translate({middle}) matrix({turned} 0 0)">{inside}</g>'


def _element(href: str, box: tuple[float, float, float, float], fit: str) -> str:
    x, y, w, h = map(mm, box)
    return (
        f'<image href="{href}" x="{x}" y="{y}" width="{w}" height="{h}" '
        f'preserveAspectRatio="{fit}"/>'
    )
