"""Each face as a picture, with a table that says what the pictures are; or as one SVG with text as
text, for those who go on in a drawing program."""

from __future__ import annotations

import base64
import csv
from collections.abc import Iterator, Sequence
from io import StringIO
from typing import Final

from generator.diagnostics import GridpressError, Outcome
from generator.export import Canvas
from generator.files import Roots, UnreadableError
from generator.geometry import MM_PER_INCH
from generator.model.face import Face
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
from generator.pictures import MAX_FILE

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
