"""`gridpress build`: packs in, PDFs and a manifest for each out."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import click

from generator.cache import Cache
from generator.cli import options, report
from generator.cli.packing_table import show_packing_list
from generator.cli.progress import progress_bar
from generator.diagnostics import Diagnostic
from generator.export import MANIFEST
from generator.model.pack import Backs
from generator.packing import packing_list
from generator.project import find_targets
from generator.realfolder import Place
from generator.workers import collect_seldom

if TYPE_CHECKING:
    from generator.press import PrintedFile


@click.command("build")
@options.packs
@options.papers
@options.backs
@options.players
@options.only
@options.ink
@options.locale
@options.output
@options.jobs
@options.cache
@options.strict
def command(
    packs: tuple[str, ...],
    papers: tuple[str, ...],
    backs: str | None,
    players: int | None,
    only: str | None,
    ink: str,
    locale: str | None,
    output: Place,
    jobs: int,
    cache: Cache,
    strict: bool,
) -> int:
    """Print packs: OUTPUT/PACK/PRINT-PAPER.pdf for each kind of paper, and a manifest.

    Without a PACK or FOLDER, every pack is printed. Nothing is written while a pack has errors,
    and the last good build stays as it was.
    """
    collect_seldom()
    from generator.prepress import Order
    from generator.press import press_pack

    wanted = Backs(backs) if backs else None
    order = Order(papers, wanted, players, only, ink, locale, jobs, strict, cache)
    said: list[Diagnostic] = []
    for target in find_targets(packs):
        with progress_bar(target.pack) as progress:
            outcome = press_pack(target, order, output, progress, report.note)
        report.show(outcome.diagnostics, said)
        said.extend(outcome.diagnostics)
        if outcome.value:
            _show(target.pack, outcome.value)
        else:
            click.echo(f"{target.pack}: not printed ({report.summary(outcome.diagnostics)})")
    return int(report.has_failed(said, strict))


def _show(pack: str, files: tuple[PrintedFile, ...]) -> None:
    """What was printed and why, then the files."""
    manifest = json.loads((files[0].path.parent / MANIFEST).read_text(encoding="utf-8"))
    players = manifest["players"]
    click.echo(f"{pack}: printed" + (f" for {players} players" if players else ""))
    show_packing_list(packing_list(manifest))
    click.echo(_files(files))


def _files(files: tuple[PrintedFile, ...]) -> str:
    width = max(len(str(file.path)) for file in files)
    lines = [
        f"  {file.path!s:<{width}}  {file.pages:>3} page{' ' if file.pages == 1 else 's'}"
        f"  {file.pieces:>4} piece{' ' if file.pieces == 1 else 's'}"
        f"  {100 * file.waste:>3.0f} % waste  {file.media}"
        for file in files
    ]
    return "\n".join(line.rstrip() for line in lines)
