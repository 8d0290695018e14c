"""Macros called again with the same values write, set and read the same."""

from typing import Any

import pytest
from render.studio import Studio, source

from generator.model.pack import Component
from generator.render.face_environment import Setting
from generator.render.renderer import Renderer
from generator.sandbox.environment import BoundedEnvironment

MADE = BoundedEnvironment.call_macro
DOT = '{% macro dot(at) %}<circle cx="{{ at[0] }}" r="{{ at[1] }}"/>{% endmacro %}'


@pytest.fixture
def calls(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The macros that are run, by name."""
    made = list[str]()

    def call_macro(self: Any, context: Any, macro: Any, *given: Any) -> str:
        made.append(macro.name)
        return MADE(self, context, macro, *given)

    monkeypatch.setattr(BoundedEnvironment, "call_macro", call_macro)
    return made


def drawn(studio: Studio, part: str, template: str) -> list[str]:
    studio.template(part, "part.svg.j2")
    outcome = studio.draw('{% import "part.svg.j2" as part %}' + template)
    assert outcome.diagnostics == ()
    return [face.svg[face.svg.index(">") + 1 : -len("</svg>")] for face in outcome.value]


def test_a_macro_with_the_same_values_is_run_once(studio: Studio, calls: list[str]) -> None:
    studio.ids = ("a", "b", "c")
    svg = drawn(studio, DOT, "{{ part.dot([1, 2]) }}{{ part.dot([1, 2]) }}{{ part.dot([3, 2]) }}")
    assert svg == [
        '<circle cx="1" r="2"/><circle cx="1" r="2"/><circle cx="3" r="2"/>' for _ in range(3)
    ]
    assert calls == ["dot", "dot"]


@pytest.mark.parametrize(
    "values",
    [
        ("1", "true", "1.0", '"1"'),
        ("0.0", "-0.0"),
        ("[1]", "{1: 1}", "[[1]]", "none"),
        ("[1, [2]]", "[[1], 2]"),
        ('"<"', '"<" | safe'),
    ],
)
def test_values_are_told_apart(studio: Studio, calls: list[str], values: tuple[str, ...]) -> None:
    part = '{% macro told(v) %}{% if v is defined %}<path d="M0 0h1"/>{% endif %}{% endmacro %}'
    drawn(studio, part, "".join(f"{{{{ part.told({value}) }}}}" for value in values * 2))
    assert calls == ["told"] * len(values)


@pytest.mark.parametrize(
    "part",
    [
        '{% macro told(t) %}{{ text_line(t, 5, 20, "body") }}{% endmacro %}',
        '{% macro told(t) %}{{ image("a.png", 5, 5, 9, 9) }}{% endmacro %}',
        "{% macro inner(t) %}{{ text_box(t, 5, 20, 50, 9, 'body') }}{% endmacro %}"
        "{% macro told(t) %}{{ inner(t) }}{% endmacro %}",
    ],
    ids=["text", "picture", "text of another macro"],
)
def test_what_a_macro_leaves_on_the_face_is_on_each(
    studio: Studio, calls: list[str], part: str
) -> None:
    studio.ids = ("a", "b")
    studio.picture("a.png", 200, 200)
    studio.template(part, "part.svg.j2")
    outcome = studio.draw('{% import "part.svg.j2" as part %}{{ part.told("now") }}')
    assert outcome.diagnostics == ()
    first, second = outcome.value
    assert first.drawing == second.drawing
    assert first.drawing.fonts or first.drawing.assets
    assert [box.used for box in first.text_boxes] == [box.used for box in second.text_boxes]
    assert calls.count("told") == 2


def test_a_fault_is_told_of_each_face(studio: Studio) -> None:
    studio.ids = ("a", "b")
    studio.template('{% macro told() %}<path fill="{{ draw.dots([[1, 1]], fill="puce") }}"/>'
                    "{% endmacro %}", "part.svg.j2")  # fmt: skip
    renderer = made_by(studio, '{% import "part.svg.j2" as part %}{{ part.told() }}')
    for component in components(studio):
        codes = {one.diagnostic.code for one in renderer.draw(component, "front").findings}
        assert "GP309" in codes


def components(studio: Studio) -> tuple[Component, ...]:
    return tuple(studio.pack().components["card"])


def made_by(studio: Studio, template: str) -> Renderer:
    studio.template(template)
    return Renderer(Setting(studio.pack(), studio.project, studio.fonts, studio.assets))


def test_what_a_call_read_is_read_by_all_who_are_given_it(studio: Studio) -> None:
    studio.ids = ("a", "b")
    studio.more = {"words": {"yes": "ja"}}
    studio.template(
        '{% macro told() %}<path d="M0 0h{{ word("yes") | length }}" fill="{{ colour.ink }}"/>'
        "{% endmacro %}",
        "part.svg.j2",
    )
    renderer = made_by(studio, '{% import "part.svg.j2" as part %}{{ part.told() }}')
    read = []
    for component in components(studio):
        with renderer._tracker.reading() as log:
            renderer.draw(component, "front")
        read.append(log)
    assert read[0] == read[1]
    assert read[1] >= {("colour", "ink"), ("word", "yes")}


def test_texts_from_different_places_are_told_apart(studio: Studio, calls: list[str]) -> None:
    part = '{% macro told(t) %}<path d="M0 0h{{ t | length }}"/>{% endmacro %}'
    studio.values = {"one": source("same", 4), "two": source("same", 5)}
    drawn(studio, part, "{{ part.told(c.one) }}{{ part.told(c.two) }}{{ part.told(c.one) }}")
    assert calls == ["told", "told"]
