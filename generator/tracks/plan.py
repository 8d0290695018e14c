"""A layout's record and a scale in, the drawing of its tiles as they lie on the table out.

Plain shapes only, which any template or picture can take: ground, lanes, cuts between tiles, what
marks start, finish and removable tiles, arrows of travel and a label on each tile.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any, Final

from svgwrite.container import Group
from svgwrite.path import Path
from svgwrite.shapes import Line, Polygon, Rect

from generator.geometry import Point
from generator.sums import summed
from generator.tracks.grids import GRIDS
from generator.tracks.strokes import INK, Ends, between, curved, heading, told, words, xy

PAPER: Final = "#fbf8f1"
MUTED: Final = "#7b7468"
GROUND: Final = "#e9e3d5"
EDGE: Final = "#b9af9c"
ROAD: Final = "#a29b8e"
LANE: Final = "#f4efe4"
START: Final = "#cfe0cd"
START_CELL: Final = "#8fb193"
START_EDGE: Final = "#5d8a63"
LEAVING: Final = "#f4d4cb"
WHITE: Final = "#ffffff"
LEAVING_CELL: Final = "#c99c90"
RED: Final = "#c0392b"

LABEL: Final = 3.1
"""The size of a label's letters, mm on the drawing."""
_ARROW: Final = 1.3
_CHEQUER: Final = 1.1
_DASH: Final = 1.4
_LETTER: Final = 0.62
_SINGLE: Final = 0.44
_MEETS: Final = 0.05
Record = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Plan:
    """How a plan is drawn: mm on the drawing for a mm on the table, labels by number, and the SVG
    attributes of their font (bold)."""

    scale: float
    labels: Mapping[int, str]
    font: Mapping[str, str]

    def drawn(self, layout: Record) -> Group:
        """The whole track, its top left corner at the origin."""
        tiles: Sequence[Record] = layout["tiles"]
        # What leaves lies on top, so that all of its red outline is seen.
        by_colour = sorted(tiles, key=lambda tile: (tile["removable"], tile["starts"] > 0))
        group = Group(debug=False)
        for layer in (
            (self._ground(tile) for tile in by_colour),
            (shape for tile in tiles for shape in self._road(tile, layout)),
            (self._cut(tile) for tile in tiles),
            (self._finish(tile, layout) for tile in tiles if tile["finish"]),
            (self._arrow(tile["exit"]) for tile in tiles),
            self._gaps(layout),
            (self._label(tile, layout) for tile in tiles),
        ):
            for shape in layer:
                group.add(shape)
        return group

    def _ground(self, tile: Record) -> Path:
        fill, stroke, width = GROUND, EDGE, 0.25
        if tile["starts"]:
            fill, stroke = START, START_EDGE
        if tile["removable"]:
            fill, stroke, width = LEAVING, RED, 0.6
        path = Path(
            debug=False,
            transform=f"scale({self.scale:.6f})",
            fill=fill,
            stroke=stroke,
            stroke_width=round(width / self.scale, 4),
            stroke_linejoin="round",
            **({"stroke_dasharray": f"{_DASH / self.scale:.3f}"} if tile["removable"] else {}),
        )
        path.push(tile["outline"])
        return path

    def _road(self, tile: Record, layout: Record) -> Iterator[Path]:
        """A broad line with a dashed one on it along a single lane; the cells of several."""
        if len(tile["lanes"]) > 1:
            yield self._cells(tile, layout)
            return
        line = self._line(tile, layout)
        width = round(_SINGLE * layout["pitch"] * self.scale, 3)
        yield curved(line, stroke=ROAD, stroke_width=width)
        yield curved(line, stroke=LANE, stroke_width=0.35, stroke_dasharray=f"{_DASH:g}")

    def _line(self, tile: Record, layout: Record) -> list[Point]:
        """The only lane, from port to port: half a cell before its first cell to half a cell after
        its last one."""
        half = layout["pitch"] / 2 * self.scale
        ahead, onward = heading(tile["entry"]), heading(tile["exit"])
        cells = [Point(x * self.scale, y * self.scale) for x, y in tile["lanes"][0]]
        before = cells[0].moved(-ahead.x * half, -ahead.y * half)
        return [before, *cells, cells[-1].moved(onward.x * half, onward.y * half)]

    def _cells(self, tile: Record, layout: Record) -> Path:
        grid = GRIDS[layout["grid"]]
        ahead = heading(tile["entry"])
        far = layout["pitch"] * self.scale / 2 / math.cos(math.pi / grid.turns)
        first = math.atan2(ahead.y, ahead.x) + math.pi / grid.turns
        angles = [first + n * math.tau / grid.turns for n in range(grid.turns)]
        fill = START_CELL if tile["starts"] else ROAD
        fill = LEAVING_CELL if tile["removable"] else fill
        path = Path(debug=False, fill=fill, stroke=LANE, stroke_width=0.3)
        for x, y in (cell for lane in tile["lanes"] for cell in lane):
            middle = Point(x * self.scale, y * self.scale)
            corners = (middle.moved(far * math.cos(a), far * math.sin(a)) for a in angles)
            path.push(f"M{'L'.join(map(told, corners))}Z")
        return path

    def _cut(self, tile: Record) -> Line:
        left, right = self._port(tile["entry"])
        return Line(xy(left), xy(right), debug=False, stroke=PAPER, stroke_width=0.5)

    def _finish(self, tile: Record, layout: Record) -> Group:
        """Chequers across the road, just past the port by which the tile is entered."""
        left, right = self._port(tile["entry"])
        ahead = heading(tile["entry"])
        width = math.dist(xy(left), xy(right))
        if len(tile["lanes"]) == 1:
            width = _SINGLE * layout["pitch"] * self.scale
        middle, across = between(left, right), Point(-ahead.y, ahead.x)
        number = max(4, round(width / _CHEQUER))
        side = width / number
        group = Group(debug=False)
        for row, column in product(range(2), range(number)):
            corners = []
            for dx, dy in ((0, 0), (1, 0), (1, 1), (0, 1)):
                along, beside = (row + dx + 0.5) * side, (column + dy) * side - width / 2
                corner = middle.moved(ahead.x * along, ahead.y * along)
                corners.append(xy(corner.moved(across.x * beside, across.y * beside)))
            fill = INK if (row + column) % 2 else WHITE
            group.add(Polygon(corners, debug=False, fill=fill))
        return group

    def _arrow(self, port: Ends) -> Polygon:
        """A wedge on the joint, pointing in the direction of travel."""
        middle, ahead = between(*self._port(port)), heading(port)
        corners = [
            xy(
                middle.moved(
                    (ahead.x * along - ahead.y * beside) * _ARROW,
                    (ahead.y * along + ahead.x * beside) * _ARROW,
                )
            )
            for along, beside in ((1, 0), (-0.5, 0.8), (-0.5, -0.8))
        ]
        return Polygon(
            corners, debug=False, fill=INK, stroke=PAPER, stroke_width=0.3, stroke_linejoin="round"
        )

    def _gaps(self, layout: Record) -> Iterator[Line]:
        """A red line from each tile to the next where they do not meet."""
        tiles = layout["tiles"]
        following = [*tiles[1:], tiles[0]] if layout["closed"] else tiles[1:]
        for tile, after in zip(tiles, following, strict=False):
            ends = [xy(between(*self._port(port))) for port in (tile["exit"], after["entry"])]
            if math.dist(*ends) > _MEETS:
                yield Line(*ends, debug=False, stroke=RED, stroke_width=0.9)

    def _label(self, tile: Record, layout: Record) -> Group:
        """A disc with the label in the middle of the tile; a pill for a long one."""
        x, y = (v * self.scale for v in _middle(tile, layout))
        text = self.labels[tile["number"]]
        height = LABEL * 1.5
        width = max(height, len(text) * LABEL * _LETTER + LABEL * 0.7)
        plate = Rect(
            (round(x - width / 2, 3), round(y - height / 2, 3)),
            (round(width, 3), round(height, 3)),
            rx=height / 2,
            debug=False,
            fill=PAPER,
            stroke=RED if tile["removable"] else INK,
            stroke_width=0.35,
        )
        group = Group(debug=False)
        group.add(plate)
        group.add(words(text, x, y + LABEL * 0.36, LABEL, self.font, anchor="middle"))
        return group

    def _port(self, port: Ends) -> tuple[Point, Point]:
        (x1, y1), (x2, y2) = port
        return Point(x1 * self.scale, y1 * self.scale), Point(x2 * self.scale, y2 * self.scale)


def _middle(tile: Record, layout: Record) -> tuple[float, float]:
    """Where the label stands: of a straight between its ports, of a curve of one cell on the arc,
    else in the middle of the middle lane, or between those of the two in the middle."""
    lanes = tile["lanes"]
    ports = _mean([*tile["entry"], *tile["exit"]])
    if not tile["turn"]:
        return ports
    both = ((len(lanes) - 1) // 2, len(lanes) // 2)
    x, y = _mean([lanes[n][len(lanes[n]) // 2] for n in both])
    if len(lanes) > 1 or len(lanes[0]) > 1:
        return x, y
    # An arc that touches the legs of a corner passes it at this share of the way to the chord.
    share = 1 / (1 + math.cos(math.pi / GRIDS[layout["grid"]].turns))
    return x + (ports[0] - x) * share, y + (ports[1] - y) * share


def _mean(points: Sequence[Sequence[float]]) -> tuple[float, float]:
    return summed(x for x, _ in points) / len(points), summed(y for _, y in points) / len(points)
