import re
from itertools import islice, product
from pathlib import Path

import pytest

from generator.tracks.grids import GRIDS, HEXAGONS, OCTAGONS, SQUARES, Grid
from generator.tracks.letters import laid
from generator.tracks.solve import Progress, circuits
from generator.tracks.words import canonical

PAGE = Path(__file__).parents[2] / "docs/tracks.md"
grids = pytest.mark.parametrize("grid", GRIDS.values(), ids=lambda grid: grid.name)


@pytest.mark.parametrize(
    ("grid", "turning", "mirroring"),
    [(HEXAGONS, 19, 11), (SQUARES, 69, 39), (OCTAGONS, 5, 4)],
    ids=lambda value: getattr(value, "name", None),
)
def test_six_straights_and_eight_curves(grid: Grid, turning: int, mirroring: int) -> None:
    tried: list[Progress] = []
    assert len(list(circuits(grid, 6, 8, report=tried.append))) == turning
    assert len(list(circuits(grid, 6, 8, mirror=True, report=tried.append))) == mirroring
    assert tried == []  # fewer than 10 000 tries: the pruning holds


@grids
@pytest.mark.parametrize("mirror", [False, True])
def test_every_circuit_found_is_one_canonical_and_new(grid: Grid, mirror: bool) -> None:
    found = list(circuits(grid, 4, 10, mirror=mirror))
    assert found
    assert len(set(found)) == len(found)
    for word in found:
        assert laid(grid, word).is_circuit
        assert canonical(word, mirror=mirror) == word
        assert (word.count("S"), len(word)) == (4, 14)


@pytest.mark.parametrize(
    ("grid", "straights", "curves"),
    [
        (HEXAGONS, 2, 6),
        (HEXAGONS, 0, 8),
        (HEXAGONS, 1, 7),
        (SQUARES, 4, 4),
        (SQUARES, 2, 6),
        (OCTAGONS, 0, 10),
        (OCTAGONS, 2, 8),
    ],
)
@pytest.mark.parametrize("mirror", [False, True])
def test_no_circuit_is_missed(grid: Grid, straights: int, curves: int, mirror: bool) -> None:
    every = {
        canonical(word, mirror=mirror)
        for word in map("".join, product("SLR", repeat=straights + curves))
        if word.count("S") == straights and laid(grid, word).is_circuit
    }
    assert set(circuits(grid, straights, curves, mirror=mirror)) == every


@grids
def test_the_smallest_circuit_is_a_ring_of_curves(grid: Grid) -> None:
    assert list(circuits(grid, 0, grid.turns)) == ["L" * grid.turns]
    assert list(circuits(grid, 0, grid.turns - 1)) == []
    assert list(circuits(grid, 1, grid.turns)) == []
    assert list(circuits(grid, 0, 0)) == []


def test_a_shorter_circuit_takes_any_of_the_tiles() -> None:
    found = list(circuits(SQUARES, 6, 8, length=8))
    assert sorted(found) == sorted(
        [*circuits(SQUARES, 4, 4), *circuits(SQUARES, 2, 6), *circuits(SQUARES, 0, 8)]
    )
    assert list(circuits(SQUARES, 6, 8, length=15)) == []


@grids
def test_a_search_of_24_tiles_gives_its_first_circuits_and_stops(grid: Grid) -> None:
    tried: list[Progress] = []
    found = list(islice(circuits(grid, 10, 14, report=tried.append), 20))
    assert len(found) == 20
    assert all(laid(grid, word).is_circuit for word in found)
    assert tried == []


def test_progress_counts_tries_and_circuits_in_order() -> None:
    tried: list[Progress] = []
    next(islice(circuits(SQUARES, 10, 14, report=tried.append), 1500, None))
    assert [p.tried for p in tried] == [10_000 * (i + 1) for i in range(len(tried))]
    assert tried
    assert [p.found for p in tried] == sorted(p.found for p in tried)


def test_the_page_on_tracks_tells_what_the_solver_finds() -> None:
    page = PAGE.read_text("utf-8")
    rows = re.findall(r"^\| `(\w+)` \| (\d+) \| (\d+) \|$", page, re.MULTILINE)
    assert rows == [
        (name, *(str(len(list(circuits(grid, 6, 8, mirror=m)))) for m in (False, True)))
        for name, grid in GRIDS.items()
    ]
    assert f"# {next(circuits(HEXAGONS, 6, 8, mirror=True))} is the first" in page
