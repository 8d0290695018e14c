from xml.etree import ElementTree

from generator.fonts import FontLibrary
from generator.text import TextStyle, fit_text, to_svg


def parsed(svg: str) -> list[ElementTree.Element]:
    return list(ElementTree.fromstring(f"<g>{svg}</g>"))


def test_each_run_is_a_tspan_with_its_place_and_look(fonts: FontLibrary, body: TextStyle) -> None:
    fitted = fit_text("one two  \n**three**", body, 50, None, rich=True, fonts=fonts)
    (text,) = parsed(to_svg(fitted.lines, 1, 2, "#112233"))
    assert text.attrib == {"fill": "#112233"}
    assert [(span.text, span.attrib["font-weight"]) for span in text] == [
        ("one two", "400"),
        ("three", "700"),
    ]
    assert [span.attrib["x"] for span in text] == ["1", "1"]
    assert {span.attrib["font-size"] for span in text} == {"3.17500"}
    assert [float(span.attrib["y"]) for span in text] == [
        round(2 + line.y, 4) for line in fitted.lines
    ]


def test_text_is_escaped(fonts: FontLibrary, body: TextStyle) -> None:
    fitted = fit_text('<b> & "c" \x0b', body, 50, None, rich=False, fonts=fonts)
    (text,) = parsed(to_svg(fitted.lines, 0, 0, 'x"y'))
    assert text[0].text == '<b> & "c"'
    assert text.attrib["fill"] == 'x"y'
