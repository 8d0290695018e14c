from __future__ import annotations

import io
import random
from collections.abc import Callable, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any

import pikepdf
import pytest
from export.hand_made import face, place, sheet, write
from msgspec.structs import replace
from pikepdf import Array, Dictionary, Name, String
from PIL import Image
from preflight.by_hand import Drawn, altered, deck, expected, page_of
from preflight.tampering import codes, messages, tamper

from generator.diagnostics import Severity
from generator.geometry import Rect
from generator.model.face import Asset, Placement
from generator.model.pack import Backs
from generator.pdf_forms import PictureReader
from generator.preflight import preflight
from generator.preflight.checking import Finding
from generator.preflight.image_checks import SeenPage, ink, page_ink, total_ink
from generator.preflight.manifest_reader import Expected
from generator.preflight.page_reader import read_page


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
    return [found for found in preflight(path, own=True).findings if found.code.startswith("GP83")]


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

    def shrink(_: pikepdf.Pdf, image: Any) -> None:
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


@pytest.mark.thorough(but=2)
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


def test_slanted_pictures_are_told(tmp_path: Path) -> None:
    asset = picture(tmp_path, 400, 400)
    skewed = f'<g transform="skewX(3)">{drawn(asset, 30, 30)}</g>'
    [found] = findings(printed(tmp_path, asset, skewed))
    assert (found.code, "slanted" in found.message) == ("GP833", True)


@pytest.mark.parametrize(("height", "stretched"), [(30.2, False), (30.9, True), (28, True)])
def test_stretched_pictures_are_told(tmp_path: Path, height: float, stretched: bool) -> None:
    asset = picture(tmp_path, 400, 400)
    found = findings(printed(tmp_path, asset, drawn(asset, 30, height)))
    assert [f.code for f in found] == (["GP833"] if stretched else [])


@pytest.mark.thorough(but=1)
@pytest.mark.parametrize(("width", "wasted"), [(20, True), (30, False)])
def test_more_pixels_than_print_can_show(tmp_path: Path, width: float, wasted: bool) -> None:
    """600 pixels are 25.4 mm at 600 dpi."""
    asset = picture(tmp_path, 600, 600)
    found = findings(printed(tmp_path, asset, drawn(asset, width, width)))
    assert [f.code for f in found] == (["GP834"] if wasted else [])
    if wasted:
        assert "237 × 237 pixels would do" in found[0].hint
        assert "1.1 MB" in found[0].message


@pytest.mark.thorough
def test_line_art_may_be_finer(tmp_path: Path) -> None:
    """A build has its bits as bytes."""
    path = tmp_path / "line.png"
    Image.frombytes("1", (2400, 2400), random.Random(1).randbytes(720_000)).save(path)
    asset = Asset("art/line.png", path, sha256(path.read_bytes()).hexdigest())
    assert findings(printed(tmp_path, asset, drawn(asset, 51, 51))) == []


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


A4 = Rect(0, 0, 210, 297)
CARD = expected(Drawn("ant"))


def page(black: float, *placed: Expected, paper: Rect = A4) -> SeenPage:
    """A page with so much of it black."""
    told = page_of(*(placed or (CARD,)), number=3, width=paper.width, height=paper.height)
    return SeenPage(told, black)


@pytest.mark.parametrize(
    ("colour", "share"),
    [("white", 0), ("black", 1), ("#ff0000", 2 / 3), ("#00ffff", 1 / 3), ("#808080", 0.498)],
)
def test_ink_is_what_three_colours_leave_of_white(colour: str, share: float) -> None:
    assert ink(Image.new("RGB", (5, 5), colour)) == pytest.approx(share, abs=0.001)


def test_a_page_soaked_in_ink_is_told_of() -> None:
    [finding] = page_ink(page(0.7))
    assert (finding.code, finding.page) == ("GP842", 3)
    assert "70 % of the page, as on 14 pages of text" in finding.message


def test_a_page_with_as_much_as_is_usual_is_left_in_peace() -> None:
    assert list(page_ink(page(0.55))) == []


def test_a_page_that_one_face_covers_is_for_a_press() -> None:
    cover = altered(CARD, box=Rect(3, 3, 63, 88))
    assert list(page_ink(page(1, cover, paper=Rect(0, 0, 69, 94)))) == []
    assert len(list(page_ink(page(1, cover)))) == 1


def with_picture(inks: tuple[int, ...], *, jpeg: bool, decode: bool, deep: bool = False):
    """A file with a picture in such inks, 255 for a full layer; `decode` stores them inverted."""
    # Pillow stores the inks of a JPEG inverted: to have them as they are, invert them first.
    drawn_inks = inks if decode else tuple(255 - ink for ink in inks)
    subject, _ = deck(Drawn("ant"))
    pdf = pikepdf.new()
    pdf.add_blank_page(page_size=(100, 100))
    pdf.pages[0].Contents = pdf.make_stream(b"q 40 0 0 40 30 30 cm /P Do Q")
    if jpeg:
        out = io.BytesIO()
        Image.new("CMYK", (40, 40), drawn_inks).save(out, "JPEG", quality=95)
        stream = pikepdf.Stream(pdf, out.getvalue(), Filter=Name.DCTDecode)
    else:
        told = [255 - i for i in inks] if decode else inks
        stream = pikepdf.Stream(pdf, bytes(told) * 1600)
    stream.Type, stream.Subtype, stream.ColorSpace = Name.XObject, Name.Image, Name.DeviceCMYK
    stream.Width = stream.Height = 40
    stream.BitsPerComponent = 8
    if decode:
        stream.Decode = Array([1, 0] * 4)
    drawn = pdf.make_indirect(stream)
    if deep:
        form = pdf.make_stream(b"/P Do", Type=Name.XObject, Subtype=Name.Form, BBox=[0, 0, 9, 9])
        form.Resources = Dictionary(XObject=Dictionary(P=drawn))
        drawn = form
    pdf.pages[0].Resources = Dictionary(XObject=Dictionary(P=drawn))
    return replace(subject, pdf=pdf, pages=(read_page(1, pdf.pages[0]),), expected=None)


def found(*args: Any, **kwargs: bool) -> list[Finding]:
    return list(total_ink(with_picture(*args, **kwargs)))  # type: ignore[arg-type]


@pytest.mark.parametrize("jpeg", [False, True])
@pytest.mark.parametrize("decode", [False, True])
def test_pictures_with_too_much_ink_are_told_of(jpeg: bool, decode: bool) -> None:
    [finding] = found((230, 220, 200, 204), jpeg=jpeg, decode=decode)
    assert (finding.code, finding.page) == ("GP842", 1)
    assert "up to 33" in finding.message
    assert "on 100 % of it" in finding.message
    one = 25.4 / 72
    assert finding.place is not None
    assert (finding.place.x, finding.place.width) == pytest.approx((30 * one, 40 * one))


@pytest.mark.parametrize("jpeg", [False, True])
@pytest.mark.parametrize("decode", [False, True])
@pytest.mark.parametrize("inks", [(200, 180, 180, 180), (0, 0, 0, 255), (0, 0, 0, 0)])
def test_pictures_with_less_are_left_in_peace(
    inks: tuple[int, ...], jpeg: bool, decode: bool
) -> None:
    assert found(inks, jpeg=jpeg, decode=decode) == []


def test_a_picture_in_a_form_is_found() -> None:
    assert len(found((255, 255, 255, 255), jpeg=True, decode=True, deep=True)) == 1


@pytest.mark.parametrize("bits", [1, 8])
def test_inks_that_are_told_by_numbers_count(bits: int) -> None:
    subject = with_picture((0, 0, 0, 0), jpeg=False, decode=False)
    [picture] = subject.pdf.pages[0].Resources.XObject.values()
    table = String(bytes((0, 0, 0, 0, 240, 240, 240, 240)))
    picture.ColorSpace = Array([Name.Indexed, Name.DeviceCMYK, 1, table])
    picture.BitsPerComponent = bits
    picture.write((b"\xff" * 5 if bits == 1 else b"\1" * 40) * 40)
    [finding] = total_ink(subject)
    assert "up to 37" in finding.message
    picture.write(bytes(40 * 5 * bits))
    assert list(total_ink(subject)) == []


def test_a_few_dots_may_have_more() -> None:
    subject = with_picture((0, 0, 0, 0), jpeg=False, decode=False)
    [picture] = subject.pdf.pages[0].Resources.XObject.values()
    picture.write(b"\xff\xff\xff\xff" * 8 + bytes(4) * 1592)
    assert list(total_ink(subject)) == []
    picture.write(b"\xff\xff\xff\xff" * 9 + bytes(4) * 1591)
    [finding] = total_ink(subject)
    assert "up to 400 %" in finding.message


def test_a_picture_that_cannot_be_read_is_passed_over() -> None:
    subject = with_picture((255, 255, 255, 255), jpeg=True, decode=True)
    [picture] = subject.pdf.pages[0].Resources.XObject.values()
    picture.write(b"no picture", filter=Name.DCTDecode)
    assert list(total_ink(subject)) == []


def test_a_large_page_has_as_much_ink_as_a_small_one() -> None:
    image = Image.linear_gradient("L").resize((1000, 1400))
    assert ink(image) == pytest.approx(ink(image.resize((100, 140))), abs=0.005)


def test_the_report_tells_the_ink_of_each_page(duplex: Path) -> None:
    report = preflight(duplex)
    front, back = report.ink
    # Four cards of 69 by 94 mm in #ddccaa, and a little text.
    assert front == pytest.approx(back, abs=0.01)
    assert front == pytest.approx(4 * 69 * 94 / (210 * 297) * (34 + 51 + 85) / 765, abs=0.01)
