from __future__ import annotations

import pytest
from msgspec import structs
from msgspec.structs import replace
from PIL import Image, ImageColor
from preflight.test_text_checks import LINE, specimen

from generator.geometry import Rect
from generator.preflight.painted import joined_runs
from generator.preflight.text_checks import (
    _takes_several_inks,
    crossings,
    knocked_out,
    mirrored,
)

OTHER = replace(LINE, box=Rect(32, 51, 20, 3), words="Six feet", order=6)


def test_text_over_text() -> None:
    [found] = crossings(specimen(LINE, OTHER))
    assert found.message == "text is printed over text: ‘Twelve legs’ and ‘Six feet’"
    assert found.place == Rect(32, 51, 20, 2)


def test_of_hundreds_of_lines_the_last_ones_are_compared_too() -> None:
    lines = [
        replace(LINE, words=f"line {number}", box=Rect(2, 100 + 4 * number, 20, 3), order=number)
        for number in range(400)
    ]
    above, below = replace(LINE, order=500), replace(OTHER, order=501)
    again = replace(lines[0], box=lines[0].box.moved(0.5, 0), order=502)
    told = [found.message for found in crossings(specimen(*lines, above, below, again))]
    assert told[-1] == "text is printed over text: ‘Twelve legs’ and ‘Six feet’"
    assert told[0] == "text is printed twice, a little moved: ‘line 0’"


@pytest.mark.parametrize(
    "box",
    [Rect(30, 52, 20, 3), Rect(59.5, 50, 20, 3)],
    ids=["a tail in the next line", "a letter that leans over"],
)
def test_lines_that_touch_are_not_over_one_another(box: Rect) -> None:
    assert list(crossings(specimen(LINE, replace(OTHER, box=box)))) == []


def test_a_digit_over_a_digit() -> None:
    seven = replace(LINE, words="7", size_pt=22, box=Rect(30, 50, 3.2, 5))
    runs = [*joined_runs((seven, replace(seven, words="1", box=Rect(31, 50, 1.6, 5), order=6)))]
    [found] = crossings(specimen(*runs))
    assert found.message == "text is printed over text: ‘7’ and ‘1’"
    [row] = joined_runs((seven, replace(seven, words="1", box=Rect(33, 50, 1.6, 5), order=6)))
    assert row.words == "71"


def test_large_letters_at_two_edges_are_no_row() -> None:
    letter = replace(LINE, words="G ", size_pt=60, box=Rect(15, 40, 17, 20))
    assert len([*joined_runs((letter, replace(letter, box=Rect(40, 40, 17, 20))))]) == 2


@pytest.mark.parametrize("turn", [20.0, 45.0, 60.0])
def test_words_that_slant_over_others(turn: float) -> None:
    other = replace(OTHER, box=Rect(36, 42, 18, 18), turn=turn)
    assert [found.code for found in crossings(specimen(LINE, other))] == ["GP826"]
    beside = replace(other, box=Rect(62, 38, 18, 18))
    assert list(crossings(specimen(LINE, beside))) == []
    letter = replace(other, words="a", box=Rect(40, 49, 3, 3))
    assert list(crossings(specimen(LINE, letter))) == []


def test_the_same_words_twice() -> None:
    again = replace(LINE, box=LINE.box.moved(0.4, 0.2), words="", order=6)
    [found] = crossings(specimen(LINE, again))
    assert found.message == "text is printed twice, a little moved: ‘Twelve legs’"
    bolder = replace(again, box=LINE.box.moved(0.1, 0))
    assert list(crossings(specimen(LINE, bolder))) == []
    assert list(crossings(specimen(replace(LINE, colour=(190, 180, 150)), again))) == []


def test_words_behind_others_may_be_decoration() -> None:
    sample = specimen(LINE, OTHER)
    first, second = sample.look.texts
    look = replace(sample.look, texts=(structs.replace(first, decoration=True), second))
    assert list(crossings(replace(sample, look=look))) == []


def test_mirrored_text() -> None:
    assert list(mirrored(specimen(LINE))) == []
    [found] = mirrored(specimen(replace(LINE, mirrored=True)))
    assert found.message == "text is mirrored: ‘Twelve legs’"


@pytest.mark.parametrize(
    ("size_pt", "ground", "codes"),
    [
        (6.6, (34, 56, 79), ["GP828"]),
        (7.0, (34, 56, 79), []),
        (6.6, (20, 20, 20), []),
        (6.6, (200, 220, 240), []),
    ],
    ids=["blue", "large enough", "black alone", "light"],
)
def test_small_letters_in_dark_colours(
    size_pt: float, ground: tuple[int, int, int], codes: list[str]
) -> None:
    run = replace(LINE, size_pt=size_pt, colour=(255, 255, 255))
    assert [f.code for f in knocked_out(specimen(run, ground=ground))] == codes


@pytest.mark.parametrize(
    ("colours", "several"),
    [
        (["#22384f", "#50201c"], True),
        (["#222222", "#505050"], False),
        (["#13252a", "#252a13", "#2a1c25"], True),
        (["#1d1a17", "#1d1a17"], False),
        (["#22384f", "#22384f"], True),
    ],
    ids=["grey all in all", "grey", "a photograph", "nearly black", "flat"],
)
def test_the_inks_of_a_ground(colours: list[str], several: bool) -> None:
    ground = Image.new("RGB", (len(colours), 1))
    ground.putdata([ImageColor.getrgb(colour) for colour in colours])
    assert _takes_several_inks(ground.resize((60, 10), Image.Resampling.BILINEAR)) is several
