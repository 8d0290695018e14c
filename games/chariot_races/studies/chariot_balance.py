"""Measure the balance of the shipped vehicles, by track, number of laps and size of field.

    python games/chariot_races/studies/chariot_balance.py [--races 1200] [--tracks oval …]

Fields are drawn by lot from all vehicles. A number is a vehicle's wins over its fair share of the
races that it starts in. Numbers above 1.6 or below 0.5 are bold, and make it exit with status 1.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from chariot_pack import Components, components
from gridpress_chariot_races.race import simulation
from gridpress_chariot_races.race.setup import RaceType, arena_of
from gridpress_chariot_races.race.simulation import Event, Heats

TRACKS = ("oval", "fox-earth", "three-corners")
LAPS = (1, 2, 3)
FIELDS = (2, 4, 6)
MOST, LEAST = 1.6, 0.5
Ratios = Mapping[tuple[int, str, int], Any]
"""A ratio for each vehicle, by size of field, track and laps."""


def heats(vehicles: int, field: int, races: int, seed: int) -> Heats:
    """Draw line-ups by lot."""
    lots = np.random.default_rng(seed)
    return Heats.of([lots.permutation(vehicles)[:field] for _ in range(races)], range(races))


def ratios(values: Components, tracks: Sequence[str], asked: argparse.Namespace) -> Ratios:
    """Run all races, those of a track in one go: a driver learns it once for each vehicle."""
    vehicles = values["vehicle"]
    arenas = {str(one["id"]): arena_of(one) for one in values["track"] if one["id"] in tracks}
    stands = [(field, track, laps) for track in tracks for laps in LAPS for field in FIELDS]
    meets = [
        Event(arenas[track], values, RaceType.of(laps=laps), asked.seed).meet(vehicles, field)
        for field, track, laps in stands
    ]
    raced = {field: heats(len(vehicles), field, asked.races, asked.seed) for field in FIELDS}
    tasks = [(n, part) for n, stand in enumerate(stands) for part in raced[stand[0]].parts()]
    wins = np.zeros((len(stands), len(vehicles)))
    starts = np.zeros((len(stands), len(vehicles)))
    for (n, _), runs in zip(tasks, simulation.relay(meets, tasks, asked.jobs), strict=True):
        np.add.at(starts[n], runs["vehicle"].ravel(), 1)
        np.add.at(wins[n], runs["vehicle"][runs["won"] > 0], 1)
        print(f"\r{stands[n]} ", end="", file=sys.stderr)
    found = wins / starts * np.array([stand[0] for stand in stands])[:, None]
    return dict(zip(stands, found, strict=True))


def tables(found: Ratios, names: Sequence[str], tracks: Mapping[str, str], races: int) -> None:
    """Print a table for each size of field."""
    for field in FIELDS:
        noise = 1.96 * ((field - 1) * len(names) / field / races) ** 0.5
        print(f"\n**Fields of {field}** (±{noise:.2f})\n")
        print(f"| vehicle | {' | '.join(tracks.values())} |")
        print(f"|---|{'---|' * len(tracks)}")
        for v, name in enumerate(names):
            cells = (
                " · ".join(_shown(found[field, track, laps][v]) for laps in LAPS)
                for track in tracks
            )
            print(f"| {name} | {' | '.join(cells)} |")


def _shown(ratio: float) -> str:
    return f"{ratio:.2f}" if LEAST <= ratio <= MOST else f"**{ratio:.2f}**"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--races", type=int, default=1200)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--tracks", nargs="+", default=TRACKS)
    asked = parser.parse_args()
    values = components()
    found = ratios(values, asked.tracks, asked)
    names = [str(one["name"]) for one in values["vehicle"]]
    tracks = {str(one["id"]): str(one["name"]) for one in values["track"]}
    print(file=sys.stderr)
    tables(found, names, {track: tracks[track] for track in asked.tracks}, asked.races)
    every = np.array(list(found.values()))
    print(f"\nFrom {every.min():.2f} to {every.max():.2f} times the fair share.")
    sys.exit(bool(every.min() < LEAST or every.max() > MOST))


if __name__ == "__main__":
    main()
