"""What a player says of tiles in, the tiles to search with out: counts, or a pack and its rules."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

import click
from msgspec import Struct
from msgspec.structs import replace

from generator.diagnostics import Diagnostic, GridpressError, Span, did_you_mean
from generator.model.pack import Component, Pack
from generator.tracks import (
    GRIDS,
    HEXAGONS,
    CountError,
    CourseError,
    Demands,
    Inventory,
    Tile,
    TileGrid,
    TileWord,
    WrittenStep,
    counted,
    course_words,
    inventory_of,
    parse_counts,
    tile_of,
    tiles_of_steps,
)

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


def stock_of(text: str, shape: str | None) -> TileStock:
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
    from generator.cli.track_lookup import open_yard

    return stock_of_pack(*open_yard(text))


def inventory_of_counts(text: str, shape: str) -> Inventory:
    """Straights and curves of one cell. Raises GridpressError (GP914)."""
    try:
        straights, curves = parse_counts(text)
    except CountError as error:
        raise _no_tiles(text, str(error), _HINT, error.offset + 1) from error
    return counted(GRIDS[shape], straights, curves)


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
