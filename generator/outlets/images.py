"""Each face as a picture: previews with contact sheets of them; those of an outlet, with a table
that says what they are; or as one SVG with text as text, for who goes on in a drawing program."""

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
from generator.assets import MAX_FILE
from generator.diagnostics import Diagnostic, GridpressError, Outcome, warning
from generator.export import Canvas, Told, nobody
from generator.files import Roots, UnreadableError
from generator.fonts import FontLibrary, fonts_of, own_font
from generator.geometry import MM_PER_INCH
from generator.model.face import Face
from generator.model.pack import Pack
from generator.order import Order
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
    refuse,
    wish_of,
)
from generator.prepress import StepProgress, draw, in_locale_of, open_pack, silent
from generator.project import Target
from generator.realfolder import TargetFolder, workshop

DPI: Final = 300
TABLE: Final = "images.csv"
_SUFFIX: Final = {"png": ".png", "jpeg": ".jpg"}


class Images(Outlet):
    """The outlet of those who want just pictures."""

    name = "images"
    title = "pictures"

    def fill(self, shipment: Shipment) -> Outcome[tuple[Shipped, ...]]:
        """A picture of each face, and `images.csv` with file, kind, id, side and copies."""
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
    suffix = _SUFFIX[asked.format or "png"]
    for name, lot, piece, face in named_faces(shipment.lots, names):
        yield PictureOrder(face, _canvas(lot, asked), name + suffix, piece.copies)


def _canvas(lot: Lot, asked: ExportOptions) -> Canvas:
    bleed = lot.stock.bleed if asked.bleed and not asked.transparent else 0.0
    dpi = asked.dpi or DPI
    trim = lot.stock.trim
    width, height = (
        max(1, round((side + 2 * bleed) * dpi / MM_PER_INCH)) for side in (trim.width, trim.height)
    )
    return Canvas(
        width,
        height,
        dpi,
        lot.stock.shape,
        cut=asked.transparent,
        format=asked.format or "png",
    )


def _table(drawings: Sequence[PictureOrder]) -> str:
    written = StringIO()
    rows = csv.writer(written, lineterminator="\r\n")  # RFC 4180
    rows.writerow(("file", "kind", "id", "side", "copies", "width_px", "height_px"))
    for path, face, copies, canvas in ((d.path, d.face, d.copies, d.canvas) for d in drawings):
        rows.writerow(
            (path, face.kind, face.component, face.name, copies, canvas.width, canvas.height)
        )
    return written.getvalue()


_TYPES: Final = {
    ".png": "image/png",
    ".jpg": "image/jpeg",
    ".jpeg": "image/jpeg",
    ".webp": "image/webp",
    ".gif": "image/gif",
    ".svg": "image/svg+xml",
}


class Drawings(Outlet):
    """The outlet of drawing programs."""

    name = "svg"
    title = "SVG"

    def fill(self, shipment: Shipment) -> Outcome[tuple[Shipped, ...]]:
        """`<kind>-<id>-<side>.svg` of each face; pictures are in it."""
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
    """The SVG of a face with its pictures inside. Raises GridpressError for one that has become
    another since it was looked at."""
    svg = face.svg
    for asset in face.assets:
        try:
            content = roots.read_again(asset.path, asset.sha256, MAX_FILE)
        except UnreadableError as error:
            raise GridpressError(error.told(face.span, asset.path.name)) from error
        packed = base64.b64encode(content).decode("ascii")
        svg = svg.replace(asset.href, f"data:{_TYPES[asset.path.suffix.lower()]};base64,{packed}")
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{svg}\n'


_LEAST_DPI: Final = 36
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
