"""A circuit in, every set of tiles that can leave it so that the rest is a circuit again out.

The rest is pushed together: each tile is laid onto the one before it that stayed. Only minimal sets
are told, those of which no part can leave by itself; they come by size, the smallest first. The
search goes along the course and keeps a tile or takes it out; a branch ends when a tile lies on
another, or when no choice among the tiles after it leads home: from where each does is worked out
beforehand, from the end.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cache
from typing import NamedTuple

from generator.geometry import summed
from generator.tracks.closure_bounds import MoveTable, PackedMove, packed, table
from generator.tracks.courses import Course
from generator.tracks.inventory import Move
from generator.tracks.pieces import form

_NONE: frozenset[int] = frozenset()


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
    packing, steps = packed(grid, moves, len(moves))
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
            return _NONE
        if not todo:
            return frozenset({0}) if width == end else _NONE
        step = self.steps[number]
        places = self.places(number + 1, out - 1, turn, width, end) if out else _NONE
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
