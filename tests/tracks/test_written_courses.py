import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.tracks.courses import (
    MOST_TILES,
    CourseError,
    Tile,
    WrittenStep,
    course_words,
    is_call,
    tile_number,
    tiles_of_steps,
)
from generator.tracks.inventory import curve_ways, straight_ways
from generator.tracks.pieces import HEXAGONS, OCTAGONS

STRAIGHT, CURVE = straight_ways(HEXAGONS), curve_ways(HEXAGONS)
TILES = [
    Tile("1", STRAIGHT, 1),
    Tile("2", STRAIGHT, 2),
    Tile("9", CURVE, 1),
    Tile("10", CURVE, 1),
    Tile("pearl", {"L": CURVE["L"]}, 1),
]


def laid(text: str) -> list[str]:
    """Return the tiles that a text lays, as call and letter; no step has a fault."""
    found, faults = tiles_of_steps(
        [WrittenStep(word) for word, _ in course_words(text)], TILES, HEXAGONS
    )
    assert faults == []
    return [f"{tile.call}:{laying.way}" for tile, laying in found]


def fault(text: str) -> tuple[str, int, str, str]:
    _, faults = tiles_of_steps(
        [WrittenStep(word) for word, _ in course_words(text)], TILES, HEXAGONS
    )
    (only,) = faults
    return only.code, only.number, only.message, only.hint


def test_words_know_where_they_begin() -> None:
    assert list(course_words(" 1  9L\n10R")) == [("1", 1), ("9L", 4), ("10R", 7)]


@pytest.mark.parametrize("text", ["3x S", "3× S", "3xS", "3×S"])
def test_a_repeat_repeats_what_follows(text: str) -> None:
    offset = text.index("S")
    assert list(course_words(f"{text} L")) == [("S", offset)] * 3 + [("L", len(text) + 1)]


@pytest.mark.parametrize(
    ("text", "offset", "said"),
    [
        ("S 0x S", 2, "lays nothing"),
        ("S 3x", 2, "nothing follows"),
        ("2x 3x S", 3, "two repeats"),
        ("S 500x S", 7, "more than 500"),
        ("999999×S", 0, "more than 500"),
    ],
)
def test_what_is_no_course_is_told_at_its_place(text: str, offset: int, said: str) -> None:
    with pytest.raises(CourseError, match=said) as caught:
        list(course_words(text))
    assert caught.value.offset == offset
    assert caught.value.hint


@given(st.text(alphabet="SLR129x×# \n", max_size=60))
def test_any_text_gives_words_or_an_error_in_it(text: str) -> None:
    try:
        found = list(course_words(text))
    except CourseError as error:
        found = [(text[error.offset : error.offset + 1], error.offset)]
    assert len(found) <= MOST_TILES
    assert all(word and text.startswith(word, offset) for word, offset in found)


def test_a_call_names_its_tile_and_a_letter_its_way() -> None:
    assert laid("1 9L 10R 2 2S 9l pearl pearlL") == (
        "1:S 9:L 10:R 2:S 2:S 9:L pearl:L pearl:L".split()
    )


def test_a_bare_letter_takes_the_next_tile_that_is_free() -> None:
    assert laid("S S S") == ["1:S", "2:S", "2:S"]
    assert laid("L R L") == ["9:L", "10:R", "pearl:L"]


def test_a_tile_that_is_named_is_not_free_anywhere() -> None:
    assert laid("S L 1 9R") == ["2:S", "10:L", "1:S", "9:R"]


def test_a_call_goes_before_a_letter() -> None:
    tiles = [*TILES, Tile("L", STRAIGHT, 1), Tile("9L", STRAIGHT, 1)]
    found, _ = tiles_of_steps([WrittenStep("L"), WrittenStep("9L")], tiles, HEXAGONS)
    assert [tile.call for tile, _ in found] == ["L", "9L"]


def test_a_way_may_be_said_apart() -> None:
    found, _ = tiles_of_steps([WrittenStep("9", "R", (2, 3), 4)], TILES, HEXAGONS)
    ((tile, laying),) = found
    assert (tile.call, laying.way, laying.place, laying.heading) == ("9", "R", (2, 3), 4)


def test_what_no_tile_is() -> None:
    assert fault("1 prl")[:3] == ("GP902", 2, "there is no tile 'prl'")
    assert fault("1 pearly") == ("GP902", 2, "there is no tile 'pearly'", "did you mean 'pearl'?")
    assert fault("9") == (
        *("GP902", 1, "9 turns left or turns right: it does not say which"),
        "write 9L or 9R",
    )
    assert fault("2L") == ("GP902", 1, "no way through 2 turns left", "it leads straight on")


def test_letters_that_no_tile_is_left_for_are_told_once() -> None:
    code, number, message, hint = fault("S S S S S")
    assert (code, number, message) == ("GP907", 4, "no tile is left that leads straight on")
    assert "there are 3" in hint
    _, faults = tiles_of_steps([WrittenStep("L")], TILES[:2], HEXAGONS)
    assert [(f.code, f.message) for f in faults] == [("GP902", "there is no tile that turns left")]


def test_a_place_has_as_many_numbers_as_its_grid() -> None:
    _, faults = tiles_of_steps([WrittenStep("1", "", (0, 0, 0, 0), 0)], TILES, HEXAGONS)
    assert [(f.code, f.number, f.hint) for f in faults] == [
        ("GP901", 1, "it has 2, such as at: [0, 0]")
    ]
    assert tiles_of_steps([WrittenStep("1", "", (0, 0, 0, 0), 0)], TILES, OCTAGONS)[1] == []


def test_calls_are_words_that_are_no_repeats() -> None:
    assert all(map(is_call, ["1", "9L", "bend-2", "S", "x4"]))
    assert not any(map(is_call, ["", "two words", "bend#1", "4x", "4x4", "3×bend"]))


def test_tiles_are_numbered_by_their_names() -> None:
    calls = ["1", "bend", "2", "bend"]
    assert [tile_number(name, calls) for name in ("1", "2", "bend#1", "bend#2", "1#1")] == [
        *(1, 3, 2, 4, 1)
    ]


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("bend", "is on the track 2 times"),
        ("bend#3", "is not on"),
        ("bend#x", "is not on"),
        ("7", "not"),
    ],
)
def test_names_that_fit_no_single_tile(name: str, said: str) -> None:
    with pytest.raises(CourseError, match=said) as caught:
        tile_number(name, ["1", "bend", "2", "bend"])
    assert caught.value.hint
