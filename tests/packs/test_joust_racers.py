"""The joust-racers pack: its counts, sums, faces and the nets that players fold."""

from __future__ import annotations

import math
import re
from collections import Counter
from itertools import combinations
from pathlib import Path

import pytest
import yaml
from msgspec.structs import replace
from packs.gallery import pictures, shown
from packs.shipped import (
    ROOT,
    changed,
    check_faces,
    drawn,
    opened,
    printed,
    printing,
    said,
    shipped_pack,
    words,
)
from PIL import ImageChops

from generator.build import Order, draw, press_pack
from generator.diagnostics import Diagnostic, Severity
from generator.model.face import Face
from generator.model.pack import Pack
from generator.preflight.colour_sight import Sight, apart
from generator.project import Project, Target

NAME = "joust-racers"
SPECIES = ("brock", "karkin", "lunet", "tock", "mire")
COLUMNS = ("speed", "reflexes", "handling", "armor", "ram", "valor")


def test_each_species_has_a_whole_set_and_two_knights(pack: Pack) -> None:
    slots = Counter(
        (c.values["species"]["id"], c.values["slot"], c.values["half"])
        for c in pack.components["part"]
    )
    wanted = [("chassis", "a"), ("chassis", "b"), ("engine", None), ("tires", None)]
    wanted += [("weapon", None), ("shield", None)]
    assert set(slots) == {(species, *part) for species in SPECIES for part in wanted}
    knights = Counter(c.values["species"]["id"] for c in pack.components["knight"])
    assert knights == dict.fromkeys(SPECIES, 2)
    perfect = {
        c.values["knight"]["species"]["id"] for c in pack.components["racer"] if c.values["perfect"]
    }
    assert perfect == set(SPECIES)


def test_every_ability_is_used_and_spelled_out(pack: Pack) -> None:
    used = [*pack.components["part-ability"], *pack.components["knight-ability"]]
    abilities = {c.values["id"] for c in pack.components["ability"]}
    assert {c.values["ability"]["id"] for c in used} == abilities
    spelled = {c.values["words"]: c.values["spelled"] for c in used}
    assert spelled["Protection Ram 2"] == "**+2** Armor against rams."
    assert spelled["Heavy"].startswith("You may pay **4**\u00a0{sp} for a shot instead of 2:")
    assert spelled["Attuned Prism 1"] == "**+1** Strength when you fire Prism weapons."
    assert not [text for text in spelled.values() if "#" in text]


def test_totals_are_the_sums_of_the_strips_and_durability_is_the_engines(pack: Pack) -> None:
    for racer in pack.components["racer"]:
        values = racer.values
        strips = [part for part in values["parts"] if part["half"] != "b"]
        for column in COLUMNS:
            total = sum(strip[column] for strip in (*strips, values["knight"]))
            assert values[column] == total, (racer.id, column)
        assert values["durability"] == values["engine"]["durability"]
        species = {part["species"]["id"] for part in (*values["parts"], values["knight"])}
        assert values["perfect"] == (len(species) == 1)
    mixed = next(c.values for c in pack.components["racer"] if c.id == "pot-luck")
    assert not mixed["perfect"]
    assert len(mixed["parts"]) == 9


@pytest.mark.parametrize("players", [2, 3, 6])
def test_a_print_has_what_its_players_need(players: int) -> None:
    pack = shipped_pack(NAME, players)
    count = printed(pack)
    assert count["waypoint"] == players + 1
    numbers = [c.values["number"] for c in pack.components["waypoint"] if c.quantity]
    assert numbers == list(range(1, players + 2))
    assert count["racer"] == count["racer-token"] == count["turn-sheet"] == players
    assert count["ruler"] == max(3, -(-players // 2))
    assert count["part-card"] == 20
    assert count["falcon"] == len(SPECIES)
    blockers = {c.id: c.quantity for c in pack.components["blocker"]}
    assert blockers == {
        "hay-cart": players, "toll-booth": -(-players // 2), "gate-tower": -(-players // 3),
    }  # fmt: skip


def test_a_racer_brings_the_cards_that_it_is_built_from(pack: Pack) -> None:
    def chosen(glob: str) -> dict[str, set[str]]:
        return {
            kind: {c.id for c in found if c.answers_to(glob)}
            for kind, found in pack.components.items()
            if pack.kinds[kind].stock and any(c.answers_to(glob) for c in found)
        }

    assert chosen("undermount") == {
        "racer": {"undermount"},
        "racer-token": {"undermount"},
        "part-card": {"brock-1a", "brock-1b", "brock-2", "brock-3"},
        "falcon": {"brock-2"},
        "knight": {"delve"},
    }
    cards = chosen("pot-luck")["part-card"]
    assert {"karkin-6a", "karkin-6b", "lunet-12", "mire-23", "tock-18"} < cards
    assert {"brock-2", "tock-17", "mire-22"} < cards  # its shields


TEMPLATES = ROOT / "templates" / "joust-racers"
FORMS = ("slab", "shell", "wing", "clock", "bulb")
CHARGES = ("portcullis", "scallop", "crescent", "cog", "trefoil")
KNIGHT = {
    "folk": ("badger", "crab", "moth", "clockwork", "toad"),
    "helm": ("none", "barbute", "kettle", "crown", "hood", "goggles", "jousting"),
    "crest": ("none", "plume", "fan", "horns", "wheel", "pennon", "star"),
    "arms": ("lance", "sword", "hammer", "mace", "banner", "spanner", "bow"),
    "cloth": ("plain", "pale", "bend", "lozengy", "chequy"),
    "field": ("pavilions", "stands", "track", "forge"),
}
NETS = (
    *((f'chassis(look, "{half}"', height) for half, height in (("a", 66), ("b", 46))),
    ("engine(look", 30),
)
PARTS = '{% from "shared/machines/parts.svg.j2" import chassis, engine, tires, weapon, shield %}'
MARKERS = '{% import "shared/machines/markers.svg.j2" as m %}'

XY = tuple[float, float]


def look(form: str) -> str:
    charge = CHARGES[FORMS.index(form)]
    return f'{{"form": "{form}", "hue": colour.{SPECIES[FORMS.index(form)]}, "charge": "{charge}"}}'


def cuts(svg: str) -> list[list[XY]]:
    """Return the outlines that are cut: straight, closed, and drawn as a line of 0.35 mm."""
    paths = re.findall(r'<path d="([^"]*)Z" fill="none" [^>]*stroke-width="\.35"', svg)
    found = []
    for path in paths:
        points: list[XY] = []
        for command, values in re.findall(r"([MLHV])([^MLHVZ]*)", path):
            numbers = [float(n) for n in re.findall(r"-?[\d.]+", values)]
            if command == "H":
                points.append((numbers[0], points[-1][1]))
            else:
                points += zip(numbers[::2], numbers[1::2], strict=True)
        found.append(points)
    return found


def crossing(a: XY, b: XY, c: XY, d: XY) -> bool:
    """Return True if the segments ab and cd cross."""

    def side(p: XY, q: XY, r: XY) -> float:
        return (q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0])

    return side(a, b, c) * side(a, b, d) < -1e-9 and side(c, d, a) * side(c, d, b) < -1e-9


@pytest.fixture(scope="module")
def nets(tmp_path_factory: pytest.TempPathFactory) -> dict[tuple[str, str], str]:
    """Return the drawing of each net in each form."""
    wanted = {(call, form): height for call, height in NETS for form in FORMS}
    templates = [
        f'{PARTS}{{% set look = {look(form)} %}}{{{{ {call}, 5, 5, 54, {height}, "n") }}}}'
        for (call, form), height in wanted.items()
    ]
    faces = shown(tmp_path_factory.mktemp("nets"), NAME, "64mm 76mm", templates)
    return {net: face.svg for net, face in zip(wanted, faces, strict=True)}


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize(("call", "height"), NETS)
def test_a_net_folds_to_a_box(
    nets: dict[tuple[str, str], str], call: str, height: int, form: str
) -> None:
    """All walls have right angles and equal heights, so that they meet. No part of a net covers
    another. The whole fits the documented natural size."""
    svg = nets[call, form]
    assert re.search(r" scale\(1(\.0)?\)", svg)
    (net,) = cuts(svg)
    sides = list(zip(net, net[1:] + net[:1], strict=True))
    assert [pair for pair in combinations(sides, 2) if crossing(*pair[0], *pair[1])] == []
    xs, ys = [x for x, _ in net], [y for _, y in net]
    assert max(xs) - min(xs) <= 54
    assert max(ys) - min(ys) <= height
    if "chassis" in call and height == 66:  # a hull has the front tab, of four corners
        net = net[:2] + net[6:]
    else:  # what stands on it has a foot of two corners below the front and the rear wall
        rear = 6 * ((len(net) - 4) // 6 // 2) + 2
        net = net[:2] + net[4 : rear + 2] + net[rear + 4 :]
    assert len(net) % 6 == 0
    walls = [net[i : i + 6] for i in range(0, len(net), 6)]
    depth = math.dist(*walls[0][:2])
    for wall, following in zip(walls, walls[1:] + walls[:1], strict=True):
        foot, low, end, *_ = wall
        corner = following[0]
        assert math.dist(foot, low) == pytest.approx(depth, abs=0.02)
        assert math.dist(corner, end) == pytest.approx(depth, abs=0.02)
        assert math.dist(foot, corner) == pytest.approx(math.dist(low, end), abs=0.02)
        along = ((corner[0] - foot[0]), (corner[1] - foot[1]))
        assert along[0] * (low[0] - foot[0]) + along[1] * (low[1] - foot[1]) == pytest.approx(
            0, abs=0.02 * math.hypot(*along)
        )
        assert math.dist(wall[3], wall[4]) > 2


def test_any_part_goes_with_any_other(tmp_path: Path) -> None:
    looks = "{% set L = [" + ", ".join(look(form) for form in FORMS) + "] %}"
    template = looks + (
        '{% from "shared/machines/parts.svg.j2" import racer_top, assembly %}'
        '{% from "parts/cover.svg.j2" import racer_side %}'
        f"{{% set folks = {KNIGHT['folk']} %}}"
        '{% for i in range(5) %}{% set parts = {"chassis": L[i], "engine": L[i - 1],'
        ' "tires": L[i - 2], "weapon": L[i - 3], "shields": {"front": L[i - 4], "left": L[i]}} %}'
        '<g id="top-{{ i }}">{{ racer_top(parts, 0, 0, 42, 62, "t" ~ i) }}</g>'
        '<g id="kit-{{ i }}">{{ assembly(parts, 0, 0, 72, 80, "a" ~ i) }}</g>'
        "{% for step in range(1, 7) %}"
        '<g id="step-{{ i }}{{ step }}">'
        '{{ assembly(parts, 0, 0, 72, 80, "s" ~ i ~ step, step=step) }}</g>'
        "{% endfor %}"
        '<g id="side-{{ i }}">{{ racer_side(parts, {"folk": folks[i], "helm": "none",'
        ' "crest": "none", "cloth": "plain"}, 0, 0, 60, 38, "r" ~ i) }}</g>{% endfor %}'
    )
    svg = shown(tmp_path, NAME, "120mm 120mm", [template])[0].svg
    _, *parts = re.split(r'<g id="((?:top|kit|step|side)-\d+)">', svg)
    groups: dict[str, str] = {}
    for name, part in zip(parts[::2], parts[1::2], strict=True):
        groups[name] = groups.get(name, "") + part
    assert len(set(groups.values())) == len(groups) == 45


def test_a_knight_is_made_of_any_choices(tmp_path: Path) -> None:
    """Each choice of each key occurs in any combination, and shows."""
    arts = [
        {key: values[(n + i * (n // len(values))) % len(values)]}
        | {k: v[0 if k == key else n % len(v)] for k, v in KNIGHT.items() if k != key}
        for i, (key, values) in enumerate(KNIGHT.items())
        for n in range(len(values))
    ]
    template = '{% from "parts/knights.svg.j2" import knight %}' + "".join(
        f'<g id="knight-{n}">{{{{ knight({art}, 0, 0, 55, 48, colour.rose, "k{n}") }}}}</g>'
        for n, art in enumerate(arts)
    )
    svg = shown(tmp_path, NAME, "60mm 50mm", [template])[0].svg.removesuffix("</svg>")
    drawings = [
        re.sub(r"k\d+(kn|tb)", "", group) for group in re.split(r'<g id="knight-\d+">', svg)[1:]
    ]
    assert len(drawings) == len(arts)
    for first, second in combinations(range(len(arts)), 2):
        same = {key: arts[first][key] for key in KNIGHT} == {k: arts[second][k] for k in KNIGHT}
        assert (drawings[first] == drawings[second]) == same


@pytest.mark.parametrize("of", ["", f", {look('clock')}"])
def test_the_back_is_the_same_either_way_up(tmp_path: Path, of: str) -> None:
    template = '{% from "parts/frames.svg.j2" import card_back %}' + (
        f'{{{{ card_back(stock, "b"{of}) }}}}'
    )
    (back,) = pictures(shown(tmp_path, NAME, "63.5mm 88.9mm", [template]), tmp_path / "png")
    # a pixel at an edge may differ by its antialiasing, a shape may not
    differing = ImageChops.difference(back, back.rotate(180)).point(lambda d: 255 * (d > 110))
    assert sum(differing.histogram()[255:]) < 0.002 * back.width * back.height
    assert sum(back.histogram()[:110]) > 0.1 * back.width * back.height


def test_each_token_has_a_shape_of_its_own(tmp_path: Path) -> None:
    """In one ink, without their numbers, no two kinds of token look alike."""
    calls = (
        "waypoint(1", "waypoint_passed(1", 'blocker("Cart", 1, 1', 'falcon("silver", 1',
        'falcon("gold", 2', "valor(1", "valor_back(", "glory(1", "slow(", "weakness(",
        "token_back(", "wall(",
    )  # fmt: skip
    templates = [
        f'{MARKERS}{{{{ m.{call if call.endswith("(") else call + ", "}stock, "t") }}}}'
        for call in calls
    ]
    tokens = [
        picture.resize((24, 24)).point(lambda grey: 255 * (grey > 128))
        for picture in pictures(shown(tmp_path, NAME, "25.4mm 25.4mm", templates), tmp_path / "png")
    ]
    for (one, a), (other, b) in combinations(zip(calls, tokens, strict=True), 2):
        differing = ImageChops.difference(a, b).histogram()[255]
        assert differing > 24 * 24 * 0.04, (one, other)


@pytest.mark.parametrize("ink", ["full", "low", "mono"])
@pytest.mark.parametrize("sight", Sight)
def test_species_differ_for_every_eye(sight: Sight, ink: str) -> None:
    styles = yaml.safe_load((TEMPLATES / "styles.yaml").read_text(encoding="utf-8"))
    palette = {**styles["colours"], **styles["ink"].get(ink, {})}
    colours = {name: palette[name] for name in SPECIES}
    pairs = list(combinations(colours, 2))
    assert len(pairs) == 10
    assert [p for p in pairs if apart(colours[p[0]], colours[p[1]], sight) < 10] == []


def test_both_packs_share_their_colours() -> None:
    """The colours of both packs are equal, except turf at night."""
    other = ROOT / "templates" / "road-joust" / "styles.yaml"
    texts = (path.read_text(encoding="utf-8") for path in (TEMPLATES / "styles.yaml", other))
    mine, theirs = (yaml.safe_load(re.sub(r"turf: .*", "", text)) for text in texts)
    for key in ("fonts", "colours", "ink"):
        assert mine[key] == theirs[key]


def test_backs_of_blockers_bleed_in_less_ink(tmp_path: Path) -> None:
    """Side by side they have only 2 mm of bleed, where a white ground may be the only content."""
    order = Order(only="toll-booth", papers=("a4",), ink="low")
    assert press_pack(Target(Project(ROOT, ROOT), NAME), order, tmp_path).diagnostics == ()


def test_pavilions_bleed_on_a_card_of_another_size(tmp_path: Path) -> None:
    """Their light stripes may end within the bleed; they do not count as bare paper."""
    root = changed(tmp_path / "root", NAME, ("pack.yaml", "[63.5mm, 88.9mm]", "[70mm, 120mm]"))
    order = Order(only="halfmoon", papers=("a4",))
    assert press_pack(Target(Project(root, ROOT), NAME), order, tmp_path).diagnostics == ()


def test_every_face_is_drawn(faces: tuple[Face, ...]) -> None:
    one = "rules-page box"
    both = (
        "part-card knight blank-card racer blank-sheet racer-token blank-racer ruler blocker "
        "waypoint token falcon turn-sheet ability-sheet credits-sheet"
    )
    check_faces(faces, {"one": one, "both": both})


def test_costs_angles_and_glory_follow_the_options(tmp_path: Path) -> None:
    sheet = said(ROOT, NAME, "turn-sheet")
    assert "Fire, once a round 2 SP" in sheet
    assert "First across the last one +1" in sheet
    assert "You are wrecked −1" in sheet
    assert "135°" in sheet
    root = changed(
        tmp_path,
        NAME,
        ("pack.yaml", "fire: 2", "fire: 3"),
        ("pack.yaml", "last_waypoint_glory: 1", "last_waypoint_glory: 4"),
        ("pack.yaml", "turn_step: 45", "turn_step: 30"),
    )
    sheet = said(root, NAME, "turn-sheet")
    assert "Fire, once a round 3 SP" in sheet
    assert "First across the last one +4" in sheet
    assert "Handling × 30°" in sheet
    assert "135°" not in sheet
    assert "takes 4 more" in said(root, NAME, "page-13")


def test_odds_are_those_of_two_dice() -> None:
    sheet = drawn(ROOT, NAME, "turn-sheet")
    back = next(f for f in sheet if f.name == "back")
    found = re.search(r"36 1 35 2 33 3 30 4 26 5 21 6 15 7 10 8 6 9 3 10 1 11\b", words(back))
    assert found, words(back)
    assert "1M +1 2M +1 3M +2 4M +2 5M +3 6M +3" in words(*sheet)


@pytest.mark.parametrize(("racer", "perfect"), [("undermount", True), ("pot-luck", False)])
def test_build_sheet_states_totals_durability_valor_and_the_perfect_bonus(
    pack: Pack, racer: str, perfect: bool
) -> None:
    (sheet,) = (words(f) for f in drawn(ROOT, NAME, racer, kinds=("racer",)) if f.name == "front")
    values = next(c.values for c in pack.components["racer"] if c.id == racer)
    strips = [p for p in values["parts"] if p["half"] != "b"] + [values["knight"]]
    sums = [
        sum(strip[column] for strip in strips)
        for column in ("speed", "reflexes", "handling", "armor", "ram", "valor")
    ]
    durability, weapon = values["engine"]["durability"], values["weapon"]["weapon"]
    shot = [weapon["strength"], weapon["damage"], weapon["range"], weapon["arc"]["label"]]
    names = ("Speed", "Reflexes", "Handling", "Armor", "Ram Damage", "Valor to take")
    assert " ".join(f"{n} {name}" for n, name in zip(sums, names, strict=True)) in sheet
    assert f"{durability} Durability the die here" in sheet
    shots = zip(shot, ("Strength", "Damage", "Range", "Arc"), strict=True)
    assert " ".join(f"{n} {name}" for n, name in shots) in sheet
    bonus = f"+{pack.options['perfect_valor']} Valor each round"
    assert (bonus in sheet) == perfect
    assert ("a perfect racer of" in sheet) == values["perfect"] == perfect


CARDS = "poker", "wide"
WIDE = "stocks:\n  wide: {size: [100mm, 70mm], bleed: 3mm, safe: 3mm}"


def knights(root: Path, stock: str) -> tuple[tuple[Face, ...], tuple[Diagnostic, ...]]:
    """Draw both faces of every knight on another stock, and return them with their findings."""
    changed(
        root,
        NAME,
        ("kinds/knight.yaml", "stock: joust-card", f"stock: {stock}"),
        ("pack.yaml", "stocks:", WIDE),
    )
    found = opened(root, NAME)
    assert found.diagnostics == ()
    assert found.value is not None
    only_knights = replace(found.value, pack=printing(found.value.pack, ["knight"]))
    outcome = draw(only_knights, Order(), for_export=True)
    knights = tuple(face for face in outcome.value if face.kind == "knight")
    ids = {c.id for c in found.value.pack.components["knight"]}
    assert {face.component for face in knights} == ids
    return knights, outcome.diagnostics


@pytest.mark.parametrize("stock", CARDS)
def test_knights_are_drawn_on_any_card(stock: str, tmp_path: Path) -> None:
    faces, said = knights(tmp_path, stock)
    assert said == ()
    for face in faces:
        if face.name == "front":
            continue
        w, h = face.stock.trim.width, face.stock.trim.height
        lines = [
            tuple(map(float, line))
            for line in re.findall(r'd="M([\d.-]+) ([\d.-]+)L([\d.-]+) ([\d.-]+)"', face.svg)
        ]
        for start, wanted in {
            (0, h * 0.36): [45, 90, 135],
            (w, h * 0.36): [-135, -90, -45],
            (w / 2, h): [-90, -22.5, 22.5, 90],
        }.items():
            turns = [
                math.degrees(math.atan2(x2 - x1, y1 - y2))
                for x1, y1, x2, y2 in lines
                if math.dist((x1, y1), start) < 0.01
            ]
            assert sorted(turns) == pytest.approx(wanted, abs=0.1), (face.component, start)


def test_a_card_too_short_for_a_strip_is_an_error_for_every_knight(tmp_path: Path) -> None:
    _, said = knights(tmp_path, "micro")
    (error,) = (d for d in said if d.severity is Severity.ERROR)
    assert error.code == "GP401"
    assert "A strip is 54 mm long" in error.message


def test_the_played_round_has_the_figures_of_its_racers(pack: Pack) -> None:
    """Page 22 describes a round in words; changing these two racers means rewriting it."""
    racers = {c.id: c.values for c in pack.components["racer"]}
    shown = {
        name: [racers[name][c] for c in ("speed", "reflexes", "armor", "ram", "durability")]
        for name in ("undermount", "low-tide")
    }
    assert shown == {"undermount": [2, 1, 8, 3, 5], "low-tide": [3, 2, 9, 3, 5]}
    weapon = racers["undermount"]["weapon"]["weapon"]
    assert [weapon["strength"], weapon["damage"], weapon["range"]] == [2, 2, 2]
    cart = next(c.values for c in pack.components["blocker"] if c.id == "hay-cart")
    assert (cart["armor"], cart["durability"]) == (7, 1)


@pytest.mark.parametrize("players", [2, 5])
def test_the_box_holds_all_cards_and_lists_what_is_printed(players: int) -> None:
    pack = shipped_pack(NAME, players)
    count = printed(pack)
    (box,) = pack.components["box"]
    assert box.values["cards"] == sum(count[k] for k in ("part-card", "knight", "blank-card"))
    told = said(ROOT, NAME, "box", players=players)
    assert f"{pack.options['minutes']} min" in told
    assert f"ages {pack.options['ages']}+" in told
    for name, kind in {
        "Build sheets": "racer", "Waypoints": "waypoint", "Blockers": "blocker",
        "Falcons": "falcon", "Ability sheets": "ability-sheet",
    }.items():  # fmt: skip
        assert f"{count[kind]} {name}" in told, name
    assert f"You also need {2 * players + 2} dice" in told


@pytest.mark.parametrize("players", [2, 5])
def test_the_contents_list_counts_what_is_printed(players: int) -> None:
    page = said(ROOT, NAME, "page-2", players=players)
    assert f"printed for {players} players" in page
    count = Counter[str]()
    pack = shipped_pack(NAME, players)
    for kind, components in pack.components.items():
        for component in components:
            count[component.id if kind == "token" else kind] += component.quantity
    for name, key in {
        "Part cards": "part-card", "Knight cards": "knight", "Build sheets": "racer",
        "Flat racers": "racer-token", "Blank build sheets": "blank-sheet",
        "Waypoints": "waypoint", "Blockers": "blocker", "Valor tokens": "valor",
        "Glory tokens, 1 or 3": "glory", "Glory tokens, 5": "glory-five", "Slow tokens": "slow",
        "Weakness tokens": "weakness", "Falcons": "falcon", "Rulers": "ruler",
        "Round overviews": "turn-sheet", "Ability sheets": "ability-sheet",
    }.items():  # fmt: skip
        (row,) = re.findall(rf" {name}((?: \d+){{5}})", page)
        assert int(row.split()[players - 2]) == count[key], name
    assert re.search(r"Dice, not printed 6 8 10 12 14", page)


def test_only_the_contents_list_knows_how_many_players_are_printed_for() -> None:
    """Three players may use a box for six, so every other text holds for any number of players."""
    few, many = (
        {f.component: words(f) for f in drawn(ROOT, NAME, "page-*", players=n)} for n in (3, 6)
    )
    # the arena of page 9 is drawn for the players of the print
    assert {page for page, text in few.items() if text != many[page]} == {"page-2", "page-9"}
    assert "Gate Tower last" in many["page-9"]


def test_eight_players_have_room_on_every_page(tmp_path: Path) -> None:
    racers = ROOT / "cards" / NAME / "racers.yaml"
    last = racers.read_text(encoding="utf-8").split("  - id: pot-luck\n")[1]
    more = "".join(
        f"  - id: {own.lower()}\n"
        + last.replace("order: 6", f"order: {order}").replace("Pot Luck", own)
        for own, order in (("Seventh", 7), ("Eighth", 8))
    )
    root = changed(
        tmp_path,
        NAME,
        ("pack.yaml", "max: 6", "max: 8"),
        ("racers.yaml", "  - id: pot-luck\n" + last, "  - id: pot-luck\n" + last + more),
    )
    found = opened(root, NAME, players=8).value
    assert found is not None
    assert draw(found, Order(players=8), for_export=True).diagnostics == ()


def test_a_blocker_that_does_not_cover_a_waypoint_is_an_error(tmp_path: Path) -> None:
    root = changed(tmp_path, NAME, ("kinds/blocker.yaml", "stock: square-32", "stock: square-25"))
    found = opened(root, NAME, only="hay-cart").value
    assert found is not None
    errors = [d for d in draw(found, Order(only="hay-cart")).diagnostics if d.code == "GP401"]
    assert any("does not cover a waypoint" in error.message for error in errors)
