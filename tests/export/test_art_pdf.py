from __future__ import annotations

import io
from itertools import product

import pikepdf
import pypdfium2
import pytest
from pikepdf import Array, Dictionary, Name, Pdf, Stream
from PIL import Image, ImageChops

from generator.export.svg_to_pdf import simplified

FILLED = b"q/c0 cs 0.9 0.2 0.1 scn 5 5 m 35 5 l 20 35 l\nh\nf\nQ"
EVENLY = b"q 2 0 0 2 1 1 cm/c0 cs 0.1 0.2 0.9 scn 1 1 m 15 1 l 8 15 l\nh\nf*\nQ"
STROKED = b"q/c0 CS 0.1 0.6 0.3 SCN 3 w 4 M [4 2] 0 d 8 30 m 30 8 l\nS\nQ"
BOTH = FILLED + b"\n" + STROKED
HALF = Dictionary(Type=Name.ExtGState, ca=0.5, CA=0.5)
MULTIPLY = Dictionary(Type=Name.ExtGState, ca=0.5, CA=0.5, BM=Name.Multiply)


def drawing(*groups: tuple[bytes, Dictionary, int], wrapped: bool = True) -> bytes:
    """A page of groups, each drawn with a state, times over one another a little aside."""
    pdf = pikepdf.new()
    page = pdf.add_blank_page(page_size=(60, 60))
    space = pdf.make_indirect(Array([Name.CalRGB, Dictionary(WhitePoint=Array([0.95, 1, 1.09]))]))
    other = pdf.make_indirect(Array([Name.CalRGB, Dictionary(WhitePoint=Array([1, 1, 1]))]))

    def form(content: bytes, resources: Dictionary) -> Stream:
        made = pdf.make_stream(content)
        made.Type, made.Subtype, made.BBox = Name.XObject, Name.Form, Array([0, 0, 60, 60])
        made.Group = Dictionary(S=Name.Transparency, I=True, K=False)
        made.Resources = pdf.make_indirect(resources)
        return made

    xobjects, states = Dictionary(), Dictionary()
    content = b"q/c0 cs 0.8 0.8 0.4 scn 0 0 m 20 0 l 20 60 l\nf\nQ\n"
    for number, (drawn, state, times) in enumerate(groups):
        made = form(drawn, Dictionary(ColorSpace=Dictionary(c0=other if number % 2 else space)))
        if wrapped:
            made = form(b"q/x0 Do\nQ", Dictionary(XObject=Dictionary(x0=made)))
        xobjects[f"/x{number}"], states[f"/g{number}"] = (
            made,
            pdf.make_indirect(Dictionary(dict(state))),
        )
        for time in range(times):
            content += b"q 1 0 0 1 %d %d cm/g%d gs/x%d Do\nQ\n" % (9 * time, 5, number, number)
    page.Contents = pdf.make_stream(content)
    page.Resources = pdf.make_indirect(
        Dictionary(XObject=xobjects, ExtGState=states, ColorSpace=Dictionary(c0=space))
    )
    written = io.BytesIO()
    pdf.save(written, static_id=True)
    return written.getvalue()


def forms(content: bytes) -> int:
    with Pdf.open(io.BytesIO(content)) as pdf:
        return sum(
            isinstance(thing, Stream) and thing.get("/Subtype") == Name.Form
            for thing in pdf.objects
        )


def picture(content: bytes) -> Image.Image:
    with pypdfium2.PdfDocument(content) as pdf:
        page: Image.Image = pdf[0].render(scale=3).to_pil().convert("RGB")
    return page


CASES = [
    ("filled", [(FILLED, HALF, 2)], 0),
    ("evenly, moved", [(EVENLY, HALF, 1)], 0),
    ("stroked", [(STROKED, HALF, 2)], 0),
    ("in two colour spaces", [(FILLED, HALF, 1), (STROKED, HALF, 1)], 0),
    ("one over the other", [(BOTH, HALF, 2)], 1),
    ("multiplied", [(FILLED, MULTIPLY, 1)], 1),
    ("alone and not", [(FILLED, HALF, 1), (BOTH, HALF, 1)], 1),
    ("filled and stroked at once", [(FILLED.replace(b"\nf\n", b"\nB\n"), HALF, 1)], 1),
]


@pytest.mark.parametrize(
    ("groups", "left", "wrapped"),
    [(groups, left, wrapped) for (_, groups, left), wrapped in product(CASES, (True, False))],
    ids=[f"{name}{', wrapped' * wrapped}" for (name, *_), wrapped in product(CASES, (True, False))],
)
def test_a_shape_alone_is_painted_where_it_stands(
    groups: list[tuple[bytes, Dictionary, int]], left: int, wrapped: bool
) -> None:
    before = drawing(*groups, wrapped=wrapped)
    after = simplified(before)
    assert forms(after) == left
    off = ImageChops.difference(picture(before), picture(after))
    # The edge of a group cuts the pixels it runs through.
    assert max(most for _, most in off.getextrema()) < 60
    assert sum(off.convert("L").histogram()[8:]) < 40


def test_the_same_bytes_each_time_and_nothing_left_to_do() -> None:
    before = drawing((FILLED, HALF, 2), (BOTH, HALF, 1))
    after = simplified(before)
    assert simplified(before) == after
    assert forms(simplified(after)) == forms(after)


FRAMED = b"q/g0 gs/c0 cs 0.9 0.2 0.1 scn/c0 CS 0.1 0.6 0.3 SCN 4 w 5 5 m 35 5 l 20 35 l\nh\nB*\nQ\n"
CLOSED = b"q/c0 cs 0.9 0.2 0.1 scn/c0 CS 0 0 0 SCN 2 w 30 30 m 50 30 l 40 50 l\nb\nQ\n"


@pytest.mark.parametrize(
    "state", [{"ca": 0.4}, {"CA": 0.4}, {"ca": 0.3, "CA": 0.6}, {"ca": 0.5, "CA": 0.5}]
)
def test_what_one_sees_through_is_filled_and_then_stroked(state: dict[str, float]) -> None:
    before = framed(Dictionary({f"/{key}": value for key, value in state.items()}))
    after = simplified(before)
    with Pdf.open(io.BytesIO(after)) as pdf:
        content = pdf.pages[0].Contents.read_bytes()
    assert (content.count(b"f*\n"), content.count(b"S\nQ"), b"B*" in content) == (1, 1, False)
    assert content.count(b"b\nQ") == 1  # opaque
    if state == {"ca": 0.4}:  # PDFium paints nothing below a line that is not opaque itself
        assert ImageChops.difference(picture(before), picture(after)).getbbox() is None


@pytest.mark.parametrize(
    ("dashes", "begun"),
    [
        (b"[16.6628 3.9595]-1.9797 d", b"[16.6628 3.9595] 39.2649 d"),
        (b"[3 1 2]-5 d", b"[3 1 2] 7 d"),
        (b"[3 1] -0.5 d", b"[3 1] 7.5 d"),
        (b"[3 1]2 d", b"[3 1]2 d"),
        (b"[0 0]-2 d", b"[0 0] 0 d"),
    ],
)
def test_dashes_begin_at_no_place_before_their_line(dashes: bytes, begun: bytes) -> None:
    """MuPDF takes a phase under 0 for 0."""
    line = b"q/c0 CS 0 0 0 SCN 2 w 4 M%s 5 30 m 55 30 l\nS\nQ\n"
    with Pdf.open(io.BytesIO(simplified(framed(Dictionary({"/ca": 0.4}), line % dashes)))) as pdf:
        assert pdf.pages[0].Contents.read_bytes() == line % begun


def test_a_long_path_is_gone_through_once() -> None:
    """It would take hours otherwise."""
    long = b"q/g0 gs 1 1 m\n" + b"1.5 2 3 4.25 5 6 c\n" * 50_000 + b"f\nQ\n"
    with Pdf.open(io.BytesIO(framed(Dictionary({"/ca": 0.4})))) as pdf:
        pdf.pages[0].Contents = pdf.make_stream(long + FRAMED)
        before = io.BytesIO()
        pdf.save(before)
    with Pdf.open(io.BytesIO(simplified(before.getvalue()))) as pdf:
        content = pdf.pages[0].Contents.read_bytes()
    assert content.startswith(long)
    assert b"S\nQ" in content


def test_what_is_opaque_stays_as_it_is() -> None:
    with Pdf.open(io.BytesIO(simplified(framed(Dictionary({"/ca": 1, "/CA": 1}))))) as pdf:
        assert pdf.pages[0].Contents.read_bytes() == FRAMED + CLOSED


def framed(state: Dictionary, content: bytes = FRAMED + CLOSED) -> bytes:
    """A page with a shape filled and stroked in a state, and one in none."""
    pdf = pikepdf.new()
    page = pdf.add_blank_page(page_size=(60, 60))
    space = Array([Name.CalRGB, Dictionary(WhitePoint=Array([0.95, 1, 1.09]))])
    page.Contents = pdf.make_stream(content)
    page.Resources = Dictionary(
        ColorSpace=Dictionary(c0=space), ExtGState=Dictionary(g0=pdf.make_indirect(state))
    )
    written = io.BytesIO()
    pdf.save(written, static_id=True)
    return written.getvalue()
