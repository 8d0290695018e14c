"""Traits in fights and speed checks, and rules across several moments."""

from typing import Any

import pytest
from gridpress_chariot_dash.dice import DAMAGE, HASTE, LEFT, RIGHT, SLIDE, SLOW
from gridpress_chariot_races.race import layout
from gridpress_chariot_races.race.layout import (
    PERSONAL,
    ROLL_CONTROL,
    ROLL_DAMAGE,
    ROLL_SPEED,
    VEHICLE,
)
from scenes import SIDE, Scene, attack, check, orders, plays, roll, trait, two, values

OVER = 3
"""The attacker's lead before traits: 3 + 1 to 1."""


@pytest.mark.parametrize(
    ("name", "kind", "initiates", "by"),
    [
        ("blades", VEHICLE, True, OVER + 2),
        ("flimsy", VEHICLE, False, OVER + 1),  # 1 − 2, and not below 0
        ("whiplash", PERSONAL, True, OVER + 2),
        ("thin-skin", PERSONAL, False, OVER + 1),
        ("blades", VEHICLE, False, OVER),
        ("blades", PERSONAL, True, OVER),
        ("flimsy", VEHICLE, True, OVER),
        ("whiplash", PERSONAL, False, OVER),
        ("whiplash", VEHICLE, True, OVER),
        ("thin-skin", PERSONAL, True, OVER),
    ],
)
def test_traits_that_change_values_in_fights(
    name: str, kind: int, initiates: bool, by: int
) -> None:
    mine = values(**trait(name, 2)) if initiates else values()
    his = values() if initiates else values(**trait(name, 2))
    scene = Scene(mine, his)
    scene.chooses()
    scene.put(0, (5, 5), SIDE, 2)
    scene.put(1, (5, 6), SIDE, 2)
    if kind == VEHICLE:
        scene.tell(ROLL_DAMAGE, *[SLIDE] * (by + 1))
    else:
        scene.tell(ROLL_CONTROL, *[LEFT] * by)
    attack(scene, kind, [DAMAGE, SLOW], [SLOW])


@pytest.mark.parametrize(
    ("name", "kind", "initiates"),
    [
        ("tank", VEHICLE, True), ("armoured", VEHICLE, False),
        ("cat-o-nine", PERSONAL, True), ("shield", PERSONAL, False),
    ],
)  # fmt: skip
def test_traits_that_add_dice_in_fights_keep_two(name: str, kind: int, initiates: bool) -> None:
    scene = Scene(*(values(**trait(name, 2)) if own == initiates else values() for own in (1, 0)))
    scene.chooses()
    scene.put(0, (5, 5), SIDE, 2)
    scene.put(1, (5, 6), SIDE, 2)
    own = [SLOW, SLOW, LEFT, LEFT] if initiates else [LEFT, LEFT]
    others = [LEFT] if initiates else [SLOW, SLIDE, LEFT]
    by = 4 - (2 if initiates else 3)
    if kind == VEHICLE:
        scene.tell(ROLL_DAMAGE, *[SLIDE] * (by + 1))
    else:
        scene.tell(ROLL_CONTROL, *[LEFT] * by)
    attack(scene, kind, own, others)


@pytest.mark.parametrize(
    ("name", "kind", "initiates"),
    [
        ("persistent", VEHICLE, True), ("evasive", VEHICLE, False),
        ("frenzied", PERSONAL, True), ("guarded", PERSONAL, False),
    ],
)  # fmt: skip
def test_traits_that_re_roll_in_fights(name: str, kind: int, initiates: bool) -> None:
    scene = Scene(*(values(**trait(name, 1)) if own == initiates else values() for own in (1, 0)))
    scene.chooses(fight_reroll=orders(mask=1))
    scene.put(0, (5, 5), SIDE, 2)
    scene.put(1, (5, 6), SIDE, 2)
    own, others = ([SLIDE, LEFT, LEFT], [SLOW]) if initiates else ([LEFT, LEFT], [SLIDE, SLOW])
    if kind == VEHICLE:
        scene.tell(ROLL_DAMAGE, *[SLIDE] * 4)
    else:
        scene.tell(ROLL_CONTROL, *[LEFT] * 3)
    attack(scene, kind, own, others)


@pytest.mark.parametrize(
    ("name", "way", "faces", "boxes"),
    [
        ("long-legs", 1, [SLIDE, SLIDE, SLIDE, LEFT, DAMAGE], 5),
        ("hyperactive", 1, [SLOW, SLOW, SLIDE], 4),
        ("cautious", 1, [LEFT, LEFT, SLIDE], 2),
        ("beastmaster", 1, [LEFT, LEFT, SLIDE], 4),
        ("rubber-shoes", 0, [SLIDE, SLIDE, SLIDE, LEFT, SLOW], 3),
        ("lazy", 0, [SLOW, SLOW, SLIDE], 4),
        ("reckless", 0, [LEFT, LEFT, SLIDE], 2),
        ("reckless", 0, [SLOW, SLIDE, SLIDE], -1),  # below 0: a box the other way
        ("cautious", 1, [SLOW, SLIDE, SLIDE], -1),
    ],
)
def test_traits_that_change_speed_checks(name: str, way: int, faces: list[int], boxes: int) -> None:
    scene = Scene(values(**trait(name, 2)))
    scene.chooses(speed_plan=plays(accelerate=way, whips=way, reins=1 - way))
    car = scene.put(0, (3, 5), rating=4)
    up, down = int(car.up), int(car.down)
    scene.tell(ROLL_SPEED, *faces)
    check(scene)
    forwards = boxes if way else -boxes
    assert (car.up - up if forwards > 0 else car.down - down) == forwards


def test_tight_leash_re_rolls_when_decelerating_only() -> None:
    for way, rerolls in ((0, 2), (1, 0)):
        scene = Scene(values(**trait("tight-leash", 2)))
        scene.chooses(
            speed_plan=plays(accelerate=way, whips=way, reins=1 - way), speed_reroll=orders(mask=7)
        )
        scene.put(0, (3, 5), rating=4)
        scene.tell(ROLL_SPEED, *[SLIDE] * 3, *[SLOW] * rerolls)
        check(scene)


def test_champing_at_the_bit_accelerates_without_cards() -> None:
    scene = Scene(values(**trait("champing-at-the-bit")))
    scene.chooses()
    scene.tell(ROLL_SPEED, SLOW, LEFT)
    check(scene)
    assert scene.cars[0].up == 3


def test_driver_and_handling_work_in_every_control_roll() -> None:
    scene = Scene(
        values(traits=[{"trait": "driver", "number": 1}, {"trait": "handling", "number": 1}])
    )
    scene.chooses(control_reroll=orders(mask=1), control_discard=orders(mask=1))
    car = scene.put(0, (3, 5), rating=3)
    roll(scene, DAMAGE, LEFT, HASTE)  # the damage is rolled again, then discarded
    assert (car.level, car.facing) == (0, 1)


@pytest.mark.parametrize("rating", [1, 2])
def test_cd_17_decelerating_stops_at_the_first_box_of_rating_0(rating: int) -> None:
    scene = Scene()
    scene.put(0, (3, 5), rating=rating)
    scene.engine.car.brake(scene.race, 0, 9)
    assert (scene.cars[0].down, scene.cars[0].up, scene.cars[0].rating) == (0, 0, 0)


def slides(scene: Scene, v: int, before: int) -> int:
    """Return the direction of the slide."""
    return int(list(scene.race.cells[before].neighbour).index(scene.cars[v].cell))


def test_cd_36_after_a_personal_attack_the_target_slides_its_own_way() -> None:
    scene = two()
    hit = scene.put(1, (5, 6), 6, 2)  # it faces the other way
    at = int(hit.cell)
    scene.tell(ROLL_CONTROL, SLIDE)
    attack(scene, PERSONAL, [SLOW, LEFT], [LEFT])
    assert slides(scene, 1, at) == 3


def test_cd_36_after_a_vehicle_attack_the_target_slides_the_attackers_way() -> None:
    scene = two()
    hit = scene.put(1, (5, 6), 6, 2)
    at = int(hit.cell)
    scene.tell(ROLL_DAMAGE, DAMAGE, SLIDE)
    scene.tell(ROLL_CONTROL, SLIDE)
    attack(scene, VEHICLE, [SLOW, LEFT], [LEFT])
    assert slides(scene, 1, at) == 0


@pytest.mark.parametrize(
    ("lean", "variant", "direction"),
    [(0, 0, 0), (0, 1, 1), (-1, 0, 1)],  # the last one went right
)
def test_cd_36_at_a_corner_the_attackers_next_straight_step_is_his_choice_until_he_has_moved(
    lean: int, variant: int, direction: int
) -> None:
    scene = two()
    scene.chooses(slide_side=orders(variant=variant))
    scene.put(0, (5, 5), 1, 2).lean = lean
    at = int(scene.cars[1].cell)
    scene.tell(ROLL_DAMAGE, DAMAGE, SLIDE)
    scene.tell(ROLL_CONTROL, SLIDE)
    attack(scene, VEHICLE, [SLOW, LEFT], [LEFT])
    assert slides(scene, 1, at) == direction


@pytest.mark.parametrize("variant", [0, 1])
def test_cd_35_an_attacker_who_loses_and_has_not_moved_chooses_the_side_of_his_own_slide(
    variant: int,
) -> None:
    scene = two()
    scene.chooses(slide_side=orders(variant=variant))
    scene.put(1, (9, 9), SIDE, 2)  # out of his way
    at = int(scene.put(0, (5, 5), 1, 2).cell)
    scene.tell(ROLL_DAMAGE, DAMAGE, *[SLIDE] * 3)
    scene.tell(ROLL_CONTROL, SLIDE)
    attack(scene, VEHICLE, [SLIDE, SLIDE], [DAMAGE])
    assert slides(scene, 0, at) == variant


def test_cd_36_after_a_hazard_it_slides_its_own_way_and_after_debris_the_way_it_moved() -> None:
    for what, direction in (("hazard", 0), ("fragile", 1)):
        scene = Scene(values(control=["safe"] * 7))
        scene.chooses()
        scene.put(0, (5, 5), SIDE, 2)
        mud = scene.race.cells[scene.race.cells[scene.cell(5, 5)].neighbour[1]]
        at, mud[what] = scene.race.cells[scene.cell(5, 5)].neighbour[1], 1
        scene.tell(ROLL_CONTROL, SLIDE)
        if what == "fragile":
            scene.tell(ROLL_DAMAGE, DAMAGE)
        scene.engine.control.enter(scene.race, 0, 1, False, False, -1)  # a drift
        scene.engine.control.work_off_tasks(scene.race)
        assert slides(scene, 0, int(at)) == direction


def test_cd_40_a_single_die_stays_alone_and_of_more_the_best_two_are_kept() -> None:
    scene = two()
    scene.tell(ROLL_CONTROL, *[LEFT] * 2)
    attack(scene, PERSONAL, [LEFT, DAMAGE], [DAMAGE])  # 5 to 3
    assert scene.cars[1].clp == 3


def test_cd_44_cd_68_a_roll_inside_another_is_finished_first() -> None:
    """The target's slide ends, with its collision, before the attacker continues."""
    scene = Scene(*[values()] * 3)
    scene.chooses()
    scene.put(0, (5, 5), SIDE, 2)
    scene.put(1, (5, 6), SIDE, 2)
    scene.put(2, (6, 6), SIDE, 2)
    scene.tell(ROLL_CONTROL, SLIDE)
    scene.tell(ROLL_DAMAGE, SLIDE, SLIDE)  # into the rear of one as fast: a die each
    attack(scene, PERSONAL, [SLOW, LEFT], [LEFT])
    assert [int(car.collisions) for car in scene.cars] == [0, 1, 1]
    assert scene.rules.tasks == 0
    assert scene.cars[1].rating == 1


def test_cd_45_debris_and_resting_wrecks_are_low_and_rocks_walls_and_vehicles_not() -> None:
    scene = Scene(values(), values())
    scene.put(0, (5, 5))
    there = scene.engine.ways.there
    rock, debris = scene.cell(6, 5), scene.cell(7, 5)
    scene.race.cells[rock].solid = 1
    scene.race.cells[debris].fragile = 1
    other = scene.put(1, (8, 5))
    found = [
        int(there(scene.race, 0, cell, False, True)) for cell in (rock, debris, other.cell, -1)
    ]
    assert found == [1, 0, 2, 1]
    other.wrecked = other.rests = 1
    assert there(scene.race, 0, other.cell, False, True) == 0
    assert there(scene.race, 0, other.cell, False, False) == 1


def test_cd_50_a_slide_outside_ones_own_move_collides_too() -> None:
    scene = Scene(*[values()] * 3)
    scene.chooses()
    scene.put(0, (5, 5), SIDE, 2)
    scene.put(1, (5, 6), SIDE, 2)
    scene.race.cells[scene.cell(6, 6)].solid = 1
    scene.tell(ROLL_CONTROL, SLIDE)
    scene.tell(ROLL_DAMAGE, SLIDE, SLIDE)
    attack(scene, PERSONAL, [SLOW, LEFT], [LEFT])
    assert (scene.cars[1].collisions, scene.cars[1].rating) == (1, 1)


def test_cd_59_a_rating_raised_by_a_collision_moves_to_the_left_most_box() -> None:
    scene = Scene(values(), values())
    scene.chooses()
    scene.put(0, (5, 5), SIDE, 5)
    hit = scene.put(1, (6, 5), SIDE, 1)
    scene.tell(ROLL_DAMAGE, *[SLIDE] * 8)
    scene.engine.control.enter(scene.race, 0, 0, False, False, -1)
    scene.engine.control.work_off_tasks(scene.race)
    table = scene.race.vehicles[0]
    assert (hit.rating, hit.up, hit.down) == (3, table.first_up[3], table.first_down[3])
    assert (scene.cars[0].rating, scene.cars[0].up) == (3, table.last_up[3])


def test_cd_70_a_vehicle_at_speed_0_defends_and_slides() -> None:
    asked: list[int] = []
    scene = two()

    def defends(race: Any, v: int) -> None:
        asked.append(v)

    scene.engine.choices.defence = defends
    hit = scene.put(1, (5, 6), SIDE, 0)
    at = int(hit.cell)
    scene.tell(ROLL_CONTROL, SLIDE)
    attack(scene, PERSONAL, [SLOW, LEFT], [LEFT])
    assert asked == [1]
    assert slides(scene, 1, at) == 0
    assert (hit.moved, hit.left) == (0, 0)


def test_cd_61_dice_are_the_slide_icons_left_in_the_effect() -> None:
    """Two slides and a spin remain: two icons, so two dice for each vehicle."""
    scene = Scene(values(control=["safe"] * 7), values())
    scene.chooses(control_discard=orders(mask=1))
    car, other = scene.put(0, (5, 5), SIDE, 4), scene.put(1, (6, 5), 3, 0)
    car.clp = 3
    scene.tell(ROLL_DAMAGE, *[SLIDE] * 4, DAMAGE, *[SLIDE] * 3)  # the car hit
    scene.tell(ROLL_CONTROL, SLIDE, SLIDE, LEFT, RIGHT)
    scene.tell(ROLL_DAMAGE, *[SLIDE] * 4)
    scene.engine.control.enter(scene.race, 0, 0, False, False, -1)
    scene.engine.control.work_off_tasks(scene.race)
    assert scene.used_up
    assert (car.collisions, other.collisions) == (1, 1)


def test_cd_65_beyond_the_edge_there_is_a_wall() -> None:
    scene = Scene()
    assert scene.engine.ways.there(scene.race, 0, -1, False, False) == 1
    scene.chooses()
    car = scene.put(0, (19, 5), SIDE, 3)
    car.left = 1
    scene.tell(ROLL_DAMAGE, *[SLIDE] * 3)
    assert not scene.engine.control.enter(scene.race, 0, 0, False, False, -1)


def test_cd_3_each_stands_in_a_space_of_its_own() -> None:
    scene = Scene(*[values()] * 3)
    assert len({int(car.cell) for car in scene.cars}) == 3
    assert all(scene.race.cells[car.cell].car == v for v, car in enumerate(scene.cars))
    assert (scene.cars.pile[:, :6] == layout.HAND).all()
