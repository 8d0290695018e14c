"""Collisions, slides and wrecks where vehicles stand on a track; the dice are scripted."""

import pytest
from arenas import BY_ID, empty_oval, oval, standing
from chariots import Script, vehicle
from gridpress_chariot_dash.movement import Pose, ahead, turned
from gridpress_chariot_dash.race import phases
from gridpress_chariot_dash.race.arena import FRAGILE, HAZARD, Item
from gridpress_chariot_dash.race.charioteer import Charioteer
from gridpress_chariot_dash.race.phases import in_reach, is_blocked, run_into

BASIC = vehicle()
START = empty_oval().starts[5]
WALL = turned(empty_oval().starts[0], 4)


def along(pose: Pose, hexes: int) -> Pose:
    for _ in range(hexes):
        pose = ahead(pose)[0]
    return pose


def test_a_vehicle_drives_its_hexes_where_nothing_is_in_the_way() -> None:
    race = standing(empty_oval(), (BASIC, START, 3))
    (me,) = race.racers
    before = me.progress
    phases.drive(race, me, 0)
    assert (me.pose, me.moved, me.spaces) == (along(START, 2), 2, 2)
    assert me.progress == before + 2
    assert race.occupied == {me.pose.hex: me}


def test_a_faster_one_runs_into_the_one_ahead_and_stays_behind_it() -> None:
    race = standing(empty_oval(), (BASIC, START, 4), (BASIC, along(START, 2), 1))
    me, other = race.racers
    dice = Script(values=[0] * 6)
    race.dice = dice  # type: ignore[assignment]
    phases.drive(race, me, 0)
    assert (me.pose, other.pose) == (along(START, 1), along(START, 2))
    assert (me.state.speed, other.state.speed, me.collisions) == (2, 3, 1)
    assert dice.used_up


def test_who_runs_into_a_wall_halves_his_speed_and_is_faced_aside() -> None:
    race = standing(empty_oval(), (BASIC, along(WALL, 0), 3))
    (me,) = race.racers
    race.dice = Script(values=[0] * 3)  # type: ignore[assignment]
    while not me.collisions:
        phases.drive(race, me, 0)
    assert me.state.speed == 1
    assert me.pose.facing in (turned(WALL, 1).facing, turned(WALL, -1).facing)
    assert me.pose.hex in race.arena.along


def last_before_the_wall() -> Pose:
    pose = WALL
    while ahead(pose)[0].hex in empty_oval().along:
        pose = ahead(pose)[0]
    return pose


def test_the_rest_of_a_slide_hits_the_wall_once_more() -> None:
    edge = last_before_the_wall()
    race = standing(empty_oval(), (BASIC, edge, 3))
    (me,) = race.racers
    dice = Script(values=[0, 0, 0, 0, 0])
    race.dice = dice  # type: ignore[assignment]
    phases.slide(race, me, 3)
    assert (me.pose.hex, me.collisions) == (edge.hex, 1)
    assert dice.used_up, "3 dice for the speed, 2 for the hexes of the slide that were left"


def test_a_turn_does_not_come_on_top_of_being_faced_aside() -> None:
    edge = last_before_the_wall()
    race = standing(empty_oval(), (BASIC, edge, 4))
    (me,) = race.racers
    race.dice = Script("slide slide", values=[0] * 5)  # type: ignore[assignment]
    phases.control_roll(race, me, 1)
    assert me.collisions == 1
    assert me.pose.facing in (turned(edge, 1).facing, turned(edge, -1).facing)
    assert me.lost == [edge.hex]


def test_a_slide_goes_on_in_the_old_direction_or_not_at_all() -> None:
    race = standing(empty_oval(), (BASIC, START, 3))
    race.items[along(START, 1).hex] = Item(HAZARD)
    (me,) = race.racers
    race.dice = Script("left-spin left-spin left-spin")  # type: ignore[assignment]
    phases.slide(race, me, 3)
    assert me.pose == turned(along(START, 1), 3)


@pytest.mark.parametrize(("traits", "clp"), [([], 1), ([{"trait": "flyer"}], 0)])
def test_debris_is_broken_by_whoever_does_not_fly(traits: list[dict[str, str]], clp: int) -> None:
    arena = oval()
    race = standing(arena, (vehicle(traits=traits), START, 2))
    race.items[along(START, 1).hex] = Item(FRAGILE, (0, 0))
    (me,) = race.racers
    race.dice = Script(values=[0, 2] if clp else [], icons="haste")  # type: ignore[assignment]
    phases.step_by_step(race, me, me.driver.phase(race, me, 0, 1).way.steps)  # type: ignore[union-attr]
    assert me.pose.hex == along(START, 1).hex
    assert (len(race.items), me.state.level) == (1 - clp, clp)


def test_debris_of_a_wreck_is_driven_through_like_any_other() -> None:
    race = standing(empty_oval(), (BASIC, START, 3))
    race.items[along(START, 2).hex] = Item(FRAGILE)
    (me,) = race.racers
    dice = race.dice = Script(values=[0, 0])  # type: ignore[assignment]
    phases.drive(race, me, 0)
    assert (me.pose, race.items, dice.used_up) == (along(START, 2), {}, True)  # type: ignore[attr-defined]


def test_a_wreck_plays_no_card() -> None:
    rammer = vehicle(specials=[{"side": "whip", "special": "ramming-speed"}])
    race = standing(empty_oval(), (BASIC, START, 4), (rammer, along(START, 1), 2))
    me, other = race.racers
    me.driver = other.driver = Charioteer(race.arena, race.options)
    other.state = other.state.conditioned(wiped_out=True)
    dice = race.dice = Script(values=[0, 0])  # type: ignore[assignment]
    assert run_into(race, me, other.pose)
    assert (dice.used_up, other.cards) == (True, 0)  # type: ignore[attr-defined]


def test_a_wreck_rolls_over_a_hazard_and_leaves_it_there() -> None:
    race = standing(empty_oval(), (BASIC, START, 3))
    race.items[along(START, 1).hex] = oil = Item(HAZARD)
    (wreck,) = race.racers
    wreck.state = wreck.state.conditioned(wiped_out=True)
    for _ in range(2):
        phases.roll_on(race, wreck)
    assert wreck.pose == along(START, 2)
    assert race.items == {START.hex: Item(FRAGILE), along(START, 1).hex: oil}


def test_a_wreck_rolls_on_leaves_debris_and_becomes_an_obstacle() -> None:
    race = standing(empty_oval(), (BASIC, START, 2), (BASIC, along(START, 3), 1))
    wreck, _ = race.racers
    wreck.state = wreck.state.conditioned(wiped_out=True)
    phases.wreck(race, wreck)
    phases.roll_on(race, wreck)
    assert (wreck.pose, wreck.state.speed, wreck.parked) == (along(START, 1), 1, False)
    assert race.items == {START.hex: Item(FRAGILE, (0,))}
    phases.roll_on(race, wreck)
    assert (wreck.pose, wreck.state.speed, wreck.parked) == (along(START, 2), 0, True)
    assert is_blocked(race, wreck.pose.hex)


def test_only_who_is_beside_and_races_is_in_reach() -> None:
    beside = Pose(empty_oval().starts[4].hex, START.facing)
    race = standing(
        empty_oval(), (BASIC, START, 2), (BASIC, along(START, 1), 2), (BY_ID["marrow"], beside, 2)
    )
    me, leader, wolf = race.racers
    reach = in_reach(race, me)
    assert leader not in reach
    assert (wolf in reach) == (me in in_reach(race, wolf))
    wolf.pose, wolf.state = along(START, -1), wolf.state
    race.occupied = {racer.pose.hex: racer for racer in (leader, me)}
    wolf.pose = START
    assert leader in in_reach(race, wolf), "Savage attacks ahead too"
