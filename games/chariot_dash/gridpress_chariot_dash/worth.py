"""What one change to a vehicle is worth: races with it and without it, on the same dice.

The changed vehicle races three of the unchanged, and an unchanged one in its place the same race
again: by how many places it comes in earlier, and by how many rounds a lap it is quicker, is the
worth of the change. All changes are measured against the same races, each from every place on the
grid as often. What was measured is kept, by all that it depends on; so a run that was stopped goes
on where it was.
"""

from __future__ import annotations

import hashlib
import json
import math
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import asdict, dataclass
from typing import Any, Final, NamedTuple

from generator.cache import Cache, Sort
from gridpress_chariot_dash.race import crews
from gridpress_chariot_dash.race.crews import Heats, Meet
from gridpress_chariot_dash.race.layout import Array
from gridpress_chariot_dash.race.results import mean
from gridpress_chariot_dash.race.simulation import Event
from gridpress_chariot_dash.tweaks import Plain, Tweak, Values, differences

FIELD: Final = 4
"""Vehicles in a race."""
FEW: Final = 8
"""Races by which a table is known to be of the engine, driver and rules as they are."""
UNKNOWN: Final = 9.0
"""Half an interval of which nothing is known: too few came home."""


@dataclass(frozen=True, slots=True)
class Worth:
    """A change, by how many places of a field of four and rounds a lap it is better, and half the
    95 % interval of each. of: races."""

    id: str
    group: str
    name: str
    places: float
    places_error: float
    rounds: float
    rounds_error: float
    of: int

    @property
    def is_sure(self) -> bool:
        """Whether it is more than noise, in places or in rounds."""
        return abs(self.places) > self.places_error or abs(self.rounds) > self.rounds_error

    @property
    def rounds_known(self) -> bool:
        """Whether enough came home."""
        return self.rounds_error < UNKNOWN


class Measuring(NamedTuple):
    """How worth is measured. events: one for each track; races: of each change on each; kept: for
    what was measured before."""

    events: Sequence[Event]
    races: int
    jobs: int
    kept: Cache
    progress: Callable[[int, int], None] | None = None

    def meets(self, baseline: Plain, changed: Plain) -> tuple[Meet, ...]:
        """Of the unchanged and the changed, on each track."""
        return tuple(event.meet((baseline, changed), FIELD, 1) for event in self.events)

    def key(self, meets: Sequence[Meet]) -> tuple[bytes, ...]:
        """All that a worth depends on."""
        content = (part for meet in meets for part in meet.content)
        return b"worth", str(self.races).encode(), *content


def likeness(baseline: Plain, event: Event) -> str:
    """What stands for how races of the unchanged end. Once engine, driver or rules are others it
    is another, and a table made before is out of date."""
    heats = Heats.of([[0] * FIELD] * FEW, range(FEW))
    [runs] = crews.run(event.meet((baseline,), FIELD), heats)
    told = ("place", "rounds", "spaces", "rolls", "damage", "cards")
    content = b"".join(runs[name].tobytes() for name in told)
    return hashlib.blake2b(content, digest_size=6).hexdigest()


def measured(baseline: Plain, tweaks: Iterable[Tweak], how: Measuring) -> Iterator[Worth]:
    """The worth of each change that can be made to the baseline, as it is found out."""
    made = [
        (tweak, how.meets(baseline, changed))
        for tweak in tweaks
        if (changed := tweak.made(baseline)) is not None
    ]
    waiting: list[tuple[Tweak, tuple[Meet, ...]]] = []
    for tweak, meets in made:
        known = how.kept.get(Sort.RACES, *how.key(meets))
        if known is None:
            waiting.append((tweak, meets))
        else:
            yield Worth(tweak.id, tweak.group, tweak.name, **json.loads(known))
    done = len(made) - len(waiting)
    for number, worth in enumerate(_raced(baseline, waiting, how), done + 1):
        if how.progress:
            how.progress(number, len(made))
        yield worth


def _raced(
    baseline: Plain, waiting: Sequence[tuple[Tweak, tuple[Meet, ...]]], how: Measuring
) -> Iterator[Worth]:
    """The changes one by one, each on all tracks; the unchanged against itself before them."""
    if not waiting:
        return
    heats = Heats.of(
        [[int(slot == n % FIELD) for slot in range(FIELD)] for n in range(how.races)],
        range(how.races),
    )
    parts, own = list(heats.parts()), heats.lineups == 1
    meets = [*how.meets(baseline, baseline), *(meet for _, some in waiting for meet in some)]
    tasks = [(number, part) for number in range(len(meets)) for part in parts]
    laps = [event.race.laps for event in how.events]
    with closing(crews.relay(meets, tasks, how.jobs)) as found:

        def runs() -> list[Array]:
            """Of the changed vehicle on each track: its runs, race by race."""
            return [crews.together([next(found) for _ in parts])[own] for _ in how.events]

        before = runs()
        for tweak, some in waiting:
            worth = _worth(before, runs(), laps)
            how.kept.put(Sort.RACES, json.dumps(worth).encode(), *how.key(some))
            yield Worth(tweak.id, tweak.group, tweak.name, **worth)


def _worth(before: Sequence[Array], after: Sequence[Array], laps: Sequence[int]) -> dict[str, Any]:
    """From the runs with and without a change, of each track."""
    places: list[float] = []
    rounds: list[float] = []
    for was, now, of in zip(before, after, laps, strict=True):
        places += (was["place"] - now["place"]).tolist()
        home = (was["finished"] > 0) & (now["finished"] > 0)
        rounds += ((was["rounds"] - now["rounds"])[home] / of).tolist()
    found: dict[str, Any] = {"of": len(places)}
    for name, gains in (("places", places), ("rounds", rounds)):
        estimate = mean(gains)
        known = estimate is not None and math.isfinite(estimate.low)
        half = (estimate.high - estimate.low) / 2 if known and estimate else UNKNOWN
        found[name] = round(estimate.value, 3) if known and estimate else 0.0
        found[f"{name}_error"] = round(half, 3)
    return found


ENDED: Final = "Races of the unchanged ended so: "
"""Before the likeness of a table, in its comment."""
_TERMS: Final = re.compile(r"\b(Whips?|Reins|[Vv]ehicles?)\b")
"""Words that a setting of one's own has others for: they are marked in all texts of the pack."""


def as_yaml(table: Iterable[Worth], track: str, told: str) -> str:
    """The table as a file of components of kind `worth`. told: a comment, how it was made."""
    lines = [
        "# yaml-language-server: $schema=kinds/worth.schema.json",
        *(f"# {line}" for line in told.splitlines()),
        "kind: worth",
        "components:",
    ]
    for one in table:
        name = _TERMS.sub(r"[[\1]]", one.name)
        values = {**asdict(one), "name": name, "track": track}
        lines.append("  - " + json.dumps(values, ensure_ascii=False))
    return "\n".join((*lines, ""))


def table_of(components: Iterable[Values]) -> dict[str, Worth]:
    """The table of a pack, by the ids of the changes."""
    names = ("group", "name", "places", "places_error", "rounds", "rounds_error", "of")
    return {
        str(c["id"]): Worth(str(c["id"]), **{name: c[name] for name in names}) for c in components
    }


@dataclass(frozen=True, slots=True)
class Part:
    """One difference from the baseline. worth: of all its `times`, None where no race was run."""

    name: str
    times: int
    worth: Worth | None


@dataclass(frozen=True, slots=True)
class Account:
    """What the differences of a vehicle are worth, the largest first, and what they add up to."""

    parts: tuple[Part, ...]
    places: float
    places_error: float
    rounds: float
    rounds_error: float

    @property
    def unknown(self) -> tuple[Part, ...]:
        """Of which the table has nothing."""
        return tuple(part for part in self.parts if part.worth is None)


def account(values: Values, baseline: Values, table: Mapping[str, Worth]) -> Account:
    """Each difference of a vehicle, by the table. What a change that is taken back is worth is the
    worth of the change, turned round."""
    parts = [
        _part(name, times, words, table) for name, times, words in differences(values, baseline)
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


def _part(name: str, times: int, words: str, table: Mapping[str, Worth]) -> Part:
    worth = table.get(name)
    if worth is None:
        opposite = _OPPOSITE.get(name.rpartition("-")[2])
        other = table.get(f"{name.rpartition('-')[0]}-{opposite}") if opposite else None
        if other is None:
            told = words or name.replace("-", " ")
            return Part(told if times > 0 else f"not {told}", abs(times), None)
        worth, times = other, -times
    scaled = Worth(
        worth.id, worth.group, worth.name, worth.places * times, worth.places_error * abs(times),
        worth.rounds * times, worth.rounds_error * abs(times), worth.of,
    )  # fmt: skip
    return Part(worth.name if times > 0 else f"not {worth.name}", abs(times), scaled)


_OPPOSITE: Final = {"more": "fewer", "fewer": "more"}
