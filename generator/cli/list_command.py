"""`gridpress list`: packs in, what is in them out; and what stocks and papers they may name."""

from __future__ import annotations

from collections.abc import Iterator

import click

from generator.cli import options, terminal
from generator.diagnostics import Diagnostic
from generator.geometry import Size, format_mm, summed
from generator.model.catalogue import Catalogue
from generator.model.pack import Pack
from generator.order import Order
from generator.prepress import open_pack, printer_of
from generator.project import Target, find_targets, project_here


@click.command("list")
@options.packs
@options.players
@click.option("--stocks", is_flag=True, help="The sizes that a kind may name, with their shapes.")
@click.option("--papers", is_flag=True, help="The papers and label sheets that a print may name.")
def command(packs: tuple[str, ...], players: int | None, stocks: bool, papers: bool) -> int:
    """Show packs, their kinds, components and counts.

    Without a name: every pack, a line each kind. With one: every component too.
    With --stocks or --papers: the names to choose from, in mm.
    """
    targets = find_targets(packs)
    if stocks or papers:
        return _catalogue(targets if packs else (), stocks, papers)
    said: list[Diagnostic] = []
    for target in targets:
        outcome = open_pack(target, Order(players=players))
        terminal.show(outcome.diagnostics, said)
        said.extend(outcome.diagnostics)
        if outcome.value is not None:
            terminal.say("\n".join(_lines(outcome.value.pack, in_full=bool(packs))))
    return int(terminal.has_failed(said, strict=False))


def _catalogue(targets: tuple[Target, ...], stocks: bool, papers: bool) -> int:
    """What the projects of these packs may name, those here without any."""
    said: list[Diagnostic] = []
    for project in dict.fromkeys([target.project for target in targets] or [project_here()]):
        outcome = printer_of(project)
        terminal.show(outcome.diagnostics, said)
        said.extend(outcome.diagnostics)
        if outcome.value is not None:
            catalogue, _ = outcome.value
            rows = [*_stocks(catalogue)] if stocks else []
            rows += [*_papers(catalogue)] if papers else []
            terminal.say("\n".join(terminal.in_columns(rows)))
    return int(terminal.has_failed(said, strict=False))


def _stocks(catalogue: Catalogue) -> Iterator[tuple[str, str, str, str]]:
    for stock in catalogue.stocks.values():
        yield stock.name, _size(stock.trim), stock.shape.value, stock.description


def _papers(catalogue: Catalogue) -> Iterator[tuple[str, str, str, str]]:
    for paper in catalogue.papers.values():
        yield paper.name, _size(paper.size), "paper", paper.title
    for sheet in catalogue.label_sheets.values():
        yield sheet.name, _size(sheet.label), f"labels on {sheet.paper}", sheet.title


def _size(size: Size) -> str:
    return f"{format_mm(size.width)} × {format_mm(size.height)}"


def _lines(pack: Pack, in_full: bool) -> list[str]:
    lines = [f"{pack.name}  {pack.title} {pack.version}"]
    for kind in pack.kinds.values():
        components = pack.components.get(kind.name, ())
        pieces = summed(component.quantity for component in components) if kind.faces else 0
        if not pieces and not pack.is_own(kind.name):
            continue
        printed = f", {pieces} to print" if kind.faces else ""
        noun = "component" if len(components) == 1 else "components"
        lines.append(f"  {kind.name:<20} {len(components):>4} {noun}{printed}")
        if in_full:
            lines += [
                f"    {component.id:<28}" + (f" × {component.quantity}" if kind.faces else "")
                for component in components
            ]
    return [line.rstrip() for line in lines]
