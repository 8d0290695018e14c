"""Lays pieces larger than their paper over pages to trim and glue: each shows a part."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from generator.diagnostics import Diagnostic, Outcome
from generator.geometry import Rect
from generator.impose.grid import Grid, extents, lone_grid
from generator.impose.nup import by_stock
from generator.impose.page_layout import (
    Cell,
    Copy,
    Guide,
    Job,
    Leaf,
    PageLayout,
    PlacedFace,
    copies_of,
    guide_of,
    in_mm,
    printable,
    ways,
)
from generator.impose.poster_pages import (
    HEIGHT,
    Tiling,
    best_tiling,
    foot,
    glue_labels,
    page_name,
    seam_marks,
    sides_of,
)
from generator.model.sheet import PosterPage, Side
from generator.model.stock import Stock

MOST_PAGES: Final = 200
"""Of one poster: more is a misprint, or a wall."""
MOST_IN_ALL: Final = 2_000
"""Of all copies of all posters in one file."""
_SLUG_LINE: Final = 5.0
"""mm at the very foot of a page for ruler and slug."""


def poster(job: Job) -> Outcome[tuple[Leaf, ...]]:
    """Every copy of every front over as many pages as it takes; one that fits a page is a page.

    Errors: GP608 for each stock that takes more than `MOST_PAGES`, and for all copies together
    when they take more than `MOST_IN_ALL`.
    """
    faults: list[Diagnostic] = []
    plans: dict[Stock, Grid | Tiling] = {}
    for stock, pieces in by_stock(job.pieces).items():
        plan = lone_grid(ways(job.paper), job.paper.margin, extents(stock)) or best_tiling(
            stock, job.paper, job.print_.overlap
        )
        if plan is None or plan.count > MOST_PAGES:
            faults.append(_too_many(job, stock, pieces[0].front.component, plan))
        else:
            plans[stock] = plan
    if faults:
        return Outcome((), tuple(faults))
    if (found := _too_many_in_all(job, plans)) is not None:
        return Outcome((), (found,))
    leaves: list[Leaf] = []
    for copy in copies_of(job.pieces):
        plan = plans[copy.piece.front.stock]
        if isinstance(plan, Grid):
            leaves.append((_single(copy, plan),))
        else:
            leaves += [(_page(job, copy, plan, *place),) for place in plan.places()]
    return Outcome(tuple(leaves))


def _single(copy: Copy, grid: Grid) -> PageLayout:
    (cell,) = grid.cells()
    face = copy.piece.front
    whole = PosterPage(1, 1, 1, 1, cell.art)
    item = PlacedFace(face, copy.number, Side.FRONT, cell, guide_of(face.stock), whole)
    return PageLayout(grid.page, Side.FRONT, (item,), note=_title(copy))


def _page(job: Job, copy: Copy, tiling: Tiling, row: int, column: int) -> PageLayout:
    """One page: the face lies so that its window comes to the same place on every page."""
    face, window = copy.piece.front, tiling.window
    straight = guide_of(face.stock) is Guide.CROP
    trim = Rect(
        window.x - tiling.across.start(column),
        window.y - tiling.down.start(row),
        face.stock.trim.width,
        face.stock.trim.height,
    )
    art = window.cut_to(trim.grown(face.stock.bleed))
    shown = _shown(trim, art, tiling, row, column)
    place = PosterPage(row + 1, column + 1, tiling.down.count, tiling.across.count, shown)
    guide = Guide.NONE if straight else Guide.DIE
    item = PlacedFace(face, copy.number, Side.FRONT, Cell(trim, art), guide, place)
    area = printable(tiling.page, job.paper.margin)
    sides, finished = sides_of(tiling, row, column), trim.cut_to(shown)
    block = Rect(area.x, area.bottom - _SLUG_LINE - HEIGHT, area.width, HEIGHT)
    right = page_name(row, column + 1) if sides.right else ""
    below = page_name(row + 1, column) if sides.below else ""
    return PageLayout(
        tiling.page,
        Side.FRONT,
        (item,),
        lines=(
            # What is cut off at a seam has room for half of a diamond.
            *seam_marks(finished, sides, tiling.area, tiling.across.bite, straight),
            *glue_labels(window, finished, right, below),
            *foot(block, tiling, row, column),
        ),
        keep_clear=(Rect(area.x, area.y, area.width, area.height - _SLUG_LINE),),
        note=f"{_title(copy)} · page {page_name(row, column)}",
        name=page_name(row, column),
    )


def _shown(trim: Rect, art: Rect, tiling: Tiling, row: int, column: int) -> Rect:
    """What of the art stays in sight: up to the seams, and all of it at the poster's own edges."""
    sides = sides_of(tiling, row, column)
    left = trim.x + tiling.across.seam(column) if sides.left else art.x
    above = trim.y + tiling.down.seam(row) if sides.above else art.y
    right = trim.x + tiling.across.seam(column + 1) if sides.right else art.right
    below = trim.y + tiling.down.seam(row + 1) if sides.below else art.bottom
    return Rect(left, above, right - left, below - above)


def _title(copy: Copy) -> str:
    name = copy.piece.front.component
    return f"{name}, copy {copy.number}" if copy.piece.copies > 1 else name


def _too_many_in_all(job: Job, plans: Mapping[Stock, Grid | Tiling]) -> Diagnostic | None:
    pages = 0
    for piece in job.pieces:
        plan = plans[piece.front.stock]
        pages += piece.copies * (1 if isinstance(plan, Grid) else plan.count)
        if pages > MOST_IN_ALL:
            front = piece.front
            message = (
                f"{front.kind} {front.component!r}: with its {piece.copies:,} copies the posters "
                f"of this print take {pages:,} pages of {job.paper.title}; "
                f"{MOST_IN_ALL:,} are the most"
            )
            return Diagnostic(front.span, "GP608", message, "print fewer copies of a poster")
    return None


def _too_many(job: Job, stock: Stock, component: str, plan: Grid | Tiling | None) -> Diagnostic:
    piece = next(p for p in job.pieces if p.front.component == component)
    paper, overlap = job.paper, job.print_.overlap
    takes = (
        f"would take {plan.count} pages of {paper.title}, the most is {MOST_PAGES}"
        if plan
        else f"cannot be cut into pages of {paper.title} that overlap by {overlap:g} mm"
    )
    return Diagnostic(
        piece.front.span,
        "GP608",
        f"{piece.front.kind} {component!r} is {in_mm(stock.trim)} (stock {stock.name}): {takes}",
        "choose a larger paper for the print, less overlap, or a smaller stock for the kind",
    )
