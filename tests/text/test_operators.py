"""Set text in a PDF: the words that readers find, and the fonts that are embedded."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import pikepdf
import pypdfium2 as pdfium
import pytest
from fontTools.fontBuilder import FontBuilder
from fontTools.pens.t2CharStringPen import T2CharStringPen
from fontTools.pens.ttGlyphPen import TTGlyphPen
from fontTools.ttLib import TTFont
from fontTools.ttLib.tables.TupleVariation import TupleVariation
from msgspec.structs import replace
from PIL import ImageOps
from text.printed import page_of

from generator.fonts import FontLibrary, features, own_fonts
from generator.geometry import PT_PER_MM, Size, around
from generator.model.face import TextLine
from generator.text import FittedText, TextStyle, fit_text
from generator.text.operators import Lettering, Used

LIBRARY = own_fonts()
BODY = TextStyle("body", "Alegreya Sans", size_pt=12, min_pt=12)
Lines = tuple[TextLine, ...]


def fitted(words: str, style: TextStyle = BODY, fonts: FontLibrary = LIBRARY) -> FittedText:
    return fit_text(words, style, 80, None, rich=True, fonts=fonts)


def page(*texts: FittedText, fonts: FontLibrary = LIBRARY, aside: float = 0) -> bytes:
    """Return a PDF of 90 × 60 mm with set texts on it, each `aside` of the one before."""
    return page_of_lines(*(text.lines for text in texts), fonts=fonts, aside=aside)


def page_of_lines(*texts: Lines, fonts: FontLibrary = LIBRARY, aside: float = 0) -> bytes:
    lettering = Lettering(fonts)
    used: Used = {}
    written = (
        f"BT {lettering.write(lines, 5 + aside * number, 5, used)} ET"
        for number, lines in enumerate(texts)
    )
    return page_of("\n".join(written), used, fonts, Size(90, 60))


def read(pdf: bytes) -> str:
    """Return the text that PDFium reads, with white space joined."""
    document = pdfium.PdfDocument(pdf)
    try:
        return " ".join(document[0].get_textpage().get_text_range().split())
    finally:
        document.close()


def inked(pdf: bytes) -> tuple[int, int, int, int] | None:
    """Return the box of everything that is not white, at 4 pixels a millimetre."""
    document = pdfium.PdfDocument(pdf)
    try:
        picture = document[0].render(scale=4 / PT_PER_MM).to_pil().convert("L")
    finally:
        document.close()
    return ImageOps.invert(picture).point(lambda v: 255 if v > 60 else 0).getbbox()


@pytest.mark.parametrize(
    "words",
    [
        "Take the office stairs, fluffy!",
        "A second line is there, and a third one, as this is far too long for a single one",
        "“Ýl Æther” — 12½ – naïve Çelik e\u0301 x\u0323",
        "Ligatures: ffi ffl fi; figures 0123456789",
        "Ελληνικά και Кириллица",
    ],
)
@pytest.mark.parametrize("wanted", [(), ("old-style", "tabular"), ("all-small-capitals",)])
def test_readers_find_the_words_that_were_set(words: str, wanted: tuple[str, ...]) -> None:
    style = replace(BODY, family="Noto Sans", features=features(wanted))
    assert _plain(read(page(fitted(words, style)))) == _plain(words)


def found(pdf: bytes, words: str) -> bool:
    """Return True if PDFium finds words by the search that browsers use."""
    document = pdfium.PdfDocument(pdf)
    try:
        searched = document[0].get_textpage().search(words, match_case=True)
        return searched.get_next() is not None
    finally:
        document.close()


@pytest.mark.parametrize("family", ["Alegreya Sans", "Faustina", "Barlow Condensed", "Noto Sans"])
@pytest.mark.parametrize("wanted", [(), ("old-style", "tabular"), ("small-capitals",)])
def test_words_are_found_that_are_set_with_other_glyphs(
    family: str, wanted: tuple[str, ...]
) -> None:
    style = replace(BODY, family=family, features=features(wanted))
    words = ["SHUFFLE 120", "WAFFLES", "Shuffle", "office", "120", "1234567890"]
    pdf = page(fitted("SHUFFLE 120 WAFFLES, Shuffle 1234567890, the office", style))
    assert [word for word in words if not found(pdf, word)] == []


@pytest.mark.parametrize("first", ["small-capitals", "all-small-capitals"])
def test_a_small_capital_says_itself_of_which_letter_it_is(first: str) -> None:
    """Two letters share a glyph: the font names the small one, and the text itself the other."""
    wanted = {"small-capitals": "Abi, σο", "all-small-capitals": "ABI ıς"}
    texts = {
        name: fitted(words, replace(BODY, family="Noto Sans", features=features([name])))
        for name, words in wanted.items()
    }
    shown = page(*sorted(texts.values(), key=lambda one: one is not texts[first]))
    assert sorted(read(shown).replace(" ", "")) == sorted("Abi,σοABIıς")


def _plain(words: str) -> str:
    import unicodedata

    return unicodedata.normalize("NFC", words)


def test_justified_words_are_apart_for_who_copies_them() -> None:
    style = replace(BODY, align="justify")
    words = "These words are set in lines as wide as their box, with more white between them."
    assert read(page(fitted(words, style))) == words


@pytest.mark.parametrize("family", ["Alegreya Sans", "Noto Sans"])
@pytest.mark.parametrize(
    "texts",
    [
        ["Count *the* places **that** lie ahead, **fire**works: *all* 1 of them."],
        ["A", "B", "1", "1"],
        ["=", "*–*", "="],
    ],
    ids=["looks", "letters", "signs"],
)
def test_no_reader_takes_two_words_for_one(texts: list[str], family: str) -> None:
    """This holds however near the texts are, and no text object is larger than its ink."""
    set_ = [fitted(words, replace(BODY, family=family)) for words in texts]
    pdf = page(*set_, aside=3)
    assert read(pdf) == " ".join(texts).replace("*", "")
    document = pdfium.PdfDocument(pdf)
    try:
        boxes = [item.get_bounds() for item in document[0].get_objects()]
    finally:
        document.close()
    lefts, lower, rights, upper = zip(*(b for b in boxes if b[3] - b[1] > 0.1), strict=True)
    painted = min(lefts), 60 * PT_PER_MM - max(upper), max(rights), 60 * PT_PER_MM - min(lower)
    ink = around([one.used.moved(5 + 3 * number, 5) for number, one in enumerate(set_)])
    edges = (ink.x, ink.y, ink.right, ink.bottom)
    assert painted == pytest.approx([PT_PER_MM * edge for edge in edges], abs=0.2)


def test_a_font_is_there_once_with_the_glyphs_that_are_used() -> None:
    pdf = page(fitted("ααβ"), fitted("βγγ"))
    with pikepdf.open(io.BytesIO(pdf)) as opened:
        [font] = opened.pages[0].obj.Resources.Font.as_dict().values()
        assert (font.Subtype, font.Encoding) == ("/Type0", "/Identity-H")
        program = TTFont(io.BytesIO(font.DescendantFonts[0].FontDescriptor.FontFile2.read_bytes()))
        drawn = [g for g in program.getGlyphOrder() if program["glyf"][g].numberOfContours]
        assert len(drawn) == 3
        assert font.BaseFont == font.DescendantFonts[0].FontDescriptor.FontName
        assert str(font.BaseFont)[7] == "+"


def cff(path: Path, family: str = "Postscript") -> None:
    """A font of CFF outlines: A and B are boxes, B the taller one."""
    box = {".notdef": (0, 0), "space": (0, 0), "A": (500, 500), "B": (500, 700)}
    made = FontBuilder(1000, isTTF=False)
    made.setupGlyphOrder(list(box))
    made.setupCharacterMap({32: "space", 65: "A", 66: "B"})
    strings = {}
    for name, (width, height) in box.items():
        pen = T2CharStringPen(600, None)
        if width:
            pen.moveTo((50, 0))
            pen.lineTo((50 + width, 0))
            pen.lineTo((50 + width, height))
            pen.lineTo((50, height))
            pen.closePath()
        strings[name] = pen.getCharString()
    made.setupCFF("Postscript", {"FullName": family}, strings, {})
    made.setupHorizontalMetrics(dict.fromkeys(box, (600, 50)))
    made.setupHorizontalHeader(ascent=800, descent=-200)
    made.setupNameTable({"familyName": family, "styleName": "Regular", "psName": "Box"})
    made.setupOS2(sTypoAscender=800, sTypoDescender=-200, usWinAscent=800, usWinDescent=200)
    made.setupPost()
    path.parent.mkdir(parents=True, exist_ok=True)
    made.save(path)


def variable(path: Path) -> None:
    """A font whose A is a box 300 units wide, and 600 at its heaviest."""

    def drawn(width: int) -> Any:
        pen = TTGlyphPen(None)
        corners = [(50, 0), (50, 700), (50 + width, 700), (50 + width, 0)] if width else []
        for number, corner in enumerate(corners):
            (pen.lineTo if number else pen.moveTo)(corner)
        if corners:
            pen.closePath()
        return pen.glyph()

    made = FontBuilder(1000)
    made.setupGlyphOrder([".notdef", "space", "A"])
    made.setupCharacterMap({32: "space", 65: "A"})
    made.setupGlyf({".notdef": drawn(0), "space": drawn(0), "A": drawn(300)})
    made.setupHorizontalMetrics({".notdef": (600, 0), "space": (300, 0), "A": (600, 50)})
    made.setupHorizontalHeader(ascent=800, descent=-200)
    made.setupNameTable({"familyName": "Varia", "styleName": "Regular", "psName": "Varia"})
    made.setupOS2(sTypoAscender=800, sTypoDescender=-200, usWinAscent=800, usWinDescent=200)
    made.setupPost()
    instances = [
        {"location": {"wght": weight}, "stylename": name}
        for weight, name in ((400, "Regular"), (700, "Bold"), (900, "Black"))
    ]
    made.setupFvar([("wght", 400, 400, 900, "Weight")], instances)
    wider = [(0, 0), (0, 0), (300, 0), (300, 0), (0, 0), (300, 0), (0, 0), (0, 0)]
    made.setupGvar({"A": [TupleVariation({"wght": (0, 1, 1)}, wider)], ".notdef": [], "space": []})
    path.parent.mkdir(parents=True, exist_ok=True)
    made.save(path)


def test_a_variable_font_prints_at_its_named_instances(tmp_path: Path) -> None:
    variable(tmp_path / "fonts/varia.ttf")
    fonts = FontLibrary([tmp_path / "fonts"])
    assert [fonts.find("Varia", weight).weight for weight in (100, 400, 600, 1000)] == [
        400, 400, 700, 900,
    ]  # fmt: skip
    widths = []
    for weight in (400, 900):
        style = TextStyle("x", "Varia", weight, size_pt=20, min_pt=20)
        pdf = page(fitted("AA", style, fonts), fonts=fonts)
        assert read(pdf) == "AA"
        box = inked(pdf)
        assert box is not None
        widths.append((box[2] - box[0]) / 4)
        with pikepdf.open(io.BytesIO(pdf)) as opened:
            [font] = opened.pages[0].obj.Resources.Font.as_dict().values()
            program = font.DescendantFonts[0].FontDescriptor.FontFile2.read_bytes()
        assert "fvar" not in TTFont(io.BytesIO(program))
    em = 20 / PT_PER_MM
    assert widths == [pytest.approx(em * 0.9, abs=0.5), pytest.approx(em * 1.5, abs=0.5)]


def test_fonts_of_cff_outlines_print_too(tmp_path: Path) -> None:
    cff(tmp_path / "fonts/box.otf")
    fonts = FontLibrary([tmp_path / "fonts"])
    style = TextStyle("box", "Postscript", size_pt=20, min_pt=20)
    pdf = page(fitted("AB A", style, fonts), fonts=fonts)
    assert read(pdf) == "AB A"
    with pikepdf.open(io.BytesIO(pdf)) as opened:
        [font] = opened.pages[0].obj.Resources.Font.as_dict().values()
        [described] = font.DescendantFonts
        assert described.Subtype == "/CIDFontType0"
        assert described.FontDescriptor.FontFile3.Subtype == "/CIDFontType0C"
    em = 20 / PT_PER_MM
    box = inked(pdf)
    assert box is not None
    left, top, right, bottom = (v / 4 for v in box)
    assert right - left == pytest.approx(em * (3 * 0.6 + 0.5 + 0.0), abs=0.6)
    assert bottom - top == pytest.approx(em * 0.7, abs=0.5)
