"""Tabletop Playground: a package with a template for each stack, figure and die of a pack.

Fields are those of the makers' schemas of object templates (plasticity-studios'
tabletop-playground-schemas) and their knowledge base on packages, cards, dice and scripts; a unit
is a centimetre. The places of faces on the picture of the program's die follow existing packages.

Saved states are not documented, but scripts are (`@tabletop-playground/api`). So one more object,
with a picture of the table on it, has a script that lays out all others.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

from generator.diagnostics import Diagnostic, Outcome
from generator.export import Canvas
from generator.model.catalogue import Shape, TableObject
from generator.model.pack import Pack
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
    flat_of,
    made_of,
    name_and_words,
    table_picture,
    tent_sides,
)

_MM_PER_CM: Final = 10.0
_CARDBOARD: Final = 0.2
"""cm of a tile or a token."""
_CARD: Final = 0.05
_MODEL: Final = {Shape.ROUNDED: "Rounded", Shape.RECTANGLE: "Square", Shape.CIRCLE: "Round"}
_FRONT_AGAIN: Final = -1
"""As `BackIndex`: the front. As `HiddenIndex`: a grey blur."""
_ONE_FOR_ALL: Final = -2
_LIKE_FRONT: Final = -3
"""As `BackIndex`: the same place on a sheet of backs. As `HiddenIndex`: the back."""
_ROW: Final = 100.0
_GAP: Final = 1.0
_FIGURE: Final = (4.0, 4.0)
"""cm of the table for a figure."""
_FIGURE_WIDTH: Final = 3.0
_DIE_PLACE: Final = (2.0, 2.0)
_DIE_EDGE: Final = 1.6
_BOARD: Final = 12.0
"""cm of the object that lays out the table."""
_LAYER: Final = "table.json"
_SCRIPT_FILE: Final = "table.js"
_PICTURE: Final = "table.jpg"
_DIE: Final = "StaticMesh'/Game/Meshes/Dice/Dice_D6.Dice_D6'"
_SIDES: Final = (
    (1, (0, 0, 1)),
    (3, (-1, 0, 0)),
    (4, (0, 1, 0)),
    (7, (0, -1, 0)),
    (6, (1, 0, 0)),
    (5, (0, 0, -1)),
)
"""Values 1 to 6 of that die: the place on a sheet of 3 × 3, and the direction the side faces."""
_SCRIPT: Final = """\
// Lays all pieces on the table: choose "Lay out the game" in the menu of this object.
"use strict";
const {{ refObject, world }} = require("@tabletop-playground/api");

// template and place of each piece, in cm from the middle of the table
const PIECES = {pieces};

refObject.addCustomAction("Lay out the game", "Put all pieces on the table, kind by kind");
refObject.onCustomAction.add(() => {{
    for (const [template, x, y] of PIECES) {{
        const z = world.getTableHeight([x, y, 0]) + 3;
        const piece = world.createObjectFromTemplate(template, [x, y, z]);
        if (piece) piece.snapToGround();
    }}
}});
"""


class TabletopPlayground(Outlet):
    """The outlet for Tabletop Playground."""

    name = "ttpg"
    title = "Tabletop Playground"

    def fill(self, shipment: Shipment) -> Outcome[tuple[Shipped, ...]]:
        """Write the package as a folder `<pack>/`, and a picture of its table."""
        pack, folder = shipment.pack, shipment.folder
        work = _PackageWork(shipment)
        for lot in shipment.lots:
            work.make(lot)
        if not work.templates:
            return Outcome((), tuple(work.findings))
        drawn = shipment.draw(list(work.album.drawings.values()))
        findings = (*work.findings, *drawn.diagnostics)
        if not drawn.ok:
            return Outcome((), findings)
        work.album.compose(folder)
        table = table_picture([laid.seen for laid in work.laid], folder)
        work.album.tidy(folder)
        package = folder / pack.name
        for part in ("Templates", "Scripts"):
            (package / part).mkdir(parents=True)
        manifest = {"Name": pack.title, "Version": pack.version, "GUID": _guid(pack.name)}
        templates = work.templates | {_LAYER: _layer_of(pack, table.size)}
        texts = {"Manifest.json": _json(manifest)}
        texts |= {f"Templates/{name}": _json(template) for name, template in templates.items()}
        texts[f"Scripts/{_SCRIPT_FILE}"] = _script_of(work.laid)
        for path, text in texts.items():
            (package / path).write_text(text, encoding="utf-8")
        table.save(package / "Textures" / _PICTURE, "JPEG", quality=90)
        table.save(folder / f"{pack.name}.png", "PNG")
        inside = (*texts, f"Textures/{_PICTURE}")
        paths = (f"{pack.name}.png", *(f"{pack.name}/{path}" for path in inside))
        return Outcome(tuple(map(Shipped, (*paths, *sorted(work.album.shown)))), findings)


class _LaidPiece(NamedTuple):
    """A piece on the table, and the GUID of its template."""

    template: str
    seen: SeenObject


class _PackageWork:
    """Templates made from the lots of a shipment, by file name, and the pictures they show."""

    def __init__(self, shipment: Shipment) -> None:
        self._pack = shipment.pack
        self._wish = wish_of(shipment.pack, TabletopPlayground.name)
        self._sheet_px = self._wish.sheet_px or MOST_PX
        self.album = Album(f"{shipment.pack.name}/Textures/")
        self.templates: dict[str, dict[str, Any]] = {}
        self.laid: list[_LaidPiece] = []
        self._rows = TableRows(_ROW, _GAP)
        self.findings: list[Diagnostic] = []

    def make(self, lot: Lot) -> None:
        """Make the templates of a lot and lay its pieces on the table."""
        self._rows.part()
        made = made_of(lot, self._wish)
        match made:
            case TableObject.DICE:
                self._make_dice(lot)
            case TableObject.FIGURINE:
                self._make_figures(lot)
            case _:
                self._make_stacks(lot, _CARD if made is TableObject.DECK else _CARDBOARD)

    def _add(
        self,
        lot: Lot,
        name: str,
        fields: Mapping[str, Any],
        place: tuple[float, float],
        seen: SeenObject,
        copies: int = 1,
    ) -> None:
        """Add a template, and its copies on the table. Each takes a place of this size."""
        stem = f"{lot.kind.name}_{len(self.templates) + 1:03}"
        guid = _guid(f"{self._pack.name}/{stem}")
        self.templates[f"{stem}.json"] = _object(guid, name) | {"Tags": [lot.kind.name], **fields}
        for _ in range(copies):
            x, y = self._rows.place(*place)
            self.laid.append(_LaidPiece(guid, seen._replace(x=x, y=y)))

    def _texture(self, path: str) -> str:
        return self.album.show(path).removeprefix(self.album.folder)

    # -- stacks of cards, tiles and tokens ---------------------------------------------------------

    def _make_stacks(self, lot: Lot, thickness: float) -> None:
        """Make a stack for each sheet of a lot, with all copies in it."""
        cell = cell_of(lot.stock, self._sheet_px)
        most = SheetGrid.most(cell, self._sheet_px)
        a_sheet = most.columns * most.rows
        sheets = range(0, len(lot.pieces), a_sheet)
        for start in sheets:
            some = lot.pieces[start : start + a_sheet]
            grid = SheetGrid.holding(len(some), cell, self._sheet_px)
            if len(lot.pieces) == 1:
                cell, grid = flat_of(lot.stock, "jpeg", self._sheet_px), SheetGrid(1, 1)
            part = f" {start // a_sheet + 1} / {len(sheets)}" if len(sheets) > 1 else ""
            name = f"{lot.kind.title}{part}" if len(some) > 1 else name_and_words(some[0])[0]
            size = lot.stock.trim.width / _MM_PER_CM, lot.stock.trim.height / _MM_PER_CM
            model = _MODEL.get(lot.stock.shape) or self._texture(self._cut_out(lot))
            stack = self._pictures(lot, some, cell, grid) | {
                "Type": "Card",
                "NumHorizontal": grid.columns,
                "NumVertical": grid.rows,
                "Width": round(size[0], 4),
                "Height": round(size[1], 4),
                "Thickness": thickness,
                "Model": model,
                "CanStack": True,
                "HiddenInHand": True,
                "UsedWithCardHolders": thickness == _CARD,
                "Indices": [at for at, piece in enumerate(some) for _ in range(piece.copies)],
                "CardNames": {str(at): name_and_words(piece)[0] for at, piece in enumerate(some)},
                "CardMetadata": {
                    str(at): name_and_words(piece)[1] for at, piece in enumerate(some)
                },
                "CardTags": {str(at): [lot.kind.name] for at in range(len(some))},
            }
            is_known = lot.stock.shape in _MODEL
            front = self.album.picture(some[0].front, cell) if is_known else self._cut_out(lot)
            self._add(lot, name, stack, size, SeenObject(0, 0, *size, front, lot.stock.shape))

    def _pictures(
        self, lot: Lot, some: Sequence[Piece], cell: Canvas, grid: SheetGrid
    ) -> dict[str, Any]:
        """Return the fields for fronts, backs and hidden cards of a stack."""
        kind, number = lot.kind.name, len(self.templates) + 1
        fronts = dict(enumerate(piece.front for piece in some))
        fields = {
            "FrontTexture": self._texture(
                self.album.sheet(f"{kind}_fronts_{number}", cell, grid, fronts)
            ),
            "BackTexture": "",
            "HiddenTexture": "",
            "BackIndex": _FRONT_AGAIN,
            "HiddenIndex": _FRONT_AGAIN,
        }
        if lot.shared_back:
            back = self._texture(self.album.picture(lot.shared_back, cell))
            return fields | {
                "BackTexture": back,
                "BackIndex": _ONE_FOR_ALL,
                "HiddenIndex": _LIKE_FRONT,
            }
        if any(piece.back for piece in some):
            backs = dict(enumerate(piece.back or piece.front for piece in some))
            sheet = self.album.sheet(f"{kind}_backs_{number}", cell, grid, backs)
            return fields | {"BackTexture": self._texture(sheet), "BackIndex": _LIKE_FRONT}
        if made_of(lot, self._wish) is not TableObject.DECK:
            return fields
        blank = self.album.sheet(f"{kind}_blank_{number}", cell, SheetGrid(1, 1), {})
        return fields | {
            "BackTexture": self._texture(blank),
            "BackIndex": _ONE_FOR_ALL,
            "HiddenIndex": _LIKE_FRONT,
        }

    def _cut_out(self, lot: Lot) -> str:
        """Order a picture that is transparent around the outline of a piece."""
        canvas = flat_of(lot.stock, "png", MOST_PX // 4)._replace(cut=True)
        return self.album.picture(lot.pieces[0].front, canvas)

    # -- figures and dice --------------------------------------------------------------------------

    def _make_figures(self, lot: Lot) -> None:
        for piece in lot.pieces:
            front, back = self.album.sides(piece, lot.stock)
            figure = {"Type": "Cardboard Figure", "UseAlpha": False}
            figure |= {"FrontTexture": self._texture(front), "BackTexture": self._texture(back)}
            side = tent_sides(lot.stock)[0]
            height = _FIGURE_WIDTH * side.height / side.width
            seen = SeenObject(0, 0, _FIGURE_WIDTH, height, front)
            self._add(lot, name_and_words(piece)[0], figure, _FIGURE, seen, piece.copies)

    def _make_dice(self, lot: Lot) -> None:
        dice, findings = dice_of(lot, TabletopPlayground.title)
        self.findings += findings
        cell = cell_of(lot.stock, self._sheet_px)
        for number, six in enumerate(dice, 1):
            places = {at: piece.front for piece, (at, _) in zip(six, _SIDES, strict=True)}
            sheet = self.album.sheet(f"{lot.kind.name}_die_{number}", cell, SheetGrid(3, 3), places)
            model = {
                "Model": _DIE,
                "Offset": _vector(0, 0, 0),
                "Rotation": _vector(0, 0, 0),
                "Scale": _vector(1, 1, 1),
                "Texture": self._texture(sheet),
                "UseOverrides": True,
                "Roughness": 1,
            }
            faces = [
                {**_vector(*out), "Name": name_and_words(piece)[0]}
                for piece, (_, out) in zip(six, _SIDES, strict=True)
            ]
            die = {"Type": "Dice", "SurfaceType": "Plastic", "Models": [model], "Faces": faces}
            up = self.album.picture(six[0].front, cell)
            seen = SeenObject(0, 0, _DIE_EDGE, _DIE_EDGE, up)
            self._add(lot, lot.kind.title, die, _DIE_PLACE, seen, dice_wanted(six))


def _object(guid: str, name: str) -> dict[str, Any]:
    """Return the fields of every template."""
    return {
        "GUID": guid,
        "Name": name,
        "Metadata": "",
        "CollisionType": "Regular",
        "SurfaceType": "Cardboard",
        "Models": [],
        "Tags": [],
    }


def _layer_of(pack: Pack, picture: tuple[int, int]) -> dict[str, Any]:
    """Return the object that lays out the table: a board with a picture of this size, px."""
    return _object(_guid(f"{pack.name}/table"), f"{pack.title}: the table") | {
        "Type": "Card",
        "ScriptName": _SCRIPT_FILE,
        "FrontTexture": _PICTURE,
        "BackTexture": "",
        "HiddenTexture": "",
        "BackIndex": _FRONT_AGAIN,
        "HiddenIndex": _FRONT_AGAIN,
        "NumHorizontal": 1,
        "NumVertical": 1,
        "Width": _BOARD,
        "Height": round(_BOARD * picture[1] / picture[0], 4),
        "Thickness": _CARDBOARD,
        "Model": "Rounded",
        "CanStack": False,
        "HiddenInHand": False,
        "UsedWithCardHolders": False,
        "Indices": [0],
        "CardNames": {"0": f"{pack.title}: the table"},
        "CardMetadata": {"0": ""},
        "CardTags": {"0": []},
    }


def _script_of(laid: Sequence[_LaidPiece]) -> str:
    """Return the script that lays out the pieces around the middle of the table.

    The program's x axis points away from the player, its y axis to the right.
    """
    xs, ys = [one.seen.x for one in laid], [one.seen.y for one in laid]
    across, down = (min(xs) + max(xs)) / 2, (min(ys) + max(ys)) / 2
    pieces = (
        json.dumps([guid, round(down - seen.y, 2), round(seen.x - across, 2)])
        for guid, seen in laid
    )
    return _SCRIPT.format(pieces="[\n    " + ",\n    ".join(pieces) + ",\n]")


def _json(fields: Mapping[str, Any]) -> str:
    return json.dumps(fields, ensure_ascii=False, indent=1) + "\n"


def _vector(x: int, y: int, z: int) -> dict[str, int]:
    return {"X": x, "Y": y, "Z": z}


def _guid(name: str) -> str:
    return hashlib.sha256(f"gridpress/{name}".encode()).hexdigest()[:32].upper()
