"""The memory layout of a race: flat records that the compiled engine reads and writes.

A record is a view: `car = race.cars[v]; car.clp += 1`. All numbers except distances are integers.
Directions run from 0 to 5, turning left from east. Facings run from 0 to 11 in steps of 30°; even
ones face a side.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

CARS: Final = 12
CARDS: Final = 16
BOXES: Final = 128
LEVELS: Final = 16
EFFECTS: Final = 256
TRAITS: Final = 64
STAMINA_VALUES: Final = 32
"""Values from −21 to 10; the index is the value plus `STAMINA_ZERO`."""
STAMINA_ZERO: Final = 21
RANDOMS: Final = 8
RUNNERS: Final = 2
GATES: Final = 6
MOST_DICE: Final = 62  # bits in a mask
MOST_TASKS: Final = 96
MOST_CELLS: Final = 4096
LOSSES: Final = 32
DEEP: Final = 2 * LEVELS
"""The limit of damage rolls and random effects nested in each other."""
SAFE: Final = 0
BLANK: Final = -1
NO_CAP: Final = 99

# Modifiers: each name is an index in `mods`. `MODIFIERS` has the declared names.
(
    RECOVER, SWAP, REINS_AS_WHIP, KEEP_ANY, EAGER, UP_RIVAL, UP_FREE, UP_DISCARDS, UP_REROLLS,
    UP_SUBTRACT, UP_ADD, UP_DICE, DOWN_FREE, DOWN_DISCARDS, DOWN_REROLLS, DOWN_SUBTRACT, DOWN_ADD,
    DOWN_DICE, FLIES, LEAPS, GROUNDED, CONTROL_DISCARDS, CONTROL_REROLLS, CONTROL_DICE, CALMS,
    SPINS_FURTHER, SLIDES_FURTHER, WHIP_AS_REINS, ATTACKS_AHEAD, VEHICLE_TIES,
    VEHICLE_ATTACK_DICE, VEHICLE_ATTACK_REROLLS, VEHICLE_ATTACK_VALUE,
    VEHICLE_DEFENCE_DICE, VEHICLE_DEFENCE_REROLLS, VEHICLE_DEFENCE_VALUE, AMBUSHES, PERSONAL_TIES,
    PERSONAL_ATTACK_DICE, PERSONAL_ATTACK_REROLLS, PERSONAL_ATTACK_VALUE,
    PERSONAL_DEFENCE_DICE, PERSONAL_DEFENCE_REROLLS, PERSONAL_DEFENCE_VALUE,
    COLLISION_DICE, CONTROL_DAMAGE_DICE, SPIKES, DAMAGE_DICE, CLP_EACH_ROUND, DAMAGE_EACH_ROUND,
) = range(50)  # fmt: skip
MODS: Final = 50

MODIFIERS: Final[tuple[str, ...]] = (
    "recover", "swap", "reins-as-whip", "keep-any", "eager", "accelerating.rival",
    "accelerating.free", "accelerating.discards", "accelerating.rerolls", "accelerating.subtract",
    "accelerating.add", "accelerating.dice", "decelerating.free", "decelerating.discards",
    "decelerating.rerolls", "decelerating.subtract", "decelerating.add", "decelerating.dice",
    "flies", "leaps", "grounded", "control.discards", "control.rerolls", "control.dice",
    "clp.calms", "spins-further", "slides-further", "whip-as-reins", "attacks-ahead",
    "attack.vehicle.ties", "attack.vehicle.dice", "attack.vehicle.rerolls", "attack.vehicle.value",
    "defence.vehicle.dice", "defence.vehicle.rerolls", "defence.vehicle.value", "ambushes",
    "attack.personal.ties", "attack.personal.dice", "attack.personal.rerolls",
    "attack.personal.value", "defence.personal.dice", "defence.personal.rerolls",
    "defence.personal.value", "damage.collision.dice", "damage.control.dice", "damage.other.dice",
    "damage.dice", "clp.each-round", "damage.each-round",
)  # fmt: skip
"""The declared name of each modifier, by its index."""

# Operations of damage effects (`op`). OP_ADD adds to modifier `which`.
(
    OP_ADD, OP_RESILIENCE, OP_DAMAGE, OP_LOSE_TRAIT, OP_LOSE_CARD, OP_UP_MOST, OP_DOWN_MOST,
    OP_SPEED_MOST, OP_UNSAFE, OP_TURNING, OP_RANDOM, OP_WIPE_OUT,
) = range(12)  # fmt: skip

WHIP, REINS, DUAL = 1, 2, 3
"""Fronts of cards. WHIP and REINS are uses too; DUAL has both bits."""
AS_SPECIAL: Final = 4
"""The special side. Before a roll it also counts as a card of its front's type."""
HAND, RECOVERY, SPENT, GONE = range(4)
(
    AT_NEVER, AT_ACCELERATING, AT_DECELERATING, AT_MOVEMENT, AT_CONTROL, AT_CONTROL_AFTER,
    AT_VEHICLE_ATTACK, AT_PERSONAL_ATTACK, AT_VEHICLE_DEFENCE, AT_PERSONAL_DEFENCE,
    AT_DAMAGE_AFTER, AT_ANY_AFTER, AT_END,
) = range(13)  # fmt: skip
(
    GIVES_VALUE, GIVES_DICE, GIVES_DISCARDS, GIVES_REROLLS, GIVES_SLOW_AS_HASTE,
    GIVES_HASTE_AS_SLOW, GIVES_RAMS, GIVES_STOPS, GIVES_ROLLS_AGAIN, GIVES_DISCARDS_ICON,
    GIVES_RECOVERS_ALL,
) = range(11)  # fmt: skip
GIFTS: Final = 11

PERSONAL, VEHICLE = 1, 2
"""Kinds of attack, numbered as the card type that makes them."""
FASTEST, FURTHEST, TOUGHEST, PURSUIT, FOX, SCORING = range(6)
"""Race types; each becomes a tag team race when the cars have teams."""
ROLL_SPEED, ROLL_CONTROL, ROLL_ATTACK, ROLL_DEFENCE, ROLL_DAMAGE, ROLL_OTHER = range(6)
"""Purposes of dice. A car has a separate stream of dice for each, renewed every round."""

MOST_BOXES: Final = 32
"""The most boxes of an acceleration row that a driver looks at."""
MOST_KNOTS: Final = 4
SUMS: Final = 7
PLANS: Final = 9
TURN_CARDS: Final = 3
"""Numbers of cards in a control roll: 0 to 2."""
MOST: Final = 10
"""The largest control roll in the tables; larger ones count as this."""
SHIFT: Final = 3
"""The most boxes of haste or slow that a table distinguishes."""
ROW: Final = 16
CHECK_DICE: Final = 10
SETS: Final = 64
"""The most different sets of sums that one number of dice leaves."""
SPINS: Final = 5
"""The most spins either way that are distinguished."""
FAR: Final = 8
"""The most boxes of haste or slow that are distinguished."""
MOST_SEEN: Final = 12
"""The most dice of a speed check that are considered."""


def _record(*fields: Any) -> Any:
    return np.dtype([(f, "i8") if isinstance(f, str) else f for f in fields], align=True)


CRAFT: Final = _record(
    "boxes", "knots", "plans", ("rating", "i8", (MOST_BOXES,)), ("safe", "i8", (MOST_BOXES,)),
    ("land", "i8", (2, MOST_BOXES, SUMS)),  # by direction, box and kept sum
    ("free", "i8", (2, MOST_BOXES, SUMS)),  # by direction, box and boxes without a roll
    ("choices", "i8", (2,)),  # boxes without a roll, plus 1; 0 if it rolls
    ("shift", "i8", (MOST_BOXES, 2 * SHIFT + 1)), ("half", "i8", (MOST_BOXES,)),
    ("last", "i8", (7,)), ("moves", "i8", (MOST_BOXES, 4)), ("control", "i8", (MOST_BOXES,)),
    ("stamina", "i8", (MOST_KNOTS,)),
    # by knot, CLP and box, at the end of a round
    ("rest_knot", "i8", (MOST_KNOTS, MOST_BOXES)), ("rest_part", "f8", (MOST_KNOTS, MOST_BOXES)),
    ("rest_box", "i8", (MOST_KNOTS, MOST_BOXES)), ("rest_clp", "f8", (2, MOST_KNOTS, MOST_BOXES)),
    # by knot: direction, price, odds of each set of sums
    ("direction", "i8", (MOST_KNOTS, PLANS)), ("price", "f8", (PLANS,)),
    ("sizes", "i8", (MOST_KNOTS, PLANS)), ("sets", "i8", (MOST_KNOTS, PLANS, SETS)),
    ("odds", "f8", (MOST_KNOTS, PLANS, SETS)), ("turns", "f8", (TURN_CARDS, MOST + 1, ROW)),
    ("turn_prices", "f8", (TURN_CARDS,)), "flies",
    "control_dice",  # from traits
    ("hurts", "f8"),  # chance that a damage die is a point
    ("wear", "f8"),
    ("wreck", "f8"),  # rounds that a wipe-out costs
    ("spite", "f8"),  # see `DriverManner`
    ("margin", "f8"),
    ("per_die", "f8"),  # rounds for each damage die of a control roll
    ("mud", "f8", (MOST_BOXES,)), ("waste", "f8", (MOST_BOXES,)), ("marker", "f8"),
    ("crash", "f8", (MOST_BOXES,)),
    ("lap", "f8"),  # rounds of a lap
    ("whip", "f8"), ("rein", "f8"),
)  # fmt: skip
"""A vehicle, prepared for learning the table."""
CHECK_TERMS: Final = _record(
    ("to", "i8", (2, SUMS)),  # box for each kept sum, by direction
    ("free_to", "i8", (2, SUMS)),  # the same without a roll
    ("free", "i8", (2,)),  # choices without a roll; 0 if it rolls
    ("dice", "i8", (2,)),  # extra dice that are discarded
    "virtual_whips", "virtual_reins", "any_two", "encouraged", "champing", "may_accelerate",
    "simple",  # one die; each card is a box more or fewer
    ("faces", "i8", (6,)),
    ("boosted", "i8", (2, SUMS)),  # where a special leads that adds to the result
    ("booster", "i8", (2,)),  # its front: 0 none, 1 Whip, 2 Reins, 3 dual
    ("boost_price", "f8", (2,)),
)  # fmt: skip
"""The fixed terms of a speed check."""

ANSWER: Final = _record(
    "accelerate", "whips", "reins",
    "free",  # −1: it rolls
    "hexes", "variant",
    "card",  # 0 none, 1 Whip, 2 Reins, 3 Emergency Stop
    "turn",
    "boosted",  # whether the special that adds to the result is played
    "order",  # count of events when the way was chosen
    ("value", "f8"),
)  # fmt: skip
VIEW: Final = _record(
    "layer",  # lines still to cross, less one
    "cell", "facing",
    "lean",  # −1 the first hex is free, else the next corner's side: 0 right, 1 left
    "box",  # in the acceleration row
    "clp",  # above the minimum, with dice of damage effects
    "stamina",
    "left",  # levels of damage left
    "whips",  # in hand, except duals
    "reins", "duals",
    "encouraged",  # whether Reins may be Whips for a hex more
    "stops",  # whether an Emergency Stop is in hand
    ("stop_price", "f8"),
    "resting",  # cards in Recovery, which return at the end of the round
    ("wreck", "f8"),  # rounds that a wipe-out costs
    # set by `seen`
    "knot", ("part", "f8"), ("more", "f8"),
)  # fmt: skip
"""A driver's view of his own vehicle."""
ROOM: Final = _record(
    ("dice", "i8", (MOST_SEEN,)),  # values on the table, and after a re-roll
    ("anew", "i8", (MOST_SEEN,)),
    ("values", "f8", (SUMS,)),  # the worth of each sum, and of each set of sums by direction
    ("best", "f8", (2, 1 << SUMS)), ("chosen", "i8", (2,)),
    # dice of a control roll by icon: on the table, to re-roll, with a card, left,
    # to discard, tried; and their outcome
    ("counts", "i8", (6,)), ("again", "i8", (6,)), ("lucky", "i8", (6,)), ("left", "i8", (6,)),
    ("kept", "i8", (6,)), ("trial", "i8", (6,)), ("out", "i8", (6,)),
    ("mine", "i8", (2,)),  # a fight: dice and additions, and its cost to both
    ("his", "i8", (2,)), ("prices", "f8", (2,)),
)  # fmt: skip
"""Scratch room, since parts of the engine create no arrays."""
STAKES: Final = _record(
    ("poses", "f8", (2, 2 * SPINS + 1)),  # by slide and spins to the left
    ("boxes", "f8", (2 * FAR + 1,)),
    ("meant", "f8"),  # worth of the intended turn
    ("per_die", "f8"), ("per_point", "f8"), ("tired", "f8"),
    "spins",  # most extra spins (Spinner)
    "turning", "pairs_first", "ignored", "tires",
)  # fmt: skip
"""The worth of each outcome of a control roll."""
MIND: Final = _record(
    ("sight", VIEW), ("terms", CHECK_TERMS), ("stakes", STAKES), ("answer", ANSWER),
    ("room", ROOM),
)  # fmt: skip
"""What a driver has in mind, with scratch room."""
POSE_DTYPE: Final = _record(("node", "i4"), ("astray", "i4"), ("past", "f4"))
"""What `Ways` says of a pose, and of its cell."""
ODDS: Final = _record(
    ("sets", "i8", (CHECK_DICE + 1, 3, SETS)), ("odds", "f8", (CHECK_DICE + 1, 3, SETS)),
    ("sizes", "i8", (CHECK_DICE + 1, 3)), ("fights", "f8", (CHECK_DICE + 3, SUMS)),
)  # fmt: skip
"""The odds of dice: `rolls.Sums`, and `rolls.fights_of`."""

VEHICLE_DTYPE: Final = _record(
    "boxes_up", "boxes_down",
    ("rating_up", "i8", (BOXES,)),  # of a box in the acceleration row
    ("below", "i8", (BOXES,)),  # right-most deceleration box below an acceleration box
    ("above", "i8", (BOXES,)),  # left-most acceleration box above a deceleration box
    ("first_up", "i8", (7,)), ("first_down", "i8", (7,)),
    ("last_up", "i8", (7,)), ("last_down", "i8", (7,)),
    ("moves", "i8", (7, 4)),
    ("control", "i8", (7,)),  # SAFE or dice
    ("stamina", "i8", (7,)),
    "stamina_least", "clp_least", "resilience", "levels", "randoms",
    ("tired_speed", "i8", (STAMINA_VALUES,)), ("tired_whips", "i8", (STAMINA_VALUES,)),
    ("tired_reins", "i8", (STAMINA_VALUES,)), ("tired_clp", "i8", (STAMINA_VALUES,)),
    # the effects of level n are effect_from[n] to effect_from[n + 1] − 1
    ("effect_from", "i8", (LEVELS + 2,)), ("random_from", "i8", (RANDOMS + 1,)),
    ("op", "i8", (EFFECTS,)), ("which", "i8", (EFFECTS,)), ("amount", "i8", (EFFECTS,)),
    ("die", "i8", (EFFECTS,)),  # dice added to the amount
    "traits", ("trait_mods", "i8", (TRAITS, MODS)), ("trait_dice", "i8", (TRAITS, MODS)),
    "cards", ("front", "i8", (CARDS,)), ("moment", "i8", (CARDS,)), ("once", "i8", (CARDS,)),
    ("gives", "i8", (CARDS, GIFTS)), ("gives_dice", "i8", (CARDS, GIFTS)),  # plus dice
    ("craft", CRAFT),
)  # fmt: skip
"""A compiled vehicle."""

ORDER_DTYPE: Final = _record(
    "accelerate",  # speed check: 1 accelerate, 0 decelerate
    "boxes",  # for Tireless and Anchor
    ("uses", "i8", (CARDS,)),  # for each card 0, WHIP, REINS or AS_SPECIAL
    "card", "use",  # one card or −1, and its use
    "hexes",  # Emergency Stop: hexes fewer; jump: hexes cleared
    "variant",  # facing a side: 0 straight, 1 + 2i drifts right at step i, 2 + 2i left;
    # facing a corner: 0 begins right, 1 left
    "jump_at",  # step (from 0) whose hex is jumped, or −1
    "jump_card",
    "turn",  # −1 right, 0, 1 left
    "target", "attack",  # a car or −1; PERSONAL or VEHICLE
    "mask",  # bits of dice to re-roll or discard
    "rerolls",  # set by the engine: free re-rolls
    "first", "second",  # dice kept
    "icon",
    "facing",
    "whips", "reins", ("gives", "i8", (GIFTS,)),  # set by the engine: cards played
    ("tally", "i8", (6,)),  # and dice by icon
)  # fmt: skip
"""The driver's answer. The engine clears `race.cars[v].order`, then a hook fills it in."""

CAR_DTYPE: Final = _record(
    "vehicle",  # index in `race.vehicles`
    "team", "rival",  # rival: another car, or −1
    "up", "down", "rating",  # boxes count from 0
    "clp", "stamina", "level", "resilience",
    ("control", "i8", (7,)), ("mods", "i8", (MODS,)), ("mod_dice", "i8", (MODS,)),
    ("has_trait", "i8", (TRAITS,)),
    "up_most", "down_most", "speed_most", "turning",  # turning: 1 slow is haste, −1 haste is slow
    ("pile", "i8", (CARDS,)), "virtual_whips", "virtual_reins",
    "cell", "facing", "lean",  # last step over a corner: 1 left, −1 right, 0 open
    # in this phase
    "hexes", "left", "moved", "had_turn", "drifts", "jumped", "involved", "halted", "no_turn",
    "rams", "stops",
    "checked",  # in this round
    "wrecked", "rests", "wreck_heading",  # wrecked: the round, or 0; rests: no longer moves
    "wreck_order",
    "finished", "finish_order",  # the round
    "laps", "passed",  # passed: places of order
    "score", "caught",
    # nested damage rolls: points left to take and
    # the effects of the level reached
    ("points", "i8", (DEEP,)), ("effect", "i8", (DEEP,)), ("effects_end", "i8", (DEEP,)),
    "leads_by", "trails_by", "rival_ahead",
    # for reports
    "spaces", "rolls", "lost", "cards_used", "collisions", "attacks",
    ("lost_at", "i8", (LOSSES,)),  # first cells where control was lost
    ("drawn", "i8", (6,)),  # dice drawn this round, by purpose
    ("progress", "f8"),  # cells along the middle of the track from the line, with laps
    ("start", "f8"),  # its progress on the grid
    ("order", ORDER_DTYPE),
    ("dice", "i8", (MOST_DICE,)), "count",  # faces of its last roll, and their number
    ("mind", MIND),
)  # fmt: skip
"""A car in a race."""

CELL_DTYPE: Final = _record(
    ("neighbour", "i8", (6,)),  # −1 beyond the edge
    "heading", "inside", "hazard", "hazard_rating", "fragile", "fragile_rating", "solid",
    "solid_rating", "low",  # low: may be jumped and flown over
    "points",  # scoring: for the first car to enter
    "runner",  # number of the runner here, from 1
    "car",  # −1: nobody
    "q", "r",
    ("along", "f8"),
)  # fmt: skip
"""A hex of the track. `fragile` and `hazard` count markers; the ratings are their sums."""

RUNNER_DTYPE: Final = _record("cell", "direction", "points")

GATE_DTYPE: Final = _record("cell", "direction")
"""A place where runners enter. The cell is −1 on a map without such places."""

TASK_DTYPE: Final = _record(
    "what", "car", "other", "heading", "turn", "a", "b", "c", "d", "owner", "by"
)

RULES_DTYPE: Final = _record(
    # options as 0 or 1, with figures; rolling_start: the rating, 0 for none
    "truce", "friendly", "grandstanding", "grandstanding_by", "shame", "shame_by",
    "rolling_start", "rolling_start_hexes",  # the rating, or hexes a round
    "stamina", "jumps",
    "simple_check", "pairs_first", "damage_ignored", "damage_as_clp", "deliberate",
    "instant", "instant_icons", "corner_drift", "more_drifts", "free_drifts", "debris_each",
    # the race
    "kind", "laps", "rounds", "cars", "cells", "fox", "teams",
    "ranked",  # whether cars can lead or be last
    "points_per_runner", "points_per_damage",
    ("place_points", "i8", (3,)),
    ("faces_value", "i8", (6,)), ("faces_icon", "i8", (6,)),
    # current state
    "key", "race_round", "phase", "tasks", "order", "over", "runners",  # order: a counter of events
    ("lap", "f8"),
    ("stack", TASK_DTYPE, (MOST_TASKS,)), ("runner", RUNNER_DTYPE, (RUNNERS,)),
    ("gates", GATE_DTYPE, (GATES,)),  # by face of the die
    ("ahead", "i8", (CARS,)),  # cars in the order in which they move
    ("chances", ODDS),
)  # fmt: skip
"""The rules in force, the race type and the state of the race: `race.rules`."""

Array = NDArray[Any]
RaceRecord = Any
"""A numpy record, whose fields its dtype lists."""


RACE_DTYPE: Final = _record(
    ("rules", RULES_DTYPE), ("cars", CAR_DTYPE, (CARS,)), ("vehicles", VEHICLE_DTYPE, (CARS,)),
    ("cells", CELL_DTYPE, (MOST_CELLS,)),
    ("poses", POSE_DTYPE, (12 * MOST_CELLS,)),  # by cell · 12 + facing
    "worth_at", "nodes", "boxes",  # what drivers learnt: its address and shape, see `situation`
)  # fmt: skip
"""A whole race. One record without arrays is fast to pass on, and nobody counts references."""

Race = RaceRecord


RUN_DTYPE: Final = _record(
    "vehicle", "grid", "place", "won", "finished", "wiped_out", "rounds", "spaces", "rolls", "lost",
    "damage", "cards", "collisions", "attacks", "score",
    ("lost_at", "i8", (LOSSES,)), ("progress", "f8"),
)  # fmt: skip
"""A car's result. Grid and place count from 1, rounds until it finished or was wiped out."""

GRID_DTYPE: Final = _record("cell", "facing", ("progress", "f8"))
"""A starting place."""
