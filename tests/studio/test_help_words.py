"""The studio explains templates with the text of the docs, and files with that of schemas."""

from __future__ import annotations

import runpy
from pathlib import Path

from generator.project import Project, shipped_root
from generator.studio.help_words import help_words

ROOT = Path(__file__).parents[2]
SCRIPT = runpy.run_path(str(ROOT / "docs/template_words.py"))


def test_the_words_of_templates_are_those_of_the_docs() -> None:
    kept, written = SCRIPT["KEPT"].read_bytes(), SCRIPT["as_written"]()
    assert kept == written, "run: python docs/template_words.py"


def test_help_explains_keys_helpers_and_codes() -> None:
    help_ = help_words(Project(ROOT, shipped_root()))
    assert "The kind's name" in str(help_.schemas["kind"]["properties"]["kind"])
    words = {word.name: word for word in help_.template}
    assert words["text_box"].call.startswith("text_box(text, x, y, w, h")
    assert words["draw.star"].about == "a star by its two radii"
    assert words["ground"].about.startswith("shared/card.svg.j2: ")
    assert "no such track" in help_.codes["GP915"]
