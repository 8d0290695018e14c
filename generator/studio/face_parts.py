"""Makes what the page is told of the texts, pictures and boxes of a face, to click on them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Final

from msgspec import Struct

from generator.diagnostics import Span
from generator.model.face import Face, PlacedBox
from generator.model.face_file import FaceBox, FaceFile
from generator.model.pack import Component, Pack, uncopied
from generator.studio.file_places import FilePlaces, NodePath, line_in
from generator.studio.view import WireRect, wire_rect
from generator.studio.written_components import FieldPlace, WrittenComponents

_OF_COMPONENT: Final = re.compile(r"\bc\.([a-z_]\w*)")


class FacePart(Struct, frozen=True):
    """A text, a picture or an icon: its place, its field (kind, id and path), and the line of a
    template or the `box` of a face file that sets it."""

    rect: WireRect
    field: FieldPlace | None
    file: str
    line: int
    column: int
    box: str
    icon: bool = False


class BoxPart(Struct, frozen=True):
    """A box of a face file: its place on the face, and the paths of its node and of its numbers, if
    it has any of its own."""

    name: str
    rect: WireRect
    file: str
    path: NodePath
    at_path: NodePath | None


class FaceParts(Struct, frozen=True):
    """All that one can point at on a face, in the order of painting."""

    texts: tuple[FacePart, ...]
    pictures: tuple[FacePart, ...]
    boxes: tuple[BoxPart, ...]


def face_parts(face: Face, pack: Pack, written: WrittenComponents, files: FilePlaces) -> FaceParts:
    """Return the parts of a face."""
    parts = _Parts(face, pack, written, files)
    return FaceParts(
        tuple(parts.part(one.span, one.call, wire_rect(one.box)) for one in face.text_boxes),
        tuple(
            parts.part(one.span, one.call, wire_rect(one.rect), icon=one.icon)
            for one in face.pictures
        ),
        tuple(parts.box(one) for one in face.placed),
    )


class _Parts:
    """One face, with what its places mean."""

    def __init__(
        self, face: Face, pack: Pack, written: WrittenComponents, files: FilePlaces
    ) -> None:
        self._face = face
        self._written = written
        self._files = files
        self._kind = pack.kinds.get(face.kind)
        id_ = uncopied(face.component)
        found = pack.components.get(face.kind, ())
        self._component: Component | None = next((one for one in found if one.id == id_), None)
        file = pack.face_files.get(str(self._kind.faces.get(face.name))) if self._kind else None
        # The boxes in a row or column are parts of it.
        boxes = [] if file is None else [*_boxes(file)]
        self._names = {one.span: box.name for box in boxes for one in _all_of((box,))}
        self._values = {one.span: str(one.value) for one in _all_of(boxes)}

    def part(
        self, span: Span | None, call: Span | None, rect: WireRect, *, icon: bool = False
    ) -> FacePart:
        """Return a text, picture or icon."""
        is_written = span is not None and span != self._face.span
        span = span if is_written else self._span_of_field(call)
        field = None if span is None else self._field_at(span)
        at = call or span or self._face.span
        box = "" if call is None else self._names.get(call, "")
        file = self._files.file(at.file).path
        return FacePart(rect, field, file, at.line, at.column, box, icon)

    def box(self, one: PlacedBox) -> BoxPart:
        """Return a box of the face file."""
        places = self._files.of(one.span.file)
        place = None if places is None else places.at(one.span.line, one.span.column)
        path = () if place is None else place.path
        node = None if places is None or place is None else places.node(path)
        has_place = node is not None and any(key == "at" for key, _ in node.get("entries", ()))
        file = self._files.file(one.span.file).path
        at_path = (*path, "at") if has_place else None
        return BoxPart(one.name, wire_rect(one.rect), file, path, at_path)

    def _field_at(self, span: Span) -> FieldPlace | None:
        path = self._files.last_path(span)
        return self._written.field(span.file, path) if path else self._written.cell(span)

    def _span_of_field(self, call: Span | None) -> Span | None:
        """Return where the field is written that a box names, or a line of a template alone: values
        that are no texts, such as numbers, do not know it."""
        one, kind = self._component, self._kind
        if call is None or one is None or kind is None:
            return None
        named = {self._values[call]} if call in self._values else self._named_in(call)
        fields = [name for name in named if name in kind.fields and name in one.values.spans]
        return one.values.span_of(fields[0]) if len(fields) == 1 else None

    def _named_in(self, call: Span) -> set[str]:
        line = line_in(self._files.text(call.file), call.line)
        return set(_OF_COMPONENT.findall(line))


def _boxes(file: FaceFile) -> Iterator[FaceBox]:
    for layout in file.layouts.values():
        yield from layout.boxes


def _all_of(boxes: Iterable[FaceBox]) -> Iterator[FaceBox]:
    for box in boxes:
        yield box
        yield from _all_of(box.boxes)
