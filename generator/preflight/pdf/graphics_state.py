"""The graphics state, what in it only a press heeds, and what makes colours transparent."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from msgspec import Struct
from msgspec.structs import astuple
from pikepdf import Array, Name

from generator.geometry import IDENTITY, Matrix, Rect
from generator.preflight.pdf.pdf_colours import BLACK, CMYK, GREY, RGB, ColourSpace, PdfPaint
from generator.preflight.pdf.pdf_fonts import PdfFont

_TONES: Final = "a transfer function changes the tones"
_SCREEN: Final = "the page sets its own halftone screen"
_BLACK: Final = "the page sets how black ink is made"
_FEATURES: Final = {
    **dict.fromkeys(("/TR", "/TR2"), _TONES),
    "/HT": _SCREEN,
    **dict.fromkeys(("/BG", "/BG2", "/UCR", "/UCR2"), _BLACK),
}
PRESS_FEATURES: Final = (_TONES, _SCREEN, _BLACK)
"""Entries of a graphics state that only presses heed (PDF 1.7, table 57 and chapter 10), in
words."""
DEVICES: Final = {
    "g": ColourSpace(GREY),
    "rg": ColourSpace(RGB),
    "k": ColourSpace(CMYK, tints=True),
}
"""Colour spaces by the operators that set a colour of them for areas."""
_NEUTRAL: Final = (Name.Identity, Name.Default)
_NORMAL: Final = (None, Name.Normal, Name.Compatible)
_OPAQUE: Final = 0.999


class GraphicsState(Struct):
    """The graphics state; `clip` is a box around what can be seen."""

    ctm: Matrix = IDENTITY
    clip: Rect | None = None
    fill: PdfPaint = BLACK
    stroke: PdfPaint = BLACK
    fill_space: ColourSpace = DEVICES["g"]
    stroke_space: ColourSpace = DEVICES["g"]
    width: float = 1.0
    fills_over: bool = False
    strokes_over: bool = False
    sheer: str = ""
    opacity: float = 1.0
    font: PdfFont | None = None
    size: float = 0.0
    letter_space: float = 0.0
    word_space: float = 0.0
    stretch: float = 1.0
    leading: float = 0.0
    rise: float = 0.0
    mode: int = 0

    @property
    def look(self) -> tuple[Any, ...]:
        """Return the state that a form inherits where it is drawn, without matrix and clip path."""
        return astuple(self)[2:]


def of_state(state: Any) -> Iterator[str]:
    """Yield what a graphics state asks of a press, in words."""
    for key, words in _FEATURES.items():
        if state.get(key, Name.Default) not in _NEUTRAL:
            yield words


def sheer_state(state: Any) -> str | None:
    """Return why a graphics state is transparent, in words; empty if it is not, and None if it says
    nothing about that."""
    if not {"/ca", "/CA", "/BM", "/SMask"} & set(state.keys()):
        return None
    if min(float(state.get("/ca", 1)), float(state.get("/CA", 1))) < _OPAQUE:
        return "a colour that is not opaque"
    if state.get("/SMask", Name("/None")) != Name("/None"):
        return "a soft mask"
    blend = state.get("/BM")
    first = blend[0] if isinstance(blend, Array) and len(blend) else blend
    return "" if first in _NORMAL else f"the blend mode {str(first).removeprefix('/')}"
