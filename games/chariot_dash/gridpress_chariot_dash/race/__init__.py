"""Races of the chariot game: an engine compiled by numba, and a driver who has learnt the track.

    event = Event(arena_of(track), components, RaceType.of("fastest", laps=1), seed=1)
    result = simulate(vehicles, event, races=2000, jobs=2, progress=told)
    result = time_trials(vehicles, event, trials=1000, jobs=2)

`track`, `vehicles` and `components` (by kind) are the values of checked components, `jobs` worker
processes, `progress(done, total)` is called now and then. The answer depends on the seed, not on
`jobs`. ValueError in plain words for what cannot be raced. A `Result` has a `Summary` for each
vehicle, every number an `Estimate` (value, low, high and of: 95 %), and all `runs`. `Summary.lost`
says in which spaces control was lost, as (q, r); they are the cells of `generator.tracks.courses`.

Nothing here imports numba but in worker processes, see `crews`. From the bottom up:

| module | what it answers |
|---|---|
| `arena`, `race_types` | the racing surface; what is agreed before a race |
| `kernel`, `layout` | the decorator of compiled functions; the records of a race in memory |
| `chance`, `marker`, `hands` | dice, the marker on the speed table, cards |
| `wear` | damage and stamina |
| `hexes`, `agenda`, `entering` | ways; what is still to be resolved; a hex, collisions |
| `control`, `attacks`, `moving` | control rolls; attacks; a phase |
| `rounds`, `heats` | rounds, speed checks and how a race ends; races one after another |
| `rolls`, `ways`, `horizon`, `crafts` | what a driver learns: odds, ways through a phase, outlook |
| `view`, `weigh`, `driving` | what he sees, and how he weighs what he may do |
| `situation` | a car as he sees it |
| `asked_speed`, `asked_ways`, `asked_fights` | what the engine asks him |
| `hooks` | all of that by one name, with what each may answer |
| `setup`, `crews` | records from what a pack says; races in worker processes |
| `results`, `simulation` | what races come to, with intervals; many races, as they are asked for |
"""
