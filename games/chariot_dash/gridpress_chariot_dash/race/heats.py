"""Races one after another in one call: line-ups and seeds in, how each car fared out."""

from __future__ import annotations

from gridpress_chariot_dash.race.chance import mixed
from gridpress_chariot_dash.race.kernel import entry, kernel
from gridpress_chariot_dash.race.layout import (
    FASTEST,
    FOX,
    LOSSES,
    PURSUIT,
    SCORING,
    TOUGHEST,
    Array,
    Race,
)
from gridpress_chariot_dash.race.rounds import begin, catches, ready, run


@kernel
def clear_track(race: Race, track: Array) -> None:
    """What a race may have changed of the track, as it was."""
    for n in range(track.size):
        cell, was = race.cells[n], track[n]
        cell.car, cell.runner, cell.points, cell.low = -1, was.runner, was.points, was.low
        cell.fragile, cell.fragile_rating = was.fragile, was.fragile_rating


@kernel
def _worth(race: Race, v: int) -> float:
    """By what places are given, the higher the better (CD-9): wrecks last, later ones before. Who
    catches another wins. A draw: in Pursuit nobody caught, in Toughest several left."""
    car, rules = race.cars[v], race.rules[0]
    if rules.kind == SCORING:
        return float(car.score)
    if rules.kind == FOX and v != rules.fox and car.caught == rules.fox + 1:
        return 2e6
    if car.finished:
        return float(3e6 - car.finish_order)
    if car.wrecked:
        return float(-1e6 + car.wreck_order)
    if rules.kind in (TOUGHEST, PURSUIT):
        return 1.0 if rules.kind == PURSUIT and catches(race, v, 1 - v) else 0.0
    return float(car.progress)


@kernel
def _place(race: Race, v: int) -> int:
    """A car's place, from 1; who is level shares it."""
    own, place = _worth(race, v), 1
    for w in range(race.rules[0].cars):
        place += _worth(race, w) > own
    return place


@kernel
def place_scores(race: Race) -> None:
    """CD-5: points for places as they crossed the line, or by how far they came."""
    rules = race.rules[0]
    if rules.kind != SCORING:
        return
    rules.kind = FASTEST
    for v in range(rules.cars):
        place = _place(race, v)
        if place <= 3:
            race.cars[v].score += rules.place_points[place - 1]
    rules.kind = SCORING


@kernel
def _best_other(v: int, places: Array) -> int:
    """The rival of the trait: the opponent with the best place on the grid, −1 none."""
    best = -1
    for w in range(places.size):
        if w != v and (best < 0 or places[w] < places[best]):
            best = w
    return best


@kernel
def _place_runner(race: Race, n: int) -> None:
    """A runner at a spot of the track's edge drawn by lot, to go straight across (CD-6)."""
    rules, runner = race.rules[0], race.runners[n]
    runner.cell = -1
    for attempt in range(100):
        lot = mixed(rules.key + 100 * n + attempt)
        cell, side = lot % rules.cells, (lot >> 16) % 6
        spot = race.cells[cell]
        clear = spot.car < 0 and not spot.solid and not spot.runner
        if clear and spot.neighbour[side] < 0 <= spot.neighbour[(side + 3) % 6]:
            runner.cell, runner.direction = cell, (side + 3) % 6
            spot.runner = n + 1
            return


@kernel
def heat(
    race: Race, track: Array, grid: Array, lineup: Array, places: Array, key: int, runs: Array
) -> None:
    """One race: a line-up on these places of the grid in, how they fared out in `runs`."""
    rules = race.rules[0]
    clear_track(race, track)
    begin(race, key)
    for v in range(rules.cars):
        car = race.cars[v]
        car.vehicle = lineup[v]
        car.outlook = lineup[v]
        start = grid[places[v]]
        ready(race, v, start.cell, start.facing, start.progress)
        car.team = v % rules.teams + 1 if rules.teams > 0 else 0
        car.rival = _best_other(v, places)
    for n in range(rules.runners):
        _place_runner(race, n)
    run(race)
    place_scores(race)
    first = 0
    for v in range(rules.cars):
        first += _place(race, v) == 1
    for v in range(rules.cars):
        car, out = race.cars[v], runs[v]
        out.vehicle, out.grid, out.place = car.vehicle, places[v] + 1, _place(race, v)
        out.won = int(first == 1 and out.place == 1 and (rules.cars > 1 or car.finished > 0))
        out.finished, out.wiped_out = int(car.finished > 0), int(car.wrecked > 0)
        out.rounds = rules.race_round
        if car.finished:
            out.rounds = car.finished
        elif car.wrecked:
            out.rounds = car.wrecked
        if rules.kind == TOUGHEST and not car.wrecked:
            out.finished = 1
        out.progress, out.spaces, out.rolls, out.lost = (
            car.progress,
            car.spaces,
            car.rolls,
            car.lost,
        )
        out.damage, out.cards, out.collisions = car.level, car.cards_used, car.collisions
        out.attacks, out.score = car.attacks, car.score
        for n in range(LOSSES):
            out.lost_at[n] = car.lost_at[n] if n < car.lost else -1


@entry
def heats(
    race: Race, track: Array, grid: Array, lineups: Array, places: Array, keys: Array, runs: Array
) -> None:
    """Many races; row by row of the line-ups, the places, the keys and the runs."""
    for n in range(keys.size):
        heat(race, track, grid, lineups[n], places[n], keys[n], runs[n])
