"""Read YAML files into documents whose nodes know their file, line and column.

Nodes are built from PyYAML's events with a stack of our own, so deep nesting cannot exhaust
Python's. Aliases are counted, not expanded. Nothing is constructed or guessed.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from collections.abc import Sequence as Sequence_
from contextlib import suppress
from itertools import pairwise
from pathlib import Path
from typing import Any, Final

import msgspec
import yaml
from msgspec import Struct, field
from msgspec.structs import replace
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
from generator.diagnostics import Diagnostic, GridpressError, Outcome, Span, did_you_mean, in_order
from generator.file_kinds import kind_of
from generator.files import (
    FileTooLargeError,
    Roots,
    UnreadableError,
)
from generator.geometry import summed
from generator.load.syntax_errors import explain
from generator.model.source import (
    Comment,
    ComponentSource,
    Document,
    Mapping,
    Node,
    Scalar,
    Sequence,
)

_ROOT: Final = msgspec.msgpack.Decoder(Node)


def read_document(path: Path, shown: str, roots: Roots | None = None) -> Outcome[Document | None]:
    """Return the document of a YAML file below one of the roots (by default its own folder), or
    None if it cannot be used. `shown` names the file in diagnostics."""
    return Documents().read(path, shown, roots)


class Documents:
    """Reads YAML files and keeps their documents until a file changes. Documents without faults are
    kept in a cache, too, which is about ten times as fast as reading YAML.

    If they are `lasting`, a file that cannot be read stands as it last was, with its faults.
    """

    def __init__(self, cache: Cache = NOTHING_KEPT, *, lasting: bool = False) -> None:
        self.cache = cache
        self._known: dict[str, tuple[str, Outcome[Document | None]]] = {}
        self._is_lasting = lasting
        self._last: dict[str, Document] = {}
        self._last_components: dict[str, tuple[ComponentSource, ...]] = {}
        self._unreadable: dict[str, frozenset[str]] = {}

    def read(self, path: Path, shown: str, roots: Roots | None = None) -> Outcome[Document | None]:
        """Return what `read_document` does."""
        try:
            text = read_text(path, shown, roots)
        except GridpressError as error:
            self._known.pop(shown, None)
            return self._or_last(shown, Outcome(None, error.diagnostics))
        known = self._known.get(shown)
        if known is None or known[0] != text:
            known = self._known[shown] = text, self._document(text, shown)
        return self._or_last(shown, known[1])

    def _or_last(self, shown: str, read: Outcome[Document | None]) -> Outcome[Document | None]:
        if not self._is_lasting:
            return read
        self._unreadable.pop(shown, None)
        if read.value is not None:
            self._last[shown] = read.value
            return read
        self._unreadable[shown] = frozenset((shown,))
        return replace(read, value=self._last.get(shown))

    def components(
        self, shown: str, found: tuple[ComponentSource, ...], faults: Sequence_[Diagnostic]
    ) -> tuple[ComponentSource, ...]:
        """Return the components of a file, or those that it last had if errors leave none."""
        if not self._is_lasting:
            return found
        if found or Outcome(None, tuple(faults)).ok:
            self._last_components[shown] = found
            return found
        last = self._last_components.get(shown, ())
        self._unreadable[shown] = frozenset(one.node.span.file for one in last)
        return last

    @property
    def unreadable(self) -> frozenset[str]:
        """Return the files that stand as they last were, with tables that such a file names."""
        return frozenset[str]().union(*self._unreadable.values())

    def _document(self, text: str, shown: str) -> Outcome[Document | None]:
        kept = self.cache.read(_ROOT.decode, Sort.DOCUMENTS, shown, text)
        if kept is not None:
            return Outcome(Document(shown, kept))
        read = document_in(text, shown)
        if read.value is not None and not read.diagnostics and self.cache.keeps:
            with suppress(UnicodeEncodeError):  # an escape stands for half a character
                content = msgspec.msgpack.encode(read.value.root)
                self.cache.put(Sort.DOCUMENTS, content, shown, text)
        return read


def document_in(text: str, shown: str) -> Outcome[Document | None]:
    """Return the document of a YAML text, as `read_document` does of a file."""
    with limits.at(shown, limits.FILE + limits.MEGABYTE * len(text) / 1_000_000):
        root, faults = parse_yaml(text, shown)
    return Outcome(None if root is None else Document(shown, root), in_order(faults))


MAX_BYTES: Final = 5_000_000

_LINE_END: Final = re.compile(r"\r\n|\r|\n")
# Characters that YAML refuses, and line ends that editors do not count as such.
_CONTROL: Final = re.compile(
    "[^\t\n\r -~\xa0-\u2027\u202a-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]"
)


def read_bytes(path: Path, shown: str, roots: Roots | None = None) -> bytes:
    """Return the content of a file of at most `MAX_BYTES` below one of the roots, by default its
    own folder. Raises GridpressError (GP002, GP004, GP103)."""
    span = Span(shown)
    try:
        return (roots or Roots((path.parent,))).read(path, MAX_BYTES)
    except UnreadableError as error:
        raise GridpressError(error.told(span, "the file")) from error
    except FileTooLargeError as error:
        hint = "split it into several files; pictures belong in files of their own"
        message = f"the file has {error.size / 1_000_000:.1f} MB, the most is 5 MB"
        raise _refused(span, "GP103", message, hint) from error


def read_text(path: Path, shown: str, roots: Roots | None = None) -> str:
    """Return the text of a UTF-8 file, with or without a byte order mark. Raises GridpressError as
    `read_bytes` does, and GP105; GP101 for control characters."""
    return text_in(read_bytes(path, shown, roots), shown)


def text_in(content: bytes, shown: str) -> str:
    """Decode the bytes of a file. Raises GridpressError as `read_text` does."""
    if content.startswith(b"version https://git-lfs") and (kind := kind_of(content)) is not None:
        raise _refused(Span(shown), "GP105", f"the file {kind.said}", kind.hint)
    if content.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise _refused(
            Span(shown), "GP105", "the file is UTF-16 text", f"save it {_as_utf8(shown)}"
        )
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise GridpressError(_bad_byte(content, error, shown)) from error
    control = _CONTROL.search(text)
    if control is None:
        return text
    span = _span_at(text, control.start(), shown)
    if control[0] == "\0":
        hint = f"it may be UTF-16, or not text at all; save it {_as_utf8(shown)}"
        raise _refused(span, "GP105", "the file is not UTF-8 text: it has a zero byte", hint)
    name = f"U+{ord(control[0]):04X}"
    hint = "delete it; it may have come in by copying from another program"
    raise _refused(span, "GP101", f"there is an invisible character here: {name}", hint)


def _span_at(text: str, index: int, shown: str) -> Span:
    ends = [end.end() for end in _LINE_END.finditer(text, 0, index)]
    return Span(shown, len(ends) + 1, index - (ends[-1] if ends else 0) + 1)


def _bad_byte(content: bytes, error: UnicodeDecodeError, shown: str) -> Diagnostic:
    mark = 3 if content.startswith(b"\xef\xbb\xbf") else 0
    start = error.start if error.object is content else error.start + mark
    before = content[mark:start].decode("utf-8", "replace")
    byte = content[start : start + 1]
    hint = f"save the file {_as_utf8(shown)}"
    with suppress(UnicodeDecodeError):
        hint += f"; in Windows-1252 (ANSI) the byte would be {byte.decode('cp1252')!r}"
    message = f"the file is not UTF-8 text: there is a byte {byte.hex().upper()} here"
    return Diagnostic(_span_at(before, len(before), shown), "GP105", message, hint)


def _as_utf8(shown: str) -> str:
    if shown.lower().endswith((".csv", ".tsv", ".txt")):
        return 'from the spreadsheet as "CSV UTF-8", or as .xlsx, which is read as well'
    return "as UTF-8 in your editor"


def _refused(span: Span, code: str, message: str, hint: str = "") -> GridpressError:
    return GridpressError(Diagnostic(span, code, message, hint))


MAX_DEPTH: Final = 100
MAX_EXPANDED: Final = 100_000
MAX_VALUES: Final = 250_000
_MERGE: Final = "<<"
_CUT: Final = re.compile(r"(?: (?=#)|[ \t]+(?=#[^\s#]))(#[^\r\n]*)")
_VALUE_CUT: Final = re.compile(
    r"[ \t]*:(?:[ \t]+|[ \t]*\r?\n[ \t]+(?=#\d))(#[^\s#][^\r\n]*)"
    r"|(?:[ \t]*:)?(?:[ \t]*(?:#[^\r\n]*)?\r?\n)+[ \t]*(?:-[ \t]+)+(#[^\s#][^\r\n]*)"
)
"""A comment in the place of a value: after a key, below it, or after the - of a list."""


class _Built(Struct, frozen=True):
    """A finished node, the number of nodes it expands to, and its levels."""

    node: Node
    size: int = 1
    height: int = 0


class _Open(Struct):
    """A list or mapping that is still open."""

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
                event, "GP106", f"*{name} is used inside &{name} itself", "write it out instead"
            )
        built = self.anchors.get(name)
        if built is None:
            hint = did_you_mean(name, self.anchors) or 'to begin a text with *, quote it: "*…"'
            raise self._stop(event, "GP101", f"*{name} has no &{name} before it", hint)
        self.expanded += built.size
        if self.expanded > MAX_EXPANDED:
            raise self._stop(
                event,
                "GP106",
                f"aliases up to *{name} expand to more than {MAX_EXPANDED:,} values",
                "use fewer aliases inside parts that other aliases repeat",
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
            if key.plain and not key.text:
                self._fault(key.span, "GP101", "a key is missing before this colon", "")
                continue
            if key.plain and ":" in key.text and isinstance(value, Scalar) and value.is_null:
                hint = f"write {{{key.text.replace(':', ': ', 1)}}}"
                self._fault(key.span, "GP101", "a space is missing after the colon", hint)
                continue
            if key.text in seen:
                hint = f"it is first given in line {seen[key.text].span.line}; keep one of the two"
                self._fault(key.span, "GP102", f"the key {key.text!r} is given again here", hint)
                continue
            seen[key.text] = key
            if key.plain and key.text == _MERGE:
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
                message = "<< needs a mapping, or a list of mappings"
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
        # Only an escape such as "\\0" can bring these in: the file itself was checked.
        control = _CONTROL.search(event.value) if event.style == '"' else None
        if control is not None:
            message = f"an escape in this text means U+{ord(control[0]):04X}"
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
        """Return the place of a text. A value that is missing after `? key` has the place where the
        key ends, not where the next line begins."""
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
        """Return a comment that the author may have meant as text: nothing but one blank sets it
        apart, or it replaces a value."""
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


_FIRST: Final = re.compile(r"^components:.*\n(?:[ \t]*(?:#.*)?\n)*( *- )", re.MULTILINE)


def parse_yaml(text: str, shown: str) -> tuple[Node | None, list[Diagnostic]]:
    """Return the root node, None if the text cannot be used, and everything that is wrong with it.
    A text that is not YAML has one fault for that."""
    builder = _Builder(text, shown)
    ended = _parsed(builder)
    if ended is not None and ended.code == "GP101":
        ended = _in_first_component(builder) or ended
    if ended is not None:
        return None, [*builder.faults, ended]
    root = builder.root
    if root is None or (isinstance(root, Scalar) and root.is_null):
        hint = "write its content, or delete the file"
        return None, [*builder.faults, Diagnostic(Span(shown), "GP109", "the file is empty", hint)]
    return root, builder.faults


def _parsed(builder: _Builder) -> Diagnostic | None:
    """Build the nodes, and return why there is no reading on."""
    try:
        builder.build(yaml.parse(builder.text, Loader=yaml.CSafeLoader))
    except GridpressError as error:
        return error.diagnostics[0]
    except yaml.YAMLError as error:
        opened = builder.stack[-1].span if builder.stack else None
        return explain(error, builder.text, builder.shown, opened)
    return None


def _in_first_component(whole: _Builder) -> Diagnostic | None:
    """Return the fault of the first component that is not YAML by itself. An open quote ends at the
    next quote, so the parser stops at a later component."""
    first = _FIRST.search(whole.text)
    if first is None:
        return None
    lines = whole.text.split("\n")
    begins = [at for at, line in enumerate(lines) if line.startswith(first[1])]
    for begin, end in pairwise(begins):
        alone = _Builder("\n" * begin + "\n".join(lines[begin:end]), whole.shown)
        alone.anchors |= whole.anchors
        if (fault := _parsed(alone)) is not None:
            return fault
    return None
