"""A user's order to the press, and its result: files, a packing list and a receipt.

A build with a receipt need not be done again if all files read and delivered are the same, byte for
byte. A build reads only below a few folders, so all files in these are compared. A receipt is for
one order, one output folder, and one folder from which it was given, since what is said names files
as they are seen from there.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final, NamedTuple

import msgspec
from msgspec import Struct, field

from generator.cache import NOTHING_KEPT, Cache, Sort
from generator.diagnostics import Diagnostic, Outcome
from generator.files import MAX_ENTRIES, UnreadableError, check_plain
from generator.geometry import summed
from generator.model.manifest import Count, Manifest, Number, WaiverEntry, in_locale, of_part
from generator.model.pack import Backs, uncopied
from generator.project import PARTS, PROFILE_FILE, Project, Target, workbooks_in
from generator.writing import TargetFolder, file_digest


class Order(Struct, frozen=True):
    """The user's order; a value that is None or empty is as the pack says. `only` calls components
    as `Component.answers_to` has it; `marks` names the cutter whose marks are printed. Labels are
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

    @property
    def is_whole(self) -> bool:
        """True for an order of all of a pack as it is: every check of it runs."""
        return not (self.papers or self.only or self.locale or self.marks) and self.ink == "full"

    def called(self, name: str) -> str:
        """The name that a file has for this order: what is in another language than the pack, and a
        part of a pack, go to files of their own."""
        name = in_locale(name, self.locale) if self.locale else name
        return of_part(name) if self.only else name

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


def page_range(pages: Iterable[int]) -> str:
    """Page numbers as people write them: `1–3, 7`."""
    spans: list[list[int]] = []
    for page in pages:
        if spans and page == spans[-1][1] + 1:
            spans[-1][1] = page
        else:
            spans.append([page, page])
    return ", ".join(f"{first}–{last}" if last > first else f"{first}" for first, last in spans)


_UNFOLLOWED: Final = getattr(os, "O_NOFOLLOW", 0)
_CAREFUL: Final = os.O_RDONLY | _UNFOLLOWED | getattr(os, "O_NONBLOCK", 0)
_FOLDER: Final = _CAREFUL | getattr(os, "O_DIRECTORY", 0)
_MOST: Final = 200_000_000
"""Bytes of a project: from here on to look at what changed takes as long as to work."""


class Inputs(NamedTuple):
    """Everything that a build may read: a digest of names and contents, and one of files and times
    of writing."""

    content: bytes
    times: bytes


class _Receipt(Struct, frozen=True):
    """The diagnostics of a build, the files that it printed, and digests of everything it
    delivered."""

    said: tuple[Diagnostic, ...]
    printed: tuple[PrintedFile, ...]
    delivered: dict[str, str]


_DECODER: Final = msgspec.msgpack.Decoder(_Receipt, dec_hook=lambda to, value: to(value))


def inputs_of(project: Project) -> Inputs | None:
    """Return everything that a build of a project may read now. None if that cannot be compared:
    unsaved text, links, special files, too many files, or a system that cannot open files by the
    handle of their folder (Windows)."""
    if project.unsaved or os.scandir not in os.supports_fd:
        return None
    content, times = hashlib.blake2b(digest_size=32), hashlib.blake2b(digest_size=32)
    left = _MOST
    try:
        for root in dict.fromkeys((project.root, project.shipped)):
            for path, name, folder in _files(root):
                told, status = _read(name, folder, left)
                left -= len(told)
                content.update(b"%d:%b%d:" % (len(path), path, len(told)))
                content.update(told)
                times.update(b"%d %d " % (status.st_mtime_ns, status.st_ino))
    except (
        OSError,
        UnreadableError,
        RecursionError,
        _BeyondReceiptError,
    ):  # folders may be nested deep
        return None
    return Inputs(content.digest(), times.digest())


def _files(root: Path) -> Iterator[tuple[bytes, str, int]]:
    """The path, the name and the handle of the folder of each file below a root that a build may
    read, in one order; those too whose names begin with a dot. Raises OSError and _UnfitError."""
    base = os.open(root, _FOLDER & ~_UNFOLLOWED)
    try:
        if os.path.lexists(root / PROFILE_FILE):
            yield os.fsencode(root / PROFILE_FILE), PROFILE_FILE, base
        for name in workbooks_in(root):
            yield os.fsencode(root / name), name, base
        tickets = iter(range(MAX_ENTRIES))
        for part in PARTS:
            if os.path.lexists(root / part):
                yield from _below(str(root), part, base, tickets)
    finally:
        os.close(base)


def _below(
    parent: str, name: str, base: int, tickets: Iterator[int]
) -> Iterator[tuple[bytes, str, int]]:
    """The files of a folder, by its name in a folder that is open already, and of all below it:
    each entry takes a ticket."""
    handle = os.open(name, _FOLDER, dir_fd=base)
    try:
        found = []
        with os.scandir(handle) as entries:
            for entry in entries:
                if next(tickets, None) is None:
                    raise _BeyondReceiptError
                found.append((entry.name, entry.is_dir(follow_symlinks=False)))
        place = os.path.join(parent, name)
        for inner, is_folder in sorted(found):
            if is_folder:
                yield from _below(place, inner, handle, tickets)
            else:
                yield os.fsencode(os.path.join(place, inner)), inner, handle
    finally:
        os.close(handle)


def _read(name: str, folder: int, most: int) -> tuple[bytes, os.stat_result]:
    """The content of an ordinary file of a folder. Raises OSError, UnreadableError, _UnfitError."""
    check_plain(os.lstat(name, dir_fd=folder))
    handle = os.open(name, _CAREFUL, dir_fd=folder)
    with os.fdopen(handle, "rb", 0) as file:
        status = os.fstat(handle)
        check_plain(status)
        if status.st_size > most:
            raise _BeyondReceiptError
        return file.read(status.st_size), status


class _BeyondReceiptError(Exception):
    """There is more, or something other, than is looked over."""


def known_outcome(
    target: Target, order: Order, place: TargetFolder, inputs: Inputs
) -> Outcome[tuple[PrintedFile, ...]] | None:
    """Return what this very build printed and said the last time, if nothing changed since."""
    content = order.cache.get(Sort.BUILDS, *_key(target, order, place, inputs))
    if content is None:
        return None
    receipt = _DECODER.decode(content)
    if _delivered(place, list(receipt.delivered)) != receipt.delivered:
        return None
    return Outcome(receipt.printed, receipt.said)


def keep_receipt(
    target: Target,
    order: Order,
    place: TargetFolder,
    inputs: Inputs,
    done: Outcome[tuple[PrintedFile, ...]],
    others: Sequence[str],
) -> None:
    """Keep what came of a build that began with these inputs: the files that it printed, and others
    beside them; unless somebody saved something meanwhile, or has put other files there."""
    delivered = _delivered(place, [*(file.path.name for file in done.value), *others])
    printed = all(delivered.get(file.path.name) == file.sha256 for file in done.value)
    if not done.value or not printed or inputs != inputs_of(target.project):
        return
    receipt = _Receipt(done.diagnostics, done.value, delivered)
    with suppress(UnicodeEncodeError):  # a name that is no text
        content = msgspec.msgpack.encode(receipt, enc_hook=str)
        order.cache.put(Sort.BUILDS, content, *_key(target, order, place, inputs))


def _key(
    target: Target, order: Order, place: TargetFolder, inputs: Inputs
) -> Iterator[bytes | str]:
    project = target.project
    yield inputs.content
    for path in (project.root, project.shipped, project.around, place.path):
        yield str(path)
    yield target.pack
    asked = [name for name in order.__struct_fields__ if name not in ("jobs", "cache")]
    yield repr([getattr(order, name) for name in asked])


def _delivered(place: TargetFolder, names: list[str]) -> dict[str, str]:
    """Return the digests of those files of an output folder that can be read."""
    digests = {name: file_digest(place, name) for name in names}
    return {name: digest for name, digest in digests.items() if digest is not None}
