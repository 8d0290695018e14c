"""Circuits in, a sheet of small plans of them out, numbered as they are listed, as SVG.

Plain shapes only: the outline of each tile, the way through it, a mark at the start. Beneath each
plan stand its number, how many tiles and bends it has, and the table that it takes.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Final

from svgwrite import Drawing
from svgwrite.container import Group
from svgwrite.path import Path
from svgwrite.shapes import Circle, Polygon, Rect

from generator.geometry import Point, Size, bounds
from generator.tracks.borders import lane_pitch
from generator.tracks.conflicts import solids
from generator.tracks.courses import LaidTile
from generator.tracks.plan import (
    EDGE,
    GROUND,
    MUTED,
    PAPER,
    ROAD,
    START,
    START_EDGE,
    path_point,
    text_line,
)
from generator.tracks.schematic import Fonts, Schematic
from generator.tracks.wishes import Candidate

PAGE: Final = Size(210.0, 297.0)
_MARGIN: Final = 12.0
_HEAD: Final = 16.0
_GAP: Final = 5.0
_COLUMNS: Final = 4
_CAPTION: Final = 9.0
_CELL: Final = Size((PAGE.width - 2 * _MARGIN - (_COLUMNS - 1) * _GAP) / _COLUMNS, 50.0)
_ROWS: Final = int((PAGE.height - 2 * _MARGIN - _HEAD + _GAP) // (_CELL.height + _GAP))
ON_PAGE: Final = _COLUMNS * _ROWS


def sheet(
    circuits: Sequence[Candidate], first: int, title: str, note: str, fonts: Fonts
) -> Schematic:
    """Plans of circuits, numbered from `first`, on a sheet as wide as a page and as high as they
    need: `ON_PAGE` of them fill a page."""
    rows = -(-len(circuits) // _COLUMNS)
    size = Size(PAGE.width, 2 * _MARGIN + _HEAD + rows * (_CELL.height + _GAP) - _GAP)
    if len(circuits) == ON_PAGE:
        size = PAGE
    drawing = Drawing(
        size=(f"{size.width:g}mm", f"{size.height:g}mm"),
        viewBox=f"0 0 {size.width:g} {size.height:g}",
        debug=False,
    )
    drawing.add(Rect((0, 0), (size.width, size.height), fill=PAPER, debug=False))
    drawing.add(text_line(title, _MARGIN, _MARGIN + 5, 5.5, fonts.bold))
    right = PAGE.width - _MARGIN
    drawing.add(text_line(note, right, _MARGIN + 5, 3, fonts.regular, anchor="end", colour=MUTED))
    for nth, one in enumerate(circuits):
        row, column = divmod(nth, _COLUMNS)
        x = _MARGIN + column * (_CELL.width + _GAP)
        y = _MARGIN + _HEAD + row * (_CELL.height + _GAP)
        group = Group(transform=f"translate({x:.3f} {y:.3f})", debug=False)
        for part in _entry(one, first + nth, fonts):
            group.add(part)
        drawing.add(group)
    return Schematic(drawing.tostring(), size)


def _entry(one: Candidate, number: int, fonts: Fonts) -> Iterator[object]:
    """A plan with its caption, in a cell of the sheet."""
    wide, high = one.table
    base = _CELL.height
    yield text_line(str(number), 0, base - 3.4, 4.2, fonts.bold)
    told = f"{len(one.word)} tiles, {one.bends} bends"
    yield text_line(told, _CELL.width, base - 4, 2.6, fonts.regular, anchor="end")
    table = f"{wide:.0f} × {high:.0f} mm"
    yield text_line(table, _CELL.width, base - 0.4, 2.6, fonts.regular, anchor="end", colour=MUTED)
    yield _plan(one)


def _plan(one: Candidate) -> Group:
    """The tiles, as large as the cell lets them be, the longer side across."""
    boxes = one.boxes
    turned = min(
        range(boxes.shape[1]),
        key=lambda n: max(boxes[0, n] / _CELL.width, boxes[1, n] / (_CELL.height - _CAPTION)),
    )
    angle = -180.0 * turned / boxes.shape[1]
    corners = [Point(x, y).turned(angle, Point(0, 0)) for x, y in one.outline]
    box = bounds(corners)
    room = Size(_CELL.width, _CELL.height - _CAPTION)
    scale = min(room.width / box.width, room.height / box.height)
    dx = (room.width - box.width * scale) / 2
    dy = (room.height - box.height * scale) / 2
    place = f"translate({dx:.3f} {dy:.3f}) scale({scale:.5f})"
    away = f"translate({-box.x:.3f} {-box.y:.3f}) rotate({angle:.3f}) scale({one.pitch:.4f})"
    group = Group(transform=f"{place} {away}", debug=False)
    thin = 0.15 / scale / one.pitch
    grid = one.inventory.grid
    tiles = one.course.tiles
    widest = max(laid.piece.enters for laid in tiles)
    for laid in tiles:
        at = grid.point(laid.place, 1.0)
        outline = solids(laid.piece, laid.tile.cut)[laid.heading].corners
        group.add(
            Polygon(
                [(round(x + at.x, 4), round(y + at.y, 4)) for x, y in outline],
                fill=START if laid.tile.starts or laid.number == 1 else GROUND,
                stroke=EDGE,
                stroke_width=round(thin, 5),
                debug=False,
            )
        )
    path = Path(
        debug=False,
        fill="none",
        stroke=ROAD,
        stroke_width=round(max(0.16 if widest == 1 else 0.4, 4 * thin), 5),
        stroke_linejoin="round",
    )
    starts = [_entered(laid) for laid in tiles]
    data = f"M{path_point(starts[0])}"
    for laid, begin, end in zip(tiles, starts, (*starts[1:], starts[0]), strict=True):
        data += f"Q{path_point(_corner(laid, begin, end))} {path_point(end)}"
    path.push(data + "Z")
    group.add(path)
    middle = starts[0]
    group.add(
        Circle(
            (round(middle.x, 4), round(middle.y, 4)),
            round(max(0.16, 5 * thin), 5),
            fill=START_EDGE,
            debug=False,
        )
    )
    return group


def _ahead(laid: LaidTile, heading: int) -> Point:
    angle = math.tau * heading / laid.piece.grid.turns
    return Point(math.cos(angle), -math.sin(angle))


def _entered(laid: LaidTile) -> Point:
    """The middle of the port by which a tile is entered, in cells."""
    grid = laid.piece.grid
    at, ahead = grid.point(laid.place, 1.0), _ahead(laid, laid.heading)
    aside = (laid.piece.enters - 1) / 2 * lane_pitch(grid, 1.0)
    return at.moved(-ahead.x / 2 - ahead.y * aside, -ahead.y / 2 + ahead.x * aside)


def _corner(laid: LaidTile, begin: Point, end: Point) -> Point:
    """Where the way in and the way out of a tile meet; between them if it does not turn."""
    if not laid.piece.turn:
        return begin.halfway(end)
    one, other = _ahead(laid, laid.heading), _ahead(laid, laid.onward)
    across = one.x * other.y - one.y * other.x
    dx, dy = end.x - begin.x, end.y - begin.y
    along = (dx * other.y - dy * other.x) / across
    return begin.moved(one.x * along, one.y * along)
