"""Tables on a terminal, and the option `--html FILE` with the page that goes to it."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final, TypeVar

import click

from generator import writing
from generator.cli.terminal import in_columns, note, say
from generator.diagnostics import Diagnostic, GridpressError, Span, plain
from gridpress_chariot_dash.findings import Table


def show_tables(tables: Sequence[Table]) -> None:
    """Print tables one below the other."""
    if sys.stdout.isatty():
        _draw_tables(tables)
    else:
        for table in tables:
            say("\n".join((*_aligned(table), "")))


def _draw_tables(tables: Sequence[Table]) -> None:
    # rich takes a while to import, and is needed only here.
    from rich.box import SIMPLE_HEAD
    from rich.console import Console
    from rich.table import Table as Drawn
    from rich.text import Text

    console = Console()
    for table in tables:
        has_head = any(table.columns)
        drawn = Drawn(box=SIMPLE_HEAD if has_head else None, show_header=has_head, show_edge=False)
        for place, name in enumerate(table.columns):
            drawn.add_column(Text(plain(name)), style="bold" if place == 0 else "")
        for row in table.rows:
            # The words are the author's: their [brackets] are no markup.
            drawn.add_row(*(Text(plain(cell)) for cell in row))
        console.print(Text(plain(table.title), style="bold"))
        if table.rows:
            console.print(drawn)
        console.print(Text(plain(table.note), style="dim"))


def _aligned(table: Table) -> list[str]:
    rows = [table.columns, *table.rows] if any(table.columns) else list(table.rows)
    note = [table.note] if table.note else []
    return [table.title, *(f"  {line}" for line in (*in_columns(rows), *note))]


_ELSEWHERE: Final = "choose another file with --html"

Command = TypeVar("Command", bound=Callable[..., Any])


def html(command: Command) -> Command:
    """`--html FILE`."""
    return click.option(
        "--html",
        "page",
        metavar="FILE",
        type=click.Path(dir_okay=False, path_type=Path),
        help="Write a page with charts to this file; it holds everything that it needs.",
    )(command)


def must_be_writable(path: Path) -> None:
    """Before long work: what `write_page` would raise is raised now; nothing is left behind but
    the page's folder."""
    _make_folder(path)
    writing.must_be_writable(path, _ELSEWHERE, "page")


def write_page(path: Path, text: str) -> None:
    """Write the page. Raises GridpressError (GP702) when it cannot be."""
    _make_folder(path)
    writing.write_named(path, text.encode(), _ELSEWHERE, "page")
    note(f"wrote {path}")


def _make_folder(path: Path) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        message = f"the page cannot be written: {error.strerror}"
        raise GridpressError(Diagnostic(Span(str(path)), "GP702", message, _ELSEWHERE)) from error
