"""The chariot-dash pack: its figures, kits, faces, tracks and the limits of what it prints."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from fnmatch import fnmatch
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
import yaml
from gridpress_chariot_dash.declared import numbered
from msgspec.structs import replace
from packs.shipped import (
    ROOT,
    changed,
    check_faces,
    copied,
    drawn,
    opened,
    shipped_faces,
    shipped_pack,
    words,
)
from packs.torture import vehicle as made_vehicle

from generator.build import OpenPack, Order, draw, lay_out, open_pack, press_pack
from generator.cli import run
from generator.diagnostics import Severity
from generator.model.face import Face
from generator.model.pack import Backs, Component, Pack
from generator.model.values import SourceText
from generator.project import Project, Target

NAME = "chariot-dash"


def test_basic_chariot_has_the_figures_of_the_game(pack: Pack) -> None:
    basic = pack.components["vehicle"][0].values
    assert list(basic["acceleration"]) == [1, 1, 2, 2, 3, 3, 2]
    assert list(basic["deceleration"]) == [1, 1, 2, 2, 2, 2, 1]
    rows = ["".join(map(str, row)) for row in basic["moves"]]
    assert rows == ["0000", "1001", "2002", "2202", "3203", "4303", "4044"]
    assert list(basic["control"]) == ["safe", "safe", "safe", "1", "2", "3", "4"]
    assert list(basic["stamina"]) == [2, 2, 1, 0, -1, -2, -3]
    assert basic["resilience"] == "1"
    assert [(e["at"], e["effect"]["id"]) for e in basic["damage"]] == [
        (1, "control-die"),
        (6, "wipe-out"),
    ]
    assert [(e["at"], e["effect"]["id"]) for e in basic["stamina_effects"]] == [
        (9, "speed"),
        (9, "reins"),
        (6, "reins"),
        (5, "speed"),
    ]
    assert (basic["whip"], basic["reins"], basic["cards"]) == (3, 3, 6)


def test_pack_has_all_its_parts(pack: Pack) -> None:
    sizes = {kind: len(found) for kind, found in pack.components.items()}
    assert sizes["trait"] == 47
    assert sizes["special"] == 15
    assert sizes["damage-effect"] == 17
    assert sizes["vehicle"] >= 9
    assert sizes["counter"] == sizes["standee"] == sizes["vehicle"]
    assert sum(c.quantity for c in pack.components["die-face"]) == 72
    assert sum(c.quantity for c in pack.components["crib-sheet"]) == 6
    markers = pack.components["marker"]
    for group, least in (("hazard", 6), ("fragile", 24), ("solid", 8)):
        assert sum(m.quantity for m in markers if m.values["group"] == group) >= least


def test_hand_is_printed_card_for_card(pack: Pack) -> None:
    for vehicle in pack.components["vehicle"]:
        cards = [
            card
            for card in pack.components["crew-card"]
            if card.values["vehicle"]["id"] == vehicle.id
        ]
        assert sum(card.quantity for card in cards) == vehicle.values["cards"]
        assert all(card.quantity > 0 for card in cards)


CARDS = ROOT / "cards" / "chariot-dash"


def art() -> dict[str, list[str]]:
    """Return the choices of each key of an art record that has some."""
    kind = yaml.safe_load((CARDS / "kinds" / "vehicle.yaml").read_text(encoding="utf-8"))
    fields = kind["fields"]["art"]["fields"]
    return {
        "beast": fields["beast"]["choices"],
        "coat": fields["coat"]["choices"],
        "body": fields["body"]["choices"],
        "crew": fields["crew"]["of"]["choices"],
        "emblem": fields["emblem"]["choices"],
    }


@pytest.mark.parametrize("shift", [4])
def test_parts_go_with_each_other(tmp_path: Path, shift: int) -> None:
    """Each vehicle gets another's beast-and-body pairing, coat, crew and team."""
    path = copied(tmp_path, NAME) / "cards" / NAME / "vehicles.yaml"
    choices = art()
    seen = iter(range(100))

    def mixed(_: re.Match[str]) -> str:
        n = next(seen)
        body, coat, crew = (choices[key] for key in ("body", "coat", "crew"))
        return (
            f"art: {{beast: {choices['beast'][n % 9]}, team: {n % 3 + 1}, "
            f"coat: {coat[n % len(coat)]}, body: {body[(n + shift) % len(body)]}, "
            f"crew: [{', '.join(crew[(n + i) % len(crew)] for i in range(shift % 3 + 1))}], "
            f"emblem: {choices['emblem'][n % 9]}}}"
        )

    text, count = re.subn(r"art: \{[^}]*\}", mixed, path.read_text(encoding="utf-8"))
    assert count >= 9
    path.write_text(text, encoding="utf-8")
    counters = [face.svg for face in drawn(tmp_path, NAME, kinds=["counter"])]
    assert len(set(counters)) == len(counters) == 2 * count


CLIP = 8.0
SEAT = re.compile(r'translate\(([-\d.]+) ([-\d.]+)\) rotate\((90|180|270)\)" fill="#ffffff"')
FASTER = re.compile(r'<rect x="([-\d.]+)" y="-3" width="([-\d.]+)" height="10.4"')


def test_every_face_is_drawn(faces: tuple[Face, ...]) -> None:
    one = "box die-face rules-page standee track-map track-poster"
    both = (
        "blank-card blank-licence counter credits-sheet crew-card crib-sheet glossary-page "
        "guide-page marker movement-summary track-piece vehicle"
    )
    check_faces(faces, {"one": one, "both": both})
    assert all(face.text_boxes for face in faces if face.kind == "vehicle")


def test_edge_tracks_take_a_paperclip(faces: tuple[Face, ...]) -> None:
    licences = [f for f in faces if f.kind in ("vehicle", "blank-licence") and f.name == "front"]
    assert len(licences) >= 6
    for face in licences:
        seats = [(float(x), float(y), int(turn)) for x, y, turn in SEAT.findall(face.svg)]
        for turn, axis, edge in ((90, 1, 258.0), (270, 1, 0.0), (180, 0, 186.0)):
            track = [seat for seat in seats if seat[2] == turn]
            assert len(track) >= 5
            assert {seat[1 - axis] for seat in track} == {edge}
            places = sorted(seat[axis] for seat in track)
            gaps = [after - before for before, after in pairwise(places)]
            assert min(gaps) >= CLIP - 1e-3, (face.component, turn)
        boxes = [(float(x), float(w)) for x, w in FASTER.findall(face.svg)]
        assert len(boxes) >= 7
        assert min(width for _, width in boxes) >= CLIP - 1e-3, face.component
        assert all(abs(a[0] + a[1] - b[0]) < 3e-3 for a, b in pairwise(boxes))


def test_back_spells_out_traits_with_their_numbers(faces: tuple[Face, ...]) -> None:
    backs = (f for f in faces if f.kind == "vehicle" and f.name == "back")
    back = next(f for f in backs if f.component == "last-orders")
    said = words(back)
    assert "Anchor 2" in said
    assert "To decelerate, never roll: choose 0 to 2 boxes, with or without cards." in said
    assert "#" not in said


@pytest.fixture(scope="module")
def others(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The words of the crib sheet, of a map and of two pages in a pack with other options, points
    and laps."""
    root = changed(
        tmp_path_factory.mktemp("others"),
        NAME,
        ("options.yaml", f"{JUMPS}true,", f"{JUMPS}false,"),
        ("pack.yaml", "options:\n", "options:\n  rules: {score-runner: 7, score-damage: 6}\n"),
        ("tracks.yaml", f"{OVAL}2", f"{OVAL}3"),
    )
    kinds = ("rules-page", "crib-sheet", "track-map")
    faces = drawn(root, NAME, "page-7,page-8,crib-sheet,oval", kinds=kinds)
    return {kind: words(*(face for face in faces if face.kind == kind)) for kind in kinds}


OVAL = "racer: siltskimmer\n    vehicles: 6\n    laps: "
JUMPS = "{id: jumps, name: Jumps, in_force: "


def test_crib_sheet_shows_the_options_in_force(
    faces: tuple[Face, ...], others: dict[str, str]
) -> None:
    shipped = words(*(f for f in faces if f.component == "crib-sheet"))
    assert "First-round truce" in shipped
    assert "Friendly race" not in shipped
    assert "2 hexes or more straight on" in shipped
    assert "Jumps A card, once a phase" in shipped
    assert "2 hexes or more straight on" not in others["crib-sheet"]


def test_points_of_scoring_are_printed_as_the_pack_sets_them(others: dict[str, str]) -> None:
    shipped = words(*drawn(ROOT, NAME, "page-7,page-8,crib-sheet"))
    assert "3 or 4 if hard to reach; 3 for a runner" in shipped
    assert "Points for a runner" not in shipped
    assert "[score-" not in shipped
    assert "Scoring: 7 for a runner." in others["crib-sheet"]
    assert "7 for a runner; 6 for each damage you inflict" in others["rules-page"]
    assert "a runner 7" in others["rules-page"]


def test_a_map_says_its_own_laps_in_its_head_and_in_the_race(others: dict[str, str]) -> None:
    assert re.findall(r"\b\d laps\b", others["track-map"]) == ["3 laps", "3 laps"]
    assert "Race 2 laps" in others["rules-page"]


def test_the_booklet_says_over_which_edge_its_sheets_are_turned(tmp_path: Path) -> None:
    target = Target(Project(copied(tmp_path, NAME), ROOT), NAME)
    for backs, edge in ((None, "long"), (Backs.DUPLEX_SHORT, "short")):
        order = Order(only="page-3", backs=backs)
        found = open_pack(target, order).value
        assert found is not None
        assert f"over its {edge} edge" in words(*draw(found, order).value)


def test_the_booklet_takes_a_vehicle_that_finishes_off_the_track(others: dict[str, str]) -> None:
    assert "complete your move; then your vehicle leaves the track" in others["rules-page"]


def test_back_says_which_card_a_level_costs(faces: tuple[Face, ...]) -> None:
    backs = (f for f in faces if f.kind == "vehicle" and f.name == "back")
    back = next(f for f in backs if f.component == "last-orders")
    assert "Choose 1 card (Reins), wherever it lies" in words(back)


ONE_EACH = dict.fromkeys(("vehicle", "counter", "standee"), 1)


@pytest.fixture(scope="module")
def placed(tmp_path_factory: pytest.TempPathFactory) -> list[Face]:
    """The faces on the sheets of a vehicle of one's own, started in an empty folder."""
    folder = tmp_path_factory.mktemp("own")
    new = ["new", "vehicle", "mine/red-hot", "--in", str(folder), "--from", "mainspring"]
    assert run(new) == 0
    with (folder / "cards/mine/vehicles/red-hot.yaml").open("a", encoding="utf-8") as file:
        file.write("    control_minimum: 3\n")
    laid = lay_out(Target(Project(folder, ROOT), "mine"), Order(only="red-hot", papers=("letter",)))
    assert laid.value is not None
    assert [d for d in laid.diagnostics if d.severity is Severity.ERROR] == []
    sheets = (sheet for run_ in laid.value.runs for sheet in run_.sheets)
    return [placement.face for sheet in sheets for placement in sheet.placements]


def test_only_prints_a_vehicles_kit_and_nothing_else() -> None:
    found = opened(ROOT, NAME, only="gatecrasher").value
    assert found is not None
    asked = {
        kind: sum(c.quantity for c in components if c.answers_to("gatecrasher"))
        for kind, components in found.pack.components.items()
        if found.pack.kinds[kind].faces
    }
    assert {kind: n for kind, n in asked.items() if n} == {"crew-card": 7, **ONE_EACH}


def test_a_vehicle_of_ones_own_in_an_empty_folder_has_its_kit(
    pack: Pack, placed: list[Face]
) -> None:
    like = next(v for v in pack.components["vehicle"] if v.id == "mainspring").values
    allotted = [like["whip"], like["reins"], *(1 for _ in like["specials"])]
    assert {face.component for face in placed if face.kind != "crew-card"} == {"red-hot"}
    fronts = Counter(face.kind for face in placed if face.name == "front")
    assert fronts == {"crew-card": sum(allotted), **ONE_EACH}
    backs = Counter(face.kind for face in placed if face.name == "back")
    assert backs == {"crew-card": sum(allotted), "vehicle": 1, "counter": 1}
    cards = Counter(face.component for face in placed if face.kind == "crew-card")
    assert sum(n // 2 for n in cards.values()) == sum(allotted)
    assert len(cards) == min(3, allotted[0]) + min(3, allotted[1]) + len(like["specials"])


def test_ten_points_stand_where_the_booklet_says(
    placed: list[Face], faces: tuple[Face, ...]
) -> None:
    own = words(next(f for f in placed if f.kind == "vehicle" and f.name == "front"))
    basic = words(next(f for f in faces if f.component == "basic" and f.kind == "vehicle"))
    assert "3 +10 4" in own
    assert "1 +10 2" in basic
    [page] = drawn(ROOT, NAME, "page-9")
    assert "put the extra clip on box 1" in words(page)
    assert "put a second clip on it for 10 points" in words(page)


def test_licence_spells_out_all_that_a_vehicle_has(pack: Pack, placed: list[Face]) -> None:
    said = words(next(f for f in placed if f.kind == "vehicle" and f.name == "back"))
    like = next(v for v in pack.components["vehicle"] if v.id == "mainspring").values
    for entry in (*like["traits"], *like["specials"]):
        thing = entry["trait"] if "trait" in entry else entry["special"]
        number = entry["number"]
        assert thing["name"] + (f" {number}" if number else "") in said
        assert numbered(thing["text"], number) in said
    for entry in (*like["damage"], *like["random_effects"]):
        rule = numbered(entry["effect"]["text"], entry["number"])
        assert all(part.strip() in said for part in re.split(r"{[a-z-]+}", rule))
    assert "Lose Failsafes" in said
    assert "Random damage" in said
    assert "#" not in said


ADVICE = {"GP209"}


def test_vehicles_that_pass_are_printed_without_a_finding(tmp_path: Path) -> None:
    """The first vehicle has the maximum of everything, the others less and less."""
    root = copied(tmp_path / "root", NAME)
    made = [made_vehicle(seed, 1 - seed / 8) for seed in (0, 3, 6)]
    told = yaml.safe_dump({"kind": "vehicle", "components": made}, sort_keys=False)
    (root / "cards" / NAME / "torture.yaml").write_text(told, encoding="utf-8")
    order = Order(only="torture-*", papers=("a4",))
    found = press_pack(Target(Project(root, ROOT), NAME), order, tmp_path / "out").diagnostics
    assert [d.message for d in found if d.code not in ADVICE or d.severity.name == "ERROR"] == []


def test_a_long_random_list_is_for_two_dice(tmp_path: Path) -> None:
    longer = "random_effects:\n      - {effect: slow}\n"
    root = changed(tmp_path, NAME, ("vehicles.yaml", "random_effects:\n", longer))
    back = words(
        *(f for f in drawn(root, NAME, "mainspring", kinds=["vehicle"]) if f.name == "back")
    )
    assert "Random damage, 2 dice 0 Haste counts as slow" in back
    assert "3+ Lose Failsafes" in back


def test_markers_count_twelve_laps_for_each_and_twenty_rounds(pack: Pack) -> None:
    worth = Counter[str]()
    for marker in pack.components["marker"]:
        worth[marker.values["group"]] += marker.quantity * (marker.values["rating"] or 0)
    assert worth["lap"] >= 12 * 6
    assert worth["round"] >= 20


def test_a_course_holds_as_many_as_its_race(pack: Pack) -> None:
    for track in pack.components["track"]:
        assert track.values["vehicles"] == int(track.values["race"]["players"].split("–")[-1])


def test_the_map_says_where_each_side_of_the_die_lets_a_runner_in() -> None:
    [map_] = drawn(ROOT, NAME, "hourglass", kinds=["track-map"])
    assert "At the end of rounds 2 and 4 roll a die" in words(map_)
    assert all(f" {letter} " in words(map_) for letter in "ABCDEF")


def test_what_a_change_is_worth_is_on_pages_of_the_guide(tmp_path: Path) -> None:
    root = copied(tmp_path, NAME)
    groups = ("boxes", "moves", "control", "stamina", "damage", "cards", "specials", "traits")
    known = [
        {
            "id": f"change-{n}",
            "name": f"A change of {n} to the Chariot at speed 3",
            "group": groups[n * len(groups) // 200],
            "places": round(n / 100 - 1, 2),
            "places_error": 0.1,
            "rounds": round(1.5 - n / 50, 2),
            "rounds_error": 0.2,
        }
        for n in range(200)
    ]
    told = yaml.safe_dump({"kind": "worth", "components": known}, sort_keys=False)
    (root / "cards" / NAME / "worth.yaml").write_text(told, encoding="utf-8")
    said = words(*drawn(root, NAME, "worth*", kinds=["guide-page"]))
    assert [change["name"] for change in known if change["name"] not in said] == []


def test_both_sides_of_the_creation_guide_are_there() -> None:
    front, back = drawn(ROOT, NAME, "guide", kinds=["guide-page"])
    assert "Random damage" in words(front)
    assert "Trial races" in words(back)


KINDS = ("track-piece", "track-map", "track-poster")
PRINTABLE = {"a4": (200.0, 287.0), "letter": (207.5, 271.0)}
HEXAGON = re.compile(r"M(-?[\d.]+) (-?[\d.]+)l")


def face(kind: str, component: str, name: str = "front") -> Face:
    """Return one face of the shipped pack."""
    return next(
        f for f in shipped_faces(NAME) if (f.kind, f.component, f.name) == (kind, component, name)
    )


def tracks(pack: Pack) -> dict[str, Component]:
    """Return the tracks by id."""
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


@pytest.mark.parametrize("names", [("anvil",), ("oval", "three-corners")])
def test_tracks_asked_for_by_name_print_what_each_needs(names: tuple[str, ...]) -> None:
    only = ",".join(names)
    found = open_pack(Target(Project(ROOT, ROOT), NAME), Order(only=only))
    assert found.diagnostics == ()
    assert found.value is not None
    asked = {
        (component.kind, component.id): component.quantity
        for kind in KINDS
        for component in found.value.pack.components[kind]
        if component.answers_to(only) and component.quantity
    }
    known = tracks(shipped_pack(NAME))
    most: Counter[str] = Counter()
    for name in names:
        most |= Counter(known[name].values["calls"])
    pieces = {("track-piece", call): n for call, n in most.items()}
    ways = {(kind, name): 1 for kind in ("track-map", "track-poster") for name in names}
    assert asked == {**pieces, **ways}


def test_the_map_tells_the_order_and_the_pieces(pack: Pack, faces: tuple[Face, ...]) -> None:
    maps = [face for face in faces if face.kind == "track-map"]
    assert len(maps) == 4
    for map_ in maps:
        track = tracks(pack)[map_.component]
        said = words(map_)
        layout = track.values["layout"]
        assert track.values["name"] in said
        assert track.values["race"]["name"] in said
        assert f"{round(layout['cells'])} hexes a lap" in said
        assert (track.id == "three-corners") == ("4 to 6 vehicles" in said)
        for call, count in Counter(track.values["calls"]).items():
            assert f"{call.upper()} × {count}" in said
        for before, after in pairwise(layout["tiles"]):
            order = f"{before['number']} {before['call'].upper()} {after['number']} "
            assert order + after["call"].upper() in said
        assert ("Lay debris on the numbered hexes" in said) == bool(track.values["debris"])
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


def test_what_is_too_large_for_the_paper_is_split(tmp_path: Path) -> None:
    root = changed(tmp_path, NAME, ("pack.yaml", "hex: 25.4 ", "hex: 50 "))
    outcome = lay_out(Target(Project(root, ROOT), NAME), Order(only="4-[sl]?", papers=("a4",)))
    assert outcome.diagnostics == ()
    assert outcome.value is not None
    [run] = outcome.value.runs
    faces = [placement for sheet in run.sheets for placement in sheet.placements]
    assert {p.face.component for p in faces if p.poster is not None} == {"4-s7", "4-l3"}
    assert {p.face.component for p in faces if p.poster is None} >= {"4-s2", "4-l1"}


OLD = re.compile(r"(?<!\{)\b(whips?|reins?|vehicles?)\b", re.IGNORECASE)
DRAWN = ("page-5", "page-10", "page-33", "page-39", "crib-sheet", "last-orders", "last-orders-[14]")


@pytest.fixture(scope="module")
def engines() -> OpenPack:
    """Open the pack with the words of its example locale."""
    target = Target(Project(ROOT, ROOT), NAME)
    opened = open_pack(target, Order(locale="engines", only="last-orders"))
    assert opened.diagnostics == ()
    assert opened.value is not None
    return opened.value


def texts(value: Any) -> Iterator[SourceText]:
    """Yield all texts in a value, without names of icons and without choices of a card, which
    templates replace by a word."""
    if isinstance(value, SourceText):
        if not re.fullmatch("[a-z.-]+", value):
            yield value
    elif isinstance(value, Mapping):
        for name, part in value.items():
            if name != "card":
                yield from texts(part)
    elif isinstance(value, Sequence) and not isinstance(value, str):
        for part in value:
            yield from texts(part)


def wanted(pack: Pack) -> dict[str, tuple[Component, ...]]:
    """Return the components, with copies only of the page and sheet full of such words and of parts
    of one vehicle's kit."""
    return {
        kind: tuple(
            c if any(fnmatch(c.id, glob) for glob in DRAWN) else replace(c, quantity=0)
            for c in found
        )
        for kind, found in pack.components.items()
    }


def test_no_text_of_the_pack_has_an_old_word(engines: OpenPack) -> None:
    said = [
        text
        for components in engines.pack.components.values()
        for component in components
        for text in texts(component.values)
    ]
    assert len(said) > 500
    assert {str(text) for text in said if OLD.search(text) or "[[" in text} == set()


def test_no_face_has_an_old_word_and_cards_have_the_new(engines: OpenPack) -> None:
    pack = replace(engines.pack, components=wanted(engines.pack))
    faces = draw(replace(engines, pack=pack), Order())
    assert faces.diagnostics == ()
    assert OLD.findall(words(*faces.value)) == []
    for kind in ("crew-card", "rules-page"):
        said = words(*(face for face in faces.value if face.kind == kind))
        assert "Throttle" in said
        assert "Brake" in said


def test_the_box_holds_all_cards_and_lists_what_there_is(pack: Pack) -> None:
    [box] = pack.components["box"]
    cards = (*pack.components["crew-card"], *pack.components["blank-card"])
    assert box.values["cards"] == sum(card.quantity for card in cards)
    [net] = drawn(ROOT, NAME, kinds=["box"])
    assert f"{len(pack.components['vehicle'])} Driving licences" in words(net)
    assert "2–6 players · 60 min · ages 12+" in words(net)
