"""Faces in; each distinct one once, ready to be drawn in any PDF, out.

Most faces become plates, straight from their SVG; those with something rare or hard on them are
drawn by the engine, which takes many times as long.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from generator.diagnostics import Outcome
from generator.export.chunks import distinct
from generator.export.plates.plate import Plate, Platemaker
from generator.export.svg_to_pdf import FacePdfs, compile_faces
from generator.fonts import FontLibrary
from generator.model.face import Face

Progress = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class Plates:
    """The distinct faces by their sha256: as plates, or as pages that the engine drew."""

    made: Mapping[str, Plate]
    engine: FacePdfs


def make_plates(
    faces: Sequence[Face],
    font_folders: Sequence[Path],
    scratch: Path,
    *,
    jobs: int = 1,
    progress: Progress = lambda done, total: None,
) -> Outcome[Plates]:
    """Draw every distinct face, exactly as large as its trim and bleed.

    Fonts come from `font_folders` alone. Errors are those of the engine, see `compile_faces`: it
    gets every face that no plate could be made of, and says what is wrong with it.
    """
    wanted = distinct(faces)
    maker = Platemaker(FontLibrary(font_folders))
    made: dict[str, Plate] = {}
    left: list[Face] = []
    for number, face in enumerate(wanted):
        plate = maker.plate(face)
        if plate is None:
            left.append(face)
        else:
            made[face.sha256] = plate
        progress(number, len(wanted))
    done = len(made)
    compiled = compile_faces(
        left,
        font_folders,
        scratch,
        jobs=jobs,
        progress=lambda drawn, _: progress(done + drawn, len(wanted)),
    )
    if not left:
        progress(len(wanted), len(wanted))
    return Outcome(Plates(made, compiled.value), compiled.diagnostics)
