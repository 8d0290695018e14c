"""PDF/X files for presses: pages of trim and bleed in four inks, with pure black in black ink."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pikepdf
import pytest
from outlets.helpers import change

from generator.cli import run

Export = Callable[..., tuple[int, str, str]]
ART = """\
<defs><linearGradient id="fade"><stop offset="0" stop-color="#ff0000"/>\
<stop offset="1" stop-color="#0000ff"/></linearGradient></defs>
<rect x="5" y="40" width="50" height="10" fill="url(#fade)"/>
<rect x="5" y="55" width="50" height="5" fill="#000000"/>
<rect x="5" y="65" width="50" height="5" fill="#00ff00" fill-opacity="0.5"/>
<rect x="5" y="75" width="50" height="5" fill="#000000" fill-opacity="0.5"/>
{{ text_box("Under", 10, 8, 43, 10, "body") }}
<rect x="9" y="7" width="44" height="10" fill="#ffffff" fill-opacity="0.5"/>
"""
# Every painting operator for four inks; no graphics state, as it could be transparent or overprint.
OPERATORS = set(
    "q Q cm w J j M d ri i m l c v y h re W W* n f F f* S s B B* b b* k K Do"
    " BT ET Tc Tw Tz TL Tf Tr Ts Td TD Tm T* Tj TJ ' \" BMC BDC EMC MP DP BX EX".split()
)
MOST_INK = 2.405


@pytest.fixture
def folder(project: Path, exported: Callable[..., str]) -> Path:
    """The folders for DriveThruCards and for a press."""
    change(
        project / "templates/mini/front.svg.j2", "{{ text_box(c.name", f"{ART}{{{{ text_box(c.name"
    )
    exported("--for", "drivethru,press")
    return project / "output/mini"


def inks(page: Any) -> Any:
    image = page.obj.Resources.XObject.F.Resources.XObject.I
    size = int(image.Height), int(image.Width), 4
    return np.frombuffer(image.read_bytes(), dtype=np.uint8).reshape(size)


def at(pixels: Any, x: float, y: float, bleed: float) -> list[int]:
    """The four inks at a place of the trim, mm; per cent."""
    spot = pixels[round((y + bleed) * 300 / 25.4), round((x + bleed) * 300 / 25.4)]
    return [round(int(ink) / 2.55) for ink in spot]


def test_backs_and_fronts_in_turn_or_in_files_of_their_own(folder: Path) -> None:
    made = {
        shop: {path.name for path in (folder / shop).glob("*.pdf")}
        for shop in ("drivethru", "press")
    }
    assert made["drivethru"] == {"card.pdf", "chit.pdf", "odd.pdf"}
    sides = {"card-backs.pdf", "card-fronts.pdf", "chit-fronts.pdf", "odd-fronts.pdf"}
    assert made["press"] == sides
    with pikepdf.open(folder / "drivethru/card.pdf") as pdf:
        assert len(pdf.pages) == 8  # three copies of one, one of two, both sides
        shown = [page.obj.Resources.XObject.F.objgen for page in pdf.pages]
        assert shown[0] == shown[2] == shown[4] == shown[6]  # the back, first
        assert shown[1] == shown[3] == shown[5] != shown[7]
        assert [round(float(v) / 72, 3) for v in pdf.pages[0].mediabox[2:]] == [2.73, 3.715]
        assert pdf.pages[0].trimbox[0] == pytest.approx(9)
    with pikepdf.open(folder / "drivethru/chit.pdf") as pdf:
        assert "/XObject" not in pdf.pages[0].obj.Resources  # it has no back: a blank page
    with pikepdf.open(folder / "press/card-fronts.pdf") as pdf:
        assert len(pdf.pages) == 4


@pytest.mark.parametrize(
    ("name", "number", "bleed"), [("drivethru/card", 1, 3.175), ("press/card-fronts", 0, 3.0)]
)
def test_black_is_black_alone_and_colours_go_by_the_profile(
    folder: Path, name: str, number: int, bleed: float
) -> None:
    with pikepdf.open(folder / f"{name}.pdf") as pdf:
        pixels = inks(pdf.pages[number])
        assert at(pixels, 30, 57, bleed) == [0, 0, 0, 100]
        ground = at(pixels, 30, 85, bleed)  # #336699
        assert ground[0] > 60
        assert 0 < ground[3] < 60
        veiled = at(pixels, 30, 77, bleed)  # half black over it: half of each, and half black
        assert veiled == pytest.approx(
            [*(ink / 2 for ink in ground[:3]), ground[3] / 2 + 50], abs=2
        )
        left, right = at(pixels, 6, 45, bleed), at(pixels, 54, 45, bleed)
        assert left[1] > 80 > left[0]
        assert right[0] > 80
        assert int(pixels.sum(axis=2, dtype=int).max()) <= MOST_INK * 255


def test_text_stays_text_in_black_alone_unless_something_lies_on_it(folder: Path) -> None:
    with pikepdf.open(folder / "drivethru/card.pdf") as pdf:
        form = pdf.pages[1].obj.Resources.XObject.F
        steps = [(str(s.operator), list(s.operands)) for s in pikepdf.parse_content_stream(form)]
        assert len(form.Resources.Font) == 1
    assert [operator for operator, _ in steps].count("TJ") == 1  # the name, not what is under
    assert [operator for operator, _ in steps].count("k") == 1


@pytest.mark.parametrize(
    ("name", "version", "standard", "condition"),
    [
        ("drivethru/card", "1.4", "PDF/X-1a:2003", "CGATS TR 003"),
        ("press/card-fronts", "1.6", "PDF/X-4", "FOGRA39"),
    ],
)
def test_a_file_is_what_its_standard_asks_for(
    folder: Path, name: str, version: str, standard: str, condition: str
) -> None:
    with pikepdf.open(folder / f"{name}.pdf") as pdf:
        assert pdf.pdf_version == version
        assert str(pdf.docinfo["/GTS_PDFXVersion"]) == standard
        assert str(pdf.docinfo["/Trapped"]) == "/False"
        assert len(pdf.trailer.ID) == 2
        [intent] = pdf.Root.OutputIntents
        assert str(intent.OutputConditionIdentifier) == condition
        assert intent.DestOutputProfile.read_bytes()[12:20] == b"prtrCMYK"
        assert not {"/AcroForm", "/OpenAction", "/AA", "/Names", "/OCProperties"} & set(pdf.Root)
        for page in pdf.pages:
            assert not {"/Annots", "/Group", "/Rotate", "/UserUnit"} & set(page.obj)
            assert set(page.obj.Resources) <= {"/XObject", "/Font", "/ProcSet"}
            for form in page.obj.Resources.get("/XObject", {}).values():
                assert "/Group" not in form
                assert set(form.Resources) <= {"/XObject", "/Font", "/ProcSet"}
                steps = [(str(s.operator), s) for s in pikepdf.parse_content_stream(form)]
                assert {operator for operator, _ in steps} <= OPERATORS
                paints = [s for operator, s in steps if operator in ("k", "K")]
                assert all(sum(map(float, s.operands)) <= MOST_INK for s in paints)  # type: ignore[arg-type]
                for font in form.Resources.get("/Font", {}).values():
                    assert "/FontFile2" in font.DescendantFonts[0].FontDescriptor
                for image in form.Resources.get("/XObject", {}).values():
                    assert (image.ColorSpace, image.BitsPerComponent) == ("/DeviceCMYK", 8)
                    assert not {"/SMask", "/Mask", "/Decode"} & set(image)


def test_preflight_of_the_shop_has_nothing_to_say(folder: Path, capsys: Any) -> None:
    assert run(["preflight", str(folder / "drivethru/card.pdf"), "--profile", "drivethru"]) == 0
    assert "error[" not in capsys.readouterr().err


def test_what_is_too_large_is_left_out_and_the_rest_made(project: Path, export: Export) -> None:
    change(project / "cards/mini/pack.yaml", "[111mm, 222mm]", "[700mm, 500mm]")
    status, _, err = export("--for", "press")
    assert status == 0
    assert "warning[GP712]: the press takes no 'odd': at 300 dpi it has more than 40" in err
    assert (project / "output/mini/press/card-fronts.pdf").is_file()
    assert not (project / "output/mini/press/odd-fronts.pdf").exists()
