"""Shares out the place of rows, columns and tables among their boxes."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from typing import Final

from msgspec.structs import replace

from generator.geometry import pt_to_mm
from generator.model.face_file import COLUMN, ROW, TABLE, At, FaceBox
from generator.render.texts import TextHelpers

BODY: Final = "body"
_SET: Final = ("text", "words", TABLE)
_BADGED: Final = "badge"
_LETTERED: Final = ("text", "words", _BADGED)
_HIGH: Final = (*_SET, "line")
"""Boxes that are set as text, and those that know how high they are."""
_AIR: Final = 0.25
"""Between the lines of a table, and between its words and values, in sizes of its letters."""
_HAIRLINE: Final = 0.15
"""The width of lines in a table, mm."""
_MARGIN: Final = 0.08
"""At the sides of a badge, in parts of its width or height, the smaller one."""
_SHARES: Final = tuple(step / 40 for step in range(40, 15, -1))
"""Sizes that are tried for the texts of a column, as parts of the largest."""


class BoxPlaces:
    """Places the boxes of rows, columns and tables. `words_of` gives the text of a box, `is_empty`
    says whether it draws nothing."""

    def __init__(
        self,
        texts: TextHelpers,
        words_of: Callable[[FaceBox], str],
        is_empty: Callable[[FaceBox], bool],
    ) -> None:
        self._texts = texts
        self._words_of = words_of
        self._is_empty = is_empty

    def parts(self, box: FaceBox) -> Iterator[FaceBox]:
        """Yield a box, or those of a row, column or table that draw something, each with its part
        of the place."""
        if box.what == TABLE:
            box = replace(box, what=COLUMN, boxes=(box,))
        for one in self._shared_out(box) if box.boxes else (box,):
            yield from self._lines(one) if one.what == TABLE else (one,)

    def _shared_out(self, box: FaceBox) -> Iterator[FaceBox]:
        """Yield the boxes of a row or column that draw something, with their places."""
        shown = [one for one in box.boxes if not self._is_empty(one)]
        x, y, w, h = box.at
        gaps = box.gap * (len(shown) - 1)
        if box.what == ROW:
            yield from self._side_by_side(box, shown)
            return
        sizes, heights = self._fitted(shown, w, h - gaps)
        spare = h - gaps - sum(heights)
        top = y + {"top": 0.0, "bottom": spare}.get(box.valign, spare / 2)
        for one, size, high in zip(shown, sizes, heights, strict=True):
            yield replace(one, at=(x, top, w, high), size=size, steps=())
            top += high + box.gap

    def _side_by_side(self, box: FaceBox, shown: Sequence[FaceBox]) -> Iterator[FaceBox]:
        """Yield the boxes of a row, each with its place. With `align` they are as wide as if none
        was empty."""
        x, y, w, h = box.at
        count = len(box.boxes if box.align else shown)
        lines = math.ceil(count / (box.across or max(1, count)))
        across = math.ceil(count / max(1, lines))
        wide = (w - box.gap * (across - 1)) / max(1, across)
        used = math.ceil(len(shown) / max(1, across))
        high = (h - box.gap * (used - 1)) / max(1, used)
        share = self._common_share(shown, wide, high)
        for number, one in enumerate(shown):
            line, place = divmod(number, across)
            spare = across - min(across, len(shown) - line * across)
            moved = place + {"center": spare / 2, "right": spare}.get(box.align or "", 0)
            at = x + moved * (wide + box.gap), y + line * (high + box.gap), wide, high
            yield replace(one, at=at, size=self._size(one, share))

    def _common_share(self, boxes: Sequence[FaceBox], w: float, h: float) -> float:
        """Return how much smaller all texts of a row are, so that each fits its box."""
        fits = self._texts.fits
        texts = [
            (replace(one, at=(0, 0, w, h)), self._words_of(one))
            for one in boxes
            if one.what in _LETTERED
        ]
        sizes = (
            share
            for share in _SHARES
            if all(
                fits(text, *within(one)[2:], one.style or BODY, self._size(one, share))
                for one, text in texts
            )
        )
        return next(sizes, _SHARES[-1])

    def _lines(self, box: FaceBox) -> Iterator[FaceBox]:
        """Yield the words and values of a table with their places."""
        x, y, w, h = box.at
        lines = self._set_lines(box, w, box.size)
        scale = h / max(0.1, sum(high for _, high in lines))
        air = _AIR * pt_to_mm(self._size(box, 1) or 0)
        for number, (line, high) in enumerate(lines):
            if number and box.lines is not None:
                line_box = replace(box, what="line", value=box.lines, boxes=(), width=_HAIRLINE)
                yield replace(line_box, at=(x, y, w, 0.0))
            for place, (words, value, share) in enumerate(line):
                wide = (w + box.gap) / (box.across or 1) - box.gap
                left = x + place * (wide + box.gap)
                yield replace(words, at=(left, y, wide - share - air, high * scale), size=box.size)
                at = left + wide - share, y, share, high * scale
                yield replace(value, at=at, size=box.size)
            y += high * scale

    def _set_lines(
        self, box: FaceBox, w: float, size: float | None
    ) -> list[tuple[list[tuple[FaceBox, FaceBox, float]], float]]:
        """Return the lines of a table with their heights, mm: in each the words, the values, and
        the widths of these. Words have the place that they need, up to two thirds."""
        across = box.across or 1
        wide = (w + box.gap) / across - box.gap
        air = _AIR * pt_to_mm(self._size(box, 1) or 0)
        entries = [
            (words, value, min(self._width(value, size), max(wide / 3, wide - air - label)))
            for words, value in self._filled_lines(box)
            for label in (self._width(words, size),)
        ]
        lines = [entries[at : at + across] for at in range(0, len(entries), across)]
        return [
            (line, max(self._line_height(one, wide - air, size) for one in line) + air)
            for line in lines
        ]

    def _line_height(
        self, entry: tuple[FaceBox, FaceBox, float], wide: float, size: float | None
    ) -> float:
        words, value, share = entry
        high = self._height(words, wide - share, size), self._height(value, share, size)
        return max(high[0] or 0, high[1] or 0)

    def _filled_lines(self, box: FaceBox) -> list[tuple[FaceBox, FaceBox]]:
        """Return the lines of a table that have a value."""
        pairs = zip(box.boxes[::2], box.boxes[1::2], strict=True)
        return [pair for pair in pairs if not self._is_empty(pair[1])]

    def _width(self, box: FaceBox, size: float | None) -> float:
        """Return the width of a text on one line, mm."""
        return self._texts.text_width(self._words_of(box), box.style or BODY, size) + 0.05

    def _fitted(
        self, boxes: Sequence[FaceBox], w: float, h: float
    ) -> tuple[list[float | None], list[float]]:
        """Return the sizes of the texts in a column, pt, and the heights of its boxes, mm: texts
        have what they need, all a little smaller if that is too much; lines have their width, and
        others share the rest."""
        others = sum(box.what not in _HIGH for box in boxes)
        for share in _SHARES:
            sizes = [self._size(box, share) for box in boxes]
            needed = [self._height(box, w, size) for box, size in zip(boxes, sizes, strict=True)]
            used = sum(high for high in needed if high is not None)
            if used <= h or others:
                break
        else:
            needed = [None if high is None else high * h / used for high in needed]
            used = h
        rest = max(0.1, h - used) / max(1, others)
        return sizes, [rest if high is None else high for high in needed]

    def _size(self, box: FaceBox, share: float) -> float | None:
        """Return the size of a text in pt, so much smaller than it could be; None for others."""
        if box.what not in (*_SET, _BADGED):
            return box.size
        largest, smallest = self._texts.sizes(str(box.style or BODY))
        largest = box.size or largest
        return max(min(smallest, largest), largest * share)

    def _height(self, box: FaceBox, w: float, size: float | None) -> float | None:
        """Return the height that a text, a table or a line needs; None for others."""
        if box.what == "line":
            return box.width
        if box.what == TABLE:
            return sum(high for _, high in self._set_lines(box, w, size))
        if box.what not in _SET:
            return None
        text = self._words_of(box)
        return max(0.1, self._texts.text_height(text, w, box.style or BODY, size) + 0.01)


def within(box: FaceBox) -> At:
    """Return the place of a box's words: that of a badge leaves a margin at its sides."""
    x, y, w, h = box.at
    margin = _MARGIN * min(w, h) if box.what == _BADGED else 0.0
    return x + margin, y, w - 2 * margin, h
