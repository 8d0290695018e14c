from __future__ import annotations

import pickle
from pathlib import Path

import pytest
from validate.projects import check

from generator.load.documents import parse_yaml
from generator.model.catalogue import Catalogue
from generator.model.source import ComponentSource, Document, Mapping, PackSource, Sequence
from generator.model.values import Record
from generator.validate import check_pack

PACK = "{title: T, version: 1}"


def document(file: str, text: str) -> Document:
    root, faults = parse_yaml(text, file)
    assert root is not None
    assert not faults
    return Document(file, root)


def components(text: str) -> tuple[ComponentSource, ...]:
    root = document("c.yaml", text).root
    assert isinstance(root, Mapping)
    found: list[ComponentSource] = []
    for kind, listed in root.entries:
        assert isinstance(listed, Sequence)
        found += [ComponentSource(kind, n) for n in listed.items if isinstance(n, Mapping)]
    return tuple(found)


def source(kinds: tuple[str, ...], listed: str) -> PackSource:
    files = tuple(document(f"kinds/{i}.yaml", text) for i, text in enumerate(kinds))
    return PackSource("t", document("pack.yaml", PACK), files, components(listed))


SPACE = """
kind: space
fields:
  next: {type: ref, kind: space, optional: true}
derived:
  left: 1 + next.left if next else 0
"""
LONG = 3000


def track(length: int) -> str:
    first = [f"{{id: s{i}, next: s{i + 1}}}" for i in range(length - 1)]
    return f"space: [{', '.join([*first, f'{{id: s{length - 1}}}'])}]"


def test_a_long_chain_of_references() -> None:
    outcome = check_pack(source((SPACE,), track(LONG)), Catalogue({}, {}, {}))
    assert outcome.diagnostics == ()
    spaces = outcome.value.components["space"]
    assert [spaces[i].values["left"] for i in (0, 1, LONG - 1)] == [LONG - 1, LONG - 2, 0]


def test_a_long_chain_of_references_can_be_sent_to_another_process() -> None:
    outcome = check_pack(source((SPACE,), track(LONG)), Catalogue({}, {}, {}))
    there = pickle.loads(pickle.dumps(outcome.value))
    space: Record | None = there.components["space"][0].values
    steps = 0
    while space is not None and space["next"] is not None:
        space = space["next"]
        steps += 1
    assert steps == LONG - 1


TWO_WAYS = (
    """
kind: car
fields: {driver: {type: ref, kind: driver}, speed: {type: int}}
derived: {power: speed + driver.skill, label: "driver.title ~ power"}
""",
    """
kind: driver
fields: {car: {type: ref, kind: car}, skill: {type: int}}
derived: {title: "id ~ car.power"}
""",
)


def test_references_both_ways_are_worked_out_on_demand() -> None:
    listed = "{car: [{id: a, driver: d, speed: 3}], driver: [{id: d, car: a, skill: 2}]}"
    outcome = check_pack(source(TWO_WAYS, listed), Catalogue({}, {}, {}))
    assert outcome.diagnostics == ()
    assert outcome.value.components["driver"][0].values["title"] == "d5"
    assert outcome.value.components["car"][0].values["label"] == "d55"


def test_kinds_that_are_yet_to_be_made_are_not_there() -> None:
    car = "{kind: car, derived: {count: 'components.wheel | length'}}"
    outcome = check_pack(
        source((car, "{kind: wheel, made_from: car}"), "car: [{id: a}]"), Catalogue({}, {}, {})
    )
    assert [(d.code, d.span.file) for d in outcome.diagnostics] == [("GP211", "kinds/0.yaml")]
    assert "no 'wheel'" in outcome.diagnostics[0].message


def test_lists_worked_out_are_equal_to_lists_as_written() -> None:
    kind = """
kind: car
fields: {moves: {type: list, of: {type: int}}}
derived: {later: "moves[1:]", all: "moves | list"}
checks:
  - {that: "moves == [1, 2] and later == [2] and all == sorted(moves)", message: no, hint: no}
  - {that: "[moves, later] == [[1, 2], [2]] and moves != [2, 1]", message: no, hint: no}
"""
    outcome = check_pack(source((kind,), "car: [{id: a, moves: [1, 2]}]"), Catalogue({}, {}, {}))
    assert outcome.diagnostics == ()


EACH = """
kind: car
fields: {name: {type: text}, boxes: {type: int, max: 9}, moves: {type: list, of: {type: int}}}
derived: {most: "max(moves)", room: "boxes - most"}
checks:
  - {each: moves, that: entry < 7, at: "moves[{{ index }}]", message: "{{ entry }} of {{ name }}"}
  - {that: room >= 0, message: no room}
  - {that: name != "Bad", at: name, message: bad name}
"""


def test_a_check_of_each_entry_points_at_those_that_fail() -> None:
    car = "car: [{id: a, name: A, boxes: 9, moves: [7, 2, 8]}]"
    outcome = check_pack(source((EACH,), car), Catalogue({}, {}, {}))
    assert [d.message for d in outcome.diagnostics] == ["moves[0]: 7 of A", "moves[2]: 8 of A"]
    first, second = (d.span.column for d in outcome.diagnostics)
    assert second - first == len("7, 2, ")


def test_no_check_asks_for_what_a_check_found_wrong() -> None:
    kind = EACH.replace("room >= 0, message: no room", "name != 'B' or boxes == 3, message: three")
    for car in ("{id: a, name: B, boxes: 3, moves: [7]}", "{id: a, name: B, boxes: x, moves: [1]}"):
        outcome = check_pack(source((kind,), f"car: [{car}]"), Catalogue({}, {}, {}))
        assert [d.code for d in outcome.diagnostics] == ["GP209" if "7" in car else "GP203"]


def test_what_refers_to_what_cannot_be_read_is_left_alone() -> None:
    checks = "[{that: to.size > 1, message: x}]"
    car = f"{{kind: car, fields: {{to: {{type: ref, kind: van}}}}, checks: {checks}}}"
    broken = source((car, "{kind: van, fields: 3}"), "car: [{id: a, to: b}]")
    outcome = check_pack(broken, Catalogue({}, {}, {}))
    assert [d.span.file for d in outcome.diagnostics] == ["kinds/1.yaml"]


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
    """Return the components that a pattern prints."""
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
