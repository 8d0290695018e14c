"""Make a deck from a table: a kind with its data, laid out in a look; or update it."""

from __future__ import annotations

import functools
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from msgspec import Struct

from generator.build import Order, open_pack, printer_of
from generator.diagnostics import Diagnostic, GridpressError, Outcome, Span, did_you_mean
from generator.files import refusal
from generator.geometry import format_mm
from generator.importing.given_tables import GivenTable
from generator.importing.import_notes import listed_names, misfits, missing_assets, unexpected
from generator.importing.named_pictures import NamedPictures
from generator.load import mappings, with_ids
from generator.looks import Dress, card_looks
from generator.model.face_file import SUFFIX
from generator.model.source import Scalar, as_id, field_name
from generator.picture_folder import Fitting, cropped, fitting_stock
from generator.project import PACK_FILE, Project, Target, shipped_root
from generator.relook import kinds_in_looks
from generator.roles import Roles, roles_of
from generator.starters import plural, singular, text_in_file
from generator.table_columns import Column, are_read_alike, columns_of, names_by_head
from generator.table_faces import CardFaces, dressed, look_for, picture_faces, sides_of
from generator.table_import import Link, update_imported, write_imported
from generator.table_update import Imported, known_import

_PAPERS: Final[tuple[str, ...]] = ("a4", "letter")
_AGAIN: Final = re.compile(r"\s*\(\d{1,3}\)$")
"""The end that a browser adds to the name of a file that is downloaded again."""


class ImportOrder(Struct, frozen=True):
    """The place of a table, and the look of its cards. `called` is the name of its file without a
    suffix; empty values are worked out from that and from the table."""

    folder: Path
    called: str
    pack: str = ""
    kind: str = ""
    stock: str = ""
    look: str = ""
    size: str = "poker"
    palette: str | None = None


class ImportDone(Struct, frozen=True):
    """The files that were written, what became of the table, and notes for its author.

    An update has a `summary`. A first import has its columns with their roles, its look ("" for
    finished pictures), and the workbook that the pack reads itself, if any.
    """

    there: Imported
    paths: tuple[Path, ...]
    notes: tuple[str, ...]
    columns: tuple[Column, ...]
    summary: str = ""
    roles: Roles | None = None
    look: str = ""
    workbook: Path | None = None
    is_printed: bool = True


class UnfitChoiceError(Exception):
    """Raised when a choice does not fit the table, in words for a person."""


class UnsoundPackError(GridpressError):
    """Raised for a pack with errors, so that nothing can be added to it."""


def destination(order: ImportOrder) -> Imported:
    """Return the pack, the kind and the name of its data. Raises GridpressError."""
    stem = as_id(_AGAIN.sub("", order.called)).removeprefix("my-")
    kind = order.kind or singular(stem) or "card"
    data = stem or plural(kind)
    return Imported(order.folder, order.pack or _pack_for(order.folder, data), kind, data)


def _pack_for(folder: Path, data: str) -> str:
    """Return the project's only pack, or the one that has this table already."""
    project = Project(folder, shipped_root())
    packs = project.packs()
    if len(packs) > 1:
        having = [name for name in packs if (project.cards(name) / f"{data}.yaml").is_file()]
        packs = tuple(having) if len(having) == 1 else packs
    if len(packs) > 1:
        message, hint = f"which pack: {', '.join(packs)}?", f"add --pack {packs[0]}"
        raise GridpressError(Diagnostic(Span(str(folder)), "GP001", message, hint))
    return packs[0] if packs else f"my-{data}"


def import_table(order: ImportOrder, table: GivenTable) -> ImportDone:
    """Write a deck, or update the one that was made from an earlier state of the table.

    Raises GridpressError, and UnfitChoiceError.
    """
    there, project = destination(order), Project(order.folder, shipped_root())
    if there.is_there:
        return _again(there, table, project)
    return _first(there, table, project, order)


def _first(there: Imported, table: GivenTable, project: Project, order: ImportOrder) -> ImportDone:
    """Make a kind from a table."""
    pack, kind = there.pack, there.kind
    pictures = NamedPictures(table.home)
    columns = tuple(map(pictures.named, columns_of(table.rows, kind, types=table.types)))
    papers, pack_text, used = _PAPERS, None, None
    if pack in project.packs():
        opened = open_pack(Target(project, pack), Order())
        if opened.value is None:
            raise UnsoundPackError(*opened.diagnostics)
        if order.palette is not None:
            raise UnfitChoiceError("--palette is for a new pack; see gridpress look --palette")
        used = next(iter(kinds_in_looks(opened.value.pack).values()), None)
        papers = next((p.papers for p in opened.value.pack.prints), _PAPERS)
        pack_text = functools.partial(text_in_file, there.cards / PACK_FILE, project.roots)
    notes = list(table.notes)
    link = _link(there, table, columns)
    if link is not None and all(row.get("id") is None for row in table.rows):
        notes.append(
            f"rows get their ids from their names: {columns[0].cells[0]} is the first\n"
            "    add a column id if names may change: translations and references use ids"
        )
    roles = roles_of(columns)
    chosen = card_looks()[order.look] if order.look else used or look_for(roles)
    dress = Dress(chosen, order.size, order.palette)
    faces, more = _faces(kind, columns, pictures, project, order.stock, roles, dress)
    paths, is_printed = write_imported(
        there, _title(order, there), columns, faces, papers, dress, pack_text, pictures.found, link
    )
    notes += (*unexpected(table.rows, columns), *more)
    notes += missing_assets(columns, pictures, project, pack)
    return ImportDone(
        there,
        paths,
        tuple(notes),
        columns,
        roles=roles,
        look="" if sides_of(columns) else chosen.name,
        workbook=None if link is None else _workbook(there, link),
        is_printed=is_printed,
    )


def _title(order: ImportOrder, there: Imported) -> str:
    """Return what people call the table: the name of its file, where that is more than an id."""
    called = order.called.replace("_", " ").strip()
    is_name = as_id(called) == there.data and called.isprintable()
    return called if is_name else there.data.replace("-", " ")


def _workbook(there: Imported, link: Link) -> Path:
    folder = there.folder if link.content is None else there.cards
    return folder / link.rows.partition("#")[0]


def _faces(
    kind: str,
    columns: Sequence[Column],
    pictures: NamedPictures,
    project: Project,
    stock: str,
    roles: Roles,
    dress: Dress,
) -> tuple[CardFaces, list[str]]:
    """Return the faces of a table, in a look or as finished pictures, and notes about them."""
    notes: list[str] = []
    if sides := sides_of(columns):
        return _picture_faces(kind, sides, pictures, project, stock, notes), notes
    if stock:
        raise UnfitChoiceError("--stock is for finished pictures; others have --size")
    if roles.unused:
        names = ", ".join(column.name for column in roles.unused)
        notes.append(f"{names}: not on the card\n    write boxes for them into {kind}{SUFFIX}")
    return dressed(roles, dress, kind), notes


def _picture_faces(
    kind: str,
    sides: Sequence[Column],
    pictures: NamedPictures,
    project: Project,
    stock: str,
    notes: list[str],
) -> CardFaces:
    """Return the faces of finished pictures, and add notes about them."""
    outcome = printer_of(project)
    if outcome.value is None:
        raise GridpressError(*outcome.diagnostics)
    stocks = outcome.value[0].stocks
    if stock and stock not in stocks:
        raise UnfitChoiceError(f"--stock: there is no {stock!r}; {did_you_mean(stock, stocks)}")
    fits: list[Fitting] = []
    cut: list[str] = []
    for side in sides:
        sizes = pictures.sizes(side)
        chosen = fits[0].stock if fits else stocks[stock or "poker"] if stock or not sizes else None
        fits.append(fitting_stock(tuple(sizes.values()), stocks, chosen))
        cut += cropped(sizes, fits[-1])
    trim = fits[0].stock.trim
    size = f"{format_mm(trim.width)} × {format_mm(trim.height)} mm"
    ends = [
        f"reach {fit.bleed:.1f} mm beyond the cut"
        if fit.bleed
        else "end at the cut and are continued by their mirror image"
        for fit in fits
    ]
    said = f"the pictures {ends[0]}" if len({*ends}) == 1 else f"fronts {ends[0]}; backs {ends[1]}"
    notes.append(
        f"printed on {fits[0].stock.name} ({size}); {said}\n"
        "    --stock NAME chooses another size; gridpress list --stocks has them all"
    )
    if cut:
        notes.append(
            f"cropped to fill the card, because their proportions differ: {listed_names(cut)}\n"
            "    import pieces of another shape from a separate folder"
        )
    named = {cell for side in sides for cell in side.cells if cell}
    return picture_faces(kind, sides, fits, draft=not named <= pictures.found.keys())


def _link(there: Imported, table: GivenTable, columns: Sequence[Column]) -> Link | None:
    """Return a workbook that the pack can read itself; None if it must be copied as CSV."""
    file = table.name
    if not table.cells or "#" in file or refusal(file, Span(file)):
        return None
    names = {field_name(h): Scalar(n, Span(h)) for h, n in names_by_head(columns).items()}
    found, faults = mappings(table.cells, file, (), ".", names)
    named, _ = with_ids(found)
    if not Outcome(None, tuple(faults)).ok or not are_read_alike(named, columns):
        return None
    is_beside = table.home == there.folder.resolve()
    rows = f"{file}#{table.sheet}" if table.sheet else file
    return Link(rows, None if is_beside else table.content)


def _again(there: Imported, table: GivenTable, project: Project) -> ImportDone:
    """Update the data of a kind from its table."""
    known = known_import(there, project.roots)
    pictures = NamedPictures(table.home)
    columns = columns_of(table.rows, there.kind, known.names, known.types)
    columns = tuple(pictures.named(column) for column in columns if known.has(column.name))
    workbook = project.root.resolve() / known.data_file
    is_other = table.home is None or table.home / table.name != workbook
    is_new = known.is_linked and bool(table.name) and is_other
    paths, told = update_imported(
        there, known, columns, pictures.found, table.content if is_new else None
    )
    notes = [*table.notes, *told.notes, *misfits(table.rows, columns, known)]
    notes += missing_assets(columns, pictures, project, there.pack)
    return ImportDone(there, paths, tuple(notes), columns, told.summary)
