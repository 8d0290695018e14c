from pathlib import Path

import pikepdf
import pytest
from export.hand_made import FONTS, face
from export.test_svg_to_pdf import as_found, with_photo
from PIL import Image

from generator.export.pictures import face_pictures
from generator.export.svg_to_pdf import compile_art
from generator.fonts import FontLibrary


def test_png_is_of_the_size_and_colours_of_the_face(tmp_path: Path) -> None:
    faces = [face("a", ground="#ff0000"), face("b", ground="#0000ff"), face("c", ground="#ff0000")]
    drawn = face_pictures(faces, FontLibrary(FONTS), tmp_path, dpi=100, jobs=2)
    assert drawn.ok
    assert set(drawn.value) == {faces[0].sha256, faces[1].sha256}
    with Image.open(drawn.value[faces[1].sha256]) as picture:
        assert picture.size == (
            pytest.approx(69 / 25.4 * 100, abs=1),
            pytest.approx(94 / 25.4 * 100, abs=1),
        )
        assert picture.convert("RGB").getpixel((100, 100)) == (0, 0, 255)


def test_png_of_a_single_face_and_of_none(tmp_path: Path) -> None:
    [picture] = face_pictures([face("a")], FontLibrary(FONTS), tmp_path, dpi=50).value.values()
    assert picture.is_file()
    assert face_pictures([], FontLibrary(FONTS), tmp_path, dpi=50).value == {}


def test_a_cmyk_picture_is_on_screen_as_it_is_in_print(tmp_path: Path) -> None:
    path = tmp_path / "photo.jpg"
    inks = Image.new("CMYK", (90, 90), (0, 0, 255, 0))  # yellow, with a band of cyan
    inks.paste((255, 0, 0, 0), (0, 0, 90, 20))
    inks.save(path, quality=95)
    picture = with_photo(as_found(path))
    [drawn] = face_pictures([picture], FontLibrary(FONTS), tmp_path, dpi=25.4).value.values()
    with Image.open(drawn) as page:
        red, green, blue = page.convert("RGB").getpixel((34, 60))
        assert (red > 240, green > 240, blue < 15) == (True, True, True)
        assert page.convert("RGB").getpixel((34, 24))[0] < 15
    compiled = compile_art([picture], FONTS, tmp_path)
    with pikepdf.open(compiled.value.files[0]) as pdf:
        [placed] = [o for o in pdf.objects if isinstance(o, pikepdf.Stream) and "/Width" in o]
        assert placed.ColorSpace == pikepdf.Name.DeviceCMYK, "print has the file as it is"
