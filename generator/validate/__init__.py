"""The validate stage: nodes in, a `Pack` in which nothing is missing or unresolved out."""

from generator.validate.catalogue import read_catalogue, read_profile
from generator.validate.pack import check_pack
from generator.validate.schema import definition_schemas, json_schemas
from generator.validate.styles import read_styles

__all__ = [
    "check_pack",
    "definition_schemas",
    "json_schemas",
    "read_catalogue",
    "read_profile",
    "read_styles",
]
