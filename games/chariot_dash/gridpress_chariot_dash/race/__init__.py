"""Races of the chariot game: an engine compiled by numba, and a driver who has learnt the track.

    event = Event(arena_of(track), components, RaceType.of("fastest", laps=1), seed=1)
    result = simulate(vehicles, event, races=2000, jobs=2, progress=told)
    result = time_trials(vehicles, event, trials=1000, jobs=2)

`track`, `vehicles` and `components` (by kind) are the values of checked components, `jobs` worker
processes, `progress(done, total)` is called now and then. The answer depends on the seed, not on
`jobs`. ValueError in plain words for what cannot be raced. A `Result` has a `Summary` for each
vehicle, every number an `Estimate` (value, low, high and of: 95 %), and all `runs`. `Summary.lost`
says in which spaces control was lost, as (q, r); they are the cells of `generator.tracks.courses`.

Nothing here imports numba but in worker processes, see `simulation`. From the bottom up:

| module | what it answers |
|---|---|
| `kernel`, `layout` | the decorator of compiled functions; the records of a race in memory |
| `rolls`, `ways` | dice, ways over the hexes; and tables of both, which a driver learns |
| `car` | the marker on the speed table, cards, damage and stamina |
| `control` | entering a hex, collisions, control rolls; what is still to be resolved |
| `moving`, `rounds` | a phase with its attacks; rounds, how a race ends, race after race |
| `horizon` | what a driver learns: his outlook |
| `weigh`, `driving` | what he sees and what it costs, and how he weighs what he may do |
| `situation` | a car as he sees it |
| `hooks`, `asked_moves` | what the engine asks him, with what he may answer |
| `setup` | the racing surface, and records from what a pack says |
| `simulation` | races in worker processes; what they come to, with intervals |
"""
