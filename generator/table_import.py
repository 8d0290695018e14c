"""Writes a kind made from a table, ready to print, and updates it when the table has changed."""

from __future__ import annotations

import functools
import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

from msgspec import Struct

from generator.assets import MAX_FILE
from generator.cells import written_cell
from generator.diagnostics import Diagnostic, GridpressError, Span, enumerated
from generator.files import FileTooLargeError, Roots, UnreadableError
from generator.looks import Dress
from generator.model.face_file import SUFFIX
from generator.model.source import (
    field_name,
    without_words,
)
from generator.starters import missing_files, pack_yaml, titled
from generator.table_columns import Column, names_by_head
from generator.table_faces import CardFaces
from generator.table_update import (
    DataRows,
    Imported,
    Known,
    columns_line,
    merged,
    report,
    with_choices,
    with_columns,
    with_field,
    with_optional,
    with_quantity,
    written_base,
    written_rows,
)
from generator.writing import write_files, yaml_text
from generator.written_yaml import with_print

_ELSEWHERE: Final = "check the folder, or choose another with --in"


def rows_of(columns: Sequence[Column]) -> DataRows:
    """Return columns as rows of a table; the first column holds the ids."""
    fields = tuple(column.name for column in columns)
    cells = zip(*(map(_as_cell, column.cells) for column in columns), strict=True)
    return DataRows(fields, {row[0]: dict(zip(fields, row, strict=True)) for row in cells})


def _as_cell(text: str) -> str:
    """Return a text as a cell that reads back as the same text."""
    return written_cell(without_words(text))


_KIND: Final = """\
# The fields of a {kind}, guessed from the table. Change types, limits and names as you like; the
# heads in {file} must have the same names. docs/kinds.md lists every key.
kind: {kind}
title: {title}
stock: {stock}            # its size; gridpress list --stocks has them all
{faces}
{quantity}{draft}fields:
{fields}
"""
_DRAFT: Final = """\
# Missing pictures, icons and letters, and texts that do not fit, are only warnings. Delete
# this line when everything is complete.
draft: true
"""
_MIRROR: Final = """\
# Mirror images continue the pictures beyond the cut, in case the knife drifts.
bleed: mirror
"""
_ROWS: Final = """\
# yaml-language-server: $schema=kinds/{kind}.schema.json
kind: {kind}
rows: {data}
{columns}# ignore: [Notes]       # your own columns; so is each one whose head begins with #
"""


class PictureFile(Struct, frozen=True):
    """A picture to copy, by its name in a folder."""

    home: Path
    name: str

    def read(self) -> bytes:
        """Return its content. Raises GridpressError (GP002, GP004, GP504)."""
        try:
            return Roots((self.home,)).read(self.home / self.name, MAX_FILE)
        except UnreadableError as error:
            raise GridpressError(error.told(Span(self.name), "the picture")) from error
        except FileTooLargeError as error:
            message, hint = "the picture is too large", "scale it to its printed size"
            raise GridpressError(Diagnostic(Span(self.name), "GP504", message, hint)) from error

    def is_newer_than(self, copy: Path) -> bool:
        """Return whether the copy is missing, or older and different."""
        if not os.path.lexists(copy):
            return True
        own, other = (self.home / self.name).stat(), copy.stat()
        is_newer = own.st_mtime_ns > other.st_mtime_ns
        return is_newer and copy.read_bytes() != self.read()


class Link(Struct, frozen=True):
    """A workbook that the pack reads directly: its `rows:` entry, and its content if it is to be
    copied."""

    rows: str
    content: bytes | None


def write_imported(
    there: Imported,
    called: str,
    columns: Sequence[Column],
    faces: CardFaces,
    papers: Sequence[str],
    dress: Dress,
    pack_text: Callable[[], str] | None,
    pictures: Mapping[str, PictureFile],
    link: Link | None,
) -> tuple[tuple[Path, ...], bool]:
    """Write a kind with its data and pictures; return the files and whether pack.yaml prints it.

    `pack_text` reads the pack.yaml of an existing pack; None starts one. With a `link`, the data
    stay in the workbook. Raises GridpressError when a file exists (GP704) or cannot be written
    (GP702).
    """
    called = called[:1].upper() + called[1:]
    pack, kind, file, cards = there.pack, there.kind, there.data, there.cards
    titles = yaml_text(called)
    title = titles if kind == file else yaml_text(kind.replace("-", " ").capitalize())
    fields = "\n".join(f"  {c.name}: {c.definition()}" for c in columns if c.name != "id")
    has_copies = any(column.name == "copies" for column in columns)
    data = link.rows if link else f"{file}.csv"
    words = {"kind": kind, "file": data, "title": title, "fields": fields, "stock": faces.stock}
    words["quantity"] = "quantity: copies\n" if has_copies else ""
    words["draft"] = _MIRROR * faces.mirrors + _DRAFT * faces.draft
    listed = ", ".join(f"{side}: {name}" for side, name in faces.names.items())
    is_one = len(faces.names) == 1
    words["faces"] = f"faces: {{{listed}}}" + "   # add back: for the other side" * is_one
    names = names_by_head(columns) if link else {}
    line = f"columns: {columns_line(names)}\n" if names else ""
    templates = there.folder / "templates" / pack
    own = {name: text for name, text in faces.files.items() if name in faces.names.values()}
    own = {name: text for name, text in own.items() if name not in dress.files()}
    new: dict[Path, str | Callable[[], bytes]] = {
        there.rows_file: _ROWS.format(kind=kind, data=_name_in_yaml(data), columns=line),
        there.kind_file: _KIND.format(**words),
        **{templates / name: text for name, text in own.items()},
    }
    rows = rows_of(columns)
    if link is None:
        new[cards / data] = written_rows(rows)
    elif link.content is not None:
        new[cards / link.rows.partition("#")[0]] = functools.partial(bytes, link.content)
    backs = ", backs: none" if is_one else ""
    entry = f"{{title: {titles}, kinds: [{kind}], papers: [{', '.join(papers)}]{backs}}}"
    pack_file = cards / "pack.yaml"
    if pack_text is None:
        name = f"My {called}" if pack == f"my-{file}" else titled(pack)
        new[pack_file] = pack_yaml(name, file, entry)
    for path in new:
        if os.path.lexists(path):
            message, hint = "this file exists already", "choose another name with --kind"
            raise GridpressError(Diagnostic(Span(str(path)), "GP704", message, hint))
    made = None if pack_text is None else with_print(pack_text(), file, entry)
    if made is not None:
        new[pack_file] = made
    new[there.base_file] = written_base(rows, heads_of(columns))
    shared = {name: text for name, text in faces.files.items() if name not in own}
    if shared or pack_text is None:
        new |= missing_files(templates, dress, shared)
    copied = {cards / name: picture.read for name, picture in pictures.items()}
    missing = {path: read for path, read in copied.items() if not os.path.lexists(path)}
    written = write_files(there.folder, {**new, **missing}, _ELSEWHERE)
    return written, pack_text is None or made is not None


def _name_in_yaml(name: str) -> str:
    return name if re.fullmatch(r"\w[\w.-]*", name) else yaml_text(name)


def heads_of(columns: Sequence[Column]) -> list[str]:
    """Return the heads of columns, or their names if they have none."""
    return [column.head or column.name for column in columns]


class Told(Struct, frozen=True):
    """A summary of an update, and notes for its author."""

    summary: str
    notes: tuple[str, ...]


def update_imported(
    there: Imported,
    known: Known,
    columns: Sequence[Column],
    pictures: Mapping[str, PictureFile],
    workbook: bytes | None,
) -> tuple[tuple[Path, ...], Told]:
    """Update the files of an earlier import; return those that changed, and a summary.

    A `workbook` replaces the one in the pack's folder. Replaced files are kept under `imported/` if
    changes in them could be lost. Raises GridpressError (GP702) when a file cannot be written.
    """
    new = rows_of(columns)
    done = merged(known.base, known.own if not known.is_linked else known.base or new, new)
    summary, notes = report(done, there.data)
    files: dict[Path, str | Callable[[], bytes]] = {}
    rows = new.cells if known.is_linked else done.rows
    kind_text, more = _kind_with(known, columns, there, rows.values())
    notes += more
    if kind_text != known.kind_text:
        files[there.kind_file] = kind_text
    before = there.base_file.with_name(f"{there.data}-before")
    if known.is_linked:
        names = names_by_head([c for c in columns if field_name(c.head) not in known.names])
        rows_text = with_columns(known.rows_text, names)
        if rows_text is None:
            notes.append(f"add to columns: in {there.rows_file}: {columns_line(names)}")
        elif rows_text != known.rows_text:
            files[there.rows_file] = rows_text
        copy = there.cards / known.data_file
        if workbook is not None and copy.is_file() and copy.read_bytes() != workbook:
            files[before.with_suffix(copy.suffix)] = copy.read_bytes
            notes.append(f"the old workbook is now {before.with_suffix(copy.suffix)}")
            files[copy] = functools.partial(bytes, workbook)
    else:
        fields = tuple(dict.fromkeys((*known.own.fields, *new.fields)))
        data = there.cards / f"{there.data}.csv"
        merged_rows = DataRows(fields, done.rows)
        if merged_rows != known.own:
            files[data] = written_rows(merged_rows)
            if known.base is None:
                files[before.with_suffix(".csv")] = written_rows(known.own)
                notes.append(f"the old data are now {before.with_suffix('.csv')}")
    base = written_base(*_new_base(known, new, columns))
    if base != known.base_text:
        files[there.base_file] = base
    copied = {there.cards / name: picture for name, picture in pictures.items()}
    newer = {path: one.read for path, one in copied.items() if one.is_newer_than(path)}
    files |= newer
    notes += _newer_pictures(newer)
    notes += _lost_columns(known, new, there)
    added = [column.name for column in columns if column.name not in ("id", *known.types)]
    if added:
        summary += f"; new columns: {', '.join(added)}"
        notes += _new_columns(added, there)
    return write_files(there.folder, files, _ELSEWHERE), Told(summary, tuple(notes))


def _new_columns(names: Sequence[str], there: Imported) -> Iterator[str]:
    """Yield a note on new columns that no box shows yet."""
    if shown := [name for name in names if name != "copies"]:
        folder = there.folder / "templates" / there.pack
        faces = [folder / f"{there.kind}{suffix}" for suffix in (SUFFIX, ".svg.j2")]
        template = next(filter(Path.is_file, faces), folder)
        yield f"{', '.join(shown)}: not on the card yet\n    add a box in {template}"


def _lost_columns(known: Known, new: DataRows, there: Imported) -> Iterator[str]:
    """Yield a note on columns that the table had before."""
    was = () if known.is_linked or known.base is None else known.base.fields
    lost = [name for name in was if name not in new.fields and known.has(name)]
    if lost:
        yield (
            f"{', '.join(lost)}: no longer in the table; the cards keep the values they have\n"
            f"    to drop them, write ignore: [{', '.join(lost)}] in {there.rows_file}, and delete "
            f"their lines in {there.kind_file}"
        )


def _newer_pictures(paths: Iterable[Path]) -> Iterator[str]:
    if again := [path.name for path in paths if os.path.lexists(path)]:
        yield f"newer pictures replace those in the pack: {enumerated(again)}"


def _new_base(known: Known, new: DataRows, columns: Sequence[Column]) -> tuple[DataRows, list[str]]:
    """Return the table as it is now, including columns that it no longer has."""
    heads = dict(zip(new.fields, heads_of(columns), strict=True))
    was = known.base or DataRows((), {})
    old_heads = {name: head for head, name in known.names.items()}
    for name in was.fields:
        heads.setdefault(name, old_heads.get(name, name))
    cells = {
        id_: {name: row.get(name, was.cell(id_, name)) for name in heads}
        for id_, row in new.cells.items()
    }
    return DataRows(tuple(heads), cells), list(heads.values())


def _kind_with(
    known: Known, columns: Sequence[Column], there: Imported, rows: Iterable[Mapping[str, str]]
) -> tuple[str, list[str]]:
    """Return the kind's text with new fields and choices, and fields made optional where cells are
    empty; and what is left to do."""
    text, notes = known.kind_text, []
    for name in sorted({name for row in rows for name in known.needed if not row.get(name)}):
        text = with_optional(text, name) or text
        notes.append(
            f"{name}: now optional, because a row has no value\n    look at {there.kind_file}"
        )
    for column in columns:
        made: str | None = text
        if column.name not in ("id", *known.types):
            made = with_field(text, column.name, column.definition(added=True))
            wish = f"add a field {column.name}: {column.definition(added=True)}"
        elif known.types.get(column.name) == "choice":
            choices = known.choices(column.name)
            more = list(dict.fromkeys(c for c in column.cells if c and c not in choices))
            made = with_choices(text, column.name, more) if more else text
            wish = f"add to the choices of {column.name}: {', '.join(more)}"
        if made is None:
            notes.append(f"{wish}\n    in {there.kind_file}")
        text = made or text
        if column.name == "copies" and "copies" not in known.types:
            made = with_quantity(text)
            if made is None:
                notes.append(f"to print copies, write quantity: copies\n    in {there.kind_file}")
            text = made or text
    return text, notes
