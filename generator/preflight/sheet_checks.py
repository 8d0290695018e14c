"""Pages in; findings about their sizes, boxes and rulers, what lies on what, and fronts whose backs
do not come to lie behind them, out.

A sheet turned over (or folded) about its upright middle line brings (x, y) to (width - x, y), and
about its level one to (x, height - y); a face turned by t must be backed by one turned by -t, or
by 180° - t, to stand upright for who turns the card over sideways.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Final

from msgspec import Struct
from msgspec.structs import replace
from pikepdf import Dictionary

from generator.diagnostics import Severity
from generator.geometry import (
    MM_PER_INCH,
    ORIGIN,
    Point,
    Rect,
    around,
    format_mm,
    polygon_overlap,
)
from generator.model.catalogue import Edge, Paper, Shape
from generator.model.face import PdfLayer, Side
from generator.model.pack import Backs
from generator.outlines import polygon
from generator.preflight.checking import (
    PLACE_TOLERANCE,
    Finding,
    Match,
    PageMatch,
    Subject,
    distance,
)
from generator.preflight.manifest_reader import Expected, ExpectedPage
from generator.preflight.page_reader import PageRead

SIZE_TOLERANCE: Final = 0.05
"""mm; a printer driver takes a page for its paper within several times as much."""
BOX_TOLERANCE: Final = 0.01
RULER_TOLERANCE: Final = 0.1
SCALES: Final = (100.0, 50.0)
"""mm of the scales that a sheet may carry."""
_INCH_SCALES: Final = (4 * MM_PER_INCH, 2 * MM_PER_INCH)
_LEAST_SCALE: Final = 40.0
_AT_FULL_SIZE: Final = "build it again, and do not let another program scale or crop it"


_AS_IT_WAS: Final = "build the pack again: papers.yaml, or the manifest, was changed since it was"


def page_sizes(subject: Subject) -> Iterator[Finding]:
    """GP801: every page, as a viewer shows it, is its paper, and the paper what it is where it is
    known."""
    paper = subject.expected.paper if subject.expected else None
    for match in subject.matched:
        page, want = match.read, match.expected
        for message in _other_paper(want, paper) if paper else ():
            yield subject.fault("GP801", message, _AS_IT_WAS, page.number)
        sizes = {"the page": (page.width, page.height)}
        if (page.crop.width, page.crop.height) != (page.width, page.height):
            sizes["its CropBox"] = (page.crop.width, page.crop.height)
        for what, (width, height) in sizes.items():
            if max(abs(width - want.width), abs(height - want.height)) > SIZE_TOLERANCE:
                message = (
                    f"{what} is {_size(width, height)}, its paper {_size(want.width, want.height)}"
                )
                yield subject.fault("GP801", message, _AT_FULL_SIZE, page.number)
        if page.turned:
            message = f"the page is turned by {page.turned}°"
            yield subject.fault("GP801", message, _AT_FULL_SIZE, page.number)


def _other_paper(page: ExpectedPage, paper: Paper) -> Iterator[str]:
    """In what the manifest's paper is not that of papers.yaml."""
    sides, known = sorted((page.width, page.height)), sorted((paper.size.width, paper.size.height))
    if max(abs(a - b) for a, b in zip(sides, known, strict=True)) > SIZE_TOLERANCE:
        yield f"the manifest has {_size(*sides)} for {paper.title}, papers.yaml {_size(*known)}"
    if abs(page.margin - paper.margin) > BOX_TOLERANCE:
        yield (
            f"the manifest has {format_mm(page.margin)} mm for the margin of {paper.title},"
            f" papers.yaml {format_mm(paper.margin)} mm"
        )


def page_boxes(subject: Subject) -> Iterator[Finding]:
    """GP802: TrimBox and BleedBox are there, one inside the other inside the page; the TrimBox is
    what the pieces take, the BleedBox what their art takes. Of a stranger's page no CropBox may cut
    into what is printed."""
    for page in subject.pages:
        if page.trim is None or page.bleed is None:
            if subject.profile is None:  # who wants them asks for them
                missing = "TrimBox" if page.trim is None else "BleedBox"
                message = f"the page has no {missing}"
                yield subject.fault("GP802", message, _AT_FULL_SIZE, page.number)
            continue
        paper = Rect(0, 0, page.width, page.height)
        boxes = {"TrimBox": page.trim, "BleedBox": page.bleed, "page": paper}
        for inner, outer in (("TrimBox", "BleedBox"), ("BleedBox", "page")):
            if not boxes[outer].contains(boxes[inner], BOX_TOLERANCE):
                message = f"the {inner} reaches out of the {outer}"
                yield subject.fault("GP802", message, _AT_FULL_SIZE, page.number)
        if subject.expected is None and not page.crop.contains(page.trim, BOX_TOLERANCE):
            message = "the CropBox leaves out a part of the TrimBox: most programs print no more"
            yield subject.fault("GP802", message, "make it as large as the page", page.number)
    for match in subject.matched:
        pieces, read = match.expected.placements, match.read
        for name, box, around_them in (
            ("TrimBox", read.trim, [piece.finished for piece in pieces]),
            ("BleedBox", read.bleed, [piece.art for piece in pieces]),
        ):
            if (
                box
                and around_them
                and not _is_around(box, around_them, Rect(0, 0, read.width, read.height))
            ):
                whose = "pieces" if name == "TrimBox" else "art of the pieces"
                message = f"the {name} is not the box around the {whose}"
                yield subject.fault("GP802", message, _AT_FULL_SIZE, read.number)


def placements(subject: Subject) -> Iterator[Finding]:
    """GP803: no piece reaches over another or out of the page, and none is bled on."""
    for match in subject.matched:
        number = match.read.number
        paper = Rect(0, 0, match.read.width, match.read.height)
        for placement in match.expected.placements:
            if not paper.contains(placement.finished, PLACE_TOLERANCE):
                message = f"the {placement} at {_place(placement)} reaches out of the page"
                yield subject.fault("GP803", message, page=number, placed=placement)
        for one, other in _neighbours(match.expected.placements):
            depth = polygon_overlap(polygon(one.box, one.shape), polygon(other.box, other.shape))
            if depth > PLACE_TOLERANCE:
                message = f"the {one} and the {other} overlap by {depth:.2f} mm"
                yield subject.fault("GP803", message, page=number, placed=one)
            elif bled_on := _bled_on(one, other):
                message = f"the bleed of the {bled_on[0]} covers part of the {bled_on[1]}"
                yield subject.fault("GP803", message, page=number, placed=bled_on[1])


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
                yield subject.fault("GP805", _ruler_fault(page), _AT_FULL_SIZE, page.number)
        elif scales and not any(_is_scale(scale.length) for scale in scales):
            yield subject.fault("GP805", _ruler_fault(page), _AT_FULL_SIZE, page.number)


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


def _is_around(box: Rect, others: Sequence[Rect], paper: Rect) -> bool:
    """Whether it is the box around some others, as far as that is on the page."""
    right = around(others).cut_to(paper)
    return box.contains(right, PLACE_TOLERANCE) and right.contains(box, PLACE_TOLERANCE)


def _neighbours(pieces: tuple[Expected, ...]) -> Iterator[tuple[Expected, Expected]]:
    """All pairs whose art may meet."""
    by_place = sorted(pieces, key=lambda piece: piece.art.x)
    for index, one in enumerate(by_place):
        for other in by_place[index + 1 :]:
            if other.art.x > one.art.right:
                break
            if one.art.overlaps(other.art):
                yield one, other


def _bled_on(one: Expected, other: Expected) -> tuple[Expected, Expected] | None:
    """Of two pieces the one that bleeds and the one bled on, if any. Of shapes that are not
    straight only those are looked at whose art ends along an outline of its own."""
    straight = (Shape.RECTANGLE, Shape.ROUNDED)
    for bleeding, victim in ((one, other), (other, one)):
        if bleeding.outline:
            trim = polygon(victim.box, victim.shape)
            if polygon_overlap(bleeding.outline, trim) > PLACE_TOLERANCE:
                return bleeding, victim
    if one.shape not in straight or other.shape not in straight:
        return None
    for bleeding, victim in ((one, other), (other, one)):
        if bleeding.art.overlaps(victim.box, PLACE_TOLERANCE):
            return bleeding, victim
    return None


def _size(width: float, height: float) -> str:
    return f"{width:.2f} × {height:.2f} mm"


def _place(placement: Expected) -> str:
    return f"({format_mm(placement.box.x)}, {format_mm(placement.box.y)}) mm"


FRONT_FACE: Final = "front"
_TURN_TOLERANCE: Final = 0.5
_HINTS: Final = {
    "/DuplexFlipLongEdge": Backs.DUPLEX_LONG,
    "/DuplexFlipShortEdge": Backs.DUPLEX_SHORT,
}
_AGAIN: Final = "build the pack again, for the way in which your printer turns the sheets"


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
        yield subject.fault("GP807", message, _AGAIN)
    if hinted is not Backs.NONE and all(p.side is Side.FRONT for p in subject.expected.pages):
        message = f"the file tells the printer {hinted}, but it has fronts only"
        yield subject.fault("GP807", message, _AGAIN)
    for number, (placed, message) in _misfits(subject, hinted):
        yield subject.fault("GP807", message, _AGAIN, number, placed)


def _misfits(subject: Subject, hinted: Backs) -> Iterator[tuple[int, _Misfit]]:
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
    mirrors = list(dict.fromkeys(_fold_lines(page)))
    if not mirrors:
        if fronts and backs:
            yield None, "no fold line is drawn between the fronts and their backs"
        return
    yield from min((list(_compare(fronts, backs, m, backed)) for m in mirrors), key=len)


def _fold_lines(page: PageMatch) -> Iterator[_Mirror]:
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
