"""Make JSON Schemas (draft 2020-12) of kinds and definition files, for editors.

Editors read YAML less strictly than Gridpress. A schema rejects only what Gridpress would.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from generator.model.pack import Field, Kind, Pack
from generator.model.values import Record
from generator.validate.components import ID_FIELD
from generator.validate.definition_files import (
    CUTTERS,
    DEFINITION_TYPES,
    FACE,
    FIELD,
    KIND,
    LABEL_SHEETS,
    LOCALE,
    PACK,
    PAPERS,
    PDF_PROFILES,
    PROFILE,
    SHOPS,
    STOCKS,
    STYLES,
)
from generator.validate.field_types import FIELD_TYPES, ID_PATTERN, fields_schema, is_needed
from generator.validate.pack_file import guest_types
from generator.validate.reading import FieldType, Schema

DRAFT: Final = "https://json-schema.org/draft/2020-12/schema"
MAX_EXAMPLES: Final = 100

_FILES: Final[Mapping[str, tuple[str, Mapping[str, Field]]]] = {
    "pack": ("A pack: what it is and what is printed", PACK),
    "kind": ("A kind of component", KIND),
    "styles": ("Fonts, colours and text styles of a pack", STYLES),
    "face": ("A face as boxes: docs/face-files.md", FACE),
    "stocks": ("Stocks: the blanks that faces are drawn on", STOCKS),
    "papers": ("Papers", PAPERS),
    "label_sheets": ("Die-cut label sheets", LABEL_SHEETS),
    "cutters": ("Cutting machines", CUTTERS),
    "shops": ("Print shops and their products", SHOPS),
    "pdf_profiles": ("Who takes which PDF", PDF_PROFILES),
    "locale": ("A pack's words in another language", LOCALE),
    "printer": ("Where a printer puts ink", PROFILE),
}


def definition_schemas() -> dict[str, Schema]:
    """Return the schemas of all definition files, by name."""
    describe = _Describer({}, DEFINITION_TYPES)
    return {
        name: {
            "$schema": DRAFT,
            "title": title,
            **fields_schema(rules, describe),
            **({"$defs": {"field": _field(describe)}} if name == "kind" else {}),
        }
        for name, (title, rules) in _FILES.items()
    }


def _field(describe: _Describer) -> Schema:
    """Return the schema of a field's definition; guests may add types."""
    schema = fields_schema(FIELD, describe)
    known = schema["properties"]["type"]
    more = {"type": "string", "pattern": ID_PATTERN}
    return {**schema, "properties": {**schema["properties"], "type": {"anyOf": [known, more]}}}


def json_schemas(pack: Pack) -> dict[str, Schema]:
    """Return the schema of each kind's component files. Kinds made from others have no files; kinds
    of required packs are included only if this pack adds components."""
    ids = {kind: [c.id for c in found] for kind, found in pack.components.items()}
    types = {**DEFINITION_TYPES, **guest_types(pack.guests, FIELD_TYPES)}
    describe = _Describer(ids, types)
    return {
        name: _component_file(kind, describe)
        for name, kind in pack.kinds.items()
        if kind.made_from is None and pack.is_own(name)
    }


_TABLE: Final = {
    "type": "string",
    "pattern": r"\.([cCtT][sS][vV]|[xX][lL][sS][xXmM]|json|md|txt)(#.*)?$",
}


def _component_file(kind: Kind, describe: _Describer) -> Schema:
    fields = {"id": ID_FIELD, **kind.fields}
    known = fields_schema(fields, describe)
    needed = known.pop("required")
    return {
        "$schema": DRAFT,
        "title": kind.title,
        "description": kind.description or f"Components of the kind {kind.name}",
        "type": "object",
        "properties": {
            "kind": {"const": kind.name},
            "defaults": {"$ref": "#/$defs/fields", "description": "Fill what is left out"},
            "components": {"type": ["array", "null"]},
            "rows": {
                "description": "A table of components, such as crashes.csv or crashes.xlsx#Sheet",
                "oneOf": [
                    _TABLE,
                    {
                        "description": "A table that gridpress pull fetches into a file",
                        "type": "object",
                        "properties": {
                            "url": {"type": "string", "pattern": "^https?://"},
                            "file": _TABLE,
                        },
                        "required": ["url", "file"],
                        "additionalProperties": False,
                    },
                ],
            },
            "where": {
                "type": "string",
                "description": 'An expression for the rows of this kind, such as type == "Spell"',
            },
            "columns": {
                "type": "object",
                "description": "The field of each column whose head is not its name",
                "additionalProperties": {"type": "string"},
            },
            "ignore": {
                "type": ["array", "string"],
                "description": "Heads of columns that are only for you",
                "items": {"type": "string"},
            },
        },
        "required": ["kind"],
        "additionalProperties": False,
        "oneOf": [{"required": ["components"]}, {"required": ["rows"]}],
        # Defaults may fill whatever is needed.
        "if": {"required": ["defaults"]},
        "then": _items("partial"),
        "else": _items("complete"),
        "$defs": {
            "fields": known,
            "complete": {"$ref": "#/$defs/fields", "required": needed},
            "partial": {"$ref": "#/$defs/fields", "required": ["id"]},
        },
    }


def _items(what: str) -> Schema:
    return {"properties": {"components": {"items": {"$ref": f"#/$defs/{what}"}}}}


class _Describer:
    """Describes a field by its type's schema and what all types share."""

    def __init__(self, ids: Mapping[str, list[str]], types: Mapping[str, FieldType]) -> None:
        self.ids = ids
        self._types = types

    def __call__(self, field: Field) -> Schema:
        made = self._types[field.type].schema
        schema = {**(made(field, self) if callable(made) else made), **_limits(field)}
        if field.type == "ref" and self.ids.get(field.kind or ""):
            schema["examples"] = self.ids[field.kind or ""][:MAX_EXAMPLES]
        if field.description:
            schema["description"] = field.description
        if not is_needed(field):
            schema = _or_null(schema)
        if field.default is not None:
            schema["default"] = _as_json(field.default)
        return schema


def _limits(field: Field) -> Schema:
    """Return the limits of a number, a text or the entries of a list."""
    things = "Items" if field.type in ("list", "table") else "Length"
    least, most = field.min_length, field.max_length
    if field.length is not None:
        least = most = field.length
    limits = {
        "minimum": field.min,
        "maximum": field.max,
        f"min{things}": least,
        f"max{things}": most,
        "pattern": None if field.type == "map" or not field.pattern else f"^(?:{field.pattern})$",
    }
    return {name: limit for name, limit in limits.items() if limit is not None}


def _or_null(schema: Schema) -> Schema:
    """Let a key also be empty."""
    if "enum" in schema:
        return {**schema, "enum": [*schema["enum"], None]}
    if "type" in schema:
        types = schema["type"]
        return {**schema, "type": [*([types] if isinstance(types, str) else types), "null"]}
    if "anyOf" in schema:
        return {**schema, "anyOf": [*schema["anyOf"], {"type": "null"}]}
    return schema


def _as_json(value: Any) -> Any:
    if isinstance(value, tuple):
        return [_as_json(item) for item in value]
    if isinstance(value, Record):
        return {name: _as_json(item) for name, item in value.items()}
    return str(value) if isinstance(value, str) else value
