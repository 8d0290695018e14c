from itertools import islice

import pytest

from generator.tracks.circuit_wishes import Candidate
from generator.tracks.courses import Tile
from generator.tracks.inventory import inventory_of, straights_and_curves
from generator.tracks.large_sets import random_circuits
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
from generator.tracks.solve import canonical

grids = pytest.mark.parametrize("grid", GRIDS.values(), ids=lambda grid: grid.name)


@pytest.mark.thorough(but=4)
@grids
@pytest.mark.parametrize("straights", [0, 6, 30, 48])
def test_a_circuit_of_all_of_60_tiles_is_laid(grid: TileGrid, straights: int) -> None:
    stock = straights_and_curves(grid, straights, 60 - straights)
    word = next(random_circuits(stock, 60, rounds=40))
    assert len(word) == 60
    assert stock.letters(word).count("S") == straights
    assert stock.course(word).is_circuit


def test_for_a_table_halves_wind() -> None:
    stock = straights_and_curves(HEXAGONS, 20, 40)
    words = random_circuits(stock, 60, rounds=10, table=(15.0, 11.25))
    assert any(Candidate(stock, word, 1.0).fits(15.0, 11.25) for word in islice(words, 100))


def test_those_of_a_small_set_are_circuits_and_many() -> None:
    stock = straights_and_curves(HEXAGONS, 6, 8)
    words = {canonical(stock, word) for word in random_circuits(stock, 14, rounds=2)}
    assert all(stock.course(word).is_circuit for word in words)
    assert 5 < len(words) <= 19


def test_a_seed_gives_the_same_again_and_another_one_others() -> None:
    stock = straights_and_curves(SQUARES, 12, 12)
    one, again, other = (
        list(islice(random_circuits(stock, 24, seed=seed), 20)) for seed in (1, 1, 2)
    )
    assert one == again != other


def test_symmetric_ones_have_two_halves_alike() -> None:
    stock = straights_and_curves(OCTAGONS, 12, 20)
    word = next(random_circuits(stock, 32, rounds=20, symmetric=True))
    assert word[:16] == word[16:]
    assert stock.course(word).is_circuit
    assert list(random_circuits(stock, 31, rounds=5, symmetric=True)) == []


def test_pieces_of_two_widths_are_laid_to_circuits() -> None:
    def of(call: str, piece, owned: int) -> Tile:
        return Tile(call, {"": Way(piece)}, owned, BorderCut(0.2))

    stock = inventory_of(
        HEXAGONS,
        [
            of("on", straight(HEXAGONS, 3, 3), 8),
            of("left", bend(HEXAGONS, LEFT, 2, 3), 8),
            of("right", bend(HEXAGONS, RIGHT, 2, 3), 2),
            of("narrows", taper(HEXAGONS, 4, 3, 2, RIGHT), 1),
            of("widens", taper(HEXAGONS, 4, 2, 3, RIGHT), 1),
            of("narrow", straight(HEXAGONS, 2, 2), 2),
        ],
    )
    word = next(random_circuits(stock, stock.owned, rounds=60))
    course = stock.course(word)
    assert course.is_circuit
    ports = [(laid.piece.enters, laid.piece.leaves) for laid in course.tiles]
    assert all(a[1] == b[0] for a, b in zip(ports, (*ports[1:], ports[0]), strict=True))


def test_only_what_is_in_stock_is_laid() -> None:
    stock = straights_and_curves(HEXAGONS, 10, 14)
    words = random_circuits(stock, 16, rounds=20, stocks=[([4, 12], [0, 0])])
    letters = [stock.letters(word) for word in islice(words, 20)]
    assert letters
    assert {word.count("S") for word in letters} == {4}


def test_what_must_be_laid_is_laid() -> None:
    stock = straights_and_curves(HEXAGONS, 10, 14)
    words = random_circuits(stock, 12, rounds=40, stocks=[([10, 14], [6, 0])])
    letters = [stock.letters(word) for word in islice(words, 20)]
    assert letters
    assert min(word.count("S") for word in letters) >= 6


def test_before_a_round_it_may_be_over() -> None:
    assert (
        list(random_circuits(straights_and_curves(HEXAGONS, 10, 14), 24, is_over=lambda: True))
        == []
    )
