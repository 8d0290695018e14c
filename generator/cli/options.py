"""Options that several commands share."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from functools import reduce, wraps
from pathlib import Path
from typing import Final, TypeVar

import click
from click.core import ParameterSource

from generator.build import Order
from generator.cache import NOTHING_KEPT, Cache, user_cache
from generator.export import DEFAULT_OUTPUT
from generator.model.pack import Backs, words_in
from generator.writing import TargetFolder

Command = TypeVar("Command", bound=Callable[..., int])

LEAST_DPI: Final = 36
"""Coarser pictures cannot be read."""

packs = click.argument("packs", nargs=-1, metavar="[PACK|FOLDER]...")

strict = click.option("--strict", is_flag=True, help="Treat warnings as errors.")


def _words(context: click.Context, parameter: click.Parameter, given: Sequence[str]) -> str | None:
    words = ", ".join(words_in(",".join(given)))
    if given and not words:
        raise click.BadParameter("say which components", context, parameter)
    return words or None


only = click.option(
    "--only",
    metavar="WORD",
    multiple=True,
    callback=_words,
    help="Only these components, and pieces made from them: an id, kind/id or name; * and ? match "
    "any characters; repeatable, or with commas.",
)


def _papers(
    context: click.Context, parameter: click.Parameter, given: Sequence[str]
) -> tuple[str, ...]:
    return words_in(",".join(given).lower())


papers = click.option(
    "--paper",
    "papers",
    multiple=True,
    callback=_papers,
    metavar="NAME",
    help="The paper: a4, letter, …; repeatable, or with commas.",
)

backs = click.option(
    "--backs",
    type=click.Choice([str(b) for b in Backs]),
    help="How backs are printed. duplex-long and duplex-short: the edge that your printer "
    "turns the sheet over; gutterfold: one side, fold and glue; none: fronts only.",
)

players = click.option(
    "--players", type=click.IntRange(1, 99), help="Print what this many players need."
)

locale = click.option(
    "--locale",
    metavar="xx",
    help="Print in this language (cards/PACK/locales/xx.yaml), to separate files.",
)

ink = click.option(
    "--ink",
    type=click.Choice(["full", "low", "mono"]),
    default="full",
    show_default=True,
    help="full: all colours; low: light grounds that save ink; mono: greys only.",
)

jobs = click.option(
    "--jobs",
    type=click.IntRange(1, 64),
    default=lambda: min(os.cpu_count() or 1, 8),
    show_default="one per core",
    help="How many processes to use; the result is the same for any number.",
)

format_ = click.option(
    "--format",
    "format_",
    type=click.Choice(["text", "json"]),
    default="text",
    show_default=True,
    help="How findings are shown.",
)


def _place(context: click.Context, parameter: click.Parameter, folder: Path) -> TargetFolder:
    source = context.get_parameter_source(parameter.name or "")
    if source is ParameterSource.DEFAULT:
        return DEFAULT_OUTPUT
    return TargetFolder(folder)


def _cache(context: click.Context, parameter: click.Parameter, without: bool) -> Cache:
    return NOTHING_KEPT if without else user_cache()


cache = click.option(
    "--no-cache",
    "cache",
    is_flag=True,
    callback=_cache,
    help="Neither use nor keep earlier results (see gridpress cache).",
)

output = click.option(
    "-o",
    "--output",
    type=click.Path(file_okay=False, path_type=Path),
    default=DEFAULT_OUTPUT.path,
    show_default=True,
    callback=_place,
    help="Folder for the results.",
)

_OF_AN_ORDER = (
    packs,
    papers,
    backs,
    players,
    only,
    ink,
    locale,
    jobs,
    cache,
    strict,
)


def of_an_order(command: Callable[..., int]) -> Callable[..., int]:
    """Add the options that say what to print. The command gets packs, the order, and its other
    options by name."""

    @wraps(command)
    def ordered(
        packs: tuple[str, ...],
        papers: tuple[str, ...],
        backs: str | None,
        players: int | None,
        only: str | None,
        ink: str,
        locale: str | None,
        jobs: int,
        cache: Cache,
        strict: bool,
        **more: object,
    ) -> int:
        wanted = Backs(backs) if backs else None
        order = Order(papers, wanted, players, only, ink, locale, jobs, strict, cache)
        return command(packs, order, **more)

    return reduce(lambda made, option: option(made), reversed(_OF_AN_ORDER), ordered)


def of_a_build(command: Callable[..., int]) -> Callable[..., int]:
    """Add the same options and the output folder, as `output`."""
    return of_an_order(output(command))
