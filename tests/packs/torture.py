"""Vehicles of Chariot Dash that nobody would draw by hand: values made from a seed, as in YAML. All
pass its checks. The nearer `much` is to 1, the longer, wider and more numerous their parts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

from packs.shipped import shipped_pack

LEVELS, CLIPS = 12, 28
"""The longest damage track, and the number of boxes of 8 mm that fit on the top edge."""

ART = {
    "beast": "horse boar lizard strider beetle tortoise wolf goat clockwork".split(),
    "coat": "bay black grey cream rust moss slate bronze".split(),
    "body": "racer wagon sled throne barrel wing ribs cart boiler".split(),
    "emblem": "sun tusk frill feather horn shell fang hoof cog".split(),
}
CREW = "charioteer brute nomad aviator brewer empress hunter goblin tinker".split()
NAMES = ("Extraordinariness", "of Extraordinary", "The Mammoth of Mumm", "Ox")
WIDEST = "W" * 20
STORY = "Extraordinary, incomprehensible circumstances, and a warm Gesellschaft. "


class _Maker:
    def __init__(self, seed: int, much: float) -> None:
        self.random = Random(seed)
        self.much = much
        found = shipped_pack("chariot-dash").components
        kinds = ("trait", "special", "damage-effect", "stamina-effect")
        self.known = {k: [(c.id, c.values) for c in found[k]] for k in kinds}

    def some(self, most: int, least: int = 0) -> int:
        """Return a number up to `most`; `most` itself for the worst vehicle."""
        return most if self.much == 1 else self.random.randint(least, round(most * self.much))

    def number(self, values: Mapping[str, Any]) -> dict[str, Any]:
        if values["number"] == "none":
            return {}
        any_die = () if values["number"] == "signed" else ("die",)
        return {"number": self.random.choice((1, 2, 3, *any_die))}

    def traits(self) -> list[dict[str, Any]]:
        known = self.known["trait"]
        found = self.random.sample(known, len(known) if self.much == 1 else self.some(12))
        return [{"trait": name, **self.number(values)} for name, values in found]

    def specials(self) -> list[dict[str, Any]]:
        found = self.random.sample(self.known["special"], self.some(12))
        return [
            {
                "special": name,
                "side": self.random.choice(("whip", "reins"))
                if values["type"] == "either"
                else str(values["type"]),
                "once": self.random.random() < 0.5,
                **self.number(values),
            }
            for name, values in found
        ]

    def effect(self, traits: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
        """Return a damage effect that is neither random nor a wipe-out."""
        while True:
            name, values = self.random.choice(self.known["damage-effect"])
            names = values["names"]
            if name == "wipe-out" or names == "list" or (names == "trait" and not traits):
                continue
            found = {"effect": name, **self.number(values)}
            if names == "trait":
                found["trait"] = self.random.choice(traits)["trait"]
            if names == "card":
                found["card"] = self.random.choice(("Whip", "Reins", "either"))
            return found

    def damage(self, levels: int, traits: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
        return [
            {"at": level, **self.effect(traits)}
            for level in range(1, levels)
            for _ in range(self.some(5))
        ]

    def boxes(self) -> tuple[list[int], list[int]]:
        """Return both rows, no wider than their clips."""
        while True:
            most = 4 if self.much == 1 else self.random.randint(1, 6)
            rows = [[self.random.randint(1, most) for _ in range(7)] for _ in range(2)]
            if self.much == 1:
                rows[0] = [4] * 7
            if sum(max(1.25, *pair) for pair in zip(*rows, strict=True)) <= CLIPS:
                return rows[0], rows[1]


def vehicle(seed: int, much: float) -> dict[str, Any]:
    """Return the values of a vehicle that passes the checks."""
    make = _Maker(seed, much)
    random = make.random
    traits, specials = make.traits(), make.specials()
    levels = LEVELS if much == 1 else random.randint(5, LEVELS)
    damage = make.damage(levels, traits)
    lowest = 0 if much == 1 else random.randint(0, 6)
    faster, slower = make.boxes()
    cards = max(4, len(specials) + random.randint(0, 12 - len(specials)))
    plain = cards - len(specials)
    whip = random.randint(0, plain)
    tiring = make.known["stamina-effect"]
    found: dict[str, Any] = {
        "id": f"torture-{seed}",
        "name": WIDEST if much == 1 else (f"{NAMES[seed % len(NAMES)]:.18}" + f" {seed}")[-20:],
        "driver": "Wolfgang Amadeus Mmmmmmm",
        "crew": "Wagoneers, warmongers, and the mammoths Mumm and Wumm again.",
        "story": (STORY * 8)[: make.some(520, 40)].strip(),
        "colour": f"#5a{40 + seed:02x}46",
        "art": {
            **{part: random.choice(choices) for part, choices in ART.items()},
            "team": random.randint(1, 3),
            "crew": random.sample(CREW, random.randint(1, 3)),
        },
        "acceleration": faster,
        "deceleration": slower,
        "moves": [[0] * 4, [0, 1, 0, 1], [1] * 4, [1, 2, 1, 2], [2] * 4, [2, 3, 2, 3], [3] * 4],
        "control": ["safe", "safe", "1", "2", "3", "4", "5"],
        "stamina": [2, 2, 1, 0, -1, -2, -3],
        "control_minimum": 0 if much == 1 else random.randint(0, 5),
        "resilience": "1",
        "damage_levels": levels,
        "damage": [*damage, {"at": levels, "effect": "wipe-out"}],
        "stamina_minimum": lowest,
        "stamina_effects": [
            {"at": random.randint(lowest, 9), "effect": random.choice(tiring)[0]}
            for _ in range(make.some(12))
        ],
        "whip": whip,
        "reins": plain - whip,
        "specials": specials,
        "traits": traits,
    }
    if much == 1 or random.random() < 0.5:
        found["damage"].insert(0, {"at": 1, "effect": "random"})
        found["random_effects"] = [make.effect(traits) for _ in range(3)]
    return found
