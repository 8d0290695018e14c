"""Find the sets of tiles that you can remove from a circuit so that the rest is a circuit again.

The rest is pushed together: each tile joins the one before it that stays. Sets come by size, and
no set contains a smaller one. The search goes along the course and keeps or removes each tile. A
branch ends when a tile would lie on another, or when no choice among the later tiles leads home.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache, lru_cache

from generator.geometry import summed
from generator.tracks.courses import Course, Lying
from generator.tracks.pieces import form
from generator.tracks.solver import PackedVectors


def shortenings(
    course: Course,
    *,
    stay: frozenset[int] = frozenset(),
    starts: int = 0,
    most: int | None = None,
    report: Callable[[int], None] = lambda size: None,
) -> Iterator[tuple[int, ...]]:
    """Yield the numbers of tiles that can be removed together, in ascending order.

    Tiles in `stay` stay, and so do `starts` start spaces if there are as many. At most `most` tiles
    are removed. `report` gets the size of the sets to be searched next.
    """
    if course.is_circuit:
        search = _Search(course, stay)
        # A circuit has at least as many tiles as curves make a full turn.
        largest = len(course.tiles) - course.grid.turns
        for size in range(1, min(largest, most or largest) + 1):
            report(size)
            yield from search.sets(size, max(0, summed(search.starts) - starts))


class _Search:
    def __init__(self, course: Course, stay: frozenset[int]) -> None:
        self.tiles, self.stay, self.grid = course.tiles, stay, course.grid
        self.pieces = [laid.piece for laid in course.tiles]
        self.starts = [laid.tile.starts for laid in course.tiles]
        far = max(abs(v) for piece in self.pieces for v in piece.exit)
        self.packing = PackedVectors(course.grid, 4 * len(self.pieces) * (2 * far + 1) + 1)
        self.exits = [
            [self.packing.pack(course.grid.rotated(piece.exit, n)) for n in range(self.grid.turns)]
            for piece in self.pieces
        ]
        self.found: list[frozenset[int]] = []
        self.places = cache(self._places)
        self.clashes = lru_cache(300_000)(self._clashes)

    def sets(self, size: int, spare: int) -> Iterator[tuple[int, ...]]:
        """Yield the sets of one size; all smaller ones come before."""
        found: list[tuple[int, ...]] = []
        for side in (self.grid.turns, -self.grid.turns):
            for width in sorted({piece.enters for piece in self.pieces}):
                found += self._from((), [], 0, 0, size, spare, side, width, width)
        self.found += map(frozenset, found)
        yield from (tuple(number + 1 for number in leaving) for leaving in found)

    def _places(self, number: int, out: int, turn: int, width: int, end: int) -> frozenset[int]:
        """Return from where the tiles from `number` on lead home if `out` of them leave."""
        todo = len(self.pieces) - number
        if out > todo or abs(turn) > todo - out:
            return frozenset()
        if not todo:
            return frozenset({0} if width == end else ())
        piece = self.pieces[number]
        places = self.places(number + 1, out - 1, turn, width, end) if out else frozenset()
        if piece.enters == width:
            away = self.exits[number][-turn % self.grid.turns]
            after = self.places(number + 1, out, turn - piece.turn, piece.leaves, end)
            places = places | {place - away for place in after}
        return places

    def _from(
        self,
        leaving: tuple[int, ...],
        laid: list[tuple[int, int, int]],
        number: int,
        place: int,
        out: int,
        spare: int,
        turn: int,
        width: int,
        end: int,
    ) -> Iterator[tuple[int, ...]]:
        """Yield the sets that go on from a choice among the first tiles. `laid` has the number,
        place and heading of each tile that stays."""
        if place not in self.places(number, out, turn, width, end):
            return
        if number == len(self.pieces):
            yield leaving
            return
        if out and number + 1 not in self.stay and self.starts[number] <= spare:
            more = (*leaving, number)
            if not any(part.issubset(more) for part in self.found if number in part):
                left = spare - self.starts[number]
                yield from self._from(
                    more, laid, number + 1, place, out - 1, left, turn, width, end
                )
        piece, heading = self.pieces[number], -turn % self.grid.turns
        if piece.enters == width and not any(
            self.clashes(other, at, number, heading, place - there) for other, there, at in laid
        ):
            there, onward = place + self.exits[number][heading], turn - piece.turn
            after = [*laid, (number, place, heading)]
            yield from self._from(
                leaving, after, number + 1, there, out, spare, onward, piece.leaves, end
            )

    def _clashes(self, one: int, turned: int, other: int, heading: int, apart: int) -> bool:
        origin, first, second = self.grid.origin, self.tiles[one], self.tiles[other]
        away = self.packing.unpack(apart)
        lying = Lying(first.piece, first.tile.cut, origin, turned)
        return lying.clashes(Lying(second.piece, second.tile.cut, away, heading))


def alike_runs(course: Course, stay: frozenset[int] = frozenset()) -> tuple[tuple[int, ...], ...]:
    """Return runs of neighbouring tiles that are alike, by their numbers."""
    found: list[list[int]] = []
    before: object = None
    for laid in course.tiles:
        alike = form(laid.piece), laid.tile.cut, laid.tile.starts, laid.number in stay
        if alike != before:
            found.append([])
        found[-1].append(laid.number)
        before = alike
    return tuple(map(tuple, found))
