"""Read the components of one file, listed in it or in a table that it names."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterable
from functools import partial
from pathlib import Path, PurePath
from typing import Final

from generator.cache import NOTHING_KEPT, Cache
from generator.diagnostics import (
    Diagnostic,
    GridpressError,
    Span,
    did_you_mean,
    warning,
)
from generator.files import Roots, UnreadableError, refusal
from generator.load.chosen_rows import condition, taken, without
from generator.load.documents import read_bytes
from generator.load.table_files import OTHER_TABLES, TABLES, read_table
from generator.load.tables import mappings, with_ids
from generator.model.source import (
    ComponentSource,
    Document,
    Mapping,
    Node,
    Scalar,
    Sequence,
    as_id,
    field_name,
    is_total,
)
from generator.project import Project, workbooks_in

_KEYS: Final = ("kind", "defaults", "components", "rows", "where", "ignore", "columns")
_ADDRESS: Final = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*://")


def components_in(
    document: Document,
    path: Path,
    project: Project,
    others: list[Mapping],
    cache: Cache = NOTHING_KEPT,
) -> tuple[tuple[ComponentSource, ...], list[Diagnostic]]:
    """Return the components of one file and its faults. Rows that its `where` does not take join
    the `others`. The `cache` remembers tables."""
    root = document.root
    if not isinstance(root, Mapping):
        hint = "it begins with kind: …, then components: and a list"
        return (), [Diagnostic(root.span, "GP203", "a component file must be a mapping", hint)]
    file = _ComponentFile(root, path, project, others, cache)
    return file.components(), file.faults


def strange_keys(root: Mapping, known: tuple[str, ...], where: str) -> list[Diagnostic]:
    """Return GP202 for each key that is not known."""
    return [
        Diagnostic(
            key.span,
            "GP202",
            f"{key.text!r} is not known in a {where} file",
            did_you_mean(key.text, known),
        )
        for key, _ in root.entries
        if key.text not in known
    ]


def _filled(node: Mapping, defaults: Mapping) -> Mapping:
    own = set(node.keys())
    return Mapping(
        (*node.entries, *(entry for entry in defaults.entries if entry[0].text not in own)),
        node.span,
    )


def _no_component(node: Node) -> Diagnostic:
    hint = "each begins with - id: …, with its other fields below the id"
    return Diagnostic(node.span, "GP203", "a component must be a mapping of its fields", hint)


def table_named(rows: Node) -> tuple[Scalar | None, Scalar | None]:
    """Return the file of a table and the address that it is fetched from."""
    if isinstance(rows, Mapping):
        file, url = rows.get("file"), rows.get("url")
        if isinstance(file, Scalar) and isinstance(url, Scalar) and len(rows.entries) == 2:
            return file, url
        return None, None
    return (rows if isinstance(rows, Scalar) and not rows.is_null else None), None


class _ComponentFile:
    """Reads one file and collects its faults."""

    def __init__(
        self, root: Mapping, path: Path, project: Project, others: list[Mapping], cache: Cache
    ) -> None:
        self.cache = cache
        self.root = root
        self.path = path
        self.project = project
        self.others = others
        self.faults = strange_keys(root, _KEYS, "component")

    def components(self) -> tuple[ComponentSource, ...]:
        kind = self.root.get("kind")
        if not isinstance(kind, Scalar) or kind.is_null:
            hint = "write kind: and the name of a file in kinds/, without .yaml"
            self._fault(kind, "GP201", "the kind of the components is missing", hint)
        defaults = self.root.get("defaults")
        if defaults is not None and not isinstance(defaults, Mapping):
            self._fault(defaults, "GP203", "defaults must be a mapping of fields to values")
        nodes = self._listed()
        if not isinstance(kind, Scalar) or kind.is_null:
            return ()
        filling = defaults if isinstance(defaults, Mapping) else Mapping((), self.root.span)
        return tuple(ComponentSource(kind, _filled(node, filling)) for node in nodes)

    def _fault(self, node: Node | None, code: str, message: str, hint: str = "") -> None:
        span = self.root.span if node is None else node.span
        self.faults.append(Diagnostic(span, code, message, hint))

    def _listed(self) -> Iterable[Mapping]:
        components, rows = self.root.get("components"), self.root.get("rows")
        if components is not None and rows is not None:
            self._fault(
                rows, "GP203", "this file has both components and rows", "split it into two files"
            )
        if rows is not None:
            try:
                return self._from_table(rows)
            except GridpressError as error:
                self.faults.extend(error.diagnostics)
                return ()
        if (where := self.root.get("where")) is not None:
            hint = "remove it, or write rows: and a table"
            self._fault(where, "GP203", "where works only with rows of a table", hint)
        if isinstance(components, Sequence):
            nodes = components.items
            self.faults.extend(_no_component(n) for n in nodes if not isinstance(n, Mapping))
            return [node for node in nodes if isinstance(node, Mapping)]
        hint = "write components:, then - id: … for each"
        if components is None:
            self._fault(None, "GP201", "components are missing", hint)
        elif not isinstance(components, Scalar) or not components.is_null:
            self._fault(components, "GP203", "components must be a list", hint)
        return ()

    def _ignored(self) -> tuple[str, ...]:
        node = self.root.get("ignore")
        items = node.items if isinstance(node, Sequence) else () if node is None else (node,)
        heads = tuple(item.text for item in items if isinstance(item, Scalar) and not item.is_null)
        if node is not None and len(heads) < max(len(items), 1):
            hint = "write ignore: [Notes, Artist]"
            self._fault(node, "GP203", "ignore must be a list of column heads", hint)
        return heads

    def _names_of_columns(self) -> dict[str, Scalar]:
        """Return the fields for columns whose heads do not name them, by head."""
        node = self.root.get("columns")
        entries = node.entries if isinstance(node, Mapping) else ()
        names = {field_name(head.text): name for head, name in entries if isinstance(name, Scalar)}
        if node is not None and len(names) < max(len(entries), 1):
            hint = "write columns: {Card Name: name, Cost (€): cost}"
            self._fault(node, "GP203", "columns must give a field for each head", hint)
        return names

    def _from_table(self, rows: Node) -> list[Mapping]:
        """Return the components in a table. Raises GridpressError (GP108, GP203, GP211)."""
        names, ignored = self._names_of_columns(), self._ignored()
        file, url = table_named(rows)
        if file is None:
            hint = "write rows: crashes.csv"
            if isinstance(rows, Mapping):
                hint = "write rows: {url: https://…, file: cards.csv}"
            message = "rows must name a CSV or XLSX file"
            raise GridpressError(Diagnostic(rows.span, "GP203", message, hint))
        where = self.root.get("where")
        asked = condition(where)
        content, shown = _table_file(file, self.path, self.project, is_fetched=url is not None)
        unseen = [head for head in ignored if not asked or field_name(head) not in asked.names]
        made_from = content, file, shown, unseen, names
        make = partial(_rows, *made_from)
        found, faults = self.cache.latest(make, (_rows, self.path, file.text), *made_from)
        self.faults += faults
        if asked and where is not None:
            found, left = taken(found, asked, where.span)
            self.others += left
            found = without(found, set(map(field_name, ignored)))
        named, remarks = with_ids(found)
        if remarks and not _is_imported(self.path, shown, self.project.roots):
            self.faults += remarks
        return named


def _is_imported(path: Path, table: str, roots: Roots) -> bool:
    """True for rows that `gridpress import` wrote, which has said how it calls them, and for other
    rows of the same table."""
    names = {path.stem, as_id(PurePath(table).stem)}
    with contextlib.suppress(UnreadableError):
        return any(roots.has_file(path.parent / "imported" / f"{name}.csv") for name in names)
    return False


def _rows(
    content: bytes, named: Scalar, shown: str, unseen: list[str], names: dict[str, Scalar]
) -> tuple[list[Mapping], list[Diagnostic]]:
    """Return the rows of a table, and its faults. Raises GridpressError (GP108)."""
    table = read_table(content, named.text.partition("#")[2], named.span, shown)
    found, wrong = mappings(table.rows, shown, unseen, table.point, names)
    if len(found) > 1 and is_total(found[-1]):
        message = "this row is left out: it is a total, not a card"
        wrong.append(warning(found.pop().span, "GP113", message, "delete it, or give it an id"))
    return found, [*table.remarks, *wrong]


def _table_file(
    rows: Scalar, path: Path, project: Project, *, is_fetched: bool
) -> tuple[bytes, str]:
    """Return the bytes of a table, and its name in findings."""
    if _ADDRESS.match(rows.text):
        message = "this is a web address, and a build does not use the network"
        hint = (
            f"write rows: {{url: {rows.text}, file: cards.csv}}; gridpress pull fetches it into "
            "that file"
        )
        raise GridpressError(Diagnostic(rows.span, "GP108", message, hint))
    name = rows.text.partition("#")[0]
    refused = refusal(name, rows.span)
    if refused is not None:
        raise GridpressError(refused)
    table, roots = path.parent / name, project.roots
    try:
        if name in workbooks_in(project.root) and roots.status(table) is None:
            table = project.root / name
    except UnreadableError as error:
        raise GridpressError(error.told(Span(project.display(table)), "the file")) from error
    shown, suffix = project.display(table), table.suffix.lower()
    try:
        if suffix not in TABLES + OTHER_TABLES or roots.status(table) is None:
            raise GridpressError(_no_table(rows.span, name, table, roots, is_fetched))
    except UnreadableError as error:
        raise GridpressError(error.told(Span(shown), "the file")) from error
    return read_bytes(table, shown, roots), shown


def _no_table(span: Span, name: str, table: Path, roots: Roots, is_fetched: bool) -> Diagnostic:
    suffix = table.suffix.lower()
    if suffix not in TABLES + OTHER_TABLES:
        hint = "save the table as .csv or .xlsx"
        return Diagnostic(span, "GP108", f"{name!r} is neither a CSV nor an XLSX file", hint)
    if is_fetched:
        hint = "gridpress pull fetches it"
        return Diagnostic(span, "GP108", f"there is no file {name!r} here yet", hint)
    beside: list[str] = []
    with contextlib.suppress(UnreadableError):
        names = (entry.path.name for entry in roots.entries(table.parent))
        beside += (name for name in names if name.lower().endswith(TABLES))
    return Diagnostic(span, "GP108", f"there is no file {name!r} here", did_you_mean(name, beside))
