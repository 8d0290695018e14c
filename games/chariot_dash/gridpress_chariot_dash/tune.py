"""Which small changes bring a vehicle to a share of the wins: races in, proposals out.

Every change that the vehicle allows is raced, on the same dice, against rivals drawn by lot; the
half that comes nearest to what is wanted goes on with twice the races, until few are left
(successive halving: Karnin, Koren and Somekh 2013). Where one change is not enough the nearest is
made and the search begins again from there.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import Final

from gridpress_chariot_dash.race.results import Estimate, share
from gridpress_chariot_dash.race.simulation import Entry, Event
from gridpress_chariot_dash.tweaks import Plain, Tweak, Values, applied
from gridpress_chariot_dash.vehicle import Vehicle
from gridpress_chariot_dash.worth import AT_ONCE, races_of

FIELD: Final = 4
KEPT: Final = 3
"""Proposals in the end."""
NEAR: Final = 0.1
"""A ratio that is nearer to the wanted one is good."""


@dataclass(frozen=True, slots=True)
class Proposal:
    """Changes, and the wins that the vehicle then has, as a ratio to its fair share."""

    changes: tuple[Tweak, ...]
    ratio: Estimate


@dataclass(frozen=True, slots=True)
class Tuning:
    """now: as it is; proposals: the nearest to the wanted ratio first; lever: the one change that
    moved it most."""

    now: Estimate
    proposals: tuple[Proposal, ...]
    lever: Proposal | None


@dataclass(frozen=True, slots=True)
class Trials:
    """How vehicles are tried. rivals: whom they race, three at a time; built: a vehicle of plain
    values; told: called with how many races were run."""

    event: Event
    rivals: Sequence[Vehicle]
    races: int
    jobs: int
    built: Callable[[Values], Vehicle]
    told: Callable[[int], None] | None = None

    def ratios(self, vehicles: Sequence[Plain], races: int) -> Iterator[Estimate]:
        """Of each vehicle the wins in so many races, as a ratio to a fair share."""
        for start in range(0, len(vehicles), AT_ONCE):
            yield from self._ratios(vehicles[start : start + AT_ONCE], races)

    def _ratios(self, vehicles: Sequence[Plain], races: int) -> Iterator[Estimate]:
        entered = (*self.rivals, *map(self.built, vehicles))
        first, field = len(self.rivals), min(FIELD, len(self.rivals) + 1)
        lineups = tuple(
            (n, self._lineup(n, first + place))
            for place in range(len(vehicles))
            for n in range(races)
        )
        runs = races_of(Entry(self.event, entered, lineups), self.jobs)
        for place in range(len(vehicles)):
            won = 0
            for _ in range(races):
                won += any(r.place == 1 and r.vehicle == first + place for r in next(runs))
            if self.told:
                self.told(races)
            found = share(won, races)
            yield Estimate(found.value * field, found.low * field, found.high * field, found.of)

    def _lineup(self, race: int, vehicle: int) -> tuple[int, ...]:
        """Three rivals by lot and the vehicle, from each place on the grid as often."""
        lots = Random(f"rivals/{self.event.seed}/{race}")  # noqa: S311, a game's luck
        count = min(FIELD - 1, len(self.rivals))
        chosen = lots.sample(range(len(self.rivals)), count)
        at = race % (count + 1)
        return (*chosen[:at], vehicle, *chosen[at:])


def tuned(
    vehicle: Plain, tweaks: Sequence[Tweak], wanted: float, trials: Trials, most: int = 2
) -> Tuning:
    """Proposals of `most` changes at most that bring the vehicle's wins to `wanted` times its fair
    share. tweaks: those that may be made."""
    [now] = trials.ratios([vehicle], trials.races * 4)
    made: tuple[Tweak, ...] = ()
    base, lever = vehicle, None
    best: list[Proposal] = []
    for _ in range(most):
        found, moved = _halved(base, made, tweaks, wanted, now, trials)
        lever = lever or moved
        best = sorted((*best, *found), key=lambda one: abs(one.ratio.value - wanted))[:KEPT]
        if not best or abs(best[0].ratio.value - wanted) <= NEAR:
            break
        made = best[0].changes
        changed = applied(vehicle, made)
        if changed is None or len(made) >= most:
            break
        base = changed
    return Tuning(now, tuple(_confirmed(vehicle, best, wanted, trials)), lever)


def _confirmed(
    vehicle: Plain, found: Sequence[Proposal], wanted: float, trials: Trials
) -> list[Proposal]:
    """The proposals by races that did not choose them: of many the nearest is so by luck, too."""
    fresh = replace(trials, event=replace(trials.event, seed=trials.event.seed + 1))
    made = [changed for one in found if (changed := applied(vehicle, one.changes)) is not None]
    ratios = fresh.ratios(made, trials.races * 8)
    told = [replace(one, ratio=ratio) for one, ratio in zip(found, ratios, strict=True)]
    return sorted(told, key=lambda one: abs(one.ratio.value - wanted))


def _halved(
    base: Plain,
    made: tuple[Tweak, ...],
    tweaks: Sequence[Tweak],
    wanted: float,
    now: Estimate,
    trials: Trials,
) -> tuple[list[Proposal], Proposal | None]:
    pairs = [(tweak, changed) for tweak in tweaks if (changed := tweak.made(base)) is not None]
    races, lever = trials.races, None
    proposals: list[Proposal] = []
    while pairs:
        ratios = trials.ratios([changed for _, changed in pairs], races)
        proposals = [
            Proposal((*made, tweak), ratio) for (tweak, _), ratio in zip(pairs, ratios, strict=True)
        ]
        if not made:
            lever = max(proposals, key=lambda one: abs(one.ratio.value - now.value))
        if len(pairs) <= KEPT:
            break
        order = sorted(range(len(pairs)), key=lambda i: abs(proposals[i].ratio.value - wanted))
        pairs = [pairs[i] for i in order[: max(KEPT, math.ceil(len(pairs) / 2))]]
        races *= 2
    return proposals, lever
