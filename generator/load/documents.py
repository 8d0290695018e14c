"""YAML text in, nodes that know their place out. Nothing is constructed or guessed.

Works on PyYAML's stream of events with a stack of its own, so that no nesting can exhaust
Python's, and counts what aliases would expand to instead of expanding it.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Callable, Iterable
from collections.abc import Mapping as Mappings
from contextlib import suppress
from pathlib import Path
from typing import Any, Final, TypeVar

import msgspec
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

from generator import limits
from generator.cache import NOTHING_KEPT, Cache, Sort
from generator.diagnostics import Diagnostic, GridpressError, Outcome, Span, Suggestions, in_order
from generator.files import Roots
from generator.load.entries import KEPT, blank, entries, repeating
from generator.load.pack_files import CONTROL, read_text
from generator.load.syntax_errors import explain
from generator.model.source import Comment, Document, Mapping, Node, Scalar, Sequence
from generator.units import summed

T = TypeVar("T")

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

_MOST_BROKEN: Final = 20
"""Components of a file of which is told what is wrong with each."""

_NONE: Final[Mappings[str, Any]] = {}

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
                    self.suggestions.did_you_mean(name, self.anchors)
                    or 'to begin a text with *, quote it: "*…"',
                )
            )
            return _Built(Scalar("", self._span(event)))
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

    def _mapping(self, nodes: tuple[Node, ...], span: Span) -> Mapping:
        merged: dict[str, tuple[Scalar, Node]] = {}
        own: dict[str, tuple[Scalar, Node]] = {}
        seen: dict[str, Scalar] = {}
        for key, value in zip(nodes[::2], nodes[1::2], strict=True):
            if not isinstance(key, Scalar):
                self._unfit_key(key)
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
            else:
                own[key.text] = (key, value)
        # Merged keys come first, as if written above; an explicit one takes their place.
        return Mapping(tuple({**merged, **own}.values()), span)

    def _merged(self, value: Node) -> dict[str, tuple[Scalar, Node]]:
        parts = value.items if isinstance(value, Sequence) else (value,)
        entries: dict[str, tuple[Scalar, Node]] = {}
        for part in parts:
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


def parse(text: str, shown: str, loader: Any = FASTEST) -> tuple[Node | None, list[Diagnostic]]:
    """The root node, or None when there is no using the text, and all that is wrong with it. Of a
    list of components those are left out that are no YAML."""
    builder, ended = _built(text, shown, loader)
    if not ended:
        return _root(builder)
    broken = _broken_entries(text, shown, loader)
    if not broken:
        return None, [*builder.faults, *ended]
    # Where the whole stops may be far behind the quote that is not closed.
    faults = [fault for _, told in broken for fault in told]
    kept = text.split("\n")
    gone = [lines for lines, _ in broken]
    lost = "\n".join("\n".join(kept[slice(*lines)]) for lines in gone)
    known = {name: _Built(Scalar(word.rstrip(), Span(shown))) for name, word in KEPT.findall(lost)}
    for lines in (*gone, *repeating(kept, gone, known)):
        for at in range(*lines):
            kept[at] = blank(kept[at])
    builder, ended = _built("\n".join(kept), shown, loader, known)
    if ended or not isinstance(builder.root, Mapping):
        return None, [*faults, *builder.faults, *ended]
    if not isinstance(builder.root.get("components"), Sequence):  # there was but this one
        return None, [*faults, *builder.faults]
    return builder.root, [*faults, *builder.faults]


def _built(
    text: str, shown: str, loader: Any, anchors: Mappings[str, _Built] = _NONE
) -> tuple[_Builder, tuple[Diagnostic, ...]]:
    """What there is of a text up to its end, or up to where these say that there is no going on.
    `anchors` are known before it begins."""
    builder = _Builder(text, shown)
    builder.anchors |= anchors
    try:
        builder.build(yaml.parse(text, Loader=loader))
    except GridpressError as error:
        return builder, error.diagnostics
    except (yaml.YAMLError, ValueError, OverflowError) as error:
        # The Python parser lets "\\UFFFFFFFF" fail in chr().
        opened = builder.stack[-1].span if builder.stack else None
        return builder, (explain(error, text, shown, opened),)
    return builder, ()


def _root(builder: _Builder) -> tuple[Node | None, list[Diagnostic]]:
    root = builder.root
    if root is None or (isinstance(root, Scalar) and root.is_null):
        hint = "write its content, or delete the file"
        fault = Diagnostic(Span(builder.shown), "GP109", "the file is empty", hint)
        return None, [*builder.faults, fault]
    return root, builder.faults


def _broken_entries(
    text: str, shown: str, loader: Any
) -> list[tuple[tuple[int, int], list[Diagnostic]]]:
    """The components of a file that are no YAML by themselves: their lines, from 0, and what is
    wrong with each."""
    lines = text.split("\n")
    broken: list[tuple[tuple[int, int], list[Diagnostic]]] = []
    for first, end in entries(lines):
        alone = "\n".join(lines[first:end])
        try:
            deque(yaml.parse(alone, Loader=loader), maxlen=0)
        except (yaml.YAMLError, ValueError, OverflowError):
            broken.append(((first, end), []))
    for (first, end), faults in broken[:_MOST_BROKEN]:
        alone = "\n".join((*map(blank, lines[:first]), *lines[first:end]))
        builder, ended = _built(alone, shown, loader)
        faults.extend((*builder.faults, *ended))
    if more := broken[_MOST_BROKEN:]:
        message = f"components from here on that are no YAML, too: {len(more):,}"
        hint = "mend those above: it may well be the same mistake"
        where = Span(shown, more[0][0][0] + 1)
        more[0][1].append(Diagnostic(where, "GP101", message, hint))
    return broken


def read_document(path: Path, shown: str, roots: Roots | None = None) -> Outcome[Document | None]:
    """The document of a YAML file below one of the roots (without any: below its own folder);
    `shown` names the file in diagnostics.

    The value is None when nothing can be read from it. Never raises for what is in the file.
    """
    return Documents().read(path, shown, roots)


_ROOT: Final = msgspec.msgpack.Decoder(Node)


class Documents:
    """Reads YAML files, and keeps of each what its text came to the last time; of those that are
    right in a cache, too, where they are read back some ten times as fast."""

    def __init__(self, cache: Cache = NOTHING_KEPT) -> None:
        self._cache = cache
        self._known: dict[str, tuple[str, Outcome[Document | None]]] = {}
        self._made: dict[str, tuple[Document, Any]] = {}

    def read(self, path: Path, shown: str, roots: Roots | None = None) -> Outcome[Document | None]:
        """What `read_document` says of a file."""
        try:
            text = read_text(path, shown, roots)
        except GridpressError as error:
            self._known.pop(shown, None)
            return Outcome(None, error.diagnostics)
        known = self._known.get(shown)
        if known is None or known[0] != text:
            known = self._known[shown] = text, self._document(text, shown)
        return known[1]

    def once(self, make: Callable[[], T], document: Document) -> T:
        """What is made of a document and nothing else: not again while that is the same one."""
        known = self._made.get(document.file)
        if known is None or known[0] is not document:
            known = self._made[document.file] = document, make()
        made: T = known[1]
        return made

    def _document(self, text: str, shown: str) -> Outcome[Document | None]:
        kept = self._cache.read(_ROOT.decode, Sort.DOCUMENTS, shown, text)
        if kept is not None:
            return Outcome(Document(shown, kept))
        read = document_in(text, shown)
        if read.value is not None and not read.diagnostics and self._cache.keeps:
            with suppress(UnicodeEncodeError):  # an escape stands for half a character
                content = msgspec.msgpack.encode(read.value.root)
                self._cache.put(Sort.DOCUMENTS, content, shown, text)
        return read

    def kind_in(self, shown: str) -> str | None:
        """Of which kind a file that was read is by its own words, though it may be no YAML."""
        text, _ = self._known.get(shown, ("", None))
        found = _KIND.search(text)
        return found[1] if found else None

    def mentions(self, shown: str, word: str) -> bool:
        """Whether a word stands in a file, as far as is known, with hyphens or with underscores."""
        known = self._known.get(shown)
        return known is None or word.replace("-", "_") in known[0].replace("-", "_")


_KIND: Final = re.compile(r"^kind:[ \t]*([A-Za-z0-9_-]+)[ \t]*$", re.MULTILINE)


def document_in(text: str, shown: str) -> Outcome[Document | None]:
    """The document of a text in YAML, as `read_document` says it of a file."""
    with limits.at(shown, limits.FILE + limits.MEGABYTE * len(text) / 1_000_000):
        root, faults = parse(text, shown)
    return Outcome(None if root is None else Document(shown, root), in_order(faults))
