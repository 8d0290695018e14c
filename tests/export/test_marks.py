import io
from pathlib import Path
from tempfile import TemporaryDirectory

import pikepdf
import pypdfium2
import pytest
from export.hand_made import cut, die, ruler, sheet
from msgspec.structs import replace

from generator.export.sheets import PdfInfo, write_pdf
from generator.export.svg_to_pdf import ArtPdfs
from generator.files import Roots
from generator.fonts import own_fonts
from generator.geometry import Point, Rect, Size, pt_to_mm
from generator.model.face import LineMark, Mark, PdfLayer, Sheet, TextMark
from generator.model.pack import Backs

DPI = 254  # ten pixels to a millimetre


LIBRARY = own_fonts()


def marks_pdf(sheets: list[Sheet]) -> bytes:
    """Write a file with these sheets."""
    with TemporaryDirectory() as folder:
        path, info = Path(folder, "x.pdf"), PdfInfo("x", Backs.NONE)
        write_pdf(sheets, ArtPdfs((), {}), LIBRARY, path, info, LIBRARY, Roots(()))
        return path.read_bytes()


def content(sheets: list[Sheet], page: int = 0) -> str:
    with pikepdf.open(io.BytesIO(marks_pdf(sheets))) as pdf:
        return pdf.pages[page].Contents.read_bytes().decode("latin-1")


def dark(marks: tuple[Mark, ...]) -> tuple[float, float, float, float]:
    """Return the left, top, right and bottom of all ink on the page, in mm, from its pixels."""
    pdf = pypdfium2.PdfDocument(marks_pdf([sheet([], marks)]))
    picture = pdf[0].render(scale=DPI / 72).to_pil().convert("L").point(lambda v: 255 * (v < 160))
    pdf.close()
    box = picture.getbbox()
    assert box is not None
    return tuple(edge / 10 for edge in box)  # type: ignore[return-value]


def test_pages_are_in_order_and_of_the_sheets_sizes() -> None:
    sheets = [sheet([]), sheet([], size=Size(297, 210)), sheet([], size=Size(101.6, 152.4))]
    with pikepdf.open(io.BytesIO(marks_pdf(sheets))) as pdf:
        sizes = [tuple(round(pt_to_mm(float(v)), 2) for v in p.mediabox[2:]) for p in pdf.pages]
    assert sizes == [(210, 297), (297, 210), (101.6, 152.4)]


def test_a_line_is_where_it_is_said_to_be() -> None:
    mark = LineMark(PdfLayer.CUT, Point(20, 30), Point(120, 30), width=0.4)
    assert dark((mark,)) == pytest.approx((20, 29.8, 120, 30.2), abs=0.11)


def test_a_die_line_follows_its_path() -> None:
    assert dark((die("M50 60 L80 60 L80 100 L50 100 Z"),)) == pytest.approx(
        (50, 60, 80, 100), abs=0.2
    )
    windowed = replace(die("M50 60 L80 60 L80 100 L50 100 Z"), clip=Rect(40, 50, 20, 30))
    assert dark((windowed,)) == pytest.approx((50, 60, 60, 80), abs=0.2)
    curve = die("M20 50 C20 20 60 20 60 50 Z")
    assert dark((curve,)) == pytest.approx((20, 27.5, 60, 50), abs=0.2)


@pytest.mark.parametrize(
    ("rotation", "anchor", "side"),
    [(0, "start", "right"), (0, "end", "left"), (90, "start", "below"), (270, "start", "above")],
)
def test_text_runs_from_its_point_as_it_is_turned(rotation: int, anchor: str, side: str) -> None:
    mark = TextMark(PdfLayer.GUIDES, Point(100, 100), "HHHHHHHH", 12, rotation, anchor)
    left, top, right, bottom = dark((mark,))
    near = {"right": left, "left": right, "below": top, "above": bottom}[side]
    far = {"right": right, "left": left, "below": bottom, "above": top}[side]
    assert near == pytest.approx(100, abs=0.7)
    assert abs(far - 100) == pytest.approx(25, abs=3)


def test_text_in_the_middle_reaches_as_far_left_as_right() -> None:
    left, _, right, _ = dark((TextMark(PdfLayer.GUIDES, Point(100, 50), "HHHH", 12, 0, "middle"),))
    assert (left + right) / 2 == pytest.approx(100, abs=0.3)


def test_each_layer_stands_between_its_own_brackets() -> None:
    drawn = content([sheet([], (*ruler(), cut(20), cut(30)))])
    assert drawn.count("/OC /CUT BDC") == drawn.count("/OC /GUIDES BDC") == 1
    assert drawn.count("EMC") == 2
    assert "FOLD" not in drawn


def test_marks_that_look_alike_are_one_stroke() -> None:
    drawn = content([sheet([], tuple(cut(20 + n) for n in range(30)))])
    assert drawn.count(" m ") == 30
    assert drawn.count("\nS") == 1


def test_a_dashed_line_is_dashed_and_the_next_one_is_not() -> None:
    fold = LineMark(PdfLayer.CUT, Point(5, 5), Point(9, 5), dash=(1.0, 0.6))
    drawn = content([sheet([], (fold, cut(20)))])
    assert drawn.index("[2.834646 1.700787] 0 d") < drawn.index("[] 0 d")


def test_the_only_font_is_embedded_and_text_can_be_copied() -> None:
    written = marks_pdf([sheet([], (TextMark(PdfLayer.GUIDES, Point(20, 20), "Žlutý 3/4"),))])
    with pikepdf.open(io.BytesIO(written)) as pdf:
        [font] = pdf.pages[0].Resources.Font.values()
        assert "/FontFile2" in font.DescendantFonts[0].FontDescriptor
    document = pypdfium2.PdfDocument(written)
    assert document[0].get_textpage().get_text_range().strip() == "Žlutý 3/4"
    document.close()


def test_the_same_sheets_are_the_same_bytes() -> None:
    sheets = [sheet([], (*ruler(), cut(9))), sheet([], ruler(200))]
    assert marks_pdf(sheets) == marks_pdf(sheets)
