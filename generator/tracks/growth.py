"""A small circuit on a table in, ever longer ones on it out: rows of a few tiles are exchanged for
others that lead equally far, until no more fit.

Where a table is nearly full, circuits that are laid tile by tile hardly ever come home. An exchange
keeps the circuit closed, so that only room, the table and the tiles owned are to be looked at. Of
all exchanges at a moment one is taken by chance, a longer row more likely than a shorter one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final

import numpy as np
from msgspec import Struct

from generator.tracks.closure_bounds import Ints, packed
from generator.tracks.inventory import Inventory, TileWord
from generator.tracks.overlaps import CourseRows, TableLimits, room_for

_LONGEST_ROW: Final = 7
_MOST_ROWS: Final = 30_000
"""Of tiles, among which one is exchanged for another."""
_EAGER: Final = 1.6
"""How much likelier each tile more makes an exchange, as a power of e."""
_LOOKS: Final = 4
"""Exchanges that are measured on the table in one step."""


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
        self.packing, self.moves = packed(inventory.grid, inventory.moves, length)
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
            len(found), min(_LOOKS, len(found)), replace=False, p=weights / weights.sum()
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
