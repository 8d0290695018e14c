"""The saved objects of Tabletop Simulator, read as that program would: what is wrong with one field
by field, after its knowledge base, and the table drawn from it, its models and pictures alone; and
the die of six that it is given, a cube whose sides show the places of a sheet.

Opposite values add up to 7. The program's axes are left-handed and those of a model are not, so a
model's x points the other way there.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from math import cos, radians, sin
from pathlib import Path
from typing import Any, Final, NamedTuple

from PIL import Image, ImageChops, ImageDraw

from generator.diagnostics import Diagnostic, Span

_COLUMNS: Final = 3
_ROWS: Final = 2
_INSET: Final = 0.004
"""Of the sheet: as much of each edge of a place is not shown, lest its neighbour be."""

Axis = tuple[int, int, int]


class DieSide(NamedTuple):
    """A side of a die: how it is turned when its value is up (degrees about x, y, z), where it
    points in the model, and what is right and up of its picture there."""

    turned: Axis
    out: Axis
    right: Axis
    up: Axis


SIDES: Final = (
    DieSide((-90, 0, 0), (0, 0, 1), (1, 0, 0), (0, 1, 0)),
    DieSide((0, 0, 0), (0, 1, 0), (1, 0, 0), (0, 0, -1)),
    DieSide((0, 0, -90), (1, 0, 0), (0, 0, -1), (0, 1, 0)),
    DieSide((0, 0, 90), (-1, 0, 0), (0, 0, 1), (0, 1, 0)),
    DieSide((0, 0, 180), (0, -1, 0), (1, 0, 0), (0, 0, 1)),
    DieSide((90, 0, 0), (0, 0, -1), (-1, 0, 0), (0, 1, 0)),
)
"""Of the values 1 to 6."""


def model() -> str:
    """A cube with edges of 1 around the origin, as the text of an .obj file: the side of each value
    shows its place of a sheet of three columns and two rows, from left to right and down."""
    corners, texture, normals, faces = [], [], [], []
    for number, (_, out, right, up) in enumerate(SIDES):
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
