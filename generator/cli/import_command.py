"""`gridpress import`: makes a deck from a table: a kind with its data, laid out in a look."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import Final

import click

from generator import limits
from generator.cli import terminal
from generator.cli.start_commands import look_option, palette_option, size_option
from generator.cli.terminal import progress_bar
from generator.diagnostics import Diagnostic, GridpressError, Span
from generator.importing import (
    GivenTable,
    ImportDone,
    ImportOrder,
    UnfitChoiceError,
    UnsoundPackError,
    destination,
    given_pictures,
    given_table,
    import_table,
)
from generator.load import MAX_BYTES, read_bytes
from generator.model.source import as_id

_NAME: Final = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")


def _given(_context: click.Context, _parameter: click.Parameter, name: str | None) -> str:
    if name is None or _NAME.fullmatch(name):
        return name or ""
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
@click.option("--pack", callback=_given, help="The pack, existing or new.")
@click.option("--kind", callback=_given, help="The kind of its rows, such as card.")
@click.option("--sheet", default="", help="The sheet of a workbook, if not the first.")
@click.option("--stock", default="", help="The size of cards, for finished pictures.")
@look_option
@size_option
@palette_option
def import_command(
    shown: str,
    folder: Path,
    pack: str,
    kind: str,
    sheet: str,
    stock: str,
    look: str | None,
    size: str,
    palette: str | None,
) -> int:
    """Turn a table (CSV, XLSX, JSON, Markdown) or a folder of finished pictures into a deck: a kind
    with its data, laid out in a look.

    Gridpress guesses field types from the columns; a column such as Qty gives the number of copies.
    CSV for nanDECK, Squib or Dextrous works unchanged. A folder without a pack gets one.
    Import a changed table again: rows are updated and columns added, while the layout
    and your own changes stay. - reads CSV from standard input. In a folder, each picture is a card;
    dragon-back.png is the back of dragon.png, back.png the back of all cards.
    """
    file = Path(shown)
    is_folder = shown != "-" and file.is_dir()
    called = file.resolve().name if is_folder else "" if shown == "-" else file.stem
    order = ImportOrder(folder, called, pack, kind, stock, look or "", size, palette)
    if is_folder:
        there = destination(order)
        with progress_bar(shown, "looking at pictures"), limits.at(shown):
            table = given_pictures(file, shown, there)
    else:
        with limits.at(shown, limits.MEGABYTE * MAX_BYTES / 1_000_000):
            table = _read(file, shown, sheet)
        terminal.show(table.remarks)
    try:
        done = import_table(order, table)
    except UnfitChoiceError as error:
        raise click.UsageError(str(error)) from error
    except UnsoundPackError as error:
        terminal.show(error.diagnostics)
        terminal.note(f"{destination(order).pack}: fix this first, then import a table")
        return 1
    _tell(done, len(table.rows))
    return 0


def _tell(done: ImportDone, count: int) -> None:
    """Print what was done."""
    there = done.there
    for path in done.paths:
        terminal.say(str(path))
    for note in done.notes:
        terminal.note(f"\n{note}")
    if done.summary:
        terminal.say(f"\n{done.summary}")
    else:
        guessed = ", ".join(f"{column.name} ({column.type})" for column in done.columns)
        counted = f"{count} row{'s' * (count > 1)}"
        terminal.say(
            f"\n{counted} of kind {there.kind} (change that with --kind); fields: {guessed}"
        )
    if done.look:
        terminal.say(
            f"\nthe look is {done.look}: gridpress looks shows all, gridpress look changes it"
        )
    if done.workbook:
        terminal.say(
            f"\nthe pack reads {done.workbook} directly: change it there, then build again"
        )
    if not done.is_printed:
        terminal.say(f"\nadd {there.kind} to the kinds of a print in cards/{there.pack}/pack.yaml")
    terminal.say(f"\nnow try: gridpress build {terminal.typed(there.folder)}")


def _read(file: Path, shown: str, sheet: str) -> GivenTable:
    """Read a table from a file or standard input. Raises GridpressError."""
    content = _content(file, shown)
    if shown == "-":
        return given_table(content, "", shown, sheet, None)
    file = file.resolve()
    return given_table(content, file.name, shown, sheet, file.parent)


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
