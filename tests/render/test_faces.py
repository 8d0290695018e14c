import multiprocessing
from pathlib import Path

import pytest
from msgspec.structs import replace
from render.studio import POKER, Studio, operators, png

from generator import workers
from generator.geometry import Size
from generator.model.catalogue import Shape, Stock
from generator.model.face import Face
from generator.render import Deck, Setting, faces_to_draw


def names(faces: tuple[Face, ...]) -> list[tuple[str, str]]:
    return [(face.component, face.name) for face in faces]


def test_a_face_is_an_svg_in_millimetres_from_the_trims_corner(studio: Studio) -> None:
    studio.stock = Stock("tile", POKER.trim, bleed=2.5)
    face = studio.face('<rect width="63" height="88"/>')
    assert face.svg == (
        '<svg xmlns="http://www.w3.org/2000/svg" width="68mm" height="93mm" '
        'viewBox="-2.5 -2.5 68 93"><rect width="63" height="88"/></svg>'
    )
    assert operators(face) == "/Grey cs 0 sc 0 0 63 88 re f\n"
    assert studio.face('<rect width="63" height="88"/>', for_export=False).svg == ""
    assert (face.kind, face.name, face.stock) == ("card", "front", studio.stock)


def test_each_component_is_drawn_on_its_own_stock_and_its_kinds_is_known_as_well(
    studio: Studio,
) -> None:
    studio.ids = ("a", "b")
    pack = studio.pack()
    large = replace(POKER, trim=Size(90, 120), shape=Shape.PATH, path="M0 0 H90 V120 Z")
    small, big = pack.components["card"]
    studio.more = {"components": {"card": (small, replace(big, stock=large))}}
    faces = studio.draw(
        "<title>{{ stock.w }} {{ stock.path }} {{ stocks.card.w }}</title><rect/>"
    ).value
    assert [face.stock for face in faces] == [POKER, large]
    assert "<title>63  63<" in faces[0].svg
    assert "<title>90 M0 0 H90 V120 Z 63<" in faces[1].svg
    assert 'viewBox="-3 -3 96 126"' in faces[1].svg


def test_a_face_prints_at_its_place(studio: Studio, tmp_path: Path) -> None:
    drawn = png(studio.face('<rect width="63" height="88" fill="#ff0000"/>'), tmp_path)
    red, white = (255, 0, 0), (255, 255, 255)
    assert [drawn.getpixel(at) for at in ((10, 10), (20, 20), (325, 450), (335, 460))] == [
        white,
        red,
        red,
        white,
    ]


def test_faces_come_in_the_order_of_the_files_front_first(studio: Studio) -> None:
    studio.ids = ("b", "a")
    studio.template("<g/>")
    faces = studio.draw(faces={"back": "face.svg.j2", "front": "face.svg.j2"}).value
    assert names(faces) == [("b", "front"), ("b", "back"), ("a", "front"), ("a", "back")]


def test_only_what_is_wanted_is_drawn(studio: Studio) -> None:
    studio.ids = ("crew-1", "crew-2", "wreck")
    drawn = studio.draw("<g/>", wanted=lambda one: one.answers_to("crew-*")).value
    assert [face.component for face in drawn] == ["crew-1", "crew-2"]


def test_what_a_template_knows(studio: Studio) -> None:
    studio.ids = ("a", "b")
    studio.values = {"speed": 3}
    studio.more = {"players": 4, "credits": ("me",), "language": "de"}
    template = (
        "<title>{{ c.id }} {{ c.speed }} {{ side }} {{ ink }} {{ players }} {{ pack.title }} "
        "{{ pack.version }} {{ pack.options.fog }} {{ pack.credits[0] }} {{ pack.language }} "
        "{{ stock.w }} {{ stock.h }} {{ stock.bleed }} {{ stock.safe }} {{ stock.radius }} "
        "{{ components.card | length }} {{ components.card[1].id }} {{ colour.bronze }}</title>"
        "<rect/>"
    )
    face = studio.draw(template).value[0]
    assert "<title>a 3 front full 4 Mini 1.0.0 True me de 63 88 3 3 3 2 b #a8743a</title>" in (
        face.svg
    )


def test_macros_know_the_helpers_and_the_pack(studio: Studio) -> None:
    studio.template(
        '{% macro plate(x) %}{{ text_line(pack.title, x, 9, "body") }}'
        '<rect fill="{{ colour.sand }}" width="2" height="2"/>{% endmacro %}',
        "parts/plates.svg.j2",
    )
    face = studio.face('{% from "parts/plates.svg.j2" import plate %}{{ plate(7) }}{{ plate(9) }}')
    assert [box.box.x > 6 for box in face.text_boxes] == [True, True]
    assert face.svg.count("#e6cb98") == 2


def test_a_face_with_a_fault_is_left_out_and_the_others_are_drawn(studio: Studio) -> None:
    studio.ids = ("a", "b", "c")
    outcome = studio.draw(
        "<g>{{ 1 / (0 if c.id == 'b' else 1) }}</g>".replace("{{", "{% set x =").replace("}}", "%}")
    )
    assert [face.component for face in outcome.value] == ["a", "c"]
    assert "the front of 'b'" in outcome.diagnostics[0].message


def test_a_fault_of_a_template_is_told_once_for_all_faces(studio: Studio) -> None:
    studio.ids = ("a", "b", "c")
    (told,) = studio.findings("<g>{{ nonsense }}</g>")
    assert "(the front of 'a' and 2 more)" in told.message


def test_a_missing_template_is_told_at_the_kind(studio: Studio) -> None:
    studio.template("<g/>", "fase.svg.j2")
    outcome = studio.draw()
    (told,) = outcome.diagnostics
    assert (str(told.span), told.code) == ("kinds/card.yaml:4:16", "GP301")
    assert "'face.svg.j2'" in told.message
    assert told.hint == "did you mean 'fase.svg.j2'?"


@pytest.mark.parametrize(
    ("content", "code", "place"),
    [
        (b"<g>\n\xff</g>", "GP302", "templates/mini/face.svg.j2:2:1"),
        (b"<!-- " + b"x" * 1_000_000 + b" -->", "GP306", "templates/mini/face.svg.j2:1:1"),
    ],
)
def test_a_template_that_is_no_text_or_too_large(
    content: bytes, code: str, place: str, studio: Studio
) -> None:
    studio.write("templates/mini/face.svg.j2", content)
    (told,) = studio.draw().diagnostics
    assert (told.code, str(told.span)) == (code, place)


def test_a_template_that_is_a_link_out_of_the_project(studio: Studio, tmp_path: Path) -> None:
    outside = tmp_path.parent / f"{tmp_path.name}-outside.svg.j2"
    outside.write_text("<g/>")
    (studio.root / "templates/mini").mkdir(parents=True)
    (studio.root / "templates/mini/face.svg.j2").symlink_to(outside)
    (told,) = studio.draw().diagnostics
    assert (told.code, str(told.span)) == ("GP004", "kinds/card.yaml:4:16")


def test_low_ink_replaces_the_palettes_colours(studio: Studio) -> None:
    template = '<rect fill="{{ colour.bronze }}" stroke="#a8743a" width="9" height="9"/>'
    assert 'fill="#e8dccb" stroke="#e8dccb"' in studio.inside(template, ink="low")


def test_mono_is_without_colour(studio: Studio) -> None:
    studio.icon("spot", '<circle r="5" fill="#ff0000"/>')
    inside = studio.inside(
        '{{ icon("spot", 5, 5, 9) }}{{ text_line("A", 5, 30, "title") }}'
        '<rect fill="blue" width="3" height="3"/>',
        ink="mono",
    )
    for colour in ("#7f7f7f", "#4c4c4c"):
        assert f'fill="{colour}"' in inside
    assert "#a8743a" not in inside


COUNTING = """
{% set seen = namespace(n=0) %}
{% for _ in range(3) %}{% set seen.n = seen.n + 1 %}{% endfor %}
{% macro count() %}{% set seen.n = seen.n + 1 %}{{ text_line(seen.n, 9, 9, "body") }}{% endmacro %}
{% macro told() %}{{ text_line(seen.n, 9, 9, "body") }}{% endmacro %}
"""


def test_no_face_hands_anything_on_to_the_next(studio: Studio) -> None:
    studio.ids = ("a", "b")
    studio.template(COUNTING, "parts/counting.svg.j2")
    outcome = studio.draw('{% import "parts/counting.svg.j2" as p %}\n{{ p.count() }}')
    assert [(d.code, d.span.file, d.span.line) for d in outcome.diagnostics] == [
        ("GP304", "templates/mini/parts/counting.svg.j2", 4)
    ]
    assert "inside the macro" in outcome.diagnostics[0].message
    first, second = studio.draw('{% import "parts/counting.svg.j2" as p %}{{ p.told() }}').value
    assert ">3</tspan>" in first.svg
    assert first.sha256 == second.sha256


def test_a_template_imported_with_context_is_of_one_face(studio: Studio) -> None:
    studio.ids = ("a", "b")
    studio.template(COUNTING, "parts/counting.svg.j2")
    first, second = studio.draw(
        '{% import "parts/counting.svg.j2" as p with context %}{{ p.count() }}'
    ).value
    assert ">4</tspan>" in first.svg
    assert first.sha256 == second.sha256


MANY = '{{ text_line(c.id, 5, 9, "body") }}{% if c.id == "n-7" %}{{ nonsense }}{% endif %}'


@pytest.mark.parametrize("kind", ["fork", "spawn"])
def test_several_processes_draw_the_same(
    studio: Studio, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    """The processes are copies of this one, or fresh ones that receive their data."""
    monkeypatch.setattr(workers, "context", lambda: multiprocessing.get_context(kind))
    studio.ids = tuple(f"n-{number}" for number in range(120))
    studio.template(MANY)
    setting = Setting(studio.pack(), studio.project, studio.fonts, studio.assets)
    reports: list[tuple[int, int]] = []
    tasks = faces_to_draw(setting.pack)
    alone = Deck(setting).draw_all(tasks)
    together = Deck(setting).draw_all(
        tasks, jobs=2, patience=0, progress=lambda done, total: reports.append((done, total))
    )
    assert together == alone
    assert len(alone) == 120
    assert alone[7].face is None
    assert reports[-1] == (120, 120)
    assert [done for done, _ in reports] == sorted(done for done, _ in reports)
