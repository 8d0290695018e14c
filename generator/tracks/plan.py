"""A layout's record in, its plan out: plain shapes for ground, lanes, cuts between tiles, arrows of
travel and labels, for what marks start, finish and removable tiles; in red what is wrong."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from typing import Any, Final

from msgspec import Struct
from svgwrite.container import Group
from svgwrite.masking import ClipPath
from svgwrite.path import Path
from svgwrite.shapes import Circle, Line, Polygon, Rect
from svgwrite.text import Text

from generator.geometry import Point, summed
from generator.tracks.faults import NOTHING_WRONG, Wrongs
from generator.tracks.pieces import GRIDS
from generator.tracks.records import is_stand_in

INK: Final = "#2d2a26"
_STRAIGHT: Final = 1e-6
PortEnds = Sequence[Sequence[float]]
"""The left and the right end of a port."""


def text_line(
    text: str,
    x: float,
    y: float,
    size: float,
    font: Mapping[str, str],
    *,
    anchor: str = "start",
    colour: str = INK,
) -> Text:
    """A line of text on its baseline; `size` in mm."""
    attributes = {name.replace("-", "_"): value for name, value in font.items()}
    return Text(
        text,
        insert=(round(x, 3), round(y, 3)),
        debug=False,
        font_size=size,
        text_anchor=anchor,
        fill=colour,
        **attributes,
    )


def port_heading(port: PortEnds) -> Point:
    """The direction of travel through a port, from its ends on the left and the right."""
    (x1, y1), (x2, y2) = port
    length = math.dist((x1, y1), (x2, y2))
    return Point((y2 - y1) / length, (x1 - x2) / length)


def curved(points: Sequence[Point], **attributes: object) -> Path:
    """A path that takes its corners as arcs; each begins and ends half a cell from its corner."""
    path = Path(debug=False, fill="none", **attributes)
    first, *corners, last = points
    data = f"M{path_point(first)}"
    for at, corner in enumerate(corners):
        start = first if at == 0 else points[at].halfway(corner)
        end = last if at == len(corners) - 1 else corner.halfway(points[at + 2])
        data += f"L{path_point(start)}{_arc(start, corner, end)}"
    path.push(data)
    return path


def _arc(start: Point, corner: Point, end: Point) -> str:
    """From start to end, which are as far from the corner: straight on, or touching both legs."""
    before = Point(corner.x - start.x, corner.y - start.y)
    after = Point(end.x - corner.x, end.y - corner.y)
    across = before.x * after.y - before.y * after.x
    turn = math.atan2(across, before.x * after.x + before.y * after.y)
    if abs(turn) < _STRAIGHT:
        return f"L{path_point(end)}"
    radius = math.hypot(before.x, before.y) / math.tan(abs(turn) / 2)
    return f"A{radius:.3f} {radius:.3f} 0 0 {int(turn > 0)} {path_point(end)}"


def xy(point: Point) -> tuple[float, float]:
    """Its coordinates, rounded."""
    return round(point.x, 3), round(point.y, 3)


def path_point(point: Point) -> str:
    """As path data has it."""
    return f"{point.x:.3f} {point.y:.3f}"


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

BOLD_LETTER: Final = 0.62
"""How wide a bold letter is about, in em."""
LABEL: Final = 3.1
"""The size of a label's letters, mm on the drawing."""
_ARROW: Final = 1.3
_CHEQUER: Final = 1.1
_DASH: Final = 1.4
_SINGLE: Final = 0.44
_HATCH: Final = 2.2
_OUTLINE: Final = 0.7
_HEAD_OF_ARROW: Final = 4.2
LayoutValues = Mapping[str, Any]


class Plan(Struct, frozen=True):
    """How a plan is drawn: mm on the drawing for a mm on the table, labels by number, and the SVG
    attributes of their font (bold)."""

    scale: float
    labels: Mapping[int, str]
    font: Mapping[str, str]
    wrong: Wrongs = NOTHING_WRONG

    def drawn(self, layout: LayoutValues) -> Group:
        """The whole track, its top left corner at the origin."""
        tiles: Sequence[LayoutValues] = layout["tiles"]
        # What leaves lies on top, so that all of its red outline is seen.
        by_colour = sorted(tiles, key=lambda tile: (tile["removable"], tile["starts"] > 0))
        group = Group(debug=False)
        for layer in (
            (self._ground(tile) for tile in by_colour),
            (shape for tile in tiles for shape in self._road(tile, layout)),
            (self._cut(tile) for tile in tiles),
            (self._finish(tile, layout) for tile in tiles if tile["finish"]),
            (self._arrow(tile["exit"]) for tile in tiles),
            self._overlaps(tiles),
            (self._label(tile, layout) for tile in tiles),
            self._gaps(tiles),
        ):
            for shape in layer:
                group.add(shape)
        return group

    def _ground(self, tile: LayoutValues) -> Path:
        fill, stroke, width = GROUND, EDGE, 0.25
        if tile["starts"]:
            fill, stroke = START, START_EDGE
        if tile["removable"]:
            fill, stroke, width = LEAVING, RED, 0.6
        if is_stand_in(tile):
            fill, stroke, width = PAPER, MUTED, 0.5
        dashed = tile["removable"] or is_stand_in(tile)
        path = Path(
            debug=False,
            transform=f"scale({self.scale:.6f})",
            fill=fill,
            stroke=stroke,
            stroke_width=round(width / self.scale, 4),
            stroke_linejoin="round",
            **({"stroke_dasharray": f"{_DASH / self.scale:.3f}"} if dashed else {}),
        )
        path.push(tile["outline"])
        return path

    def _road(self, tile: LayoutValues, layout: LayoutValues) -> Iterator[Path]:
        """A broad line with a dashed one on it along a single lane; the cells of several; nothing
        on what stands in for a tile that nobody knows."""
        if is_stand_in(tile):
            return
        if len(tile["lanes"]) > 1:
            yield self._cells(tile, layout)
            return
        line = self._line(tile, layout)
        width = round(_SINGLE * layout["pitch"] * self.scale, 3)
        yield curved(line, stroke=ROAD, stroke_width=width)
        yield curved(line, stroke=LANE, stroke_width=0.35, stroke_dasharray=f"{_DASH:g}")

    def _line(self, tile: LayoutValues, layout: LayoutValues) -> list[Point]:
        """The only lane, from port to port: half a cell before its first cell to half a cell after
        its last one."""
        half = layout["pitch"] / 2 * self.scale
        ahead, onward = port_heading(tile["entry"]), port_heading(tile["exit"])
        cells = [Point(x * self.scale, y * self.scale) for x, y in tile["lanes"][0]]
        before = cells[0].moved(-ahead.x * half, -ahead.y * half)
        return [before, *cells, cells[-1].moved(onward.x * half, onward.y * half)]

    def _cells(self, tile: LayoutValues, layout: LayoutValues) -> Path:
        grid = GRIDS[layout["grid"]]
        ahead = port_heading(tile["entry"])
        far = layout["pitch"] * self.scale / 2 / math.cos(math.pi / grid.turns)
        first = math.atan2(ahead.y, ahead.x) + math.pi / grid.turns
        angles = [first + n * math.tau / grid.turns for n in range(grid.turns)]
        fill = START_CELL if tile["starts"] else ROAD
        fill = LEAVING_CELL if tile["removable"] else fill
        path = Path(debug=False, fill=fill, stroke=LANE, stroke_width=0.3)
        for x, y in (cell for lane in tile["lanes"] for cell in lane):
            middle = Point(x * self.scale, y * self.scale)
            corners = (middle.moved(far * math.cos(a), far * math.sin(a)) for a in angles)
            path.push(f"M{'L'.join(map(path_point, corners))}Z")
        return path

    def _cut(self, tile: LayoutValues) -> Line:
        left, right = self._port(tile["entry"])
        return Line(xy(left), xy(right), debug=False, stroke=PAPER, stroke_width=0.5)

    def _finish(self, tile: LayoutValues, layout: LayoutValues) -> Group:
        """Chequers across the road, just past the port by which the tile is entered."""
        left, right = self._port(tile["entry"])
        ahead = port_heading(tile["entry"])
        width = math.dist(xy(left), xy(right))
        if len(tile["lanes"]) == 1:
            width = _SINGLE * layout["pitch"] * self.scale
        middle, across = left.halfway(right), Point(-ahead.y, ahead.x)
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

    def _arrow(self, port: PortEnds) -> Polygon:
        """A wedge on the joint, pointing in the direction of travel."""
        middle, ahead = self._middle(port), port_heading(port)
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

    def _overlaps(self, tiles: Sequence[LayoutValues]) -> Iterator[Group]:
        """Red outlines around tiles that lie on each other, and hatching where they do."""
        for pair in self.wrong.overlaps:
            one, other = (tiles[number - 1] for number in pair)
            group = Group(debug=False)
            inner = group
            for nth, tile in enumerate((one, other)):
                clip = ClipPath(id=f"overlap-{pair[0]}-{pair[1]}-{nth}", debug=False)
                clip.add(self._outline(tile))
                group.add(clip)
                inner = inner.add(Group(debug=False, clip_path=f"url(#{clip['id']})"))
            inner.add(self._hatching(one))
            for tile in (one, other):
                path = self._outline(tile, fill="none", stroke=RED)
                path["stroke-width"] = round(_OUTLINE / self.scale, 4)
                group.add(path)
            yield group

    def _outline(self, tile: LayoutValues, **look: Any) -> Path:
        path = Path(debug=False, transform=f"scale({self.scale:.6f})", **look)
        path.push(tile["outline"])
        return path

    def _hatching(self, tile: LayoutValues) -> Path:
        """Slanted lines over all of a tile."""
        x, y = (v * self.scale for v in (tile["x"], tile["y"]))
        size = tile["component"]["tile"]
        half = math.hypot(size["width"], size["height"]) * self.scale / 2
        path = Path(debug=False, fill="none", stroke=RED, stroke_width=0.5)
        for n in range(math.ceil(2 * half / _HATCH) + 1):
            along = n * _HATCH - half
            start, end = Point(x + along - half, y + half), Point(x + along + half, y - half)
            path.push(f"M{path_point(start)}L{path_point(end)}")
        return path

    def _gaps(self, tiles: Sequence[LayoutValues]) -> Iterator[Group]:
        """A red arrow from each tile to the next where they do not meet, with how far it is; where
        only the next one's heading is wrong, a ring."""
        for gap in self.wrong.gaps:
            here = self._middle(tiles[gap.before - 1]["exit"])
            there = self._middle(tiles[gap.after - 1]["entry"])
            group = Group(debug=False)
            far = math.dist(xy(here), xy(there))
            if gap.mm:
                ahead = Point((there.x - here.x) / far, (there.y - here.y) / far)
                group.add(
                    Line(
                        xy(here),
                        xy(there.moved(-ahead.x * _HEAD_OF_ARROW, -ahead.y * _HEAD_OF_ARROW)),
                        debug=False,
                        stroke=RED,
                        stroke_width=1.1,
                        stroke_dasharray="2.4 1.2",
                    )
                )
                group.add(wedge(there, ahead, _HEAD_OF_ARROW, RED))
            else:
                ring = Circle(xy(here), 3.4, debug=False, fill="none", stroke=RED, stroke_width=0.9)
                group.add(ring)
            turned = f"{abs(gap.turned)}° {'left' if gap.turned > 0 else 'right'}"
            told = [f"{gap.mm:.1f} mm"] * bool(gap.mm) + [turned] * bool(gap.turned)
            self._plate(group, here.halfway(there), ", ".join(told))
            yield group

    def _plate(self, group: Group, middle: Point, text: str) -> None:
        width = len(text) * LABEL * BOLD_LETTER + LABEL
        corner = round(middle.x - width / 2, 3), round(middle.y - LABEL * 0.8, 3)
        group.add(Rect(corner, (round(width, 3), LABEL * 1.6), rx=0.6, debug=False, fill=RED))
        baseline = middle.y + LABEL * 0.36
        group.add(
            text_line(text, middle.x, baseline, LABEL, self.font, anchor="middle", colour=WHITE)
        )

    def _label(self, tile: LayoutValues, layout: LayoutValues) -> Group:
        """A disc with the label in the middle of the tile; a pill for a long one."""
        x, y = (v * self.scale for v in _middle(tile, layout))
        text = self.labels[tile["number"]]
        height = LABEL * 1.5
        width = max(height, len(text) * LABEL * BOLD_LETTER + LABEL * 0.7)
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
        group.add(text_line(text, x, y + LABEL * 0.36, LABEL, self.font, anchor="middle"))
        return group

    def _middle(self, port: PortEnds) -> Point:
        left, right = self._port(port)
        return left.halfway(right)

    def _port(self, port: PortEnds) -> tuple[Point, Point]:
        (x1, y1), (x2, y2) = port
        return Point(x1 * self.scale, y1 * self.scale), Point(x2 * self.scale, y2 * self.scale)


def wedge(tip: Point, ahead: Point, size: float, colour: str) -> Polygon:
    """The head of an arrow."""
    back = tip.moved(-ahead.x * size, -ahead.y * size)
    side = Point(-ahead.y * size * 0.5, ahead.x * size * 0.5)
    corners = [xy(tip), xy(back.moved(side.x, side.y)), xy(back.moved(-side.x, -side.y))]
    return Polygon(corners, debug=False, fill=colour)


def _middle(tile: LayoutValues, layout: LayoutValues) -> tuple[float, float]:
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
