"""Exact odds of a vehicle: speed checks, turns and attacks.

A turn of 60° is two turns of 30° in successive phases: CLP, haste and slow of the first roll count
in the second. Damage counts by its mean CLP alone. No rival is near. `worth` measures the effect on
races.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

from msgspec import Struct

from generator.geometry import summed
from generator.guests import Judgement
from generator.model.pack import Component, Pack
from gridpress_chariot_dash.declared import SAFE, SPEEDS, Marker, Vehicle, rules_of
from gridpress_chariot_dash.dice import (
    ANY_TWO,
    AS_EFFECT,
    MOST_DICE,
    AttackSide,
    Control,
    ControlOutcome,
    ControlReading,
    Die,
    SpeedCheck,
    chance,
    expected,
    limit_of,
    merged_odds,
    outcomes,
    wins,
)
from gridpress_chariot_dash.findings import Figure

CHECKS: Final = ((True, 1), (True, 2), (True, 3), (False, 0), (False, 1), (False, 2))
"""Speed checks: True to accelerate, and the number of cards."""
MANOEUVRES: Final = (30, 60)
CARDS: Final = (0, 1, 2)
SPACES: Final = "Speeds"
LOST: Final = ("CLP of a turn of 30°, without cards", "CLP of a turn of 30°, with a card")
"""Groups of figures with charts, by number of cards."""
LOST_PARTS: Final = ("0 CLP", "1 CLP", "2 CLP", "3 or more")


class Loss(Struct, frozen=True):
    """The cost of a manoeuvre: the chance that all goes as intended, then means.

    clp: with those of damage. slides: hexes. spin: degrees too far. damage: points.
    """

    hold: float = 1.0
    clp: float = 0.0
    slides: float = 0.0
    spin: float = 0.0
    damage: float = 0.0

    def then(self, part: float, other: Loss) -> Loss:
        """Add another loss with a probability, except `hold`."""
        return Loss(
            self.hold,
            self.clp + part * other.clp,
            self.slides + part * other.slides,
            self.spin + part * other.spin,
            self.damage + part * other.damage,
        )


class CarState(NamedTuple):
    """The state of a vehicle that matters to a control roll."""

    vehicle: Vehicle
    marker: Marker
    clp: int

    @classmethod
    def at(cls, vehicle: Vehicle, speed: int) -> CarState:
        """Return the state at the left-most box of a speed."""
        return cls(vehicle, vehicle.table.first[speed], vehicle.control_minimum)

    @property
    def dice(self) -> int:
        """The control dice at its speed."""
        return self.vehicle.control[self.vehicle.table.speed(self.marker)]

    def asked(self, cards: int, reading: ControlReading) -> Control | None:
        """Return the control roll of a turn, or None without one."""
        if self.dice == SAFE:
            return None
        mods = self.vehicle.mods
        more = cards + mods["control.discards"]
        dice = self.dice + self.clp + more + mods["control.dice"]
        return Control(max(0, dice), more, mods["control.rerolls"], reading)

    def after(self, outcome: ControlOutcome) -> CarState:
        """Return the state before the next turn, without damage."""
        table = self.vehicle.table
        marker = table.moved(table.moved(self.marker, outcome.haste), -outcome.slow)
        stand = self._replace(marker=marker, clp=self.clp + outcome.clp)
        if stand.dice == SAFE:
            return stand._replace(clp=self.vehicle.control_minimum)
        return stand


def losses(
    vehicle: Vehicle, die: Die, reading: ControlReading
) -> dict[tuple[int, int, int], Loss | None]:
    """Return losses by speed, degrees and cards; None for too many dice."""
    turns = Turns(die, reading)
    return {
        (speed, degrees, cards): turns.loss(CarState.at(vehicle, speed), degrees, cards)
        for speed in range(SPEEDS)
        for degrees in MANOEUVRES
        for cards in CARDS
    }


class Turns:
    """Calculates manoeuvres, each roll once."""

    def __init__(self, die: Die, reading: ControlReading) -> None:
        self._die = die
        self._reading = reading
        self._known: dict[Control, Loss] = {}

    def loss(self, stand: CarState, degrees: int, cards: int) -> Loss | None:
        """Return the loss of a manoeuvre."""
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
        onward = merged_odds(
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
    """Return the chances that a turn of 30° costs 0, 1, 2 … CLP, without damage."""
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
        """Return the mean points."""
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
    """Return the spaces of a round at each speed."""
    return tuple(summed(phases) for phases in vehicle.moves)


def checks(
    vehicle: Vehicle, die: Die, *, simple: bool = False
) -> dict[tuple[bool, int], float | None]:
    """Return the mean boxes of each of `CHECKS`, or the choice where nothing is rolled.

    None marks a direction that may not be chosen, or too many dice. simple: under X-1.
    """
    eager = vehicle.mods["eager"] > 0
    means: dict[tuple[bool, int], float | None] = {}
    for accelerate, cards in CHECKS:
        chosen = vehicle.mods[f"{'accelerating' if accelerate else 'decelerating'}.free"]
        asked = check_with_cards(vehicle, cards, accelerate=accelerate, simple=simple)
        mean: float | None = chosen
        if not chosen:
            is_worked_out = asked.dice <= MOST_DICE
            mean = abs(expected(asked.odds(die), float)) if is_worked_out else None
        allowed = cards or accelerate == eager
        means[accelerate, cards] = mean if allowed else None
    return means


def check_with_cards(
    vehicle: Vehicle, cards: int, *, accelerate: bool, simple: bool = False
) -> SpeedCheck:
    """Return a speed check with cards of the helping type."""
    step, mods = "accelerating" if accelerate else "decelerating", vehicle.mods
    added, taken = mods[f"{step}.add"], mods[f"{step}.subtract"]
    if simple:
        return SpeedCheck(accelerate, 1, added=added + cards, taken=taken)
    dice = 2 + cards + mods[f"{step}.discards"] + mods[f"{step}.dice"]
    kept = ANY_TWO if mods["keep-any"] else limit_of(cards, 0)
    return SpeedCheck(accelerate, max(1, dice), mods[f"{step}.rerolls"], kept, added, taken)


def attacks(own: Vehicle, other: Vehicle, die: Die) -> Iterator[Figure]:
    """Yield the chances of attacks with a card, against none or one."""
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
    """Return a side of an attack. role: such as `attack.vehicle`."""
    mods, kind = vehicle.mods, role.rpartition(".")[2]
    return AttackSide(
        max(1, 1 + cards + mods[f"{role}.dice"]),
        mods[f"{role}.rerolls"],
        mods[f"{role}.value"],
        mods[f"attack.{kind}.ties"],
    )


def figures(own: Vehicle, other: Vehicle, die: Die, in_force: Collection[str]) -> Iterator[Figure]:
    """Yield all odds by group; attacks are on `other`. in_force: ids of options."""
    reading, simple = ControlReading.of(in_force), _is_simple(in_force)
    for speed, count in enumerate(spaces(own)):
        yield Figure(SPACES, f"speed {speed}", "spaces a round", count)
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
    """Yield three groups, each narrow enough for a terminal."""
    what = f"Turning {degrees}°" + (" in two phases" if degrees > MANOEUVRES[0] else "")
    for told, part in (("as meant", "hold"), ("CLP", "clp")):
        for speed in range(1, SPEEDS):
            for cards in CARDS:
                value = _part_of(lost[speed, degrees, cards], part)
                row, is_share = f"speed {speed}", part == "hold"
                yield Figure(f"{what}: {told}", row, _with_cards(cards), value, is_share=is_share)
    for speed in range(1, SPEEDS):
        for told, part in (("hexes slid", "slides"), ("spin °", "spin"), ("damage", "damage")):
            value = _part_of(lost[speed, degrees, 0], part)
            yield Figure(f"{what}: without cards", f"speed {speed}", told, value)


def _part_of(loss: Loss | None, name: str) -> float | None:
    return None if loss is None else getattr(loss, name)


def _spread(group: str, speed: int, spread: tuple[float, ...] | None) -> Iterator[Figure]:
    """Yield the chance of each number of CLP; the last includes more."""
    last = len(LOST_PARTS) - 1
    parts: Sequence[float | None] = (None,) * len(LOST_PARTS)
    if spread is not None:
        spread = (*spread, *(0.0,) * len(LOST_PARTS))
        parts = (*spread[:last], summed(spread[last:]))
    for part, likely in zip(LOST_PARTS, parts, strict=True):
        yield Figure(group, f"speed {speed}", part, likely, is_share=True)


def _with_cards(cards: int) -> str:
    return f"{cards or 'no'} card{'s' if cards > 1 else ''}"


def rules_in(components: Mapping[str, Sequence[Mapping[str, Any]]]) -> tuple[Die, set[str]]:
    """Return the die of a pack's components, and the ids of the options in force."""
    in_force = {str(one["id"]) for one in components.get("option", ()) if one["in_force"]}
    return next((Die.of(die) for die in components.get("die", ())), Die()), in_force


def judged(component: Component, pack: Pack) -> Iterator[Judgement]:
    """Yield the odds of a vehicle, for the studio."""
    dice, options = ([one.values for one in pack.components.get(k, ())] for k in ("die", "option"))
    die, in_force = rules_in({"die": dice, "option": rules_of(options, pack.options)})
    own, reading = Vehicle.of(component.values), ControlReading.of(in_force)
    means = checks(own, die, simple=_is_simple(in_force))
    yield Judgement("Boxes of a check, one Whip", _decimal(means[True, 1]))
    yield Judgement("Boxes of a check, one Reins", _decimal(means[False, 1]))
    yield Judgement("Spaces, speed 1 to 6", _by_speed(str(count) for count in spaces(own)))
    turns = Turns(die, reading)
    lost = [turns.loss(CarState.at(own, speed), MANOEUVRES[0], 1) for speed in range(SPEEDS)]
    held = ("–" if loss is None else f"{loss.hold:.0%}" for loss in lost)
    yield Judgement("Turns held, with a card", _by_speed(held))
    yield Judgement("CLP of such a turn", _by_speed(_decimal(_part_of(one, "clp")) for one in lost))


def _is_simple(in_force: Collection[str]) -> bool:
    return "simple-speed-check" in in_force


def _decimal(value: float | None) -> str:
    return "–" if value is None else f"{value:.1f}"


def _by_speed(words: Iterable[str]) -> str:
    """Return words for each speed from 1; a vehicle at speed 0 stands."""
    return " · ".join(list(words)[1:])
