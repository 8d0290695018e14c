"""A job and what does not fit in, the words for it out."""

from __future__ import annotations

from generator.diagnostics import Diagnostic
from generator.geometry import Size
from generator.impose.forme import Job
from generator.impose.run import FOLD_CLEARANCE
from generator.model.pack import Backs, Layout
from generator.model.sheet import Piece
from generator.model.stock import Stock
from generator.units import format_mm


def too_large(job: Job, stock: Stock, piece: Piece) -> Diagnostic:
    """GP601: a stock that its paper cannot hold, at the first piece of it."""
    paper = job.paper
    most = Size(paper.size.width - 2 * paper.margin, paper.size.height - 2 * paper.margin)
    limit, hint = "", "choose a larger paper for the print or a smaller stock for the kind"
    if job.print_.layout is Layout.BOOKLET:
        most = Size(most.height / 2, most.width)
        limit = ", two pages side by side"
    elif job.backs is Backs.GUTTERFOLD:
        most = Size(most.width, most.height / 2 - FOLD_CLEARANCE)
        limit = ", folded in the middle with the back beyond the fold"
        hint = f"{hint}, or backs: duplex-long, which does not halve the sheet"
    title = piece.front.kind
    return Diagnostic(
        piece.front.span,
        "GP601",
        f"{title} {piece.front.component!r} is {in_mm(stock.trim)} (stock {stock.name}), too large"
        f" for {paper.title} ({in_mm(paper.size)}){limit}: the most that fits is {in_mm(most)}",
        hint,
    )


def in_mm(size: Size) -> str:
    """A size for people: `63.5 × 88.9 mm`."""
    return f"{format_mm(round(size.width, 2))} × {format_mm(round(size.height, 2))} mm"
