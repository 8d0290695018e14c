"""`gridpress track shorten`: a track in, the sets of tiles that can leave it out, a line each."""

from __future__ import annotations

from collections import Counter as Tally
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice

import click

from generator.cli import INTERRUPTED, terminal
from generator.cli.layouts import layout_of, open_track
from generator.cli.progress import Counter
from generator.tracks import Course, alike_runs, course_of, references, shortenings
from generator.units import summed

Choice = tuple[tuple[int, int], ...]
"""How many tiles leave of which run of tiles that are alike."""


@click.command("shorten")
@click.argument("layout", metavar="LAYOUT")
@click.option("--most", type=click.IntRange(1), help="Take out at most so many tiles at once.")
@click.option("--limit", type=click.IntRange(1), help="Stop after so many choices.")
def command(layout: str, most: int | None, limit: int | None) -> int:
    """Find which tiles can leave a track so that what is left, pushed together, is a circuit.

    Each line is one choice of tiles, the smallest choices first; bend#2 is the second bend that
    lies there. Where several tiles in a row are alike it does not matter which of them leave:
    (4 or 1). The tile with the finish line stays. No choice has a smaller one in it; often two of
    them can leave together, and `removable:` in the layout checks whether they can.
    """
    outcome, component = open_track(layout)
    terminal.show(outcome.diagnostics)
    if component is None:
        return 1
    record = layout_of(component)
    course = course_of(record)
    if not course.is_circuit:
        click.echo(f"{layout} is no circuit, so there is nothing to shorten", err=True)
        return 0
    stay = frozenset(tile["number"] for tile in record["tiles"] if tile["finish"])
    alike, names = alike_runs(course, stay), references(record)
    found = 0
    with Counter() as counter:
        try:
            for choice in islice(_choices(course, stay, alike, most, counter), limit):
                found += 1
                counter.say(_line(choice, alike, names))
        except KeyboardInterrupt:
            counter.end(f"stopped: {_told(found)} so far, there may be more")
            return INTERRUPTED
        if not found:
            counter.end(f"no tiles can leave{f', {most} at most' if most else ''}")
        else:
            ended = f"; there may be more than --limit {limit}" if found == limit else " in all"
            counter.end(_told(found) + ended)
    return 0


def _choices(
    course: Course,
    stay: frozenset[int],
    alike: Sequence[Sequence[int]],
    most: int | None,
    counter: Counter,
) -> Iterator[Choice]:
    run_of = {number: run for run, numbers in enumerate(alike) for number in numbers}
    said: set[Choice] = set()

    def tell(size: int) -> None:
        counter.show(f"looking for sets of {size} tiles, {_told(len(said))}; Ctrl-C stops")

    for leaving in shortenings(course, stay=stay, most=most, report=tell):
        choice = tuple(sorted(Tally(run_of[number] for number in leaving).items()))
        if choice not in said:
            said.add(choice)
            yield choice


def _line(choice: Choice, alike: Sequence[Sequence[int]], names: Mapping[int, str]) -> str:
    """`2 tiles: 3 + (7 or 8)`."""
    parts = []
    for run, count in choice:
        calls = [names[number] for number in alike[run]]
        if count == len(calls):
            parts += calls
        elif count == 1:
            parts.append(f"({' or '.join(calls)})")
        else:
            parts.append(f"({count} of {', '.join(calls)})")
    total = summed(count for _, count in choice)
    return f"{total} tile{'' if total == 1 else 's'}: {' + '.join(parts)}"


def _told(number: int) -> str:
    return f"{number} choice{'' if number == 1 else 's'}"
