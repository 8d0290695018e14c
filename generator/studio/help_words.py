"""The words that help one type: keys of YAML files, and what templates can call."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import msgspec
from msgspec import Struct

from generator.diagnostics import CODES
from generator.project import Project

_SHIPPED: Final = Path(__file__).with_name("template_words.json")
_SCHEMA: Final = ".schema.json"
_CALL: Final = re.compile(r"`((?:draw\.)?[a-z]\w+)(\([^`]*\))?`")
_PARTED: Final = re.compile(r"`(\w+\.\w+)`(?: \(([^)`]+)\))?")
_FILE: Final = re.compile(r"`(shared/\w+\.svg\.j2)`")
_LINK: Final = re.compile(r"\[([^\]]+)\]\([^)]+\)")
_SENTENCE: Final = re.compile(r"(?<=[.;:])\s+")
_FROM: Final = "## Values in a template"
_TO: Final = "## Less ink"


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


def template_words(page: str) -> list[TemplateWord]:
    """Return what docs/templates.md explains; template_words.json keeps it for the studio."""
    found: dict[str, TemplateWord] = {}
    text = re.sub(r"```.*?```", "", page[page.index(_FROM) : page.index(_TO)], flags=re.DOTALL)
    for word in (*_of_tables(text), *_of_sentences(text)):
        found.setdefault(word.name, word)
    return sorted(found.values(), key=lambda word: word.name)


def _of_tables(text: str) -> Iterator[TemplateWord]:
    values = text[: text.index("\n## Text")]
    for line in text.splitlines():
        row = re.fullmatch(r"\| `(\w[\w.]*)(\([^`]*\))?` \| (.*) \|", line)
        if row is None or (row[2] is None and line not in values):
            continue
        yield TemplateWord(row[1], row[1] + (row[2] or ""), _plain(row[3]))
        for part in _PARTED.finditer(row[3]):
            if part[1].startswith(f"{row[1]}.") and row[1] in ("stock", "pack"):
                yield TemplateWord(part[1], part[1], _plain(part[2] or ""))


def _of_sentences(text: str) -> Iterator[TemplateWord]:
    for paragraph in text.split("\n\n"):
        if paragraph.lstrip().startswith(("|", "#")):
            continue
        file = ""
        for sentence in _SENTENCE.split(" ".join(paragraph.split())):
            for named in _FILE.finditer(sentence):
                file = f"{named[1]}: "
            for call in _CALL.finditer(sentence):
                if call[2]:
                    yield TemplateWord(call[1], call[1] + call[2], file + _plain(sentence))


def _plain(text: str) -> str:
    return _LINK.sub(r"\1", text).replace("`", "").replace("\\", "")
