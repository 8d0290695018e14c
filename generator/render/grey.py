"""A picture in colour in; a grey copy of it, as light, in a folder of the caller's out."""

from __future__ import annotations

import functools
import hashlib
import io
import os
import tempfile
from dataclasses import replace
from pathlib import Path
from typing import Final

from PIL import Image, ImageCms, ImageOps

from generator.assets import PictureInfo
from generator.model.face import Asset

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
