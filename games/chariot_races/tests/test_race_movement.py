"""Phases in the engine (CD-22 to CD-29, CD-37, jumps, X-5, X-7)."""

from typing import Any

import pytest
from gridpress_chariot_dash.dice import DAMAGE, LEFT, RIGHT, SLIDE
from gridpress_chariot_races.race import layout
from gridpress_chariot_races.race.layout import (
    HAND,
    REINS,
    ROLL_CONTROL,
    ROLL_DAMAGE,
    ROLL_OTHER,
    SPENT,
    WHIP,
)
from scenes import SIDE, Scene, orders, plays, roll, trait, values

ONE = {"moves": [[0] * 4] + [[n] * 4 for n in (1, 2, 3, 4, 5, 6)]}
"""Moves of as many hexes as the rating in every phase."""


def test_cd_22_a_speed_changed_before_the_move_counts_in_this_phase() -> None:
    scene = Scene(values(**ONE))
    scene.chooses()
    car = scene.put(0, (3, 5), rating=4)
    scene.engine.moving.begin_phase(scene.race, 0)
    scene.engine.car.rate(scene.race, 0, 2)
    scene.engine.moving.drive(scene.race, 0, 0)
    assert car.cell == scene.cell(5, 5)


def test_cd_22_a_speed_changed_in_the_move_counts_from_the_next_phase() -> None:
    scene = Scene(values(**ONE))
    scene.chooses()
    car = scene.put(0, (3, 5), rating=4)
    mud = scene.race.cells[scene.cell(4, 5)]
    mud.hazard = 1
    scene.tell(ROLL_CONTROL, *[2] * 4)  # slow: 4 boxes
    scene.phase(0, 0)
    assert (car.cell, car.rating) == (scene.cell(7, 5), 2)


def test_cd_23_equals_roll_a_die() -> None:
    scene = Scene(values(), values())
    for v in range(2):
        scene.put(v, (5, 5 + v), SIDE, 2).progress = 3.0
    scene.tell(ROLL_OTHER, DAMAGE, SLIDE)  # the second car is compared with the first
    scene.engine.moving.order_of_moves(scene.race, False)
    assert list(scene.race.rules.ahead[:2]) == [1, 0]


def test_cd_24_one_drift_in_a_phase_keeps_the_facing_and_needs_no_roll() -> None:
    scene = Scene(values(**ONE))
    scene.chooses(path=orders(variant=4))  # the second hex to the left
    car = scene.put(0, (3, 5), rating=3)
    scene.phase(0, 0)
    assert (car.facing, car.drifts, car.rolls) == (SIDE, 1, 0)
    left = scene.race.cells[scene.cell(4, 5)].neighbour[1]
    assert car.cell == scene.race.cells[left].neighbour[0]
    assert scene.engine.ways.variants(scene.race, 0, 3) == 1  # no other one


def test_cd_26_a_turn_needs_a_hex_moved_in_this_phase() -> None:
    scene = Scene()
    scene.chooses(turn_at_end=orders(turn=1))
    car = scene.put(0, (5, 5), SIDE, 1)  # 1 0 0 1
    scene.phase(0, 1)
    assert car.facing == SIDE
    scene.phase(0, 0)
    assert car.facing == 1


def test_cd_27_a_whip_is_a_hex_more_even_at_speed_0_and_then_it_may_turn() -> None:
    scene = Scene()
    scene.chooses(movement=orders(card=0, use=WHIP), turn_at_end=orders(turn=-1))
    car = scene.put(0, (5, 5), SIDE, 0)
    scene.phase(0, 1)
    assert (car.cell, car.facing, car.pile[0]) == (scene.cell(6, 5), 11, SPENT)


def test_cd_27_reins_are_a_hex_less_if_there_is_one() -> None:
    for phase, cell, pile in ((0, (5, 5), SPENT), (1, (5, 5), HAND)):
        scene = Scene()
        scene.chooses(movement=orders(card=3, use=REINS))
        car = scene.put(0, (5, 5), SIDE, 1)
        scene.phase(0, phase)
        assert (car.cell, car.pile[3]) == (scene.cell(*cell), pile)


def test_encouragement_lets_reins_serve_as_a_whip_for_a_hex_and_in_a_check_only() -> None:
    scene = Scene(values(**trait("encouragement")))
    scene.chooses(movement=orders(card=3, use=WHIP))
    car = scene.put(0, (5, 5), SIDE, 1)
    scene.phase(0, 0)
    assert (car.cell, car.pile[3]) == (scene.cell(7, 5), SPENT)
    hands = scene.engine.car
    assert hands.counts_as(scene.race, 0, 4, WHIP, layout.AT_ACCELERATING)
    assert not hands.counts_as(scene.race, 0, 4, WHIP, layout.AT_PERSONAL_ATTACK)
    assert not hands.counts_as(scene.race, 0, 4, WHIP, layout.AT_PERSONAL_DEFENCE)


@pytest.mark.parametrize("what", ["drifts", "jumped", "had_turn", "involved"])
def test_cd_28_a_drift_jump_turn_attack_or_collision_keeps_the_clp(what: str) -> None:
    scene = Scene()
    car = scene.put(0, (5, 5), SIDE, 4)
    scene.engine.moving.begin_phase(scene.race, 0)
    car.clp, car.moved, car[what] = 3, 2, 1
    scene.engine.moving.end_phase(scene.race, 0)
    assert car.clp == 3


def test_cd_28_hazards_and_fragile_obstacles_are_collisions() -> None:
    for what in ("hazard", "fragile"):
        scene = Scene(values(**ONE, clp=0))
        scene.chooses()
        scene.put(0, (5, 5), SIDE, 1)
        scene.race.cells[scene.cell(6, 5)][what] = 1
        scene.dice = {ROLL_CONTROL: [LEFT], ROLL_DAMAGE: [SLIDE]}
        scene.engine.moving.begin_phase(scene.race, 0)
        scene.engine.moving.drive(scene.race, 0, 0)
        assert scene.cars[0].involved == 1


def test_cd_29_a_whip_too_must_be_used_to_avoid_a_collision() -> None:
    scene = Scene(values(reins=0, moves=[[1] * 4] * 7), values())
    scene.chooses()
    car = scene.put(0, (5, 5), SIDE, 2)
    scene.put(1, (6, 5), SIDE, 0)
    for direction in (1, 5):
        scene.race.cells[scene.race.cells[car.cell].neighbour[direction]].solid = 1
    scene.tell(ROLL_DAMAGE, *[SLIDE] * 4)
    scene.phase(0, 0)  # no way with 1 hex, nor with 2
    assert (car.collisions, car.pile[0]) == (1, HAND)


def test_cd_37_the_remaining_hexes_are_driven_from_where_a_failed_roll_leaves_it() -> None:
    scene = Scene(values(**ONE))
    scene.chooses()
    car = scene.put(0, (3, 5), rating=2)
    scene.race.cells[scene.cell(4, 5)].hazard = 1
    scene.tell(ROLL_CONTROL, LEFT)  # 1 CLP of the hazard
    scene.phase(0, 0)
    assert car.facing == 1
    assert car.cell in scene.race.cells[scene.cell(4, 5)].neighbour[:2]


def test_cd_35_a_slide_counts_as_no_move_and_leaves_the_alternation_of_other_sides() -> None:
    scene = Scene()
    scene.chooses()
    car = scene.put(0, (5, 5), 1, 3)
    car.lean = 1
    roll(scene, SLIDE, heading=3)  # pushed backwards
    assert (car.moved, car.lean) == (0, 1)
    assert car.cell == scene.cell(4, 5)


def test_cd_35_facing_a_corner_and_not_moved_the_driver_chooses_the_side_of_a_slide() -> None:
    for variant, direction in ((0, 0), (1, 1)):
        scene = Scene()
        scene.chooses(slide_side=orders(variant=variant))
        car = scene.put(0, (5, 5), 1, 3)
        to = scene.race.cells[car.cell].neighbour[direction]
        assert roll(scene, SLIDE).cell == to


def test_cd_56_who_slid_into_something_has_no_move_in_this_phase_any_more() -> None:
    scene = Scene(values(**ONE), values())
    scene.chooses()
    car = scene.put(0, (5, 5), SIDE, 3)
    scene.put(1, (6, 5), SIDE, 0)
    scene.tell(ROLL_DAMAGE, *[SLIDE] * 6)
    scene.engine.moving.begin_phase(scene.race, 0)
    roll(scene, SLIDE)
    at = int(car.cell)
    scene.engine.moving.drive(scene.race, 0, 0)
    assert (car.collisions, car.cell, car.moved) == (1, at, 0)


def test_cd_56_who_was_hit_still_has_its_own_move() -> None:
    scene = Scene(values(**ONE), values(**ONE))
    scene.chooses()
    for v in range(2):
        scene.engine.moving.begin_phase(scene.race, v)
    scene.put(0, (5, 5), SIDE, 2)
    hit = scene.put(1, (6, 5), SIDE, 2)
    scene.tell(ROLL_DAMAGE, SLIDE, SLIDE)  # into the rear, not faster: a die each
    scene.cars[0].left = 1
    scene.engine.control.enter(scene.race, 0, 0, False, False, -1)
    scene.engine.control.work_off_tasks(scene.race)
    scene.engine.moving.drive(scene.race, 1, 0)
    assert hit.cell == scene.cell(8, 5)


def jumping(**vehicle: Any) -> Scene:
    """Return a car at speed 3 that jumps at its first hex."""
    scene = Scene(values(**ONE, **vehicle), values(), options=["stamina", "jumps"])
    scene.chooses(path=orders(jump_at=0, jump_card=0))
    scene.put(0, (5, 5), SIDE, 3)
    scene.put(1, (1, 1))
    return scene


def test_a_jump_ignores_what_is_low_in_one_hex_and_rolls_for_control_and_damage() -> None:
    scene = jumping()
    mud = scene.race.cells[scene.cell(6, 5)]
    mud.hazard, mud.fragile, mud.low = 1, 2, 1
    scene.tell(ROLL_CONTROL, DAMAGE)
    scene.tell(ROLL_DAMAGE, SLIDE, SLIDE, DAMAGE)  # half of 3 and the icon, in one roll
    car = scene.phase(0, 0)
    assert (car.cell, car.jumped, car.pile[0], mud.fragile) == (scene.cell(8, 5), 1, SPENT, 2)
    assert (car.level, car.clp) == (1, 2)  # for the icon and the damage, without another roll


def test_a_jump_at_a_safe_speed_rolls_clp_dice_only() -> None:
    scene = jumping(control=["safe"] * 7)
    scene.cars[0].clp = 1
    scene.tell(ROLL_CONTROL, RIGHT)
    scene.tell(ROLL_DAMAGE, SLIDE, SLIDE)
    assert scene.phase(0, 0).jumped == 1


def test_a_jump_passes_over_a_wreck_at_rest_and_over_no_vehicle_rock_or_moving_wreck() -> None:
    scene = jumping(control=["safe"] * 7)
    wreck = scene.put(1, (6, 5))
    wreck.wrecked, wreck.rests = 1, 1
    scene.tell(ROLL_DAMAGE, SLIDE, SLIDE)
    car = scene.phase(0, 0)
    assert (car.cell, car.jumped, car.collisions) == (scene.cell(8, 5), 1, 0)
    for rests, solid in ((0, 0), (0, 1)):
        scene = jumping()
        if solid:
            scene.race.cells[scene.cell(6, 5)].solid = 1
        else:
            scene.put(1, (6, 5)).wrecked = rests + 1
        assert scene.phase(0, 0).jumped == 0  # it drifts instead


@pytest.mark.parametrize("where", [2, 7])
def test_a_jump_never_clears_the_last_hex(where: int) -> None:
    scene = jumping()
    scene.chooses(path=orders(jump_at=where, jump_card=0))
    assert scene.phase(0, 0).jumped == 0


def test_a_jump_needs_two_hexes_straight_on_and_the_option() -> None:
    scene = jumping()
    scene.chooses(path=orders(variant=1, jump_at=1, jump_card=0))  # with a drift
    assert scene.phase(0, 0).jumped == 0
    scene = jumping()
    scene.rules.jumps = 0
    assert scene.phase(0, 0).jumped == 0
    scene = jumping()
    scene.put(0, (5, 5), SIDE, 1)
    assert scene.phase(0, 0).jumped == 0


def test_leap_may_clear_two_hexes_and_earthbound_none() -> None:
    for hexes, hurt in ((2, 0), (1, 1)):
        scene = jumping(**trait("leap"))
        scene.chooses(path=orders(jump_at=0, jump_card=0, hexes=hexes))
        scene.race.cells[scene.cell(7, 5)].hazard = 1
        scene.dice = {ROLL_CONTROL: [LEFT] * 12, ROLL_DAMAGE: [SLIDE] * 2}
        scene.engine.moving.begin_phase(scene.race, 0)
        scene.engine.moving.drive(scene.race, 0, 0)
        assert scene.cars[0].jumped == 1
        assert scene.cars[0].involved == hurt
    scene = jumping(**trait("earthbound"))
    assert scene.phase(0, 0).jumped == 0


def test_a_jump_that_lands_on_debris_enters_it() -> None:
    scene = jumping()
    debris = scene.race.cells[scene.cell(7, 5)]
    debris.fragile, debris.low = 1, 1
    scene.tell(ROLL_CONTROL, RIGHT)
    scene.tell(ROLL_DAMAGE, *[SLIDE] * 4)  # for the debris and the jump
    scene.phase(0, 0)
    assert debris.fragile == 0


def test_a_flyer_may_pass_over_a_wreck_at_rest_but_not_stop_on_it() -> None:
    for rating, collisions, cell in ((2, 0, (7, 5)), (1, 0, (5, 5))):
        scene = Scene(values(**ONE, **trait("flyer")), values())
        scene.chooses()
        car = scene.put(0, (5, 5), SIDE, rating)
        wreck = scene.put(1, (6, 5))
        wreck.wrecked, wreck.rests = 1, 1
        if rating == 1:
            for direction in (1, 5):
                scene.race.cells[scene.race.cells[car.cell].neighbour[direction]].solid = 1
        scene.phase(0, 0)
        assert (car.collisions, car.cell) == (collisions, scene.cell(*cell))
        assert scene.race.cells[scene.cell(6, 5)].car == 1


def test_x_5_vehicles_may_be_driven_into_on_purpose_and_obstacles_not() -> None:
    for options, collisions in (((), 0), (["deliberate-collisions"], 1)):
        scene = Scene(values(**ONE), values(), options=options)
        scene.chooses()
        car = scene.put(0, (5, 5), SIDE, 2)
        scene.put(1, (6, 5), SIDE, 0)
        if collisions:
            scene.tell(ROLL_DAMAGE, *[SLIDE] * 4)
        scene.phase(0, 0)
        assert car.collisions == collisions
    scene = Scene(values(**ONE), options=["deliberate-collisions"])
    scene.chooses()
    car = scene.put(0, (5, 5), SIDE, 1)
    scene.race.cells[scene.cell(6, 5)].solid = 1
    scene.phase(0, 0)
    assert (car.collisions, car.drifts) == (0, 1)


def test_x_5_obstacles_must_be_avoided_with_cards_too() -> None:
    scene = Scene(values(**ONE), options=["deliberate-collisions"])
    scene.chooses()
    car = scene.put(0, (5, 5), SIDE, 1)
    for direction in (0, 1, 5):
        scene.race.cells[scene.race.cells[car.cell].neighbour[direction]].solid = 1
    scene.phase(0, 0)
    assert (car.collisions, (car.pile == SPENT).sum()) == (0, 1)


def test_x_7_a_corner_drift_is_two_steps_to_the_same_side_once_a_phase() -> None:
    scene = Scene(values(**ONE), options=["corner-drift"])
    scene.chooses(path=orders(variant=4))  # to the right first, and once more
    car = scene.put(0, (5, 5), 1, 3)
    scene.phase(0, 0)
    assert car.cell == scene.race.cells[scene.cell(7, 5)].neighbour[1]
    assert car.drifts == 1
    assert scene.engine.ways.variants(scene.race, 0, 3) == 2


def drifting(option: str) -> Scene:
    scene = Scene(values(**ONE), options=[option])
    scene.chooses(path=orders(variant=2))  # to the left each time
    scene.put(0, (5, 5), SIDE, 3)
    return scene


def test_x_7_each_further_drift_needs_a_control_roll_whose_slide_goes_its_way() -> None:
    scene = Scene(values(**ONE), options=["further-drifts"])
    scene.chooses(path=orders(variant=2, times=2))  # to the left twice, then straight on
    car = scene.put(0, (5, 5), SIDE, 3)
    scene.tell(ROLL_CONTROL, SLIDE)  # for the second drift
    scene.phase(0, 0)
    at = scene.cell(5, 5)
    for direction in (1, 1, 1, 0):  # two drifts, the slide, and the hex that is left
        at = scene.race.cells[at].neighbour[direction]
    assert (car.cell, car.drifts, car.rolls) == (at, 2, 1)


@pytest.mark.parametrize("options", [["free-drifts"], ["further-drifts"]])
def test_cd_29_what_only_a_second_drift_avoids_is_avoided(options: list[str]) -> None:
    scene = Scene(options=options)
    scene.chooses()
    car = scene.put(0, (5, 5), SIDE, 2)
    cells, at = scene.race.cells, int(car.cell)
    for _ in range(2):
        near = cells[at].neighbour
        cells[near[0]].solid, cells[near[5]].solid = 1, 1
        at = int(near[1])
    scene.phase(0, 0)  # safe, so no dice for a further drift
    assert (car.cell, car.drifts, car.cards_used, car.halted) == (at, 2, 0, 0)


def test_cd_29_at_a_corner_free_drifts_may_go_on_to_one_side() -> None:
    scene = Scene(options=["corner-drift", "free-drifts"])
    scene.chooses()
    car = scene.put(0, (5, 5), SIDE + 1, 5)
    cells, at = scene.race.cells, int(car.cell)
    for _ in range(4):
        near = cells[at].neighbour
        cells[near[0]].solid = 1
        at = int(near[1])
    scene.phase(0, 0)
    assert (car.cell, car.cards_used, car.halted) == (at, 0, 0)


def test_x_7_free_drifts_need_no_roll() -> None:
    scene = drifting("free-drifts")
    car, at = scene.phase(0, 0), scene.cell(5, 5)
    for _ in range(3):
        at = scene.race.cells[at].neighbour[1]
    assert (car.cell, car.drifts, car.rolls) == (at, 3, 0)


def test_rolling_start_by_rating_or_by_hexes_in_the_left_most_box() -> None:
    for options, rating in (
        ({"rolling-start": 0}, 3),
        ({"rolling-start": 2}, 2),
        ({"rolling-start-by-hexes": 0}, 3),  # 6 hexes
        ({"rolling-start-by-hexes": 7}, 3),
    ):
        scene = Scene(options=options)
        car, table = scene.cars[0], scene.race.vehicles[0]
        assert (car.rating, car.up, car.down) == (
            rating,
            table.first_up[rating],
            table.first_down[rating],
        )


def ambush(**mover: Any) -> Scene:
    """Return a car about to pass a sneaky one with a Whip."""
    scene = Scene(values(**ONE, **mover), values(**trait("sneaky")))
    asked = [1]

    def attacks(race: Any, v: int) -> None:
        order = race.cars[v].order
        order.attack = 0
        if v == 1 and asked:
            asked.pop()
            order.attack, order.uses[0] = 1, WHIP

    scene.chooses(attack=attacks)
    scene.put(0, (4, 5), SIDE, 2)
    scene.put(1, (5, 6), SIDE, 2)
    return scene


def test_sneaky_attacks_in_the_others_move_and_needs_no_move_of_its_own() -> None:
    scene = ambush()
    scene.dice = {0: [], 2: [DAMAGE, SLIDE], 3: [SLIDE], ROLL_CONTROL: [LEFT, LEFT, RIGHT]}
    scene.phase(0, 0)
    assert (scene.cars[1].attacks, scene.cars[0].facing) == (1, 1)
    assert scene.cars[0].moved == 2  # it drives on from there


def test_cd_43_a_sneaky_attacker_who_fails_has_no_move_left_in_this_phase() -> None:
    scene = ambush()
    for v in range(2):
        scene.engine.moving.begin_phase(scene.race, v)
    scene.dice = {2: [SLIDE, SLIDE], 3: [LEFT], ROLL_CONTROL: [LEFT, LEFT]}
    scene.engine.moving.drive(scene.race, 0, 0)
    at = int(scene.cars[1].cell)
    scene.engine.moving.drive(scene.race, 1, 0)
    assert (scene.cars[1].cell, scene.cars[1].no_turn) == (at, 1)


def test_cd_69_truce_and_friendly_race_stop_sneaky_too() -> None:
    scene = ambush()
    scene.rules.friendly = 1
    scene.phase(0, 0)
    assert scene.cars[1].attacks == 0


def test_cd_38_attacks_before_between_and_after_hexes_but_only_with_a_move() -> None:
    asked: list[int] = []

    def counts(race: Any, v: int) -> None:
        asked.append(int(race.cars[v].moved))
        race.cars[v].order.target = -1

    scene = Scene(values(**ONE), values())
    scene.chooses(attack=counts)
    scene.put(0, (5, 5), SIDE, 1)
    scene.put(1, (5, 6), SIDE, 0)
    scene.phase(0, 0)
    assert asked == [0, 1]
    scene.put(0, (5, 5), SIDE, 0)
    scene.phase(0, 0)
    assert asked == [0, 1]


def test_cd_38_a_card_that_keeps_it_standing_is_no_bar_to_who_could_move() -> None:
    asked: list[int] = []
    scene = Scene(values(**ONE), values())
    scene.chooses(
        movement=orders(card=3, use=REINS),
        attack=lambda race, v: asked.append(int(race.cars[v].moved)),
    )
    scene.put(0, (5, 5), SIDE, 1)
    scene.put(1, (5, 6), SIDE, 0)
    assert scene.phase(0, 0).moved == 0
    assert asked == [0]


def test_cd_71_a_slide_of_who_has_moved_gives_no_new_move_or_turn() -> None:
    scene = Scene(values(**ONE))
    scene.chooses()
    car = scene.put(0, (5, 5), SIDE, 1)
    scene.phase(0, 0)
    left, moved = int(car.left), int(car.moved)
    car.clp = 1
    roll(scene, SLIDE)
    assert (car.left, car.moved) == (left, moved)


def test_snapper_starts_vehicle_attacks_with_whips_and_does_not_defend_with_them() -> None:
    scene = Scene(values(**trait("snapper")))
    counts_as = scene.engine.car.counts_as
    assert counts_as(scene.race, 0, 0, REINS, layout.AT_VEHICLE_ATTACK)
    assert not counts_as(scene.race, 0, 0, REINS, layout.AT_VEHICLE_DEFENCE)
    assert not counts_as(scene.race, 0, 0, REINS, layout.AT_ACCELERATING)


def test_savage_makes_vehicle_attacks_ahead_too_and_no_personal_ones() -> None:
    for traits, reach in (({}, (False, False)), (trait("savage"), (False, True))):
        scene = Scene(values(**traits), values())
        scene.put(0, (5, 5), SIDE, 2)
        scene.put(1, (6, 5), SIDE, 2)
        reaches = scene.engine.moving.reaches
        assert tuple(bool(reaches(scene.race, 0, 1, kind, True)) for kind in (1, 2)) == reach


@pytest.mark.parametrize(
    ("mine", "his", "by"),
    [
        ("fortune-smiles", "", 1),
        ("", "fortune-smiles", -1),
        ("unlucky-charm", "", -1),
        ("fortune-smiles", "fortune-smiles", 0),
        ("unlucky-charm", "unlucky-charm", 0),
        ("fortune-smiles", "unlucky-charm", 1),
        ("lady-luck", "ill-fate", 0),  # these are of personal attacks
    ],
)
def test_cd_42_luck_decides_a_tie_by_1_and_cancels_on_both_sides(
    mine: str, his: str, by: int
) -> None:
    scene = Scene(*(values(**trait(name)) if name else values() for name in (mine, his)))
    scene.chooses()
    scene.put(0, (5, 5), SIDE, 2)
    scene.put(1, (5, 6), SIDE, 2)
    # 1 and half of the winner's 2; in a tie the value 1 and half of the other's 2, for both
    scene.tell(ROLL_DAMAGE, *[SLIDE] * (2 if by else 4))
    scene.tell(2, 1, 0)
    scene.tell(3, 1)
    scene.engine.car.clear_order(scene.race, 0)
    scene.engine.moving.resolve(scene.race, 0, 1, 2, 1)
    assert scene.used_up


def test_a_plain_phase_is_as_long_as_the_row_says() -> None:
    scene = Scene()
    scene.chooses(control_cards=plays())
    car = scene.put(0, (2, 5), SIDE, 5)
    for phase in range(4):  # 4 3 0 3
        scene.phase(0, phase)
    assert car.cell == scene.cell(12, 5)
