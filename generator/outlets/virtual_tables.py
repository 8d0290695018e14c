"""Objects and pictures for all virtual tables: sheets of cards, tents, dice."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import groupby
from math import ceil, gcd, sqrt
from pathlib import Path
from typing import Final, NamedTuple

from msgspec import Struct
from PIL import Image, ImageChops, ImageDraw

from generator.diagnostics import Diagnostic
from generator.export import Canvas
from generator.geometry import MM_PER_INCH, Point, Rect, bounds
from generator.model.catalogue import Shape, Stock, TableObject, Wish
from generator.model.face import Face
from generator.outlets.shipment import Lot, PictureOrder, Piece, left_out, pixels_of

MOST_PX: Final = 4096
"""Longest side of a picture."""
MOST_COLUMNS: Final = 10
MOST_ROWS: Final = 7
_DPI: Final = 150
_LARGEST_CARD: Final = 150.0
"""mm; longer pieces lie on the table instead of being held."""
_DIE: Final = 16.0
"""mm along an edge, unless the faces are larger."""
_LARGEST_DIE: Final = 30.0


def made_of(lot: Lot, wish: Wish) -> TableObject:
    """Return the object that the pack chose for a lot, else the one that suits its stock."""
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
    """Return True for small squares without backs that come in sixes, or as stickers for dice."""
    width, height = lot.stock.trim.width, lot.stock.trim.height
    if width != height or width > _LARGEST_DIE or any(piece.back for piece in lot.pieces):
        return False
    given = Counter(piece.component.origins[:1] for piece in lot.pieces)
    return bool(_stickers(lot)) or (() not in given and set(given.values()) == {6})


def _stickers(lot: Lot) -> tuple[Piece, ...]:
    """Return the faces of the dice that stickers are for, or nothing if they fill no whole dice.

    A sticker printed twice as often as the others is on each die twice.
    """
    if not lot.stickers or any(piece.component.origins for piece in lot.pieces):
        return ()
    dice = gcd(*(piece.copies for piece in lot.pieces))
    faces = tuple(piece for piece in lot.pieces for _ in range(piece.copies // dice))
    is_whole = len(faces) == 6 or (len(faces) == len(lot.pieces) and len(faces) % 6 == 0)
    return faces if is_whole else ()


def name_and_words(piece: Piece) -> tuple[str, str]:
    """Return the name of a piece, and all its text, so that a table's search finds it."""
    name = piece.component.values.get("name")
    texts = [face.words or "" for face in piece.faces.values()]
    words = "\n".join(line for text in texts for line in text.splitlines())
    return (name if isinstance(name, str) else piece.id), words


def tent_sides(stock: Stock) -> tuple[Rect, ...]:
    """Return the sides of a tent: the lower, then the upper, which is upside down on paper.

    A stock that does not fold into a tent has none.
    """
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
    """Return the dice of a lot, six pieces each; GP712 if some faces are left over.

    Faces that were made from one component go on the same dice.
    """
    dice: list[tuple[Piece, ...]] = []
    findings = []
    pieces = _stickers(lot) or lot.pieces
    for _, of_one in groupby(pieces, key=lambda piece: piece.component.origins[:1]):
        faces = tuple(of_one)
        whole = len(faces) // 6 * 6
        dice += [faces[start : start + 6] for start in range(0, whole, 6)]
        if whole < len(faces):
            why = f"{len(faces)} faces do not make whole dice"
            findings.append(left_out(lot, title, why, "give each component six faces"))
    return dice, findings


def dice_wanted(six: Sequence[Piece]) -> int:
    """Return how many copies of a die the game needs."""
    first = six[0]
    return first.copies // [piece.id for piece in six].count(first.id)


def edge_of_die(stock: Stock) -> float:
    """Return the edge of a die for faces of this stock, mm."""
    return max(_DIE, stock.trim.width, stock.trim.height)


def cell_of(stock: Stock, most_px: int) -> Canvas:
    """Return the picture of one card on a sheet, so small that two fit side by side."""
    return flat_of(stock, "jpeg", most_px // 2)


def flat_of(stock: Stock, format_: str, most_px: int = MOST_PX) -> Canvas:
    """Return a picture of the trim without bleed, of at most this many pixels a side."""
    dpi = min(float(_DPI), most_px * MM_PER_INCH / max(stock.trim.width, stock.trim.height))
    return Canvas(*pixels_of(stock.trim, dpi), dpi, format=format_)


class SheetGrid(NamedTuple):
    """Columns and rows of a sheet of cards."""

    columns: int
    rows: int

    @classmethod
    def holding(cls, places: int, cell: Canvas, most_px: int) -> SheetGrid:
        """Return a nearly square grid with at least this many places, and at least two by two."""
        most = cls.most(cell, most_px)
        columns = max(2, ceil(sqrt(places)), ceil(places / most.rows))
        columns = min(columns, most.columns)
        return cls(columns, max(2, ceil(places / columns)))

    @classmethod
    def most(cls, cell: Canvas, most_px: int) -> SheetGrid:
        """Return the largest grid that a table takes."""
        return cls(min(MOST_COLUMNS, most_px // cell.width), min(MOST_ROWS, most_px // cell.height))


class _SheetFile(NamedTuple):
    path: str
    cell: Canvas
    grid: SheetGrid
    places: Mapping[int, str]


class _TentFiles(NamedTuple):
    whole: str
    stock: Stock
    paths: tuple[str, str]


class Album:
    """The pictures that a table needs, collected while its objects are made.

    Draw `drawings`, then call `compose`, then `tidy`, which keeps only the pictures in `shown`.
    Names contain an underscore, which no id has, so no two pictures have the same name.
    """

    def __init__(self, folder: str) -> None:
        """Collect pictures for a folder, whose path ends with a slash."""
        self.folder = folder
        self.drawings: dict[str, PictureOrder] = {}
        self.shown: set[str] = set()
        self._sheets: dict[str, _SheetFile] = {}
        self._tents: list[_TentFiles] = []

    def show(self, path: str) -> str:
        """Keep a picture; return its path."""
        self.shown.add(path)
        return path

    def picture(self, face: Face, canvas: Canvas) -> str:
        """Order the picture of a face; return its path."""
        suffix = ".png" if canvas.format == "png" else ".jpg"
        path = f"{self.folder}{face.kind}_{face.component}_{face.name}{suffix}"
        self.drawings[path] = PictureOrder(face, canvas, path, 0)
        return path

    def sheet(
        self, name: str, cell: Canvas, grid: SheetGrid, places: Mapping[int, Face | None]
    ) -> str:
        """Order a sheet with faces at some of its places, the rest white; return its path."""
        path = f"{self.folder}{name}.jpg"
        drawn = {at: self.picture(face, cell) for at, face in places.items() if face}
        self._sheets[path] = _SheetFile(path, cell, grid, drawn)
        return self.show(path)

    def sides(self, piece: Piece, stock: Stock) -> tuple[str, str]:
        """Order the two sides of a tent; return their paths."""
        whole = self.picture(piece.front, flat_of(stock, "png"))
        stem = f"{self.folder}{piece.front.kind}_{piece.id}_side"
        paths = f"{stem}_1.png", f"{stem}_2.png"
        self._tents.append(_TentFiles(whole, stock, paths))
        return self.show(paths[0]), self.show(paths[1])

    def compose(self, folder: Path) -> None:
        """Make the sheets and the sides of tents from the pictures drawn in a folder."""
        for path, cell, grid, places in self._sheets.values():
            size = (cell.width * grid.columns, cell.height * grid.rows)
            sheet = Image.new("RGB", size, "white")
            for at, name in places.items():
                row, column = divmod(at, grid.columns)
                with Image.open(folder / name) as picture:
                    sheet.paste(picture, (column * cell.width, row * cell.height))
            (folder / path).parent.mkdir(exist_ok=True)
            sheet.save(folder / path, "JPEG", quality=90)
        for whole, stock, paths in self._tents:
            with Image.open(folder / whole) as picture:
                scale = picture.width / stock.trim.width
                lower, upper = (
                    picture.crop(
                        (
                            round(box.x * scale),
                            round(box.y * scale),
                            round(box.right * scale),
                            round(box.bottom * scale),
                        )
                    )
                    for box in tent_sides(stock)
                )
            lower.save(folder / paths[0], "PNG")
            upper.rotate(180).save(folder / paths[1], "PNG")

    def tidy(self, folder: Path) -> None:
        """Remove the pictures that no object shows."""
        for path in self.drawings.keys() - self.shown:
            (folder / path).unlink()


class TableRows(Struct):
    """Places on a table from left to right, row after row."""

    width: float
    gap: float
    x: float = 0.0
    y: float = 0.0
    depth: float = 0.0

    def part(self) -> None:
        """Leave a gap before the next kind."""
        self.x += self.gap if self.x else 0.0

    def place(self, width: float, depth: float) -> tuple[float, float]:
        """Return the centre of the next place."""
        if self.x and self.x + width > self.width:
            self.x, self.y, self.depth = 0.0, self.y + self.depth + self.gap, 0.0
        centre = self.x + width / 2, self.y + depth / 2
        self.x += width + self.gap
        self.depth = max(self.depth, depth)
        return centre


class SeenObject(NamedTuple):
    """An object in the picture of a table: its centre, its size, and what it shows.

    An object without a picture is a bag with a label.
    """

    x: float
    y: float
    width: float
    height: float
    picture: str = ""
    shape: Shape = Shape.RECTANGLE
    label: str = ""


_MARGIN: Final = 1.0
_TABLE: Final = "#2f4a3a"
_BAG: Final = "#8a7a5a"


def table_picture(
    objects: Sequence[SeenObject], folder: Path, frame: Rect | None = None, scale: float = 24.0
) -> Image.Image:
    """Draw a table from above, with pictures from a folder, at this many pixels a unit."""
    if frame is None:
        corners = [
            Point(one.x + side * one.width / 2, one.y + side * one.height / 2)
            for one in objects
            for side in (-1, 1)
        ]
        frame = bounds(corners).grown(_MARGIN)
    scale = min(scale, MOST_PX / max(frame.width, frame.height))
    table = Image.new("RGB", (round(frame.width * scale), round(frame.height * scale)), _TABLE)
    for one in objects:
        width, height = (max(1, round(side * scale)) for side in (one.width, one.height))
        x = round((one.x - frame.x) * scale - width / 2)
        y = round((one.y - frame.y) * scale - height / 2)
        if one.picture:
            with Image.open(folder / one.picture) as picture:
                small = picture.convert("RGBA").resize((width, height), Image.Resampling.LANCZOS)
            outline = _outline(one.shape, small.size)
            table.paste(small, (x, y), ImageChops.multiply(small.getchannel("A"), outline))
        else:
            pen = ImageDraw.Draw(table)
            pen.rounded_rectangle((x, y, x + width, y + height), 6, _BAG, "#ffffff")
            pen.text((x + 4, y + 4), one.label[:14], "#ffffff")
    return table


def _outline(shape: Shape, size: tuple[int, int]) -> Image.Image:
    """Return a mask of a shape; pictures of other shapes are transparent around their outline."""
    right, bottom = size[0] - 1, size[1] - 1
    is_cut = shape in (Shape.CIRCLE, Shape.ROUNDED, Shape.HEXAGON)
    mask = Image.new("L", size, 0 if is_cut else 255)
    pen = ImageDraw.Draw(mask)
    match shape:
        case Shape.CIRCLE:
            pen.ellipse((0, 0, right, bottom), 255)
        case Shape.ROUNDED:
            pen.rounded_rectangle((0, 0, right, bottom), max(size) / 30, 255)
        case Shape.HEXAGON:
            corners = ((0, 0.5), (0.25, 0), (0.75, 0), (1, 0.5), (0.75, 1), (0.25, 1))
            turned = corners if right >= bottom else [(y, x) for x, y in corners]
            pen.polygon([(x * right, y * bottom) for x, y in turned], 255)
    return mask
