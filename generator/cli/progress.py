"""How far the work is, for a person who watches; nothing in a pipe."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from time import monotonic
from types import TracebackType
from typing import TYPE_CHECKING, Final, Self

import click

from generator.cli.terminal import say

if TYPE_CHECKING:  # preflight needs nothing of what draws, lays out or searches
    from generator.prepress import StepProgress
    from generator.tracks import SearchProgress

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

    def report(self, progress: SearchProgress) -> None:
        """How far the solver is."""
        tried, share = f"{progress.tried:,}", f"{progress.share:.1%}"
        self.show(f"{share} searched, {tried} tiles tried, {progress.found} found; Ctrl-C stops")

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
