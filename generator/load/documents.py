"""YAML files in, their documents out; those that are the same are not read again."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path
from typing import Any, Final, TypeVar

import msgspec

from generator import limits
from generator.cache import NOTHING_KEPT, Cache, Sort
from generator.diagnostics import GridpressError, Outcome, in_order
from generator.files import Roots
from generator.load.broken import parse
from generator.load.pack_files import read_text
from generator.model.source import Document, Node

T = TypeVar("T")
U = TypeVar("U")


def read_document(path: Path, shown: str, roots: Roots | None = None) -> Outcome[Document | None]:
    """The document of a YAML file below one of the roots (without any: below its own folder);
    `shown` names the file in diagnostics.

    The value is None when nothing can be read from it. Never raises for what is in the file.
    """
    return Documents().read(path, shown, roots)


_ROOT: Final = msgspec.msgpack.Decoder(Node)


class Documents:
    """Reads YAML files, and keeps of each what its text came to the last time; of those that are
    right in a cache, too, where they are read back some ten times as fast."""

    def __init__(self, cache: Cache = NOTHING_KEPT) -> None:
        self._cache = cache
        self._known: dict[str, tuple[str, Outcome[Document | None]]] = {}
        self._made: dict[str, tuple[Document, Any]] = {}
        self._each: dict[str, tuple[Any, dict[int, tuple[Any, Any]]]] = {}

    def read(self, path: Path, shown: str, roots: Roots | None = None) -> Outcome[Document | None]:
        """What `read_document` says of a file."""
        try:
            text = read_text(path, shown, roots)
        except GridpressError as error:
            self._known.pop(shown, None)
            return Outcome(None, error.diagnostics)
        known = self._known.get(shown)
        if known is None or known[0] != text:
            known = self._known[shown] = text, self._document(text, shown)
        return known[1]

    def once(self, make: Callable[[], T], document: Document) -> T:
        """What is made of a document and nothing else: not again while that is the same one."""
        known = self._made.get(document.file)
        if known is None or known[0] is not document:
            known = self._made[document.file] = document, make()
        made: T = known[1]
        return made

    def each(
        self, make: Callable[[T, U], T], values: Iterable[T], name: str, given: U
    ) -> tuple[T, ...]:
        """What is made of each of some values and what is `given`: not again of those that were
        there the last time, under the same name."""
        before, known = self._each.get(name, (given, {}))
        if before != given:
            known = {}
        made = [(value, known.get(id(value)) or (value, make(value, given))) for value in values]
        # as long as a value is kept, no other has its id
        self._each[name] = given, {id(value): pair for value, pair in made}
        return tuple(pair[1] for _, pair in made)

    def _document(self, text: str, shown: str) -> Outcome[Document | None]:
        kept = self._cache.read(_ROOT.decode, Sort.DOCUMENTS, shown, text)
        if kept is not None:
            return Outcome(Document(shown, kept))
        read = document_in(text, shown)
        if read.value is not None and not read.diagnostics and self._cache.keeps:
            with suppress(UnicodeEncodeError):  # an escape stands for half a character
                content = msgspec.msgpack.encode(read.value.root)
                self._cache.put(Sort.DOCUMENTS, content, shown, text)
        return read

    def kind_in(self, shown: str) -> str | None:
        """Of which kind a file that was read is by its own words, though it may be no YAML."""
        text, _ = self._known.get(shown, ("", None))
        found = _KIND.search(text)
        return found[1] if found else None

    def mentions(self, shown: str, word: str) -> bool:
        """Whether a word stands in a file, as far as is known, with hyphens or with underscores."""
        known = self._known.get(shown)
        return known is None or word.replace("-", "_") in known[0].replace("-", "_")


_KIND: Final = re.compile(r"^kind:[ \t]*([A-Za-z0-9_-]+)[ \t]*$", re.MULTILINE)


def document_in(text: str, shown: str) -> Outcome[Document | None]:
    """The document of a text in YAML, as `read_document` says it of a file."""
    with limits.at(shown, limits.FILE + limits.MEGABYTE * len(text) / 1_000_000):
        root, faults = parse(text, shown)
    return Outcome(None if root is None else Document(shown, root), in_order(faults))
