"""What is said on the terminal: findings, results and lists, as words, tables or JSON; how far the
work is, for a person who watches; and where the traceback of a bug of ours went."""

from __future__ import annotations

import json
import sys
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from time import monotonic
from types import TracebackType
from typing import TYPE_CHECKING, Any, Final, Literal, Self

import click

from generator import __version__
from generator.build import PackedKind
from generator.diagnostics import Diagnostic, Severity, foremost, in_order, plain
from generator.geometry import summed
from generator.model.manifest import page_range
from generator.project import is_no_project

if TYPE_CHECKING:  # preflight needs nothing of what draws, lays out or searches
    from generator.build import StepProgress

MAX_SHOWN: Final = 200
"""Findings that a run tells in words; of more it says how many there are."""
MAX_LISTED: Final = 5_000
"""Findings that a run lists as JSON."""
_MEND: Final = "mend these first"
_COLOURS = {Severity.ERROR: "red", Severity.WARNING: "yellow"}


def has_failed(diagnostics: Sequence[Diagnostic], strict: bool) -> bool:
    """True when there is an error, or with `strict` anything at all."""
    return any(strict or d.severity is Severity.ERROR for d in diagnostics)


def show(diagnostics: Sequence[Diagnostic], said: Collection[Diagnostic] = ()) -> None:
    """Print findings to standard error, sorted by place, with their hints indented.

    What was `said` of another pack is not said again: one pack may require another. In all it is
    `MAX_SHOWN` that are printed, errors first, with a line on how many more there are.
    """
    before = frozenset(said)
    found = in_order(found for found in diagnostics if found not in before)
    shown, others = foremost(found, max(0, MAX_SHOWN - len(before)))
    for diagnostic in shown:
        head, *hint = str(diagnostic).splitlines()
        place, _, rest = head.partition(f": {diagnostic.severity}")
        label = click.style(str(diagnostic.severity), fg=_COLOURS[diagnostic.severity], bold=True)
        click.echo(f"{place}: {label}{rest}", err=True)
        for line in hint:
            click.echo(click.style(line, dim=True), err=True)
    if others:
        click.echo(f"… and {others}; {_MEND}", err=True)


def note(words: str) -> None:
    """Something to know that is no finding, as `say` prints it, but to standard error."""
    click.echo(_obeyed_by_none(words), err=True)


def note_shipped(packs: Sequence[str]) -> None:
    """Say whose packs are meant where none is named in a folder that has none."""
    if not packs and is_no_project():
        note(
            "there is no pack in this folder: these are the packs that come with Gridpress "
            "(gridpress new pack NAME begins one of your own)"
        )


def say(text: str) -> None:
    """Print lines to standard output: names and words of a stranger's file as no terminal obeys
    them."""
    click.echo(_obeyed_by_none(text))


def typed(path: Path | str) -> str:
    """A path as it is typed: in quotes when it has spaces."""
    return f'"{path}"' if " " in str(path) else str(path)


def _obeyed_by_none(text: str) -> str:
    return "\n".join(map(plain, text.split("\n")))


def say_json(value: Any) -> None:
    """The same for a value as JSON, where what is harmful is written as JSON has it."""
    say(json.dumps(value, ensure_ascii=False, indent=2))


def show_json(diagnostics: Sequence[Diagnostic]) -> None:
    """Print findings to standard output as a JSON list, as they are `listed`."""
    say_json(listed(diagnostics))


def listed(diagnostics: Sequence[Diagnostic]) -> list[dict[str, str | int]]:
    """Findings for JSON, at most `MAX_LISTED`; how many more there are goes to standard error."""
    shown, others = foremost(in_order(diagnostics), MAX_LISTED)
    if others:
        click.echo(f"… and {others}; {_MEND}", err=True)
    return [diagnostic.as_dict() for diagnostic in shown]


def summary(diagnostics: Sequence[Diagnostic]) -> str:
    """`2 errors, 1 warning`, or `no mistakes found`."""
    counts = [
        (sum(d.severity is severity for d in diagnostics), str(severity)) for severity in Severity
    ]
    said = [f"{count} {word}{'' if count == 1 else 's'}" for count, word in counts if count]
    return ", ".join(said) or "no mistakes found"


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


_BAR: Final = 0.1
_LINE: Final = 0.2
"""Seconds between two pictures of how far the work is."""
_CLEAR: Final = "\r\x1b[K"


@contextmanager
def progress_bar(title: str) -> Iterator[StepProgress]:
    """A `StepProgress` that draws on standard error while the block runs."""
    if not sys.stderr.isatty():
        yield lambda step, done, total: None
        return
    # rich takes a while to import, and is needed only here.
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn
    from rich.progress import Progress as Bar

    with Bar(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        console=Console(stderr=True),
        transient=True,
        auto_refresh=False,  # by a thread: but only a process without others is copied at once
    ) as bar:
        task = bar.add_task(title, total=None)
        shown = 0.0

        def report(step: str, done: int, total: int) -> None:
            nonlocal shown
            bar.update(task, description=f"{title}: {step}", completed=done, total=total or None)
            if monotonic() - shown > _BAR:
                bar.refresh()
                shown = monotonic()

        yield report


class Counter:
    """Shows on standard error, when a person watches, how far a search has come: one line that is
    written again and again, and cleared when something else is said."""

    def __init__(self) -> None:
        self._watched = sys.stderr.isatty()
        self._shown = False
        self._last = monotonic()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        at: TracebackType | None,
    ) -> None:
        self._clear()

    def report(self, tried: int, found: int) -> None:
        """Show how far the search for circuits is."""
        self.show(f"{tried:,} tiles tried, {found} found; Ctrl-C stops")

    def show(self, text: str) -> None:
        """The line, not too often."""
        if self._watched and monotonic() - self._last > _LINE:
            click.echo(f"{_CLEAR}{text}", err=True, nl=False)
            self._shown, self._last = True, monotonic()

    def say(self, text: str) -> None:
        """A result, to standard output."""
        self._clear()
        say(text)

    def end(self, text: str) -> None:
        """What came of it, to standard error."""
        self._clear()
        click.echo(text, err=True)

    def _clear(self) -> None:
        if self._shown:
            click.echo(_CLEAR, err=True, nl=False)
            self._shown = False


def write_crash_log(error: BaseException, arguments: list[str]) -> Path:
    """Write the traceback where the user can find it; returns the file's path."""
    import traceback

    return _write_log(["".join(traceback.format_exception(error))], arguments)


def tell_of_bugs(diagnostics: Iterable[Diagnostic]) -> bool:
    """Log what of Gridpress itself broke down while other work went on, and say where; whether
    anything did."""
    traces = list(dict.fromkeys(found.trace for found in diagnostics if found.trace))
    if traces:
        log = _write_log(traces, sys.argv[1:])
        note(f"gridpress: {_BUG}.\n    {_SENT.format(log)}")
    return bool(traces)


_BUG: Final = "GP010 tells of a bug in Gridpress, not in your files"
_SENT: Final = "What happened was written to {}; please send it with your report."


def _write_log(traces: Iterable[str], arguments: list[str]) -> Path:
    import platform

    from generator.writing import temporary_folder

    system = f"Python {platform.python_version()}, {platform.platform()}"
    head = (f"gridpress {__version__}, {system}", f"arguments: {arguments!r}")
    text = "\n".join((*head, *traces))
    folder = Path(click.get_app_dir("gridpress"))
    try:
        folder.mkdir(parents=True, exist_ok=True)
        path = folder / "crash.log"
        path.write_text(text, encoding="utf-8")
    except OSError:
        path = temporary_folder() / "gridpress-crash.log"
        path.write_text(text, encoding="utf-8")
    return path
