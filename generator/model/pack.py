"""What validate hands on: a pack with every default, reference and unit resolved, and what its
components' values are: text that knows where it was written, lists and records that stay."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from enum import StrEnum
from fnmatch import fnmatchcase
from typing import Any, Final, NamedTuple

from msgspec import Struct, field
from msgspec.structs import replace

from generator.diagnostics import Span
from generator.model.catalogue import Stock, Wish


class Field(Struct, frozen=True):
    """One field of a kind. Which of the limits apply depends on `type`, see docs/kinds.md."""

    name: str
    type: str
    span: Span
    optional: bool = False
    default: Any = None
    min: float | None = None
    max: float | None = None
    length: int | None = None
    min_length: int | None = None
    max_length: int | None = None
    pattern: str | None = None
    unique: bool = False
    draft: bool = False
    choices: tuple[str, ...] = ()
    of: Field | None = None
    fields: Mapping[str, Field] = field(default_factory=dict)
    kind: str | None = None
    description: str = ""


class Kind(Struct, frozen=True):
    """A kind of component: its fields, faces (side name to template) and stock.

    A stock may be worked out for each component: then `stock` is the one that theirs are like, and
    `Component.stock` is what each is printed on.

    `made_from` names another kind: one component is made for each of its components, or, with
    `each`, for each entry of that list field; the parent's values are reached under its kind's
    name and the entry's are the component's own. `why` says in words how many of it are printed for
    this order. Of a kind that is `collated` set after set is printed, each copy with its number
    as the value `copy`. Components of a kind that `is_tile` have a value `tile`, those of a kind
    that `is_layout` a value `layout`: see docs/tracks.md. `circuit` is what circuits of its tiles
    must have, by the keys of that section. Of a `draft` what is missing or does not fit is a
    warning. A kind that `mirrors` fills the bleed with mirror images of pictures.
    """

    name: str
    title: str
    span: Span
    fields: Mapping[str, Field]
    faces: Mapping[str, str]
    stock: Stock | None
    made_from: str | None = None
    each: str | None = None
    collated: bool = False
    description: str = ""
    why: str = ""
    is_tile: bool = False
    is_layout: bool = False
    circuit: Mapping[str, Any] = field(default_factory=dict)
    draft: bool = False
    mirrors: bool = False


def words_in(only: str | None) -> tuple[str, ...]:
    """What stands between the commas of a text that asks for components, each once."""
    words = (word.strip() for word in (only or "").split(","))
    return tuple(dict.fromkeys(word for word in words if word))


_COPY: Final = "~"
"""Stands in the id of a further copy, before its number."""


def uncopied(id_: str) -> str:
    """The id of the component of which this is the id, or that of a further copy."""
    return id_.partition(_COPY)[0]


class Called(NamedTuple):
    """How a user may call a component."""

    kind: str
    id: str
    name: str = ""

    def fits(self, word: str) -> bool:
        """True when its id, its kind/id or its name fits the pattern; letters in any case."""
        own = (self.id, f"{self.kind}/{self.id}", self.name)
        return any(fnmatchcase(name.casefold(), word.casefold()) for name in own if name)


class Component(Struct, frozen=True):
    """One thing to print: nothing in it is optional, unresolved or in mixed units any more.

    `origins` are the components that it is made from, nearest first, and those that bring it when
    they are printed alone. `stock` is its kind's, or its own where the kind works one
    out for each; None for a kind that is only data.
    """

    id: str
    kind: str
    values: Record
    quantity: int
    span: Span
    origins: tuple[Called, ...] = ()
    stock: Stock | None = None

    def copy(self, number: int) -> Component:
        """A copy of a collated kind, which is drawn by itself. The first is called as all are."""
        if number == 1:
            return replace(self, quantity=min(1, self.quantity))
        return replace(
            self,
            id=f"{self.id}{_COPY}{number}",
            values=self.values.with_values({"id": self.id, "copy": number}),
            quantity=1,
            origins=(self.called, *self.origins),
        )

    @property
    def called(self) -> Called:
        """How it may be called."""
        name = self.values.get("name")
        return Called(self.kind, self.id, name if isinstance(name, str) else "")

    def answers_to(self, only: str) -> bool:
        """True when it, or one of its origins, is called by one of the `words_in` a text: by its
        id, kind/id or name, in which * and ? stand for any."""
        words = words_in(only)
        return any(called.fits(word) for called in (self.called, *self.origins) for word in words)


class Layout(StrEnum):
    """How the faces of a print come onto its paper."""

    NUP = "nup"
    NESTED = "nested"
    LABELS = "labels"
    BOOKLET = "booklet"
    POSTER = "poster"


DEFAULT_OVERLAP: Final = 10.0
"""mm that neighbouring pages of a poster repeat: a strip as wide as a glue stick."""


class Backs(StrEnum):
    """How backs come behind fronts."""

    DUPLEX_LONG = "duplex-long"
    DUPLEX_SHORT = "duplex-short"
    GUTTERFOLD = "gutterfold"
    NONE = "none"


class Print(Struct, frozen=True):
    """What goes onto one paper stock: kinds in order, papers, layout. One PDF for each paper.
    `overlap` is what neighbouring pages of a poster repeat, mm; `split` lets a piece that is larger
    than its paper run over several, as a poster does; `stickers` is for full sheets of them."""

    name: str
    title: str
    span: Span
    kinds: tuple[str, ...]
    papers: tuple[str, ...]
    layout: Layout = Layout.NUP
    backs: Backs = Backs.DUPLEX_LONG
    gutter: float | None = None
    labels: Mapping[str, str] = field(default_factory=dict)
    media: str = ""
    overlap: float = DEFAULT_OVERLAP
    split: bool = False
    stickers: bool = False

    @property
    def has_stickers(self) -> bool:
        """True for sticker paper, die-cut or whole."""
        return self.stickers or self.layout is Layout.LABELS


COARSE: Final = ("GP505", "GP831")
"""Pictures with too few pixels, before and after they are printed: a waiver of one is for both."""

WAIVABLE: Final = "GP(21[569]|310|40[4578]|505|8[0-9]{2})"
"""The codes that a waiver may name."""

SELDOM_MEANT: Final = ("GP215", "GP216", "GP219")
"""What is told of definitions that may be as they are; a waiver is for these, before a build."""


class Waiver(Struct, frozen=True):
    """A finding that the author has seen and accepts: its code, which components (`kind/id`, a
    pattern) it may be about, and why."""

    code: str
    component: str
    reason: str
    span: Span

    @property
    def lets_coarse(self) -> bool:
        """True for one of pictures that are too coarse to be more than a draft."""
        return self.code in COARSE

    def fits(self, name: str) -> bool:
        """Whether it may be about a component, `kind/id`."""
        return is_waived_for(self.component, name)


def is_waived_for(pattern: str, name: str) -> bool:
    """Whether the pattern of a waiver, of kind/id or an id alone, fits a component, `kind/id`; one
    of all fits what is about none, too."""
    name = uncopied(name)
    names = (name,) if "/" in pattern else (name, name.rpartition("/")[2])
    return any(fnmatchcase(each, pattern) for each in names)


class Pack(Struct, frozen=True):
    """A whole pack, ready to draw. `components` is by kind, in the order of the files.

    `requires` are the names of all packs that it needs, nearest first. Their kinds and components
    are among its own; unless one of its prints names them, none of them is printed. `lent` are
    those kinds, with how many components came with each: further ones are the pack's own.
    `guests` are the names of those that it, or a pack that it requires, asks for. `sketches` are
    tracks that are wrong, only to be shown: their `layout` has stand-ins for unknown tiles.
    """

    name: str
    title: str
    version: str
    span: Span
    kinds: Mapping[str, Kind]
    components: Mapping[str, tuple[Component, ...]]
    prints: tuple[Print, ...]
    options: Record
    credits: tuple[str, ...] = ()
    licence: str = ""
    language: str = "en"
    words: Mapping[str, str] = field(default_factory=dict)
    players: int | None = None
    styles: Record = field(default_factory=lambda: Record({}, Span("")))
    description: str = ""
    waivers: tuple[Waiver, ...] = ()
    outlets: Mapping[str, Wish] = field(default_factory=dict)
    requires: tuple[str, ...] = ()
    guests: tuple[str, ...] = ()
    lent: Mapping[str, int] = field(default_factory=dict)
    sketches: tuple[Component, ...] = ()

    def printed(self, kind: str) -> tuple[Component, ...]:
        """The components of a kind as they are drawn and printed: of a collated one set by set."""
        found = self.components.get(kind, ())
        if not self.kinds[kind].collated:
            return found
        sets = range(2, max((component.quantity for component in found), default=0) + 1)
        first = tuple(component.copy(1) for component in found)
        return first + tuple(
            c.copy(number) for number in sets for c in found if c.quantity >= number
        )

    def copies_of(self, kind: str, id_: str) -> tuple[str, ...]:
        """The ids that the copies of a component are drawn under: its own, and more where its
        kind is collated."""
        if not self.kinds[kind].collated:
            return (id_,)
        return tuple(c.id for c in self.printed(kind) if uncopied(c.id) == id_)

    def lets_coarse(self, kind: str, id_: str) -> bool:
        """True where the pictures of a component may be too coarse to be more than a draft."""
        name = f"{kind}/{id_}"
        return any(waiver.lets_coarse and waiver.fits(name) for waiver in self.waivers)

    def is_own(self, kind: str) -> bool:
        """True for a kind that the pack defines, or to which it adds components."""
        return kind not in self.lent or len(self.components[kind]) > self.lent[kind]

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickled with its records side by side, however they refer to each other."""
        left_out = ("components", "sketches")
        rest = {
            name: getattr(self, name) for name in self.__struct_fields__ if name not in left_out
        }
        listed = [component for found in self.components.values() for component in found]
        nothing = Record({}, Span(""))
        shells = {
            kind: tuple(replace(component, values=nothing) for component in found)
            for kind, found in self.components.items()
        }
        return _restored, (rest, shells, to_parcel([component.values for component in listed]))


def _restored(
    rest: dict[str, Any], shells: dict[str, tuple[Component, ...]], parcel: Parcel
) -> Pack:
    records = iter(from_parcel(parcel))
    components = {
        kind: tuple(replace(shell, values=next(records)) for shell in found)
        for kind, found in shells.items()
    }
    return Pack(**rest, components=components)


class SourceText(str):
    """Text from an author's file. `rich` says that its markup (**bold**, {icon}) is meant; of a
    picture's name, that a placeholder stands for a file that is missing."""

    __slots__ = ("rich", "span")

    span: Span
    rich: bool

    def __new__(cls, text: str, span: Span, rich: bool = False) -> SourceText:
        """Text, the place it was written, and whether its markup counts."""
        self = super().__new__(cls, text)
        self.span = span
        self.rich = rich
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return (SourceText, (str(self), self.span, self.rich))


class Items(tuple[Any, ...]):
    """A list that cannot be changed; equal to a list or tuple of the same values."""

    __slots__ = ()

    def __eq__(self, other: object) -> bool:
        return tuple.__eq__(self, tuple(other) if isinstance(other, list) else other)

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __hash__(self) -> int:
        return tuple.__hash__(self)

    def __getitem__(self, place: Any) -> Any:
        found = tuple.__getitem__(self, place)
        return Items(found) if isinstance(place, slice) else found


class Record(Mapping[str, Any]):
    """Named values that cannot be changed; knows where each was written.

    Templates and expressions reach the values as attributes: `c.name`.
    """

    __slots__ = ("_later", "_spans", "_values", "span")

    def __init__(
        self, values: Mapping[str, Any], span: Span, spans: Mapping[str, Span] | None = None
    ) -> None:
        self._values = dict(values)
        self._spans = dict(spans or {})
        self._later: Callable[[str], None] | None = None
        self.span = span

    def __getitem__(self, name: str) -> Any:
        try:
            return self._values[name]
        except KeyError:
            if self._later is None:
                raise
            self._later(name)
            return self._values[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)

    def __repr__(self) -> str:
        return f"Record({self._values!r})"

    def as_dict(self) -> dict[str, Any]:
        """The values by name, as a copy that may be changed."""
        return dict(self._values)

    @property
    def spans(self) -> Mapping[str, Span]:
        """Where each value that was written was written."""
        return self._spans

    def span_of(self, name: str) -> Span:
        """Where the value was written, or the record itself when it was not (a default)."""
        return self._spans.get(name, self.span)

    def fill(self, values: Mapping[str, Any], spans: Mapping[str, Span] | None = None) -> None:
        """Add values while the record is still being made: others may already refer to it.

        Only the validate stage does this; a record that has left it never changes.
        """
        self._values.update(values)
        self._spans.update(spans or {})

    def defer(self, compute: Callable[[str], None] | None) -> None:
        """Have values that are still missing computed on demand; None once all are there."""
        self._later = compute

    def with_values(self, more: Mapping[str, Any]) -> Record:
        """The same record with values added or replaced."""
        return Record({**self._values, **more}, self.span, self._spans)


class _Link(Struct, frozen=True):
    """Stands for one of the records that are packed together."""

    number: int


Parcel = tuple[tuple[dict[str, Any], Span, Mapping[str, Span]], ...]


def to_parcel(records: Sequence[Record]) -> Parcel:
    """The records with all that is in them, for another process; links where they name each other.

    Pickle follows references by calls inside calls: a track of spaces that each name the next would
    be too deep for it, and circles are common. In a parcel a reference is a number.
    """
    links = {id(record): _Link(number) for number, record in enumerate(records)}

    def linked(value: Any) -> Any:
        if isinstance(value, Record):
            return links.get(id(value)) or Record(
                {name: linked(item) for name, item in value.items()}, value.span, value.spans
            )
        return Items(map(linked, value)) if isinstance(value, Items) else value

    return tuple(
        ({name: linked(value) for name, value in record.items()}, record.span, record.spans)
        for record in records
    )


def from_parcel(parcel: Parcel) -> tuple[Record, ...]:
    """The same records again, each of them once."""
    records = tuple(Record({}, span) for _, span, _ in parcel)

    def resolved(value: Any) -> Any:
        if isinstance(value, _Link):
            return records[value.number]
        if isinstance(value, Record):
            inner = {name: resolved(item) for name, item in value.items()}
            return Record(inner, value.span, value.spans)
        return Items(map(resolved, value)) if isinstance(value, Items) else value

    for record, (values, _, spans) in zip(records, parcel, strict=True):
        record.fill({name: resolved(value) for name, value in values.items()}, spans)
    return records
