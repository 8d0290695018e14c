"""A manifest in, what it says must be on the paper out."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Final

from generator.diagnostics import Diagnostic, GridpressError, Outcome, Span, did_you_mean
from generator.geometry import Point, Rect
from generator.model.pack import Backs
from generator.model.sheet import PosterPage, Side
from generator.model.stock import Edge, Shape
from generator.preflight.told import MOST_BYTES, OddError, Told, opened_plain, parsed

_AGAIN: Final = "build the pack again; do not edit the manifest by hand"
_FARTHEST: Final = 20_000.0
"""mm: the largest length that a manifest may tell, the width of a page of PDF four times."""
_THINNEST: Final = 0.01
"""mm that each side of a page or piece has at least."""
_MOST_FILES: Final = 1_000
_MOST_PAGES: Final = 10_000
_MOST_PIECES: Final = 5_000
"""On one page: tokens of 4 mm on A4."""
_MOST_KINDS: Final = 10_000
_MOST_COMPONENTS: Final = 100_000
"""Of one kind."""
_MOST_TEXTS: Final = 10_000
"""Of one face."""
_MOST_CORNERS: Final = 1_000
_MOST_WAIVERS: Final = 1_000
_MOST: Final = 1_000_000
"""Of what is only counted."""
_SPAN: Final = re.compile(r"(.+):(\d{1,9}):(\d{1,9})", re.S)


@dataclass(frozen=True, slots=True)
class ExpectedText:
    """A text that a face must show: its style, size (pt), box in trim coordinates (mm), and the
    place where its words were written."""

    style: str
    size_pt: float
    box: Rect
    source: Span


@dataclass(frozen=True, slots=True)
class Expected:
    """A face that must be drawn; `box` is that of the turned trim, `rotation` clockwise. Where
    `outline` has corners it is drawn inside that convex polygon only; `die` is the box around the
    corners of a free outline; `marked` tells whether marks show where to cut it; `words` are all
    that it shows, None where they are not known."""

    component: str
    copy: int
    kind: str
    face: str
    side: Side
    box: Rect
    rotation: int
    bleed: float
    clip: Rect | None
    shape: Shape
    sha256: str
    source: Span | None = None
    safe: float = 0.0
    edge: Edge = Edge.INK
    texts: tuple[ExpectedText, ...] = ()
    outline: tuple[Point, ...] = ()
    poster: PosterPage | None = None
    die: Rect | None = None
    marked: bool = True
    words: str | None = None

    def __str__(self) -> str:
        return f"{self.face} of {self.component!r}, copy {self.copy}"

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


@dataclass(frozen=True, slots=True)
class ExpectedPage:
    """A page that must be there, mm; `ruler` is the two ends of its scale, `margin` what a printer
    leaves white around it, `tolerance` how far the printer drifts."""

    number: int
    side: Side
    width: float
    height: float
    ruler: tuple[Point, Point] | None
    placements: tuple[Expected, ...]
    margin: float = 0.0
    tolerance: float = 0.0
    label: str = ""


@dataclass(frozen=True, slots=True)
class ExpectedComponent:
    """A component of the pack: how many of it are printed, a digest of its values (those with the
    same one should look alike), those of its values that are one of some choices, and whether it is
    made from another component."""

    kind: str
    id: str
    quantity: int
    content: str
    choices: Mapping[str, str]
    source: Span
    made: bool = False


@dataclass(frozen=True, slots=True)
class ExpectedWaiver:
    """A finding that the author accepts; `component` is a pattern of `kind/id`."""

    code: str
    component: str
    reason: str
    source: Span


@dataclass(frozen=True, slots=True)
class ExpectedFile:
    """A PDF that must be there; `offsets` is where the printer's ink lands, by side, mm.
    `components` are those of the kinds
    that are in the file, by kind and id."""

    backs: Backs
    sha256: str
    offsets: Mapping[Side, Point]
    pages: tuple[ExpectedPage, ...]
    components: Mapping[tuple[str, str], ExpectedComponent] = field(default_factory=dict)
    waivers: tuple[ExpectedWaiver, ...] = ()

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


class Manifest:
    """A manifest, read once for all of its files. `fault` is why there is nothing in it to be
    read."""

    def __init__(self, path: Path, *, named: bool = True) -> None:
        """Faults: GP002 when it cannot be read; GP806 when it is not a manifest. It may be a link
        only if the user has `named` it: else whoever sent it has, and it may lead to any file of
        the user's."""
        self._shown = str(path)
        self.fault: Diagnostic | None = None
        try:
            with opened_plain(path, named=named) as stream:
                content = stream.read(MOST_BYTES + 1)
            if len(content) > MOST_BYTES:
                raise OddError(f"it has more than {MOST_BYTES // 1_000_000} MB")
            self._told = parsed(content)
            listed = self._told["files"].each(_MOST_FILES)
            self._files = {file["file"].text(): file for file in listed}
        except OSError as error:
            message = f"the manifest cannot be read: {error.strerror or error}"
            self.fault = Diagnostic(Span(self._shown), "GP002", message)
        except OddError as error:
            self.fault = self._odd(error)

    @property
    def pages(self) -> Mapping[str, int]:
        """The files, each with the number of its pages. Raises GridpressError."""
        if self.fault is not None:
            raise GridpressError(self.fault)
        try:
            return {
                name: len(file["pages"].each(_MOST_PAGES)) for name, file in self._files.items()
            }
        except OddError as error:
            raise GridpressError(self._odd(error)) from error

    def file(self, name: str) -> Outcome[ExpectedFile | None]:
        """What it says of the PDF of that name. Errors: its own fault; GP806 when it has no such
        PDF, or something else in the place of what is needed."""
        if self.fault is not None:
            return Outcome(None, (self.fault,))
        if name not in self._files:
            message = f"the manifest does not list {name!r}"
            hint = did_you_mean(name, self._files)
            return Outcome(None, (Diagnostic(Span(self._shown), "GP806", message, hint),))
        try:
            return Outcome(_file(self._files[name], self._placements, self.waivers))
        except OddError as error:
            return Outcome(None, (self._odd(error),))

    @cached_property
    def waivers(self) -> tuple[ExpectedWaiver, ...]:
        """What the author accepts. Raises OddError."""
        told = self._told.get("waivers")
        return tuple(map(_waiver, told.each(_MOST_WAIVERS))) if told else ()

    @cached_property
    def _placements(self) -> _Placements:
        return _Placements(self._told)

    def _odd(self, error: OddError) -> Diagnostic:
        message = f"this is not a manifest of Gridpress: {error}"
        return Diagnostic(Span(self._shown), "GP806", message, _AGAIN)


def _file(told: Told, reader: _Placements, waivers: tuple[ExpectedWaiver, ...]) -> ExpectedFile:
    printer = told["printer"]
    drift = printer.get("tolerance_mm")
    pages = tuple(
        _page(page, number, reader, drift.number(0, 100) if drift else 0.0)
        for number, page in enumerate(told["pages"].each(_MOST_PAGES), start=1)
    )
    kinds = {placement.kind for page in pages for placement in page.placements}
    return ExpectedFile(
        told["backs"].choice(Backs),
        told["sha256"].text(),
        {Side.FRONT: _point(printer["front_mm"]), Side.BACK: _point(printer["back_mm"])},
        pages,
        {
            (kind, id_): _component(kind, id_, component, reader.kinds[kind])
            for kind in sorted(kinds & reader.kinds.keys())
            for id_, component in reader.components[kind].items()
        },
        waivers,
    )


def _component(kind: str, id_: str, told: Told, definition: Told) -> ExpectedComponent:
    return ExpectedComponent(
        kind,
        id_,
        definition["quantities"][id_].whole(0, _MOST),
        told["content"].text(),
        {name: value.text() for name, value in told["choices"].entries(_MOST)},
        _span(told["source"]),
        definition.get("made_from") is not None,
    )


def _waiver(told: Told) -> ExpectedWaiver:
    code, component, reason = (told[key].text() for key in ("code", "component", "reason"))
    return ExpectedWaiver(code, component, reason, _span(told["source"]))


def _page(told: Told, number: int, placements: _Placements, tolerance: float) -> ExpectedPage:
    if told["page"].whole(1, _MOST_PAGES) != number:
        raise told["page"].odd(f"is {told['page'].value}, but it is page {number} of its file")
    ruler, margin, label = told["ruler_mm"], told.get("margin_mm"), told.get("label")
    ends = _numbers(ruler, 4) if ruler.value is not None else None
    return ExpectedPage(
        number,
        told["side"].choice(Side),
        _size(told["width_mm"]),
        _size(told["height_mm"]),
        (Point(*ends[:2]), Point(*ends[2:])) if ends else None,
        tuple(placements.read(placement) for placement in told["placements"].each(_MOST_PIECES)),
        margin.number(0, _FARTHEST) if margin else 0.0,
        tolerance,
        label.text() if label else "",
    )


class _Placements:
    """Reads placements with what the manifest says of their kinds, components and texts; `kinds`
    and the `components` of each are by their names."""

    def __init__(self, manifest: Told) -> None:
        kinds, texts, words = (manifest.get(key) for key in ("kinds", "texts", "words"))
        self.kinds = dict(kinds.entries(_MOST_KINDS)) if kinds else {}
        self.components = {kind: _components(told) for kind, told in self.kinds.items()}
        self._words = dict(words.entries(_MOST)) if words else {}
        self._texts = dict(texts.entries(_MOST)) if texts else {}
        self._read: dict[str, tuple[tuple[ExpectedText, ...], str | None]] = {}

    def read(self, told: Told) -> Expected:
        """One placement."""
        kind, id_, sha256 = (told[key].text() for key in ("kind", "component", "sha256"))
        definition = self.kinds.get(kind)
        component = self.components.get(kind, {}).get(id_)
        safe, edge = (definition.get(key) if definition else None for key in ("safe_mm", "edge"))
        outline, die, marked = (told.get(key) for key in ("edge_mm", "die_mm", "marked"))
        return Expected(
            id_,
            told["copy"].whole(0, _MOST),
            kind,
            told["face"].text(),
            told["side"].choice(Side),
            Rect(_at(told["x_mm"]), _at(told["y_mm"]), _size(told["w_mm"]), _size(told["h_mm"])),
            told["rotation"].whole(-360, 360),
            told["bleed_mm"].number(0, 1_000),
            _rect(told["clip_mm"], _THINNEST) if told["clip_mm"].value is not None else None,
            told["shape"].choice(Shape),
            sha256,
            _span(component["source"]) if component else None,
            safe.number(0, _FARTHEST) if safe else 0.0,
            edge.choice(Edge) if edge else Edge.INK,
            self._texts_of(sha256)[0],
            tuple(map(_point, outline.each(_MOST_CORNERS))) if outline else (),
            _poster(told.get("poster")),
            _rect(die) if die else None,
            marked.flag() if marked else True,
            self._texts_of(sha256)[1],
        )

    def _texts_of(self, sha256: str) -> tuple[tuple[ExpectedText, ...], str | None]:
        """The texts of a face, and all its words, None where they are not known."""
        if sha256 not in self._read:
            texts, words = self._texts.get(sha256), self._words.get(sha256)
            told = tuple(map(_text, texts.each(_MOST_TEXTS))) if texts else ()
            self._read[sha256] = told, words.lines() if words else None
        return self._read[sha256]


def _components(kind: Told) -> dict[str, Told]:
    told = kind.get("components")
    return dict(told.entries(_MOST_COMPONENTS)) if told else {}


def _poster(told: Told | None) -> PosterPage | None:
    if told is None:
        return None
    places = ("row", "column", "rows", "columns")
    row, column, rows, columns = (told[key].whole(1, 1_000) for key in places)
    return PosterPage(row, column, rows, columns, _rect(told["shown_mm"], _THINNEST))


def _text(told: Told) -> ExpectedText:
    box, size = _rect(told["box_mm"]), told["size_pt"].number(0, _FARTHEST)
    return ExpectedText(told["style"].text(), size, box, _span(told["source"]))


def _span(told: Told) -> Span:
    span = _place(told.text())
    if span is None:
        raise told.odd("is no place such as cards.yaml:12:7")
    return span


@lru_cache(maxsize=4096)  # many texts of a pack are written in one place
def _place(text: str) -> Span | None:
    found = _SPAN.fullmatch(text)
    return Span(found[1], int(found[2]), int(found[3])) if found else None


def _at(told: Told) -> float:
    return told.number(-_FARTHEST, _FARTHEST)


def _size(told: Told) -> float:
    return told.number(_THINNEST, _FARTHEST)


def _numbers(told: Told, count: int) -> Sequence[float]:
    return told.numbers(count, -_FARTHEST, _FARTHEST)


def _point(told: Told) -> Point:
    return Point(*_numbers(told, 2))


def _rect(told: Told, least: float = 0.0) -> Rect:
    x, y, width, height = told.numbers(4, -_FARTHEST, _FARTHEST)
    if min(width, height) < least:
        for side in told.each(4)[2:]:
            side.number(least, _FARTHEST)
    return Rect(x, y, width, height)
