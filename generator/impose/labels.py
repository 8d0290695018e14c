"""Lays as many pieces as fit on each label of a die-cut sheet."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import islice, product
from typing import Final

from msgspec.structs import replace

from generator.diagnostics import Diagnostic, Outcome
from generator.geometry import Point, Rect, Size
from generator.impose.grid import Grid, Spacing
from generator.impose.nup import by_stock, in_parts, nup
from generator.impose.page_layout import (
    Copy,
    Guide,
    Job,
    Leaf,
    PageCell,
    PageLayout,
    PlacedFace,
    copies_of,
    front_item,
    in_mm,
    printable_box,
)
from generator.model.catalogue import LabelSheet, Shape, Stock
from generator.model.pack import Backs
from generator.model.sheet import LineMark, PdfLayer, Side

LEAST_GAP: Final = 0.6
"""mm between pieces on one label, for a knife to pass."""
CORNER_TICK: Final = 2.0
"""mm length of the ticks that show where the outermost labels have their corners."""
_CORNER_GAP: Final = 0.5
_EPSILON: Final = 1e-6

FilledLabel = tuple[Sequence[Copy], tuple[PageCell, ...]]
"""What comes onto one label, and the cells for it from the label's top-left corner."""


def labels(job: Job) -> Outcome[tuple[Leaf, ...]]:
    """Stickers on their labels, fronts only; a label holds one stock. A sheet that is one label
    all over is imposed as any other paper, with crop marks.

    Errors: GP604 when there is no label sheet for the paper, and for each stock that is larger
    than a label; at the print that chose the sheet.
    """
    sheet = job.label_sheet
    if sheet is None or sheet.paper != job.paper.name:
        return Outcome((), (_no_sheet(job, sheet),))
    if _is_full(job, sheet):
        return nup(replace(job, backs=Backs.NONE))
    faults: list[Diagnostic] = []
    filled: list[FilledLabel] = []
    for stock, pieces in by_stock(job.pieces).items():
        cells = on_label(stock, sheet, job.print_.gutter)
        if cells:
            filled += [(part, cells) for part in in_parts(copies_of(pieces), len(cells))]
        else:
            faults.append(_too_large(job, stock, sheet))
    if faults:
        return Outcome((), tuple(faults))
    return Outcome(tuple(_leaves(job, sheet, filled)))


def on_label(stock: Stock, sheet: LabelSheet, gutter: float | None) -> tuple[PageCell, ...]:
    """The cells of a stock on one label, from its top-left corner: upright, or turned where that
    takes more. Empty when not one fits."""
    grids = (
        _filled(stock, across, down, sheet, rotation)
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


def _filled(
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
    rest = iter(filled)
    while page := list(islice(rest, size)):
        items = tuple(
            _item(copy, cell.moved(corner(sheet, i)), sheet)
            for i, (copies, cells) in enumerate(page)
            for copy, cell in zip(copies, cells, strict=False)
        )
        yield (PageLayout(job.paper.size, Side.FRONT, items, lines=lines, keep_clear=boxes),)


def _item(copy: Copy, cell: PageCell, sheet: LabelSheet) -> PlacedFace:
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


def _is_full(job: Job, sheet: LabelSheet) -> bool:
    area = printable_box(job.paper.size, job.paper.margin)
    return sheet.columns == sheet.rows == 1 and area.size.fits_in(sheet.label)


def _no_sheet(job: Job, sheet: LabelSheet | None) -> Diagnostic:
    paper = job.paper
    if sheet is None:
        message = f"print {job.print_.name!r} has no label sheet for {paper.title}"
    else:
        message = f"label sheet {sheet.name} is of paper {sheet.paper!r}, not {paper.name!r}"
    hint = f"name one under labels, as in `labels: {{{paper.name}: full-{paper.name}}}`"
    return Diagnostic(job.print_.span, "GP604", message, hint)


def _too_large(job: Job, stock: Stock, sheet: LabelSheet) -> Diagnostic:
    shape = "round labels" if is_round(sheet) else "labels"
    return Diagnostic(
        job.print_.span,
        "GP604",
        f"stock {stock.name} is {in_mm(stock.trim)}, larger than the {shape} of {sheet.title}:"
        f" {in_mm(sheet.label)}",
        "choose a sheet with larger labels, a full sheet, or a smaller stock for the kind",
    )
