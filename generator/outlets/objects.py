"""What pieces become on a virtual table, and the pictures that they show there: faces as drawn, or
put together into sheets of cards, the sides of a tent, the faces of a die. They lie side by side,
row after row; Tabletop Playground lays them down by a script.

Its makers document no saved states. What they do document is a script that belongs to an object and
makes others from their templates (`@tabletop-playground/api`): so a package has one more object.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import groupby
from math import ceil, gcd, sqrt
from pathlib import Path
from typing import Final, NamedTuple

from msgspec import Struct
from PIL import Image

from generator.diagnostics import Diagnostic
from generator.export import Canvas
from generator.geometry import MM_PER_INCH, Rect
from generator.model.catalogue import Shape, Stock, TableObject, Wish
from generator.model.face import Face
from generator.outlets.shipment import Lot, PictureOrder, Piece, left_out

MOST_PX: Final = 4096
"""Of a side of a picture."""
MOST_COLUMNS: Final = 10
MOST_ROWS: Final = 7
_DPI: Final = 150
_LARGEST_CARD: Final = 150.0
"""mm: what is longer lies on the table and is not held."""
_DIE: Final = 16.0
"""mm of the edge of a die, unless its faces are larger."""
_LARGEST_DIE: Final = 30.0


def made_of(lot: Lot, wish: Wish) -> TableObject:
    """What a lot becomes: what the pack wishes, else what it is cut as."""
    if lot.kind.name in wish.objects:
        return wish.objects[lot.kind.name]
    stock = lot.stock
    if tent_sides(stock):
        return TableObject.FIGURINE
    if _are_dice(lot):
        return TableObject.DICE
    if stock.shape is Shape.PATH:
        return TableObject.TOKEN
    if stock.shape in (Shape.CIRCLE, Shape.HEXAGON):
        return TableObject.TILE
    large = max(stock.trim.width, stock.trim.height) > _LARGEST_CARD
    return TableObject.TILE if large else TableObject.DECK


def _are_dice(lot: Lot) -> bool:
    """Whether all are small squares without a back, of which each component has given six; or
    stickers for whole dice, each a component."""
    width, height = lot.stock.trim.width, lot.stock.trim.height
    if width != height or width > _LARGEST_DIE or any(piece.back for piece in lot.pieces):
        return False
    given = Counter(piece.component.origins[:1] for piece in lot.pieces)
    return bool(_stickers(lot)) or (() not in given and set(given.values()) == {6})


def _stickers(lot: Lot) -> tuple[Piece, ...]:
    """The faces of dice that stickers are for, such a one twice as is wanted twice as often as the
    others; nothing where they are for no whole dice."""
    if not lot.stickers or any(piece.component.origins for piece in lot.pieces):
        return ()
    dice = gcd(*(piece.copies for piece in lot.pieces))
    faces = tuple(piece for piece in lot.pieces for _ in range(piece.copies // dice))
    is_whole = len(faces) == 6 or (len(faces) == len(lot.pieces) and len(faces) % 6 == 0)
    return faces if is_whole else ()


def name_and_words(piece: Piece) -> tuple[str, str]:
    """What a table calls a piece, and all that can be read on it, so that search finds it."""
    name = piece.component.values.get("name")
    told = [face.words or "" for face in piece.faces.values()]
    words = "\n".join(line for text in told for line in text.splitlines())
    return (name if isinstance(name, str) else piece.id), words


def tent_sides(stock: Stock) -> tuple[Rect, ...]:
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


def dice_of(lot: Lot, title: str) -> tuple[list[tuple[Piece, ...]], list[Diagnostic]]:
    """The dice of a lot, each six pieces in the order of its values: those that come from one
    component, else all of one after the other; GP712 where they are no whole dice."""
    dice: list[tuple[Piece, ...]] = []
    said = []
    pieces = _stickers(lot) or lot.pieces
    for _, of_one in groupby(pieces, key=lambda piece: piece.component.origins[:1]):
        faces = tuple(of_one)
        whole = len(faces) // 6 * 6
        dice += [faces[start : start + 6] for start in range(0, whole, 6)]
        if whole < len(faces):
            why = f"{len(faces)} faces are no number of dice of six"
            said.append(left_out(lot, title, why, "six faces of one component make a die"))
    return dice, said


def dice_wanted(six: Sequence[Piece]) -> int:
    """How many of a die are wanted."""
    first = six[0]
    return first.copies // [piece.id for piece in six].count(first.id)


def edge_of_die(stock: Stock) -> float:
    """mm of a die whose faces are on a stock."""
    return max(_DIE, stock.trim.width, stock.trim.height)


def cell_of(stock: Stock, most_px: int) -> Canvas:
    """The place of a card on a sheet of at most so many pixels a side, which holds two at least."""
    return flat_of(stock, "jpeg", most_px // 2)


def flat_of(stock: Stock, format_: str, most_px: int = MOST_PX) -> Canvas:
    """A picture of the trim alone, of at most so many pixels a side."""
    dpi = min(float(_DPI), most_px * MM_PER_INCH / max(stock.trim.width, stock.trim.height))
    width, height = (
        max(1, round(side * dpi / MM_PER_INCH)) for side in (stock.trim.width, stock.trim.height)
    )
    return Canvas(width, height, dpi, format=format_)


class SheetGrid(NamedTuple):
    """Columns and rows of a sheet."""

    columns: int
    rows: int

    @classmethod
    def holding(cls, places: int, cell: Canvas, most_px: int) -> SheetGrid:
        """Of so many places or more, about square, two by two at least."""
        most = cls.most(cell, most_px)
        columns = max(2, ceil(sqrt(places)), ceil(places / most.rows))
        columns = min(columns, most.columns)
        return cls(columns, max(2, ceil(places / columns)))

    @classmethod
    def most(cls, cell: Canvas, most_px: int) -> SheetGrid:
        """As large as a table takes."""
        return cls(min(MOST_COLUMNS, most_px // cell.width), min(MOST_ROWS, most_px // cell.height))


class _SheetFile(NamedTuple):
    path: str
    cell: Canvas
    grid: SheetGrid
    places: Mapping[int, str]


class _FaceFiles(NamedTuple):
    whole: str
    stock: Stock
    paths: tuple[str, str]


class Album:
    """The pictures of a table, gathered while its objects are made: `drawings` are to be drawn
    before they are put together; what is `shown` stays. An underscore is in no name of a kind or
    component, so no two pictures have one name."""

    def __init__(self, folder: str) -> None:
        """`folder` is where they will lie, with a slash at its end."""
        self.folder = folder
        self.drawings: dict[str, PictureOrder] = {}
        self.shown: set[str] = set()
        self._sheets: dict[str, _SheetFile] = {}
        self._sides: list[_FaceFiles] = []

    def show(self, path: str) -> str:
        """Keep a picture; its path."""
        self.shown.add(path)
        return path

    def picture(self, face: Face, canvas: Canvas) -> str:
        """The path of a face's picture, which is asked for."""
        suffix = ".png" if canvas.format == "png" else ".jpg"
        path = f"{self.folder}{face.kind}_{face.component}_{face.name}{suffix}"
        self.drawings[path] = PictureOrder(face, canvas, path, 0)
        return path

    def sheet(
        self, name: str, cell: Canvas, grid: SheetGrid, places: Mapping[int, Face | None]
    ) -> str:
        """The path of a sheet, with faces at some of its places, from left to right and down; what
        has no face is white."""
        path = f"{self.folder}{name}.jpg"
        drawn = {at: self.picture(face, cell) for at, face in places.items() if face}
        self._sheets[path] = _SheetFile(path, cell, grid, drawn)
        return self.show(path)

    def sides(self, piece: Piece, stock: Stock) -> tuple[str, str]:
        """The paths of the two sides of a tent."""
        whole = self.picture(piece.front, flat_of(stock, "png"))
        stem = f"{self.folder}{piece.front.kind}_{piece.id}_side"
        paths = f"{stem}_1.png", f"{stem}_2.png"
        self._sides.append(_FaceFiles(whole, stock, paths))
        return self.show(paths[0]), self.show(paths[1])

    def finish(self, folder: Path) -> None:
        """Put together, in a folder, what was drawn there; remove what nobody shows."""
        for path, cell, grid, places in self._sheets.values():
            size = (cell.width * grid.columns, cell.height * grid.rows)
            sheet = Image.new("RGB", size, "white")
            for at, name in places.items():
                row, column = divmod(at, grid.columns)
                with Image.open(folder / name) as picture:
                    sheet.paste(picture, (column * cell.width, row * cell.height))
            (folder / path).parent.mkdir(exist_ok=True)
            sheet.save(folder / path, "JPEG", quality=90)
        for whole, stock, paths in self._sides:
            with Image.open(folder / whole) as picture:
                scale = picture.width / stock.trim.width
                for path, box, is_turned in zip(
                    paths, tent_sides(stock), (False, True), strict=True
                ):
                    edges = [round(edge * scale) for edge in (box.x, box.y, box.right, box.bottom)]
                    side = picture.crop((edges[0], edges[1], edges[2], edges[3]))
                    (side.rotate(180) if is_turned else side).save(folder / path, "PNG")
        for path in self.drawings.keys() - self.shown:
            (folder / path).unlink()


_SCRIPT: Final = """// Lays all pieces on the table: choose "{action}" in the menu of its object.
"use strict";
const {{ refObject, world }} = require("@tabletop-playground/api");

// of each piece its template, and where its middle comes to lie: cm from the middle of the table
const PIECES = {pieces};

refObject.addCustomAction("{action}", "Put all pieces on the table, kind by kind");
refObject.onCustomAction.add(() => {{
    for (const [template, x, y] of PIECES) {{
        const z = world.getTableHeight([x, y, 0]) + {above};
        const piece = world.createObjectFromTemplate(template, [x, y, z]);
        if (piece) piece.snapToGround();
    }}
}});
"""
_ACTION: Final = "Lay out the game"
_ABOVE: Final = 3
"""cm over the table, from where a piece is let down."""
_PIECES: Final = re.compile(r"^const PIECES = (\[.*?\n\]);$", re.DOTALL | re.MULTILINE)


class TableRows(Struct):
    """Places from left to right, row after row, of `wide` at most, with a gap between them."""

    wide: float
    gap: float
    x: float = 0.0
    y: float = 0.0
    deep: float = 0.0

    def part(self) -> None:
        """Leave room before the next kind."""
        self.x += self.gap if self.x else 0.0

    def place(self, width: float, depth: float) -> tuple[float, float]:
        """The middle of a place of a size, beside the one before it: from the left and from
        behind."""
        if self.x and self.x + width > self.wide:
            self.x, self.y, self.deep = 0.0, self.y + self.deep + self.gap, 0.0
        middle = self.x + width / 2, self.y + depth / 2
        self.x += width + self.gap
        self.deep = max(self.deep, depth)
        return middle


class Laid(NamedTuple):
    """A piece on the table: its template, and its middle from that of the table, cm: `x` away from
    who sits at it, `y` to the right."""

    template: str
    x: float
    y: float


def in_the_middle(placed: Sequence[tuple[str, float, float]]) -> list[Laid]:
    """Pieces by their templates and the places that `TableRows` gave them, about the middle."""
    xs, ys = [x for _, x, _ in placed], [y for *_, y in placed]
    across, down = (min(xs) + max(xs)) / 2, (min(ys) + max(ys)) / 2
    return [Laid(one, round(down - y, 2), round(x - across, 2)) for one, x, y in placed]


def script_of(pieces: Sequence[Laid]) -> str:
    """The script that lays them down."""
    lines = ",\n    ".join(json.dumps(piece) for piece in pieces)
    return _SCRIPT.format(action=_ACTION, above=_ABOVE, pieces=f"[\n    {lines},\n]")


def pieces_of(script: str) -> list[Laid]:
    """What a script lays down; nothing where it does not say."""
    told = _PIECES.search(script)
    return [Laid(*one) for one in json.loads(told[1].replace(",\n]", "\n]"))] if told else []
