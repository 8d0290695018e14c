from xml.etree import ElementTree

import pytest
from msgspec.structs import replace

from generator.fonts import FontLibrary
from generator.text import TextStyle, fit_text, to_svg


def parsed(svg: str) -> list[ElementTree.Element]:
    return list(ElementTree.fromstring(f"<g>{svg}</g>"))


def test_one_look_is_one_tspan_a_line(fonts: FontLibrary, body: TextStyle) -> None:
    fitted = fit_text("one two  \nthree", body, 50, None, rich=True, fonts=fonts)
    (text,) = parsed(to_svg(fitted.lines, 1, 2, "#112233"))
    assert text.attrib == {
        "fill": "#112233",
        "font-family": "Alegreya Sans",
        "font-weight": "400",
        "font-size": "3.17500",
    }
    assert [span.text for span in text] == ["one two", "three"]
    assert [span.attrib["x"] for span in text] == ["1", "1"]
    assert [float(span.attrib["y"]) for span in text] == [
        round(2 + line.y, 4) for line in fitted.lines
    ]


def test_a_tspan_says_only_what_differs(fonts: FontLibrary, body: TextStyle) -> None:
    fitted = fit_text("a **b** *c*", body, 50, None, rich=True, fonts=fonts)
    (text,) = parsed(to_svg(fitted.lines, 0, 0, "black"))
    looks = [{k: v for k, v in span.attrib.items() if k not in "xy"} for span in text]
    assert looks == [{}, {"font-weight": "700"}, {"font-style": "italic"}]


def test_what_the_first_look_has_and_others_lack_is_undone(
    fonts: FontLibrary, body: TextStyle
) -> None:
    slanted = replace(body, italic=True)
    fitted = fit_text("a *b*", slanted, 50, None, rich=True, fonts=fonts)
    (text,) = parsed(to_svg(fitted.lines, 0, 0, "black"))
    assert text.attrib["font-style"] == "italic"
    assert text[1].attrib["font-style"] == "normal"


def test_text_is_escaped(fonts: FontLibrary, body: TextStyle) -> None:
    fitted = fit_text('<b> & "c" \x0b', body, 50, None, rich=False, fonts=fonts)
    (text,) = parsed(to_svg(fitted.lines, 0, 0, 'x"y'))
    assert text[0].text == '<b> & "c"'
    assert text.attrib["fill"] == 'x"y'


def test_icons_leave_their_places_empty(fonts: FontLibrary, body: TextStyle) -> None:
    fitted = fit_text("{coin} a", body, 50, None, rich=True, fonts=fonts, icons={"coin"})
    (text,) = parsed(to_svg(fitted.lines, 10, 20, "#aa0000"))
    assert float(text[0].attrib["x"]) == pytest.approx(10 + fitted.lines[0].runs[1].x, abs=1e-3)


def test_nothing_is_no_svg(fonts: FontLibrary, body: TextStyle) -> None:
    assert to_svg(fit_text(" ", body, 50, None, rich=True, fonts=fonts).lines, 0, 0, "black") == ""
