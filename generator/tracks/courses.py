"""Courses: tiles in the order of travel, each laid at its exact place.

A word of a course is a tile's call, followed by the letter of its way if it has several: `9L`. A
bare letter takes the next free tile with this way, and `4x` repeats what follows. Tiles without a
place join the one before; the first lies at the origin.

Two tiles conflict if their outlines overlap. Outlines are first drawn in by half their slack and by
a hair, so that tiles that touch do not overlap. Tiles of a grid that overlap do so by far more.

A piece is cut along two borders from port to port, in mm from the first cell of lane 0. Heading 0
leads to the right, y runs down. A border runs beside the outermost lanes and their kerb. At a turn
it is a corner on the inner side and an arc on the outer side.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from generator.diagnostics import Severity, Suggestions, did_you_mean
from generator.geometry import Point, summed
from generator.tracks.pieces import (
    HEXAGONS,
    LEFT,
    BorderCut,
    TileGrid,
    TrackPiece,
    Vector,
    Way,
    times,
    total,
)


class Tile(Struct, frozen=True):
    """A tile that you own. `ways` are by letter (S, L, R; a tile with one way may have it under
    ""). `cut` is None for a single cell of the grid. `starts` is how many vehicles can start on it,
    `marks` how many marks take a marker."""

    call: str
    ways: Mapping[str, Way]
    owned: int = 1
    cut: BorderCut | None = None
    starts: int = 0
    finish: bool = False
    marks: int = 0


class CourseEntry(Struct, frozen=True):
    """One entry of a course: a tile, its way, and its place and heading if given."""

    call: str
    way: str = ""
    place: Vector | None = None
    heading: int | None = None


class LaidTile(Struct, frozen=True):
    """A tile on the table, with its number in the course from 1."""

    number: int
    tile: Tile
    way: Way
    letter: str
    place: Vector
    heading: int

    @property
    def piece(self) -> TrackPiece:
        """Return its piece, as if it lay at the origin."""
        return self.way.piece

    def on_table(self, cell: Vector) -> Vector:
        """Return the place of a cell of its piece."""
        return total(self.place, self.piece.grid.rotated(cell, self.heading))

    @property
    def cells(self) -> tuple[Vector, ...]:
        """Return every cell that it covers."""
        return tuple(self.on_table(cell) for cell in self.piece.cells)

    @property
    def lying(self) -> Lying:
        """Return its outline on the table."""
        return Lying(self.piece, self.tile.cut, self.place, self.heading)

    @property
    def end(self) -> Vector:
        """Return the place of the next tile."""
        return self.on_table(self.piece.exit)

    @property
    def onward(self) -> int:
        """Return the heading of the next tile."""
        return (self.heading + self.piece.turn) % self.piece.grid.turns

    def __str__(self) -> str:
        return f"{self.tile.call} (tile {self.number})"


class Joint(Struct, frozen=True):
    """Two tiles that follow each other: how far apart, in cells, and how far the second is turned
    to the left."""

    before: LaidTile
    after: LaidTile
    cells: float
    degrees: int

    @property
    def gap(self) -> Point:
        """Return the way from the middle of one port to that of the other, in cells; y runs
        down."""
        grid, (before, after) = self.before.piece.grid, (self.before, self.after)
        here = _middle(grid, before.end, before.onward, before.piece.leaves)
        there = _middle(grid, after.place, after.heading, after.piece.enters)
        return there.moved(-here.x, -here.y)

    @property
    def apart(self) -> float:
        """Return the distance between the middles of the ports, in cells."""
        return math.hypot(self.gap.x, self.gap.y)

    @property
    def meets(self) -> bool:
        """Return True if the ports lie at one place and heading, whatever their widths."""
        return self.cells == 0 and self.degrees == 0


class TrackFault(Struct, frozen=True):
    """A broken rule, at the tile of this number in the course (0: the whole course)."""

    code: str
    number: int
    message: str
    hint: str
    severity: Severity = Severity.ERROR


class Course(Struct, frozen=True):
    """Tiles on a grid in the order of travel."""

    grid: TileGrid
    tiles: tuple[LaidTile, ...]

    @property
    def joints(self) -> tuple[Joint, ...]:
        """Return the joints between neighbouring tiles, except from the last to the first."""
        return tuple(_joint(self.grid, *pair) for pair in pairwise(self.tiles))

    @property
    def closing(self) -> Joint | None:
        """Return the joint from the last tile to the first, or None if there are no tiles."""
        return _joint(self.grid, self.tiles[-1], self.tiles[0]) if self.tiles else None

    @property
    def is_closed(self) -> bool:
        """Return True if the last tile leads into the first."""
        return self.closing is not None and self.closing.meets

    @property
    def overlaps(self) -> tuple[tuple[LaidTile, LaidTile], ...]:
        """Return every two tiles whose printed outlines overlap."""
        return tuple(_overlapping(self))

    @property
    def is_circuit(self) -> bool:
        """Return True if every tile leads into the next, and the last into the first."""
        return self.is_closed and all(j.meets for j in self.joints) and not self.overlaps

    def turned(self, steps: int) -> Course:
        """Turn the whole course left by so many curves."""
        tiles = (
            replace(
                laid,
                place=self.grid.rotated(laid.place, steps),
                heading=(laid.heading + steps) % self.grid.turns,
            )
            for laid in self.tiles
        )
        return Course(self.grid, tuple(tiles))

    def without(self, numbers: frozenset[int]) -> Course:
        """Remove these tiles and push the rest together."""
        kept = [laid for laid in self.tiles if laid.number not in numbers]
        return lay(self.grid, [(laid.tile, CourseEntry("", laid.letter)) for laid in kept])


def lay(grid: TileGrid, tiles: Sequence[tuple[Tile, CourseEntry]]) -> Course:
    """Lay tiles in order. Raises KeyError for a way that a tile does not have."""
    laid: list[LaidTile] = []
    place, heading = grid.origin, 0
    for number, (tile, laying) in enumerate(tiles, 1):
        if laying.place is not None:
            place, heading = laying.place, (laying.heading or 0) % grid.turns
        way = tile.ways[laying.way]
        laid.append(LaidTile(number, tile, way, laying.way, place, heading))
        place, heading = laid[-1].end, laid[-1].onward
    return Course(grid, tuple(laid))


def _middle(grid: TileGrid, place: Vector, heading: int, width: int) -> Point:
    """Return the middle of the port half a cell before this place, in cells; y runs down."""
    at, angle = grid.point(place, 1.0), math.tau * heading / grid.turns
    across = (width - 1) / 2 * lane_pitch(grid, 1.0)
    return at.moved(
        math.sin(angle) * across - math.cos(angle) / 2,
        math.cos(angle) * across + math.sin(angle) / 2,
    )


def _joint(grid: TileGrid, before: LaidTile, after: LaidTile) -> Joint:
    apart = total(after.place, times(before.end, -1))
    turn = (after.heading - before.onward) % grid.turns * grid.angle
    return Joint(before, after, grid.distance(apart), turn - 360 if turn > 180 else turn)


def _overlapping(course: Course) -> Iterator[tuple[LaidTile, LaidTile]]:
    lying = [laid.lying for laid in course.tiles]
    for index, laid in enumerate(course.tiles):
        for other in range(index):
            if lying[index].clashes(lying[other]):
                yield course.tiles[other], laid


MOST_TILES: Final = 500
_WORD: Final = re.compile(r"\S+")
_TIMES: Final = re.compile(r"(\d{1,6})[x×]")
_IN_WORDS: Final = {"S": "leads straight on", "L": "turns left", "R": "turns right"}
_CALLS: Final = "calls with their ways, such as 1 9L 10R, or letters S, L and R"


class CourseError(ValueError):
    """A text that is not a course; `offset` is the place in it."""

    def __init__(self, message: str, hint: str, offset: int) -> None:
        super().__init__(message)
        self.hint = hint
        self.offset = offset


class WrittenStep(Struct, frozen=True):
    """One tile of a course as written: its call, perhaps with the letter of its way at the end, or
    the way by itself."""

    tile: str
    way: str = ""
    place: Vector | None = None
    heading: int | None = None


def course_words(text: str) -> Iterator[tuple[str, int]]:
    """Yield each word of a course and its place in the text, as often as it is repeated. Raises
    CourseError."""
    count, times, since = 0, 1, 0
    for found in _WORD.finditer(text):
        word, offset = found[0], found.start()
        repeat = _TIMES.match(word)
        if repeat is not None:
            if times != 1:
                raise CourseError("two repeats follow each other", "leave one out", offset)
            times, since = int(repeat[1]), offset
            word, offset = word[repeat.end() :], offset + repeat.end()
            if times < 1:
                raise CourseError(f"{repeat[0]} lays nothing", "leave it out", since)
        if not word:
            continue
        count += times
        if count > MOST_TILES:
            hint = "split it into two tracks"
            raise CourseError(f"a course of more than {MOST_TILES} tiles", hint, found.start())
        for _ in range(times):
            yield word, offset
        times = 1
    if times != 1:
        raise CourseError("nothing follows this repeat", "such as 4x S", since)


def is_call(call: str) -> bool:
    """Return True for a text that can be a tile's name in a course."""
    return bool(_WORD.fullmatch(call)) and "#" not in call and not _TIMES.match(call)


def tiles_of_steps(
    steps: Sequence[WrittenStep],
    tiles: Sequence[Tile],
    grid: TileGrid,
    suggestions: Suggestions | None = None,
) -> tuple[list[tuple[Tile | None, CourseEntry]], list[TrackFault]]:
    """Return a tile for each step in order, or None if there is a fault at its number.
    `suggestions` are shared by the courses of a pack."""
    suggestions = suggestions or Suggestions()
    by_call = {tile.call: tile for tile in tiles}
    faults: list[TrackFault] = []
    found: list[Tile | None] = []
    letters: list[str] = []
    missing: set[int] = set()
    for number, step in enumerate(steps, 1):
        tile, letter, fault = _meant(step, by_call, suggestions)
        if fault is None and step.place is not None and len(step.place) != len(grid.unit):
            message = f"{len(step.place)} numbers for a place on a {grid.name} grid"
            fault = "GP901", message, f"it has {len(grid.unit)}, such as at: {[*grid.origin]}"
        if fault is not None:
            faults.append(TrackFault(fault[0], number, *fault[1:]))
            missing.add(number)
        found.append(tile)
        letters.append(letter)
    used = Counter(tile.call for tile in found if tile is not None)
    missed: set[str] = set()
    laid: list[tuple[Tile | None, CourseEntry]] = []
    for number, (step, named, letter) in enumerate(zip(steps, found, letters, strict=True), 1):
        tile = named
        if tile is None and letter and number not in missing:
            tile = next((t for t in tiles if letter in t.ways and used[t.call] < t.owned), None)
            if tile is not None:
                used[tile.call] += 1
            elif letter not in missed:
                missed.add(letter)
                faults.append(_none_left(number, letter, tiles))
        call = step.tile if tile is None else tile.call
        laid.append((tile, CourseEntry(call, letter, step.place, step.heading)))
    return laid, faults


_Meant = tuple[Tile | None, str, tuple[str, str, str] | None]


def _meant(step: WrittenStep, by_call: Mapping[str, Tile], suggestions: Suggestions) -> _Meant:
    """Return the tile and letter of a step (no tile for a bare letter), or its fault."""
    tile, letter = by_call.get(step.tile), step.way
    last = step.tile[-1:].upper()
    if tile is None and not letter and last in _IN_WORDS:
        letter = last
        if len(step.tile) == 1:
            return None, letter, None
        tile = by_call.get(step.tile[:-1])
    if tile is None:
        message = f"there is no tile {step.tile!r}"
        hint = suggestions.did_you_mean(step.tile, by_call) or _CALLS
        return None, letter, ("GP902", message, hint)
    ways = list(tile.ways)
    if not letter and len(ways) > 1:
        message = (
            f"{tile.call} {' or '.join(_IN_WORDS[way] for way in ways)}: it does not say which"
        )
        hint = f"write {' or '.join(tile.call + way for way in ways)}"
        return None, "", ("GP902", message, hint)
    if letter and letter not in ways:
        message = f"no way through {tile.call} {_IN_WORDS[letter]}"
        hint = f"it {' or '.join(_IN_WORDS[way] for way in ways)}"
        return None, letter, ("GP902", message, hint)
    return tile, letter or ways[0], None


def _none_left(number: int, letter: str, tiles: Sequence[Tile]) -> TrackFault:
    able = [tile for tile in tiles if letter in tile.ways]
    if not able:
        message, hint = f"there is no tile that {_IN_WORDS[letter]}", "add one, or take another way"
        return TrackFault("GP902", number, message, hint)
    message = f"no tile is left that {_IN_WORDS[letter]}"
    owned = summed(tile.owned for tile in able)
    hint = f"there are {owned} of them, some perhaps laid another way; print more or lay fewer"
    return TrackFault("GP907", number, message, hint)


def tile_number(name: str, layings: Sequence[str]) -> int:
    """Return the number in the course of a tile named by its call, or by `call#2` if it is laid
    again. Raises CourseError if there is no such tile, or several."""
    call, mark, nth = name.partition("#")
    numbers = [number for number, laid in enumerate(layings, 1) if laid == call]
    if not numbers:
        hint = did_you_mean(call, layings)
        raise CourseError(f"{call} is not on the track", hint, 0)
    if not mark and len(numbers) > 1:
        hint = f"say which of them, such as {call}#1 for the first"
        raise CourseError(f"{call} is on the track {len(numbers)} times", hint, 0)
    if mark and not (nth.isdecimal() and len(nth) < 5 and 1 <= int(nth) <= len(numbers)):
        hint = f"{call}#1 to {call}#{len(numbers)} are on it"
        raise CourseError(f"{name} is not on the track", hint, 0)
    return numbers[int(nth) - 1 if mark else 0]


class Space(Struct, frozen=True):
    """A cell of the track: its tile's number, its lane and step there, the position of its middle
    along the course in cells, and the heading of the lane at its end."""

    cell: Vector
    tile: int
    lane: int
    step: int
    along: float
    heading: int


class Surface(Struct, frozen=True):
    """The spaces by cell, the length of a lap in cells, and where each tile begins."""

    spaces: Mapping[Vector, Space]
    lap: float
    begins: tuple[float, ...]


def surface(course: Course) -> Surface:
    """Return the surface of a course. If tiles overlap, the first has the space."""
    spaces: dict[Vector, Space] = {}
    begins: list[float] = []
    along = 0.0
    for laid in course.tiles:
        begins.append(along)
        for space in _spaces(laid, along):
            spaces.setdefault(space.cell, space)
        along += laid.piece.middle
    return Surface(spaces, along, tuple(begins))


def _spaces(laid: LaidTile, along: float) -> Iterator[Space]:
    piece, turns = laid.piece, laid.piece.grid.turns
    entering = range(piece.first, piece.first + piece.enters)
    for number, lane in enumerate(piece.lanes):
        through = number in piece.through
        whole = len(lane) if through else piece.middle
        before = 0.0 if through or number in entering else whole - len(lane)
        for step, cell in enumerate(lane):
            turned = piece.turn if piece.corners and step >= piece.corners[number] else 0
            at = along + (before + step + 0.5) * piece.middle / whole
            heading = (laid.heading + turned) % turns
            yield Space(laid.on_table(cell), laid.number, number, step, at, heading)


_ARC_STEPS: Final = 16

Points = tuple[Point, ...]


def border_lines(piece: TrackPiece, pitch: float, kerb: float) -> tuple[Points, Points]:
    """Return the left and the right border of a piece of cells `pitch` mm across flats."""
    far = reach(piece.grid, pitch) + kerb
    return (_bent if piece.turn else _straight)(piece, pitch, far)


def cell_corners(grid: TileGrid, pitch: float) -> Points:
    """Return the outline of one cell of the grid."""
    half = grid.angle / 2
    far = pitch / 2 / math.cos(math.radians(half))
    angles = (math.radians(half + n * grid.angle) for n in range(grid.turns))
    return tuple(Point(far * math.cos(angle), far * math.sin(angle)) for angle in angles)


def lane_pitch(grid: TileGrid, pitch: float) -> float:
    """Return the distance between two lanes, mm."""
    return pitch * math.sqrt(3) / 2 if grid is HEXAGONS else pitch


def reach(grid: TileGrid, pitch: float) -> float:
    """Return the distance from the middle of a lane to the outermost point of its cells, mm."""
    return pitch / math.sqrt(3) if grid is HEXAGONS else pitch / 2


def _straight(piece: TrackPiece, pitch: float, far: float) -> tuple[Points, Points]:
    """Return the borders of a straight; heading 0 leads to the right, left is up."""
    row = lane_pitch(piece.grid, pitch)
    start, beyond = -pitch / 2, piece.grid.point(piece.exit, pitch)
    end = beyond.x - pitch / 2
    left = _border(piece.lanes[0], piece, pitch, (start, -far), (end, beyond.y - far))
    low = (piece.enters - 1) * row + far
    low_after = beyond.y + (piece.leaves - 1) * row + far
    return left, _border(piece.lanes[-1], piece, pitch, (start, low), (end, low_after))


def _border(
    outermost: tuple[Vector, ...],
    piece: TrackPiece,
    pitch: float,
    start: tuple[float, float],
    end: tuple[float, float],
) -> Points:
    """Return a border from port to port. It slants along one cell where lanes begin or end."""
    first, last = Point(*start), Point(*end)
    if math.isclose(first.y, last.y, abs_tol=1e-9):
        return first, last
    xs = [piece.grid.point(cell, pitch).x for cell in outermost]
    if piece.leaves > piece.enters:
        onto = max(min(xs) - pitch, first.x + pitch)
        return first, Point(onto - pitch, first.y), Point(onto, last.y), last
    off = min(max(xs) + pitch, last.x - pitch)
    return first, Point(off, first.y), Point(off + pitch, last.y), last


def _bent(piece: TrackPiece, pitch: float, far: float) -> tuple[Points, Points]:
    """Return the borders of a bend; heading 0 leads to the right."""
    grid = piece.grid
    ahead, onward = Point(1, 0), grid.point(grid.rotated(grid.directions[0], piece.turn), 1)
    row = lane_pitch(grid, pitch)
    width = (piece.enters - 1) * row
    beyond = grid.point(piece.exit, pitch)
    end = beyond.moved(-onward.x * pitch / 2, -onward.y * pitch / 2)
    sides = []
    for hand, offset in ((LEFT, 0.0), (-LEFT, width)):
        lane = 0 if hand == LEFT else -1
        corner = grid.point(piece.lanes[lane][piece.corners[lane]], pitch)
        away, after = _beside(ahead, hand), _beside(onward, hand)
        first = Point(-pitch / 2 + away.x * (offset + far), away.y * (offset + far))
        last = end.moved(after.x * (offset + far), after.y * (offset + far))
        inner = (piece.turn > 0) == (hand == LEFT)
        turn = (_mitre if inner else _arc)(corner, away, after, far)
        sides.append((first, *turn, last))
    return _clean(sides[0]), _clean(sides[1])


def _beside(heading: Point, hand: int) -> Point:
    """Return the direction to the left (hand 1) or right of a heading."""
    return Point(heading.y * hand, -heading.x * hand)


def _mitre(corner: Point, away: Point, after: Point, far: float) -> Points:
    scale = far / (1 + away.x * after.x + away.y * after.y)
    return (corner.moved((away.x + after.x) * scale, (away.y + after.y) * scale),)


def _arc(corner: Point, away: Point, after: Point, far: float) -> Points:
    start, stop = math.atan2(away.y, away.x), math.atan2(after.y, after.x)
    sweep = math.remainder(stop - start, math.tau)
    angles = (start + sweep * i / _ARC_STEPS for i in range(_ARC_STEPS + 1))
    return tuple(corner.moved(far * math.cos(a), far * math.sin(a)) for a in angles)


def _clean(points: Points) -> Points:
    """Leave out points that repeat the one before."""
    kept = [points[0]]
    for before, point in pairwise(points):
        if math.dist((before.x, before.y), (point.x, point.y)) > 1e-6:
            kept.append(point)
    return tuple(kept)


_HAIR: Final = 1e-4
"""In cells."""


_XY = tuple[float, float]


class Solid(Struct, frozen=True):
    """A piece at a heading, from its place: its outline drawn in, the middles of its cells, and the
    box around it (left, low, right, high)."""

    corners: tuple[_XY, ...]
    middles: tuple[_XY, ...]
    box: tuple[float, float, float, float]


def solids(piece: TrackPiece, cut: BorderCut | None) -> tuple[Solid, ...]:
    """Return what a piece covers, by heading."""
    grid = piece.grid
    if cut is None and len(piece.cells) == 1:
        corners = [(p.x, p.y) for p in cell_corners(grid, 1.0)]
    else:
        left, right = border_lines(piece, 1.0, cut.kerb if cut else 0.0)
        corners = [(p.x, p.y) for p in (*left, *reversed(right))]
    drawn = _drawn_in(corners, _HAIR + (cut.slack / 2 if cut else 0.0))
    middles = [(p.x, p.y) for p in (grid.point(cell, 1.0) for cell in piece.cells)]
    found = []
    for heading in range(grid.turns):
        angle = -math.tau * heading / grid.turns
        outline = _turned(drawn, angle)
        found.append(Solid(outline, _turned(middles, angle), _box(outline)))
    return tuple(found)


def _box(corners: Iterable[_XY]) -> tuple[float, float, float, float]:
    xs, ys = zip(*corners, strict=True)
    return min(xs), min(ys), max(xs), max(ys)


def clash(one: Solid, other: Solid, dx: float, dy: float) -> bool:
    """Return True if the two overlap, with the second so far from the first."""
    left, low, right, high = other.box
    west, south, east, north = one.box
    if left + dx > east or right + dx < west or low + dy > north or high + dy < south:
        return False
    there = [(x + dx, y + dy) for x, y in other.corners]
    middles = [(x + dx, y + dy) for x, y in other.middles]
    if any(_holds(one.corners, at) for at in (*middles, *there)):
        return True
    if any(_holds(there, at) for at in (*one.middles, *one.corners)):
        return True
    return _cross(one.corners, there)


def _turned(points: Iterable[_XY], angle: float) -> tuple[_XY, ...]:
    cos, sin = math.cos(angle), math.sin(angle)
    return tuple((x * cos - y * sin, x * sin + y * cos) for x, y in points)


def _drawn_in(corners: Sequence[_XY], by: float) -> tuple[_XY, ...]:
    """Move each side of an outline inwards."""
    corners = [
        at for before, at in pairwise((corners[-1], *corners)) if math.dist(before, at) > _HAIR
    ]
    ring = list(zip(corners, (*corners[1:], corners[0]), strict=True))
    area = math.fsum(a[0] * b[1] - b[0] * a[1] for a, b in ring)
    inwards = math.copysign(by, area)
    found = []
    for (before, at), (_, after) in zip((ring[-1], *ring[:-1]), ring, strict=True):
        one, other = _direction(before, at), _direction(at, after)
        # A corner moves along the line that halves its angle.
        scale = inwards / (1 + one[0] * other[0] + one[1] * other[1])
        found.append(
            (at[0] - (one[1] + other[1]) * scale, at[1] + (one[0] + other[0]) * scale),
        )
    return tuple(found)


def _direction(start: _XY, end: _XY) -> _XY:
    length = math.dist(start, end)
    return (end[0] - start[0]) / length, (end[1] - start[1]) / length


def _holds(corners: Sequence[_XY], at: _XY) -> bool:
    """Return True for a point inside."""
    x, y = at
    inside = False
    x1, y1 = corners[-1]
    for x2, y2 in corners:
        if (y1 > y) != (y2 > y) and x < x1 + (y - y1) * (x2 - x1) / (y2 - y1):
            inside = not inside
        x1, y1 = x2, y2
    return inside


def _sides(corners: Sequence[_XY]) -> Iterator[tuple[float, float, float, float]]:
    for (x1, y1), (x2, y2) in pairwise((*corners, corners[0])):
        yield x1, y1, x2, y2


def _cross(one: Sequence[_XY], other: Sequence[_XY]) -> bool:
    """Return True if a side of one runs through a side of the other."""
    left, right = min(x for x, _ in one), max(x for x, _ in one)
    low, high = min(y for _, y in one), max(y for _, y in one)
    near = [
        side
        for side in _sides(other)
        if not (
            max(side[0], side[2]) < left
            or min(side[0], side[2]) > right
            or max(side[1], side[3]) < low
            or min(side[1], side[3]) > high
        )
    ]
    for ax, ay, bx, by in _sides(one) if near else ():
        ux, uy = bx - ax, by - ay
        for cx, cy, dx, dy in near:
            after, before = ux * (dy - ay) - uy * (dx - ax), ux * (cy - ay) - uy * (cx - ax)
            if (before > 0) == (after > 0):
                continue
            vx, vy = dx - cx, dy - cy
            if (vx * (ay - cy) > vy * (ax - cx)) != (vx * (by - cy) > vy * (bx - cx)):
                return True
    return False


@lru_cache(maxsize=500)
def _solids(piece: TrackPiece, cut: BorderCut | None) -> tuple[Solid, ...]:
    return solids(piece, cut)


class Lying(Struct, frozen=True):
    """A piece on the table."""

    piece: TrackPiece
    cut: BorderCut | None
    place: Vector
    heading: int

    def clashes(self, other: Lying) -> bool:
        """Return True if it cannot lie there beside the other."""
        apart = tuple(b - a for a, b in zip(self.place, other.place, strict=True))
        solid = _solids(self.piece, self.cut)[self.heading]
        at = self.piece.grid.point(apart, 1.0)
        return clash(solid, _solids(other.piece, other.cut)[other.heading], at.x, at.y)
