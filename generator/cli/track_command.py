"""`gridpress track`: the commands on tracks, each imported when it runs."""

from __future__ import annotations

from typing import Final

import click

from generator.cli import LazyGroup
from generator.guests import Command

_HELP: Final = {
    "show": "Show a track: its tiles in order, or a plan of it as a picture.",
    "check": "Check tracks: closed, no overlap, enough tiles, starts and markers.",
    "solve": "Find all circuits that can be laid from a set of tiles.",
    "shorten": "Find which tiles can leave a track so that it is still a circuit.",
}
_COMMANDS: Final = {
    name: Command(words, f"generator.cli.track_{name}:command") for name, words in _HELP.items()
}


class _TrackGroup(LazyGroup):
    table = _COMMANDS


@click.group("track", cls=_TrackGroup)
def command() -> None:
    """Look at tracks, solve circuits from your tiles, shorten them.

    A LAYOUT is a track of a pack: PACK/ID, such as my-tracks/oval, or its id alone where only one
    pack has it. FOLDER/ID works for a project of your own.
    """
