"""The model of a pack that the page gets."""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from generator.guests import OwnEditor
from generator.looks import LookWords
from generator.studio.file_places import NodePath


class FieldModel(Struct, frozen=True):
    """A field of a kind, with the limits of its type."""

    name: str
    type: str
    description: str
    optional: bool
    default: Any
    min: float | None
    max: float | None
    length: int | None
    min_length: int | None
    max_length: int | None
    unique: bool
    choices: tuple[str, ...]
    of: FieldModel | None
    fields: tuple[FieldModel, ...]
    kind: str | None


class StockModel(Struct, frozen=True):
    """A stock, mm."""

    name: str
    title: str
    width: float
    height: float
    bleed: float
    safe: float
    shape: str
    corner: float


class FaceSource(Struct, frozen=True):
    """The file that a side is drawn with: a `face` file or a `template`."""

    file: str
    sort: str
    readonly: str


class LookModel(Struct, frozen=True):
    """The look of a kind, and the palette whose colours the pack has, if it is one."""

    name: str
    title: str
    de: LookWords
    palette: str | None


class KindModel(Struct, frozen=True):
    """A kind. It is `own` unless it is of a required pack. `quantity` is how its file says how many
    are printed, "" if it does not. Guests may judge its components, and have an editor for them."""

    name: str
    title: str
    description: str
    own: bool
    file: str
    line: int
    readonly: str
    stock: StockModel | None
    faces: dict[str, FaceSource]
    made_from: str | None
    quantity: str
    look: LookModel | None
    judged: bool
    editor: OwnEditor | None
    fields: tuple[FieldModel, ...]


class ComponentModel(Struct, frozen=True):
    """A component, and where it is written; what is made from another (its kind and id) is written
    there."""

    id: str
    name: str
    quantity: int
    file: str
    path: NodePath
    line: int
    readonly: str
    made_from: tuple[str, str] | None


class PlayersModel(Struct, frozen=True):
    """The number of players that is printed for, and those that a pack is made for."""

    now: int
    min: int
    max: int


class ColourModel(Struct, frozen=True):
    """A colour of the palette, `#rrggbb`."""

    name: str
    colour: str


class StyleModel(Struct, frozen=True):
    """A text style, its size in pt."""

    name: str
    size: float


class PrintModel(Struct, frozen=True):
    """A print of the pack. `media` says what to print it on."""

    name: str
    title: str
    kinds: tuple[str, ...]
    papers: tuple[str, ...]
    backs: str
    is_booklet: bool
    media: str


class PaperModel(Struct, frozen=True):
    """A sheet of paper."""

    name: str
    title: str


class PackModel(Struct, frozen=True):
    """A pack as far as it is sound."""

    name: str
    title: str
    language: str
    languages: tuple[str, ...]
    players: PlayersModel | None
    kinds: tuple[KindModel, ...]
    components: dict[str, tuple[ComponentModel, ...]]
    palette: tuple[ColourModel, ...]
    styles: tuple[StyleModel, ...]
    stocks: tuple[StockModel, ...]
    icons: tuple[str, ...]
    prints: tuple[PrintModel, ...]
    papers: tuple[PaperModel, ...]
