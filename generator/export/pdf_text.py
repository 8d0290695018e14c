"""Writes set text as PDF: operators that print its glyphs just as they were measured, and its
fonts; long, since what is written of a word and what its font says of it hang on each other.

PDF 1.7 (ISO 32000-1): 9.4 for the operators, 9.7 for composite fonts, 9.10 and 14.9.4 (ActualText)
for what readers take the text to be.
"""

from __future__ import annotations

import functools
import hashlib
import math
import re
import string
import struct
import unicodedata
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from decimal import Decimal
from itertools import zip_longest
from typing import Any, Final

import uharfbuzz as hb
from msgspec import Struct, field
from pikepdf import Array, Dictionary, Name, Object, Pdf, Stream

from generator.cache import NOTHING_KEPT, Cache
from generator.diagnostics import GridpressError
from generator.fonts import OWN_FAMILY, FontFile, FontLibrary, unusable_font
from generator.geometry import PT_PER_MM, Matrix, pt_to_mm
from generator.model.face import Clip, Glyph, LetterStroke, Text, TextMark, TextRun, clusters
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
        self._founts: dict[tuple[FontFile, bool], _Fount] = {}
        self._composed: dict[tuple[str, float, float, float], tuple[str, Used]] = {}
        self._names: dict[str, _Fount] = {}

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
                        words[_SPACE] = None
                        written = _parted(written, fount, aside)
                    parts.append(written)
            composed = "\n".join(parts), used
            if len(self._composed) >= _MOST_COMPOSED:
                del self._composed[next(iter(self._composed))]
        self._composed[key] = composed  # asked for last
        return composed

    def _fount(self, file: FontFile, library: FontLibrary) -> _Fount:
        fount = self._founts.get((file, library is self._library))
        if fount is None:
            digest = library.digest(file)
            name = f"T{digest[:8]}"
            fount = self._names.get(name)
            if fount is None:
                font = library.font(file)
                space = font.get_nominal_glyph(ord(" ")) or 0
                said, shown_as = library.letters(file), library.shown(file)
                fount = _Fount(name, file, font.face, font, said, space, shown_as, digest)
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
                made[fount.name] = _embedded(pdf, fount, cache)
            except (RuntimeError, struct.error) as error:
                shown = fount.shown_as
                raise GridpressError(
                    unusable_font(shown, "is damaged, and cannot be printed")
                ) from error
        return made


def _are_apart(run: TextRun, behind: TextRun) -> bool:
    """Whether a space, or an icon, stands between two runs of a line."""
    return behind.x - run.x - run.width > _KERNED * pt_to_mm(run.size_pt)


def _run(
    run: TextRun,
    fount: _Fount,
    x: float,
    y: float,
    used: dict[_WrittenWord, None],
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
                used[_SPACE] = None
        word = _word(glyphs, fount, size)
        used[word] = None
        parts.append(word.written)
    alone = ""
    if ends and fount.space:
        used[_SPACE] = None
        # To PDFium a text is as large as its glyphs, of which one without ink is a point of the
        # baseline: at the edge of letters that stand there it changes nothing.
        if any(fount.stands(glyph) for part in run.stretches for glyph in part.glyphs):
            parts.append(f"{_adjusted(-fount.bearing(glyphs[-1]))}<{fount.space:04X}>")
        else:  # and what has no size it leaves out, so two say it
            alone = f" {_saying(' ', f'<{fount.space:04X}{fount.space:04X}> Tj')}"
    inside = _in_a_row(parts)
    return f"/{fount.name} {_number(size)} Tf 1 0 0 -1 {numbers(x, y)} Tm [{inside}] TJ{alone}"


def _parted(run: str, fount: _Fount, aside: float) -> str:
    """A run each of whose shows is followed by one of two spaces, elsewhere. PDFium takes shows
    that begin at one height of the sheet for a line, and puts them in order from left to right; so
    it begins anew. It leaves out the sign that these say, other readers what is off the page."""
    spaces = f"[<{fount.space:04X}{fount.space:04X}>{2 * fount.width(fount.space):g}] TJ"
    return _SHOWN.sub(rf"\g<0> {_number(aside)} Ts {_saying(_UNSAID, spaces)} 0 Ts", run)


def _saying(text: str, shown: str) -> str:
    """Operators that show what says a text to who copies it."""
    actual = ("\ufeff" + text).encode("utf-16-be").hex().upper()
    return f"/Span <</ActualText <{actual}>>> BDC {shown} EMC"


def _white(width: float, space: bool, fount: _Fount) -> str:
    """White, em, as a space where the author wrote one: words are apart for who copies them."""
    key = width, space
    written = fount.whites.get(key)
    if written is None:
        by, shown = width * _THOUSAND, ""
        if space and fount.space:
            by -= fount.width(fount.space)
            shown = f"<{fount.space:04X}>"
        written = fount.whites[key] = shown + _adjusted(by)
    return written


def _word(glyphs: tuple[Glyph, ...], fount: _Fount, size: float) -> _WrittenWord:
    """A word inside of the brackets of TJ; one with marks above or below is left and entered."""
    raised = size if any(glyph.dy for glyph in glyphs) else 0.0
    word = fount.words.get((glyphs, raised))
    if word is None:
        known = [fount.glyphs.get(glyph) for glyph in glyphs]
        if None in known:
            known = [_cluster(cluster, fount, size) for cluster in clusters(glyphs)]
        written = _in_a_row(filter(None, known)).replace("><", "")
        word = fount.words[glyphs, raised] = _WrittenWord(glyphs, written)
    return word


def _cluster(glyphs: Sequence[Glyph], fount: _Fount, size: float) -> str:
    first, text = glyphs[0], glyphs[0].text
    written = _in_a_row(_glyph(glyph, fount, size) for glyph in glyphs)
    if len(glyphs) == 1 and fount.shows(first):
        if not first.dy:
            fount.glyphs[first] = written
    elif "".join(fount.said.get(glyph.id, "") for glyph in glyphs) != text:
        return f"] TJ {_saying(text, f'[{written}] TJ')} ["
    return written


def _glyph(glyph: Glyph, fount: _Fount, size: float) -> str:
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


def _in_a_row(parts: Iterable[str]) -> str:
    """What is inside of the brackets of TJ: two numbers that meet are not one."""
    row = ""
    for part in parts:
        row += f" {part}" if row[-1:].isdigit() and not part.startswith(("<", "]")) else part
    return row


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


_THOUSAND: Final = 1000
"""Widths and adjustments are in thousandths of an em."""
_TABLES: Final = ("GDEF", "GPOS", "GSUB", "OS/2", "cmap", "gasp", "name", "post", "DSIG", "STAT")
"""What a font in a PDF does without."""
_SYMBOLIC: Final = 4
_ALPHABET: Final = string.ascii_letters + string.digits + " .,;:!?-()'\u2019\u2013\u2212"
_FIXED_BFCHARS: Final = 100
"""The most entries of one list in a CMap (Adobe Technical Note 5411)."""


class _WrittenWord(Struct, frozen=True, eq=False):
    """Glyphs, and the operators that print them."""

    glyphs: tuple[Glyph, ...]
    written: str


_SMALL: Final = dict.fromkeys(("smcp", "c2sc", "pcap", "c2pc", "unic"), True)
"""The features that put small capitals in the place of letters."""
_JOINING: Final = ("R", "AL", "NSM", "BN")
"""Classes of characters (Unicode, annex 9) that join, or go with others."""
_SPACE: Final = _WrittenWord((), "")
"""White between words that is a space."""
Used = dict[str, tuple[FontFile, dict[_WrittenWord, None]]]
"""The words that are set in each font, by the name that pages call it."""


class _Fount(Struct):
    """One font as it is printed with: `name` is what pages call it and `shown_as` what users call
    its file, `digest` of what is in that, `used` the words that are set in it; and in the end
    `shown`, the glyphs of these, with what each one says to who copies it."""

    name: str
    file: FontFile
    face: Any
    font: Any
    said: Mapping[int, str]
    space: int
    shown_as: str
    digest: str
    shown: dict[int, str] = field(default_factory=dict)
    used: dict[_WrittenWord, None] = field(default_factory=dict)
    words: dict[tuple[tuple[Glyph, ...], float], _WrittenWord] = field(default_factory=dict)
    glyphs: dict[Glyph, str] = field(default_factory=dict)
    whites: dict[tuple[float, bool], str] = field(default_factory=dict)
    """What was written once for a word, a glyph that stands for itself, or a space, to be written
    again."""
    alone: dict[tuple[int, str], bool] = field(default_factory=dict)
    """Whether a glyph shows a text wherever it is."""
    small: dict[int, str] = field(default_factory=dict)
    """The one small letter that a small capital is of; nothing until somebody asks."""

    @property
    def scale(self) -> float:
        """Thousandths of an em in a font unit."""
        return float(_THOUSAND / self.face.upem)

    def width(self, glyph: int) -> float:
        """How far a reader moves on behind a glyph, thousandths of an em."""
        return float(round(self.font.get_glyph_h_advance(glyph) * self.scale, 3))

    def stands(self, glyph: Glyph) -> bool:
        """Whether the ink of a glyph touches the baseline, as that of dashes does not."""
        ink = self.font.get_glyph_extents(glyph.id)
        return bool(ink and ink.width) and ink.y_bearing + ink.height <= 0 <= ink.y_bearing

    def bearing(self, glyph: Glyph) -> float:
        """The white of a glyph at the right of its ink, thousandths of an em."""
        ink = self.font.get_glyph_extents(glyph.id)
        right = glyph.dx + ink.x_bearing + ink.width if ink else 0
        return max(0.0, (glyph.advance - right) * self.scale)

    def shows(self, glyph: Glyph) -> bool:
        """Whether a glyph shows its text wherever it is, so that the font can say so. Besides what
        is a character's own that is a ligature, or another figure or letter for the same one: of a
        small capital, which may be of either case, its small letter, as nobody would find a word of
        which each letter is told beside the font; and not what letters that join have in common."""
        own = self.said.get(glyph.id)
        if own is not None:
            return own == glyph.text
        key = glyph.id, glyph.text
        if key not in self.alone:
            text, other = glyph.text, glyph.text.swapcase()
            joins = not text or any(unicodedata.bidirectional(char) in _JOINING for char in text)
            self.alone[key] = not joins and (
                other == text
                or self._small(other) != [glyph.id]
                or self._small_letters().get(glyph.id) == text
            )
        return self.alone[key]

    def _small_letters(self) -> Mapping[int, str]:
        """The small letter of each small capital that is of one alone: not of an i with and without
        its dot, nor of a Latin letter and a Greek one."""
        if not self.small:
            for letter in sorted(set(self.said.values())):
                if letter != letter.swapcase() and letter == letter.upper().lower():
                    glyphs = self._small(letter)
                    if len(glyphs) == 1:
                        shared = glyphs[0] in self.small
                        self.small[glyphs[0]] = "" if shared else letter
        return self.small

    def _small(self, text: str) -> list[int]:
        """The glyphs of a text in small capitals."""
        buffer = hb.Buffer()
        buffer.add_str(text)
        buffer.guess_segment_properties()
        hb.shape(self.font, buffer, _SMALL)
        return [info.codepoint for info in buffer.glyph_infos]

    def complete(self) -> None:
        """See which glyphs are used. Of a font of which letters of the alphabet are used, take all
        of it: then a word that is changed seldom changes the font, and all faces that show it, in
        the file. A few KB."""
        others = dict[int, str]()  # which the text has to say beside the font
        for cluster in (cluster for word in self.used for cluster in clusters(word.glyphs)):
            alone = len(cluster) == 1 and self.shows(cluster[0])
            for glyph in cluster:
                said = self.said.get(glyph.id) or glyph.text
                (self.shown if alone else others).setdefault(glyph.id, said)
        self.shown = others | self.shown
        glyphs = {self.font.get_nominal_glyph(ord(letter)): letter for letter in _ALPHABET}
        if any(self.shown.get(glyph) == letter for glyph, letter in glyphs.items()):
            for glyph, letter in glyphs.items():
                if glyph:
                    self.shown.setdefault(glyph, self.said.get(glyph) or letter)
        if _SPACE in self.used:
            self.shown[self.space] = " "


def _embedded(pdf: Pdf, fount: _Fount, cache: Cache = NOTHING_KEPT) -> Object:
    """The font as a composite one whose codes are the glyphs of its file. Most often the same ones
    are used after a change: then its subset is in the `cache` of a process that goes on."""
    whole = _whole(fount.face)
    glyphs = tuple(sorted(fount.shown))
    program, packed, is_cff = cache.once(
        lambda: _subset(fount), "subset", fount.digest, fount.file, glyphs
    )
    digest = hashlib.sha256(program).digest()
    tag = "".join(chr(ord("A") + byte % 26) for byte in digest[:6])
    name = Name("/" + f"{tag}+{_postscript_name(fount)}")
    scale = fount.scale
    descriptor = Dictionary(
        Type=Name.FontDescriptor,
        FontName=name,
        Flags=_SYMBOLIC,
        FontBBox=Array([round(value * scale) for value in whole.box]),
        ItalicAngle=-12 if fount.file.italic else 0,
        Ascent=round(whole.ascent * scale),
        Descent=round(whole.descent * scale),
        CapHeight=round((whole.cap or whole.ascent) * scale),
        StemV=round(10 + 220 * (fount.file.weight - 50) / 900),
    )
    file = _as_stream(pdf, packed)
    if is_cff:
        file.Subtype = Name.CIDFontType0C
        descriptor.FontFile3 = file
    else:
        file.Length1 = len(program)
        descriptor.FontFile2 = file
    described = Dictionary(
        Type=Name.Font,
        Subtype=Name.CIDFontType0 if is_cff else Name.CIDFontType2,
        BaseFont=name,
        CIDSystemInfo=Dictionary(Registry=b"Adobe", Ordering=b"Identity", Supplement=0),
        FontDescriptor=pdf.make_indirect(descriptor),
        DW=0,
        W=Array(list(_widths(fount))),
    )
    if not is_cff:
        described.CIDToGIDMap = Name.Identity
    return pdf.make_indirect(
        Dictionary(
            Type=Name.Font,
            Subtype=Name.Type0,
            BaseFont=name,
            Encoding=Name("/Identity-H"),
            DescendantFonts=Array([pdf.make_indirect(described)]),
            ToUnicode=_as_stream(pdf, zlib.compress(_to_unicode(fount), 9)),
        )
    )


class _Whole(Struct, frozen=True):
    """Measures of a whole font, font units."""

    box: tuple[int, int, int, int]
    ascent: int
    descent: int
    cap: int


def _whole(face: Any) -> _Whole:
    """From the tables head, hhea and OS/2 (OpenType 1.9)."""
    head, hhea = face.reference_table("head").data, face.reference_table("hhea").data
    box = struct.unpack_from(">4h", head, 36)
    ascent, descent = struct.unpack_from(">2h", hhea, 4)
    os2 = face.reference_table("OS/2").data
    has_cap = len(os2) >= 90 and struct.unpack_from(">H", os2)[0] >= 2
    return _Whole(box, ascent, descent, struct.unpack_from(">h", os2, 88)[0] if has_cap else 0)


def _subset(fount: _Fount) -> tuple[bytes, bytes, bool]:
    """A font file with the glyphs that are used, under their numbers, plain and packed; is it one
    of CFF outlines, which are all that is left of such a file?"""
    wanted = hb.SubsetInput()
    wanted.glyph_set.update(fount.shown)
    wanted.drop_table_tag_set.update(_tag(table) for table in _TABLES)
    wanted.flags = (
        hb.SubsetFlags.RETAIN_GIDS
        | hb.SubsetFlags.NO_LAYOUT_CLOSURE
        | hb.SubsetFlags.NO_HINTING
        | hb.SubsetFlags.CFF_IDENTITY_CHARSET
        | hb.SubsetFlags.DOWNGRADE_CFF2
    )
    for axis, value in fount.file.axes:
        wanted.pin_axis_location(fount.face, axis, value)
    subset = hb.subset(fount.face, wanted)
    is_cff = "CFF " in subset.table_tags
    program = subset.reference_table("CFF ").data if is_cff else subset.blob.data
    return program, zlib.compress(program, 9), is_cff


def _tag(table: str) -> int:
    return int.from_bytes(table.encode().ljust(4), "big")


def _as_stream(pdf: Pdf, packed: bytes) -> Stream:
    stream = pdf.make_stream(packed)
    stream.Filter = Name.FlateDecode
    return stream


def _postscript_name(fount: _Fount) -> str:
    name = fount.face.get_name(6) or fount.file.family
    return "".join(c for c in str(name) if c.isascii() and (c.isalnum() or c in "-_")) or "Font"


def _widths(fount: _Fount) -> Iterator[Any]:
    for glyph in sorted(fount.shown):
        width = fount.width(glyph)
        yield glyph
        yield Array([int(width) if width == int(width) else Decimal(f"{width:.3f}")])


_CMAP: Final = """\
/CIDInit /ProcSet findresource begin
12 dict begin
begincmap
/CIDSystemInfo << /Registry (Adobe) /Ordering (UCS) /Supplement 0 >> def
/CMapName /Adobe-Identity-UCS def
/CMapType 2 def
1 begincodespacerange
<0000> <FFFF>
endcodespacerange
{}
endcmap
CMapName currentdict /CMap defineresource pop
end
end
"""


def _to_unicode(fount: _Fount) -> bytes:
    entries = [
        f"<{glyph:04X}> <{said.encode('utf-16-be').hex().upper()}>"
        for glyph, said in sorted(fount.shown.items())
        if said
    ]
    parts = (entries[at : at + _FIXED_BFCHARS] for at in range(0, len(entries), _FIXED_BFCHARS))
    lists = (f"{len(some)} beginbfchar\n" + "\n".join(some) + "\nendbfchar" for some in parts)
    return _CMAP.format("\n".join(lists)).encode()
