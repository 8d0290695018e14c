"""Words for completion and hover help: keys of YAML files, words of templates, and codes."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

import msgspec
from msgspec import Struct

from generator.diagnostics import CODES
from generator.project import Project

_SHIPPED: Final = Path(__file__).with_name("template_words.json")
_SCHEMA: Final = ".schema.json"


class TemplateWord(Struct, frozen=True):
    """Something that a template can name: how it is called, and what it does."""

    name: str
    call: str
    about: str


class HelpWords(Struct, frozen=True):
    """The schemas of YAML files by name, the words of templates, and the meanings of codes."""

    schemas: dict[str, Any]
    template: list[TemplateWord]
    codes: dict[str, str]


def help_words(project: Project) -> HelpWords:
    """Return all help that Gridpress is shipped with."""
    folder = project.shipped / "cards" / "shared" / "schemas"
    schemas = {
        path.name.removesuffix(_SCHEMA): msgspec.json.decode(path.read_bytes())
        for path in sorted(folder.glob(f"*{_SCHEMA}"))
    }
    words = msgspec.json.decode(_SHIPPED.read_bytes(), type=list[TemplateWord])
    return HelpWords(schemas, words, CODES)
