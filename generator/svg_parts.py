"""Counts what a drawing draws. `<use>`, masks and clips draw a part as often as they name it, and a
part may name others: ten lines can ask for more shapes than a year can draw."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from msgspec import Struct, field

from generator.geometry import summed

MAX_NESTED: Final = 100
"""Elements inside of each other, what is drawn by its name counted where it is drawn: the engine
takes no more."""


class SvgPart(Struct):
    """An element with an id, or the whole drawing, and its place: how much its elements are to
    draw without those of parts inside of it, and how deep they are nested; `inside` are these
    parts, `links` the ids that it names, and where."""

    name: str = ""
    at: int = 0
    elements: int = 0
    depth: int = 0
    inside: list[SvgPart] = field(default_factory=list)
    links: list[tuple[str, int]] = field(default_factory=list)


class RepeatError(Exception):
    """Too much is drawn, or nested too deep (`deep`), or a part inside of itself (`endless`), by
    what stands `at` its place and names `name`."""

    def __init__(self, name: str, at: int, endless: bool = False, deep: bool = False) -> None:
        super().__init__(name)
        self.name, self.at, self.endless, self.deep = name, at, endless, deep


def elements_drawn(whole: SvgPart, parts: Mapping[str, SvgPart], most: int) -> int:
    """How many elements a drawing draws. Raises RepeatError over `most`, or where they are nested
    deeper than `MAX_NESTED`.

    Without recursion: a hostile drawing has chains of many thousand parts.
    """
    totals: dict[int, int] = {}
    depths: dict[int, int] = {}
    stack = [(whole, _drawn_by(whole, parts))]
    begun = {id(whole)}
    while stack:
        part, needs = stack[-1]
        for other, name, at in needs:
            if id(other) in totals:
                continue
            if id(other) in begun:
                raise RepeatError(name, at, endless=True)
            begun.add(id(other))
            stack.append((other, _drawn_by(other, parts)))
            break
        else:
            stack.pop()
            totals[id(part)] = _total(part, parts, totals, most)
            depths[id(part)] = _depth(part, parts, depths)
    return totals[id(whole)]


def _drawn_by(part: SvgPart, parts: Mapping[str, SvgPart]) -> Iterator[tuple[SvgPart, str, int]]:
    yield from ((other, other.name, other.at) for other in part.inside)
    yield from ((parts[name], name, at) for name, at in part.links if name in parts)


def _total(
    part: SvgPart, parts: Mapping[str, SvgPart], totals: Mapping[int, int], most: int
) -> int:
    total = part.elements + summed(totals[id(other)] for other in part.inside)
    if total > most:
        raise RepeatError(part.name, part.at)
    for name, at in part.links:
        if name in parts:
            total += totals[id(parts[name])]
            if total > most:
                raise RepeatError(name, at)
    return total


def _depth(part: SvgPart, parts: Mapping[str, SvgPart], depths: Mapping[int, int]) -> int:
    """How deep a part is nested: what is drawn by its name counts as if at the innermost place."""
    depth = part.depth
    for name, at in part.links:
        if name in parts:
            depth = max(depth, part.depth + 1 + depths[id(parts[name])])
            if depth > MAX_NESTED:
                raise RepeatError(name, at, deep=True)
    return max([depth, *(1 + depths[id(other)] for other in part.inside)])
