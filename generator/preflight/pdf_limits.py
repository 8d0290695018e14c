"""Refuses a PDF that takes far more to read or to draw than any print; long, since it reads each
way to pack bytes itself, piece by piece.

A few bytes of PDF can stand for gigabytes: packed twice, or drawn ten times by what is drawn ten
times. So before anything is unpacked whole or drawn, it is unpacked piece by piece and counted, and
qpdf is told how much it may take. Sizes are those of good prints many times over."""

from __future__ import annotations

import re
import zlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from functools import partial
from typing import Any, Final, NamedTuple

import numpy as np
from msgspec import Struct
from pikepdf import (
    Array,
    DataDecodingError,
    DependencyError,
    Dictionary,
    Name,
    Object,
    Page,
    Pdf,
    Stream,
)
from pikepdf.jbig2 import JBIG2DecoderInterface, set_decoder
from pikepdf.settings import set_qpdf_limits

from generator import limits
from generator.assets import MAX_PIXELS
from generator.geometry import summed
from generator.pdf_forms import Fingerprints, Form

MOST_BYTES: Final = 1_000_000_000
"""Of a file."""
MOST_OBJECTS: Final = 200_000
MOST_PAGES: Final = 10_000
MOST_UNPACKED: Final = 50_000_000
"""Bytes of a stream that is no picture."""
_MOST_OF_PICTURE: Final = 500_000_000
_MOST_CODED: Final = 20_000_000
"""Bytes in LZW, and runs, in all of a file, that are unpacked to be counted, which takes up to a
second for each million."""
_A_MILLION_CODED: Final = 2.0
"""Seconds."""
_MOST_WHOLE: Final = 1_000_000_000
_MOST_A_BYTE: Final = 50
"""Bytes that all streams unpack to: so many, and so many more for each byte of the file."""
MOST_PIXELS_JPX: Final = 25_000_000
"""JPEG 2000 is unpacked to four numbers of four bytes a pixel."""
MOST_OPERATORS: Final = 200_000
"""On a page itself, without what is in the forms that it draws."""
MOST_DRAWN: Final = 40_000_000
"""Bytes of operators on a page, with those of each form as often as it is drawn."""
MOST_DRAWN_WHOLE: Final = 100_000_000
"""The same of all pages that are drawn whole, and `_MOST_A_BYTE` more for each byte of the file:
thousands of pages may share one stream."""
MOST_DRAWINGS: Final = 100_000
"""Forms and pictures on a page, again as often as they are drawn."""
MOST_DEEP: Final = 200
"""Objects of which each is named in the one before, and parts of the page tree: qpdf follows them
by calling itself."""
_MOST_OPENING: Final = 4_000_000
"""Bytes that a table of objects, or a stream of some objects, unpacks to."""
_PIECE: Final = 1 << 20
_DCT: Final = ("/DCTDecode", "/DCT")
_FRAME: Final = re.compile(
    rb"\xff[\xc0-\xc3\xc5-\xc7\xc9-\xcb\xcd-\xcf]\x00"
    rb"(?:\x0b\x08.{4}\x01|\x11\x08.{4}\x03|\x14\x08.{4}\x04)",
    re.DOTALL,
)
"""What begins each frame of a JPEG: height and width, and one, three or four colours."""
_FLATE: Final = ("/FlateDecode", "/Fl")
_LZW: Final = ("/LZWDecode", "/LZW")
_RUNS: Final = ("/RunLengthDecode", "/RL")
_OPERATOR: Final = re.compile(rb"[A-Za-z'\"][A-Za-z0-9*]*")
_DO: Final = re.compile(rb"/([^\s/()<>\[\]{}%]+)\s+Do\b")
_ESCAPED: Final = re.compile(rb"#([0-9A-Fa-f]{2})")


class TooMuchError(Exception):
    """What is too much, and the page that it is on, 0 for the whole file."""

    def __init__(self, message: str, page: int = 0) -> None:
        super().__init__(message)
        self.page = page


class _NoDecoder(JBIG2DecoderInterface):
    """For pictures in JBIG2 pikepdf would start another program, which Windows looks for in the
    current folder first: there may be one of a stranger's."""

    def check_available(self) -> None:
        raise DependencyError("pictures in JBIG2 are not unpacked")

    def decode_jbig2(self, jbig2: bytes, jbig2_globals: bytes) -> bytes:
        raise DataDecodingError("pictures in JBIG2 are not unpacked")


set_decoder(_NoDecoder())


@contextmanager
def opening() -> Iterator[None]:
    """While the block opens a file and looks at all of its objects, qpdf unpacks little."""
    with _limited(_MOST_OPENING):
        yield


@contextmanager
def reading() -> Iterator[None]:
    """While the block reads streams that were counted, qpdf unpacks no more than they may have."""
    with _limited(_MOST_OF_PICTURE):
        yield


@contextmanager
def _limited(most: int) -> Iterator[None]:
    before: dict[str, Any] = set_qpdf_limits(
        doc_max_warnings=50,
        parser_max_nesting=100,
        parser_max_container_size=MOST_OBJECTS,
        max_stream_filters=8,
        dct_max_memory=0,  # it takes a twentieth of it; JPEGs are measured by `_jpeg_bytes`
        dct_max_progressive_scans=100,
        flate_max_memory=most,
        png_max_memory=most,
        run_length_max_memory=most,
        tiff_max_memory=most,
    )
    try:
        yield
    finally:
        set_qpdf_limits(**before)


def check_objects(pdf: Pdf) -> None:
    """Raises TooMuchError for more objects or pages than a print has; to be called in `opening`."""
    if len(pdf.objects) > MOST_OBJECTS:
        raise TooMuchError(f"it has {len(pdf.objects):,} objects, over {MOST_OBJECTS:,}")
    _check_pages(pdf.Root.get("/Pages"))
    _check_depth(pdf)


def check_streams(pdf: Pdf, prints: Fingerprints, size: int) -> tuple[int, int]:
    """The bytes that the streams of a file of so many bytes unpack to, and those of pictures of it.
    Raises TooMuchError for a stream, or streams together, that unpack to too much or hold too many
    pixels."""
    most = _MOST_WHOLE + _MOST_A_BYTE * size
    whole = pictures = 0
    coded = _CodedMeter(_MOST_CODED, "its streams have over {} million codes of LZW, and runs")
    for item in pdf.objects:
        if not isinstance(item, Stream):
            continue
        if item.get("/Subtype") == Name.Image:
            _check_pixels(item)
            size_of = partial(_unpacked, item, _MOST_OF_PICTURE, coded)
            pixels = prints.of_picture(size_of, int, "bytes", item)
            whole, pictures = whole + pixels, pictures + pixels
        else:
            whole += _unpacked(item, MOST_UNPACKED, coded)
        if whole > most:
            raise TooMuchError(f"its streams unpack to over {most // 1_000_000:,} MB")
    return whole, pictures


class PageWeight(NamedTuple):
    """Bytes of operators of a page's `own`, and with those of all forms as often as drawn."""

    own: int
    drawn: int


class DrawingLoad(Struct, frozen=True):
    """How much there is to draw in a file: on each page, and in each form, in bytes of operators;
    and `most` that pages drawn whole may have together."""

    pages: tuple[PageWeight, ...]
    forms: Mapping[Form, int]
    most: int

    def check_whole(self, pages: Iterable[int]) -> None:
        """Raises TooMuchError for pages, from 1, that together draw too much."""
        if summed(self.pages[number - 1].drawn for number in pages) > self.most:
            raise _too_much_drawn(self.most)


def check_drawing(pdf: Pdf, prints: Fingerprints, size: int) -> DrawingLoad:
    """How much the pages of a file of so many bytes draw. Raises TooMuchError for a page that draws
    too much, or pages together without their forms, and a form that draws itself; to be called
    after `check_streams`."""
    weigher = _Weigher(prints)
    pages: list[PageWeight] = []
    most, own = MOST_DRAWN_WHOLE + _MOST_A_BYTE * size, 0
    for number, page in enumerate(pdf.pages, start=1):
        try:
            pages.append(_check_page(page, weigher))
        except TooMuchError as error:
            raise TooMuchError(str(error), number) from error
        own += pages[-1].own
        if own > most:
            raise _too_much_drawn(most)
    for item in pdf.objects:  # what annotations, masks and patterns draw as well
        if isinstance(item, Stream):
            _check_weight(weigher.of_form(item, Dictionary()), "a form")
    return DrawingLoad(tuple(pages), weigher.forms(), most)


def _too_much_drawn(most: int) -> TooMuchError:
    return TooMuchError(f"its pages draw over {most // 1_000_000:,} MB of operators")


def _check_page(page: Page, weigher: _Weigher) -> PageWeight:
    content = b"\n".join(part.read_bytes() for part in content_streams(page))
    if len(content) > 2 * MOST_OPERATORS:  # the shortest one is a letter and a space
        count = sum(1 for _ in _OPERATOR.finditer(content))
        if count > MOST_OPERATORS:
            raise TooMuchError(f"the page has {count:,} operators, over {MOST_OPERATORS:,}")
    resources = page.obj.get("/Resources", Dictionary())
    whole = weigher.weight(content, resources, resources)
    _check_weight(whole, "the page")
    return PageWeight(len(content), whole.drawn)


def _check_weight(whole: _Weight, what: str) -> None:
    if whole.drawn > MOST_DRAWN:
        size = f"{whole.drawn / 1e6:,.0f} MB of operators, over {MOST_DRAWN // 1_000_000}"
        raise TooMuchError(f"{what} draws {size}")
    if whole.drawings > MOST_DRAWINGS:
        count = f"{whole.drawings:,} forms and pictures, over {MOST_DRAWINGS:,}"
        raise TooMuchError(f"{what} draws {count}")


def content_streams(page: Page) -> Iterator[Stream]:
    """The content streams of a page: one, several or none."""
    told: Any = page.obj.get("/Contents", Array())
    parts: Iterable[Any] = told if isinstance(told, Array) else [told]
    yield from (part for part in parts if part is not None)


def _check_pages(tree: Any) -> None:
    """The page tree, which qpdf follows to its end and, if it is round, further."""
    waiting, seen, pages = [(tree, 0)], set[tuple[int, int]](), 0
    while waiting:
        node, depth = waiting.pop()
        if not isinstance(node, Dictionary):
            continue
        if "/Kids" not in node:
            pages += 1
            continue
        if node.objgen in seen:
            raise TooMuchError("its page tree leads back to itself")
        seen.add(node.objgen)
        kids = node.Kids
        pages += len(kids) == 0
        if depth > MOST_DEEP or pages + len(waiting) + len(kids) > MOST_PAGES:
            raise TooMuchError(f"its page tree has over {MOST_PAGES:,} pages, or is far too deep")
        waiting += ((kid, depth + 1) for kid in kids)


def _check_depth(pdf: Pdf) -> None:
    """How far references lead from pages, in the order in which qpdf follows them."""
    seen: set[tuple[int, int]] = {page.obj.objgen for page in pdf.pages}
    for page in pdf.pages:
        way = [iter(_parts(page.obj))]
        while way:
            inner = next(way[-1], None)
            if inner is None:
                way.pop()
            elif isinstance(inner, Dictionary | Array | Stream) and is_new(inner, seen):
                way.append(iter(_parts(inner)))
                if len(way) > MOST_DEEP:
                    raise TooMuchError(f"its objects lead on to others over {MOST_DEEP} times")


def _parts(holder: Any) -> list[Any]:
    return list(holder) if isinstance(holder, Array) else [value for _, value in holder.items()]


def is_new(item: Object, seen: set[tuple[int, int]]) -> bool:
    """Whether an object has not been seen yet; from now on it has."""
    if not item.is_indirect:
        return True
    if item.objgen in seen:
        return False
    seen.add(item.objgen)
    return True


def is_jpx(stream: Object) -> bool:
    """Whether a stream is a picture in JPEG 2000."""
    packed = stream.get("/Filter")
    return Name.JPXDecode in (packed if isinstance(packed, Array) else [packed])


def _check_pixels(picture: Object) -> None:
    size = int(picture.get("/Width", 0)), int(picture.get("/Height", 0))
    _check_size(size, MOST_PIXELS_JPX if is_jpx(picture) else MAX_PIXELS)


def _check_size(size: tuple[int, int], most: int) -> None:
    width, height = size
    if max(width, 1) * max(height, 1) > most:
        pixels = f"{width} × {height} pixels"
        raise TooMuchError(f"a picture has {pixels}, over {most // 1_000_000} million")


def _jpeg_bytes(content: bytes) -> int:
    """Bytes that a JPEG unpacks to: its size is what it says itself, and not what is around it."""
    most = 0
    for frame in _FRAME.finditer(content):
        height, width = (int.from_bytes(frame[0][at : at + 2]) for at in (5, 7))
        _check_size((width, height), MAX_PIXELS)
        most = max(most, width * height * frame[0][-1])
    return most


def _unpacked(stream: Stream, most: int, coded: _Meter) -> int:
    """Bytes that a stream unpacks to, those of each step of it together."""
    told = stream.get("/Filter", Array())
    meter = _Meter(most, "a stream unpacks to over {} MB")
    pieces: Iterable[bytes] = (stream.read_raw_bytes(),)
    for at, name in enumerate(map(str, told if isinstance(told, Array) else [told])):
        if name in _FLATE:
            pieces = meter.read(_inflated(pieces))
        elif name in _LZW:
            packed = b"".join(coded.read(pieces))
            pieces = meter.read(_from_lzw(packed, _early(stream, at)))
        elif name in _RUNS:
            pieces = meter.read(_from_runs(b"".join(pieces), coded))
        elif name in _TEXT:
            pieces = meter.read(_from_text(b"".join(pieces), *_TEXT[name]))
        elif name in _DCT:
            return meter.count + _jpeg_bytes(b"".join(pieces))
        else:
            break  # of pictures, whose pixels are counted
    last = sum(map(len, pieces))  # which fills the meter
    return max(meter.count, last)


class _Meter:
    """Counts bytes, or what takes as long; words say of what, should they be too many."""

    def __init__(self, most: int, words: str) -> None:
        self.count = 0
        self._most = most
        self._words = words

    def read(self, pieces: Iterable[bytes]) -> Iterator[bytes]:
        """The same pieces. Raises TooMuchError as soon as they are too many."""
        for piece in pieces:
            self.add(len(piece))
            yield piece

    def add(self, count: int) -> None:
        """So many more."""
        self.count += count
        if self.count > self._most:
            raise TooMuchError(self._words.format(self._most // 1_000_000))


class _CodedMeter(_Meter):
    """Allows the time that it takes to unpack what it counts: else the guard would end it first."""

    def add(self, count: int) -> None:
        super().add(count)
        limits.allow(_A_MILLION_CODED * count / 1_000_000)


def _inflated(pieces: Iterable[bytes]) -> Iterator[bytes]:
    """What zlib makes of some pieces, as far as they are sound."""
    packer = zlib.decompressobj()
    with suppress(zlib.error):
        for piece in pieces:
            yield packer.decompress(piece, _PIECE)
            while packer.unconsumed_tail and not packer.eof:
                yield packer.decompress(packer.unconsumed_tail, _PIECE)
            if packer.eof:
                return  # what comes after is nobody's
        yield packer.flush(_PIECE)


def _early(stream: Stream, at: int) -> int:
    """By how many codes those of LZW grow early, as its filter, at a place among several, says."""
    told: Any = stream.get("/DecodeParms")
    if isinstance(told, Array):
        told = told[at] if at < len(told) else None
    return 0 if isinstance(told, Dictionary) and told.get("/EarlyChange") == 0 else 1


def _from_lzw(packed: bytes, early: int) -> Iterator[bytes]:
    """What codes of LZW (PDF 1.7, 7.4.4) stand for, as far as they are sound."""
    known, last, width = list(_SINGLE), b"", _SHORTEST
    held = bits = size = 0
    parts: list[bytes] = []
    for byte in packed:
        held, bits = held << 8 | byte, bits + 8
        if bits < width:  # a code is longer than a byte: no byte ends two
            continue
        bits -= width
        code, held = held >> bits, held & (1 << bits) - 1
        if code == _CLEAR:
            known, last, width = list(_SINGLE), b"", _SHORTEST
            continue
        if code == _END or code > len(known) or (code == len(known) and not last):
            break
        found = known[code] if code < len(known) else last + last[:1]
        if last and len(known) < _MOST_CODES:
            known.append(last + found[:1])
            width = min(max((len(known) + early).bit_length(), _SHORTEST), _LONGEST)
        last = found
        parts.append(found)
        size += len(found)
        if size > _PIECE:
            yield b"".join(parts)
            parts, size = [], 0
    yield b"".join(parts)


def _from_runs(packed: bytes, coded: _Meter) -> Iterator[bytes]:
    """What runs (PDF 1.7, 7.4.5) stand for: some bytes as they are, or one of them many times."""
    at = size = 0
    parts: list[bytes] = []
    while at < len(packed) and (length := packed[at]) != _END_OF_RUNS:
        is_plain = length < _END_OF_RUNS
        part = packed[at + 1 : at + 2 + length * is_plain]
        at += 1 + (length + 1 if is_plain else 1)
        parts.append(part if is_plain else part * (257 - length))
        size += len(parts[-1])
        if size > _PIECE:
            coded.add(len(parts))
            yield b"".join(parts)
            parts, size = [], 0
    coded.add(len(parts))
    yield b"".join(parts)


_CLEAR, _END, _END_OF_RUNS = 256, 257, 128
_SINGLE: Final = (*(bytes([byte]) for byte in range(256)), b"", b"")
"""What codes stand for at first; the last two clear and end."""
_SHORTEST, _LONGEST, _MOST_CODES = 9, 12, 4096


def _from_text(
    text: bytes, end: bytes, read: Callable[[bytes], bytes], letters: int
) -> Iterator[bytes]:
    """What text stands for, as far as it is sound: many programs write whole pictures so."""
    plain = text.partition(end)[0].translate(None, _BLANK)
    if end == _END_OF_85:
        plain = plain.replace(b"z", b"!!!!!")
    with suppress(ValueError):
        for at in range(0, len(plain), letters * _GROUPS):
            yield read(plain[at : at + letters * _GROUPS])


def _from_hex(text: bytes) -> bytes:
    return bytes.fromhex(text.decode("latin-1") + "0" * (len(text) % 2))


def _from_base_85(text: bytes) -> bytes:
    """Four bytes of each five letters. Raises ValueError for others than ASCII 85 has."""
    missing = -len(text) % 5
    digits = np.frombuffer(text + b"u" * missing, np.uint8).reshape(-1, 5).astype(np.int64) - 33
    if digits.size and not 0 <= digits.min() <= digits.max() < 85:
        raise ValueError("not a letter of ASCII 85")
    whole: bytes = (digits * _PLACES_OF_85).sum(axis=1).astype(">u4").tobytes()
    return whole[: len(text) * 4 // 5]


_BLANK: Final = b"\0\t\n\f\r "
_GROUPS: Final = 1 << 17
_END_OF_85: Final = b"~>"
_PLACES_OF_85: Final = 85 ** np.arange(4, -1, -1, dtype=np.int64)
_HEX: Final = (b">", _from_hex, 2)
_BASE_85: Final = (_END_OF_85, _from_base_85, 5)
_TEXT: Final[Mapping[str, tuple[bytes, Callable[[bytes], bytes], int]]] = {
    "/ASCIIHexDecode": _HEX,
    "/AHx": _HEX,
    "/ASCII85Decode": _BASE_85,
    "/A85": _BASE_85,
}
"""What ends a text, how it is read, and how many letters stand for bytes together."""


class _Weight(NamedTuple):
    """Bytes of operators, and forms and pictures, that are drawn in all."""

    drawn: int
    drawings: int


class _Weigher:
    """Weighs what is drawn; what is drawn in several places is weighed once."""

    def __init__(self, prints: Fingerprints) -> None:
        self._prints = prints
        self._known: dict[Form, _Weight | None] = {}

    def forms(self) -> dict[Form, int]:
        """Bytes of operators that each form draws that was come upon."""
        return {form: whole.drawn for form, whole in self._known.items() if whole is not None}

    def weight(self, content: bytes, resources: Any, page: Any) -> _Weight:
        """Of a content stream; forms without resources of their own use those of their page."""
        forms = {
            key.removeprefix("/"): form
            for key, form in dict(resources.get("/XObject", {})).items()
            if isinstance(form, Stream)
        }
        found = [_plain(name) for name in _DO.findall(content)] if forms else []
        names = Counter(name for name in found if name in forms)
        unclear = content.count(b"Do") - len(found) if forms else 0
        drawn, drawings = len(content), 0
        for name in forms if unclear > 0 else names:
            # What is written in an odd way may draw any of them.
            inner, times = self.of_form(forms[name], page), names[name] + max(unclear, 0)
            drawn += times * inner.drawn
            drawings += times * (1 + inner.drawings)
        return _Weight(drawn, drawings)

    def of_form(self, form: Stream, page: Any) -> _Weight:
        """Of a form; nothing of a picture."""
        if form.get("/Subtype") != Name.Form:
            return _Weight(0, 0)
        known = self._known.get(form.objgen, _NEW)
        if known is None:
            raise TooMuchError("a form draws itself")
        if known is _NEW:
            self._known[form.objgen] = None
            resources = form.get("/Resources", page)
            known = self._known[form.objgen] = self._prints.once(
                lambda: self.weight(form.read_bytes(), resources, page), "weight", form.objgen
            )
        return known


_NEW: Final = _Weight(-1, -1)


def _plain(name: bytes) -> str:
    return _ESCAPED.sub(lambda found: bytes.fromhex(found[1].decode()), name).decode("latin-1")
