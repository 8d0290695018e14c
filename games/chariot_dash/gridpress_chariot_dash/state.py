"""How a vehicle stands in a race: what damage has changed, and all its tracks. Never changed in
place: every step of the rules returns another state.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from gridpress_chariot_dash.cards import Piles
from gridpress_chariot_dash.options import Options
from gridpress_chariot_dash.speed_table import TOP, Marker
from gridpress_chariot_dash.traits import Modifiers, Traits, modifiers
from gridpress_chariot_dash.vehicle import CLP_TOP, SAFE, STAMINA_TOP, Vehicle

NO_LIMIT: Final = 99
ROLLING_START: Final = 2


class Condition(NamedTuple):
    """What damage may change of a vehicle, as it is now.

    control: dice by speed, 0 where safe. control_dice: more in each control roll. accelerate_most,
    decelerate_most: boxes that a speed check gives at most. acceleration, deceleration: added to
    its sum. clp_each_round, damage_each_round: taken at the end of a round.
    """

    traits: Traits
    modifiers: Modifiers
    control: tuple[int, ...]
    resilience: int
    control_dice: int = 0
    clp_each_round: int = 0
    damage_each_round: int = 0
    accelerate_most: int = NO_LIMIT
    decelerate_most: int = NO_LIMIT
    acceleration: int = 0
    deceleration: int = 0
    speed_most: int = TOP
    wiped_out: bool = False


class State(NamedTuple):
    """A vehicle in a race, all but its place on the track.

    level: damage taken. swaps: cards that have counted as the other type in this round.
    virtual_whips, virtual_reins: what tiredness adds to the next speed check.
    """

    vehicle: Vehicle
    condition: Condition
    marker: Marker
    piles: Piles
    clp: int
    stamina: int = STAMINA_TOP
    level: int = 0
    swaps: int = 0
    virtual_whips: int = 0
    virtual_reins: int = 0

    @property
    def speed(self) -> int:
        """The speed that the marker shows."""
        return self.vehicle.table.speeds[self.marker.acceleration]

    @property
    def safe(self) -> bool:
        """Whether turns at this speed need no control roll."""
        return self.condition.control[self.speed] == SAFE

    @property
    def modifiers(self) -> Modifiers:
        """What the traits that are left change."""
        return self.condition.modifiers

    def at(self, marker: Marker) -> State:
        """The marker moves; kept to the maximum speed; reaching a safe speed clears the CLP.

        A marker above the maximum goes to the right-most boxes of the maximum. A vehicle that was
        at a safe speed before has not reached one: CLP that it has just taken stay for their roll.
        """
        most = self.condition.speed_most
        table = self.vehicle.table
        speed = table.speeds[marker.acceleration]
        if speed > most:
            marker, speed = table.last[most], most
        control = self.condition.control
        reached = control[speed] == SAFE and control[self.speed] != SAFE
        if reached:
            return self._replace(marker=marker, clp=self.vehicle.control_minimum)
        return self._replace(marker=marker)

    def moved(self, boxes: int) -> State:
        """The marker moves right by so many boxes, or left if negative."""
        return self.at(self.vehicle.table.moved(self.marker, boxes)) if boxes else self

    def rated(self, speed: int) -> State:
        """The rating itself changes."""
        return self.at(self.vehicle.table.rated(self.marker, speed))

    def unsteadied(self, points: int) -> State:
        """CLP are taken, or removed if negative, within the control track."""
        if not points:
            return self
        clp = max(self.vehicle.control_minimum, min(CLP_TOP, self.clp + points))
        return self if clp == self.clp else self._replace(clp=clp)

    def tired(self, points: int) -> State:
        """Stamina is lost, or gained if negative, within the stamina track."""
        stamina = max(self.vehicle.stamina_minimum, min(STAMINA_TOP, self.stamina - points))
        return self if stamina == self.stamina else self._replace(stamina=stamina)

    def settled(self) -> State:
        """At a safe speed all CLP are gone: after a speed check or control roll that ends there."""
        least = self.vehicle.control_minimum
        return self._replace(clp=least) if self.clp != least and self.safe else self

    def conditioned(self, **changes: object) -> State:
        """The condition changes; a lower maximum speed takes effect at once."""
        changed = self._replace(condition=self.condition._replace(**changes))  # type: ignore[arg-type]
        return changed.at(changed.marker)


def starting(vehicle: Vehicle, options: Options) -> State:
    """A vehicle before the race: speed 0, or with a rolling start the last boxes of speed 2.

    Nothing is lost, stamina is full, CLP are at the track's minimum, every card is in the hand.
    The facts leave open which box of speed 0 is the first: it is the left-most.
    """
    table = vehicle.table
    condition = Condition(
        vehicle.traits, modifiers(vehicle.traits), vehicle.control, vehicle.resilience
    )
    marker = table.last[ROLLING_START] if options.rolling_start else table.first[0]
    hand = tuple(range(len(vehicle.cards)))
    return State(vehicle, condition, marker, Piles(hand), vehicle.control_minimum)
