"""Holds preflight to seeing what a face shows, whatever its name."""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pikepdf
import pytest
from export.hand_made import copied, two_cards
from pikepdf import Array, Dictionary, Name, Object, Pdf, Stream
from PIL import Image
from preflight.tampering import codes, messages, tamper

from generator.model.manifest import FormEntry
from generator.pdf_forms import FormReader, lighten
from generator.preflight.likeness_checks import made_otherwise

ART = (
    '<path d="M5 30 L50 30 L5 60 Z" fill="#204060"/><circle cx="50" cy="70" r="6" fill="#c02020"/>'
    '<rect x="8" y="66" width="12" height="12" fill="#208040"/>'
)


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return two_cards(tmp_path_factory.mktemp("proven"), ART)


@pytest.fixture
def good(made: Path, tmp_path: Path) -> Path:
    return copied(made, tmp_path)


def first(pdf: Pdf) -> Object:
    """The first face that is drawn."""
    name = pdf.pages[0].Contents.read_bytes().split(b" Do", 1)[0].rsplit(b"/", 1)[1].decode()
    return pdf.pages[0].resources.XObject[f"/{name}"]


def within(before: str, after: str = "") -> Callable[[Pdf], None]:
    """Operators before and after those of the first face."""

    def change(pdf: Pdf) -> None:
        form = first(pdf)
        form.write(f"q {before}\n".encode() + form.read_bytes() + f"\nQ {after}".encode())

    return change


def swapped(pdf: Pdf) -> None:
    faces = pdf.pages[0].resources.XObject
    one, other = list(faces.keys())
    faces[one], faces[other] = faces[other], faces[one]


def bolder(pdf: Pdf) -> None:
    """A line round all letters."""
    for thing in pdf.objects:
        if isinstance(thing, Stream) and thing.get("/Subtype") == Name.Form:
            thing.write(thing.read_bytes().replace(b"BT 0 Tr", b"0.1 w BT 2 Tr"))


def stated(**state: Any) -> Callable[[Pdf], None]:
    """All of the first face in another state."""

    def change(pdf: Pdf) -> None:
        form = first(pdf)
        form.Resources.ExtGState = Dictionary(S=Dictionary(**state))
        form.write(b"/S gs\n" + form.read_bytes())

    return change


def patched(pdf: Pdf) -> None:
    """A picture of one pixel on the first face."""
    form = first(pdf)
    pixel = pdf.make_stream(
        b"\xc8\x00\x00", Type=Name.XObject, Subtype=Name.Image, Width=1, Height=1,
        ColorSpace=Name.DeviceRGB, BitsPerComponent=8,
    )  # fmt: skip
    form.Resources["/XObject"] = Dictionary(X=pixel)
    form.write(form.read_bytes() + b"\nq 30 0 0 30 60 120 cm /X Do Q")


def test_what_was_rendered_is_fine(good: Path) -> None:
    assert "GP857" not in codes(good)


def test_what_is_packed_otherwise_is_the_same(good: Path) -> None:
    with pikepdf.open(good, allow_overwriting_input=True) as pdf:
        pdf.save(good, recompress_flate=True, linearize=True)
    assert "GP857" not in codes(good)
    assert "GP806" in codes(good)


@pytest.mark.thorough(but=2)
@pytest.mark.parametrize(
    ("change", "words"),
    [
        (within("-1 0 0 1 195.5906 0 cm"), "mirrored left to right"),
        (within("-1 0 0 -1 195.5906 266.4567 cm"), "turned by 180°"),
        (within(".96 0 0 .96 3.91 5.33 cm"), "scaled to about 96 % of its size"),
        (within("1 0 0 1 1.42 0 cm"), "moved by about 0.5 mm"),
        (bolder, "outlined, or bolder"),
        (within("", "q 1 0 0 rg 80 60 30 30 re f Q"), "not drawn: a stamp, a box or a mark"),
        (within("", "q 0 G .3 w 10 50 m 180 50 l S Q"), "not drawn: a line"),
        (patched, "not drawn: a picture"),
        (stated(BM=Name.Screen), "mixed with what lies below it (Screen)"),
        (stated(ca=0.6, CA=0.6), "faint: paler than it was, at 60 % of its opacity"),
        (swapped, "it shows the front of 'card-1', swapped for its own"),
        (within("0.4 Tc"), "its letters are set wider apart"),
        (within("98 Tz"), "its letters are squeezed: set at 98 % of their width"),
        (within("", "% nothing"), "its drawing was changed"),
    ],
)
def test_a_face_that_shows_something_else_is_told_of(
    good: Path, change: Callable[[Pdf], None], words: str
) -> None:
    tamper(good, change)
    assert "GP857" in codes(good)
    assert words in messages(good)


def referred(pdf: Pdf) -> None:
    """Resources and all in them behind references, as some programs write them."""
    form = first(pdf)
    for kind, things in form.Resources.items():
        for name, thing in things.items() if isinstance(things, Dictionary) else ():
            things[name] = pdf.make_indirect(thing)
        form.Resources[kind] = pdf.make_indirect(things)
    form.Resources = pdf.make_indirect(form.Resources)


def test_what_is_behind_references_is_the_same_and_a_change_there_is_told(good: Path) -> None:
    tamper(good, referred)
    assert "GP857" not in codes(good)
    tamper(good, lambda pdf: first(pdf).Resources.update({"/Pattern": Dictionary(P=1)}))
    assert "its drawing was changed" in messages(good)


def test_a_font_is_known_by_its_outlines_too(good: Path) -> None:
    def read() -> FormEntry:
        with Pdf.open(good) as pdf:
            return FormReader(pdf).read(first(pdf).objgen)

    def change(pdf: Pdf) -> None:
        [font, *_] = first(pdf).Resources.Font.values()
        outlines = font.DescendantFonts[0].FontDescriptor
        file = outlines[next(key for key in dict(outlines) if key.startswith("/FontFile"))]
        file.write(file.read_bytes() + b"\0")

    before = read()
    tamper(good, change)
    after = read()
    assert (before.drawing, before.pictures) == (after.drawing, after.pictures)
    assert before.fonts != after.fonts


def test_how_a_picture_is_unpacked_is_part_of_it() -> None:
    """By that alone a JPEG comes out in other colours."""
    packed = io.BytesIO()
    Image.new("RGB", (600, 8), "#a03010").save(packed, "JPEG")
    with Pdf.new() as pdf:
        picture = pdf.make_stream(
            packed.getvalue(), Subtype=Name.Image, Width=600, Height=8, BitsPerComponent=8,
            ColorSpace=Name.DeviceRGB, Filter=Name.DCTDecode,
        )  # fmt: skip
        form = pdf.make_stream(b"q 9 0 0 9 0 0 cm /X Do Q", Subtype=Name.Form)
        form.BBox, form.Resources = Array([0, 0, 9, 9]), Dictionary(XObject=Dictionary(X=picture))
        before = FormReader(pdf).read(form.objgen)
        picture.DecodeParms = Dictionary(ColorTransform=0)
        assert FormReader(pdf).read(form.objgen).pictures != before.pictures
        lighten(picture)
        assert picture.Filter == Name.DCTDecode
        del picture["/DecodeParms"]
        lighten(picture)
        assert int(picture.Width) == 300


def test_pixels_and_how_they_are_shown_are_told_apart() -> None:
    with Pdf.new() as pdf:
        picture = pdf.make_stream(
            bytes(192), Subtype=Name.Image, Width=8, Height=8, BitsPerComponent=8,
            ColorSpace=Name.DeviceRGB,
        )  # fmt: skip
        form = pdf.make_stream(b"q 9 0 0 9 0 0 cm /X Do Q", Subtype=Name.Form)
        form.BBox, form.Resources = Array([0, 0, 9, 9]), Dictionary(XObject=Dictionary(X=picture))
        made = [FormReader(pdf).read(form.objgen)]
        picture.ColorSpace = Array([Name.ICCBased, pdf.make_stream(b"a profile", N=3)])
        made.append(FormReader(pdf).read(form.objgen))
        picture.write(bytes(191) + b"1")
        made.append(FormReader(pdf).read(form.objgen))
    assert made_otherwise(made[0], made[1]).endswith(
        "shown by another colour profile, decoding or intent"
    )
    assert made_otherwise(made[1], made[2]).startswith("one of its pictures was changed")
