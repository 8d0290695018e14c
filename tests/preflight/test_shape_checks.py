from __future__ import annotations

import pytest
from msgspec.structs import replace
from preflight.test_text_checks import LINE, TRIM, specimen

from generator.geometry import Rect
from generator.preflight.near_cut import _Letter, _word
from generator.preflight.painted import FineLine, PaintedText
from generator.preflight.shape_checks import fine_lines, folded_words, tents

FOLD = Rect(0, 30, 60, 0)
FEET = (Rect(0, 10, 60, 0), FOLD, Rect(0, 50, 60, 0))
ABOVE = replace(LINE, box=Rect(30, 40, 30, 3), turn=180.0)
BELOW = replace(LINE, box=Rect(30, 70, 30, 3))


def test_the_thinnest_line_is_told() -> None:
    sample = specimen(LINE)
    assert list(fine_lines(sample)) == []
    lines = FineLine(Rect(30, 50, 9, 0), 0.08), FineLine(Rect(30, 60, 9, 0), 0.05)
    [found] = fine_lines(replace(sample, painted=replace(sample.painted, fine=lines)))
    assert found.message == "a line is 0.05 mm thin, a hairline, and 1 more are too thin"
    assert found.place == Rect(30, 60, 9, 0).grown(0.1)


@pytest.mark.parametrize(("y", "count"), [(55, 0), (56.6, 1), (59, 1), (60.3, 1), (60.6, 0)])
def test_words_keep_off_a_fold(y: float, count: int) -> None:
    sample = specimen(replace(LINE, box=Rect(30, y, 30, 3)))
    assert list(folded_words(sample)) == []
    folded = replace(sample, look=replace(sample.look, folds=(FOLD,)))
    assert [found.code for found in folded_words(folded)] == ["GP816"] * count


@pytest.mark.parametrize(
    ("folds", "turn", "count"),
    [
        ((FOLD,), 180.0, 0),
        ((FOLD,), 0.0, 1),
        ((FOLD,), 90.0, 0),
        (FEET, 0.0, 1),
        ((), 0.0, 0),
        ((Rect(0, 20, 60, 0),), 0.0, 0),
        ((Rect(30, 0, 0, 60),), 0.0, 0),
    ],
    ids=["turned", "upright", "sideways", "a standee", "flat", "no tent", "a leaflet"],
)
def test_what_is_above_the_top_of_a_tent_is_turned(
    folds: tuple[Rect, ...], turn: float, count: int
) -> None:
    sample = specimen(replace(ABOVE, turn=turn), BELOW)
    assert TRIM.y + FOLD.y == 60
    found = tents(replace(sample, look=replace(sample.look, folds=folds)))
    assert [each.code for each in found] == ["GP817"] * count


@pytest.mark.parametrize(
    ("texts", "words"),
    [
        ((replace(ABOVE, turn=0.0),), "text is upright above the fold"),
        ((ABOVE,), ""),
        ((BELOW,), ""),
        ((replace(BELOW, turn=180.0),), "text below the fold"),
        ((ABOVE, replace(BELOW, turn=180.0)), "text below the fold"),
        ((replace(ABOVE, turn=0.0), replace(BELOW, turn=180.0)), ""),
        ((ABOVE, replace(ABOVE, turn=0.0), BELOW, replace(BELOW, turn=180.0)), ""),
    ],
    ids=["back", "turned", "front", "front on its head", "both", "a fold below", "both ways"],
)
def test_each_side_of_a_tent_is_looked_at(texts: tuple[PaintedText, ...], words: str) -> None:
    sample = specimen(*texts)
    found = list(tents(replace(sample, look=replace(sample.look, folds=(FOLD,)))))
    assert len(found) == bool(words)
    assert not found or found[0].message.startswith(words)


@pytest.mark.parametrize(
    ("feet", "forwards", "way"),
    [(0, True, 1), (0, False, -1), (-1, True, 1), (2, False, 1), (-2, True, 0), (-2, False, -1)],
    ids=["CAPITALS", "turned", "QUEEN", "read from its right", "so, turned", "jumpy, turned"],
)
def test_capitals_in_outlines_are_read_as_they_are_painted(
    feet: int, forwards: bool, way: int
) -> None:
    row = [_Letter(Rect(5.0 * n, 0, 4, 6), n, True) for n in range(7)]
    for n in range(abs(feet)):  # letters that end higher than the others, or lower
        row[n + 1] = _Letter(Rect(5.0 * n + 5, -1.5 * (feet > 0), 4, 7.5), n + 1, True)
    assert [word.way for word in _word(row if forwards else row[::-1])] == [way]
