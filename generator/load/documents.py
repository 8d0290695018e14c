"""Reads YAML files of a project into documents; long, since it is one way from bytes to nodes that
know their place, and what stands around a field that is no YAML goes it again.

PyYAML's stream of events is worked on with a stack of our own, so that no nesting can exhaust
Python's; what aliases would expand to is counted instead of expanded. Nothing is constructed or
guessed. Documents that are the same are not read again.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
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
from generator.file_kinds import kind_of
from generator.files import (
    FileTooLargeError,
    Roots,
    UnreadableError,
)
from generator.geometry import summed
from generator.load.syntax_errors import explain
from generator.model.source import Comment, Document, Mapping, Node, Scalar, Sequence

T = TypeVar("T")
U = TypeVar("U")


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
        self._each: dict[str, tuple[Any, dict[int, tuple[Any, Any]]]] = {}

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

    def each(
        self, make: Callable[[T, U], T], values: Iterable[T], name: str, given: U
    ) -> tuple[T, ...]:
        """What is made of each of some values and what is `given`: not again of those that were
        there the last time, under the same name."""
        before, known = self._each.get(name, (given, {}))
        if before != given:
            known = {}
        made = [(value, known.get(id(value)) or (value, make(value, given))) for value in values]
        # as long as a value is kept, no other has its id
        self._each[name] = given, {id(value): pair for value, pair in made}
        return tuple(pair[1] for _, pair in made)

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


_KIND: Final = re.compile(r"^kind:[ \t]*([A-Za-z0-9_-]+)[ \t]*$", re.MULTILINE)


def document_in(text: str, shown: str) -> Outcome[Document | None]:
    """The document of a text in YAML, as `read_document` says it of a file."""
    with limits.at(shown, limits.FILE + limits.MEGABYTE * len(text) / 1_000_000):
        root, faults = parse_yaml(text, shown)
    return Outcome(None if root is None else Document(shown, root), in_order(faults))


MAX_BYTES: Final = 5_000_000

_LINE_END: Final = re.compile(r"\r\n|\r|\n")
# What YAML allows in a file, turned round, and the line ends that are none to an editor: places in
# the file would be counted otherwise. (Surrogates cannot come out of UTF-8.)
_CONTROL: Final = re.compile(
    "[^\t\n\r -~\xa0-\u2027\u202a-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]"
)


def read_bytes(path: Path, shown: str, roots: Roots | None = None) -> bytes:
    """The content of an ordinary file of at most `MAX_BYTES`, below one of the roots; without any
    it stays in its own folder.

    Raises GridpressError (GP002, GP004, GP103).
    """
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
    """The text of a UTF-8 file, with or without a byte order mark, as `read_bytes` reads it.

    Raises GridpressError (GP002, GP004, GP103, GP105; GP101 for control characters).
    """
    return text_in(read_bytes(path, shown, roots), shown)


def text_in(content: bytes, shown: str) -> str:
    """The text that some bytes are. Raises GridpressError as `read_text` does."""
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
        hint = f"it may be UTF-16 or no text at all; save it {_as_utf8(shown)}"
        raise _refused(span, "GP105", "the file is not UTF-8 text: it has a zero byte", hint)
    name = f"U+{ord(control[0]):04X}"
    hint = "delete it; it may have come in by copying from another program"
    raise _refused(span, "GP101", f"the invisible character {name} stands here", hint)


def _span_at(text: str, index: int, shown: str) -> Span:
    """Line and column, from 1, of a position in a text."""
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
    message = f"the file is not UTF-8 text: the byte {byte.hex().upper()} stands here"
    return Diagnostic(_span_at(before, len(before), shown), "GP105", message, hint)


def _as_utf8(shown: str) -> str:
    """How to save a file so that it can be read."""
    if shown.lower().endswith((".csv", ".tsv", ".txt")):
        return 'from the spreadsheet as "CSV UTF-8", or as .xlsx, which is read as well'
    return "as UTF-8 in your editor"


def _refused(span: Span, code: str, message: str, hint: str = "") -> GridpressError:
    return GridpressError(Diagnostic(span, code, message, hint))


MAX_DEPTH: Final = 100
MAX_EXPANDED: Final = 100_000
MAX_VALUES: Final = 250_000
"""Lists, mappings, keys and values of one file: twenty times a deck of a thousand cards."""
MAX_KEY: Final = 1_000
"""Characters of a key: it is said again with all that is wrong below it."""
_MERGE: Final = "<<"
_CUT: Final = re.compile(r"(?: (?=#)|[ \t]+(?=#[^\s#]))(#[^\r\n]*)")
_VALUE_CUT: Final = re.compile(
    r"[ \t]*:(?:[ \t]+|[ \t]*\r?\n[ \t]+(?=#\d))(#[^\s#][^\r\n]*)"
    r"|(?:[ \t]*:)?(?:[ \t]*(?:#[^\r\n]*)?\r?\n)+[ \t]*(?:-[ \t]+)+(#[^\s#][^\r\n]*)"
)
"""A comment in the place of a value: behind its key, below it, or behind the - of a list."""

# The C parser is ten times as fast; an installation may lack it.
_FASTEST: Final[Any] = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


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
            if key.plain and key.text == _MERGE:
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
        control = _CONTROL.search(event.value) if event.style == '"' else None
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


class _NodesRead(Struct, frozen=True):
    """What there is of a text, all that is wrong with it, and where it `ended` too early, if so."""

    root: Node | None
    faults: list[Diagnostic]
    ended: tuple[Diagnostic, ...] = ()


def _read_nodes(
    text: str, shown: str, loader: Any = _FASTEST, anchors: Mappings[str, Scalar] | None = None
) -> _NodesRead:
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
    return _NodesRead(builder.root, builder.faults, ended)


_MOST_BROKEN: Final = 20
"""Components of a file, and fields of one, of which is told what is wrong with each."""
_LIST: Final = re.compile(r"components:[ \t]*(?:#.*)?\r?$")
_LONE_END: Final = re.compile(r"\r(?!\Z)|[\x85\u2028\u2029]")
"""What begins a new line for YAML, besides what ends the lines of a file."""
_BEGINNING: Final = r"(?m)(?:^[ \t]*|(?<=[:?-])[ \t]+|(?<=[\[{,])[ \t]*)"
"""Where a value may begin; `R &B` within a text is none."""
_ANCHOR: Final = re.compile(_BEGINNING + r"&([^\s,\[\]{}]+)")
_KEPT: Final = re.compile(_ANCHOR.pattern + r"[ \t]+([\w.][^#\n,:{}\[\]]*)$")
"""A plain text with an anchor, which can be known though what is around it is no YAML."""
_DASH: Final = re.compile(r" *- +(?:&\S+[ \t]*)?(?:#.*)?")
_KEY: Final = re.compile(r"[\w-]+:(?=\s|$)")
_LOST: Final = "no-yaml"
"""An anchor for what stands in the place of a field that is no YAML."""


def parse_yaml(
    text: str, shown: str, loader: Any = _FASTEST
) -> tuple[Node | None, list[Diagnostic]]:
    """The root node, or None when there is no using the text, and all that is wrong with it. In a
    list of components that are no YAML those fields stand nowhere that are none; a component that
    cannot be read without them is left out."""
    whole = _read_nodes(text, shown, loader)
    if not whole.ended:
        return _rooted(whole.root, whole.faults, shown)
    lines = text.split("\n")
    broken = [
        at for at in _components(lines) if not _is_mapping("\n".join(lines[slice(*at)]), loader)
    ]
    if not broken:
        return None, [*whole.faults, *whole.ended]
    # Where the whole stops may be far behind the quote that is not closed.
    faults: list[Diagnostic] = []
    lost: list[str] = []
    for first, end in broken[:_MOST_BROKEN]:
        mended = _Broken(lines, first, end, shown, loader).mended(faults)
        lost += (old for old, new in zip(lines[first:end], mended, strict=True) if old != new)
        lines[first:end] = mended
    more = broken[_MOST_BROKEN:]
    for first, end in more:
        lost += lines[first:end]
        lines[first:end] = map(_blank, lines[first:end])
    if more:
        message = f"components from here on that are no YAML, too: {len(more):,}"
        hint = "mend those above: it may well be the same mistake"
        faults.append(Diagnostic(Span(shown, more[0][0] + 1), "GP101", message, hint))
    gone = "\n".join(lost)
    anchors = {name: Scalar("", Span(shown).nowhere) for name in (_LOST, *_ANCHOR.findall(gone))}
    anchors |= {name: Scalar(word.rstrip(), Span(shown)) for name, word in _KEPT.findall(gone)}
    rest = _read_nodes("\n".join(lines), shown, loader, anchors)
    faults += (*rest.faults, *rest.ended)
    root = rest.root
    if rest.ended or not isinstance(root, Mapping):
        return None, faults
    is_list = isinstance(root.get("components"), Sequence)  # else there was but this one
    return (root if is_list else None), faults


def _rooted(
    root: Node | None, faults: list[Diagnostic], shown: str
) -> tuple[Node | None, list[Diagnostic]]:
    if isinstance(root, Scalar) and not root.span.column:  # an alias of nothing, which was told
        return None, faults
    if root is None or (isinstance(root, Scalar) and root.is_null):
        hint = "write its content, or delete the file"
        return None, [*faults, Diagnostic(Span(shown), "GP109", "the file is empty", hint)]
    return root, faults


def _is_mapping(text: str, loader: Any, at: int = 3) -> bool:
    """Whether a text is YAML, the event of this number the beginning of a mapping."""
    try:
        events = [type(event) for event in yaml.parse(text, Loader=loader)]
    except (yaml.YAMLError, ValueError, OverflowError):
        return False
    return issubclass(events[at], MappingStartEvent) if len(events) > at else False


class _Broken(Struct, frozen=True):
    """A component that is no YAML: its lines among those of its file, from 0."""

    lines: list[str]
    first: int
    end: int
    shown: str
    loader: Any

    def mended(self, faults: list[Diagnostic]) -> list[str]:
        """Its lines, with the mark of what is lost for each field that is no YAML; nothing where
        that is of no help. What is wrong with each field is told."""
        mended, told = self.lines[self.first : self.end], len(faults)
        for begin, end, indent in self._fields():
            if len(faults) - told >= _MOST_BROKEN:
                break
            field = [" " * indent + mended[begin][indent:], *mended[begin + 1 : end]]
            if _is_mapping("\n".join(field), self.loader, 2):
                continue
            fault = self._fault(mended, begin, end) or self._fault(field, begin, end, begin)
            key = _KEY.match(mended[begin], indent)
            is_flow = mended[begin][indent : indent + 1] in ("{", "[")
            if fault is None or is_flow or (not key and any("<<:" in line for line in mended)):
                break
            faults.append(fault)
            mark = f"{key[0] if key else '<<:'} *{_LOST}"
            empty = "\n" * (len(_LONE_END.findall(mended[begin])))
            mended[begin:end] = (mended[begin][:indent] + mark + empty, *map(_blank, field[1:]))
        if _is_mapping("\n".join(mended), self.loader):
            return mended
        if fault := self._fault(mended, 0, len(mended)):
            faults.append(fault)
        return [*map(_blank, self.lines[self.first : self.end])]

    def _fault(self, lines: list[str], begin: int, end: int, at: int = 0) -> Diagnostic | None:
        """Why these lines, which are those of the component from `at` on, are no YAML, if it is
        because of a field that has lines from `begin` to `end`."""
        above = map(_blank, self.lines[: self.first + at])
        ended = _read_nodes("\n".join((*above, *lines)), self.shown, self.loader).ended
        before = sum(1 + len(_LONE_END.findall(line)) for line in self.lines[: self.first])
        height = [1 + len(_LONE_END.findall(line)) for line in self.lines[self.first : self.end]]
        top = before + summed(height[:begin])
        if ended and (at or top < ended[0].span.line <= top + summed(height[begin:end])):
            return ended[0]
        return None

    def _fields(self) -> Iterator[tuple[int, int, int]]:
        """From where to where each field stands, from 0, and at what column its key."""
        lines = self.lines[self.first : self.end]
        dash = _DASH.match(lines[0])
        if dash is None:
            return
        indent, begin = dash.end(), 0
        if not lines[0][indent:].strip():
            begin = next((at for at, line in enumerate(lines[1:], 1) if line.strip()), len(lines))
            indent = len(lines[begin]) - len(lines[begin].lstrip(" ")) if begin < len(lines) else 0
        for at in range(begin + 1, len(lines) + 1):
            line = lines[at] if at < len(lines) else ""
            is_key = line[:indent].isspace() and line[indent:][:1] not in ("", " ", "#", "-", "\r")
            if at == len(lines) or is_key:
                yield begin, at, indent
                begin = at


def _blank(line: str) -> str:
    """Nothing, as high as YAML takes this line to be."""
    return "\n" * len(_LONE_END.findall(line))


def _components(lines: list[str]) -> list[tuple[int, int]]:
    """From where to where each component stands that is written as a block, one below the other."""
    found: list[tuple[int, int]] = []
    begin = next((at + 1 for at, line in enumerate(lines) if _LIST.match(line)), len(lines))
    indent = None
    for at in range(begin, len(lines)):
        line = lines[at].lstrip(" ")
        if not line.strip() or line.startswith("#"):
            continue
        depth = len(lines[at]) - len(line)
        is_first = line.startswith("- ")
        indent = depth if indent is None else indent
        if not depth and not line.startswith("\t") and (indent or not is_first):
            break  # what stands at the left edge is the file's own
        if depth == indent and is_first:
            found.append((at, at + 1))
        elif found:
            found[-1] = found[-1][0], at + 1
    return found
