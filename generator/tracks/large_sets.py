"""Circuits of sets too large to search: picked at random, the first after a moment; and ever longer
ones that lie on a table.

A circuit turns a full circle, so it can be cut into two halves that each turn half a circle. Many
halves are laid at random, of one part of the tiles and of the other, each turning steadily so that
it bulges to one side; those that lead equally far are put together, the second turned by half a
circle. Each such pair is closed, and most that lead far lie on two sides of the line between.

Where a table is nearly full, circuits that are laid tile by tile hardly ever come home. There one
grows: rows of a few tiles are exchanged for others that lead equally far, until no more fit. An
exchange keeps the circuit closed, so that only room, the table and the tiles owned are to be
looked at. Of all exchanges at a moment one is taken by chance, a longer row more likely than a
shorter one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final

import numpy as np
from msgspec import Struct

from generator.geometry import summed
from generator.tracks.inventory import Inventory, TileWord
from generator.tracks.pruning import CourseRows, Ints, TableLimits, TileRoom, packed_moves, room_for

_LEAST, _MOST = 256, 4096
"""Halves that are laid at once."""
_PAIRS: Final = 400
"""Pairs that are looked at together."""
_PARTNERS: Final = 4
_REPAIRS: Final = 400
_BULGING: Final = (0.2, 0.5, 1.0, 2.0)
_WINDING: Final = (0.02, 0.05, 0.1, 0.2, 0.5)
"""How steadily halves turn. Of those that wind, fewer make a circuit, and it takes less room."""
_LOOKS: Final = 4
"""Tiles after which it is looked which halves still lie on the table."""
_LONGEST_ROW: Final = 7
_MOST_ROWS: Final = 30_000
"""Of tiles, among which one is exchanged for another."""
_EAGER: Final = 1.6
"""How much likelier each tile more makes an exchange, as a power of e."""
_MEASURED: Final = 4
"""Exchanges that are measured on the table in one step."""


def random_circuits(
    inventory: Inventory,
    length: int,
    *,
    seed: int = 1,
    rounds: int | None = None,
    symmetric: bool = False,
    table: tuple[float, float] | None = None,
    stocks: Sequence[tuple[Sequence[int], Sequence[int]]] = (),
    is_over: Callable[[], bool] = lambda: False,
) -> Iterator[TileWord]:
    """Words of circuits of so many tiles, in no order; one may come twice. Without end, or until
    after so many rounds, which may yield nothing, or until before a round it `is_over`. `symmetric`
    ones have two halves alike; those for a `table` of so many cells may lie on it.
    `stocks` are how many of each shape are laid at most, and at least, of which one is taken by
    chance; all that are owned and none if nothing."""
    picker = _Picker(inventory, length, seed, symmetric, table)
    if stocks:
        picker.stocks = stocks
    if symmetric and length % 2:
        return
    number = 0
    while (rounds is None or number < rounds) and not is_over():
        count = min(_LEAST << min(number, 8), _MOST)
        number += 1
        yield from picker.round(count)


class _Halves(Struct, frozen=True):
    """Halves side by side: where they lead, and how wide they begin and end."""

    rows: CourseRows
    end: Ints
    begins: Ints
    ends: Ints


class _Picker:
    def __init__(
        self,
        inventory: Inventory,
        length: int,
        seed: int,
        symmetric: bool,
        table: tuple[float, float] | None,
    ) -> None:
        self.inventory, self.length, self.symmetric = inventory, length, symmetric
        self.packing, self.moves = packed_moves(inventory.grid, inventory.moves, length)
        self.turns = inventory.grid.turns
        self.room: TileRoom = room_for(self.packing, inventory.moves)
        self.table = TableLimits(self.packing, inventory.moves, *table) if table else None
        self.random = np.random.default_rng(seed)
        self.exits = np.array([move.exits for move in self.moves], np.int64)
        self.turn = np.array([move.turn for move in self.moves], np.int64)
        self.enters = np.array([move.enters for move in self.moves], np.int64)
        self.leaves = np.array([move.leaves for move in self.moves], np.int64)
        owned = [shape.owned for shape in inventory.shapes]
        self.stocks: Sequence[tuple[Sequence[int], Sequence[int]]] = [(owned, [0] * len(owned))]
        self.by_shape = [
            [n for n, move in enumerate(self.moves) if move.shape == shape]
            for shape in range(len(inventory.shapes))
        ]

    def round(self, count: int) -> Iterator[TileWord]:
        """Circuits from so many halves of one choice of tiles."""
        sides = [self.turns, -self.turns]
        if all(back is not None for back in self.inventory.back):
            sides = [self.turns]
        total = int(self.random.choice(sides))
        chosen = self._tiles(total)
        if chosen is None:
            return
        first, second = chosen
        steady = float(self.random.choice(_WINDING if self.table else _BULGING))
        one = self._laid(first, total // 2, count, steady, None)
        if one is None:
            return
        if self.symmetric:
            same = np.flatnonzero(one.begins == one.ends)
            one = _Halves(one.rows.chosen(same), one.end[same], one.begins[same], one.ends[same])
            yield from self._joined(one, one, alike=True)
            return
        other = self._laid(second, total // 2, count, steady, one)
        if other is not None:
            yield from self._joined(one, other)

    def _tiles(self, total: int) -> tuple[Ints, Ints] | None:
        """Moves for both halves, that turn half of the total each: all tiles, or so many of them,
        each gone some way. None where chance did not lead there."""
        random = self.random
        most, least = self.stocks[int(random.integers(len(self.stocks)))]
        length = self.length // 2 if self.symmetric else self.length
        half = length if self.symmetric else (length + int(random.integers(-1, 3))) // 2
        tiles = self._drawn(most, least, length)
        if len(tiles) < length:
            return None
        moves = np.array([random.choice(self.by_shape[shape]) for shape in tiles])
        parts = [slice(0, half), slice(half, length), slice(length, len(tiles))]
        wanted = total // 2
        for _ in range(_REPAIRS):
            off = [wanted - int(self.turn[moves[part]].sum()) for part in parts[:2]]
            if self.symmetric:
                off[1] = 0
            if not any(off):
                return moves[parts[0]], moves[parts[int(not self.symmetric)]]
            # Go a tile another way, or exchange it, if that brings both halves no further off.
            at = int(random.integers(length))
            ways = self.by_shape[tiles[at]]
            part = int(at >= half)
            other = int(random.integers(len(tiles)))
            if len(ways) > 1 and random.random() < 0.5:
                way = int(random.choice(ways))
                gain = int(self.turn[way] - self.turn[moves[at]])
                if abs(off[part] - gain) <= abs(off[part]):
                    moves[at] = way
                continue
            theirs = next(n for n, p in enumerate(parts) if p.start <= other < p.stop)
            if theirs == 2 and least[tiles[at]]:
                continue
            gain = int(self.turn[moves[other]] - self.turn[moves[at]])
            after = list(off)
            after[part] -= gain
            if theirs < 2 - self.symmetric:
                after[theirs] += gain
            if summed(map(abs, after)) <= summed(map(abs, off)):
                tiles[[at, other]] = tiles[[other, at]]
                moves[[at, other]] = moves[[other, at]]
        return None

    def _drawn(self, most: Sequence[int], least: Sequence[int], length: int) -> Ints:
        """Tiles by their shapes, in an order by chance; in the first `length` all that must be."""
        parts: list[list[int]] = [[], []]
        for shape, (many, few) in enumerate(zip(most, least, strict=True)):
            share = 1 + self.symmetric
            must = min(-(-few // share), many // share)
            parts[0] += [shape] * must
            parts[1] += [shape] * (many // share - must)
        needed, rest = (self.random.permutation(np.array(part, np.int64)) for part in parts)
        room = max(length - len(needed), 0)
        first = self.random.permutation(np.concatenate((needed, rest[:room])))
        return np.concatenate((first, rest[room:]))

    def _laid(
        self, moves: Ints, total: int, count: int, steady: float, before: _Halves | None
    ) -> _Halves | None:
        """Halves of these moves, laid in many orders; behind those `before`, if there are any."""
        random, number = self.random, len(moves)
        left = np.tile(np.bincount(moves, minlength=len(self.moves))[:, None], count)
        if before is None:
            width = self.enters[random.choice(moves, count)]
            goal = None
        else:
            pick = random.integers(len(before.end), size=count)
            width, goal = before.ends[pick], before.begins[pick]
        begins = width
        rows = CourseRows(*(np.zeros((0, count), kind) for kind in (np.int16, np.int16, np.int64)))
        place, gone = np.zeros(count, np.int64), np.zeros(count, np.int64)
        for step in range(number):
            off = gone[None] + self.turn[:, None] - total * (step + 1) / number
            able = (self.enters[:, None] == width[None]) & (left > 0)
            weight = np.where(able, left * np.exp(-steady * off * off) + 1e-12 * able, 0.0)
            # Leave a width the later, the more there is of it.
            tapers = self.enters != self.leaves
            if tapers.any():
                same = (able & ~tapers[:, None]) * left
                weight /= np.where(tapers[:, None], (1.0 + same.sum(axis=0)) ** 2, 1.0)
            whole = weight.sum(axis=0)
            rising = np.cumsum(weight, axis=0)
            chosen = (rising <= random.random(len(whole)) * whole).sum(axis=0)
            chosen = np.minimum(chosen, len(self.moves) - 1)
            heading = gone % self.turns
            new = CourseRows(
                chosen.astype(np.int16)[None], heading.astype(np.int16)[None], place[None]
            )
            kept = np.flatnonzero((whole > 0) & self.room.has(new, rows))
            if self.table is not None and step % _LOOKS == 0:
                kept = kept[self.table.holds(rows.places[:, kept], place[kept])]
                if len(kept):  # Those that still lie on it go on for the others too.
                    kept = np.sort(random.choice(kept, count))
            if not len(kept):
                return None
            chosen, heading = chosen[kept], heading[kept]
            rows = rows.chosen(kept).followed(chosen, heading, place[kept])
            place = place[kept] + self.exits[chosen, heading]
            gone = gone[kept] + self.turn[chosen]
            width, begins, left = self.leaves[chosen], begins[kept], left[:, kept]
            goal = goal if goal is None else goal[kept]
            left[chosen, np.arange(len(chosen))] -= 1
        found = _Halves(rows, place, begins, width)
        if goal is None:
            return found
        home = np.flatnonzero(width == goal)
        if not len(home):
            return None
        return _Halves(rows.chosen(home), place[home], begins[home], width[home])

    def _joined(self, one: _Halves, other: _Halves, alike: bool = False) -> Iterator[TileWord]:
        """Those of them that make circuits together, `alike` each with itself."""
        widths = int(max(self.enters.max(), self.leaves.max())) + 1
        mine = (one.end * widths + one.begins) * widths + one.ends
        theirs = (other.end * widths + other.ends) * widths + other.begins
        order = np.argsort(theirs, kind="stable")
        theirs = theirs[order]
        low, high = (np.searchsorted(theirs, mine, side) for side in ("left", "right"))
        pairs: list[Any] = []
        for nth in range(_PARTNERS):
            able = np.flatnonzero(low + nth < high)
            pairs.append(np.stack((able, order[(low + nth)[able]])))
        matched = np.concatenate(pairs, axis=1)
        if alike:
            matched = np.tile(np.arange(len(mine)), (2, 1))
        matched = matched[:, self.random.permutation(matched.shape[1])]
        for begin in range(0, matched.shape[1], _PAIRS):
            first, second = matched[:, begin : begin + _PAIRS]
            ahead, behind = one.rows.chosen(first), other.rows.chosen(second)
            turned = CourseRows(
                behind.moves,
                ((behind.headings + self.turns // 2) % self.turns).astype(np.int16),
                one.end[first][None] - behind.places,
            )
            fits = np.flatnonzero(self.room.has(turned, ahead))
            if self.table is not None:
                places = np.concatenate((ahead.places[:, fits], turned.places[:, fits]))
                fits = fits[self.table.holds(places[:-1], places[-1])]
            words = np.concatenate((ahead.moves[:, fits], behind.moves[:, fits]))
            yield from map(tuple, words.T.tolist())


class _FewTiles(Struct, frozen=True):
    """A few tiles: moves, and of each heading and place, seen from the first; what they take."""

    moves: TileWord
    headings: tuple[int, ...]
    places: tuple[tuple[int, ...], ...]
    """By the heading of the first."""
    taken: Ints


class Growth:
    """Circuits of at most so many tiles on a table of so many cells, made from one. `fits` says of
    a word whether it lies on the table."""

    def __init__(
        self,
        inventory: Inventory,
        length: int,
        table: tuple[float, float],
        fits: Callable[[TileWord], bool],
        seed: int,
    ) -> None:
        self.packing, self.moves = packed_moves(inventory.grid, inventory.moves, length)
        self.turns, self.length, self.fits = inventory.grid.turns, length, fits
        self.most = np.array([shape.owned for shape in inventory.shapes])
        self.least = np.zeros(len(inventory.shapes), np.int64)
        self.room = room_for(self.packing, inventory.moves)
        self.table = TableLimits(self.packing, inventory.moves, *table)
        self.random = np.random.default_rng(seed)
        self.exits = np.array([move.exits for move in self.moves], np.int64)
        self.turn = np.array([move.turn for move in self.moves], np.int64)
        self.shape = np.array([move.shape for move in self.moves], np.int64)
        self.rows = self._rows()

    def _rows(self) -> dict[tuple[int, int, int, int], list[_FewTiles]]:
        """Rows of tiles by where they lead, how they turn, and how wide they begin and end."""
        found: dict[tuple[int, int, int, int], list[_FewTiles]] = {}
        layer: list[tuple[TileWord, int, int, tuple[int, ...], tuple[int, ...]]] = [
            ((), 0, 0, (), ())
        ]
        number = 0
        for _ in range(_LONGEST_ROW):
            longer = []
            for word, place, gone, headings, places in layer:
                for move, step in enumerate(self.moves):
                    if word and self.moves[word[-1]].leaves != step.enters:
                        continue
                    if place in places:
                        continue
                    heading = gone % self.turns
                    at = (*headings, heading), (*places, place)
                    there = place + step.exits[heading]
                    longer.append(((*word, move), there, gone + step.turn, *at))
            number += len(longer)
            if number > _MOST_ROWS:
                break
            for word, place, gone, headings, _ in longer:
                key = place, gone, self.moves[word[0]].enters, self.moves[word[-1]].leaves
                taken = np.bincount(self.shape[list(word)], minlength=len(self.most))
                if (taken <= self.most).all():
                    by_heading = tuple(self._places(word, n) for n in range(self.turns))
                    found.setdefault(key, []).append(_FewTiles(word, headings, by_heading, taken))
            layer = longer
        return found

    def _places(self, word: TileWord, heading: int) -> tuple[int, ...]:
        place, found = 0, []
        for move in word:
            found.append(place)
            place += int(self.exits[move, heading])
            heading = (heading + int(self.turn[move])) % self.turns
        return tuple(found)

    def run(
        self, word: TileWord, most: Sequence[int], steps: int, least: Sequence[int] = ()
    ) -> Iterator[TileWord]:
        """The circuits after each of so many exchanges, of at most so many tiles of each shape, and
        at least so many."""
        self.most = np.array(most)
        self.least = np.array(least or (0,) * len(self.most))
        for _ in range(steps):
            yield word
            after = self._exchanged(word)
            word = word if after is None else after

    def _exchanged(self, word: TileWord) -> TileWord | None:
        """The word after one exchange; None where chance found none."""
        at, count = int(self.random.integers(len(word))), len(word)
        word = word[at:] + word[:at]
        moves = np.array(word)
        gone = np.concatenate(([0], np.cumsum(self.turn[moves])[:-1]))
        headings = gone % self.turns
        steps = self.exits[moves, headings]
        places = np.concatenate(([0], np.cumsum(steps)[:-1]))
        laid = np.bincount(self.shape[moves], minlength=len(self.most))
        size = int(self.random.integers(1, min(_LONGEST_ROW, count - 1) + 1))
        by_length: dict[int, list[tuple[int, _FewTiles]]] = {}
        for begin in range(1, count - size + 1):
            taken = word[begin : begin + size]
            able = self.rows.get(self._key(taken))
            if able:
                row = able[int(self.random.integers(len(able)))]
                after = laid + row.taken
                after -= np.bincount(self.shape[list(taken)], minlength=len(laid))
                longer = len(row.moves) - size
                short = row.moves != taken and count + longer <= self.length
                if short and (after <= self.most).all() and (after >= self.least).all():
                    by_length.setdefault(len(row.moves), []).append((begin, row))
        found: list[tuple[int, int, _FewTiles]] = []
        ring = CourseRows(moves.astype(np.int16), headings.astype(np.int16), places)
        for length, some in by_length.items():
            kept = self._roomy(ring, size, some)
            found += [(length - size, *some[n]) for n in kept]
        if not found:
            return None
        weights = np.exp(_EAGER * np.array([longer for longer, _, _ in found], np.float64))
        order = self.random.choice(
            len(found), min(_MEASURED, len(found)), replace=False, p=weights / weights.sum()
        )
        for one in order:
            _, begin, row = found[int(one)]
            exchanged = word[:begin] + row.moves + word[begin + size :]
            if self.fits(exchanged):
                return exchanged
        return None

    def _key(self, taken: TileWord) -> tuple[int, int, int, int]:
        place = gone = 0
        for move in taken:
            step = self.moves[move]
            place += step.exits[gone % self.turns]
            gone += step.turn
        return place, gone, self.moves[taken[0]].enters, self.moves[taken[-1]].leaves

    def _roomy(self, laid: CourseRows, size: int, some: Sequence[tuple[int, _FewTiles]]) -> Any:
        """Which of these rows have room where they would lie, `size` tiles taken away there."""
        count = len(laid.places)
        begins = np.array([begin for begin, _ in some])
        rest = (begins[None] + size + np.arange(count - size)[:, None]) % count
        others = CourseRows(laid.moves[rest], laid.headings[rest], laid.places[rest])
        first = laid.headings[begins].astype(np.int64)
        headings = np.array([row.headings for _, row in some]).T + first[None]
        places = np.array(
            [row.places[int(n)] for (_, row), n in zip(some, first, strict=True)], np.int64
        ).T
        new = CourseRows(
            np.array([row.moves for _, row in some], np.int16).T,
            (headings % self.turns).astype(np.int16),
            places + laid.places[begins][None],
        )
        free = self.room.has(new, others)
        for row in range(1, len(new.moves)):
            one = CourseRows(new.moves[row:][:1], new.headings[row:][:1], new.places[row:][:1])
            before = CourseRows(new.moves[:row], new.headings[:row], new.places[:row])
            free &= self.room.has(one, before)
        kept = np.flatnonzero(free)
        if not len(kept):
            return kept
        behind = np.concatenate((others.places[:, kept], new.places[:-1, kept]))
        return kept[self.table.holds(behind, new.places[-1, kept])]
