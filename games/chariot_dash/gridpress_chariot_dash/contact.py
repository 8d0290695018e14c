"""What vehicles do to each other, and obstacles to them: attacks and collisions.

A Whip attacks the driver, Reins attack the vehicle. Each side rolls one die and one for each card
and keeps two. Whoever loses to a vehicle attack rolls damage dice: the difference and half the
winner's speed, rounded up. Whoever loses to a personal attack takes the difference as CLP and rolls
for control. In a tie both lose, and the value itself counts as the difference.

Decisions where the facts leave open:
- a defender without a card keeps the one die that he has;
- an attack takes at least one card played as its type; a special alone makes none;
- in a tie each is the other's winner;
- Fortune Smiles and Lady Luck serve attacker and defender alike; luck on both sides cancels out;
- a sum never falls below 0.

| what | damage dice | speed after |
|---|---|---|
| head-on | both: the sum of the speeds | both halve |
| into a side | both: the collider's speed | the collider halves |
| rear-end, faster | both: the difference | the hit one + half of it, the collider − as much |
| rear-end, not faster | one each | the collider − 1 |
| solid obstacle, or off the track | the speed | halves |
| fragile obstacle | half the speed, 1 more for each further marker | stays |
| hazard | none: CLP, half the speed; control roll | stays |

Speeds halve down, all else halves up. Ratings of markers change the dice or the CLP.

Decisions where the facts leave open:
- what a vehicle runs into is judged by where it enters the other's hex: from ahead of it head-on,
  from behind it a rear-end, otherwise its side;
- speeds change first, then damage and CLP come, then the control roll: so CLP of a collision that
  slows a vehicle to a safe speed stay for the roll;
- low obstacles are the fragile ones: a flyer still hits rocks and walls;
- ratings of several markers in one hex add up;
- spikes add dice to the other vehicle's roll, whoever ran into whom; to no dice they add none.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import IntEnum
from typing import NamedTuple

from generator.units import summed
from gridpress_chariot_dash import damage
from gridpress_chariot_dash.cards import NO_BOOST, Boost
from gridpress_chariot_dash.damage import Hit, LoseCard, Source
from gridpress_chariot_dash.dice import Dice, Die, keep_odds, roll_and_keep
from gridpress_chariot_dash.movement import FACINGS, FRONT, Hex, Pose, Target, ahead, turned
from gridpress_chariot_dash.state import NOTHING, Options, Played, State, expendable


class Side(NamedTuple):
    """One side of an attack before the dice fall. luck: above 0 wins ties by 1, below 0 loses."""

    dice: int = 1
    rerolls: int = 0
    plus: int = 0
    luck: int = 0
    speed: int = 0


class Loss(NamedTuple):
    """What one side suffers."""

    damage_dice: int = 0
    clp: int = 0
    control_roll: bool = False


class Clash(NamedTuple):
    """An attack decided: the attacker's sum less the defender's, and what each suffers.

    `by` has the luck of a tie in it: 0 is a tie that both lose.
    """

    by: int
    attacker: Loss
    defender: Loss


def sides(
    on: Target,
    attacker: State,
    defender: State,
    attack: Played,
    defence: Played = NOTHING,
) -> tuple[Side, Side]:
    """Both sides with cards, traits and specials.

    ValueError without a card of the attack's type, or with one of the other.
    """
    personal = on is Target.DRIVER
    cards = attack.whips if personal else attack.reins
    if not cards or cards < attack.cards:
        raise ValueError("an attack takes cards of its type, and no others")
    a, d = attacker.modifiers, defender.modifiers
    strikes, parries = (
        (a.personal_attack, d.personal_defence)
        if personal
        else (a.vehicle_attack, d.vehicle_defence)
    )
    return (
        Side(
            1 + cards + strikes.dice + attack.boost.dice,
            strikes.rerolls + attack.boost.rerolls,
            strikes.plus + attack.boost.plus - defence.boost.hinders,
            a.personal_ties if personal else a.vehicle_ties,
            attacker.speed,
        ),
        Side(
            1 + defence.cards + parries.dice + defence.boost.dice,
            parries.rerolls + defence.boost.rerolls,
            parries.plus + defence.boost.plus,
            d.personal_ties if personal else d.vehicle_ties,
            defender.speed,
        ),
    )


def decide(on: Target, attacker: Side, defender: Side, sum_a: int, sum_d: int) -> Clash:
    """What two sums come to."""
    by = sum_a - sum_d
    if by == 0:
        luck = attacker.luck - defender.luck
        by = (luck > 0) - (luck < 0)
    if by == 0:
        return Clash(0, _loss(on, sum_a, defender.speed), _loss(on, sum_a, attacker.speed))
    if by > 0:
        return Clash(by, Loss(), _loss(on, by, attacker.speed))
    return Clash(by, _loss(on, -by, defender.speed), Loss())


def _loss(on: Target, by: int, winner_speed: int) -> Loss:
    """What a side suffers that loses by so much."""
    if on is Target.DRIVER:
        return Loss(clp=by, control_roll=True)
    return Loss(damage_dice=by + (winner_speed + 1) // 2)


def fight(on: Target, attacker: Side, defender: Side, dice: Dice) -> Clash:
    """Both roll, keep the best two, and the higher sum wins."""
    sum_a = max(0, roll_and_keep(dice, attacker.dice, attacker.rerolls) + attacker.plus)
    sum_d = max(0, roll_and_keep(dice, defender.dice, defender.rerolls) + defender.plus)
    return decide(on, attacker, defender, sum_a, sum_d)


def suffer_loss(
    state: State,
    loss: Loss,
    dice: Dice,
    extra: Boost = NO_BOOST,
    lose: LoseCard = expendable,
) -> tuple[State, Hit]:
    """A side takes its loss. The hit says whether a control roll must follow."""
    state, hit = damage.roll(
        state.unsteadied(loss.clp), loss.damage_dice, Source.ATTACK, dice, extra, lose
    )
    forced = hit.control_roll or (loss.control_roll and not state.condition.wiped_out)
    return state, hit._replace(control_roll=forced)


def aftermath(
    state: State, attack: Played, dice: Dice, lose: LoseCard = expendable
) -> tuple[State, Hit]:
    """What the attacker's own specials cost him: CLP for Berserker, damage dice for Kamikaze.

    The facts leave open whether damage of one's own making asks for a control roll: it does not.
    """
    state = state.unsteadied(attack.boost.clp)
    return damage.roll(state, attack.boost.damage_dice, Source.OWN, dice, lose=lose)


def odds(on: Target, attacker: Side, defender: Side, die: Die) -> dict[Clash, float]:
    """The exact probability of each way that `fight` can end."""
    result: dict[Clash, float] = {}
    for kept_a, chance_a in keep_odds(die, attacker.dice, attacker.rerolls).items():
        sum_a = max(0, kept_a + attacker.plus)
        for kept_d, chance_d in keep_odds(die, defender.dice, defender.rerolls).items():
            clash = decide(on, attacker, defender, sum_a, max(0, kept_d + defender.plus))
            result[clash] = result.get(clash, 0.0) + chance_a * chance_d
    return result


class Chances(NamedTuple):
    """How an attack ends, from the attacker's side."""

    win: float
    tie: float
    lose: float


def chances(attacker: Side, defender: Side, die: Die) -> Chances:
    """The attacker's exact chances to win, tie and lose; they are the same for both kinds."""
    ends = odds(Target.DRIVER, attacker, defender, die)
    win = summed(part for clash, part in ends.items() if clash.by > 0)
    lose = summed(part for clash, part in ends.items() if clash.by < 0)
    tie = summed(part for clash, part in ends.items() if clash.by == 0)
    return Chances(win, tie, lose)


class Meeting(IntEnum):
    """How one vehicle runs into another."""

    HEAD_ON = 0
    SIDE = 1
    REAR_END = 2


class Impact(NamedTuple):
    """What a collision means for one vehicle: dice of damage, the speed it then has, CLP."""

    dice: int
    speed: int
    clp: int = 0
    control_roll: bool = False


def meeting(direction: int, facing: int) -> Meeting:
    """How a vehicle that moves in a direction (0 to 5) enters the hex of one with that facing."""
    front = FRONT[facing]
    if (direction + 3) % 6 in front:
        return Meeting.HEAD_ON
    return Meeting.REAR_END if direction in front else Meeting.SIDE


def between(how: Meeting, collider: int, hit: int) -> tuple[Impact, Impact]:
    """Collider and the one that is hit, from their speeds."""
    if how is Meeting.HEAD_ON:
        both = collider + hit
        return Impact(both, collider // 2), Impact(both, hit // 2)
    if how is Meeting.SIDE:
        return Impact(collider, collider // 2), Impact(collider, hit)
    apart = collider - hit
    if apart > 0:
        half = (apart + 1) // 2
        return Impact(apart, collider - half), Impact(apart, hit + half)
    return Impact(1, max(0, collider - 1)), Impact(1, hit)


def solid(speed: int, rating: int = 0) -> Impact:
    """A rock, a wall, a wreck that has stopped, or the edge of the track."""
    return Impact(max(0, speed + rating), speed // 2)


def fragile(speed: int, ratings: tuple[int, ...] = (0,)) -> Impact:
    """Debris, a rating for each marker in the hex; the markers are then removed."""
    dice = (speed + 1) // 2 + len(ratings) - 1 + summed(ratings)
    return Impact(max(0, dice), speed)


def hazard(speed: int, rating: int = 0) -> Impact:
    """A hazard: CLP and a control roll. The facts name no way around the roll: it comes always."""
    return Impact(0, speed, max(0, (speed + 1) // 2 + rating), control_roll=True)


def touches(state: State, *, low: bool) -> bool:
    """Whether hazards and low obstacles (low), or solid ones, touch the vehicle: Flyer."""
    return not (low and state.modifiers.flies)


def slide_again(slides_left: int, state: State) -> Impact:
    """The next hex of the same slide hits the same thing: dice for the slides left, no more."""
    return Impact(slides_left, state.speed)


def suffer_impact(
    state: State,
    impact: Impact,
    dice: Dice,
    options: Options,
    other: State | None = None,
    extra: Boost = NO_BOOST,
    others_extra: Boost = NO_BOOST,
    lose: LoseCard = expendable,
    *,
    again: bool = False,
) -> tuple[State, Hit]:
    """A vehicle takes an impact: speed first, then CLP and the damage roll.

    other: the vehicle that it collided with, whose spikes count, and others_extra its specials
    (Ramming Speed). extra: the vehicle's own. again: a slide's repetition, no control roll follows.
    """
    state = state.rated(impact.speed).unsteadied(impact.clp)
    count = impact.dice
    if count and other is not None:
        count += other.modifiers.spikes + others_extra.rammed
    if options.soft_collisions:
        count = (count + 1) // 2
    state, hit = damage.roll(state, count, Source.COLLISION, dice, extra, lose)
    forced = (hit.control_roll or impact.control_roll) and not again
    forced = forced and not state.condition.wiped_out
    return state, hit._replace(control_roll=forced)


class Aside(NamedTuple):
    """After a collision: facings to choose from, and whether the vehicle's speed becomes 0."""

    facings: tuple[int, ...]
    stops: bool


def aside(pose: Pose, blocked: Callable[[Hex], bool]) -> Aside:
    """How a vehicle may stand in the hex before an obstacle.

    It may be faced 30° aside if that lets it pass, which is if a hex ahead is then free. Else its
    speed becomes 0 and any facing will do that has a free hex ahead, or any at all if none has.
    """
    near = tuple(turned(pose, by).facing for by in (1, -1) if _free(turned(pose, by), blocked))
    if near:
        return Aside(near, stops=False)
    free = tuple(f for f in range(FACINGS) if _free(Pose(pose.hex, f), blocked))
    return Aside(free or tuple(range(FACINGS)), stops=True)


def _free(pose: Pose, blocked: Callable[[Hex], bool]) -> bool:
    """Whether one of the hexes ahead can be entered."""
    return any(not blocked(place.hex) for place in ahead(pose))
