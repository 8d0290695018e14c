"""Races and time trials of the chariot game, simulated.

    from gridpress_chariot_dash.race import Event, arena_of, compare, simulate

    track = arena_of(component)          # a checked component of kind track; or
    track = arena_on(course, pieces, name)  # a Course, and by call what stands on its pieces
    event = Event(track, laps=1, seed=1)
    result = simulate(vehicles, event, races=2000, jobs=2, progress=told)
    result = time_trials(vehicles, event, trials=1000, jobs=2)
    answer = compare(a, b, event, races=2000, jobs=2)

`vehicles` are `Vehicle.of(component)`, `options` `Options.of(components)` (default: those in force
in the shipped pack), `die` `Die.of(component)`, `jobs` worker processes, `progress(done, total)` is
called now and then, `driver` makes a driver for an arena (default `Charioteer`, whose docstring
says how it decides). The answer depends on the seed, not on `jobs`. ValueError in plain words for
an arena that nobody can race on, and for too many vehicles.

A `Result` has a `Summary` for each vehicle, every number an `Estimate` (value, low, high and of:
95 %), and all `runs`. A `Comparison` has `better` (an id, or None: within noise), `places`, `wins`,
`rounds` and `chance`. `Summary.lost` says in which spaces control was lost, as (q, r); they are the
cells of `generator.tracks.courses`, so `course.grid.point` draws them.

From the bottom up:

| module | what it answers |
|---|---|
| `arena` | the racing surface, and the ways through a phase |
| `driver` | a race under way as plain data, and what a driver is asked in it |
| `outlook` | what dice cost, and what a pose at a speed is worth |
| `steering`, `charioteer` | the driver that comes with the game: speed checks, ways and cards |
| `phases`, `race` | a race: phases with collisions and attacks, rounds |
| `results` | what races come to, with intervals and a test |
| `simulation` | many races on all cores |

Beside it stands the engine by the rules as they are now, compiled by numba, which no command races
on yet; `crews` runs it, in worker processes. From the bottom up:

| module | what it answers |
|---|---|
| `kernel`, `layout` | the decorator of compiled functions; the records of a race in memory |
| `chance`, `marker`, `hands` | dice, the marker on the speed table, cards |
| `wear`, `check` | damage and stamina; speed checks |
| `hexes`, `agenda`, `entering` | ways; what is still to be resolved; a hex, collisions |
| `control`, `attacks`, `moving` | control rolls; attacks; a phase |
| `rounds`, `heats` | rounds and how a race ends; races one after another |
| `choices` | what a driver decides |
| `setup`, `crews` | records from what a pack says; races in worker processes |
"""

from gridpress_chariot_dash.race.arena import Arena, arena_of, arena_on
from gridpress_chariot_dash.race.driver import Driver
from gridpress_chariot_dash.race.results import Estimate, Result, Run, Summary
from gridpress_chariot_dash.race.simulation import Event, simulate, time_trials

__all__ = [
    "Arena",
    "Driver",
    "Estimate",
    "Event",
    "Result",
    "Run",
    "Summary",
    "arena_of",
    "arena_on",
    "simulate",
    "time_trials",
]
