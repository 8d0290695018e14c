"""Lays all circuits: every closed one of an inventory's tiles without overlap, one by one; and
finds every set of tiles that can leave a circuit so that the rest is one again.

Without repeats **up to turning** means: two circuits are one when a turn of the table carries the
closed curve of one onto the other; where it starts does not matter, nor which way it is driven if
all its tiles can be gone through both ways. A curve that does not cross itself turns by exactly one
full turn (Hopf's Umlaufsatz): to the left, or for circuits with tiles of one direction only perhaps
to the right. Each is one necklace, a cyclic word of moves; its canonical word is the first of its
rotations. Up to **mirroring**, a circuit and its mirror image are one too, where both can be laid.
With 6 straights and 8 curves this gives 19 (11 up to mirroring) circuits of hexagons, 69 (39) of
squares, 5 (4) with 45° curves.

The search is over pre-necklaces (Fredricksen, Kessler and Maiorana: a move is never less than the
one a period before), so no word has to be remembered and each circuit comes once. It goes depth
first, many words of one depth at a time. A word is given up when a tile lies on another, or when
the tiles left cannot lead home.

Where tiles leave a circuit, the rest is pushed together: each tile is laid onto the one before it
that stayed. Only minimal sets are told, those of which no part can leave by itself; they come by
size, the smallest first. That search goes along the course and keeps a tile or takes it out; a
branch ends when a tile lies on another, or when no choice among the tiles after it leads home: from
where each does is worked out beforehand, from the end.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from itertools import product
from typing import Any, Final, NamedTuple

import numpy as np
from msgspec import Struct

from generator.geometry import summed
from generator.tracks.courses import Course
from generator.tracks.inventory import Inventory, Move, TileWord
from generator.tracks.pieces import HEXAGONS, form
from generator.tracks.pruning import (
    ClosureBounds,
    CourseRows,
    Ints,
    MoveTable,
    PackedMove,
    TableLimits,
    TileRoom,
    packed_moves,
    room_for,
    table,
)

MEMORY: Final = 500
"""Megabytes that a search may take unless it is told otherwise, Python itself among them."""
MOST_MEMORY: Final = 800
_OWN: Final = 120
_FIRST: Final = 32
_BYTES_OF_TILE: Final = 12
_MOST_PARTS: Final = 200


class SearchProgress(Struct, frozen=True):
    """How far a search is: tiles tried, circuits found, how much of all has been searched (0 to 1,
    counting what branches off at one place as equal), and the word that it is at (in order)."""

    tried: int
    found: int
    share: float
    word: TileWord


TellProgress = Callable[[SearchProgress], None]


def circuits(
    inventory: Inventory,
    *,
    length: int | None = None,
    mirror: bool = False,
    memory: int = MEMORY,
    report: TellProgress | None = None,
) -> Iterator[TileWord]:
    """Canonical words of all circuits; with no `length` of all the tiles, else of that many.

    `mirror` counts mirror images once. The search takes at most `memory` megabytes. `report` is
    called every few thousand tries. The search goes on only while the consumer asks for more.
    """
    wanted = inventory.owned if length is None else length
    if not 0 < wanted <= inventory.owned:
        return
    found = 0
    for words, progress in Search(inventory, wanted, memory).run():
        for word in words:
            if not (mirror and image_before(inventory, word)):
                found += 1
                yield word
        if report is not None:
            report(SearchProgress(progress.tried, found, progress.share, progress.word))


def canonical(inventory: Inventory, word: TileWord) -> TileWord:
    """The one word of all that mean the same circuit up to turning: it turns left if it can be
    gone through both ways, and of its rotations it is the first."""
    way = word
    if summed(inventory.moves[number].piece.turn for number in word) < 0:
        way = _read_backwards(inventory, word) or word
    twice, length = way + way, len(way)
    return min((twice[i : i + length] for i in range(length)), default=())


def mirror_word(inventory: Inventory, word: TileWord) -> TileWord | None:
    """The canonical word of the mirror image; None where its tiles are not all owned."""
    image = tuple(m for number in word if (m := inventory.mirror[number]) is not None)
    if len(image) != len(word):
        return None
    used = [inventory.moves[number].shape for number in image]
    enough = all(used.count(n) <= shape.owned for n, shape in enumerate(inventory.shapes))
    return canonical(inventory, image) if enough else None


def _read_backwards(inventory: Inventory, word: TileWord) -> TileWord | None:
    back = tuple(b for number in reversed(word) if (b := inventory.back[number]) is not None)
    return back if len(back) == len(word) else None


def image_before(inventory: Inventory, word: TileWord) -> TileWord | None:
    """The canonical word of the mirror image where it comes before that of the word itself."""
    image = mirror_word(inventory, word)
    if image is None or image >= canonical(inventory, word):
        return None
    # The image of a bend has its measures but, of an even number of lanes on hexagons, not quite
    # its cells: it may then be no circuit.
    widths = (inventory.moves[number].piece.enters for number in word)
    exact = inventory.grid is not HEXAGONS or all(width % 2 for width in widths)
    return image if exact or inventory.course(image).is_circuit else None


class _Chunk(Struct, frozen=True):
    """Words begun, of one depth, in order; `rows` has where their tiles lie. Where the next tile of
    each would lie, its heading and width; the period of each, what it has left (as the table of
    ways home counts it), how many of each shape it used, how many curves it has to go. From `begin`
    to `end` of the whole search."""

    rows: CourseRows
    place: Ints
    heading: Ints
    width: Ints
    period: Ints
    left: Ints
    used: Ints
    turn: Ints
    begin: float
    end: float

    def chosen(self, columns: Any) -> _Chunk:
        count = max(len(self.place), 1)
        size = (self.end - self.begin) / count
        low, high = (columns.start, columns.stop) if isinstance(columns, slice) else (0, count)
        return _Chunk(
            self.rows.chosen(columns),
            self.place[columns],
            self.heading[columns],
            self.width[columns],
            self.period[columns],
            self.left[columns],
            self.used[:, columns],
            self.turn[columns],
            self.begin + low * size,
            self.begin + min(high, count) * size,
        )


class Search:
    """The search for all circuits of so many of the tiles, in so many megabytes.

    With `begun` only for those that go on from that word, not turned to their canonical form;
    with a `table` only for those that may lie on one of so many cells, turned as needed; with
    `least` only for those that take so many of each shape. Where `is_cut_short`, it looks fewer
    tiles ahead than it would with more memory.
    """

    def __init__(
        self,
        inventory: Inventory,
        length: int,
        memory: int = MEMORY,
        begun: TileWord = (),
        table: tuple[float, float] | None = None,
        least: Sequence[int] = (),
        most: Sequence[int] = (),
    ) -> None:
        self.inventory, self.length, self.begun = inventory, length, begun
        self.least = tuple(least) or (0,) * len(inventory.shapes)
        self.packing, self.moves = packed_moves(inventory.grid, inventory.moves, length)
        self.table = TableLimits(self.packing, inventory.moves, *table) if table else None
        self.owned = list(most) or [shape.owned for shape in inventory.shapes]
        self.room: TileRoom = room_for(self.packing, inventory.moves)
        self.exits = np.array([move.exits for move in self.moves], np.int64)
        self.turn = np.array([move.turn for move in self.moves], np.int64)
        self.leaves = np.array([move.leaves for move in self.moves], np.int64)
        self.shape = np.array([move.shape for move in self.moves], np.int64)
        bytes_ = (memory - _OWN) * 1_000_000
        row = length * _BYTES_OF_TILE + 8 * (8 + len(self.owned))
        branches = max(2, min(len(self.moves), 8))
        self.most = max(_FIRST, min(20_000, bytes_ // 3 // (row * length * branches)))
        self.homes = {
            width: ClosureBounds(
                self.packing, self.moves, self.owned, length, width, bytes_ // 2, self.least
            )
            for width in self._widths()
        }
        self.is_cut_short = any(home.is_cut_short for home in self.homes.values())
        self.tried = 0

    def _widths(self) -> set[int]:
        if self.begun:
            return {self.moves[self.begun[0]].enters}
        return {move.enters for move in self.moves}

    def run(self) -> Iterator[tuple[list[TileWord], SearchProgress]]:
        """Words that are circuits, in order, perhaps none, and how far the search is."""
        two_way = [back is not None for back in self.inventory.back]
        sides = (1,) if all(two_way) and not self.begun else (1, -1)
        parts = self._parts()
        firsts = (self.begun[0],) if self.begun else range(len(self.moves))
        roots = [
            (side, first, part)
            for part in parts
            for side in sides
            for first in firsts
            if part[self.moves[first].shape] and (self.begun or self._enough(part, first))
        ]
        for number, (side, first, part) in enumerate(roots):
            begin, end = number / len(roots), (number + 1) / len(roots)
            for words, state in self._from(first, side, part, begin, end):
                kept = words
                if side < 0 and not self.begun:
                    kept = [word for word in words if not all(two_way[n] for n in word)]
                yield kept, state

    def _parts(self) -> list[tuple[int, ...]]:
        """How many of each shape circuits take: where the table of ways home counts them, and not
        all tiles are used, each choice by itself."""
        whole = tuple(self.owned)
        if summed(whole) == self.length or not all(home.exact for home in self.homes.values()):
            return [whole]
        ranges = [
            range(min(count, self.length), least - 1, -1)
            for count, least in zip(whole, self.least, strict=True)
        ]
        if math.prod(map(len, ranges)) > _MOST_PARTS * self.length:
            for home in self.homes.values():
                home.forget_counts(self.length)
            return [whole]
        return [part for part in product(*ranges) if summed(part) == self.length]

    def _enough(self, part: Sequence[int], first: int) -> bool:
        """True when there are tiles for a canonical word that begins with this move: none before
        it is in that."""
        shapes = {move.shape for move in self.moves[first:]}
        return summed(part[shape] for shape in shapes) >= self.length

    def _from(
        self, first: int, side: int, part: Sequence[int], begin: float, end: float
    ) -> Iterator[tuple[list[TileWord], SearchProgress]]:
        """All that begin with one move and turn to one side."""
        home = self.homes[self.moves[first].enters]
        one = np.zeros(1, np.int64)
        none = CourseRows(
            np.zeros((0, 1), np.int16), np.zeros((0, 1), np.int16), np.zeros((0, 1), np.int64)
        )
        turns = self.inventory.grid.turns
        left = np.full(1, home.left_of(part if home.exact else self.least))
        used = np.zeros((len(part), 1), np.int64)
        width = np.full(1, self.moves[first].enters)
        turn = np.full(1, side * turns)
        stack = [_Chunk(none, one, one, width, one + 1, left, used, turn, begin, end)]
        size = _FIRST
        limits = np.array(part, np.int64)
        while stack:
            chunk = stack.pop()
            if len(chunk.place) > size:
                rest = chunk.chosen(slice(size, len(chunk.place)))
                stack.append(rest)
                chunk = chunk.chosen(slice(0, size))
            size = min(max(size, self.tried // _FIRST), self.most)
            depth = len(chunk.rows.moves)
            after = self._expanded(chunk, depth, first, home, limits)
            words: list[TileWord] = []
            if depth + 1 == self.length:
                kept = after.chosen(np.flatnonzero(self._is_whole(after)))
                words = list(map(tuple, kept.rows.moves.T.tolist()))
            elif len(after.place):
                stack.append(after)
            at = after if len(after.place) else chunk
            word = tuple(at.rows.moves[:, 0].tolist()) if len(at.place) else ()
            yield words, SearchProgress(self.tried, 0, chunk.begin, word)

    def _is_whole(self, chunk: _Chunk) -> Any:
        if self.begun:
            return np.ones(len(chunk.place), np.bool_)
        return self.length % chunk.period == 0

    def _expanded(
        self, chunk: _Chunk, depth: int, first: int, home: ClosureBounds, limits: Ints
    ) -> _Chunk:
        """One tile more on each, in order."""
        rows, turns = chunk.rows, self.inventory.grid.turns
        count = len(chunk.place)
        free = bool(self.begun) or not depth
        before = np.zeros(count, np.int64)
        if not free:
            before = rows.moves[depth - chunk.period, np.arange(count)].astype(np.int64)
        columns, numbers = [], []
        for number, move in enumerate(self.moves):
            if depth < max(len(self.begun), 1) and number != (self.begun or (first,))[depth]:
                continue
            able = (chunk.width == move.enters) & (chunk.used[move.shape] < limits[move.shape])
            if not free:
                able &= before <= number
            found = np.flatnonzero(able)
            columns.append(found)
            numbers.append(np.full(len(found), number))
        column, chosen = np.concatenate(columns), np.concatenate(numbers)
        order = np.argsort(column, kind="stable")
        column, chosen = column[order], chosen[order]
        self.tried += len(column)
        there = chunk.place[column] + self.exits[chosen, chunk.heading[column]]
        turn = chunk.turn[column] - self.turn[chosen]
        left = home.after(chunk.left[column], chosen)
        kept = home.can(left, self.length - depth - 1, turn, self.leaves[chosen], there)
        column, chosen = column[kept], chosen[kept]
        there, turn, left = there[kept], turn[kept], left[kept]
        behind = rows.chosen(column)
        heading, place = chunk.heading[column], chunk.place[column]
        new = CourseRows(chosen.astype(np.int16)[None], heading.astype(np.int16)[None], place[None])
        roomy = np.flatnonzero(self.room.has(new, behind))
        if self.table is not None:
            roomy = roomy[self.table.holds(behind.places[:, roomy], place[roomy])]
        column, chosen, heading = column[roomy], chosen[roomy], heading[roomy]
        used = chunk.used[:, column]
        used[self.shape[chosen], np.arange(len(chosen))] += 1
        period = chunk.period[column]
        if depth:
            period = np.where(chosen == before[column], period, depth + 1)
        return _Chunk(
            behind.chosen(roomy).followed(chosen, heading, place[roomy]),
            there[roomy],
            (heading + self.turn[chosen]) % turns,
            self.leaves[chosen],
            period,
            left[roomy],
            used,
            turn[roomy],
            chunk.begin,
            chunk.end,
        )


_NOWHERE: Final[frozenset[int]] = frozenset()


def shortenings(
    course: Course,
    *,
    stay: frozenset[int] = frozenset(),
    starts: int = 0,
    most: int | None = None,
    report: Callable[[int], None] = lambda size: None,
) -> Iterator[tuple[int, ...]]:
    """The numbers of tiles that can leave together, ascending; none for what is no circuit.

    Tiles whose numbers are in `stay` do not leave, so many `starts` stay for the vehicles if there
    are as many, and no more than `most` tiles leave at once.
    `report` is told the size of the sets that are looked for next.
    """
    if not course.is_circuit:
        return
    grid = course.grid
    moves = [Move(n, t.letter, t.piece, t.tile.cut) for n, t in enumerate(course.tiles)]
    packing, steps = packed_moves(grid, moves, len(moves))
    homeward = _WaysHome(steps, grid.turns)
    found: list[list[int]] = [[] for _ in steps]
    grids = tuple(laid.tile.starts for laid in course.tiles)
    spare = max(0, summed(grids) - starts)
    # A circuit has at least as many tiles as curves make a full turn.
    largest = len(steps) - grid.turns
    for size in range(1, (largest if most is None else min(largest, most)) + 1):
        report(size)
        laid = table(packing, moves, steps)
        search = _ShorterSets(steps, homeward, laid, found, stay, grids)
        for leaving in search.run(size, spare):
            found[leaving.bit_length() - 1].append(leaving)
            yield tuple(n + 1 for n in range(len(steps)) if leaving >> n & 1)


class _WaysHome:
    """From where the tiles from a number on (from 0) lead home, if some of them leave."""

    def __init__(self, steps: Sequence[PackedMove], turns: int) -> None:
        self.steps, self.turns = steps, turns
        self.places = cache(self._places)

    def _places(self, number: int, out: int, turn: int, width: int, end: int) -> frozenset[int]:
        """With `out` tiles to leave and `turn` curves to go; entered `width` lanes wide, and left
        as wide as the circuit began, `end`."""
        todo = len(self.steps) - number
        if out > todo or abs(turn) > todo - out:
            return _NOWHERE
        if not todo:
            return frozenset({0}) if width == end else _NOWHERE
        step = self.steps[number]
        places = self.places(number + 1, out - 1, turn, width, end) if out else _NOWHERE
        if step.enters == width:
            away = step.exits[-turn % self.turns]
            after = self.places(number + 1, out, turn - step.turn, step.leaves, end)
            places = places | {place - away for place in after}
        return places


class _SearchNode(NamedTuple):
    """What is to be decided at tile `number` (from 0): how many lie already, and where and how the
    next would lie; which tiles leave, as bits; how many more are to, and how many starts can with
    them; how many curves are to come; how wide the next tile must be."""

    number: int
    depth: int
    place: int
    heading: int
    leaving: int
    out: int
    spare: int
    turn: int
    width: int


class _ShorterSets(NamedTuple):
    """The sets of one size, given all smaller ones by their last tile."""

    steps: Sequence[PackedMove]
    homeward: _WaysHome
    laid: MoveTable
    found: Sequence[Sequence[int]]
    stay: frozenset[int]
    grids: Sequence[int]

    def run(self, size: int, spare: int) -> Iterator[int]:
        """Each set, as the bits of its tiles' numbers."""
        turns = self.homeward.turns
        for side in (turns, -turns):
            for width in sorted({step.enters for step in self.steps}):
                yield from self._from(_SearchNode(0, 0, 0, 0, 0, size, spare, side, width), width)

    def _from(self, node: _SearchNode, end: int) -> Iterator[int]:
        number, depth, place, heading, leaving, out, spare, turn, width = node
        if place not in self.homeward.places(number, out, turn, width, end):
            return
        if number == len(self.steps):
            yield leaving
            return
        if out and number + 1 not in self.stay and self.grids[number] <= spare:
            without = leaving | 1 << number
            if not any(part & without == part for part in self.found[number]):
                spared = spare - self.grids[number]
                rest = (place, heading, without, out - 1, spared, turn, width)
                yield from self._from(_SearchNode(number + 1, depth, *rest), end)
        step = self.steps[number]
        if step.enters == width and self.laid.lay(depth, number, place, heading):
            there = place + step.exits[heading]
            onward = (heading + step.turn) % self.homeward.turns
            rest = (there, onward, leaving, out, spare, turn - step.turn, step.leaves)
            yield from self._from(_SearchNode(number + 1, depth + 1, *rest), end)


def alike_runs(course: Course, stay: frozenset[int] = frozenset()) -> tuple[tuple[int, ...], ...]:
    """The numbers of tiles one after the other that are alike, so that it makes no difference which
    of them leave; those that are to stay by themselves."""
    found: list[list[int]] = []
    before: object = None
    for laid in course.tiles:
        alike = form(laid.piece), laid.tile.cut, laid.tile.starts, laid.number in stay
        if alike != before:
            found.append([])
        found[-1].append(laid.number)
        before = alike
    return tuple(map(tuple, found))
