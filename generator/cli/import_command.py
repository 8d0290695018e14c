"""`gridpress import`: a spreadsheet in, a kind with its template and data out."""

from __future__ import annotations

import functools
import re
import sys
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path, PurePath
from typing import Final

import click

from generator import limits
from generator.assets import MAX_FILE
from generator.cli import terminal
from generator.diagnostics import Diagnostic, GridpressError, Span, plain
from generator.files import Roots, TooLargeError, UnreadableError, refusal
from generator.heads import is_sum, sound_heads
from generator.imported import (
    Column,
    changed_ids,
    columns_of,
    fields_left_out,
    in_braces,
    no_numbers,
    numbers_in_words,
    write_imported,
)
from generator.load import (
    MAX_BYTES,
    csv_rows,
    mappings,
    read_bytes,
    sheet_names,
    text_in,
    xlsx_rows,
)
from generator.model.source import Mapping, as_id
from generator.order import Order
from generator.prepress import open_pack
from generator.project import PACK_FILE, Project, Target, shipped_root
from generator.starters import NEW, look_of, plural, singular
from generator.writing import is_path

_PAPERS: Final[tuple[str, ...]] = ("a4", "letter")
_NAME: Final = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
_NUMBER: Final = re.compile(r"-?[0-9]+([.,][0-9]+)?%?")
_SHOWN, _LONG = 6, 40
"""Ids that are told as changed, of more it says how many; characters of one."""
_WORKBOOKS: Final = (".xlsx", ".xlsm")


def _name(_context: click.Context, _parameter: click.Parameter, name: str | None) -> str | None:
    if name is None or _NAME.fullmatch(name):
        return name
    if not as_id(name):
        raise click.BadParameter("a name has letters a to z or digits")
    return as_id(name)


@click.command("import")
@click.argument("shown", metavar="FILE|-", type=click.Path(allow_dash=True))
@click.option(
    "--in",
    "folder",
    type=click.Path(file_okay=False, path_type=Path),
    default=".",
    help="The project's folder; the current one by default.",
)
@click.option("--pack", "pack_name", callback=_name, help="The pack; if need be one is started.")
@click.option("--kind", callback=_name, help="What a row is, such as card.")
@click.option("--sheet", default="", help="The sheet of a workbook, if not the first.")
def import_command(
    shown: str, folder: Path, pack_name: str | None, kind: str | None, sheet: str
) -> int:
    """Turn a table, CSV or XLSX, into a kind of component with a template and its data.

    Types of fields are guessed from what is in the columns; a column such as Qty says how many are
    printed. CSV for nanDECK, Squib or Dextrous will do as it is. Without a pack in the folder one
    is started. - reads CSV from standard input.
    """
    file = Path(shown)
    with limits.at(shown, limits.BEGINNING + limits.MEGABYTE * MAX_BYTES / 1_000_000):
        rows, notes = _rows(file, shown, sheet)
        stem = as_id(file.stem) if shown != "-" else ""
        kind = kind or singular(stem.removeprefix("my-")) or "card"
        home = None if shown == "-" else file.resolve().parent
        columns = columns_of(rows, kind, lambda name: _is_beside(home, name))
    project = Project(folder, shipped_root())
    packs = project.packs()
    if pack_name is None and len(packs) > 1:
        message, hint = f"which pack: {', '.join(packs)}?", f"add --pack {packs[0]}"
        raise GridpressError(Diagnostic(Span(str(folder)), "GP001", message, hint))
    data = stem.removeprefix("my-") or plural(kind)
    pack = pack_name or (packs[0] if packs else f"my-{data}")
    look, papers = NEW, _PAPERS
    if pack in packs:
        opened = open_pack(Target(project, pack), Order())
        if opened.value is None:
            terminal.show(opened.diagnostics)
            terminal.note(f"{pack}: mend this first, then import a table")
            return 1
        look = look_of(opened.value.pack) or NEW
        papers = next((p.papers for p in opened.value.pack.prints), _PAPERS)

    def pack_text() -> str:
        path = project.cards(pack) / PACK_FILE
        return text_in(project.roots.read(path, MAX_BYTES), project.display(path))

    known = pack_text if pack in packs else None
    named = {cell for column in columns if column.type == "image" for cell in column.cells if cell}
    pictures = {
        name: functools.partial(_picture, home, name) for name in sorted(named) if home is not None
    }
    called = file.stem.replace("_", " ").strip()
    called = called if as_id(called) == data and called.isprintable() else data.replace("-", " ")
    paths, is_printed = write_imported(
        folder, pack, kind, data, called, columns, look, papers, known, pictures
    )
    for path in paths:
        terminal.say(str(path))
    notes += _unexpected(rows, columns, pack, kind)
    for note in notes:
        terminal.note(f"\n{note}")
    guessed = ", ".join(f"{column.name} ({column.type})" for column in columns)
    counted = f"{len(rows)} row{'s' * (len(rows) > 1)}"
    terminal.say(f"\n{counted} of the kind {kind} (--kind calls it otherwise); fields: {guessed}")
    if not is_printed:
        terminal.say(f"\nadd {kind} to the kinds of a print in cards/{pack}/pack.yaml")
    terminal.say(f"\nnow try: gridpress build {terminal.typed(folder)}")
    return 0


def _unexpected(
    rows: Sequence[Mapping], columns: Sequence[Column], pack: str, kind: str
) -> Iterator[str]:
    """What became otherwise of a table than its author may think."""
    if changed := changed_ids(rows, columns):
        listed = ", ".join(f"{plain(given[:_LONG])} → {made}" for given, made in changed[:_SHOWN])
        more = f" and {len(changed) - _SHOWN} more" if len(changed) > _SHOWN else ""
        yield (
            f"{listed}{more}: an id stands once\n"
            "    it is lower-case letters, digits and hyphens; call these so from now on"
        )
    for name, cell, line in islice(no_numbers(rows, columns), _SHOWN):
        yield (
            f"{name}: a text, as {plain(cell[:_LONG])!r} in row {line} is no number here\n"
            "    a number is 12 or 1.5; what stands beside it (€, %) belongs into the template"
        )
    for name, word, number in numbers_in_words(columns, rows):
        yield f"{name}: {plain(word[:_LONG])} is written {number}, as all words for numbers there"
    for name, words in in_braces(columns):
        yield (
            f"{name}: {plain(words[:_LONG])} is printed as it stands\n"
            "    for an icon the field is type: rich, without a \\ before the braces: docs/text.md"
        )
    if missing := [column.name for column in columns if column.type == "file"]:
        yield (
            f"{', '.join(missing)}: not all of these pictures lie beside the table\n"
            f"    put them into cards/{pack}, make the field type: image, and show them"
        )
    if unshown := fields_left_out(columns):
        yield (
            f"{', '.join(unshown)}: the card has no place for these yet\n"
            f"    show them in templates/{pack}/{kind}.svg.j2"
        )


def _is_beside(home: Path | None, name: str) -> bool:
    """True for a picture that can be copied from beside the table."""
    if home is None or refusal(name, Span(name)) or not is_path(PurePath(name).as_posix()):
        return False
    try:
        return Roots((home,)).has_file(home / name)
    except UnreadableError:  # a name too long for a file, or a link that leads out
        return False


def _picture(home: Path, name: str) -> bytes:
    """A picture that the table names, beside it."""
    try:
        return Roots((home,)).read(home / name, MAX_FILE)
    except UnreadableError as error:
        raise GridpressError(error.told(Span(name), "the picture")) from error
    except TooLargeError as error:
        message, hint = "the picture is too large", "scale it to its printed size"
        raise GridpressError(Diagnostic(Span(name), "GP504", message, hint)) from error


def _rows(file: Path, shown: str, sheet: str) -> tuple[list[Mapping], list[str]]:
    """The rows of a table, and what its author may not expect of how it was read.

    Raises GridpressError for a table that cannot be read.
    """
    span = Span(shown)
    others: tuple[str, ...] = ()
    if shown == "-":
        content = sys.stdin.buffer.read(MAX_BYTES + 1)
        if len(content) > MAX_BYTES:
            message, hint = "the table has more than 5 MB", "split it into several files"
            raise GridpressError(Diagnostic(span, "GP103", message, hint))
    elif "://" in shown:
        message = "this is an address, and Gridpress uses no network"
        hint = (
            "open it in your browser, save the sheet as CSV (File > Download), and import that file"
        )
        raise GridpressError(Diagnostic(span, "GP108", message, hint))
    else:
        content = read_bytes(file.resolve(), shown)
    if file.suffix.lower() in _WORKBOOKS:
        cells = iter(xlsx_rows(content, sheet, span, shown))
        others = sheet_names(content)[1:] if not sheet else ()
    else:
        cells = csv_rows(text_in(content, shown), shown)
    table, notes = sound_heads(cells)
    found, faults = mappings(table, shown)
    if faults:
        raise GridpressError(*faults)
    if not found:
        hint = "the first row names the fields, the others are cards"
        raise GridpressError(Diagnostic(span, "GP108", "the table has no rows", hint))
    if len(found) > 1 and is_sum(found[-1]):
        line = found.pop().span.line
        notes.append(f"row {line} is left out: it is no card, but the sum of those above it")
    if others:
        notes.append(f"this is the first sheet; --sheet takes another: {', '.join(others)}")
    if numbers := [key.text for key, _ in found[0].entries if _NUMBER.fullmatch(key.text)]:
        notes.append(
            f"{', '.join(numbers)}: is the first row a card?\n"
            "    it names the fields: put a row of names above it, and import the table again"
        )
    return found, notes
