"""The fonts of a PDF: which glyphs are used of each, what these say to who copies and searches
text, and the subsets that are embedded.

PDF 1.7 (ISO 32000-1): 9.7 for composite fonts, 9.10 for what readers take the text to be."""

from __future__ import annotations

import hashlib
import string
import struct
import unicodedata
import zlib
from collections.abc import Iterator, Mapping
from decimal import Decimal
from typing import Any, Final

import uharfbuzz as hb
from msgspec import Struct, field
from pikepdf import Array, Dictionary, Name, Object, Pdf, Stream

from generator.cache import NOTHING_KEPT, Cache
from generator.fonts import FontFile
from generator.model.face import Glyph, clusters

THOUSAND: Final = 1000
"""Widths and adjustments are in thousandths of an em."""
_TABLES: Final = ("GDEF", "GPOS", "GSUB", "OS/2", "cmap", "gasp", "name", "post", "DSIG", "STAT")
"""What a font in a PDF does without."""
_SYMBOLIC: Final = 4
_ALPHABET: Final = string.ascii_letters + string.digits + " .,;:!?-()'\u2019\u2013\u2212"
_FIXED_BFCHARS: Final = 100
"""The most entries of one list in a CMap (Adobe Technical Note 5411)."""


class WrittenWord(Struct, frozen=True, eq=False):
    """Glyphs, and the operators that print them."""

    glyphs: tuple[Glyph, ...]
    written: str


_SMALL: Final = dict.fromkeys(("smcp", "c2sc", "pcap", "c2pc", "unic"), True)
"""The features that put small capitals in the place of letters."""
_JOINING: Final = ("R", "AL", "NSM", "BN")
"""Classes of characters (Unicode, annex 9) that join, or go with others."""
SPACE: Final = WrittenWord((), "")
"""White between words that is a space."""
Used = dict[str, tuple[FontFile, dict[WrittenWord, None]]]
"""The words that are set in each font, by the name that pages call it."""


class Fount(Struct):
    """One font as it is printed with: `name` is what pages call it and `shown_as` what users call
    its file, `digest` of what is in that, `used` the words that are set in it; and in the end
    `shown`, the glyphs of these, with what each one says to who copies it."""

    name: str
    file: FontFile
    face: Any
    font: Any
    said: Mapping[int, str]
    space: int
    shown_as: str
    digest: str
    shown: dict[int, str] = field(default_factory=dict)
    used: dict[WrittenWord, None] = field(default_factory=dict)
    words: dict[tuple[tuple[Glyph, ...], float], WrittenWord] = field(default_factory=dict)
    glyphs: dict[Glyph, str] = field(default_factory=dict)
    whites: dict[tuple[float, bool], str] = field(default_factory=dict)
    """What was written once for a word, a glyph that stands for itself, or a space, to be written
    again."""
    alone: dict[tuple[int, str], bool] = field(default_factory=dict)
    """Whether a glyph shows a text wherever it is."""
    small: dict[int, str] = field(default_factory=dict)
    """The one small letter that a small capital is of; nothing until somebody asks."""

    @property
    def scale(self) -> float:
        """Thousandths of an em in a font unit."""
        return float(THOUSAND / self.face.upem)

    def width(self, glyph: int) -> float:
        """How far a reader moves on behind a glyph, thousandths of an em."""
        return float(round(self.font.get_glyph_h_advance(glyph) * self.scale, 3))

    def stands(self, glyph: Glyph) -> bool:
        """Whether the ink of a glyph touches the baseline, as that of dashes does not."""
        ink = self.font.get_glyph_extents(glyph.id)
        return bool(ink and ink.width) and ink.y_bearing + ink.height <= 0 <= ink.y_bearing

    def bearing(self, glyph: Glyph) -> float:
        """The white of a glyph at the right of its ink, thousandths of an em."""
        ink = self.font.get_glyph_extents(glyph.id)
        right = glyph.dx + ink.x_bearing + ink.width if ink else 0
        return max(0.0, (glyph.advance - right) * self.scale)

    def shows(self, glyph: Glyph) -> bool:
        """Whether a glyph shows its text wherever it is, so that the font can say so. Besides what
        is a character's own that is a ligature, or another figure or letter for the same one: of a
        small capital, which may be of either case, its small letter, as nobody would find a word of
        which each letter is told beside the font; and not what letters that join have in common."""
        own = self.said.get(glyph.id)
        if own is not None:
            return own == glyph.text
        key = glyph.id, glyph.text
        if key not in self.alone:
            text, other = glyph.text, glyph.text.swapcase()
            joins = not text or any(unicodedata.bidirectional(char) in _JOINING for char in text)
            self.alone[key] = not joins and (
                other == text
                or self._small(other) != [glyph.id]
                or self._small_letters().get(glyph.id) == text
            )
        return self.alone[key]

    def _small_letters(self) -> Mapping[int, str]:
        """The small letter of each small capital that is of one alone: not of an i with and without
        its dot, nor of a Latin letter and a Greek one."""
        if not self.small:
            for letter in sorted(set(self.said.values())):
                if letter != letter.swapcase() and letter == letter.upper().lower():
                    glyphs = self._small(letter)
                    if len(glyphs) == 1:
                        shared = glyphs[0] in self.small
                        self.small[glyphs[0]] = "" if shared else letter
        return self.small

    def _small(self, text: str) -> list[int]:
        """The glyphs of a text in small capitals."""
        buffer = hb.Buffer()
        buffer.add_str(text)
        buffer.guess_segment_properties()
        hb.shape(self.font, buffer, _SMALL)
        return [info.codepoint for info in buffer.glyph_infos]

    def complete(self) -> None:
        """See which glyphs are used. Of a font of which letters of the alphabet are used, take all
        of it: then a word that is changed seldom changes the font, and all faces that show it, in
        the file. A few KB."""
        others = dict[int, str]()  # which the text has to say beside the font
        for cluster in (cluster for word in self.used for cluster in clusters(word.glyphs)):
            alone = len(cluster) == 1 and self.shows(cluster[0])
            for glyph in cluster:
                said = self.said.get(glyph.id) or glyph.text
                (self.shown if alone else others).setdefault(glyph.id, said)
        self.shown = others | self.shown
        glyphs = {self.font.get_nominal_glyph(ord(letter)): letter for letter in _ALPHABET}
        if any(self.shown.get(glyph) == letter for glyph, letter in glyphs.items()):
            for glyph, letter in glyphs.items():
                if glyph:
                    self.shown.setdefault(glyph, self.said.get(glyph) or letter)
        if SPACE in self.used:
            self.shown[self.space] = " "


def embedded(pdf: Pdf, fount: Fount, cache: Cache = NOTHING_KEPT) -> Object:
    """The font as a composite one whose codes are the glyphs of its file. Most often the same ones
    are used after a change: then its subset is in the `cache` of a process that goes on."""
    whole = _whole(fount.face)
    glyphs = tuple(sorted(fount.shown))
    program, packed, is_cff = cache.once(
        lambda: _subset(fount), "subset", fount.digest, fount.file, glyphs
    )
    digest = hashlib.sha256(program).digest()
    tag = "".join(chr(ord("A") + byte % 26) for byte in digest[:6])
    name = Name("/" + f"{tag}+{_postscript_name(fount)}")
    scale = fount.scale
    descriptor = Dictionary(
        Type=Name.FontDescriptor,
        FontName=name,
        Flags=_SYMBOLIC,
        FontBBox=Array([round(value * scale) for value in whole.box]),
        ItalicAngle=-12 if fount.file.italic else 0,
        Ascent=round(whole.ascent * scale),
        Descent=round(whole.descent * scale),
        CapHeight=round((whole.cap or whole.ascent) * scale),
        StemV=round(10 + 220 * (fount.file.weight - 50) / 900),
    )
    file = _as_stream(pdf, packed)
    if is_cff:
        file.Subtype = Name.CIDFontType0C
        descriptor.FontFile3 = file
    else:
        file.Length1 = len(program)
        descriptor.FontFile2 = file
    described = Dictionary(
        Type=Name.Font,
        Subtype=Name.CIDFontType0 if is_cff else Name.CIDFontType2,
        BaseFont=name,
        CIDSystemInfo=Dictionary(Registry=b"Adobe", Ordering=b"Identity", Supplement=0),
        FontDescriptor=pdf.make_indirect(descriptor),
        DW=0,
        W=Array(list(_widths(fount))),
    )
    if not is_cff:
        described.CIDToGIDMap = Name.Identity
    return pdf.make_indirect(
        Dictionary(
            Type=Name.Font,
            Subtype=Name.Type0,
            BaseFont=name,
            Encoding=Name("/Identity-H"),
            DescendantFonts=Array([pdf.make_indirect(described)]),
            ToUnicode=_as_stream(pdf, zlib.compress(_to_unicode(fount), 9)),
        )
    )


class _Whole(Struct, frozen=True):
    """Measures of a whole font, font units."""

    box: tuple[int, int, int, int]
    ascent: int
    descent: int
    cap: int


def _whole(face: Any) -> _Whole:
    """From the tables head, hhea and OS/2 (OpenType 1.9)."""
    head, hhea = face.reference_table("head").data, face.reference_table("hhea").data
    box = struct.unpack_from(">4h", head, 36)
    ascent, descent = struct.unpack_from(">2h", hhea, 4)
    os2 = face.reference_table("OS/2").data
    has_cap = len(os2) >= 90 and struct.unpack_from(">H", os2)[0] >= 2
    return _Whole(box, ascent, descent, struct.unpack_from(">h", os2, 88)[0] if has_cap else 0)


def _subset(fount: Fount) -> tuple[bytes, bytes, bool]:
    """A font file with the glyphs that are used, under their numbers, plain and packed; is it one
    of CFF outlines, which are all that is left of such a file?"""
    wanted = hb.SubsetInput()
    wanted.glyph_set.update(fount.shown)
    wanted.drop_table_tag_set.update(_tag(table) for table in _TABLES)
    wanted.flags = (
        hb.SubsetFlags.RETAIN_GIDS
        | hb.SubsetFlags.NO_LAYOUT_CLOSURE
        | hb.SubsetFlags.NO_HINTING
        | hb.SubsetFlags.CFF_IDENTITY_CHARSET
        | hb.SubsetFlags.DOWNGRADE_CFF2
    )
    for axis, value in fount.file.axes:
        wanted.pin_axis_location(fount.face, axis, value)
    subset = hb.subset(fount.face, wanted)
    is_cff = "CFF " in subset.table_tags
    program = subset.reference_table("CFF ").data if is_cff else subset.blob.data
    return program, zlib.compress(program, 9), is_cff


def _tag(table: str) -> int:
    return int.from_bytes(table.encode().ljust(4), "big")


def _as_stream(pdf: Pdf, packed: bytes) -> Stream:
    stream = pdf.make_stream(packed)
    stream.Filter = Name.FlateDecode
    return stream


def _postscript_name(fount: Fount) -> str:
    name = fount.face.get_name(6) or fount.file.family
    return "".join(c for c in str(name) if c.isascii() and (c.isalnum() or c in "-_")) or "Font"


def _widths(fount: Fount) -> Iterator[Any]:
    for glyph in sorted(fount.shown):
        width = fount.width(glyph)
        yield glyph
        yield Array([int(width) if width == int(width) else Decimal(f"{width:.3f}")])


_CMAP: Final = """\
/CIDInit /ProcSet findresource begin
12 dict begin
begincmap
/CIDSystemInfo << /Registry (Adobe) /Ordering (UCS) /Supplement 0 >> def
/CMapName /Adobe-Identity-UCS def
/CMapType 2 def
1 begincodespacerange
<0000> <FFFF>
endcodespacerange
{}
endcmap
CMapName currentdict /CMap defineresource pop
end
end
"""


def _to_unicode(fount: Fount) -> bytes:
    entries = [
        f"<{glyph:04X}> <{said.encode('utf-16-be').hex().upper()}>"
        for glyph, said in sorted(fount.shown.items())
        if said
    ]
    parts = (entries[at : at + _FIXED_BFCHARS] for at in range(0, len(entries), _FIXED_BFCHARS))
    lists = (f"{len(some)} beginbfchar\n" + "\n".join(some) + "\nendbfchar" for some in parts)
    return _CMAP.format("\n".join(lists)).encode()
