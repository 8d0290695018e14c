"""Tables of words in, drawn with lines on a terminal or aligned in a pipe, out."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from generator.cli.report import say
from generator.diagnostics import plain
from gridpress_chariot_dash.showing import Table


def show_tables(tables: Sequence[Table]) -> None:
    """Print tables one below the other."""
    if sys.stdout.isatty():
        _draw(tables)
    else:
        for table in tables:
            say("\n".join((*_aligned(table), "")))


def _draw(tables: Sequence[Table]) -> None:
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
    widths = [max(len(row[n]) for row in rows) for n in range(len(table.columns))] if rows else []
    lines = [
        "  ".join(f"{cell:<{width}}" for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in rows
    ]
    return [
        table.title,
        *(f"  {line}" for line in lines),
        *([f"  {table.note}"] if table.note else []),
    ]
