"""Reads the font dictionaries of a PDF: codes, widths, and the letters of codes."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Any, Final

from fontTools.agl import toUnicode
from msgspec import Struct
from pikepdf import Array, Dictionary, Name, Stream

_FILES: Final = ("/FontFile", "/FontFile2", "/FontFile3")
_HEX: Final = re.compile(rb"<([0-9A-Fa-f]{1,512})>")
_MOST_CODES: Final = 1 << 16
"""The number of codes of two bytes."""
_LONGEST_MAP: Final = 8_000_000
"""Bytes of a ToUnicode map."""
_EM: Final = 1000.0
_MIDDLING: Final = 500.0
"""Thousandths of an em: the width of letters with unknown widths."""
_BLANK: Final = 32
_FILLERS: Final = frozenset("\u115f\u1160\u2800\u3164\uffa0")
"""Letters and symbols that show nothing."""


class PdfFont(Struct, frozen=True, eq=False):
    """A font dictionary. `words` are the letters of codes as far as the file says them, `widths` in
    thousandths of an em; `names` are glyph names that an encoding lists. `bytes_a_code` is 0 when
    the encoding is not understood; `file` is the embedded font file."""

    name: str
    source: Any
    bytes_a_code: int
    words: Mapping[int, str]
    widths: Mapping[int, float]
    width: float
    names: Mapping[int, str]
    file: Stream | None
    drawn: bool = False
    down: bool = False

    def codes(self, shown: bytes) -> Iterator[int]:
        """Yield the codes of a string."""
        if self.bytes_a_code == 1:
            yield from shown
        else:
            for start in range(0, len(shown) - 1, 2):
                yield shown[start] << 8 | shown[start + 1]

    def is_blank(self, code: int) -> bool:
        """True for a space or a code without visible letters."""
        word = self.words.get(code)
        if word is None:
            return self.bytes_a_code == 1 and code == _BLANK
        return not is_visible(word)

    def text(self, shown: bytes) -> str:
        """Return a string in letters, as far as the file says them."""
        if self.bytes_a_code == 1 and not self.words:
            return shown.decode("latin-1")
        return "".join(self.words.get(code, "") for code in self.codes(shown))

    @property
    def is_embedded(self) -> bool:
        """True when its glyphs are in the file."""
        return self.drawn or self.file is not None


def is_visible(word: str) -> bool:
    """Return whether any letter of a word is surely seen in print."""
    return any(
        unicodedata.category(letter)[0] in "LNPS" and letter not in _FILLERS for letter in word
    )


def read_font(font: Any) -> PdfFont:
    """Return what there is to know of a font dictionary."""
    name = str(font.get("/BaseFont", font.get("/Name", ""))).removeprefix("/")
    name = name[7:] if name[6:7] == "+" else name
    unicode = font.get("/ToUnicode")
    words = words_of_codes(unicode.read_bytes()) if isinstance(unicode, Stream) else {}
    if font.get("/Subtype") == Name.Type0 or "/DescendantFonts" in font:
        return _composite(font, name, words)
    names = dict(islice(_differences(font.get("/Encoding")), _MOST_CODES))
    letters = {code: toUnicode(glyph) for code, glyph in names.items()}
    known = {code: word for code, word in letters.items() if word}
    first = int(font.get("/FirstChar", 0))
    told = enumerate(islice(font.get("/Widths", Array()), 256), start=first)
    drawn = font.get("/Subtype") == Name.Type3
    scale = _EM * abs(float(font.FontMatrix[0])) if drawn and "/FontMatrix" in font else 1.0
    widths = {code: float(width) * scale for code, width in told}
    descriptor = _dictionary(font.get("/FontDescriptor"))
    width = float(descriptor.get("/MissingWidth", 0.0 if widths else _MIDDLING))
    return PdfFont(
        name, font, 1, known | dict(words), widths, width, names, _file(descriptor), drawn=drawn
    )


def _composite(font: Any, name: str, words: Mapping[int, str]) -> PdfFont:
    within = font.DescendantFonts[0]
    encoding = str(font.get("/Encoding", ""))
    step = 2 if encoding in ("/Identity-H", "/Identity-V") else 0
    widths = dict(islice(_cid_widths(within), _MOST_CODES)) if step else {}
    width = float(within.get("/DW", _EM)) if step else _EM
    file = _file(_dictionary(within.get("/FontDescriptor")))
    down = encoding.endswith("V")
    return PdfFont(name, font, step, words if step else {}, widths, width, {}, file, down=down)


def _dictionary(thing: Any) -> Any:
    return thing if isinstance(thing, Dictionary) else Dictionary()


def _file(descriptor: Any) -> Stream | None:
    files = (descriptor.get(key) for key in _FILES)
    return next((file for file in files if isinstance(file, Stream)), None)


def _differences(encoding: Any) -> Iterator[tuple[int, str]]:
    """Return the glyph names of codes in an encoding (PDF 1.7, 9.6.6)."""
    code = 0
    for entry in _dictionary(encoding).get("/Differences", Array()):
        if isinstance(entry, Name):
            yield code, str(entry)[1:]
            code += 1
        else:
            code = int(entry)


def _cid_widths(font: Any) -> Iterator[tuple[int, float]]:
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
    """Return the letters of each code, from a ToUnicode map (PDF 1.7, 9.10.3)."""
    return dict(islice(_mapped(cmap), _MOST_CODES)) if len(cmap) <= _LONGEST_MAP else {}


def _mapped(cmap: bytes) -> Iterator[tuple[int, str]]:
    for block in _blocks(cmap, b"bfchar"):
        codes = _HEX.findall(block)
        for code, word in zip(codes[::2], codes[1::2], strict=False):
            yield int(code, 16), _text(word)
    for block in _blocks(cmap, b"bfrange"):
        for line in re.findall(rb"<[^\[<]*<[^\[<]*(?:<[^<]*|\[[^\]]*\])", block):
            first, last, *words = _HEX.findall(line)
            low, high = int(first, 16), min(int(last, 16), int(first, 16) + 255)
            if b"[" in line:
                yield from zip(range(low, high + 1), map(_text, words), strict=False)
            elif start := _text(words[0]) if words else "":
                for code in range(low, high + 1):
                    letter = min(ord(start[-1]) + code - low, 0x10FFFF)
                    yield code, start[:-1] + chr(letter)


def _blocks(cmap: bytes, name: bytes) -> Iterator[bytes]:
    """Yield the parts between the beginnings and ends of that name."""
    for block in cmap.split(b"begin" + name)[1:]:
        within, end, _ = block.partition(b"end" + name)
        if end:
            yield within


def _text(digits: bytes) -> str:
    whole = digits.decode() + "0" * (len(digits) % 2)
    return bytes.fromhex(whole).decode("utf-16-be", "replace")
