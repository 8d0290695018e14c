"""The map of a track."""

import math
import xml.etree.ElementTree as ET
from itertools import pairwise

import pytest
from gridpress_chariot_races.race.setup import DIRECTIONS, RaceType, arena_of
from gridpress_chariot_races.race.simulation import Event
from gridpress_chariot_races.race_report import HEAT, ROAD, heat_map, spots
from packs.shipped import shipped_pack

from generator.model.values import Record
from generator.tracks.courses import surface
from generator.tracks.records import course_of

SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture(scope="module")
def layout() -> Record:
    tracks = shipped_pack("chariot-dash").components["track"]
    found: Record = next(t for t in tracks if t.id == "hourglass").values["layout"]
    return found


def test_spaces_lie_where_the_grid_has_them(layout: Record) -> None:
    found, course = spots(layout), course_of(layout)
    assert set(found) == set(surface(course).spaces)
    cells = sorted(found)
    for one, other in pairwise(cells):
        apart = tuple(b - a for a, b in zip(one, other, strict=True))
        a, b = found[one].middle, found[other].middle
        on_grid = course.grid.distance(apart) * layout["pitch"]
        assert math.dist((a.x, a.y), (b.x, b.y)) == pytest.approx(on_grid, abs=0.01)


def test_the_most_is_darkest_and_nothing_is_road(layout: Record) -> None:
    first, second, *_ = spots(layout)
    svg = heat_map(
        layout, {first: 4.0, second: 2.0}, "losses & co", str, {first: 1}, frozenset({second})
    )
    drawing = ET.fromstring(svg)
    titled = [p for p in drawing.iter(f"{SVG}path") if p.find(f"{SVG}title") is not None]
    assert [p.get("fill") for p in titled] == [HEAT[-1], HEAT[2]]
    assert [p.find(f"{SVG}title").text for p in titled] == ["4.0", "2.0"]  # type: ignore[union-attr]
    assert svg.count(f'fill="{ROAD}"') >= len(spots(layout)) - 2
    words = [text.text for text in drawing.iter(f"{SVG}text")]
    assert {"1", "losses & co", "4.0", "a hazard or obstacle lies there"} <= set(words)


def test_cd_78_debris_of_a_track_lies_there_in_scoring_races_alone() -> None:
    pack = shipped_pack("chariot-dash").components
    track = next(one.values for one in pack["track"] if one.id == "hourglass")
    known = {kind: [one.values for one in of] for kind, of in pack.items()}

    def points(race: str) -> list[int]:
        event = Event(arena_of(track), known, RaceType.of(race))
        cells = event.meet(known["vehicle"][:2], 2).cells
        return sorted(cells["points"][cells["fragile"] > 0].tolist())

    assert points("scoring") == [2, 2, 2, 2, 3, 3, 3, 4]
    assert points("fastest") == []


def test_cd_78_runners_of_a_track_enter_at_its_edge_and_go_straight_across() -> None:
    tracks = shipped_pack("chariot-dash").components["track"]
    arena = arena_of(next(t.values for t in tracks if t.id == "hourglass"))
    assert len(arena.gates) == 6
    for (q, r), way in arena.gates:
        (dq, dr), here = DIRECTIONS[way], arena.inside[q, r]
        lanes = [arena.inside.get((q + n * dq, r + n * dr)) for n in range(-1, 3)]
        assert lanes[0] is None
        assert lanes[2] is not None
        assert abs(lanes[2] - here) == 1
