"""A saved object of Tabletop Simulator: all pieces of a pack, laid out on the table by kind.

Fields are those of its knowledge base (docs/custom-content: save-file-format.md, custom-deck.md,
custom-tile.md), a unit is an inch. How a picture is wrapped around a die is not told there: dice
are plain, and their values have the names of the faces.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from itertools import groupby
from math import ceil, sqrt
from typing import Any, Final

from PIL import Image

from generator.diagnostics import Diagnostic, GridpressError, Outcome, did_you_mean
from generator.export import Canvas
from generator.geometry import Rect
from generator.model.face import Face
from generator.model.pack import Pack
from generator.model.stock import Shape, Stock
from generator.outlets.shipment import (
    Asked,
    Drawing,
    Lot,
    Piece,
    Shipment,
    Shipped,
    left_out,
    wish_of,
)
from generator.outlets.table import drawn_table, faults_of
from generator.units import MM_PER_INCH

MOST_PX: Final = 4096
"""Of a side of a picture, as its knowledge base advises."""
MOST_COLUMNS: Final = 10
MOST_ROWS: Final = 7
DPI: Final = 150
_LARGEST_CARD: Final = 150.0
"""mm: what is longer lies on the table and is not held."""
_CARD_HEIGHT: Final = 88.9
"""mm of a card of scale 1."""
_TILE_SIDE: Final = 2.0
"""Units of a tile of scale 1."""
_TOKEN_SIDE: Final = 1.0
_FIGURE_HEIGHT: Final = 50.0
"""mm of a figurine of scale 1."""
_GAP: Final = 0.5
_ROW_WIDTH: Final = 40.0
"""Units of a row of the table."""
_SUFFIX: Final = ".jpg"


class Made(StrEnum):
    """What a kind becomes on the table."""

    DECK = "deck"
    TILE = "tile"
    TOKEN = "token"  # noqa: S105, a piece of cardboard
    FIGURINE = "figurine"
    DICE = "dice"


_CARD_TYPE: Final = {Shape.ROUNDED: 0, Shape.RECTANGLE: 1, Shape.HEXAGON: 3, Shape.CIRCLE: 4}
_TILE_TYPE: Final = {Shape.RECTANGLE: 0, Shape.HEXAGON: 1, Shape.CIRCLE: 2, Shape.ROUNDED: 3}
_ROTATIONS: Final = (
    (-90, 0, 0),
    (0, 0, 0),
    (0, 0, -90),
    (0, 0, 90),
    (0, 0, -180),
    (90, 0, 0),
)
"""How a die of six lies when each of its values, 1 to 6, is up: opposite ones add up to 7."""


@dataclass(slots=True)
class _Table:
    """Objects laid down from left to right, row after row."""

    objects: list[dict[str, Any]] = field(default_factory=list)
    x: float = 0.0
    z: float = 0.0
    deep: float = 0.0

    def part(self) -> None:
        """Leave room before the next kind."""
        self.x += _GAP if self.x else 0.0

    def put(self, made: dict[str, Any], width: float, depth: float) -> None:
        """Lay an object of a size, in units, beside the one before it."""
        if self.x and self.x + width > _ROW_WIDTH:
            self.x, self.z, self.deep = 0.0, self.z - self.deep - _GAP, 0.0
        made["Transform"]["posX"] = round(self.x + width / 2, 4)
        made["Transform"]["posZ"] = round(self.z - depth / 2, 4)
        self.x += width + _GAP
        self.deep = max(self.deep, depth)
        self.objects.append(made)


class TabletopSimulator:
    """The outlet of that table."""

    name = "tts"
    title = "Tabletop Simulator"

    def bleeds(self, pack: Pack, lots: Sequence[Lot], asked: Asked) -> Mapping[str, float]:
        """Every kind as it is: pictures show the trim."""
        return {}

    def fill(self, shipment: Shipment) -> Outcome[tuple[Shipped, ...]]:
        """`<pack>.json` to be put among the saved objects, its picture, and the pictures that it
        shows, in `pictures/`."""
        pack = shipment.pack
        work = _Work(shipment)
        for lot in shipment.lots:
            work.lay(lot)
        if not work.table.objects:
            return Outcome((), tuple(work.said))
        drawn = shipment.draw(work.drawings)
        said = (*work.said, *drawn.diagnostics)
        if not drawn.ok:
            return Outcome((), said)
        work.finish()
        saved = {"SaveName": pack.title, "ObjectStates": work.table.objects}
        text = json.dumps(saved, ensure_ascii=False, indent=1)
        name = f"{pack.name}.json"
        (shipment.folder / name).write_text(text + "\n", encoding="utf-8")
        wrong = faults_of(json.loads(text), work.root, shipment.folder, pack.span)
        if wrong:
            raise GridpressError(*wrong)
        picture = drawn_table(saved, work.root, shipment.folder)
        picture.save(shipment.folder / f"{pack.name}.png", "PNG")
        files = [Shipped(name), Shipped(f"{pack.name}.png")]
        return Outcome((*files, *(Shipped(path) for path in sorted(work.kept))), said)


class _Work:
    """What comes of the lots of a shipment: objects, and the pictures that they show."""

    def __init__(self, shipment: Shipment) -> None:
        self._shipment = shipment
        wish = wish_of(shipment.pack, TabletopSimulator.name)
        self._wish, self._sheet_px = wish, wish.sheet_px or MOST_PX
        url = shipment.asked.url or wish.url
        self.root = url.rstrip("/") + "/" if url else shipment.place.resolve().as_uri() + "/"
        self.table = _Table()
        self.drawings: list[Drawing] = []
        self.said: list[Diagnostic] = []
        self.kept: set[str] = set()
        self._sheets: list[tuple[str, tuple[int, int], tuple[int, int], list[str]]] = []
        self._sides: list[tuple[str, Stock, str, str]] = []
        self._decks = 0

    def lay(self, lot: Lot) -> None:
        """Make the objects of a lot and lay them on the table."""
        made = self._made_of(lot)
        self.table.part()
        match made:
            case Made.DECK:
                self._lay_deck(lot)
            case Made.DICE:
                self._lay_dice(lot)
            case Made.FIGURINE:
                self._lay_in_bags(lot, self._figurine)
            case Made.TOKEN:
                self._lay_in_bags(lot, self._token)
            case _:
                self._lay_in_bags(lot, self._tile)

    def _made_of(self, lot: Lot) -> Made:
        wish = self._wish
        named = wish.objects.get(lot.kind.name)
        if named in list(Made):
            return Made(named)
        if named is not None:
            message = f"outlets.tts.objects: there is no {named!r} on a table"
            fault = Diagnostic(
                wish.spans[lot.kind.name],
                "GP711",
                message,
                did_you_mean(named, [str(one) for one in Made]),
            )
            raise GridpressError(fault)
        stock = lot.stock
        if _sides(stock):
            return Made.FIGURINE
        if stock.shape is Shape.PATH:
            return Made.TOKEN
        if stock.shape in (Shape.CIRCLE, Shape.HEXAGON):
            return Made.TILE
        large = max(stock.trim.width, stock.trim.height) > _LARGEST_CARD
        return Made.TILE if large else Made.DECK

    def _picture(self, face: Face, canvas: Canvas, suffix: str = _SUFFIX) -> str:
        """The path of a face's picture, which is asked for."""
        path = f"pictures/{face.kind}-{face.component}-{face.name}{suffix}"
        if all(drawing.path != path for drawing in self.drawings):
            self.drawings.append(Drawing(face, canvas, path, 0))
        return path

    def _shown(self, path: str) -> str:
        self.kept.add(path)
        return self.root + path

    # -- decks -------------------------------------------------------------------------------------

    def _lay_deck(self, lot: Lot) -> None:
        cell = _cell(lot.stock, self._sheet_px)
        columns_most = min(MOST_COLUMNS, self._sheet_px // cell[0])
        rows_most = min(MOST_ROWS, self._sheet_px // cell[1])
        a_sheet = columns_most * rows_most - 1  # the last place is what is seen of a hidden card
        cards: list[tuple[int, Piece, dict[str, Any]]] = []
        decks: dict[str, Any] = {}
        canvas = Canvas(*cell, DPI, format="jpeg")
        for start in range(0, len(lot.pieces), a_sheet):
            some = lot.pieces[start : start + a_sheet]
            places = len(some) + 1
            columns = max(2, ceil(sqrt(places)), ceil(places / rows_most))
            columns = min(columns, columns_most)
            rows = max(2, ceil(places / columns))
            self._decks += 1
            number, grid = self._decks, (columns, rows)
            deck = self._sheet(lot, some, canvas, grid, number)
            decks[str(number)] = deck
            for index, piece in enumerate(some):
                card = self._card(lot, piece, number * 100 + index, {str(number): deck})
                cards += [(number * 100 + index, piece, card)] * piece.copies
        width, depth = _units(lot.stock)
        if len(cards) == 1:
            self.table.put(cards[0][2], width, depth)
            return
        whole = _object("DeckCustom", lot.kind.title, "", lot, _scale_of_card(lot.stock))
        whole["Transform"]["rotZ"] = 180.0  # face down
        whole |= {
            "HideWhenFaceDown": True,
            "SidewaysCard": lot.stock.trim.width > lot.stock.trim.height,
            "DeckIDs": [identity for identity, _, _ in cards],
            "CustomDeck": decks,
            "ContainedObjects": [
                card | {"GUID": _guid(lot, piece.id, copy)}
                for copy, (_, piece, card) in enumerate(cards)
            ],
        }
        self.table.put(whole, width, depth)

    def _sheet(
        self,
        lot: Lot,
        some: Sequence[Piece],
        canvas: Canvas,
        grid: tuple[int, int],
        number: int,
    ) -> dict[str, Any]:
        """A sheet of cards to be put together, and what the deck says of it."""
        faces = [self._picture(piece.front, canvas) for piece in some]
        stem = f"pictures/{lot.kind.name}-{number}"
        shared = lot.shared_back
        unique = shared is None and any(piece.back for piece in some)
        hidden = self._picture(shared, canvas) if shared else ""
        self._sheets.append((f"{stem}-fronts.jpg", canvas[:2], grid, [*faces, hidden]))
        if unique:
            back = f"{stem}-backs.jpg"
            backs = [self._picture(piece.back or piece.front, canvas) for piece in some]
            self._sheets.append((back, canvas[:2], grid, [*backs, ""]))
        else:
            back = hidden or f"{stem}-blank.jpg"
            if not hidden:
                self._sheets.append((back, canvas[:2], (1, 1), [""]))
        return {
            "FaceURL": self._shown(f"{stem}-fronts.jpg"),
            "BackURL": self._shown(back),
            "NumWidth": grid[0],
            "NumHeight": grid[1],
            "BackIsHidden": not unique,
            "UniqueBack": unique,
            "Type": _CARD_TYPE.get(lot.stock.shape, 1),
        }

    def _card(
        self, lot: Lot, piece: Piece, identity: int, deck: Mapping[str, Any]
    ) -> dict[str, Any]:
        card = _object("CardCustom", *_named(piece), lot, _scale_of_card(lot.stock), piece.id)
        return card | {
            "CardID": identity,
            "SidewaysCard": lot.stock.trim.width > lot.stock.trim.height,
            "HideWhenFaceDown": True,
            "Hands": True,
            "CustomDeck": dict(deck),
        }

    # -- tiles, tokens, figurines, dice ------------------------------------------------------------

    def _lay_in_bags(self, lot: Lot, make: Callable[[Lot, Piece], dict[str, Any]]) -> None:
        """Each piece by itself; many of them in a bag."""
        width, depth = _units(lot.stock)
        made = [make(lot, piece) for piece in lot.pieces]
        pieces = [
            one | {"GUID": _guid(lot, piece.id, copy), "Transform": dict(one["Transform"])}
            for one, piece in zip(made, lot.pieces, strict=True)
            for copy in range(piece.copies)
        ]
        if len(pieces) * width <= _ROW_WIDTH / 2:
            for piece in pieces:
                self.table.put(piece, width, depth)
            return
        bag = _object("Bag", lot.kind.title, "", lot, (1.0, 1.0, 1.0))
        self.table.put(bag | {"ContainedObjects": pieces}, 2.0, 2.0)

    def _tile(self, lot: Lot, piece: Piece) -> dict[str, Any]:
        canvas = _flat(lot.stock, "jpeg")
        width, depth = _units(lot.stock)
        image = self._shown(self._picture(piece.front, canvas))
        back = self._shown(self._picture(piece.back, canvas)) if piece.back else image
        kind = _TILE_TYPE.get(lot.stock.shape, 0)
        tile = {"Type": kind, "Thickness": 0.1, "Stackable": True, "Stretch": False}
        side = sqrt(width * depth) / _TILE_SIDE
        made = _object("Custom_Tile", *_named(piece), lot, (side, 1.0, side), piece.id)
        return made | {
            "CustomImage": {
                "ImageURL": image,
                "ImageSecondaryURL": back,
                "WidthScale": 0.0,
                "CustomTile": tile,
            }
        }

    def _token(self, lot: Lot, piece: Piece) -> dict[str, Any]:
        width, depth = _units(lot.stock)
        canvas = _flat(lot.stock, "png")._replace(cut=True)
        image = self._shown(self._picture(piece.front, canvas, ".png"))
        side = max(width, depth) / _TOKEN_SIDE
        token = {"Thickness": 0.1, "MergeDistancePixels": 15.0, "Stackable": False}
        made = _object("Custom_Token", *_named(piece), lot, (side, 1.0, side), piece.id)
        return made | {
            "CustomImage": {
                "ImageURL": image,
                "ImageSecondaryURL": "",
                "WidthScale": 0.0,
                "CustomToken": token,
            }
        }

    def _figurine(self, lot: Lot, piece: Piece) -> dict[str, Any]:
        whole = self._picture(piece.front, _flat(lot.stock, "png"), ".png")
        stem = f"pictures/{lot.kind.name}-{piece.id}"
        front, back = f"{stem}-side-1.png", f"{stem}-side-2.png"
        self._sides.append((whole, lot.stock, front, back))
        box = _sides(lot.stock)[0]
        scale = box.height / _FIGURE_HEIGHT
        made = _object("Figurine_Custom", *_named(piece), lot, (scale, scale, scale), piece.id)
        return made | {
            "CustomImage": {
                "ImageURL": self._shown(front),
                "ImageSecondaryURL": self._shown(back),
                "WidthScale": 0.0,
            }
        }

    def _lay_dice(self, lot: Lot) -> None:
        """A die for each six faces that come from one component, as often as they are wanted."""
        for _, of_one in groupby(lot.pieces, key=lambda piece: piece.component.origins[:1]):
            faces = list(of_one)
            for start in range(0, len(faces), 6):
                six = faces[start : start + 6]
                if len(six) < 6:
                    why = f"{len(faces)} faces are no number of dice of six"
                    hint = "six faces of one component make a die"
                    self.said.append(left_out(lot, "Tabletop Simulator", why, hint))
                    continue
                values = [
                    {"Value": _named(piece)[0], "Rotation": dict(zip("xyz", turned, strict=True))}
                    for piece, turned in zip(six, _ROTATIONS, strict=True)
                ]
                for copy in range(six[0].copies):
                    die = _object("Die_6_Rounded", lot.kind.title, "", lot, (1.0, 1.0, 1.0))
                    die |= {"GUID": _guid(lot, six[0].id, copy), "RotationValues": values}
                    self.table.put(die, 1.0, 1.0)

    # -- pictures that are put together ------------------------------------------------------------

    def finish(self) -> None:
        """Put sheets together from the pictures that were drawn; remove those that nobody shows."""
        folder = self._shipment.folder
        for path, cell, (columns, rows), cells in self._sheets:
            sheet = Image.new("RGB", (cell[0] * columns, cell[1] * rows), "white")
            last = columns * rows - 1
            for number, name in enumerate(cells):
                at = last if number == len(cells) - 1 else number
                if name:
                    with Image.open(folder / name) as picture:
                        sheet.paste(picture, (at % columns * cell[0], at // columns * cell[1]))
            (folder / path).parent.mkdir(exist_ok=True)
            sheet.save(folder / path, "JPEG", quality=90)
        for whole, stock, front, back in self._sides:
            with Image.open(folder / whole) as picture:
                for path, box, turned in zip(
                    (front, back), _sides(stock), (False, True), strict=True
                ):
                    scale = picture.width / stock.trim.width
                    edges = (box.x, box.y, box.right, box.bottom)
                    side = picture.crop(tuple(round(edge * scale) for edge in edges))  # type: ignore[arg-type]
                    (side.rotate(180) if turned else side).save(folder / path, "PNG")
        for drawing in self.drawings:
            if drawing.path not in self.kept:
                (folder / drawing.path).unlink()


def _sides(stock: Stock) -> tuple[Rect, ...]:
    """The two sides of a tent that stands: the lower one, which is upright on paper, then the upper
    one, which is not. Nothing for a stock that does not fold so."""
    across = [
        fold.start.y
        for fold in stock.folds
        if fold.start.y == fold.end.y and abs(fold.start.x - fold.end.x) >= stock.trim.width
    ]
    if len(across) != len(stock.folds) or len(across) not in (1, 3):
        return ()
    edges = sorted(across if len(across) == 3 else (0.0, across[0], stock.trim.height))
    upper, lower = edges[1] - edges[0], edges[2] - edges[1]
    width = stock.trim.width
    return Rect(0, edges[1], width, lower), Rect(0, edges[0], width, upper)


def _cell(stock: Stock, most_px: int) -> tuple[int, int]:
    """The pixels of a card on a sheet of at most so many a side, which holds two at least."""
    width, height = (
        max(1, round(side * DPI / MM_PER_INCH)) for side in (stock.trim.width, stock.trim.height)
    )
    shrunk = min(1.0, most_px / (2 * max(width, height)))
    return int(width * shrunk), int(height * shrunk)


def _flat(stock: Stock, format_: str) -> Canvas:
    """A picture of the trim alone, no larger than a table takes."""
    dpi = min(float(DPI), MOST_PX * MM_PER_INCH / max(stock.trim.width, stock.trim.height))
    width, height = (
        max(1, round(side * dpi / MM_PER_INCH)) for side in (stock.trim.width, stock.trim.height)
    )
    return Canvas(width, height, dpi, format=format_)


def _units(stock: Stock) -> tuple[float, float]:
    """Width and depth on the table."""
    return stock.trim.width / MM_PER_INCH, stock.trim.height / MM_PER_INCH


def _scale_of_card(stock: Stock) -> tuple[float, float, float]:
    scale = round(max(stock.trim.width, stock.trim.height) / _CARD_HEIGHT, 4)
    return scale, 1.0, scale


def _named(piece: Piece) -> tuple[str, str]:
    """What the table calls a piece, and all that can be read on it, so that search finds it."""
    name = piece.component.values.get("name")
    told = [face.words or "" for face in piece.faces.values()]
    words = "\n".join(line for text in told for line in text.splitlines())
    return (name if isinstance(name, str) else piece.id), words


def _object(
    name: str,
    nickname: str,
    description: str,
    lot: Lot,
    scale: tuple[float, float, float],
    id_: str = "",
) -> dict[str, Any]:
    return {
        "GUID": _guid(lot, id_, 0),
        "Name": name,
        "Transform": {
            "posX": 0.0,
            "posY": 1.5,
            "posZ": 0.0,
            "rotX": 0.0,
            "rotY": 180.0,
            "rotZ": 0.0,
            "scaleX": round(scale[0], 4),
            "scaleY": scale[1],
            "scaleZ": round(scale[2], 4),
        },
        "Nickname": str(nickname),
        "Description": description,
        "ColorDiffuse": {"r": 1.0, "g": 1.0, "b": 1.0},
        "Grid": True,
        "Locked": False,
        "Tags": [lot.kind.name],
    }


def _guid(lot: Lot, id_: str, copy: int) -> str:
    told = f"{lot.kind.name}/{lot.stock.name}/{id_}/{copy}"
    return hashlib.sha256(told.encode()).hexdigest()[:6]
