"""How a picture was moved, scaled, turned or slanted is told by its own word, and by how much."""

import math
from typing import Any

import numpy as np
import pytest
from PIL import Image, ImageDraw

from generator.preflight.movement import movement

WIDE, HIGH, FINER = 110, 150, 4
_DICE = np.random.default_rng(3)


def drawn() -> Image.Image:
    """Some boxes, and rows of small ones as words are."""
    picture = Image.new("RGB", (WIDE * FINER, HIGH * FINER), (244, 234, 210))
    pen = ImageDraw.Draw(picture)
    for _ in range(9):
        x, y, w, h = (int(v) for v in _DICE.integers(60, 200, 4))
        pen.rectangle((x, y, x + w, y + h), fill=tuple(int(v) for v in _DICE.integers(0, 255, 3)))
    for x in range(30, 380, 9):
        for y in range(420, 560, 22):
            pen.rectangle((x, y, x + 4, y + 10), fill=(30, 30, 30))
    return picture


PICTURE = drawn()


def seen(a: float, b: float, c: float, d: float, x: float = 0, y: float = 0) -> Any:
    """Through a matrix that tells whence each pixel comes, as a proof keeps it."""
    width, height = PICTURE.size
    right, down = width / 2, height / 2
    whence = (
        *(a, b, right - a * right - b * down + x * FINER),
        *(c, d, down - c * right - d * down + y * FINER),
    )
    how = Image.Resampling.BICUBIC
    mapped = PICTURE.transform(PICTURE.size, Image.Transform.AFFINE, whence, how, fillcolor="white")
    return (np.round(np.asarray(mapped.reduce(FINER)) / 17) * 17).astype(np.int16)


def turned(degrees: float) -> tuple[float, float, float, float]:
    sin, cos = math.sin(math.radians(degrees)), math.cos(math.radians(degrees))
    return cos, sin, -sin, cos


@pytest.mark.parametrize(
    ("matrix", "words"),
    [
        ((1, 0, 0, 1, -2, 0), "moved by about 1.0 mm"),
        ((1, 0, 0, 1, -0.3, 0), "moved by about 0."),
        ((1, 0, 0, 1, 7, 5), "moved by about 4.3 mm"),
        ((1 / 0.99, 0, 0, 1 / 0.99), "scaled to about 99.0 % of its size"),
        ((1 / 1.12, 0, 0, 1 / 1.12), "scaled to about 112 % of its size"),
        ((1 / 1.04, 0, 0, 1), "stretched to about 104 % of its width"),
        ((1, 0, 0, 1 / 0.9), "stretched to about 90 % of its height"),
        (turned(1), "turned by about 1."),
        (turned(-8), "turned by about "),
        ((1, 0.05, 0, 1), "skewed"),
    ],
)
def test_a_way_is_told(matrix: Any, words: str) -> None:
    found = movement(seen(1, 0, 0, 1), seen(*matrix), on_paper=True)
    assert found
    assert found.told(0.5).startswith(words), found
    assert found.explained > 0.3


def test_another_picture_was_not_moved() -> None:
    other = np.ascontiguousarray(seen(1, 0, 0, 1)[::-1, :, ::-1])
    found = movement(seen(1, 0, 0, 1), other, on_paper=True)
    assert found
    assert found.explained < 0.5


def test_of_a_few_pixels_nothing_is_told() -> None:
    assert movement(np.zeros((5, 40, 3)), np.ones((5, 40, 3))) is None
