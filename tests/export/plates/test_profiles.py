"""The profiles, read by another library than made them."""

import io

import pytest
from PIL import Image, ImageCms

from generator.export.plates import profiles


def test_colours_come_out_of_srgb_as_they_went_in() -> None:
    ours = ImageCms.ImageCmsProfile(io.BytesIO(profiles.srgb()))
    theirs = ImageCms.createProfile("sRGB")
    picture = Image.new("RGB", (6, 1))
    colours = [(0, 0, 0), (255, 255, 255), (200, 30, 90), (12, 250, 128), (1, 2, 3), (77, 77, 77)]
    picture.putdata(colours)
    seen = ImageCms.profileToProfile(picture, ours, theirs)
    assert seen is not None
    for before, after in zip(colours, seen.getdata(), strict=True):
        assert after == pytest.approx(before, abs=1)


def test_grey_is_the_grey_of_srgb() -> None:
    ours = ImageCms.ImageCmsProfile(io.BytesIO(profiles.grey()))
    picture = Image.new("L", (4, 1))
    picture.putdata([0, 40, 128, 255])
    seen = ImageCms.profileToProfile(
        picture, ours, ImageCms.createProfile("sRGB"), outputMode="RGB"
    )
    assert seen is not None
    for before, after in zip(picture.getdata(), seen.getdata(), strict=True):
        assert after == pytest.approx((before,) * 3, abs=1)


def test_the_header_holds_the_length() -> None:
    for profile in (profiles.srgb(), profiles.grey()):
        assert int.from_bytes(profile[:4], "big") == len(profile)
        assert profile[36:40] == b"acsp"
