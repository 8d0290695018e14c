"""What has become of a picture is told by its own word, as small as a proof shows it."""

from typing import Any

import numpy as np
import pytest
from PIL import Image, ImageEnhance, ImageFilter

from generator.preflight.picture_changes import become

RIGHT, DOWN = np.meshgrid(np.linspace(-1, 1, 60), np.linspace(-1, 1, 60))
EVEN = np.stack([200 - 80 * RIGHT**2 - 40 * DOWN**2, 150 - 60 * RIGHT**2, 120 + 60 * DOWN**2], 2)
"""The same mirrored either way, but for nothing."""
ODD = np.clip(EVEN + (40 * np.sin(5 * RIGHT + 2 * DOWN))[..., None], 0, 255)
SPOTS = Image.fromarray(np.random.default_rng(3).integers(0, 255, (60, 60, 3), np.uint8))
PHOTO = np.clip((np.asarray(SPOTS.filter(ImageFilter.GaussianBlur(3))) - 127.0) * 4 + 127, 0, 255)
PICTURES = {"even": EVEN, "odd": ODD, "photo": PHOTO}


def proof(pixels: Any) -> Any:
    """As a proof keeps it: every seventeenth level."""
    return (np.round(pixels / 17) * 17).astype(np.int16)


def told(before: Any, after: Any) -> str:
    before, after = proof(before), proof(after)
    return become(before, after, np.abs(after - before).max(axis=2) > 3)


@pytest.mark.parametrize("name", PICTURES)
@pytest.mark.parametrize("part", [0.05, 0.07, 0.09, 0.2])
def test_a_picture_that_is_a_little_darker_or_paler_is_told_so(name: str, part: float) -> None:
    picture = PICTURES[name]
    assert told(picture, picture * (1 - part)).startswith("darker")
    assert told(picture, picture + (255 - picture) * 2 * part).startswith("faint")


@pytest.mark.parametrize("name", ["odd", "photo"])
def test_one_that_is_mirrored_is_told_so(name: str) -> None:
    picture = PICTURES[name]
    assert told(picture, np.fliplr(picture)) == "mirrored left to right"
    assert told(picture, np.flipud(picture)) == "mirrored top to bottom"
    assert told(picture, np.rot90(picture, 2)) == "turned by 180°"


@pytest.mark.parametrize("name", PICTURES)
def test_exchanged_colours_are_told(name: str) -> None:
    assert "red and blue" in told(PICTURES[name], PICTURES[name][:, :, ::-1])


@pytest.mark.parametrize("name", ["even", "photo"])
def test_weaker_colours_are_told(name: str) -> None:
    pixels = np.asarray(PICTURES[name]).astype(np.uint8)
    weaker = ImageEnhance.Color(Image.fromarray(pixels)).enhance(0.5)
    assert told(pixels.astype(float), np.asarray(weaker)) == "of weaker colours"
