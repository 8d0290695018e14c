from tracks.layouts import pieces
from tracks.words import laid

from generator.tracks.grids import HEXAGONS, OCTAGONS, SQUARES
from generator.tracks.listing import WIDEST, character_map
from generator.tracks.records import course_of


def numbers(course) -> dict[int, str]:
    return {tile.number: str(tile.number) for tile in course.tiles}


def test_a_ring_of_hexagons() -> None:
    course = laid(HEXAGONS, "LLLLLL")
    assert character_map(course, numbers(course)) == (
        "  4 · 3",
        " ·     ·",
        "5       2",
        " ·     ·",
        "  6 · 1",
    )


def test_a_ring_of_squares() -> None:
    course = laid(SQUARES, "SLLSLL")
    assert character_map(course, numbers(course)) == ("5 · 4 · 3", "·       ·", "6 · 1 · 2")


def test_octagons_lie_where_they_can() -> None:
    course = laid(OCTAGONS, "L" * 8)
    lines = character_map(course, numbers(course))
    assert all(any(str(n) in line for line in lines) for n in range(1, 9))


def test_cells_of_pieces_are_dots_and_labels_stand_in_their_middle() -> None:
    course = course_of(pieces())
    lines = character_map(course, numbers(course))
    assert sum(line.count("·") for line in lines) + 8 == sum(
        len(tile.cells) for tile in course.tiles
    )
    assert all(sum(line.count(str(n)) for line in lines) == 1 for n in range(1, 9))


def test_no_map_is_too_wide_for_a_terminal() -> None:
    for length in (20, 200):
        course = laid(HEXAGONS, "S" * length)
        lines = character_map(course, numbers(course))
        assert all(len(line) <= WIDEST for line in lines)
        assert bool(lines) == (length == 20)
    assert character_map(laid(HEXAGONS, ""), {}) == ()
