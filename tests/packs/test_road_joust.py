"""The road-joust pack: its numbers follow the racers of joust-racers, and it prints what its
players need."""

from __future__ import annotations

import math
import re
from collections import Counter
from itertools import combinations
from pathlib import Path
from typing import Any

import pikepdf
import pytest
from packs.gallery import pictures, shown
from packs.shipped import ROOT, changed, drawn, opened, pack_in, printed, shipped_pack, sides, words
from PIL import ImageChops

from generator import load
from generator.build import Order, draw, press_pack
from generator.diagnostics import Diagnostic, Severity
from generator.model.face import Face
from generator.model.pack import Pack
from generator.project import Project, Target

NAME = "road-joust"


@pytest.mark.thorough(but=2)
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
    assert count["chip"] == 4 * players + 2 * (players + 2)
    assert count["range-ruler"] == 6
    assert count["blank-dashboard"] == 2 + max(0, players - len(racers))


@pytest.mark.thorough(but=1)
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


@pytest.mark.thorough(but=1)
@pytest.mark.parametrize(
    ("players", "monsters", "ends"),
    [(2, "one monster", "If the other racer is"), (4, "two monsters", "If all racers but one are")],
)
def test_the_booklet_is_for_those_who_play(players: int, monsters: str, ends: str) -> None:
    pages = drawn(ROOT, NAME, "page-6,page-24", players=players)
    said = " ".join(map(words, pages)).replace(" ,", ",")
    assert f"With {players} players: {monsters}" in said
    assert f"until {players + 1} lie" in said
    assert f"crosses waypoint {players + 1}, having" in said
    assert ends in said


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


@pytest.mark.thorough
def test_a_guard_hides_its_waypoint(faces: tuple[Face, ...]) -> None:
    width = {face.kind: face.stock.trim.width for face in faces}
    assert width["opponent"] > width["waypoint"]


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


def test_damage_track_is_as_long_as_the_engine_lasts(pack: Pack, faces: tuple[Face, ...]) -> None:
    for board in pack.components["dashboard"]:
        (face,) = [f for f in faces if f.kind == "dashboard" and f.component == board.id]
        row = words(face).partition("you are a wreck")[2].partition("Waypoints")[0].split()
        last = 2 * board.values["racer"]["durability"]
        assert row[: last + 1] == [str(n) for n in range(last + 1)]
        assert not row[last + 1 :]


def test_effective_handling_falls_with_velocity(pack: Pack, faces: tuple[Face, ...]) -> None:
    for board in pack.components["dashboard"]:
        (face,) = [f for f in faces if f.kind == "dashboard" and f.component == board.id]
        row = words(face).partition("Is hit at")[2].partition("Round order")[0].split()
        handling = board.values["racer"]["handling"]
        shown = [(handling - max(0, v - 1), 6 + v) for v in range(-1, 4)]
        assert row == [str(number).replace("-", "−") for pair in shown for number in pair]


@pytest.mark.thorough
@pytest.mark.parametrize("speed", [9, -1])
def test_drive_rolls_that_lead_to_one_place_stand_there_as_one(tmp_path: Path, speed: int) -> None:
    """The engine of a racer whose other Speed is 1; what gets over 12 Speed Points is kept to it.
    Where the first roll stands at the left end the words are at the right one."""
    engine = "number: 2, rarity: R, speed: "
    root = changed(tmp_path, "joust-racers", ("parts.yaml", f"{engine}1", f"{engine}{speed}"))
    (face,) = drawn(root, NAME, "undermount", kinds=["dashboard"])
    points = [min(12, roll + speed + 1) for roll in range(1, 12)]
    rolls = [[n for n, p in enumerate(points, 1) if p == place] for place in sorted({*points})]
    shown = [str(r[0]) if len(r) == 1 else f"{r[0]}–{r[-1]}" for r in rolls]
    if points[-2:] == [12, 12]:
        shown[-1] = f"{rolls[-1][0]}+"
    row = words(face).partition("11 12 ")[2].partition(" Velocity")[0]
    assert row == f"{' '.join(shown)} Your drive roll"
    (label,) = (b.used for b in face.text_boxes if b.style == "small" and 37 < b.used.y < 41)
    assert (label.x > face.stock.trim.width / 2) == (speed < 0)


def page(faces: tuple[Face, ...], kind: str, side: str = "front") -> str:
    (face,) = [f for f in faces if f.kind == kind and f.name == side]
    return words(face)


def ways(least: int) -> int:
    """How many of the 36 throws of two dice make that, counted one by one."""
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
    """Every throw of two dice, at every Velocity that goes ahead, against every Armor that can be
    rammed: the table has the least throw for once, twice and thrice the Ram Damage."""
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
            wanted += [least[0] if least else "–", "".join(f"·{n}" for n in least[1:])]
        assert row.split() == [cell for cell in wanted if cell], velocity


@pytest.mark.thorough
def test_ram_words_follow_the_options(tmp_path: Path) -> None:
    root = changed(tmp_path, NAME, ("pack.yaml", "ram_velocity: 1", "ram_velocity: 0"))
    faces = drawn(root, NAME, kinds=("quick-sheet",))
    assert "You lose 1 ; Velocity 0" in page(faces, "quick-sheet")


@pytest.mark.thorough
def test_numbers_of_the_rules_reach_every_page(tmp_path: Path) -> None:
    root = changed(tmp_path, NAME, ("pack.yaml", "hit_from: 6", "hit_from: 7"))
    faces = drawn(root, NAME, "page-19,quick-sheet/*")
    assert "make 7 + the target’s Velocity" in words(
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
    """Where the straight lines of a face that start at a point lead to, from there."""
    found = re.findall(r'd="M([\d.]+) ([\d.]+)L([\d.]+) ([\d.]+)"', face.svg)
    ends = [tuple(map(float, line)) for line in found]
    return [(b[2] - x, b[3] - y) for b in ends if math.hypot(b[0] - x, b[1] - y) < 0.01]


CARDS = "tarot", "mini", "square-card-70", "wide"
WIDE = "stocks:\n  wide: {size: [100mm, 70mm], bleed: 3mm, safe: 3mm}"


def turn_card(root: Path, stock: str) -> tuple[tuple[Face, ...], tuple[Diagnostic, ...]]:
    """Both sides of the turn card on another stock, and what is to be said of them."""
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


@pytest.mark.thorough(but=1)
@pytest.mark.parametrize("stock", CARDS)
def test_turn_and_arc_lines_have_their_angles_on_any_card(stock: str, tmp_path: Path) -> None:
    (front, back), said = turn_card(tmp_path, stock)
    assert said == ()
    trim = front.stock.trim
    turns = lines_from(front, trim.width, trim.height / 2)
    angles = [math.degrees(math.atan2(-dy, dx)) for dx, dy in turns]
    # From straight ahead (90°) to the left: 45° for each point of Handling.
    assert [angle % 360 for angle in angles] == pytest.approx([135, 180, 225], abs=0.1)
    arcs = lines_from(back, trim.width / 2, trim.height)
    spread = sorted(math.degrees(math.atan2(dx, -dy)) for dx, dy in arcs)
    assert spread == pytest.approx([-22.5, 22.5], abs=0.1)
    # no line that leaves a point runs off the card, none is too short to lay a racer along
    assert all(-trim.width < dx <= 0 and abs(dy) < trim.height / 2 for dx, dy in turns)
    assert min(math.hypot(*end) for end in [*turns, *arcs]) > 20


@pytest.mark.thorough(but=1)
@pytest.mark.parametrize("stock", ["micro", "square-card-50"])
def test_a_card_too_small_for_its_words_is_an_error(stock: str, tmp_path: Path) -> None:
    _, said = turn_card(tmp_path, stock)
    errors = [d for d in said if (d.code, d.severity) == ("GP401", Severity.ERROR)]
    assert any("Dot on your front dot" in d.message for d in errors)
    assert all(d.span.file.endswith("cards/road-joust/turn-card.yaml") for d in errors)


def test_footprints_have_a_front_tab_and_a_dot_on_each_side(faces: tuple[Face, ...]) -> None:
    footprints = [face for face in faces if (face.kind, face.name) == ("footprint", "front")]
    assert len(footprints) >= 5
    wrecks = [f for f in faces if (f.kind, f.name) == ("footprint", "back")]
    assert {f.component for f in wrecks} == {f.component for f in footprints}
    for face in footprints:
        assert face.stock.path is not None
        assert face.stock.path.startswith("M4 4 H14 L16 0 H26 L28 4 H38")  # the tab, 4 mm long
        width, height = face.stock.trim.width, face.stock.trim.height
        (shift,) = re.findall(r'translate\(([\d.]+) ([\d.]+)\)"><path transform="tr', face.svg)
        cx, cy = map(float, shift)
        # the body begins 4 mm below the end of the tab
        assert (cx, cy) == (width / 2, (height + 4) / 2)
        dots = re.findall(
            r'<circle cx="([-\d.]+)" cy="([-\d.]+)" r="1\.500" fill="#c21858"', face.svg
        )
        spots = {(float(x), float(y)) for x, y in dots}
        assert spots == {(0, -27), (19, 0), (0, 27), (-19, 0)}
        assert all(0 < cx + x < width and 4 < cy + y < height for x, y in spots)
        (tab,) = re.findall(r'<path d="M10 ?-\d+H32V5\.2[^"]*" fill="#c21858"/>', face.svg)
        assert tab


Line = tuple[float, float, float, float]


def segments(stream: Any, resources: Any, matrix: pikepdf.Matrix) -> list[Line]:
    """The straight lines of two points that a page of a PDF draws, in mm, y going up."""
    found: list[Line] = []
    stack = [matrix]
    points: list[tuple[float, float]] = []
    for instruction in pikepdf.parse_content_stream(stream):
        name, operands = str(instruction.operator), list(instruction.operands)
        if name == "q":
            stack.append(stack[-1])
        elif name == "Q":
            stack.pop()
        elif name == "cm":
            stack[-1] = pikepdf.Matrix(*map(float, operands)) @ stack[-1]
        elif name in ("m", "l"):
            x, y = stack[-1].transform((float(operands[0]), float(operands[1])))
            points = [*(points if name == "l" else ()), (x / 72 * 25.4, y / 72 * 25.4)]
        elif name == "S" and len(points) == 2:
            found.append((*points[0], *points[1]))
        elif name == "Do":
            found += inside(resources.XObject[str(operands[0])], resources, stack[-1])
    return found


def inside(drawn: Any, resources: Any, matrix: pikepdf.Matrix) -> list[Line]:
    """The same of what is drawn as a whole; pictures have none."""
    if drawn.get("/Subtype") != "/Form":
        return []
    own = pikepdf.Matrix(*map(float, drawn.get("/Matrix", [1, 0, 0, 1, 0, 0])))
    return segments(drawn, drawn.get("/Resources", resources), own @ matrix)


@pytest.mark.thorough
def test_angles_in_the_printed_file(tmp_path: Path) -> None:
    target = Target(Project(ROOT, ROOT), "road-joust")
    order = Order(only="turn-card", papers=("a4",), players=2)
    assert press_pack(target, order, tmp_path).value
    with pikepdf.open(tmp_path / "road-joust/cards-a4.only.pdf") as pdf:
        front, back = (segments(p, p.Resources, pikepdf.Matrix()) for p in pdf.pages)
    size = 88.9  # a card's long side: 1R
    turns = [line for line in front if size * 0.5 < math.dist(line[:2], line[2:]) < size * 0.6]
    angles = Counter(
        round(math.degrees(math.atan2(y2 - y1, x2 - x1)) % 360, 1) for x1, y1, x2, y2 in turns
    )
    assert angles == {135.0: 2, 180.0: 2, 225.0: 2}
    arcs = [line for line in back if math.dist(line[:2], line[2:]) > size * 0.6]
    sides: dict[tuple[float, float], list[float]] = {}
    for x1, y1, x2, y2 in arcs:
        angle = math.degrees(math.atan2(y2 - y1, x2 - x1)) % 360
        sides.setdefault((round(x1, 1), round(y1, 1)), []).append(angle)
    assert len(sides) == 2
    assert [max(pair) - min(pair) for pair in sides.values()] == pytest.approx([45, 45], abs=0.1)


def test_one_racer_alone(pack: Pack) -> None:
    racer = pack.components["racer"][0].id
    faces = drawn(ROOT, NAME, racer)
    assert {face.kind for face in faces} == {"dashboard", "footprint", "dash-marker"}
    assert {face.component for face in faces} == {racer}


@pytest.mark.thorough
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


def test_every_face_is_drawn_and_large_enough_to_read(faces: tuple[Face, ...]) -> None:
    both, one = {"front", "back"}, {"front"}
    assert sides(faces) == {
        "dashboard": one, "blank-dashboard": one, "turn-card": both, "footprint": both,
        "wall": both, "opponent": both, "waypoint": both, "dash-marker": both,
        "valor-token": both, "chip": both, "range-ruler": both, "quick-sheet": both,
        "ability-sheet": both, "rules-page": one,
    }  # fmt: skip
    assert min(box.size_pt for face in faces for box in face.text_boxes) >= 7
    assert not any(re.search(r"\[[a-z]+\]", words(face)) for face in faces)


def test_damage_track_that_does_not_follow_the_engine_is_told_at_each_racer(tmp_path: Path) -> None:
    root = changed(tmp_path, NAME, ("gauges.yaml", "per_durability: 2", "per_durability: 3"))
    found = opened(root, NAME).diagnostics
    told = [d for d in found if "its engine's Durability of" in d.message]
    assert len(told) == len(shipped_pack(NAME).components["racer"])
    assert {d.code for d in told} == {"GP209"}
    assert all("joust-racers/racers.yaml" in d.span.file for d in told)


def test_another_version_of_joust_racers_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = changed(tmp_path, NAME, ("pack.yaml", '">= 1.0.0"', '">= 99"'))
    monkeypatch.chdir(root)
    said = load.read_pack(Project(root, ROOT), "road-joust").diagnostics
    assert [(d.code, d.span.file) for d in said] == [("GP006", "cards/road-joust/pack.yaml")]
