from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from hashlib import sha256
from pathlib import Path

import pikepdf
import pytest
from export.hand_made import face, place, sheet, write
from PIL import Image
from preflight.tampering import codes, messages, tamper

from generator.diagnostics import Severity
from generator.geometry import Rect
from generator.model.face import Asset
from generator.model.pack import Backs
from generator.model.sheet import Placement
from generator.preflight import Finding, preflight
from generator.preflight.image_checks import PictureReader


def picture(folder: Path, width: int, height: int, mode: str = "RGB") -> Asset:
    """Noise, so that nothing makes it small."""
    path = folder / f"{mode}-{width}x{height}.png"
    noise = random.Random(width).randbytes(width * height * len(mode))
    Image.frombytes(mode, (width, height), noise).save(path)
    return Asset(f"art/{path.name}", path, sha256(path.read_bytes()).hexdigest())


def drawn(asset: Asset, width: float, height: float, transform: str = "") -> str:
    return (
        f'<g transform="{transform}"><image href="{asset.href}" x="5" y="10" width="{width}" '
        f'height="{height}" preserveAspectRatio="none"/></g>'
    )


def printed(folder: Path, asset: Asset, *bodies: str) -> Path:
    """A page with a card for each body."""
    cards: Sequence[Placement] = [
        place(face(f"card-{n}", body, assets=(asset,)), 20 + 90 * (n % 2), 20 + 130 * (n // 2))
        for n, body in enumerate(bodies)
    ]
    return write(folder / "out", [sheet(cards)], backs=Backs.NONE)


def findings(path: Path) -> list[Finding]:
    return [found for found in preflight(path).findings if found.code.startswith("GP83")]


def change_image(path: Path, change: Callable[[pikepdf.Pdf, pikepdf.Object], None]) -> None:
    def edit(pdf: pikepdf.Pdf) -> None:
        for item in pdf.objects:
            if isinstance(item, pikepdf.Stream) and "/Width" in item:
                change(pdf, item)

    tamper(path, edit)


def test_good_pictures_have_no_finding(tmp_path: Path) -> None:
    asset = picture(tmp_path, 300, 400, "RGBA")
    path = printed(tmp_path, asset, drawn(asset, 30, 40), drawn(asset, 24, 32))
    assert messages(path) == ""


@pytest.mark.parametrize(
    ("width", "severity"), [(38, None), (39, Severity.WARNING), (77, Severity.ERROR)]
)
def test_few_pixels_for_the_size(tmp_path: Path, width: int, severity: Severity | None) -> None:
    """300 pixels are 38.1 mm at 200 dpi and 76.2 mm at 100 dpi."""
    asset = picture(tmp_path, 300, 300)
    found = findings(printed(tmp_path, asset, drawn(asset, width, width)))
    assert [(f.code, f.severity) for f in found] == ([("GP831", severity)] if severity else [])


def test_what_would_do_is_said_and_where_it_is(tmp_path: Path) -> None:
    asset = picture(tmp_path, 100, 100)
    path = printed(tmp_path, asset, drawn(asset, 20, 20), drawn(asset, 25.4, 25.4))
    [found] = findings(path)
    assert "the picture of 100 × 100 pixels is printed at 100 dpi" in found.message
    assert "300 × 300 pixels would do" in found.hint
    assert (found.component, found.page, found.copies) == ("card/card-1", 1, 2)
    assert found.place is not None
    for told, real in zip((found.place.x, found.place.y, found.place.width), (115, 30, 25.4),
                          strict=True):  # fmt: skip
        assert told == pytest.approx(real, abs=0.05)


def test_a_turned_picture_on_a_turned_card_keeps_its_resolution(tmp_path: Path) -> None:
    asset = picture(tmp_path, 300, 200)
    body = drawn(asset, 30, 20, "rotate(90 20 20)")
    card = place(face("card", body, assets=(asset,)), 20, 20, rotation=90)
    path = write(tmp_path / "out", [sheet([card])], backs=Backs.NONE)
    assert findings(path) == []
    with pikepdf.open(path) as pdf:
        [form] = pdf.pages[0].resources.XObject.values()
        [only] = PictureReader().read(form)
        assert sorted(map(abs, only.matrix[:4]))[2:] == pytest.approx([56.7, 85.04], abs=0.1)


def test_an_upscaled_copy_is_found_in_the_file(tmp_path: Path) -> None:
    asset = picture(tmp_path, 400, 400)
    path = printed(tmp_path, asset, drawn(asset, 40, 40))
    assert findings(path) == []

    def shrink(_: pikepdf.Pdf, image: pikepdf.Object) -> None:
        small = pikepdf.PdfImage(image).as_pil_image().convert("RGB").resize((100, 100))
        image.write(small.tobytes())
        image.Width = image.Height = 100
        image.ColorSpace, image.BitsPerComponent = pikepdf.Name.DeviceRGB, 8
        for key in ("/DecodeParms", "/SMask"):
            if key in image:
                del image[key]

    change_image(path, shrink)
    assert codes(path) == {"GP831"}


def test_a_coarse_soft_mask_is_told(tmp_path: Path) -> None:
    asset = picture(tmp_path, 300, 300, "RGBA")
    path = printed(tmp_path, asset, drawn(asset, 30, 30))

    def coarse(pdf: pikepdf.Pdf, image: pikepdf.Object) -> None:
        if "/SMask" in image:
            mask = pdf.make_stream(bytes(range(100)), Subtype=pikepdf.Name.Image, Width=10,
                                   Height=10, ColorSpace=pikepdf.Name.DeviceGray,
                                   BitsPerComponent=8, Type=pikepdf.Name.XObject)  # fmt: skip
            image.SMask = mask

    change_image(path, coarse)
    [found] = findings(path)
    assert "printed in its transparency at 8 dpi" in found.message


@pytest.mark.parametrize("space", ["/Indexed", "/Lab", "/DeviceN", "/Separation"])
def test_other_colours_are_told(tmp_path: Path, space: str) -> None:
    asset = picture(tmp_path, 300, 300)
    path = printed(tmp_path, asset, drawn(asset, 30, 30))
    gamma = pikepdf.Dictionary(FunctionType=2, N=1, Domain=[0, 1])
    rest = {
        "/Indexed": [pikepdf.Name.DeviceRGB, 0, pikepdf.String("abc")],
        "/Lab": [pikepdf.Dictionary(WhitePoint=[1, 1, 1])],
        "/DeviceN": [pikepdf.Array([pikepdf.Name("/Gold")]), pikepdf.Name.DeviceGray, gamma],
        "/Separation": [pikepdf.Name("/Gold"), pikepdf.Name.DeviceGray, gamma],
    }

    def recolour(_: pikepdf.Pdf, image: pikepdf.Object) -> None:
        image.ColorSpace = pikepdf.Array([pikepdf.Name(space), *rest[space]])

    change_image(path, recolour)
    assert [found.code for found in findings(path)] == ["GP832"]
    assert f"as {space[1:]}" in messages(path)


@pytest.mark.parametrize(("height", "stretched"), [(30.2, False), (30.9, True), (28, True)])
def test_stretched_pictures_are_told(tmp_path: Path, height: float, stretched: bool) -> None:
    asset = picture(tmp_path, 400, 400)
    found = findings(printed(tmp_path, asset, drawn(asset, 30, height)))
    assert [f.code for f in found] == (["GP833"] if stretched else [])


@pytest.mark.parametrize(("width", "wasted"), [(20, True), (30, False)])
def test_more_pixels_than_print_can_show(tmp_path: Path, width: float, wasted: bool) -> None:
    """600 pixels are 25.4 mm at 600 dpi."""
    asset = picture(tmp_path, 600, 600)
    found = findings(printed(tmp_path, asset, drawn(asset, width, width)))
    assert [f.code for f in found] == (["GP834"] if wasted else [])
    if wasted:
        assert "237 × 237 pixels would do" in found[0].hint
        assert "1.1 MB" in found[0].message


def test_what_is_large_somewhere_is_no_waste_where_it_is_small(tmp_path: Path) -> None:
    asset = picture(tmp_path, 600, 600)
    assert findings(printed(tmp_path, asset, drawn(asset, 10, 10), drawn(asset, 50, 50))) == []


def test_places_follow_the_stack_and_strings_are_no_operators() -> None:
    pdf = pikepdf.new()
    image = pdf.make_stream(b"0", Subtype=pikepdf.Name.Image, Width=1, Height=1)
    inner = pdf.make_stream(
        b"3 0 0 3 0 0 cm/I Do",
        Subtype=pikepdf.Name.Form, BBox=[0, 0, 9, 9], Matrix=[1, 0, 0, 1, 5, 0],
        Resources=pikepdf.Dictionary(XObject=pikepdf.Dictionary(I=image)),
    )  # fmt: skip
    form = pdf.make_stream(
        b"q 2 0 0 2 1 1 cm BT (Q 9 0 0 9 0 0 cm \\) q) Tj ET q 1 0 0 1 1 0 cm /A Do Q/F Do Q\n"
        b"4 0 0 5 0 0 cm\n/A Do",
        Subtype=pikepdf.Name.Form, BBox=[0, 0, 9, 9],
        Resources=pikepdf.Dictionary(XObject=pikepdf.Dictionary(A=image, F=inner)),
    )  # fmt: skip
    matrices = [tuple(drawn.matrix) for drawn in PictureReader().read(form)]
    assert matrices == [(2, 0, 0, 2, 3, 1), (6, 0, 0, 6, 11, 1), (4, 0, 0, 5, 0, 0)]


def test_what_sticks_out_of_the_art_is_told_inside(tmp_path: Path) -> None:
    asset = picture(tmp_path, 100, 100)
    [found] = findings(printed(tmp_path, asset, drawn(asset, 80, 80)))
    assert found.place is not None
    assert Rect(17, 17, 69, 94).contains(found.place, 0.05)
