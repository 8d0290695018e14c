"""Which small changes bring a vehicle to a share of the wins: races in, proposals out.

Every change that the vehicle allows is raced, on the same dice, against rivals drawn by lot; the
quarter that comes nearest to what is wanted goes on with three times the races, until few are left
(after successive halving: Karnin, Koren and Somekh 2013; a driver learns the track anew with each
change in each heat, which takes longer than a hundred races, so heats are few). Where one change is
not enough the nearest is made and the search begins again from there.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from random import Random
from typing import Final

from gridpress_chariot_dash.race import crews
from gridpress_chariot_dash.race.crews import Heats
from gridpress_chariot_dash.race.results import Estimate, share
from gridpress_chariot_dash.race.simulation import Event, Values
from gridpress_chariot_dash.tweaks import Plain, Tweak, applied

FIELD: Final = 4
GO_ON: Final = 4
"""One of so many goes on from each heat."""
MORE: Final = 3
"""So many times as many races has each heat."""
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
    """How vehicles are tried. rivals: whom they race, three at a time; told: called with how many
    races were run."""

    event: Event
    rivals: Sequence[Values]
    races: int
    jobs: int
    told: Callable[[int], None] | None = None

    def ratios(self, vehicles: Sequence[Plain], races: int) -> Iterator[Estimate]:
        """Of each vehicle the wins in so many races, as a ratio to a fair share."""
        own, field = len(self.rivals), min(FIELD, len(self.rivals) + 1)
        meets = [self.event.meet((*self.rivals, vehicle), field) for vehicle in vehicles]
        heats = Heats.of([self._lineup(n, own) for n in range(races)], range(races))
        tasks = [(number, heats) for number in range(len(meets))]
        with closing(crews.relay(meets, tasks, self.jobs)) as found:
            for runs in found:
                if self.told:
                    self.told(races)
                won = share(int(runs["won"][heats.lineups == own].sum()), races)
                yield Estimate(won.value * field, won.low * field, won.high * field, won.of)

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
        found, moved = _found(base, made, tweaks, wanted, now, trials)
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


def races_of(changes: int, races: int) -> int:
    """How many races a search among so many changes takes, for the first change of a proposal."""
    total = races * (4 + 8 * KEPT)
    while changes > KEPT:
        total += changes * races
        changes, races = max(KEPT, math.ceil(changes / GO_ON)), races * MORE
    return total + changes * races


def _found(
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
        pairs = [pairs[i] for i in order[: max(KEPT, math.ceil(len(pairs) / GO_ON))]]
        races *= MORE
    return proposals, lever
