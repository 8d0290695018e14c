import io
from pathlib import Path

import pikepdf
import pytest
from pikepdf import Array, Dictionary, Name
from PIL import Image
from preflight.by_hand import Drawn, altered, deck, expected, page_of

from generator.geometry import Rect
from generator.preflight import preflight
from generator.preflight.finding import Finding
from generator.preflight.ink_checks import SeenPage, ink, page_ink, total_ink
from generator.preflight.manifest_reader import Expected

A4 = Rect(0, 0, 210, 297)
CARD = expected(Drawn("ant"))


def page(black: float, *placed: Expected, paper: Rect = A4) -> SeenPage:
    """A page with so much of it black."""
    told = page_of(*(placed or (CARD,)), number=3, width=paper.width, height=paper.height)
    return SeenPage(told, black)


@pytest.mark.parametrize(
    ("colour", "share"),
    [("white", 0), ("black", 1), ("#ff0000", 2 / 3), ("#00ffff", 1 / 3), ("#808080", 0.498)],
)
def test_ink_is_what_three_colours_leave_of_white(colour: str, share: float) -> None:
    assert ink(Image.new("RGB", (5, 5), colour)) == pytest.approx(share, abs=0.001)


def test_a_page_soaked_in_ink_is_told_of() -> None:
    [finding] = page_ink(page(0.7))
    assert (finding.code, finding.page) == ("GP842", 3)
    assert "70 % of the page, as on 14 pages of text" in finding.message


def test_a_page_with_as_much_as_is_usual_is_left_in_peace() -> None:
    assert list(page_ink(page(0.55))) == []


def test_a_page_that_one_face_covers_is_for_a_press() -> None:
    cover = altered(CARD, box=Rect(3, 3, 63, 88))
    assert list(page_ink(page(1, cover, paper=Rect(0, 0, 69, 94)))) == []
    assert len(list(page_ink(page(1, cover)))) == 1


def with_picture(inks: tuple[int, ...], *, jpeg: bool, decode: bool, deep: bool = False):
    """A file with a picture in such inks, 255 for a full layer; `decode` stores them inverted."""
    # Pillow stores the inks of a JPEG inverted: to have them as they are, invert them first.
    drawn_inks = inks if decode else tuple(255 - ink for ink in inks)
    subject, _ = deck(Drawn("ant"))
    pdf = subject.pdf
    pdf.add_blank_page(page_size=(100, 100))
    if jpeg:
        out = io.BytesIO()
        Image.new("CMYK", (40, 40), drawn_inks).save(out, "JPEG", quality=95)
        stream = pikepdf.Stream(pdf, out.getvalue(), Filter=Name.DCTDecode)
    else:
        told = [255 - i for i in inks] if decode else inks
        stream = pikepdf.Stream(pdf, bytes(told) * 1600)
    stream.Type, stream.Subtype, stream.ColorSpace = Name.XObject, Name.Image, Name.DeviceCMYK
    stream.Width = stream.Height = 40
    stream.BitsPerComponent = 8
    if decode:
        stream.Decode = Array([1, 0] * 4)
    drawn = pdf.make_indirect(stream)
    if deep:
        form = pdf.make_stream(b"/P Do", Type=Name.XObject, Subtype=Name.Form, BBox=[0, 0, 9, 9])
        form.Resources = Dictionary(XObject=Dictionary(P=drawn))
        drawn = form
    pdf.pages[0].Resources = Dictionary(XObject=Dictionary(P=drawn))
    return subject


def found(*args: object, **kwargs: bool) -> list[Finding]:
    return list(total_ink(with_picture(*args, **kwargs)))  # type: ignore[arg-type]


@pytest.mark.parametrize("jpeg", [False, True])
@pytest.mark.parametrize("decode", [False, True])
def test_pictures_with_too_much_ink_are_told_of(jpeg: bool, decode: bool) -> None:
    [finding] = found((230, 220, 200, 204), jpeg=jpeg, decode=decode)
    assert (finding.code, finding.page) == ("GP842", 1)
    assert "up to 33" in finding.message
    assert "on 100 % of it" in finding.message


@pytest.mark.parametrize("jpeg", [False, True])
@pytest.mark.parametrize("decode", [False, True])
@pytest.mark.parametrize("inks", [(200, 180, 180, 180), (0, 0, 0, 255), (0, 0, 0, 0)])
def test_pictures_with_less_are_left_in_peace(
    inks: tuple[int, ...], jpeg: bool, decode: bool
) -> None:
    assert found(inks, jpeg=jpeg, decode=decode) == []


def test_a_picture_in_a_form_is_found() -> None:
    assert len(found((255, 255, 255, 255), jpeg=True, decode=True, deep=True)) == 1


def test_a_few_dots_may_have_more() -> None:
    subject = with_picture((0, 0, 0, 0), jpeg=False, decode=False)
    [picture] = subject.pdf.pages[0].Resources.XObject.values()
    picture.write(b"\xff\xff\xff\xff" * 8 + bytes(4) * 1592)
    assert list(total_ink(subject)) == []
    picture.write(b"\xff\xff\xff\xff" * 9 + bytes(4) * 1591)
    [finding] = total_ink(subject)
    assert "up to 400 %" in finding.message


def test_a_picture_that_cannot_be_read_is_passed_over() -> None:
    subject = with_picture((255, 255, 255, 255), jpeg=True, decode=True)
    [picture] = subject.pdf.pages[0].Resources.XObject.values()
    picture.write(b"no picture", filter=Name.DCTDecode)
    assert list(total_ink(subject)) == []


def test_a_large_page_has_as_much_ink_as_a_small_one() -> None:
    image = Image.linear_gradient("L").resize((1000, 1400))
    assert ink(image) == pytest.approx(ink(image.resize((100, 140))), abs=0.005)


def test_the_report_tells_the_ink_of_each_page(duplex: Path) -> None:
    report = preflight(duplex)
    front, back = report.ink
    # Four cards of 69 by 94 mm in #ddccaa, and a little text.
    assert front == pytest.approx(back, abs=0.01)
    assert front == pytest.approx(4 * 69 * 94 / (210 * 297) * (34 + 51 + 85) / 765, abs=0.01)
