from pathlib import Path

import pytest
import uharfbuzz as hb
from fontTools.ttLib import TTFont, newTable
from text.printed import make_font

from generator.fonts import FontLibrary
from generator.text import TextStyle, fit_text
from generator.text.shaper import Typeface, typeface


@pytest.fixture
def face(wide_fonts: FontLibrary) -> Typeface:
    return typeface(wide_fonts, ("Alegreya Sans", "Aleph"), 400, False)


def looks(face: Typeface, text: str) -> list[tuple[str, str]]:
    return [(part.text, part.font.file.family) for part in face.word(text).parts if part.font]


def test_what_the_first_font_lacks_comes_from_the_next(face: Typeface) -> None:
    assert looks(face, "(אב)") == [("(", "Alegreya Sans"), ("אב", "Aleph"), (")", "Alegreya Sans")]


def test_a_letter_and_its_marks_stay_in_one_font(wide_fonts: FontLibrary) -> None:
    face = typeface(wide_fonts, ("Alegreya Sans", "Noto Sans"), 400, False)
    assert face.first.shape("\u0348").missing
    assert looks(face, "aq\u0348b") == [
        ("a", "Alegreya Sans"),
        ("q\u0348", "Noto Sans"),
        ("b", "Alegreya Sans"),
    ]


def test_marks_that_steer_lines_leave_no_trace(face: Typeface) -> None:
    word = face.word("fire\u00adwor\u200bks\u2060")
    assert word == face.word("fireworks")
    assert face.word("\u200b").parts == ()


@pytest.mark.parametrize(
    ("lang", "text", "glyphs"),
    [("", "fi", 1), ("en", "fi", 1), ("tr", "fi", 2), ("az-Latn", "fi", 2)],
)
def test_a_language_has_its_own_forms(
    fonts: FontLibrary, lang: str, text: str, glyphs: int
) -> None:
    """In Turkish i keeps its dot beside f, as it differs from ı."""
    face = typeface(fonts, ("Alegreya Sans",), 400, False, lang=lang)
    (part,) = face.word(text).parts
    assert len(part.glyphs) == glyphs


def test_an_emoji_that_is_asked_for_comes_from_a_font_in_colours(tmp_path: Path) -> None:
    make_font(
        tmp_path / "plain.ttf", "Plain", chars={"❤": "H", "a": "a", "H": "H", "d": "d", "p": "p"}
    )
    make_font(tmp_path / "hearts.ttf", "Hearts", chars={"❤": "O", "H": "H", "d": "d", "p": "p"})
    with TTFont(tmp_path / "hearts.ttf") as font:
        font["SVG "] = newTable("SVG ")
        heart = font.getGlyphID(font.getBestCmap()[ord("❤")])
        svg = f'<svg xmlns="http://www.w3.org/2000/svg"><g id="glyph{heart}"/></svg>'
        font["SVG "].docList = [(svg, heart, heart)]
        font.save(tmp_path / "hearts.ttf")
    face = typeface(FontLibrary([tmp_path]), ("Plain", "Hearts"), 400, False)
    assert looks(face, "a❤") == [("a❤", "Plain")]
    assert looks(face, "a❤\ufe0fa") == [("a", "Plain"), ("❤\ufe0f", "Hearts"), ("a", "Plain")]
    assert looks(face, "a\ufe0f") == [("a\ufe0f", "Plain")]


def test_ink_is_measured(face: Typeface) -> None:
    assert face.word("É").top > face.word("E").top == face.cap
    assert face.word("d").top == face.ascent > face.cap
    assert face.word("p").bottom == face.descent > 0 > face.word("“").bottom
    italic = typeface(face.library, ("Alegreya Sans",), 400, True)
    assert italic.word("f").right > 0 > face.word("n").right
    assert italic.word("j").left > 0 > face.word("n").left


def test_fitting_again_shapes_nothing(
    fonts: FontLibrary, body: TextStyle, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Other sizes, another box and another text of the same words need no shaping."""
    text = "the driver turns the chariot"
    fit_text(text * 3, body, 40, None, rich=True, fonts=fonts)
    monkeypatch.setattr(hb, "shape", lambda *_: pytest.fail("shaped again"))
    small = fit_text(text * 3, body, 30, 11, rich=True, fonts=fonts)
    assert small.size_pt < body.size_pt
