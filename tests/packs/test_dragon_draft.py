"""The dragon-draft pack: its counts, the played turn, faces and rings."""

from __future__ import annotations

import csv
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cache
from itertools import combinations, pairwise
from pathlib import Path
from typing import Any

import pytest
import yaml
from packs.gallery import pictures, shown
from packs.shipped import (
    ROOT,
    changed,
    check_faces,
    copied,
    drawn,
    listed,
    opened,
    pack_in,
    printed,
    shipped_pack,
    words,
)
from PIL import ImageChops

from generator.build import Order, draw, open_pack
from generator.cli import run
from generator.model.face import Face
from generator.model.pack import Pack, uncopied
from generator.model.values import Record
from generator.project import Project, Target
from generator.tracks.records import course_of

NAME = "dragon-draft"


@pytest.mark.parametrize(
    ("players", "labels", "copies", "dragons", "characters"),
    [
        (2, "A", 1, 32, 3),
        (3, "AB", 1, 48, 6),
        (4, "ABC", 1, 64, 6),
        (5, "AB", 2, 96, 12),
        (6, "AB", 2, 96, 12),
        (7, "ABC", 2, 128, 12),
        (8, "ABC", 2, 128, 12),
        (None, "ABC", 2, 128, 12),
    ],
)
def test_so_many_players_get_exactly_what_they_need(
    players: int | None, labels: str, copies: int, dragons: int, characters: int
) -> None:
    pack = shipped_pack(NAME, players)
    count = printed(pack)
    for dragon in pack.components["dragon"]:
        assert dragon.quantity == (copies if dragon.values["label"] in labels else 0)
    assert count["dragon"] == dragons
    assert count["character-card"] == characters
    seats = players or 8
    assert count["token"] == {2: 3, 3: 6, 4: 6}.get(seats, 8)
    for kind in ("trophy", "turn-overview"):
        assert count[kind] == seats, kind
    assert count["tile"] == 12


def test_two_players_have_normal_characters_only() -> None:
    for card in shipped_pack(NAME, 2).components["character-card"]:
        assert card.quantity == (0 if card.values["advanced"] else 1)


def test_dragons_are_sixteen_groups_of_four(pack: Pack) -> None:
    dragons = [dragon.values for dragon in pack.components["dragon"]]
    assert len({dragon["name"] for dragon in dragons}) == 64
    assert Counter(dragon["label"] for dragon in dragons) == {"A": 32, "B": 16, "C": 16}
    groups = Counter((d["type"], d["colour"], d["level"]) for d in dragons)
    assert len(groups) == 16
    assert set(groups.values()) == {4}
    attackers = [dragon for dragon in dragons if dragon["attack"]]
    assert {dragon["label"] for dragon in attackers} == {"B"}
    assert all(d["speed"] is None and not d["requirement"] for d in attackers)
    assert max(d["speed"] for d in dragons if not d["attack"]) >= 6


def test_each_level_is_faster_and_dearer(pack: Pack) -> None:
    levels = [level.values for level in pack.components["level"]]
    for key in ("mean_speed", "mean_price"):
        figures = [level[key] for level in levels]
        assert figures == sorted(set(figures))


def test_turns_are_those_of_the_game(pack: Pack) -> None:
    chart = pack.components["turn-chart"][0].values
    assert chart["id"] == pack.options["chart"] == "standard"
    turns = chart["turns"]
    assert [turn["cards"] for turn in turns] == [2 + number for number in range(1, 8)]
    assert [turn["boost"] for turn in turns] == [1, 2, 2, 2, 3, 3, 3]
    turned = ["nothing", *["upper"] * 3, *["lower"] * 3]
    assert [turn["turn_up"] for turn in turns] == turned


def test_supply_and_demand_add_up(pack: Pack) -> None:
    rows = [row.values for row in pack.components["supply"]]
    for setup in pack.components["setup"]:
        mine = [row for row in rows if row["setup"]["id"] == setup.id]
        assert {row["colour"] for row in mine} == {"red", "green", "blue", "gold"}
        assert sum(row["supplied"] for row in mine) == setup.values["cards"]
        asked = sum(dragon["price"] for dragon in setup.values["dragons"])
        assert sum(row["demanded"] for row in mine) == setup.values["copies"] * asked


TURN = 3


def flights(pack: Pack) -> list[dict[str, Any]]:
    return [dict(flight.values) for flight in pack.components["flight"]]


def names(dragons: Any) -> list[str]:
    return [dragon["name"] for dragon in dragons]


def test_the_played_turn_deals_cards_that_are_in_the_deck(pack: Pack) -> None:
    setup = next(s.values for s in pack.components["setup"] if s.values["seats"] == 3)
    turned = [
        tile for tile in pack.components["tile"] if tile.id in ("eagle-stair", "drowned-lane")
    ]
    homes = {(tile.values["type"], tile.values["colour"]) for tile in turned}
    seen: Counter[str] = Counter()
    for flight in flights(pack):
        assert len(flight["kept"]) == 2 + TURN
        assert len(flight["team"]) == pack.options["team"]
        seen.update(names([*flight["team"], *flight["kept"]]))
        for dragon in (*flight["team"], *flight["kept"]):
            assert dragon["label"] in setup["labels"]
            assert dragon["level"] <= 2 or (dragon["type"], dragon["colour"]) in homes
        assert not any(dragon["attack"] for dragon in flight["team"])
    assert set(seen.values()) == {1}


def test_the_played_turn_keeps_the_rules_of_the_race(pack: Pack) -> None:
    raced = flights(pack)
    assert [flight["trophy"]["place"] for flight in raced] == [3, 2, 1]
    for number, flight in enumerate(raced):
        used: list[str] = []
        for go in flight["fired"]:
            need = Counter(go["dragon"]["requirement"])
            own = [flight["who"]["support"]] if go["shield"] else []
            assert need[own[0]] if own else True, "a character never answers an attack alone"
            if go["attacker"]:
                need[go["attacker"]["colour"]] += 1
                assert go["attacker"]["name"] in names(
                    card for earlier in raced[:number] for card in earlier["kept"]
                )
            assert need == Counter([card["colour"] for card in go["by"]] + own)
            used += names(go["by"])
        assert sum(go["shield"] for go in flight["fired"]) <= 1
        assert len(set(used)) == len(used)
        assert set(used) <= set(names(flight["kept"]))
        flown = names(go["dragon"] for go in flight["fired"])
        grounded = set(names(flight["team"])) - set(flown)
        assert grounded == ({flight["failed"]["name"]} if flight["failed"] else set())
        assert flight["out"]["name"] in names(flight["team"])
        assert flight["into"]["name"] in names(flight["kept"])
        assert not flight["into"]["attack"]


def test_the_played_abilities_are_those_of_the_characters(pack: Pack) -> None:
    for flight in flights(pack):
        ability = flight["who"]["ability"]
        attacks = [
            go
            for other in flights(pack)
            for go in other["fired"]
            if go["attacker"] and go["attacker"]["name"] in names(flight["kept"])
        ]
        times = {
            "clean-sweep": int(len(flight["fired"]) == len(flight["team"])),
            "spitfire": len(attacks),
            "turncoat": int(flight["out"]["colour"] != flight["into"]["colour"]),
        }[ability["id"]]
        assert flight["ability"] == times * ability["bonus"] > 0


def test_the_played_boosts_are_counted_from_the_cards(pack: Pack) -> None:
    (page,) = (face for face in drawn(ROOT, NAME, "counts") if face.kind == "rules-page")
    boost = pack.components["turn-chart"][0].values["turns"][TURN - 1]["boost"]
    total = Counter({f["who"]["name"]: f["speeds"] + f["ability"] for f in flights(pack)})
    for land in ("crag", "cinder", "fen", "wood"):
        has = {
            flight["who"]["name"]: sum(
                card["type"] == land for card in (*flight["team"], *flight["kept"])
            )
            for flight in flights(pack)
        }
        best = [name for name, count in has.items() if count == max(has.values())]
        total.update(dict.fromkeys(best, boost if len(best) == 1 else pack.options["tie_boost"]))
    shown = [int(n) for n in re.findall(r"= (\d+)", words(page))]
    assert shown == [total[flight["who"]["name"]] for flight in flights(pack)] == [14, 10, 11]


ONLY = {
    "attacks": ("Attack dragons", {3, 4, 5, 6, 7, 8}),
    "a duel": ("With label A alone", {2, 8}),
    "two copies": ("Use both copies", {5, 6, 7, 8}),
    "one copy": ("2 to 4 players: First return all cards marked II", {8}),
    "spare tokens": ("second of you takes a spare", {5, 6, 7, 8}),
    "Four-in-Hand": ("Four-in-Hand", {3, 4, 5, 6, 7, 8}),
}


@pytest.mark.parametrize("players", [2, 5, 8])
def test_what_holds_for_some_is_printed_for_those(players: int) -> None:
    only = "turn-overview,setup-sheet,summary,boost,seats,steps,characters,race,fire-up,box"
    kinds = ("turn-overview", "setup-sheet", "rules-page")
    shown = words(*drawn(ROOT, NAME, only, players=players, kinds=kinds))
    found = {name: part in shown for name, (part, _) in ONLY.items()}
    assert found == {name: players in seats for name, (_, seats) in ONLY.items()}
    cards = shipped_pack(NAME, players).components["setup"][players - 2].values["cards"]
    assert f" {cards} dragon cards " in shown


def test_sets_of_tiles_are_told_apart_however_they_lie(faces: tuple[Face, ...]) -> None:
    pack = shipped_pack(NAME)
    places = {tile.id: tile.values["place"] for tile in pack.components["tile"]}
    for face in faces:
        if (face.kind, face.name) == ("tile", "back") and places[face.component] != "corner":
            assert words(face) == places[face.component]


SPACE = re.compile(r'translate\(([-\d.]+) ([-\d.]+)\) scale\([\d.]+\)"><circle r="')
LARGEST = 48_000
"""Characters of a face's SVG."""


def test_every_face_is_drawn(faces: tuple[Face, ...]) -> None:
    one = "box ring-map ring-poster rules-page"
    both = (
        "blank-character blank-dragon character-card credits-sheet dragon setup-sheet tile "
        "tile-chart token trophy turn-overview"
    )
    check_faces(faces, {"one": one, "both": both})


@pytest.mark.parametrize(("players", "boxes"), [(3, 1), (8, 2)])
def test_box_holds_the_cards_and_says_what_is_inside(players: int, boxes: int) -> None:
    pack = shipped_pack(NAME, players)
    count = printed(pack)
    cards = sum(count[kind] for kind in ("dragon", "character-card", "trophy"))
    (box,) = pack.components["box"]
    assert box.quantity == boxes
    assert box.values["cards"] * boxes >= cards
    said = words(*drawn(ROOT, NAME, "box/*", players=players, kinds=["box"]))
    for told in (f"2–{players} players", "60 min", "ages 10+", "4 corner tiles"):
        assert told in said
    for kind, name in (("dragon", "dragon cards"), ("character-card", "character cards")):
        assert f"{count[kind]} {name}" in said


def test_cards_of_the_second_copy_are_marked(faces: tuple[Face, ...]) -> None:
    read = [face for face in faces if face.kind in ("dragon", "character-card") and face.words]
    marked = {face.component for face in read if "II" in str(face.words).split()}
    assert marked == {face.component for face in read if uncopied(face.component) != face.component}
    assert len(marked) > 6


def test_backs_hide_what_must_be_hidden(faces: tuple[Face, ...]) -> None:
    backs = [face for face in faces if face.name == "back"]
    assert len({face.svg for face in backs if face.kind in ("dragon", "trophy")}) == 1
    places: dict[str, set[str]] = {}
    for face in backs:
        if face.kind == "tile":
            places.setdefault(place_of(face.component), set()).add(face.svg)
    assert {place: len(found) for place, found in places.items()} == dict.fromkeys(places, 1)
    assert len(places) == 3


def place_of(tile: str) -> str:
    (place,) = (c.values["place"] for c in shipped_pack(NAME).components["tile"] if c.id == tile)
    return str(place)


def test_a_tile_that_turns_over_has_its_spaces_in_the_same_places(
    faces: tuple[Face, ...],
) -> None:
    spaces: dict[str, list[list[tuple[str, str]]]] = {}
    for face in faces:
        if face.kind == "tile":
            spaces.setdefault(face.component, []).append(SPACE.findall(face.svg))
    assert len(spaces) == 12
    for tile, (front, back) in spaces.items():
        is_corner = place_of(tile) == "corner"
        assert len(set(front)) == (4 if is_corner else 5), tile
        assert back == ([] if is_corner else front), tile


def test_each_character_shows_the_turns_of_the_chart(tmp_path: Path) -> None:
    last = "turn_up: lower}\n\n"
    edit = (f"{{cards: 9, boost: 3, {last}", f"{{cards: 8, boost: 5, {last}")
    root = changed(tmp_path, NAME, ("turn-charts.yaml", *edit))
    shown = drawn(root, NAME, "sweepers")
    assert len(shown) == 4
    for face in shown:
        assert re.search(r"7 8 \+5$", words(face))
        assert "Move" in words(face) or "move" in words(face)


def test_the_tile_chart_follows_the_dragons(faces: tuple[Face, ...], tmp_path: Path) -> None:
    shown = words(*(face for face in faces if face.kind == "tile-chart"))
    for row in (ROOT / "cards" / NAME / "dragons.csv").read_text(encoding="utf-8").splitlines()[1:]:
        assert row.split(",")[1] in shown
    root = changed(tmp_path, NAME, ("dragons.csv", ",Pebblecough,", ",Gritgulp,"))
    renamed = words(*drawn(root, NAME, "tile-chart"))
    assert "Gritgulp" in renamed
    assert "Pebblecough" not in renamed


@pytest.mark.parametrize(
    ("players", "cards"), [(2, "label A (32 cards)"), (6, "labels A B (96 cards)")]
)
def test_the_setup_sheet_is_for_those_who_play(players: int, cards: str) -> None:
    shown = words(*drawn(ROOT, NAME, "setup-sheet", players))
    assert f"dragons with {cards}" in shown
    assert ("Use only cards without a star" in shown) == (players == 2)
    assert ("Use both copies" in shown) == (players == 6)


def test_the_words_of_the_rules_follow_the_options(tmp_path: Path) -> None:
    root = changed(tmp_path, NAME, ("pack.yaml", "team: 3", "team: 2"))
    assert "2 dragons" in words(*drawn(root, NAME, "fire-up"))
    assert "3 dragons" in words(*drawn(root, NAME, "characters"))


def test_the_rules_follow_the_turn_chart(faces: tuple[Face, ...], tmp_path: Path) -> None:
    long = changed(tmp_path, NAME, ("pack.yaml", "chart: standard", "chart: long"))
    kinds = ("turn-overview", "rules-page")
    shown = words(*(face for face in faces if face.kind in kinds))
    longer = words(*drawn(long, NAME, kinds=kinds))
    for said in ("(not on turns 5 and 9)", "as many cards as the chart shows", "turns 6 to 8"):
        assert (said in shown, said in longer) == (False, True), said
    assert "2 + the number of the turn" in shown
    assert "2 + the number of the turn" not in longer
    assert re.findall(r"turn 9", longer)
    assert not re.findall(r"turn 7|seven turns", longer)


def test_no_words_are_left_to_be_filled_in(faces: tuple[Face, ...]) -> None:
    assert not re.search(r"&lt;|[#@$]", words(*faces))


def test_the_sides_of_a_token_differ_by_more_than_colour(faces: tuple[Face, ...]) -> None:
    notched = {
        (face.component, face.name): max(
            path.count("M") for path in re.findall(r'd="([^"]*)"', face.svg)
        )
        for face in faces
        if face.kind == "token"
    }
    assert len(notched) == 16
    assert all((count == 24) == (side == "back") for (_, side), count in notched.items())


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
    """As drawn, a corner runs from bottom to right, an upper tile runs right and a lower one left.
    Turned as the templates turn them, each ends where the next begins."""
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


def test_map_names_each_tile_with_the_turn_that_turns_it_up(
    faces: tuple[Face, ...], tmp_path: Path
) -> None:
    maps = {face.component: words(face) for face in faces if face.kind == "ring-map"}
    assert set(maps) == set(RINGS)
    for name, ring in _rings().items():
        told = re.findall(r"turned up on turn (\d)", maps[name])
        assert sorted(told) == ["2", "3", "4", "5", "6", "7"]
        assert all(tile["name"] in maps[name] for tile in ring["tiles"])
        assert f" {ring['spaces']} " in maps[name]
    long = changed(tmp_path, NAME, ("pack.yaml", "chart: standard", "chart: long"))
    faces = drawn(long, NAME, kinds=["ring-map"])
    later = words(*(f for f in faces if f.component in RINGS))
    assert sorted(set(re.findall(r"turned up on turn (\d)", later))) == [
        "2",
        "3",
        "4",
        "6",
        "7",
        "8",
    ]


def test_a_ring_asked_for_brings_its_tiles_its_map_and_its_poster(pack: Pack) -> None:
    assert printed(pack)["ring-poster"] == 1
    faces = _asked_for(ROOT, "long-dusk")
    assert {face.kind for face in faces} == {"tile", "ring-map", "ring-poster"}
    tiles = {face.component for face in faces if face.kind == "tile"}
    assert tiles == {tile["id"] for tile in _rings()["long-dusk"]["tiles"]}


def test_a_new_ring_is_checked(tmp_path: Path) -> None:
    copied(tmp_path, NAME)
    assert run(["new", "ring", "my-ring", "--in", str(tmp_path)]) == 0
    assert len(pack_in(tmp_path, NAME).components["ring"]) == len(RINGS) + 1
    path = tmp_path / "cards" / NAME / "rings" / "my-ring.yaml"
    text = path.read_text("utf-8")
    path.write_text(text.replace("owl-nave\n", "\n"), encoding="utf-8")
    told = opened(tmp_path, NAME).diagnostics
    assert {(str(d.severity), Path(d.span.file).name) for d in told} == {("error", "my-ring.yaml")}


def test_a_new_dragon_takes_the_place_of_a_printed_one(tmp_path: Path) -> None:
    copied(tmp_path, NAME)
    assert run(["new", "dragon", "old-puddle", "--in", str(tmp_path), "--pack", NAME]) == 0
    path = tmp_path / "cards" / NAME / "dragons" / "old-puddle.yaml"
    text = path.read_text("utf-8")
    for colour in ("gold", "violet"):
        path.write_text(text.replace("colour: gold", f"colour: {colour}"), encoding="utf-8")
        assert not opened(tmp_path, NAME).diagnostics
        cards = {card.id: card for card in pack_in(tmp_path, NAME).components["dragon"]}
        assert (cards["old-puddle"].quantity, cards["bogwhistle"].quantity) == (2, 0)
        assert cards["old-puddle"].values["home"]["name"] == "Sallow Marsh"
    path.write_text(path.read_text("utf-8").replace("level: 2", "level: 3"), encoding="utf-8")
    assert any("dragons of a corner" in str(d.hint) for d in opened(tmp_path, NAME).diagnostics)


CARDS = ROOT / "cards" / "dragon-draft"
TEMPLATES = ROOT / "templates" / "dragon-draft"
PARTS = ("pose", "head", "horns", "wings", "tail", "ridge", "pattern", "breath")

DRAGON = """{% from "parts/dragons.svg.j2" import dragon %}
{{ dragon(c, 0, 0, stock.w, stock.h, c.clan, c.id) }}"""
KEEPER = """{% from "parts/characters.svg.j2" import character %}
{{ character(c, 0, 0, stock.w, stock.h, c.clan, c.id) }}"""
TILE = """{% from "parts/tiles.svg.j2" import tile %}
{% set start = c.shape == "corner" %}
{{ tile(c.type, stock.w, stock.h, c.clan, c.spaces, c.shape, c.flow, "ring", start) }}"""
BACK = """{% from "parts/card_back.svg.j2" import card_back %}
{{ card_back(stock.w, stock.h) }}"""


def fields(kind: str) -> dict[str, Any]:
    text = (CARDS / "kinds" / f"{kind}.yaml").read_text(encoding="utf-8")
    return dict(yaml.safe_load(text)["fields"])


def choices() -> dict[str, list[str]]:
    """The choices of each part of a dragon, as the pack's data may use them."""
    return {part: fields("dragon")[part]["choices"] for part in PARTS}


def shipped() -> list[dict[str, str]]:
    with (CARDS / "dragons.csv").open(encoding="utf-8", newline="") as file:
        return [{part: row[part] or "none" for part in PARTS} for row in csv.DictReader(file)]


def mixed(keys: Mapping[str, Sequence[str]], count: int) -> list[dict[str, str]]:
    """Return records that step through the choices of each key at different paces, so that they
    mix."""
    return [
        {key: values[(n + n // len(values) * i) % len(values)]
         for i, (key, values) in enumerate(keys.items())}
        for n in range(count)
    ]  # fmt: skip


def test_any_part_of_a_dragon_goes_with_any_other(tmp_path: Path) -> None:
    clans = fields("dragon")["colour"]["choices"]
    records = mixed({**choices(), "clan": clans}, 72)
    for key, values in choices().items():
        assert {record[key] for record in records} == set(values)
    faces = shown(tmp_path, NAME, "60mm 45mm", [DRAGON], records)
    assert len({face.sha256 for face in faces}) == 72
    assert max(len(face.svg) for face in faces) < 40_000


def test_no_two_dragons_share_a_silhouette(tmp_path: Path) -> None:
    dragons = shipped()
    assert len(dragons) == 64
    faces = shown(tmp_path, NAME, "60mm 45mm", [DRAGON], [{**d, "clan": "violet"} for d in dragons])
    shapes = [
        picture.point(lambda light: 255 * (light < 250))
        for picture in pictures(faces, tmp_path / "png", 36)
    ]
    areas = [sum(shape.histogram()[255:]) for shape in shapes]
    for (a, shape_a), (b, shape_b) in combinations(enumerate(shapes), 2):
        apart = sum(ImageChops.difference(shape_a, shape_b).histogram()[255:])
        assert apart > 0.1 * min(areas[a], areas[b]), (dragons[a], dragons[b])


def test_any_part_of_a_keeper_goes_with_any_other(tmp_path: Path) -> None:
    of = fields("character")["art"]["fields"]
    keys = {key: of[key]["choices"] for key in ("face", "skin", "hair", "hat", "cloak", "tool")}
    clans = [*fields("dragon")["colour"]["choices"], "ink"]
    faces = shown(tmp_path, NAME, "40mm 50mm", [KEEPER], mixed({**keys, "clan": clans}, 48))
    assert len({face.sha256 for face in faces}) == 48


def test_an_uncoloured_side_does_not_tell_the_land(tmp_path: Path) -> None:
    lands = fields("tile")["type"]["choices"]
    records: list[dict[str, Any]] = [
        {"type": land, "clan": None, "spaces": 5, "shape": "straight", "flow": "right"}
        for land in lands
    ]
    faces = shown(tmp_path, NAME, "80mm 80mm", [TILE], records)
    assert len(faces) == len(lands)
    assert len({face.sha256 for face in faces}) == 1


def test_the_back_is_the_same_either_way_up(tmp_path: Path) -> None:
    [face] = shown(tmp_path, NAME, "63.5mm 88.9mm", [BACK], [{"name": "back"}])
    [picture] = pictures([face], tmp_path / "png")
    turned = picture.rotate(180)
    # a pixel at an edge may differ by its antialiasing, a shape may not
    differing = ImageChops.difference(picture, turned).point(lambda d: 255 * (d > 110))
    assert sum(differing.histogram()[255:]) < 0.002 * picture.width * picture.height
    assert sum(picture.histogram()[:60]) > 0.1 * picture.width * picture.height


@pytest.mark.parametrize("ink", ["full", "low", "mono"])
def test_clans_differ_in_lightness(ink: str) -> None:
    styles = yaml.safe_load((TEMPLATES / "styles.yaml").read_text(encoding="utf-8"))
    palette = {**styles["colours"], **styles["ink"].get(ink, {})}
    lights = sorted(lightness(palette[c]) for c in fields("dragon")["colour"]["choices"])
    assert all(b - a > 10 for a, b in pairwise(lights)), lights


def lightness(colour: str) -> float:
    """CIE L* of an sRGB colour."""
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
    y = 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
    return float(116 * y ** (1 / 3) - 16)
