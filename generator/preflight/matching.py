"""What must be on a page and what is on it in, the two paired out."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

from generator.geometry import Point
from generator.preflight.expectation import Expected, ExpectedPage
from generator.preflight.reading import Draw, PageRead

PLACE_TOLERANCE = 0.02
"""mm by which a face may be off."""
NAME_DIGITS = 16
"""A face is drawn under the name F and the first digits of its sha256."""


@dataclass(frozen=True, slots=True)
class Match:
    """A face that must be there and the drawing that is it, None when it is not drawn."""

    expected: Expected
    draw: Draw | None

    @property
    def centre(self) -> Point:
        """Where the middle of the face is in the file, or should be when it is not there."""
        return self.draw.centre if self.draw else self.expected.box.centre

    @property
    def rotation(self) -> float:
        """How it is turned in the file, or should be."""
        return self.draw.rotation if self.draw else self.expected.rotation


@dataclass(frozen=True, slots=True)
class PageMatch:
    """A page as the manifest and as the file have it; `surplus` is drawn without being listed."""

    expected: ExpectedPage
    read: PageRead
    matches: tuple[Match, ...]
    surplus: tuple[Draw, ...]


def match_page(expected: ExpectedPage, read: PageRead) -> PageMatch:
    """Pair each placement with the drawing of its face in its place, else with the nearest one."""
    left = list(read.draws)
    found: dict[int, Draw] = {}
    for reach in (PLACE_TOLERANCE, math.inf):
        for index, placement in enumerate(expected.placements):
            if index in found:
                continue
            draw = _nearest(placement, left, reach)
            if draw is not None:
                found[index] = draw
                left.remove(draw)
    matches = tuple(Match(p, found.get(index)) for index, p in enumerate(expected.placements))
    return PageMatch(expected, read, matches, tuple(left))


def distance(one: Point, other: Point) -> float:
    """mm between two points."""
    return math.dist((one.x, one.y), (other.x, other.y))


def face_name(sha256: str) -> str:
    """The name under which a page draws a face."""
    return f"F{sha256[:NAME_DIGITS]}"


def _nearest(placement: Expected, draws: list[Draw], reach: float) -> Draw | None:
    name, centre = face_name(placement.sha256), placement.box.centre
    key: Callable[[Draw], float] = lambda draw: distance(draw.centre, centre)  # noqa: E731
    best = min((draw for draw in draws if draw.name == name), key=key, default=None)
    return best if best is not None and key(best) <= reach else None
