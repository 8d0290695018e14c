"""The subjects of checks: a file, or one page of it with what it shows."""

from __future__ import annotations

from typing import Final

from msgspec import Struct
from pikepdf import Page, Pdf

from generator.geometry import Rect, Size
from generator.model.catalogue import Blank, PdfProfile
from generator.preflight.pdf.page_frame import PageFrame
from generator.preflight.pdf.shown_marks import ShownMarks

SAME: Final = 0.4
"""mm that a side may differ from that of a product."""


class SubjectFile(Struct, frozen=True, eq=False):
    """A file that is checked: its size in bytes, its pages, and the profile of who prints it."""

    pdf: Pdf
    bytes: int
    frames: tuple[PageFrame, ...]
    profile: PdfProfile | None = None


class SubjectPage(Struct, frozen=True, eq=False):
    """A page that is checked: its boxes, what it shows, and the profile of who prints it."""

    page: Page
    frame: PageFrame
    marks: ShownMarks
    profile: PdfProfile | None = None

    @property
    def number(self) -> int:
        """The number of the page, from 1."""
        return self.frame.number

    @property
    def trim(self) -> Rect:
        """Return the part that is cut out of the page, mm."""
        return trim_of(self.frame, self.profile)

    @property
    def is_cut(self) -> bool:
        """True when something of the page is cut off."""
        return self.trim.size != self.frame.size

    def placed(self, box: Rect) -> Rect:
        """Return where a box of the page's own space is seen, mm, without what is off the page."""
        return self.frame.to_page.box(box).cut_to(self.frame.whole)

    def is_printed(self, box: Rect) -> bool:
        """True for a box of the page's own space that is seen inside the trim, not in the margin
        where marks and notes are."""
        place, trim = self.frame.to_page.box(box), self.trim
        return (
            place.x < trim.right
            and trim.x < place.right
            and place.y < trim.bottom
            and trim.y < place.bottom
        ) or trim.contains(place)


def trim_of(frame: PageFrame, profile: PdfProfile | None) -> Rect:
    """Return what is cut out of a page, mm: its TrimBox, what a profile's shop cuts out of a page
    of its size, or all of it."""
    trim = frame.trim or frame.whole
    if profile is None or frame.is_cut:
        return trim
    blank = next((b for b in profile.blanks if far_off(frame.size, b.page) <= SAME), None)
    if blank is None:
        return trim
    size = blank.trim if off(frame.size, blank.page) <= SAME else blank.trim.turned
    left, top = (frame.size.width - size.width) / 2, (frame.size.height - size.height) / 2
    return Rect(left, top, size.width, size.height)


def nearest_product(size: Size, blanks: tuple[Blank, ...]) -> Blank | None:
    """Return the product whose trim is most like a size."""
    return min(blanks, key=lambda blank: far_off(size, blank.trim), default=None)


def far_off(size: Size, wanted: Size) -> float:
    """Return how far the worse side is off a size, mm, turned if that is nearer."""
    return min(off(size, wanted), off(size, wanted.turned))


def off(size: Size, wanted: Size) -> float:
    """Return how far the worse side is off a size, mm."""
    return max(abs(size.width - wanted.width), abs(size.height - wanted.height))
