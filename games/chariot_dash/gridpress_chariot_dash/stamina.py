"""Stamina: a state at the end of a round in, the state with its change and its effects out.

Stamina changes by the row at the current speed, within the track. Then, unless it is at its top,
the effects printed at the value reached and at every higher value apply, all of them, each round.

Decisions where the facts leave open: effects apply from the highest value down, and of one value
in the order of the licence; a fall in speed among them does not change this round's stamina again.
"""

from __future__ import annotations

from gridpress_chariot_dash.effects import STAMINA_EFFECTS
from gridpress_chariot_dash.options import Options
from gridpress_chariot_dash.state import State
from gridpress_chariot_dash.vehicle import STAMINA_TOP, StaminaEntry, Vehicle


def change(state: State) -> State:
    """Stamina changes by the row at the current speed, within the track."""
    return state.tired(-state.vehicle.stamina[state.speed])


def in_force(vehicle: Vehicle, value: int) -> tuple[StaminaEntry, ...]:
    """The effects that apply at a value, in the order in which they do."""
    if value >= STAMINA_TOP:
        return ()
    entries = [entry for entry in vehicle.stamina_effects if entry.at >= value]
    return tuple(sorted(entries, key=lambda entry: -entry.at))


def end_of_round(state: State, options: Options, *, rests: bool = False) -> State:
    """Change, then effects; nothing without the stamina rules. rests: Determination was played."""
    if not options.stamina:
        return state
    state = change(state)
    if rests:
        return state
    for entry in in_force(state.vehicle, state.stamina):
        state = STAMINA_EFFECTS[entry.effect](state, entry.number)
    return state
