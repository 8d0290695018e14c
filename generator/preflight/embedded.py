"""A font of a PDF in; which of its codes have no glyph, or another one than was meant, out.

Fonts as in PDF 1.7, 9.6 to 9.8; that the widths told agree with the font in the file is asked of
PDF/A too (ISO 19005-2, 6.2.11.5). What cannot be read is not judged: GP804 is about fonts that are
not there at all.
"""

from __future__ import annotations

import io
import re
import unicodedata
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from fontTools.pens.boundsPen import ControlBoundsPen
from fontTools.ttLib import TTFont, TTLibError
from pikepdf import Array, Dictionary, Name, Object

_WIDTH_TOLERANCE: Final = 3.0
"""Thousandths of an em: whole numbers of two scales, rounded."""
_CHARS: Final = re.compile(rb"beginbfchar(.*?)endbfchar", re.S)
_RANGES: Final = re.compile(rb"beginbfrange(.*?)endbfrange", re.S)
_HEX: Final = re.compile(rb"<([0-9A-Fa-f]+)>")
_UNREADABLE: Final = (TTLibError, KeyError, ValueError, AssertionError, TypeError, AttributeError)


@dataclass(frozen=True, slots=True)
class Glyphs:
    """The glyphs in a font file: by number whether each has a shape and how wide it is (thousandths
    of an em, None when the file does not say), and by character code for fonts of one byte."""

    shapes: Mapping[int, bool]
    widths: Mapping[int, float]
    codes: Mapping[int, int] | None = None


@dataclass(frozen=True, slots=True)
class EmbeddedFont:
    """A font as the file has it; `bytes_a_code` is 0 when its encoding is not understood;
    `faults` keeps what was found of each code, `sound` the strings without one."""

    name: str
    bytes_a_code: int
    glyphs: Glyphs | None = None
    words: Mapping[int, str] = field(default_factory=dict)
    widths: Mapping[int, float] = field(default_factory=dict)
    faults: dict[int, str] = field(default_factory=dict)
    sound: set[bytes] = field(default_factory=set)

    def fault(self, shown: bytes) -> str:
        """What is wrong with the first code of a string that cannot be printed; empty when all
        can."""
        step = self.bytes_a_code
        if self.glyphs is None or not step or shown in self.sound:
            return ""
        for start in range(0, len(shown) - step + 1, step):
            code = int.from_bytes(shown[start : start + step])
            if code not in self.faults:
                self.faults[code] = self._fault(code, self.glyphs)
            if self.faults[code]:
                return self.faults[code]
        self.sound.add(shown)
        return ""

    def _fault(self, code: int, glyphs: Glyphs) -> str:
        glyph = code if glyphs.codes is None else glyphs.codes.get(code, 0)
        word = self.words.get(code, "")
        letter = f"the letter {word!r}" if _is_visible(word) else "a letter"
        if glyph == 0:
            return f"the font {self.name} has no glyph for {letter}"
        if glyph not in glyphs.shapes or (not glyphs.shapes[glyph] and _is_visible(word)):
            return f"the glyph of {letter} is missing in the font {self.name} of the file"
        told, real = self.widths.get(code), glyphs.widths.get(glyph)
        if told is not None and real is not None and abs(told - real) > _WIDTH_TOLERANCE:
            return (
                f"{letter} is set {told:g} units wide, but {real:g} in the font {self.name}:"
                " the file brings another font"
            )
        return ""


def read_font(font: Object) -> EmbeddedFont:
    """What is to be known of a font dictionary."""
    name = str(font.get("/BaseFont", "")).removeprefix("/").rpartition("+")[2]
    words = dict(_words(font.ToUnicode.read_bytes())) if "/ToUnicode" in font else {}
    if "/DescendantFonts" in font:
        whole = font.DescendantFonts[0]
        straight = whole.get("/CIDToGIDMap", Name.Identity) == Name.Identity
        if font.get("/Encoding") != Name("/Identity-H") or not straight:
            return EmbeddedFont(name, 0)
        return EmbeddedFont(name, 2, _glyphs(whole), words, dict(_cid_widths(whole)))
    if font.get("/Subtype") != Name.TrueType or "/Encoding" in font:
        return EmbeddedFont(name, 0)
    first = int(font.get("/FirstChar", 0))
    widths = {first + n: float(width) for n, width in enumerate(font.get("/Widths", Array()))}
    glyphs = _glyphs(font)
    return EmbeddedFont(name, 1, glyphs if glyphs and glyphs.codes else None, words, widths)


def _is_visible(word: str) -> bool:
    return any(unicodedata.category(letter)[0] not in "ZC" for letter in word)


def _glyphs(font: Object) -> Glyphs | None:
    descriptor = font.get("/FontDescriptor", Dictionary())
    try:
        if "/FontFile2" in descriptor:
            return _of_truetype(descriptor.FontFile2.read_bytes())
        if "/FontFile3" in descriptor:
            return _of_postscript(descriptor.FontFile3)
    except _UNREADABLE:
        return None
    return None


def _of_truetype(data: bytes) -> Glyphs:
    with TTFont(io.BytesIO(data), lazy=True) as font:
        outlines, metrics = font["glyf"], font["hmtx"].metrics
        scale = 1000 / font["head"].unitsPerEm
        order = font.getGlyphOrder()
        shapes = {n: outlines[name].numberOfContours != 0 for n, name in enumerate(order)}
        widths = {n: metrics[name][0] * scale for n, name in enumerate(order)}
        return Glyphs(shapes, widths, _symbol_codes(font) if "cmap" in font else None)


def _symbol_codes(font: Any) -> Mapping[int, int]:
    """Codes of one byte as a font without an encoding has them (PDF 1.7, 9.6.6.4)."""
    for table in font["cmap"].tables:
        if (table.platformID, table.platEncID) in ((1, 0), (3, 0)):
            return {code & 0xFF: font.getGlyphID(name) for code, name in table.cmap.items()}
    return {}


def _of_postscript(stream: Object) -> Glyphs | None:
    from fontTools.cffLib import CFFFontSet  # noqa: PLC0415, takes a while and is rarely needed

    data = stream.read_bytes()
    if stream.get("/Subtype") == Name.OpenType:
        with TTFont(io.BytesIO(data)) as font:
            fonts = font["CFF "].cff
    else:
        fonts = CFFFontSet()
        fonts.decompile(io.BytesIO(data), None)
    top = fonts[0]
    strings = top.CharStrings
    by_cid = hasattr(top, "ROS")
    shapes = {}
    for number, name in enumerate(top.charset):
        pen = ControlBoundsPen(None)
        strings[name].draw(pen)
        shapes[int(name[3:]) if by_cid and number else number] = pen.bounds is not None
    return Glyphs(shapes, {})


def _cid_widths(font: Object) -> Iterator[tuple[int, float]]:
    """The widths of a composite font: `first [w …]` or `first last w` (PDF 1.7, 9.7.4.3)."""
    told = list(font.get("/W", Array()))
    while len(told) >= 2:
        first, second = int(told[0]), told[1]
        if isinstance(second, Array):
            yield from ((first + n, float(width)) for n, width in enumerate(second))
            told = told[2:]
        else:
            yield from ((cid, float(told[2])) for cid in range(first, int(second) + 1))
            told = told[3:]


def _words(cmap: bytes) -> Iterator[tuple[int, str]]:
    """What each code stands for, by the ToUnicode map."""
    for block in _CHARS.findall(cmap):
        codes = _HEX.findall(block)
        for code, word in zip(codes[::2], codes[1::2], strict=False):
            yield int(code, 16), _text(word)
    for block in _RANGES.findall(cmap):
        for line in block.splitlines():
            ends = _HEX.findall(line)
            if len(ends) == 3 and b"[" not in line:
                first, last, start = int(ends[0], 16), int(ends[1], 16), _text(ends[2])
                for code in range(first, min(last, first + 255) + 1):
                    yield code, start[:-1] + chr(ord(start[-1]) + code - first)


def _text(digits: bytes) -> str:
    return bytes.fromhex(digits.decode()).decode("utf-16-be", "replace")
