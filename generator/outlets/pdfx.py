"""Presses that print in four inks: a PDF/X of each deck."""

from __future__ import annotations

import tempfile
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

from generator import export
from generator.diagnostics import Diagnostic, Outcome
from generator.export import Inks, PressInfo
from generator.geometry import MM_PER_INCH
from generator.model.face import Face
from generator.model.pack import Pack
from generator.outlets.images import MAX_PIXELS
from generator.outlets.shipment import (
    ExportOptions,
    Lot,
    Outlet,
    Shipment,
    Shipped,
    left_out,
    paths_fault,
    refuse,
)

DPI: Final = 300
"""The resolution of `export.write_press`."""
SWOP: Final = Inks("swop3-240", "CGATS TR 003", "SWOP grade 3 coated, ANSI/CGATS/SWOP TR 003-2007")
FOGRA: Final = Inks("fogra39-240", "FOGRA39", "Offset on coated paper, ISO 12647-2:2004/Amd 1")


class Press(Outlet):
    """The outlet for a press, with its bleed in mm.

    With `in_turn`, one file has the back and the front of each copy in turn; else fronts and backs
    are files of their own.
    """

    def __init__(
        self, name: str, title: str, standard: str, inks: Inks, bleed: float, *, in_turn: bool
    ) -> None:
        self.name, self.title = name, title
        self._standard, self._inks, self._bleed, self._in_turn = standard, inks, bleed, in_turn

    def bleeds(self, pack: Pack, lots: Sequence[Lot], asked: ExportOptions) -> Mapping[str, float]:
        """Return the bleed of the press for all kinds."""
        return {lot.kind.name: self._bleed for lot in lots}

    def fill(self, shipment: Shipment) -> Outcome[tuple[Shipped, ...]]:
        """Write a PDF for each deck, with a page for each copy."""
        findings: list[Diagnostic] = []
        large = [lot for lot in shipment.lots if _is_too_large(lot, self._bleed)]
        why = f"at {DPI} dpi it has more than {MAX_PIXELS / 1e6:.0f} million pixels"
        findings += (
            left_out(lot, self.title, why, "print it as a poster at home") for lot in large
        )
        lots = [lot for lot in shipment.lots if lot not in large]
        files = [file for name, lot in _named(lots) for file in self._files(name, lot)]
        refuse(paths_fault((name for name, *_ in files), shipment.pack.span))
        shipped: list[Shipped] = []
        for name, lot, pages in files:
            info = PressInfo(f"{shipment.pack.title}: {lot.kind.title}", self._standard, self._inks)
            with tempfile.TemporaryDirectory(prefix="gridpress-") as scratch:
                made = export.write_press(
                    pages,
                    shipment.fonts,
                    shipment.folder / name,
                    info,
                    Path(scratch),
                    roots=shipment.roots,
                    jobs=shipment.order.jobs,
                    cache=shipment.order.cache,
                )
            findings += made.diagnostics
            if not made.ok:
                return Outcome((), tuple(findings))
            shipped.append(Shipped(name))
        return Outcome(tuple(shipped), tuple(dict.fromkeys(findings)))

    def _files(self, name: str, lot: Lot) -> Iterator[tuple[str, Lot, list[Face | None]]]:
        """Yield the files of a lot with their pages; None is a blank page."""
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
    width, height = (side + 2 * bleed for side in (lot.stock.trim.width, lot.stock.trim.height))
    return width * height * (DPI / MM_PER_INCH) ** 2 > MAX_PIXELS


def _named(lots: Sequence[Lot]) -> Iterator[tuple[str, Lot]]:
    """Yield lots with the names of their kinds, numbered where a kind has several stocks."""
    many = Counter(lot.kind.name for lot in lots)
    seen = Counter[str]()
    for lot in lots:
        name = lot.kind.name
        seen[name] += 1
        yield (name if many[name] == 1 else f"{name}-{seen[name]}"), lot
