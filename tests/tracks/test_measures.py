from dataclasses import replace

import pytest

from generator.tracks.grids import GRIDS, HEXAGONS, OCTAGONS, SQUARES, Grid
from generator.tracks.pieces import LEFT, TileMeasures, bend, straight, taper
from generator.tracks.tile_faces import outline

CURVE = TileMeasures(HEXAGONS, 25.4, turn=1, either_way=True)


def test_a_straight_leads_straight_on() -> None:
    measures = TileMeasures(HEXAGONS, 25.4, length=3, enters=2, leaves=2)
    assert measures.piece() == straight(HEXAGONS, 3, 2)
    assert {letter: way.art for letter, way in measures.ways().items()} == {"S": 0}


def test_a_taper_widens_on_its_side() -> None:
    measures = TileMeasures(SQUARES, 25.4, length=3, enters=2, leaves=3, side=LEFT)
    assert measures.piece() == taper(SQUARES, 3, 2, 3, LEFT)


@pytest.mark.parametrize("grid", GRIDS.values(), ids=lambda grid: grid.name)
@pytest.mark.parametrize("turn", [1, -1])
def test_a_curve_that_goes_either_way_has_its_art_turned_for_the_second(
    grid: Grid, turn: int
) -> None:
    ways = replace(CURVE, grid=grid, turn=turn).ways()
    first, second = "LR" if turn == 1 else "RL"
    assert list(ways) == [first, second]
    assert (ways[first].piece.turn, ways[second].piece.turn) == (turn, -turn)
    assert ways[first].art == 0
    # Entered by its exit: turned until that leads where its entry led before.
    turns = ways[first].piece.grid.turns
    exit_back = turn + turns // 2
    assert (exit_back + ways[second].art) % turns == 0


def test_a_wide_bend_goes_either_way_where_its_ports_are_alike() -> None:
    ways = replace(CURVE, enters=3, leaves=3, radius=2).ways()
    assert ways["R"].piece == bend(HEXAGONS, -1, 2, 3)
    assert len(replace(CURVE, grid=SQUARES, enters=2, leaves=2, radius=1).ways()) == 2


@pytest.mark.parametrize(
    ("measures", "said"),
    [
        (replace(CURVE, length=2), "no length"),
        (replace(CURVE, enters=2, leaves=1), "does not widen"),
        (replace(CURVE, enters=2, leaves=2), "at least one row away"),
        (replace(CURVE, enters=2, leaves=2, radius=2), "even number"),
        (replace(CURVE, enters=3, leaves=3, radius=60), "60 rows"),
        (replace(CURVE, turn=0, radius=1), "no radius"),
        (replace(CURVE, turn=0, enters=1, leaves=3, length=4), "one way"),
        (replace(CURVE, turn=0, enters=1, leaves=3), "two cells"),
        (replace(CURVE, grid=OCTAGONS, turn=0, length=2), "one cell"),
        (replace(CURVE, grid=OCTAGONS, kerb=1), "a kerb of 1 mm: there is no room for one"),
        (replace(CURVE, grid=SQUARES, kerb=1), "no room"),
        (replace(CURVE, grid=SQUARES, radius=1, kerb=13), "12.7 mm is the widest"),
        (replace(CURVE, kerb=7.34), "a kerb of 7.34 mm: 7.33 mm is the widest that fits"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_what_cannot_be_is_refused_in_plain_words(measures: TileMeasures, said: str) -> None:
    with pytest.raises(ValueError, match=said):
        measures.ways()


@pytest.mark.parametrize(("grid", "radius"), [(HEXAGONS, 0), (HEXAGONS, 3), (SQUARES, 1)])
@pytest.mark.parametrize("width", [1, 3])
def test_the_widest_kerb_leaves_an_outline_that_does_not_cross_itself(
    grid: Grid, radius: int, width: int
) -> None:
    bare = TileMeasures(grid, 20, turn=1, radius=radius or (width > 1), enters=width, leaves=width)
    kerbed = replace(bare, kerb=bare.widest_kerb)
    shape = outline(kerbed.piece(), 20, kerbed.kerb)
    along = [point.y for point in shape.left]
    assert along == sorted(along, reverse=True)


def test_only_one_polygon_without_a_kerb_is_a_cell() -> None:
    assert CURVE.is_cell
    assert not any(
        replace(CURVE, **more).is_cell for more in ({"kerb": 1.0}, {"length": 2}, {"radius": 2})
    )
