"""The validate stage: nodes in, a `Pack` in which nothing is missing or unresolved out."""

from generator.validate.catalogue_files import (
    read_catalogue,
    read_pdf_profiles,
    read_profile,
    read_shops,
)
from generator.validate.checked_pack import check_pack
from generator.validate.json_schema import definition_schemas, json_schemas

__all__ = [
    "check_pack",
    "definition_schemas",
    "json_schemas",
    "read_catalogue",
    "read_pdf_profiles",
    "read_profile",
    "read_shops",
]
