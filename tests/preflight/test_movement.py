"""How a picture was moved, scaled, turned or slanted is told by its own word, and by how much."""

import math
from typing import Any

import numpy as np
import pytest
from PIL import Image, ImageDraw
from preflight.drawings import Drawing

from generator.geometry import Matrix
from generator.preflight.differences import leaning
from generator.preflight.undoing import Movement, movement_between

WIDE, HIGH, FINER = 110, 150, 4
_DICE = np.random.default_rng(3)


def drawn() -> Image.Image:
    """Some boxes, and rows of small ones as words are."""
    picture = Image.new("RGB", (WIDE * FINER, HIGH * FINER), (244, 234, 210))
    pen = ImageDraw.Draw(picture)
    for _ in range(9):
        x, y, w, h = (int(v) for v in _DICE.integers(60, 200, 4))
        pen.rectangle((x, y, x + w, y + h), fill=tuple(int(v) for v in _DICE.integers(0, 255, 3)))
    for y in range(420, 560, 22):
        for x in np.cumsum(_DICE.integers(6, 15, 34)) + 30:
            pen.rectangle((x, y, x + 4, y + 10), fill=(30, 30, 30))
    return picture


PICTURE = Drawing(drawn(), FINER)


def laid(a: float, b: float, c: float, d: float, x: float = 0, y: float = 0) -> Drawing:
    """Through a matrix that tells whence each pixel comes."""
    return Drawing(PICTURE.picture, FINER, Matrix(a, c, b, d, x, y).inverse)


def turned(degrees: float) -> tuple[float, float, float, float]:
    sin, cos = math.sin(math.radians(degrees)), math.cos(math.radians(degrees))
    return cos, sin, -sin, cos


def found(before: Any, after: Drawing) -> Movement | None:
    where = np.ones(before.shape[:2], bool)
    return movement_between(before, after.proof, where, after.redraw)


@pytest.mark.thorough(but=1)
@pytest.mark.parametrize(
    ("matrix", "words"),
    [
        ((1, 0, 0, 1, -2, 0), "moved by about 1.0 mm"),
        ((1, 0, 0, 1, -0.1, 0), "moved by about 0.05"),
        ((1 / 0.998, 0, 0, 1 / 0.998), "scaled to about 99.8 % of its size"),
        ((1, 0, 0, 1, 7, 5), "moved by about 4.3 mm"),
        ((1 / 1.12, 0, 0, 1 / 1.12), "scaled to about 112 % of its size"),
        ((1 / 1.04, 0, 0, 1), "stretched to about 104 % of its width"),
        ((1, 0, 0, 1 / 0.9), "stretched to about 90 % of its height"),
        (turned(-8), "turned by about "),
        (turned(0.4), "turned by about 0.4"),
        ((1, 0.05, 0, 1), "skewed"),
        ((-1, 0, 0, 1), "mirrored left to right"),
        ((0, -1, 1, 0), "turned by 90°"),
    ],
)
def test_a_way_is_told(matrix: Any, words: str) -> None:
    way = found(PICTURE.proof, laid(*matrix))
    assert way
    assert way.told(0.5).startswith(words), way
    assert way.explained > 0.8


@pytest.mark.thorough
def test_another_picture_was_not_moved() -> None:
    way = found(255 - PICTURE.proof, PICTURE)
    assert way
    assert way.explained < 0.7


def test_of_a_few_pixels_nothing_is_told() -> None:
    assert found(np.zeros((5, 40, 3)), Drawing(Image.new("RGB", (40, 5)), 1)) is None


def even(back: Matrix) -> Drawing:
    """A disc in the middle of a ground that goes to the ends, and nothing else."""
    picture = Image.new("RGB", (WIDE * FINER, HIGH * FINER), (60, 90, 50))
    middle, reach = (WIDE * FINER / 2, HIGH * FINER / 2), 30 * FINER
    ImageDraw.Draw(picture).circle(middle, reach, fill=(217, 180, 90))
    return Drawing(picture, FINER, back.inverse)


@pytest.mark.parametrize("degrees", [0.4, -0.5, 1.0, -1.6])
def test_what_is_even_leans_if_its_ends_do(degrees: float) -> None:
    before, after = even(Matrix()), even(Matrix(*turned(degrees)))
    said = leaning(before.proof, after.proof, after.redraw)
    assert said is not None
    assert said.startswith("turned by about ")
    assert abs(float(said[16:-1]) - abs(degrees)) < 0.15


@pytest.mark.parametrize(
    "back",
    [
        Matrix(),
        Matrix(1.01, 0, 0, 1.01),
        Matrix(1.01, 0, 0, 1),
        Matrix(1, 0, 0, 1, 0.8, 0.4),
        Matrix(1, 0.02, 0, 1),
    ],
    ids=["as it was", "smaller", "narrower", "moved", "slanted"],
)
def test_what_does_not_turn_does_not_lean(back: Matrix) -> None:
    before, after = even(Matrix()), even(back)
    assert leaning(before.proof, after.proof, after.redraw) is None
