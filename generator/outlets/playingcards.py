"""A room of playingcards.io: all pieces of a pack in piles, as the .pcio file that a room imports.

A zip of `widgets.json`, a list of widgets, `schemaVersion`, and pictures in `userassets/`, which
widgets name `package://userassets/NAME`. The format is not documented by its maker; fields are
those that programs write which rooms import, and that of other tables which read such files.
"""

from __future__ import annotations

import json
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from io import BytesIO
from pathlib import Path
from typing import Any, Final

from PIL import Image

from generator.diagnostics import Diagnostic, GridpressError, Outcome, warning
from generator.export import Canvas
from generator.geometry import MM_PER_INCH
from generator.model.catalogue import Shape, Stock
from generator.model.face import Face
from generator.outlets.shipment import (
    Lot,
    Outlet,
    PictureOrder,
    Piece,
    Shipment,
    Shipped,
)

MOST_WIDGETS: Final = 1200
"""That a room takes."""
MOST_BYTES: Final = 2 * 1024 * 1024
"""Of a picture."""
ROOM: Final = (1600, 1000)
"""Pixels of a room."""
_SCALE: Final = 1.8
"""Pixels of a millimetre: a poker card is 160 high, as the rooms' own are."""
_LARGEST: Final = 480.0
"""Pixels of the longer side of anything."""
_DPI: Final = 150
_MOST_PX: Final = 1500
_GAP: Final = 24
_FIRST_DAY: Final = (1980, 1, 1, 0, 0, 0)
_ASSETS: Final = "package://userassets/"
_WANTED: Final[Mapping[str, Mapping[str, type]]] = {
    "cardPile": {"label": str, "width": int, "height": int},
    "cardDeck": {"cardWidth": int, "cardHeight": int, "cardTypes": dict, "faceTemplate": dict,
                 "backTemplate": dict, "parent": str},
    "card": {"deck": str, "cardType": str, "parent": str},
}  # fmt: skip
"""What a widget of a type must say, besides its id and place."""


class PlayingCards(Outlet):
    """The outlet of those rooms."""

    name = "pcio"
    title = "playingcards.io"

    def fill(self, shipment: Shipment) -> Outcome[tuple[Shipped, ...]]:
        """`<pack>.pcio` and `<pack>.png`, the room drawn from that file alone."""
        pack, said = shipment.pack, list[Diagnostic]()
        drawings: dict[str, PictureOrder] = {}
        widgets = list(_widgets(shipment.lots, drawings))
        if len(widgets) > MOST_WIDGETS:
            message = f"{len(widgets):,} pieces and piles; a room takes about {MOST_WIDGETS:,}"
            hint = "choose fewer with --only, or play with fewer copies"
            said.append(warning(pack.span, "GP715", message, hint))
        drawn = shipment.draw(list(drawings.values()))
        said += drawn.diagnostics
        if not drawn.ok:
            return Outcome((), tuple(said))
        room = shipment.folder / f"{pack.name}.pcio"
        with zipfile.ZipFile(room, "w", zipfile.ZIP_STORED) as packed:
            text = json.dumps(widgets, ensure_ascii=False, indent=1)
            _put(packed, "widgets.json", text.encode())
            _put(packed, "schemaVersion", b"3")
            for name in sorted(drawings):
                _put(packed, f"userassets/{name}", (shipment.folder / name).read_bytes())
                (shipment.folder / name).unlink()
        wrong = next(room_faults(room), "")
        if wrong:
            hint = "this should not be: please tell us"
            raise GridpressError(Diagnostic(pack.span, "GP716", wrong, hint))
        drawn_room(room).save(shipment.folder / f"{pack.name}.png", "PNG")
        return Outcome((Shipped(room.name), Shipped(f"{pack.name}.png")), tuple(said))


def _put(packed: zipfile.ZipFile, name: str, content: bytes) -> None:
    entry = zipfile.ZipInfo(name, _FIRST_DAY)
    entry.create_system = 3
    entry.external_attr = 0o644 << 16
    packed.writestr(entry, content)


def _widgets(lots: Sequence[Lot], drawings: dict[str, PictureOrder]) -> Iterator[dict[str, Any]]:
    """Pile, deck and cards of each lot, from left to right, row after row."""
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
    """The address of a picture, which is asked for; faces that look alike have the same one."""
    cut = stock.shape not in (Shape.RECTANGLE, Shape.ROUNDED)
    name = f"{face.kind}-{face.sha256[:12]}.{'png' if cut else 'jpg'}"
    dpi = min(float(_DPI), _MOST_PX * MM_PER_INCH / max(stock.trim.width, stock.trim.height))
    width, height = (
        max(1, round(side * dpi / MM_PER_INCH)) for side in (stock.trim.width, stock.trim.height)
    )
    canvas = Canvas(width, height, dpi, stock.shape, cut=cut, format="png" if cut else "jpeg")
    drawings[name] = PictureOrder(face, canvas._replace(most_bytes=MOST_BYTES), name, 0)
    return _ASSETS + name


def _size(stock: Stock) -> tuple[int, int]:
    scale = min(_SCALE, _LARGEST / max(stock.trim.width, stock.trim.height))
    return max(8, round(stock.trim.width * scale)), max(8, round(stock.trim.height * scale))


# -- the file read back ----------------------------------------------------------------------------


def room_faults(room: Path) -> Iterator[str]:
    """What a room would not take, or would show otherwise than meant; nothing but the file is
    looked at."""
    with zipfile.ZipFile(room) as packed:
        there = {info.filename: info.file_size for info in packed.infolist()}
        widgets = json.loads(packed.read("widgets.json"))
    by_id = {one.get("id"): one for one in widgets}
    if len(by_id) != len(widgets):
        yield "two widgets have one id"
    for one in widgets:
        wanted = _WANTED.get(one.get("type"))
        if wanted is None:
            yield f"there is no widget {one.get('type')!r}"
            continue
        for key, kind in {**wanted, "id": str, "x": int, "y": int, "z": int}.items():
            if not isinstance(one.get(key), kind):
                yield f"{one.get('id')}: {key} is no {kind.__name__}"
        if "parent" in one and by_id.get(one["parent"], {}).get("type") != "cardPile":
            yield f"{one['id']}: it lies in no pile"
        if one["type"] == "card":
            deck = by_id.get(one["deck"], {})
            if one["cardType"] not in deck.get("cardTypes", {}):
                yield f"{one['id']}: its deck has no such card"
        for name, told in one.get("cardTypes", {}).items():
            yield from (f"{name}: {wrong}" for wrong in _of_pictures(told, there))


def _of_pictures(told: Mapping[str, str], there: Mapping[str, int]) -> Iterator[str]:
    for side in ("face", "back"):
        address = told.get(side, "")
        size = there.get(address.replace(_ASSETS, "userassets/"))
        if size is None:
            yield f"there is no picture {address!r}"
        elif size > MOST_BYTES:
            yield f"the picture of its {side} has {size:,} bytes"


def drawn_room(room: Path) -> Image.Image:
    """The room as it will lie, drawn from the file alone: the first card of each pile."""
    with zipfile.ZipFile(room) as packed:
        widgets = json.loads(packed.read("widgets.json"))
        decks = [one for one in widgets if one["type"] == "cardDeck"]
        bottom = max(deck["y"] + deck["cardHeight"] for deck in decks) + _GAP
        table = Image.new("RGB", (ROOM[0], max(ROOM[1], bottom)), "#2f4a3a")
        for deck in decks:
            told = next(iter(deck["cardTypes"].values()))
            name = told["face"].replace(_ASSETS, "userassets/")
            with Image.open(BytesIO(packed.read(name))) as opened:
                picture = opened.convert("RGBA")
            small = picture.resize(
                (deck["cardWidth"], deck["cardHeight"]), Image.Resampling.LANCZOS
            )
            table.paste(small, (deck["x"], deck["y"]), small)
    return table
