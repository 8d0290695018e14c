"""All that comes before the press: a pack read, checked, drawn and laid out on sheets; long, since
a locale beside the pack that it is for is read here as well.

Checks of a locale report unused words and untranslated texts. A locale that is another setting, not
another language, leaves most texts as they are. In another language, a field that is translated for
some components of a kind was forgotten for the others. A word is used if a template has it in
quotes or a text has it in brackets; if a template works out the names of words, a word is used if
its parts are anywhere.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path, PurePath
from typing import Final, Protocol

from msgspec import Struct
from msgspec.structs import replace

from generator import limits, load, preflight, render, validate
from generator.assets import assets_of
from generator.diagnostics import (
    Diagnostic,
    Outcome,
    Span,
    Suggestions,
    warning,
)
from generator.files import FileTooLargeError, Roots, UnreadableError
from generator.fonts import FontLibrary, fonts_of
from generator.geometry import summed
from generator.model.catalogue import Catalogue, PrinterProfile, Shop
from generator.model.face import Face
from generator.model.pack import Field, Pack, words_in
from generator.model.source import ComponentSource, Document, Node, PackSource
from generator.model.source import Mapping as MappingNode
from generator.model.source import Sequence as SequenceNode
from generator.order import Order
from generator.print_runs import (
    LaidOut,
    OpenPack,
    PrintRun,
    Standing,
    as_known,
    print_runs,
)
from generator.project import PACK_FILE, PROFILE_FILE, SHARED, Project, Target
from generator.waivers import Waiving, naming_waivers


class StepProgress(Protocol):
    """Told how far a step has come."""

    def __call__(self, step: str, done: int, total: int) -> None:
        """One report; `total` is 0 while it is not known."""


def silent(step: str, done: int, total: int) -> None:
    """The progress that nobody watches."""


def in_locale_of(target: Target, order: Order) -> Order:
    """The order with the locale that is meant, as its file is called; with none if it is the
    language that the pack is written in."""
    if order.locale is None:
        return order
    return replace(order, locale=load.locale_named(target.project, target.pack, order.locale))


def open_pack(
    target: Target,
    order: Order,
    *,
    in_parts: bool = False,
    standing: Standing | None = None,
) -> Outcome[OpenPack | None]:
    """Load and validate one pack, with the stocks, papers and fonts that it may name.

    With an error in it there is no pack; or `in_parts`, to look at, what of it is sound.
    """
    standing = standing or Standing(cache=order.cache)
    read, said = _read(target, order, standing)
    if read is None:
        return Outcome(None, said)
    checked, said = _opened(read, order, standing, said)
    return Outcome(checked.value if in_parts or Outcome(None, said).ok else None, said)


def _opened(
    read: _PackFiles, order: Order, standing: Standing, said: tuple[Diagnostic, ...]
) -> tuple[Outcome[OpenPack], tuple[Diagnostic, ...]]:
    """Return the sound parts of a pack with its findings, and all findings, those of the order
    included."""
    checked = _checked(read, order)
    said += checked.diagnostics
    if Outcome(None, said).ok:
        project, pack = read.target.project, read.target.pack
        names = functools.partial(load.translated_names, project, pack, standing.documents)
        said += tuple(_fitting_nothing(checked.value.pack, order.only, names))
        if read.source.locale is not None:
            said += tuple(of_locale(read.source, checked.value.pack, project))
    return checked, said


class _PackFiles(Struct, frozen=True):
    """The files of a pack, not yet checked; `file` names them in findings. `shops` are read if the
    pack has outlets."""

    target: Target
    file: str
    source: PackSource
    catalogue: Catalogue
    shops: Mapping[str, Shop] | None
    profile: PrinterProfile


def _read(
    target: Target, order: Order, standing: Standing
) -> tuple[_PackFiles | None, tuple[Diagnostic, ...]]:
    documents = standing.documents
    said: list[Diagnostic] = []
    file = target.project.display(target.project.cards(target.pack) / PACK_FILE)
    with limits.at(file, limits.BEGINNING):
        catalogue = standing.catalogue(target.project)
        profile = _profile(target.project, documents, said)
        source = load.read_pack(target.project, target.pack, order.locale, documents)
        said = [*catalogue.diagnostics, *said, *source.diagnostics]
        if source.value is None or not catalogue.ok or profile is None:
            return None, tuple(said)
        root = source.value.pack.root
        shops = None
        if isinstance(root, MappingNode) and root.get("outlets") is not None:
            found = standing.shops(target.project)
            said += found.diagnostics
            shops = found.value if found.ok else None
    return _PackFiles(target, file, source.value, catalogue.value, shops, profile), tuple(said)


def _checked(read: _PackFiles, order: Order) -> Outcome[OpenPack]:
    """Return the sound parts of a pack, and what is wrong with the rest."""
    source = read.source
    assets = assets_of(
        read.target.project, read.target.pack, source.requires, order.locale, order.cache
    )
    count = summed(len(each.components) for each in (source, *source.lenders))
    with limits.at(read.file, limits.BEGINNING + limits.COMPONENT * count):
        checked = validate.check_pack(
            source,
            read.catalogue,
            shops=read.shops,
            assets=assets,
            players=order.players,
            only=order.only,
            cache=order.cache,
        )
    limits.allow(limits.COMPONENT * len(source.components))
    opened = OpenPack(read.target, checked.value, read.catalogue, read.profile)
    return Outcome(opened, checked.diagnostics)


_BY_CHANCE: Final = ("GP303", "GP304", "GP309")
"""Codes of templates that may follow from an error elsewhere."""


def _lay_out_sound(
    first: Outcome[OpenPack],
    order: Order,
    scratch: Path | None,
    progress: StepProgress,
    standing: Standing,
    *,
    unprinted: bool,
) -> Outcome[LaidOut | None]:
    """Draw and lay out the components without errors, and report what else is wrong with them;
    `unprinted` also draws components without copies."""
    pack = first.value.pack
    opened = as_known(each_once(first.value) if unprinted else first.value)
    fonts = standing.fonts(opened.target.project)
    drawn = draw(opened, order, scratch, progress, fonts)
    known = tuple(print_ for print_ in opened.pack.prints if print_ in pack.prints)
    of_prints = replace(opened, pack=replace(opened.pack, prints=known))
    runs = print_runs(of_prints, drawn.value, order, standing)
    further = tuple(
        found
        for found in (*drawn.diagnostics, *_of_sheets(runs, whole=False))
        if found.span.column and found.code not in _BY_CHANCE
    )
    roots = _roots(opened.target, scratch)
    return Outcome(LaidOut(opened, roots, fonts, drawn.value, runs.value), further)


def _of_sheets(runs: Outcome[tuple[PrintRun, ...]], *, whole: bool) -> Iterator[Diagnostic]:
    """Yield what is wrong with sheets, except that pieces are missing if faces could not be
    drawn."""
    return (found for found in runs.diagnostics if whole or found.code != "GP606")


_CALL: Final = "call it by its id, kind/id or name; * and ? stand for any, commas part several"


def _fitting_nothing(
    pack: Pack, only: str | None, translated: Callable[[], Mapping[str, str]]
) -> Iterator[Diagnostic]:
    """GP606 for each word of `--only` that no component is called by; `translated` has the
    kind/id of each name in another language."""
    called = [component.called for found in pack.components.values() for component in found]
    known = {name: name for one in called for name in (one.id, one.name) if name}
    suggestions = Suggestions()
    for word in words_in(only):
        if any(one.fits(word) for one in called):
            continue
        kind, slash, _ = word.rpartition("/")
        of_kind = [one for one in called if one.kind == kind] or called
        others = {} if slash else {**translated(), **_groups(pack)}
        whole = {name.casefold(): name for name in others}.get(word.casefold())
        whose = [f"{one.kind}/{one.id}" for one in of_kind] if slash else [*known, *others]
        near = whole or suggestions.nearest(word, whose)
        meant = f"did you mean {others.get(near, near)!r}?\n" if near else ""
        if whole is not None:
            is_one = others[whole][-1:] != "*"
            meant = f"{others[whole]!r} is {'that' if is_one else 'all of it'}\n"
            meant = f"it is a kind: {meant}" if whole in pack.kinds else meant
        message = f"--only: no component is called {word!r}"
        yield Diagnostic(pack.span, "GP606", message, meant + _CALL)


def _groups(pack: Pack) -> dict[str, str]:
    """Return the names of kinds and prints, with the word that asks for all of each."""
    groups = {
        name: ",".join(f"{kind}/*" for kind in print_.kinds)
        for print_ in pack.prints
        for name in (print_.title, print_.name)
    }
    for kind in pack.kinds.values():
        groups |= dict.fromkeys((kind.title, kind.name), f"{kind.name}/*")
    groups.pop("", None)
    return groups


def printer_of(project: Project) -> Outcome[tuple[Catalogue, PrinterProfile] | None]:
    """The papers that there are in a project, and its printer."""
    said: list[Diagnostic] = []
    standing = Standing()
    with limits.at(project.display(project.root / PROFILE_FILE), limits.BEGINNING):
        catalogue = standing.catalogue(project)
        profile = _profile(project, standing.documents, said)
    known = None if not catalogue.ok or profile is None else (catalogue.value, profile)
    return Outcome(known, (*catalogue.diagnostics, *said))


def _profile(
    project: Project, documents: load.Documents, said: list[Diagnostic]
) -> PrinterProfile | None:
    path = project.root / PROFILE_FILE
    if not project.roots.holds(path):
        return PrinterProfile()
    read = documents.read(path, project.display(path), project.roots)
    said += read.diagnostics
    if read.value is None:
        return None
    outcome = validate.read_profile(read.value)
    said += outcome.diagnostics
    return outcome.value


def draw(
    opened: OpenPack,
    order: Order,
    scratch: Path | None = None,
    progress: StepProgress = silent,
    fonts: FontLibrary | None = None,
    standing: Standing | None = None,
    waiving: Waiving | None = None,
    *,
    for_export: bool = False,
) -> Outcome[tuple[Face, ...]]:
    """Render every face that the order asks for; `for_export`, with what outlets need besides.

    `scratch` is a folder for what the faces need until they are printed, such as pictures made
    grey for `--ink mono`; `fonts` are those of the project, if they are read already.
    """
    project = opened.target.project
    with limits.at(project.display(project.root / "fonts"), limits.BEGINNING):
        fonts = fonts or fonts_of(project)
    drawn = render.render_faces(
        opened.pack,
        project=project,
        fonts=fonts,
        assets=assets_of(
            project, opened.target.pack, opened.pack.requires, order.locale, order.cache
        ),
        ink=order.ink,
        only=order.only,
        jobs=order.jobs,
        scratch=scratch,
        progress=lambda done, total: progress("drawing", done, total),
        cache=order.cache,
        for_export=for_export,
        waiving=waiving or Waiving(opened.pack.waivers),
        check=functools.partial(
            preflight.look_over, compared=preflight.compared_kinds(opened.pack)
        ),
    )
    limits.allow(limits.COMPONENT * len(drawn.value))  # for what becomes of them in no step
    return drawn


def each_once(opened: OpenPack) -> OpenPack:
    """A pack as if at least one of each component was printed."""
    pieces = {
        kind: tuple(replace(one, quantity=one.quantity or 1) for one in found)
        for kind, found in opened.pack.components.items()
    }
    return replace(opened, pack=replace(opened.pack, components=pieces))


def lay_out(
    pack: Target | OpenPack,
    order: Order,
    scratch: Path | None = None,
    progress: StepProgress = silent,
    standing: Standing | None = None,
    unprinted: bool = False,
    *,
    on_sheets: bool = True,
) -> Outcome[LaidOut | None]:
    """Load, validate, draw and lay out a pack: everything that a build does before it writes.

    Each step goes on with what is sound, so that everything wrong is found at once. With an error,
    the value is what can be looked at, and must not be printed. A pack that is open already is not
    loaded, and what was said of it is not said again. If something is wrong, `unprinted` also draws
    components without copies. Without `on_sheets`, faces are drawn and nothing is laid out.
    """
    standing = standing or Standing(cache=order.cache)
    said: tuple[Diagnostic, ...] = ()
    if isinstance(pack, Target):
        read, said = _read(pack, order, standing)
        if read is None:
            return Outcome(None, said)
        opened, said = _opened(read, order, standing, said)
        if not Outcome(None, said).ok:
            if opened.ok and read.source.complete:
                return Outcome(None, said)  # the order is wrong, not the pack
            further = _lay_out_sound(
                opened, order, scratch, progress, standing, unprinted=unprinted
            )
            return replace(further, diagnostics=(*said, *further.diagnostics))
        pack = opened.value
    progress("drawing", 0, 0)
    fonts = standing.fonts(pack.target.project)
    waiving = Waiving(pack.pack.waivers)
    faces = draw(pack, order, scratch, progress, fonts, standing, waiving)
    runs: Outcome[tuple[PrintRun, ...]] = Outcome(())
    if on_sheets:
        runs = print_runs(pack, faces.value, order, standing)
    found = (*faces.diagnostics, *_of_sheets(runs, whole=faces.ok))
    if on_sheets:
        found += waiving.rest(_of_set_and_sheets(pack, faces.value, runs.value))
    if on_sheets and Outcome(None, (*said, *found)).ok and order.is_whole:
        found += tuple(waiving.idle())
    roots = _roots(pack.target, scratch)
    laid_out = LaidOut(pack, roots, fonts, faces.value, runs.value)
    return Outcome(laid_out, (*said, *naming_waivers(found)))


def _of_set_and_sheets(
    opened: OpenPack, faces: Sequence[Face], runs: Sequence[PrintRun]
) -> Iterator[Diagnostic]:
    """Yield what the checks of the set and of the sheets find, each once."""
    found = list(preflight.check_together(opened.pack, faces))
    for run in runs:
        found += preflight.check_sheets(run.print_, run.paper, run.sheets, opened.profile)
    yield from dict.fromkeys(found)


def _roots(target: Target, scratch: Path | None) -> Roots:
    return target.project.roots.also(*[scratch] if scratch else ())


LANGUAGE: Final = re.compile(r"([a-z]{2,3})([-_][A-Za-z0-9]{2,8})*")
"""Matches names of locales that are languages."""
_MOST: Final = 5_000_000
_SHOWN: Final = 6
_SENTENCE: Final = 5
"""The least words of a text that is not a name, and so must be translated."""
_ASKED: Final = re.compile(r"""\bword\(\s*(?:"([^"\\]*)"|'([^'\\]*)')\s*\)""")
_WORKED_OUT: Final = re.compile(r"""\bword\((?!\s*(?:"[^"\\]*"|'[^'\\]*')\s*\))|\bword\b(?!\()""")
_QUOTED: Final = re.compile(r""""([^"\\]*)"|'([^'\\]*)\'""")
_IN_BRACKETS: Final = re.compile(r"\[\[([^\[\]]++)\]\]")
_NO_WORDS: Final = re.compile(r"\[\[[^\[\]]*\]\]|\{[^{}]*\}")
_COMMENT: Final = re.compile(r"\{#(?:[^#]|#(?!\}))*+(?:#\})?+")
_SPOKEN: Final = re.compile(r"[^\W\d_]{3}")
_PART: Final = re.compile(r"[^\W\d_]+")


def of_locale(source: PackSource, pack: Pack, project: Project) -> Iterator[Diagnostic]:
    """Yield GP217 for unused words and GP218 for texts and words without a translation in the
    locale of a sound pack."""
    locale = source.locale
    if locale is None or not isinstance(locale.root, MappingNode):
        return
    with limits.at(locale.file, limits.BEGINNING):
        said = _Said.of(source, project)
    node = locale.root.get("words")
    words = node if isinstance(node, MappingNode) else MappingNode((), locale.root.span)
    if said is not None:
        yield from _unasked(words, said)
    if _is_other_language(locale, pack, source):
        if said is not None:
            yield from _untranslated_words(words, said, source)
        yield from _untranslated_fields(source, locale, pack)
        if said is not None:
            yield from _untranslated_texts(locale, said, project, source.name)


def _is_other_language(locale: Document, pack: Pack, source: PackSource) -> bool:
    named = LANGUAGE.fullmatch(PurePath(locale.file).stem)
    root = source.pack.root
    own = root.get("language") if isinstance(root, MappingNode) else None
    written = getattr(own, "text", "en").casefold()
    return named is not None and re.split("[-_]", written)[0] != named[1]


class _Said(Struct, frozen=True):
    """The words of a pack and of those that it requires: those in quotes and brackets in templates
    and texts, those that its own templates ask for, all words if a template works out names, and
    the values of components."""

    quoted: frozenset[str]
    values: frozenset[str]
    asked: tuple[str, ...]
    parts: frozenset[str] | None

    @classmethod
    def of(cls, source: PackSource, project: Project) -> _Said | None:
        """None where a file cannot be read."""
        packs = (source.name, *source.requires)
        values = set[str]()
        quoted, asked, parts, works_out = set[str](), dict[str, None](), set[str](), False
        for pack in (*packs, SHARED):
            for suffix, written in _texts(project, pack):
                if written is None:
                    return None
                is_template = suffix == ".j2"
                text = _COMMENT.sub("", written) if is_template else written
                parts.update(_PART.findall(text.casefold()))
                quoted.update(_bracketed(text))
                if is_template:
                    quoted.update(one or other for one, other in _QUOTED.findall(text))
                    works_out = works_out or (pack != SHARED and bool(_WORKED_OUT.search(text)))
                if is_template and pack == source.name:
                    asked |= dict.fromkeys(one or other for one, other in _ASKED.findall(text))
        for component in source.written:
            for text in _scalars(component.node):
                values.add(text)
                quoted.update(_bracketed(text))
                parts.update(_PART.findall(text.casefold()))
        of_names = frozenset(parts) if works_out else None
        return cls(frozenset(quoted), frozenset(values), tuple(asked), of_names)

    def asks_for(self, word: str) -> bool:
        """Return True if one of them may ask for a word."""
        if word in self.quoted:
            return True
        return self.parts is not None and {*_PART.findall(word.casefold())} <= self.parts


def _texts(project: Project, pack: str) -> Iterator[tuple[str, str | None]]:
    """The templates and texts of a pack, by how their names end; None for what cannot be read."""
    home = project.home(pack) if pack != SHARED else project.shipped
    folders = [home / "templates" / pack, home / "cards" / pack]
    if pack == SHARED and project.root != home:
        folders.append(project.root / "templates" / pack)
    for folder in folders:
        if not project.roots.holds(folder):
            continue
        for entry in project.roots.walk(folder):
            suffix = entry.path.suffix.lower()
            if entry.is_folder or suffix not in _READ or "locales" in entry.path.parts[-2:-1]:
                continue
            try:
                text = project.roots.read(entry.path, _MOST).decode("utf-8", "replace")
                yield suffix, text
            except (UnreadableError, FileTooLargeError):
                yield suffix, None


_READ: Final = (".j2", ".md", ".txt", ".yaml", ".yml", ".csv")


def _bracketed(text: str) -> Iterator[str]:
    return (found.strip() for found in _IN_BRACKETS.findall(text))


def _scalars(node: Node) -> Iterator[str]:
    if isinstance(node, MappingNode):
        for _, value in node.entries:
            yield from _scalars(value)
    elif isinstance(node, SequenceNode):
        for item in node.items:
            yield from _scalars(item)
    else:
        yield node.text


def _unasked(words: MappingNode, said: _Said) -> Iterator[Diagnostic]:
    suggestions = Suggestions()
    for key, _ in words.entries:
        if not said.asks_for(key.text):
            message = f"nothing in the pack asks for the word {key.text!r}"
            hint = suggestions.did_you_mean(key.text, sorted({*said.asked}))
            hint = hint or 'a template asks by word("…"), a text by [[…]]; else take it out'
            yield warning(key.span, "GP217", message, hint)


def _untranslated_words(
    words: MappingNode, said: _Said, source: PackSource
) -> Iterator[Diagnostic]:
    known = {*words.keys()}
    for lender in source.lenders:
        root = lender.locale.root if lender.locale else None
        lent = root.get("words") if isinstance(root, MappingNode) else None
        known |= {*(lent.keys() if isinstance(lent, MappingNode) else ())}
    missing = [word for word in said.asked if word not in known and _SPOKEN.search(word)]
    if missing:
        listed = _listed([repr(word) for word in missing])
        message = f"words that the templates ask for are not in this language: {listed}"
        hint = "put them under words:; one that is the same in both languages as itself"
        yield warning(words.span, "GP218", message, hint)


def _untranslated_fields(source: PackSource, locale: Document, pack: Pack) -> Iterator[Diagnostic]:
    assert isinstance(locale.root, MappingNode)
    kinds = locale.root.get("components")
    keys = (
        {key.text: key.span for key, _ in kinds.entries} if isinstance(kinds, MappingNode) else {}
    )
    printed = {kind for print_ in pack.prints for kind in print_.kinds}
    by_kind: dict[str, list[ComponentSource]] = {}
    for component in source.written:
        by_kind.setdefault(component.kind.text, []).append(component)
    for name, components in by_kind.items():
        kind = pack.kinds.get(name)
        if kind is None or (name not in keys and name not in printed):
            continue
        given = {
            key.text
            for component in components
            for key, node in component.node.entries
            if node.span.file == locale.file
        }
        left = {
            _id(component): [
                field
                for field, words in _left(component, kind.fields, locale.file)
                if name not in keys or field in given or (given and words >= _SENTENCE)
            ]
            for component in components
        }
        told = [f"{id_} ({', '.join(fields)})" for id_, fields in left.items() if fields]
        if told:
            count = f"{len(told)} of {len(components)}"
            message = f"{kind.title}: {count} not wholly in this language: {_listed(told)}"
            hint = "a text that is the same in both languages is written again"
            if name not in keys:
                hint += f"; {name}: {{}} says that nothing of it is to be translated"
            yield warning(keys.get(name, locale.root.span), "GP218", message, hint)


def _untranslated_texts(
    locale: Document, said: _Said, project: Project, pack: str
) -> Iterator[Diagnostic]:
    """The texts of a pack, such as `rules.md`, that are named and have no `rules.de.md` beside."""
    folder, language = project.cards(pack), PurePath(locale.file).stem
    entries = (entry for entry in project.roots.walk(folder) if not entry.is_folder)
    texts = {entry.path for entry in entries if entry.path.suffix in _BOOKS}
    for path in sorted(texts):
        translated = path.with_name(f"{path.stem}.{language}{path.suffix}")
        names = {path.name, path.relative_to(folder).as_posix()}
        if translated in texts or not names & (said.quoted | said.values):
            continue
        message = f"{path.name} is not in this language: there is no {translated.name} beside it"
        hint = "write it; if the text is to stay as it is, copy it under that name"
        yield warning(Span(locale.file), "GP218", message, hint)


_BOOKS: Final = (".md", ".txt")


def _left(
    component: ComponentSource, fields: Mapping[str, Field], file: str
) -> Iterator[tuple[str, int]]:
    """The fields of a component with words that the locale leaves as they are, and how many."""
    for key, node in component.node.entries:
        field = fields.get(key.text)
        if field is not None and node.span.file != file and (words := _words(field, node)):
            yield key.text, words


def _words(field: Field, node: Node) -> int:
    """Return the number of words of a field's longest text; 0 without text."""
    if field.type in ("text", "rich"):
        if isinstance(node, MappingNode | SequenceNode) or node.is_null:
            return 0
        text = _NO_WORDS.sub("", node.text)
        return len(_PART.findall(text)) if _SPOKEN.search(text) else 0
    if isinstance(node, SequenceNode) and field.of is not None:
        return max((_words(field.of, item) for item in node.items), default=0)
    if isinstance(node, MappingNode):
        inner = ((field.fields.get(key.text, field.of), value) for key, value in node.entries)
        return max((_words(of, value) for of, value in inner if of is not None), default=0)
    return 0


def _id(component: ComponentSource) -> str:
    node = component.node.get("id")
    return getattr(node, "text", "")


def _listed(words: list[str]) -> str:
    more = len(words) - _SHOWN
    return ", ".join(words[:_SHOWN]) + (f" and {more} more" if more > 0 else "")
