"""Promises of imposition for every print, tested with random orders."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from itertools import combinations, product

import pytest
from hypothesis import HealthCheck, given, settings
from impose.orders import Order, orders
from impose.samples import area, close, corners, inked, lines, page, path_points
from msgspec.structs import replace

from generator.geometry import Point, Rect, bounds, polygon_overlap
from generator.impose.page_layout import LEAST_BLEED, LEAST_MARK
from generator.model.catalogue import TRUE, PrinterProfile, Shape
from generator.model.face import LineMark, PathMark, PdfLayer, Placement, Sheet, Side, TextMark
from generator.model.pack import Backs, Layout
from generator.outlines import polygon

proven = settings(
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
CUT = (Layout.NUP, Layout.NESTED)
STRAIGHT = (Shape.RECTANGLE, Shape.ROUNDED)
FINE = 1e-3
"""mm; marks are rounded to a tenth of this."""
TOUCH = 0.011
"""mm that a shifted piece may extend beyond the printable area."""
STRETCHED = 0.05
"""mm that a stretched piece may extend beyond it."""
Line = tuple[Point, Point]


@settings(proven, max_examples=40)
@given(orders(Layout.NUP, Layout.NUP, *CUT, Layout.LABELS, Layout.BOOKLET))
def test_no_piece_lies_on_another_and_no_art_on_another_piece(order: Order) -> None:
    for sheet in order.sheets():
        for one, other in combinations(sheet.placements, 2):
            if one.art.overlaps(other.art):  # hexagons in a honeycomb
                trims = [polygon(p.trim, p.face.stock.shape) for p in (one, other)]
                arts = [p.edge or p.art.corners for p in (one, other)]
                assert polygon_overlap(*trims) < FINE
                assert polygon_overlap(*arts) < FINE


@proven
@given(orders())
def test_art_covers_its_piece_and_no_more_than_its_bleed(order: Order) -> None:
    for sheet in order.sheets():
        for placed in sheet.placements:
            assert placed.bleed == placed.face.stock.bleed
            assert placed.art.contains(placed.finished)
            assert placed.trim.grown(placed.bleed).contains(placed.art)
            assert page(sheet).contains(placed.art)
            if placed.edge:
                assert close(bounds(placed.edge).centre, placed.art.centre)


@settings(proven, max_examples=40)
@given(orders())
def test_pieces_lie_where_the_printer_reaches(order: Order) -> None:
    if order.is_die_cut:
        return  # labels are where they are
    for sheet in order.sheets():
        is_front, profile = sheet.side is Side.FRONT, order.profile
        stretch = profile.front_stretch if is_front else profile.back_stretch
        assert sheet.stretch == stretch
        told = stretch.lands(sheet.size).inverse
        over = TOUCH if stretch == TRUE else STRETCHED
        for placed in sheet.placements:
            assert area(sheet).contains(bounds([*map(told.point, placed.finished.corners)]), over)
            if profile == PrinterProfile():
                assert area(sheet).contains(placed.art)


@proven
@given(orders(*CUT))
def test_backs_lie_behind_their_fronts(order: Order) -> None:
    for front, back in leaves(order):
        fronts = {key(p)[::2]: p for p in front.placements if p.side is Side.FRONT}
        for placed in (p for p in back.placements if p.side is Side.BACK):
            assert len(middle_folds(order, front)) == (order.backs is Backs.GUTTERFOLD)
            seen = landed(order, front, fronts[key(placed)[::2]])
            assert is_behind(order, front, seen, landed(order, back, placed))


def leaves(order: Order) -> list[tuple[Sheet, Sheet]]:
    """Return the fronts and backs of an order, which are on one page if it is folded."""
    laid = order.sheets()
    if all(sheet.side is Side.FRONT for sheet in laid):
        wanted = laid and any(item.back for item in order.pieces if item.copies)
        assert not wanted or order.backs in (Backs.NONE, Backs.GUTTERFOLD)
        return [(sheet, sheet) for sheet in laid]
    pairs = [*zip(laid[::2], laid[1::2], strict=True)]
    for front, back in pairs:
        assert (front.side, back.side) == (Side.FRONT, Side.BACK)
        assert (front.number, front.size) == (back.number, back.size)
    return pairs


def landed(order: Order, sheet: Sheet, placed: Placement) -> list[Point]:
    """Return where a face's corners come out of the printer."""
    by = order.profile.front if sheet.side is Side.FRONT else order.profile.back
    return [corner.moved(by.x, by.y) for corner in corners(placed)]


def is_behind(order: Order, sheet: Sheet, front: Sequence[Point], back: Sequence[Point]) -> bool:
    """True if a back lies behind a front when the paper is turned over or folded, and is upright
    when the piece is turned over from left to right."""
    width, height = sheet.size.width, sheet.size.height
    sideways = (height >= width) == (order.backs is Backs.DUPLEX_LONG)
    if order.backs in (Backs.NONE, Backs.GUTTERFOLD):  # a booklet is turned over like a page
        sideways = all(fold.start.x == fold.end.x for fold in middle_folds(order, sheet))
    seen = [Point(width - p.x, p.y) if sideways else Point(p.x, height - p.y) for p in front]
    top_left, top_right, bottom_right, bottom_left = back
    return all(map(close, seen, (top_right, top_left, bottom_left, bottom_right)))


def middle_folds(order: Order, sheet: Sheet) -> list[LineMark]:
    """Return the fold of a whole sheet, if its backs are beyond one."""
    by = order.profile.front
    middle = page(sheet).centre.moved(-by.x, -by.y)
    folds = lines(sheet, PdfLayer.FOLD) if order.backs is Backs.GUTTERFOLD else []
    return [fold for fold in folds if close(fold.start.halfway(fold.end), middle)]


@proven
@given(orders())
def test_every_copy_is_printed_once_and_nothing_else(order: Order) -> None:
    laid = order.sheets()
    placed = [p for sheet in laid for p in sheet.placements]
    split = {p.face.component for p in placed if p.poster}
    one_sided = order.backs is Backs.NONE or order.layout not in CUT
    wanted = [
        (item.front.component, name, number)
        for item in order.pieces
        for number in range(1, item.copies + 1)
        for name in ("front", "back")
        if name == "front" or (item.back and not one_sided and item.front.component not in split)
    ]
    whole = Counter(key(p) for p in placed if not p.poster)
    parts = defaultdict(list)
    for part in placed:
        assert order.layout is Layout.BOOKLET or part.side == part.face.name
        if (at := part.poster) is not None:
            parts[key(part), at.rows, at.columns].append((at.row, at.column))
    assert not laid or whole + Counter(poster for poster, *_ in parts) == Counter(wanted)
    for (_, rows, columns), found in parts.items():
        assert found == [*product(range(1, rows + 1), range(1, columns + 1))]


def key(placed: Placement) -> tuple[str, str, int]:
    """Return the key of one printed side."""
    return placed.face.component, placed.face.name, placed.copy


@proven
@given(orders(Layout.BOOKLET))
def test_a_folded_booklet_reads_in_order(order: Order) -> None:
    booklets: dict[int, list[list[str]]] = defaultdict(list)
    for front, back in leaves(order):
        (number,) = {p.copy for p in (*front.placements, *back.placements)}
        booklets[number].append(halves(order, front, back))
    for number, opened in booklets.items():
        read = [at[half] for at in opened for half in (1, 3)]
        read += [at[half] for at in reversed(opened) for half in (2, 0)]
        pages = [item.front.component for item in order.pieces if item.copies >= number]
        assert read == pages + [""] * (-len(pages) % 4)


def halves(order: Order, front: Sheet, back: Sheet) -> list[str]:
    """Return the pages on a sheet: front left and right, then those behind them."""
    fronts = [landed(order, front, placed) for placed in front.placements]
    right = max(fronts, key=lambda trim: trim[0].x)
    assert right[0].x == pytest.approx(page(front).centre.x)
    spots = [[corner.moved(right[0].x - right[1].x, 0) for corner in right], right]
    found = [""] * 4
    for placed, trim in zip(front.placements, fronts, strict=True):
        (at,) = [at for at in (0, 1) if all(map(close, spots[at], trim))]
        found[at] = placed.face.component
    for placed in back.placements:
        trim = landed(order, back, placed)
        (at,) = [at for at in (0, 1) if is_behind(order, front, spots[at], trim)]
        found[2 + at] = placed.face.component
    return found


@proven
@given(orders(Layout.POSTER))
def test_the_pages_of_a_poster_meet_and_show_all_of_it(order: Order) -> None:
    posters: dict[tuple[str, str, int], dict[tuple[int, int], Placement]] = defaultdict(dict)
    for sheet in order.sheets():
        (placed,) = sheet.placements
        assert placed.poster is not None
        posters[key(placed)][placed.poster.row, placed.poster.column] = placed
    for parts in posters.values():
        seen = {at: p.finished.moved(-p.x, -p.y) for at, p in parts.items()}
        art = {at: p.art.moved(-p.x, -p.y) for at, p in parts.items()}
        for row, column in parts:
            one, right, below = (row, column), (row, column + 1), (row + 1, column)
            if right in parts:
                assert close(seen[one].corners[1], seen[right].corners[0])
                assert close(seen[one].corners[2], seen[right].corners[3])
                assert art[one].right - art[right].x == pytest.approx(order.overlap)
            if below in parts:
                assert close(seen[one].corners[3], seen[below].corners[0])
                assert art[one].bottom - art[below].y == pytest.approx(order.overlap)
        trim = next(iter(parts.values())).face.stock.trim
        assert close(seen[min(parts)].corners[0], Point(0, 0))
        assert close(seen[max(parts)].corners[2], Point(trim.width, trim.height))


@proven
@given(orders(*CUT))
def test_crop_marks_point_at_cuts_and_touch_no_art(order: Order) -> None:
    for sheet in order.sheets():
        whole = [placed for placed in sheet.placements if placed.poster is None]
        cut = [p.trim for p in whole if is_cut(p) and p.face.stock.shape in STRAIGHT]
        trims = cut + [behind for trim in cut for behind in beyond_fold(order, sheet, trim)]
        marks = lines(sheet, PdfLayer.CUT) if whole else []
        for mark in marks:
            assert page(sheet).contains(inked(mark))
            assert extent(mark.start, mark.end) >= LEAST_MARK - FINE
            assert not any(inked(mark).overlaps(placed.art, FINE) for placed in whole)
            assert any(in_line(mark, side) for box in trims for side in sides(box))
        for side in (side for trim in cut for side in sides(trim)):
            assert fills_page(order, sheet, side) or any(in_line(mark, side) for mark in marks)


def beyond_fold(order: Order, sheet: Sheet, box: Rect) -> Iterator[Rect]:
    """Yield where a box comes to lie when its sheet is folded."""
    for fold in middle_folds(order, sheet):
        x, y = 2 * fold.start.x - box.right, 2 * fold.start.y - box.bottom
        yield replace(box, x=x) if fold.start.x == fold.end.x else replace(box, y=y)


def is_cut(placed: Placement) -> bool:
    """True for a front that is not cut already, as one on a label of its own size is."""
    return placed.side is Side.FRONT and placed.marked


def extent(*points: Point) -> float:
    """Return the length of a level or upright line, mm."""
    box = bounds(points)
    return max(box.width, box.height)


def sides(box: Rect) -> Iterator[Line]:
    """Yield the four sides of a box."""
    return zip(box.corners, (*box.corners[1:], box.corners[0]), strict=True)


def in_line(mark: LineMark, line: Line) -> bool:
    """True for a mark on the same level or upright line, beyond its ends."""
    if abs(mark.start.x - line[0].x) > FINE and abs(mark.start.y - line[0].y) > FINE:
        return False
    ends = mark.start, mark.end
    whole = bounds((*line, *ends))
    apart = extent(*line, *ends) > extent(*line) + extent(*ends) - FINE
    return apart and min(whole.width, whole.height) < FINE


def fills_page(order: Order, sheet: Sheet, line: Line) -> bool:
    """True if a line is so long that the page has no room for marks at its ends."""
    by, room = order.profile.front, area(sheet)
    along = room.width if abs(line[0].y - line[1].y) < FINE else room.height
    along = along / 2 if order.backs is Backs.GUTTERFOLD else along
    needed = LEAST_BLEED + LEAST_MARK + max(abs(by.x), abs(by.y))
    return extent(*line) + 2 * needed > along


@proven
@given(orders(*CUT, Layout.LABELS, Layout.POSTER))
def test_die_lines_run_around_their_pieces(order: Order) -> None:
    for sheet in order.sheets():
        paths = [mark.path for mark in sheet.marks if isinstance(mark, PathMark)]
        boxes = [bounds(path_points(path)) for path in paths]
        for placed in filter(is_cut, sheet.placements):
            shape = placed.face.stock.shape
            shared = shape is Shape.HEXAGON and order.layout is Layout.NESTED
            if shape not in STRAIGHT and not shared:
                trim = placed.trim
                same = [b for b in boxes if b.contains(trim, 0.002) and trim.contains(b, 0.002)]
                assert len(same) == 1


@proven
@given(orders(*CUT))
def test_fold_marks_are_on_folds(order: Order) -> None:
    for sheet in order.sheets():
        whole = [placed for placed in sheet.placements if placed.poster is None]
        folds = [fold for placed in whole if is_cut(placed) for fold in folds_of(placed)]
        middle = middle_folds(order, sheet)
        marks = [mark for mark in lines(sheet, PdfLayer.FOLD) if mark not in middle]
        for mark in marks:
            if not any(is_drawn(mark, fold) for fold in folds):
                assert any(in_line(mark, fold) for fold in folds)
                assert not any(inked(mark).overlaps(placed.art, FINE) for placed in whole)
        for fold in folds:
            shown = (in_line(mark, fold) or is_drawn(mark, fold) for mark in marks)
            assert fills_page(order, sheet, fold) or any(shown)


def folds_of(placed: Placement) -> list[Line]:
    """Return the folds of a stock on the page, from the corners of its face."""
    origin, right, _, down = corners(placed)
    trim = placed.face.stock.trim

    def there(p: Point) -> Point:
        x, y = p.x / trim.width, p.y / trim.height
        return origin.moved(
            (right.x - origin.x) * x + (down.x - origin.x) * y,
            (right.y - origin.y) * x + (down.y - origin.y) * y,
        )

    return [(there(fold.start), there(fold.end)) for fold in placed.face.stock.folds]


def is_drawn(mark: LineMark, fold: Line) -> bool:
    """True for a mark that runs from end to end of a fold."""
    return all(map(close, (mark.start, mark.end), fold))


@proven
@given(orders())
def test_rulers_are_true_and_stand_clear_of_art_as_the_slug_does(order: Order) -> None:
    for sheet in order.sheets():
        words = {mark.text for mark in sheet.marks if isinstance(mark, TextMark)}
        scales = words & {"100 mm", "4 in", "50 mm", "2 in"}
        parts = [p for p in sheet.placements if p.poster and p.poster.rows * p.poster.columns > 1]
        assert scales in ({"100 mm", "4 in"}, {"50 mm", "2 in"}) or not (scales or parts)
        guides = [m for m in lines(sheet, PdfLayer.GUIDES) if m.grey == 0.5] if scales else []
        lengths = {round(extent(mark.start, mark.end), 3) for mark in guides}
        assert not scales or lengths >= ({100, 101.6} if "100 mm" in scales else {50, 50.8})
        slug = [] if parts else [m for m in sheet.marks if isinstance(m, TextMark)]
        for box in (*map(inked, guides), *map(inked, slug)):
            assert page(sheet).contains(box)
            assert not any(box.overlaps(placed.art) for placed in sheet.placements)


@proven
@given(orders(Layout.LABELS))
def test_stickers_are_in_the_middle_of_bought_labels(order: Order) -> None:
    labels, by = order.label_sheet, order.profile.front
    if labels is None or not order.is_die_cut:
        return
    label = Rect(0, 0, labels.label.width, labels.label.height)
    filled: dict[str, list[list[Point]]] = defaultdict(list)
    for sheet in order.sheets():
        on_sheet = 0
        for column, row in product(range(labels.columns), range(labels.rows)):
            left = labels.first.x + column * labels.pitch.width - by.x
            top = labels.first.y + row * labels.pitch.height - by.y
            here = [p for p in sheet.placements if label.moved(left, top).contains(p.trim)]
            assert all(label.moved(left, top).contains(p.art) for p in here)
            on_sheet += len(here)
            if here:
                (stock,) = {p.face.stock.name for p in here}
                points = [c.moved(-left, -top) for p in here for c in p.trim.corners]
                filled[stock].append(points)
        assert on_sheet == len(sheet.placements)
    for on_labels in filled.values():
        most = max(map(len, on_labels))
        full = [points for points in on_labels if len(points) == most]
        assert len(on_labels) - len(full) <= 1
        for points in full if len(on_labels) > 1 else ():
            assert close(bounds(points).centre, label.centre)


@settings(proven, max_examples=10)
@given(orders())
def test_an_order_always_gives_the_same_sheets_and_twice_as_many_copies_no_fewer(
    order: Order,
) -> None:
    laid = order.sheets()
    assert order.sheets() == laid
    doubled = order.sheets(times=2)
    assert not doubled or len(doubled) >= len(laid)
