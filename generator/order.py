"""What a user asks the press for, and what came of it: files, and a packing list of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from msgspec import Struct, field

from generator.cache import NOTHING_KEPT, Cache
from generator.geometry import summed
from generator.model.manifest import Count, Manifest, Number, WaiverEntry, in_locale, of_part
from generator.model.pack import Backs, uncopied


class Order(Struct, frozen=True):
    """What the user asks for; what is None or empty is as the pack says. `only` calls
    components as `Component.answers_to` has it; `marks` names the cutter whose marks are printed.
    `cache` is where what was worked out before is
    looked for, and kept."""

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

    def called(self, name: str) -> str:
        """The name that a file has for this order: what is in another language than the pack, and a
        part of a pack, go to files of their own."""
        name = in_locale(name, self.locale) if self.locale else name
        return of_part(name) if self.only else name

    def folder(self, name: str) -> str:
        """The same of a folder."""
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


class PackedPlacement(Struct, frozen=True):
    """Of which component of which kind a face on a page is."""

    kind: str
    component: str


class PackedPage(Struct, frozen=True):
    """What is on a page."""

    number: Number = field(name="page")
    placements: tuple[PackedPlacement, ...]


class PackedFile(Struct, frozen=True):
    """What is on each page of a PDF, and whether it is a draft."""

    file: str
    pages: tuple[PackedPage, ...]
    draft: bool = False


class PackedQuantities(Struct, frozen=True):
    """How many of each component of a kind there are, and why."""

    title: str
    why: str
    quantities: Mapping[str, Count]


class Packing(Struct, frozen=True):
    """What a packing list tells of a build, whatever else its manifest says."""

    players: int | None
    kinds: Mapping[str, PackedQuantities]
    files: tuple[PackedFile, ...]
    waivers: tuple[WaiverEntry, ...] = ()


class PackedComponent(Struct, frozen=True):
    """One component: how many of it, and its pages (from 1) in each file it is in."""

    id: str
    pieces: int
    pages: Mapping[str, tuple[int, ...]]


class PackedKind(Struct, frozen=True):
    """One kind, with those of its components too that this order left out (0 pieces)."""

    name: str
    title: str
    why: str
    components: tuple[PackedComponent, ...]

    @property
    def different(self) -> int:
        """How many of its components are printed."""
        return sum(component.pieces > 0 for component in self.components)

    @property
    def pieces(self) -> int:
        """How many of it are printed; a file for another paper holds the same ones again."""
        return summed(component.pieces for component in self.components)

    @property
    def count(self) -> str:
        """How many are different: `64`, or `32 of 64` when some are left out."""
        total = len(self.components)
        return str(total) if self.different == total else f"{self.different} of {total}"

    @property
    def pages(self) -> dict[str, tuple[int, ...]]:
        """Its pages in each file."""
        found: dict[str, set[int]] = {}
        for component in self.components:
            for file, pages in component.pages.items():
                found.setdefault(file, set()).update(pages)
        return {file: tuple(sorted(pages)) for file, pages in found.items()}


def packing_list(manifest: Manifest | Packing) -> tuple[PackedKind, ...]:
    """The kinds of a manifest that Gridpress wrote, in the order of the prints."""
    places = dict[tuple[str, str], dict[str, list[int]]]()
    for kind, component, file, page in _placements(manifest):
        pages = places.setdefault((kind, component), {}).setdefault(file, [])
        if page not in pages[-1:]:
            pages.append(page)
    return tuple(
        PackedKind(
            name,
            told.title,
            told.why,
            tuple(
                PackedComponent(id_, pieces, _frozen(places.get((name, id_), {})))
                for id_, pieces in _pieces(told.quantities).items()
            ),
        )
        for name, told in manifest.kinds.items()
    )


def _pieces(quantities: Mapping[str, int]) -> dict[str, int]:
    """How many pieces of each component; copies that were drawn by themselves are of one."""
    found: dict[str, int] = {}
    for id_, pieces in quantities.items():
        found[uncopied(id_)] = found.get(uncopied(id_), 0) + pieces
    return found


def _placements(manifest: Manifest | Packing) -> Iterator[tuple[str, str, str, int]]:
    for file in manifest.files:
        for page in file.pages:
            for placed in page.placements:
                yield placed.kind, uncopied(placed.component), file.file, page.number


def _frozen(pages: Mapping[str, list[int]]) -> dict[str, tuple[int, ...]]:
    return {file: tuple(numbers) for file, numbers in pages.items()}


def page_range(pages: Iterable[int]) -> str:
    """Page numbers as people write them: `1–3, 7`."""
    spans: list[list[int]] = []
    for page in pages:
        if spans and page == spans[-1][1] + 1:
            spans[-1][1] = page
        else:
            spans.append([page, page])
    return ", ".join(f"{first}–{last}" if last > first else f"{first}" for first, last in spans)
