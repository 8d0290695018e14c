"""A vehicle: values of a checked component in, its speed table and the rest of its licence out.

Two rows of boxes run from left to right, one for acceleration and one for deceleration. A speed
is as wide in one row as in the other, so its a boxes above and d boxes below correspond where
they overlap: box i above covers i/a … (i+1)/a of the width, box j below j/d … (j+1)/d. The
marker stands on a box in each row, and both always belong to one speed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

from msgspec import Struct

from gridpress_chariot_dash.declared import DIE, changes

_A_DIE: Final = 2
SPEEDS: Final = 7

Pairs = Mapping[int, Sequence[tuple[int, int]]]
"""By speed: which acceleration box (from 0 within the speed) corresponds to which below it."""


class Marker(NamedTuple):
    """Where the clip is: a box in each row, counted from 0 at the left end of the row."""

    acceleration: int
    deceleration: int


class SpeedTable(Struct, frozen=True, eq=False):
    """Both rows, looked up: everything is indexed by box, or by speed for `first` and `last`.

    speeds: the speed of each acceleration box. below: the right-most deceleration box that
    corresponds to an acceleration box. above: the left-most acceleration box that corresponds to
    a deceleration box. first, last: the markers at the left and right end of each speed.
    """

    speeds: tuple[int, ...]
    below: tuple[int, ...]
    above: tuple[int, ...]
    first: tuple[Marker, ...]
    last: tuple[Marker, ...]

    @classmethod
    def of(
        cls, acceleration: Sequence[int], deceleration: Sequence[int], pairs: Pairs | None = None
    ) -> SpeedTable:
        """A table from the numbers of boxes by speed, and pairs for speeds with a map of their own.

        ValueError for anything but seven numbers from 1, or a map that leaves out a box.
        """
        rows = (tuple(acceleration), tuple(deceleration))
        if any(len(row) != SPEEDS or min(row) < 1 for row in rows):
            raise ValueError(f"{SPEEDS} numbers of boxes from 1 are needed, not {rows}")
        speeds: list[int] = []
        below: list[int] = []
        above: list[int] = []
        first: list[Marker] = []
        last: list[Marker] = []
        for speed, (a, d) in enumerate(zip(*rows, strict=True)):
            start = Marker(len(below), len(above))
            down, up = _mapped(pairs[speed], a, d) if pairs and speed in pairs else _equal(a, d)
            below += [start.deceleration + box for box in down]
            above += [start.acceleration + box for box in up]
            speeds += [speed] * a
            first.append(start)
            last.append(Marker(len(below) - 1, len(above) - 1))
        return cls(tuple(speeds), tuple(below), tuple(above), tuple(first), tuple(last))

    def speed(self, marker: Marker) -> int:
        """The speed, 0 to 6, that the marker shows."""
        return self.speeds[marker.acceleration]

    def accelerate(self, marker: Marker, boxes: int) -> Marker:
        """Right by so many boxes of the upper row; what goes past its end goes back below.

        Going back (over-whipping) decelerates by the excess, and stops at the left end if it is
        larger than the whole row. No boxes: the marker stays as it is.
        """
        if boxes <= 0:
            return marker
        end = len(self.below) - 1
        box = marker.acceleration + boxes
        if box <= end:
            return Marker(box, self.below[box])
        return self.decelerate(Marker(end, self.below[end]), box - end)

    def decelerate(self, marker: Marker, boxes: int) -> Marker:
        """Left by so many boxes of the lower row, at most to its left end."""
        if boxes <= 0:
            return marker
        box = max(0, marker.deceleration - boxes)
        return Marker(self.above[box], box)

    def moved(self, marker: Marker, boxes: int) -> Marker:
        """Right for a positive number of boxes, left for a negative one."""
        return self.accelerate(marker, boxes) if boxes > 0 else self.decelerate(marker, -boxes)


def _equal(a: int, d: int) -> tuple[list[int], list[int]]:
    """Equal subdivision: for each box above the right-most below it, and for each below …"""
    down = [-(-(i + 1) * d // a) - 1 for i in range(a)]
    up = [j * a // d for j in range(d)]
    return down, up


def _mapped(pairs: Sequence[tuple[int, int]], a: int, d: int) -> tuple[list[int], list[int]]:
    """The same from an explicit map, whose ends must pair so that rating changes fit it."""
    if {i for i, _ in pairs} != set(range(a)) or {j for _, j in pairs} != set(range(d)):
        raise ValueError(f"a map of {a} boxes over {d} must name each of them, and no other")
    if (0, 0) not in pairs or (a - 1, d - 1) not in pairs:
        raise ValueError("in a map the first boxes correspond, and so do the last")
    down = [max(j for i, j in pairs if i == box) for box in range(a)]
    up = [min(i for i, j in pairs if j == box) for box in range(d)]
    return down, up


BLANK: Final = -1
"""Blank resilience: every die is above it, even one that shows 0."""
SAFE: Final = 0
"""Control dice of a safe speed."""
STAMINA_TOP: Final = 10


class Vehicle(Struct, frozen=True, eq=False):
    """What reports work out odds from.

    moves: hexes by speed and phase. control: dice by speed, 0 where it is safe. resilience: −1 when
    blank. mods: what its traits change, by the modifiers of `modifiers`; a number that is a die
    counts 2, its mean being 1.5.
    """

    id: str
    name: str
    table: SpeedTable
    moves: tuple[tuple[int, ...], ...]
    control: tuple[int, ...]
    resilience: int
    control_minimum: int
    mods: Mapping[str, int]

    @classmethod
    def of(cls, values: Mapping[str, Any]) -> Vehicle:
        """The vehicle of a component that has passed its kind's checks."""
        resilience = values["resilience"]
        return cls(
            id=str(values["id"]),
            name=str(values["name"]),
            table=table_of(values),
            moves=tuple(tuple(row) for row in values["moves"]),
            control=tuple(SAFE if dice == "safe" else int(dice) for dice in values["control"]),
            resilience=BLANK if resilience == "blank" else int(resilience),
            control_minimum=int(values.get("control_minimum", 0)),
            mods=_mods(values.get("traits", ())),
        )


def table_of(values: Mapping[str, Any]) -> SpeedTable:
    """The speed table of a vehicle. ValueError as for `SpeedTable.of`."""
    pairs = {
        int(entry["speed"]): [(int(a) - 1, int(d) - 1) for a, d in entry["pairs"]]
        for entry in values.get("correspondence") or ()
    }
    return SpeedTable.of(values["acceleration"], values["deceleration"], pairs)


def _mods(entries: Sequence[Mapping[str, Any]]) -> Counter[str]:
    mods = Counter[str]()
    for entry in entries:
        number = entry.get("number")
        amount = _A_DIE if number == DIE else max(0, int(number or 0))
        for change in changes(entry["trait"].get("does")):
            mods[change.modifier] += change.amount(amount)
    return mods
