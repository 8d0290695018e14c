"""What is told in `manifest.json` of a build: its finished files, page by page and piece by piece,
and of its kinds, components and faces what preflight needs to know to compare them.

By this preflight knows what must be where on the paper, how many of each there must be, which must
look alike and which apart, and on which line of the author's files to put a finding.
"""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache, partial
from itertools import groupby
from pathlib import Path
from typing import Any, Final

from msgspec import Struct

from generator.cache import Cache, Same
from generator.diagnostics import Span
from generator.geometry import Point, Rect, bounds
from generator.model.catalogue import (
    TRUE,
    Edge,
    LabelSheet,
    Paper,
    PrinterProfile,
    PrinterStretch,
    Shape,
    Stock,
)
from generator.model.face import (
    Face,
    LineMark,
    Mark,
    PathMark,
    PdfLayer,
    Placement,
    PosterPage,
    Sheet,
    Side,
    TextBox,
    TextMark,
)
from generator.model.manifest import (
    ComponentEntry,
    FileEntry,
    KindEntry,
    LabelsEntry,
    LinesEntry,
    MarkEntry,
    PageEntry,
    PathEntry,
    PlacementEntry,
    PosterEntry,
    PrinterEntry,
    RulesEntry,
    StretchEntry,
    TextEntry,
    WaiverEntry,
    WordsEntry,
    near_box,
)
from generator.model.pack import (
    Backs,
    Component,
    Field,
    Kind,
    Layout,
    Pack,
    Print,
    Record,
    SourceText,
    Waiver,
)
from generator.outlines import corners, waste
from generator.pdf_forms import FileParts

RULER_LENGTHS: Final = (100.0, 50.0)
"""mm of the scales that a page may carry; one of the first length comes before the others."""
_DIGITS: Final = 16
_UNSEEN: Final = ("id", "index", "copy")
"""Values that tell components apart without being a reason to look different."""
_PLAIN_PRINTER: Final = PrinterProfile()
_NO_PARTS: Final = FileParts()


class ManifestFile(Struct, frozen=True):
    """One finished PDF, where it is now, what is on it, how its backs come behind, what its faces
    are made of in it, by which rules it is laid out, and whether it is a draft."""

    path: Path
    print_: str
    paper: str
    backs: Backs
    sheets: tuple[Sheet, ...]
    profile: PrinterProfile = _PLAIN_PRINTER
    parts: FileParts = _NO_PARTS
    rules: RulesEntry | None = None
    is_draft: bool = False


def file_entry(file: ManifestFile, cache: Cache) -> FileEntry:
    """A finished file, lengths to 0.1 µm; what there is to say of a sheet is said once. Raises
    OSError when the file cannot be read."""
    with file.path.open("rb") as stream:
        digest = hashlib.file_digest(stream, "sha256").hexdigest()
    profile = file.profile
    return FileEntry(
        file=file.path.name,
        print_=file.print_,
        paper=file.paper,
        backs=file.backs,
        sha256=digest,
        waste=round(waste(file.sheets), 4),
        printer=PrinterEntry(
            name=profile.name,
            front=_pair(profile.front),
            back=_pair(profile.back),
            tolerance=_number(profile.tolerance),
            front_stretch=_stretch(profile.front_stretch),
            back_stretch=_stretch(profile.back_stretch),
        ),
        pages=tuple(
            cache.once(partial(_page, number, sheet), "page", number, Same(sheet))
            for number, sheet in enumerate(file.sheets, start=1)
        ),
        forms=file.parts.forms,
        lettering=file.parts.lettering,
        marks=tuple(
            cache.once(partial(_marks, sheet.marks), "marks", Same(sheet.marks))
            for sheet in (file.sheets if file.parts.forms else ())
        ),
        rules=file.rules,
        draft=file.is_draft,
    )


def rules_entry(print_: Print, paper: Paper, sheets: Mapping[str, LabelSheet]) -> RulesEntry:
    """By which rules a print is laid out on a paper, of label sheets by their names. A sheet that
    is one label all over is laid out as other paper."""
    is_split = print_.split or print_.layout is Layout.POSTER
    labels, told = sheets.get(print_.labels.get(paper.name, "")), None
    if labels is not None and not labels.fills(paper):
        told = LabelsEntry(
            sheet=labels.name,
            columns=labels.columns,
            rows=labels.rows,
            first_mm=_pair(labels.first),
            pitch_mm=(_number(labels.pitch.width), _number(labels.pitch.height)),
            label_mm=(_number(labels.label.width), _number(labels.label.height)),
        )
    overlap = _number(print_.overlap) if is_split else None
    return RulesEntry(layout=print_.layout, overlap_mm=overlap, labels=told)


def _stretch(told: PrinterStretch) -> StretchEntry | None:
    return None if told == TRUE else StretchEntry(short=told.short, long=told.long, skew=told.skew)


def _page(number: int, sheet: Sheet) -> PageEntry:
    return PageEntry(
        number=number,
        side=sheet.side,
        width=_number(sheet.size.width),
        height=_number(sheet.size.height),
        margin=_number(sheet.paper.margin),
        label=sheet.label,
        ruler_mm=_ruler(sheet),
        placements=tuple(map(_placement, sheet.placements)),
    )


def _marks(marks: Sequence[Mark]) -> tuple[MarkEntry, ...]:
    return tuple(_told(marks))


def _told(marks: Sequence[Mark]) -> Iterator[MarkEntry]:
    """The marks in the order in which they are drawn, lines that look alike together."""
    in_order = (mark for layer in PdfLayer for mark in marks if mark.layer is layer)
    for look, run in groupby(in_order, key=_look):
        if look is not None:
            layer, width, grey, dash = look
            lines = tuple(_ends(mark) for mark in run if isinstance(mark, LineMark))
            yield LinesEntry(layer=layer, width=width, grey=grey, dash=dash, lines=lines)
            continue
        for mark in run:
            if isinstance(mark, PathMark):
                yield PathEntry(
                    layer=mark.layer,
                    width=mark.width,
                    grey=mark.grey,
                    path=mark.path,
                    clip_mm=_box(mark.clip) if mark.clip else None,
                )
            elif isinstance(mark, TextMark):
                yield WordsEntry(
                    layer=mark.layer,
                    at_mm=_pair(mark.at),
                    text=mark.text,
                    size_pt=mark.size_pt,
                    rotation=mark.rotation,
                    anchor=mark.anchor,
                )


def _look(mark: Mark) -> tuple[PdfLayer, float, float, tuple[float, ...]] | None:
    """What straight lines have in common that are told together."""
    return (mark.layer, mark.width, mark.grey, mark.dash) if isinstance(mark, LineMark) else None


def _ends(line: LineMark) -> tuple[float, float, float, float]:
    return (*_pair(line.start), *_pair(line.end))


def _placement(placement: Placement) -> PlacementEntry:
    face = placement.face
    has_die = face.stock.shape is Shape.PATH and placement.side is Side.FRONT
    return PlacementEntry(
        component=face.component,
        copy=placement.copy,
        kind=face.kind,
        face=face.name,
        side=placement.side,
        x=_number(placement.x),
        y=_number(placement.y),
        width=_number(placement.width),
        height=_number(placement.height),
        rotation=placement.rotation % 360,
        bleed=_number(placement.bleed),
        clip_mm=_box(placement.clip) if placement.clip else None,
        shape=face.stock.shape,
        sha256=face.sha256,
        die_mm=_die(placement) if has_die else None,
        marked=placement.marked,
        edge_mm=tuple(map(_pair, placement.edge)),
        poster=_poster(placement.poster) if placement.poster else None,
        folds_mm=tuple(_box(fold) for fold in _folds(face.stock)),
    )


def _folds(stock: Stock) -> Iterator[Rect]:
    """The level and the upright folds."""
    for fold in stock.folds:
        box = bounds((fold.start, fold.end))
        if not (box.width and box.height):
            yield box


def _die(placement: Placement) -> tuple[float, float, float, float]:
    """The box around the corners of a free outline, as its die line lies on the page."""
    trim = placement.face.stock.trim
    middle, centre = Point(trim.width / 2, trim.height / 2), placement.trim.centre
    by = centre.x - middle.x, centre.y - middle.y
    drawn = corners(placement.face.stock)
    return _box(bounds([p.turned(placement.rotation, middle).moved(*by) for p in drawn]))


def _poster(page: PosterPage) -> PosterEntry:
    return PosterEntry(
        row=page.row,
        column=page.column,
        rows=page.rows,
        columns=page.columns,
        shown_mm=_box(page.shown),
    )


def _ruler(sheet: Sheet) -> tuple[float, float, float, float] | None:
    """The ends of the page's ruler, or None for a page without one."""
    guides = [
        mark for mark in sheet.marks if isinstance(mark, LineMark) and mark.layer is PdfLayer.GUIDES
    ]
    for length in RULER_LENGTHS:
        for line in guides:
            (x1, y1), (x2, y2) = (line.start.x, line.start.y), (line.end.x, line.end.y)
            if math.isclose(math.dist((x1, y1), (x2, y2)), length, abs_tol=1e-4):
                return _number(x1), _number(y1), _number(x2), _number(y2)
    return None


def _pair(point: Point) -> tuple[float, float]:
    return _number(point.x), _number(point.y)


def _box(box: Rect) -> tuple[float, float, float, float]:
    return _number(box.x), _number(box.y), _number(box.width), _number(box.height)


def _number(value: float) -> float:
    """To four places; whole numbers without a point, and never -0."""
    rounded = round(value, 4)
    return int(rounded) if rounded == int(rounded) else rounded


def kind_entry(
    kind: Kind,
    components: Sequence[Component],
    packs: Sequence[str],
    kinds: Mapping[str, Kind],
    white: bool = False,
) -> KindEntry:
    """A kind: its stock, and of each component how many are printed, where it was written, a digest
    of its values and those that are one of some choices.

    `packs` are the names of the pack and of those that it requires. `kinds` are all their kinds:
    a component shows the choices of what it is made from, too. `white` says that paper is left
    white for grounds, whatever the stock says.
    """
    choices = list(_choices(kind, kinds))
    stock = kind.stock
    return KindEntry(
        title=kind.title,
        why=kind.why,
        quantities={component.id: component.quantity for component in components},
        made_from=kind.made_from,
        bleed=stock.bleed if stock else None,
        safe=stock.safe if stock else None,
        edge=(Edge.WHITE if white else stock.edge) if stock else None,
        components={
            component.id: ComponentEntry(
                source=source(component.span, packs),
                content=content(component),
                choices={
                    ".".join(path): str(value)
                    for path in choices
                    if (value := _value(component.values, path)) is not None
                },
            )
            for component in components
        },
    )


def face_texts(
    faces: Iterable[Face], pack: Pack, packs: Sequence[str], cache: Cache
) -> dict[str, tuple[TextEntry, ...]]:
    """The texts of each face by its digest."""
    values = {(one.kind, one.id): one.values for some in pack.components.values() for one in some}
    found = {}
    for face in faces:
        fields = _fields(face.text_boxes, values.get((face.kind, face.component), {}))
        found[face.sha256] = cache.once(
            partial(_texts, face.text_boxes, fields, packs),
            *("texts", Same(face.text_boxes), fields, *packs),
        )
    return found


def _fields(boxes: Iterable[TextBox], values: Mapping[str, object]) -> tuple[str, ...]:
    """In which field the words of each text stand: it is no matter of how a face looks, and so not
    kept with it."""
    names = {value.span: name for name, value in values.items() if isinstance(value, SourceText)}
    return tuple(names.get(text.span, "") for text in boxes)


def _texts(
    boxes: Iterable[TextBox], fields: Iterable[str], packs: Sequence[str]
) -> tuple[TextEntry, ...]:
    return tuple(
        TextEntry(
            style=text.style,
            size_pt=round(text.size_pt, 2),
            box_mm=near_box(text.used, 3),
            source=source(text.span, packs),
            decoration=text.decoration,
            field=field,
        )
        for text, field in zip(boxes, fields, strict=True)
    )


def face_words(faces: Iterable[Face]) -> dict[str, str]:
    """The words of each face by its digest, of those that tell them."""
    return {face.sha256: face.words for face in faces if face.words is not None}


def waiver_entry(given: Waiver, packs: Sequence[str]) -> WaiverEntry:
    """A waiver as preflight reads it."""
    return WaiverEntry(
        code=given.code,
        component=given.component,
        reason=given.reason,
        source=source(given.span, packs),
    )


def source(span: Span, packs: Sequence[str]) -> str:
    """`cards/<pack>/file.yaml:line:column`, from wherever the build was started."""
    return str(Span(_below(span.file, tuple(packs)), span.line, span.column))


@lru_cache(1024)
def _below(file: str, packs: tuple[str, ...]) -> str:
    """The path of a file as of the project, its name alone for one of no pack."""
    own = [f"{folder}/{pack}/" for pack in packs for folder in ("cards", "templates")]
    for folder in (*own, "templates/shared/"):
        _, found, rest = file.rpartition(folder)
        if found:
            return found + rest
    return file.rpartition("/")[2]


def content(component: Component) -> str:
    """A digest of all values but the id: components with the same one should look alike."""
    values = {name: value for name, value in component.values.items() if name not in _UNSEEN}
    text = json.dumps(_plain(values, component.values), sort_keys=True, default=str)
    return hashlib.sha256(text.encode()).hexdigest()[:_DIGITS]


def _choices(kind: Kind, kinds: Mapping[str, Kind]) -> Iterator[tuple[str, ...]]:
    """The names that lead to each value that is one of some choices, own or of the parent."""
    yield from _choice_fields(kind.fields)
    parent = kinds.get(kind.made_from or "")
    if parent is None:
        return
    entries = parent.fields.get(kind.each or "")
    if entries is not None and entries.of is not None:
        yield from _choice_fields(entries.of.fields)
    for path in _choices(parent, kinds):
        yield (parent.name.replace("-", "_"), *path)


def _choice_fields(fields: Mapping[str, Field]) -> Iterator[tuple[str, ...]]:
    for each in fields.values():
        if each.type == "choice":
            yield (each.name,)
        for path in _choice_fields(each.fields):
            yield (each.name, *path)


def _value(values: Any, path: tuple[str, ...]) -> Any:
    """The value that names lead to, None when one of them leads nowhere."""
    for name in path:
        values = values.get(name) if isinstance(values, Mapping) else None
    return values


def _plain(value: Any, around: Record) -> Any:
    """Values without what cannot be written: another component is told by its id."""
    if isinstance(value, Record) and value is not around and "id" in value:
        return str(value["id"])
    if isinstance(value, Mapping):
        return {str(name): _plain(item, around) for name, item in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(item, around) for item in value]
    return value if isinstance(value, int | float | bool | None) else str(value)
