"""`gridpress check`: packs in, all that a build would find out; nothing is printed."""

from __future__ import annotations

import click

from generator.bundle import unpacked
from generator.cli import options, terminal
from generator.cli.progress import progress_bar
from generator.diagnostics import Diagnostic, GridpressError
from generator.order import Order
from generator.project import find_targets


@click.command("check")
@options.format_
@options.of_an_order
def command(packs: tuple[str, ...], order: Order, format_: str) -> int:
    """Look for mistakes in packs: data, references, texts that do not fit, pictures, sizes, and how
    the finished sheets would look to preflight.

    All that a build with the same options would say, and with the same exit status, but no file is
    left behind.
    """
    from generator.press import proof_pack

    said: list[Diagnostic] = []
    terminal.note_shipped(packs)
    with unpacked(packs) as names:
        for target in find_targets(names):
            try:
                with progress_bar(target.pack) as progress:
                    found = proof_pack(target, order, progress)
            except GridpressError as error:  # of this pack: others are looked at
                found = error.diagnostics
            if format_ == "text":
                terminal.show(found, said)
                terminal.say(f"{target.pack}: {terminal.summary(found)}")
            said.extend(found)
    if format_ == "json":
        terminal.show_json(said)
    return int(terminal.has_failed(said, order.strict))
