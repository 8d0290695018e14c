"""The track of chariot-dash: courses are laid with the pieces that are printed, pieces fit the
paper and each other, and maps and posters show what is laid."""

from __future__ import annotations

import re
from collections import Counter
from functools import cache
from itertools import pairwise
from pathlib import Path

import pytest
from packs.shipped import ROOT, changed, drawn, shipped_pack, words

from generator.build import Order, lay_out, open_pack
from generator.cli import run
from generator.model.face import Face
from generator.model.pack import Component, Pack
from generator.project import Project, Target

NAME = "chariot-dash"
KINDS = ("track-piece", "track-map", "track-poster")
PRINTABLE = {"a4": (200.0, 287.0), "letter": (207.5, 271.0)}
HEXAGON = re.compile(r"M(-?[\d.]+) (-?[\d.]+)l")
RUT = re.compile(r"M(-?[\d.]+) (-?[\d.]+)V")


@cache
def track_faces() -> tuple[Face, ...]:
    """The faces of pieces, maps and posters as they are shipped."""
    return drawn(ROOT, NAME, kinds=KINDS)


def face(kind: str, component: str, name: str = "front") -> Face:
    """One of them."""
    return next(
        f for f in track_faces() if (f.kind, f.component, f.name) == (kind, component, name)
    )


def tracks(pack: Pack) -> dict[str, Component]:
    """The tracks by id."""
    return {track.id: track for track in pack.components["track"]}


def test_there_is_a_track_for_every_race_type(pack: Pack) -> None:
    raced = {track.values["race"]["id"] for track in pack.components["track"]}
    assert raced == {race.id for race in pack.components["race-type"]}
    lanes = {piece.values["width"] for piece in pack.components["track-piece"]}
    assert lanes >= {2, 3, 4, 6}


def test_the_oval_is_four_lanes_round_six_bends(pack: Pack) -> None:
    values = tracks(pack)["oval"].values
    tiles = values["layout"]["tiles"]
    assert values["layout"]["closed"]
    assert values["layout"]["lanes_min"] == 4
    turns = [tile["turn"] for tile in tiles]
    assert (sum(turns), turns.count(0), len(turns)) == (6, 6, 12)
    sides = "".join("S" if turn == 0 else "L" for turn in turns)
    assert re.fullmatch("S+LLLS+LLL", sides)
    assert tiles[0]["starts"] == 8
    assert [tile["number"] for tile in tiles if tile["finish"]] == [2]
    assert [tile["number"] for tile in tiles if tile["removable"]] == [4, 9]


def test_vehicles_start_on_whole_spaces_all_different(pack: Pack) -> None:
    for piece in pack.components["track-piece"]:
        grid, tile = piece.values["grid"], piece.values["tile"]
        places = [tuple(tile["lanes"][g["lane"] - 1][g["step"] - 1]) for g in grid]
        assert len(set(places)) == len(places)
        assert all(y - tile["pitch"] / 2 > -1e-6 for _, y in places)
        ahead = [y for _, y in places]
        assert ahead == sorted(ahead), "pole position is in front"


def test_pieces_are_printed_as_often_as_a_track_needs(pack: Pack) -> None:
    most: Counter[str] = Counter()
    for track in pack.components["track"]:
        most |= Counter(track.values["calls"])
    printed = {piece.id: piece.quantity for piece in pack.components["track-piece"]}
    assert all(printed[call] >= count for call, count in most.items())
    assert sum(printed.values()) - sum(most.values()) <= 4, "more spares than are sensible"


@pytest.mark.parametrize("paper", sorted(PRINTABLE))
def test_every_piece_fits_the_paper(pack: Pack, paper: str) -> None:
    across, along = PRINTABLE[paper]
    for piece in pack.components["track-piece"]:
        assert piece.stock is not None
        short, long = sorted((piece.stock.trim.width, piece.stock.trim.height))
        assert (short <= across, long <= along) == (True, True), piece.id


def test_a_track_asked_for_by_name_prints_what_it_needs() -> None:
    order = Order(only="anvil")
    found = open_pack(Target(Project(ROOT, ROOT), NAME), order)
    assert found.diagnostics == ()
    assert found.value is not None
    asked = {
        (component.kind, component.id): component.quantity
        for kind in KINDS
        for component in found.value.pack.components[kind]
        if component.answers_to("anvil") and component.quantity
    }
    anvil = tracks(shipped_pack(NAME))["anvil"]
    needed = {("track-piece", call): n for call, n in Counter(anvil.values["calls"]).items()}
    assert asked == {**needed, ("track-map", "anvil"): 1, ("track-poster", "anvil"): 1}


def test_every_face_of_the_track_is_drawn() -> None:
    assert {face.kind for face in track_faces()} == set(KINDS)


def test_ruts_go_on_across_every_joint(pack: Pack) -> None:
    ruts: dict[int, set[tuple[float, ...]]] = {}
    for piece in pack.components["track-piece"]:
        tile = piece.values["tile"]
        left, low = tile["entry"][0]
        starts = RUT.findall(face("track-piece", piece.id).svg)
        entered = {round(float(x) - left, 2) for x, y in starts if float(y) > low}
        ruts.setdefault(tile["enters"], set()).add(tuple(sorted(entered)))
    assert {lanes: len(each) for lanes, each in ruts.items()} == dict.fromkeys(ruts, 1)
    assert {lanes: len(next(iter(each))) for lanes, each in ruts.items()} == {
        lanes: 2 * lanes for lanes in ruts
    }


def test_the_map_tells_the_order_and_the_pieces(pack: Pack) -> None:
    for track in pack.components["track"]:
        map_ = face("track-map", track.id)
        said = words(map_)
        layout = track.values["layout"]
        assert track.values["name"] in said
        assert track.values["race"]["name"] in said
        assert f"{round(layout['cells'])} spaces a lap" in said
        assert (track.id == "three-corners") == ("4 to 6 vehicles" in said)
        for call, count in Counter(track.values["calls"]).items():
            assert f"{count}× {call.upper()}" in said
        for before, after in pairwise(layout["tiles"]):
            order = f"{before['number']} {before['call'].upper()} {after['number']} "
            assert order + after["call"].upper() in said
        assert ("may be left out" in said) == any(tile["removable"] for tile in layout["tiles"])
        red = re.findall(r'd="(M[^"]*Z)" fill="#a93a22" fill-opacity=".18"', map_.svg)
        assert red == [tile["outline"] for tile in layout["tiles"] if tile["removable"]]


def test_the_poster_has_every_space_where_it_is_laid(pack: Pack) -> None:
    layout = tracks(pack)["oval"].values["layout"]
    poster = face("track-poster", "oval")
    assert (poster.stock.trim.width, poster.stock.trim.height) == pytest.approx(
        (layout["width"], layout["height"])
    )
    spaces = sum(len(lane) for tile in layout["tiles"] for lane in tile["lanes"])
    lines = re.findall(r'<path d="([^"]*)" fill="none" stroke="#b98d55"', poster.svg)
    assert len(lines) == len(layout["tiles"])
    assert sum(len(HEXAGON.findall(path)) for path in lines) == spaces
    tile = layout["tiles"][0]["component"]["tile"]
    for (x, y), (cx, cy) in zip(
        HEXAGON.findall(lines[0]), (m for lane in tile["lanes"] for m in lane), strict=True
    ):
        assert float(x) + tile["pitch"] / 3**0.5 == pytest.approx(cx, abs=0.01)
        assert float(y) == pytest.approx(cy, abs=0.01)


@pytest.mark.thorough
@pytest.mark.parametrize("track", ["anvil", "long-way-home"])
def test_a_poster_has_its_name_also_where_the_field_within_is_narrow(
    pack: Pack, track: str
) -> None:
    [poster] = drawn(ROOT, NAME, only=track, kinds=["track-poster"])
    assert tracks(pack)[track].values["name"] in words(poster)


@pytest.mark.thorough
def test_pieces_that_lie_close_are_in_nobody_s_way(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """1.33 mm apart, as neighbours are: what else is told of it, is what it has none of."""
    course = "3-r1 3-r3 3-s7 3-r1 3-r3 3-4 4-r1 4-r3 4-3"
    assert run(["new", "track", f"{NAME}/close", "--in", str(tmp_path)]) == 0
    path = next(tmp_path.rglob("close.yaml"))
    text = path.read_text("utf-8")
    path.write_text(re.sub(r"course: >-\n.*\n.*\n", f"course: {course}\n", text), "utf-8")
    capsys.readouterr()
    assert run(["track", "check", f"{tmp_path}/close"]) == 1
    said = capsys.readouterr().err
    assert set(re.findall(r"GP9\d\d", said)) == {"GP908", "GP909", "GP910"}


def test_backs_tell_code_name_and_lanes(pack: Pack) -> None:
    for piece in pack.components["track-piece"]:
        said = words(face("track-piece", piece.id, "back"))
        assert said.startswith(piece.id.upper())
        assert piece.values["name"] in said


@pytest.mark.thorough
@pytest.mark.parametrize("size", ["15", "19.05", "30"])
def test_spaces_of_other_sizes_are_drawn_without_a_finding(size: str, tmp_path: Path) -> None:
    root = changed(tmp_path, NAME, ("pack.yaml", "hex: 25.4 ", f"hex: {size} "))
    faces = drawn(root, NAME, kinds=("track-piece",))
    assert len(faces) == 2 * len(shipped_pack(NAME).components["track-piece"])
    widest = max(face.stock.trim.width for face in faces)
    assert widest < max(face.stock.trim.width for face in track_faces()) * float(size) / 25.4 + 20


@pytest.mark.thorough
def test_the_booklet_shows_large_spaces_as_small_as_others(tmp_path: Path) -> None:
    root = changed(tmp_path, NAME, ("pack.yaml", "hex: 25.4 ", "hex: 50 "))
    [page] = drawn(root, NAME, "rules-page/page-5")
    [scale] = re.findall(r'scale\(([\d.]+)\)"><clipPath id="[^"]*tp1', page.svg)
    [piece] = drawn(root, NAME, "4-start", kinds=("track-piece",))[:1]
    assert 30 < float(scale) * piece.stock.trim.width < 42


@pytest.mark.thorough
def test_what_is_too_large_for_the_paper_is_split(tmp_path: Path) -> None:
    root = changed(tmp_path, NAME, ("pack.yaml", "hex: 25.4 ", "hex: 50 "))
    outcome = lay_out(Target(Project(root, ROOT), NAME), Order(only="4-[sl]?", papers=("a4",)))
    assert outcome.diagnostics == ()
    assert outcome.value is not None
    [run] = outcome.value.runs
    faces = [placement for sheet in run.sheets for placement in sheet.placements]
    assert {p.face.component for p in faces if p.poster is not None} == {"4-s7", "4-l3"}
    assert {p.face.component for p in faces if p.poster is None} >= {"4-s2", "4-l1"}
