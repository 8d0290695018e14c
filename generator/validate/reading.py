"""Read values of fields, and evaluate the expressions of kind files.

Values are read strictly. A fault is added to the `Reading`, and the value is `INVALID`, so one pass
finds all faults. Results of expressions become immutable values.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from collections.abc import Sequence as SequenceOf
from difflib import SequenceMatcher
from typing import Any, Final, Protocol, TypeGuard, TypeVar

from msgspec import Struct, field

from generator import limits
from generator.cache import NOTHING_KEPT, Cache
from generator.diagnostics import (
    Diagnostic,
    GridpressError,
    Severity,
    Span,
    Suggestions,
    in_order,
    warning,
)
from generator.geometry import format_mm
from generator.model.pack import Field
from generator.model.source import Mapping as MappingNode
from generator.model.source import Node, Scalar, cut_off
from generator.model.values import Items, Record, SourceText
from generator.sandbox import Expression, SandboxError, compile_expression


class _Invalid:
    def __repr__(self) -> str:
        return "INVALID"


INVALID: Final = _Invalid()

Schema = dict[str, Any]
_SLIP: Final = 0.75
_TABLES: Final = (".csv", ".xlsx")


class Assets(Protocol):
    """Finds pictures and icons; see `generator.assets`."""

    def image(self, name: str) -> object:
        """Find a picture. Raises GridpressError."""

    def icon(self, name: str) -> object:
        """Find an icon. Raises GridpressError."""


class Lookup(Protocol):
    """The components of a pack by kind and id."""

    def find(self, kind: str, id_: str) -> Record | None:
        """Return the values of a component, perhaps not yet filled in, or None."""

    def ids(self, kind: str) -> Iterable[str]:
        """Return the ids of a kind."""


class FieldType(Struct, frozen=True):
    """A type of field: its name and `example` for messages, reader, schema and allowed limits.

    `empty` is the value of an optional field that is missing. `bound` reads `min` and `max`; it
    raises ValueError. `takes` are the nodes that the reader reads, `otherwise` is the hint for
    others.
    """

    says: str
    example: str
    read: Callable[[Any, Field, Reading, str], Any]
    schema: Schema | Callable[[Field, Callable[[Field], Schema]], Schema]
    limits: frozenset[str] = frozenset()
    empty: Any = None
    bound: Callable[[str], float] | None = None
    takes: tuple[type[Node], ...] = (Scalar,)
    otherwise: str = ""


class Reading(Struct):
    """One pass over some files, with the faults found so far.

    `code` replaces the codes of structure in definition files. Their sound parts are used, and
    `broken` has the names of the rest. `drafts` are missing pictures and icons that may be missing,
    each with its first place. `noted` counts the findings, with those that others make superfluous.
    """

    types: Mapping[str, FieldType]
    palette: Mapping[str, str] = field(default_factory=dict)
    assets: Assets | None = None
    components: Lookup | None = None
    code: str | None = None
    faults: list[Diagnostic] = field(default_factory=list)
    remarks: list[Diagnostic] = field(default_factory=list)
    broken: set[str] = field(default_factory=set)
    drafts: dict[tuple[str, str], Span] = field(default_factory=dict)
    seen_assets: dict[tuple[str, str], Diagnostic | None] = field(default_factory=dict)
    cache: Cache = NOTHING_KEPT
    suggestions: Suggestions = field(default_factory=Suggestions)
    noted: int = 0

    def fault(self, span: Span, code: str, message: str, hint: str = "") -> Any:
        """Note a fault of structure; return INVALID."""
        return self.report(span, self.code or code, message, hint)

    def report(self, span: Span, code: str, message: str, hint: str = "") -> Any:
        """Note a fault under its own code; return INVALID."""
        self.noted += 1
        self.faults.append(Diagnostic(span, code, message, hint))
        return INVALID

    def remark(self, span: Span, code: str, message: str, hint: str) -> None:
        """Note a warning; the value is used."""
        self.noted += 1
        self.remarks.append(warning(span, code, message, hint))

    @property
    def found(self) -> tuple[Diagnostic, ...]:
        """Return all findings in order."""
        return in_order([*self.faults, *self.remarks])

    def asset_fault(self, what: str, name: str) -> Diagnostic | None:
        """Return why a picture or icon is missing, None if it is there. Each is looked for once,
        since many cards share a picture."""
        if self.assets is None:
            return None
        key = what, name
        if key not in self.seen_assets:
            find = self.assets.image if what == "image" else self.assets.icon
            try:
                find(name)
                self.seen_assets[key] = None
            except GridpressError as error:
                self.seen_assets[key] = error.diagnostics[0]
        return self.seen_assets[key]

    def apart(self) -> Reading:
        """Return a reading of one file, with the same settings and without findings."""
        return Reading(
            self.types, self.palette, self.assets, self.components, self.code, cache=self.cache
        )

    def join(self, other: Reading) -> None:
        """Add the findings of a reading of one file."""
        self.faults += other.faults
        self.remarks += other.remarks
        self.broken |= other.broken
        self.drafts = {**other.drafts, **self.drafts}

    def sees_assets_as(self, other: Reading) -> bool:
        """Return whether the pictures and icons of an earlier reading are there, or still
        missing."""
        return all(self.asset_fault(*key) == fault for key, fault in other.seen_assets.items())

    def check_cut(self, node: Node, path: str) -> None:
        """Warn (GP111) about a comment that may belong to a text."""
        for found in cut_off(node, path):
            self.noted += 1
            self.remarks.append(found)

    def did_you_mean(self, word: str, known: Iterable[str]) -> str:
        """Return a hint that names the nearest known word, or all of them."""
        return self.suggestions.did_you_mean(word, known)

    def unknown(
        self,
        said: str,
        name: str,
        known: Iterable[str],
        span: Span,
        code: str = "GP213",
        otherwise: str = "",
    ) -> Any:
        """Note a name of something that does not exist; return INVALID."""
        hint = self.did_you_mean(name, known) or otherwise
        return self.report(span, code, f"{said} {str(name)!r}", hint)

    def wrong_type(self, node: Node, rule: Field, path: str, hint: str = "") -> Any:
        """Note that a node has the wrong type; return INVALID."""
        kind = self.types[rule.type]
        message = f"{path}: {node_in_words(node)} is not {kind.says}"
        return self.fault(node.span, "GP203", message, hint or f"such as {self.example(rule)}")

    def example(self, rule: Field) -> str:
        """Return an example for a field."""
        if rule.choices:
            return rule.choices[0]
        ids = self.likely(rule)
        return min(ids) if ids else self.types[rule.type].example

    def likely(self, rule: Field) -> tuple[str, ...]:
        """Return ids that a reference may name: those with the field's name in them, such as
        `goat-engine` for `engine`; else all of the kind."""
        if self.components is None or rule.kind is None:
            return ()
        ids = tuple(self.components.ids(rule.kind))
        named = tuple(id_ for id_ in ids if rule.name.replace("_", "-") in id_)
        return named or ids

    def read(self, node: Node, rule: Field, path: str, owner: Span) -> Any:
        """Return the value of a node, the default or empty value if it is null, or INVALID."""
        if isinstance(node, Scalar) and node.is_null:
            self.check_cut(node, path)
            return self._absent(node, rule, path, owner)
        kind = self.types[rule.type]
        if not isinstance(node, kind.takes):
            return self.wrong_type(node, rule, path, kind.otherwise)
        return kind.read(node, rule, self, path)

    def _absent(self, node: Node | None, rule: Field, path: str, owner: Span) -> Any:
        if rule.default is not None:
            return rule.default
        kind = self.types[rule.type]
        if rule.optional:
            return kind.empty
        hint = f"give {kind.says}, such as {self.example(rule)}"
        if rule.choices:
            hint = f"give one of {', '.join(rule.choices)}"
        if rule.description:
            hint += f" ({rule.description})"
        where = owner if node is None else node.span
        return self.fault(where, "GP201", f"{path} is missing", hint)

    def read_fields(
        self, node: MappingNode, rules: Mapping[str, Field], path: str = ""
    ) -> tuple[dict[str, Any], dict[str, Span]]:
        """Return the values of a map with named keys, INVALID among them, and their places."""
        given = {key.text: (key, value) for key, value in node.entries}
        prefix = f"{path}." if path else ""
        values: dict[str, Any] = {}
        spans: dict[str, Span] = {}
        # A misspelt field is not reported as missing, too. Definition files use the value.
        strange = {key: self.suggestions.nearest(key, rules) for key in given if key not in rules}
        misspelt = {near: key for key, near in strange.items() if near and near not in given}
        for name, rule in rules.items():
            written = name
            if name in misspelt:
                written = misspelt[name]
                if self.code is None or not _is_slip(written, name):
                    values[name] = INVALID
                    continue
            if written in given:
                value = given[written][1]
                spans[name] = value.span
                values[name] = self.read(value, rule, prefix + written, node.span)
            else:
                values[name] = self._absent(None, rule, prefix + written, node.span)
        for key, stray in (given[name] for name in strange):
            hint = self.did_you_mean(key.text, rules)
            if isinstance(stray, Scalar) and stray.is_null and " " in key.text:
                hint = "inside { } a text with a comma needs quotes"
            name = key.text if key.text == key.text.strip() else repr(key.text)  # else it is unseen
            if key.span.file.endswith(_TABLES):
                hint += f"\nto leave this column out, write ignore: [{name}] below rows:"
            self.fault(key.span, "GP202", f"{prefix}{name}: no such field", hint)
        return values, spans


def _is_slip(written: str, meant: str) -> bool:
    """Return True for a word with nearly all letters of another: `titel`, not `prints` for
    `brings`."""
    return SequenceMatcher(a=written, b=meant).quick_ratio() >= _SLIP


def node_in_words(node: Node) -> str:
    """Describe a node in a message."""
    if isinstance(node, Scalar):
        text = node.text if len(node.text) <= 40 else f"{node.text[:39]}…"
        return f"{text!r}" if node.plain else f"the quoted text {text!r}"
    return "a map" if isinstance(node, MappingNode) else "a list"


_S = TypeVar("_S", bound=Struct)


def struct_of(cls: type[_S], given: Record, **more: Any) -> _S:
    """Return a struct of the values with its fields' names; those that are None keep their default.
    `more` go before them."""
    values = {
        name: str(value) if isinstance(value, SourceText) else value
        for name in cls.__struct_fields__
        if (value := given.get(name)) is not None
    }
    return cls(**{**values, **more})


def is_numeric(value: object) -> TypeGuard[float]:
    """Return True for a number; true and false are none."""
    return isinstance(value, int | float) and not isinstance(value, bool)


def is_sound(values: Iterable[Any]) -> bool:
    """Return True if none of the values is INVALID."""
    return not any(value is INVALID for value in values)


MAX_SPOKEN: Final = 500
"""Characters of a value in a message."""
MAX_WORDS: Final = 500
MAX_DEPTH: Final = 20

_PART: Final = re.compile(r"\{\{(.*?)\}\}", re.DOTALL)


class Formula(Struct, frozen=True):
    """A compiled expression and its place."""

    text: str
    span: Span
    run: Expression

    @property
    def names(self) -> frozenset[str]:
        """Return the names of values that it uses."""
        return self.run.names

    def value(self, names: Mapping[str, Any], where: Span) -> Any:
        """Return the settled result; `where` is the place of maps made in it. Raises
        SandboxError."""
        return self.run(names, lambda value: settled(value, where))


class Message(Struct, frozen=True):
    """A text for the author with `{{ expression }}` parts."""

    span: Span
    parts: tuple[str | Formula, ...]

    @property
    def formulas(self) -> Iterator[Formula]:
        """Yield its expressions."""
        return (part for part in self.parts if isinstance(part, Formula))

    @property
    def names(self) -> frozenset[str]:
        """Return the names of values that they use."""
        return frozenset[str]().union(*(formula.names for formula in self.formulas))

    def written(self, names: Mapping[str, Any]) -> str:
        """Return the text with its parts worked out. Raises SandboxError."""
        texts = (
            part if isinstance(part, str) else spoken(part.value(names, self.span))
            for part in self.parts
        )
        return "".join(texts)


def read_formula(node: Scalar, cache: Cache = NOTHING_KEPT) -> Formula:
    """Compile an expression. Raises SandboxError."""
    return Formula(node.text, node.span, compile_expression(node.text, cache))


def read_message(node: Scalar, cache: Cache = NOTHING_KEPT) -> Message:
    """Compile the expressions of a text. Raises SandboxError."""
    end = node.text.rfind("}}") + 2
    pieces = _PART.split(node.text[:end])
    pieces[-1] += node.text[end:]  # what begins there has no end, which each search would look for
    pieces[1::2] = map(str.strip, pieces[1::2])
    parts = (
        Formula(piece, node.span, compile_expression(piece, cache)) if i % 2 else piece
        for i, piece in enumerate(pieces)
    )
    return Message(node.span, tuple(part for part in parts if part != ""))


def settled(value: Any, where: Span) -> Any:
    """Make a result immutable. Raises TypeError for other values."""
    if value is None or isinstance(value, (str, int, float, Record)):
        return _plain_text(value)
    if isinstance(value, Mapping):
        return Record({str(key): settled(item, where) for key, item in value.items()}, where)
    if isinstance(value, (SequenceOf, Iterator)) or hasattr(value, "__len__"):
        return Items(settled(item, where) for item in value)
    raise TypeError("the result is neither text, a number, a list nor a map")


def _plain_text(value: Any) -> Any:
    # A Markup would print its entities as they are.
    if isinstance(value, str) and not isinstance(value, SourceText):
        return str(value)
    return value


def quoted_value(value: Any) -> str:
    """Return a value for a message, text in quotes."""
    return repr(_shortened(str(value))) if isinstance(value, str) else spoken(value)


def spoken(value: Any) -> str:
    """Return a value for a message, cut off after some words."""
    return _shortened("".join(itertools.islice(_words(value), MAX_WORDS)))


def _shortened(text: str) -> str:
    return text if len(text) <= MAX_SPOKEN else f"{text[:MAX_SPOKEN]}…"


def _words(value: Any, depth: int = 0) -> Iterator[str]:
    if isinstance(value, bool):
        yield "true" if value else "false"
    elif isinstance(value, float):
        yield format_mm(value)
    elif value is None:
        yield "nothing"
    elif isinstance(value, Record) and "id" in value:
        yield _shortened(str(value["id"]))
    elif isinstance(value, (tuple, Record)) and depth > MAX_DEPTH:
        yield "…"
    elif isinstance(value, tuple):
        for place, item in enumerate(value):
            yield ", " if place else ""
            yield from _words(item, depth + 1)
    elif isinstance(value, Record):
        for place, (name, item) in enumerate(value.items()):
            yield f", {name} " if place else f"{name} "
            yield from _words(item, depth + 1)
    else:
        yield _shortened(str(value))


class AlreadyReportedError(Exception):
    """Raised for a value that is missing because its formula failed, which is already reported."""


class Asker(Protocol):
    """A component that a formula is worked out for."""

    @property
    def name(self) -> str:
        """Return its kind and id."""

    @property
    def span(self) -> Span:
        """Return its place."""


class _Failure(Struct):
    diagnostic: Diagnostic
    who: dict[str, None]


class Evaluation(Struct):
    """The names that all expressions see, and the expressions that failed.

    `players` and `only` are those of the order, or None. `stocks` has the size of each kind's
    stock. If faults left components out, `complete` is False, and formulas over all `components`
    are skipped. `noted` counts the findings.
    """

    players: int | None
    pack: Record
    components: Record
    only: str | None = None
    complete: bool = True
    stocks: Record = field(default_factory=lambda: Record({}, Span("")))
    faults: list[Diagnostic] = field(default_factory=list)
    suggestions: Suggestions = field(default_factory=Suggestions)
    cache: Cache = NOTHING_KEPT
    noted: int = 0
    _failures: dict[tuple[Span, str], _Failure] = field(default_factory=dict)

    def names(self, own: Record | None = None) -> dict[str, Any]:
        """Return the names that an expression sees; the component's own come first."""
        common = {
            "players": self.players,
            "only": self.only,
            "pack": self.pack,
            "components": self.components,
            "stocks": self.stocks,
        }
        return common if own is None else common | own.as_dict()

    def skips(self, part: Formula | Message) -> bool:
        """Return True if the part uses components that a fault may have left out."""
        if self.complete:
            return False
        formulas = part.formulas if isinstance(part, Message) else (part,)
        return any("components" in formula.names for formula in formulas)

    def value(self, part: Formula | Message, names: Mapping[str, Any], who: Asker | None) -> Any:
        """Return the value of the part for a component; INVALID if it fails or is skipped."""
        if isinstance(part, Formula) and self.skips(part):
            return INVALID
        try:
            with limits.at(part.span):
                if isinstance(part, Message):
                    return part.written(names)
                return part.value(names, part.span if who is None else who.span)
        except SandboxError as error:
            if not isinstance(error.__cause__, AlreadyReportedError):
                key = part.span, part.text if isinstance(part, Formula) else ""
                where = "see docs/kinds.md" if who is None else f"the {who.name} is at {who.span}"
                found = Diagnostic(part.span, "GP211", error.message, error.hint or where)
                self._note_once(key, found, who)
            return INVALID

    def report(
        self,
        span: Span,
        code: str,
        message: str,
        hint: str = "",
        severity: Severity = Severity.ERROR,
    ) -> None:
        """Note a fault."""
        self.noted += 1
        self.faults.append(Diagnostic(span, code, message, hint, severity))

    def refuse(self, span: Span, code: str, message: str, hint: str, who: Asker) -> None:
        """Note an unusable result of a formula. Those with one hint are reported once."""
        found = Diagnostic(span, code, message, f"{hint}; the {who.name} is at {who.span}")
        self._note_once((span, hint), found, who)

    def _note_once(self, key: tuple[Span, str], found: Diagnostic, who: Asker | None) -> None:
        self.noted += 1
        failure = self._failures.setdefault(key, _Failure(found, {}))
        if who is not None:
            failure.who[who.name] = None

    def diagnostics(self) -> Iterator[Diagnostic]:
        """Yield all faults and failed formulas."""
        yield from self.faults
        for failure in self._failures.values():
            found = failure.diagnostic
            first, *others = failure.who or [""]
            more = f" and {len(others)} more" if others else ""
            who = f" (for {first}{more})" if first else ""
            yield Diagnostic(found.span, found.code, found.message + who, found.hint)
