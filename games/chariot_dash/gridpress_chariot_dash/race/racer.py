"""A vehicle, its driver and a starting place in, how it stands in a race, kept up to date, out.

The rules' `State` is immutable; a racer holds the latest one, its place on the track and what is
counted of it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from gridpress_chariot_dash.cards import Moment, Play
from gridpress_chariot_dash.hand import Played, play
from gridpress_chariot_dash.movement import Hex, Pose
from gridpress_chariot_dash.speed_check import ALONE, Standing
from gridpress_chariot_dash.state import State

if TYPE_CHECKING:
    from gridpress_chariot_dash.race.driver import Driver


class Racer:
    """One vehicle in one race.

    number: its place on the grid from 0. progress: cells since the finish line was first crossed,
    below 0 before that. spaces: hexes moved. rolls: control rolls. lost: where control was lost to
    a slide, a spin or damage. cards: how many it has played. finished: the round in which it
    crossed the line for the last time, 0 if it has not. parked: a wreck that has come to rest.
    """

    __slots__ = (
        "attacks",
        "cards",
        "collisions",
        "drifted",
        "driver",
        "finished",
        "jumped",
        "lost",
        "moved",
        "number",
        "parked",
        "pose",
        "progress",
        "rolls",
        "spaces",
        "standing",
        "state",
        "wrecked",
    )

    def __init__(
        self, number: int, state: State, pose: Pose, progress: float, driver: Driver
    ) -> None:
        self.number = number
        self.state = state
        self.pose = pose
        self.progress = progress
        self.driver = driver
        self.standing: Standing = ALONE
        self.moved = 0  # hexes in this phase
        self.drifted = self.jumped = False  # in this phase
        self.spaces = 0
        self.rolls = 0
        self.lost: list[Hex] = []
        self.cards = 0
        self.attacks = 0
        self.collisions = 0
        self.finished = 0
        self.wrecked = 0
        self.parked = False

    @property
    def racing(self) -> bool:
        """Neither at the finish nor wiped out."""
        return not self.finished and not self.state.condition.wiped_out

    def play(self, plays: tuple[Play, ...], moment: Moment) -> Played:
        """Play cards from the hand."""
        self.state, played = play(self.state, plays, moment)
        self.cards += len(plays)
        return played
