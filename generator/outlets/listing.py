"""`manifest.json` of an outlet's folder: which files were made of what, and how many of each."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from pathlib import Path
from typing import Annotated

import msgspec
from msgspec import Meta, Struct

from generator import __version__
from generator.model.pack import Pack
from generator.outlets.shipment import Shipped


class FileListing(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """A file: its path with slashes, its digest and size; which face it shows, how many of it are
    wanted, how many pixels it has, and the product that it is sold as."""

    file: str
    sha256: str
    bytes: int
    kind: str = ""
    component: str = ""
    side: str = ""
    copies: int = 0
    width_px: int = 0
    height_px: int = 0
    product: str = ""


class Listing(Struct, frozen=True, kw_only=True):
    """All that was made for an outlet."""

    gridpress: str
    pack: str
    version: str
    outlet: str
    players: int | None
    files: Annotated[tuple[FileListing, ...], Meta(max_length=100_000)]


def listing_of(pack: Pack, outlet: str, shipped: Iterable[Shipped], folder: Path) -> Listing:
    """What lies in a folder. Raises OSError for a file that is not there."""
    return Listing(
        gridpress=__version__,
        pack=pack.name,
        version=pack.version,
        outlet=outlet,
        players=pack.players,
        files=tuple(_file(one, folder) for one in shipped),
    )


def _file(shipped: Shipped, folder: Path) -> FileListing:
    content = (folder / shipped.path).read_bytes()
    face, canvas = shipped.face, shipped.canvas
    return FileListing(
        file=shipped.path,
        sha256=hashlib.sha256(content).hexdigest(),
        bytes=len(content),
        kind=face.kind if face else "",
        component=face.component if face else "",
        side=face.name if face else "",
        copies=shipped.copies,
        width_px=canvas.width if canvas else 0,
        height_px=canvas.height if canvas else 0,
        product=shipped.product,
    )


def listing_text(listing: Listing) -> str:
    """JSON, a file a line."""
    told = msgspec.to_builtins(listing)
    files = ",\n  ".join(json.dumps(file, ensure_ascii=False) for file in told.pop("files"))
    head = json.dumps(told, ensure_ascii=False, indent=1).removesuffix("\n}")
    return f'{head},\n "files": [\n  {files}\n ]\n}}\n'
