"""The parts of a drawing that have names, and what draws them again, in; how much is drawn out.

`<use>`, masks and clips draw a part as often as they name it, and a part may name others: ten
lines can ask for more shapes than a year can draw.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from generator.sums import summed


@dataclass(slots=True)
class Part:
    """An element with an id, or the whole drawing, and its place: its elements without those of
    parts inside of it; `inside` are these parts, `links` the ids that it names, and where."""

    name: str = ""
    at: int = 0
    elements: int = 0
    inside: list[Part] = field(default_factory=list)
    links: list[tuple[str, int]] = field(default_factory=list)


class RepeatError(Exception):
    """Too much is drawn, or (`endless`) a part inside of itself, by what stands `at` its place and
    names `name`."""

    def __init__(self, name: str, at: int, endless: bool) -> None:
        super().__init__(name)
        self.name, self.at, self.endless = name, at, endless


def drawn(whole: Part, parts: Mapping[str, Part], most: int) -> int:
    """How many elements a drawing draws. Raises RepeatError over `most` that are drawn again.

    Without recursion: a hostile drawing has chains of many thousand parts.
    """
    totals: dict[int, int] = {}
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
    return totals[id(whole)]


def _drawn_by(part: Part, parts: Mapping[str, Part]) -> Iterator[tuple[Part, str, int]]:
    yield from ((other, other.name, other.at) for other in part.inside)
    yield from ((parts[name], name, at) for name, at in part.links if name in parts)


def _total(part: Part, parts: Mapping[str, Part], totals: Mapping[int, int], most: int) -> int:
    total = part.elements + summed(totals[id(other)] for other in part.inside)
    for name, at in part.links:
        if name in parts:
            total += totals[id(parts[name])]
            if total > most:
                raise RepeatError(name, at, endless=False)
    return total
