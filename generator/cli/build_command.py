"""`gridpress build`: packs in, PDFs and a manifest for each out."""

from __future__ import annotations

from pathlib import Path

import click

from generator.cli import options, report
from generator.cli.progress import progress_bar
from generator.diagnostics import Diagnostic
from generator.model.pack import Backs
from generator.prepress import Order
from generator.press import PrintedFile, press_pack
from generator.project import find_targets


@click.command("build")
@options.packs
@click.option("--paper", "papers", multiple=True, metavar="NAME", help="a4, letter, …; repeatable.")
@click.option(
    "--backs",
    type=click.Choice([str(b) for b in Backs]),
    help="How backs come behind fronts. duplex-long and duplex-short: the edge that your printer "
    "turns the sheet over; gutterfold: one side, fold and glue; none: fronts only.",
)
@options.players
@options.only
@options.ink
@options.locale
@options.output("output")
@options.jobs
@options.strict
def command(
    packs: tuple[str, ...],
    papers: tuple[str, ...],
    backs: str | None,
    players: int | None,
    only: str | None,
    ink: str,
    locale: str | None,
    output: Path,
    jobs: int,
    strict: bool,
) -> int:
    """Print packs: OUTPUT/PACK/PRINT-PAPER.pdf for each kind of paper, and a manifest.

    Without a PACK or FOLDER, every pack is printed. Nothing is written while a pack has errors,
    and the last good build stays as it was.
    """
    order = Order(papers, Backs(backs) if backs else None, players, only, ink, locale, jobs, strict)
    said: list[Diagnostic] = []
    for target in find_targets(packs):
        with progress_bar(target.pack) as progress:
            outcome = press_pack(target, order, output, progress)
        report.show(outcome.diagnostics)
        said.extend(outcome.diagnostics)
        if outcome.value:
            click.echo(_summary(target.pack, outcome.value))
        else:
            click.echo(f"{target.pack}: not printed ({report.summary(outcome.diagnostics)})")
    return int(report.has_failed(said, strict))


def _summary(pack: str, files: tuple[PrintedFile, ...]) -> str:
    width = max(len(str(file.path)) for file in files)
    lines = [
        f"  {file.path!s:<{width}}  {file.pages:>3} pages  {file.pieces:>4} pieces  {file.media}"
        for file in files
    ]
    return "\n".join((f"{pack}: printed", *(line.rstrip() for line in lines)))
