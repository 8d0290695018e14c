"""A layout's record, its names and a font in; a picture of it with a legend out, as SVG.

The drawing is WIDTH mm wide, and as high as the track and the legend beside it need.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from svgwrite import Drawing
from svgwrite.container import Group
from svgwrite.path import Path
from svgwrite.shapes import Line, Polygon, Rect

from generator.geometry import Point, Size
from generator.tracks.courses import Tile
from generator.tracks.gaps import NOTHING_WRONG, Wrongs, wrongs
from generator.tracks.listing import facts, labels, needed, written_course
from generator.tracks.plan import (
    BOLD_LETTER,
    EDGE,
    INK,
    LEAVING,
    MUTED,
    PAPER,
    RED,
    START,
    START_EDGE,
    WHITE,
    Plan,
    text_line,
    wedge,
)

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


@dataclass(frozen=True, slots=True)
class _Legend:
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
