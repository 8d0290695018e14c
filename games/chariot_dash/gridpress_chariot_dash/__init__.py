"""The chariot game as a guest of Gridpress: its rules, exact odds, lap times.

Only `commands` prints. From the bottom up:

| module | contents |
|---|---|
| `declared` | the rules of packs: effects of traits, options, licences |
| `dice` | exact odds of speed checks, control rolls and attacks |
| `tweaks`, `account` | changes to a vehicle, and what they are worth |
| `findings` | tables, charts and pages |
| `vehicle_odds` | exact odds of a vehicle |
| `solo_lap`, `pace` | the best way round a course alone; lap times |
| `vehicle_report` | the report on a vehicle |
| `commands/` | `gridpress vehicle` |

The package `gridpress_chariot_races` races vehicles; its commands are in `gridpress vehicle`, too.
"""

from typing import Final

from generator.guests import Command, FieldKind, Guest, NextStep

GUEST: Final = Guest(
    "chariot-dash",
    commands={
        "vehicle": Command(
            "Check, show, compare and race your vehicles.",
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
    judges={"vehicle": "gridpress_chariot_dash.vehicle_odds:judged"},
    codes={
        "GP921": "no such vehicle",
        "GP923": "these rules cannot be in force",
    },
    explanations={
        "GP921": "Name a vehicle by its pack and id, such as `chariot-dash/basic`. "
        "`gridpress list PACK` shows the ids. Only `chariot-dash`, and packs that require it, have "
        "vehicles.",
        "GP923": "`options: {rules: …}` in pack.yaml takes names of options.yaml with `on`, `off` "
        "or a number between `least` and `most`. Some options exclude each other.",
    },
)
