"""The table of special cards, and what each of the 15 does when it is played."""

import pytest
from chariots import OPTIONS, Script, components, start, trait
from gridpress_chariot_dash import control, damage
from gridpress_chariot_dash.cards import (
    NO_BOOST,
    SPECIALS,
    Card,
    Front,
    Moment,
    Piles,
    Play,
    Use,
    boost,
    together,
)
from gridpress_chariot_dash.contact import Impact, Side, aftermath, sides, suffer_impact
from gridpress_chariot_dash.control import Outcome
from gridpress_chariot_dash.damage import Source
from gridpress_chariot_dash.movement import Target
from gridpress_chariot_dash.race.race import before_move, end_of_round
from gridpress_chariot_dash.speed_check import ALONE, SpeedPlan, check, terms
from gridpress_chariot_dash.state import Played, State, play


def test_a_plain_card_has_no_special_and_no_number() -> None:
    assert Card(Front.WHIP) == Card(Front.WHIP, special="", number=0, once=False)


def test_a_card_goes_from_hand_to_spent_to_recovery_to_hand() -> None:
    piles = Piles((0, 1, 2)).played((1,))
    assert piles == Piles((0, 2), spent=(1,))
    piles = piles.recovered()
    assert piles == Piles((0, 2), recovery=(1,))
    assert piles.played((0,)).recovered() == Piles((2, 1), recovery=(0,))


def test_what_is_used_up_leaves_the_race() -> None:
    assert Piles((0, 1)).played((0, 1), (1,)) == Piles((), spent=(0,), gone=(1,))


def test_cards_that_are_not_there_cannot_be_moved() -> None:
    with pytest.raises(ValueError, match="not in the hand"):
        Piles((0, 1)).played((0, 0))
    with pytest.raises(ValueError, match="not in Spent"):
        Piles((0, 1)).taken_back((0,))


def test_a_lost_card_is_gone_from_any_pile() -> None:
    piles = Piles((0,), (1,), (2,))
    for card in range(3):
        lost = piles.without(card)
        assert lost.gone == (card,)
        assert sorted(lost.hand + lost.recovery + lost.spent + lost.gone) == [0, 1, 2]


WHIP, REINS = Played(whips=1), Played(reins=1)


def holding(name: str, number: int | None = None, speed: int = 3) -> State:
    """A vehicle whose card 6 has the special."""
    side = "reins" if SPECIALS[name].behind == (Front.REINS,) else "whip"
    return start(speed=speed, specials=[{"side": side, "special": name, "number": number}])


def played(
    name: str, moment: Moment, number: int | None = None, speed: int = 3, *plays: Play
) -> tuple[State, Played]:
    return play(holding(name, number, speed), [Play(6, Use.SPECIAL), *plays], moment)


def test_the_names_sides_and_numbers_are_those_of_the_pack() -> None:
    fronts: dict[str, tuple[Front, ...]] = {"whip": (Front.WHIP,), "reins": (Front.REINS,)}
    fronts["either"] = (Front.WHIP, Front.REINS)
    listed = {c["id"]: fronts[c["type"]] for c in components("specials.yaml")}
    assert {name: special.behind for name, special in SPECIALS.items()} == listed
    assert len(SPECIALS) == 15
    for c in components("specials.yaml"):
        special = SPECIALS[c["id"]]
        assert (special.boost(1) != special.boost(2)) == (c.get("number") == "needed")


def test_every_special_has_a_test() -> None:
    names = [c["id"].replace("-", "_") for c in components("specials.yaml")]
    assert [name for name in names if f"test_{name}" not in globals()] == []


def test_every_special_adds_something_at_its_moments_only() -> None:
    for name, special in SPECIALS.items():
        for moment in Moment:
            if moment in special.moments:
                assert boost(name, 1, moment) != NO_BOOST
            else:
                with pytest.raises(ValueError, match=name):
                    boost(name, 1, moment)


def test_boosts_add_up() -> None:
    first, second = boost("lucky", 2, Moment.CONTROL), boost("control", 1, Moment.CONTROL)
    assert together(first, second) == NO_BOOST._replace(rerolls=2, discards=1)


def test_berserker() -> None:
    state, cards = played("berserker", Moment.PERSONAL_ATTACK, 2, 3, Play(0, Use.WHIP))
    assert sides(Target.DRIVER, state, start(), cards)[0].plus == 2
    assert sides(Target.DRIVER, state, start(), cards)[0].dice == 2
    assert aftermath(state, cards, Script())[0].clp == 2


def test_shield() -> None:
    for on, moment, card in (
        (Target.DRIVER, Moment.PERSONAL_DEFENCE, WHIP),
        (Target.VEHICLE, Moment.VEHICLE_DEFENCE, REINS),
    ):
        state, cards = played("shield", moment, 2)
        assert sides(on, start(), state, card, cards)[1].dice == 3


def test_lash() -> None:
    state, cards = played("lash", Moment.SPEED, 2, 3, Play(0, Use.WHIP))
    assert terms(state, True, cards, ALONE, OPTIONS).rerolls == 2
    assert terms(state, False, cards, ALONE, OPTIONS).rerolls == 0


def test_yah() -> None:
    state, cards = played("yah", Moment.CONTROL, speed=4)
    asked = control.demand(state, OPTIONS, cards)
    assert asked is not None
    assert control.roll(asked, Script("slow haste")) == Outcome(haste=2, clp=1)


def test_ramming_speed() -> None:
    _, cards = played("ramming-speed", Moment.COLLISION)
    dice = Script(values=[0] * 5)
    suffer_impact(start(), Impact(3, 1), dice, OPTIONS, start(), others_extra=cards.boost)
    assert dice.used_up
    dice = Script(values=[0] * 3)
    suffer_impact(start(), Impact(3, 1), dice, OPTIONS, start(), extra=cards.boost)
    assert dice.used_up


def test_kamikaze() -> None:
    state, cards = played("kamikaze", Moment.VEHICLE_ATTACK, 2, 3, Play(3, Use.REINS))
    assert sides(Target.VEHICLE, state, start(), cards)[0].plus == 2
    after, hit = aftermath(state, cards, Script(values=[3, 0]))
    assert (after.level, hit.damage, hit.control_roll) == (1, 1, False)


def test_swerve() -> None:
    for on, moment, card in (
        (Target.DRIVER, Moment.PERSONAL_DEFENCE, WHIP),
        (Target.VEHICLE, Moment.VEHICLE_DEFENCE, REINS),
    ):
        state, cards = played("swerve", moment, 2)
        assert sides(on, start(), state, card, cards)[0].plus == -2
        assert sides(on, start(), state, card, cards)[1].plus == 0


def test_whoah() -> None:
    state, cards = played("whoah", Moment.BEFORE_MOVE, 2, speed=4)
    after, rolls = before_move(state, cards, brakes=2)
    assert after.marker == state.vehicle.table.decelerate(state.marker, 2)
    assert not rolls
    assert before_move(state, cards, brakes=0)[0] == state
    with pytest.raises(ValueError, match="up to 2 boxes"):
        before_move(state, cards, brakes=3)


def test_brake() -> None:
    state, cards = played("brake", Moment.CONTROL, speed=4)
    asked = control.demand(state, OPTIONS, cards)
    assert asked is not None
    assert control.roll(asked, Script("slow haste")) == Outcome(slow=2, clp=1)


def test_emergency_stop() -> None:
    state, cards = played("emergency-stop", Moment.BEFORE_MOVE, speed=5)
    after, rolls = before_move(state, cards)
    assert (after.marker, rolls) == (state.vehicle.table.last[2], True)


def test_control() -> None:
    state, cards = played("control", Moment.CONTROL, 2)
    asked = control.demand(state, OPTIONS, cards)
    assert (asked.dice, asked.discards) == (3, 2)


def test_survivor() -> None:
    _, cards = played("survivor", Moment.DAMAGE)
    after, hit = damage.roll(start(), 3, Source.ATTACK, Script(values=[3, 3, 0]), cards.boost)
    assert (after.level, after.clp, hit.damage) == (1, 1, 1)
    _, saved = damage.roll(start(), 1, Source.ATTACK, Script(values=[3]), cards.boost)
    assert saved == damage.Hit()


def test_lucky() -> None:
    state, cards = played("lucky", Moment.SPEED, 1, 3, Play(0, Use.WHIP))
    plan = SpeedPlan(accelerate=True)
    assert check(state, plan, Script(values=[0, 1, 1, 3]), OPTIONS, cards)[1] == 4
    state, cards = played("lucky", Moment.CONTROL, 1)
    assert control.demand(state, OPTIONS, cards).rerolls == 1
    state, cards = played("lucky", Moment.VEHICLE_ATTACK, 1, 3, Play(3, Use.REINS))
    assert sides(Target.VEHICLE, state, start(), cards)[0].rerolls == 1
    state, cards = played("lucky", Moment.PERSONAL_DEFENCE, 2)
    assert sides(Target.DRIVER, start(), state, WHIP, cards)[1].rerolls == 2
    _, cards = played("lucky", Moment.DAMAGE, 1)
    dice = Script(values=[3, 3, 0])
    assert damage.roll(start(), 2, Source.ATTACK, dice, cards.boost)[1].damage == 1


def test_cool() -> None:
    state = holding("cool", speed=4).unsteadied(3)
    for moment in (Moment.BEFORE_MOVE, Moment.CONTROL):
        after, cards = play(state, [Play(6, Use.SPECIAL)], moment)
        assert control.cleared(after, cards).clp == 0
        assert control.demand(after, OPTIONS, cards).dice == 2
    assert before_move(after, cards)[0].clp == 0
    assert control.cleared(after, Played()).clp == 3


def test_determination() -> None:
    state = holding("determination", speed=4)._replace(stamina=5)
    after, cards = play(state, [Play(6, Use.SPECIAL)], Moment.STAMINA)
    rested = end_of_round(after, OPTIONS, Script(), cards)
    assert (rested.stamina, rested.speed, rested.virtual_reins) == (4, 4, 0)
    tired = end_of_round(after, OPTIONS, Script())
    assert (tired.stamina, tired.speed, tired.virtual_reins) == (4, 2, 2)


def test_a_special_adds_no_die_by_itself() -> None:
    state, cards = played("lash", Moment.SPEED, 1)
    assert terms(state, True, cards, ALONE, OPTIONS).dice == 2
    with pytest.raises(ValueError, match="cards of its type"):
        sides(Target.DRIVER, state, start(trait("shield", 1)), cards)
    assert Side().dice == 1
