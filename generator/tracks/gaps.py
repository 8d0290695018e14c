"""A layout's record in; what keeps it from being a circuit, told in words, out: gaps, overlaps,
tiles that nobody knows."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from generator.tracks.closing import Closing, closing
from generator.tracks.courses import Course, Joint, Tile
from generator.tracks.records import course_of
from generator.tracks.stand_ins import is_stand_in

_TOUCH: Final = 0.05
_NONE_CLOSES: Final = "no few of the tiles there are were found that would close it"
MOST_CLOSED: Final = 3
"""Gaps for which pieces are looked for."""
MOST_OVERLAPS: Final = 60
"""Overlaps that are told and drawn of a track."""


@dataclass(frozen=True, slots=True)
class Gap:
    """Where a tile does not lead into the next: their numbers; how far it is from the middle of the
    way out to that of the way in, mm, and where to, in degrees to the left of rightwards on the
    map; by how much the next is turned, in degrees to the left; in words what would close it, empty
    where that is not looked for."""

    before: int
    after: int
    mm: float
    towards: int
    turned: int
    closed_by: str = ""

    @property
    def told(self) -> str:
        """`gap of 80.0 mm towards 150°, turned 60° to the right`."""
        parts = []
        if self.mm:
            parts.append(f"gap of {self.mm:.1f} mm towards {self.towards}°")
        if self.turned:
            side = "left" if self.turned > 0 else "right"
            parts.append(f"turned {abs(self.turned)}° to the {side}")
        return ", ".join(parts)


@dataclass(frozen=True, slots=True)
class Wrongs:
    """The gaps of a track, the pairs of tiles that lie on each other, and the tiles that stand in
    for unknown ones, by their numbers."""

    gaps: tuple[Gap, ...] = ()
    overlaps: tuple[tuple[int, int], ...] = ()
    unknown: tuple[int, ...] = ()

    def lines(self, names: Mapping[int, str]) -> Iterator[str]:
        """A line each; `names` says how to call a tile."""
        for gap in self.gaps:
            yield f"{gap.told}, from {names[gap.before]} to {names[gap.after]}"
            if gap.closed_by:
                yield f"  {gap.closed_by}"
        for one, other in self.overlaps:
            yield f"{names[other]} lies on {names[one]}"
        for number in self.unknown:
            yield f"{names[number]}: there is no such tile, another stands in for it"


NOTHING_WRONG: Final = Wrongs()


def wrongs(layout: Mapping[str, Any], pool: Sequence[Tile] = ()) -> Wrongs:
    """What is wrong with a layout where it lies; `pool` is what may be laid to close its gaps."""
    course = course_of(layout).turned(layout["heading"])
    closing_joint = course.closing if layout["to_close"] else None
    joints = [*course.joints, *([closing_joint] if closing_joint is not None else [])]
    open_ = [joint for joint in joints if not joint.meets]
    return Wrongs(
        tuple(
            _gap(layout, course, joint, pool if nth < MOST_CLOSED else ())
            for nth, joint in enumerate(open_)
        ),
        tuple((one.number, other.number) for one, other in course.overlaps[:MOST_OVERLAPS]),
        tuple(tile["number"] for tile in layout["tiles"] if is_stand_in(tile)),
    )


def _gap(layout: Mapping[str, Any], course: Course, joint: Joint, pool: Sequence[Tile]) -> Gap:
    found = closing(course, joint, pool) if pool else None
    before, after = joint.before.number, joint.after.number
    (x1, y1), (x2, y2) = (
        ((port[0][0] + port[1][0]) / 2, (port[0][1] + port[1][1]) / 2)
        for port in (layout["tiles"][before - 1]["exit"], layout["tiles"][after - 1]["entry"])
    )
    mm = math.hypot(x2 - x1, y2 - y1)
    return Gap(
        before,
        after,
        mm if mm > _TOUCH else 0.0,
        round(math.degrees(math.atan2(y1 - y2, x2 - x1))) % 360,
        joint.degrees,
        _closed_by(found) if found else _NONE_CLOSES if pool else "",
    )


def _closed_by(found: Closing) -> str:
    """`1 × straight and 2 × curve would close it: 3 12R 14R`."""
    single = all(len(tile.ways[letter].piece.cells) == 1 for tile, letter in found.tiles)
    kinds = Counter(
        ("straight" if letter == "S" else "curve") if single else tile.call
        for tile, letter in found.tiles
    )
    counted = " and ".join(f"{count} × {kind}" for kind, count in kinds.items())
    word = " ".join(f"{t.call}{letter if len(t.ways) > 1 else ''}" for t, letter in found.tiles)
    more = "" if found.left else ", more than are left"
    return f"{counted} would close it{more}: {word}"
