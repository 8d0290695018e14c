import pytest

from generator.tracks.candidates import Candidate
from generator.tracks.courses import Tile
from generator.tracks.inventory import (
    CountError,
    Inventory,
    curve_ways,
    inventory_of,
    parse_counts,
    straight_ways,
    straights_and_curves,
    token,
)
from generator.tracks.pieces import HEXAGONS, LEFT, RIGHT, SQUARES, BorderCut, Way, bend, straight


def named(stock: Inventory, word: tuple[int, ...]) -> str:
    """Return the course as a text to paste."""
    return Candidate(stock, word, 1.0).named


@pytest.mark.parametrize(
    "text", ["6S 8C", "8c6s", " 6 S, 8 C ", "6xS + 8×C", "2S 8 curves 4 straights"]
)
def test_counts_are_read_as_people_write_them(text: str) -> None:
    assert parse_counts(text) == (6, 8)


def test_what_is_not_named_is_not_there() -> None:
    assert parse_counts("6C") == (0, 6)
    assert parse_counts("") == (0, 0)


@pytest.mark.parametrize(("text", "offset"), [("6S 8Q", 4), ("6S C", 3), ("6", 0), ("6S 8C 4", 6)])
def test_what_cannot_be_read_is_pointed_at(text: str, offset: int) -> None:
    with pytest.raises(CountError) as caught:
        parse_counts(text)
    assert caught.value.offset == offset


PLAIN = {"": Way(straight(HEXAGONS, 4, 3))}
TILES = [
    Tile("bend", {"": Way(bend(HEXAGONS, LEFT, 2, 3))}, owned=6),
    Tile("turn", {"": Way(bend(HEXAGONS, RIGHT, 2, 3))}, owned=2),
    Tile("plain", PLAIN, owned=2),
    Tile("spare", PLAIN, owned=0),
    Tile("grid", PLAIN, starts=6),
    Tile("finish", PLAIN, finish=True),
    Tile("walled", PLAIN, cut=BorderCut(0.25)),
]


def test_tiles_of_one_shape_stand_in_for_each_other() -> None:
    stock = inventory_of(HEXAGONS, TILES)
    calls = [[tile.call for tile in shape.tiles] for shape in stock.shapes]
    assert calls == [["finish", "grid", "plain"], ["bend"], ["turn"], ["walled"]]
    assert [shape.owned for shape in stock.shapes] == [4, 6, 2, 1]
    assert stock.owned == 13


def test_moves_know_their_mirror_images_and_their_ways_back() -> None:
    stock = inventory_of(HEXAGONS, TILES)
    assert stock.mirror == (0, 2, 1, 3)
    assert stock.back == (None, None, None, None)
    letters = straights_and_curves(SQUARES, 1, 1)
    assert [m.letter for m in letters.moves] == ["S", "L", "R"]
    assert letters.mirror == letters.back == (0, 2, 1)


def test_a_word_is_named_by_the_tiles_there_are() -> None:
    stock = inventory_of(HEXAGONS, TILES)
    assert named(stock, (0, 1, 0, 0, 0, 1)) == "finish bend grid plain plain bend"
    assert len(stock.course((0, 1, 0, 0, 0, 1)).tiles) == 6


def test_the_way_is_named_where_a_tile_has_several() -> None:
    stock = inventory_of(
        HEXAGONS,
        [
            Tile("1", straight_ways(HEXAGONS)),
            Tile("9", curve_ways(HEXAGONS)),
            Tile("10", curve_ways(HEXAGONS)),
        ],
    )
    assert named(stock, (0, 1, 2)) == "1 9L 10R"
    assert stock.letters((0, 1, 2)) == "SLR"
    assert token(stock.shapes[1].tiles[0], "R") == "9R"


def test_one_finish_line_is_enough() -> None:
    """If two shapes each have a finish line, the second uses its plain tile."""
    narrow = {"": Way(straight(HEXAGONS, 4, 2))}
    stock = inventory_of(
        HEXAGONS,
        [
            Tile("line", PLAIN, finish=True),
            Tile("narrow line", narrow, finish=True),
            Tile("narrow", narrow),
        ],
    )
    assert named(stock, (0, 1)) == "line narrow"
    assert named(stock, (0, 1, 1)) == "line narrow narrow line"
    assert named(stock, (1, 1)) == "narrow line narrow"
