"""What the engine asks the driver who has learnt the track, under the names by which it asks.

Each hook takes the race and the number of a car and writes `race.orders[v]`; `choices` says what
each may write. What a special card would bring is weighed against keeping it: a card that leaves
the race with its use costs more.
"""

from gridpress_chariot_dash.race.asked_fights import (
    at_end,
    attack,
    damage_again,
    defence,
    fight_reroll,
)
from gridpress_chariot_dash.race.asked_speed import speed_keep, speed_plan, speed_reroll, swap
from gridpress_chariot_dash.race.asked_ways import (
    aside,
    control_cards,
    control_discard,
    control_reread,
    control_reroll,
    movement,
    path,
    slide_side,
    turn_at_end,
)

__all__ = [
    "aside",
    "at_end",
    "attack",
    "control_cards",
    "control_discard",
    "control_reread",
    "control_reroll",
    "damage_again",
    "defence",
    "fight_reroll",
    "movement",
    "path",
    "slide_side",
    "speed_keep",
    "speed_plan",
    "speed_reroll",
    "swap",
    "turn_at_end",
]
