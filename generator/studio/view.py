"""Makes the views of faces and findings for the page."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import Final

from msgspec import Struct

from generator.build import FaceName, FaceUpdate
from generator.diagnostics import Diagnostic, Severity, Span
from generator.edits import CsvLookup, Place, Places
from generator.geometry import Rect
from generator.model.catalogue import Stock
from generator.model.face import Face
from generator.model.pack import uncopied
from generator.studio.file_places import FilePlaces, NodePath, line_in, place_of
from generator.studio.written_components import WrittenComponents
from generator.waivers import hint_without_line, is_waivable

WireRect = tuple[float, float, float, float]
"""Left, top, width and height, mm from the trim's top left corner."""
PagePlace = tuple[str, int, WireRect]
"""A file, a page from 1, and a place in mm from the page's top left corner."""
_WORD: Final = re.compile(r"[\w.-]*\w|\S")
_NAMED: Final = re.compile(r"([\w.-]+)(?:: | is missing)")
_COMPONENT: Final = re.compile(r"([^/*]+)/([^/*]+)")
_OF_FIELDS: Final = re.compile(r"GP20\d|GP219")


class FaceView(Struct, frozen=True):
    """A face. `sha` names its picture, "" without one. Lengths are in mm; `path` is the outline of
    a shape of its own, as SVG path data."""

    key: str
    kind: str
    id: str
    side: str
    sha: str
    width: float
    height: float
    bleed: float
    safe: float
    shape: str
    path: str
    corner: float
    state: str
    flaws: tuple[WireRect, ...]


class FindingView(Struct, frozen=True):
    """A finding: the part of a file that it is about, the component and the field (a path inside
    the component), the faces where it shows, with places, and places on pages of a print.
    `waived_as` is the component that a waiver would name, "" for what cannot be accepted."""

    code: str
    severity: str
    message: str
    hint: str
    file: str
    line: int
    column: int
    end_line: int
    end_column: int
    kind: str | None
    id: str | None
    path: NodePath | None
    faces: tuple[str, ...]
    rects: tuple[tuple[str, WireRect], ...]
    pages: tuple[PagePlace, ...] = ()
    waived_as: str = ""


def face_key(name: FaceName) -> str:
    """Return the name of a face on the wire."""
    return "/".join(name)


def wire_rect(rect: Rect) -> WireRect:
    """Return a rectangle, to the hundredth of a millimetre."""
    x, y, width, height = rect.x, rect.y, rect.width, rect.height
    return round(x, 2), round(y, 2), round(width, 2), round(height, 2)


def face_view(face: Face, state: str) -> FaceView:
    """Return a face that is `fresh`, `stale` or `faulty`."""
    flaws = tuple(map(wire_rect, face.flaws))
    return _view(FaceName.of(face), face.stock, state, face.sha256, flaws)


def blank_view(name: FaceName, stock: Stock) -> FaceView:
    """Return a faulty face that was never drawn, and so has no picture."""
    return _view(name, stock, "faulty", "", ())


def _view(
    name: FaceName, stock: Stock, state: str, sha: str, flaws: tuple[WireRect, ...]
) -> FaceView:
    return FaceView(
        key=face_key(name),
        kind=name.kind,
        id=name.component,
        side=name.name,
        sha=sha,
        width=stock.trim.width,
        height=stock.trim.height,
        bleed=stock.bleed,
        safe=stock.safe,
        shape=str(stock.shape),
        path=stock.path or "",
        corner=stock.corner_radius,
        state=state,
        flaws=flaws,
    )


_Spot = tuple[str, int, int]
"""A file, a line and a column; 0 for any column."""


class _Shown:
    """A face, and what it reported. Its places are looked up only when a finding asks."""

    def __init__(self, face: Face | None, found: Iterable[Diagnostic]) -> None:
        self.face = face
        self.reported = frozenset((one.span, one.code) for one in found)

    @cached_property
    def values(self) -> dict[_Spot, list[WireRect]]:
        """The places of values that are written somewhere."""
        own = None if self.face is None else self.face.span
        written = ((span, rect) for span, _, rect in self._parts() if span and span != own)
        return _by_spot(((span.file, span.line, span.column), rect) for span, rect in written)

    @cached_property
    def calls(self) -> dict[_Spot, list[WireRect]]:
        """The places of what the lines of templates and face files set."""
        called = ((call, rect) for _, call, rect in self._parts() if call)
        return _by_spot(((call.file, call.line, 0), rect) for call, rect in called)

    @property
    def flaws(self) -> tuple[Rect, ...]:
        """The places of errors."""
        return () if self.face is None else self.face.flaws

    def _parts(self) -> Iterator[tuple[Span | None, Span | None, Rect]]:
        if self.face is not None:
            yield from ((text.span, text.call, text.box) for text in self.face.text_boxes)
            yield from ((one.span, one.call, one.rect) for one in self.face.pictures)


def _by_spot(placed: Iterable[tuple[_Spot, Rect]]) -> dict[_Spot, list[WireRect]]:
    found: dict[_Spot, list[WireRect]] = {}
    for spot, rect in placed:
        found.setdefault(spot, []).append(wire_rect(rect))
    return found


class FacesShown:
    """Knows which faces show a value, or what a line of a template sets."""

    def __init__(self) -> None:
        self._faces: dict[FaceName, _Shown] = {}

    def show(self, update: FaceUpdate) -> None:
        """Take a face as it is now; one that cannot be drawn stands as it was."""
        face = update.face or self.face(update.name)
        self._faces[update.name] = _Shown(face, update.diagnostics)

    def face(self, name: FaceName) -> Face | None:
        """Return a face as it was last drawn, None if it never was."""
        return self._faces[name].face if name in self._faces else None

    def keep(self, names: Iterable[FaceName]) -> None:
        """Forget all other faces."""
        self._faces = {name: self._faces[name] for name in names if name in self._faces}

    def where(
        self, found: Diagnostic, kind: str | None, id_: str | None
    ) -> tuple[tuple[str, ...], tuple[tuple[str, WireRect], ...]]:
        """Return the faces where a finding shows, and its places on them."""
        span = found.span
        spot, line = (span.file, span.line, span.column), (span.file, span.line, 0)
        rects: list[tuple[str, WireRect]] = []
        keys: list[str] = []
        for name, shown in self._faces.items():
            places = shown.values.get(spot, [])
            has_reported = (span, found.code) in shown.reported
            if has_reported and not places:
                flaws = shown.flaws if found.severity is Severity.ERROR else ()
                places = shown.calls.get(line) or [*map(wire_rect, flaws)]
            if has_reported or places:
                keys.append(face_key(name))
                rects += ((keys[-1], rect) for rect in places)
        if not keys and id_:
            own = (n for n in self._faces if n.kind == kind and uncopied(n.component) == id_)
            keys += map(face_key, own)
        return tuple(keys), tuple(rects)


def finding_view(
    found: Diagnostic, written: WrittenComponents | None, files: FilePlaces, faces: FacesShown
) -> FindingView:
    """Return a finding with the part of the file, the field and the faces that it is about."""
    span, places = found.span, files.of(found.span.file)
    place = None if places is None else place_of(places, span)
    kind, id_, path = _field_of(found, place, written)
    keys, rects = faces.where(found, kind, id_)
    own = None if keys or kind else _COMPONENT.fullmatch(found.component)
    if own:  # such as a piece off its page
        kind, id_ = own.groups()
        keys, rects = faces.where(found, kind, id_)
    begin, end = _extent(span, place, places, files.text(span.file))
    return FindingView(
        found.code,
        str(found.severity),
        found.message,
        hint_without_line(found.hint),
        files.file(span.file).path,
        *begin,
        *end,
        kind,
        id_,
        path,
        keys,
        rects,
        waived_as=found.component if is_waivable(found) else "",
    )


def _field_of(
    found: Diagnostic, place: Place | None, written: WrittenComponents | None
) -> tuple[str | None, str | None, NodePath | None]:
    """Return the kind and the id of a component, and the path of a field in it."""
    if written is None:
        return None, None, None
    span = found.span
    field = written.field(span.file, place.path) if place else written.cell(span)
    if field is None:
        return None, None, None
    kind, id_, path = field
    named = _NAMED.match(found.message) if _OF_FIELDS.fullmatch(found.code) else None
    parts = named[1].split(".") if named else []
    if parts and written.is_table(span.file):  # a row begins where its first cell does
        path = tuple(parts[:1])
    elif parts and found.code == "GP201":
        path = (*path, parts[-1])
    elif not path:
        path = tuple(parts[:1])
    return kind, id_ or None, path or None


def _extent(
    span: Span, place: Place | None, places: Places | None, text: str | None
) -> tuple[tuple[int, int], tuple[int, int]]:
    """Return the first and the last place of what a finding is about: a value or a word."""
    begin = span.line, span.column
    if place is not None and isinstance(places, CsvLookup):
        begin = place.line, place.column
    is_value = place is not None and (place.line, place.column) == begin
    if place is not None and places is not None and is_value:
        is_long = place.end_line > place.line and "text" not in (places.node(place.path) or {})
        if not is_long:
            return begin, (place.end_line, place.end_column)
    line = line_in(text, begin[0])
    is_whole_line = span.file.endswith(".j2") and not line[: begin[1] - 1].strip()
    word = _WORD.match(line, begin[1] - 1)
    end = len(line.rstrip()) if is_whole_line else word.end() if word else 0
    return begin, (begin[0], max(end, begin[1]) + 1)
