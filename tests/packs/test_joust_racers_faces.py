"""What the joust-racers sheets show: every face is drawn without a finding, and what states a
number follows the data."""

from __future__ import annotations

import math
import re
from collections import Counter
from pathlib import Path

import pytest
from msgspec.structs import replace
from packs.shipped import (
    ROOT,
    changed,
    drawn,
    opened,
    printing,
    said,
    shipped_pack,
    words,
)

from generator.build import Order, draw
from generator.diagnostics import Diagnostic, Severity
from generator.model.face import Face
from generator.model.pack import Pack

NAME = "joust-racers"


@pytest.mark.thorough
def test_costs_angles_and_glory_follow_the_options(tmp_path: Path) -> None:
    sheet = said(ROOT, NAME, "turn-sheet")
    assert "Fire, once a round 2 SP" in sheet
    assert "First at the last one, besides +1" in sheet
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
    assert "First at the last one, besides +4" in sheet
    assert "Handling × 30°" in sheet
    assert "135°" not in sheet
    assert "takes 4 more" in said(root, NAME, "page-13")


def test_odds_are_those_of_two_dice() -> None:
    sheet = drawn(ROOT, NAME, "turn-sheet")
    back = next(f for f in sheet if f.name == "back")
    found = re.search(r"36 1 35 2 33 3 30 4 26 5 21 6 15 7 10 8 6 9 3 10 1 11\b", words(back))
    assert found, words(back)
    assert "1M +1 2M +1 3M +2 4M +2 5M +3 6M +3" in words(*sheet)


def test_waypoints_in_the_rules_are_one_more_than_players() -> None:
    assert "waypoints 1 to 4" in said(ROOT, NAME, "page-9", players=3)


def sheet_of(root: Path, racer: str, side: str = "front") -> Face:
    """A side of a racer's build sheet."""
    return next(f for f in drawn(root, NAME, racer, kinds=["racer"]) if f.name == side)


@pytest.mark.thorough
def test_build_sheet_names_the_cards_to_cut(tmp_path: Path) -> None:
    back = words(sheet_of(ROOT, "low-tide", "back"))
    assert (
        "To cut 6a Tidewall 6b Tidewall 7 Undertow Big Left 8 Scuttlers Royal Gaff 9 Lord Nacre"
        in back
    )
    assert "a perfect racer of the Karkin" in back
    root = changed(tmp_path, NAME, ("racers.yaml", "engine: karkin-engine", "engine: tock-engine"))
    back = words(sheet_of(root, "low-tide", "back"))
    assert "6b Tidewall 17 Eight-Day 8 Scuttlers Royal Gaff 7 Big Left 9" in back
    assert "a racer of many makers" in back


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
    # the sums are the last row of figures; what is added stands large beside it
    assert f" {' '.join(map(str, [*sums, durability, *shot]))} " in sheet
    names = ("Speed", "Reflexes", "Handling", "Armor", "Ram Damage", "Valor")
    assert " ".join(f"{n} {name}" for n, name in zip(sums, names, strict=True)) in sheet
    bonus = f"+{pack.options['perfect_valor']}" if perfect else "–"
    assert (
        f"Durability {durability} the die here Valor {sums[5]} to take at the start "
        f"Perfect {bonus} Valor each round"
    ) in sheet
    assert ("a perfect racer of" in sheet) == values["perfect"] == perfect


@pytest.mark.thorough
def test_build_sheet_names_each_number_of_the_assembly_drawing(pack: Pack, tmp_path: Path) -> None:
    steps = {c.values["number"]: c.values["name"] for c in pack.components["build-step"]}
    assert list(steps) == [1, 2, 3, 4, 5, 6]

    def numbered(root: Path) -> tuple[list[int], str]:
        """The numbers in the drawing, and all the words of the sheet."""
        sheet = sheet_of(root, "undermount", "back")
        assert sheet.words is not None
        _, _, behind = sheet.words.partition("\nTo build\n")
        balloons, _, _ = behind.partition("\nAs a flat racer")
        return sorted(map(int, balloons.split("\n"))), words(sheet)

    numbers, said = numbered(ROOT)
    assert numbers == list(steps)
    assert all(f" {number} {name} " in said for number, name in steps.items())
    root = changed(
        tmp_path,
        NAME,
        ("racers.yaml", "knight: delve\n    shields: {front: brock-shield}", "knight: delve"),
    )
    numbers, said = numbered(root)
    assert numbers == [1, 2, 3, 4, 5]
    assert f" 6 {steps[6]} " not in said


def test_a_racer_may_have_a_name_of_18_letters(tmp_path: Path) -> None:
    root = changed(tmp_path, NAME, ("racers.yaml", "name: Undermount", "name: Wandering Minstrel"))
    faces = drawn(root, NAME, "undermount", kinds=["racer", "racer-token"])
    assert [words(f).count("Wandering Minstrel") for f in faces if f.name == "back"] == [1, 1]


def test_what_is_less_than_nothing_has_a_minus_in_strips_and_sums(tmp_path: Path) -> None:
    delve = "rarity: C\n    reflexes: 1\n    ram: 1"
    root = changed(
        tmp_path, NAME, ("knights.yaml", delve, delve.replace("reflexes: 1", "reflexes: -3"))
    )
    sheet = words(sheet_of(root, "undermount"))
    assert re.search(r"Sir Delve Padded 4 −3 1 2 2 −3 1 8 3 6 ", sheet), sheet
    assert "−3 Reflexes" in sheet


def test_abilities_on_two_lines_keep_off_the_lines_of_the_strip(tmp_path: Path) -> None:
    two = "{ability: close-range}, {ability: protection, against: lightning, number: 2}"
    root = changed(tmp_path, NAME, ("parts.yaml", '{ability: "true"}', two))
    (face,) = (f for f in drawn(root, NAME, "tock-16a", kinds=["part-card"]) if f.name == "front")
    (note,) = (b for b in face.text_boxes if b.lines == 2)
    assert note.box.height == 5.5
    assert note.box.y + 0.2 < note.used.y
    assert note.used.y + note.used.height < note.box.y + 5.5 - 0.2


@pytest.mark.thorough(but=1)
@pytest.mark.parametrize("size", ["63.5mm, 88.9mm", "70mm, 140mm", "140mm, 70mm"])
def test_the_card_in_the_rules_keeps_its_form_and_its_room(tmp_path: Path, size: str) -> None:
    root = changed(tmp_path, NAME, ("pack.yaml", "size: [63.5mm, 88.9mm]", f"size: [{size}]"))
    (page,) = drawn(root, NAME, "page-2", kinds=["rules-page"])
    card = r'<rect x="[\d.]+" y="([\d.]+)" width="([\d.]+)" height="([\d.]+)" rx="2"'
    ((y, w, h),) = (map(float, found) for found in re.findall(card, page.svg))
    short, long = sorted(float(side.removesuffix("mm")) for side in size.split(", "))
    assert w / h == pytest.approx(short / long, abs=0.001)
    # it ends above the line at the foot of the page
    assert y + h < page.stock.trim.height - 10


@pytest.mark.thorough
def test_abilities_that_have_no_room_on_their_sheet_are_told(tmp_path: Path) -> None:
    last = "  - {id: veteran,"
    more = [f'  - {{id: new-{n}, name: New {n}, text: "{"Go on. " * 20}"}}\n' for n in range(8)]
    root = changed(tmp_path, NAME, ("abilities.yaml", last, "".join(more) + last))
    found = opened(root, NAME, only="abilities").value
    assert found is not None
    said = draw(found, Order(only="abilities")).diagnostics
    assert {(d.code, Path(d.span.file).name) for d in said if d.severity is Severity.ERROR} == {
        ("GP401", "abilities.yaml")
    }


CARDS = "poker", "tarot", "square-card-70", "wide", "mini"
WIDE = "stocks:\n  wide: {size: [100mm, 70mm], bleed: 3mm, safe: 3mm}"


def knights(root: Path, stock: str) -> tuple[tuple[Face, ...], tuple[Diagnostic, ...]]:
    """Both faces of every knight on another stock, and what is to be said of them."""
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


@pytest.mark.thorough
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


def test_a_strip_stands_upright_on_a_card_that_is_narrower(tmp_path: Path) -> None:
    faces, _ = knights(tmp_path, "mini")
    for face in faces:
        if face.name == "front":
            w, h = face.stock.trim.width, face.stock.trim.height
            strip = r'translate\(([\d.]+) ([\d.]+)\) rotate\(-90\)"><rect x="0" y="0" width="54"'
            ((x, y),) = re.findall(strip, face.svg)
            assert 0 < float(x) < w - 8.5 - 2.9
            assert float(y) == pytest.approx((h + 54) / 2)


def test_a_card_too_short_for_a_strip_is_an_error_for_every_knight(tmp_path: Path) -> None:
    _, said = knights(tmp_path, "micro")
    (error,) = (d for d in said if d.severity is Severity.ERROR)
    assert error.code == "GP401"
    assert "A strip is 54 mm long" in error.message


def test_the_played_round_has_the_figures_of_its_racers(pack: Pack) -> None:
    """Page 22 tells a round in words: whoever tunes these two must tell it anew."""
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


@pytest.mark.thorough(but=1)
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
        "Part cards": "part-card", "Build sheets, flat racers, each": "racer",
        "Waypoints": "waypoint", "Blockers": "blocker", "Valor": "valor",
        "Slow, Weakness, each": "slow", "Falcons": "falcon", "Rulers": "ruler",
        "Ability sheets": "ability-sheet",
    }.items():  # fmt: skip
        (row,) = re.findall(rf" {name}((?: \d+){{5}})", page)
        assert int(row.split()[players - 2]) == count[key], name
    assert re.search(r"Dice, not printed 6 8 10 12 14", page)


@pytest.mark.thorough(but=1)
@pytest.mark.parametrize(("players", "sets"), [(5, "from one printed set"), (6, "need two")])
def test_how_to_draft_is_told_for_the_players_there_are(players: int, sets: str) -> None:
    page = said(ROOT, NAME, "page-8", players=players)
    assert page.count("Drafted") == 1
    assert sets in page


def test_a_blocker_that_does_not_cover_a_waypoint_is_an_error(tmp_path: Path) -> None:
    root = changed(tmp_path, NAME, ("kinds/blocker.yaml", "stock: square-32", "stock: square-25"))
    found = opened(root, NAME, only="hay-cart").value
    assert found is not None
    errors = [d for d in draw(found, Order(only="hay-cart")).diagnostics if d.code == "GP401"]
    assert any("does not cover a waypoint" in error.message for error in errors)
