"""The PDF operators that draw a face."""

import re

import pytest
from render.studio import Studio, operators

BLACK = "/Grey cs 0 sc"
RED, BLUE = "/RGB cs 1 0 0 sc", "/RGB CS 0 0 1 SC"
PLAIN = "0 J 0 j 4 M [] 0 d"
STOPS = '<stop offset="0" stop-color="red"/><stop offset="1" stop-color="blue"/>'


@pytest.mark.parametrize(
    ("body", "written"),
    [
        ('<rect x="1" y="2" width="3" height="4"/>', f"{BLACK} 1 2 3 4 re f"),
        ('<g fill="red"><rect width="9" height="9"/><path d="M0 0h9v9z"/></g>',
         f"{RED} 0 0 9 9 re f\n0 0 m 9 0 l 9 9 l 0 0 l h f"),
        ('<path d="M1 1h9v9" fill-rule="evenodd" fill="red" stroke="#00f" stroke-width="2"/>',
         f"{RED} {BLUE} 2 w {PLAIN} 1 1 m 10 1 l 10 10 l B*"),
        ('<path d="M1 1h9" stroke="blue" stroke-linecap="round" stroke-linejoin="bevel" '
         'stroke-miterlimit="0.5" stroke-dasharray="3 1 2" stroke-dashoffset="-5"/>',
         f"{BLUE} 1 w 1 J 2 j 1 M [3 1 2] 7 d 1 1 m 10 1 l S"),
        ('<path d="M0 0h9M1 1h9v9z" stroke="blue"/>',
         f"{BLACK} {BLUE} 1 w {PLAIN} 1 1 m 10 1 l 10 10 l 1 1 l h f "
         "0 0 m 9 0 l 1 1 m 10 1 l 10 10 l 1 1 l h S"),
        ('<g transform="translate(2 3)"><rect width="1" height="1"/></g>',
         f"q 1 0 0 1 2 3 cm\n{BLACK} 0 0 1 1 re f\nQ"),
        ('<rect width="1" height="1" fill="#ff000080"/>',
         f"q /o5020-10000 gs {RED}  0 0 1 1 re f Q"),
        ('<rect width="1" height="1" fill="none"/><rect width="1" height="1" stroke-width="0" '
         'fill="transparent"/>', ""),
        ('<clipPath id="c" transform="scale(2)"><rect width="1" height="1" clip-rule="evenodd"/>'
         '</clipPath><rect clip-path="url(#c)" width="9" height="9"/>',
         f"q 0 0 m 2 0 l 2 2 l 0 2 l h W* n \n{BLACK} 0 0 9 9 re f\nQ"),
    ],
)  # fmt: skip
def test_a_shape_is_written_as_it_is(body: str, written: str, studio: Studio) -> None:
    assert operators(studio.face(body)).strip() == written


def test_a_group_is_painted_by_itself_and_put_down_once(studio: Studio) -> None:
    two = '<rect width="9" height="9"/><circle r="5"/>'
    face = studio.face(f'<g opacity="0.5">{two}</g><g opacity="0.5">{two}</g>')
    [group] = face.drawing.groups
    assert operators(face) == f"q /o5000-5000 gs /{group.name} Do Q\n" * 2
    assert [(o.fill, o.line) for o in face.drawing.opacities] == [(0.5, 0.5)]


def test_gradients_are_shadings_and_in_lines_patterns(studio: Studio) -> None:
    face = studio.face(
        f'<linearGradient id="a">{STOPS}</linearGradient><radialGradient id="b" href="#a" '
        'gradientUnits="userSpaceOnUse" cx="5" cy="5" r="4" gradientTransform="scale(2)"/>'
        '<rect x="1" y="2" width="8" height="4" fill="url(#a)"/>'
        '<g transform="translate(7 0)"><path d="M0 0h9" fill="none" stroke="url(#b)"/></g>'
    )
    (fill, shading), (line, pattern) = face.drawing.shadings
    assert f"q 1 2 8 4 re W n 8 0 0 4 1 2 cm /{fill} sh Q" in operators(face)
    assert f"q /Pattern CS /{line} SCN 1 w {PLAIN} 0 0 m 9 0 l S Q" in operators(face)
    assert b"/ShadingType 2 /Coords [0 0 1 0]" in shading
    assert b"/C0 [1 0 0] /C1 [0 0 1]" in shading
    assert b"/Matrix [2 0 0 2 7 0]" in pattern
    assert b"/ShadingType 3 /Coords [5 5 0 5 5 4]" in pattern


def test_what_the_engine_draws_begins_with_lines_as_they_are_at_first(studio: Studio) -> None:
    face = studio.face(
        '<path d="M0 0h9" stroke="red" stroke-dasharray="1"/><use href="#a"/>'
        '<defs><g id="a">{{ text_line("Used", 5, 9, "body") }}</g></defs>'
    )
    [art] = face.drawing.engine
    assert f"q 1 w 0 J 0 j 10 M [] 0 d /E{art.sha256[:16]} Do Q" in operators(face)
    assert "<defs>" in art.svg
    assert 'fill-opacity="0" d="M-3 -3h.1v.1zM66 91h-.1v-.1z"' in art.svg


def test_words_that_the_engine_draws_are_there_unseen(studio: Studio) -> None:
    mask = '<mask id="m"><rect width="60" height="80" fill="white"/></mask>'
    face = studio.face(f'{mask}<g mask="url(#m)">{{{{ text_line("Word", 5, 9, "body") }}}}</g>')
    assert re.search(r"Do Q\nq 1 0 0 1 0 0 cm\nBT 3 Tr /T", operators(face))
    assert face.drawing.fonts


@pytest.mark.parametrize(
    ("look", "mode"),
    [("", "0 Tr"), ('stroke="red"', "2 Tr"), ('stroke="red" stroke-opacity="0.5"', "1 Tr")],
)
def test_letters_are_filled_and_outlined(look: str, mode: str, studio: Studio) -> None:
    drawn = operators(studio.face(f'<g {look}>{{{{ text_line("A", 5, 9, "body") }}}}</g>'))
    assert f"BT {mode}" in drawn


def test_texts_that_nothing_covers_can_be_set_in_their_own_ink(studio: Studio) -> None:
    line = '{{{{ text_line("A", 5, {}, "body", colour="ink") }}}}'
    cover = '<rect x="4" y="25" width="30" height="10"/>'
    face = studio.face(line.format(9) + line.format(30) + cover)
    [text] = face.drawing.texts
    assert text.colour == "#1d1a17"
    content = operators(face)
    assert content[text.begin : text.end].startswith("q 1 0 0 1 0 0 cm\n/RGB cs")
    assert content[text.begin : text.end].endswith("ET Q\n")
    assert content[text.paint_begin : text.paint_end] == "/RGB cs 0.113725 0.101961 0.090196 sc\n"
