"""Checks that pages lie by the rules of their layout: backs behind their fronts, folds, labels and
booklets.

What imposition wrote is not believed here: where a fold must be follows from the stock, where a
label is from the sheet that is bought, and which page of a booklet comes where from how paper is
folded.

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
from generator.geometry import ORIGIN, Point, Rect, around, bounds
from generator.model.catalogue import Edge, LabelSheet
from generator.model.face import PdfLayer, Side
from generator.model.manifest import LabelsEntry
from generator.model.pack import Backs, Layout, uncopied
from generator.preflight.checking import (
    AGAIN,
    PLACE_TOLERANCE,
    Finding,
    Match,
    PageMatch,
    Subject,
)
from generator.preflight.manifest_reader import Expected, ExpectedComponent
from generator.preflight.mark_checks import has_room_beyond
from generator.preflight.page_reader import LineStroke

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


_CODE: Final = "GP815"
_BEYOND: Final = 25.0
"""mm from a piece within which the ends of its folds are shown."""
_TICK: Final = 8.0
"""mm beside a piece in which the end of a fold certainly has room."""
_BOUGHT: Final = "label_sheets.yaml, by which the sheet is bought"
_PLACE_IN_FILE: Final = re.compile(r"^(.*?):([0-9]{1,9})(?::[0-9]+)?$")


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
                yield subject.fault(_CODE, message, AGAIN, number)
        for line in lines:
            if line.shown and not any(_is_along(stroke, line.box) for stroke in drawn):
                whose = f"a fold of the {line.piece}" if line.piece else "the fold of the sheet"
                yield subject.fault(_CODE, f"{whose} is not shown", AGAIN, number, line.piece)


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
        shown = page.side is Side.FRONT and _ends_in_sight(match, across)
        yield _FoldPlace(Rect(across, 0, 0, page.height), None, shown)
    if subject.expected.backs is Backs.GUTTERFOLD:
        backed = {placed.side for placed in page.placements} == set(Side)
        upright, level = Rect(across, 0, 0, page.height), Rect(0, down, page.width, 0)
        strokes = [stroke for stroke in match.read.strokes if stroke.layer == PdfLayer.FOLD]
        across_it = [s for s in strokes if s.length > min(page.width, page.height) / 2]
        drawn = (fold for fold in (upright, level) if any(_is_along(s, fold) for s in across_it))
        yield _FoldPlace(next(drawn, level), None, backed)


def _ends_in_sight(match: PageMatch, across: float) -> bool:
    """Whether the fold of a booklet's sheet surely has room above or below its pages."""
    if not match.expected.placements:
        return False
    art = around([placed.art for placed in match.expected.placements])
    ends = ((art.y, -1), (art.bottom, 1))
    return any(has_room_beyond(match, Point(across, y), down) for y, down in ends)


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
        yield subject.fault(_CODE, message, AGAIN)


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
                yield subject.fault(_CODE, message, AGAIN, match.read.number, placed)
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
                yield subject.fault(_CODE, message, AGAIN, label.page, label.pieces[0])


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
                        yield subject.fault(_CODE, message, AGAIN, match.read.number, placed)
                    pages[places[right]] = match, placed
        before: Expected | None = None
        for number in range(max(pages, default=-1) + 1):
            if number not in pages:
                message = f"page {number + 1} of booklet {copy} is blank, and others come after it"
                yield subject.fault(_CODE, message, AGAIN)
                continue
            match, placed = pages[number]
            if (
                before
                and before.kind == placed.kind
                and order.get(placed.piece[:2], 0) <= order.get(before.piece[:2], 0)
            ):
                message = f"the {placed} comes after the {before} when the booklet is folded"
                yield subject.fault(_CODE, message, AGAIN, match.read.number, placed)
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
