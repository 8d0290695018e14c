"""The worth of a vehicle's differences from the baseline, by the table of a pack."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import Final, NamedTuple

from msgspec import Struct

from gridpress_chariot_dash.declared import Values
from gridpress_chariot_dash.tweaks import changes_from_baseline

UNKNOWN: Final = 9.0
"""The half-interval of an unknown value."""


class OnTrack(NamedTuple):
    """Places gained on a track, and half the 95 % interval."""

    track: str
    places: float
    places_error: float


class Worth(Struct, frozen=True):
    """Places (of four) and rounds a lap gained by a change, with half the 95 % intervals.

    of: races; tracks: the worth on each.
    """

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
        """The tracks where it is worth least and most, if their intervals do not meet."""
        if not self.tracks:
            return None
        low = min(self.tracks, key=lambda one: one.places)
        high = max(self.tracks, key=lambda one: one.places)
        is_clear = low.places + low.places_error < high.places - high.places_error
        return (low, high) if is_clear else None

    @property
    def is_sure(self) -> bool:
        """True if it is more than noise."""
        return abs(self.places) > self.places_error or abs(self.rounds) > self.rounds_error

    @property
    def rounds_known(self) -> bool:
        """True if enough vehicles came home."""
        return self.rounds_error < UNKNOWN


def worth_by_change(components: Iterable[Values]) -> dict[str, Worth]:
    """Return a pack's table by change."""
    names = ("group", "name", "places", "places_error", "rounds", "rounds_error", "of")
    found: dict[str, Worth] = {}
    for c in components:
        tracks = (OnTrack(str(on["track"]), on["places"], on["places_error"]) for on in c["tracks"])
        one = Worth(str(c["id"]), **{name: c[name] for name in names}, tracks=tuple(tracks))
        found[one.id] = one
    return found


class Difference(Struct, frozen=True):
    """A difference from the baseline. worth: for all `times`, None if not raced."""

    name: str
    times: int
    worth: Worth | None


class Account(Struct, frozen=True):
    """The worth of a vehicle's differences, the largest first, and the sum."""

    parts: tuple[Difference, ...]
    places: float
    places_error: float
    rounds: float
    rounds_error: float


def account(values: Values, baseline: Values, table: Mapping[str, Worth]) -> Account:
    """Look up each difference; a change undone has the opposite worth."""
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
