"""Docs of templates in, words for completion and hover help in the studio out.

python docs/template_words.py
"""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import msgspec

from generator.studio.help_words import TemplateWord

PAGE: Final = Path(__file__).with_name("templates.md")
KEPT: Final = Path(__file__).parents[1] / "generator/studio/template_words.json"
SHARED: Final = Path(__file__).parents[1] / "templates/shared"
_MACRO: Final = re.compile(r"\{% macro ([a-z]\w*)(\(.*?\)) -?%\}")
_CALL: Final = re.compile(r"`((?:draw\.)?[a-z]\w+)(\([^`]*\))?`")
_ROW: Final = re.compile(r"\| `(\w[\w.]*)(\([^`]*\))?` \|(?: `(\w+)` \|)? (.*) \|")
_PART: Final = re.compile(r"\| `(shared/\w+\.svg\.j2) (\w+)` \| (.*) \|")
_PARTED: Final = re.compile(r"`(\w+\.\w+)`(?: \(([^)`]+)\))?")
_LINK: Final = re.compile(r"\[([^\]]+)\]\([^)]+\)")
_SENTENCE: Final = re.compile(r"(?<=[.;:])\s+")
_FROM: Final = "## Values in a template"
_TO: Final = "## Less ink"


def as_written() -> bytes:
    """Return the words as JSON."""
    words = template_words(PAGE.read_text("utf-8"))
    return msgspec.json.format(msgspec.json.encode(words), indent=1) + b"\n"


def template_words(page: str) -> list[TemplateWord]:
    """Return the words that the page on templates explains."""
    found: dict[str, TemplateWord] = {}
    text = re.sub(r"```.*?```", "", page[page.index(_FROM) : page.index(_TO)], flags=re.DOTALL)
    macros = shared_macros()
    for word in (*_of_tables(text), *_of_sentences(text)):
        file, call = macros.get(word.name, ("", word.call))
        about = f"{file}: {word.about}" if file else word.about
        found.setdefault(word.name, TemplateWord(word.name, call, about))
    return sorted(found.values(), key=lambda word: word.name)


def shared_macros() -> dict[str, tuple[str, str]]:
    """Return the file and the call of each macro that Gridpress brings."""
    return {
        name: (f"shared/{path.name}", f"{name}{arguments}")
        for path in sorted(SHARED.glob("*.svg.j2"))
        for name, arguments in _MACRO.findall(path.read_text("utf-8"))
    }


def _of_tables(text: str) -> Iterator[TemplateWord]:
    values = text[: text.index("\n## Text")]
    for line in text.splitlines():
        if part := _PART.fullmatch(line):
            yield TemplateWord(part[2], part[2], _plain(part[3]))
        row = _ROW.fullmatch(line)
        if row is None or (row[2] is None and line not in values):
            continue
        yield TemplateWord(row[1], row[1] + (row[2] or ""), _plain(row[4]))
        for part in _PARTED.finditer(row[4]):
            if part[1].startswith(f"{row[1]}.") and row[1] in ("stock", "pack"):
                yield TemplateWord(part[1], part[1], _plain(part[2] or ""))


def _of_sentences(text: str) -> Iterator[TemplateWord]:
    for paragraph in text.split("\n\n"):
        if paragraph.lstrip().startswith(("|", "#")):
            continue
        for sentence in _SENTENCE.split(" ".join(paragraph.split())):
            for call in _CALL.finditer(sentence):
                if call[2]:
                    yield TemplateWord(call[1], call[1] + call[2], _plain(sentence))


def _plain(text: str) -> str:
    return _LINK.sub(r"\1", text).replace("`", "").replace("\\", "")


if __name__ == "__main__":
    KEPT.write_bytes(as_written())
