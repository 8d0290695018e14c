"""Reads the objects of a page or a form by PDFium, in order of painting: of each its box, its
matrix, its colours and what clips it."""

from __future__ import annotations

import ctypes
import math
import struct
import zlib
from collections import defaultdict
from collections.abc import Callable, Container, Iterator
from typing import Any, Final, NamedTuple

import pypdfium2.raw as pdfium

from generator.geometry import IDENTITY, Matrix, Point, Rect, bounds

Colour = tuple[int, int, int]
"""Red, green and blue, 0 to 255, as a screen would show it."""
PagePoint = tuple[float, float]

_DEEPEST: Final = 40
"""Forms within forms that are followed."""
_LONGEST_NAME: Final = 512
"""Bytes of a layer's name that are read: a longer one is none that anybody gave."""
_NAME: Final = ctypes.create_string_buffer(b"Name")


class PageObject(NamedTuple):
    """An object of PDFium, its type, what brings the space that its bounds are told in to the
    page's, how opaque what it is in is painted, 0 to 1, and whether that mixes it with what lies
    under it just as if it were painted alone."""

    item: Any
    kind: int
    matrix: Matrix
    opaque: float
    plain: bool

    @property
    def mixes(self) -> bool:
        """True when what is painted before or after it in the same form may change its look."""
        return not self.plain or bool(pdfium.FPDFPageObj_HasTransparency(self.item))


class FormContents(NamedTuple):
    """Every object in a form and the forms in it, in order of painting; and, as few as may be, the
    objects and forms without words that make up its art."""

    objects: list[PageObject]
    art: list[Any]


def contents_of(form: Any, outside: Matrix = IDENTITY) -> FormContents:
    """What is in a form."""
    found = FormContents([], [])
    if not _gather(form, outside, 1.0, True, 0, found):
        found.art[:] = [form]
    return found


def _gather(
    form: Any, outside: Matrix, around: float, plain: bool, depth: int, found: FormContents
) -> bool:
    """Whether there are words in it."""
    inside, opaque = outside.then(matrix_of(form)), around
    if pdfium.FPDFPageObj_HasTransparency(form):
        plain, painted = False, colour_of(pdfium.FPDFPageObj_GetFillColor, form)
        opaque = around * painted[1] / 255 if painted else around
    worded = False
    for index in range(pdfium.FPDFFormObj_CountObjects(form)):
        item = pdfium.FPDFFormObj_GetObject(form, index)
        kind = pdfium.FPDFPageObj_GetType(item)
        if kind != pdfium.FPDF_PAGEOBJ_FORM:
            found.objects.append(PageObject(item, kind, inside, opaque, plain))
        elif depth < _DEEPEST:
            before = len(found.art)
            if _gather(item, inside, opaque, plain, depth + 1, found):
                worded = True
                continue
            del found.art[before:]
        if kind == pdfium.FPDF_PAGEOBJ_TEXT:
            worded = True
        else:
            found.art.append(item)
    return worded


def box_of(item: Any, outside: Matrix) -> Rect:
    """What an object covers at most; nothing where a damaged file leaves no numbers to tell it."""
    left, bottom, right, top = (
        ctypes.c_float(),
        ctypes.c_float(),
        ctypes.c_float(),
        ctypes.c_float(),
    )
    pdfium.FPDFPageObj_GetBounds(item, left, bottom, right, top)
    x, y, wide, high = left.value, bottom.value, right.value, top.value
    if not math.isfinite(x + y + wide + high):
        return Rect(0, 0, 0, 0)
    a, b, c, d, e, f = outside
    if b or c:
        return outside.box(Rect(x, y, wide - x, high - y))
    # most are: what is worked out for thousands of objects is worked out here
    x, wide, y, high = a * x + e, a * wide + e, d * y + f, d * high + f
    x, wide = (x, wide) if x <= wide else (wide, x)
    y, high = (y, high) if y <= high else (high, y)
    return Rect(x, y, wide - x, high - y)


def matrix_of(item: Any) -> Matrix:
    """From an object's own space to that of what it is in."""
    told = pdfium.FS_MATRIX()
    if not pdfium.FPDFPageObj_GetMatrix(item, told):
        return IDENTITY
    matrix = Matrix(told.a, told.b, told.c, told.d, told.e, told.f)
    return matrix if all(map(math.isfinite, matrix)) else IDENTITY


def colour_of(read: Callable[..., Any], item: Any) -> tuple[Colour, int] | None:
    """What a function of PDFium says of an object's fill or stroke: its colour and how opaque, 0 to
    255; None without."""
    r, g, b, a = ctypes.c_uint(), ctypes.c_uint(), ctypes.c_uint(), ctypes.c_uint()
    if not read(item, r, g, b, a):
        return None
    return (r.value, g.value, b.value), a.value


def is_on(item: Any, layers: Container[bytes]) -> bool:
    """Whether an object is marked as part of one of some layers, told by their names as a file has
    them."""
    name, size = (ctypes.c_ushort * len("OC\0"))(), ctypes.c_ulong()
    for number in range(pdfium.FPDFPageObj_CountMarks(item)):
        mark = pdfium.FPDFPageObj_GetMark(item, number)
        pdfium.FPDFPageObjMark_GetName(mark, name, ctypes.sizeof(name), size)
        if size.value == ctypes.sizeof(name) and bytes(name).decode("utf-16-le") == "OC\0":
            room = (ctypes.c_ubyte * _LONGEST_NAME)()
            pdfium.FPDFPageObjMark_GetParamBlobValue(mark, _NAME, room, len(room), size)
            if size.value <= len(room) and bytes(room[: size.value]) in layers:
                return True
    return False


class Clips:
    """What cuts off objects of one page, as long as that is open. Most of them are cut by the same
    clip paths, of which PDFium keeps the corners once: where they lie tells whose they are."""

    def __init__(self) -> None:
        self._known: dict[tuple[int, int], Rect] = {}

    def box_of(self, item: Any) -> Rect | None:
        """The part that the boxes of all its clip paths share, in the space of the form that it is
        in; None when nothing clips it. Where two do not meet it has no width or height."""
        path = pdfium.FPDFPageObj_GetClipPath(item)
        shared: Rect | None = None
        for number in range(pdfium.FPDFClipPath_CountPaths(path)):
            count = pdfium.FPDFClipPath_CountPathSegments(path, number)
            if count > 0:
                first = pdfium.FPDFClipPath_GetPathSegment(path, number, 0)
                key = ctypes.addressof(first.contents), count
                box = self._known.get(key)
                if box is None:
                    corners = list(_corners(path, number, count)) or [Point(0, 0)]
                    box = self._known[key] = bounds(corners)
                shared = shared.cut_to(box) if shared else box
        return shared


def _corners(path: Any, number: int, count: int) -> Iterator[Point]:
    x, y = ctypes.c_float(), ctypes.c_float()
    for index in range(count):
        segment = pdfium.FPDFClipPath_GetPathSegment(path, number, index)
        if pdfium.FPDFPathSegment_GetPoint(segment, x, y) and math.isfinite(x.value + y.value):
            yield Point(x.value, y.value)


def lines_of(path: Any, outside: Matrix) -> Iterator[tuple[PagePoint, ...]]:
    """The lines and curves of a path, through a matrix: their ends and what bends them."""
    x, y = ctypes.c_float(), ctypes.c_float()
    to_x, to_y = ctypes.byref(x), ctypes.byref(y)
    a, b, c, d, e, f = outside
    start = here = (0.0, 0.0)
    bend: list[PagePoint] = []
    for index in range(pdfium.FPDFPath_CountSegments(path)):
        segment = pdfium.FPDFPath_GetPathSegment(path, index)
        pdfium.FPDFPathSegment_GetPoint(segment, to_x, to_y)
        there = (a * x.value + c * y.value + e, b * x.value + d * y.value + f)
        kind = pdfium.FPDFPathSegment_GetType(segment)
        if kind == pdfium.FPDF_SEGMENT_MOVETO:
            start = here = there
            continue
        if kind == pdfium.FPDF_SEGMENT_BEZIERTO:
            bend.append(there)
            if len(bend) == 3:
                yield (here, *bend)
                here, bend = there, []
        else:
            yield here, there
            here = there
        if not bend and pdfium.FPDFPathSegment_GetClose(segment):
            yield here, start
            here = start


_OUTLINED: Final = 96
"""Points of an outline that are looked at: no two shapes are alike so far and other after it."""
_STEPS: Final = 10
"""Of the longer side, to which points are rounded."""
_OFF_STEP: Final = 0.0371
"""So that halves and tenths lie between no two steps."""
_PEN_STEP: Final = 0.25
"""mm, to which the widths and the dashes of lines are rounded."""
_LOOSE: Final = 0.5
"""mm that a box may be out of what cuts it: PDFium's boxes are not exact."""


_UPRIGHT: Final = (
    IDENTITY,
    Matrix(0, -1, 1, 0, 0, 0),
    Matrix(-1, 0, 0, -1, 0, 0),
    Matrix(0, 1, -1, 0, 0, 0),
)
"""What undoes a clockwise turn of so many quarters, the y axis downwards."""


def outline_of(path: Any, outside: Matrix, box: Rect, turn: int = 0) -> int:
    """A digest of what a path looks like, whatever its colour, its size and its place: its outline,
    the dashes and the width of its line, and what it is cut to where that cuts into its box. It is
    the same for a path in a face that is turned clockwise by so many degrees."""
    if turn % 360:
        outside = _UPRIGHT[turn // 90 % 4].then(outside)
        box = box_of(path, outside)
    count: int = pdfium.FPDFPath_CountSegments(path)
    try:
        told = [count, *_points_of(path, outside.then(matrix_of(path)), box, count)]
        told += [*_pen_of(path, outside), *_cuts_of(path, outside, box)]
        return zlib.crc32(struct.pack(f"<{len(told)}i", *told))
    except (ValueError, OverflowError, struct.error):  # of a size beyond all paper
        return count


def _points_of(path: Any, matrix: Matrix, box: Rect, count: int) -> Iterator[int]:
    read = range(min(count, _OUTLINED))
    yield from _steps((pdfium.FPDFPath_GetPathSegment(path, n) for n in read), matrix, box)


def _cuts_of(path: Any, outside: Matrix, box: Rect) -> Iterator[int]:
    clip = pdfium.FPDFPageObj_GetClipPath(path)
    for number in range(pdfium.FPDFClipPath_CountPaths(clip)):
        corners = list(_corners(clip, number, pdfium.FPDFClipPath_CountPathSegments(clip, number)))
        if corners and not outside.box(bounds(corners)).contains(box, _LOOSE):
            read = range(min(len(corners), _OUTLINED))
            segments = (pdfium.FPDFClipPath_GetPathSegment(clip, number, n) for n in read)
            yield len(corners)
            yield from _steps(segments, outside, box)


def _steps(segments: Iterator[Any], matrix: Matrix, box: Rect) -> Iterator[int]:
    """The points of an outline in steps from the middle of a box."""
    x, y = ctypes.c_float(), ctypes.c_float()
    to_x, to_y = ctypes.byref(x), ctypes.byref(y)
    a, b, c, d, e, f = matrix
    scale = _STEPS / (max(box.width, box.height) or 1.0)
    left, top = box.x + box.width / 2 - e, box.y + box.height / 2 - f
    for segment in segments:
        pdfium.FPDFPathSegment_GetPoint(segment, to_x, to_y)
        yield pdfium.FPDFPathSegment_GetType(segment)
        yield round((a * x.value + c * y.value - left) * scale + _OFF_STEP)
        yield round((b * x.value + d * y.value - top) * scale + _OFF_STEP)


def _pen_of(path: Any, outside: Matrix) -> Iterator[int]:
    """How wide a line is and how it is dashed, in steps."""
    fills, strokes = ctypes.c_int(), ctypes.c_int()
    pdfium.FPDFPath_GetDrawMode(path, fills, strokes)
    if not strokes.value:
        return
    scale = outside.then(matrix_of(path)).across / _PEN_STEP
    width = ctypes.c_float()
    pdfium.FPDFPageObj_GetStrokeWidth(path, width)
    yield round(width.value * scale + _OFF_STEP)
    count = max(pdfium.FPDFPageObj_GetDashCount(path), 0)
    dashes = (ctypes.c_float * max(count, 1))()
    if count and pdfium.FPDFPageObj_GetDashArray(path, dashes, count):
        yield from (round(dash * scale + _OFF_STEP) for dash in dashes[:_OUTLINED])


_LONGEST: Final = 1024
"""Letters of a text that are asked for at once: PDFium takes its time for each time it is asked."""
_MANY_LETTERS: Final = 5_000
"""On a page, from which on its words are gathered at one go: for each run that it is asked for
PDFium goes through all letters."""


class WordsOfPage:
    """The words of the text objects of a page; `text_page` is PDFium's own of it."""

    def __init__(self, text_page: Any) -> None:
        self._text_page = text_page
        self._letters = (ctypes.c_ushort * _LONGEST)()
        many = pdfium.FPDFText_CountChars(text_page) >= _MANY_LETTERS
        self._gathered = dict(_gathered(text_page)) if many else None

    def of(self, item: Any) -> str:
        """The words of one, as far as PDFium knows them."""
        if self._gathered is not None:
            return self._gathered.get(_address(item), "")
        letters = self._letters
        size = self._ask(item, letters)
        if size > ctypes.sizeof(letters):
            letters = (ctypes.c_ushort * size)()
            size = self._ask(item, letters)
        return ctypes.string_at(letters, max(size - 2, 0)).decode("utf-16-le", "replace")

    def _ask(self, item: Any, letters: Any) -> int:
        room = ctypes.sizeof(letters)
        return int(pdfium.FPDFTextObj_GetText(item, self._text_page, letters, room))


def _gathered(text_page: Any) -> Iterator[tuple[int, str]]:
    """Each text object's address and words, as `FPDFTextObj_GetText` tells them: a space that
    PDFium sees behind its letters is its own."""
    words: dict[int, list[int]] = defaultdict(list)
    before = 0
    for index in range(pdfium.FPDFText_CountChars(text_page)):
        sign = pdfium.FPDFText_GetUnicode(text_page, index)
        owner = _address(pdfium.FPDFText_GetTextObject(text_page, index))
        if owner or (sign == _SPACE and before):
            words[owner or before].append(sign)
        before = owner
    for owner, signs in words.items():
        yield owner, "".join(chr(sign) for sign in signs if sign and not _is_half(sign))


_SPACE: Final = 32


def _is_half(sign: int) -> bool:
    """True for half of a letter, which no text can have."""
    return 0xD800 <= sign < 0xE000


def _address(item: Any) -> int:
    return ctypes.cast(item, ctypes.c_void_p).value or 0


def drawn_size(item: Any, told: float, ink: float) -> float:
    """The size of letters, mm, of a font without a name (Type 3), which are drawings in any units.
    A size is `told` of it as of any, and counts only where it is about as large as the box of the
    font and the ink; else that box does, or the ink if it is higher."""
    font, up, down = pdfium.FPDFTextObj_GetFont(item), ctypes.c_float(), ctypes.c_float()
    pdfium.FPDFFont_GetAscent(font, 1.0, up)
    pdfium.FPDFFont_GetDescent(font, 1.0, down)
    ems = up.value - down.value
    if not math.isfinite(ems) or _LEAST_EMS <= ems <= _MOST_EMS:
        return told if ink <= _MOST_INK * told else ink
    return max(told * ems, ink)


_LEAST_EMS: Final = 0.4
_MOST_EMS: Final = 4.0
"""Of a size, as high as the box around all letters of a font may be."""
_MOST_INK: Final = 1.5
"""The same of some letters."""
