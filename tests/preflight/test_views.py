"""Which parts of a face are looked at apart, and which texts of a poster's page count."""

from __future__ import annotations

import pytest
from PIL import Image, ImageDraw
from preflight.by_hand import altered, placed

from generator.geometry import Point, Rect
from generator.model.manifest import PosterEntry
from generator.preflight.faces import look_at, texts_in_sight
from generator.preflight.outline import distance_out
from generator.preflight.painted import PaintedText
from generator.preflight.raster import Raster

SHOWN = Rect(10, 10, 100, 200)
WINDOW = Rect(8, 10, 110, 210)


def poster(shown: Rect) -> PosterEntry:
    window = (shown.x, shown.y, shown.width, shown.height)
    return PosterEntry(row=1, column=2, rows=2, columns=3, shown_mm=window)


PAGE = placed(
    Rect(-90, 10, 300, 400),
    component="wall",
    kind="wall",
    clip=WINDOW,
    sha256="ab" * 32,
    poster=poster(SHOWN),
)
TILE = altered(PAGE, poster=None, clip=None, outline=(Point(0, 0), Point(9, 0), Point(0, 9)))


def text(box: Rect, turn: float = 0) -> PaintedText:
    return PaintedText(box, 10, "Body", "words", (0, 0, 0), 255, 0, turn, 1)


def sight(*inked: Rect) -> tuple[Raster, Raster]:
    """What is seen with ink in some places, and without; ten pixels to a millimetre."""
    size = (int(SHOWN.width * 10), int(SHOWN.height * 10))
    seen, ground = (Image.new("RGB", size, "white") for _ in range(2))
    for box in inked:
        x, y = (box.x - SHOWN.x) * 10, (box.y - SHOWN.y) * 10
        corners = (x, y, x + box.width * 10 - 1, y + box.height * 10 - 1)
        ImageDraw.Draw(seen).rectangle(corners, fill="black")
    return Raster(seen, SHOWN), Raster(ground, SHOWN)


def test_pages_of_a_poster_and_tiles_with_other_neighbours_are_looked_at_apart() -> None:
    other = altered(PAGE, box=PAGE.box.moved(-90, 0))
    again = altered(PAGE, box=PAGE.box.moved(0, 5), poster=poster(SHOWN.moved(0, 5)))
    assert look_at(PAGE) != look_at(other)
    assert look_at(PAGE) == look_at(again)
    elsewhere = altered(
        TILE,
        box=TILE.box.moved(3, 4),
        outline=tuple(corner.moved(3, 4) for corner in TILE.outline),
    )
    assert look_at(TILE) == look_at(elsewhere)
    assert look_at(TILE) != look_at(altered(TILE, outline=(*TILE.outline[:2], Point(0, 8))))
    assert look_at(altered(TILE, outline=())) == look_at(TILE).whole


def test_what_lies_under_marks_is_not_looked_at() -> None:
    assert look_at(PAGE).art == SHOWN.moved(90, -10)
    assert look_at(TILE).art == Rect(-3, -3, 306, 406)


def test_a_text_counts_on_the_page_that_shows_it() -> None:
    inside, outside = text(Rect(20, 20, 30, 4)), text(Rect(112, 20, 30, 4))
    assert list(texts_in_sight([inside, outside], SHOWN, *sight(inside.box))) == [inside]


def test_of_a_line_across_a_seam_the_ink_on_this_side_counts() -> None:
    line = text(Rect(90, 20, 40, 4))
    (part,) = texts_in_sight([line], SHOWN, *sight(Rect(92, 20.5, 6, 3)))
    assert (part.box.x, part.box.y) == (pytest.approx(92, abs=0.11), pytest.approx(20.5, abs=0.11))
    assert part.box.right == pytest.approx(98, abs=0.11)
    assert list(texts_in_sight([line], SHOWN, *sight())) == []


def test_a_line_that_a_seam_splits_is_left_to_no_page() -> None:
    level, upright = text(Rect(20, 208, 40, 4)), text(Rect(108, 20, 4, 40), turn=270)
    inked = sight(Rect(20, 208, 40, 2), Rect(108, 20, 2, 40))
    assert list(texts_in_sight([level, upright], SHOWN, *inked)) == []


def test_how_far_it_is_out_of_an_outline() -> None:
    square = (Point(0, 0), Point(10, 0), Point(10, 10), Point(0, 10))
    assert distance_out(Point(4, 5), Point(1, 0), square) == pytest.approx(6)
    assert distance_out(Point(4, 5), Point(0, -1), square) == pytest.approx(5)
    slanted = Point(0.6, 0.8)
    assert distance_out(Point(4, 5), slanted, square) == pytest.approx(5 / 0.8)
