"""Schemas for editors: valid, current, and no stricter than the real thing."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import yaml
from jsonschema import Draft202012Validator
from validate.projects import FIXTURES, check

from generator.validate import definition_schemas, json_schemas
from generator.validate.definition_files import KIND
from generator.validate.field_types import FIELD_TYPES

SHARED = Path(__file__).parents[2] / "cards" / "shared"
COMMITTED = SHARED / "schemas"
FINE = FIXTURES / "fine"


def schemas() -> dict[str, dict[str, Any]]:
    return {**definition_schemas(), **json_schemas(check(FINE).pack)}


def problems(schema: dict[str, Any], file: Path | str) -> list[str]:
    text = file if isinstance(file, str) else file.read_text(encoding="utf-8")
    return [e.message for e in Draft202012Validator(schema).iter_errors(yaml.safe_load(text))]


@pytest.mark.parametrize("name", sorted(definition_schemas()))
def test_the_committed_schema_is_current(name: str, request: pytest.FixtureRequest) -> None:
    path = COMMITTED / f"{name}.schema.json"
    text = json.dumps(definition_schemas()[name], indent=2, ensure_ascii=False) + "\n"
    if request.config.getoption("--update"):
        path.write_text(text, encoding="utf-8")
    assert path.read_text(encoding="utf-8") == text, "run pytest --update"


def test_no_schema_is_left_over() -> None:
    assert {p.name.removesuffix(".schema.json") for p in COMMITTED.iterdir()} == set(
        definition_schemas()
    )


@pytest.mark.parametrize("name", sorted(schemas()))
def test_schemas_are_of_the_draft_they_name(name: str) -> None:
    Draft202012Validator.check_schema(schemas()[name])


@pytest.mark.parametrize(
    ("name", "file"),
    [
        ("pack", FINE / "cards/demo/pack.yaml"),
        ("styles", FINE / "templates/demo/styles.yaml"),
        ("printer", FINE / "printer.yaml"),
        ("stocks", FIXTURES / "shipped/cards/shared/stocks.yaml"),
        ("papers", FIXTURES / "shipped/cards/shared/papers.yaml"),
        ("label_sheets", FIXTURES / "shipped/cards/shared/label_sheets.yaml"),
        *(("kind", path) for path in sorted(FINE.glob("cards/demo/kinds/*.yaml"))),
        ("dragon", FINE / "cards/demo/dragons.yaml"),
        ("rider", FINE / "cards/demo/riders.yaml"),
        ("skill", FINE / "cards/demo/skills.yaml"),
    ],
    ids=lambda value: value if isinstance(value, str) else value.stem,
)
def test_what_we_take_the_editor_takes(name: str, file: Path) -> None:
    assert problems(schemas()[name], file) == []


SHIPPED = [
    *((path.stem, path) for path in sorted(SHARED.glob("*.yaml"))),
    *(("pack", path) for path in sorted(SHARED.parent.glob("*/pack.yaml"))),
    *(("kind", path) for path in sorted(SHARED.parent.glob("*/kinds/*.yaml"))),
    *(("styles", path) for path in sorted(SHARED.parents[1].glob("templates/*/styles.yaml"))),
]


@pytest.mark.parametrize(("name", "file"), SHIPPED, ids=lambda value: str(value)[-40:])
def test_the_shipped_definitions_are_as_the_schemas_say(name: str, file: Path) -> None:
    assert problems(definition_schemas()[name], file) == []


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("{kind: dragon, components: [{id: a}]}", "'code' is a required property"),
        ("{kind: rider, components: [], rows: x.csv}", "valid under each of"),
        ("{kind: dragon, defaults: {speed: 12}, components: []}", "12 is greater than the maximum"),
        ("{kind: dragon, defaults: {spede: 1}, components: []}", "'spede' was unexpected"),
        ("{kind: dragon, defaults: {label: C}, components: []}", "'C' is not one of"),
        ("{kind: dragon, defaults: {wing: 3px}, components: []}", "'3px' does not match"),
        ("{kind: dragon, defaults: {wing: 3}, components: []}", "3 is less than the minimum"),
        ("{kind: dragon, defaults: {support: red}, components: []}", "'red' is not of type"),
        ("{kind: dragon, defaults: {hand: [[a, 1, ada, 4]]}, components: []}", "not valid under"),
        ("{kind: dragon, defaults: {number: A}, components: []}", "'A' does not match"),
    ],
)
def test_what_we_refuse_the_editor_flags(text: str, complaint: str) -> None:
    found = schemas()
    name = yaml.safe_load(text)["kind"]
    assert any(complaint in message for message in problems(found[name], text))


def test_defaults_may_stand_for_what_is_needed() -> None:
    text = "{kind: rider, defaults: {name: A, dragon: ember}, components: [{id: a}]}"
    assert problems(schemas()["rider"], text) == []


def test_made_kinds_have_no_files_and_no_schema() -> None:
    assert set(json_schemas(check(FINE).pack)) == {"dragon", "rider", "skill"}


def test_references_complete_to_the_ids_there_are() -> None:
    fields = json_schemas(check(FINE).pack)["dragon"]["$defs"]["fields"]["properties"]
    assert fields["rider"]["examples"] == ["ada", "bo"]
    assert fields["code"]["description"] == "a short id"


def test_every_type_and_key_of_a_kind_is_in_its_schema() -> None:
    kind = definition_schemas()["kind"]
    assert set(kind["properties"]) == set(KIND)
    types = kind["$defs"]["field"]["properties"]["type"]["anyOf"][0]["enum"]
    assert types == list(FIELD_TYPES)
