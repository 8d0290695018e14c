"""Derived values: in order, through references, along chains of any length."""

from __future__ import annotations

import pickle

from generator.load.documents import parse
from generator.model.source import ComponentSource, Document, Mapping, PackSource, Sequence
from generator.model.stock import Catalogue
from generator.model.values import Record
from generator.validate import check_pack

PACK = "{title: T, version: 1}"


def document(file: str, text: str) -> Document:
    root, faults = parse(text, file)
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


def test_values_of_all_components_are_worked_out_on_demand() -> None:
    team = "{kind: team, derived: {power: 'components.car | sum(attribute=\"power\")'}}"
    cars = "car: [{id: a, driver: d, speed: 3}, {id: b, driver: d, speed: 4}]"
    listed = f"{{team: [{{id: t}}], {cars}, driver: [{{id: d, car: a, skill: 2}}]}}"
    outcome = check_pack(source((team, *TWO_WAYS), listed), Catalogue({}, {}, {}))
    assert outcome.diagnostics == ()
    assert outcome.value.components["team"][0].values["power"] == 11


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
