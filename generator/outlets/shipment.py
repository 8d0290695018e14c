"""Values that outlets share: the pieces to export, the pictures to draw, the files made."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final, NamedTuple, Protocol
from unicodedata import normalize

from msgspec import Struct

from generator.build import LaidOut, Order
from generator.diagnostics import Diagnostic, GridpressError, Outcome, Span, warning
from generator.export import Canvas, DrawnCanvas
from generator.files import Roots, is_device
from generator.fonts import FontLibrary
from generator.geometry import MM_PER_INCH, Size
from generator.model.catalogue import Catalogue, Stock, Wish
from generator.model.face import Face
from generator.model.pack import Component, Kind, Pack

NAMES: Final = "{kind}-{id}-{side}"
"""Pattern for the names of pictures, unless the pack sets one."""
_NOT_IN_FILES: Final = re.compile(r'[<>:"/\\|?*\x00-\x1f\x7f]')
LONGEST: Final = 200
"""Characters of a path below the outlet's folder; Windows takes some 260 in all."""


class Piece(Struct, frozen=True):
    """A component with its faces by name."""

    component: Component
    faces: Mapping[str, Face]

    @property
    def id(self) -> str:
        """Return the component's id."""
        return self.component.id

    @property
    def file_name(self) -> str:
        """Return the component's name without characters that file systems refuse, else its id."""
        name = _NOT_IN_FILES.sub(" ", normalize("NFC", self.component.called.name))
        return " ".join(name.split()).strip(" .") or self.id

    @property
    def copies(self) -> int:
        """Return the number of copies to make."""
        return self.component.quantity

    @property
    def front(self) -> Face:
        """Return the front."""
        return self.faces["front"]

    @property
    def back(self) -> Face | None:
        """Return the back, if there is one."""
        return self.faces.get("back")


class Lot(Struct, frozen=True):
    """All pieces of a kind on one stock; `stickers` if a print has them on sticker paper."""

    kind: Kind
    stock: Stock
    pieces: tuple[Piece, ...]
    stickers: bool = False

    @property
    def shared_back(self) -> Face | None:
        """Return the back that all pieces share, if they do."""
        backs = {piece.back.sha256 if piece.back else "" for piece in self.pieces}
        return self.pieces[0].back if len(backs) == 1 else None


class ExportOptions(NamedTuple):
    """Options of the command line; None leaves the choice to the outlet.

    `url` is the address where the files will be; without it, they stay on this computer.
    """

    dpi: int | None = None
    format: str | None = None
    bleed: bool = True
    transparent: bool = False
    url: str = ""


class Shipped(NamedTuple):
    """A file that was made: its path below the outlet's folder; of a picture also the face."""

    path: str
    face: Face | None = None
    copies: int = 0
    canvas: Canvas | None = None
    product: str = ""


class PictureOrder(NamedTuple):
    """A picture for an outlet to draw."""

    face: Face
    canvas: Canvas
    path: str
    copies: int
    product: str = ""

    @property
    def shipped(self) -> Shipped:
        """Return the file that it becomes."""
        return Shipped(self.path, self.face, self.copies, self.canvas, self.product)


class PrintsPack(Protocol):
    """A function that prints the PDFs of a pack like `gridpress build`."""

    def __call__(self, folder: str, *, ink: str = "", marks: str = "") -> Outcome[LaidOut | None]:
        """Print into a folder below the outlet's; return None if the pack cannot be printed."""


class Shipment(Struct, frozen=True):
    """A pack drawn for an outlet, which makes its files in `folder`.

    `draw` draws pictures there, and `printed` prints the pack as a build does. The files are moved
    to `place` in the end.
    """

    pack: Pack
    lots: tuple[Lot, ...]
    asked: ExportOptions
    fonts: FontLibrary
    roots: Roots
    folder: Path
    place: Path
    draw: Callable[[Sequence[PictureOrder]], Outcome[Mapping[str, DrawnCanvas]]]
    catalogue: Catalogue
    printed: PrintsPack
    order: Order


class Outlet(ABC):
    """A shop or program that a pack is exported for."""

    name: str
    title: str

    def bleeds(self, pack: Pack, lots: Sequence[Lot], asked: ExportOptions) -> Mapping[str, float]:
        """Return the bleed in mm for kinds whose stock has another. The lots have no faces yet."""
        return {}

    @abstractmethod
    def fill(self, shipment: Shipment) -> Outcome[tuple[Shipped, ...]]:
        """Make the files; report pieces that do not fit, and leave them out."""


def lots_of(pack: Pack, faces: Iterable[Face] | None, only: str | None) -> tuple[Lot, ...]:
    """Return the printed pieces of a pack with their faces, in the order of its prints."""
    drawn: dict[tuple[str, str], dict[str, Face]] = {}
    for face in faces or ():
        drawn.setdefault((face.kind, face.component), {})[face.name] = face
    kinds = dict.fromkeys(kind for print_ in pack.prints for kind in print_.kinds)
    return tuple(lot for name in kinds for lot in _lots(pack, name, drawn, only))


def _lots(
    pack: Pack, name: str, drawn: Mapping[tuple[str, str], Mapping[str, Face]], only: str | None
) -> Iterator[Lot]:
    by_stock: dict[Stock, list[Piece]] = {}
    for component in pack.printed(name):
        wanted = component.quantity and (not only or component.answers_to(only))
        if wanted and component.stock is not None:
            faces = drawn.get((name, component.id), {})
            by_stock.setdefault(component.stock, []).append(Piece(component, faces))
    stickers = any(name in print_.kinds and print_.has_stickers for print_ in pack.prints)
    for stock, pieces in by_stock.items():
        yield Lot(pack.kinds[name], stock, tuple(pieces), stickers)


def named_faces(lots: Iterable[Lot], names: str) -> Iterator[tuple[str, Lot, Piece, Face]]:
    """Yield every face with its file name after a pattern."""
    for lot in lots:
        for number, piece in enumerate(lot.pieces, 1):
            for side, face in piece.faces.items():
                name = names.format(
                    kind=lot.kind.name,
                    id=piece.id,
                    name=piece.file_name,
                    side=side,
                    number=f"{number:03}",
                    copies=piece.copies,
                )
                yield name, lot, piece, face


def paths_fault(paths: Iterable[str], span: Span) -> Diagnostic | None:
    """Return GP713 for the first path that is unusable, too long, or the same as another.

    Paths that differ only in case count as the same. A placeholder in a pattern may be empty.
    """
    seen: dict[str, str] = {}
    for path in paths:
        if any(part.strip(" .") != part or not part for part in path.split("/")):
            message = f"{path!r} has a folder or name without letters, or with a dot at an end"
            hint = "check its pattern: one of its placeholders is empty"
            return Diagnostic(span, "GP713", message, hint)
        other = seen.setdefault(path.casefold(), path)
        devices = list(filter(is_device, path.split("/")))
        if devices:
            message = (
                f"{path}: {devices[0]!r} is a device on Windows, where no file can have that name"
            )
            hint = "choose another id, or put {kind}-{id} into the name"
            return Diagnostic(span, "GP713", message, hint)
        if len(path) > LONGEST:
            message = f"{path[:40]}… has {len(path)} characters; {LONGEST} are the most"
            return Diagnostic(span, "GP713", message, "shorten the ids, the names or their pattern")
        if other is not path:
            message = f"two files would be called {path}"
            return Diagnostic(span, "GP713", message, "put {kind}, {id} and {side} into the name")
    return None


def pixels_of(trim: Size, dpi: float, bleed: float = 0.0) -> tuple[int, int]:
    """Return the width and height of a picture of a trim with its bleed."""
    width, height = (
        max(1, round((side + 2 * bleed) * dpi / MM_PER_INCH)) for side in (trim.width, trim.height)
    )
    return width, height


def left_out(lot: Lot, outlet: str, why: str, hint: str) -> Diagnostic:
    """Return GP712 for a kind that an outlet cannot take."""
    message = f"{outlet} takes no {lot.kind.name!r}: {why}"
    return warning(lot.kind.span, "GP712", message, hint)


def wish_of(pack: Pack, outlet: str) -> Wish:
    """Return the pack's settings for an outlet."""
    return pack.outlets.get(outlet) or Wish(pack.span)


def refuse(diagnostic: Diagnostic | None) -> None:
    """Raise GridpressError for a diagnostic."""
    if diagnostic is not None:
        raise GridpressError(diagnostic)
