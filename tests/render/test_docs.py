"""docs/templates.md cannot lie: its examples draw, and it names all that there is."""

import itertools
import re
from pathlib import Path

import pytest
from render.studio import COLOURS, SHIPPED, Studio, source

from generator.render.face_environment import Setting
from generator.render.renderer import Renderer
from generator.render.shapes import Draw
from generator.sandbox.vocabulary import FILTERS
from generator.svg_subset import ELEMENTS

DOCS = (SHIPPED / "docs/templates.md").read_text(encoding="utf-8")
EXAMPLES = re.findall(r"^```jinja\n(.*?)^```", DOCS, re.DOTALL | re.MULTILINE)
MACROS = re.compile(r"\{% macro (\w+)\(")

TRACKS = """{% from "shared/track.svg.j2" import number_track, square_grid, dial %}
{% set tone = {"paper": "#f5ecdb", "light": "#fff8ec", "warm": "#d9a441", "band": "#7c2f24",
  "mark": "#742a20", "ink": "#231a14"} %}
"""
LAMP = """<svg xmlns="http://www.w3.org/2000/svg" viewBox="-10 -10 20 20">
<defs><linearGradient id="brass"><stop stop-color="#aa8833"/></linearGradient>
<linearGradient id="glow"><stop stop-color="#ffdd88"/></linearGradient></defs>
<g id="lamp"><path d="M-5 8L0-8 5 8z" fill="url(#brass)"/></g>
<g id="flames"><g id="low"><circle r="2" fill="url(#glow)"/></g></g>
<g id="places"><g id="hook" transform="translate(0 -8) rotate(30) scale(.5)"/>
<rect id="glass" x="-2" y="-2" width="4" height="4"/></g></svg>"""


@pytest.fixture
def documented(studio: Studio) -> Studio:
    """The pack that the examples speak of."""
    studio.picture("art/field.png", 900, 900)
    studio.icon("whip", '<path d="M0 0h9v9z"/>')
    studio.write("templates/mini/art/lamp.svg", LAMP)
    studio.values = {
        "name": source("The Long Sitting"),
        "text": source("Discard **1** card, then move 2 hexes {whip}.", 4, rich=True),
        "art": source("art/field.png", 5),
        "speed": 3,
    }
    return studio


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda text: text.splitlines()[0][:40])
def test_every_example_draws(example: str, documented: Studio) -> None:
    face = documented.face(example)
    assert len(face.svg) > 200


@pytest.mark.parametrize("ink", ["low", "mono"])
def test_every_example_draws_with_less_ink(ink: str, documented: Studio, tmp_path: Path) -> None:
    for example in EXAMPLES:
        outcome = documented.draw(example, ink=ink, scratch=tmp_path / "scratch")
        # Low ink cannot change a colour that an example writes itself; it only warns.
        assert {found.code for found in outcome.diagnostics} <= {"GP310"} & {
            ink == "low" and "GP310"
        }
        assert COLOURS["bronze"] not in outcome.value[0].svg


def test_every_name_that_a_template_knows_is_there(documented: Studio) -> None:
    setting = Setting(documented.pack(), documented.project, documented.fonts, documented.assets)
    names = set(Renderer(setting)._environment.globals) | {"c", "stock", "side"}
    missing = {name for name in names if not re.search(rf"`{name}[`(.]", DOCS)}
    assert missing == set()


def test_every_shape_filter_and_element_is_there() -> None:
    shapes = {name for name in vars(Draw) if not name.startswith("_")}
    assert {name for name in shapes if f"`draw.{name}(" not in DOCS} == set()
    assert {name for name in FILTERS if f"`{name}`" not in DOCS} == set()
    assert {name for name in ELEMENTS if f"`{name}`" not in DOCS} == set()


def test_every_shared_macro_is_there() -> None:
    for path in (SHIPPED / "templates/shared").glob("*.svg.j2"):
        file = path.name.removesuffix(".svg.j2")
        named = DOCS.count(f"`{file}` |") + DOCS.count(f"`shared/{path.name}")
        assert named, path.name
        for name in MACROS.findall(path.read_text(encoding="utf-8")):
            called = rf"`{name}\(|`shared/{re.escape(path.name)} {name}`"
            assert name.startswith("_") or re.search(called, DOCS), name


@pytest.mark.parametrize(
    ("call", "words"),
    [
        ('number_track(6, 6, 51, 12, 3, 0, "body", tone, columns=2)', "3 2 1 0"),
        ('number_track(6, 6, 51, 12, -1, 1, "body", tone)', "-1 0 1"),
        ('dial(20, 70, 13, 5, 3, "body", tone)', "5 4 3"),
        ('square_grid(2, 6, 54, 1, 1, tone, style="body")', "A1 Z1 AA1 AZ1 BB1"),
    ],
)
def test_tracks_count_down_and_columns_go_on_after_z(
    call: str, words: str, documented: Studio
) -> None:
    told = documented.face(f"{TRACKS}{{{{ {call} }}}}").words.split()
    listed = words.split()
    assert [word for word in told if word in listed] == listed
    assert len(told) == len(listed) or "grid" in call


def test_numbers_of_a_full_dial_do_not_meet(documented: Studio) -> None:
    boxes = documented.face(f'{TRACKS}{{{{ dial(31.5, 40, 28, 1, 36, "body", tone) }}}}').text_boxes
    for one, other in itertools.pairwise(boxes):
        apart = (
            other.used.x - one.used.right,
            one.used.x - other.used.right,
            other.used.y - one.used.bottom,
            one.used.y - other.used.bottom,
        )
        assert max(apart) > 0
