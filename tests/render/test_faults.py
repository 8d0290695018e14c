"""Every fault of a template gives its diagnostic: file, line, column, severity, code, words.

A template of fixtures/render.txt begins with the exact diagnostics that it must give: `{#!
[file:]line:column severity code words #}`, in its own file unless another one is named.
"""

import re
from pathlib import Path

import pytest
from bundles import unbundled
from render.studio import Studio, source

CASES = unbundled(Path(__file__).parents[1] / "fixtures/render.txt")
EXPECTED = re.compile(r"\{#! (?:(\S+?):)?(\d+:\d+) (\w+) (GP\d{3}) ?(.*?) #\}")


@pytest.fixture
def mini(studio: Studio) -> Studio:
    """Words, pictures and icons for the fixtures."""
    studio.picture("art/field.png", 300, 300)
    studio.write("cards/mini/art/torn.png", b"\x89PNG\r\n\x1a\n" + b"0" * 40)
    studio.icon("whip", '<path d="M0 0h9v9z"/>')
    studio.write("templates/mini/icons/torn.svg", "<svg><g></svg>")
    studio.write("templates/mini/art/torn.svg", "<svg><g></svg>")
    studio.write(
        "templates/mini/art/horse.svg",
        '<svg viewBox="0 0 9 9"><defs><linearGradient id="coat"><stop/></linearGradient></defs>'
        '<g id="mane"><path fill="url(#coat)"/></g></svg>',
    )
    studio.template('{{ text_line("Too early", 5, 9, "body") }}\n', "parts/early.svg.j2")
    studio.template("{# wheels #}\n", "parts/wheels.svg.j2")
    studio.template("<g>{% block middle %}{% endblock %}</g>", "parts/base.svg.j2")
    studio.template(
        "<g>{% block middle %}<g/>{% endblock %}</g>\n\n <circle clas='a'/>",
        "parts/crooked.svg.j2",
    )
    studio.template(
        "{% macro dot(x) %}\n"
        '<circle cx="{{ x }}" cy="5" r="2"\n'
        '  colr="{{ x }}"/>\n'
        "{% endmacro %}\n"
        "{% macro row() %}<g>{% for x in [1, 2] %}{{ dot(x) }}{% endfor %}</g>{% endmacro %}\n"
        "{% macro group() %}<g>{{ caller() }}</g>{% endmacro %}\n",
        "parts/marks.svg.j2",
    )
    studio.values = {
        "name": source("Chariot & four"),
        "text": source("Discard **1** card, then move 2 hexes straight on.", 4, rich=True),
        "lost": source("art/feild.png", 5, 10),
        "art": source("art/field.png", 6, 10),
        "torn": source("art/torn.png", 8, 10),
        "speed": 3,
    }
    return studio


@pytest.mark.parametrize("case", CASES, ids=lambda name: name.removesuffix(".svg.j2"))
def test_a_fault_of_a_template_gives_its_diagnostic(case: str, mini: Studio) -> None:
    content = CASES[case]
    expected = [
        (file or case, place, severity, code, words)
        for file, place, severity, code, words in EXPECTED.findall(content)
    ]
    assert expected
    mini.template(content, case)
    found = mini.draw(faces={"front": case}).diagnostics
    said = [
        (
            diagnostic.span.file.removeprefix("templates/mini/"),
            f"{diagnostic.span.line}:{diagnostic.span.column}",
            str(diagnostic.severity),
            diagnostic.code,
        )
        for diagnostic in found
    ]
    assert said == [wanted[:4] for wanted in expected], list(map(str, found))
    for diagnostic, wanted in zip(found, expected, strict=True):
        assert wanted[4] in diagnostic.message
        assert "Helper" not in diagnostic.message
        assert diagnostic.hint, "a hint says what to do"
