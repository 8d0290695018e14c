"""What a kind says is printed along with its components when only some are ordered."""

from __future__ import annotations

from pathlib import Path

import pytest
from validate.projects import check

HEAD = """title: Demo
version: 1.0.0
prints: {all: {kinds: [knight, horse, badge], papers: [a4]}}
"""
PRINTED = "stock: poker\nfaces: {front: x.svg.j2}\n"
KINDS = {
    "knight": PRINTED
    + "fields:\n  horse: {type: ref, kind: horse}\n"
    + "  spare: {type: ref, kind: horse, optional: true}\n",
    "horse": PRINTED,
    "badge": PRINTED + "made_from: horse\n",
}


def project(root: Path, brings: str) -> Path:
    """Two knights with horses of their own; the second has a spare one."""
    kinds = root / "cards/demo/kinds"
    kinds.mkdir(parents=True)
    (kinds.parent / "pack.yaml").write_text(HEAD)
    for name, rest in KINDS.items():
        more = f"brings: {brings}\n" if name == "knight" else ""
        (kinds / f"{name}.yaml").write_text(f"kind: {name}\n{rest}{more}")
    (kinds.parent / "all.yaml").write_text(
        "kind: horse\ncomponents: [{id: dun}, {id: grey}, {id: bay}]\n"
    )
    (kinds.parent / "knights.yaml").write_text(
        "kind: knight\ncomponents: [{id: kay, horse: dun}, {id: bors, horse: grey, spare: dun}]\n"
    )
    return root


def chosen(root: Path, glob: str) -> set[str]:
    """What an order of the components that answer to a pattern prints."""
    outcome = check(root)
    assert outcome.diagnostics == ()
    every = (c for found in outcome.pack.components.values() for c in found)
    return {f"{c.kind}/{c.id}" for c in every if c.answers_to(glob)}


@pytest.mark.parametrize("brings", ["horse", '"[horse]"', '"[horse, none]"'])
def test_what_is_brought_comes_along_with_what_is_made_of_it(brings: str, tmp_path: Path) -> None:
    root = project(tmp_path, brings)
    assert chosen(root, "kay") == {"knight/kay", "horse/dun", "badge/dun"}
    assert chosen(root, "dun") == {"horse/dun", "badge/dun"}


def test_what_another_pack_makes_of_it_comes_along_too(tmp_path: Path) -> None:
    """Horses and their badges are those of a required pack, made before the knights are known."""
    root = project(tmp_path, "horse")
    demo, base = root / "cards/demo", root / "cards/base"
    (base / "kinds").mkdir(parents=True)
    (base / "pack.yaml").write_text(HEAD.replace("knight, ", ""))
    for file in ("kinds/horse.yaml", "kinds/badge.yaml", "all.yaml"):
        (demo / file).rename(base / file)
    (demo / "pack.yaml").write_text(HEAD.replace("prints:", "requires: {base: '>= 1'}\nprints:"))
    assert chosen(root, "kay") == {"knight/kay", "horse/dun", "badge/dun"}
    assert chosen(root, "dun") == {"horse/dun", "badge/dun"}


def test_one_thing_may_be_brought_by_several_and_nothing_by_none(tmp_path: Path) -> None:
    root = project(tmp_path, '"[horse, spare]"')
    assert chosen(root, "kay") == {"knight/kay", "horse/dun", "badge/dun"}
    assert chosen(root, "bors") == {
        "knight/bors", "horse/grey", "badge/grey", "horse/dun", "badge/dun",
    }  # fmt: skip


def test_without_it_a_component_comes_alone(tmp_path: Path) -> None:
    assert chosen(project(tmp_path, ""), "kay") == {"knight/kay"}


@pytest.mark.parametrize(
    ("brings", "said"),
    [
        ("horse.id", "'dun' of knight kay is not a component"),
        ("hrose", "'hrose' is not known here"),
    ],
)
def test_what_cannot_be_brought_is_told(brings: str, said: str, tmp_path: Path) -> None:
    found = check(project(tmp_path, brings)).diagnostics
    assert [(d.code, d.span.file.rpartition("/")[2], d.span.line) for d in found] == [
        ("GP211", "knight.yaml", 7)
    ]
    assert said in found[0].message
