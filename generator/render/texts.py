"""Template helpers that set text: `text_box`, `text_line`, `text_width`, `text_height`. See
docs/templates.md.

Each set text leaves a mark on the face, and an error if it does not fit.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Set
from html import unescape
from itertools import pairwise
from typing import Any, Final, NamedTuple

from fontTools import unicodedata
from markupsafe import Markup
from msgspec.structs import replace

from generator.diagnostics import Severity, Span, did_you_mean
from generator.fonts import FontLibrary
from generator.geometry import Rect
from generator.model.face import InlineIcon
from generator.model.values import SourceText
from generator.render.artwork import IconHelper
from generator.render.dependencies import Tracker
from generator.render.face_builder import CurrentFace, FaceBuilder, PlacedText, TypesetText
from generator.render.shapes import mm, number
from generator.render.shapes import size as positive
from generator.render.styles import Palette, Styles, at_size
from generator.render.template_lines import calling
from generator.render.text_checks import left_over, on_one_line, warn_left_over
from generator.sandbox import as_text
from generator.text import (
    ALL,
    Align,
    FittedText,
    TextStyle,
    VAlign,
    fit_line,
    fit_text,
    lost_marks,
    mark_alone,
    measure,
)

MARK: Final = "<?text ?>"
"""Replaces a set text in the output of a template."""
ANCHORS: Final = ("start", "middle", "end")
ALIGNS: Final = tuple(map(str, Align))
VALIGNS: Final = tuple(map(str, VAlign))

_KEPT: Final = 1024
_SAME_SIZE: Final = 0.001
"""Difference between two sizes that are the same, pt."""


class _BoxSize(NamedTuple):
    width: float
    height: float | None


class _TextRequest(NamedTuple):
    """A text to fit into a box."""

    text: str
    rich: bool
    style: TextStyle
    room: _BoxSize
    align: str | None = None
    valign: str = "top"
    lines: tuple[int, int | None] = ALL


class _GivenText(NamedTuple):
    """A text to set: its words, whether its markup counts, and where it was written."""

    plain: str
    rich: bool
    source: Span | None


class _Where(NamedTuple):
    x: float
    y: float
    turn: float


class TextHelpers:
    """Sets text in the styles of a pack."""

    def __init__(
        self,
        styles: Styles,
        fonts: FontLibrary,
        palette: Palette,
        icons: IconHelper,
        current: CurrentFace,
        tracker: Tracker,
    ) -> None:
        self._styles = styles.text
        self._palette = palette
        self._icons = icons
        self._current = current
        self._fonts = fonts
        # Headings and labels are the same on every face.
        self._fit = tracker.remembered(self._fit_box, _KEPT)
        self._box = tracker.remembered(self._set_box, _KEPT)
        self._line = tracker.remembered(self._set_line, _KEPT)
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
        """Set text in a box of w × h mm with its corner at (x, y), turned about its middle."""
        given, look = self._text(text, rich), self._style(style, size)
        room = _BoxSize(positive(w, "w"), None if h is None else positive(h, "h"))
        where = _Where(number(x, "x"), number(y, "y"), number(rotate, "rotate"))
        align = None if align is None else _one_of(align, ALIGNS, "align")
        valign = _one_of(valign, VALIGNS, "valign")
        if look is None:
            return Markup()
        paint = look.colour if colour is None else self._palette.paint(colour)
        asked = _TextRequest(given.plain, given.rich, look, room, align, valign)
        return self._put_box(asked, where, paint, given)

    def text_part(
        self, text: Any, x: float, y: float, w: float, style: str, lines: tuple[int, int | None]
    ) -> Markup:
        """Set some lines of a text that is wrapped at w mm; the first is at (x, y)."""
        given, look = self._text(text, None), self._style(style, None)
        room = _BoxSize(positive(w, "w"), None)
        if look is None:
            return Markup()
        asked = _TextRequest(given.plain, given.rich, look, room, lines=lines)
        where = _Where(x, y, 0.0)
        return self._put_box(asked, where, look.colour, given)

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
        """Set one line, at most w mm wide. Its baseline has its start, middle or end at (x, y),
        about which it turns."""
        given, look = self._text(text, rich), self._style(style, size)
        where = _Where(number(x, "x"), number(y, "y"), number(rotate, "rotate"))
        width = None if w is None else positive(w, "w")
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

    def label(self, words: str, x: float, y: float, w: float, h: float) -> str:
        """Set a few words in the middle of a grey box, shortened to fit."""
        name = "body" if "body" in self._styles else next(iter(self._styles), None)
        if name is None or w <= 0 or h < _LABEL_MM:
            return ""
        wide = self.text_width(words, name, _LABEL_PT, rich=False)
        room = int(len(words) * w / wide) - 2 if wide > w else len(words)
        words = words if room >= len(words) else f"…{words[len(words) - max(room, 0) :]}"
        if self.text_width(words, name, _LABEL_PT, rich=False) > w:
            return ""
        look = replace(self._sized(self._styles[name], _LABEL_PT), decoration=True)
        given, where = self._text(words, False), _Where(x + w / 2, y + h / 2, 0.0)
        return self._put(
            lambda style: self._line(given.plain, False, style, None, "middle", where, "#333333"),
            look,
            given,
            _BoxSize(0.0, None),
        )

    def text_width(
        self, text: Any, style: str, size: float | None = None, rich: bool | None = None
    ) -> float:
        """Return the width of a text on one line, mm."""
        given, look = self._text(text, rich), self._style(style, size)
        if look is None:
            return 0.0
        return measure(given.plain, look, self._fonts, rich=given.rich, icons=self._icons.shape)

    def text_height(
        self, text: Any, w: float, style: str, size: float | None = None, rich: bool | None = None
    ) -> float:
        """Return the height of the lowest box, w mm wide, that holds a text at its style's full
        size."""
        fitted = self._fitted(text, w, style, size, rich)
        return 0.0 if fitted is None else fitted.height

    def fits(self, text: Any, w: float, h: float, style: str, size: float | None) -> bool:
        """Return True if a text fits a box of w × h mm without getting smaller."""
        given, look = self._text(text, None), self._style(style, size)
        if look is None:
            return True
        fitted = self._fit(_TextRequest(given.plain, given.rich, look, _BoxSize(w, h)))
        return fitted.overflow is None and fitted.size_pt >= look.size_pt - _SAME_SIZE

    def sizes(self, style: str) -> tuple[float, float]:
        """Return the size of a style and its smallest one, pt; 1 for an unknown style."""
        look = self._style(style, None)
        return (1.0, 1.0) if look is None else (look.size_pt, look.min_pt)

    def line_heights(self, text: Any, w: float, style: str) -> tuple[float, ...]:
        """Return the height that each line adds to the lowest box, w mm wide, that holds a text."""
        fitted = self._fitted(text, w, style)
        if fitted is None or not fitted.lines:
            return ()
        baselines = [line.y for line in fitted.lines]
        first = fitted.height - (baselines[-1] - baselines[0])
        return first, *(below - above for above, below in pairwise(baselines))

    def _fitted(
        self, text: Any, w: float, style: str, size: float | None = None, rich: bool | None = None
    ) -> FittedText | None:
        """Fit a text at its full height; return None for an unknown style."""
        given, look = self._text(text, rich), self._style(style, size)
        room = _BoxSize(positive(w, "w"), None)
        return (
            None if look is None else self._fit(_TextRequest(given.plain, given.rich, look, room))
        )

    def _text(self, value: Any, rich: bool | None) -> _GivenText:
        text = as_text(value)
        source = text.span if isinstance(text, SourceText) else None
        if rich is None:
            rich = isinstance(text, SourceText) and text.rich
        plain = unescape(str(text)) if isinstance(text, Markup) else str(text)
        return _GivenText(plain, bool(rich), source)

    def _style(self, name: Any, size_pt: float | None) -> TextStyle | None:
        style = self._styles.get(name) if isinstance(name, str) else None
        if style is None:
            message = f"there is no style {as_text(name)!r}"
            hint = did_you_mean(as_text(name), self._styles) or "give the pack a styles.yaml"
            self._current.builder.blame_template(
                calling(), "GP309", message, hint, missing=as_text(name)
            )
            return None
        return style if size_pt is None else self._sized(style, positive(size_pt, "size"))

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

    def _set_box(self, asked: _TextRequest, where: _Where, paint: str) -> TypesetText:
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
    ) -> TypesetText:
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
    ) -> TypesetText:
        svg = MARK
        if where.turn:
            turn = " ".join(map(mm, (where.turn, *about)))
            svg = f'<g transform="rotate({turn})">{MARK}</g>'
        icons = tuple(
            placed
            for line in fitted.lines
            for icon in line.runs
            if isinstance(icon, InlineIcon)
            and (placed := self._icons.inline(icon, where.x, where.y, paint)) is not None
        )
        used = fitted.used.moved(where.x, where.y)
        return TypesetText(svg, box, used, style, fitted, where.x, where.y, paint, icons)

    def _blame_missing(
        self, builder: FaceBuilder, given: _GivenText, style: TextStyle, char: str
    ) -> None:
        """Report a character that no font of the style has, or its whole script (GP402)."""
        builder.missing.add(char)
        families = tuple(dict.fromkeys((style.family, *style.fallback)))
        name, asked = unicodedata.name(char, ""), " or ".join(families)
        letter = f"{char!r} (U+{ord(char):04X}{' ' * bool(name)}{name})"
        script = _script(char)
        if script not in _UNNAMED and not any(script in self._scripts(each) for each in families):
            message = f"{asked} cannot print {script}, such as {letter}"
            hint = (
                "put a font for it into fonts/ (fonts.google.com/noto has one for each script), and"
                " name it under `fallback` in styles.yaml"
            )
            if script == "emoji":
                hint = f"write an icon instead, such as {{star}} (docs/text.md), or {hint}"
            builder.blame_text(given.source, "GP402", message, hint, topic=f"GP402 {script}")
            return
        hint = "use another character, or add a font that has it to `fallback` in styles.yaml"
        builder.blame_text(given.source, "GP402", f"{letter} is not in {asked}", hint)

    def _scripts(self, family: str) -> Set[str]:
        if family not in self._fonts.families:
            return frozenset()
        letters = self._fonts.font(self._fonts.find(family)).face.unicodes
        scripts = {_script(chr(code)) for code in letters}
        return scripts if _AN_EMOJI in letters else scripts - {"emoji"}

    def _put_box(self, asked: _TextRequest, where: _Where, paint: str, given: _GivenText) -> Markup:
        return self._put(
            lambda style: self._box(asked._replace(style=style), where, paint),
            asked.style,
            given,
            asked.room,
        )

    def _put(
        self,
        set_: Callable[[TextStyle], TypesetText],
        style: TextStyle,
        given: _GivenText,
        room: _BoxSize,
    ) -> Markup:
        """Put a set text onto the face and report its faults."""
        done = set_(style)
        builder, fitted = self._current.builder, done.fitted
        if fitted.overflow is not None:
            _blame_overflow(builder, given, style, fitted, *room)
            builder.smaller[len(builder.texts)] = set_(replace(style, min_pt=style.min_pt / 2))
        for char, _ in fitted.missing:
            self._blame_missing(builder, given, done.style, char)
        for name, _ in fitted.unknown_icons:
            self._icons.blame_unknown(name, given.source)
        if given.rich and (mark := mark_alone(given.plain)) and mark not in left_over(given.plain):
            _blame_mark(builder, given, mark)
        if given.rich and "*" in given.plain:
            for lost in lost_marks(given.plain, style, self._fonts):
                _blame_lost(builder, given, style, lost)
        number_ = len(builder.texts)
        builder.texts.append(PlacedText(done, given.plain, given.source, calling()))
        return Markup(done.svg.replace(MARK, f"<?text {number_}?>", 1))  # noqa: S704, text is escaped


_UNNAMED: Final = ("Common", "Inherited", "Unknown")
"""Scripts of characters that belong to no script of their own."""
_FIRST_SIGN, _AN_EMOJI = 0x2300, 0x1F600


def _script(char: str) -> str:
    """Return the name of a character's script; emoji and other signs count as one."""
    if ord(char) >= _FIRST_SIGN and unicodedata.category(char) == "So":
        return "emoji"
    return str(unicodedata.script_name(unicodedata.script(char)))


def _one_of(value: Any, known: tuple[str, ...], name: str) -> str:
    if value not in known:
        raise ValueError(f"{name} is {value!r}, and must be one of {', '.join(known)}")
    return str(value)


_LABEL_PT, _LABEL_MM = 8.0, 5.0
"""The type size of a placeholder, and the least height of one with words."""
_LONG: Final = 12
"""Letters of a word that is worth a hyphen."""


def _blame_overflow(
    builder: FaceBuilder,
    given: _GivenText,
    style: TextStyle,
    fitted: FittedText,
    width: float,
    height: float | None,
) -> None:
    """Report by how much a text is too large, and about how many letters that is (GP401)."""
    over = fitted.overflow
    assert over is not None
    if height is None:
        place = f"a line of {mm(width)} mm"
    else:
        place = f"a box of {mm(width)} × {mm(height)} mm"
    if over.width > 0:
        what = "it" if over.word == given.plain else repr(on_one_line(over.word))
        how = f"{what} is {over.width:.1f} mm too wide"
        share, letters = over.width / (width + over.width), len(over.word)
    else:
        how = f"it is {over.height:.1f} mm too high"
        share, letters = over.height / ((height or 0.0) + over.height), len(given.plain)
    message = (
        f"{on_one_line(given.plain)!r} does not fit {place} in style {style.name!r}: "
        f"at its smallest size, {fitted.size_pt:g} pt, {how}"
    )
    few = max(1, round(share * letters))
    hint = f"shorten it by about {few} character{'s' * (few > 1)}, or enlarge the box"
    at = builder.span(calling())
    if at is not None and given.source is not None:
        hint += f" at {at.file}:{at.line}"
    if over.width > 0 and height is not None and len(over.word) >= _LONG and not style.hyphenate:
        hint += f"; with hyphenate: true the style {style.name!r} hyphenates words"
    builder.blame_text(given.source, "GP401", message, hint)


def _blame_mark(builder: FaceBuilder, given: _GivenText, mark: str) -> None:
    """Report a brace probably meant for an icon, or stars meant for bold type (GP407)."""
    message = f"{mark!r} is printed as it is written"
    hint = r"an icon is one name in braces, {star}; to print a brace, write \{"
    if mark.startswith("*"):
        hint = r"bold is **like this**, within one paragraph; to print a star, write \*"
    warn_left_over(builder, given.source, calling(), message, hint, mark)


def _blame_lost(builder: FaceBuilder, given: _GivenText, style: TextStyle, mark: str) -> None:
    """Report bold or italic words that look like the rest (GP406)."""
    message = f"{mark} words look like the rest: the font {style.family!r} has no {mark}"
    hint = (
        f"put its {mark} file into fonts/, too, or give style {style.name!r} another font; one of"
        f" the texts is {on_one_line(given.plain)!r}"
    )
    topic = f"{style.family} {mark}"
    builder.blame_template(calling(), "GP406", message, hint, Severity.WARNING, topic=topic)
