"""Pictures: the facts read from a good one, and the message for each bad one."""

import hashlib
import io
import struct
import zlib
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from generator import assets
from generator.assets import MAX_FILE, PictureInfo, picture_info
from generator.diagnostics import Diagnostic, GridpressError, Span
from generator.geometry import Size

HERE = Span("cards/x/cards.yaml", 4, 12)


def encoded(form: str, mode: str = "RGB", size: tuple[int, int] = (64, 48), **more: Any) -> bytes:
    saved = io.BytesIO()
    Image.radial_gradient("L").resize(size).convert(mode).save(saved, form, **more)
    return saved.getvalue()


def look(tmp_path: Path, content: bytes) -> PictureInfo:
    path = tmp_path / "art.png"
    path.write_bytes(content)
    return picture_info(path, HERE)


def fault(tmp_path: Path, content: bytes) -> Diagnostic:
    with pytest.raises(GridpressError) as caught:
        look(tmp_path, content)
    (diagnostic,) = caught.value.diagnostics
    assert diagnostic.span == HERE
    assert diagnostic.message.startswith("art.png ")
    return diagnostic


@pytest.mark.parametrize(
    ("form", "mode"),
    [
        ("PNG", "RGB"),
        ("PNG", "RGBA"),
        ("PNG", "P"),
        ("PNG", "L"),
        ("PNG", "1"),
        ("JPEG", "RGB"),
        ("JPEG", "L"),
        ("JPEG", "CMYK"),
        ("WEBP", "RGB"),
    ],
)
def test_a_good_picture(tmp_path: Path, form: str, mode: str) -> None:
    content = encoded(form, mode)
    assert look(tmp_path, content) == PictureInfo(
        64, 48, form, mode, hashlib.sha256(content).hexdigest(), 1
    )


def test_the_smallest_picture(tmp_path: Path) -> None:
    assert look(tmp_path, encoded("JPEG", size=(1, 1))).width_px == 1


@pytest.mark.parametrize(("written", "known"), [(6, 6), (8, 8), (1, 1), (99, 1)])
def test_orientation(tmp_path: Path, written: int, known: int) -> None:
    exif = Image.Exif()
    exif[0x0112] = written
    info = look(tmp_path, encoded("JPEG", exif=exif))
    assert (info.orientation, info.width_px, info.height_px) == (known, 64, 48)


def test_damaged_exif_spoils_nothing(tmp_path: Path) -> None:
    assert look(tmp_path, encoded("JPEG", exif=b"Exif\0\0MM\0*\xff\xff\xff\xff")).orientation == 1


@pytest.mark.parametrize("form", ["PNG", "JPEG", "WEBP"])
@pytest.mark.parametrize("part", [0.5, 0.9])
def test_a_truncated_picture(tmp_path: Path, form: str, part: float) -> None:
    content = encoded(form, size=(400, 300))
    found = fault(tmp_path, content[: int(len(content) * part)])
    assert (found.code, found.message) == ("GP503", "art.png is damaged or incomplete")


def test_a_picture_with_a_wrong_byte(tmp_path: Path) -> None:
    content = bytearray(encoded("PNG"))
    content[len(content) // 2] ^= 0xFF
    assert fault(tmp_path, bytes(content)).code == "GP503"


def test_a_format_that_is_not_known(tmp_path: Path) -> None:
    found = fault(tmp_path, b"text")
    assert (found.code, found.message) == ("GP503", "art.png is not a picture of a known format")
    assert "PNG, JPEG or WebP" in found.hint


LFS = b"version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 12345\n"


@pytest.mark.parametrize(
    ("content", "said", "hint"),
    [
        (b"", "is empty", "cloud folder"),
        (bytes(9000), "begins with nothing but zeros", "download it again"),
        (LFS, "is a Git LFS pointer, not the file itself", "run git lfs pull"),
        (b"/annex/objects/SHA256E-s1--1.png", "is a git-annex pointer", "git annex get"),
        (b"\n<!DOCTYPE html><html>", "is a web page, not the file itself", "browser"),
        (b"<!-- saved --><HTML><head>", "is a web page, not the file itself", "browser"),
        (b"\xef\xbb\xbf<?xml version='1.0'?>\n<svg/>", "is an SVG drawing", ".svg"),
        (b"\0\x05\x16\x07\0\2\0\0Mac OS X", "is a Mac's hidden note", "does not begin with ._"),
        (b"\0\0\0\x18ftypheic\0\0\0\0mif1", "is a HEIC photo, as iPhones save it", "JPEG"),
        (b"\0\0\0\x1cftypmif1\0\0\0\0heic", "is a HEIC photo, as iPhones save it", "JPEG"),
        (b"\0\0\0\x20ftypmp42", "is a video", "PNG"),
        (b"\xff\x0a\xfa", "is a JPEG XL picture", "PNG"),
        (b"8BPS\0\1", "is a Photoshop file", "Export As"),
        (b"gimp xcf v011", "is a GIMP file", "Export As"),
        (b"PK\3\4" + bytes(26) + b"mimetypeapplication/x-krita", "is a Krita file", "PNG"),
        (b"PK\3\4" + bytes(26) + b"cards/a.png", "is a packed folder", "unpack"),
        (encoded("PDF"), "is a PDF or Illustrator file", "300 dpi"),
        (b"%!PS-Adobe-3.0 EPSF-3.0", "is an EPS file", "300 dpi"),
        (b"II*\0\x10\0\0\0CR\2\0", "is a TIFF or raw photo of a kind", "PNG"),
    ],
)
def test_what_is_something_else_is_named(
    content: bytes, said: str, hint: str, tmp_path: Path
) -> None:
    found = fault(tmp_path, content)
    assert found.code == "GP503"
    assert found.message.startswith(f"art.png {said}")
    assert hint in found.hint


@pytest.mark.parametrize(
    ("form", "mode"),
    [
        *(("AVIF", "RGB"), ("GIF", "P"), ("BMP", "RGB"), ("BMP", "L")),
        *(("BMP", "1"), ("TIFF", "RGB"), ("TIFF", "CMYK"), ("TIFF", "1"), ("TIFF", "LA")),
    ],
)
def test_other_formats_that_are_printed(tmp_path: Path, form: str, mode: str) -> None:
    info = look(tmp_path, encoded(form, mode))
    assert (info.format, info.mode, info.size) == (form, mode, Size(64, 48))


@pytest.mark.parametrize("form", ["AVIF", "TIFF"])
def test_other_formats_stand_upright(tmp_path: Path, form: str) -> None:
    exif = Image.Exif()
    exif[0x0112] = 6
    info = look(tmp_path, encoded(form, exif=exif.tobytes() if form == "AVIF" else exif))
    wide, high = info.width_px, info.height_px
    assert ((high, wide) if info.orientation >= 5 else (wide, high)) == (48, 64)


@pytest.mark.parametrize("mode", ["F", "I", "LAB"])
def test_a_tiff_that_would_not_print_as_meant(tmp_path: Path, mode: str) -> None:
    saved = io.BytesIO()
    Image.new(mode, (8, 8)).save(saved, "TIFF")
    assert "is an unusual kind of TIFF" in fault(tmp_path, saved.getvalue()).message


def test_a_tiff_of_several_pages(tmp_path: Path) -> None:
    saved = io.BytesIO()
    page = Image.new("RGB", (8, 8))
    page.save(saved, "TIFF", save_all=True, append_images=[page])
    assert fault(tmp_path, saved.getvalue()).message == "art.png has several pages"


def test_a_tiff_with_a_small_copy(tmp_path: Path) -> None:
    saved = io.BytesIO()
    small = Image.new("RGB", (2, 2))
    small.encoderinfo = {"tiffinfo": {254: 1}}
    Image.new("RGB", (8, 8)).save(saved, "TIFF", save_all=True, append_images=[small])
    assert look(tmp_path, saved.getvalue()).width_px == 8


def test_a_raw_photo_is_not_taken_for_its_small_copy(tmp_path: Path) -> None:
    content = encoded("TIFF", tiffinfo={254: 1})
    assert fault(tmp_path, content).message == "art.png is a raw photo of a camera"


def test_a_jpeg_with_a_second_picture_in_it(tmp_path: Path) -> None:
    saved = io.BytesIO()
    photo = Image.new("RGB", (64, 48), "red")
    photo.save(saved, "MPO", save_all=True, append_images=[Image.new("RGB", (8, 8))])
    info = look(tmp_path, saved.getvalue())
    assert (info.format, info.width_px) == ("JPEG", 64)


@pytest.mark.parametrize("form", ["PNG", "WEBP", "GIF", "AVIF"])
def test_an_animation(tmp_path: Path, form: str) -> None:
    frames = [Image.new("RGB", (8, 8), colour) for colour in ("red", "blue")]
    saved = io.BytesIO()
    frames[0].save(saved, form, save_all=True, append_images=frames[1:])
    found = fault(tmp_path, saved.getvalue())
    assert (found.code, found.message) == ("GP503", "art.png is animated")


def chunk(name: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))


def png_header(
    width: int, height: int, depth: int = 8, colour: int = 2, more: bytes = b"", pixels: bytes = b""
) -> bytes:
    """Return a PNG that claims a size and holds almost no data."""
    header = chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, depth, colour, 0, 0, 0))
    body = more + chunk(b"IDAT", zlib.compress(pixels)) + chunk(b"IEND", b"")
    return b"\x89PNG\r\n\x1a\n" + header + body


@pytest.mark.parametrize(
    ("width", "height", "size"),
    [
        (10_001, 10_000, "10001 × 10000 pixels"),
        (50_000, 50_000, "far more than 100 million pixels"),
        (2**31 - 1, 2**31 - 1, "far more than 100 million pixels"),
    ],
)
def test_too_many_pixels_are_not_decoded(
    tmp_path: Path, width: int, height: int, size: str
) -> None:
    found = fault(tmp_path, png_header(width, height))
    assert (found.code, found.message) == ("GP504", f"art.png is too large: {size}")


@pytest.mark.parametrize(("depth", "colour"), [(8, 6), (8, 3), (16, 2), (16, 6), (16, 4)], ids=str)
def test_pixels_of_many_bytes_count_for_more(tmp_path: Path, depth: int, colour: int) -> None:
    found = fault(tmp_path, png_header(9_000, 9_000, depth, colour))
    assert (found.code, found.message) == ("GP504", "art.png is too large: 9000 × 9000 pixels")


def test_a_jpeg_is_not_unpacked_as_a_whole(tmp_path: Path) -> None:
    assert look(tmp_path, encoded("JPEG", size=(8_000, 8_000))).width_px == 8_000


def test_a_huge_file_is_not_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "art.png"
    with path.open("wb") as file:
        file.truncate(MAX_FILE + 1)
    monkeypatch.setattr(assets, "_decoded", lambda *_: pytest.fail("read"))
    with pytest.raises(GridpressError) as caught:
        picture_info(path, HERE)
    (found,) = caught.value.diagnostics
    assert (found.code, found.message) == ("GP504", "art.png is too large: 100 MB")


def test_what_cannot_be_read(tmp_path: Path) -> None:
    for path in (tmp_path, tmp_path / "none.png"):
        with pytest.raises(GridpressError) as caught:
            picture_info(path, HERE)
        assert [d.code for d in caught.value.diagnostics] == ["GP002"]


@given(st.data())
def test_a_damaged_picture_is_known_or_a_fault(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    content = bytearray(encoded(data.draw(st.sampled_from(("PNG", "JPEG", "WEBP"))), size=(8, 8)))
    for _ in range(data.draw(st.integers(1, 5))):
        content[data.draw(st.integers(0, len(content) - 1))] = data.draw(st.integers(0, 255))
    path = tmp_path_factory.getbasetemp() / "damaged.png"
    path.write_bytes(content)
    try:
        picture_info(path, HERE)
    except GridpressError as error:
        assert error.diagnostics[0].code in ("GP503", "GP504")  # noqa: PT017, either way is right
