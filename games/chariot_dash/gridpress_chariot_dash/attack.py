"""Attacks: both sides' dice and changes in, what each of them suffers out; exact chances too.

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
"""

from __future__ import annotations

from typing import NamedTuple

from generator.sums import summed
from gridpress_chariot_dash import damage
from gridpress_chariot_dash.damage import Hit, Source
from gridpress_chariot_dash.dice import Dice, Die
from gridpress_chariot_dash.effects import LoseCard
from gridpress_chariot_dash.hand import NOTHING, Played, expendable
from gridpress_chariot_dash.keeping import keep_odds, roll_and_keep
from gridpress_chariot_dash.reach import Target
from gridpress_chariot_dash.specials import NO_BOOST, Boost
from gridpress_chariot_dash.state import State


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


def suffer(
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
