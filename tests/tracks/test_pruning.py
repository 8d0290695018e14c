from itertools import product

import pytest

from generator.tracks.courses import Tile
from generator.tracks.inventory import Inventory, inventory_of, straights_and_curves
from generator.tracks.pieces import GRIDS, HEXAGONS, LEFT, RIGHT, TileGrid, Way, bend, straight
from generator.tracks.pruning import Reach, packed_moves

WIDE = inventory_of(
    HEXAGONS,
    [
        Tile("left", {"": Way(bend(HEXAGONS, LEFT, 2, 3))}, 9),
        Tile("right", {"": Way(bend(HEXAGONS, RIGHT, 4, 3))}, 9),
        Tile("on", {"": Way(straight(HEXAGONS, 9, 3))}, 9),
    ],
)


def farthest(stock: Inventory, bends: int) -> float:
    """How far any row of so many turning tiles leads, by laying each."""
    turning = [n for n, move in enumerate(stock.moves) if move.piece.turn]
    ends = (stock.course(word).tiles[-1].end for word in product(turning, repeat=bends))
    return max(map(stock.grid.distance, ends))


@pytest.mark.parametrize("bends", [1, 2, 3, 5, 7])
@pytest.mark.parametrize(
    "stock",
    [*(straights_and_curves(grid, 3, 9) for grid in GRIDS.values()), WIDE],
    ids=[*GRIDS, "pieces"],
)
def test_no_row_leads_further_and_the_bound_is_near(stock: Inventory, bends: int) -> None:
    packing, moves = packed_moves(stock.grid, stock.moves, bends)
    found, real = Reach(packing, moves).of(bends), farthest(stock, bends)
    assert real - 1e-9 <= found <= real * 1.02


@pytest.mark.parametrize("grid", GRIDS.values(), ids=lambda grid: grid.name)
def test_straights_between_them_add_their_own_length_at_most(grid: TileGrid) -> None:
    stock = straights_and_curves(grid, 3, 9)
    packing, moves = packed_moves(grid, stock.moves, 7)
    reach = Reach(packing, moves)
    for word in product(range(3), repeat=6):
        bends = sum(number > 0 for number in word)
        end = stock.course(word).tiles[-1].end
        assert grid.distance(end) <= reach.of(bends) + 6 - bends + 1e-9


def test_without_turning_tiles_nothing_is_reached() -> None:
    stock = inventory_of(HEXAGONS, [Tile("on", {"": Way(straight(HEXAGONS, 9, 3))}, 9)])
    packing, moves = packed_moves(HEXAGONS, stock.moves, 4)
    assert Reach(packing, moves).of(4) == 0
