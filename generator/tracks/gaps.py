"""The gaps and overlaps of a track, and the fewest tiles that would close a gap."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from msgspec import Struct
from msgspec.structs import replace

from generator.tracks.courses import Course, Joint, Tile
from generator.tracks.inventory import inventory_of, token
from generator.tracks.pieces import MOST_CELLS, times, total
from generator.tracks.records import course_of
from generator.tracks.solver import Solver

_TOUCH: Final = 0.05
_MOST_CLOSED: Final = 3
_MOST_OVERLAPS: Final = 60
_MOST_PIECES: Final = 8


class Gap(Struct, frozen=True):
    """A gap between two tiles, by their numbers: its length in mm, its direction in degrees to the
    left of rightwards, how far the second is turned to the left, and what would close it."""

    before: int
    after: int
    mm: float
    towards: int
    turned: int
    closed_by: str = ""

    @property
    def text(self) -> str:
        """Return `gap of 80.0 mm towards 150°, turned 60° to the right`."""
        parts = []
        if self.mm:
            parts.append(f"gap of {self.mm:.1f} mm towards {self.towards}°")
        if self.turned:
            side = "left" if self.turned > 0 else "right"
            parts.append(f"turned {abs(self.turned)}° to the {side}")
        return ", ".join(parts)


class TrackFlaws(Struct, frozen=True):
    """The gaps of a track, and its pairs of overlapping tiles."""

    gaps: tuple[Gap, ...] = ()
    overlaps: tuple[tuple[int, int], ...] = ()

    def lines(self, names: Mapping[int, str]) -> Iterator[str]:
        """Yield a line for each, with the names of the tiles."""
        for gap in self.gaps:
            yield f"{gap.text}, from {names[gap.before]} to {names[gap.after]}"
            if gap.closed_by:
                yield f"  {gap.closed_by}"
        for one, other in self.overlaps:
            yield f"{names[other]} lies on {names[one]}"


def flaws_of(layout: Mapping[str, Any], pool: Sequence[Tile] = ()) -> TrackFlaws:
    """Return the flaws of a layout. Gaps may be closed with tiles of the pool."""
    course = course_of(layout).turned(layout["heading"])
    closing_joint = course.closing if layout["to_close"] else None
    joints = [*course.joints, *([closing_joint] if closing_joint is not None else [])]
    gaps = [joint for joint in joints if not joint.meets]
    return TrackFlaws(
        tuple(
            _gap(course, joint, layout["pitch"], pool if number < _MOST_CLOSED else ())
            for number, joint in enumerate(gaps)
        ),
        tuple((one.number, other.number) for one, other in course.overlaps[:_MOST_OVERLAPS]),
    )


def _gap(course: Course, joint: Joint, pitch: float, pool: Sequence[Tile]) -> Gap:
    mm = joint.apart * pitch
    return Gap(
        joint.before.number,
        joint.after.number,
        mm if mm > _TOUCH else 0.0,
        round(math.degrees(math.atan2(-joint.gap.y, joint.gap.x))) % 360,
        joint.degrees,
        _closed_by(course, joint, pool) if pool else "",
    )


def _closed_by(course: Course, joint: Joint, pool: Sequence[Tile]) -> str:
    """Return `1 × straight and 2 × curve would close it: 3 12R 14R`."""
    tiles, left = closing(course, joint, pool)
    if not tiles:
        return f"no {_MOST_PIECES} pieces or fewer were found that would close it"
    single = all(len(tile.ways[letter].piece.cells) == 1 for tile, letter in tiles)
    kinds = Counter(
        ("straight" if letter == "S" else "curve") if single else tile.call
        for tile, letter in tiles
    )
    counted = " and ".join(f"{count} × {kind}" for kind, count in kinds.items())
    more = "" if left else ", more than are left"
    return f"{counted} would close it{more}: {' '.join(token(*tile) for tile in tiles)}"


def closing(
    course: Course, joint: Joint, pool: Sequence[Tile]
) -> tuple[tuple[tuple[Tile, str], ...], bool]:
    """Return the fewest tiles that close the gap at a joint, with the letters of their ways, and
    if they are left. Tiles with a start or a finish line are never used."""
    laid = Counter(tile.tile.call for tile in course.tiles)
    plain = [tile for tile in pool if not tile.finish and not tile.starts]
    left = [replace(tile, owned=tile.owned - laid[tile.call]) for tile in plain]
    more = [replace(tile, owned=_MOST_PIECES) for tile in plain]
    for tiles, are_left in ((left, True), (more, False)):
        found = _closing(course, joint, tiles)
        if found:
            return found, are_left
    return (), False


def _closing(course: Course, joint: Joint, tiles: Sequence[Tile]) -> tuple[tuple[Tile, str], ...]:
    grid = course.grid
    inventory = inventory_of(grid, tiles)
    step = max((grid.distance(move.piece.exit) for move in inventory.moves), default=0.0)
    if joint.cells > step * _MOST_PIECES or not inventory.moves:
        return ()
    far = step * _MOST_PIECES + 2 * MOST_CELLS
    end = times(joint.before.end, -1)
    near = [laid for laid in course.tiles if grid.distance(total(laid.place, end)) <= far]
    solver = Solver(inventory, _MOST_PIECES, extent=math.ceil(2 * far))
    for number in range(1, min(_MOST_PIECES, inventory.owned) + 1):
        word = next(solver.fillings(near, joint.before, joint.after, number), None)
        if word:
            return tuple(inventory.tiles(word))
    return ()
