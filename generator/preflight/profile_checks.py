"""Checks a PDF of any maker for who is to print it: each page as one face, the margins that a
printer leaves white, and what a shop refuses.

The trim of a page is its TrimBox; where it has none, what a profile's shop cuts out of a page of
its size, or all of it, as of a sheet of many pieces."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from typing import Final

import pypdfium2
import pypdfium2.raw as pdfium
from msgspec import Struct
from msgspec.structs import replace
from pikepdf import Array, Dictionary, Stream

from generator.diagnostics import Severity
from generator.geometry import IDENTITY, Matrix, Rect, Size, format_mm, pt_to_mm, summed
from generator.model.catalogue import Blank, Edge, PdfProfile, Shape
from generator.model.face import PdfLayer
from generator.pdf_forms import DPI
from generator.preflight.checking import Finding, Subject
from generator.preflight.faces import FaceFinding, Look, Specimen
from generator.preflight.file_checks import xmp_of
from generator.preflight.inks import CMYK, GREY, LAB, RGB
from generator.preflight.page_objects import is_on
from generator.preflight.page_reader import PageRead
from generator.preflight.painted import PaintedReader
from generator.preflight.paints import paints_of
from generator.preflight.pdf_limits import is_jpx
from generator.preflight.qr_codes import CLOSE, codes_on
from generator.preflight.raster import MOST_PIXELS, Raster, close_up, read_layers, rendered
from generator.preflight.text_checks import quoted

_SAME: Final = 0.4
"""mm by which a side may be off and still be called a product's, as for `gridpress export`."""
_PAPER: Final = 1.0
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
_COARSEST: Final = 30
"""dpi at which a page can be looked at: a larger one is not."""
_OUR_LAYERS: Final = frozenset(map(str, PdfLayer))
_WHITE: Final = 255
_PICTURE: Final = pdfium.FPDF_PAGEOBJ_IMAGE
_INVISIBLE: Final = (3, 7)
"""Text rendering modes that paint nothing, as of words behind a scan."""


def _trim_of(page: PageRead, profile: PdfProfile | None) -> Rect:
    """What is cut out of a page, mm."""
    whole = Rect(0, 0, page.width, page.height)
    said = page.trim or whole
    if profile is None or said.width < whole.width - _NONE or said.height < whole.height - _NONE:
        return said
    blank = next((b for b in profile.blanks if _far_off(whole.size, b.page) <= _SAME), None)
    if blank is None:
        return said
    trim = blank.trim if _off(whole.size, blank.page) <= _SAME else blank.trim.turned
    left, top = (whole.width - trim.width) / 2, (whole.height - trim.height) / 2
    return Rect(left, top, trim.width, trim.height)


def _bleed_of(page: PageRead, trim: Rect) -> tuple[float, float, float, float]:
    """How far the page goes on beyond a trim on the left, top, right and bottom, mm."""
    whole = Rect(0, 0, page.width, page.height)
    end = page.bleed if page.bleed and page.trim else whole
    return trim.x - end.x, trim.y - end.y, end.right - trim.right, end.bottom - trim.bottom


def _far_off(size: Size, wanted: Size) -> float:
    """mm by which the worse side is off from a wanted size, turned if that is nearer."""
    return min(_off(size, wanted), _off(size, wanted.turned))


def _off(size: Size, wanted: Size) -> float:
    return max(abs(size.width - wanted.width), abs(size.height - wanted.height))


def _nearest_blank(
    size: Size, blanks: Iterable[Blank], of: Callable[[Blank], Size]
) -> Blank | None:
    """The blank whose trim or page is most like a size."""
    return min(blanks, key=lambda blank: _far_off(size, of(blank)), default=None)


class AnyPage(Struct, frozen=True):
    """A page to look at: its number, the look at it, `corner` and `unit` of its space (pt), and the
    margin that must stay white, mm. Words count where they are in, or come into, `print`. It is
    `cut` if the page itself says where it is cut, and `ours` if a build of Gridpress drew it; with
    `faces` false only its margin is looked at. What is on a layer of `unprinted` is not there;
    `paired` pages are sides of cards, some of which are blank."""

    page: int
    look: Look
    corner: tuple[float, float]
    unit: float
    print: Rect
    margin: float = 0.0
    cut: bool = False
    ours: bool = False
    faces: bool = True
    unprinted: frozenset[bytes] = frozenset()
    paired: bool = False

    def seen(
        self,
        sheets: Sequence[pypdfium2.PdfPage],
        check: Callable[[Specimen], Iterable[FaceFinding]],
    ) -> tuple[Finding, ...]:
        """What the `check` of faces, and those here, say of it."""
        sheet = sheets[self.page - 1]
        one = pt_to_mm(self.unit)
        width, height = (length * one for length in sheet.get_size())
        seen = rendered(sheet, width, height, _fineness(*sheet.get_size()))
        found = list(_in_margins(seen, self.margin))
        if self.faces:
            left, top = self.corner
            to_page = Matrix(one, 0, 0, -one, -left * one, top * one)
            again: Callable[[], pypdfium2.PdfPage] = lambda: sheets[self.page - 1]  # noqa: E731
            specimen = self._specimen(sheet, to_page, seen, again)
            found += _bare_cut(specimen) if self.cut else ()
            unseen = list(_unseen_words(specimen))
            found += unseen or self._blank(sheet, specimen)
            found += check(specimen)
        return tuple(
            Finding(f.code, f.message, f.hint, f.severity, self.page, f.place, trace=f.trace)
            for f in found
        )

    def _blank(self, sheet: pypdfium2.PdfPage, specimen: Specimen) -> Iterator[FaceFinding]:
        """GP875: there is something on the page; not of a picture of one colour or a hidden layer,
        which are told by themselves."""
        if self.paired or any(low < _WHITE for low, _ in specimen.seen.ends(self.look.box)):
            return
        objects = [drawn for layer in read_layers(sheet, IDENTITY) for drawn in layer.objects]
        if not any(o.kind == _PICTURE or is_on(o.item, self.unprinted) for o in objects):
            hint = "take it out, unless it is the empty back of what is on another page"
            yield FaceFinding("GP875", "the page shows nothing", hint, Severity.WARNING)

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
        objects = [
            drawn
            for layer in layers
            for drawn in layer.objects
            if not (self.unprinted and is_on(drawn.item, self.unprinted))
        ]
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
        fine = tuple(line for line in painted.fine if line.box.overlaps(self.print))
        codes = codes_on(shown, shown, lambda part: close_up(again(), seen.box, part, CLOSE))
        return Specimen(self.look, replace(painted, texts=texts, fine=fine), shown, shown, codes)


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
    margin = next((p.margin for p in papers if _far_off(size, p.size) <= _PAPER), 0.0)
    whole = Rect(0, 0, read.width, read.height)
    ours = any(stroke.layer in _OUR_LAYERS for stroke in read.strokes)
    sheet = ours or bool(papers)  # of many pieces: where each is cut nobody tells
    trim = whole if sheet else _trim_of(read, profile).cut_to(whole)
    printed = trim
    if sheet:  # around the pieces; beside them are ruler and slug
        printed = read.trim or (Rect(0, 0, 0, 0) if ours else whole)
    beyond = min(max(*_bleed_of(read, trim), 0.0), _MOST_BLEED)
    bleed = 0.0 if beyond < _NONE or sheet else beyond
    safe = profile.safe if profile else 0.0
    end = whole.cut_to(read.bleed) if read.bleed and read.trim else whole
    clip = trim.grown(bleed).cut_to(end)
    look = Look(trim, Shape.RECTANGLE, bleed, safe, Edge.WHITE, clip)
    paired = profile is not None and profile.paired
    cut = profile is None and read.trim is not None and not (bleed or sheet)
    return AnyPage(
        read.number, look, corner, unit, printed, margin, cut, ours, faces, paired=paired
    )


def _fineness(width: float, height: float) -> int:
    """dpi at which a page of that size, pt, is drawn: a banner more coarsely, since nobody stands
    as near to it as to a card."""
    inches = max(width * height, 1) / 72**2
    return max(min(DPI, math.isqrt(int(MOST_PIXELS / inches)) - 1), _COARSEST)


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
        place, sides = run.box, (run.box.width, run.box.height)
        if not min(sides) and any(map(str.isalnum, run.words)):  # and yet not be seen at all
            place = place.grown(pt_to_mm(run.size_pt))
        is_large = min(place.width, place.height) > _DOT
        ends = specimen.seen.ends(place) if is_large and run.words.strip() else ()
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


_SHORT: Final = 0.15
"""mm of bleed that nobody misses."""
_TAKEN: Final = {GREY: "grey", RGB: "rgb", CMYK: "cmyk", LAB: "lab"}
_WITH_JPX: Final = ("PDF/X-4", "PDF/X-5", "PDF/X-6")
"""Standards made of PDF 1.5 and later."""
_LETTERS: Final = re.compile(r"[^a-z0-9]")
_VERSION: Final = re.compile(r"GTS_PDFXVersion[^>\"']{0,40}+[>=\"']{1,4}+\s{0,40}+([^<\"']{1,60}+)")


def product_sizes(subject: Subject) -> Iterator[Finding]:
    """GP881: every page is of a size that is made there."""
    profile = _profile(subject)
    for page in subject.pages:
        if page.trim is not None and not (page.trim.width and page.trim.height):
            continue  # GP802 tells of it
        message = _odd_size(page, profile)
        if message:
            hint = "make the page as large as that; gridpress export makes what shops take"
            yield subject.fault("GP881", message, hint, page.number)


def _odd_size(page: PageRead, profile: PdfProfile) -> str:
    """Why a page is of no size that is made; empty where it is."""
    whole = Size(page.width, page.height)
    if profile.papers:
        paper = min(profile.papers, key=lambda paper: _far_off(whole, paper.size))
        if _far_off(whole, paper.size) <= _PAPER:
            return ""
        near = f"{paper.title}, {_size(paper.size)}, is the nearest"
        return f"the page is {_size(whole)}: no paper of {profile.title} ({near})"
    trim = _trim_of(page, profile).size
    blank = _nearest_blank(trim, profile.blanks, lambda blank: blank.trim)
    if blank is None:
        return ""
    if _far_off(trim, blank.trim) > _SAME:
        near = f"{blank.name}, {_size(blank.trim)}, is the nearest"
        return f"{profile.title} makes nothing of {_size(trim)} ({near})"
    if profile.pictures and _far_off(whole, blank.page) > _SAME:
        wanted = f"the picture of a {blank.name} {_size(blank.page)}"
        return f"the page is {_size(whole)}, {wanted}: all that is on it is printed"
    return ""


def bleed_boxes(subject: Subject) -> Iterator[Finding]:
    """GP882: every page says where it is cut, and goes on as far beyond as is wanted."""
    profile = _profile(subject)
    for page in subject.pages:
        missing = [n for n, box in (("TrimBox", page.trim), ("BleedBox", page.bleed)) if not box]
        if profile.boxes and missing:
            message = f"the page has no {' and no '.join(missing)}: nobody can tell where it is cut"
            hint = "export it with its trim and bleed boxes"
            yield subject.fault("GP882", message, hint, page.number)
            continue
        least = min(_bleed_of(page, _trim_of(page, profile)))
        if profile.bleed and least < profile.bleed - _SHORT:
            has = f"has {format_mm(round(max(least, 0), 2))} mm of bleed"
            message = f"the page {has}, {profile.title} wants {format_mm(profile.bleed)} mm"
            hint = "draw the ground on beyond the cut, and make the page as much larger"
            yield subject.fault("GP882", message, hint, page.number)


def colours_taken(subject: Subject) -> Iterator[Finding]:
    """GP883: all colours are of kinds that are taken."""
    profile = _profile(subject)
    told: set[str] = set()
    for number, paints in enumerate(paints_of(subject), start=1):
        for kind in sorted(paints.kinds.keys() - told):
            if profile.colours and _TAKEN.get(kind, "spot") not in profile.colours:
                told.add(kind)
                what = f"the ink {kind} is" if kind not in _TAKEN else f"{kind} colours are"
                message = f"{what} used, {profile.title} takes {', '.join(profile.colours)}"
                hint = "convert the file, with the profile of the printer's paper"
                place = paints.kinds[kind]
                yield Finding("GP883", message, hint, page=number, place=place)


def standard(subject: Subject) -> Iterator[Finding]:
    """GP884: the file is of a standard, and for a printing condition, that is taken."""
    profile = _profile(subject)
    said = _version(subject)
    if profile.standards and said not in profile.standards:
        is_now = f"it is {said}" if said else "it is no PDF/X"
        message = f"{is_now}, {profile.title} takes {', '.join(profile.standards)}"
        yield subject.fault("GP884", message, "export it as one of these")
    elif said:
        yield from _kept(subject, said)
    if profile.conditions:
        told = _conditions(subject)
        known = [_plain(name) for name in profile.conditions]
        if not any(name in _plain(words) for name in known for words in told):
            is_for = f"it is for {told[0]}" if told and told[0] else "it has no output intent"
            message = f"{is_for}, {profile.title} prints by {', '.join(profile.conditions)}"
            yield subject.fault("GP884", message, "convert it with the profile of that paper")


def _kept(subject: Subject, said: str) -> Iterator[Finding]:
    """What a file does, once, that the standard that it claims has not."""
    pages = enumerate(subject.pdf.pages, start=1)
    both = [number for number, page in pages if {"/ArtBox", "/TrimBox"} <= set(page.obj.keys())]
    if both:
        message = f"the page has a TrimBox and an ArtBox: in {said} it has one of them"
        yield subject.fault("GP884", message, "export it again without ArtBox", both[0])
    if not said.startswith(_WITH_JPX):
        jpx = (o for o in subject.pdf.objects if isinstance(o, Stream) and is_jpx(o))
        if next(jpx, None) is not None:
            message = f"a picture is JPEG 2000 (JPXDecode), which {said} has not"
            yield subject.fault("GP884", message, "export it with pictures in JPEG or packed (ZIP)")


def opaque(subject: Subject) -> Iterator[Finding]:
    """GP885: nothing is transparent where that is not taken."""
    profile = _profile(subject)
    if profile.transparency:
        return
    for number, paints in enumerate(paints_of(subject), start=1):
        for what, place in islice(paints.sheer.items(), 1):
            message = f"the page has {what}: {profile.title} takes nothing transparent"
            hint = "flatten it when you export it"
            yield Finding("GP885", message, hint, page=number, place=place)


def amount(subject: Subject) -> Iterator[Finding]:
    """GP886: the file has no more pages and bytes than are taken; where two pages are a card, they
    are even."""
    profile, pages = _profile(subject), len(subject.pages)
    if profile.most_pages and pages > profile.most_pages:
        message = f"the file has {pages:,} pages, {profile.title} takes {profile.most_pages:,}"
        yield subject.fault("GP886", message, "split it into several")
    if profile.most_bytes and subject.bytes > profile.most_bytes:
        has = f"{subject.bytes / 1e6:.1f} MB"
        message = f"the file has {has}, {profile.title} takes {profile.most_bytes / 1e6:g} MB"
        yield subject.fault("GP886", message, "make its pictures smaller, or split it")
    if profile.paired and pages % 2:
        message = f"the number of pages, {pages}, is odd: two are the sides of a card"
        yield subject.fault("GP886", message, "give each card both of its sides, one blank if need")


def in_pictures(subject: Subject) -> Iterator[Finding]:
    """GP887: a shop that takes pictures gets pictures."""
    profile = _profile(subject)
    if profile.pictures:
        message = f"{profile.title} takes pictures, no PDF: each page is looked at as one"
        hint = f"gridpress export --for {profile.name} makes them of a pack"
        yield Finding("GP887", message, hint, Severity.WARNING)


def _profile(subject: Subject) -> PdfProfile:
    assert subject.profile is not None
    return subject.profile


def _version(subject: Subject) -> str:
    """The standard of PDF/X that a file says it keeps; empty for none."""
    told = str(subject.pdf.docinfo.get("/GTS_PDFXVersion", ""))
    found = _VERSION.search(xmp_of(subject))
    return told or (found[1].strip() if found else "")


def _conditions(subject: Subject) -> list[str]:
    """What the output intents of a file say of themselves, and the names of their profiles."""
    told = []
    intents = subject.pdf.Root.get("/OutputIntents")
    for intent in intents if isinstance(intents, Array) else ():
        if isinstance(intent, Dictionary):
            keys = ("/OutputConditionIdentifier", "/OutputCondition", "/Info")
            told += [str(intent[key]) for key in keys if key in intent]
            icc = intent.get("/DestOutputProfile")
            if isinstance(icc, Stream):
                told.append(icc.read_bytes()[128:4096].decode("latin-1").replace("\0", ""))
    return told


def _plain(words: str) -> str:
    return _LETTERS.sub("", words.lower())


def _size(size: Size | Rect) -> str:
    return f"{format_mm(round(size.width, 2))} × {format_mm(round(size.height, 2))} mm"
