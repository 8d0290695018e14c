"""Make a circuit longer on a table that it must not leave.

Rows of a few tiles are exchanged for others that lead equally far. The circuit stays closed, so
only room, the table and the owned tiles need checks. Each exchange is a random one of those that
are possible; longer rows are more likely.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final

import numpy as np
from msgspec import Struct

from generator.tracks.inventory import TileWord
from generator.tracks.solver import Ints, Solver

_LONGEST_ROW: Final = 7
_MOST_ROWS: Final = 30_000
_EAGER: Final = 1.6
"""Each tile more makes an exchange likelier by this power of e."""
_MEASURED: Final = 4


class _Row(Struct, frozen=True):
    """A few tiles: their moves, and their headings and places seen from the first. `places` are by
    the heading of the first, `taken` is how many of each shape."""

    moves: TileWord
    headings: Ints
    places: Ints
    taken: Ints


class Filler:
    """Makes circuits longer, up to `longest` tiles, if they still fit the table."""

    def __init__(
        self, solver: Solver, fits: Callable[[TileWord], bool], longest: int, seed: int
    ) -> None:
        self.solver, self.fits, self.longest = solver, fits, longest
        self.random = np.random.default_rng(seed)
        self.exits: list[list[int]] = solver.exits.tolist()
        self.turn: list[int] = solver.turn.tolist()
        self.rows: dict[tuple[int, int, int, int], list[_Row]] = {}
        layer: list[TileWord] = [()]
        number = 0
        for _ in range(_LONGEST_ROW):
            layer = [
                (*word, move)
                for word in layer
                for move in range(len(solver.turn))
                if not word or solver.leaves[word[-1]] == solver.enters[move]
            ]
            number += len(layer)
            if number > _MOST_ROWS:
                break
            for word in layer:
                self._keep(word)

    def _keep(self, word: TileWord) -> None:
        headings, places = self._laid(word)
        taken = np.bincount(self.solver.shape[list(word)], minlength=len(self.solver.owned))
        if len(set(places[0])) == len(word) and (taken <= self.solver.owned).all():
            self.rows.setdefault(self._key(word), []).append(_Row(word, headings, places, taken))

    def _key(self, word: TileWord) -> tuple[int, int, int, int]:
        """Return where a word leads, how it turns, and how wide it begins and ends."""
        place = gone = 0
        for move in word:
            place += self.exits[move][gone % self.solver.turns]
            gone += self.turn[move]
        return place, gone, int(self.solver.enters[word[0]]), int(self.solver.leaves[word[-1]])

    def _laid(self, word: TileWord) -> tuple[Ints, Ints]:
        """Return the headings, and the places by the first heading."""
        moves, turns = np.array(word), self.solver.turns
        gone = np.concatenate(([0], np.cumsum(self.solver.turn[moves])))
        by_heading = (gone[None, :-1] + np.arange(turns)[:, None]) % turns
        ends = np.cumsum(self.solver.exits[moves[None], by_heading], axis=1)
        places = np.concatenate((np.zeros((turns, 1), np.int64), ends[:, :-1]), axis=1)
        return gone[:-1] % turns, places

    def longer(
        self, word: TileWord, exchanges: int, most: Sequence[int], least: Sequence[int]
    ) -> Iterator[TileWord]:
        """Yield the circuits after so many exchanges, with at most and at least so many tiles of
        each shape."""
        for _ in range(exchanges):
            yield word
            word = self._exchanged(word, np.array(most), np.array(least)) or word

    def _exchanged(self, word: TileWord, most: Ints, least: Ints) -> TileWord | None:
        random, count = self.random, len(word)
        at = int(random.integers(count))
        word = word[at:] + word[:at]
        headings, places = self._laid(word)
        laid = np.bincount(self.solver.shape[list(word)], minlength=len(most))
        size = int(random.integers(1, min(_LONGEST_ROW, count - 1) + 1))
        by_length: dict[int, list[tuple[int, _Row]]] = {}
        for begin in range(1, count - size + 1):
            taken = word[begin : begin + size]
            able = self.rows.get(self._key(taken))
            if able:
                row = able[int(random.integers(len(able)))]
                after = laid + row.taken
                after -= np.bincount(self.solver.shape[list(taken)], minlength=len(laid))
                fits = count + len(row.moves) - size <= self.longest
                if fits and row.moves != taken and (after <= most).all() and (after >= least).all():
                    by_length.setdefault(len(row.moves), []).append((begin, row))
        ring = np.array(word), headings, places[0]
        found = [some[n] for some in by_length.values() for n in self._roomy(ring, size, some)]
        if not found:
            return None
        weights = np.exp(_EAGER * np.array([float(len(row.moves)) for _, row in found]))
        number = min(_MEASURED, len(found))
        for one in random.choice(len(found), number, replace=False, p=weights / weights.sum()):
            begin, row = found[int(one)]
            exchanged: TileWord = (*word[:begin], *row.moves, *word[begin + size :])
            if self.fits(exchanged):
                return exchanged
        return None

    def _roomy(
        self, ring: tuple[Ints, Ints, Ints], size: int, some: Sequence[tuple[int, _Row]]
    ) -> Any:
        """Return which of these rows have room in the ring, in place of `size` tiles."""
        moves, turned, at = ring
        count, room = len(at), self.solver.room
        begins = np.array([begin for begin, _ in some])
        rest = (begins + size + np.arange(count - size)[:, None]) % count
        others = room.rows(moves[rest], turned[rest], at[rest])
        first = turned[begins]
        headings = np.array([row.headings for _, row in some]).T + first
        places = np.array([row.places[n] for (_, row), n in zip(some, first, strict=True)]).T
        new = room.rows(
            np.array([row.moves for _, row in some]).T,
            headings % self.solver.turns,
            places + at[begins],
        )
        free = room.has(new, others)
        for row in range(1, len(new.moves)):
            free &= room.has(new.tiles(slice(row, row + 1)), new.tiles(slice(0, row)))
        kept = np.flatnonzero(free)
        if self.solver.table is None or not len(kept):
            return kept
        table, extent = self.solver.table, np.zeros((2, len(kept), 1))
        for places in (*others.places[:, kept], *new.places[:, kept]):
            extent = table.extent(extent, places)
        return kept[table.holds(extent)]
