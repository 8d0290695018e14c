"""The contents of `manifest.json`. Export writes it; preflight, packing lists and the next build
read it.

Fields are in the order of the JSON. Lengths are mm, (x, y) counts from the top left. Entries of a
wrong type or size are refused with their path.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Annotated, Final

import msgspec
from msgspec import Meta, Struct, field

from generator.model.face import Side
from generator.model.pack import Backs

MANIFEST: Final = "manifest.json"
_PART: Final = ".only"
MOST_BYTES: Final = 50_000_000
"""The largest manifest that is read: 100,000 placements take 30 MB."""
_FACE_DIGITS: Final = 16

_FARTHEST: Final = 20_000.0  # the width of a page of PDF four times
Coordinate = Annotated[float, Meta(ge=-_FARTHEST, le=_FARTHEST)]
Length = Annotated[float, Meta(ge=0, le=_FARTHEST)]
Extent = Annotated[float, Meta(ge=0.01, le=_FARTHEST)]
"""Size of a page or a piece, mm; never zero."""
Factor = Annotated[float, Meta(ge=0.5, le=2)]
Angle = Annotated[float, Meta(ge=-45, le=45)]
Count = Annotated[int, Meta(ge=0, le=1_000_000)]
Number = Annotated[int, Meta(ge=1, le=10_000)]
Pair = tuple[Coordinate, Coordinate]


def of_part(name: str) -> str:
    """Return the name that a file gets when only a part of a pack is printed (`--only`):
    `cards-a4.only.pdf`, `manifest.only.json`."""
    stem, _, suffix = name.rpartition(".")
    return f"{stem}{_PART}.{suffix}"


def in_locale(name: str, locale: str) -> str:
    """Return the name that a file gets in another language than the pack's own: `cards-a4.de.pdf`,
    `manifest.de.json`; for a part of the pack, `cards-a4.de.only.pdf`."""
    stem, _, suffix = name.rpartition(".")
    return f"{stem}.{locale}.{suffix}"


def is_refused(locale: str) -> bool:
    """Return True if files of this locale would have the names of those of `--only`."""
    return f".{locale}".casefold().endswith(_PART)


def manifest_beside(name: str) -> str:
    """Return the name of the manifest that lists a PDF. Names of prints and papers have no dots."""
    return sibling_file(name, MANIFEST)


def sibling_file(file: str, name: str) -> str:
    """Return the name of another file of the same build, from its name in a whole build."""
    _, dot, marks = file.rpartition(".")[0].partition(".")
    stem, _, suffix = name.rpartition(".")
    return f"{stem}{dot}{marks}.{suffix}"


class Entry(Struct, frozen=True, omit_defaults=True):
    """A part of a manifest. Fields with a default may be missing."""


class PlacementEntry(Entry, frozen=True, kw_only=True):
    """A face on a page: `x` and `y` are the corner of its turned trim, `rotation` is clockwise.
    `digest` is the sha256 of everything the face shows."""

    component: str
    copy: Count
    kind: str
    face: str
    side: Side
    x: Coordinate = field(name="x_mm")
    y: Coordinate = field(name="y_mm")
    width: Extent = field(name="w_mm")
    height: Extent = field(name="h_mm")
    rotation: Annotated[int, Meta(ge=-360, le=360)]
    bleed: Annotated[float, Meta(ge=0, le=1_000)] = field(name="bleed_mm")
    digest: str

    def __str__(self) -> str:
        return f"{self.face} of {self.kind}/{self.component}"


class PageEntry(Entry, frozen=True, kw_only=True):
    """A page; `digest` is that of its operators."""

    number: Number = field(name="page")
    side: Side
    width: Extent = field(name="width_mm")
    height: Extent = field(name="height_mm")
    label: str = ""
    digest: str = ""
    placements: Annotated[tuple[PlacementEntry, ...], Meta(max_length=5_000)]


class StretchEntry(Entry, frozen=True, kw_only=True):
    """A printer's distortion of a page about its middle: factors along the short and long side of
    the paper, and a clockwise turn in degrees."""

    short: Factor
    long: Factor
    skew: Angle


class PrinterEntry(Entry, frozen=True, kw_only=True):
    """The printer that the file is made for: offsets by side, drift, and how it stretches pages."""

    name: str
    front: Pair = field(name="front_mm")
    back: Pair = field(name="back_mm")
    tolerance: Annotated[float, Meta(ge=0, le=100)] = field(name="tolerance_mm")
    front_stretch: StretchEntry | None = None
    back_stretch: StretchEntry | None = None

    @property
    def is_off(self) -> bool:
        """Return whether pages are shifted or stretched for it."""
        shifted = any((*self.front, *self.back))
        return shifted or bool(self.front_stretch or self.back_stretch)


class FileEntry(Entry, frozen=True, kw_only=True):
    """A finished PDF; `waste` is the part of its paper without pieces. `objects` are digests of the
    faces, pictures and fonts that its pages name. A `draft` has pictures that may be too coarse."""

    file: str
    print_: str = field(name="print")
    paper: str
    backs: Backs
    sha256: str
    waste: float
    draft: bool = False
    printer: PrinterEntry
    objects: Mapping[str, str] = field(default_factory=dict)
    pages: Annotated[tuple[PageEntry, ...], Meta(max_length=10_000)]

    def __post_init__(self) -> None:
        if any(page.number != number for number, page in enumerate(self.pages, start=1)):
            raise ValueError("the pages are not numbered 1, 2, 3 and so on")


class KindEntry(Entry, frozen=True, kw_only=True):
    """A kind, with the number of copies of each component and the reasons for them."""

    title: str
    why: str
    quantities: Annotated[Mapping[str, Count], Meta(max_length=100_000)]


class WaiverEntry(Entry, frozen=True, kw_only=True):
    """A finding that the author accepts; `component` is a pattern of `kind/id`."""

    code: str
    component: str
    reason: str
    source: str


class Manifest(Entry, frozen=True, kw_only=True):
    """A build; `locale` is empty for the pack's own language. `waivers` are those that let a draft
    print. `others` are PDFs of an earlier build on other papers, with their sha256."""

    gridpress: str
    pack: str
    version: str
    locale: str = ""
    players: Count | None
    kinds: Annotated[Mapping[str, KindEntry], Meta(max_length=10_000)]
    waivers: Annotated[tuple[WaiverEntry, ...], Meta(max_length=100_000)]
    files: Annotated[tuple[FileEntry, ...], Meta(max_length=10_000)]
    others: Annotated[Mapping[str, str], Meta(max_length=1_000)] = field(default_factory=dict)


class WrittenFile(Struct, frozen=True):
    """Digests of a PDF's bytes, of its pages, and of its faces, pictures and fonts by name."""

    sha256: str = ""
    objects: Mapping[str, str] = field(default_factory=dict)
    pages: tuple[str, ...] = ()


def face_name(sha256: str) -> str:
    """Return the name of a face in a PDF, from the sha256 of everything it shows."""
    return f"F{sha256[:_FACE_DIGITS]}"


class ListedFile(Struct, frozen=True):
    """A file that a manifest names, with its digest."""

    file: str
    sha256: str


class ListedFiles(Struct, frozen=True):
    """The files that a manifest lists, of a build or of an `outlet`."""

    outlet: str = ""
    files: tuple[ListedFile, ...] = ()
    others: Mapping[str, str] = msgspec.field(default_factory=dict)


def is_of_outlet(content: bytes) -> bool:
    """Return True if a manifest lists the files of an outlet."""
    try:
        return bool(msgspec.json.decode(content, type=ListedFiles).outlet)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return False


class ManifestError(Exception):
    """Raised for bytes that are not a manifest, with the reason in the words of the parser."""


def manifest_bytes(manifest: Manifest) -> bytes:
    """Return a manifest as JSON with one placement a line."""
    text = msgspec.json.encode(manifest, enc_hook=str)  # texts know their places
    return _LINE_STARTS.sub(b"\n", text).replace(b":", b": ", 1) + b"\n"


_LINE_STARTS: Final = re.compile(
    rb'(?<=[{,\[])(?=\{"(?:component|page|file)":|"(?:gridpress|kinds|waivers|files|objects)":)'
)
"""Matches between values only: inside a text, each quote has a backslash."""


def read_manifest(content: bytes) -> Manifest:
    """Read a manifest. Raises ManifestError."""
    if len(content) > MOST_BYTES:
        raise ManifestError(f"it has more than {MOST_BYTES // 1_000_000} MB")
    try:
        return msgspec.json.decode(content, type=Manifest)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise ManifestError(str(error)) from error


def page_range(pages: Iterable[int]) -> str:
    """Page numbers as people write them: `1–3, 7`."""
    spans: list[list[int]] = []
    for page in pages:
        if spans and page == spans[-1][1] + 1:
            spans[-1][1] = page
        else:
            spans.append([page, page])
    return ", ".join(f"{first}–{last}" if last > first else f"{first}" for first, last in spans)
