"""What an outlet is sent: the faces of a pack, lot by lot; and what it makes of them: files."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final, NamedTuple, Protocol
from unicodedata import normalize

from msgspec import Struct

from generator.diagnostics import Diagnostic, GridpressError, Outcome, Span, warning
from generator.export import Canvas, DrawnCanvas
from generator.files import Roots, is_device
from generator.fonts import FontLibrary
from generator.model.catalogue import Catalogue, Stock, Wish
from generator.model.face import Face
from generator.model.pack import Component, Kind, Pack
from generator.order import Order
from generator.print_runs import LaidOut

NAMES: Final = "{kind}-{id}-{side}"
"""What the picture of a face is called where a pack does not say."""
_NOT_IN_FILES: Final = re.compile(r'[<>:"/\\|?*\x00-\x1f\x7f]')
LONGEST: Final = 200
"""Characters of a file's path below the folder of its outlet; Windows takes some 260 in all."""


class Piece(Struct, frozen=True):
    """A component, how many of it are wanted, and its faces by their names."""

    component: Component
    faces: Mapping[str, Face]

    @property
    def id(self) -> str:
        """Its component's."""
        return self.component.id

    @property
    def file_name(self) -> str:
        """Return its component's name without what file systems refuse; the id if it has none."""
        name = _NOT_IN_FILES.sub(" ", normalize("NFC", self.component.called.name))
        return " ".join(name.split()).strip(" .") or self.id

    @property
    def copies(self) -> int:
        """How many of it are wanted."""
        return self.component.quantity

    @property
    def front(self) -> Face:
        """What is up."""
        return self.faces["front"]

    @property
    def back(self) -> Face | None:
        """What is under it, if anything is."""
        return self.faces.get("back")


class Lot(Struct, frozen=True):
    """All pieces of a kind that are on one stock; `stickers` where some print has them so."""

    kind: Kind
    stock: Stock
    pieces: tuple[Piece, ...]
    stickers: bool = False

    @property
    def shared_back(self) -> Face | None:
        """The back that all of them have; None where they differ or have none."""
        backs = {piece.back.sha256 if piece.back else "" for piece in self.pieces}
        return self.pieces[0].back if len(backs) == 1 else None


class ExportOptions(NamedTuple):
    """What the command line says of an export; what is None is as the outlet has it. `url` is where
    the files will be found; without it, in their folder on this computer."""

    dpi: int | None = None
    format: str | None = None
    bleed: bool = True
    transparent: bool = False
    url: str = ""


class Shipped(NamedTuple):
    """A file that was made: its path below the outlet's folder; the face that it shows, how many
    of it are wanted, and as which product it is sold, if it shows one and is."""

    path: str
    face: Face | None = None
    copies: int = 0
    canvas: Canvas | None = None
    product: str = ""


class PictureOrder(NamedTuple):
    """A picture that an outlet wants: of which face, on what canvas, as which file."""

    face: Face
    canvas: Canvas
    path: str
    copies: int
    product: str = ""

    @property
    def shipped(self) -> Shipped:
        """The file that it becomes."""
        return Shipped(self.path, self.face, self.copies, self.canvas, self.product)


class PrintsPack(Protocol):
    """Prints the PDFs of a pack as `gridpress build` does."""

    def __call__(self, folder: str, *, ink: str = "", marks: str = "") -> Outcome[LaidOut | None]:
        """Into a folder below the outlet's, with what is said of ink and marks; how they are laid
        out, or None where they cannot be."""


class Shipment(Struct, frozen=True):
    """A pack drawn for an outlet. `draw` makes pictures in `folder`, where all files of the outlet
    are gathered before they come to their `place`; `printed` prints the pack as a build does."""

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
    """A place where a game goes."""

    name: str
    title: str

    def bleeds(self, pack: Pack, lots: Sequence[Lot], asked: ExportOptions) -> Mapping[str, float]:
        """The bleed that it wants of kinds, mm, where that is not their stock's own: of none, if an
        outlet does not say. The lots have no faces yet."""
        return {}

    @abstractmethod
    def fill(self, shipment: Shipment) -> Outcome[tuple[Shipped, ...]]:
        """Make its files. What it cannot take is told, and left out."""


def lots_of(pack: Pack, faces: Iterable[Face] | None, only: str | None) -> tuple[Lot, ...]:
    """What of a pack is printed, in the order of its prints; with `faces` that are drawn."""
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
    """Every face with what a pattern for names of files makes of it."""
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
    """GP713 where two files would have one name (or would where letters have no case), or a name
    is one that Windows keeps for devices or longer than file systems take, or leads elsewhere: a
    placeholder may stand for nothing."""
    seen: dict[str, str] = {}
    for path in paths:
        if any(part.strip(" .") != part or not part for part in path.split("/")):
            message = f"{path!r} has a folder or name without letters, or with a dot at an end"
            hint = "look at its pattern: a placeholder of it stands for nothing"
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


def left_out(lot: Lot, outlet: str, why: str, hint: str) -> Diagnostic:
    """GP712: a kind that an outlet cannot take."""
    message = f"{outlet} takes no {lot.kind.name!r}: {why}"
    return warning(lot.kind.span, "GP712", message, hint)


def wish_of(pack: Pack, outlet: str) -> Wish:
    """What the pack says of an outlet; nothing, where it says nothing."""
    return pack.outlets.get(outlet) or Wish(pack.span)


def refuse(diagnostic: Diagnostic | None) -> None:
    """Raise GridpressError where there is something to say."""
    if diagnostic is not None:
        raise GridpressError(diagnostic)
