from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace
from text.printed import FONTS, make_font

from generator.diagnostics import GridpressError
from generator.fonts import FontLibrary
from generator.geometry import pt_to_mm
from generator.model.face import InlineIcon, TextRun
from generator.text import FittedText, IconMetrics, TextStyle, fit_line, fit_text, measure

RULE = (
    "Move the chariot forward as many spaces as its speed. If the way is barred by wreckage, "
    "stop before it and reduce the speed by one for every space that was left to go."
)


def lines(fitted: FittedText) -> list[str]:
    """Return each line's text in the order of its runs, with a gap of more than 0.15 em as a
    space."""
    found = []
    for line in fitted.lines:
        text, right = "", None
        for run in line.runs:
            if right is not None and run.x - right > 0.15 * pt_to_mm(fitted.size_pt):
                text += " "
            text += run.text if isinstance(run, TextRun) else f"[{run.name}]"
            right = run.x + run.width
        found.append(text)
    return found


def looks(fitted: FittedText) -> list[tuple[str, int, bool]]:
    runs = [run for line in fitted.lines for run in line.runs]
    return [(r.text, r.font.weight, r.font.italic) for r in runs if isinstance(r, TextRun)]


def test_text_that_fits_keeps_its_size(fonts: FontLibrary, body: TextStyle) -> None:
    fitted = fit_text(RULE, body, 50, 20, rich=True, fonts=fonts)
    assert fitted.size_pt == 9
    assert fitted.overflow is None
    assert " ".join(lines(fitted)) == RULE
    baselines = [line.y for line in fitted.lines]
    steps = {round(b - a, 6) for a, b in pairwise(baselines)}
    assert steps == {round(pt_to_mm(9 * 1.25), 6)}


def test_text_shrinks_by_tenths_to_the_largest_size_that_fits(
    fonts: FontLibrary, body: TextStyle
) -> None:
    tried = [
        fit_text(
            RULE, replace(body, size_pt=size / 10, min_pt=size / 10), 45, 17, rich=True, fonts=fonts
        )
        for size in range(90, 69, -1)
    ]
    fits = next(one for one in tried if one.overflow is None)
    found = fit_text(RULE, body, 45, 17, rich=True, fonts=fonts)
    assert 7 < found.size_pt < 9
    assert found == fits


def test_text_that_is_too_much_says_how_much(fonts: FontLibrary, body: TextStyle) -> None:
    fitted = fit_text(RULE, body, 30, 10, rich=True, fonts=fonts)
    assert fitted.size_pt == 7
    assert fitted.overflow is not None
    assert fitted.overflow.word == ""
    assert fitted.overflow.height == pytest.approx(fitted.used.bottom - 10, abs=0.2)
    assert (
        fit_text(
            RULE, body, 30, 10 + fitted.overflow.height + 1e-6, rich=True, fonts=fonts
        ).overflow
        is None
    )


def test_a_word_that_is_too_wide_is_named(fonts: FontLibrary, body: TextStyle) -> None:
    fitted = fit_text("An incomprehensible rule", body, 12, 30, rich=True, fonts=fonts)
    assert fitted.overflow is not None
    assert fitted.overflow.word == "incomprehensible"
    widest = max(line.width for line in fitted.lines)
    assert fitted.overflow.width == pytest.approx(widest - 12)
    assert fitted.overflow.height == 0


def test_bold_and_italic_are_faces_of_the_family(fonts: FontLibrary, body: TextStyle) -> None:
    fitted = fit_text("a **b** *c* ***d***", body, 50, None, rich=True, fonts=fonts)
    assert looks(fitted) == [
        ("a", 400, False),
        ("b", 700, False),
        ("c", 400, True),
        ("d", 700, True),
    ]
    heavy = replace(body, weight=700, italic=True)
    fitted = fit_text("a **b** *c*", heavy, 50, None, rich=True, fonts=fonts)
    assert looks(fitted) == [("a b", 700, True), ("c", 700, False)]
    heavy = replace(body, weight=700)
    assert looks(fit_text("**b**", heavy, 50, None, rich=True, fonts=fonts)) == [("b", 900, False)]


def test_alignment(fonts: FontLibrary, body: TextStyle) -> None:
    for align, share in (("left", 0.0), ("start", 0.0), ("center", 0.5), ("right", 1.0)):
        fitted = fit_text(RULE, body, 50, None, rich=True, fonts=fonts, align=align)
        for line in fitted.lines:
            assert line.x == pytest.approx(share * (50 - line.width))
            assert line.runs[0].x == line.x
    *full, last = fit_text(RULE, body, 50, None, rich=True, fonts=fonts, align="justify").lines
    assert all(line.x == 0 and line.width == pytest.approx(50) for line in full)
    assert last.width < 45


def test_vertical_alignment(fonts: FontLibrary, title: TextStyle) -> None:
    cap, size = 0.7, pt_to_mm(15)
    top = fit_text("HI", title, 30, 20, rich=False, fonts=fonts)
    assert top.lines[0].y == pytest.approx(cap * size)
    assert top.used.y == pytest.approx(0)
    bottom = fit_text("HI", title, 30, 20, rich=False, fonts=fonts, valign="bottom")
    assert bottom.used.bottom == pytest.approx(20)
    middle = fit_text("HI", title, 30, 20, rich=False, fonts=fonts, valign="middle")
    assert middle.used.y == pytest.approx(20 - middle.used.bottom)
    deep = fit_text("QJ", title, 30, 20, rich=False, fonts=fonts, valign="bottom")
    assert deep.used.bottom == pytest.approx(20)
    assert deep.lines[0].y < bottom.lines[0].y


def test_paragraphs_and_forced_breaks(fonts: FontLibrary, body: TextStyle) -> None:
    fitted = fit_text("one\n\ntwo  \nthree\nfour", body, 50, None, rich=True, fonts=fonts)
    assert lines(fitted) == ["one", "two", "three four"]
    first, second, third = (line.y for line in fitted.lines)
    line_height = pt_to_mm(9 * 1.25)
    assert second - first == pytest.approx(1.5 * line_height)
    assert third - second == pytest.approx(line_height)
    tight = replace(body, paragraph_gap=0)
    fitted = fit_text("one\n\ntwo", tight, 50, None, rich=True, fonts=fonts)
    assert fitted.lines[1].y - fitted.lines[0].y == pytest.approx(line_height)


@pytest.mark.parametrize("text", ["", "  ", "\n\n", "\u200b", "\\\n"])
def test_nothing_is_nothing(fonts: FontLibrary, body: TextStyle, text: str) -> None:
    for valign in ("top", "middle", "bottom"):
        fitted = fit_text(text, body, 50, 20, rich=True, fonts=fonts, valign=valign)
        assert [line.runs for line in fitted.lines if line.runs] == []
        assert fitted.used.width == fitted.used.height == 0
        assert fitted.overflow is None


def test_icons_are_an_em_high_and_sit_at_the_middle_of_capitals(
    fonts: FontLibrary, title: TextStyle
) -> None:
    shapes = {"coin": IconMetrics(), "sword": IconMetrics(2.5)}
    fitted = fit_text("2{coin} {sword}.", title, 50, None, rich=True, fonts=fonts, icons=shapes.get)
    assert lines(fitted) == ["2[coin] [sword]."]
    (line,) = fitted.lines
    coin, sword = (run for run in line.runs if isinstance(run, InlineIcon))
    size = pt_to_mm(15)
    assert coin.height == sword.height == pytest.approx(size)
    assert (coin.width, sword.width) == pytest.approx((size, 2.5 * size))
    assert coin.y + size / 2 == pytest.approx(line.y - 0.35 * size)
    assert fitted.used.y == pytest.approx(0)


def test_an_icon_that_is_none_is_told_and_left_as_written(
    fonts: FontLibrary, body: TextStyle
) -> None:
    text = "a {coin} {gem} {gem} **{gem}**"
    fitted = fit_text(text, body, 80, None, rich=True, fonts=fonts, icons={"coin"})
    assert fitted.unknown_icons == (("gem", 9),)
    assert lines(fitted) == ["a [coin] {gem} {gem} {gem}"]


def test_what_no_font_has_is_told_with_its_place(fonts: FontLibrary, body: TextStyle) -> None:
    text = "a **b** {漢} \\* 漢字 漢 😀"
    fitted = fit_text(text, body, 80, None, rich=True, fonts=fonts)
    assert fitted.missing == (("漢", 9), ("字", 16), ("😀", 20))
    assert fitted.unknown_icons == (("漢", 8),)
    assert fit_text("a ∞", body, 80, None, rich=True, fonts=fonts).missing == ()


@pytest.mark.parametrize("text", ["{} b", "a {}", "{0} {0}", "**a** {}", "{} {{gem}}"])
def test_a_space_beside_a_fallback_is_of_the_font_that_was_asked_for(
    tmp_path: Path, body: TextStyle, text: str
) -> None:
    """Fonts of emoji have spaces as wide as their signs."""
    make_font(tmp_path / "emoji.ttf", "Emoji", chars={"א": "M", " ": "M"})
    style = replace(body, fallback=("Emoji",))

    fonts = FontLibrary([FONTS, tmp_path])

    def width(text: str) -> float:
        fitted = fit_text(text, style, 80, None, rich=True, fonts=fonts, icons={"gem"})
        return fitted.lines[0].width

    text = text.format("א")
    space = width(text) - sum(width(part) for part in text.split())
    plain = width("{gem} {gem}") - 2 * width("{gem}")
    assert space == pytest.approx(plain, rel=0.12)


def test_an_unknown_family_is_an_error(fonts: FontLibrary, body: TextStyle) -> None:
    for style in (replace(body, family="Alegreya"), replace(body, fallback=("Alegreya",))):
        with pytest.raises(GridpressError, match="did you mean 'Alegreya Sans'"):
            fit_text("a", style, 50, None, rich=True, fonts=fonts)


def test_words_are_parted_only_if_the_style_says_so(fonts: FontLibrary, body: TextStyle) -> None:
    text = "incomprehensible"
    plain = fit_text(text, body, 14, None, rich=True, fonts=fonts)
    assert plain.overflow is not None
    parted = fit_text(text, replace(body, hyphenate=True), 14, None, rich=True, fonts=fonts)
    assert parted.overflow is None
    assert parted.size_pt == 9
    assert "-" in lines(parted)[0]
    assert "".join(line.removesuffix("-") for line in lines(parted)) == text


def test_a_soft_hyphen_shows_only_where_a_line_ends(fonts: FontLibrary, body: TextStyle) -> None:
    text = "an Incom\u00adpre\u00adhen\u00adsibilis"
    wide = fit_text(text, body, 60, None, rich=True, fonts=fonts)
    assert lines(wide) == ["an Incomprehensibilis"]
    narrow = fit_text(text, body, 15, None, rich=True, fonts=fonts)
    assert narrow.overflow is None
    assert "".join(line.removesuffix("-") for line in lines(narrow)).replace(" ", "") == (
        "anIncomprehensibilis"
    )
    assert lines(narrow)[0].endswith("-")


words = st.lists(
    st.text(alphabet="abcdefgilmnoprstuéßø-,.'()", min_size=1, max_size=14), min_size=1, max_size=25
)
styles = st.builds(
    TextStyle,
    name=st.just("any"),
    family=st.just("Alegreya Sans"),
    size_pt=st.just(9.0),
    min_pt=st.just(7.0),
    hyphenate=st.booleans(),
    align=st.sampled_from(["left", "center", "right", "justify"]),
)
boxes = st.tuples(st.floats(8, 60), st.floats(4, 40))


@given(words, styles, boxes)
def test_nothing_leaves_the_box_unless_it_is_said(
    fonts: FontLibrary, words: list[str], style: TextStyle, box: tuple[float, float]
) -> None:
    fitted = fit_text(" ".join(words), style, *box, rich=False, fonts=fonts)
    too_wide = fitted.overflow is not None and fitted.overflow.width > 0
    too_high = fitted.overflow is not None and fitted.overflow.height > 0
    assert too_wide == any(line.width > box[0] + 1e-4 for line in fitted.lines)
    if not too_high:
        assert fitted.used.bottom <= box[1] + 1e-6
    assert all(line.x >= -1e-4 for line in fitted.lines) or too_wide
    assert fitted.used.y >= -1e-6


@given(words, styles, boxes)
def test_no_letter_is_lost_or_moved(
    fonts: FontLibrary, words: list[str], style: TextStyle, box: tuple[float, float]
) -> None:
    fitted = fit_text(" ".join(words), style, *box, rich=False, fonts=fonts)
    drawn = "".join(
        run.text for line in fitted.lines for run in line.runs if isinstance(run, TextRun)
    )
    plain = str.maketrans("", "", " -")
    assert drawn.translate(plain) == "".join(words).translate(plain)
    assert fitted.missing == ()


@given(words, styles, boxes, st.floats(0, 20), st.floats(0, 20))
def test_a_larger_box_never_makes_the_text_smaller(
    fonts: FontLibrary,
    words: list[str],
    style: TextStyle,
    box: tuple[float, float],
    wider: float,
    higher: float,
) -> None:
    text = " ".join(words)
    small = fit_text(text, style, *box, rich=False, fonts=fonts)
    large = fit_text(text, style, box[0] + wider, box[1] + higher, rich=False, fonts=fonts)
    assert large.size_pt >= small.size_pt
    assert small.overflow is not None or large.overflow is None


@given(st.text(max_size=60), st.booleans())
def test_any_text_at_all_is_set(fonts: FontLibrary, body: TextStyle, text: str, rich: bool) -> None:
    fitted = fit_text(text, body, 40, 30, rich=rich, fonts=fonts)
    for char, index in fitted.missing:
        assert text.replace("\r\n", "\n")[index] == char or char == "\ufffd"


@pytest.mark.parametrize(("anchor", "share"), [("start", 0.0), ("middle", 0.5), ("end", 1.0)])
def test_it_hangs_on_its_anchor(
    fonts: FontLibrary, body: TextStyle, anchor: str, share: float
) -> None:
    fitted = fit_line("Reins {coin}", body, rich=True, fonts=fonts, icons={"coin"}, anchor=anchor)
    (line,) = fitted.lines
    assert line.y == 0
    assert line.x == line.runs[0].x == pytest.approx(-share * line.width)
    assert isinstance(line.runs[1], InlineIcon)
    assert fitted.used.y < 0 < fitted.used.bottom


def test_it_shrinks_to_its_width(fonts: FontLibrary, body: TextStyle) -> None:
    full = measure("Charioteers", body, fonts)
    fitted = fit_line("Charioteers", body, full * 0.9, rich=False, fonts=fonts)
    assert fitted.size_pt == pytest.approx(8.1)
    assert fitted.overflow is None
    assert fit_line("Charioteers", body, full, rich=False, fonts=fonts).size_pt == 9
    narrow = fit_line("Charioteers", body, full / 2, rich=False, fonts=fonts)
    assert narrow.size_pt == 7
    assert narrow.overflow is not None
    assert narrow.overflow.width == pytest.approx(full * 7 / 9 - full / 2)
    assert narrow.overflow.word == "Charioteers"
