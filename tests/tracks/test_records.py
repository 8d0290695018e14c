from typing import Any

from generator.diagnostics import Span
from generator.model.values import Record
from generator.tracks.courses import Course, CourseEntry, Tile, lay
from generator.tracks.pieces import HEXAGONS, TileMeasures
from generator.tracks.records import (
    PoolTile,
    course_of,
    layout_record,
    measures_of,
    tile_of,
    tile_record,
    track_map,
)

PITCH = 82.489
SPAN = Span("pack.yaml", 3, 7)


def pool_tile(call: str, measures: TileMeasures, owned: int, **more: Any) -> PoolTile:
    tile = Tile(call, measures.ways(), owned, measures.cut, **more)
    record = tile_record(tile, measures, "up", SPAN)
    record.fill({"owned": owned})
    component = Record({"id": call, "tile": record}, SPAN)
    return PoolTile(tile, measures, "up", "segment", component)


HOLDINGS = [
    pool_tile("S", TileMeasures(HEXAGONS, PITCH), 3, starts=4, marks=2),
    pool_tile("C", TileMeasures(HEXAGONS, PITCH, turn=1, either_way=True), 6),
    pool_tile("spare", TileMeasures(HEXAGONS, PITCH), 1),
]


def layout() -> tuple[Course, Record]:
    tiles = {h.tile.call: h.tile for h in HOLDINGS}
    steps = [("S", "S"), ("C", "L"), ("C", "L"), ("C", "L")] * 2
    course = lay(HEXAGONS, [(tiles[call], CourseEntry(call, way)) for call, way in steps])
    measures = {h.tile.call: h.measures for h in HOLDINGS}
    on_map = track_map(course, measures, dict.fromkeys(measures, "up"))
    spans = [Span("tracks.yaml", 4, 10 + number) for number in range(len(steps))]
    return course, layout_record(course, on_map, HOLDINGS, spans, [1], [1, 5])


def test_a_tile_comes_back_from_its_record() -> None:
    for held in HOLDINGS:
        record = held.component["tile"]
        assert tile_of(record) == held.tile
        assert measures_of(record) == held.measures


def test_a_course_comes_back_from_its_layout() -> None:
    course, record = layout()
    assert course_of(record) == course


def test_a_layout_says_what_it_is() -> None:
    _, record = layout()
    assert (record["word"], record["closed"], record["turns"]) == ("SLLLSLLL", True, 6)
    assert (record["starts"], record["marks"], record["cells"]) == (8, 4, 8)
    assert (record["lanes_min"], record["pitch"], record["grid"]) == (1, PITCH, "hexagon")
    assert record["spare"] == ["S", "spare"]
    needed = [(n["call"], n["count"], n["kind"]) for n in record["needed"]]
    assert needed == [("S", 2, "segment"), ("C", 6, "segment")]


def test_each_tile_of_a_layout_says_where_it_lies() -> None:
    _, record = layout()
    first, second, *_, last = record["tiles"]
    assert (first["number"], first["call"], first["letter"], first["angle"]) == (1, "S", "S", 90)
    assert (second["angle"], second["turn"], second["heading"]) == (90, 1, 0)
    assert first["component"] is HOLDINGS[0].component
    assert (first["finish"], first["removable"], second["removable"]) == (True, True, False)
    assert last.span == Span("tracks.yaml", 4, 17)
    assert first["lanes"][0][0] == [first["x"], first["y"]]


def test_millimetres_have_four_decimals_and_no_sign_of_nothing() -> None:
    def numbers(value: object) -> list[float]:
        if isinstance(value, tuple | list):
            return [number for item in value for number in numbers(item)]
        if isinstance(value, Record):
            return [n for name in value if name != "component" for n in numbers(value[name])]
        return [value] if isinstance(value, float) else []

    _, record = layout()
    found = numbers(record) + numbers(HOLDINGS[1].component["tile"])
    assert len(found) > 100
    assert all(round(number, 4) == number for number in found)
    assert not any(str(number) == "-0.0" for number in found)
