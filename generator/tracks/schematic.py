"""A layout's record, its names and a font in; a picture of it with a legend out, as SVG.

The drawing is WIDTH mm wide, and as high as the track and the legend beside it need. Of circuits
that were found there is a sheet of small plans, numbered as they are listed: plain shapes only, the
outline of each tile, the way through it, a mark at the start; beneath each plan its number, how
many tiles and bends it has, and the table that it takes.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from msgspec import Struct
from svgwrite import Drawing
from svgwrite.container import Group
from svgwrite.path import Path
from svgwrite.shapes import Circle, Line, Polygon, Rect

from generator.geometry import Point, Size, bounds
from generator.tracks.conflicts import lane_pitch, solids
from generator.tracks.courses import LaidTile, Tile
from generator.tracks.faults import NOTHING_WRONG, Wrongs, wrongs
from generator.tracks.listing import facts, labels, needed, written_course
from generator.tracks.plan import (
    BOLD_LETTER,
    EDGE,
    GROUND,
    INK,
    LEAVING,
    MUTED,
    PAPER,
    RED,
    ROAD,
    START,
    START_EDGE,
    WHITE,
    Plan,
    path_point,
    text_line,
    wedge,
)
from generator.tracks.wishes import Candidate

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
"""How wide a letter is about, in em."""
_SCALE_BARS: Final = (10, 20, 50, 100, 200, 500, 1000, 2000, 5000)


class Fonts(Struct, frozen=True):
    """SVG attributes of the regular and the bold font that the picture is written in."""

    regular: Mapping[str, str]
    bold: Mapping[str, str]


class Schematic(Struct, frozen=True):
    """The picture: SVG with a viewBox in mm, and its size in mm."""

    svg: str
    size: Size


def draw_schematic(
    layout: Mapping[str, Any], title: str, note: str, fonts: Fonts, pool: Sequence[Tile] = ()
) -> Schematic:
    """Draw a track with its `title`, and smaller beside it a `note`; `pool` is what its gaps may be
    closed with."""
    wrong = wrongs(layout, pool)
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
    plan = Plan(scale, labels(layout), fonts.bold, wrong).drawn(layout)
    plan.translate(round(left, 3), round(above, 3))
    drawing.add(plan)
    for number, line in enumerate(lines):
        line.translate(WIDTH - _MARGIN - _LEGEND, round(top + number * _LEADING + _SIZE, 3))
        drawing.add(line)
    return Schematic(drawing.tostring(), size)


class _Legend(Struct, frozen=True):
    """What stands beside the track, line by line, each a group with its baseline at 0."""

    layout: Mapping[str, Any]
    fonts: Fonts
    scale: float
    wrong: Wrongs = NOTHING_WRONG

    def lines(self) -> Iterator[Group]:
        """All of it, from the top."""
        for fact in facts(self.layout):
            yield from self._text(fact.split(" "))
        yield _line()
        yield from self._symbols()
        told = list(self.wrong.lines(labels(self.layout)))
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
        """What to lay: as a course has it where calls stand on the map; else by number, each number
        in a column of its own beside the call."""
        named, words = labels(self.layout), written_course(self.layout)
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
            hatched = Path(debug=False, fill="none", stroke=RED, stroke_width=0.5)
            hatched.push("M0.3 0.6L3.5 -2.6M1.9 0.6L4.7 -2.2M0.3 -1L1.9 -2.6")
            yield _line(_swatch(PAPER, RED), hatched, self._words("tiles lie on each other", x=7))
        if self.wrong.unknown:
            swatch = _swatch(PAPER, MUTED, stroke_dasharray="0.9")
            yield _line(swatch, self._words("no such tile: a stand-in", x=7))
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
        """Words in lines as wide as the legend."""
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
    """Plans of circuits, numbered from `first`, on a sheet as wide as a page and as high as they
    need: `ON_PAGE` of them fill a page."""
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
    """A plan with its caption, in a cell of the sheet."""
    wide, high = one.table
    base = _CELL.height
    yield text_line(str(number), 0, base - 3.4, 4.2, fonts.bold)
    told = f"{len(one.word)} tiles, {one.bends} bends"
    yield text_line(told, _CELL.width, base - 4, 2.6, fonts.regular, anchor="end")
    table = f"{wide:.0f} × {high:.0f} mm"
    yield text_line(table, _CELL.width, base - 0.4, 2.6, fonts.regular, anchor="end", colour=MUTED)
    yield _plan(one)


def _plan(one: Candidate) -> Group:
    """The tiles, as large as the cell lets them be, the longer side across."""
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
    starts = [_entered(laid) for laid in tiles]
    data = f"M{path_point(starts[0])}"
    for laid, begin, end in zip(tiles, starts, (*starts[1:], starts[0]), strict=True):
        data += f"Q{path_point(_corner(laid, begin, end))} {path_point(end)}"
    path.push(data + "Z")
    group.add(path)
    middle = starts[0]
    group.add(
        Circle(
            (round(middle.x, 4), round(middle.y, 4)),
            round(max(0.16, 5 * thin), 5),
            fill=START_EDGE,
            debug=False,
        )
    )
    return group


def _ahead(laid: LaidTile, heading: int) -> Point:
    angle = math.tau * heading / laid.piece.grid.turns
    return Point(math.cos(angle), -math.sin(angle))


def _entered(laid: LaidTile) -> Point:
    """The middle of the port by which a tile is entered, in cells."""
    grid = laid.piece.grid
    at, ahead = grid.point(laid.place, 1.0), _ahead(laid, laid.heading)
    aside = (laid.piece.enters - 1) / 2 * lane_pitch(grid, 1.0)
    return at.moved(-ahead.x / 2 - ahead.y * aside, -ahead.y / 2 + ahead.x * aside)


def _corner(laid: LaidTile, begin: Point, end: Point) -> Point:
    """Where the way in and the way out of a tile meet; between them if it does not turn."""
    if not laid.piece.turn:
        return begin.halfway(end)
    one, other = _ahead(laid, laid.heading), _ahead(laid, laid.onward)
    across = one.x * other.y - one.y * other.x
    dx, dy = end.x - begin.x, end.y - begin.y
    along = (dx * other.y - dy * other.x) / across
    return begin.moved(one.x * along, one.y * along)
