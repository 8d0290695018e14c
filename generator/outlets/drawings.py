"""Each face as one SVG with text as text, for those who go on in a drawing program."""

from __future__ import annotations

import base64
from collections.abc import Mapping, Sequence
from typing import Final

from generator.diagnostics import GridpressError, Outcome
from generator.files import Roots, UnreadableError
from generator.model.face import Face
from generator.model.pack import Pack
from generator.outlets.shipment import (
    NAMES,
    Asked,
    Lot,
    Shipment,
    Shipped,
    named_faces,
    paths_fault,
    refuse,
    wish_of,
)
from generator.pictures import MAX_FILE

_TYPES: Final = {
    ".png": "image/png",
    ".jpg": "image/jpeg",
    ".jpeg": "image/jpeg",
    ".webp": "image/webp",
    ".gif": "image/gif",
    ".svg": "image/svg+xml",
}


class Drawings:
    """The outlet of drawing programs."""

    name = "svg"
    title = "SVG"

    def bleeds(self, pack: Pack, lots: Sequence[Lot], asked: Asked) -> Mapping[str, float]:
        """Every kind as it is."""
        return {}

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
