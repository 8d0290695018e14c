"""The chariot game as a guest of Gridpress: its rules, what a vehicle is worth, races.

Nothing prints but `commands`. From the bottom up:

| module | what it answers |
|---|---|
| `declared` | what packs say: what traits and effects do, options, the licence of a vehicle |
| `dice` | rolls, and exact odds of speed checks, control rolls and attacks |
| `race/` | races and time trials, with a driver |
| `tweaks`, `worth` | changes to a vehicle, what races say of each, and which make it fair |
| `findings` | what is told: tables, words for numbers, pictures, pages |
| `vehicle_report`, `race_report`, `comparison` | that, of vehicles, races, one against another |
| `commands/` | `gridpress vehicle` |
"""

from typing import Final

from generator.guests import Command, FieldKind, Guest, NextStep

GUEST: Final = Guest(
    "chariot-dash",
    commands={
        "vehicle": Command(
            "See what a vehicle of yours is worth: check, show, compare and race it.",
            "gridpress_chariot_dash.commands:command",
        )
    },
    next_steps=(NextStep("chariot-dash", "vehicle", "vehicle show {}"),),
    fields={
        "figure": FieldKind(
            "a whole number, or die",
            "2",
            "gridpress_chariot_dash.declared:figure",
            r"[+-]?\d{1,2}|die|a die",
        ),
        **{
            f"does-{kind}": FieldKind(
                "what races simulate",
                "control.dice+#",
                f"gridpress_chariot_dash.declared:{kind}",
                r"[a-z][a-z0-9.# +-]*",
            )
            for kind in ("trait", "special", "effect", "stamina")
        },
    },
    helpers={
        "rules_of": "gridpress_chariot_dash.declared:rules_of",
        "scored": "gridpress_chariot_dash.declared:scored",
        "numbered": "gridpress_chariot_dash.declared:numbered",
    },
    checks=("gridpress_chariot_dash.declared:check_rules",),
    codes={
        "GP921": "no such vehicle",
        "GP922": "nobody can race so on this track",
        "GP923": "these rules cannot be in force",
    },
)
