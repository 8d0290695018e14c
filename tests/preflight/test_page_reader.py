import math
from typing import Any

import pikepdf
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import astuple
from pikepdf import Array, Dictionary, Name

from generator.geometry import Point
from generator.preflight.page_reader import LineStroke, PageRead, read_page

MM = 72 / 25.4


def read(content: str, media: list[float] | None = None, **entries: Any) -> PageRead:
    """A page of 100 × 200 mm, unless told otherwise, with a form of 20 × 10 mm and a layer."""
    with pikepdf.new() as pdf:
        page = pdf.add_blank_page(page_size=(100 * MM, 200 * MM))
        if media is not None:
            page.obj.MediaBox = Array([mm * MM for mm in media])
        form = pdf.make_stream(b"", Type=Name.XObject, Subtype=Name.Form)
        form.BBox = Array([0, 0, 20 * MM, 10 * MM])
        layer = Dictionary(Type=Name.OCG, Name=pikepdf.String("Cut lines"))
        page.obj.Resources = Dictionary(
            XObject=Dictionary(Face=form), Properties=Dictionary(CUT=pdf.make_indirect(layer))
        )
        page.obj.Contents = pdf.make_stream(content.encode())
        for key, value in entries.items():
            page.obj[f"/{key}"] = value
        return read_page(1, pdf.pages[0])


def mm(*values: float) -> str:
    return " ".join(f"{value * MM:.6f}" for value in values)


def about(x: float, y: float) -> object:
    return pytest.approx((x, y), abs=1e-4)


def pair(point: Point) -> tuple[float, float]:
    return (point.x, point.y)


def test_a_face_is_measured_from_the_top_left() -> None:
    [draw] = read(f"q 1 0 0 1 {mm(30, 150)} cm /Face Do Q").draws
    assert pair(draw.centre) == about(40, 45)
    assert (draw.name, draw.rotation) == ("Face", 0)
    assert (draw.width, draw.height) == pytest.approx((20, 10))
    assert draw.scale == (1, 1)


@given(st.floats(0, 359), st.floats(0.1, 3))
def test_turn_and_scale_are_told_apart(degrees: float, scale: float) -> None:
    turn = math.radians(degrees)
    a, b = scale * math.cos(turn), -scale * math.sin(turn)
    [draw] = read(f"{a:.9f} {b:.9f} {-b:.9f} {a:.9f} 0 0 cm /Face Do").draws
    assert (draw.rotation - degrees + 180) % 360 - 180 == pytest.approx(0, abs=1e-3)
    assert draw.scale == pytest.approx((scale, scale), abs=1e-6)


def test_a_mirrored_face_has_a_negative_scale() -> None:
    assert read("-1 0 0 1 0 0 cm /Face Do").draws[0].scale == pytest.approx((1, -1))


def test_q_and_cm_nest() -> None:
    content = f"q 1 0 0 1 {mm(10, 0)} cm q 1 0 0 1 {mm(5, 0)} cm /Face Do Q /Face Do Q /Face Do"
    assert [round(draw.centre.x, 3) for draw in read(content).draws] == [25, 20, 10]


def test_only_what_is_stroked_counts() -> None:
    page = read(
        f"{mm(0, 0)} m {mm(10, 0)} l n {mm(0, 0)} m {mm(20, 0)} l S 0 0 5 5 re f 1 1 5 5 re W n"
    )
    assert [stroke.length for stroke in page.strokes] == [pytest.approx(20)]


def test_a_rectangle_is_four_lines_and_a_closed_path_ends_where_it_began() -> None:
    assert [round(s.length) for s in read(f"{mm(1, 1, 30, 40)} re S").strokes] == [30, 40, 30, 40]
    triangle = f"{mm(0, 0)} m {mm(30, 0)} l {mm(30, 40)} l"
    assert [round(s.length) for s in read(f"{triangle} s").strokes] == [30, 40, 50]
    assert [round(s.length) for s in read(f"{triangle} S").strokes] == [30, 40]


def test_a_curve_is_no_straight_line() -> None:
    page = read(f"{mm(0, 0)} m {mm(1, 1, 2, 2, 9, 9)} c {mm(9, 19)} l S")
    assert [round(s.length) for s in page.strokes] == [10]


def test_strokes_know_their_layer() -> None:
    line = f"{mm(0, 0)} m {mm(10, 0)} l S"
    page = read(f"{line} /OC /CUT BDC {line} /Span BMC {line} EMC EMC {line}")
    assert [stroke.layer for stroke in page.strokes] == ["", "Cut lines", "Cut lines", ""]


def test_a_page_may_begin_anywhere() -> None:
    page = read(f"1 0 0 1 {mm(30, 150)} cm /Face Do", media=[10, 20, 110, 220])
    assert (page.width, page.height) == pytest.approx((100, 200))
    assert pair(page.draws[0].centre) == about(30, 65)


def test_units_of_the_user_are_taken_into_account() -> None:
    page = read(f"{mm(0, 0)} m {mm(10, 0)} l S", UserUnit=10)
    assert (page.width, page.height) == pytest.approx((1000, 2000))
    assert page.strokes[0].length == pytest.approx(100)


def test_boxes_are_those_of_the_page_and_none_when_missing() -> None:
    page = read("", TrimBox=Array([mm_ * MM for mm_ in (10, 20, 90, 150)]), Rotate=450)
    assert page.trim is not None
    assert astuple(page.trim) == pytest.approx((10, 50, 80, 130))
    assert page.bleed is None
    assert page.crop.size.width == pytest.approx(100)
    assert page.turned == 90


def test_unbalanced_operators_do_no_harm() -> None:
    assert read("Q Q EMC h S f").draws == ()


def test_length_of_a_stroke() -> None:
    assert LineStroke("", Point(0, 0), Point(3, 4)).length == 5


@pytest.mark.parametrize(
    ("content", "entries", "what"),
    [
        ("/Saturation ri /Face Do", {}, "another way to turn colours into inks"),
        ("50 i /Face Do", {}, "another way to turn colours into inks"),
        ("/Dashed gs 0 0 m 9 9 l", {}, "an effect"),
        ("Q /Face Do", {}, "never was saved"),
        ("q /Face Do", {}, "begins or ends alone"),
        ("/OC /CUT BDC 0 0 m 9 9 l S", {}, "begins or ends alone"),
        ("/Face Do", {"Group": Dictionary(S=Name.Transparency)}, "a way to mix the colours"),
    ],
)
def test_what_gridpress_never_writes_is_told(
    content: str, entries: dict[str, Any], what: str
) -> None:
    state = Dictionary(ExtGState=Dictionary(Dashed=Dictionary(D=Array([Array([2, 2]), 0]))))
    given_ = {"Resources": state, **entries} if "gs" in content else entries
    [other] = read(content, **given_).others
    assert what in other


def test_letters_stay_spaced_whatever_is_said_later() -> None:
    font = "/OC /CUT BDC BT {} 0 Tr /T 9 Tf (a) Tj ET EMC"
    assert [read(font.format(odd)).words[0].plain for odd in ("", "1 Tc", "90 Tz", "100 Tz")] == [
        True,
        False,
        False,
        True,
    ]
