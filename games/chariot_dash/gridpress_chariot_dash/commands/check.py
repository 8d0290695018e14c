"""`gridpress vehicle check`: names in, what is wrong or unusual about those vehicles out."""

from __future__ import annotations

import click

from generator.cli import options, report
from generator.diagnostics import Diagnostic, Severity
from generator.order import Order
from generator.prepress import open_pack
from gridpress_chariot_dash.commands.finding import vehicles_of, wanted


@click.command("check")
@click.argument("names", nargs=-1, metavar="[PACK|NAME]...")
@options.format_
@options.strict
def command(names: tuple[str, ...], format_: str, strict: bool) -> int:
    """Check vehicles against the creation guide, and say nothing of the rest of their pack.

    An error is what the game cannot be played with; a warning is what the guide advises against,
    with its reason. Without a name: all vehicles in reach.
    """
    said: list[Diagnostic] = []
    for target, vehicles in wanted(names).items():
        every = vehicles_of(target).value
        found = open_pack(target, Order()).diagnostics
        theirs = [d for d in found if any(one.holds(d.span) for one in vehicles)]
        # What is wrong beside the vehicles may keep them from being looked at.
        beside = [
            d
            for d in found
            if d.severity is Severity.ERROR and not any(one.holds(d.span) for one in every)
        ]
        said += (*beside, *theirs)
        if format_ == "text":
            report.show((*beside, *theirs))
            for one in vehicles:
                own = [d for d in theirs if one.holds(d.span)]
                told = report.summary(own) if own or not beside else "not looked at"
                report.say(f"{one.name}: {told}")
    if format_ == "json":
        report.show_json(said)
    return int(report.has_failed(said, strict))
