"""Layers of drawings on faces: their colours, their ids, and the dependencies of a face."""

from pathlib import Path

import pytest
from render.studio import COLOURS, Studio

from generator.cache import NOTHING_KEPT, InMemory

DEFS = (
    '<defs><linearGradient id="bronze"><stop stop-color="#123456"/></linearGradient>'
    '<clipPath id="arch"><path d="M0 0h9v9z"/></clipPath></defs>'
)


@pytest.fixture
def horse(studio: Studio) -> Path:
    return studio.write(
        "templates/mini/art/beasts/horse.svg",
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9">{DEFS}'
        '<g id="body"><path d="M0 0h9" fill="url(#bronze)"/></g>'
        '<g id="head"><path d="M1 1h9" clip-path="url(#arch)"/></g>'
        '<g id="at"><g id="ear" transform="translate(2.5 3)"/></g></svg>',
    )


@pytest.mark.parametrize(
    ("colours", "fill"),
    [
        ("", COLOURS["bronze"]),
        (', {"bronze": "sand"}', COLOURS["sand"]),
        (', {"bronze": "#ff0000", "mane": "#00ff00"}', "#ff0000"),
    ],
)
def test_a_named_colour_is_what_is_given_or_the_palettes(
    studio: Studio, horse: Path, colours: str, fill: str
) -> None:
    drawn = studio.inside('{{ art("beasts/horse", "body"' + colours + ") }}")
    assert drawn == f'<path d="M0 0h9" fill="{fill}"/>'


def test_a_layer_may_stand_on_a_face_more_than_once(studio: Studio, horse: Path) -> None:
    face = studio.face('{{ art("beasts/horse", "head") }}{{ art("beasts/horse", "head") }}')
    assert face.svg.count("<clipPath") == 2
    assert 'id="arch"' not in face.svg


def test_a_face_is_drawn_again_when_its_drawing_is_another(studio: Studio, horse: Path) -> None:
    template, kept = '{{ art("beasts/horse", "body") }}', InMemory(NOTHING_KEPT)
    before = studio.face(template, cache=kept)
    horse.write_text(horse.read_text().replace("M0 0h9", "M0 0h7"))
    assert "M0 0h7" in studio.face(template, cache=kept).svg
    assert "M0 0h9" in before.svg
