"""Circuits: an inventory in, every closed circuit of its tiles without overlap out, one by one.

Without repeats **up to turning** means: two circuits are one when a turn of the table carries the
closed curve of one onto the other; where it starts does not matter, nor which way it is driven if
all its tiles can be gone through both ways. A curve that does not cross itself turns by exactly one
full turn (Hopf's Umlaufsatz): to the left, or for circuits with tiles of one direction only perhaps
to the right. Each is one necklace, a cyclic word of moves; its canonical word is the first of its
rotations. Up to **mirroring**, a circuit and its mirror image are one too, where both can be laid.
With 6 straights and 8 curves this gives 19 (11 up to mirroring) circuits of hexagons, 69 (39) of
squares, 5 (4) with 45° curves.

The search is depth first over pre-necklaces (Fredricksen, Kessler and Maiorana: a move is never
less than the one a period before), so no word has to be remembered and each circuit comes once.
A branch ends when a tile lies on another, or when the tiles left cannot lead home.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from generator.tracks.closure_bounds import Homeward, Left, Remainders
from generator.tracks.grids import HEXAGONS
from generator.tracks.inventory import Inventory, Word
from generator.tracks.packed_moves import MoveTable, PackedMove, packed, table
from generator.units import summed

_TICK: Final = 10_000


@dataclass(frozen=True, slots=True)
class SearchProgress:
    """How far a search is: tiles tried, circuits found, how much of all has been searched (0 to 1,
    counting what branches off at one place as equal), and the word that it is at (in order)."""

    tried: int
    found: int
    share: float
    word: Word


Report = Callable[[SearchProgress], None]


class _Node(NamedTuple):
    """A move to try: its depth, index, place, heading and period; tiles and curves that are left
    before it; where its branch begins and ends in the whole search."""

    depth: int
    move: int
    place: int
    heading: int
    period: int
    left: Left
    turn: int
    begin: float
    end: float


def circuits(
    inventory: Inventory,
    *,
    length: int | None = None,
    mirror: bool = False,
    report: Report | None = None,
) -> Iterator[Word]:
    """Canonical words of all circuits; with no `length` of all the tiles, else of that many.

    `mirror` counts mirror images once. `report` is called every 10 000 tries. The search goes on
    only while the consumer asks for more.
    """
    wanted = inventory.owned if length is None else length
    if not 0 < wanted <= inventory.owned:
        return
    found = 0
    for tried, (word, share, complete) in enumerate(_search(inventory, wanted), 1):
        if complete and not (mirror and _is_seen_in_the_mirror(inventory, tuple(word))):
            found += 1
            yield tuple(word)
        if report is not None and tried % _TICK == 0:
            report(SearchProgress(tried, found, share, tuple(word)))


def canonical(inventory: Inventory, word: Word) -> Word:
    """The one word of all that mean the same circuit up to turning: it turns left if it can be
    gone through both ways, and of its rotations it is the first."""
    way = word
    if summed(inventory.moves[number].piece.turn for number in word) < 0:
        way = _read_backwards(inventory, word) or word
    return min((way[i:] + way[:i] for i in range(len(way))), default=())


def mirrored(inventory: Inventory, word: Word) -> Word | None:
    """The canonical word of the mirror image; None where its tiles are not all owned."""
    image = tuple(m for number in word if (m := inventory.mirror[number]) is not None)
    used = [inventory.moves[number].shape for number in image]
    enough = all(used.count(n) <= shape.owned for n, shape in enumerate(inventory.shapes))
    return canonical(inventory, image) if enough and len(image) == len(word) else None


def _read_backwards(inventory: Inventory, word: Word) -> Word | None:
    back = tuple(b for number in reversed(word) if (b := inventory.back[number]) is not None)
    return back if len(back) == len(word) else None


def _is_seen_in_the_mirror(inventory: Inventory, word: Word) -> bool:
    """True when its mirror image comes before it."""
    image = mirrored(inventory, word)
    if image is None or image >= word:
        return False
    # The image of a bend has its measures but, of an even number of lanes on hexagons, not quite
    # its cells: it may then be no circuit.
    widths = (inventory.moves[number].piece.enters for number in word)
    exact = inventory.grid is not HEXAGONS or all(width % 2 for width in widths)
    return exact or inventory.course(image).is_circuit


def _search(inventory: Inventory, length: int) -> Iterator[tuple[list[int], float, bool]]:
    """Every word that is tried, how much of the search is done, and whether it is a circuit."""
    packing, moves = packed(inventory.grid, inventory.moves, length)
    remainders = Remainders([shape.owned for shape in inventory.shapes])
    laid = table(packing, inventory.moves, moves)
    two_way = [back is not None for back in inventory.back]
    sides = (1,) if all(two_way) else (1, -1)
    homes = {
        width: Homeward(packing, moves, remainders, length, width)
        for width in {move.enters for move in moves}
    }
    roots = [
        (side, first)
        for side in sides
        for first in range(len(moves))
        if _enough(inventory, first, length)
    ]
    for number, (side, first) in enumerate(roots):
        begin, end = number / len(roots), (number + 1) / len(roots)
        search = _Search(moves, laid, remainders, homes[moves[first].enters], length)
        for word, share, complete in search.run(first, side * inventory.grid.turns, begin, end):
            driven_left = side > 0 or not all(two_way[index] for index in word)
            yield word, share, complete and driven_left


def _enough(inventory: Inventory, first: int, length: int) -> bool:
    """True when there are tiles for a canonical word that begins with this move: none before it
    is in that."""
    shapes = {move.shape for move in inventory.moves[first:]}
    return summed(inventory.shapes[shape].owned for shape in shapes) >= length


class _Search(NamedTuple):
    """All words that begin with one move."""

    moves: Sequence[PackedMove]
    laid: MoveTable
    remainders: Remainders
    home: Homeward
    length: int

    def run(
        self, first: int, turn: int, begin: float, end: float
    ) -> Iterator[tuple[list[int], float, bool]]:
        """As `_search`, of circuits that turn so many curves to the left."""
        moves, laid, home, length = self.moves, self.laid, self.home, self.length
        turns = home.turns
        word: list[int] = []
        stack = [_Node(0, first, 0, 0, 1, self.remainders.all, turn, begin, end)]
        while stack:
            depth, index, place, heading, period, left, turn, begin, end = stack.pop()
            move = moves[index]
            del word[depth:]
            word.append(index)
            todo = length - depth - 1
            left -= self.remainders.units[move.shape]
            turn -= move.turn
            there = place + move.exits[heading]
            fits = home.can(left, todo, turn, move.leaves, there)
            fits = fits and laid.lay(depth, index, place, heading)
            yield word, begin, fits and not todo and length % period == 0
            if not fits or not todo:
                continue
            onward = (heading + move.turn) % turns
            before = word[depth + 1 - period]
            chosen = self._next(before, move.leaves, left)
            share = (end - begin) / max(len(chosen), 1)
            for n in range(len(chosen) - 1, -1, -1):
                after = period if chosen[n] == before else depth + 2
                branch = begin + n * share, begin + (n + 1) * share
                stack.append(_Node(depth + 1, chosen[n], there, onward, after, left, turn, *branch))

    def _next(self, least: int, width: int, left: Left) -> list[int]:
        """The moves that can come next: not less than that one, as wide, of a shape still left."""
        return [
            index
            for index in range(least, len(self.moves))
            if self.moves[index].enters == width
            and self.remainders.of(left, self.moves[index].shape)
        ]
