"""Letters without glyphs, in a finished file and in what is read of its fonts."""

from __future__ import annotations

import io
import re
from collections.abc import Callable
from pathlib import Path

import pikepdf
import pytest
from export.hand_made import face, place, sheet, text, write
from fontTools.ttLib import TTFont
from preflight.tampering import codes, messages, tamper

from generator.model.pack import Backs
from generator.preflight.embedded_fonts import EmbeddedFont, FontReader, Glyphs
from generator.preflight.glyph_checks import shown, skimmed

FONTS = Path(__file__).parents[2] / "fonts"


@pytest.fixture(scope="module")
def printed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two cards with words in two fonts, one lying on its side."""
    other = text("Zebra crossing", "Noto Sans")
    pieces = [place(face("ant", text("Quick ants")), 20, 20)]
    pieces += [place(face("zebra", other), 20, 130, rotation=90)]
    return write(tmp_path_factory.mktemp("glyphs"), [sheet(pieces)], backs=Backs.NONE)


@pytest.fixture
def path(printed: Path, tmp_path: Path) -> Path:
    for name in (printed.name, "manifest.json"):
        (tmp_path / name).write_bytes((printed.parent / name).read_bytes())
    return tmp_path / printed.name


def form_with(pdf: pikepdf.Pdf, name: str) -> pikepdf.Object:
    """The face that uses a font."""
    for form in pdf.pages[0].resources.XObject.values():
        if any(name in str(font.BaseFont) for font in form.Resources.Font.values()):
            return form
    raise AssertionError(name)


def font_of(pdf: pikepdf.Pdf, name: str = "AlegreyaSans") -> pikepdf.Object:
    [font] = form_with(pdf, name).Resources.Font.values()
    return font


def change_font(path: Path, change: Callable[[TTFont], None]) -> None:
    def edit(pdf: pikepdf.Pdf) -> None:
        stream = font_of(pdf).DescendantFonts[0].FontDescriptor.FontFile2
        with TTFont(io.BytesIO(stream.read_bytes())) as font:
            change(font)
            out = io.BytesIO()
            font.save(out)
        stream.write(out.getvalue())

    tamper(path, edit)


def glyph_of(letter: str, font: EmbeddedFont) -> int:
    return next(code for code, word in font.words.items() if word == letter)


def test_a_good_file_has_all_its_glyphs(path: Path) -> None:
    assert messages(path) == ""


@pytest.mark.parametrize("written", [b"(\\000\\000)Tj", b"<0000>Tj", b"[<0000> 20 (\\0\\0)]TJ"])
def test_the_glyph_that_stands_for_none_is_told(path: Path, written: bytes) -> None:
    def edit(pdf: pikepdf.Pdf) -> None:
        form = form_with(pdf, "AlegreyaSans")
        once = re.compile(rb"(\([^)]*\)|<[0-9A-Fa-f]+>|\[[^\]]*\])\s*T[jJ]")
        data, count = once.subn(lambda _: written, form.read_bytes(), count=1)
        assert count == 1
        form.write(data)

    tamper(path, edit)
    assert codes(path) == {"GP822"}
    assert "the front of 'ant': the font AlegreyaSans-Regular has no glyph" in messages(path)


def test_a_glyph_that_was_dropped_is_told_by_its_letter(path: Path) -> None:
    with pikepdf.open(path) as pdf:
        known = FontReader().read(font_of(pdf))

    def drop(font: TTFont) -> None:
        name = font.getGlyphOrder()[glyph_of("k", known)]
        empty = TTFont(FONTS / "noto-sans" / "NotoSans_400Regular.ttf")["glyf"]["space"]
        font["glyf"].glyphs[name] = empty

    change_font(path, drop)
    assert codes(path) == {"GP822"}
    assert "the letter 'k' is missing" in messages(path)


def test_another_font_in_the_place_of_the_right_one_is_told(path: Path) -> None:
    def swap(pdf: pikepdf.Pdf) -> None:
        other = font_of(pdf, "NotoSans").DescendantFonts[0].FontDescriptor.FontFile2
        font_of(pdf).DescendantFonts[0].FontDescriptor.FontFile2 = other

    tamper(path, swap)
    assert codes(path) == {"GP822"}


def test_a_font_of_the_same_letters_but_other_widths_is_told(path: Path) -> None:
    def widen(font: TTFont) -> None:
        metrics = font["hmtx"].metrics
        for name, (width, bearing) in metrics.items():
            metrics[name] = (width + 40, bearing)

    change_font(path, widen)
    assert "the file brings another font" in messages(path)


def test_the_words_beside_the_faces_are_looked_at_too(path: Path) -> None:
    def empty(pdf: pikepdf.Pdf) -> None:
        page = pdf.pages[0]
        stream = page.Contents
        stream.write(stream.read_bytes().replace(b" Tm [<", b" Tm [<FFF0><"))

    tamper(path, empty)
    assert codes(path) == {"GP822"}


def test_each_text_is_told_once_and_where(tmp_path: Path) -> None:
    words = face("ant", text("Quick ants"))
    path = write(tmp_path, [sheet([place(words, 20, 20), place(words, 110, 20, copy=2)])],
                 backs=Backs.NONE)  # fmt: skip
    tamper(path, lambda pdf: font_of(pdf).DescendantFonts[0].FontDescriptor.FontFile2.write(
        (FONTS / "cinzel" / "Cinzel_700Bold.ttf").read_bytes()))  # fmt: skip
    from generator.preflight import preflight

    [found] = [f for f in preflight(path, own=True).findings if f.code == "GP822"]
    assert (found.copies, found.page) == (2, 1)
    assert found.place is not None
    assert abs(found.place.centre.x - 25) < 1
    assert abs(found.place.centre.y - 40) < 1


# What is read of fonts and streams


def test_codes_of_a_font_without_an_encoding_go_through_its_table() -> None:
    font = EmbeddedFont("Body", 1, Glyphs({0: True, 3: True}, {}, {65: 3}), {65: "A", 66: "B"})
    assert font.fault(b"A") == ""
    assert "no glyph for the letter 'B'" in font.fault(b"AB")


def test_a_space_may_be_empty() -> None:
    font = EmbeddedFont("Body", 2, Glyphs({0: True, 3: False}, {}), {3: " "})
    assert font.fault(b"\0\3") == ""


def test_what_is_not_understood_is_not_judged() -> None:
    assert EmbeddedFont("Body", 0, Glyphs({}, {})).fault(b"\0\0") == ""
    assert EmbeddedFont("Body", 2).fault(b"\0\0") == ""


def test_strings_are_found_however_they_are_written() -> None:
    stream = rb"/F1 9 Tf (a\)b\101)Tj <41 4> Tj [(x)-20(\\)]TJ /F2 1.5 Tf <</A 1>> (y\nz) Tj"
    assert skimmed(stream) == {"F1": [b"a)bA", b"A@", b"x", b"\\"], "F2": [b"y\nz"]}


def test_a_string_that_never_ends_is_read_to_the_end() -> None:
    """Once: with another look from each bracket in it, this takes an hour."""
    assert skimmed(b"/F1 9 Tf (" + rb"\(" * 200_000) == {"F1": [b"(" * 200_000]}


def test_what_a_text_stands_for_is_not_shown() -> None:
    span = (
        b"/F1 9 Tf /Span <</ActualText <FEFF0066>>> BDC <0001> Tj EMC /Span <</ActualText(f\\))>>"
    )
    assert skimmed(span) == {"F1": [b"\0\1"]}


def test_a_font_shows_what_it_has_however_it_is_cut_into_strings() -> None:
    font = EmbeddedFont("Body", 2, Glyphs({1: True, 2: True}, {}))
    assert font.shows([b"\0\1", b"\0\2\0\1"])
    assert not font.shows([b"\0\1", b"\0\3"])
    assert not font.shows([b"\0\1\0", b"\2"])  # no whole codes: to be looked at closely


def test_places_follow_every_way_of_moving() -> None:
    pdf = pikepdf.new()
    stream = pdf.make_stream(
        b"q 2 0 0 2 10 20 cm BT /F1 9 Tf 1 0 0 1 5 5 Tm (a) Tj 1 2 Td (b) Tj 0 -3 TD (c) Tj"
        b" T* (d) Tj (e) ' 7 TL (f) ' ET Q BT /F2 3 Tf (g) Tj ET"
    )
    places = {string.codes: (string.font, string.x, string.y) for string in shown(stream)}
    assert places == {
        b"a": ("F1", 20, 30), b"b": ("F1", 22, 34), b"c": ("F1", 22, 28), b"d": ("F1", 22, 22),
        b"e": ("F1", 22, 16), b"f": ("F1", 22, 2), b"g": ("F2", 0, 0),
    }  # fmt: skip
