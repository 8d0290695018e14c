"""Prints findings, results and lists as words, tables or JSON; shows progress; writes the crash
log."""

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

if TYPE_CHECKING:  # preflight does not load these
    from generator.build import StepProgress

MAX_SHOWN: Final = 200
"""Findings that a command prints in words; the rest are counted."""
MAX_LISTED: Final = 5_000
"""Findings that a command prints as JSON."""
_MEND: Final = "fix these first"
_COLOURS = {Severity.ERROR: "red", Severity.WARNING: "yellow"}


def has_failed(diagnostics: Sequence[Diagnostic], strict: bool) -> bool:
    """Return whether there is an error, or with `strict` any finding."""
    return any(strict or d.severity is Severity.ERROR for d in diagnostics)


def show(diagnostics: Sequence[Diagnostic], said: Collection[Diagnostic] = ()) -> None:
    """Print findings to standard error, sorted by place, except those that were `said` before.

    At most `MAX_SHOWN` are printed, errors first; the rest are counted.
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
    """Print a note to standard error."""
    click.echo(_obeyed_by_none(words), err=True)


def note_shipped(packs: Sequence[str]) -> None:
    """Say that the shipped packs are used because the current folder has none."""
    if not packs and is_no_project():
        note(
            "there is no pack in this folder: these are the packs that come with Gridpress "
            "(gridpress new pack NAME begins one of your own)"
        )


def say(text: str) -> None:
    """Print lines to standard output, with control characters made harmless."""
    click.echo(_obeyed_by_none(text))


def typed(path: Path | str) -> str:
    """Return a path as it is typed, in quotes if it has spaces."""
    return f'"{path}"' if " " in str(path) else str(path)


def _obeyed_by_none(text: str) -> str:
    return "\n".join(map(plain, text.split("\n")))


def say_json(value: Any) -> None:
    """Print a value as JSON."""
    say(json.dumps(value, ensure_ascii=False, indent=2))


def show_json(diagnostics: Sequence[Diagnostic]) -> None:
    """Print findings as a JSON list."""
    say_json(listed(diagnostics))


def listed(diagnostics: Sequence[Diagnostic]) -> list[dict[str, str | int]]:
    """Return at most `MAX_LISTED` findings for JSON, and print how many more there are."""
    shown, others = foremost(in_order(diagnostics), MAX_LISTED)
    if others:
        click.echo(f"… and {others}; {_MEND}", err=True)
    return [diagnostic.as_dict() for diagnostic in shown]


def summary(diagnostics: Sequence[Diagnostic]) -> str:
    """Return `2 errors, 1 warning`, or `no mistakes found`."""
    counts = [
        (sum(d.severity is severity for d in diagnostics), str(severity)) for severity in Severity
    ]
    said = [f"{count} {word}{'' if count == 1 else 's'}" for count, word in counts if count]
    return ", ".join(said) or "no mistakes found"


_COLUMNS: Final = ("", "different", "pieces", "pages", "why")


def show_packing_list(kinds: Sequence[PackedKind]) -> None:
    """Print a row for each kind: a table on a terminal, aligned lines in a pipe."""
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
    # rich takes long to import.
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
    """Return a line for each row, with aligned columns."""
    rows = list(rows)
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return [
        "  ".join(f"{cell:<{width}}" for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in rows
    ]


_BAR: Final = 0.1
_LINE: Final = 0.2
"""Seconds between two updates of the progress."""
_CLEAR: Final = "\r\x1b[K"


@contextmanager
def progress_bar(title: str) -> Iterator[StepProgress]:
    """Yield a function that shows progress on standard error while the block runs."""
    if not sys.stderr.isatty():
        yield lambda step, done, total: None
        return
    # rich takes long to import.
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn
    from rich.progress import Progress as Bar

    with Bar(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        console=Console(stderr=True),
        transient=True,
        auto_refresh=False,  # needs a thread, which slows down starting processes
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
    """A line on standard error that shows the progress of a search."""

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
        """Show a line, at most every `_LINE` seconds."""
        if self._watched and monotonic() - self._last > _LINE:
            click.echo(f"{_CLEAR}{text}", err=True, nl=False)
            self._shown, self._last = True, monotonic()

    def say(self, text: str) -> None:
        """Print a result to standard output."""
        self._clear()
        say(text)

    def end(self, text: str) -> None:
        """Print the outcome to standard error."""
        self._clear()
        click.echo(text, err=True)

    def _clear(self) -> None:
        if self._shown:
            click.echo(_CLEAR, err=True, nl=False)
            self._shown = False


def write_crash_log(error: BaseException, arguments: list[str]) -> Path:
    """Write the traceback to a file; return its path."""
    import traceback

    return _write_log(["".join(traceback.format_exception(error))], arguments)


def tell_of_bugs(diagnostics: Iterable[Diagnostic]) -> bool:
    """Log bugs of Gridpress that findings carry, and say where; return whether there were any."""
    traces = list(dict.fromkeys(found.trace for found in diagnostics if found.trace))
    if traces:
        log = _write_log(traces, sys.argv[1:])
        note(f"gridpress: {_BUG}.\n    {_SENT.format(log)}")
    return bool(traces)


_BUG: Final = "GP010 is a bug in Gridpress, not in your files"
_SENT: Final = "Details are in {}; please send that file with your report."


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
