import io
from pathlib import Path

import pytest
from export.hand_made import FONT
from PIL import Image

from generator.export.contact import Picture, contact_sheet


def pictures(folder: Path, *sizes: tuple[int, int]) -> list[Picture]:
    made = []
    for number, size in enumerate(sizes):
        path = folder / f"{number}.png"
        Image.new("RGB", size, (255, 0, 0)).save(path)
        made.append(Picture(path, f"card {number}"))
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
    png = contact_sheet([Picture(picture.path, "a very long name " * 20)], 1, 300, FONT)
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
