"""Tabletop Simulator: a saved object with all pieces of a pack, laid out by kind.

Fields are those of its knowledge base (save-file-format, custom-deck, custom-tile, custom-model);
a unit is an inch. The knowledge base does not say how a picture wraps around the program's own die,
so a die is a model of ours. The program's axes are left-handed and those of models are not, so the
x axis of a model points the other way on the table.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from math import sqrt
from typing import Any, Final, NamedTuple

from generator.diagnostics import Diagnostic, Outcome
from generator.export import Canvas
from generator.geometry import MM_PER_INCH
from generator.model.catalogue import Shape, Stock, TableObject
from generator.outlets.shipment import Lot, Outlet, Piece, Shipment, Shipped, wish_of
from generator.outlets.virtual_tables import (
    MOST_PX,
    Album,
    SeenObject,
    SheetGrid,
    TableRows,
    cell_of,
    dice_of,
    dice_wanted,
    edge_of_die,
    flat_of,
    made_of,
    name_and_words,
    table_picture,
    tent_sides,
)

_CARD_HEIGHT: Final = 88.9
"""mm of a card at scale 1."""
_TILE_SIDE: Final = 2.0
"""Units of a tile at scale 1."""
_FIGURE_HEIGHT: Final = 50.0
"""mm of a figurine at scale 1."""
_GAP: Final = 0.5
_ROW_WIDTH: Final = 40.0
_BAG: Final = 2.0
_DIE_MODEL: Final = "pictures/die.obj"
_PLASTIC: Final = 0
_DICE: Final = 2
"""Type of a model that is thrown."""
_CARD_TYPE: Final = {Shape.ROUNDED: 0, Shape.RECTANGLE: 1, Shape.HEXAGON: 3, Shape.CIRCLE: 4}
_TILE_TYPE: Final = {Shape.RECTANGLE: 0, Shape.HEXAGON: 1, Shape.CIRCLE: 2, Shape.ROUNDED: 3}

_Json = dict[str, Any]


class TabletopSimulator(Outlet):
    """The outlet for Tabletop Simulator."""

    name = "tts"
    title = "Tabletop Simulator"

    def fill(self, shipment: Shipment) -> Outcome[tuple[Shipped, ...]]:
        """Write `<pack>.json`, a picture of the table as `<pack>.png`, and `pictures/`."""
        pack, folder = shipment.pack, shipment.folder
        work = _SaveWork(shipment)
        for lot in shipment.lots:
            work.lay(lot)
        if not work.objects:
            return Outcome((), tuple(work.findings))
        drawn = shipment.draw(list(work.album.drawings.values()))
        findings = (*work.findings, *drawn.diagnostics)
        if not drawn.ok:
            return Outcome((), findings)
        work.album.compose(folder)
        table_picture(work.seen, folder).save(folder / f"{pack.name}.png", "PNG")
        work.album.tidy(folder)
        if _DIE_MODEL in work.album.shown:
            (folder / _DIE_MODEL).write_text(die_model(), encoding="ascii")
        _number(work.objects)
        saved = {"SaveName": pack.title, "ObjectStates": work.objects}
        text = json.dumps(saved, ensure_ascii=False, indent=1)
        (folder / f"{pack.name}.json").write_text(text + "\n", encoding="utf-8")
        paths = (f"{pack.name}.json", f"{pack.name}.png", *sorted(work.album.shown))
        return Outcome(tuple(map(Shipped, paths)), findings)


class _SaveWork:
    """Objects made from the lots of a shipment, and the pictures they show."""

    def __init__(self, shipment: Shipment) -> None:
        self._wish = wish_of(shipment.pack, TabletopSimulator.name)
        self._sheet_px = self._wish.sheet_px or MOST_PX
        url = shipment.asked.url or self._wish.url
        self._root = url.rstrip("/") + "/" if url else shipment.place.resolve().as_uri() + "/"
        self._rows = TableRows(_ROW_WIDTH, _GAP)
        self._decks = 0
        self.objects: list[_Json] = []
        self.seen: list[SeenObject] = []
        self.album = Album("pictures/")
        self.findings: list[Diagnostic] = []

    def lay(self, lot: Lot) -> None:
        """Make the objects of a lot and lay them on the table."""
        self._rows.part()
        match made_of(lot, self._wish):
            case TableObject.DECK:
                self._lay_deck(lot)
            case TableObject.DICE:
                self._lay_dice(lot)
            case TableObject.FIGURINE:
                self._lay_pieces(lot, self._figurine)
            case TableObject.TOKEN:
                self._lay_pieces(lot, self._token)
            case TableObject.TILE:
                self._lay_pieces(lot, self._tile)

    def _put(self, made: _Json, width: float, depth: float, seen: SeenObject) -> None:
        """Lay a copy of an object beside the one before it."""
        x, y = self._rows.place(width, depth)
        place = {"posX": round(x, 4), "posZ": round(-y, 4)}
        self.objects.append(made | {"Transform": made["Transform"] | place})
        self.seen.append(seen._replace(x=x, y=y))

    def _shown(self, path: str) -> str:
        """Return the address of a picture."""
        return self._root + self.album.show(path)

    # -- decks -------------------------------------------------------------------------------------

    def _lay_deck(self, lot: Lot) -> None:
        cell = cell_of(lot.stock, self._sheet_px)
        most = SheetGrid.most(cell, self._sheet_px)
        a_sheet = most.columns * most.rows - 1  # the last place is what is seen of a hidden card
        cards: list[tuple[int, _Json]] = []
        decks: _Json = {}
        backs: list[str] = []
        for start in range(0, len(lot.pieces), a_sheet):
            some = lot.pieces[start : start + a_sheet]
            grid = SheetGrid.holding(len(some) + 1, cell, self._sheet_px)
            self._decks += 1
            number = str(self._decks)
            decks[number], back = self._sheet(lot, some, cell, grid, number)
            backs.append(back)
            for index, piece in enumerate(some, self._decks * 100):
                card = self._card(lot, piece, index, {number: decks[number]})
                cards += [(index, card)] * piece.copies
        width, depth = _units(lot.stock)
        seen = SeenObject(0, 0, width, depth, shape=lot.stock.shape)
        if len(cards) == 1:
            front = self.album.picture(lot.pieces[0].front, cell)
            self._put(cards[0][1], width, depth, seen._replace(picture=front))
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
        self._put(whole, width, depth, seen._replace(picture=backs[0]))

    def _sheet(
        self, lot: Lot, some: Sequence[Piece], cell: Canvas, grid: SheetGrid, number: str
    ) -> tuple[_Json, str]:
        """Return the entry of a sheet in `CustomDeck`, and the picture of its first back."""
        shared = lot.shared_back
        unique = shared is None and any(piece.back for piece in some)
        fronts = dict(enumerate(piece.front for piece in some))
        hidden = {grid.columns * grid.rows - 1: shared} if shared else {}
        name = lot.kind.name
        if shared:
            back = first = self.album.picture(shared, cell)
        elif unique:
            backs = dict(enumerate(piece.back or piece.front for piece in some))
            back = self.album.sheet(f"{name}_backs_{number}", cell, grid, backs)
            first = self.album.picture(backs[0], cell)
        else:
            back = first = self.album.sheet(f"{name}_blank_{number}", cell, SheetGrid(1, 1), {})
        entry = {
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
        return entry, first

    def _card(self, lot: Lot, piece: Piece, identity: int, deck: Mapping[str, Any]) -> _Json:
        return _object("CardCustom", *name_and_words(piece), lot, _scale_of_card(lot.stock)) | {
            "CardID": identity,
            "SidewaysCard": _lies(lot.stock),
            "HideWhenFaceDown": True,
            "Hands": True,
            "CustomDeck": dict(deck),
        }

    # -- tiles, tokens, figurines, dice ------------------------------------------------------------

    def _lay_pieces(self, lot: Lot, make: Callable[[Lot, Piece], tuple[_Json, SeenObject]]) -> None:
        """Lay each piece by itself, or all of them in a bag if they need too much room."""
        width, depth = _units(lot.stock)
        made = [(piece.copies, *make(lot, piece)) for piece in lot.pieces]
        if sum(copies for copies, *_ in made) * width <= _ROW_WIDTH / 2:
            for copies, one, seen in made:
                for _ in range(copies):
                    self._put(one, width, depth, seen)
            return
        bag = _object("Bag", lot.kind.title, "", lot, (1.0, 1.0, 1.0))
        bag["ContainedObjects"] = [dict(one) for copies, one, _ in made for _ in range(copies)]
        self._put(bag, _BAG, _BAG, SeenObject(0, 0, _BAG, _BAG, label=str(lot.kind.title)))

    def _tile(self, lot: Lot, piece: Piece) -> tuple[_Json, SeenObject]:
        canvas = flat_of(lot.stock, "jpeg")
        width, depth = _units(lot.stock)
        front = self.album.picture(piece.front, canvas)
        image = self._shown(front)
        back = self._shown(self.album.picture(piece.back, canvas)) if piece.back else image
        kind = _TILE_TYPE.get(lot.stock.shape, 0)
        tile = {"Type": kind, "Thickness": 0.1, "Stackable": True, "Stretch": False}
        side = sqrt(width * depth) / _TILE_SIDE
        made = _object("Custom_Tile", *name_and_words(piece), lot, (side, 1.0, side))
        seen = SeenObject(0, 0, width, depth, front, lot.stock.shape)
        return made | _image(image, back, {"CustomTile": tile}), seen

    def _token(self, lot: Lot, piece: Piece) -> tuple[_Json, SeenObject]:
        canvas = flat_of(lot.stock, "png")._replace(cut=True)
        front = self.album.picture(piece.front, canvas)
        width, depth = _units(lot.stock)
        side = max(width, depth)
        token = {"Thickness": 0.1, "MergeDistancePixels": 15.0, "Stackable": False}
        made = _object("Custom_Token", *name_and_words(piece), lot, (side, 1.0, side))
        seen = SeenObject(0, 0, width, depth, front)
        return made | _image(self._shown(front), "", {"CustomToken": token}), seen

    def _figurine(self, lot: Lot, piece: Piece) -> tuple[_Json, SeenObject]:
        front, back = self.album.sides(piece, lot.stock)
        size = tent_sides(lot.stock)[0]
        scale = size.height / _FIGURE_HEIGHT
        made = _object("Figurine_Custom", *name_and_words(piece), lot, (scale, scale, scale))
        width, height = size.width / MM_PER_INCH, size.height / MM_PER_INCH
        made |= _image(self._shown(front), self._shown(back), {})
        return made, SeenObject(0, 0, width, height, front)

    def _lay_dice(self, lot: Lot) -> None:
        thrown, findings = dice_of(lot, TabletopSimulator.title)
        self.findings += findings
        edge = edge_of_die(lot.stock) / MM_PER_INCH
        cell = cell_of(lot.stock, self._sheet_px)
        for number, six in enumerate(thrown, 1):
            faces = dict(enumerate(piece.front for piece in six))
            sheet = self.album.sheet(f"{lot.kind.name}_die_{number}", cell, SheetGrid(3, 2), faces)
            words = "\n".join(name_and_words(piece)[1] for piece in six)
            die = _object("Custom_Model", lot.kind.title, words, lot, (edge, edge, edge))
            die |= {
                "CustomMesh": {
                    "MeshURL": self._shown(_DIE_MODEL),
                    "DiffuseURL": self._shown(sheet),
                    "NormalURL": "",
                    "ColliderURL": "",
                    "Convex": True,
                    "MaterialIndex": _PLASTIC,
                    "TypeIndex": _DICE,
                    "CastShadows": True,
                },
                "RotationValues": [
                    {
                        "Value": name_and_words(piece)[0],
                        "Rotation": dict(zip("xyz", turned, strict=True)),
                    }
                    for piece, (turned, *_) in zip(six, _SIDES, strict=True)
                ],
            }
            up = self.album.picture(six[_UP - 1].front, cell)
            for _ in range(dice_wanted(six)):
                self._put(die, edge, edge, SeenObject(0, 0, edge, edge, up))


def _image(front: str, back: str, of_kind: _Json) -> _Json:
    image = {"ImageURL": front, "ImageSecondaryURL": back, "WidthScale": 0.0}
    return {"CustomImage": {**image, **of_kind}}


def _units(stock: Stock) -> tuple[float, float]:
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
) -> _Json:
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


def _number(objects: Sequence[_Json]) -> None:
    """Give each object a GUID that stays the same when other objects change."""
    taken: set[str | None] = {None}
    copies = Counter[str]()
    for one in _all(objects):
        name = "/".join((*one["Tags"], one["Name"], one["Nickname"]))
        while one.get("GUID") in taken:
            copies[name] += 1
            one["GUID"] = hashlib.sha256(f"{name}/{copies[name]}".encode()).hexdigest()[:6]
        taken.add(one["GUID"])


def _all(objects: Sequence[_Json]) -> Iterator[_Json]:
    for one in objects:
        yield one
        yield from _all(one.get("ContainedObjects", ()))


_COLUMNS: Final = 3
_ROWS: Final = 2
_INSET: Final = 0.004
"""Part of the sheet hidden along each edge of a place, so that no neighbour shows."""

_Axis = tuple[int, int, int]


class _DieSide(NamedTuple):
    """A side of a die: the rotation that turns it up, in degrees about x, y and z; in the model,
    the direction it faces, and the directions to the right and top of its picture."""

    turned: _Axis
    out: _Axis
    right: _Axis
    up: _Axis


_SIDES: Final = (
    _DieSide((-90, 0, 0), (0, 0, 1), (1, 0, 0), (0, 1, 0)),
    _DieSide((0, 0, 0), (0, 1, 0), (1, 0, 0), (0, 0, -1)),
    _DieSide((0, 0, -90), (1, 0, 0), (0, 0, -1), (0, 1, 0)),
    _DieSide((0, 0, 90), (-1, 0, 0), (0, 0, 1), (0, 1, 0)),
    _DieSide((0, 0, 180), (0, -1, 0), (1, 0, 0), (0, 0, 1)),
    _DieSide((90, 0, 0), (0, 0, -1), (-1, 0, 0), (0, 1, 0)),
)
"""Sides with the values 1 to 6; opposite values add up to 7."""
_UP: Final = 2
"""Value that is up when a die has not been turned."""


def die_model() -> str:
    """Return a cube as an .obj file; its sides show the six places of a sheet of three columns."""
    corners, texture, normals, faces = [], [], [], []
    for number, (_, out, right, up) in enumerate(_SIDES):
        row, column = divmod(number, _COLUMNS)
        first = 4 * number + 1
        for across, along in ((-1, -1), (1, -1), (1, 1), (-1, 1)):
            point = [
                (o + across * r + along * u) / 2 for o, r, u in zip(out, right, up, strict=True)
            ]
            corners.append("v " + " ".join(f"{one:g}" for one in point))
            x = (column + (across + 1) / 2) / _COLUMNS - across * _INSET
            y = 1 - (row + (1 - along) / 2) / _ROWS - along * _INSET
            texture.append(f"vt {x:.6f} {y:.6f}")
        normals.append("vn " + " ".join(map(str, out)))
        for triangle in ((0, 1, 2), (0, 2, 3)):
            triangle_corners = (f"{first + one}/{first + one}/{number + 1}" for one in triangle)
            faces.append("f " + " ".join(triangle_corners))
    return "\n".join((*corners, *texture, *normals, *faces)) + "\n"
