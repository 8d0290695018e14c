"""Imposes a print: lays out its pieces and adds marks, slug and the printer's offset."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from generator.diagnostics import Diagnostic, Outcome, warning
from generator.geometry import ORIGIN, Point, Rect, Size
from generator.impose.booklet import booklet
from generator.impose.labels import labels
from generator.impose.nested import nested
from generator.impose.nup import nup
from generator.impose.page_layout import (
    Crease,
    Guide,
    Job,
    Leaf,
    PageLayout,
    PlacedFace,
    by_stock,
    printable_box,
)
from generator.impose.poster import poster
from generator.impose.sheet_marks import marks_of, registered
from generator.model.catalogue import (
    TRUE,
    Cutter,
    LabelSheet,
    Paper,
    PrinterProfile,
    PrinterStretch,
    Registration,
)
from generator.model.face import LineMark, Placement, PrintedPiece, Sheet, Side, TextMark
from generator.model.pack import Backs, Layout, Print

LAYOUTS: Final[Mapping[Layout, Callable[[Job], Outcome[tuple[Leaf, ...]]]]] = {
    Layout.NUP: nup,
    Layout.NESTED: nested,
    Layout.LABELS: labels,
    Layout.BOOKLET: booklet,
    Layout.POSTER: poster,
}
_CUT: Final = (Layout.NUP, Layout.NESTED)
_TOUCH: Final = 0.01
"""mm that a piece may reach over the printable edge."""


class Slug(Struct, frozen=True):
    """The words at the edge of every sheet; a draft has pictures that may be too coarse."""

    title: str
    version: str
    file: str
    is_draft: bool = False


def impose(
    print_: Print,
    pieces: Sequence[PrintedPiece],
    paper: Paper,
    backs: Backs,
    *,
    label_sheet: LabelSheet | None = None,
    profile: PrinterProfile,
    slug: Slug,
    cutter: Cutter | None = None,
) -> Outcome[tuple[Sheet, ...]]:
    """Return the sheets of a print on one paper, fronts and backs in turn, in mm.

    `backs` takes the place of the print's own setting. Front and back of a sheet have the same
    number, from 1. Prints to be cut have the marks of a `cutter`; GP610 warns if there is no room.

    Errors: GP606 if there is no piece; GP601 for a stock larger than the paper; GP608 for a poster
    of too many pages; GP604 for a stock larger than its label, or without a label sheet; GP213 for
    a booklet of several sizes.
    """
    wanted = tuple(piece for piece in pieces if piece.copies > 0)
    if not wanted:
        return Outcome((), (_nothing(print_),))
    blank = all(piece.back is None for piece in wanted) and print_.layout is not Layout.BOOKLET
    if blank or print_.layout is Layout.POSTER:  # a poster has only a front
        backs = Backs.NONE
    sheet = label_sheet if print_.layout is Layout.LABELS else None
    job = Job(print_, wanted, paper, backs, sheet)
    registration = cutter.marks if cutter and print_.layout in _CUT else None
    laid = _laid_out(job)
    if laid.ok and cutter is not None and registration is not None:
        marked = _beside(registration, job, _farthest(profile, paper))
        if marked is None:
            warned = (*laid.diagnostics, _no_room(print_, paper, cutter))
            registration, laid = None, replace(laid, diagnostics=warned)
        else:
            laid = marked
    # labels and a cutter's marks have fixed places
    is_bound = registration is not None or (sheet is not None and not sheet.fills(paper))
    if laid.ok and not is_bound and _is_shifted_off(laid.value, paper, profile):
        spared = replace(paper, margin=paper.margin + _farthest(profile, paper))
        laid = _laid_out(replace(job, paper=spared))
    if not laid.ok:
        return Outcome((), laid.diagnostics)
    duplex = any(len(leaf) > 1 for leaf in laid.value)
    sheets = tuple(
        _finished(
            layout,
            job,
            (number, len(laid.value)),
            duplex,
            profile=profile,
            slug=slug,
            registration=registration,
        )
        for number, leaf in enumerate(laid.value, 1)
        for layout in leaf
    )
    return Outcome(sheets, laid.diagnostics)


def _laid_out(job: Job) -> Outcome[tuple[Leaf, ...]]:
    """Lay out a job; with `split: true`, pieces too large for the paper come last as posters."""
    layout = LAYOUTS[job.print_.layout]
    laid = layout(job)
    if laid.ok or not job.print_.split:
        return laid
    whole: list[PrintedPiece] = []
    split: list[PrintedPiece] = []
    for pieces in by_stock(job.pieces).values():
        fits = layout(replace(job, pieces=(replace(pieces[0], copies=1),))).ok
        (whole if fits else split).extend(pieces)
    rest = layout(replace(job, pieces=tuple(whole))) if whole else Outcome(())
    parts = poster(replace(job, pieces=tuple(split)))
    faults = (*rest.diagnostics, *parts.diagnostics)
    if not Outcome(None, faults).ok:
        return Outcome((), faults)
    return Outcome((*rest.value, *(_backed(leaf, job.backs) for leaf in parts.value)), faults)


def _beside(marks: Registration, job: Job, shift: float) -> Outcome[tuple[Leaf, ...]] | None:
    """Lay out a job beside the marks of a cutter, else within them; None if there is no room."""
    paper = job.paper
    for beyond in (marks.thickness, marks.square):
        margin = max(paper.margin, marks.inset + beyond + marks.clear + shift)
        laid = _laid_out(replace(job, paper=replace(paper, margin=margin)))
        if laid.ok and not any(_covers_marks(leaf[0], marks, shift) for leaf in laid.value):
            return laid
    return None


def _covers_marks(layout: PageLayout, marks: Registration, shift: float) -> bool:
    _, boxes = registered(layout.page, marks)
    arts = (item.cell.art.grown(shift) for item in layout.faces if item.poster is None)
    return any(art.overlaps(box) for art in arts for box in boxes)


def _backed(leaf: Leaf, backs: Backs) -> Leaf:
    """Add an empty back to a sheet among others that have backs."""
    if backs in (Backs.NONE, Backs.GUTTERFOLD):
        return leaf
    return (*leaf, PageLayout(leaf[0].page, Side.BACK, ()))


def _is_shifted_off(leaves: Sequence[Leaf], paper: Paper, profile: PrinterProfile) -> bool:
    """Return True if the printer's offset moves a piece out of the printable area."""
    for layout in (layout for leaf in leaves for layout in leaf):
        by, stretch = _lands(profile, layout.side)
        margin = paper.margin + stretch.farthest(layout.page)
        area = printable_box(layout.page, margin).moved(by.x, by.y)
        for item in layout.faces if (by, stretch) != (ORIGIN, TRUE) else ():
            trim, page = item.cell.trim, item.poster
            if not area.contains(trim if page is None else trim.cut_to(page.shown), _TOUCH):
                return True
    return False


def _farthest(profile: PrinterProfile, paper: Paper) -> float:
    """Return the largest shift of a page, mm, which all four sides keep free."""
    sides = (_lands(profile, side) for side in Side)
    return max(max(abs(by.x), abs(by.y)) + s.farthest(paper.size) for by, s in sides)


def _no_room(print_: Print, paper: Paper, cutter: Cutter) -> Diagnostic:
    message = (
        f"{print_.title}: too large on {paper.title} for the marks of {cutter.title}, so printed "
        "without them"
    )
    hint = "cut it by hand, or choose a larger paper for the print"
    return warning(print_.span, "GP610", message, hint)


def _nothing(print_: Print) -> Diagnostic:
    kinds = ", ".join(print_.kinds)
    return Diagnostic(
        print_.span,
        "GP606",
        f"print {print_.name!r} has nothing to print: no component of {kinds} has copies",
        "add components of these kinds, raise their quantity, or remove the print from pack.yaml",
    )


def _finished(
    layout: PageLayout,
    job: Job,
    numbers: tuple[int, int],
    duplex: bool,
    *,
    profile: PrinterProfile,
    slug: Slug,
    registration: Registration | None = None,
) -> Sheet:
    """Return a sheet with its marks; `numbers` are its own number and the number of sheets.

    Faces and their marks move against the printer's offset. Ruler, slug and registration marks
    stay where they are.
    """
    paper, number = job.paper, numbers[0]
    moved = _shifted(layout, profile)
    area = printable_box(layout.page, paper.margin)
    details = ("{} of {}".format(*numbers), str(layout.side) if duplex else "", layout.note)
    marks = marks_of(moved, area, _wordings(job, slug, *details), registration)
    label = " ".join(filter(None, (str(number), str(layout.side) if duplex else "", layout.name)))
    placements = tuple(_placement(item, layout.page) for item in moved.faces)
    _, stretch = _lands(profile, layout.side)
    return Sheet(paper, layout.page, layout.side, number, label, placements, marks, stretch)


def _lands(profile: PrinterProfile, side: Side) -> tuple[Point, PrinterStretch]:
    """Return the printer's offset and stretch for a side."""
    if side is Side.FRONT:
        return profile.front, profile.front_stretch
    return profile.back, profile.back_stretch


def _shifted(layout: PageLayout, profile: PrinterProfile) -> PageLayout:
    """Move a layout against the printer's offset."""
    offset, _ = _lands(profile, layout.side)
    if offset == ORIGIN:
        return layout
    by = Point(-offset.x, -offset.y)
    return replace(
        layout,
        faces=tuple(item.moved(by) for item in layout.faces),
        crop=tuple(cell.moved(by) for cell in layout.crop),
        creases=tuple(
            Crease(c.start.moved(by.x, by.y), c.end.moved(by.x, by.y), c.art.moved(by.x, by.y))
            for c in layout.creases
        ),
        lines=tuple(_mark_moved(mark, by) for mark in layout.lines),
        cuts=tuple(tuple(p.moved(by.x, by.y) for p in cut) for cut in layout.cuts),
    )


def _mark_moved(mark: LineMark | TextMark, by: Point) -> LineMark | TextMark:
    if isinstance(mark, TextMark):
        return replace(mark, at=mark.at.moved(by.x, by.y))
    return replace(mark, start=mark.start.moved(by.x, by.y), end=mark.end.moved(by.x, by.y))


def _wordings(job: Job, slug: Slug, count: str, side: str, note: str) -> tuple[str, ...]:
    """Return the slug in full, and in ever fewer words for small papers."""
    sheet = f"sheet {count}, {side}" if side else f"sheet {count}"
    sheet = f"{sheet} · {note}" if note else sheet
    name = f"{slug.title} {slug.version}"
    media = [job.label_sheet.title] if job.label_sheet else []
    media += [job.print_.media] if job.print_.media else []
    scale = "print at 100 %, no scaling"
    wordings = (
        (name, slug.file, sheet, job.paper.title, *media, scale),
        (name, slug.file, sheet, job.paper.title, scale),
        (name, sheet, job.paper.title, scale),
        (sheet, scale),
        (sheet,),
    )
    draft = ("DRAFT",) if slug.is_draft else ()
    return tuple(" · ".join((*draft, *words)) for words in wordings)


def _placement(item: PlacedFace, page: Size) -> Placement:
    trim, bleed = item.cell.trim, item.face.stock.bleed
    clip = item.cell.art.cut_to(Rect(0, 0, page.width, page.height))
    return Placement(
        face=item.face,
        copy=item.copy,
        side=item.side,
        x=trim.x,
        y=trim.y,
        width=trim.width,
        height=trim.height,
        rotation=item.cell.rotation,
        bleed=bleed,
        clip=None if clip == trim.grown(bleed) and not item.cell.edge else clip,
        edge=item.cell.edge,
        poster=item.poster,
        marked=item.guide is not Guide.LABEL,
    )
