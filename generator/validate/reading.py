"""Reads the value of a field from its node: what every type of field is made of.

Values are read strictly. A fault is added to the `Reading` and the value is then `INVALID`, so
that one pass finds them all and nothing works on with half a value.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from difflib import SequenceMatcher
from typing import Any, Final, Protocol

from msgspec import Struct, field

from generator.cache import NOTHING_KEPT, Cache
from generator.diagnostics import Diagnostic, Span, Suggestions, in_order, warning
from generator.model.pack import Field, Record
from generator.model.source import Mapping as MappingNode
from generator.model.source import Node, Scalar, cut_off


class _Invalid:
    """The value of a node that has a fault."""

    def __repr__(self) -> str:
        return "INVALID"


INVALID: Final = _Invalid()

Schema = dict[str, Any]
_SLIP: Final = 0.75


class Assets(Protocol):
    """Where pictures and icons are; see `generator.assets`."""

    def image(self, name: str) -> object:
        """The file of a picture. Raises GridpressError."""

    def icon(self, name: str) -> object:
        """The file of an icon. Raises GridpressError."""


class Lookup(Protocol):
    """The components of a pack by kind and id."""

    def find(self, kind: str, id_: str) -> Record | None:
        """The values of a component, perhaps not yet filled in; None when there is none."""

    def ids(self, kind: str) -> Iterable[str]:
        """The ids of a kind's components."""


class FieldType(Struct, frozen=True):
    """A type of field: how it is called, read, described to editors and what may limit it.

    `says` and `example` are for messages: "a whole number", "12".
    `empty` is the value of an optional field that is left out. `bound` reads the `min` or `max` of
    a type that may have them; it raises ValueError.
    """

    says: str
    example: str
    read: Callable[[Node, Field, Reading, str], Any]
    schema: Callable[[Field, Callable[[Field], Schema]], Schema]
    limits: frozenset[str] = frozenset()
    empty: Any = None
    bound: Callable[[str], float] | None = None


class Reading(Struct):
    """One pass over some files: what values may refer to, and the faults found so far.

    `code` stands for the codes of structure in files that define rather than list components.
    Of such files all that is sound is used, so that one fault does not make others: `broken` has
    the names of what is not. `remarks` are warnings: the values are used. `cache` has the code of
    expressions that were compiled before.
    """

    types: Mapping[str, FieldType]
    palette: Mapping[str, str] = field(default_factory=dict)
    assets: Assets | None = None
    components: Lookup | None = None
    code: str | None = None
    faults: list[Diagnostic] = field(default_factory=list)
    remarks: list[Diagnostic] = field(default_factory=list)
    broken: set[str] = field(default_factory=set)
    seen_assets: dict[tuple[str, str], Diagnostic | None] = field(default_factory=dict)
    cache: Cache = NOTHING_KEPT
    suggestions: Suggestions = field(default_factory=Suggestions)

    def fault(self, span: Span, code: str, message: str, hint: str = "") -> Any:
        """Note a fault of structure; returns INVALID."""
        return self.report(span, self.code or code, message, hint)

    def report(self, span: Span, code: str, message: str, hint: str = "") -> Any:
        """Note a fault under its own code; returns INVALID."""
        self.faults.append(Diagnostic(span, code, message, hint))
        return INVALID

    def remark(self, span: Span, code: str, message: str, hint: str) -> None:
        """Note what may be meant otherwise; the value is good."""
        self.remarks.append(warning(span, code, message, hint))

    @property
    def found(self) -> tuple[Diagnostic, ...]:
        """All that there is to say, in order."""
        return in_order([*self.faults, *self.remarks])

    def check_cut(self, node: Node, path: str) -> None:
        """GP111 where a comment may be the rest of a text, or all of it."""
        self.remarks += cut_off(node, path)

    def did_you_mean(self, word: str, known: Iterable[str]) -> str:
        """A hint that names the nearest known word, or lists them when none is near."""
        return self.suggestions.did_you_mean(word, known)

    def wrong_type(self, node: Node, rule: Field, path: str, hint: str = "") -> Any:
        """Note that a node is not what the field asks for; returns INVALID."""
        kind = self.types[rule.type]
        message = f"{path}: {node_in_words(node)} is not {kind.says}"
        return self.fault(node.span, "GP203", message, hint or f"such as {self.example(rule)}")

    def example(self, rule: Field) -> str:
        """What could stand in a field."""
        ids = self.likely(rule)
        return min(ids) if ids else self.types[rule.type].example

    def likely(self, rule: Field) -> tuple[str, ...]:
        """The ids that a reference may name: those that have the field's name in theirs, as
        `goat-engine` for `engine`; where none has, all of the kind."""
        if self.components is None or rule.kind is None:
            return ()
        ids = tuple(self.components.ids(rule.kind))
        named = tuple(id_ for id_ in ids if rule.name.replace("_", "-") in id_)
        return named or ids

    def read(self, node: Node | None, rule: Field, path: str, owner: Span) -> Any:
        """The value of a node, of its absence (the default, or empty), or INVALID."""
        if node is None or (isinstance(node, Scalar) and node.is_null):
            if node is not None:
                self.check_cut(node, path)
            return self._absent(node, rule, path, owner)
        return self.types[rule.type].read(node, rule, self, path)

    def _absent(self, node: Node | None, rule: Field, path: str, owner: Span) -> Any:
        if rule.default is not None:
            return rule.default
        kind = self.types[rule.type]
        if rule.optional:
            return kind.empty
        hint = f"give {kind.says}, such as {self.example(rule)}"
        if rule.description:
            hint += f" ({rule.description})"
        where = owner if node is None else node.span
        return self.fault(where, "GP201", f"{path} is missing", hint)

    def read_fields(
        self, node: MappingNode, rules: Mapping[str, Field], path: str = ""
    ) -> tuple[dict[str, Any], dict[str, Span]]:
        """The values of a map with named keys, INVALID among them, and where they are."""
        given = {key.text: (key, value) for key, value in node.entries}
        prefix = f"{path}." if path else ""
        values: dict[str, Any] = {}
        spans: dict[str, Span] = {}
        # A slip in a field's name is one fault: the field it stands for is not missing as well. A
        # definition file is used as it was surely meant; components are mended in `stand_ins`.
        strange = {key: self.suggestions.nearest(key, rules) for key in given if key not in rules}
        misspelt = {near: key for key, near in strange.items() if near and near not in given}
        for name, rule in rules.items():
            written = misspelt.get(name, name)
            if written != name and (self.code is None or not _is_slip(written, name)):
                values[name] = INVALID
                continue
            _, value = given.get(written, (None, None))
            if value is not None:
                spans[name] = value.span
            values[name] = self.read(value, rule, prefix + written, node.span)
        for key, stray in (given[name] for name in strange):
            hint = self.did_you_mean(key.text, rules)
            if isinstance(stray, Scalar) and stray.is_null and " " in key.text:
                hint = "inside { } a text with a comma needs quotes"
            name = key.text if key.text == key.text.strip() else repr(key.text)  # else it is unseen
            self.fault(key.span, "GP202", f"{prefix}{name}: no such field", hint)
        return values, spans


def _is_slip(written: str, meant: str) -> bool:
    """True for a word with nearly all letters of another: `titel`, not `prints` for `brings`."""
    return SequenceMatcher(a=written, b=meant).quick_ratio() >= _SLIP


def node_in_words(node: Node) -> str:
    """What a node is, to a person."""
    if isinstance(node, Scalar):
        text = node.text if len(node.text) <= 40 else f"{node.text[:39]}…"
        return f"{text!r}" if node.plain else f"the quoted text {text!r}"
    return "a map" if isinstance(node, MappingNode) else "a list"


def is_sound(values: Iterable[Any]) -> bool:
    """True when none of the values is INVALID."""
    return not any(value is INVALID for value in values)
