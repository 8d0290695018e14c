from __future__ import annotations

import io
from types import SimpleNamespace
from typing import Any

import pikepdf
import pytest
from PIL import Image, ImageFilter

from generator.preflight.art_checks import _empty, _is_soft

SIZE = (300, 240)
NOISE = Image.effect_noise((50, 40), 90).convert("RGB")


def held(picture: Image.Image, mask: bytes | None = None) -> Any:
    """A picture as a file has it."""
    pdf = pikepdf.new()
    pdf.add_blank_page()
    image = pdf.make_stream(
        picture.tobytes(),
        Type=pikepdf.Name.XObject,
        Subtype=pikepdf.Name.Image,
        Width=picture.width,
        Height=picture.height,
        ColorSpace=pikepdf.Name.DeviceRGB,
        BitsPerComponent=8,
    )
    if mask is not None:
        image.SMask = pdf.make_stream(mask)
    pdf.Root.Picture = image
    stream = io.BytesIO()
    pdf.save(stream, compress_streams=True)
    read = pikepdf.open(stream)
    return SimpleNamespace(image=read.Root.Picture, pixels=picture.size, pdf=read)


@pytest.mark.parametrize(
    ("picture", "mask", "said"),
    [
        (Image.new("RGB", SIZE, (200, 10, 10)), None, "of one colour everywhere"),
        (NOISE, bytes(4), "transparent everywhere"),
        (NOISE, b"\0\1", ""),
        (NOISE, None, ""),
    ],
    ids=["one colour", "all clear", "a trace", "a picture"],
)
def test_a_picture_in_which_there_is_nothing(
    picture: Image.Image, mask: bytes | None, said: str
) -> None:
    assert _empty(held(picture, mask)) == said


@pytest.mark.parametrize(
    ("picture", "soft"),
    [
        (NOISE.crop((0, 0, 25, 20)).resize(SIZE, Image.Resampling.BICUBIC), True),
        (NOISE.resize(SIZE, Image.Resampling.NEAREST), False),
        (Image.effect_noise(SIZE, 60).convert("RGB"), False),
        (Image.radial_gradient("L").resize(SIZE).convert("RGB"), False),
        (NOISE.resize(SIZE).filter(ImageFilter.GaussianBlur(30)), False),
    ],
    ids=["enlarged", "pixels as they are", "sharp", "a fog", "hardly anything"],
)
def test_a_picture_that_was_enlarged(picture: Image.Image, soft: bool) -> None:
    assert _is_soft(held(picture)) is soft


def test_nothing_is_said_of_grey_of_16_bits() -> None:
    # PNG has it, and printers print it; Pillow cannot read it, or turns it white.
    with pikepdf.new() as pdf:
        profile = pdf.make_stream(b"", N=1, Alternate=pikepdf.Name.DeviceGray)
        for space in (pikepdf.Name.DeviceGray, pikepdf.Array([pikepdf.Name.ICCBased, profile])):
            grey = pdf.make_stream(
                Image.linear_gradient("L").resize((600, 240)).tobytes(),
                Subtype=pikepdf.Name.Image,
                Width=300,
                Height=240,
                ColorSpace=space,
                BitsPerComponent=16,
            )
            picture: Any = SimpleNamespace(image=grey, pixels=SIZE)
            assert (_empty(picture), _is_soft(picture)) == ("", False)
