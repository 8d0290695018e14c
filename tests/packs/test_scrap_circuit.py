"""The scrap-circuit pack: its counts, worked turns, faces and circuits."""

from __future__ import annotations

import cmath
import itertools
import math
import re
from collections import Counter
from functools import cache
from itertools import pairwise
from pathlib import Path

import pytest
import yaml
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
    said,
    shipped_pack,
    words,
)
from tracks.words import canonical

from generator.cli import run
from generator.model.face import Face
from generator.model.pack import Pack
from generator.model.values import Record
from generator.preflight.colour_sight import Sight, apart
from generator.tracks.records import course_of

NAME = "scrap-circuit"


def test_box_holds_the_whole_inventory(pack: Pack) -> None:
    count = printed(pack)
    assert count["segment"] == 14
    shapes = Counter(c.values["lane"]["shape"] for c in pack.components["segment"])
    assert shapes == {"straight": 6, "curve": 8}
    assert count["character"] == count["standee"] == 6
    assert count["lap-marker"] == 18
    assert (count["finish-line"], count["start-marker"]) == (1, 1)
    assert count["goal-card"] == 16
    assert {c.values["value"]: c.quantity for c in pack.components["goal-card"]} == {
        2: 4, 3: 4, 5: 4, 7: 4,
    }  # fmt: skip
    assert count["bonus-card"] == 28
    assert len(pack.components["bonus-card"]) == 6
    assert count["bonus-marker"] == 17
    assert [c.quantity for c in pack.components["boost-marker"]] == [6, 6, 6]
    assert count["die-face"] == 36
    assert count["box"] == 1


def test_crash_decks_have_their_sizes_and_get_worse(pack: Pack) -> None:
    sizes: Counter[str] = Counter()
    for card in pack.components["crash-card"]:
        sizes[card.values["deck"]["label"]] += card.quantity
    assert sizes == {"1/2": 18, "3/4": 18, "5/6": 20}
    worth = {c.values["label"]: c.values["worth"] for c in pack.components["crash-deck"]}
    assert worth["1/2"] > worth["3/4"] > worth["5/6"]


@pytest.mark.parametrize(("players", "racers"), [(2, 4), (3, 6), (4, 4), (5, 5), (6, 6)])
def test_print_for_some_players_takes_their_racers_only(players: int, racers: int) -> None:
    pack = shipped_pack(NAME, players)
    count = printed(pack)
    assert count["character"] == count["standee"] == racers
    assert count["lap-marker"] == 3 * racers
    assert count["turn-sheet"] == players
    assert count["glossary-sheet"] == -(-players // 2)
    assert (count["goal-card"], count["crash-card"], count["bonus-card"]) == (16, 56, 28)
    used = [c.values["order"] for c in pack.components["character"] if c.quantity]
    assert used == list(range(1, racers + 1))


def test_sets_print_the_cards_more_than_once(tmp_path: Path) -> None:
    root = changed(tmp_path, NAME, ("pack.yaml", "  sets: 1\n", "  sets: 2\n"))
    count = printed(pack_in(root, NAME))
    assert (count["crash-card"], count["goal-card"], count["bonus-card"]) == (112, 32, 56)
    assert (count["boost-marker"], count["bonus-marker"]) == (36, 34)
    assert (count["segment"], count["character"]) == (14, 6)


def test_the_worked_turns_of_the_booklet_are_true(pack: Pack) -> None:
    """The spaces, cards and markers that they name exist in circuit A and the decks."""
    of = {kind: {c.id: c.values for c in found} for kind, found in pack.components.items()}
    shown = {
        page: [
            {at["racer"]["id"]: at["space"] for at in block["shows"]}
            for block in of["rules-page"][page]["blocks"]
            if block["shows"]
        ]
        for page in ("line", "move-example", "crash-example")
    }
    spaces = []
    for laid in pack.components["track"][0].values["layout"]["tiles"]:
        tile = laid["component"]
        places = range(tile["spaces"], 0, -1) if laid["letter"] == "L" else range(1, 4)
        spaces += [n in tile["boosts"] for n in places]
    assert len(spaces) == 42
    picture = next(b for b in of["rules-page"]["line"]["blocks"] if b["figure"] == "in-play")
    refill = of["rules-page"]["move-example"]["blocks"][-1]["text"]
    assert "two marks are empty, {} and {}.".format(*picture["empty"]) in str(refill)
    assert [spaces[n - 1] for n in (*picture["empty"], 39, 1, 2)] == [True] * 3 + [False] * 2

    start, moved, fought, goal = shown["move-example"]
    assert shown["line"] == [start]
    dice, nudge = 5 + 2 + 3, of["bonus-card"]["nudge"]["spaces"]
    assert moved == {**start, "red-letter": start["red-letter"] + dice + nudge}
    assert start["red-letter"] < start["stray-voltage"] < start["overflow"] < moved["red-letter"]
    ability = of["character"]["red-letter"]["ability"]
    assert ability["when"] == "pass"
    assert moved["red-letter"] + ability["number"] == start["night-shift"] == 42
    assert fought == {**moved, "red-letter": 1}
    closing = of["goal-card"]["closing-up"]
    assert closing["movers"] == "all-but-first-two"
    behind = {name: fought[name] + closing["value"] for name in ("overflow", "stray-voltage")}
    assert goal == {**fought, **behind}

    crashed, shunted, towed = shown["crash-example"]
    assert crashed == goal
    shunt = of["crash-card"]["smoke-push-5"]
    assert crashed["overflow"] + shunt["number"] >= crashed["night-shift"]
    after = (crashed["night-shift"] + shunt["second"]) % 42
    assert shunted == {**crashed, "overflow": crashed["night-shift"], "night-shift": after}
    assert shunt["deck"]["label"] == "3/4"
    tow = of["goal-card"]["tow-rope"]
    assert tow["movers"] == "last"
    assert towed == {**shunted, "stray-voltage": shunted["stray-voltage"] + tow["value"]}
    assert pack.options["bonus_cost"] == 3


CARDS = ROOT / "cards" / "scrap-circuit"


def art() -> dict[str, list[str]]:
    """Return the choices of each key of an art record that has some."""
    kind = yaml.safe_load((CARDS / "kinds" / "character.yaml").read_text(encoding="utf-8"))
    fields = kind["fields"]["art"]["fields"]
    return {key: field["choices"] for key, field in fields.items() if "choices" in field}


def racers() -> list[dict[str, str]]:
    """Return the shipped racers."""
    text = (CARDS / "characters.yaml").read_text(encoding="utf-8")
    found: list[dict[str, str]] = yaml.safe_load(text)["components"]
    return found


@pytest.mark.parametrize("shift", [0, 3])
def test_parts_go_with_each_other(tmp_path: Path, shift: int) -> None:
    """Each racer gets parts that no shipped racer combines; every part occurs."""
    root = copied(tmp_path, NAME)
    choices = art()
    seen: set[str] = set()
    path = root / "cards" / "scrap-circuit" / "characters.yaml"
    turns = itertools.count(shift)

    def mixed(_: re.Match[str]) -> str:
        n = next(turns)
        parts = {
            key: named[(n if key == "emblem" else n * (1 + i % 2) + i) % len(named)]
            for i, (key, named) in enumerate(choices.items())
        }
        seen.update(f"{key} {value}" for key, value in parts.items())
        return f"art: {{{', '.join(f'{k}: {v}' for k, v in parts.items())}, number: {n}}}"

    text, count = re.subn(r"art: \{[^}]*\}", mixed, path.read_text(encoding="utf-8"))
    assert count == len(racers())
    path.write_text(text, encoding="utf-8")
    kinds = ("character", "standee", "lap-marker")
    standees = [face.svg for face in drawn(root, NAME, kinds=kinds) if face.kind == "standee"]
    assert len(set(standees)) == len(standees) == count
    assert len(seen) > 30


def ends(svg: str, shape: str) -> set[tuple[tuple[int, int], tuple[int, int]]]:
    """Return the start and end of each long line of a segment's lane, in 1/100 mm. Each is seen
    with the tile turned so that the side crossed there is at the bottom."""
    number = r"(-?[\d.]+)"
    found = set()
    if shape == "straight":
        for x, y, top in re.findall(rf'd="M{number} {number}V{number}"', svg):
            found.add((complex(float(x), float(y)), complex(float(x), float(top)), math.pi))
    else:
        two = f"{number} {number}"
        path = rf'd="M{two}V{number}A{two} 0 0 1 {two}l{two}"'
        for x, y, _, _, _, ax, ay, dx, dy in re.findall(path, svg):
            end = complex(float(ax) + float(dx), float(ay) + float(dy))
            found.add((complex(float(x), float(y)), end, math.pi * 2 / 3))
    below = set()
    for start, end, turn in found:
        turned = end * cmath.exp(1j * turn)
        below.add(
            (
                (round(start.real * 100), round(start.imag * 100)),
                (round(turned.real * 100), round(turned.imag * 100)),
            )
        )
    return below


def test_lanes_meet_at_every_pair_of_tiles(faces: tuple[Face, ...]) -> None:
    """Both ends of both shapes cross a side at the same places, which mirror each other: so any
    two tiles fit, whichever ends are put together."""
    segments = [face for face in faces if face.kind == "segment"]
    fronts = {
        shape: next(
            lines
            for face in segments
            if face.component.startswith(shape) and len(lines := ends(face.svg, shape)) > 4
        )
        for shape in ("straight", "curve")
    }
    # the lamps of a straight are uprights too, but they do not reach the side
    reach = max(y for (_, y), _ in fronts["curve"])
    crossing = {
        shape: (
            {x for (x, y), _ in lines if y == reach},
            {x for _, (x, y) in lines if abs(y - reach) <= 1},
        )
        for shape, lines in fronts.items()
    }
    entry = crossing["straight"][0]
    assert len(entry) >= 5
    for begins, finishes in crossing.values():
        assert begins == entry
        assert {round(x / 2) for x in finishes} == {round(x / 2) for x in entry}
    assert {-x for x in entry} == entry


@pytest.mark.parametrize("sight", Sight)
def test_colours_of_the_racers_differ_for_every_eye(sight: Sight) -> None:
    colours = [racer["colour"] for racer in racers()]
    pairs = list(itertools.combinations(colours, 2))
    assert len(pairs) == 15
    assert [pair for pair in pairs if apart(*pair, sight) < 10] == []


def test_every_face_is_drawn(faces: tuple[Face, ...]) -> None:
    one = "box standee finish-line die-face rules-page track-map track-poster"
    both = (
        "segment character start-marker lap-marker boost-marker bonus-marker goal-card bonus-"
        "card crash-card turn-sheet glossary-sheet credits-sheet"
    )
    check_faces(faces, {"one": one, "both": both})


def test_box_says_who_can_play_and_what_is_inside(faces: tuple[Face, ...]) -> None:
    box = words(*(face for face in faces if face.kind == "box"))
    for told in ("2–6 players", "45 min", "ages 8+", "56 crash cards", "17 bonus markers"):
        assert told in box


@pytest.mark.parametrize("title", ["Rust Heap 2", "Rustyard"])
def test_a_title_without_drawn_letters_is_set_in_type(title: str, tmp_path: Path) -> None:
    shipped = words(*drawn(ROOT, NAME, "box"))
    assert "Scrap Circuit" not in shipped
    root = changed(tmp_path, NAME, ("pack.yaml", "title: Scrap Circuit", f"title: {title}"))
    assert said(root, NAME, "box").count(title) == 5
    assert title in said(root, NAME, "cover")


def test_segment_has_its_number_on_the_back(faces: tuple[Face, ...]) -> None:
    backs = {f.component: words(f) for f in faces if f.kind == "segment" and f.name == "back"}
    assert len(backs) == 14
    assert all(back == component.split("-")[1] for component, back in backs.items())


def test_crash_card_shows_rule_bonus_marker_and_deck(faces: tuple[Face, ...]) -> None:
    cards = [f for f in faces if f.kind == "crash-card"]
    fronts = {f.component: words(f) for f in cards if f.name == "front"}
    backs = {f.component: words(f) for f in cards if f.name == "back"}
    assert all("Take 1 bonus marker" in front for front in fronts.values())
    elbow = "First the racer in front of you moves back 2. Then you move 5."
    assert elbow in fronts["dents-forward-back"]
    assert all("You move" in fronts[f"dents-advance-{n}"] for n in (2, 3, 5))
    for component, label in (("dents", "1/2"), ("smoke", "3/4"), ("fire", "5/6")):
        of_deck = [back for name, back in backs.items() if name.startswith(component)]
        assert of_deck
        assert all(label in back.replace(" ", "") for back in of_deck)


def test_odds_are_those_of_the_die(faces: tuple[Face, ...], tmp_path: Path) -> None:
    back = words(*(f for f in faces if f.component == "turn-sheet"))
    for chance in ("100 %", "83 %", "56 %", "28 %", "9.3 %", "1.5 %"):
        assert chance in back
    fewer = changed(
        tmp_path,
        NAME,
        ("pack.yaml", "  dice: 6", "  dice: 4"),
        ("dice.yaml", "count: 6", "count: 4"),
    )
    other = said(fewer, NAME, "turn-sheet")
    assert "28 %" in other
    assert "9.3 %" not in other
    assert "roll one more, up to 4 dice" in other


def test_glossary_and_booklet_count_the_cards(tmp_path: Path) -> None:
    shipped = words(*drawn(ROOT, NAME, "glossary-sheet,box"))
    assert "56 crash cards 18, 18, 20 in three decks" in shipped
    assert "20 cards" in shipped
    more = changed(
        tmp_path,
        NAME,
        (
            "crash-cards.yaml",
            "fire-back-6, deck: fire, copies: 3",
            "fire-back-6, deck: fire, copies: 5",
        ),
        ("crash-decks.yaml", "name: Fire, size: 20", "name: Fire, size: 22"),
    )
    other = said(more, NAME, "glossary-sheet") + said(more, NAME, "box")
    assert "58 crash cards 18, 18, 22 in three decks" in other
    assert "22 cards" in other


@pytest.mark.parametrize("players", [2, 4, 6])
def test_words_hold_for_every_number_of_players_at_the_table(players: int) -> None:
    only = "turn-sheet,cover,setup,teams,end"
    found = drawn(ROOT, NAME, only, players=players, kinds=("turn-sheet", "rules-page"))
    said = words(*found)
    for told in ("2 players race in teams", "3 players race", "4 or more race one racer each"):
        assert told in said
    for told in ("Of the racers home, the one furthest along wins", "the second racers decide"):
        assert told in words(*(f for f in found if f.kind == "turn-sheet"))
    at_the_table = f"2–{players}" if players > 2 else "2"
    assert f"a race for {at_the_table} drivers, ages 8 and up" in said


def test_backs_of_a_deck_are_all_the_same(faces: tuple[Face, ...]) -> None:
    for kind in ("goal-card", "bonus-card", "boost-marker", "character"):
        assert len({f.svg for f in faces if f.kind == kind and f.name == "back"}) == 1
    assert len({f.svg for f in faces if f.kind == "crash-card" and f.name == "back"}) == 3


TRACKS = listed(NAME, "tracks.yaml")


@cache
def _tracks() -> dict[str, Record]:
    return {c.id: c.values for c in shipped_pack(NAME).components["track"]}


@cache
def _full() -> list[str]:
    return [name for name, track in _tracks().items() if len(track["layout"]["tiles"]) == 14]


def _spaces_of_marks(track: Record) -> list[int]:
    """Return the spaces that have a Boost mark, counted from the line."""
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
    """Right curves outnumber left ones by a whole turn."""
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
    """A face turned as the record says leads from the tile before it into the one after."""
    for track in _tracks().values():
        tiles = track["layout"]["tiles"]
        for tile, after in zip(tiles, [*tiles[1:], tiles[0]], strict=True):
            ends = {_rounded(after["entry"][0]), _rounded(after["entry"][1])}
            assert {_rounded(end) for end in tile["exit"]} == ends


def _rounded(point: tuple[float, float]) -> tuple[float, float]:
    return round(point[0], 2), round(point[1], 2)


def test_maps_tell_all_that_a_table_needs(faces: tuple[Face, ...]) -> None:
    maps = {face.component: words(face) for face in faces if face.kind == "track-map"}
    assert len(maps) == 4
    for name, text in maps.items():
        track = _tracks()[name]
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


def test_one_circuit_is_printed_with_its_tiles_its_map_and_its_poster() -> None:
    faces = drawn(ROOT, NAME, "half-shift")
    assert {face.kind for face in faces} == {"segment", "track-map", "track-poster"}
    tiles = {face.component for face in faces if face.kind == "segment"}
    needed = _tracks()["half-shift"]["layout"]["needed"]
    assert len(tiles) == len(needed) == 10
    assert tiles == {entry["component"]["id"] for entry in needed}


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
