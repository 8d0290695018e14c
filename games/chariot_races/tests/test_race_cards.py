"""Cards in the engine (CD-11 to CD-13, CD-63)."""

from typing import Any

import pytest
from gridpress_chariot_dash.dice import DAMAGE, HASTE, LEFT, RIGHT, SLIDE, SLOW
from gridpress_chariot_races.race.layout import (
    AS_SPECIAL,
    GONE,
    HAND,
    PERSONAL,
    RECOVERY,
    REINS,
    ROLL_ATTACK,
    ROLL_CONTROL,
    ROLL_DAMAGE,
    ROLL_DEFENCE,
    ROLL_OTHER,
    ROLL_SPEED,
    SPENT,
    VEHICLE,
    WHIP,
)
from scenes import SIDE, Scene, check, orders, plays, roll, special, trait, values

OWN = {"id": "own", "name": "Own", "type": "either", "text": "", "number": "none"}


def own(moment: str, does: str) -> dict[str, Any]:
    """Return fields of a vehicle with a special of its own."""
    return {"specials": [{"special": {**OWN, "moment": moment, "does": does}, "side": "whip"}]}


def test_cd_11_any_number_of_cards_in_a_speed_check_and_all_are_spent() -> None:
    scene = Scene(values(whip=6))
    scene.chooses(speed_plan=orders(dict.fromkeys(range(6), WHIP), accelerate=1))
    scene.tell(ROLL_SPEED, *[SLOW] * 6, DAMAGE, DAMAGE)
    check(scene)
    assert list(scene.cars[0].pile[:6]) == [SPENT] * 6
    assert scene.cars[0].up == 6


def test_cd_11_only_cards_in_hand_may_be_used() -> None:
    scene = Scene()
    scene.chooses(speed_plan=plays(accelerate=1, whips=1))
    scene.cars[0].pile[0] = RECOVERY
    scene.tell(ROLL_SPEED, SLIDE, SLIDE)
    check(scene)
    assert scene.cars[0].up == 0  # without a card it decelerates


def test_cd_11_a_special_leaves_the_race_when_its_special_side_is_used_only() -> None:
    for use, pile in ((AS_SPECIAL, GONE), (WHIP, SPENT)):
        scene = Scene(values(**special("lash", "whip", 2, once=True)))
        scene.chooses(speed_plan=orders({6: use}, accelerate=1))
        scene.tell(ROLL_SPEED, SLOW, SLOW, SLIDE)
        check(scene)
        assert scene.cars[0].pile[6] == pile


def test_cd_12_a_dual_card_is_the_type_of_the_side_played() -> None:
    for use, boxes in ((WHIP, 5), (REINS, 1)):
        scene = Scene(values(dual=1))
        scene.chooses(speed_plan=orders({6: use}, accelerate=1))
        scene.tell(ROLL_SPEED, SLIDE, LEFT, DAMAGE)
        if use == REINS:
            scene.dice[ROLL_SPEED] = [SLIDE, SLOW, DAMAGE]
        check(scene)
        assert scene.cars[0].up == boxes


def test_cd_13_each_die_is_re_rolled_once_and_no_more_than_allowed() -> None:
    scene = Scene(values(**trait("lash", 2)))
    scene.chooses(speed_plan=plays(accelerate=1, whips=1), speed_reroll=orders(mask=7))
    scene.tell(ROLL_SPEED, SLIDE, SLIDE, SLIDE, DAMAGE, LEFT)
    check(scene)
    assert scene.cars[0].up == 5


@pytest.mark.parametrize(
    ("name", "side", "accelerate", "boxes"), [("lash", "whip", 1, 4), ("whoah", "reins", 0, -4)]
)
def test_specials_that_add_to_a_speed_check_are_a_card_of_it_too(
    name: str, side: str, accelerate: int, boxes: int
) -> None:
    scene = Scene(values(**special(name, side, 2)))
    scene.chooses(speed_plan=orders({6: AS_SPECIAL}, accelerate=accelerate))
    car = scene.put(0, (3, 5), rating=0 if accelerate else 4)
    up, down = int(car.up), int(car.down)
    scene.tell(ROLL_SPEED, SLOW, SLOW, SLIDE)  # two dice, and one for the card
    check(scene)
    assert (car.up - up if accelerate else car.down - down) == boxes


def test_a_special_of_the_other_direction_is_not_played() -> None:
    scene = Scene(values(**special("whoah", "reins", 2)))
    scene.chooses(speed_plan=orders({6: AS_SPECIAL}, accelerate=1))
    scene.tell(ROLL_SPEED, SLIDE, SLIDE)
    check(scene)
    assert scene.cars[0].pile[6] == HAND


def test_lucky_re_rolls_its_dice_after_any_roll_and_adds_none() -> None:
    scene = Scene(values(**special("lucky", "whip", 2)))
    scene.chooses(speed_plan=plays(accelerate=1, whips=1), speed_reroll=orders(card=6, mask=0b110))
    scene.tell(ROLL_SPEED, DAMAGE, SLIDE, SLIDE, DAMAGE, SLOW)
    check(scene)
    assert scene.cars[0].up == 6
    scene = Scene(values(**special("lucky", "whip", 1)))
    scene.chooses(damage_again=orders(card=6, mask=1))
    scene.tell(ROLL_DAMAGE, DAMAGE, SLIDE, SLIDE)
    assert scene.engine.car.damage(scene.race, 0, 2, 0) == 0
    scene = Scene(values(**special("lucky", "reins", 1)))
    scene.chooses(control_reroll=orders(card=6, mask=1))
    scene.put(0, (3, 5), rating=3)
    assert roll(scene, DAMAGE, LEFT).level == 0


def fight(
    scene: Scene, kind: int, cards: dict[int, int], faces: list[int], others: list[int]
) -> None:
    """Let the first car attack the second beside it."""
    scene.put(0, (5, 5), SIDE, 2)
    scene.put(1, (5, 6), SIDE, 2)
    told = [(cards, kind)]

    def attacks(race: Any, v: int) -> None:
        order = race.cars[v].order
        order.attack = 0
        if told and v == 0:
            uses, order.attack = told.pop()
            for card, use in uses.items():
                order.uses[card] = use

    scene.engine.choices.attack = attacks
    scene.tell(ROLL_ATTACK, *faces)
    scene.tell(ROLL_DEFENCE, *others)
    scene.engine.moving.attack_all(scene.race, 0, True, 1)
    assert scene.used_up


@pytest.mark.parametrize(
    ("name", "side", "kind"), [("berserker", "whip", PERSONAL), ("headlong", "reins", VEHICLE)]
)
def test_attack_specials_start_the_attack_and_add_to_its_value(
    name: str, side: str, kind: int
) -> None:
    scene = Scene(values(**special(name, side, 3)), values(control_minimum=0))
    scene.chooses()
    if kind == PERSONAL:
        scene.tell(ROLL_CONTROL, *[LEFT, RIGHT] * 2)
    else:
        scene.tell(ROLL_DAMAGE, *[SLIDE] * 5)
    # 1 + 1 dice, 1 + 1 + 3 against 1
    fight(scene, kind, {6: AS_SPECIAL}, [SLOW, SLOW], [SLOW])
    assert scene.cars[0].pile[6] == SPENT
    if kind == PERSONAL:
        assert scene.cars[1].clp == 6  # 4, and 2 pairs


def test_a_special_of_the_other_kind_of_attack_starts_none() -> None:
    scene = Scene(values(**special("headlong", "reins", 3)), values())
    scene.chooses()
    fight(scene, PERSONAL, {6: AS_SPECIAL}, [], [])
    assert (scene.cars[0].attacks, scene.cars[0].pile[6]) == (0, HAND)


@pytest.mark.parametrize(
    ("name", "side", "kind"), [("shield", "whip", PERSONAL), ("swerve", "reins", VEHICLE)]
)
def test_defence_specials_add_to_ones_own_value(name: str, side: str, kind: int) -> None:
    scene = Scene(values(), values(**special(name, side, 3)))
    scene.chooses(defence=orders({6: AS_SPECIAL}))
    # 2 + 2 against 1 + 0 + 3: a tie, or the attacker would have won by 3
    card = {0: WHIP} if kind == PERSONAL else {3: REINS}
    if kind == PERSONAL:
        scene.tell(ROLL_CONTROL, *[LEFT, RIGHT] * 4)
    else:
        scene.tell(ROLL_DAMAGE, *[SLIDE] * 10)
    fight(scene, kind, card, [LEFT, LEFT], [SLOW, SLIDE])
    assert scene.cars[1].pile[6] == SPENT


@pytest.mark.parametrize(("kind", "card"), [(PERSONAL, {0: WHIP}), (VEHICLE, {3: REINS})])
def test_cd_39_a_target_defends_with_cards_of_the_attacks_own_type_only(
    kind: int, card: dict[int, int]
) -> None:
    scene = Scene(values(), values())
    scene.chooses(defence=orders({0: WHIP, 3: REINS}))
    if kind == PERSONAL:
        scene.tell(ROLL_CONTROL, LEFT, RIGHT, SLOW)
    else:
        scene.tell(ROLL_DAMAGE, *[SLIDE] * 4)
    fight(scene, kind, card, [SLIDE, SLOW], [LEFT, LEFT])  # 1 to 4, with two dice
    assert list(scene.cars[1].pile[[0, 3]]) == (
        [SPENT, HAND] if kind == PERSONAL else [HAND, SPENT]
    )


def test_yah_and_brake_re_read_the_roll_and_the_last_one_holds() -> None:
    for name, side, rating in (("yah", "whip", 6), ("brake", "reins", 4)):
        scene = Scene(values(**special(name, side)))
        scene.chooses(control_reread=orders(card=6, times=1))
        car = scene.put(0, (3, 5), rating=5)
        roll(scene, SLOW, HASTE, HASTE)  # all haste: 3 boxes; all slow: 3 back
        assert (car.rating, car.pile[6]) == (rating, SPENT)
    both = values(
        specials=[{"special": "yah", "side": "whip"}, {"special": "brake", "side": "reins"}]
    )
    scene = Scene(both)
    played = iter([6, 7, -1])

    def rereads(race: Any, v: int) -> None:
        race.cars[v].order.card = next(played)

    scene.chooses(control_reread=rereads)
    car = scene.put(0, (3, 5), rating=5)
    down = int(car.down)
    roll(scene, SLOW, HASTE, HASTE)
    assert car.down == down - 3


def test_cool_sweeps_one_icon_away_after_re_rolls() -> None:
    scene = Scene(values(**special("cool", "whip"), **trait("handling", 1)))
    scene.chooses(
        control_reroll=orders(mask=1), control_reread=orders(card=6, icon=DAMAGE, times=1)
    )
    car = scene.put(0, (3, 5), rating=5)
    roll(scene, LEFT, DAMAGE, DAMAGE, DAMAGE)  # the spin is rolled again, and all damage is swept
    assert (car.level, car.clp, car.facing) == (0, 0, SIDE)


def test_control_special_rolls_and_discards_more_beside_its_card() -> None:
    scene = Scene(values(**special("control", "reins", 2)))
    scene.chooses(control_cards=orders({6: AS_SPECIAL}), control_discard=orders(mask=0b111))
    car = scene.put(0, (3, 5), rating=3)
    roll(scene, DAMAGE, DAMAGE, DAMAGE, LEFT)  # 1 + 1 for the card + 2, and 3 discards
    assert (car.level, car.facing) == (0, 1)


def test_survivor_rolls_all_of_a_damage_roll_again_and_the_second_stands() -> None:
    scene = Scene(values(**special("survivor", "whip")))
    scene.chooses(damage_again=orders(card=6))
    scene.tell(ROLL_DAMAGE, SLIDE, SLIDE, DAMAGE, DAMAGE)
    assert scene.engine.car.damage(scene.race, 0, 2, 0) == 2
    assert scene.cars[0].pile[6] == SPENT


def test_determination_returns_all_of_spent_and_is_then_spent_itself() -> None:
    scene = Scene(values(**special("determination", "whip")))
    scene.chooses(at_end=orders(card=6))
    car = scene.cars[0]
    car.pile[:4] = [SPENT, SPENT, RECOVERY, HAND]
    scene.engine.rounds._end_round(scene.race, 0)
    assert list(car.pile[:4]) == [HAND] * 4
    assert car.pile[6] == RECOVERY  # spent, and the cards of Spent go to Recovery


def test_emergency_stop_costs_a_rating_for_each_hex_from_the_next_phase_on() -> None:
    scene = Scene(values(**special("emergency-stop", "reins")))
    scene.chooses(movement=orders(card=6, use=AS_SPECIAL, hexes=2))
    car = scene.put(0, (3, 5), rating=5)
    scene.phase(0, 0)  # 4 hexes, less 2
    assert (car.cell, car.rating) == (scene.cell(5, 5), 5)
    scene.engine.moving.end_phase(scene.race, 0)
    assert car.rating == 3


def test_ramming_speed_is_a_hex_more_and_lets_collide_on_purpose() -> None:
    for card, collisions in ((6, 1), (0, 0)):
        scene = Scene(values(**special("ramming-speed", "whip")), values())
        use = AS_SPECIAL if card == 6 else WHIP
        scene.chooses(movement=orders(card=card, use=use))
        car = scene.put(0, (3, 5), rating=1)  # 1 hex
        scene.put(1, (5, 5), SIDE, 0)
        if collisions:
            scene.tell(ROLL_DAMAGE, SLIDE, SLIDE)
        scene.phase(0, 0)
        assert car.collisions == collisions
        assert car.pile[card] == (SPENT if collisions or card == 0 else HAND)


def test_cd_63_stamina_takes_from_spent_before_recovery_returns() -> None:
    scene = Scene(values(**trait("stamina", 1)))
    scene.chooses()
    car = scene.cars[0]
    car.pile[:3] = [SPENT, SPENT, RECOVERY]
    scene.engine.rounds._end_round(scene.race, 0)
    assert sorted(car.pile[:3]) == [HAND, HAND, RECOVERY]


def test_adaptive_swaps_for_the_opposite_type_lying_in_spent_or_recovery() -> None:
    scene = Scene(values(**trait("adaptive", 1)))
    scene.chooses(swap=orders(mask=0b11))  # two Whips asked for, one allowed
    car = scene.cars[0]
    car.pile[2], car.pile[4] = SPENT, RECOVERY  # a Whip, and Reins
    scene.engine.rounds._begin_round(scene.race, 0)
    assert list(car.pile[:6]) == [RECOVERY, HAND, SPENT, HAND, HAND, HAND]


def test_reactions_remove_clp_down_to_the_minimum() -> None:
    scene = Scene(values(control_minimum=1, **trait("reactions", 3)))
    scene.chooses()
    scene.cars[0].clp = 3
    scene.engine.rounds._end_round(scene.race, 0)
    assert scene.cars[0].clp == 1


def test_a_number_that_is_a_die_is_rolled_each_time() -> None:
    scene = Scene(values(**special("lash", "whip", "a die")))
    scene.chooses(speed_plan=orders({6: AS_SPECIAL}, accelerate=1))
    scene.tell(ROLL_OTHER, DAMAGE)
    scene.tell(ROLL_SPEED, SLOW, SLIDE, SLIDE)
    check(scene)
    assert scene.cars[0].up == 4
    scene = Scene(values(**trait("hyperactive", "a die")))  # type: ignore[arg-type]
    for face, boxes in ((DAMAGE, 4), (SLIDE, 1)):
        scene.chooses(speed_plan=plays(accelerate=1, whips=1))
        scene.put(0, (3, 5), rating=0)
        scene.cars[0].pile[0] = HAND
        scene.tell(ROLL_OTHER, face)
        scene.tell(ROLL_SPEED, SLOW, SLIDE, SLIDE)
        check(scene)
        assert scene.cars[0].up == boxes


def test_tireless_with_a_die_never_rolls_whatever_it_shows() -> None:
    for face, boxes in ((SLIDE, 0), (LEFT, 2)):
        scene = Scene(values(**trait("tireless", "a die")))  # type: ignore[arg-type]
        scene.chooses(speed_plan=plays(accelerate=1, whips=1, boxes=3))
        scene.tell(ROLL_OTHER, face)
        check(scene)
        assert scene.cars[0].up == boxes
        assert scene.cars[0].pile[0] == SPENT


def test_own_specials_work_at_every_moment_and_none_is_never_played() -> None:
    scene = Scene(values(**own("accelerating", "dice+1 value+1 rerolls+1")))
    scene.chooses(speed_plan=orders({6: AS_SPECIAL}, accelerate=1), speed_reroll=orders(mask=1))
    scene.tell(ROLL_SPEED, SLIDE, SLIDE, SLIDE, SLIDE, SLOW)
    check(scene)
    assert scene.cars[0].up == 2
    scene = Scene(values(**own("control", "dice+1 haste-as-slow")))
    scene.chooses(control_cards=orders({6: AS_SPECIAL}))
    car = scene.put(0, (3, 5), rating=3)
    down = int(car.down)
    roll(scene, HASTE, HASTE, SLOW)
    assert car.down == down - 3
    scene = Scene(values(**own("damage.after", "rerolls+1")))
    scene.chooses(damage_again=orders(card=6, mask=1))
    scene.tell(ROLL_DAMAGE, DAMAGE, SLIDE)
    assert scene.engine.car.damage(scene.race, 0, 1, 0) == 0
    for does in ("none", ""):
        scene = Scene(values(**own("accelerating", does)))
        scene.chooses(speed_plan=orders({6: AS_SPECIAL}, accelerate=1))
        scene.tell(ROLL_SPEED, SLIDE, SLIDE)
        check(scene)
        assert scene.cars[0].pile[6] == HAND
