from dataclasses import replace

from chariots import OPTIONS, Script, start
from gridpress_chariot_dash import damage
from gridpress_chariot_dash.movement import Pose, Target, may_attack

HERE = Pose((0, 0), 0)


def allowed(target=(0, 1), options=OPTIONS, race_round: int = 2, **more) -> bool:
    state = start(speed=3)
    return may_attack(state, HERE, target, Target.DRIVER, options, race_round, **more)


def test_a_vehicle_beside_may_be_attacked() -> None:
    neighbours = [(1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1)]
    assert [allowed(hex_) for hex_ in neighbours] == [False, True, True, False, True, True]
    assert not allowed((0, 2))


def test_only_in_a_phase_in_which_one_moves() -> None:
    assert not allowed(hexes_moved=0)
    assert not allowed(own_move=False)


def test_truce_and_friendly_races_forbid_it() -> None:
    assert not allowed(race_round=1)
    assert allowed(race_round=1, options=replace(OPTIONS, truce=False))
    assert not allowed(options=replace(OPTIONS, friendly=True))


def test_a_wreck_attacks_nobody() -> None:
    wreck = damage.take(start(speed=3), 6, Script())
    assert not may_attack(wreck, HERE, (0, 1), Target.DRIVER, OPTIONS, 2)
