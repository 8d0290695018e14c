"""One YAML file in, its `Document` out; or the one that it was before, if the text is the same."""

from __future__ import annotations

from pathlib import Path

from generator import limits
from generator.diagnostics import GridpressError, Outcome, in_order
from generator.files import Roots
from generator.load.files import read_text
from generator.load.nodes import parse
from generator.model.source import Document


def read_document(path: Path, shown: str, roots: Roots | None = None) -> Outcome[Document | None]:
    """The document of a YAML file below one of the roots (without any: below its own folder);
    `shown` names the file in diagnostics.

    The value is None when nothing can be read from it. Never raises for what is in the file.
    """
    return Documents().read(path, shown, roots)


class Documents:
    """Reads YAML files, and keeps of each what its text came to the last time."""

    def __init__(self) -> None:
        self._known: dict[str, tuple[str, Outcome[Document | None]]] = {}

    def read(self, path: Path, shown: str, roots: Roots | None = None) -> Outcome[Document | None]:
        """What `read_document` says of a file."""
        try:
            text = read_text(path, shown, roots)
        except GridpressError as error:
            self._known.pop(shown, None)
            return Outcome(None, error.diagnostics)
        known = self._known.get(shown)
        if known is None or known[0] != text:
            known = self._known[shown] = text, _parsed(text, shown)
        return known[1]


def _parsed(text: str, shown: str) -> Outcome[Document | None]:
    with limits.at(shown, limits.BEGINNING + limits.MEGABYTE * len(text) / 1_000_000):
        root, faults = parse(text, shown)
    return Outcome(None if root is None else Document(shown, root), in_order(faults))
