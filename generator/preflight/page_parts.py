"""Takes apart pages that are made as Gridpress makes them: a file with each face on a page of its
own, and each page without its faces.

Such a page is its faces, each drawn whole or inside one polygon, with marks on layers around them.
So each distinct face, told by a digest of all that it leads to, is read and drawn once, and of a
page only what is its own. Whatever else a page does, it is `odd`, and is looked at as a whole.
"""

from __future__ import annotations

import ctypes
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any, Final, NamedTuple

import pikepdf
import pypdfium2
import pypdfium2.raw as pdfium
from msgspec import Struct
from pikepdf import Array, Dictionary, Name, Pdf

from generator.geometry import Matrix, Point, Rect, around, pt_to_mm, summed
from generator.pdf_forms import Fingerprints, Form, lighten_all
from generator.preflight.checking import PLACE_TOLERANCE, Match, PageMatch, distance
from generator.preflight.faces import SeenFace
from generator.preflight.manifest_checks import drawn_otherwise
from generator.preflight.near_cut import NEAR
from generator.preflight.page_objects import PagePoint, box_of, colour_of, lines_of, matrix_of
from generator.preflight.painted import stroke_width
from generator.preflight.pdf_limits import content_streams
from generator.writing import save

_ENTRIES: Final = frozenset(
    "/Type /Parent /MediaBox /CropBox /BleedBox /TrimBox /ArtBox /Rotate /Resources"
    " /Contents".split()
)
"""Of a page; others may change its look, as notes on it and groups do."""
_RESOURCES: Final = frozenset(("/Font", "/XObject", "/Properties", "/ProcSet"))
_MOST_PIXELS: Final = 20_000_000
"""Of a face that is drawn in one go: of A0. Larger ones are looked at page by page."""
_MOST_COMPARED: Final = 100_000
"""Marks that are near the words of a face, times these."""
_OF_WORDS: Final = 0.2
"""Of the box of what is no line, mostly words, is ink."""


def is_odd(match: PageMatch, page: pikepdf.Page, prints: Fingerprints) -> bool:
    """True for a page that may look otherwise than its faces and its marks do side by side."""
    resources = page.obj.get("/Resources", Dictionary())
    drawn = dict(resources.get("/XObject", {})).values()
    return bool(
        match.read.others
        or match.surplus
        or not _ENTRIES.issuperset(page.obj.keys())
        or not _RESOURCES.issuperset(resources.keys())
        or any(thing.get("/Subtype") != Name.Form for thing in drawn)
        or any(_is_odd(face, prints) for face in match.matches)
    )


def _is_odd(match: Match, prints: Fingerprints) -> bool:
    draw, told = match.draw, match.expected
    if draw is None or not draw.plain or not prints.stands_alone(draw.form):
        return True
    if told.rotation % 90 or any(drawn_otherwise(match)) or not _fits(match):
        return True
    return any(not (_is_box(cut) or _is_outline(cut, told.outline)) for cut in draw.clips)


def _fits(match: Match) -> bool:
    """False for a face of too many pixels."""
    draw = match.draw
    return draw is not None and draw.width * draw.height * (100 / 25.4) ** 2 <= _MOST_PIXELS


def _is_box(corners: Sequence[Point]) -> bool:
    """True for the corners of an upright rectangle, one after the other."""
    if len(corners) == 5 and corners[0] == corners[4]:
        corners = corners[:4]
    if len(corners) != 4:
        return False
    a, b, c, d = corners
    level = _same(a.y, b.y) and _same(b.x, c.x) and _same(c.y, d.y) and _same(d.x, a.x)
    upright = _same(a.x, b.x) and _same(b.y, c.y) and _same(c.x, d.x) and _same(d.y, a.y)
    return level or upright


def _same(one: float, other: float) -> bool:
    return abs(one - other) <= PLACE_TOLERANCE


def _is_outline(corners: Sequence[Point], outline: Sequence[Point]) -> bool:
    """True for a polygon with those corners, in order, from whichever and either way round."""
    if len(corners) == len(outline) + 1 and corners[0] == corners[-1]:
        corners = corners[:-1]
    count = len(outline)
    if not count or len(corners) != count:
        return False
    first = min(range(count), key=lambda n: distance(corners[n], outline[0]))
    return any(
        all(
            distance(corners[(first + way * n) % count], outline[n]) <= PLACE_TOLERANCE
            for n in range(count)
        )
        for way in (1, -1)
    )


class PartsOfPages(Struct, frozen=True):
    """The file with the parts: which of its pages show which faces, and which pages' own marks."""

    path: Path
    faces: Mapping[Form, int]
    pages: Mapping[int, int]


def take_apart(pdf: Pdf, faces: Sequence[Form], pages: Sequence[int], path: Path) -> PartsOfPages:
    """Write these faces and what is on these pages (from 1) beside faces. Large JPEGs are made
    smaller, so that they are drawn in no time: at the dpi of the checks nobody sees it."""
    target = Pdf.new()
    for form in faces:
        add_face(target, pdf, form)
    for number in pages:
        source = pdf.pages[number - 1]
        page = target.add_blank_page()
        page.mediabox = Array([float(value) for value in source.mediabox])
        fonts = dict(source.resources.get("/Font", {}))
        page.Resources = Dictionary(
            Font=Dictionary({name: _copied(target, pdf, font) for name, font in fonts.items()})
        )
        page.Contents = target.make_stream(
            b"\n".join(c.read_bytes() for c in content_streams(source))
        )
    lighten_all(target)
    plain = pikepdf.StreamDecodeLevel.none
    save(target, path, compress_streams=False, stream_decode_level=plain)
    numbers = range(len(faces) + len(pages))
    return PartsOfPages(
        path,
        dict(zip(faces, numbers, strict=False)),
        dict(zip(pages, numbers[len(faces) :], strict=True)),
    )


def add_face(target: Pdf, pdf: Pdf, form: Form) -> None:
    """Add a page that shows a face of another file alone, to the edges of its form."""
    face = target.copy_foreign(pdf.get_object(form))
    x1, y1, x2, y2 = (float(value) for value in face.BBox)
    page = target.add_blank_page()
    page.mediabox = Array([min(x1, x2), min(y1, y2), max(x1, x2), max(y1, y2)])
    page.Resources = Dictionary(XObject=Dictionary(F=face))
    page.Contents = target.make_stream(b"/F Do")


def _copied(target: Pdf, pdf: Pdf, font: pikepdf.Object) -> pikepdf.Object:
    return target.copy_foreign(font if font.is_indirect else pdf.make_indirect(font))


class SeenMarks(Struct, frozen=True):
    """What is on a page beside its faces, and how many mm² of solid ink that takes."""

    drawn: tuple[MarkInk, ...]
    ink: float


def see_marks(sheet: pypdfium2.PdfPage) -> SeenMarks:
    """What is on a page of the file with the parts."""
    one = pt_to_mm(1)
    left, _, _, top = sheet.get_mediabox()
    drawn = tuple(ink_on(sheet, Matrix(one, 0, 0, -one, -left * one, top * one)))
    return SeenMarks(
        drawn, summed(m.area * m.dark * (1 if m.is_line else _OF_WORDS) for m in drawn)
    )


def is_covered(page: PageMatch, faces: Sequence[SeenFace], marks: SeenMarks) -> bool:
    """True when a mark, or a face that is painted after another, may cover some of its words;
    `faces` are those of the page's matches, in order."""
    for match, face in zip(page.matches, faces, strict=True):
        if face.runs:
            whole = match.expected.on_page(around(face.runs)).grown(NEAR)
            near = [mark for mark in marks.drawn if mark.meets(whole)]
            if near and _meets(near, _words(match, face)):
                return True
    return _overlaps(page, faces)


def _words(match: Match, face: SeenFace) -> list[Rect]:
    return [match.expected.on_page(run).grown(NEAR) for run in face.runs]


def share_inked(page: PageMatch, faces: Sequence[SeenFace], marks: SeenMarks) -> float:
    """How much of a page solid ink would cover, 0 to 1: that of its marks and its faces."""
    arts = (match.expected.art for match in page.matches)
    inks = (face.ink * art.width * art.height for face, art in zip(faces, arts, strict=True))
    return min((marks.ink + summed(inks)) / (page.read.width * page.read.height), 1.0)


def _meets(marks: Sequence[MarkInk], words: Sequence[Rect]) -> bool:
    if len(marks) * len(words) > _MOST_COMPARED:
        return True
    return any(mark.meets(run) for mark in marks for run in words)


def _overlaps(page: PageMatch, faces: Sequence[SeenFace]) -> bool:
    """True when the art of a face comes over the words of one that was painted before."""
    arts = [(match.draw and match.draw.window) or match.expected.art for match in page.matches]
    order = {id(draw): number for number, draw in enumerate(page.read.draws)}
    painted = [order[id(match.draw)] for match in page.matches]
    by_place = sorted(range(len(arts)), key=lambda number: arts[number].x)
    for at, one in enumerate(by_place):
        for other in by_place[at + 1 :]:
            if arts[other].x > arts[one].right:
                break
            if arts[one].overlaps(arts[other]):
                below, above = sorted((one, other), key=lambda number: painted[number])
                words = _words(page.matches[below], faces[below])
                if any(arts[above].overlaps(run) for run in words):
                    return True
    return False


_CHORDS: Final = 16
"""Lines that stand in for a curve: of a quarter of a circle, off by 0.0012 of its radius."""


class MarkInk(NamedTuple):
    """Where a mark may be, mm: within half its width of the line between two places, or of the
    curve of Bézier that four tell; of one that is no line, in the box of which two are corners.
    `dark` is how much of solid ink its colour takes, 0 to 1."""

    places: tuple[PagePoint, ...]
    width: float
    is_line: bool
    dark: float = 0.0

    @property
    def area(self) -> float:
        """mm² that are inked; of a box, at most."""
        (x, y), (right, bottom) = self.places[0], self.places[-1]
        if not self.is_line:
            return abs((right - x) * (bottom - y))
        return self.width * summed(math.dist(*line) for line in pairwise(self.places))

    def meets(self, box: Rect) -> bool:
        """True when some of it may be in a box."""
        grown = box.grown(self.width / 2)
        right, bottom = grown.right, grown.bottom
        xs, ys = zip(*self.places, strict=True)
        if max(xs) < grown.x or min(xs) > right or max(ys) < grown.y or min(ys) > bottom:
            return False
        if not self.is_line:
            return True
        places = self.places if len(self.places) == 2 else (self.places[0], *_chords(*self.places))
        return any(_crosses(*line, grown) for line in pairwise(places))


def _crosses(start: PagePoint, end: PagePoint, box: Rect) -> bool:
    """True when a line is in a box somewhere (Liang and Barsky)."""
    first, last = 0.0, 1.0
    for at, to, least, most in (
        (start[0], end[0], box.x, box.right),
        (start[1], end[1], box.y, box.bottom),
    ):
        if at == to:
            if not least <= at <= most:
                return False
            continue
        ends = sorted(((least - at) / (to - at), (most - at) / (to - at)))
        first, last = max(first, ends[0]), min(last, ends[1])
    return first <= last


def _chords(
    one: PagePoint, two: PagePoint, three: PagePoint, four: PagePoint
) -> Iterator[PagePoint]:
    for step in range(1, _CHORDS + 1):
        t = step / _CHORDS
        a, b, c, d = (1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t * t * (1 - t), t**3
        x = a * one[0] + b * two[0] + c * three[0] + d * four[0]
        y = a * one[1] + b * two[1] + c * three[1] + d * four[1]
        yield x, y


def ink_on(sheet: pypdfium2.PdfPage, to_paper: Matrix) -> Iterator[MarkInk]:
    """All that is drawn on a page itself."""
    for index in range(pdfium.FPDFPage_CountObjects(sheet.raw)):
        item = pdfium.FPDFPage_GetObject(sheet.raw, index)
        if pdfium.FPDFPageObj_GetType(item) == pdfium.FPDF_PAGEOBJ_PATH and not _is_filled(item):
            width, dark = (
                stroke_width(item, to_paper),
                _darkness(pdfium.FPDFPageObj_GetStrokeColor, item),
            )
            for places in lines_of(item, to_paper.then(matrix_of(item))):
                yield MarkInk(places, width, True, dark)
        else:
            box, dark = box_of(item, to_paper), _darkness(pdfium.FPDFPageObj_GetFillColor, item)
            yield MarkInk(((box.x, box.y), (box.right, box.bottom)), 0.0, False, dark)


def _darkness(read: Callable[..., Any], item: Any) -> float:
    painted = colour_of(read, item)
    return (1 - summed(painted[0]) / (3 * 255)) * painted[1] / 255 if painted else 0.0


def _is_filled(path: Any) -> bool:
    fills = ctypes.c_int()
    told = pdfium.FPDFPath_GetDrawMode(path, fills, ctypes.c_int())
    return not told or bool(fills.value)
