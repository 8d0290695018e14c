"""Measure what each trait, card and special is worth to the driver of Chariot Dash.

    python games/chariot_races/studies/driver_bench.py [--tracks oval …] [--laps 2000] [--races 500]
                                                      [--only WORD] [--seed 1] [--drivers]

Each row is the Basic Chariot with one thing more, against the same without it, on the same dice:
alone (rounds of a lap, 8 more for a wipe-out) and among four (its place against three Basic
Chariots), with the 95 % interval of the mean over pairs. An edge that may be left unused must not
cost more than noise. An edge that seems to cost is raced again on other dice, eight times as often,
and that number counts. Exits with 1 if one does cost.

`--drivers` compares the levels of strategy instead, alone with every shipped vehicle.
"""

from __future__ import annotations

import argparse
import math
import sys
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
from chariot_pack import Components, Values, components, one_of
from gridpress_chariot_dash.dice import Die
from gridpress_chariot_races.race import simulation
from gridpress_chariot_races.race.setup import RaceType, Rules, arena_of
from msgspec.structs import replace

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
"""Vehicles that learn a track at once; each takes some megabytes."""
CARS = 4
AGAIN = 8
"""An edge that seemed to cost is raced so many times as often."""


class Edge(NamedTuple):
    """A vehicle with one thing more. alone, field: True if it races there."""

    name: str
    values: Values
    alone: bool
    field: bool


def edges_of(pack: Components) -> Iterator[Edge]:
    """Yield the Basic Chariot with each trait, card and special more."""
    basic = pack["vehicle"][0]
    for name in dict.fromkeys((*ALONE, *IN_A_FIELD)):
        trait = one_of(pack, "trait", name)
        for number in (1, 3) if trait["number"] == "needed" else (None,):
            traits = [{"trait": trait, "number": number}]
            told = f"{trait['name']} {number}" if number else str(trait["name"])
            yield Edge(told, {**basic, "traits": traits}, name in ALONE, name in IN_A_FIELD)
    for card in ("whip", "reins", "dual"):
        for more in (1, 2):
            cards = {**basic, card: basic[card] + more}
            yield Edge(f"{more} {card.capitalize()} more", cards, True, more == 1)
    for special in pack["special"]:
        side = special["type"] if special["type"] != "either" else "whip"
        for number in (1, 3) if special["number"] == "needed" else (None,):
            entry = {"special": special, "side": side, "number": number, "once": False, "copies": 1}
            told = f"card {special['name']} {number or ''}".strip()
            values = {**basic, side: basic[side] - 1, "specials": [entry]}
            fights = str(special["moment"]).startswith(("attack", "defence"))
            yield Edge(told, values, not fights, fights)


def meet_of(
    pack: Components, track: str, vehicles: Sequence[Values], cars: int, seed: int = 1
) -> simulation.Meet:
    return simulation.Meet.of(
        vehicles, pack, arena_of(one_of(pack, "track", track)), RaceType(), cars,
        Rules.of(pack["option"]), Die(), seed,
    )  # fmt: skip


def raced(meet: simulation.Meet, count: int) -> Any:
    """Race each vehicle against copies of the first one, on the same dice. Return a row for each
    vehicle."""
    cars, vehicles = int(meet.rules["cars"][0]), len(meet.vehicles)
    rows = [[first, *[0] * (cars - 1)] for first in range(vehicles) for _ in range(count)]
    places = [[(n + v) % len(meet.grid) for v in range(cars)] for n in range(count)] * vehicles
    heats = simulation.Heats(np.array(rows), np.array(places), np.tile(np.arange(count), vehicles))
    runs = np.concatenate(list(simulation.run_meet(meet, heats)))
    return runs[:, 0].reshape(vehicles, count)


def costs(runs: Any, far: float) -> Any:
    """Return the rounds of each lap; a wipe-out counts as a lap and `WRECKED` rounds."""
    return np.where(runs["finished"] > 0, runs["rounds"], far + WRECKED)


def mean(numbers: Any) -> tuple[float, float]:
    """Return the mean and half of its 95 % interval."""
    return float(numbers.mean()), 1.96 * float(numbers.std()) / math.sqrt(len(numbers))


def told(gain: Any) -> str:
    value, noise = mean(gain)
    return f"{value:+.2f} ± {noise:.2f}"


def gains(
    pack: Components, track: str, some: Sequence[Edge], cars: int, count: int, seed: int
) -> Iterator[Any]:
    """Yield what each edge gains, race by race: rounds alone, or places in a field."""
    basic = pack["vehicle"][0]
    meet = meet_of(pack, track, [basic, *(edge.values for edge in some)], cars, seed)
    plain, *others = raced(meet, count)
    far = float(plain["rounds"][plain["finished"] > 0].mean())
    for runs in others:
        field = plain["place"] - runs["place"]
        yield field if cars > 1 else costs(plain, far) - costs(runs, far)


def does_cost(gain: Any) -> bool:
    value, noise = mean(gain)
    return value < -noise


def edges(
    pack: Components, tracks: Sequence[str], laps: int, races: int, only: str, seed: int
) -> int:
    """Print a table for each track. Return how many edges cost more than noise."""
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


def drivers(pack: Components, tracks: Sequence[str], laps: int) -> None:
    """Print, for every shipped vehicle and level of driver, the rounds of a lap and the share of
    wipe-outs."""
    vehicles = pack["vehicle"]
    for track in tracks:
        print(f"\n| {track} | " + " | ".join(simulation.LEVELS) + " |")
        print("|---|" + "---:|" * len(simulation.LEVELS), flush=True)
        runs = []
        for level in simulation.LEVELS:
            meet = meet_of(pack, track, vehicles, 1)
            runs.append(raced(replace(meet, drivers=(level,) * len(vehicles)), laps))
        for place, one in enumerate(vehicles):
            row = [str(one["name"])]
            for own in (of_level[place] for of_level in runs):
                home = own["rounds"][own["finished"] > 0]
                far = float(home.mean()) if len(home) else math.nan
                row.append(f"{far:.2f}, {float((own['wiped_out'] > 0).mean()):.0%} out")
            print("| " + " | ".join(row) + " |", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--tracks", nargs="+", default=["oval", "fox-earth", "three-corners"])
    parser.add_argument("--laps", type=int, default=2000)
    parser.add_argument("--races", type=int, default=500)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", default="", help="edges with this word in their name")
    parser.add_argument("--drivers", action="store_true")
    options = parser.parse_args()
    pack = components()
    if options.drivers:
        drivers(pack, options.tracks, options.laps)
        return
    asked = (options.laps, options.races, options.only, options.seed)
    sys.exit(edges(pack, options.tracks, *asked) > 0)


if __name__ == "__main__":
    main()
