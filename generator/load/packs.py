"""Read all files of a pack and of the packs it requires: components with their defaults, in the
language asked for. Nothing is interpreted yet.

A locale file replaces fields, and has words for texts such as [[Whip]].
"""

from __future__ import annotations

import contextlib
import re
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator
from collections.abc import Mapping as Words
from collections.abc import Sequence as List
from functools import cache, partial
from itertools import chain
from pathlib import Path, PurePath
from typing import Final

from msgspec.structs import replace

from generator.diagnostics import (
    Diagnostic,
    GridpressError,
    Outcome,
    Severity,
    Span,
    Suggestions,
    did_you_mean,
    in_order,
)
from generator.files import Roots, UnreadableError, device_refused, is_device, natural, refusal
from generator.load.chosen_rows import condition, rows_of_no_kind, taken, without
from generator.load.documents import Documents, read_bytes, read_document
from generator.load.table_files import OTHER_TABLES, TABLES, TableFile, read_table
from generator.load.tables import mappings, with_ids
from generator.model.manifest import is_refused
from generator.model.source import (
    WORD,
    ComponentSource,
    Document,
    Mapping,
    Node,
    PackSource,
    Scalar,
    Sequence,
    as_id,
    cut_off,
    field_name,
    with_words,
    words_of,
)
from generator.project import (
    PACK_FILE,
    STARTERS,
    Project,
    fits,
    is_requirement,
    workbooks_in,
)

_KINDS: Final = "kinds"
_LOCALES: Final = "locales"
MAX_COMPONENTS: Final = 20_000
"""Four times the largest deck that anybody prints."""
_STYLES: Final = "styles.yaml"
SUFFIXES: Final = (".yaml", ".yml")
MAX_FILES: Final = 2_000
"""Files below one folder of a pack."""


def read_pack(
    project: Project,
    pack: str,
    locale: str | None = None,
    documents: Documents | None = None,
) -> Outcome[PackSource | None]:
    """Return every file of a pack, with all faults; None without a usable pack.yaml.

    With a locale, the components are in its language. Required packs are read once each, and their
    errors are included.
    """
    packs = cache(project.known_packs)  # looked for once, and only if a pack requires one
    styles = cache(partial(_own_styles, project))
    given = documents or Documents(), packs, styles
    return _PackReading(project, pack, (pack,), {}, *given).read(locale)


def read_shared(
    project: Project, names: Iterable[str], documents: Documents
) -> Outcome[tuple[Document, ...]]:
    """Return the shared files with these names, shipped ones first."""
    paths = (path for name in names for path in project.shared_files(name))
    read = [documents.read(path, project.display(path), project.roots) for path in paths]
    found = tuple(each.value for each in read if each.value is not None)
    return Outcome(found, tuple(said for each in read for said in each.diagnostics))


def _own_styles(project: Project, pack: str) -> Path | None:
    path = project.template_folders(pack)[0] / _STYLES
    return path if project.roots.holds(path) else None


class _PackReading:
    """Reads one pack and collects its findings."""

    def __init__(
        self,
        project: Project,
        pack: str,
        above: tuple[str, ...],
        known: dict[str, Outcome[PackSource | None]],
        documents: Documents,
        packs: Names,
        own_styles: Callable[[str], Path | None],
    ) -> None:
        self.project = project
        self.pack = pack
        self.above = above
        self.known = known
        self.documents = documents
        self.packs = packs
        self.own_styles = own_styles
        self.folder = project.cards(pack)
        self.faults: list[Diagnostic] = []
        self.others: list[Mapping] = []

    def read(self, locale: str | None) -> Outcome[PackSource | None]:
        head = self._document(self.folder / PACK_FILE)
        if is_device(self.pack):
            span = Span(self.project.display(self.folder / PACK_FILE))
            self.faults.append(device_refused(self.pack, span))
        kinds = [self._document(path) for path in self._files(self.folder / _KINDS)]
        components = self._components()
        required = self._required(head, locale)
        translation = self._locale(head, locale, required)
        if translation is not None:
            components, wrong = _translate(components, translation)
            self.faults += wrong
            head = head and _retitled(head, translation)
        if head is None:
            return Outcome(None, in_order(self.faults))
        source = PackSource(
            self.pack,
            head,
            tuple(kind for kind in kinds if kind is not None),
            components,
            locale=translation,
            required=required,
            written=() if translation is None else components,
        )
        words = _words_for(source)
        source = replace(source, components=tuple(_worded(one, words) for one in components))
        styles = self._styles(source.requires)
        complete = Outcome(None, tuple(self.faults)).ok
        return Outcome(replace(source, styles=styles, complete=complete), in_order(self.faults))

    def _required(self, head: Document | None, locale: str | None) -> tuple[PackSource, ...]:
        def read(name: str) -> Outcome[PackSource | None]:
            if name not in self.known:
                above = (*self.above, name)
                given = self.known, self.documents, self.packs, self.own_styles
                reading = _PackReading(self.project, name, above, *given)
                self.known[name] = reading.read(locale)
            return self.known[name]

        required, faults = _read_required(head, self.packs, self.above, read)
        self.faults += faults
        return required

    def _document(self, path: Path) -> Document | None:
        outcome = self.documents.read(path, self.project.display(path), self.project.roots)
        self.faults += outcome.diagnostics
        return outcome.value

    def _files(self, folder: Path, skip: frozenset[Path] = frozenset()) -> tuple[Path, ...]:
        if not self.project.roots.holds(folder):
            return ()
        paths, faults = _yaml_files(folder, self.project, skip)
        self.faults += faults
        return paths

    def _components(self) -> tuple[ComponentSource, ...]:
        skip = frozenset(self.folder / name for name in (PACK_FILE, _KINDS, _LOCALES, STARTERS))
        found: list[ComponentSource] = []
        for path in self._files(self.folder, skip):
            document = self._document(path)
            if document is None:
                continue
            components, wrong = _read_components(document, path, self.project, self.others)
            self.faults += wrong
            if len(found) + len(components) > MAX_COMPONENTS:
                self.faults.append(_too_large(document.root.span))
                break
            found += components
        if Outcome(None, tuple(self.faults)).ok:
            self.faults += rows_of_no_kind(
                self.others, {component.node.span for component in found}
            )
        return tuple(found)

    def _styles(self, required: tuple[str, ...]) -> Document | None:
        shared = self.project.template_folders(self.pack)[1:]
        own = (path for path in map(self.own_styles, (self.pack, *required)) if path)
        of_all = filter(self.project.roots.holds, (folder / _STYLES for folder in shared))
        path = next(chain(own, of_all), None)
        return None if path is None else self._document(path)

    def _locale(
        self, head: Document | None, locale: str | None, required: tuple[PackSource, ...]
    ) -> Document | None:
        if locale is None:
            return None
        paths = {path.stem: path for path in self._files(self.folder / _LOCALES)}
        own = _language(head)
        meant = _meant(locale, paths)
        if meant is not None and is_refused(meant):
            message = f"a locale cannot be called {meant!r}: its files would be those of --only"
            span = Span(self.project.display(paths[meant]))
            self.faults.append(Diagnostic(span, "GP005", message, "give its file another name"))
            return None
        if meant is not None:
            return self._document(paths[meant])
        is_required = len(self.above) > 1  # it need not be in the language that another is in
        is_lent = any(pack.locale is not None for pack in required)  # nor one that borrows it
        if not _is_same(locale, own) and not is_required and not is_lent:
            span = Span(self.project.display(self.folder / _LOCALES))
            hint = did_you_mean(locale, (own, *paths))
            self.faults.append(Diagnostic(span, "GP005", f"there is no locale {locale!r}", hint))
        return None


def _yaml_files(
    folder: Path, project: Project, skip: frozenset[Path] = frozenset()
) -> tuple[tuple[Path, ...], list[Diagnostic]]:
    """Return all YAML files below the folder except `skip`, and faults of entries that cannot be
    read."""
    found: list[Path] = []
    faults: list[Diagnostic] = []
    for entry in project.roots.walk(folder, skip=skip):
        if entry.fault is not None:
            what = "the folder" if entry.is_folder else "the file"
            faults.append(entry.fault.told(Span(project.display(entry.path)), what))
        elif is_device(entry.path.name):
            faults.append(device_refused(entry.path.name, Span(project.display(entry.path))))
        elif not entry.is_folder and entry.path.suffix.lower() in SUFFIXES:
            found.append(entry.path)
    if len(found) > MAX_FILES:
        message = f"there are more than {MAX_FILES:,} YAML files here"
        hint = "put components of one kind into one file"
        return (), [*faults, Diagnostic(Span(project.display(folder)), "GP110", message, hint)]
    return tuple(sorted(found, key=lambda path: _order(path.relative_to(folder)))), faults


def _order(path: Path) -> list[list[str | int]]:
    return [natural(part) for part in path.parts]


def locales(project: Project, pack: str) -> tuple[str, ...]:
    """Return the names of a pack's locale files, without suffix."""
    folder = project.cards(pack) / _LOCALES
    paths = _yaml_files(folder, project)[0] if project.roots.holds(folder) else ()
    return tuple(path.stem for path in paths)


def locale_named(project: Project, pack: str, wanted: str) -> str | None:
    """Return the locale that a user means, as its file is called, from the pack or the nearest one
    it requires. None is the language that the pack is written in. An unknown name is returned as it
    is; `read_pack` refuses it."""
    for name in (pack, *required_packs(project, pack)):
        meant = _meant(wanted, locales(project, name))
        if meant is not None:
            return meant
    path = project.cards(pack) / PACK_FILE
    head = read_document(path, project.display(path), project.roots).value
    return None if _is_same(wanted, _language(head)) else wanted


def _meant(wanted: str, stems: Collection[str]) -> str | None:
    """Find a name in any case: `DE` is `de`, `pt_br` is `pt-BR`."""
    if wanted in stems:
        return wanted
    return next((stem for stem in sorted(stems) if _is_same(stem, wanted)), None)


def _is_same(one: str, other: str) -> bool:
    return one.casefold().replace("_", "-") == other.casefold().replace("_", "-")


def translated_names(project: Project, pack: str, documents: Documents) -> dict[str, str]:
    """Map each translated name of a component to its `kind/id`."""
    found: dict[str, str] = {}
    folder = project.cards(pack) / _LOCALES
    paths = _yaml_files(folder, project)[0] if project.roots.holds(folder) else ()
    for path in paths:
        document = documents.read(path, project.display(path), project.roots).value
        root = document.root if document is not None else None
        kinds = root.get("components") if isinstance(root, Mapping) else None
        for kind, entries in kinds.entries if isinstance(kinds, Mapping) else ():
            for id_, fields in entries.entries if isinstance(entries, Mapping) else ():
                name = fields.get("name") if isinstance(fields, Mapping) else None
                if isinstance(name, Scalar):
                    found[name.text] = f"{kind.text}/{id_.text}"
    return found


def _language(head: Document | None) -> str:
    node = head.root.get("language") if head and isinstance(head.root, Mapping) else None
    return node.text if isinstance(node, Scalar) else "en"


def _too_large(span: Span) -> Diagnostic:
    message = f"with this file the pack has more than {MAX_COMPONENTS:,} components"
    return Diagnostic(span, "GP110", message, "make several packs; one may require another")


_REQUIRES: Final = "requires"
Names = Callable[[], Collection[str]]
PackReader = Callable[[str], Outcome[PackSource | None]]


def _read_required(
    head: Document | None, packs: Names, above: tuple[str, ...], read: PackReader
) -> tuple[tuple[PackSource, ...], list[Diagnostic]]:
    """Return the required packs in order, and their errors: GP001 unknown pack, GP006 wrong
    version, GP007 packs that require each other. `packs` lists the known packs, `above` the packs
    that led here, this one last. Warnings of a required pack are left to its own build."""
    found: list[PackSource] = []
    faults: list[Diagnostic] = []
    for name, wanted in _requirements(head):
        known = packs()
        fault = _missing(name, known) or _circle(name, above)
        if fault is None:
            outcome = read(name.text)
            faults += [d for d in outcome.diagnostics if d.severity is Severity.ERROR]
            if outcome.value is None:
                continue
            found.append(outcome.value)
            fault = _misfit(name, wanted, outcome.value)
        if fault is not None:
            faults.append(fault)
    return tuple(found), faults


def required_packs(project: Project, pack: str) -> tuple[str, ...]:
    """Return the names of all packs that a pack needs, nearest first. Only their pack.yaml files
    are read."""
    known = project.known_packs()
    found = [pack]
    for name in found:  # grows on the way
        path = project.cards(name) / PACK_FILE
        head = read_document(path, project.display(path), project.roots).value
        asked = (other.text for other, _ in _requirements(head))
        found += [other for other in asked if other in known and other not in found]
    return tuple(found[1:])


def _requirements(head: Document | None) -> Iterator[tuple[Scalar, str]]:
    """Yield each required pack's name and version project. Validate reports malformed ones."""
    node = head.root.get(_REQUIRES) if head and isinstance(head.root, Mapping) else None
    for name, wanted in node.entries if isinstance(node, Mapping) else ():
        if isinstance(wanted, Scalar) and is_requirement(wanted.text):
            yield name, wanted.text


def _missing(name: Scalar, known: Collection[str]) -> Diagnostic | None:
    if name.text in known:
        return None
    hint = did_you_mean(name.text, known) or "put it into the project, beside this pack"
    return Diagnostic(name.span, "GP001", f"requires: there is no pack {name.text!r}", hint)


def _circle(name: Scalar, above: tuple[str, ...]) -> Diagnostic | None:
    if name.text not in above:
        return None
    way = " requires ".join((*above[above.index(name.text) :], name.text))
    hint = "move what both need into a pack of its own, and require that"
    return Diagnostic(name.span, "GP007", f"requires: a circle, {way}", hint)


def _misfit(name: Scalar, wanted: str, source: PackSource) -> Diagnostic | None:
    root = source.pack.root
    node = root.get("version") if isinstance(root, Mapping) else None
    if not isinstance(node, Scalar) or fits(node.text, wanted):
        return None
    message = f"requires: {name.text} {wanted} is needed, and this is {node.text}"
    hint = f"its version stands at {node.span}; get another, or change what is required"
    return Diagnostic(name.span, "GP006", message, hint)


_KEYS: Final = ("kind", "defaults", "components", "rows", "where", "ignore", "columns")
_ADDRESS: Final = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*://")
_OF_PACK: Final = ("title", "description")
_LOCALE_KEYS: Final = (*_OF_PACK, "words", "components")
_Overlays = dict[tuple[str, str], Mapping]


def _read_components(
    document: Document, path: Path, project: Project, others: list[Mapping]
) -> tuple[tuple[ComponentSource, ...], list[Diagnostic]]:
    """Return the components of one file and its faults. Rows that its `where` does not take join
    the `others`."""
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
    nodes = _listed(root, path, project, faults, others)
    if not isinstance(kind, Scalar) or kind.is_null:
        return (), faults
    filling = defaults if isinstance(defaults, Mapping) else Mapping((), root.span)
    return tuple(ComponentSource(kind, _filled(node, filling)) for node in nodes), faults


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
    root: Mapping,
    path: Path,
    project: Project,
    faults: list[Diagnostic],
    others: list[Mapping],
) -> tuple[Mapping, ...]:
    components, rows = root.get("components"), root.get("rows")
    if components is not None and rows is not None:
        message = "components and rows stand in one file"
        faults.append(Diagnostic(rows.span, "GP203", message, "make two files of it"))
    if rows is not None:
        try:
            return tuple(_from_table(root, rows, path, project, faults, others))
        except GridpressError as error:
            faults.extend(error.diagnostics)
            return ()
    if (where := root.get("where")) is not None:
        message, hint = "where chooses rows of a table", "remove it, or write rows: and a table"
        faults.append(Diagnostic(where.span, "GP203", message, hint))
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
    node = root.get("ignore")
    items = node.items if isinstance(node, Sequence) else () if node is None else (node,)
    heads = tuple(item.text for item in items if isinstance(item, Scalar) and not item.is_null)
    if node is not None and len(heads) < max(len(items), 1):
        hint = "write ignore: [Notes, Artist]"
        faults.append(Diagnostic(node.span, "GP203", "ignore lists heads of columns", hint))
    return heads


def _names_of_columns(root: Mapping, faults: list[Diagnostic]) -> dict[str, Scalar]:
    """Return the fields for columns whose heads do not name them, by head."""
    node = root.get("columns")
    entries = node.entries if isinstance(node, Mapping) else ()
    names = {field_name(head.text): name for head, name in entries if isinstance(name, Scalar)}
    if node is not None and len(names) < max(len(entries), 1):
        hint = "write columns: {Card Name: name, Cost (€): cost}"
        faults.append(Diagnostic(node.span, "GP203", "columns has a field for each head", hint))
    return names


def table_named(rows: Node) -> tuple[Scalar | None, Scalar | None]:
    """Return the file of a table and the address that it is fetched from."""
    if isinstance(rows, Mapping):
        file, url = rows.get("file"), rows.get("url")
        if isinstance(file, Scalar) and isinstance(url, Scalar) and len(rows.entries) == 2:
            return file, url
        return None, None
    return (rows if isinstance(rows, Scalar) and not rows.is_null else None), None


def _from_table(
    root: Mapping,
    rows: Node,
    path: Path,
    project: Project,
    faults: list[Diagnostic],
    others: list[Mapping],
) -> list[Mapping]:
    """Return the components in a table. Raises GridpressError (GP108, GP203, GP211)."""
    names, ignored = _names_of_columns(root, faults), _ignored(root, faults)
    file, url = table_named(rows)
    if file is None:
        hint = "write rows: crashes.csv"
        if isinstance(rows, Mapping):
            hint = "write rows: {url: https://…, file: cards.csv}"
        message = "rows names a CSV or XLSX file"
        raise GridpressError(Diagnostic(rows.span, "GP203", message, hint))
    where = root.get("where")
    asked = condition(where)
    table, shown = _table_file(file, path, project, is_fetched=url is not None)
    unseen = [head for head in ignored if not asked or field_name(head) not in asked.names]
    found, wrong = mappings(table.rows, shown, unseen, table.point, names)
    faults += [*table.remarks, *wrong]
    if asked and where is not None:
        found, left = taken(found, asked, where.span)
        others += left
        found = without(found, set(map(field_name, ignored)))
    named, remarks = with_ids(found)
    if remarks and not _is_imported(path, shown, project.roots):
        faults += remarks
    return named


def _is_imported(path: Path, table: str, roots: Roots) -> bool:
    """True for rows that `gridpress import` wrote, which has said how it calls them, and for other
    rows of the same table."""
    names = {path.stem, as_id(PurePath(table).stem)}
    with contextlib.suppress(UnreadableError):
        return any(roots.has_file(path.parent / "imported" / f"{name}.csv") for name in names)
    return False


def _table_file(
    rows: Scalar, path: Path, project: Project, *, is_fetched: bool
) -> tuple[TableFile, str]:
    if _ADDRESS.match(rows.text):
        message = "this is an address, and a build uses no network"
        hint = (
            f"write rows: {{url: {rows.text}, file: cards.csv}}; gridpress pull fetches it into "
            "that file"
        )
        raise GridpressError(Diagnostic(rows.span, "GP108", message, hint))
    name, _, sheet = rows.text.partition("#")
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
    return read_table(read_bytes(table, shown, roots), sheet, rows.span, shown), shown


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


def _translate(
    components: List[ComponentSource], locale: Document
) -> tuple[tuple[ComponentSource, ...], list[Diagnostic]]:
    """Return the components with translated fields, and the faults of the locale."""
    faults: list[Diagnostic] = []
    root = _mapping(locale.root, "a locale file", faults)
    faults += _strange_keys(root, _LOCALE_KEYS, "locale")
    _check_words(root.get("words"), faults)
    overlays = _overlays(root.get("components"), components, faults)
    return tuple(_overlaid(component, overlays) for component in components), faults


def _retitled(head: Document, locale: Document) -> Document:
    """Return pack.yaml with the locale's title and description."""
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
) -> _Overlays:
    ids: dict[str, set[str]] = defaultdict(set)
    suggestions = Suggestions()
    for component in components:
        ids[component.kind.text].add(_id(component))
    overlays: _Overlays = {}
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


def _overlaid(component: ComponentSource, overlays: _Overlays) -> ComponentSource:
    overlay = overlays.get((component.kind.text, _id(component)))
    if overlay is None:
        return component
    kept = component.node.without(*overlay.keys())
    return ComponentSource(
        component.kind, Mapping((*kept.entries, *overlay.entries), component.node.span)
    )


def _words_for(source: PackSource) -> dict[str, str]:
    """Return the words for texts and templates: the pack's locale first, then those of required
    packs, nearest first."""
    words: dict[str, str] = {}
    for pack in (source, *source.lenders):
        words = words_of(pack.locale) | words
    return words


def _worded(component: ComponentSource, words: Words[str, str]) -> ComponentSource:
    """Return the component with a locale's word in place of each [[Whip]]; without one, Whip."""
    if not _has_words(component.node):
        return component
    return ComponentSource(component.kind, _said_in(component.node, words))


def _has_words(node: Node) -> bool:
    waiting = [node]
    while waiting:
        node = waiting.pop()
        if isinstance(node, Scalar):
            if WORD in node.text:  # of a cell its rich text has it, too
                return True
        elif isinstance(node, Mapping):
            waiting += [value for _, value in node.entries]
        else:
            waiting += node.items
    return False


def _said(node: Node, words: Words[str, str]) -> Node:
    if isinstance(node, Mapping):
        return _said_in(node, words)
    if isinstance(node, Sequence):
        items = tuple(_said(item, words) for item in node.items)
        changed = any(new is not old for new, old in zip(items, node.items, strict=True))
        return replace(node, items=items) if changed else node
    text = with_words(node.text, lambda own: words.get(own, own))
    if text == node.text:
        return node
    cell = node.cell
    if cell is not None:
        cell = replace(cell, rich=with_words(cell.rich, lambda own: words.get(own, own)))
    return replace(node, text=text, cell=cell)


def _said_in(node: Mapping, words: Words[str, str]) -> Mapping:
    entries = tuple((name, _said(value, words)) for name, value in node.entries)
    changed = any(new is not old for (_, new), (_, old) in zip(entries, node.entries, strict=True))
    return replace(node, entries=entries) if changed else node
