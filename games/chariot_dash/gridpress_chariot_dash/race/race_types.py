"""The race types of the game: what is agreed before, how many take part, and which team has won."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from msgspec import Struct

from gridpress_chariot_dash.race import layout
from gridpress_chariot_dash.race.layout import Array

TAG_TEAM: Final = "tag-team"
TYPES: Final[Mapping[str, int]] = {
    "fastest": layout.FASTEST,
    "furthest": layout.FURTHEST,
    "toughest": layout.TOUGHEST,
    "pursuit": layout.PURSUIT,
    "fox-and-hounds": layout.FOX,
    "scoring": layout.SCORING,
    TAG_TEAM: layout.FASTEST,
}
"""By the ids of the pack. Tag team is any other one in teams, fastest if none is named."""

PLACE_POINTS: Final = (5, 3, 1)
"""By which teams are placed where nothing scores (CD-8)."""
MOST_RUNNERS: Final = 3
USUAL_LAPS: Final = 2
"""Of a fastest race; who drives alone, against the clock, drives one."""
_ROUNDS: Final = {layout.FURTHEST: 12, layout.SCORING: 10}
"""Rounds of the types that end after some."""
_MOST_ROUNDS: Final = 120
"""Rounds, of each lap if there are laps, after which nobody waits any longer."""
_OPEN: Final = (layout.FASTEST, layout.FURTHEST)
"""Types that can be driven alone."""
_IN_LAPS: Final = (layout.FASTEST, layout.SCORING)


class RaceType(Struct, frozen=True):
    """What is raced: the kind, laps (0: none agreed), and the rounds after which it is over.

    runners: how many (CD-6). teams: car n is of team n % teams + 1; 0: everybody for himself.
    """

    kind: int = layout.FASTEST
    laps: int = 1
    rounds: int = _MOST_ROUNDS
    runners: int = 0
    teams: int = 0

    @classmethod
    def of(
        cls,
        name: str = "fastest",
        laps: int | None = None,
        rounds: int | None = None,
        teams: int = 0,
    ) -> RaceType:
        """A type by its id, as it is usually raced but for what is given. ValueError in plain words
        for laps or rounds that it does not end by."""
        kind = TYPES[name]
        if laps is not None and kind not in _IN_LAPS:
            raise ValueError(f"a {name} race does not end after laps")
        if rounds is not None and kind == layout.FASTEST:
            raise ValueError(f"a {name} race ends after its laps, not after rounds")
        if kind == layout.FASTEST:
            laps = laps or USUAL_LAPS
        usual = _MOST_ROUNDS * max(1, laps) if laps else _ROUNDS.get(kind, _MOST_ROUNDS)
        runners = MOST_RUNNERS if kind == layout.SCORING else 0
        return cls(kind, laps or 0, rounds or usual, runners, teams or 2 * (name == TAG_TEAM))

    @property
    def name(self) -> str:
        """Its id."""
        return next(name for name, kind in TYPES.items() if kind == self.kind)

    @property
    def is_for_laps(self) -> bool:
        """Whether who is quicker round the laps wins: then rounds a lap can be told."""
        return self.kind == layout.FASTEST

    def must_suit(self, cars: int) -> None:
        """ValueError in plain words where so many cannot race so."""
        if self.kind == layout.PURSUIT and cars != 2:
            raise ValueError(f"pursuit is for exactly 2 vehicles, not {cars}")
        if cars < 2 and self.kind not in _OPEN:
            raise ValueError(f"{self.name} takes 2 vehicles at least")
        if self.teams and cars < 2 * self.teams:
            raise ValueError(f"{cars} vehicles do not make {self.teams} teams of two or more")

    def __str__(self) -> str:
        laps = f"{self.laps} lap{'' if self.laps == 1 else 's'}"
        if self.kind == layout.FASTEST:
            said = laps
        else:
            ends = laps if self.laps else f"{self.rounds} rounds"
            at_most = "" if self.kind in _ROUNDS else "at most "
            said = f"{self.name}, {at_most}{ends}"
        return f"{said}, in {self.teams} teams" if self.teams else said


def team_places(runs: Array, teams: int, *, scoring: bool = False) -> list[int]:
    """The place of each team in one race, from 1 (CD-8): by points in Scoring, else 5, 3, 1 for
    the first three places; equal ones by the better best place. Car n is of team n % teams + 1."""
    points, best = [0] * teams, [len(runs) + 1] * teams
    for v, run in enumerate(runs):
        team, place = v % teams, int(run["place"])
        won = PLACE_POINTS[place - 1] if place <= len(PLACE_POINTS) else 0
        points[team] += int(run["score"]) if scoring else won
        best[team] = min(best[team], place)
    order = sorted(range(teams), key=lambda team: (-points[team], best[team]))
    return [order.index(team) + 1 for team in range(teams)]
