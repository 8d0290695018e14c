"""Show the components of a kind as they are typed, also where a value is wrong."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from generator.diagnostics import Span
from generator.edits import CsvLookup, places, why_readonly
from generator.model.source import Mapping as MappingNode
from generator.model.source import Scalar, as_id, field_name, is_total
from generator.studio.file_places import FilePlaces, NodePath, WireFile
from generator.studio.written_components import WrittenComponent, WrittenComponents, as_node

_BROKEN = "this file cannot be read as it is now: fix it in Files first"
_LIST: NodePath = ("components",)


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
    turns = {file: turn for turn, file in enumerate(_by_file(found))}
    return sorted(found, key=lambda row: (turns[row.file], row.path))


def rows_since(
    rows: list[TypedRow], before: Mapping[str, str], now: Mapping[str, str]
) -> list[TypedRow] | None:
    """Return rows as they are in newer texts of their files; None where only the session knows.
    The session may give another id to a new row that is written without one."""
    found: list[TypedRow] = []
    for file, old in _by_file(rows).items():
        if file not in now or now[file] == before.get(file):
            found += old
            continue
        text = before.get(file)
        if text is None or len(_rows_in(text, old)) != len(old):
            return None
        found += _rows_in(now[file], old)
    return found


def _by_file(rows: list[TypedRow]) -> dict[str, list[TypedRow]]:
    found: dict[str, list[TypedRow]] = {}
    for row in rows:
        found.setdefault(row.file, []).append(row)
    return found


def _rows_in(text: str, old: list[TypedRow]) -> list[TypedRow]:
    """Return the rows in a text of a file that had some already."""
    file, heads = old[0].file, old[0].heads
    known = places(text, file)
    list_path = () if isinstance(known, CsvLookup) else _LIST
    listed = (known.node(list_path) or {}).get("items", ())
    if not known.is_whole:
        return [replace(row, readonly=_BROKEN) for row in old]
    ids: dict[bytes, list[str]] = {}
    for row in old:
        ids.setdefault(msgspec.json.encode(row.nodes), []).append(row.id)
    found: list[TypedRow] = []
    for at, node in enumerate(listed):
        row = TypedRow("", file, (*list_path, at), why_readonly(file), {}, {})
        if not isinstance(known, CsvLookup):
            row = replace(row, nodes=dict(node.get("entries", ())))
        elif _is_card(node, heads, at, listed):
            row = _cells("", row.path, node, heads, row.readonly, file)
        else:
            continue
        same = ids.get(msgspec.json.encode(row.nodes))
        found.append(replace(row, id=same.pop(0) if same else _id(row.nodes)))
    return found


def _id(nodes: dict[str, Any]) -> str:
    texts = {name: str(nodes.get(name, {}).get("text") or "") for name in ("id", "name", "title")}
    return texts["id"] or as_id(texts["name"] or texts["title"])


def _row(one: WrittenComponent, files: FilePlaces) -> TypedRow:
    file, found = files.file(one.shown), files.last_whole(one.shown)
    node = found.node(one.path) if found and one.path else None
    if node is None:
        readonly = file.readonly or _BROKEN
        entries = {key.text: as_node(value) for key, value in one.source.node.entries}
        return TypedRow(one.id, file.path, (), readonly, entries, {})
    if not isinstance(found, CsvLookup):
        nodes = dict(node["entries"])
        return TypedRow(one.id, file.path, one.path, _readonly(file, one.shown, files), nodes, {})
    readonly = _readonly(file, one.shown, files)
    return _cells(one.id, one.path, node, one.heads, readonly, file.path)


def _left_out(
    table: CsvLookup, shown: str, kind: str, written: WrittenComponents, files: FilePlaces
) -> Iterator[TypedRow]:
    """Yield the rows of a table that are no components because of a fault, if all others are of
    this kind."""
    known = [one for one in written.all if one.shown == shown]
    if any(one.kind != kind for one in known):
        return
    paths, heads = {one.path for one in known}, known[0].heads
    listed = (table.node() or {"items": []})["items"]
    for at, node in enumerate(listed):
        if (at,) not in paths and _is_card(node, heads, at, listed):
            file = files.file(shown)
            yield _cells("", (at,), node, heads, _readonly(file, shown, files), file.path)


def _is_card(
    node: dict[str, Any], heads: Mapping[str, str], at: int, listed: list[dict[str, Any]]
) -> bool:
    """Return False for rows that are for people: remarks, heads that stand again, and totals."""
    known = {*heads.values()}
    cells = [(head, cell["text"]) for head, cell in node["entries"] if head in known]
    filled = [(head, text) for head, text in cells if text]
    if len(filled) > 1:
        is_head = all(head == text for head, text in filled)
        is_last = at + 1 == len(listed)
        return not is_head and not (is_last and is_total(_as_mapping(filled)))
    return bool(filled) and not (cells[0][1].startswith("# ") and len(known) > 1)


def _as_mapping(cells: list[tuple[str, str]]) -> MappingNode:
    nowhere = Span("")
    return MappingNode(tuple((Scalar(h, nowhere), Scalar(t, nowhere)) for h, t in cells), nowhere)


def _cells(
    id_: str,
    path: NodePath,
    node: dict[str, Any],
    heads: Mapping[str, str],
    readonly: str,
    file: str,
) -> TypedRow:
    fields = {head: field for field, head in heads.items()}
    named = {fields.get(head, field_name(head)): (head, cell) for head, cell in node["entries"]}
    return TypedRow(
        id_,
        file,
        path,
        readonly,
        {field: cell for field, (_, cell) in named.items() if cell["text"]},
        {field: head for field, (head, _) in named.items()},
    )


def _readonly(file: WireFile, shown: str, files: FilePlaces) -> str:
    now = files.of(shown)
    return file.readonly or ("" if now is not None and now.is_whole else _BROKEN)
