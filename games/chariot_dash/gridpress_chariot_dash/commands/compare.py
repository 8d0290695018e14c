"""`gridpress vehicle compare`: two names in, which of them is better and by how much out."""

from __future__ import annotations

import click

from gridpress_chariot_dash.commands.racing import Asked, open_meeting, race_options, racing, tell


@click.command("compare")
@click.argument("first", metavar="A")
@click.argument("second", metavar="B")
@click.option(
    "--races",
    type=click.IntRange(2, 1_000_000),
    default=2000,
    show_default=True,
    help="The more, the smaller a difference is told from noise.",
)
@race_options
def command(
    first: str,
    second: str,
    races: int,
    asked: Asked,
) -> int:
    """Say whether vehicle A is better than B, by how much, or that it is within noise.

    They race in fields of four, two of each; every race is run again with their places on the grid
    exchanged, so that neither has the better ones. Better is who comes in earlier, by the sign
    test at 5%.
    """
    meeting = open_meeting((first, second), asked)
    if meeting is None:
        return 1
    if len(meeting.vehicles) != 2:
        raise click.UsageError("compare takes two vehicles; simulate races any number")
    one, other = meeting.vehicles
    with racing("races", meeting.track, races) as told:
        how = asked.running(races, told)
        found = meeting.game.compare(one, other, meeting.track, meeting.components, how)
    tell(found, asked)
    return 0
