"""What a vehicle rolls, and how likely: exact odds of its speed checks, turns and attacks.

A manoeuvre of 60° is two turns of 30° in phases that follow each other: the CLP, haste and slow of
the first roll count in the second. Damage dice count by the CLP that they cost on average; their
other effects do not. Nobody is near, and traits that only count beside a rival do nothing. What all
this is worth in a race only races say: `worth`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from msgspec import Struct

from generator.geometry import summed
from gridpress_chariot_dash.dice import ANY_TWO, Die, chance, expected, gathered, limit_of
from gridpress_chariot_dash.findings import Figure
from gridpress_chariot_dash.odds import (
    AS_EFFECT,
    MOST_DICE,
    AttackSide,
    Control,
    ControlOutcome,
    ControlReading,
    SpeedCheck,
    outcomes,
    wins,
)
from gridpress_chariot_dash.vehicle import SAFE, SPEEDS, Marker, Vehicle

CHECKS: Final = ((True, 1), (True, 2), (True, 3), (False, 0), (False, 1), (False, 2))
"""Speed checks: whether to accelerate, and with how many cards of the helping type."""
MANOEUVRES: Final = (30, 60)
CARDS: Final = (0, 1, 2)
LOST: Final = ("CLP of a turn of 30°, without cards", "CLP of a turn of 30°, with a card")
"""Groups of figures that charts are drawn of, by the number of cards."""
LOST_PARTS: Final = ("0 CLP", "1 CLP", "2 CLP", "3 or more")


class Loss(Struct, frozen=True):
    """What a manoeuvre costs: the chance that every turn goes as meant, then means.

    clp: control loss points, those of damage among them. slides: hexes in the old direction.
    spin: degrees turned too far either way. damage: points.
    """

    hold: float = 1.0
    clp: float = 0.0
    slides: float = 0.0
    spin: float = 0.0
    damage: float = 0.0

    def then(self, part: float, other: Loss) -> Loss:
        """This, and with a probability another on top; `hold` is not touched."""
        return Loss(
            self.hold,
            self.clp + part * other.clp,
            self.slides + part * other.slides,
            self.spin + part * other.spin,
            self.damage + part * other.damage,
        )


class CarState(NamedTuple):
    """A vehicle at some point of a race, as far as a control roll asks."""

    vehicle: Vehicle
    marker: Marker
    clp: int

    @classmethod
    def at(cls, vehicle: Vehicle, speed: int) -> CarState:
        """At the left-most box of a speed, with the CLP that it begins with."""
        return cls(vehicle, vehicle.table.first[speed], vehicle.control_minimum)

    @property
    def dice(self) -> int:
        """Control dice of its speed."""
        return self.vehicle.control[self.vehicle.table.speed(self.marker)]

    def asked(self, cards: int, reading: ControlReading) -> Control | None:
        """The roll that a turn takes with so many cards; None where it takes none."""
        if self.dice == SAFE:
            return None
        mods = self.vehicle.mods
        more = cards + mods["control.discards"]
        dice = self.dice + self.clp + more + mods["control.dice"]
        return Control(max(0, dice), more, mods["control.rerolls"], reading)

    def after(self, outcome: ControlOutcome) -> CarState:
        """Before the next turn, its damage left out; at a safe speed all CLP are gone."""
        table = self.vehicle.table
        marker = table.moved(table.moved(self.marker, outcome.haste), -outcome.slow)
        stand = self._replace(marker=marker, clp=self.clp + outcome.clp)
        if stand.dice == SAFE:
            return stand._replace(clp=self.vehicle.control_minimum)
        return stand


def losses(
    vehicle: Vehicle, die: Die, reading: ControlReading
) -> dict[tuple[int, int, int], Loss | None]:
    """By speed, degrees and cards played in each of the rolls; None for more dice than odds are
    worked out of."""
    turns = Turns(die, reading)
    return {
        (speed, degrees, cards): turns.loss(CarState.at(vehicle, speed), degrees, cards)
        for speed in range(SPEEDS)
        for degrees in MANOEUVRES
        for cards in CARDS
    }


class Turns:
    """What manoeuvres of a vehicle cost; each roll is worked out once."""

    def __init__(self, die: Die, reading: ControlReading) -> None:
        self._die = die
        self._reading = reading
        self._known: dict[Control, Loss] = {}

    def loss(self, stand: CarState, degrees: int, cards: int) -> Loss | None:
        """One manoeuvre; a turn without a roll costs nothing."""
        asked = stand.asked(cards, self._reading)
        if asked is None:
            return Loss()
        if asked.dice > MOST_DICE:
            return None
        odds = outcomes(asked)
        if asked not in self._known:
            self._known[asked] = _lost(stand.vehicle, odds, self._die, self._reading)
        own = self._known[asked]
        if degrees <= 30:
            return own
        onward = gathered(
            ((stand.after(outcome), outcome.failed), part) for outcome, part in odds.items()
        )
        hold, total = 0.0, own
        for (after, failed), part in onward.items():
            second = self.loss(after, degrees - 30, cards)
            if second is None:
                return None
            total = total.then(part, second)
            hold += 0.0 if failed else part * second.hold
        return Loss(hold, total.clp, total.slides, total.spin, total.damage)


def clp_spread(
    vehicle: Vehicle, speed: int, cards: int, reading: ControlReading
) -> tuple[float, ...] | None:
    """How likely a turn of 30° costs 0, 1, 2 … CLP, damage left out; None as in `losses`."""
    asked = CarState.at(vehicle, speed).asked(cards, reading)
    if asked is None:
        return (1.0,)
    if asked.dice > MOST_DICE:
        return None
    odds = outcomes(asked)
    most = max(outcome.clp for outcome in odds)
    return tuple(
        summed(part for outcome, part in odds.items() if outcome.clp == clp)
        for clp in range(most + 1)
    )


def _lost(
    vehicle: Vehicle, odds: dict[ControlOutcome, float], die: Die, reading: ControlReading
) -> Loss:
    mods, hurts = vehicle.mods, [value > vehicle.resilience for value in die.values]

    def damage(outcome: ControlOutcome) -> float:
        """Points, on average."""
        if not outcome.damage or reading.damage != AS_EFFECT:
            return 0.0
        dice = outcome.damage + mods["damage.dice"] + mods["damage.control.dice"]
        return max(0, dice) * summed(hurts) / len(hurts)

    def further(icons: int, trait: str) -> int:
        return icons + min(icons, mods[trait])

    def turned(outcome: ControlOutcome) -> float:
        left, right = (further(n, "spins-further") for n in (outcome.left, outcome.right))
        return 30 * abs(left - right)

    points = expected(odds, damage)
    return Loss(
        hold=chance(odds, lambda outcome: not outcome.failed),
        clp=expected(odds, lambda outcome: outcome.clp) + points,
        slides=expected(odds, lambda outcome: further(outcome.slides, "slides-further")),
        spin=expected(odds, turned),
        damage=points,
    )


def spaces(vehicle: Vehicle) -> tuple[int, ...]:
    """Spaces that a round takes at each speed."""
    return tuple(summed(phases) for phases in vehicle.moves)


def checks(
    vehicle: Vehicle, die: Die, *, simple: bool = False
) -> dict[tuple[bool, int], float | None]:
    """Mean boxes of the speed checks of `CHECKS`, or the most that may be chosen where nothing is
    rolled; None where the direction may not be chosen, or as in `losses`. simple: by the
    alternative rule."""
    eager = vehicle.mods["eager"] > 0
    means: dict[tuple[bool, int], float | None] = {}
    for accelerate, cards in CHECKS:
        chosen = vehicle.mods[f"{'accelerating' if accelerate else 'decelerating'}.free"]
        asked = check(vehicle, cards, accelerate=accelerate, simple=simple)
        mean: float | None = chosen
        if not chosen:
            is_worked_out = asked.dice <= MOST_DICE
            mean = abs(expected(asked.odds(die), float)) if is_worked_out else None
        allowed = cards or accelerate == eager
        means[accelerate, cards] = mean if allowed else None
    return means


def check(vehicle: Vehicle, cards: int, *, accelerate: bool, simple: bool = False) -> SpeedCheck:
    """A speed check with so many cards of the helping type."""
    step, mods = "accelerating" if accelerate else "decelerating", vehicle.mods
    added, taken = mods[f"{step}.add"], mods[f"{step}.subtract"]
    if simple:
        return SpeedCheck(accelerate, 1, added=added + cards, taken=taken)
    dice = 2 + cards + mods[f"{step}.discards"] + mods[f"{step}.dice"]
    kept = ANY_TWO if mods["keep-any"] else limit_of(cards, 0)
    return SpeedCheck(accelerate, max(1, dice), mods[f"{step}.rerolls"], kept, added, taken)


def attacks(own: Vehicle, other: Vehicle, die: Die) -> Iterator[Figure]:
    """How likely each wins an attack with a card on the other, who plays none, or one."""
    for kind in ("vehicle", "personal"):
        for cards in (0, 1):
            against = "against a card" if cards else "against no card"
            for row, attacker, defender in (
                (f"its {kind} attack wins", own, other),
                (f"a {kind} attack on it wins", other, own),
            ):
                sides = (
                    side(attacker, f"attack.{kind}", 1),
                    side(defender, f"defence.{kind}", cards),
                )
                are_few = max(one.dice for one in sides) <= MOST_DICE
                won = wins(*sides, die) if are_few else None
                yield Figure("Attack and defence", row, against, won, is_share=True)


def side(vehicle: Vehicle, role: str, cards: int) -> AttackSide:
    """A side of an attack; role: such as `attack.vehicle`."""
    mods, kind = vehicle.mods, role.rpartition(".")[2]
    return AttackSide(
        max(1, 1 + cards + mods[f"{role}.dice"]),
        mods[f"{role}.rerolls"],
        mods[f"{role}.value"],
        mods[f"attack.{kind}.ties"],
    )


def figures(own: Vehicle, other: Vehicle, die: Die, in_force: Collection[str]) -> Iterator[Figure]:
    """All odds of a vehicle, group by group; its attacks are on the other. in_force: ids of
    options."""
    reading, simple = ControlReading.of(in_force), "simple-speed-check" in in_force
    for speed, count in enumerate(spaces(own)):
        yield Figure("Speeds", f"speed {speed}", "spaces a round", count)
    for (accelerate, cards), boxes in checks(own, die, simple=simple).items():
        kind = "Whip" if accelerate else "Reins"
        played = f"{cards} {kind}{'s' if accelerate and cards > 1 else ''}" if cards else "no card"
        row = f"{'accelerate' if accelerate else 'decelerate'}, {played}"
        yield Figure("Speed checks", row, "mean boxes", boxes)
    lost = losses(own, die, reading)
    for degrees in MANOEUVRES:
        yield from _turns(lost, degrees)
    for cards, group in enumerate(LOST):
        for speed in range(1, SPEEDS):
            yield from _spread(group, speed, clp_spread(own, speed, cards, reading))
    yield from attacks(own, other, die)


def _turns(lost: Mapping[tuple[int, int, int], Loss | None], degrees: int) -> Iterator[Figure]:
    """Three groups for a manoeuvre: narrow enough for a terminal, each."""
    what = f"Turning {degrees}°" + (" in two phases" if degrees > MANOEUVRES[0] else "")
    for told, part in (("as meant", "hold"), ("CLP", "clp")):
        for speed in range(1, SPEEDS):
            for cards in CARDS:
                value = _part(lost[speed, degrees, cards], part)
                row, is_share = f"speed {speed}", part == "hold"
                yield Figure(f"{what}: {told}", row, _cards(cards), value, is_share=is_share)
    for speed in range(1, SPEEDS):
        for told, part in (("hexes slid", "slides"), ("spin °", "spin"), ("damage", "damage")):
            value = _part(lost[speed, degrees, 0], part)
            yield Figure(f"{what}: without cards", f"speed {speed}", told, value)


def _part(loss: Loss | None, name: str) -> float | None:
    return None if loss is None else getattr(loss, name)


def _spread(group: str, speed: int, spread: tuple[float, ...] | None) -> Iterator[Figure]:
    """The chance of each number of CLP, the last for that many and more."""
    last = len(LOST_PARTS) - 1
    parts: Sequence[float | None] = (None,) * len(LOST_PARTS)
    if spread is not None:
        spread = (*spread, *(0.0,) * len(LOST_PARTS))
        parts = (*spread[:last], summed(spread[last:]))
    for part, likely in zip(LOST_PARTS, parts, strict=True):
        yield Figure(group, f"speed {speed}", part, likely, is_share=True)


def _cards(cards: int) -> str:
    return f"{cards or 'no'} card{'s' if cards > 1 else ''}"
