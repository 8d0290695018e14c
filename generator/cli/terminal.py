"""Prints findings, results and lists as words, tables or JSON; shows progress; writes the crash
log."""

from __future__ import annotations

import json
import os
import signal
import sys
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from shutil import get_terminal_size
from threading import current_thread, main_thread
from time import monotonic
from types import FrameType, TracebackType
from typing import TYPE_CHECKING, Any, Final, Self

import click

from generator import __version__
from generator.build import PackedKind
from generator.cli import SAYS_MORE
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
_EXPLAINED: Final = "generator.cli.explained"
_IS_SAID: Final = "generator.cli.explanation_is_said"
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
    _keep_code(shown)


def _keep_code(shown: Sequence[Diagnostic]) -> None:
    """Keep the first error of a run that can be explained, or else its first warning."""
    context = click.get_current_context(silent=True)
    if context is None:
        return
    kept = context.meta.get(_EXPLAINED)
    for found in (each for each in shown if each.code.startswith("GP")):
        if kept is None or (has_failed([found], False) and not has_failed([kept], False)):
            kept = context.meta[_EXPLAINED] = found


def point_to_explanation() -> None:
    """Say once in a run which command explains the finding that was kept."""
    context = click.get_current_context(silent=True)
    if context is None or _EXPLAINED not in context.meta or context.meta.get(_IS_SAID):
        return
    context.meta[_IS_SAID] = True
    words = SAYS_MORE.format(context.meta[_EXPLAINED].code)
    click.echo(click.style(words, dim=True), err=True)


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


def show_packing_list(kinds: Sequence[PackedKind]) -> None:
    """Print a row for each kind, and how many pieces there are in all."""
    rows = [_in_words(kind) for kind in kinds]
    say("\n".join(f"  {line}" for line in in_columns(rows)))
    if len(rows) > 1:
        say(f"  {_pieces(summed(kind.pieces for kind in kinds))} in all")


def _in_words(kind: PackedKind) -> tuple[str, ...]:
    pages = [f"{file.removesuffix('.pdf')} {page_range(on)}" for file, on in kind.pages.items()]
    counts = f"{kind.count} different", _pieces(kind.pieces)
    return (plain(kind.title), *counts, "; ".join(pages) or "–", plain(kind.why))


def _pieces(number: int) -> str:
    return f"{number} piece" if number == 1 else f"{number} pieces"


def in_columns(rows: Iterable[Sequence[str]]) -> list[str]:
    """Return a line for each row, with aligned columns."""
    rows = list(rows)
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return [
        "  ".join(f"{cell:<{width}}" for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in rows
    ]


_UPDATE: Final = 0.2
"""Seconds between two updates of the progress on a terminal."""
_WAIT: Final = 1.0
"""Seconds without news after which a terminal shows how long the work has taken."""
_REPORT: Final = 10.0
"""Seconds between two lines of progress in a pipe."""
_CLEAR: Final = "\r\x1b[K"
_BAR: Final = 24
"""Characters of the bar."""


@contextmanager
def progress_bar(title: str, first: str = "opening") -> Iterator[StepProgress]:
    """Yield a function that shows progress on standard error while the block runs.

    `first` names the step that it begins with.
    """
    with ProgressLine(f"{title}: {first}") as line:

        def report(step: str, done: int, total: int) -> None:
            full = _BAR * min(done, total) // total if total else 0
            bar = f" {'━' * full}{'─' * (_BAR - full)} {done:,}/{total:,}" if total else ""
            line.show(f"{title}: {step}{bar}")

        yield report


class ProgressLine:
    """A line on standard error that shows how far a command is; in a pipe, a line now and then.

    A timer shows it again while a long step has no news. A thread would not do: workers are forked
    meanwhile.
    """

    def __init__(self, text: str = "") -> None:
        self._watched = sys.stderr.isatty()
        self._pause = _UPDATE if self._watched else _REPORT
        self._shown = False
        self._text = text
        self._began = self._last = monotonic()
        self._before: Any = None

    def __enter__(self) -> Self:
        if sys.platform != "win32" and current_thread() is main_thread():
            self._before = signal.signal(signal.SIGALRM, self._wait)
            every = _WAIT if self._watched else _REPORT
            signal.setitimer(signal.ITIMER_REAL, every, every)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        at: TracebackType | None,
    ) -> None:
        if sys.platform != "win32" and self._before is not None:
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, self._before)
        self._clear()

    def _wait(self, _number: int, _frame: FrameType | None) -> None:
        """Show the line with the seconds since the beginning, if there was no news."""
        now = monotonic()
        if not self._text or now - self._last < (_WAIT if self._watched else _REPORT) / 2:
            return
        text = f"{plain(self._text)} ({now - self._began:.0f} s)"
        if self._watched:
            room = get_terminal_size().columns - 1
            text = f"{_CLEAR}{text[:room]}"
            self._shown = True
        else:
            self._last = now
            text += "\n"
        with suppress(OSError):  # past the buffer, whose use this may have interrupted
            os.write(sys.stderr.fileno(), text.encode(errors="replace"))

    def show(self, text: str) -> None:
        """Show a line, at most every `_UPDATE` or `_REPORT` seconds."""
        self._text = text
        now = monotonic()
        if now - self._last < self._pause:
            return
        self._last = now
        if self._watched:
            room = get_terminal_size().columns - 1
            click.echo(f"{_CLEAR}{plain(text)[:room]}", err=True, nl=False)
            self._shown = True
        else:
            note(text)

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
