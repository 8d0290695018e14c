from __future__ import annotations

import io
import random
from functools import cache
from types import SimpleNamespace
from typing import Any

import pikepdf
import pytest
from grain import grain
from PIL import Image, ImageChops, ImageDraw, ImageFilter

from generator.preflight.art_checks import (
    _empty,
    _ends_early,
    _is_same_art,
    _middle,
    _rim,
    _sign,
    _Small,
)
from generator.preflight.picture_flaws import (
    _as_squares,
    _is_crushed,
    _is_pixel_art,
    _is_soft,
    guide_in,
    has_chequers,
    rim_of,
)

SIZE = (300, 240)
NOISE = grain((50, 40), 90).convert("RGB")
DOT = Image.new("RGB", SIZE, "white")
DOT.putpixel((9, 9), (0, 0, 0))
BOXES = Image.new("RGB", (800, 500), (60, 90, 140))
for place in range(60, 700, 180):
    ImageDraw.Draw(BOXES).rectangle((place, 80, place + 90, 400), fill=(210, 180, 120))


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


@pytest.mark.parametrize("kept", [1.0, 0.999, 0.3, 0.0])
def test_a_picture_that_ends_early(kept: float) -> None:
    whole = held(NOISE)
    pixels = whole.image.read_bytes()
    whole.image.write(pixels[: int(kept * len(pixels))])
    assert _ends_early(whole.image) == (kept < 1)
    jpeg = io.BytesIO()
    NOISE.save(jpeg, "JPEG")
    data = jpeg.getvalue()
    whole.image.write(data[: int(kept * len(data))], filter=pikepdf.Name.DCTDecode)
    assert _ends_early(whole.image) == (kept < 1)


@pytest.mark.parametrize(
    ("picture", "mask", "said"),
    [
        (Image.new("RGB", SIZE, (200, 10, 10)), None, "of one colour everywhere"),
        (NOISE, bytes(4), "transparent everywhere"),
        (NOISE, b"\0\3\0\0", "transparent everywhere"),
        (NOISE, b"\0\xff", ""),
        (NOISE, bytes(9999) + b"\xff", "transparent but for a speck"),
        (DOT, None, "of one colour but for a speck"),
        (NOISE, None, ""),
    ],
    ids=["one colour", "all clear", "a trace", "half", "one pixel", "white but one", "a picture"],
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
        (grain(SIZE, 60).convert("RGB"), False),
        (Image.radial_gradient("L").resize(SIZE).convert("RGB"), False),
        (NOISE.resize(SIZE).filter(ImageFilter.GaussianBlur(30)), False),
        (BOXES.filter(ImageFilter.GaussianBlur(9)), True),
        (BOXES, False),
        (Image.radial_gradient("L").resize((500, 500)).convert("RGB"), False),
        (Image.linear_gradient("L").resize((150, 300)).rotate(90).convert("RGB"), False),
    ],
    ids=[
        *("enlarged", "pixels as they are", "sharp", "a fog", "hardly anything"),
        *("blurred", "boxes", "a glow", "a steep gradient"),
    ],
)
def test_a_picture_that_was_enlarged(picture: Image.Image, soft: bool) -> None:
    assert _is_soft(picture.convert("L")) is soft


def test_a_picture_that_is_sharp_in_one_part_is_sharp() -> None:
    soft = enlarged(3, Image.Resampling.BICUBIC)
    assert _is_soft(soft.convert("L"))
    sharp = soft.copy()
    sharp.paste(photo((soft.width, 40)), (0, soft.height - 40))
    assert not _is_soft(sharp.convert("L"))


@cache
def photo(size: tuple[int, int] = (600, 400)) -> Image.Image:
    """Things of every size, as photographs have them."""
    layers = [
        grain((size[0] // fine, size[1] // fine), 200 // (1 + 2 * (fine == 1))).resize(
            size, Image.Resampling.BICUBIC
        )
        for fine in (60, 25, 12, 5, 2, 1)
    ]
    mixed = layers[0]
    for share, layer in zip((0.45, 0.4, 0.35, 0.3, 0.2), layers[1:], strict=True):
        mixed = Image.blend(mixed, layer, share)
    return ImageChops.multiply(mixed.convert("RGB"), Image.new("RGB", size, (255, 230, 190)))


def enlarged(times: float, how: Image.Resampling, sharpened: int = 0) -> Image.Image:
    """What photo() becomes when it is made so much smaller, and as large again."""
    whole = photo()
    size = round(whole.width / times), round(whole.height / times)
    again = whole.resize(size, Image.Resampling.LANCZOS).resize(whole.size, how)
    return again.filter(ImageFilter.UnsharpMask(2, sharpened, 0)) if sharpened else again


@pytest.mark.parametrize("quality", [90, 60])
@pytest.mark.parametrize(
    ("picture", "soft"),
    [
        (photo(), False),
        (enlarged(3.5, Image.Resampling.BICUBIC), True),
        (enlarged(4, Image.Resampling.LANCZOS, sharpened=150), True),
        (enlarged(6, Image.Resampling.BILINEAR), True),
    ],
    ids=["as it is", "enlarged", "sharpened after", "enlarged more"],
)
def test_what_was_enlarged_before_it_was_saved_as_a_jpeg(
    picture: Image.Image, soft: bool, quality: int
) -> None:
    assert _is_soft(saved(picture, quality).convert("L")) is soft


@pytest.mark.parametrize(
    ("picture", "wide"),
    [
        (enlarged(2, Image.Resampling.NEAREST), 2),
        (enlarged(3, Image.Resampling.NEAREST), 3),
        (enlarged(8, Image.Resampling.NEAREST), 8),
        (photo(), 0),
        (enlarged(4, Image.Resampling.BICUBIC), 0),
    ],
    ids=["twice", "three times", "eight times", "as it is", "smoothed"],
)
def test_what_was_enlarged_without_smoothing(picture: Image.Image, wide: int) -> None:
    assert _as_squares(saved(picture, 85)) == wide


def test_colours_that_run_into_each_other_are_no_squares() -> None:
    """They rise by a level every few pixels."""
    few = Image.new("RGB", (4, 3))
    dice = random.Random(7)
    few.putdata([tuple(dice.randrange(60, 200) for _ in range(3)) for _ in range(12)])
    assert _as_squares(saved(few.resize((618, 360), Image.Resampling.BICUBIC), 75)) == 0


def test_art_of_few_colours_is_drawn_in_pixels() -> None:
    drawn = photo((75, 50)).quantize(16).convert("RGB").resize((600, 400), Image.Resampling.NEAREST)
    assert _as_squares(drawn) == 8
    assert _is_pixel_art(drawn, 8)
    assert not _is_pixel_art(enlarged(8, Image.Resampling.NEAREST), 8)


def saved(picture: Image.Image, quality: int) -> Image.Image:
    """The picture out of a JPEG."""
    stream = io.BytesIO()
    picture.save(stream, "JPEG", quality=quality)
    return Image.open(stream).convert("RGB")


PHOTO = grain((10, 8), 60).resize((400, 304), Image.Resampling.BICUBIC).convert("RGB")


@pytest.mark.parametrize(("quality", "crushed"), [(3, True), (20, False), (90, False)])
def test_a_picture_that_was_crushed(quality: int, crushed: bool) -> None:
    assert _is_crushed(saved(saved(PHOTO, quality), 92).convert("L")) is crushed


def test_squares_that_are_drawn_are_not_those_of_a_jpeg() -> None:
    drawn = grain((50, 38), 90).resize((400, 304), Image.Resampling.NEAREST)
    assert not _is_crushed(drawn.convert("L"))


@pytest.mark.parametrize(
    ("colour", "line", "told"),
    [
        ((0, 255, 255), (120, 0, 120, 303), "cyan"),
        ((255, 0, 255), (0, 99, 399, 99), "magenta"),
        ((0, 255, 255), (120, 0, 120, 200), ""),
        ((0, 255, 255), (120, 25, 120, 280), "cyan"),
        ((60, 60, 60), (120, 0, 120, 303), ""),
    ],
    ids=["down", "across", "not all the way", "of a frame", "grey"],
)
def test_guides_left_in_a_picture(
    colour: tuple[int, int, int], line: tuple[int, int, int, int], told: str
) -> None:
    guided = PHOTO.copy()
    ImageDraw.Draw(guided).line(line, fill=colour, width=2)
    assert guide_in(saved(guided, 92)) == told


@pytest.mark.parametrize("colour", ["red", "cyan", "magenta"])
@pytest.mark.parametrize(
    ("dash", "width", "told"), [(400, 1, True), (10, 2, True), (6, 1, True), (9, 2, False)]
)
def test_guides_of_a_pixel_and_in_dashes(colour: str, dash: int, width: int, told: bool) -> None:
    guided = PHOTO.copy()
    pen = ImageDraw.Draw(guided)
    for x in range(0, 400 if told else 200, dash * 2):
        pen.line((x, 99, x + dash - 1, 99), colour, width)
    assert guide_in(guided) == (colour if told else "")


DARK = ((12, 10, 14), (20, 20, 60), (0, 60, 30))


@pytest.mark.parametrize("colour", DARK)
@pytest.mark.parametrize(
    ("lines", "told"),
    [
        (((200, 0, 200, 303), (0, 152, 399, 152)), "dark"),
        (((30, 0, 30, 303), (370, 0, 370, 303), (0, 25, 399, 25), (0, 280, 399, 280)), "dark"),
        (((200, 0, 200, 303),), ""),
        (((200, 0, 200, 303), (0, 152, 300, 152)), ""),
        ((*((x, 0, x, 303) for x in (99, 199, 299)), (0, 152, 399, 152)), ""),
    ],
    ids=["a cross", "pairs", "a rope", "not to the end", "a map"],
)
def test_dark_guides_cross_each_other(
    lines: tuple[tuple[int, int, int, int], ...], told: str, colour: tuple[int, int, int]
) -> None:
    guided = PHOTO.copy()
    for line in lines:
        ImageDraw.Draw(guided).line(line, fill=colour, width=2)
    assert guide_in(saved(guided, 92)) == told


@pytest.mark.parametrize(
    ("bands", "colour", "seeds"),
    [(3, (20, 20, 60), (3, 9, 30, 36)), (1, (0, 60, 30), (2, 31, 32, 51))],
    ids=["in colours", "in grey"],
)
def test_lines_of_which_some_are_lost_in_the_dark_are_still_too_many_for_guides(
    bands: int, colour: tuple[int, int, int], seeds: tuple[int, ...]
) -> None:
    told = []
    for seed in seeds:
        shades = [grain((10, 8), 60, seed + band).resize((400, 304)) for band in range(bands)]
        photo = Image.merge("RGB", shades) if bands > 1 else shades[0].convert("RGB")
        for upright in ((200,), (99, 199, 299)):
            ruled = photo.copy()
            for line in (*((x, 0, x, 303) for x in upright), (0, 152, 399, 152)):
                ImageDraw.Draw(ruled).line(line, fill=colour, width=2)
            told.append(guide_in(saved(ruled, 92)))
    assert told == ["dark", ""] * 4


@pytest.mark.parametrize("turned", [False, True])
@pytest.mark.parametrize(("colour", "told"), [*((dark, "dark") for dark in DARK), ("red", "red")])
def test_guides_in_uneven_dashes(colour: Any, told: str, turned: bool) -> None:
    guided, high = PHOTO.copy(), PHOTO.copy()
    x, dice = 0, random.Random(4)
    while x < 400:
        long = dice.randrange(6, 30)
        for picture, width in ((guided, 2), (high, 24)):  # a row of houses is no line
            ImageDraw.Draw(picture).line((x, 152, x + long, 152), colour, width)
        x += long + dice.randrange(6, 18)
    pictures = (
        picture.rotate(90, expand=True) if turned else picture for picture in (guided, high)
    )
    assert [guide_in(picture) for picture in pictures] == [told, ""]


def test_lines_of_ruled_paper_are_no_guides() -> None:
    ruled = Image.new("RGB", (400, 304), (250, 248, 240))
    for y in range(20, 300, 24):
        ImageDraw.Draw(ruled).line((0, y, 399, y), fill=(110, 160, 220))
    ImageDraw.Draw(ruled).line((60, 0, 60, 303), fill=(230, 40, 60), width=2)
    assert not guide_in(ruled)


@pytest.mark.parametrize("ground", ["white", "#20d030"])
@pytest.mark.parametrize(("rim", "told"), [(0, False), (4, True), (20, False)])
def test_a_cut_out_with_a_rim_of_what_it_was_cut_out_of(rim: int, told: bool, ground: str) -> None:
    figure, mask = Image.new("RGB", (200, 200), ground), Image.new("L", (200, 200))
    ImageDraw.Draw(mask).ellipse((20, 20, 180, 180), fill=255)
    box = (20 + rim, 20 + rim, 180 - rim, 180 - rim)
    ImageDraw.Draw(figure).ellipse(box, fill=(150, 40, 30))
    picture = held(figure)
    shape = picture.pdf.make_stream(
        mask.tobytes(),
        Type=pikepdf.Name.XObject,
        Subtype=pikepdf.Name.Image,
        Width=200,
        Height=200,
        ColorSpace=pikepdf.Name.DeviceGray,
        BitsPerComponent=8,
    )
    picture.image.SMask = shape
    assert bool(_rim(picture)) is told


@pytest.mark.parametrize("colour", ["#000000", "#14141e", "#28140a"])
@pytest.mark.parametrize(
    ("rim", "lines", "told"),
    [(0, 0, False), (1, 0, True), (2, 0, True), (5, 0, False), (2, 9, False)],
    ids=["none", "a pixel", "two", "an outline", "line art"],
)
def test_a_cut_out_with_a_dark_fringe(rim: int, lines: int, told: bool, colour: str) -> None:
    figure, mask = Image.new("RGB", (200, 200), colour), Image.new("L", (200, 200))
    ImageDraw.Draw(mask).ellipse((20, 20, 180, 180), fill=255)
    pen = ImageDraw.Draw(figure)
    pen.ellipse((20 + rim, 20 + rim, 180 - rim, 180 - rim), fill=(190, 140, 60))
    for y in range(60, 60 + 9 * lines, 9):
        pen.line((40, y, 160, y), fill=colour, width=2)
    assert bool(rim_of(figure, mask)) is told


@pytest.mark.parametrize("mixed", [False, True])
def test_a_cut_out_that_was_mixed_with_black(mixed: bool) -> None:
    mask = Image.new("L", (800, 800))
    ImageDraw.Draw(mask).ellipse((80, 80, 720, 720), fill=255)
    mask = mask.resize((200, 200), Image.Resampling.BICUBIC).filter(ImageFilter.GaussianBlur(1))
    figure = Image.new("RGB", mask.size, (220, 150, 80))
    if mixed:
        figure = ImageChops.multiply(figure, Image.merge("RGB", (mask,) * 3))
    assert bool(rim_of(figure, mask)) is mixed


@pytest.mark.parametrize("mode", ["RGB", "L"])
def test_of_a_high_picture_only_the_middle_is_read(mode: str) -> None:
    high = grain((60, 1301), 90).convert(mode)
    picture = held(high)
    if mode == "L":
        picture.image.ColorSpace = pikepdf.Name.DeviceGray
    middle = high.crop((0, 150, 60, 1150)).convert("RGB")
    seen = _middle(picture)
    assert seen is not None
    assert seen.tobytes() == middle.tobytes()
    picture.image.Decode = pikepdf.Array([1, 0] * len(mode))  # not as simple as that
    turned = _middle(picture)
    assert turned is not None
    assert turned.tobytes() == ImageChops.invert(middle).tobytes()


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
            assert (_empty(picture), _middle(picture)) == ("", None)


@pytest.mark.parametrize(
    ("picture", "told"),
    [
        (PHOTO.filter(ImageFilter.GaussianBlur(1)), True),
        (saved(PHOTO, 60), True),
        (PHOTO.resize((200, 152)), True),
        (PHOTO.transpose(Image.Transpose.FLIP_LEFT_RIGHT), True),
        (PHOTO.convert("L").convert("RGB"), True),
        (ImageChops.multiply(PHOTO, Image.new("RGB", PHOTO.size, "#d8e8ff")), True),
        (PHOTO.transpose(Image.Transpose.FLIP_TOP_BOTTOM), False),
        (grain((10, 8), 60, seed=1).resize((400, 304)).convert("RGB"), False),
    ],
    ids=[
        "softer",
        "saved again",
        "smaller",
        "mirrored",
        "grey",
        "tinted",
        "upside down",
        "another",
    ],
)
def test_the_same_art_out_of_another_file(picture: Image.Image, told: bool) -> None:
    one, other = (_sign(held(each), each) for each in (PHOTO, picture))
    assert _is_same_art(_Small.of(one), _Small.of(other)) is told


SCENE = Image.new("RGB", (400, 304), (200, 215, 230))
for number, (left, top) in enumerate(((20, 30), (180, 10), (300, 90), (60, 160), (230, 190))):
    shade = (40 * number, 90, 200 - 40 * number)
    ImageDraw.Draw(SCENE).ellipse((left, top, left + 90, top + 100), fill=shade)


@pytest.mark.parametrize(
    ("box", "told"),
    [((8, 6, 392, 298), True), ((0, 12, 384, 304), True), ((60, 45, 400, 304), False)],
    ids=["on all sides", "on two", "a detail"],
)
def test_the_same_art_of_which_a_little_was_cut_off(
    box: tuple[int, int, int, int], told: bool
) -> None:
    cropped = SCENE.crop(box).resize(SCENE.size)
    one, other = (_sign(held(each), each) for each in (SCENE, cropped))
    assert _is_same_art(_Small.of(one), _Small.of(other)) is told
    assert _is_same_art(_Small.of(other), _Small.of(one)) is told


def test_a_small_thing_elsewhere_on_an_even_ground_is_other_art() -> None:
    signs = []
    for x in (100, 112):
        snow = Image.new("RGB", (400, 304), (250, 250, 252))
        ImageDraw.Draw(snow).ellipse((x, 90, x + 40, 130), fill=(40, 40, 50))
        signs.append(_sign(held(snow), snow))
    assert not _is_same_art(*map(_Small.of, signs))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ((8, "navy", 0), (9, "navy", 0)),
        ((3, "navy", 0), (3, "maroon", 0)),
        ((3, "navy", 90), (3, "navy", 270)),
    ],
    ids=["sides", "colour", "way"],
)
def test_icons_that_differ_a_little_are_two(
    one: tuple[int, str, int], other: tuple[int, str, int]
) -> None:
    signs = []
    for sides, colour, turn in (one, other):
        icon = Image.new("RGB", (400, 400), "white")
        ImageDraw.Draw(icon).regular_polygon((200, 200, 150), sides, turn, fill=colour)
        signs.append(_sign(held(icon), icon))
    assert not _is_same_art(*map(_Small.of, signs))


@pytest.mark.parametrize(
    ("side", "light", "dark", "told"),
    [
        (8, (255,) * 3, (204,) * 3, True),
        (20, (153,) * 3, (102,) * 3, True),
        (16, (255,) * 3, (0,) * 3, False),
        (16, (240, 220, 180), (200, 170, 120), False),
        (60, (255,) * 3, (204,) * 3, False),
    ],
    ids=["small", "dark", "a chessboard", "brown", "tiles"],
)
def test_chequers_that_show_where_nothing_was(
    side: int, light: tuple[int, int, int], dark: tuple[int, int, int], told: bool
) -> None:
    picture = Image.new("RGB", (400, 304), light)
    for x in range(0, 400, side):
        for y in range(side * (x // side % 2), 304, 2 * side):
            picture.paste(dark, (x, y, x + side, y + side))
    picture.paste(PHOTO.resize((200, 200)), (100, 50))
    assert has_chequers(saved(picture, 90)) is told


def test_figures_in_coats_of_other_colours_are_two() -> None:
    signs = []
    for coat, arm in (("#463cc8", 40), ("#733caa", 60)):
        figure = Image.new("RGBA", (260, 330))
        ImageDraw.Draw(figure).rectangle((60, 90, 200, 330), fill=coat)
        ImageDraw.Draw(figure).ellipse((90, 10, 170, 90), fill="#f0cdaa")
        ImageDraw.Draw(figure).line((100, 130, 20, arm), fill=coat, width=25)
        signs.append(figure.resize((32, 32), Image.Resampling.BOX).tobytes())
    assert not _is_same_art(*map(_Small.of, signs))


def test_a_picture_of_one_colour_is_like_no_other() -> None:
    assert not _sign(held(Image.new("RGB", SIZE)), Image.new("RGB", SIZE))
