"""A component file in, its components out, each with the file's defaults filled in."""

from __future__ import annotations

import contextlib
from pathlib import Path
from typing import Final

from generator.diagnostics import Diagnostic, GridpressError, Span, did_you_mean
from generator.files import Roots, UnreadableError
from generator.load.files import read_bytes, read_text
from generator.load.folders import Bounds
from generator.load.nodes import MAX_VALUES
from generator.load.tables import csv_rows, mappings
from generator.load.workbooks import xlsx_rows
from generator.model.source import ComponentSource, Document, Mapping, Node, Scalar, Sequence
from generator.paths import refusal

_KEYS: Final = ("kind", "defaults", "components", "rows")
_TABLES: Final = (".csv", ".xlsx")


def read_components(
    document: Document, path: Path, bounds: Bounds
) -> tuple[tuple[ComponentSource, ...], list[Diagnostic]]:
    """The components of one file, and all that is wrong with how the file lists them."""
    root = document.root
    if not isinstance(root, Mapping):
        hint = "it begins with kind: …, then components: and a list"
        return (), [Diagnostic(root.span, "GP203", "a component file is a mapping", hint)]
    faults = _strange_keys(root)
    kind = root.get("kind")
    if not isinstance(kind, Scalar) or kind.is_null:
        span = root.span if kind is None else kind.span
        hint = "write kind: and the name of a file in kinds/, without .yaml"
        faults.append(Diagnostic(span, "GP201", "the kind of the components is missing", hint))
    defaults = root.get("defaults")
    if defaults is not None and not isinstance(defaults, Mapping):
        message = "defaults are a mapping of fields to values"
        faults.append(Diagnostic(defaults.span, "GP203", message))
    nodes = _listed(root, path, bounds, faults)
    if not isinstance(kind, Scalar) or kind.is_null:
        return (), faults
    filling = defaults if isinstance(defaults, Mapping) else Mapping((), root.span)
    if len(nodes) * len(filling.entries) > MAX_VALUES:
        message = f"{len(filling.entries):,} defaults for {len(nodes):,} components"
        hint = f"that is more than {MAX_VALUES:,} values; give the fields a default: in the kind"
        return (), [*faults, Diagnostic(filling.span, "GP110", message, hint)]
    return tuple(ComponentSource(kind, _filled(node, filling)) for node in nodes), faults


def _strange_keys(root: Mapping) -> list[Diagnostic]:
    return [
        Diagnostic(
            key.span,
            "GP202",
            f"{key.text!r} is not known in a component file",
            did_you_mean(key.text, _KEYS),
        )
        for key, _ in root.entries
        if key.text not in _KEYS
    ]


def _filled(node: Mapping, defaults: Mapping) -> Mapping:
    own = set(node.keys())
    return Mapping(
        (*node.entries, *(entry for entry in defaults.entries if entry[0].text not in own)),
        node.span,
    )


def _listed(
    root: Mapping, path: Path, bounds: Bounds, faults: list[Diagnostic]
) -> tuple[Mapping, ...]:
    components, rows = root.get("components"), root.get("rows")
    if components is not None and rows is not None:
        message = "components and rows stand in one file"
        faults.append(Diagnostic(rows.span, "GP203", message, "make two files of it"))
    if rows is not None:
        return _from_table(rows, path, bounds, faults)
    if isinstance(components, Sequence):
        nodes = components.items
        faults.extend(_no_component(node) for node in nodes if not isinstance(node, Mapping))
        return tuple(node for node in nodes if isinstance(node, Mapping))
    if components is None:
        message, span = "components are missing", root.span
    elif isinstance(components, Scalar) and components.is_null:
        return ()
    else:
        message, span = "components are a list", components.span
    code = "GP201" if components is None else "GP203"
    faults.append(Diagnostic(span, code, message, "write components:, then - id: … for each"))
    return ()


def _no_component(node: Node) -> Diagnostic:
    hint = "each begins with - id: …, its other fields stand below the id"
    return Diagnostic(node.span, "GP203", "a component is a mapping of its fields", hint)


def _from_table(
    rows: Node, path: Path, bounds: Bounds, faults: list[Diagnostic]
) -> tuple[Mapping, ...]:
    if not isinstance(rows, Scalar) or rows.is_null:
        hint = "write rows: crashes.csv"
        faults.append(Diagnostic(rows.span, "GP203", "rows names a CSV or XLSX file", hint))
        return ()
    try:
        found, wrong = _read_table(rows, path, bounds)
    except GridpressError as error:
        faults.extend(error.diagnostics)
        return ()
    faults.extend(wrong)
    return tuple(found)


def _read_table(rows: Scalar, path: Path, bounds: Bounds) -> tuple[list[Mapping], list[Diagnostic]]:
    name, _, sheet = rows.text.partition("#")
    refused = refusal(name, rows.span)
    if refused is not None:
        raise GridpressError(refused)
    table = path.parent / name
    roots, shown, suffix = bounds.roots, bounds.display(table), table.suffix.lower()
    try:
        if suffix not in _TABLES or roots.status(table) is None:
            raise GridpressError(_no_table(rows.span, name, table, roots))
    except UnreadableError as error:
        raise GridpressError(error.told(Span(shown), "the file")) from error
    if suffix == ".csv":
        return mappings(csv_rows(read_text(table, shown, roots), shown), shown)
    return mappings(xlsx_rows(read_bytes(table, shown, roots), sheet, rows.span, shown), shown)


def _no_table(span: Span, name: str, table: Path, roots: Roots) -> Diagnostic:
    suffix = table.suffix.lower()
    if suffix not in _TABLES:
        hint = "save the table as .csv or .xlsx"
        return Diagnostic(span, "GP108", f"{name!r} is neither a CSV nor an XLSX file", hint)
    beside: list[str] = []
    with contextlib.suppress(UnreadableError):
        names = (entry.path.name for entry in roots.entries(table.parent))
        beside += (name for name in names if name.lower().endswith(_TABLES))
    return Diagnostic(span, "GP108", f"there is no file {name!r} here", did_you_mean(name, beside))
