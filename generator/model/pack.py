"""What validate hands on: a pack with every default, reference and unit resolved."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from fnmatch import fnmatchcase
from typing import Any, Final, NamedTuple

from msgspec import Struct, field
from msgspec.structs import replace

from generator.diagnostics import Span
from generator.model.outlet import Wish
from generator.model.stock import Stock
from generator.model.values import Parcel, Record, from_parcel, to_parcel


class Corrected(NamedTuple):
    """What became of a pack when other words were put into it: the pack as it was, and kind and id
    of the components in which they are."""

    before: Pack
    components: frozenset[tuple[str, str]]


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
    must have, by the keys of that section.
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
        shells = {
            kind: tuple(replace(component, values=_NOTHING) for component in found)
            for kind, found in self.components.items()
        }
        return _restored, (rest, shells, to_parcel([component.values for component in listed]))


_NOTHING: Final = Record({}, Span(""))


def _restored(
    rest: dict[str, Any], shells: dict[str, tuple[Component, ...]], parcel: Parcel
) -> Pack:
    records = iter(from_parcel(parcel))
    components = {
        kind: tuple(replace(shell, values=next(records)) for shell in found)
        for kind, found in shells.items()
    }
    return Pack(**rest, components=components)
