"""What a vehicle rolls, and how likely: exact odds of its speed checks, turns and attacks.

A manoeuvre of 60° is two turns of 30° in phases that follow each other: the CLP, haste and slow of
the first roll count in the second. Damage dice count by the CLP that they cost on average; their
other effects do not. Nobody is near, and traits that only count beside a rival do nothing. What all
this is worth in a race only races say: `worth`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from generator.units import summed
from gridpress_chariot_dash import control, damage, speed_check
from gridpress_chariot_dash.contact import chances, sides
from gridpress_chariot_dash.control import Demand, Outcome, odds
from gridpress_chariot_dash.damage import Source
from gridpress_chariot_dash.dice import Die, chance, expected, gathered
from gridpress_chariot_dash.findings import Figure
from gridpress_chariot_dash.movement import Target
from gridpress_chariot_dash.speed_check import ALONE, SpeedPlan
from gridpress_chariot_dash.state import Options, Played, State, starting
from gridpress_chariot_dash.vehicle import SPEEDS, Vehicle

CHECKS: Final = ((True, 1), (True, 2), (True, 3), (False, 0), (False, 1), (False, 2))
"""Speed checks: whether to accelerate, and with how many cards of the helping type."""
MANOEUVRES: Final = (30, 60)
CARDS: Final = (0, 1, 2)
LOST: Final = ("CLP of a turn of 30°, without cards", "CLP of a turn of 30°, with a card")
"""Groups of figures that charts are drawn of, by the number of cards."""
LOST_PARTS: Final = ("0 CLP", "1 CLP", "2 CLP", "3 or more")


@dataclass(frozen=True, slots=True)
class Loss:
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


def at_speed(vehicle: Vehicle, speed: int, options: Options) -> State:
    """The vehicle at the left-most box of a speed, as it starts a race but for that."""
    return starting(vehicle, options).rated(0).rated(speed)


def losses(vehicle: Vehicle, die: Die, options: Options) -> dict[tuple[int, int, int], Loss]:
    """By speed, degrees and cards played in each of the rolls."""
    return {
        (speed, degrees, cards): loss(
            at_speed(vehicle, speed, options), degrees, cards, die, options
        )
        for speed in range(SPEEDS)
        for degrees in MANOEUVRES
        for cards in CARDS
    }


def loss(state: State, degrees: int, cards: int, die: Die, options: Options) -> Loss:
    """One manoeuvre; a turn without a roll costs nothing."""
    asked = control.demand(state, options, Played(reins=cards))
    if asked is None:
        return Loss()
    odds = rolled(asked)
    own = _lost(state, odds, die, options)
    if degrees <= 30:
        return own
    onward = gathered(
        ((_after(state, outcome), outcome.failed), part) for outcome, part in odds.items()
    )
    seconds = {
        after: loss(after, degrees - 30, cards, die, options)
        for after in dict.fromkeys(after for after, _ in onward)
    }
    hold, total = 0.0, own
    for (after, failed), part in onward.items():
        total = total.then(part, seconds[after])
        hold += 0.0 if failed else part * seconds[after].hold
    return Loss(hold, total.clp, total.slides, total.spin, total.damage)


@lru_cache(maxsize=256)
def rolled(asked: Demand) -> dict[Outcome, float]:
    """The exact odds of a roll; kept, as many vehicles ask for the same roll."""
    return odds(asked)


def clp_spread(vehicle: Vehicle, speed: int, cards: int, options: Options) -> tuple[float, ...]:
    """How likely a turn of 30° costs 0, 1, 2 … CLP, without those of damage."""
    asked = control.demand(at_speed(vehicle, speed, options), options, Played(reins=cards))
    if asked is None:
        return (1.0,)
    odds = rolled(asked)
    most = max(outcome.clp for outcome in odds)
    return tuple(
        summed(part for outcome, part in odds.items() if outcome.clp == clp)
        for clp in range(most + 1)
    )


def _lost(state: State, odds: dict[Outcome, float], die: Die, options: Options) -> Loss:
    def damaged(outcome: Outcome) -> float:
        if options.soft_damage or not outcome.damage:
            return 0.0
        return expected(damage.odds(state, outcome.damage, Source.CONTROL, die), float)

    swings = {outcome: control.swing(state, outcome) for outcome in odds}
    points = expected(odds, damaged)
    return Loss(
        hold=chance(odds, lambda outcome: not outcome.failed),
        clp=expected(odds, lambda outcome: outcome.clp) + points,
        slides=expected(odds, lambda outcome: swings[outcome].slides),
        spin=expected(odds, lambda outcome: 30 * abs(swings[outcome].spin)),
        damage=points,
    )


def _after(state: State, outcome: Outcome) -> State:
    """The vehicle before the next turn, its damage left out."""
    state = state.unsteadied(outcome.clp).moved(outcome.haste).moved(-outcome.slow)
    return state.settled()


def spaces(vehicle: Vehicle) -> tuple[int, ...]:
    """Spaces that a round takes at each speed."""
    return tuple(summed(phases) for phases in vehicle.moves)


def checks(vehicle: Vehicle, die: Die, options: Options) -> dict[tuple[bool, int], float | None]:
    """Mean boxes of the speed checks of `CHECKS`; None where the direction may not be chosen."""
    state = starting(vehicle, options)
    means: dict[tuple[bool, int], float | None] = {}
    for accelerate, cards in CHECKS:
        allowed = accelerate in speed_check.directions(state, cards, ALONE, options)
        played = Played(whips=cards) if accelerate else Played(reins=cards)
        odds = speed_check.odds(state, SpeedPlan(accelerate), die, options, played)
        means[accelerate, cards] = abs(expected(odds, float)) if allowed else None
    return means


def attacks(own: Vehicle, other: Vehicle, die: Die, options: Options) -> Iterator[Figure]:
    """How likely each wins an attack with a card on the other, who plays none, or one."""
    mine, theirs = starting(own, options), starting(other, options)
    for target, word in ((Target.VEHICLE, "vehicle"), (Target.DRIVER, "personal")):
        card = Played(whips=1) if target is Target.DRIVER else Played(reins=1)
        for cards, defence in ((0, Played()), (1, card)):
            against = "against no card" if not cards else "against a card"
            for row, attacker, defender in (
                (f"its {word} attack wins", mine, theirs),
                (f"a {word} attack on it wins", theirs, mine),
            ):
                found = chances(*sides(target, attacker, defender, card, defence), die)
                yield Figure("Attack and defence", row, against, found.win, is_share=True)


def figures(own: Vehicle, other: Vehicle, die: Die, options: Options) -> Iterator[Figure]:
    """All odds of a vehicle, group by group; its attacks are on the other."""
    for speed, count in enumerate(spaces(own)):
        yield Figure("Speeds", f"speed {speed}", "spaces a round", count)
    for (accelerate, cards), boxes in checks(own, die, options).items():
        kind = "Whip" if accelerate else "Reins"
        played = f"{cards} {kind}{'s' if accelerate and cards > 1 else ''}" if cards else "no card"
        row = f"{'accelerate' if accelerate else 'decelerate'}, {played}"
        yield Figure("Speed checks", row, "mean boxes", boxes)
    lost = losses(own, die, options)
    for degrees in MANOEUVRES:
        yield from _turns(lost, degrees)
    for cards, group in enumerate(LOST):
        for speed in range(1, SPEEDS):
            yield from _spread(group, speed, clp_spread(own, speed, cards, options))
    yield from attacks(own, other, die, options)


def _turns(lost: dict[tuple[int, int, int], Loss], degrees: int) -> Iterator[Figure]:
    """Three groups for a manoeuvre: narrow enough for a terminal, each."""
    what = f"Turning {degrees}°" + (" in two phases" if degrees > MANOEUVRES[0] else "")
    rows = {f"speed {speed}": speed for speed in range(1, SPEEDS)}
    for row, speed in rows.items():
        for cards in CARDS:
            hold = lost[speed, degrees, cards].hold
            yield Figure(f"{what}: as meant", row, _cards(cards), hold, is_share=True)
    for row, speed in rows.items():
        for cards in CARDS:
            yield Figure(f"{what}: CLP", row, _cards(cards), lost[speed, degrees, cards].clp)
    for row, speed in rows.items():
        one = lost[speed, degrees, 0]
        yield Figure(f"{what}: without cards", row, "hexes slid", one.slides)
        yield Figure(f"{what}: without cards", row, "spin °", one.spin)
        yield Figure(f"{what}: without cards", row, "damage", one.damage)


def _spread(group: str, speed: int, spread: tuple[float, ...]) -> Iterator[Figure]:
    """The chance of each number of CLP, the last for that many and more."""
    last = len(LOST_PARTS) - 1
    spread = (*spread, *(0.0,) * len(LOST_PARTS))
    parts = (*spread[:last], summed(spread[last:]))
    for part, likely in zip(LOST_PARTS, parts, strict=True):
        yield Figure(group, f"speed {speed}", part, likely, is_share=True)


def _cards(cards: int) -> str:
    return f"{cards or 'no'} card{'s' if cards > 1 else ''}"
