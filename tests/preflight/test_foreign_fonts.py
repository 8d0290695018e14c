"""Holds preflight to telling of fonts of any PDF that are there, and print nothing or rubbish."""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path

import pikepdf
import pytest
from fontTools.ttLib import TTFont
from fontTools.ttLib.tables._g_l_y_f import Glyph
from pikepdf import Array, Name, Object, Pdf
from preflight.strangers import findings
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont as Lettering
from reportlab.pdfgen import canvas

FONTS = Path(__file__).parents[2] / "fonts"
SIZE = (198.0, 270.0)


@pytest.fixture
def card(tmp_path: Path) -> Path:
    """A card by ReportLab with a line in a font that is in the file."""
    path = tmp_path / "card.pdf"
    source = next(FONTS.rglob("AlegreyaSans*Regular.ttf"))
    pdfmetrics.registerFont(Lettering("Lettering", str(source)))
    drawn = canvas.Canvas(str(path), pagesize=SIZE)
    drawn.setFillColorRGB(0.9, 0.9, 0.7)
    drawn.rect(0, 0, *SIZE, fill=1, stroke=0)
    drawn.setFillColorRGB(0, 0, 0)
    drawn.setFont("Lettering", 14)
    drawn.drawString(40, 160, "Dragon title")
    drawn.save()
    with pikepdf.open(path, allow_overwriting_input=True) as pdf:
        pdf.pages[0].obj.TrimBox = Array([9, 9, 189, 261])
        pdf.pages[0].obj.BleedBox = Array([0, 0, *SIZE])
        pdf.save(path)
    return path


def embedded(pdf: Pdf) -> Object:
    """The font that the line is set in."""
    named = dict(pdf.pages[0].resources.Font).values()
    return next(font for font in named if "/FontDescriptor" in font)


def program(data: Callable[[bytes], bytes]) -> Callable[[Pdf], None]:
    def change(pdf: Pdf) -> None:
        file = embedded(pdf).FontDescriptor.FontFile2
        file.write(data(file.read_bytes()))

    return change


def emptied(data: bytes) -> bytes:
    font, out = TTFont(io.BytesIO(data)), io.BytesIO()
    for name in font.getGlyphOrder():
        font["glyf"][name] = Glyph()
    font.save(out)
    return out.getvalue()


def widthless(pdf: Pdf) -> None:
    font = embedded(pdf)
    font.Widths = Array([0] * len(font.Widths))


def rewritten(old: bytes, new: bytes) -> Callable[[Pdf], None]:
    def change(pdf: Pdf) -> None:
        content = pdf.pages[0].Contents
        assert old in content.read_bytes()
        content.write(content.read_bytes().replace(old, new))

    return change


def composite(pdf: Pdf) -> None:
    """The same letters of two bytes, whose map leads them to no glyph."""
    font = embedded(pdf)
    inner = pikepdf.Dictionary(
        Type=Name.Font, Subtype=Name.CIDFontType2, BaseFont=font.BaseFont, DW=500,
        FontDescriptor=font.FontDescriptor, CIDToGIDMap=pdf.make_stream(bytes(512)),
    )  # fmt: skip
    words = b"1 beginbfrange\n<0000> <00ff> <0041>\nendbfrange"
    font.Subtype, font.Encoding = Name.Type0, Name("/Identity-H")
    font.DescendantFonts, font.ToUnicode = Array([inner]), pdf.make_stream(words)
    content = pdf.pages[0].Contents
    content.write(content.read_bytes().partition(b"BT")[0] + b"BT 1 0 0 1 40 160 Tm /%s 14 Tf "
                  b"<000100020003> Tj ET" % _name(pdf))  # fmt: skip


def _name(pdf: Pdf) -> bytes:
    fonts = dict(pdf.pages[0].resources.Font)
    return next(name[1:].encode() for name, font in fonts.items() if "/FontDescriptor" in font
                or "/DescendantFonts" in font)  # fmt: skip


def test_a_sound_font_is_fine(card: Path) -> None:
    assert findings(card) == []


@pytest.mark.thorough(but=3)
@pytest.mark.parametrize(
    ("change", "code", "words"),
    [
        (program(lambda data: b""), "GP804", "damaged: it cannot be read"),
        (program(lambda data: data[:900]), "GP804", "damaged: it cannot be read"),
        (program(lambda data: b"nonsense" * 400), "GP804", "damaged: it cannot be read"),
        (program(emptied), "GP822", "the glyph of the letter 'D' is missing"),
        (widthless, "GP822", "the letter 'D' is set 0 units wide"),
        (composite, "GP822", "has no glyph for the letter"),
        (rewritten(b"0 0 0 rg", b".9 .9 .7 rg"), "GP824", "text cannot be seen"),
        (rewritten(b"BT", b"9 9 9 9 re W n BT"), "GP824", "text cannot be seen"),
    ],
)
def test_letters_that_are_not_printed_are_told(
    card: Path, change: Callable[[Pdf], None], code: str, words: str
) -> None:
    with pikepdf.open(card, allow_overwriting_input=True) as pdf:
        change(pdf)
        pdf.save(card)
    told = {found.code: found for found in findings(card)}
    assert code in told
    assert words in told[code].message
    assert "styles.yaml" not in told[code].hint
