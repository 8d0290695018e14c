from collections.abc import Iterator
from functools import cache
from itertools import product

import pytest
from tracks.words import canonical, laid, net_turn

from generator.tracks.courses import Course, CourseEntry, Tile, lay
from generator.tracks.inventory import (
    Inventory,
    curve_ways,
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
    Vector,
    Way,
    bend,
    form,
    straight,
    taper,
    times,
    total,
)
from generator.tracks.solver import Solver, circuits

grids = pytest.mark.parametrize("grid", GRIDS.values(), ids=lambda grid: grid.name)


def words(grid: TileGrid, straights: int, curves: int, **asked) -> Iterator[str]:
    stock = straights_and_curves(grid, straights, curves)
    return map(stock.letters, circuits(stock, **asked))


@pytest.mark.parametrize(
    ("grid", "turning", "mirroring"),
    [(HEXAGONS, 19, 11), (SQUARES, 69, 39), (OCTAGONS, 5, 4)],
    ids=lambda value: getattr(value, "name", None),
)
def test_six_straights_and_eight_curves(grid: TileGrid, turning: int, mirroring: int) -> None:
    assert len(list(words(grid, 6, 8))) == turning
    assert len(list(words(grid, 6, 8, mirror=True))) == mirroring


@grids
@pytest.mark.parametrize("mirror", [False, True])
def test_every_circuit_found_is_one_canonical_and_new(grid: TileGrid, mirror: bool) -> None:
    found = list(words(grid, 4, 10, mirror=mirror))
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
def test_no_circuit_is_missed(grid: TileGrid, straights: int, curves: int, mirror: bool) -> None:
    every = {canonical(word, mirror=mirror) for word in all_closed(grid, straights, curves)}
    assert set(words(grid, straights, curves, mirror=mirror)) == every


@cache
def all_closed(grid: TileGrid, straights: int, curves: int) -> tuple[str, ...]:
    """Return every word that is a circuit, found by laying each word that turns around once."""
    return tuple(
        word
        for word in map("".join, product("SLR", repeat=straights + curves))
        if word.count("S") == straights
        and abs(net_turn(word)) == grid.turns
        and laid(grid, word).is_circuit
    )


KERB = BorderCut(0.25)


def of(piece, owned: int, cut: BorderCut | None = KERB) -> Tile:
    return Tile(str(form(piece)), {"": Way(piece)}, owned, cut)


def straights(length: int, width: int, owned: int, **asked) -> Tile:
    return of(straight(HEXAGONS, length, width), owned, **asked)


def bends(side: int, radius: int, width: int, owned: int, **asked) -> Tile:
    return of(bend(HEXAGONS, side, radius, width), owned, **asked)


SETS = {
    "an oval and its halves": (HEXAGONS, [straights(4, 3, 2), bends(LEFT, 2, 3, 6)]),
    "bends to both sides": (
        HEXAGONS,
        [straights(2, 3, 2), bends(LEFT, 2, 3, 6), bends(RIGHT, 2, 3, 6)],
    ),
    "both sides, no kerbs": (
        HEXAGONS,
        [
            straights(2, 3, 1, cut=None),
            bends(LEFT, 2, 3, 7, cut=None),
            bends(RIGHT, 2, 3, 1, cut=None),
        ],
    ),
    "kerbs on some": (
        SQUARES,
        [
            of(straight(SQUARES), 2, cut=None),
            of(bend(SQUARES, LEFT), 6, cut=None),
            of(bend(SQUARES, RIGHT), 2),
        ],
    ),
    "two radii": (HEXAGONS, [straights(2, 1, 2), bends(LEFT, 2, 1, 4), bends(LEFT, 4, 1, 3)]),
    "two widths": (
        HEXAGONS,
        [
            of(taper(HEXAGONS, 4, 3, 1, RIGHT), 1),
            of(taper(HEXAGONS, 4, 1, 3, RIGHT), 1),
            straights(2, 1, 1),
            bends(LEFT, 2, 1, 3),
            bends(LEFT, 2, 3, 4),
        ],
    ),
    "squares of two lanes, to both sides": (
        SQUARES,
        [
            of(straight(SQUARES, 2, 2), 2),
            of(bend(SQUARES, LEFT, 1, 2), 5),
            of(bend(SQUARES, RIGHT, 1, 2), 2),
        ],
    ),
    "curves either way and one that is not": (
        HEXAGONS,
        [
            Tile("s", straight_ways(HEXAGONS), 2),
            Tile("c", curve_ways(HEXAGONS), 5),
            Tile("one way", {"": Way(bend(HEXAGONS, LEFT))}, 1, finish=True),
        ],
    ),
    "tiles to turn or go straight": (
        HEXAGONS,
        [
            Tile("any", {**straight_ways(HEXAGONS), **curve_ways(HEXAGONS)}, 3),
            Tile("c", curve_ways(HEXAGONS), 4),
        ],
    ),
    "curves either way and some that are not, to both sides": (
        HEXAGONS,
        [
            of(bend(HEXAGONS, RIGHT), 6, cut=None),
            Tile("either", curve_ways(HEXAGONS), 6),
            of(bend(HEXAGONS, LEFT), 2, cut=None),
        ],
    ),
    "a piece from which none leads on": (
        HEXAGONS,
        [
            of(taper(HEXAGONS, 4, 3, 1, RIGHT), 1),
            straights(4, 3, 2),
            bends(LEFT, 2, 3, 6),
        ],
    ),
    "octagons": (OCTAGONS, [Tile("s", straight_ways(OCTAGONS), 2), of(bend(OCTAGONS, LEFT), 8)]),
}


@pytest.mark.parametrize("name", SETS)
@pytest.mark.parametrize("mirror", [False, True])
def test_no_circuit_of_any_tiles_is_missed(name: str, mirror: bool) -> None:
    grid, tiles = SETS[name]
    stock = inventory_of(grid, tiles)
    number = 0
    for length in range(4, min(stock.owned, 8) + 1):
        found = list(circuits(stock, length=length, mirror=mirror))
        kept = [seen(stock, stock.course(word), mirror) for word in found]
        assert len(set(kept)) == len(kept), "no circuit comes twice"
        assert set(kept) == {seen(stock, course, mirror) for course in every(name, length)}
        number += len(kept)
    assert number


@cache
def every(name: str, length: int) -> tuple[Course, ...]:
    """Return all circuits, found by trying every row of tiles and laying those that lead home."""
    stock = inventory_of(*SETS[name])
    grid, tiles = stock.grid, [(shape.tiles[0], shape.owned) for shape in stock.shapes]

    def rows(row: list[tuple[Tile, str]], place: Vector, turned: int) -> Iterator[Course]:
        if len(row) == length:
            course = lay(grid, [(tile, CourseEntry("", letter)) for tile, letter in row])
            if course.is_circuit and course.tiles[-1].piece.leaves == course.tiles[0].piece.enters:
                yield course
            return
        width = row[-1][0].ways[row[-1][1]].piece.leaves if row else None
        for tile, owned in tiles:
            if sum(laid is tile for laid, _ in row) == owned:
                continue
            for letter, piece in ((letter, way.piece) for letter, way in tile.ways.items()):
                after = total(place, grid.rotated(piece.exit, turned % grid.turns))
                round_ = turned + piece.turn
                home = len(row) < length - 1 or (after, abs(round_)) == (grid.origin, grid.turns)
                if home and width in (None, piece.enters):
                    yield from rows([*row, (tile, letter)], after, round_)

    return tuple(rows([], grid.origin, 0))


def seen(stock: Inventory, course: Course, mirror: bool) -> frozenset:
    """Return the look of a course on the table, equal however it is turned, moved (or mirrored). It
    holds the shape and cells of each tile, and their order if the tile has only one direction."""
    moves = list(zip(stock.moves, stock.back, stock.mirror, strict=True))
    back = {(move.shape, move.letter): back is not None for move, back, _ in moves}
    image = {m.shape: stock.moves[i].shape for m, _, i in moves if i is not None}
    kinds = {tile.call: n for n, shape in enumerate(stock.shapes) for tile in shape.tiles}
    grid = course.grid

    def mirrored(cell: Vector) -> Vector:
        steps = (times(grid.directions[-k % grid.turns], v) for k, v in enumerate(cell))
        return total(*steps)

    looks = []
    used = {kinds[one.tile.call] for one in course.tiles}
    for flip in (False, True)[: 1 + (mirror and used <= set(image))]:
        tiles = []
        for one in course.tiles:
            kind = kinds[one.tile.call]
            lanes = [tuple(map(one.on_table, lane)) for lane in one.piece.lanes]
            if flip:
                kind, lanes = image[kind], [tuple(map(mirrored, lane)) for lane in lanes[::-1]]
            tiles.append((kind, lanes, back[kinds[one.tile.call], one.letter]))
        if flip and any(
            sum(kind == n for kind, _, _ in tiles) > shape.owned
            for n, shape in enumerate(stock.shapes)
        ):
            continue
        for steps in range(grid.turns):
            turned = [
                (kind, [tuple(grid.rotated(c, steps) for c in lane) for lane in lanes], both)
                for kind, lanes, both in tiles
            ]
            corner = min(cell for _, lanes, _ in turned for lane in lanes for cell in lane)
            away = times(corner, -1)
            looks.append(
                frozenset(
                    (kind, frozenset(cells) if both else tuple(cells))
                    for kind, lanes, both in turned
                    for cells in [[total(cell, away) for lane in lanes for cell in lane]]
                )
            )
    return frozenset(looks)


def test_a_shorter_circuit_takes_any_of_the_tiles() -> None:
    found = list(words(SQUARES, 6, 8, length=8))
    assert sorted(found) == sorted(
        [*words(SQUARES, 4, 4), *words(SQUARES, 2, 6), *words(SQUARES, 0, 8)]
    )
    assert list(words(SQUARES, 6, 8, length=15)) == []


PIECES = [
    straights(6, 3, 1),
    straights(4, 3, 6),
    straights(2, 3, 2),
    bends(LEFT, 2, 3, 6),
    bends(RIGHT, 2, 3, 2),
    bends(LEFT, 4, 3, 4),
    bends(RIGHT, 4, 3, 2),
    straights(3, 3, 1),
]


@pytest.mark.parametrize(
    ("stock", "most"),
    [
        *((straights_and_curves(grid, 10, 14), 10_000) for grid in GRIDS.values()),
        (inventory_of(HEXAGONS, PIECES), 250_000),
    ],
    ids=[*GRIDS, "pieces"],
)
def test_a_search_of_24_tiles_gives_its_first_circuits_soon(stock: Inventory, most: int) -> None:
    found: list[tuple[int, ...]] = []
    for words, tried in Solver(stock, 24).search(24):
        found += words
        if len(found) > 20:
            break
        assert tried < most
    assert all(stock.course(word).is_circuit for word in found[:20])


@pytest.mark.parametrize("counted", [3_000, 4], ids=["all counted", "needed ones counted"])
@pytest.mark.parametrize("length", [8, 10])
def test_circuits_with_needed_tiles_are_those_of_all_circuits(
    length: int, counted: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("generator.tracks.solver._MOST_COUNTED", counted)
    tiles = [
        Tile("plain", straight_ways(HEXAGONS), 2),
        Tile("long", {"S": Way(straight(HEXAGONS, 2))}, 2, BorderCut(0.0)),
        Tile("curve", curve_ways(HEXAGONS), 8),
    ]
    stock = inventory_of(HEXAGONS, tiles)
    [long] = [n for n, shape in enumerate(stock.shapes) if shape.tiles[0].call == "long"]
    least = tuple(int(n == long) for n in range(3))

    def of(least: tuple[int, ...]) -> list[tuple[int, ...]]:
        found = Solver(stock, length, least=least).search(length)
        return [word for words, _ in found for word in words]

    every, some = of(()), of(least)
    wanted = [w for w in every if any(stock.moves[n].shape == long for n in w)]
    assert sorted(some) == sorted(wanted)
    assert 0 < len(some) < len(every)
