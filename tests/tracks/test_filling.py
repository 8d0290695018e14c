import pytest

from generator.tracks.candidates import Candidate, Chooser, Demands, Wishes
from generator.tracks.courses import Tile
from generator.tracks.filling import Filler
from generator.tracks.inventory import inventory_of, straights_and_curves
from generator.tracks.pieces import (
    GRIDS,
    LEFT,
    RIGHT,
    SQUARES,
    BorderCut,
    TileGrid,
    Way,
    bend,
    straight,
    taper,
)
from generator.tracks.solver import Solver, circuits

PITCH = 80.0


@pytest.mark.parametrize("grid", GRIDS.values(), ids=lambda grid: grid.name)
def test_a_small_circuit_grows_on_its_table(grid: TileGrid) -> None:
    """Every step of the way is a circuit of owned tiles that fits on the table."""
    stock = straights_and_curves(grid, 12, 12)
    wide, high = 560.0, 480.0

    def fits(word: tuple[int, ...]) -> bool:
        return Candidate(stock, word, PITCH).fits(wide, high)

    ring = next(circuits(straights_and_curves(grid, 0, grid.turns)))
    [curve] = [n for n, move in enumerate(stock.moves) if move.letter == "L"]
    filler = Filler(Solver(stock, 24, (wide / PITCH, high / PITCH)), fits, 24, 1)
    owned = [shape.owned for shape in stock.shapes]
    lengths = set()
    for word in filler.longer((curve,) * len(ring), 150, owned, (0, 0)):
        lengths.add(len(word))
        assert stock.course(word).is_circuit
        assert len(word) <= 24
        assert stock.letters(word).count("S") <= 12
        assert fits(word)
    assert max(lengths) >= 16


def test_wide_pieces_grow_on_their_table_with_what_must_be_laid() -> None:
    def of(call: str, piece, owned: int, **asked) -> Tile:
        return Tile(call, {"": Way(piece)}, owned, BorderCut(0.1), **asked)

    stock = inventory_of(
        SQUARES,
        [
            of("grid", straight(SQUARES, 2, 2), 1, starts=4),
            of("on", straight(SQUARES, 1, 2), 8),
            of("left", bend(SQUARES, LEFT, 1, 2), 8),
            of("right", bend(SQUARES, RIGHT, 1, 2), 4),
            of("narrows", taper(SQUARES, 2, 2, 1, RIGHT), 1),
            of("widens", taper(SQUARES, 2, 1, 2, RIGHT), 1),
            of("narrow", straight(SQUARES, 1, 1), 2),
        ],
    )
    [(most, least)] = Chooser(stock, Demands(grids=1), Wishes(("narrow",)), 1.0).stocks
    by_call = dict(zip((shape.tiles[0].call for shape in stock.shapes), least, strict=True))
    assert {call for call, few in by_call.items() if few} == {"grid", "narrow"}
    moves = {stock.shapes[move.shape].tiles[0].call: n for n, move in enumerate(stock.moves)}
    written = "grid on on on left left narrows narrow widens left left"
    ring = tuple(moves[call] for call in written.split())
    solver = Solver(stock, stock.owned, (18.0, 14.0))
    filler = Filler(solver, lambda word: True, stock.owned, 1)
    words = list(filler.longer(ring, 60, most, least))
    for word in set(words):
        laid = [move.shape for move in map(stock.moves.__getitem__, word)]
        assert all(laid.count(n) >= few for n, few in enumerate(least))
        assert stock.course(word).is_circuit
    assert max(map(len, words)) >= 14
