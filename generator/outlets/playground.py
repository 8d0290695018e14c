"""A package of Tabletop Playground: a template for each stack, figure and die of a pack, with the
pictures that they show; long, since it is read back field by field as that program would.

Fields are those of the makers' schemas of object templates (plasticity-studios'
tabletop-playground-schemas) and their knowledge base on packages, cards, dice and scripts; a unit
is a centimetre. Where faces lie on the picture of the program's own die is told by packages that
use it.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from PIL import Image, ImageDraw

from generator.diagnostics import Diagnostic, GridpressError, Outcome
from generator.export import Canvas
from generator.model.catalogue import Shape, TableObject
from generator.model.pack import Pack
from generator.outlets.objects import (
    MOST_PX,
    Album,
    Laid,
    SheetGrid,
    TableRows,
    cell_of,
    dice_of,
    dice_wanted,
    flat_of,
    in_the_middle,
    made_of,
    name_and_words,
    pieces_of,
    script_of,
)
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
            name = f"{lot.kind.title}{part}" if len(some) > 1 else name_and_words(some[0])[0]
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
                "CardNames": {str(at): name_and_words(piece)[0] for at, piece in enumerate(some)},
                "CardMetadata": {
                    str(at): name_and_words(piece)[1] for at, piece in enumerate(some)
                },
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
            self._template(lot, name_and_words(piece)[0], _FIGURE, figure, piece.copies)

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
                {**_vector(*out), "Name": name_and_words(piece)[0]}
                for piece, (_, out) in zip(six, _SIDES, strict=True)
            ]
            die = {"Type": "Dice", "SurfaceType": "Plastic", "Models": [model], "Faces": faces}
            self._template(lot, lot.kind.title, _THROWN, die, dice_wanted(six))


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


_MOST_PX: Final = 4096
_PX: Final = 24
"""Of a centimetre, in the drawing, unless it would be too large."""
_MARGIN: Final = 1.0
_TABLE: Final = "#2f4a3a"
_DRAWN_FIGURE: Final = 3.0
_DRAWN_DIE: Final = 1.6
_THIN: Final = 0.1
"""cm: the least of a card's sides; a tenth of it is the least of its thickness."""
_GUID: Final = re.compile("[0-9A-F]{32}")
_MESH: Final = re.compile(r"StaticMesh'/Game/[\w/]+\.\w+'")
_NUMBER: Final = (int, float)
_FieldTypes = Mapping[str, type | tuple[type, ...]]
_MANIFEST: Final[_FieldTypes] = {"Name": str, "Version": str, "GUID": str}
_COMMON: Final[_FieldTypes] = {
    "Type": str, "GUID": str, "Name": str, "Metadata": str, "CollisionType": str,
    "SurfaceType": str, "Models": list, "Tags": list,
}  # fmt: skip
_OF_TYPE: Final[Mapping[str, _FieldTypes]] = {
    "Card": {
        "FrontTexture": str, "BackTexture": str, "HiddenTexture": str, "BackIndex": int,
        "HiddenIndex": int, "NumHorizontal": int, "NumVertical": int, "Width": _NUMBER,
        "Height": _NUMBER, "Thickness": _NUMBER, "Model": str, "CanStack": bool,
        "HiddenInHand": bool, "UsedWithCardHolders": bool, "Indices": list, "CardNames": dict,
        "CardMetadata": dict, "CardTags": dict,
    },
    "Cardboard Figure": {"FrontTexture": str, "BackTexture": str, "UseAlpha": bool},
    "Dice": {"Faces": list},
}  # fmt: skip
_OF_MODEL: Final[_FieldTypes] = {
    "Model": str, "Offset": dict, "Rotation": dict, "Scale": dict, "Texture": str,
    "UseOverrides": bool, "Roughness": _NUMBER,
}  # fmt: skip
_SHAPES: Final = ("Rounded", "Square", "Round", "Hexagonal")
_COLLISIONS: Final = ("Regular", "Ground", "Penetrable", "Static")
_SURFACES: Final = ("Plastic", "Wood", "Metal", "Cardboard", "Cloth", "Glass", "Silent")


def package_faults(package: Path) -> Iterator[str]:
    """What the program would not take, or would show otherwise than meant."""
    manifest = _read(package / "Manifest.json")
    yield from _wrong_types("Manifest.json", manifest, _MANIFEST)
    guids = {manifest.get("GUID")}
    shown, scripts, pieces = set[str](), set[str](), set[str]()
    for path in _templates(package):
        told = _read(path)
        guid = str(told.get("GUID"))
        if not _GUID.fullmatch(guid) or guid in guids:
            yield f"{path.name}: GUID {guid!r} is not 32 digits of its own"
        guids.add(guid)
        yield from (f"{path.name}: {wrong}" for wrong in _faults(told, package / "Textures"))
        if "ScriptName" in told:
            scripts.add(told["ScriptName"])
        else:
            pieces.add(guid)
        shown |= {value for value in _texts(told) if (package / "Textures" / value).is_file()}
    for there in sorted((package / "Textures").iterdir()):
        if there.name not in shown:
            yield f"Textures/{there.name}: no template shows it"
    if scripts != {path.name for path in (package / "Scripts").iterdir()}:
        yield "its scripts are not those of its templates"
    elif {piece.template for piece in _laid(package)} != pieces:
        yield "what it lays on the table is not what it holds"


def _faults(told: Mapping[str, Any], textures: Path) -> Iterator[str]:
    wanted = _OF_TYPE.get(str(told.get("Type")))
    if wanted is None:
        yield f"there is no object {told.get('Type')!r}"
        return
    wrong = list(_wrong_types(told["Type"], told, {**_COMMON, **wanted}))
    yield from wrong
    if wrong:
        return
    if told["CollisionType"] not in _COLLISIONS or told["SurfaceType"] not in _SURFACES:
        yield f"it is made of {told['SurfaceType']!r}, and is {told['CollisionType']!r}"
    match told["Type"]:
        case "Card":
            yield from _card_faults(told, textures)
        case "Dice":
            yield from _dice_faults(told, textures)
        case _:
            for key in ("FrontTexture", "BackTexture"):
                yield from _picture_faults(told[key], (1, 1), textures)


def _card_faults(told: Mapping[str, Any], textures: Path) -> Iterator[str]:
    grid = told["NumHorizontal"], told["NumVertical"]
    if not all(1 <= places <= 128 for places in grid):
        yield f"a sheet of {grid[0]} × {grid[1]}"
        return
    yield from _side_faults(told, grid, textures)
    places = range(grid[0] * grid[1])
    if not told["Indices"] or any(at not in places for at in told["Indices"]):
        yield "a card is on no place of its sheet"
    for key, kind in (("CardNames", str), ("CardMetadata", str), ("CardTags", list)):
        said = told[key]
        if set(said) != {str(at) for at in told["Indices"]}:
            yield f"{key} are not of its cards"
        if not all(isinstance(value, kind) for value in said.values()):
            yield f"one of {key} is no {kind.__name__}"
    if min(told["Width"], told["Height"]) < _THIN or told["Thickness"] < _THIN / 10:
        yield "it is too small to be seen"


def _side_faults(told: Mapping[str, Any], grid: tuple[int, int], textures: Path) -> Iterator[str]:
    """Its pictures: fronts, what `BackIndex` says of backs, what is seen when hidden, outline."""
    yield from _picture_faults(told["FrontTexture"], grid, textures)
    match told["BackIndex"]:
        case -1:
            if told["BackTexture"]:
                yield "it has a back that is not shown"
        case -2:
            yield from _picture_faults(told["BackTexture"], (1, 1), textures)
        case -3:
            yield from _picture_faults(told["BackTexture"], grid, textures)
        case index:
            yield f"its back has the place {index}"
    if told["HiddenIndex"] not in (-1, -3) or told["HiddenTexture"]:
        yield "what is seen of it when hidden is on no picture"
    if told["Model"] not in _SHAPES:
        yield from _picture_faults(told["Model"], (1, 1), textures)


def _dice_faults(told: Mapping[str, Any], textures: Path) -> Iterator[str]:
    for model in told["Models"]:
        yield from _wrong_types("Models", model, _OF_MODEL)
        if not _MESH.fullmatch(str(model.get("Model"))):
            yield f"there is no model {model.get('Model')!r}"
        yield from _picture_faults(str(model.get("Texture")), (3, 3), textures)
    if len(told["Models"]) != 1:
        yield f"it has {len(told['Models'])} models"
    outs = [tuple(face.get(axis, 0) for axis in "XYZ") for face in told["Faces"]]
    if len(set(outs)) != 6 or any(sorted(map(abs, out)) != [0, 0, 1] for out in outs):
        yield "it has not six sides"
    elif any(outs[n] != tuple(-one for one in outs[5 - n]) for n in range(3)):
        yield "opposite values do not add up to 7"
    if not all(isinstance(face.get("Name"), str) for face in told["Faces"]):
        yield "a face has no name"


def _picture_faults(name: str, grid: tuple[int, int], textures: Path) -> Iterator[str]:
    path = textures / name
    if not name or "/" in name or not path.is_file():
        yield f"there is no picture {name!r}"
        return
    with Image.open(path) as picture:
        width, height = picture.size
    if max(width, height) > _MOST_PX:
        yield f"{name} is larger than {_MOST_PX} px"
    elif width % grid[0] or height % grid[1]:
        yield f"{name}: its places are not of one size"


def _wrong_types(path: str, told: Mapping[str, Any], fields: _FieldTypes) -> Iterator[str]:
    for key, kind in fields.items():
        value = told.get(key)
        if not isinstance(value, kind) or (isinstance(value, bool) and kind is not bool):
            yield f"{path}: {key} is {value!r}"


def _texts(told: Any) -> Iterator[str]:
    if isinstance(told, str):
        yield from () if not told or len(told) > 250 else (told,)
    elif isinstance(told, Mapping):
        for value in told.values():
            yield from _texts(value)
    elif isinstance(told, list):
        for value in told:
            yield from _texts(value)


def _templates(package: Path) -> list[Path]:
    return sorted((package / "Templates").glob("*.json"))


def _read(path: Path) -> dict[str, Any]:
    told: dict[str, Any] = json.loads(path.read_text("utf-8"))
    return told


def _laid(package: Path) -> list[Laid]:
    scripts = sorted((package / "Scripts").glob("*.js"))
    return [piece for path in scripts for piece in pieces_of(path.read_text("utf-8"))]


def table_of_package(package: Path) -> Image.Image:
    """The table as the package's script lays it, seen from above, drawn from the package alone."""
    templates = {told["GUID"]: told for told in map(_read, _templates(package))}
    seen = {guid: _seen(told, package / "Textures") for guid, told in templates.items()}
    laid = [(*seen[piece.template], piece.y, -piece.x) for piece in _laid(package)]
    left = min(x - size[0] / 2 for _, size, x, _ in laid) - _MARGIN
    right = max(x + size[0] / 2 for _, size, x, _ in laid) + _MARGIN
    top = min(y - size[1] / 2 for _, size, _, y in laid) - _MARGIN
    bottom = max(y + size[1] / 2 for _, size, _, y in laid) + _MARGIN
    scale = min(_PX, _MOST_PX / max(right - left, bottom - top))
    table = Image.new("RGB", (round((right - left) * scale), round((bottom - top) * scale)), _TABLE)
    for picture, size, x, y in laid:
        width, height = (max(1, round(side * scale)) for side in size)
        small = picture.resize((width, height), Image.Resampling.LANCZOS)
        place = round((x - left) * scale - width / 2), round((y - top) * scale - height / 2)
        table.paste(small, place, small)
    return table


def _seen(told: Mapping[str, Any], textures: Path) -> tuple[Image.Image, tuple[float, float]]:
    """What of an object is seen: its first card, in its shape; its front; the face that is up; and
    its size, cm."""
    match told["Type"]:
        case "Card":
            grid = told["NumHorizontal"], told["NumVertical"]
            picture = _cell(textures / told["FrontTexture"], grid, told["Indices"][0])
            size = told["Width"], told["Height"]
            if told["Model"] == "Round":
                alpha = Image.new("L", picture.size)
                ImageDraw.Draw(alpha).ellipse((0, 0, *picture.size), 255)
                picture.putalpha(alpha)
            elif told["Model"] not in _SHAPES:
                with Image.open(textures / told["Model"]) as shape:
                    alpha = shape.convert("RGBA").getchannel("A").resize(picture.size)
                picture.putalpha(alpha)
        case "Dice":
            picture = _cell(textures / told["Models"][0]["Texture"], (3, 3), 1)
            size = _DRAWN_DIE, _DRAWN_DIE
        case _:
            picture = _cell(textures / told["FrontTexture"], (1, 1), 0)
            size = _DRAWN_FIGURE, _DRAWN_FIGURE * picture.height / picture.width
    return picture, size


def _cell(path: Path, grid: tuple[int, int], at: int) -> Image.Image:
    with Image.open(path) as sheet:
        width, height = sheet.width // grid[0], sheet.height // grid[1]
        row, column = divmod(at, grid[0])
        x, y = column * width, row * height
        return sheet.crop((x, y, x + width, y + height)).convert("RGBA")
