"""A saved object of Tabletop Simulator: all pieces of a pack, laid out on the table by kind.

Fields are those of its knowledge base (docs/custom-content: save-file-format.md, custom-deck.md,
custom-tile.md, custom-model.md), a unit is an inch. How the program wraps a picture around its own
die is not told there, so dice are models made here, with the faces where they are to be.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from math import sqrt
from typing import Any, Final

from msgspec import field

from generator.diagnostics import Diagnostic, GridpressError, Outcome
from generator.export import Canvas
from generator.geometry import MM_PER_INCH
from generator.model.catalogue import Shape, Stock, TableObject
from generator.outlets import table
from generator.outlets.objects import (
    MOST_PX,
    Album,
    SheetGrid,
    TableRows,
    cell_of,
    dice_of,
    edge_of_die,
    flat_of,
    made_of,
    named,
    tent_sides,
    times,
)
from generator.outlets.shipment import Lot, Outlet, Piece, Shipment, Shipped, wish_of
from generator.outlets.table import save_faults, table_of_save

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
_DICE: Final = "pictures/die.obj"
_PLASTIC: Final = 0
_OF_DICE: Final = 2
"""The type of a model that is thrown."""
_CARD_TYPE: Final = {Shape.ROUNDED: 0, Shape.RECTANGLE: 1, Shape.HEXAGON: 3, Shape.CIRCLE: 4}
_TILE_TYPE: Final = {Shape.RECTANGLE: 0, Shape.HEXAGON: 1, Shape.CIRCLE: 2, Shape.ROUNDED: 3}


class _LaidTable(TableRows):
    """Objects laid down kind by kind."""

    wide: float = _ROW_WIDTH
    gap: float = _GAP
    objects: list[dict[str, Any]] = field(default_factory=list)

    def put(self, made: dict[str, Any], width: float, depth: float) -> None:
        """Lay an object of a size, in units, beside the one before it."""
        x, y = self.place(width, depth)
        made["Transform"] |= {"posX": round(x, 4), "posZ": round(-y, 4)}
        self.objects.append(made)


class TabletopSimulator(Outlet):
    """The outlet of that table."""

    name = "tts"
    title = "Tabletop Simulator"

    def fill(self, shipment: Shipment) -> Outcome[tuple[Shipped, ...]]:
        """`<pack>.json` to be put among the saved objects, its picture, and the pictures that it
        shows, in `pictures/`."""
        pack, folder = shipment.pack, shipment.folder
        work = _SaveWork(shipment)
        for lot in shipment.lots:
            work.lay(lot)
        if not work.table.objects:
            return Outcome((), tuple(work.said))
        drawn = shipment.draw(list(work.album.drawings.values()))
        said = (*work.said, *drawn.diagnostics)
        if not drawn.ok:
            return Outcome((), said)
        work.album.finish(folder)
        if _DICE in work.album.shown:
            (folder / _DICE).write_text(table.model(), encoding="ascii")
        _number(work.table.objects)
        saved = {"SaveName": pack.title, "ObjectStates": work.table.objects}
        text = json.dumps(saved, ensure_ascii=False, indent=1)
        name = f"{pack.name}.json"
        (folder / name).write_text(text + "\n", encoding="utf-8")
        wrong = save_faults(json.loads(text), work.root, folder, pack.span)
        if wrong:
            raise GridpressError(*wrong)
        table_of_save(saved, work.root, folder).save(folder / f"{pack.name}.png", "PNG")
        files = [Shipped(name), Shipped(f"{pack.name}.png")]
        return Outcome((*files, *(Shipped(path) for path in sorted(work.album.shown))), said)


class _SaveWork:
    """What comes of the lots of a shipment: objects, and the pictures that they show."""

    def __init__(self, shipment: Shipment) -> None:
        self._wish = wish_of(shipment.pack, TabletopSimulator.name)
        self._sheet_px = self._wish.sheet_px or MOST_PX
        url = shipment.asked.url or self._wish.url
        self.root = url.rstrip("/") + "/" if url else shipment.place.resolve().as_uri() + "/"
        self.table = _LaidTable()
        self.album = Album("pictures/")
        self.said: list[Diagnostic] = []
        self._decks = 0

    def lay(self, lot: Lot) -> None:
        """Make the objects of a lot and lay them on the table."""
        self.table.part()
        match made_of(lot, self._wish):
            case TableObject.DECK:
                self._lay_deck(lot)
            case TableObject.DICE:
                self._lay_dice(lot)
            case TableObject.FIGURINE:
                self._lay_in_bags(lot, self._figurine)
            case TableObject.TOKEN:
                self._lay_in_bags(lot, self._token)
            case TableObject.TILE:
                self._lay_in_bags(lot, self._tile)

    def _shown(self, path: str) -> str:
        return self.root + self.album.show(path)

    # -- decks -------------------------------------------------------------------------------------

    def _lay_deck(self, lot: Lot) -> None:
        cell = cell_of(lot.stock, self._sheet_px)
        most = SheetGrid.most(cell, self._sheet_px)
        a_sheet = most.columns * most.rows - 1  # the last place is what is seen of a hidden card
        cards: list[tuple[int, dict[str, Any]]] = []
        decks: dict[str, Any] = {}
        for start in range(0, len(lot.pieces), a_sheet):
            some = lot.pieces[start : start + a_sheet]
            grid = SheetGrid.holding(len(some) + 1, cell, self._sheet_px)
            self._decks += 1
            number = str(self._decks)
            decks[number] = self._sheet(lot, some, cell, grid, number)
            for index, piece in enumerate(some, self._decks * 100):
                card = self._card(lot, piece, index, {number: decks[number]})
                cards += [(index, card)] * piece.copies
        width, depth = _units(lot.stock)
        if len(cards) == 1:
            self.table.put(cards[0][1], width, depth)
            return
        whole = _object("DeckCustom", lot.kind.title, "", lot, _scale_of_card(lot.stock))
        whole["Transform"]["rotZ"] = 180.0  # face down
        whole |= {
            "HideWhenFaceDown": True,
            "SidewaysCard": _lies(lot.stock),
            "DeckIDs": [identity for identity, _ in cards],
            "CustomDeck": decks,
            "ContainedObjects": [dict(card) for _, card in cards],
        }
        self.table.put(whole, width, depth)

    def _sheet(
        self, lot: Lot, some: Sequence[Piece], cell: Canvas, grid: SheetGrid, number: str
    ) -> dict[str, Any]:
        """What a deck says of a sheet of its cards."""
        shared = lot.shared_back
        unique = shared is None and any(piece.back for piece in some)
        fronts = dict(enumerate(piece.front for piece in some))
        hidden = {grid.columns * grid.rows - 1: shared} if shared else {}
        name = lot.kind.name
        if shared:
            back = self.album.picture(shared, cell)
        elif unique:
            backs = dict(enumerate(piece.back or piece.front for piece in some))
            back = self.album.sheet(f"{name}_backs_{number}", cell, grid, backs)
        else:
            back = self.album.sheet(f"{name}_blank_{number}", cell, SheetGrid(1, 1), {})
        return {
            "FaceURL": self._shown(
                self.album.sheet(f"{name}_fronts_{number}", cell, grid, fronts | hidden)
            ),
            "BackURL": self._shown(back),
            "NumWidth": grid.columns,
            "NumHeight": grid.rows,
            "BackIsHidden": not unique,
            "UniqueBack": unique,
            "Type": _CARD_TYPE.get(lot.stock.shape, 1),
        }

    def _card(
        self, lot: Lot, piece: Piece, identity: int, deck: Mapping[str, Any]
    ) -> dict[str, Any]:
        return _object("CardCustom", *named(piece), lot, _scale_of_card(lot.stock)) | {
            "CardID": identity,
            "SidewaysCard": _lies(lot.stock),
            "HideWhenFaceDown": True,
            "Hands": True,
            "CustomDeck": dict(deck),
        }

    # -- tiles, tokens, figurines, dice ------------------------------------------------------------

    def _lay_in_bags(self, lot: Lot, make: Callable[[Lot, Piece], dict[str, Any]]) -> None:
        """Each piece by itself; many of them in a bag."""
        width, depth = _units(lot.stock)
        pieces = [
            one | {"Transform": dict(one["Transform"])}
            for piece in lot.pieces
            for one in [make(lot, piece)] * piece.copies
        ]
        if len(pieces) * width <= _ROW_WIDTH / 2:
            for piece in pieces:
                self.table.put(piece, width, depth)
            return
        bag = _object("Bag", lot.kind.title, "", lot, (1.0, 1.0, 1.0))
        self.table.put(bag | {"ContainedObjects": pieces}, 2.0, 2.0)

    def _tile(self, lot: Lot, piece: Piece) -> dict[str, Any]:
        canvas = flat_of(lot.stock, "jpeg")
        width, depth = _units(lot.stock)
        image = self._shown(self.album.picture(piece.front, canvas))
        back = self._shown(self.album.picture(piece.back, canvas)) if piece.back else image
        kind = _TILE_TYPE.get(lot.stock.shape, 0)
        tile = {"Type": kind, "Thickness": 0.1, "Stackable": True, "Stretch": False}
        side = sqrt(width * depth) / _TILE_SIDE
        made = _object("Custom_Tile", *named(piece), lot, (side, 1.0, side))
        return made | _image(image, back, {"CustomTile": tile})

    def _token(self, lot: Lot, piece: Piece) -> dict[str, Any]:
        canvas = flat_of(lot.stock, "png")._replace(cut=True)
        image = self._shown(self.album.picture(piece.front, canvas))
        side = max(_units(lot.stock)) / _TOKEN_SIDE
        token = {"Thickness": 0.1, "MergeDistancePixels": 15.0, "Stackable": False}
        made = _object("Custom_Token", *named(piece), lot, (side, 1.0, side))
        return made | _image(image, "", {"CustomToken": token})

    def _figurine(self, lot: Lot, piece: Piece) -> dict[str, Any]:
        front, back = self.album.sides(piece, lot.stock)
        scale = tent_sides(lot.stock)[0].height / _FIGURE_HEIGHT
        made = _object("Figurine_Custom", *named(piece), lot, (scale, scale, scale))
        return made | _image(self._shown(front), self._shown(back), {})

    def _lay_dice(self, lot: Lot) -> None:
        """As often as its faces are wanted, each die."""
        thrown, said = dice_of(lot, TabletopSimulator.title)
        self.said += said
        edge = edge_of_die(lot.stock) / MM_PER_INCH
        cell = cell_of(lot.stock, self._sheet_px)
        for number, six in enumerate(thrown, 1):
            faces = dict(enumerate(piece.front for piece in six))
            sheet = self.album.sheet(f"{lot.kind.name}_die_{number}", cell, SheetGrid(3, 2), faces)
            words = "\n".join(named(piece)[1] for piece in six)
            die = _object("Custom_Model", lot.kind.title, words, lot, (edge, edge, edge))
            die |= {
                "CustomMesh": {
                    "MeshURL": self._shown(_DICE),
                    "DiffuseURL": self._shown(sheet),
                    "NormalURL": "",
                    "ColliderURL": "",
                    "Convex": True,
                    "MaterialIndex": _PLASTIC,
                    "TypeIndex": _OF_DICE,
                    "CastShadows": True,
                },
                "RotationValues": [
                    {"Value": named(piece)[0], "Rotation": dict(zip("xyz", turned, strict=True))}
                    for piece, (turned, *_) in zip(six, table.SIDES, strict=True)
                ],
            }
            for _ in range(times(six)):
                self.table.put(die | {"Transform": dict(die["Transform"])}, edge, edge)


def _image(front: str, back: str, of_kind: dict[str, Any]) -> dict[str, Any]:
    image = {"ImageURL": front, "ImageSecondaryURL": back, "WidthScale": 0.0}
    return {"CustomImage": {**image, **of_kind}}


def _units(stock: Stock) -> tuple[float, float]:
    """Width and depth on the table."""
    return stock.trim.width / MM_PER_INCH, stock.trim.height / MM_PER_INCH


def _scale_of_card(stock: Stock) -> tuple[float, float, float]:
    scale = round(max(stock.trim.width, stock.trim.height) / _CARD_HEIGHT, 4)
    return scale, 1.0, scale


def _lies(stock: Stock) -> bool:
    return stock.trim.width > stock.trim.height


def _object(
    name: str,
    nickname: str,
    description: str,
    lot: Lot,
    scale: tuple[float, float, float],
) -> dict[str, Any]:
    return {
        "Name": name,
        "Transform": {
            "posX": 0.0,
            "posY": 1.5,
            "posZ": 0.0,
            "rotX": 0.0,
            "rotY": 180.0,
            "rotZ": 0.0,
            "scaleX": round(scale[0], 4),
            "scaleY": round(scale[1], 4),
            "scaleZ": round(scale[2], 4),
        },
        "Nickname": str(nickname),
        "Description": description,
        "ColorDiffuse": {"r": 1.0, "g": 1.0, "b": 1.0},
        "Grid": True,
        "Locked": False,
        "Tags": [lot.kind.name],
    }


def _number(objects: Sequence[dict[str, Any]]) -> None:
    """Give each object a GUID of its own, by what it is, so that it keeps it when others change."""
    taken: set[str | None] = {None}
    copies = Counter[str]()
    for one in _all(objects):
        told = "/".join((*one["Tags"], one["Name"], one["Nickname"]))
        while one.get("GUID") in taken:
            copies[told] += 1
            one["GUID"] = hashlib.sha256(f"{told}/{copies[told]}".encode()).hexdigest()[:6]
        taken.add(one["GUID"])


def _all(objects: Sequence[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    for one in objects:
        yield one
        yield from _all(one.get("ContainedObjects", ()))
