"""A page of any PDF in, looked at as one face: what is found on it, and in the margins that a
printer leaves white, out.

Its trim is its TrimBox; where it has none, what a profile's shop cuts out of a page of its size, or
all of it, as of a sheet of many pieces."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Final

import pypdfium2
from msgspec import Struct
from msgspec.structs import replace

from generator.diagnostics import Severity
from generator.geometry import Matrix, Rect, Size, format_mm, pt_to_mm, summed
from generator.model.catalogue import Blank, Edge, PdfProfile, Shape
from generator.model.face import PdfLayer
from generator.preflight.checking import Finding
from generator.preflight.drawn import PageRead
from generator.preflight.faces import FaceFinding, Look, Specimen
from generator.preflight.painted import PaintedReader
from generator.preflight.qr_codes import CLOSE, codes_on
from generator.preflight.raster import Raster, close_up, read_layers, rendered
from generator.preflight.text_checks import quoted

SAME: Final = 0.4
"""mm by which a side may be off and still be called a product's, as for `gridpress export`."""
PAPER: Final = 1.0
"""mm by which a page may be off from its paper."""
_NONE: Final = 0.05
"""mm of bleed that is none."""
_MOST_BLEED: Final = 10.0
"""mm; beyond lie marks, and the rest of the sheet."""
_INSIDE: Final = 0.5
"""mm inside of a cut, or of the edge of a margin, where a page is looked at."""
_SIDES: Final = 4
_ALONG: Final = 0.5
"""Of a side that art comes to."""
_TOUCHES: Final = 0.02
"""Of a margin that art lies in; less is a mark or a line."""
_DOT: Final = 0.8
"""mm of what is large enough that some of it must be another pixel than the rest."""
_ONE_COLOUR: Final = 8
"""Levels by which pixels of one colour differ."""
_OUR_LAYERS: Final = frozenset(map(str, PdfLayer))
_INVISIBLE: Final = (3, 7)
"""Text rendering modes that paint nothing, as of words behind a scan."""


def trim_of(page: PageRead, profile: PdfProfile | None) -> Rect:
    """What is cut out of a page, mm."""
    whole = Rect(0, 0, page.width, page.height)
    said = page.trim or whole
    if profile is None or said.width < whole.width - _NONE or said.height < whole.height - _NONE:
        return said
    blank = next((b for b in profile.blanks if off_by(whole.size, b.page) <= SAME), None)
    if blank is None:
        return said
    trim = blank.trim if _off(whole.size, blank.page) <= SAME else blank.trim.turned
    left, top = (whole.width - trim.width) / 2, (whole.height - trim.height) / 2
    return Rect(left, top, trim.width, trim.height)


def bleed_of(page: PageRead, trim: Rect) -> tuple[float, float, float, float]:
    """How far the page goes on beyond a trim on the left, top, right and bottom, mm."""
    whole = Rect(0, 0, page.width, page.height)
    end = page.bleed if page.bleed and page.trim else whole
    return trim.x - end.x, trim.y - end.y, end.right - trim.right, end.bottom - trim.bottom


def off_by(size: Size, wanted: Size) -> float:
    """mm by which the worse side is off from a wanted size, turned if that is nearer."""
    return min(_off(size, wanted), _off(size, wanted.turned))


def _off(size: Size, wanted: Size) -> float:
    return max(abs(size.width - wanted.width), abs(size.height - wanted.height))


def nearest_blank(size: Size, blanks: Iterable[Blank], of: Callable[[Blank], Size]) -> Blank | None:
    """The blank whose trim or page is most like a size."""
    return min(blanks, key=lambda blank: off_by(size, of(blank)), default=None)


class AnyPage(Struct, frozen=True):
    """A page to look at: its number, the look at it, `corner` and `unit` of its space (pt), and the
    margin that must stay white, mm. Words count where they are in, or come into, `print`. It is
    `cut` if the page itself says where it is cut, and `ours` if a build of Gridpress drew it; with
    `faces` false only its margin is looked at."""

    page: int
    look: Look
    corner: tuple[float, float]
    unit: float
    print: Rect
    margin: float = 0.0
    cut: bool = False
    ours: bool = False
    faces: bool = True

    def seen(
        self,
        sheets: Sequence[pypdfium2.PdfPage],
        check: Callable[[Specimen], Iterable[FaceFinding]],
    ) -> tuple[Finding, ...]:
        """What the `check` of faces, and those here, say of it."""
        sheet = sheets[self.page - 1]
        one = pt_to_mm(self.unit)
        width, height = (length * one for length in sheet.get_size())
        seen = rendered(sheet, width, height)
        found = list(_in_margins(seen, self.margin))
        if self.faces:
            left, top = self.corner
            to_page = Matrix(one, 0, 0, -one, -left * one, top * one)
            again: Callable[[], pypdfium2.PdfPage] = lambda: sheets[self.page - 1]  # noqa: E731
            specimen = self._specimen(sheet, to_page, seen, again)
            found += _bare_cut(specimen) if self.cut else ()
            found += _unseen_words(specimen)
            found += check(specimen)
        return tuple(
            Finding(f.code, f.message, f.hint, f.severity, self.page, f.place, trace=f.trace)
            for f in found
        )

    def _specimen(
        self,
        sheet: pypdfium2.PdfPage,
        to_page: Matrix,
        seen: Raster,
        again: Callable[[], pypdfium2.PdfPage],
    ) -> Specimen:
        text_page = sheet.get_textpage()
        reader = PaintedReader(sheet.raw, text_page.raw, to_page, foreign=not self.ours)
        layers = read_layers(sheet, to_page)
        objects = [drawn for layer in layers for drawn in layer.objects]
        painted = reader.read(objects, words_only=True)
        is_sheet = self.print != self.look.box
        texts = tuple(
            run
            for run in painted.texts
            if run.mode not in _INVISIBLE
            and run.alpha
            and run.box.overlaps(self.print)
            and (self.look.box.contains(run.box) or not is_sheet)  # it may be a poster's
        )
        shown = seen.cut(self.look.art)
        codes = codes_on(shown, shown, lambda part: close_up(again(), seen.box, part, CLOSE))
        return Specimen(self.look, replace(painted, texts=texts), shown, shown, codes)


def any_page(
    read: PageRead,
    corner: tuple[float, float],
    unit: float,
    profile: PdfProfile | None,
    *,
    faces: bool,
) -> AnyPage:
    """How to look at a page: `corner` is the left and the top of its MediaBox."""
    papers = profile.papers if profile else ()
    size = Size(read.width, read.height)
    margin = next((p.margin for p in papers if off_by(size, p.size) <= PAPER), 0.0)
    whole = Rect(0, 0, read.width, read.height)
    ours = any(stroke.layer in _OUR_LAYERS for stroke in read.strokes)
    sheet = ours or bool(papers)  # of many pieces: where each is cut nobody tells
    trim = whole if sheet else trim_of(read, profile).cut_to(whole)
    printed = trim
    if sheet:  # around the pieces; beside them are ruler and slug
        printed = read.trim or (Rect(0, 0, 0, 0) if ours else whole)
    beyond = min(max(*bleed_of(read, trim), 0.0), _MOST_BLEED)
    bleed = 0.0 if beyond < _NONE or sheet else beyond
    safe = profile.safe if profile else 0.0
    end = whole.cut_to(read.bleed) if read.bleed and read.trim else whole
    clip = trim.grown(bleed).cut_to(end)
    look = Look(trim, Shape.RECTANGLE, bleed, safe, Edge.WHITE, clip)
    cut = profile is None and read.trim is not None and not (bleed or sheet)
    return AnyPage(read.number, look, corner, unit, printed, margin, cut, ours, faces)


def _in_margins(seen: Raster, margin: float) -> Iterator[FaceFinding]:
    """GP812: nothing lies where a printer does not print."""
    if not margin:
        return
    page = seen.box
    depth = margin - _INSIDE
    sides = {
        "left": Rect(page.x, page.y, depth, page.height),
        "upper": Rect(page.x, page.y, page.width, depth),
        "right": Rect(page.right - depth, page.y, depth, page.height),
        "lower": Rect(page.x, page.bottom - depth, page.width, depth),
    }
    shares = {name: _inked(seen, strip) for name, strip in sides.items()}
    worst = max(shares, key=lambda name: shares[name])
    if shares[worst]:
        names = [name for name, share in shares.items() if share]
        yield FaceFinding(
            "GP812",
            f"something lies in the {format_mm(margin)} mm that stay white, {_at(names)}",
            "a printer at home leaves them out, or makes the whole page smaller: keep clear of"
            " them, or take larger paper",
            Severity.ERROR if shares[worst] > _TOUCHES else Severity.WARNING,
            sides[worst],
        )


def _bare_cut(specimen: Specimen) -> Iterator[FaceFinding]:
    """GP811: where art comes to the cut, the page goes on beyond."""
    trim = specimen.look.box
    inner = trim.grown(-_INSIDE)
    sides = {
        "left": Rect(inner.x, inner.y, 0, inner.height),
        "upper": Rect(inner.x, inner.y, inner.width, 0),
        "right": Rect(inner.right, inner.y, 0, inner.height),
        "lower": Rect(inner.x, inner.bottom, inner.width, 0),
    }
    bare = {name: side for name, side in sides.items() if _inked(specimen.seen, side) >= _ALONG}
    if bare:
        yield FaceFinding(
            "GP811",
            f"the art comes to the cut {_at(list(bare))}, and has no bleed there",
            "draw it 3 mm beyond the TrimBox, or a white rim shows where the knife is off",
            place=next(iter(bare.values())),
        )


def _unseen_words(specimen: Specimen) -> Iterator[FaceFinding]:
    """GP824: where there are words, something is to be seen."""
    for run in specimen.painted.texts:
        is_large = min(run.box.width, run.box.height) > _DOT
        ends = specimen.seen.ends(run.box) if is_large and run.words.strip() else ()
        if ends and all(high - low <= _ONE_COLOUR for low, high in ends):
            yield FaceFinding(
                "GP824",
                f"text cannot be seen: {quoted((run,))}",
                "its font draws nothing, or it is covered, cut off or of the colour of its ground:"
                " mend that, or take it out",
                Severity.WARNING,
                run.box,
            )


def _at(sides: Sequence[str]) -> str:
    return "all around" if len(sides) == _SIDES else f"at the {' and '.join(sides)} edge"


def _inked(seen: Raster, place: Rect) -> float:
    """Which part of a place has ink."""
    counts = seen.cut(place).paper().image.histogram()
    return counts[0] / summed(counts)
