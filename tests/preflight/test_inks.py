"""How much ink a shading has, by whatever function, and what is painted with all inks at once."""

from pathlib import Path

import pikepdf
import pytest
from pikepdf import Array, Dictionary, Name, Pdf
from preflight.strangers import card, tint

from generator.preflight.inks import shaded
from generator.preflight.paints import paints_in

SLOPE = Dictionary(
    FunctionType=2, N=1, Domain=Array([0, 1]),
    C0=Array([0, 0, 0, 0]), C1=Array([1, 1, 0.5, 0]),
)  # fmt: skip


def stream(pdf: Pdf, data: bytes, **entries: object) -> pikepdf.Object:
    made = pdf.make_stream(data)
    for key, value in entries.items():
        made[f"/{key}"] = value
    return made


def samples(pdf: Pdf) -> pikepdf.Object:
    """0 at both ends, 320 % in the middle."""
    data = bytes([0, 0, 0, 0, 204, 204, 204, 204, 0, 0, 0, 0])
    return stream(
        pdf, data, FunctionType=0, Domain=Array([0, 1]), Range=Array([0, 1] * 4),
        Size=Array([3]), BitsPerSample=8,
    )  # fmt: skip


def program(pdf: Pdf, inputs: int = 1, text: bytes = b"") -> pikepdf.Object:
    """All four inks as sin 180 x: full in the middle."""
    text = text or b"{ 180 mul sin % a hill\n dup dup dup 0.5 gt { dup } { 0 } ifelse }"
    ranges = Array([0, 1] * 4)
    return stream(pdf, text, FunctionType=4, Domain=Array([0, 1] * inputs), Range=ranges)


def row(pdf: Pdf) -> pikepdf.Object:
    """The lower half of a slope, then samples."""
    return Dictionary(
        FunctionType=3, Domain=Array([0, 1]), Functions=Array([SLOPE, samples(pdf)]),
        Bounds=Array([0.5]), Encode=Array([0, 0.5, 0, 0.2]),
    )  # fmt: skip


def mesh(pdf: Pdf, kind: int, data: bytes, **more: object) -> pikepdf.Object:
    told = {"BitsPerCoordinate": 8, "BitsPerComponent": 8, "BitsPerFlag": 8, **more}
    decode = Array([0, 9, 0, 9, *[0, 1] * (1 if "Function" in more else 4)])
    return stream(
        pdf, data, ShadingType=kind, ColorSpace=Name.DeviceCMYK, Decode=decode, **told
    )  # fmt: skip


def axial(function: pikepdf.Object, **more: object) -> pikepdf.Object:
    made = {"ShadingType": 2, "ColorSpace": Name.DeviceCMYK, "Function": function, **more}
    return Dictionary({f"/{key}": value for key, value in made.items()})


CHANNELS = [b"{ pop 1 }", b"{ }", b"{ 1 exch sub }", b"{ pop 0.25 }"]
CASES = {
    "a slope": (lambda p: axial(SLOPE), 2.5),
    "a part of it": (lambda p: axial(SLOPE, Domain=Array([0, 0.4])), 1.0),
    "samples": (lambda p: axial(samples(p)), 3.2),
    "a program": (lambda p: axial(program(p)), 4.0),
    "several in a row": (lambda p: axial(row(p)), 1.28),
    "one a channel": (
        lambda p: axial(Array([stream(p, t, FunctionType=4, Domain=Array([0, 1]),
                                      Range=Array([0, 1])) for t in CHANNELS])), 2.25),
    "an area": (lambda p: axial(program(p, 2, b"{ 2 copy add 2 div dup }"), ShadingType=1), 4.0),
    "triangles": (lambda p: mesh(p, 4, bytes([0, 1, 1, 0, 0, 0, 255, 0, 2, 2, *[255] * 4])), 4.0),
    "rows": (lambda p: mesh(p, 5, bytes([1, 1, 255, 0, 0, 0, 2, 2, *[51] * 4])), 1.0),
    "patches": (
        lambda p: mesh(p, 6, bytes([0, *[1] * 24, *[0] * 12, *[102] * 4,
                                    1, *[1] * 16, *[0] * 4, *[255] * 3, 0])), 3.0),
    "a mesh by a function": (
        lambda p: mesh(p, 4, bytes([0, 1, 1, 0, 0, 2, 2, 51]), Function=SLOPE), 0.5),
    "an ink too many": (lambda p: axial(program(p, 1, b"{ add }")), 0.0),
    "numbers without end": (lambda p: axial(program(p, 1, b"{ " + b"dup mul " * 400 + b"}")), 0.0),
    "copies without end": (
        lambda p: axial(program(p, 1, b"{ dup " + b"2 copy 4 copy 8 copy " * 150 + b"}")), 0.0),
    "braces without end": (lambda p: axial(program(p, 1, b"{" * 400 + b"}" * 400)), 0.0),
    "bits without end": (
        lambda p: mesh(p, 4, bytes(999), BitsPerComponent=1 << 30), 0.0),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_the_most_ink_of_a_shading_is_found(name: str) -> None:
    make, wanted = CASES[name]
    with Pdf.new() as pdf:
        found = shaded(make(pdf), Dictionary())
    assert found.ink == pytest.approx(wanted, abs=0.01)


@pytest.mark.parametrize(
    ("content", "wanted"),
    [
        ("/All cs 0.9 scn 60 60 40 40 re f", 3.6),
        ("/All CS 1 SCN 1 w 60 60 m 90 90 l S", 4.0),
        ("/All cs 1 scn BT /F1 9 Tf 60 60 Td (black) Tj ET", 4.0),
        ("/All CS 1 SCN 0.25 w 0 9 m 6 9 l S 9 0 m 9 6 l S", 0.0),
        ("/All cs 1 scn BT /F1 4 Tf 60 2 Td (Registration) Tj ET", 0.0),
        ("/All CS 1 SCN 9 9 180 252 re S", 0.0),
        ("q 1 0 0 1 50 50 cm /Inner Do Q", 4.0),
        ("q 1 0 0 1 -20 -20 cm /Inner Do Q", 0.0),
    ],
)
def test_all_inks_at_once_count_where_no_mark_is(
    tmp_path: Path, content: str, wanted: float
) -> None:
    path = card(tmp_path / "card.pdf", content, ground="0 g", pages=1)
    with pikepdf.open(path, allow_overwriting_input=True) as pdf:
        spot = Array([Name.Separation, Name.All, Name.DeviceCMYK, tint(pdf)])
        resources = pdf.pages[0].obj.Resources
        resources.ColorSpace = Dictionary(All=spot)
        inner = pdf.make_stream(b"/All cs 1 scn 0 0 5 5 re f", Subtype=Name.Form)
        inner.BBox, inner.Resources = (
            Array([0, 0, 9, 9]),
            Dictionary(ColorSpace=Dictionary(All=spot)),
        )
        resources.XObject.Inner = inner
        [found] = paints_in(pdf)
    assert found.ink == pytest.approx(wanted)
    assert "CMYK" in found.kinds


@pytest.mark.parametrize(
    ("area", "corner"),
    [("100 100 30 30", (95, 120)), ("3 3 90 90", (-5, 80)), ("21 21 5 5", (15, 20))],
)
def test_a_picture_in_a_pattern_is_where_it_is_painted_first(
    tmp_path: Path, area: str, corner: tuple[float, float]
) -> None:
    content = f"/Pattern cs /Tiles scn {area} re f"
    path = card(tmp_path / "card.pdf", content, pages=1)
    with pikepdf.open(path, allow_overwriting_input=True) as pdf:
        resources = pdf.pages[0].obj.Resources
        cell = pdf.make_stream(b"q 20 0 0 20 0 0 cm /Im Do Q", Resources=resources)
        for key, value in {
            "PatternType": 1, "PaintType": 1, "TilingType": 1, "BBox": Array([0, 0, 20, 20]),
            "XStep": 20, "YStep": 20, "Matrix": Array([1, 0, 0, 1, -5, 0]),
        }.items():  # fmt: skip
            cell[f"/{key}"] = value
        resources.Pattern = Dictionary(Tiles=cell)
        [found] = paints_in(pdf)
    [picture] = found.pictures
    assert (picture.matrix.e, picture.matrix.f) == corner
    assert picture.matrix.across == 20
