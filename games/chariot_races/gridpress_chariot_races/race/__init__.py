"""The racing engine, compiled by numba, and a driver who has learnt the track.

    event = Event(arena_of(track), components, RaceType.of("fastest", laps=1), seed=1)
    result = simulate(vehicles, event, races=2000, jobs=2, progress=report)
    result = time_trials(vehicles, event, trials=1000, jobs=2)

`track`, `vehicles` and `components` (by kind) are values of checked components. A `Result` has all
`runs`, and a `Summary` for each vehicle with an `Estimate` for every number. ValueError says what
cannot be raced. Only worker processes import numba, see `simulation`. From the bottom up:

| module | contents |
|---|---|
| `kernel`, `layout` | the decorators of compiled functions; the records of a race |
| `rolls`, `ways` | dice and ways over the hexes, with tables of both |
| `car` | the marker on the speed table, cards, damage and stamina |
| `control` | entering a hex, collisions, control rolls |
| `moving`, `rounds` | phases and attacks; rounds and races |
| `horizon` | the table of worth that a driver learns |
| `weigh`, `driving` | prices, and how the driver weighs his choices |
| `situation` | a car as its driver sees it |
| `hooks`, `asked_moves` | the engine's questions and the driver's answers |
| `setup` | records from the data of a pack |
| `simulation` | races in worker processes, and their results |
"""
