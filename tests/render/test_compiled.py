"""Templates that were compiled before are not compiled again, and draw the same."""

import inspect
import sqlite3
from contextlib import closing

import pytest
from render.studio import Studio

from generator.cache import Cache, Sort, flush
from generator.sandbox import BoundedEnvironment

TEMPLATE = '{% from "part.svg.j2" import dot %}{{ dot(c.id | length) }}'
PLAIN = '<circle r="{{ c.id | length }}"/>'
PART = '{% macro dot(r) %}<circle r="{{ r }}"/>{% endmacro %}'


DATABASE = "cache/v2/kept.sqlite"


def forget_faces(studio: Studio) -> None:
    """Leave the templates in the cache, and no faces."""
    flush()
    with closing(sqlite3.connect(studio.root / DATABASE)) as database, database:
        database.execute("DELETE FROM kept WHERE sort = ?", (Sort.FACES,))


@pytest.fixture
def compiling(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Collect the files that are compiled."""
    files, really = list[str](), BoundedEnvironment._compile

    def compiled(self: BoundedEnvironment, source: str, filename: str) -> object:
        files.append(filename)
        return really(self, source, filename)

    monkeypatch.setattr(BoundedEnvironment, "_compile", compiled)
    # Compile anew: other tests keep compiled code in memory.
    own = inspect.unwrap(BoundedEnvironment.compile)
    monkeypatch.setattr(BoundedEnvironment, "compile", own)
    return files


def test_a_template_is_compiled_once(studio: Studio, compiling: list[str]) -> None:
    studio.template(PART, "part.svg.j2")
    cache = Cache(studio.root / "cache")
    cold = studio.face(TEMPLATE, cache=cache)
    assert len(compiling) == 2
    forget_faces(studio)
    assert studio.face(TEMPLATE, cache=Cache(studio.root / "cache")) == cold
    assert len(compiling) == 2
    assert studio.face(TEMPLATE) == cold
    assert len(compiling) == 4


def test_a_damaged_entry_is_compiled_again(studio: Studio, compiling: list[str]) -> None:
    cache = Cache(studio.root / "cache")
    cold = studio.face(PLAIN, cache=cache)
    forget_faces(studio)
    with closing(sqlite3.connect(studio.root / DATABASE)) as database, database:
        changed = database.execute("UPDATE kept SET value = substr(value, 2)").rowcount
    assert (studio.face(PLAIN, cache=cache), changed, len(compiling)) == (cold, 1, 2)
