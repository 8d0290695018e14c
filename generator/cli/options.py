"""Options that several commands share."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

Command = TypeVar("Command", bound=Callable[..., Any])


def packs(command: Command) -> Command:
    """The packs or folders that a command works on."""
    return click.argument("packs", nargs=-1, metavar="[PACK|FOLDER]...")(command)


def strict(command: Command) -> Command:
    """`--strict`: a warning is as bad as an error."""
    return click.option("--strict", is_flag=True, help="Treat warnings as errors.")(command)


def only(command: Command) -> Command:
    """`--only GLOB`: some components."""
    return click.option(
        "--only",
        metavar="GLOB",
        help="Only components with this id, and what is made from them; * and ? stand for any.",
    )(command)


def players(command: Command) -> Command:
    """`--players N`."""
    return click.option(
        "--players", type=click.IntRange(1, 99), help="Print what this many players need."
    )(command)


def locale(command: Command) -> Command:
    """`--locale xx`."""
    return click.option(
        "--locale",
        metavar="xx",
        help="Words and texts of this language: cards/PACK/locales/xx.yaml.",
    )(command)


def ink(command: Command) -> Command:
    """`--ink full|low|mono`."""
    return click.option(
        "--ink",
        type=click.Choice(["full", "low", "mono"]),
        default="full",
        show_default=True,
        help="full colour; low: light grounds that save ink; mono: greys only.",
    )(command)


def jobs(command: Command) -> Command:
    """`--jobs N`: worker processes."""
    return click.option(
        "--jobs",
        type=click.IntRange(1, 64),
        default=lambda: min(os.cpu_count() or 1, 8),
        show_default="one a core",
        help="How many processes work at once; the result is the same for any number.",
    )(command)


def output(default: str) -> Callable[[Command], Command]:
    """`-o FOLDER`."""
    return click.option(
        "-o",
        "--output",
        type=click.Path(file_okay=False, path_type=Path),
        default=default,
        show_default=True,
        help="Folder that the results go to.",
    )


def format_(command: Command) -> Command:
    """`--format text|json`."""
    return click.option(
        "--format",
        "format_",
        type=click.Choice(["text", "json"]),
        default="text",
        show_default=True,
        help="How findings are shown.",
    )(command)
