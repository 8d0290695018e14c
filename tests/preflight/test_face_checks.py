import pytest
from msgspec.structs import replace
from preflight.drawn import (
    BLED,
    POKER,
    TRIM,
    FlatLook,
    codes,
    findings,
    flat,
    geometry,
    line,
    path,
    picture,
    polygon,
    text,
)

from generator.geometry import Matrix, Rect, Size
from generator.model.catalogue import Edge, Shape, Stock
from generator.model.painted import Painted, PaintedArt, PaintedShape
from generator.preflight.face_checks import traits_of

RED = flat(BLED, "#aa2211")
WHITE = flat(BLED)
BAND = Rect(-3, 0, 66, 20)
ROUND = PaintedShape(TRIM, "#aa2211", segments=path(TRIM))
CIRCLE = Stock("token", Size(60, 90), shape=Shape.CIRCLE)


@pytest.mark.parametrize(
    "painted",
    [
        (RED,),
        (),
        (text(5, 5),),
        (RED, flat(Rect(0, 10, 60, 20), "#004488")),  # its ground goes on below
        (flat(TRIM, "#004488"), RED),
        (flat(TRIM, "#004488"), *(flat(each) for each in (
            Rect(-3, -3, 66, 5), Rect(-3, 88, 66, 5), Rect(-3, -3, 5, 96), Rect(58, -3, 5, 96)
        ))),  # a white border over it
        (picture(BLED),),
        (flat(Rect(-2.7, -2.7, 65.4, 95.4), "#aa2211"),),
        (flat(TRIM),),  # white on white
        (flat(Rect(3, 3, 54, 84), "#aa2211"),),
        (flat(TRIM, "#aa2211", 0.2),),
        (polygon((-1, 20), (30, 10), (61, 20), (30, 40), colour="#aa2211"),),  # a star's tips
        (PaintedArt(BLED), flat(TRIM, "#aa2211")),
        (replace(flat(TRIM, "#aa2211"), clipped=True),),
        (flat(Rect(-3, -3, 33, 96), "#aa2211"), flat(Rect(30, -3, 33, 96), "#004488")),
    ],
)  # fmt: skip
def test_a_face_that_bleeds_is_fair(painted: tuple[Painted, ...]) -> None:
    assert codes(*painted) == []


HATCHING = PaintedShape(
    Rect(5, 5, 50, 4), "#000000", line=0.05,
    segments=tuple(part for x in range(5, 55, 2) for part in (("M", (x, 5.0)), ("L", (x, 9.0)))),
)  # fmt: skip


@pytest.mark.parametrize(
    ("painted", "said"),
    [
        ((flat(TRIM, "#aa2211"),), "stops at the cut all around; its bleed is 3 mm"),
        ((ROUND,), "stops at the cut all around; its bleed is 3 mm"),
        ((flat(TRIM.grown(1), "#aa2211"),), "stops 1.0 mm past the cut all around"),
        ((WHITE, picture(TRIM)), "stops at the cut all around"),
        ((flat(Rect(0, 0, 60, 20), "#aa2211"),), "stops at the cut on the left and top and right"),
        ((flat(Rect(-3, 0, 66, 20), "#aa2211"),), "stops at the cut on the top"),
        ((flat(Rect(-3, 0.3, 66, 20), "#aa2211"),), "stops 0.3 mm before the cut on the top"),
    ],
)
def test_art_that_ends_before_its_bleed_is_reported(
    painted: tuple[Painted, ...], said: str
) -> None:
    [found] = findings(*painted)
    assert (found.code, found.severity) == ("GP811", "warning")
    assert said in found.message
    assert "edge: white" in found.hint
    white = replace(POKER, edge=Edge.WHITE)
    assert codes(*painted, stock=white) == codes(*painted, stock=replace(POKER, bleed=0.0)) == []


def test_a_round_piece_is_judged_by_its_ground() -> None:
    assert codes(ROUND, stock=CIRCLE) == ["GP811"]
    assert codes(replace(ROUND, box=BLED, segments=path(BLED)), stock=CIRCLE) == []
    assert codes(RED, flat(Rect(0, 40, 60, 10), "#004488"), stock=CIRCLE) == []


PX = (600, 900)


@pytest.mark.parametrize(
    ("thing", "expected"),
    [
        (picture(Rect(5, 5, 40, 60), PX), []),
        (picture(Rect(5, 5, 40, 40), PX, whole=Rect(5, -5, 40, 60)), []),  # cropped
        (replace(picture(Rect(5, 5, 40, 60), PX), matrix=Matrix(-40, 0, 0, 60, 45, 5)), []),
        (replace(picture(Rect(5, 5, 40, 60), PX), matrix=Matrix(0, 40, -60, 0, 65, 5)), []),
        (picture(Rect(5, 5, 50, 60), PX), ["GP833"]),
        (replace(picture(Rect(5, 5, 40, 60), PX), matrix=Matrix(40, 0, 5, 60, 5, 5)), ["GP833"]),
        (picture(Rect(5, 5, 40, 60), (4000, 6000)), ["GP834"]),
        (picture(Rect(5, 5, 10, 15), (1000, 1500)), []),
    ],
)
def test_a_picture_is_judged_by_its_proportions_and_pixels(
    thing: Painted, expected: list[str]
) -> None:
    assert codes(thing) == expected


def test_a_picture_that_shows_nothing_is_reported() -> None:
    one = picture(Rect(5, 5, 40, 60))
    assert codes(one, look=FlatLook(plain=True)) == ["GP835"]
    assert codes(one, look=FlatLook()) == []


@pytest.mark.parametrize(
    ("painted", "said"),
    [
        ([line(5, 5, 55, 5, 0.05, "#000000")], "a line is 0.05 mm wide, too thin"),
        ([flat(Rect(5, 5, 50, 0.05), "#000000")], "a line is 0.05 mm wide"),
        ([line(5, y, 55, y, 0.08, "#000000") for y in (5, 6)], "; 1 more like it"),
        ([RED, line(5, 5, 55, 5, 0.1, "#ffffff")], "a pale line on a dark colour is 0.10 mm"),
    ],
)
def test_a_line_too_thin_to_print_is_reported(painted: list[Painted], said: str) -> None:
    [found] = findings(*painted)
    assert found.code == "GP829"
    assert said in found.message


@pytest.mark.parametrize(
    "painted",
    [
        [line(5, 5, 55, 5, 0.0882, "#000000")],  # 0.25 pt
        [line(5, 5, 19, 5, 0.05, "#000000")],
        [flat(Rect(5, 5, 50, 0.001), "#000000")],  # left by a clip path
        [line(5, 5, 55, 5, 0.15, "#ffffff")],
        [RED, line(5, 5, 55, 5, 0.15, "#ffffff")],
        [flat(Rect(5, 5, 50, 30), "#112233"),
         replace(flat(Rect(5, 5, 50, 30), "#112233"), line=0.05, solid=False)],  # closes a seam
        [PaintedShape(Rect(5, 5, 50, 30), "#112233", 0.05, line=0.05)],
        [HATCHING],
    ],
)  # fmt: skip
def test_a_line_that_prints_is_fair(painted: list[Painted]) -> None:
    assert codes(*painted) == []


@pytest.mark.parametrize(
    ("painted", "border"),
    [
        ((RED, flat(TRIM.grown(-2), "#004488")), 2.0),
        ((RED, picture(TRIM.grown(-1.5))), 1.5),
        ((RED, flat(TRIM.grown(-5), "#004488"), flat(TRIM.grown(-0.8), "#ddaa00")), 0.8),
        ((picture(BLED), PaintedShape(TRIM.grown(2), "#ddaa00", line=3, segments=path(TRIM))), 1.0),
        ((RED, flat(TRIM.grown(-2), "#aa2211")), 0.0),
        ((RED, flat(TRIM.grown(-2), "#004488", 0.2)), 0.0),
        ((RED, flat(Rect(2, 2, 56, 40), "#004488")), 0.0),
        ((RED, flat(TRIM.grown(-9), "#004488")), 0.0),
        ((RED,), 0.0),
    ],
)
def test_a_border_is_found_along_the_whole_cut(painted: tuple[Painted, ...], border: float) -> None:
    assert traits_of(geometry(*painted)).border == border


def test_traits_name_colours_by_size_and_forms_without_colour() -> None:
    one = traits_of(geometry(RED, flat(Rect(5, 5, 30, 18), "#004488"), text(5, 5)))
    assert one.fills == (("#aa2211", 1.0), ("#004488", 0.1))
    other = traits_of(geometry(RED, flat(Rect(5, 5, 30, 18), "#ddaa00"), text(9, 9, "Rest.")))
    assert one.forms == other.forms
    moved = traits_of(geometry(RED, flat(Rect(9, 5, 30, 18), "#004488")))
    assert one.forms != moved.forms
    assert traits_of(geometry(RED, PaintedArt(TRIM))).forms is None
