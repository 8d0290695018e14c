"""The chariot game's rules: plain frozen state, choices and dice in, new state out.

Nothing here prints, keeps state or draws random numbers of its own. From the bottom up:

| module | what it answers |
|---|---|
| `dice`, `odds`, `keeping` | rolls, exact distributions, roll many and keep two |
| `options` | which optional rules are in force |
| `traits`, `specials`, `effects` | one table each: name → what it changes |
| `speed_table`, `cards`, `vehicle`, `state` | a vehicle and how it stands in a race |
| `hand` | playing and recovering cards |
| `speed_check`, `movement`, `damage`, `stamina` | the steps of a round |
| `reading`, `control`, `control_odds` | the control roll: dice read, rolled, and exactly |
| `reach`, `attack`, `collision` | what vehicles do to each other, and obstacles to them |
| `rounds` | what happens before and after the four phases |
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
