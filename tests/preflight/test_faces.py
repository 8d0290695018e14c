"""Which parts of a face are looked at apart, and which texts of a poster's page count."""

from __future__ import annotations

import pytest
from msgspec.structs import replace
from PIL import Image, ImageDraw
from preflight.by_hand import altered, placed

from generator.geometry import Point, Rect, distance_out
from generator.model.manifest import PosterEntry
from generator.preflight.faces import (
    laid_upright,
    look_at,
    packed,
    texts_in_sight,
    unpacked,
)
from generator.preflight.manifest_reader import Expected
from generator.preflight.painted import Painted, PaintedImage, PaintedShape, PaintedText
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


RED, BLUE = (200, 0, 0), (0, 0, 200)


def expected(x: float = 20, y: float = 30, rotation: int = 0) -> Expected:
    w, h = (63, 88) if rotation % 180 == 0 else (88, 63)
    return placed(Rect(x, y, w, h), rotation=rotation)


def shape(box: Rect, colour: tuple[int, int, int] = RED, alpha: int = 255, order: int = 0):
    return PaintedShape(box, 5, colour, None, alpha, order)


def line(words: str, box: Rect, order: int = 0) -> PaintedText:
    return PaintedText(box, 9, "Body", words, RED, 255, 0, 0, order)


def marks_of(face: Expected, *things: PaintedShape | PaintedText | PaintedImage):
    painted = Painted(
        tuple(t for t in things if isinstance(t, PaintedText)),
        tuple(t for t in things if isinstance(t, PaintedImage)),
        tuple(t for t in things if isinstance(t, PaintedShape)),
    )
    return unpacked(packed(laid_upright(painted, face), Rect(0, 0, 63, 88)))


def test_the_same_shape_in_another_colour_is_the_same_mark() -> None:
    box = Rect(25, 35, 10, 5)
    [(one, mark), (other, same)] = [
        *marks_of(expected(), shape(box)).items(),
        *marks_of(expected(), shape(box, BLUE)).items(),
    ]
    assert one == other
    assert (mark.colour, same.colour) == (RED, BLUE)


@pytest.mark.parametrize(
    "other",
    [
        shape(Rect(25.3, 35, 10, 5)),
        shape(Rect(25, 35, 10, 5.3)),
        replace(shape(Rect(25, 35, 10, 5)), segments=6),
        replace(shape(Rect(25, 35, 10, 5)), fill=None, stroke=RED),
        line("", Rect(25, 35, 10, 5)),
    ],
)
def test_what_differs_in_more_than_its_colour_is_another_mark(
    other: PaintedShape | PaintedText,
) -> None:
    mark = marks_of(expected(), shape(Rect(25, 35, 10, 5)))
    assert not mark.keys() & marks_of(expected(), other).keys()


def test_other_words_and_other_pictures_are_other_marks() -> None:
    box = Rect(25, 35, 10, 5)
    assert (
        not marks_of(expected(), line("a", box)).keys()
        & marks_of(expected(), line("b", box)).keys()
    )
    picture = PaintedImage(box, (10, 5), 900, 0)
    other = replace(picture, stored=901)
    assert not marks_of(expected(), picture).keys() & marks_of(expected(), other).keys()


@pytest.mark.parametrize("rotation", [0, 90, 180, 270])
def test_a_mark_is_the_same_wherever_its_face_is_and_however_it_is_turned(rotation: int) -> None:
    place = Rect(5.25, 7.5, 10.05, 3)
    upright_one, turned = expected(), expected(70.013, 110.007, rotation)
    here = marks_of(upright_one, shape(upright_one.on_page(place)))
    there = marks_of(turned, shape(turned.on_page(place)))
    assert here.keys() == there.keys()


@pytest.mark.parametrize("rotation", [0, 90, 180, 270, 450])
def test_the_way_to_the_page_is_the_way_back(rotation: int) -> None:
    face, place = expected(rotation=rotation), Rect(5, 7, 10, 3)
    back = face.upright(face.on_page(place))
    assert (back.x, back.y, back.width, back.height) == pytest.approx((5, 7, 10, 3))


def test_a_face_turned_clockwise_has_its_top_left_at_the_top_right() -> None:
    face = expected(rotation=90)
    assert face.on_page(Rect(0, 0, 10, 3)) == Rect(20 + 88 - 3, 30, 3, 10)


def test_a_place_is_told_to_a_tenth_of_a_millimetre() -> None:
    [mark] = marks_of(expected(), shape(Rect(25, 35, 10, 5))).values()
    place = mark.place
    assert (place.x, place.y, place.width, place.height) == pytest.approx((5, 5, 10, 5), abs=0.1)


def test_what_is_seen_through_takes_on_the_ground() -> None:
    ground = shape(Rect(17, 27, 69, 94), BLUE, order=0)
    veil = shape(Rect(25, 35, 10, 5), RED, 51, order=1)
    colours = {m.place.width: m.colour for m in marks_of(expected(), veil, ground).values()}
    assert [colours[width] for width in sorted(colours)] == [(40, 0, 160), BLUE]
    [alone] = marks_of(expected(), veil).values()
    assert alone.colour == (244, 204, 204)


def test_of_two_marks_in_one_place_the_upper_is_seen() -> None:
    box = Rect(25, 35, 10, 5)
    [mark] = marks_of(expected(), shape(box, BLUE, order=2), shape(box, RED, order=1)).values()
    assert mark.colour == BLUE
