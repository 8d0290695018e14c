"""Records of layouts for tests: tiles and a course in, what templates see as `layout` out."""

from collections.abc import Sequence

from generator.diagnostics import Span
from generator.model.values import Record
from generator.tracks.courses import Laying, Tile, lay
from generator.tracks.grids import HEXAGONS, SQUARES
from generator.tracks.pieces import LEFT, RIGHT, Measures
from generator.tracks.records import Holding, layout_record, tile_record
from generator.tracks.tile_faces import placing

SPAN = Span("track.yaml")


def holding(call: str, measures: Measures, owned: int = 9, **said) -> Holding:
    tile = Tile(call, measures.ways(), owned, measures.reaches_beyond, **said)
    record = tile_record(tile, measures, "up", SPAN)
    if "owned" not in record:
        record.fill({"owned": owned})
    return Holding(tile, measures, "up", "tile", Record({"id": call, "tile": record}, SPAN))


def record(
    holdings: Sequence[Holding],
    course: Sequence[tuple[str, str] | Laying],
    finishes: Sequence[int] = (1,),
    removable: Sequence[int] = (),
    heading: int = 0,
    margin: float = 0.0,
) -> Record:
    by_call = {h.tile.call: h for h in holdings}
    layings = [one if isinstance(one, Laying) else Laying(*one) for one in course]
    grid = holdings[0].measures.grid
    laid = lay(grid, [(by_call[one.call].tile, one) for one in layings])
    used = {one.call: by_call[one.call] for one in layings}
    on_map = placing(
        laid,
        {c: h.measures for c, h in used.items()},
        {c: h.drawn for c, h in used.items()},
        heading,
        margin,
    )
    return layout_record(laid, on_map, holdings, [SPAN] * len(layings), finishes, removable)


def letters(word: str, removable: Sequence[int] = (), **lies: float) -> Record:
    """A track of hexagons of one cell, numbered in the order of travel."""
    holdings = [
        holding(
            str(number),
            Measures(HEXAGONS, 80, turn=0 if letter == "S" else LEFT, either_way=True),
            owned=1,
        )
        for number, letter in enumerate(word, 1)
    ]
    course = [(str(n), x) for n, x in enumerate(word, 1)]
    return record(holdings, course, removable=removable, **lies)


def pieces(removable: Sequence[int] = ()) -> Record:
    """An oval three lanes wide, of six bends and two straights, one of them a start grid."""
    bend = Measures(HEXAGONS, 25, turn=LEFT, enters=3, leaves=3, radius=2, kerb=5)
    straight = Measures(HEXAGONS, 25, length=4, enters=3, leaves=3, kerb=5)
    holdings = [
        holding("grid", straight, owned=1, starts=6),
        holding("plain", straight),
        holding("bend", bend, owned=6),
    ]
    names = ["grid", "bend", "bend", "bend", "plain", "bend", "bend", "bend"]
    return record(holdings, [(n, "L" if n == "bend" else "S") for n in names], removable=removable)


def open_ends() -> Record:
    """Two straights of squares, the second 80 mm too far to the right."""
    holdings = [holding("a", Measures(SQUARES, 40, side=RIGHT, either_way=True))]
    return record(holdings, [("a", "S"), Laying("a", "S", (3, 0), 0)], finishes=())
