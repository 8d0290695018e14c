"""Checks what a profile refuses: sizes, bleed, colours, standard, transparency, number of pages and
bytes."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from pikepdf import Array, Dictionary, Pdf, Stream

from generator.diagnostics import Severity
from generator.geometry import Rect, Size, format_mm
from generator.model.catalogue import PdfProfile
from generator.preflight.finding import Finding
from generator.preflight.pdf.gathered import warned
from generator.preflight.pdf.page_frame import PageFrame
from generator.preflight.pdf.pdf_colours import CMYK, GREY, LAB, REGISTRATION, RGB
from generator.preflight.pdf.pdf_subject import (
    SAME,
    SubjectFile,
    SubjectPage,
    far_off,
    nearest_product,
    trim_of,
)

_PAPER: Final = 1.0
"""mm that a page may differ from its paper."""
_SHORT: Final = 0.15
"""mm of bleed that nobody misses."""
_TAKEN: Final = {GREY: "grey", RGB: "rgb", CMYK: "cmyk", REGISTRATION: "cmyk", LAB: "lab"}
_LETTERS: Final = re.compile(r"[^a-z0-9]")
_VERSION: Final = re.compile(r"GTS_PDFXVersion[^>\"']{0,40}+[>=\"']{1,4}+\s{0,40}+([^<\"']{1,60}+)")


def page_sizes(subject: SubjectFile) -> Iterator[Finding]:
    """GP881: find pages of a size that the shop does not make."""
    profile = _profile(subject)
    for frame in subject.frames:
        message = _odd_size(frame, profile)
        if message:
            hint = "make the page that size, or let `gridpress export` make the file"
            yield _refused("GP881", message, hint, frame.number)


def _odd_size(frame: PageFrame, profile: PdfProfile) -> str:
    """Return why the shop does not make a page's size; empty if it does."""
    whole = frame.size
    if profile.papers:
        paper = min(profile.papers, key=lambda paper: far_off(whole, paper.size))
        if far_off(whole, paper.size) <= _PAPER:
            return ""
        near = f"{paper.title}, {_size(paper.size)}"
        return f"the page is {_size(whole)}; {profile.title} has no such paper (nearest: {near})"
    trim = trim_of(frame, profile).size
    blank = nearest_product(trim, profile.blanks)
    if blank is None:
        return ""
    if far_off(trim, blank.trim) > SAME:
        near = f"{blank.name}, {_size(blank.trim)}"
        return f"{profile.title} makes no product of {_size(trim)} (nearest: {near})"
    if profile.pictures and far_off(whole, blank.page) > SAME:
        return f"the page is {_size(whole)}, a {blank.name} with bleed {_size(blank.page)}"
    return ""


def bleed(subject: SubjectFile) -> Iterator[Finding]:
    """GP882: find pages without the required boxes or bleed."""
    profile = _profile(subject)
    for frame in subject.frames:
        told = (("TrimBox", frame.trim), ("BleedBox", frame.bleed))
        missing = [name for name, box in told if box is None]
        if profile.boxes and missing:
            message = f"the page has no {' and no '.join(missing)}, so nobody knows where to cut"
            hint = "export it with its TrimBox and BleedBox"
            yield _refused("GP882", message, hint, frame.number)
        elif profile.bleed:
            least = max(_least_bleed(frame, trim_of(frame, profile)), 0.0)
            if least < profile.bleed - _SHORT:
                has = f"the page has {format_mm(round(least, 2))} mm of bleed"
                message = f"{has}; {profile.title} wants {format_mm(profile.bleed)} mm"
                hint = "extend the background beyond the cut, and make the page larger by as much"
                yield _refused("GP882", message, hint, frame.number)


def _least_bleed(frame: PageFrame, trim: Rect) -> float:
    end = frame.bleed if frame.bleed and frame.trim else frame.whole
    return min(trim.x - end.x, trim.y - end.y, end.right - trim.right, end.bottom - trim.bottom)


def colours_taken(subject: SubjectPage) -> Iterator[Finding]:
    """GP883: find kinds of colour that the shop refuses."""
    profile, told = subject.profile, set[str]()
    if profile is None or not profile.colours:
        return
    for colour, places in subject.marks.areas.items():
        kind = colour.paint.kind
        if kind and kind not in told and _TAKEN.get(kind, "spot") not in profile.colours:
            told.add(kind)
            what = f"{kind} colours are" if kind in _TAKEN else f"the ink {kind} is"
            message = f"{what} used; {profile.title} accepts {', '.join(profile.colours)}"
            hint = "convert the file, with the profile of the printer's paper"
            yield _refused("GP883", message, hint, subject.number, subject.placed(places[0]))


def opaque(subject: SubjectPage) -> Iterator[Finding]:
    """GP885: find transparency that the shop refuses."""
    profile = subject.profile
    if profile is None or profile.transparency:
        return
    for colour, places in subject.marks.areas.items():
        if colour.sheer:
            message = f"the page has {colour.sheer}; {profile.title} accepts no transparency"
            place = subject.placed(places[0])
            yield _refused("GP885", message, "flatten it on export", subject.number, place)
            return


def amount(subject: SubjectFile) -> Iterator[Finding]:
    """GP886: find files with too many pages or bytes, or a card with one side."""
    profile, pages = _profile(subject), len(subject.frames)
    if profile.most_pages and pages > profile.most_pages:
        message = f"the file has {pages:,} pages; {profile.title} accepts {profile.most_pages:,}"
        yield _refused("GP886", message, "split it into several files")
    if profile.most_bytes and subject.bytes > profile.most_bytes:
        has, takes = subject.bytes / 1e6, profile.most_bytes / 1e6
        message = f"the file has {has:.1f} MB; {profile.title} accepts {takes:g} MB"
        yield _refused("GP886", message, "make its pictures smaller, or split it")
    if profile.paired and pages % 2:
        message = f"the file has {pages} pages, but each card needs two: front and back"
        yield _refused(
            "GP886", message, "give each card a front and a back; one of them may be blank"
        )


def takes_pictures(subject: SubjectFile) -> Iterator[Finding]:
    """GP887: say that a shop takes pictures, not PDFs."""
    profile = _profile(subject)
    if profile.pictures:
        message = f"{profile.title} takes pictures, not PDFs; the pages are checked as pictures"
        hint = f"make them with `gridpress export PACK --for {profile.name}`"
        yield warned("GP887", message, hint)


def standard(subject: SubjectFile) -> Iterator[Finding]:
    """GP884: find files of another standard or printing condition than the shop wants."""
    profile, pdf = _profile(subject), subject.pdf
    version = _version(pdf)
    if profile.standards and version not in profile.standards:
        is_now = f"the file is {version}" if version else "the file is not PDF/X"
        message = f"{is_now}; {profile.title} accepts {', '.join(profile.standards)}"
        yield _refused("GP884", message, "export it as one of these")
    if profile.conditions:
        told = _conditions(pdf)
        known = [_plain(name) for name in profile.conditions]
        if not any(name in _plain(words) for name in known for words in told):
            is_for = f"the file is for {told[0]}" if told else "the file has no output intent"
            message = f"{is_for}; {profile.title} prints by {', '.join(profile.conditions)}"
            yield _refused("GP884", message, "convert it with the profile of that paper")


def _version(pdf: Pdf) -> str:
    """Return the PDF/X standard that a file claims, such as `PDF/X-4`; empty without one."""
    told = str(pdf.docinfo.get("/GTS_PDFXVersion", ""))
    metadata = pdf.Root.get("/Metadata")
    if told or not isinstance(metadata, Stream):
        return told
    found = _VERSION.search(metadata.read_bytes().decode("utf-8", "replace"))
    return found[1].strip() if found else ""


def _conditions(pdf: Pdf) -> Sequence[str]:
    """Return the names in the output intents, and those of their profiles."""
    told = []
    intents = pdf.Root.get("/OutputIntents")
    for intent in intents if isinstance(intents, Array) else ():
        if isinstance(intent, Dictionary):
            keys = ("/OutputConditionIdentifier", "/OutputCondition", "/Info")
            told += [str(intent[key]) for key in keys if key in intent]
            icc = intent.get("/DestOutputProfile")
            if isinstance(icc, Stream):
                told.append(icc.read_bytes()[128:4096].decode("latin-1").replace("\0", ""))
    return [words for words in told if words]


def _plain(words: str) -> str:
    return _LETTERS.sub("", words.lower())


def _profile(subject: SubjectFile) -> PdfProfile:
    assert subject.profile is not None
    return subject.profile


def _refused(
    code: str, message: str, hint: str, page: int = 0, place: Rect | None = None
) -> Finding:
    return Finding(code, message, hint, Severity.ERROR, page, place)


def _size(size: Size) -> str:
    return f"{format_mm(round(size.width, 2))} × {format_mm(round(size.height, 2))} mm"
