"""The `Pack`, with every default, reference and unit resolved, and the values of its components."""

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
    """A field of a kind. The limits that apply depend on `type`; see docs/kinds.md."""

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
    """A kind of component: its fields, faces (template by side) and stock.

    If each component has a stock of its own, `stock` is the one that those start from. `made_from`
    names another kind: each of its components, or with `each` each entry of that list field, makes
    one component. The parent's values are found under its kind's name. `why` is the reason for the
    quantity in words. Copies of a `collated` kind are printed set by set, with the number of each
    as `copy`. Components have the value `tile` if the kind `is_tile`, `layout` if it `is_layout`;
    `circuit` holds the rules of circuits: see docs/tracks.md. In a `draft`, missing pictures and
    texts that do not fit are warnings. A kind that `mirrors` fills the bleed with mirror images of
    pictures.
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
    """Return the parts between the commas of `--only`, each once."""
    words = (word.strip() for word in (only or "").split(","))
    return tuple(dict.fromkeys(word for word in words if word))


_COPY: Final = "~"
"""Comes before the number in the id of a further copy."""


def uncopied(id_: str) -> str:
    """Return the id of the component that an id, perhaps of a copy, belongs to."""
    return id_.partition(_COPY)[0]


class Called(NamedTuple):
    """A component as a user may call it."""

    kind: str
    id: str
    name: str = ""

    def fits(self, word: str) -> bool:
        """Return True if its id, kind/id or name matches the pattern, in any case."""
        own = (self.id, f"{self.kind}/{self.id}", self.name)
        return any(fnmatchcase(name.casefold(), word.casefold()) for name in own if name)


class Component(Struct, frozen=True):
    """A thing to print, with all values resolved and in mm.

    `origins` are the components that it is made from, nearest first, and those that bring it when
    they are printed alone. `stock` is its own or its kind's; None for data.
    """

    id: str
    kind: str
    values: Record
    quantity: int
    span: Span
    origins: tuple[Called, ...] = ()
    stock: Stock | None = None

    def copy(self, number: int) -> Component:
        """Return a copy of a collated kind. The first keeps the id."""
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
        """Return its names for users."""
        name = self.values.get("name")
        return Called(self.kind, self.id, name if isinstance(name, str) else "")

    def answers_to(self, only: str) -> bool:
        """Return True if `--only` calls the component or one of its origins by id, kind/id or name;
        * and ? match anything."""
        words = words_in(only)
        return any(called.fits(word) for called in (self.called, *self.origins) for word in words)


class Layout(StrEnum):
    """Arrangement of the faces of a print on paper."""

    NUP = "nup"
    NESTED = "nested"
    LABELS = "labels"
    BOOKLET = "booklet"
    POSTER = "poster"


DEFAULT_OVERLAP: Final = 10.0
"""Overlap of neighbouring pages of a poster, mm: a strip as wide as a glue stick."""


class Backs(StrEnum):
    """Placement of backs behind fronts."""

    DUPLEX_LONG = "duplex-long"
    DUPLEX_SHORT = "duplex-short"
    GUTTERFOLD = "gutterfold"
    NONE = "none"


class Print(Struct, frozen=True):
    """Kinds for one paper stock, with papers and layout; one PDF for each paper. `overlap` is that
    of poster pages, mm. `split` spreads a piece larger than the paper over several pages.
    `stickers` means full sheets of sticker paper."""

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
        """Return True for sticker paper, die-cut or not."""
        return self.stickers or self.layout is Layout.LABELS


COARSE: Final = ("GP505", "GP831")
"""Pictures with too few pixels, before and after printing. A waiver for one counts for both."""

WAIVABLE: Final = "GP(21[569]|310|40[4578]|505|8[0-9]{2})"
"""Codes that a waiver may name."""

SELDOM_MEANT: Final = ("GP215", "GP216", "GP219")
"""Codes of definitions that are allowed but rarely meant."""


class Waiver(Struct, frozen=True):
    """A finding that the author accepts: its code, a pattern for `kind/id`, and why."""

    code: str
    component: str
    reason: str
    span: Span

    @property
    def lets_coarse(self) -> bool:
        """Return True for a waiver of coarse pictures."""
        return self.code in COARSE

    def fits(self, name: str) -> bool:
        """Return True if it may be about a component, `kind/id`."""
        return is_waived_for(self.component, name)


def is_waived_for(pattern: str, name: str) -> bool:
    """Return True if a waiver's pattern matches `kind/id`, or the id alone if it has no /."""
    name = uncopied(name)
    names = (name,) if "/" in pattern else (name, name.rpartition("/")[2])
    return any(fnmatchcase(each, pattern) for each in names)


class Pack(Struct, frozen=True):
    """A whole pack, ready to draw, with its components by kind in the order of the files.

    `requires` are all packs that it needs, nearest first. Their kinds and components are included,
    but only printed if one of its prints names them. `lent` are those kinds with the number of
    their components; further ones are the pack's own. `guests` are those of the pack and of
    required packs.
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

    def printed(self, kind: str) -> tuple[Component, ...]:
        """Return the components of a kind as they are printed, collated ones set by set."""
        found = self.components.get(kind, ())
        if not self.kinds[kind].collated:
            return found
        sets = range(2, max((component.quantity for component in found), default=0) + 1)
        first = tuple(component.copy(1) for component in found)
        return first + tuple(
            c.copy(number) for number in sets for c in found if c.quantity >= number
        )

    def copies_of(self, kind: str, id_: str) -> tuple[str, ...]:
        """Return the ids under which the copies of a component are drawn."""
        if not self.kinds[kind].collated:
            return (id_,)
        return tuple(c.id for c in self.printed(kind) if uncopied(c.id) == id_)

    def lets_coarse(self, kind: str, id_: str) -> bool:
        """Return True if a component may have coarse pictures."""
        name = f"{kind}/{id_}"
        return any(waiver.lets_coarse and waiver.fits(name) for waiver in self.waivers)

    def is_own(self, kind: str) -> bool:
        """Return True for a kind that the pack defines or adds components to."""
        return kind not in self.lent or len(self.components[kind]) > self.lent[kind]

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the records side by side: references between them may be deep or circular."""
        rest = {
            name: getattr(self, name) for name in self.__struct_fields__ if name != "components"
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
    """Text from an author's file. `rich` means that its markup (**bold**, {icon}) counts; for a
    picture's name, that the file is missing and a placeholder is printed."""

    __slots__ = ("rich", "span")

    span: Span
    rich: bool

    def __new__(cls, text: str, span: Span, rich: bool = False) -> SourceText:
        """Make a text with its place."""
        self = super().__new__(cls, text)
        self.span = span
        self.rich = rich
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return (SourceText, (str(self), self.span, self.rich))


class Items(tuple[Any, ...]):
    """An immutable list, equal to a list or tuple of the same values."""

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
    """Immutable named values, each with its place. Templates read them as `c.name`."""

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
        """Return the values by name as a copy."""
        return dict(self._values)

    @property
    def spans(self) -> Mapping[str, Span]:
        """Return the places of values that were written."""
        return self._spans

    def span_of(self, name: str) -> Span:
        """Return the place of a value, or of the record for a default."""
        return self._spans.get(name, self.span)

    def fill(self, values: Mapping[str, Any], spans: Mapping[str, Span] | None = None) -> None:
        """Add values while the record is being made. Only validate does this."""
        self._values.update(values)
        self._spans.update(spans or {})

    def defer(self, compute: Callable[[str], None] | None) -> None:
        """Compute missing values on demand; None ends that."""
        self._later = compute

    def with_values(self, more: Mapping[str, Any]) -> Record:
        """Return the record with values added or replaced."""
        return Record({**self._values, **more}, self.span, self._spans)


class _Link(Struct, frozen=True):
    """A reference to one of the records that are packed together."""

    number: int


Parcel = tuple[tuple[dict[str, Any], Span, Mapping[str, Span]], ...]


def to_parcel(records: Sequence[Record]) -> Parcel:
    """Return the records for another process, with numbers in place of references.

    Pickle follows references recursively, so a long chain of them would exhaust its stack.
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
    """Return the records of a parcel."""
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
