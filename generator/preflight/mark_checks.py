"""Checks that sheets have the marks that the rules of their layout ask for, and no others: cut
marks and die lines, ruler and slug, ticks of labels. It is long, since a ruler and what may stand
beside it are looked at together.

What a sheet must have is worked out anew from the paper, the pieces and where they leave room: what
imposition wrote, and the manifest lists, is not asked. So nobody can change a sheet and its list of
marks together."""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Final, NamedTuple

from generator.geometry import MM_PER_INCH, Point, Rect, around, bounds, pt_to_mm
from generator.model.catalogue import Shape
from generator.model.face import PdfLayer, Side
from generator.model.manifest import LabelsEntry
from generator.model.pack import Layout
from generator.preflight.checking import (
    AT_FULL_SIZE,
    PLACE_TOLERANCE,
    Finding,
    PageMatch,
    Subject,
    distance,
)
from generator.preflight.manifest_reader import ExpectedFile
from generator.preflight.page_reader import DrawnWords, LineStroke, PageRead

RULER_TOLERANCE: Final = 0.1
SCALES: Final = (100.0, 50.0)
"""mm of the scales that a sheet may carry."""
_INCH_SCALES: Final = (4 * MM_PER_INCH, 2 * MM_PER_INCH)
_LEAST_SCALE: Final = 40.0
_CROPPED: Final = (Shape.RECTANGLE, Shape.ROUNDED)
"""Shapes that are cut along marks beside them."""
_ROOM: Final = 1.2
"""mm beside the art of a piece in which there is room for its mark; twice as much to other art."""
_FARTHEST: Final = 12.0
"""mm from the art of a piece within which its marks begin."""
_BESIDE: Final = 0.7
"""mm that words and scales keep from what else is on a sheet."""
_CHARACTER: Final = 0.58
"""Width of a letter in em, on the large side for any sans."""
_NARROW: Final = 0.35
"""The same on the small side."""
_FOOT_WIDTH: Final = 160.0
"""mm that ruler and the words of a slug take beside each other."""
_SCALES: Final = (100.0, 50.0, 4 * MM_PER_INCH, 2 * MM_PER_INCH)
_TICK: Final = 1.7
_OFF: Final = 0.1
_RULER: Final = (59.3, 3.5)
"""mm that the shorter ruler takes with its figures."""
_SHORT_SLUG: Final = (24.0, 2.2)
"""mm that words of a slug take at the least."""
_SHORT_PT: Final = 5.0
_PAPER_EDGE: Final = 1.0
"""mm of a paper that hold no words."""
_LABEL_TICK: Final = (0.5, 2.5)
"""mm from the corner of a block of labels, between which its ticks are."""
_LEAST_SLUG: Final = 4.0
"""pt."""
_PAPERS: Final = {
    "A3": (297, 420),
    "A4": (210, 297),
    "A5": (148, 210),
    "US Letter": (215.9, 279.4),
    "US Legal": (215.9, 355.6),
    "Tabloid": (279.4, 431.8),
}
"""What papers of these names measure wherever they are bought, mm."""
_PAPER_OFF: Final = 2.0
_STRIP: Final = 2.4
"""mm that a ruler or slug surely keeps from art."""
_FIGURES: Final = re.compile(r"^[0-9]{1,3} (mm|in)$")
_SHEET: Final = re.compile(r"^sheet ([0-9]+) of ([0-9]+)(?:, (front|back))?$")
_SCALING: Final = "print at 100 %, no scaling"
_NOTE: Final = re.compile(r"^(?:waste [0-9]+ %|page [A-Z]+[0-9]+)$")
"""What follows the sheet, in the shortest wording alone: of nested pieces, of a page of a
poster; that of a whole poster has its name."""
_DRAFT: Final = "DRAFT"
_PART: Final = " · "


def rulers(subject: Subject) -> Iterator[Finding]:
    """GP805: the ruler is as long as it says, and where the manifest has it."""
    promised = {match.read.number: match.expected.ruler for match in subject.matched}
    for page in subject.pages:
        scales = [
            stroke
            for stroke in page.strokes
            if stroke.layer == PdfLayer.GUIDES and stroke.length > _LEAST_SCALE
        ]
        ends = promised.get(page.number)
        if ends is not None:
            length = distance(*ends)
            drawn = any(
                distance(scale.start, ends[0]) <= RULER_TOLERANCE
                and distance(scale.end, ends[1]) <= RULER_TOLERANCE
                for scale in scales
            )
            if not drawn or not _is_scale(length):
                yield subject.fault("GP805", _ruler_fault(page), AT_FULL_SIZE, page.number)
        elif scales and not any(_is_scale(scale.length) for scale in scales):
            yield subject.fault("GP805", _ruler_fault(page), AT_FULL_SIZE, page.number)


def _is_scale(length: float) -> bool:
    return any(abs(length - scale) <= RULER_TOLERANCE for scale in SCALES)


def _ruler_fault(page: PageRead) -> str:
    """What a page has in the place of its ruler: the inch scale beside it does not count."""
    lengths = [
        stroke.length
        for stroke in page.strokes
        if stroke.layer == PdfLayer.GUIDES
        and stroke.length > _LEAST_SCALE
        and not any(abs(stroke.length - scale) <= RULER_TOLERANCE for scale in _INCH_SCALES)
    ]
    if not lengths:
        return "the ruler is missing"
    nearest = min(lengths, key=lambda length: abs(length - SCALES[0]))
    if _is_scale(nearest):
        return "the ruler is not where the manifest has it"
    return f"the ruler is {nearest:.2f} mm long, not {SCALES[0]:.0f} mm"


class OddMark(NamedTuple):
    """What is wrong with marks of a layer on a page."""

    page: int
    layer: str
    code: str
    message: str


def unruly(match: PageMatch, expected: ExpectedFile, title: str = "") -> Iterator[OddMark]:
    """GP805, GP806, GP814: what a sheet lacks of cut marks, ruler and slug, and what it has of
    lines and words that belong to none of them; `title` is that of the file."""
    if expected.rules is None:
        return
    layout, number = expected.rules.layout, match.read.number
    labels = expected.rules.labels
    if layout is Layout.LABELS and labels is None:
        layout = Layout.NUP  # a sheet that is one label is laid out as other paper
    if layout in (Layout.NUP, Layout.BOOKLET):
        for message in _odd_cuts(match, layout):
            yield OddMark(number, PdfLayer.CUT, "GP814", message)
    for message in (*_odd_circles(match), *_odd_dies(match, layout)):
        yield OddMark(number, PdfLayer.CUT, "GP814", message)
    for code, message in _odd_guides(match, expected, layout, title):
        yield OddMark(number, PdfLayer.GUIDES, code, message)
    for message in lost_ticks(match, expected):
        yield OddMark(number, "", "GP815", message)  # told beside what is told of the ruler


def _odd_guides(
    match: PageMatch, expected: ExpectedFile, layout: Layout, title: str
) -> Iterator[tuple[str, str]]:
    """The same of slug and ruler, by code."""
    for message in _odd_slug(match, expected, title):
        yield "GP806", message
    labels = expected.rules.labels if expected.rules else None
    if _is_tiled(match):
        figures = any(_FIGURES.match(words.words) for words in match.read.words)
        if not scales_of(match) and not figures and _is_wide(match):
            yield "GP805", "the ruler is missing"
        return
    for message in _odd_lines(match, _label_ticks(match, expected)):
        yield "GP805", message
    for scale in scales_of(match):
        over = next((p for p in match.expected.placements if _runs_over(_box(scale), p.art)), None)
        if over is not None:
            yield "GP805", f"the ruler lies over the {over}"
    if labels is None and not scales_of(match) and _has_strip(match, _RULER, ()):
        yield "GP805", "the ruler is missing"


def _odd_circles(match: PageMatch) -> Iterator[str]:
    """Die lines around round pieces that have corners, or points off the circle."""
    dies = [
        (bounds([point for _, points in path.steps for point in points[-1:]]), path.steps)
        for path in match.read.paths
        if path.layer == PdfLayer.CUT and len(path.steps) > 2
    ]
    for piece in match.expected.placements:
        if piece.shape is not Shape.CIRCLE or piece.poster is not None:
            continue
        middle, radius = piece.box.centre, piece.width / 2
        for box, steps in dies:
            ends = [points[-1] for _, points in steps if points]
            off = max(abs(distance(end, middle) - radius) for end in ends)
            cornered = any(name == "l" for name, _ in steps)
            if _is_same(box, piece.box) and (off > PLACE_TOLERANCE or cornered):
                yield f"the die line of the {piece} is no circle"


def _odd_dies(match: PageMatch, layout: Layout) -> Iterator[str]:
    """Die lines around no piece: beside one, or a second time. A net has windows within it."""
    pieces = match.expected.placements
    if layout in (Layout.NESTED, Layout.POSTER):
        return  # which cut several at once, or a part of one
    boxes = [piece.box for piece in pieces if piece.shape is not Shape.PATH]
    free = [piece.die for piece in pieces if piece.die is not None]
    for line in match.read.outlines:
        if (
            line.layer == PdfLayer.CUT
            and not any(_is_same(line.box, box) for box in boxes)
            and not any(die.contains(line.box, PLACE_TOLERANCE) for die in free)
        ):
            yield f"a die line that goes around no piece is drawn {_at(line.box)}"


class _Way(NamedTuple):
    """A direction out of a corner of a piece."""

    across: int
    down: int

    def from_(self, corner: Point, by: float) -> Point:
        """A point so far from a corner this way."""
        return corner.moved(self.across * by, self.down * by)


class _MarkPlace(NamedTuple):
    """Where a piece, by number, may have a mark: from a corner, this way, past the bleed; its art,
    and whether its marks are here."""

    piece: int
    corner: Point
    way: _Way
    bleed: float
    art: Rect
    shown: bool

    @property
    def lane(self) -> tuple[bool, int]:
        """Places whose marks are on one line, nearly."""
        level = self.way.across != 0
        return level, round(self.corner.y if level else self.corner.x)

    def is_of(self, line: LineStroke) -> bool:
        """True for a line that begins beside the corner, past the bleed, and goes on."""
        (across, down), corner = self.way, self.corner
        ends = []
        for x, y in ((line.start.x, line.start.y), (line.end.x, line.end.y)):
            right, below = x - corner.x, y - corner.y
            if abs(below if across else right) > PLACE_TOLERANCE:
                return False
            ends.append(right * across + below * down)
        return self.bleed - PLACE_TOLERANCE <= min(ends) <= self.bleed + _FARTHEST


def _mark_places(pieces: Sequence[tuple[Rect, Rect, bool]]) -> Iterator[_MarkPlace]:
    for number, (box, art, shown) in enumerate(pieces):
        for across, x in ((-1, box.x), (1, box.right)):
            for down, y in ((-1, box.y), (1, box.bottom)):
                for way in (_Way(across, 0), _Way(0, down)):
                    bleed = _bleed_beyond(box, art, way)
                    yield _MarkPlace(number, Point(x, y), way, bleed, art, shown)


def _by_lane(lines: Sequence[LineStroke]) -> dict[tuple[bool, int], list[LineStroke]]:
    """Level and upright lines by the lanes in which they may be marks."""
    found: dict[tuple[bool, int], list[LineStroke]] = defaultdict(list)
    for line in lines:
        level = abs(line.start.y - line.end.y) < abs(line.start.x - line.end.x)
        at = line.start.y if level else line.start.x
        for lane in {round(at - PLACE_TOLERANCE), round(at + PLACE_TOLERANCE)}:
            found[level, lane].append(line)
    return found


def _bleed_beyond(box: Rect, art: Rect, way: _Way) -> float:
    """mm of art past an edge of a trim."""
    if way.across:
        return box.x - art.x if way.across < 0 else art.right - box.right
    return box.y - art.y if way.down < 0 else art.bottom - box.bottom


class _CutBox(NamedTuple):
    """What is cut along four straight lines: its name, trim and art; whether its marks are here."""

    name: str
    trim: Rect
    art: Rect
    shown: bool


def _cropped(match: PageMatch, layout: Layout) -> list[_CutBox]:
    """What of a page is cut along marks: its pieces, of a booklet the two pages beside each other.
    Backs are cut as their fronts."""
    pieces = match.expected.placements
    if layout is Layout.BOOKLET:
        if len(pieces) != 2:
            return []
        trim, art = around([p.finished for p in pieces]), around([p.art for p in pieces])
        shown = match.expected.side is Side.FRONT
        return [_CutBox("booklet", trim, art, shown)]
    return [
        _CutBox(str(piece), piece.finished, piece.art, piece.side is Side.FRONT)
        for piece in pieces
        if piece.marked and piece.poster is None and piece.shape in _CROPPED
    ]


def _cuts(match: PageMatch) -> list[LineStroke]:
    """The lines to cut along that are no die lines."""
    dies = [line.box for line in match.read.outlines if line.layer == PdfLayer.CUT]
    round_ = [p.art for p in match.expected.placements if p.shape not in _CROPPED]
    return [
        line
        for line in match.read.strokes
        if line.layer == PdfLayer.CUT
        and not any(die.contains(_box(line), _OFF) for die in (*dies, *round_))
    ]


def _box(line: LineStroke) -> Rect:
    return bounds((line.start, line.end))


def _odd_cuts(match: PageMatch, layout: Layout) -> Iterator[str]:
    """Corners beside which there is room for a mark, and none; lines on the layer of cut marks that
    are none."""
    pieces = _cropped(match, layout)
    if not pieces:
        return
    sheet = _CutSheet(
        tuple((piece.trim, piece.art, piece.shown) for piece in pieces),
        tuple(_cuts(match)),
        tuple(placement.art for placement in match.expected.placements),
        tuple(_taken(match)),
        _area(match),
    )
    for number, message in _said_of_cuts(sheet):
        yield message.format(piece=pieces[number].name)


class _CutSheet(NamedTuple):
    """All that tells whether a sheet is cut along the right marks: trim and art of each piece, and
    whether its marks are here; the lines on the layer of cut marks; all art; what ruler and slug
    take; where the printer prints."""

    pieces: tuple[tuple[Rect, Rect, bool], ...]
    cuts: tuple[LineStroke, ...]
    arts: tuple[Rect, ...]
    taken: tuple[Rect, ...]
    area: Rect


@lru_cache(maxsize=4)  # most sheets of a file are the same, but for what their pieces show
def _said_of_cuts(sheet: _CutSheet) -> tuple[tuple[int, str], ...]:
    """The pieces, by number, that something is to be said of, and what."""
    return tuple(_odd_marks(sheet))


def _odd_marks(sheet: _CutSheet) -> Iterator[tuple[int, str]]:
    lanes, marks = _by_lane(sheet.cuts), set[int]()
    for place in _mark_places(sheet.pieces):
        found = [line for line in lanes.get(place.lane, ()) if place.is_of(line)]
        marks.update(map(id, found))
        if not found and place.shown and _has_room(sheet, place):
            side = "level" if place.way.across else "upright"
            at = f"({place.corner.x:.1f}, {place.corner.y:.1f}) mm"
            yield place.piece, f"the {side} cut mark of the {{piece}} at its corner {at} is missing"
    for line in sheet.cuts:
        box = _box(line)
        over = next((n for n, (_, art, _) in enumerate(sheet.pieces) if _runs_over(box, art)), None)
        if over is not None:
            yield over, f"a cut mark runs over the {{piece}}, along or across its edge, {_at(box)}"
        elif id(line) not in marks:
            yield 0, f"a line that is no cut mark of any piece is drawn {_at(box)}"


def _has_room(sheet: _CutSheet, place: _MarkPlace) -> bool:
    """Whether a mark surely has room: on the paper that is printed, clear of other art, of ruler
    and slug."""
    start = place.way.from_(place.corner, place.bleed)
    lane = bounds((start, place.way.from_(start, _ROOM)))
    near, far = lane.grown(_OFF), bounds((start, place.way.from_(start, 2 * _ROOM))).grown(_OFF)
    return (
        sheet.area.contains(lane)
        and not any(near.overlaps(box) for box in sheet.taken)
        and not any(other.overlaps(far) for other in sheet.arts if not place.art.contains(other))
    )


def _runs_over(box: Rect, art: Rect) -> bool:
    """Whether some of a line lies over art."""
    return box.grown(_OFF / 2).overlaps(art.grown(-_OFF))


def _at(box: Rect) -> str:
    return f"from ({box.x:.1f}, {box.y:.1f}) to ({box.right:.1f}, {box.bottom:.1f}) mm"


def _area(match: PageMatch) -> Rect:
    """Where the printer prints."""
    page = match.expected
    return Rect(0, 0, page.width, page.height).grown(-page.margin)


def has_room_beyond(match: PageMatch, end: Point, down: int) -> bool:
    """Whether an upright mark surely has room beyond a place, below or above it: where the printer
    prints, clear of ruler and slug."""
    lane = bounds((end, end.moved(0, down * _ROOM)))
    near = lane.grown(_OFF)
    return _area(match).contains(lane) and not any(near.overlaps(box) for box in _taken(match))


def _taken(match: PageMatch) -> list[Rect]:
    """What ruler and slug take, for which marks make room."""
    boxes = [_words_box(w) for w in match.read.words]
    boxes += [_box(scale).grown(_TICK) for scale in scales_of(match)]  # between its ticks, too
    layers = (PdfLayer.GUIDES, PdfLayer.REGISTRATION)
    boxes += [_box(line).grown(_BESIDE) for line in match.read.strokes if line.layer in layers]
    return boxes


def _words_box(words: DrawnWords) -> Rect:
    em = pt_to_mm(words.size_pt)
    length, x, y = len(words.words) * _CHARACTER * em, words.at.x, words.at.y
    if words.turn % 180 > 45:
        return Rect(x - em, y - length, 1.3 * em, length).grown(_BESIDE)
    return Rect(x, y - em, length, 1.3 * em).grown(_BESIDE)


def scales_of(match: PageMatch) -> list[LineStroke]:
    """The long lines of rulers."""
    return [
        line
        for line in match.read.strokes
        if line.layer == PdfLayer.GUIDES
        and any(abs(line.length - scale) <= _OFF for scale in _SCALES)
    ]


def _label_ticks(match: PageMatch, expected: ExpectedFile) -> Sequence[Rect]:
    """The ticks off the corners of a block of labels that are on the paper, for a printer whose ink
    lands beside its place."""
    labels, by = expected.rules and expected.rules.labels, expected.offsets[match.expected.side]
    paper = Rect(0, 0, match.expected.width, match.expected.height)
    ticks = _ticks_of(labels) if labels and not _is_tiled(match) else ()
    return [tick.moved(-by.x, -by.y) for tick in ticks if paper.contains(tick)]


def _ticks_of(sheet: LabelsEntry) -> Iterator[Rect]:
    (x, y), (width, height) = sheet.first_mm, sheet.label_mm
    right = x + (sheet.columns - 1) * sheet.pitch_mm[0] + width
    bottom = y + (sheet.rows - 1) * sheet.pitch_mm[1] + height
    for across, left in ((-1, x), (1, right)):
        for down, top in ((-1, y), (1, bottom)):
            for way in (_Way(across, 0), _Way(0, down)):
                yield bounds([way.from_(Point(left, top), mm) for mm in _LABEL_TICK])


def lost_ticks(match: PageMatch, expected: ExpectedFile) -> Iterator[str]:
    """The ticks of a sheet of labels that are not drawn, or not at their place."""
    lines = [_box(line) for line in match.read.strokes if line.layer == PdfLayer.GUIDES]
    ticks = _label_ticks(match, expected)
    lost = [tick for tick in ticks if not any(_is_same(line, tick) for line in lines)]
    if lost and len(lost) == len(ticks):
        yield "the ticks at the corners of the labels are missing"
        return
    for tick in lost:
        yield f"the tick at a corner of the labels, {_at(tick)}, is missing"


def _is_same(one: Rect, other: Rect) -> bool:
    return one.contains(other, PLACE_TOLERANCE) and other.contains(one, PLACE_TOLERANCE)


def _odd_lines(match: PageMatch, ticks: Sequence[Rect]) -> Iterator[str]:
    """Lines on the layer of the ruler that are neither one of its two scales nor a tick on one, nor
    of the `ticks` of labels."""
    scales = scales_of(match)
    for line in scales[2:]:
        yield f"a third scale is drawn {_at(_box(line))}"
    for line in match.read.strokes:
        if line.layer != PdfLayer.GUIDES or line in scales:
            continue
        is_tick = line.length <= _TICK and any(lies_on(line.start, scale) for scale in scales)
        if not is_tick and not any(_is_same(_box(line), tick) for tick in ticks):
            yield f"a line that belongs to no ruler is drawn {_at(_box(line))}"


def lies_on(point: Point, line: LineStroke) -> bool:
    """Whether a point is between the ends of a line, nearly on it."""
    along = distance(point, line.start) + distance(point, line.end)
    return along - line.length <= PLACE_TOLERANCE


def _odd_slug(match: PageMatch, expected: ExpectedFile, title: str) -> Iterator[str]:
    """What is wrong in the words of a sheet, of which there is one line beside the figures of the
    ruler; of a poster beside all that tells how to glue it."""
    shown = [words for words in match.read.words if words.layer == PdfLayer.GUIDES]
    shown = [words for words in shown if not _FIGURES.match(words.words)]
    slugs = [w.words for w in shown if any(map(_SHEET.match, w.words.split(_PART)))]
    is_tiled = _is_tiled(match)
    for words in shown:
        if words.words in slugs or not is_tiled:
            yield from _unreadable(words, match, expected)
        if words.words not in slugs and not is_tiled:
            yield f"‘{words.words}’ is printed, which belongs to no sheet"
    if not slugs:
        taken = [_box(scale).grown(_RULER[1]) for scale in scales_of(match)]
        if _is_wide(match) if is_tiled else _has_strip(match, _least_slug(match, expected), taken):
            yield "the slug, which says what sheet it is, is missing"
    for line in slugs[1:]:
        yield f"‘{line}’ is printed beside another slug"
    for line in slugs[:1]:
        yield from _misworded(line, match, expected, title)


def _is_poster(match: PageMatch) -> bool:
    return any(piece.poster is not None for piece in match.expected.placements)


def _is_tiled(match: PageMatch) -> bool:
    """Whether a page shows a part of a poster, with a foot that tells which, and what to glue."""
    posters = (piece.poster for piece in match.expected.placements)
    return any(poster is not None and poster.rows * poster.columns > 1 for poster in posters)


def _is_wide(match: PageMatch) -> bool:
    """Whether the foot of a poster's page surely holds ruler and slug."""
    return match.expected.width - 2 * match.expected.margin > _FOOT_WIDTH


def _least_slug(match: PageMatch, expected: ExpectedFile) -> tuple[float, float]:
    """mm that a page's slug takes at the least: its sheet, and what is told in any wording."""
    words = _sheet_words(match, expected)
    if expected.draft:
        words = f"{_DRAFT}{_PART}{words}"
    if expected.rules is not None and expected.rules.layout is Layout.NESTED:
        words += f"{_PART}waste 100 %"
    for piece in match.expected.placements[:1]:
        words += f"{_PART}{piece.component}, copy {piece.copy}" if piece.poster else ""
    return max(_SHORT_SLUG[0], len(words) * _CHARACTER * pt_to_mm(_SHORT_PT)), _SHORT_SLUG[1]


def _unreadable(words: DrawnWords, match: PageMatch, expected: ExpectedFile) -> Iterator[str]:
    """What keeps words from being read, for a printer whose ink lands beside its place."""
    by = expected.offsets[match.expected.side]
    if words.size_pt < _LEAST_SLUG:
        yield f"‘{words.words}’ is {words.size_pt:.1f} pt small: nobody can read it"
    over = next((p for p in match.expected.placements if _lies_over(words, p.art)), None)
    if over is not None:
        yield f"‘{words.words}’ lies over the {over}"
    if not any(abs((words.turn - way + 180) % 360 - 180) < 1 for way in (0, 270)):
        yield f"‘{words.words}’ is turned by {words.turn:.0f}°"
        return
    em = pt_to_mm(words.size_pt)
    length, x, y = len(words.words) * _NARROW * em, words.at.x, words.at.y
    upwards = words.turn % 360 > 180
    box = (
        Rect(x - em / 2, y - length, em / 2, length)
        if upwards
        else Rect(x, y - em / 2, length, em / 2)
    )
    page, drift = match.expected, max(abs(by.x), abs(by.y))
    paper = Rect(0, 0, page.width, page.height).grown(drift - min(_PAPER_EDGE, page.margin))
    if not paper.contains(box, _OFF) or _could_be_reached(box, match, drift, expected):
        yield f"‘{words.words}’ lies where no printer prints"
    if any(_box(scale).grown(_OFF).overlaps(box) for scale in scales_of(match)):
        yield f"‘{words.words}’ lies over the ruler"


def _could_be_reached(box: Rect, match: PageMatch, drift: float, expected: ExpectedFile) -> bool:
    """Whether words stand in the margin of a page that has room for them elsewhere, as is not known
    of a poster's; none of which pieces or ruler stand there, too, since GP812 tells of these."""
    area = _area(match).grown(drift)
    if area.contains(box, _OFF) or _is_tiled(match):
        return False
    ends = [Rect(end.x, end.y, 0, 0) for end in match.expected.ruler or ()]
    pieces = [placed.finished for placed in match.expected.placements]
    taken = [_box(scale).grown(_RULER[1]) for scale in scales_of(match)]
    return all(area.contains(other, _OFF) for other in (*ends, *pieces)) and _has_strip(
        match, _least_slug(match, expected), taken
    )


def _lies_over(words: DrawnWords, art: Rect) -> bool:
    """Whether the beginning of words, which is surely there, lies over art."""
    em = pt_to_mm(words.size_pt)
    x, y, upright = words.at.x, words.at.y, words.turn % 180 > 45
    box = Rect(x - em / 2, y - em, em / 2, em) if upright else Rect(x, y - em / 2, em, em / 2)
    return box.overlaps(art.grown(-_BESIDE))


def _misworded(line: str, match: PageMatch, expected: ExpectedFile, title: str) -> Iterator[str]:
    """Words of a slug that are not those of its file and sheet."""
    parts = line.split(_PART)
    stamped = parts[0] == _DRAFT
    parts = parts[stamped:]
    if stamped and not expected.draft:
        yield f"the slug says ‘{_DRAFT}’: no picture is known to be too coarse"
    elif expected.draft and not stamped:
        yield f"the slug does not say ‘{_DRAFT}’, and pictures may be too coarse (GP831)"
    at = next(index for index, part in enumerate(parts) if _SHEET.match(part))
    wanted = _sheet_words(match, expected)
    if match.expected.label and parts[at] != wanted:
        yield f"the slug says ‘{parts[at]}’ in the place of ‘{wanted}’"
    is_poster = _is_poster(match)
    is_short = at == 0 and (_NOTE.match(parts[-1]) or (is_poster and len(parts) == 2))
    if at + 1 < len(parts) and parts[-1] != _SCALING and not is_short:
        yield f"the slug ends with ‘{parts[-1]}’ in the place of ‘{_SCALING}’"
    version = f" {expected.version}"
    with_file = at >= 2 and not parts[at - 1].endswith(version)
    name = _PART.join(parts[: at - with_file])  # a title may have the sign that parts them
    if at >= 1 and expected.version and not name.endswith(version):
        yield f"the slug says ‘{name}’, the pack's version is {expected.version}"
    elif (
        name
        and name.removesuffix(version) != expected.pack  # where a font lacks letters of the title
        and not _is_begun(title, f"{name.removesuffix(version)}:")
    ):
        yield f"the slug says ‘{name}’, the title of the file is ‘{title}’"
    short, long = sorted((match.expected.width, match.expected.height))
    after = [part for part in parts[at + 1 :] if not _NOTE.match(part)]
    paper = "".join(after[_is_poster(match) :][:1])  # behind the name of a poster
    width, height = _PAPERS.get(paper, (short, long))
    if max(abs(width - short), abs(height - long)) > _PAPER_OFF:
        yield f"the slug says ‘{paper}’, the page is {short:g} × {long:g} mm"
    if with_file and expected.file and parts[at - 1] != expected.file:
        yield f"the slug says ‘{parts[at - 1]}’ in the place of ‘{expected.file}’"


def _sheet_words(match: PageMatch, expected: ExpectedFile) -> str:
    """What sheet a page is, as its slug has it."""
    number = match.expected.label.partition(" ")[0]
    count = max(
        (
            int(sheet)
            for page in expected.pages
            if (sheet := page.label.partition(" ")[0]).isdigit()
        ),
        default=0,
    )
    side = f", {match.expected.side}" if _has_side(match.expected.label) else ""
    return f"sheet {number} of {count}{side}"


def _has_side(label: str) -> bool:
    """Whether a page's label tells front or back; the name of a poster's page comes last."""
    return not {Side.FRONT, Side.BACK}.isdisjoint(label.split(" "))


def _is_begun(title: str, by: str) -> bool:
    """Whether a title, if there is one, begins so, but for what fonts lack and how they join."""
    whole, start = map(_legible, (title, by))
    return not whole or whole.startswith(start)


def _legible(text: str) -> str:
    """What of a text is read back whatever font it is in."""
    signs = unicodedata.normalize("NFKC", text)
    return "".join(sign for sign in signs if sign.isalnum() or sign == ":")


def _has_strip(match: PageMatch, size: tuple[float, float], taken: Sequence[Rect]) -> bool:
    """Whether something that reads along a line surely has room at an end or a side of a page."""
    area = _area(match)
    others = [piece.art.grown(_STRIP) for piece in match.expected.placements]
    others += [_box(s).grown(_STRIP) for s in match.read.strokes if s.layer != PdfLayer.CUT]
    others += taken
    places = [
        Rect(x, y, long, high)
        for long, high in (size, size[::-1])
        for x in (area.x, area.right - long)
        for y in (area.y, area.bottom - high)
    ]
    return any(
        area.contains(place) and not any(place.overlaps(other) for other in others)
        for place in places
    )
