"""Each face knows where its texts, pictures and icons are, where they are written, and which line
of a template or box of a face file sets them."""

from pathlib import Path

import pytest
from msgspec.structs import astuple
from render.studio import Studio, operators, png, source
from render.test_face_boxes import boxes

from generator.cache import Cache
from generator.diagnostics import Span
from generator.model.face import Face, FacePicture

TEMPLATE = "templates/mini/face.svg.j2"
ART, MARK = source("art.png", 7), source("sun", 8)


@pytest.fixture
def drawable(studio: Studio) -> Studio:
    studio.values = {"name": source("Watchtower"), "art": ART, "mark": MARK}
    studio.picture("art.png", 600, 400)
    studio.icon("sun", '<path d="M0 0h10v10H0z"/>')
    studio.icon("wide", '<path d="M0 0h20v10H0z"/>', "0 0 20 10")
    return studio


def places(face: Face) -> list[tuple[float, ...]]:
    return [tuple(round(value, 2) for value in astuple(one.rect)) for one in face.pictures]


def line_of(one: Span | None) -> tuple[str, int] | None:
    return None if one is None else (Path(one.file).name, one.line)


def test_a_template_says_which_line_sets_what(drawable: Studio) -> None:
    face = drawable.face(
        '{{ text_box(c.name, 5, 10, 50, 8, "body") }}\n'
        "<g>\n"
        "  {{ image(c.art, 5, 20, 30, 20) }}\n"
        '  {{ icon(c.mark, 40, 20, 10) }}{{ icon("wide", 40, 40, 10, 10) }}\n'
        "</g>"
    )
    [text] = face.text_boxes
    assert text.span == source("").span
    assert line_of(text.call) == ("face.svg.j2", 1)
    assert [(one.span, line_of(one.call), one.icon) for one in face.pictures] == [
        (ART.span, ("face.svg.j2", 3), False),
        (MARK.span, ("face.svg.j2", 4), True),
        (None, ("face.svg.j2", 4), True),
    ]
    assert places(face) == [(5, 20, 30, 20), (40, 20, 10, 10), (40, 42.5, 10, 5)]


def test_turned_and_nested_groups_move_what_is_in_them(drawable: Studio) -> None:
    face = drawable.face(
        '<g transform="translate(10 20)"><g transform="rotate(90)">'
        "{{ image(c.art, 0, 0, 20, 10) }}{{ icon(c.mark, 20, 0, 4) }}</g></g>"
        '<g transform="scale(2)">{{ icon(c.mark, 5, 5, 4) }}</g>'
    )
    assert places(face) == [(0, 20, 10, 20), (6, 40, 4, 4), (10, 10, 8, 8)]


def test_what_is_hidden_has_no_place(drawable: Studio) -> None:
    face = drawable.face('<g display="none">{{ icon(c.mark, 5, 5, 4) }}</g>')
    assert face.pictures == ()


def test_icons_of_a_macro_are_found_each_time(drawable: Studio) -> None:
    drawable.ids = ("first", "second")
    drawable.template("{% macro pip(x) %}{{ icon('sun', x, 5, 4) }}{% endmacro %}", "parts.svg.j2")
    faces = drawable.draw(
        '{% import "parts.svg.j2" as parts %}{{ parts.pip(5) }}{{ parts.pip(15) }}'
    ).value
    assert [places(face) for face in faces] == [[(5, 5, 4, 4), (15, 5, 4, 4)]] * 2
    assert {line_of(one.call) for face in faces for one in face.pictures} == {("parts.svg.j2", 1)}


def test_marks_are_in_no_svg(drawable: Studio, tmp_path: Path) -> None:
    mask = '<mask id="m"><rect width="60" height="80" fill="white"/></mask>'
    face = drawable.face(f'{mask}<g mask="url(#m)">{{{{ icon(c.mark, 10, 10, 20) }}}}</g>')
    assert "?art" not in face.svg
    assert [art.svg for art in face.drawing.engine if "?art" in art.svg] == []
    assert "?art" not in operators(face)
    assert png(face, tmp_path).getpixel(((20 + 3) * 5, (20 + 3) * 5)) == (0, 0, 0)
    assert places(face) == [(10, 10, 20, 20)]


def test_a_face_file_says_which_box_shows_what(drawable: Studio) -> None:
    drawable.values["focus"] = (0.5, 0.5, 2)
    [face] = boxes(
        drawable,
        "name: {text: name, at: [5, 10, 50, 8]}",
        "art: {picture: art, at: [5, 20, 30, 20], focus: focus}",
        "marks: {icon: mark, at: [10, 50, 20, 4], times: 2, turn: 90}",
    )
    [text] = face.text_boxes
    name, art, marks = face.placed
    assert text.call == name.span
    assert face.pictures[0] == FacePicture(art.rect, ART.span, art.span)
    assert [(one.span, one.call, one.icon) for one in face.pictures[1:]] == [
        (MARK.span, marks.span, True)
    ] * 2
    assert places(face)[1:] == [(18, 48, 4, 4), (18, 52, 4, 4)]


def test_a_kept_face_knows_its_places_as_they_are_now(drawable: Studio, tmp_path: Path) -> None:
    template = "{{ image(c.art, 5, 20, 30, 20) }}\n{{ text_box(c.name, 5, 10, 50, 8, 'body') }}"
    cache = Cache(tmp_path / "cache", b"")
    drawn = drawable.face(template, cache=cache, for_export=False)
    drawable.values["name"] = source("Watchtower", 5)
    drawable.values["art"] = source("art.png", 9)
    kept = drawable.face(template, cache=cache, for_export=False)
    assert kept.pictures == (
        FacePicture(drawn.pictures[0].rect, source("", 9).span, drawn.pictures[0].call),
    )
    assert kept.text_boxes[0].call == drawn.text_boxes[0].call
    assert kept.sha256 == drawn.sha256
