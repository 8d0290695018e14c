"""The road-joust pack: its numbers follow the racers of joust-racers, and it prints what its
players need."""

from __future__ import annotations

import math
import re
from itertools import combinations
from pathlib import Path

import pytest
from packs.gallery import pictures, shown
from packs.shipped import (
    ROOT,
    changed,
    check_faces,
    copied,
    drawn,
    opened,
    pack_in,
    printed,
    shipped_pack,
    words,
)
from PIL import ImageChops

from generator.build import Order, draw
from generator.diagnostics import Diagnostic, Severity
from generator.model.face import Face
from generator.model.pack import Pack

NAME = "road-joust"


@pytest.mark.parametrize("players", [2, 3, 4, 6])
def test_print_has_what_its_players_need(players: int) -> None:
    pack = shipped_pack(NAME, players)
    count = printed(pack)
    racers = [c.values["order"] for c in pack.components["racer"]]
    raced = sum(order is None or order <= players for order in racers)
    assert raced
    assert count["dashboard"] == count["footprint"] == raced
    assert count["dash-marker"] == 7 * raced
    assert count["turn-card"] == count["quick-sheet"] == count["ability-sheet"] == players
    assert count["valor-token"] == 10 * players
    assert count["waypoint"] == players + 1
    assert count["chip"] == 6 * players + 2 * (players + 2)
    assert count["range-ruler"] == 6
    assert count["blank-dashboard"] == 2 + max(0, players - len(racers))


@pytest.mark.parametrize("players", [2, 3, 4, 5, 6])
def test_the_booklet_counts_what_is_printed(players: int) -> None:
    """Each row of the contents has its counts for 2 to 6 players, the dice last."""
    pack = shipped_pack(NAME, players)
    (page,) = drawn(ROOT, NAME, "page-2", players=players)
    rows = re.findall(r"\b(\d+) (\d+) (\d+) (\d+) (\d+)\b", words(page))
    shown = [int(row[players - 2]) for row in rows[1:]]
    count = printed(pack)
    walls, chips = pack.components["wall"], pack.components["chip"]
    guards = [c for c in pack.components["opponent"] if c.values["role"] == "guard"]
    wanted = [
        *(count[kind] for kind in ("dashboard", "blank-dashboard", "dash-marker", "turn-card")),
        *(count[kind] for kind in ("footprint", "valor-token", "waypoint")),
        sum(c.quantity for c in guards),
        count["opponent"] - sum(c.quantity for c in guards),
        *(c.quantity for c in (*walls, *chips)),
        *(count[kind] for kind in ("range-ruler", "quick-sheet", "ability-sheet")),
        1,
        players,
    ]
    assert shown == wanted


def test_box_says_who_can_play_and_what_is_inside(faces: tuple[Face, ...]) -> None:
    box = words(*(face for face in faces if face.kind == "box"))
    for said in ("2–6 players", "60 minutes", "10+ ages", "60 Valor", "8 Stone wall", "6 dice"):
        assert said in box


def test_box_holds_what_is_printed(pack: Pack) -> None:
    base, lid = (c.values["net"]["panels"]["floor"] for c in pack.components["box"])
    assert base["w"] > 190
    assert base["h"] > 130
    assert lid["w"] > base["w"]
    assert lid["h"] > base["h"]


def test_only_counts_and_pictures_know_how_many_players_are_printed_for() -> None:
    """Three players may use a box for six, so every other text holds for any number of players."""
    few, many = (
        {f.component: words(f) for f in drawn(ROOT, NAME, "page-*", players=n)} for n in (3, 6)
    )
    # the counts; the waypoints on a dashboard; the field at the start; a blank dashboard
    shown = {"page-2", "page-4", "page-5", "page-7", "page-28"}
    assert {page for page, text in few.items() if text != many[page]} == shown


def test_eight_players_have_room_on_every_page(tmp_path: Path) -> None:
    copied(tmp_path, NAME)
    copied(tmp_path, "joust-racers")
    racers = tmp_path / "cards/joust-racers/racers.yaml"
    text = racers.read_text(encoding="utf-8")
    last = text.split("  - id: pot-luck\n")[1]
    for own, order in (("Seventh", 7), ("Eighth", 8)):
        more = last.replace("order: 6", f"order: {order}").replace("Pot Luck", own)
        text += f"  - id: {own.lower()}\n" + more.replace("tock-tires", "lunet-tires")
    racers.write_text(text, encoding="utf-8")
    for pack in ("joust-racers", NAME):
        path = tmp_path / "cards" / pack / "pack.yaml"
        path.write_text(path.read_text(encoding="utf-8").replace("max: 6", "max: 8"), "utf-8")
    found = opened(tmp_path, NAME, players=8).value
    assert found is not None
    codes = {d.code for d in draw(found, Order(players=8), for_export=True).diagnostics}
    assert codes == set()


def test_guards_and_monsters_are_told_apart_without_colour(tmp_path: Path) -> None:
    names = "warden", "halberdier", "boar", "owl", "snail"
    templates = [
        f'{{% from "parts/opponents.svg.j2" import opponent %}}{{{{ opponent("{name}", stock) }}}}'
        for name in names
    ]
    seen = [
        picture.resize((24, 24)).point(lambda grey: 255 * (grey > 128))
        for picture in pictures(shown(tmp_path, NAME, "25.4mm 25.4mm", templates), tmp_path / "png")
    ]
    for a, b in combinations(seen, 2):
        assert ImageChops.difference(a, b).histogram()[255] > 24 * 24 * 0.04


def test_pages_that_the_booklet_names_are_there(pack: Pack) -> None:
    pages = {c.values["number"]: c.values["title"] for c in pack.components["rules-page"]}
    assert sorted(pages) == list(range(1, 33))
    told = str([c.values["blocks"] for c in pack.components["rules-page"]])
    named = set(re.findall(r"page \[([^]]+)\]", told))
    assert named == {"Losing it", "Guards and monsters"} <= set(pages.values())


def test_parts_of_the_required_pack_are_not_printed(pack: Pack) -> None:
    count = printed(pack)
    assert pack.requires == ("joust-racers",)
    assert count["part-card"] == count["knight"] == count["racer"] == 0


def test_dashboard_follows_its_racer(pack: Pack) -> None:
    assert len(pack.components["dashboard"]) == len(pack.components["racer"]) >= 5
    for board in pack.components["dashboard"]:
        racer = board.values["racer"]
        strips = racer["strips"]
        assert racer["durability"] == racer["engine"]["durability"]
        assert board.values["damage_points"] == 2 * racer["engine"]["durability"]
        assert board.values["steering"] == math.ceil(sum(s["reflexes"] for s in strips) / 2)
        speed = sum(s["speed"] for s in strips)
        assert list(board.values["sp"]) == [min(12, roll + speed) for roll in range(1, 12)]


def front(faces: tuple[Face, ...], racer: str) -> Face:
    (face,) = [f for f in faces if (f.kind, f.component, f.name) == ("dashboard", racer, "front")]
    return face


def test_damage_track_is_as_long_as_the_engine_lasts(pack: Pack, faces: tuple[Face, ...]) -> None:
    for board in pack.components["dashboard"]:
        face = front(faces, board.id)
        row = words(face).partition("you are a wreck at 0")[2].partition("Waypoints")[0].split()
        last = 2 * board.values["racer"]["durability"]
        assert row[: last + 1] == [str(n) for n in range(last + 1)]
        assert not row[last + 1 :]


def test_effective_handling_falls_with_velocity(pack: Pack, faces: tuple[Face, ...]) -> None:
    for board in pack.components["dashboard"]:
        face = front(faces, board.id)
        row = words(face).partition("Is hit at")[2].partition("Round order")[0].split()
        handling = board.values["racer"]["handling"]
        shown = [(handling - max(0, v - 1), 6 + v) for v in range(-1, 4)]
        assert row == [str(number).replace("-", "−") for pair in shown for number in pair]


@pytest.mark.parametrize("speed", [9, -1])
def test_drive_rolls_that_lead_to_one_place_stand_there_as_one(tmp_path: Path, speed: int) -> None:
    """The engine belongs to a racer whose other Speed is 1. Points above 12 count as 12. When the
    first roll is at the left end, the words are at the right end."""
    engine = "number: 2, rarity: R, speed: "
    root = changed(tmp_path, "joust-racers", ("parts.yaml", f"{engine}1", f"{engine}{speed}"))
    face, _ = drawn(root, NAME, "undermount", kinds=["dashboard"])
    points = [min(12, roll + speed + 1) for roll in range(1, 12)]
    rolls = [[n for n, p in enumerate(points, 1) if p == place] for place in sorted({*points})]
    shown = [str(r[0]) if len(r) == 1 else f"{r[0]}–{r[-1]}" for r in rolls]
    if points[-2:] == [12, 12]:
        shown[-1] = f"{rolls[-1][0]}+"
    row = words(face).partition("11 12 ")[2].partition(" Velocity")[0]
    assert row == f"{' '.join(shown)} Your drive roll"
    (label,) = (b.used for b in face.text_boxes if b.style == "small" and 38 < b.used.y < 43)
    assert (label.x > face.stock.trim.width / 2) == (speed < 0)


def page(faces: tuple[Face, ...], kind: str, side: str = "front") -> str:
    (face,) = [f for f in faces if f.kind == kind and f.name == side]
    return words(face)


def ways(least: int) -> int:
    """Count the throws of two dice, of 36, that make at least that."""
    return sum(a + b >= least for a in range(1, 7) for b in range(1, 7))


def test_to_hit_table(faces: tuple[Face, ...]) -> None:
    table = page(faces, "quick-sheet", "back").partition("Ranges −1")[2]
    cells = re.findall(r"(\d+) (\d+) %", table)
    wanted = [6 + v - bonus for v in range(-1, 4) for bonus in (2, 1, 0, -1)]
    assert cells == [(str(n), str(round(ways(n) / 36 * 100))) for n in wanted]


def test_steering_table(faces: tuple[Face, ...]) -> None:
    table = page(faces, "quick-sheet", "back").partition("At Velocity")[2]
    rows = re.findall(r"Difficulty (\d) ((?:\d+ ){5})", table)
    assert [(int(n), [int(cell) for cell in cells.split()]) for n, cells in rows] == [
        (n, [6 + n + v for v in range(-1, 4)]) for n in (1, 2, 3, 4, 5)
    ]


def test_wall_and_damage_tables(pack: Pack, faces: tuple[Face, ...]) -> None:
    rows = re.findall(r"V (\d) ((?:\d+ ){5})", page(faces, "quick-sheet").partition("Ram Dmg")[2])
    assert [(int(v), [int(cell) for cell in cells.split()]) for v, cells in rows] == [
        (v, [(4 - ram) * v for ram in range(5)]) for v in (1, 2, 3)
    ]
    back = page(faces, "quick-sheet", "back") + " "
    kinds = ("racer", "opponent", "wall")
    armors = sorted({c.values["armor"] for kind in kinds for c in pack.components[kind]})
    for times in (2, 3):
        assert f"× {times} at " + " ".join(str(a * times) for a in armors) in back


def test_ram_table(pack: Pack, faces: tuple[Face, ...]) -> None:
    """The table is checked for every throw of two dice, every forward Velocity and every Armor that
    can be rammed. It shows the least throw for one, two and three times the Ram Damage."""
    front = page(faces, "quick-sheet").partition("Their Armor")[2].partition("Wall In")[0]
    targets = ("racer", "opponent")
    armors = sorted({c.values["armor"] for kind in targets for c in pack.components[kind]})
    heads, *rows = re.split(r"Velocity \d", front)
    assert [int(armor) for armor in heads.split()] == armors
    ahead = [c.values["value"] for c in pack.components["velocity"] if c.values["value"] > 0]
    assert len(rows) == len(ahead) == 3
    for velocity, row in zip(sorted(ahead), rows, strict=True):
        wanted: list[str] = []
        for armor in armors:
            held = {throw: (throw + velocity) // armor for throw in range(2, 13)}
            least = [
                str(min(throw for throw, times in held.items() if times >= n))
                for n in range(1, max(held.values()) + 1)
            ]
            more = [f"{name} {n}" for name, n in zip(("twice", "thrice"), least[1:], strict=False)]
            wanted += [least[0] if least else "–", ", ".join(more)]
        told = " ".join(row.replace("+", "").split())
        assert told == " ".join(cell for cell in wanted if cell), velocity


def test_numbers_of_the_rules_reach_every_page(tmp_path: Path) -> None:
    root = changed(tmp_path, NAME, ("pack.yaml", "hit_from: 6", "hit_from: 7"))
    faces = drawn(root, NAME, "page-19,quick-sheet/*")
    assert "must reach 7 + the target’s Velocity" in words(
        *(f for f in faces if f.component == "page-19")
    )
    table = page(faces, "quick-sheet", "back").partition("Ranges −1")[2]
    assert re.findall(r"(\d+) \d+ %", table)[0] == "4"


def test_ability_reference_has_what_is_in_use_once_each(
    pack: Pack, faces: tuple[Face, ...]
) -> None:
    bearers = [*pack.components["part"], *pack.components["knight"]]
    used = {a["ability"]["name"] for bearer in bearers for a in bearer.values["abilities"]}
    entries = [c.values["name"] for c in pack.components["ability-entry"]]
    assert sorted(entries) == sorted(used)
    both = page(faces, "ability-sheet") + page(faces, "ability-sheet", "back")
    assert all(
        c.values["text"].split("*")[0].split("{")[0] in both
        for c in pack.components["ability-entry"]
    )


def lines_from(face: Face, x: float, y: float) -> list[tuple[float, float]]:
    """Return the ends of a face's straight lines that start at a point, relative to it."""
    found = re.findall(r'd="M([\d.]+) ([\d.]+)L([\d.]+) ([\d.]+)"', face.svg)
    ends = [tuple(map(float, line)) for line in found]
    return [(b[2] - x, b[3] - y) for b in ends if math.hypot(b[0] - x, b[1] - y) < 0.01]


CARDS = "tarot", "wide"
WIDE = "stocks:\n  wide: {size: [100mm, 70mm], bleed: 3mm, safe: 3mm}"


def turn_card(root: Path, stock: str) -> tuple[tuple[Face, ...], tuple[Diagnostic, ...]]:
    """Draw both sides of the turn card on another stock, and return them with their findings."""
    changed(
        root,
        NAME,
        ("kinds/turn-card.yaml", "stock: joust-card", f"stock: {stock}"),
        ("pack.yaml", "stocks:", WIDE),
    )
    found = opened(root, NAME)
    assert found.diagnostics == ()
    assert found.value is not None
    outcome = draw(found.value, Order(only="turn-card"), for_export=True)
    return outcome.value, outcome.diagnostics


@pytest.mark.parametrize("stock", CARDS)
def test_turn_and_arc_lines_have_their_angles_on_any_card(stock: str, tmp_path: Path) -> None:
    (front, back), said = turn_card(tmp_path, stock)
    assert said == ()
    trim = front.stock.trim
    turns = lines_from(front, trim.width, trim.height / 2)
    angles = [math.degrees(math.atan2(-dy, dx)) for dx, dy in turns]
    # Angles from straight ahead (90°) to the left: 45° for each point of Handling.
    assert [angle % 360 for angle in angles] == pytest.approx([135, 180, 225], abs=0.1)
    arcs = lines_from(back, trim.width / 2, trim.height)
    spread = sorted(math.degrees(math.atan2(dx, -dy)) for dx, dy in arcs)
    assert spread == pytest.approx([-22.5, 22.5], abs=0.1)
    # no line that leaves a point runs off the card, none is too short to lay a racer along
    assert all(-trim.width < dx <= 0 and abs(dy) < trim.height / 2 for dx, dy in turns)
    assert min(math.hypot(*end) for end in [*turns, *arcs]) > 20


@pytest.mark.parametrize("stock", ["micro", "square-card-50"])
def test_a_card_too_small_for_its_words_is_an_error(stock: str, tmp_path: Path) -> None:
    _, said = turn_card(tmp_path, stock)
    errors = [d for d in said if (d.code, d.severity) == ("GP401", Severity.ERROR)]
    assert any("Put the dot on your front" in d.message for d in errors)
    assert all(d.span.file.endswith("cards/road-joust/turn-card.yaml") for d in errors)


def test_one_racer_alone(pack: Pack) -> None:
    racer = pack.components["racer"][0].id
    faces = drawn(ROOT, NAME, racer)
    assert {face.kind for face in faces} == {"dashboard", "footprint", "dash-marker"}
    assert {face.component for face in faces} == {racer}


def test_a_racer_of_ones_own_has_a_dashboard(tmp_path: Path, pack: Pack) -> None:
    first, second = pack.components["racer"][:2]
    own = tmp_path / "cards/my-lists"
    own.mkdir(parents=True)
    (own / "pack.yaml").write_text(
        'title: My Lists\nversion: 1.0.0\nrequires: {road-joust: ">= 1.0.0"}\n'
        "prints: {boards: {kinds: [dashboard, footprint], papers: [a4], backs: none}}\n",
        encoding="utf-8",
    )
    one, other = first.values, second.values
    steady = max(pack.components["knight"], key=lambda knight: knight.values["handling"])
    (own / "racers.yaml").write_text(
        "kind: racer\ncomponents:\n  - id: mongrel\n    name: Mongrel\n"
        f"    chassis: {{a: {one['chassis']['a']['id']}, b: {one['chassis']['b']['id']}}}\n"
        f"    engine: {other['engine']['id']}\n    tires: {other['tires']['id']}\n"
        f"    weapon: {other['weapon']['id']}\n    knight: {steady.id}\n",
        encoding="utf-8",
    )
    mine = pack_in(tmp_path, "my-lists")
    (board,) = [c for c in mine.components["dashboard"] if c.id == "mongrel"]
    assert board.values["damage_points"] == 2 * other["engine"]["durability"]
    faces = drawn(tmp_path, "my-lists", "mongrel")
    assert {face.kind for face in faces} == {"dashboard", "footprint"}


def test_every_face_is_drawn(faces: tuple[Face, ...]) -> None:
    one = "box rules-page"
    both = (
        "dashboard blank-dashboard turn-card footprint wall opponent waypoint dash-marker "
        "valor-token chip range-ruler quick-sheet ability-sheet"
    )
    check_faces(faces, {"one": one, "both": both})


def test_damage_track_that_does_not_follow_the_engine_is_told_at_each_racer(tmp_path: Path) -> None:
    root = changed(tmp_path, NAME, ("gauges.yaml", "per_durability: 2", "per_durability: 3"))
    found = opened(root, NAME).diagnostics
    told = [d for d in found if "its engine's Durability of" in d.message]
    assert len(told) == len(shipped_pack(NAME).components["racer"])
    assert {d.code for d in told} == {"GP209"}
    assert all("joust-racers/racers.yaml" in d.span.file for d in told)
