"""Measures a display list: the values of a face that checks look at."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from msgspec.structs import replace

from generator.geometry import Matrix, Rect, pt_to_mm, summed
from generator.model.painted import (
    Painted,
    PaintedArt,
    PaintedPicture,
    PaintedShape,
    PaintedText,
)
from generator.render.display import (
    Clips,
    GroupMark,
    LetterMark,
    Mark,
    PictureMark,
    PlacedClip,
    ShapeMark,
)
from generator.render.face_builder import FaceBuilder, TypesetText
from generator.render.painting import Paint, Painter, box_of, picture_box

_KEPT: Final = 100_000
_ABOVE, _BELOW = 0.75, 0.22
"""The reach of letters above and below their baseline, em, in most fonts."""
_OPAQUE: Final = ("RGB", "L", "1", "CMYK", "YCbCr", "I;16")
"""Pillow's modes of pictures without transparency."""
Shapes = tuple[PaintedShape, ...]


class Measurer:
    """Measures faces of one painter; equal shapes in equal places are measured once."""

    def __init__(self, painter: Painter) -> None:
        self.painter = painter
        self._shapes: dict[ShapeMark, Shapes] = {}

    def measured(self, builder: FaceBuilder, marks: Sequence[Mark]) -> tuple[Painted, ...]:
        """Return everything that marks paint, in order."""
        return tuple(self._all(builder, marks, box_of(builder.stock), 1.0))

    def _all(
        self, builder: FaceBuilder, marks: Sequence[Mark], whole: Rect, opacity: float
    ) -> Iterator[Painted]:
        for mark in marks:
            if isinstance(mark, ShapeMark):
                yield from self._measured(mark, opacity)
            elif isinstance(mark, LetterMark):
                yield from self._text(builder, mark, opacity)
            elif isinstance(mark, PictureMark):
                yield from _picture(builder, mark, opacity)
            elif isinstance(mark, GroupMark):
                yield from self._all(builder, mark.marks, whole, opacity * mark.opacity)
            else:
                yield PaintedArt(cut(whole, mark.clips))

    def _measured(self, mark: ShapeMark, opacity: float) -> Shapes:
        known = self._shapes.get(mark)
        if known is None:
            if len(self._shapes) >= _KEPT:
                self._shapes.clear()
            known = self._shapes[mark] = tuple(self._shape(mark))
        if opacity == 1.0:
            return known
        return tuple(replace(shape, opacity=shape.opacity * opacity) for shape in known)

    def _shape(self, mark: ShapeMark) -> Iterator[PaintedShape]:
        look, outline, matrix = mark.look, mark.outline, mark.matrix
        box = matrix.box(outline.box)
        if _is_hidden(box, cut(box, mark.clips)):
            return
        upright = not (matrix.b or matrix.c) or not (matrix.a or matrix.d)
        clipped = any(not is_upright_box(clip) for clip in mark.clips)
        if mark.fills:
            colour, opacity = "", look.fill_opacity
            if mark.fill is None:
                paint = self.painter.paint(look.fill)
                colour, opacity = paint.colour, paint.opacity * look.fill_opacity
            yield PaintedShape(
                cut(box, mark.clips),
                colour,
                opacity * mark.opacity,
                0.0,
                outline.is_rect and upright,
                outline.segments,
                matrix,
                clipped,
                outline.path,
                outline.area * abs(matrix.area),
            )
        if look.strokes:
            paint = Paint("", 1.0) if mark.line else self.painter.paint(look.stroke)
            width = look.stroke_width * abs(matrix.area) ** 0.5
            yield PaintedShape(
                cut(box.grown(width / 2), mark.clips),
                paint.colour,
                paint.opacity * look.stroke_opacity * mark.opacity,
                width,
                False,
                outline.segments,
                matrix,
                clipped,
                outline.path,
            )

    def _text(
        self, builder: FaceBuilder, mark: LetterMark, opacity: float
    ) -> Iterator[PaintedText]:
        placed = builder.texts[mark.number]
        what, look, matrix = placed.what, mark.look, mark.matrix
        if not what.fitted.lines:
            return
        paint = look.fill if what.paint == "inherit" else what.paint
        colour, opaque = "", 1.0
        if paint in ("none", "transparent"):
            colour = "none"
        elif not paint.startswith("url("):
            printed = self.painter.paint(paint)
            colour, opaque = printed.colour, printed.opacity * look.fill_opacity
        outline, width = "", 0.0
        if look.strokes and not look.stroke.startswith("url("):
            outline = self.painter.paint(look.stroke).colour
            width = look.stroke_width * abs(matrix.area) ** 0.5
        box = matrix.box(what.used)
        yield PaintedText(
            box,
            cut(box, mark.clips),
            placed.words,
            what.style.name,
            what.fitted.size_pt * matrix.down,
            colour,
            opaque * opacity,
            outline,
            width,
            what.style.weight,
            matrix,
            matrix.across,
            matrix.down,
            what.style.decoration,
            mark.number,
            _strips(what),
        )


def _strips(what: TypesetText) -> tuple[Rect, ...]:
    """Return the strips that the lines of a text cover, about."""
    strips = []
    for line in what.fitted.lines:
        size = pt_to_mm(what.fitted.size_pt)
        left, top = what.x + line.x, what.y + line.y - _ABOVE * size
        strip = Rect(left, top, line.width, (_ABOVE + _BELOW) * size)
        strips.append(strip.cut_to(what.used))
    return tuple(strips)


def _picture(
    builder: FaceBuilder, mark: PictureMark, opacity: float
) -> Iterator[PaintedPicture | PaintedArt]:
    placed = builder.pictures.get(mark.href)
    if mark.box.width <= 0 or mark.box.height <= 0:
        return
    if placed is None:
        if mark.href in builder.drawings:
            yield PaintedArt(cut(mark.matrix.box(mark.box), mark.clips))
        return
    whole = picture_box(mark, placed.info.size)
    shown = whole.cut_to(mark.box) if mark.fit.endswith("slice") else whole
    place = Matrix(whole.width, 0, 0, whole.height, whole.x, whole.y)
    box = mark.matrix.box(shown)
    if _is_hidden(box, cut(box, mark.clips)):
        return
    yield PaintedPicture(
        cut(box, mark.clips),
        mark.matrix.then(place),
        placed.asset.href,
        placed.name,
        placed.info.width_px,
        placed.info.height_px,
        mark.opacity * opacity,
        any(not is_upright_box(clip) for clip in mark.clips),
        placed.info.mode not in _OPAQUE,
    )


def cut(box: Rect, clips: Clips) -> Rect:
    """Return the part of a box inside the boxes of clip paths."""
    for clip in clips:
        boxes = [clip.matrix.then(s.matrix).box(s.outline.box) for s in clip.shapes]
        if len(boxes) == 1 and not boxes[0].contains(box):
            box = box.cut_to(boxes[0])
    return box


def _is_hidden(whole: Rect, shown: Rect) -> bool:
    return (shown.width <= 0 < whole.width) or (shown.height <= 0 < whole.height)


def is_upright_box(clip: PlacedClip) -> bool:
    """Return True if a clip path is one upright rectangle."""
    if len(clip.shapes) != 1 or not clip.shapes[0].outline.is_rect:
        return False
    whole = clip.matrix.then(clip.shapes[0].matrix)
    return not (whole.b or whole.c) or not (whole.a or whole.d)


_CELLS: Final = 64
"""Cells of a grid over a face, across and down."""
_ROWS: Final = [summed(1 << (_CELLS * row) for row in range(count)) for count in range(_CELLS + 1)]


def texts_on_top(painted: Sequence[Painted], whole: Rect) -> frozenset[int]:
    """Return the numbers of texts with nothing painted over them later, by the cells of a grid;
    what comes close counts as over."""
    found: set[int] = set()
    later = 0
    for one in reversed(painted):
        cells = _cells(one.box, whole)
        if isinstance(one, PaintedText) and not cells & later:
            found.add(one.number)
        later |= cells
    return frozenset(found)


def _cells(box: Rect, whole: Rect) -> int:
    """Return the cells that a box touches, one bit each."""
    across, down = _CELLS / whole.width, _CELLS / whole.height
    left = min(max(int((box.x - whole.x) * across), 0), _CELLS - 1)
    top = min(max(int((box.y - whole.y) * down), 0), _CELLS - 1)
    right = min(max(int((box.right - whole.x) * across), left), _CELLS - 1)
    bottom = min(max(int((box.bottom - whole.y) * down), top), _CELLS - 1)
    row = ((1 << (right - left + 1)) - 1) << left
    return row * _ROWS[bottom - top + 1] << (_CELLS * top)
