"""A tile's measures in, where everything lies on its face as drawn out: the blank for its art.

Coordinates are of the trim, mm from its top-left corner, y down.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from generator.geometry import ORIGIN, Point, Size, bounds
from generator.tracks.grids import Grid
from generator.tracks.measures import Measures
from generator.tracks.outlines import UPWARDS, Outline, halved, outline, upwards
from generator.tracks.pieces import Piece

DRAWN: Final = {"up": 0, "right": 90, "down": 180, "left": 270}
"""Degrees clockwise by which a face is turned that is driven in that direction as drawn."""

Port = tuple[Point, Point]
Points = tuple[Point, ...]


@dataclass(frozen=True, slots=True)
class Blank:
    """A face: its size, the leftmost cell by which it is entered, its border left and right from
    port to port, the cells of each lane from left to right, those that reach in from the piece
    before, and the ends of its ports."""

    size: Size
    start: Point
    left: Points
    right: Points
    lanes: tuple[Points, ...]
    halves: Points
    entry: Port
    exit: Port

    @property
    def corners(self) -> Points:
        """Its outline, once around."""
        return (*self.left, *reversed(self.right))

    def turned(self, degrees: float) -> Blank:
        """The same face turned clockwise, in the trim that it then has."""
        box = bounds([p.turned(degrees, ORIGIN) for p in self.corners])
        return self.carried(lambda p: p.turned(degrees, ORIGIN).moved(-box.x, -box.y), box.size)

    def carried(self, to: Callable[[Point], Point], size: Size) -> Blank:
        """The same face with every point brought to where `to` says."""
        return Blank(
            size,
            to(self.start),
            tuple(map(to, self.left)),
            tuple(map(to, self.right)),
            tuple(tuple(map(to, lane)) for lane in self.lanes),
            tuple(map(to, self.halves)),
            (to(self.entry[0]), to(self.entry[1])),
            (to(self.exit[0]), to(self.exit[1])),
        )


def blank(measures: Measures, piece: Piece) -> Blank:
    """The face of one way through a tile, driven upwards: in at the bottom."""
    pitch = measures.pitch
    if measures.is_cell:
        shape = _polygon(measures.grid, pitch, piece.turn)
    else:
        shape = outline(piece, pitch, measures.kerb)

    def place(cell: tuple[int, ...]) -> Point:
        at = upwards(measures.grid, cell, pitch)
        return at.moved(shape.origin.x, shape.origin.y)

    lanes = tuple(tuple(map(place, lane)) for lane in piece.lanes)
    halves = tuple(map(place, halved(piece)))
    return Blank(
        size=shape.size,
        start=shape.origin,
        left=shape.left,
        right=shape.right,
        lanes=lanes,
        halves=halves,
        entry=shape.entry,
        exit=shape.exit,
    )


def path_of(points: Sequence[Point]) -> str:
    """SVG path data of a closed outline."""
    return "M" + "L".join(f"{p.x + 0:.4f} {p.y + 0:.4f}" for p in points) + "Z"


def _polygon(grid: Grid, pitch: float, turn: int) -> Outline:
    """A cell of the grid with a flat side at the bottom, by which it is entered."""
    angle = grid.angle
    far = pitch / 2 / math.cos(math.radians(angle / 2))

    def corner(left_of_ahead: float) -> Point:
        return Point(far, 0).turned(UPWARDS - left_of_ahead, ORIGIN)

    half, whole = angle / 2, grid.turns // 2
    left = [corner(180 - half - k * angle) for k in range(whole - turn)]
    right = [corner(half - 180 + k * angle) for k in range(whole + turn)]
    box = bounds((*left, *right))
    left, right = ([p.moved(-box.x, -box.y) for p in side] for side in (left, right))
    ends = (left[0], right[0]), (left[-1], right[-1])
    middle = Point(-box.x, -box.y)
    return Outline(box.size, path_of(left), middle, *ends, tuple(left), tuple(right))
