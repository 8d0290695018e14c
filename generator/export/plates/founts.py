"""A font file and the glyphs that are used in; the font of a PDF, cut down to them, out."""

from __future__ import annotations

import hashlib
import struct
from collections.abc import Mapping, Set
from typing import Final

import uharfbuzz as hb
from pikepdf import Array, Dictionary, Name, Object, Pdf, String

from generator.export.plates.lettering import Fount

# ISO 32000-1, 9.9: what a reader needs of a TrueType font whose glyphs are called by number.
_NEEDED: Final = frozenset(("cvt ", "fpgm", "glyf", "head", "hhea", "hmtx", "loca", "maxp", "prep"))
_SYMBOLIC: Final = 4
_MOST_IN_A_BLOCK: Final = 100


def embed(pdf: Pdf, place: Object, fount: Fount, used: Set[int]) -> None:
    """Make of the dictionary at `place` the font with these glyphs of a fount."""
    glyphs = sorted(used)
    content = _subset(fount, glyphs)
    name = Name(f"/{_tag(content)}+{_name(fount)}")
    inner = pdf.make_indirect(
        Dictionary(
            Type=Name.Font,
            Subtype=Name.CIDFontType2,
            BaseFont=name,
            CIDSystemInfo=Dictionary(
                Registry=String("Adobe"), Ordering=String("Identity"), Supplement=0
            ),
            CIDToGIDMap=Name.Identity,
            DW=0,
            W=Array(_widths(fount, glyphs)),
            FontDescriptor=pdf.make_indirect(_descriptor(pdf, fount, name, content)),
        )
    )
    place.Type = Name.Font
    place.Subtype = Name.Type0
    place.BaseFont = name
    place.Encoding = Name("/Identity-H")
    place.DescendantFonts = Array([inner])
    letters = {glyph: fount.letters[glyph] for glyph in glyphs}
    place.ToUnicode = pdf.make_stream(_to_unicode(letters).encode())


def _subset(fount: Fount, glyphs: list[int]) -> bytes:
    """The file with these glyphs alone, each under its number."""
    wanted = hb.SubsetInput()
    wanted.glyph_set.update(glyphs)
    wanted.flags = hb.SubsetFlags.RETAIN_GIDS | hb.SubsetFlags.NO_LAYOUT_CLOSURE
    face = fount.font.face
    dropped = set(face.table_tags) - _NEEDED
    wanted.sets(hb.SubsetInputSets.DROP_TABLE_TAG).update(
        int.from_bytes(tag.encode(), "big") for tag in dropped
    )
    return bytes(hb.subset(face, wanted).blob.data)


def _tag(content: bytes) -> str:
    """Six capital letters that stand for a subset."""
    digest = hashlib.sha256(content).digest()
    return "".join(chr(ord("A") + byte % 26) for byte in digest[:6])


def _name(fount: Fount) -> str:
    name = fount.font.face.get_name(6) or fount.file.path.stem
    return "".join(char for char in name if char.isascii() and (char.isalnum() or char in "-_"))


def _widths(fount: Fount, glyphs: list[int]) -> list[object]:
    """`first [widths]` for each run of glyphs whose numbers follow each other, in 1/1000 em."""
    listed: list[object] = []
    last = None
    run = Array()
    for glyph in glyphs:
        if last is None or glyph != last + 1:
            run = Array()
            listed += [glyph, run]
        run.append(round(fount.font.get_glyph_h_advance(glyph) * 1000 / fount.em))
        last = glyph
    return listed


def _descriptor(pdf: Pdf, fount: Fount, name: Name, content: bytes) -> Dictionary:
    scale = 1000 / fount.em
    box = _read(fount, "head", ">36x4h")  # OpenType 1.9: xMin, yMin, xMax, yMax
    ascent, descent = _read(fount, "hhea", ">4x2h")
    (slant,) = _read(fount, "post", ">4xi")
    capital = fount.font.get_glyph_extents(fount.font.get_nominal_glyph(ord("H")) or 0)
    file = pdf.make_stream(content)
    file.Length1 = len(content)
    return Dictionary(
        Type=Name.FontDescriptor,
        FontName=name,
        Flags=_SYMBOLIC,
        FontBBox=Array([round(value * scale) for value in box]),
        ItalicAngle=round(slant / 65536),
        Ascent=round(ascent * scale),
        Descent=round(descent * scale),
        CapHeight=round(capital.y_bearing * scale) if capital else 0,
        StemV=round(fount.file.weight / 5),
        FontFile2=file,
    )


def _read(fount: Fount, table: str, layout: str) -> tuple[int, ...]:
    data = fount.font.face.reference_table(table).data
    return struct.unpack_from(layout, data)


def _to_unicode(letters: Mapping[int, str]) -> str:
    """The CMap that says which letters a glyph stands for, so that text can be found and read."""
    listed = [
        f"<{glyph:04x}> <{written.encode('utf-16-be').hex()}>" for glyph, written in letters.items()
    ]
    blocks = "\n".join(
        f"{len(block)} beginbfchar\n{chr(10).join(block)}\nendbfchar"
        for block in (
            listed[start : start + _MOST_IN_A_BLOCK]
            for start in range(0, len(listed), _MOST_IN_A_BLOCK)
        )
    )
    return (
        "/CIDInit /ProcSet findresource begin\n12 dict begin\nbegincmap\n"
        "/CIDSystemInfo << /Registry (Adobe) /Ordering (UCS) /Supplement 0 >> def\n"
        "/CMapName /Adobe-Identity-UCS def\n/CMapType 2 def\n"
        f"1 begincodespacerange\n<0000> <ffff>\nendcodespacerange\n{blocks}\nendcmap\n"
        "CMapName currentdict /CMap defineresource pop\nend\nend\n"
    )
