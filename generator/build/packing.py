"""The list of components in a build, with their counts and pages."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from msgspec import Struct, field

from generator.geometry import summed
from generator.model.manifest import Count, Manifest, Number, PrinterEntry, WaiverEntry
from generator.model.pack import uncopied


class PackedPlacement(Struct, frozen=True):
    """The kind and component of a face on a page."""

    kind: str
    component: str


class PackedPage(Struct, frozen=True):
    """The contents of a page."""

    number: Number = field(name="page")
    placements: tuple[PackedPlacement, ...]


class PackedFile(Struct, frozen=True):
    """The contents of each page of a PDF, and whether it is a draft."""

    file: str
    pages: tuple[PackedPage, ...]
    draft: bool = False
    printer: PrinterEntry | None = None


class PackedQuantities(Struct, frozen=True):
    """The number of copies of each component of a kind, and the reason."""

    title: str
    why: str
    quantities: Mapping[str, Count]


class Packing(Struct, frozen=True):
    """The parts of a build's manifest that a packing list shows."""

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
        """Return how many of its components are printed."""
        return sum(component.pieces > 0 for component in self.components)

    @property
    def pieces(self) -> int:
        """Return how many copies are printed. A file for another paper holds the same ones
        again."""
        return summed(component.pieces for component in self.components)

    @property
    def count(self) -> str:
        """Return how many are different: `64`, or `32 of 64` when some are left out."""
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
    """Return the number of pieces of each component. Copies that are drawn separately count for one
    component."""
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
