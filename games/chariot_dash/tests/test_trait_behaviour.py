"""What each of the 47 traits does to a vehicle, step by step of the round."""

import pytest
from chariots import OPTIONS, Script, components, start, trait
from gridpress_chariot_dash import control, damage, movement
from gridpress_chariot_dash.cards import Moment, Play, Use
from gridpress_chariot_dash.contact import Clash, Impact, Side, fight, sides, suffer_impact, touches
from gridpress_chariot_dash.control import Outcome
from gridpress_chariot_dash.damage import Source
from gridpress_chariot_dash.dice import highest
from gridpress_chariot_dash.movement import Pose, Target, may_attack
from gridpress_chariot_dash.race.race import end_of_round, start_of_round
from gridpress_chariot_dash.speed_check import SpeedPlan, Standing, check, directions, terms
from gridpress_chariot_dash.state import Played, State, play, recover

FASTER, SLOWER = SpeedPlan(accelerate=True), SpeedPlan(accelerate=False)
WHIP, REINS = Played(whips=1), Played(reins=1)
PLAIN = start(speed=3)


def boxes(state: State, plan: SpeedPlan, values: list[int], *cards, **standing) -> int:
    dice = Script(values=values)
    played = cards[0] if cards else Played()
    _, moved = check(state, plan, dice, OPTIONS, played, Standing(**standing))
    assert dice.used_up
    return moved


def test_every_trait_has_a_test() -> None:
    names = [c["id"].replace("-", "_") for c in components("traits.yaml")]
    assert [name for name in names if f"test_{name}" not in globals()] == []


# card recovery


def test_stamina() -> None:
    plays = [Play(0, Use.WHIP), Play(1, Use.WHIP)]
    state, _ = play(start(trait("stamina", 1)), plays, Moment.MOVE)
    piles = end_of_round(state, OPTIONS, Script()).piles
    assert 0 in piles.hand
    assert (piles.recovery, piles.spent) == ((1,), ())
    plain = state._replace(condition=PLAIN.condition)
    assert end_of_round(plain, OPTIONS, Script()).piles.recovery == (0, 1)
    with pytest.raises(ValueError, match="at most 0"):
        recover(plain, [1])


def test_adaptive() -> None:
    state = start(trait("adaptive", 1))
    state, played = play(state, [Play(0, Use.REINS)], Moment.SPEED)
    assert (played.whips, played.reins, state.swaps) == (0, 1, 1)
    with pytest.raises(ValueError, match="does not count as"):
        play(state, [Play(1, Use.REINS)], Moment.SPEED)
    state = start_of_round(state)
    assert play(state, [Play(1, Use.REINS)], Moment.SPEED)[1].reins == 1


# speed


def test_encouragement() -> None:
    state = start(trait("encouragement"))
    for moment in (Moment.SPEED, Moment.MOVE):
        assert play(state, [Play(3, Use.WHIP)], moment)[1] == Played(whips=1)
        with pytest.raises(ValueError, match="does not count as"):
            play(PLAIN, [Play(3, Use.WHIP)], moment)
    with pytest.raises(ValueError, match="does not count as"):
        play(state, [Play(3, Use.WHIP)], Moment.PERSONAL_ATTACK)


def test_beastmaster() -> None:
    both = Played(whips=1, reins=2)
    assert boxes(start(trait("beastmaster")), FASTER, [0, 0, 1, 3, 3], both) == 6
    assert boxes(PLAIN, FASTER, [0, 0, 1, 3, 3], both) == 0


# acceleration


def test_champing_at_the_bit() -> None:
    state = start(trait("champing-at-the-bit"))
    assert directions(state, 0, Standing(), OPTIONS) == (True,)
    assert directions(PLAIN, 0, Standing(), OPTIONS) == (False,)
    assert boxes(state, FASTER, [1, 2]) == 3
    with pytest.raises(ValueError, match="may not choose"):
        boxes(state, SLOWER, [1, 2])


def test_rival() -> None:
    state = start(trait("rival", 2))
    assert boxes(state, FASTER, [1, 0, 1], WHIP, rival_ahead=True) == 4
    assert boxes(state, FASTER, [1, 0, 1], WHIP) == 2


def test_tireless() -> None:
    state = start(trait("tireless", 2))
    moved, count = check(state, SpeedPlan(True, free=2), Script(), OPTIONS)
    assert (count, moved.marker.acceleration) == (2, 2)
    with pytest.raises(ValueError, match="up to 2 boxes"):
        check(state, SpeedPlan(True, free=3), Script(), OPTIONS)
    with pytest.raises(ValueError, match="up to 0 boxes"):
        check(PLAIN, SpeedPlan(True, free=1), Script(), OPTIONS)


def test_long_legs() -> None:
    assert boxes(start(trait("long-legs", 1)), FASTER, [0, 0, 2, 3], WHIP) == 5
    assert boxes(PLAIN, FASTER, [0, 0, 2], WHIP) == 2


def test_lash() -> None:
    assert boxes(start(trait("lash", 1)), FASTER, [0, 1, 1, 3], WHIP) == 4
    assert boxes(start(trait("lash", 1), speed=6), SLOWER, [1, 1]) == -2


def test_cautious() -> None:
    assert boxes(start(trait("cautious", 1)), FASTER, [3, 0, 0], WHIP) == 2
    assert boxes(start(trait("cautious", 2), speed=4), FASTER, [1, 0, 0], WHIP) == -1


def test_hyperactive() -> None:
    assert boxes(start(trait("hyperactive", 2)), FASTER, [1, 0, 0], WHIP) == 3


# deceleration


def test_anchor() -> None:
    state = start(trait("anchor", 2), speed=5)
    assert check(state, SpeedPlan(False, free=0), Script(), OPTIONS)[1] == 0
    assert check(state, SpeedPlan(False, free=2), Script(), OPTIONS)[1] == -2
    with pytest.raises(ValueError, match="up to 2 boxes"):
        check(state, SpeedPlan(False, free=3), Script(), OPTIONS)


def test_rubber_shoes() -> None:
    assert boxes(start(trait("rubber-shoes", 1), speed=5), SLOWER, [1, 0, 3]) == -4


def test_tight_leash() -> None:
    assert boxes(start(trait("tight-leash", 1), speed=5), SLOWER, [0, 2, 3]) == -5


def test_reckless() -> None:
    assert boxes(start(trait("reckless", 2), speed=3), SLOWER, [3, 2]) == -3
    assert boxes(start(trait("reckless", 2), speed=3), SLOWER, [0, 1]) == 1


def test_lazy() -> None:
    assert boxes(start(trait("lazy", 1), speed=5), SLOWER, [1, 1]) == -3


# movement


def test_flyer() -> None:
    flyer = start(trait("flyer"))
    assert not touches(flyer, low=True)
    assert touches(flyer, low=False)
    assert touches(PLAIN, low=True)


def test_leap() -> None:
    pose = Pose((0, 0), 0)
    over = [jump.over for jump in movement.jumps(start(trait("leap")), pose, 4, OPTIONS)]
    assert over == [((1, 0),), ((1, 0), (2, 0))]
    assert len(movement.jumps(PLAIN, pose, 4, OPTIONS)) == 1


def test_whitey() -> None:
    assert movement.jumps(start(trait("whitey")), Pose((0, 0), 0), 4, OPTIONS) == ()


# control


def test_driver() -> None:
    asked = control.demand(start(trait("driver", 2), speed=4), OPTIONS)
    assert asked is not None
    assert (asked.dice, asked.discards) == (4, 2)
    assert control.roll(asked, Script("damage damage slide haste")).damage == 0


def test_handling() -> None:
    asked = control.demand(start(trait("handling", 1), speed=3), OPTIONS)
    assert asked is not None
    assert (asked.dice, asked.rerolls) == (1, 1)
    assert control.roll(asked, Script("damage haste")) == Outcome(haste=1, clp=1)


def test_reactions() -> None:
    state = start(trait("reactions", 2), speed=4).unsteadied(3)
    assert end_of_round(state, OPTIONS, Script()).clp == 1


def test_spinner() -> None:
    swing = control.swing(start(trait("spinner", 1)), Outcome(left=2))
    assert swing.spin == 3
    assert control.swing(start(trait("spinner", 3)), Outcome(right=2)).spin == -4


def test_slippery() -> None:
    assert control.swing(start(trait("slippery", 1)), Outcome(slides=2)).slides == 3
    assert control.swing(start(trait("slippery", 3)), Outcome(slides=1)).slides == 2


# attacks


def attacker(on: Target, *traits) -> Side:
    return sides(on, start(*traits, speed=3), PLAIN, WHIP if on is Target.DRIVER else REINS)[0]


def defender(on: Target, *traits) -> Side:
    return sides(on, PLAIN, start(*traits, speed=3), WHIP if on is Target.DRIVER else REINS)[1]


def untouched(name: str, on: Target, number: int | None, *, defends: bool) -> bool:
    """The trait changes neither the other kind of attack nor the other side."""
    side, other = (defender, attacker) if defends else (attacker, defender)
    wrong = Target(1 - on)
    given = trait(name, number)
    return side(wrong, given) == side(wrong) and other(on, given) == other(on)


def test_snapper() -> None:
    state = start(trait("snapper"))
    assert play(state, [Play(0, Use.REINS)], Moment.VEHICLE_ATTACK)[1] == REINS
    for moment in (Moment.SPEED, Moment.VEHICLE_DEFENCE):
        with pytest.raises(ValueError, match="does not count as"):
            play(state, [Play(0, Use.REINS)], moment)


def test_savage() -> None:
    pose = Pose((0, 0), 0)
    for state, allowed in ((start(trait("savage")), True), (PLAIN, False)):
        assert may_attack(state, pose, (1, 0), Target.VEHICLE, OPTIONS, 2) is allowed
        assert not may_attack(state, pose, (-1, 0), Target.VEHICLE, OPTIONS, 2)


def tie(on: Target, first: str | None, second: str | None = None) -> Clash:
    a, d = (start(*([trait(name)] if name else []), speed=3) for name in (first, second))
    pair = sides(on, a, d, WHIP if on is Target.DRIVER else REINS)
    return fight(on, *pair, Script(values=[1, 1, 2]))


def test_fortune_smiles() -> None:
    assert tie(Target.VEHICLE, "fortune-smiles").by == 1
    assert tie(Target.VEHICLE, None, "fortune-smiles").by == -1
    assert tie(Target.VEHICLE, "fortune-smiles", "fortune-smiles").by == 0
    assert tie(Target.DRIVER, "fortune-smiles").by == 0


def test_unlucky_charm() -> None:
    assert tie(Target.VEHICLE, "unlucky-charm").by == -1
    assert tie(Target.VEHICLE, None, "unlucky-charm").by == 1
    assert tie(Target.VEHICLE, "unlucky-charm", "fortune-smiles").by == -1
    assert tie(Target.DRIVER, "unlucky-charm").by == 0


def test_tank() -> None:
    assert attacker(Target.VEHICLE, trait("tank", 2)).dice == 4
    assert untouched("tank", Target.VEHICLE, 2, defends=False)


def test_persistent() -> None:
    assert attacker(Target.VEHICLE, trait("persistent", 2)).rerolls == 2
    assert untouched("persistent", Target.VEHICLE, 2, defends=False)


def test_blades() -> None:
    assert attacker(Target.VEHICLE, trait("blades", 2)).plus == 2
    assert untouched("blades", Target.VEHICLE, 2, defends=False)


def test_armoured() -> None:
    assert defender(Target.VEHICLE, trait("armoured", 2)).dice == 3
    assert untouched("armoured", Target.VEHICLE, 2, defends=True)


def test_evasive() -> None:
    assert defender(Target.VEHICLE, trait("evasive", 2)).rerolls == 2
    assert untouched("evasive", Target.VEHICLE, 2, defends=True)


def test_flimsy() -> None:
    assert defender(Target.VEHICLE, trait("flimsy", 2)).plus == -2
    assert untouched("flimsy", Target.VEHICLE, 2, defends=True)


def test_sneaky() -> None:
    pose = Pose((0, 0), 0)
    for state, allowed in ((start(trait("sneaky")), True), (PLAIN, False)):
        reach = (state, pose, (0, 1), Target.DRIVER, OPTIONS, 2)
        assert may_attack(*reach, own_move=False) is allowed
    sneaky = start(trait("sneaky"))
    assert not may_attack(sneaky, pose, (0, 1), Target.VEHICLE, OPTIONS, 2, own_move=False)


def test_lady_luck() -> None:
    assert tie(Target.DRIVER, "lady-luck").by == 1
    assert tie(Target.DRIVER, None, "lady-luck").by == -1
    assert tie(Target.VEHICLE, "lady-luck").by == 0


def test_cat_o_nine() -> None:
    assert attacker(Target.DRIVER, trait("cat-o-nine", 1)).dice == 3
    assert untouched("cat-o-nine", Target.DRIVER, 1, defends=False)


def test_frenzied() -> None:
    assert attacker(Target.DRIVER, trait("frenzied", 1)).rerolls == 1
    assert untouched("frenzied", Target.DRIVER, 1, defends=False)


def test_whiplash() -> None:
    assert attacker(Target.DRIVER, trait("whiplash", 1)).plus == 1
    assert untouched("whiplash", Target.DRIVER, 1, defends=False)


def test_shield() -> None:
    assert defender(Target.DRIVER, trait("shield", 1)).dice == 2
    assert untouched("shield", Target.DRIVER, 1, defends=True)


def test_guarded() -> None:
    assert defender(Target.DRIVER, trait("guarded", 1)).rerolls == 1
    assert untouched("guarded", Target.DRIVER, 1, defends=True)


def test_ill_fate() -> None:
    assert tie(Target.DRIVER, "ill-fate").by == -1
    assert tie(Target.DRIVER, None, "ill-fate").by == 1
    assert tie(Target.VEHICLE, "ill-fate").by == 0


def test_thin_skin() -> None:
    assert defender(Target.DRIVER, trait("thin-skin", 1)).plus == -1
    assert untouched("thin-skin", Target.DRIVER, 1, defends=True)


# damage


def rolled(state: State, source: Source, count: int = 3) -> int:
    return damage.dice_of(state, count, source)


def test_bsh() -> None:
    state = start(trait("bsh", 2))
    assert [rolled(state, source) for source in Source] == [3, 3, 1, 3]
    assert rolled(state, Source.COLLISION, 1) == 0


def test_failsafes() -> None:
    assert [rolled(start(trait("failsafes", 2)), source) for source in Source] == [1, 3, 3, 3]


def test_spiked() -> None:
    spiked = start(trait("spiked", 2), speed=3)
    for other, count in ((spiked, 4), (PLAIN, 2)):
        dice = Script(values=[0] * count)
        suffer_impact(PLAIN, Impact(2, 1), dice, OPTIONS, other)
        assert dice.used_up


def test_jerry_rigged() -> None:
    state = start(trait("jerry-rigged", 1))
    assert [rolled(state, source) for source in Source] == [4, 4, 4, 4]
    assert rolled(state, Source.ATTACK, 0) == 0


def test_directions_of_a_check_do_not_mix() -> None:
    state = start(trait("lash", 2), trait("tight-leash", 1), speed=4)
    assert terms(state, True, WHIP, Standing(), OPTIONS).rerolls == 2
    assert terms(state, False, WHIP, Standing(), OPTIONS).rerolls == 1
    assert FASTER.keep is highest
