"""Records what a face depends on, so that a kept face is reused until one of these values changes.

Templates get `Tracked` records in place of a pack's own. They note each value that is looked up: a
field of a component, a colour, a style, a word, an option of the pack. Templates, icons, pictures
and documents are noted by name.
"""

from __future__ import annotations

import functools
import hashlib
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from typing import Any, Final, NamedTuple, ParamSpec, TypeVar

from markupsafe import Markup
from msgspec import Struct
from msgspec.structs import astuple

from generator.cache import NOTHING_KEPT, Cache, Same
from generator.diagnostics import Span
from generator.model.values import Record, SourceText

P = ParamSpec("P")
R = TypeVar("R")

Place = tuple[str, ...]
"""A value that a face may depend on: `("component", kind, id, field)`, or the name of a record that
all faces share and a name in it."""

_PLAIN: Final = frozenset((str, int, float, bool, type(None), range))
_COMPONENT: Final = "component"
_NAME: Final = "name"
_ALL_NAMES: Final = "*"


class Dependency(NamedTuple):
    """A value that a face depends on: a digest of it, and where it was written."""

    place: Place
    digest: bytes
    span: Span | None


class _NoDigestError(Exception):
    """A value of a type that has no digest."""


class Tracker:
    """Notes in `log` what templates and helpers look into while faces are drawn.

    `names` are those that templates know. The `cache` has the digests of other things.
    """

    def __init__(self, names: Mapping[str, Any] | None = None, cache: Cache = NOTHING_KEPT) -> None:
        self.log: set[Place] = set()
        self._cache = cache
        self._names: Mapping[str, Any] = {} if names is None else names
        self._shared: dict[str, Record] = {}
        self._look_ups: dict[str, Callable[[str], Any]] = {}
        self._components: dict[Place, Record] = {}
        self._places: dict[int, Place] = {}
        self._tracked: dict[Place, Tracked] = {}
        self._known: dict[Place, Dependency | None] = {}

    def shared(self, name: str, record: Record) -> Record:
        """Return a record that all faces share as templates see it. A face depends on each of its
        values that it looks at."""
        self._shared[name] = record
        return Tracked(self, record, (name,), by_name=True)

    def source(self, name: str, look_up: Callable[[str], Any]) -> Callable[[str], None]:
        """Return a function that notes one use of something from elsewhere, such as a file.
        `look_up` gives a value that changes whenever that does."""
        self._look_ups[name] = look_up

        def note(asked: str) -> None:
            self.log.add((name, asked))

        return note

    def component(self, kind: str, id_: str, record: Record) -> Record:
        """Register the values of a component; return those that were registered first."""
        place = (_COMPONENT, kind, id_)
        known = self._components.setdefault(place, record)
        self._places[id(known)] = place
        return known

    def earlier(self, kind: str, id_: str, record: Record) -> None:
        """Treat references to the earlier values of a component as references to the new ones."""
        if (_COMPONENT, kind, id_) in self._components:
            self._places.setdefault(id(record), (_COMPONENT, kind, id_))

    def named(self, name: str) -> None:
        """Note that a template asks for a name."""
        self.log.add((_NAME, name))

    def seen(self, value: Any, place: Place) -> Any:
        """Return a value of a place with tracked records for the records in it."""
        if isinstance(value, Record):
            own = self._places.get(id(value))
            if own is None:
                return Tracked(self, value, place)
            if own not in self._tracked:
                now = self._components[own]
                self._tracked[own] = Tracked(self, now, own, by_name=True)
            return self._tracked[own]
        if not _holds_records(value):
            return value
        if isinstance(value, dict):
            return {name: self.seen(each, place) for name, each in value.items()}
        return type(value)([self.seen(each, place) for each in value])

    @contextmanager
    def reading(self) -> Iterator[set[Place]]:
        """Collect what is noted within the block, which the code around it depends on, too."""
        around, self.log = self.log, set()
        found = self.log
        try:
            yield found
        finally:
            around |= found
            self.log = around

    def remembered(self, function: Callable[P, R], most: int) -> Callable[P, R]:
        """Return the function with a memory for `most` results. A face that is given one depends
        on what it was made from."""

        @functools.lru_cache(most)
        def made(*given: P.args, **named: P.kwargs) -> tuple[R, set[Place]]:
            with self.reading() as read:
                result = function(*given, **named)
            return result, read

        @functools.wraps(function)
        def found(*given: P.args, **named: P.kwargs) -> R:
            result, read = made(*given, **named)  # type: ignore[arg-type]
            self.log |= read
            return result

        return found

    def now(self, place: Place) -> Dependency | None:
        """Return the present value of a place; None if its type has no digest."""
        if place not in self._known:
            try:
                self._known[place] = self._look_up(place)
            except _NoDigestError:
                self._known[place] = None
        return self._known[place]

    def dependencies(self, log: Iterable[Place]) -> tuple[Dependency, ...] | None:
        """Return the present values of the places in a log; None if one of them has no digest."""
        found = [self.now(place) for place in sorted(log)]
        known = [each for each in found if each is not None]
        return tuple(known) if len(known) == len(found) else None

    def still_hold(self, before: Collection[Dependency]) -> Moves | None:
        """Return how far texts have moved in their files, if all values are as they were."""
        moved = False
        for place, digest, span in before:
            present = self._known.get(place) or self.now(place)
            if present is None or present.digest != digest:
                return None
            moved = moved or present.span != span
        return self._moves(before) if moved else Moves({})

    def _moves(self, before: Iterable[Dependency]) -> Moves:
        lines: dict[str, list[tuple[int, int]]] = {}
        for known in before:
            present = self.now(known.place)
            if known.span is not None and present is not None and present.span is not None:
                pair = known.span.line, present.span.line
                lines.setdefault(known.span.file, []).append(pair)
        return Moves({file: sorted(pairs) for file, pairs in lines.items()})

    def _look_up(self, place: Place) -> Dependency:
        root, name = place[0], place[-1]
        if root in self._look_ups:
            value = self._look_ups[root](name)
            make = partial(_dependency, place, value)
            return self._cache.latest(make, (Tracker, place), Same(value))
        writing = _Writing(self._places)
        if root == _NAME:
            writing.add((_outright(self._names[name]),) if name in self._names else None)
        else:
            record = self._shared.get(root) or self._components.get(place[:-1])
            if record is not None:
                writing.anchor = record.span if root == _COMPONENT else None
                writing.add_value(record, name)
        return writing.dependency(place)


def _dependency(place: Place, value: object) -> Dependency:
    """Return the present value of a place elsewhere."""
    writing = _Writing({})
    writing.add((value,))
    return writing.dependency(place)


class Moves(Struct, frozen=True):
    """The distances that the texts of a face have moved in their files since it was drawn: by file,
    pairs of a value's old and new line."""

    lines: Mapping[str, list[tuple[int, int]]]

    @property
    def is_none(self) -> bool:
        """True if everything is where it was."""
        return all(old == new for pairs in self.lines.values() for old, new in pairs)

    def also(self, old: Span, new: Span) -> Moves:
        """Return the moves with one more, of a value in one file."""
        pairs = sorted({*self.lines.get(old.file, ()), (old.line, new.line)})
        return Moves({**self.lines, old.file: pairs})

    def moved(self, span: Span) -> Span:
        """Return where a text is now: as far from the value that begins before it as it was."""
        pairs = self.lines.get(span.file)
        if not pairs:
            return span
        old, new = next((pair for pair in reversed(pairs) if pair[0] <= span.line), pairs[0])
        return span if old == new else Span(span.file, span.line + new - old, span.column)


class Tracked(Record):
    """A record that notes whoever looks into it; the records in it are tracked, too."""

    __slots__ = ("_by_name", "_kept", "_place", "_record", "_tracker")

    def __init__(
        self, tracker: Tracker, record: Record, place: Place, *, by_name: bool = False
    ) -> None:
        self._tracker = tracker
        self._record = record
        self._place = place
        self._by_name = by_name
        self._kept: dict[str, Any] = {}

    def _note(self, name: str) -> Place:
        place = (*self._place, name) if self._by_name else self._place
        self._tracker.log.add(place)
        return place

    def __getitem__(self, name: str) -> Any:
        if not isinstance(name, str):
            return self._record[name]
        place = self._note(str(name))
        if name not in self._kept:
            self._kept[str(name)] = self._tracker.seen(self._record[name], place)
        return self._kept[name]

    def __iter__(self) -> Iterator[str]:
        self._note(_ALL_NAMES)
        return iter(self._record)

    def __len__(self) -> int:
        self._note(_ALL_NAMES)
        return len(self._record)

    def __repr__(self) -> str:
        return f"Record({self.as_dict()!r})"

    def as_dict(self) -> dict[str, Any]:
        """Return the values by name."""
        return dict(self.items())

    @property
    def span(self) -> Span:  # type: ignore[override]
        """Return where it was written."""
        self._note(_ALL_NAMES)
        return self._record.span

    @property
    def spans(self) -> Mapping[str, Span]:
        """Return where each value was written."""
        self._note(_ALL_NAMES)
        return self._record.spans

    def span_of(self, name: str) -> Span:
        """Return where a value was written, or the record if the value is a default."""
        return self.spans.get(name, self.span)

    def with_values(self, more: Mapping[str, Any]) -> Record:
        """Return another record with the values of this one and more."""
        return Record({**self.as_dict(), **more}, self.span, self.spans)


def _holds_records(value: Any) -> bool:
    if not isinstance(value, (tuple, list, dict)):
        return False
    inner = value.values() if isinstance(value, dict) else value
    return any(isinstance(each, Record) or _holds_records(each) for each in inner)


def _outright(value: Any) -> Any:
    """Return a substitute for the value of a name. Records are tracked by themselves, and helpers
    are the same for all faces."""
    if isinstance(value, (str, int, float, type(None))):
        return value
    if isinstance(value, (Mapping, tuple, list)) and not isinstance(value, Record):
        raise _NoDigestError
    return type(value).__name__


def _parts(value: Any) -> tuple[Any, ...]:
    if isinstance(value, Mapping):
        return tuple(part for pair in value.items() for part in pair)
    if isinstance(value, Struct):
        return astuple(value)
    raise _NoDigestError


class _Writing:
    """Writes a value as text for its digest. Lines count from the `anchor`, by default the first
    text in the value."""

    def __init__(self, places: Mapping[int, Place]) -> None:
        self.anchor: Span | None = None
        self._places = places
        self._parts: list[str] = []

    def dependency(self, place: Place) -> Dependency:
        written = "".join(self._parts).encode("utf-8", "surrogatepass")
        return Dependency(place, hashlib.blake2b(written, digest_size=16).digest(), self.anchor)

    def add_value(self, record: Record, name: str) -> None:
        """Write a value of a record, or that it has none of that name; with all names, also where
        the values were written."""
        if name == _ALL_NAMES:
            self.add((tuple(record), record.spans))
        elif name in record:
            self.add((record[name],))
        else:
            self.add(None)

    def add(self, value: Any) -> None:
        """Write one value. Raises _NoDigestError for one of an unknown type."""
        kind = type(value)
        if kind in _PLAIN:
            self._part(kind.__name__, value if kind is str else repr(value))
        elif isinstance(value, str):
            self._text(value)
        elif isinstance(value, (tuple, list)):
            self._all(kind.__name__, value)
        elif isinstance(value, Record):
            self._record(value)
        elif isinstance(value, Span):
            self._span(value)
        else:
            self._all(kind.__name__, _parts(value))

    def _record(self, record: Record) -> None:
        place = self._places.get(id(record))
        if place is not None:  # a component, which is a dependency of its own
            self._part(_COMPONENT, repr(place))
            return
        self._part("record", str(len(record)))
        self._span(record.span)
        self.add(dict(record))
        self.add(record.spans)

    def _all(self, kind: str, parts: Collection[Any]) -> None:
        self._part(kind, str(len(parts)))
        for part in parts:
            self.add(part)

    def _text(self, value: str) -> None:
        if isinstance(value, SourceText):
            self._part("source", "rich" if value.rich else "")
            self._span(value.span)
        self._part("safe" if isinstance(value, Markup) else "str", str(value))

    def _span(self, span: Span) -> None:
        if self.anchor is None:
            self.anchor = span
        is_near = span.file == self.anchor.file
        line = span.line - self.anchor.line if is_near else span.line
        self._part("at", f"{span.file}\0{line}\0{span.column}")

    def _part(self, kind: str, content: str) -> None:
        self._parts.append(f"{kind}:{len(content)}:{content}")
