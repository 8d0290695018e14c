"""The worth of changes to a vehicle, and the search for changes that make it fair.

A changed vehicle races three unchanged ones; then an unchanged one takes its place in the same
races. The places and rounds gained are the worth of the change. Results are cached, so a stopped
run continues.

Tuning races the promising changes against rivals drawn by lot, and stops early where a change leads
elsewhere. The nearest are raced again on other dice, since the best of many was also lucky. If one
change is not enough, it is made and the search starts again.
"""

from __future__ import annotations

import hashlib
import json
import math
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from random import Random
from types import MappingProxyType
from typing import Any, Final, NamedTuple

from gridpress_chariot_dash.account import UNKNOWN, OnTrack, Worth
from gridpress_chariot_dash.declared import Values
from gridpress_chariot_dash.tweaks import Plain, Tweak, applied
from msgspec import Struct
from msgspec.structs import asdict, replace

from generator.cache import Cache, Sort
from gridpress_chariot_races.race import simulation
from gridpress_chariot_races.race.simulation import (
    Estimate,
    Event,
    Heats,
    Meet,
    Until,
    mean,
    wilson_share,
)

FIELD: Final = 4
"""Vehicles in a race."""
FEW: Final = 8
"""Races that show whether a table is out of date."""


class Measuring(NamedTuple):
    """Options for measuring. events: by track; races: for each change and track; kept: cache."""

    events: Mapping[str, Event]
    races: int
    jobs: int
    kept: Cache
    progress: Callable[[int, int], None] | None = None

    def key(self, meet: Meet) -> tuple[bytes, ...]:
        """Return everything that the worth on one track depends on."""
        return b"worth", str(self.races).encode(), *meet.content


def likeness(baseline: Plain, events: Sequence[Event]) -> str:
    """Return a digest of unchanged races, which shows whether a table is out of date."""
    meets = [event.meet((baseline,), FIELD) for event in events]
    [runs] = simulation.run_meet(meets[0], Heats.of([[0] * FIELD] * FEW, range(FEW)))
    told = ("place", "rounds", "spaces", "rolls", "damage", "cards")
    digest = hashlib.blake2b(b"".join(runs[name].tobytes() for name in told), digest_size=6)
    for meet in meets:
        digest.update(meet.cells.tobytes() + meet.grid.tobytes())
    return digest.hexdigest()


def measured(baseline: Plain, tweaks: Iterable[Tweak], how: Measuring) -> Iterator[Worth]:
    """Yield the mean worth of each possible change over the tracks."""
    made = [(tweak, changed) for tweak in tweaks if (changed := tweak.made(baseline)) is not None]
    vehicles = [changed for _, changed in made]
    on = [_on_track(baseline, vehicles, number, how) for number in range(len(how.events))]
    for (tweak, _), found in zip(made, zip(*on, strict=True), strict=True):
        yield _together(tweak, dict(zip(how.events, found, strict=True)))


Gains = dict[str, Any]
"""The measured values of a `Worth` on one track."""


def _on_track(
    baseline: Plain, vehicles: Sequence[Plain], number: int, how: Measuring
) -> list[Gains]:
    event = [*how.events.values()][number]
    meets = [event.meet((baseline, changed), FIELD, 1) for changed in vehicles]
    kept = [how.kept.get(Sort.RACES, *how.key(meet)) for meet in meets]
    found: list[Gains | None] = [None if known is None else json.loads(known) for known in kept]
    waiting = [n for n, known in enumerate(found) if known is None]
    unchanged = event.meet((baseline, baseline), FIELD, 1)
    raced = _raced(unchanged, [meets[n] for n in waiting], event.race.laps, how)
    done = len(vehicles) * number + len(vehicles) - len(waiting)
    for n, gains in zip(waiting, raced, strict=True):
        how.kept.put(Sort.RACES, json.dumps(gains).encode(), *how.key(meets[n]))
        found[n] = gains
        done += 1
        if how.progress:
            how.progress(done, len(vehicles) * len(how.events))
    return [gains for gains in found if gains is not None]


def _raced(unchanged: Meet, changed: Sequence[Meet], laps: int, how: Measuring) -> Iterator[Gains]:
    if not changed:
        return
    heats = Heats.of(
        [[int(slot == n % FIELD) for slot in range(FIELD)] for n in range(how.races)],
        range(how.races),
    )
    meets, own = [unchanged, *changed], heats.lineups == 1
    tasks = [(number, heats) for number in range(len(meets))]  # so that one process learns each
    with closing(simulation.relay(meets, tasks, how.jobs)) as found:
        was = next(found)[own]
        for runs in found:
            now = runs[own]
            home = (was["finished"] > 0) & (now["finished"] > 0)
            places, places_error = _mean((was["place"] - now["place"]).tolist())
            rounds, rounds_error = _mean(((was["rounds"] - now["rounds"])[home] / laps).tolist())
            yield {"of": how.races, "places": places, "places_error": places_error,
                   "rounds": rounds, "rounds_error": rounds_error}  # fmt: skip


def _mean(gains: Sequence[float]) -> tuple[float, float]:
    estimate = mean(gains)
    if estimate is None or not math.isfinite(estimate.low):
        return 0.0, UNKNOWN
    return round(estimate.value, 3), round((estimate.high - estimate.low) / 2, 3)


def _together(tweak: Tweak, on: Mapping[str, Gains]) -> Worth:
    """Combine the tracks, all with equal weight."""
    home = [gains for gains in on.values() if gains["rounds_error"] < UNKNOWN]
    rounds, rounds_error = (0.0, UNKNOWN) if not home else _all(home, "rounds")
    places, places_error = _all([*on.values()], "places")
    tracks = (OnTrack(track, of["places"], of["places_error"]) for track, of in on.items())
    races = sum(gains["of"] for gains in on.values())
    known = places, places_error, rounds, rounds_error, races
    return Worth(tweak.id, tweak.group, tweak.name, *known, tuple(tracks))


def _all(gains: Sequence[Gains], name: str) -> tuple[float, float]:
    half = math.hypot(*(of[f"{name}_error"] for of in gains)) / len(gains)
    return round(math.fsum(of[name] for of in gains) / len(gains), 3), round(half, 3)


ENDED: Final = "Races of the unchanged ended so: "
"""Comes before the digest in a table's comment."""
_TERMS: Final = re.compile(r"\b(Whips?|Reins|[Vv]ehicles?)\b")
"""Terms marked because an author's setting may replace them."""


def as_yaml(table: Iterable[Worth], told: str) -> str:
    """Return the table as a file of kind `worth`. told: a comment."""
    lines = [
        "# yaml-language-server: $schema=kinds/worth.schema.json",
        *(f"# {line}" for line in told.splitlines()),
        "kind: worth",
        "components:",
    ]
    for one in table:
        name = _TERMS.sub(r"[[\1]]", one.name)
        values = {**asdict(one), "name": name, "tracks": [on._asdict() for on in one.tracks]}
        lines.append("  - " + json.dumps(values, ensure_ascii=False))
    return "\n".join((*lines, ""))


LOOKS: Final = (1, 3, 9)
"""Checks for hopeless changes, in multiples of the first look's races."""
SURE: Final = 9
"""Multiples of these races behind the final numbers."""
ANEW: Final = 9
"""The number of nearest ones to race again."""
KEPT: Final = 3
"""Proposals to show."""
SOME: Final = 36
"""The number of promising changes to race, from least to most."""
NEAR: Final = 0.1
"""A ratio this close to the target is good."""


class Proposal(Struct, frozen=True):
    """Changes and the resulting wins, as a ratio to the fair share."""

    changes: tuple[Tweak, ...]
    ratio: Estimate

    def misses(self, wanted: float) -> float:
        """Return the distance from the target."""
        return abs(self.ratio.value - wanted)


class Tuning(Struct, frozen=True):
    """The result of tuning. proposals: nearest first; lever: the strongest single change."""

    now: Estimate
    proposals: tuple[Proposal, ...]
    lever: Proposal | None
    races: int


class WinRatio(NamedTuple):
    """A vehicle's wins as a ratio to the fair share, and the number of races."""

    ratio: Estimate
    races: int


class Trials(Struct, frozen=True):
    """Options for trying vehicles. rivals: raced three at a time; races: until the first look."""

    event: Event
    rivals: Sequence[Values]
    races: int
    jobs: int
    told: Callable[[int, int], None] | None = None

    def ratios(
        self, vehicles: Sequence[Plain], times: int, wanted: float | None = None
    ) -> Iterator[WinRatio]:
        """Yield the ratio of each vehicle, stopping early if it clearly misses `wanted`."""
        own, field = len(self.rivals), min(FIELD, len(self.rivals) + 1)
        meets = [self.event.meet((*self.rivals, vehicle), field, 1) for vehicle in vehicles]
        until = None
        if wanted is not None:
            ends = ((wanted - NEAR) / field, (wanted + NEAR) / field)
            until = Until(own, *ends, tuple(self.races * look for look in LOOKS if look < times))
        numbers = range(self.races * times)
        heats = Heats.of([self._lineup(n, own) for n in numbers], numbers, until)
        tasks = [(number, heats) for number in range(len(meets))]
        with closing(simulation.relay(meets, tasks, self.jobs)) as found:
            for number, runs in enumerate(found, 1):
                if self.told:
                    self.told(number, len(meets))
                lineups = heats.lineups[: len(runs)]
                won = wilson_share(int(runs["won"][lineups == own].sum()), len(runs))
                ratio = Estimate(won.value * field, won.low * field, won.high * field, won.of)
                yield WinRatio(ratio, len(runs))

    def _lineup(self, race: int, vehicle: int) -> tuple[int, ...]:
        """Draw three rivals, with the vehicle in each grid place equally often."""
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
    """Propose up to `most` changes that bring the wins to `wanted` times the fair share."""
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
    """Return changes to race: unknown ones, some in the right direction, and the strongest."""
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
    """Return the result of each further change, and the number of races."""
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
    """Race proposals again on other dice."""
    made = [changed for one in proposals if (changed := applied(vehicle, one.changes)) is not None]
    found = list(trials.ratios(made, SURE))
    told = [replace(one, ratio=new.ratio) for one, new in zip(proposals, found, strict=True)]
    return told, sum(one.races for one in found)
