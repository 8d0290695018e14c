"""A pack's component files in, its components out: defaults filled in, in the language asked for.

A locale file gives fields anew and has words for those that texts name as [[Whip]].
"""

from __future__ import annotations

import contextlib
import re
from collections import defaultdict
from collections.abc import Callable, Iterable
from collections.abc import Mapping as Words
from collections.abc import Sequence as List
from pathlib import Path
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from generator.diagnostics import Diagnostic, GridpressError, Span, Suggestions, did_you_mean
from generator.files import Roots, UnreadableError, refusal
from generator.load.documents import MAX_VALUES, read_bytes, read_text
from generator.load.tables import RowValues, csv_rows, mappings, with_ids, xlsx_rows
from generator.model.source import (
    WORD,
    ComponentSource,
    Document,
    Mapping,
    Node,
    PackSource,
    Scalar,
    Sequence,
    cut_off,
    with_words,
    words_of,
)

_KEYS: Final = ("kind", "defaults", "components", "rows", "ignore")
_ADDRESS: Final = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*://")
_OF_PACK: Final = ("title", "description")
_LOCALE_KEYS: Final = (*_OF_PACK, "words", "components")
_TABLES: Final = (".csv", ".xlsx")
Overlays = dict[tuple[str, str], Mapping]


class Bounds(Struct, frozen=True):
    """The folders that may be read from, and how a path is shown to the user."""

    roots: Roots
    display: Callable[[Path], str]


def read_components(
    document: Document, path: Path, bounds: Bounds
) -> tuple[tuple[ComponentSource, ...], list[Diagnostic]]:
    """The components of one file, and all that is wrong with how the file lists them."""
    root = document.root
    if not isinstance(root, Mapping):
        hint = "it begins with kind: …, then components: and a list"
        return (), [Diagnostic(root.span, "GP203", "a component file is a mapping", hint)]
    faults = _strange_keys(root, _KEYS, "component")
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


def has_table(document: Document) -> bool:
    """True where components are in another file."""
    return isinstance(document.root, Mapping) and document.root.get("rows") is not None


def _strange_keys(root: Mapping, known: tuple[str, ...], where: str) -> list[Diagnostic]:
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


def _listed(
    root: Mapping, path: Path, bounds: Bounds, faults: list[Diagnostic]
) -> tuple[Mapping, ...]:
    components, rows = root.get("components"), root.get("rows")
    if components is not None and rows is not None:
        message = "components and rows stand in one file"
        faults.append(Diagnostic(rows.span, "GP203", message, "make two files of it"))
    if rows is not None:
        return _from_table(rows, _ignored(root, faults), path, bounds, faults)
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


def _ignored(root: Mapping, faults: list[Diagnostic]) -> tuple[str, ...]:
    """The heads of the columns that are the author's own."""
    node = root.get("ignore")
    items = node.items if isinstance(node, Sequence) else () if node is None else (node,)
    heads = tuple(item.text for item in items if isinstance(item, Scalar) and not item.is_null)
    if node is not None and len(heads) < max(len(items), 1):
        hint = "write ignore: [Notes, Artist]"
        faults.append(Diagnostic(node.span, "GP203", "ignore lists heads of columns", hint))
    return heads


def _from_table(
    rows: Node, ignored: tuple[str, ...], path: Path, bounds: Bounds, faults: list[Diagnostic]
) -> tuple[Mapping, ...]:
    if not isinstance(rows, Scalar) or rows.is_null:
        hint = "write rows: crashes.csv"
        faults.append(Diagnostic(rows.span, "GP203", "rows names a CSV or XLSX file", hint))
        return ()
    try:
        cells, shown = _read_table(rows, path, bounds)
        found, wrong = mappings(cells, shown, ignored)
    except GridpressError as error:
        faults.extend(error.diagnostics)
        return ()
    named, remarks = with_ids(found)
    faults += [*wrong, *remarks]
    return tuple(named)


def _read_table(rows: Scalar, path: Path, bounds: Bounds) -> tuple[Iterable[RowValues], str]:
    if _ADDRESS.match(rows.text):
        message = "this is an address, and a build uses no network"
        hint = (
            "open it in your browser, save the sheet as CSV (File > Download) beside this file, "
            "and write its name: rows: cards.csv"
        )
        raise GridpressError(Diagnostic(rows.span, "GP108", message, hint))
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
        return csv_rows(read_text(table, shown, roots), shown), shown
    return xlsx_rows(read_bytes(table, shown, roots), sheet, rows.span, shown), shown


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


def translate(
    components: List[ComponentSource], locale: Document
) -> tuple[tuple[ComponentSource, ...], list[Diagnostic]]:
    """The components with the fields that the locale gives anew, and what is wrong with it."""
    faults: list[Diagnostic] = []
    root = _mapping(locale.root, "a locale file", faults)
    faults += _strange_keys(root, _LOCALE_KEYS, "locale")
    _check_words(root.get("words"), faults)
    overlays = _overlays(root.get("components"), components, faults)
    return tuple(_overlaid(component, overlays) for component in components), faults


def retitled(head: Document, locale: Document) -> Document:
    """A pack.yaml with what the locale calls the pack."""
    if not (isinstance(head.root, Mapping) and isinstance(locale.root, Mapping)):
        return head
    said = [
        (name, node)
        for name, node in locale.root.entries
        if name.text in _OF_PACK and not (isinstance(node, Scalar) and node.is_null)
    ]
    kept = head.root.without(*(name.text for name, _ in said))
    return replace(head, root=replace(kept, entries=(*kept.entries, *said))) if said else head


def _mapping(node: Node, what: str, faults: list[Diagnostic]) -> Mapping:
    if isinstance(node, Mapping):
        return node
    if not (isinstance(node, Scalar) and node.is_null):
        faults.append(Diagnostic(node.span, "GP203", f"{what} is a mapping", "write key: value"))
    return Mapping((), node.span)


def _check_words(words: Node | None, faults: list[Diagnostic]) -> None:
    if words is None:
        return
    for name, word in _mapping(words, "words", faults).entries:
        faults += cut_off(word, f"words.{name.text}")
        if not isinstance(word, Scalar) or word.is_null:
            message = f"the translation of {name.text!r} is not a text"
            faults.append(Diagnostic(word.span, "GP203", message, "write Whip: Peitsche"))


def _overlays(
    node: Node | None, components: List[ComponentSource], faults: list[Diagnostic]
) -> Overlays:
    ids: dict[str, set[str]] = defaultdict(set)
    suggestions = Suggestions()
    for component in components:
        ids[component.kind.text].add(_id(component))
    overlays: Overlays = {}
    kinds = () if node is None else _mapping(node, "components", faults).entries
    for kind, entries in kinds:
        if kind.text not in ids:
            message = f"the pack has no components of kind {kind.text!r}"
            hint = suggestions.did_you_mean(kind.text, ids)
            faults.append(Diagnostic(kind.span, "GP212", message, hint))
            continue
        for name, fields in _mapping(entries, "a kind's translation", faults).entries:
            if name.text in ids[kind.text]:
                overlay = _mapping(fields, "a component's translation", faults)
                overlays[kind.text, name.text] = overlay
                continue
            message = f"there is no {kind.text} {name.text!r}"
            hint = suggestions.did_you_mean(name.text, ids[kind.text])
            faults.append(Diagnostic(name.span, "GP205", message, hint))
    return overlays


def _id(component: ComponentSource) -> str:
    node = component.node.get("id")
    return node.text if isinstance(node, Scalar) else ""


def _overlaid(component: ComponentSource, overlays: Overlays) -> ComponentSource:
    overlay = overlays.get((component.kind.text, _id(component)))
    if overlay is None:
        return component
    kept = component.node.without(*overlay.keys())
    return ComponentSource(
        component.kind, Mapping((*kept.entries, *overlay.entries), component.node.span)
    )


def words_for(source: PackSource) -> dict[str, str]:
    """What a pack says for the words of its texts and templates: its locale's, before those of the
    packs that it requires, nearest first."""
    words: dict[str, str] = {}
    for pack in (source, *source.lenders):
        words = words_of(pack.locale) | words
    return words


def worded(component: ComponentSource, words: Words[str, str]) -> ComponentSource:
    """The component with the word for `Whip` wherever a text says [[Whip]]: Whip itself unless
    `words` has another."""
    if not _has_words(component.node):
        return component
    return ComponentSource(component.kind, _said_in(component.node, words))


def _has_words(node: Node) -> bool:
    """Whether a text says [[Whip]]: most components have none that does."""
    waiting = [node]
    while waiting:
        node = waiting.pop()
        if isinstance(node, Scalar):
            if WORD in node.text:
                return True
        elif isinstance(node, Mapping):
            waiting += [value for _, value in node.entries]
        else:
            waiting += node.items
    return False


def _said(node: Node, words: Words[str, str]) -> Node:
    """The node itself where nothing in it changes: most texts have no such words."""
    if isinstance(node, Mapping):
        return _said_in(node, words)
    if isinstance(node, Sequence):
        items = tuple(_said(item, words) for item in node.items)
        changed = any(new is not old for new, old in zip(items, node.items, strict=True))
        return replace(node, items=items) if changed else node
    text = with_words(node.text, lambda own: words.get(own, own))
    return replace(node, text=text) if text != node.text else node


def _said_in(node: Mapping, words: Words[str, str]) -> Mapping:
    entries = tuple((name, _said(value, words)) for name, value in node.entries)
    changed = any(new is not old for (_, new), (_, old) in zip(entries, node.entries, strict=True))
    return replace(node, entries=entries) if changed else node
