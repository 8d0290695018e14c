"""Pictures and icons of a pack: shown in choosers, and taken in when dropped on the page."""

from __future__ import annotations

import hashlib
import io
import tempfile
import warnings
from pathlib import Path, PurePosixPath
from typing import Final

from msgspec import Struct
from PIL import Image, ImageOps

from generator import writing
from generator.assets import FORMATS, MAX_PIXELS, picture_info, picture_size
from generator.diagnostics import GridpressError, Span
from generator.files import Roots
from generator.model.source import as_id
from generator.project import PICTURES, Project

_SVG: Final = ".svg"


class KeptPicture(Struct, frozen=True):
    """A picture that was taken in: its file, what a field calls it, and its size in pixels."""

    path: str
    name: str
    width: float
    height: float


class UnfitPictureError(Exception):
    """A file that is no picture or icon that can be used, in words."""


def shown_picture(content: bytes, suffix: str, width: int) -> tuple[bytes, str]:
    """Return a picture for a browser, at most so many pixels wide, with its media type; with 0 for
    the width, as large as it is. Raises UnfitPictureError."""
    if suffix.lower() == _SVG:
        return content, "image/svg+xml"
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            with Image.open(io.BytesIO(content), formats=FORMATS) as picture:
                if picture.width * picture.height > MAX_PIXELS:
                    raise UnfitPictureError("this picture is too large to be shown")
                if width:
                    picture.draft("RGB", (width, width * picture.height // picture.width))
                upright = ImageOps.exif_transpose(picture).convert("RGBA")
    except UnfitPictureError:
        raise
    except Exception as error:  # Pillow's decoders raise any error for damaged files
        raise UnfitPictureError("this picture cannot be read") from error
    if width:
        upright.thumbnail((width, 4 * width))
    written = io.BytesIO()
    upright.save(written, "PNG", compress_level=1)
    return written.getvalue(), "image/png"


def keep_picture(project: Project, pack: str, name: str, sort: str, content: bytes) -> KeptPicture:
    """Write a picture or icon into a pack, under a name that is free. One that is there already is
    not written again. Raises UnfitPictureError, and GridpressError if it cannot be written."""
    stem, suffix = _parted(name)
    is_icon = sort == "icon"
    if is_icon and suffix != _SVG:
        raise UnfitPictureError("an icon is an SVG file: save it as SVG")
    if suffix not in PICTURES:
        raise UnfitPictureError(f"{suffix or name} is no picture: use PNG, JPEG, WebP or SVG")
    width, height = _size(content, f"{stem}{suffix}")
    folder = f"templates/{pack}/icons" if is_icon else f"cards/{pack}/art"
    named = _free(project.root, folder, stem, suffix, content)
    path = f"{folder}/{named}"
    try:
        writing.replace_files(project.root, {path: lambda: content})
    except OSError as error:
        raise writing.cannot_write(error, folder) from error
    called = PurePosixPath(named).stem if is_icon else f"art/{named}"
    return KeptPicture(path, called, width, height)


def _parted(name: str) -> tuple[str, str]:
    path = PurePosixPath(name.replace("\\", "/"))
    return as_id(path.stem) or "picture", path.suffix.lower()


def _size(content: bytes, name: str) -> tuple[float, float]:
    """Return the size of a picture. Raises UnfitPictureError if it cannot be decoded as a whole."""
    with tempfile.TemporaryDirectory(prefix="gridpress-") as folder:
        path = Path(folder, name)
        path.write_bytes(content)
        roots = Roots((Path(folder),))
        try:
            if not name.endswith(_SVG):
                picture_info(path, Span(name), roots)
            pixels = picture_size(path, Span(name), roots).pixels
        except GridpressError as error:
            first = error.diagnostics[0]
            raise UnfitPictureError(f"{first.message}: {first.hint}") from error
    return pixels.width, pixels.height


def _free(root: Path, folder: str, stem: str, suffix: str, content: bytes) -> str:
    """Return a name that no other file has."""
    digest = hashlib.sha256(content).digest()
    number = 1
    while True:
        name = f"{stem}{f'-{number}' if number > 1 else ''}{suffix}"
        path = root / folder / name
        if not path.exists() or hashlib.sha256(path.read_bytes()).digest() == digest:
            return name
        number += 1
