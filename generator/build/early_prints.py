"""Writes the PDFs of a pack print by print, each as soon as its faces are drawn."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from generator.build.opening import OpenPack
from generator.build.order import Order
from generator.build.pipeline import StepProgress, silent
from generator.build.print_runs import LaidOut, PrintRun, print_runs
from generator.build.printing import write_print_files
from generator.build.standing import Standing
from generator.build.updates import FaceName
from generator.files import Roots
from generator.fonts import FontLibrary
from generator.render import Deck, DrawnFace, FaceTask


class PrintedPart(Struct, frozen=True):
    """A print that is written, in a folder with a manifest of its own."""

    folder: Path
    runs: tuple[PrintRun, ...]


class EarlyPrints(Struct, frozen=True):
    """Faces to be drawn and laid out as an order has it; `drawn` takes those that are drawn."""

    opened: OpenPack
    order: Order
    deck: Deck
    tasks: Mapping[FaceName, FaceTask]
    drawn: dict[FaceName, DrawnFace]
    standing: Standing
    fonts: FontLibrary
    roots: Roots

    def write(self, folder: Path, progress: StepProgress) -> Iterator[PrintedPart]:
        """Draw and write one print after another, each below `folder`. End at the first fault."""
        pack = self.opened.pack
        for print_ in pack.prints:
            if not self._draw(print_.kinds, progress):
                return
            drawn = (self.drawn[name].face for name in self.tasks if name in self.drawn)
            faces = tuple(face for face in drawn if face is not None)
            part = replace(self.opened, pack=replace(pack, prints=(print_,)))
            runs = print_runs(part, faces, self.order, self.standing)
            if not runs.ok or not runs.value:  # such as a print for other papers
                continue
            place = folder / print_.name
            place.mkdir()
            laid_out = LaidOut(part, self.roots, self.fonts, faces, runs.value)
            if write_print_files(laid_out, self.order, place, silent):
                return
            yield PrintedPart(place, runs.value)

    def _draw(self, kinds: tuple[str, ...], progress: StepProgress) -> bool:
        """Draw the faces of some kinds; return whether all are whole."""
        names = [n for n in self.tasks if n.kind in kinds and n not in self.drawn]
        before, total = len(self.drawn), len(self.tasks)
        drawn = self.deck.draw_all(
            [self.tasks[name] for name in names],
            self.order.jobs,
            lambda done, _: progress("drawing", before + done, total),
        )
        self.drawn.update(zip(names, drawn, strict=True))
        return all(one.face is not None and one.face.whole for one in drawn)
