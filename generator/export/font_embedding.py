"""Embeds subsets of fonts in a PDF, with glyphs under their own numbers (ISO 32000-1, 9.7 and
9.10)."""

from __future__ import annotations

import hashlib
import string
import struct
import zlib
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

import uharfbuzz as hb
from msgspec import Struct

from generator.cache import NOTHING_KEPT, Cache
from generator.diagnostics import GridpressError
from generator.export.pdf_file import PdfFile, reference
from generator.fonts import FontFile, FontLibrary, unusable_font
from generator.model.face import FontUse
from generator.model.packed import digest_of
from generator.pdf_syntax import Entries, as_number, dictionary

_TABLES: Final = (
    *("GDEF", "GPOS", "GSUB", "OS/2", "cmap", "gasp", "name", "post", "DSIG", "STAT"),
    *("COLR", "CPAL", "SVG ", "CBDT", "CBLC", "sbix"),
)
"""Tables that a font in a PDF does not need; coloured glyphs are drawings."""
_SYMBOLIC: Final = 4
_ALPHABET: Final = string.ascii_letters + string.digits + " .,;:!?-()'’–−"
_FIXED_BFCHARS: Final = 100
"""The most entries of a list in a CMap (Adobe Technical Note 5411)."""
_THOUSAND: Final = 1000
"""Widths are in thousandths of an em."""


class FontWriter:
    """Collects the glyphs that a file uses, and embeds their fonts at the end. `digests` are those
    of the subsets, by the fonts' names in the content."""

    def __init__(self, pdf: PdfFile, cache: Cache = NOTHING_KEPT) -> None:
        self._pdf = pdf
        self._cache = cache
        self._uses: dict[str, _UsedFont] = {}
        self.digests: dict[str, str] = {}

    def use(self, library: FontLibrary, uses: Iterable[FontUse]) -> None:
        """Add glyphs of a library's fonts."""
        for use in uses:
            known = self._uses.get(use.name)
            if known is None:
                known = self._uses[use.name] = _UsedFont(library, use.file, {}, {})
            for glyph, said in use.shown:
                known.shown.setdefault(glyph, said)
            for glyph, said in use.beside:
                known.beside.setdefault(glyph, said)

    def write(self) -> dict[str, int]:
        """Embed the fonts; return their numbers by name. Raises GridpressError (GP403) for a font
        with contradictory tables."""
        made: dict[str, int] = {}
        for name, font in self._uses.items():
            try:
                made[name] = self._embed(name, font)
            except (RuntimeError, struct.error) as error:
                shown = font.library.shown(font.file)
                raise GridpressError(
                    unusable_font(shown, "is damaged, and cannot be printed")
                ) from error
        return made

    def _embed(self, content_name: str, used: _UsedFont) -> int:
        font = used.library.font(used.file)
        face, shown = font.face, used.all_shown(font)
        digest = used.library.digest(used.file)
        glyphs = tuple(sorted(shown))
        program, packed, is_cff = self._cache.once(
            lambda: _subset(face, used.file, glyphs), "subset", digest, used.file, glyphs
        )
        self.digests[content_name] = digest_of(packed)
        tag = "".join(chr(ord("A") + byte % 26) for byte in hashlib.sha256(program).digest()[:6])
        name = f"/{tag}+{_postscript_name(face, used.file)}"
        scale = _THOUSAND / face.upem
        descriptor = self._descriptor(face, used.file, name, scale)
        if is_cff:
            file = self._pdf.stream({"Subtype": "/CIDFontType0C"}, packed)
            descriptor["FontFile3"] = reference(file)
        else:
            file = self._pdf.stream({"Length1": len(program)}, packed)
            descriptor["FontFile2"] = reference(file)
        described: Entries = {
            "Type": "/Font",
            "Subtype": "/CIDFontType0" if is_cff else "/CIDFontType2",
            "BaseFont": name,
            "CIDSystemInfo": "<</Registry (Adobe) /Ordering (Identity) /Supplement 0>>",
            "FontDescriptor": reference(self._pdf.add(dictionary(descriptor))),
            "DW": 0,
            "W": f"[{' '.join(_widths(font, glyphs, scale))}]",
        }
        if not is_cff:
            described["CIDToGIDMap"] = "/Identity"
        to_unicode = self._pdf.stream({}, zlib.compress(_to_unicode(shown), 9))
        whole: Entries = {
            "Type": "/Font",
            "Subtype": "/Type0",
            "BaseFont": name,
            "Encoding": "/Identity-H",
            "DescendantFonts": b"[%s]" % reference(self._pdf.add(dictionary(described))),
            "ToUnicode": reference(to_unicode),
        }
        return self._pdf.add(dictionary(whole))

    @staticmethod
    def _descriptor(face: Any, file: FontFile, name: str, scale: float) -> Entries:
        whole = _whole(face)
        return {
            "Type": "/FontDescriptor",
            "FontName": name,
            "Flags": _SYMBOLIC,
            "FontBBox": f"[{' '.join(str(round(value * scale)) for value in whole.box)}]",
            "ItalicAngle": -12 if file.italic else 0,
            "Ascent": round(whole.ascent * scale),
            "Descent": round(whole.descent * scale),
            "CapHeight": round((whole.cap or whole.ascent) * scale),
            "StemV": round(10 + 220 * (file.weight - 50) / 900),
        }


class _UsedFont(Struct):
    """A font with its used glyphs and their letters: `shown` everywhere, `beside` where the text
    itself gives the letters."""

    library: FontLibrary
    file: FontFile
    shown: dict[int, str]
    beside: dict[int, str]

    def all_shown(self, font: Any) -> dict[int, str]:
        """Return the glyphs to embed with their letters. If letters are used, the whole alphabet is
        embedded, so that changing a word seldom changes the font. This costs a few KB."""
        shown = self.beside | self.shown
        said = self.library.letters(self.file)
        glyphs = {font.get_nominal_glyph(ord(letter)): letter for letter in _ALPHABET}
        if any(shown.get(glyph) == letter != " " for glyph, letter in glyphs.items()):
            for glyph, letter in glyphs.items():
                if glyph:
                    shown.setdefault(glyph, said.get(glyph) or letter)
        return shown


class _Whole(Struct, frozen=True):
    """Measures of a whole font, font units."""

    box: tuple[int, int, int, int]
    ascent: int
    descent: int
    cap: int


def _whole(face: Any) -> _Whole:
    """Read the tables head, hhea and OS/2 (OpenType 1.9)."""
    head, hhea = face.reference_table("head").data, face.reference_table("hhea").data
    box = struct.unpack_from(">4h", head, 36)
    ascent, descent = struct.unpack_from(">2h", hhea, 4)
    os2 = face.reference_table("OS/2").data
    has_cap = len(os2) >= 90 and struct.unpack_from(">H", os2)[0] >= 2
    return _Whole(box, ascent, descent, struct.unpack_from(">h", os2, 88)[0] if has_cap else 0)


def _subset(face: Any, file: FontFile, glyphs: Iterable[int]) -> tuple[bytes, bytes, bool]:
    """Return a font file with some glyphs, plain and packed, and whether its outlines are CFF."""
    wanted = hb.SubsetInput()
    wanted.glyph_set.update(glyphs)
    wanted.drop_table_tag_set.update(
        int.from_bytes(table.encode().ljust(4), "big") for table in _TABLES
    )
    wanted.flags = (
        hb.SubsetFlags.RETAIN_GIDS
        | hb.SubsetFlags.NO_LAYOUT_CLOSURE
        | hb.SubsetFlags.NO_HINTING
        | hb.SubsetFlags.CFF_IDENTITY_CHARSET
        | hb.SubsetFlags.DOWNGRADE_CFF2
    )
    for axis, value in file.axes:
        wanted.pin_axis_location(face, axis, value)
    subset = hb.subset(face, wanted)
    is_cff = "CFF " in subset.table_tags
    program = subset.reference_table("CFF ").data if is_cff else subset.blob.data
    return program, zlib.compress(program, 9), is_cff


def _postscript_name(face: Any, file: FontFile) -> str:
    name = face.get_name(6) or file.family
    return "".join(c for c in str(name) if c.isascii() and (c.isalnum() or c in "-_")) or "Font"


def _widths(font: Any, glyphs: Iterable[int], scale: float) -> Iterator[str]:
    for glyph in glyphs:
        yield f"{glyph} [{as_number(round(font.get_glyph_h_advance(glyph) * scale, 3))}]"


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


def _to_unicode(shown: Mapping[int, str]) -> bytes:
    entries = [
        f"<{glyph:04X}> <{said.encode('utf-16-be').hex().upper()}>"
        for glyph, said in sorted(shown.items())
        if said
    ]
    parts = (entries[at : at + _FIXED_BFCHARS] for at in range(0, len(entries), _FIXED_BFCHARS))
    lists = (f"{len(some)} beginbfchar\n" + "\n".join(some) + "\nendbfchar" for some in parts)
    return _CMAP.format("\n".join(lists)).encode()
