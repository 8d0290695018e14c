"""What the page orders to be printed or exported, and the files that come of it."""

from __future__ import annotations

from pathlib import Path

from msgspec import Struct

from generator.model.pack import Backs


class PrintOrder(Struct, frozen=True):
    """What to print; what is empty or None is as the pack says."""

    papers: tuple[str, ...] = ()
    backs: Backs | None = None
    ink: str = "full"
    players: int | None = None
    locale: str | None = None
    only: str | None = None
    strict: bool = False


class ExportWanted(Struct, frozen=True):
    """The outlet, and its options as of `gridpress export`."""

    outlet: str
    order: PrintOrder = PrintOrder()
    dpi: int | None = None
    form: str | None = None
    bleed: bool = True
    transparent: bool = False
    url: str = ""


class MadeFiles(Struct, frozen=True):
    """The files that were made, with their pages (0 if they have none), and the findings as
    JSON. `folder` is where they are."""

    folder: Path
    files: tuple[tuple[str, int], ...]
    findings: tuple[bytes, ...]
