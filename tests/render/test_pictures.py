from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from PIL import Image, ImageOps
from render.studio import Studio, png

ORIENTATION = 0x0112
CORNERS = ((12, 12), (48, 12), (12, 32), (48, 32))


def four_colours(size: tuple[int, int]) -> Image.Image:
    """Red, green, blue and yellow quarters."""
    picture = Image.new("RGB", (2, 2))
    picture.putdata([(255, 0, 0), (0, 255, 0), (0, 0, 255), (255, 255, 0)])
    return picture.resize(size, Image.Resampling.NEAREST)


def near(one: Any, two: tuple[int, ...]) -> bool:
    return all(abs(a - b) < 40 for a, b in zip(one, two, strict=True))


def shown(drawn: Image.Image) -> list[tuple[int, ...]]:
    return [drawn.getpixel(((x + 3) * 5, (y + 3) * 5)) for x, y in CORNERS]  # type: ignore[misc]


@pytest.mark.parametrize("orientation", range(1, 9))
def test_a_picture_is_shown_as_its_camera_held_it(
    orientation: int, studio: Studio, tmp_path: Path
) -> None:
    upright = four_colours((400, 240))
    # Return the transposition that undoes the viewer's.
    undo: dict[int, Callable[[Image.Image], Image.Image]] = {
        1: lambda p: p,
        2: ImageOps.mirror,
        3: lambda p: p.rotate(180),
        4: ImageOps.flip,
        5: lambda p: p.transpose(Image.Transpose.TRANSPOSE),
        6: lambda p: p.transpose(Image.Transpose.ROTATE_90),
        7: lambda p: p.transpose(Image.Transpose.TRANSVERSE),
        8: lambda p: p.transpose(Image.Transpose.ROTATE_270),
    }
    exif = Image.Exif()
    exif[ORIENTATION] = orientation
    path = studio.picture("photo.jpg", 1, 1)
    undo[orientation](upright).save(path, exif=exif, quality=95)
    assert ImageOps.exif_transpose(Image.open(path)).size == (400, 240)
    drawn = png(studio.face('{{ image("photo.jpg", 5, 5, 50, 30) }}'), tmp_path)
    expected = [(255, 0, 0), (0, 255, 0), (0, 0, 255), (255, 255, 0)]
    assert all(map(near, shown(drawn), expected)), shown(drawn)


@pytest.mark.parametrize(
    ("fit", "aspect"),
    [("cover", "xMidYMid slice"), ("contain", "xMidYMid meet"), ("stretch", "none")],
)
def test_how_a_picture_meets_its_box(fit: str, aspect: str, studio: Studio) -> None:
    studio.picture("a.png", 700, 900)
    inside = studio.inside(f'{{{{ image("a.png", 5, 6, 30, 40, fit="{fit}") }}}}')
    assert f'x="5" y="6" width="30" height="40" preserveAspectRatio="{aspect}"' in inside


@pytest.mark.parametrize(
    ("fit", "dpi"),
    # 300 × 150 pixels in 50.8 × 50.8 mm, which are 2 × 2 in.
    [("cover", 75), ("contain", 150), ("stretch", 75)],
)
def test_the_resolution_is_that_of_the_printed_size(fit: str, dpi: int, studio: Studio) -> None:
    studio.picture("a.png", 300, 150)
    (told,) = studio.findings(f'{{{{ image("a.png", 5, 5, 50.8, 50.8, fit="{fit}") }}}}')
    assert f"is printed at {dpi} dpi" in told.message
    assert told.severity == "warning"  # a coarse picture prints


def test_in_mono_a_grey_copy_is_shown(studio: Studio, tmp_path: Path) -> None:
    exif = Image.Exif()
    exif[ORIENTATION] = 6
    path = studio.picture("photo.jpg", 1, 1)
    four_colours((300, 500)).save(path, exif=exif, quality=95)
    template = '{{ image("photo.jpg", 5, 5, 50, 30) }}'
    face = studio.face(template, ink="mono", scratch=tmp_path / "grey")
    (asset,) = face.assets
    assert asset.path.parent == tmp_path / "grey"
    with Image.open(asset.path) as copy:
        assert (copy.mode, copy.size) == ("L", (500, 300))
    # Turned clockwise: blue, red over yellow, green; each as light as it was (see test_ink.py).
    greys = [76, 127, 247, 220]
    found = shown(png(face, tmp_path))
    assert all(near(colour, (grey,) * 3) for colour, grey in zip(found, greys, strict=True)), found
    again = studio.face(template, ink="mono", scratch=tmp_path / "other")
    assert again.svg == face.svg, "the copy has the same bytes"


def test_in_mono_what_is_transparent_stays_so(studio: Studio, tmp_path: Path) -> None:
    path = studio.picture("a.png", 1, 1)
    Image.new("RGBA", (400, 400), (255, 0, 0, 0)).save(path)
    face = studio.face('{{ image("a.png", 5, 5, 30, 30) }}', ink="mono", scratch=tmp_path / "grey")
    assert png(face, tmp_path).getpixel((100, 100)) == (255, 255, 255)
    with Image.open(face.assets[0].path) as copy:
        assert "icc_profile" not in copy.info, "it would hold the time"


def pixel(drawn: Image.Image, x: float, y: float) -> Any:
    return drawn.getpixel((round((x + 3) * 5), round((y + 3) * 5)))


def test_a_picture_that_ends_at_the_cut_is_mirrored(studio: Studio, tmp_path: Path) -> None:
    four_colours((630, 880)).save(studio.picture("a.png", 1, 1))
    studio.kind = {"mirrors": True}
    drawn = png(studio.face('{{ image("a.png", 0, 0, 63, 88, fit="stretch") }}'), tmp_path)
    red, green, blue, yellow = (255, 0, 0), (0, 255, 0), (0, 0, 255), (255, 255, 0)
    corners = {(-2, -2): red, (65, -2): green, (-2, 90): blue, (65, 90): yellow}
    assert all(near(pixel(drawn, *at), colour) for at, colour in corners.items())
    assert near(pixel(drawn, 30, -2), red)
    assert near(pixel(drawn, 33, 90), yellow)


@pytest.mark.parametrize(
    ("box", "fit", "mirrors"),
    [
        ("0, 0, 63, 40", "cover", 5),  # left, right, above, and two corners
        ("0, 10, 20, 40", "cover", 1),
        ("-1, -1, 65, 90", "cover", 8),
        ("-3, -3, 69, 94", "cover", 0),
        ("9, 9, 20, 20", "cover", 0),
        ("0, 0, 63, 88", "contain", 0),
    ],
)
def test_only_what_ends_at_the_cut_is_mirrored(
    box: str, fit: str, mirrors: int, studio: Studio
) -> None:
    studio.picture("a.png", 700, 900)
    studio.kind = {"mirrors": True}
    inside = studio.inside(f'{{{{ image("a.png", {box}, fit="{fit}") }}}}')
    assert inside.count("<image") == 1 + mirrors


@pytest.mark.parametrize(("side", "corner"), [("front", (255, 0, 0)), ("back", (255, 255, 0))])
def test_a_picture_that_lies_is_turned(
    side: str, corner: tuple[int, ...], studio: Studio, tmp_path: Path
) -> None:
    lying = four_colours((630, 880)).transpose(Image.Transpose.ROTATE_90)
    lying.save(studio.picture("a.png", 1, 1))
    studio.template('{{ image("a.png", 0, 0, 63, 88, turn=true) }}')
    faces = studio.draw(faces={"front": "face.svg.j2", "back": "face.svg.j2"})
    (face,) = [face for face in faces.value if face.name == side]
    assert near(pixel(png(face, tmp_path), 5, 5), corner)
