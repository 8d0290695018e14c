"""Checks pages as a whole: boxes, pages without anything, layers, commands that nobody can read."""

from __future__ import annotations

from collections.abc import Iterator

from generator.diagnostics import Severity
from generator.preflight.finding import Finding
from generator.preflight.pdf.content_reader import ELSEWHERE, ODD
from generator.preflight.pdf.gathered import warned
from generator.preflight.pdf.optional_content import layer_states
from generator.preflight.pdf.pdf_subject import SubjectFile, SubjectPage, far_off

_ROUNDING = 0.2
"""mm."""


def boxes(subject: SubjectFile) -> Iterator[Finding]:
    """GP802: find boxes that lie outside each other, and pages of other sizes in one product."""
    for frame in subject.frames:
        for fault in frame.faults:
            hint = "set the boxes in the program that made the file: trim within bleed within page"
            yield warned("GP802", fault, hint, page=frame.number, place=frame.trim)
    profile = subject.profile
    if profile is None or not (profile.blanks or profile.paired):
        return
    first = subject.frames[0]
    for frame in subject.frames[1:]:
        if far_off(frame.size, first.size) > _ROUNDING:
            message = "the page differs in size from page 1"
            hint = f"{profile.title} wants all pages of a file to be the same size"
            yield warned("GP802", message, hint, page=frame.number)


def layers(subject: SubjectFile) -> Iterator[Finding]:
    """GP844: find layers that are printed but not seen, or seen but not printed."""
    for _, name, is_seen, is_printed in layer_states(subject.pdf):
        if is_seen != is_printed:
            how = "shown on screen but not printed" if is_seen else "hidden on screen but printed"
            hint = "delete the layer, or merge it if you want it in print"
            yield warned("GP844", f"the layer ‘{name}’ is {how}", hint)


def shown_content(subject: SubjectPage) -> Iterator[Finding]:
    """Find pages that show nothing (GP875) or have content that cannot be read (GP808)."""
    marks, number = subject.marks, subject.number
    is_inked = any(not colour.paint.white for colour in marks.areas)
    has_notes = bool(subject.page.obj.get("/Annots"))
    if not (is_inked or marks.pictures or has_notes) and not _is_blank_side(subject):
        hint = "delete it, unless it is meant to stay blank"
        yield warned("GP875", "the page is blank", hint, page=number)
    if ODD in marks.notes:
        hint = "export the file again: part of this page may not print"
        yield warned("GP808", f"the page has {ODD}", hint, page=number)
    if ELSEWHERE in marks.notes:
        hint = "export it again with everything embedded in one file"
        yield Finding("GP808", f"the page has {ELSEWHERE}", hint, Severity.ERROR, number)


def _is_blank_side(subject: SubjectPage) -> bool:
    """True where two pages are the sides of a card; one may be blank."""
    return subject.profile is not None and subject.profile.paired
