"""Checks laid out sheets: pieces off the paper or its printable part, and room for drift."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from generator.diagnostics import Diagnostic, in_order, warning
from generator.geometry import Rect, format_mm
from generator.model.catalogue import Edge, Paper, PrinterProfile
from generator.model.face import Placement, Sheet, Side
from generator.model.pack import Print, uncopied

_TOUCH: Final = 0.05
"""mm; papers.yaml gives margins to the tenth."""
_THIN: Final = 1.0
"""mm: a narrower border looks uneven even without drift,"""
_THIN_SHARE: Final = 0.05
"""but on a small piece only below this share of its shorter side."""


class PageFault(NamedTuple):
    """A fault of a piece on a page, counted from 1; `what` tells it from others of the piece."""

    page: int
    placed: Placement
    what: str
    finding: Diagnostic

    @property
    def cause(self) -> tuple[str, str, str]:
        """Return what the faults have in common that are reported once."""
        return self.placed.face.kind, self.placed.face.name, self.what


def check_sheets(
    print_: Print, paper: Paper, sheets: Sequence[Sheet], profile: PrinterProfile
) -> tuple[Diagnostic, ...]:
    """Return what is wrong with the sheets of one print on one paper. Each fault is reported once
    per kind, at the first component."""
    first: dict[tuple[str, str, str], Diagnostic] = {}
    for fault in faults_on_pages(print_, paper, sheets, profile):
        first.setdefault(fault.cause, fault.finding)
    return in_order(first.values())


def faults_on_pages(
    print_: Print, paper: Paper, sheets: Sequence[Sheet], profile: PrinterProfile
) -> Iterator[PageFault]:
    """Yield every fault of the sheets of one print on one paper, with its place."""
    for number, sheet in enumerate(sheets, 1):
        page = Rect(0, 0, sheet.size.width, sheet.size.height)
        for placed in sheet.placements:
            found = (*_off(placed, page, paper, print_), *_drift(placed, profile.tolerance))
            yield from (PageFault(number, placed, what, finding) for what, finding in found)


_Told = tuple[str, Diagnostic]
"""A fault's identity, to report it once, and its finding."""


def _off(placed: Placement, page: Rect, paper: Paper, print_: Print) -> Iterator[_Told]:
    """GP803, GP812: a piece is off the paper, or where most printers cannot print."""
    name = f"the {placed.face.name} of {placed.face.component!r}"
    where = f"print {print_.name!r} on {paper.title}"
    if not page.contains(placed.finished, _TOUCH):
        message = f"{name} is partly off the paper in {where}"
        hint = "choose a larger paper or a smaller stock, or let `split: true` use several sheets"
        yield "off", Diagnostic(print_.span, "GP803", message, hint, component=_component(placed))
    elif not page.grown(-paper.margin).contains(placed.finished, _TOUCH):
        margin = format_mm(paper.margin)
        message = f"{name} is within {margin} mm of the edge of the paper in {where}"
        hint = (
            f"most printers leave {margin} mm white: choose a larger paper; if yours prints"
            " there, set the paper's `margin` in papers.yaml"
        )
        yield "margin", warning(print_.span, "GP812", message, hint, _component(placed))


def _component(placed: Placement) -> str:
    return f"{placed.face.kind}/{uncopied(placed.face.component)}"


def _drift(placed: Placement, drift: float) -> Iterator[_Told]:
    """GP813: a border, bleed or safe zone is narrower than the printer's drift. Only backs and
    stickers without marks may be cut off their place."""
    face = placed.face
    stock, border = face.stock, face.traits.border
    needed = min(_THIN, _THIN_SHARE * min(stock.trim.width, stock.trim.height)) + drift
    if 0 < border < needed:
        message = f"the border of {face.component!r} along the cut is {format_mm(border)} mm wide"
        hint = (
            f"it will look uneven: make it at least {format_mm(round(needed, 2))} mm wide, or let"
            " the art run over the cut"
        )
        yield "border", warning(face.span, "GP813", message, hint, _component(placed))
    if placed.side is Side.FRONT and placed.marked:
        return
    rooms = [("safe zone", stock.safe)]
    if stock.edge is not Edge.WHITE:
        rooms.append(("bleed", placed.bleed))
    for what, room in rooms:
        if 0 < room < drift:
            message = (
                f"the {what} of {face.component!r} is {format_mm(room)} mm, but your printer drifts"
                f" by up to {format_mm(drift)} mm"
            )
            hint = f"give its stock a wider {what}"
            yield what, warning(face.span, "GP813", message, hint, _component(placed))
