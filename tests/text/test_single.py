from dataclasses import replace

import pytest

from generator.fonts import FontLibrary
from generator.text import InlineIcon, Run, TextStyle, fit_line, fit_text, measure
from generator.units import pt_to_mm


def test_it_measures_what_fitting_sets(fonts: FontLibrary, body: TextStyle) -> None:
    text = "Take the **whip** to {coin}"
    wide = measure(text, body, fonts, rich=True, icons={"coin"})
    (line,) = fit_text(text, body, 90, None, rich=True, fonts=fonts, icons={"coin"}).lines
    assert wide == pytest.approx(line.width)
    assert measure("", body, fonts) == 0


def test_line_ends_and_paragraphs_become_spaces(fonts: FontLibrary, body: TextStyle) -> None:
    fitted = fit_line(" one\ntwo  \nthree\n\nfour ", body, rich=True, fonts=fonts)
    (line,) = fitted.lines
    assert [run.text for run in line.runs if isinstance(run, Run)] == ["one two three four"]


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


def test_a_size_below_the_smallest_is_kept(fonts: FontLibrary, body: TextStyle) -> None:
    small = replace(body, size_pt=6, min_pt=7)
    assert fit_line("a", small, 1, rich=False, fonts=fonts).size_pt == 6
    half = replace(body, size_pt=7.05, min_pt=7)
    assert measure("a", half, fonts) == pytest.approx(measure("a", body, fonts) * 7.05 / 9)
    assert fit_line("a" * 90, half, 1, rich=False, fonts=fonts).size_pt == 7


def test_an_unknown_anchor_is_an_error(fonts: FontLibrary, body: TextStyle) -> None:
    with pytest.raises(ValueError, match="'centre' is not start, middle or end"):
        fit_line("a", body, rich=False, fonts=fonts, anchor="centre")


def test_empty_text_is_no_line(fonts: FontLibrary, body: TextStyle) -> None:
    assert fit_line(" ", body, 5, rich=False, fonts=fonts).used.width == 0
    assert pt_to_mm(fit_line("", body, 5, rich=False, fonts=fonts).size_pt) > 0
