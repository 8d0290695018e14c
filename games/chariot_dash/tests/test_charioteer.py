"""The game's own driver: what he has learnt never changes what he does."""

import pytest
from arenas import BY_ID, empty_oval, standing
from chariots import OPTIONS, trait, vehicle
from gridpress_chariot_dash.cards import Piles
from gridpress_chariot_dash.movement import Pose, Target
from gridpress_chariot_dash.race.arena import FRAGILE, Item
from gridpress_chariot_dash.race.charioteer import Charioteer


def test_dice_of_faster_rounds_to_come_count_at_a_safe_speed() -> None:
    """At a safe speed nothing is rolled, with or without a damaged steering gear."""
    arena = empty_oval()
    race = standing(arena, (BY_ID["basic"], Pose((4, 6), 3), 1))
    (me,) = race.racers
    whole = me.state._replace(piles=Piles((2,)))
    damaged = whole.conditioned(control_dice=1)
    learned = Charioteer(arena, OPTIONS)
    drives = []
    for me.state in (whole, damaged):
        drives.append(learned.phase(race, me, 1, None))
        assert drives[-1] == Charioteer(arena, OPTIONS).phase(race, me, 1, None)
    assert drives[0] != drives[1]


@pytest.mark.parametrize(("names", "over"), [([], 1), (["leap"], 2), (["whitey"], 0)])
def test_he_jumps_over_as_much_as_his_vehicle_can(names: list[str], over: int) -> None:
    arena = empty_oval()
    start = arena.starts[5]
    race = standing(arena, (vehicle(traits=[trait(name) for name in names]), start, 6))
    race.items |= {at: Item(FRAGILE) for at in arena.along if 0 < arena.apart(start.hex, at) <= 2}
    (me,) = race.racers
    me.state = me.state._replace(piles=Piles(()))
    way = Charioteer(arena, OPTIONS).phase(race, me, 0, None).way
    assert way is not None
    assert sum(len(step.over) for step in way.steps) == over
    assert sum(step.cost for step in way.steps) == 4
    me.jumped = True
    again = Charioteer(arena, OPTIONS).phase(race, me, 0, 4).way
    assert again is not None
    assert not any(step.over for step in again.steps)


def test_in_an_ambush_he_attacks_the_driver_or_nobody() -> None:
    arena = empty_oval()
    rammer = vehicle(traits=[trait("blades", 3), trait("sneaky")])
    race = standing(arena, (rammer, arena.starts[5], 4), (vehicle(), arena.starts[4], 4))
    me, other = race.racers
    driver = Charioteer(arena, OPTIONS)
    strikes = [
        driver.attack(race, me, (other,)),
        driver.attack(race, me, (other,), (Target.DRIVER,)),
    ]
    assert [strike and strike.on for strike in strikes] == [Target.VEHICLE, Target.DRIVER]
