"""Read face files: take over boxes of others, and apply the changes of variants.

Both work on the nodes of the files, so that each value keeps the place where it is written.
"""

from __future__ import annotations

import functools
import itertools
import math
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from generator.cache import Same
from generator.diagnostics import Diagnostic, Span, did_you_mean
from generator.geometry import mm_to_pt, parse_length
from generator.model.catalogue import Stock
from generator.model.face_file import (
    COLUMN,
    ROW,
    SUFFIX,
    TABLE,
    At,
    BoxEdge,
    FaceBox,
    FaceFile,
    FaceLayout,
    FaceVariants,
)
from generator.model.pack import Kind
from generator.model.source import Document, Node, Scalar
from generator.model.source import Mapping as MappingNode
from generator.model.source import Sequence as SequenceNode
from generator.model.values import Record, SourceText
from generator.validate.definition_files import BOX, FACE, FACE_HEAD, definition_reading
from generator.validate.reading import INVALID, Formula, Reading, struct_of

_LIKE, _BOXES, _VARIANTS, _BY, _AT, _GROUND = "like", "boxes", "variants", "by", "at", "ground"
_NAMES: Final = "fields", "let"
_OF_LAYERS: Final = _LIKE, _BOXES, _VARIANTS, _GROUND
_WORDS: Final[Mapping[str, tuple[str, ...]]] = {
    "text": ("style", "size", "steps", "align", "valign", "colour"),
    "words": ("style", "size", "steps", "align", "valign", "colour"),
    "picture": ("fit", "focus", "shape", "radius"),
    "icon": ("colour", "times", "align", "gap"),
    "fill": ("edge", "shape", "radius", "opacity"),
    "frame": ("width", "shape", "radius", "opacity"),
    "line": ("width", "opacity"),
    "badge": ("style", "size", "colour", "ground", "edge", "shape", "radius"),
    "part": (),
    TABLE: ("across", "gap", "lines", "valign", "style", "size", "colour"),
    ROW: ("gap", "align", "valign", "across", "style", "size", "colour"),
    COLUMN: ("gap", "valign", "style", "size", "align", "colour"),
}
"""The word for each sort of box, with its further keys."""
_Join = Callable[[MappingNode, MappingNode], MappingNode]
_ANY: Final = (_AT, "when", "turn")
_SHARED: Final[Mapping[str, tuple[str, ...]]] = {
    ROW: ("style", "size", "valign", "colour"),
    COLUMN: ("style", "size", "align", "colour"),
}
"""Keys of a row or column that its boxes take over."""


def read_face_files(documents: Mapping[str, Document], reading: Reading) -> dict[str, FaceFile]:
    """Return the sound face files by name. Reports faults as GP213."""
    found = {}
    for name in documents:
        like = [documents[one] for one in _likes(name, documents)]
        make = functools.partial(_read_face_file, name, documents, reading)
        face, faults, remarks = reading.cache.latest(
            make, (_FaceFiles, like[0].file), *map(Same, like)
        )
        if face is not None:
            found[name] = face
        reading.faults += faults
        reading.remarks += remarks
    return found


def _likes(name: str, documents: Mapping[str, Document]) -> list[str]:
    """Return the names of a face file and of those that it is like; of all if one is missing, since
    a hint names some."""
    found = [name]
    for each in found:  # grows on the way
        root = documents[each].root
        like = root.get(_LIKE) if isinstance(root, MappingNode) else None
        if isinstance(like, Scalar) and not like.is_null:
            more = (like.text,) if like.text in documents else documents
            found += [one for one in more if one not in found]
    return found


def _read_face_file(
    name: str, documents: Mapping[str, Document], around: Reading
) -> tuple[FaceFile | None, list[Diagnostic], list[Diagnostic]]:
    """Return a face file, None if it has faults; its faults, and its remarks."""
    reading = Reading(around.types, code=around.code, cache=around.cache)
    face = _FaceFiles(documents, reading).read(name, documents[name])
    # A fault of a box is found again in each variant.
    known = {(each.span, each.code): each for each in reversed(reading.faults)}
    faults = [each for each in reading.faults if known[each.span, each.code] is each]
    return None if faults else face, faults, reading.remarks


def check_faces(
    kinds: Iterable[Kind],
    documents: Collection[str],
    face_files: Mapping[str, FaceFile],
    stocks: Mapping[str, Stock],
    reading: Reading,
) -> None:
    """Report kinds whose face file does not exist (GP301), and warn of one that is made for another
    size."""
    for kind in kinds:
        for name in kind.faces.values():
            span = name.span if isinstance(name, SourceText) else kind.span
            if not name.endswith(SUFFIX):
                continue
            if name not in documents:
                otherwise = "put it beside the templates of the pack"
                message = "there is no face file"
                reading.unknown(message, name, documents, span, "GP301", otherwise)
            face = face_files.get(name)
            made_for = None if face is None else stocks.get(face.stock)
            if face is None or kind.stock is None:
                continue
            if made_for is None:
                message = "face: there is no stock"
                reading.unknown(message, face.stock, stocks, face.span, "GP602")
            elif made_for.trim != kind.stock.trim:
                message = f"{name} is made for {face.stock}, and {kind.name} is {kind.stock.name}"
                hint = "give the kind a face file of its own size, or another stock"
                reading.remark(span, "GP213", message, hint)


class TypedFace(Struct, frozen=True):
    """The boxes of a face file as they are typed, for one choice of its variants, with those that
    it takes over. Each key and value keeps the place where it is written; a box that was dropped is
    null. `files` are the names of the files, the file itself first. `own` are the names of boxes
    that no other file has. `names` are `fields` and `let`. `chosen` has a value, or None, for the
    expression of each variant."""

    files: tuple[str, ...]
    ground: Scalar | None
    boxes: MappingNode
    own: frozenset[str]
    names: MappingNode
    chosen: tuple[tuple[SourceText, tuple[str, ...], str | None], ...]


def typed_face(
    name: str, documents: Mapping[str, Document], chosen: Sequence[str | None]
) -> TypedFace | None:
    """Return the boxes of a face file for the values that chose variants, without regard to their
    faults; None for one that is no map, or like none."""
    document = documents.get(name)
    if document is None:
        return None
    return _FaceFiles(documents, definition_reading()).typed(name, document, chosen)


def box_keys() -> dict[str, tuple[str, ...]]:
    """Return the words that say what a box is, with the keys that it may have."""
    return {word: (*_ANY, *keys) for word, keys in _WORDS.items()}


class _Variants(NamedTuple):
    """An expression, and what changes for some of its values."""

    by: SourceText
    changes: dict[str, MappingNode]


class _Layer(NamedTuple):
    """One of the files: its boxes, its ground, and its variants."""

    boxes: Node | None
    ground: Node | None
    variants: tuple[_Variants, ...]

    def values(self, by: str) -> Iterator[str]:
        """Yield the values of an expression with a variant in the file."""
        for each in self.variants:
            yield from each.changes if each.by == by else ()

    def changes(
        self, chosen: Mapping[SourceText, str | None]
    ) -> Iterator[tuple[str, Node | None, Node | None]]:
        """Yield what the file changes for chosen values, one after the other: words for messages,
        the ground, and boxes."""
        yield _BOXES, self.ground, self.boxes
        for each in self.variants:
            value = chosen[each.by]
            change = each.changes.get(value) if value is not None else None
            if change is not None:
                yield f"{_VARIANTS}.{value}", change.get(_GROUND), change.without(_GROUND)


class _FaceFiles:
    """Reads one face file, with those that it is like."""

    def __init__(self, documents: Mapping[str, Document], reading: Reading) -> None:
        self._documents = documents
        self._reading = reading
        self._boxes: dict[int, tuple[Node, FaceBox | None]] = {}
        self._joined: dict[tuple[int, int], tuple[MappingNode, MappingNode, MappingNode]] = {}
        self._laid: dict[tuple[int, int], tuple[MappingNode, MappingNode, MappingNode]] = {}
        self._sound: dict[int, tuple[MappingNode, tuple[FaceBox, ...]]] = {}

    def read(self, name: str, document: Document) -> FaceFile | None:
        roots = self._roots(name, document, (name,))
        if roots is None:
            return None
        layers = self._layers(roots)
        head = functools.reduce(_head_over, (root.without(*_OF_LAYERS) for root in roots))
        given = Record(self._reading.read_fields(head, FACE_HEAD)[0], roots[-1].span)
        names = [self._expressions(given[key]) for key in _NAMES]
        bys = {each.by: each for layer in reversed(layers) for each in layer.variants}
        values = _values(layers)
        layouts = self._layouts(layers, values, roots[-1].span)
        if layouts is None or given["face"] in (None, INVALID):
            return None
        chosen = tuple(FaceVariants(bys[by].by, of_it) for by, of_it in values.items())
        like = roots[-1].get(_LIKE)
        return FaceFile(
            name, Span(document.file), str(given["face"]), layouts, chosen, names[0], names[1],
            like.text if isinstance(like, Scalar) else "",
        )  # fmt: skip

    def typed(
        self, name: str, document: Document, chosen: Sequence[str | None]
    ) -> TypedFace | None:
        """Return what `typed_face` does."""
        roots = self._roots(name, document, (name,))
        if roots is None:
            return None
        files = [name]
        while len(files) < len(roots):
            like = roots[-len(files)].get(_LIKE)
            assert isinstance(like, Scalar)
            files.append(like.text)
        layers = self._layers(roots)
        values = _values(layers)
        known = chosen if len(chosen) == len(values) else [None] * len(values)
        pairs = dict(zip(values, known, strict=True))
        ground, boxes, _ = self._merged(layers, pairs)
        below = self._merged(layers[:-1], pairs)[1]
        head = functools.reduce(_head_over, (root.without(*_OF_LAYERS) for root in roots))
        names = [node for key in _NAMES if isinstance(node := head.get(key), MappingNode)]
        return TypedFace(
            tuple(files), ground, boxes, frozenset(boxes.keys()).difference(below.keys()),
            MappingNode(tuple(each for node in names for each in node.entries), head.span),
            tuple((by, of_it, pairs[by]) for by, of_it in values.items()),
        )  # fmt: skip

    def _layers(self, roots: Iterable[MappingNode]) -> list[_Layer]:
        layers: list[_Layer] = []
        for root in roots:
            variants = tuple(self._variants(root.get(_VARIANTS), layers))
            _join_variants(layers, variants, root)
            layers.append(_Layer(root.get(_BOXES), root.get(_GROUND), variants))
        return layers

    def _expressions(self, given: Any) -> dict[str, SourceText]:
        if given in (None, INVALID):
            return {}
        return {name: SourceText(formula.text, formula.span) for name, formula in given.items()}

    def _roots(
        self, name: str, document: Document, above: tuple[str, ...]
    ) -> list[MappingNode] | None:
        """Return the maps of a file and of those that it is like, the farthest first."""
        root = document.root
        if not isinstance(root, MappingNode):
            hint = f"its keys are {', '.join(FACE)}"
            self._reading.report(root.span, "GP213", "this file must be a map, key: value", hint)
            return None
        like = root.get(_LIKE)
        if not isinstance(like, Scalar) or like.is_null:
            return [root]
        other = self._documents.get(like.text)
        if other is None:
            self._reading.unknown("like: there is no face file", like.text, self._documents,
                                  like.span)  # fmt: skip
            return None
        if like.text in above:
            way = " is like ".join((*above[above.index(like.text) :], like.text))
            self._reading.report(like.span, "GP213", f"like: a circle, {way}")
            return None
        below = self._roots(like.text, other, (*above, like.text))
        return None if below is None else [*below, root]

    def _variants(self, node: Node | None, below: Sequence[_Layer]) -> Iterator[_Variants]:
        """Yield the variants of a file; those without an expression are by the first one of the
        files `below`."""
        if node is None or _is_null(node):
            return
        first = next((each.by for layer in below for each in layer.variants), None)
        for each in node.items if isinstance(node, SequenceNode) else (node,):
            by = each.get(_BY) if isinstance(each, MappingNode) else None
            if not isinstance(each, MappingNode) or not (isinstance(by, Scalar) or first):
                hint = "such as variants: {by: type, Hero: {band: {fill: cool}}}"
                self._reading.report(each.span, "GP213", "variants: by is missing", hint)
                continue
            chosen = first
            if isinstance(by, Scalar):
                read = self._reading.read(by, BOX["when"], f"{_VARIANTS}.{_BY}", by.span)
                chosen = None if read is INVALID else SourceText(read.text, read.span)
            changes = {}
            for key, value in each.without(_BY).entries:
                if isinstance(value, MappingNode):
                    changes[key.text] = value
                    continue
                hint = "a variant has names of boxes, and what changes: {band: {fill: cool}}"
                message = f"{_VARIANTS}.{key.text} is not a map"
                self._reading.report(key.span, "GP213", message, hint)
            if chosen is not None:
                yield _Variants(chosen, changes)

    def _layouts(
        self,
        layers: Sequence[_Layer],
        values: Mapping[SourceText, tuple[str, ...]],
        span: Span,
    ) -> dict[tuple[str | None, ...], FaceLayout] | None:
        """Return the layout for each set of values; None if there are no boxes, or too many sets.

        A file overrides the files that it is like.
        """
        if all(layer.boxes is None or _is_null(layer.boxes) for layer in layers):
            hint = "such as boxes: {name: {text: name, at: [5, 5, 53, 8]}}"
            self._reading.report(span, "GP213", f"{_BOXES}: a map of boxes is missing", hint)
            return None
        count = math.prod(len(of_it) + 1 for of_it in values.values())
        if count > _MOST_LAYOUTS:
            hint = f"{_MOST_LAYOUTS} are the most; use `when` in boxes"
            message = f"variants: {count} layouts, one for each set of values"
            self._reading.report([*values][-1].span, "GP213", message, hint)
            return None
        found = {}
        for chosen in itertools.product(*((None, *of_it) for of_it in values.values())):
            pairs = dict(zip(values, chosen, strict=True))
            its, boxes, path = self._merged(layers, pairs)
            ground = None if its is None else SourceText(its.text, its.span)
            found[chosen] = self._layout(ground, boxes, path)
        return found

    def _merged(
        self, layers: Iterable[_Layer], chosen: Mapping[SourceText, str | None]
    ) -> tuple[Scalar | None, MappingNode, str]:
        """Return the ground and the boxes for chosen values, and words for the last change."""
        ground, boxes, path = None, MappingNode((), Span("")), _BOXES
        for layer in layers:
            for name, its, own in layer.changes(chosen):
                path = name
                if isinstance(its, Scalar):
                    ground = its
                elif its is not None:
                    self._reading.wrong_type(its, FACE[_GROUND], path)
                if isinstance(own, MappingNode):
                    boxes = self._boxes_over(boxes, own)
                elif own is not None and not _is_null(own):
                    self._reading.wrong_type(own, FACE[_BOXES], path, _SUCH_AS)
        return ground, boxes, path

    def _layout(self, ground: SourceText | None, node: MappingNode, path: str) -> FaceLayout:
        if id(node) not in self._sound:
            boxes = [
                self._known_box(key.text, key.span, value, f"{path}.{key.text}")
                for key, value in node.entries
                if not _is_null(value)  # it was dropped
            ]
            self._sound[id(node)] = node, tuple(box for box in boxes if box is not None)
        return FaceLayout(ground, self._sound[id(node)][1])

    def _boxes_over(self, base: MappingNode, over: MappingNode) -> MappingNode:
        """Return changed boxes: the same ones in all layouts with these changes."""
        key = id(base), id(over)
        if key not in self._laid:
            self._laid[key] = base, over, _boxes_over(base, over, self._box_over)
        return self._laid[key][2]

    def _box_over(self, base: MappingNode, over: MappingNode) -> MappingNode:
        """Return a changed box: the same one in all layouts with this change."""
        key = id(base), id(over)
        if key not in self._joined:
            self._joined[key] = base, over, _box_over(base, over)
        return self._joined[key][2]

    def _known_box(self, name: str, span: Span, node: Node, path: str) -> FaceBox | None:
        """Return a box. One that several layouts share is read once."""
        if id(node) not in self._boxes:
            self._boxes[id(node)] = node, self._box(name, span, node, path)
        return self._boxes[id(node)][1]

    def _box(
        self, name: str, span: Span, node: Node, path: str, shared: At | None = None
    ) -> FaceBox | None:
        """Return a box; in a row or column, `shared` is the place of all its boxes."""
        reading = self._reading
        if not isinstance(node, MappingNode):
            return reading.wrong_type(node, BOX["boxes"], path, _SUCH_AS) and None
        words = [word for word in _WORDS if not _is_null(node.get(word))]
        if len(words) != 1:
            message = f"{path}: no word says what the box shows"
            if words:
                message = f"{path} has {' and '.join(words)}: only one can say what a box shows"
            hint = f"{', '.join(_WORDS)}, {_SUCH_AS}"
            strange = {key.text for key, _ in node.entries}.difference(BOX)
            near = [did_you_mean(key, _WORDS) for key in sorted(strange)]
            reading.report(span, "GP213", message, next(filter(None, near), hint))
            return None
        [what] = words
        if not self._takes(what, node, path, shared is not None):
            return None
        values = Record(reading.read_fields(node.without(ROW, COLUMN), BOX, path)[0], span)
        if any(value is INVALID for value in values.values()):
            return None
        at = self._at(values[_AT], span, path, what) if shared is None else shared
        given = SourceText(what, span) if what in (ROW, COLUMN, TABLE) else values[what]
        if at is None or not self._is_sentence(given, f"{path}.{what}"):
            return None
        edge = self._edge(values["edge"], f"{path}.edge")
        inner: tuple[FaceBox, ...] = ()
        if what in (ROW, COLUMN):
            inner = tuple(self._inner(name, what, node, f"{path}.{what}", at))
        size = None if values["size"] is None else round(mm_to_pt(values["size"]), 6)
        steps = tuple(round(mm_to_pt(step), 6) for step in values["steps"] or ())
        named = {key: values[key] for key in ("style", "colour", "ground", "focus", "lines")}
        box = struct_of(
            FaceBox, values, name=name, span=span, what=what, value=given, at=at, edge=edge,
            size=size, steps=steps, boxes=inner, when=_written(values["when"]),
            times=_written(values["times"]), **named,
        )  # fmt: skip
        lines = values[TABLE] or {}
        like = replace(box, when=None, gap=0.0, across=None)
        inner += tuple(self._lines(name, span, lines, path, like))
        return replace(box, boxes=inner)

    def _is_sentence(self, text: SourceText, path: str) -> bool:
        """Return False, and report it, if an expression in a text is wrong."""
        rule = replace(BOX["when"], type="message")
        node = Scalar(str(text), text.span)
        return self._reading.read(node, rule, path, text.span) is not INVALID

    def _inner(
        self, name: str, what: str, outer: MappingNode, path: str, at: At
    ) -> Iterator[FaceBox]:
        """Yield the boxes of a row or column."""
        node = outer.get(what)
        if not isinstance(node, SequenceNode):
            hint = "a list of boxes without places, such as [{badge: attack}, {badge: defence}]"
            self._reading.report(
                node.span if node else Span(""), "GP213", f"{path} is no list", hint
            )
            return
        for number, item in enumerate(node.items):
            if isinstance(item, MappingNode) and (item.get(ROW) or item.get(COLUMN)):
                hint = "give it a box of its own"
                self._reading.report(item.span, "GP213", f"{path}[{number}]: no row in a row", hint)
                continue
            made = _with_shared(outer, item)
            box = self._box(f"{name}[{number}]", item.span, made, f"{path}[{number}]", at)
            if box is not None:
                yield box

    def _lines(
        self, name: str, span: Span, lines: Mapping[str, SourceText], path: str, like: FaceBox
    ) -> Iterator[FaceBox]:
        """Yield the boxes of a table: the words and the value of each line."""
        for words, value in lines.items():
            if self._is_sentence(value, f"{path}.{words}"):
                label = SourceText(words, span)
                yield replace(like, name=name, what="words", value=label, valign="middle")
                yield replace(like, name=name, what="text", value=value, valign="middle",
                              align="right")  # fmt: skip

    def _takes(self, what: str, node: MappingNode, path: str, inside: bool) -> bool:
        known = (what, *_WORDS[what], *_ANY[inside:])
        for key, value in node.entries:
            if key.text in known or _is_null(value):
                continue
            if key.text not in BOX:
                near = did_you_mean(key.text, known)
                self._reading.report(key.span, "GP202", f"{path}.{key.text}: no such key", near)
            else:
                message = f"{path}.{key.text} has no effect on a box with {what}:"
                hint = f"it can have {', '.join(known[1:])}"
                self._reading.report(key.span, "GP213", message, hint)
            return False
        return True

    def _at(self, at: Any, span: Span, path: str, what: str) -> At | None:
        if at is INVALID:
            return None
        if not at:
            hint = "left, top, width and height in mm, such as at: [5, 5, 53, 8]"
            self._reading.report(span, "GP213", f"{path}.at is missing", hint)
            return None
        x, y, w, h = at
        if (w <= 0 or h <= 0) and what != "line":
            hint = "at: [left, top, width, height]"
            self._reading.report(span, "GP213", f"{path}.at: nothing fits {w:g} × {h:g} mm", hint)
            return None
        return x, y, w, h

    def _edge(self, written: SourceText | None, path: str) -> BoxEdge | None:
        if written is None:
            return None
        colour, _, width = written.strip().rpartition(" ")
        try:
            wide = parse_length(width) if colour else 0.0
        except ValueError:
            wide = 0.0
        if not 0 < wide <= _WIDEST:
            hint = "a colour and a width, such as edge: warm 1mm"
            message = f"{path}: {str(written)!r} is no edge"
            self._reading.report(written.span, "GP213", message, hint)
            return None
        return BoxEdge(SourceText(colour.strip(), written.span), wide)


_WIDEST: Final = 50
_MOST_LAYOUTS: Final = 500
_SUCH_AS: Final = "such as {text: name, at: [5, 5, 53, 8]}"


def _with_shared(outer: MappingNode, item: Node) -> Node:
    """Return a box of a row or column with the keys that it takes over."""
    if not isinstance(item, MappingNode):
        return item
    what = next(iter(_said(outer)), "")
    known = {key for word in _said(item) for key in _WORDS[word]}
    shared = (
        entry
        for entry in outer.entries
        if entry[0].text in _SHARED.get(what, ())
        and entry[0].text in known
        and item.get(entry[0].text) is None
    )
    return MappingNode((*item.entries, *shared), item.span)


def _written(formula: Formula | None) -> SourceText | None:
    return None if formula is None else SourceText(formula.text, formula.span)


def _is_null(node: Node | None) -> bool:
    return node is None or (isinstance(node, Scalar) and node.is_null)


def _values(layers: Sequence[_Layer]) -> dict[SourceText, tuple[str, ...]]:
    """Return the expressions of variants, each with its values in all files."""
    return {
        by: tuple(dict.fromkeys(v for layer in layers for v in layer.values(by)))
        for layer in layers
        for by in (each.by for each in layer.variants)
    }


def _join_variants(
    layers: Sequence[_Layer], variants: Sequence[_Variants], root: MappingNode
) -> None:
    """Join variants of a file with the next ones below by the same expression, in their place.
    If the file changes a box for all values, its own variants change that box again."""
    own = root.get(_BOXES)
    named = {key.text for key, _ in own.entries} if isinstance(own, MappingNode) else set()
    named |= {_GROUND} if root.get(_GROUND) is not None else set()
    for each in variants:
        below = (one for layer in reversed(layers) for one in layer.variants if one.by == each.by)
        lower = next(below, None)
        if lower is None:
            continue
        for value, change in [*each.changes.items()]:
            known = lower.changes.get(value)
            lower.changes[value] = change if known is None else _boxes_over(known, change)
            others = (key.text for key, _ in change.entries if key.text not in named)
            each.changes[value] = change.without(*others)


def _head_over(base: MappingNode, over: MappingNode) -> MappingNode:
    """Return the head of a file with what it takes over from another."""
    return _joined(base, over, dict.fromkeys(_NAMES, lambda one, other: _joined(one, other, {})))


def _box_over(base: MappingNode, over: MappingNode) -> MappingNode:
    """Return a box with some keys changed. If it says that it is something else, it keeps only its
    place, its turn and its condition."""
    said = _said(over)
    if said and said != _said(base):
        base = MappingNode(tuple(each for each in base.entries if each[0].text in _ANY), base.span)
    return _joined(base, over, {})


def _boxes_over(base: MappingNode, over: MappingNode, join: _Join = _box_over) -> MappingNode:
    """Return boxes, some of them changed. One that was dropped stays so unless it says anew what it
    is, and where."""
    gone = [key.text for key, value in base.entries if _is_null(value)]
    kept = over.without(
        *(key.text for key, value in over.entries if key.text in gone and not _is_whole(value))
    )
    return _joined(base, kept, dict.fromkeys((key.text for key, _ in kept.entries), join))


def _joined(
    base: MappingNode,
    over: MappingNode,
    join: Mapping[str, _Join],
) -> MappingNode:
    """Return a map with the entries of another over its own; `join` joins maps of some keys."""
    own = {key.text: (key, value) for key, value in base.entries}
    for key, value in over.entries:
        under = own[key.text][1] if key.text in own else None
        new: Node = value
        if key.text in join and isinstance(value, MappingNode) and isinstance(under, MappingNode):
            new = join[key.text](under, value)
        own[key.text] = key, new
    return MappingNode(tuple(own.values()), over.span)


def _is_whole(node: Node) -> bool:
    return isinstance(node, MappingNode) and not _is_null(node.get(_AT)) and bool(_said(node))


def _said(node: Node) -> set[str]:
    """Return the words for its sort that a box has."""
    if not isinstance(node, MappingNode):
        return set()
    return {key.text for key, value in node.entries if key.text in _WORDS and not _is_null(value)}
