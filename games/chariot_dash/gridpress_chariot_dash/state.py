"""How a vehicle stands in a race: rules in force, tracks and cards; never changed in place."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any, Final, NamedTuple

from gridpress_chariot_dash.cards import (
    NO_BOOST,
    Boost,
    Card,
    Front,
    Moment,
    Piles,
    Play,
    Use,
    boost,
    together,
)
from gridpress_chariot_dash.traits import Modifiers, Traits, modifiers
from gridpress_chariot_dash.vehicle import CLP_TOP, SAFE, STAMINA_TOP, TOP, Marker, Vehicle

LEAD: Final = 4
"""Hexes by which a leader or a last one must be apart for grandstanding and whips of shame."""


@dataclass(frozen=True, slots=True)
class Options:
    """Which rules are in force; the defaults are those that the shipped pack has in force.

    truce: no attacks in the first round. friendly: no attacks at all. grandstanding: a leader
    four hexes or more ahead may not accelerate. whips_of_shame: the last, four hexes or more
    behind, rolls a die more in speed checks. rolling_start: start at the last box of speed 2.
    stamina: the stamina track is used. jumps: a vehicle may jump.

    Alternatives: quick_speed_check: two dice, each card changes the sum by 1. free_discards: a
    card discards up to 2 dice of a control roll. soft_damage: a damage icon of a control roll
    costs 1 CLP, no damage roll. soft_collisions: half the damage dice in collisions, rounded up.
    wild_drift: more drifts in a phase, each further one for 1 CLP.
    """

    truce: bool = True
    friendly: bool = False
    grandstanding: bool = True
    whips_of_shame: bool = True
    rolling_start: bool = False
    stamina: bool = True
    jumps: bool = True
    quick_speed_check: bool = False
    free_discards: bool = False
    soft_damage: bool = False
    soft_collisions: bool = False
    wild_drift: bool = False

    @classmethod
    def of(cls, components: Iterable[Mapping[str, Any]]) -> Options:
        """Options from components of kind option; ids that are no rule of ours are left out."""
        known = {option.name for option in fields(cls)}
        named = {str(c["id"]).replace("-", "_"): bool(c["in_force"]) for c in components}
        return cls(**{name: value for name, value in named.items() if name in known})

    def attacks_allowed(self, race_round: int) -> bool:
        """Whether anybody may attack in this round, counted from 1."""
        return not self.friendly and not (self.truce and race_round == 1)


def unknown_to_races(options: Iterable[Mapping[str, Any]]) -> list[str]:
    """Of the options in force those that races do not play as they are written."""
    known = {option.name for option in fields(Options)}
    return [
        str(option["id"])
        for option in options
        if option["in_force"]
        and (
            str(option["id"]).replace("-", "_") not in known
            or option.get("figure") not in (None, LEAD)
        )
    ]


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


class Played(NamedTuple):
    """How many cards were played as a Whip and as Reins, and what the specials add."""

    whips: int = 0
    reins: int = 0
    boost: Boost = NO_BOOST

    @property
    def cards(self) -> int:
        """Cards that count as cards: specials do not."""
        return self.whips + self.reins


NOTHING = Played()


def play(state: State, plays: Sequence[Play], moment: Moment) -> tuple[State, Played]:
    """Cards go to Spent (a special that is used up leaves the race) and count for this moment.

    A dual card counts as either type. A card counts as the other type by Encouragement (Reins as
    a Whip in a speed check or for an extra hex), by Snapper (a Whip as Reins in a vehicle attack)
    or by one of the round's swaps (Adaptive). ValueError for a card that is not in the hand, or
    does not count as what it is played as.
    """
    if not plays:
        return state, NOTHING
    whips = reins = swaps = 0
    extra = NO_BOOST
    used_up: tuple[int, ...] = ()
    for index, use in plays:
        card = state.vehicle.cards[index]
        if use is Use.SPECIAL:
            if not card.special:
                raise ValueError(f"card {index} has no special")
            extra = together(extra, boost(card.special, card.number, moment))
            used_up += (index,) if card.once else ()
            continue
        swaps += not _counts(state, card, use, moment)
        whips += use is Use.WHIP
        reins += use is Use.REINS
    swaps += state.swaps
    if swaps > max(state.swaps, state.modifiers.swaps):
        raise ValueError("a card is played as a type that it does not count as")
    piles = state.piles.played(tuple(index for index, _ in plays), used_up)
    return state._replace(piles=piles, swaps=swaps), Played(whips, reins, extra)


def _counts(state: State, card: Card, use: Use, moment: Moment) -> bool:
    """Whether the card counts as this type without a swap."""
    if card.front == Front.DUAL or int(card.front) == int(use):
        return True
    if use is Use.WHIP:
        return bool(state.modifiers.reins_as_whip) and moment in (Moment.SPEED, Moment.MOVE)
    return bool(state.modifiers.whip_as_reins) and moment is Moment.VEHICLE_ATTACK


def recover(state: State, cards: Sequence[int]) -> State:
    """The turn of a round: up to as many cards as the trait Stamina says, from Spent to hand.

    The pack says the hand; ValueError for more cards, or one that is not in Spent.
    """
    if len(cards) > state.modifiers.recovers:
        raise ValueError(f"at most {state.modifiers.recovers} cards may be recovered")
    return state._replace(piles=state.piles.taken_back(tuple(cards)))


def expendable(cards: tuple[Card, ...], piles: Piles, kind: str) -> int | None:
    """The card whose loss hurts least: from Spent before Recovery before the hand.

    Within a pile a plain card goes before a dual and a dual before a special. kind: "Whip",
    "Reins" or "either"; a dual card is of both types. None if there is no such card.
    """
    wanted = {"Whip": (Front.WHIP, Front.DUAL), "Reins": (Front.REINS, Front.DUAL)}
    fronts = wanted.get(kind, tuple(Front))
    for pile in (piles.spent, piles.recovery, piles.hand):
        fitting = [card for card in pile if cards[card].front in fronts]
        if fitting:
            return min(fitting, key=lambda c: (bool(cards[c].special), cards[c].front, c))
    return None
