"""How a race lies in memory: flat records that the compiled engine reads and writes, nothing else.

`Race` holds all of it; every function of the engine and every hook of the driver takes the race and
the number of a car. Records are views: `car = race.cars[v]; car.clp += 1`. All numbers are integers
but distances.

Directions are 0 to 5, turning left from east; facings 0 to 11 by 30°, even ones to a side.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

CARS: Final = 12
CARDS: Final = 16
BOXES: Final = 128
LEVELS: Final = 16
EFFECTS: Final = 256
TRAITS: Final = 64
STAMINA_VALUES: Final = 32
"""Stamina values from −21 to 10: index is the value + `STAMINA_ZERO`."""
STAMINA_ZERO: Final = 21
RANDOMS: Final = 8
LOSSES: Final = 32
DEEP: Final = 2 * LEVELS
"""Damage rolls and random effects one inside another."""
SAFE: Final = 0
BLANK: Final = -1
NO_CAP: Final = 99

# Modifiers: the index of each in `mods`; the order is of no meaning. Names: `MODIFIERS` below.
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

# Operations of damage effects that are no sums: `op` of an effect; OP_ADD adds to modifier `which`.
(
    OP_ADD, OP_RESILIENCE, OP_DAMAGE, OP_LOSE_TRAIT, OP_LOSE_CARD, OP_UP_MOST, OP_DOWN_MOST,
    OP_SPEED_MOST, OP_UNSAFE, OP_TURNING, OP_RANDOM, OP_WIPE_OUT,
) = range(12)  # fmt: skip

# Cards: what they show, what they are played as, where they lie, when a special is played.
WHIP, REINS, DUAL = 1, 2, 3
"""A front; WHIP and REINS are uses too, and DUAL is both bits."""
AS_SPECIAL: Final = 4
"""The special side of a card; before a roll it counts as a card of its front's type too."""
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
"""Kinds of attack: the type of card that makes them."""
FASTEST, FURTHEST, TOUGHEST, PURSUIT, FOX, SCORING = range(6)
"""Race types; any of them is a tag team's when the cars have teams."""
ROLL_SPEED, ROLL_CONTROL, ROLL_ATTACK, ROLL_DEFENCE, ROLL_DAMAGE, ROLL_OTHER = range(6)
"""Purposes of dice: each car has a row of dice for each, anew in each round."""


def _record(*fields: Any) -> Any:
    return np.dtype([(f, "i8") if isinstance(f, str) else f for f in fields], align=True)


VEHICLE_DTYPE: Final = _record(
    "boxes_up", "boxes_down",
    ("rating_up", "i8", (BOXES,)),  # the rating of a box of the acceleration row
    ("below", "i8", (BOXES,)),  # right-most deceleration box of an acceleration box
    ("above", "i8", (BOXES,)),  # left-most acceleration box of a deceleration box
    ("first_up", "i8", (7,)), ("first_down", "i8", (7,)),
    ("last_up", "i8", (7,)), ("last_down", "i8", (7,)),
    ("moves", "i8", (7, 4)),
    ("control", "i8", (7,)),  # SAFE or dice
    ("stamina", "i8", (7,)),
    "stamina_least", "clp_least", "resilience", "levels", "randoms",
    ("tired_speed", "i8", (STAMINA_VALUES,)), ("tired_whips", "i8", (STAMINA_VALUES,)),
    ("tired_reins", "i8", (STAMINA_VALUES,)), ("tired_clp", "i8", (STAMINA_VALUES,)),
    # effects by level: those of level n are effect_from[n] to effect_from[n + 1] − 1
    ("effect_from", "i8", (LEVELS + 2,)), ("random_from", "i8", (RANDOMS + 1,)),
    ("op", "i8", (EFFECTS,)), ("which", "i8", (EFFECTS,)), ("amount", "i8", (EFFECTS,)),
    ("die", "i8", (EFFECTS,)),  # dice of which the value is added to the amount
    "traits", ("trait_mods", "i8", (TRAITS, MODS)), ("trait_dice", "i8", (TRAITS, MODS)),
    "cards", ("front", "i8", (CARDS,)), ("moment", "i8", (CARDS,)), ("once", "i8", (CARDS,)),
    ("gives", "i8", (CARDS, GIFTS)), ("gives_dice", "i8", (CARDS, GIFTS)),  # and dice of a die #
)  # fmt: skip
"""A compiled vehicle."""

CAR_DTYPE: Final = _record(
    "vehicle",  # its place in `race.vehicles`
    "outlook",  # its place among what the drivers have learnt
    "team", "rival",  # rival: another car, −1 none
    "up", "down", "rating",  # boxes from 0; the rating is kept with them
    "clp", "stamina", "level", "resilience",
    ("control", "i8", (7,)), ("mods", "i8", (MODS,)), ("mod_dice", "i8", (MODS,)),
    ("has_trait", "i8", (TRAITS,)),
    "up_most", "down_most", "speed_most", "turning",  # turning: 1 slow is haste, −1 haste is slow
    ("pile", "i8", (CARDS,)), "virtual_whips", "virtual_reins",
    "cell", "facing", "lean",  # lean: 1 left, −1 right was the last corner step, 0 open
    # in this phase
    "hexes", "left", "moved", "had_turn", "drifts", "jumped", "involved", "halted", "no_turn",
    "rams", "stops",
    "checked",  # in this round
    "wrecked", "rests", "wreck_heading",  # the round of the wipe-out, 0: races; rests: for good
    "wreck_order",
    "finished", "finish_order",  # the round
    "laps", "passed",  # finish lines crossed; places of order
    "score", "caught",
    # damage rolls under way, one that an effect brought inside another: points still to take, and
    # which effects of the level reached
    ("points", "i8", (DEEP,)), ("effect", "i8", (DEEP,)), ("effects_end", "i8", (DEEP,)),
    "leads_by", "trails_by", "rival_ahead",
    # what happened, for reports
    "spaces", "rolls", "lost", "cards_used", "collisions", "attacks",
    ("lost_at", "i8", (LOSSES,)),  # the cells where control was lost, the first so many
    ("drawn", "i8", (6,)),  # dice drawn in this round by purpose
    ("progress", "f8"),  # cells along the middle of the track, laps counted; the line is 0
)  # fmt: skip
"""A car in a race."""

CELL_DTYPE: Final = _record(
    ("neighbour", "i8", (6,)),  # −1: beyond the edge
    "heading", "inside", "hazard", "hazard_rating", "fragile", "fragile_rating", "solid",
    "solid_rating", "low",  # low: what lies here may be jumped and flown over
    "points",  # scoring: for the first to enter; 0 none
    "runner",  # a runner stands here: its number from 1
    "car",  # who stands here, −1 nobody
    "q", "r",
    ("along", "f8"),
)  # fmt: skip
"""A hex of the track. `fragile` and `hazard` count markers; ratings are their sum."""

RUNNER_DTYPE: Final = _record("cell", "direction", "points")

RULES_DTYPE: Final = _record(
    # options and alternatives, 0 or 1, and their figures; rolling_start: the rating, 0 for none
    "truce", "friendly", "grandstanding", "grandstanding_by", "shame", "shame_by",
    "rolling_start", "rolling_start_hexes",  # the rating, or the hexes a round
    "stamina", "jumps",
    "simple_check", "pairs_first", "damage_ignored", "damage_as_clp", "deliberate",
    "instant", "instant_icons", "corner_drift", "more_drifts", "free_drifts", "debris_each",
    # the race
    "kind", "laps", "rounds", "cars", "cells", "fox", "teams",
    "ranked",  # somebody leads and somebody is last: not where they start all round the track
    "points_per_runner", "points_per_damage",
    ("place_points", "i8", (3,)),
    ("faces_value", "i8", (6,)), ("faces_icon", "i8", (6,)),
    # as it stands
    "key", "race_round", "phase", "tasks", "order", "over", "runners",  # order: of what happens
    ("lap", "f8"),
)  # fmt: skip
"""The rules in force, the race type, and where the race stands; `race.rules[0]`."""

TASK_DTYPE: Final = _record(
    "what", "car", "other", "heading", "turn", "a", "b", "c", "d", "owner", "by"
)

ORDER_DTYPE: Final = _record(
    "accelerate",  # speed check: 1 accelerate, 0 decelerate
    "boxes",  # of Tireless and Anchor
    ("uses", "i8", (CARDS,)),  # by card: 0, WHIP, REINS, or AS_SPECIAL
    "card", "use",  # one card, −1 none, and what it is played as
    "hexes",  # Emergency Stop: hexes fewer; a jump: how many it clears
    "variant",  # facing a side: 0 straight, 1 + 2i drift right at step i, 2 + 2i left;
    # facing a corner: 0 the right hex first, 1 the left
    "jump_at",  # the step (from 0) whose hex is jumped, −1 none
    "jump_card",
    "turn",  # −1 right, 0, 1 left
    "target", "attack",  # a car, −1 none; PERSONAL or VEHICLE
    "mask",  # of dice by bits, lowest first: to be re-rolled, or discarded
    "rerolls",  # told by the engine: how many dice may be re-rolled without a card
    "first", "second",  # dice kept
    "icon",
    "facing",
    "whips", "reins", ("gives", "i8", (GIFTS,)),  # written by the engine: what was played
    ("tally", "i8", (6,)),  # and what lies there, by icon
)  # fmt: skip
"""What the driver answers: a hook writes it to `race.orders[v]`, which is reset before."""

Array = NDArray[Any]
RaceRecord = Any
"""One of an array of records, whose fields are told at its type."""


class Race(NamedTuple):
    """Everything of a race; arrays of the records above, and what the drivers have learnt.

    dice, icons: faces of the last roll of a car, `dice[v, n]`; with how many in `counts[v]`.
    """

    rules: Array
    cars: Array
    vehicles: Array
    cells: Array
    runners: Array
    orders: Array
    tasks: Array
    dice: Array
    counts: Array
    ahead: Array
    outlook: Any


MOST_DICE: Final = 62  # as many as a mask of bits has room for
MOST_TASKS: Final = 96

RUN_DTYPE: Final = _record(
    "vehicle", "grid", "place", "won", "finished", "wiped_out", "rounds", "spaces", "rolls", "lost",
    "damage", "cards", "collisions", "attacks", "score",
    ("lost_at", "i8", (LOSSES,)), ("progress", "f8"),
)  # fmt: skip
"""How a car fared in a race; grid and place from 1, rounds until it finished or was wiped out."""

GRID_DTYPE: Final = _record("cell", "facing", ("progress", "f8"))
"""A starting place."""
