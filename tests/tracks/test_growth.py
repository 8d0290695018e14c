import pytest

from generator.tracks.grids import GRIDS, TileGrid
from generator.tracks.growth import Growth
from generator.tracks.inventory import counted
from generator.tracks.solve import circuits
from generator.tracks.wishes import Candidate

PITCH = 80.0


@pytest.mark.parametrize("grid", GRIDS.values(), ids=lambda grid: grid.name)
def test_a_small_circuit_grows_on_its_table(grid: TileGrid) -> None:
    """Every circuit on the way is one, of tiles that are there, and on the table."""
    stock = counted(grid, 12, 12)
    wide, high = 560.0, 480.0

    def fits(word: tuple[int, ...]) -> bool:
        return Candidate(stock, word, PITCH).fits(wide, high)

    ring = next(circuits(counted(grid, 0, grid.turns)))
    [curve] = [n for n, move in enumerate(stock.moves) if move.letter == "L"]
    growth = Growth(stock, 24, (wide / PITCH, high / PITCH), fits, 1)
    lengths = set()
    for word in growth.run((curve,) * len(ring), [shape.owned for shape in stock.shapes], 150):
        lengths.add(len(word))
        assert stock.course(word).is_circuit
        assert len(word) <= 24
        assert stock.letters(word).count("S") <= 12
        assert fits(word)
    assert max(lengths) >= 16
