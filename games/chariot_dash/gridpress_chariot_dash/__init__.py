"""The chariot game as a guest of Gridpress: its rules, what a vehicle is worth, races.

The rules are plain frozen values: state, choices and dice in, new state out. Nothing prints but
`commands`, or draws random numbers of its own. From the bottom up:

| module | what it answers |
|---|---|
| `dice` | rolls, exact odds, roll many and keep two |
| `traits`, `cards` | one table each: name → what it changes |
| `vehicle`, `state` | a vehicle, the rules in force, and how it stands in a race |
| `speed_check`, `movement`, `damage`, `control` | the steps of a round |
| `contact` | what vehicles do to each other, and obstacles to them |
| `race/` | races and time trials, with a driver |
| `profile`, `profile_speed`, `profile_wear` | what a vehicle is worth, worked out |
| `findings`, `charts`, `track_map` | what is told: tables, words for numbers, pictures, pages |
| `vehicle_report`, `race_report` | that, of vehicles and of races |
| `commands/` | `gridpress vehicle` |
"""

from typing import Final

from generator.guests import Command, Guest, NextStep

GUEST: Final = Guest(
    "chariot-dash",
    commands={
        "vehicle": Command(
            "See what a vehicle of yours is worth: check, show, compare and race it.",
            "gridpress_chariot_dash.commands:command",
        )
    },
    next_steps=(NextStep("chariot-dash", "vehicle", "vehicle show {}"),),
    codes={
        "GP921": "no such vehicle",
        "GP922": "nobody can race so on this track",
    },
)
