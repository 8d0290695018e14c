from itertools import product

import pytest

from generator.tracks.counting import choices, most_on_table, why_none
from generator.tracks.courses import Tile
from generator.tracks.inventory import (
    Inventory,
    inventory_of,
    straight_ways,
    straights_and_curves,
)
from generator.tracks.pieces import (
    GRIDS,
    HEXAGONS,
    LEFT,
    OCTAGONS,
    RIGHT,
    SQUARES,
    BorderCut,
    TileGrid,
    Way,
    bend,
    straight,
    taper,
)
from generator.tracks.solver import circuits

grids = pytest.mark.parametrize("grid", GRIDS.values(), ids=lambda grid: grid.name)


def possible_lengths(stock: Inventory, counts: list[int], most: int) -> set[int]:
    return {length for one in choices(stock, counts, most) for length in one.lengths}


@grids
def test_nothing_is_ruled_out_of_which_there_is_a_circuit(grid: TileGrid) -> None:
    ruled_out = 0
    for straights, curves in product(range(5), range(3, 11)):
        stock = straights_and_curves(grid, straights, curves)
        reason = why_none(stock, stock.owned)
        found = next(circuits(stock), None)
        assert not (reason and found)
        ruled_out += bool(reason)
        lengths = possible_lengths(stock, [shape.owned for shape in stock.shapes], 14)
        assert found is None or stock.owned in lengths
    assert ruled_out > 10


@pytest.mark.parametrize(
    ("grid", "straights", "curves", "said"),
    [
        (HEXAGONS, 9, 5, "it takes 6 curves of 60° to come round, and there are 5"),
        (HEXAGONS, 6, 9, "15 of them cannot turn by 360° in all, however they are laid"),
        (
            SQUARES,
            7,
            20,
            "on squares a lap takes an even number of cells, and these take an odd one",
        ),
        (
            OCTAGONS,
            3,
            8,
            "on octagons a lap takes an even number of cells, and these take an odd one",
        ),
    ],
    ids=["curves", "turn", "squares", "octagons"],
)
def test_it_is_said_why(grid: TileGrid, straights: int, curves: int, said: str) -> None:
    stock = straights_and_curves(grid, straights, curves)
    assert why_none(stock, stock.owned) == said


def test_widths_that_are_entered_and_not_left_are_told() -> None:
    def of(call: str, piece) -> Tile:
        return Tile(call, {"": Way(piece)}, 6 if call == "left" else 1, BorderCut(0.2))

    tiles = [of("left", bend(HEXAGONS, LEFT, 2, 3)), of("narrows", taper(HEXAGONS, 4, 3, 2, RIGHT))]
    stock = inventory_of(HEXAGONS, [*tiles, of("narrow", straight(HEXAGONS, 2, 2))])
    said = "1 tiles lead to 2 lanes and 0 away from there, if all are laid"
    assert why_none(stock, stock.owned) == said
    assert why_none(stock, 6) == ""


def test_only_what_leads_back_to_its_width_is_laid() -> None:
    """Six bends of three lanes close with two straights. Wider tiles need a taper there and one
    back, each time."""

    def of(call: str, piece, owned: int = 1) -> Tile:
        return Tile(call, {"": Way(piece)}, owned, BorderCut(0.2))

    tiles = [
        of("left", bend(HEXAGONS, LEFT, 2, 3), 6),
        of("plain", straight(HEXAGONS, 2, 3), 2),
        of("wide", straight(HEXAGONS, 2, 4), 5),
        of("widens", taper(HEXAGONS, 2, 3, 4, RIGHT), 2),
        of("narrows", taper(HEXAGONS, 2, 4, 3, RIGHT), 2),
    ]
    stock = inventory_of(HEXAGONS, tiles)
    calls = [shape.tiles[0].call for shape in stock.shapes]

    def most(**owned: int) -> int:
        counts = [owned.get(call, 0) for call in calls]
        return max(possible_lengths(stock, counts, 20), default=0)

    assert most(left=6, plain=2, wide=5) == 8
    assert most(left=6, plain=2, wide=5, widens=2) == 8
    assert most(left=6, plain=2, wide=5, widens=2, narrows=1) == 15
    assert most(left=6, plain=2, wide=5, widens=2, narrows=2) == 17
    assert most(plain=2, wide=5, widens=2, narrows=2) == 0

    def with_wide(**owned: int) -> list[tuple[int, ...]]:
        counts = [owned.get(call, 0) for call in calls]
        least = [int(call == "wide") for call in calls]
        return [one.least for one in choices(stock, counts, 20, least)]

    assert with_wide(left=6, plain=2, wide=5, widens=2) == []
    [needed] = with_wide(left=6, plain=2, wide=5, widens=1, narrows=2)
    taken = dict(zip(calls, needed, strict=True))
    assert taken == {"left": 0, "plain": 0, "wide": 1, "widens": 1, "narrows": 1}


def test_a_table_holds_as_many_tiles_as_it_is_large() -> None:
    squares = straights_and_curves(SQUARES, 10, 20)
    assert most_on_table(squares, 4.0, 5.0) == 20
    assert most_on_table(squares, 40.0, 5.0) == 30
    # The long tiles are the ones left off.
    pieces = [Tile("long", {"": Way(straight(SQUARES, 9))}, 2), Tile("s", straight_ways(SQUARES))]
    assert most_on_table(inventory_of(SQUARES, pieces), 3.0, 3.5) == 2


def test_what_must_be_laid_is_laid_or_nothing() -> None:
    stock = straights_and_curves(HEXAGONS, 6, 12)
    shapes = [shape.tiles[0].ways.keys() for shape in stock.shapes]
    straight_ = next(n for n, ways in enumerate(shapes) if "S" in ways)
    least = [4 * (n == straight_) for n in range(2)]
    [one] = choices(stock, [6, 12], 18, least)
    assert (min(one.lengths), one.least) == (10, tuple(least))
    assert list(choices(stock, [3, 12], 18, least)) == []
