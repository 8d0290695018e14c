"""The press: a pack and an order in, sheets and finished files out.

The only module that calls one stage after another. A step runs only when the one before it found
no error; all that was said on the way is in the outcome.
"""

from __future__ import annotations

import dataclasses
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol, TypeVar

from generator.assets import AssetFinder
from generator.diagnostics import Diagnostic, Outcome, Span, did_you_mean
from generator.fonts import FontLibrary
from generator.load import read_document, read_pack
from generator.model.face import Face
from generator.model.pack import Backs, Layout, Pack, Print
from generator.model.sheet import Piece, Sheet
from generator.model.stock import Catalogue, Paper, PrinterProfile
from generator.project import Project, Target
from generator.validate import check_pack, read_catalogue, read_profile

T = TypeVar("T")


class Progress(Protocol):
    """Told how far a step has come."""

    def __call__(self, step: str, done: int, total: int) -> None:
        """One report; `total` is 0 while it is not known."""


def silent(step: str, done: int, total: int) -> None:
    """The progress that nobody watches."""


@dataclass(frozen=True, slots=True)
class Order:
    """What the user asks for; what is None or empty is as the pack says."""

    papers: tuple[str, ...] = ()
    backs: Backs | None = None
    players: int | None = None
    only: str | None = None
    ink: str = "full"
    locale: str | None = None
    jobs: int = 1
