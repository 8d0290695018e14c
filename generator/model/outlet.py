"""Outlets: the places besides a home printer where a game goes, shops and what they make as data
from cards/shared/shops.yaml and a project's own."""

from __future__ import annotations

import re
from collections.abc import Mapping
from enum import StrEnum
from typing import Final

from msgspec import Struct, field

from generator.diagnostics import Span
from generator.geometry import Size
from generator.model.stock import Paper, Shape

OUTLETS: Final[Mapping[str, str]] = {
    "images": "a picture of each face, and a table of them",
    "svg": "each face as an SVG with text as text, for a drawing program",
    "pnp": "a zip for a download page: both papers, full and low ink, and how to make it",
    "drivethru": "DriveThruCards: a PDF/X-1a a deck in four inks, backs and fronts in turn",
    "press": "any press: PDF/X-4 in four inks, fronts and backs of a kind in a file each",
    "cutter": "sheets with marks, and where a machine cuts them: SVG, DXF, CutContour",
    "tts": "a saved object of Tabletop Simulator with all pieces",
    "pcio": "a room of playingcards.io with all pieces in piles",
    "ttpg": "a package of Tabletop Playground with all pieces as templates",
}
"""What there is besides the home PDF and the shops, by name."""
WISHES: Final[Mapping[str, tuple[str, ...]]] = {
    "images": ("names",),
    "svg": ("names",),
    "tts": ("objects", "url", "sheet_px"),
    "ttpg": ("objects", "sheet_px"),
}
"""What a pack may wish of them; of a shop that makes products, which."""


class TableObject(StrEnum):
    """What a kind becomes on a virtual table."""

    DECK = "deck"
    TILE = "tile"
    TOKEN = "token"  # noqa: S105, a piece of cardboard
    FIGURINE = "figurine"
    DICE = "dice"


ADDRESS: Final = re.compile(r"https?://[^\s\x00-\x1f]+")
"""Where a table can find pictures."""


class Product(Struct, frozen=True):
    """A blank that a shop prints on: the pixels that it wants, bleed included, and what is cut out
    of them, mm, upright or lying as the shop has it; `sticks` if it is one of stickers."""

    name: str
    canvas: tuple[int, int]
    trim: Size
    shape: Shape
    sticks: bool = False


class AnySize(Struct, frozen=True):
    """A shop that cuts what it is sent: the bleed that it wants, mm, and the most pixels of a side;
    0 for no limit."""

    bleed: float
    most_px: int = 0


class Shop(Struct, frozen=True):
    """How a print shop takes pictures, and what it makes of them.

    `fronts` and `backs` are the names of files, without suffix, with {product}, {kind}, {id},
    {number} and {copies} in them. A shop that `repeats` is given a picture for each copy;
    `shared_back` names the one file for backs that are all alike, if it takes that. Text keeps
    `safe` mm clear of the trim. A product has `most` pictures, a file `most_bytes`; 0 for any.
    """

    name: str
    title: str
    span: Span
    fronts: str
    backs: str
    shared_back: str
    dpi: int
    format: str
    repeats: bool
    safe: float
    most: int
    most_bytes: int
    products: Mapping[str, Product]
    any_size: AnySize | None


class Wish(Struct, frozen=True):
    """What a pack says of an outlet: the product of a shop that a kind is to be made as, or the
    object of a table that it becomes; the names of pictures; where a table finds them, and how many
    pixels a side of a sheet of cards has there at most, 0 for as many as it takes."""

    span: Span
    products: Mapping[str, str] = field(default_factory=dict)
    objects: Mapping[str, TableObject] = field(default_factory=dict)
    names: str = ""
    url: str = ""
    sheet_px: int = 0


class Blank(Struct, frozen=True):
    """What a profile's shop cuts, mm: the piece, and the page with its bleed that it is sent as."""

    name: str
    trim: Size
    page: Size


class PdfProfile(Struct, frozen=True):
    """What somebody who prints takes, and refuses; lengths in mm.

    Of a shop a page is one piece of its `blanks`, any where there are none; one that takes
    `pictures` makes a picture of each page, and cuts nothing off. It has `bleed`, text keeps `safe`
    clear of the cut, and with `boxes` the page says where that is. Of a printer at home a page is a
    sheet of one of its `papers`, which stays white in their margins. `colours` are kinds of colour
    that will do, `spot` for inks of their own; of all inks `ink` % at most lie in one place. One of
    the `standards` is wanted, and one of the `conditions` as its output intent. Pictures have `dpi`
    at least; `paired` pages are the sides of a card in turn. 0 and nothing stand for any.
    """

    name: str
    title: str
    blanks: tuple[Blank, ...] = ()
    papers: tuple[Paper, ...] = ()
    pictures: bool = False
    bleed: float = 0.0
    safe: float = 0.0
    boxes: bool = False
    colours: tuple[str, ...] = ()
    ink: float = 0.0
    transparency: bool = True
    standards: tuple[str, ...] = ()
    conditions: tuple[str, ...] = ()
    dpi: int = 0
    most_pages: int = 0
    most_bytes: int = 0
    paired: bool = False
