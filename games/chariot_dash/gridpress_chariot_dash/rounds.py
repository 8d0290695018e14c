"""Before and after the four phases: a state in, the state with all that a round does by itself out.

The order where the facts leave it open. Start: swaps are new. Before the phases: Whoah!, Emergency
Stop and Cool. End: stamina and its effects, damage and CLP of each round, CLP that Reactions
remove, then Recovery to the hand and Spent to Recovery.

The facts let the trait Stamina take cards from Spent as a round starts, when nothing is left there:
all of it has just moved to Recovery. So it takes them as the round turns, before the rest moves on;
those that were played first.
"""

from __future__ import annotations

from gridpress_chariot_dash import damage, stamina
from gridpress_chariot_dash.control import cleared
from gridpress_chariot_dash.dice import Dice
from gridpress_chariot_dash.effects import LoseCard
from gridpress_chariot_dash.hand import Played, expendable, recover
from gridpress_chariot_dash.options import Options
from gridpress_chariot_dash.state import State


def start_of_round(state: State) -> State:
    """The swaps of Adaptive start anew."""
    return state._replace(swaps=0)


def before_move(state: State, played: Played, brakes: int = 0) -> tuple[State, bool]:
    """Specials played between the speed check and the phases; whether a control roll follows.

    brakes: boxes to decelerate by Whoah!, ValueError for more than the card allows. Emergency Stop
    halves the rating, rounded down, and takes a control roll.
    """
    if not 0 <= brakes <= played.boost.brakes:
        raise ValueError(f"up to {played.boost.brakes} boxes, not {brakes}")
    state = cleared(state, played).moved(-brakes)
    if not played.boost.halves:
        return state, False
    return state.rated(state.speed // 2), True


def end_of_round(
    state: State,
    options: Options,
    dice: Dice,
    played: Played | None = None,
    lose: LoseCard = expendable,
) -> State:
    """Everything at the end of a round. played: Determination, if it was."""
    condition = state.condition
    rests = bool(played and played.boost.rests)
    state = stamina.end_of_round(state, options, rests=rests)
    if condition.damage_each_round:
        state = damage.take(state, condition.damage_each_round, dice, lose)
    state = state.unsteadied(condition.clp_each_round).unsteadied(-state.modifiers.calms)
    state = recover(state, state.piles.spent[: state.modifiers.recovers])
    return state._replace(piles=state.piles.recovered())
