"""A set of tiles in, why it makes no circuit out, where counting shows it without a search."""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import accumulate, pairwise

import numpy as np

from generator.tracks.conflicts import solids
from generator.tracks.grids import HEXAGONS
from generator.tracks.homeward import Bools
from generator.tracks.inventory import Inventory
from generator.units import summed


def possible_lengths(inventory: Inventory, most: int) -> Iterator[int]:
    """How many tiles a circuit may have, the most first, as far as counting tells: so many can turn
    a full circle, and lead over an even number of cells where the grid asks for that."""
    reached = _reached(inventory, most)
    turns = inventory.grid.turns
    for length in range(most, 0, -1):
        if reached[length, most + turns, 0] or reached[length, most - turns, 0]:
            yield length


def why_none(inventory: Inventory, length: int) -> str:
    """What counting shows against a circuit of so many tiles; nothing if it shows nothing."""
    grid, turns = inventory.grid, inventory.grid.turns
    curves = summed(
        shape.owned
        for number, shape in enumerate(inventory.shapes)
        if any(move.piece.turn for move in inventory.moves if move.shape == number)
    )
    if curves < turns:
        needed = f"it takes {turns} curves of {grid.angle}° to come round"
        return f"{needed}, and there are {curves}"
    reached = _reached(inventory, length)[length]
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
    """How many of the tiles lie on a table of so many cells at most, by their areas."""
    areas: list[float] = []
    for number, shape in enumerate(inventory.shapes):
        move = next(move for move in inventory.moves if move.shape == number)
        corners = solids(move.piece, move.cut)[0].corners
        ring = pairwise((*corners, corners[0]))
        areas += [abs(math.fsum(a[0] * b[1] - b[0] * a[1] for a, b in ring)) / 2] * shape.owned
    return sum(covered <= width * height for covered in accumulate(sorted(areas)))


def _changes(inventory: Inventory, width: int) -> tuple[int, int]:
    """How many tiles lead from another width to this one, and from this one to another."""
    ins = outs = 0
    for number, shape in enumerate(inventory.shapes):
        pieces = [move.piece for move in inventory.moves if move.shape == number]
        if len(pieces) == 1 and pieces[0].enters != pieces[0].leaves:
            ins += shape.owned * (pieces[0].leaves == width)
            outs += shape.owned * (pieces[0].enters == width)
    return ins, outs


def _reached(inventory: Inventory, most: int) -> Bools:
    """By number of tiles, by curves to the left and `most` more, by even or odd cells of the way:
    whether so many tiles can come to that. Of hexagons no number of cells is ruled out."""
    reached = np.zeros((most + 1, 2 * most + 1 + 2 * inventory.grid.turns, 2), np.bool_)
    reached[0, most, 0] = True
    for number, shape in enumerate(inventory.shapes):
        ways = set()
        for move in inventory.moves:
            if move.shape == number:
                odd = 0 if inventory.grid is HEXAGONS else summed(move.piece.exit) % 2
                ways.add((move.piece.turn, odd))
        for _ in range(min(shape.owned, most)):
            before = reached.copy()
            for turn, odd in ways:
                part = np.roll(before[:-1], turn, axis=1)
                reached[1:] |= np.roll(part, odd, axis=2)
    return reached
