"""A pack with mistakes in, one without them out: for what is wrong stands what could be there.

It is never printed. Its faces are drawn to see what else is wrong, so that one run shows all there
is to mend. What stands in for a value is what another component of its kind has there.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from collections.abc import Mapping as MappingOf
from collections.abc import Sequence as SequenceOf
from dataclasses import dataclass, replace

from generator.diagnostics import Diagnostic, Severity, Span, Suggestions
from generator.model.pack import Field, Kind
from generator.model.source import ComponentSource, Mapping, Node, PackSource, Scalar, Sequence


def with_stand_ins(
    source: PackSource, kinds: MappingOf[str, Kind], faults: Iterable[Diagnostic]
) -> PackSource:
    """The pack as it might be when these faults of its components are mended; `kinds` are those
    that are sound."""
    wrong = frozenset(d.span for d in faults if d.severity is Severity.ERROR)
    of_kind: dict[str, list[ComponentSource]] = {}
    for component in source.components:
        of_kind.setdefault(component.kind.text, []).append(component)
    menders = {
        name: _Mender(kinds[name].fields, wrong, siblings)
        for name, siblings in of_kind.items()
        if name in kinds
    }
    mended = (
        replace(component, node=menders[component.kind.text].mended(component.node))
        if component.kind.text in menders
        else component
        for component in source.components
    )
    return replace(source, components=tuple(mended))


@dataclass(slots=True)
class _Mender:
    """Mends the components of a kind; `wrong` are the places that have faults."""

    fields: MappingOf[str, Field]
    wrong: frozenset[Span]
    siblings: SequenceOf[ComponentSource]
    known: dict[str, Node | None] | None = None
    count: int = 0

    def mended(self, node: Mapping) -> Mapping:
        """A component in which each value that is wrong, missing or misspelt stands right."""
        suggestions = Suggestions()
        given = {key.text for key, _ in node.entries}
        entries: list[tuple[Scalar, Node]] = []
        if "id" not in given:
            entries.append((Scalar("id", node.span), self._id(node.span)))
        for key, value in node.entries:
            name = key.text
            if key.text != "id" and key.text not in self.fields:
                name = suggestions.nearest(key.text, self.fields) or ""
                if not name or name in given:
                    continue
                given.add(name)
            right = self._right(name, value)
            if right is not None:
                entries.append((replace(key, text=name), right))
        for name, rule in self.fields.items():
            if name not in given and not rule.optional and rule.default is None:
                stand_in = self._stand_in(name)
                if stand_in is not None:
                    entries.append((Scalar(name, node.span), _at(node.span, stand_in)))
        return Mapping(tuple(entries), node.span)

    def _right(self, name: str, value: Node) -> Node | None:
        """A value, or what stands in for it if it is wrong."""
        if name == "id" and value.span in self.wrong:
            return self._id(value.span)
        if name == "id" or not self._is_wrong(value):
            return value
        stand_in = self._stand_in(name)
        return stand_in and _at(value.span, stand_in)

    def _id(self, span: Span) -> Scalar:
        self.count += 1
        return Scalar(f"stand-in-{self.count}", span)

    def _is_wrong(self, value: Node) -> bool:
        return any(node.span in self.wrong for node in _within(value))

    def _stand_in(self, name: str) -> Node | None:
        """What the first component has there in which it is right; else what fits the field."""
        if self.known is None:
            self.known = {}
        if name not in self.known:
            there = (sibling.node.get(name) for sibling in self.siblings)
            sound = (node for node in there if node is not None and not self._is_wrong(node))
            self.known[name] = next(sound, None) or _made_up(self.fields[name])
        return self.known[name]


def _within(value: Node) -> Iterator[Node]:
    waiting = [value]
    while waiting:
        node = waiting.pop()
        yield node
        if isinstance(node, Mapping):
            waiting += (part for entry in node.entries for part in entry)
        elif isinstance(node, Sequence):
            waiting += node.items


def _at(span: Span, node: Node) -> Node:
    """A node as if it stood at another place, where what is found in it is not told of."""
    if isinstance(node, Scalar):
        return replace(node, span=span, raw="", cut=None)
    if isinstance(node, Sequence):
        return Sequence(tuple(_at(span, item) for item in node.items), span)
    entries = ((replace(key, span=span), _at(span, value)) for key, value in node.entries)
    return Mapping(tuple(entries), span)


def _made_up(rule: Field) -> Scalar | None:
    """A value for a field that no component has right."""
    texts = {
        "text": "x" * (rule.length or rule.min_length or 1),
        "rich": "x" * (rule.length or rule.min_length or 1),
        "choice": next(iter(rule.choices), ""),
        "bool": "false",
        "colour": "#888888",
        "length": "1mm",
        "int": "1",
        "number": "1",
    }
    text = texts.get(rule.type, "")
    bound = rule.min if rule.min is not None else rule.max
    if bound is not None and rule.type in ("int", "number", "length"):
        text = f"{bound:g}"
    return Scalar(text, rule.span, plain=rule.type != "colour") if text else None
