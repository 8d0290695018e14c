"""Drawings by their layers: the values that a template gets from an SVG file, and refusals."""

import re

import pytest

from generator.svg_layers import DrawingMark, DrawnLayer, layered
from generator.svg_styles import MAX_DEPTH, UnfitDrawingError

NAMES = (
    'xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" '
    'xmlns:inkscape="http://www.inkscape.org/namespaces/inkscape"'
)
SWATCH = '<linearGradient id="coat"><stop stop-color="#aa0000"/></linearGradient>'


def layers(inside: str, defs: str = "", root: str = "") -> dict[str, DrawnLayer]:
    content = f'<svg {NAMES} viewBox="0 0 9 9"{root}><defs>{defs}</defs>{inside}</svg>'
    return dict(layered(content.encode()).layers)


def test_layers_go_by_label_or_id_and_one_in_another_by_both() -> None:
    found = layers(
        '<g id="layer1" inkscape:label="body"><path d="M0 0"/><g id="mane"><path d="M1 1"/></g></g>'
        '<g id="tail"><rect width="1"/></g><g><path d="M2 2"/></g>'
    )
    assert {name: layer.body for name, layer in found.items()} == {
        "body": '<path d="M0 0"/><g><path d="M1 1"/></g>',
        "body/mane": '<path d="M1 1"/>',
        "tail": '<rect width="1"/>',
    }


def test_a_hidden_layer_is_drawn_with_what_its_groups_say() -> None:
    found = layers(
        '<g id="a" style="display:none;stroke:none" transform="scale(2)">'
        '<g id="b" fill="#ff0000" display="none"><path d="M0 0"/></g></g>',
        root=' stroke="#000000"',
    )
    inner = '<g fill="#ff0000"><path d="M0 0"/></g>'
    assert found["a/b"].body == f'<g transform="scale(2)" stroke="none">{inner}</g>'


def test_a_colour_is_a_gradient_of_one_stop_by_whatever_way() -> None:
    found = layers(
        '<g id="a"><path fill="url(#g7)"/><path style="stroke:url(#coat)"/><path fill="url(#sky)"/>'
        "</g>",
        f'{SWATCH}<linearGradient id="g7" xlink:href="#coat"/>'
        '<linearGradient id="sky"><stop offset="0"/><stop/></linearGradient>',
    )
    assert found["a"].colours == ("coat",)
    assert found["a"].body == (
        '<defs><linearGradient id="sky"><stop offset="0"/><stop/></linearGradient></defs>'
        '<path fill="url(#coat)"/><path stroke="url(#coat)"/><path fill="url(#sky)"/>'
    )


def test_definitions_may_stand_in_a_layer() -> None:
    sky = '<linearGradient id="sky"><stop/><stop/></linearGradient>'
    found = layers(
        f'<g id="a"><defs>{SWATCH}{sky}</defs><path fill="url(#coat)" stroke="url(#sky)"/></g>'
    )
    assert found["a"].colours == ("coat",)
    assert found["a"].body.count('id="sky"') == 1


def test_a_layer_brings_the_definitions_that_it_uses_and_no_other_ids() -> None:
    found = layers(
        '<g id="a"><g clip-path="url(#arch)"><path id="p3" d="M0 0"/></g></g><g id="b"/>',
        '<clipPath id="arch"><use href="#stone"/></clipPath><path id="stone" d=""/>'
        '<path id="idle" d="M2 2"/>',
    )
    assert found["b"].body == ""
    assert found["a"].body == (
        '<defs><clipPath id="arch"><use href="#stone"/></clipPath><path id="stone" d=""/></defs>'
        '<g clip-path="url(#arch)"><path d="M0 0"/></g>'
    )


def test_marks_tell_place_turn_size_and_side() -> None:
    found = layers(
        '<g id="at" transform="translate(10 20)">'
        '<g id="head" transform="translate(3 4) rotate(30) scale(-.5 .5)"/>'
        '<use inkscape:label="foot" href="#ear" x="1" y="2" transform="matrix(0 2 -2 0 0 0)"/>'
        '<rect id="box" x="-1" y="-2" width="4" height="6"/><g/></g>',
        '<path id="ear" d="M0 0"/>',
    )
    assert found["at"].marks == (
        DrawingMark("head", 13, 24, 30, 0.5, -1),
        DrawingMark("foot", 6, 22, 90, 2, 1),
        DrawingMark("box", 9, 18, w=4, h=6),
        DrawingMark("4", 10, 20),
    )


@pytest.mark.parametrize(
    ("inside", "words"),
    [
        ('<g id="a"/><g inkscape:label="a"/>', "has two layers named a"),
        (
            '<g id="a"><path id="p"/></g><g id="b"><use href="#p"/></g>',
            "uses #p in b, but defines it neither there nor in its defs",
        ),
        ('<g id="a"><path fill="url(#sky)"/></g>', "uses #sky in a, but defines it neither"),
        ('<g id="a"><text>Horse</text></g>', "has <text>, which cannot be printed"),
        (
            '<g id="a"><use href="http://a.b/c.svg#d"/></g>',
            "refers to something outside",
        ),
        ('<g id="a"><path onclick="x()"/></g>', "has a script"),
        ("<g>" * MAX_DEPTH + "<path/>" + "</g>" * MAX_DEPTH, "is nested deeper"),
    ],
)
def test_what_a_drawing_must_not_have(inside: str, words: str) -> None:
    with pytest.raises(UnfitDrawingError, match=f"^{re.escape(words)}"):
        layers(inside)
