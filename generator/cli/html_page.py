"""The option `--html FILE`, and the page that goes to it; its name is told."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

import click

from generator.diagnostics import Diagnostic, GridpressError, Span

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
    with _told(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        was_there = path.exists()
        path.open("ab").close()
        if not was_there:
            path.unlink()


def write_page(path: Path, text: str) -> None:
    """Write the page. Raises GridpressError (GP702) when it cannot be."""
    with _told(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    click.echo(f"wrote {path}", err=True)


@contextmanager
def _told(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        message = f"the page cannot be written: {error.strerror}"
        hint = "choose another file with --html"
        raise GridpressError(Diagnostic(Span(str(path)), "GP702", message, hint)) from error
