"""Finds codes that show nothing, or an empty box, because the embedded font has no glyph for them.

Only fonts whose codes lead to glyphs in one certain way are judged: composite fonts with Identity
encoding, TrueType fonts without an encoding, and names of glyphs that an encoding lists.
"""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Container
from struct import unpack_from
from typing import Any, Final

from fontTools.misc import eexec
from fontTools.pens.boundsPen import ControlBoundsPen
from fontTools.ttLib import TTFont, TTLibError
from pikepdf import Name, Stream

from generator.preflight.pdf.pdf_fonts import PdfFont, is_visible

_SFNT: Final = (b"\0\1\0\0", b"true", b"OTTO")
"""The first bytes of the file of a single font."""
_CHARSTRING: Final = re.compile(rb"/([^\s/{}()<>\[\]]++)\s++\d++\s++(?:RD|-\||\S++)\s")
_EEXEC_KEY: Final = 55665
_OWN_CODES: Final = (0x00, 0xF0)
"""High bytes of the codes of a font without an encoding (PDF 1.7, 9.6.6.4)."""
_HEX: Final = re.compile(rb"[0-9A-Fa-f\s]{8}")

Lacks = Callable[[int], bool]
"""Return True if a font has no glyph for a code."""


class DamagedFontError(Exception):
    """Raised for an embedded font file that cannot be read."""


def lacking(font: PdfFont) -> Lacks | None:
    """Return what tells the codes without a glyph, or None when nobody can tell for certain.

    Raises DamagedFontError.
    """
    if font.drawn:
        return _by_name(font, {str(name)[1:] for name in font.source.get("/CharProcs", {})})
    if font.file is None:
        return None
    try:
        return _in_file(font, font.file)
    except Exception as error:  # FontTools reports damage in any way there is
        raise DamagedFontError from error


def _in_file(font: PdfFont, file: Stream) -> Lacks | None:
    data = file.read_bytes()
    descriptor = _descriptor(font)
    if "/FontFile2" in descriptor:
        return _truetype(font, data)
    if "/FontFile" in descriptor:
        return _by_name(font, _type1_names(data, int(file.get("/Length1", 0))))
    if data[:4] in _SFNT:
        with _opened(data) as opened:
            if "CFF " not in opened:
                return None
            data = opened.reader["CFF "]
    return _compact(font, data)


def _descriptor(font: PdfFont) -> Any:
    whole = font.source.DescendantFonts[0] if "/DescendantFonts" in font.source else font.source
    return whole.FontDescriptor


def _by_name(font: PdfFont, names: Container[str]) -> Lacks:
    """By the names of glyphs that the encoding lists; letters that show nothing need none."""

    def lacks(code: int) -> bool:
        name = font.names.get(code)
        return name is not None and name not in names and is_visible(font.words.get(code, ""))

    return lacks


def _opened(data: bytes) -> TTFont:
    """A font whose glyphs have names by their numbers, so that no table of names is read."""
    if data[:4] not in _SFNT:
        raise TTLibError("not a single font")
    font = TTFont(io.BytesIO(data), lazy=True)
    font.setGlyphOrder([f"glyph{number}" for number in range(font["maxp"].numGlyphs)])
    return font


def _truetype(font: PdfFont, data: bytes) -> Lacks | None:
    with _opened(data) as opened:
        count = opened["maxp"].numGlyphs
        start, end = opened["loca"].locations[:2]
        is_drawn = end > start and unpack_from(">h", opened.reader["glyf"], start)[0] != 0
        if font.bytes_a_code == 2:
            onto = font.source.DescendantFonts[0].get("/CIDToGIDMap", Name.Identity)
            table = onto.read_bytes() if isinstance(onto, Stream) else None
            return _by_number(font, lambda code: _mapped(table, code), count, is_drawn)
        if font.bytes_a_code == 1 and "/Encoding" not in font.source and "cmap" in opened:
            found = opened["cmap"].getcmap(3, 0) or opened["cmap"].getcmap(1, 0)
            named = found.cmap.items() if found else ()
            codes = {c & 0xFF: opened.getGlyphID(n) for c, n in named if c >> 8 in _OWN_CODES}
            if codes:
                return _by_number(font, lambda code: codes.get(code, 0), count, is_drawn)
    return None


def _mapped(table: bytes | None, code: int) -> int:
    """The glyph of a code, by a map from one to the other (PDF 1.7, 9.7.4.2)."""
    return code if table is None else int.from_bytes(table[2 * code : 2 * code + 2])


def _by_number(font: PdfFont, glyph: Callable[[int], int], count: int, is_drawn: bool) -> Lacks:
    """By the numbers of glyphs. Number 0 is the empty box, if it `is_drawn`."""

    def lacks(code: int) -> bool:
        number = glyph(code)
        if 0 < number < count:
            return False
        word = font.words.get(code)
        return is_visible(word) if word is not None else number == 0 and is_drawn

    return lacks


def _compact(font: PdfFont, data: bytes) -> Lacks | None:
    from fontTools.cffLib import CFFFontSet  # noqa: PLC0415, takes a while and is rarely needed

    fonts = CFFFontSet()
    fonts.decompile(io.BytesIO(data), None)
    top = fonts[0]
    strings = top.CharStrings
    if not len(strings):
        raise TTLibError("a font without glyphs")
    if font.bytes_a_code == 1:
        return _by_name(font, frozenset(strings.keys()))
    if font.bytes_a_code != 2:
        return None
    pen = ControlBoundsPen(None)
    strings[top.charset[0]].draw(pen)
    is_drawn = pen.bounds is not None
    if not hasattr(top, "ROS"):
        return _by_number(font, lambda code: code, len(strings), is_drawn)
    cids = {int(name[3:]): number for number, name in enumerate(top.charset) if number}
    return _by_number(font, lambda code: cids.get(code, 0), len(strings), is_drawn)


def _type1_names(data: bytes, clear: int) -> frozenset[str]:
    """The names of the glyphs of a font of Type 1. Raises TTLibError."""
    if not data.startswith((b"%!", b"\x80\x01")) or b"eexec" not in data:
        raise TTLibError("not a font of Type 1")
    at = data.index(b"eexec") + 5
    packed = data[clear:] if clear >= at else data[at:].lstrip(b" \t\r\n")
    if _HEX.match(packed):
        digits = re.sub(rb"[^0-9A-Fa-f]", b"", packed)
        packed = bytes.fromhex(digits[: len(digits) // 2 * 2].decode())
    plain, _ = eexec.decrypt(packed, _EEXEC_KEY)
    _, _, within = plain.partition(b"/CharStrings")
    return frozenset(name.decode("latin-1") for name in _CHARSTRING.findall(within))
