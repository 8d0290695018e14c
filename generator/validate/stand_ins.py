"""Puts what could be there in the place of what is wrong, so that a pack with mistakes is looked at
whole.

It is never printed. It is checked and its faces are drawn to see what else is wrong, so that one
run shows all there is to mend. What stands in for a part is the word that was probably meant, or
what another component of its kind has there, or what fits the field. There are `VERSIONS` of such
a pack, with other words each: what a check finds in all, that asks for nothing else that stands in,
is so whatever is meant.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from collections.abc import Mapping as MappingOf
from collections.abc import Sequence as SequenceOf
from typing import Final

from msgspec import Struct, field, structs
from msgspec.structs import replace

from generator.diagnostics import Diagnostic, Severity, Span, Suggestions
from generator.model.pack import Field, Kind
from generator.model.source import (
    ComponentSource,
    Document,
    Mapping,
    Node,
    PackSource,
    Scalar,
    Sequence,
)
from generator.validate.definition_files import KIND, PACK, STYLES
from generator.validate.field_types import as_row


def with_stand_ins(
    source: PackSource,
    kinds: MappingOf[str, Kind],
    faults: Iterable[Diagnostic],
    version: int = 0,
) -> PackSource:
    """The pack as it might be when these faults of its components are mended; `kinds` are those
    that are sound."""
    wrong = frozenset(d.span for d in faults if d.severity is Severity.ERROR)
    of_kind: dict[str, list[Mapping]] = {}
    for component in _written(source):
        of_kind.setdefault(component.kind.text, []).append(component.node)
    ids = {kind: [*filter(None, map(_id_of, nodes))] for kind, nodes in of_kind.items()}
    menders = {
        name: _Mender(kinds[name].fields, wrong, nodes, ids, version)
        for name, nodes in of_kind.items()
        if name in kinds
    }
    mended = (
        menders[component.kind.text].mended(component)
        if component.kind.text in menders
        else component
        for component in source.components
    )
    return replace(source, components=tuple(mended))


def without_faults(
    source: PackSource, faults: Iterable[Diagnostic], *, wholly: bool = False
) -> PackSource:
    """The pack with what fits in the place of what these faults were found in, where others may be
    hidden behind it: an entry is not looked at when one value of it is wrong. What others may name
    stays as it is, unless it is to be `wholly` without."""
    wrong = frozenset(d.span for d in faults if d.severity is Severity.ERROR)

    def mended(document: Document, rules: MappingOf[str, Field]) -> Document:
        root = document.root
        if not isinstance(root, Mapping):
            return document
        root = Mapping(tuple(_spelt(root, rules, Suggestions())), root.span) if wholly else root
        known = {name: rules[name] for name in (rules if wholly else _NAMING) if name in rules}
        entries = (
            (key, (key.text in known and _sound(value, known[key.text], wrong)) or value)
            for key, value in root.entries
        )
        return replace(document, root=Mapping(tuple(entries), root.span))

    return replace(
        source,
        pack=mended(source.pack, PACK),
        kinds=tuple(mended(document, KIND) for document in source.kinds),
        styles=source.styles and mended(source.styles, STYLES),
    )


def _spelt(
    node: Mapping, rules: MappingOf[str, Field], suggestions: Suggestions
) -> Iterator[tuple[Scalar, Node]]:
    """The entries that have a rule, with its name spelt right."""
    given = {key.text for key, _ in node.entries}
    for key, value in node.entries:
        name = key.text
        if name not in rules:
            name = suggestions.nearest(name, rules) or ""
            if not name or name in given:
                continue
            given.add(name)
        yield structs.replace(key, text=name), value


def _sound(node: Node, rule: Field, wrong: frozenset[Span]) -> Node | None:
    """What of a node is right, with what fits for what is wrong or missing and cannot be left
    out; None for what can."""
    if isinstance(node, Mapping) and rule.type == "map":
        rules = ((key, value, rule.fields.get(key.text, rule.of)) for key, value in node.entries)
        read = [(key, _sound(value, each, wrong)) for key, value, each in rules if each is not None]
        given = {key.text for key, _ in node.entries}
        missing = _missing(given, rule.fields)
        read += ((Scalar(name, node.span), _fit(rule.fields[name], node.span)) for name in missing)
        return Mapping(tuple((key, value) for key, value in read if value is not None), node.span)
    if isinstance(node, Mapping):  # of whatever has rules of its own
        entries = (entry for entry in node.entries if entry[0].span not in wrong)
        return Mapping(tuple(entries), node.span)
    if isinstance(node, Sequence) and rule.type == "list" and rule.of is not None:
        items = (_sound(item, rule.of, wrong) for item in node.items)
        return Sequence(tuple(item for item in items if item is not None), node.span)
    if node.span not in wrong:
        return node
    return None if rule.optional or rule.default is not None else _fit(rule, node.span)


def _fit(rule: Field, span: Span) -> Node:
    """Something harmless that a field takes, as if it stood at this place."""
    if rule.type == "list" and rule.of is not None:
        return Sequence((_fit(rule.of, span),), span)
    return Scalar(rule.choices[0] if rule.choices else _fitting(rule), span)


def _written(source: PackSource) -> Iterator[ComponentSource]:
    """The components of a pack, then those of packs that it requires, each once."""
    waiting, seen = [source], set[str]()
    while waiting:
        pack = waiting.pop(0)
        if pack.name not in seen:
            seen.add(pack.name)
            yield from pack.components
            waiting += pack.required


def _id_of(node: Mapping) -> str:
    id_ = node.get("id")
    return id_.text if isinstance(id_, Scalar) else ""


def _missing(given: set[str], rules: MappingOf[str, Field]) -> Iterator[str]:
    for name, rule in rules.items():
        if name not in given and not rule.optional and rule.default is None:
            yield name


class _Mender(Struct):
    """Mends the components of a kind, `nodes`. `wrong` are the places that have faults. Of what
    could stand somewhere the `version` is taken; no word that is `used`, if there is another.
    `guessed` is whether anything but words was made up."""

    fields: MappingOf[str, Field]
    wrong: frozenset[Span]
    nodes: SequenceOf[Mapping]
    ids: MappingOf[str, SequenceOf[str]]
    version: int
    known: dict[str, Node | None] = field(default_factory=dict)
    suggestions: Suggestions = field(default_factory=Suggestions)
    used: set[str] = field(default_factory=set)
    guessed: bool = False
    count: int = 0

    def mended(self, component: ComponentSource) -> ComponentSource:
        """The component, each value that is wrong, missing or misspelt standing right."""
        node, unsure = component.node, set[str]()
        self.used = {part.text for part in _within(node) if isinstance(part, Scalar)}
        id_ = node.get("id") or node
        is_right = id_ is not node and not self._is_wrong(id_)
        right_id = id_ if is_right else self._id(id_.span)
        entries: list[tuple[Scalar, Node]] = [(Scalar("id", id_.span), right_id)]
        for key, value in _spelt(node.without("id"), self.fields, self.suggestions):
            self.guessed = False
            right = self._right(value, self.fields[key.text])
            if right is None or self.guessed:
                unsure.add(key.text)
            right = right or self._had(key.text, value.span)
            entries += [(key, right)] if right is not None else []
        for name in _missing({key.text for key, _ in entries}, self.fields):
            unsure.add(name)
            stand_in = self._had(name, node.span.nowhere)
            entries += [(Scalar(name, node.span), stand_in)] if stand_in is not None else []
        mended = Mapping(tuple(entries), node.span)
        return replace(component, node=mended, unsure=frozenset(unsure))

    def _id(self, span: Span) -> Scalar:
        self.count += 1
        return Scalar(f"stand-in-{self.count}", span)

    def _right(self, node: Node, rule: Field) -> Node | None:
        """A value, or what stands in for it, or for what is wrong in it; None where nothing can."""
        if not self._is_wrong(node):
            return node
        if isinstance(node, Sequence) and rule.type == "list" and rule.of is not None:
            return self._entries(node, rule.of)
        if isinstance(node, Sequence) and rule.type == "table":
            return self._entries(node, replace(rule, type="map"))
        if rule.type == "map" and rule.fields:
            row = as_row(node, rule) if isinstance(node, Sequence) else node
            return self._record(row, rule.fields) if isinstance(row, Mapping) else None
        return self._made_up(node, rule)

    def _entries(self, node: Sequence, rule: Field) -> Sequence | None:
        """A list in which some entries are wrong; None where it is wrong as a whole."""
        items = [self._right(item, rule) for item in node.items]
        right = tuple(item for item in items if item is not None)
        is_whole = node.span in self.wrong or len(right) < len(items)
        return None if is_whole else Sequence(right, node.span)

    def _record(self, node: Mapping, rules: MappingOf[str, Field]) -> Mapping | None:
        """A map in which some fields are; None where it is wrong as a whole."""
        spelt = [*_spelt(node, rules, self.suggestions)]
        found = [(key, self._right(value, rules[key.text])) for key, value in spelt]
        missing = _missing({key.text for key, _ in spelt}, rules)
        found += ((Scalar(name, node.span), self._made_up(node, rules[name])) for name in missing)
        right = tuple((key, value) for key, value in found if value is not None)
        is_whole = right == node.entries or len(right) < len(found)
        return None if is_whole else Mapping(right, node.span)

    def _is_wrong(self, value: Node) -> bool:
        return any(node.span in self.wrong or not node.span.column for node in _within(value))

    def _had(self, name: str, span: Span) -> Node | None:
        """What the first component has there in which it is right; else what fits the field; as if
        it stood at this place."""
        if name not in self.known:
            there = (node.get(name) for node in self.nodes)
            sound = (node for node in there if node is not None and not self._is_wrong(node))
            rule = self.fields[name]
            self.known[name] = next(sound, None) or self._made_up(Scalar("", rule.span), rule)
        known = self.known[name]
        return known and _at(span, known)

    def _made_up(self, node: Node, rule: Field) -> Scalar | None:
        """What fits a field where this node stands, if anything does."""
        if rule.type in ("choice", "ref"):
            text = self._word(node, rule.choices or self.ids.get(rule.kind or "", ()))
        else:
            self.guessed = True
            text = _fitting(rule)
        return Scalar(text, node.span, plain=rule.type != "colour") if text else None

    def _word(self, node: Node, known: SequenceOf[str]) -> str | None:
        """The word that was probably meant; in other versions others."""
        near = self.suggestions.nearest(node.text, known) if isinstance(node, Scalar) else None
        free = [word for word in known if word not in self.used and word != near]
        words = [*([near] if near else free[:1]), *reversed(free), *known]
        different = [*dict.fromkeys(words)][: self.version + 1]
        self.used.update(different[-1:])
        return different[-1] if len(different) > min(self.version, 1) else None


def _fitting(rule: Field) -> str:
    """A harmless number or text that a field takes."""
    if rule.type in ("text", "rich"):
        return "x" * (rule.length or rule.min_length or 1)
    if rule.type in ("int", "number", "length"):
        least = 1 if rule.min is None else max(1, rule.min)
        number = least if rule.max is None else min(least, rule.max)
        return f"{number:g}{'mm' if rule.type == 'length' else ''}"
    return _FITTING.get(rule.type, "1")


def _at(span: Span, node: Node) -> Node:
    """A node as if it stood at another place, where what is found in it is not told of."""
    if isinstance(node, Scalar):
        return structs.replace(node, span=span, raw="", cut=None)
    if isinstance(node, Sequence):
        return Sequence(tuple(_at(span, item) for item in node.items), span)
    entries = ((structs.replace(key, span=span), _at(span, value)) for key, value in node.entries)
    return Mapping(tuple(entries), span)


VERSIONS: Final = 3
_NAMING: Final = ("prints", "outlets", "checks", "set_checks", "styles")
"""Sections of definition files that name things and are named by nothing."""
_FITTING: Final[MappingOf[str, str]] = {
    "bool": "false",
    "colour": "#888888",
    **dict.fromkeys(("id", "image", "icon", "list", "map", "table", "course", "node"), ""),
}
"""What fits a type; what is not here is of a guest, and may well be a number."""


def _within(value: Node) -> Iterator[Node]:
    waiting = [value]
    while waiting:
        node = waiting.pop()
        yield node
        if isinstance(node, Mapping):
            waiting += (part for entry in node.entries for part in entry)
        elif isinstance(node, Sequence):
            waiting += node.items
