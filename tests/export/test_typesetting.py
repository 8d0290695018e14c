import pytest

from generator.export.typesetting import Line, layers

HEAD = '<svg xmlns="http://www.w3.org/2000/svg" width="9mm" height="9mm" viewBox="-1 -1 9 9">'
LOOK = 'fill="#1c1c1c" font-family="Noto Sans" font-size="3.5"'
SET = f'<text {LOOK}><tspan x="1" y="2.5">Ada &amp; Bo</tspan></text>'
LINE = Line("Ada & Bo", 1, 2.5, 3.5, "Noto Sans", 400, "normal", 100, 28)
RECT, ROUND = '<rect width="4" height="4"/>', '<circle r="2"/>'


def svg(*parts: str) -> str:
    return f"{HEAD}{''.join(parts)}</svg>"


def test_text_between_art_keeps_its_place_in_the_order() -> None:
    assert layers(svg(RECT, SET, ROUND, SET)) == (svg(RECT), (LINE,), svg(ROUND), (LINE,))


def test_texts_in_a_row_are_set_together() -> None:
    assert layers(svg(RECT, SET, " ", SET)) == (svg(RECT), (LINE, LINE))


def test_a_span_may_look_otherwise_than_its_text() -> None:
    bold = 'font-weight="700" font-style="italic" font-stretch="condensed" fill="#a0b1c2"'
    text = (
        f'<text {LOOK}><tspan x="1" y="2.5">Ada &amp; Bo</tspan><tspan x="2" y="3" {bold}>x</tspan>'
    )
    [lines] = layers(svg(text, "</text>"))
    assert lines[0] == LINE
    assert lines[1] == Line("x", 2, 3, 3.5, "Noto Sans", 700, "italic", 75, "#a0b1c2")


@pytest.mark.parametrize(
    "kept",
    [
        f'<g transform="rotate(90)">{SET}</g>',
        SET.replace("<text", '<text transform="rotate(9)"'),
        SET.replace("<text", '<text text-anchor="end"'),
        SET.replace("#1c1c1c", "none"),
        SET.replace("#1c1c1c", "url(#g)"),
        SET.replace("Ada", "\u200fאב"),
        SET.replace("Ada", " Ada"),
        SET.replace("Ada", "Ada  B"),
        f"<text {LOOK}>without a span</text>",
        f'<text {LOOK} x="1" y="2"><tspan>without a place</tspan></text>',
    ],
)
def test_what_only_the_svg_knows_stays_in_it(kept: str) -> None:
    assert layers(svg(RECT, kept)) == (svg(RECT, kept),)


def test_art_that_refers_to_other_parts_keeps_the_face_whole() -> None:
    clip = '<clipPath id="c"><rect width="4" height="4"/></clipPath>'
    used = '<g clip-path="url(#c)"><circle r="2"/></g>'
    assert layers(svg(clip, SET, used)) == (svg(clip, SET, used),)
    assert layers(svg(SET, clip, used)) == ((LINE,), svg(clip, used))


def test_comments_and_signs_in_attributes_do_no_harm() -> None:
    odd = '<path d="M0 0" aria-label="a > b"/>'
    assert layers(svg(odd, "<!-- <text> -->", SET))[-1] == (LINE,)


def test_an_empty_face_is_itself() -> None:
    assert layers(svg()) == (svg(),)
