"""Find closed circuits of tiles: all of them in order, some at random, or the tiles for a gap.

Two circuits count as one if you can turn one on the table so that it lies on the other, whatever
their starts and, if all their tiles can be driven both ways, their directions. A circuit that does
not cross itself turns by one full turn, so each is a cyclic word of moves. Its canonical word is
the first of its rotations. The search lays only words that can be the first of their rotations
(Fredricksen, Kessler and Maiorana), so each circuit comes once and none has to be remembered.

Many courses are laid side by side, one per column. A course ends when a tile would lie on another,
or when the tiles that are left cannot lead back to the start. For the last tiles, `WaysHome` looks
that up in a table worked out backwards from the start.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from itertools import product
from typing import Any, Final

import numpy as np
import numpy.typing as npt
from msgspec import Struct
from msgspec.structs import astuple, replace

from generator.geometry import summed
from generator.tracks.courses import LaidTile, Lying, solids
from generator.tracks.inventory import Inventory, Move, TileWord
from generator.tracks.pieces import HEXAGONS, TileGrid, Vector, times, total

Ints = npt.NDArray[np.int64]
Bools = npt.NDArray[np.bool_]

_FIRST: Final = 32
_MOST_COLUMNS: Final = 20_000
_MOST_NUMBERS: Final = 125_000_000
"""Limits the columns laid at once: about 500 MB for the longest circuits."""
_ANGLES: Final = 24
_WIDER: Final = 16
"""Factor of random courses kept for the last tiles, which must fit exactly."""
_MOST_COUNTED: Final = 3_000
_MOST_PARTS: Final = 200
_MIX: Final = np.uint64(0x9E3779B97F4A7C15)


def circuits(
    inventory: Inventory, length: int | None = None, mirror: bool = False
) -> Iterator[TileWord]:
    """Yield the canonical words of all circuits of `length` tiles, or of all tiles.

    With `mirror`, mirror images count as one.
    """
    wanted = inventory.owned if length is None else length
    if 0 < wanted <= inventory.owned:
        for words, _ in Solver(inventory, wanted).search(wanted):
            yield from (w for w in words if not (mirror and earlier_image(inventory, w)))


def canonical(inventory: Inventory, word: TileWord) -> TileWord:
    """Return the word that all turns, starts and directions of a circuit share."""
    way = word
    if summed(inventory.moves[number].piece.turn for number in word) < 0:
        back = tuple(b for number in reversed(word) if (b := inventory.back[number]) is not None)
        way = back if len(back) == len(word) else word
    twice, length = way + way, len(way)
    return min((twice[i : i + length] for i in range(length)), default=())


def mirror_word(inventory: Inventory, word: TileWord) -> TileWord | None:
    """Return the canonical word of the mirror image, or None if you do not own its tiles."""
    image = tuple(m for number in word if (m := inventory.mirror[number]) is not None)
    if len(image) != len(word):
        return None
    used = [inventory.moves[number].shape for number in image]
    enough = all(used.count(n) <= shape.owned for n, shape in enumerate(inventory.shapes))
    return canonical(inventory, image) if enough else None


def earlier_image(inventory: Inventory, word: TileWord) -> TileWord | None:
    """Return the word of the mirror image if it comes before the word itself."""
    image = mirror_word(inventory, word)
    if image is None or image >= canonical(inventory, word):
        return None
    # Mirrored bends of an even number of hexagon lanes are half a cell off: they may not close.
    widths = (inventory.moves[number].piece.enters for number in word)
    exact = inventory.grid is not HEXAGONS or all(width % 2 for width in widths)
    return image if exact or inventory.course(image).is_circuit else None


class PackedVectors(Struct, frozen=True):
    """Packs vectors into numbers, so that adding numbers adds vectors."""

    grid: TileGrid
    base: int

    def pack(self, vector: Vector) -> int:
        """Return the number of a vector."""
        number = 0
        for coordinate in reversed(vector):
            number = number * self.base + coordinate
        return number

    def unpack(self, number: int) -> Vector:
        """Return the vector of a number."""
        half, found = self.base // 2, []
        for _ in self.grid.unit:
            digit = (number + half) % self.base - half
            found.append(digit)
            number = (number - digit) // self.base
        return tuple(found)

    def points(self, places: Ints) -> tuple[Any, Any]:
        """Return where packed places lie, x and y in cells."""
        half, grid = self.base // 2, self.grid
        x, y = np.zeros(places.shape), np.zeros(places.shape)
        for axis in range(len(grid.unit)):
            digit = (places + half) % self.base - half
            places = (places - digit) // self.base
            x += digit * math.cos(math.tau * axis / grid.turns)
            y -= digit * math.sin(math.tau * axis / grid.turns)
        return x, y


class Rows(Struct, frozen=True):
    """Courses side by side: a column each, a row for each tile. `middles` are those of outlines."""

    moves: npt.NDArray[np.int16]
    headings: npt.NDArray[np.int16]
    places: Ints
    middles: Any

    def chosen(self, columns: Any) -> Rows:
        """Return some of the columns."""
        return Rows(*(part[:, columns] for part in astuple(self)))

    def tiles(self, rows: slice) -> Rows:
        """Return some of the tiles of each course."""
        return Rows(*(part[rows] for part in astuple(self)))

    def followed(self, more: Rows) -> Rows:
        """Return the courses with more tiles on each."""
        return Rows(*map(np.concatenate, zip(astuple(self), astuple(more), strict=True)))


class _Columns(Struct, frozen=True):
    """Begun courses, and for each: where and how the next tile lies, how wide it is entered, how
    many curves are still to turn, which counted tiles are left, how many of each shape lie, and how
    far the course reaches."""

    rows: Rows
    place: Ints
    heading: Ints
    width: Ints
    turn: Ints
    left: Ints
    used: Ints
    period: Ints
    extent: Any

    def chosen(self, columns: Any) -> _Columns:
        return _Columns(
            self.rows.chosen(columns),
            self.place[columns],
            self.heading[columns],
            self.width[columns],
            self.turn[columns],
            self.left[columns],
            self.used[:, columns],
            self.period[columns],
            self.extent[:, columns],
        )


class Solver:
    """Finds circuits of up to `longest` of the tiles, if given on a `table` of so many cells.

    `least` is how many of each shape every circuit has. `extent` is the largest coordinate of
    other tiles on the table.
    """

    def __init__(
        self,
        inventory: Inventory,
        longest: int,
        table: tuple[float, float] | None = None,
        least: Sequence[int] = (),
        extent: int = 0,
    ) -> None:
        moves, grid = inventory.moves, inventory.grid
        self.inventory, self.longest, self.turns = inventory, longest, grid.turns
        self.owned = tuple(shape.owned for shape in inventory.shapes)
        self.least = tuple(least) or (0,) * len(self.owned)
        exits = [[grid.rotated(m.piece.exit, n) for n in range(grid.turns)] for m in moves]
        far = max(abs(v) for by_heading in exits for vector in by_heading for v in vector)
        self.packing = PackedVectors(grid, 4 * ((longest + 1) * (far + 1) + extent) + 1)
        self.exits = np.array([list(map(self.packing.pack, each)) for each in exits], np.int64)
        self.turn = np.array([move.piece.turn for move in moves], np.int64)
        self.enters = np.array([move.piece.enters for move in moves], np.int64)
        self.leaves = np.array([move.piece.leaves for move in moves], np.int64)
        self.shape = np.array([move.shape for move in moves], np.int64)
        single = all(move.cut is None and len(move.piece.cells) == 1 for move in moves)
        self.room = CellRoom() if single and grid.lattice else OutlineRoom(self.packing, moves)
        self.table = TableLimits(self.packing, moves, *table) if table else None
        self.home = cache(self._home)
        self.tried = 0

    def _home(self, width: int, exact: bool) -> WaysHome:
        return WaysHome(self, width, exact)

    def search(self, length: int, begun: TileWord = ()) -> Iterator[tuple[list[TileWord], int]]:
        """Yield words of circuits of so many tiles in order, perhaps none, and the tiles tried.

        With `begun`, yield those that go on from these moves, not turned to their canonical words.
        """
        both_ways = [back is not None for back in self.inventory.back]
        sides = (1,) if all(both_ways) and not begun else (1, -1)
        parts = self._parts(length)
        exact = parts != [self.owned] or sum(self.owned) == length
        exact = exact and math.prod(n + 1 for n in self.owned) <= _MOST_COUNTED
        for part, side in product(parts, sides):
            for first in begun[:1] or range(len(self.turn)):
                shapes = set(self.shape[first:])
                if part[self.shape[first]] and (
                    begun or summed(part[shape] for shape in shapes) >= length
                ):
                    word = begun or (first,)
                    for words in self._words(length, word, part, exact, side, not begun):
                        # Those that can be driven both ways came when they turned left.
                        known = side < 0 and not begun
                        new = [w for w in words if not (known and all(both_ways[n] for n in w))]
                        yield new, self.tried

    def _parts(self, length: int) -> list[tuple[int, ...]]:
        """Return each choice of so many tiles if these are few; else all tiles."""
        counted = math.prod(n + 1 for n in self.owned) <= _MOST_COUNTED
        ranges = [
            range(min(owned, length), least - 1, -1)
            for owned, least in zip(self.owned, self.least, strict=True)
        ]
        few = math.prod(map(len, ranges)) <= _MOST_PARTS * length
        if summed(self.owned) == length or not (counted and few):
            return [self.owned]
        return [part for part in product(*ranges) if summed(part) == length]

    def _words(
        self,
        length: int,
        begun: TileWord,
        part: Sequence[int],
        exact: bool,
        side: int,
        necklace: bool,
    ) -> Iterator[list[TileWord]]:
        home = self.home(int(self.enters[begun[0]]), exact)
        limits = np.array(part, np.int64)
        columns = self._start(int(self.enters[begun[0]]), [side * self.turns], home, part)
        for number in begun:
            able = np.arange(len(self.turn)) == number
            columns = self._next(columns, length, home, limits, able[:, None])
        if len(begun) == length and len(columns.place):
            yield [begun]
            return
        row = length * 12 + 8 * (8 + len(part))
        branches = max(2, min(len(self.turn), 8))
        most = max(_FIRST, min(_MOST_COLUMNS, _MOST_NUMBERS // (row * length * branches)))
        size = _FIRST
        stack = [columns]
        numbers = np.arange(len(self.turn))[:, None]
        while stack:
            columns = stack.pop()
            if len(columns.place) > size:
                stack.append(columns.chosen(slice(size, None)))
                columns = columns.chosen(slice(0, size))
            size = min(max(size, self.tried // _FIRST), most)
            depth = len(columns.rows.moves)
            able = np.ones((1, 1), np.bool_)
            if necklace and len(columns.place):
                at = depth - columns.period, np.arange(len(columns.place))
                able = numbers >= columns.rows.moves[at]
            after = self._next(columns, length, home, limits, able)
            if depth + 1 < length:
                if len(after.place):
                    stack.append(after)
                yield []
                continue
            whole = after.chosen(np.flatnonzero((length % after.period == 0) | (not necklace)))
            yield list(map(tuple, whole.rows.moves.T.tolist()))

    def _start(
        self, width: int, turns: Sequence[int], home: WaysHome, part: Sequence[int]
    ) -> _Columns:
        """Return courses without tiles, one for each number of curves to turn."""
        count = len(turns)
        none = np.zeros(count, np.int64)
        rows = self.room.rows(*np.zeros((3, 0, count), np.int64))
        left = none + home.number_of(part if home.exact else self.least)
        used = np.zeros((len(part), count), np.int64)
        extent = np.zeros((2, count, _ANGLES if self.table else 0))
        return _Columns(
            rows, none, none, none + width, np.array(turns), left, used, none + 1, extent
        )

    def _next(
        self, columns: _Columns, length: int, home: WaysHome, limits: Ints, able: Bools
    ) -> _Columns:
        """Lay one more tile on each course, in every way that is `able` and may still close."""
        rows, depth = columns.rows, len(columns.rows.moves)
        able = able & (self.enters[:, None] == columns.width)
        able &= columns.used[self.shape] < limits[self.shape][:, None]
        column, move = np.nonzero(able.T)
        self.tried += len(column)
        heading, place = columns.heading[column], columns.place[column]
        there = place + self.exits[move, heading]
        turn = columns.turn[column] - self.turn[move]
        left = home.after(columns.left[column], move)
        kept = np.flatnonzero(home.can(left, length - depth - 1, turn, self.leaves[move], there))
        new = self.room.rows(move[None, kept], heading[None, kept], place[None, kept])
        behind = rows.chosen(column[kept])
        roomy = np.flatnonzero(self.room.has(new, behind))
        extent = columns.extent[:, column[kept[roomy]]]
        if self.table is not None:
            extent = self.table.extent(extent, new.places[0, roomy])
            fits = np.flatnonzero(self.table.holds(extent))
            roomy, extent = roomy[fits], extent[:, fits]
        kept = kept[roomy]
        column, move, heading = column[kept], move[kept], heading[kept]
        used = columns.used[:, column]
        used[self.shape[move], np.arange(len(move))] += 1
        period = columns.period[column]
        if depth:
            before = rows.moves[depth - period, column]
            period = np.where(move == before, period, depth + 1)
        return _Columns(
            behind.chosen(roomy).followed(new.chosen(roomy)),
            there[kept],
            (heading + self.turn[move]) % self.turns,
            self.leaves[move],
            turn[kept],
            left[kept],
            used,
            period,
            extent,
        )

    def sample(
        self,
        length: int,
        random: np.random.Generator,
        columns: int,
        steady: float,
        most: Sequence[int] = (),
        least: Sequence[int] = (),
    ) -> list[TileWord]:
        """Lay tiles at random, so many courses at once, and return the circuits among them.

        The more `steady`, the more evenly a course turns. At most and at least so many tiles of
        each shape are laid.
        """
        most, least = most or self.owned, least or self.least
        limits = np.array(most, np.int64)
        needed = [n for n, few in enumerate(least) if few][:1]
        shapes = needed or np.flatnonzero(limits)
        firsts = np.flatnonzero(np.isin(self.shape, shapes) & (limits[self.shape] > 0))
        if not len(firsts) or length > limits.sum():
            return []
        first = int(random.choice(firsts))
        width = int(self.enters[first])
        exact = summed(self.owned) == summed(most) == length
        exact = exact and math.prod(n + 1 for n in self.owned) <= _MOST_COUNTED
        home = self.home(width, exact)
        laid = self._start(width, [self.turns, -self.turns], home, most)
        able = (np.arange(len(self.turn)) == first)[:, None]
        for number in range(length):
            laid = self._next(laid, length, home, limits, able)
            able = np.ones((1, 1), np.bool_)
            is_late = length - number - 1 <= home.deepest and not home.exact
            wide = columns * (_WIDER if is_late else 1)
            if len(laid.place) > wide:
                weights = self._weights(laid, limits, (number + 1) / length, steady)
                weights += random.gumbel(size=len(weights))
                laid = laid.chosen(np.sort(np.argpartition(-weights, wide)[:wide]))
        return list(map(tuple, laid.rows.moves.T.tolist()))

    def _weights(self, laid: _Columns, limits: Ints, share: float, steady: float) -> Any:
        """Weigh courses: for tiles with many left, steady turning, and tiles that change
        the width only when few of the old width are left."""
        last = laid.rows.moves[-1]
        left = limits[:, None] - laid.used
        gone = self.turn[laid.rows.moves].sum(axis=0)
        off = gone - (gone + laid.turn) * share
        weights = np.log1p(left[self.shape[last], np.arange(len(last))]) - steady * off * off
        level = self.enters == self.leaves
        for move in np.flatnonzero(~level):
            changed = np.flatnonzero(last == move)
            same = np.unique(self.shape[level & (self.enters == self.enters[move])])
            weights[changed] -= 2 * np.log1p(left[same][:, changed].sum(axis=0))
        return weights

    def fillings(
        self, obstacles: Sequence[LaidTile], before: LaidTile, after: LaidTile, length: int
    ) -> Iterator[TileWord]:
        """Yield words of so many tiles that lead from one laid tile to another and lie on none of
        the obstacles, whose moves are numbered after those of the inventory."""
        grid, known = self.inventory.grid, len(self.inventory.moves)
        self.room = OutlineRoom(
            self.packing,
            [*self.inventory.moves, *(Move(0, t.letter, t.piece, t.tile.cut) for t in obstacles)],
        )

        def seen(place: Vector) -> int:
            away = total(place, times(after.place, -1))
            return self.packing.pack(grid.rotated(away, -after.heading))

        home = self.home(after.piece.enters, False)
        heading = (before.onward - after.heading) % grid.turns
        start = self._start(before.piece.leaves, [-heading, grid.turns - heading], home, self.owned)
        rows = self.room.rows(
            [[known + n] * 2 for n in range(len(obstacles))],
            [[(t.heading - after.heading) % grid.turns] * 2 for t in obstacles],
            [[seen(t.place)] * 2 for t in obstacles],
        )
        place = start.place + seen(before.end)
        laid = replace(start, rows=rows, place=place, heading=start.heading + heading)
        able = np.ones((1, 1), np.bool_)
        for _ in range(length):
            if len(laid.place) > _MOST_COLUMNS:
                laid = laid.chosen(slice(0, _MOST_COLUMNS))
            laid = self._next(
                laid, len(obstacles) + length, home, np.array(self.owned, np.int64), able
            )
        yield from map(tuple, laid.rows.moves[len(obstacles) :].T.tolist())


class WaysHome:
    """Knows from where the last tiles of a circuit lead back to its start, `width` lanes wide.

    An `exact` table counts how many tiles of each shape are left; another counts only those that
    must still be laid. Answers may be too hopeful, but never rule out a circuit.
    """

    _MOST_STATES: Final = 900_000
    _MOST_STEPS: Final = 1_500_000
    _SPARSE: Final = 16

    def __init__(self, solver: Solver, width: int, exact: bool) -> None:
        self.solver, self.width, self.exact = solver, width, exact
        digits = solver.owned if exact else solver.least
        if math.prod(n + 1 for n in digits) > _MOST_COUNTED:
            digits = (0,) * len(digits)
        self.digits = digits
        self.units = [math.prod(n + 1 for n in digits[:at]) for at in range(len(digits))]
        self.unit = np.array(self.units, np.int64)[solver.shape]
        self.base = np.array(digits, np.int64)[solver.shape] + 1
        self.widths = int(max(solver.enters.max(), solver.leaves.max())) + 1
        away = [solver.packing.grid.distance(m.piece.exit) for m in solver.inventory.moves]
        self.reach = self._sums(away)
        self.leftmost = self._sums(solver.turn.tolist())
        self.rightmost = self._sums((-solver.turn).tolist())
        self._fill()

    def _sums(self, values: Sequence[float]) -> list[float]:
        """Return the largest sum of a value over no, one, two … of the tiles."""
        largest = [-math.inf] * len(self.solver.owned)
        for shape, value in zip(self.solver.shape, values, strict=True):
            largest[shape] = max(largest[shape], value)
        every = zip(largest, self.solver.owned, strict=True)
        tiles = sorted((value for value, n in every for _ in range(n)), reverse=True)
        return [math.fsum(tiles[:n]) for n in range(self.solver.longest + 1)]

    def number_of(self, counts: Sequence[int]) -> int:
        """Pack the counted tiles of each shape into a number."""
        parts = zip(counts, self.digits, self.units, strict=True)
        return summed(min(n, most) * unit for n, most, unit in parts)

    def after(self, left: Ints, moves: Ints) -> Ints:
        """Return these numbers after a move each."""
        unit, base = self.unit[moves], self.base[moves]
        counted = base > 1 if self.exact else left // unit % base > 0
        return left - unit * counted

    def can(self, left: Ints, todo: int, turn: Ints, width: Ints, place: Ints) -> Bools:
        """Tell for each course if `todo` more tiles may lead home."""
        found: Bools
        if not todo:
            found = (place == 0) & (turn == 0) & (width == self.width) & (left == 0)
        elif todo <= self.deepest:
            found = self.table[self._slots(left, todo, turn, width, place)]
        else:
            x, y = self.solver.packing.points(place)
            found = x * x + y * y <= (self.reach[todo] + 1e-6) ** 2
            found &= (turn <= self.leftmost[todo]) & (-turn <= self.rightmost[todo])
        return found

    def _slots(self, left: Ints, todo: int, turn: Ints, width: Ints, place: Ints) -> Any:
        state = (left * (2 * self.deepest + 3) + turn) * self.widths + width
        if not self.exact:
            state = state * (self.deepest + 1) + todo
        mixed = (state.astype(np.uint64) * _MIX) ^ place.astype(np.uint64)
        mixed = (mixed ^ (mixed >> np.uint64(29))) * _MIX
        return mixed >> self.shift

    def _fill(self) -> None:
        """Work out the states one, two … tiles before the end, as far as memory allows."""
        one = np.zeros(1, np.int64)
        last: tuple[Ints, Ints, Ints, Ints] | None = (one, one, one + self.width, one)
        states: list[tuple[Ints, Ints, Ints, Ints]] = []
        number = 0
        while last is not None and len(states) < min(self.solver.longest // 2 + 2, 60):
            last = self._before(*last)
            number += len(last[0]) if last else 0
            if last is None or (states and number > self._MOST_STATES):
                break
            states.append(last)
        self.deepest = len(states)
        slots = max(summed(len(state[0]) for state in states) * self._SPARSE, 1024)
        self.shift = np.uint64(64 - (slots - 1).bit_length())
        self.table = np.zeros(1 << (slots - 1).bit_length(), np.bool_)
        for todo, (left, turn, width, place) in enumerate(states, 1):
            self.table[self._slots(left, todo, turn, width, place)] = True

    def _before(
        self, left: Ints, turn: Ints, width: Ints, place: Ints
    ) -> tuple[Ints, Ints, Ints, Ints] | None:
        """Return the states one tile before these, or None if there are too many."""
        solver = self.solver
        steps: list[tuple[int, Ints, int]] = []
        for move in range(len(solver.turn)):
            able = width == solver.leaves[move]
            unit, digit = int(self.unit[move]), int(self.base[move]) - 1
            # A tile that must be laid can also be laid once more.
            if not self.exact:
                steps.append((move, np.flatnonzero(able), 0))
            if digit:
                more = able & (left // unit % (digit + 1) < digit)
                steps.append((move, np.flatnonzero(more), unit))
        if summed(len(chosen) for _, chosen, _ in steps) > self._MOST_STEPS:
            return None
        found = []
        for move, chosen, more in steps:
            before = turn[chosen] + solver.turn[move]
            # The heading follows from the curves left, as the last tile leads out at heading 0.
            there = place[chosen] - solver.exits[move][-before % solver.turns]
            entered = np.full(len(chosen), solver.enters[move], np.int64)
            found.append(np.stack((left[chosen] + more, before, entered, there)))
        state = np.concatenate(found, axis=1)
        state = state[:, np.lexsort(state[::-1])]
        new = np.ones(state.shape[1], np.bool_)
        new[1:] = (state[:, 1:] != state[:, :-1]).any(axis=0)
        first, second, third, fourth = state[:, new]
        return first, second, third, fourth


class CellRoom:
    """Tells where tiles of one lattice cell each have room."""

    def rows(self, moves: Any, headings: Any, places: Any) -> Rows:
        """Return courses of these tiles."""
        moves, places = np.array(moves, np.int16), np.array(places, np.int64)
        return Rows(moves, np.array(headings, np.int16), places, np.zeros(places.shape, np.bool_))

    def has(self, laid: Rows, others: Rows) -> Bools:
        """Tell for each course if none of these tiles lies on one of those others."""
        free = np.ones(laid.places.shape[1], np.bool_)
        for place in others.places:
            free &= (laid.places != place).all(axis=0)
        return free


class OutlineRoom:
    """Tells where tiles of any outline have room. Remembers how two may lie to each other."""

    def __init__(self, packing: PackedVectors, moves: Sequence[Move]) -> None:
        self.packing, self.moves, self.turns = packing, moves, packing.grid.turns
        self.span = packing.base ** len(packing.grid.unit)
        self.clashes = lru_cache(300_000)(self._clashes)
        middles, reaches = [], []
        for move in moves:
            corners = np.array(solids(move.piece, move.cut)[0].corners)
            middle = (corners.max(axis=0) + corners.min(axis=0)) / 2
            reaches.append(float(np.hypot(*(corners - middle).T).max()))
            angles = -2 * np.pi * np.arange(self.turns) / self.turns
            middles.append(complex(*middle) * np.exp(1j * angles))
        self.middles, self.reaches = np.array(middles), np.array(reaches)

    def rows(self, moves: Any, headings: Any, places: Any) -> Rows:
        """Return courses of these tiles."""
        moves, headings = np.array(moves, np.int16), np.array(headings, np.int16)
        places = np.array(places, np.int64)
        x, y = self.packing.points(places)
        return Rows(moves, headings, places, x + 1j * y + self.middles[moves, headings])

    def has(self, laid: Rows, others: Rows) -> Bools:
        """Tell for each course if none of these tiles lies on one of those others."""
        free = np.ones(laid.places.shape[1], np.bool_)
        for row, number in product(range(len(laid.moves)), range(len(others.moves))):
            apart = laid.middles[row] - others.middles[number]
            far = self.reaches[laid.moves[row]] + self.reaches[others.moves[number]]
            near = np.flatnonzero((apart.real**2 + apart.imag**2 < far * far) & free)
            if len(near):
                free[near[self._near_clash(laid, row, others, number, near)]] = False
        return free

    def _near_clash(self, laid: Rows, row: int, others: Rows, number: int, near: Any) -> Bools:
        code = np.zeros(len(near), np.int64)
        for rows, tile in ((others, number), (laid, row)):
            lying = rows.moves[tile][near].astype(np.int64) * self.turns
            code = code * (len(self.moves) * self.turns) + lying + rows.headings[tile][near]
        key = code * self.span + (laid.places[row][near] - others.places[number][near])
        asked, which = np.unique(key, return_inverse=True)
        found: Bools = np.array([self.clashes(one) for one in asked.tolist()])
        return found[which]

    def _clashes(self, key: int) -> bool:
        apart = (key + self.span // 2) % self.span - self.span // 2
        code, later = divmod((key - apart) // self.span, len(self.moves) * self.turns)
        one, turned = divmod(code, self.turns)
        other, heading = divmod(later, self.turns)
        first, second = self.moves[one], self.moves[other]
        lying = Lying(first.piece, first.cut, self.packing.grid.origin, turned)
        return lying.clashes(Lying(second.piece, second.cut, self.packing.unpack(apart), heading))


class TableLimits:
    """Tells if courses may lie on a table of so many cells, turned as needed. Never rules out one
    that fits."""

    def __init__(
        self, packing: PackedVectors, moves: Sequence[Move], width: float, height: float
    ) -> None:
        self.packing = packing
        around = 2 * min(map(_inner_radius, moves), default=0.0)
        width, height = width - around, height - around
        angles = np.linspace(0.0, math.pi, _ANGLES, endpoint=False)
        self.along = np.stack((np.cos(angles), np.sin(angles)))
        # Between two of the angles the box may be a little smaller.
        more = math.hypot(width, height) * math.sin(math.pi / _ANGLES / 2)
        self.width, self.height = width + more, height + more

    def extent(self, before: Any, places: Ints) -> Any:
        """Return how far each course reaches by angle, least and most, with a tile more."""
        onto = np.stack(self.packing.points(places), axis=1) @ self.along
        return np.stack((np.minimum(before[0], onto), np.maximum(before[1], onto)))

    def holds(self, extent: Any) -> Bools:
        """Tell for each course if it may lie on the table."""
        wide = extent[1] - extent[0]
        high = np.roll(wide, -_ANGLES // 2, axis=1)
        fits: Bools = ((wide <= self.width) & (high <= self.height)).any(axis=1)
        return fits


def _inner_radius(move: Move) -> float:
    """Return how far a tile reaches around its place in every direction, in cells."""
    corners = np.array(solids(move.piece, move.cut)[0].corners)
    sides = np.roll(corners, -1, axis=0) - corners
    part = -(corners * sides).sum(axis=1) / (sides * sides).sum(axis=1)
    nearest = corners + np.clip(part, 0.0, 1.0)[:, None] * sides
    return float(np.hypot(nearest[:, 0], nearest[:, 1]).min())
