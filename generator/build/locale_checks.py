"""Checks of a locale: unused words, and texts that are not translated.

A locale that is another setting, not another language, leaves most texts as they are. In another
language, a field that is translated for some components of a kind was forgotten for the others. A
word is used if a face file shows it, a template has it in quotes or a text has it in brackets; if a
face file or a template works out the names of words, a word is used if its parts are anywhere.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import PurePath
from typing import Final

from msgspec import Struct

from generator import limits
from generator.diagnostics import Diagnostic, Span, Suggestions, warning
from generator.files import FileTooLargeError, UnreadableError
from generator.model.face_file import FaceFile
from generator.model.pack import Field, Pack
from generator.model.source import ComponentSource, Document, Node, PackSource
from generator.model.source import Mapping as MappingNode
from generator.model.source import Sequence as SequenceNode
from generator.project import SHARED, Project

LANGUAGE: Final = re.compile(r"([a-z]{2,3})([-_][A-Za-z0-9]{2,8})*")
"""Matches names of locales that are languages."""
_MOST: Final = 5_000_000
_SHOWN: Final = 6
_SENTENCE: Final = 5
"""The least words of a text that is not a name, and so must be translated."""
_ASKED: Final = re.compile(r"""\bword\(\s*(?:"([^"\\]*)"|'([^'\\]*)')\s*\)""")
_WORKED_OUT: Final = re.compile(r"""\bword\((?!\s*(?:"[^"\\]*"|'[^'\\]*')\s*\))|\bword\b(?!\()""")
_QUOTED: Final = re.compile(r""""([^"\\]*)"|'([^'\\]*)\'""")
_IN_BRACKETS: Final = re.compile(r"\[\[([^\[\]]++)\]\]")
_NO_WORDS: Final = re.compile(r"\[\[[^\[\]]*\]\]|\{[^{}]*\}")
_COMMENT: Final = re.compile(r"\{#(?:[^#]|#(?!\}))*+(?:#\})?+")
_SPOKEN: Final = re.compile(r"[^\W\d_]{3}")
_PART: Final = re.compile(r"[^\W\d_]+")


def of_locale(source: PackSource, pack: Pack, project: Project) -> Iterator[Diagnostic]:
    """Yield GP217 for unused words and GP218 for texts and words without a translation in the
    locale of a sound pack."""
    locale = source.locale
    if locale is None or not isinstance(locale.root, MappingNode):
        return
    with limits.at(locale.file):
        said = _Said.of(source, project, pack.face_files.values())
    node = locale.root.get("words")
    words = node if isinstance(node, MappingNode) else MappingNode((), locale.root.span)
    if said is not None:
        yield from _unasked(words, said)
    if _is_other_language(locale, source):
        if said is not None:
            yield from _untranslated_words(words, said, source)
        yield from _untranslated_fields(source, locale, pack)
        if said is not None:
            yield from _untranslated_texts(locale, said, project, source.name)


def _is_other_language(locale: Document, source: PackSource) -> bool:
    named = LANGUAGE.fullmatch(PurePath(locale.file).stem)
    root = source.pack.root
    own = root.get("language") if isinstance(root, MappingNode) else None
    written = getattr(own, "text", "en").casefold()
    return named is not None and re.split("[-_]", written)[0] != named[1]


class _Said(Struct, frozen=True):
    """The words of a pack and of those that it requires: those in quotes and brackets in templates
    and texts, those that its own templates ask for, all words if a template works out names, and
    the values of components."""

    quoted: frozenset[str]
    values: frozenset[str]
    asked: tuple[str, ...]
    parts: frozenset[str] | None

    @classmethod
    def of(cls, source: PackSource, project: Project, faces: Iterable[FaceFile]) -> _Said | None:
        """None where a file cannot be read."""
        packs = (source.name, *source.requires)
        values = set[str]()
        quoted, asked, parts, works_out = set[str](), dict[str, None](), set[str](), False
        for pack in (*packs, SHARED):
            for suffix, written in _texts(project, pack):
                if written is None:
                    return None
                is_template = suffix == ".j2"
                text = _COMMENT.sub("", written) if is_template else written
                parts.update(_PART.findall(text.casefold()))
                quoted.update(_bracketed(text))
                if is_template:
                    quoted.update(one or other for one, other in _QUOTED.findall(text))
                    works_out = works_out or (pack != SHARED and bool(_WORKED_OUT.search(text)))
                if is_template and pack == source.name:
                    asked |= dict.fromkeys(_asked(text))
        own = project.display(project.home(source.name) / "templates" / source.name)
        for file, text in _shown(faces):
            found = _asked(text)
            quoted.update(found)
            works_out = works_out or bool(_WORKED_OUT.search(text))
            if file.startswith(f"{own}/"):
                asked |= dict.fromkeys(found)
        for component in source.written:
            for text in _scalars(component.node):
                values.add(text)
                quoted.update(_bracketed(text))
                parts.update(_PART.findall(text.casefold()))
        of_names = frozenset(parts) if works_out else None
        return cls(frozenset(quoted), frozenset(values), tuple(asked), of_names)

    def asks_for(self, word: str) -> bool:
        """Return True if one of them may ask for a word."""
        if word in self.quoted:
            return True
        return self.parts is not None and {*_PART.findall(word.casefold())} <= self.parts


def _texts(project: Project, pack: str) -> Iterator[tuple[str, str | None]]:
    """The templates and texts of a pack, by how their names end; None for what cannot be read."""
    home = project.home(pack) if pack != SHARED else project.shipped
    folders = [home / "templates" / pack, home / "cards" / pack]
    if pack == SHARED and project.root != home:
        folders.append(project.root / "templates" / pack)
    for folder in folders:
        if not project.roots.holds(folder):
            continue
        for entry in project.roots.walk(folder):
            suffix = entry.path.suffix.lower()
            if entry.is_folder or suffix not in _READ or "locales" in entry.path.parts[-2:-1]:
                continue
            try:
                text = project.roots.read(entry.path, _MOST).decode("utf-8", "replace")
                yield suffix, text
            except (UnreadableError, FileTooLargeError):
                yield suffix, None


def _asked(text: str) -> list[str]:
    """Return the words that a template asks for by name."""
    return [one or other for one, other in _ASKED.findall(text)]


def _shown(faces: Iterable[FaceFile]) -> Iterator[tuple[str, str]]:
    """Yield the file of each box, and what it shows, as a template would write it."""
    for face in faces:
        waiting = [box for layout in face.layouts.values() for box in layout.boxes]
        while waiting:
            box = waiting.pop()
            waiting += box.boxes
            yield face.span.file, f'word("{box.value}")' if box.what == "words" else str(box.value)


_READ: Final = (".j2", ".md", ".txt", ".yaml", ".yml", ".csv")


def _bracketed(text: str) -> Iterator[str]:
    return (found.strip() for found in _IN_BRACKETS.findall(text))


def _scalars(node: Node) -> Iterator[str]:
    if isinstance(node, MappingNode):
        for _, value in node.entries:
            yield from _scalars(value)
    elif isinstance(node, SequenceNode):
        for item in node.items:
            yield from _scalars(item)
    else:
        yield node.text


def _unasked(words: MappingNode, said: _Said) -> Iterator[Diagnostic]:
    suggestions = Suggestions()
    for key, _ in words.entries:
        if not said.asks_for(key.text):
            message = f"nothing in the pack uses the word {key.text!r}"
            hint = suggestions.did_you_mean(key.text, sorted({*said.asked}))
            hint = hint or 'templates use it with word("…"), texts with [[…]]; otherwise remove it'
            yield warning(key.span, "GP217", message, hint)


def _untranslated_words(
    words: MappingNode, said: _Said, source: PackSource
) -> Iterator[Diagnostic]:
    known = {*words.keys()}
    for lender in source.lenders:
        root = lender.locale.root if lender.locale else None
        lent = root.get("words") if isinstance(root, MappingNode) else None
        known |= {*(lent.keys() if isinstance(lent, MappingNode) else ())}
    missing = [word for word in said.asked if word not in known and _SPOKEN.search(word)]
    if missing:
        listed = _listed([repr(word) for word in missing])
        message = f"words of the templates without a translation: {listed}"
        hint = "add them under words:; if a word is the same in both languages, repeat it"
        yield warning(words.span, "GP218", message, hint)


def _untranslated_fields(source: PackSource, locale: Document, pack: Pack) -> Iterator[Diagnostic]:
    assert isinstance(locale.root, MappingNode)
    kinds = locale.root.get("components")
    keys = (
        {key.text: key.span for key, _ in kinds.entries} if isinstance(kinds, MappingNode) else {}
    )
    printed = {kind for print_ in pack.prints for kind in print_.kinds}
    by_kind: dict[str, list[ComponentSource]] = {}
    for component in source.written:
        by_kind.setdefault(component.kind.text, []).append(component)
    for name, components in by_kind.items():
        kind = pack.kinds.get(name)
        if kind is None or (name not in keys and name not in printed):
            continue
        given = {
            key.text
            for component in components
            for key, node in component.node.entries
            if node.span.file == locale.file
        }
        left = {
            component.id: [
                field
                for field, words in _left(component, kind.fields, locale.file)
                if name not in keys or field in given or (given and words >= _SENTENCE)
            ]
            for component in components
        }
        told = [f"{id_} ({', '.join(fields)})" for id_, fields in left.items() if fields]
        if told:
            count = f"{len(told)} of {len(components)}"
            message = f"{kind.title}: {count} not fully translated: {_listed(told)}"
            hint = "if a text is the same in both languages, repeat it"
            if name not in keys:
                hint += f"; {name}: {{}} means that it has nothing to translate"
            yield warning(keys.get(name, locale.root.span), "GP218", message, hint)


def _untranslated_texts(
    locale: Document, said: _Said, project: Project, pack: str
) -> Iterator[Diagnostic]:
    """The texts of a pack, such as `rules.md`, that are named and have no `rules.de.md` beside."""
    folder, language = project.cards(pack), PurePath(locale.file).stem
    entries = (entry for entry in project.roots.walk(folder) if not entry.is_folder)
    texts = {entry.path for entry in entries if entry.path.suffix in _BOOKS}
    for path in sorted(texts):
        translated = path.with_name(f"{path.stem}.{language}{path.suffix}")
        names = {path.name, path.relative_to(folder).as_posix()}
        if translated in texts or not names & (said.quoted | said.values):
            continue
        message = f"{path.name} is not translated: there is no {translated.name} beside it"
        hint = "write it; if the text is the same, copy it under that name"
        yield warning(Span(locale.file), "GP218", message, hint)


_BOOKS: Final = (".md", ".txt")


def _left(
    component: ComponentSource, fields: Mapping[str, Field], file: str
) -> Iterator[tuple[str, int]]:
    """The fields of a component with words that the locale leaves as they are, and how many."""
    for key, node in component.node.entries:
        field = fields.get(key.text)
        if field is not None and node.span.file != file and (words := _words(field, node)):
            yield key.text, words


def _words(field: Field, node: Node) -> int:
    """Return the number of words of a field's longest text; 0 without text."""
    if field.type in ("text", "rich"):
        if isinstance(node, MappingNode | SequenceNode) or node.is_null:
            return 0
        text = _NO_WORDS.sub("", node.text)
        return len(_PART.findall(text)) if _SPOKEN.search(text) else 0
    if isinstance(node, SequenceNode) and field.of is not None:
        return max((_words(field.of, item) for item in node.items), default=0)
    if isinstance(node, MappingNode):
        inner = ((field.fields.get(key.text, field.of), value) for key, value in node.entries)
        return max((_words(of, value) for of, value in inner if of is not None), default=0)
    return 0


def _listed(words: list[str]) -> str:
    more = len(words) - _SHOWN
    return ", ".join(words[:_SHOWN]) + (f" and {more} more" if more > 0 else "")
