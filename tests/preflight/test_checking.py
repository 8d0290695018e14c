import pikepdf
import pytest
from export.hand_made import Rect
from preflight.by_hand import page_of, placed

from generator.geometry import Point
from generator.preflight.checking import PageMatch, face_name, is_bug, match_page
from generator.preflight.manifest_reader import Expected
from generator.preflight.page_reader import FormDraw, PageRead

A, B = "a" * 64, "b" * 64


def want(sha256: str, x: float, copy: int = 1) -> Expected:
    box = Rect(x - 5, 0, 10, 10)
    return placed(box, copy=copy, sha256=sha256)


def draw(sha256: str, x: float) -> FormDraw:
    return FormDraw(face_name(sha256), Point(x, 5), 16, 16, 0, (1, 1))


def match(wanted: list[Expected], drawn: list[FormDraw]) -> PageMatch:
    expected = page_of(*wanted, width=100, height=100)
    read = PageRead(1, 100, 100, 0, Rect(0, 0, 100, 100), None, None, tuple(drawn), ())
    return match_page(expected, read)


def pairs(matched: PageMatch) -> list[float | None]:
    return [m.draw.centre.x if m.draw else None for m in matched.matches]


def test_each_placement_gets_the_drawing_in_its_place() -> None:
    matched = match([want(A, 10), want(A, 30)], [draw(A, 30), draw(A, 10)])
    assert pairs(matched) == [10, 30]
    assert matched.surplus == ()


def test_a_drawing_in_its_place_is_not_taken_by_a_neighbour_that_lacks_its_own() -> None:
    matched = match([want(A, 10), want(A, 12)], [draw(A, 12)])
    assert pairs(matched) == [None, 12]


def test_the_nearest_drawing_of_the_face_stands_in() -> None:
    assert pairs(match([want(A, 10)], [draw(A, 90), draw(A, 11), draw(B, 10)])) == [11]


def test_what_is_left_over_is_surplus() -> None:
    matched = match([want(A, 10)], [draw(A, 10), draw(B, 40)])
    assert [extra.centre.x for extra in matched.surplus] == [40]


def test_what_is_not_drawn_counts_where_it_should_be() -> None:
    [missing] = match([want(A, 10)], []).matches
    assert missing.centre == Point(10, 5)
    assert missing.rotation == 0


@pytest.mark.parametrize(("error", "bug"), [(NameError("x"), True), (TypeError("x"), False)])
def test_what_no_file_brings_about_is_a_bug(error: Exception, bug: bool) -> None:
    def work(held: pikepdf.Object) -> None:
        raise error

    with pytest.raises(type(error)) as raised:
        work(pikepdf.Dictionary())
    assert is_bug(raised.value, own=False) is bug
