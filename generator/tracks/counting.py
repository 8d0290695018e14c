"""Rule out circuits by counting tiles, without a search."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import accumulate, pairwise, product
from typing import Final

import numpy as np
import numpy.typing as npt
from msgspec import Struct

from generator.geometry import summed
from generator.tracks.courses import solids
from generator.tracks.inventory import Inventory
from generator.tracks.pieces import HEXAGONS

_MOST_CHOICES: Final = 5_000


class TileChoice(Struct, frozen=True):
    """Fewest and most tiles of each shape in a circuit, and its possible lengths."""

    most: tuple[int, ...]
    least: tuple[int, ...]
    lengths: frozenset[int]


def choices(
    inventory: Inventory, counts: Sequence[int], most: int, least: Sequence[int] = ()
) -> Iterator[TileChoice]:
    """Yield what circuits may take of so many of each shape: a choice for each possible use of the
    tiles that change the width. By counting, each can turn a full circle, lead over an even number
    of cells if the grid needs that, and lead back to each width."""
    moves, turns = inventory.moves, inventory.grid.turns
    least = least or (0,) * len(counts)
    if any(few > many for few, many in zip(least, counts, strict=True)):
        return
    known: dict[frozenset[int | None], npt.NDArray[np.bool_]] = {}
    for widths, tapers in _widenings(inventory, counts):
        taken = [n * (_width(inventory, at) in widths) for at, n in enumerate(counts)]
        needed = [n * (_width(inventory, at) in widths) for at, n in enumerate(least)]
        if widths not in known:
            known[widths] = _reached(inventory, taken, most, needed)
        number = summed(count for _, count in tapers)
        turn = summed(moves[n].piece.turn * count for n, count in tapers)
        odd = summed(_odd(inventory, n) * count for n, count in tapers) % 2
        found = np.zeros(most + 1, np.bool_)
        for home in (turns - turn, -turns - turn):
            if number <= most and abs(home) <= most:
                found[number:] |= known[widths][: most + 1 - number, most + home, odd]
        for n, count in tapers:
            taken[moves[n].shape] += count
            needed[moves[n].shape] += count
        if found.any() and all(n >= asked for n, asked in zip(needed, least, strict=True)):
            lengths = frozenset(map(int, np.flatnonzero(found)))
            yield TileChoice(tuple(taken), tuple(needed), lengths)


def _width(inventory: Inventory, shape: int) -> int | None:
    """Return how many lanes a shape has, or None if it changes the width."""
    pieces = [move.piece for move in inventory.moves if move.shape == shape]
    return pieces[0].enters if all(piece.enters == piece.leaves for piece in pieces) else None


def _widenings(
    inventory: Inventory, counts: Sequence[int]
) -> Iterator[tuple[frozenset[int | None], tuple[tuple[int, int], ...]]]:
    """Yield the widths that a circuit can have, and how often it takes each move between widths.
    If there are too many choices, yield all widths and None, for moves between them like others.
    """
    moves = inventory.moves
    widening = [n for n, move in enumerate(moves) if _width(inventory, move.shape) is None]
    ranges = [range(counts[moves[n].shape] + 1) for n in widening]
    every = frozenset(move.piece.enters for move in moves)
    if math.prod(map(len, ranges)) > _MOST_CHOICES:
        yield every | {None}, ()
        return
    yield from ((frozenset({width}), ()) for width in sorted(every))
    for choice in product(*ranges):
        taken = tuple((n, count) for n, count in zip(widening, choice, strict=True) if count)
        used, balance = Counter[int](), Counter[int]()
        for n, count in taken:
            used[moves[n].shape] += count
            balance[moves[n].piece.enters] -= count
            balance[moves[n].piece.leaves] += count
        owned = all(count <= counts[shape] for shape, count in used.items())
        if taken and owned and not any(balance.values()):
            joined = {moves[taken[0][0]].piece.enters}
            for _ in taken:
                for n, _ in taken:
                    ends = {moves[n].piece.enters, moves[n].piece.leaves}
                    joined |= ends if joined & ends else set()
            if joined == set(balance):
                yield frozenset(joined), taken


def why_none(inventory: Inventory, length: int) -> str:
    """Return why no circuit has so many tiles, or an empty text if counting cannot tell."""
    grid, turns = inventory.grid, inventory.grid.turns
    curves = summed(
        shape.owned
        for number, shape in enumerate(inventory.shapes)
        if any(move.piece.turn for move in inventory.moves if move.shape == number)
    )
    if curves < turns:
        needed = f"it takes {turns} curves of {grid.angle}° to come round"
        return f"{needed}, and there {'is' if curves == 1 else 'are'} {curves or 'none'}"
    owned = [shape.owned for shape in inventory.shapes]
    reached = _reached(inventory, owned, length)[length]
    if not reached[[length + turns, length - turns]].any():
        return f"{length} of them cannot turn by 360° in all, however they are laid"
    if not reached[[length + turns, length - turns], 0].any():
        return f"on {grid.name}s a lap takes an even number of cells, and these take an odd one"
    if length == inventory.owned:
        for width in sorted({move.piece.enters for move in inventory.moves}):
            ins, outs = _changes(inventory, width)
            if ins != outs:
                lanes = f"{width} lane{'' if width == 1 else 's'}"
                return f"{ins} tiles lead to {lanes} and {outs} away from there, if all are laid"
    return ""


def most_on_table(inventory: Inventory, width: float, height: float) -> int:
    """Return how many of the tiles fit on a table of so many cells by their areas."""
    areas: list[float] = []
    for number, shape in enumerate(inventory.shapes):
        move = next(move for move in inventory.moves if move.shape == number)
        corners = solids(move.piece, move.cut)[0].corners
        ring = pairwise((*corners, corners[0]))
        areas += [abs(math.fsum(a[0] * b[1] - b[0] * a[1] for a, b in ring)) / 2] * shape.owned
    return sum(covered <= width * height for covered in accumulate(sorted(areas)))


def _changes(inventory: Inventory, width: int) -> tuple[int, int]:
    """Return how many tiles lead from other widths to this one, and from this one to others."""
    ins = outs = 0
    for number, shape in enumerate(inventory.shapes):
        pieces = [move.piece for move in inventory.moves if move.shape == number]
        if len(pieces) == 1 and pieces[0].enters != pieces[0].leaves:
            ins += shape.owned * (pieces[0].leaves == width)
            outs += shape.owned * (pieces[0].enters == width)
    return ins, outs


def _reached(
    inventory: Inventory, counts: Sequence[int], most: int, least: Sequence[int] = ()
) -> npt.NDArray[np.bool_]:
    """Return which sums so many tiles can have: by number of tiles, by curves to the left plus
    `most`, and by even or odd cells of the way (always even for hexagons)."""
    reached = np.zeros((most + 1, 2 * most + 1 + 2 * inventory.grid.turns, 2), np.bool_)
    reached[0, most, 0] = True
    for shape, count in enumerate(counts):
        ways = {
            (move.piece.turn, _odd(inventory, number))
            for number, move in enumerate(inventory.moves)
            if move.shape == shape
        }
        for number in range(min(count, most)):
            before = reached.copy()
            if least and number < least[shape]:
                reached[:] = False
            for turn, odd in ways:
                part = np.roll(before[:-1], turn, axis=1)
                reached[1:] |= np.roll(part, odd, axis=2)
    return reached


def _odd(inventory: Inventory, move: int) -> int:
    """Return 1 if a move leads over an odd number of cells, if its grid counts them."""
    return 0 if inventory.grid is HEXAGONS else summed(inventory.moves[move].piece.exit) % 2
