"""A layout's record, its names and a font in; a picture of it with a legend out, as SVG.

The drawing is WIDTH mm wide, and as high as the track and the legend beside it need.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from svgwrite import Drawing
from svgwrite.container import Group
from svgwrite.shapes import Line, Polygon, Rect

from generator.geometry import Size
from generator.tracks.listing import facts, labels, needed
from generator.tracks.plan import EDGE, LEAVING, MUTED, PAPER, RED, START, START_EDGE, WHITE, Plan
from generator.tracks.strokes import INK, words

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


def schematic(layout: Mapping[str, Any], title: str, note: str, fonts: Fonts) -> Schematic:
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
    drawing.add(words(title, _MARGIN, _MARGIN + 5.5, round(large, 2), fonts.bold))
    drawing.add(
        words(
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
        return words(text, x, 0, _SIZE, self.fonts.bold if bold else self.fonts.regular)


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
