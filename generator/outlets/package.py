"""A package of Tabletop Playground, read as that program would: what is wrong with it field by
field, after its makers' schemas, and the table that its script lays, drawn from it alone."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from PIL import Image, ImageDraw

from generator.outlets.objects import Laid, pieces_of

_MOST_PX: Final = 4096
_PX: Final = 24
"""Of a centimetre, in the drawing, unless it would be too large."""
_MARGIN: Final = 1.0
_TABLE: Final = "#2f4a3a"
_FIGURE: Final = 3.0
_DIE: Final = 1.6
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
_MODEL: Final[_FieldTypes] = {
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
        yield from _wrong_types("Models", model, _MODEL)
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
            size = _DIE, _DIE
        case _:
            picture = _cell(textures / told["FrontTexture"], (1, 1), 0)
            size = _FIGURE, _FIGURE * picture.height / picture.width
    return picture, size


def _cell(path: Path, grid: tuple[int, int], at: int) -> Image.Image:
    with Image.open(path) as sheet:
        width, height = sheet.width // grid[0], sheet.height // grid[1]
        row, column = divmod(at, grid[0])
        x, y = column * width, row * height
        return sheet.crop((x, y, x + width, y + height)).convert("RGBA")
