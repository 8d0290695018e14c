"""The order of a build, and the names of its files."""

from __future__ import annotations

from pathlib import Path

from msgspec import Struct

from generator.cache import NOTHING_KEPT, Cache
from generator.model.manifest import in_locale, of_part
from generator.model.pack import Backs, Component, uncopied


class Order(Struct, frozen=True):
    """The user's order; a value that is None or empty is as the pack says. `only` calls components
    as `Component.answers_to` has it; `these` names them as `kind/id`, without what is made from
    them. `marks` names the cutter whose marks are printed. Labels are
    printed from number `start_label` of the first sheet on. `cache` keeps results from one build to
    the next."""

    papers: tuple[str, ...] = ()
    backs: Backs | None = None
    players: int | None = None
    only: str | None = None
    ink: str = "full"
    locale: str | None = None
    jobs: int = 1
    strict: bool = False
    cache: Cache = NOTHING_KEPT
    marks: str = ""
    start_label: int = 1
    these: frozenset[str] = frozenset()

    @property
    def is_whole(self) -> bool:
        """True for an order of all of a pack as it is: every check of it runs."""
        return not (self.papers or self.is_part or self.locale or self.marks) and self.ink == "full"

    @property
    def is_part(self) -> bool:
        """True for an order of some components alone."""
        return bool(self.only or self.these)

    def asks_for(self, component: Component) -> bool:
        """Return whether a component is ordered."""
        return (not self.only or component.answers_to(self.only)) and (
            not self.these or f"{component.kind}/{uncopied(component.id)}" in self.these
        )

    def called(self, name: str) -> str:
        """Return the name of a file for this order. Other languages and parts of a pack have files
        of their own."""
        name = in_locale(name, self.locale) if self.locale else name
        return of_part(name) if self.is_part else name

    def folder(self, name: str) -> str:
        """Return the same for a folder."""
        return self.called(f"{name}.").removesuffix(".")


class PrintedFile(Struct, frozen=True):
    """A finished file, for the summary: its pages, the pieces on them, what to print it on, and
    the share of the paper that is cut off, 0 to 1; the sha256 of its content."""

    path: Path
    pages: int
    pieces: int
    media: str
    waste: float = 0.0
    sha256: str = ""
