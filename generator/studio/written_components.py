"""Finds components in the files of a pack: where each is written, and which one a place is in."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final, NamedTuple

from generator.diagnostics import Span
from generator.edits import CsvLookup
from generator.model.pack import Pack
from generator.model.source import ComponentSource, Node, PackSource, Scalar, Sequence, field_name
from generator.studio.file_places import FilePlaces, NodePath

_LISTED: Final = "components"


class WrittenComponent(NamedTuple):
    """A component as its file has it: the file as spans name it, the path of its node there, empty
    if it is not known, its kind and its id. `heads` are those of a table's columns, by field."""

    shown: str
    path: NodePath
    kind: str
    id: str
    source: ComponentSource
    heads: dict[str, str]


class FieldPlace(NamedTuple):
    """A value of a component: its kind and id, and the path inside it, empty for the whole."""

    kind: str
    id: str
    path: NodePath


class WrittenComponents:
    """All components of a pack and of those that it requires, in the order of the files."""

    def __init__(self, source: PackSource, files: FilePlaces) -> None:
        self._files = files
        self._heads: dict[str, dict[str, str]] = {}
        packs = (*reversed(source.lenders), source)
        self.all = tuple(self._written(one) for pack in packs for one in pack.components)
        self._by_row = {
            (one.shown, one.source.node.span.line): one for one in self.all if not one.path
        }
        self._by_path = {(one.shown, one.path): one for one in self.all if one.path}

    def at(self, shown: str, path: NodePath) -> WrittenComponent | None:
        """Return the component that a value belongs to."""
        length = 2 if path[:1] == (_LISTED,) else 1
        return self._by_path.get((shown, path[:length]))

    def field(self, shown: str, path: NodePath) -> FieldPlace | None:
        """Return the field that a value belongs to."""
        one = self.at(shown, path)
        if one is None:
            return None
        if path[:1] == (_LISTED,):
            return FieldPlace(one.kind, one.id, path[2:])
        fields = {head: field for field, head in one.heads.items()}
        inside = (fields.get(str(head), field_name(str(head))) for head in path[1:])
        return FieldPlace(one.kind, one.id, tuple(inside))

    def cell(self, span: Span) -> FieldPlace | None:
        """Return the field of a cell of a workbook, by the numbers of its row and column."""
        if (span.file, span.line) not in self._by_row:
            return None
        one = self._by_row[span.file, span.line]
        keys = (key.text for key, cell in one.source.node.entries if cell.span == span)
        return FieldPlace(one.kind, one.id, tuple(key for key in keys if key != "id")[:1])

    def path(self, span: Span) -> NodePath:
        """Return the path of the component that begins at a place, empty if it is not known."""
        path = self._files.last_path(span)
        if self.is_table(span.file):
            return path[:1]
        return path[:2] if path[:1] == (_LISTED,) else ()

    def is_table(self, shown: str) -> bool:
        """Return whether a file is a table of components."""
        return isinstance(self._files.last_whole(shown), CsvLookup)

    def of(self, kind: str) -> Iterator[WrittenComponent]:
        """Yield the components of a kind."""
        return (one for one in self.all if one.kind == kind)

    def unsound(self, pack: Pack) -> Iterator[WrittenComponent]:
        """Yield the components that an error keeps out of the pack."""
        known = {(kind, one.id) for kind, found in pack.components.items() for one in found}
        for one in self.all:
            if one.id and one.kind in pack.kinds and (one.kind, one.id) not in known:
                yield one

    def _written(self, source: ComponentSource) -> WrittenComponent:
        span, id_ = source.node.span, source.node.get("id")
        heads = self._heads.setdefault(span.file, {})
        if self.is_table(span.file):
            keys = (key for key, _ in source.node.entries if key.span.file == span.file)
            heads |= {key.text: key.raw for key in keys if key.raw}
        name = id_.text if isinstance(id_, Scalar) else ""
        path = self.path(span)
        return WrittenComponent(span.file, path, source.kind.text, name, source, heads)


def as_node(node: Node) -> dict[str, Any]:
    """Return a node as the page has it."""
    match node:
        case Scalar():
            return {"text": node.text, "plain": node.plain}
        case Sequence():
            return {"items": [as_node(item) for item in node.items]}
    return {"entries": [[key.text, as_node(value)] for key, value in node.entries]}
