"""What the engine asks the driver who has learnt the track, under the names by which it asks.

Each hook is called with the race, the number of a car, and a blank `race.orders[v]` but for what
stands below; it writes its answer there and changes nothing else. What the rules do not allow is
left out by the engine. What a special card would bring is weighed against keeping it: a card that
leaves the race with its use costs more.

| hook | is given | writes |
|---|---|---|
| `swap` | | `mask` of cards in hand to swap for the other type |
| `speed_plan` | | `accelerate`, `uses`, `boxes` where nothing is rolled |
| `speed_reroll` | `accelerate`, `hexes` (the limit) | `mask`, at most `rerolls`; `card`: Lucky |
| `speed_keep` | | `first`, `second` (none: the best two); under X-1 `first`, `boxes` of cards |
| `movement` | | `card`, `use`; `hexes` fewer by an Emergency Stop |
| `path` | | `variant`; `jump_at`, `jump_card`, and `hexes` that the jump clears |
| `turn_at_end` | | `turn`: 1 left, -1 right, 0 none |
| `attack` | `target` | `attack` (PERSONAL or VEHICLE), `uses`; target -1: none |
| `defence` | `target`, `attack` | `uses` |
| `fight_reroll` | `rerolls` | `mask`; `card`, a Lucky |
| `damage_again` | | `card`, a Survivor; or a Lucky, and `mask` |
| `control_cards` | `hexes` (dice), `turn` | `uses` |
| `control_reroll` | `rerolls` | `mask`; `card`, a Lucky |
| `control_reread` | | until -1: `card`, a Yah!, Brake, or Cool and its `icon` |
| `control_discard` | `hexes` | `mask`, at most so many; `icon`: how slow and haste are read |
| `slide_side` | `target`, or -1 for his own | `variant`: 0 right, 1 left |
| `aside` | `mask` of facings | `facing` |
| `at_end` | | `card`, a Determination |
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
