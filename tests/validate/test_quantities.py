"""The reason for a kind's quantity: its own words, or its quantity rule in words."""

from __future__ import annotations

from pathlib import Path

import pytest
from validate.projects import check

PRINTED = "stock: poker\nfaces: {front: x.svg.j2}\n"


def project(root: Path, rule: str) -> Path:
    """Write a pack for 2 to 4 players with four knights, and a kind with the rule."""
    kinds = root / "cards/demo/kinds"
    kinds.mkdir(parents=True)
    prints = "prints: {all: {kinds: [knight, x], papers: [a4]}}\n"
    pack = "title: Demo\nversion: 1.0.0\nplayers: {min: 2, max: 4}\n"
    (kinds.parent / "pack.yaml").write_text(pack + prints)
    fields = "fields:\n  arms: {type: list, of: {type: text}, default: [sword, lance]}\n"
    (kinds / "knight.yaml").write_text("kind: knight\n" + PRINTED + fields)
    knights = "".join(f"  - id: k{n}\n" for n in range(4))
    (kinds.parent / "knights.yaml").write_text("kind: knight\ncomponents:\n" + knights)
    (kinds / "x.yaml").write_text(f"kind: x\n{PRINTED}{rule}\n")
    return root


@pytest.mark.parametrize(
    ("rule", "players", "why"),
    [
        ("", None, "one each"),
        ("quantity: 3", None, "3 each"),
        ("fields: {n: {type: int}}\nquantity: n", None, "its n each"),
        ("quantity: players", None, "one each, for each player"),
        ("quantity: players * 2", None, "players * 2 each"),
        ("made_from: knight\nquantity: index * 2", None, "index * 2 for each knight"),
        ("quantity: {2: 8, 4: 12}", None, "12 each, for 4 players"),
        ("quantity: {2: 8, 3: 12}", 2, "8 each, for 2 players"),
        ("made_from: knight", None, "one for each knight"),
        ("made_from: knight\nquantity: 3", None, "3 for each knight"),
        ("made_from: knight\neach: arms", None, "one for each in a knight's arms"),
        ("made_from: knight\nquantity: {2: 1, 4: 2}", 4, "2 for each knight, for 4 players"),
        ('why: "{{ players }} play,\n  {{ components.x | length }} ride"', 3, "3 play, 0 ride"),
        ('why: "of {{ components.x | length }}"\nmade_from: knight', None, "of 4"),
    ],
)
def test_the_rule_in_words(rule: str, players: int | None, why: str, tmp_path: Path) -> None:
    checked = check(project(tmp_path, rule), players)
    assert checked.diagnostics == ()
    assert checked.pack.kinds["x"].why == why


@pytest.mark.parametrize(("only", "copies"), [(None, 0), ("x1", 1), ("*", 1)])
def test_what_is_printed_only_when_asked_for(only: str | None, copies: int, tmp_path: Path) -> None:
    root = project(tmp_path, "quantity: 1 if only else 0")
    (root / "cards/demo/xs.yaml").write_text("kind: x\ncomponents: [{id: x1}]\n")
    [component] = check(root, only=only).pack.components["x"]
    assert component.quantity == copies


def test_data_is_not_printed_for_any_reason(tmp_path: Path) -> None:
    root = project(tmp_path, "")
    (root / "cards/demo/kinds/fact.yaml").write_text("kind: fact\nwhy: never asked for\n")
    assert check(root).pack.kinds["fact"].why == ""


def test_what_looks_at_missing_components_is_left_alone(tmp_path: Path) -> None:
    root = project(tmp_path, 'why: "{{ components.knight | length }} knights"')
    with (root / "cards/demo/knights.yaml").open("a") as file:
        file.write("  - {id: k9, arms: 1}\n")
    checked = check(root)
    assert [d.code for d in checked.diagnostics] == ["GP203"]
    assert checked.pack.kinds["x"].why == ""


def test_a_collated_kind_is_printed_set_by_set(tmp_path: Path) -> None:
    fields = "fields: {n: {type: int}}\nquantity: n\ncollated: yes"
    root = project(tmp_path, fields)
    xs = root / "cards/demo/xs.yaml"
    xs.write_text("kind: x\ncomponents: [{id: a, n: 3}, {id: b, n: 0}, {id: c, n: 2}]\n")
    pack = check(root).pack
    printed = pack.printed("x")
    assert [(c.id, c.quantity, c.values["copy"], c.answers_to("x/c")) for c in printed] == [
        ("a", 1, 1, False),
        ("b", 0, 1, False),
        ("c", 1, 1, True),
        ("a~2", 1, 2, False),
        ("c~2", 1, 2, True),
        ("a~3", 1, 3, False),
    ]
    assert [c.quantity for c in pack.components["x"]] == [3, 0, 2]
    xs.write_text("kind: x\ncomponents: [{id: a, n: 100}]\n")
    (fault,) = check(root).diagnostics
    assert (fault.code, "from 0 to 99" in fault.hint) == ("GP214", True)
    (root / "cards/demo/kinds/x.yaml").write_text(
        "kind: x\n" + PRINTED + "collated: yes\nfields: {copy: {type: int}}\n"
    )
    faults = check(root).diagnostics
    assert [d.code for d in faults if "collated" in d.message] == ["GP213"]
