import io
import math
from pathlib import Path

import pikepdf
import pytest
from export.hand_made import FONT, face
from export.test_svg_to_pdf import as_found, with_photo
from msgspec.structs import replace
from PIL import Image

from generator.export.canvases import as_png
from generator.export.contact_sheets import PreviewPicture, contact_sheet
from generator.export.face_pixels import face_pictures
from generator.export.svg_to_pdf import compile_art
from generator.fonts import own_fonts
from generator.geometry import Rect, Size, summed
from generator.model.catalogue import Shape, Stock


def test_png_is_of_the_size_and_colours_of_the_face(tmp_path: Path) -> None:
    faces = [face("a", ground="#ff0000"), face("b", ground="#0000ff"), face("c", ground="#ff0000")]
    drawn = face_pictures(faces, own_fonts(), tmp_path, dpi=100, jobs=2)
    assert drawn.ok
    assert set(drawn.value) == {faces[0].sha256, faces[1].sha256}
    with Image.open(drawn.value[faces[1].sha256]) as picture:
        assert picture.size == (
            pytest.approx(69 / 25.4 * 100, abs=1),
            pytest.approx(94 / 25.4 * 100, abs=1),
        )
        assert picture.convert("RGB").getpixel((100, 100)) == (0, 0, 255)


@pytest.mark.parametrize("mode", ["L", "RGB", "RGBA"])
@pytest.mark.parametrize("size", [(1, 1), (5, 64), (3, 65), (31, 200)])
def test_a_packed_picture_is_the_same_picture(mode: str, size: tuple[int, int]) -> None:
    noise = Image.effect_noise(size, 90).convert("L")
    picture = Image.merge(
        "RGBA", [noise, noise.rotate(180), noise.point(range(255, -1, -1)), noise]
    )
    png = as_png(picture.convert(mode), 300, b"a profile")
    with Image.open(io.BytesIO(png)) as read:
        assert (read.mode, read.tobytes()) == (mode, picture.convert(mode).tobytes())
        assert read.info["icc_profile"] == b"a profile"
        assert read.info["dpi"] == pytest.approx((300, 300), abs=0.02)


def test_png_of_a_single_face_and_of_none(tmp_path: Path) -> None:
    [picture] = face_pictures([face("a")], own_fonts(), tmp_path, dpi=50).value.values()
    assert picture.is_file()
    assert face_pictures([], own_fonts(), tmp_path, dpi=50).value == {}


def test_a_piece_is_cut_out_without_a_pale_edge_and_whole_where_it_has_flaws(
    tmp_path: Path,
) -> None:
    coin = Stock("coin", Size(20, 20), shape=Shape.CIRCLE)
    fine = face("a", ground="#000000", stock=coin)
    flawed = replace(face("b", stock=coin), flaws=(Rect(18, 9, 4, 2),))
    plain = face("c", ground="#ffffff", stock=Stock("tile", Size(20, 20)))
    drawn = face_pictures([fine, flawed, plain], own_fonts(), tmp_path, dpi=254, cut=True).value
    with Image.open(drawn[fine.sha256]) as picture:
        alpha = picture.getchannel("A")
        assert picture.size == (200, 200)
        assert summed(alpha.histogram()[1:]) == pytest.approx(math.pi * 100**2, rel=0.02)
        assert alpha.getextrema() == (0, 255)
        dark = [colour for _, colour in picture.getcolors(9999) or [] if colour[3]]
        assert max(max(colour[:3]) for colour in dark) == 0
    with Image.open(drawn[flawed.sha256]) as picture:
        assert picture.width > 255  # with the bleed
    with Image.open(drawn[plain.sha256]) as picture:
        assert (picture.size, picture.mode) == ((200, 200), "RGB")


def test_a_cmyk_picture_is_on_screen_as_it_is_in_print(tmp_path: Path) -> None:
    path = tmp_path / "photo.jpg"
    inks = Image.new("CMYK", (90, 90), (0, 0, 255, 0))  # yellow, with a band of cyan
    inks.paste((255, 0, 0, 0), (0, 0, 90, 20))
    inks.save(path, quality=95)
    picture = with_photo(as_found(path))
    [drawn] = face_pictures([picture], own_fonts(), tmp_path, dpi=25.4).value.values()
    with Image.open(drawn) as page:
        red, green, blue = page.convert("RGB").getpixel((34, 60))
        assert (red > 240, green > 240, blue < 15) == (True, True, True)
        assert page.convert("RGB").getpixel((34, 24))[0] < 15
    compiled = compile_art([picture], own_fonts(), tmp_path)
    with pikepdf.open(compiled.value.files[0]) as pdf:
        [placed] = [o for o in pdf.objects if isinstance(o, pikepdf.Stream) and "/Width" in o]
        assert placed.ColorSpace == pikepdf.Name.DeviceCMYK, "print has the file as it is"


def pictures(folder: Path, *sizes: tuple[int, int]) -> list[PreviewPicture]:
    made = []
    for number, size in enumerate(sizes):
        path = folder / f"{number}.png"
        Image.new("RGB", size, (255, 0, 0)).save(path)
        made.append(PreviewPicture(path, f"card {number}"))
    return made


def red_boxes(png: bytes) -> tuple[Image.Image, list[tuple[int, int, int, int]]]:
    """The sheet, and the boxes of its red pictures by column."""
    sheet = Image.open(io.BytesIO(png)).convert("RGB")
    red = sheet.split()[1].point(lambda value: 255 * (value == 0))
    return sheet, [red.getbbox() or (0, 0, 0, 0)]


def test_the_sheet_is_as_wide_as_asked_and_as_high_as_its_rows(tmp_path: Path) -> None:
    five = pictures(tmp_path, *[(63, 88)] * 5)
    one_row = Image.open(io.BytesIO(contact_sheet(five, 5, 1000, FONT)))
    two_rows = Image.open(io.BytesIO(contact_sheet(five, 3, 1000, FONT)))
    assert one_row.width == two_rows.width == 1000
    assert one_row.height < two_rows.height


def test_pictures_keep_their_proportions(tmp_path: Path) -> None:
    _, [(left, top, right, bottom)] = red_boxes(
        contact_sheet(pictures(tmp_path, (60, 90)), 1, 600, FONT)
    )
    assert (bottom - top) / (right - left) == pytest.approx(1.5, abs=0.01)


def test_captions_stand_under_the_pictures(tmp_path: Path) -> None:
    sheet, [(left, _, right, bottom)] = red_boxes(
        contact_sheet(pictures(tmp_path, (60, 90)), 1, 600, FONT)
    )
    foot = sheet.crop((left, bottom, right, sheet.height)).convert("L")
    assert min(foot.getdata()) < 80


def test_fewer_pictures_than_columns_fill_the_width(tmp_path: Path) -> None:
    _, [(left, _, right, _)] = red_boxes(contact_sheet(pictures(tmp_path, (60, 60)), 6, 600, FONT))
    assert right - left > 500


def test_a_long_caption_is_shortened_to_its_column(tmp_path: Path) -> None:
    [picture] = pictures(tmp_path, (60, 90))
    png = contact_sheet([PreviewPicture(picture.path, "a very long name " * 20)], 1, 300, FONT)
    sheet, [(left, _, right, bottom)] = red_boxes(png)
    ground = sheet.getpixel((0, 0))
    for x in (left - 3, right + 3):
        assert {sheet.getpixel((x, y)) for y in range(bottom, sheet.height)} == {ground}


def test_the_same_pictures_are_the_same_bytes(tmp_path: Path) -> None:
    some = pictures(tmp_path, (60, 90), (90, 60))
    assert contact_sheet(some, 2, 500, FONT) == contact_sheet(some, 2, 500, FONT)


def test_nothing_to_show_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="pictures"):
        contact_sheet([], 3, 500, FONT)
