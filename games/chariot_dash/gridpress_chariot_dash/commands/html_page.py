"""The option `--html FILE`, and the page that goes to it; its name is told."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, Final, TypeVar

import click

from generator import writing
from generator.diagnostics import Diagnostic, GridpressError, Span

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
    click.echo(f"wrote {path}", err=True)


def _make_folder(path: Path) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        message = f"the page cannot be written: {error.strerror}"
        raise GridpressError(Diagnostic(Span(str(path)), "GP702", message, _ELSEWHERE)) from error
