"""All that comes before the press: a pack read, checked, drawn and laid out on sheets."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final, Protocol

from msgspec import Struct, field
from msgspec.structs import replace

from generator import limits, load, render, validate
from generator.assets import assets_of
from generator.diagnostics import (
    Diagnostic,
    Outcome,
    Severity,
    Suggestions,
)
from generator.files import Roots
from generator.fonts import FontLibrary, fonts_of
from generator.geometry import summed
from generator.model.catalogue import Catalogue, PrinterProfile, Shop
from generator.model.face import Face
from generator.model.pack import Pack, words_in
from generator.model.source import ComponentSource, PackSource
from generator.model.source import Mapping as MappingNode
from generator.order import Order
from generator.print_runs import (
    LaidOut,
    OpenPack,
    PrintRun,
    Standing,
    as_known,
    print_runs,
    to_look_at,
)
from generator.project import PACK_FILE, PROFILE_FILE, Project, Target
from generator.translations import of_locale


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
    """What of a pack is sound and what was found in it; then all that is said, of the order too."""
    checked = _checked(read, read.source, order, standing)
    said += checked.diagnostics
    if Outcome(None, said).ok:
        project, pack = read.target.project, read.target.pack
        names = functools.partial(load.translated_names, project, pack, standing.documents)
        said += tuple(_fitting_nothing(checked.value.pack, order.only, names))
        if read.source.locale is not None:
            said += tuple(of_locale(read.source, checked.value.pack, project))
    return checked, said


class _PackFiles(Struct, frozen=True):
    """The files of a pack, not yet checked; `file` is what they are told as. `shops` are read where
    it says something of outlets. `required` are the packs below it that were checked: it is again
    when faults are looked for, they are not."""

    target: Target
    file: str
    source: PackSource
    catalogue: Catalogue
    shops: Mapping[str, Shop] | None
    profile: PrinterProfile
    required: dict[str, validate.CheckedPack] = field(default_factory=dict)


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


def _checked(
    read: _PackFiles, source: PackSource, order: Order, standing: Standing | None = None
) -> Outcome[OpenPack]:
    """What of a pack is sound, and what is wrong with the rest."""
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
            standing=standing.pack if standing else None,
            required=read.required,
            cache=order.cache,
        )
    limits.allow(limits.COMPONENT * len(source.components))
    opened = OpenPack(read.target, checked.value, read.catalogue, read.profile)
    return Outcome(opened, checked.diagnostics)


_BY_CHANCE: Final = ("GP303", "GP304", "GP309")
"""What a template may say because something is missing that is wrong elsewhere."""


def _as_mended(
    read: _PackFiles,
    first: Outcome[OpenPack],
    order: Order,
    scratch: Path | None,
    progress: StepProgress,
    standing: Standing,
    said: Sequence[Diagnostic],
    unprinted: bool,
) -> Outcome[LaidOut | None]:
    """A pack that was checked `first`, of which this was `said`, laid out as if that was mended, to
    be looked at, and what else is wrong with it: what is found at a place that was told of is not
    told. unprinted: lay out what is not printed, too."""
    if first.ok and read.source.complete:
        return Outcome(None)  # the order is wrong, not the pack
    sound_files = validate.without_faults(read.source, said, wholly=True)
    kinds = _checked(read, sound_files, order).value.pack.kinds
    mended = validate.with_stand_ins(sound_files, kinds, said)
    again = _checked(read, mended, order)
    sound = again.ok and read.source.complete
    fonts = standing.fonts(read.target.project, scratch)
    opened = each_once(again.value) if unprinted else again.value
    opened = as_known(opened)
    drawn = draw(opened, order, scratch, progress, fonts)
    known = tuple(p for p in opened.pack.prints if p in again.value.pack.prints)
    of_prints = replace(opened, pack=replace(opened.pack, prints=known))
    runs = print_runs(of_prints, drawn.value, order, standing)
    told = {found.span for found in said if found.code != _MISSING}
    wrong = {found.span.file for found in said if found.severity is Severity.ERROR}

    def is_lost(found: Diagnostic) -> bool:
        """Whether it may be because of what was said: a name that no wrong file has is in none."""
        name = found.missing
        return not name or any(standing.documents.mentions(file, name) for file in wrong)

    further = [
        found
        for found in (*drawn.diagnostics, *_of_sheets(runs, whole=False))
        if found.span not in told and found.span.column
        if sound or found.code not in _BY_CHANCE or not is_lost(found)
    ]
    doubtful = {
        component.node.span: _is_plain(opened.pack, component)
        for component in mended.components
        if component.unsure
    }
    kept = tuple(face for face in drawn.value if doubtful.get(face.span, True))
    roots = _roots(read.target, scratch)
    laid_out = to_look_at(opened, kept, runs.value, doubtful, order, standing, fonts, roots)
    return Outcome(laid_out, tuple(further))


_MISSING: Final = "GP201"
"""It stands at its component, where other things are told, too."""
_PLAIN: Final = ("text", "rich", "int", "number", "length", "bool", "id")
"""Types of fields that decide of no colour and no picture."""


def _is_plain(pack: Pack, component: ComponentSource) -> bool:
    """Whether what was made up of a component leaves its look what it is."""
    kind = pack.kinds.get(component.kind.text)
    return kind is not None and all(kind.fields[name].type in _PLAIN for name in component.unsure)


def _of_sheets(runs: Outcome[tuple[PrintRun, ...]], *, whole: bool) -> Iterator[Diagnostic]:
    """What is wrong with sheets; of those that lack pieces that is not that they lack them."""
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
    """What kinds and prints are called, with how all of it is asked for."""
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
) -> Outcome[tuple[Face, ...]]:
    """Render every face that the order asks for.

    `scratch` is a folder for what the faces need until they are printed, such as pictures made
    grey for `--ink mono`; `fonts` are those of the project, if they are read already.
    """
    project = opened.target.project
    with limits.at(project.display(project.root / "fonts"), limits.BEGINNING):
        fonts = fonts or fonts_of(project, scratch)
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
        standing=standing.faces if standing else None,
        corrected=standing.pack.corrected if standing else None,
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
) -> Outcome[LaidOut | None]:
    """All that a build does short of writing: load, validate, render, impose; each with what was
    sound before, so that all is told that there is to mend. One that is open, whole or in parts, is
    not loaded, and what was said of it is not said again. With an error in it, the value is what of
    it can be looked at, and not to be printed. unprinted:
    where there is something to mend, look at the faces of components of which none is printed,
    too."""
    standing = standing or Standing(cache=order.cache)
    said: tuple[Diagnostic, ...] = ()
    if isinstance(pack, Target):
        read, said = _read(pack, order, standing)
        if read is None:
            return Outcome(None, said)
        opened, said = _opened(read, order, standing, said)
        if not Outcome(None, said).ok:
            further = _as_mended(read, opened, order, scratch, progress, standing, said, unprinted)
            return replace(further, diagnostics=(*said, *further.diagnostics))
        pack = opened.value
    progress("drawing", 0, 0)
    fonts = standing.fonts(pack.target.project, scratch)
    faces = draw(pack, order, scratch, progress, fonts, standing)
    runs = print_runs(pack, faces.value, order, standing)
    said += (*faces.diagnostics, *_of_sheets(runs, whole=faces.ok))
    roots = _roots(pack.target, scratch)
    if Outcome(None, said).ok:
        return Outcome(LaidOut(pack, roots, fonts, faces.value, runs.value), said)
    seen = to_look_at(pack, faces.value, runs.value, (), order, standing, fonts, roots)
    return Outcome(seen, said)


def _roots(target: Target, scratch: Path | None) -> Roots:
    return target.project.roots.also(*[scratch] if scratch else ())
