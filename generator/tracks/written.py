"""A course as its author wrote it in, which tile is laid which way out, or what cannot be read.

A word is a tile's call with, where it can be gone several ways, the letter of the way: `9L`. A bare
letter stands for the next tile that is still free and can be gone so. `4x` repeats what follows.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from generator.diagnostics import Suggestions, did_you_mean
from generator.sums import summed
from generator.tracks.courses import Laying, Tile
from generator.tracks.grids import Grid, Vector
from generator.tracks.rules import Fault

MOST_TILES: Final = 500
"""A course may have at most so many tiles: more is no track that fits into a room."""
_WORD: Final = re.compile(r"\S+")
_TIMES: Final = re.compile(r"(\d{1,6})[x×]")
_IN_WORDS: Final = {"S": "leads straight on", "L": "turns left", "R": "turns right"}
_CALLS: Final = "calls with their ways, such as 1 9L 10R, or letters S, L and R"


class CourseError(ValueError):
    """A text that is no course; `offset` is where in it, `hint` what to do."""

    def __init__(self, message: str, hint: str, offset: int) -> None:
        super().__init__(message)
        self.hint = hint
        self.offset = offset


@dataclass(frozen=True, slots=True)
class Step:
    """One tile of a course as written: its call, perhaps with the way's letter at its end, its way
    where that is said apart, its place and heading where they are."""

    tile: str
    way: str = ""
    place: Vector | None = None
    heading: int | None = None


def words(text: str) -> Iterator[tuple[str, int]]:
    """Each word of a course and where it begins in the text, repeated as often as it says.

    Raises CourseError for a repeat of nothing, and for a course of more tiles than can be.
    """
    count, times, since = 0, 1, 0
    for found in _WORD.finditer(text):
        word, offset = found[0], found.start()
        repeat = _TIMES.match(word)
        if repeat is not None:
            if times != 1:
                raise CourseError("two repeats stand one after the other", "leave one out", offset)
            times, since = int(repeat[1]), offset
            word, offset = word[repeat.end() :], offset + repeat.end()
            if times < 1:
                raise CourseError(f"{repeat[0]} lays nothing", "leave it out", since)
        if not word:
            continue
        count += times
        if count > MOST_TILES:
            hint = "make two tracks of it"
            raise CourseError(f"a course of more than {MOST_TILES} tiles", hint, found.start())
        for _ in range(times):
            yield word, offset
        times = 1
    if times != 1:
        raise CourseError("nothing stands after this repeat", "such as 4x S", since)


def is_call(call: str) -> bool:
    """True for what can stand as a tile's name in a course."""
    return bool(_WORD.fullmatch(call)) and "#" not in call and not _TIMES.match(call)


def chosen(
    steps: Sequence[Step],
    tiles: Sequence[Tile],
    grid: Grid,
    suggestions: Suggestions | None = None,
) -> tuple[list[tuple[Tile, Laying]], list[Fault]]:
    """What each step lays, in order; with faults (at the step of that number) only some of it.
    `suggestions` are those that the other courses of the pack share."""
    suggestions = suggestions or Suggestions()
    by_call = {tile.call: tile for tile in tiles}
    faults: list[Fault] = []
    found: list[Tile | None] = []
    letters: list[str] = []
    for number, step in enumerate(steps, 1):
        tile, letter, fault = _meant(step, by_call, suggestions)
        if fault is None and step.place is not None and len(step.place) != len(grid.unit):
            message = f"{len(step.place)} numbers for a place on a {grid.name} grid"
            fault = "GP901", message, f"it has {len(grid.unit)}, such as at: {[*grid.origin]}"
        if fault is not None:
            faults.append(Fault(fault[0], number, *fault[1:]))
        found.append(tile)
        letters.append(letter)
    used = Counter(tile.call for tile in found if tile is not None)
    missed: set[str] = set()
    laid: list[tuple[Tile, Laying]] = []
    for number, (step, named, letter) in enumerate(zip(steps, found, letters, strict=True), 1):
        tile = named
        if tile is None and letter:
            tile = next((t for t in tiles if letter in t.ways and used[t.call] < t.owned), None)
            if tile is not None:
                used[tile.call] += 1
            elif letter not in missed:
                missed.add(letter)
                faults.append(_none_left(number, letter, tiles))
        if tile is not None:
            laid.append((tile, Laying(tile.call, letter, step.place, step.heading)))
    return laid, faults


_Meant = tuple[Tile | None, str, tuple[str, str, str] | None]


def _meant(step: Step, by_call: Mapping[str, Tile], suggestions: Suggestions) -> _Meant:
    """The tile and letter that a step names (no tile for a bare letter), or what is wrong."""
    tile, letter = by_call.get(step.tile), step.way
    last = step.tile[-1:].upper()
    if tile is None and not letter and last in _IN_WORDS:
        letter = last
        if len(step.tile) == 1:
            return None, letter, None
        tile = by_call.get(step.tile[:-1])
    if tile is None:
        message = f"there is no tile {step.tile!r}"
        hint = suggestions.did_you_mean(step.tile, by_call) or _CALLS
        return None, "", ("GP902", message, hint)
    ways = list(tile.ways)
    if not letter and len(ways) > 1:
        message = (
            f"{tile.call} {' or '.join(_IN_WORDS[way] for way in ways)}: it does not say which"
        )
        hint = f"write {' or '.join(tile.call + way for way in ways)}"
        return None, "", ("GP902", message, hint)
    if letter and letter not in ways:
        message = f"no way through {tile.call} {_IN_WORDS[letter]}"
        hint = f"it {' or '.join(_IN_WORDS[way] for way in ways)}"
        return None, "", ("GP902", message, hint)
    return tile, letter or ways[0], None


def _none_left(number: int, letter: str, tiles: Sequence[Tile]) -> Fault:
    able = [tile for tile in tiles if letter in tile.ways]
    if not able:
        message, hint = f"there is no tile that {_IN_WORDS[letter]}", "add one, or take another way"
        return Fault("GP902", number, message, hint)
    message = f"no tile is left that {_IN_WORDS[letter]}"
    owned = summed(tile.owned for tile in able)
    hint = f"there are {owned} of them, some perhaps laid another way; print more or lay fewer"
    return Fault("GP907", number, message, hint)


def numbered(name: str, layings: Sequence[str]) -> int:
    """The number in the course of a tile by its call, or `call#2` where it lies there again.

    Raises CourseError for a tile that does not lie there, or not so often, or several times.
    """
    call, mark, nth = name.partition("#")
    numbers = [number for number, laid in enumerate(layings, 1) if laid == call]
    if not numbers:
        hint = did_you_mean(call, layings)
        raise CourseError(f"{call} does not lie on the track", hint, 0)
    if not mark and len(numbers) > 1:
        hint = f"say which of them, such as {call}#1 for the first"
        raise CourseError(f"{call} lies there {len(numbers)} times", hint, 0)
    if mark and not (nth.isdecimal() and len(nth) < 5 and 1 <= int(nth) <= len(numbers)):
        hint = f"{call}#1 to {call}#{len(numbers)} lie there"
        raise CourseError(f"{name} does not lie on the track", hint, 0)
    return numbers[int(nth) - 1 if mark else 0]
