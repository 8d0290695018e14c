"""The commands on vehicles, each imported when it runs."""

from __future__ import annotations

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
        "Show a vehicle's licence and what it is worth, beside the baseline.",
        "gridpress_chariot_dash.commands.show:show_vehicles",
    ),
    "simulate": Command(
        "Race vehicles against each other, or one against the clock.",
        "gridpress_chariot_dash.commands.racing:simulate_vehicles",
    ),
    "compare": Command(
        "Say which of two vehicles is better, and by how much.",
        "gridpress_chariot_dash.commands.measures:compare",
    ),
    "worth": Command(
        "Measure what each change to a vehicle is worth.",
        "gridpress_chariot_dash.commands.measures:worth",
    ),
    "tune": Command(
        "Propose the smallest changes that make a vehicle fair.",
        "gridpress_chariot_dash.commands.measures:tune",
    ),
}


class _VehicleGroup(LazyGroup):
    table = _COMMANDS


@click.group("vehicle", cls=_VehicleGroup)
def command() -> None:
    """See what a vehicle is worth, before anybody prints it.

    NAME is a vehicle as PACK/ID, such as my-vehicles/comet, or its id alone where only one pack has
    it. FOLDER/ID works for a project of your own. `gridpress new vehicle NAME` starts one.
    """
