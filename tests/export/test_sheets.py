import re
import subprocess
import sys
from hashlib import sha256
from pathlib import Path

import pikepdf
import pypdfium2
import pytest
from export.hand_made import (
    BLUE,
    GREEN,
    RED,
    cut,
    duplex_sheets,
    face,
    place,
    ruler,
    sheet,
    text,
    write,
)
from msgspec.structs import replace
from PIL import Image

from generator import __version__
from generator.export.sheets import PdfInfo, write_pdf
from generator.export.svg_to_pdf import compile_art
from generator.files import Roots
from generator.fonts import own_fonts
from generator.geometry import Point, Rect, Size, pt_to_mm
from generator.model.catalogue import PrinterStretch, Stock
from generator.model.face import (
    Asset,
    LineMark,
    PdfLayer,
    Placement,
    PosterPage,
    Sheet,
    Side,
)
from generator.model.pack import Backs

PIXELS = 10  # to a millimetre
L_SHAPE = (  # red along the top, blue down the left: shows every turn
    f'<rect x="0" y="0" width="63" height="8" fill="{RED}"/>'
    f'<rect x="0" y="8" width="8" height="80" fill="{BLUE}"/>'
)


LIBRARY = own_fonts()


def page_pixels(path: Path, page: int = 0) -> Image.Image:
    pdf = pypdfium2.PdfDocument(path)
    picture = pdf[page].render(scale=PIXELS * 25.4 / 72).to_pil().convert("RGB")
    pdf.close()
    return picture


def extent(picture: Image.Image, colour: tuple[int, int, int]) -> tuple[float, ...]:
    """Return the left, top, right and bottom of a colour on the page, in mm."""
    channels = [
        band.point(lambda value, want=want: 255 * (abs(value - want) < 30))
        for band, want in zip(picture.split(), colour, strict=True)
    ]
    mask = Image.merge("RGB", channels).convert("L").point(lambda value: 255 * (value > 250))
    box = mask.getbbox()
    assert box is not None
    return tuple(edge / PIXELS for edge in box)


def boxes(path: Path, page: int = 0) -> dict[str, list[float]]:
    with pikepdf.open(path) as pdf:
        obj = pdf.pages[page].obj
        height = float(obj.MediaBox[3])
        return {
            name: [
                round(pt_to_mm(v), 2)
                for v in (float(b[0]), height - float(b[3]), float(b[2]), height - float(b[1]))
            ]
            for name in ("MediaBox", "BleedBox", "TrimBox")
            for b in [obj[f"/{name}"]]
        }


@pytest.mark.parametrize(
    ("rotation", "red", "blue"),
    [
        (0, (50, 60, 113, 68), (50, 68, 58, 148)),
        (90, (130, 60, 138, 123), (50, 60, 130, 68)),
        (180, (50, 140, 113, 148), (105, 60, 113, 140)),
        (270, (50, 60, 58, 123), (58, 115, 138, 123)),
    ],
)
def test_a_face_is_where_its_placement_says_however_it_is_turned(
    tmp_path: Path, rotation: int, red: tuple[float, ...], blue: tuple[float, ...]
) -> None:
    path = write(tmp_path, [sheet([place(face("a", L_SHAPE), 50, 60, rotation=rotation)], ())])
    picture = page_pixels(path)
    assert extent(picture, (255, 0, 0)) == pytest.approx(red, abs=0.11)
    assert extent(picture, (0, 0, 255)) == pytest.approx(blue, abs=0.11)


def test_the_bleed_is_drawn_on_all_sides(tmp_path: Path) -> None:
    path = write(tmp_path, [sheet([place(face("a", ground=GREEN), 50, 60)], ())])
    assert extent(page_pixels(path), (0, 255, 0)) == pytest.approx((47, 57, 116, 151), abs=0.11)


def test_a_page_is_stretched_the_other_way_than_its_printer_does(tmp_path: Path) -> None:
    page = sheet([place(face("a", L_SHAPE), 50, 60)], ())
    path = write(tmp_path, [replace(page, stretch=PrinterStretch(1.02, 0.96))])
    # the middle is at 105 and 148.5 mm: a point 55 mm to its left is printed 55 / 1.02 to its left
    told = (105 - 55 / 1.02, 148.5 - 88.5 / 0.96, 105 + 8 / 1.02, 148.5 - 80.5 / 0.96)
    assert extent(page_pixels(path), (255, 0, 0)) == pytest.approx(told, abs=0.11)


@pytest.mark.parametrize("size", [Size(210, 297), Size(297, 210)])
def test_a_turned_page_comes_out_straight(tmp_path: Path, size: Size) -> None:
    stretch = PrinterStretch(1.01, 0.99, 2.0)
    page = sheet([place(face("a", ground=GREEN), 60, 40)], (), size=size)
    plain = write(tmp_path / "plain", [page])
    against = write(tmp_path / "against", [replace(page, stretch=stretch)])
    a, b, c, d, e, f = stretch.lands(size).inverse
    printed = page_pixels(against).transform(
        page_pixels(plain).size,
        Image.Transform.AFFINE,
        (a, c, e * PIXELS, b, d, f * PIXELS),  # where each pixel of the print comes from
        Image.Resampling.BICUBIC,
    )
    green = (0, 255, 0)
    assert extent(printed, green) == pytest.approx(extent(page_pixels(plain), green), abs=0.15)


def test_clip_cuts_what_would_run_into_a_neighbour(tmp_path: Path) -> None:
    clip = Rect(50, 57, 64, 94)
    path = write(tmp_path, [sheet([place(face("a", ground=GREEN), 50, 60, clip=clip)], ())])
    assert extent(page_pixels(path), (0, 255, 0)) == pytest.approx((50, 57, 114, 151), abs=0.11)


def test_art_ends_at_the_edge_that_it_is_given(tmp_path: Path) -> None:
    edge = (Point(60, 60), Point(113, 60), Point(50, 148))
    placement = replace(
        place(face("a", ground=GREEN), 50, 60), clip=Rect(50, 60, 63, 88), edge=edge
    )
    picture = page_pixels(write(tmp_path, [sheet([placement], ())]))
    assert extent(picture, (0, 255, 0)) == pytest.approx((50, 60, 113, 148), abs=0.2)
    green, paper = (picture.getpixel((x, 1400)) for x in (530, 700))
    assert (green, paper) == ((0, 255, 0), (255, 255, 255))


def test_a_page_of_a_poster_shows_its_window_and_is_trimmed_at_its_seams(tmp_path: Path) -> None:
    wall = face("wall", ground=GREEN, stock=Stock("wall", Size(400, 500)))
    window, shown = Rect(10, 10, 180, 260), Rect(12, 10, 170, 252)
    placement = replace(place(wall, -150, 5), clip=window, poster=PosterPage(1, 2, 2, 3, shown))
    path = write(tmp_path, [sheet([placement], ())])
    assert extent(page_pixels(path), (0, 255, 0)) == pytest.approx((10, 10, 190, 270), abs=0.11)
    assert boxes(path)["BleedBox"] == [10, 10, 190, 270]
    assert boxes(path)["TrimBox"] == [12, 10, 182, 262]


def test_a_placement_with_less_bleed_shows_less(tmp_path: Path) -> None:
    placement = Placement(face("a", ground=GREEN), 1, Side.FRONT, 50, 60, 63, 88, 0, 1.0)
    path = write(tmp_path, [sheet([placement], ())])
    assert extent(page_pixels(path), (0, 255, 0)) == pytest.approx((49, 59, 114, 149), abs=0.11)


def test_a_face_smaller_than_the_engines_least_page_has_its_own_size(tmp_path: Path) -> None:
    speck = face("speck", ground=GREEN, stock=Stock("speck", Size(0.5, 40), bleed=0))
    path = write(tmp_path, [sheet([place(speck, 50, 60)], ())])
    with pikepdf.open(path) as pdf:
        [form] = pdf.pages[0].Resources.XObject.values()
        assert [float(end) for end in form.BBox] == [0, 0, 0.5, 40]
    assert extent(page_pixels(path), (0, 255, 0)) == pytest.approx((50, 60, 50.5, 100), abs=0.11)


def test_page_boxes_are_nested_and_hug_the_pieces(tmp_path: Path) -> None:
    one = face("a")
    path = write(tmp_path, [sheet([place(one, 20, 30), place(one, 120, 150, copy=2)]), sheet([])])
    assert boxes(path) == {
        "MediaBox": [0, 0, 210, 297],
        "BleedBox": [17, 27, 186, 241],
        "TrimBox": [20, 30, 183, 238],
    }
    assert boxes(path, 1)["TrimBox"] == [0, 0, 210, 297]


def test_bleed_beyond_the_paper_is_not_in_the_bleed_box(tmp_path: Path) -> None:
    path = write(tmp_path, [sheet([place(face("a"), 1, 60)], ())])
    assert boxes(path)["BleedBox"] == [0, 57, 67, 151]


def test_what_a_clip_takes_away_is_not_in_the_bleed_box(tmp_path: Path) -> None:
    placement = place(face("a"), 50, 60, clip=Rect(50, 57, 63, 94))
    path = write(tmp_path, [sheet([placement], ())])
    assert boxes(path)["BleedBox"] == [50, 57, 113, 151]


def test_copies_of_a_face_cost_next_to_nothing(tmp_path: Path) -> None:
    one = face("a", text("A long line of text for a card"))
    single = write(tmp_path / "1", [sheet([place(one, 20, 20)])])
    many = [place(one, 20 + n, 20, copy=n) for n in range(1, 101)]
    hundred = write(tmp_path / "100", [sheet(many)])
    assert hundred.stat().st_size - single.stat().st_size < 1000
    with pikepdf.open(hundred) as pdf:
        assert len(pdf.pages[0].Resources.XObject) == 1
        assert pdf.pages[0].Contents.read_bytes().count(b" Do Q") == 100


def photo_faces(folder: Path, count: int) -> list[Sheet]:
    Image.effect_noise((200, 200), 80).convert("RGB").save(folder / "a.jpg", quality=90)
    asset = Asset(
        "assets/aaaa.jpg", folder / "a.jpg", sha256((folder / "a.jpg").read_bytes()).hexdigest()
    )
    body = f'<image href="{asset.href}" x="0" y="30" width="63" height="40"/>'
    return [
        sheet([place(face(f"c{n}", body + text(f"Card {n}"), assets=(asset,)), 20, 20)])
        for n in range(count)
    ]


def test_bytes_are_the_same_again_and_with_other_jobs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("generator.export.svg_to_pdf.ALONE_UP_TO", 2)
    sheets = photo_faces(tmp_path, 5)
    written = [
        write(tmp_path / str(n), sheets, jobs=jobs).read_bytes() for n, jobs in enumerate((1, 2, 1))
    ]
    assert written[0] == written[1] == written[2]


def test_bytes_are_the_same_in_a_process_with_another_hash_seed(tmp_path: Path) -> None:
    code = (
        "import sys; sys.path[:0] = sys.argv[2:]\n"
        "from pathlib import Path\n"
        "from export.hand_made import duplex_sheets, write\n"
        "if __name__ == '__main__': write(Path(sys.argv[1]), duplex_sheets())\n"
    )
    root = Path(__file__).parents[2]
    for seed in ("1", "2"):
        folder = str(tmp_path / seed)
        subprocess.run(
            [sys.executable, "-c", code, folder, str(root), str(root / "tests")],
            check=True,
            env={"PYTHONHASHSEED": seed, "SOURCE_DATE_EPOCH": seed},
        )
    one, two = ((tmp_path / seed / "cards-a4.pdf").read_bytes() for seed in "12")
    assert one == two


def test_layers_are_on_and_printed_and_only_those_with_marks(tmp_path: Path) -> None:
    fold = LineMark(PdfLayer.FOLD, Point(5, 5), Point(9, 5))
    path = write(
        tmp_path, [sheet([place(face("a"), 20, 20)], (cut(20), fold)), sheet([], (cut(9),))]
    )
    with pikepdf.open(path) as pdf:
        settings = pdf.Root.OCProperties
        assert [str(group.Name) for group in settings.OCGs] == ["Cut lines", "Fold lines"]
        assert len(settings.D.ON) == 2
        assert len(settings.D.OFF) == 0
        assert {str(group.Usage.Print.PrintState) for group in settings.OCGs} == {"/ON"}
        assert list(pdf.pages[0].Resources.Properties) == ["/CUT", "/FOLD"]
        assert list(pdf.pages[1].Resources.Properties) == ["/CUT"]


@pytest.mark.parametrize(
    ("backs", "duplex"),
    [
        (Backs.DUPLEX_LONG, "/DuplexFlipLongEdge"),
        (Backs.DUPLEX_SHORT, "/DuplexFlipShortEdge"),
        (Backs.GUTTERFOLD, "/Simplex"),
        (Backs.NONE, "/Simplex"),
    ],
)
def test_the_printer_is_told_not_to_scale_and_which_edge_to_turn_on(
    tmp_path: Path, backs: Backs, duplex: str
) -> None:
    path = write(tmp_path, duplex_sheets(), backs=backs)
    with pikepdf.open(path) as pdf:
        assert pdf.Root.ViewerPreferences.Duplex == duplex
        # Compare the bytes: a library may write /None_ and read it back as equal.
        assert pdf.Root.ViewerPreferences.PrintScaling.unparse() == b"/None"


def test_the_file_says_what_it_is(tmp_path: Path) -> None:
    compiled = compile_art([face("a")], own_fonts(), tmp_path).value
    info = PdfInfo("Chariots – Karten", Backs.NONE, "de", "Alle Karten")
    sheets = [sheet([place(face("a"), 20, 20)], number=3)]
    write_pdf(sheets, compiled, LIBRARY, tmp_path / "x.pdf", info, LIBRARY, Roots(()))
    with pikepdf.open(tmp_path / "x.pdf") as pdf:
        assert pdf.pdf_version == "1.7"
        assert pdf.Root.Lang == "de"
        assert dict(pdf.docinfo) == {
            "/Title": "Chariots – Karten",
            "/Subject": "Alle Karten",
            "/Creator": f"Gridpress {__version__}",
            "/Producer": f"Gridpress {__version__}",
        }
        with pdf.open_metadata() as xmp:
            assert xmp["dc:title"] == "Chariots – Karten"
        assert pdf.pages[0].label == "3 front"
    assert not re.search(
        rb"CreationDate|ModDate|MetadataDate|CreateDate", (tmp_path / "x.pdf").read_bytes()
    )


def test_structure_is_clean_and_nothing_is_left_over(tmp_path: Path) -> None:
    path = write(tmp_path, duplex_sheets())
    with pikepdf.open(path) as pdf:
        assert pdf.check_pdf_syntax() == []
        assert not pdf.get_warnings()
        assert "/StructTreeRoot" not in pdf.Root
        assert "/Outlines" not in pdf.Root
        for obj in pdf.objects:
            if isinstance(obj, pikepdf.Dictionary | pikepdf.Stream):
                assert "/StructParents" not in obj
        for page in pdf.pages:
            used = set(re.findall(rb"/(F[0-9a-f]{16}) Do", page.Contents.read_bytes()))
            assert {name.strip("/").encode() for name in page.Resources.XObject} == used


def test_every_font_is_embedded_as_a_subset(tmp_path: Path) -> None:
    path = write(tmp_path, duplex_sheets())
    with pikepdf.open(path) as pdf:
        descriptors = [
            obj
            for obj in pdf.objects
            if isinstance(obj, pikepdf.Dictionary) and obj.get("/Type") == "/FontDescriptor"
        ]
        assert len(descriptors) == 2
        for descriptor in descriptors:
            assert re.fullmatch(r"/[A-Z]{6}\+.+", str(descriptor.FontName))
            assert "/FontFile2" in descriptor


def test_text_stays_text(tmp_path: Path) -> None:
    path = write(tmp_path, duplex_sheets())
    pdf = pypdfium2.PdfDocument(path)
    words = [page.get_textpage().get_text_range() for page in pdf]
    pdf.close()
    assert "Front 0" in words[0]
    assert "Back 3" in words[1]


def test_stocks_of_several_sizes_share_a_sheet(tmp_path: Path) -> None:
    round_ = Stock("token", Size(30, 30), bleed=2)
    big, small = face("a", ground=RED), face("b", ground=BLUE, stock=round_)
    path = write(tmp_path, [sheet([place(big, 20, 20), place(small, 120, 40, rotation=90)], ())])
    picture = page_pixels(path)
    assert extent(picture, (255, 0, 0)) == pytest.approx((17, 17, 86, 111), abs=0.11)
    assert extent(picture, (0, 0, 255)) == pytest.approx((118, 38, 152, 72), abs=0.11)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
def test_a_full_disk_is_an_os_error(tmp_path: Path) -> None:
    compiled = compile_art([face("a")], own_fonts(), tmp_path).value
    sheets = [sheet([place(face("a"), 20, 20)])]
    full = Path("/dev/full")
    with pytest.raises(OSError, match="No space left"):
        write_pdf(sheets, compiled, LIBRARY, full, PdfInfo("x", Backs.NONE), LIBRARY, Roots(()))


def test_a_landscape_sheet_is_landscape(tmp_path: Path) -> None:
    wide = sheet([place(face("a", ground=RED), 200, 60)], ruler(200), size=Size(297, 210))
    path = write(tmp_path, [wide])
    assert page_pixels(path).size == pytest.approx((2970, 2100), abs=1)
    assert extent(page_pixels(path), (255, 0, 0)) == pytest.approx((197, 57, 266, 151), abs=0.11)


def test_write_leaves_the_compiled_faces_as_they_are(tmp_path: Path) -> None:
    compiled = compile_art([face("a")], own_fonts(), tmp_path).value
    before = compiled.files[0].read_bytes()
    sheets = [sheet([place(face("a"), 20, 20)])]
    for name in ("a.pdf", "b.pdf"):
        info = PdfInfo("x", Backs.NONE)
        write_pdf(sheets, compiled, LIBRARY, tmp_path / name, info, LIBRARY, Roots(()))
    assert compiled.files[0].read_bytes() == before
    assert (tmp_path / "a.pdf").read_bytes() == (tmp_path / "b.pdf").read_bytes()
