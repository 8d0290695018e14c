"""Kept results change only the time of a build: cold, warm and half-warm builds give the same bytes
and the same findings."""

from __future__ import annotations

import re
import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from generator.build import Order, draw, open_pack, press_pack
from generator.cache import Cache, Sort, flush
from generator.diagnostics import Diagnostic
from generator.model.pack import Component
from generator.project import find_targets
from generator.render.renderer import Renderer

BASE = Path(__file__).parent / "fixtures/faults/base"
CARDS, FACE = "cards/mini/cards.yaml", "templates/mini/card.svg.j2"
STYLES, KIND = "templates/mini/styles.yaml", "cards/mini/kinds/card.yaml"
SIGN = """<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9">
<g id="post"><path fill="#333333" d="M30 70H33V80H30Z"/></g></svg>"""

Edit = Callable[[Path], None]
Built = tuple[dict[str, bytes], list[Diagnostic]]


@pytest.fixture
def project(tmp_path: Path) -> Path:
    return _project(tmp_path / "project")


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Built]:
    """Build the project, and return the cache folder and the build."""
    folder = tmp_path_factory.mktemp("kept")
    made = built(_project(folder / "project"), folder / "out", Cache(folder / "cache"))
    return folder / "cache", made


def _project(folder: Path) -> Path:
    shutil.copytree(BASE, folder)
    card = "  - {{id: c{0}, name: Card {0}, text: Move **{0}**., speed: 1, suit: sun, {1}}}\n"
    cards = (card.format(n, "art: art/field.png, mark: dot") for n in range(5))
    (folder / CARDS).write_text("kind: card\ncomponents:\n" + "".join(cards), encoding="utf-8")
    with (folder / KIND).open("a", encoding="utf-8") as kind:
        kind.write('checks:\n  - {that: speed < 3, at: speed, message: "{{ name }} is too fast"}\n')
    drawing = folder / "templates/mini/art/sign.svg"
    drawing.parent.mkdir()
    drawing.write_text(SIGN, encoding="utf-8")
    with (folder / FACE).open("a", encoding="utf-8") as template:
        template.write('<g id="leaf"><path d="M9 9h1v1z"/></g><use href="#leaf" x="1"/>')
        template.write('{{ art("sign", "post") }}\n')
    return folder


def built(project: Path, output: Path, cache: Cache | None, jobs: int = 1) -> Built:
    """Return the files of a build, and its findings."""
    [target] = find_targets([str(project)])
    shutil.rmtree(output, ignore_errors=True)
    order = Order(jobs=jobs) if cache is None else Order(jobs=jobs, cache=cache)
    said = press_pack(target, order, output).diagnostics
    folder = output / target.pack
    files = folder.iterdir() if folder.is_dir() else ()
    return {path.name: path.read_bytes() for path in files}, list(said)


def swapped(file: str, old: str, new: str) -> Edit:
    """Return an edit that replaces one text with another."""

    def edit(project: Path) -> None:
        text = (project / file).read_text(encoding="utf-8")
        assert old in text, (file, old)
        (project / file).write_text(text.replace(old, new, 1), encoding="utf-8")

    edit.__name__ = f"{file}: {new}"
    return edit


def another_picture(project: Path) -> None:
    """A picture under the same name."""
    Image.new("RGB", (400, 400), "#336699").save(project / "cards/mini/art/field.png")


EDITS = [
    swapped(CARDS, "Card 2", "Another name"),
    swapped(CARDS, "components:", "components:\n\n"),
    swapped(CARDS, "Move **1**", "Move *one*"),
    swapped(CARDS, "speed: 1", "speed: 2"),
    swapped(CARDS, "id: c3", "id: d3"),
    swapped(FACE, "10, 20, 20) }}", '10, 20, 20) }}<rect width="3" height="3" fill="#ff0000"/>'),
    swapped(FACE, "c.name, 5, 35", "c.name, 6, 35"),
    swapped(STYLES, "size: 9pt", "size: 8.5pt"),
    swapped(STYLES, "#1d1a17", "#2d1a17"),
    swapped(KIND, "max_length: 30", "max_length: 29"),
    swapped(KIND, "speed < 3", "speed < 2"),
    swapped(KIND, "is too fast", "is quick"),
    swapped(KIND, "speed < 2", "speed < 4"),
    another_picture,
    swapped(CARDS, "text: Move **4**.", f"text: {'Far too long. ' * 60}"),
    swapped(CARDS, "Far too long. " * 60, "Short."),
]


def test_a_build_with_what_was_kept_is_the_build_without(project: Path, tmp_path: Path) -> None:
    cache = Cache(tmp_path / "cache")
    built(project, tmp_path / "out", cache)
    for number, edit in enumerate(EDITS):
        edit(project)
        warm = built(project, tmp_path / "out", cache, jobs=1 + number % 2)
        assert warm == built(project, tmp_path / "out", None), edit.__name__
        if number % 5 == 0:
            assert built(project, tmp_path / "out", cache) == warm, "and once more"


def test_nothing_is_made_anew_when_nothing_changed(
    project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cache = Cache(tmp_path / "cache")
    cold = built(project, tmp_path / "out", cache)

    def never(*_: Any, **__: Any) -> None:
        raise AssertionError("this was kept")

    monkeypatch.setattr("generator.render.renderer.Renderer.draw", never)
    monkeypatch.setattr("generator.export.sheets.sheet_content", never)
    assert built(project, tmp_path / "out", cache) == cold


def test_for_other_players_only_those_faces_are_drawn_that_tell_of_them(
    project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    swapped("cards/mini/pack.yaml", "title: Mini", "title: Mini\nplayers: {min: 2, max: 4}")(
        project
    )
    with (project / FACE).open("a", encoding="utf-8") as face:
        face.write('{% if c.id == "c0" %}{% include "told.svg.j2" %}{% endif %}')
    told = '{{ text_box("for " ~ players, 5, 70, 53, 8, "body") }}'
    (project / "templates/mini/told.svg.j2").write_text(told, encoding="utf-8")
    [target] = find_targets([str(project)])
    drawn = list[str]()
    draw_one = Renderer.draw

    def watched(self: Renderer, component: Component, *rest: Any) -> Any:
        drawn.append(component.id)
        return draw_one(self, component, *rest)

    monkeypatch.setattr(Renderer, "draw", watched)

    def found(players: int) -> list[str]:
        drawn.clear()
        order = Order(players=players, cache=Cache(tmp_path / "cache"))
        pack = open_pack(target, order).value
        assert pack is not None
        return re.findall(r"for \d", " ".join(face.words or "" for face in draw(pack, order).value))

    assert (found(2), sorted(drawn)) == (["for 2"], [f"c{n}" for n in range(5)])
    assert (found(3), drawn) == (["for 3"], ["c0"])
    assert (found(2), drawn) == (["for 2"], ["c0"])
    assert (found(3), drawn) == (["for 3"], [])
    assert (found(2), drawn) == (["for 2"], [])


SORTS = [s for s in Sort if s not in (Sort.BUILDS, Sort.RACES)]
WAYS = ["damaged", "cut", "empty", "swapped"]


@pytest.mark.parametrize(
    ("sorts", "how"),
    [*((SORTS, how) for how in WAYS), *(([s], WAYS[n % 4]) for n, s in enumerate(SORTS))],
    ids=lambda v: v if isinstance(v, str) else v[0] if len(v) == 1 else "all",
)
def test_an_entry_that_is_not_as_it_was_is_made_again(
    project: Path, kept: tuple[Path, Built], tmp_path: Path, sorts: list[Sort], how: str
) -> None:
    """Every entry is made again, even one that is read only when another is missing."""
    whole, cold = kept
    flush()
    cache = Cache(shutil.copytree(whole, tmp_path / "cache"))
    with closing(sqlite3.connect(tmp_path / "cache/v2/kept.sqlite")) as database, database:
        for sort in sorts:
            asked = "SELECT rowid, digest, value FROM kept WHERE sort = ? ORDER BY name"
            rows = database.execute(asked, (sort,)).fetchall()
            assert rows
            for number, (row, digest, content) in enumerate(rows):
                made = {
                    "damaged": (digest, content[:-1] + bytes([content[-1] ^ 1])),
                    "cut": (digest, content[:-1]),
                    "empty": (digest, b""),
                    "swapped": rows[number - 1][1:] if len(rows) > 1 else (digest, b"x"),
                }
                asked = "UPDATE kept SET digest = ?, value = ? WHERE rowid = ?"
                database.execute(asked, (*made[how], row))
    assert built(project, tmp_path / "out", cache) == cold
