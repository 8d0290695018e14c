"""Makes the page's model of a pack: kinds, components, colours, styles, prints."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from generator import guests
from generator.assets import assets_of
from generator.build import OpenPack, PackCheck
from generator.geometry import mm_to_pt
from generator.load import locales
from generator.looks import palettes
from generator.model.catalogue import Stock
from generator.model.face_file import SUFFIX
from generator.model.pack import Component, Field, Kind, Layout, Pack, Print, uncopied
from generator.model.source import Mapping as MappingNode
from generator.model.source import PackSource, Scalar
from generator.model.values import Items, Record
from generator.relook import kinds_in_looks
from generator.studio.file_places import FilePlaces
from generator.studio.page_model import (
    ColourModel,
    ComponentModel,
    FaceSource,
    FieldModel,
    KindModel,
    LookModel,
    PackModel,
    PaperModel,
    PlayersModel,
    PrintModel,
    StockModel,
    StyleModel,
)
from generator.studio.written_components import WrittenComponent, WrittenComponents


def pack_model(check: PackCheck, written: WrittenComponents, files: FilePlaces) -> PackModel | None:
    """Return the model of a checked pack, None if there never was one."""
    opened = check.opened
    if opened is None or check.source is None:
        return None
    pack, project = opened.pack, files.project
    own = str(pack.language)
    others = (one for one in locales(project, pack.name) if one != own)
    return PackModel(
        name=pack.name,
        title=str(pack.title),
        language=own,
        languages=(own, *others),
        players=_players(pack, check.source),
        kinds=_kinds(pack, check.source, files),
        components=_components(pack, written, files),
        palette=_palette(pack),
        styles=_styles(pack),
        stocks=tuple(map(_stock, _stocks(opened).values())),
        icons=tuple(assets_of(project, pack.name, pack.requires).icons()),
        prints=tuple(map(_print, pack.prints)),
        papers=tuple(PaperModel(p.name, p.title) for p in opened.catalogue.papers.values()),
    )


def _print(one: Print) -> PrintModel:
    return PrintModel(
        name=one.name,
        title=str(one.title),
        kinds=_words(one.kinds),
        papers=_words(one.papers),
        backs=one.backs,
        is_booklet=one.layout is Layout.BOOKLET,
        media=str(one.media),
    )


def _kinds(pack: Pack, source: PackSource, files: FilePlaces) -> tuple[KindModel, ...]:
    looks = kinds_in_looks(pack)
    palette = _known_palette(pack)
    quantities = dict(_quantities(source))
    found = []
    for kind in _as_printed(pack):
        file, look = files.file(kind.span.file), looks.get(kind.name)
        found.append(
            KindModel(
                name=kind.name,
                title=str(kind.title),
                description=str(kind.description),
                own=pack.is_own(kind.name),
                file=file.path,
                line=kind.span.line,
                readonly=file.readonly,
                stock=None if kind.stock is None else _stock(kind.stock),
                faces={
                    side: _face_source(str(name), pack, files) for side, name in kind.faces.items()
                },
                made_from=kind.made_from and str(kind.made_from),
                quantity=quantities.get(kind.span.file, ""),
                look=None if look is None else LookModel(look.name, look.title, look.de, palette),
                judged=any(guests.judges(pack.guests, kind.name)),
                editor=guests.editor(pack.guests, kind.name),
                fields=_fields(kind.fields.values()),
            )
        )
    return tuple(found)


def _quantities(source: PackSource) -> Iterator[tuple[str, str]]:
    """Yield the file of each kind with its quantity as it is written."""
    for one in (source, *source.lenders):
        for document in one.kinds:
            root = document.root
            given = root.get("quantity") if isinstance(root, MappingNode) else None
            if isinstance(given, Scalar):
                yield root.span.file, given.text
            elif isinstance(given, MappingNode):
                parts = ((key.text, node) for key, node in given.entries)
                yield (
                    root.span.file,
                    ", ".join(
                        f"{key}: {node.text}" for key, node in parts if isinstance(node, Scalar)
                    ),
                )


def _as_printed(pack: Pack) -> list[Kind]:
    """Return the kinds in the order of the prints, then all others."""
    printed = (name for print_ in pack.prints for name in print_.kinds)
    names = dict.fromkeys((*printed, *pack.kinds))
    return [pack.kinds[name] for name in names if name in pack.kinds]


def _face_source(name: str, pack: Pack, files: FilePlaces) -> FaceSource:
    project = files.project
    folders = project.template_folders(pack.name, pack.requires)
    sort = "face" if name.endswith(SUFFIX) else "template"
    paths = (folder / name for folder in folders)
    path = next(filter(project.roots.holds, paths), folders[0] / name)
    file = files.file_at(path)
    return FaceSource(file.path, sort, file.readonly)


def _words(texts: Iterable[str]) -> tuple[str, ...]:
    return tuple(map(str, texts))


def _fields(given: Iterable[Field]) -> tuple[FieldModel, ...]:
    return tuple(map(_field, given))


def _field(field: Field) -> FieldModel:
    return FieldModel(
        name=field.name,
        type=field.type,
        description=str(field.description),
        optional=field.optional,
        default=json_value(field.default),
        min=field.min,
        max=field.max,
        length=field.length,
        min_length=field.min_length,
        max_length=field.max_length,
        unique=field.unique,
        choices=_words(field.choices),
        of=None if field.of is None else _field(field.of),
        fields=_fields(field.fields.values()),
        kind=field.kind and str(field.kind),
    )


def json_value(value: Any) -> Any:
    """Return a value of a component or field as JSON has it; a reference is an id."""
    if value is None or isinstance(value, bool | int | float):
        return value
    if isinstance(value, Items | tuple | list):
        return [json_value(item) for item in value]
    if isinstance(value, Record) and "id" in value:
        return str(value["id"])
    if isinstance(value, Mapping):
        return {str(key): json_value(item) for key, item in value.items()}
    return str(value)


def _components(
    pack: Pack, written: WrittenComponents, files: FilePlaces
) -> dict[str, tuple[ComponentModel, ...]]:
    """Return the components by kind, also those that an error keeps out of the pack."""
    found = {
        kind: [_component(one, pack.kinds[kind], written, files) for one in ones]
        for kind, ones in pack.components.items()
        if kind in pack.kinds
    }
    unsound = [*written.unsound(pack)]
    for one in unsound:
        found.setdefault(one.kind, []).append(_unsound(one, files))
    for kind in {one.kind for one in unsound}:
        order = {one.id: n for n, one in enumerate(written.of(kind))}
        found[kind].sort(key=lambda one: order.get(one.id, -1))
    return {kind: tuple(ones) for kind, ones in found.items()}


def _unsound(one: WrittenComponent, files: FilePlaces) -> ComponentModel:
    file, name = files.file(one.shown), one.source.node.get("name")
    return ComponentModel(
        id=one.id,
        name=name.text if isinstance(name, Scalar) and name.text else one.id,
        quantity=1,
        file=file.path,
        path=one.path,
        line=one.source.node.span.line,
        readonly=file.readonly,
        made_from=None,
    )


def _component(
    one: Component, kind: Kind, written: WrittenComponents, files: FilePlaces
) -> ComponentModel:
    file = files.file(one.span.file)
    readonly, made_from, name = file.readonly, None, str(one.called.name)
    if kind.made_from is not None and one.origins:
        parent = one.origins[0]
        made_from = parent.kind, parent.id
        name = name or (str(parent.name) if parent.id == one.id else "")
        readonly = f"made from {parent.kind}/{parent.id}: change that"
    return ComponentModel(
        id=one.id,
        name=name or uncopied(one.id),
        quantity=one.quantity,
        file=file.path,
        path=written.path(one.span),
        line=one.span.line,
        readonly=readonly,
        made_from=made_from,
    )


def _players(pack: Pack, source: PackSource) -> PlayersModel | None:
    if pack.players is None:
        return None
    root = source.pack.root
    given = root.get("players") if isinstance(root, MappingNode) else None
    if not isinstance(given, MappingNode):
        return PlayersModel(pack.players, pack.players, pack.players)
    ends = [
        int(node.text) if isinstance(node, Scalar) and node.text.isdecimal() else pack.players
        for node in (given.get("min"), given.get("max"))
    ]
    return PlayersModel(pack.players, *ends)


def _palette(pack: Pack) -> tuple[ColourModel, ...]:
    colours = pack.styles.get("colours") or {}
    return tuple(ColourModel(name, str(colour)) for name, colour in colours.items())


def _known_palette(pack: Pack) -> str | None:
    """Return the palette of the looks whose colours the pack has."""
    own = {one.name: one.colour.lower() for one in _palette(pack)}
    for name, palette in palettes().items():
        if all(own.get(key) == str(c).lower() for key, c in palette["colours"].items()):
            return name
    return None


def _styles(pack: Pack) -> tuple[StyleModel, ...]:
    styles = pack.styles.get("styles") or {}
    return tuple(
        StyleModel(name, round(mm_to_pt(style["size"]), 2)) for name, style in styles.items()
    )


def _stocks(opened: OpenPack) -> dict[str, Stock]:
    """Return the stocks that can be named, and those that the pack's kinds have."""
    of_kinds = (kind.stock for kind in opened.pack.kinds.values() if kind.stock is not None)
    own = {stock.name: stock for stock in of_kinds}
    return {**own, **opened.catalogue.stocks}


def _stock(stock: Stock) -> StockModel:
    trim = stock.trim
    return StockModel(
        stock.name,
        str(stock.description or stock.name),
        trim.width,
        trim.height,
        stock.bleed,
        stock.safe,
        str(stock.shape),
        stock.corner_radius,
    )
