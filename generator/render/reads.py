"""Records which values a template reads, so that a cached face is reused until one of them changes;
long, since kept faces are found by these.

Templates and their helpers are given `Watched` records in place of a pack's own. Whoever looks into
one does so by its few methods, which note what was asked for, so no read is missed: not one of a
filter, a comparison or a helper, nor one of what is not there. Names, templates, icons, pictures,
colours, styles and words are noted likewise. What a face shows, and what is found on it, follows
from its component, side, stock and ink and from what it read; as long as all these reads give what
they gave, a face that was kept is the one that would be drawn.

A read is of one value: the records in it are known by where they are, and what is in them by reads
of their own. Places are told apart by their distance from the component's own line, so that a line
written above it changes nothing.
"""

from __future__ import annotations

import functools
import hashlib
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from functools import cached_property
from pathlib import Path
from typing import Any, Final, NamedTuple, ParamSpec, TypeVar

import msgspec
from markupsafe import Markup
from msgspec import Struct
from msgspec.structs import astuple, replace

from generator.cache import Cache, Sort
from generator.diagnostics import Severity, Span
from generator.fonts import FontLibrary
from generator.model.face import Asset, Face
from generator.model.pack import Component, Pack, Record, SourceText
from generator.render.face_builder import FaceDiagnostic
from generator.sandbox import Purse

P = ParamSpec("P")
R = TypeVar("R")

ReadPlace = tuple[str | int, ...]
"""The place of a record: the name of a root and the way from there, or `OWN`, kind and id."""

OWN: Final = "component"
"""The root of the components' values, each by its kind and id."""
NAME: Final = "name"
"""The root of the names that templates know without a record before them."""
_VALUE, _NAMES, _SPANS = "=", "*", "@"
_DIGEST: Final = 16


class _OneRead(NamedTuple):
    """A question to a record: one value (`=name`), all its names, or where it was written."""

    place: ReadPlace
    what: str


class _Token(NamedTuple):
    """The answer to a read: its digest, and the place of the first text in it of each file."""

    digest: bytes
    anchors: tuple[Span, ...]


class _KnownPlace(NamedTuple):
    """The known answers at a place, of single reads and of reads that are asked for together; None
    for values without a digest."""

    tokens: dict[str, _Token | None]
    joined: dict[tuple[str, ...], _Token | None]


class _NoDigestError(Exception):
    """A value that has no digest."""


_ReadNode = tuple[ReadPlace, tuple[str, ...], str]
_PACKING: Final = msgspec.msgpack.Encoder()
_UNPACKING: Final = msgspec.msgpack.Decoder(tuple[_ReadNode, ...])


class Reads(Struct, frozen=True, dict=True):
    """The reads of one face: for each place, the questions and a digest of the answers."""

    nodes: tuple[_ReadNode, ...]

    def packed(self) -> bytes:
        """As bytes, for keeping. Raises UnicodeEncodeError for a name that is no text."""
        return _PACKING.encode(self.nodes)

    @classmethod
    def unpacked(cls, content: bytes) -> Reads:
        """From bytes that `packed` made."""
        return cls(_UNPACKING.decode(content))


class Watch:
    """Sees what is read while the faces of one pack are drawn, one after another.

    `names` are those that templates know; a record among them is a root to be.
    """

    def __init__(self, names: Mapping[str, Any] | None = None) -> None:
        self.names: Mapping[str, Any] = {} if names is None else names
        self._roots: dict[str, Any] = {}
        self._own: dict[int, tuple[Record, ReadPlace]] = {}
        self._records: dict[ReadPlace, Watched] = {}
        self._reads: list[_OneRead] = []
        self._numbers: dict[_OneRead, int] = {}
        self._known = defaultdict[ReadPlace, _KnownPlace](lambda: _KnownPlace({}, {}))
        self._holding: dict[tuple[int, Span], Reads] = {}
        self.log: set[int] = set()

    def root(self, name: str, record: Record) -> Record:
        """The record as templates and helpers are to see it, under a name of its own."""
        self._roots[name] = record
        return Watched(self, (name,), record)

    def source(self, name: str, look_up: Callable[[str], Any]) -> Callable[[str], None]:
        """For what is looked up elsewhere, such as files: what notes that something was.

        `look_up` gives what stands for it, and may be asked for it before it was read here.
        """
        self._roots[name] = _Source(look_up)

        def note(asked: str) -> None:
            self.note((name,), asked)

        return note

    def own(self, kind: str, id_: str, record: Record) -> Record:
        """A component's values, by which it is known from here on: the first that are told."""
        place = (OWN, kind, id_)
        known: Record = self._roots.setdefault(OWN, {}).setdefault(place[1:], record)
        self._own[id(known)] = known, place
        return known

    def named(self, name: str) -> None:
        """A template asks for a name."""
        self.note((NAME,), name)

    def note(self, place: ReadPlace, name: str) -> None:
        """One value was asked for."""
        self.log.add(self.number(place, _VALUE + name))

    def number(self, place: ReadPlace, what: str) -> int:
        """Return the entry for a read in the log."""
        read = _OneRead(place, what)
        number = self._numbers.get(read)
        if number is None:
            number = self._numbers[read] = len(self._reads)
            self._reads.append(read)
        return number

    def seen(self, value: Any, place: ReadPlace) -> Any:
        """The same value with watched records for the records in it."""
        if isinstance(value, Record):
            _, place = self._own.get(id(value), (value, place))
            known = self._records.get(place)
            if known is None:
                known = self._records[place] = Watched(self, place, value)
            return known
        if not _holds_records(value):
            return value
        if isinstance(value, dict):
            return dict(zip(value, self._seen_each(value.values(), place), strict=True))
        return type(value)(self._seen_each(value, place))

    def _seen_each(self, values: Iterable[Any], place: ReadPlace) -> list[Any]:
        return [self.seen(value, (*place, at)) for at, value in enumerate(values)]

    @contextmanager
    def reading(self) -> Iterator[set[int]]:
        """Into a set, when the block ends: what is read in it. Who reads around it has read that
        too."""
        around, self.log = self.log, set()
        found = self.log
        try:
            yield found
        finally:
            around |= found
            self.log = around

    def remembered(self, function: Callable[P, R], most: int) -> Callable[P, R]:
        """The function, whose results are kept from face to face. Who is given one that was kept
        has read what was read when it was made."""

        @functools.lru_cache(most)
        def made(*given: P.args, **named: P.kwargs) -> tuple[R, set[int]]:
            with self.reading() as read:
                result = function(*given, **named)
            return result, read

        @functools.wraps(function)
        def found(*given: P.args, **named: P.kwargs) -> R:
            result, read = made(*given, **named)  # type: ignore[arg-type]
            self.log |= read
            return result

        return found

    def reads(self, log: Iterable[int], base: Span) -> Reads | None:
        """Return the summary of a log for a component written at `base`; None if it cannot be
        compared later."""
        asked: dict[ReadPlace, list[str]] = {}
        for number in log:
            read = self._reads[number]
            asked.setdefault(read.place, []).append(read.what)
        nodes = []
        for place in sorted(asked, key=repr):
            what = tuple(sorted(asked[place]))
            digest = self._given(place, what, base)
            if digest is None:
                return None
            nodes.append((place, what, digest))
        return Reads(tuple(nodes))

    def still_hold(self, reads: Reads, base: Span) -> bool:
        """True when all these reads give here what they gave; `base` is where the component is
        written now."""
        which = id(reads), base
        if which not in self._holding:
            for place, asked, digest in reads.nodes:
                if self._given(place, asked, base) != digest:
                    return False
            self._holding[which] = reads  # which nothing else is as long as it is here
        return True

    def _given(self, place: ReadPlace, asked: tuple[str, ...], base: Span) -> str | None:
        known = self._known[place].joined
        if asked not in known:
            known[asked] = self._joined(place, asked)
        token = known[asked]
        if token is None or not token.anchors:
            return token and token.digest.hex()
        digest = hashlib.blake2b(token.digest, digest_size=_DIGEST)
        for where in (_where(anchor, base) for anchor in token.anchors):
            digest.update(b"%d:" % len(where) + where)
        return digest.hexdigest()

    def _joined(self, place: ReadPlace, asked: tuple[str, ...]) -> _Token | None:
        """Return the joint answer to all questions at a place, which most faces of a kind share."""
        found = self._tokens_at(place, asked)
        digest, anchors = hashlib.blake2b(digest_size=_DIGEST), list[Span]()
        for token in map(found.__getitem__, asked):
            if token is None:
                return None
            digest.update(b"%d;" % len(token.anchors) + token.digest)
            anchors += token.anchors
        return _Token(digest.digest(), tuple(anchors))

    def _tokens_at(self, place: ReadPlace, asked: Iterable[str]) -> Mapping[str, _Token | None]:
        """Return the answers to reads at a place, those that are asked for among them."""
        known = self._known[place].tokens
        unknown = [what for what in asked if what not in known]
        if unknown:
            record = self._at(place)
            known |= {what: self._look_up(record, place, what) for what in unknown}
        return known

    def _look_up(self, record: Mapping[str, Any], place: ReadPlace, what: str) -> _Token | None:
        writing = _Writing(self._own)
        kind, name = what[:1], what[1:]
        try:
            if kind == _NAMES:
                writing.add(tuple(record))
            elif kind == _SPANS and isinstance(record, Record):
                writing.add((record.span, record.spans))
            elif kind == _VALUE and name in record:
                value = record[name]
                writing.add((_outright(value) if place == (NAME,) else value,))
            else:
                writing.add(None)
        except _NoDigestError:
            return None
        return writing.token()

    def _at(self, place: ReadPlace) -> Mapping[str, Any]:
        """Return the record at a place; an empty one if there is none."""
        if place == (NAME,):
            return self.names
        if place[0] == OWN:
            found, way = self._roots.get(OWN, {}).get(place[1:3]), place[3:]
        else:
            found, way = self._roots.get(str(place[0])), place[1:]
        for step in way:
            found = _inside(found, step)
        return found if isinstance(found, (Record, _Source)) else {}


class Watched(Record):
    """A record that notes what is read of it; what it gives is watched in turn."""

    __slots__ = ("_kept", "_place", "_record", "_watch")

    def __init__(self, watch: Watch, place: ReadPlace, record: Record) -> None:
        self._watch = watch
        self._place = place
        self._record = record
        self._kept: dict[str, tuple[Any, int]] = {}

    def __getitem__(self, name: str) -> Any:
        kept = self._kept.get(name)  # fails for what no name can be, as a record does
        if kept is None:
            kept = self._first(name)
        self._watch.log.add(kept[1])
        return kept[0]

    def _first(self, name: str) -> tuple[Any, int]:
        try:
            value = self._record[name]
        except KeyError:
            if isinstance(name, str):
                self._watch.note(self._place, str(name))
            raise
        seen = self._watch.seen(value, (*self._place, str(name)))
        kept = seen, self._watch.number(self._place, _VALUE + str(name))
        self._kept[str(name)] = kept
        return kept

    def __iter__(self) -> Iterator[str]:
        self._watch.log.add(self._watch.number(self._place, _NAMES))
        return iter(self._record)

    def __len__(self) -> int:
        self._watch.log.add(self._watch.number(self._place, _NAMES))
        return len(self._record)

    def __repr__(self) -> str:
        return f"Record({self.as_dict()!r})"

    def as_dict(self) -> dict[str, Any]:
        """The values by name, all of them read."""
        return dict(self.items())

    @property
    def span(self) -> Span:  # type: ignore[override]
        """Return where it was written."""
        self._watch.log.add(self._watch.number(self._place, _SPANS))
        return self._record.span

    @property
    def spans(self) -> Mapping[str, Span]:
        """Return the place of each written value."""
        self._watch.log.add(self._watch.number(self._place, _SPANS))
        return self._record.spans

    def span_of(self, name: str) -> Span:
        """Return the place of the value, or of the record if the value was not written."""
        return self.spans.get(name, self.span)

    def fill(self, values: Mapping[str, Any], spans: Mapping[str, Span] | None = None) -> None:
        """Nothing is filled in any more."""
        raise TypeError("a watched record does not change")

    def defer(self, compute: Callable[[str], None] | None) -> None:
        """Nothing is worked out any more."""
        raise TypeError("a watched record does not change")

    def with_values(self, more: Mapping[str, Any]) -> Record:
        """Another record, with all the values of this one, all of them read."""
        return Record({**self.as_dict(), **more}, self.span, self.spans)

    def __reduce__(self) -> tuple[Any, ...]:
        raise TypeError("a watched record stays in its process")


class _Source(Mapping[str, Any]):
    """Things that are looked up elsewhere, watched like a record."""

    def __init__(self, look_up: Callable[[str], Any]) -> None:
        self._look_up = look_up

    def __getitem__(self, name: str) -> Any:
        return self._look_up(name)

    def __contains__(self, name: object) -> bool:
        return True

    def __iter__(self) -> Iterator[str]:
        raise _NoDigestError

    def __len__(self) -> int:
        raise _NoDigestError


def _holds_records(value: Any) -> bool:
    """True for a list or map that holds a record."""
    if not isinstance(value, (tuple, list, dict)):
        return False
    inner = value.values() if isinstance(value, dict) else value
    return any(isinstance(each, Record) or _holds_records(each) for each in inner)


def _inside(found: Any, step: str | int) -> Any:
    """One step on the way to a record; None where it leads nowhere."""
    if isinstance(found, dict):
        found = tuple(found.values())
    if isinstance(found, (tuple, list)):  # what is no record is told sooner than what is one
        return found[step] if isinstance(step, int) and step < len(found) else None
    return found.get(step) if isinstance(found, Record) and isinstance(step, str) else None


def _outright(value: Any) -> Any:
    """Return the value of a name. A record is read by itself, and helpers are the same for all."""
    if isinstance(value, (str, int, float, type(None))):
        return value
    if isinstance(value, (Mapping, tuple, list)) and not isinstance(value, Record):
        raise _NoDigestError
    return type(value).__name__


def _where(anchor: Span, base: Span) -> bytes:
    """Return the place of a text, as seen from its component."""
    if anchor.file == base.file:
        return b"%+d" % (anchor.line - base.line)
    return f"{anchor.file}\0{anchor.line}".encode("utf-8", "surrogatepass")


def _parts(value: Any) -> tuple[Any, ...]:
    """Return the parts of a map or a frozen value of ours. Raises _Unknown for all others."""
    if isinstance(value, Mapping):
        return tuple(part for pair in value.items() for part in pair)
    if isinstance(value, Struct):
        return astuple(value)
    raise _NoDigestError


class _Writing:
    """A value written out in one way only, less the lines at which its files' first texts are."""

    def __init__(self, own: Mapping[int, tuple[Record, ReadPlace]]) -> None:
        self._own = own
        self._parts: list[bytes] = []
        self._anchors: dict[str, Span] = {}

    def token(self) -> _Token:
        """Return what was written."""
        digest = hashlib.blake2b(b"".join(self._parts), digest_size=_DIGEST)
        return _Token(digest.digest(), tuple(self._anchors.values()))

    def add(self, value: Any) -> None:
        """Write one value. Raises _Unknown for anything else."""
        if isinstance(value, str):
            self._text(value)
        elif value is None or isinstance(value, (bool, int, float, range)):
            self._part(type(value).__name__, repr(value).encode())  # of a float, it says all
        elif isinstance(value, (tuple, list)):
            self._all(type(value).__name__, tuple(value))
        elif isinstance(value, Record):
            self._record(value)
        elif isinstance(value, Span):
            self._span(value)
        else:
            self._all(type(value).__name__, _parts(value))

    def _all(self, kind: str, parts: tuple[Any, ...]) -> None:
        self._part(kind, b"%d" % len(parts))
        for part in parts:
            self.add(part)

    def _text(self, value: str) -> None:
        if isinstance(value, SourceText):
            self._part("source", b"rich" if value.rich else b"")
            self._span(value.span)
        name = "safe" if isinstance(value, Markup) else "text"
        self._part(name, str.encode(value, "utf-8", "surrogatepass"))

    def _span(self, span: Span) -> None:
        anchor = self._anchors.setdefault(span.file, span)
        which = list(self._anchors).index(span.file)
        self._part("at", b"%d:%d:%d" % (which, span.line - anchor.line, span.column))

    def _record(self, record: Record) -> None:
        """Where it is says which it is; what is in it is read by itself."""
        _, place = self._own.get(id(record), (record, ()))
        self._part("record", repr(place).encode("utf-8", "surrogatepass"))

    def _part(self, kind: str, content: bytes) -> None:
        self._parts += (b"%s:%d:" % (kind.encode(), len(content)), content)


T = TypeVar("T")

_NOWHERE: Final = Path()


class Kept(Struct, frozen=True):
    """A face without the files of its pictures, which may lie elsewhere by now; where its component
    was written, its pictures by name, and what its template spent (steps and characters) of what
    all of a pack may."""

    face: Face
    findings: tuple[FaceDiagnostic, ...]
    base: Span
    pictures: tuple[str, ...]
    spent: tuple[int, int]


def _plain(value: Any) -> str:
    """A path as text."""
    return str(value)


_ENCODER: Final = msgspec.msgpack.Encoder(enc_hook=_plain)
_DECODER: Final = msgspec.msgpack.Decoder(Kept, dec_hook=lambda kind, value: kind(value))
_PARTED: Final = msgspec.msgpack.Decoder(tuple[bytes, bytes])


class _KeptFace:
    """A kept face; the face itself is decoded only if it can be reused."""

    def __init__(self, content: bytes) -> None:
        reads, self._rest = _PARTED.decode(content)
        self.reads = Reads.unpacked(reads)

    @cached_property
    def kept(self) -> Kept:
        found: Kept = _DECODER.decode(self._rest)
        return found


class Keeper:
    """Looks faces up in a cache and puts them there. `common` is what all faces of a pack follow
    from, whatever they read; `asset` finds the file of a picture by its name.

    Most faces are the same for any number of `players`. Those that are not come to have an entry
    for each number as well, so that one does not push out the other."""

    def __init__(
        self,
        cache: Cache,
        watch: Watch,
        purse: Purse,
        common: Iterable[bytes | str],
        players: int | None,
        asset: Callable[[str, Span], Asset],
    ) -> None:
        self._cache = cache
        self._watch = watch
        self._purse = purse
        self._common = tuple(common)
        self._for = ("", str(players))
        self._asset = asset

    def find(self, component: Component, side: str, template: str) -> Kept | None:
        """The face of a component as it would be drawn; None where it has to be."""
        for players in self._for:
            key = self._key(component, side, template, players)
            entry = self._cache.read(_KeptFace, Sort.FACES, *key)
            if entry is None:
                return None
            if self._watch.still_hold(entry.reads, component.span):
                return self._whole(entry.kept, component)
        return None

    def _whole(self, kept: Kept, component: Component) -> Kept | None:
        """Return what was kept for a component, with the files of its pictures, moved to where the
        component is written now."""
        assets = {}
        for name in kept.pictures:
            asset = self._asset(name, component.span)
            assets[asset.href] = asset
        if any(asset.href not in assets for asset in kept.face.assets):
            return None
        self._purse.steps -= kept.spent[0]
        self._purse.characters -= kept.spent[1]
        kept = at_new_place(kept, kept.base, component.span)
        return replace(kept, face=_with_assets(kept.face, assets)) if assets else kept

    def keep(
        self, component: Component, side: str, template: str, kept: Kept, log: set[int]
    ) -> None:
        """Keep a face that has no error, with what it read."""
        if not self._cache.keeps or any(
            found.diagnostic.severity is Severity.ERROR for found in kept.findings
        ):
            return
        reads = self._watch.reads(log, component.span)
        if reads is None:
            return
        bare = {asset.href: replace(asset, path=_NOWHERE) for asset in kept.face.assets}
        kept = replace(kept, face=_with_assets(kept.face, bare))
        with suppress(UnicodeEncodeError):  # it names a file whose name is no text
            content = _ENCODER.encode((reads.packed(), _ENCODER.encode(kept)))
            shared, own = (self._key(component, side, template, players) for players in self._for)
            if self._cache.get(Sort.FACES, *shared) is not None:
                self._cache.put(Sort.FACES, content, *own)
            self._cache.put(Sort.FACES, content, *shared)

    def _key(
        self, component: Component, side: str, template: str, players: str
    ) -> tuple[bytes | str, ...]:
        stock = _ENCODER.encode(component.stock)
        return (*self._common, players, component.kind, component.id, side, template, stock)


def common(
    pack: Pack, how: object, instead: Mapping[str, Any], fonts: FontLibrary
) -> tuple[bytes | str, ...]:
    """Return what all faces of a pack follow from: `how` they are drawn, the colours that are
    printed `instead`, the fonts. The pack's name keeps its faces apart from those of others."""
    ways = tuple((name, kind.draft, kind.mirrors) for name, kind in pack.kinds.items())
    printed = repr((how, instead, pack.guests, ways)).encode("utf-8", "surrogatepass")
    return pack.name, pack.language, printed, fonts.fingerprint()


def _with_assets(face: Face, assets: Mapping[str, Asset]) -> Face:
    """The face, its pictures in other files."""
    drawing = face.drawing
    own = tuple(assets[asset.href] for asset in drawing.assets)
    engine = tuple(
        replace(art, assets=tuple(assets[asset.href] for asset in art.assets))
        for art in drawing.engine
    )
    return replace(face, drawing=replace(drawing, assets=own, engine=engine))


def at_new_place(value: T, old: Span, new: Span) -> T:
    """What was made for a component that was written at `old`, as it is for one at `new`: places in
    its file go along. That is right where reads hold, which tell such places by their distance."""
    return value if old == new else _moved(value, old, new)


def _moved(value: Any, old: Span, new: Span) -> Any:
    def each(parts: Iterable[Any]) -> Iterator[Any]:
        return (_moved(part, old, new) for part in parts)

    if isinstance(value, Span) and value.file == old.file:
        value = replace(value, file=new.file, line=value.line + new.line - old.line)
    elif isinstance(value, SourceText):
        value = SourceText(str(value), _moved(value.span, old, new), value.rich)
    elif isinstance(value, tuple) and hasattr(value, "_fields"):
        value = type(value)(*each(value))
    elif isinstance(value, (tuple, list)):
        value = type(value)(each(value))
    elif isinstance(value, dict):
        value = dict(zip(value, each(value.values()), strict=True))
    elif isinstance(value, Struct) and not isinstance(value, Span):
        names = value.__struct_fields__
        values = each(getattr(value, name) for name in names)
        value = replace(value, **dict(zip(names, values, strict=True)))
    return value
