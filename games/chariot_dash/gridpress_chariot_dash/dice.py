"""The race die: a count in, that many faces or their values out, from randomness passed in.

A die has six faces, one for each icon, so a face is named by its icon: a number from 0 to 5.
"""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any, Final, NamedTuple, Protocol

SLIDE: Final = 0
HASTE: Final = 1
SLOW: Final = 2
LEFT: Final = 3
RIGHT: Final = 4
DAMAGE: Final = 5

ICONS: Final = ("slide", "haste", "slow", "left-spin", "right-spin", "damage")


class Die(NamedTuple):
    """The value of each face, in the order of `ICONS`."""

    values: tuple[int, ...] = (0, 1, 1, 2, 2, 3)

    @classmethod
    def of(cls, component: Mapping[str, Any]) -> Die:
        """The die of a component of kind die; ValueError unless each icon is on one face."""
        faces = {str(face["icon"]): int(face["value"]) for face in component["faces"]}
        if len(component["faces"]) != len(ICONS) or set(faces) != set(ICONS):
            raise ValueError(f"a die has one face for each of {', '.join(ICONS)}")
        return cls(tuple(faces[icon] for icon in ICONS))


class Dice(Protocol):
    """Where rolls come from: a seeded generator in races, a script in tests."""

    def roll(self, count: int) -> tuple[int, ...]:
        """Icons of that many dice."""

    def values(self, count: int) -> tuple[int, ...]:
        """Values of that many dice."""


class RandomDice:
    """Fair dice, thrown with a generator that the caller has seeded."""

    __slots__ = ("_faces", "_random")

    def __init__(self, random: Random, die: Die | None = None) -> None:
        self._random = random.random
        self._faces = (die or Die()).values

    def roll(self, count: int) -> tuple[int, ...]:
        """Icons of that many dice."""
        random = self._random
        return tuple([int(random() * 6) for _ in range(count)])

    def values(self, count: int) -> tuple[int, ...]:
        """Values of that many dice."""
        random, faces = self._random, self._faces
        return tuple([faces[int(random() * 6)] for _ in range(count)])
