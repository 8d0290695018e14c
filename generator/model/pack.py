"""The `Pack`, with every default, reference and unit resolved, and the values of its components."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from fnmatch import fnmatchcase
from typing import Any, Final, NamedTuple

from msgspec import Struct, field
from msgspec.structs import replace

from generator.diagnostics import Span
from generator.model.catalogue import Stock, Wish
from generator.model.face_file import FaceFile
from generator.model.values import Parcel, Record, from_parcel, to_parcel


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
    their components; further ones are the pack's own. `face_files` are layouts by name. `guests`
    are those of the pack and of required packs.
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
    face_files: Mapping[str, FaceFile] = field(default_factory=dict)

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
