"""`gridpress import`: makes a deck from a table: a kind with its data, laid out in a look."""

from __future__ import annotations

import functools
import re
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import islice
from pathlib import Path, PurePath
from types import MappingProxyType
from typing import Final

import click
from msgspec import Struct
from msgspec.structs import replace

from generator import limits
from generator.assets import AssetFinder, PictureSize, assets_of, picture_size
from generator.build import Order, open_pack, printer_of
from generator.cells import PICTURE_NAME
from generator.cli import terminal
from generator.cli.start_commands import look_option, palette_option, size_option
from generator.diagnostics import (
    Diagnostic,
    GridpressError,
    Outcome,
    Span,
    did_you_mean,
    enumerated,
    plain,
)
from generator.files import Roots, UnreadableError, refusal
from generator.geometry import format_mm
from generator.load import MAX_BYTES, RowValues, mappings, read_bytes, read_table, with_ids
from generator.looks import Dress, card_looks
from generator.model.face_file import SUFFIX
from generator.model.source import Mapping, Scalar, as_id, field_name, is_sum, sound_heads
from generator.picture_folder import BACK, FRONT, Fitting, cropped, fitting_stock, read_folder
from generator.project import PACK_FILE, PARTS, WORKBOOKS, Project, Target, shipped_root
from generator.relook import kinds_in_looks
from generator.roles import Roles, roles_of
from generator.starters import plural, singular, text_in_file
from generator.table_columns import (
    Column,
    are_read_alike,
    changed_ids,
    columns_of,
    icons_in,
    names_by_head,
    no_numbers,
    no_values,
    odd_cells,
    other_numbers,
)
from generator.table_faces import CardFaces, dressed, look_for, picture_faces, sides_of
from generator.table_import import Link, PictureFile, update_imported, write_imported
from generator.table_update import Imported, Known, known_import
from generator.writing import is_plain_path

_NAME: Final = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
_PAPERS: Final[tuple[str, ...]] = ("a4", "letter")
_TYPES: Final = MappingProxyType({"name": "text"})
_NUMBER: Final = re.compile(r"-?[0-9]+([.,][0-9]+)?%?")
_AGAIN: Final = re.compile(r"\s*\(\d{1,3}\)$")
"""What a browser adds to the name of a file that is downloaded again."""
_SHOWN, _LONG = 6, 40
"""Most names that are listed; most characters of one."""
_LOOKED_THROUGH: Final = 5_000


def _given(_context: click.Context, _parameter: click.Parameter, name: str | None) -> str | None:
    if name is None or _NAME.fullmatch(name):
        return name
    if not as_id(name):
        raise click.BadParameter("a name has letters a to z or digits")
    return as_id(name)


@click.command("import")
@click.argument("shown", metavar="FILE|FOLDER|-", type=click.Path(allow_dash=True))
@click.option(
    "--in",
    "folder",
    type=click.Path(file_okay=False, path_type=Path),
    default=".",
    help="The project's folder; the current one by default.",
)
@click.option("--pack", "pack_name", callback=_given, help="The pack; if needed, it is started.")
@click.option("--kind", callback=_given, help="What a row is, such as card.")
@click.option("--sheet", default="", help="The sheet of a workbook, if not the first.")
@click.option("--stock", default="", help="The size of cards, for finished pictures.")
@look_option
@size_option
@palette_option
def import_command(
    shown: str,
    folder: Path,
    pack_name: str | None,
    kind: str | None,
    sheet: str,
    stock: str,
    look: str | None,
    size: str,
    palette: str | None,
) -> int:
    """Turn a table (CSV, XLSX, JSON, Markdown) or a folder of finished pictures into a deck: a kind
    with its data, laid out in a look.

    Types of fields are guessed from the columns; a column such as Qty gives the number of copies.
    CSV for nanDECK, Squib or Dextrous works unchanged. Without a pack in the folder, one is
    started. Import a changed table again: rows are updated and columns added, while the layout
    and your own changes stay. - reads CSV from standard input. In a folder, each picture is a card;
    dragon-back.png is the back of dragon.png, back.png the back of all cards.
    """
    file = Path(shown)
    is_folder = shown != "-" and file.is_dir()
    called = file.resolve().name if is_folder else file.stem
    table = None
    if not is_folder:
        with limits.at(shown, limits.MEGABYTE * MAX_BYTES / 1_000_000):
            table = _read(file, shown, sheet)
    stem = as_id(_AGAIN.sub("", called)) if shown != "-" else ""
    kind = kind or singular(stem.removeprefix("my-")) or "card"
    data = stem.removeprefix("my-") or plural(kind)
    project = Project(folder, shipped_root())
    there = Imported(folder, pack_name or _pack_for(project, data, folder), kind, data)
    if table is None:
        with limits.at(shown):
            table = _pictures_in(file, shown, there)
    if there.is_there:
        return _again(there, table, project)
    called = called.replace("_", " ").strip()
    called = called if as_id(called) == data and called.isprintable() else data.replace("-", " ")
    chosen = _Wanted(stock, look, size, palette)
    return _first(there, table, project, called, chosen)


def _pack_for(project: Project, data: str, folder: Path) -> str:
    """Return the project's only pack, or the one that has this table already."""
    packs = project.packs()
    if len(packs) > 1:
        having = [name for name in packs if (project.cards(name) / f"{data}.yaml").is_file()]
        packs = tuple(having) if len(having) == 1 else packs
    if len(packs) > 1:
        message, hint = f"which pack: {', '.join(packs)}?", f"add --pack {packs[0]}"
        raise GridpressError(Diagnostic(Span(str(folder)), "GP001", message, hint))
    return packs[0] if packs else f"my-{data}"


class _Wanted(Struct, frozen=True):
    """What the user chose for new cards."""

    stock: str
    look: str | None
    size: str
    palette: str | None


class _ReadTable(Struct, frozen=True):
    """A table that was read, with notes for its author.

    `file` is None for standard input. `cells` are the rows as a workbook has them, if none was
    changed. `types` are known types of fields.
    """

    rows: list[Mapping]
    notes: list[str]
    file: Path | None
    content: bytes
    cells: tuple[RowValues, ...] = ()
    sheet: str = ""
    types: MappingProxyType[str, str] = _TYPES


def _first(
    there: Imported, table: _ReadTable, project: Project, called: str, wanted: _Wanted
) -> int:
    """Make a kind from a table."""
    pack, kind = there.pack, there.kind
    pictures = _Pictures(table.file)
    columns = tuple(map(pictures.named, columns_of(table.rows, kind, types=table.types)))
    papers, pack_text, used = _PAPERS, None, None
    if pack in project.packs():
        opened = open_pack(Target(project, pack), Order())
        if opened.value is None:
            terminal.show(opened.diagnostics)
            terminal.note(f"{pack}: fix this first, then import a table")
            return 1
        if wanted.palette is not None:
            raise click.UsageError("--palette is for a new pack; see gridpress look --palette")
        used = next(iter(kinds_in_looks(opened.value.pack).values()), None)
        papers = next((p.papers for p in opened.value.pack.prints), _PAPERS)
        pack_text = functools.partial(text_in_file, there.cards / PACK_FILE, project.roots)
    link = _link(there, table, columns)
    if link is not None and all(row.get("id") is None for row in table.rows):
        table.notes.append(
            f"rows get their ids from their names: {columns[0].cells[0]} is the first\n"
            "    add a column id if names may change: translations and references use ids"
        )
    roles = roles_of(columns)
    chosen = card_looks()[wanted.look] if wanted.look else used or look_for(roles)
    dress = Dress(chosen, wanted.size, wanted.palette)
    faces, more = _faces(kind, columns, pictures, project, wanted.stock, roles, dress)
    paths, is_printed = write_imported(
        there, called, columns, faces, papers, dress, pack_text, pictures.found, link
    )
    for path in paths:
        terminal.say(str(path))
    notes = [*table.notes, *_unexpected(table.rows, columns), *more]
    for note in (*notes, *_missing(columns, pictures, project, pack)):
        terminal.note(f"\n{note}")
    guessed = ", ".join(f"{column.name} ({column.type})" for column in columns)
    counted = f"{len(table.rows)} row{'s' * (len(table.rows) > 1)}"
    terminal.say(f"\n{counted} of kind {kind} (change that with --kind); fields: {guessed}")
    if not sides_of(columns):
        terminal.say(
            f"\nthe look is {chosen.name}: gridpress looks shows all, gridpress look changes it"
        )
    if link is not None:
        where = there.folder if link.content is None else there.cards
        name = link.rows.partition("#")[0]
        terminal.say(f"\nthe pack reads {where / name} directly: change it there, then build again")
    if not is_printed:
        terminal.say(f"\nadd {kind} to the kinds of a print in cards/{pack}/pack.yaml")
    terminal.say(f"\nnow try: gridpress build {terminal.typed(there.folder)}")
    return 0


def _faces(
    kind: str,
    columns: Sequence[Column],
    pictures: _Pictures,
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
        raise click.UsageError("--stock is for finished pictures; others have --size")
    if roles.unused:
        names = ", ".join(column.name for column in roles.unused)
        notes.append(f"{names}: not on the card\n    write boxes for them into {kind}{SUFFIX}")
    return dressed(roles, dress, kind), notes


def _picture_faces(
    kind: str,
    sides: Sequence[Column],
    pictures: _Pictures,
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
        raise click.UsageError(f"--stock: there is no {stock!r}; {did_you_mean(stock, stocks)}")
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
            f"cropped to fill the card, because their proportions differ: {_listed(cut)}\n"
            "    import pieces of another shape from a separate folder"
        )
    named = {cell for side in sides for cell in side.cells if cell}
    return picture_faces(kind, sides, fits, draft=not named <= pictures.found.keys())


def _link(there: Imported, table: _ReadTable, columns: Sequence[Column]) -> Link | None:
    """Return a workbook that the pack can read itself; None if it must be copied as CSV."""
    file = table.file
    if file is None or not table.cells or "#" in file.name or refusal(file.name, Span(file.name)):
        return None
    names = {field_name(h): Scalar(n, Span(h)) for h, n in names_by_head(columns).items()}
    found, faults = mappings(table.cells, file.name, (), ".", names)
    named, _ = with_ids(found)
    if not Outcome(None, tuple(faults)).ok or not are_read_alike(named, columns):
        return None
    is_beside = file.parent == there.folder.resolve()
    rows = f"{file.name}#{table.sheet}" if table.sheet else file.name
    return Link(rows, None if is_beside else table.content)


def _again(there: Imported, table: _ReadTable, project: Project) -> int:
    """Update the data of a kind from its table, and report what changed."""
    known = known_import(there, project.roots)
    pictures = _Pictures(table.file)
    columns = columns_of(table.rows, there.kind, known.names, known.types)
    columns = tuple(pictures.named(column) for column in columns if known.has(column.name))
    workbook = project.root.resolve() / known.data_file
    is_new = known.is_linked and table.file is not None and table.file != workbook
    paths, told = update_imported(
        there, known, columns, pictures.found, table.content if is_new else None
    )
    for path in paths:
        terminal.say(str(path))
    notes = [*table.notes, *told.notes, *_misfits(table.rows, columns, known)]
    for note in (*notes, *_missing(columns, pictures, project, there.pack)):
        terminal.note(f"\n{note}")
    terminal.say(f"\n{told.summary}")
    terminal.say(f"\nnow try: gridpress build {terminal.typed(there.folder)}")
    return 0


def _misfits(rows: Sequence[Mapping], columns: Sequence[Column], known: Known) -> Iterator[str]:
    """Yield notes on cells that do not fit their field's type."""
    for name, cell, line in islice(no_values(rows, columns), _SHOWN):
        yield (
            f"{name}: {plain(cell[:_LONG])!r} in row {line} does not fit the field's type, "
            f"{known.types.get(name)}\n    change the cell, or the type in the kind"
        )


def _unexpected(rows: Sequence[Mapping], columns: Sequence[Column]) -> Iterator[str]:
    """Yield notes on what the import changed in a table."""
    if changed := changed_ids(rows, columns):
        listed = [f"{plain(given[:_LONG])} → {made}" for given, made in changed]
        yield (
            f"{enumerated(listed, _SHOWN)}: an id occurs once\n"
            "    ids have lower-case letters, digits and hyphens; use these from now on"
        )
    for name, cell, line in islice(no_numbers(rows, columns), _SHOWN):
        yield (
            f"{name}: text, because {plain(cell[:_LONG])!r} in row {line} is not a number\n"
            "    write numbers as 12 or 1.5; put units (€, %) into the face file"
        )
    yield from odd_cells(rows, columns)
    for name, given, number in other_numbers(columns, rows):
        others = "numbers" if any(map(str.isdigit, given)) else "words for numbers"
        yield f"{name}: {plain(given[:_LONG])} is written {number}, like all {others} in it"


def _missing(
    columns: Sequence[Column], pictures: _Pictures, project: Project, pack: str
) -> Iterator[str]:
    """Yield notes on pictures and icons that the table names but that do not exist."""
    assets = assets_of(project, pack)
    named = (cell for column in columns if column.type == "image" for cell in column.cells)
    if missing := [n for n in dict.fromkeys(filter(None, named)) if n not in pictures.found]:
        yield (
            f"{_listed(missing)}: not found beside the table; placeholders are printed "
            f"instead\n    put them into cards/{pack}"
        )
    icons = [name for name in icons_in(columns) if not _has_icon(assets, name)]
    if icons:
        yield (
            f"{_listed(f'{{{name}}}' for name in icons)}: printed as words, because there are no "
            f"such icons\n    put {icons[0]}.svg into templates/{pack}/icons; "
            "gridpress list --icons shows all icons"
        )


def _listed(names: Iterable[str]) -> str:
    return enumerated([plain(name[:_LONG]) for name in names], _SHOWN)


def _has_icon(assets: AssetFinder, name: str) -> bool:
    try:
        assets.icon(name)
    except GridpressError:
        return False
    return True


class _Pictures:
    """The pictures that a table names and that are beside it or in folders there."""

    def __init__(self, file: Path | None) -> None:
        self._home = None if file is None else file.parent
        self.found: dict[str, PictureFile] = {}

    def named(self, column: Column) -> Column:
        """Return a column with its pictures' names in the pack."""
        if column.type != "image":
            return column
        return replace(column, cells=tuple(map(self._name, column.cells)))

    def _name(self, cell: str) -> str:
        name = PurePath(cell).as_posix()
        is_plain = not refusal(name, Span(name)) and is_plain_path(name)
        last = name.rpartition("/")[2]
        if not cell or self._home is None:
            return cell
        if is_plain and self._is_there(name):
            self.found[cell] = PictureFile(self._home, name)
            return cell
        inner = self._below.get(last.lower())
        if inner is None:
            return cell if is_plain else last
        self.found[last] = PictureFile(self._home, inner)
        return last

    def sizes(self, column: Column) -> dict[str, PictureSize]:
        """Return the sizes of a column's pictures that exist."""
        found = {}
        for name in dict.fromkeys(filter(self.found.get, column.cells)):
            file = self.found[name]
            with suppress(GridpressError):
                path = file.home / file.name
                found[name] = picture_size(path, Span(name), Roots((file.home,)))
        return found

    def _is_there(self, name: str) -> bool:
        assert self._home is not None
        try:
            return Roots((self._home,)).has_file(self._home / name)
        except UnreadableError:  # a name too long for a file, or a link that leads out
            return False

    @functools.cached_property
    def _below(self) -> dict[str, str]:
        assert self._home is not None
        found: dict[str, str] = {}
        own = frozenset(self._home / name for name in (*PARTS, "output"))
        entries = islice(Roots((self._home,)).walk(self._home, own), _LOOKED_THROUGH)
        for entry in entries:
            if not entry.is_folder and not entry.fault and PICTURE_NAME.fullmatch(entry.path.name):
                path = entry.path.relative_to(self._home).as_posix()
                known = found.setdefault(entry.path.name.lower(), path)
                if known != path:
                    found[entry.path.name.lower()] = ""
        return {name: path for name, path in found.items() if path}


def _pictures_in(folder: Path, shown: str, there: Imported) -> _ReadTable:
    """Return the pictures of a folder as a table. Pictures in the pack's own folder stay there."""
    folder, cards = folder.resolve(), there.cards.resolve()
    home = cards if folder.is_relative_to(cards) else folder.parent
    skip = frozenset(folder / name for name in (*PARTS, "output"))
    found = read_folder(folder, skip)
    has_backs = any(card.back for card in found.cards)
    inside = folder.relative_to(home)
    rows = []
    for line, card in enumerate(found.cards, start=1):
        back = (inside / card.back).as_posix() if card.back else ""
        cells = {"name": card.name, FRONT: (inside / card.front).as_posix(), BACK: back}
        cells |= {"copies": str(card.copies)}
        span = Span(shown, line)
        entries = (
            (Scalar(key, span, raw=key), Scalar(cell, span))
            for key, cell in cells.items()
            if key != BACK or has_backs
        )
        rows.append(Mapping(tuple(entries), span))
    # Also for names with unusual suffixes.
    types = MappingProxyType({**_TYPES, FRONT: "image", BACK: "image"})
    return _ReadTable(rows, list(found.notes), home / folder.name, b"", types=types)


def _content(file: Path, shown: str) -> bytes:
    span = Span(shown)
    if "://" in shown:
        message = "this is a web address, and only gridpress pull uses the network"
        hint = (
            "open it in your browser, save the sheet as CSV (File > Download), and import that;\n"
            f"then write rows: {{url: {shown}, file: …}} in the new YAML file"
        )
        raise GridpressError(Diagnostic(span, "GP108", message, hint))
    if shown != "-":
        return read_bytes(file.resolve(), shown)
    content = sys.stdin.buffer.read(MAX_BYTES + 1)
    if len(content) > MAX_BYTES:
        message, hint = "the table has more than 5 MB", "split it into several files"
        raise GridpressError(Diagnostic(span, "GP103", message, hint))
    return content


def _read(file: Path, shown: str, sheet: str) -> _ReadTable:
    """Read a table from a file or standard input. Raises GridpressError."""
    content, span = _content(file, shown), Span(shown)
    table = read_table(content, sheet, span, shown)
    cells = tuple(table.rows)
    rows, notes = sound_heads(cells)
    is_changed = any("begins with #" not in note for note in notes)
    found, faults = mappings(rows, shown, (), table.point)
    if not Outcome(None, tuple(faults)).ok:
        raise GridpressError(*faults)
    terminal.show((*table.remarks, *faults))
    if not found:
        hint = "the first row holds the names of fields, each other row a card"
        raise GridpressError(Diagnostic(span, "GP108", "the table has no rows", hint))
    if len(found) > 1 and is_sum(found[-1], found[:-1]):
        line, is_changed = found.pop().span.line, True
        notes.append(f"row {line} is left out: it is a total, not a card")
    if table.others and not sheet:
        others = ", ".join(table.others)
        notes.append(f"this is the first sheet; --sheet takes another: {others}")
    if numbers := [key.text for key, _ in found[0].entries if _NUMBER.fullmatch(key.text)]:
        notes.append(
            f"{', '.join(numbers)}: is the first row a card?\n"
            "    the first row must name the fields: add such a row, and import the table again"
        )
    if file.suffix.lower() not in WORKBOOKS or shown == "-":
        return _ReadTable(found, notes, None if shown == "-" else file.resolve(), content)
    if is_changed:
        notes.append("the workbook was copied as CSV, because rows or heads had to change")
    return _ReadTable(found, notes, file.resolve(), content, () if is_changed else cells, sheet)
