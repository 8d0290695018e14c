"""Lays stickers on sheets of labels."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import islice, product
from typing import Final

from msgspec.structs import replace

from generator.diagnostics import Diagnostic, Outcome
from generator.geometry import Point, Rect, Size
from generator.impose.nup import nup
from generator.impose.page_layout import (
    MARK_GREY,
    Copy,
    Grid,
    Guide,
    Job,
    Leaf,
    PageCell,
    PageLayout,
    PlacedFace,
    Spacing,
    by_stock,
    copies_of,
    front_item,
    in_mm,
    in_parts,
)
from generator.model.catalogue import LabelSheet, Shape, Stock
from generator.model.face import LineMark, PdfLayer, Side
from generator.model.pack import Backs

LEAST_GAP: Final = 0.6
"""mm between pieces on one label, so that a knife can pass."""
CORNER_TICK: Final = 2.0
"""Length of the ticks at the outermost corners of labels, mm."""
_CORNER_GAP: Final = 0.5
_EPSILON: Final = 1e-6

FilledLabel = tuple[Sequence[Copy], tuple[PageCell, ...]]
"""The copies on one label, and their cells from its top left corner."""


def labels(job: Job) -> Outcome[tuple[Leaf, ...]]:
    """Lay stickers on labels, fronts only and one stock a label.

    A full sheet of sticker paper is laid out like any other paper. Errors: GP604 if there is no
    label sheet for the paper, if it has no label `start`, or if a stock is larger than a label.
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
    """Return the cells of a stock on one label, upright or turned, whichever takes more."""
    grids = (
        _label_cells(stock, across, down, sheet, rotation)
        for trim, rotation in ((stock.trim, 0), (stock.trim.turned, 90))
        for across in _runs(sheet.label.width, trim.width, stock.bleed, gutter)
        for down in _runs(sheet.label.height, trim.height, stock.bleed, gutter)
    )
    return max(grids, key=len, default=())


def corner(sheet: LabelSheet, index: int) -> Point:
    """Return the top left corner of a label, counted row by row from 0, mm."""
    line, column = divmod(index, sheet.columns)
    return sheet.first.moved(column * sheet.pitch.width, line * sheet.pitch.height)


def is_round(sheet: LabelSheet) -> bool:
    """Return True for circles: labels with corners as round as can be."""
    shorter = min(sheet.label.width, sheet.label.height)
    square = abs(sheet.label.width - sheet.label.height) < _EPSILON
    return square and sheet.corner_radius >= shorter / 2 - _EPSILON


def _runs(room: float, trim: float, bleed: float, gutter: float | None) -> Iterator[Spacing]:
    """Yield rows of the most pieces, one fewer and so on, spread evenly on the label."""
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
    """Return the cells, or none if they reach over the edge of a round label."""
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
    """Place a sticker; no crop mark stands on a label, nor a die line on one that fits exactly."""
    item = front_item(copy, cell)
    die_cut = is_round(sheet) and copy.piece.front.stock.trim == sheet.label
    return item if item.guide is Guide.DIE and not die_cut else replace(item, guide=Guide.LABEL)


def _corner_ticks(page: Size, first: Rect, last: Rect) -> Iterator[LineMark]:
    """Yield ticks at the corners of all labels, to hold a test print against the sheet."""
    whole = Rect(0, 0, page.width, page.height)
    reach = _CORNER_GAP + CORNER_TICK
    xs, ys = ((-1, first.x), (1, last.right)), ((-1, first.y), (1, last.bottom))
    for (dx, x), (dy, y) in product(xs, ys):
        for sx, sy in ((dx, 0), (0, dy)):
            start = Point(x + sx * _CORNER_GAP, y + sy * _CORNER_GAP)
            end = Point(x + sx * reach, y + sy * reach)
            if whole.contains(Rect(end.x, end.y, 0, 0)):
                yield LineMark(PdfLayer.GUIDES, start, end, grey=MARK_GREY)


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
