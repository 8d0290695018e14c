"""Which small changes bring a vehicle to a share of the wins: races in, proposals out.

Changes that lead the right way by the table of worth, small ones and large, and those of which it
has nothing, are raced on the same dice against rivals drawn by lot, until it is clear that they
lead elsewhere, or for nine times as many races as the first look takes: so a driver learns the
track once with each. The nearest are raced anew on other dice, for of many the nearest is so by
luck, too. Where one change is not enough the nearest is made and the search begins again from
there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from random import Random
from types import MappingProxyType
from typing import Final, NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from gridpress_chariot_dash.declared import Values
from gridpress_chariot_dash.race import crews
from gridpress_chariot_dash.race.crews import Heats, Until
from gridpress_chariot_dash.race.results import Estimate, share
from gridpress_chariot_dash.race.simulation import Event
from gridpress_chariot_dash.tweaks import Plain, Tweak, applied
from gridpress_chariot_dash.worth import Worth

FIELD: Final = 4
LOOKS: Final = (1, 3, 9)
"""After how many times the races of the first look it is seen whether a change leads elsewhere."""
SURE: Final = 9
"""So many times as many races has what is told of in the end."""
ANEW: Final = 9
"""So many of the nearest are raced anew."""
KEPT: Final = 3
"""Proposals in the end."""
SOME: Final = 36
"""So many of those that lead the right way are raced, from the least to the most."""
NEAR: Final = 0.1
"""A ratio that is nearer to the wanted one is good."""


class Proposal(Struct, frozen=True):
    """Changes, and the wins that the vehicle then has, as a ratio to its fair share."""

    changes: tuple[Tweak, ...]
    ratio: Estimate

    def misses(self, wanted: float) -> float:
        """By how much."""
        return abs(self.ratio.value - wanted)


class Tuning(Struct, frozen=True):
    """now: as it is; proposals: the nearest to the wanted ratio first; lever: the one change that
    moved it most; races: all that were run."""

    now: Estimate
    proposals: tuple[Proposal, ...]
    lever: Proposal | None
    races: int


class WinRatio(NamedTuple):
    """The wins of a vehicle as a ratio to a fair share, and in how many races."""

    ratio: Estimate
    races: int


class Trials(Struct, frozen=True):
    """How vehicles are tried. rivals: whom they race, three at a time; races: up to the first look;
    told: called with how many vehicles were tried, and of how many."""

    event: Event
    rivals: Sequence[Values]
    races: int
    jobs: int
    told: Callable[[int, int], None] | None = None

    def ratios(
        self, vehicles: Sequence[Plain], times: int, wanted: float | None = None
    ) -> Iterator[WinRatio]:
        """Of each vehicle, in so many times `races`; fewer if it is clear before that it does not
        come to what is wanted."""
        own, field = len(self.rivals), min(FIELD, len(self.rivals) + 1)
        meets = [self.event.meet((*self.rivals, vehicle), field, 1) for vehicle in vehicles]
        until = None
        if wanted is not None:
            ends = ((wanted - NEAR) / field, (wanted + NEAR) / field)
            until = Until(own, *ends, tuple(self.races * look for look in LOOKS if look < times))
        numbers = range(self.races * times)
        heats = Heats.of([self._lineup(n, own) for n in numbers], numbers, until)
        tasks = [(number, heats) for number in range(len(meets))]
        with closing(crews.relay(meets, tasks, self.jobs)) as found:
            for number, runs in enumerate(found, 1):
                if self.told:
                    self.told(number, len(meets))
                lineups = heats.lineups[: len(runs)]
                won = share(int(runs["won"][lineups == own].sum()), len(runs))
                ratio = Estimate(won.value * field, won.low * field, won.high * field, won.of)
                yield WinRatio(ratio, len(runs))

    def _lineup(self, race: int, vehicle: int) -> tuple[int, ...]:
        """Three rivals by lot and the vehicle, from each place on the grid as often."""
        lots = Random(f"rivals/{self.event.seed}/{race}")  # noqa: S311, a game's luck
        count = min(FIELD - 1, len(self.rivals))
        chosen = lots.sample(range(len(self.rivals)), count)
        at = race % (count + 1)
        return (*chosen[:at], vehicle, *chosen[at:])


def tuned(
    vehicle: Plain,
    tweaks: Sequence[Tweak],
    wanted: float,
    trials: Trials,
    most: int = 2,
    known: Mapping[str, Worth] = MappingProxyType({}),
) -> Tuning:
    """Proposals of `most` changes at most that bring the vehicle's wins to `wanted` times its fair
    share. tweaks: those that may be made; known: what they were worth elsewhere."""
    fresh = replace(trials, event=replace(trials.event, seed=trials.event.seed + 1))
    [(now, races)] = fresh.ratios([vehicle], SURE)
    made: tuple[Tweak, ...] = ()
    lever: Proposal | None = None
    best: list[Proposal] = []
    for _ in range(most):
        before = best[0].ratio.value if made else now.value
        likely = promising(tweaks, known, gain=wanted > before)
        found, run = _tried(vehicle, made, likely, wanted, trials)
        nearest = sorted(found, key=lambda one: one.misses(wanted))[:ANEW]
        movers = [] if made else sorted(found, key=lambda one: -one.misses(now.value))[:KEPT]
        anew, again = _anew(vehicle, [*nearest, *movers], fresh)
        races += run + again
        lever = max(anew[len(nearest) :], key=lambda one: one.misses(now.value), default=lever)
        best += anew[: len(nearest)]
        best.sort(key=lambda one: one.misses(wanted))
        if not best or best[0].misses(wanted) <= NEAR or best[0].changes == made:
            break
        made = best[0].changes
    return Tuning(now, tuple(best[:KEPT]), lever, races)


def promising(tweaks: Sequence[Tweak], known: Mapping[str, Worth], *, gain: bool) -> list[Tweak]:
    """Those worth a race where places are to be gained, or lost: of which nothing is known, some
    that lead there, evenly from the least to the most, and those that move most either way."""
    size = {tweak.id: known[tweak.id].places for tweak in tweaks if tweak.id in known}
    there = sorted(
        (one for one, by in size.items() if by and (by > 0) == gain), key=size.__getitem__
    )
    step = max(1.0, len(there) / SOME)
    some = {there[int(n * step)] for n in range(min(SOME, len(there)))}
    some.update(sorted(size, key=lambda one: -abs(size[one]))[:KEPT])
    return [tweak for tweak in tweaks if tweak.id in some or tweak.id not in known]


def _tried(
    vehicle: Plain, made: tuple[Tweak, ...], tweaks: Sequence[Tweak], wanted: float, trials: Trials
) -> tuple[list[Proposal], int]:
    """What each change leads to beside those made already, and how many races that took."""
    pairs = [
        ((*made, tweak), changed)
        for tweak in tweaks
        if (changed := applied(vehicle, (*made, tweak))) is not None
    ]
    found = list(trials.ratios([changed for _, changed in pairs], LOOKS[-1], wanted))
    proposals = [Proposal(ways, one.ratio) for (ways, _), one in zip(pairs, found, strict=True)]
    return proposals, sum(one.races for one in found)


def _anew(
    vehicle: Plain, proposals: Sequence[Proposal], trials: Trials
) -> tuple[list[Proposal], int]:
    """The same by races that did not choose them, and how many these were."""
    made = [changed for one in proposals if (changed := applied(vehicle, one.changes)) is not None]
    found = list(trials.ratios(made, SURE))
    told = [replace(one, ratio=new.ratio) for one, new in zip(proposals, found, strict=True)]
    return told, sum(one.races for one in found)
