"""A file and who is to print it in; what of the file is refused there out."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice
from typing import Final

from pikepdf import Array, Dictionary, Stream

from generator.diagnostics import Severity
from generator.geometry import Rect, Size, format_mm
from generator.model.catalogue import PdfProfile
from generator.preflight.any_page import PAPER, SAME, bleed_of, nearest_blank, off_by, trim_of
from generator.preflight.checking import Finding, Subject
from generator.preflight.drawn import PageRead
from generator.preflight.file_checks import xmp_of
from generator.preflight.inks import CMYK, GREY, LAB, RGB
from generator.preflight.paints import paints_of

_SHORT: Final = 0.15
"""mm of bleed that nobody misses."""
_TAKEN: Final = {GREY: "grey", RGB: "rgb", CMYK: "cmyk", LAB: "lab"}
_LETTERS: Final = re.compile(r"[^a-z0-9]")
_VERSION: Final = re.compile(r"GTS_PDFXVersion[^>\"']{0,40}+[>=\"']{1,4}+\s{0,40}+([^<\"']{1,60}+)")


def product_sizes(subject: Subject) -> Iterator[Finding]:
    """GP881: every page is of a size that is made there."""
    profile = _profile(subject)
    for page in subject.pages:
        message = _odd_size(page, profile)
        if message:
            hint = "make the page as large as that; gridpress export makes what shops take"
            yield subject.fault("GP881", message, hint, page.number)


def _odd_size(page: PageRead, profile: PdfProfile) -> str:
    """Why a page is of no size that is made; empty where it is."""
    whole = Size(page.width, page.height)
    if profile.papers:
        paper = min(profile.papers, key=lambda paper: off_by(whole, paper.size))
        if off_by(whole, paper.size) <= PAPER:
            return ""
        near = f"{paper.title}, {_size(paper.size)}, is the nearest"
        return f"the page is {_size(whole)}: no paper of {profile.title} ({near})"
    trim = trim_of(page, profile).size
    blank = nearest_blank(trim, profile.blanks, lambda blank: blank.trim)
    if blank is None:
        return ""
    if off_by(trim, blank.trim) > SAME:
        near = f"{blank.name}, {_size(blank.trim)}, is the nearest"
        return f"{profile.title} makes nothing of {_size(trim)} ({near})"
    if profile.pictures and off_by(whole, blank.page) > SAME:
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
        least = min(bleed_of(page, trim_of(page, profile)))
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
    if profile.conditions:
        told = _conditions(subject)
        known = [_plain(name) for name in profile.conditions]
        if not any(name in _plain(words) for name in known for words in told):
            is_for = f"it is for {told[0]}" if told and told[0] else "it has no output intent"
            message = f"{is_for}, {profile.title} prints by {', '.join(profile.conditions)}"
            yield subject.fault("GP884", message, "convert it with the profile of that paper")


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
    for intent in subject.pdf.Root.get("/OutputIntents", Array()):
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
