from itertools import combinations, islice

import pytest
from msgspec.structs import replace
from tracks.words import laid

from generator.tracks.courses import Course, CourseEntry, Tile, lay
from generator.tracks.inventory import straights_and_curves
from generator.tracks.pieces import (
    GRIDS,
    HEXAGONS,
    LEFT,
    OCTAGONS,
    RIGHT,
    SQUARES,
    BorderCut,
    TileGrid,
    Way,
    bend,
    straight,
    taper,
)
from generator.tracks.shorten import alike_runs, shortenings
from generator.tracks.solver import circuits

PIECES = {
    "s": straight(HEXAGONS, 2, 3),
    "l": bend(HEXAGONS, LEFT, 2, 3),
    "r": bend(HEXAGONS, RIGHT, 2, 3),
    "n": taper(HEXAGONS, 4, 3, 2, RIGHT),
    "w": taper(HEXAGONS, 4, 2, 3, RIGHT),
    "t": straight(HEXAGONS, 4, 2),
    "f": straight(HEXAGONS, 4, 3),
}


def of_pieces(word: str) -> Course:
    tiles = {c: Tile(c, {"": Way(PIECES[c])}, 9, cut=BorderCut(0.25)) for c in word}
    return lay(HEXAGONS, [(tiles[c], CourseEntry(c)) for c in word])


def minimal(course: Course, stay: frozenset[int] = frozenset()) -> list[tuple[int, ...]]:
    """Return all minimal sets, found by trying each set of tiles."""
    found: list[tuple[int, ...]] = []
    numbers = [n for n in range(1, len(course.tiles) + 1) if n not in stay]
    for size in range(1, len(numbers) + 1):
        for leaving in combinations(numbers, size):
            if not any(set(part) <= set(leaving) for part in found):
                rest = course.without(frozenset(leaving))
                if rest.is_circuit and widths_match(rest):
                    found.append(leaving)
    return found


def widths_match(course: Course) -> bool:
    joints = [*course.joints, *([course.closing] if course.closing else [])]
    return all(j.before.piece.leaves == j.after.piece.enters for j in joints)


@pytest.mark.parametrize(
    "course",
    [
        laid(HEXAGONS, "SSLLLSSLLL"),
        laid(HEXAGONS, "SSLLSLLRLLL"),
        laid(SQUARES, "SSLSLSLRLL"),
        laid(SQUARES, "SSLLRLSLSL"),
        laid(OCTAGONS, "SLSLLLLRLLLL"),
        of_pieces("nwslllffslll"),
        of_pieces("ntwlllfsfslll"),
    ],
)
def test_all_minimal_sets_are_found_the_smallest_first(course: Course) -> None:
    expected = minimal(course)
    assert expected or course.grid is OCTAGONS
    found = list(shortenings(course))
    assert found == sorted(found, key=lambda leaving: (len(leaving), leaving))
    assert found == expected


def test_widths_still_match_where_a_narrow_part_leaves() -> None:
    assert list(shortenings(of_pieces("nwslllffslll"))) == [(3, 9), (1, 2, 7, 8)]


def test_what_is_to_stay_stays() -> None:
    course = laid(SQUARES, "SSLSLSSLSL")
    stay = frozenset({1, 4})
    found = list(shortenings(course, stay=stay))
    assert found == minimal(course, stay) != minimal(course)


def test_no_more_leave_than_asked_for_and_each_size_is_told() -> None:
    course = laid(HEXAGONS, "SSLLSLLRLLL")
    sizes: list[int] = []
    found = list(shortenings(course, most=2, report=sizes.append))
    assert found == [leaving for leaving in minimal(course) if len(leaving) <= 2]
    assert sizes == [1, 2]


def test_what_is_no_circuit_cannot_be_shortened() -> None:
    assert list(shortenings(laid(HEXAGONS, "SSLLL"))) == []
    assert list(shortenings(laid(HEXAGONS, "L" * 6))) == []


@pytest.mark.parametrize("grid", GRIDS.values(), ids=lambda grid: grid.name)
def test_24_tiles_give_their_first_sets_at_once(grid: TileGrid) -> None:
    stock = straights_and_curves(grid, 10, 14)
    course = stock.course(next(circuits(stock)))
    for leaving in islice(shortenings(course), 50):
        assert course.without(frozenset(leaving)).is_circuit


def test_runs_are_tiles_alike_that_follow_each_other() -> None:
    assert alike_runs(laid(HEXAGONS, "SSLLRS")) == ((1, 2), (3, 4), (5,), (6,))
    assert alike_runs(laid(HEXAGONS, "SSSL"), frozenset({2})) == ((1,), (2,), (3,), (4,))


def with_starts(word: str, starts: dict[int, int]) -> Course:
    tiles = [replace(t.tile, starts=starts.get(t.number, 0)) for t in of_pieces(word).tiles]
    return lay(HEXAGONS, [(tile, CourseEntry(tile.call)) for tile in tiles])


def test_the_grid_that_the_vehicles_need_stays() -> None:
    course = with_starts("fflllfflll", {1: 4, 6: 3})
    assert set(shortenings(course)) == {(1, 6), (1, 7), (2, 6), (2, 7)}
    assert set(shortenings(course, starts=4)) == {(2, 6), (2, 7)}
    assert set(shortenings(course, starts=7)) == {(2, 7)}
    assert set(shortenings(course, starts=9)) == {(2, 7)}  # too few as it is: none leave


def test_a_grid_is_no_tile_like_others() -> None:
    assert alike_runs(with_starts("fflll", {}))[0] == (1, 2)
    assert alike_runs(with_starts("fflll", {1: 4}))[:2] == ((1,), (2,))
