"""What has become of a picture is told by its own word, as small as a proof shows it."""

from typing import Any

import numpy as np
import pytest
from PIL import Image, ImageDraw, ImageEnhance, ImageFilter
from preflight.drawings import Drawing, proof

from generator.geometry import Matrix
from generator.preflight.differences import set_otherwise
from generator.preflight.picture_changes import (
    become,
    is_the_same,
    laid_as_a_whole,
    seen_through,
    toned_as_a_whole,
)
from generator.preflight.undoing import Redraw, resampled

RIGHT, DOWN = np.meshgrid(np.linspace(-1, 1, 60), np.linspace(-1, 1, 60))
EVEN = np.stack([200 - 80 * RIGHT**2 - 40 * DOWN**2, 150 - 60 * RIGHT**2, 120 + 60 * DOWN**2], 2)
"""The same mirrored either way, but for nothing."""
ODD = np.clip(EVEN + (40 * np.sin(5 * RIGHT + 2 * DOWN))[..., None], 0, 255)
SPOTS = Image.fromarray(np.random.default_rng(3).integers(0, 255, (60, 60, 3), np.uint8))
PHOTO = np.clip((np.asarray(SPOTS.filter(ImageFilter.GaussianBlur(3))) - 127.0) * 4 + 127, 0, 255)
PICTURES = {"even": EVEN, "odd": ODD, "photo": PHOTO}


def redrawn(pixels: Any) -> Redraw:
    return lambda back: resampled(pixels, back)


def told(before: Any, after: Any) -> str:
    before, after = proof(before), proof(after)
    return become(before, after, np.abs(after - before).max(axis=2) > 3, redrawn(after))


@pytest.mark.thorough(but=1)
@pytest.mark.parametrize(
    ("name", "part"), [("even", 0.05), ("odd", 0.07), ("photo", 0.09), ("even", 0.2)]
)
def test_a_picture_that_is_a_little_darker_or_paler_is_told_so(name: str, part: float) -> None:
    picture = PICTURES[name]
    assert told(picture, picture * (1 - part)).startswith("darker")
    assert told(picture, picture + (255 - picture) * 2 * part).startswith("faint")


@pytest.mark.thorough(but=1)
@pytest.mark.parametrize("part", [0.1, 0.3])
def test_one_that_is_brighter_is_told_so(part: float) -> None:
    assert told(PHOTO, np.minimum(PHOTO * (1 + part), 255)) == "brighter than it was"


@pytest.mark.thorough
def test_one_that_is_mirrored_is_told_so() -> None:
    assert told(ODD, np.fliplr(ODD)) == "mirrored left to right"
    assert told(PHOTO, np.flipud(PHOTO)) == "mirrored top to bottom"
    assert told(ODD, np.rot90(ODD, 2)) == "turned by 180°"


@pytest.mark.thorough(but=1)
@pytest.mark.parametrize("by", [(7, 0), (23, 31)])
def test_one_that_comes_in_on_the_other_side_is_told_so(by: tuple[int, int]) -> None:
    """A part of it is covered, as by a figure."""
    rolled = np.roll(PHOTO, by, (0, 1))
    rolled[20:40, 20:30] = PHOTO[20:40, 20:30]
    assert "moved by" in told(PHOTO, rolled)


def test_another_picture_did_not_come_in_on_the_other_side() -> None:
    assert "comes in on the other side" not in told(PHOTO, np.asarray(SPOTS) * 1.0)


@pytest.mark.thorough(but=1)
@pytest.mark.parametrize("name", ["odd", "photo"])
def test_exchanged_colours_are_told(name: str) -> None:
    assert "red and blue" in told(PICTURES[name], PICTURES[name][:, :, ::-1])


@pytest.mark.thorough(but=1)
@pytest.mark.parametrize("name", ["even", "photo"])
def test_weaker_colours_are_told(name: str) -> None:
    pixels = np.asarray(PICTURES[name]).astype(np.uint8)
    weaker = ImageEnhance.Color(Image.fromarray(pixels)).enhance(0.5)
    assert told(pixels.astype(float), np.asarray(weaker)) == "of weaker colours"


def words(x: float = 0, size: float = 1, across: float = 1, *more: int) -> Drawing:
    """A short word of thin letters, of so many times its size and width; and others, lower."""
    picture = Image.new("RGB", (600, 240), (217, 180, 90))
    pen = ImageDraw.Draw(picture)
    for lower in (0, *more):
        for place in (0, 22, 44, 80, 102):
            left, end = 120 + x + place * size * across, 140 + lower
            pen.rectangle((left, end - 60 * size, left + 8 * size * across, end), fill=(29, 26, 23))
            pen.rectangle((left, end - 6, left + 14 * size * across, end), fill=(29, 26, 23))
    return Drawing(picture, 10)


@pytest.mark.thorough(but=1)
@pytest.mark.parametrize(
    ("after", "said"),
    [
        (words(x=84), "are moved by about 4.3 mm"),
        (words(size=1.3), "are larger in size"),
        (words(size=0.75), "are smaller in size"),
        (words(across=0.8), "are squeezed to about"),
        (words(size=1.02), "are larger in size"),
    ],
)
def test_thin_letters_are_told_by_how_their_ink_lies(after: Drawing, said: str) -> None:
    before = words().proof
    mask = np.abs(after.proof - before).max(axis=2) > 16
    assert set_otherwise(before, after.proof, mask, after.redraw).startswith(said)


def test_what_leaves_a_place_beyond_it_is_known_again() -> None:
    (here, there), gone = (words(x=x).proof[:, 10:30] for x in (0, 3)), words(x=400).proof[:, 10:30]
    assert is_the_same(here, there)
    assert not is_the_same(here, gone)
    assert not is_the_same(here, words(across=0.6).proof[:, 10:30])


def test_a_box_over_most_of_a_plain_face_was_not_moved_off_it() -> None:
    before = np.full((60, 60, 3), 200.0)
    after = before.copy()
    after[10:50, 5:40] = 90
    assert laid_as_a_whole(before, after, redrawn(after)) is None


def test_a_cut_out_that_has_one_colour_is_blank() -> None:
    before = PHOTO.copy()
    figure = abs(RIGHT) < 0.1 + 0.2 * (DOWN + 1)
    before[figure] = (60, 60, 200)
    before[figure & (DOWN < -0.4)] = (240, 200, 170)
    after = np.where(figure[..., None], 240, before)
    assert told(before, after) == "blank: all of it has one colour"


def test_a_face_turned_by_a_quarter_is_told_so_though_it_is_not_square() -> None:
    face = Image.fromarray(PHOTO.astype(np.uint8)).resize((50, 74))
    before = np.asarray(face).astype(np.int16)
    turned = Drawing(face, 1, Matrix(0, -1, 1, 0))
    assert laid_as_a_whole(before, turned.proof, turned.redraw) == "turned by 90°"


def test_what_is_seen_through_is_told_from_what_is_faint() -> None:
    part = PHOTO[10:50, 10:50]
    mask = np.ones(part.shape[:2], bool)
    red = proof(part * 0.7 + np.array((180, 20, 30)) * 0.3)
    pale = proof(part * 0.7 + 255 * 0.3)
    assert "one sees through" in str(seen_through(proof(part), red, mask, is_most=False))
    assert "faint" in str(seen_through(proof(part), pale, mask, is_most=False))
    assert "faint" in str(seen_through(proof(part), red, mask, is_most=True))
    assert seen_through(proof(part), proof(part[::-1]), mask, is_most=False) is None


def panelled(part: float, *, all_of_it: bool = True) -> Any:
    """A face with a ground, a panel on it and a picture on that, each painted in part."""
    paper, seen = np.full((60, 60, 3), 255.0), 1.0 if not all_of_it else part
    for place, colour, share in (
        ((slice(0, 60), slice(0, 60)), (77, 107, 60), seen),
        ((slice(8, 52), slice(8, 52)), (240, 232, 205), seen),
        ((slice(12, 30), slice(12, 48)), (29, 26, 90), part),
        ((slice(16, 26), slice(20, 40)), (200, 90, 30), part),
    ):
        paper[place] = share * np.array(colour) + (1 - share) * paper[place]
    return proof(paper)


@pytest.mark.parametrize("part", [0.3, 0.6, 0.85])
def test_a_face_that_is_faint_is_told_from_one_with_a_faint_picture(part: float) -> None:
    before = panelled(1)
    for all_of_it in (True, False):
        after = panelled(part, all_of_it=all_of_it)
        said = toned_as_a_whole(before, after, np.abs(after - before).max(axis=2) > 16)
        assert said == ("faint: paler than it was" if all_of_it else None)


@pytest.mark.parametrize("side", [3, 6, 12])
def test_a_patch_painted_into_a_picture_is_told_so(side: int) -> None:
    after = PHOTO.copy()
    after[20 : 20 + side, 30 : 30 + side] = (120, 90, 40)
    after[20, 30] = (200, 180, 60)
    assert told(PHOTO, after).startswith("covered in part")


def test_a_ground_in_another_colour_is_no_face_that_is_faint_or_darker() -> None:
    before = np.full((60, 60, 3), (236, 226, 200), np.int16)
    before[10:12, 5:50] = (28, 26, 22)
    before[12, 5:50] = (226, 216, 191)  # the edge of a line
    for ground, edge in (((155, 89, 130), (149, 86, 125)), ((250, 160, 90), (240, 154, 87))):
        after = before.copy()
        after[(before == (236, 226, 200)).all(axis=2)] = ground
        after[12, 5:50] = edge
        assert toned_as_a_whole(before, after, (before != after).any(axis=2)) is None
