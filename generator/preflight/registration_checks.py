"""Pages in, findings about fronts whose backs do not come to lie behind them out.

A sheet turned over (or folded) about its upright middle line brings (x, y) to (width - x, y), and
about its level one to (x, height - y); a face turned by t must be backed by one turned by -t, or
by 180° - t, to stand upright for who turns the card over sideways.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from pikepdf import Dictionary

from generator.geometry import ORIGIN, Point
from generator.model.pack import Backs
from generator.model.sheet import Layer, Side
from generator.preflight.finding import Finding
from generator.preflight.manifest_reader import Expected
from generator.preflight.matching import PLACE_TOLERANCE, Match, PageMatch
from generator.preflight.subject import Subject

FRONT_FACE: Final = "front"
_TURN_TOLERANCE: Final = 0.5
_HINTS: Final = {
    "/DuplexFlipLongEdge": Backs.DUPLEX_LONG,
    "/DuplexFlipShortEdge": Backs.DUPLEX_SHORT,
}
_AGAIN: Final = "build the pack again, for the way in which your printer turns the sheets"


_Misfit = tuple[Expected | None, str]
"""A face that is wrong, if it is one, and how."""


@dataclass(frozen=True, slots=True)
class _Mirror:
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


@dataclass(frozen=True, slots=True)
class _Piece:
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


def _pieces(page: PageMatch, side: Side, offset: Point = ORIGIN) -> list[_Piece]:
    """The faces of a side on a page, where a printer with this offset puts them."""
    return [
        _Piece(match, match.centre.moved(offset.x, offset.y))
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


def _turned_over(page: PageMatch, backs: Backs) -> _Mirror:
    """What a duplex printer does to a page when it turns on its long or on its short edge."""
    upright = page.read.height >= page.read.width
    sideways = upright == (backs is Backs.DUPLEX_LONG)
    return _Mirror(sideways, page.read.width if sideways else page.read.height)


def _folded(
    page: PageMatch,
    fronts: Sequence[_Piece],
    backs: Sequence[_Piece],
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
        if stroke.layer != Layer.FOLD:
            continue
        dx, dy = abs(stroke.start.x - stroke.end.x), abs(stroke.start.y - stroke.end.y)
        if dx < PLACE_TOLERANCE and dy > page.read.height / 2:
            yield _Mirror(True, stroke.start.x + stroke.end.x)
        elif dy < PLACE_TOLERANCE and dx > page.read.width / 2:
            yield _Mirror(False, stroke.start.y + stroke.end.y)


def _compare(
    fronts: Sequence[_Piece],
    backs: Sequence[_Piece],
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


def _off(front: _Piece, back: _Piece, place: Point, mirror: _Mirror) -> Iterator[_Misfit]:
    """How far a back is from behind its front, and turned against it."""
    right, down = back.centre.x - place.x, back.centre.y - place.y
    name = back.match.expected
    if max(abs(right), abs(down)) > PLACE_TOLERANCE:
        off = f"{right:+.2f} mm to the right and {down:+.2f} mm down of its front"
        yield name, f"the {name} is {off}"
    turn = (back.match.rotation - mirror.turn(front.match.rotation) + 180) % 360 - 180
    if abs(turn) > _TURN_TOLERANCE:
        yield name, f"the {name} is turned by {turn:.0f}° against its front"
