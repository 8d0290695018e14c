"""The circuits of the scrap-circuit pack: six of all tiles and two short ones, each with its map,
its tiles and its poster; what lies where on them is what the records say."""

from __future__ import annotations

from functools import cache
from itertools import combinations, pairwise
from pathlib import Path

import pytest
from packs.shipped import (
    ROOT,
    changed,
    copied,
    drawn,
    listed,
    opened,
    pack_in,
    printed,
    shipped_pack,
    words,
)
from tracks.words import canonical

from generator.cli import run
from generator.model.pack import Pack, Record
from generator.tracks.records import course_of

NAME = "scrap-circuit"
TRACKS = listed(NAME, "tracks.yaml")


@cache
def _tracks() -> dict[str, Record]:
    return {c.id: c.values for c in shipped_pack(NAME).components["track"]}


@cache
def _full() -> list[str]:
    return [name for name, track in _tracks().items() if len(track["layout"]["tiles"]) == 14]


def _spaces_of_marks(track: Record) -> list[int]:
    """The spaces that have a Boost mark, counted from the line."""
    found, before = [], 0
    for laid in track["layout"]["tiles"]:
        tile = laid["component"]
        for space in tile["boosts"]:
            place = tile["spaces"] + 1 - space if laid["letter"] == "L" else space
            found.append(before + place)
        before += tile["spaces"]
    return sorted(found)


def test_six_circuits_take_all_tiles_and_are_not_alike() -> None:
    assert [_tracks()[name]["letter"] for name in _full()] == ["A", "B", "C", "D", "E", "F"]
    shapes = {canonical(_tracks()[name]["layout"]["word"], mirror=True) for name in _full()}
    assert len(shapes) == len(_full())
    for name in _full():
        calls = sorted(int(tile["call"]) for tile in _tracks()[name]["layout"]["tiles"])
        assert calls == list(range(1, 15))
        assert not _tracks()[name]["layout"]["spare"]


def test_all_circuits_are_run_clockwise() -> None:
    """More curves to the right than to the left, as many as make a whole turn."""
    assert {track["layout"]["turns"] for track in _tracks().values()} == {-6}
    assert {track["way"] for track in _tracks().values()} == {"clockwise"}


@pytest.mark.parametrize("name", TRACKS)
def test_every_circuit_closes_and_still_does_without_its_removable_tiles(name: str) -> None:
    layout = _tracks()[name]["layout"]
    course = course_of(layout)
    assert course.is_circuit
    leaving = frozenset(tile["number"] for tile in layout["tiles"] if tile["removable"])
    assert course.without(leaving).is_circuit
    assert len(leaving) == len(_tracks()[name]["removable"])
    assert bool(leaving) == (name != "coffee-break")


@pytest.mark.parametrize("name", TRACKS)
def test_the_finish_line_is_on_a_straight_that_stays(name: str) -> None:
    tiles = _tracks()[name]["layout"]["tiles"]
    assert [tile["number"] for tile in tiles if tile["finish"]] == [1]
    assert tiles[0]["component"]["lane"]["shape"] == "straight"
    assert not tiles[0]["removable"]


@pytest.mark.parametrize("name", TRACKS)
def test_the_first_spaces_are_clear_of_marks_and_they_are_spread(name: str) -> None:
    track = _tracks()[name]
    marks, lap = _spaces_of_marks(track), track["spaces"]
    assert marks[0] > 6
    apart = [(after - before) % lap for before, after in pairwise([*marks, marks[0]])]
    longest = max(apart)
    if name == "dead-battery":
        assert f"{longest - 1} spaces".replace("16", "Sixteen") in track["lead"]
    else:
        assert sorted(apart)[:-1] == [a for a in sorted(apart)[:-1] if 3 <= a <= 5]
        assert longest <= 7


def test_faces_lie_with_their_lanes_on_the_course() -> None:
    """A face turned as the record says leads from the tile before into the one after."""
    for track in _tracks().values():
        tiles = track["layout"]["tiles"]
        for tile, after in zip(tiles, [*tiles[1:], tiles[0]], strict=True):
            ends = {_rounded(after["entry"][0]), _rounded(after["entry"][1])}
            assert {_rounded(end) for end in tile["exit"]} == ends


def _rounded(point: tuple[float, float]) -> tuple[float, float]:
    return round(point[0], 2), round(point[1], 2)


def test_tiles_are_hexagons_of_the_size_in_the_options(pack: Pack, tmp_path: Path) -> None:
    root = changed(tmp_path, NAME, ("pack.yaml", "tile_size: 82.489", "tile_size: 70"))
    small = pack_in(root, NAME)
    for found, across in ((pack, 82.489), (small, 70.0)):
        for tile in found.components["segment"]:
            assert tile.values["tile"]["height"] == pytest.approx(across)
            assert tile.values["tile"]["width"] == pytest.approx(across * 2 / 3**0.5, abs=1e-3)
        track = found.components["track"][0].values["layout"]
        pairs = combinations([(tile["x"], tile["y"]) for tile in track["tiles"]], 2)
        nearest = min(((a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2) ** 0.5 for a, b in pairs)
        assert nearest == pytest.approx(across, abs=1e-3)


@pytest.mark.thorough
def test_maps_tell_all_that_a_table_needs() -> None:
    maps = {face.component: words(face) for face in drawn(ROOT, NAME, kinds=["track-map"])}
    assert set(maps) == set(TRACKS)
    for name, track in _tracks().items():
        text = maps[name]
        for told in (track["name"], track["letter"], track["lead"]):
            assert told in text
        laps = shipped_pack(NAME).options["laps"]
        for number in (track["spaces"], track["spaces"] * laps, track["layout"]["marks"]):
            assert f" {number} " in text
        assert ("A shorter race" in text) == bool(track["removable"])
        if track["removable"]:
            leaving = sorted(map(int, track["removable"]))
            assert f"Leave out {leaving[0]}" in text
            assert f"and {leaving[-1]}, push" in text
            assert f"{14 if name in _full() else 10} tiles" in text
            assert f"{track['shorter']} spaces a lap." in text


def test_maps_are_printed_of_small_tiles_and_of_many(tmp_path: Path) -> None:
    last = "lane: curve, boosts: [3]}\n"
    more = (f"  - {{id: straight-{n}, number: {n}, lane: straight}}\n" for n in range(15, 21))
    long = """components:
  - id: long
    letter: Z
    name: Long
    course: 1 2 3 4 5 6 7R 8R 9R 15 16 17 18 19 20 10R 11R 12R
    finish: 1
    removable: [2, 15]
    lead: Once around the yard.
    advice: Do not look back.
"""
    root = changed(
        tmp_path,
        NAME,
        ("pack.yaml", "tile_size: 82.489", "tile_size: 40"),
        ("pack.yaml", "straights: 6", "straights: 12"),
        ("segments.yaml", f"number: 14, {last}", f"number: 14, {last}{''.join(more)}"),
        ("tracks.yaml", "components:\n", long),
    )
    found = drawn(root, NAME, only="long", kinds=["track-map"])
    [text] = [words(face) for face in found]
    assert "16 tiles, 48 spaces a lap." in text


def test_posters_are_printed_only_when_asked_for(tmp_path: Path) -> None:
    assert printed(shipped_pack(NAME))["track-poster"] == 1
    root = changed(tmp_path, NAME, ("pack.yaml", "posters: [coffee-break]", "posters: [crowbar]"))
    posters = pack_in(root, NAME).components["track-poster"]
    assert [o.id for poster in posters if poster.quantity for o in poster.origins] == ["crowbar"]


def test_one_circuit_is_printed_with_its_tiles_its_map_and_its_poster() -> None:
    faces = drawn(ROOT, NAME, "half-shift")
    assert {face.kind for face in faces} == {"segment", "track-map", "track-poster"}
    tiles = {face.component for face in faces if face.kind == "segment"}
    needed = _tracks()["half-shift"]["layout"]["needed"]
    assert len(tiles) == len(needed) == 10
    assert tiles == {entry["component"]["id"] for entry in needed}


@pytest.mark.thorough
def test_a_new_circuit_can_be_made_and_is_checked(tmp_path: Path) -> None:
    copied(tmp_path, NAME)
    assert run(["new", "track", "scrap-lane", "--in", str(tmp_path)]) == 0
    tracks = pack_in(tmp_path, NAME).components["track"]
    assert len(tracks) == len(TRACKS) + 1
    path = tmp_path / "cards" / NAME / "tracks" / "scrap-lane.yaml"
    text = path.read_text("utf-8")
    path.write_text(text.replace("12R", "12L"), encoding="utf-8")
    told = opened(tmp_path, NAME).diagnostics
    assert {(str(d.severity), Path(d.span.file).name) for d in told} == {
        ("error", "scrap-lane.yaml")
    }
