"""Checks that pages lie by the rules of their layout: backs behind their fronts, folds, labels,
booklets and posters. It is long, since each way to lay out pages has rules of its own.

What imposition wrote is not believed here: where a fold must be follows from the stock, where a
label is from the sheet that is bought, which page of a booklet comes where from how paper is
folded, and what a page of a poster shows from its neighbours.

A sheet turned over (or folded) about its upright middle line brings (x, y) to (width - x, y), and
about its level one to (x, height - y); a face turned by t must be backed by one turned by -t, or
by 180° - t, to stand upright for who turns the card over sideways."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Final, NamedTuple

from msgspec import Struct
from msgspec.structs import replace
from pikepdf import Dictionary

from generator.diagnostics import Severity
from generator.geometry import (
    ORIGIN,
    Point,
    Rect,
    around,
    bounds,
)
from generator.model.catalogue import Edge, LabelSheet, Shape, Stock
from generator.model.face import PdfLayer, Side
from generator.model.manifest import LabelsEntry, PosterEntry
from generator.model.pack import Backs, Layout, uncopied
from generator.outlines import flattened
from generator.preflight.checking import (
    PLACE_TOLERANCE,
    Finding,
    Match,
    PageMatch,
    Subject,
    distance,
)
from generator.preflight.manifest_reader import Expected, ExpectedComponent, ExpectedFile
from generator.preflight.page_reader import DrawnPath, LineStroke
from generator.preflight.sheet_checks import OddMark

FRONT_FACE: Final = "front"
_TURN_TOLERANCE: Final = 0.5
_HINTS: Final = {
    "/DuplexFlipLongEdge": Backs.DUPLEX_LONG,
    "/DuplexFlipShortEdge": Backs.DUPLEX_SHORT,
}
_FOR_THE_PRINTER: Final = "build the pack again, for the way in which your printer turns the sheets"


_Misfit = tuple[Expected | None, str]
"""A face that is wrong, if it is one, and how."""


class _Mirror(Struct, frozen=True):
    """A line about which a sheet is turned over or folded: upright when `sideways`; `twice` is
    twice its distance from the left or upper edge, mm."""

    sideways: bool
    twice: float

    def point(self, p: Point) -> Point:
        """Where a point ends up."""
        return Point(self.twice - p.x, p.y) if self.sideways else Point(p.x, self.twice - p.y)

    def turn(self, degrees: float) -> float:
        """How a face must be turned to back one turned by so much."""
        return -degrees if self.sideways else 180 - degrees


class _LandedFace(Struct, frozen=True):
    """A face, the middle of where its ink lands, and its turn."""

    match: Match
    centre: Point

    @property
    def is_a_back(self) -> bool:
        """False for a face that is a front of its own, as the pages of a booklet are, whichever
        side of the paper it is on."""
        return self.match.expected.face != FRONT_FACE

    def holds(self, point: Point) -> bool:
        """True when the point lies in the face."""
        box = self.match.expected.box
        dx, dy = abs(point.x - self.centre.x), abs(point.y - self.centre.y)
        return dx < box.width / 2 and dy < box.height / 2


def registration(subject: Subject) -> Iterator[Finding]:
    """GP807: behind every front is its own back, and before every back its front."""
    if subject.expected is None:
        return
    backs = subject.expected.backs
    wishes = subject.pdf.Root.get("/ViewerPreferences", Dictionary())
    hinted = _HINTS.get(str(wishes.get("/Duplex", "")), Backs.NONE)
    if backs in _HINTS.values() and hinted is not backs:
        message = f"the file tells the printer {hinted}, but it is laid out for {backs}"
        yield subject.fault("GP807", message, _FOR_THE_PRINTER)
    if hinted is not Backs.NONE and all(p.side is Side.FRONT for p in subject.expected.pages):
        message = f"the file tells the printer {hinted}, but it has fronts only"
        yield subject.fault("GP807", message, _FOR_THE_PRINTER)
    for number, (placed, message) in _misturned(subject, hinted):
        yield subject.fault("GP807", message, _FOR_THE_PRINTER, number, placed)


def _misturned(subject: Subject, hinted: Backs) -> Iterator[tuple[int, _Misfit]]:
    """Which face is wrong, how, and the number of the page that it is on."""
    assert subject.expected is not None
    backed = _backed(subject)
    if subject.expected.backs is Backs.GUTTERFOLD:
        for page in subject.matched:
            fronts, backs = _pieces(page, Side.FRONT), _pieces(page, Side.BACK)
            for misfit in _folded(page, fronts, backs, backed):
                yield page.read.number, misfit
    elif hinted is not Backs.NONE:
        offsets = subject.expected.offsets
        for page, next_page in pairwise(subject.matched):
            if (page.expected.side, next_page.expected.side) == (Side.FRONT, Side.BACK):
                fronts = _pieces(page, Side.FRONT, offsets[Side.FRONT])
                backs = _pieces(next_page, Side.BACK, offsets[Side.BACK])
                for misfit in _compare(fronts, backs, _turned_over(page, hinted), backed):
                    placed, _ = misfit
                    of_front = placed is not None and placed.side is Side.FRONT
                    yield (page if of_front else next_page).read.number, misfit


def _pieces(page: PageMatch, side: Side, offset: Point = ORIGIN) -> list[_LandedFace]:
    """The faces of a side on a page, where a printer with this offset puts them."""
    return [
        _LandedFace(match, match.centre.moved(offset.x, offset.y))
        for match in page.matches
        if match.expected.side is side
    ]


def _backed(subject: Subject) -> set[tuple[str, str]]:
    """The components that have backs somewhere in the file: others may go without."""
    return {
        (placement.kind, placement.component)
        for page in subject.matched
        for placement in page.expected.placements
        if placement.side is Side.BACK and placement.face != FRONT_FACE
    }


def drift_room(subject: Subject) -> Iterator[Finding]:
    """GP813: bleed and safe zone are as wide as the printer drifts, where a piece is cut by marks
    that do not drift with it: those of the other side, or of labels that are cut already."""
    told: set[tuple[str, str]] = set()
    for page in subject.matched:
        drift = page.expected.tolerance
        for placed in page.expected.placements:
            loose = placed.side is Side.BACK or not placed.marked
            for what, width in (("bleed", placed.bleed), ("safe zone", placed.safe)):
                if not (loose and 0 < width < drift) or (placed.kind, what) in told:
                    continue
                if what == "bleed" and placed.edge is Edge.WHITE:
                    continue
                told.add((placed.kind, what))
                message = f"your drift is {drift:g} mm, the {what} of the {placed} {width:g} mm"
                fault = subject.fault("GP813", message, _WIDER, page.read.number, placed)
                yield replace(fault, severity=Severity.WARNING)


_WIDER: Final = "give its stock a wider one, or a back whose art may end anywhere"


def _turned_over(page: PageMatch, backs: Backs) -> _Mirror:
    """What a duplex printer does to a page when it turns on its long or on its short edge."""
    upright = page.read.height >= page.read.width
    sideways = upright == (backs is Backs.DUPLEX_LONG)
    return _Mirror(sideways, page.read.width if sideways else page.read.height)


def _folded(
    page: PageMatch,
    fronts: Sequence[_LandedFace],
    backs: Sequence[_LandedFace],
    backed: set[tuple[str, str]],
) -> Iterator[_Misfit]:
    """What is wrong with a page that is folded at the line drawn across it."""
    mirrors = list(dict.fromkeys(_fold_mirrors(page)))
    if not mirrors:
        if fronts and backs:
            yield None, "no fold line is drawn between the fronts and their backs"
        return
    yield from min((list(_compare(fronts, backs, m, backed)) for m in mirrors), key=len)


def _fold_mirrors(page: PageMatch) -> Iterator[_Mirror]:
    """The level and upright lines of the fold layer that cross more than half of the page."""
    for stroke in page.read.strokes:
        if stroke.layer != PdfLayer.FOLD:
            continue
        dx, dy = abs(stroke.start.x - stroke.end.x), abs(stroke.start.y - stroke.end.y)
        if dx < PLACE_TOLERANCE and dy > page.read.height / 2:
            yield _Mirror(True, stroke.start.x + stroke.end.x)
        elif dy < PLACE_TOLERANCE and dx > page.read.width / 2:
            yield _Mirror(False, stroke.start.y + stroke.end.y)


def _compare(
    fronts: Sequence[_LandedFace],
    backs: Sequence[_LandedFace],
    mirror: _Mirror,
    backed: set[tuple[str, str]],
) -> Iterator[_Misfit]:
    """What is wrong between fronts and the backs that the mirror brings behind them."""
    left = {back.match.expected.piece: back for back in backs if back.is_a_back}
    for front in fronts:
        place = mirror.point(front.centre)
        back = left.pop(front.match.expected.piece, None)
        behind = next((other for other in backs if other.holds(place)), None)
        if back is not None:
            yield from _off(front, back, place, mirror)
        elif behind is not None and behind.is_a_back:
            message = f"behind the {front.match.expected} lies the {behind.match.expected}"
            yield behind.match.expected, message
        elif behind is not None:
            yield from _off(front, behind, place, mirror)
        elif front.match.expected.piece[:2] in backed:
            yield front.match.expected, f"the {front.match.expected} has no back behind it"
    for back in left.values():
        yield back.match.expected, f"the {back.match.expected} has no front before it"


def _off(front: _LandedFace, back: _LandedFace, place: Point, mirror: _Mirror) -> Iterator[_Misfit]:
    """How far a back is from behind its front, and turned against it."""
    right, down = back.centre.x - place.x, back.centre.y - place.y
    name = back.match.expected
    if max(abs(right), abs(down)) > PLACE_TOLERANCE:
        off = f"{right:+.2f} mm to the right and {down:+.2f} mm down of its front"
        yield name, f"the {name} is {off}"
    turn = (back.match.rotation - mirror.turn(front.match.rotation) + 180) % 360 - 180
    if abs(turn) > _TURN_TOLERANCE:
        yield name, f"the {name} is turned by {turn:.0f}° against its front"


_AGAIN: Final = "build the pack again; if it says the same, tell who makes Gridpress"
_CODE: Final = "GP815"
_BEYOND: Final = 25.0
"""mm from a piece within which the ends of its folds are shown."""
_TICK: Final = 8.0
"""mm beside a piece in which the end of a fold certainly has room."""
_OTHERWISE: Final = "build the pack again: what it is made of, or its manifest, was changed"
_SAME: Final = 0.01
_OFF_OUTLINE: Final = 0.1
"""mm by which corners of a curve that was made straight may be apart."""
_BITE: Final = 2.0
"""mm that are cut off the page that goes on top; a third of a narrow overlap."""
_BOUGHT: Final = "label_sheets.yaml, by which the sheet is bought"
_LEAST_NAME: Final = 8.0
"""pt of a page's name."""
_CELL, _DARK = 1.0, 0.4
"""mm of the line that is a page on the map of all, at least, and its grey at most."""
_MAP_TOLERANCE: Final = 0.1
_OUTER_GAP: Final = 1.0
"""mm from a poster's own edge to its cut marks."""
_MARK_ROOM, _FOOT_HEIGHT = 2.5, 14.0
"""mm in which there is room for a cut mark, and which the foot of a page takes."""
_PLACE_IN_FILE: Final = re.compile(r"^(.*?):([0-9]{1,9})(?::[0-9]+)?$")
_ON_TOP: Final = re.compile(r"^([A-Z]+[0-9]+) goes on top here$")


def folds(subject: Subject) -> Iterator[Finding]:
    """Folds are drawn where pieces of a stock are folded, at the spine of a booklet or across the
    middle of a sheet, and nowhere else."""
    known = subject.expected is not None and subject.expected.rules is not None
    for match in subject.matched if known else ():
        drawn = [stroke for stroke in match.read.strokes if stroke.layer == PdfLayer.FOLD]
        lines = list(_fold_lines(subject, match))
        number = match.read.number
        for stroke in drawn:
            if _is_straight(stroke) and not any(_is_along(stroke, line.box) for line in lines):
                x, y = (stroke.start.x + stroke.end.x) / 2, (stroke.start.y + stroke.end.y) / 2
                message = f"a fold is drawn about ({x:.1f}, {y:.1f}) mm, where nothing is folded"
                yield subject.fault(_CODE, message, _AGAIN, number)
        for line in lines:
            if line.shown and not any(_is_along(stroke, line.box) for stroke in drawn):
                whose = f"a fold of the {line.piece}" if line.piece else "the fold of the sheet"
                yield subject.fault(_CODE, f"{whose} is not shown", _AGAIN, number, line.piece)


class _FoldPlace(NamedTuple):
    """A place at which paper is folded, a box without width or height on the page; the piece; and
    whether it must be shown."""

    box: Rect
    piece: Expected | None
    shown: bool


def _fold_lines(subject: Subject, match: PageMatch) -> Iterator[_FoldPlace]:
    assert subject.expected is not None
    page, rules = match.expected, subject.expected.rules
    by = subject.expected.offsets[page.side]
    across, down = page.width / 2 - by.x, page.height / 2 - by.y
    is_booklet = rules is not None and rules.layout is Layout.BOOKLET
    for placed in page.placements:
        if placed.poster is None or placed.poster.rows * placed.poster.columns == 1:
            for fold in placed.folds:
                box = placed.on_page(fold)
                is_front = placed.side is Side.FRONT and placed.marked and not is_booklet
                yield _FoldPlace(box, placed, is_front and _has_room(match, placed, box))
    if is_booklet:
        yield _FoldPlace(Rect(across, 0, 0, page.height), None, page.side is Side.FRONT)
    if subject.expected.backs is Backs.GUTTERFOLD:
        backed = {placed.side for placed in page.placements} == set(Side)
        upright, level = Rect(across, 0, 0, page.height), Rect(0, down, page.width, 0)
        strokes = [stroke for stroke in match.read.strokes if stroke.layer == PdfLayer.FOLD]
        across_it = [s for s in strokes if s.length > min(page.width, page.height) / 2]
        drawn = (fold for fold in (upright, level) if any(_is_along(s, fold) for s in across_it))
        yield _FoldPlace(next(drawn, level), None, backed)


def _has_room(match: PageMatch, placed: Expected, fold: Rect) -> bool:
    """Whether the end of a fold can be shown beside its piece: towards the end of the paper, with
    no other piece between. One that ends within the piece is drawn on it."""
    page, box = match.expected, placed.box
    level = fold.width > 0
    start, end = (fold.x, fold.right) if level else (fold.y, fold.bottom)
    first, last = (box.x, box.right) if level else (box.y, box.bottom)
    if start > first + PLACE_TOLERANCE or end < last - PLACE_TOLERANCE:
        return True
    at = fold.y if level else fold.x
    others = [
        (art.x, art.right) if level else (art.y, art.bottom)
        for art in (other.art for other in page.placements if other is not placed)
        if (art.y < at < art.bottom if level else art.x < at < art.right)
    ]
    size = page.width if level else page.height
    room = placed.bleed + _TICK + page.margin
    before = first > room and not any(end_ <= first for _, end_ in others)
    after = size - last > room and not any(start_ >= last for start_, _ in others)
    return before or after


def _is_straight(stroke: LineStroke) -> bool:
    dx, dy = abs(stroke.start.x - stroke.end.x), abs(stroke.start.y - stroke.end.y)
    return min(dx, dy) < PLACE_TOLERANCE


def _is_along(stroke: LineStroke, fold: Rect) -> bool:
    """True for a line that goes on a fold, or on from it."""
    line = bounds((stroke.start, stroke.end))
    beyond = _BEYOND if fold.width else 0.0, _BEYOND if fold.height else 0.0
    room = Rect(
        fold.x - beyond[0],
        fold.y - beyond[1],
        fold.width + 2 * beyond[0],
        fold.height + 2 * beyond[1],
    )
    return room.contains(line, PLACE_TOLERANCE)


def copies(subject: Subject) -> Iterator[Finding]:
    """All copies of a piece are cut and folded alike."""
    first: dict[tuple[str, str, str], Expected] = {}
    for match in subject.matched:
        for placed in match.expected.placements:
            one = first.setdefault((*placed.piece[:2], placed.face), placed)
            if placed.poster is None and (what := _unlike(placed, one)):
                message = f"the {placed} has {what} than copy {one.copy} of it"
                yield subject.fault(_CODE, message, _AGAIN, match.read.number, placed)


def as_defined(subject: Subject) -> Iterator[Finding]:
    """Pieces have the size, shape and free outline of their stock, and the pages of posters repeat
    as much as the pack has it, if its definitions are at hand."""
    expected, told = subject.expected, set[str]()
    if expected is None:
        return
    repeated = expected.rules and expected.rules.overlap_mm
    if expected.overlap is not None and repeated and abs(repeated - expected.overlap) > _SAME:
        message = f"pages repeat {repeated:g} mm of each other, pack.yaml has {expected.overlap:g}"
        yield subject.fault(_CODE, message, _OTHERWISE)
    for match in subject.matched:
        for placed in match.expected.placements:
            stock = expected.stocks.get(placed.kind)
            what = _unlike_stock(placed, stock) if stock and placed.kind not in told else ""
            if stock and what:
                told.add(placed.kind)
                message = f"the {placed} has another {what} than its stock, {stock.name}"
                yield subject.fault(_CODE, message, _OTHERWISE, match.read.number, placed)


def _unlike_stock(placed: Expected, stock: Stock) -> str:
    """In what a piece is not its stock."""
    sides, known = (placed.width, placed.height), (stock.trim.width, stock.trim.height)
    if not _near(sides[::-1] if placed.rotation % 180 else sides, known):
        return "size"
    if placed.shape is not stock.shape:
        return "shape"
    if placed.shape is Shape.PATH and placed.side is Side.FRONT and placed.contour:
        here = [placed.upright(Rect(p.x, p.y, 0, 0)) for p in placed.contour]
        corners = [Point(place.x, place.y) for place in here]
        if any(_farther(corner, corners) for corner in flattened(stock.path)):
            return "outline"
    return ""


def _farther(corner: Point, others: Sequence[Point]) -> bool:
    return min(distance(corner, other) for other in others) > _OFF_OUTLINE


def _unlike(one: Expected, other: Expected) -> str:
    """In what two copies of a face are not cut alike."""
    sizes = (
        (placed.height, placed.width) if placed.rotation % 180 else (placed.width, placed.height)
        for placed in (one, other)
    )
    if one.shape is not other.shape or not _near(*sizes):
        return "another size or shape"
    if abs(one.bleed - other.bleed) > PLACE_TOLERANCE:
        return "another bleed"
    if one.folds_mm != other.folds_mm:
        return "other folds"
    if one.side is Side.FRONT and one.contour and other.contour:
        ways = ([each.upright(Rect(p.x, p.y, 0, 0)) for p in each.contour] for each in (one, other))
        if not _near(*([v for place in way for v in (place.x, place.y)] for way in ways)):
            return "another outline"
    return ""


def _near(one: Sequence[float], other: Sequence[float]) -> bool:
    return len(one) == len(other) and all(
        abs(a - b) <= PLACE_TOLERANCE for a, b in zip(one, other, strict=True)
    )


class _SeenLabel(NamedTuple):
    """A label with its pieces: the number of its page, and how far these are from its corner."""

    page: int
    box: Rect
    pieces: Sequence[Expected]
    places: Sequence[Rect]


def bought_labels(subject: Subject) -> Iterator[Finding]:
    """Labels are where they are on the sheet that is bought, if the pack's project knows that."""
    expected = subject.expected
    labels = expected.rules.labels if expected and expected.rules else None
    bought = expected.bought if expected else None
    if labels and bought and not _is_bought(labels, bought):
        message = f"the manifest has other places for the labels of {bought.name} than {_BOUGHT}"
        yield subject.fault(_CODE, message, _AGAIN)


def on_labels(subject: Subject) -> Iterator[Finding]:
    """Each piece lies within a label of the sheet that it is printed for; those of one stock on
    each label alike, and where they fill several in the middle of it."""
    rules = subject.expected.rules if subject.expected else None
    if rules is None or rules.labels is None:
        return
    stocks: dict[tuple[object, ...], list[_SeenLabel]] = defaultdict(list)
    for match in subject.matched:
        there: dict[Rect, list[Expected]] = defaultdict(list)
        for placed in match.expected.placements:
            below = _label_below(rules.labels, _landed(subject, match, placed))
            if below is None:
                message = f"the {placed} does not lie within a label of {rules.labels.sheet}"
                yield subject.fault(_CODE, message, _AGAIN, match.read.number, placed)
            else:
                there[below].append(placed)
        for box, pieces in there.items():
            places = [_landed(subject, match, piece).moved(-box.x, -box.y) for piece in pieces]
            stock = (pieces[0].shape, *sorted((pieces[0].width, pieces[0].height)))
            stocks[stock].append(_SeenLabel(match.read.number, box, pieces, places))
    for labels in stocks.values():
        full = max(labels, key=lambda label: len(label.places))
        middle, centre = around(full.places).centre, Point(full.box.width / 2, full.box.height / 2)
        for label in labels:
            pairs = [*zip(label.places, full.places, strict=False)]
            if label is full and len(labels) > 1:
                off = max(abs(middle.x - centre.x), abs(middle.y - centre.y))
            else:
                off = max(max(abs(a.x - b.x), abs(a.y - b.y)) for a, b in pairs)
            if off > PLACE_TOLERANCE:
                message = f"the {label.pieces[0]} lies {off:.2f} mm beside its place on its label"
                yield subject.fault(_CODE, message, _AGAIN, label.page, label.pieces[0])


def _is_bought(told: LabelsEntry, sheet: LabelSheet) -> bool:
    """Whether labels are where they are on a sheet, but for figures that are rounded."""
    pairs = (
        (told.first_mm, (sheet.first.x, sheet.first.y)),
        (told.pitch_mm, (sheet.pitch.width, sheet.pitch.height)),
        (told.label_mm, (sheet.label.width, sheet.label.height)),
    )
    off = max(abs(a - b) for one, other in pairs for a, b in zip(one, other, strict=True))
    return (told.columns, told.rows) == (sheet.columns, sheet.rows) and off < PLACE_TOLERANCE / 2


def _landed(subject: Subject, match: PageMatch, placed: Expected) -> Rect:
    """Where a piece lies on the paper, for the printer that the file is made for."""
    assert subject.expected is not None
    by = subject.expected.offsets[match.expected.side]
    return placed.box.moved(by.x, by.y)


def _label_below(sheet: LabelsEntry, box: Rect) -> Rect | None:
    """The label that a piece lies on, all of it."""
    (x, y), (right, down), (width, height) = sheet.first_mm, sheet.pitch_mm, sheet.label_mm
    for row in range(sheet.rows):
        for column in range(sheet.columns):
            label = Rect(x + column * right, y + row * down, width, height)
            if label.contains(box, PLACE_TOLERANCE):
                return label
    return None


def booklets(subject: Subject) -> Iterator[Finding]:
    """The pages of a booklet follow each other as its pieces do, once it is folded and stapled;
    those that are blank are its last."""
    rules = subject.expected.rules if subject.expected else None
    if subject.expected is None or rules is None or rules.layout is not Layout.BOOKLET:
        return
    order = _in_order_of_files(subject.expected.components)
    for copy, sheets in _booklets(subject.matched).items():
        count, pages = 4 * len(sheets), dict[int, tuple[PageMatch, Expected]]()
        for sheet, sides in enumerate(sheets):
            halves = ((count - 1 - 2 * sheet, 2 * sheet), (2 * sheet + 1, count - 2 - 2 * sheet))
            for match, places in zip(sides, halves, strict=False):
                for placed in match.expected.placements:
                    right = _is_right(subject, match, placed)
                    if places[right] in pages:
                        message = f"the {placed} lies on another page of its booklet"
                        yield subject.fault(_CODE, message, _AGAIN, match.read.number, placed)
                    pages[places[right]] = match, placed
        before: Expected | None = None
        for number in range(max(pages, default=-1) + 1):
            if number not in pages:
                message = f"page {number + 1} of booklet {copy} is blank, and others come after it"
                yield subject.fault(_CODE, message, _AGAIN)
                continue
            match, placed = pages[number]
            if (
                before
                and before.kind == placed.kind
                and order.get(placed.piece[:2], 0) <= order.get(before.piece[:2], 0)
            ):
                message = f"the {placed} comes after the {before} when the booklet is folded"
                yield subject.fault(_CODE, message, _AGAIN, match.read.number, placed)
            before = placed


def _in_order_of_files(
    components: Mapping[tuple[str, str], ExpectedComponent],
) -> Mapping[tuple[str, str], int]:
    """Numbers of components as their files have them: of one file those of upper lines come first,
    whatever the order in the manifest."""
    files: dict[str, int] = {}
    keys: dict[tuple[str, str], tuple[int, int, int]] = {}
    for piece, component in components.items():
        found = _PLACE_IN_FILE.match(component.source)
        file, line = (found[1], int(found[2])) if found else (component.source, 0)
        of_set = piece[1].removeprefix(uncopied(piece[1]))[1:]  # sets come one after the other
        number = int(of_set) if of_set.isdecimal() else 1
        keys[piece] = number, files.setdefault(file, len(files)), line
    return {piece: number for number, piece in enumerate(sorted(keys, key=keys.__getitem__))}


def _booklets(pages: Sequence[PageMatch]) -> Mapping[int, Sequence[Sequence[PageMatch]]]:
    """The sheets of each copy of a booklet, the outermost first: their fronts and backs."""
    found: dict[int, list[list[PageMatch]]] = defaultdict(list)
    copy = 0
    for match in pages:
        copy = match.expected.placements[0].copy if match.expected.placements else copy
        if match.expected.side is Side.FRONT or not found[copy]:
            found[copy].append([])
        found[copy][-1].append(match)
    return found


def _is_right(subject: Subject, match: PageMatch, placed: Expected) -> bool:
    """Whether a page is the right one of its spread, for one who reads it."""
    x = _landed(subject, match, placed).centre.x
    return (x > match.expected.width / 2) != (placed.rotation == 180)


def posters(subject: Subject) -> Iterator[Finding]:
    """The pages of a poster have the names of their places, meet at the seams, show all of it, and
    repeat as much of each other as there is glue on."""
    found: dict[tuple[str, str, int], dict[tuple[int, int], PageMatch]] = defaultdict(dict)
    for match in subject.matched:
        for placed in match.expected.placements:
            if placed.poster and placed.poster.rows * placed.poster.columns > 1:
                found[placed.piece][placed.poster.row, placed.poster.column] = match
                for message in _misnamed(match, placed):
                    yield subject.fault(_CODE, message, _AGAIN, match.read.number, placed)
    rules = subject.expected.rules if subject.expected else None
    for piece, pages in found.items():
        for place, match in pages.items():
            placed = _piece_on(match, piece)
            for way in _WAYS:
                beyond = pages.get((place[0] + way.down, place[1] + way.across))
                after = _piece_on(beyond, piece) if beyond else None
                for message in _misfits(placed, after, way, rules.overlap_mm if rules else None):
                    yield subject.fault(_CODE, message, _AGAIN, match.read.number, placed)


def _piece_on(match: PageMatch, piece: tuple[str, str, int]) -> Expected:
    return next(placed for placed in match.expected.placements if placed.piece == piece)


class _ToNextPage(NamedTuple):
    """From one page of a poster to the next."""

    across: int
    down: int

    def ends(self, box: Rect) -> tuple[float, float]:
        """Where a box begins and ends this way."""
        return (box.x, box.right) if self.across else (box.y, box.bottom)


_WAYS: Final = (_ToNextPage(1, 0), _ToNextPage(0, 1))


def _misfits(
    one: Expected, after: Expected | None, way: _ToNextPage, overlap: float | None
) -> Iterator[str]:
    """How a page of a poster and the next do not go together, or the first or last is too short."""
    (start, end), (first, last) = way.ends(_in_trim(one, one.box)), way.ends(_shown(one))
    page = one.poster
    assert page is not None
    number, count = (page.column, page.columns) if way.across else (page.row, page.rows)
    if number == 1 and first > start + PLACE_TOLERANCE:
        yield f"the {one}: the first page begins {first - start:.2f} mm inside of it"
    if number == count and last < end - PLACE_TOLERANCE:
        yield f"the {one}: the last page ends {end - last:.2f} mm inside of it"
    if after is None:
        return
    seam, next_seam = last, way.ends(_shown(after))[0]
    if abs(seam - next_seam) > PLACE_TOLERANCE:
        yield f"the {one}: two pages leave {next_seam - seam:+.2f} mm between them"
    art, next_art = (way.ends(_in_trim(page, page.art)) for page in (one, after))
    shared = art[1] - next_art[0]
    if overlap is None:
        return
    if abs(shared - overlap) > PLACE_TOLERANCE:
        yield f"the {one}: two pages repeat {shared:.2f} mm of each other, not {overlap:g} mm"
    elif next_seam - next_art[0] < min(_BITE, overlap / 3) - PLACE_TOLERANCE:
        yield f"the {one}: of the page on top too little is cut off"


def _in_trim(placed: Expected, box: Rect) -> Rect:
    """A box on the page from the corner of the face that a page shows a part of."""
    return box.moved(-placed.x, -placed.y)


def _shown(placed: Expected) -> Rect:
    assert placed.poster is not None
    return _in_trim(placed, placed.poster.shown)


def _misnamed(match: PageMatch, placed: Expected) -> Iterator[str]:
    """What is wrong with the name of a page, and with those on the strips that others cover."""
    page = placed.poster
    assert page is not None
    name = _name(page.row, page.column)
    words = {line.words.strip(): line for line in match.read.words}
    if name not in words or not match.expected.label.endswith(name):
        place = f"row {page.row}, column {page.column}"
        yield f"the page of the {placed} in {place} is not named {name}"
    for text, line in words.items():
        told = _ON_TOP.match(text)
        if told:
            upright = line.turn % 180 > 45
            beside = _name(page.row + (not upright), page.column + upright)
            if told[1] != beside:
                yield f"{told[1]} is to be glued on top of {name}, where {beside} comes"


def odd_poster(match: PageMatch, expected: ExpectedFile) -> Iterator[OddMark]:
    """GP814, GP815: what a page of a poster lacks of its cut marks and diamonds, and what it tells
    wrongly of how to glue it, whatever the manifest says of its marks."""
    number, overlap = match.read.number, expected.rules and expected.rules.overlap_mm
    for placed in match.expected.placements:
        if placed.poster is None or placed.poster.rows * placed.poster.columns == 1:
            continue
        for message in _lost_cuts(match, placed):
            yield OddMark(number, PdfLayer.CUT, "GP814", message)
        lost = [*_lost_diamonds(match, placed, overlap)] if overlap else []
        for message in (*lost, *_misplaced(match, placed)):
            yield OddMark(number, PdfLayer.GUIDES, _CODE, message)


def _misplaced(match: PageMatch, placed: Expected) -> Iterator[str]:
    """Words on strips that are on none, a name that is too small, and a map of the pages on which
    another is dark."""
    page = placed.poster
    assert page is not None
    shown, art, name = page.shown, placed.art, _name(page.row, page.column)
    for line in match.read.words:
        if _ON_TOP.match(line.words.strip()):
            upright, (x, y) = line.turn % 180 > 45, (line.at.x, line.at.y)
            beside = shown.right < x < art.right if upright else shown.bottom < y < art.bottom
            if not beside:
                yield f"‘{line.words.strip()}’ is not on the strip that will be covered"
        elif line.words.strip() == name and line.size_pt < _LEAST_NAME:
            yield f"the name of the page, {name}, is {line.size_pt:.1f} pt small"
    yield from _misdirected(match, page)


def _misdirected(match: PageMatch, page: PosterEntry) -> Iterator[str]:
    """A map of the pages of a poster on which another is dark."""
    level = [s for s in match.read.strokes if s.layer == PdfLayer.GUIDES and _is_level(s)]
    for cell in filter(_is_dark_cell, match.read.paths):
        start, end = (points[0] for _, points in cell.steps)
        wide = distance(start, end)
        grid = [
            line
            for line in level
            if abs(line.length - page.columns * wide) < _MAP_TOLERANCE
            and abs(line.start.y - start.y) < (page.rows + 1) * cell.pen.width
            and line.start.x - _MAP_TOLERANCE < start.x < line.end.x
            and line.start != start  # of one column the dark cell is as long
        ]
        if len(grid) != page.rows + 1:
            yield "the map of the pages has more of them, or fewer, than the poster"
            continue
        column = round((start.x - grid[0].start.x) / wide) + 1
        row = sum(line.start.y < start.y for line in grid)
        if (row, column) != (page.row, page.column):
            here = _name(page.row, page.column)
            yield f"on the map of the pages {_name(row, column)} is dark, and this is {here}"


def _is_dark_cell(path: DrawnPath) -> bool:
    return len(path.steps) == 2 and path.pen.width > _CELL and max(path.pen.colour) < _DARK


def _is_level(stroke: LineStroke) -> bool:
    return abs(stroke.start.y - stroke.end.y) < PLACE_TOLERANCE


class _Corner(NamedTuple):
    """A corner of what a page of a poster shows in the end: which way is out, and whether another
    page comes beside it, and over or under it."""

    at: Point
    out: tuple[int, int]
    beside: bool
    over: bool


def _corners(placed: Expected) -> Iterator[_Corner]:
    page, box = placed.poster, placed.finished
    assert page is not None
    for dx, x in ((-1, box.x), (1, box.right)):
        for dy, y in ((-1, box.y), (1, box.bottom)):
            beside = page.column > 1 if dx < 0 else page.column < page.columns
            over = page.row > 1 if dy < 0 else page.row < page.rows
            yield _Corner(Point(x, y), (dx, dy), beside, over)


def _lost_diamonds(match: PageMatch, placed: Expected, overlap: float) -> Iterator[str]:
    """Corners at seams that have no diamond, by which the next page is laid: its side farthest from
    the corner."""
    size, drawn = min(_BITE, overlap / 3), match.read.strokes
    for corner in _corners(placed):
        (x, y), (dx, dy) = (corner.at.x, corner.at.y), corner.out
        tips = Point(x + dx * size, y), Point(x, y + dy * size)
        if (corner.beside or corner.over) and not any(
            max(map(distance, (line.start, line.end), ends)) <= PLACE_TOLERANCE
            for line in drawn
            if line.layer == PdfLayer.GUIDES
            for ends in (tips, tips[::-1])
        ):
            yield f"the {placed}: no diamond is drawn at its corner ({x:.1f}, {y:.1f}) mm"


def _lost_cuts(match: PageMatch, placed: Expected) -> Iterator[str]:
    """Corners with room for cut marks that have none; lines that are none of these."""
    straight, lost = placed.shape in (Shape.RECTANGLE, Shape.ROUNDED), False
    cuts, marks = [s for s in match.read.strokes if s.layer == PdfLayer.CUT], set[int]()
    area = Rect(0, 0, match.expected.width, match.expected.height).grown(-match.expected.margin)
    area = Rect(area.x, area.y, area.width, area.height - _FOOT_HEIGHT)
    for corner in _corners(placed):
        for out, seam, other in (
            (Point(0, corner.out[1]), corner.beside, corner.over),
            (Point(corner.out[0], 0), corner.over, corner.beside),
        ):
            gap = 0.0 if other else _OUTER_GAP
            start = corner.at.moved(out.x * gap, out.y * gap)
            end = start.moved(out.x * _MARK_ROOM, out.y * _MARK_ROOM)
            found = [line for line in cuts if _is_mark_from(line, start, end)]
            marks.update(map(id, found))
            if (seam or straight) and not found and area.contains(bounds((start, end))):
                at = f"({corner.at.x:.1f}, {corner.at.y:.1f}) mm"
                side, lost = "level" if out.x else "upright", True
                yield f"the {placed}: the {side} cut mark at its corner {at} is missing"
    for line in cuts if straight and not lost else ():
        if id(line) not in marks:
            yield (
                f"the {placed}: a line that is no cut mark is drawn from"
                f" ({line.start.x:.1f}, {line.start.y:.1f}) mm"
            )


def _is_mark_from(line: LineStroke, start: Point, end: Point) -> bool:
    """Whether a line begins at a place and goes on towards another."""
    level = abs(start.y - end.y) < PLACE_TOLERANCE
    way = line.end.x - line.start.x if level else line.end.y - line.start.y
    off = line.end.y - line.start.y if level else line.end.x - line.start.x
    wanted = end.x - start.x if level else end.y - start.y
    near = distance(line.start, start) <= PLACE_TOLERANCE
    return near and abs(off) <= PLACE_TOLERANCE and way * wanted > 0


def _name(row: int, column: int) -> str:
    """A letter for the row, AA after Z, and a number for the column, both counted from 1."""
    letters = ""
    while row:
        row, letter = divmod(row - 1, 26)
        letters = chr(ord("A") + letter) + letters
    return f"{letters}{column}"
