"""Reads from graphics states what only a press heeds, and what makes colours transparent."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from pikepdf import Array, Name

_TONES: Final = "the tones are changed by a transfer function"
_SCREEN: Final = "a halftone screen of its own is used"
_BLACK: Final = "black is made by a function of its own"
_FEATURES: Final = {
    **dict.fromkeys(("/TR", "/TR2"), _TONES),
    "/HT": _SCREEN,
    **dict.fromkeys(("/BG", "/BG2", "/UCR", "/UCR2"), _BLACK),
}
PRESS_FEATURES: Final = (_TONES, _SCREEN, _BLACK)
"""What a graphics state may ask of a press (PDF 1.7, table 57 and chapter 10), in words."""
_NEUTRAL: Final = (Name.Identity, Name.Default)
_NORMAL: Final = (None, Name.Normal, Name.Compatible)
_OPAQUE: Final = 0.999


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
