"""The files of an outlet, read back from the disk before they are put in place, against what they
were to be."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterable, Iterator
from pathlib import Path
from typing import Final

from defusedxml import ElementTree
from PIL import Image

from generator.diagnostics import Diagnostic, Span
from generator.outlets.listing import FileListing, Listing

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
