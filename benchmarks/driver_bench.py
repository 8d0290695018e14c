"""What each edge is worth to the driver of Chariot Dash, and what learning a track is.

    python benchmarks/driver_bench.py [--tracks oval …] [--laps 2000] [--races 500] [--only WORD]
                                       [--seed 1]

Every row is the Basic Chariot with one trait, card or special more, against the same without it, on
the racing engine with the same dice. Alone: rounds of a lap, 8 more for a wipe-out. In a field: its
place among four, the three others being Basic Chariots. Both are told as what the edge gains, with
the 95 % interval of the mean over pairs. An edge that may be left unused must not cost more than
noise. Of some three hundred numbers a few lie outside their interval by luck, so an edge that seems
to cost is raced again on other dice, eight times as often, and that number is told and counts; the
exit status says whether one does cost.

`--drivers` compares drivers instead, alone with every shipped vehicle: the one who has learnt the
track with the plain one of the engine's tests, and the levels of strategy.
"""

from __future__ import annotations

import argparse
import math
import sys
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from gridpress_chariot_dash.dice import Die
from gridpress_chariot_dash.race import simulation
from gridpress_chariot_dash.race.setup import RaceType, Rules, arena_of, race_of
from msgspec.structs import replace

from generator import workers
from generator.order import Order
from generator.prepress import open_pack
from generator.project import find_targets

Values = Mapping[str, Any]
ALONE = (
    "stamina adaptive encouragement beastmaster lash tight-leash long-legs rubber-shoes driver "
    "handling reactions flyer leap failsafes bsh"
).split()
IN_A_FIELD = (
    "snapper savage fortune-smiles tank persistent blades armoured evasive sneaky lady-luck "
    "cat-o-nine frenzied whiplash shield guarded bsh spiked beastmaster tight-leash driver"
).split()
WRECKED = 8.0
"""Rounds that a wipe-out costs."""
TOGETHER = 8
"""Vehicles that learn a track at once: each takes some megabytes."""
CARS = 4
AGAIN = 8
"""So many times as many races has an edge that seemed to cost."""


class Edge(NamedTuple):
    """A name, and the vehicle that has it; whether it is raced alone, and in a field."""

    name: str
    values: Values
    alone: bool
    field: bool


class Pack(NamedTuple):
    """Of the shipped pack what races need."""

    components: Mapping[str, Sequence[Values]]
    rules: Rules

    def of(self, kind: str, name: str) -> Values:
        return next(one for one in self.components[kind] if one["id"] == name)


def opened() -> Pack:
    pack = open_pack(find_targets(["chariot-dash"])[0], Order()).value
    assert pack is not None, "the shipped pack is right"
    kinds = "vehicle trait special damage-effect stamina-effect track option".split()
    made = pack.pack.components
    components = {kind: [{**c.values, "id": c.id} for c in made[kind]] for kind in kinds}
    return Pack(components, Rules.of(components["option"]))


def edges_of(pack: Pack) -> Iterator[Edge]:
    """The Basic Chariot with one thing more: traits, cards, and specials behind its own cards."""
    basic = pack.components["vehicle"][0]
    for name in dict.fromkeys((*ALONE, *IN_A_FIELD)):
        trait = pack.of("trait", name)
        for number in (1, 3) if trait["number"] == "needed" else (None,):
            traits = [{"trait": trait, "number": number}]
            told = f"{trait['name']} {number}" if number else str(trait["name"])
            yield Edge(told, {**basic, "traits": traits}, name in ALONE, name in IN_A_FIELD)
    for card in ("whip", "reins", "dual"):
        for more in (1, 2):
            cards = {**basic, card: basic[card] + more}
            yield Edge(f"{more} {card.capitalize()} more", cards, True, more == 1)
    for special in pack.components["special"]:
        side = special["type"] if special["type"] != "either" else "whip"
        for number in (1, 3) if special["number"] == "needed" else (None,):
            entry = {"special": special, "side": side, "number": number, "once": False, "copies": 1}
            told = f"card {special['name']} {number or ''}".strip()
            values = {**basic, side: basic[side] - 1, "specials": [entry]}
            fights = str(special["moment"]).startswith(("attack", "defence"))
            yield Edge(told, values, not fights, fights)


def meet_of(
    pack: Pack, track: str, vehicles: Sequence[Values], cars: int, seed: int = 1
) -> simulation.Meet:
    return simulation.Meet.of(
        vehicles, pack.components, arena_of(pack.of("track", track)), RaceType(), cars,
        pack.rules, Die(), seed,
    )  # fmt: skip


class Plain(simulation.Racer):
    """Races with the plain driver of the engine's tests, who has learnt nothing."""

    def races(self, task: simulation.HeatTask) -> Any:
        import plain_driver  # noqa: PLC0415, at home
        from gridpress_chariot_dash import race  # noqa: PLC0415, at home

        sys.modules[f"{race.__name__}.hooks"] = race.hooks = plain_driver  # type: ignore[attr-defined]
        simulation.records = lambda meet, present, kept: race_of(
            meet.rules, meet.vehicles[present], meet.cells, int(meet.rules["cars"][0])
        )
        return super().races(task)


def raced(meet: simulation.Meet, count: int, plain: bool = False) -> Any:
    """So many races of each vehicle with others of the first one, on the same dice; how it fared,
    a row for each vehicle."""
    cars, vehicles = int(meet.rules["cars"][0]), len(meet.vehicles)
    rows = [[first, *[0] * (cars - 1)] for first in range(vehicles) for _ in range(count)]
    places = [[(n + v) % len(meet.grid) for v in range(cars)] for n in range(count)] * vehicles
    heats = simulation.Heats(np.array(rows), np.array(places), np.tile(np.arange(count), vehicles))
    if plain:  # compiled in a folder of its own: the engine's does not know that driver
        [(_, runs)] = workers.answers(Plain((meet,), None), [(0, heats)], 1)
    else:
        runs = np.concatenate(list(simulation.run_meet(meet, heats)))
    return runs[:, 0].reshape(vehicles, count)


def costs(runs: Any, far: float) -> Any:
    """Rounds of each lap; of a wipe-out those that a lap takes and `WRECKED` more."""
    return np.where(runs["finished"] > 0, runs["rounds"], far + WRECKED)


def mean(numbers: Any) -> tuple[float, float]:
    """And half of its 95 % interval."""
    return float(numbers.mean()), 1.96 * float(numbers.std()) / math.sqrt(len(numbers))


def told(gain: Any) -> str:
    value, noise = mean(gain)
    return f"{value:+.2f} ± {noise:.2f}"


def gains(
    pack: Pack, track: str, some: Sequence[Edge], cars: int, count: int, seed: int
) -> Iterator[Any]:
    """What each edge gains, race by race: rounds alone, or places in a field."""
    basic = pack.components["vehicle"][0]
    meet = meet_of(pack, track, [basic, *(edge.values for edge in some)], cars, seed)
    plain, *others = raced(meet, count)
    far = float(plain["rounds"][plain["finished"] > 0].mean())
    for runs in others:
        field = plain["place"] - runs["place"]
        yield field if cars > 1 else costs(plain, far) - costs(runs, far)


def does_cost(gain: Any) -> bool:
    value, noise = mean(gain)
    return value < -noise


def edges(pack: Pack, tracks: Sequence[str], laps: int, races: int, only: str, seed: int) -> int:
    """A table of each track; how many edges cost more than noise."""
    worse = 0
    found = [edge for edge in edges_of(pack) if only.lower() in edge.name.lower()]
    for track in tracks:
        print(f"\n| {track}: the Basic Chariot with | rounds gained alone | places gained |")
        print("|---|---:|---:|", flush=True)
        rows = {edge.name: ["", ""] for edge in found}
        for column, (cars, count) in enumerate(((1, laps), (CARS, races))):
            chosen = [e for e in found if count and (e.field if column else e.alone)]
            for at in range(0, len(chosen), TOGETHER):
                part = chosen[at : at + TOGETHER]
                for edge, first in zip(
                    part, gains(pack, track, part, cars, count, seed), strict=True
                ):
                    gain, again = first, ""
                    if does_cost(first):
                        [gain] = gains(pack, track, [edge], cars, AGAIN * count, seed + 1)
                        again = f" (at first {told(first)})"
                    is_worse = does_cost(gain)
                    worse += is_worse
                    rows[edge.name][column] = told(gain) + again + " **costs**" * is_worse
        for name, (alone, field) in rows.items():
            print(f"| {name} | {alone} | {field} |", flush=True)
    print(f"\n{worse} edges cost more than noise")
    return worse


def drivers(pack: Pack, tracks: Sequence[str], laps: int) -> None:
    """Every shipped vehicle alone, by its driver: rounds of a lap, and how many are wiped out."""
    vehicles = pack.components["vehicle"]
    for track in tracks:
        levels = ("plain", *simulation.LEVELS)
        print(f"\n| {track} | " + " | ".join(levels) + " | learnt against plain |")
        print("|---|" + "---:|" * (len(levels) + 1), flush=True)
        runs = {}
        for level in levels:
            driven = (simulation.STEADY if level == "plain" else level,) * len(vehicles)
            meet = replace(meet_of(pack, track, vehicles, 1), drivers=driven)
            runs[level] = raced(meet, laps, plain=level == "plain")
        for place, one in enumerate(vehicles):
            row, cost = [str(one["name"])], {}
            for level in levels:
                own = runs[level][place]
                home = own["rounds"][own["finished"] > 0]
                far = float(home.mean()) if len(home) else math.nan
                cost[level] = costs(own, far if len(home) else 120.0)
                row.append(f"{far:.2f}, {float((own['wiped_out'] > 0).mean()):.0%} out")
            row.append(told(cost["plain"] - cost[simulation.STEADY]))
            print("| " + " | ".join(row) + " |", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--tracks", nargs="+", default=["oval", "fox-earth", "three-corners"])
    parser.add_argument("--laps", type=int, default=2000)
    parser.add_argument("--races", type=int, default=500)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", default="", help="edges whose name has this in it")
    parser.add_argument("--drivers", action="store_true")
    options = parser.parse_args()
    pack = opened()
    if options.drivers:
        drivers(pack, options.tracks, options.laps)
        return
    asked = (options.laps, options.races, options.only, options.seed)
    sys.exit(edges(pack, options.tracks, *asked) > 0)


if __name__ == "__main__":
    main()
