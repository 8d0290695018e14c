"""`gridpress track shorten`: a track in, the sets of tiles that can leave it out, a line each."""

from __future__ import annotations

from collections import Counter as Tally
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby, islice
from typing import Final

import click
from msgspec import Struct

from generator.cli import INTERRUPTED, terminal
from generator.cli.progress import Counter
from generator.cli.track_lookup import layout_of, open_track
from generator.geometry import summed
from generator.tracks import Course, alike_runs, course_of, piece_names, references, shortenings

Choice = tuple[tuple[int, int], ...]
"""How many tiles leave of which run of tiles that are alike."""
_AT_ONCE: Final = 8
"""Choices of a size that are listed without saying which kinds of tiles leave."""


@click.command("shorten")
@click.argument("layout", metavar="LAYOUT")
@click.option("--most", type=click.IntRange(1), help="Take out at most so many tiles at once.")
@click.option("--limit", type=click.IntRange(1), help="Stop after so many choices.")
def command(layout: str, most: int | None, limit: int | None) -> int:
    """Find which tiles can leave a track so that what is left, pushed together, is a circuit.

    Each line is one choice of tiles to paste into `removable:`, the smallest choices first, many of
    a size by the kinds of tiles that leave; bend#2 is the second bend that lies there. Where
    several tiles in a row are alike it does not matter which of them leave: (or 1). The tile with
    the finish line stays, and the grid that the vehicles need. No choice has a smaller one in it;
    often two of them can leave together, and `removable:` in the layout checks whether they can.
    """
    outcome, component = open_track(layout)
    terminal.show(outcome.diagnostics)
    if component is None:
        return 1
    record = layout_of(component)
    course = course_of(record)
    if not course.is_circuit:
        terminal.note(f"{layout} is no circuit, so there is nothing to shorten")
        return 0
    stay = frozenset(tile["number"] for tile in record["tiles"] if tile["finish"])
    # Where nobody says how many vehicles race, all that can start are to.
    starts = record["starts"] if record["vehicles"] is None else record["vehicles"]
    alike, kinds = alike_runs(course, stay), piece_names(record)
    told = _ChoiceLines(alike, references(record), [kinds[run[0]] for run in alike])
    found: list[Choice] = []
    with Counter() as counter:
        try:
            choices = _choices(course, stay, starts, alike, most, counter)
            for size, same in groupby(islice(choices, limit), key=_size):
                of_size = []
                try:
                    for choice in same:
                        of_size.append(choice)
                        found.append(choice)
                finally:
                    for line in told.lines(size, of_size):
                        counter.say(line)
        except KeyboardInterrupt:
            counter.end(f"stopped: {_counted(len(found))} so far, there may be more")
            return INTERRUPTED
        if not found:
            counter.end(f"no tiles can leave{f', {most} at most' if most else ''}")
        else:
            ended = (
                f"; there may be more than --limit {limit}" if len(found) == limit else " in all"
            )
            counter.end(_counted(len(found)) + ended)
    return 0


def _choices(
    course: Course,
    stay: frozenset[int],
    starts: int,
    alike: Sequence[Sequence[int]],
    most: int | None,
    counter: Counter,
) -> Iterator[Choice]:
    run_of = {number: run for run, numbers in enumerate(alike) for number in numbers}
    said: set[Choice] = set()

    def tell(size: int) -> None:
        counter.show(f"looking for sets of {size} tiles, {_counted(len(said))}; Ctrl-C stops")

    for leaving in shortenings(course, stay=stay, starts=starts, most=most, report=tell):
        choice = tuple(sorted(Tally(run_of[number] for number in leaving).items()))
        if choice not in said:
            said.add(choice)
            yield choice


def _size(choice: Choice) -> int:
    return summed(count for _, count in choice)


class _ChoiceLines(Struct, frozen=True):
    """Choices as lines: runs of tiles that are alike, what each tile is called in `removable`, and
    of what kind the tiles of each run are."""

    alike: Sequence[Sequence[int]]
    names: Mapping[int, str]
    kinds: Sequence[str]

    def lines(self, size: int, choices: Sequence[Choice]) -> Iterator[str]:
        """A heading, then a line each; many choices by the kinds of tiles that leave."""
        head = f"{size} tile{'' if size == 1 else 's'}"
        if len(choices) <= _AT_ONCE:
            yield head
            yield from map(self._line, choices)
            return
        groups: dict[str, list[Choice]] = {}
        for choice in choices:
            groups.setdefault(self._kinds(choice), []).append(choice)
        for kinds, group in sorted(groups.items(), key=lambda item: -len(item[1])):
            yield f"{head}: {kinds} ({_counted(len(group))})"
            yield from map(self._line, group)

    def _kinds(self, choice: Choice) -> str:
        """`2 × straight, 1 × curve`."""
        found: Tally[str] = Tally()
        for run, count in choice:
            found[self.kinds[run]] += count
        return ", ".join(f"{count} × {kind}" for kind, count in sorted(found.items()))

    def _line(self, choice: Choice) -> str:
        """`  [3, 7]  (or 8 for 7)`."""
        leaving: list[str] = []
        instead: list[str] = []
        for run, count in choice:
            calls = [self.names[number] for number in self.alike[run]]
            leaving += calls[:count]
            if count < len(calls):
                instead.append(_instead(calls[:count], calls[count:]))
        listed = f"  [{', '.join(leaving)}]"
        return f"{listed}  ({'; '.join(instead)})" if instead else listed


def _instead(named: Sequence[str], others: Iterable[str]) -> str:
    """`or 8 for 7`; of several that leave, any of the others for any of them."""
    what = named[0] if len(named) == 1 else f"any of {', '.join(named)}"
    return f"or {' or '.join(others)} for {what}"


def _counted(number: int) -> str:
    return f"{number} choice{'' if number == 1 else 's'}"
