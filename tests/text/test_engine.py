"""The engine draws text as it was measured: the PDF and the pixels are read back."""

import pytest
from msgspec.structs import replace
from text.printed import AT_X, AT_Y, ink, letters

from generator.fonts import FontLibrary
from generator.geometry import Rect, pt_to_mm
from generator.model.face import TextRun
from generator.text import TextStyle, fit_line, fit_text

TOLERANCE_MM = 0.1
RULE = (
    "Take {coin} and **move** the *flying* debris. WAVE Type AVATAR: office, staff, fjord; "
    "To Yvonne’s “Quick” T. V. fluffy offer (12½) — *Æther* **ffi** Ýl!"
)


@pytest.mark.parametrize(
    ("family", "weight", "italic"),
    [
        ("Alegreya Sans", 400, False),
        ("Alegreya Sans", 700, True),
        ("Cinzel", 700, False),
        ("Noto Sans", 400, False),
    ],
)
@pytest.mark.parametrize(
    "text",
    [
        "AVATAR WAVE To Type P. T, r. y’s L’Y",
        "office staff fjord fluffy offer ffi ffl fl",
        "A V T o Y e 1 1 f f f i",
        "“Ýl Æther” — 12½ – naïve Çelik",
    ],
)
def test_the_engine_advances_as_measured(
    fonts: FontLibrary, family: str, weight: int, italic: bool, text: str
) -> None:
    """A bar behind the text is where the measures put it, within 0.1 % of the width."""
    style = TextStyle("any", family, weight, italic, size_pt=10, min_pt=10)
    line = fit_line(text + "|", style, rich=False, fonts=fonts)
    bar = fit_line("|", style, rich=False, fonts=fonts)
    first, *_, last = letters(line, fonts)
    glue = line.lines[0].width - bar.lines[0].width
    assert first.x == pytest.approx(AT_X, abs=1e-3)
    assert last.char == "|"
    assert last.x - AT_X == pytest.approx(glue, rel=1e-3)


@pytest.mark.parametrize("align", ["left", "center", "right", "justify"])
@pytest.mark.parametrize("valign", ["top", "middle", "bottom"])
def test_ink_is_where_it_is_said_to_be(
    fonts: FontLibrary, body: TextStyle, align: str, valign: str
) -> None:
    fitted = fit_text(
        RULE,
        replace(body, hyphenate=True),
        40,
        30,
        rich=True,
        fonts=fonts,
        icons={"coin"},
        align=align,
        valign=valign,
    )
    assert fitted.overflow is None
    assert_same(ink(fitted, fonts), on_page(fitted.used))
    overhang = 0.1 * pt_to_mm(fitted.size_pt)
    assert Rect(0, 0, 40, 30).grown(overhang).contains(fitted.used)


@pytest.mark.parametrize("text", ["Élan Vital", "Qp", "17", "fjord", "{coin}"])
def test_ink_of_titles(fonts: FontLibrary, title: TextStyle, text: str) -> None:
    for style in (title, replace(title, family="Alegreya Sans", weight=400, italic=True)):
        fitted = fit_text(
            text, style, 60, 8, rich=True, fonts=fonts, icons={"coin"}, valign="middle"
        )
        assert_same(ink(fitted, fonts), on_page(fitted.used))
        line = fit_line(text, style, rich=True, fonts=fonts, icons={"coin"}, anchor="middle")
        assert_same(ink(line, fonts), on_page(line.used))


def test_text_from_right_to_left_keeps_its_order(wide_fonts: FontLibrary, body: TextStyle) -> None:
    """Hebrew runs leftwards; Latin words and numbers inside it do not. The full stop is at the
    left, where the sentence ends."""
    style = replace(body, family="Noto Sans", fallback=("Aleph",), align="start")
    fitted = fit_text(
        "אבג דה 12, {coin} ab וז.", style, 60, None, rich=True, fonts=wide_fonts, icons={"coin"}
    )
    drawn = sorted(letters(fitted, wide_fonts), key=lambda letter: letter.x)
    assert "".join(letter.char for letter in drawn) == ".זוab,12הדגבא"
    (line,) = fitted.lines
    assert line.x + line.width == pytest.approx(60)
    assert [run.text if isinstance(run, TextRun) else run.name for run in line.runs] == [
        ".",
        "וז",
        "ab",
        "coin",
        ",",
        "12",
        "אבג דה",
    ]
    assert_same(ink(fitted, wide_fonts), on_page(fitted.used))


def on_page(rect: Rect) -> Rect:
    return Rect(rect.x + AT_X, rect.y + AT_Y, rect.width, rect.height)


def assert_same(found: Rect, said: Rect) -> None:
    """Check that the stated box holds everything found and is no larger than needed."""
    assert said.grown(TOLERANCE_MM).contains(found)
    assert found.grown(2 * TOLERANCE_MM).contains(said)
