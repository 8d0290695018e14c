"""What a driver is asked in a race: a protocol, so that drivers can be swapped.

Every question comes with the race as it stands and the racer that is driven. A driver changes
neither; he answers with cards and choices that the rules allow, or the rules raise ValueError.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, Protocol

from gridpress_chariot_dash.cards import Moment, Play
from gridpress_chariot_dash.race.ways import Way
from gridpress_chariot_dash.reach import Target
from gridpress_chariot_dash.speed_check import SpeedPlan

if TYPE_CHECKING:
    from gridpress_chariot_dash.race.meet import Race
    from gridpress_chariot_dash.race.racer import Racer


class SpeedChoice(NamedTuple):
    """Cards for the speed check, and the plan for its dice."""

    plays: tuple[Play, ...]
    plan: SpeedPlan


class Drive(NamedTuple):
    """How to go through a phase: a card for a hex more or less, the way, the turn at its end."""

    way: Way | None
    turn: int = 0
    plays: tuple[Play, ...] = ()


class Strike(NamedTuple):
    """An attack: on whom, on the driver or the vehicle, with which cards."""

    target: Racer
    on: Target
    plays: tuple[Play, ...]


class Driver(Protocol):
    """Drives one or more vehicles; keeps nothing of a race."""

    def speed(self, race: Race, me: Racer) -> SpeedChoice:
        """The speed check."""

    def phase(self, race: Race, me: Racer, phase: int, left: int | None) -> Drive:
        """The way through a phase. left: hexes still to go after control was lost in the middle of
        it (no card may then be played); None at its beginning."""

    def control(self, race: Race, me: Racer, *, forced: bool) -> tuple[Play, ...]:
        """Cards for a control roll."""

    def attack(
        self,
        race: Race,
        me: Racer,
        targets: tuple[Racer, ...],
        on: tuple[Target, ...] = tuple(Target),
    ) -> Strike | None:
        """Whether to attack one of those in reach; on what it may be (an ambush: the driver)."""

    def defend(self, race: Race, me: Racer, attacker: Racer, on: Target) -> tuple[Play, ...]:
        """Cards against an attack."""

    def special(self, race: Race, me: Racer, moment: Moment, stake: int) -> tuple[Play, ...]:
        """Special cards before the phases, a damage roll, a collision or the end of a round.
        stake: the dice of damage that are about to be rolled, or stamina about to be lost."""
