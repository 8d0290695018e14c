"""Reach: where two vehicles stand in, whether one may attack the other out."""

from __future__ import annotations

from enum import IntEnum

from gridpress_chariot_dash.movement import FRONT, Hex, Pose, beside, neighbour
from gridpress_chariot_dash.options import Options
from gridpress_chariot_dash.state import State


class Target(IntEnum):
    """Whom an attack is made on."""

    DRIVER = 0
    VEHICLE = 1


def may_attack(
    attacker: State,
    pose: Pose,
    target: Hex,
    on: Target,
    options: Options,
    race_round: int,
    hexes_moved: int = 1,
    *,
    own_move: bool = True,
) -> bool:
    """Whether an attack on the vehicle in that hex is allowed now.

    In a phase in which the attacker moves, on a hex beside him; with Savage also ahead; with Sneaky
    a personal attack in the target's move.
    """
    mods = attacker.modifiers
    if not options.attacks_allowed(race_round) or attacker.condition.wiped_out:
        return False
    if own_move and not hexes_moved:
        return False
    if not own_move and not (mods.ambushes and on is Target.DRIVER):
        return False
    front = FRONT[pose.facing] if mods.attacks_ahead else ()
    return target in beside(pose) or target in [neighbour(pose.hex, way) for way in front]
