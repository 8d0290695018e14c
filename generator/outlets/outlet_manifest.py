"""`manifest.json` of an outlet's folder: which files were made of what, and how many of each; and
the files, read back from the disk before they are put in place, against what they were to be."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Collection, Iterable, Iterator
from pathlib import Path
from typing import Annotated, Final

import msgspec
from defusedxml import ElementTree
from msgspec import Meta, Struct
from PIL import Image

from generator import __version__
from generator.diagnostics import Diagnostic, Span
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


_DPI_OFF: Final = 0.02
"""PNG counts pixels a metre, whole ones."""
_PLAIN: Final = 2
"""Levels by which all pixels of a picture may differ and it still shows nothing."""


def inspect(
    listing: Listing, folder: Path, dpi: float | None, speaking: Collection[str], span: Span
) -> list[Diagnostic]:
    """What is wrong with the files: GP716. `dpi` is what all pictures are to say, if any; those
    that are `speaking` have words on them."""
    faults = []
    for file in listing.files:
        for wrong in _faults(file, folder / file.file, dpi, file.file in speaking):
            hint = "this should not be: export again; if it stays, tell us"
            faults.append(Diagnostic(span, "GP716", f"{file.file}: {wrong}", hint))
    faults += [
        Diagnostic(span, "GP716", f"{name}: nobody asked for it", "export again")
        for name in sorted(_strangers(listing.files, folder))
    ]
    return faults


def _faults(file: FileListing, path: Path, dpi: float | None, speaks: bool) -> Iterator[str]:
    content = path.read_bytes()
    if hashlib.sha256(content).hexdigest() != file.sha256:
        yield "it is not what was written"
    if path.suffix in (".png", ".jpg"):
        yield from _picture_faults(file, path, dpi, speaks)
    elif path.suffix == ".svg":
        try:
            ElementTree.fromstring(content)
        except ElementTree.ParseError as error:
            yield f"no program opens it: {error}"


def _picture_faults(
    file: FileListing, path: Path, dpi: float | None, speaks: bool
) -> Iterator[str]:
    with Image.open(path) as picture:
        picture.load()
        if file.width_px and picture.size != (file.width_px, file.height_px):
            width, height = picture.size
            yield f"{width} × {height} px, not {file.width_px} × {file.height_px}"
        told = picture.info.get("dpi", (0, 0))
        if file.kind and dpi is not None and any(abs(float(one) - dpi) > _DPI_OFF for one in told):
            yield f"it says {float(told[0]):.1f} dpi, not {dpi:.1f}"
        if file.kind and not picture.info.get("icc_profile"):
            yield "it does not say what its colours are (no profile)"
        if speaks and max(high - low for low, high in _extremes(picture)) <= _PLAIN:
            yield "it shows nothing"


def _extremes(picture: Image.Image) -> list[tuple[int, int]]:
    found = picture.getextrema()
    return [found] if isinstance(found[0], int | float) else list(found)  # type: ignore[list-item]


def _strangers(files: Iterable[FileListing], folder: Path) -> set[str]:
    there = {p.relative_to(folder).as_posix() for p in folder.rglob("*") if p.is_file()}
    return there - {file.file for file in files}
