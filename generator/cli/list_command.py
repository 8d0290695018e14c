"""`gridpress list`: packs in, what is in them out."""

from __future__ import annotations

import click

from generator.cli import options, terminal
from generator.diagnostics import Diagnostic
from generator.model.pack import Pack
from generator.order import Order
from generator.prepress import open_pack
from generator.project import find_targets
from generator.units import summed


@click.command("list")
@options.packs
@options.players
def command(packs: tuple[str, ...], players: int | None) -> int:
    """Show packs, their kinds, components and counts.

    Without a name: every pack, a line each kind. With one: every component too.
    """
    said: list[Diagnostic] = []
    for target in find_targets(packs):
        outcome = open_pack(target, Order(players=players))
        terminal.show(outcome.diagnostics, said)
        said.extend(outcome.diagnostics)
        if outcome.value is not None:
            terminal.say("\n".join(_lines(outcome.value.pack, in_full=bool(packs))))
    return int(terminal.has_failed(said, strict=False))


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
