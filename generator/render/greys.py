"""Makes grey copies of pictures, for `--ink mono`."""

from __future__ import annotations

import binascii
import functools
import hashlib
import io
import os
import re
import tempfile
from base64 import b64decode, b64encode
from pathlib import Path
from typing import Final

from msgspec.structs import replace
from PIL import Image, ImageCms, ImageOps

from generator.assets import MAX_PIXELS, PictureInfo, in_8_bits
from generator.model.face import Asset

_EMBEDDED: Final = re.compile(r"data:image/(?:png|jpe?g|gif|webp);base64,([A-Za-z0-9+/=\s]+)")
_QUALITY: Final = 92


class GreyPictures:
    """Makes grey copies of pictures in a folder, one of each content."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._made: dict[str, Asset] = {}

    def copy(self, content: bytes, info: PictureInfo) -> tuple[Asset, PictureInfo]:
        """Return the upright grey copy of a picture, and what it is."""
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


def with_grey_pictures(svg: str) -> str:
    """Return a drawing with grey copies of its embedded pictures."""
    return _EMBEDDED.sub(_as_grey, svg) if "data:image/" in svg else svg


def _as_grey(found: re.Match[str]) -> str:
    out = io.BytesIO()
    try:
        with Image.open(io.BytesIO(b64decode(found[1]))) as picture:
            if picture.width * picture.height > MAX_PIXELS:
                return found[0]
            in_grey(picture).save(out, "PNG", icc_profile=None)
    except (OSError, ValueError, SyntaxError, binascii.Error, Image.DecompressionBombError):
        return found[0]  # the engine leaves out what cannot be read
    return f"data:image/png;base64,{b64encode(out.getvalue()).decode()}"


def in_grey(picture: Image.Image) -> Image.Image:
    """Return a picture of mode L or LA, each pixel with the lightness (L* of CIELAB) it had."""
    picture = in_8_bits(picture)
    see_through = picture.has_transparency_data
    rgba = picture.convert("RGBA") if see_through else None
    transform, levels = _to_lightness()
    lab = ImageCms.applyTransform((rgba or picture).convert("RGB"), transform)
    assert lab is not None
    grey = lab.getchannel("L").point(levels)
    if rgba is not None:
        grey = Image.merge("LA", (grey, rgba.getchannel("A")))
    return grey


@functools.lru_cache(1)
def _to_lightness() -> tuple[ImageCms.ImageCmsTransform, list[int]]:
    """Return the transform from sRGB to Lab, and the sRGB grey of each 8-bit L*."""
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
    """Write a file at once, since several processes may make the same copy."""
    if path.exists():
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=path.parent)
    with os.fdopen(handle, "wb") as file:
        file.write(content)
    os.replace(name, path)
