"""Lays as many pieces side by side as fit: in grids of one stock, in rows, on labels; long, since
labels are laid out as pages are, and what comes into rows hangs on what the grids leave.

Rows waste less than a grid where hardly two pieces have one size. They are filled first fit by
decreasing height (Coffman, Garey, Johnson and Tarjan, 1980).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from itertools import islice, pairwise, product
from typing import Final, Generic, TypeVar

from msgspec import Struct, field
from msgspec.structs import replace

from generator.diagnostics import Diagnostic, Outcome
from generator.geometry import Point, Rect, Size, summed
from generator.impose.page_layout import (
    BAND,
    FAIR_MARK,
    AxisExtent,
    Copy,
    Flip,
    Grid,
    Guide,
    Job,
    Leaf,
    PageCell,
    PageLayout,
    PlacedFace,
    Spacing,
    best_folded_grid,
    best_grid,
    bleed_box,
    by_stock,
    centred,
    copies_of,
    folded_leaf,
    front_item,
    guide_of,
    in_mm,
    in_parts,
    leaf,
    too_large,
    ways,
)
from generator.model.catalogue import LabelSheet, Shape, Stock
from generator.model.face import LineMark, PdfLayer, Side
from generator.model.pack import Backs

_EPSILON: Final = 1e-6

Turn = Callable[[Size], bool]
"""Whether a piece of this size is turned by a quarter, if it fits so."""
_TURNS: Final[tuple[Turn, ...]] = (
    lambda _: False,
    lambda size: size.height > size.width,
    lambda size: size.width > size.height,
)


class Slot(Struct, frozen=True):
    """How a stock stands in a row, turned or not; `gutter` is the gap to another of it, mm."""

    stock: Stock
    trim: Size
    rotation: int
    gutter: float

    @property
    def marked(self) -> bool:
        """True when crop marks stand around it."""
        return guide_of(self.stock) is Guide.CROP

    def gap_to(self, other: Slot) -> float:
        """mm to a neighbour: where either has crop marks there is room for those of both."""
        if self is other:
            return self.gutter
        return _apart(self.stock.bleed, other.stock.bleed, marked=self.marked or other.marked)

    def bleed_to(self, other: Slot | None) -> float:
        """mm of bleed that shows towards a neighbour."""
        bleed = self.stock.bleed
        return min(bleed, self.gutter / 2) if self is other else bleed


class Row(Struct):
    """Copies from left to right, the highest first, each in its slot, of which there is one for a
    stock; the widths of all trims and of the gaps between them, and the most bleed, mm. It is
    `marked` where crop marks stand around any."""

    slots: list[Slot] = field(default_factory=list)
    copies: list[Copy] = field(default_factory=list)
    trims: float = 0.0
    gaps: float = 0.0
    bleed: float = 0.0
    marked: bool = False

    @property
    def height(self) -> float:
        """Of the highest trim."""
        return self.slots[0].trim.height

    def width_with(self, slot: Slot) -> float:
        """From the first bleed to that of one more, mm."""
        outer = (self.slots or [slot])[0].stock.bleed + slot.stock.bleed
        return outer + (self.trims + slot.trim.width) + self._gaps_with(slot)

    def beside(self, slot: Slot) -> Row:
        """The row as those above and below it see it, with one more."""
        bleed, marked = max(self.bleed, slot.stock.bleed), self.marked or slot.marked
        same = (bleed, marked) == (self.bleed, self.marked)
        return self if same else replace(self, bleed=bleed, marked=marked)

    def add(self, copy: Copy, slot: Slot) -> None:
        """Put one more at the right end."""
        self.gaps = self._gaps_with(slot)
        self.trims += slot.trim.width
        self.bleed, self.marked = max(self.bleed, slot.stock.bleed), self.marked or slot.marked
        self.slots.append(slot)
        self.copies.append(copy)

    def _gaps_with(self, slot: Slot) -> float:
        return self.gaps + (self.slots[-1].gap_to(slot) if self.slots else 0.0)

    def gap_to(self, below: Row) -> float:
        """mm to the next row."""
        return _apart(self.bleed, below.bleed, marked=self.marked or below.marked)

    def cells(self, page: Size, y: float, _above: float, _below: float) -> Iterator[PageCell]:
        """The cells of the copies in the middle of a page, trims from `y` on."""
        first, last = self.slots[0].stock.bleed, self.slots[-1].stock.bleed
        x = (page.width - (first + last + self.trims + self.gaps)) / 2 + first
        lefts, rights = (None, *self.slots), (*self.slots[1:], None)
        for left, slot, right in zip(lefts, self.slots, rights, strict=False):
            trim, bleed = Rect(x, y, slot.trim.width, slot.trim.height), slot.stock.bleed
            before, after = (slot.bleed_to(other) for other in (left, right))
            yield PageCell(trim, bleed_box(trim, before, bleed, after, bleed), slot.rotation)
            x += slot.trim.width + (slot.gap_to(right) if right else 0)


class Shelf(Struct, frozen=True):
    """A row of one stock: its columns, height and bleed, mm, and the copies on it."""

    across: Spacing
    height: float
    bleed: float
    gutter: float
    copies: tuple[Copy, ...]

    def gap_to(self, below: Shelf) -> float:
        """mm to the next shelf; between stocks there is room for both shelves' crop marks."""
        if self.across == below.across and self.height == below.height:
            return self.gutter
        return _apart(self.bleed, below.bleed, marked=True)

    def cells(self, _page: Size, y: float, above: float, below: float) -> Iterator[PageCell]:
        """The cells of the copies, trims from `y` on, so far from the shelves above and below."""
        over, under = min(self.bleed, above / 2), min(self.bleed, below / 2)
        for (x, left, right), _ in zip(self.across.spans(), self.copies, strict=False):
            trim = Rect(x, y, self.across.trim, self.height)
            yield PageCell(trim, bleed_box(trim, left, over, right, under))


AnyRow = TypeVar("AnyRow", Row, Shelf)

MAX_OPEN: Final = 40
"""Sheets that are looked at for room for one more piece: the last ones that were begun."""


def in_rows(job: Job, stacks: Sequence[Sequence[Copy]], most: int) -> tuple[Leaf, ...] | None:
    """The copies of some stocks, which all fit a row, on as few sheets as any way of turning pieces
    and paper takes; None where each takes more than `most`."""
    best: tuple[Size, list[_PageOfRows[Row]]] | None = None
    tried = set[tuple[Size, tuple[int, ...]]]()
    for turn in _TURNS:
        for page in ways(job.paper):
            slots = [_slot(job, page, copies[0].piece.front.stock, turn) for copies in stacks]
            asked = page, tuple(slot.rotation for slot in slots)
            pages = None if asked in tried else _filled(job, page, stacks, slots, most)
            tried.add(asked)
            if pages is not None and len(pages) <= most:
                best, most = (page, pages), len(pages) - 1
    return best and tuple(_leaf(job, best[0], page.rows) for page in best[1])


def fits_a_row(job: Job, stock: Stock) -> bool:
    """True when a stock can stand in a row, upright or turned, whichever way the paper lies."""
    return all(
        any(size.fits_in(_room(job, page, stock.bleed)) for size in (stock.trim, stock.trim.turned))
        for page in ways(job.paper)
    )


def _room(job: Job, page: Size, bleed: float) -> Size:
    """What trims may take on a page, with this bleed around them all."""
    edge = job.paper.margin + FAIR_MARK + bleed
    return Size(page.width - 2 * edge, page.height - 2 * (edge + BAND))


def _filled(
    job: Job, page: Size, stacks: Sequence[Sequence[Copy]], slots: Sequence[Slot], most: int
) -> list[_PageOfRows[Row]] | None:
    """The copies in rows, those of a stock in its slot, on at most so many pages."""
    room = _room(job, page, 0)
    pages: list[_PageOfRows[Row]] = []
    by_height = sorted(
        zip(slots, stacks, strict=True), key=lambda s: (-s[0].trim.height, -s[0].trim.width)
    )
    for slot, copies in by_height:
        at = 0
        for copy in copies:
            at = _stand(copy, slot, pages, room, at)  # pages only become fuller
            if len(pages) > most:
                return None
    return pages


def _slot(job: Job, page: Size, stock: Stock, turn: Turn) -> Slot:
    gutter = 2 * stock.bleed if job.print_.gutter is None else job.print_.gutter
    either = [Slot(stock, stock.trim, 0, gutter)]
    either.insert(0 if turn(stock.trim) else 1, Slot(stock, stock.trim.turned, 90, gutter))
    room = _room(job, page, stock.bleed)
    return next(slot for slot in either if slot.trim.fits_in(room))


def _stand(copy: Copy, slot: Slot, pages: list[_PageOfRows[Row]], room: Size, start: int) -> int:
    """Put a copy into the first row of the first page from `start` on that takes it, else onto a
    new one. Returns the page."""
    for at in range(max(start, len(pages) - MAX_OPEN), len(pages)):
        if _put_in(copy, slot, pages[at], room):
            return at
    row = Row()
    row.add(copy, slot)
    pages.append(_PageOfRows())
    pages[-1].add(row)
    return len(pages) - 1


def _put_in(copy: Copy, slot: Slot, page: _PageOfRows[Row], room: Size) -> bool:
    """Put a copy into the first row of a page that takes it, or into a new one below them."""
    widest, highest = room.width + _EPSILON, room.height + _EPSILON
    for place, row in enumerate(page.rows):
        if row.trims + slot.trim.width > widest or row.width_with(slot) > widest:
            continue  # most rows are full, and that is seen without their gaps
        wider = row.beside(slot)
        if wider is not row:
            after = [*page.rows[:place], wider, *page.rows[place + 1 :]]
            if _height(after) > highest:
                continue
            page.gaps = summed(_gaps(after))
        row.add(copy, slot)
        return True
    row = Row()
    row.add(copy, slot)
    fits = page.height_with(row) <= highest
    if fits:
        page.add(row)
    return fits


def _apart(bleed: float, other: float, *, marked: bool) -> float:
    """mm between trims with these bleeds, and crop marks if any."""
    return bleed + other + (2 * FAIR_MARK if marked else 0.0)


def _height(rows: Sequence[AnyRow]) -> float:
    """From the first row's bleed to the last one's, mm."""
    trims = summed(row.height for row in rows)
    return rows[0].bleed + trims + summed(_gaps(rows)) + rows[-1].bleed


def _gaps(rows: Sequence[AnyRow]) -> list[float]:
    """From each row to the next, mm."""
    return [above.gap_to(below) for above, below in pairwise(rows)]


def _leaf(job: Job, page: Size, rows: Sequence[AnyRow]) -> Leaf:
    """Rows one below the other, in the middle of the page."""
    gaps: list[float] = _gaps(rows)
    y = (page.height - _height(rows)) / 2 + rows[0].bleed
    cells: list[PageCell] = []
    for row, above, below in zip(rows, (math.inf, *gaps), (*gaps, math.inf), strict=True):
        cells += row.cells(page, y, above, below)
        y += row.height + below
    return leaf(page, cells, [copy for row in rows for copy in row.copies], job.backs)


MAX_OPEN_SHELVES: Final = 200
"""Sheets that are looked at for room for one more row: the last ones that were begun."""


class _PageOfRows(Struct, Generic[AnyRow]):
    """Rows one below the other, and their trims and the gaps between them, mm."""

    rows: list[AnyRow] = field(default_factory=list)
    trims: float = 0.0
    gaps: float = 0.0

    def height_with(self, row: AnyRow) -> float:
        """From the first row's bleed to that of one more, mm."""
        first = self.rows[0] if self.rows else row
        return first.bleed + (self.trims + row.height) + self._gaps_with(row) + row.bleed

    def add(self, row: AnyRow) -> None:
        """Put one more below the others."""
        self.gaps = self._gaps_with(row)
        self.trims += row.height
        self.rows.append(row)

    def _gaps_with(self, row: AnyRow) -> float:
        return self.gaps + (self.rows[-1].gap_to(row) if self.rows else 0.0)


def shelve(job: Job, rests: Sequence[Sequence[Copy]]) -> tuple[Leaf, ...] | None:
    """The rests on shared sheets, higher stocks first, on whichever way of the paper takes fewer
    sheets; None when a stock does not fit so."""
    best: tuple[Leaf, ...] | None = None
    for page in ways(job.paper):
        leaves = _shelved(job, page, rests)
        if leaves is not None and (best is None or len(leaves) < len(best)):
            best = leaves
    return best


def _shelved(job: Job, page: Size, rests: Sequence[Sequence[Copy]]) -> tuple[Leaf, ...] | None:
    room = page.height - 2 * job.paper.margin - 2 * (BAND + FAIR_MARK)
    pages: list[_PageOfRows[Shelf]] = []
    for rest in sorted(rests, key=lambda copies: -copies[0].piece.front.stock.trim.height):
        for shelf in _shelves_of(job, page, rest):
            if shelf is None or _PageOfRows[Shelf]().height_with(shelf) > room:
                return None
            begun = (
                begun for begun in pages[-MAX_OPEN_SHELVES:] if begun.height_with(shelf) <= room
            )
            fitting = next(begun, None)
            if fitting is None:
                fitting = _PageOfRows[Shelf]()
                pages.append(fitting)
            fitting.add(shelf)
    return tuple(_leaf(job, page, filled.rows) for filled in pages)


def _shelves_of(job: Job, page: Size, rest: Sequence[Copy]) -> list[Shelf | None]:
    stock = rest[0].piece.front.stock
    across = centred(
        page.width, job.paper.margin, AxisExtent(stock.trim.width, stock.bleed, job.print_.gutter)
    )
    if across is None:
        return [None]
    gutter = 2 * stock.bleed if job.print_.gutter is None else job.print_.gutter
    return [
        Shelf(across, stock.trim.height, stock.bleed, gutter, tuple(rest[i : i + across.count]))
        for i in range(0, len(rest), across.count)
    ]


WELL_USED: Final = (0.5, 0.7)
"""The share of a sheet that its pieces take at least; with less they may share it with others. Each
is tried: what is kept whole fills no gaps, what is not may come on more sheets."""

MAX_LOOSE: Final = 500
"""Pieces that rows of several stocks are tried for; five times those of Gridpress's own packs."""
MAX_MIXED: Final = 300
"""Stocks of one print that rows of several are tried for: with more, each has its own sheets, or
shares those of shelves."""

Stack = tuple[Grid, tuple[Copy, ...]]
"""All copies of one stock, and the grid that takes the most of them."""


def nup(job: Job) -> Outcome[tuple[Leaf, ...]]:
    """Every stock on sheets of its own, in the order in which stocks come up; what does not fill
    a last sheet may share one with the rest of other stocks, and where that takes fewer sheets so
    may pieces of which a sheet of their own holds too few to use it well.

    Errors: GP601 for each stock that no way of laying it fits the paper.
    """
    faults: list[Diagnostic] = []
    stacks: list[Stack] = []
    for stock, pieces in by_stock(job.pieces).items():
        grid = _grid(job, stock)
        if grid is None:
            faults.append(too_large(job, stock, pieces[0]))
        else:
            stacks.append((grid, copies_of(pieces)))
    if faults:
        return Outcome((), tuple(faults))
    if job.backs is Backs.GUTTERFOLD:
        return Outcome(
            tuple(
                folded_leaf(grid.page, grid.cells(), part, grid.fold or Flip.SIDEWAYS)
                for grid, copies in stacks
                for part in in_parts(copies, grid.count)
            )
        )
    sheets = _in_grids(job, stacks)
    if 1 < len(stacks) <= MAX_MIXED:
        kept = dict.fromkeys(tuple(_used(g) >= share for g, _ in stacks) for share in WELL_USED)
        for well_used in kept:
            sheets = _mixed(job, stacks, well_used, len(sheets) - 1) or sheets
    return Outcome(sheets)


def _grid(job: Job, stock: Stock) -> Grid | None:
    best = best_folded_grid if job.backs is Backs.GUTTERFOLD else best_grid
    return best(stock, job.paper, job.print_.gutter)


def _in_grids(job: Job, stacks: Sequence[Stack]) -> tuple[Leaf, ...]:
    return _full_sheets(job, stacks) + _rest(job, stacks)


def _mixed(
    job: Job, stacks: Sequence[Stack], well_used: Sequence[bool], most: int
) -> tuple[Leaf, ...] | None:
    """What uses its sheets well in grids, and all else in rows of several stocks; None where that
    takes more than `most` sheets, or is too much to try."""
    kept: list[Stack] = []
    loose: list[tuple[Copy, ...]] = []
    for (grid, copies), well in zip(stacks, well_used, strict=True):
        alone = not fits_a_row(job, copies[0].piece.front.stock)
        whole = len(copies) if alone else len(copies) - len(copies) % grid.count
        whole = whole if alone or well else 0
        kept += [(grid, copies[:whole])] if whole else []
        loose += [copies[whole:]] if whole < len(copies) else []
    if summed(map(len, loose)) > MAX_LOOSE:
        return None
    in_grids = _in_grids(job, kept)
    rows = in_rows(job, loose, most - len(in_grids))
    return None if rows is None else in_grids + rows


def _used(grid: Grid) -> float:
    """The share of a sheet that the pieces of a whole grid take."""
    trims = grid.count * grid.across.trim * grid.down.trim
    return trims / (grid.page.width * grid.page.height)


def _full_sheets(job: Job, stacks: Sequence[Stack]) -> tuple[Leaf, ...]:
    return tuple(
        leaf(grid.page, cells, part, job.backs)
        for grid, copies in stacks
        for cells in (grid.cells(),)
        for part in in_parts(copies, grid.count)
        if len(part) == grid.count
    )


def _rest(job: Job, stacks: Sequence[Stack]) -> tuple[Leaf, ...]:
    """What is left over, on shared sheets if that takes fewer of them."""
    rests = [
        (grid, copies[len(copies) - len(copies) % grid.count :])
        for grid, copies in stacks
        if len(copies) % grid.count
    ]
    shelved = shelve(job, [rest for _, rest in rests]) if len(rests) > 1 else None
    if shelved is not None and len(shelved) < len(rests):
        return shelved
    return tuple(leaf(grid.page, grid.cells(), rest, job.backs) for grid, rest in rests)


LEAST_GAP: Final = 0.6
"""mm between pieces on one label, for a knife to pass."""
CORNER_TICK: Final = 2.0
"""mm length of the ticks that show where the outermost labels have their corners."""
_CORNER_GAP: Final = 0.5

FilledLabel = tuple[Sequence[Copy], tuple[PageCell, ...]]
"""What comes onto one label, and the cells for it from the label's top-left corner."""


def labels(job: Job) -> Outcome[tuple[Leaf, ...]]:
    """Stickers on their labels, fronts only; a label holds one stock. A sheet that is one label
    all over is imposed as any other paper, with crop marks.

    Errors: GP604 when there is no label sheet for the paper, when it has fewer labels than the one
    to start at, and for each stock that is larger than a label; at the print that chose the sheet.
    """
    sheet = job.label_sheet
    if sheet is None or sheet.paper != job.paper.name:
        return Outcome((), (_no_sheet(job, sheet),))
    if sheet.fills(job.paper):
        return nup(replace(job, backs=Backs.NONE))
    faults: list[Diagnostic] = []
    if sheet.start > sheet.columns * sheet.rows:
        faults.append(_beyond_sheet(job, sheet))
    filled: list[FilledLabel] = []
    for stock, pieces in by_stock(job.pieces).items():
        cells = on_label(stock, sheet, job.print_.gutter)
        if cells:
            filled += [(part, cells) for part in in_parts(copies_of(pieces), len(cells))]
        else:
            faults.append(_larger_than_label(job, stock, sheet))
    if faults:
        return Outcome((), tuple(faults))
    return Outcome(tuple(_leaves(job, sheet, filled)))


def on_label(stock: Stock, sheet: LabelSheet, gutter: float | None) -> tuple[PageCell, ...]:
    """The cells of a stock on one label, from its top-left corner: upright, or turned where that
    takes more. Empty when not one fits."""
    grids = (
        _label_cells(stock, across, down, sheet, rotation)
        for trim, rotation in ((stock.trim, 0), (stock.trim.turned, 90))
        for across in _runs(sheet.label.width, trim.width, stock.bleed, gutter)
        for down in _runs(sheet.label.height, trim.height, stock.bleed, gutter)
    )
    return max(grids, key=len, default=())


def corner(sheet: LabelSheet, index: int) -> Point:
    """The top-left corner of a label, counted row by row from 0, mm."""
    line, column = divmod(index, sheet.columns)
    return sheet.first.moved(column * sheet.pitch.width, line * sheet.pitch.height)


def is_round(sheet: LabelSheet) -> bool:
    """True when the labels' corners are so round that they are circles."""
    shorter = min(sheet.label.width, sheet.label.height)
    square = abs(sheet.label.width - sheet.label.height) < _EPSILON
    return square and sheet.corner_radius >= shorter / 2 - _EPSILON


def _runs(room: float, trim: float, bleed: float, gutter: float | None) -> Iterator[Spacing]:
    """Rows of one piece, two and so on, in the middle of the label, spread evenly as far as their
    bleeds need."""
    closest = LEAST_GAP if gutter is None else max(gutter, LEAST_GAP)
    most = math.floor((room + closest) / (trim + closest) + _EPSILON)
    for count in range(most, 0, -1):
        share = (room - count * trim) / count
        gap = max(closest, min(share, 2 * bleed)) if gutter is None else closest
        first = (room - count * trim - (count - 1) * gap) / 2
        outer = max(0.0, min(bleed, first))
        yield Spacing(first, trim, gap, count, min(bleed, gap / 2), outer, outer)


def _label_cells(
    stock: Stock, across: Spacing, down: Spacing, sheet: LabelSheet, rotation: int
) -> tuple[PageCell, ...]:
    """The cells, or none when they reach over the edge of a round label."""
    if is_round(sheet):
        alone = across.count == down.count == 1 and stock.shape is Shape.CIRCLE
        reach = max(across.trim, down.trim) if alone else math.hypot(across.length, down.length)
        if reach > sheet.label.width + _EPSILON:
            return ()
    return Grid(sheet.label, across, down, False, rotation).cells()


def _leaves(job: Job, sheet: LabelSheet, filled: Sequence[FilledLabel]) -> Iterator[Leaf]:
    size = sheet.columns * sheet.rows
    boxes = tuple(
        Rect(at.x, at.y, sheet.label.width, sheet.label.height)
        for at in (corner(sheet, i) for i in range(size))
    )
    lines = tuple(_corner_ticks(job.paper.size, boxes[0], boxes[-1]))
    rest, first = iter(filled), sheet.start - 1
    while page := list(islice(rest, size - first)):
        items = tuple(
            _sticker(copy, cell.moved(corner(sheet, i)), sheet)
            for i, (copies, cells) in enumerate(page, first)
            for copy, cell in zip(copies, cells, strict=False)
        )
        yield (PageLayout(job.paper.size, Side.FRONT, items, lines=lines, keep_clear=boxes),)
        first = 0


def _sticker(copy: Copy, cell: PageCell, sheet: LabelSheet) -> PlacedFace:
    """A sticker; the die has cut it out already if it is the label's own shape and size, and no
    crop mark stands on a label."""
    item = front_item(copy, cell)
    die_cut = is_round(sheet) and copy.piece.front.stock.trim == sheet.label
    return item if item.guide is Guide.DIE and not die_cut else replace(item, guide=Guide.LABEL)


def _corner_ticks(page: Size, first: Rect, last: Rect) -> Iterator[LineMark]:
    """Two ticks off each corner of the block of labels, to hold a test print against the sheet."""
    whole = Rect(0, 0, page.width, page.height)
    reach = _CORNER_GAP + CORNER_TICK
    xs, ys = ((-1, first.x), (1, last.right)), ((-1, first.y), (1, last.bottom))
    for (dx, x), (dy, y) in product(xs, ys):
        for sx, sy in ((dx, 0), (0, dy)):
            start = Point(x + sx * _CORNER_GAP, y + sy * _CORNER_GAP)
            end = Point(x + sx * reach, y + sy * reach)
            if whole.contains(Rect(end.x, end.y, 0, 0)):
                yield LineMark(PdfLayer.GUIDES, start, end, grey=0.5)


def _no_sheet(job: Job, sheet: LabelSheet | None) -> Diagnostic:
    paper = job.paper
    if sheet is None:
        message = f"print {job.print_.name!r} has no label sheet for {paper.title}"
    else:
        message = f"label sheet {sheet.name} is of paper {sheet.paper!r}, not {paper.name!r}"
    hint = f"name one under labels, as in `labels: {{{paper.name}: full-{paper.name}}}`"
    return Diagnostic(job.print_.span, "GP604", message, hint)


def _beyond_sheet(job: Job, sheet: LabelSheet) -> Diagnostic:
    message = f"--start-label {sheet.start}: {sheet.title} has {sheet.columns * sheet.rows} labels"
    hint = "count row by row from the top left; choose a print with --only and --paper"
    return Diagnostic(job.print_.span, "GP604", message, hint)


def _larger_than_label(job: Job, stock: Stock, sheet: LabelSheet) -> Diagnostic:
    shape = "round labels" if is_round(sheet) else "labels"
    return Diagnostic(
        job.print_.span,
        "GP604",
        f"stock {stock.name} is {in_mm(stock.trim)}, larger than the {shape} of {sheet.title}:"
        f" {in_mm(sheet.label)}",
        "choose a sheet with larger labels, a full sheet, or a smaller stock for the kind",
    )
