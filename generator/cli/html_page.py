"""The option `--html FILE`, and the page that goes to it; its name is told."""

from __future__ import annotations

from collections.abc import Callable
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


def write_page(path: Path, text: str) -> None:
    """Write the page. Raises GridpressError (GP702) when it cannot be."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        message = f"the page cannot be written: {error.strerror}"
        hint = "choose another file with --html"
        raise GridpressError(Diagnostic(Span(str(path)), "GP702", message, hint)) from error
    click.echo(f"wrote {path}", err=True)
