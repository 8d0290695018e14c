import io

import pytest
from PIL import Image, ImageDraw

from generator.geometry import Matrix, Rect
from generator.model.painted import PaintedPicture
from generator.picture_looks import Looks

WHOLE = Rect(0, 0, 1, 1)


def saved(picture: Image.Image, form: str) -> bytes:
    target = io.BytesIO()
    picture.save(target, form)
    return target.getvalue()


def halves(mode: str = "RGB") -> Image.Image:
    """Black on the left, white on the right."""
    picture = Image.new(mode, (320, 160), "black")
    ImageDraw.Draw(picture).rectangle((160, 0, 319, 159), "white")
    return picture


def shown(name: str) -> PaintedPicture:
    return PaintedPicture(WHOLE, Matrix(), name, "art.png", 320, 160)


@pytest.mark.parametrize(
    ("form", "mode"), [("PNG", "RGB"), ("JPEG", "RGB"), ("JPEG", "L"), ("BMP", "1"), ("TIFF", "L")]
)
def test_the_light_of_a_part_is_known(form: str, mode: str) -> None:
    look = Looks().of(shown("a"), lambda: saved(halves(mode), form))
    assert look is not None
    assert not look.plain
    assert look.luminance(WHOLE) == pytest.approx((0, 1), abs=0.02)
    assert look.luminance(Rect(0.6, 0, 0.3, 1)) == pytest.approx((1, 1), abs=0.02)
    assert look.luminance(Rect(-1, 0.2, 1.3, 0.01)) == pytest.approx((0, 0), abs=0.02)


@pytest.mark.parametrize(
    ("picture", "plain"),
    [
        (Image.new("RGB", (200, 200), "#406080"), True),
        (Image.new("RGBA", (200, 200), (0, 0, 0, 0)), True),
        (halves(), False),
        (Image.new("RGB", (3, 3), "white"), True),
    ],
)
def test_a_picture_of_one_colour_is_plain(picture: Image.Image, plain: bool) -> None:
    look = Looks().of(shown("a"), lambda: saved(picture, "PNG"))
    assert look is not None
    assert look.plain is plain


def test_a_cut_out_of_one_colour_is_not_plain() -> None:
    picture = Image.new("RGBA", (200, 200), (200, 30, 30, 255))
    picture.paste((200, 30, 30, 0), (0, 0, 100, 200))
    look = Looks().of(shown("a"), lambda: saved(picture, "PNG"))
    assert look is not None
    assert not look.plain


def test_each_picture_is_decoded_once_and_a_broken_one_has_no_look() -> None:
    asked: list[str] = []
    looks = Looks()

    def content() -> bytes:
        asked.append("")
        return saved(halves(), "PNG")

    assert looks.of(shown("a"), content) is looks.of(shown("a"), content)
    assert len(asked) == 1
    assert looks.of(shown("b"), lambda: b"no picture") is None


def test_a_grey_picture_of_16_bits_is_not_plain() -> None:
    levels = Image.linear_gradient("L").convert("I").point(lambda level: level * 257)
    look = Looks().of(shown("a"), lambda: saved(levels.convert("I;16"), "PNG"))
    assert look is not None
    assert not look.plain
