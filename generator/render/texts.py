"""The helpers of templates that set text: `text_box`, `text_line`, `text_width`, `text_height`.

They leave a mark where the text stands on the face; docs/templates.md describes them.
"""

from __future__ import annotations

import functools
import hashlib
import unicodedata
from collections.abc import Callable
from html import unescape
from itertools import pairwise
from typing import Any, Final, NamedTuple

from markupsafe import Markup
from msgspec.structs import replace

from generator.diagnostics import Diagnostic, did_you_mean
from generator.fonts import FontLibrary
from generator.geometry import Rect
from generator.model.face import InlineIcon, TextRun
from generator.model.pack import SourceText
from generator.render.face_builder import CurrentFace, PlacedText, SetText
from generator.render.icons import IconHelper
from generator.render.reads import Watch
from generator.render.shapes import mm, number, size
from generator.render.styles import Palette, Styles, at_size
from generator.render.template_trace import calling
from generator.render.text_diagnostics import (
    GivenText,
    blame_mark,
    blame_missing,
    blame_overflow,
    left_over,
)
from generator.sandbox import Budget, as_text
from generator.text import (
    ALL,
    Align,
    FittedText,
    TextStyle,
    VAlign,
    fit_line,
    fit_text,
    mark_alone,
    measure,
)

MARK: Final = "<?text ?>"
"""Stands for a set text in what a template writes."""
ANCHORS: Final = ("start", "middle", "end")
ALIGNS: Final = tuple(map(str, Align))
VALIGNS: Final = tuple(map(str, VAlign))

_KEPT: Final = 1024
MAX_LETTERS: Final = 20_000
"""Characters of one text: a page of A4 in the smallest type has half of that."""
MAX_MARKS: Final = 30
"""Marks over and under one letter (accents and the like), each set over the one before."""
_PRICE: Final = 20
"""What setting a letter costs, in letters written."""
_TEXT: Final = 100
"""Letters that take as long to set as a text does, however short."""


def _unfit(text: str) -> tuple[str, str] | None:
    """Why a text is not even tried to be set, and what to do; None where it is."""
    if len(text) > MAX_LETTERS:
        message = f"a text of {len(text):,} characters; the most is {MAX_LETTERS:,}"
        return message, "make several texts of it, each with a box of its own"
    marks = 0
    for sign in "" if text.isascii() else text:
        marks = marks + 1 if unicodedata.category(sign).startswith("M") else 0
        if marks > MAX_MARKS:
            message = f"a letter with more than {MAX_MARKS} marks over and under it"
            return message, "no language has so many; take some out"
    return None


class _BoxSize(NamedTuple):
    width: float
    height: float | None


class _TextRequest(NamedTuple):
    """A text that is to be fitted into a box."""

    text: str
    rich: bool
    style: TextStyle
    room: _BoxSize
    align: str | None = None
    valign: str = "top"
    lines: tuple[int, int | None] = ALL


class _Where(NamedTuple):
    x: float
    y: float
    turn: float


class TextHelpers:
    """Sets text for templates in the styles of a pack."""

    def __init__(
        self,
        styles: Styles,
        fonts: FontLibrary,
        palette: Palette,
        icons: IconHelper,
        current: CurrentFace,
        budget: Budget,
        watch: Watch,
    ) -> None:
        self._styles = styles.text
        self._palette = palette
        self._icons = icons
        self._current = current
        self._budget = budget
        self._fonts = fonts
        # Headings and labels are the same on every face.
        self._fit = watch.remembered(self._fit_box, _KEPT)
        self._box = watch.remembered(self._set_box, _KEPT)
        self._line = watch.remembered(self._set_line, _KEPT)
        self._sized = functools.lru_cache(_KEPT)(at_size)

    def text_box(
        self,
        text: Any,
        x: float,
        y: float,
        w: float,
        h: float | None,
        style: str,
        align: str | None = None,
        valign: str = "top",
        colour: Any = None,
        rotate: float = 0,
        size: float | None = None,
        rich: bool | None = None,
    ) -> Markup:
        """Text wrapped in a box of w × h mm whose corner is (x, y), turned about its middle."""
        given, look = self._text(text, rich), self._style(style, size)
        room = _BoxSize(_size(w, "w"), None if h is None else _size(h, "h"))
        where = _Where(number(x, "x"), number(y, "y"), number(rotate, "rotate"))
        align = None if align is None else _one_of(align, ALIGNS, "align")
        valign = _one_of(valign, VALIGNS, "valign")
        if look is None:
            return Markup()
        paint = look.colour if colour is None else self._palette.paint(colour)
        asked = _TextRequest(given.plain, given.rich, look, room, align, valign)
        return self._put(
            lambda style: self._box(asked._replace(style=style), where, paint), look, given, room
        )

    def text_part(
        self, text: Any, x: float, y: float, w: float, style: str, lines: tuple[int, int | None]
    ) -> Markup:
        """Some lines of a text that is wrapped in a width of w mm, the first of them at (x, y)."""
        given, look = self._text(text, None), self._style(style, None)
        room = _BoxSize(_size(w, "w"), None)
        if look is None:
            return Markup()
        asked = _TextRequest(given.plain, given.rich, look, room, lines=lines)
        where = _Where(x, y, 0.0)
        return self._put(
            lambda style: self._box(asked._replace(style=style), where, style.colour),
            look,
            given,
            room,
        )

    def text_line(
        self,
        text: Any,
        x: float,
        y: float,
        style: str,
        anchor: str = "start",
        colour: Any = None,
        size: float | None = None,
        w: float | None = None,
        rotate: float = 0,
        rich: bool | None = None,
    ) -> Markup:
        """One line whose baseline has its start, middle or end at (x, y), not wider than w mm;
        turned about that point."""
        given, look = self._text(text, rich), self._style(style, size)
        where = _Where(number(x, "x"), number(y, "y"), number(rotate, "rotate"))
        width = None if w is None else _size(w, "w")
        anchor = _one_of(anchor, ANCHORS, "anchor")
        if look is None:
            return Markup()
        paint = look.colour if colour is None else self._palette.paint(colour)
        return self._put(
            lambda style: self._line(given.plain, given.rich, style, width, anchor, where, paint),
            look,
            given,
            _BoxSize(width or 0.0, None),
        )

    def text_width(
        self, text: Any, style: str, size: float | None = None, rich: bool | None = None
    ) -> float:
        """The width of a text on one line, mm."""
        given, look = self._text(text, rich), self._style(style, size)
        if look is None:
            return 0.0
        return measure(given.plain, look, self._fonts, rich=given.rich, icons=self._icons.shape)

    def text_height(
        self, text: Any, w: float, style: str, size: float | None = None, rich: bool | None = None
    ) -> float:
        """The height of the lowest box, w mm wide, that holds a text at its style's full size."""
        fitted = self._fitted(text, w, style, size, rich)
        return 0.0 if fitted is None else fitted.height

    def line_heights(self, text: Any, w: float, style: str) -> tuple[float, ...]:
        """What each line of a text adds to the height of the lowest box, w mm wide, that holds
        it."""
        fitted = self._fitted(text, w, style)
        if fitted is None or not fitted.lines:
            return ()
        baselines = [line.y for line in fitted.lines]
        first = fitted.height - (baselines[-1] - baselines[0])
        return first, *(below - above for above, below in pairwise(baselines))

    def _fitted(
        self, text: Any, w: float, style: str, size: float | None = None, rich: bool | None = None
    ) -> FittedText | None:
        """A text as high as it wants to be; nothing if there is no such style."""
        given, look = self._text(text, rich), self._style(style, size)
        room = _BoxSize(_size(w, "w"), None)
        return (
            None if look is None else self._fit(_TextRequest(given.plain, given.rich, look, room))
        )

    def _text(self, value: Any, rich: bool | None) -> GivenText:
        text = as_text(value)
        source = text.span if isinstance(text, SourceText) else None
        if rich is None:
            rich = isinstance(text, SourceText) and text.rich
        plain = unescape(str(text)) if isinstance(text, Markup) else str(text)
        unfit = _unfit(plain)
        if unfit is not None:
            message, hint = unfit
            if source is None:
                raise ValueError(message)
            self._current.builder.blame_value(Diagnostic(source, "GP401", message, hint))
            plain = plain[:1]
        self._budget.write(_PRICE * (_TEXT + len(plain)))
        return GivenText(plain, bool(rich), source)

    def _style(self, name: Any, size_pt: float | None) -> TextStyle | None:
        style = self._styles.get(name) if isinstance(name, str) else None
        if style is None:
            message = f"there is no style {as_text(name)!r}"
            hint = did_you_mean(as_text(name), self._styles) or "give the pack a styles.yaml"
            self._current.builder.blame_template(
                calling(), "GP309", message, hint, missing=as_text(name)
            )
            return None
        return style if size_pt is None else self._sized(style, _size(size_pt, "size"))

    def _fit_box(self, asked: _TextRequest) -> FittedText:
        return fit_text(
            asked.text,
            asked.style,
            *asked.room,
            rich=asked.rich,
            fonts=self._fonts,
            icons=self._icons.shape,
            align=asked.align,
            valign=asked.valign,
            lines=asked.lines,
        )

    def _set_box(self, asked: _TextRequest, where: _Where, paint: str) -> SetText:
        fitted = self._fit(asked)
        height = max(0.0, fitted.used.bottom) if asked.room.height is None else asked.room.height
        box = Rect(where.x, where.y, asked.room.width, height)
        return self._set(fitted, asked.style, where, paint, box, (box.centre.x, box.centre.y))

    def _set_line(
        self,
        text: str,
        rich: bool,
        style: TextStyle,
        width: float | None,
        anchor: str,
        where: _Where,
        paint: str,
    ) -> SetText:
        shapes = self._icons.shape
        fitted = fit_line(
            text, style, width, rich=rich, fonts=self._fonts, icons=shapes, anchor=anchor
        )
        box = fitted.used.moved(where.x, where.y)
        return self._set(fitted, style, where, paint, box, (where.x, where.y))

    def _set(
        self,
        fitted: FittedText,
        style: TextStyle,
        where: _Where,
        paint: str,
        box: Rect,
        about: tuple[float, float],
    ) -> SetText:
        svg = MARK
        if where.turn:
            turn = " ".join(map(mm, (where.turn, *about)))
            svg = f'<g transform="rotate({turn})">{MARK}</g>'
        icons = tuple(
            art
            for line in fitted.lines
            for icon in line.runs
            if isinstance(icon, InlineIcon)
            and (art := self._icons.inline(icon, where.x, where.y, paint)) is not None
        )
        used = fitted.used.moved(where.x, where.y)
        sha256 = letters_digest(fitted, style, self._fonts)
        return SetText(svg, box, used, style, fitted, where.x, where.y, paint, icons, sha256)

    def _put(
        self,
        set_: Callable[[TextStyle], SetText],
        style: TextStyle,
        given: GivenText,
        room: _BoxSize,
    ) -> Markup:
        """Set text onto the face, and tell what is wrong with it."""
        done = set_(style)
        builder, fitted = self._current.builder, done.fitted
        if fitted.overflow is not None:
            blame_overflow(builder, given, style, fitted, *room)
            self._budget.write(_PRICE * (_TEXT + len(given.plain)))
            builder.smaller[len(builder.texts)] = set_(replace(style, min_pt=style.min_pt / 2))
        for char, _ in fitted.missing:
            blame_missing(builder, given, done.style, char)
        for name, _ in fitted.unknown_icons:
            self._icons.blame_unknown(name, given.source)
        if given.rich and (mark := mark_alone(given.plain)) and mark not in left_over(given.plain):
            blame_mark(builder, given, mark)
        number_ = len(builder.texts)
        builder.texts.append(PlacedText(done, given.plain, given.source, calling()))
        return Markup(done.svg.replace(MARK, f"<?text {number_}?>", 1))  # noqa: S704, text is escaped


def letters_digest(fitted: FittedText, style: TextStyle, fonts: FontLibrary) -> str:
    """A name for what the letters of a text show, before it is placed: all that shaping and placing
    follow from."""
    told = [style.features] + [
        (
            fonts.digest(run.font),
            run.size_pt,
            run.right_to_left,
            run.x,
            run.width,
            line.y,
            run.text,
        )
        for line in fitted.lines
        for run in line.runs
        if isinstance(run, TextRun)
    ]
    return hashlib.sha256(repr(told).encode()).hexdigest()


def _size(value: Any, name: str) -> float:
    return size(value, name)


def _one_of(value: Any, known: tuple[str, ...], name: str) -> str:
    if value not in known:
        raise ValueError(f"{name} is {value!r}, and must be one of {', '.join(known)}")
    return str(value)
