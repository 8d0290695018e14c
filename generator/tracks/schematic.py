"""The plan of a track as SVG, with a legend, and contact sheets of circuits.

A plan shows outlines, lanes, cuts between tiles, arrows of travel, labels, the start grid, the
finish line and removable tiles, and flaws in red. It is WIDTH mm wide and as high as necessary. A
contact sheet shows small numbered plans, with tiles, bends and table size below.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from typing import Any, Final

from msgspec import Struct
from svgwrite import Drawing
from svgwrite.container import Group
from svgwrite.path import Path
from svgwrite.shapes import Circle, Line, Polygon, Rect
from svgwrite.text import Text

from generator.geometry import Point, Size, bounds, summed
from generator.tracks.candidates import Candidate
from generator.tracks.courses import LaidTile, Tile, solids
from generator.tracks.gaps import TrackFlaws, flaws_of
from generator.tracks.listing import facts, needed, tile_labels, written_course
from generator.tracks.pieces import GRIDS, Vector

INK: Final = "#2d2a26"
_STRAIGHT: Final = 1e-6
PortEnds = Sequence[Sequence[float]]


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
    """Return a line of text on its baseline; `size` in mm."""
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
    """Return the direction of travel through a port, from its left and right ends."""
    (x1, y1), (x2, y2) = port
    length = math.dist((x1, y1), (x2, y2))
    return Point((y2 - y1) / length, (x1 - x2) / length)


def curved(points: Sequence[Point], **attributes: object) -> Path:
    """Return a path with arcs for corners; each begins and ends half a cell from its corner."""
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
    """Return an arc from start to end, equally far from the corner, or a straight line."""
    before = Point(corner.x - start.x, corner.y - start.y)
    after = Point(end.x - corner.x, end.y - corner.y)
    across = before.x * after.y - before.y * after.x
    turn = math.atan2(across, before.x * after.x + before.y * after.y)
    if abs(turn) < _STRAIGHT:
        return f"L{path_point(end)}"
    radius = math.hypot(before.x, before.y) / math.tan(abs(turn) / 2)
    return f"A{radius:.3f} {radius:.3f} 0 0 {int(turn > 0)} {path_point(end)}"


def xy(point: Point) -> tuple[float, float]:
    """Return its coordinates, rounded."""
    return round(point.x, 3), round(point.y, 3)


def path_point(point: Point) -> str:
    """Return a point as path data."""
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
"""Mean width of a bold letter, in em."""
LABEL: Final = 3.1
"""Size of a label's letters, mm on the drawing."""
_ARROW: Final = 1.3
_CHEQUER: Final = 1.1
_DASH: Final = 1.4
_SINGLE: Final = 0.44
_OUTLINE: Final = 0.7
_HEAD_OF_ARROW: Final = 4.2
LayoutValues = Mapping[str, Any]


class Plan(Struct, frozen=True):
    """Draws a plan: its scale, the label of each tile number, and the SVG attributes of a
    bold font."""

    scale: float
    labels: Mapping[int, str]
    font: Mapping[str, str]
    wrong: TrackFlaws = TrackFlaws()

    def drawn(self, layout: LayoutValues) -> Group:
        """Draw the track from its top left corner."""
        tiles: Sequence[LayoutValues] = layout["tiles"]
        # Removable tiles lie on top, so that all of their red outline is visible.
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

    def _road(self, tile: LayoutValues, layout: LayoutValues) -> Iterator[Path]:
        """Yield a broad line with a dashed one on it for a single lane, or the cells of several."""
        if len(tile["lanes"]) > 1:
            yield self._cells(tile, layout)
            return
        line = self._line(tile, layout)
        width = round(_SINGLE * layout["pitch"] * self.scale, 3)
        yield curved(line, stroke=ROAD, stroke_width=width)
        yield curved(line, stroke=LANE, stroke_width=0.35, stroke_dasharray=f"{_DASH:g}")

    def _line(self, tile: LayoutValues, layout: LayoutValues) -> list[Point]:
        """Return the points of the only lane, from port to port."""
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
        """Return chequers across the road, just behind the entry."""
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
        """Return a wedge on the joint, in the direction of travel."""
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

    def _overlaps(self, tiles: Sequence[LayoutValues]) -> Iterator[Path]:
        """Yield red outlines of tiles that overlap."""
        for number in sorted({number for pair in self.wrong.overlaps for number in pair}):
            path = Path(
                debug=False,
                transform=f"scale({self.scale:.6f})",
                fill="none",
                stroke=RED,
                stroke_width=round(_OUTLINE / self.scale, 4),
            )
            path.push(tiles[number - 1]["outline"])
            yield path

    def _gaps(self, tiles: Sequence[LayoutValues]) -> Iterator[Group]:
        """Yield a red arrow across each gap, with its length, or a ring if only the heading is
        wrong."""
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
        """Return a disc with the label in the middle of the tile, or a pill for a long one."""
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
    """Return the head of an arrow."""
    back = tip.moved(-ahead.x * size, -ahead.y * size)
    side = Point(-ahead.y * size * 0.5, ahead.x * size * 0.5)
    corners = [xy(tip), xy(back.moved(side.x, side.y)), xy(back.moved(-side.x, -side.y))]
    return Polygon(corners, debug=False, fill=colour)


def _middle(tile: LayoutValues, layout: LayoutValues) -> tuple[float, float]:
    """Return the place of the label: on the way through the tile, or in the middle of its lanes."""
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
"""Mean width of a letter, in em."""
_SCALE_BARS: Final = (10, 20, 50, 100, 200, 500, 1000, 2000, 5000)


class Fonts(Struct, frozen=True):
    """SVG attributes of the regular and the bold font."""

    regular: Mapping[str, str]
    bold: Mapping[str, str]


class Schematic(Struct, frozen=True):
    """A picture as SVG with a viewBox in mm."""

    svg: str
    size: Size


def draw_schematic(
    layout: Mapping[str, Any], title: str, note: str, fonts: Fonts, pool: Sequence[Tile] = ()
) -> Schematic:
    """Draw a track with its title and a smaller note. Its gaps may be closed with tiles of the
    pool."""
    wrong = flaws_of(layout, pool)
    room = WIDTH - 2 * _MARGIN - _LEGEND - _GAP
    highest = _HIGHEST - 2 * _MARGIN - _HEAD
    scale = min(room / layout["width"], highest / layout["height"])
    legend = _Legend(layout, fonts, scale, wrong)
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
    large = min(_TITLE, beside / max(1, len(title)) / BOLD_LETTER)
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
    plan = Plan(scale, tile_labels(layout), fonts.bold, wrong).drawn(layout)
    plan.translate(round(left, 3), round(above, 3))
    drawing.add(plan)
    for number, line in enumerate(lines):
        line.translate(WIDTH - _MARGIN - _LEGEND, round(top + number * _LEADING + _SIZE, 3))
        drawing.add(line)
    return Schematic(drawing.tostring(), size)


class _Legend(Struct, frozen=True):
    """The legend beside the track, a group for each line with its baseline at 0."""

    layout: Mapping[str, Any]
    fonts: Fonts
    scale: float
    wrong: TrackFlaws = TrackFlaws()

    def lines(self) -> Iterator[Group]:
        """Yield all lines from the top."""
        for fact in facts(self.layout):
            yield from self._text(fact.split(" "))
        yield _line()
        yield from self._symbols()
        told = list(self.wrong.lines(tile_labels(self.layout)))
        if told:
            yield _line()
            yield _line(self._words("What is wrong", bold=True, colour=RED))
            for line in told:
                yield from self._text(line.split())
        yield _line()
        yield from self._order()
        repeated = list(needed(self.layout["needed"]))
        if len(repeated) < len(self.layout["tiles"]):
            yield _line()
            yield _line(self._words("How many of each", bold=True))
            yield from self._text(repeated, ", ")

    def _order(self) -> Iterator[Group]:
        """Yield the tiles in order, with their numbers if the map shows numbers."""
        named, words = tile_labels(self.layout), written_course(self.layout)
        if all(named[tile["number"]] == tile["call"] for tile in self.layout["tiles"]):
            yield _line(self._words("Tiles in order", bold=True))
            yield from self._text(words, "\N{EN SPACE}")
            return
        yield _line(self._words("What lies at each number", bold=True))
        widest = max(map(len, words)) * _SIZE * _LETTER
        number = (len(str(len(words))) + 1) * _SIZE * _LETTER
        step = number + widest + _SIZE
        columns = max(1, int((_LEGEND + _SIZE) / step))
        rows = -(-len(words) // columns)
        for row in range(rows):
            group = Group(debug=False)
            for nth, word in list(enumerate(words, 1))[row::rows]:
                x = (nth - 1) // rows * step
                at = x + number - _SIZE * _LETTER * 0.7
                group.add(
                    text_line(
                        str(nth), at, 0, _SIZE, self.fonts.regular, anchor="end", colour=MUTED
                    )
                )
                group.add(self._words(word, x=x + number, bold=True))
            yield group

    def _symbols(self) -> Iterator[Group]:
        tiles: Sequence[Mapping[str, Any]] = self.layout["tiles"]
        travel = [(1.2, -2.1), (1.2, 0.1), (3.8, -1)]
        yield _line(Polygon(travel, debug=False, fill=INK), self._words("direction of travel", x=7))
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
        if self.wrong.overlaps:
            yield _line(_swatch(PAPER, RED), self._words("tiles overlap", x=7))
        if self.wrong.gaps:
            gap = Line((0, -1), (3, -1), debug=False, stroke=RED, stroke_width=0.9)
            head = wedge(Point(5, -1), Point(1, 0), 2.4, RED)
            yield _line(gap, head, self._words("gap, to where the next tile begins", x=7))
        length = next(n for n in reversed(_SCALE_BARS) if n * self.scale <= 40 or n == 10)
        bar = round(length * self.scale, 3)
        ticks = [((0, -1), (bar, -1)), ((0, -2), (0, 0)), ((bar, -2), (bar, 0))]
        drawn = [Line(*ends, debug=False, stroke=INK, stroke_width=0.35) for ends in ticks]
        yield _line(*drawn, self._words(f"{length} mm", x=bar + 2))

    def _text(self, listed: Sequence[str], space: str = " ") -> Iterator[Group]:
        """Yield words in lines as wide as the legend."""
        row = ""
        for word in listed:
            if row and (len(row) + len(space) + len(word)) * _SIZE * _LETTER > _LEGEND:
                yield _line(self._words(row))
                row = word
            else:
                row = f"{row}{space}{word}" if row else word
        yield _line(self._words(row))

    def _words(self, text: str, x: float = 0, bold: bool = False, colour: str = INK) -> Any:
        font = self.fonts.bold if bold else self.fonts.regular
        return text_line(text, x, 0, _SIZE, font, colour=colour)


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


PAGE: Final = Size(210.0, 297.0)
_SHEET_MARGIN: Final = 12.0
_SHEET_HEAD: Final = 16.0
_SHEET_GAP: Final = 5.0
_COLUMNS: Final = 4
_CAPTION: Final = 9.0
_CELL: Final = Size((PAGE.width - 2 * _SHEET_MARGIN - (_COLUMNS - 1) * _SHEET_GAP) / _COLUMNS, 50.0)
_ROWS: Final = int(
    (PAGE.height - 2 * _SHEET_MARGIN - _SHEET_HEAD + _SHEET_GAP) // (_CELL.height + _SHEET_GAP)
)
ON_PAGE: Final = _COLUMNS * _ROWS


def sheet(
    circuits: Sequence[Candidate], first: int, title: str, note: str, fonts: Fonts
) -> Schematic:
    """Draw plans of circuits, numbered from `first`. `ON_PAGE` of them fill a page."""
    rows = -(-len(circuits) // _COLUMNS)
    size = Size(
        PAGE.width,
        2 * _SHEET_MARGIN + _SHEET_HEAD + rows * (_CELL.height + _SHEET_GAP) - _SHEET_GAP,
    )
    if len(circuits) == ON_PAGE:
        size = PAGE
    drawing = Drawing(
        size=(f"{size.width:g}mm", f"{size.height:g}mm"),
        viewBox=f"0 0 {size.width:g} {size.height:g}",
        debug=False,
    )
    drawing.add(Rect((0, 0), (size.width, size.height), fill=PAPER, debug=False))
    drawing.add(text_line(title, _SHEET_MARGIN, _SHEET_MARGIN + 5, 5.5, fonts.bold))
    right = PAGE.width - _SHEET_MARGIN
    drawing.add(
        text_line(note, right, _SHEET_MARGIN + 5, 3, fonts.regular, anchor="end", colour=MUTED)
    )
    for nth, one in enumerate(circuits):
        row, column = divmod(nth, _COLUMNS)
        x = _SHEET_MARGIN + column * (_CELL.width + _SHEET_GAP)
        y = _SHEET_MARGIN + _SHEET_HEAD + row * (_CELL.height + _SHEET_GAP)
        group = Group(transform=f"translate({x:.3f} {y:.3f})", debug=False)
        for part in _entry(one, first + nth, fonts):
            group.add(part)
        drawing.add(group)
    return Schematic(drawing.tostring(), size)


def _entry(one: Candidate, number: int, fonts: Fonts) -> Iterator[object]:
    """Yield a plan with its caption."""
    wide, high = one.table
    base = _CELL.height
    yield text_line(str(number), 0, base - 3.4, 4.2, fonts.bold)
    told = f"{len(one.word)} tiles, {one.bends} bends"
    yield text_line(told, _CELL.width, base - 4, 2.6, fonts.regular, anchor="end")
    table = f"{wide:.0f} × {high:.0f} mm"
    yield text_line(table, _CELL.width, base - 0.4, 2.6, fonts.regular, anchor="end", colour=MUTED)
    yield _plan(one)


def _plan(one: Candidate) -> Group:
    """Return the tiles as large as possible, the longer side across."""
    boxes = one.boxes
    turned = min(
        range(boxes.shape[1]),
        key=lambda n: max(boxes[0, n] / _CELL.width, boxes[1, n] / (_CELL.height - _CAPTION)),
    )
    angle = -180.0 * turned / boxes.shape[1]
    corners = [Point(x, y).turned(angle, Point(0, 0)) for x, y in one.outline]
    box = bounds(corners)
    room = Size(_CELL.width, _CELL.height - _CAPTION)
    scale = min(room.width / box.width, room.height / box.height)
    dx = (room.width - box.width * scale) / 2
    dy = (room.height - box.height * scale) / 2
    place = f"translate({dx:.3f} {dy:.3f}) scale({scale:.5f})"
    away = f"translate({-box.x:.3f} {-box.y:.3f}) rotate({angle:.3f}) scale({one.pitch:.4f})"
    group = Group(transform=f"{place} {away}", debug=False)
    thin = 0.15 / scale / one.pitch
    grid = one.inventory.grid
    tiles = one.course.tiles
    widest = max(laid.piece.enters for laid in tiles)
    for laid in tiles:
        at = grid.point(laid.place, 1.0)
        outline = solids(laid.piece, laid.tile.cut)[laid.heading].corners
        group.add(
            Polygon(
                [(round(x + at.x, 4), round(y + at.y, 4)) for x, y in outline],
                fill=START if laid.tile.starts or laid.number == 1 else GROUND,
                stroke=EDGE,
                stroke_width=round(thin, 5),
                debug=False,
            )
        )
    path = Path(
        debug=False,
        fill="none",
        stroke=ROAD,
        stroke_width=round(max(0.16 if widest == 1 else 0.4, 4 * thin), 5),
        stroke_linejoin="round",
    )
    road = [grid.point(cell, 1.0) for laid in tiles for cell in _middle_lane(laid)]
    path.push(f"M{'L'.join(map(path_point, road))}Z")
    group.add(path)
    group.add(
        Circle(
            (round(road[0].x, 4), round(road[0].y, 4)),
            round(max(0.16, 5 * thin), 5),
            fill=START_EDGE,
            debug=False,
        )
    )
    return group


def _middle_lane(laid: LaidTile) -> Iterator[Vector]:
    through = laid.piece.through
    return map(laid.on_table, laid.piece.lanes[through[len(through) // 2]])
