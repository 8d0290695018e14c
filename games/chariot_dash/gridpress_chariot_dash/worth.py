"""What one change to a vehicle is worth, and which small changes bring it to a share of the wins:
races with a change and without it, on the same dice.

The changed vehicle races three of the unchanged, and an unchanged one in its place the same race
again: by how many places it comes in earlier, and by how many rounds a lap it is quicker, is the
worth of the change. All changes are measured against the same races, each from every place on the
grid as often. What was measured is kept, by all that it depends on; so a run that was stopped goes
on where it was.

Where a vehicle is to be tuned, changes that lead the right way by the table of worth, small ones
and large, and those of which it has nothing, are raced on the same dice against rivals drawn by
lot, until it is clear that they lead elsewhere, or for nine times as many races as the first look
takes: so a driver learns the track once with each. The nearest are raced anew on other dice, for of
many the nearest is so by luck, too. Where one change is not enough the nearest is made and the
search begins again from there.
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

from msgspec import Struct
from msgspec.structs import asdict, replace

from generator.cache import Cache, Sort
from gridpress_chariot_dash.declared import Values
from gridpress_chariot_dash.race import simulation
from gridpress_chariot_dash.race.simulation import (
    Estimate,
    Event,
    Heats,
    Meet,
    Until,
    mean,
    wilson_share,
)
from gridpress_chariot_dash.tweaks import Plain, Tweak, applied, changes_from_baseline

FIELD: Final = 4
"""Vehicles in a race."""
FEW: Final = 8
"""Races by which a table is known to be of the engine, driver and rules as they are."""
UNKNOWN: Final = 9.0
"""Half an interval of which nothing is known: too few came home."""


class OnTrack(NamedTuple):
    """Places gained on one track, and half the 95 % interval."""

    track: str
    places: float
    places_error: float


class Worth(Struct, frozen=True):
    """A change, by how many places of a field of four and rounds a lap it is better, and half the
    95 % interval of each. of: races; tracks: what it is worth on each."""

    id: str
    group: str
    name: str
    places: float
    places_error: float
    rounds: float
    rounds_error: float
    of: int
    tracks: tuple[OnTrack, ...] = ()

    @property
    def apart(self) -> tuple[OnTrack, OnTrack] | None:
        """The tracks on which it is worth least and most, if it hangs on the track: where no value
        lies within the intervals of both."""
        if not self.tracks:
            return None
        low = min(self.tracks, key=lambda one: one.places)
        high = max(self.tracks, key=lambda one: one.places)
        is_clear = low.places + low.places_error < high.places - high.places_error
        return (low, high) if is_clear else None

    @property
    def is_sure(self) -> bool:
        """Whether it is more than noise, in places or in rounds."""
        return abs(self.places) > self.places_error or abs(self.rounds) > self.rounds_error

    @property
    def rounds_known(self) -> bool:
        """Whether enough came home."""
        return self.rounds_error < UNKNOWN


class Measuring(NamedTuple):
    """How worth is measured. events: one for each track, by its id; races: of each change on each;
    kept: for what was measured before; progress: of changes on tracks."""

    events: Mapping[str, Event]
    races: int
    jobs: int
    kept: Cache
    progress: Callable[[int, int], None] | None = None

    def key(self, meet: Meet) -> tuple[bytes, ...]:
        """All that a worth on one track depends on."""
        return b"worth", str(self.races).encode(), *meet.content


def likeness(baseline: Plain, events: Sequence[Event]) -> str:
    """What stands for how races of the unchanged end on the first track, and for all tracks. Once
    engine, driver, rules or a track are others it is another, and a table made before is out of
    date."""
    meets = [event.meet((baseline,), FIELD) for event in events]
    [runs] = simulation.run_meet(meets[0], Heats.of([[0] * FIELD] * FEW, range(FEW)))
    told = ("place", "rounds", "spaces", "rolls", "damage", "cards")
    digest = hashlib.blake2b(b"".join(runs[name].tobytes() for name in told), digest_size=6)
    for meet in meets:
        digest.update(meet.cells.tobytes() + meet.grid.tobytes())
    return digest.hexdigest()


def measured(baseline: Plain, tweaks: Iterable[Tweak], how: Measuring) -> Iterator[Worth]:
    """The worth of each change that can be made to the baseline, the mean of that on each track."""
    made = [(tweak, changed) for tweak in tweaks if (changed := tweak.made(baseline)) is not None]
    vehicles = [changed for _, changed in made]
    on = [_on_track(baseline, vehicles, number, how) for number in range(len(how.events))]
    for (tweak, _), found in zip(made, zip(*on, strict=True), strict=True):
        yield _together(tweak, dict(zip(how.events, found, strict=True)))


Gains = dict[str, Any]
"""What a change is worth on one track: the values of a `Worth` that are measured."""


def _on_track(
    baseline: Plain, vehicles: Sequence[Plain], number: int, how: Measuring
) -> list[Gains]:
    """Of each changed vehicle on one of the tracks."""
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
    """What the changed gain on the unchanged in its place, one after the other."""
    if not changed:
        return
    heats = Heats.of(
        [[int(slot == n % FIELD) for slot in range(FIELD)] for n in range(how.races)],
        range(how.races),
    )
    meets, own = [unchanged, *changed], heats.lineups == 1
    tasks = [(number, heats) for number in range(len(meets))]  # so each is learnt by one process
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
    """The mean, and half its interval."""
    estimate = mean(gains)
    if estimate is None or not math.isfinite(estimate.low):
        return 0.0, UNKNOWN
    return round(estimate.value, 3), round((estimate.high - estimate.low) / 2, 3)


def _together(tweak: Tweak, on: Mapping[str, Gains]) -> Worth:
    """From what a change is worth on each track, all of which count alike."""
    home = [gains for gains in on.values() if gains["rounds_error"] < UNKNOWN]
    rounds, rounds_error = (0.0, UNKNOWN) if not home else _all(home, "rounds")
    places, places_error = _all([*on.values()], "places")
    tracks = (OnTrack(track, of["places"], of["places_error"]) for track, of in on.items())
    races = sum(gains["of"] for gains in on.values())
    known = places, places_error, rounds, rounds_error, races
    return Worth(tweak.id, tweak.group, tweak.name, *known, tuple(tracks))


def _all(gains: Sequence[Gains], name: str) -> tuple[float, float]:
    """The mean of means, and half its interval."""
    half = math.hypot(*(of[f"{name}_error"] for of in gains)) / len(gains)
    return round(math.fsum(of[name] for of in gains) / len(gains), 3), round(half, 3)


ENDED: Final = "Races of the unchanged ended so: "
"""Before the likeness of a table, in its comment."""
_TERMS: Final = re.compile(r"\b(Whips?|Reins|[Vv]ehicles?)\b")
"""Words that a setting of one's own has others for: they are marked in all texts of the pack."""


def as_yaml(table: Iterable[Worth], told: str) -> str:
    """The table as a file of components of kind `worth`. told: a comment, how it was made."""
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


def worth_by_change(components: Iterable[Values]) -> dict[str, Worth]:
    """The table of a pack, by the ids of the changes."""
    names = ("group", "name", "places", "places_error", "rounds", "rounds_error", "of")
    found: dict[str, Worth] = {}
    for c in components:
        tracks = (OnTrack(str(on["track"]), on["places"], on["places_error"]) for on in c["tracks"])
        one = Worth(str(c["id"]), **{name: c[name] for name in names}, tracks=tuple(tracks))
        found[one.id] = one
    return found


class Difference(Struct, frozen=True):
    """One difference from the baseline. worth: of all its `times`, None where no race was run."""

    name: str
    times: int
    worth: Worth | None


class Account(Struct, frozen=True):
    """What the differences of a vehicle are worth, the largest first, and what they add up to."""

    parts: tuple[Difference, ...]
    places: float
    places_error: float
    rounds: float
    rounds_error: float

    @property
    def unknown(self) -> tuple[Difference, ...]:
        """Of which the table has nothing."""
        return tuple(part for part in self.parts if part.worth is None)


def account(values: Values, baseline: Values, table: Mapping[str, Worth]) -> Account:
    """Each difference of a vehicle, by the table. What a change that is taken back is worth is the
    worth of the change, turned round."""
    parts = [
        _part(name, times, words, table)
        for name, times, words in changes_from_baseline(values, baseline)
    ]
    parts.sort(key=lambda part: -abs(part.worth.places) if part.worth else 1.0)
    known = [part.worth for part in parts if part.worth is not None]
    return Account(
        tuple(parts),
        math.fsum(worth.places for worth in known),
        math.hypot(*(worth.places_error for worth in known)),
        math.fsum(worth.rounds for worth in known if worth.rounds_known),
        math.hypot(*(worth.rounds_error for worth in known if worth.rounds_known)),
    )


def _part(name: str, times: int, words: str, table: Mapping[str, Worth]) -> Difference:
    worth = table.get(name)
    if worth is None:
        opposite = _OPPOSITE.get(name.rpartition("-")[2])
        other = table.get(f"{name.rpartition('-')[0]}-{opposite}") if opposite else None
        if other is None:
            told = words or name.replace("-", " ")
            return Difference(told if times > 0 else f"not {told}", abs(times), None)
        worth, times = other, -times
    tracks = (OnTrack(t, gain * times, error * abs(times)) for t, gain, error in worth.tracks)
    scaled = Worth(
        worth.id, worth.group, worth.name, worth.places * times, worth.places_error * abs(times),
        worth.rounds * times, worth.rounds_error * abs(times), worth.of,
        tuple(tracks),
    )  # fmt: skip
    return Difference(worth.name if times > 0 else f"not {worth.name}", abs(times), scaled)


_OPPOSITE: Final = {"more": "fewer", "fewer": "more"}


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
        with closing(simulation.relay(meets, tasks, self.jobs)) as found:
            for number, runs in enumerate(found, 1):
                if self.told:
                    self.told(number, len(meets))
                lineups = heats.lineups[: len(runs)]
                won = wilson_share(int(runs["won"][lineups == own].sum()), len(runs))
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
