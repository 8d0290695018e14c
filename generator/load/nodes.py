"""YAML text in, nodes that know their place out. Nothing is constructed or guessed.

Works on PyYAML's stream of events with a stack of its own, so that no nesting can exhaust
Python's, and counts what aliases would expand to instead of expanding it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from collections.abc import Mapping as Mappings
from typing import Any, Final

import yaml
from msgspec import Struct, field
from yaml.events import (
    AliasEvent,
    CollectionEndEvent,
    CollectionStartEvent,
    DocumentStartEvent,
    Event,
    MappingStartEvent,
    NodeEvent,
    ScalarEvent,
)

from generator.diagnostics import Diagnostic, GridpressError, Span, Suggestions
from generator.geometry import summed
from generator.load.pack_files import CONTROL
from generator.load.syntax_errors import explain
from generator.model.source import Comment, Mapping, Node, Scalar, Sequence

MAX_DEPTH: Final = 100
MAX_EXPANDED: Final = 100_000
MAX_VALUES: Final = 250_000
"""Lists, mappings, keys and values of one file: twenty times a deck of a thousand cards."""
MAX_KEY: Final = 1_000
"""Characters of a key: it is said again with all that is wrong below it."""
MERGE: Final = "<<"
_CUT: Final = re.compile(r"(?: (?=#)|[ \t]+(?=#[^\s#]))(#[^\r\n]*)")
_VALUE_CUT: Final = re.compile(
    r"[ \t]*:(?:[ \t]+|[ \t]*\r?\n[ \t]+(?=#\d))(#[^\s#][^\r\n]*)"
    r"|(?:[ \t]*:)?(?:[ \t]*(?:#[^\r\n]*)?\r?\n)+[ \t]*(?:-[ \t]+)+(#[^\s#][^\r\n]*)"
)
"""A comment in the place of a value: behind its key, below it, or behind the - of a list."""

# The C parser is ten times as fast; an installation may lack it.
FASTEST: Final[Any] = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


class _Built(Struct, frozen=True):
    """A finished node, how many nodes it stands for, and how many levels it has."""

    node: Node
    size: int = 1
    height: int = 0


class _Open(Struct):
    """A list or mapping whose end has not come yet."""

    span: Span
    is_mapping: bool
    anchor: str | None
    children: list[_Built] = field(default_factory=list)


class _Builder:
    def __init__(self, text: str, shown: str) -> None:
        self.text = text
        self.shown = shown
        self.faults: list[Diagnostic] = []
        self.root: Node | None = None
        self.stack: list[_Open] = []
        self.anchors: dict[str, _Built] = {}
        self.expanded = 0
        self.documents = 0
        self.values = 0
        self.suggestions = Suggestions()
        self.last: Any = None

    def build(self, events: Iterable[Event]) -> None:
        for event in events:
            if isinstance(event, NodeEvent):
                self._count(event)
            match event:
                case DocumentStartEvent():
                    self.documents += 1
                    if self.documents > 1:
                        raise self._stop(
                            event,
                            "GP109",
                            "a second document begins here",
                            "a file holds one: delete the line --- or make two files",
                        )
                case AliasEvent():
                    self._add(self._alias(event))
                case ScalarEvent():
                    self._check_tag(event)
                    self._check_characters(event)
                    plain = event.style in (None, "")
                    place, raw = self._place(event), self._raw(event)
                    cut = self._comment(event) if plain else None
                    scalar = Scalar(event.value, place, plain, raw, cut)
                    self._finish(event.anchor, _Built(scalar))
                    self.last = event.end_mark
                case CollectionStartEvent():
                    self._check_tag(event)
                    self._check_depth(event, 1)
                    is_mapping = isinstance(event, MappingStartEvent)
                    self.stack.append(_Open(self._span(event), is_mapping, event.anchor))
                case CollectionEndEvent():
                    self._close(self.stack.pop())
                case _:
                    pass

    def _count(self, event: Event) -> None:
        self.values += 1
        if self.values > MAX_VALUES:
            hint = "split it into several files, or keep its components in a table (rows: …)"
            raise self._stop(event, "GP110", f"the file has more than {MAX_VALUES:,} values", hint)

    def _close(self, done: _Open) -> None:
        nodes = tuple(child.node for child in done.children)
        node = self._mapping(nodes, done.span) if done.is_mapping else Sequence(nodes, done.span)
        size = 1 + summed(child.size for child in done.children)
        height = 1 + max((child.height for child in done.children), default=0)
        self._finish(done.anchor, _Built(node, size, height))

    def _finish(self, anchor: str | None, built: _Built) -> None:
        if anchor is not None:
            self.anchors[anchor] = built
        self._add(built)

    def _add(self, built: _Built) -> None:
        if self.stack:
            self.stack[-1].children.append(built)
        else:
            self.root = built.node

    def _alias(self, event: AliasEvent) -> _Built:
        name = event.anchor or ""
        if any(parent.anchor == name for parent in self.stack):
            raise self._stop(
                event, "GP106", f"*{name} stands inside of &{name} itself", "write it out instead"
            )
        built = self.anchors.get(name)
        if built is None:
            self.faults.append(
                Diagnostic(
                    self._span(event),
                    "GP101",
                    f"*{name} has no &{name} before it",
                    self.suggestions.did_you_mean(name, self._known_anchors())
                    or 'to begin a text with *, quote it: "*…"',
                )
            )
            return _Built(Scalar("", self._span(event).nowhere))
        self.expanded += built.size
        if self.expanded > MAX_EXPANDED:
            raise self._stop(
                event,
                "GP106",
                f"aliases up to *{name} stand for more than {MAX_EXPANDED:,} values",
                "use fewer aliases inside of what other aliases repeat",
            )
        self._check_depth(event, built.height)
        return built

    def _known_anchors(self) -> list[str]:
        return [name for name, built in self.anchors.items() if built.node.span.column]

    def _mapping(self, nodes: tuple[Node, ...], span: Span) -> Mapping:
        merged: dict[str, tuple[Scalar, Node]] = {}
        own: dict[str, tuple[Scalar, Node]] = {}
        seen: dict[str, Scalar] = {}
        for key, value in zip(nodes[::2], nodes[1::2], strict=True):
            if not isinstance(key, Scalar):
                self._unfit_key(key)
                continue
            if _is_lost(key):
                span = span.nowhere
                continue
            if len(key.text) > MAX_KEY:
                message = f"a key of {len(key.text):,} characters; the most is {MAX_KEY:,}"
                hint = "a key is a name; is a colon missing, or quotes around a text?"
                self._fault(key.span, "GP110", message, hint)
                continue
            if key.plain and not key.text:
                self._fault(key.span, "GP101", "a key is missing before this colon", "")
                continue
            if key.plain and ":" in key.text and isinstance(value, Scalar) and value.is_null:
                hint = f"write {{{key.text.replace(':', ': ', 1)}}}"
                self._fault(key.span, "GP101", "a space is missing after the colon", hint)
                continue
            if key.text in seen:
                hint = f"it stands first in line {seen[key.text].span.line}; keep one of the two"
                self._fault(key.span, "GP102", f"the key {key.text!r} stands here again", hint)
                continue
            seen[key.text] = key
            if key.plain and key.text == MERGE:
                merged = self._merged(value)
                span = span.nowhere if _is_lost(value) else span
            else:
                own[key.text] = (key, value)
        # Merged keys come first, as if written above; an explicit one takes their place.
        return Mapping(tuple({**merged, **own}.values()), span)

    def _merged(self, value: Node) -> dict[str, tuple[Scalar, Node]]:
        parts = value.items if isinstance(value, Sequence) else (value,)
        entries: dict[str, tuple[Scalar, Node]] = {}
        for part in parts:
            if _is_lost(part):
                continue
            if not isinstance(part, Mapping):
                message = "<< takes in a mapping, or a list of mappings"
                self._fault(part.span, "GP101", message, "write <<: *name after &name on a mapping")
                continue
            for key, node in part.entries:
                entries.setdefault(key.text, (key, node))
        return entries

    def _unfit_key(self, key: Node) -> None:
        braces = isinstance(key, Mapping)
        self._fault(
            key.span,
            "GP101",
            f"a {'mapping' if braces else 'list'} cannot be a key",
            f"if a text is to begin with {'{' if braces else '['}, put it in quotes",
        )

    def _check_tag(self, event: NodeEvent) -> None:
        tag = getattr(event, "tag", None)
        if tag is not None:
            shown = tag.replace("tag:yaml.org,2002:", "!!")
            message = f"the tag {shown} is not allowed"
            hint = "remove it: the kind says what type a field has; a text with ! needs quotes"
            self._fault(self._span(event), "GP107", message, hint)

    def _check_characters(self, event: ScalarEvent) -> None:
        # Only an escape such as "\\0" can bring these in: the file itself has been looked at.
        control = CONTROL.search(event.value) if event.style == '"' else None
        if control is not None:
            message = f"an escape in this text stands for U+{ord(control[0]):04X}"
            hint = "that character cannot be printed; in '…' a \\ means nothing special"
            self._fault(self._span(event), "GP101", message, hint)

    def _check_depth(self, event: Event, more: int) -> None:
        if len(self.stack) + more > MAX_DEPTH:
            raise self._stop(
                event,
                "GP104",
                f"nested deeper than {MAX_DEPTH} levels",
                "look for brackets that are opened again and again",
            )

    def _span(self, event: Event) -> Span:
        mark: Any = event.start_mark
        return Span(self.shown, mark.line + 1, mark.column + 1)

    def _place(self, event: ScalarEvent) -> Span:
        """Where a text stands; one that is missing behind `? key` stands where that ends, and not
        where the next line begins."""
        mark: Any = event.start_mark
        end: Any = event.end_mark
        is_missing = mark.index == end.index
        if is_missing and self.last is not None and self.last.line < mark.line:
            mark = self.last
        return Span(self.shown, mark.line + 1, mark.column + 1)

    def _raw(self, event: Event) -> str:
        start: Any = event.start_mark
        end: Any = event.end_mark
        return self.text[start.index : end.index]

    def _comment(self, event: ScalarEvent) -> Comment | None:
        """What YAML takes for a comment and an author perhaps for text: it is not set apart by two
        blanks or a tab and `# `, or stands where a value is missing."""
        start: Any = event.start_mark
        end: Any = event.end_mark
        is_missing = start.index == end.index
        mark = self.last if is_missing else end
        if mark is None:
            return None
        found = (_VALUE_CUT if is_missing else _CUT).match(self.text, mark.index)
        if found is None:
            return None
        at = found.start(found.lastindex or 1)
        line = mark.line + self.text.count("\n", mark.index, at) + 1
        column = at - (self.text.rfind("\n", 0, at) + 1) + 1
        return Comment(Span(self.shown, line, column), found[found.lastindex or 1].rstrip())

    def _fault(self, span: Span, code: str, message: str, hint: str) -> None:
        self.faults.append(Diagnostic(span, code, message, hint))

    def _stop(self, event: Event, code: str, message: str, hint: str) -> GridpressError:
        return GridpressError(Diagnostic(self._span(event), code, message, hint))


def _is_lost(node: Node) -> bool:
    """Whether a node, or a part of it, is the alias of what could not be read."""
    parts = node.items if isinstance(node, Sequence) else (node,)
    return any(isinstance(part, Scalar) and not part.span.column for part in parts)


class NodesRead(Struct, frozen=True):
    """What there is of a text, all that is wrong with it, and where it `ended` too early, if so."""

    root: Node | None
    faults: list[Diagnostic]
    ended: tuple[Diagnostic, ...] = ()


def read_nodes(
    text: str, shown: str, loader: Any = FASTEST, anchors: Mappings[str, Scalar] | None = None
) -> NodesRead:
    """The nodes of a text up to its end, or up to where there is no going on. `anchors` are known
    before it begins."""
    builder = _Builder(text, shown)
    builder.anchors |= {name: _Built(scalar) for name, scalar in (anchors or {}).items()}
    ended: tuple[Diagnostic, ...] = ()
    try:
        builder.build(yaml.parse(text, Loader=loader))
    except GridpressError as error:
        ended = error.diagnostics
    except (yaml.YAMLError, ValueError, OverflowError) as error:
        # The Python parser lets "\\UFFFFFFFF" fail in chr().
        opened = builder.stack[-1].span if builder.stack else None
        ended = (explain(error, text, shown, opened),)
    return NodesRead(builder.root, builder.faults, ended)
