"""Says of courses begun whether a tile has room on each, and whether it still leads home; long,
since both answers are about the same packed moves, for many courses at once.

A circuit is home when its next tile would lie on its first: at place 0, heading 0, as wide. From
where the last tiles of a circuit lead there is worked out backwards, for all of them at once, and
kept in a table that is asked for many circuits in one go. Further from the end, a circuit must only
be near enough and have the curves to turn back. Both answers may be too hopeful, never wrong the
other way: the table holds digests only, and is as deep as its memory allows.

Moves are packed into whole numbers, quick to add and compare: a vector digit by digit into one
number, so that adding numbers adds the vectors. Courses lie side by side in columns: `CourseRows`
of the moves that were laid, of where and how. Which of them may lie on a table, turned as needed,
is never answered with too few.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import chain
from typing import Any, Final, Protocol

import numpy as np
import numpy.typing as npt
from msgspec import Struct

from generator.geometry import summed
from generator.tracks.courses import Lying, clash, solids
from generator.tracks.inventory import Move
from generator.tracks.pieces import TileGrid, Vector

Ints = npt.NDArray[np.int64]
Bools = npt.NDArray[np.bool_]
Int16s = npt.NDArray[np.int16]

_ROOM: Final = 4
"""`base` exceeds twice the largest coordinate of a difference of two sums."""
_SURE: Final = 1e-6
"""In cells. Octagons on their exact places are nearer to touching than that only if they touch."""


class VectorPacking(Struct, frozen=True):
    """How vectors become numbers: `base` exceeds twice any coordinate that may occur."""

    grid: TileGrid
    base: int

    def pack(self, vector: Vector) -> int:
        """The vector's number."""
        number = 0
        for coordinate in reversed(vector):
            number = number * self.base + coordinate
        return number

    def unpack(self, number: int) -> Vector:
        """The number's vector."""
        half, found = self.base // 2, []
        for _ in self.grid.unit:
            digit = (number + half) % self.base - half
            found.append(digit)
            number = (number - digit) // self.base
        return tuple(found)


class PackedMove(Struct, frozen=True):
    """A move; by heading where it leads and which cells it covers."""

    shape: int
    turn: int
    enters: int
    leaves: int
    exits: tuple[int, ...]
    cells: tuple[tuple[int, ...], ...]


def packed_moves(
    grid: TileGrid, moves: Sequence[Move], length: int
) -> tuple[VectorPacking, list[PackedMove]]:
    """The moves for words of so many."""
    turned = [_turned(grid, move) for move in moves]
    far = max(
        (abs(v) for exits, cells in turned for vec in chain(exits, *cells) for v in vec), default=1
    )
    packing = VectorPacking(grid, _ROOM * (length + 1) * (far + 1) + 1)
    pack = packing.pack
    return packing, [
        PackedMove(
            move.shape,
            move.piece.turn,
            move.piece.enters,
            move.piece.leaves,
            tuple(map(pack, exits)),
            tuple(tuple(map(pack, each)) for each in cells),
        )
        for move, (exits, cells) in zip(moves, turned, strict=True)
    ]


def _turned(grid: TileGrid, move: Move) -> tuple[list[Vector], list[list[Vector]]]:
    """Exit and cells at each heading."""
    exits, cells = [move.piece.exit], [list(move.piece.cells)]
    for _ in range(1, grid.turns):
        exits.append(grid.turned(exits[-1]))
        cells.append([grid.turned(cell) for cell in cells[-1]])
    return exits, cells


class MoveTable(Protocol):
    """What has been laid so far, in order."""

    def lay(self, depth: int, number: int, place: int, heading: int) -> bool:
        """Take off all from number `depth` on (from 0) and lay the move of that number there;
        False, and it is not laid, when it would lie on another."""


def table(packing: VectorPacking, moves: Sequence[Move], steps: Sequence[PackedMove]) -> MoveTable:
    """An empty table for these moves."""
    if packing.grid.lattice and all(move.cut is None for move in moves):
        return _Lattice(steps)
    return _Clashes(packing, moves)


class _Lattice:
    """Cells are taken or free."""

    def __init__(self, steps: Sequence[PackedMove]) -> None:
        self.steps = steps
        self.taken: set[int] = set()
        self.path: list[list[int]] = []

    def lay(self, depth: int, number: int, place: int, heading: int) -> bool:
        path = self.path
        while len(path) > depth:
            self.taken.difference_update(path.pop())
        cells = [place + cell for cell in self.steps[number].cells[heading]]
        if not self.taken.isdisjoint(cells):
            return False
        self.taken.update(cells)
        path.append(cells)
        return True


class _Clashes:
    """Two moves clash or not by how they lie to each other, which is remembered."""

    def __init__(self, packing: VectorPacking, moves: Sequence[Move]) -> None:
        self.packing, self.moves = packing, moves
        self.known: dict[tuple[int, int, int, int, int], bool] = {}
        self.path: list[tuple[int, int, int]] = []

    def lay(self, depth: int, number: int, place: int, heading: int) -> bool:
        del self.path[depth:]
        known = self.known
        for before, at, turned in self.path:
            key = (before, turned, number, heading, place - at)
            clashes = known.get(key)
            if clashes is None:
                clashes = known[key] = self._clash(*key)
            if clashes:
                return False
        self.path.append((number, place, heading))
        return True

    def _clash(self, one: int, turned: int, other: int, heading: int, apart: int) -> bool:
        origin = self.packing.grid.origin
        lying = Lying(self.moves[one].piece, self.moves[one].cut, origin, turned)
        piece, cut = self.moves[other].piece, self.moves[other].cut
        return lying.clashes(Lying(piece, cut, self.packing.unpack(apart), heading))


_DIRECTIONS: Final = 8
"""Looked at within one curve; between two of them the farthest point is hardly further."""
_MOST_STATES: Final = 900_000
"""So many are worked out in about a second."""
_MOST_ROWS: Final = 1_500_000
"""Ways from them to others that are looked at in one step."""
_BYTES_OF_STATE: Final = 120
"""While a step of the table is worked out."""
_SPARSE: Final = 16
"""Places in the table for each of its states: so few answers are too hopeful."""
_BEYOND_HALF: Final = 2
_NEAR: Final = 1e-6
_MIX: Final = np.uint64(0x9E3779B97F4A7C15)


class Reach:
    """The farthest that turning tiles lead, in cells: a bound that is never too small."""

    def __init__(self, packing: VectorPacking, moves: Sequence[PackedMove]) -> None:
        grid = packing.grid
        step = math.tau / grid.turns / _DIRECTIONS
        self.turns = grid.turns
        self.widest = 1 / math.cos(step / 2)
        self.bends: list[tuple[int, list[list[float]]]] = []
        turning = {move.shape for move in moves if move.turn}
        for move in moves:
            # A tile that can also be gone straight through counts as one that turns.
            if move.shape in turning:
                exits = [grid.point(packing.unpack(number), 1.0) for number in move.exits]
                onto = [
                    [at.x * math.cos(n * step) - at.y * math.sin(n * step) for at in exits]
                    for n in range(_DIRECTIONS)
                ]
                self.bends.append((move.turn, onto))
        # By direction and heading: the farthest that the tiles counted so far lead that way.
        self.ahead = [[0.0] * self.turns for _ in range(_DIRECTIONS)]
        self.farthest = [0.0]

    def of(self, bends: int) -> float:
        """How far so many turning tiles lead at most."""
        while len(self.farthest) <= bends and self.bends:
            self.ahead = [
                [
                    max(
                        onto[n][heading] + after[(heading + turn) % self.turns]
                        for turn, onto in self.bends
                    )
                    for heading in range(self.turns)
                ]
                for n, after in enumerate(self.ahead)
            ]
            self.farthest.append(max(map(max, self.ahead)) * self.widest)
        return self.farthest[min(bends, len(self.farthest) - 1)]


class ClosureBounds:
    """Ways home for circuits of at most `length` tiles that begin `width` lanes wide.

    `owned` is how many there are of each shape, `least` how many circuits take at least. Where the
    shapes are few, `exact`, the table knows how many of each a way home takes; else only whether it
    takes those that are still owed of the `least`. `after` counts them down.
    """

    def __init__(
        self,
        packing: VectorPacking,
        moves: Sequence[PackedMove],
        owned: Sequence[int],
        length: int,
        width: int,
        memory: int,
        least: Sequence[int] = (),
    ) -> None:
        self.packing, self.moves, self.owned, self.width = packing, moves, owned, width
        self.least = list(least) or [0] * len(owned)
        self.turns = packing.grid.turns
        self._count(math.prod(count + 1 for count in owned) <= _MOST_REMAINDERS)
        self.widths = max(max(move.enters, move.leaves) for move in moves) + 1
        self.deepest = 0
        self.wanted = length // 2 + _BEYOND_HALF
        self.is_cut_short = False
        self._memory = memory
        self._fill(length, memory)
        self._bounds: dict[tuple[int, int], tuple[int, int, float]] = {}
        self._reach = Reach(packing, moves)

    def _count(self, exact: bool) -> None:
        """Count all shapes, or those of which some are owed, in the digits of one number."""
        self.exact = exact
        if exact or math.prod(n + 1 for n in self.least) <= _MOST_REMAINDERS:
            digits = list(self.owned) if exact else self.least
        else:
            digits = [0] * len(self.owned)
        self.units = [math.prod(n + 1 for n in digits[:at]) for at in range(len(digits))]
        self.digits = digits
        self._unit = np.array([self.units[move.shape] for move in self.moves], np.int64)
        self._base = np.array([digits[move.shape] + 1 for move in self.moves], np.int64)

    def left_of(self, counts: Sequence[int]) -> int:
        """The number of so many tiles of each shape, or of those that are owed."""
        some = zip(counts, self.digits, self.units, strict=True)
        return summed(min(n, most) * unit for n, most, unit in some)

    def after(self, left: Ints, moves: Ints) -> Ints:
        """The numbers after these moves."""
        unit, base = self._unit[moves], self._base[moves]
        counted = base > 1 if self.exact else left // unit % base > 0
        return left - unit * counted

    def can(self, left: Ints, todo: int, turn: Ints, width: Ints, place: Ints) -> Bools:
        """False where no `todo` of the tiles left lead home from this place, `turn` curves to the
        left in all, entered `width` lanes wide. True may be too hopeful, but not at the end."""
        if not todo:
            found: Bools = (place == 0) & (turn == 0) & (width == self.width) & (left == 0)
            return found
        if todo <= self.deepest or not len(left):
            seen: Bools = self._table[self._slots(left, todo, turn, width, place)]
            return seen
        bounds = {n: self._bound(int(n), todo) for n in np.unique(left)}
        if len(bounds) == 1:
            [(least, largest, far)] = bounds.values()
            return (turn >= least) & (turn <= largest) & self._near(place, far)
        numbers = np.fromiter(bounds, np.int64)
        which = np.searchsorted(numbers, left)
        least_, largest_, far_ = (np.array(part) for part in zip(*bounds.values(), strict=True))
        close = self._near(place, far_[which])
        return (turn >= least_[which]) & (turn <= largest_[which]) & close

    def forget_counts(self, length: int) -> None:
        """From here on do not look how many of each shape are left."""
        self._count(False)
        self._fill(length, self._memory)

    def _near(self, place: Ints, far: Any) -> Bools:
        x, y = _points(self.packing, place)
        near: Bools = x * x + y * y <= far * far
        return near

    def _slots(self, left: Ints, todo: int, turn: Ints, width: Ints, place: Ints) -> Any:
        state = (left * (2 * self.deepest + 3) + turn) * self.widths + width
        if not self.exact:
            state = state * (self.deepest + 1) + todo
        mixed = (state.astype(np.uint64) * _MIX) ^ place.astype(np.uint64)
        mixed = (mixed ^ (mixed >> np.uint64(29))) * _MIX
        return mixed >> self._shift

    def _fill(self, length: int, memory: int) -> None:
        """The states from which so many tiles lead home, step by step backwards."""
        most = min(_MOST_STATES, memory // _BYTES_OF_STATE)
        rows = min(_MOST_ROWS, memory // _BYTES_OF_STATE)
        states: list[tuple[Ints, Ints, Ints, Ints]] = []
        one = np.zeros(1, np.int64)
        last = (one, one, np.full(1, self.width), one)
        number = 0
        while len(states) < min(self.wanted, length):
            before = self._before(*last, rows)
            if before is None or (states and number + len(before[0]) > most):
                self.is_cut_short = rows < _MOST_ROWS
                break
            last = before
            number += len(last[0])
            states.append(last)
        self.deepest = len(states)
        room = max(number, 1) * _SPARSE
        bits = min(max(room - 1, 1023).bit_length(), (memory // 2).bit_length() - 1)
        self._shift = np.uint64(64 - bits)
        self._table = np.zeros(1 << bits, np.bool_)
        for todo, (left, turn, width, place) in enumerate(states, 1):
            self._table[self._slots(left, todo, turn, width, place)] = True

    def _before(
        self, left: Ints, turn: Ints, width: Ints, place: Ints, most: int
    ) -> tuple[Ints, Ints, Ints, Ints] | None:
        """From where one tile more leads to any of these states; None where these are more than
        there is memory for, each as often as it is led to."""
        steps: list[tuple[PackedMove, Ints, int]] = []
        for move in self.moves:
            able = width == move.leaves
            unit, digit = self.units[move.shape], self.digits[move.shape]
            more = able & (left // unit % (digit + 1) < digit)
            # What is owed may be laid besides as well; what is counted is always taken.
            if not self.exact:
                steps.append((move, np.flatnonzero(able), 0))
            if digit:
                steps.append((move, np.flatnonzero(more), unit))
        if summed(len(chosen) for _, chosen, _ in steps) > most:
            return None
        found = [self._led_to_by(*step, left, turn, place) for step in steps]
        left, turn, width, place = (np.concatenate(part) for part in zip(*found, strict=True))
        order = np.lexsort((place, width, turn, left))
        state = np.stack((left[order], turn[order], width[order], place[order]))
        new = np.ones(len(order), np.bool_)
        new[1:] = (state[:, 1:] != state[:, :-1]).any(axis=0)
        left, turn, width, place = state[:, new]
        return left, turn, width, place

    def _led_to_by(
        self, move: PackedMove, chosen: Ints, more: int, left: Ints, turn: Ints, place: Ints
    ) -> tuple[Ints, Ints, Ints, Ints]:
        """From where this move leads to the states chosen, what is left being so much more."""
        before = turn[chosen] + move.turn
        # The heading follows from the curves left, as the last tile leads out at heading 0.
        step = np.array(move.exits, np.int64)[-before % self.turns]
        entered = np.full(len(chosen), move.enters, np.int64)
        return left[chosen] + more, before, entered, place[chosen] - step

    def _bound(self, left: int, todo: int) -> tuple[int, int, float]:
        """How far `todo` of the tiles turn at least and at most, and how far they reach."""
        key = (left, todo)
        if key not in self._bounds:
            self._bounds[key] = self._work_out(left, todo)
        return self._bounds[key]

    def _work_out(self, left: int, todo: int) -> tuple[int, int, float]:
        turning: dict[int, list[int]] = {}
        ahead: dict[int, float] = {}
        for move in self.moves:
            turning.setdefault(move.shape, []).append(move.turn)
            away = self.packing.grid.distance(self.packing.unpack(move.exits[0]))
            ahead[move.shape] = max(away, ahead.get(move.shape, 0.0))
        counts = self.owned
        if self.exact:
            counts = [
                left // unit % (most + 1) for unit, most in zip(self.units, counts, strict=True)
            ]
        tiles = [shape for shape in turning for _ in range(counts[shape])]
        least = summed(sorted(min(turning[s]) for s in tiles)[:todo])
        largest = summed(sorted(max(turning[s]) for s in tiles)[-todo:])
        far = sorted((ahead[s] for s in tiles if not any(turning[s])), reverse=True)
        bends = len(tiles) - len(far)
        reaches = (
            summed(far[: todo - n]) + self._reach.of(n)
            for n in range(max(0, todo - len(far)), min(bends, todo) + 1)
        )
        return least, largest, max(reaches, default=-1.0) + _NEAR


_MOST_REMAINDERS: Final = 3_000


def _points(packing: VectorPacking, place: Ints) -> tuple[npt.NDArray[np.float64], ...]:
    """Where packed places lie, in cells; y runs down."""
    half, grid = packing.base // 2, packing.grid
    x, y = np.zeros(len(place)), np.zeros(len(place))
    for axis in range(len(grid.unit)):
        digit = (place + half) % packing.base - half
        place = (place - digit) // packing.base
        angle = math.tau * axis / grid.turns
        x += digit * math.cos(angle)
        y -= digit * math.sin(angle)
    return x, y


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
        theirs = [_points(self.packing, place) for place in others.places]
        for mine in laid.places:
            x, y = _points(self.packing, mine)
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
        x, y = _points(self.packing, rows.places[row])
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
        slot = ((key.astype(np.uint64) * _MIX) >> np.uint64(64 - _SLOTS)).astype(np.int64)
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
            onto = np.stack(_points(self.packing, row), axis=1) @ self.along.T
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
