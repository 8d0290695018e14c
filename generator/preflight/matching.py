"""What must be on a page and what is on it in, the two paired out."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from generator.geometry import Point
from generator.preflight.manifest_reader import Expected, ExpectedPage
from generator.preflight.reading import Draw, PageRead

PLACE_TOLERANCE = 0.02
"""mm by which a face may be off."""
_SQUARE: Final = 1.0
"""mm: much more than the tolerance, and less than pieces are apart."""
_COMPARED: Final = 500
"""Drawings of one face that are not in any place, of which the nearest is looked for."""
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
    left = _Left(read.draws)
    found: dict[int, Draw] = {}
    for take in (left.take_in_place, left.take_nearest):
        for index, placement in enumerate(expected.placements):
            draw = None if index in found else take(placement)
            if draw is not None:
                found[index] = draw
    matches = tuple(Match(p, found.get(index)) for index, p in enumerate(expected.placements))
    return PageMatch(expected, read, matches, left.draws)


class _Left:
    """The drawings of a page that are not paired yet, by their names and squares of a page."""

    def __init__(self, draws: Sequence[Draw]) -> None:
        self._draws = dict(enumerate(draws))
        self._squares: dict[tuple[str, int, int], list[int]] = defaultdict(list)
        self._names: dict[str, dict[int, Draw]] = defaultdict(dict)
        for number, draw in self._draws.items():
            self._squares[draw.name, *_square(draw.centre)].append(number)
            self._names[draw.name][number] = draw

    @property
    def draws(self) -> tuple[Draw, ...]:
        """In order of painting."""
        return tuple(self._draws.values())

    def take_in_place(self, placement: Expected) -> Draw | None:
        """The one of the placement's face that is where it should be."""
        name, (x, y) = face_name(placement.sha256), _square(placement.box.centre)
        near = (
            self._squares.get((name, x + right, y + down), ())
            for right in (-1, 0, 1)
            for down in (-1, 0, 1)
        )
        numbers = [number for square in near for number in square if number in self._draws]
        return self._take(placement, sorted(numbers), PLACE_TOLERANCE)

    def take_nearest(self, placement: Expected) -> Draw | None:
        """The one of the placement's face that is nearest to where it should be."""
        numbers = list(self._names.get(face_name(placement.sha256), ()))
        return self._take(placement, numbers[:_COMPARED], math.inf)

    def _take(self, placement: Expected, numbers: Sequence[int], reach: float) -> Draw | None:
        centre = placement.box.centre
        key: Callable[[int], float] = lambda n: distance(self._draws[n].centre, centre)  # noqa: E731
        best = min(numbers, key=key, default=None)
        if best is None or not key(best) <= reach:
            return None
        draw = self._draws.pop(best)
        del self._names[draw.name][best]
        return draw


def _square(centre: Point) -> tuple[int, int]:
    return math.floor(centre.x / _SQUARE), math.floor(centre.y / _SQUARE)


def distance(one: Point, other: Point) -> float:
    """mm between two points."""
    return math.dist((one.x, one.y), (other.x, other.y))


def face_name(sha256: str) -> str:
    """The name under which a page draws a face."""
    return f"F{sha256[:NAME_DIGITS]}"
