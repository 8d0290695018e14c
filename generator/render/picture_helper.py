"""Pictures on faces: the helper `image`, pictures too coarse or too flat to print, and grey copies.

The file of a picture is not touched: a JPEG prints as it is.
"""

from __future__ import annotations

import functools
import hashlib
import io
import os
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from markupsafe import Markup
from msgspec.structs import replace
from PIL import Image, ImageCms, ImageOps

from generator.assets import AssetFinder, PictureInfo
from generator.diagnostics import Diagnostic, GridpressError, Severity, Span
from generator.geometry import MM_PER_INCH, Matrix
from generator.model.face import Asset
from generator.model.pack import SourceText
from generator.render.face_builder import CurrentFace, FaceBuilder, PlacedPicture
from generator.render.reads import Watch
from generator.render.shapes import mm, number, size
from generator.render.svg_lint import Located
from generator.render.template_trace import calling
from generator.sandbox import as_text
from generator.svg_subset import is_number

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
        self, assets: AssetFinder, current: CurrentFace, greys: GreyPictures | None, watch: Watch
    ) -> None:
        self._assets = assets
        self._current = current
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
        builder, call = self._current.builder, calling()
        source = name.span if isinstance(name, SourceText) else None
        place = source or builder.span(call, name) or builder.component.span
        try:
            asset, info = self._picture(str(name), place)
        except GridpressError as error:
            builder.blame_error(error, source)
            return Markup()
        builder.pictures[asset.href] = PlacedPicture(asset, info, str(name), source, call)
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

    def ratio(self, name: SourceText) -> float:
        """How high a picture is by its width, as it stands upright; 1 for one that is not there,
        which is told where it is placed."""
        self._reading(str(name))
        info = self._info(str(name))
        if info is None:
            return 1.0
        across = info.width_px / info.height_px
        return across if info.orientation >= 5 else 1 / across

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
        return _image_element(href, (x, y, w, h), fit)
    if orientation >= 5:  # stored lying on its side
        w, h = h, w
    middle = f"{mm(x + box[2] / 2)} {mm(y + box[3] / 2)}"
    turned = " ".join(map(str, matrix))
    inside = _image_element(href, (-w / 2, -h / 2, w, h), fit)
    return f'<g transform="translate({middle}) matrix({turned} 0 0)">{inside}</g>'


def _image_element(href: str, box: tuple[float, float, float, float], fit: str) -> str:
    x, y, w, h = map(mm, box)
    return (
        f'<image href="{href}" x="{x}" y="{y}" width="{w}" height="{h}" '
        f'preserveAspectRatio="{fit}"/>'
    )


LEAST_DPI: Final = 100.0
COARSE_DPI: Final = 200.0
LEAST_AREA: Final = 1e-6
"""Of a picture, mm²."""


def measure_pictures(builder: FaceBuilder, pictures: tuple[Located, ...]) -> tuple[Asset, ...]:
    """The pictures that the face shows, each once; GP308, GP505."""
    assets: dict[str, Asset] = {}
    for one in pictures:
        assert not isinstance(one.what, int)
        picture = builder.pictures.get(one.what.get("href", ""))
        if picture is None:
            continue
        assets[picture.asset.href] = picture.asset
        if one.matrix is not None:
            width, height = _size(one.what)
            if width * height * abs(one.matrix.area) < LEAST_AREA:
                _blame_flat(builder, picture)
            else:
                _check_dpi(builder, picture, dpi(one.what, picture, one.matrix))
    return tuple(assets.values())


def _size(attributes: Mapping[str, str]) -> tuple[float, float]:
    """Width and height of an `<image>`; 0 where it has none that is a number."""
    width, height = (
        0.0 if is_number(value) else float(value)
        for value in (attributes.get("width", ""), attributes.get("height", ""))
    )
    return width, height


def _blame_flat(builder: FaceBuilder, picture: PlacedPicture) -> None:
    message = f"{picture.name} is shown with no width or no height"
    hint = "give it a box larger than 0.001 mm, and let no group around it scale it to nothing"
    builder.blame_template(picture.call, "GP308", message, hint, topic=picture.name)


def dpi(attributes: Mapping[str, str], picture: PlacedPicture, matrix: Matrix) -> float:
    """Pixels an inch at the printed size, of the coarser axis where a picture is stretched."""
    width, height = _size(attributes)
    across = width * matrix.across / picture.info.width_px  # mm a pixel
    down = height * matrix.down / picture.info.height_px
    fit = attributes.get("preserveAspectRatio", "xMidYMid meet")
    pixel = min(across, down) if fit.endswith("meet") else max(across, down)
    return MM_PER_INCH / pixel


def _check_dpi(builder: FaceBuilder, picture: PlacedPicture, found: float) -> None:
    if found >= COARSE_DPI:
        return
    severity = Severity.ERROR if found < LEAST_DPI else Severity.WARNING
    info = picture.info
    message = (
        f"{picture.name} ({info.width_px} × {info.height_px} pixels) is printed at {int(found)} dpi"
    )
    share = 300 / found
    hint = (
        f"300 dpi are good: use one of about {round(info.width_px * share)} × "
        f"{round(info.height_px * share)} pixels, or show it smaller"
    )
    if severity is Severity.ERROR:
        hint += "; for a prototype, waive GP505 in pack.yaml"
    if picture.source is not None:
        builder.blame_value(Diagnostic(picture.source, "GP505", message, hint, severity))
    else:
        at = builder.span(picture.call, picture.name)
        builder.blame_template(at, "GP505", message, hint, severity)


_QUALITY: Final = 92


class GreyPictures:
    """Makes grey copies of pictures in a folder, one of each content."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._made: dict[str, Asset] = {}

    def copy(self, content: bytes, info: PictureInfo) -> tuple[Asset, PictureInfo]:
        """The grey copy of a picture, upright, and what it is."""
        if info.sha256 not in self._made:
            self._made[info.sha256] = self._make(content, info)
        upright = replace(info, orientation=1)
        if info.orientation >= 5:  # it was stored lying on its side
            upright = replace(upright, width_px=info.height_px, height_px=info.width_px)
        return self._made[info.sha256], upright

    def _make(self, original: bytes, info: PictureInfo) -> Asset:
        with Image.open(io.BytesIO(original)) as picture:
            picture.load()
            grey = in_grey(ImageOps.exif_transpose(picture))
        target = io.BytesIO()
        if info.format == "JPEG":
            suffix = ".jpg"
            grey.save(target, "JPEG", quality=_QUALITY)
        else:
            suffix = ".png"
            grey.save(target, "PNG", icc_profile=None)  # that of the Lab on the way, with its time
        content = target.getvalue()
        sha256 = hashlib.sha256(content).hexdigest()
        copy = self._folder / f"{sha256[:16]}{suffix}"
        _write(copy, content)
        return Asset(f"assets/{copy.name}", copy, sha256)


def in_grey(picture: Image.Image) -> Image.Image:
    """Mode L or LA: each pixel as light as it was, by the L* of CIELAB."""
    picture = _in_8_bits(picture)
    see_through = picture.has_transparency_data
    rgba = picture.convert("RGBA") if see_through else None
    transform, levels = _to_lightness()
    lab = ImageCms.applyTransform((rgba or picture).convert("RGB"), transform)
    assert lab is not None
    grey = lab.getchannel("L").point(levels)
    if rgba is not None:
        grey = Image.merge("LA", (grey, rgba.getchannel("A")))
    return grey


def _in_8_bits(picture: Image.Image) -> Image.Image:
    """A grey picture of 16 bits with 8: Pillow's own conversion makes white of all above 255."""
    if not picture.mode.startswith("I"):
        return picture
    grey = picture.convert("I").point(lambda level: level * (1 / 257)).convert("L")
    if isinstance(clear := picture.info.get("transparency"), int):
        grey.info["transparency"] = clear // 257
    return grey


@functools.lru_cache(1)
def _to_lightness() -> tuple[ImageCms.ImageCmsTransform, list[int]]:
    """sRGB to Lab, and for each 8-bit L* the sRGB grey that has it."""
    lab, rgb = ImageCms.createProfile("LAB"), ImageCms.createProfile("sRGB")
    transform = ImageCms.buildTransform(rgb, lab, "RGB", "LAB")
    ramp = Image.new("L", (256, 1))
    ramp.putdata(list(range(256)))
    lightness = ImageCms.applyTransform(ramp.convert("RGB"), transform)
    assert lightness is not None
    found = lightness.getchannel("L").tobytes()
    levels = [
        min(range(256), key=lambda level: abs(found[level] - wanted)) for wanted in range(256)
    ]
    return transform, levels


def _write(path: Path, content: bytes) -> None:
    """Whole or not at all: several processes may make the same copy."""
    if path.exists():
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=path.parent)
    with os.fdopen(handle, "wb") as file:
        file.write(content)
    os.replace(name, path)
