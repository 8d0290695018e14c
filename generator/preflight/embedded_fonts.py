"""Reads a font of a PDF: which of its codes have no glyph, or another one than was meant.

Fonts as in PDF 1.7, 9.6 to 9.8; that the widths told agree with the font in the file is asked of
PDF/A too (ISO 19005-2, 6.2.11.5). What cannot be read is not judged: GP804 is about fonts that are
not there at all."""

from __future__ import annotations

import io
import re
import struct
import sys
import unicodedata
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import islice
from typing import Any, Final

from fontTools.pens.boundsPen import ControlBoundsPen
from fontTools.ttLib import TTFont, TTLibError
from fontTools.ttLib.tables._c_m_a_p import CmapSubtable
from fontTools.ttLib.tables._g_l_y_f import Glyph
from msgspec import Struct, field
from msgspec.structs import replace
from pikepdf import Array, Dictionary, Name, Object, Stream

from generator.geometry import summed

_WIDTH_TOLERANCE: Final = 3.0
"""Thousandths of an em: whole numbers of two scales, rounded."""
_OTHER_WIDTH: Final = 100.0
"""The same of another program's font, some of which space letters by their widths."""
_HEX: Final = re.compile(rb"<([0-9A-Fa-f]{1,512})>")
_SFNT: Final = (b"\0\1\0\0", b"true", b"OTTO")
"""How the files of single fonts begin that are not packed."""
_MOST_CODES: Final = 1 << 16
"""That codes of two bytes can tell apart."""
_LONGEST_MAP: Final = 8_000_000
"""Bytes of a ToUnicode map: of as many codes, each with a line of its own, four times."""
_WIDE: Final = 2
"""Bytes of a code of a composite font."""
_MOST_TABLES: Final = 16
"""Of characters, in a font."""
_SMALL: Final = 2_000
"""Bytes of an outline that it is worth to know again."""
_MOST_CALLS: Final = 10_000
"""Subroutines that a glyph calls: they may call each other ten times, to ten levels."""


class Glyphs(Struct, frozen=True):
    """The glyphs in a font file: by number whether each has a shape and how wide it is (thousandths
    of an em, None when the file does not say), and by character code for fonts of one byte."""

    shapes: Mapping[int, bool]
    widths: Mapping[int, float]
    codes: Mapping[int, int] | None = None


class EmbeddedFont(Struct, frozen=True):
    """A font as the file has it; `bytes_a_code` is 0 when its encoding is not understood;
    `faults` keeps what was found of each code, `sound` which ones of this machine's are without.
    One that is not a build's `own` may have other widths, and codes for what nobody sees."""

    name: str
    bytes_a_code: int
    glyphs: Glyphs | None = None
    words: Mapping[int, str] = field(default_factory=dict)
    widths: Mapping[int, float] = field(default_factory=dict)
    faults: dict[int, str] = field(default_factory=dict)
    sound: set[int] = field(default_factory=set)
    own: bool = True

    def shows(self, strings: Sequence[bytes]) -> bool:
        """True when it surely can print all of these."""
        step = self.bytes_a_code
        if self.glyphs is None or not step:
            return True
        if step == _WIDE and any(len(string) % _WIDE for string in strings):
            return False
        codes = b"".join(strings)
        # numbers of this machine's own order do to tell codes apart, and are read at once
        new = set(memoryview(codes).cast("H") if step == _WIDE else codes) - self.sound
        for number in new:
            code = number if step == 1 else int.from_bytes(number.to_bytes(2, sys.byteorder))
            if self._known_fault(code, self.glyphs):
                return False
        self.sound.update(new)
        return True

    def fault(self, shown: bytes) -> str:
        """What is wrong with the first code of a string that cannot be printed; empty when all
        can."""
        step = self.bytes_a_code
        if self.glyphs is None or not step:
            return ""
        for start in range(0, len(shown) - step + 1, step):
            fault = self._known_fault(int.from_bytes(shown[start : start + step]), self.glyphs)
            if fault:
                return fault
        return ""

    def _known_fault(self, code: int, glyphs: Glyphs) -> str:
        if code not in self.faults:
            self.faults[code] = self._fault(code, glyphs)
        return self.faults[code]

    def _fault(self, code: int, glyphs: Glyphs) -> str:
        glyph = code if glyphs.codes is None else glyphs.codes.get(code, 0)
        word = self.words.get(code, "")
        letter = f"the letter {word!r}" if _is_visible(word) else "a letter"
        if glyph == 0 and (self.own or _is_visible(word)):
            return f"the font {self.name} has no glyph for {letter}"
        if (glyph and glyph not in glyphs.shapes) or (
            not glyphs.shapes.get(glyph, True) and _is_visible(word)
        ):
            return f"the glyph of {letter} is missing in the font {self.name} of the file"
        told, real = self.widths.get(code), glyphs.widths.get(glyph)
        if (
            told is not None
            and real is not None
            and abs(told - real) > (_WIDTH_TOLERANCE if self.own else _OTHER_WIDTH)
        ):
            return (
                f"{letter} is set {told:g} units wide, but {real:g} in the font {self.name}:"
                " the file brings another font"
            )
        return ""


class FontReader:
    """Reads font dictionaries; a font file that many of them share is read once."""

    def __init__(self, *, own: bool = True) -> None:
        self._files: dict[tuple[int, int], Glyphs | None] = {}
        self._own = own

    def read(self, font: Object) -> EmbeddedFont:
        """What is to be known of a font dictionary."""
        name = str(font.get("/BaseFont", "")).removeprefix("/").rpartition("+")[2]
        words = words_of_codes(font.ToUnicode.read_bytes()) if "/ToUnicode" in font else {}
        if "/DescendantFonts" in font:
            whole = font.DescendantFonts[0]
            onto = whole.get("/CIDToGIDMap", Name.Identity)
            if font.get("/Encoding") != Name("/Identity-H"):
                return EmbeddedFont(name, 0)
            if onto != Name.Identity and not isinstance(onto, Stream):
                return EmbeddedFont(name, 0)
            codes = _mapped_codes(onto.read_bytes()) if isinstance(onto, Stream) else None
            found = self._glyphs(whole)
            glyphs = found and replace(found, codes=codes)
            widths = dict(islice(_cid_widths(whole), _MOST_CODES))
            return EmbeddedFont(name, 2, glyphs, words, widths, own=self._own)
        if font.get("/Subtype") != Name.TrueType or "/Encoding" in font:
            return EmbeddedFont(name, 0)
        first = int(font.get("/FirstChar", 0))
        told = islice(font.get("/Widths", Array()), _MOST_CODES)
        widths = {first + n: float(width) for n, width in enumerate(told)}
        glyphs = self._glyphs(font)
        glyphs = glyphs if glyphs and glyphs.codes else None
        return EmbeddedFont(name, 1, glyphs, words, widths, own=self._own)

    def _glyphs(self, font: Object) -> Glyphs | None:
        descriptor = font.get("/FontDescriptor", Dictionary())
        for key, read in (("/FontFile2", _of_truetype), ("/FontFile3", _of_postscript)):
            if key in descriptor:
                file = descriptor[key]
                if file.objgen not in self._files:
                    self._files[file.objgen] = _understood(read, file)
                return self._files[file.objgen]
        return None


def is_damaged(font: Object) -> bool:
    """True for a font whose file is there and cannot be read: letters in it are left out, or set in
    whatever font a program has."""
    whole = font.DescendantFonts[0] if "/DescendantFonts" in font else font
    descriptor = whole.get("/FontDescriptor", Dictionary())
    for key, read in (("/FontFile2", _opened), ("/FontFile3", _compact), ("/FontFile", _type1)):
        if key in descriptor:
            try:
                read(descriptor[key].read_bytes())
            except Exception:  # FontTools tells damage in any way there is
                return True
    return False


def _type1(data: bytes) -> None:
    """Raises TTLibError for what is no font of Type 1 (Adobe Type 1 Font Format, 2)."""
    if not data.startswith((b"%!", b"\x80\x01")) or b"eexec" not in data:
        raise TTLibError("not a font of Type 1")


def _compact(data: bytes) -> None:
    """Raises whatever FontTools does for what is no compact font, nor an OpenType font with one."""
    from fontTools.cffLib import CFFFontSet  # noqa: PLC0415, takes a while and is rarely needed

    if data[:4] in _SFNT:
        with _opened(data) as font:
            data = font.reader["CFF "]
    fonts = CFFFontSet()
    fonts.decompile(io.BytesIO(data), None)
    if not len(fonts[0].CharStrings):
        raise TTLibError("a font without glyphs")


def _understood(read: Callable[[Object], Glyphs], file: Object) -> Glyphs | None:
    """None for a font file that cannot be read, which FontTools tells in any way there is."""
    try:
        return read(file)
    except Exception:
        return None


def _is_visible(word: str) -> bool:
    return any(unicodedata.category(letter)[0] not in "ZC" for letter in word)


def _opened(data: bytes) -> TTFont:
    """A font that is not packed, nor one of a collection, which a PDF cannot have. Its glyphs have
    names by their numbers: to look for others FontTools would read tables without any bounds."""
    if data[:4] not in _SFNT:
        raise TTLibError("not a font on its own")
    font = TTFont(io.BytesIO(data), lazy=True)
    font.setGlyphOrder([f"glyph{number}" for number in range(font["maxp"].numGlyphs)])
    return font


def _mapped_codes(table: bytes) -> Mapping[int, int]:
    """The glyph of each code, by a map from one to the other (PDF 1.7, 9.7.4.2)."""
    pairs = struct.iter_unpack(">H", table[: min(len(table) // 2, _MOST_CODES) * 2])
    return {code: glyph for code, (glyph,) in enumerate(pairs)}


def _of_truetype(file: Object) -> Glyphs:
    return _truetype(file.read_bytes())


@lru_cache(16)  # of a pack, each file has most of the same letters
def _truetype(data: bytes) -> Glyphs:
    with _opened(data) as font:
        outlines, metrics = font.reader["glyf"], font["hmtx"].metrics
        scale = 1000 / font["head"].unitsPerEm
        order = font.getGlyphOrder()
        shapes = _Shapes(outlines, font["loca"].locations[: len(order) + 1])
        widths = {n: metrics[name][0] * scale for n, name in enumerate(order)}
        return Glyphs(shapes, widths, _symbol_codes(font) if "cmap" in font else None)


class _Shapes(Mapping[int, bool]):
    """Whether glyphs of a TrueType font have a shape, each read when it is asked for; those that
    are damaged are not there."""

    def __init__(self, outlines: bytes, places: Sequence[int]) -> None:
        self._outlines = outlines
        self._places = places
        self._known: dict[int, bool] = {}

    def __len__(self) -> int:
        return max(len(self._places) - 1, 0)

    def __iter__(self) -> Iterator[int]:
        return iter(range(len(self)))

    def __getitem__(self, number: int) -> bool:
        if number not in self._known:
            self._known[number] = self._read(number)
        return self._known[number]

    def _read(self, number: int) -> bool:
        if not 0 <= number < len(self):
            raise KeyError(number)
        outline = self._outlines[self._places[number] : self._places[number + 1]]
        look = _has_shape if len(outline) <= _SMALL else _has_shape.__wrapped__
        shape = look(outline)
        if shape is None:
            raise KeyError(number)
        return shape


@lru_cache(maxsize=1 << 14)  # files of a build show letters of the same fonts
def _has_shape(outline: bytes) -> bool | None:
    """Whether a glyph of a TrueType font is not empty; None if it is damaged."""
    contours = int.from_bytes(outline[:2], signed=True)
    if contours > 0:  # others are none, or of other glyphs
        try:
            Glyph(outline).expand(None)
        except Exception:  # FontTools tells damage in any way there is
            return None
    return contours != 0


def _symbol_codes(font: Any) -> Mapping[int, int]:
    """Codes of one byte as a font without an encoding has them (PDF 1.7, 9.6.6.4)."""
    data = font.reader["cmap"]
    count = int.from_bytes(data[2:4])
    for start in range(4, 4 + 8 * min(count, _MOST_TABLES), 8):
        platform, encoding, offset = struct.unpack(">HHL", data[start : start + 8])
        table = data[offset : offset + _MOST_CODES]
        if (platform, encoding) in ((1, 0), (3, 0)) and _is_short(table):
            read = CmapSubtable.newSubtable(int.from_bytes(table[:2]))
            read.decompile(table[: int.from_bytes(table[2:4])], font)
            return {code & 0xFF: font.getGlyphID(name) for code, name in read.cmap.items()}
    return {}


def _is_short(table: bytes) -> bool:
    """True for a map of codes of one or two bytes that names each of them once or twice at most;
    FontTools makes a list of every range."""
    form, count = int.from_bytes(table[:2]), int.from_bytes(table[6:8])
    if form != 4:
        return form in (0, 6)
    ends, starts = table[14 : 14 + count], table[16 + count : 16 + 2 * count]
    ranges = zip(struct.iter_unpack(">H", ends), struct.iter_unpack(">H", starts), strict=True)
    codes: int = summed(max(end - start + 1, 0) for (end,), (start,) in ranges)
    return codes <= 2 * _MOST_CODES


def _of_postscript(file: Object) -> Glyphs:
    # these take a while to import and are rarely needed
    from fontTools.cffLib import CFFFontSet  # noqa: PLC0415
    from fontTools.misc.psCharStrings import T2OutlineExtractor  # noqa: PLC0415

    class Extractor(T2OutlineExtractor):  # type: ignore[misc]
        """Gives up glyphs that call too many subroutines."""

        calls = 0

        def execute(self, program: Any) -> None:
            self.calls += 1
            if self.calls > _MOST_CALLS:
                raise TTLibError("a glyph calls too many subroutines")
            super().execute(program)

    data = file.read_bytes()
    if file.get("/Subtype") == Name.OpenType:
        with _opened(data) as font:
            data = font.reader["CFF "]
    fonts = CFFFontSet()
    fonts.decompile(io.BytesIO(data), None)
    top = fonts[0]
    strings = top.CharStrings
    by_cid = hasattr(top, "ROS")
    shapes = {}
    for number, name in enumerate(top.charset):
        pen = ControlBoundsPen(None)
        glyph = strings[name]
        glyph.outlineExtractor = Extractor
        glyph.draw(pen)
        shapes[int(name[3:]) if by_cid and number else number] = pen.bounds is not None
    return Glyphs(shapes, {})


def _cid_widths(font: Object) -> Iterator[tuple[int, float]]:
    """The widths of a composite font: `first [w …]` or `first last w` (PDF 1.7, 9.7.4.3)."""
    told = iter(font.get("/W", Array()))
    for start in told:
        first, second = int(start), next(told, None)
        if isinstance(second, Array):
            yield from ((first + n, float(width)) for n, width in enumerate(second))
        elif second is not None:
            width = float(next(told, 0))
            last = min(int(second), first + _MOST_CODES)
            yield from ((cid, width) for cid in range(first, last + 1))


def words_of_codes(cmap: bytes) -> Mapping[int, str]:
    """What each code stands for, by a ToUnicode map (PDF 1.7, 9.10.3)."""
    return dict(islice(_mapped(cmap), _MOST_CODES)) if len(cmap) <= _LONGEST_MAP else {}


def _mapped(cmap: bytes) -> Iterator[tuple[int, str]]:
    for block in _blocks(cmap, b"bfchar"):
        codes = _HEX.findall(block)
        for code, word in zip(codes[::2], codes[1::2], strict=False):
            yield int(code, 16), _text(word)
    for block in _blocks(cmap, b"bfrange"):
        for line in block.splitlines():
            ends = _HEX.findall(line)
            if len(ends) == 3 and b"[" not in line:
                first, last, start = int(ends[0], 16), int(ends[1], 16), _text(ends[2])
                for code in range(first, min(last, first + 255) + 1):
                    letter = ord(start[-1:] or "\0") + code - first
                    yield code, start[:-1] + chr(min(letter, sys.maxunicode))


def _blocks(cmap: bytes, name: bytes) -> Iterator[bytes]:
    """What stands between the beginnings and ends of that name."""
    for block in cmap.split(b"begin" + name)[1:]:
        within, end, _ = block.partition(b"end" + name)
        if end:
            yield within


def _text(digits: bytes) -> str:
    whole = digits.decode() + "0" * (len(digits) % 2)
    return bytes.fromhex(whole).decode("utf-16-be", "replace")
