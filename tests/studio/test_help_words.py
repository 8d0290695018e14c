"""The studio explains templates in the words of the docs, and files in those of schemas."""

from __future__ import annotations

from pathlib import Path

import msgspec

from generator.project import Project, shipped_root
from generator.studio.help_words import help_words, template_words

ROOT = Path(__file__).parents[2]
KEPT = ROOT / "generator" / "studio" / "template_words.json"


def test_the_words_of_templates_are_those_of_the_docs() -> None:
    found = template_words((ROOT / "docs" / "templates.md").read_text("utf-8"))
    written = msgspec.json.format(msgspec.json.encode(found), indent=1) + b"\n"
    assert KEPT.read_bytes() == written, "write template_words(docs/templates.md) into this file"


def test_help_explains_keys_helpers_and_codes() -> None:
    help_ = help_words(Project(ROOT, shipped_root()))
    assert "The kind's name" in str(help_.schemas["kind"]["properties"]["kind"])
    words = {word.name: word for word in help_.template}
    assert words["text_box"].call.startswith("text_box(text, x, y, w, h")
    assert words["draw.star"].about == "a star by its two radii"
    assert words["ground"].about.startswith("shared/card.svg.j2: ")
    assert "no such track" in help_.codes["GP915"]
