"""A layout's record, its names and a font in; a picture of it with a legend out, as SVG.

The drawing is WIDTH mm wide, and as high as the track and the legend beside it need. Plain shapes
only: ground, lanes, cuts between tiles, what marks start, finish and removable tiles, arrows of
travel and a label on each tile.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any, Final

from svgwrite import Drawing
from svgwrite.container import Group
from svgwrite.path import Path
from svgwrite.shapes import Line, Polygon, Rect
from svgwrite.text import Text

from generator.geometry import Point, Size
from generator.tracks.grids import GRIDS
from generator.tracks.listing import facts, labels, needed
from generator.units import summed

INK: Final = "#2d2a26"
_STRAIGHT: Final = 1e-6
Ends = Sequence[Sequence[float]]
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


def port_heading(port: Ends) -> Point:
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

LABEL: Final = 3.1
"""The size of a label's letters, mm on the drawing."""
_ARROW: Final = 1.3
_CHEQUER: Final = 1.1
_DASH: Final = 1.4
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
        ahead, onward = port_heading(tile["entry"]), port_heading(tile["exit"])
        cells = [Point(x * self.scale, y * self.scale) for x, y in tile["lanes"][0]]
        before = cells[0].moved(-ahead.x * half, -ahead.y * half)
        return [before, *cells, cells[-1].moved(onward.x * half, onward.y * half)]

    def _cells(self, tile: Record, layout: Record) -> Path:
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

    def _cut(self, tile: Record) -> Line:
        left, right = self._port(tile["entry"])
        return Line(xy(left), xy(right), debug=False, stroke=PAPER, stroke_width=0.5)

    def _finish(self, tile: Record, layout: Record) -> Group:
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

    def _arrow(self, port: Ends) -> Polygon:
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

    def _gaps(self, layout: Record) -> Iterator[Line]:
        """A red line from each tile to the next where they do not meet."""
        tiles = layout["tiles"]
        following = [*tiles[1:], tiles[0]] if layout["closed"] else tiles[1:]
        for tile, after in zip(tiles, following, strict=False):
            ends = [xy(self._middle(port)) for port in (tile["exit"], after["entry"])]
            if math.dist(*ends) > _MEETS:
                yield Line(*ends, debug=False, stroke=RED, stroke_width=0.9)

    def _label(self, tile: Record, layout: Record) -> Group:
        """A disc with the label in the middle of the tile; a pill for a long one."""
        x, y = (v * self.scale for v in _middle(tile, layout))
        text = self.labels[tile["number"]]
        height = LABEL * 1.5
        width = max(height, len(text) * LABEL * _BOLD_LETTER + LABEL * 0.7)
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

    def _middle(self, port: Ends) -> Point:
        left, right = self._port(port)
        return left.halfway(right)

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


WIDTH: Final = 260.0
_MARGIN: Final = 12.0
_HEAD: Final = 17.0
_LEGEND: Final = 66.0
_GAP: Final = 10.0
_HIGHEST: Final = 200.0
_TITLE: Final = 7.0
_SIZE: Final = 3.2
_LEADING: Final = 4.9
_LETTER: Final = 0.54
_BOLD_LETTER: Final = 0.62
"""How wide a letter is about, in em."""
_SCALE_BARS: Final = (10, 20, 50, 100, 200, 500, 1000, 2000, 5000)


@dataclass(frozen=True, slots=True)
class Fonts:
    """SVG attributes of the regular and the bold font that the picture is written in."""

    regular: Mapping[str, str]
    bold: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Schematic:
    """The picture: SVG with a viewBox in mm, and its size in mm."""

    svg: str
    size: Size


def draw_schematic(layout: Mapping[str, Any], title: str, note: str, fonts: Fonts) -> Schematic:
    """Draw a track with its `title`, and smaller beside it a `note`."""
    room = WIDTH - 2 * _MARGIN - _LEGEND - _GAP
    highest = _HIGHEST - 2 * _MARGIN - _HEAD
    scale = min(room / layout["width"], highest / layout["height"])
    legend = _Legend(layout, fonts, scale)
    lines = list(legend.lines())
    tall = max(layout["height"] * scale, len(lines) * _LEADING)
    size = Size(WIDTH, round(tall + 2 * _MARGIN + _HEAD, 2))
    drawing = Drawing(
        size=(f"{size.width:g}mm", f"{size.height:g}mm"),
        viewBox=f"0 0 {size.width:g} {size.height:g}",
        debug=False,
    )
    drawing.add(Rect((0, 0), (size.width, size.height), debug=False, fill=PAPER))
    beside = WIDTH - 2 * _MARGIN - len(note) * _SIZE * _LETTER - _GAP
    large = min(_TITLE, beside / max(1, len(title)) / _BOLD_LETTER)
    drawing.add(text_line(title, _MARGIN, _MARGIN + 5.5, round(large, 2), fonts.bold))
    drawing.add(
        text_line(
            note, WIDTH - _MARGIN, _MARGIN + 5.5, _SIZE, fonts.regular, anchor="end", colour=MUTED
        )
    )
    rule = _MARGIN + 9.5
    ends = ((_MARGIN, rule), (WIDTH - _MARGIN, rule))
    drawing.add(Line(*ends, debug=False, stroke=EDGE, stroke_width=0.3))
    top = _MARGIN + _HEAD
    left = _MARGIN + (room - layout["width"] * scale) / 2
    above = top + (tall - layout["height"] * scale) / 2
    plan = Plan(scale, labels(layout), fonts.bold).drawn(layout)
    plan.translate(round(left, 3), round(above, 3))
    drawing.add(plan)
    for number, line in enumerate(lines):
        line.translate(WIDTH - _MARGIN - _LEGEND, round(top + number * _LEADING + _SIZE, 3))
        drawing.add(line)
    return Schematic(drawing.tostring(), size)


@dataclass(frozen=True, slots=True)
class _Legend:
    """What stands beside the track, line by line, each a group with its baseline at 0."""

    layout: Mapping[str, Any]
    fonts: Fonts
    scale: float

    def lines(self) -> Iterator[Group]:
        """All of it, from the top."""
        for fact in facts(self.layout):
            yield from self._text(fact.split(" "))
        yield _line()
        yield from self._symbols()
        yield _line()
        yield _line(self._words("Tiles in order", bold=True))
        yield from self._text(list(self._order()), "\N{EN SPACE}")
        repeated = list(needed(self.layout["needed"]))
        if len(repeated) < len(self.layout["tiles"]):
            yield _line()
            yield _line(self._words("How many of each", bold=True))
            yield from self._text(repeated, ", ")

    def _order(self) -> Iterator[str]:
        named = labels(self.layout)
        for tile in self.layout["tiles"]:
            several = len(tile["component"]["tile"]["ways"]) > 1
            call = f"{tile['call']}{tile['letter'] if several else ''}"
            number = tile["number"]
            known = named[number] == tile["call"]
            yield call if known else f"{number}\N{NO-BREAK SPACE}{call}"

    def _symbols(self) -> Iterator[Group]:
        tiles: Sequence[Mapping[str, Any]] = self.layout["tiles"]
        wedge = [(1.2, -2.1), (1.2, 0.1), (3.8, -1)]
        yield _line(Polygon(wedge, debug=False, fill=INK), self._words("direction of travel", x=7))
        if any(tile["finish"] for tile in tiles):
            squares = Group(debug=False)
            for n in range(8):
                fill = INK if (n + n // 4) % 2 else WHITE
                at = (0.5 + n % 4, -2 + n // 4)
                squares.add(Rect(at, (1, 1), debug=False, fill=fill))
            yield _line(squares, self._words("finish line", x=7))
        if any(tile["starts"] for tile in tiles):
            yield _line(_swatch(START, START_EDGE), self._words("start grid", x=7))
        if any(tile["removable"] for tile in tiles):
            yield _line(
                _swatch(LEAVING, RED, stroke_dasharray="0.9"),
                self._words("can leave, all together", x=7),
            )
        length = next(n for n in reversed(_SCALE_BARS) if n * self.scale <= 40 or n == 10)
        bar = round(length * self.scale, 3)
        ticks = [((0, -1), (bar, -1)), ((0, -2), (0, 0)), ((bar, -2), (bar, 0))]
        drawn = [Line(*ends, debug=False, stroke=INK, stroke_width=0.35) for ends in ticks]
        yield _line(*drawn, self._words(f"{length} mm", x=bar + 2))

    def _text(self, listed: Sequence[str], space: str = " ") -> Iterator[Group]:
        """Words in lines as wide as the legend."""
        row = ""
        for word in listed:
            if row and (len(row) + len(space) + len(word)) * _SIZE * _LETTER > _LEGEND:
                yield _line(self._words(row))
                row = word
            else:
                row = f"{row}{space}{word}" if row else word
        yield _line(self._words(row))

    def _words(self, text: str, x: float = 0, bold: bool = False) -> Any:
        return text_line(text, x, 0, _SIZE, self.fonts.bold if bold else self.fonts.regular)


def _line(*parts: Any) -> Group:
    group = Group(debug=False)
    for part in parts:
        group.add(part)
    return group


def _swatch(fill: str, stroke: str, **attributes: str) -> Rect:
    return Rect(
        (0.3, -2.6),
        (4.4, 3.2),
        debug=False,
        fill=fill,
        stroke=stroke,
        stroke_width=0.4,
        **attributes,
    )
