"""Counts the elements that a drawing draws, including repetitions by `<use>`, masks and clips."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from msgspec import Struct, field

MAX_NESTED: Final = 100
"""Elements inside each other, counting elements drawn by name where they are drawn. The engine
takes no more."""


class SvgPart(Struct):
    """An element with an id, or the whole drawing. `elements` and `depth` leave out the parts
    `inside`; `links` are the ids that it draws, with their places."""

    name: str = ""
    at: int = 0
    elements: int = 0
    depth: int = 0
    inside: list[SvgPart] = field(default_factory=list)
    links: list[tuple[str, int]] = field(default_factory=list)


class RepeatError(Exception):
    """Raised when too much is drawn, nested too deep (`deep`), or a part draws itself
    (`endless`)."""

    def __init__(self, name: str, at: int, endless: bool = False, deep: bool = False) -> None:
        super().__init__(name)
        self.name, self.at, self.endless, self.deep = name, at, endless, deep


def elements_drawn(whole: SvgPart, parts: Mapping[str, SvgPart], most: int) -> int:
    """Return how many elements a drawing draws. Raises RepeatError over `most`, or where they are
    nested deeper than `MAX_NESTED`."""
    known: dict[int, tuple[int, int]] = {}
    begun: list[int] = []

    def counted(part: SvgPart, name: str, at: int) -> tuple[int, int]:
        """Return how many elements a part draws, and how deep they are nested."""
        if id(part) in known:
            return known[id(part)]
        if id(part) in begun:
            raise RepeatError(name, at, endless=True)
        if len(begun) > MAX_NESTED:
            raise RepeatError(name, at, deep=True)
        begun.append(id(part))
        total, depth, inside = part.elements, part.depth, 0
        for other in part.inside:
            drawn, deep = counted(other, other.name, other.at)
            total, inside = total + drawn, max(inside, 1 + deep)
        if total > most:
            raise RepeatError(part.name, part.at)
        for link, place in part.links:
            if link in parts:
                drawn, deep = counted(parts[link], link, place)
                total, depth = total + drawn, max(depth, part.depth + 1 + deep)
                if total > most or depth > MAX_NESTED:
                    raise RepeatError(link, place, deep=total <= most)
        begun.pop()
        known[id(part)] = total, max(depth, inside)
        return known[id(part)]

    return counted(whole, whole.name, whole.at)[0]
