"""Circuits: straights and curves owned in, every closed circuit without overlap out, one by one.

Without repeats **up to turning** means: two circuits are one when a turn of the table carries the
closed curve of one onto the other; where it starts and which way it is driven do not matter. A
curve that does not cross itself turns by exactly one full turn (Hopf's Umlaufsatz), so each is
driven anticlockwise, with `turns` more lefts than rights, and is one necklace: a cyclic word, its
canonical word the first of its rotations. Up to **mirroring**, a word and the same word read
backwards are one too (mirrored, then driven anticlockwise again). With 6 straights and 8 curves
this gives 19 (11 up to mirroring) circuits of hexagons, 69 (39) of squares, 5 (4) with 45° curves.

The search is depth first over pre-necklaces (Fredricksen, Kessler and Maiorana: a letter is never
less than the one a period before), so no word has to be remembered and each circuit comes once.
A branch ends when a tile lies on another, or when the tiles left cannot lead home: for every
number of tiles left, the places from which they can are worked out beforehand.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import product
from typing import Final, NamedTuple

from generator.tracks.grids import Grid, Vector
from generator.tracks.words import LETTERS, TURN, canonical

Left = tuple[int, int, int]
"""Straights, left curves, right curves still to be laid."""

_TURNS: Final = tuple(TURN[letter] for letter in LETTERS)
_TICK: Final = 10_000
_BEYOND_HALF: Final = 2


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a search is: tiles tried, circuits found, and the word it is at (in order)."""

    tried: int
    found: int
    word: str


Report = Callable[[Progress], None]


@dataclass(frozen=True, slots=True)
class _Places:
    """Vectors packed into single whole numbers, so that adding them adds the vectors.

    `base` must exceed twice the largest coordinate of any sum or difference that occurs.
    """

    grid: Grid
    base: int

    def packed(self, vector: Vector) -> int:
        return sum(v * self.base**k for k, v in enumerate(vector))

    def vector(self, number: int) -> Vector:
        half, found = self.base // 2, []
        for _ in self.grid.unit:
            digit = (number + half) % self.base - half
            found.append(digit)
            number = (number - digit) // self.base
        return tuple(found)

    def clear(self) -> Callable[[int, list[int]], bool]:
        """A test: does a tile at a place lie on none of these?"""
        if self.grid.lattice:
            return lambda place, path: place not in path
        known: dict[int, bool] = {}

        def is_clear(place: int, path: list[int]) -> bool:
            for other in path:
                apart = place - other
                if apart not in known:
                    known[apart] = self.grid.overlap(self.vector(apart))
                if known[apart]:
                    return False
            return True

        return is_clear


class _Node(NamedTuple):
    """A tile to try: its letter (index), depth, place, heading, period; then what is left."""

    depth: int
    letter: int
    place: int
    heading: int
    period: int
    left: Left


def circuits(
    grid: Grid,
    straights: int,
    curves: int,
    *,
    length: int | None = None,
    mirror: bool = False,
    report: Report | None = None,
) -> Iterator[str]:
    """Canonical words of all circuits; with no `length` of all the tiles, else of that many.

    A curve may be laid to the left or the right. `mirror` counts mirror images once. `report` is
    called every 10 000 tries. The search goes on only while the consumer asks for more.
    """
    wanted = straights + curves if length is None else length
    tried = found = 0
    for left in _shares(grid, straights, curves, wanted):
        for word, complete in _search(grid, left):
            tried += 1
            if complete and (not mirror or word == canonical(word, mirror=True)):
                found += 1
                yield word
            if report is not None and tried % _TICK == 0:
                report(Progress(tried, found, word))


def _shares(grid: Grid, straights: int, curves: int, length: int) -> Iterator[Left]:
    """How many straights, lefts and rights a circuit of that many tiles can have."""
    for bends in range(grid.turns, min(curves, length) + 1, 2):
        rights = (bends - grid.turns) // 2
        if length - bends <= straights:
            yield length - bends, bends - rights, rights


def _less(left: Left, letter: int) -> Left:
    straights, lefts, rights = left
    return straights - (letter == 0), lefts - (letter == 1), rights - (letter == 2)


def _search(grid: Grid, left: Left) -> Iterator[tuple[str, bool]]:
    """Every word that is tried, and whether it is a circuit of exactly these tiles."""
    length = sum(left)
    places = _Places(grid, 4 * length + 3)
    steps = tuple(places.packed(step) for step in grid.directions)
    home = _ways_home(steps, left, length // 2 + _BEYOND_HALF)
    is_clear = places.clear()
    word: list[int] = []
    path: list[int] = []
    first = 0 if left[0] else 1
    stack = [_Node(0, first, 0, 0, 1, _less(left, first))]
    while stack:
        depth, letter, place, heading, period, rest = stack.pop()
        del word[depth:], path[depth:]
        word.append(letter)
        clear = is_clear(place, path)
        path.append(place)
        complete = clear and depth + 1 == length and length % period == 0
        yield "".join(LETTERS[i] for i in word), complete
        if not clear or depth + 1 == length:
            continue
        onward = (heading + _TURNS[letter]) % grid.turns
        there = place + steps[onward]
        before = word[depth + 1 - period]
        if there not in home.get(rest, (there,)):
            continue
        for chosen in range(len(LETTERS) - 1, before - 1, -1):
            if rest[chosen]:
                after = period if chosen == before else depth + 2
                stack.append(_Node(depth + 1, chosen, there, onward, after, _less(rest, chosen)))


def _ways_home(steps: tuple[int, ...], left: Left, most: int) -> dict[Left, frozenset[int]]:
    """For each remainder of at most so many tiles: the places from which it can close the circuit.

    The heading of the next tile follows from the curves left, as the last leads out at heading 0.
    """
    home: dict[Left, frozenset[int]] = {(0, 0, 0): frozenset({0})}
    straights, lefts, rights = (range(count + 1) for count in left)
    # In this order every remainder comes after those with one tile less.
    for rest in product(straights, lefts, rights):
        if not 0 < sum(rest) <= most:
            continue
        found: set[int] = set()
        for letter, count in enumerate(rest):
            if count:
                after = _less(rest, letter)
                onward = (after[2] - after[1]) % len(steps)
                found.update(place - steps[onward] for place in home[after])
        home[rest] = frozenset(found)
    return home
