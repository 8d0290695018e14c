"""`gridpress track solve`: tiles in, every circuit that they make out, a line each; long, since it
reads what a player says of tiles, counts or a pack and its rules, and tells why there is none."""

from __future__ import annotations

import dataclasses
import json
import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any, Final

import click
from msgspec import Struct
from msgspec.structs import replace

from generator import limits
from generator.cli import INTERRUPTED, terminal
from generator.cli.terminal import Counter
from generator.diagnostics import Diagnostic, GridpressError, Span, did_you_mean
from generator.model.pack import Component, Pack
from generator.tracks import (
    GRIDS,
    HEXAGONS,
    MEMORY,
    MOST_MEMORY,
    RANKS,
    SECONDS,
    Candidate,
    Chooser,
    CountError,
    CourseError,
    Demands,
    Hunt,
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

MOST_TILES: Final = 100
"""Of one circuit: the search for larger ones would show nothing for hours."""
_PICKS: Final = 10
"""Of circuits that are chosen, so many when nothing else is said."""
_ON_SHEET: Final = 200
_HINT_SHARE: Final = 4
"""A hint is looked for in this part of the time that the search may take."""
_BOX: Final = re.compile(r"(\d{1,5}(?:\.\d+)?)\s*[x×]\s*(\d{1,5}(?:\.\d+)?)")
_RANGE: Final = re.compile(r"(\d{1,3})(?:\s*(-)\s*(\d{1,3})?)?")


def _box(
    _context: click.Context, _parameter: click.Parameter, text: str | None
) -> tuple[float, float] | None:
    found = _BOX.fullmatch(text.strip()) if text is not None else None
    if text is not None and found is None:
        raise click.BadParameter("a table is such as 900x1200, in mm")
    return (float(found[1]), float(found[2])) if found else None


def _range(
    _context: click.Context, _parameter: click.Parameter, text: str | None
) -> tuple[int, int] | None:
    found = _RANGE.fullmatch(text.strip()) if text is not None else None
    if text is not None and found is None:
        raise click.BadParameter("a number such as 8, or from and to such as 8-12 or 8-")
    if not found:
        return None
    least = int(found[1])
    return least, int(found[3]) if found[3] else MOST_TILES if found[2] else least


_tiles_ = click.IntRange(1, MOST_TILES)


@click.command("solve")
@click.option(
    "--tiles",
    required=True,
    metavar="INVENTORY",
    help="What you have: counts such as '6S 8C' (straights and curves), or a pack, or PACK/KIND.",
)
@click.option(
    "--shape",
    type=click.Choice(list(GRIDS)),
    help="What the counted tiles are: a curve turns 60°, 90° or 45°.  [default: hexagon]",
)
@click.option("--size", type=click.FloatRange(1, 500), help="Of counted tiles, mm.  [default: 80]")
@click.option(
    "--length",
    type=_tiles_,
    help=f"Use just so many of the tiles, {MOST_TILES} at most.  [default: as many as can be]",
)
@click.option("--at-most", type=_tiles_, help="Use no more of the tiles.")
@click.option("--at-least", type=_tiles_, help="Use no fewer of the tiles.")
@click.option("--all-tiles", is_flag=True, help="Use all or find nothing.")
@click.option("--with", "having", multiple=True, metavar="TILE", help="It is laid; repeatable.")
@click.option("--without", multiple=True, metavar="TILE", help="It is not laid; repeatable.")
@click.option("--bends", callback=_range, metavar="N[-M]", help="So many bends, or from N to M.")
@click.option("--fits", callback=_box, metavar="WxH", help="Fits on a table, mm, turned as needed.")
@click.option("--symmetric", is_flag=True, help="Looks the same when turned, or in a mirror.")
@click.option(
    "--start-straight",
    type=click.IntRange(0, MOST_TILES),
    default=0,
    metavar="N",
    help="So many straight pieces lie just before the start.",
)
@click.option(
    "--complete", default="", metavar="COURSE", help="Go on from a course begun, such as 'S S L'."
)
@click.option("--any-start", is_flag=True, help="Also without the grid and line that races need.")
@click.option("--mirror", is_flag=True, help="Count a circuit and its mirror image once.")
@click.option("--limit", type=click.IntRange(1), help="Stop after so many circuits.")
@click.option("--by", type=click.Choice(list(RANKS)), help="The best first.")
@click.option("--spread", type=click.IntRange(1, 500), metavar="N", help="The N that differ most.")
@click.option("--seed", type=click.IntRange(0), help="Pick at random, others with each number.")
@click.option(
    "--memory",
    type=click.IntRange(150, MOST_MEMORY),
    default=MEMORY,
    show_default=True,
    help="Megabytes that the search may take.",
)
@click.option(
    "--seconds",
    type=click.IntRange(1),
    default=SECONDS,
    show_default=True,
    help="Of processor time after which it gives up where it finds none, or none any more.",
)
@click.option(
    "--format",
    "format_",
    type=click.Choice(["text", "yaml", "json"]),
    default="text",
    show_default=True,
    help="text: a course a line; yaml: components to paste; json: an object a line.",
)
@click.option(
    "-o",
    "--output",
    "file",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Draw them on a contact sheet too, a .pdf or .png, numbered as they are listed.",
)
def solve_command(tiles: str, shape: str | None, **asked: Any) -> int:
    """Find all circuits that can be laid from a set of tiles, without repeats.

    A circuit that is another one turned on the table, or started or driven otherwise, is not shown
    again. The words can be pasted into a layout's `course:`. All tiles are used, or where that
    cannot be as many as can. Large sets have very many circuits: they are shown as they are found,
    and Ctrl-C stops with those found so far.
    """
    stock = tile_stock_of(tiles, shape)
    stock = stock.without(asked["without"]) if asked["without"] else stock
    _check(stock, asked)
    file: Path | None = asked["file"]
    if file is not None and file.suffix.lower() not in (".pdf", ".png"):
        raise click.BadParameter("name it .pdf or .png", param_hint="-o")
    with Counter() as counter, limits.at("", limits.ENDLESS):
        hunt = _hunt(stock, asked, counter)
        shown: list[Candidate] = []
        number = most = 0
        try:
            for one in _found(hunt, asked):
                number, most = number + 1, len(one.word)
                counter.say(_line(one, number, hunt, asked))
                if file is not None and number <= _ON_SHEET:
                    shown.append(one)
        except KeyboardInterrupt:
            counter.end(f"stopped: {_circuits(number)} so far, there may be more")
            return INTERRUPTED
        for note in hunt.notes:
            counter.end(note)
        counter.end(_summed_up(hunt, number, most, asked))
    if file is not None and shown:
        from generator.cli.track_commands import write_sheet

        write_sheet(shown, tiles, file)
        if number > len(shown):
            terminal.note(f"on the sheet are the first {len(shown)}")
    return 0


def _check(stock: TileStock, asked: dict[str, Any]) -> None:
    """Raises click.BadParameter for what cannot be asked."""
    owned = stock.inventory.owned
    if not owned:
        raise click.BadParameter("there are no tiles: say such as '6S 8C'", param_hint="--tiles")
    if asked["size"] is not None and not stock.inventory.has_no_calls:
        raise click.BadParameter("a pack says itself how large tiles are", param_hint="--size")
    if asked["length"] is not None:
        if asked["length"] > owned:
            raise click.BadParameter(f"there are only {owned} tiles", param_hint="--length")
        for other in ("at_most", "at_least", "all_tiles"):
            if asked[other]:
                option = "--" + other.replace("_", "-")
                raise click.BadParameter("--length says it already", param_hint=option)
    least, most = asked["at_least"] or 1, asked["at_most"] or MOST_TILES
    if least > min(most, owned):
        message = f"that is more than {'--at-most' if least > most else f'the {owned} tiles'}"
        raise click.BadParameter(message, param_hint="--at-least")
    if asked["all_tiles"] and most < owned:
        message = f"all tiles are {owned}: leave one of the two out"
        raise click.BadParameter(message, param_hint="--at-most")
    if asked["length"] is None and asked["at_most"] is None and owned > MOST_TILES:
        message = f"{owned} tiles are too many for one circuit: add --at-most {MOST_TILES} or fewer"
        raise click.BadParameter(message, param_hint="--tiles")


def _hunt(stock: TileStock, asked: dict[str, Any], counter: Counter) -> Hunt:
    stock = stock.preferring(asked["having"])
    begun, named = stock.begun(asked["complete"])
    wishes = Wishes(
        asked["having"], asked["bends"], asked["fits"], asked["symmetric"], asked["start_straight"]
    )
    demands = Demands() if asked["any_start"] else stock.demands
    pitch = asked["size"] or stock.pitch
    table = asked["fits"]
    return Hunt(
        stock.inventory,
        Chooser(stock.inventory, demands, wishes, pitch, named),
        mirror=asked["mirror"],
        memory=asked["memory"],
        seconds=asked["seconds"],
        begun=begun,
        seed=asked["seed"] or 1,
        symmetric=asked["symmetric"],
        table=(table[0] / pitch, table[1] / pitch) if table else None,
        report=counter.report,
    )


def _found(hunt: Hunt, asked: dict[str, Any]) -> Iterator[Candidate]:
    """The circuits that are asked for, in their order."""
    owned = hunt.inventory.owned
    lengths = _lengths(hunt, asked)
    if len(lengths) > 1:
        lengths = hunt.possible(lengths[0], lengths[-1])
    fixed = _is_fixed(asked)
    said = [some for some in (asked["spread"], asked["limit"]) if some]
    number = min(said, default=None if asked["by"] else _PICKS)
    if asked["by"] or asked["spread"] or asked["seed"] is not None:
        pool = hunt.pool(lengths) if fixed else hunt.longest_pool(owned)
        yield from _chosen(hunt, pool, number, asked)
        return
    some: Iterable[Candidate] = hunt.all_of(lengths) if fixed else hunt.longest(owned)
    yield from islice(some, asked["limit"])


def _is_fixed(asked: dict[str, Any]) -> bool:
    """True when it is said how many tiles circuits have; else they have as many as can be."""
    return asked["all_tiles"] or any(asked[name] for name in ("length", "at_most", "at_least"))


def _chosen(
    hunt: Hunt, pool: list[Candidate], number: int | None, asked: dict[str, Any]
) -> list[Candidate]:
    """So many of a pool: shuffled, ranked, spread."""
    if asked["seed"] is not None:
        Random(hunt.seed).shuffle(pool)  # noqa: S311, no secret
    if asked["by"]:
        pool.sort(key=RANKS[asked["by"]])
    if asked["spread"]:
        pool = most_different(pool, asked["spread"])
        if asked["by"]:
            pool.sort(key=RANKS[asked["by"]])
    return pool[:number]


def _line(one: Candidate, number: int, hunt: Hunt, asked: dict[str, Any]) -> str:
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
            "longest": None if _is_fixed(asked) else not hunt.unsure,
        }
        return json.dumps(values)
    if format_ == "yaml":
        return f"- id: circuit-{number}\n  course: {json.dumps(course, ensure_ascii=False)}"
    return course


def _circuits(number: int) -> str:
    return f"{number} circuit{'' if number == 1 else 's'}"


def _summed_up(hunt: Hunt, number: int, tiles: int, asked: dict[str, Any]) -> str:
    """What came of it, the last of so many tiles, and what to do when that is nothing."""
    if not number:
        return _why_none(hunt, asked)
    if asked["spread"] or asked["by"] or asked["seed"] is not None:
        said = f"{_circuits(number)} chosen"
    elif number == asked["limit"]:
        said = f"{_circuits(number)}; there may be more than --limit {number}"
    else:
        said = f"{_circuits(number)} {'in all' if hunt.is_whole else 'found'}"
    if _is_fixed(asked) or tiles == hunt.inventory.owned:
        return said
    if hunt.unsure:
        looks = f"--length {hunt.unsure[-1]} looks for a longer one"
        return f"{said}; that {tiles} tiles are the most is not proved: {looks}"
    most = hunt.inventory.owned
    # What a search alone rules out has no reason that could be told.
    why = "" if hunt.possible(most, tiles + 1) else hunt.why_none([most])
    return f"{said}; no circuit has more than {tiles} tiles{f': {why}' if why else ''}"


def _why_none(hunt: Hunt, asked: dict[str, Any]) -> str:
    lengths = _lengths(hunt, asked)
    reason = hunt.why_none(lengths)
    if reason:
        said = f"no circuit: {reason}"
    elif hunt.is_whole:
        said = "no circuit is as you ask" if _asks(asked) else "no circuit can be laid"
    else:
        return "no circuit found so far: there may be one"
    works = _that_works(hunt, asked)
    return f"{said}; {works}" if works else said


def _asks(asked: dict[str, Any]) -> bool:
    names = ("having", "without", "bends", "fits", "symmetric", "start_straight", "complete")
    return any(asked[name] for name in names)


def _that_works(hunt: Hunt, asked: dict[str, Any]) -> str:
    """Something to try that was tried and gives circuits."""
    inventory = hunt.inventory
    if asked["length"] or asked["all_tiles"]:
        most = (asked["length"] or inventory.owned) - 1
        found = next(iter(_again(hunt).longest(most)), None)
        if found is None and asked["length"]:
            found = _again(hunt).soon(range(most + 2, min(inventory.owned, most + 5) + 1))
        if found is not None:
            place = " in place of --all-tiles" if asked["all_tiles"] else ""
            return f"--length {len(found.word)}{place} gives one: {found.named}"
    if hunt.chooser.asks and (found := _free(hunt).soon(_lengths(hunt, asked))) is not None:
        return f"--any-start, without what a race needs, gives one: {found.named}"
    return ""


def _lengths(hunt: Hunt, asked: dict[str, Any]) -> Sequence[int]:
    """How many tiles circuits may have that are asked for, the most first."""
    owned = hunt.inventory.owned
    if asked["length"] or asked["all_tiles"]:
        return [asked["length"] or owned]
    return range(min(asked["at_most"] or owned, owned), (asked["at_least"] or 1) - 1, -1)


def _again(hunt: Hunt) -> Hunt:
    return dataclasses.replace(
        hunt, notes=[], is_whole=True, unsure=[], given=0, seconds=hunt.seconds / _HINT_SHARE
    )


def _free(hunt: Hunt) -> Hunt:
    free = hunt.chooser
    chooser = Chooser(free.inventory, Demands(), free.wishes, free.pitch, free.begun)
    return dataclasses.replace(_again(hunt), chooser=chooser)


_COUNTS: Final = re.compile(r"\s*\d")
_HINT: Final = "counts are such as '6S 8C': 6 straights, 8 curves; or name a pack that has tiles"
COUNTED_PITCH: Final = 80.0
"""mm across the flats of tiles of which only the number is known."""


class TileStock(Struct, frozen=True):
    """Tiles with the size of their cells, mm, and what their family asks of circuits."""

    grid: TileGrid
    tiles: tuple[Tile, ...]
    pitch: float
    demands: Demands
    inventory: Inventory

    def without(self, calls: Sequence[str]) -> TileStock:
        """Less these tiles. Raises click.BadParameter for one that is not there."""
        self.known(calls, "--without")
        kept = tuple(tile for tile in self.tiles if tile.call not in calls)
        if not any(tile.owned for tile in kept):
            raise click.BadParameter("nothing is left to lay", param_hint="--without")
        return replace(self, tiles=kept, inventory=inventory_of(self.grid, kept))

    def preferring(self, calls: Sequence[str]) -> TileStock:
        """With these tiles taken before others of their shape. Raises click.BadParameter."""
        if not calls:
            return self
        self.known(calls, "--with")
        tiles = tuple(sorted(self.tiles, key=lambda tile: tile.call not in calls))
        return replace(self, tiles=tiles, inventory=inventory_of(self.grid, tiles))

    def known(self, calls: Sequence[str], option: str) -> None:
        """Raises click.BadParameter for a call that none of the tiles has."""
        names = [tile.call for tile in self.tiles if tile.call and tile.owned]
        for call in calls:
            if call not in names:
                hint = did_you_mean(call, names) if names else "counted tiles have no names"
                raise click.BadParameter(f"there is no tile {call!r}: {hint}", param_hint=option)

    def begun(self, text: str) -> tuple[TileWord, tuple[tuple[Tile, str], ...]]:
        """The course that a text begins, as moves and as tiles. Raises GridpressError (GP902)."""
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
                hint = f"letters such as {' '.join(by_letter)}"
                raise _fault(text, f"{at[0]!r} is no way to go", hint, at[1] + 1)
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
    """The tiles that a text names: counts such as `6S 8C`, a pack, or PACK/KIND.

    Raises GridpressError (GP914), click.BadParameter for a shape of what says it itself.
    """
    if not text.strip() or (_COUNTS.match(text) and not Path(text).is_dir()):
        inventory = inventory_of_counts(text, shape or HEXAGONS.name)
        tiles = tuple(tile for one in inventory.shapes for tile in one.tiles)
        return TileStock(inventory.grid, tiles, COUNTED_PITCH, Demands(), inventory)
    if shape is not None:
        message = "goes with counts such as '6S 8C': a pack says itself what its tiles are"
        raise click.BadParameter(message, param_hint="--shape")
    # What reads packs takes a while to import, and counts do not need it.
    from generator.cli.track_commands import open_yard

    return stock_of_pack(*open_yard(text))


def inventory_of_counts(text: str, shape: str) -> Inventory:
    """Straights and curves of one cell. Raises GridpressError (GP914)."""
    try:
        straights, curves = parse_counts(text)
    except CountError as error:
        raise _no_tiles(text, str(error), _HINT, error.offset + 1) from error
    return straights_and_curves(GRIDS[shape], straights, curves)


def stock_of_pack(pack: Pack, kind: str | None) -> TileStock:
    """All tiles of a pack, or those of one kind. Raises GridpressError (GP914) when there are none,
    or when they do not fit together."""
    found = [c for c in _tiles(pack) if kind in (None, c.kind)]
    if not found:
        name = f"{pack.name}/{kind}" if kind else pack.name
        kinds = sorted({component.kind for component in _tiles(pack)})
        hint = did_you_mean(kind, kinds) if kind and kinds else _HINT
        raise _no_tiles(name, f"there are no tiles in {name}", hint)
    sizes = {(c.values["tile"]["grid"], c.values["tile"]["pitch"]) for c in found}
    if len(sizes) > 1:
        told = ", ".join(sorted(f"{grid}s of {pitch:g} mm" for grid, pitch in sizes))
        hint = f"name one kind: --tiles {pack.name}/{found[0].kind}"
        raise _no_tiles(pack.name, f"these tiles do not fit together: {told}", hint)
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
