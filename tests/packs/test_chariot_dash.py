"""The chariot-dash pack: its vehicles are right, and every rule on a vehicle catches what breaks
it. Each case changes the Basic Chariot and names what must be said about it."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
import yaml

from generator import load, validate
from generator.diagnostics import Diagnostic, Outcome
from generator.model.pack import Pack
from generator.project import Project

ROOT = Path(__file__).parents[2]
CARDS = ROOT / "cards" / "chariot-dash"


def checked(root: Path) -> Outcome[Pack]:
    """The pack under a root, validated; pictures are not looked for."""
    project = Project(root, ROOT)
    documents = [
        load.read_document(path, path.name).value
        for path in sorted((ROOT / "cards" / "shared").glob("*.yaml"))
    ]
    catalogue = validate.read_catalogue([d for d in documents if d is not None]).value
    source = load.read_pack(project, "chariot-dash")
    assert source.value is not None
    assert not source.diagnostics
    assert catalogue is not None
    return validate.check_pack(source.value, catalogue)


@pytest.fixture(scope="session")
def pack() -> Pack:
    """The pack as it is shipped."""
    outcome = checked(ROOT)
    assert outcome.diagnostics == ()
    return outcome.value


@pytest.fixture(scope="session")
def basic() -> dict[str, Any]:
    """The Basic Chariot as its author wrote it."""
    text = (CARDS / "vehicles.yaml").read_text(encoding="utf-8")
    found: dict[str, Any] = yaml.safe_load(text)["components"][0]
    assert found["id"] == "basic"
    return found


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


ERROR, WARNING = "error", "warning"
MOVES = [
    [0, 0, 0, 0],
    [1, 0, 0, 1],
    [2, 0, 0, 2],
    [2, 2, 0, 2],
    [3, 2, 0, 3],
    [4, 3, 0, 3],
    [4, 0, 4, 4],
]
TRAITS = [{"trait": "tank", "number": 1}, {"trait": "flyer"}]
WIPE_OUT = {"at": 6, "effect": "wipe-out"}


def moves(**rows: list[int]) -> dict[str, Any]:
    """The basic moves with rows replaced: `s3=[…]`."""
    return {"moves": [rows.get(f"s{s}", row) for s, row in enumerate(MOVES)]}


def special(**entry: Any) -> dict[str, Any]:
    """One special card."""
    return {"specials": [entry]}


def damage(*entries: dict[str, Any], **more: Any) -> dict[str, Any]:
    """A damage track that ends as it should."""
    return {"damage": [*entries, WIPE_OUT], **more}


CASES: list[tuple[dict[str, Any], str, str]] = [
    ({"acceleration": [1, 1, 2, 2, 3, 3]}, ERROR, "acceleration: 6 entries"),
    ({"acceleration": [1, 1, 2, 2, 3, 3, 0]}, ERROR, "acceleration[6]: 0"),
    ({"acceleration": [1, 2, 2, 3, 3, 3, 3]}, ERROR, "too narrow for a paperclip"),
    ({"moves": [row[:3] for row in MOVES]}, ERROR, "moves[0]: 3 entries"),
    (moves(s0=[1, 0, 0, 0]), ERROR, "moves 1 at speed 0"),
    (moves(s6=[5, 0, 0, 7]), WARNING, "7 hexes in one phase"),
    (moves(s6=[5, 3, 3, 4]), WARNING, "15 hexes in a round"),
    (moves(s5=[4, 4, 3, 3]), WARNING, "fall as the speed rises"),
    (moves(s1=[0, 0, 0, 2], s2=[3, 0, 0, 1]), WARNING, "gain hexes by dropping a speed"),
    (moves(s6=[6, 0, 0, 6]), WARNING, "differ by 6 hexes"),
    ({"control": ["safe", "safe", "safe", 0, 2, 3, 4]}, ERROR, "'0'"),
    ({"control": ["safe", 1, "safe", 1, 2, 3, 4]}, WARNING, "not a run from 0"),
    ({"control": ["safe", "safe", "safe", 3, 2, 3, 4]}, WARNING, "fall as the speed rises"),
    ({"control_minimum": -1}, ERROR, "starts at -1"),
    ({"control_minimum": 8}, ERROR, "has no room"),
    ({"resilience": "3"}, ERROR, "'3'"),
    ({"resilience": "blank", "damage_levels": 4, "damage": [{"at": 4, "effect": "wipe-out"}]},
     WARNING, "blank resilience and only 4"),
    ({"resilience": "2", "damage_levels": 7, "damage": [{"at": 7, "effect": "wipe-out"}]},
     WARNING, "resilience 2 and 7 damage levels"),
    ({"damage": [{"at": 6, "effect": "slow"}]}, ERROR, "is not wipe-out"),
    ({"damage_levels": 7}, ERROR, "is not wipe-out"),
    ({"damage": []}, ERROR, "is not wipe-out"),
    ({"damage": [WIPE_OUT, {"at": 8, "effect": "slow"}]}, ERROR, "beyond the track"),
    (damage({"at": 6, "effect": "slow"}), ERROR, "two damage effects at one level"),
    (damage({"at": 3, "effect": "slow"}, {"at": 2, "effect": "haste"}), ERROR, "not in order"),
    (damage({"at": 2, "effect": "wipe-out"}), ERROR, "wiped out twice"),
    (damage({"at": 2, "effect": "resilience"}), ERROR, "needs a number"),
    (damage({"at": 2, "effect": "slow", "number": 1}), ERROR, "number that it does not use"),
    (damage({"at": 2, "effect": "damage", "number": -1}), ERROR, "number below 0"),
    (damage({"at": 2, "effect": "maximum-speed", "number": 7}), ERROR, "speed above 6"),
    (damage({"at": 2, "effect": "lose-card"}), ERROR, "which card is lost"),
    (damage({"at": 2, "effect": "lose-trait"}, traits=TRAITS), ERROR, "which trait is lost"),
    (damage({"at": 2, "effect": "lose-trait", "trait": "rival"}, traits=TRAITS), ERROR,
     "cannot lose rival"),
    (damage({"at": 2, "effect": "sloow"}), ERROR, "sloow"),
    (damage({"at": 2, "effect": "random"}), ERROR, "go together"),
    ({"random_effects": [{"effect": "slow"}] * 3}, ERROR, "go together"),
    (damage({"at": 2, "effect": "random"}, random_effects=[{"effect": "slow"}]), ERROR,
     "three random effects"),
    (damage({"at": 2, "effect": "random"}, random_effects=[{"effect": "random"}] * 3), ERROR,
     "random again"),
    ({"stamina_effects": [{"at": 11, "effect": "speed"}]}, ERROR, "off its track"),
    ({"stamina_effects": [{"at": 1, "effect": "speed"}], "stamina_minimum": 2}, ERROR,
     "off its track"),
    ({"whip": 1, "reins": 1}, ERROR, "has 2 cards"),
    ({"whip": 9, "reins": 4}, ERROR, "has 13 cards"),
    ({"whip": 5, "reins": 5}, WARNING, "has 10 cards"),
    ({"whip": 2, "reins": 2, "dual": 3}, WARNING, "3 dual cards among 7"),
    (special(side="whip", special="berserker"), ERROR, "needs a number"),
    (special(side="whip", special="yah", number=1), ERROR, "number that it does not use"),
    (special(side="reins", special="yah"), ERROR, "behind the wrong type"),
    (special(side="whip", special="brake"), ERROR, "behind the wrong type"),
    (special(side="whip", special="berserker", number=2), WARNING, "number above 1"),
    (special(side="whip", special="tank"), ERROR, "tank"),
    ({"traits": [TRAITS[0], TRAITS[0]]}, ERROR, "a trait twice"),
    ({"traits": [{"trait": "tank"}]}, ERROR, "needs a number: Tank"),
    ({"traits": [{"trait": "flyer", "number": 1}]}, ERROR, "takes no number: Flyer"),
    ({"traits": [{"trait": "tank", "number": 0}]}, WARNING, "Tank 0"),
    ({"traits": [{"trait": "tank", "number": 4}]}, WARNING, "Tank 4"),
    ({"traits": [{"trait": t} for t in ("flyer", "leap", "whitey", "savage", "snapper")]},
     WARNING, "has 5 traits"),
    ({"traits": [{"trait": "berserker", "number": 1}]}, ERROR, "berserker"),
]  # fmt: skip


@pytest.mark.parametrize(("change", "severity", "said"), CASES, ids=[c[2] for c in CASES])
def test_rule_on_a_vehicle(
    change: dict[str, Any], severity: str, said: str, basic: dict[str, Any], tmp_path: Path
) -> None:
    diagnostics = with_vehicle({**basic, **change}, tmp_path)
    assert {str(d.severity) for d in diagnostics} == {severity}
    assert any(said in d.message for d in diagnostics), [str(d) for d in diagnostics]
    assert all(d.span.file.endswith("vehicles.yaml") for d in diagnostics)
    assert all(d.hint for d in diagnostics if d.code == "GP209")


def with_vehicle(vehicle: dict[str, Any], tmp_path: Path) -> tuple[Diagnostic, ...]:
    """What is said about the pack when this is its only vehicle."""
    cards = tmp_path / "cards" / "chariot-dash"
    shutil.copytree(CARDS, cards)
    written = json.dumps({"kind": "vehicle", "components": [vehicle]}, indent=1)
    (cards / "vehicles.yaml").write_text(written, encoding="utf-8")
    # the booklet names vehicles that are not there now
    pages = (cards / "rules.yaml").read_text(encoding="utf-8").splitlines()
    kept = [line for line in pages if not line.startswith("    racer:")]
    (cards / "rules.yaml").write_text("\n".join(kept), encoding="utf-8")
    return checked(tmp_path).diagnostics


DIE = "      - {icon: slide, value: 0}\n"


@pytest.mark.parametrize(
    ("face", "severity", "said"),
    [
        ("      - {icon: haste, value: 0}\n", ERROR, "not one of each icon"),
        ("      - {icon: slide, value: 3}\n", WARNING, "not those of a known die"),
    ],
)
def test_rule_on_a_die(face: str, severity: str, said: str, tmp_path: Path) -> None:
    cards = tmp_path / "cards" / "chariot-dash"
    shutil.copytree(CARDS, cards)
    dice = (cards / "dice.yaml").read_text(encoding="utf-8")
    assert DIE in dice
    (cards / "dice.yaml").write_text(dice.replace(DIE, face), encoding="utf-8")
    diagnostics = checked(tmp_path).diagnostics
    assert [str(d.severity) for d in diagnostics] == [severity]
    assert said in diagnostics[0].message
