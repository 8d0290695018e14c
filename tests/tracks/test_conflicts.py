import math
from collections.abc import Sequence
from itertools import pairwise, product

import pytest

from generator.geometry import Point
from generator.tracks.courses import CourseEntry, Lying, Tile, lay
from generator.tracks.pieces import HEXAGONS, LEFT, RIGHT, SQUARES, TileMeasures
from generator.tracks.records import track_map

PITCH, SLACK = 25.4, 0.4


def of(grid=HEXAGONS, **measures) -> TileMeasures:
    return TileMeasures(grid, PITCH, slack=SLACK, **{"kerb": 6.0, **measures})


PAIRS = {
    "bends to both sides": (
        of(turn=RIGHT, enters=3, leaves=3, radius=1),
        of(turn=LEFT, enters=4, leaves=4, radius=3),
    ),
    "a bend and what widens": (
        of(turn=LEFT, enters=3, leaves=3, radius=3),
        of(length=4, enters=3, leaves=4),
    ),
    "one cell and a straight": (
        TileMeasures(HEXAGONS, PITCH, slack=SLACK),
        of(length=3, enters=2, leaves=2, kerb=0.0),
    ),
    "squares": (
        of(SQUARES, length=3, leaves=3, side=LEFT),
        of(SQUARES, turn=LEFT, radius=1, enters=2, leaves=2),
    ),
}


@pytest.mark.parametrize("name", PAIRS)
def test_two_pieces_conflict_where_their_printed_outlines_overlap(name: str) -> None:
    one, other = PAIRS[name]
    first, second = (next(iter(m.ways().values())).piece for m in (one, other))
    seen = {True: 0, False: 0}
    for heading in range(one.grid.turns):
        for place in product(range(-9, 10, 3), range(-8, 9, 4)):
            lying = Lying(first, one.cut, (0, 0), 0)
            found = lying.clashes(Lying(second, other.cut, place, heading))
            assert found == overlap(*printed(one, other, place, heading)), (place, heading)
            seen[found] += 1
    assert min(seen.values()) > 5


def printed(
    one: TileMeasures, other: TileMeasures, place: tuple[int, int], heading: int
) -> list[Sequence[Point]]:
    """Return the outlines of both as they lie on a map, in mm."""
    measures = {"one": one, "other": other}
    tiles = {call: Tile(call, m.ways(), cut=m.cut) for call, m in measures.items()}
    ways = {call: next(iter(tile.ways)) for call, tile in tiles.items()}
    entries = [
        CourseEntry("one", ways["one"]),
        CourseEntry("other", ways["other"], place, heading),
    ]
    course = lay(one.grid, [(tiles[entry.call], entry) for entry in entries])
    on_map = track_map(course, measures, dict.fromkeys(measures, "up"))
    return [tile.corners for tile in on_map.tiles]


def overlap(one: Sequence[Point], other: Sequence[Point]) -> bool:
    """Return True if a point just inside one's border, or in its middle, is as far inside the
    other."""
    return deep(one, other) or deep(other, one)


def deep(one: Sequence[Point], other: Sequence[Point]) -> bool:
    middle = Point(sum(p.x for p in one) / len(one), sum(p.y for p in one) / len(one))
    inside = [middle] if winding(one, middle) else []
    for a, b in pairwise((*one, one[0])):
        length = math.dist((a.x, a.y), (b.x, b.y))
        if length < 1e-6:
            continue
        across = ((b.y - a.y) / length * SLACK / 2, -(b.x - a.x) / length * SLACK / 2)
        for n in range(steps := max(2, round(length * 2))):
            at = Point(a.x + (b.x - a.x) * n / steps, a.y + (b.y - a.y) * n / steps)
            inside += [at.moved(across[0] * s, across[1] * s) for s in (1.05, -1.05)]
    low, high = min(p.x for p in other), max(p.x for p in other)
    top, bottom = min(p.y for p in other), max(p.y for p in other)
    near = [p for p in inside if low < p.x < high and top < p.y < bottom]
    return any(
        winding(other, p) and far(other, p) and (p is middle or (winding(one, p) and far(one, p)))
        for p in near
    )


def far(ring: Sequence[Point], at: Point) -> bool:
    """Return True if the point is half the slack away from every side."""
    for a, b in pairwise((*ring, ring[0])):
        dx, dy = b.x - a.x, b.y - a.y
        along = ((at.x - a.x) * dx + (at.y - a.y) * dy) / max(dx * dx + dy * dy, 1e-12)
        along = min(1.0, max(0.0, along))
        if math.hypot(at.x - a.x - along * dx, at.y - a.y - along * dy) < SLACK / 2:
            return False
    return True


def winding(ring: Sequence[Point], at: Point) -> bool:
    """Return True if the outline goes around a point."""
    angle = 0.0
    for a, b in pairwise((*ring, ring[0])):
        before, after = (math.atan2(p.y - at.y, p.x - at.x) for p in (a, b))
        angle += math.remainder(after - before, math.tau)
    return abs(angle) > math.pi
