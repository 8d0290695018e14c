"""What holds in every race, whatever the dice: whole races, looked at after each step."""

import random
from itertools import pairwise
from random import Random

import pytest
from arenas import BY_ID, empty_oval, oval
from chariots import OPTIONS, Script, shipped, start, trait
from gridpress_chariot_dash import control, speed_check
from gridpress_chariot_dash.cards import Front, Moment, Play, Use
from gridpress_chariot_dash.dice import RandomDice
from gridpress_chariot_dash.race import phases
from gridpress_chariot_dash.race.arena import SOLID
from gridpress_chariot_dash.race.charioteer import Charioteer
from gridpress_chariot_dash.race.driver import ROUNDS_PER_LAP, Race, Racer
from gridpress_chariot_dash.race.race import before_move, end_of_round, run, start_of_round
from gridpress_chariot_dash.speed_check import ALONE, SpeedPlan
from gridpress_chariot_dash.state import NOTHING, play, starting
from gridpress_chariot_dash.vehicle import CLP_TOP, STAMINA_TOP, Vehicle
from hypothesis import given
from hypothesis import strategies as st

FIELD = ("threes-a-crowd", "gatecrasher", "second-wind", "marrow")
SPOTS = [
    {"lane": 1, "step": 2, "figure": "rut"},
    {"lane": 2, "step": 3, "figure": "crates"},
    {"lane": 3, "step": 2, "figure": "rock"},
]


class Counted:
    """Dice that note what they showed."""

    def __init__(self, race: Race) -> None:
        self._dice = race.dice
        self.seen: set[int] = set()

    def roll(self, count: int) -> tuple[int, ...]:
        return self._dice.roll(count)

    def values(self, count: int) -> tuple[int, ...]:
        shown = self._dice.values(count)
        self.seen.update(shown)
        return shown


def holds(race: Race) -> None:
    """The properties of a race at any moment."""
    placed = [racer for racer in race.racers if not racer.finished]
    assert len({racer.pose.hex for racer in placed}) == len(placed)
    assert race.occupied == {racer.pose.hex: racer for racer in placed}
    for racer in race.racers:
        sound(racer)
        at = racer.pose.hex
        assert at in race.arena.along
        assert at not in race.items or race.items[at].kind != SOLID


def sound(racer: Racer) -> None:
    """The properties of one vehicle at any moment."""
    state, piles = racer.state, racer.state.piles
    vehicle = state.vehicle
    cards = [*piles.hand, *piles.recovery, *piles.spent, *piles.gone]
    assert sorted(cards) == list(range(len(vehicle.cards)))
    assert vehicle.control_minimum <= state.clp <= CLP_TOP
    assert vehicle.stamina_minimum <= state.stamina <= STAMINA_TOP
    assert 0 <= state.speed <= state.condition.speed_most
    assert 0 <= state.marker.acceleration < len(vehicle.table.below)
    assert 0 <= state.marker.deceleration < len(vehicle.table.above)
    assert (state.level >= vehicle.damage_levels) <= state.condition.wiped_out


@pytest.fixture(scope="module")
def driver() -> Charioteer:
    return Charioteer(oval(plain={"spots": SPOTS}), OPTIONS)


@pytest.mark.parametrize("seed", range(4))
def test_whole_races_hold_together(
    seed: int, driver: Charioteer, monkeypatch: pytest.MonkeyPatch
) -> None:
    drive = phases.drive

    def watched(race: Race, racer: Racer, phase: int) -> None:
        drive(race, racer, phase)
        holds(race)

    monkeypatch.setattr(phases, "drive", watched)
    vehicles = [BY_ID[name] for name in FIELD]
    race = Race(driver.arena, vehicles, [driver] * 4, 1, OPTIONS, Random(seed))
    dice = race.dice = Counted(race)  # type: ignore[assignment]
    run(race)
    assert dice.seen <= {0, 1, 2, 3}  # type: ignore[attr-defined]
    assert not any(racer.racing for racer in race.racers) or race.round == ROUNDS_PER_LAP
    told(race)


def told(race: Race) -> None:
    """The finish order: across the line, by rounds; then by distance; the wiped-out last."""
    standings = race.standings
    assert sorted(racer.number for racer in standings) == list(range(len(race.racers)))
    finished = [racer for racer in standings if racer.finished]
    assert finished == standings[: len(finished)] == race.crossed
    assert all(a.finished <= b.finished for a, b in pairwise(finished))
    assert all(racer.progress >= race.goal for racer in finished)
    assert all(racer.progress < race.goal for racer in standings[len(finished) :])
    wrecks = [racer for racer in standings if racer.wrecked and not racer.finished]
    assert wrecks == standings[len(standings) - len(wrecks) :]
    assert all(a.wrecked >= b.wrecked for a, b in pairwise(wrecks))


def test_nobody_starts_without_a_place() -> None:
    arena = empty_oval()
    many: list[Vehicle] = [BY_ID["basic"]] * 7
    with pytest.raises(ValueError, match="7 vehicles on 6 starting places"):
        Race(arena, many, [Charioteer(arena, OPTIONS)] * 7, 1, OPTIONS, Random(1))


def test_a_race_is_called_off_after_a_number_of_rounds() -> None:
    arena = empty_oval()
    race = Race(arena, [BY_ID["basic"]], [Charioteer(arena, OPTIONS)], 1, OPTIONS, Random(1))
    race.limit = 2
    run(race)
    assert (race.round, race.racers[0].finished, race.standings) == (2, 0, race.racers)


def test_a_round_ends_with_stamina_clp_and_cards() -> None:
    state = start(trait("reactions", 1), speed=5).conditioned(clp_each_round=2)
    state, _ = play(state, [Play(0, Use.WHIP)], Moment.MOVE)
    after = end_of_round(state, OPTIONS, Script())
    assert (after.stamina, after.clp, after.speed) == (8, 1, 4)
    assert after.piles.recovery == (0,)
    assert end_of_round(after, OPTIONS, Script()).piles.hand == (1, 2, 3, 4, 5, 0)


def test_a_new_round_has_its_swaps_again() -> None:
    assert start_of_round(start()._replace(swaps=2)).swaps == 0


def test_nothing_played_before_the_move_changes_nothing() -> None:
    state = start(speed=3).unsteadied(1)
    assert before_move(state, NOTHING) == (state, False)


@given(st.sampled_from(shipped()), st.integers(), st.data())
def test_whole_rounds_keep_every_track(one, seed: int, data: st.DataObject) -> None:
    dice = RandomDice(random.Random(seed))
    state = starting(one, OPTIONS)
    for _ in range(8):
        state = start_of_round(state)
        card = data.draw(st.sampled_from(state.piles.hand or (None,)))
        plays = []
        if card is not None:
            reins = one.cards[card].front is Front.REINS
            plays = [Play(card, Use.REINS if reins else Use.WHIP)]
        state, played = play(state, plays, Moment.SPEED)
        way = speed_check.directions(state, played.cards, ALONE, OPTIONS)[0]
        state, _ = speed_check.check(state, SpeedPlan(way), dice, OPTIONS, played)
        asked = control.demand(state, OPTIONS)
        if asked:
            state, _ = control.resolve(state, control.roll(asked, dice), dice, OPTIONS)
        state = end_of_round(state, OPTIONS, dice)
        piles = state.piles
        cards = piles.hand + piles.recovery + piles.spent + piles.gone
        assert sorted(cards) == list(range(len(one.cards)))
        assert 0 <= state.clp <= 19
        assert one.stamina_minimum <= state.stamina <= 10
        assert 0 <= state.speed <= state.condition.speed_most
        assert 0 <= state.marker.acceleration < len(one.table.below)
        assert 0 <= state.marker.deceleration < len(one.table.above)
