"""One YAML file in, its `Document` out."""

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
    try:
        text = read_text(path, shown, roots)
    except GridpressError as error:
        return Outcome(None, error.diagnostics)
    with limits.at(shown, limits.BEGINNING + limits.MEGABYTE * len(text) / 1_000_000):
        root, faults = parse(text, shown)
    return Outcome(None if root is None else Document(shown, root), in_order(faults))
