"""Damage in the engine (CD-46 to CD-52, CD-60)."""

from typing import Any

import pytest
from gridpress_chariot_dash.dice import DAMAGE, HASTE, LEFT, RIGHT, SLIDE, SLOW
from gridpress_chariot_races.race import layout
from gridpress_chariot_races.race.layout import (
    GONE,
    ROLL_CONTROL,
    ROLL_DAMAGE,
    ROLL_OTHER,
    ROLL_SPEED,
)
from scenes import SIDE, Scene, check, collide, plays, roll, trait, values

LAST = {"at": 6, "effect": "wipe-out"}


def hurt(*effects: dict[str, Any], points: int = 1, rating: int = 0, **vehicle: Any) -> Scene:
    """Return a car with this damage; effects without a level belong to level 1."""
    track = [{"at": 1, **effect} for effect in effects]
    scene = Scene(values(damage=[*track, LAST], **vehicle))
    scene.chooses()
    scene.put(0, (3, 5), rating=rating)
    for _ in range(points):
        scene.tell(ROLL_DAMAGE, DAMAGE)
        scene.engine.car.damage(scene.race, 0, 1, 0)
    return scene


def begin(scene: Scene) -> Any:
    scene.engine.rounds._begin_round(scene.race, 0)
    assert scene.used_up
    return scene.cars[0]


def test_control_a_round_is_clp_at_the_start_and_the_minimum_is_unchanged() -> None:
    scene = hurt({"effect": "control-loss", "number": 2}, rating=3)
    assert begin(scene).clp == 1 + 2
    assert begin(scene).clp == 1 + 4
    scene.engine.car.rate(scene.race, 0, 2)
    assert scene.cars[0].clp == 0


def test_less_resilience_below_0_is_blank() -> None:
    scene = hurt({"effect": "resilience", "number": 3})
    assert scene.cars[0].resilience == layout.BLANK
    scene.tell(ROLL_DAMAGE, SLIDE)
    assert scene.engine.car.damage(scene.race, 0, 1, 0) == 1


def test_damage_rolls_at_once_before_what_is_left_and_gives_clp() -> None:
    """The roll of level 1 reaches level 2, whose blank resilience lets the second point through."""
    effects = [
        {"at": 1, "effect": "damage", "number": 2},
        {"at": 2, "effect": "resilience", "number": 2},
        {"at": 3, "effect": "damage", "number": 1},
    ]
    scene = Scene(values(damage=[*effects, LAST]))
    scene.chooses()
    scene.tell(ROLL_DAMAGE, DAMAGE, DAMAGE, DAMAGE, SLIDE, SLIDE)  # the last one at level 3
    assert scene.engine.car.damage(scene.race, 0, 2, 0) == 4
    assert scene.used_up
    assert (scene.cars[0].level, scene.cars[0].clp) == (4, 4)


def test_damage_a_round_is_a_roll_at_the_start_and_no_control_roll() -> None:
    scene = hurt({"effect": "damage-each-round", "number": 2})
    scene.tell(ROLL_DAMAGE, DAMAGE, SLIDE)
    assert (begin(scene).level, scene.cars[0].rolls) == (2, 0)


def test_lose_a_trait_stops_it_at_once() -> None:
    lost = {"effect": "lose-trait", "trait": "driver"}
    scene = hurt(lost, **trait("driver", 2))
    assert scene.cars[0].mods[layout.CONTROL_DISCARDS] == 0


@pytest.mark.parametrize(
    ("effect", "way"), [("maximum-acceleration", 1), ("maximum-deceleration", 0)]
)
def test_maximum_acceleration_and_deceleration_cap_the_boxes_of_a_check(
    effect: str, way: int
) -> None:
    scene = hurt({"effect": effect, "number": 2}, rating=3)
    scene.chooses(speed_plan=plays(accelerate=way, whips=way, reins=1 - way))
    car = scene.cars[0]
    up, down = int(car.up), int(car.down)
    scene.tell(ROLL_SPEED, DAMAGE, DAMAGE, SLIDE)
    check(scene)
    assert (car.up - up if way else down - car.down) == 2


def test_maximum_acceleration_counts_over_whipped_boxes() -> None:
    scene = hurt({"effect": "maximum-acceleration", "number": 2}, rating=6)
    scene.chooses(speed_plan=plays(accelerate=1, whips=1))
    car, last = scene.cars[0], int(scene.race.vehicles[0].last_down[6])
    car.up = scene.race.vehicles[0].last_up[6]
    scene.tell(ROLL_SPEED, DAMAGE, DAMAGE, SLIDE)
    check(scene)
    assert car.down == last - 2


def test_maximum_speed_drops_at_once_and_beyond_it_is_over_whipping() -> None:
    scene = hurt({"effect": "maximum-speed", "number": 3}, rating=5)
    car, table = scene.cars[0], scene.race.vehicles[0]
    assert (car.rating, car.up) == (3, table.last_up[3])
    scene.chooses(speed_plan=plays(accelerate=1, whips=1))
    scene.tell(ROLL_SPEED, SLOW, SLOW, SLIDE)
    check(scene)
    assert car.down == table.last_down[3] - 2
    car.clp = 0
    scene.engine.car.rate(scene.race, 0, 6)
    assert car.rating == 3
    scene.dice.clear()
    roll(scene, HASTE)  # to the last box of the maximum speed, and no further
    assert car.rating == 3


def test_the_lowest_of_caps_of_one_kind_holds() -> None:
    scene = hurt(
        {"effect": "maximum-speed", "number": 2}, {"effect": "maximum-speed", "number": 4}, rating=5
    )
    assert scene.cars[0].speed_most == 2


def test_less_safe_speed_takes_the_highest_still_safe_and_then_the_next_one_down() -> None:
    scene = hurt({"effect": "safe-speed"}, {"effect": "safe-speed"})
    assert list(scene.cars[0].control[:4]) == [0, 1, 1, 1]


@pytest.mark.parametrize(("name", "way"), [("acceleration", 1), ("deceleration", 0)])
def test_acceleration_and_deceleration_modifiers_count_in_every_check(name: str, way: int) -> None:
    for number, boxes in ((2, 4), (-3, 0)):
        scene = hurt({"effect": name, "number": number}, rating=3)
        scene.chooses(speed_plan=plays(accelerate=way, whips=way, reins=1 - way))
        car = scene.cars[0]
        up, down = int(car.up), int(car.down)
        scene.tell(ROLL_SPEED, SLOW, SLOW, SLIDE)
        if not way:
            scene.dice[ROLL_SPEED] = [SLOW, SLOW, SLOW]
        check(scene)
        assert (car.up - up if way else down - car.down) == boxes


def test_haste_and_slow_re_read_from_now_on_and_the_later_one_holds() -> None:
    scene = hurt({"effect": "haste"}, {"effect": "slow"}, rating=5)
    car = scene.cars[0]
    assert (car.rating, car.turning) == (5, -1)
    down = int(car.down)
    roll(scene, HASTE, HASTE, SLOW, HASTE)
    assert car.down == down - 4


@pytest.mark.parametrize(("card", "left"), [("Whip", (2, 3)), ("Reins", (3, 2)), ("either", None)])
def test_a_card_is_lost_for_good(card: str, left: tuple[int, int] | None) -> None:
    scene = hurt({"effect": "lose-card", "card": card})
    pile = scene.cars[0].pile[:6]
    assert (pile == GONE).sum() == 1
    if left:
        assert ((pile[:3] != GONE).sum(), (pile[3:] != GONE).sum()) == left


def test_a_card_of_a_type_that_is_not_there_is_not_lost() -> None:
    scene = hurt({"effect": "lose-card", "card": "Whip"}, whip=0, reins=6)
    assert (scene.cars[0].pile == GONE).sum() == 0


def test_a_control_die_more_is_in_forced_rolls_at_a_safe_rating_too() -> None:
    scene = hurt({"effect": "control-die"}, rating=1)
    assert scene.engine.control.control_dice_of(scene.race, 0) == 1 + 1


@pytest.mark.parametrize(("face", "clp"), [(SLIDE, 1), (SLOW, 1), (LEFT, 2), (DAMAGE, 3)])
def test_random_reads_a_die_0_or_1_the_first_2_the_second_3_the_third(face: int, clp: int) -> None:
    listed = [{"effect": "control-loss", "number": n} for n in (1, 2, 3)]
    scene = Scene(values(damage=[{"at": 1, "effect": "random"}, LAST], random_effects=listed))
    scene.chooses()
    scene.tell(ROLL_DAMAGE, DAMAGE)
    scene.tell(ROLL_OTHER, face)
    scene.engine.car.damage(scene.race, 0, 1, 0)
    assert scene.cars[0].mods[layout.CLP_EACH_ROUND] == clp


def test_random_may_bring_a_damage_roll_and_without_a_list_does_nothing() -> None:
    listed = [{"effect": "damage", "number": 2}] * 3
    track = [{"at": 1, "effect": "random"}, {"at": 1, "effect": "control-die"}, LAST]
    scene = Scene(values(damage=track, random_effects=listed))
    scene.chooses()
    scene.tell(ROLL_DAMAGE, DAMAGE, DAMAGE, SLIDE)
    scene.tell(ROLL_OTHER, SLIDE)
    assert scene.engine.car.damage(scene.race, 0, 1, 0) == 2
    assert scene.cars[0].mods[layout.CONTROL_DICE] == 1  # the later effect of the level
    scene = Scene(values(damage=track))
    scene.chooses()
    scene.tell(ROLL_DAMAGE, DAMAGE)
    assert scene.engine.car.damage(scene.race, 0, 1, 0) == 1


def test_a_number_that_is_a_die_is_rolled_when_the_effect_happens() -> None:
    scene = Scene(values(damage=[{"at": 1, "effect": "damage", "number": "a die"}, LAST]))
    scene.chooses()
    scene.tell(ROLL_DAMAGE, DAMAGE, SLIDE, SLIDE)
    scene.tell(ROLL_OTHER, LEFT)
    assert scene.engine.car.damage(scene.race, 0, 1, 0) == 1
    assert scene.used_up
    scene = Scene(values(damage=[{"at": 1, "effect": "control-loss", "number": "a die"}, LAST]))
    scene.chooses()
    scene.tell(ROLL_DAMAGE, DAMAGE)
    scene.engine.car.damage(scene.race, 0, 1, 0)
    for face, clp in ((DAMAGE, 4), (SLIDE, 4), (SLOW, 5)):
        scene.tell(ROLL_OTHER, face)
        assert begin(scene).clp == clp


def test_five_effects_at_one_level_and_the_longest_track_have_room() -> None:
    track = [
        {"at": at, "effect": "control-loss", "number": 1} for at in range(1, 12) for _ in range(5)
    ]
    scene = Scene(values(damage=[*track, {"at": 12, "effect": "wipe-out"}], damage_levels=12))
    scene.chooses()
    scene.tell(ROLL_DAMAGE, *[DAMAGE] * 11)
    scene.engine.car.damage(scene.race, 0, 11, 0)
    assert scene.cars[0].mods[layout.CLP_EACH_ROUND] == 55
    scene.tell(ROLL_DAMAGE, DAMAGE)
    scene.engine.car.damage(scene.race, 0, 1, 0)
    assert scene.cars[0].wrecked


@pytest.mark.parametrize("does", ["none", "", None])
def test_effects_and_traits_that_no_race_simulates_change_nothing(does: str | None) -> None:
    own = {"id": "own", "name": "Own", "does": does}
    scene = hurt({"effect": own}, traits=[{"trait": {**own, "id": "mine"}, "number": 2}])
    assert not scene.cars[0].mods.any()
    assert scene.cars[0].level == 1


def test_an_own_effect_may_change_several_things() -> None:
    does = "control.dice+2 unsafe+2 accelerating.most+1 lose-card+2 slow-as-haste"
    scene = hurt({"effect": {"id": "own", "does": does}, "card": "Whip"})
    car = scene.cars[0]
    assert car.mods[layout.CONTROL_DICE] == 2
    assert list(car.control[:4]) == [0, 1, 1, 1]
    assert (car.up_most, car.turning, (car.pile == GONE).sum()) == (1, 1, 2)


def test_failsafes_take_dice_off_damage_icons_and_all_that_changes_dice_is_added() -> None:
    for traits, dice in (
        ([("failsafes", 1)], 1),
        ([("failsafes", 2)], 0),
        ([("failsafes", 2), ("jerry-rigged", 1)], 1),
    ):
        listed = [{"trait": name, "number": number} for name, number in traits]
        scene = Scene(values(traits=listed))
        scene.chooses()
        scene.put(0, (3, 5), rating=5)
        scene.tell(ROLL_DAMAGE, *[SLIDE] * dice)
        roll(scene, DAMAGE, DAMAGE, SLIDE)


def test_cd_30_no_control_roll_for_damage_of_a_control_roll_or_an_effect() -> None:
    scene = Scene(values(damage=[{"at": 1, "effect": "damage", "number": 1}, LAST]))
    scene.chooses()
    car = scene.put(0, (3, 5), rating=5)
    scene.tell(ROLL_DAMAGE, DAMAGE, DAMAGE)
    roll(scene, DAMAGE, LEFT, RIGHT)
    assert (car.level, car.rolls) == (2, 1)


@pytest.mark.parametrize("rating", [-1, 2])
def test_cd_52_ratings_of_hazards_and_obstacles_change_clp_and_dice(rating: int) -> None:
    scene = Scene(values(control=["safe"] * 7))
    scene.chooses()
    car = scene.put(0, (5, 5), SIDE, 4)
    mud = scene.race.cells[scene.cell(6, 5)]
    mud.hazard, mud.hazard_rating, car.left = 1, rating, 1
    scene.tell(ROLL_CONTROL, *[LEFT] * (2 + rating))
    scene.engine.control.enter(scene.race, 0, 0, False, False, -1)
    scene.engine.control.work_off_tasks(scene.race)
    assert scene.used_up
    rock = scene.race.cells[scene.race.cells[car.cell].neighbour[0]]
    rock.solid, rock.solid_rating = 1, rating
    scene.put(0, (6, 5), SIDE, 4)
    scene.tell(ROLL_DAMAGE, *[SLIDE] * (4 + rating))
    scene.engine.control.enter(scene.race, 0, 0, False, False, -1)
    scene.engine.control.work_off_tasks(scene.race)
    assert scene.used_up
    assert car.rating == 2


def wreck_scene(rating: int, facing: int = SIDE) -> Scene:
    """Return a moving wreck and a vehicle."""
    scene = Scene(values(), values())
    scene.chooses()
    wreck = scene.put(0, (5, 5), SIDE, rating)
    wreck.wrecked, wreck.wreck_heading = 1, facing
    scene.put(1, (9, 9), SIDE, 3)
    return scene


def moves(scene: Scene) -> Any:
    scene.engine.rounds._wreck_moves(scene.race, 0)
    assert scene.used_up
    return scene.cars[0]


def test_cd_49_wiped_out_at_0_it_rests_at_once_and_falling_to_0_it_does_not_move() -> None:
    scene = Scene()
    scene.put(0, (5, 5), SIDE, 0)
    scene.engine.car.wipe_out(scene.race, 0)
    assert scene.cars[0].rests == 1
    scene = wreck_scene(1)
    wreck = moves(scene)
    assert (wreck.rests, wreck.cell) == (1, scene.cell(5, 5))


def test_cd_49_corner_headings_alternate() -> None:
    scene = wreck_scene(4, facing=1)
    scene.cars[1].wrecked = scene.cars[1].rests = 1
    for _ in range(2):
        scene.race.rules.race_round += 1
        scene.engine.rounds.play_round(scene.race)
    to = scene.race.cells[scene.cell(5, 5)].neighbour
    first = int(scene.race.cells[scene.cell(5, 5)].neighbour[0])
    assert scene.race.cells[to[0]].fragile == 1
    assert scene.cars[0].cell == scene.race.cells[first].neighbour[1]


def test_cd_49_a_wreck_ignores_hazards_and_debris_and_rests_at_something_solid() -> None:
    scene = wreck_scene(5)
    mud = scene.race.cells[scene.cell(6, 5)]
    mud.hazard, mud.fragile = 1, 1
    scene.race.cells[scene.cell(7, 5)].solid = 1
    assert moves(scene).rests == 0
    wreck = moves(scene)
    assert (wreck.rests, wreck.cell, mud.fragile, wreck.clp) == (1, scene.cell(6, 5), 1, 0)


@pytest.mark.parametrize(
    ("facing", "second", "dice", "after"),
    [(6, 2, 5, 1), (2, 2, 3, 2), (0, 1, 2, 2), (0, 4, 1, 4)],
)
def test_cd_49_a_wreck_that_runs_into_a_vehicle_stops_and_that_one_alone_suffers(
    facing: int, second: int, dice: int, after: int
) -> None:
    scene = wreck_scene(4)  # 3 when it moves
    hit = scene.put(1, (6, 5), facing, second)
    scene.tell(ROLL_DAMAGE, *[SLIDE] * dice)
    wreck = moves(scene)
    assert (wreck.rests, wreck.cell, hit.rating) == (1, scene.cell(5, 5), after)


def test_cd_51_who_is_hit_by_a_wreck_rolls_before_its_speed_changes() -> None:
    scene = wreck_scene(4)
    hit = scene.put(1, (6, 5), 6, 3)
    scene.tell(ROLL_DAMAGE, DAMAGE, *[SLIDE] * 5)
    scene.tell(ROLL_CONTROL, LEFT, LEFT)  # a die of rating 3, and 1 CLP
    moves(scene)
    assert (hit.facing, hit.rating) == (7, 1)


@pytest.mark.parametrize("ratings", [(3, 5), (5, 3)])
def test_cd_68_of_two_wrecks_the_faster_rolls_on_first(ratings: tuple[int, int]) -> None:
    """Both head for one hex, where the second finds the first."""
    scene = Scene(values(), values(), values())
    scene.chooses()
    for v, (rating, cell, facing) in enumerate(zip(ratings, ((5, 5), (7, 5)), (0, 6), strict=True)):
        wreck = scene.put(v, cell, facing, rating)
        wreck.wrecked, wreck.wreck_heading = 1, facing
    scene.put(2, (9, 9), SIDE, 0)
    scene.rules.race_round, scene.rules.rounds = 1, 99
    scene.tell(ROLL_SPEED, SLIDE, SLIDE)
    scene.engine.rounds.play_round(scene.race)
    assert scene.race.cells[scene.cell(6, 5)].car == ratings.index(5)
    assert [scene.cars[v].rests for v in range(2)] == [ratings[0] < 5, ratings[1] < 5]


def test_cd_49_no_wreck_moves_in_the_round_of_its_wipe_out() -> None:
    scene = Scene(values(), values())
    scene.chooses()
    scene.put(0, (5, 5), SIDE, 4)
    scene.put(1, (9, 9), SIDE, 0)
    scene.rules.rounds = 99
    scene.rules.race_round = 1
    scene.engine.car.wipe_out(scene.race, 0)
    scene.cars[0].wrecked = 2  # in the current round
    scene.tell(ROLL_SPEED, SLIDE, SLIDE)
    scene.engine.rounds.play_round(scene.race)
    assert scene.cars[0].cell == scene.cell(5, 5)
    scene.tell(ROLL_SPEED, SLIDE, SLIDE)
    scene.engine.rounds.play_round(scene.race)
    assert scene.cars[0].cell == scene.cell(6, 5)


def test_cd_48_a_wreck_is_a_solid_obstacle_for_others() -> None:
    scene = Scene(values(), values())
    scene.chooses()
    wreck = scene.put(1, (6, 5), SIDE, 0)
    wreck.wrecked, wreck.rests = 1, 1
    scene.tell(ROLL_DAMAGE, *[SLIDE] * 4)
    car = scene.put(0, (5, 5), SIDE, 4)
    scene.engine.control.enter(scene.race, 0, 0, False, False, -1)
    scene.engine.control.work_off_tasks(scene.race)
    assert scene.used_up
    assert (car.rating, wreck.collisions) == (2, 0)


def test_cd_60_who_can_pass_by_a_drift_keeps_its_facing() -> None:
    scene = Scene(values(), values())
    scene.chooses()
    scene.tell(ROLL_DAMAGE, *[SLIDE] * 8)
    car, other = collide(scene, 4, 0, 3)
    assert (car.facing, other.facing) == (SIDE, 3)


def test_cd_60_where_no_30_will_do_the_speed_is_0_and_any_facing_will() -> None:
    scene = Scene()
    scene.chooses()
    car = scene.put(0, (19, 10), SIDE, 5)  # beyond are walls, ahead, ahead left and ahead right
    car.facing = 0
    near = scene.race.cells[car.cell].neighbour
    near[0] = near[1] = near[2] = near[5] = -1
    scene.tell(ROLL_DAMAGE, *[SLIDE] * 5)
    scene.engine.control.enter(scene.race, 0, 0, False, False, -1)
    scene.engine.control.work_off_tasks(scene.race)
    assert car.rating == 0
    assert scene.engine.ways.can_pass(scene.race, 0, car.facing, -1)


@pytest.mark.parametrize("beside", ["wall", "wreck", "rock"])
def test_cd_60_no_way_leads_past_through_a_wall_or_something_else_that_is_solid(
    beside: str,
) -> None:
    """It faces a corner with a wreck ahead and turns to where a drift passes."""
    scene = Scene(values(), values(), values())
    scene.chooses()
    for v, at in ((1, (6, 5)), (2, (5, 6))):
        wreck = scene.put(v, at)
        wreck.wrecked, wreck.rests = 1, 1
    car = scene.put(0, (5, 5), 1, 2)
    if beside != "wreck":
        scene.put(2, (15, 15))
        scene.race.cells[scene.cell(5, 6)].solid = beside == "rock"
    if beside == "wall":
        scene.race.cells[car.cell].neighbour[1] = -1
    scene.tell(ROLL_DAMAGE, SLIDE, SLIDE)
    scene.engine.control.enter(scene.race, 0, 0, False, False, -1)
    scene.engine.control.work_off_tasks(scene.race)
    assert scene.used_up
    assert (car.facing, car.rating) == (0, 1)


def test_cd_60_whoever_was_pushed_away_is_not_in_the_way_any_more() -> None:
    """The car hit slides on, so the collider may stay."""
    scene = Scene(values(resilience="1"), values())
    scene.chooses()
    asked: list[int] = []

    def aside(race: Any, v: int) -> None:
        asked.append(v)

    scene.chooses(aside=aside)
    scene.put(0, (5, 5), 1, 2)  # a corner: both hexes ahead lead past only one
    hit = scene.put(1, (6, 5), 0, 1)
    scene.tell(ROLL_DAMAGE, DAMAGE, SLIDE)
    scene.tell(ROLL_CONTROL, SLIDE)
    scene.engine.control.enter(scene.race, 0, 0, False, False, -1)
    scene.engine.control.work_off_tasks(scene.race)
    assert hit.cell == scene.cell(7, 5)
    assert not asked


def test_cd_73_clp_have_no_upper_end() -> None:
    scene = Scene()
    scene.engine.car.unsteady(scene.race, 0, 37)
    assert scene.cars[0].clp == 37


def test_cd_72_checks_and_haste_move_boxes_and_collisions_ratings() -> None:
    scene = Scene()
    scene.chooses()
    car, table = scene.put(0, (5, 5), SIDE, 4), scene.race.vehicles[0]
    scene.engine.car.speed_up(scene.race, 0, 1, False)
    assert (car.rating, car.up) == (5, table.first_up[5])
    scene.engine.car.rate(scene.race, 0, 4)
    assert car.up == table.last_up[4]


def test_cd_18_an_explicit_correspondence_says_which_boxes_belong_together() -> None:
    pairs = [{"speed": 4, "pairs": [[1, 1], [1, 2], [2, 2], [3, 2]]}]
    for correspondence, below in ((None, (4, 5, 5)), (pairs, (5, 5, 5))):
        scene = Scene(values(correspondence=correspondence))
        table = scene.race.vehicles[0]
        first, down = int(table.first_up[4]), int(table.first_down[4])
        found = tuple(int(table.below[first + n]) - down + 4 for n in range(3))
        assert found == below
