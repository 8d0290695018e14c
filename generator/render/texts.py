"""Text, a style and a place in; set text as SVG, and what was wrong with it, out.

The helpers `text_box`, `text_line`, `text_width` and `text_height` of templates, described in
docs/templates.md.
"""

from __future__ import annotations

import functools
import unicodedata
from html import unescape
from typing import Any, Final, NamedTuple

from markupsafe import Markup

from generator.diagnostics import Span, did_you_mean
from generator.fonts import FontLibrary
from generator.geometry import Rect
from generator.model.values import SourceText
from generator.render.colours import Palette
from generator.render.draft import Desk, PlacedText
from generator.render.icons import IconHelper
from generator.render.numbers import mm, number, size
from generator.render.places import calling
from generator.render.styles import Styles, at_size
from generator.sandbox.bounds import Budget, as_text
from generator.text import (
    Align,
    FittedText,
    TextStyle,
    VAlign,
    fit_line,
    fit_text,
    measure,
    to_svg,
)

ANCHORS: Final = ("start", "middle", "end")
_KEPT: Final = 4096
"""Set texts that are kept to be used again: headings and labels are the same on every face."""
_PRICE: Final = 20
"""What setting a letter costs, in letters written."""


class _Text(NamedTuple):
    plain: str
    rich: bool
    source: Span | None


class TextHelpers:
    """Sets text for templates in the styles of a pack."""

    def __init__(
        self,
        styles: Styles,
        fonts: FontLibrary,
        palette: Palette,
        icons: IconHelper,
        desk: Desk,
        budget: Budget,
    ) -> None:
        self._styles = styles.text
        self._palette = palette
        self._icons = icons
        self._desk = desk
        self._budget = budget
        shapes = icons.shape

        def box(text: str, style: TextStyle, rich: bool, room: tuple[float, float | None],
                align: str | None, valign: str) -> FittedText:  # fmt: skip
            return fit_text(text, style, *room, rich=rich, fonts=fonts, icons=shapes,
                            align=align, valign=valign)  # fmt: skip

        def line(text: str, style: TextStyle, rich: bool, width: float | None,
                 anchor: str) -> FittedText:  # fmt: skip
            return fit_line(text, style, width, rich=rich, fonts=fonts, icons=shapes, anchor=anchor)

        def wide(text: str, style: TextStyle, rich: bool) -> float:
            return measure(text, style, fonts, rich=rich, icons=shapes)

        self._fit_box = functools.lru_cache(_KEPT)(box)
        self._fit_line = functools.lru_cache(_KEPT)(line)
        self._measure = functools.lru_cache(_KEPT)(wide)

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
        copy, look = self._text(text, rich), self._style(style, size)
        box = _box(x, y, w, h)
        align = None if align is None else _one_of(align, Align, "align")
        valign = _one_of(valign, VAlign, "valign")
        if look is None:
            return Markup()
        room = (box.width, None if h is None else box.height)
        fitted = self._fit_box(copy.plain, look, copy.rich, room, align, valign)
        if fitted.overflow is not None:
            self._blame_overflow(copy, look, fitted, room)
        if h is None:
            box = Rect(box.x, box.y, box.width, max(0.0, fitted.used.bottom))
        return self._placed(copy, look, fitted, box, (box.x, box.y), colour, rotate)

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
        copy, look = self._text(text, rich), self._style(style, size)
        x, y = number(x, "x"), number(y, "y")
        width = None if w is None else _size(w, "w")
        if anchor not in ANCHORS:
            raise ValueError(f"anchor is {anchor!r}, and must be one of {', '.join(ANCHORS)}")
        if look is None:
            return Markup()
        fitted = self._fit_line(copy.plain, look, copy.rich, width, anchor)
        if fitted.overflow is not None:
            self._blame_overflow(copy, look, fitted, (width or 0.0, None))
        box = fitted.used.moved(x, y)
        return self._placed(copy, look, fitted, box, (x, y), colour, rotate, about=(x, y))

    def text_width(
        self, text: Any, style: str, size: float | None = None, rich: bool | None = None
    ) -> float:
        """The width of a text on one line, mm."""
        copy, look = self._text(text, rich), self._style(style, size)
        return 0.0 if look is None else self._measure(copy.plain, look, copy.rich)

    def text_height(
        self, text: Any, w: float, style: str, size: float | None = None, rich: bool | None = None
    ) -> float:
        """The height of the lowest box, w mm wide, that holds a text at its style's full size."""
        copy, look = self._text(text, rich), self._style(style, size)
        width = _size(w, "w")
        if look is None:
            return 0.0
        return self._fit_box(copy.plain, look, copy.rich, (width, None), None, "top").height

    def _text(self, value: Any, rich: bool | None) -> _Text:
        text = as_text(value)
        source = text.span if isinstance(text, SourceText) else None
        if rich is None:
            rich = isinstance(text, SourceText) and text.rich
        plain = unescape(str(text)) if isinstance(text, Markup) else str(text)
        self._budget.write(_PRICE * len(plain))
        return _Text(plain, bool(rich), source)

    def _style(self, name: Any, size_pt: float | None) -> TextStyle | None:
        style = self._styles.get(name) if isinstance(name, str) else None
        if style is None:
            message = f"there is no style {as_text(name)!r}"
            hint = did_you_mean(as_text(name), self._styles) or "give the pack a styles.yaml"
            self._desk.draft.blame_template(calling(), "GP309", message, hint, word=as_text(name))
            return None
        return style if size_pt is None else self._at_size(style, _size(size_pt, "size"))

    @staticmethod
    @functools.lru_cache(_KEPT)
    def _at_size(style: TextStyle, size_pt: float) -> TextStyle:
        return at_size(style, size_pt)

    def _placed(
        self,
        copy: _Text,
        style: TextStyle,
        fitted: FittedText,
        box: Rect,
        at: tuple[float, float],
        colour: Any,
        rotate: float,
        about: tuple[float, float] | None = None,
    ) -> Markup:
        for char, _ in fitted.missing:
            self._blame_missing(copy, style, char)
        for name, _ in fitted.unknown_icons:
            self._icons.blame_unknown(name, copy.source)
        paint = style.colour if colour is None else self._palette.paint(colour)
        draft = self._desk.draft
        mark = next(draft.numbers)
        draft.texts[mark] = PlacedText(
            box,
            fitted.used.moved(*at),
            style.name,
            fitted.size_pt,
            len(fitted.lines),
            _shown(copy.plain),
            fitted.overflow is None,
            copy.source,
            calling(),
        )
        svg = f"<?text {mark}?>{to_svg(fitted, *at, paint, self._icons.inline)}"
        if angle := number(rotate, "rotate"):
            centre = about or (box.centre.x, box.centre.y)
            turn = " ".join(map(mm, (angle, *centre)))
            svg = f'<g transform="rotate({turn})">{svg}</g>'
        return Markup(svg)  # noqa: S704, its text is escaped

    def _blame_overflow(
        self, copy: _Text, style: TextStyle, fitted: FittedText, room: tuple[float, float | None]
    ) -> None:
        width, height = room
        over = fitted.overflow
        assert over is not None
        small = f"at its smallest size, {fitted.size_pt:g} pt,"
        if height is None:
            place = f"a line of {mm(width)} mm"
        else:
            place = f"a box of {mm(width)} × {mm(height)} mm"
        if over.width > 0:
            what = "it" if over.word == copy.plain else repr(_shown(over.word))
            how = f"{what} is {over.width:.1f} mm too wide"
            share, letters = over.width / (width + over.width), len(over.word)
        else:
            how = f"it is {over.height:.1f} mm too high"
            share, letters = over.height / ((height or 0.0) + over.height), len(copy.plain)
        message = (
            f"{_shown(copy.plain)!r} does not fit {place} in style {style.name!r}: {small} {how}"
        )
        few = max(1, round(share * letters))
        hint = f"shorten it by about {few} character{'s' * (few > 1)}, or enlarge the box"
        at = self._desk.draft.span(calling())
        if at is not None and copy.source is not None:
            hint += f" at {at.file}:{at.line}"
        self._desk.draft.blame_text(copy.source, "GP401", message, hint)

    def _blame_missing(self, copy: _Text, style: TextStyle, char: str) -> None:
        draft = self._desk.draft
        draft.missing.add(char)
        name = unicodedata.name(char, "")
        asked = " or ".join(dict.fromkeys((style.family, *style.fallback)))
        message = f"{char!r} (U+{ord(char):04X}{' ' * bool(name)}{name}) is not in {asked}"
        hint = "use another character, or add a font that has it to `fallback` in styles.yaml"
        draft.blame_text(copy.source, "GP402", message, hint)


def _box(x: Any, y: Any, w: Any, h: Any) -> Rect:
    height = 0.0 if h is None else _size(h, "h")
    return Rect(number(x, "x"), number(y, "y"), _size(w, "w"), height)


def _size(value: Any, name: str) -> float:
    return size(value, name)


def _one_of(value: Any, choices: type[Align] | type[VAlign], name: str) -> str:
    known = [str(choice) for choice in choices]
    if value not in known:
        raise ValueError(f"{name} is {value!r}, and must be one of {', '.join(known)}")
    return str(value)


def _shown(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= 40 else line[:39].rstrip() + "…"
