"""`gridpress track solve`: list the circuits of a set of tiles, or say why there is none."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any, Final

import click
from msgspec import Struct
from msgspec.structs import replace

from generator import limits
from generator.cli import INTERRUPTED, terminal
from generator.cli.terminal import ProgressLine
from generator.diagnostics import Diagnostic, GridpressError, Span, did_you_mean
from generator.model.pack import Component, Pack
from generator.tracks import (
    GRIDS,
    HEXAGONS,
    MOST_CIRCUIT_TILES,
    RANKS,
    SECONDS,
    Candidate,
    Chooser,
    CircuitFinder,
    CountError,
    CourseError,
    Demands,
    Inventory,
    Tile,
    TileGrid,
    TileWord,
    Wishes,
    WrittenStep,
    course_words,
    inventory_of,
    most_different,
    parse_counts,
    straights_and_curves,
    tile_of,
    tiles_of_steps,
)

_PICKS: Final = 10
_ON_SHEET: Final = 200
_BOX: Final = re.compile(r"(\d{1,5}(?:\.\d+)?)\s*[x×]\s*(\d{1,5}(?:\.\d+)?)")
_RANGE: Final = re.compile(r"(\d{1,3})(?:\s*(-)\s*(\d{1,3})?)?")


def _box(
    _context: click.Context, _parameter: click.Parameter, text: str | None
) -> tuple[float, float] | None:
    found = _BOX.fullmatch(text.strip()) if text is not None else None
    if text is not None and found is None:
        raise click.BadParameter("write a table such as 900x1200, in mm")
    return (float(found[1]), float(found[2])) if found else None


def _range(
    _context: click.Context, _parameter: click.Parameter, text: str | None
) -> tuple[int, int] | None:
    found = _RANGE.fullmatch(text.strip()) if text is not None else None
    if text is not None and found is None:
        raise click.BadParameter("write a number such as 8, or a range such as 8-12 or 8-")
    if not found:
        return None
    least = int(found[1])
    return least, int(found[3]) if found[3] else MOST_CIRCUIT_TILES if found[2] else least


@click.command("solve")
@click.option(
    "--tiles",
    required=True,
    metavar="INVENTORY",
    help="Your tiles: counts such as '6S 8C' (straights and curves), or a pack, or PACK/KIND.",
)
@click.option(
    "--shape",
    type=click.Choice(list(GRIDS)),
    help="Shape of counted tiles: a curve turns 60°, 90° or 45°.  [default: hexagon]",
)
@click.option(
    "--size", type=click.FloatRange(1, 500), help="Size of counted tiles, mm.  [default: 80]"
)
@click.option(
    "--length",
    callback=_range,
    metavar="N[-M]",
    help=f"Use N tiles, or N to M; {MOST_CIRCUIT_TILES} at most.  [default: as many as possible]",
)
@click.option("--all-tiles", is_flag=True, help="Use all tiles, or find nothing.")
@click.option("--with", "having", multiple=True, metavar="TILE", help="Use this tile; repeatable.")
@click.option("--without", multiple=True, metavar="TILE", help="Do not use this tile; repeatable.")
@click.option("--bends", callback=_range, metavar="N[-M]", help="Use N bends, or N to M.")
@click.option(
    "--fits", callback=_box, metavar="WxH", help="Fit on a table, mm, turned if necessary."
)
@click.option(
    "--start-straight",
    type=click.IntRange(0, MOST_CIRCUIT_TILES),
    default=0,
    metavar="N",
    help="Have this many straights just before the start.",
)
@click.option(
    "--complete", default="", metavar="COURSE", help="Continue a course, such as 'S S L'."
)
@click.option(
    "--any-start", is_flag=True, help="Ignore the rules on grid and finish line of these tiles."
)
@click.option("--mirror", is_flag=True, help="Count a circuit and its mirror image once.")
@click.option("--limit", type=click.IntRange(1), help="Stop after this many circuits.")
@click.option("--by", type=click.Choice(list(RANKS)), help="Sort them, the best first.")
@click.option(
    "--spread", type=click.IntRange(1, 500), metavar="N", help="Find the N that differ most."
)
@click.option(
    "--seed", type=click.IntRange(0), help="Find random circuits; each number finds others."
)
@click.option(
    "--seconds",
    type=click.IntRange(1),
    default=SECONDS,
    show_default=True,
    help="Give up after this many seconds of processor time without a new circuit.",
)
@click.option(
    "--format",
    "format_",
    type=click.Choice(["text", "yaml", "json"]),
    default="text",
    show_default=True,
    help="text: one course per line; yaml: components to paste; json: one object per line.",
)
@click.option(
    "-o",
    "--output",
    "file",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Also draw a contact sheet, a .pdf or .png.",
)
def solve_command(tiles: str, shape: str | None, **asked: Any) -> int:
    """Find the circuits of a set of tiles.

    Each line is a course to paste into a layout. Turned, or with another start or direction, a
    circuit is still the same one. Circuits use all tiles, or as many as possible. Ctrl-C stops and
    keeps those found so far.
    """
    stock = tile_stock_of(tiles, shape)
    stock = stock.without(asked["without"]) if asked["without"] else stock
    _check(stock, asked)
    file: Path | None = asked["file"]
    if file is not None and file.suffix.lower() not in (".pdf", ".png"):
        raise click.BadParameter("name it .pdf or .png", param_hint="-o")
    with ProgressLine() as line, limits.at("", limits.ENDLESS):
        finder = _finder(stock, asked, line)
        shown: list[Candidate] = []
        number = most = 0
        try:
            for one in _found(finder, asked):
                number, most = number + 1, len(one.word)
                line.say(_line(one, number, finder, asked))
                if file is not None and number <= _ON_SHEET:
                    shown.append(one)
        except KeyboardInterrupt:
            line.end(f"stopped: {_circuits(number)} so far, there may be more")
            return INTERRUPTED
        for note in finder.notes:
            line.end(note)
        line.end(_summary(finder, number, most, asked))
    if file is not None and shown:
        from generator.cli.track_commands import write_sheet

        write_sheet(shown, tiles, file)
        if number > len(shown):
            terminal.note(f"the sheet shows the first {len(shown)}")
    return 0


def _check(stock: TileStock, asked: dict[str, Any]) -> None:
    """Raise click.BadParameter if options do not fit together."""
    owned = stock.inventory.owned
    if not owned:
        raise click.BadParameter(
            "there are no tiles: write counts such as '6S 8C'", param_hint="--tiles"
        )
    if asked["size"] is not None and not stock.inventory.has_no_calls:
        raise click.BadParameter("the pack says how large its tiles are", param_hint="--size")
    if asked["length"] is None:
        if owned > MOST_CIRCUIT_TILES:
            hint = f"add --length 1-{MOST_CIRCUIT_TILES}, or fewer"
            message = f"{owned} tiles are too many for one circuit: {hint}"
            raise click.BadParameter(message, param_hint="--tiles")
        return
    least, most = asked["length"]
    if asked["all_tiles"]:
        raise click.BadParameter("leave it out, or leave out --length", param_hint="--all-tiles")
    if not 0 < least <= most <= MOST_CIRCUIT_TILES:
        message = f"write numbers from 1 to {MOST_CIRCUIT_TILES}, the smaller one first"
        raise click.BadParameter(message, param_hint="--length")
    if least > owned:
        raise click.BadParameter(f"there are only {owned} tiles", param_hint="--length")


def _finder(stock: TileStock, asked: dict[str, Any], line: ProgressLine) -> CircuitFinder:
    def report(tried: int, found: int) -> None:
        line.show(f"{tried:,} tiles tried, {found} found; Ctrl-C stops")

    stock = stock.preferring(asked["having"])
    begun, named = stock.begun(asked["complete"])
    wishes = Wishes(asked["having"], asked["bends"], asked["fits"], asked["start_straight"])
    demands = Demands() if asked["any_start"] else stock.demands
    pitch, table = asked["size"] or stock.pitch, asked["fits"]
    return CircuitFinder(
        stock.inventory,
        Chooser(stock.inventory, demands, wishes, pitch, named),
        _lengths(stock.inventory.owned, asked)[0],
        mirror=asked["mirror"],
        seconds=asked["seconds"],
        begun=begun,
        seed=asked["seed"] or 1,
        table=(table[0] / pitch, table[1] / pitch) if table else None,
        report=report,
    )


def _found(finder: CircuitFinder, asked: dict[str, Any]) -> Iterator[Candidate]:
    """Yield the circuits asked for, in order."""
    lengths = _lengths(finder.inventory.owned, asked)
    if len(lengths) > 1:
        lengths = finder.possible(lengths[0], lengths[-1])
    fixed = _is_fixed(asked)
    if not asked["by"] and not asked["spread"] and asked["seed"] is None:
        found = finder.all_of(lengths) if fixed else finder.longest_ones()
        yield from islice(found, asked["limit"])
        return
    pool = finder.pool(lengths) if fixed else finder.longest_pool()
    if asked["seed"] is not None:
        Random(finder.seed).shuffle(pool)  # noqa: S311, no secret
    if asked["by"]:
        pool.sort(key=RANKS[asked["by"]])
    if asked["spread"]:
        pool = most_different(pool, asked["spread"])
        if asked["by"]:
            pool.sort(key=RANKS[asked["by"]])
    given = [some for some in (asked["spread"], asked["limit"]) if some]
    yield from pool[: min(given, default=None if asked["by"] else _PICKS)]


def _is_fixed(asked: dict[str, Any]) -> bool:
    """Return True if the options say how many tiles circuits have."""
    return asked["all_tiles"] or asked["length"] is not None


def _line(one: Candidate, number: int, finder: CircuitFinder, asked: dict[str, Any]) -> str:
    format_ = asked["format_"]
    course = one.named
    if format_ == "json":
        wide, high = one.table
        values = {
            "number": number,
            "course": course,
            "tiles": len(one.word),
            "bends": one.bends,
            "cells": round(one.cells, 2),
            "table_mm": [round(wide), round(high)],
            "symmetry": one.symmetry,
            "longest": None if _is_fixed(asked) else not finder.unproved,
        }
        return json.dumps(values)
    if format_ == "yaml":
        return f"- id: circuit-{number}\n  course: {json.dumps(course, ensure_ascii=False)}"
    return course


def _circuits(number: int) -> str:
    return f"{number} circuit{'' if number == 1 else 's'}"


def _summary(finder: CircuitFinder, number: int, tiles: int, asked: dict[str, Any]) -> str:
    """Say how many circuits there are, the last of so many tiles, or why there is none."""
    if not number:
        return _why_none(finder, asked)
    if asked["spread"] or asked["by"] or asked["seed"] is not None:
        said = f"{_circuits(number)} chosen"
    elif number == asked["limit"]:
        said = f"{_circuits(number)}; there may be more than --limit {number}"
    else:
        said = f"{_circuits(number)} {'in all' if finder.complete else 'found'}"
    most = finder.inventory.owned
    if _is_fixed(asked) or tiles == most:
        return said
    if finder.unproved:
        more = f"--length {finder.unproved[-1]} searches for them"
        return f"{said}; circuits of more than {tiles} tiles may exist: {more}"
    # If only the search rules longer ones out, there is no reason to give.
    why = "" if finder.possible(most, tiles + 1) else finder.why_none([most])
    return f"{said}; no circuit has more than {tiles} tiles{f': {why}' if why else ''}"


def _why_none(finder: CircuitFinder, asked: dict[str, Any]) -> str:
    lengths = _lengths(finder.inventory.owned, asked)
    reason = finder.why_none(lengths)
    names = ("having", "without", "bends", "fits", "start_straight", "complete")
    if reason:
        said = f"no circuit: {reason}"
    elif not finder.complete:
        return "no circuit found so far: there may be one"
    elif any(asked[name] for name in names):
        said = "no circuit meets all your options"
    else:
        said = "no circuit is possible"
    if _is_fixed(asked) and len(lengths) == 1:
        option = "--all-tiles" if asked["all_tiles"] else "--length"
        said = f"{said}; leave out {option} to get the longest ones"
    if finder.chooser.asks:
        said = f"{said}; --any-start ignores the rules on grid and finish line"
    return said


def _lengths(owned: int, asked: dict[str, Any]) -> Sequence[int]:
    """Return the lengths asked for, the longest first."""
    least, most = (owned, owned) if asked["all_tiles"] else asked["length"] or (1, owned)
    return range(min(most, owned), least - 1, -1)


_COUNTS: Final = re.compile(r"\s*\d")
_HINT: Final = "write counts such as '6S 8C' (6 straights, 8 curves), or name a pack with tiles"
COUNTED_PITCH: Final = 80.0
"""Size of counted tiles, mm across the flats."""


class TileStock(Struct, frozen=True):
    """Tiles with the size of their cells in mm and the demands of their kind."""

    grid: TileGrid
    tiles: tuple[Tile, ...]
    pitch: float
    demands: Demands
    inventory: Inventory

    def without(self, calls: Sequence[str]) -> TileStock:
        """Leave out these tiles. Raises click.BadParameter for an unknown one."""
        self.known(calls, "--without")
        kept = tuple(tile for tile in self.tiles if tile.call not in calls)
        if not any(tile.owned for tile in kept):
            raise click.BadParameter("no tiles are left", param_hint="--without")
        return replace(self, tiles=kept, inventory=inventory_of(self.grid, kept))

    def preferring(self, calls: Sequence[str]) -> TileStock:
        """Use these tiles before others of their shape. Raises click.BadParameter."""
        if not calls:
            return self
        self.known(calls, "--with")
        tiles = tuple(sorted(self.tiles, key=lambda tile: tile.call not in calls))
        return replace(self, tiles=tiles, inventory=inventory_of(self.grid, tiles))

    def known(self, calls: Sequence[str], option: str) -> None:
        """Raise click.BadParameter for a call that no tile has."""
        names = [tile.call for tile in self.tiles if tile.call and tile.owned]
        for call in calls:
            if call not in names:
                hint = did_you_mean(call, names) if names else "counted tiles have no names"
                raise click.BadParameter(f"there is no tile {call!r}: {hint}", param_hint=option)

    def begun(self, text: str) -> tuple[TileWord, tuple[tuple[Tile, str], ...]]:
        """Return the begun course as moves and as tiles. Raises GridpressError (GP902)."""
        if not text.strip():
            return (), ()
        moves = self.inventory.moves
        try:
            words = list(course_words(text))
        except CourseError as error:
            raise _fault(text, str(error), error.hint, error.offset + 1) from error
        if self.inventory.has_no_calls:
            by_letter = {move.letter: number for number, move in enumerate(moves)}
            found = [by_letter.get(word.upper()) for word, _ in words]
            if None in found:
                at = words[found.index(None)]
                hint = f"use the letters {' '.join(by_letter)}"
                raise _fault(text, f"{at[0]!r} is not a way", hint, at[1] + 1)
            word = tuple(n for n in found if n is not None)
            return word, tuple(self.inventory.tiles(word))
        steps = [WrittenStep(word) for word, _ in words]
        laid, faults = tiles_of_steps(steps, self.tiles, self.grid)
        if faults:
            raise GridpressError(
                *(
                    Diagnostic(Span(text, 1, words[f.number - 1][1] + 1), f.code, f.message, f.hint)
                    for f in faults
                )
            )
        named = tuple((tile, entry.way) for tile, entry in laid if tile is not None)
        return tuple(self.inventory.move_of(tile, letter) for tile, letter in named), named


def tile_stock_of(text: str, shape: str | None) -> TileStock:
    """Return the tiles of a text: counts such as `6S 8C`, a pack, or PACK/KIND.

    Raises GridpressError (GP914), or click.BadParameter for a shape of a pack's tiles.
    """
    if not text.strip() or (_COUNTS.match(text) and not Path(text).is_dir()):
        inventory = inventory_of_counts(text, shape or HEXAGONS.name)
        tiles = tuple(tile for one in inventory.shapes for tile in one.tiles)
        return TileStock(inventory.grid, tiles, COUNTED_PITCH, Demands(), inventory)
    if shape is not None:
        message = "only for counts such as '6S 8C': the pack says what its tiles are"
        raise click.BadParameter(message, param_hint="--shape")
    # Importing this takes a while, and counts do not need it.
    from generator.cli.track_commands import open_yard

    return stock_of_pack(*open_yard(text))


def inventory_of_counts(text: str, shape: str) -> Inventory:
    """Return counted tiles. Raises GridpressError (GP914)."""
    try:
        straights, curves = parse_counts(text)
    except CountError as error:
        raise _no_tiles(text, str(error), _HINT, error.offset + 1) from error
    return straights_and_curves(GRIDS[shape], straights, curves)


def stock_of_pack(pack: Pack, kind: str | None) -> TileStock:
    """Return the tiles of a pack, or of one kind. Raises GridpressError (GP914) if there are none,
    or if they do not fit together."""
    found = [c for c in _tiles(pack) if kind in (None, c.kind)]
    if not found:
        name = f"{pack.name}/{kind}" if kind else pack.name
        kinds = sorted({component.kind for component in _tiles(pack)})
        hint = did_you_mean(kind, kinds) if kind and kinds else _HINT
        raise _no_tiles(name, f"there are no tiles in {name}", hint)
    sizes = {(c.values["tile"]["grid"], c.values["tile"]["pitch"]) for c in found}
    if len(sizes) > 1:
        listed = ", ".join(sorted(f"{grid}s of {pitch:g} mm" for grid, pitch in sizes))
        hint = f"name one kind: --tiles {pack.name}/{found[0].kind}"
        raise _no_tiles(pack.name, f"these tiles do not fit together: {listed}", hint)
    [(grid, pitch)] = sizes
    tiles = tuple(tile_of(c.values["tile"]) for c in found)
    asked: dict[str, int] = {}
    for name in {component.kind: None for component in found}:
        asked |= pack.kinds[name].circuit
    demands = Demands(
        asked.get("grids"), asked.get("finish_lines"), bool(asked.get("finish_after_grid", True))
    )
    return TileStock(GRIDS[grid], tiles, pitch, demands, inventory_of(GRIDS[grid], tiles))


def _tiles(pack: Pack) -> Iterator[Component]:
    for kind in pack.kinds.values():
        if kind.is_tile:
            yield from pack.components.get(kind.name, ())


def _no_tiles(text: str, message: str, hint: str, column: int = 1) -> GridpressError:
    return GridpressError(Diagnostic(Span(text, 1, column), "GP914", message, hint))


def _fault(text: str, message: str, hint: str, column: int) -> GridpressError:
    return GridpressError(Diagnostic(Span(text, 1, column), "GP901", message, hint))
