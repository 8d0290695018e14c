"""The rings of the dragon-draft pack: they close, go round as the rules say, and are printed as
maps and posters whose faces lie with their spaces on the course."""

from __future__ import annotations

import re
from functools import cache
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

from generator.build import Order, draw, open_pack
from generator.cli import run
from generator.model.face import Face
from generator.model.pack import Pack, Record
from generator.project import Project, Target
from generator.tracks.records import course_of

NAME = "dragon-draft"
RINGS = listed(NAME, "rings.yaml")


@cache
def _rings() -> dict[str, Record]:
    return {c.id: c.values for c in shipped_pack(NAME).components["ring"]}


def _asked_for(root: Path, ring: str) -> tuple[Face, ...]:
    order = Order(only=ring)
    opened = open_pack(Target(Project(root, ROOT), NAME), order).value
    assert opened is not None
    return draw(opened, order).value


@pytest.mark.parametrize("name", RINGS)
def test_a_ring_is_a_circuit_flown_clockwise_from_its_start_line(name: str) -> None:
    layout = _rings()[name]["layout"]
    assert course_of(layout).is_circuit
    assert layout["turns"] == -4
    assert [tile["number"] for tile in layout["tiles"] if tile["finish"]] == [1]
    first = layout["tiles"][0]
    assert first["x"] < layout["width"] / 2
    assert first["y"] > layout["height"] / 2


@pytest.mark.parametrize("name", RINGS)
def test_faces_are_turned_so_that_they_lead_on(name: str) -> None:
    """As drawn a corner comes in at the bottom and leaves to the right, an upper tile runs right, a
    lower one left; turned as the templates turn them, each ends where the next begins."""
    ends = {"corner": (90, 0), "upper": (180, 0), "lower": (0, 180)}
    tiles = _rings()[name]["layout"]["tiles"]
    for tile, after in zip(tiles, [*tiles[1:], tiles[0]], strict=True):
        turned = [(t["angle"] + t["component"]["turned"]) % 360 for t in (tile, after)]
        leaves = (ends[tile["component"]["place"]][1] + turned[0]) % 360
        enters = (ends[after["component"]["place"]][0] + turned[1]) % 360
        assert (leaves - enters) % 360 == 180
        step = {0: (80, 0), 90: (0, 80), 180: (-80, 0), 270: (0, -80)}[round(leaves)]
        assert (after["x"] - tile["x"], after["y"] - tile["y"]) == pytest.approx(step)


def test_straight_tiles_are_upright_and_have_their_land_outside() -> None:
    for ring in _rings().values():
        for tile in ring["layout"]["tiles"]:
            if tile["component"]["place"] != "corner":
                assert (tile["angle"] + tile["component"]["turned"]) % 360 == 0
                upper = tile["y"] < ring["layout"]["height"] / 2
                assert upper == (tile["component"]["place"] == "upper")


@pytest.mark.thorough
def test_map_names_each_tile_with_the_turn_that_turns_it_up(tmp_path: Path) -> None:
    maps = {face.component: words(face) for face in drawn(ROOT, NAME, kinds=["ring-map"])}
    assert set(maps) == set(RINGS)
    for name, ring in _rings().items():
        told = re.findall(r"turned up on turn (\d)", maps[name])
        assert sorted(told) == ["2", "3", "4", "5", "6", "7"]
        assert all(tile["name"] in maps[name] for tile in ring["tiles"])
        assert f" {ring['spaces']} " in maps[name]
    long = changed(tmp_path, NAME, ("pack.yaml", "chart: standard", "chart: long"))
    faces = drawn(long, NAME, kinds=["ring-map", "rules-page", "turn-overview"])
    later = words(*(f for f in faces if f.component in RINGS))
    assert sorted(set(re.findall(r"turned up on turn (\d)", later))) == [
        "2",
        "3",
        "4",
        "6",
        "7",
        "8",
    ]


@pytest.mark.thorough
def test_a_ring_asked_for_brings_its_tiles_its_map_and_its_poster(pack: Pack) -> None:
    assert printed(pack)["ring-poster"] == 1
    faces = _asked_for(ROOT, "long-dusk")
    assert {face.kind for face in faces} == {"tile", "ring-map", "ring-poster"}
    tiles = {face.component for face in faces if face.kind == "tile"}
    assert tiles == {tile["id"] for tile in _rings()["long-dusk"]["tiles"]}


@pytest.mark.thorough
def test_poster_shows_the_uncoloured_sides_when_they_are_up(tmp_path: Path) -> None:
    root = changed(
        tmp_path, NAME, ("rings.yaml", "    lead: Every", "    up: uncoloured\n    lead: Every")
    )
    posters = [
        next(f for f in _asked_for(where, "first-flight") if f.kind == "ring-poster")
        for where in (ROOT, root)
    ]
    coloured, hidden = map(words, posters)
    assert "Glass Sound" in coloured
    assert "Glass Sound" not in hidden
    assert "Smoking Yard" in hidden


def test_tiles_are_as_large_as_the_options_say(tmp_path: Path) -> None:
    root = changed(tmp_path, NAME, ("pack.yaml", "tile_size: 80 ", "tile_size: 70 "))
    pack = pack_in(root, NAME)
    assert {tile.values["tile"]["width"] for tile in pack.components["tile"]} == {70}
    layout = pack.components["ring"][0].values["layout"]
    margin = pack.options["poster_margin"]
    assert layout["width"] == pytest.approx(350 + 2 * margin)
    assert layout["height"] == pytest.approx(140 + 2 * margin)


@pytest.mark.thorough
def test_a_new_ring_is_checked(tmp_path: Path) -> None:
    copied(tmp_path, NAME)
    assert run(["new", "ring", "my-ring", "--in", str(tmp_path)]) == 0
    assert len(pack_in(tmp_path, NAME).components["ring"]) == len(RINGS) + 1
    path = tmp_path / "cards" / NAME / "rings" / "my-ring.yaml"
    text = path.read_text("utf-8")
    path.write_text(text.replace("owl-nave\n", "\n"), encoding="utf-8")
    told = opened(tmp_path, NAME).diagnostics
    assert {(str(d.severity), Path(d.span.file).name) for d in told} == {("error", "my-ring.yaml")}
