"""`gridpress check`: packs in, findings out; nothing is written."""

from __future__ import annotations

import click

from generator.cache import Cache
from generator.cli import options, terminal
from generator.cli.progress import progress_bar
from generator.diagnostics import Diagnostic
from generator.order import Order
from generator.prepress import lay_out
from generator.project import find_targets


@click.command("check")
@options.packs
@options.format_
@options.jobs
@options.cache
@options.strict
def command(packs: tuple[str, ...], format_: str, jobs: int, cache: Cache, strict: bool) -> int:
    """Look for mistakes in packs: data, references, texts that do not fit, pictures, sizes.

    All that a build would say, without printing anything.
    """
    order = Order(jobs=jobs, strict=strict, cache=cache)
    said: list[Diagnostic] = []
    for target in find_targets(packs):
        with progress_bar(target.pack) as progress:
            outcome = lay_out(target, order, progress=progress)
        if format_ == "text":
            terminal.show(outcome.diagnostics, said)
            click.echo(f"{target.pack}: {terminal.summary(outcome.diagnostics)}")
        said.extend(outcome.diagnostics)
    if format_ == "json":
        terminal.show_json(said)
    return int(terminal.has_failed(said, strict))
