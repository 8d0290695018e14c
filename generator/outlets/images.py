"""Pictures of faces: previews with contact sheets, PNG or JPEG files, SVG for drawing programs."""

from __future__ import annotations

import base64
import csv
import itertools
import math
import shutil
import tempfile
from collections.abc import Iterator, Sequence
from io import StringIO
from pathlib import Path
from typing import Final

from generator import export
from generator.assets import MAX_FILE, for_engine
from generator.build import Order, StepProgress, in_locale_of, lay_out, silent
from generator.diagnostics import Diagnostic, GridpressError, Outcome, warning
from generator.export import Canvas, Told, nobody
from generator.files import Roots, UnreadableError
from generator.fonts import FontLibrary, own_font
from generator.geometry import MM_PER_INCH
from generator.model.face import Face
from generator.model.pack import Pack
from generator.outlets.shipment import (
    NAMES,
    ExportOptions,
    Lot,
    Outlet,
    PictureOrder,
    Shipment,
    Shipped,
    named_faces,
    paths_fault,
    pixels_of,
    refuse,
    wish_of,
)
from generator.project import Target
from generator.writing import TargetFolder, workshop

DPI: Final = 300
TABLE: Final = "images.csv"
SUFFIX: Final = {"png": ".png", "jpeg": ".jpg"}


class Images(Outlet):
    """The outlet for pictures."""

    name = "images"
    title = "pictures"

    def fill(self, shipment: Shipment) -> Outcome[tuple[Shipped, ...]]:
        """Write a picture of each face, and a table of them, `images.csv`."""
        drawings = list(_drawings(shipment))
        wish = wish_of(shipment.pack, self.name)
        refuse(paths_fault((TABLE, *(d.path for d in drawings)), wish.span))
        drawn = shipment.draw(drawings)
        table = shipment.folder / TABLE
        table.write_text(_table(drawings), encoding="utf-8", newline="")
        shipped = (Shipped(TABLE), *(drawing.shipped for drawing in drawings))
        return Outcome(shipped, drawn.diagnostics)


def _drawings(shipment: Shipment) -> Iterator[PictureOrder]:
    asked = shipment.asked
    names = wish_of(shipment.pack, Images.name).names or NAMES
    suffix = SUFFIX[asked.format or "png"]
    for name, lot, piece, face in named_faces(shipment.lots, names):
        yield PictureOrder(face, _canvas(lot, asked), name + suffix, piece.copies)


def _canvas(lot: Lot, asked: ExportOptions) -> Canvas:
    bleed = lot.stock.bleed if asked.bleed and not asked.transparent else 0.0
    dpi, format_ = asked.dpi or DPI, asked.format or "png"
    size = pixels_of(lot.stock.trim, dpi, bleed)
    return Canvas(*size, dpi, lot.stock.shape, cut=asked.transparent, format=format_)


def _table(drawings: Sequence[PictureOrder]) -> str:
    written = StringIO()
    rows = csv.writer(written, lineterminator="\r\n")  # RFC 4180
    rows.writerow(("file", "kind", "id", "side", "copies", "width_px", "height_px"))
    for path, face, copies, canvas in ((d.path, d.face, d.copies, d.canvas) for d in drawings):
        rows.writerow(
            (path, face.kind, face.component, face.name, copies, canvas.width, canvas.height)
        )
    return written.getvalue()


_TYPES: Final = ((b"\xff\xd8", "image/jpeg"), (b"RIFF", "image/webp"), (b"GIF8", "image/gif"))
"""Types of pictures by their first bytes; all others are PNG."""


class Drawings(Outlet):
    """The outlet for drawing programs."""

    name = "svg"
    title = "SVG"

    def fill(self, shipment: Shipment) -> Outcome[tuple[Shipped, ...]]:
        """Write each face as an SVG with its pictures inside."""
        wish = wish_of(shipment.pack, self.name)
        named = list(named_faces(shipment.lots, wish.names or NAMES))
        files = {f"{name}.svg": (face, piece.copies) for name, _, piece, face in named}
        refuse(paths_fault((f"{name}.svg" for name, *_ in named), wish.span))
        for path, (face, _) in files.items():
            target = shipment.folder / path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(_whole(face, shipment.roots), encoding="utf-8")
        shipped = (Shipped(path, face, copies) for path, (face, copies) in files.items())
        return Outcome(tuple(shipped))


def _whole(face: Face, roots: Roots) -> str:
    """Return the SVG of a face with its pictures inside.

    Raises GridpressError for a picture that changed since the face was drawn.
    """
    svg = face.svg
    for asset in face.assets:
        try:
            content = for_engine(roots.read_again(asset.path, asset.sha256, MAX_FILE))
        except UnreadableError as error:
            raise GridpressError(error.told(face.span, asset.path.name)) from error
        packed = base64.b64encode(content).decode("ascii")
        type_ = next((type_ for sign, type_ in _TYPES if content.startswith(sign)), "image/png")
        svg = svg.replace(asset.href, f"data:{type_};base64,{packed}")
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{svg}\n'


_LEAST_DPI: Final = 36
MAX_PIXELS: Final = 40_000_000
"""Pixels of the picture of one face: 1 × 1 m at 150 dpi."""
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
    """Draw the pieces of a pack as they are cut out; return a contact sheet for each kind.

    They go to `output/<pack>/preview/`; a part of the pack to `preview.only/`, another language to
    `preview.de/`. Faces with errors have their bleed, and the errors framed in red.

    Raises GridpressError as `press_pack` does.
    """
    order = in_locale_of(target, order)
    place = TargetFolder.of(output) / target.pack / order.folder(export.PREVIEW)
    with export.delivering(place, told) as delivery, workshop() as (scratch, staged):
        drawn = lay_out(target, order, scratch, progress, on_sheets=False)
        laid_out, said = drawn.value, drawn.diagnostics
        if laid_out is None or (not laid_out.faces and not drawn.ok):
            return Outcome((), said)
        faces = laid_out.faces
        refused = tuple(_refused(laid_out.opened.pack, faces, dpi))
        if refused:
            return Outcome((), (*said, *refused))
        roots, fonts = laid_out.roots, laid_out.fonts
        faults = _draw_pictures(roots, fonts, faces, order, dpi, staged, progress)
        if faults:
            return Outcome((), (*said, *faults))
        delivery.publish(staged)
    kinds = dict.fromkeys(face.kind for face in faces)
    return Outcome(tuple(place.path / f"{kind}.png" for kind in kinds), said)


def _refused(pack: Pack, faces: Sequence[Face], dpi: int) -> Iterator[Diagnostic]:
    """Yield GP504 for each face that would have too many pixels, GP606 if there is no face."""
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
            hint = f"give --dpi {least}" if least >= _LEAST_DPI else "choose others with --only"
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
            cut=True,
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
