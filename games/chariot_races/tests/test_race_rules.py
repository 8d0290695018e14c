"""The rules by number, in the engine with prescribed dice."""

from itertools import product
from typing import Any

import pytest
from gridpress_chariot_dash.dice import DAMAGE, HASTE, LEFT, RIGHT, SLIDE, SLOW
from gridpress_chariot_races.race import layout
from gridpress_chariot_races.race.layout import (
    PERSONAL,
    ROLL_CONTROL,
    ROLL_DAMAGE,
    ROLL_SPEED,
    SPENT,
    VEHICLE,
)
from scenes import (
    SIDE,
    Scene,
    attack,
    check,
    collide,
    orders,
    plays,
    roll,
    special,
    trait,
    two,
    values,
)

ANY_SAFE = {"control": ["safe"] * 7}


def test_cd_2_set_up_puts_the_marker_left_and_the_cards_in_hand() -> None:
    scene = Scene(values(control_minimum=2))
    car = scene.cars[0]
    assert (car.up, car.down, car.rating, car.clp, car.stamina, car.level) == (0, 0, 0, 2, 10, 0)
    assert (car.pile[:6] == layout.HAND).all()


def test_cd_14_without_a_card_a_vehicle_must_decelerate() -> None:
    scene = Scene()
    scene.chooses(speed_plan=plays(accelerate=1))
    car = scene.put(0, (3, 5), rating=4)
    down = car.down
    scene.tell(ROLL_SPEED, SLOW, SLIDE)
    check(scene)
    assert car.down == down - 1


@pytest.mark.parametrize(
    ("whips", "reins", "boxes"), [(2, 0, 5), (2, 1, 5), (1, 1, 3), (1, 2, 1), (0, 1, 1)]
)
def test_cd_15_hindering_cards_limit_what_is_kept(whips: int, reins: int, boxes: int) -> None:
    scene = Scene()
    scene.chooses(speed_plan=plays(accelerate=1, whips=whips, reins=reins))
    faces = [SLIDE, SLOW, LEFT, RIGHT, DAMAGE]
    told = {2: [SLIDE, SLOW, LEFT, DAMAGE], 3: faces, 1: [SLIDE, SLOW, DAMAGE]}
    scene.tell(ROLL_SPEED, *told[whips + reins])
    before = scene.cars[0].up
    check(scene)
    assert scene.cars[0].up - before == boxes
    assert (scene.cars[0].pile == SPENT).sum() == whips + reins


@pytest.mark.parametrize("limit", [0, 1, 2])
def test_cd_15_the_best_that_a_limit_allows_is_kept_of_every_roll(limit: int) -> None:
    """Tries every pair in all 1,296 rolls of four dice."""
    scene, seen = Scene(), {}
    scene.race.cars[0].count = 4
    scene.engine.car.clear_order(scene.race, 0)
    for faces in product(range(6), repeat=4):
        scene.race.cars[0].dice[:4] = faces
        values_ = tuple(sorted((0, 1, 1, 2, 2, 3)[face] for face in faces))
        found = scene.engine.rounds.kept(scene.race, 0, limit)
        low, rest = values_[0], values_[1:]
        best = {0: values_[-1] + values_[-2], 1: low + max(rest), 2: low + rest[0]}
        assert found == best[limit]
        seen[found] = seen.get(found, 0) + 1
    assert sum(seen.values()) == 1296


def test_cd_16_cautious_turns_what_is_below_0_the_other_way() -> None:
    scene = Scene(values(**trait("cautious", 3)))
    scene.chooses(speed_plan=plays(accelerate=1, whips=1))
    car = scene.put(0, (3, 5), rating=4)
    down = car.down
    scene.tell(ROLL_SPEED, SLIDE, SLIDE, SLOW)
    check(scene)
    assert car.down == down - 2


def test_cd_19_boxes_beyond_the_row_decelerate_from_the_last_one() -> None:
    scene = Scene()
    scene.chooses(speed_plan=plays(accelerate=1, whips=1))
    car = scene.put(0, (3, 5), rating=6)
    last = int(scene.race.vehicles[0].last_down[6])
    scene.tell(ROLL_SPEED, DAMAGE, LEFT, SLIDE)
    check(scene)
    assert car.down == last - 4  # it was on the last box but one
    assert car.up == scene.race.vehicles[0].above[car.down]


def test_cd_20_ratings_fall_to_right_most_and_rise_to_left_most_boxes() -> None:
    scene = Scene()
    car = scene.put(0, (3, 5), rating=5)
    table = scene.race.vehicles[0]
    scene.engine.car.rate(scene.race, 0, 3)
    assert (car.up, car.down) == (table.last_up[3], table.last_down[3])
    scene.engine.car.rate(scene.race, 0, 4)
    assert (car.up, car.down) == (table.first_up[4], table.first_down[4])
    scene.engine.car.rate(scene.race, 0, 9)
    assert car.rating == 6


def test_cd_21_a_speed_change_between_safe_ratings_clears_clp() -> None:
    scene = Scene()
    car = scene.put(0, (3, 5), rating=2)
    car.clp = 4
    scene.engine.car.rate(scene.race, 0, 1)
    assert car.clp == 0


def test_tireless_never_rolls_and_anchor_needs_no_card() -> None:
    scene = Scene(values(**trait("tireless", 2)))
    scene.chooses(speed_plan=plays(accelerate=1, whips=1, boxes=5))
    check(scene)
    assert scene.cars[0].up == 2
    scene = Scene(values(**trait("anchor", 2)))
    scene.chooses(speed_plan=plays(boxes=1))
    car = scene.put(0, (3, 5), rating=5)
    down = car.down
    check(scene)
    assert car.down == down - 1


def test_x_1_one_die_and_each_card_adds_or_subtracts_1() -> None:
    scene = Scene(options=["simple-speed-check"])
    scene.chooses(speed_plan=plays(accelerate=1, whips=2), speed_keep=plays(accelerate=1, boxes=2))
    scene.tell(ROLL_SPEED, DAMAGE)
    check(scene)
    assert scene.cars[0].up == 5


def test_x_1_is_not_below_0_before_what_traits_add() -> None:
    scene = Scene(values(**trait("hyperactive", 2)), options=["simple-speed-check"])
    scene.chooses(speed_plan=plays(accelerate=1, whips=2), speed_keep=plays(boxes=-2))
    scene.tell(ROLL_SPEED, SLIDE)
    check(scene)
    assert scene.cars[0].up == 2


def test_x_2_cool_discards_what_the_pairs_have_left() -> None:
    """Under CD-32 a right spin would remain and turn the vehicle."""
    for options, facing, clp in ((["pairs-first"], 0, 1), ([], 11, 1)):
        scene = Scene(values(**special("cool", "whip")), options=["stamina", *options])
        scene.chooses(control_reread=orders(card=6, icon=LEFT, times=1))
        car = scene.put(0, (3, 5), rating=5)
        roll(scene, LEFT, LEFT, RIGHT)
        assert (car.facing, car.clp) == (facing, clp)


@pytest.mark.parametrize("options", [["stamina"], ["stamina", "pairs-first"]])
def test_cd_32_cool_comes_after_re_readings_and_takes_all_that_counts_as_its_icon(
    options: list[str],
) -> None:
    effects = [{"at": 1, "effect": "haste"}, {"at": 6, "effect": "wipe-out"}]
    scene = Scene(values(damage=effects, **special("cool", "whip")), options=options)
    scene.chooses(control_reread=orders(card=6, icon=HASTE, times=1))
    car = scene.put(0, (3, 5), rating=5)
    scene.tell(ROLL_DAMAGE, DAMAGE)
    scene.engine.car.damage(scene.race, 0, 1, 0)
    up = int(car.up)
    roll(scene, SLOW, SLOW, HASTE, LEFT)  # 3 dice at rating 5, 1 CLP
    assert (car.up, car.facing, car.clp) == (up, 1, 2)


def test_cd_31_forced_roll_at_a_safe_rating_has_clp_card_and_extra_dice() -> None:
    effects = [{"at": 1, "effect": "control-die"}, {"at": 6, "effect": "wipe-out"}]
    scene = Scene(values(damage=effects))
    scene.chooses(control_cards=plays(whips=1))
    car = scene.put(0, (3, 5), rating=1)
    scene.tell(ROLL_DAMAGE, DAMAGE)
    scene.engine.car.damage(scene.race, 0, 1, 0)
    assert car.clp == 1
    roll(scene, LEFT, LEFT, LEFT)  # 1 CLP, 1 of the effect, 1 for the card
    assert car.facing == 1
    assert car.clp == 2


def test_cd_31_no_die_and_nothing_happens_but_the_turn() -> None:
    scene = Scene()
    scene.chooses()
    car = scene.put(0, (3, 5), rating=1)
    roll(scene, turn=1)
    assert (car.facing, car.clp, car.rolls) == (1, 0, 0)


def test_cd_32_pairs_must_go_and_cost_clp_and_stamina() -> None:
    scene = Scene()
    scene.chooses()
    car = scene.put(0, (3, 5), rating=6)
    roll(scene, LEFT, RIGHT, SLOW, HASTE)
    assert (car.clp, car.stamina, car.facing, car.rating) == (1, 9, 0, 6)


def test_cd_32_tied_icons_all_take_effect_and_each_different_one_costs_a_clp() -> None:
    scene = Scene()
    scene.chooses()
    car = scene.put(0, (3, 5), rating=6)
    at = int(car.cell)
    roll(scene, LEFT, LEFT, SLIDE, SLIDE, turn=1)
    assert car.cell == scene.race.cells[at].neighbour[0]  # one hex, however many icons
    assert (car.facing, car.clp) == (2, 2)


def test_x_2_pairs_go_before_discards() -> None:
    scene = Scene(options=["stamina", "pairs-first"])

    def first(race: Any, v: int) -> None:
        race.cars[v].order.mask = 1

    scene.chooses(control_cards=plays(whips=1), control_discard=first)
    car = scene.put(0, (3, 5), rating=3)
    roll(scene, LEFT, RIGHT)
    assert car.clp == 1


def test_cd_33_haste_stops_at_the_last_box_without_over_whipping() -> None:
    scene = Scene()
    scene.chooses()
    car = scene.put(0, (3, 5), rating=6)
    roll(scene, HASTE, HASTE, HASTE, HASTE)
    assert (car.rating, car.up) == (6, scene.race.vehicles[0].last_up[6])


def test_cd_33_damage_rolls_a_die_for_each_icon_and_no_further_control_roll() -> None:
    scene = Scene()
    scene.chooses()
    car = scene.put(0, (3, 5), rating=5)
    scene.tell(ROLL_DAMAGE, DAMAGE, SLIDE)
    roll(scene, DAMAGE, DAMAGE, SLIDE)
    assert (car.level, car.clp) == (1, 2)


def test_x_3_damage_icons_are_blanks_and_x_4_they_are_clp() -> None:
    scene = Scene(options=["control-damage-ignored"])
    scene.chooses()
    car = scene.put(0, (3, 5), rating=5)
    roll(scene, DAMAGE, DAMAGE, LEFT)
    assert (car.level, car.clp, car.facing) == (0, 1, 1)
    scene = Scene(options=["control-damage-as-clp"])
    scene.chooses()
    car = scene.put(0, (3, 5), rating=5)
    roll(scene, DAMAGE, DAMAGE, LEFT)
    assert (car.level, car.clp, car.facing) == (0, 3, 0)


def test_x_6_damage_alone_with_two_icons_wipes_out() -> None:
    scene = Scene(options=["instant-wipe-out"])
    scene.chooses()
    car = scene.put(0, (3, 5), rating=4)
    roll(scene, DAMAGE, DAMAGE)
    assert car.wrecked == 2


def test_cd_34_boxes_that_end_at_a_safe_rating_clear_the_clp_of_the_roll() -> None:
    scene = Scene()
    scene.chooses()
    car = scene.put(0, (3, 5), rating=3)
    scene.engine.car.brake(scene.race, 0, 1)
    car.clp = 3
    roll(scene, SLOW, SLOW, SLOW, SLOW)
    assert car.rating <= 2
    assert car.clp == 0


def test_spinner_and_slippery_go_further_by_icons_up_to_their_number() -> None:
    scene = Scene(values(**trait("spinner", 2)))
    scene.chooses()
    scene.put(0, (3, 5), rating=6)
    assert roll(scene, LEFT, LEFT, LEFT, SLOW).facing == 3
    scene = Scene(values(**trait("slippery", 1)))
    scene.chooses()
    scene.put(0, (3, 5), rating=6)
    assert roll(scene, SLIDE, SLIDE, SLIDE, SLOW).cell == scene.cell(5, 5)


def test_what_a_slide_hits_ends_it_however_slippery() -> None:
    scene = Scene(values(**trait("slippery", 3)))
    scene.chooses()
    car = scene.put(0, (17, 5), rating=6)
    scene.tell(ROLL_DAMAGE, *[SLIDE] * 6)  # one wall, at speed 6
    roll(scene, SLIDE, SLIDE, SLIDE, LEFT)
    assert (int(car.cell), car.collisions, car.rating) == (scene.cell(19, 5), 1, 3)


def test_cd_41_a_lost_vehicle_attack_rolls_the_difference_and_half_the_winners_speed() -> None:
    scene = two()
    scene.tell(ROLL_DAMAGE, *[SLIDE] * 4)
    attack(scene, VEHICLE, [DAMAGE, LEFT], [LEFT])  # 5 to 2, and half of 2
    assert scene.cars[1].clp == 0


def test_cd_41_a_lost_personal_attack_is_clp_and_a_control_roll_when_safe_too() -> None:
    scene = two()
    scene.tell(ROLL_CONTROL, LEFT, LEFT, RIGHT)
    attack(scene, PERSONAL, [DAMAGE, LEFT], [LEFT])
    assert (scene.cars[1].clp, scene.cars[1].facing) == (5, 1)


def test_cd_42_in_a_tie_both_lose_by_the_value_and_the_target_is_first() -> None:
    scene = two()
    scene.tell(ROLL_CONTROL, LEFT, LEFT, RIGHT, RIGHT)
    attack(scene, PERSONAL, [LEFT, SLIDE], [LEFT])
    assert (scene.cars[1].facing, scene.cars[0].facing) == (1, 11)
    assert (scene.cars[0].clp, scene.cars[1].clp) == (3, 3)


def test_cd_42_a_personal_tie_at_0_is_nothing() -> None:
    scene = two()
    attack(scene, PERSONAL, [SLIDE, SLIDE], [SLIDE])
    assert scene.cars[0].clp == scene.cars[1].clp == 0


def test_cd_43_an_attacker_who_fails_his_own_attacks_roll_loses_the_move_and_the_turn() -> None:
    scene = two()
    scene.cars[0].left = 2
    scene.tell(ROLL_CONTROL, LEFT, LEFT)
    attack(scene, PERSONAL, [SLIDE, SLIDE], [LEFT])
    assert (scene.cars[0].left, scene.cars[0].no_turn) == (0, 1)


@pytest.mark.parametrize(
    ("facing", "hexes"), [(0, [1, 2, 4, 5]), (1, [2, 5]), (6, [1, 2, 4, 5]), (11, [1, 4])]
)
def test_cd_38_beside_is_neither_ahead_nor_behind(facing: int, hexes: list[int]) -> None:
    scene = Scene()
    beside = scene.engine.ways.is_beside
    assert [d for d in range(6) if beside(facing, d)] == hexes


@pytest.mark.parametrize("option", ["truce", "friendly"])
def test_truce_and_friendly_race_stop_all_attacks(option: str) -> None:
    scene = two(options=[option])
    scene.rules.race_round = 1
    assert not scene.engine.moving.attacks_are_on(scene.race)
    scene.rules.race_round = 2
    assert bool(scene.engine.moving.attacks_are_on(scene.race)) == (option == "truce")


def test_cd_46_each_die_above_the_resilience_hurts_and_blank_is_below_0() -> None:
    for resilience, hurt in (("blank", 4), ("0", 3), ("1", 2), ("2", 1)):
        scene = Scene(values(resilience=resilience))
        scene.chooses()
        scene.tell(ROLL_DAMAGE, SLIDE, SLOW, LEFT, DAMAGE)
        assert scene.engine.car.damage(scene.race, 0, 4, 0) == hurt
        assert scene.cars[0].level == scene.cars[0].clp == hurt


def test_cd_46_no_base_no_roll_whatever_adds_dice() -> None:
    scene = Scene(values(**trait("jerry-rigged", 2)))
    scene.chooses()
    assert scene.engine.car.damage(scene.race, 0, 0, 0) == 0
    assert scene.engine.car.damage(scene.race, 0, 1, -3) == 0


def test_cd_47_every_effect_of_every_level_passed_applies() -> None:
    effects = [
        {"at": 1, "effect": "resilience", "number": 1},
        {"at": 1, "effect": "control-loss", "number": 2},
        {"at": 2, "effect": "lose-card", "card": "Whip"},
        {"at": 2, "effect": "safe-speed"},
        {"at": 2, "effect": "maximum-speed", "number": 3},
        {"at": 6, "effect": "wipe-out"},
    ]
    scene = Scene(values(damage=effects))
    scene.chooses()
    car = scene.put(0, (3, 5), rating=5)
    scene.tell(ROLL_DAMAGE, DAMAGE, DAMAGE)
    scene.engine.car.damage(scene.race, 0, 2, 0)
    assert (car.resilience, car.mods[layout.CLP_EACH_ROUND], car.rating) == (0, 2, 3)
    assert (car.pile == layout.GONE).sum() == 1
    assert list(car.control[:4]) == [0, 0, 1, 1]


def test_a_damage_effect_rolls_again_at_once_and_a_lost_trait_stops() -> None:
    effects = [
        {"at": 1, "effect": "lose-trait", "trait": "jerry-rigged"},
        {"at": 1, "effect": "damage", "number": 2},
        {"at": 6, "effect": "wipe-out"},
    ]
    scene = Scene(values(damage=effects, **trait("jerry-rigged", 1)))
    scene.chooses()
    scene.tell(ROLL_DAMAGE, DAMAGE, SLIDE, DAMAGE, SLIDE)
    assert scene.engine.car.damage(scene.race, 0, 1, 0) == 2


def test_cd_48_the_last_level_is_a_wipe_out_and_nothing_more() -> None:
    scene = Scene()
    scene.chooses()
    car = scene.put(0, (3, 5), rating=3)
    scene.tell(ROLL_DAMAGE, *[DAMAGE] * 9)
    scene.engine.car.damage(scene.race, 0, 9, 0)
    assert (car.level, car.wrecked, car.wreck_heading) == (6, 2, SIDE)


def test_cd_49_a_wreck_rolls_on_and_leaves_debris_until_it_rests() -> None:
    scene = Scene()
    car = scene.put(0, (3, 5), rating=3)
    car.wrecked, car.wreck_heading, start = 1, SIDE, int(car.cell)
    for _ in range(3):
        scene.engine.rounds._wreck_moves(scene.race, 0)
    assert (car.rests, car.cell) == (1, scene.cell(5, 5))
    assert scene.race.cells[start].fragile == scene.race.cells[scene.cell(4, 5)].fragile == 1


@pytest.mark.parametrize(
    ("facing", "second", "dice", "after"),
    [
        (6, 2, 6, (2, 1)),  # head-on: the sum, both halve
        (5, 2, 6, (2, 1)),  # one of the two front sides of a corner
        (4, 2, 4, (2, 2)),  # facing a side it has one, and four sides
        (3, 2, 4, (2, 2)),  # into its side: the collider's speed, which halves
        (2, 2, 4, (2, 2)),
        (0, 1, 3, (2, 3)),  # rear, faster: half the difference up and down
        (1, 1, 3, (2, 3)),
        (0, 5, 1, (3, 5)),  # rear, as slow
    ],
)
def test_cd_57_cd_58_vehicles_collide(
    facing: int, second: int, dice: int, after: tuple[int, int]
) -> None:
    scene = Scene(values(), values())
    scene.chooses()
    scene.tell(ROLL_DAMAGE, *[SLIDE] * (2 * dice))
    cars = collide(scene, 4, second, facing)
    assert (cars[0].rating, cars[1].rating) == after
    assert (cars[0].cell, cars[0].halted, cars[0].no_turn) == (scene.cell(5, 5), 1, 1)


def test_cd_51_the_control_roll_is_at_the_rating_before_the_collision_changes_it() -> None:
    scene = Scene(values(), values())
    scene.chooses()
    scene.tell(ROLL_DAMAGE, *[SLIDE] * 4, DAMAGE, *[SLIDE] * 3)
    scene.tell(ROLL_CONTROL, LEFT, LEFT, LEFT)  # control[4] is 2, plus the CLP of the damage
    cars = collide(scene, 4, 0, 3)
    assert (cars[0].level, cars[0].rating) == (1, 2)
    assert cars[0].clp == 0  # and at a safe rating all CLP go


def test_spiked_adds_to_the_others_dice_and_bsh_takes_off_ones_own() -> None:
    scene = Scene(values(**trait("spiked", 2)), values(**trait("bsh", 1)))
    scene.chooses()
    scene.tell(ROLL_DAMAGE, *[SLIDE] * 5, *[SLIDE] * 4)  # 4 + 2 − 1 for the one, 4 for the other
    collide(scene, 4, 0, 3)


def test_cd_53_cd_54_hazard_and_debris_in_one_hex_make_one_control_roll() -> None:
    scene = Scene()
    scene.chooses()
    car = scene.put(0, (5, 5), SIDE, 4)
    cell = scene.race.cells[scene.cell(6, 5)]
    cell.hazard, cell.fragile, cell.low = 1, 3, 1
    scene.tell(ROLL_DAMAGE, DAMAGE, SLIDE, SLIDE, SLIDE)  # half of 4, and 2 markers more
    scene.tell(ROLL_CONTROL, *[LEFT] * 5)  # 2 dice, 2 CLP of the hazard, 1 of the damage
    car.left = 1
    assert scene.engine.control.enter(scene.race, 0, 0, False, False, -1)
    scene.engine.control.work_off_tasks(scene.race)
    assert scene.used_up
    assert (cell.fragile, cell.hazard, car.rating, car.clp) == (2, 1, 4, 4)


def test_x_8_a_marker_goes_for_each_damage_suffered() -> None:
    scene = Scene(options=["debris-per-damage"])
    scene.chooses()
    car = scene.put(0, (5, 5), SIDE, 2)
    cell = scene.race.cells[scene.cell(6, 5)]
    cell.fragile, cell.low = 3, 1
    scene.tell(ROLL_DAMAGE, DAMAGE, DAMAGE, SLIDE)
    scene.tell(ROLL_CONTROL, LEFT, RIGHT)
    car.left = 1
    scene.engine.control.enter(scene.race, 0, 0, False, False, -1)
    scene.engine.control.work_off_tasks(scene.race)
    assert cell.fragile == 1


def test_a_flyer_is_not_touched_by_what_is_low() -> None:
    scene = Scene(values(**trait("flyer")))
    scene.chooses()
    car = scene.put(0, (5, 5), SIDE, 4)
    cell = scene.race.cells[scene.cell(6, 5)]
    cell.hazard, cell.fragile, cell.low, car.left = 1, 1, 1, 1
    assert scene.engine.control.enter(scene.race, 0, 0, False, False, -1)
    assert (car.clp, cell.fragile) == (0, 1)


def test_cd_55_cd_60_a_wall_halves_the_speed_and_lets_face_aside() -> None:
    scene = Scene()
    scene.chooses()
    car = scene.put(0, (19, 5), SIDE, 5)
    scene.tell(ROLL_DAMAGE, *[SLIDE] * 5)
    car.left = 2
    assert not scene.engine.control.enter(scene.race, 0, 0, False, False, -1)
    scene.engine.control.work_off_tasks(scene.race)
    assert car.rating == 2
    assert scene.engine.ways.can_pass(scene.race, 0, car.facing, -1)


def test_cd_61_a_slide_into_the_same_again_rolls_damage_and_is_no_new_collision() -> None:
    scene = Scene(values(), values())
    scene.chooses()
    # the car hit rolls first without damage; the collider's roll slides into it again
    scene.tell(ROLL_DAMAGE, *[SLIDE] * 4, DAMAGE, *[SLIDE] * 3, *[SLIDE] * 4)
    scene.tell(ROLL_CONTROL, SLIDE, SLIDE, LEFT)
    cars = collide(scene, 4, 0, 3)
    assert (cars[0].collisions, cars[1].collisions) == (1, 1)


def test_cd_61_both_may_slide_into_the_same_again_and_each_time_rolls_by_itself() -> None:
    """Each rolls one die, and B.S.H. 1 removes it."""
    scene = Scene(values(**trait("bsh", 1)), values(**trait("bsh", 1)))
    scene.chooses()
    scene.put(0, (5, 5), SIDE, 3)
    scene.put(1, (6, 5), SIDE, 3)
    again = scene.engine.control.push(scene.race, scene.engine.control.TASK_AGAIN, 0, 1, 0, 0, 0, 0)
    for v, heading in ((0, 0), (1, 3)):
        scene.engine.control.push_roll(scene.race, v, heading, 0, False, again, 1 - v)
        scene.tell(ROLL_CONTROL, SLIDE)
    scene.engine.control.work_off_tasks(scene.race)
    assert scene.used_up
    assert [int(car.collisions) for car in scene.cars] == [0, 0]


def test_cd_29_reins_in_hand_must_avoid_a_collision() -> None:
    scene = Scene(values(moves=[[1] * 4] * 7), values())
    scene.chooses()
    car = scene.put(0, (5, 5), 1, 2)
    scene.put(1, (6, 5), SIDE, 0)
    scene.race.cells[scene.cell(5, 6)].solid = 1
    scene.phase(0, 0)
    assert (car.cell, car.collisions) == (scene.cell(5, 5), 0)
    assert (car.pile == SPENT).sum() == 1


def test_cd_29_another_way_is_taken_before_a_collision() -> None:
    scene = Scene(values(), values())
    scene.chooses()
    car = scene.put(0, (5, 5), SIDE, 3)
    scene.put(1, (6, 5), SIDE, 0)
    scene.phase(0, 0)
    assert (car.collisions, car.drifts) == (0, 1)


def test_cd_25_corner_steps_alternate_from_either_side_anew_in_each_phase() -> None:
    scene = Scene()
    direction = scene.engine.ways.direction_of
    corner_side = scene.engine.ways.corner_side
    for variant, steps in ((0, [0, 1, 0, 1]), (1, [1, 0, 1, 0])):
        lean, gone = 0, []
        for i in range(4):
            gone.append(direction(variant, i, 1, lean))
            lean = corner_side(1, gone[-1])
        assert gone == steps


def test_cd_28_a_straight_quiet_phase_takes_1_clp() -> None:
    scene = Scene()
    scene.chooses()
    car = scene.put(0, (5, 5), SIDE, 4)
    for quiet, left in ((1, 2), (0, 3)):
        car.clp, car.moved, car.involved = 3, 1, 1 - quiet
        scene.engine.moving.end_phase(scene.race, 0)
        assert car.clp == left


def test_cd_26_a_turn_is_made_whatever_the_roll_says_and_only_after_a_move() -> None:
    scene = Scene()

    def left(race: Any, v: int) -> None:
        race.cars[v].order.turn = 1

    scene.chooses(turn_at_end=left)
    car = scene.put(0, (5, 5), SIDE, 3)
    scene.tell(ROLL_CONTROL, RIGHT)
    scene.phase(0, 0)
    assert (car.facing, car.clp) == (0, 1)  # the spin cancels the turn
    scene.phase(0, 2)  # 2 2 0 2: nothing moves in the third phase
    assert car.facing == 0


def test_cd_62_stamina_effects_at_and_above_the_value_apply() -> None:
    scene = Scene()
    car = scene.put(0, (5, 5), SIDE, 6)
    car.stamina = 9
    scene.engine.car.change_stamina(scene.race, 0)  # −3: 6; at 9: speed −1, 1 Reins; at 6: Reins
    assert (car.stamina, car.rating, car.virtual_reins) == (6, 5, 2)


def test_cd_63_recovery_to_hand_then_spent_to_recovery() -> None:
    scene = Scene()
    car = scene.cars[0]
    car.pile[0], car.pile[1] = layout.SPENT, layout.RECOVERY
    scene.engine.car.clear_order(scene.race, 0)
    scene.engine.car.recover(scene.race, 0)
    assert list(car.pile[:3]) == [layout.RECOVERY, layout.HAND, layout.HAND]


def test_cd_23_faster_first_then_who_is_ahead_then_nearer_the_inside() -> None:
    scene = Scene(values(), values(), values())
    for v, (rating, progress) in enumerate(((2, 5.0), (3, 1.0), (2, 6.0))):
        scene.put(v, (5 + v, 5), SIDE, rating).progress = progress
    assert scene.engine.moving.order_of_moves(scene.race, False) == 3
    assert list(scene.race.rules.ahead[:3]) == [1, 2, 0]


def test_grandstanding_keeps_the_leader_from_choosing_to_accelerate() -> None:
    scene = Scene(options=["grandstanding"])
    scene.cars[0].leads_by = 4
    assert not scene.engine.rounds.may_accelerate(scene.race, 0)
    scene.cars[0].leads_by = 3
    assert scene.engine.rounds.may_accelerate(scene.race, 0)
