"""Many courses begun and a tile on each in, on which of them that tile has room out; and which may
lie on a table, turned as needed. Many at once, never too few.

Courses lie side by side in columns: `CourseRows` of the moves that were laid, of where and how.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, Final, Protocol

import numpy as np
import numpy.typing as npt
from msgspec import Struct

from generator.tracks.closure_bounds import MIX, Bools, Ints, VectorPacking, points
from generator.tracks.conflicts import clash, solids
from generator.tracks.inventory import Move

Int16s = npt.NDArray[np.int16]

_SURE: Final = 1e-6
"""In cells. Octagons on their exact places are nearer to touching than that only if they touch."""


class CourseRows(Struct, frozen=True):
    """Courses of as many tiles as there are rows, a column each: moves, headings, packed places."""

    moves: Int16s
    headings: Int16s
    places: Ints

    def __len__(self) -> int:
        return int(self.moves.shape[1])

    def chosen(self, columns: Any) -> CourseRows:
        """Some of the columns, in that order."""
        return CourseRows(
            self.moves[:, columns], self.headings[:, columns], self.places[:, columns]
        )

    def followed(self, moves: Any, headings: Any, places: Ints) -> CourseRows:
        """With one tile more on each."""
        return CourseRows(
            np.concatenate((self.moves, np.asarray(moves, np.int16)[None])),
            np.concatenate((self.headings, np.asarray(headings, np.int16)[None])),
            np.concatenate((self.places, places[None])),
        )


_SLOTS: Final = 20
"""Bits of the number of a slot for what was last worked out; another's answer takes its place."""


_MOST_KNOWN: Final = 300_000


class TileRoom(Protocol):
    """Where there is room for a tile."""

    def has(self, laid: CourseRows, others: CourseRows) -> Bools:
        """For each column: none of these tiles lies on one of those others."""


def room_for(packing: VectorPacking, moves: Sequence[Move]) -> TileRoom:
    """The quickest way to tell for these moves, by number."""
    if all(move.cut is None and len(move.piece.cells) == 1 for move in moves):
        return _CellOverlaps() if packing.grid.lattice else _Octagons(packing)
    return _OutlineOverlaps(packing, moves)


class _CellOverlaps:
    """Single cells of a lattice overlap where they are the same."""

    def has(self, laid: CourseRows, others: CourseRows) -> Bools:
        free = np.ones(len(laid), np.bool_)
        for place in others.places:
            free &= (laid.places != place).all(axis=0)
        return free


class _Octagons:
    """Octagons overlap when they are less than one unit apart along each of their directions."""

    def __init__(self, packing: VectorPacking) -> None:
        self.packing = packing
        angles = [math.tau * n / 8 for n in range(4)]
        self.directions = [(math.cos(angle), math.sin(angle)) for angle in angles]

    def has(self, laid: CourseRows, others: CourseRows) -> Bools:
        free = np.ones(len(laid), np.bool_)
        theirs = [points(self.packing, place) for place in others.places]
        for mine in laid.places:
            x, y = points(self.packing, mine)
            for other_x, other_y in theirs:
                dx, dy = x - other_x, y - other_y
                near = np.flatnonzero((np.abs(dx) < 1 - _SURE) & (np.abs(dy) < 1 - _SURE) & free)
                if len(near):
                    dx, dy = dx[near], dy[near]
                    over = np.ones(len(near), np.bool_)
                    for cos, sin in self.directions[1::2]:
                        over &= np.abs(dx * cos + dy * sin) < 1 - _SURE
                    free[near[over]] = False
        return free


class _OutlineOverlaps:
    """Two moves clash or not by how they lie to each other, which is worked out once."""

    def __init__(self, packing: VectorPacking, moves: Sequence[Move]) -> None:
        self.packing, self.moves = packing, moves
        self.turns = packing.grid.turns
        self.span = packing.base ** len(packing.grid.unit)
        self.keys = np.full(1 << _SLOTS, -1, np.int64)
        self.clash = np.zeros(1 << _SLOTS, np.bool_)
        self.known: dict[tuple[int, int, int, tuple[int, ...]], bool] = {}
        self.solids = [solids(move.piece, move.cut) for move in moves]
        middles, reaches = [], []
        for solid, *_ in self.solids:
            xs, ys = zip(*solid.corners, strict=True)
            x, y = (max(xs) + min(xs)) / 2, (max(ys) + min(ys)) / 2
            reaches.append(max(math.dist((x, y), corner) for corner in solid.corners))
            angles = [-math.tau * n / self.turns for n in range(self.turns)]
            middles.append(
                [
                    (x * math.cos(a) - y * math.sin(a), x * math.sin(a) + y * math.cos(a))
                    for a in angles
                ]
            )
        self.middles, self.reaches = np.array(middles), np.array(reaches)

    def has(self, laid: CourseRows, others: CourseRows) -> Bools:
        free = np.ones(len(laid), np.bool_)
        theirs = [self._circles(others, row) for row in range(len(others.moves))]
        for row in range(len(laid.moves)):
            x, y, reach = self._circles(laid, row)
            for number, (other_x, other_y, other_reach) in enumerate(theirs):
                dx, dy, far = x - other_x, y - other_y, reach + other_reach
                near = np.flatnonzero((dx * dx + dy * dy < far * far) & free)
                if len(near):
                    free[near[self._clashes(laid, row, others, number, near)]] = False
        return free

    def _circles(self, rows: CourseRows, row: int) -> tuple[Any, Any, Any]:
        moves = rows.moves[row]
        x, y = points(self.packing, rows.places[row])
        middle = self.middles[moves, rows.headings[row]]
        return x + middle[:, 0], y + middle[:, 1], self.reaches[moves]

    def _clashes(
        self, laid: CourseRows, row: int, others: CourseRows, number: int, near: Any
    ) -> Bools:
        turns, count = self.turns, len(self.moves)
        code = np.zeros(len(near), np.int64)
        for rows, tile in ((others, number), (laid, row)):
            lying = rows.moves[tile][near].astype(np.int64) * turns + rows.headings[tile][near]
            code = code * (count * turns) + lying
        key = code * self.span + (laid.places[row][near] - others.places[number][near])
        slot = ((key.astype(np.uint64) * MIX) >> np.uint64(64 - _SLOTS)).astype(np.int64)
        clash: Bools = self.clash[slot]
        new = np.flatnonzero(self.keys[slot] != key)
        if len(new):
            asked, first, which = np.unique(key[new], return_index=True, return_inverse=True)
            found = np.array([self._worked_out(int(one)) for one in asked])
            clash[new] = found[which]
            self.keys[slot[new[first]]], self.clash[slot[new[first]]] = asked, found
        return clash

    def _worked_out(self, key: int) -> bool:
        turns, span = self.turns, self.span
        apart = (key + span // 2) % span - span // 2
        code, later = divmod((key - apart) // span, len(self.moves) * turns)
        one, turned = divmod(code, turns)
        other, heading = divmod(later, turns)
        vector = self.packing.grid.rotated(self.packing.unpack(apart), -turned)
        heading = (heading - turned) % turns
        seen = (one, other, heading, vector)
        if seen not in self.known:
            if len(self.known) > _MOST_KNOWN:
                self.known.clear()
            at = self.packing.grid.point(vector, 1.0)
            self.known[seen] = clash(self.solids[one][0], self.solids[other][heading], at.x, at.y)
        return self.known[seen]


_ANGLES: Final = 24


class TableLimits:
    """A table of so many cells, on which a circuit of these moves lies, turned somehow."""

    def __init__(
        self, packing: VectorPacking, moves: Sequence[Move], width: float, height: float
    ) -> None:
        self.packing = packing
        around = 2 * min(map(_reach_around, moves), default=0.0)
        width, height = width - around, height - around
        angles = np.linspace(0.0, math.pi, _ANGLES, endpoint=False)
        self.along = np.stack((np.cos(angles), np.sin(angles)), axis=1)
        # Between two of the angles the box is a little smaller than at one of them.
        more = math.hypot(width, height) * math.sin(math.pi / _ANGLES / 2)
        self.width, self.height = width + more, height + more

    def holds(self, behind: Ints, place: Ints) -> Any:
        """For each column: tiles at the places behind and at this one may lie on it."""
        least, most = np.zeros((2, len(place), _ANGLES))
        for row in (*behind, place):
            onto = np.stack(points(self.packing, row), axis=1) @ self.along.T
            np.minimum(least, onto, out=least)
            np.maximum(most, onto, out=most)
        wide = most - least
        high = np.roll(wide, -_ANGLES // 2, axis=1)
        return ((wide <= self.width) & (high <= self.height)).any(axis=1)


def _reach_around(move: Move) -> float:
    """How far a tile reaches beyond its place at least, whichever way one looks, in cells."""
    corners = np.array(solids(move.piece, move.cut)[0].corners)
    sides = np.roll(corners, -1, axis=0) - corners
    # Of each side the nearest point to the place, which is inside.
    part = -(corners * sides).sum(axis=1) / (sides * sides).sum(axis=1)
    nearest = corners + np.clip(part, 0.0, 1.0)[:, None] * sides
    return float(np.hypot(nearest[:, 0], nearest[:, 1]).min())
