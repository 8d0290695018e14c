from dataclasses import replace

import pytest
from preflight.by_hand import placed

from generator.geometry import Rect
from generator.preflight.faces import laid_upright
from generator.preflight.manifest_reader import Expected
from generator.preflight.marks import on_page, packed, unpacked, upright
from generator.preflight.painted import Painted, PaintedImage, PaintedShape, PaintedText

RED, BLUE = (200, 0, 0), (0, 0, 200)


def expected(x: float = 20, y: float = 30, rotation: int = 0) -> Expected:
    w, h = (63, 88) if rotation % 180 == 0 else (88, 63)
    return placed(Rect(x, y, w, h), rotation=rotation)


def shape(box: Rect, colour: tuple[int, int, int] = RED, alpha: int = 255, order: int = 0):
    return PaintedShape(box, 5, colour, None, alpha, order)


def text(words: str, box: Rect, order: int = 0) -> PaintedText:
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
        text("", Rect(25, 35, 10, 5)),
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
        not marks_of(expected(), text("a", box)).keys()
        & marks_of(expected(), text("b", box)).keys()
    )
    picture = PaintedImage(box, (10, 5), 900, 0)
    other = replace(picture, stored=901)
    assert not marks_of(expected(), picture).keys() & marks_of(expected(), other).keys()


@pytest.mark.parametrize("rotation", [0, 90, 180, 270])
def test_a_mark_is_the_same_wherever_its_face_is_and_however_it_is_turned(rotation: int) -> None:
    place = Rect(5.25, 7.5, 10.05, 3)
    upright_one, turned = expected(), expected(70.013, 110.007, rotation)
    here = marks_of(upright_one, shape(on_page(place, upright_one)))
    there = marks_of(turned, shape(on_page(place, turned)))
    assert here.keys() == there.keys()


@pytest.mark.parametrize("rotation", [0, 90, 180, 270, 450])
def test_the_way_to_the_page_is_the_way_back(rotation: int) -> None:
    face, place = expected(rotation=rotation), Rect(5, 7, 10, 3)
    back = upright(on_page(place, face), face)
    assert (back.x, back.y, back.width, back.height) == pytest.approx((5, 7, 10, 3))


def test_a_face_turned_clockwise_has_its_top_left_at_the_top_right() -> None:
    face = expected(rotation=90)
    assert on_page(Rect(0, 0, 10, 3), face) == Rect(20 + 88 - 3, 30, 3, 10)


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
