"""Open a pack: find its locale, load its files and validate them."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator, Mapping
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from generator import limits, load, validate
from generator.assets import assets_of
from generator.build.locale_checks import of_locale
from generator.build.order import Order
from generator.build.standing import Standing
from generator.diagnostics import Diagnostic, Outcome, Suggestions
from generator.geometry import summed
from generator.model.catalogue import Catalogue, PrinterProfile, Shop
from generator.model.pack import Backs, Layout, Pack, Print, words_in
from generator.model.source import Mapping as MappingNode
from generator.model.source import PackSource
from generator.project import PACK_FILE, PROFILE_FILE, Project, Target


class OpenPack(Struct, frozen=True):
    """A pack read and found right, with what is needed to draw and print it."""

    target: Target
    pack: Pack
    catalogue: Catalogue
    profile: PrinterProfile


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
    read, said = read_files(target, order, standing)
    if read is None:
        return Outcome(None, said)
    checked, said = opened_files(read, order, standing, said)
    return Outcome(checked.value if in_parts or Outcome(None, said).ok else None, said)


class PackFiles(Struct, frozen=True):
    """The files of a pack, not yet checked; `file` names them in findings. `shops` are read if the
    pack has outlets."""

    target: Target
    file: str
    source: PackSource
    catalogue: Catalogue
    shops: Mapping[str, Shop] | None
    profile: PrinterProfile


def read_files(
    target: Target, order: Order, standing: Standing
) -> tuple[PackFiles | None, tuple[Diagnostic, ...]]:
    """Return the files of a pack, None if one cannot be read, and the findings."""
    documents = standing.documents
    said: list[Diagnostic] = []
    file = target.project.display(target.project.cards(target.pack) / PACK_FILE)
    with limits.at(file):
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
    return PackFiles(target, file, source.value, catalogue.value, shops, profile), tuple(said)


def opened_files(
    read: PackFiles, order: Order, standing: Standing, said: tuple[Diagnostic, ...]
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


def sound_parts(read: PackFiles, order: Order) -> OpenPack:
    """Return the sound parts of a pack, whatever is wrong with the rest."""
    return _checked(read, order).value


def _checked(read: PackFiles, order: Order) -> Outcome[OpenPack]:
    """Return the sound parts of a pack, and what is wrong with the rest."""
    source = read.source
    assets = assets_of(
        read.target.project, read.target.pack, source.requires, order.locale, order.cache
    )
    count = summed(len(each.components) for each in (source, *source.lenders))
    with limits.at(read.file, limits.COMPONENT * count):
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
    pack = checked.value
    if order.backs in (Backs.DUPLEX_LONG, Backs.DUPLEX_SHORT):
        pack = replace(pack, prints=_turned(pack.prints, order.backs))
    opened = OpenPack(read.target, pack, read.catalogue, read.profile)
    return Outcome(opened, checked.diagnostics)


def _turned(prints: tuple[Print, ...], backs: Backs) -> tuple[Print, ...]:
    """Return the prints, with booklets turned as ordered: their pages may say how to print them."""
    return tuple(
        replace(each, backs=backs) if each.layout is Layout.BOOKLET else each for each in prints
    )


_CALL: Final = "give an id, kind/id or name; * and ? match any characters, commas separate several"


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
    with limits.at(project.display(project.root / PROFILE_FILE)):
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
