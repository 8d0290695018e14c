"""Draws the faces of packs as pictures, with contact sheets of them, put in place."""

from __future__ import annotations

import itertools
import math
import shutil
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from generator import export
from generator.diagnostics import Diagnostic, Outcome, warning
from generator.export import Told, nobody
from generator.files import Roots
from generator.fonts import FontLibrary, fonts_of, own_font
from generator.geometry import MM_PER_INCH
from generator.model.face import Face
from generator.model.pack import Pack
from generator.order import Order
from generator.prepress import StepProgress, draw, in_locale_of, open_pack, silent
from generator.project import Target
from generator.realfolder import TargetFolder, workshop

MIN_DPI: Final = 36
MAX_PIXELS: Final = 40_000_000
"""Of the picture of one face: 1 × 1 m at 150 dpi."""
CONTACT_COLUMNS = 6
CONTACT_WIDTH_PX = 1800


def preview_pack(
    target: Target,
    order: Order,
    output: Path | TargetFolder,
    dpi: int,
    progress: StepProgress = silent,
    told: Told = nobody,
) -> Outcome[tuple[Path, ...]]:
    """Draw the faces of one pack into `output/<pack>/preview/<kind>.<id>.<side>.png`, and for
    each kind a contact sheet `preview/<kind>.png`; of a part of it in `preview.only/`, in another
    language in `preview.de/`. Returns the contact sheets.

    Raises GridpressError as `press_pack` does.
    """
    order = in_locale_of(target, order)
    opened = open_pack(target, order)
    if opened.value is None:
        return Outcome((), opened.diagnostics)
    place = TargetFolder.of(output) / target.pack / order.folder(export.PREVIEW)
    with export.delivering(place, told) as delivery, workshop() as (scratch, staged):
        fonts = fonts_of(target.project, scratch)
        drawn = draw(opened.value, order, scratch, progress, fonts)
        said = (*opened.diagnostics, *drawn.diagnostics)
        refused = tuple(_refused(opened.value.pack, drawn.value, dpi)) if drawn.ok else ()
        if refused or not drawn.ok:
            return Outcome((), (*said, *refused))
        roots = target.project.roots.also(scratch)
        faults = _draw_pictures(roots, fonts, drawn.value, order, dpi, staged, progress)
        if faults:
            return Outcome((), (*said, *faults))
        delivery.publish(staged)
    kinds = dict.fromkeys(face.kind for face in drawn.value)
    return Outcome(tuple(place.path / f"{kind}.png" for kind in kinds), said)


def _refused(pack: Pack, faces: Sequence[Face], dpi: int) -> Iterator[Diagnostic]:
    """GP504 for faces whose picture would have more than `MAX_PIXELS`; GP606 if there are none."""
    if not faces:
        yield warning(pack.span, "GP606", "there is nothing to draw", "see prints and quantities")
    for face in faces:
        trim, bleed = face.stock.trim, face.stock.bleed
        area = (trim.width + 2 * bleed) * (trim.height + 2 * bleed)
        pixels = area * (dpi / MM_PER_INCH) ** 2
        if pixels > MAX_PIXELS:
            message = (
                f"the {face.name} of {face.component} at {dpi} dpi would have "
                f"{pixels / 1e6:,.0f} million pixels; the most is {MAX_PIXELS / 1e6:.0f} million"
            )
            least = int(MM_PER_INCH * math.sqrt(MAX_PIXELS / area))
            hint = f"give --dpi {least}" if least >= MIN_DPI else "choose others with --only"
            yield Diagnostic(face.span, "GP504", message, hint)


def _draw_pictures(
    roots: Roots,
    fonts: FontLibrary,
    faces: Sequence[Face],
    order: Order,
    dpi: int,
    staged: Path,
    progress: StepProgress,
) -> tuple[Diagnostic, ...]:
    font = own_font()
    with tempfile.TemporaryDirectory(dir=staged) as scratch:
        drawn = export.face_pictures(
            faces,
            fonts,
            Path(scratch),
            dpi=dpi,
            roots=roots,
            jobs=order.jobs,
            progress=lambda done, total: progress("drawing", done, total),
            cache=order.cache,
        )
        if not drawn.ok:
            return drawn.diagnostics
        for kind, of_kind in itertools.groupby(faces, key=lambda face: face.kind):
            pictures = []
            for face in of_kind:
                path = staged / f"{kind}.{face.component}.{face.name}.png"
                shutil.copyfile(drawn.value[face.sha256], path)
                pictures.append(export.PreviewPicture(path, f"{face.component} {face.name}"))
            sheet = export.contact_sheet(pictures, CONTACT_COLUMNS, CONTACT_WIDTH_PX, font)
            (staged / f"{kind}.png").write_bytes(sheet)
    return ()
