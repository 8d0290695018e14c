"""What a user asks the press for, and what came of it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from generator.cache import NOTHING_KEPT, Cache
from generator.model.pack import Backs


@dataclass(frozen=True, slots=True)
class Order:
    """What the user asks for; what is None or empty is as the pack says. `cache` is where what was
    worked out before is looked for, and kept."""

    papers: tuple[str, ...] = ()
    backs: Backs | None = None
    players: int | None = None
    only: str | None = None
    ink: str = "full"
    locale: str | None = None
    jobs: int = 1
    strict: bool = False
    cache: Cache = NOTHING_KEPT


@dataclass(frozen=True, slots=True)
class PrintedFile:
    """A finished file, for the summary: its pages, the pieces on them, what to print it on, and
    the share of the paper that is cut off, 0 to 1; the sha256 of its content."""

    path: Path
    pages: int
    pieces: int
    media: str
    waste: float = 0.0
    sha256: str = ""
