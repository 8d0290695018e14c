"""The orders of the page to print or export, and the files that are made."""

from __future__ import annotations

from pathlib import Path

from msgspec import Struct

from generator.model.pack import Backs


class PrintOrder(Struct, frozen=True):
    """An order to print. Empty values are those of the pack. With `only_changed`, the print has
    only the components that look different than when somebody printed them."""

    papers: tuple[str, ...] = ()
    backs: Backs | None = None
    ink: str = "full"
    players: int | None = None
    locale: str | None = None
    only_changed: bool = False


class ExportWanted(Struct, frozen=True):
    """The outlet, and its options as of `gridpress export`."""

    outlet: str
    order: PrintOrder = PrintOrder()
    dpi: int | None = None
    form: str | None = None
    bleed: bool = True
    transparent: bool = False
    url: str = ""


class MadeFiles(Struct, frozen=True):
    """The files that were made, with their pages (0 if they have none), and the findings as
    JSON. `folder` is where they are. `only` are the components that are printed if it is not the
    whole pack."""

    folder: Path
    files: tuple[tuple[str, int], ...]
    findings: tuple[bytes, ...]
    only: tuple[str, ...] | None = None


class ShopTold(Struct, frozen=True):
    """The pictures that a shop takes, for so many products (0 for any size); `copies` if it takes
    one for each copy."""

    products: int
    format: str
    dpi: int
    copies: bool


class OutletTold(Struct, frozen=True):
    """An outlet, what it is for in words, and the options that it takes."""

    name: str
    title: str
    about: str
    options: tuple[str, ...] = ()
    shop: ShopTold | None = None
