"""`gridpress track solve`: tiles in, every circuit that they make out, a line each."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Final

import click

from generator.cli import INTERRUPTED
from generator.cli.progress import Counter
from generator.diagnostics import Diagnostic, GridpressError, Span, did_you_mean
from generator.model.pack import Component, Pack
from generator.tracks import (
    GRIDS,
    HEXAGONS,
    CountError,
    Inventory,
    Word,
    circuits,
    counted,
    counts,
    inventory_of,
    tile_of,
)
from generator.units import summed

MOST_TILES: Final = 100
"""Of one circuit: the search for larger ones would show nothing for hours."""
_FEW: Final = 24
"""Tiles of which circuits are found at once."""
_COUNTS: Final = re.compile(r"\s*\d")


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
@click.option(
    "--length",
    type=click.IntRange(1, MOST_TILES),
    help=f"Use just so many of the tiles, {MOST_TILES} at most; all by default.",
)
@click.option("--mirror", is_flag=True, help="Count a circuit and its mirror image once.")
@click.option("--limit", type=click.IntRange(1), help="Stop after so many circuits.")
@click.option(
    "--format",
    "format_",
    type=click.Choice(["text", "yaml", "json"]),
    default="text",
    show_default=True,
    help="text: a word a line; yaml: components to paste; json: an object a line.",
)
def command(
    tiles: str,
    shape: str | None,
    length: int | None,
    mirror: bool,
    limit: int | None,
    format_: str,
) -> int:
    """Find all circuits that can be laid from a set of tiles, without repeats.

    A circuit that is another one turned on the table, or started or driven otherwise, is not shown
    again. The words can be pasted into a layout's `course:`. Large sets have very many circuits:
    they are shown as they are found, and Ctrl-C stops with those found so far.
    """
    stock = _inventory(tiles, shape)
    if length is not None and length > stock.owned:
        raise click.BadParameter(f"there are only {stock.owned} tiles", param_hint="--length")
    if length is None and stock.owned > MOST_TILES:
        message = f"{stock.owned} tiles are too many for one circuit: add --length {_FEW}, or up to"
        raise click.BadParameter(f"{message} --length {MOST_TILES}", param_hint="--tiles")
    found = 0
    with Counter() as counter:
        words = circuits(stock, length=length, mirror=mirror, report=counter.report)
        try:
            for word in islice(words, limit):
                found += 1
                counter.say(_line(stock, word, found, format_))
        except KeyboardInterrupt:
            counter.end(f"stopped: {_circuits(found)} so far, there may be more")
            return INTERRUPTED
        if found and found == limit:
            counter.end(f"{_circuits(found)}; there may be more than --limit {limit}")
        else:
            counter.end(f"{_circuits(found)} in all" if found else _why_none(stock, length))
    return 0


def _inventory(text: str, shape: str | None) -> Inventory:
    if not text.strip() or (_COUNTS.match(text) and not Path(text).is_dir()):
        return inventory_of_counts(text, shape or HEXAGONS.name)
    if shape is not None:
        message = "goes with counts such as '6S 8C': a pack says itself what its tiles are"
        raise click.BadParameter(message, param_hint="--shape")
    # What reads packs takes a while to import, and counts do not need it.
    from generator.cli.layouts import open_yard

    return inventory_of_pack(*open_yard(text))


def _line(stock: Inventory, word: Word, number: int, format_: str) -> str:
    course = stock.named(word)
    if format_ == "json":
        return json.dumps({"number": number, "course": course, "tiles": len(word)})
    if format_ == "yaml":
        return f"- id: circuit-{number}\n  course: {json.dumps(course, ensure_ascii=False)}"
    return course


def _circuits(number: int) -> str:
    return f"{number} circuit{'' if number == 1 else 's'}"


def _why_none(stock: Inventory, length: int | None) -> str:
    """What to do when there is no circuit."""
    grid = stock.grid
    curves = summed(
        shape.owned
        for number, shape in enumerate(stock.shapes)
        if any(move.piece.turn for move in stock.moves if move.shape == number)
    )
    if curves < grid.turns:
        needed = f"it takes {grid.turns} curves of {grid.angle}° to come round"
        return f"no circuit: {needed}, and there are {curves}"
    if length is None and stock.owned > grid.turns:
        fewer = stock.owned - 1
        return f"no circuit takes all {stock.owned} tiles: try fewer, such as --length {fewer}"
    return "no circuit can be laid with just so many of these tiles: try another --length"


_HINT = "counts are such as '6S 8C': 6 straights, 8 curves; or name a pack that has tiles"


def inventory_of_counts(text: str, shape: str) -> Inventory:
    """Straights and curves of one cell. Raises GridpressError (GP914)."""
    try:
        straights, curves = counts(text)
    except CountError as error:
        raise _fault(text, str(error), _HINT, error.offset + 1) from error
    return counted(GRIDS[shape], straights, curves)


def inventory_of_pack(pack: Pack, kind: str | None) -> Inventory:
    """All tiles of a pack, or those of one kind. Raises GridpressError (GP914) when there are none,
    or when they do not fit together."""
    tiles = [c for c in _tiles(pack) if kind in (None, c.kind)]
    if not tiles:
        name = f"{pack.name}/{kind}" if kind else pack.name
        kinds = sorted({component.kind for component in _tiles(pack)})
        hint = did_you_mean(kind, kinds) if kind and kinds else _HINT
        raise _fault(name, f"there are no tiles in {name}", hint)
    sizes = {(c.values["tile"]["grid"], c.values["tile"]["pitch"]) for c in tiles}
    if len(sizes) > 1:
        told = ", ".join(sorted(f"{grid}s of {pitch:g} mm" for grid, pitch in sizes))
        hint = f"name one kind: --tiles {pack.name}/{tiles[0].kind}"
        raise _fault(pack.name, f"these tiles do not fit together: {told}", hint)
    [(grid, _)] = sizes
    return inventory_of(GRIDS[grid], [tile_of(c.values["tile"]) for c in tiles])


def _tiles(pack: Pack) -> Iterator[Component]:
    for kind in pack.kinds.values():
        if kind.is_tile:
            yield from pack.components.get(kind.name, ())


def _fault(text: str, message: str, hint: str, column: int = 1) -> GridpressError:
    return GridpressError(Diagnostic(Span(text, 1, column), "GP914", message, hint))
