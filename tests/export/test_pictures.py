"""Pictures in a PDF keep the pixels of their files; formats that PDF knows are stored unchanged."""

from __future__ import annotations

import io
from collections.abc import Callable
from typing import Any

import pikepdf
import pytest
from PIL import Image, ImageCms

from generator.export.pdf_file import PdfFile, reference
from generator.export.pictures import ColourSpaces, PictureWriter

NOISE = Image.effect_noise((40, 30), 90).convert("L")
COLOURS = Image.merge("RGB", (NOISE, NOISE.rotate(180), NOISE.point(lambda v: 255 - v)))
SRGB = ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes()


def saved(picture: Image.Image, format_: str, **options: object) -> bytes:
    out = io.BytesIO()
    picture.save(out, format_, **options)  # type: ignore[arg-type]
    return out.getvalue()


def written(*files: bytes) -> bytes:
    """A PDF that has these pictures on a page as /I0, /I1 and so on."""
    pdf = PdfFile()
    spaces = ColourSpaces(pdf.add(b"/DeviceGray"), pdf.add(b"/DeviceRGB"))
    writer = PictureWriter(pdf, spaces)
    named = [b"/I%d %s" % (n, reference(writer.add(f)[0])) for n, f in enumerate(files)]
    tree = pdf.reserve()
    page = b"<</Type /Page /Parent %s /MediaBox [0 0 9 9] /Resources <</XObject <<%s>>>>>>"
    kid = reference(pdf.add(page % (reference(tree), b" ".join(named))))
    pdf.put(tree, b"<</Type /Pages /Count 1 /Kids [%s]>>" % kid)
    out = io.BytesIO()
    pdf.write(out, pdf.add(b"<</Type /Catalog /Pages %s>>" % reference(tree)))
    return out.getvalue()


def pixels(placed: Any) -> Image.Image:
    """Return a placed picture as pikepdf decodes it."""
    return pikepdf.PdfImage(placed).as_pil_image()


@pytest.mark.parametrize(
    ("content", "mode", "passes"),
    [
        (saved(COLOURS, "PNG"), "RGB", True),
        (saved(NOISE, "PNG"), "L", True),
        (saved(COLOURS.quantize(200), "PNG"), "P", True),
        (saved(COLOURS.quantize(9), "PNG", bits=4), "P", True),
        (saved(NOISE.convert("1"), "PNG"), "1", True),
        (saved(COLOURS, "JPEG", quality=90), "RGB", True),
        (saved(COLOURS, "JPEG", progressive=True, icc_profile=SRGB), "RGB", True),
        (saved(NOISE, "JPEG"), "L", True),
        (saved(COLOURS, "PNG", icc_profile=SRGB), "RGB", True),
        (saved(COLOURS, "WEBP", lossless=True), "RGB", False),
    ],
)
def test_a_picture_has_the_pixels_of_its_file(content: bytes, mode: str, passes: bool) -> None:
    with pikepdf.open(io.BytesIO(written(content))) as pdf:
        assert pdf.check_pdf_syntax() == []
        placed = pdf.pages[0].obj.Resources.XObject.I0
        raw, read = placed.read_raw_bytes(), pixels(placed)
    assert (raw in content) == passes
    with Image.open(io.BytesIO(content)) as opened:
        assert opened.mode == mode
        assert read.convert("RGB").tobytes() == opened.convert("RGB").tobytes()


def test_a_profile_is_kept_once_and_one_for_other_colours_is_not() -> None:
    files = [saved(COLOURS, "PNG", icc_profile=SRGB), saved(COLOURS, "JPEG", icc_profile=SRGB)]
    grey = saved(NOISE, "PNG", icc_profile=SRGB)
    with pikepdf.open(io.BytesIO(written(*files, grey))) as pdf:
        pictures = pdf.pages[0].obj.Resources.XObject
        assert pictures.I0.ColorSpace.objgen == pictures.I1.ColorSpace.objgen
        assert pictures.I0.ColorSpace[1].read_bytes() == SRGB
        assert pictures.I2.ColorSpace == "/DeviceGray"


def test_sixteen_bits_stay_sixteen() -> None:
    deep = Image.new("I;16", (4, 4), 0x1234)
    with pikepdf.open(io.BytesIO(written(saved(deep, "PNG")))) as pdf:
        placed = pdf.pages[0].obj.Resources.XObject.I0
        assert (placed.BitsPerComponent, placed.read_bytes()[:2]) == (16, b"\x12\x34")


def test_sixteen_bits_with_a_clear_shade_become_eight() -> None:
    deep = Image.new("I;16", (4, 4), 0x8080)
    with pikepdf.open(io.BytesIO(written(saved(deep, "PNG", transparency=0)))) as pdf:
        placed = pdf.pages[0].obj.Resources.XObject.I0
        both = [pixels(one) for one in (placed, placed.SMask)]
        shades = [one.convert("L").getpixel((0, 0)) for one in both]
    assert shades == [0x80, 0xFF]


def test_a_jpeg_that_pdf_does_not_have_is_unpacked() -> None:
    arithmetic = saved(COLOURS, "JPEG").replace(b"\xff\xc0\0\x11", b"\xff\xc9\0\x11")
    with pikepdf.open(io.BytesIO(written(arithmetic))) as pdf:
        placed = pdf.pages[0].obj.Resources.XObject.I0
        assert (placed.Filter, placed.Width, placed.Height) == ("/FlateDecode", 40, 30)


@pytest.mark.parametrize("by_adobe", [True, False])
def test_inks_of_a_jpeg_are_read_as_its_maker_meant_them(by_adobe: bool) -> None:
    content = saved(Image.new("CMYK", (8, 8), (0, 0, 255, 0)), "JPEG", quality=95)
    at = content.index(b"Adobe")
    if not by_adobe:
        content = content.replace(b"Adobe", b"Other")
    assert at > 0
    with pikepdf.open(io.BytesIO(written(content))) as pdf:
        placed = pdf.pages[0].obj.Resources.XObject.I0
        assert placed.ColorSpace == "/DeviceCMYK"
        assert ("/Decode" in placed) == by_adobe


def rgba() -> Image.Image:
    picture = COLOURS.convert("RGBA")
    picture.putalpha(NOISE)
    return picture


@pytest.mark.parametrize(
    ("content", "alpha"),
    [
        (saved(rgba(), "PNG"), lambda: NOISE),
        (saved(rgba(), "WEBP", lossless=True, exact=True), lambda: NOISE),
        (saved(Image.merge("LA", (NOISE, NOISE)), "PNG"), lambda: NOISE),
        (saved(NOISE, "PNG", transparency=7), lambda: NOISE.point(lambda v: 255 * (v != 7))),
    ],
    ids=["RGBA", "WebP", "grey", "one shade"],
)
def test_what_is_transparent_is_a_mask(content: bytes, alpha: Callable[[], Image.Image]) -> None:
    with pikepdf.open(io.BytesIO(written(content))) as pdf:
        placed = pdf.pages[0].obj.Resources.XObject.I0
        mask, colours = pixels(placed.SMask), pixels(placed)
    assert mask.convert("L").tobytes() == alpha().tobytes()
    with Image.open(io.BytesIO(content)) as opened:
        assert colours.convert("RGB").tobytes() == opened.convert("RGBA").convert("RGB").tobytes()


@pytest.mark.parametrize("form", ["BMP", "TIFF", "GIF"])
def test_other_formats_keep_their_pixels(form: str) -> None:
    picture = COLOURS.quantize(200) if form == "GIF" else COLOURS
    with pikepdf.open(io.BytesIO(written(saved(picture, form)))) as pdf:
        found = pixels(pdf.pages[0].images["/I0"])
    assert found.convert("RGB").tobytes() == picture.convert("RGB").tobytes()


def test_a_tiff_in_four_inks_keeps_them() -> None:
    inks = Image.merge("CMYK", (NOISE, *COLOURS.split()))
    with pikepdf.open(io.BytesIO(written(saved(inks, "TIFF")))) as pdf:
        image = pdf.pages[0].images["/I0"]
        assert image["/ColorSpace"] == "/DeviceCMYK"
        assert image.read_bytes() == inks.tobytes()
