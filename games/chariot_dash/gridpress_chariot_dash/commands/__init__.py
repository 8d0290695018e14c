"""`gridpress vehicle`: the commands on vehicles, each imported when it runs."""

from __future__ import annotations

from typing import Final

import click

from generator.cli import LazyGroup
from generator.guests import Command

_HELP: Final = {
    "check": "Check vehicles against the creation guide.",
    "show": "Show a vehicle's licence and what it is worth, beside the baseline.",
    "simulate": "Race vehicles against each other, or one against the clock.",
    "compare": "Say which of two vehicles is better, and by how much.",
}
_COMMANDS: Final = {
    name: Command(words, f"gridpress_chariot_dash.commands.{name}:command")
    for name, words in _HELP.items()
}


class _VehicleGroup(LazyGroup):
    table = _COMMANDS


@click.group("vehicle", cls=_VehicleGroup)
def command() -> None:
    """See what a vehicle is worth, before anybody prints it.

    A NAME is a vehicle of a pack: PACK/ID, such as my-vehicles/comet, or its id alone where only
    one pack has it. FOLDER/ID works for a project of your own. `gridpress new vehicle NAME` starts
    one.
    """
