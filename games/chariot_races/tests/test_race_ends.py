"""The ends of races in the engine (CD-3 to CD-10)."""

import math
from typing import Any

import pytest
from gridpress_chariot_dash.dice import DAMAGE, LEFT, RIGHT, SLIDE, SLOW, Die, keep_odds
from gridpress_chariot_races.race import layout
from gridpress_chariot_races.race.layout import (
    FOX,
    PURSUIT,
    ROLL_CONTROL,
    ROLL_DAMAGE,
    ROLL_SPEED,
    SCORING,
    TOUGHEST,
)
from scenes import SIDE, Scene, attack, collide, two, values
from test_race_types import DRAW, Races


def places(scene: Scene) -> list[int]:
    return [int(scene.engine.rounds._place(scene.race, v)) for v in range(len(scene.cars))]


def cars(count: int, kind: int = layout.FASTEST) -> Scene:
    scene = Scene(*[values()] * count)
    scene.rules.kind = kind
    scene.chooses()
    return scene


def test_cd_9_in_one_phase_the_first_to_cross_wins_and_wrecks_rank_last() -> None:
    scene = cars(5)
    for v, (finished, order, wrecked) in enumerate(
        ((3, 8, 0), (3, 5, 0), (0, 0, 2), (0, 0, 0), (0, 0, 3))
    ):
        car = scene.cars[v]
        car.finished, car.finish_order = finished, order
        car.wrecked, car.wreck_order = wrecked, 10 + wrecked
    assert places(scene) == [2, 1, 5, 3, 4]  # later wrecks before earlier


def test_cd_79_a_vehicle_that_finishes_ends_its_move_and_leaves_the_track() -> None:
    scene = cars(1)
    scene.rules.laps = 1
    car = scene.put(0, (5, 5), SIDE, 6)
    car.progress = scene.rules.lap - 0.5
    scene.phase(0, 0)
    assert (car.finished, car.cell, car.spaces) == (2, scene.cell(6, 5), 1)
    assert scene.race.cells[car.cell].car == -1


def test_cd_9_wiped_out_at_the_same_moment_is_a_draw() -> None:
    scene = cars(2)
    for v in range(2):
        scene.cars[v].level = 5
    scene.tell(ROLL_DAMAGE, *[DAMAGE] * 8)
    collide(scene, 4, 0, 3)
    assert places(scene) == [1, 1]


def test_cd_9_if_all_are_wiped_out_the_last_wreck_wins() -> None:
    scene = cars(2)
    for v in range(2):
        scene.cars[v].level = 5
        scene.tell(ROLL_DAMAGE, DAMAGE)
        scene.rules.order += 1
        scene.engine.car.damage(scene.race, v, 1, 0)
    assert places(scene) == [2, 1]


def test_cd_4_catching_up_is_being_level_or_past_or_hitting_the_rear() -> None:
    scene = cars(2, PURSUIT)
    lap, (first, second) = scene.rules.lap, scene.cars
    first.progress, second.progress = 0.0, lap / 2
    second.start = lap / 2
    assert places(scene) == [1, 1]  # nobody caught, nobody gained: a draw
    first.progress = lap / 2
    assert places(scene) == [1, 2]
    first.progress, second.progress = 0.0, lap
    assert places(scene) == [2, 1]
    second.progress = 1.0
    scene.tell(ROLL_DAMAGE, *[SLIDE] * 6)
    collide(scene, 4, 1, 0)
    assert places(scene) == [1, 2]  # hit in the rear, though not passed
    assert scene.engine.rounds._is_over(scene.race)


def test_cd_80_at_a_limit_the_one_who_gained_the_least_damaged_or_the_fox_wins() -> None:
    scene = cars(2, PURSUIT)
    first, second = scene.cars
    second.start = scene.rules.lap / 2
    first.progress, second.progress = 3.0, second.start + 4.0
    assert places(scene) == [2, 1]
    scene = cars(3, TOUGHEST)
    for car, level in zip(scene.cars, (2, 1, 3), strict=True):
        car.level = level
    assert places(scene) == [2, 1, 3]
    scene = cars(3, FOX)
    for car, progress in zip(scene.cars, (6.0, 5.0, 4.0), strict=True):
        car.progress = progress
    assert places(scene) == [1, 2, 3]
    scene.rules.order += 1
    scene.cars[0].level = 9
    scene.tell(ROLL_DAMAGE, DAMAGE)
    scene.engine.car.damage(scene.race, 0, 1, 0)
    assert places(scene) == [3, 1, 2]  # CD-82: the nearest hound


def test_the_hound_that_catches_the_fox_wins_and_so_does_the_one_that_destroys_it() -> None:
    scene = cars(3, FOX)
    for v, progress in enumerate((20.0, 20.5, 10.0)):
        scene.cars[v].progress = progress
    assert scene.engine.rounds._is_over(scene.race)
    assert places(scene)[1] == 1
    scene = cars(3, FOX)
    scene.put(0, (5, 6), SIDE, 2)
    scene.put(1, (5, 5), SIDE, 2).progress = -5.0
    scene.cars[2].progress = 9.0  # another hound, nearer
    scene.cars[0].level, scene.cars[0].progress = 5, 20.0
    fox, hound = scene.cars[0], scene.cars[1]
    scene.tell(ROLL_DAMAGE, DAMAGE, *[SLIDE] * 2)
    scene.tell(2, LEFT, LEFT)
    scene.tell(3, LEFT)
    scene.engine.moving.resolve(scene.race, 1, 0, 2, 1)
    assert (fox.wrecked, hound.caught) == (2, 1)
    assert scene.engine.rounds._is_over(scene.race)
    assert places(scene)[1] == 1


def test_cd_5_points_for_entering_first_for_a_runner_and_for_damage() -> None:
    scene = cars(2, SCORING)
    scene.rules.points_per_damage = 2
    car = scene.put(0, (5, 5), SIDE, 2)
    crates = scene.race.cells[scene.cell(6, 5)]
    crates.fragile, crates.points = 2, 2
    for score in (2, 2):
        scene.put(0, (5, 5), SIDE, 2)
        scene.tell(ROLL_DAMAGE, *[SLIDE] * crates.fragile)
        scene.engine.control.enter(scene.race, 0, 0, False, False, -1)
        assert car.score == score
    runner = scene.race.rules.runner[0]
    runner.cell, runner.points, scene.race.cells[scene.cell(7, 5)].runner = 145, 3, 1
    scene.tell(ROLL_DAMAGE, SLIDE)
    scene.engine.control.enter(scene.race, 0, 0, False, False, -1)
    assert (car.score, runner.cell) == (5, -1)


def test_cd_7_damage_is_inflicted_by_the_winner_and_in_a_tie_by_each_on_the_other() -> None:
    for own, others, done in (([DAMAGE, LEFT], [LEFT], (1, 0)), ([SLOW, SLOW], [LEFT], (1, 1))):
        scene = two()
        scene.rules.kind, scene.rules.points_per_damage = SCORING, 1
        hurt = [DAMAGE, *[SLIDE] * (3 if done[1] == 0 else 2)]
        scene.tell(ROLL_DAMAGE, *hurt, *(hurt if done[1] else ()))
        scene.tell(ROLL_CONTROL, *[LEFT] * (1 + done[1]))
        attack(scene, layout.VEHICLE, own, others)
        assert tuple(car.score for car in scene.cars) == done


def test_cd_48_nothing_is_suffered_nor_inflicted_beyond_the_last_level() -> None:
    scene = two()
    scene.rules.kind, scene.rules.points_per_damage = SCORING, 2
    scene.cars[1].level = 5
    scene.tell(ROLL_DAMAGE, DAMAGE, DAMAGE, DAMAGE)
    attack(scene, layout.VEHICLE, [LEFT, LEFT], [LEFT])  # by 2, and half of 2
    assert (scene.cars[1].wrecked, scene.cars[0].score) == (2, 2)


def test_cd_42_in_a_tie_the_target_has_suffered_all_before_the_attacker_does() -> None:
    scene = two()
    scene.cars[1].level = 5
    scene.tell(ROLL_DAMAGE, DAMAGE, SLIDE, SLIDE, *[SLIDE] * 3)
    attack(scene, layout.VEHICLE, [SLOW, SLOW], [LEFT])
    assert (scene.cars[1].wrecked, scene.cars[0].wrecked) == (2, 0)


@pytest.mark.parametrize("kind", [layout.PERSONAL, layout.VEHICLE])
def test_cd_7_damage_of_the_control_roll_that_an_attack_forced_is_the_winners_too(
    kind: int,
) -> None:
    scene = two()
    scene.rules.kind, scene.rules.points_per_damage = SCORING, 2
    first = [DAMAGE, SLIDE] if kind == layout.VEHICLE else []
    scene.tell(ROLL_DAMAGE, *first, DAMAGE)
    scene.tell(ROLL_CONTROL, DAMAGE)
    attack(scene, kind, [LEFT, SLIDE], [SLOW])  # won by 1
    done = 2 if kind == layout.VEHICLE else 1
    assert scene.cars[0].score == 2 * done


def test_cd_7_damage_of_the_control_rolls_after_a_collision_is_the_other_vehicles() -> None:
    scene = two()
    scene.rules.kind, scene.rules.points_per_damage = SCORING, 1
    scene.tell(ROLL_DAMAGE, DAMAGE, SLIDE, DAMAGE, SLIDE, DAMAGE, SLIDE)
    scene.tell(ROLL_CONTROL, DAMAGE, DAMAGE)
    collide(scene, 2, 0, 2)  # into the side: 2 dice each, and a control roll each
    assert [int(car.score) for car in scene.cars] == [2, 1]


def test_the_hound_whose_attack_made_the_fox_lose_control_for_good_has_destroyed_it() -> None:
    scene = cars(3, FOX)
    scene.put(0, (5, 6), SIDE, 2)
    scene.put(1, (5, 5), SIDE, 2).progress = -5.0
    scene.cars[0].level, scene.cars[0].progress, scene.cars[2].progress = 5, 20.0, 9.0
    scene.tell(2, LEFT, SLIDE)
    scene.tell(3, SLOW)
    scene.tell(ROLL_CONTROL, DAMAGE)
    scene.tell(ROLL_DAMAGE, DAMAGE)
    scene.engine.moving.resolve(scene.race, 1, 0, layout.PERSONAL, 1)
    assert scene.cars[0].wrecked
    assert scene.engine.rounds._is_over(scene.race)
    assert places(scene)[1] == 1


def test_a_hound_that_ran_into_the_fox_has_caught_it_whatever_it_hits_next() -> None:
    scene = cars(3, FOX)
    fox = scene.cars[0]
    scene.tell(ROLL_DAMAGE, *[SLIDE] * 12)
    for hit in (0, 2):
        scene.put(1, (5, 5), SIDE, 4)
        scene.put(hit, (6, 5), SIDE, 1)
        scene.put(2 - hit, (9, 9), SIDE, 1)
        assert not scene.engine.control.enter(scene.race, 1, 0, False, False, -1)
        scene.engine.control.work_off_tasks(scene.race)
    fox.progress = 50.0
    assert scene.engine.rounds._is_over(scene.race)
    assert places(scene)[1] == 1


@pytest.mark.parametrize("kind", [layout.TOUGHEST, PURSUIT, FOX])
def test_nobody_leads_or_trails_where_vehicles_chase_each_other_round_the_track(kind: int) -> None:
    """Otherwise the fox, six hexes ahead, could not accelerate."""
    races = Races(kind, cars=2, rounds=30)
    races.runs(1)
    races.cars.wrecked = 0
    races.cars.finished = 0
    races.cars.progress = 40.0, 10.0
    races.engine.rounds._standings(races.race)
    assert not races.cars.leads_by.any()
    assert not races.cars.trails_by.any()


def test_cd_6_a_runner_in_a_hex_of_debris_is_one_marker_more_of_one_roll() -> None:
    scene = cars(1, SCORING)
    car = scene.put(0, (5, 5), SIDE, 3)
    scene.race.cells[scene.cell(6, 5)].fragile = 2
    scene.race.cells[scene.cell(6, 5)].runner = 1
    scene.race.rules.runner[0].cell = scene.cell(6, 5)
    scene.tell(ROLL_DAMAGE, *[SLIDE] * 4)  # half of 3, rounded up, and 2 further markers
    scene.engine.control.enter(scene.race, 0, 0, False, False, -1)
    assert scene.used_up
    assert (car.score, scene.race.rules.runner[0].cell) == (3, -1)
    assert scene.race.cells[scene.cell(6, 5)].fragile == 1


def test_cd_5_a_wreck_has_the_points_of_its_place() -> None:
    scene = cars(3, SCORING)
    scene.rules.place_points = 5, 3, 1
    for v, progress in enumerate((9.0, 4.0, 12.0)):
        scene.cars[v].progress = progress
    scene.cars[2].wrecked, scene.cars[2].wreck_order = 1, 4
    scene.engine.rounds.place_scores(scene.race)
    assert [int(car.score) for car in scene.cars] == [5, 3, 1]


def test_cd_6_runners_wait_before_an_occupied_hex() -> None:
    scene = cars(1)
    scene.rules.runners = 1
    runner = scene.race.rules.runner[0]
    runner.cell, runner.direction = scene.cell(4, 5), 0
    scene.race.cells[runner.cell].runner = 1
    scene.put(0, (5, 5))
    scene.engine.rounds._runners_move(scene.race)
    assert runner.cell == scene.cell(4, 5)
    scene.put(0, (9, 9))
    scene.engine.rounds._runners_move(scene.race)
    assert runner.cell == scene.cell(5, 5)


def test_cd_10_damage_and_clp_of_a_round_come_before_its_speed_check() -> None:
    """The CLP come first, and the check at a safe rating removes them."""
    effects = [{"at": 1, "effect": "control-loss", "number": 2}, {"at": 6, "effect": "wipe-out"}]
    scene = Scene(values(damage=effects))
    scene.chooses()
    scene.rules.rounds = 99
    scene.tell(ROLL_DAMAGE, DAMAGE)
    scene.engine.car.damage(scene.race, 0, 1, 0)
    scene.tell(ROLL_SPEED, SLIDE, SLIDE)
    scene.engine.rounds.play_round(scene.race)
    assert scene.cars[0].clp == 0


def test_cd_10_maintenance_is_stamina_then_its_effects_then_reactions_then_cards() -> None:
    scene = Scene(values(traits=[{"trait": "reactions", "number": 1}]))
    scene.chooses()
    car = scene.put(0, (5, 5), SIDE, 4)
    car.stamina, car.clp, car.pile[0] = 10, 3, layout.SPENT
    scene.engine.rounds._end_round(scene.race, 0)  # −1: 9, speed −1 and a virtual Reins
    assert (car.stamina, car.rating, car.virtual_reins, car.clp) == (9, 3, 1, 2)
    assert car.pile[0] == layout.RECOVERY


def test_cd_62_virtual_cards_count_in_the_next_check_and_alone_do_not_accelerate() -> None:
    scene = Scene()
    scene.chooses()
    car = scene.put(0, (5, 5), SIDE, 4)
    car.virtual_reins, down = 1, int(car.down)
    scene.tell(ROLL_SPEED, SLIDE, LEFT, RIGHT)  # 2 dice and 1: decelerating, it helps
    scene.engine.rounds.speed_check(scene.race, 0)
    assert scene.used_up
    assert (car.down, car.virtual_reins) == (down - 4, 0)


def test_without_the_stamina_option_nothing_of_it_happens() -> None:
    scene = Scene(options=())
    scene.chooses()
    car = scene.put(0, (5, 5), SIDE, 6)
    scene.engine.rounds._end_round(scene.race, 0)
    assert car.stamina == 10
    car.clp = 0
    scene.tell(ROLL_CONTROL, 1, 2, LEFT, RIGHT)
    scene.engine.control.push_roll(scene.race, 0, -1, 0, False, -1, -1)
    scene.engine.control.work_off_tasks(scene.race)
    assert (car.stamina, car.clp) == (10, 2)


def test_grandstanding_keeps_the_speed_of_who_champs_at_the_bit() -> None:
    scene = Scene(
        values(traits=[{"trait": "champing-at-the-bit"}]), options=["grandstanding", "stamina"]
    )
    scene.chooses()
    car = scene.put(0, (5, 5), SIDE, 4)
    up, car.leads_by = int(car.up), 4
    scene.engine.rounds.speed_check(scene.race, 0)
    assert (car.up, car.rating) == (up, 4)


def test_whips_of_shame_roll_a_die_more_to_accelerate_and_keep_two() -> None:
    for trails, dice in ((3, 3), (4, 4)):
        scene = Scene(options=["whips-of-shame"])
        scene.chooses(speed_plan=_accelerates)
        scene.cars[0].trails_by = trails
        scene.tell(ROLL_SPEED, *[SLOW] * dice)
        scene.engine.rounds.speed_check(scene.race, 0)
        assert scene.used_up
        assert scene.cars[0].up == 2


def _accelerates(race: Any, v: int) -> None:
    race.cars[v].order.accelerate, race.cars[v].order.uses[0] = 1, 1


def test_rival_adds_when_it_was_ahead_at_the_start_of_the_round() -> None:
    for ahead, boxes in ((5.0, 4), (-5.0, 2)):
        scene = Scene(values(traits=[{"trait": "rival", "number": 2}]), values())
        scene.chooses(speed_plan=_accelerates)
        scene.cars[0].rival, scene.cars[1].progress = 1, ahead
        scene.engine.rounds._standings(scene.race)
        scene.tell(ROLL_SPEED, *[SLOW] * 3)
        scene.engine.rounds.speed_check(scene.race, 0)
        assert scene.cars[0].up == boxes


def test_x_1_traits_that_roll_and_discard_more_still_do() -> None:
    scene = Scene(
        values(traits=[{"trait": "long-legs", "number": 1}]), options=["simple-speed-check"]
    )
    scene.chooses(speed_plan=_accelerates)
    scene.tell(ROLL_SPEED, SLIDE, DAMAGE)
    scene.engine.rounds.speed_check(scene.race, 0)
    assert scene.used_up
    assert scene.cars[0].up == 3 - 1  # the card, of which nothing was said, takes 1


def test_cards_are_never_lost_but_by_damage_and_discards() -> None:
    races = Races()
    rules = races.race
    for _ in races.rounds(2):
        for car in races.cars:
            vehicle = rules.vehicles[car.vehicle]
            piles = car.pile[: vehicle.cards]
            gone = int((piles == layout.GONE).sum())
            may_go = int(vehicle.once.sum()) + int((vehicle.op == layout.OP_LOSE_CARD).sum())
            assert gone <= may_go
            if not car.wrecked and not car.finished and rules.rules.phase == 3:
                assert not (piles == layout.SPENT).any()


@pytest.mark.parametrize("dice", [2, 3, 4])
def test_the_engines_speed_checks_have_the_odds_of_the_dice(dice: int) -> None:
    """Compare the engine with the exact odds, by chi-square."""
    scene = Scene()
    scene.engine.rolls.roll_die = DRAW
    scene.chooses()
    race, exact = scene.race, keep_odds(Die((0, 1, 1, 2, 2, 3)), dice)
    scene.rules.race_round, seen = 0, dict.fromkeys(exact, 0)
    rolls = 1500
    for _ in range(rolls):
        scene.rules.race_round += 1
        scene.cars[0].drawn[:] = 0
        scene.engine.car.clear_order(race, 0)
        scene.engine.rolls.roll(race, 0, ROLL_SPEED, dice)
        seen[int(scene.engine.rounds.kept(race, 0, 0))] += 1
    far = math.fsum((seen[n] - rolls * p) ** 2 / (rolls * p) for n, p in exact.items() if p)
    assert far < 24  # 6 degrees of freedom at most, 0.05 %
