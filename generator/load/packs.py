"""Read all files of a pack and of the packs it requires: components with their defaults, in the
language asked for. Nothing is interpreted yet.

A locale file replaces fields, and has words for texts such as [[Whip]].
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from pathlib import Path
from typing import Final

from msgspec.structs import replace

from generator.diagnostics import (
    Diagnostic,
    Outcome,
    Severity,
    Span,
    did_you_mean,
    in_order,
)
from generator.files import device_refused, is_device, natural
from generator.load.chosen_rows import rows_of_no_kind
from generator.load.component_files import components_in
from generator.load.documents import Documents, read_document
from generator.load.translations import retitled, translate, worded, words_for
from generator.model.face_file import SUFFIX
from generator.model.manifest import is_refused
from generator.model.source import (
    ComponentSource,
    Document,
    Mapping,
    PackSource,
    Scalar,
)
from generator.project import (
    PACK_FILE,
    SHARED,
    STARTERS,
    Project,
    fits,
    is_requirement,
)

_KINDS: Final = "kinds"
_LOCALES: Final = "locales"
MAX_COMPONENTS: Final = 20_000
"""Four times the largest deck that anybody prints."""
SUFFIXES: Final = (".yaml", ".yml")


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
    return _PackReading(project, (pack,), {}, documents or Documents()).read(locale)


def read_shared(
    project: Project, names: Iterable[str], documents: Documents
) -> Outcome[tuple[Document, ...]]:
    """Return the shared files with these names, shipped ones first."""
    paths = (path for name in names for path in project.shared_files(name))
    read = [documents.read(path, project.display(path), project.roots) for path in paths]
    found = tuple(each.value for each in read if each.value is not None)
    return Outcome(found, tuple(said for each in read for said in each.diagnostics))


class _PackReading:
    """Reads one pack and collects its findings. `above` are the packs that led here, this one
    last; `known` are those already read."""

    def __init__(
        self,
        project: Project,
        above: tuple[str, ...],
        known: dict[str, Outcome[PackSource | None]],
        documents: Documents,
    ) -> None:
        self.project = project
        self.pack = above[-1]
        self.above = above
        self.known = known
        self.documents = documents
        self.folder = project.cards(self.pack)
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
            components, wrong = translate(components, translation)
            self.faults += wrong
            head = head and retitled(head, translation)
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
        words = words_for(source)
        source = replace(source, components=tuple(worded(one, words) for one in components))
        folders = self.project.template_folders(self.pack, source.requires)
        source = replace(source, styles=self._styles(folders), face_files=self._face_files(folders))
        complete = Outcome(None, tuple(self.faults)).ok
        return Outcome(replace(source, complete=complete), in_order(self.faults))

    def _required(self, head: Document | None, locale: str | None) -> tuple[PackSource, ...]:
        """Return the required packs in order; report GP001 unknown pack, GP006 wrong version, GP007
        packs that require each other, and their errors. Their warnings are left to their builds."""
        found: list[PackSource] = []
        for name, wanted in _requirements(head):
            fault = _missing(name, self.project.known_packs()) or _circle(name, self.above)
            if fault is None:
                outcome = self._other(name.text, locale)
                self.faults += [d for d in outcome.diagnostics if d.severity is Severity.ERROR]
                if outcome.value is None:
                    continue
                found.append(outcome.value)
                fault = _misfit(name, wanted, outcome.value)
            if fault is not None:
                self.faults.append(fault)
        return tuple(found)

    def _other(self, pack: str, locale: str | None) -> Outcome[PackSource | None]:
        if pack not in self.known:
            reading = _PackReading(self.project, (*self.above, pack), self.known, self.documents)
            self.known[pack] = reading.read(locale)
        return self.known[pack]

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
            components, wrong = components_in(
                document, path, self.project, self.others, self.documents.cache
            )
            self.faults += wrong
            components = self.documents.components(document.file, components, wrong)
            if len(found) + len(components) > MAX_COMPONENTS:
                self.faults.append(_too_large(document.root.span))
                break
            found += components
        if Outcome(None, tuple(self.faults)).ok:
            self.faults += rows_of_no_kind(
                self.others, {component.node.span for component in found}
            )
        return tuple(found)

    def _styles(self, folders: tuple[Path, ...]) -> Document | None:
        paths = (folder / "styles.yaml" for folder in folders)
        path = next(filter(self.project.roots.holds, paths), None)
        return None if path is None else self._document(path)

    def _face_files(self, folders: tuple[Path, ...]) -> dict[str, Document]:
        """Return the face files of the folders by name, the nearest of each name. The folders that
        all packs are in lend those in `shared/` alone."""
        found: dict[str, Document] = {}
        for folder in folders:
            inside = folder / SHARED if folder.name == "templates" else folder
            if not self.project.roots.holds(inside):
                continue
            for path in sorted(
                entry.path
                for entry in self.project.roots.walk(inside)
                if entry.path.name.endswith(SUFFIX) and not entry.is_folder and not entry.fault
            ):
                name = path.relative_to(folder).as_posix()
                document = None if name in found else self._document(path)
                if document is not None:
                    found[name] = document
        return found

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
    return Diagnostic(span, "GP110", message, "split it; one pack can require another")


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
    node = head.root.get("requires") if head and isinstance(head.root, Mapping) else None
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
    message = f"requires: {name.text} {wanted} is needed, but this is {node.text}"
    hint = f"its version is given at {node.span}; get another version, or change requires"
    return Diagnostic(name.span, "GP006", message, hint)
