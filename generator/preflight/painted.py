"""Reads which texts, pictures and shapes a page or a form paints, each with its colour and
place."""

from __future__ import annotations

import ctypes
import math
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final

import pypdfium2.raw as pdfium
from msgspec import Struct
from msgspec.structs import replace

from generator.geometry import Matrix, Point, Rect, around, mm_to_pt, pt_to_mm, summed
from generator.preflight.near_cut import (
    NEAR,
    UNSEEN,
    Cut,
    CutLine,
    NearCut,
    OutlinedWord,
    Outside,
    Stray,
    outlined_words,
)
from generator.preflight.page_objects import (
    Clips,
    Colour,
    PageObject,
    WordsOfPage,
    box_of,
    colour_of,
    drawn_size,
    lines_of,
    matrix_of,
    outline_of,
)

_SAME_SIZE: Final = 0.01  # pt
_CLOSE: Final = 0.5
"""Em between two glyphs of one run."""
_APART: Final = 0.1
"""The same where PDFium tells a space that nobody set: large letters are each a text of its own."""
_AGAIN: Final = 0.2
"""Of its size by which a text may differ from the same one in the same place."""
_OVER: Final = 0.5
"""Of the narrower of two letters: what shares more is over the other, and not next to it."""


def joined_runs(glyphs: Sequence[PaintedText]) -> Iterator[PaintedText]:
    """Runs of what was set glyph by glyph: alike, in a row and close together."""
    run: PaintedText | None = None
    for glyph in glyphs:
        if run is None or not _continues(run, glyph):
            if run is not None:
                yield run
            run = glyph
            continue
        empty = not (run.box.width and run.box.height)
        box = (
            glyph.box if empty else around((run.box, glyph.box)) if glyph.words.strip() else run.box
        )
        run = replace(run, box=box, words=run.words + glyph.words)
    if run is not None:
        yield run


def _continues(run: PaintedText, glyph: PaintedText) -> bool:
    if (run.font, run.colour, run.alpha, run.mode, run.turn) != (
        glyph.font,
        glyph.colour,
        glyph.alpha,
        glyph.mode,
        glyph.turn,
    ) or abs(run.size_pt - glyph.size_pt) > _SAME_SIZE:
        return False
    if not glyph.words and _is_as_large(run.box, glyph.box):
        return False  # PDFium tells no words of what was painted just there before
    if not glyph.words.strip() or not run.words.strip():
        return True
    em = pt_to_mm(run.size_pt)
    close = em * (_APART if run.words.endswith(" ") else _CLOSE)
    shared = max(run.box.cut_to(glyph.box).width, 0.0)
    if _is_letters(run) and _is_letters(glyph):
        narrow = min(run.box.width, glyph.box.width)
        if shared > min(em * _CLOSE, narrow * _OVER):
            return False
    return (
        run.box.grown(close).overlaps(glyph.box)
        and shared <= em * _CLOSE
        and run.turn % 180 == 0
        and (abs(run.box.bottom - glyph.box.bottom) < em * _CLOSE)
    )


def _is_as_large(one: Rect, other: Rect) -> bool:
    """Whether two boxes are in one place, nearly, and of one size."""
    wide, high = one.width, one.height
    shared = one.cut_to(other)
    off = max(abs(wide - other.width), abs(high - other.height))
    near = shared.width > wide / 2 and shared.height > high / 2
    return near and off <= _AGAIN * min(wide, high)


def _is_letters(run: PaintedText) -> bool:
    """True for what stands in a line by itself, as the marks over letters do not."""
    return run.words.strip().isalnum()


STROKED: Final = (1, 2, 5, 6)
"""Text rendering modes that draw the outlines of the glyphs."""
FINE: Final = 0.1
"""mm: a line that is thinner is drawn as wide as a printer likes, or not at all."""
_LINE: Final = 15.0
"""mm that such a line is long or wide: many shorter ones are the grain of a drawing."""
_GRAIN: Final = 6
"""Shorter ones that are too few for that."""
_SHORT_LINE: Final = 3.0
"""mm that one is long which is told all the same."""
_DASH: Final = 1.0
"""mm: still shorter ones are dots and serifs, which nobody misses; from so many on they count."""
_SHORT_FOREIGN: Final = 5.0
_EVEN: Final = 0.001
"""Of an area, by which a scale may be longer one way than the other."""
_IN_SMALL, _DRAWING = 0.35, 6
"""mm of a unit: what is drawn smaller, in more paths than so many, is a picture of something in
small, whose lines grow thin with it and may be lost. Templates draw in mm, other programs in pt
(0.35 mm). The same of short lines is below."""
_SHORT_IN_SMALL, _ICON = 0.6, 3
_SLIVER: Final = 0.03
"""mm that two edges which should meet leave of a thing."""
_ROUNDING: Final = 0.005
_SAME_CORNER: Final = 0.3
"""mm by which a corner of a thing may lie otherwise where that is drawn a second time."""
_MOST_MOTIFS: Final = 400
"""Of a face: more are no drawing of a thing but a pattern."""
_MOST_CORNERS: Final = 200


class PaintedText(Struct, frozen=True):
    """A run of glyphs of one font and colour: box on the page (mm), printed size (pt) and its
    words; `alpha` counts what it is in as well; `mode` is the text rendering mode (PDF 1.7, 9.3.6:
    0 filled, 3 invisible); `turn` is clockwise, degrees; `order` counts what is painted in the
    face, lowest first; `stroke` is the colour of its outline; `clip` is the box of what it is cut
    to by clip paths, mm; `mirrored` letters are read from the back."""

    box: Rect
    size_pt: float
    font: str
    words: str
    colour: Colour
    alpha: int
    mode: int
    turn: float
    order: int
    stroke: Colour | None = None
    clip: Rect | None = None
    mirrored: bool = False


class PaintedImage(Struct, frozen=True):
    """A picture: box on the page (mm), pixels, and the bytes that its stream takes."""

    box: Rect
    pixels: tuple[int, int]
    stored: int
    order: int


class PaintedShape(Struct, frozen=True):
    """A path or shading: box on the page (mm), how many segments, fill and stroke, either None;
    a digest of its outline."""

    box: Rect
    segments: int
    fill: Colour | None
    stroke: Colour | None
    alpha: int
    order: int
    outline: int = 0


class FineLine(Struct, frozen=True):
    """A line that is thinner than `FINE`: box on the page and width, mm."""

    box: Rect
    width: float


class Motif(Struct, frozen=True):
    """A path or picture of what is folded: its box on the page (mm), its corners in order, as they
    lie about its middle, and what else must be alike for two to be the same (of a picture its
    pixels and bytes)."""

    box: Rect
    corners: tuple[tuple[float, float], ...]
    what: tuple[int, ...] = ()

    @property
    def turned(self) -> tuple[tuple[float, float], ...]:
        """Its corners when it stands on its head."""
        return tuple((-x, -y) for x, y in self.corners)

    @property
    def is_even(self) -> bool:
        """True for a shape that looks the same then."""
        return not self.what and all(
            any(math.dist(corner, other) < _SAME_CORNER for other in self.turned)
            for corner in self.corners
        )

    def is_as(self, other: Motif, corners: Sequence[tuple[float, float]]) -> bool:
        """Whether these are the corners of another, which is the same thing."""
        return (
            self.what == other.what
            and len(corners) == len(other.corners)
            and all(
                math.dist(a, b) < _SAME_CORNER for a, b in zip(corners, other.corners, strict=True)
            )
        )


class Painted(Struct, frozen=True):
    """All that a face paints, each list in order of painting. It would look the same if its texts
    were painted after all else, but for what is near those in `covered`, of which it is not known;
    None where any of them might look otherwise. `fine` are the lines too thin to print, `near` is
    all that comes near the edge of the trim, `astray` are icons and words in outlines that lie over
    it, or are out of the safe zone."""

    texts: tuple[PaintedText, ...]
    images: tuple[PaintedImage, ...]
    shapes: tuple[PaintedShape, ...]
    covered: tuple[PaintedText, ...] | None = None
    fine: tuple[FineLine, ...] = ()
    near: tuple[NearCut, ...] = ()
    astray: tuple[Stray, ...] = ()
    motifs: tuple[Motif, ...] = ()
    outlined: tuple[OutlinedWord, ...] = ()


class PaintedReader:
    """Reads faces of one page; `text_page` is PDFium's own of the same page, `to_paper` brings its
    points to the mm that places are told in. Of a `foreign` page, which another program wrote in
    units of its own, every fine line counts, however it is drawn."""

    def __init__(
        self, page: Any, text_page: Any, to_paper: Matrix, *, foreign: bool = False
    ) -> None:
        self._page = page
        self.to_paper = to_paper
        self._fine_lines = _foreign_lines if foreign else _fine_lines
        self._words = WordsOfPage(text_page)
        self._fonts: dict[int, str] = {}
        self._clips = Clips()

    def read(
        self,
        objects: Sequence[PageObject],
        *,
        words_only: bool = False,
        cut: CutLine | None = None,
        safe: float = 0.0,
        art: Rect | None = None,
        folded: bool = False,
        turn: int = 0,
    ) -> Painted:
        """What the objects of a form that is drawn on the page itself, so turned, paint; of it only
        the texts, if nobody asks for pictures and shapes. What lies over a `cut`, or so
        near to it, mm, is told of; `art` is all that the face has, bleed and all.
        Of what is `folded` its motifs and outlined words are told, too."""
        texts: list[PaintedText] = []
        images: list[PaintedImage] = []
        shapes: list[PaintedShape] = []
        after: list[tuple[int, Rect]] = []
        outside = Outside(Cut(*(cut or (Rect(0, 0, 0, 0),))), safe, art, self._clips)
        mixed = False
        for order, (item, kind, matrix, alpha, _) in enumerate(objects):
            if kind == pdfium.FPDF_PAGEOBJ_TEXT:
                texts.append(self._text(item, matrix, alpha, order))
                mixed = mixed or objects[order].mixes
                continue
            if cut and kind == pdfium.FPDF_PAGEOBJ_PATH:
                outside.look_at(item, matrix, alpha, order)
            elif cut and kind == pdfium.FPDF_PAGEOBJ_IMAGE:
                outside.look_at_picture(item, matrix)
            if words_only and not texts:
                continue
            box = box_of(item, matrix)
            if texts:
                after.append((order, box))
            if words_only:
                continue
            if kind == pdfium.FPDF_PAGEOBJ_IMAGE:
                images.append(self._image(item, box, order))
            else:
                shapes.append(_shape(objects[order], box, order, turn))
        # what clips one glyph of a run clips them all, and asking takes time
        runs = tuple(_clipped(run, objects[run.order], self._clips) for run in joined_runs(texts))
        covered = None if mixed else tuple(_covered(runs, after))
        return Painted(
            runs,
            tuple(images),
            tuple(shapes),
            covered,
            tuple(self._fine_lines(objects, self._clips)),
            tuple(outside.near),
            tuple(outside.astray(objects)),
            tuple(_motifs(objects)) if folded else (),
            tuple(outlined_words(objects)) if folded else (),
        )

    def _text(self, item: Any, outside: Matrix, around: float, order: int) -> PaintedText:
        size = ctypes.c_float()
        pdfium.FPDFTextObj_GetFontSize(item, size)
        a, b, c, d, _, _ = outside.then(matrix_of(item))
        box, font, high = box_of(item, outside), self._font(item), size.value * math.hypot(c, d)
        if not font:
            high = drawn_size(item, high, box.height if abs(a) >= abs(b) else box.width)
        mode = pdfium.FPDFTextObj_GetTextRenderMode(item)
        colour, alpha = colour_of(pdfium.FPDFPageObj_GetFillColor, item) or ((0, 0, 0), 255)
        outline = colour_of(pdfium.FPDFPageObj_GetStrokeColor, item) if mode in STROKED else None
        return PaintedText(
            box,
            mm_to_pt(high),
            font,
            self._words.of(item),
            colour,
            round(alpha * around),
            mode,
            math.degrees(math.atan2(b, a)) % 360,
            order,
            outline and outline[0],
            mirrored=a * d - b * c > 0,
        )

    def _image(self, item: Any, box: Rect, order: int) -> PaintedImage:
        told = pdfium.FPDF_IMAGEOBJ_METADATA()
        pdfium.FPDFImageObj_GetImageMetadata(item, self._page, told)
        stored = pdfium.FPDFImageObj_GetImageDataRaw(item, None, 0)
        return PaintedImage(box, (told.width, told.height), stored, order)

    def _font(self, item: Any) -> str:
        font = pdfium.FPDFTextObj_GetFont(item)
        address = ctypes.addressof(font.contents) if font else 0
        if address not in self._fonts:
            name = _string(lambda buffer, room: pdfium.FPDFFont_GetBaseFontName(font, buffer, room))
            self._fonts[address] = name.decode("utf-8", "replace") if font else ""
        return self._fonts[address]


def _shape(drawn: PageObject, box: Rect, order: int, turn: int) -> PaintedShape:
    item = drawn.item
    fills, strokes = ctypes.c_int(), ctypes.c_int()
    segments = outline = 0
    if drawn.kind == pdfium.FPDF_PAGEOBJ_PATH:
        pdfium.FPDFPath_GetDrawMode(item, fills, strokes)
        segments = pdfium.FPDFPath_CountSegments(item)
        outline = outline_of(item, drawn.matrix, box, turn)
    filled = colour_of(pdfium.FPDFPageObj_GetFillColor, item) if fills.value else None
    stroked = colour_of(pdfium.FPDFPageObj_GetStrokeColor, item) if strokes.value else None
    fill, stroke = filled and filled[0], stroked and stroked[0]
    alpha = max([paint[1] for paint in (filled, stroked) if paint], default=255)
    return PaintedShape(box, segments, fill, stroke, round(alpha * drawn.opaque), order, outline)


def _motifs(objects: Sequence[PageObject]) -> Iterator[Motif]:
    """The paths and pictures, if they are not too many."""
    kinds = pdfium.FPDF_PAGEOBJ_PATH, pdfium.FPDF_PAGEOBJ_IMAGE
    things = [drawn for drawn in objects if drawn.kind in kinds]
    for item, kind, outside, *_ in things if len(things) <= _MOST_MOTIFS else ():
        box, matrix = box_of(item, outside), outside.then(matrix_of(item))
        what: tuple[int, ...] = ()
        if kind == pdfium.FPDF_PAGEOBJ_IMAGE:
            what = (int(pdfium.FPDFImageObj_GetImageDataRaw(item, None, 0)),)
            ends = [matrix.point(Point(x, y)) for x, y in ((0, 0), (1, 0), (0, 1))]
            corners = [(end.x, end.y) for end in ends]
        elif pdfium.FPDFPath_CountSegments(item) <= _MOST_CORNERS:
            corners = [line[0] for line in lines_of(item, matrix)]
        else:
            continue
        centre = box.centre
        yield Motif(box, tuple((x - centre.x, y - centre.y) for x, y in corners), what)


def _fine_lines(objects: Sequence[PageObject], clips: Clips) -> Iterator[FineLine]:
    """The lines of paths that are too thin, but for many short ones and those of a drawing in
    small: several things of one scale."""
    lines = [(o, line) for o in objects if (line := _fine_line(o, clips)) is not None]
    short = summed(max(line.box.width, line.box.height) < _LINE for _, line in lines)
    least = _LINE if short > _GRAIN else _SHORT_LINE
    scales = Counter(_scale(o) for o in objects if lines and o.kind == pdfium.FPDF_PAGEOBJ_PATH)
    long = [(o, line) for o, line in lines if max(line.box.width, line.box.height) >= least]
    for drawn, line in long:
        small, drawing = _IN_SMALL, _DRAWING
        if max(line.box.width, line.box.height) < _LINE:
            small, drawing = _SHORT_IN_SMALL, _ICON
        if _scale(drawn) >= small or scales[_scale(drawn)] <= drawing:
            yield line


def _scale(drawn: PageObject) -> float:
    """mm of a unit in which a path is drawn."""
    return round(drawn.matrix.then(matrix_of(drawn.item)).across, 3)


def _foreign_lines(objects: Sequence[PageObject], clips: Clips) -> Iterator[FineLine]:
    lines = (_fine_line(drawn, clips) for drawn in objects)
    return (one for one in lines if one and max(one.box.width, one.box.height) >= _SHORT_FOREIGN)


def _fine_line(drawn: PageObject, clips: Clips) -> FineLine | None:
    """The line of a path, if it is too thin, or a filled bar that is; not one around a shape of its
    own colour, or very short."""
    item, kind, outside, around, _ = drawn
    if kind != pdfium.FPDF_PAGEOBJ_PATH:
        return None
    fills, strokes = ctypes.c_int(), ctypes.c_int()
    pdfium.FPDFPath_GetDrawMode(item, fills, strokes)
    if not strokes.value:
        return _bar(item, outside, around, clips) if fills.value else None
    width = _thinnest(item, outside)
    if width >= FINE - _ROUNDING:
        return None
    colour = colour_of(pdfium.FPDFPageObj_GetStrokeColor, item)
    ground = colour_of(pdfium.FPDFPageObj_GetFillColor, item) if fills.value else None
    if colour is None or colour == ground or colour[1] * around < UNSEEN:
        return None
    box = box_of(item, outside)
    return FineLine(box, width) if max(box.width, box.height) >= _DASH else None


def _thinnest(item: Any, outside: Matrix) -> float:
    """How wide a path's line is, mm, where it is thinnest over some length: at a scale that is not
    even that hangs on which way it goes."""
    matrix, width = outside.then(matrix_of(item)), stroke_width(item, outside)
    area = abs(matrix.area)
    if not area or matrix.across**2 + matrix.down**2 - 2 * area < _EVEN * area:
        return width
    back, unit = matrix.inverse, width / matrix.across
    thin, length = FINE, 0.0
    for (x, y), *_, (to_x, to_y) in lines_of(item, matrix):
        right, down = to_x - x, to_y - y
        long = math.hypot(right, down)
        drawn = math.hypot(back.a * right + back.c * down, back.b * right + back.d * down)
        if long and unit * area * drawn / long < FINE - _ROUNDING:
            thin, length = min(thin, unit * area * drawn / long), length + long
    return thin if length >= _SHORT_LINE else FINE


def _bar(item: Any, outside: Matrix, around: float, clips: Clips) -> FineLine | None:
    """A bar as thin as a line, which is how some programs draw one, or what a clip path leaves of
    something."""
    box, clip = box_of(item, outside), clips.box_of(item)
    if clip is not None:
        shown = box.cut_to(outside.box(clip))
        if shown != box and min(shown.width, shown.height) < _SLIVER:
            return None
        box = shown
    width, length = sorted((box.width, box.height))
    colour = colour_of(pdfium.FPDFPageObj_GetFillColor, item)
    thin = width < FINE - _ROUNDING and length >= _DASH
    return FineLine(box, width) if thin and colour and colour[1] * around >= UNSEEN else None


def stroke_width(item: Any, outside: Matrix) -> float:
    """How wide a path's line is, mm, if it has one."""
    width = ctypes.c_float()
    pdfium.FPDFPageObj_GetStrokeWidth(item, width)
    return width.value * outside.then(matrix_of(item)).across


def _clipped(run: PaintedText, drawn: PageObject, clips: Clips) -> PaintedText:
    box = clips.box_of(drawn.item)
    return run if box is None else replace(run, clip=drawn.matrix.box(box))


def _covered(
    runs: Sequence[PaintedText], after: Sequence[tuple[int, Rect]]
) -> Iterator[PaintedText]:
    """The runs that a box which is painted after them meets, or comes near."""
    edges = [(order, box.x, box.y, box.x + box.width, box.y + box.height) for order, box in after]
    for run in runs:
        place = run.box.grown(NEAR)
        x, y, end, foot = place.x, place.y, place.x + place.width, place.y + place.height
        for order, left, top, right, bottom in edges:
            if x < right and left < end and y < bottom and top < foot and run.order < order:
                yield run
                break


def _string(fill: Callable[[Any, int], int]) -> bytes:
    """What a function of PDFium writes, which first tells how many bytes it needs."""
    size = fill(None, 0)
    if not size:
        return b""
    buffer = ctypes.create_string_buffer(size)
    fill(buffer, size)
    return buffer.raw[: size - 1]
