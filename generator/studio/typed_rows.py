"""Shows the components of a kind as they are typed, also where a value is wrong."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from msgspec import Struct

from generator.edits import CsvLookup
from generator.model.source import Mapping, Node, Scalar, Sequence, field_name
from generator.studio.file_places import FilePlaces, NodePath, WireFile
from generator.studio.written_components import WrittenComponent, WrittenComponents

_BROKEN = "this file cannot be read as it is now: fix it in Files first"


class TypedRow(Struct, frozen=True):
    """A component as it is typed: its id, its node, why it cannot be changed, and what is written
    for each field. `heads` are the heads of a table's columns, by field."""

    id: str
    file: str
    path: NodePath
    readonly: str
    nodes: dict[str, Any]
    heads: dict[str, str]


def typed_rows(written: WrittenComponents, kind: str, files: FilePlaces) -> list[TypedRow]:
    """Return the rows of a kind."""
    found: list[TypedRow] = []
    tables: dict[str, None] = {}
    for one in written.of(kind):
        found.append(_row(one, files))
        tables[one.shown] = None
    for shown in tables:
        table = files.last_whole(shown)
        if isinstance(table, CsvLookup):
            found += _left_out(table, shown, kind, written, files)
    return found


def _row(one: WrittenComponent, files: FilePlaces) -> TypedRow:
    file, places = files.file(one.shown), files.last_whole(one.shown)
    node = places.node(one.path) if places and one.path else None
    if node is None:
        readonly = file.readonly or _BROKEN
        entries = {key.text: _shown(value) for key, value in one.source.node.entries}
        return TypedRow(one.id, file.path, (), readonly, entries, {})
    if not isinstance(places, CsvLookup):
        nodes = dict(node["entries"])
        return TypedRow(one.id, file.path, one.path, _readonly(file, one.shown, files), nodes, {})
    return _cells(one.id, one.path, node, one.heads, _readonly(file, one.shown, files), file)


def _left_out(
    table: CsvLookup, shown: str, kind: str, written: WrittenComponents, files: FilePlaces
) -> Iterator[TypedRow]:
    """Yield the rows of a table that are no components because of a fault, if all others are of
    this kind."""
    known = [one for one in written.all if one.shown == shown]
    if any(one.kind != kind for one in known):
        return
    paths, heads = {one.path for one in known}, known[0].heads
    count = len((table.node() or {"items": []})["items"])
    for path in ((number,) for number in range(count)):
        node = None if path in paths else table.node(path)
        if node is not None and any(cell["text"] for _, cell in node["entries"]):
            file = files.file(shown)
            yield _cells("", path, node, heads, _readonly(file, shown, files), file)


def _cells(
    id_: str,
    path: NodePath,
    node: dict[str, Any],
    heads: dict[str, str],
    readonly: str,
    file: WireFile,
) -> TypedRow:
    fields = {head: field for field, head in heads.items()}
    named = {fields.get(head, field_name(head)): (head, cell) for head, cell in node["entries"]}
    return TypedRow(
        id_,
        file.path,
        path,
        readonly,
        {field: cell for field, (_, cell) in named.items() if cell["text"]},
        {field: head for field, (head, _) in named.items()},
    )


def _readonly(file: WireFile, shown: str, files: FilePlaces) -> str:
    now = files.of(shown)
    return file.readonly or ("" if now is not None and now.is_whole else _BROKEN)


def _shown(node: Node) -> dict[str, Any]:
    match node:
        case Scalar():
            return {"text": node.text, "plain": node.plain}
        case Sequence():
            return {"items": [_shown(item) for item in node.items]}
        case Mapping():
            return {"entries": [[key.text, _shown(value)] for key, value in node.entries]}
