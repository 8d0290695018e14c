"""Set text in; the PDF operators that print its glyphs just as they were measured, out.

PDF 1.7 (ISO 32000-1): 9.4 for the operators, 14.9.4 for ActualText."""

from __future__ import annotations

import functools
import math
import re
import struct
from collections.abc import Callable, Sequence
from itertools import zip_longest
from typing import Final

from pikepdf import Object, Pdf

from generator.cache import NOTHING_KEPT, Cache
from generator.diagnostics import GridpressError
from generator.export.pdf_fonts import SPACE, THOUSAND, Fount, Used, WrittenWord, embedded
from generator.fonts import OWN_FAMILY, FontFile, FontLibrary
from generator.geometry import PT_PER_MM, Matrix, pt_to_mm
from generator.model.face import Clip, Glyph, LetterStroke, Text, TextRun, clusters
from generator.model.sheet import TextMark
from generator.sound_fonts import unusable
from generator.text import TextStyle, fit_line

_LEAST: Final = 0.02
"""An adjustment that nobody sees, thousandths of an em."""
_MOST_COMPOSED: Final = 1_000
"""Texts that are at hand for more faces; of thousands of cards each has its own."""
_KERNED: Final = 0.05
"""Less white between two runs, em, is how their letters are kerned."""
_ASIDE_MM: Final = 2_000.0
"""Farther from a text than any page is long. A canvas of Illustrator's goes as far."""
_UNSAID: Final = "\n"
_SHOWN: Final = re.compile(r"\] TJ(?: EMC)?|Tj EMC")
_JOINS: Final = {"miter": 0, "round": 1, "bevel": 2}


class Composing:
    """Text composed for one PDF file. What is used of each font is kept, for `fonts` to write.
    Rulers and slugs are set in Gridpress's own font, of `own_fonts`. `colour` writes the operators
    of a colour, `#rrggbb`, for fills (`cs`, `sc`) or strokes (`CS`, `SC`)."""

    def __init__(
        self,
        library: FontLibrary,
        own_fonts: FontLibrary | None = None,
        colour: Callable[[str, str, str], str] | None = None,
    ) -> None:
        self._library = library
        self._own_fonts = own_fonts
        self._colour = colour or _colour
        self._founts: dict[tuple[FontFile, bool], Fount] = {}
        self._composed: dict[tuple[str, float, float, float], tuple[str, Used]] = {}
        self._names: dict[str, Fount] = {}

    def operators(
        self,
        text: Text,
        onto: Matrix,
        states: dict[str, float],
        used: Used,
        *,
        turned: bool = False,
    ) -> str:
        """The operators that paint a text. `onto` takes the face, mm, to the form, pt, with y
        upwards; graphics states that are needed are added to `states`: a name, and the opacity of
        fills; words to those `used`, which `use` is to be told of. Of a text that is `turned` on
        some page its runs are kept apart, so that PDFium reads them in this order.

        Returns nothing for a text without glyphs.
        """
        aside = _ASIDE_MM / (text.matrix.down or 1.0) if turned else 0.0
        lines, set_in = self._lines(text, aside)
        if not lines:
            return ""
        for name, (file, words) in set_in.items():
            used.setdefault(name, (file, {}))[1].update(words)
        matrix = numbers(*onto.then(text.matrix))
        parts = ["q", *(clipped(clip, onto) for clip in text.clips), f"{matrix} cm"]
        stroke = text.stroke
        if text.opacity != 1.0 and text.shown:
            name = f"G{round(text.opacity * 10000)}"
            states[name] = text.opacity
            parts.append(f"/{name} gs")
        parts += [_paint(text, stroke, self._colour), f"BT {_mode(text)} Tr", lines, "ET Q\n"]
        return "\n".join(part for part in parts if part)

    def mark(self, mark: TextMark, height: float) -> str:
        """The operators that print the text of a ruler or a slug, in black ink alone, on a page so
        high, mm."""
        assert self._own_fonts is not None, "who sets marks has a font for them"
        style = TextStyle("marks", OWN_FAMILY, size_pt=mark.size_pt, min_pt=mark.size_pt)
        set_ = fit_line(mark.text, style, rich=False, fonts=self._own_fonts, anchor=mark.anchor)
        turn = math.radians(mark.rotation)
        cos, sin = math.cos(turn), math.sin(turn)
        onto = Matrix(PT_PER_MM, 0, 0, -PT_PER_MM, 0, PT_PER_MM * height)
        matrix = onto.then(Matrix(cos, sin, -sin, cos, mark.at.x, mark.at.y))
        parts = []
        for line in set_.lines:
            for run in line.runs:
                if isinstance(run, TextRun):
                    fount = self._fount(run.font, self._own_fonts)
                    parts.append(_run(run, fount, run.x, line.y, fount.used))
        return f"q {numbers(*matrix)} cm 0 g BT 0 Tr {' '.join(parts)} ET Q"

    @property
    def made_with(self) -> bytes:
        """What the operators follow from besides the texts."""
        return self._library.fingerprint()

    def own_names(self) -> tuple[str, ...]:
        """The names of the fonts of rulers and slugs."""
        return tuple(
            fount.name for fount in self._names.values() if fount.file.family == OWN_FAMILY
        )

    def use(self, used: Used) -> None:
        """Have the glyphs that some texts are set with in the fonts of the file."""
        for file, words in used.values():
            self._fount(file, self._library).used.update(words)

    def _lines(self, text: Text, aside: float) -> tuple[str, Used]:
        """The lines of a text as it stands before its matrix, composed once for faces that follow
        one another. If its runs are to be kept apart, that is done so far `aside`."""
        key = (text.sha256, text.x, text.y, aside)
        composed = self._composed.pop(key, None)
        if composed is None:
            parts: list[str] = []
            used: Used = {}
            lines = text.lines
            for line in lines:
                runs = [run for run in line.runs if isinstance(run, TextRun) and run.stretches]
                for run, behind in zip_longest(runs, runs[1:]):
                    fount = self._fount(run.font, self._library)
                    _, words = used.setdefault(fount.name, (run.font, {}))
                    x, y = text.x + run.x, text.y + line.y
                    ends = _are_apart(run, behind) if behind else line is lines[-1]
                    written = _run(run, fount, x, y, words, ends=ends)
                    if aside and fount.space:
                        words[SPACE] = None
                        written = _parted(written, fount, aside)
                    parts.append(written)
            composed = "\n".join(parts), used
            if len(self._composed) >= _MOST_COMPOSED:
                del self._composed[next(iter(self._composed))]
        self._composed[key] = composed  # asked for last
        return composed

    def _fount(self, file: FontFile, library: FontLibrary) -> Fount:
        fount = self._founts.get((file, library is self._library))
        if fount is None:
            digest = library.digest(file)
            name = f"T{digest[:8]}"
            fount = self._names.get(name)
            if fount is None:
                font = library.font(file)
                space = font.get_nominal_glyph(ord(" ")) or 0
                said, shown_as = library.letters(file), library.shown(file)
                fount = Fount(name, file, font.face, font, said, space, shown_as, digest)
                self._names[name] = fount
            self._founts[file, library is self._library] = fount
        return fount

    def fonts(self, pdf: Pdf, cache: Cache = NOTHING_KEPT) -> dict[str, Object]:
        """The fonts that were used, by the names under which pages find them: new objects of
        `pdf`, each with a subset of its glyphs. Raises GridpressError (GP403) for one whose tables
        say what is not so, which shows first where glyphs are taken out of it."""
        made = {}
        for fount in self._names.values():
            try:
                fount.complete()
                made[fount.name] = embedded(pdf, fount, cache)
            except (RuntimeError, struct.error) as error:
                shown = fount.shown_as
                raise GridpressError(
                    unusable(shown, "is damaged, and cannot be printed")
                ) from error
        return made


def _are_apart(run: TextRun, behind: TextRun) -> bool:
    """Whether a space, or an icon, stands between two runs of a line."""
    return behind.x - run.x - run.width > _KERNED * pt_to_mm(run.size_pt)


def _run(
    run: TextRun,
    fount: Fount,
    x: float,
    y: float,
    used: dict[WrittenWord, None],
    *,
    ends: bool = False,
) -> str:
    """A run whose baseline begins at (x, y): y goes down, so the letters are turned upright. Its
    words are added to those `used`. Where its last one `ends`, a space says so."""
    size = pt_to_mm(run.size_pt)
    parts = []
    for glyphs, white, space in run.stretches:
        if white or space:
            parts.append(_white(white, space, fount))
            if space and fount.space:
                used[SPACE] = None
        word = _word(glyphs, fount, size)
        used[word] = None
        parts.append(word.written)
    alone = ""
    if ends and fount.space:
        used[SPACE] = None
        # To PDFium a text is as large as its glyphs, of which one without ink is a point of the
        # baseline: at the edge of letters that stand there it changes nothing.
        if any(fount.stands(glyph) for part in run.stretches for glyph in part.glyphs):
            parts.append(f"{_adjusted(-fount.bearing(glyphs[-1]))}<{fount.space:04X}>")
        else:  # and what has no size it leaves out, so two say it
            alone = f" {_saying(' ', f'<{fount.space:04X}{fount.space:04X}> Tj')}"
    inside = "".join(parts)
    return f"/{fount.name} {_number(size)} Tf 1 0 0 -1 {numbers(x, y)} Tm [{inside}] TJ{alone}"


def _parted(run: str, fount: Fount, aside: float) -> str:
    """A run each of whose shows is followed by one of two spaces, elsewhere. PDFium takes shows
    that begin at one height of the sheet for a line, and puts them in order from left to right; so
    it begins anew. It leaves out the sign that these say, other readers what is off the page."""
    spaces = f"[<{fount.space:04X}{fount.space:04X}>{2 * fount.width(fount.space):g}] TJ"
    return _SHOWN.sub(rf"\g<0> {_number(aside)} Ts {_saying(_UNSAID, spaces)} 0 Ts", run)


def _saying(text: str, shown: str) -> str:
    """Operators that show what says a text to who copies it."""
    actual = ("\ufeff" + text).encode("utf-16-be").hex().upper()
    return f"/Span <</ActualText <{actual}>>> BDC {shown} EMC"


def _white(width: float, space: bool, fount: Fount) -> str:
    """White, em, as a space where the author wrote one: words are apart for who copies them."""
    key = width, space
    written = fount.whites.get(key)
    if written is None:
        by, shown = width * THOUSAND, ""
        if space and fount.space:
            by -= fount.width(fount.space)
            shown = f"<{fount.space:04X}>"
        written = fount.whites[key] = shown + _adjusted(by)
    return written


def _word(glyphs: tuple[Glyph, ...], fount: Fount, size: float) -> WrittenWord:
    """A word inside of the brackets of TJ; one with marks above or below is left and entered."""
    raised = size if any(glyph.dy for glyph in glyphs) else 0.0
    word = fount.words.get((glyphs, raised))
    if word is None:
        known = [fount.glyphs.get(glyph) for glyph in glyphs]
        if None in known:
            known = [_cluster(cluster, fount, size) for cluster in clusters(glyphs)]
        parts = filter(None, known)
        word = fount.words[glyphs, raised] = WrittenWord(glyphs, "".join(parts).replace("><", ""))
    return word


def _cluster(glyphs: Sequence[Glyph], fount: Fount, size: float) -> str:
    first, text = glyphs[0], glyphs[0].text
    written = "".join(_glyph(glyph, fount, size) for glyph in glyphs)
    if len(glyphs) == 1 and fount.shows(first):
        if not first.dy:
            fount.glyphs[first] = written
    elif "".join(fount.said.get(glyph.id, "") for glyph in glyphs) != text:
        return f"] TJ {_saying(text, f'[{written}] TJ')} ["
    return written


def _glyph(glyph: Glyph, fount: Fount, size: float) -> str:
    scale = fount.scale
    before = _adjusted(glyph.dx * scale)
    after = _adjusted((glyph.advance - glyph.dx) * scale - fount.width(glyph.id))
    shown = f"<{glyph.id:04X}>"
    if glyph.dy:
        rise = _number(glyph.dy / fount.face.upem * size)
        shown = f"] TJ {rise} Ts [{shown}] TJ 0 Ts ["
    return f"{before}{shown}{after}"


def _adjusted(by: float) -> str:
    """The pen moved on by thousandths of an em."""
    return f"{-by:.2f}".rstrip("0").rstrip(".") if abs(by) >= _LEAST else ""


def _mode(text: Text) -> int:
    """How letters are painted (table 106): filled, outlined, both, or not at all."""
    if not text.shown:
        return 3
    if text.stroke is None:
        return 0 if text.fill != "none" else 3
    return 1 if text.fill == "none" else 2


def _paint(text: Text, stroke: LetterStroke | None, written: Callable[[str, str, str], str]) -> str:
    if not text.shown:
        return ""
    parts = [] if text.fill == "none" else [written(text.fill, "cs", "sc")]
    if stroke is not None:
        corners = f"{_JOINS[stroke.join]} j {_number(stroke.limit)} M"
        colour = written(stroke.colour, "CS", "SC")
        parts.append(f"{colour} {_number(stroke.width)} w {corners}")
    return " ".join(parts)


@functools.lru_cache(1024)
def _colour(colour: str, space: str, paint: str) -> str:
    """A colour as the art has it: sRGB; a grey as one number, so that it is black ink alone."""
    red, green, blue = (int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5))
    if red == green == blue:
        return f"/Grey {space} {_number(red)} {paint}"
    return f"/RGB {space} {numbers(red, green, blue)} {paint}"


def clipped(clip: Clip, onto: Matrix) -> str:
    """The operators that let nothing show outside of an outline, its points taken by a matrix."""
    a, b, c, d, e, f = onto
    steps = []
    for step, points in clip.segments:
        taken = [
            value
            for x, y in zip(points[::2], points[1::2], strict=True)
            for value in (a * x + c * y + e, b * x + d * y + f)
        ]
        steps.append(f"{numbers(*taken)} {_STEPS[step]}" if taken else _STEPS[step])
    return f"{' '.join(steps)} {'W*' if clip.even_odd else 'W'} n"


_STEPS: Final = {"M": "m", "L": "l", "C": "c", "Z": "h"}


def _number(value: float) -> str:
    """To 0.000001: of a matrix from mm to pt, over a metre, that is less than 0.001 mm."""
    text = f"{value:.6f}".rstrip("0").rstrip(".")
    return "0" if text in ("", "-0") else text


def numbers(*values: float) -> str:
    """Numbers as PDF writes them, side by side."""
    return " ".join(map(_number, values))
