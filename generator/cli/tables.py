"""What was printed and why: a table on a terminal, aligned lines in a pipe."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from typing import Final, Literal

from generator.cli.terminal import say
from generator.diagnostics import plain
from generator.order import PackedKind, page_range
from generator.units import summed

_COLUMNS: Final = ("", "different", "pieces", "pages", "why")


def show_packing_list(kinds: Sequence[PackedKind]) -> None:
    """A row for each kind: a table on a terminal, aligned lines in a pipe."""
    rows = [_row(kind) for kind in kinds]
    total = str(summed(kind.pieces for kind in kinds))
    if sys.stdout.isatty():
        _draw_packing_list(rows, total)
    else:
        say("\n".join(f"  {line}" for line in in_columns(map(_in_words, rows))))


def _row(kind: PackedKind) -> tuple[str, str, str, list[str], str]:
    pages = [f"{file.removesuffix('.pdf')} {page_range(on)}" for file, on in kind.pages.items()]
    return plain(kind.title), kind.count, str(kind.pieces), pages, plain(kind.why)


def _draw_packing_list(rows: Sequence[tuple[str, str, str, list[str], str]], total: str) -> None:
    # rich takes a while to import, and is needed only here.
    from rich.box import SIMPLE_HEAD
    from rich.console import Console
    from rich.table import Table as Drawn
    from rich.text import Text

    table = Drawn(box=SIMPLE_HEAD, show_footer=True)
    for name in _COLUMNS:
        number = name in ("different", "pieces")
        footer = total if name == "pieces" else ""
        side: Literal["left", "right"] = "right" if number else "left"
        table.add_column(name, footer, justify=side, no_wrap=name == "pages")
    for title, different, pieces, pages, why in rows:
        # Titles and reasons are the author's: their [brackets] are no markup.
        cells = (title, different, pieces, "\n".join(pages), why)
        style = "dim" if pieces == "0" else ""
        table.add_row(*map(Text, cells), style=style)
    Console().print(table)


def _pieces(number: str) -> str:
    return f"{number} piece" if number == "1" else f"{number} pieces"


def _in_words(row: tuple[str, str, str, list[str], str]) -> tuple[str, ...]:
    title, different, pieces, pages, why = row
    return title, f"{different} different", _pieces(pieces), "; ".join(pages) or "–", why


def in_columns(rows: Iterable[Sequence[str]]) -> list[str]:
    """A line a row, each cell as wide as the widest of its column."""
    rows = list(rows)
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return [
        "  ".join(f"{cell:<{width}}" for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in rows
    ]
