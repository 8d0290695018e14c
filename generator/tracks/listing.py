"""A track as text: a table of its tiles, a summary and a small map."""

from __future__ import annotations

import math
import textwrap
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from generator.tracks.courses import Course, Joint, LaidTile, Tile
from generator.tracks.gaps import Gap, TrackFlaws, flaws_of
from generator.tracks.pieces import GRIDS, HEXAGONS, TileGrid, Vector
from generator.tracks.records import course_of

WIDEST: Final = 100
"""Characters in a line."""
DOT: Final = "·"
TWICE: Final = "×"
_LARGE: Final = (4, 2)
_SMALL: Final = (2, 1)


def character_map(course: Course, labels: Mapping[int, str]) -> tuple[str, ...]:
    """Return the map of a course, with a label for each tile number, or nothing if it is too wide.

    Dots are other cells of pieces, or where single cells meet. Crosses are cells with two tiles.
    """
    single = all(len(laid.piece.cells) == 1 for laid in course.tiles)
    step = _LARGE if single else _SMALL
    found: dict[tuple[int, int], str] = {}
    covered: Counter[tuple[int, int]] = Counter()
    for laid in course.tiles:
        covered.update(_spot(course.grid, cell, step) for cell in laid.cells)
        cells = laid.cells if not single else ()
        spots = [_spot(course.grid, cell, step) for cell in cells]
        if single:
            here, there = (_spot(course.grid, cell, step) for cell in (laid.place, laid.end))
            spots.append(((here[0] + there[0]) // 2, (here[1] + there[1]) // 2))
        found.update(dict.fromkeys(spots, DOT))
    for laid in course.tiles:
        x, y = _spot(course.grid, _middle(laid), step)
        label = labels[laid.number]
        x -= (len(label) - 1) // 2
        found.update({(x + n, y): char for n, char in enumerate(label)})
    found.update({spot: TWICE for spot, times in covered.items() if times > 1})
    if not found:
        return ()
    left, right = min(x for x, _ in found), max(x for x, _ in found)
    top, bottom = min(y for _, y in found), max(y for _, y in found)
    if right - left >= WIDEST:
        return ()
    rows = (
        (found.get((x, y), " ") for x in range(left, right + 1)) for y in range(top, bottom + 1)
    )
    return tuple("".join(row).rstrip() for row in rows)


def _spot(grid: TileGrid, cell: Vector, step: tuple[int, int]) -> tuple[int, int]:
    """Return the column and row of a cell. Characters are about twice as high as wide."""
    at = grid.point(cell, 1.0)
    row = math.sqrt(3) / 2 if grid is HEXAGONS else 1.0
    return round(at.x * step[0]), round(at.y / row * step[1])


def _middle(laid: LaidTile) -> Vector:
    """Return the cell in the middle of its middle lane."""
    lane = laid.piece.lanes[laid.piece.through[len(laid.piece.through) // 2]]
    return laid.on_table(lane[len(lane) // 2])


_HEAD: Final = ("no.", "tile", "way", "place", "heading", "joint to the next")
_WAYS: Final = {"S": "straight on", "L": "left", "R": "right"}
_SHORT: Final = 3


def track_listing(layout: Mapping[str, Any], pool: Sequence[Tile] = ()) -> tuple[str, ...]:
    """Return the text of a track. Its gaps may be closed with tiles of the pool."""
    course = course_of(layout).turned(layout["heading"])
    drawing = character_map(course, tile_labels(layout))
    wrong = flaws_of(layout, pool)
    by = "the tiles' calls" if _are_calls(layout) else "the order of travel"
    head = (f"map, by {by}:",) if drawing else ()
    parts = (
        _table(layout, course, wrong),
        wrong.lines(_by_number(layout)),
        (line for fact in (*facts(layout), *_roles(layout)) for line in _wrapped(fact)),
        _pasted(layout),
        (*head, *drawing),
    )
    found = [lines for part in parts if (lines := list(part))]
    return tuple(line for lines in found for line in ("", *lines))[1:]


def _are_calls(layout: Mapping[str, Any]) -> bool:
    """Return True if the map shows calls, not numbers."""
    named = tile_labels(layout)
    return all(named[tile["number"]] == tile["call"] for tile in layout["tiles"])


def _pasted(layout: Mapping[str, Any]) -> Iterator[str]:
    """Yield the course to paste, unless its tiles have places of their own."""
    course = course_of(layout)
    if all(joint.meets for joint in course.joints):
        yield "course, to paste:"
        yield from textwrap.wrap(
            " ".join(written_course(layout)), WIDEST, break_on_hyphens=False, break_long_words=False
        )


def written_course(layout: Mapping[str, Any]) -> list[str]:
    """Return each tile as a course names it."""
    found = []
    for tile in layout["tiles"]:
        several = len(tile["component"]["tile"]["ways"]) > 1
        found.append(f"{tile['call']}{tile['letter'] if several else ''}")
    return found


def _by_number(layout: Mapping[str, Any]) -> dict[int, str]:
    """Return `bend (tile 3)` by number."""
    return {tile["number"]: f"{tile['call']} (tile {tile['number']})" for tile in layout["tiles"]}


def tile_labels(layout: Mapping[str, Any]) -> dict[int, str]:
    """Return the map's label of each tile by its number: calls if all are short and different, else
    numbers."""
    calls = [tile["call"] for tile in layout["tiles"]]
    plain = len(set(calls)) == len(calls) and all(len(call) <= _SHORT for call in calls)
    return {n: call if plain else str(n) for n, call in enumerate(calls, 1)}


def references(layout: Mapping[str, Any]) -> dict[int, str]:
    """Return the name of each tile for `removable` and `finish` by its number: `bend#2` for the
    second bend."""
    calls = [tile["call"] for tile in layout["tiles"]]
    return {
        n: call if calls.count(call) == 1 else f"{call}#{calls[:n].count(call)}"
        for n, call in enumerate(calls, 1)
    }


def _table(layout: Mapping[str, Any], course: Course, wrong: TrackFlaws) -> Iterator[str]:
    closing = course.closing if layout["to_close"] or course.is_closed else None
    joints = (*course.joints, closing)
    gaps = {gap.before: gap for gap in wrong.gaps}
    words = written_course(layout)
    rows = [
        _HEAD,
        *(
            _row(laid, word, joint, gaps.get(laid.number))
            for laid, word, joint in zip(course.tiles, words, joints, strict=True)
        ),
    ]
    widths = [max(len(row[column]) for row in rows) for column in range(len(_HEAD))]
    for row in rows:
        cells = zip(row, widths, strict=True)
        yield "  ".join(text.ljust(width) for text, width in cells).rstrip()


def _row(laid: LaidTile, word: str, joint: Joint | None, gap: Gap | None) -> tuple[str, ...]:
    return (
        str(laid.number),
        word,
        _WAYS[laid.letter],
        ", ".join(map(str, laid.place)),
        f"{laid.heading * laid.piece.grid.angle}°",
        gap.text if gap is not None else _joint(joint),
    )


def _joint(joint: Joint | None) -> str:
    if joint is None:
        return "the end"
    leaves, enters = joint.before.piece.leaves, joint.after.piece.enters
    return "ok" if leaves == enters else f"{leaves} lanes onto {enters}"


def facts(layout: Mapping[str, Any]) -> Iterator[str]:
    """Yield the length, size, width, starts and marks of a track, a line each."""
    tiles = layout["tiles"]
    turns = GRIDS[layout["grid"]].angle * layout["turns"]
    kind = "a circuit" if layout["closed"] else "open"
    side = f"{abs(turns)}° to the {'left' if turns > 0 else 'right'}" if turns else "nowhere"
    round_ = "round" if layout["closed"] else "long"
    yield f"{kind} of {len(tiles)} tiles, {layout['cells']:g} cells {round_}, turning {side}"
    width, height = (layout[side] - 2 * layout["margin"] for side in ("width", "height"))
    yield f"{width:.0f} × {height:.0f} mm, cells of {layout['pitch']:g} mm"
    lanes = layout["lanes_min"]
    yield f"{lanes} lane{'' if lanes == 1 else 's'} wide where it is narrowest"
    if layout["starts"]:
        yield f"starts for {layout['starts']} vehicles"
    if layout["marks"]:
        yield f"{layout['marks']} marks for markers"


def _roles(layout: Mapping[str, Any]) -> Iterator[str]:
    """Yield which tiles have the finish line, can be removed, are needed, or are spare."""
    names = references(layout)
    lines, leaving = (
        [names[tile["number"]] for tile in layout["tiles"] if tile[what]]
        for what in ("finish", "removable")
    )
    yield f"finish line on {', '.join(lines) or 'no tile'}"
    if leaving:
        yield f"can leave, all together: [{', '.join(leaving)}]"
    yield f"tiles: {', '.join(needed(layout['needed']))}"
    if layout["spare"]:
        yield f"not used, or not all of them: {', '.join(layout['spare'])}"


def _wrapped(text: str) -> list[str]:
    return textwrap.wrap(text, WIDEST, subsequent_indent="  ", break_on_hyphens=False)


def needed(needed: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """Yield `bend × 4 of 6`: tiles laid of those owned."""
    for entry in needed:
        owned = entry["component"]["tile"]["owned"]
        once = entry["count"] == owned == 1
        yield entry["call"] if once else f"{entry['call']} × {entry['count']} of {owned}"
