"""playingcards.io: a room with all pieces of a pack in piles, as a .pcio file.

The file is a zip with `widgets.json`, `schemaVersion`, and pictures in `userassets/`, which widgets
call `package://userassets/NAME`. Its maker does not document the format; fields are those of
programs whose files rooms import.
"""

from __future__ import annotations

import json
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from generator.diagnostics import Outcome, warning
from generator.export import Canvas
from generator.geometry import MM_PER_INCH, Rect
from generator.model.catalogue import Shape, Stock
from generator.model.face import Face
from generator.outlets.shipment import (
    Lot,
    Outlet,
    PictureOrder,
    Piece,
    Shipment,
    Shipped,
    pixels_of,
)
from generator.outlets.virtual_tables import SeenObject, table_picture

MOST_WIDGETS: Final = 1200
MOST_BYTES: Final = 2 * 1024 * 1024
"""Size of a picture's file."""
ROOM: Final = (1600, 1000)
"""Pixels of a room."""
_SCALE: Final = 1.8
"""Pixels per mm: a poker card is 160 high, like the rooms' own cards."""
_LARGEST: Final = 480.0
"""Pixels of the longer side of a piece."""
_DPI: Final = 150
_MOST_PX: Final = 1500
_GAP: Final = 24
_FIRST_DAY: Final = (1980, 1, 1, 0, 0, 0)
_ASSETS: Final = "package://userassets/"


class PlayingCards(Outlet):
    """The outlet for playingcards.io."""

    name = "pcio"
    title = "playingcards.io"

    def fill(self, shipment: Shipment) -> Outcome[tuple[Shipped, ...]]:
        """Write `<pack>.pcio`, and a picture of the room as `<pack>.png`."""
        pack, folder = shipment.pack, shipment.folder
        drawings: dict[str, PictureOrder] = {}
        widgets = list(_widgets(shipment.lots, drawings))
        findings = []
        if len(widgets) > MOST_WIDGETS:
            message = f"{len(widgets):,} pieces and piles; a room takes about {MOST_WIDGETS:,}"
            hint = "choose fewer with --only, or play with fewer copies"
            findings.append(warning(pack.span, "GP715", message, hint))
        drawn = shipment.draw(list(drawings.values()))
        findings += drawn.diagnostics
        if not drawn.ok:
            return Outcome((), tuple(findings))
        with zipfile.ZipFile(folder / f"{pack.name}.pcio", "w", zipfile.ZIP_STORED) as packed:
            text = json.dumps(widgets, ensure_ascii=False, indent=1)
            _put(packed, "widgets.json", text.encode())
            _put(packed, "schemaVersion", b"3")
            for name in sorted(drawings):
                _put(packed, f"userassets/{name}", (folder / name).read_bytes())
        seen = list(_seen(widgets))
        bottom = max(one.y + one.height / 2 for one in seen) + _GAP
        room = Rect(0, 0, ROOM[0], max(ROOM[1], bottom))
        table_picture(seen, folder, room, scale=1).save(folder / f"{pack.name}.png", "PNG")
        for name in drawings:
            (folder / name).unlink()
        return Outcome((Shipped(f"{pack.name}.pcio"), Shipped(f"{pack.name}.png")), tuple(findings))


def _seen(widgets: Sequence[Mapping[str, Any]]) -> Iterator[SeenObject]:
    """Yield the first card of each deck."""
    for deck in widgets:
        if deck["type"] == "cardDeck":
            width, height = deck["cardWidth"], deck["cardHeight"]
            picture = next(iter(deck["cardTypes"].values()))["face"].removeprefix(_ASSETS)
            x, y = deck["x"] + width / 2, deck["y"] + height / 2
            yield SeenObject(x, y, width, height, picture)


def _put(packed: zipfile.ZipFile, name: str, content: bytes) -> None:
    entry = zipfile.ZipInfo(name, _FIRST_DAY)
    entry.create_system = 3
    entry.external_attr = 0o644 << 16
    packed.writestr(entry, content)


def _widgets(lots: Sequence[Lot], drawings: dict[str, PictureOrder]) -> Iterator[dict[str, Any]]:
    """Yield the pile, the deck and the cards of each lot, from left to right, row after row."""
    x, y, deep = float(_GAP), float(_GAP), 0
    for number, lot in enumerate(lots):
        width, height = _size(lot.stock)
        if x + width > ROOM[0] and x > _GAP:
            x, y, deep = float(_GAP), y + deep + 2 * _GAP, 0
        name = f"{lot.kind.name}-{number}"
        place = {"x": round(x), "y": round(y)}
        yield {
            "id": f"pile-{name}",
            "type": "cardPile",
            **place,
            "z": number,
            "width": width + 8,
            "height": height + 8,
            "label": str(lot.kind.title),
        }
        place = {"x": round(x) + 4, "y": round(y) + 4}
        yield _deck(lot, name, place, (width, height), drawings)
        for copy, piece in enumerate(p for p in lot.pieces for _ in range(p.copies)):
            yield {
                "id": f"card-{name}-{copy}",
                "type": "card",
                **place,
                "z": 1000 * (number + 1) + copy,
                "deck": f"deck-{name}",
                "cardType": piece.id,
                "parent": f"pile-{name}",
            }
        x, deep = x + width + 8 + _GAP, max(deep, height + 8)


def _deck(
    lot: Lot,
    name: str,
    place: Mapping[str, int],
    size: tuple[int, int],
    drawings: dict[str, PictureOrder],
) -> dict[str, Any]:
    types = {piece.id: _type(lot, piece, drawings) for piece in lot.pieces}
    sharp = lot.stock.shape in (Shape.RECTANGLE, Shape.PATH, Shape.HEXAGON)
    faces = {
        f"{side}Template": {
            "includeBorder": "none",
            "includeRadius": not sharp,
            "objects": [
                {
                    "type": "image",
                    "x": 0,
                    "y": 0,
                    "w": size[0],
                    "h": size[1],
                    "color": "white",
                    "valueType": "dynamic",
                    "value": side,
                }
            ],
        }
        for side in ("face", "back")
    }
    return {
        "id": f"deck-{name}",
        "type": "cardDeck",
        **place,
        "z": 1,
        "parent": f"pile-{name}",
        "cardWidth": size[0],
        "cardHeight": size[1],
        "enlarge": True,
        "cardTypes": types,
        **faces,
    }


def _type(lot: Lot, piece: Piece, drawings: dict[str, PictureOrder]) -> dict[str, str]:
    name = piece.component.values.get("name")
    face = _picture(piece.front, lot.stock, drawings)
    back = _picture(piece.back, lot.stock, drawings) if piece.back else face
    return {"label": name if isinstance(name, str) else piece.id, "face": face, "back": back}


def _picture(face: Face, stock: Stock, drawings: dict[str, PictureOrder]) -> str:
    """Order a picture and return its address; faces that look alike share one."""
    cut = stock.shape not in (Shape.RECTANGLE, Shape.ROUNDED)
    name = f"{face.kind}-{face.sha256[:12]}.{'png' if cut else 'jpg'}"
    dpi = min(float(_DPI), _MOST_PX * MM_PER_INCH / max(stock.trim.width, stock.trim.height))
    canvas = Canvas(
        *pixels_of(stock.trim, dpi),
        dpi,
        stock.shape,
        cut=cut,
        format="png" if cut else "jpeg",
        most_bytes=MOST_BYTES,
    )
    drawings[name] = PictureOrder(face, canvas, name, 0)
    return _ASSETS + name


def _size(stock: Stock) -> tuple[int, int]:
    scale = min(_SCALE, _LARGEST / max(stock.trim.width, stock.trim.height))
    return max(8, round(stock.trim.width * scale)), max(8, round(stock.trim.height * scale))
