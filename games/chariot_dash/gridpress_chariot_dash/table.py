"""A pack's name and what it requires in, the module that knows its game out: one visible table."""

from __future__ import annotations

import importlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Protocol, cast

from gridpress_chariot_dash.findings import Finding, Running
from gridpress_chariot_dash.showing import Figure, Table

GAMES: Final[Mapping[str, str]] = {
    "chariot-dash": "gridpress_chariot_dash.report",
}
"""By pack; a pack that requires one of these plays its game. Imported only when it is used."""

Values = Mapping[str, Any]
"""The values of a checked component."""


@dataclass(frozen=True, slots=True)
class Appraisal:
    """What a game says of one vehicle: its licence, figures beside those of the baseline, and its
    strengths as ratios to it."""

    id: str
    name: str
    baseline: str
    licence: tuple[Table, ...]
    figures: tuple[Figure, ...]
    strengths: Mapping[str, float | None]


class Game(Protocol):
    """What a module of the table has."""

    KIND: str
    """The kind of component that it appraises."""
    BASELINE: str
    """The id of the component that all others are measured against."""
    TRACK: str
    """The id of the track that is raced on when none is named."""
    FIELD: int
    """How many race at a time when more are named than a race has room for."""
    MOST_AT_ONCE: int
    """How many a race has room for."""

    def appraise(
        self, values: Values, baseline: Values, components: Mapping[str, Sequence[Values]]
    ) -> Appraisal:
        """A vehicle beside the baseline, under the rules that the pack's components say."""

    def page(self, appraisals: Sequence[Appraisal], title: str) -> str:
        """All of them as a page of HTML that needs no other file."""

    def race(
        self,
        vehicles: Sequence[Values],
        track: Values,
        components: Mapping[str, Sequence[Values]],
        running: Running,
    ) -> Finding:
        """Races or time trials. ValueError for a track, or a number of vehicles, that will not
        do."""

    def compare(
        self,
        first: Values,
        second: Values,
        track: Values,
        components: Mapping[str, Sequence[Values]],
        running: Running,
    ) -> Finding:
        """Which of two vehicles is better. ValueError as for `race`."""


def game_of(pack: str, required: Iterable[str] = ()) -> Game | None:
    """The game of a pack: its own name's, else that of the first pack that it requires."""
    for name in (pack, *required):
        if name in GAMES:
            return cast(Game, importlib.import_module(GAMES[name]))
    return None
