"""What `manifest.json` says of finished files, page by page and piece by piece: export writes it;
preflight, packing lists and the next delivery read it. Fields stand here in the order of the JSON.

A manifest may be a stranger's: what is read is of the type, the size and the number of entries that
are told here, or is refused with the path to it. Lengths are mm, (x, y) counts from the top left.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Annotated, BinaryIO, Final

import msgspec
from msgspec import Meta, Struct, field

from generator.geometry import Point, Rect
from generator.model.catalogue import Edge, Shape
from generator.model.face import PdfLayer, Side
from generator.model.pack import Backs, Layout

MANIFEST: Final = "manifest.json"
_PART: Final = ".only"
MOST_BYTES: Final = 150_000_000
"""Of a manifest that is read: of 8,000 faces that are all different, each with a picture."""

_FARTHEST: Final = 20_000.0  # the width of a page of PDF four times
Coordinate = Annotated[float, Meta(ge=-_FARTHEST, le=_FARTHEST)]
Length = Annotated[float, Meta(ge=0, le=_FARTHEST)]
Extent = Annotated[float, Meta(ge=0.01, le=_FARTHEST)]
"""Of a page or a piece, which has some."""
Factor = Annotated[float, Meta(ge=0.5, le=2)]
Angle = Annotated[float, Meta(ge=-45, le=45)]
Count = Annotated[int, Meta(ge=0, le=1_000_000)]
Number = Annotated[int, Meta(ge=1, le=10_000)]
Pair = tuple[Coordinate, Coordinate]
Box = tuple[Coordinate, Coordinate, Length, Length]
Window = tuple[Coordinate, Coordinate, Extent, Extent]


def near_box(box: Rect, digits: int) -> Box:
    """A box as a manifest has it, rounded; of one that a template lays out of sight, or makes
    endless, what is near."""
    x, y = (min(max(place, -_FARTHEST), _FARTHEST) for place in (box.x, box.y))
    width, height = min(box.width, _FARTHEST), min(box.height, _FARTHEST)
    return round(x, digits), round(y, digits), round(width, digits), round(height, digits)


def of_part(name: str) -> str:
    """The name of a file of a build that prints a part of a pack (`--only`), by that which it has
    when all is printed: `cards-a4.only.pdf`, `manifest.only.json`."""
    stem, _, suffix = name.rpartition(".")
    return f"{stem}{_PART}.{suffix}"


def in_locale(name: str, locale: str) -> str:
    """The name of a file of a build in another language than the pack's own, by that which it has
    else: `cards-a4.de.pdf`, `manifest.de.json`; of a part of it `cards-a4.de.only.pdf`."""
    stem, _, suffix = name.rpartition(".")
    return f"{stem}.{locale}.{suffix}"


def is_of_part(name: str) -> bool:
    """Whether a file of this name is of a build that prints a part of its pack."""
    return name.rpartition(".")[0].endswith(_PART)


def is_refused(locale: str) -> bool:
    """Whether files in a locale of this name would be called as those of a part are."""
    return f".{locale}".casefold().endswith(_PART)


def manifest_beside(name: str) -> str:
    """The name of the manifest that tells of a PDF: prints and papers have no dot in theirs."""
    return sibling_file(name, MANIFEST)


def sibling_file(file: str, name: str) -> str:
    """The name that another file of the same build has, by that which it has in a whole one."""
    _, dot, marks = file.rpartition(".")[0].partition(".")
    stem, _, suffix = name.rpartition(".")
    return f"{stem}{dot}{marks}.{suffix}"


class Entry(Struct, frozen=True, omit_defaults=True):
    """A part of a manifest: what has a default may be missing."""


class PosterEntry(Entry, frozen=True, kw_only=True):
    """Which page of a poster it is, and what of it stays in sight when all are glued."""

    row: Number
    column: Number
    rows: Number
    columns: Number
    shown_mm: Window

    @property
    def shown(self) -> Rect:
        """What stays in sight, on the page."""
        return Rect(*self.shown_mm)


class PlacementEntry(Entry, frozen=True, kw_only=True):
    """A face on a page: `x` and `y` are those of its turned trim, `rotation` is clockwise. `die` is
    the box around the corners of a free outline; where `outline` has corners the face is drawn
    inside that convex polygon only; `marked` tells whether marks show where to cut it; `folds` are
    the level and upright ones of its stock, boxes of no height or width in trim coordinates."""

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
    clip_mm: Window | None
    shape: Shape
    sha256: str
    die_mm: Box | None = None
    marked: bool = True
    edge_mm: Annotated[tuple[Pair, ...], Meta(max_length=1_000)] = ()
    poster: PosterEntry | None = None
    folds_mm: Annotated[tuple[Box, ...], Meta(max_length=100)] = ()

    def __str__(self) -> str:
        return f"{self.face} of {self.component!r}, copy {self.copy}"

    @property
    def box(self) -> Rect:
        """The turned trim."""
        return Rect(self.x, self.y, self.width, self.height)

    @property
    def clip(self) -> Rect | None:
        """What of the page it is drawn inside of, if of less than its bleed."""
        return Rect(*self.clip_mm) if self.clip_mm else None

    @property
    def folds(self) -> tuple[Rect, ...]:
        """Where it is folded."""
        return tuple(Rect(*box) for box in self.folds_mm)

    @property
    def die(self) -> Rect | None:
        """The box around the corners of a free outline."""
        return Rect(*self.die_mm) if self.die_mm else None

    @property
    def outline(self) -> tuple[Point, ...]:
        """The corners of the polygon that it is drawn inside of."""
        return tuple(Point(x, y) for x, y in self.edge_mm)

    @property
    def art(self) -> Rect:
        """What of the page it covers with its bleed."""
        return self.clip or self.box.grown(self.bleed)

    @property
    def finished(self) -> Rect:
        """What of the trim is left of this page when it is cut."""
        return self.box if self.poster is None else self.box.cut_to(self.poster.shown)

    @property
    def piece(self) -> tuple[str, str, int]:
        """What tells a card from all others of its file, whichever side is up."""
        return (self.kind, self.component, self.copy)


class LinesEntry(Entry, frozen=True, kw_only=True, tag_field="mark", tag="lines"):
    """Straight marks of one look, each by its ends; `grey` runs from 0, black, to 1, white; `dash`
    is lengths on and off."""

    layer: PdfLayer
    width: Length = field(name="width_mm")
    grey: float
    dash: tuple[Length, ...] = field(name="dash_mm", default=())
    lines: tuple[tuple[Coordinate, Coordinate, Coordinate, Coordinate], ...] = field(
        name="lines_mm"
    )


class PathEntry(Entry, frozen=True, kw_only=True, tag_field="mark", tag="path"):
    """A die line: path data in page coordinates, of absolute M, L, C and Z."""

    layer: PdfLayer
    width: Length = field(name="width_mm")
    grey: float
    path: str
    clip_mm: Box | None = None


class WordsEntry(Entry, frozen=True, kw_only=True, tag_field="mark", tag="words"):
    """A line of a ruler or a slug, in black; where its baseline has its `anchor`."""

    layer: PdfLayer
    at_mm: Pair
    text: str
    size_pt: Length
    rotation: Annotated[int, Meta(ge=-360, le=360)] = 0
    anchor: str = "start"


MarkEntry = LinesEntry | PathEntry | WordsEntry


class PageEntry(Entry, frozen=True, kw_only=True):
    """A page: `margin` is what a printer leaves white around it, `ruler` the ends of its scale."""

    number: Number = field(name="page")
    side: Side
    width: Extent = field(name="width_mm")
    height: Extent = field(name="height_mm")
    margin: Length = field(name="margin_mm")
    label: str = ""
    ruler_mm: tuple[Coordinate, Coordinate, Coordinate, Coordinate] | None
    placements: Annotated[tuple[PlacementEntry, ...], Meta(max_length=5_000)]

    @property
    def ruler(self) -> tuple[Point, Point] | None:
        """The ends of its scale; None for a page without one."""
        if self.ruler_mm is None:
            return None
        x1, y1, x2, y2 = self.ruler_mm
        return Point(x1, y1), Point(x2, y2)


class StretchEntry(Entry, frozen=True, kw_only=True):
    """How a printer draws a page about its middle: so many times as long along the paper's short
    and its long side, and turned clockwise, in degrees."""

    short: Factor
    long: Factor
    skew: Angle


class PrinterEntry(Entry, frozen=True, kw_only=True):
    """The printer that the file is made for: where its ink lands, by side, and how far it drifts
    from there, and how it stretches pages if it does."""

    name: str
    front: Pair = field(name="front_mm")
    back: Pair = field(name="back_mm")
    tolerance: Annotated[float, Meta(ge=0, le=100)] = field(name="tolerance_mm")
    front_stretch: StretchEntry | None = None
    back_stretch: StretchEntry | None = None


class PictureEntry(Entry, frozen=True, kw_only=True):
    """A picture of a face: a digest of all that it shows, and where it is painted first, mm from
    the top left of the bleed."""

    digest: str
    box_mm: Box

    @property
    def box(self) -> Rect:
        """Where it is painted."""
        return Rect(*self.box_mm)


class FormEntry(Entry, frozen=True, kw_only=True):
    """What a face is made of in a file: digests of its drawing, its pictures and its fonts."""

    drawing: str
    pictures: Annotated[tuple[PictureEntry, ...], Meta(max_length=10_000)] = ()
    fonts: Annotated[tuple[str, ...], Meta(max_length=1_000)] = ()


class LabelsEntry(Entry, frozen=True, kw_only=True):
    """The labels of a sheet as it is bought: the corner of the first, how far it is from one to the
    next, and the size of each."""

    sheet: str
    columns: Number
    rows: Number
    first_mm: Pair
    pitch_mm: Pair
    label_mm: tuple[Extent, Extent]


class RulesEntry(Entry, frozen=True, kw_only=True):
    """By which rules a file is laid out: what the pages of a poster repeat of each other, and the
    labels that it is printed on."""

    layout: Layout
    overlap_mm: Length | None = None
    labels: LabelsEntry | None = None


class FileEntry(Entry, frozen=True, kw_only=True):
    """A finished PDF; `waste` is which part of its paper no piece covers; `forms` are its faces, by
    their sha256, as they were written, `lettering` the digests of the fonts
    that its pages name themselves; `marks` are all that is on each page beside its
    faces, in order. Where these are not told, they are empty. A `draft` has pictures that may be
    too coarse."""

    file: str
    print_: str = field(name="print")
    paper: str
    backs: Backs
    sha256: str
    waste: float
    printer: PrinterEntry
    pages: Annotated[tuple[PageEntry, ...], Meta(max_length=10_000)]
    forms: Mapping[str, FormEntry] = msgspec.field(default_factory=dict)
    lettering: tuple[str, ...] = ()
    marks: tuple[tuple[MarkEntry, ...], ...] = ()
    rules: RulesEntry | None = None
    draft: bool = False

    def __post_init__(self) -> None:
        if any(page.number != number for number, page in enumerate(self.pages, start=1)):
            raise ValueError("the pages are not numbered 1, 2, 3 and so on")


class ComponentEntry(Entry, frozen=True, kw_only=True):
    """A component: the place in the author's files where it was written, a digest of its values
    (those with the same one should look alike), and those that are one of some choices."""

    source: str
    content: str
    choices: Mapping[str, str]


class KindEntry(Entry, frozen=True, kw_only=True):
    """A kind: how many of each component are printed and why, what it is made from if it is, and,
    of what is printed on a stock, what that asks for."""

    title: str
    why: str
    quantities: Annotated[Mapping[str, Count], Meta(max_length=100_000)]
    made_from: str | None = None
    bleed: Length | None = field(name="bleed_mm", default=None)
    safe: Length | None = field(name="safe_mm", default=None)
    edge: Edge | None = None
    components: Annotated[Mapping[str, ComponentEntry], Meta(max_length=100_000)]


class TextEntry(Entry, frozen=True, kw_only=True):
    """A text of a face: its style, the size that it reached (pt), its box in trim coordinates, and
    where its words were written, and in which field, if in one; whether it is there to be looked
    at, not to be read."""

    style: str
    size_pt: Length
    box_mm: Box
    source: str
    decoration: bool = False
    field: str = ""

    @property
    def box(self) -> Rect:
        """Its box in trim coordinates."""
        return Rect(*self.box_mm)


class WaiverEntry(Entry, frozen=True, kw_only=True):
    """A finding that the author accepts; `component` is a pattern of `kind/id`."""

    code: str
    component: str
    reason: str
    source: str


class Manifest(Entry, frozen=True, kw_only=True):
    """A build, in the words of a `locale` where these are not the pack's own. `players` is the
    number that it was printed for, None when the pack does not say; `texts` and `words` are those
    of each face by its sha256. `others` are PDFs beside it, with their sha256, that an earlier
    build made for papers which this one was not to print on. `proofs` show each face by its sha256
    as it was rendered, small (`generator/pdf_forms.py`), drawn by `painter`."""

    gridpress: str
    pack: str
    version: str
    locale: str = ""
    players: Count | None
    kinds: Annotated[Mapping[str, KindEntry], Meta(max_length=10_000)]
    waivers: Annotated[tuple[WaiverEntry, ...], Meta(max_length=100_000)]
    files: Annotated[tuple[FileEntry, ...], Meta(max_length=10_000)]
    texts: Mapping[str, Annotated[tuple[TextEntry, ...], Meta(max_length=100_000)]]
    words: Mapping[str, str]
    others: Annotated[Mapping[str, str], Meta(max_length=1_000)] = msgspec.field(
        default_factory=dict
    )
    painter: str = ""
    proofs: Mapping[str, str] = msgspec.field(default_factory=dict)


class ListedFile(Struct, frozen=True):
    """A file that any manifest of ours names, with its digest."""

    file: str
    sha256: str


class ListedFiles(Struct, frozen=True):
    """What a manifest lists, whatever else it says: of a build's files, or of an `outlet`'s."""

    outlet: str = ""
    files: tuple[ListedFile, ...] = ()
    others: Mapping[str, str] = msgspec.field(default_factory=dict)


class ManifestError(Exception):
    """What is no manifest: where it goes wrong, and how."""


def manifest_parts(manifest: Manifest) -> Iterator[bytes]:
    """JSON with the keys always in the same order, in pieces: proofs of thousands of faces are a
    hundred MB, and are there once already."""
    bare = msgspec.structs.replace(manifest, proofs={})
    head = msgspec.json.encode(bare, enc_hook=str)  # texts know their places
    head = msgspec.json.format(head, indent=1).removesuffix(_END)
    yield head
    before = _PROOFS
    for sha256, proof in manifest.proofs.items():
        yield before + b"  " + msgspec.json.encode(sha256) + b": " + msgspec.json.encode(proof)
        before = b",\n"
    yield (b"\n }" if manifest.proofs else b"") + _END + b"\n"


_END: Final = b"\n}"
_PROOFS: Final = b',\n "proofs": {\n'
"""The last field; a text in JSON has no such line."""
_PORTION: Final = 1_000_000


def without_proofs(stream: BinaryIO) -> bytearray:
    """A manifest, as it is written, without the proofs at its end: four fifths of one of thousands
    of faces, which need not be read. Of what is none, as much as a manifest may have."""
    head = bytearray()
    while (some := stream.read(_PORTION)) and len(head) <= MOST_BYTES:
        start = max(len(head) - len(_PROOFS), 0)
        head += some
        if (end := head.find(_PROOFS, start)) >= 0:
            head[end:] = _END
            break
    return head


def read_manifest(content: bytes) -> Manifest:
    """The manifest in some bytes. Raises ManifestError."""
    if len(content) > MOST_BYTES:
        raise ManifestError(f"it has more than {MOST_BYTES // 1_000_000} MB")
    try:
        return msgspec.json.decode(content, type=Manifest)
    except msgspec.ValidationError as error:
        raise ManifestError(_in_words(str(error))) from error
    except msgspec.DecodeError as error:
        raise ManifestError(_misspelt(content, str(error))) from error
    except UnicodeDecodeError as error:
        raise ManifestError("it is not UTF-8") from error
    except RecursionError as error:
        raise ManifestError("it is nested too deep") from error


_NAMES: Final = {
    "array": "a list",
    "bool": "true or false",
    "float": "a number",
    "int": "a whole number",
    "null": "null",
    "object": "an object",
    "str": "a text",
}


def _in_words(error: str) -> str:
    """msgspec's ``Expected `float`, got `str` - at `$.files[0].x_mm` ``."""
    what, _, path = error.partition(" - at ")
    what = what.replace("Object missing required field", "it lacks")
    what = re.sub("`(.*?)`", lambda found: _named(found[1]), what[:1].lower() + what[1:])
    return f"{path.strip('`').removeprefix('$').removeprefix('.') or 'the manifest'}: {what}"


def _named(types: str) -> str:
    """`float | null` as a reader knows them; other words, which are keys, quoted."""
    return " or ".join(_NAMES.get(word, repr(word)) for word in types.split(" | "))


def _misspelt(content: bytes, error: str) -> str:
    """What is no JSON, at its line and column; msgspec counts the bytes."""
    at = re.search(r"\(byte (\d+)\)", error)
    if at is None:
        return "it is cut off, or has half a letter in it"
    before = content[: int(at[1])]
    line, column = before.count(b"\n") + 1, len(before) - before.rfind(b"\n")
    return f"line {line}, column {column}: {error[: at.start()].strip()}"
