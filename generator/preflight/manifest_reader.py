"""Reads of a manifest what must be on the paper: each face of a file, with what is told of its
component, its kind and its texts."""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Callable, Iterator, Mapping, Sequence
from io import BufferedReader
from pathlib import Path
from typing import Final

import msgspec
from msgspec import Struct, field
from msgspec.structs import replace

from generator import limits
from generator.diagnostics import Diagnostic, GridpressError, Outcome, Span, did_you_mean
from generator.files import is_link
from generator.geometry import Point, Rect, bounds, mm_to_pt
from generator.model.catalogue import (
    TRUE,
    Edge,
    LabelSheet,
    Paper,
    PrintedOn,
    PrinterStretch,
    Shape,
    Stock,
)
from generator.model.face import Side
from generator.model.manifest import (
    MOST_BYTES,
    FileEntry,
    FormEntry,
    Manifest,
    ManifestError,
    MarkEntry,
    PageEntry,
    PathEntry,
    PlacementEntry,
    PosterEntry,
    RulesEntry,
    StretchEntry,
    TextEntry,
    WaiverEntry,
    WordsEntry,
    is_of_part,
    read_manifest,
)
from generator.model.pack import COARSE, Backs, Layout, is_waived_for
from generator.outlines import flattened
from generator.pdf_forms import MOST_PIXELS, proof_pixels

_AGAIN: Final = "build the pack again; do not edit the manifest by hand"
_SAME_PLACE: Final = 0.1
"""mm; curves that were made straight have a box that is a little smaller."""
_MEGABYTE: Final = 0.2
"""Seconds of processor time that reading so much may take."""
_READ: Final = os.O_RDONLY | getattr(os, "O_BINARY", 0) | getattr(os, "O_NONBLOCK", 0)
_SURELY_PROVEN: Final = 0.8
"""Of the pixels that a proof may have: a face may be placed with less than its bleed."""
_NO_LINK: Final = getattr(os, "O_NOFOLLOW", 0)


def opened_plain(path: Path, *, named: bool = True) -> BufferedReader:
    """An ordinary file: a pipe or a device, which may keep a reader waiting for ever or never come
    to an end, is refused, and a link too unless the user has `named` it. Raises OSError."""
    try:
        if not named and is_link(os.lstat(path)):
            raise OSError(errno.ELOOP, "it is a link; name the file that you mean with --manifest")
        handle = os.open(path, _READ if named else _READ | _NO_LINK)
    except ValueError as error:  # a name that no file can have
        raise OSError(errno.EINVAL, "no file can have such a name") from error
    mode = os.fstat(handle).st_mode
    if not stat.S_ISREG(mode):
        os.close(handle)
        code = errno.EISDIR if stat.S_ISDIR(mode) else errno.EINVAL
        reason = os.strerror(code) if stat.S_ISDIR(mode) else "it is no ordinary file"
        raise OSError(code, reason)
    return os.fdopen(handle, "rb")


class Expected(PlacementEntry, frozen=True, kw_only=True):
    """A face that must be drawn: its placement; where its component was written; how far texts keep
    from the cut and what comes there, as its kind has it; its texts, and all words that it shows,
    None where they are not known; `contour` is what it is cut along, if that is a free outline
    which is drawn on its page; it is `bound` in a booklet."""

    source: str = ""
    safe: float = 0.0
    edge: Edge = Edge.INK
    texts: tuple[TextEntry, ...] = ()
    words: str | None = None
    contour: tuple[Point, ...] = ()
    bound: bool = False

    def upright(self, box: Rect) -> Rect:
        """A place on the page in trim coordinates of the face, however that is turned; mm."""
        trim = self.box
        place = Rect(box.x - trim.x, box.y - trim.y, box.width, box.height)
        width, height = trim.width, trim.height
        for _ in range(self.rotation // 90 % 4):
            place = Rect(place.y, width - place.right, place.height, place.width)
            width, height = height, width
        return place

    def on_page(self, place: Rect) -> Rect:
        """A place in trim coordinates of the face on the page that it is drawn on; mm."""
        turns = self.rotation // 90 % 4
        trim = self.box
        height = trim.height if turns % 2 == 0 else trim.width
        width = trim.width if turns % 2 == 0 else trim.height
        for _ in range(turns):
            place = Rect(height - place.bottom, place.x, place.height, place.width)
            width, height = height, width
        return Rect(trim.x + place.x, trim.y + place.y, place.width, place.height)


class ExpectedPage(PageEntry, frozen=True, kw_only=True):
    """A page that must be there; `tolerance` is how far the printer drifts, `marks` all that is on
    it beside its faces, None where that is not told."""

    placements: tuple[Expected, ...]
    tolerance: float = 0.0
    marks: tuple[MarkEntry, ...] | None = None


class ExpectedComponent(Struct, frozen=True):
    """A component of the pack: how many of it are printed, a digest of its values (those with the
    same one should look alike), those of its values that are one of some choices, and whether it is
    made from another component."""

    kind: str
    id: str
    quantity: int
    content: str
    choices: Mapping[str, str]
    source: str
    made: bool = False


class ExpectedFile(Struct, frozen=True):
    """A PDF that must be there; `offsets` is where the printer's ink lands, by side, mm, and
    `stretches` how it is drawn.
    `components` are those of the kinds that are in the file, by kind and id; `forms` and `proofs`
    are what its faces were made of and what they showed, by sha256;
    `lettering` as of the `FileEntry`; `part` where it is of a build with `--only`; `file` is what
    its sheets call it, `pack` and `version` those of the pack; `untold` is what any build tells of
    a file and this manifest does not. `paper` and `bought` are its paper and its sheet of labels
    as the pack's project knows them, if that is at hand; so are the `stocks` of its kinds and the
    `overlap` of a poster's pages. A `draft` has pictures that may be too coarse."""

    backs: Backs
    sha256: str
    offsets: Mapping[Side, Point]
    pages: tuple[ExpectedPage, ...]
    components: Mapping[tuple[str, str], ExpectedComponent] = field(default_factory=dict)
    waivers: tuple[WaiverEntry, ...] = ()
    forms: Mapping[str, FormEntry] = field(default_factory=dict)
    lettering: tuple[str, ...] = ()
    painter: str = ""
    proofs: Mapping[str, str] = field(default_factory=dict)
    part: bool = False
    stretches: Mapping[Side, PrinterStretch] = field(default_factory=dict)
    rules: RulesEntry | None = None
    file: str = ""
    version: str = ""
    untold: tuple[str, ...] = ()
    paper: Paper | None = None
    bought: LabelSheet | None = None
    pack: str = ""
    draft: bool = False
    stocks: Mapping[str, Stock] = field(default_factory=dict)
    overlap: float | None = None

    @property
    def coded(self) -> frozenset[str]:
        """The faces, by sha256, of components with a value that is one of some choices, which may
        be told by its colour."""
        chosen = {key for key, component in self.components.items() if component.choices}
        return frozenset(
            placement.sha256
            for page in self.pages
            for placement in page.placements
            if (placement.kind, placement.component) in chosen
        )


def unknown(_: str) -> None:
    """Of no pack it is known what it prints on."""


class ManifestReader:
    """A manifest, read once for all of its files. `fault` is why there is nothing in it to be
    read."""

    def __init__(
        self, path: Path, *, named: bool = True, known: Callable[[str], PrintedOn | None] = unknown
    ) -> None:
        """Faults: GP002 when it cannot be read; GP009 when that takes too much memory; GP806 when
        it is not a manifest. It may be a link only if the user has `named` it: else whoever sent it
        has, and it may lead to any file of the user's. One that nobody named `is_anothers` if it is
        an outlet's, or no promise of Gridpress at all. `known` is what a pack of a name prints on,
        None where nobody knows."""
        self._shown = str(path)
        self._manifest: Manifest | None = None
        self._known = known
        self.fault: Diagnostic | None = None
        self.is_anothers = False
        content = b""
        try:
            with limits.at(self._shown, limits.BEGINNING):
                with opened_plain(path, named=named) as stream:
                    content = stream.read(MOST_BYTES + 1)
                limits.allow(_MEGABYTE * len(content) / 1_000_000)
                self._manifest = read_manifest(content)
        except GridpressError as error:  # it takes too much memory
            self.fault = error.diagnostics[0]
        except OSError as error:
            message = f"the manifest cannot be read: {error.strerror or error}"
            self.fault = Diagnostic(Span(self._shown), "GP002", message)
        except ManifestError as error:
            self.is_anothers = not named and _is_anothers(content)
            message = f"this is not a manifest of Gridpress: {error}"
            self.fault = Diagnostic(Span(self._shown), "GP806", message, _AGAIN)

    @property
    def manifest(self) -> Manifest:
        """All that it says. Raises GridpressError when there is a fault."""
        if self._manifest is None:
            assert self.fault is not None
            raise GridpressError(self.fault)
        return self._manifest

    def file(self, name: str) -> Outcome[ExpectedFile | None]:
        """What it says of the PDF of that name. Errors: its own fault; GP806 when it has no such
        PDF."""
        if self.fault is not None:
            return Outcome(None, (self.fault,))
        files = {file.file: file for file in self.manifest.files}
        if name not in files:
            message = f"the manifest does not list {name!r}"
            hint = did_you_mean(name, files)
            return Outcome(None, (Diagnostic(Span(self._shown), "GP806", message, hint),))
        file, known = files[name], self._known(self.manifest.pack)
        expected = _file(file, self.manifest)
        if known is None:
            return Outcome(expected)
        sheet = file.rules.labels.sheet if file.rules and file.rules.labels else ""
        paper = known.catalogue.papers.get(file.paper)
        bought = known.catalogue.label_sheets.get(sheet)
        kinds = {placed.kind for page in file.pages for placed in page.placements}
        stocks = {kind: stock for kind, stock in known.stocks.items() if kind in kinds}
        overlap = known.overlaps.get(file.print_)
        expected = replace(expected, paper=paper, bought=bought, stocks=stocks, overlap=overlap)
        return Outcome(expected)


def _is_anothers(content: bytes) -> bool:
    """True for what an outlet or another program lists in a file of that name."""
    try:
        told = msgspec.json.decode(content[:MOST_BYTES], type=dict[str, msgspec.Raw])
    except (msgspec.MsgspecError, ValueError, RecursionError):
        return False
    return "outlet" in told or not {"gridpress", "files"} & set(told)


def _file(file: FileEntry, manifest: Manifest) -> ExpectedFile:
    marks = dict(enumerate(file.marks, start=1))
    drift = file.printer.tolerance
    bound = file.rules is not None and file.rules.layout is Layout.BOOKLET
    pages = _with_backs(
        tuple(_page(page, drift, marks.get(page.number), manifest, bound) for page in file.pages)
    )
    kinds = {placement.kind for page in pages for placement in page.placements}
    return ExpectedFile(
        file.backs,
        file.sha256,
        {Side.FRONT: Point(*file.printer.front), Side.BACK: Point(*file.printer.back)},
        pages,
        {
            (kind, id_): ExpectedComponent(
                kind,
                id_,
                told.quantities.get(id_, 0),
                component.content,
                component.choices,
                component.source,
                told.made_from is not None,
            )
            for kind, told in sorted(manifest.kinds.items())
            if kind in kinds
            for id_, component in told.components.items()
        },
        manifest.waivers,
        file.forms,
        file.lettering,
        manifest.painter,
        {
            placed.sha256: proof
            for page in pages
            for placed in page.placements
            if (proof := manifest.proofs.get(placed.sha256))
        },
        is_of_part(file.file),
        {
            Side.FRONT: _stretch(file.printer.front_stretch),
            Side.BACK: _stretch(file.printer.back_stretch),
        },
        file.rules,
        file.file,
        manifest.version,
        tuple(untold(file, manifest)),
        pack=manifest.pack,
        draft=file.draft or _lets_coarse(file, manifest),
    )


def _lets_coarse(file: FileEntry, manifest: Manifest) -> bool:
    """Whether a face with pictures may have them too coarse, whatever is said of the file."""
    patterns = [waiver.component for waiver in manifest.waivers if waiver.code in COARSE]
    return any(
        is_waived_for(pattern, f"{placed.kind}/{placed.component}")
        for pattern in patterns
        for page in file.pages
        for placed in page.placements
        if placed.sha256 in file.forms and file.forms[placed.sha256].pictures
    )


def untold(file: FileEntry, manifest: Manifest) -> Iterator[str]:
    """What a manifest leaves out that every build writes, so that nobody can look for it."""
    placed = [placed for page in file.pages for placed in page.placements]
    yield from _unruled(file, placed)
    if len(file.marks) != len(file.pages):
        yield "the marks of each page (marks)"
    if not all(page.label for page in file.pages):
        yield "the label of each page (label)"
    if not file.lettering and any(isinstance(m, WordsEntry) for page in file.marks for m in page):
        yield "the fonts of rulers and slugs (lettering)"
    free = (each for each in placed if each.shape is Shape.PATH and each.side is Side.FRONT)
    if not all(each.die_mm for each in free):
        yield "where free outlines lie (die_mm)"
    faces = {each.sha256: each for each in placed}
    for known, what in (
        (file.forms, "what each face is made of (forms)"),
        (manifest.words, "the words of each face (words)"),
        (manifest.texts, "the texts of each face (texts)"),
    ):
        if faces.keys() - known.keys():
            yield what
    unproven = [each for sha256, each in faces.items() if sha256 not in manifest.proofs]
    if any(map(_has_proof, unproven)) or not (manifest.painter or len(unproven) == len(faces)):
        yield "what each face showed when it was rendered (proofs, painter)"
    kinds = manifest.kinds.keys() & {each.kind for each in placed}
    if any(
        (bleed := manifest.kinds[each.kind].bleed) is not None and each.bleed != bleed
        for each in placed
        if each.kind in kinds
    ):
        yield "one bleed of each kind and of its pieces (bleed_mm)"
    if any(manifest.kinds[kind].safe is None for kind in kinds):
        yield "how far texts keep from the cut (safe_mm)"


def _unruled(file: FileEntry, placed: Sequence[PlacementEntry]) -> Iterator[str]:
    """What a manifest leaves out of how pages are laid out."""
    if file.rules is None:
        yield "by which rules pages are laid out (rules)"
    elif any(not each.marked for each in placed) and not file.rules.labels:
        yield "where the labels of its sheets are (labels)"
    elif any(_is_one_of_many(each.poster) for each in placed) and file.rules.overlap_mm is None:
        yield "what the pages of a poster repeat of each other (overlap_mm)"
    if file.backs is Backs.NONE and any(each.side is Side.BACK for each in placed):
        yield "how backs come behind their fronts (backs)"


def _is_one_of_many(page: PosterEntry | None) -> bool:
    return page is not None and page.rows * page.columns > 1


def _has_proof(face: PlacementEntry) -> bool:
    """False for one that is nearly as large as what has none, or larger."""
    width, height = (mm_to_pt(side + 2 * face.bleed) for side in (face.width, face.height))
    return proof_pixels(width, height) < _SURELY_PROVEN * MOST_PIXELS


def _stretch(told: StretchEntry | None) -> PrinterStretch:
    return PrinterStretch(told.short, told.long, told.skew) if told else TRUE


def _page(
    page: PageEntry,
    tolerance: float,
    marks: tuple[MarkEntry, ...] | None,
    manifest: Manifest,
    bound: bool,
) -> ExpectedPage:
    own = {name: getattr(page, name) for name in PageEntry.__struct_fields__}
    dies = [mark.path for mark in marks or () if isinstance(mark, PathEntry)]
    own["placements"] = tuple(
        _placement(placed, manifest, _contour(placed, dies), bound) for placed in page.placements
    )
    return ExpectedPage(**own, tolerance=tolerance, marks=marks)


def _with_backs(pages: tuple[ExpectedPage, ...]) -> tuple[ExpectedPage, ...]:
    """Free outlines of backs, too: those of their fronts, seen from behind."""
    fronts = {
        (placed.kind, placed.component): placed
        for page in pages
        for placed in page.placements
        if placed.contour
    }
    if not fronts:
        return pages
    return tuple(
        replace(
            page,
            placements=tuple(
                replace(back, contour=_behind(back, front))
                if not back.contour
                and back.side is Side.BACK
                and (front := fronts.get((back.kind, back.component)))
                else back
                for back in page.placements
            ),
        )
        for page in pages
    )


def _behind(back: Expected, front: Expected) -> tuple[Point, ...]:
    """A front's free outline where the back of the same piece lies."""
    width = front.box.width if front.rotation % 180 == 0 else front.box.height
    corners = (front.upright(Rect(p.x, p.y, 0, 0)) for p in reversed(front.contour))
    places = (back.on_page(Rect(width - corner.x, corner.y, 0, 0)) for corner in corners)
    return tuple(Point(place.x, place.y) for place in places)


def _contour(placed: PlacementEntry, dies: Sequence[str]) -> tuple[Point, ...]:
    """Of a piece with a free outline, the die line that goes around it."""
    if placed.shape is not Shape.PATH or placed.die is None or placed.poster is not None:
        return ()
    for corners in map(flattened, dies):
        box = bounds(corners) if corners else Rect(0, 0, 0, 0)
        if placed.die.contains(box, _SAME_PLACE) and box.contains(placed.die, _SAME_PLACE):
            return corners
    return ()


def _placement(
    placed: PlacementEntry, manifest: Manifest, contour: tuple[Point, ...], bound: bool
) -> Expected:
    kind = manifest.kinds.get(placed.kind)
    component = kind.components.get(placed.component) if kind else None
    return Expected(
        **{name: getattr(placed, name) for name in PlacementEntry.__struct_fields__},
        source=component.source if component else "",
        safe=(kind and kind.safe) or 0.0,
        edge=(kind and kind.edge) or Edge.INK,
        texts=manifest.texts.get(placed.sha256, ()),
        words=manifest.words.get(placed.sha256),
        contour=contour,
        bound=bound,
    )
