"""A package of Tabletop Playground: a template for each stack, figure and die of a pack, with the
pictures that they show.

Fields are those of the makers' schemas of object templates (plasticity-studios'
tabletop-playground-schemas) and their knowledge base on packages, cards, dice and scripts; a unit
is a centimetre. Where faces lie on the picture of the program's own die is told by packages that
use it.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from typing import Any, Final

from generator.diagnostics import Diagnostic, GridpressError, Outcome
from generator.export import Canvas
from generator.model.catalogue import Shape, TableObject
from generator.model.pack import Pack
from generator.outlets.objects import (
    MOST_PX,
    Album,
    SheetGrid,
    TableRows,
    cell_of,
    dice_of,
    flat_of,
    in_the_middle,
    made_of,
    named,
    script_of,
    times,
)
from generator.outlets.package import package_faults, table_of_package
from generator.outlets.shipment import Lot, Outlet, Piece, Shipment, Shipped, wish_of

_MM_PER_CM: Final = 10.0
_CARDBOARD: Final = 0.2
"""cm of a tile or a token."""
_CARD: Final = 0.05
_MODEL: Final = {Shape.ROUNDED: "Rounded", Shape.RECTANGLE: "Square", Shape.CIRCLE: "Round"}
_NONE: Final = -1
"""Of the back: the front once more; of what is hidden: a grey blur."""
_ONE_FOR_ALL: Final = -2
_LIKE_FRONT: Final = -3
"""Of the back: at the same place of a sheet of its own; of what is hidden: the back."""
_ROW: Final = 100.0
"""cm of a row of the table."""
_GAP: Final = 1.0
_FIGURE: Final = (4.0, 4.0)
"""cm of the table that a figure and a die are given."""
_THROWN: Final = (2.0, 2.0)
_BOARD: Final = 12.0
"""cm, as wide as the object is that lays the table; its files."""
_LAYER: Final = "table.json"
_SCRIPT: Final = "table.js"
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
"""Of the values 1 to 6 of that die: their places on a sheet of 3 × 3, and where they point."""


class TabletopPlayground(Outlet):
    """The outlet of that table."""

    name = "ttpg"
    title = "Tabletop Playground"

    def fill(self, shipment: Shipment) -> Outcome[tuple[Shipped, ...]]:
        """The folder of the package, `<pack>/`, and a picture of its table, drawn from that folder
        alone; the object that lays the table has it on it."""
        pack, folder = shipment.pack, shipment.folder
        work = _PackageWork(shipment)
        for lot in shipment.lots:
            work.make(lot)
        if not work.templates:
            return Outcome((), tuple(work.said))
        drawn = shipment.draw(list(work.album.drawings.values()))
        said = (*work.said, *drawn.diagnostics)
        if not drawn.ok:
            return Outcome((), said)
        work.album.finish(folder)
        package = folder / pack.name
        for part in ("Templates", "Scripts"):
            (package / part).mkdir(parents=True)
        manifest = {"Name": pack.title, "Version": pack.version, "GUID": _guid(pack.name)}
        texts = {"Manifest.json": _json(manifest)}
        texts |= {f"Templates/{name}.json": _json(told) for name, told in work.templates.items()}
        texts[f"Scripts/{_SCRIPT}"] = script_of(in_the_middle(work.placed))
        for path, text in texts.items():
            (package / path).write_text(text, encoding="utf-8")
        table = table_of_package(package)
        table.save(package / "Textures" / _PICTURE, "JPEG", quality=90)
        table.save(folder / f"{pack.name}.png", "PNG")
        layer = f"Templates/{_LAYER}"
        (package / layer).write_text(_json(_layer_of(pack, table.size)), encoding="utf-8")
        wrong = next(package_faults(package), "")
        if wrong:
            hint = "this should not be: please tell us"
            raise GridpressError(Diagnostic(pack.span, "GP716", wrong, hint))
        inside = (*texts, layer, f"Textures/{_PICTURE}")
        paths = (f"{pack.name}.png", *(f"{pack.name}/{path}" for path in inside))
        return Outcome(tuple(Shipped(path) for path in (*paths, *sorted(work.album.shown))), said)


class _PackageWork:
    """What comes of the lots of a shipment: templates by the names of their files, and pictures."""

    def __init__(self, shipment: Shipment) -> None:
        self._pack = shipment.pack
        self._wish = wish_of(shipment.pack, TabletopPlayground.name)
        self._sheet_px = self._wish.sheet_px or MOST_PX
        self.album = Album(f"{shipment.pack.name}/Textures/")
        self.templates: dict[str, dict[str, Any]] = {}
        self.placed: list[tuple[str, float, float]] = []
        self._rows = TableRows(_ROW, _GAP)
        self.said: list[Diagnostic] = []

    def make(self, lot: Lot) -> None:
        """Make the templates of a lot, and give their pieces places on the table."""
        self._rows.part()
        made = made_of(lot, self._wish)
        match made:
            case TableObject.DICE:
                self._make_dice(lot)
            case TableObject.FIGURINE:
                self._make_figures(lot)
            case _:
                self._make_stacks(lot, _CARD if made is TableObject.DECK else _CARDBOARD)

    def _template(
        self,
        lot: Lot,
        name: str,
        size: tuple[float, float],
        told: Mapping[str, Any],
        copies: int = 1,
    ) -> None:
        """An object of a size, cm, that lies on the table so many times."""
        path = f"{lot.kind.name}_{len(self.templates) + 1:03}"
        guid = _guid(f"{self._pack.name}/{path}")
        self.templates[path] = _object(guid, name) | {"Tags": [lot.kind.name], **told}
        self.placed += [(guid, *self._rows.place(*size)) for _ in range(copies)]

    def _texture(self, path: str) -> str:
        return self.album.show(path).removeprefix(self.album.folder)

    # -- cards, tiles and tokens: stacks, and what is cut by a shape of its own --------------------

    def _make_stacks(self, lot: Lot, thickness: float) -> None:
        """A stack for each sheet of a lot, with every copy in it."""
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
            name = f"{lot.kind.title}{part}" if len(some) > 1 else named(some[0])[0]
            size = lot.stock.trim.width / _MM_PER_CM, lot.stock.trim.height / _MM_PER_CM
            stack = self._pictures(lot, some, cell, grid) | {
                "Type": "Card",
                "NumHorizontal": grid.columns,
                "NumVertical": grid.rows,
                "Width": round(size[0], 4),
                "Height": round(size[1], 4),
                "Thickness": thickness,
                "Model": self._outline(lot),
                "CanStack": True,
                "HiddenInHand": True,
                "UsedWithCardHolders": thickness == _CARD,
                "Indices": [at for at, piece in enumerate(some) for _ in range(piece.copies)],
                "CardNames": {str(at): named(piece)[0] for at, piece in enumerate(some)},
                "CardMetadata": {str(at): named(piece)[1] for at, piece in enumerate(some)},
                "CardTags": {str(at): [lot.kind.name] for at in range(len(some))},
            }
            self._template(lot, name, size, stack)

    def _pictures(
        self, lot: Lot, some: Sequence[Piece], cell: Canvas, grid: SheetGrid
    ) -> dict[str, Any]:
        """What a stack says of its fronts, backs and what others see of a hidden card."""
        kind, number = lot.kind.name, len(self.templates) + 1
        fronts = dict(enumerate(piece.front for piece in some))
        told = {
            "FrontTexture": self._texture(
                self.album.sheet(f"{kind}_fronts_{number}", cell, grid, fronts)
            ),
            "BackTexture": "",
            "HiddenTexture": "",
            "BackIndex": _NONE,
            "HiddenIndex": _NONE,
        }
        if lot.shared_back:
            back = self._texture(self.album.picture(lot.shared_back, cell))
            return told | {
                "BackTexture": back,
                "BackIndex": _ONE_FOR_ALL,
                "HiddenIndex": _LIKE_FRONT,
            }
        if any(piece.back for piece in some):
            backs = dict(enumerate(piece.back or piece.front for piece in some))
            sheet = self.album.sheet(f"{kind}_backs_{number}", cell, grid, backs)
            return told | {"BackTexture": self._texture(sheet), "BackIndex": _LIKE_FRONT}
        if made_of(lot, self._wish) is not TableObject.DECK:
            return told
        blank = self.album.sheet(f"{kind}_blank_{number}", cell, SheetGrid(1, 1), {})
        return told | {
            "BackTexture": self._texture(blank),
            "BackIndex": _ONE_FOR_ALL,
            "HiddenIndex": _LIKE_FRONT,
        }

    def _outline(self, lot: Lot) -> str:
        """A shape of the program, or a picture that is transparent around the outline."""
        known = _MODEL.get(lot.stock.shape)
        if known is not None:
            return known
        cut = flat_of(lot.stock, "png", MOST_PX // 4)._replace(cut=True)
        return self._texture(self.album.picture(lot.pieces[0].front, cut))

    # -- figures and dice --------------------------------------------------------------------------

    def _make_figures(self, lot: Lot) -> None:
        for piece in lot.pieces:
            front, back = (self._texture(path) for path in self.album.sides(piece, lot.stock))
            figure = {"Type": "Cardboard Figure", "UseAlpha": False}
            figure |= {"FrontTexture": front, "BackTexture": back}
            self._template(lot, named(piece)[0], _FIGURE, figure, piece.copies)

    def _make_dice(self, lot: Lot) -> None:
        thrown, said = dice_of(lot, TabletopPlayground.title)
        self.said += said
        cell = cell_of(lot.stock, self._sheet_px)
        for number, six in enumerate(thrown, 1):
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
                {**_vector(*out), "Name": named(piece)[0]}
                for piece, (_, out) in zip(six, _SIDES, strict=True)
            ]
            die = {"Type": "Dice", "SurfaceType": "Plastic", "Models": [model], "Faces": faces}
            self._template(lot, lot.kind.title, _THROWN, die, times(six))


def _object(guid: str, name: str) -> dict[str, Any]:
    """What all templates say."""
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
    """The object that lays the table: a board with the picture of it, of so many pixels."""
    return _object(_guid(f"{pack.name}/table"), f"{pack.title}: the table") | {
        "Type": "Card",
        "ScriptName": _SCRIPT,
        "FrontTexture": _PICTURE,
        "BackTexture": "",
        "HiddenTexture": "",
        "BackIndex": _NONE,
        "HiddenIndex": _NONE,
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


def _json(told: Mapping[str, Any]) -> str:
    return json.dumps(told, ensure_ascii=False, indent=1) + "\n"


def _vector(x: int, y: int, z: int) -> dict[str, int]:
    return {"X": x, "Y": y, "Z": z}


def _guid(told: str) -> str:
    return hashlib.sha256(f"gridpress/{told}".encode()).hexdigest()[:32].upper()
