"""`gridpress preview`: packs in, PNG faces and contact sheets out."""

from __future__ import annotations

import click

from generator.cache import Cache
from generator.cli import options, terminal
from generator.cli.progress import progress_bar
from generator.diagnostics import Diagnostic
from generator.order import Order
from generator.outlets import MIN_DPI, preview_pack
from generator.project import find_targets
from generator.realfolder import TargetFolder


@click.command("preview")
@options.packs
@options.only
@options.ink
@options.locale
@click.option(
    "--dpi",
    type=click.IntRange(MIN_DPI, 600),
    default=150,
    show_default=True,
    help="Dots per inch.",
)
@options.output
@options.jobs
@options.cache
def command(
    packs: tuple[str, ...],
    only: str | None,
    ink: str,
    locale: str | None,
    dpi: int,
    output: TargetFolder,
    jobs: int,
    cache: Cache,
) -> int:
    """Draw faces as pictures: OUTPUT/PACK/preview/KIND.ID.SIDE.png, and a contact sheet a kind.

    The pictures come from the same engine and fonts as the PDF.
    """
    order = Order(only=only, ink=ink, locale=locale, jobs=jobs, cache=cache)
    said: list[Diagnostic] = []
    for target in find_targets(packs):
        with progress_bar(target.pack) as progress:
            outcome = preview_pack(target, order, output, dpi, progress, terminal.note)
        terminal.show(outcome.diagnostics, said)
        said.extend(outcome.diagnostics)
        for path in outcome.value:
            terminal.say(str(path))
    return int(terminal.has_failed(said, strict=False))
