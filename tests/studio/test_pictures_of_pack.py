"""Pictures are shown small, and accepted only when they can be printed."""

import io
from pathlib import Path

import pytest
from PIL import Image

from generator.project import Project
from generator.studio.pictures_of_pack import UnfitPictureError, keep_picture, shown_picture

SVG = b'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 4"><path d="M0 0h8v4z"/></svg>'


def png(width: int, height: int, colour: str = "red") -> bytes:
    written = io.BytesIO()
    Image.new("RGB", (width, height), colour).save(written, "PNG")
    return written.getvalue()


def kept(root: Path, name: str, content: bytes, sort: str = "picture") -> tuple[str, str]:
    found = keep_picture(Project(root, root), "duel", name, sort, content)
    assert (root / found.path).read_bytes() == content
    return found.path, found.name


def test_a_picture_is_kept_under_a_plain_name_that_is_free(tmp_path: Path) -> None:
    first, other = png(3, 2), png(2, 3)
    assert kept(tmp_path, "Größer Held!.PNG", first) == (
        "cards/duel/art/groesser-held.png",
        "art/groesser-held.png",
    )
    assert kept(tmp_path, "../Größer Held.png", first)[1] == "art/groesser-held.png"
    assert kept(tmp_path, "groesser held.png", other)[1] == "art/groesser-held-2.png"


def test_an_icon_is_an_svg_file(tmp_path: Path) -> None:
    assert kept(tmp_path, "Coin.svg", SVG, "icon") == ("templates/duel/icons/coin.svg", "coin")
    with pytest.raises(UnfitPictureError, match="SVG"):
        kept(tmp_path, "coin.png", png(1, 1), "icon")


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("cut.png", png(30, 30)[:60]),
        ("text.png", b"no picture"),
        ("bad.svg", b"<svg"),
        ("links.svg", SVG.replace(b"<path", b'<image href="http://example.org/a.png"/><path')),
        ("program.exe", b"MZ"),
    ],
)
def test_what_cannot_be_printed_is_not_kept(tmp_path: Path, name: str, content: bytes) -> None:
    with pytest.raises(UnfitPictureError):
        kept(tmp_path, name, content)
    assert not list(tmp_path.rglob("*.*"))


def test_a_picture_is_shown_no_wider_than_asked(tmp_path: Path) -> None:
    content, media = shown_picture(png(400, 200), ".png", 100)
    with Image.open(io.BytesIO(content)) as picture:
        assert (picture.size, media) == ((100, 50), "image/png")
    assert shown_picture(SVG, ".svg", 100) == (SVG, "image/svg+xml")
    with pytest.raises(UnfitPictureError):
        shown_picture(b"none", ".png", 10)
