import numpy as np
import pytest

from generator.tracks.candidates import Candidate
from generator.tracks.courses import Tile
from generator.tracks.inventory import Inventory, inventory_of, straights_and_curves
from generator.tracks.pieces import (
    GRIDS,
    HEXAGONS,
    LEFT,
    RIGHT,
    BorderCut,
    TileGrid,
    Way,
    bend,
    straight,
    taper,
)
from generator.tracks.solver import Solver, canonical

grids = pytest.mark.parametrize("grid", GRIDS.values(), ids=lambda grid: grid.name)


def sample(stock: Inventory, length: int, rounds: int = 8, **asked) -> list[tuple[int, ...]]:
    """Random circuits of a few rounds."""
    random, table = np.random.default_rng(1), asked.pop("table", None)
    solver = Solver(stock, length, table)
    steady = 0.05 if table else 1.0
    return [w for _ in range(rounds) for w in solver.sample(length, random, 64, steady, **asked)]


@grids
@pytest.mark.parametrize("straights", [0, 30])
def test_circuits_of_all_of_60_tiles(grid: TileGrid, straights: int) -> None:
    stock = straights_and_curves(grid, straights, 60 - straights)
    words = sample(stock, 60, rounds=1)
    assert words
    for word in words[:5]:
        assert stock.letters(word).count("S") == straights
        assert stock.course(word).is_circuit


def test_winding_circuits_fit_on_a_table() -> None:
    stock = straights_and_curves(HEXAGONS, 20, 40)
    words = sample(stock, 60, table=(15.0, 11.25))
    assert any(Candidate(stock, word, 1.0).fits(15.0, 11.25) for word in words)


def test_a_small_set_gives_many() -> None:
    stock = straights_and_curves(HEXAGONS, 6, 8)
    words = {canonical(stock, word) for word in sample(stock, 14)}
    assert all(stock.course(word).is_circuit for word in words)
    assert 5 < len(words) <= 19


def test_pieces_of_several_widths() -> None:
    def of(call: str, piece, owned: int) -> Tile:
        return Tile(call, {"": Way(piece)}, owned, BorderCut(0.1))

    tiles = [
        of("left", bend(HEXAGONS, LEFT, 2, 3), 8),
        of("right", bend(HEXAGONS, RIGHT, 2, 3), 2),
        of("on", straight(HEXAGONS, 2, 3), 2),
        of("narrows", taper(HEXAGONS, 4, 3, 2, RIGHT), 1),
        of("widens", taper(HEXAGONS, 4, 2, 3, RIGHT), 1),
        of("narrow", straight(HEXAGONS, 2, 2), 2),
    ]
    stock = inventory_of(HEXAGONS, tiles)
    words = sample(stock, stock.owned)
    assert words
    course = stock.course(words[0])
    assert course.is_circuit
    ports = [(laid.piece.enters, laid.piece.leaves) for laid in course.tiles]
    assert all(a[1] == b[0] for a, b in zip(ports, (*ports[1:], ports[0]), strict=True))


def test_limits_of_each_shape_hold() -> None:
    stock = straights_and_curves(HEXAGONS, 10, 14)
    letters = [stock.letters(word) for word in sample(stock, 16, most=[4, 12], least=[0, 0])]
    assert letters
    assert {word.count("S") for word in letters} == {4}
