"""A template's own `<text>`: set by us, where SVG says, from the fonts that all other text has."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from render.studio import Studio, operators
from text.printed import Letter, letters_of

from generator.export.loose_pages import face_pages
from generator.fonts import own_fonts
from generator.geometry import mm_to_pt
from generator.model.face import Face
from generator.text import TextStyle, measure

FONTS = own_fonts()
LOOK = 'font-family="Alegreya Sans" font-size="5"'
BOLD = '<tspan font-weight="bold">'
ARC = '<path id="arc" d="M10 40 A22 22 0 0 1 54 40" fill="none"/>'


def wide(words: str, weight: int = 400) -> float:
    size = mm_to_pt(5)
    style = TextStyle("", "Alegreya Sans", weight, size_pt=size, min_pt=size)
    return measure(words, style, FONTS)


def space(weight: int = 400) -> float:
    return wide("n n", weight) - 2 * wide("n", weight)


def letters(face: Face, folder: Path) -> list[Letter]:
    """The letters of a face as printed, with their places on it, mm."""
    pdf, bleed = face_pages([face], FONTS, folder).value, face.stock.bleed
    return [Letter(one.char, one.x - bleed, one.y - bleed) for one in letters_of(pdf)]


@pytest.mark.parametrize(
    ("template", "places"),
    [
        (f'<text x="5" y="9" {LOOK}>one two</text>', [("one two", 5, 9)]),
        (f"<text {LOOK}>at 0</text>", [("at 0", 0, 0)]),
        (
            f'<text x="30" y="9" text-anchor="middle" {LOOK}>mid</text>',
            [("mid", 30 - wide("mid") / 2, 9)],
        ),
        (
            f'<text x="30" y="9" text-anchor="end" {LOOK}>a{BOLD}b</tspan></text>',
            [("a", 30 - wide("a") - wide("b", 700), 9), ("b", 30 - wide("b", 700), 9)],
        ),
        (
            f'<text x="1 11 21" y="9 8" {LOOK}>abcd</text>',
            [("a", 1, 9), ("b", 11, 8), ("cd", 21, 8)],
        ),
        (
            f'<text x="5" y="9" dx="0 2" dy="0 1" {LOOK}>abc</text>',
            [("a", 5, 9), ("bc", 7 + wide("a"), 10)],
        ),
        (
            f'<text x="5" y="9" {LOOK}>a<tspan dy="3">b</tspan><tspan x="1" y="2">c</tspan></text>',
            [("a", 5, 9), ("b", 5 + wide("a"), 12), ("c", 1, 2)],
        ),
        (
            f'<g transform="translate(2 3)"><text x="5" y="9" transform="scale(2)" {LOOK}>a</text>'
            "</g>",
            [("a", 12, 21)],
        ),
        (
            f'<text x="5" y="9" {LOOK}>\n a \n{BOLD} b </tspan> c</text>',
            [
                ("a", 5, 9),
                ("b", 5 + wide("a") + space(), 9),
                ("c", 5 + wide("a") + space() + wide("b", 700) + space(700), 9),
            ],
        ),
        (
            f'<text x="5" y="9" {LOOK}>a<tspan display="none">b</tspan>c</text>',
            [("ac", 5, 9)],
        ),
        (f"<text {LOOK}> <tspan> </tspan> </text>", []),
    ],
)
def test_letters_stand_where_svg_says(
    studio: Studio, tmp_path: Path, template: str, places: list[tuple[str, float, float]]
) -> None:
    drawn = letters(studio.face(template), tmp_path)
    for words, x, y in places:
        chars = words.replace(" ", "")
        first = drawn[0]
        assert "".join(one.char for one in drawn[: len(chars)]) == chars
        assert (first.x, first.y) == pytest.approx((x, y), abs=0.02)
        drawn = drawn[len(chars) :]
    assert drawn == []


def test_looks_are_those_of_the_parts_and_of_the_groups_around(studio: Studio) -> None:
    face = studio.face(
        f'<g fill="#00aa00"><text y="9" {LOOK} stroke="#0000ff" stroke-width="0.2">a'
        '<tspan fill="#ff0000" fill-opacity="0.5">b</tspan></text></g>'
    )
    drawn = operators(face)
    first, second = drawn.index("/RGB cs 0 0.666667 0 sc"), drawn.index("/RGB cs 1 0 0 sc")
    assert first < second
    assert drawn.count("/RGB CS 0 0 1 SC 0.2 w") == 2
    assert [state.fill for state in face.drawing.opacities] == [0.5]


def test_letters_along_a_path_stand_upright_on_it(studio: Studio, tmp_path: Path) -> None:
    along = '<textPath href="#arc" startOffset="50%">III</textPath>'
    face = studio.face(f'{ARC}<text {LOOK} text-anchor="middle">{along}</text>')
    left, middle, right = letters(face, tmp_path)
    assert (middle.x, middle.y) == pytest.approx((32 - wide("I") / 2, 18), abs=0.05)  # its top
    assert left.y > middle.y
    assert left.x < middle.x < right.x
    turned = [float(sine) for sine in re.findall(r"q \S+ (\S+) .* cm", operators(face))]
    assert turned[0] < 0 < turned[2]
    assert turned[1] == pytest.approx(0, abs=0.02)


def test_letters_that_a_path_has_no_room_for_are_told_of(studio: Studio) -> None:
    words = "far too many words for so short a path as this one is"
    template = f'{ARC}<text {LOOK}><textPath href="#arc">{words}</textPath></text>'
    [told] = studio.findings(template)
    assert told.code == "GP401"
    assert "thisoneis" in told.message


@pytest.mark.parametrize(
    "template",
    [
        f'<defs><g id="d"><text y="10" {LOOK}>Used</text></g></defs>'
        '<use href="#d" fill="#ff00ff"/>',
        '<linearGradient id="g"><stop offset="0" stop-color="#ff0000"/></linearGradient>'
        f'<text y="30" fill="url(#g)" {LOOK}>Gradient</text>',
    ],
)
def test_what_the_engine_shows_are_outlines(studio: Studio, template: str) -> None:
    [art] = studio.face(template).drawing.engine
    assert "<text" not in art.svg
    assert len(art.svg) > 1_000


def test_letters_clip(studio: Studio) -> None:
    face = studio.face(
        f'<clipPath id="c"><text y="30" {LOOK}>Clip</text></clipPath>'
        '<g clip-path="url(#c)"><rect width="60" height="60"/></g>'
    )
    assert re.search(r"^q .* W n $\n/Grey cs 0 sc 0 0 60 60 re f", operators(face), re.MULTILINE)
