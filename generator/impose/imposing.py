"""From pieces, a paper and a way of backing to finished sheets.

A page that a layout lays out becomes a sheet with its marks, its slug in words, and its printer's
offset. Booklets are laid out here: pages in spreads, so that the stack is folded once and stapled.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from generator.diagnostics import Diagnostic, Outcome, warning
from generator.geometry import ORIGIN, Point, Rect, Size
from generator.impose.nested import nested
from generator.impose.nup import labels, nup
from generator.impose.page_layout import (
    AxisExtent,
    Copy,
    Crease,
    Flip,
    Grid,
    Guide,
    Job,
    Leaf,
    PageCell,
    PageLayout,
    PlacedFace,
    bleed_box,
    by_stock,
    flip_of,
    lone_grid,
    printable_box,
    too_large,
    ways,
)
from generator.impose.poster import poster
from generator.impose.sheet_marks import MarkStyle, die_line, marks_of, registered
from generator.model.catalogue import (
    TRUE,
    Cutter,
    LabelSheet,
    Paper,
    PrinterProfile,
    PrinterStretch,
    Registration,
    Stock,
)
from generator.model.face import LineMark, Placement, PrintedPiece, Sheet, Side, TextMark
from generator.model.pack import Backs, Layout, Print

BookletPage = Copy | None


def booklet(job: Job) -> Outcome[tuple[Leaf, ...]]:
    """The fronts in order are the pages, made up to a multiple of four with blank ones at the end;
    one booklet for each copy.

    Errors: GP601 when two pages do not fit side by side, GP213 when pages differ in size.
    """
    stocks = list(dict.fromkeys(piece.front.stock for piece in job.pieces))
    if len({stock.trim for stock in stocks}) > 1:
        return Outcome((), (_uneven(job, stocks),))
    opened = _opened(job, stocks[0])
    if opened is None:
        return Outcome((), (too_large(job, stocks[0], job.pieces[0]),))
    booklets = max(piece.copies for piece in job.pieces)
    return Outcome(
        tuple(
            _leaf(job, opened, sheet)
            for number in range(1, booklets + 1)
            for sheet in signature(_pages(job.pieces, number))
        )
    )


def signature(
    pages: Sequence[BookletPage],
) -> list[tuple[tuple[BookletPage, BookletPage], tuple[BookletPage, BookletPage]]]:
    """For each sheet, outermost first, what is left and right on its front and on its back.

    Of n pages sheet i carries n - 2i and 2i + 1 in front, 2i + 2 and n - 2i - 1 behind.
    """
    padded = [*pages, *[None] * (-len(pages) % 4)]
    n = len(padded)
    return [
        ((padded[n - 1 - i], padded[i]), (padded[i + 1], padded[n - 2 - i]))
        for i in range(0, n // 2, 2)
    ]


def _pages(pieces: Sequence[PrintedPiece], number: int) -> list[BookletPage]:
    return [Copy(piece, number) for piece in pieces if piece.copies >= number]


def _opened(job: Job, stock: Stock) -> Grid | None:
    """The two pages of a side as one trim in the middle of the paper, which lies on its side if
    it can."""
    wide = AxisExtent(2 * stock.trim.width, stock.bleed)
    high = AxisExtent(stock.trim.height, stock.bleed)
    return lone_grid(reversed(ways(job.paper)), job.paper.margin, (wide, high))


def _leaf(
    job: Job,
    opened: Grid,
    sheet: tuple[tuple[BookletPage, BookletPage], tuple[BookletPage, BookletPage]],
) -> Leaf:
    whole = opened.cells()[0]
    left, right = _halves(whole)
    front, back = sheet
    page = opened.page
    fronts = _items(front, (left, right), Side.FRONT)
    # Turned over, what stood right is behind what stands left, so the right cell's back is left.
    flip = _flip(job.backs, page)
    backs = _items(back, (right.behind(page, flip), left.behind(page, flip)), Side.BACK)
    top, foot = Point(right.trim.x, whole.trim.y), Point(right.trim.x, whole.trim.bottom)
    return (
        PageLayout(page, Side.FRONT, fronts, (whole,), (Crease(top, foot, whole.art),)),
        PageLayout(page, Side.BACK, backs),
    )


def _items(
    pages: tuple[BookletPage, BookletPage], cells: tuple[PageCell, PageCell], side: Side
) -> tuple[PlacedFace, ...]:
    return tuple(
        PlacedFace(page.piece.front, page.number, side, cell, Guide.NONE)
        for page, cell in zip(pages, cells, strict=True)
        if page is not None
    )


def _flip(backs: Backs, page: Size) -> Flip:
    """Without a word on how the printer turns the paper, both sides are upright."""
    duplex = backs in (Backs.DUPLEX_LONG, Backs.DUPLEX_SHORT)
    return flip_of(page, backs) if duplex else Flip.SIDEWAYS


def _halves(whole: PageCell) -> tuple[PageCell, PageCell]:
    """The left and the right page, with no bleed at the spine between them."""
    trim, art = whole.trim, whole.art
    width = trim.width / 2
    left = replace(trim, width=width)
    right = left.moved(width, 0)
    above, below = trim.y - art.y, art.bottom - trim.bottom
    return (
        PageCell(left, bleed_box(left, trim.x - art.x, above, 0, below)),
        PageCell(right, bleed_box(right, 0, above, art.right - trim.right, below)),
    )


def _uneven(job: Job, stocks: Sequence[Stock]) -> Diagnostic:
    names = ", ".join(stock.name for stock in stocks)
    return Diagnostic(
        job.print_.span,
        "GP213",
        f"the pages of booklet {job.print_.name!r} are of different sizes (stocks {names})",
        "give all the kinds of a booklet one stock, or make a print of each",
    )


LAYOUTS: Final[Mapping[Layout, Callable[[Job], Outcome[tuple[Leaf, ...]]]]] = {
    Layout.NUP: nup,
    Layout.NESTED: nested,
    Layout.LABELS: labels,
    Layout.BOOKLET: booklet,
    Layout.POSTER: poster,
}
"""How each layout places its pieces; all else is the same for all of them."""
_CUT: Final = (Layout.NUP, Layout.NESTED)
_TOUCH: Final = 0.01
"""mm by which a piece may reach over the edge of what is printed."""


class Slug(Struct, frozen=True):
    """What the line on every sheet says of the file: pack title, version, file name, and DRAFT of a
    file with pictures that may be too coarse."""

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
    style: MarkStyle | None = None,
    cutter: Cutter | None = None,
) -> Outcome[tuple[Sheet, ...]]:
    """The sheets of a print on one paper, front and back pages in turn, all lengths in mm.

    `backs` stands in for the print's own wish. Sheets are numbered from 1; front and back of one
    sheet have the same number. The same arguments always give the same sheets. What is laid out to
    be cut, and not on labels that are cut already, has the marks of a `cutter`; a warning (GP610)
    tells of a print that has no room for them, and goes without.

    Errors: GP606 when there is no piece; GP601 when a stock is larger than the paper and not split;
    GP608 when a poster takes too many pages; GP604 when
    it is larger than its label or there is no label sheet; GP213 when a booklet's pages differ in
    size or a stock's path cannot be read.
    """
    wanted = tuple(piece for piece in pieces if piece.copies > 0)
    if not wanted:
        return Outcome((), (_nothing(print_),))
    unreadable = tuple(_unreadable_paths(print_, wanted))
    if unreadable:
        return Outcome((), unreadable)
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
    # labels and a cutter's marks stay where they are, whatever margin there is
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
            style=style or MarkStyle(),
            registration=registration,
        )
        for number, leaf in enumerate(laid.value, 1)
        for layout in leaf
    )
    return Outcome(sheets, laid.diagnostics)


def _laid_out(job: Job) -> Outcome[tuple[Leaf, ...]]:
    """The pages of a job. Where its print lets them be split, pieces of stocks that do not fit the
    paper come last, each over several pages, of which the backs stay empty."""
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
    """The pages of a job beside the marks of a cutter: close to them where nothing comes onto one,
    else within all of them. None where there is no room."""
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
    """A sheet that is printed on one side only, among others that are on both."""
    if backs in (Backs.NONE, Backs.GUTTERFOLD):
        return leaf
    return (*leaf, PageLayout(leaf[0].page, Side.BACK, ()))


def _is_shifted_off(leaves: Sequence[Leaf], paper: Paper, profile: PrinterProfile) -> bool:
    """True when a piece that is shifted against the printer leaves what that prints."""
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
    """mm that a page is shifted at most. Fronts and backs keep it free on all sides, so that what
    is in the middle stays there."""
    sides = (_lands(profile, side) for side in Side)
    return max(max(abs(by.x), abs(by.y)) + s.farthest(paper.size) for by, s in sides)


def _no_room(print_: Print, paper: Paper, cutter: Cutter) -> Diagnostic:
    """GP610: who cuts it does so by hand."""
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
        "add components of these kinds, raise their quantity, or take the print out of pack.yaml",
    )


def _unreadable_paths(print_: Print, pieces: Sequence[PrintedPiece]) -> Iterator[Diagnostic]:
    for stock in dict.fromkeys(piece.front.stock for piece in pieces):
        try:
            die_line(stock, PageCell(Rect(0, 0, 0, 0), Rect(0, 0, 0, 0)))
        except ValueError as error:
            hint = "a path is SVG path data, in mm from the trim's corner: `M0 0 H20 V30 Z`"
            yield Diagnostic(print_.span, "GP213", str(error), hint)


def _finished(
    layout: PageLayout,
    job: Job,
    numbers: tuple[int, int],
    duplex: bool,
    *,
    profile: PrinterProfile,
    slug: Slug,
    style: MarkStyle,
    registration: Registration | None = None,
) -> Sheet:
    """A sheet of a job: `numbers` are its own and how many there are, `duplex` says that there are
    back pages too. A front that is not part of a poster has marks for `registration`.

    What the printer shifts is shifted the other way, marks with their faces; ruler and slug stay,
    and so do registration marks, as a cutter takes the rest from them.
    """
    paper, number = job.paper, numbers[0]
    moved = _shifted(layout, profile)
    area = printable_box(layout.page, paper.margin)
    told = ("{} of {}".format(*numbers), str(layout.side) if duplex else "", layout.note)
    marks = marks_of(moved, area, _wordings(job, slug, *told), style, registration)
    label = " ".join(filter(None, (str(number), str(layout.side) if duplex else "", layout.name)))
    placements = tuple(_placement(item, layout.page) for item in moved.faces)
    _, stretch = _lands(profile, layout.side)
    return Sheet(paper, layout.page, layout.side, number, label, placements, marks, stretch)


def _lands(profile: PrinterProfile, side: Side) -> tuple[Point, PrinterStretch]:
    """Where a printer puts the ink of a side: how far off, and how stretched."""
    if side is Side.FRONT:
        return profile.front, profile.front_stretch
    return profile.back, profile.back_stretch


def _shifted(layout: PageLayout, profile: PrinterProfile) -> PageLayout:
    """The layout against the printer's measured offset of that side."""
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
    """The slug in full and in ever fewer words for small papers."""
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
