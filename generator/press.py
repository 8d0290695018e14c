"""The press: a pack and an order in, sheets and finished files out.

The only module that calls one stage after another. A step runs only when the one before it found
no error; all that was said on the way is in the outcome.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from generator import export, impose, load, preflight, render, validate
from generator.assets import AssetFinder
from generator.diagnostics import Diagnostic, Outcome, Severity, Span, did_you_mean
from generator.fonts import FontLibrary
from generator.model.face import Face
from generator.model.pack import Backs, Component, Layout, Pack, Print
from generator.model.sheet import Piece, Sheet
from generator.model.stock import Catalogue, Paper, PrinterProfile
from generator.project import Target

CATALOGUE_FILES = ("stocks.yaml", "papers.yaml", "label_sheets.yaml")
PROFILE_FILE = "printer.yaml"


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
    strict: bool = False


@dataclass(frozen=True, slots=True)
class OpenPack:
    """A pack read and found right, with what is needed to draw and print it."""

    target: Target
    pack: Pack
    catalogue: Catalogue
    profile: PrinterProfile


@dataclass(frozen=True, slots=True)
class Run:
    """One file to be: a print on one paper, laid out."""

    print_: Print
    paper: Paper
    backs: Backs
    sheets: tuple[Sheet, ...]

    @property
    def file_name(self) -> str:
        """`<print>-<paper>.pdf`."""
        return f"{self.print_.name}-{self.paper.name}.pdf"


@dataclass(frozen=True, slots=True)
class PrintedFile:
    """A finished file, for the summary: pages, pieces of the front side, what to print it on."""

    path: Path
    pages: int
    pieces: int
    media: str


def open_pack(target: Target, order: Order) -> Outcome[OpenPack | None]:
    """Load and validate one pack, with the stocks, papers and fonts that it may name."""
    said: list[Diagnostic] = []
    catalogue = _catalogue(target, said)
    profile = _profile(target, said)
    source = load.read_pack(target.project, target.pack, order.locale)
    said += source.diagnostics
    if source.value is None or catalogue is None or profile is None:
        return Outcome(None, tuple(said))
    checked = validate.check_pack(
        source.value, catalogue, assets=assets_of(target), players=order.players
    )
    said += checked.diagnostics
    if checked.value is None or not Outcome(None, tuple(said)).ok:
        return Outcome(None, tuple(said))
    return Outcome(OpenPack(target, checked.value, catalogue, profile), tuple(said))


def assets_of(target: Target) -> AssetFinder:
    """Where a pack's pictures and icons are looked up."""
    project = target.project
    icons = tuple(
        folder / sub
        for folder in project.template_folders(target.pack)
        for sub in ("icons", "shared/icons")
    )
    return AssetFinder((project.cards(target.pack),), icons)


def _catalogue(target: Target, said: list[Diagnostic]) -> Catalogue | None:
    documents = []
    for name in CATALOGUE_FILES:
        for path in target.project.shared_files(name):
            read = load.read_document(path, target.project.display(path))
            said += read.diagnostics
            if read.value is not None:
                documents.append(read.value)
    outcome = validate.read_catalogue(documents)
    said += outcome.diagnostics
    return outcome.value if Outcome(None, tuple(said)).ok else None


def _profile(target: Target, said: list[Diagnostic]) -> PrinterProfile | None:
    path = target.project.root / PROFILE_FILE
    if not path.is_file():
        return PrinterProfile()
    read = load.read_document(path, target.project.display(path))
    said += read.diagnostics
    if read.value is None:
        return None
    outcome = validate.read_profile(read.value)
    said += outcome.diagnostics
    return outcome.value


def draw(opened: OpenPack, order: Order, progress: Progress = silent) -> Outcome[tuple[Face, ...]]:
    """Render every face that the order asks for."""
    fonts = FontLibrary(opened.target.project.font_folders())
    return render.render_faces(
        opened.pack,
        opened.target.project,
        fonts,
        ink=order.ink,
        only=order.only,
        jobs=order.jobs,
    )
