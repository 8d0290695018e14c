"""Check a pack's nodes and turn them into a `Pack` with nothing missing or unresolved."""

from generator.validate.catalogue_files import (
    read_catalogue,
    read_pdf_profiles,
    read_profile,
    read_shops,
)
from generator.validate.definition_files import BOX
from generator.validate.face_files import TypedFace, box_keys, read_face_files, typed_face
from generator.validate.json_schema import definition_schemas, json_schemas
from generator.validate.pack_builder import check_pack

__all__ = [
    "BOX",
    "TypedFace",
    "box_keys",
    "check_pack",
    "definition_schemas",
    "json_schemas",
    "read_catalogue",
    "read_face_files",
    "read_pdf_profiles",
    "read_profile",
    "read_shops",
    "typed_face",
]
