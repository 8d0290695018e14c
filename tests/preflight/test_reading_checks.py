from __future__ import annotations

import pytest
from msgspec import structs
from msgspec.structs import replace
from preflight.test_text_checks import LINE, specimen

from generator.geometry import Rect
from generator.preflight.text_checks import crossings, knocked_out, mirrored

OTHER = replace(LINE, box=Rect(32, 51, 20, 3), words="Six feet", order=6)


def test_text_over_text() -> None:
    [found] = crossings(specimen(LINE, OTHER))
    assert found.message == "text is printed over text: ‘Twelve legs’ and ‘Six feet’"
    assert found.place == Rect(32, 51, 20, 2)


@pytest.mark.parametrize(
    "box",
    [Rect(30, 52, 20, 3), Rect(59.5, 50, 20, 3)],
    ids=["a tail in the next line", "a letter that leans over"],
)
def test_lines_that_touch_are_not_over_one_another(box: Rect) -> None:
    assert list(crossings(specimen(LINE, replace(OTHER, box=box)))) == []


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
