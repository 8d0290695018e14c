from tracks.layouts import letters, open_ends, pieces
from tracks.words import laid

from generator.tracks.listing import (
    WIDEST,
    character_map,
    facts,
    references,
    tile_labels,
    track_listing,
)
from generator.tracks.pieces import HEXAGONS, OCTAGONS
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


def test_each_tile_has_a_line() -> None:
    lines = track_listing(letters("SLLLSLLL"))
    assert lines[0].split() == "no. tile way place heading joint to the next".split()
    assert lines[1] == "1    1     straight on  0, 0   0°       ok"
    assert lines[4] == "4    4L    left         0, 2   120°     ok"
    assert [line.split()[0] for line in lines[1:9]] == [str(n) for n in range(1, 9)]
    assert all(line.endswith("ok") for line in lines[1:9])


def test_a_gap_is_told_in_mm_and_the_end_of_an_open_track() -> None:
    lines = track_listing(open_ends())
    assert lines[1].endswith("gap of 80.0 mm towards 0°")
    assert lines[2].endswith("the end")
    assert "open of 2 tiles, 2 cells long, turning nowhere" in lines
    assert "finish line on no tile" in lines


def test_the_summary_says_what_the_track_is() -> None:
    lines = track_listing(pieces(removable=[5]))
    assert "starts for 6 vehicles" in lines
    assert "3 lanes wide where it is narrowest" in lines
    assert "finish line on grid" in lines
    assert "can leave, all together: [plain]" in lines
    assert "tiles: grid, plain × 1 of 9, bend × 6 of 6" in lines
    assert "not used, or not all of them: plain" in lines


def test_what_is_listed_can_be_pasted_back() -> None:
    lines = track_listing(letters("SLLLSLLL"))
    assert lines[lines.index("course, to paste:") + 1] == "1 2L 3L 4L 5 6L 7L 8L"
    assert [line.split()[1] for line in lines[1:9]] == "1 2L 3L 4L 5 6L 7L 8L".split()
    assert "course, to paste:" not in track_listing(open_ends()), "its tiles have places"


def test_a_map_says_whether_calls_or_numbers_stand_on_it() -> None:
    assert "map, by the tiles' calls:" in track_listing(letters("SLLLSLLL"))
    assert "map, by the order of travel:" in track_listing(pieces())


def test_cells_that_are_laid_twice_are_crosses() -> None:
    course = laid(HEXAGONS, "LLLLLLS")
    assert sum(line.count("×") for line in character_map(course, numbers(course))) == 1


def test_a_track_is_told_as_its_map_is_turned() -> None:
    lines = track_listing(letters("SSLLLSSLLL", heading=2))
    assert lines[2] == "2    2     straight on  -1, 1   120°     ok"
    assert [line.strip() for line in lines[-9:][::2]] == [
        "4 · 3",
        "5       2",
        "6       1",
        "7       10",
        "8 · 9",
    ]
    assert track_listing(letters("SSLLLSSLLL", heading=-4)) == lines


def test_facts_of_a_circuit() -> None:
    assert next(iter(facts(letters("RRRRRR")))) == (
        "a circuit of 6 tiles, 6 cells round, turning 360° to the right"
    )


def test_short_calls_are_labels_and_others_numbers() -> None:
    assert tile_labels(letters("LLLLLL")) == {n: str(n) for n in range(1, 7)}
    assert tile_labels(pieces())[5] == "5"


def test_tiles_that_lie_there_again_are_told_apart() -> None:
    named = references(pieces())
    assert (named[1], named[2], named[6], named[8]) == ("grid", "bend#1", "bend#4", "bend#6")
