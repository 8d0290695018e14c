"""The commands on vehicles, each imported when it runs."""

from __future__ import annotations

from importlib.util import find_spec
from typing import Final

import click

from generator.cli import LazyGroup
from generator.guests import Command

_COMMANDS: Final = {
    "check": Command(
        "Check vehicles against the creation guide.",
        "gridpress_chariot_dash.commands.vehicles:check_vehicles",
    ),
    "show": Command(
        "Show a vehicle's licence and what it is worth.",
        "gridpress_chariot_dash.commands.show:show_vehicles",
    ),
    "simulate": Command(
        "Race vehicles against each other, or one against the clock.",
        "gridpress_chariot_races.race_commands.racing:simulate_vehicles",
    ),
    "compare": Command(
        "Say which of two vehicles is better, and by how much.",
        "gridpress_chariot_races.race_commands.measures:compare",
    ),
    "worth": Command(
        "Measure what each change to a vehicle is worth.",
        "gridpress_chariot_races.race_commands.measures:worth",
    ),
    "tune": Command(
        "Propose the smallest changes that make a vehicle fair.",
        "gridpress_chariot_races.race_commands.measures:tune",
    ),
}


_RACES: Final = "gridpress_chariot_races"
"""The package that races vehicles; it may be missing."""


class _VehicleGroup(LazyGroup):
    table = _COMMANDS

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import a command. Raises ClickException if it needs the races and they are missing."""
        known = self.table.get(cmd_name)
        if known and known.where.startswith(_RACES) and find_spec(_RACES) is None:
            raise click.ClickException(
                f"gridpress vehicle {cmd_name} races vehicles: "
                "pip install 'gridpress[races]', or ./games/chariot_races of a checkout"
            )
        return super().get_command(ctx, cmd_name)


@click.group("vehicle", cls=_VehicleGroup)
def command() -> None:
    """See what a vehicle is worth, before anybody prints it.

    NAME is a vehicle as PACK/ID, such as my-vehicles/comet, or its id alone where only one pack has
    it. FOLDER/ID works for a project of your own. `gridpress new vehicle NAME` starts one.
    """
