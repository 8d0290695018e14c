"""A saved object of Tabletop Simulator: all pieces of a pack, laid out on the table by kind; long,
since it is read back field by field as that program would, and the table drawn from it alone.

Fields are those of its knowledge base (docs/custom-content: save-file-format.md, custom-deck.md,
custom-tile.md, custom-model.md), a unit is an inch. How the program wraps a picture around its own
die is not told there, so dice are models made here, cubes whose sides show the places of a sheet,
with the faces where they are to be: opposite values add up to 7. The program's axes are left-handed
and those of a model are not, so a model's x points the other way there.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from math import cos, radians, sin, sqrt
from pathlib import Path
from typing import Any, Final, NamedTuple

from msgspec import field
from PIL import Image, ImageChops, ImageDraw

from generator.diagnostics import Diagnostic, GridpressError, Outcome, Span
from generator.export import Canvas
from generator.geometry import MM_PER_INCH
from generator.model.catalogue import Shape, Stock, TableObject
from generator.outlets.objects import (
    MOST_PX,
    Album,
    SheetGrid,
    TableRows,
    cell_of,
    dice_of,
    dice_wanted,
    edge_of_die,
    flat_of,
    made_of,
    name_and_words,
    tent_sides,
)
from generator.outlets.shipment import Lot, Outlet, Piece, Shipment, Shipped, wish_of

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
            (folder / _DICE).write_text(die_model(), encoding="ascii")
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
        return _object("CardCustom", *name_and_words(piece), lot, _scale_of_card(lot.stock)) | {
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
        made = _object("Custom_Tile", *name_and_words(piece), lot, (side, 1.0, side))
        return made | _image(image, back, {"CustomTile": tile})

    def _token(self, lot: Lot, piece: Piece) -> dict[str, Any]:
        canvas = flat_of(lot.stock, "png")._replace(cut=True)
        image = self._shown(self.album.picture(piece.front, canvas))
        side = max(_units(lot.stock)) / _TOKEN_SIDE
        token = {"Thickness": 0.1, "MergeDistancePixels": 15.0, "Stackable": False}
        made = _object("Custom_Token", *name_and_words(piece), lot, (side, 1.0, side))
        return made | _image(image, "", {"CustomToken": token})

    def _figurine(self, lot: Lot, piece: Piece) -> dict[str, Any]:
        front, back = self.album.sides(piece, lot.stock)
        scale = tent_sides(lot.stock)[0].height / _FIGURE_HEIGHT
        made = _object("Figurine_Custom", *name_and_words(piece), lot, (scale, scale, scale))
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
            words = "\n".join(name_and_words(piece)[1] for piece in six)
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
                    {
                        "Value": name_and_words(piece)[0],
                        "Rotation": dict(zip("xyz", turned, strict=True)),
                    }
                    for piece, (turned, *_) in zip(six, _SIDES, strict=True)
                ],
            }
            for _ in range(dice_wanted(six)):
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


_COLUMNS: Final = 3
_ROWS: Final = 2
_INSET: Final = 0.004
"""Of the sheet: as much of each edge of a place is not shown, lest its neighbour be."""

Axis = tuple[int, int, int]


class _DieSide(NamedTuple):
    """A side of a die: how it is turned when its value is up (degrees about x, y, z), where it
    points in the model, and what is right and up of its picture there."""

    turned: Axis
    out: Axis
    right: Axis
    up: Axis


_SIDES: Final = (
    _DieSide((-90, 0, 0), (0, 0, 1), (1, 0, 0), (0, 1, 0)),
    _DieSide((0, 0, 0), (0, 1, 0), (1, 0, 0), (0, 0, -1)),
    _DieSide((0, 0, -90), (1, 0, 0), (0, 0, -1), (0, 1, 0)),
    _DieSide((0, 0, 90), (-1, 0, 0), (0, 0, 1), (0, 1, 0)),
    _DieSide((0, 0, 180), (0, -1, 0), (1, 0, 0), (0, 0, 1)),
    _DieSide((90, 0, 0), (0, 0, -1), (-1, 0, 0), (0, 1, 0)),
)
"""Of the values 1 to 6."""


def die_model() -> str:
    """A cube with edges of 1 around the origin, as the text of an .obj file: the side of each value
    shows its place of a sheet of three columns and two rows, from left to right and down."""
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
            told = (f"{first + one}/{first + one}/{number + 1}" for one in triangle)
            faces.append("f " + " ".join(told))
    return "\n".join((*corners, *texture, *normals, *faces)) + "\n"


class SeenSide(NamedTuple):
    """A side of a model as it is on the table: where it points, in the axes of the table (y is up),
    and the part of the picture that it shows: left, top, right and bottom, 0 to 1."""

    out: Axis
    part: tuple[float, float, float, float]


def model_sides(text: str) -> Iterator[SeenSide]:
    """The sides of a model, from the text of its .obj file alone."""
    told = [line.split() for line in text.splitlines()]
    texture = [(float(x), float(y)) for kind, x, y in (t for t in told if t[0] == "vt")]
    normals = [
        (round(float(x)), round(float(y)), round(float(z)))
        for kind, x, y, z in (t for t in told if t[0] == "vn")
    ]
    parts: dict[Axis, set[tuple[float, float]]] = {}
    for corners in (line[1:] for line in told if line[0] == "f"):
        for corner in corners:
            _, at, normal = (int(number) - 1 for number in corner.split("/"))
            parts.setdefault(normals[normal], set()).add(texture[at])
    for (x, y, z), points in parts.items():
        across, along = zip(*points, strict=True)
        yield SeenSide((-x, y, z), (min(across), 1 - max(along), max(across), 1 - min(along)))


def up_of(turned: tuple[float, float, float]) -> Axis:
    """Which of its own axes points up on an object that is turned about z, then x, then y, as the
    program does it, by so many degrees about each."""
    about_x, _, about_z = (radians(angle) for angle in turned)
    up = (cos(about_x) * sin(about_z), cos(about_x) * cos(about_z), -sin(about_x))
    return (round(up[0]), round(up[1]), round(up[2]))


_PX: Final = 24
"""Of a unit of the table."""
_MARGIN: Final = 1.0
_TABLE: Final = "#2f4a3a"
_MOST_PX: Final = 4096
_NUMBERS: Final = ("posX", "posY", "posZ", "rotX", "rotY", "rotZ", "scaleX", "scaleY", "scaleZ")
_DECK: Final = {
    "FaceURL": str,
    "BackURL": str,
    "NumWidth": int,
    "NumHeight": int,
    "BackIsHidden": bool,
    "UniqueBack": bool,
    "Type": int,
}
_OF_IMAGE: Final[Mapping[str, Mapping[str, Mapping[str, type]]]] = {
    "Custom_Tile": {"CustomTile": {"Type": int, "Thickness": float, "Stackable": bool}},
    "Custom_Token": {"CustomToken": {"Thickness": float, "MergeDistancePixels": float}},
    "Figurine_Custom": {},
}
_OF_TILE: Final = ("", "hexagon", "circle", "rounded")
_OF_CARD: Final = ("rounded", "", "hexagon", "hexagon", "circle")
_OF_MESH: Final = {
    "MeshURL": str,
    "DiffuseURL": str,
    "NormalURL": str,
    "ColliderURL": str,
    "Convex": bool,
    "MaterialIndex": int,
    "TypeIndex": int,
    "CastShadows": bool,
}
_CARDS: Final = ("CardCustom", "Card")
_NAMES: Final = (*_OF_IMAGE, *_CARDS, "DeckCustom", "Bag", "Custom_Model")


def save_faults(saved: Any, root: str, folder: Path, span: Span) -> tuple[Diagnostic, ...]:
    """GP716 for all that the program would not take, or would take otherwise than meant. Pictures
    are at addresses that begin with `root`, and lie in the folder."""
    faults = []
    guids = set[str]()
    for path, one in _objects(saved):
        for wrong in _faults(one, root, folder, guids):
            hint = "this should not be: please tell us"
            faults.append(Diagnostic(span, "GP716", f"{path}: {wrong}", hint))
    return tuple(faults)


def _objects(saved: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    for number, one in enumerate(saved.get("ObjectStates", ())):
        yield f"ObjectStates[{number}]", one
        for inner, contained in enumerate(one.get("ContainedObjects", ())):
            yield f"ObjectStates[{number}].ContainedObjects[{inner}]", contained


def _faults(one: Mapping[str, Any], root: str, folder: Path, guids: set[str]) -> Iterator[str]:
    name, guid = one.get("Name"), one.get("GUID", "")
    if name not in _NAMES:
        yield f"there is no object {name!r}"
        return
    if len(guid) != 6 or guid in guids:
        yield f"GUID {guid!r} is not six digits of its own"
    guids.add(guid)
    yield from _common_faults(one)
    if name in (*_CARDS, "DeckCustom"):
        yield from _deck_faults(one, root, folder)
    if name in _OF_IMAGE:
        yield from _image_faults(one, _OF_IMAGE[name], root, folder)
    if name == "Bag" and not one.get("ContainedObjects"):
        yield "a bag with nothing in it"
    if name == "Custom_Model":
        yield from _model_faults(one, root, folder)


def _common_faults(one: Mapping[str, Any]) -> Iterator[str]:
    place = one.get("Transform", {})
    if set(place) != set(_NUMBERS) or not all(isinstance(v, float) for v in place.values()):
        yield "Transform is not nine numbers"
    elif min(place["scaleX"], place["scaleY"], place["scaleZ"]) <= 0:
        yield "a scale is 0"
    for text in ("Nickname", "Description"):
        if not isinstance(one.get(text), str):
            yield f"{text} is no text"


def _deck_faults(one: Mapping[str, Any], root: str, folder: Path) -> Iterator[str]:
    decks = one.get("CustomDeck", {})
    for number, deck in decks.items():
        for key, kind in _DECK.items():
            if not isinstance(deck.get(key), kind):
                yield f"CustomDeck.{number}.{key} is no {kind.__name__}"
                return
        columns, rows = deck["NumWidth"], deck["NumHeight"]
        if not (2 <= columns <= 10 and 2 <= rows <= 7):
            yield f"CustomDeck.{number}: a sheet of {columns} × {rows}"
        yield from _sheet_faults(deck["FaceURL"], columns, rows, root, folder)
        if deck["UniqueBack"]:
            yield from _sheet_faults(deck["BackURL"], columns, rows, root, folder)
        else:
            yield from _sheet_faults(deck["BackURL"], 1, 1, root, folder)
    cards = [one["CardID"]] if "CardID" in one else one.get("DeckIDs", ())
    for identity in cards:
        deck = decks.get(str(identity // 100))
        if deck is None or identity % 100 >= deck["NumWidth"] * deck["NumHeight"] - 1:
            yield f"there is no card {identity} on its sheets"
    if one["Name"] == "DeckCustom":
        contained = [card.get("CardID") for card in one.get("ContainedObjects", ())]
        if contained != list(cards) or len(contained) < 2:
            yield "its cards are not those of DeckIDs"


def _sheet_faults(url: str, columns: int, rows: int, root: str, folder: Path) -> Iterator[str]:
    size = _size(url, root, folder)
    if size is None:
        yield f"there is no picture {url}"
    elif max(size) > _MOST_PX:
        yield f"{url} is larger than {_MOST_PX} px"
    elif size[0] % columns or size[1] % rows:
        yield f"{url}: its places are not of one size"


def _image_faults(
    one: Mapping[str, Any], wanted: Mapping[str, Mapping[str, type]], root: str, folder: Path
) -> Iterator[str]:
    image = one.get("CustomImage", {})
    for key in ("ImageURL", "ImageSecondaryURL"):
        if image.get(key) or key == "ImageURL":
            yield from _sheet_faults(str(image.get(key)), 1, 1, root, folder)
    for key, fields in wanted.items():
        for inner, kind in fields.items():
            if not isinstance(image.get(key, {}).get(inner), kind):
                yield f"CustomImage.{key}.{inner} is no {kind.__name__}"


def _model_faults(one: Mapping[str, Any], root: str, folder: Path) -> Iterator[str]:
    """A model that is thrown: each of its values turns a side of its own up, that shows a part of
    the picture of its own."""
    mesh = one.get("CustomMesh", {})
    for key, kind in _OF_MESH.items():
        if not isinstance(mesh.get(key), kind):
            yield f"CustomMesh.{key} is no {kind.__name__}"
            return
    yield from _sheet_faults(mesh["DiffuseURL"], 1, 1, root, folder)
    model = _path(mesh["MeshURL"], root, folder)
    if model is None:
        yield f"there is no model {mesh['MeshURL']}"
        return
    sides = {side.out: side.part for side in model_sides(model.read_text("ascii"))}
    values = one.get("RotationValues", ())
    ups = [up_of(tuple(value["Rotation"][axis] for axis in "xyz")) for value in values]
    if len(ups) != 6 or set(ups) != set(sides) or len(set(sides.values())) != 6:
        yield "it has no value for each of its six sides"
    elif any(ups[n] != tuple(-one for one in ups[5 - n]) for n in range(3)):
        yield "opposite values do not add up to 7"
    if not all(isinstance(value["Value"], str | int) for value in values):
        yield "a value is no text"


@lru_cache(maxsize=1)  # the cards of a deck, one after the other, are on one sheet
def _opened(url: str, root: str, folder: Path) -> Image.Image | None:
    path = _path(url, root, folder)
    if path is None:
        return None
    with Image.open(path) as picture:
        picture.load()
        return picture.copy()


def _path(url: str, root: str, folder: Path) -> Path | None:
    path = folder / url.removeprefix(root)
    return path if url.startswith(root) and ".." not in url and path.is_file() else None


@lru_cache(maxsize=4096)
def _size(url: str, root: str, folder: Path) -> tuple[int, int] | None:
    picture = _opened(url, root, folder)
    return picture.size if picture else None


def table_of_save(saved: Mapping[str, Any], root: str, folder: Path) -> Image.Image:
    """The table as seen from above, drawn from the saved object and its pictures alone."""
    seen = [(one, _seen(one, root, folder)) for one in saved["ObjectStates"]]
    boxes = [(one, picture, *_box(one, picture)) for one, picture in seen]
    left = min(x - w / 2 for _, _, x, _, w, _ in boxes) - _MARGIN
    right = max(x + w / 2 for _, _, x, _, w, _ in boxes) + _MARGIN
    top = min(y - h / 2 for _, _, _, y, _, h in boxes) - _MARGIN
    bottom = max(y + h / 2 for _, _, _, y, _, h in boxes) + _MARGIN
    scale = min(_PX, _MOST_PX / max(right - left, bottom - top))
    table = Image.new("RGB", (round((right - left) * scale), round((bottom - top) * scale)), _TABLE)
    pen = ImageDraw.Draw(table)
    for one, picture, x, y, width, height in boxes:
        size = max(1, round(width * scale)), max(1, round(height * scale))
        corner = round((x - left) * scale - size[0] / 2), round((y - top) * scale - size[1] / 2)
        if picture is None:
            pen.rounded_rectangle(
                (*corner, corner[0] + size[0], corner[1] + size[1]), 6, "#8a7a5a", "#ffffff"
            )
            pen.text((corner[0] + 4, corner[1] + 4), one["Nickname"][:14], "#ffffff")
        else:
            small = picture.convert("RGBA").resize(size, Image.Resampling.LANCZOS)
            cut = ImageChops.multiply(small.getchannel("A"), _outline(one, size))
            table.paste(small, corner, cut)
    return table


def _outline(one: Mapping[str, Any], size: tuple[int, int]) -> Image.Image:
    """What is left of a picture of that size, seen from above, by the type of its tile or card."""
    tile = one.get("CustomImage", {}).get("CustomTile")
    cards = next(iter(one.get("CustomDeck", {}).values()), None)
    form = _OF_TILE[tile["Type"]] if tile else _OF_CARD[cards["Type"]] if cards else ""
    width, height = size[0] - 1, size[1] - 1
    mask = Image.new("L", size, 0 if form else 255)
    pen = ImageDraw.Draw(mask)
    if form == "circle":
        pen.ellipse((0, 0, width, height), 255)
    elif form == "rounded":
        pen.rounded_rectangle((0, 0, width, height), max(size) / 30, 255)
    elif form == "hexagon":
        corners = ((0, 0.5), (0.25, 0), (0.75, 0), (1, 0.5), (0.75, 1), (0.25, 1))
        turned = corners if width >= height else [(y, x) for x, y in corners]
        pen.polygon([(x * width, y * height) for x, y in turned], 255)
    return mask


def _seen(one: Mapping[str, Any], root: str, folder: Path) -> Image.Image | None:
    """What of an object is seen from above."""
    if one["Name"] in (*_CARDS, "DeckCustom"):
        deck = next(iter(one["CustomDeck"].values()))
        is_down = one["Transform"]["rotZ"] == 180.0
        sheet = _opened(deck["BackURL"] if is_down else deck["FaceURL"], root, folder)
        if sheet is None:
            return None
        if is_down and not deck["UniqueBack"]:
            return sheet
        width, height = sheet.width // deck["NumWidth"], sheet.height // deck["NumHeight"]
        index = (one["DeckIDs"][0] if is_down else one["CardID"]) % 100
        x, y = index % deck["NumWidth"] * width, index // deck["NumWidth"] * height
        return sheet.crop((x, y, x + width, y + height))
    if "CustomImage" in one:
        return _opened(one["CustomImage"]["ImageURL"], root, folder)
    if "CustomMesh" in one:
        return seen_side(one, root, folder)
    return None


def seen_side(one: Mapping[str, Any], root: str, folder: Path, value: int = 2) -> Image.Image:
    """What is up of a die when a value is, 1 to 6, by its model, its picture and its rotations; as
    it is laid down, 2 is."""
    mesh, told = one["CustomMesh"], one["RotationValues"][value - 1]["Rotation"]
    model, sheet = (_path(mesh[key], root, folder) for key in ("MeshURL", "DiffuseURL"))
    if model is None or sheet is None:
        raise FileNotFoundError(mesh["MeshURL"])
    up = up_of((told["x"], told["y"], told["z"]))
    left, top, right, bottom = next(
        side.part for side in model_sides(model.read_text("ascii")) if side.out == up
    )
    with Image.open(sheet) as picture:
        width, height = picture.size
        box = (left * width, top * height, right * width, bottom * height)
        return picture.crop((round(box[0]), round(box[1]), round(box[2]), round(box[3])))


def _box(one: Mapping[str, Any], picture: Image.Image | None) -> tuple[float, float, float, float]:
    """The middle of an object seen from above, and its size."""
    place = one["Transform"]
    unit = {"Custom_Tile": 2.0, "DeckCustom": 3.5, "CardCustom": 3.5}.get(one["Name"], 1.0)
    width = height = unit * place["scaleX"]
    if picture is not None:
        longer = max(picture.size)
        across, down = picture.width / longer, picture.height / longer
        if one["Name"] == "Custom_Tile":
            middle = (across * down) ** 0.5
            across, down = across / middle, down / middle
        width, height = width * across, height * down
    return place["posX"], -place["posZ"], width, height
