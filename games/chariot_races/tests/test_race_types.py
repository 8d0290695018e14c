"""Whole races in the uncompiled engine: invariants and the end of each type."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from arenas import empty_oval, oval
from chariots import components
from gridpress_chariot_dash.dice import Die
from gridpress_chariot_races.race import layout
from gridpress_chariot_races.race.setup import RaceType, team_places
from scenes import engine, known, opened

CARS = 4
IN_FORCE = ("truce", "grandstanding", "whips-of-shame", "stamina", "jumps")
X_RULES = (
    "simple-speed-check",
    "pairs-first",
    "control-damage-as-clp",
    "deliberate-collisions",
    "instant-wipe-out",
    "corner-drift",
    "further-drifts",
    "debris-per-damage",
    "rolling-start",
)
LITTERED = {
    "plain": {
        "spots": [
            {"lane": 1, "step": 2, "figure": "crates"},
            {"lane": 2, "step": 3, "figure": "oil", "rating": 1},
            {"lane": 3, "step": 2, "figure": "rock"},
        ]
    }
}


class Races:
    """Races of the shipped vehicles on the oval."""

    def __init__(self, kind: int = layout.FASTEST, options: Any = IN_FORCE, **race: int) -> None:
        self.engine = engine()
        self.engine.rolls.roll_die = DRAW
        for name, hook in HOOKS.items():
            setattr(self.engine.choices, name, hook)
        setup = self.engine.setup
        arena = oval(**LITTERED) if race.pop("littered", 0) else empty_oval()
        made = [setup.vehicle_record(one, known()) for one in components("vehicles.yaml")]
        self.vehicles = np.array(made, dtype=layout.VEHICLE_DTYPE).view(np.recarray)
        cars = race.pop("cars", CARS)
        agreed = setup.Rules(options if isinstance(options, dict) else dict.fromkeys(options, 0))
        race_type = setup.RaceType(kind, **race)
        rules = agreed.record(race_type, cars, arena, Die((0, 1, 1, 2, 2, 3)))
        self.track, number = setup.ground(arena, agreed.points["score-debris"])
        setup.open_gates(rules, number, arena)
        grid = (
            setup.grid_of(arena, number)
            if kind in (layout.FASTEST, layout.FURTHEST, layout.SCORING)
            else setup.spread_of(arena, number, kind, cars)
        )
        race_ = setup.race_of(rules, self.vehicles, self.track)
        self.race = opened(race_)[0]
        self.cars = self.race.cars[:cars].view(np.recarray)
        self.track, self.grid = opened(self.track), opened(grid)

    def rounds(self, key: int) -> Iterator[None]:
        """Play a race a round at a time."""
        self.engine.rounds.clear_track(self.race, self.track)
        self.engine.rounds.begin(self.race, key)
        for v, car in enumerate(self.cars):
            car.vehicle = (key + 2 * v) % len(self.vehicles)
            start = self.grid[v]
            self.engine.rounds.ready(self.race, v, start.cell, start.facing, start.progress)
        while self.engine.rounds.play_round(self.race):
            yield
        yield

    def runs(self, key: int) -> Any:
        runs = opened(np.zeros(len(self.cars), layout.RUN_DTYPE))
        places = np.arange(len(self.cars))
        self.engine.rounds.heat(self.race, self.track, self.grid, places + key, places, key, runs)
        return runs


DRAW = engine().rolls.roll_die
HOOKS = {n: f for n, f in vars(engine().choices).items() if callable(f) and not n.startswith("_")}


def whole(races: Races) -> None:
    """Check what must hold after every round."""
    race, seen = races.race, set()
    assert race.rules.tasks == 0
    for v, car in enumerate(races.cars):
        vehicle = race.vehicles[car.vehicle]
        if not car.finished:
            assert int(car.cell) not in seen, "nobody shares a hex"
            seen.add(int(car.cell))
            assert race.cells[car.cell].car == v
        if not car.wrecked:
            assert vehicle.rating_up[car.up] == car.rating
            assert vehicle.first_down[car.rating] <= car.down <= vehicle.last_down[car.rating]
            assert car.down == vehicle.below[car.up] or car.up == vehicle.above[car.down]
        assert car.clp >= vehicle.clp_least
        assert vehicle.stamina_least <= car.stamina <= 10
        assert 0 <= car.level <= vehicle.levels
        assert set(car.pile[: vehicle.cards].tolist()) <= {0, 1, 2, 3}


@pytest.mark.parametrize("options", [IN_FORCE, X_RULES, ()], ids=["shipped", "x", "none"])
def test_a_race_is_whole_after_every_round(options: tuple[str, ...]) -> None:
    races = Races(options=options, littered=1)
    for _ in races.rounds(0):
        whole(races)


def test_races_are_the_same_when_run_again_and_differ_by_their_number() -> None:
    races = Races(layout.FURTHEST, rounds=5)
    first, other, again = races.runs(1), races.runs(2), races.runs(1)
    assert (first == again).all()
    assert (first != other).any()


def test_places_are_given_once_each() -> None:
    assert sorted(Races().runs(3).place) == [1, 2, 3, 4]


def test_furthest_ends_after_its_rounds() -> None:
    races = Races(layout.FURTHEST, rounds=3)
    runs = races.runs(1)
    assert races.race.rules.race_round <= 3
    alive = [run for run in runs if not run.wiped_out]
    by_place = sorted(alive, key=lambda run: run.place)
    assert [r.progress for r in by_place] == sorted((r.progress for r in alive), reverse=True)


def test_toughest_ends_with_one_left_or_its_rounds() -> None:
    runs = Races(layout.TOUGHEST, rounds=60).runs(1)
    left = [run for run in runs if not run.wiped_out]
    assert len(left) <= 1 or max(runs.rounds) == 60
    if len(left) == 1:
        assert left[0].place == 1


def test_pursuit_starts_half_a_lap_apart_and_ends_when_one_is_caught() -> None:
    races = Races(layout.PURSUIT, cars=2, rounds=80)
    lap = races.race.rules.lap
    assert races.grid.progress[1] - races.grid.progress[0] == pytest.approx(lap / 2)
    for _ in races.rounds(4):
        pass
    first, second = races.cars
    caught = (
        first.progress >= second.progress
        or second.progress >= first.progress + lap
        or first.caught
        or second.caught
    )
    assert caught or first.wrecked or second.wrecked or races.race.rules.race_round == 80


def test_the_fox_starts_six_hexes_ahead_of_the_foremost_hound() -> None:
    races = Races(layout.FOX, cars=3, rounds=30)
    fox, *hounds = races.grid.progress
    assert fox == pytest.approx(max(hounds) + 6)
    assert sorted(races.runs(1).place) == [1, 2, 3]


def test_cd_5_damage_inflicted_and_places_score() -> None:
    races = Races(layout.SCORING, rounds=10, laps=1)
    races.race.rules.points_per_damage = 1000
    races.runs(5)
    scores = [int(car.score) for car in races.cars]
    assert max(scores) >= 1000, "somebody inflicted damage"
    assert sorted((score % 1000 for score in scores), reverse=True)[:3] == [5, 3, 1]


def test_cd_5_all_figures_of_scoring_may_be_changed() -> None:
    said = [
        {"id": f"score-{what}", "in_force": what != "second", "figure": figure}
        for what, figure in
        (("debris", 4), ("runner", 9), ("damage", 0), ("first", 30), ("second", 20), ("third", 10))
    ]  # fmt: skip
    agreed = dict(engine().setup.Rules.of(said).in_force)
    races = Races(layout.SCORING, agreed, littered=1, rounds=10)
    assert {int(runner.points) for runner in races.race.rules.runner} == {9}
    assert {int(cell.points) for cell in races.track if cell.fragile} == {4}
    races.runs(5)
    places = [int(car.score) // 10 * 10 for car in races.cars]
    assert max(places) >= 30
    assert not any(20 <= score < 30 for score in (int(car.score) for car in races.cars))


def test_cd_6_runners_move_in_a_straight_line_until_they_are_off_the_track() -> None:
    races = Races()
    race = races.race
    race.rules.runners = 1
    start = int(races.grid.cell[0])
    race.rules.runner[0].cell, race.rules.runner[0].direction = start, 0
    race.cells[start].runner = 1
    moved = int(race.cells[start].neighbour[0])
    races.engine.rounds._runners_move(race)
    assert race.cells[start].runner == 0
    assert race.rules.runner[0].cell == moved
    for _ in range(60):
        races.engine.rounds._runners_move(race)
    assert race.rules.runner[0].cell == -1


def test_dice_are_fair_and_do_not_follow_each_other() -> None:
    races = Races()
    race, seen = races.race, np.zeros((6, 6), int)
    races.engine.rounds.begin(race, 12345)
    last = 0
    for round_ in range(1, 41):
        race.rules.race_round = round_
        race.cars[0].drawn[:] = 0
        for _ in range(90):
            face = DRAW(race, 0, layout.ROLL_CONTROL)
            seen[last, face] += 1
            last = face
    expected = seen.sum() / 36
    assert ((seen - expected) ** 2 / expected).sum() < 66  # 35 degrees of freedom, 0.1 %


def test_cd_78_runners_enter_at_the_edge_at_the_end_of_rounds_2_and_4() -> None:
    races = Races(layout.SCORING, rounds=5, laps=0, runners=2)
    entered = []
    for n, _ in enumerate(races.rounds(2), 1):
        for runner in races.race.rules.runner:
            if runner.cell >= 0:
                assert races.race.cells[runner.cell].runner
        entered.append(int(races.race.rules.runner[(n > 3) * 1].cell) >= 0)
    assert entered[:4] == [False, True, entered[2], True]


def test_cd_78_runners_enter_where_the_map_says() -> None:
    races = Races(layout.SCORING, rounds=2, laps=0, runners=2)
    cell = int(races.grid.cell[-1])
    way = next(d for d in range(6) if races.race.cells[cell].neighbour[d] >= 0)
    for gate in races.race.rules.gates:
        gate.cell, gate.direction = cell, way
    races.runs(1)
    runner = races.race.rules.runner[0]
    assert (runner.cell, runner.direction) == (cell, way)


def test_cd_8_a_team_has_5_3_1_and_the_better_best_place_decides() -> None:
    runs = np.zeros(4, layout.RUN_DTYPE)
    runs["place"] = [1, 2, 4, 3]
    assert team_places(runs, 2) == [1, 2]  # 5 and 4
    runs["place"] = [4, 2, 1, 3]
    assert team_places(runs, 2) == [1, 2]
    runs["score"] = [1, 9, 1, 0]
    assert team_places(runs, 2, scoring=True) == [2, 1]
    three_and_two = np.zeros(5, layout.RUN_DTYPE)
    three_and_two["place"] = [5, 1, 3, 4, 2]
    RaceType.of("tag-team").must_suit(5)
    assert team_places(three_and_two, 2) == [2, 1]  # 1 + 3 and 5


def test_what_a_type_ends_by_is_asked_for_or_usual() -> None:
    assert RaceType.of() == RaceType(layout.FASTEST, 2, 240)
    assert RaceType.of("fastest", laps=3).rounds == 360
    assert RaceType.of("furthest").rounds == 12
    assert RaceType.of("scoring") == RaceType(layout.SCORING, 0, 10, runners=2)
    assert RaceType.of("scoring", laps=2) == RaceType(layout.SCORING, 2, 240, runners=2)
    assert RaceType.of("tag-team") == RaceType(layout.FASTEST, 2, 240, teams=2)
    assert str(RaceType.of("toughest", teams=2)) == "toughest, at most 120 rounds, in 2 teams"


@pytest.mark.parametrize("name", ["furthest", "toughest", "pursuit", "fox-and-hounds"])
def test_only_races_of_laps_end_after_laps(name: str) -> None:
    with pytest.raises(ValueError, match=f"a {name} race does not end after laps"):
        RaceType.of(name, laps=2)


@pytest.mark.parametrize(
    ("race", "cars", "why"),
    [
        (RaceType.of("pursuit"), 3, "exactly 2"),
        (RaceType.of("toughest"), 1, "2 vehicles at least"),
        (RaceType.of("tag-team"), 3, "3 vehicles do not make 2 teams"),
        (RaceType.of("scoring", teams=3), 3, "3 vehicles do not make 3 teams of two"),
    ],
)
def test_who_is_too_few_or_too_many_for_a_type_is_told(race: RaceType, cars: int, why: str) -> None:
    with pytest.raises(ValueError, match=why):
        race.must_suit(cars)
