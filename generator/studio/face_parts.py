"""Makes the view of the texts and pictures of a face, for clicks on them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Final

from msgspec import Struct

from generator.diagnostics import Span
from generator.model.face import Face
from generator.model.face_file import FaceBox
from generator.model.pack import Component, Pack, uncopied
from generator.studio.file_places import FilePlaces, line_in, place_of
from generator.studio.view import WireRect, wire_rect
from generator.studio.written_components import FieldPlace, WrittenComponents

_OF_COMPONENT: Final = re.compile(r"\bc\.([a-z_]\w*)")


WrittenAt = tuple[str, int, int]
"""A file, a line and a column."""


class FacePart(Struct, frozen=True):
    """A text, a picture or an icon: its place, its field, the line of a template or face file that
    sets it, and where its value is written."""

    rect: WireRect
    field: FieldPlace | None
    file: str
    line: int
    column: int
    icon: bool = False
    value: WrittenAt | None = None


class FaceParts(Struct, frozen=True):
    """All texts and pictures that one can point at on a face, in the order of painting."""

    texts: tuple[FacePart, ...]
    pictures: tuple[FacePart, ...]


def face_parts(face: Face, pack: Pack, written: WrittenComponents, files: FilePlaces) -> FaceParts:
    """Return the parts of a face."""
    parts = _Parts(face, pack, written, files)
    return FaceParts(
        tuple(parts.part(one.span, one.call, wire_rect(one.box)) for one in face.text_boxes),
        tuple(
            parts.part(one.span, one.call, wire_rect(one.rect), icon=one.icon)
            for one in face.pictures
        ),
    )


class _Parts:
    """One face, and the meaning of its places."""

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
        layouts = () if file is None else file.layouts.values()
        boxes = (box for layout in layouts for box in _all_of(layout.boxes))
        self._values = {box.span: str(box.value) for box in boxes}

    def part(
        self, span: Span | None, call: Span | None, rect: WireRect, *, icon: bool = False
    ) -> FacePart:
        """Return a text, picture or icon."""
        is_written = span is not None and span != self._face.span
        span = span if is_written else self._span_of_field(call)
        field = None if span is None else self._field_at(span)
        at = call or span or self._face.span
        file = self._files.file(at.file).path
        value = None if span is None else self._written_at(span)
        return FacePart(rect, field, file, at.line, at.column, icon, value)

    def _written_at(self, span: Span) -> WrittenAt:
        places = self._files.of(span.file)
        found = span if places is None else place_of(places, span) or span
        return self._files.file(span.file).path, found.line, found.column

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


def _all_of(boxes: Iterable[FaceBox]) -> Iterator[FaceBox]:
    for box in boxes:
        yield box
        yield from _all_of(box.boxes)
