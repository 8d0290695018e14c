"""`--tiles` in, the inventory that it stands for out."""

from __future__ import annotations

from collections.abc import Iterator

from generator.diagnostics import Diagnostic, GridpressError, Span, did_you_mean
from generator.model.pack import Component, Pack
from generator.tracks.grids import GRIDS
from generator.tracks.inventory import CountError, Inventory, counted, counts, inventory
from generator.tracks.records import tile_of

_HINT = "counts are such as '6S 8C': 6 straights, 8 curves; or name a pack that has tiles"


def of_counts(text: str, shape: str) -> Inventory:
    """Straights and curves of one cell. Raises GridpressError (GP914)."""
    try:
        straights, curves = counts(text)
    except CountError as error:
        raise _fault(text, str(error), _HINT, error.offset + 1) from error
    return counted(GRIDS[shape], straights, curves)


def of_pack(pack: Pack, kind: str | None) -> Inventory:
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
    return inventory(GRIDS[grid], [tile_of(c.values["tile"]) for c in tiles])


def _tiles(pack: Pack) -> Iterator[Component]:
    for kind in pack.kinds.values():
        if kind.is_tile:
            yield from pack.components.get(kind.name, ())


def _fault(text: str, message: str, hint: str, column: int = 1) -> GridpressError:
    return GridpressError(Diagnostic(Span(text, 1, column), "GP914", message, hint))
