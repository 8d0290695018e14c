"""A picture's file and its place in; whether it can go into a PDF as it is, and the operators that
place it, out."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Final, NamedTuple

from PIL import Image

from generator.export.plates.operators import numbers
from generator.export.plates.reading import LeftToEngineError
from generator.model.face import Face

_ORIENTATION: Final = 0x0112
_SHARES: Final = {"Min": 0.0, "Mid": 0.5, "Max": 1.0}


class Picture(NamedTuple):
    """A JPEG that is stored unchanged: its file, its pixels, and whether it is grey."""

    path: Path
    width: int
    height: int
    grey: bool


class Pictures:
    """The pictures of some faces, each looked at once."""

    def __init__(self) -> None:
        self._known: dict[str, Picture | None] = {}

    def of(self, face: Face, href: str) -> Picture:
        """The picture that a face calls by a name. Raises LeftToEngineError for all but an upright
        JPEG in colour or grey, without a profile of its own."""
        if href not in self._known:
            paths = [asset.path for asset in face.assets if asset.href == href]
            self._known[href] = _read(paths[0]) if paths else None
        picture = self._known[href]
        if picture is None:
            raise LeftToEngineError(f"the picture {href}")
        return picture


def _read(path: Path) -> Picture | None:
    try:
        with Image.open(path) as opened:
            plain = opened.format == "JPEG" and opened.mode in ("RGB", "L")
            plain = plain and "icc_profile" not in opened.info
            if not plain or opened.getexif().get(_ORIENTATION, 1) != 1:
                return None
            return Picture(path, *opened.size, opened.mode == "L")
    except (OSError, ValueError, SyntaxError, Image.DecompressionBombError):
        return None  # the engine says what is wrong


def placed(picture: Picture, values: Mapping[str, str], name: str) -> str:
    """The operators that draw a picture in its box as preserveAspectRatio says (SVG 1.1, 7.8)."""
    try:
        x, y, w, h = (float(values[key]) for key in ("x", "y", "width", "height"))
    except (KeyError, ValueError):
        raise LeftToEngineError("a picture without a box") from None
    if w <= 0 or h <= 0:
        return ""
    where, _, way = values.get("preserveAspectRatio", "xMidYMid").partition(" ")
    wide, high = w, h
    if where != "none":
        fit = max if way == "slice" else min
        scale = fit(w / picture.width, h / picture.height)
        wide, high = picture.width * scale, picture.height * scale
    try:
        across, down = (0.0, 0.0) if where == "none" else (_SHARES[where[1:4]], _SHARES[where[5:]])
    except KeyError:
        raise LeftToEngineError(f"preserveAspectRatio {where}") from None
    left, top = x + (w - wide) * across, y + (h - high) * down
    clip = f"{numbers(x, y, w, h)} re W n " if way == "slice" else ""
    return f"q {clip}{numbers(wide, 0, 0, -high, left, top + high)} cm /{name} Do Q\n"
