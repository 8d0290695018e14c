"""`gridpress vehicle simulate`: names in; races or time trials, and what they came to, out."""

from __future__ import annotations

import click

from gridpress_chariot_dash.commands.racing import (
    Asked,
    Meeting,
    open_meeting,
    race_options,
    racing,
    tell,
)


@click.command("simulate")
@click.argument("names", nargs=-1, required=True, metavar="NAME...")
@click.option(
    "--races",
    type=click.IntRange(1, 1_000_000),
    default=500,
    show_default=True,
    help="How many races, or time trials of each vehicle.",
)
@click.option(
    "--field",
    type=click.IntRange(1, 12),
    help="So many race at a time, drawn by lot; 1: time trials.  [default: all, 4 of more than 6]",
)
@race_options
def command(
    names: tuple[str, ...],
    races: int,
    field: int | None,
    asked: Asked,
) -> int:
    """Simulate: one NAME drives against the clock, several race each other, a pack's name enters
    all of its vehicles.

    Says who wins and how often against a fair share, rounds a lap, wipe-outs, cards, collisions,
    attacks, and the spaces where control is lost; with --html they are drawn on a map of the track.
    Each number has its 95% interval: the truth lies in there, most likely.
    """
    meeting = open_meeting(names, asked)
    if meeting is None:
        return 1
    at_once = _field(meeting, field)
    what, each = ("races", 1) if at_once > 1 else ("time trials", len(meeting.vehicles))
    with racing(what, meeting.track, races * each) as told:
        how = asked.running(races, told, at_once)
        found = meeting.game.race(meeting.vehicles, meeting.track, meeting.components, how)
    tell(found, asked)
    return 0


def _field(meeting: Meeting, field: int | None) -> int:
    """How many race at a time. Raises BadParameter for more than there are, or too many."""
    entered, most = len(meeting.entrants), meeting.game.MOST_AT_ONCE
    if field is None:
        return entered if entered <= most else meeting.game.FIELD
    if field > min(entered, most):
        why = f"{entered} named" if entered < most else f"a race is for {most} at most"
        raise click.BadParameter(f"{field} at a time, and {why}", param_hint="--field")
    return field
