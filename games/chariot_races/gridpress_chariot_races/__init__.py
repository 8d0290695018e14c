"""Races of the chariot game, and what they measure; a guest of Gridpress beside chariot-dash.

Only `race_commands` prints. From the bottom up:

| module | contents |
|---|---|
| `race/` | races and time trials, with a driver |
| `reports` | the parts of a report |
| `worth` | the worth of changes to a vehicle, and tuning |
| `race_report`, `comparison` | the reports |
| `race_commands/` | `gridpress vehicle simulate`, `compare`, `worth` and `tune` |
"""

from typing import Final

from generator.guests import Guest

GUEST: Final = Guest(
    "chariot-races",
    codes={
        "GP922": "no race is possible on this track",
    },
    explanations={
        "GP922": "Vehicles need a closed track of hexagons with a starting place for each. Choose "
        "another with `gridpress vehicle simulate --track NAME`, or race fewer with `--field N`.",
    },
)
