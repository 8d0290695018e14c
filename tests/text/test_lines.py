from xml.etree import ElementTree

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


def test_text_is_escaped(fonts: FontLibrary, body: TextStyle) -> None:
    fitted = fit_text('<b> & "c" \x0b', body, 50, None, rich=False, fonts=fonts)
    (text,) = parsed(to_svg(fitted.lines, 0, 0, 'x"y'))
    assert text[0].text == '<b> & "c"'
    assert text.attrib["fill"] == 'x"y'
