"""A search that tells how far it is in; lines on the terminal as they are found out."""

from __future__ import annotations

import sys
from time import monotonic
from types import TracebackType
from typing import Final, Self

import click

from generator.cli.report import say
from generator.tracks.solve import Progress

_SECONDS: Final = 0.2
_CLEAR: Final = "\r\x1b[K"


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

    def report(self, progress: Progress) -> None:
        """How far the solver is."""
        tried, share = f"{progress.tried:,}", f"{progress.share:.1%}"
        self.show(f"{share} searched, {tried} tiles tried, {progress.found} found; Ctrl-C stops")

    def show(self, text: str) -> None:
        """The line, not too often."""
        if self._watched and monotonic() - self._last > _SECONDS:
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
