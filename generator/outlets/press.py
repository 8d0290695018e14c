"""Presses that print in four inks: a PDF/X of each deck, read back clause by clause."""

from __future__ import annotations

import tempfile
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

from generator import export
from generator.diagnostics import Diagnostic, GridpressError, Outcome
from generator.export import Inks, PressInfo
from generator.model.face import Face
from generator.model.pack import Pack
from generator.outlets.pdfx import faults_of
from generator.outlets.shipment import Asked, Lot, Shipment, Shipped, left_out, paths_fault, refuse
from generator.press import MAX_PIXELS
from generator.units import MM_PER_INCH

DPI: Final = 300
"""As `export.write_press` draws."""
SWOP: Final = Inks("swop3-240", "CGATS TR 003", "SWOP grade 3 coated, ANSI/CGATS/SWOP TR 003-2007")
FOGRA: Final = Inks("fogra39-240", "FOGRA39", "Offset on coated paper, ISO 12647-2:2004/Amd 1")


class Press:
    """The outlet that a press is: how its pages are bound, how much bleed they have, mm."""

    def __init__(
        self, name: str, title: str, standard: str, inks: Inks, bleed: float, *, in_turn: bool
    ) -> None:
        self.name, self.title = name, title
        self._standard, self._inks, self._bleed, self._in_turn = standard, inks, bleed, in_turn

    def bleeds(self, pack: Pack, lots: Sequence[Lot], asked: Asked) -> Mapping[str, float]:
        """The press's own."""
        return {lot.kind.name: self._bleed for lot in lots}

    def fill(self, shipment: Shipment) -> Outcome[tuple[Shipped, ...]]:
        """A PDF a deck, each copy a page; read back."""
        said: list[Diagnostic] = []
        large = [lot for lot in shipment.lots if _is_too_large(lot, self._bleed)]
        why = f"at {DPI} dpi it has more than {MAX_PIXELS / 1e6:.0f} million pixels"
        said += (left_out(lot, self.title, why, "print it as a poster at home") for lot in large)
        lots = [lot for lot in shipment.lots if lot not in large]
        files = [one for lot in _named(lots) for one in self._files(*lot)]
        refuse(paths_fault((name for name, *_ in files), shipment.pack.span))
        order = shipment.order
        shipped: list[Shipped] = []
        for name, lot, pages in files:
            info = PressInfo(f"{shipment.pack.title}: {lot.kind.title}", self._standard, self._inks)
            target = shipment.folder / name
            with tempfile.TemporaryDirectory(prefix="gridpress-") as scratch:
                made = export.write_press(
                    pages,
                    shipment.fonts,
                    target,
                    info,
                    Path(scratch),
                    roots=shipment.roots,
                    jobs=order.jobs,
                    cache=order.cache,
                )
            said += made.diagnostics
            if not made.ok:
                return Outcome((), tuple(said))
            wrong = next(faults_of(target, info, lot.stock.trim, self._bleed, len(pages)), "")
            if wrong:
                hint = "this should not be: please tell us"
                fault = Diagnostic(lot.kind.span, "GP716", f"{name}: {wrong}", hint)
                raise GridpressError(fault)
            shipped.append(Shipped(name))
        return Outcome(tuple(shipped), tuple(dict.fromkeys(said)))

    def _files(self, name: str, lot: Lot) -> Iterator[tuple[str, Lot, list[Face | None]]]:
        """The files of a lot: its pages, a blank one for a back that is not there."""
        fronts: list[Face | None] = [p.front for p in lot.pieces for _ in range(p.copies)]
        backs = [p.back for p in lot.pieces for _ in range(p.copies)]
        if self._in_turn:
            both = zip(backs, fronts, strict=True)
            yield f"{name}.pdf", lot, [side for pair in both for side in pair]
            return
        yield f"{name}-fronts.pdf", lot, fronts
        if any(backs):
            yield f"{name}-backs.pdf", lot, backs


PRESSES: Final = (
    Press("drivethru", "DriveThruCards", "PDF/X-1a:2003", SWOP, 3.175, in_turn=True),
    Press("press", "the press", "PDF/X-4", FOGRA, 3.0, in_turn=False),
)


def _is_too_large(lot: Lot, bleed: float) -> bool:
    """True for pages of more pixels than can be worked with."""
    width, height = (side + 2 * bleed for side in (lot.stock.trim.width, lot.stock.trim.height))
    return width * height * (DPI / MM_PER_INCH) ** 2 > MAX_PIXELS


def _named(lots: Sequence[Lot]) -> Iterator[tuple[str, Lot]]:
    """Lots by their kinds; those of one kind on several stocks are counted."""
    many = Counter(lot.kind.name for lot in lots)
    seen = Counter[str]()
    for lot in lots:
        name = lot.kind.name
        seen[name] += 1
        yield (name if many[name] == 1 else f"{name}-{seen[name]}"), lot
